// SPDX-License-Identifier: Apache-2.0
//
// Maps names of a description to C++ names.
//
// A name in a description may be any text, but a C++ name must be an identifier. Type names are in
// CamelCase: `#reg-gpr` becomes RegGpr. Members keep the names of their fields as far as possible. Colliding names get
// a number. All names are assigned once, in the order of the tables, so the same description yields the same names.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/isa/generate.h"

namespace vireo::isa::generate {

/// The names in use in one C++ scope.
class TakenNames {
 public:
  explicit TakenNames(std::set<std::string> reserved = {}) : taken_(std::move(reserved)) {}
  /// Returns the name, with a number appended if it is taken.
  std::string take(std::string name);

 private:
  std::set<std::string> taken_;
};

/// Whether a name is a C++ keyword or a common macro, and so cannot be an identifier.
bool is_taken_by_cpp(std::string_view name);

/// Converts a text to a C++ identifier: `(rpt1)` → "rpt1". Prepends `_` to a leading digit, and changes reserved names.
std::string cpp_identifier(std::string_view text);

class CppNames {
 public:
  explicit CppNames(const Model& model);

  [[nodiscard]] const std::string& leaf(const Bitset& leaf) const { return leaves_.at(&leaf); }
  /// The C++ type of a root: the struct of its only leaf, or a variant of all its leaves.
  [[nodiscard]] const std::string& root(const Bitset& root) const { return roots_.at(&root); }
  [[nodiscard]] const std::string& enumeration(EnumId id) const { return enums_[id.index()]; }
  [[nodiscard]] const std::vector<std::string>& enumerators(EnumId id) const { return enumerators_[id.index()]; }
  /// Whether a type has this name. A member of the same name would hide the type.
  [[nodiscard]] bool is_type(const std::string& name) const { return types_.count(name) != 0; }

 private:
  std::map<const Bitset*, std::string> leaves_;
  std::map<const Bitset*, std::string> roots_;
  std::vector<std::string> enums_;
  std::vector<std::vector<std::string>> enumerators_;
  std::set<std::string> types_;
};

}  // namespace vireo::isa::generate

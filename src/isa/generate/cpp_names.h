// SPDX-License-Identifier: Apache-2.0
//
// Names of a description → names of C++.
//
// The one idea: a description may call anything anything, C++ may not. Types are LikeThis, `#reg-gpr` is RegGpr; members
// keep the names of their fields as far as they can; what would collide gets a number. All names are given once, in the
// order of the tables, so the same description has the same names.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/isa/generate.h"

namespace vireo::isa::generate {

/// Names of one scope of C++. What was taken stays taken.
class TakenNames {
 public:
  explicit TakenNames(std::set<std::string> reserved = {}) : taken_(std::move(reserved)) {}
  /// The name, or the name with a number behind it.
  std::string take(std::string name);

 private:
  std::set<std::string> taken_;
};

/// Whether a name is a keyword, or a macro that most programs have: nothing can be called so.
bool is_taken_by_cpp(std::string_view name);

/// `(rpt1)` → "rpt1"; what would begin with a digit begins with `_`, and no word of the language is left as it is.
std::string cpp_identifier(std::string_view text);

class CppNames {
 public:
  explicit CppNames(const Model& model);

  [[nodiscard]] const std::string& leaf(const Bitset& leaf) const { return leaves_.at(&leaf); }
  /// What a field of the root's type holds: a leaf's struct, or a variant of all of them.
  [[nodiscard]] const std::string& root(const Bitset& root) const { return roots_.at(&root); }
  [[nodiscard]] const std::string& enumeration(EnumId id) const { return enums_[id.index()]; }
  [[nodiscard]] const std::vector<std::string>& enumerators(EnumId id) const { return enumerators_[id.index()]; }
  /// Whether a member may be called so: no type is, which it would hide.
  [[nodiscard]] bool is_type(const std::string& name) const { return types_.count(name) != 0; }

 private:
  std::map<const Bitset*, std::string> leaves_;
  std::map<const Bitset*, std::string> roots_;
  std::vector<std::string> enums_;
  std::vector<std::vector<std::string>> enumerators_;
  std::set<std::string> types_;
};

}  // namespace vireo::isa::generate

// SPDX-License-Identifier: Apache-2.0
//
// LinkSymbols: finds the export of each import, compares them, and removes what another definition replaces.
//
// Source: specification 2.13 (linkage), 3.17 (linkage types); SPV_KHR_linkonce_odr.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "spirv/transform/link/declaration_classes.h"
#include "spirv/transform/link/link_module.h"
#include "vireo/support/diagnostic.h"

namespace vireo::spirv {

class LinkSymbols {
 public:
  /// All arguments are borrowed. The classes have been read.
  LinkSymbols(std::deque<LinkModule>& modules, DeclarationClasses& classes, const LinkOptions& options,
              Diagnostics& diagnostics)
      : modules_(modules), classes_(classes), options_(options), diagnostics_(diagnostics) {}

  /// Resolves all symbols. `is_library(module)`: its exports give way to those of other modules.
  void resolve(const std::vector<bool>& is_library);

  /// An import without an export.
  struct Unresolved {
    std::uint32_t module = 0;
    std::uint32_t symbol = 0;  ///< index in LinkModule::symbols
  };
  /// In the order of the modules. Of several imports of a name with one type, only the first one is listed.
  [[nodiscard]] const std::vector<Unresolved>& unresolved() const { return unresolved_; }

 private:
  using Place = Unresolved;
  /// The definition and the first import of a name.
  struct Name {
    std::optional<Place> exported, imported;
  };

  [[nodiscard]] const LinkSymbol& symbol(const Place& place) const {
    return modules_[place.module].symbols[place.symbol];
  }
  [[nodiscard]] LinkModule& module_of(const Place& place) const { return modules_[place.module]; }
  void add_export(const Place& place, Name& name, const std::vector<bool>& is_library);
  void add_import(const Place& place, Name& name);
  /// Whether two types have the same structure. If only names of structures differ, these become one.
  bool same_type(const Place& place, Word type, const Place& other, Word other_type);
  void join(const LinkModule& module, InstructionIndex type);
  /// Compares kind and type, and reports a difference.
  bool check_types(const Place& place, const Place& other);
  /// Whether two functions differ only in the pointees of their parameters.
  bool differs_in_pointees(const Place& place, const Place& other);
  void compare_decorations(const Place& place, const Place& other);
  void compare_decorations(const Place& place, Word id, const Place& other, Word other_id, std::string_view what);
  /// Removes a definition, or declaration, in favour of another one.
  void replace(const Place& place, const Place& other);

  void report_pair(std::string_view rule, Severity severity, const Place& place, std::string message,
                   const Place& other);
  [[nodiscard]] std::string type_text_of(const Place& place) const;
  [[nodiscard]] std::string difference(const Place& place, const Place& other) const;

  std::deque<LinkModule>& modules_;
  DeclarationClasses& classes_;
  const LinkOptions& options_;
  Diagnostics& diagnostics_;
  std::unordered_map<std::string_view, Name> names_;
  std::vector<Unresolved> unresolved_;
  std::vector<bool> joined_;  // by loose class: types whose structures become one although their names differ
};

}  // namespace vireo::spirv

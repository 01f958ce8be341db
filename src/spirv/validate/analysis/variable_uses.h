// SPDX-License-Identifier: Apache-2.0
//
// VariableUses: the module-scope variables that each function uses directly.
//
// Each use of a variable is an operand of an instruction, and each instruction is in one function. So the
// variables of each function are computed once, as a list. An entry point uses the variables of all functions that it
// reaches. Operands of non-semantic instructions (debug information) are not uses.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spirv/validate/core/check.h"

namespace vireo::spirv {

class VariableUses {
 public:
  /// Near-linear in the uses of variables.
  explicit VariableUses(const ModuleCheck& c);

  /// The variables of the module, in the order of their declaration.
  [[nodiscard]] std::span<const Word> variables() const { return variables_; }
  /// The variables that a function uses, each once.
  [[nodiscard]] std::span<const Word> of(FunctionIndex function) const {
    const std::size_t i = function.index();
    return std::span(used_).subspan(begins_[i], begins_[i + 1] - begins_[i]);
  }

 private:
  std::vector<Word> variables_;
  std::vector<Word> used_;             // by function
  std::vector<std::uint32_t> begins_;  // indexes into used_; one more than the number of functions
};

/// The variables of the module, in the order of their declaration.
std::vector<Word> module_variables(const ModuleCheck& c);

/// Whether a variable, or a member of its block, is decorated PerPrimitiveEXT.
bool is_per_primitive(const ModuleCheck& c, Word variable);

/// The place of an interface variable in OpEntryPoint, by its number in the interface list.
Place place_in_list(const ModuleCheck& c, const EntryPointRow& entry, std::size_t number);

/// The properties of a variable that interface checks need.
struct VariableInfo {
  Word id = 0;
  StorageClass storage = StorageClass::Function;
  const TypeRow* holds = nullptr;  ///< nullptr: an untyped variable without a Data Type, or an unknown type
  bool is_untyped = false;
  InstructionIndex declaration;
};

/// Reads the declaration of a variable. Returns a default VariableInfo if the id is not a variable.
VariableInfo variable_info(const ModuleCheck& c, Word id);

}  // namespace vireo::spirv

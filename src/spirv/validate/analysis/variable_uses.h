// SPDX-License-Identifier: Apache-2.0
//
// VariableUses: which variables outside of functions each function uses itself.
//
// The one idea: the uses of a variable say in which instructions it stands, and an instruction knows its function; so a
// function's variables are a list, found once. What an entry point uses is the lists of all functions that it reaches.
// What only describes a program (debug information) uses nothing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spirv/validate/engine/context.h"

namespace vireo::spirv {

class VariableUses {
 public:
  /// Near-linear in the uses of variables.
  explicit VariableUses(const Context& context);

  /// The variables of the module, in the order of their declaration.
  [[nodiscard]] std::span<const Word> variables() const { return variables_; }
  /// Those that a function uses, each once.
  [[nodiscard]] std::span<const Word> of(FunctionIndex function) const {
    const std::size_t i = function.index();
    return std::span(used_).subspan(begins_[i], begins_[i + 1] - begins_[i]);
  }

 private:
  std::vector<Word> variables_;
  std::vector<Word> used_;             // by function
  std::vector<std::uint32_t> begins_;  // in used_; one more than there are functions
};

/// Where an entry point lists its variables: the place of the one with this number.
Place place_in_list(const Context& context, const EntryPointRow& entry, std::size_t number);

/// A variable as interfaces see it.
struct VariableInfo {
  Word id = 0;
  StorageClass storage = StorageClass::Function;
  const TypeRow* holds = nullptr;  ///< nullptr: an untyped one that does not say, or poisoned
  bool is_untyped = false;
  InstructionIndex declaration;
};

/// What the declaration of a variable says; holds nothing when the id is no variable.
VariableInfo variable_info(const Context& context, Word id);

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// ShrinkSubject: a decoded copy of a module, from which a step makes candidates.
#pragma once

#include <memory>
#include <utility>

#include "spirv/transform/operand_index.h"
#include "spirv/transform/rewrite.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/word.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/result.h"

namespace vireo::spirv {

/// Owns the words, because the best module changes while a step makes candidates.
struct ShrinkSubject {
  WordBuffer words;
  Module module;
  OperandIndex operands;

  using Pointer = std::unique_ptr<const ShrinkSubject>;

  /// Errors: the header is invalid, or an instruction cannot be decoded (operand_index.h).
  static Result<Pointer> read(WordBuffer words, const Grammar& grammar, Diagnostics& diagnostics) {
    Result<Module> module = read_for_transform(words, grammar, diagnostics);
    if (!module) return module.failure();
    Result<OperandIndex> operands = OperandIndex::read(*module, diagnostics);
    if (!operands) return operands.failure();
    // A moved vector keeps its elements in place, so the module remains valid.
    return Pointer(new ShrinkSubject{std::move(words), std::move(*module), std::move(*operands)});
  }
  /// A candidate that was interesting; null if it cannot be decoded, which is possible only for invalid ones.
  static Pointer read(const WordBuffer& words, const Grammar& grammar) {
    Diagnostics ignored;
    Result<Pointer> subject = read(words, grammar, ignored);
    return subject ? std::move(*subject) : nullptr;
  }
};

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// Transforms of specialization constants: fix their values, change their default values, evaluate operations.
//
//   Result<std::vector<SpecDefault>> defaults = parse_spec_defaults("3:true 7:-0.5", diagnostics);
//   Result<WordBuffer> changed = set_spec_defaults(words, *defaults, {}, diagnostics);
//   Result<WordBuffer> frozen = freeze_spec_constants(*changed, diagnostics);
//   Result<WordBuffer> folded = fold_spec_constants(*frozen, {}, diagnostics);
//
// All functions return the module in host byte order, and a second application changes nothing. Errors of all: the
// header is invalid, the module cannot be divided into instructions, or an instruction cannot be decoded.
//
// Source: specification 2.9 (specialization), 2.12 (specialization constants), 3.42.7 (constant-creation instructions).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/result.h"

namespace vireo::spirv {

// --- freezing ---------------------------------------------------------------------------------------------------------

/// Replaces each OpSpecConstant… by the OpConstant… with its default value, and removes all SpecId decorations.
/// OpSpecConstantOp stays, and so do composites of them; fold_spec_constants() evaluates them. The ids and the header are
/// unchanged. The result is valid if the module is valid with its default values: an array length of 0, for example, is
/// invalid only when it is frozen. Linear in the words.
VIREO_API Result<WordBuffer> freeze_spec_constants(Words words, Diagnostics& diagnostics,
                                                   const Grammar& grammar = builtin_grammar());

// --- default values ---------------------------------------------------------------------------------------------------

/// A default value for all specialization constants with this SpecId.
struct VIREO_API SpecDefault {
  Word spec_id = 0;
  /// The words of the literal, low-order word first, or a text: `true` or `false` for a Boolean, a number as in assembly
  /// text for a number.
  std::variant<WordBuffer, std::string> value;
};

/// Parses `ID:VALUE ID:VALUE …`, separated by white space. ID is an unsigned number; VALUE is `true`, `false`, or a
/// number as in assembly text (number.h). Errors: an item without this form. The location of an error is in `text`.
VIREO_API Result<std::vector<SpecDefault>> parse_spec_defaults(std::string_view text, Diagnostics& diagnostics);

/// What set_spec_defaults() does with a value that does not fit.
struct VIREO_API SetSpecDefaultsOptions {
  /// Warn of a value that does not fit the type of a constant, and leave the constant unchanged. Otherwise this is an
  /// error.
  bool skip_unfit_values = false;
};

/// Sets the default values of OpSpecConstantTrue, OpSpecConstantFalse, OpSpecConstant and OpSpecConstantDataKHR by their
/// SpecId. If several values have the same SpecId, the last one applies. A SpecId that the module lacks has no effect.
///
/// Words of a Boolean: any number of words; false if all are zero. Words of a number: as many as the literal has; the
/// bits above the width are all zero or, for an integer, copies of its sign bit. Words of constant data: as many as
/// the instruction has.
///
/// Error: a value does not fit the type of a constant. Linear in the words; near-linear in the defaults.
VIREO_API Result<WordBuffer> set_spec_defaults(Words words, std::span<const SpecDefault> defaults,
                                               const SetSpecDefaultsOptions& options, Diagnostics& diagnostics,
                                               const Grammar& grammar = builtin_grammar());

// --- folding ----------------------------------------------------------------------------------------------------------

/// What fold_spec_constants() replaces.
struct VIREO_API FoldSpecConstantsOptions {
  /// Also replace each OpSpecConstantComposite whose constituents are constants by OpConstantComposite. Without this
  /// option, an operation whose result needs such a composite as a constituent stays.
  bool composites = true;
};

/// Replaces each OpSpecConstantOp whose value specialization cannot change by a constant with the same result id: True,
/// False, Null (if all scalars are zero), a literal, or a composite. Constituents are existing constants that are
/// declared before and have no decoration; missing ones are declared with fresh ids. These count up from the bound of the
/// header or, if that is too low, from the highest id plus 1. The bound of the result is above them.
///
/// An OpSpecConstantOp stays if its result is undefined, if the result is a number of more than 64 bits, or if the
/// OpSpecConstantOp has a decoration that changes its result, such as SaturatedConversion. NoContraction, NoSignedWrap and
/// NoUnsignedWrap are removed with it.
///
/// The result is valid if the module is. Near-linear in the words. Constants::read() limits the number of evaluated
/// parts; if the module exceeds it, a second application may change more. Error: no fresh id is left.
VIREO_API Result<WordBuffer> fold_spec_constants(Words words, const FoldSpecConstantsOptions& options,
                                                 Diagnostics& diagnostics, const Grammar& grammar = builtin_grammar());

}  // namespace vireo::spirv

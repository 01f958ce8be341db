// SPDX-License-Identifier: Apache-2.0
//
// clean: removes what a module does not need, and leaves what it computes and what its users see.
//
//   Result<WordBuffer> small = clean(words, {}, diagnostics);
//
// Source: specification 2.4 (logical layout), 2.11 (structured control flow), 2.13 (linkage).
#pragma once

#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/transform/parts.h"
#include "vireo/spirv/transform/report.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/result.h"

namespace vireo::spirv {

/// The parts to remove. The `drop_` options let a transform change what other shaders, the API or the linker see.
struct VIREO_API CleanOptions {
  /// Functions that neither an entry point nor an export reaches.
  bool functions = true;
  /// Branches with a constant condition, and the blocks that nothing reaches any more. A merge block and a continue
  /// target remain.
  bool branches = true;
  /// Blocks that nothing reaches. A block that always follows its only predecessor becomes a part of it.
  bool blocks = true;
  /// Instructions whose result nothing uses, stores to variables of functions and of storage classes Private and
  /// Workgroup that nothing reads, and selections and loops without any other instruction; unused imports.
  bool code = true;
  bool variables = true;            ///< unused variables
  bool types = true;                ///< unused types
  bool constants = true;            ///< unused constants
  bool duplicate_types = true;      ///< of equal types, with equal names and decorations, the first one remains
  bool duplicate_constants = true;  ///< likewise
  /// Members of structures that nothing uses. The offsets of the other members do not change.
  bool members = false;
  bool compact_ids = true;  ///< renumbers the ids in the order of their first occurrence
  /// Orders declarations and functions and numbers the ids by their contents alone: equal modules become equal words.
  /// Applies after all other options, in place of compact_ids.
  bool canonical_ids = false;

  bool drop_bindings = false;      ///< also unused variables that the API or another stage can see
  bool drop_specs = false;         ///< also unused constants with a SpecId
  bool drop_struct_names = false;  ///< duplicates of structures may have other names
};

/// All options false, for a selection of parts.
inline constexpr CleanOptions no_clean_options = {false, false, false, false, false, false, false, false,
                                                  false, false, false, false, false, false, false};

/// The parts by name. Their flags are those of vireo_clean_parts.
inline constexpr TransformPart<CleanOptions> clean_parts[] = {
    {"functions", "remove functions that no entry point and no export reaches", "", 1u << 0, &CleanOptions::functions},
    {"blocks", "fold constant branches; remove unreachable blocks; join blocks", "", 1u << 1, &CleanOptions::branches,
     &CleanOptions::blocks},
    {"code", "remove instructions, selections and loops without an effect", "", 1u << 2, &CleanOptions::code},
    {"variables", "remove unused variables", "", 1u << 3, &CleanOptions::variables},
    {"types", "remove unused types, and duplicates", "", 1u << 4, &CleanOptions::types, &CleanOptions::duplicate_types},
    {"constants", "remove unused constants, and duplicates", "", 1u << 5, &CleanOptions::constants,
     &CleanOptions::duplicate_constants},
    {"members", "remove unused members of structures", "The offsets of the other members do not change.", 1u << 7,
     &CleanOptions::members},
    {"compact-ids", "renumber the ids", "", 1u << 6, &CleanOptions::compact_ids},
    {"canonical-ids", "order declarations and number ids by their contents",
     "Modules that differ only in ids and in the order of declarations and functions become equal.", 1u << 8,
     &CleanOptions::canonical_ids},
    {"drop-bindings", "also remove unused variables that others can see",
     "Those with bindings, and those in the interfaces of entry points.", 1u << 9, &CleanOptions::drop_bindings,
     nullptr, true},
    {"drop-specs", "also remove unused constants with a SpecId", "", 1u << 10, &CleanOptions::drop_specs, nullptr,
     true},
};

/// Returns the module without these parts, in host byte order. It computes the same results, and is valid if the module
/// is valid. Cleaning the result again changes nothing, unless the passes still changed the module in round 16.
/// Errors: the header is invalid; an instruction cannot be decoded; the module has a layout violation other than an
/// instruction in a wrong section or an id beyond the bound. Near-linear in the words of a valid module.
VIREO_API Result<WordBuffer> clean(Words words, const CleanOptions& options, Diagnostics& diagnostics,
                                   TransformReport* report = nullptr, const Grammar& grammar = builtin_grammar());

}  // namespace vireo::spirv

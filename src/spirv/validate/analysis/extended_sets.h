// SPDX-License-Identifier: Apache-2.0
//
// Queries about extended instructions: their set, and whether they are non-semantic or debug information.
//
// The import name identifies an extended set (specification 3.42.4, OpExtInstImport), so all queries use
// the import of an instruction. If the import is missing, the queries return no set; another check reports it.
#pragma once

#include "spirv/grammar/special_sets.h"
#include "spirv/module/opcode_traits.h"
#include "spirv/validate/core/check.h"

namespace vireo::spirv {

/// The import of an extended instruction; nullptr for other instructions, or if the id is not an import. Logarithmic in
/// the number of imports.
const ImportRow* import_of(const ModuleCheck& c, InstructionView view);

/// Whether the instruction is non-semantic: removing it does not change the meaning of the module. The name of its set
/// starts with "NonSemantic." (SPV_KHR_non_semantic_info).
bool is_non_semantic(const ModuleCheck& c, InstructionView view);
/// The same for a decoded instruction. A set without a grammar counts as non-semantic.
inline bool is_non_semantic(const InstructionCheck& c) {
  if (!is_extended(c.op())) return false;
  const ExtInstSetId set = c.decoded->ext_inst_set;
  return set.is_none() || is_non_semantic_set(c.grammar().text(c.grammar().sets[set.index()].name));
}

/// Whether the instruction belongs to a debug information set that is older than the non-semantic ones. Such
/// instructions refer to later functions and types, and are allowed wherever line information is.
bool is_older_debug_information(const ModuleCheck& c, InstructionView view);

}  // namespace vireo::spirv

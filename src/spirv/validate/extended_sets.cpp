// SPDX-License-Identifier: Apache-2.0
//
// Extended instructions by the name of their set (specification 3.42.3, OpExtInstImport and OpExtInst).
#include "spirv/validate/extended_sets.h"

namespace vireo::spirv {
namespace {

// The import that an extended instruction names; nullptr for others, and where the id is no import.
const ImportRow* import_of(const Context& context, InstructionView view) {
  if (!is_extended(static_cast<Op>(view.opcode)) || view.word_count < 4) return nullptr;
  return context.preamble.import_of(view.word(3));
}

}  // namespace

bool is_non_semantic(const Context& context, InstructionView view) {
  const ImportRow* import = import_of(context, view);
  return import != nullptr && import->name.starts_with("NonSemantic.");
}

bool is_older_debug_information(const Context& context, InstructionView view) {
  const ImportRow* import = import_of(context, view);
  return import != nullptr && (import->name == "OpenCL.DebugInfo.100" || import->name == "DebugInfo");
}

}  // namespace vireo::spirv

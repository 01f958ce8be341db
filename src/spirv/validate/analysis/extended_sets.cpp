// SPDX-License-Identifier: Apache-2.0
//
// Identifies extended instructions by the name of their set (specification 3.42.4, OpExtInstImport and OpExtInst).
#include "spirv/validate/analysis/extended_sets.h"

#include <algorithm>

#include "vireo/spirv/binary/views/extension.h"

namespace vireo::spirv {
// Imports are in module order, so a binary search by the defining instruction finds the import.
const ImportRow* import_of(const ModuleCheck& c, InstructionView view) {
  if (!is_extended(view.opcode)) return nullptr;
  const auto imports = c.module_declarations.imports();
  const InstructionIndex place = c.module.definition(View<Op::OpExtInst>(view).set());
  const auto found = std::ranges::lower_bound(imports, place, {}, &ImportRow::instruction);
  return found == imports.end() || found->instruction != place ? nullptr : &*found;
}

bool is_non_semantic(const ModuleCheck& c, InstructionView view) {
  const ImportRow* import = import_of(c, view);
  return import != nullptr && is_non_semantic_set(import->name);
}

bool is_older_debug_information(const ModuleCheck& c, InstructionView view) {
  const ImportRow* import = import_of(c, view);
  return import != nullptr && is_older_debug_information(import->name);
}

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// Translates --function and --entry to roots of a part of the module.
#include "cli/inspect/part_options.h"

#include "vireo/spirv/reader.h"

namespace vireo::cli {

PartOptions part_options(const ParsedOptions& options) {
  PartOptions part;
  for (const auto& [id, name] : options.in_order()) {
    if (id == OptionId::Function) part.roots.emplace_back(spirv::RootKind::Function, name);
    if (id == OptionId::Entry) part.roots.emplace_back(spirv::RootKind::EntryPoint, name);
  }
  return part;
}

bool print_part(spirv::Words words, const PartOptions& part, const spirv::DisassembleOptions& style, bool as_json,
                TextSink& sink, Diagnostics& diagnostics) {
  // Without this check, an unreadable header would be reported as an unknown name.
  if (!spirv::read_header(words, diagnostics)) return false;
  const spirv::Module module = spirv::Module::read(words, *style.grammar);
  std::vector<spirv::InstructionIndex> roots;
  bool has_all = true;
  for (const auto& [kind, name] : part.roots) {
    const auto found = spirv::find_roots(module, name, kind, diagnostics);
    if (found) roots.insert(roots.end(), found->begin(), found->end());
    has_all = has_all && found.ok();
  }
  return has_all && spirv::disassemble_part(module, roots, style, sink, diagnostics, as_json);
}

}  // namespace vireo::cli

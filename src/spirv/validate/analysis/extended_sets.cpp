// SPDX-License-Identifier: Apache-2.0
//
// Identifies extended instructions by the name of their set (specification 3.42.4, OpExtInstImport and OpExtInst).
#include "spirv/validate/analysis/extended_sets.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string>

#include "vireo/spirv/ext_insts.h"
#include "vireo/spirv/views/extension.h"

namespace vireo::spirv {
namespace {

struct SetName {
  std::string_view name;
  KnownSet set;
};

// Names that end with a dot are followed by a version.
constexpr SetName set_names[] = {
    {import_name(GLSL_std_450{}), KnownSet::Glsl},
    {import_name(OpenCL_std{}), KnownSet::OpenCl},
    {import_name(NonSemantic_DebugBreak{}), KnownSet::Break},
    {import_name(NonSemantic_DebugPrintf{}), KnownSet::Printf},
    {import_name(DebugInfo{}), KnownSet::PlainDebug},
    {import_name(OpenCL_DebugInfo_100{}), KnownSet::OpenClDebug},
    {import_name(NonSemantic_Shader_DebugInfo{}), KnownSet::ShaderDebug},
    {import_name(NonSemantic_Graph_DebugInfo{}), KnownSet::GraphDebug},
    {import_name(NonSemantic_ClspvReflection{}), KnownSet::Reflection},
};

}  // namespace

std::optional<std::uint32_t> version_number(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || text.front() == '0') {
    return text == "0" ? std::optional<std::uint32_t>(0) : std::nullopt;
  }
  return number;
}

NamedSet named_set(std::string_view import_name) {
  for (const SetName& row : set_names) {
    if (!row.name.ends_with('.')) {
      if (import_name == row.name) return {row.set, 0};
    } else if (import_name.starts_with(row.name)) {
      return {row.set, version_number(import_name.substr(row.name.size())).value_or(0)};
    }
  }
  return {};
}

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
  return import != nullptr && import->name.starts_with("NonSemantic.");
}

bool is_older_debug_information(const ModuleCheck& c, InstructionView view) {
  const ImportRow* import = import_of(c, view);
  return import != nullptr && (import->name == "OpenCL.DebugInfo.100" || import->name == "DebugInfo");
}

}  // namespace vireo::spirv

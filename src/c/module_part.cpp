// SPDX-License-Identifier: Apache-2.0
//
// The C interface of parts of modules (vireo/vireo_inspect.h).
#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "c/handles.h"
#include "c/style_flags.h"
#include "vireo/spirv/inspect/module_part.h"
#include "vireo/vireo_inspect.h"

using namespace vireo;
using namespace vireo::c;
using spirv::InstructionIndex;
using spirv::RootKind;

static_assert(VIREO_ROOT_FUNCTION == static_cast<int>(RootKind::Function) &&
              VIREO_ROOT_ENTRY_POINT == static_cast<int>(RootKind::EntryPoint));

namespace {

// Whether the roots are instructions of the module.
bool are_roots(const vireo_module* module, const std::uint32_t* roots, std::size_t count) {
  if (module == nullptr || !is_span(roots, count)) return false;
  const std::uint32_t end = module->module.instruction_count();
  return std::ranges::all_of(std::span(roots, count), [end](std::uint32_t root) { return root < end; });
}

std::vector<InstructionIndex> indexes_of(const std::uint32_t* roots, std::size_t count) {
  std::vector<InstructionIndex> indexes;
  indexes.reserve(count);
  for (const std::uint32_t root : std::span(roots, count)) indexes.emplace_back(root);
  return indexes;
}

}  // namespace

vireo_status vireo_module_find_roots(const vireo_module* module, vireo_string name, std::uint32_t kind,
                                     std::uint32_t* roots, std::size_t capacity, std::size_t* count,
                                     vireo_diagnostics* diagnostics) {
  if (count == nullptr) return VIREO_BAD_ARGUMENT;
  *count = 0;
  if (module == nullptr || !is_span(name.data, name.size) || kind > VIREO_ROOT_ENTRY_POINT) return VIREO_BAD_ARGUMENT;
  if (!is_span(roots, capacity)) return VIREO_BAD_ARGUMENT;
  return guarded([&] {
    Diagnostics found;
    const auto indexes = spirv::find_roots(module->module, from_c(name), static_cast<RootKind>(kind), found);
    add(diagnostics, found);
    if (!indexes) return VIREO_REPORTED;
    *count = indexes->size();
    for (std::size_t i = 0; i < std::min(capacity, indexes->size()); ++i) roots[i] = (*indexes)[i].raw;
    return VIREO_OK;
  });
}

vireo_status vireo_module_part(const vireo_module* module, const std::uint32_t* roots, std::size_t root_count,
                               vireo_words** out) {
  return create(out, are_roots(module, roots, root_count), [&] {
    const std::vector<bool> reached = spirv::reachable_instructions(module->module, indexes_of(roots, root_count));
    *out = new vireo_words{spirv::part_of(module->module, reached).words};
    return VIREO_OK;
  });
}

vireo_status vireo_module_disassemble_part(const vireo_module* module, const std::uint32_t* roots,
                                           std::size_t root_count, std::uint32_t flags, vireo_write write, void* user,
                                           vireo_diagnostics* diagnostics) {
  const std::optional<spirv::DisassembleOptions> style = style_of_flags(flags);
  if (!are_roots(module, roots, root_count) || write == nullptr || !style) return VIREO_BAD_ARGUMENT;
  return write_to(write, user, diagnostics, [&](TextSink& sink, Diagnostics& found) {
    spirv::disassemble_part(module->module, indexes_of(roots, root_count), *style, sink, found,
                            (flags & VIREO_JSON) != 0);
  });
}

// SPDX-License-Identifier: Apache-2.0
//
// vireo.h: queries of an indexed module.
//
// The one idea: each row type of Module has a struct with the same content. A query checks the index and copies the
// row. Entry points are computed when the module is read, other facts (facts.cpp) on first use.
#include <iterator>

#include "c/instruction.h"

namespace vireo::c {
namespace {

using spirv::InstructionIndex;
using spirv::LayoutViolation;
using spirv::Section;

// The numbers of this interface must match those of the C++ enumerators. The first, the last and some others are
// compared, because an inserted enumerator shifts all later ones. The number of sections is checked too: a new one
// would have no name in C.
static_assert(VIREO_NONE == InstructionIndex::none().raw);
static_assert(VIREO_SECTION_CAPABILITIES == static_cast<int>(Section::Capabilities) &&
              VIREO_SECTION_ENTRY_POINTS == static_cast<int>(Section::EntryPoints) &&
              VIREO_SECTION_MODULE_PROCESSED == static_cast<int>(Section::ModuleProcessed) &&
              VIREO_SECTION_GLOBALS == static_cast<int>(Section::Globals) &&
              VIREO_SECTION_GRAPHS == static_cast<int>(Section::Graphs) &&
              VIREO_SECTION_GRAPHS + 1 == static_cast<int>(spirv::section_count));
static_assert(VIREO_LAYOUT_VIOLATION_ZERO_WORD_COUNT == static_cast<int>(LayoutViolation::Kind::ZeroWordCount) &&
              VIREO_LAYOUT_VIOLATION_DEFINED_TWICE == static_cast<int>(LayoutViolation::Kind::DefinedTwice) &&
              VIREO_LAYOUT_VIOLATION_PARAMETER_OUTSIDE == static_cast<int>(LayoutViolation::Kind::ParameterOutside) &&
              VIREO_LAYOUT_VIOLATION_OUTSIDE_OF_BLOCKS == static_cast<int>(LayoutViolation::Kind::OutsideOfBlocks));

/// Indexes have 32 bits, so the number of rows fits.
std::uint32_t count(std::size_t rows) { return static_cast<std::uint32_t>(rows); }

/// Common code of all queries for a row. `say` converts a row to its struct. Reading the module has created all rows,
/// so nothing is allocated and no guard is needed.
template <typename Rows, typename Out, typename Say>
vireo_status ask(const Rows& rows, std::uint32_t index, Out* out, Say say) {
  if (out == nullptr || index >= rows.size()) return VIREO_BAD_ARGUMENT;
  *out = say(rows[index]);
  return VIREO_OK;
}

}  // namespace
}  // namespace vireo::c

using namespace vireo;
using namespace vireo::c;

// Any words can be read, and each layout violation becomes a row. So there are no diagnostics.
vireo_status vireo_module_read(const std::uint32_t* words, std::size_t count, const vireo_grammar* grammar,
                               vireo_module** out) {
  if (out == nullptr) return VIREO_BAD_ARGUMENT;
  *out = nullptr;
  if (!is_span(words, count)) return VIREO_BAD_ARGUMENT;
  return guarded([&] {
    auto made = std::make_unique<vireo_module>(spirv::Module::read({words, count}, grammar_of(grammar)));
    (void)made->facts.preamble();  // computed now, because the counts and queries below cannot report an error
    *out = made.release();
    return VIREO_OK;
  });
}

void vireo_module_destroy(vireo_module* module) { delete module; }

// Without a module all counts are 0, so a comparison of an index with a count also checks for NULL.
std::uint32_t vireo_module_instruction_count(const vireo_module* module) {
  return module == nullptr ? 0 : module->module.instruction_count();
}
std::uint32_t vireo_module_function_count(const vireo_module* module) {
  return module == nullptr ? 0 : count(module->module.functions().size());
}
std::uint32_t vireo_module_block_count(const vireo_module* module) {
  return module == nullptr ? 0 : count(module->module.blocks().size());
}
std::uint32_t vireo_module_entry_point_count(const vireo_module* module) {
  return module == nullptr ? 0 : count(module->facts.preamble().entry_points().size());
}
std::uint32_t vireo_module_layout_violation_count(const vireo_module* module) {
  return module == nullptr ? 0 : count(module->module.layout_violations().size());
}
// Computed from the definitions: the bound in a broken header may be any number.
std::uint32_t vireo_module_bound(const vireo_module* module) {
  return module == nullptr ? 0 : module->module.defined_bound();
}

vireo_status vireo_module_header(const vireo_module* module, vireo_header* out) {
  if (module == nullptr || out == nullptr) return VIREO_BAD_ARGUMENT;
  *out = to_c(module->module.header());
  return VIREO_OK;
}

vireo_status vireo_module_instruction(const vireo_module* module, std::uint32_t index, vireo_instruction* out) {
  if (out == nullptr || index >= vireo_module_instruction_count(module)) return VIREO_BAD_ARGUMENT;
  // Built from the words at each call: the index stores only where an instruction begins. A null row is an opcode
  // unknown to the grammar.
  const spirv::InstructionView view = module->module.instruction(spirv::InstructionIndex(index));
  const spirv::Grammar& grammar = module->module.grammar();
  *out = bare_instruction(view, index, grammar.find_opcode(view.opcode), grammar);
  return VIREO_OK;
}

// An id out of range has no definition, like an unused one.
std::uint32_t vireo_module_definition(const vireo_module* module, std::uint32_t id) {
  return module == nullptr ? VIREO_NONE : module->module.definition(id).raw;
}

vireo_status vireo_module_section(const vireo_module* module, vireo_section section, std::uint32_t* first,
                                  std::uint32_t* end) {
  // C may pass any number as an enumerator, so its range is checked.
  const auto number = static_cast<std::uint32_t>(section);
  if (module == nullptr || first == nullptr || end == nullptr || number >= spirv::section_count)
    return VIREO_BAD_ARGUMENT;
  const spirv::InstructionRange range = module->module.section(static_cast<spirv::Section>(number));
  *first = range.first;
  *end = range.end;
  return VIREO_OK;
}

vireo_status vireo_module_function(const vireo_module* module, std::uint32_t index, vireo_function* out) {
  if (module == nullptr) return VIREO_BAD_ARGUMENT;
  return ask(module->module.functions(), index, out, [](const spirv::FunctionRow& row) {
    return vireo_function{.id = row.id,
                          .first = row.all.first,
                          .end = row.all.end,
                          .first_block = row.first_block,
                          .block_count = row.block_count};
  });
}

// `merge` and `terminator` may be none, which is VIREO_NONE.
vireo_status vireo_module_block(const vireo_module* module, std::uint32_t index, vireo_block* out) {
  if (module == nullptr) return VIREO_BAD_ARGUMENT;
  return ask(module->module.blocks(), index, out, [](const spirv::BlockRow& row) {
    return vireo_block{.label = row.label,
                       .first = row.all.first,
                       .end = row.all.end,
                       .merge = row.merge.raw,
                       .terminator = row.terminator.raw,
                       .function = row.function.raw};
  });
}

// Names and interfaces are borrowed from the module's words or from its facts.
vireo_status vireo_module_entry_point(const vireo_module* module, std::uint32_t index, vireo_entry_point* out) {
  if (module == nullptr) return VIREO_BAD_ARGUMENT;
  return ask(module->facts.preamble().entry_points(), index, out, [](const spirv::EntryPointRow& row) {
    return vireo_entry_point{.execution_model = static_cast<std::uint32_t>(row.model),
                             .function_id = row.function,
                             .instruction = row.instruction.raw,
                             .interface_count = count(row.interface_.size()),
                             .interface_ids = row.interface_.data(),
                             .name = to_c(row.name)};
  });
}

vireo_status vireo_module_layout_violation(const vireo_module* module, std::uint32_t index,
                                           vireo_layout_violation* out) {
  if (module == nullptr) return VIREO_BAD_ARGUMENT;
  return ask(module->module.layout_violations(), index, out, [](const spirv::LayoutViolation& row) {
    return vireo_layout_violation{.kind = static_cast<std::uint32_t>(row.kind),
                                  .instruction = row.instruction.raw,
                                  .offset = row.offset,
                                  .id = row.id};
  });
}

// SPDX-License-Identifier: Apache-2.0
//
// vireo.h: queries of an indexed module.
//
// Each row type of Module has a C struct with the same content. A query checks the index and copies the
// row. Entry points are computed when the module is read, other facts (facts.cpp) on first use.
#include <iterator>
#include <memory>

#include "c/instruction.h"

namespace vireo::c {
namespace {

using spirv::InstructionIndex;
using spirv::LayoutViolation;
using spirv::Section;

// The values of these constants must equal those of the C++ enumerators. An inserted enumerator shifts all later ones,
// so comparing the first, the last and some others suffices. The number of sections is checked too, because a new
// section needs a name in C.
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

/// Converts a number of rows, which fits because indexes have 32 bits.
std::uint32_t count(std::size_t rows) { return static_cast<std::uint32_t>(rows); }

/// Common code of all queries for a row. `say` converts a row to its struct. All rows exist after reading the module,
/// so no memory is allocated and no guard is needed.
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

// Any words can be read, and each layout violation becomes a row. So the function has no diagnostics.
vireo_status vireo_module_read(const std::uint32_t* words, std::size_t count, const vireo_grammar* grammar,
                               vireo_module** out) {
  return create(out, is_span(words, count), [&] {
    auto made = std::make_unique<vireo_module>(spirv::Module::read({words, count}, grammar_of(grammar)));
    (void)made->facts.module_declarations();  // computed now, because the functions below cannot report VIREO_NO_MEMORY
    *out = made.release();
    return VIREO_OK;
  });
}

void vireo_module_destroy(vireo_module* module) { delete module; }

// The count of a null module is 0, so comparing an index with the count also checks for NULL.
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
  return module == nullptr ? 0 : count(module->facts.module_declarations().entry_points().size());
}
std::uint32_t vireo_module_layout_violation_count(const vireo_module* module) {
  return module == nullptr ? 0 : count(module->module.layout_violations().size());
}
// The bound is computed from the definitions, because the bound in an invalid header may be any number.
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
  // The struct is built from the words at each call, because the index contains only the position of each instruction.
  // The row is null if the opcode is unknown.
  const spirv::InstructionView view = module->module.instruction(spirv::InstructionIndex(index));
  const spirv::Grammar& grammar = module->module.grammar();
  *out = bare_instruction(view, index, grammar.find_opcode(view.opcode), grammar);
  return VIREO_OK;
}

// Returns VIREO_NONE for an id that is undefined or out of range.
std::uint32_t vireo_module_definition(const vireo_module* module, std::uint32_t id) {
  return module == nullptr ? VIREO_NONE : module->module.definition(id).raw;
}

vireo_status vireo_module_section(const vireo_module* module, vireo_section section, std::uint32_t* first,
                                  std::uint32_t* end) {
  // C callers may pass any number as an enumerator, so its range is checked.
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

// `merge` and `terminator` may be VIREO_NONE.
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

// Names and interfaces point into the module's words or its facts.
vireo_status vireo_module_entry_point(const vireo_module* module, std::uint32_t index, vireo_entry_point* out) {
  if (module == nullptr) return VIREO_BAD_ARGUMENT;
  return ask(module->facts.module_declarations().entry_points(), index, out, [](const spirv::EntryPointRow& row) {
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

// SPDX-License-Identifier: Apache-2.0
//
// vireo.h: questions to a module that was read.
//
// The one idea: each row of Module has a struct of the same content here; a question is an index that is looked at, then a
// row that is copied. Entry points are worked out along with the module, other facts (facts.cpp) when asked for.
#include <iterator>

#include "c/instruction.h"

namespace vireo::c {
namespace {

using spirv::InstructionIndex;
using spirv::Misfit;
using spirv::Section;

// Numbers of the interface that C++ must not move.
// The first and last of a run are compared and some between: a row put in moves all that stand behind it. Sections are
// counted as well, for one more would be one that C cannot name.
static_assert(VIREO_NONE == InstructionIndex::none().raw);
static_assert(VIREO_SECTION_CAPABILITIES == static_cast<int>(Section::Capabilities) &&
              VIREO_SECTION_ENTRY_POINTS == static_cast<int>(Section::EntryPoints) &&
              VIREO_SECTION_MODULE_PROCESSED == static_cast<int>(Section::ModuleProcessed) &&
              VIREO_SECTION_GLOBALS == static_cast<int>(Section::Globals) &&
              VIREO_SECTION_GRAPHS == static_cast<int>(Section::Graphs) &&
              VIREO_SECTION_GRAPHS + 1 == static_cast<int>(spirv::section_count));
static_assert(VIREO_MISFIT_ZERO_WORD_COUNT == static_cast<int>(Misfit::Kind::ZeroWordCount) &&
              VIREO_MISFIT_DEFINED_TWICE == static_cast<int>(Misfit::Kind::DefinedTwice) &&
              VIREO_MISFIT_PARAMETER_OUTSIDE == static_cast<int>(Misfit::Kind::ParameterOutside) &&
              VIREO_MISFIT_OUTSIDE_OF_BLOCKS == static_cast<int>(Misfit::Kind::OutsideOfBlocks));

/// Indexes of the library have 32 bits, so the number of rows fits.
std::uint32_t count(std::size_t rows) { return static_cast<std::uint32_t>(rows); }

/// The pattern of all questions for a row.
/// `say` makes the struct of a row. Rows were made when the module was read, so nothing allocates and nothing is
/// guarded.
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

// What the words say is no reason to fail: whatever does not fit becomes a misfit. So there are no diagnostics here.
vireo_status vireo_module_read(const std::uint32_t* words, std::size_t count, const vireo_grammar* grammar,
                               vireo_module** out) {
  if (out == nullptr) return VIREO_BAD_ARGUMENT;
  *out = nullptr;
  if (!is_span(words, count)) return VIREO_BAD_ARGUMENT;
  return guarded([&] {
    auto made = std::make_unique<vireo_module>(spirv::Module::read({words, count}, grammar_of(grammar)));
    (void)made->facts.preamble();  // asked for by functions that cannot fail
    *out = made.release();
    return VIREO_OK;
  });
}

void vireo_module_destroy(vireo_module* module) { delete module; }

// Without a module all counts are 0. Whoever compares an index with one of them needs no other look for NULL.
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
std::uint32_t vireo_module_misfit_count(const vireo_module* module) {
  return module == nullptr ? 0 : count(module->module.misfits().size());
}
// Of what is defined, not what the header says: a broken header may say anything.
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
  // Made anew from the words at each call: the index has no more than where an instruction begins. A row that is null
  // is an opcode which the grammar lacks.
  const spirv::InstructionView view = module->module.instruction(spirv::InstructionIndex(index));
  const spirv::Grammar& grammar = module->module.grammar();
  *out = bare_instruction(view, index, grammar.find_opcode(view.opcode), grammar);
  return VIREO_OK;
}

// An id that is out of range is defined by nothing, as is one that is merely unused.
std::uint32_t vireo_module_definition(const vireo_module* module, std::uint32_t id) {
  return module == nullptr ? VIREO_NONE : module->module.definition(id).raw;
}

vireo_status vireo_module_section(const vireo_module* module, vireo_section section, std::uint32_t* first,
                                  std::uint32_t* end) {
  // C may pass any number as an enumerator, so it is looked at as one.
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

// `merge` and `terminator` may be none, which is passed on as VIREO_NONE.
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

// Names and interfaces are borrowed from the words of the module, or from its facts.
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

vireo_status vireo_module_misfit(const vireo_module* module, std::uint32_t index, vireo_misfit* out) {
  if (module == nullptr) return VIREO_BAD_ARGUMENT;
  return ask(module->module.misfits(), index, out, [](const spirv::Misfit& row) {
    return vireo_misfit{.kind = static_cast<std::uint32_t>(row.kind),
                        .instruction = row.instruction.raw,
                        .offset = row.offset,
                        .id = row.id};
  });
}

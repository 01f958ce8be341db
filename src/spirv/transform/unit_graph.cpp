// SPDX-License-Identifier: Apache-2.0
//
// Divides a module into units and collects their references (unit_graph.h).
#include "spirv/transform/unit_graph.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "spirv/build/id_words.h"
#include "spirv/module/declaration_order.h"
#include "spirv/module/opcode_traits.h"
#include "vireo/spirv/module/facts.h"
#include "vireo/support/id_map.h"

namespace vireo::spirv {
namespace {

using enum Op;

// The sections before the globals, and how their instructions become units.
enum class UnitOrder : std::uint8_t { Sorted, Imports, Fixed };
struct UnitSection {
  Section section;
  UnitOrder order;
};
constexpr UnitSection unit_sections[] = {
    {Section::Capabilities, UnitOrder::Sorted},   {Section::Extensions, UnitOrder::Sorted},
    {Section::Imports, UnitOrder::Imports},       {Section::MemoryModel, UnitOrder::Fixed},
    {Section::EntryPoints, UnitOrder::Fixed},     {Section::ExecutionModes, UnitOrder::Sorted},
    {Section::Sources, UnitOrder::Fixed},         {Section::Names, UnitOrder::Sorted},
    {Section::ModuleProcessed, UnitOrder::Fixed}, {Section::Annotations, UnitOrder::Sorted},
};

}  // namespace

Result<UnitGraph> UnitGraph::read(Words words, Diagnostics& diagnostics, const Grammar& grammar) {
  WordBuffer copy(words.begin(), words.end());
  std::vector<bool> is_id(words.size());
  DenseIds numbers(words);
  const std::optional<Reported> reported = for_each_id(words, diagnostics, grammar, [&](std::size_t offset, Word id) {
    copy[offset] = numbers.of(id);
    is_id[offset] = true;
  });
  if (reported) return *reported;
  copy[3] = numbers.count() + 1;
  UnitGraph graph(std::move(copy), grammar);
  graph.is_id_ = std::move(is_id);
  graph.id_count_ = numbers.count();
  const Module& module = graph.module_;
  const auto is_line_at = [&](std::uint32_t i) { return is_line(module.instruction(InstructionIndex(i)).opcode); };
  graph.globals_begin_ = module.section(Section::Globals).first;
  while (graph.globals_begin_ > 0 && is_line_at(graph.globals_begin_ - 1)) --graph.globals_begin_;
  graph.is_ordered_ = module.layout_violations().empty();
  for (std::uint32_t i = 0; i < graph.globals_begin_; ++i) {
    if (is_line_at(i)) graph.is_ordered_ = false;
  }
  if (!graph.is_ordered_) return graph;

  for (const UnitSection& row : unit_sections) graph.read_section(row.section);
  graph.read_globals();
  graph.read_functions();
  if (const InstructionRange graphs = graph.section(Section::Graphs); !graphs.is_empty()) {
    graph.fixed_.push_back(graph.add(graphs));
  }
  graph.read_references();
  return graph;
}

UnitIndex UnitGraph::add(InstructionRange instructions, InstructionIndex line, InstructionIndex line_after) {
  units_.push_back({instructions, line, line_after});
  return static_cast<UnitIndex>(units_.size() - 1);
}

bool UnitGraph::follow_line(InstructionIndex index, InstructionIndex& line) const {
  const Op opcode = module_.instruction(index).opcode;
  if (!is_line(opcode)) return false;
  line = opcode == OpLine ? index : InstructionIndex::none();
  return true;
}

void UnitGraph::read_section(Section section) {
  const auto row = std::ranges::find(unit_sections, section, &UnitSection::section);
  for (const auto [index, view] : module_.instructions(this->section(section))) {
    const InstructionRange alone{index.raw, index.raw + 1};
    if (row->order != UnitOrder::Sorted) {
      (row->order == UnitOrder::Imports ? imports_ : fixed_).push_back(add(alone));
      continue;
    }
    std::size_t ids = 0;
    for_each_word(index, [&](Word, bool is_id) { ids += is_id ? 1 : 0; });
    // An instruction with further ids is a unit with references: OpDecorateId, OpGroupDecorate.
    if (ids == 1 && module_.result_of(view) == 0) attributes_.push_back(index);
    else if (ids != 0) add(alone);
    if (section == Section::Annotations && ids > 1 && has_operands_first(view.opcode)) {
      id_decorations_.push_back(static_cast<UnitIndex>(units_.size() - 1));
    }
  }
}

void UnitGraph::read_globals() {
  for (const auto [index, view] : module_.instructions(section(Section::Globals))) {
    if (follow_line(index, line_)) continue;
    // The rest of the operands of the instruction before it.
    if (is_continuation(view.opcode) && !globals_.empty() && units_.back().instructions.end == index.raw) {
      units_.back().instructions.end = index.raw + std::uint32_t{1};
      continue;
    }
    (is_extended(view.opcode) ? extended_ : globals_).push_back(add({index.raw, index.raw + 1}, line_, line_));
  }
}

// A line remains in effect until the end of a block, so it can pass through declarations of functions.
void UnitGraph::read_functions() {
  const InstructionRange section = this->section(Section::Functions);
  const InstructionIndex before = line_;
  std::uint32_t at = section.first;
  const auto skip_lines = [&](std::uint32_t end) {
    while (at < end && follow_line(InstructionIndex(at), line_)) ++at;
  };
  for (const FunctionRow& row : module_.functions()) {
    skip_lines(row.all.first);
    if (at < row.all.first) {  // non-semantic instructions between functions
      functions_.assign(1, add({section.first, section.end}, before));
      return;
    }
    const InstructionIndex line = line_;
    at = row.all.first;
    if (!row.is_declaration()) {
      at = module_.blocks(row).back().all.end;
      line_ = InstructionIndex::none();
    }
    for (; at < row.all.end; ++at) follow_line(InstructionIndex(at), line_);
    functions_.push_back(add(row.all, line, line_));
  }
  skip_lines(section.end);
  if (at < section.end) after_functions_ = add({at, section.end}, line_);
}

void UnitGraph::read_references() {
  std::vector<UnitIndex> unit_at(module_.instruction_count(), no_unit);
  for (UnitIndex u = 0; u < units_.size(); ++u) {
    const InstructionRange range = units_[u].instructions;
    std::fill(unit_at.begin() + range.first, unit_at.begin() + range.end, u);
  }
  unit_of_id_.resize(id_count_ + std::size_t{1}, no_unit);
  for (Word id = 1; id <= id_count_; ++id) {
    const InstructionIndex definition = module_.definition(id);
    const UnitIndex unit = definition.is_none() ? no_unit : unit_at[definition.raw];
    unit_of_id_[id] = unit == no_unit ? add({}) : unit;
  }
  std::vector<UnitIndex> last_user(units_.size(), no_unit);
  references_.reserve(units_.size());
  for (UnitIndex u = 0; u < units_.size(); ++u) {
    references_.next_unit();
    const auto add_ids = [&](Word word, bool is_id) {
      if (!is_id) return;
      const UnitIndex to = unit_of_id_[word];
      if (to == u || last_user[to] == u) return;
      last_user[to] = u;
      references_.add(to);
    };
    const Unit& unit = units_[u];
    const InstructionRange range = unit.instructions;
    for (std::uint32_t i = range.first; i < range.end; ++i) for_each_word(InstructionIndex(i), add_ids);
    if (unit.line) for_each_word(unit.line, add_ids);
  }
  read_size_order();
  for (const UnitIndex u : id_decorations_) {
    const std::span<const UnitIndex> ids = references(u);
    for (const UnitIndex operand : ids.subspan(1)) decoration_operands_.push_back({ids.front(), operand});
  }
}

void UnitGraph::read_size_order() {
  for (const InstructionIndex type : types_after_workgroup_size(module_)) {
    sized_types_.push_back(unit_of_id_[module_.result_of(module_.instruction(type))]);
  }
  if (sized_types_.empty()) return;
  const Facts facts(module_);
  const InstructionRange globals = section(Section::Globals);
  for (const WorkgroupSizeConstant& constant :
       workgroup_size_constants(module_, facts.module_declarations(), facts.decorations())) {
    if (globals.contains(module_.definition(constant.id))) workgroup_sizes_.push_back(unit_of_id_[constant.id]);
  }
  std::ranges::sort(workgroup_sizes_);
  workgroup_sizes_.erase(std::unique(workgroup_sizes_.begin(), workgroup_sizes_.end()), workgroup_sizes_.end());
}

}  // namespace vireo::spirv

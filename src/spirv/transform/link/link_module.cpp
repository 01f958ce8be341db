// SPDX-License-Identifier: Apache-2.0
//
// Decodes a module to link and reads its symbols.
//
// Source: specification 2.3 (physical layout), 2.13 (linkage).
#include "spirv/transform/link/link_module.h"

#include <algorithm>
#include <utility>

#include "spirv/binary/decode_all.h"
#include "spirv/build/layout_violation_text.h"
#include "spirv/module/opcode_traits.h"
#include "spirv/rules.h"
#include "vireo/spirv/binary/reader.h"

namespace vireo::spirv {

LinkModule::LinkModule(const LinkInput& input, std::uint32_t the_number, const Grammar& grammar)
    : number(the_number),
      name(input.name.empty() ? "module " + std::to_string(the_number + 1) : std::string(input.name)),
      module(Module::read(input.words, grammar)),
      facts(module) {}

InstructionRange LinkModule::section(Section section) const {
  InstructionRange range = module.section(section);
  if (section == Section::Globals) range.first = globals_begin_;
  if (section < Section::Globals) range.end = std::max(range.first, std::min(range.end, globals_begin_));
  return range;
}

Location LinkModule::location_of(InstructionIndex i) const {
  Location where = module.location_of(i);
  where.input = number;
  return where;
}

Location LinkModule::location() const {
  Location where = Location::none();
  where.input = number;
  return where;
}

std::optional<Reported> LinkModule::read(Diagnostics& diagnostics) {
  Diagnostics found;
  std::optional<Reported> reported;
  const Words words = module.words();
  if (const Result<Header> header = read_header(words, found); !header) {
    reported = header.failure();
  } else {
    for (const LayoutViolation& violation : module.layout_violations()) {
      // These two do not prevent linking: the instruction is found where it is. Incomplete words are reported below.
      using enum LayoutViolation::Kind;
      const bool is_harmless = violation.kind == BeyondBound || violation.kind == OutOfSection;
      if (is_harmless || violation.kind == ZeroWordCount || violation.kind == Truncated) continue;
      reported =
          found.error(rule_of(violation), module.location_of(violation.instruction), message_of(violation, module));
    }
    id_bits_.assign(words.size() / 64 + 1, 0);
    const auto take = [&](std::uint32_t, InstructionView view, const OperandDecoder& decoder) {
      for (const Operand& operand : decoder.operands()) {
        const std::size_t at = std::size_t{view.offset} + operand.word;
        // A word 0 is not an id: it stays 0 in the result.
        if (operand.is_id() && words[at] != 0) id_bits_[at / 64] |= std::uint64_t{1} << (at % 64);
      }
    };
    if (const auto fault = decode_all(words, module.grammar(), found, take)) reported = fault;
  }
  // Copies of the decorations of a group would be missing, and types could seem equal that are not.
  if (!reported && !facts.decorations().unexpanded().empty()) {
    reported = found.error(rule::link_limit, module.location_of(facts.decorations().unexpanded().front()),
                           "decoration groups are applied to too many targets to link the module");
  }
  for (Diagnostic each : found.all()) {
    each.where.input = number;
    for (Note& note : each.notes) note.where.input = number;
    diagnostics.report(std::move(each));
  }
  if (reported) return reported;
  is_removed.assign(module.instruction_count(), false);
  classes.assign(module.section(Section::Globals).end, no_class);
  const auto is_line_at = [&](std::uint32_t i) { return is_line(module.instruction(InstructionIndex(i)).opcode); };
  globals_begin_ = module.section(Section::Globals).first;
  while (globals_begin_ > 0 && is_line_at(globals_begin_ - 1)) --globals_begin_;
  read_symbols();
  return std::nullopt;
}

void LinkModule::read_symbols() {
  const Decorations& decorations = facts.decorations();
  for (const DecorationRow& row : decorations.rows()) {
    if (row.decoration != Decoration::LinkageAttributes || row.member != no_member) continue;
    const InstructionIndex definition = module.definition(row.target);
    if (definition.is_none()) continue;
    const Op opcode = module.instruction(definition).opcode;
    const bool is_function = opcode == Op::OpFunction;
    if (!is_function && !is_variable(opcode)) continue;
    // The linkage type is the word after the name.
    const std::string_view symbol = decorations.text(row);
    const std::size_t words = symbol.size() / sizeof(Word) + 1;
    const Words operands = decorations.operands(row);
    if (words >= operands.size()) continue;
    symbols.push_back({.name = symbol,
                       .linkage = static_cast<LinkageType>(operands[words]),
                       .id = row.target,
                       .definition = definition,
                       .decoration = row.instruction,
                       .is_function = is_function,
                       .is_built_in = decorations.has(row.target, Decoration::BuiltIn)});
  }
  std::ranges::sort(symbols, {}, [](const LinkSymbol& each) { return std::pair(each.decoration.raw, each.id); });
}

void LinkModule::remove_function(Word id) {
  const FunctionIndex function = module.function_of(id);
  if (function.is_none()) return;
  const InstructionRange range = module.functions()[function.index()].all;
  std::fill(is_removed.begin() + range.first, is_removed.begin() + range.end, true);
}

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// Implements decode_report.h.
//
// Each message states the value found and the expected value. A new DecodeFault needs a new case; the
// compiler warns if one is missing.
#include "spirv/binary/decode_report.h"

#include <fmt/format.h>

#include <string>

#include "spirv/binary/literal_string.h"
#include "spirv/rules.h"
#include "support/counted.h"

namespace vireo::spirv {
namespace {

std::string opcode_name(const Grammar& grammar, Word opcode) {
  const InstructionRow* row = grammar.find_opcode(opcode);
  return row == nullptr ? fmt::format("opcode {}", opcode) : std::string(grammar.text(row->name));
}

// The bits of a mask that the grammar does not have.
Word unknown_bits(const Grammar& grammar, KindId kind, Word mask) {
  Word unknown = 0;
  for (Word rest = mask; rest != 0; rest &= rest - 1) {
    const Word bit = rest & (~rest + 1);
    if (grammar.find_value(kind, bit) == nullptr) unknown |= bit;
  }
  return unknown;
}

}  // namespace

std::optional<Reported> report_decode_fault(DecodeFault fault, const OperandDecoder& decoder, const Grammar& grammar,
                                            InstructionView instruction, std::uint64_t ordinal,
                                            Diagnostics& diagnostics, std::string_view id) {
  // If a fault is past the last word, the decoder reports the last word, so that the location is in the module.
  const std::uint64_t word = decoder.fault_word();
  const std::uint64_t at = instruction.offset + word;
  const Word found = instruction.word(word);
  const std::string op = opcode_name(grammar, static_cast<Word>(instruction.opcode));
  const KindId kind = decoder.context().fault_kind;
  const std::string its_id = id.empty() ? fmt::format("%{}", found) : std::string(id);
  const auto report = [&](std::string_view rule, std::string message) {
    // Report one word, not the whole instruction, so that a source map finds the operand.
    return diagnostics.error(rule, Location::in_words(at, at + 1, ordinal), std::move(message));
  };
  switch (fault) {
    case DecodeFault::None: return std::nullopt;
    // Already reported at the import; do not repeat the fault at each use of the set.
    case DecodeFault::SetUnknown: return std::nullopt;
    case DecodeFault::UnknownOpcode:
      return report(rule::unknown_opcode, fmt::format("unknown opcode {}", static_cast<unsigned>(instruction.opcode)));
    case DecodeFault::UnknownEnumerant:
      return report(rule::unknown_enumerant,
                    fmt::format("unknown {} {} in {}", grammar.text(grammar.kind(kind).name), found, op));
    case DecodeFault::UnknownMaskBits:
      return report(rule::unknown_enumerant,
                    fmt::format("{} 0x{:x} of {} has unknown bits 0x{:x}", grammar.text(grammar.kind(kind).name), found,
                                op, unknown_bits(grammar, kind, found)));
    case DecodeFault::UnknownExtInst:
      return report(rule::unknown_extended_instruction,
                    fmt::format("extended instruction set {} has no instruction {}",
                                grammar.text(grammar.sets[decoder.ext_inst_set().index()].name), found));
    case DecodeFault::UnknownSpecOpcode:
      return report(rule::bad_spec_opcode,
                    fmt::format("OpSpecConstantOp cannot contain {}", opcode_name(grammar, found)));
    case DecodeFault::UnknownImport:
      return report(rule::unknown_extended_set,
                    fmt::format("unknown extended instruction set '{}'", literal_string(instruction, 2)));
    case DecodeFault::SetNotImported:
      return report(rule::set_not_imported,
                    fmt::format("{} is not the result of a preceding OpExtInstImport, which {} requires", its_id, op));
    case DecodeFault::MissingOperand:
      return report(rule::missing_operand,
                    fmt::format("{} with {} lacks an operand", op, counted(instruction.word_count, "word")));
    case DecodeFault::SurplusWords:
      return report(rule::surplus_operand, fmt::format("{} has {}, but its operands end after {}", op,
                                                       counted(instruction.word_count, "word"), word));
    case DecodeFault::UnterminatedString:
      return report(rule::unterminated_string, fmt::format("string in {} has no terminating NUL", op));
    case DecodeFault::TruncatedLiteral:
      return report(rule::truncated_literal,
                    fmt::format("literal in {} is truncated; expected {} bits", op, decoder.literal_type().width));
    case DecodeFault::TypeNotScalar:
      return report(rule::literal_type_unknown,
                    fmt::format("type {} of {} is not a preceding integer or float type", its_id, op));
    case DecodeFault::UnsupportedWidth:
      return report(rule::unsupported_width, fmt::format("literal in {} has a type with a width of 0 bits", op));
    case DecodeFault::SelectorNotInteger:
      return report(rule::selector_type,
                    fmt::format("selector {} of {} is not a preceding value of integer type", its_id, op));
    case DecodeFault::ZeroId: return report(rule::zero_id, fmt::format("id 0 in {}; expected a nonzero id", op));
    case DecodeFault::IdDefinedTwice: return report(rule::duplicate_id, fmt::format("{} redefines id {}", op, its_id));
  }
  return std::nullopt;
}

std::optional<Reported> report_walk_end(WalkEnd end, Words module, std::size_t offset, std::uint64_t ordinal,
                                        Diagnostics& diagnostics) {
  const Location where = Location::in_words(offset, offset + 1, ordinal);
  if (end == WalkEnd::ZeroWordCount) {
    return diagnostics.error(rule::zero_word_count, where, "instruction with a word count of 0; expected at least 1");
  }
  if (end == WalkEnd::Truncated) {
    return diagnostics.error(rule::truncated_instruction, where,
                             fmt::format("instruction with opcode {} has {}, but the module ends after {}",
                                         static_cast<Word>(opcode_of(module[offset])),
                                         counted(word_count_of(module[offset]), "word"), module.size() - offset));
  }
  return std::nullopt;
}

}  // namespace vireo::spirv

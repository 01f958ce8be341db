// SPDX-License-Identifier: Apache-2.0
//
// Implements decode_report.h.
//
// The one idea: each message states the value found and the requirement of the specification. A new DecodeFault needs a
// new case; the compiler warns if one is missing.
#include "spirv/binary/decode_report.h"

#include <fmt/format.h>

#include <string>

#include "spirv/binary/literal_string.h"
#include "spirv/rules.h"
#include "support/counted.h"

namespace vireo::spirv {
namespace {

std::string name_of(const Grammar& grammar, InstructionView instruction) {
  const InstructionRow* row = grammar.find_opcode(instruction.opcode);
  return row == nullptr ? fmt::format("opcode {}", static_cast<unsigned>(instruction.opcode))
                        : std::string(grammar.text(row->name));
}

// The operand kind expected at the faulty word, which follows the last operand that was decoded.
std::string_view kind_after(const OperandDecoder& decoder, const Grammar& grammar, Word value, bool is_mask) {
  // The decoder stopped at an unknown enumerant: take the first enumeration of the pattern that lacks the value.
  for (const OperandRow& row : grammar.operands(decoder.row()->operands)) {
    if (is_mask ? row.shape != OperandShape::BitEnum : row.shape != OperandShape::ValueEnum) continue;
    if (is_mask) return grammar.text(grammar.kind(row.kind).name);
    if (grammar.find_value(row.kind, value) == nullptr) return grammar.text(grammar.kind(row.kind).name);
  }
  return is_mask ? "a mask" : "an enumerant";
}

}  // namespace

void report_decode_fault(DecodeFault fault, const OperandDecoder& decoder, const Grammar& grammar,
                         InstructionView instruction, std::uint64_t ordinal, Diagnostics& diagnostics,
                         std::string_view id) {
  // If a fault is past the last word, the decoder reports the last word, so that the location is in the module.
  const std::uint64_t word = decoder.fault_word();
  const std::uint64_t at = instruction.offset + word;
  const Word found = instruction.word(word);
  const std::string op = name_of(grammar, instruction);
  const std::string its_id = id.empty() ? fmt::format("%{}", found) : std::string(id);
  const auto report = [&](std::string_view rule, std::string message) {
    // Report one word, not the whole instruction, so that a source map finds the operand.
    diagnostics.error(rule, Location::in_words(at, at + 1, ordinal), std::move(message));
  };
  switch (fault) {
    case DecodeFault::None: return;
    // Already reported at the import; do not repeat the fault at each use of the set.
    case DecodeFault::SetUnknown: return;
    case DecodeFault::UnknownOpcode:
      return report(rule::unknown_opcode, fmt::format("unknown opcode {}", static_cast<unsigned>(instruction.opcode)));
    case DecodeFault::UnknownEnumerant:
      return report(rule::unknown_enumerant,
                    fmt::format("{} of {} has no enumerant {}", kind_after(decoder, grammar, found, false), op, found));
    case DecodeFault::UnknownMaskBits:
      return report(rule::unknown_enumerant, fmt::format("{} of {} holds bits without a meaning: 0x{:x}",
                                                         kind_after(decoder, grammar, found, true), op, found));
    case DecodeFault::UnknownExtInst:
      return report(rule::unknown_extended_instruction,
                    fmt::format("{} has no instruction {}",
                                grammar.text(grammar.sets[decoder.ext_inst_set().index()].name), found));
    case DecodeFault::UnknownSpecOpcode:
      return report(rule::bad_spec_opcode, fmt::format("opcode {} is not permitted in OpSpecConstantOp", found));
    case DecodeFault::UnknownImport:
      return report(rule::unknown_extended_set,
                    fmt::format("unknown extended instruction set '{}'", literal_string(instruction, 2)));
    case DecodeFault::SetNotImported:
      return report(rule::set_not_imported, fmt::format("set {} of {} was not imported above", its_id, op));
    case DecodeFault::MissingOperand:
      return report(rule::missing_operand,
                    fmt::format("{} ends after {} of its words, expected another operand", op, instruction.word_count));
    case DecodeFault::SurplusWords:
      return report(rule::surplus_operand, fmt::format("{} has {}, expected it to end after {}", op,
                                                       counted(instruction.word_count, "word"), word));
    case DecodeFault::UnterminatedString:
      return report(rule::unterminated_string, fmt::format("string of {} has no terminating NUL", op));
    case DecodeFault::TruncatedLiteral:
      return report(rule::truncated_literal,
                    fmt::format("literal of {} ends early, expected {} bits", op, decoder.literal_type().width));
    case DecodeFault::TypeNotScalar:
      return report(rule::literal_type_unknown,
                    fmt::format("type {} of {} is not an integer or float type declared above", its_id, op));
    case DecodeFault::UnsupportedWidth:
      return report(rule::unsupported_width, fmt::format("literal of {} is of a type of no bits", op));
    case DecodeFault::SelectorNotInteger:
      return report(rule::selector_type,
                    fmt::format("selector {} of {} is not the result of an integer instruction above", its_id, op));
    case DecodeFault::ZeroId: return report(rule::zero_id, fmt::format("id 0 in {}, expected an id above 0", op));
    case DecodeFault::IdDefinedTwice:
      return report(rule::duplicate_id, fmt::format("id {} is defined again by {}", its_id, op));
  }
}

std::optional<Reported> report_walk_end(WalkEnd end, Words module, std::size_t offset, std::uint64_t ordinal,
                                        Diagnostics& diagnostics) {
  const Location where = Location::in_words(offset, offset + 1, ordinal);
  if (end == WalkEnd::ZeroWordCount) {
    return diagnostics.error(rule::zero_word_count, where,
                             "instruction states a length of 0 words, expected at least 1");
  }
  if (end == WalkEnd::Truncated) {
    return diagnostics.error(
        rule::truncated_instruction, where,
        fmt::format("instruction with opcode {} states {}, but the module ends after {}", module[offset] & 0xFFFF,
                    counted(module[offset] >> 16, "word"), module.size() - offset));
  }
  return std::nullopt;
}

}  // namespace vireo::spirv

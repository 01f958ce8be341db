// SPDX-License-Identifier: Apache-2.0
//
// Formats the faults of a word. Users compare these texts with Mesa's, so the wording is Mesa's.
#include "isa/decode/walk.h"

namespace vireo::isa {
namespace {

// Bit numbers are short enough for the small-string optimization.
void append_number(std::string& text, std::uint64_t number) { text += std::to_string(number); }

}  // namespace

void append_message(std::string& text, const WalkFault& fault, const BitWord* words, std::uint32_t bits) {
  // The bits of the fault. The array is on the stack, because every word may have a fault.
  BitWord value[words_for(max_bitset_size)];
  const std::size_t count = words_for(fault.width);
  for (std::uint32_t at = 0; at < fault.width; at += bits_per_word) {
    value[at / bits_per_word] = slice_of(words, fault.low + at, std::min(fault.width - at, bits_per_word));
  }
  // The value always has as many digits as a whole instruction.
  const auto append_value = [&] { append_hex(text, {value, count}, bits); };
  switch (fault.kind) {
    case DecodeFault::Kind::NoMatch:
      text.append("no match: FIELD: '").append(fault.first).append(".").append(fault.second).append("': ");
      append_value();
      break;
    case DecodeFault::Kind::Conflict:
      text.append("bitset conflict: ").append(fault.first).append(" vs ").append(fault.second);
      break;
    case DecodeFault::Kind::DontCareBits:
      for (std::size_t i = 0; i < count; ++i) value[i] &= fault.mask->data()[i];
      text.append("dontcare bits in ").append(fault.first).append(": ");
      append_value();
      break;
    case DecodeFault::Kind::UnexpectedBits:
      text.append("WARNING: unexpected bits[");
      append_number(text, fault.low - fault.scope_low);
      text.push_back(':');
      append_number(text, fault.low - fault.scope_low + fault.width - 1);
      text.append("] in ").append(fault.first).append(": ");
      append_value();
      text.append(" vs ");
      std::fill_n(value, count, BitWord{0});
      for (std::uint32_t i = 0; i < fault.width; ++i) {
        const bool is_one = fault.expected->text[fault.width - 1 - i] == '1';
        value[i / bits_per_word] |= BitWord{is_one} << i % bits_per_word;
      }
      append_value();
      break;
    case DecodeFault::Kind::NoField: text.append("no field '").append(fault.first).append("'"); break;
    case DecodeFault::Kind::NoDisplay: text.append(fault.first).append(": no display template"); break;
    case DecodeFault::Kind::TooLong: text.append("display too long at '").append(fault.first).append("'"); break;
  }
}

}  // namespace vireo::isa

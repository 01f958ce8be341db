// SPDX-License-Identifier: Apache-2.0
//
// Constants of every format, disassembled and assembled again: all values of formats up to 16 bits, random values of
// wider floats with a fixed seed, and the limits of each integer width.
#include <gtest/gtest.h>

#include <random>

#include "spirv/grammar/special_cases.h"
#include "system/round_trip.h"
#include "vireo/spirv/binary/writer.h"
#include "vireo/spirv/grammar/enums.h"

namespace vireo::system_test {
namespace {

/// A module with one type and its constants: id 1 is the type, the constants start at id 2.
class Constants {
 public:
  explicit Constants(std::initializer_list<Word> type) : out_(words_) {
    spirv::write_header({.version_word = 0x00010600, .generator = 7u << 16, .bound = 0, .schema = 0}, words_);
    const Word* word = type.begin();
    out_.begin(static_cast<spirv::Op>(*word));
    out_.word(1);
    while (++word != type.end()) out_.word(*word);
    EXPECT_TRUE(out_.end());
  }

  void add(std::uint64_t bits, unsigned width) {
    out_.begin(spirv::Op::OpConstant);
    out_.word(1);
    out_.word(++last_id_);
    out_.word(static_cast<Word>(bits));
    if (width > 32) out_.word(static_cast<Word>(bits >> 32));
    EXPECT_TRUE(out_.end());
  }

  Words finish() {
    words_[3] = last_id_ + 1;
    return words_;
  }

 private:
  WordBuffer words_;
  spirv::InstructionWriter out_;
  Word last_id_ = 1;
};

constexpr Word type_int = static_cast<Word>(spirv::Op::OpTypeInt);
constexpr Word type_float = static_cast<Word>(spirv::Op::OpTypeFloat);

struct NarrowFormat {
  unsigned width;
  std::optional<spirv::FPEncoding> encoding;
};
constexpr NarrowFormat narrow_formats[] = {
    {16, std::nullopt},
    {16, spirv::FPEncoding::BFloat16KHR},
    {8, spirv::FPEncoding::Float8E4M3EXT},
    {8, spirv::FPEncoding::Float8E5M2EXT},
    {8, spirv::FPEncoding::Float8UnsignedE8M0EXT},
    {8, spirv::FPEncoding::MXInt8EXT},
    {6, spirv::FPEncoding::Float6E2M3EXT},
    {6, spirv::FPEncoding::Float6E3M2EXT},
    {4, spirv::FPEncoding::Float4E2M1EXT},
};

TEST(NumbersThroughText, every_code_of_every_narrow_float_format_round_trips) {
  for (const NarrowFormat& format : narrow_formats) {
    Constants constants = format.encoding ? Constants({type_float, format.width, static_cast<Word>(*format.encoding)})
                                          : Constants({type_float, format.width});
    for (std::uint32_t code = 0; code < 1u << format.width; ++code) constants.add(code, format.width);
    EXPECT_EQ(round_trip_fault(constants.finish()), "")
        << format.width << " bits, encoding " << (format.encoding ? static_cast<int>(*format.encoding) : -1);
  }
}

TEST(NumbersThroughText, the_table_of_formats_has_every_encoding_of_the_grammar) {
  const spirv::Grammar& grammar = spirv::builtin_grammar();
  for (const auto& row : grammar.enumerants_of(grammar.kind(grammar.find_kind("FPEncoding")))) {
    const bool is_there = std::any_of(std::begin(narrow_formats), std::end(narrow_formats), [&](const NarrowFormat& f) {
      return f.encoding && static_cast<Word>(*f.encoding) == row.value;
    });
    EXPECT_TRUE(is_there) << grammar.text(row.name);
  }
}

TEST(NumbersThroughText, random_wide_floats_round_trip) {
  std::mt19937_64 random(20260731);
  for (const unsigned width : {32u, 64u}) {
    const std::uint64_t mantissa = width == 32 ? 0x007FFFFF : 0x000FFFFFFFFFFFFF;
    const std::uint64_t exponent = width == 32 ? 0x7F800000 : 0x7FF0000000000000;
    const std::uint64_t sign = std::uint64_t{1} << (width - 1);
    const std::uint64_t all = sign | exponent | mantissa;
    Constants constants({type_float, width});
    for (const std::uint64_t bits :
         {std::uint64_t{0}, sign, exponent, exponent | sign, mantissa, exponent | 1, all, std::uint64_t{1}}) {
      constants.add(bits, width);
    }
    for (int i = 0; i < 50'000; ++i) {
      const std::uint64_t bits = random() & all;
      constants.add(bits, width);
      if (i % 8 == 0) constants.add(bits & ~exponent, width);  // subnormal
      if (i % 8 == 1) constants.add(bits | exponent, width);   // NaN with a payload
    }
    EXPECT_EQ(round_trip_fault(constants.finish()), "") << width << " bits";
  }
}

TEST(NumbersThroughText, limits_of_integers_of_every_width_round_trip) {
  for (unsigned width = 1; width <= 64; ++width) {
    const std::uint64_t ones = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
    const std::uint64_t top = std::uint64_t{1} << (width - 1);
    for (const bool is_signed : {false, true}) {
      Constants constants({type_int, width, is_signed ? 1u : 0u});
      for (std::uint64_t bits :
           {std::uint64_t{0}, std::uint64_t{1}, ones, ones - 1, top, top - 1, top + 1, ones / 3, ones / 5}) {
        bits &= ones;
        if (is_signed && (bits & top) != 0) bits |= ~ones;  // a narrow signed number is sign-extended to its words
        constants.add(bits, width);
      }
      EXPECT_EQ(round_trip_fault(constants.finish()), "") << width << (is_signed ? " bits, signed" : " bits, unsigned");
    }
  }
}

}  // namespace
}  // namespace vireo::system_test

// SPDX-License-Identifier: Apache-2.0
//
// isa_encode SPEC COUNT FILE: makes a program for Finch that adds COUNT products of two rows of floats, without a loop.
//
// A compiler has values, not text. It names the instruction and the values of its fields. The description
// places the bits, and each word is verified by decoding it before it is returned.
#include <charconv>
#include <cstdio>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

#include "vireo/isa/encode.h"
#include "vireo/isa/isa.h"

namespace {

using namespace vireo;
using isa::Blank;

// Appends a word in little-endian order.
void append(std::string& code, const isa::BitWord* words, std::uint32_t bits) {
  for (std::uint32_t bit = 0; bit < bits; bit += 8)
    code.push_back(static_cast<char>(words[bit / isa::bits_per_word] >> bit % isa::bits_per_word));
}

// r1 and r2 point to the two rows, r3 to the sum. Returns no bytes if an instruction cannot be encoded; see `faults`.
std::string dot_product(const isa::Encoder& encoder, unsigned count, Diagnostics& faults) {
  std::string code;
  const auto add = [&](const Result<isa::Bits>& word) {
    if (word) append(code, word->data(), word->width());
  };
  add(encoder.encode("mov.i", {{"DST.NUMBER", 6}, {"VALUE", 0}}, faults));

  // A frequent instruction is prepared once, with blanks for the values that change. BYTES is not a field of the word: a
  // display computes it from a field, so the encoder solves for that field.
  Result<isa::EncodeForm> load = encoder.prepare("ld",
                                                 {{"R.NUMBER", Blank{}},
                                                  {"BITS", "b32"},
                                                  {"SPACE", ".global"},
                                                  {"ADDRESS.BASE.NUMBER", Blank{}},
                                                  {"ADDRESS.BYTES", Blank{}}},
                                                 faults);
  if (!load) return {};
  for (unsigned i = 0; i < count; ++i) {
    for (const std::uint64_t row : {1u, 2u}) {
      const std::uint64_t values[] = {3 + row, row, 4 * i};
      isa::BitWord word[1];
      if (!load->encode(values, word)) {
        (void)load->encode(values, faults);  // again, for the reason
        return {};
      }
      append(code, word, load->size());
    }
    add(encoder.encode("wait", {{"COUNT", 0}}, faults));
    add(encoder.encode("fmac", {{"DST.NUMBER", 6}, {"A.R.NUMBER", 4}, {"B.R.NUMBER", 5}}, faults));
  }
  add(encoder.encode("st", {{"R.NUMBER", 6}, {"BITS", "b32"}, {"ADDRESS.BASE.NUMBER", 3}, {"ADDRESS.BYTES", 0}},
                     faults));
  add(encoder.encode("exit", {}, faults));
  return faults.has_errors() ? std::string() : code;
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count != 4) return 2;
  const isa::LoadedModel loaded = isa::load_model(arguments[1]);
  const isa::Decoder decoder(loaded.model, {.gen = 2});
  if (!decoder.is_usable()) return 1;
  const std::string_view digits = arguments[2];
  unsigned count = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), count);

  Diagnostics faults;
  const std::string code = dot_product(isa::Encoder(decoder), count, faults);
  for (const Diagnostic& fault : faults.all()) std::fprintf(stderr, "%s\n", fault.message.c_str());
  if (code.empty()) return 1;
  std::ofstream(arguments[3], std::ios::binary) << code;
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: loads and checks any bytes as an XML description, then decodes any bytes as a program of it.
//
// The input is split at the first NUL: the description before it, the program after it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/isa/check.h"
#include "vireo/isa/diff.h"
#include "vireo/isa/doc.h"
#include "vireo/isa/explain.h"
#include "vireo/isa/isa.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vireo::isa;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t split = input.find('\0');
  const std::string_view program = split == std::string_view::npos
                                       ? std::string_view("\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17")
                                       : input.substr(split + 1);
  LoadOptions options;
  options.mesa_compat = size % 2 != 0;
  options.read = [](const std::string&) { return std::nullopt; };
  const LoadedModel loaded = load_model_text("fuzz.xml", std::string(input.substr(0, split)), options);
  if (loaded.ok() != loaded.model.is_sound()) std::abort();
  const CheckReport report = check(loaded, {.gen = std::nullopt, .mesa_compat = options.mesa_compat});
  if (report.error_count() < loaded.error_count()) std::abort();
  for (const Overlap& overlap : report.overlaps) {  // each reported witness must match both leaves
    for (const BitsetId id : {overlap.first, overlap.second}) {
      const Bitset& leaf = loaded.model[id];
      if (!((overlap.witness ^ leaf.match) & leaf.care).is_zero()) std::abort();
    }
  }
  const Decoder decoder(loaded.model,
                        {.gen = static_cast<std::uint32_t>(size % 8), .mesa_compat = options.mesa_compat});
  vireo::StringSink text;
  Printer(decoder, {.branch_labels = true}).print(program, text);
  if (loaded.ok()) {
    vireo::StringSink page;
    write_doc(loaded.model, {.title = "fuzz"}, page);
    if (!diff({loaded.model}, {loaded.model}).empty()) std::abort();
    diff({loaded.model, 1}, {loaded.model, 4});
  }
  Decoded decoded;
  Explainer explainer(decoder, {});
  std::vector<Explanation> explanations;
  for (std::size_t i = 0; i + 8 <= program.size() && i < 64; i += 8) {
    Bits word(64);
    for (std::size_t k = 0; k < 8; ++k)
      word.insert(static_cast<std::uint32_t>(8 * k), Bits(8, static_cast<std::uint8_t>(program[i + k])));
    decoder.decode(word, decoded);
    explanations.push_back(explainer.explain(word));
    std::string picture;
    append_text(picture, loaded.model, explanations.back(), {.color = size % 3 == 0});
  }
  std::string drawing;
  append_svg(drawing, loaded.model, explanations, {});
  return 0;
}

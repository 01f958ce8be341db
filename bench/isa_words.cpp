// SPDX-License-Identifier: Apache-2.0
//
// Reads the recorded words, and changes them (isa_words.h).
#include "isa_words.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <optional>
#include <random>

#include <fmt/format.h>

#include "support/json.h"

namespace vireo::bench {

namespace fs = std::filesystem;

namespace {

constexpr int flipped_bits = 6;

}  // namespace

void CustomFields::custom(std::string_view, std::uint64_t value, std::string& text) {
  text += fmt::format("0x{:03x}", value);
}

isa::PrintOptions options_for(const IsaRow& row, CustomFields& fields) {
  isa::PrintOptions options;
  if (row.has_custom) options.listener = &fields;
  return options;
}

namespace {

void append_word(std::string& bytes, std::string_view hex) {
  for (std::size_t end = hex.size(); end > 1; end -= 2)
    bytes.push_back(static_cast<char>(std::stoul(std::string(hex.substr(end - 2, 2)), nullptr, 16)));
}

}  // namespace

IsaProgram recorded_words(const fs::path& folder, const IsaRow& row) {
  IsaProgram program;
  std::ifstream lines(folder / "vectors" / (std::string(row.name) + ".jsonl"));
  std::string line;
  while (std::getline(lines, line)) {
    JsonFault fault;
    const std::optional<JsonDocument> document = JsonDocument::parse(line, fault);
    if (!document) continue;
    const JsonValue vector = document->root();
    const JsonValue hex = vector.find("hex");
    const std::string_view text = vector.find(row.text_key).text();
    const bool is_ours = vector.find("gen").integer().value_or(0) == row.gen && hex.is(JsonType::String);
    if (!is_ours || text.empty() || text.starts_with("raw 0x")) continue;
    append_word(program.bytes, hex.text());
    program.text.append(text).push_back('\n');
    ++program.count;
  }
  return program;
}

IsaProgram changed_words(const isa::Decoder& decoder, const IsaProgram& program, std::size_t count) {
  std::mt19937_64 random(1);
  IsaProgram result;
  isa::Decoded decoded;
  const std::size_t size = program.bytes.size() / program.count;
  for (std::size_t i = 0; i < count; ++i) {
    std::string word = program.bytes.substr(i % program.count * size, size);
    for (int flip = 0; flip < flipped_bits; ++flip) {
      const std::size_t bit = random() % (size * 8);
      word[bit / 8] = static_cast<char>(word[bit / 8] ^ (1 << bit % 8));
    }
    isa::BitWord bits[2] = {};
    std::memcpy(bits, word.data(), std::min(size, sizeof bits));
    if (!decoder.decode(bits, static_cast<std::uint32_t>(size * 8), decoded)) continue;
    result.bytes += word;
    ++result.count;
  }
  return result;
}

isa::LoadedModel load_row(const fs::path& folder, const IsaRow& row) {
  return isa::load_model((folder / "mesa" / (std::string(row.name) + ".xml")).string(),
                         {.mesa_compat = true, .read = {}});
}

std::string text_of(const isa::Decoder& decoder, const isa::PrintOptions& options, std::string_view bytes) {
  StringSink text;
  isa::Printer(decoder, options).print(bytes, text);
  return std::move(text).text();
}

}  // namespace vireo::bench

// SPDX-License-Identifier: Apache-2.0
//
// Instruction sets: words to text, one thread, interpreted from the XML.
//
// The one idea: words come in two kinds. *Recorded* ones are the test vectors of the descriptions, over and over, as the
// reference measured itself; their texts are compared with the recorded ones before the clock runs. *Changed* ones are
// the same with a few bits flipped in each, none like the other: what a printer remembers helps little there. Their proof
// is that each word by itself, printed by a printer that has seen nothing, gives the same line.
#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "measure.h"
#include "scenarios.h"
#include "support/json.h"
#include "tables.h"
#include "test/outside.h"
#include "vireo/isa/check.h"
#include "vireo/isa/isa.h"

namespace vireo::bench {
namespace {

namespace fs = std::filesystem;

struct IsaRow {
  std::string_view name;  // of the description, and of its vectors
  std::uint32_t gen;
  std::string_view text_key;
  bool has_custom;   // fields whose text is the caller's
  double reference;  // M instructions/s of Mesa's generated decoder, as its study recorded
};

// clang-format off
constexpr std::array<IsaRow, 5> rows = {{
    {"ir3", 600, "decoded", false, 0.384}, {"ir3", 700, "decoded", false, 0.347}, {"ir3", 500, "decoded", false, 0.51},
    {"afuc", 7, "text", true, 3.5},        {"etnaviv", 0, "decoded", false, 0.217},
}};
// clang-format on

constexpr std::size_t instructions_timed = 200'000;
constexpr std::size_t instructions_counted = 20'000;
constexpr std::size_t changed_words = 4'000;
constexpr int flipped_bits = 6;
constexpr int repetitions = 11;

class CountingSink final : public TextSink {
 public:
  bool write(std::string_view chunk) override {
    bytes += chunk.size();
    return true;
  }
  std::size_t bytes = 0;
};

/// The text of custom fields, as it was when the answers were recorded.
class CustomFields final : public isa::PrintListener {
 public:
  void custom(std::string_view, std::uint64_t value, std::string& text) override {
    text += fmt::format("0x{:03x}", value);
  }
};

isa::PrintOptions options_for(const IsaRow& row, CustomFields& fields) {
  isa::PrintOptions options;
  if (row.has_custom) options.listener = &fields;
  return options;
}

struct Program {
  std::string bytes;
  std::string text;  // as recorded
  std::size_t count = 0;
};

void append_word(std::string& bytes, std::string_view hex) {
  for (std::size_t end = hex.size(); end > 1; end -= 2)
    bytes.push_back(static_cast<char>(std::stoul(std::string(hex.substr(end - 2, 2)), nullptr, 16)));
}

/// The vectors of one generation that have an answer, each word once.
Program recorded(const fs::path& folder, const IsaRow& row) {
  Program program;
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

/// Words that nothing matches are left out: Mesa's manner keeps their remarks for the next line.
Program changed(const isa::Decoder& decoder, const Program& program) {
  std::mt19937_64 random(1);
  Program result;
  isa::Decoded decoded;
  const std::size_t size = program.bytes.size() / program.count;
  for (std::size_t i = 0; i < changed_words; ++i) {
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

std::string printed(const isa::Decoder& decoder, const isa::PrintOptions& options, std::string_view bytes) {
  StringSink text;
  isa::Printer(decoder, options).print(bytes, text);
  return std::move(text).text();
}

std::string word_by_word(const isa::Decoder& decoder, const isa::PrintOptions& options, const Program& program) {
  std::string text;
  const std::size_t size = program.bytes.size() / program.count;
  for (std::size_t i = 0; i < program.count; ++i)
    text += printed(decoder, options, std::string_view(program.bytes).substr(i * size, size));
  return text;
}

std::string repeated(const Program& program, std::size_t instructions) {
  std::string bytes;
  for (std::size_t i = 0; i < instructions; i += program.count) bytes += program.bytes;
  return bytes;
}

double million_per_second(const isa::Decoder& decoder, const Program& program, const isa::PrintOptions& options) {
  const std::string bytes = repeated(program, instructions_timed);
  const std::size_t size = program.bytes.size() / program.count;
  isa::Printer printer(decoder, options);
  Samples samples;
  for (int i = 0; i < repetitions; ++i) {
    CountingSink sink;
    samples.add(seconds_of([&] { printer.print(bytes, sink); }));
  }
  return static_cast<double>(bytes.size() / size) / samples.median() / 1e6;
}

isa::LoadedModel loaded(const fs::path& folder, const IsaRow& row) {
  return isa::load_model((folder / "mesa" / (std::string(row.name) + ".xml")).string(),
                         {.mesa_compat = true, .read = {}});
}

/// False after a wrong answer.
bool print_row(const fs::path& folder, const IsaRow& row) {
  const std::string name = fmt::format("{} {}", row.name, row.gen);
  const isa::LoadedModel model = loaded(folder, row);
  const isa::Decoder decoder(model.model, {.gen = row.gen, .mesa_compat = true});
  const Program words = recorded(folder, row);
  if (!model.ok() || words.count == 0) {
    print("{:<14} cannot be read\n", name);
    return false;
  }
  const Program others = changed(decoder, words);
  CustomFields fields;
  const isa::PrintOptions options = options_for(row, fields);
  isa::PrintOptions with_labels = options;
  with_labels.branch_labels = true;
  if (printed(decoder, options, words.bytes) != words.text ||
      printed(decoder, options, others.bytes) != word_by_word(decoder, options, others)) {
    print("{:<14} WRONG ANSWER: the text is not the recorded one\n", name);
    return false;
  }
  const double plain = million_per_second(decoder, words, options);
  print("{:<14} {:>8} {:>10.1f} {:>10.1f} {:>10.1f} {:>9.2f} {:>9.0f}x\n", name, words.count, plain,
        million_per_second(decoder, words, with_labels), million_per_second(decoder, others, options), row.reference,
        plain / row.reference);
  return true;
}

void print_loading(const fs::path& folder) {
  Samples samples;
  for (int i = 0; i < repetitions; ++i) {
    samples.add(seconds_of([&] {
      const isa::LoadedModel model = loaded(folder, rows.front());
      (void)isa::check(model, {.gen = {}, .mesa_compat = true});
      const isa::Decoder decoder(model.model, {.gen = rows.front().gen, .mesa_compat = true});
    }));
  }
  print("\n{}.xml: loaded, checked and compiled in {}\n", rows.front().name, time_text(samples.median()));
}

}  // namespace

int run_instruction_sets() {
  const auto shared = outside::shared_folder();
  print("\nInstruction sets: million instructions per second, ours\n\n");
  if (!shared) {
    print("{}\n", outside::no_shared);
    return 0;
  }
  print("{:<14} {:>8} {:>10} {:>10} {:>10} {:>9} {:>10}\n", "isa, gen", "words", "recorded", "labels", "changed",
        "Mesa", "ratio");
  bool is_right = true;
  for (const IsaRow& row : rows) is_right &= print_row(*shared / "isa", row);
  print_loading(*shared / "isa");
  return is_right ? 0 : 1;
}

std::vector<std::string> instruction_set_names() {
  std::vector<std::string> names;
  if (outside::shared_folder()) {
    for (const IsaRow& row : rows) names.push_back(fmt::format("{}-{}", row.name, row.gen));
  }
  return names;
}

std::size_t run_instruction_set_once(std::string_view name, std::size_t times) {
  const auto shared = outside::shared_folder();
  for (const IsaRow& row : rows) {
    if (!shared || name != fmt::format("{}-{}", row.name, row.gen)) continue;
    const isa::LoadedModel model = loaded(*shared / "isa", row);
    const isa::Decoder decoder(model.model, {.gen = row.gen, .mesa_compat = true});
    const std::string bytes = repeated(recorded(*shared / "isa", row), instructions_counted);
    CustomFields fields;
    CountingSink sink;
    isa::Printer printer(decoder, options_for(row, fields));
    for (std::size_t i = 0; i < times; ++i) printer.print(bytes, sink);
    return bytes.size() * 8 / model.model.unit_bits();
  }
  return 0;
}

}  // namespace vireo::bench

// SPDX-License-Identifier: Apache-2.0
//
// Disassembly of instruction sets, one thread, interpreted from the XML.
//
// Recorded words are repeated, as in the reference's measurement of itself. Their texts are compared with
// the recorded ones before timing. For changed words, each word printed by a fresh printer must give the same line.
#include <filesystem>
#include <string>
#include <vector>

#include "isa_words.h"
#include "measure.h"
#include "scenarios.h"
#include "tables.h"
#include "test/counting_sink.h"
#include "test/outside.h"
#include "vireo/isa/check.h"
#include "vireo/isa/isa.h"

namespace vireo::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t instructions_timed = 200'000;
constexpr std::size_t instructions_counted = 20'000;
constexpr std::size_t changed_count = 4'000;
constexpr int repetitions = 11;

std::string word_by_word(const isa::Decoder& decoder, const isa::PrintOptions& options, const IsaProgram& program) {
  std::string text;
  const std::size_t size = program.bytes.size() / program.count;
  for (std::size_t i = 0; i < program.count; ++i)
    text += text_of(decoder, options, std::string_view(program.bytes).substr(i * size, size));
  return text;
}

std::string repeated(const IsaProgram& program, std::size_t instructions) {
  std::string bytes;
  for (std::size_t i = 0; i < instructions; i += program.count) bytes += program.bytes;
  return bytes;
}

double million_per_second(const isa::Decoder& decoder, const IsaProgram& program, const isa::PrintOptions& options) {
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

/// Returns false after a wrong answer.
bool print_row(const fs::path& folder, const IsaRow& row) {
  const std::string name = fmt::format("{} {}", row.name, row.gen);
  const isa::LoadedModel model = load_row(folder, row);
  const isa::Decoder decoder(model.model, {.gen = row.gen, .mesa_compat = true});
  const IsaProgram words = recorded_words(folder, row);
  if (!model.ok() || words.count == 0) {
    print("{:<14} cannot be read\n", name);
    return false;
  }
  const IsaProgram others = changed_words(decoder, words, changed_count);
  CustomFields fields;
  const isa::PrintOptions options = options_for(row, fields);
  isa::PrintOptions with_labels = options;
  with_labels.branch_labels = true;
  if (text_of(decoder, options, words.bytes) != words.text ||
      text_of(decoder, options, others.bytes) != word_by_word(decoder, options, others)) {
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
      const isa::LoadedModel model = load_row(folder, isa_rows.front());
      (void)isa::check(model, {.gen = {}, .mesa_compat = true});
      const isa::Decoder decoder(model.model, {.gen = isa_rows.front().gen, .mesa_compat = true});
    }));
  }
  print("\n{}.xml: loaded, checked and compiled in {}\n", isa_rows.front().name, time_text(samples.median()));
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
  for (const IsaRow& row : isa_rows) is_right &= print_row(*shared / "isa", row);
  print_loading(*shared / "isa");
  return is_right ? 0 : 1;
}

std::vector<std::string> instruction_set_names() {
  std::vector<std::string> names;
  if (outside::shared_folder()) {
    for (const IsaRow& row : isa_rows) names.push_back(fmt::format("{}-{}", row.name, row.gen));
  }
  return names;
}

std::size_t run_instruction_set_once(std::string_view name, std::size_t times) {
  const auto shared = outside::shared_folder();
  for (const IsaRow& row : isa_rows) {
    if (!shared || name != fmt::format("{}-{}", row.name, row.gen)) continue;
    const isa::LoadedModel model = load_row(*shared / "isa", row);
    const isa::Decoder decoder(model.model, {.gen = row.gen, .mesa_compat = true});
    const std::string bytes = repeated(recorded_words(*shared / "isa", row), instructions_counted);
    CustomFields fields;
    CountingSink sink;
    isa::Printer printer(decoder, options_for(row, fields));
    for (std::size_t i = 0; i < times; ++i) printer.print(bytes, sink);
    return bytes.size() * 8 / model.model.unit_bits();
  }
  return 0;
}

}  // namespace vireo::bench

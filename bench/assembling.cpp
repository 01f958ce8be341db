// SPDX-License-Identifier: Apache-2.0
//
// Instruction sets: text to words, one thread, interpreted from the XML.
//
// *Recorded*: the lines of the test vectors, repeatedly, as in the reference's measurement of its own parser.
// *Changed*: the texts of changed words. Before timing, each line must give a word that a separate printer prints as
// the same line. If the vectors state the word, it must be equal.
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa_words.h"
#include "measure.h"
#include "scenarios.h"
#include "tables.h"
#include "test/outside.h"
#include "vireo/isa/assemble.h"

namespace vireo::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t lines_timed = 200'000;
constexpr std::size_t lines_counted = 20'000;
constexpr std::size_t changed_count = 8'000;
constexpr int repetitions = 11;

/// Parses custom fields in the form that CustomFields prints: three digits or more.
class ReadsCustomFields final : public isa::CustomReader {
 public:
  void read(std::string_view, std::string_view text, std::vector<Reading>& readings) override {
    if (!text.starts_with("0x")) return;
    Reading reading;
    for (reading.length = 2; reading.length < text.size(); ++reading.length) {
      const std::size_t digit = std::string_view("0123456789abcdef").find(text[reading.length]);
      if (digit == std::string_view::npos) break;
      reading.value = reading.value * 16 + digit;
    }
    if (reading.length > 2) readings.push_back(reading);
  }
};

/// A description with an assembler and a printer.
struct RoundTrip {
  RoundTrip(const fs::path& folder, const IsaRow& row)
      : loaded(load_row(folder, row)), decoder(loaded.model, {.gen = row.gen, .mesa_compat = true}) {
    print = options_for(row, shows);
    if (row.has_custom) assemble = {.custom = &reads, .listener = &shows};
  }
  isa::LoadedModel loaded;
  isa::Decoder decoder;
  CustomFields shows;
  ReadsCustomFields reads;
  isa::PrintOptions print;
  isa::AssembleOptions assemble;
};

/// The lines without faults.
std::vector<std::string> clean_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size() + 1);
    if (line.find("\t; ") == std::string_view::npos && !line.starts_with("no match")) lines.emplace_back(line);
  }
  return lines;
}

bool is_right(const RoundTrip& round_trip, const std::vector<std::string>& lines) {
  isa::Assembler assembler(round_trip.decoder, round_trip.assemble);
  isa::Printer printer(round_trip.decoder, round_trip.print);
  isa::AssembledLine line;
  std::string text;
  for (const std::string& wanted : lines) {
    text.clear();
    if (!assembler.assemble_line(wanted, line)) return false;
    printer.print_word(line.word.words(), line.word.width(), text);
    if (text != wanted) return false;
  }
  return true;
}

std::size_t assemble_all(isa::Assembler& assembler, const std::vector<std::string>& lines) {
  std::size_t words = 0;
  isa::AssembledLine line;
  for (const std::string& text : lines) words += assembler.assemble_line(text, line) ? 1 : 0;
  return words;
}

bool print_row(const fs::path& folder, const IsaRow& row) {
  const std::string name = fmt::format("{} {}", row.name, row.gen);
  RoundTrip round_trip(folder, row);
  const IsaProgram words = recorded_words(folder, row);
  const std::vector<std::string> lines = clean_lines(words.text);
  const std::vector<std::string> others = clean_lines(
      text_of(round_trip.decoder, round_trip.print, changed_words(round_trip.decoder, words, changed_count).bytes));
  if (lines.empty() || !is_right(round_trip, lines) || !is_right(round_trip, others)) {
    print("{:<14} WRONG ANSWER: a line did not give a word that prints it\n", name);
    return false;
  }
  Samples recorded;
  Samples changed;
  isa::Assembler assembler(round_trip.decoder, round_trip.assemble);
  for (int i = 0; i < repetitions; ++i) {
    recorded.add(seconds_of([&] {
      for (std::size_t done = 0; done < lines_timed; done += lines.size()) assemble_all(assembler, lines);
    }));
    changed.add(seconds_of([&] { assemble_all(assembler, others); }));
  }
  const std::size_t rounds = (lines_timed + lines.size() - 1) / lines.size();
  print("{:<14} {:>8} {:>10.2f} {:>10.2f}\n", name, lines.size(),
        static_cast<double>(rounds * lines.size()) / recorded.median() / 1e6,
        static_cast<double>(others.size()) / changed.median() / 1e6);
  return true;
}

}  // namespace

int run_assembling() {
  const auto shared = outside::shared_folder();
  print("\nInstruction sets: million lines assembled per second, ours\n\n");
  if (!shared) {
    print("{}\n", outside::no_shared);
    return 0;
  }
  print("{:<14} {:>8} {:>10} {:>10}\n", "isa, gen", "lines", "recorded", "changed");
  bool is_right = true;
  for (const IsaRow& row : isa_rows) is_right &= print_row(*shared / "isa", row);
  return is_right ? 0 : 1;
}

std::size_t run_assembling_once(std::string_view name, std::size_t times) {
  const auto shared = outside::shared_folder();
  for (const IsaRow& row : isa_rows) {
    const std::string own = fmt::format("{}-{}", row.name, row.gen);
    if (!shared || (name != own && name != own + "-changed")) continue;
    RoundTrip round_trip(*shared / "isa", row);
    const IsaProgram words = recorded_words(*shared / "isa", row);
    const std::vector<std::string> lines =
        clean_lines(name == own ? words.text
                                : text_of(round_trip.decoder, round_trip.print,
                                          changed_words(round_trip.decoder, words, changed_count).bytes));
    isa::Assembler assembler(round_trip.decoder, round_trip.assemble);
    std::size_t done = 0;
    while (done < times * lines_counted) done += assemble_all(assembler, lines);
    return done / times;
  }
  return 0;
}

}  // namespace vireo::bench

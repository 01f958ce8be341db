// SPDX-License-Identifier: Apache-2.0
//
// vireo_bench_generated: disassembles words with the interpreter and with generated code.
//
//   vireo_bench_generated                  instructions per second, one thread
//   vireo_bench_generated --callgrind      processor instructions for each instruction; needs valgrind
//
// Recorded words are repeated to a million, so that caches and branch predictors see realistic input.
// Both texts must be equal, or no figure is printed. The generated code is generated and compiled by this build.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "measure.h"
#include "tables.h"
#include "test/counting_sink.h"
#include "vireo/isa/isa.h"
#include "vireo/isa/load.h"

#define IR3_IMPLEMENTATION
#include "ir3.h"
#define AFUC_IMPLEMENTATION
#include "afuc.h"
#define ETNAVIV_IMPLEMENTATION
#include "etnaviv.h"

namespace vireo::bench {
namespace {

constexpr std::size_t measured_instructions = 1'000'000;
constexpr std::size_t counted_instructions = 20'000;
constexpr int repetitions = 15;

template <typename Options>
Options options_of(std::uint32_t gen) {
  Options options;
  options.gen = gen;
  return options;
}

struct Subject {
  std::string_view isa;
  std::uint32_t gen;
  double interpreted_target;  ///< million instructions per second
  double generated_target;
  bool (*print)(std::uint32_t gen, std::string_view bytes, bool (*sink)(void*, const char*, std::size_t), void* user);
};

// clang-format off
constexpr Subject subjects[] = {
    {"ir3", 600, 8, 20, [](std::uint32_t gen, std::string_view bytes, ir3::Sink sink, void* user) {
       const auto options = options_of<ir3::Options>(gen);
       return ir3::print(bytes.data(), bytes.size(), &options, sink, user); }},
    {"ir3", 700, 8, 20, [](std::uint32_t gen, std::string_view bytes, ir3::Sink sink, void* user) {
       const auto options = options_of<ir3::Options>(gen);
       return ir3::print(bytes.data(), bytes.size(), &options, sink, user); }},
    {"etnaviv", 0, 5, 0, [](std::uint32_t gen, std::string_view bytes, etnaviv::Sink sink, void* user) {
       const auto options = options_of<etnaviv::Options>(gen);
       return etnaviv::print(bytes.data(), bytes.size(), &options, sink, user); }},
    {"afuc", 7, 0, 0, [](std::uint32_t gen, std::string_view bytes, afuc::Sink sink, void* user) {
       const auto options = options_of<afuc::Options>(gen);
       return afuc::print(bytes.data(), bytes.size(), &options, sink, user); }},
};
// clang-format on

// The words of all recorded lines of a generation, as little-endian bytes. The files have one JSON object per line,
// with exactly these keys.
std::string recorded_words(const Subject& subject, std::uint32_t bits) {
  const std::string folder = VIREO_SHARED "/isa/vectors/";
  std::ifstream file(folder + std::string(subject.isa) + ".jsonl");
  const std::string gen = "\"gen\": " + std::to_string(subject.gen) + ",";
  constexpr std::string_view key = "\"hex\": \"";
  std::string bytes;
  for (std::string line; std::getline(file, line);) {
    const std::size_t at = line.find(key);
    if (at == std::string::npos || (line.find("\"gen\": ") != std::string::npos && line.find(gen) == std::string::npos))
      continue;
    if (line.find("\"raw 0x") != std::string::npos) continue;  // nothing matches
    const std::size_t begin = at + key.size();
    const auto word = isa::parse_hex(std::string_view(line).substr(begin, line.find('"', begin) - begin), bits);
    for (std::uint32_t i = 0; word && i < bits; i += 8) bytes.push_back(static_cast<char>(word->slice(i, i + 7)));
  }
  return bytes;
}

std::string repeated(const std::string& words, std::size_t size) {
  std::string bytes;
  bytes.reserve(size + words.size());
  while (bytes.size() < size) bytes += words;
  bytes.resize(size);
  return bytes;
}

class Measured {
 public:
  explicit Measured(const Subject& subject) : subject_(subject) {
    loaded_ = isa::load_model(VIREO_SHARED "/isa/mesa/" + std::string(subject.isa) + ".xml",
                              {.mesa_compat = true, .read = {}});
    if (!loaded_.ok()) return;
    decoder_.emplace(loaded_.model, isa::DecodeOptions{.gen = subject.gen, .mesa_compat = true});
    words_ = recorded_words(subject, loaded_.model.unit_bits());
  }

  [[nodiscard]] std::size_t count() const { return words_.size() * 8 / std::max(1u, loaded_.model.unit_bits()); }
  [[nodiscard]] std::string bytes(std::size_t instructions) const {
    return repeated(words_, instructions * loaded_.model.unit_bits() / 8);
  }

  std::size_t interpret(std::string_view bytes) {
    CountingSink sink;
    isa::Printer(*decoder_, {}).print(bytes, sink);
    return sink.bytes;
  }
  [[nodiscard]] std::size_t run_generated(std::string_view bytes) const {
    std::size_t total = 0;
    subject_.print(
        subject_.gen, bytes,
        [](void* user, const char*, std::size_t size) {
          *static_cast<std::size_t*>(user) += size;
          return true;
        },
        &total);
    return total;
  }

  /// Whether both texts of all words are equal and not empty.
  [[nodiscard]] bool is_right() const {
    if (words_.empty()) return false;
    StringSink wanted;
    isa::Printer(*decoder_, {}).print(words_, wanted);
    std::string got;
    subject_.print(
        subject_.gen, words_,
        [](void* user, const char* text, std::size_t size) {
          static_cast<std::string*>(user)->append(text, size);
          return true;
        },
        &got);
    return got == wanted.text();
  }

 private:
  const Subject& subject_;
  isa::LoadedModel loaded_;
  std::optional<isa::Decoder> decoder_;
  std::string words_;
};

std::string rate_text(double millions, double target) {
  return fmt::format("{:.1f}{}", millions, millions < target ? fmt::format(" (< {:.0f})", target) : "");
}

int measure() {
  print("Million instructions per second, one thread, processor time, best of {}\n\n", repetitions);
  print("{:<12} {:>6} {:>8} {:>16} {:>16}\n", "isa", "gen", "words", "interpreted", "generated");
  int status = 0;
  for (const Subject& subject : subjects) {
    Measured measured(subject);
    if (!measured.is_right()) {
      print("{:<12} {:>6} WRONG ANSWER\n", subject.isa, subject.gen);
      status = 1;
      continue;
    }
    const std::string bytes = measured.bytes(measured_instructions);
    double interpreted = 1e9;
    double generated = 1e9;
    std::size_t difference = 0;
    for (int i = 0; i < repetitions; ++i) {
      std::size_t a = 0;
      std::size_t b = 0;
      interpreted = std::min(interpreted, seconds_of([&] { a = measured.interpret(bytes); }));
      generated = std::min(generated, seconds_of([&] { b = measured.run_generated(bytes); }));
      difference += a != b ? 1 : 0;
    }
    const double millions = measured_instructions * 1e-6;
    print("{:<12} {:>6} {:>8} {:>16} {:>16}{}\n", subject.isa, subject.gen, measured.count(),
          rate_text(millions / interpreted, subject.interpreted_target),
          rate_text(millions / generated, subject.generated_target), difference != 0 ? "   DIFFERENT" : "");
  }
  return status;
}

// --- callgrind ----------------------------------------------------------------------------------------------------------

/// One measured operation, run under valgrind.
int run_once(std::string_view isa, std::string_view gen, std::string_view way, std::string_view times) {
  for (const Subject& subject : subjects) {
    if (subject.isa != isa || std::to_string(subject.gen) != gen) continue;
    Measured measured(subject);
    // Both runs construct the longer program, so that the difference excludes its construction.
    const std::string bytes = measured.bytes(2 * counted_instructions);
    const std::string_view part = std::string_view(bytes).substr(0, times == "2" ? bytes.size() : bytes.size() / 2);
    return (way == "interpreted" ? measured.interpret(part) : measured.run_generated(part)) == 0 ? 1 : 0;
  }
  return 2;
}

std::optional<double> counted(const char* self, const std::string& arguments) {
  const std::string command = fmt::format(
      "valgrind --tool=callgrind --callgrind-out-file=/dev/null '{}' once {} 2>&1 >/dev/null", self, arguments);
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return std::nullopt;
  std::optional<double> found;
  char line[512];
  while (std::fgets(line, sizeof line, pipe) != nullptr) {
    const std::string_view text(line);
    constexpr std::string_view label = "Collected : ";
    if (const std::size_t at = text.find(label); at != text.npos) found = std::atof(line + at + label.size());
  }
  pclose(pipe);
  return found;
}

int count(const char* self) {
  print("Processor instructions for each instruction (callgrind)\n\n{:<12} {:>6} {:>14} {:>14}\n", "isa", "gen",
        "interpreted", "generated");
  for (const Subject& subject : subjects) {
    print("{:<12} {:>6}", subject.isa, subject.gen);
    for (const std::string_view way : {"interpreted", "generated"}) {
      const auto one = counted(self, fmt::format("{} {} {} 1", subject.isa, subject.gen, way));
      const auto two = counted(self, fmt::format("{} {} {} 2", subject.isa, subject.gen, way));
      if (!one || !two) {
        print(" valgrind is not installed, or did not count\n");
        return 0;
      }
      print(" {:>14.0f}", (*two - *one) / counted_instructions);
    }
    print("\n");
  }
  return 0;
}

}  // namespace
}  // namespace vireo::bench

int main(int argc, char** argv) {
  using namespace vireo::bench;
  const std::vector<std::string_view> arguments(argv + 1, argv + argc);
  if (arguments.size() == 5 && arguments[0] == "once") {
    return run_once(arguments[1], arguments[2], arguments[3], arguments[4]);
  }
  return std::ranges::find(arguments, "--callgrind") != arguments.end() ? count(argv[0]) : measure();
}

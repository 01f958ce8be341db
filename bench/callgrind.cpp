// SPDX-License-Identifier: Apache-2.0
//
// Instructions per byte, and per decoded instruction, as counted by valgrind's callgrind.
//
// The program runs itself under callgrind with one and with two repetitions of an operation. The
// difference is the cost of one operation, without start-up and without the construction of modules and texts.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include "operations.h"
#include "scenarios.h"
#include "tables.h"

#include "vireo/spirv/module/module.h"

namespace vireo::bench {
namespace {

constexpr std::size_t module_bytes = 200'000;

struct CountedRow {
  std::string_view name;
  Operation operation;
};

constexpr std::array<CountedRow, 8> counted = {{
    {"index", Operation::Index},
    {"facts", Operation::Facts},
    {"core-facts", Operation::CoreFacts},
    {"decode", Operation::Decode},
    {"dis", Operation::DisNamedStreamed},
    {"dis-raw", Operation::DisNumbersStreamed},
    {"as", Operation::AsNamed},
    {"as-raw", Operation::AsNumbers},
}};

struct Made {
  std::string_view name;
  spirv::WordBuffer (*make)(std::size_t bytes);
};
constexpr std::array<Made, 2> made = {{{"shader", shader_like}, {"kernel", kernel_like}}};

/// The number of instructions of a whole run; none if valgrind is missing or printed no number.
std::optional<double> instructions_of(const char* self, const std::string& arguments) {
  const std::string command =
      fmt::format("valgrind --tool=callgrind --callgrind-out-file=/dev/null '{}' {} 2>&1 >/dev/null", self, arguments);
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return std::nullopt;
  std::optional<double> found;
  std::array<char, 512> line{};
  while (std::fgets(line.data(), line.size(), pipe) != nullptr) {
    const std::string_view text(line.data());
    constexpr std::string_view label = "Collected : ";
    if (const std::size_t at = text.find(label); at != std::string_view::npos)
      found = std::atof(line.data() + at + label.size());
  }
  pclose(pipe);
  return found;
}

}  // namespace

int run_once(std::string_view operation, std::string_view times) {
  const std::size_t slash = operation.find('/');
  if (operation.substr(0, slash) == "isa")
    return run_instruction_set_once(operation.substr(slash + 1), times == "2" ? 2 : 1) == 0 ? 2 : 0;
  if (operation.substr(0, slash) == "isa-as")
    return run_assembling_once(operation.substr(slash + 1), times == "2" ? 2 : 1) == 0 ? 2 : 0;
  for (const Made& kind : made) {
    for (const CountedRow& row : counted) {
      if (kind.name != operation.substr(0, slash) || row.name != operation.substr(slash + 1)) continue;
      // Vireo produces the texts: under valgrind the peer would take most of the time.
      const spirv::WordBuffer words = kind.make(module_bytes);
      const std::string named = disassembled(words, Ids::Named), numbers = disassembled(words, Ids::Numbers);
      std::size_t total = 0;
      for (std::size_t i = times == "2" ? 2 : 1; i > 0; --i) {
        switch (row.operation) {
          case Operation::Walk:
          case Operation::Validate: break;  // synthetic modules are not fully valid
          case Operation::DisNamedStreamed:
          case Operation::DisNumbersStreamed: total += stream_disassembled(words, ids_of(row.operation)); break;
          case Operation::Index: total += spirv::Module::read(words).instruction_count(); break;
          case Operation::Facts: total += count_facts(words); break;
          case Operation::CoreFacts: total += count_core_facts(words); break;
          case Operation::Decode: total += count_operands(words); break;
          case Operation::DisNamed: total += disassembled(words, Ids::Named).size(); break;
          case Operation::DisNumbers: total += disassembled(words, Ids::Numbers).size(); break;
          case Operation::AsNamed: total += assembled(named, Ids::Named).size(); break;
          case Operation::AsNumbers: total += assembled(numbers, Ids::Numbers).size(); break;
        }
      }
      return total == 0 ? 1 : 0;
    }
  }
  return 2;
}

int run_callgrind(const char* self) {
  print("\nInstructions per byte of binary (callgrind), ours\n\n{:<10} {:<12} {:>10}\n", "module", "operation",
        "per byte");
  for (const Made& kind : made) {
    const double bytes = static_cast<double>(kind.make(module_bytes).size() * sizeof(spirv::Word));
    for (const CountedRow& row : counted) {
      const auto one = instructions_of(self, fmt::format("once {}/{} 1", kind.name, row.name));
      const auto two = instructions_of(self, fmt::format("once {}/{} 2", kind.name, row.name));
      if (!one || !two) {
        print("valgrind is not installed, or did not count\n");
        return 0;
      }
      print("{:<10} {:<12} {:>10.1f}\n", kind.name, row.name, (*two - *one) / bytes);
    }
  }

  print("\nInstructions per decoded instruction, recorded words\n\n");
  for (const std::string& name : instruction_set_names()) {
    const auto one = instructions_of(self, fmt::format("once isa/{} 1", name));
    const auto two = instructions_of(self, fmt::format("once isa/{} 2", name));
    if (one && two)
      print("{:<23} {:>10.0f}\n", name, (*two - *one) / static_cast<double>(run_instruction_set_once(name, 1)));
  }

  print("\nInstructions per assembled line: recorded and changed\n\n");
  for (const std::string& name : instruction_set_names()) {
    for (const std::string_view kind : {"", "-changed"}) {
      const auto one = instructions_of(self, fmt::format("once isa-as/{}{} 1", name, kind));
      const auto two = instructions_of(self, fmt::format("once isa-as/{}{} 2", name, kind));
      const auto lines = static_cast<double>(run_assembling_once(fmt::format("{}{}", name, kind), 1));
      if (one && two && lines > 0) print("{:<23} {:>10.0f}\n", fmt::format("{}{}", name, kind), (*two - *one) / lines);
    }
  }
  return 0;
}

}  // namespace vireo::bench

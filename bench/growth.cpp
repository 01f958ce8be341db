// SPDX-License-Identifier: Apache-2.0
//
// Growth: time per instruction on n, 2n, 4n. Constant means linear; the peers are quadratic on some of these.
//
// Each shape repeats one construct many times (names, constants, blocks, cases), which reveals a table
// with a slow lookup. Synthetic shapes have three sizes. Recorded ones (growth.tar.xz) have one, and are listed with
// their time per instruction.
#include <array>

#include "check_first.h"
#include "measure.h"
#include "operations.h"
#include "scenarios.h"
#include "tables.h"

#include "vireo/spirv/binary/instruction.h"

namespace vireo::bench {
namespace {

struct ShapeRow {
  std::string_view name;
  spirv::WordBuffer (*make)(std::size_t count);
  std::size_t count;  // n; 2n and 4n follow
};

constexpr std::array<ShapeRow, 4> shapes = {{
    {"equal names", equal_names, 25'000},  // 4n: 100,000, must still be linear
    {"additions", straight_line, 25'000},
    {"shader, bytes", shader_like, 1'000'000},
    {"kernel, bytes", kernel_like, 1'000'000},
}};

constexpr std::array<Operation, 4> measured = {Operation::DisNamed, Operation::DisNumbers, Operation::AsNamed,
                                               Operation::AsNumbers};

// Caches and page faults make large modules slower; a quadratic step would give 4.
constexpr double worst_growth = 2.0;

std::string_view name_of(Operation operation) {
  for (const OperationRow& row : operations) {
    if (row.operation == operation) return row.name;
  }
  return {};
}

std::size_t count_instructions(spirv::Words words) {
  std::size_t count = 0;
  for ([[maybe_unused]] const spirv::InstructionView instruction : spirv::Instructions(words)) ++count;
  return count;
}

/// Nanoseconds per instruction, Vireo only. Vireo also produces the texts: on these shapes the peers would take
/// minutes.
double per_instruction(const spirv::WordBuffer& words, Operation operation) {
  const Ids ids = operation == Operation::DisNamed || operation == Operation::AsNamed ? Ids::Named : Ids::Numbers;
  const bool is_dis = operation == Operation::DisNamed || operation == Operation::DisNumbers;
  const std::string text = disassembled(words, ids);
  Samples samples;
  for (int repetition = 0; repetition < 7; ++repetition) {
    samples.add(seconds_of([&] {
      if (is_dis) (void)disassembled(words, ids);
      else (void)assembled(text, ids);
    }));
  }
  return samples.median() * 1e9 / static_cast<double>(count_instructions(words));
}

/// Prints a line for one module: its four times per instruction.
std::array<double, measured.size()> print_line(std::string_view name, const spirv::WordBuffer& words) {
  std::array<double, measured.size()> times{};
  print("{:<28} {:>12}", name, count_instructions(words));
  for (std::size_t i = 0; i < measured.size(); ++i) {
    times[i] = per_instruction(words, measured[i]);
    print(" {:>13.1f}", times[i]);
  }
  print("\n");
  return times;
}

}  // namespace

int run_growth(SubjectChoice choice) {
  print("\nGrowth: nanoseconds per instruction, ours\n\n{:<28} {:>12}", "module", "instructions");
  for (const Operation operation : measured) print(" {:>13}", name_of(operation));
  print("\n");

  int status = 0;
  for (const ShapeRow& shape : shapes) {
    std::array<double, measured.size()> first{}, last{};
    for (const std::size_t factor : {1u, 2u, 4u}) {
      const spirv::WordBuffer words = shape.make(shape.count * factor);
      if (assembled(disassembled(words, Ids::Numbers), Ids::Numbers) != words) {
        print("{:<28} WRONG ANSWER: the text is another module\n", shape.name);
        status = 1;
      }
      last = print_line(fmt::format("{} {}", shape.name, shape.count * factor), words);
      if (factor == 1) first = last;
    }
    for (std::size_t i = 0; i < measured.size(); ++i) {
      if (last[i] > worst_growth * first[i]) {
        print("    {} grows {:.1f}x per instruction from n to 4n\n", name_of(measured[i]), last[i] / first[i]);
      }
    }
  }
  if (choice.quick) return status;
  for (const std::filesystem::path& file : modules_below(unpacked("growth"))) {
    if (const spirv::WordBuffer words = words_of_file(file); !words.empty()) print_line(file.stem().string(), words);
  }
  return status;
}

}  // namespace vireo::bench

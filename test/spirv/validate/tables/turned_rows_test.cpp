// SPDX-License-Identifier: Apache-2.0
//
// The typing rows turned round: every instruction of every row, with everything that there is.
//
// The one idea: a row is a demand, so it can be met and broken by a machine. Each instruction is made with operands that
// meet its row, which is told nothing; then the result, and each operand, is exchanged for every type and value of the
// universe, and what is told has to be what a second judge says, at that word and nowhere else.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "spirv/validate/tables/turned_instructions.h"

namespace vireo::spirv::test {
namespace {

// What chapters tell besides: they know more of these instructions than a row can say. A row that is never needed fails
// the test.
struct Besides {
  std::string_view names;  ///< of instructions, separated by blanks; one may end with a star
  std::string_view rule;
  std::string_view reason;
};
constexpr Besides besides[] = {
    {"*", "float-format", "formats that are not of IEEE 754 are stored and converted, hardly computed with"},
    {"OpAtomic*", "atomic-storage", "what storage holds atomics"},
    {"OpAtomic*", "atomic-capability", "wide integers and floats have a capability for each instruction"},
    {"OpAtomicFlag*", "operand-shape", "a flag is an integer of 32 bits behind the pointer"},
    {"OpAtomicStore", "atomic-value", "the pointer is to the type of the value, which stands behind it"},
    {"OpDPd* OpFwidth*", "half-derivative", "halves take an extension"},
    {"OpDot", "scalar-capability", "bfloat16 takes a capability"},
    {"OpSizeOf", "type-part", "a pointer, or a type of pointers"},
    {"OpTranspose", "operand-relation", "rows become columns"},
    {"OpImageQuery* OpColorAttachmentReadEXT", "operand-shape", "which values are images, the tables of images say"},
    {"OpImageQuery*", "image-samples", "which images have samples, or levels"},
    {"OpImageQuerySize", "image-sampling", "the same"},
    {"OpImageQuery*", "image-dim", "the same"},
    {"OpImageQuerySize*", "query-size-count", "as many components as the image has dimensions"},
    {"OpColorAttachmentReadEXT", "image-dim", "a tile image"},
    {"OpColorAttachmentReadEXT", "texel-type", "its texels"},
    {"OpPredicatedStoreINTEL", "operand-relation", "the pointer is to the type of the value, which stands behind it"},
    {"GLSL.std.450:Determinant GLSL.std.450:MatrixInverse", "operand-shape", "a square matrix"},
    {"GLSL.std.450:ModfStruct GLSL.std.450:FrexpStruct", "result-shape", "the members of the structure"},
    {"GLSL.std.450:ModfStruct GLSL.std.450:FrexpStruct", "operand-relation", "the same"},
    {"GLSL.std.450:Interpolate*", "ext-storage", "what is interpolated is an input"},
    {"GLSL.std.450:Interpolate*", "operand-shape", "the same; halves take an extension"},
    {"GLSL.std.450:Interpolate*", "operand-relation", "of the type of the result"},
    {"GLSL.std.450:Interpolate*", "result-shape", "halves take an extension"},
    {"OpenCL.std:*", "ext-storage", "where the pointer points"},
    {"OpenCL.std:v* OpenCL.std:prefetch OpenCL.std:printf", "operand-shape", "what it points to; addresses' width"},
    {"OpenCL.std:vloadn OpenCL.std:vstoren", "operand-relation", "a pointer to components of the vector"},
    {"OpenCL.std:shuffle*", "result-shape", "masks know no vectors of three"},
    {"OpenCL.std:shuffle*", "operand-shape", "the same"},
};

bool is_named(std::string_view names, std::string_view name) {
  for (std::string_view rest = names; !rest.empty();) {
    const std::size_t blank = std::min(rest.find(' '), rest.size());
    std::string_view each = rest.substr(0, blank);
    const bool is_prefix = each.ends_with('*');
    if (is_prefix) each.remove_suffix(1);
    if (is_prefix ? name.starts_with(each) : name == each) return true;
    rest.remove_prefix(std::min(blank + 1, rest.size()));
  }
  return false;
}

struct Exceptions {
  std::set<const Besides*> used;

  bool allow(std::string_view name, std::string_view rule) {
    for (const Besides& row : besides) {
      if (row.rule != rule || !is_named(row.names, name)) continue;
      used.insert(&row);
      return true;
    }
    return false;
  }
};

// "f32v2 <- f32v2/0 f32/1": types, and where values come from.
std::string text_of(const Universe& universe, const Assignment& assignment) {
  std::string text = assignment.type == PlainType::none ? "" : universe.types()[assignment.type].name + " <-";
  for (const PlainValue* value : assignment.operands) {
    text += value == nullptr
                ? " _"
                : ' ' + universe.types()[value->type].name + "/" + std::to_string(static_cast<int>(value->source));
  }
  return text;
}

// Faults of a kind, with the first of them.
struct Differences {
  std::map<std::string, std::pair<std::size_t, std::string>> kinds;
  void add(const std::string& kind, const std::string& example) {
    auto& [count, first] = kinds[kind];
    if (count++ == 0) first = example;
  }
  [[nodiscard]] std::string text() const {
    std::string all;
    for (const auto& [kind, found] : kinds) {
      all += "\n" + kind + ", " + std::to_string(found.first) + " times, first with " + found.second;
    }
    return all;
  }
};

// What a row leaves open, and chapters do not: types of operands for instances to begin with.
struct Given {
  std::string_view name;
  std::size_t slot;
  std::string_view type;
};
constexpr Given given_rows[] = {
    {"OpImageQueryLod", 1, "f32v2"},
};

// Every result with the first values that fit, and with every value for each operand in turn.
std::vector<Assignment> candidates(const Universe& universe, const Instruction& instruction) {
  std::vector<Assignment> all;
  const auto add = [&](Assignment assignment) {
    if (fill(universe, instruction, assignment)) all.push_back(std::move(assignment));
  };
  const auto try_type = [&](std::size_t type) {
    Assignment bare{type, std::vector<const PlainValue*>(instruction.slots.size())};
    for (const Given& row : given_rows) {
      if (row.name != instruction.name) continue;
      bare.operands[row.slot] = &*std::ranges::find(universe.values(), universe.find(row.type), &PlainValue::type);
    }
    Assignment plain = bare;
    if (!fill(universe, instruction, plain)) return;
    all.push_back(plain);
    for (std::size_t slot = 0; slot < instruction.slots.size(); ++slot) {
      if (!instruction.slots[slot].is_value()) continue;
      for (const PlainValue& value : universe.values()) {
        if (&value == plain.operands[slot]) continue;
        Assignment assignment = bare;
        assignment.operands[slot] = &value;
        add(std::move(assignment));
      }
    }
  };
  if (!instruction.has_type) {
    try_type(PlainType::none);
  } else {
    for (std::size_t type = 0; type < universe.types().size(); ++type) try_type(type);
  }
  return all;
}

// One thing at a time. What happens to fit after all is judged as well: it has to be told nothing.
std::vector<Assignment> exchanged(const Universe& universe, const Instruction& instruction, const Assignment& base) {
  std::vector<Assignment> all;
  if (instruction.has_type) {
    for (std::size_t type = 0; type < universe.types().size(); ++type) {
      if (type == base.type) continue;
      all.push_back(base);
      all.back().type = type;
    }
  }
  for (std::size_t i = 0; i < instruction.slots.size(); ++i) {
    if (instruction.slots[i].demand == nullptr) continue;
    for (const PlainValue& value : universe.values()) {
      if (&value == base.operands[i]) continue;
      all.push_back(base);
      all.back().operands[i] = &value;
    }
  }
  return all;
}

// Kernels have addresses of 32 bits, as the first integers that are found.
TurnedModule::Options options_of(const Instruction& instruction) {
  TurnedModule::Options options;
  options.version = instruction.version();
  if (instruction.world() == World::Kernel) {
    options.memory_model = MemoryModel::OpenCL;
    options.addressing = AddressingModel::Physical32;
  }
  return options;
}

bool is_of_types(std::string_view rule) {
  constexpr std::string_view rules[] = {"result-shape", "operand-shape", "operand-relation", "float-format",
                                        "atomic-value"};
  return std::ranges::find(rules, rule) != std::end(rules);
}

// One universe's instructions: first those that fit, then a clean one of these with something exchanged.
class Trial {
 public:
  Trial(const Universe& universe, Exceptions& exceptions, Differences& differences)
      : universe_(universe), exceptions_(exceptions), differences_(differences) {}

  /// Puts an instruction to the trial, and counts.
  void judge(const Instruction& instruction) {
    const std::vector<Assignment> met = candidates(universe_, instruction);
    const std::vector<Assignment> clean = run(instruction, met);
    valid_ += clean.size();
    if (clean.empty()) {
      differences_.add(instruction.name + " has no valid instance", std::to_string(met.size()) + " candidates");
      return;
    }
    const std::vector<Assignment> others = exchanged(universe_, instruction, clean.front());
    exchanged_ += others.size();
    run(instruction, others);
  }
  [[nodiscard]] std::size_t valid() const { return valid_; }
  [[nodiscard]] std::size_t exchanges() const { return exchanged_; }
  [[nodiscard]] std::size_t told() const { return told_; }

 private:
  // Gives those of which nothing was told.
  std::vector<Assignment> run(const Instruction& instruction, const std::vector<Assignment>& assignments) {
    TurnedModule module(universe_, instruction, options_of(instruction));
    for (const Assignment& assignment : assignments) module.add(assignment);
    const TurnedModule::Findings findings = module.findings();
    for (const std::string& finding : findings.elsewhere) differences_.add("elsewhere " + finding, instruction.name);
    std::vector<Assignment> clean;
    for (std::size_t i = 0; i < assignments.size(); ++i) {
      if (findings.by_instance[i].empty()) clean.push_back(assignments[i]);
      compare(instruction, assignments[i], findings.by_instance[i]);
    }
    return clean;
  }

  // What is left has to be a chapter's. Of a word that the row has refused none says anything of its type, nor of what is
  // relative to a refused result.
  void compare(const Instruction& instruction, const Assignment& assignment, std::vector<Told> found) {
    const std::vector<Told> expected = expected_of(universe_, instruction, assignment);
    told_ += expected.size();
    for (const Told& told : expected) {
      const auto same = std::ranges::find(found, told);
      if (same != found.end()) found.erase(same);
      else add("lacks", instruction, assignment, told);
    }
    for (const Told& told : found) {
      const bool is_refused = std::ranges::find(expected, told.word, &Told::word) != expected.end();
      const bool is_relative =
          told.rule == "operand-relation" && !expected.empty() && expected[0].rule == "result-shape";
      if (is_of_types(told.rule) && (is_refused || is_relative)) {
        add("is told again", instruction, assignment, told);
      } else if (!exceptions_.allow(instruction.name, told.rule)) {
        add("is told besides", instruction, assignment, told);
      }
    }
  }

  void add(const std::string& what, const Instruction& instruction, const Assignment& assignment, const Told& told) {
    differences_.add(instruction.name + ' ' + what + ' ' + std::string(told.rule) + " at " + std::to_string(told.word),
                     text_of(universe_, assignment));
  }

  const Universe& universe_;
  Exceptions& exceptions_;
  Differences& differences_;
  std::size_t valid_ = 0, exchanged_ = 0, told_ = 0;
};

TEST(TurnedRows, are_told_what_a_second_judge_tells) {
  const Universe shaders(World::Shader), kernels(World::Kernel);
  Exceptions exceptions;
  Differences differences;
  Trial of_shaders(shaders, exceptions, differences), of_kernels(kernels, exceptions, differences);
  for (const Instruction& instruction : instructions_of_rows()) {
    (instruction.world() == World::Kernel ? of_kernels : of_shaders).judge(instruction);
  }
  const std::size_t valid = of_shaders.valid() + of_kernels.valid();
  const std::size_t exchanges = of_shaders.exchanges() + of_kernels.exchanges();
  const std::size_t told = of_shaders.told() + of_kernels.told();
  RecordProperty("valid", static_cast<int>(valid));
  RecordProperty("exchanges", static_cast<int>(exchanges));
  RecordProperty("told", static_cast<int>(told));
  EXPECT_GE(valid, 30'000u);
  EXPECT_GE(exchanges, 400'000u);
  EXPECT_GE(told, 350'000u);
  EXPECT_TRUE(differences.kinds.empty()) << differences.text();
  for (const Besides& row : besides) {
    EXPECT_TRUE(exceptions.used.contains(&row)) << row.names << " are never told " << row.rule;
  }
}

}  // namespace
}  // namespace vireo::spirv::test

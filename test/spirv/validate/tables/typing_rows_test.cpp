// SPDX-License-Identifier: Apache-2.0
//
// Table-driven tests of the typing rows: every instruction of every row, with values of all types.
//
// A row is a requirement, so valid and invalid operands can be generated. Each instruction is generated
// with operands that satisfy its row and must have no finding. Then the result, and each operand, is replaced by every
// type and value of the universe. The findings must be those of an independent checker, at the same words.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "spirv/validate/tables/row_instructions.h"

namespace vireo::spirv::test {
namespace {

// Expected extra findings: the specification has rules for these instructions that a row cannot express. A row that is
// never needed fails the test.
struct ExtraFinding {
  std::string_view names;  ///< of instructions, separated by blanks; one may end with a star
  std::string_view rule;
  std::string_view reason;
};
constexpr ExtraFinding extra_findings[] = {
    {"*", "float-format", "formats other than IEEE 754 are stored and converted, and have little arithmetic"},
    {"OpAtomic*", "atomic-storage", "storage classes of atomics"},
    {"OpAtomic*", "atomic-capability", "64-bit integers and floats need a capability for each instruction"},
    {"OpAtomicFlag*", "*-operand-type", "the pointee of a flag is an integer of 32 bits"},
    {"OpAtomicStore", "atomic-value", "the pointer is to the type of the value, which follows it"},
    {"OpDPd* OpFwidth*", "half-derivative", "half floats need an extension"},
    {"OpDot", "scalar-capability", "bfloat16 needs a capability"},
    {"OpFreezeKHR OpPoisonKHR", "logical-pointer-use", "no logical pointers"},
    {"OpSizeOf", "type-constituent", "a pointer, or a pointer type"},
    {"OpTranspose", "*-type-match", "the rows of the operand are the columns of the result"},
    {"OpImageQuery* OpColorAttachmentReadEXT", "*-operand-type", "the tables of images define the permitted types"},
    {"OpImageQuery*", "image-samples", "only some images have samples or levels"},
    {"OpImageQuerySize", "image-sampling", "the same"},
    {"OpImageQuery*", "image-dim", "the same"},
    {"OpImageQuerySize*", "query-size-count", "as many components as the image has dimensions"},
    {"OpColorAttachmentReadEXT", "image-dim", "only tile images"},
    {"OpColorAttachmentReadEXT", "texel-type", "the texels of the tile image"},
    {"OpPredicatedStoreINTEL", "read-only-storage", "the pointer is to writable memory"},
    {"OpPredicatedStoreINTEL", "*-type-match", "the pointer is to the type of the value, which follows it"},
    {"GLSL.std.450:Determinant GLSL.std.450:MatrixInverse", "*-operand-type", "a square matrix"},
    {"GLSL.std.450:ModfStruct GLSL.std.450:FrexpStruct", "*-result-type", "the members of the structure"},
    {"GLSL.std.450:ModfStruct GLSL.std.450:FrexpStruct", "*-type-match", "the same"},
    {"GLSL.std.450:Interpolate*", "ext-inst-storage-class", "only inputs are interpolated"},
    {"GLSL.std.450:Interpolate*", "*-operand-type", "the same; half floats need an extension"},
    {"GLSL.std.450:Interpolate*", "*-type-match", "the pointee has the result type"},
    {"GLSL.std.450:Interpolate*", "*-result-type", "half floats need an extension"},
    {"OpenCL.std:*", "ext-inst-storage-class", "storage classes of the pointer"},
    {"OpenCL.std:v* OpenCL.std:prefetch OpenCL.std:printf", "*-operand-type",
     "the type of the pointee; the width of addresses"},
    {"OpenCL.std:vloadn OpenCL.std:vstoren", "*-type-match", "the pointee is a component of the vector"},
    {"OpenCL.std:shuffle*", "*-result-type", "masks with three components are not permitted"},
    {"OpenCL.std:shuffle*", "*-operand-type", "the same"},
    {"OpUDiv OpSDiv OpUMod OpSRem OpSMod OpFDiv OpFRem OpFMod", "zero-divisor", "a warning: some operands are zero"},
    {"GLSL.std.450:Acosh GLSL.std.450:Log* GLSL.std.450:InverseSqrt", "function-domain", "the same"},
    {"OpAssumeTrueKHR", "false-assumption", "a warning: some operands are false"},
    {"OpFragmentMaskFetchAMD OpFragmentFetchAMD", "image-samples", "only multisampled images"},
    {"OpFragmentMaskFetchAMD OpFragmentFetchAMD", "image-dim", "only 2D and SubpassData"},
    {"OpFragmentFetchAMD", "texel-type", "the texels of the image"},
    {"OpWritePackedPrimitiveIndices4x8NV OpSubgroup2DBlock*", "operand-range", "constants are multiples"},
    {"SPV_AMD_shader_explicit_vertex_parameter:*", "ext-inst-storage-class", "only inputs are interpolated"},
    {"SPV_AMD_shader_explicit_vertex_parameter:*", "*-type-match", "the pointee has the result type"},
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
  std::set<const ExtraFinding*> used;

  bool allow(std::string_view name, std::string_view rule) {
    for (const ExtraFinding& row : extra_findings) {
      if (row.rule != rule || !is_named(row.names, name)) continue;
      used.insert(&row);
      return true;
    }
    return false;
  }
};

// "f32v2 <- f32v2/0 f32/1": types, and kinds of values.
std::string text_of(const Universe& universe, const Assignment& assignment) {
  std::string text = assignment.type == PlainType::none ? "" : universe.types()[assignment.type].name + " <-";
  for (const PlainValue* value : assignment.operands) {
    text += value == nullptr
                ? " _"
                : ' ' + universe.types()[value->type].name + "/" + std::to_string(static_cast<int>(value->source));
  }
  return text;
}

// Kinds of differences, with the number and the first example of each.
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

// Initial operand types for instructions whose row permits more than the specification.
struct Given {
  std::string_view name;
  std::size_t slot;
  std::string_view type;
};
constexpr Given given_rows[] = {
    {"OpImageQueryLod", 1, "f32v2"},
};

// Every result type with the first values that fit, and with every value for each operand in turn.
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

// Replaces one operand at a time. Replacements that also satisfy the row must have no finding.
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
    if (instruction.slots[i].requirement == nullptr) continue;
    for (const PlainValue& value : universe.values()) {
      if (&value == base.operands[i]) continue;
      all.push_back(base);
      all.back().operands[i] = &value;
    }
  }
  return all;
}

// Kernels have 32-bit addressing, because the first integers in the universe have 32 bits.
TestModule::Options options_of(const Instruction& instruction) {
  TestModule::Options options;
  options.version = instruction.version();
  if (instruction.world() == World::Kernel) {
    options.memory_model = MemoryModel::OpenCL;
    options.addressing = AddressingModel::Physical32;
  }
  return options;
}

bool is_of_types(std::string_view rule) {
  constexpr std::string_view rules[] = {"*-result-type", "*-operand-type", "*-type-match", "float-format",
                                        "atomic-value"};
  return std::ranges::find(rules, rule) != std::end(rules);
}

// The instructions of one universe: first instances that satisfy the row, then variants of a valid one.
class Trial {
 public:
  Trial(const Universe& universe, Exceptions& exceptions, Differences& differences)
      : universe_(universe), exceptions_(exceptions), differences_(differences) {}

  /// Tests an instruction and counts the instances.
  void check(const Instruction& instruction) {
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
  [[nodiscard]] std::size_t expected() const { return expected_; }

 private:
  // Returns the assignments without findings.
  std::vector<Assignment> run(const Instruction& instruction, const std::vector<Assignment>& assignments) {
    TestModule module(universe_, instruction, options_of(instruction));
    for (const Assignment& assignment : assignments) module.add(assignment);
    const TestModule::Findings findings = module.findings();
    for (const std::string& finding : findings.elsewhere) differences_.add("elsewhere " + finding, instruction.name);
    std::vector<Assignment> clean;
    for (std::size_t i = 0; i < assignments.size(); ++i) {
      if (findings.by_instance[i].empty()) clean.push_back(assignments[i]);
      compare(instruction, assignments[i], findings.by_instance[i]);
    }
    return clean;
  }

  // The remaining findings must be expected extra findings. A word that violates the row must have no further finding
  // about its type, and an invalid result none about relations to it.
  void compare(const Instruction& instruction, const Assignment& assignment, std::vector<Finding> found) {
    const std::vector<Finding> expected = expected_of(universe_, instruction, assignment);
    expected_ += expected.size();
    for (const Finding& finding : expected) {
      const auto same = std::ranges::find(found, finding);
      if (same != found.end()) found.erase(same);
      else add("lacks", instruction, assignment, finding);
    }
    for (const Finding& finding : found) {
      const bool is_refused = std::ranges::find(expected, finding.word, &Finding::word) != expected.end();
      const bool is_relative =
          finding.rule == "*-type-match" && !expected.empty() && expected[0].rule == "*-result-type";
      if (is_of_types(finding.rule) && (is_refused || is_relative)) {
        add("is reported again", instruction, assignment, finding);
      } else if (!exceptions_.allow(instruction.name, finding.rule)) {
        add("is reported in addition", instruction, assignment, finding);
      }
    }
  }

  void add(const std::string& what, const Instruction& instruction, const Assignment& assignment,
           const Finding& finding) {
    differences_.add(
        instruction.name + ' ' + what + ' ' + std::string(finding.rule) + " at " + std::to_string(finding.word),
        text_of(universe_, assignment));
  }

  const Universe& universe_;
  Exceptions& exceptions_;
  Differences& differences_;
  std::size_t valid_ = 0, exchanged_ = 0, expected_ = 0;
};

TEST(TypingRowsTest, findings_agree_with_an_independent_checker) {
  const Universe shaders(World::Shader), kernels(World::Kernel);
  Exceptions exceptions;
  Differences differences;
  Trial of_shaders(shaders, exceptions, differences), of_kernels(kernels, exceptions, differences);
  for (const Instruction& instruction : instructions_of_rows()) {
    (instruction.world() == World::Kernel ? of_kernels : of_shaders).check(instruction);
  }
  const std::size_t valid = of_shaders.valid() + of_kernels.valid();
  const std::size_t exchanges = of_shaders.exchanges() + of_kernels.exchanges();
  const std::size_t expected = of_shaders.expected() + of_kernels.expected();
  RecordProperty("valid", static_cast<int>(valid));
  RecordProperty("exchanges", static_cast<int>(exchanges));
  RecordProperty("expected", static_cast<int>(expected));
  EXPECT_GE(valid, 30'000u);
  EXPECT_GE(exchanges, 400'000u);
  EXPECT_GE(expected, 350'000u);
  EXPECT_TRUE(differences.kinds.empty()) << differences.text();
  for (const ExtraFinding& row : extra_findings) {
    EXPECT_TRUE(exceptions.used.contains(&row)) << row.names << " never get " << row.rule;
  }
}

}  // namespace
}  // namespace vireo::spirv::test

// SPDX-License-Identifier: Apache-2.0
//
// Table-driven tests of execution modes: each mode with each execution model, and all subsets of each group of modes.
//
// An entry point has a model and a set of modes, and the rows determine the sets that a model accepts. An
// independent interpreter of the rows, which only counts, predicts the findings.
//
// Source: specification 3.6 (execution modes), 2.16.2, as in the rows of mode_rows.h.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "spirv/validate/tables/mode_rows.h"
#include "spirv/validate/tables/test_shaders.h"

namespace vireo::spirv {
namespace {

using test::RuleNames;
using test::TestShader;
using enum ExecutionMode;
using enum ExecutionModel;

// A mode with its required operands.
struct ModeSubject {
  ExecutionMode mode;
  std::string text;
  bool takes_ids = false;
};

// The operands of a mode for which 1, or a constant 1, is invalid.
struct Operands {
  ExecutionMode mode;
  std::string_view text;
};
constexpr Operands given[] = {
    {LocalSize, " 2 2 1"},  // derivatives need groups of four invocations
    {OpacityMicromapIdKHR, " %true"},
    {FPFastMathDefault, " %f32 %u1"},
};

// --- the independent interpreter -------------------------------------------------------------------------------------

RuleNames rules_broken_by(ExecutionModel model, const std::vector<ExecutionMode>& modes) {
  RuleNames broken;
  const auto count_of = [&](ExecutionMode mode) { return std::count(modes.begin(), modes.end(), mode); };
  for (const ExecutionMode mode : modes) {
    for (const ModeModels& row : mode_models()) {
      if (row.mode == mode && !contains(row.models, model)) broken.emplace_back("mode-model");
    }
  }
  for (const ModeGroup& group : mode_groups()) {
    if (!contains(group.models, model)) continue;
    std::size_t count = 0;
    for (const ExecutionMode mode : group.modes) count += count_of(mode) != 0;
    // All widths are equal here.
    const bool is_fine = group.how_many == HowMany::ExactlyOne ? count == 1
                         : group.how_many == HowMany::All      ? count == group.modes.size()
                                                               : count <= 1;
    if (!is_fine) broken.emplace_back("mode-combination");
  }
  for (const ModeDemand& demand : mode_demands()) {
    const bool applies = count_of(demand.mode) != 0 && count_of(demand.with) != 0;
    const bool is_met = std::ranges::any_of(demand.one_of, [&](ExecutionMode mode) { return count_of(mode) != 0; });
    if (applies && !is_met) broken.emplace_back("mode-combination");
  }
  // The entry point is empty, so it lacks the critical section of an interlock mode.
  const bool has_interlock = std::ranges::any_of(modes, [](ExecutionMode mode) {
    return mode == PixelInterlockOrderedEXT || mode == PixelInterlockUnorderedEXT ||
           mode == SampleInterlockOrderedEXT || mode == SampleInterlockUnorderedEXT ||
           mode == ShadingRateInterlockOrderedEXT || mode == ShadingRateInterlockUnorderedEXT;
  });
  if (model == Fragment && has_interlock) broken.emplace_back("interlock-missing");
  for (const ExecutionMode mode : std::set<ExecutionMode>(modes.begin(), modes.end())) {
    for (auto more = count_of(mode); more > 1; --more) broken.emplace_back("mode-twice");
  }
  std::sort(broken.begin(), broken.end());
  return broken;
}

class ModeRowsTest : public testing::Test {
 protected:
  ModeRowsTest() : g_(builtin_grammar()) {
    for (const EnumerantRow& row : g_.enumerants_of(g_.kind(g_.find_kind("ExecutionMode"))))
      subjects_.push_back(read(row));
  }

  [[nodiscard]] ModeSubject read(const EnumerantRow& row) const {
    ModeSubject subject{static_cast<ExecutionMode>(row.value), std::string(g_.text(row.name))};
    std::string operands;
    for (const OperandRow& operand : g_.operands(row.parameters)) {
      const bool is_id = operand.shape == OperandShape::IdRef;
      subject.takes_ids |= is_id;
      if (operand.shape == OperandShape::ValueEnum)
        operands.append(" ").append(g_.text(g_.enumerants_of(g_.kind(operand.kind)).front().name));
      else operands += is_id ? " %u1" : " 1";
    }
    const auto* other = std::find_if(std::begin(given), std::end(given),
                                     [&](const Operands& each) { return each.mode == subject.mode; });
    subject.text.append(other == std::end(given) ? std::string_view(operands) : other->text);
    return subject;
  }

  // The modes that a model requires.
  [[nodiscard]] static std::vector<ExecutionMode> base_of(ExecutionModel model) {
    switch (model) {
      case TessellationControl: return {OutputVertices};
      case TessellationEvaluation: return {Triangles};
      case Geometry: return {InputPoints, OutputPoints, OutputVertices, Invocations};
      case Fragment: return {OriginUpperLeft};
      case GLCompute:
      case TaskNV:
      case TaskEXT: return {LocalSize};
      case MeshNV:
      case MeshEXT: return {LocalSize, OutputVertices, OutputPrimitivesEXT, OutputTrianglesEXT};
      default: return {};
    }
  }

  [[nodiscard]] std::string lines_of(const std::vector<ExecutionMode>& modes) const {
    std::string text;
    for (const ExecutionMode mode : modes) {
      const auto subject =
          std::find_if(subjects_.begin(), subjects_.end(), [&](const ModeSubject& each) { return each.mode == mode; });
      text += subject->takes_ids ? "OpExecutionModeId" : "OpExecutionMode";
      text += " %main " + subject->text + "\n";
    }
    return text;
  }

  void check(ExecutionModel model, const std::vector<ExecutionMode>& modes) {
    TestShader shader;
    shader.model = model;
    shader.has_own_modes = true;
    shader.modes = lines_of(modes);
    RuleNames expected = rules_broken_by(model, modes);
    EXPECT_EQ(test::rules_reported_for(test::words_of(shader), "spv1.6"), expected) << test::name_of(model) << "\n"
                                                                                    << shader.modes << "spv1.6";
    ++made_;
    sound_ += expected.empty();
  }

  const Grammar& g_;
  std::vector<ModeSubject> subjects_;
  std::size_t made_ = 0, sound_ = 0;
};

TEST_F(ModeRowsTest, modes_are_accepted_for_the_models_of_their_rows) {
  for (const ExecutionModel model : known_models) {
    for (const ModeSubject& subject : subjects_) {
      std::vector<ExecutionMode> modes = base_of(model);
      if (std::find(modes.begin(), modes.end(), subject.mode) == modes.end()) modes.push_back(subject.mode);
      check(model, modes);
    }
  }
  RecordProperty("modules", static_cast<int>(made_));
  EXPECT_GE(made_, 1'000u);
  EXPECT_GE(sound_, 100u);
}

// All subsets of each group, with the required modes of other groups.
TEST_F(ModeRowsTest, groups_accept_their_number_of_modes) {
  for (const ModeGroup& group : mode_groups()) {
    for (const ExecutionModel model : known_models) {
      if (!contains(group.models, model)) continue;
      std::vector<ExecutionMode> base = base_of(model);
      std::erase_if(base, [&](ExecutionMode mode) {
        return std::find(group.modes.begin(), group.modes.end(), mode) != group.modes.end();
      });
      for (unsigned subset = 0; subset < 1u << group.modes.size(); ++subset) {
        std::vector<ExecutionMode> modes = base;
        for (std::size_t i = 0; i < group.modes.size(); ++i) {
          if ((subset >> i & 1) != 0) modes.push_back(group.modes.begin()[i]);
        }
        check(model, modes);
      }
    }
  }
  RecordProperty("modules", static_cast<int>(made_));
  EXPECT_GE(made_, 150u);
}

// Each mode twice. Modes with a width may occur once for each width; here the widths are equal.
TEST_F(ModeRowsTest, modes_are_accepted_once) {
  for (const ExecutionModel model : {Fragment, GLCompute, Kernel, TessellationEvaluation}) {
    for (const ModeSubject& subject : subjects_) {
      std::vector<ExecutionMode> modes = base_of(model);
      std::erase(modes, subject.mode);
      modes.insert(modes.end(), 2, subject.mode);
      check(model, modes);
    }
  }
  EXPECT_GE(made_, 300u);
}

}  // namespace
}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// Table-driven tests of stages: the instruction or operand of each row, reached from every execution model.
//
// One module has an entry point of each model, all with the same function, so one run tests all models,
// and each finding has a note at its entry point. The function contains the instruction, or reaches it through two
// calls. Only findings of stage rows are compared; typing_rows_test.cpp tests the operands.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "spirv/validate/checks/interfaces/stages.h"
#include "spirv/validate/tables/row_instructions.h"

namespace vireo::spirv::test {
namespace {

constexpr std::string_view vulkan = "vulkan1.3";

// A use of the subject of a row. `rows` are all rows about it, if they apply in this module.
struct StageTrial {
  Instruction instruction;
  Assignment assignment;
  TestModule::Options options;
  std::vector<const StageRow*> rows;
  bool holds = true;
};

// The numbers of rules are indexes into the table.
std::string_view name_of(Rule rule) { return validation_rules()[static_cast<std::size_t>(rule)].name; }

// According to the rows, a model that is not permitted is rejected, and a permitted one needs one of the modes, if
// there are any.
std::vector<std::string_view> expected_of(const StageTrial& trial, ExecutionModel model) {
  std::vector<std::string_view> rules;
  if (!trial.holds) return rules;
  for (const StageRow* row : trial.rows) {
    const auto has_mode = [&](ExecutionMode mode) {
      return std::ranges::find(trial.options.modes, mode) != trial.options.modes.end();
    };
    if (!contains(row->models, model)) {
      rules.push_back(name_of(row->rule));
    } else if (contains(row->need.models, model) && std::ranges::none_of(row->need.one_of, has_mode)) {
      rules.push_back("stage-mode");
    }
  }
  std::ranges::sort(rules);
  return rules;
}

class StageRowsTest : public testing::Test {
 protected:
  /// Tests every model, directly and through calls. Rules without a row in the trial are ignored.
  void check(StageTrial trial) {
    std::set<std::string_view> asked{"stage-mode"};
    for (const StageRow* row : trial.rows) asked.insert(name_of(row->rule));
    trial.options.entry_points.assign(std::begin(known_models), std::end(known_models));
    for (const bool is_called : {false, true}) {
      trial.options.is_called = is_called;
      TestModule module(universe_, trial.instruction, trial.options);
      module.add(trial.assignment);
      const TestModule::Findings findings = module.findings();
      for (std::size_t i = 0; i < trial.options.entry_points.size(); ++i) {
        std::vector<std::string_view> reported;
        for (const Finding& each : findings.by_entry_point[i]) {
          if (each.word == 1 && asked.contains(each.rule)) reported.push_back(each.rule);
        }
        std::ranges::sort(reported);
        const std::vector<std::string_view> expected = expected_of(trial, trial.options.entry_points[i]);
        EXPECT_EQ(reported, expected) << trial.instruction.name << ", model "
                                      << static_cast<Word>(trial.options.entry_points[i])
                                      << (is_called ? ", called" : "") << ", in " << trial.options.environment;
        ++(expected.empty() ? allowed_ : refused_);
      }
    }
  }

  /// A use with the first values that fit.
  StageTrial use_of(Instruction instruction) const {
    StageTrial trial;
    if (instruction.has_type) {
      for (std::size_t type = universe_.types().size(); type-- > 1;) {
        Assignment assignment{type, {}};
        if (fill(universe_, instruction, assignment)) trial.assignment = assignment;
      }
    } else {
      EXPECT_TRUE(fill(universe_, instruction, trial.assignment)) << instruction.name;
    }
    trial.options.version = instruction.version();
    trial.instruction = std::move(instruction);
    return trial;
  }

  /// Minimum numbers, so that an empty table fails the test.
  void expect_at_least(std::size_t allowed, std::size_t refused) const {
    RecordProperty("allowed", static_cast<int>(allowed_));
    RecordProperty("refused", static_cast<int>(refused_));
    EXPECT_GE(allowed_, allowed);
    EXPECT_GE(refused_, refused);
  }

  const Universe universe_{World::Shader};
  std::size_t allowed_ = 0, refused_ = 0;
};

// Rows for some uses only, or with a bound, are covered by cases/stages.cases.
bool is_of_all_uses(const StageRow& row) { return row.subject.applies == nullptr && !row.bound.operand; }

TEST_F(StageRowsTest, instructions_are_rejected_in_other_models) {
  std::set<Op> opcodes;
  for (const StageRow& row : stage_rows()) {
    const StageSubject& subject = row.subject;
    if (subject.kind != StageSubject::Kind::Instructions || !is_of_all_uses(row)) continue;
    opcodes.insert(subject.opcodes.begin(), subject.opcodes.begin() + subject.opcode_count);
  }
  for (const Op op : opcodes) {
    StageTrial trial = use_of(instruction_of(op, find_typing(op)));
    for (const StageRow& row : stage_rows()) {
      const auto end = row.subject.opcodes.begin() + row.subject.opcode_count;
      if (!is_of_all_uses(row) || std::find(row.subject.opcodes.begin(), end, op) == end) continue;
      trial.rows.push_back(&row);
      trial.holds = row.holds == nullptr;
    }
    check(trial);
    if (!trial.holds) {  // the row of OpControlBarrier, which applies before 1.3
      trial.holds = true;
      trial.options.version = {1, 2};
      check(trial);
    }
    for (const StageRow* row : trial.rows) {
      for (const ExecutionMode mode : row->need.one_of) {
        trial.options.modes = {mode};
        check(trial);
      }
    }
  }
  expect_at_least(800, 3000);
}

TEST_F(StageRowsTest, extended_instructions_are_rejected_in_other_models) {
  for (const StageRow& row : stage_rows()) {
    if (row.subject.kind != StageSubject::Kind::Extended) continue;
    for (std::string_view rest = row.subject.names; !rest.empty();) {
      const std::size_t blank = std::min(rest.find(' '), rest.size());
      StageTrial trial = use_of(extended_instruction(row.subject.set, rest.substr(0, blank), nullptr));
      rest.remove_prefix(std::min(blank + 1, rest.size()));
      trial.rows.push_back(&row);
      check(std::move(trial));
    }
  }
  expect_at_least(8, 100);
}

// A load from a variable uses its storage class.
TEST_F(StageRowsTest, storage_classes_are_rejected_in_other_models) {
  for (const StageRow& row : stage_rows()) {
    if (row.subject.kind != StageSubject::Kind::Storage) continue;
    const auto is_of_it = [&](const PlainValue& value) {
      const PlainType& type = universe_.types()[value.type];
      return value.source == Source::Variable && type.form == PlainType::Form::Pointer &&
             type.storage == row.subject.storage;
    };
    const auto variable = std::ranges::find_if(universe_.values(), is_of_it);
    if (variable == universe_.values().end()) {
      EXPECT_EQ(row.rule, Rule::ShaderRecordStage) << "blocks with a layout have cases";
      continue;
    }
    StageTrial trial;
    trial.instruction = instruction_of(Op::OpLoad, nullptr);
    trial.assignment = {universe_.types()[variable->type].pointee, {&*variable}};
    trial.rows = {&row};
    trial.holds = row.holds == nullptr;  // only in Vulkan
    check(trial);
    if (trial.holds) continue;
    trial.holds = true;
    trial.options.environment = vulkan;
    check(std::move(trial));
  }
  expect_at_least(100, 100);
}

// Rules on scopes apply in Vulkan only. Other rules may also report a scope.
struct ScopeUse {
  Op op;
  Scope scope;
  MemoryModel model;
  std::vector<Rule> rules;
};

TEST_F(StageRowsTest, scopes_are_rejected_in_other_models) {
  using enum MemoryModel;
  const ScopeUse uses[] = {
      {Op::OpMemoryBarrier, Scope::Workgroup, Vulkan, {Rule::WorkgroupMemoryStage}},
      {Op::OpMemoryBarrier, Scope::Workgroup, GLSL450, {Rule::WorkgroupMemoryStage, Rule::TessellationMemoryScope}},
      {Op::OpMemoryBarrier, Scope::ShaderCallKHR, Vulkan, {Rule::ShaderCallStage}},
      {Op::OpMemoryBarrier, Scope::Subgroup, Vulkan, {}},
      {Op::OpAtomicIAdd, Scope::Workgroup, Vulkan, {Rule::WorkgroupMemoryStage}},
      {Op::OpGroupNonUniformElect, Scope::Workgroup, Vulkan, {Rule::WorkgroupExecutionStage}},
      {Op::OpControlBarrier, Scope::Subgroup, Vulkan, {}},
  };
  for (const ScopeUse& use : uses) {
    StageTrial trial = use_of(instruction_of(use.op, find_typing(use.op)));
    trial.options.scope = use.scope;
    trial.options.memory_model = use.model;
    for (const StageRow& row : stage_rows()) {
      if (row.subject.kind != StageSubject::Kind::Scope) continue;
      const bool applies = row.subject.is_scope_meant(use.op, use.scope);
      const bool is_asked = std::ranges::find(use.rules, row.rule) != use.rules.end();
      if (is_asked && applies) trial.rows.push_back(&row);
    }
    EXPECT_EQ(trial.rows.size(), use.rules.size());
    trial.holds = false;
    check(trial);
    trial.holds = true;
    trial.options.environment = vulkan;
    check(std::move(trial));
  }
  expect_at_least(100, 50);
}

}  // namespace
}  // namespace vireo::spirv::test

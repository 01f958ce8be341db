// SPDX-License-Identifier: Apache-2.0
//
// The stage rows turned round: whatever a row is about, reached from every execution model.
//
// The one idea: one module has an entry point of each model, all of the same function, so one run asks all models at once
// and the findings have notes at the entry points. The function holds the instruction, or calls one that calls one that does.
// Only what stage rows tell is looked at: that the operands are right, turned_rows_test.cpp asks.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "spirv/validate/checks/interfaces/stages.h"
#include "spirv/validate/tables/turned_instructions.h"

namespace vireo::spirv::test {
namespace {

constexpr std::string_view vulkan = "vulkan1.3";

// A use of what a row is about. `rows` are all that speak of it, if they hold where it stands.
struct StageTrial {
  Instruction instruction;
  Assignment assignment;
  TurnedModule::Options options;
  std::vector<const StageRow*> rows;
  bool holds = true;
};

// Rules are rows in the order of their numbers.
std::string_view name_of(Rule rule) { return validation_rules()[static_cast<std::size_t>(rule)].name; }

// The rows by the letter: a model that may not is told so, one that may needs one of the modes, if there are any.
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

class TurnedStages : public testing::Test {
 protected:
  /// Asks every model, directly and over calls. Rules that no row of the trial has are another trial's.
  void check(StageTrial trial) {
    std::set<std::string_view> asked{"stage-mode"};
    for (const StageRow* row : trial.rows) asked.insert(name_of(row->rule));
    trial.options.entry_points.assign(std::begin(known_models), std::end(known_models));
    for (const bool is_called : {false, true}) {
      trial.options.is_called = is_called;
      TurnedModule module(universe_, trial.instruction, trial.options);
      module.add(trial.assignment);
      const TurnedModule::Findings findings = module.findings();
      for (std::size_t i = 0; i < trial.options.entry_points.size(); ++i) {
        std::vector<std::string_view> told;
        for (const Told& each : findings.by_entry_point[i]) {
          if (each.word == 1 && asked.contains(each.rule)) told.push_back(each.rule);
        }
        std::ranges::sort(told);
        const std::vector<std::string_view> expected = expected_of(trial, trial.options.entry_points[i]);
        EXPECT_EQ(told, expected) << trial.instruction.name << ", model "
                                  << static_cast<Word>(trial.options.entry_points[i]) << (is_called ? ", called" : "")
                                  << ", in " << trial.options.environment;
        ++(expected.empty() ? allowed_ : refused_);
      }
    }
  }

  /// A use with the first values that fit, or that there are.
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

  /// At least so many: that no table has become empty.
  void expect_at_least(std::size_t allowed, std::size_t refused) const {
    RecordProperty("allowed", static_cast<int>(allowed_));
    RecordProperty("refused", static_cast<int>(refused_));
    EXPECT_GE(allowed_, allowed);
    EXPECT_GE(refused_, refused);
  }

  const Universe universe_{World::Shader};
  std::size_t allowed_ = 0, refused_ = 0;
};

// What a row says of some uses only, or of numbers, has its cases (cases/stages.cases).
bool is_of_all_uses(const StageRow& row) { return row.subject.is_meant == nullptr && !row.bound.operand; }

TEST_F(TurnedStages, of_instructions_are_told_to_the_models_that_may_not) {
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
    if (!trial.holds) {  // that of OpControlBarrier, before 1.3
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

TEST_F(TurnedStages, of_extended_instructions_are_told_to_the_models_that_may_not) {
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

// A storage class is used by loading from a variable of it.
TEST_F(TurnedStages, of_storage_classes_are_told_to_the_models_that_may_not) {
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
    trial.holds = row.holds == nullptr;  // of Vulkan alone
    check(trial);
    if (trial.holds) continue;
    trial.holds = true;
    trial.options.environment = vulkan;
    check(std::move(trial));
  }
  expect_at_least(100, 100);
}

// Scopes are Vulkan's alone. What else is wrong with a scope is told as well, by other rules.
struct ScopeUse {
  Op op;
  Scope scope;
  MemoryModel model;
  std::vector<Rule> rules;
};

TEST_F(TurnedStages, of_scopes_are_told_to_the_models_that_may_not) {
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
      const bool is_meant = row.subject.is_scope_meant(use.op, use.scope);
      const bool is_asked = std::ranges::find(use.rules, row.rule) != use.rules.end();
      if (is_asked && is_meant) trial.rows.push_back(&row);
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

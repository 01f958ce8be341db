// SPDX-License-Identifier: Apache-2.0
//
// Uniformity is sound: random shaders are executed by several invocations, and what the analysis calls uniform is equal.
//
// A value that is uniform in the group has the same value in all invocations that execute the same dynamic instance of
// its definition. A block in uniform control flow is executed by all invocations or by none. A dynamic instance is an
// instruction together with the iterations of the loops around it. The generator builds a tree of statements, which one
// function writes as SPIR-V and another one executes.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "spirv/module/analyzed.h"

namespace vireo::spirv {
namespace {

constexpr std::uint32_t lanes = 8, variables = 4, workgroup = 3;

/// An operand: a variable, the index of the invocation, the workgroup or a number.
struct Operand {
  enum Kind : std::uint8_t { Variable, Lane, Group, Number } kind = Number;
  std::uint32_t value = 0;
};

struct Statement {
  enum Kind : std::uint8_t { Assign, Call, If, Loop, Break, Continue, Return } kind = Assign;
  Operand a, b;
  std::uint32_t target = 0;  ///< variable
  bool adds = false;         ///< else: bitwise and
  std::vector<Statement> body, otherwise;
  // Ids in the module.
  Word result = 0, phi = 0, left = 0, right = 0;
  std::vector<Word> labels;
};

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  std::vector<Statement> block(int depth, bool is_in_loop) {
    std::vector<Statement> list;
    const std::uint32_t count = 1 + pick(4);
    for (std::uint32_t i = 0; i < count; ++i) list.push_back(statement(depth, is_in_loop));
    return list;
  }

 private:
  std::uint32_t pick(std::uint32_t count) { return static_cast<std::uint32_t>(random_() % count); }
  Operand operand() {
    switch (pick(8)) {
      case 0: return {Operand::Lane, 0};
      case 1: return {Operand::Group, 0};
      case 2: return {Operand::Number, pick(4)};
      default: return {Operand::Variable, pick(variables)};
    }
  }
  Statement statement(int depth, bool is_in_loop) {
    Statement s;
    s.a = operand();
    s.b = pick(2) == 0 ? Operand{Operand::Number, pick(4)} : operand();
    s.target = pick(variables);
    s.adds = pick(2) == 0;
    const std::uint32_t choice = pick(12);
    if (choice < 2 && depth > 0) {
      s.kind = Statement::If;
      s.body = block(depth - 1, is_in_loop);
      s.otherwise = block(depth - 1, is_in_loop);
    } else if (choice < 4 && depth > 0) {
      s.kind = Statement::Loop;
      s.body = block(depth - 1, true);
    } else if (choice == 4 && is_in_loop) {
      s.kind = Statement::Break;
    } else if (choice == 5 && is_in_loop) {
      s.kind = Statement::Continue;
    } else if (choice == 6 && pick(4) == 0) {
      s.kind = Statement::Return;
    } else if (choice == 7) {
      s.kind = Statement::Call;
    }
    return s;
  }

  std::mt19937 random_;
};

class Writer {
 public:
  std::string write(std::vector<Statement>& program) {
    text_ = R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %5 "main" %10 %11
OpExecutionMode %5 LocalSize 8 1 1
OpDecorate %10 BuiltIn LocalInvocationIndex
OpDecorate %11 BuiltIn WorkgroupId
%1 = OpTypeVoid
%2 = OpTypeFunction %1
%3 = OpTypeInt 32 0
%4 = OpTypePointer Input %3
%7 = OpTypeBool
%8 = OpTypePointer Function %3
%9 = OpTypeFunction %3 %3
%12 = OpTypeVector %3 3
%13 = OpTypePointer Input %12
%30 = OpConstant %3 0
%31 = OpConstant %3 1
%32 = OpConstant %3 2
%33 = OpConstant %3 3
%10 = OpVariable %4 Input
%11 = OpVariable %13 Input
%40 = OpFunction %3 None %9
%41 = OpFunctionParameter %3
%42 = OpLabel
%43 = OpULessThan %7 %41 %32
OpSelectionMerge %45 None
OpBranchConditional %43 %44 %45
%44 = OpLabel
OpReturnValue %33
%45 = OpLabel
%46 = OpBitwiseAnd %3 %41 %31
OpReturnValue %46
OpFunctionEnd
%5 = OpFunction %1 None %2
%6 = OpLabel
%20 = OpVariable %8 Function
%21 = OpVariable %8 Function
%22 = OpVariable %8 Function
%23 = OpVariable %8 Function
)";
    // One counter for each loop, so that loops in loops do not share it.
    const std::size_t declarations = text_.size();
    put(id(lane_ = next_++) + "OpLoad %3 %10");
    const Word all = next_++;
    put(id(all) + "OpLoad %12 %11");
    put(id(group_ = next_++) + "OpCompositeExtract %3 " + ref(all) + " 0");
    for (Word v = 0; v < variables; ++v) put("OpStore " + ref(20 + v) + " " + ref(30 + v % 4));
    write_block(program, 0, 0);
    if (!is_ended_) put("OpReturn");
    put("OpFunctionEnd");
    std::string counters;
    for (const Word counter : counters_) counters += id(counter) + "OpVariable %8 Function\n";
    text_.insert(declarations, counters);
    return text_;
  }

 private:
  static std::string ref(Word id) { return "%" + std::to_string(id); }
  static std::string id(Word id) { return ref(id) + " = "; }
  void put(const std::string& line) { text_ += line + '\n'; }
  Word label() { return next_++; }
  void begin(Word label) {
    put(id(label) + "OpLabel");
    current_ = label;
    is_ended_ = false;
  }
  void branch(Word label) {
    if (!is_ended_) put("OpBranch " + ref(label));
    is_ended_ = true;
  }
  Word value(const Operand& operand) {
    if (operand.kind == Operand::Lane) return lane_;
    if (operand.kind == Operand::Group) return group_;
    if (operand.kind == Operand::Number) return 30 + operand.value;
    const Word loaded = next_++;
    put(id(loaded) + "OpLoad %3 " + ref(20 + operand.value));
    return loaded;
  }
  Word condition(Statement& s) {
    const Word a = value(s.a), b = value(s.b);
    s.result = next_++;
    put(id(s.result) + "OpULessThan %7 " + ref(a) + " " + ref(b));
    return s.result;
  }

  void write_block(std::vector<Statement>& list, Word merge, Word next) {
    for (Statement& s : list) write_statement(s, merge, next);
  }

  void write_statement(Statement& s, Word merge, Word next) {
    switch (s.kind) {
      case Statement::Assign: {
        const Word a = value(s.a), b = value(s.b);
        s.result = next_++;
        put(id(s.result) + (s.adds ? "OpIAdd %3 " : "OpBitwiseAnd %3 ") + ref(a) + " " + ref(b));
        put("OpStore " + ref(20 + s.target) + " " + ref(s.result));
        break;
      }
      case Statement::Call: {
        const Word a = value(s.a);
        s.result = next_++;
        put(id(s.result) + "OpFunctionCall %3 %40 " + ref(a));
        put("OpStore " + ref(20 + s.target) + " " + ref(s.result));
        break;
      }
      case Statement::If: {
        const Word test = condition(s), then = label(), otherwise = label(), done = label();
        s.labels = {then, otherwise, done};
        put("OpSelectionMerge " + ref(done) + " None");
        put("OpBranchConditional " + ref(test) + " " + ref(then) + " " + ref(otherwise));
        begin(then);
        write_block(s.body, merge, next);
        s.left = value({Operand::Variable, s.target});
        const Word left = current_;
        branch(done);
        begin(otherwise);
        write_block(s.otherwise, merge, next);
        const Word right = current_;
        branch(done);
        begin(done);
        s.phi = next_++;
        put(id(s.phi) + "OpPhi %3 " + ref(s.left) + " " + ref(left) + " %30 " + ref(right));
        break;
      }
      case Statement::Loop: {
        const Word counter = next_++, head = label(), test = label(), body = label(), again = label(), done = label();
        counters_.push_back(counter);
        s.labels = {head, test, body, again, done};
        put("OpStore " + ref(counter) + " %30");
        branch(head);
        begin(head);
        put("OpLoopMerge " + ref(done) + " " + ref(again) + " None");
        branch(test);
        begin(test);
        const Word bound = value(s.a), count = next_++, few = next_++, is_less = next_++;
        put(id(count) + "OpLoad %3 " + ref(counter));
        put(id(few) + "OpBitwiseAnd %3 " + ref(bound) + " %33");
        put(id(is_less) + "OpULessThan %7 " + ref(count) + " " + ref(few));
        s.result = is_less;
        s.left = count;
        put("OpBranchConditional " + ref(is_less) + " " + ref(body) + " " + ref(done));
        begin(body);
        write_block(s.body, done, again);
        branch(again);
        begin(again);
        const Word old = next_++, more = next_++;
        put(id(old) + "OpLoad %3 " + ref(counter));
        put(id(more) + "OpIAdd %3 " + ref(old) + " %31");
        put("OpStore " + ref(counter) + " " + ref(more));
        put("OpBranch " + ref(head));
        begin(done);
        break;
      }
      default: {
        const Word test = condition(s), rest = label();
        Word target = s.kind == Statement::Break ? merge : next;
        s.labels = {rest};
        put("OpSelectionMerge " + ref(rest) + " None");
        if (s.kind == Statement::Return) target = label();
        put("OpBranchConditional " + ref(test) + " " + ref(target) + " " + ref(rest));
        if (s.kind == Statement::Return) {
          begin(target);
          put("OpReturn");
        }
        begin(rest);
        break;
      }
    }
  }

  std::string text_;
  std::vector<Word> counters_;
  Word next_ = 100, lane_ = 0, group_ = 0, current_ = 6;
  bool is_ended_ = false;
};

/// The values and blocks of one invocation, by id and iterations.
using Instance = std::pair<Word, std::vector<std::uint32_t>>;
using Trace = std::map<Instance, std::uint32_t>;

class Invocation {
 public:
  explicit Invocation(std::uint32_t lane) : lane_(lane) {
    for (std::uint32_t v = 0; v < variables; ++v) values_[v] = v % 4;
  }
  Trace run(const std::vector<Statement>& program) {
    run_block(program);
    return std::move(trace_);
  }

 private:
  enum class Way : std::uint8_t { On, Break, Continue, Return };

  std::uint32_t value(const Operand& operand) const {
    switch (operand.kind) {
      case Operand::Lane: return lane_;
      case Operand::Group: return workgroup;
      case Operand::Number: return operand.value;
      default: return values_[operand.value];
    }
  }
  void record(Word id, std::uint32_t value) { trace_[{id, iterations_}] = value; }

  Way run_block(const std::vector<Statement>& list) {
    for (const Statement& s : list) {
      const Way way = run_statement(s);
      if (way != Way::On) return way;
    }
    return Way::On;
  }

  Way run_statement(const Statement& s) {
    switch (s.kind) {
      case Statement::Assign: {
        const std::uint32_t result = s.adds ? value(s.a) + value(s.b) : value(s.a) & value(s.b);
        record(s.result, values_[s.target] = result);
        return Way::On;
      }
      case Statement::Call: {
        const std::uint32_t a = value(s.a);
        record(s.result, values_[s.target] = a < 2 ? 3 : a & 1);
        return Way::On;
      }
      case Statement::If: {
        const bool is_true = value(s.a) < value(s.b);
        record(s.result, is_true ? 1 : 0);
        record(s.labels[is_true ? 0 : 1], 0);
        const Way way = run_block(is_true ? s.body : s.otherwise);
        if (way != Way::On) return way;
        if (is_true) record(s.left, values_[s.target]);
        record(s.labels[2], 0);
        record(s.phi, is_true ? values_[s.target] : 0);
        return Way::On;
      }
      case Statement::Loop: return run_loop(s);
      default: {
        const bool is_true = value(s.a) < value(s.b);
        record(s.result, is_true ? 1 : 0);
        if (!is_true) {
          record(s.labels[0], 0);
          return Way::On;
        }
        return s.kind == Statement::Break ? Way::Break : s.kind == Statement::Continue ? Way::Continue : Way::Return;
      }
    }
  }

  Way run_loop(const Statement& s) {
    iterations_.push_back(0);
    Way way = Way::On;
    for (std::uint32_t count = 0;; ++count) {
      iterations_.back() = count;
      record(s.labels[0], 0);
      record(s.labels[1], 0);
      record(s.left, count);
      const bool goes_on = count < (value(s.a) & 3);
      record(s.result, goes_on ? 1 : 0);
      if (!goes_on) break;
      record(s.labels[2], 0);
      way = run_block(s.body);
      if (way == Way::Break || way == Way::Return) break;
      record(s.labels[3], 0);
    }
    iterations_.pop_back();
    if (way == Way::Return) return way;
    record(s.labels[4], 0);
    return Way::On;
  }

  std::uint32_t lane_;
  std::array<std::uint32_t, variables> values_{};
  std::vector<std::uint32_t> iterations_;
  Trace trace_;
};

TEST(Uniformity, is_sound_for_executed_shaders) {
  std::size_t uniform = 0, divergent = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    std::vector<Statement> program = Generator(seed).block(3, false);
    const std::string text = Writer().write(program);
    const test::Analyzed analyzed(text);
    const Module& module = analyzed.module;
    const Uniformity& uniformity = analyzed.uniformity;

    std::vector<Trace> traces;
    std::map<Instance, std::pair<std::uint32_t, std::uint32_t>> first;  // value, number of invocations
    bool is_equal = true;
    for (std::uint32_t lane = 0; lane < lanes; ++lane) traces.push_back(Invocation(lane).run(program));
    for (const Trace& trace : traces) {
      for (const auto& [instance, value] : trace) {
        const auto [row, is_new] = first.try_emplace(instance, value, 0);
        ++row->second.second;
        const InstructionIndex definition = module.definition(instance.first);
        if (module.instruction(definition).opcode == Op::OpLabel || row->second.first == value) continue;
        is_equal = !uniformity.of(definition).is_uniform(UniformityScope::Group);
        ASSERT_TRUE(is_equal) << "%" << instance.first << " differs; seed " << seed << "\n" << text;
      }
    }
    for (const auto& [instance, row] : first) {
      const InstructionIndex definition = module.definition(instance.first);
      const bool is_label = module.instruction(definition).opcode == Op::OpLabel;
      const Divergence found = is_label ? uniformity.of(module.block_at(definition)) : uniformity.of(definition);
      ++(found.is_uniform(UniformityScope::Group) ? uniform : divergent);
      if (!is_label || !found.is_uniform(UniformityScope::Group)) continue;
      ASSERT_EQ(row.second, lanes) << "not all invocations execute %" << instance.first << "; seed " << seed << "\n"
                                   << text;
    }
  }
  // The test would be void if everything were divergent, or uniform.
  EXPECT_GT(uniform, 10000u);
  EXPECT_GT(divergent, 10000u);
}

}  // namespace
}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// Control flow: edges, orders, dominators and constructs. Small graphs are checked by hand, random ones against a naive
// computation, and large ones by counting operations.
#include "vireo/spirv/module/control_flow.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string_view>

#include "spirv/module/made_functions.h"
#include "spirv/module/naive_flow.h"
#include "spirv/text/modules.h"

namespace vireo::spirv {
namespace {

using ConstructKind = Construct::Kind;

/// A module of one function, and the control flow read from it.
struct Read {
  explicit Read(const std::vector<MadeBlock>& blocks) : Read(made_function(blocks)) {}
  explicit Read(WordBuffer made) : words(std::move(made)), module(Module::read(words)) {
    flow.read(module, module.functions()[0]);
  }
  Read(const Read&) = delete;
  Read& operator=(const Read&) = delete;

  WordBuffer words;
  Module module;
  ControlFlow flow;
};

std::vector<std::uint32_t> numbers_of(std::span<const LocalBlock> blocks) {
  std::vector<std::uint32_t> numbers;
  for (const LocalBlock b : blocks) numbers.push_back(b.raw);
  return numbers;
}

constexpr LocalBlock block(std::uint32_t b) { return LocalBlock(b); }

TEST(ControlFlow, computes_edges_orders_and_parents_of_a_diamond) {
  const Read read(std::vector<MadeBlock>{{{1, 2}, 3}, {{3}}, {{3}}, {}});
  const FlowGraph& plain = read.flow.plain();
  EXPECT_EQ(numbers_of(plain.successors(block(0))), (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(numbers_of(plain.predecessors(block(3))), (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(numbers_of(plain.order()), (std::vector<std::uint32_t>{0, 2, 1, 3}));
  EXPECT_EQ(plain.dominators().parent(block(3)), block(0));
  EXPECT_TRUE(plain.dominators().parent(block(0)).is_none());
  EXPECT_EQ(plain.post_dominators().parent(block(0)), block(3));
  EXPECT_FALSE(plain.dominators().dominates(block(1), block(3)));
  EXPECT_TRUE(plain.post_dominators().dominates(block(3), block(1)));
  ASSERT_EQ(read.flow.constructs().size(), 1u);
  EXPECT_EQ(read.flow.constructs()[0].kind, ConstructKind::Selection);
  EXPECT_EQ(read.flow.innermost(block(2)), ConstructIndex(0));
  EXPECT_TRUE(read.flow.innermost(block(3)).is_none());
}

TEST(ControlFlow, parallel_edges_are_kept_and_adjacent) {
  const Read read(std::vector<MadeBlock>{{{1, 2, 1, 2}}, {{2}}, {}});
  EXPECT_EQ(numbers_of(read.flow.plain().successors(block(0))), (std::vector<std::uint32_t>{1, 2, 1, 2}));
  EXPECT_EQ(numbers_of(read.flow.plain().predecessors(block(2))), (std::vector<std::uint32_t>{0, 0, 1}));
}

TEST(ControlFlow, a_merge_block_that_nothing_branches_to_is_structurally_reachable) {
  const Read read(std::vector<MadeBlock>{{{1, 2}, 3}, {}, {}, {}});
  EXPECT_FALSE(read.flow.plain().is_reachable(block(3)));
  EXPECT_FALSE(read.flow.plain().dominators().has(block(3)));
  EXPECT_FALSE(read.flow.plain().dominators().dominates(block(3), block(3)));
  EXPECT_TRUE(read.flow.structural().is_reachable(block(3)));
  EXPECT_EQ(read.flow.structural().dominators().parent(block(3)), block(0));
}

TEST(ControlFlow, an_infinite_loop_is_post_dominated_by_its_latch) {
  // 0 → 1 → 2 → 3 → 1
  const Read read(std::vector<MadeBlock>{{{1}}, {{2}}, {{3}}, {{1}}});
  const DominatorTree& post = read.flow.plain().post_dominators();
  EXPECT_TRUE(post.parent(block(3)).is_none());
  for (std::uint32_t b = 0; b < 3; ++b) EXPECT_EQ(post.parent(block(b)), block(b + 1)) << b;
  EXPECT_EQ(std::vector(read.flow.back_edges().begin(), read.flow.back_edges().end()),
            (std::vector<FlowEdge>{{block(3), block(1)}}));
}

// Loop 1 with selection 2…3 inside, continue target 4, merge 5; switch 6 with cases 7, 8 and merge 9.
const std::vector<MadeBlock> nested = {
    {{1}},           // 0
    {{2, 5}, 5, 4},  // 1
    {{3, 4}, 3},     // 2: if (…) continue
    {{4}},           // 3
    {{1}},           // 4
    {{6}},           // 5
    {{9, 7, 8}, 9},  // 6
    {{8}},           // 7: falls through
    {{9}},           // 8
    {},              // 9
};

TEST(ControlFlow, computes_the_construct_tree) {
  const Read read(nested);
  const struct {
    std::uint32_t block;
    ConstructKind kind;
    std::uint32_t header, depth;
  } rows[] = {{1, ConstructKind::Loop, 1, 1},     {2, ConstructKind::Selection, 2, 2}, {3, ConstructKind::Loop, 1, 1},
              {4, ConstructKind::Continue, 4, 1}, {6, ConstructKind::Switch, 6, 1},    {7, ConstructKind::Case, 7, 1},
              {8, ConstructKind::Case, 8, 1}};
  for (const auto& row : rows) {
    const ConstructIndex c = read.flow.innermost(block(row.block));
    ASSERT_FALSE(c.is_none()) << row.block;
    EXPECT_EQ(read.flow.construct(c).kind, row.kind) << row.block;
    EXPECT_EQ(read.flow.construct(c).header, block(row.header)) << row.block;
    EXPECT_EQ(read.flow.construct(c).depth, row.depth) << row.block;
  }
  for (const std::uint32_t outside : {0u, 5u, 9u})
    EXPECT_TRUE(read.flow.innermost(block(outside)).is_none()) << outside;

  const ConstructIndex loop = read.flow.innermost(block(1)), selection = read.flow.innermost(block(2));
  const ConstructIndex continued = read.flow.innermost(block(4)), switched = read.flow.innermost(block(6));
  EXPECT_EQ(read.flow.construct(selection).parent, loop);
  EXPECT_EQ(read.flow.construct(selection).loop, loop);
  EXPECT_TRUE(read.flow.construct(continued).parent.is_none());
  EXPECT_EQ(read.flow.construct(continued).loop, continued);
  EXPECT_FALSE(read.flow.has(loop, block(4)));
  EXPECT_TRUE(read.flow.has(loop, block(2)));
  const Construct& last_case = read.flow.construct(read.flow.innermost(block(8)));
  EXPECT_EQ(last_case.parent, switched);
  EXPECT_EQ(last_case.switch_, switched);
  EXPECT_EQ(last_case.merge, block(9));
}

TEST(ControlFlow, a_loop_of_one_block_is_a_continue_construct) {
  const Read read(std::vector<MadeBlock>{{{1}}, {{1, 2}, 2, 1}, {}});
  ASSERT_EQ(read.flow.constructs().size(), 2u);
  EXPECT_EQ(read.flow.construct(read.flow.innermost(block(1))).kind, ConstructKind::Continue);
  EXPECT_EQ(read.flow.constructs()[0].kind, ConstructKind::Loop);
  EXPECT_FALSE(read.flow.has(ConstructIndex(0), block(1)));
  EXPECT_TRUE(read.flow.innermost(block(2)).is_none());
}

TEST(ControlFlow, structural_order_keeps_constructs_together) {
  const Read read(nested);
  EXPECT_EQ(numbers_of(read.flow.structural().order()), (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(ControlFlow, lists_targets_outside_the_function) {
  constexpr std::string_view text = R"(
%1 = OpTypeVoid
%2 = OpTypeFunction %1
%3 = OpTypeBool
%4 = OpUndef %3
%5 = OpFunction %1 None %2
%10 = OpLabel
OpLoopMerge %77 %20 None
OpBranchConditional %4 %10 %4
%11 = OpLabel
OpSwitch %4 %10 1 %11
OpFunctionEnd
%6 = OpFunction %1 None %2
%20 = OpLabel
OpBranch %11
OpFunctionEnd
)";
  WordBuffer words = module_of("%1 = OpTypeVoid");
  Diagnostics diagnostics;
  AssembleOptions options;
  options.preserve_numeric_ids = true;
  // The selector is not an integer, which the assembler rejects, so the OpSwitch is written with raw words.
  std::string source(text);
  const std::string wrong = "OpSwitch %4 %10 1 %11";
  source.replace(source.find(wrong), wrong.size(), "!0x000500FB %4 %10 !1 %11");
  const Result<WordBuffer> assembled = assemble({"case", source}, options, diagnostics);
  ASSERT_TRUE(bool(assembled)) << diagnostics.all()[0].message;
  const Module module = Module::read(*assembled);
  ControlFlow flow;
  flow.read(module, module.functions()[0]);
  std::vector<std::pair<Word, int>> bad;
  for (const BadTarget& target : flow.bad_targets()) bad.emplace_back(target.id, target.word);
  EXPECT_EQ(bad, (std::vector<std::pair<Word, int>>{{77, 1}, {20, 2}, {4, 3}}));
  // The width of its literals is unknown, and so are its case labels; the default label is not affected.
  EXPECT_EQ(numbers_of(flow.plain().successors(block(1))), (std::vector<std::uint32_t>{0}));
  flow.read(module, module.functions()[1]);
  ASSERT_EQ(flow.bad_targets().size(), 1u);
  EXPECT_EQ(flow.bad_targets()[0].id, 11u);
}

TEST(ControlFlow, a_declaration_has_no_blocks) {
  const WordBuffer words =
      module_of("%1 = OpTypeVoid\n%2 = OpTypeFunction %1\n%3 = OpFunction %1 None %2\nOpFunctionEnd");
  const Module module = Module::read(words);
  ControlFlow flow;
  flow.read(module, module.functions()[0]);
  EXPECT_EQ(flow.block_count(), 0u);
  EXPECT_TRUE(flow.plain().order().empty());
}

// --- random ones -----------------------------------------------------------------------------------------------------

/// Blocks with random successors; with `has_merges`, also random merge instructions.
std::vector<MadeBlock> random_blocks(std::minstd_rand& engine, bool has_merges) {
  const auto roll = [&engine](std::size_t sides) { return static_cast<std::uint32_t>(engine() % sides); };
  std::vector<MadeBlock> blocks(1 + roll(24));
  for (std::uint32_t b = 0; b < blocks.size(); ++b) {
    // Mostly nearby and forward, as in real functions; otherwise the whole graph would be one cycle.
    const auto any = [&]() -> std::uint32_t {
      if (roll(3) == 0) return roll(blocks.size());
      return std::min<std::uint32_t>(b + 1 + roll(4), static_cast<std::uint32_t>(blocks.size()) - 1);
    };
    for (std::uint32_t k = roll(8) == 0 ? 3 + roll(3) : roll(3); k > 0; --k) blocks[b].targets.push_back(any());
    if (!has_merges || roll(3) != 0) continue;
    blocks[b].merge = any();
    if (roll(2) == 0) blocks[b].continue_target = any();
  }
  return blocks;
}

std::string fault_of(const ControlFlow& flow, const Module& module, NaiveConstructs how) {
  OperandDecoder decoder(module.grammar(), module.header().bound, module.words().size());
  const FunctionRow& function = module.functions()[0];
  for (std::uint32_t i = 0; i < function.all.first; ++i) decoder.decode(module.instruction(InstructionIndex(i)));
  const NaiveFlow naive = naive_flow(module, function, decoder);
  if (std::string fault = naive_graph_fault(flow.plain(), naive.plain); !fault.empty()) return "plain: " + fault;
  if (std::string fault = naive_graph_fault(flow.structural(), naive.structural); !fault.empty())
    return "structural: " + fault;
  return naive_construct_fault(flow, naive, how);
}

TEST(ControlFlow, random_functions_agree_with_a_naive_computation) {
  std::minstd_rand engine(7);
  ControlFlow flow;  // one for all functions, to find data left over from the previous one
  for (int round = 0; round < 4000; ++round) {
    const WordBuffer words = made_function(random_blocks(engine, round % 3 != 0));
    const Module module = Module::read(words);
    flow.read(module, module.functions()[0]);
    ASSERT_EQ(fault_of(flow, module, NaiveConstructs::Tree), "") << "round " << round;
  }
}

TEST(ControlFlow, post_dominators_are_computed_only_on_request) {
  struct Row {
    std::vector<MadeBlock> blocks;
    bool has_loops;
  };
  const Row rows[] = {{nested, true}, {{{{1, 2}, 3}, {{3}}, {{3}}, {}}, false}, {{{{1}}, {{0}}}, false}};
  ControlFlow flow;  // one for all functions, to find data left over from the previous one
  for (const Row& row : rows) {
    const WordBuffer words = made_function(row.blocks);
    const Module module = Module::read(words);
    flow.read(module, module.functions()[0], PostDominators::OfLoops);
    for (std::uint32_t b = 0; b < flow.block_count(); ++b) {
      EXPECT_FALSE(flow.plain().post_dominators().has(block(b))) << b;
      EXPECT_FALSE(flow.plain().post_dominators().dominates(block(b), block(b))) << b;
      EXPECT_EQ(flow.structural().post_dominators().has(block(b)), row.has_loops) << b;
    }
    EXPECT_TRUE(flow.plain().dominators().has(block(0)));
    flow.read(module, module.functions()[0]);
    EXPECT_EQ(fault_of(flow, module, NaiveConstructs::Tree), "");
  }
}

TEST(ControlFlow, nested_constructs_are_the_sets_of_the_specification) {
  const Read read(nested);
  EXPECT_EQ(fault_of(read.flow, read.module, NaiveConstructs::Exact), "");
}

// --- large ones ------------------------------------------------------------------------------------------------------

struct DrawnShape {
  std::string_view name;
  std::function<std::vector<MadeBlock>(std::uint32_t)> make;
};

const DrawnShape structures[] = {
    {"chain",
     [](std::uint32_t n) {
       std::vector<MadeBlock> blocks(n);
       for (std::uint32_t b = 0; b + 1 < n; ++b) blocks[b].targets = {b + 1};
       return blocks;
     }},
    {"loops in loops",  // the first half begins loops, the second half ends them
     [](std::uint32_t n) {
       std::vector<MadeBlock> blocks(n);
       for (std::uint32_t b = 0; b + 1 < n; ++b) {
         blocks[b].targets = {b + 1};
         if (b > n / 2) blocks[b].targets.push_back(n - b);
       }
       return blocks;
     }},
    {"ladder",  // two rails; each rung connects them in both directions
     [](std::uint32_t n) {
       std::vector<MadeBlock> blocks(n);
       for (std::uint32_t b = 0; b + 2 < n; ++b) blocks[b].targets = {b + 2, b ^ 1};
       return blocks;
     }},
    {"all to the entry's child",
     [](std::uint32_t n) {
       std::vector<MadeBlock> blocks(n);
       for (std::uint32_t b = 0; b + 1 < n; ++b) blocks[b].targets = {b + 1, 1};
       return blocks;
     }},
    {"backwards",  // each block can branch to a block that the search visited much earlier
     [](std::uint32_t n) {
       std::vector<MadeBlock> blocks(n);
       for (std::uint32_t b = 0; b + 1 < n; ++b) blocks[b].targets = {b + 1, n - 1 - b};
       return blocks;
     }},
    {"selections in selections",
     [](std::uint32_t n) {
       std::vector<MadeBlock> blocks(n);
       for (std::uint32_t b = 0; b < n / 2; ++b) blocks[b] = {{b + 1, n - 1 - b}, n - 1 - b};
       for (std::uint32_t b = n / 2; b + 1 < n; ++b) blocks[b].targets = {b + 1};
       return blocks;
     }},
    {"loops in a row",
     [](std::uint32_t n) {
       std::vector<MadeBlock> blocks(n);
       for (std::uint32_t b = 0; b + 3 < n; b += 3) {
         blocks[b] = {{b + 1, b + 3}, b + 3, b + 2};
         blocks[b + 1].targets = {b + 2};
         blocks[b + 2].targets = {b};
       }
       return blocks;
     }},
};

TEST(ControlFlow, work_is_linear_in_the_function_size) {
  for (const DrawnShape& shape : structures) {
    const auto work = [&shape](std::uint32_t n) {
      const Read read(shape.make(n));
      return read.flow.plain().dominators().work() + read.flow.plain().post_dominators().work() +
             read.flow.structural().dominators().work() + read.flow.structural().post_dominators().work();
    };
    const std::uint64_t small = work(25'000), large = work(100'000);
    EXPECT_LE(large, small * 5) << shape.name;
    EXPECT_LE(large, 100'000u * 40u) << shape.name;
  }
}

TEST(ControlFlow, deep_nesting_gives_a_deep_tree) {
  constexpr std::uint32_t n = 100'000;
  const Read read(structures[5].make(n));
  ASSERT_EQ(read.flow.constructs().size(), n / 2);
  const ConstructIndex innermost = read.flow.innermost(block(n / 2 - 1));
  EXPECT_EQ(read.flow.construct(innermost).depth, n / 2);
  EXPECT_TRUE(read.flow.is_within(innermost, read.flow.innermost(block(0))));
  EXPECT_FALSE(read.flow.is_within(read.flow.innermost(block(0)), innermost));
  EXPECT_TRUE(read.flow.innermost(block(n - 1)).is_none());
}

}  // namespace
}  // namespace vireo::spirv

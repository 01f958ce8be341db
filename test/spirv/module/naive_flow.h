// SPDX-License-Identifier: Apache-2.0
//
// A second, naive computation of control flow: a block dominates another if removing it makes the other unreachable.
//
// This code shares only the module's list of blocks with the code under test. Targets come from the
// operand decoder, reachability from a flood fill, dominance from n flood fills. Quadratic, but correct by definition.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "vireo/spirv/binary/operand.h"
#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/module/control_flow.h"

namespace vireo::spirv {

using NaiveEdges = std::vector<std::vector<std::uint32_t>>;  // by block: successors
using NaiveSet = std::vector<char>;                          // by block: whether the set contains it
using NaiveMatrix = std::vector<NaiveSet>;                   // [a][b]: whether a dominates b

/// Merge instruction of a block; -1: none, or its operand is not a block.
struct NaiveMerge {
  bool has = false;
  bool is_loop = false;
  std::int64_t merge = -1, continue_target = -1;
};

struct NaiveFlow {
  NaiveEdges plain, structural;
  std::vector<NaiveMerge> merges;
  std::vector<Op> terminators;  // OpNop: none
};

inline std::int64_t naive_block(std::span<const BlockRow> blocks, const Module& module, Word label) {
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (module.definition(label).raw == blocks[b].all.first && label == blocks[b].label)
      return static_cast<std::int64_t>(b);
  }
  return -1;
}

/// `decoder` must have decoded all instructions before the function.
inline NaiveFlow naive_flow(const Module& module, const FunctionRow& function, OperandDecoder& decoder) {
  const std::span<const BlockRow> blocks = module.blocks(function);
  NaiveFlow flow;
  flow.plain.resize(blocks.size());
  flow.structural.resize(blocks.size());
  flow.merges.resize(blocks.size());
  flow.terminators.resize(blocks.size(), Op::OpNop);
  std::size_t at = 0;
  for (std::uint32_t i = function.all.first; i < function.all.end; ++i) {
    const InstructionView instruction = module.instruction(InstructionIndex(i));
    decoder.decode(instruction);
    while (at < blocks.size() && i >= blocks[at].all.end) ++at;
    if (at == blocks.size() || !blocks[at].all.contains(InstructionIndex(i))) continue;
    std::vector<Word> ids;
    for (const Operand& operand : decoder.operands()) {
      if (operand.shape == OperandShape::IdRef) ids.push_back(instruction.word(operand.word));
    }
    const Op op = instruction.opcode;
    if (blocks[at].terminator.raw == i) {
      flow.terminators[at] = op;
      const bool has_condition = op == Op::OpBranchConditional || op == Op::OpSwitch;
      if (op != Op::OpBranch && !has_condition) continue;
      for (std::size_t k = has_condition ? 1 : 0; k < ids.size(); ++k) {
        const std::int64_t to = naive_block(blocks, module, ids[k]);
        if (to >= 0) flow.plain[at].push_back(static_cast<std::uint32_t>(to));
      }
    } else if (blocks[at].merge.raw == i) {
      NaiveMerge& merge = flow.merges[at];
      merge.has = true;
      merge.is_loop = op == Op::OpLoopMerge;
      if (!ids.empty()) merge.merge = naive_block(blocks, module, ids[0]);
      if (merge.is_loop && ids.size() > 1) merge.continue_target = naive_block(blocks, module, ids[1]);
    }
  }
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    flow.structural[b] = flow.plain[b];
    for (const std::int64_t to : {flow.merges[b].merge, flow.merges[b].continue_target}) {
      if (to >= 0) flow.structural[b].push_back(static_cast<std::uint32_t>(to));
    }
  }
  return flow;
}

/// The blocks reachable from `from` without passing `avoided`; -1: no block is avoided.
inline NaiveSet naive_flood(const NaiveEdges& edges, const std::vector<std::uint32_t>& from, std::int64_t avoided) {
  NaiveSet reached(edges.size(), 0);
  std::vector<std::uint32_t> work;
  const auto take = [&](std::uint32_t b) {
    if (reached[b] != 0 || b == avoided) return;
    reached[b] = 1;
    work.push_back(b);
  };
  for (const std::uint32_t b : from) take(b);
  while (!work.empty()) {
    const std::uint32_t b = work.back();
    work.pop_back();
    for (const std::uint32_t to : edges[b]) take(to);
  }
  return reached;
}

inline NaiveEdges naive_reversed(const NaiveEdges& edges) {
  NaiveEdges reversed(edges.size());
  for (std::uint32_t b = 0; b < edges.size(); ++b) {
    for (const std::uint32_t to : edges[b]) reversed[to].push_back(b);
  }
  return reversed;
}

inline NaiveMatrix naive_dominance(const NaiveEdges& edges, const std::vector<std::uint32_t>& roots) {
  const NaiveSet reached = naive_flood(edges, roots, -1);
  NaiveMatrix matrix(edges.size(), NaiveSet(edges.size(), 0));
  for (std::uint32_t a = 0; a < edges.size(); ++a) {
    if (reached[a] == 0) continue;
    const NaiveSet without = naive_flood(edges, roots, a);
    for (std::uint32_t b = 0; b < edges.size(); ++b) matrix[a][b] = reached[b] != 0 && without[b] == 0;
  }
  return matrix;
}

/// The exits of a function, including those of infinite loops (defined by DominatorTree).
inline std::vector<std::uint32_t> naive_exits(const NaiveEdges& edges, std::span<const LocalBlock> order) {
  std::vector<std::uint32_t> exits, candidates;
  for (std::uint32_t b = 0; b < edges.size(); ++b) {
    if (edges[b].empty()) exits.push_back(b);
  }
  for (auto it = order.rbegin(); it != order.rend(); ++it) candidates.push_back(it->raw);
  for (auto b = static_cast<std::uint32_t>(edges.size()); b-- > 0;) candidates.push_back(b);
  const NaiveEdges reversed = naive_reversed(edges);
  NaiveSet covered = naive_flood(reversed, exits, -1);
  for (const std::uint32_t b : candidates) {
    if (covered[b] != 0) continue;
    exits.push_back(b);
    covered = naive_flood(reversed, exits, -1);
  }
  return exits;
}

/// Describes the first error in a graph; empty if there is none.
inline std::string naive_graph_fault(const FlowGraph& graph, const NaiveEdges& edges) {
  const auto block = [](std::uint32_t b) { return LocalBlock(b); };
  const NaiveEdges reversed = naive_reversed(edges);
  for (std::uint32_t b = 0; b < edges.size(); ++b) {
    std::vector<std::uint32_t> to, from;
    for (const LocalBlock s : graph.successors(block(b))) to.push_back(s.raw);
    for (const LocalBlock p : graph.predecessors(block(b))) from.push_back(p.raw);
    std::vector<std::uint32_t> expected = edges[b];
    std::sort(to.begin(), to.end());
    std::sort(expected.begin(), expected.end());
    if (to != expected) return "successors of block " + std::to_string(b);
    if (from != reversed[b]) return "predecessors of block " + std::to_string(b);
  }
  const NaiveSet reached = naive_flood(edges, {0}, -1);
  std::size_t reached_count = 0;
  for (std::uint32_t b = 0; b < edges.size(); ++b) {
    if (graph.is_reachable(block(b)) != (reached[b] != 0)) return "reachability of block " + std::to_string(b);
    reached_count += reached[b] != 0 ? 1 : 0;
    if (reached[b] != 0 && graph.order()[graph.position(block(b))].raw != b)
      return "place of block " + std::to_string(b);
  }
  if (graph.order().size() != reached_count) return "length of the order";

  const NaiveMatrix dominance = naive_dominance(edges, {0});
  const NaiveMatrix post_dominance = naive_dominance(reversed, naive_exits(edges, graph.order()));
  const struct {
    const DominatorTree& tree;
    const NaiveMatrix& expected;
    std::string name;
  } rows[] = {{graph.dominators(), dominance, "dominance of "},
              {graph.post_dominators(), post_dominance, "post-dominance of "}};
  for (const auto& row : rows) {
    for (std::uint32_t a = 0; a < edges.size(); ++a) {
      std::size_t above = 0;
      for (std::uint32_t b = 0; b < edges.size(); ++b) {
        if (row.tree.dominates(block(a), block(b)) != (row.expected[a][b] != 0)) {
          return row.name + std::to_string(a) + " over " + std::to_string(b);
        }
        above += row.expected[b][a] != 0 && b != a ? 1 : 0;
      }
      // The parent is the strict dominator that all other strict dominators dominate.
      const LocalBlock parent = row.tree.parent(block(a));
      if (parent.is_none() != (above == 0)) return row.name + "parent of " + std::to_string(a);
      if (parent.is_none()) continue;
      for (std::uint32_t b = 0; b < edges.size(); ++b) {
        if (b != a && row.expected[b][a] != 0 && row.expected[b][parent.index()] == 0) {
          return row.name + "parent of " + std::to_string(a);
        }
      }
    }
  }
  // Every cycle has a back edge, and without back edges the order is topological.
  for (const LocalBlock b : graph.order()) {
    for (const LocalBlock to : graph.successors(b)) {
      if (graph.is_back_edge({b, to}) != (graph.position(to) <= graph.position(b))) return "back edges";
      if (dominance[to.index()][b.index()] != 0 && !graph.is_back_edge({b, to})) return "an edge to a dominator";
    }
  }
  return {};
}

/// How constructs are compared. Exact: with the sets of specification 2.11.2, for valid functions. Tree: with the
/// guarantees of control_flow.h for any function.
enum class NaiveConstructs : std::uint8_t { Exact, Tree };

/// Describes the first wrong construct; empty if all are right.
inline std::string naive_construct_fault(const ControlFlow& flow, const NaiveFlow& naive, NaiveConstructs how) {
  using Kind = Construct::Kind;
  const std::size_t count = naive.plain.size();
  const NaiveMatrix dominance = naive_dominance(naive.structural, {0});
  const NaiveMatrix post =
      naive_dominance(naive_reversed(naive.structural), naive_exits(naive.structural, flow.structural().order()));
  std::size_t expected_count = 0;
  for (std::size_t b = 0; b < count; ++b) {
    if (dominance[b][b] != 0 && naive.merges[b].has) ++expected_count;
  }
  for (std::uint32_t i = 0; i < flow.constructs().size(); ++i) {
    const Construct& construct = flow.construct(ConstructIndex(i));
    const auto header = construct.header.raw;
    if (construct.kind == Kind::Selection || construct.kind == Kind::Switch || construct.kind == Kind::Loop)
      --expected_count;
    if (!construct.parent.is_none() && construct.parent.raw >= i) return "a parent after its child";
    const std::int64_t merge = construct.merge.is_none() ? -1 : std::int64_t{construct.merge.raw};
    const std::int64_t on = construct.continue_target.is_none() ? -1 : std::int64_t{construct.continue_target.raw};
    const auto is_below = [&](std::int64_t a, std::size_t b) {
      return a >= 0 && dominance[static_cast<std::size_t>(a)][b] != 0;
    };
    // A merge block that its header does not dominate ends no construct (Tree); valid functions have none.
    std::uint32_t owner = header;
    for (std::uint32_t h = 0; h < count; ++h) {
      const NaiveMerge& m = naive.merges[h];
      if (construct.kind == Kind::Continue && m.is_loop && m.continue_target == header && m.merge == merge &&
          is_below(h, header))
        owner = h;
      if (construct.kind == Kind::Case && m.has && m.merge == merge && is_below(h, header) && h != header &&
          naive.terminators[h] == Op::OpSwitch)
        owner = h;
    }
    const bool merge_ends =
        is_below(owner, static_cast<std::size_t>(std::max<std::int64_t>(merge, 0))) && merge >= 0 && merge != owner;
    const bool continue_begins =
        construct.kind == Kind::Loop && on >= 0 && is_below(header, static_cast<std::size_t>(on));
    for (std::size_t b = 0; b < count; ++b) {
      bool expected = dominance[header][b] != 0 && !(merge_ends && is_below(merge, b));
      if (continue_begins && is_below(on, b)) expected = false;
      if (how == NaiveConstructs::Exact && construct.kind == Kind::Continue) {
        // Dominated by the continue target and post-dominated by the block of the back edge.
        expected = false;
        for (std::size_t latch = 0; latch < count; ++latch) {
          const std::vector<std::uint32_t>& to = naive.plain[latch];
          if (std::find(to.begin(), to.end(), owner) == to.end() || !is_below(owner, latch)) continue;
          expected = expected || (dominance[header][b] != 0 && post[latch][b] != 0);
        }
      }
      if (flow.has(ConstructIndex(i), LocalBlock(b)) != expected) {
        return "construct " + std::to_string(i) + " of kind " + std::to_string(static_cast<int>(construct.kind)) +
               " headed by block " + std::to_string(header) + ": block " + std::to_string(b) +
               (expected ? " is missing" : " is too much");
      }
    }
  }
  if (expected_count != 0) return "as many constructs as headers";
  // The innermost construct of a block contains the block and is contained in all other constructs of the block.
  for (std::uint32_t b = 0; b < count; ++b) {
    for (std::uint32_t i = 0; i < flow.constructs().size(); ++i) {
      const ConstructIndex inner = flow.innermost(LocalBlock(b));
      if (flow.has(ConstructIndex(i), LocalBlock(b)) &&
          (inner.is_none() || !flow.is_within(inner, ConstructIndex(i)))) {
        return "innermost construct of block " + std::to_string(b);
      }
    }
  }
  return {};
}

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// Writes control-flow graphs in the DOT language (vireo/spirv/inspect/dot.h).
//
// Each function is a graph, so that Graphviz lays it out alone, and is written in two passes. The first
// one writes the clusters of its constructs with their nodes, in structural order: Graphviz places nodes in the order in
// which it reads them. The second one writes the edges.
//
// Source: specification 2.2.5 (blocks), 2.11 (structured control flow), 3.42.17 (control-flow instructions).
#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "spirv/inspect/graphs/branch_edges.h"
#include "spirv/inspect/graphs/construct_tree.h"
#include "spirv/inspect/graphs/dot_style.h"
#include "spirv/inspect/graphs/dot_text.h"
#include "spirv/inspect/graphs/drawn_module.h"
#include "spirv/rules.h"
#include "support/counted.h"
#include "vireo/spirv/binary/reader.h"
#include "vireo/spirv/binary/views/control_flow.h"
#include "vireo/spirv/binary/views/function.h"
#include "vireo/spirv/grammar/enum_names.h"
#include "vireo/spirv/inspect/dot.h"
#include "vireo/support/id_map.h"

namespace vireo::spirv {
namespace {

constexpr std::size_t most_calls = 4;            // names of callees in the label of a block
constexpr std::size_t longest_source = 60;       // characters
constexpr std::size_t longest_instruction = 96;  // characters

constexpr NodeStyle entry_style = {"", "#ddf4ff", "#0969da", 2};
constexpr NodeStyle unreachable_style = {"rounded,filled,dashed", "#f6f8fa", "#9aa4ad"};
constexpr NodeStyle broken_style = {"filled,dashed", "#ffebe9", "#c4342c"};
constexpr NodeStyle folded_style = {"filled", "#eaeef2", "#57606a"};

// Terminators that leave the function or the invocation: the word in the label, and the style of the block.
struct ExitRow {
  Op opcode;
  std::string_view word;
  NodeStyle style;
};
// clang-format off
constexpr ExitRow exit_rows[] = {
    {Op::OpReturn,                "return",               {"", "#dafbe1", "#1a7f37"}},
    {Op::OpReturnValue,           "return",               {"", "#dafbe1", "#1a7f37"}},
    {Op::OpKill,                  "kill",                 {"", "#ffebe9", "#c4342c"}},
    {Op::OpTerminateInvocation,   "terminate invocation", {"", "#ffebe9", "#c4342c"}},
    {Op::OpIgnoreIntersectionKHR, "ignore intersection",  {"", "#ffebe9", "#c4342c"}},
    {Op::OpTerminateRayKHR,       "terminate ray",        {"", "#ffebe9", "#c4342c"}},
    {Op::OpEmitMeshTasksEXT,      "emit mesh tasks",      {"", "#dafbe1", "#1a7f37"}},
    {Op::OpUnreachable,           "OpUnreachable",        {"", "#f6f8fa", "#9aa4ad"}},
};
// clang-format on

const ExitRow* exit_of(Op opcode) {
  const auto* const row = std::ranges::find(exit_rows, opcode, &ExitRow::opcode);
  return row == std::end(exit_rows) ? nullptr : row;
}

// The number of nodes for each function: the largest functions are folded first. Every function has at least one.
std::vector<std::uint32_t> share_nodes(const std::vector<std::uint32_t>& sizes, std::uint32_t limit) {
  if (limit == 0) return std::vector<std::uint32_t>(sizes.size(), 0);
  std::vector<std::uint32_t> ascending = sizes;
  std::ranges::sort(ascending);
  std::uint64_t left = limit;
  std::uint32_t most = 1;
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    most = static_cast<std::uint32_t>(std::max<std::uint64_t>(left / (ascending.size() - i), 1));
    if (ascending[i] > most) break;
    left -= std::min<std::uint64_t>(left, ascending[i]);
  }
  return std::vector<std::uint32_t>(sizes.size(), most);
}

struct FlowEdgeToDraw {
  std::uint32_t from = 0, to = 0;  // nodes
  EdgeKind kind = EdgeKind::Jump;
  std::string label;
};

class ControlFlowDot {
 public:
  ControlFlowDot(DrawnModule& drawn, TextSink& sink, Diagnostics& diagnostics)
      : drawn_(drawn), module_(drawn.module()), dot_(sink), diagnostics_(diagnostics) {}

  bool write(std::vector<FunctionIndex> functions) {
    // Each function needs at least one node.
    const std::uint32_t limit = drawn_.options().limits.nodes;
    const std::size_t others = limit != 0 && functions.size() > limit ? functions.size() - limit + 1 : 0;
    functions.resize(functions.size() - others);
    std::vector<std::uint32_t> sizes;
    sizes.reserve(functions.size());
    for (const FunctionIndex f : functions) sizes.push_back(std::max(function_row(f).block_count, 1u));
    const std::vector<std::uint32_t> shares = share_nodes(sizes, limit);
    for (std::size_t i = 0; i < functions.size() && dot_.ok(); ++i) write_function(functions[i], shares[i]);
    if (functions.empty()) write_message("no function has a body");
    if (others != 0) {
      const std::string text = counted(others, "more function");
      write_message("… " + text);
      diagnostics_.report(
          {.rule = rule::folded_graph, .severity = Severity::Note, .message = "the picture omits " + text});
    }
    report_folding();
    return dot_.finish();
  }

 private:
  [[nodiscard]] const FunctionRow& function_row(FunctionIndex f) const { return module_.functions()[f.index()]; }

  void write_function(FunctionIndex index, std::uint32_t most_nodes) {
    const FunctionRow& function = function_row(index);
    function_ = index;
    bad_targets_.clear();
    begin_graph(dot_, drawn_.title_of(function));
    write_function_label(index);
    if (function.is_declaration()) {
      dot_.line(1).raw("f").number(index.raw).raw(R"( [label="no body", style="filled,dashed", fillcolor="#f6f8fa"];)");
    } else {
      flow_.read(module_, function, PostDominators::OfLoops);
      report_faults();
      tree_.read(flow_, drawn_.options().limits.depth, most_nodes);
      write_nodes();
      write_edges();
      label_folding();
    }
    dot_.raw("\n}\n");
  }

  void write_message(std::string_view text) {
    begin_graph(dot_, "");
    dot_.line(1).raw(R"(message [shape=note, style=filled, fillcolor="#fff8c5", color="#d4a72c", label=)").quoted(text);
    dot_.raw("];\n}\n");
  }

  void write_function_label(FunctionIndex index) {
    const FunctionRow& function = function_row(index);
    std::string facts = drawn_.signature_of(function);
    for (const std::string& role : drawn_.roles_of(index)) facts.append(facts.empty() ? "" : " · ").append(role);
    if (!function.is_declaration()) {
      facts.append(facts.empty() ? "" : " · ").append(counted(function.block_count, "block")).append(" · ");
      facts.append(counted(drawn_.count_instructions(function.all), "instruction"));
    }
    dot_.line(1).raw("label=<<B><FONT POINT-SIZE=\"14\">").html(drawn_.label_of(function)).raw("</FONT></B>");
    dot_.raw("<BR ALIGN=\"LEFT\"/>").raw(gray_open).html(facts, 2 * DotText::longest_text).raw(gray_close);
    dot_.raw("<BR ALIGN=\"LEFT\"/><FONT POINT-SIZE=\"5\">&#160;</FONT>>;");
  }

  // --- nodes ---

  // Writes the clusters with an explicit stack, because constructs can nest as deeply as a module has blocks.
  void write_nodes() {
    struct Frame {
      ConstructIndex construct;
      std::size_t next_child = 0;
    };
    std::vector<Frame> stack = {{ConstructIndex::none()}};
    write_blocks(ConstructIndex::none(), 1);
    while (!stack.empty()) {
      const std::span<const ConstructIndex> children = tree_.children(stack.back().construct);
      if (stack.back().next_child == children.size()) {
        stack.pop_back();
        if (!stack.empty()) dot_.line(stack.size()).raw("}");
        continue;
      }
      const ConstructIndex child = children[stack.back().next_child++];
      if (tree_.is_folded(child)) {
        if (!tree_.is_hidden(tree_.node(child))) write_folded(child, stack.size());
        continue;
      }
      open_cluster(child, stack.size());
      stack.push_back({child});
      write_blocks(child, stack.size());
    }
    if (tree_.hidden_blocks() == 0) return;
    begin_node(tree_.rest(), 1).raw("[label=<… ").raw(counted(tree_.hidden_blocks(), "more block")).raw(">");
    write_node_style(folded_style);
    dot_.raw("];");
  }

  void open_cluster(ConstructIndex c, std::size_t depth) {
    const ConstructStyle& style = style_of(shown_kind(c));
    dot_.line(depth).raw("subgraph cluster_f").number(function_.raw).raw("c").number(c.raw).raw(" {");
    dot_.line(depth + 1)
        .raw("label=")
        .quoted(style.word)
        .raw(R"(; style="rounded,filled"; fillcolor=")")
        .raw(style.fill);
    dot_.raw(R"("; color=")").raw(style.border).raw(R"("; fontsize=9; fontcolor="#5f6b76"; margin=8; tooltip=)");
    dot_.quoted(style.word).raw(";");
  }

  // The continue construct of a loop of one block is the whole loop.
  [[nodiscard]] Construct::Kind shown_kind(ConstructIndex c) const {
    const Construct& construct = flow_.construct(c);
    const MergeRow& merge = flow_.merge(construct.header);
    const bool is_loop = merge.kind == MergeRow::Kind::Loop && merge.continue_target == construct.header;
    return construct.kind == Construct::Kind::Continue && is_loop ? Construct::Kind::Loop : construct.kind;
  }

  void write_folded(ConstructIndex c, std::size_t depth) {
    const std::string_view word = style_of(shown_kind(c)).word;
    const std::string name = drawn_.name_of(flow_.block(flow_.construct(c).header).label);
    begin_node(tree_.node(c), depth).raw("[label=<<B>").html(name).raw("</B>&#160;…<BR/>").raw(gray_open);
    dot_.raw(word).raw(", folded: ").raw(counted(tree_.size(c), "block")).raw(gray_close).raw(">, tooltip=");
    dot_.quoted(name + ": " + std::string(word) + ", folded");
    write_node_style(flow_.construct(c).header.raw == 0 ? entry_style : folded_style);
    dot_.raw(", peripheries=2];");
  }

  void write_blocks(ConstructIndex c, std::size_t depth) {
    for (const LocalBlock b : tree_.blocks(c)) {
      if (!tree_.is_hidden(tree_.node(b))) write_block(b, depth);
    }
  }

  void write_block(LocalBlock b, std::size_t depth) {
    const BlockRow& block = flow_.block(b);
    const std::string name = drawn_.name_of(block.label);
    const std::uint32_t count = drawn_.count_instructions(block.all);
    const ExitRow* const exit =
        block.terminator.is_none() ? nullptr : exit_of(module_.instruction(block.terminator).opcode);
    const DrawnModule::SourceLabel source = drawn_.source_of(block);
    std::string state = b.raw == 0 ? "entry" : "";
    const auto add = [&](std::string_view word) { state.append(state.empty() ? "" : ", ").append(word); };
    if (block.terminator.is_none()) add("has no terminator");
    const bool is_reachable = flow_.plain().is_reachable(b);
    // An unreachable block mostly ends with OpUnreachable, which adds nothing.
    if (exit != nullptr && (is_reachable || exit->opcode != Op::OpUnreachable)) add(exit->word);
    if (!is_reachable) add("not reachable");
    // Viewers trim blanks at the start of a text, but each text has its own position: blanks are at the end.
    begin_node(tree_.node(b), depth).raw("[label=<<B>").html(name);
    if (!state.empty()) dot_.raw("&#160;</B>").raw(state);
    else if (!source.lines.empty()) dot_.raw("&#160;&#160;</B>");
    else dot_.raw("</B>");
    if (!source.lines.empty()) {
      if (!state.empty()) dot_.raw("&#160;&#160;");
      dot_.raw(gray_open).html(source.lines).raw(gray_close);
    }
    if (drawn_.options().instructions) {
      write_instructions(block);
    } else {
      dot_.raw("<BR/>").raw(gray_open).raw(counted(count, "instruction"));
      if (!source.text.empty()) {
        dot_.raw("<BR/><FONT FACE=\"monospace\">").html(source.text, longest_source).raw("</FONT>");
      }
      dot_.raw(gray_close);
      write_calls(block);
    }
    dot_.raw(">, tooltip=").quoted(name + ": " + counted(count, "instruction"));
    if (b.raw == 0) write_node_style(entry_style);
    else if (block.terminator.is_none()) write_node_style(broken_style);
    else if (!is_reachable) write_node_style(unreachable_style);
    else if (exit != nullptr) write_node_style(exit->style);
    dot_.raw("];");
  }

  void write_instructions(const BlockRow& block) {
    const std::uint32_t most = drawn_.options().limits.instructions;
    const std::uint32_t count = drawn_.count_instructions(block.all);
    // The last lines stay visible: they are the merge instruction and the terminator.
    constexpr std::uint32_t most_at_end = 3;
    const bool is_cut = most != 0 && count > most;
    const std::uint32_t head = is_cut ? most - std::min(most, most_at_end) : count;
    const std::uint32_t tail = is_cut ? count - std::min(most, most_at_end) : count;
    dot_.raw("<BR ALIGN=\"LEFT\"/><FONT FACE=\"monospace\" POINT-SIZE=\"9\">");
    std::uint32_t at = 0;
    for (const auto [index, view] : module_.instructions(block.all)) {
      if (view.opcode == Op::OpLabel || drawn_.is_debug(view)) continue;
      if (at < head || at >= tail) dot_.html(drawn_.text_of(index), longest_instruction).raw("<BR ALIGN=\"LEFT\"/>");
      if (is_cut && at == head) {
        dot_.raw("… ").raw(counted(tail - head, "more instruction")).raw("<BR ALIGN=\"LEFT\"/>");
        left_out_ += tail - head;
      }
      ++at;
    }
    dot_.raw("</FONT>");
  }

  void write_calls(const BlockRow& block) {
    std::vector<Word> callees;
    for (const InstructionView view : module_.views(block.all)) {
      const auto call = as<Op::OpFunctionCall>(view);
      if (call && std::ranges::find(callees, call->function().id) == callees.end()) callees.push_back(call->function());
      if (callees.size() > most_calls) break;
    }
    for (std::size_t i = 0; i < callees.size(); ++i) {
      if (i == 0) dot_.raw("<BR/>").raw(gray_open).raw("calls ");
      else dot_.raw(", ");
      if (i == most_calls) {
        dot_.raw("…");
        break;
      }
      const FunctionIndex callee = module_.function_of(callees[i]);
      dot_.html(callee.is_none() ? drawn_.name_of(callees[i]) : drawn_.label_of(function_row(callee)));
    }
    if (!callees.empty()) dot_.raw(gray_close);
  }

  DotText& begin_node(std::uint32_t node, std::size_t depth) {
    dot_.line(depth);
    write_node_id(node);
    return dot_.raw(" ");
  }

  // Blocks have the number that they have in the module; other nodes have a number in their function.
  void write_node_id(std::uint32_t node) {
    if (node < flow_.block_count()) {
      dot_.raw("b").number(std::uint64_t{function_row(function_).first_block} + node);
    } else {
      dot_.raw("f").number(function_.raw).raw("n").number(node - flow_.block_count());
    }
  }

  void write_node_style(const NodeStyle& style) {
    if (!style.style.empty()) dot_.raw(", style=").quoted(style.style);
    dot_.raw(", fillcolor=").quoted(style.fill).raw(", color=").quoted(style.border);
    if (style.width > 1) dot_.raw(", penwidth=2");
  }

  // --- edges ---

  void write_edges() {
    edges_.clear();
    BranchEdges branches(module_, flow_);
    for (std::uint32_t b = 0; b < flow_.block_count(); ++b) {
      const std::uint32_t from = tree_.node_with(LocalBlock(b));
      // The labels of edges from folded blocks would not say which condition they belong to.
      const bool is_exact = from == tree_.node(LocalBlock(b));
      for (const BranchEdge& edge : branches.of(LocalBlock(b))) {
        const std::uint32_t to = edge.to.is_none() ? bad_target(edge.target) : tree_.node_with(edge.to);
        if (!is_exact && (from == to || edge.kind == EdgeKind::Merge || edge.kind == EdgeKind::ContinueTarget))
          continue;
        const bool is_special = edge.kind >= EdgeKind::Break;
        const EdgeKind kind = is_exact || is_special ? edge.kind : EdgeKind::Jump;
        edges_.push_back({from, to, kind, is_exact ? edge.label : std::string()});
      }
    }
    if (tree_.folded_constructs() != 0 || tree_.hidden_blocks() != 0) remove_duplicates();
    for (const FlowEdgeToDraw& edge : edges_) write_edge(edge);
  }

  void remove_duplicates() {
    const auto key = [](const FlowEdgeToDraw& e) { return std::tie(e.from, e.to, e.kind, e.label); };
    std::ranges::stable_sort(edges_, [&](const auto& a, const auto& b) { return key(a) < key(b); });
    const auto end =
        std::unique(edges_.begin(), edges_.end(), [&](const auto& a, const auto& b) { return key(a) == key(b); });
    edges_.erase(end, edges_.end());
  }

  void write_edge(const FlowEdgeToDraw& edge) {
    dot_.line(1);
    write_node_id(edge.from);
    dot_.raw(" -> ");
    write_node_id(edge.to);
    const std::string_view role = role_of(edge.kind);
    if (edge.kind != EdgeKind::Jump || !edge.label.empty()) {
      dot_.raw(" [");
      // A short role beside a condition; the styles of the other kinds suffice.
      std::string label = edge.label;
      if (!role.empty()) label.append(label.empty() ? "" : ", ").append(role);
      if (!label.empty()) dot_.raw("label=").quoted(" " + label + " ").raw(", ");
      write_edge_style(dot_, edge.kind);
      dot_.raw("]");
    }
    dot_.raw(";");
  }

  // A node for a target that is not a block; one for each id.
  std::uint32_t bad_target(Word id) {
    const auto next = tree_.rest() + 1 + static_cast<std::uint32_t>(bad_targets_.size());
    const auto [found, is_new] = bad_targets_.try_emplace(id, next);
    const std::uint32_t node = found->second;
    if (!is_new) return node;
    begin_node(node, 1).raw("[label=<<B>").html(drawn_.name_of(id)).raw("</B><BR/>not a block of this function>");
    write_node_style(broken_style);
    dot_.raw("];");
    return node;
  }

  // --- diagnostics ---

  void report_faults() {
    for (const BadTarget& bad : flow_.bad_targets()) {
      const std::string_view opcode = name_of(module_.instruction(bad.instruction).opcode);
      diagnostics_.warning(
          rule::target_block, module_.location_of(bad.instruction, bad.word),
          std::string(opcode) + " refers to " + drawn_.name_of(bad.id) + ", which is not a block of the function");
    }
    for (std::uint32_t b = 0; b < flow_.block_count(); ++b) {
      const BlockRow& block = flow_.block(LocalBlock(b));
      if (!block.terminator.is_none()) continue;
      diagnostics_.warning(rule::block_not_ended, module_.location_of(InstructionIndex(block.all.first)),
                           "block " + drawn_.name_of(block.label) + " has no terminator");
    }
  }

  // The parts that the limits left out.
  struct Folded {
    std::uint64_t constructs = 0, blocks = 0, hidden = 0, instructions = 0;
    std::size_t functions = 0;
    [[nodiscard]] std::string text() const {
      std::string text;
      const auto add = [&](const std::string& part) { text.append(text.empty() ? "" : ", ").append(part); };
      if (constructs != 0) add(counted(constructs, "construct") + " with " + counted(blocks, "block"));
      if (hidden != 0) add(counted(hidden, "further block"));
      if (instructions != 0) add(counted(instructions, "instruction"));
      return text;
    }
  };

  void label_folding() {
    const Folded folded = {tree_.folded_constructs(), tree_.folded_blocks(), tree_.hidden_blocks(), left_out_, 1};
    left_out_ = 0;
    const std::string text = folded.text();
    if (text.empty()) return;
    dot_.line(1).raw("f").number(function_.raw).raw("folded [shape=note, style=filled, fillcolor=\"#fff8c5\",");
    dot_.raw(" color=\"#d4a72c\", label=<folded: ").html(text).raw(">];");
    all_folded_.constructs += folded.constructs;
    all_folded_.blocks += folded.blocks;
    all_folded_.hidden += folded.hidden;
    all_folded_.instructions += folded.instructions;
    ++all_folded_.functions;
  }

  void report_folding() {
    if (all_folded_.functions == 0) return;
    std::string message = "the picture folds " + all_folded_.text();
    if (all_folded_.functions > 1) message += " of " + counted(all_folded_.functions, "function");
    diagnostics_.report({.rule = rule::folded_graph, .severity = Severity::Note, .message = std::move(message)});
  }

  DrawnModule& drawn_;
  const Module& module_;
  DotText dot_;
  Diagnostics& diagnostics_;
  FunctionIndex function_;
  ControlFlow flow_;
  ConstructTree tree_;
  IdMap<std::uint32_t> bad_targets_;  // the node of each
  std::vector<FlowEdgeToDraw> edges_;
  std::uint64_t left_out_ = 0;  // instructions of the current function
  Folded all_folded_;
};

}  // namespace

bool write_control_flow_graph(Words words, const DotOptions& options, TextSink& sink, Diagnostics& diagnostics) {
  if (!read_header(words, diagnostics)) return false;
  DrawnModule drawn(words, options);
  std::optional<std::vector<FunctionIndex>> functions = drawn.chosen_functions(diagnostics);
  if (!functions) return false;
  const bool is_complete = report_incomplete(drawn.module(), diagnostics);
  // Without a choice, declarations would only add frames without contents.
  if (options.functions.empty()) {
    std::erase_if(*functions, [&](FunctionIndex f) { return drawn.module().functions()[f.index()].is_declaration(); });
  }
  return ControlFlowDot(drawn, sink, diagnostics).write(*functions) && is_complete;
}

}  // namespace vireo::spirv

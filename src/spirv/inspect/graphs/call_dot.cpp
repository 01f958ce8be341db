// SPDX-License-Identifier: Apache-2.0
//
// Writes the static call graph in the DOT language (vireo/spirv/inspect/dot.h).
//
// An edge represents all calls of one kind between two functions, with their number. The kinds are the
// opcodes of CallGraph: OpFunctionCall, OpEnqueueKernel, …
//
// Source: specification 2.16.1 (static call graph, recursion), 2.8 (entry points), 2.13 (linkage).
#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "spirv/inspect/graphs/dot_style.h"
#include "spirv/inspect/graphs/dot_text.h"
#include "spirv/inspect/graphs/drawn_module.h"
#include "spirv/rules.h"
#include "support/counted.h"
#include "vireo/spirv/binary/reader.h"
#include "vireo/spirv/grammar/enum_names.h"
#include "vireo/spirv/inspect/dot.h"
#include "vireo/spirv/module/call_graph.h"

namespace vireo::spirv {
namespace {

constexpr NodeStyle entry_function_style = {"rounded,filled", "#ddf4ff", "#0969da", 2};
constexpr NodeStyle exported_style = {"rounded,filled", "#dafbe1", "#1a7f37", 2};
constexpr NodeStyle declared_style = {"rounded,filled,dashed", "#f6f8fa", "#57606a"};
constexpr NodeStyle unreached_style = {"rounded,filled", "#f6f8fa", "#9aa4ad"};

// Kernels have many parameters; the whole type is in the tooltip.
constexpr std::size_t longest_signature = 48;
constexpr std::size_t most_roles = 6;  // entry points and exports in the label of a function

struct CallEdge {
  FunctionIndex callee;
  Op opcode = Op::OpFunctionCall;
  std::uint32_t first = 0;  // the number of the first call in its caller
  std::uint32_t count = 0;
};

class CallDot {
 public:
  CallDot(const DrawnModule& drawn, TextSink& sink, Diagnostics& diagnostics)
      : drawn_(drawn),
        module_(drawn.module()),
        graph_(drawn.facts().call_graph()),
        dot_(sink),
        diagnostics_(diagnostics) {}

  bool write(const std::vector<FunctionIndex>& functions) {
    choose(functions);
    begin_graph(dot_, "calls");
    // Otherwise functions without calls, such as a thousand kernels, would form one row.
    dot_.line(1).raw("graph [pack=16, packmode=array];");
    // Callers first, so that Graphviz starts its layout with them.
    for (const FunctionIndex f : shown_) write_node(f);
    if (hidden_ != 0) write_rest();
    if (shown_.empty()) dot_.line(1).raw("label=\"the module has no function\";");
    for (const FunctionIndex f : shown_) write_calls(f);
    dot_.raw("\n}\n");
    return dot_.finish();
  }

 private:
  // Shows the chosen functions and those that they call. Beyond the limit, the last ones become one node.
  void choose(const std::vector<FunctionIndex>& functions) {
    const std::size_t count = module_.functions().size();
    std::vector<std::uint8_t> is_wanted(count, 0);
    for (const FunctionIndex f : functions) is_wanted[f.index()] = 1;
    const auto bottom_up = graph_.bottom_up();
    // In this order callers precede callees, except in cycles: one step for each component suffices.
    for (std::size_t c = graph_.component_count(); c-- > 0;) {
      const auto members = graph_.functions_of(ComponentIndex(c));
      if (std::ranges::none_of(members, [&](FunctionIndex f) { return is_wanted[f.index()] != 0; })) continue;
      for (const FunctionIndex f : members) {
        is_wanted[f.index()] = 1;
        for (const CallRow& call : graph_.calls(f)) is_wanted[call.callee.index()] = 1;
      }
    }
    std::size_t wanted = static_cast<std::size_t>(std::ranges::count(is_wanted, 1));
    const std::uint32_t limit = drawn_.options().limits.nodes;
    const std::size_t most = limit == 0 || wanted <= limit ? wanted : limit - 1;
    is_shown_.assign(count, 0);
    for (std::size_t i = bottom_up.size(); i-- > 0 && shown_.size() < most;) {
      if (is_wanted[bottom_up[i].index()] == 0) continue;
      shown_.push_back(bottom_up[i]);
      is_shown_[bottom_up[i].index()] = 1;
    }
    hidden_ = wanted - shown_.size();
  }

  void write_node(FunctionIndex f) {
    const FunctionRow& function = module_.functions()[f.index()];
    dot_.line(1).raw("f").number(f.raw).raw(" [label=<<B>").html(drawn_.label_of(function)).raw("</B>").raw(gray_open);
    const std::string type = drawn_.signature_of(function);
    if (!type.empty()) dot_.raw("<BR/>").html(type, longest_signature);
    if (!function.is_declaration()) {
      dot_.raw("<BR/>").raw(counted(function.block_count, "block")).raw(" · ");
      dot_.raw(counted(drawn_.count_instructions(function.all), "instruction"));
    }
    dot_.raw(gray_close);
    const std::vector<std::string> roles = drawn_.roles_of(f);
    for (std::size_t i = 0; i < std::min(roles.size(), most_roles); ++i) dot_.raw("<BR/>").html(roles[i]);
    if (roles.size() > most_roles) dot_.raw("<BR/>… ").number(roles.size() - most_roles).raw(" more");
    const bool is_entry = !graph_.entries_of(f).empty(), is_exported = drawn_.is_exported(function);
    const bool is_unreached = !graph_.is_reached(f) && !graph_.entries().empty() && !is_exported;
    if (is_unreached) dot_.raw("<BR/>not called from an entry point");
    if (graph_.is_recursive(f)) dot_.raw("<BR/><FONT COLOR=\"#c4342c\">recursive</FONT>");
    dot_.raw(">, tooltip=").quoted(drawn_.title_of(function) + (type.empty() ? "" : ": " + type));
    if (is_entry) write_style(entry_function_style);
    else if (is_exported) write_style(exported_style);
    else if (function.is_declaration()) write_style(declared_style);
    else if (is_unreached) write_style(unreached_style);
    dot_.raw("];");
  }

  void write_style(const NodeStyle& style) {
    dot_.raw(", style=").quoted(style.style).raw(", fillcolor=").quoted(style.fill);
    dot_.raw(", color=").quoted(style.border);
    if (style.width > 1) dot_.raw(", penwidth=2");
  }

  void write_rest() {
    const std::string text = counted(hidden_, "more function");
    dot_.line(1).raw("rest [label=<… ").raw(text).raw(R"(>, style=filled, fillcolor="#fff8c5", color="#d4a72c"];)");
    diagnostics_.report({.rule = rule::folded_graph,
                         .severity = Severity::Note,
                         .message = "the picture of calls folds " + counted(hidden_, "function")});
  }

  void write_calls(FunctionIndex caller) {
    edges_.clear();
    bool calls_hidden = false;
    for (const CallRow& call : graph_.calls(caller)) {
      if (is_shown_[call.callee.index()] == 0) {
        calls_hidden = true;
        continue;
      }
      edges_.push_back({call.callee, module_.instruction(call.instruction).opcode, call.instruction.raw, 1});
    }
    if (calls_hidden) dot_.line(1).raw("f").number(caller.raw).raw(" -> rest [style=dotted];");
    std::ranges::sort(edges_, [](const CallEdge& a, const CallEdge& b) {
      return std::tie(a.callee, a.opcode, a.first) < std::tie(b.callee, b.opcode, b.first);
    });
    std::size_t kept = 0;  // not beyond the edge that is read
    for (const CallEdge edge : edges_) {
      const bool is_repeated =
          kept != 0 && edges_[kept - 1].callee == edge.callee && edges_[kept - 1].opcode == edge.opcode;
      if (is_repeated) ++edges_[kept - 1].count;
      else edges_[kept++] = edge;
    }
    edges_.resize(kept);
    std::ranges::sort(edges_, {}, &CallEdge::first);  // the order of the words
    for (const CallEdge& edge : edges_) write_edge(caller, edge);
  }

  void write_edge(FunctionIndex caller, const CallEdge& edge) {
    dot_.line(1).raw("f").number(caller.raw).raw(" -> f").number(edge.callee.raw);
    const bool is_cycle = graph_.component(caller) == graph_.component(edge.callee);
    std::string label;
    if (edge.opcode != Op::OpFunctionCall) label = to_string(edge.opcode).substr(2);  // without "Op"
    if (edge.count > 1) label.append(label.empty() ? "" : " ").append("×").append(std::to_string(edge.count));
    std::string attributes;
    const auto add = [&](std::string_view text) { attributes.append(attributes.empty() ? "" : ", ").append(text); };
    if (edge.opcode != Op::OpFunctionCall) add("style=dashed");
    if (is_cycle) add(R"(color="#c4342c", fontcolor="#c4342c", penwidth=2)");
    if (!label.empty() || !attributes.empty()) {
      dot_.raw(" [");
      if (!label.empty()) dot_.raw("label=").quoted(" " + label + " ").raw(attributes.empty() ? "" : ", ");
      dot_.raw(attributes).raw("]");
    }
    dot_.raw(";");
  }

  const DrawnModule& drawn_;
  const Module& module_;
  const CallGraph& graph_;
  DotText dot_;
  Diagnostics& diagnostics_;
  std::vector<FunctionIndex> shown_;  // callers before callees
  std::vector<std::uint8_t> is_shown_;
  std::size_t hidden_ = 0;
  std::vector<CallEdge> edges_;
};

}  // namespace

bool write_call_graph(Words words, const DotOptions& options, TextSink& sink, Diagnostics& diagnostics) {
  if (!read_header(words, diagnostics)) return false;
  const DrawnModule drawn(words, options);
  const std::optional<std::vector<FunctionIndex>> functions = drawn.chosen_functions(diagnostics);
  if (!functions) return false;
  const bool is_complete = report_incomplete(drawn.module(), diagnostics);
  return CallDot(drawn, sink, diagnostics).write(*functions) && is_complete;
}

}  // namespace vireo::spirv

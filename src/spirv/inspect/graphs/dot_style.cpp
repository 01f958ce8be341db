// SPDX-License-Identifier: Apache-2.0
//
// The tables of styles. Colours differ in lightness as well as in hue, and each kind of edge also has a label or a dash
// pattern, so the pictures are readable without colours. Back edges do not affect the ranks of nodes: without them the
// graph has no cycle, so headers are above the blocks of their constructs and the entry block is at the top.
#include "spirv/inspect/graphs/dot_style.h"

namespace vireo::spirv {
namespace {

struct EdgeStyle {
  EdgeKind kind;
  std::string_view role;
  std::string_view attributes;
};

// clang-format off
constexpr std::string_view dotted = R"(color="#9aa4ad", fontcolor="#9aa4ad", style=dotted, arrowhead=vee, weight=0)";
constexpr EdgeStyle edge_styles[] = {  // by kind
    {EdgeKind::Jump,           "",         ""},
    {EdgeKind::True,           "",         R"(color="#1a7f37", fontcolor="#1a7f37")"},
    {EdgeKind::False,          "",         R"(color="#c4342c", fontcolor="#c4342c")"},
    {EdgeKind::Case,           "",         R"(color="#1f6feb", fontcolor="#1f6feb")"},
    {EdgeKind::Default,        "",         R"(color="#6a737d", fontcolor="#6a737d")"},
    {EdgeKind::Both,           "",         R"(color="#1f6feb", fontcolor="#1f6feb")"},
    {EdgeKind::Break,          "break",    R"(color="#b35900", fontcolor="#b35900", style=dashed)"},
    {EdgeKind::Continue,       "continue", R"(color="#00798c", fontcolor="#00798c", style=dashed)"},
    {EdgeKind::Back,           "back",     R"(color="#7b3fa0", fontcolor="#7b3fa0", penwidth=2, constraint=false)"},
    {EdgeKind::Unreachable,    "",         R"(color="#9aa4ad", fontcolor="#9aa4ad", style=dashed)"},
    {EdgeKind::Merge,          "merge",    dotted},
    {EdgeKind::ContinueTarget, "continue target", dotted},
};

constexpr ConstructStyle construct_styles[] = {  // by kind
    {Construct::Kind::Selection, "selection", "#f3f6fa", "#9fb3c8"},
    {Construct::Kind::Switch,    "switch",    "#fdf6e9", "#d8b169"},
    {Construct::Kind::Loop,      "loop",      "#f4effa", "#a98bc9"},
    {Construct::Kind::Continue,  "continue",  "#e9e0f3", "#a98bc9"},
    {Construct::Kind::Case,      "case",      "#fffbf2", "#e3cb97"},
};
// clang-format on

template <typename Rows>
constexpr bool are_in_order(const Rows& rows) {
  std::size_t i = 0;
  for (const auto& row : rows) {
    if (static_cast<std::size_t>(row.kind) != i++) return false;
  }
  return true;
}
static_assert(are_in_order(edge_styles) && are_in_order(construct_styles));

const EdgeStyle& row_of_edge(EdgeKind kind) { return edge_styles[static_cast<std::size_t>(kind)]; }

}  // namespace

void begin_graph(DotText& dot, std::string_view name) {
  dot.raw("digraph ").quoted(name).raw(" {");
  dot.line(1).raw(R"(graph [fontname="Helvetica,Arial,sans-serif", fontsize=11, fontcolor="#24292f", labelloc=t,)");
  dot.raw(" labeljust=l, bgcolor=white, pad=0.2, nodesep=0.3, ranksep=0.35];");
  dot.line(1).raw(R"(node [fontname="Helvetica,Arial,sans-serif", fontsize=11, fontcolor="#24292f", shape=box,)");
  dot.raw(R"( style="rounded,filled", fillcolor=white, color="#57606a", margin="0.12,0.06", height=0.3, width=0.4];)");
  dot.line(1).raw(R"(edge [fontname="Helvetica,Arial,sans-serif", fontsize=9, color="#57606a", fontcolor="#57606a",)");
  dot.raw(" arrowsize=0.7];");
}

void write_edge_style(DotText& dot, EdgeKind kind) { dot.raw(row_of_edge(kind).attributes); }

std::string_view role_of(EdgeKind kind) { return row_of_edge(kind).role; }

const ConstructStyle& style_of(Construct::Kind kind) { return construct_styles[static_cast<std::size_t>(kind)]; }

}  // namespace vireo::spirv

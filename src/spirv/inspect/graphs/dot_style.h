// SPDX-License-Identifier: Apache-2.0
//
// Colours and fonts of pictures, and parts that both kinds of pictures share.
#pragma once

#include <string_view>

#include "spirv/inspect/graphs/branch_edges.h"
#include "spirv/inspect/graphs/dot_text.h"
#include "vireo/spirv/module/control_flow.h"

namespace vireo::spirv {

inline constexpr std::string_view gray_open = "<FONT POINT-SIZE=\"9\" COLOR=\"#5f6b76\">";
inline constexpr std::string_view gray_close = "</FONT>";

/// The style of a kind of node. `style` and the colours are attributes of DOT.
struct NodeStyle {
  std::string_view style, fill, border;
  double width = 1;  ///< of the border
};

/// Begins a graph with the default attributes of its parts.
void begin_graph(DotText& dot, std::string_view name);

/// The attributes of an edge, without brackets; a kind without attributes writes none.
void write_edge_style(DotText& dot, EdgeKind kind);
/// A word that describes the kind and is not in the edge's label: "break"; may be empty.
std::string_view role_of(EdgeKind kind);

/// The word for a construct, and its colours.
struct ConstructStyle {
  Construct::Kind kind;
  std::string_view word, fill, border;
};
const ConstructStyle& style_of(Construct::Kind kind);

}  // namespace vireo::spirv

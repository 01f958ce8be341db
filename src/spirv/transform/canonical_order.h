// SPDX-License-Identifier: Apache-2.0
//
// Canonical orders of the units of a module: they depend neither on ids nor on the order of declarations.
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/transform/unit_graph.h"

namespace vireo::spirv {

/// The strongly connected component of each unit. A component has a higher number than those that it refers to.
std::vector<std::uint32_t> strong_components(const UnitEdges& edges);
/// The same for a graph, whose decorations count as parts of their targets. One more component, after those of the units,
/// is that of the workgroup size: types that depend on it lead to it, and it leads to the constants that state it.
std::vector<std::uint32_t> strong_components(const UnitGraph& graph);

/// A number for each unit, from 0, without gaps.
std::vector<std::uint32_t> canonical_ranks(const UnitGraph& graph, const std::vector<std::uint32_t>& components);

/// The globals in an order by rank in which each definition precedes its uses.
std::vector<UnitIndex> canonical_globals(const UnitGraph& graph, const std::vector<std::uint32_t>& components,
                                         const std::vector<std::uint32_t>& ranks);

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// Short texts that describe declarations, shared by explanations, pages and comparisons.
#pragma once

#include <string>
#include <string_view>

#include "vireo/isa/model.h"

namespace vireo::isa {

/// An expression on one line: each run of white space becomes one blank.
std::string expression_text(const Model& model, ExpressionId id);
/// The condition of an override; empty for a default case.
std::string condition_of(const Model& model, const Case& c);
/// The display of a case with its templates expanded.
std::string display_text(const Model& model, const Case& c);
/// The name of a field's type: "uint", "#register", "#condition".
std::string_view type_name(const Model& model, const Field& field);
/// The bits of a field: "31:16", "4".
std::string bit_range(std::uint32_t low, std::uint32_t width);
/// The params of a field: "SCALE, BYTES as UNIT"; empty if there are none.
std::string params_text(const Model& model, const Field& field);
/// Generations: "all generations", "generation 3", "generations 300 to 499", "up to generation 2", "from generation 600".
std::string gens_text(GenRange gens);

/// The default of a field: "default 2"; empty if there is none.
std::string default_text(const Field& field);
/// The aliases that the assembler accepts for a case's display: "also reads ret, goto ({REG})"; empty if there are
/// none.
std::string aliases_text(const Model& model, const Case& c);

}  // namespace vireo::isa

// SPDX-License-Identifier: Apache-2.0
//
// Lays out graphs with the program `dot` of Graphviz.
//
// The library only writes DOT text; starting another program is a task of the command line. Time and output of the
// program are limited, because its time grows faster than linearly.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "vireo/support/diagnostic.h"
#include "vireo/support/text_writer.h"

namespace vireo::cli {

/// The path of `dot` in one of the folders of PATH; none if it is not installed.
std::optional<std::string> find_graphviz();

/// Runs `program` on graphs in the DOT language and writes one SVG document to the sink, with the pictures one below the
/// other. Returns false and reports an error if the program cannot be started, fails, or takes longer than a minute; the
/// sink is then unchanged.
bool lay_out_as_svg(const std::string& program, std::string_view graph, TextSink& sink, Diagnostics& diagnostics);

/// Joins the SVG documents that `dot` writes for several graphs. Empty if the text has another form.
std::string join_svg(std::string_view documents);

}  // namespace vireo::cli

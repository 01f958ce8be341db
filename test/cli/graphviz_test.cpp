// SPDX-License-Identifier: Apache-2.0
//
// SVG pictures: joined documents, a missing Graphviz, and a layout if it is installed.
#include "cli/inspect/graphviz.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "cli/program.h"

namespace vireo::cli {
namespace {

using testing::HasSubstr;

constexpr std::string_view small_module = R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main"
%void = OpTypeVoid
%fn = OpTypeFunction %void
%main = OpFunction %void None %fn
%entry = OpLabel
%c = OpFunctionCall %void %f
OpReturn
OpFunctionEnd
%f = OpFunction %void None %fn
%only = OpLabel
OpReturn
OpFunctionEnd
)";

constexpr std::string_view one_picture =
    "<?xml version=\"1.0\"?>\n<svg width=\"30pt\" height=\"20pt\"\n viewBox=\"0 0 30 20\"><g id=\"node1\"></g></svg>\n";

class Pictures : public InFolder {};

TEST_F(Pictures, are_joined_one_below_the_other) {
  EXPECT_EQ(join_svg(one_picture), one_picture);
  const std::string joined = join_svg(std::string(one_picture) + std::string(one_picture));
  EXPECT_THAT(joined, HasSubstr("<svg width=\"30pt\" height=\"40pt\" viewBox=\"0 0 30 40\""));
  EXPECT_THAT(joined,
              HasSubstr("<svg x=\"0\" y=\"20\" width=\"30\" height=\"20\" viewBox=\"0 0 30 20\"><g id=\"p2-node1\">"));
  EXPECT_EQ(join_svg(""), "");
  EXPECT_EQ(join_svg("<svg width=\"1pt\" height=\"1pt\">"), "");
  EXPECT_EQ(join_svg("<svg width=\"1pt\"></svg>"), "");
}

TEST_F(Pictures, need_graphviz) {
  const std::string before = std::getenv("PATH");
  ::setenv("PATH", "/nowhere:", 1);
  const Ran ran = call({"vireo", "cfg", "--format=svg", "-o", "a.svg"}, small_module);
  ::setenv("PATH", before.c_str(), 1);
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err, HasSubstr("needs the program 'dot'"));
  EXPECT_THAT(ran.err, HasSubstr("install the package graphviz"));
  EXPECT_FALSE(std::filesystem::exists("a.svg"));
}

TEST_F(Pictures, are_laid_out) {
  if (!find_graphviz()) GTEST_SKIP() << "no Graphviz";
  const Ran ran = call({"vireo", "cfg", "--format=svg"}, small_module);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("%entry"));
  EXPECT_THAT(ran.out, HasSubstr("id=\"p2-"));
  EXPECT_THAT(call({"vireo", "callgraph", "--format=svg"}, small_module).out, HasSubstr("Vertex entry point"));
}

// The picture may be shown with a wider font than the one that Graphviz measures: a box is at least as wide as its text
// in DejaVu Sans Mono, whose characters are 0.602 of the font size wide.
TEST_F(Pictures, leave_room_for_wide_fonts) {
  if (!find_graphviz()) GTEST_SKIP() << "no Graphviz";
  const std::string svg = call({"vireo", "cfg", "--format=svg", "--instructions"}, small_module).out;
  constexpr std::string_view longest = "%c = OpFunctionCall %void %f";
  const std::size_t text = svg.find(longest), shape = svg.rfind(" d=\"M", text);
  ASSERT_NE(text, std::string::npos);
  ASSERT_NE(shape, std::string::npos);
  EXPECT_NE(svg.rfind("font-family=\"monospace\" font-size=\"9\"", text), std::string::npos) << "as in DOT";
  double least = 1e9, most = 0;  // of the x coordinates
  std::string path = svg.substr(shape + 5, svg.find('"', shape + 5) - shape - 5);
  std::replace_if(
      path.begin(), path.end(), [](char c) { return c == 'C'; }, ' ');
  std::istringstream points(path);
  for (std::string point; points >> point;) {
    least = std::min(least, std::stod(point));
    most = std::max(most, std::stod(point));
  }
  EXPECT_GT(most - least, static_cast<double>(longest.size()) * 9 * 0.602 + 16);
}

TEST_F(Pictures, report_a_failed_layout) {
  StringSink sink;
  Diagnostics diagnostics;
  EXPECT_FALSE(lay_out_as_svg("/nowhere/dot", "digraph {}", sink, diagnostics));
  EXPECT_FALSE(lay_out_as_svg("/bin/false", "digraph {}", sink, diagnostics));
  EXPECT_FALSE(lay_out_as_svg("/bin/true", "digraph {}", sink, diagnostics));
  EXPECT_EQ(diagnostics.error_count(), 3u);
  EXPECT_EQ(sink.text(), "");
}

}  // namespace
}  // namespace vireo::cli

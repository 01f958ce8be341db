// SPDX-License-Identifier: Apache-2.0
//
// Pictures of control flow: edges, clusters, folding, names, invalid modules.
//
// A case is the blocks of a function and the lines of its picture without attributes, except for the
// labels of edges. Every picture is also checked for the syntax of DOT.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "spirv/inspect/dot_syntax.h"
#include "spirv/module/assembled.h"
#include "vireo/spirv/inspect/dot.h"

namespace vireo::spirv {
namespace {

using test::assembled;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view flow_globals = R"(
OpCapability Shader
OpCapability Linkage
OpCapability Int64
OpMemoryModel Logical GLSL450
OpName %main "main"
%void = OpTypeVoid
%bool = OpTypeBool
%true = OpConstantTrue %bool
%int = OpTypeInt 32 1
%long = OpTypeInt 64 0
%one = OpConstant %int 1
%big = OpConstant %long 1
%fn = OpTypeFunction %void
%main = OpFunction %void None %fn
)";

struct Drawn {
  bool is_good = false;
  std::string text;
  Diagnostics diagnostics;
};

Drawn draw(Words words, const DotOptions& options = {}) {
  Drawn drawn;
  StringSink sink;
  drawn.is_good = write_control_flow_graph(words, options, sink, drawn.diagnostics);
  drawn.text = sink.text();
  EXPECT_EQ(test::dot_fault(drawn.text), "") << drawn.text;
  return drawn;
}

WordBuffer flow_module(std::string_view blocks) {
  return assembled(std::string(flow_globals) + std::string(blocks) + "OpFunctionEnd\n");
}

// The edges as "b0 -> b1: true", clusters as "loop {", nodes as their ids, with indentation.
std::string outline(std::string_view dot) {
  std::string out;
  std::size_t begin = 0;
  std::string cluster;
  for (std::size_t end = dot.find('\n'); end != std::string_view::npos; begin = end + 1, end = dot.find('\n', begin)) {
    const std::string_view line = dot.substr(begin, end - begin);
    const std::size_t start = line.find_first_not_of(' ');
    if (start == std::string_view::npos || start == 0) continue;
    const std::string_view rest = line.substr(start);
    const std::string indent(start, ' ');
    if (rest.starts_with("graph") || rest.starts_with("node ") || rest.starts_with("edge") ||
        rest.starts_with("label=<"))
      continue;
    if (rest.starts_with("subgraph")) continue;
    const std::size_t label = rest.find("label=\" ");
    if (rest.starts_with("label=\"")) {
      out += indent.substr(2) + std::string(rest.substr(7, rest.find('"', 7) - 7)) + " {\n";
    } else if (rest.find(" -> ") != std::string_view::npos) {
      out += indent + std::string(rest.substr(0, rest.find_first_of("[;")));
      while (out.ends_with(' ')) out.pop_back();
      if (label != std::string_view::npos)
        out += ": " + std::string(rest.substr(label + 8, rest.find(" \"", label + 8) - label - 8));
      out += "\n";
    } else {
      out += indent + std::string(rest.substr(0, rest.find(' '))) + "\n";
    }
  }
  return out;
}

struct FlowCase {
  std::string_view name;
  std::string_view blocks;
  std::string_view outline;
};

constexpr FlowCase flow_cases[] = {
    {"one block", R"(
%b0 = OpLabel
OpReturn
)",
     "  b0\n"},
    {"a selection", R"(
%b0 = OpLabel
OpSelectionMerge %b3 None
OpBranchConditional %true %b1 %b2
%b1 = OpLabel
OpBranch %b3
%b2 = OpLabel
OpBranch %b3
%b3 = OpLabel
OpReturn
)",
     R"(  b3
  selection {
    b0
    b2
    b1
  }
  b0 -> b1: true
  b0 -> b2: false
  b0 -> b3: merge
  b1 -> b3
  b2 -> b3
)"},
    {"a branch to the merge block needs no other edge", R"(
%b0 = OpLabel
OpSelectionMerge %b2 None
OpBranchConditional %true %b1 %b2
%b1 = OpLabel
OpKill
%b2 = OpLabel
OpReturn
)",
     R"(  b2
  selection {
    b0
    b1
  }
  b0 -> b1: true
  b0 -> b2: false
)"},
    {"both targets are one block", R"(
%b0 = OpLabel
OpBranchConditional %true %b1 %b1
%b1 = OpLabel
OpReturn
)",
     R"(  b0
  b1
  b0 -> b1: true, false
)"},
    {"a loop contains its continue construct", R"(
%b0 = OpLabel
OpBranch %b1
%b1 = OpLabel
OpLoopMerge %b5 %b4 None
OpBranchConditional %true %b2 %b5
%b2 = OpLabel
OpSelectionMerge %b3 None
OpBranchConditional %true %b5 %b3
%b3 = OpLabel
OpBranchConditional %true %b4 %b5
%b4 = OpLabel
OpBranch %b1
%b5 = OpLabel
OpReturn
)",
     R"(  b0
  b5
  loop {
    b1
    b3
    selection {
      b2
    }
    continue {
      b4
    }
  }
  b0 -> b1
  b1 -> b2: true
  b1 -> b5: false, break
  b2 -> b5: true, break
  b2 -> b3: false
  b3 -> b4: true, continue
  b3 -> b5: false, break
  b4 -> b1: back
)"},
    {"a loop of one block", R"(
%b0 = OpLabel
OpBranch %b1
%b1 = OpLabel
OpLoopMerge %b2 %b1 None
OpBranchConditional %true %b1 %b2
%b2 = OpLabel
OpReturn
)",
     R"(  b0
  b2
  loop {
    b1
  }
  b0 -> b1
  b1 -> b1: true, back
  b1 -> b2: false, break
)"},
    {"a loop that does not continue", R"(
%b0 = OpLabel
OpBranch %b1
%b1 = OpLabel
OpLoopMerge %b3 %b2 None
OpBranch %b3
%b2 = OpLabel
OpBranch %b1
%b3 = OpLabel
OpReturn
)",
     R"(  b0
  b3
  loop {
    b1
    continue {
      b2
    }
  }
  b0 -> b1
  b1 -> b3: break
  b1 -> b2: continue target
  b2 -> b1
)"},
    {"a switch", R"(
%b0 = OpLabel
OpSelectionMerge %b3 None
OpSwitch %one %b3 -1 %b1 2 %b2 3 %b2
%b1 = OpLabel
OpBranch %b2
%b2 = OpLabel
OpBranch %b3
%b3 = OpLabel
OpReturn
)",
     R"(  b3
  switch {
    b0
    case {
      b1
    }
    case {
      b2
    }
  }
  b0 -> b3: default
  b0 -> b1: case -1
  b0 -> b2: case 2, 3
  b1 -> b2
  b2 -> b3: break
)"},
    {"many literals, of 64 bits", R"(
%b0 = OpLabel
OpSelectionMerge %b2 None
OpSwitch %big %b2 1 %b1 2 %b1 3 %b1 4 %b1 5 %b1 18446744073709551615 %b1 7 %b1
%b1 = OpLabel
OpBranch %b2
%b2 = OpLabel
OpReturn
)",
     R"(  b2
  switch {
    b0
    case {
      b1
    }
  }
  b0 -> b2: default
  b0 -> b1: case 1, 2, 3, 4, 5, 18446744073709551615, … (7 cases)
  b1 -> b2: break
)"},
    {"blocks that are not reachable", R"(
%b0 = OpLabel
OpReturn
%b1 = OpLabel
OpBranch %b2
%b2 = OpLabel
OpBranchConditional %true %b1 %b2
)",
     R"(  b0
  b1
  b2
  b1 -> b2
  b2 -> b1: true
  b2 -> b2: false
)"},
    {"targets that are not blocks", R"(
%b0 = OpLabel
OpSelectionMerge %void None
OpBranchConditional %true %void %lost
)",
     R"(  selection {
    b0
  }
  f0n2
  f0n3
  b0 -> f0n2: true
  b0 -> f0n3: false
)"},
};

class ControlFlowPicture : public testing::TestWithParam<FlowCase> {};

TEST_P(ControlFlowPicture, has_the_nodes_and_edges) {
  const WordBuffer words = flow_module(GetParam().blocks);
  EXPECT_EQ(outline(draw(words).text), GetParam().outline);
}

std::string name_of_flow_case(const testing::TestParamInfo<FlowCase>& row) {
  std::string name(row.param.name);
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}
INSTANTIATE_TEST_SUITE_P(Cases, ControlFlowPicture, testing::ValuesIn(flow_cases), name_of_flow_case);

// --- folding --------------------------------------------------------------------------------------------------------

// Selections nested `depth` times: 2 · depth + 1 blocks.
WordBuffer nested_selections(std::size_t depth) {
  std::string blocks = "%b0 = OpLabel\n";
  for (std::size_t i = 0; i < depth; ++i) {
    const std::string inner = std::to_string(i + 1), merge = "%m" + std::to_string(i);
    blocks += "OpSelectionMerge " + merge + " None\nOpBranchConditional %true %b" + inner + " " + merge + "\n%b" +
              inner + " = OpLabel\n";
  }
  for (std::size_t i = depth; i-- > 0;) {
    const std::string merge = "%m" + std::to_string(i);
    blocks += "OpBranch " + merge + "\n" + merge + " = OpLabel\n";
  }
  return flow_module(blocks + "OpReturn\n");
}

struct LimitCase {
  PictureLimits limits;
  std::size_t clusters, nodes;
  std::string_view note;
};

TEST(ControlFlowPictures, fold_inner_constructs_beyond_a_limit) {
  const WordBuffer words = nested_selections(10);  // 21 blocks
  const LimitCase cases[] = {
      {{0, 0, 0}, 10, 21, ""},
      {{10, 0, 0}, 10, 21, ""},
      {{9, 21, 0}, 9, 21, "the picture folds 1 construct with 2 blocks"},
      {{3, 0, 0}, 3, 9, "the picture folds 1 construct with 14 blocks"},
      {{0, 21, 0}, 10, 21, ""},
      {{0, 8, 0}, 3, 9, "the picture folds 1 construct with 14 blocks"},
      {{0, 2, 0}, 0, 3, "the picture folds 1 construct with 20 blocks"},
      {{0, 1, 0}, 0, 2, "the picture folds 21 further blocks"},
  };
  for (const LimitCase& row : cases) {
    DotOptions options;
    options.limits = row.limits;
    const Drawn drawn = draw(words, options);
    EXPECT_TRUE(drawn.is_good);
    test::DotSyntax syntax(drawn.text);
    EXPECT_EQ(syntax.fault(), "");
    EXPECT_EQ(syntax.clusters, row.clusters);
    EXPECT_EQ(syntax.nodes, row.nodes) << drawn.text;  // a note is a node
    if (row.note.empty()) {
      EXPECT_TRUE(drawn.diagnostics.all().empty());
      continue;
    }
    ASSERT_EQ(drawn.diagnostics.all().size(), 1u);
    EXPECT_EQ(drawn.diagnostics.all()[0].message, row.note);
    EXPECT_EQ(drawn.diagnostics.all()[0].severity, Severity::Note);
    EXPECT_THAT(drawn.text, HasSubstr("<folded: "));
  }
}

TEST(ControlFlowPictures, share_a_limit_between_functions) {
  std::string text(flow_globals);
  text += "%s = OpLabel\nOpReturn\nOpFunctionEnd\n";
  text += "%g = OpFunction %void None %fn\n%g0 = OpLabel\nOpBranch %g1\n%g1 = OpLabel\nOpBranch %g2\n";
  text += "%g2 = OpLabel\nOpBranch %g3\n%g3 = OpLabel\nOpReturn\nOpFunctionEnd\n";
  text += "%h = OpFunction %void None %fn\n%h0 = OpLabel\nOpReturn\nOpFunctionEnd\n";
  const WordBuffer words = assembled(text);
  DotOptions options;
  options.limits.nodes = 4;
  const Drawn drawn = draw(words, options);
  EXPECT_THAT(drawn.text, HasSubstr("… 3 more blocks"));
  ASSERT_EQ(drawn.diagnostics.all().size(), 1u);
  EXPECT_EQ(drawn.diagnostics.all()[0].message, "the picture folds 3 further blocks");
  options.limits.nodes = 2;
  const Drawn fewer = draw(words, options);
  EXPECT_THAT(fewer.text, HasSubstr("… 2 more functions"));
  EXPECT_THAT(fewer.text, Not(HasSubstr("b1 ")));
}

TEST(ControlFlowPictures, grow_linearly_with_nesting_and_blocks) {
  const std::size_t small = draw(nested_selections(500)).text.size(), large = draw(nested_selections(1000)).text.size();
  EXPECT_LT(large, small * 21 / 10);
}

TEST(ControlFlowPictures, show_instructions_up_to_a_limit) {
  const WordBuffer words = flow_module("%b0 = OpLabel\nOpNop\nOpNop\nOpNop\nOpNop\nOpNop\nOpReturn\n");
  EXPECT_THAT(draw(words).text, Not(HasSubstr("OpNop")));
  DotOptions options;
  options.instructions = true;
  EXPECT_THAT(draw(words, options).text, HasSubstr("OpNop<BR ALIGN=\"LEFT\"/>OpReturn"));
  options.limits.instructions = 4;
  const Drawn drawn = draw(words, options);
  EXPECT_THAT(drawn.text, HasSubstr("… 2 more instructions<BR ALIGN=\"LEFT\"/>OpNop<BR ALIGN=\"LEFT\"/>OpNop"));
  EXPECT_EQ(drawn.diagnostics.all()[0].message, "the picture folds 2 instructions");
}

// --- names and choice --------------------------------------------------------------------------------------------------

TEST(ControlFlowPictures, escape_any_name) {
  std::string name;
  for (int c = 1; c < 256; ++c) name.push_back(static_cast<char>(c));
  for (std::size_t i = 0; i < name.size(); i += 16) {
    std::string quoted;
    for (const char c : name.substr(i, 16) + "\xEF\xBF\xBE\xE2\x80\xAE") {
      if (c == '"' || c == '\\') quoted.push_back('\\');
      quoted.push_back(c);
    }
    const WordBuffer words = assembled("OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpName %f \"" + quoted +
                                       "\"\n%v = OpTypeVoid\n%t = OpTypeFunction %v\n%f = OpFunction %v None %t\n%l = "
                                       "OpLabel\n%c = OpFunctionCall %v %f\nOpReturn\nOpFunctionEnd\n");
    EXPECT_THAT(draw(words).text, HasSubstr("digraph")) << quoted;  // draw() checks the syntax
  }
}

TEST(ControlFlowPictures, choose_functions) {
  const WordBuffer words = assembled(R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %f "vs"
OpName %f "first"
OpName %g "second(vf4;"
%v = OpTypeVoid
%t = OpTypeFunction %v
%f = OpFunction %v None %t
%a = OpLabel
OpReturn
OpFunctionEnd
%g = OpFunction %v None %t
%b = OpLabel
OpReturn
OpFunctionEnd
)");
  for (const char* name : {"first", "%first", "%1", "vs"}) {
    const Drawn drawn = draw(words, {.functions = {name}});
    EXPECT_TRUE(drawn.is_good) << name;
    EXPECT_THAT(drawn.text, HasSubstr("b0 ["));
    EXPECT_THAT(drawn.text, Not(HasSubstr("b1 ["))) << name;
  }
  for (const char* name : {"second", "second(vf4;", "%second_vf4_"}) {
    EXPECT_THAT(draw(words, {.functions = {name}}).text, HasSubstr("b1 [")) << name;
  }
  const Drawn missing = draw(words, {.functions = {"vs", "fisrt"}});
  EXPECT_FALSE(missing.is_good);
  EXPECT_EQ(missing.text, "");
  ASSERT_EQ(missing.diagnostics.error_count(), 1u);
  EXPECT_EQ(missing.diagnostics.all()[0].message, "the module has no function 'fisrt'");
  EXPECT_THAT(missing.diagnostics.all()[0].hint, HasSubstr("first"));
}

TEST(ControlFlowPictures, use_the_texts_of_the_caller) {
  DotOptions options;
  options.instructions = true;
  options.name_of_id = [](Word) { return "%mine"; };
  options.text_of_instruction = [](std::uint32_t) { return "my text"; };
  const Drawn drawn = draw(flow_module("%b0 = OpLabel\nOpReturn\n"), options);
  EXPECT_THAT(drawn.text, HasSubstr("%mine"));
  EXPECT_THAT(drawn.text, HasSubstr("my text"));
}

// --- invalid modules --------------------------------------------------------------------------------------------------

TEST(ControlFlowPictures, report_faults_and_show_them) {
  const WordBuffer words = flow_module("%b0 = OpLabel\nOpBranch %lost\n%b1 = OpLabel\nOpNop\n");
  const Drawn drawn = draw(words);
  EXPECT_TRUE(drawn.is_good);
  EXPECT_EQ(drawn.diagnostics.warning_count(), 2u);
  EXPECT_THAT(drawn.text, HasSubstr("has no terminator"));
  EXPECT_THAT(drawn.text, HasSubstr("not a block of this function"));

  const Drawn cut = draw(Words(words).first(words.size() - 3));
  EXPECT_FALSE(draw(Words(words).first(4)).is_good);
  const WordBuffer truncated = [&] {
    WordBuffer copy = words;
    copy.back() = 5u << 16;
    return copy;
  }();
  const Drawn broken = draw(truncated);
  EXPECT_FALSE(broken.is_good);
  EXPECT_THAT(broken.text, HasSubstr("digraph"));
  EXPECT_EQ(draw(WordBuffer{0x07230203, 0x00010600, 0, 1, 0}).is_good, true);
}

// Each word in turn gets other values.
TEST(ControlFlowPictures, accept_any_words) {
  const WordBuffer words = flow_module(flow_cases[4].blocks);
  for (std::size_t i = 5; i < words.size(); ++i) {
    for (const Word value : {Word{0}, Word{1}, words[i] + 1, words[i] - 1, Word{0xFFFFFFFF}, words[i] + 0x10000}) {
      WordBuffer mutated = words;
      mutated[i] = value;
      const Drawn drawn = draw(mutated, {.instructions = true});
      EXPECT_EQ(drawn.is_good, !drawn.diagnostics.has_errors());
      DotOptions limited;
      limited.limits = {1, 3, 1};
      draw(mutated, limited);
    }
  }
}

}  // namespace
}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// From command-line operands to inputs, and from inputs to outputs.
#include "cli/common/inputs.h"

#include "cli/program.h"

namespace vireo::cli {
namespace {

class inputs : public InFolder {
 protected:
  std::string expanded(const std::vector<std::string>& operands, std::string_view standard_input = {}) {
    const MemoryFile in(standard_input);
    found = expand_inputs(operands, std::array<std::string_view, 2>{".spv", ".words"}, in.descriptor());
    std::string names;
    problems.clear();
    for (const Input& input : found) {
      names.append(names.empty() ? "" : " ").append(input.path);
      problems += input.problem;
    }
    return names;
  }
  std::string planned(const std::vector<std::string>& operands) {
    expanded(operands);
    const std::string problem = plan_outputs(found, "out", ".spvasm");
    if (!problem.empty()) return problem;
    std::string names;
    for (const Input& input : found) names.append(names.empty() ? "" : " ").append(input.output);
    return names;
  }

  std::string problems;
  std::vector<Input> found;
};

TEST_F(inputs, are_files_in_the_order_given) {
  EXPECT_EQ(expanded({"b", "a", "missing.spv"}), "b a missing.spv");
  EXPECT_EQ(expanded({}), "-");
  EXPECT_EQ(expanded({"-"}), "-");
  EXPECT_EQ(found[0].name(), "<stdin>");
  EXPECT_EQ(problems, "");
}

TEST_F(inputs, named_twice_are_read_once) {
  put("d/a.spv", "");
  EXPECT_EQ(expanded({"x", "d", "x", "d/a.spv"}), "x d/a.spv");
}

TEST_F(inputs, of_a_directory_are_its_files_with_the_extension_sorted) {
  for (const char* name :
       {"d/b.spv", "d/a.spv", "d/c.spvasm", "d/sub/x.spv", "d/sub/deeper/y.spv", "d/.hidden.spv", "d/z"}) {
    put(name, "");
  }
  std::filesystem::create_directories("d/folder.spv");
  std::filesystem::create_directory_symlink("..", "d/sub/loop");
  EXPECT_EQ(expanded({"d"}), "d/.hidden.spv d/a.spv d/b.spv d/sub/deeper/y.spv d/sub/x.spv");
  EXPECT_EQ(expanded({"d/"}), "d/.hidden.spv d/a.spv d/b.spv d/sub/deeper/y.spv d/sub/x.spv");
  EXPECT_EQ(problems, "");
}

TEST_F(inputs, of_a_deep_tree_need_no_deep_stack) {
  std::string path = "d";
  for (int i = 0; i < 500; ++i) path += "/e";
  put(path + "/x.spv", "");
  EXPECT_EQ(expanded({"d"}), path + "/x.spv");
}

// The directory remains an input, so that the number of results equals the number of inputs.
TEST_F(inputs, an_empty_directory_is_one_faulty_input) {
  std::filesystem::create_directory("d");
  EXPECT_EQ(expanded({"d", "a"}), "d a");
  EXPECT_EQ(found.at(0).problem, "no *.spv or *.words file below 'd'");
  EXPECT_EQ(found.at(1).problem, "");
  EXPECT_EQ(planned({"d", "a"}), "out/a.spvasm");
}

// The output of find -print0. The operating system would read only the first name.
TEST_F(inputs, of_a_list_have_no_nul) {
  put("list", std::string("a.spv\0b.spv\0", 12));
  EXPECT_EQ(expanded({"first", "@list"}), "first @list");
  EXPECT_EQ(problems, "'list' contains a NUL; expected one name per line");
}

TEST_F(inputs, of_a_list_are_one_on_each_line) {
  put("d/a.spv", "");
  put("list", "x y.spv\r\n\nd\n@list\n-\nlast");
  EXPECT_EQ(expanded({"first", "@list"}), "first x y.spv d/a.spv @list - last");
  EXPECT_EQ(expanded({"@-"}, "a\nb\n"), "a b");
  EXPECT_EQ(problems, "");
  EXPECT_EQ(expanded({"@missing", "a"}), "@missing a");
  EXPECT_EQ(problems, "cannot open 'missing': No such file or directory");
}

// Windows editors write a byte order mark. It is not part of the first file name, and it does not turn text into words.
TEST_F(inputs, of_a_list_may_follow_a_byte_order_mark) {
  put("list", "\uFEFFa\r\nb\r\n");
  EXPECT_EQ(expanded({"@list"}), "a b");
}

TEST_F(inputs, with_a_byte_order_mark_are_text) {
  EXPECT_TRUE(looks_like_assembly("\uFEFF; SPIR-V"));
  EXPECT_TRUE(looks_like_assembly("\uFEFFwhat is this"));
  EXPECT_TRUE(looks_like_assembly("\uFEFF"));
  EXPECT_FALSE(looks_like_assembly("\uFEFF 0x07230203")) << "hexadecimal text is words";
  EXPECT_FALSE(looks_like_assembly("what is this"));
}

TEST_F(inputs, have_outputs_named_by_their_stems) {
  EXPECT_EQ(planned({"a.spv", "x/b.vert.spv", "c", "x/.spv", "-"}),
            "out/a.spvasm out/b.vert.spvasm out/c.spvasm out/.spv.spvasm out/stdin.spvasm");
}

TEST_F(inputs, below_a_directory_keep_their_folders) {
  put("flat/a.spv", "");
  put("flat/sub/b.spv", "");
  EXPECT_EQ(planned({"flat"}), "out/a.spvasm out/sub/b.spvasm");
  EXPECT_EQ(planned({"flat/sub", "flat/a.spv"}), "out/b.spvasm out/a.spvasm");
  put("tree/a.spv", "");
  put("tree/x/main.spv", "");
  put("tree/y/main.spv", "");
  EXPECT_EQ(planned({"flat", "tree/"}), "'flat/a.spv' and 'tree/a.spv' would both be written to 'out/a.spvasm'");
  EXPECT_EQ(planned({"tree"}), "out/a.spvasm out/x/main.spvasm out/y/main.spvasm");
}

TEST_F(inputs, may_not_share_an_output) {
  EXPECT_EQ(planned({"x/a.spv", "y/a.spv"}), "'x/a.spv' and 'y/a.spv' would both be written to 'out/a.spvasm'");
  EXPECT_EQ(planned({"a.spv", "a.bin"}), "'a.spv' and 'a.bin' would both be written to 'out/a.spvasm'");
}

}  // namespace
}  // namespace vireo::cli

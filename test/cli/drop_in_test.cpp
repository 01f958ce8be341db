// SPDX-License-Identifier: Apache-2.0
//
// Exit statuses under the names of the reference programs: scripts that call them rely on these.
//
// The statuses in the table are those of the newest reference programs. If these are installed (outside.h), the test
// compares the rows with them too.
#include <gtest/gtest.h>

#include <sstream>

#include "cli/program.h"
#include "command.h"
#include "outside.h"

namespace vireo::cli {
namespace {

struct Row {
  std::string_view line;
  int status;
  bool differs = false;  ///< deliberately; docs/library.md gives the reason
};

constexpr Row rows[] = {
    {"spirv-as a.spvasm -o x", 0},
    {"spirv-as a.spvasm --target-env= -o x", 0},
    {"spirv-as a.spvasm --target-env vulkan1.3 -o x", 0},
    {"spirv-as a.spvasm --target-env vulkan9 -o x", 1},
    {"spirv-as a.spvasm -ox", 1},
    {"spirv-as a.spvasm -o x -o y", 1},
    {"spirv-as a.spvasm --output x", 1},
    {"spirv-as none", 1},
    {"spirv-as bad.spvasm", 251},
    {"spirv-dis a.spv --raw-id=false", 0},
    {"spirv-dis a.spv --raw-id --raw-id", 1},
    {"spirv-dis a.spv -o ''", 1},
    {"spirv-dis a.spv -o no/x", 1},
    {"spirv-dis none", 1},
    {"spirv-dis text.spv", 252},
    {"spirv-val a.spv", 0},
    {"spirv-val invalid.spv", 1},
    {"spirv-val none", 1},
    {"spirv-val folder", 0},
    {"spirv-val long.spv", 0},
    {"spirv-val a.spv a.spv", 1},
    {"spirv-val a.spv a.spv -o x", 1},
    {"spirv-val --target-env vulkan1.3 a.spv", 1},
    {"spirv-val --target-env=spv1.6 a.spv", 1},
    {"spirv-val --max-id-bound=5 a.spv", 1},
    {"spirv-val --max-struct-depth 5 a.spv", 0, true},
    {"spirv-cfg a.spv -o ''", 0},
    {"spirv-cfg a.spv a.spv", 1},
    {"spirv-cfg a.spv -o no/x", 1, true},
    {"spirv-cfg none", 1},
    {"spirv-link a.spv -o x", 0},
    {"spirv-link a.spv -o ''", 0},
    {"spirv-link a.spv none", 1},
    {"spirv-link a.spv -o", 1},
    {"spirv-link text.spv -o x", 1},
    {"spirv-link --target-env vulkan1.3 a.spv", 0},
    {"spirv-link --target-env=vulkan9 a.spv", 1},
    {"spirv-link --library a.spv", 1},
    {"spirv-diff a.spv invalid.spv", 0},
    {"spirv-diff a.spv", 1},
    {"spirv-diff a.spv none", 1},
    {"spirv-diff a.spv a.spv -o x", 1},
    {"spirv-opt a.spv", 1},
    {"spirv-opt a.spv -o x", 0},
    {"spirv-opt a.spv -o", 1},
    {"spirv-opt a.spv -o ''", 1},
    {"spirv-opt a.spv -ox", 1},
    {"spirv-opt a.spv -o no/x", 1},
    {"spirv-opt a.spv -o x -o y", 1},
    {"spirv-opt a.spv a.spv -o x", 1},
    {"spirv-opt none -o x", 1},
    {"spirv-opt text.spv -o x", 1},
    {"spirv-opt --help --bogus", 0},
    {"spirv-opt --strip-debug --strip-debug a.spv -o x", 0},
    {"spirv-opt --strip-debug=true a.spv -o x", 0},
    {"spirv-opt --target-env=spv1.6 a.spv -o x", 0},
    {"spirv-opt --target-env spv1.6 a.spv -o x", 1},
    {"spirv-opt --target-env=vulkan9 a.spv -o x", 1},
    {"spirv-opt --set-spec-const-default-value 1:2 a.spv -o x", 0},
    {"spirv-opt --set-spec-const-default-value=x a.spv -o x", 1},
    {"spirv-opt --scalar-block-layout --skip-validation a.spv -o x", 0},
    {"spirv-opt --bogus a.spv -o x", 1},
    {"spirv-opt -O a.spv -o x", 1, true},
    {"spirv-opt invalid.spv -o x", 0, true},
};

class drop_in_names : public InFolder {
 protected:
  void SetUp() override {
    InFolder::SetUp();
    constexpr std::string_view head =
        "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n%v = OpTypeVoid\n";
    put("a.spvasm", head);
    put("bad.spvasm", "OpCapability Shaderr\n");
    put("invalid.spvasm", std::string(head) + "%x = OpTypeVector %v 3\n");
    put("text.spv", "hello world!");
    put("long.spvasm", std::string("OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n") +
                           "%f = OpString \"f\"\nOpSource GLSL 450 %f \"" + std::string(70'000, 'x') + "\"\n");
    for (const std::string name : {"a", "invalid", "long"}) call({"spirv-as", name + ".spvasm", "-o", name + ".spv"});
    put("folder/a.spv", get("a.spv"));
  }

  static int status_of(std::string_view line) {
    std::vector<std::string> words;
    std::istringstream stream{std::string(line)};
    for (std::string word; stream >> word;) words.push_back(word == "''" ? "" : word);
    return call(words).status;
  }
};

TEST_F(drop_in_names, have_the_exit_statuses_of_the_reference) {
  for (const Row& row : rows) EXPECT_EQ(status_of(row.line), row.status) << row.line;
}

TEST_F(drop_in_names, statuses_in_the_table_are_those_of_the_reference) {
  const auto peers = outside::peers_folder();
  if (!peers) GTEST_SKIP() << outside::no_peers;
  for (const Row& row : rows) {
    const int status = vireo::run((*peers / "bin").string() + '/' + std::string(row.line) + " </dev/null").status >> 8;
    EXPECT_EQ(status == row.status, !row.differs) << row.line << ": " << status;
  }
}

}  // namespace
}  // namespace vireo::cli

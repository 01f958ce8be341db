// SPDX-License-Identifier: Apache-2.0
//
// Pictures of the real modules: Graphviz parses each graph. Skipped without Graphviz.
//
// Starting a program for each of thousands of graphs would take minutes, so a few files contain all
// graphs. `nop -p` only parses. A label with tags is parsed later, by a layout; dot lays out a sample of the modules, and
// DotSyntax checks all labels.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>
#include <string>

#include "command.h"
#include "spirv/inspect/dot_syntax.h"
#include "system/real_modules.h"
#include "vireo/spirv/inspect/dot.h"

namespace vireo::system_test {
namespace {

// A file in the folder for temporary files, which the destructor removes.
class ScratchFile {
 public:
  explicit ScratchFile(std::string_view name) : path_(std::filesystem::path(testing::TempDir()) / name), out_(path_) {}
  ~ScratchFile() { std::filesystem::remove(path_); }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  void add(const std::string& text) { out_ << text; }
  std::string close() {
    out_.close();
    return path_.string();
  }

 private:
  std::filesystem::path path_;
  std::ofstream out_;
};

TEST(Pictures, of_real_modules_are_valid_dot) {
  if (!is_installed("nop") || !is_installed("dot")) GTEST_SKIP() << "no Graphviz";
  with_real_modules([&](const UnpackedArchive& unpacked) {
    constexpr std::size_t sample = 40;  // every 40th module is laid out
    std::mutex lock;
    std::size_t graphs = 0, nodes = 0, edges = 0, modules = 0;
    ScratchFile all("vireo_pictures.dot"), some("vireo_some_pictures.dot");
    check_words_of(unpacked, [&](const std::string& name, spirv::Words words) -> std::string {
      std::string text;
      for (const auto write : {spirv::write_control_flow_graph, spirv::write_call_graph}) {
        StringSink sink;
        Diagnostics diagnostics;
        if (!write(words, {.instructions = true}, sink, diagnostics)) return "is not drawn";
        text += sink.text();
      }
      spirv::test::DotSyntax syntax(text);
      if (const std::string fault = syntax.fault(); !fault.empty()) return fault;
      const std::lock_guard guard(lock);
      graphs += syntax.graphs;
      nodes += syntax.nodes;
      edges += syntax.edges;
      all.add(text);
      // The sample does not depend on the order of the threads.
      if (std::hash<std::string>()(name) % sample == 0) some.add(text);
      ++modules;
      return {};
    });
    EXPECT_EQ(run("nop -p " + all.close()).text, "");
    const Said laid_out = run("(dot -Tsvg " + some.close() + " >/dev/null)");
    EXPECT_EQ(laid_out.status, 0);
    EXPECT_EQ(laid_out.text, "");
    std::printf("%zu graphs of %zu modules with %zu nodes and %zu edges\n", graphs, modules, nodes, edges);
  });
}

}  // namespace
}  // namespace vireo::system_test

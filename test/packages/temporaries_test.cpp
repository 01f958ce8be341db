// SPDX-License-Identifier: Apache-2.0
//
// Views, modules and facts of temporaries do not compile; the same lines with named objects do.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

#include "packages/library.h"

namespace vireo::packages {
namespace {

struct TemporaryRow {
  std::string_view what;
  std::string_view refused;    ///< statements that keep a view of a temporary
  std::string_view corrected;  ///< the same over objects with names
};

// `buffer()` returns a WordBuffer and `bytes()` a std::string, both by value.
constexpr TemporaryRow rows[] = {
    {"a module of a buffer", "const Module module = Module::read(buffer());",
     "const WordBuffer words = buffer(); const Module module = Module::read(words);"},
    {"a module of a list of words", "const Module module = Module::read(WordBuffer{1, 2, 3, 4, 5});",
     "const WordBuffer words{1, 2, 3, 4, 5}; const Module module = Module::read(words);"},
    {"a module of a result", "Diagnostics d; const Module module = Module::read(*assemble({\"\", \"\"}, {}, d));",
     "Diagnostics d; const auto words = assemble({\"\", \"\"}, {}, d); const Module module = Module::read(*words);"},
    {"facts of a module", "const Facts facts(Module::read(words_of_all));",
     "const Module module = Module::read(words_of_all); const Facts facts(module);"},
    {"facts of a module, with options", "const Facts facts(Module::read(words_of_all), ConstantOptions{});",
     "const Module module = Module::read(words_of_all); const Facts facts(module, ConstantOptions{});"},
    {"types of a module", "const Types types = Types::read(Module::read(words_of_all));",
     "const Module module = Module::read(words_of_all); const Types types = Types::read(module);"},
    {"decorations of a module", "const auto decorations = Decorations::read(Module::read(words_of_all));",
     "const Module module = Module::read(words_of_all); const auto decorations = Decorations::read(module);"},
    {"changes to a module", "Edit edit(Module::read(words_of_all));",
     "const Module module = Module::read(words_of_all); Edit edit(module);"},
    {"control flow of a module",
     "const Module module = Module::read(words_of_all); ControlFlow flow; "
     "flow.read(Module::read(words_of_all), module.functions()[0]);",
     "const Module module = Module::read(words_of_all); ControlFlow flow; flow.read(module, module.functions()[0]);"},
    {"a walk over a call graph",
     "const Module module = Module::read(words_of_all); CallWalk walk(CallGraph::read(module, Uses::read(module)), "
     "module);",
     "const Module module = Module::read(words_of_all); const auto graph = CallGraph::read(module, "
     "Uses::read(module)); "
     "CallWalk walk(graph, module);"},
    {"a walk over a buffer", "for (const InstructionView view : Instructions(buffer())) static_cast<void>(view);",
     "const WordBuffer words = buffer(); for (const InstructionView view : Instructions(words)) "
     "static_cast<void>(view);"},
    {"a walk over a module", "for (const auto [i, view] : Module::read(words_of_all).instructions()) use(i, view);",
     "const Module module = Module::read(words_of_all); for (const auto [i, view] : module.instructions()) use(i, "
     "view);"},
    {"a listing of a buffer", "Listing listing(buffer());",
     "const WordBuffer words = buffer(); Listing listing(words);"},
    {"words of a string", "Diagnostics d; const auto words = read_module_words(bytes(), d);",
     "Diagnostics d; const std::string file = bytes(); const auto words = read_module_words(file, d);"},
    {"words of a file", "Diagnostics d; const auto words = read_module_words((*read_file(\"\", d)).text(), d);",
     "Diagnostics d; const auto file = read_file(\"\", d); const auto words = read_module_words(file->text(), d);"},
};

constexpr std::string_view module_declarations = R"(#include "vireo/spirv/spirv.h"
using namespace vireo;
using namespace vireo::spirv;
WordBuffer buffer();
std::string bytes();
extern const WordBuffer words_of_all;
void use(InstructionIndex, InstructionView);
void statements();
void statements() {
)";
constexpr std::size_t preamble_lines = 9;

/// The status and the output of the compiler for a function that contains the statements of one row in each line.
Said compile(std::string_view TemporaryRow::*statements) {
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / ("vireo_temporary_" + std::to_string(getpid()) + ".cpp");
  std::string source(module_declarations);
  for (const TemporaryRow& row : rows) (((source += "{ ") += row.*statements) += " }\n");
  source += "}\n";
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (file == nullptr) return {};
  std::fputs(source.c_str(), file);
  std::fclose(file);
  const std::string command =
      VIREO_CXX_COMPILER " -std=c++20 -fsyntax-only -I " VIREO_SOURCE_DIR "/include " + path.string();
  Said said = run(command);
  std::filesystem::remove(path);
  return said;
}

TEST(Temporaries, are_rejected_by_the_compiler) {
  const Said refused = compile(&TemporaryRow::refused);
  EXPECT_NE(refused.status, 0);
  std::size_t line = preamble_lines;
  for (const TemporaryRow& row : rows) {
    const std::string place = ".cpp:" + std::to_string(++line) + ":";
    EXPECT_NE(refused.text.find(place), std::string::npos) << row.what << " compiles; errors are:\n" << refused.text;
  }
}

TEST(Temporaries, named_objects_compile) {
  const Said accepted = compile(&TemporaryRow::corrected);
  EXPECT_EQ(accepted.status, 0) << accepted.text;
}

}  // namespace
}  // namespace vireo::packages

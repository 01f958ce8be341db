// SPDX-License-Identifier: Apache-2.0
//
// Source lines in built modules: wherever the layout places an instruction of a function, it has the line that was
// current when it was created. Lines::read() checks this with its own implementation of the scope of lines.
#include "vireo/spirv/module/lines.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

#include "spirv/build/building.h"

namespace vireo::spirv {
namespace {

/// Functions, globals and lines in random order, and the expected line of each instruction of a function.
class LinedCalls {
 public:
  explicit LinedCalls(std::uint32_t seed) : random_(seed) {
    b_.OpMemoryModel(AddressingModel::Logical, MemoryModel::GLSL450);
  }

  void run() {
    for (std::uint32_t i = 0; i < 6; ++i) {
      maybe_line();
      switch (below(4)) {
        case 0: b_.OpVariable(global_, StorageClass::Private); break;
        case 1: declare(); break;
        default: define(); break;
      }
    }
    maybe_line();
  }

  void check(std::uint32_t seed) {
    const WordBuffer words = built(b_, diagnostics_);
    const Module module = Module::read(words);
    const Lines lines = Lines::read(module);
    for (const auto& [id, line] : expected_) {
      const std::optional<SourceLine> found = lines.of(module.definition(id));
      ASSERT_EQ(found ? found->line : 0, line) << "id " << id << ", seed " << seed << '\n' << text_of(words);
    }
  }

 private:
  std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(random_() % end); }
  void note(AnyId id) { expected_[id.word] = current_; }

  void maybe_line() {
    switch (below(5)) {
      case 0: b_.OpNoLine(); return void(current_ = 0);
      case 1: b_.OpLine(file_, ++last_, 0); return void(current_ = last_);
      default: return;
    }
  }
  void open() {
    note(b_.OpFunction(nothing_, FunctionControl::None, function_));
    maybe_line();
  }
  void declare() {
    open();
    b_.OpFunctionEnd();
  }
  void define() {
    open();
    note(b_.OpLabel());
    for (std::uint32_t left = below(3);; --left) {
      add_instructions();
      current_ = 0;  // a line ends with its block
      if (left == 0) break;
      const auto next = b_.reserve<LabelId>();
      b_.OpBranch(next);
      maybe_line();
      b_.begin_block(next);
      note(next);
    }
    b_.OpReturn();
    maybe_line();
    b_.OpFunctionEnd();
  }
  void add_instructions() {
    for (std::uint32_t left = below(6); left != 0; --left) {
      maybe_line();
      switch (below(3)) {
        case 0: note(b_.OpVariable(local_, StorageClass::Function)); break;
        case 1: b_.OpVariable(global_, StorageClass::Private); break;
        default: note(b_.OpIAdd(u32_, one_, one_)); break;
      }
    }
    maybe_line();
  }

  Diagnostics diagnostics_;
  Builder b_{diagnostics_};
  StringId file_ = b_.OpString("a.comp");
  TypeId nothing_ = b_.OpTypeVoid(), u32_ = b_.OpTypeInt(32, 0), function_ = b_.OpTypeFunction(nothing_);
  TypeId local_ = b_.OpTypePointer(StorageClass::Function, u32_);
  TypeId global_ = b_.OpTypePointer(StorageClass::Private, u32_);
  ValueId one_ = b_.OpConstant(u32_, 1);
  std::mt19937 random_;
  std::uint32_t last_ = 0, current_ = 0;
  std::map<Word, std::uint32_t> expected_;
};

TEST(BuiltLines, are_those_current_at_creation) {
  for (std::uint32_t seed = 0; seed < 1000 && !testing::Test::HasFailure(); ++seed) {
    LinedCalls calls(seed);
    calls.run();
    calls.check(seed);
  }
}

// Globals and declarations move before the functions, but their lines must not apply to those functions.
TEST(BuiltLines, of_moved_instructions_do_not_apply_to_the_following_ones) {
  Diagnostics diagnostics;
  Builder b(diagnostics);
  b.OpMemoryModel(AddressingModel::Logical, MemoryModel::GLSL450);
  const StringId file = b.OpString("a.comp");
  const TypeId nothing = b.OpTypeVoid(), type = b.OpTypeFunction(nothing);
  const TypeId pointer = b.OpTypePointer(StorageClass::Private, b.OpTypeFloat(32));
  b.OpFunction(nothing, FunctionControl::None, type);
  b.OpLabel();
  b.OpReturn();
  b.OpFunctionEnd();
  b.OpLine(file, 1, 0);
  b.OpVariable(pointer, StorageClass::Private);
  b.OpLine(file, 2, 0);
  b.OpFunction(nothing, FunctionControl::None, type);
  b.OpFunctionEnd();
  const std::string text = text_of(built(b, diagnostics));
  EXPECT_EQ(text.substr(text.find("OpLine")),
            "OpLine %1 1 0\n"
            "%8 = OpVariable %5 Private\n"
            "OpLine %1 2 0\n"
            "%9 = OpFunction %2 None %3\n"
            "OpFunctionEnd\n"
            "OpNoLine\n"
            "%6 = OpFunction %2 None %3\n"
            "%7 = OpLabel\n"
            "OpReturn\n"
            "OpFunctionEnd\n");
}

}  // namespace
}  // namespace vireo::spirv

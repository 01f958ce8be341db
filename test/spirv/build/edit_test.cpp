// SPDX-License-Identifier: Apache-2.0
//
// Editing: each change alone, changes together, what is refused, and a naive second computation for random ones.
#include "vireo/spirv/edit.h"

#include <random>

#include "spirv/build/building.h"
#include "spirv/module/assembled.h"

namespace vireo::spirv {
namespace {

constexpr std::string_view source = R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %3 "main"
OpExecutionMode %3 LocalSize 1 1 1
%1 = OpTypeVoid
%2 = OpTypeFunction %1
%5 = OpTypeInt 32 0
%6 = OpConstant %5 7
%3 = OpFunction %1 None %2
%4 = OpLabel
%7 = OpIAdd %5 %6 %6
%8 = OpIMul %5 %6 %6
OpReturn
OpFunctionEnd
)";

using test::assembled;

/// The words of instructions in text.
WordBuffer instructions(std::string_view text) {
  const WordBuffer words = assembled(text);
  return {words.begin() + header_word_count, words.end()};
}

WordBuffer one(Op opcode, std::initializer_list<Word> operands) {
  WordBuffer words{static_cast<Word>(opcode) | static_cast<Word>(operands.size() + 1) << 16};
  words.insert(words.end(), operands);
  return words;
}

struct Editing : testing::Test {
  WordBuffer words = assembled(source);
  Module module = Module::read(words);
  Edit edit{module};
  Diagnostics diagnostics;

  InstructionIndex at(Word id) { return module.definition(id); }
  /// The lines that differ, `-` for those that went and `+` for those that came, by comparing both texts line by line.
  std::string difference() {
    const Result<WordBuffer> changed = edit.apply(diagnostics);
    for (const Diagnostic& d : diagnostics.all()) ADD_FAILURE() << d.message;
    return changed ? difference_of(text_of(words), text_of(*changed)) : std::string();
  }
  static std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = text.find('\n', begin);
      lines.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
    return lines;
  }
  static std::string difference_of(const std::string& before, const std::string& after) {
    std::vector<std::string> a = lines_of(before), b = lines_of(after);
    std::size_t head = 0, tail = 0;
    while (head < std::min(a.size(), b.size()) && a[head] == b[head]) ++head;
    while (tail < std::min(a.size(), b.size()) - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
    std::string out;
    for (std::size_t i = head; i < a.size() - tail; ++i) out += "-" + a[i] + "\n";
    for (std::size_t i = head; i < b.size() - tail; ++i) out += "+" + b[i] + "\n";
    return out;
  }
};

TEST_F(Editing, nothing_changes_nothing) {
  const Result<WordBuffer> same = edit.apply(diagnostics);
  ASSERT_TRUE(bool(same));
  EXPECT_EQ(*same, words);
}

TEST_F(Editing, a_word) {
  edit.set_word(at(6), 3, 42);
  EXPECT_EQ(difference(), "-%6 = OpConstant %5 7\n+%6 = OpConstant %5 42\n");
}

TEST_F(Editing, inserts_on_both_sides_in_the_order_of_the_calls) {
  edit.insert_before(at(8), one(Op::OpNop, {}));
  edit.insert_after(at(7), one(Op::OpNoLine, {}));
  edit.insert_before(at(8), one(Op::OpNoLine, {}));
  EXPECT_EQ(difference(), "+OpNoLine\n+OpNop\n+OpNoLine\n");
}

TEST_F(Editing, removes_and_replaces) {
  edit.remove(at(7));
  edit.replace(at(8), one(Op::OpISub, {5, 8, 6, 6}));
  EXPECT_EQ(difference(), "-%7 = OpIAdd %5 %6 %6\n-%8 = OpIMul %5 %6 %6\n+%8 = OpISub %5 %6 %6\n");
}

TEST_F(Editing, moves_with_the_changes_inside) {
  edit.set_word(at(8), 3, 7);
  edit.insert_before(at(8), one(Op::OpNop, {}));
  edit.move_before({at(7).raw, at(8).raw + 1}, InstructionIndex(at(8).raw + 2));
  Edit other(module);
  EXPECT_EQ(edit.apply(diagnostics).ok(), false) << "behind the terminator";
  EXPECT_EQ(diagnostics.all().front().rule, "edit-place");

  Diagnostics none;
  other.move_before({at(8).raw, at(8).raw + 1}, at(7));
  other.set_word(at(8), 4, 5);
  const Result<WordBuffer> moved = other.apply(none);
  ASSERT_TRUE(bool(moved));
  EXPECT_EQ(difference_of(text_of(words), text_of(*moved)),
            "-%7 = OpIAdd %5 %6 %6\n-%8 = OpIMul %5 %6 %6\n+%8 = OpIMul %5 %6 %5\n+%7 = OpIAdd %5 %6 %6\n");
}

TEST_F(Editing, adds_behind_the_section_where_it_is_and_where_it_is_not) {
  edit.add(one(Op::OpConstant, {5, edit.fresh_id(), 9}));
  edit.add(instructions("OpDecorate %8 RelaxedPrecision"));
  edit.add(instructions("OpName %8 \"product\""));
  edit.add(instructions("OpExtension \"SPV_A\""));
  edit.add(instructions("OpName %7 \"sum\""));
  const Result<WordBuffer> changed = edit.apply(diagnostics);
  ASSERT_TRUE(bool(changed));
  EXPECT_EQ((*changed)[3], words[3] + 1) << "the bound counts the fresh id";
  EXPECT_EQ(text_of(*changed),
            "OpCapability Shader\n"
            "OpExtension \"SPV_A\"\n"
            "OpMemoryModel Logical GLSL450\n"
            "OpEntryPoint GLCompute %3 \"main\"\n"
            "OpExecutionMode %3 LocalSize 1 1 1\n"
            "OpName %8 \"product\"\n"
            "OpName %7 \"sum\"\n"
            "OpDecorate %8 RelaxedPrecision\n"
            "%1 = OpTypeVoid\n"
            "%2 = OpTypeFunction %1\n"
            "%5 = OpTypeInt 32 0\n"
            "%6 = OpConstant %5 7\n"
            "%9 = OpConstant %5 9\n"
            "%3 = OpFunction %1 None %2\n"
            "%4 = OpLabel\n"
            "%7 = OpIAdd %5 %6 %6\n"
            "%8 = OpIMul %5 %6 %6\n"
            "OpReturn\n"
            "OpFunctionEnd\n");
}

TEST_F(Editing, refuses_what_would_not_be_laid_out) {
  struct Row {
    std::string_view what;
    std::function<void(Edit&)> change;
    std::string_view rule;
  };
  const Row rows[] = {
      {"a type in a function", [&](Edit& e) { e.insert_before(at(8), one(Op::OpTypeBool, {9})); }, "edit-place"},
      {"a sum among the types",
       [&](Edit& e) {
         e.insert_before(at(5), one(Op::OpIAdd, {5, 9, 6, 6}));
       },
       "edit-place"},
      {"a block without its end", [&](Edit& e) { e.remove(InstructionIndex(at(8).raw + 1)); }, "edit-place"},
      {"an id twice",
       [&](Edit& e) {
         e.insert_after(at(8), one(Op::OpIAdd, {5, 8, 6, 6}));
       },
       "edit-place"},
      {"a place that is none", [&](Edit& e) { e.remove(InstructionIndex::none()); }, "edit-place"},
      {"behind the last place", [&](Edit& e) { e.insert_after(InstructionIndex::none(), one(Op::OpNop, {})); },
       "edit-place"},
      {"a word beyond the instruction", [&](Edit& e) { e.set_word(at(8), 5, 1); }, "edit-place"},
      {"the first word", [&](Edit& e) { e.set_word(at(8), 0, 1); }, "edit-place"},
      {"half an instruction",
       [&](Edit& e) {
         e.insert_before(at(8), WordBuffer{0x00050080, 1});
       },
       "edit-instruction"},
      {"no words", [&](Edit& e) { e.insert_before(at(8), {}); }, "edit-instruction"},
      {"runs that overlap",
       [&](Edit& e) {
         e.move_before({at(7).raw, at(8).raw + 1}, at(7));
         e.move_before({at(8).raw, at(8).raw + 1}, at(7));
       },
       "edit-place"},
      {"a run into itself",
       [&](Edit& e) {
         e.move_before({at(7).raw, at(8).raw + 1}, at(8));
       },
       "edit-place"},
      {"a run the wrong way round",
       [&](Edit& e) {
         e.move_before({at(8).raw, at(7).raw}, at(5));
       },
       "edit-place"},
  };
  for (const Row& row : rows) {
    Edit one_edit(module);
    Diagnostics faults;
    row.change(one_edit);
    EXPECT_FALSE(one_edit.apply(faults)) << row.what;
    ASSERT_FALSE(faults.all().empty()) << row.what;
    EXPECT_EQ(faults.all().front().rule, row.rule) << row.what;
  }
}

// The naive way: a list of instructions, each a vector, changed one after the other.
TEST_F(Editing, random_changes_agree_with_a_list_of_instructions) {
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    // For each place: what comes before it, and what became of the instruction.
    std::vector<WordBuffer> before(module.instruction_count() + 1), here(module.instruction_count());
    for (std::uint32_t i = 0; i < here.size(); ++i) {
      const Words view = module.instruction(InstructionIndex(i)).words();
      here[i].assign(view.begin(), view.end());
    }
    Edit changes(module);
    const std::uint32_t first = at(7).raw, count = 2;  // within the block, where much may stand
    for (int k = 0; k < 6; ++k) {
      const std::uint32_t place = first + random() % count;
      switch (random() % 3) {
        case 0: {
          const WordBuffer nop = one(Op::OpNop, {});
          changes.insert_before(InstructionIndex(place), nop);
          before[place].insert(before[place].end(), nop.begin(), nop.end());
          break;
        }
        case 1: {
          const WordBuffer undef = one(Op::OpUndef, {5, changes.fresh_id()});
          changes.replace(InstructionIndex(place), undef);
          here[place] = undef;
          break;
        }
        default:
          changes.remove(InstructionIndex(place));
          here[place].clear();
          break;
      }
    }
    WordBuffer expected(words.begin(), words.begin() + header_word_count);
    expected[3] = changes.fresh_id();
    (void)changes;
    for (std::size_t i = 0; i <= here.size(); ++i) {
      expected.insert(expected.end(), before[i].begin(), before[i].end());
      if (i < here.size()) expected.insert(expected.end(), here[i].begin(), here[i].end());
    }
    const Result<WordBuffer> changed = changes.apply(diagnostics);
    ASSERT_TRUE(bool(changed));
    expected[3] = (*changed)[3];
    ASSERT_EQ(*changed, expected) << "round " << round;
  }
}

TEST_F(Editing, ids_are_numbered_by_first_mention) {
  const Result<WordBuffer> compact = compact_ids(words, diagnostics);
  ASSERT_TRUE(bool(compact));
  EXPECT_EQ((*compact)[3], 9u);
  EXPECT_EQ(text_of(*compact).substr(0, 133),
            "OpCapability Shader\n"
            "OpMemoryModel Logical GLSL450\n"
            "OpEntryPoint GLCompute %1 \"main\"\n"
            "OpExecutionMode %1 LocalSize 1 1 1\n"
            "%2 = OpTypeVoid");
  const Result<WordBuffer> spread = renumber_ids(
      words, [](Word id) { return id * 100; }, diagnostics);
  ASSERT_TRUE(bool(spread));
  EXPECT_EQ((*spread)[3], 801u);
  const Result<WordBuffer> again = compact_ids(*spread, diagnostics);
  ASSERT_TRUE(bool(again));
  EXPECT_EQ(*again, *compact);
}

TEST_F(Editing, an_id_of_0_stays_one) {
  const std::size_t operand = module.instruction(at(7)).offset + 4;
  words[operand] = 0;
  const auto by_100 = [](Word id) { return id * 100 + 1; };
  for (const Result<WordBuffer>& other : {compact_ids(words, diagnostics), renumber_ids(words, by_100, diagnostics)}) {
    ASSERT_TRUE(bool(other));
    EXPECT_EQ((*other)[operand], 0u);
    EXPECT_NE((*other)[operand - 1], 0u);
  }
}

// The bound is a word as well, and above all ids.
TEST_F(Editing, the_highest_id_leaves_no_bound) {
  const auto last = [](Word id) { return id == 8 ? ~Word{0} : id; };
  EXPECT_FALSE(renumber_ids(words, last, diagnostics));
  words[3] = ~Word{0};
  const Module full = Module::read(words);
  Edit none_left(full);
  EXPECT_TRUE(none_left.apply(diagnostics));
  (void)none_left.fresh_id();
  EXPECT_FALSE(none_left.apply(diagnostics));
  EXPECT_EQ(rules_of(diagnostics), (std::vector<std::string_view>{"edit-bound", "edit-bound"}));
}

TEST_F(Editing, ids_of_what_nobody_knows_are_not_renumbered) {
  words.insert(words.end(), {0x0002FFFE, 1});
  EXPECT_FALSE(compact_ids(words, diagnostics));
  EXPECT_EQ(diagnostics.all().front().rule, "unknown-opcode");
}

}  // namespace
}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// Edits: single changes, combinations, rejected changes, and random changes compared with a naive implementation.
#include "vireo/spirv/build/edit.h"

#include <algorithm>
#include <functional>
#include <random>

#include "spirv/build/building.h"
#include "spirv/module/assembled.h"
#include "vireo/spirv/binary/writer.h"

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

/// The words of the instructions in a text.
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
  /// The lines that differ, `-` for removed and `+` for added ones, from a comparison line by line.
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

TEST_F(Editing, an_empty_edit_changes_nothing) {
  const Result<WordBuffer> same = edit.apply(diagnostics);
  ASSERT_TRUE(bool(same));
  EXPECT_EQ(*same, words);
}

TEST_F(Editing, changes_a_word) {
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

TEST_F(Editing, moves_a_range_with_its_changes) {
  edit.set_word(at(8), 3, 7);
  edit.insert_before(at(8), one(Op::OpNop, {}));
  edit.move_before({at(7).raw, at(8).raw + 1}, InstructionIndex(at(8).raw + 2));
  Edit other(module);
  EXPECT_EQ(edit.apply(diagnostics).ok(), false) << "after the terminator";
  EXPECT_EQ(diagnostics.all().front().rule, "edit-place");

  Diagnostics none;
  other.move_before({at(8).raw, at(8).raw + 1}, at(7));
  other.set_word(at(8), 4, 5);
  const Result<WordBuffer> moved = other.apply(none);
  ASSERT_TRUE(bool(moved));
  EXPECT_EQ(difference_of(text_of(words), text_of(*moved)),
            "-%7 = OpIAdd %5 %6 %6\n-%8 = OpIMul %5 %6 %6\n+%8 = OpIMul %5 %6 %5\n+%7 = OpIAdd %5 %6 %6\n");
}

TEST_F(Editing, adds_at_the_end_of_present_and_absent_sections) {
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

TEST_F(Editing, rejects_layout_violations) {
  struct Row {
    std::string_view what;
    std::function<void(Edit&)> change;
    std::string_view rule;
  };
  const Row rows[] = {
      {"a type in a function", [&](Edit& e) { e.insert_before(at(8), one(Op::OpTypeBool, {e.fresh_id()})); },
       "edit-place"},
      {"a sum among the types",
       [&](Edit& e) {
         e.insert_before(at(5), one(Op::OpIAdd, {5, e.fresh_id(), 6, 6}));
       },
       "edit-place"},
      {"a block without its end", [&](Edit& e) { e.remove(InstructionIndex(at(8).raw + 1)); }, "edit-place"},
      {"an id twice",
       [&](Edit& e) {
         e.insert_after(at(8), one(Op::OpIAdd, {5, 8, 6, 6}));
       },
       "duplicate-id"},
      {"a place that is none", [&](Edit& e) { e.remove(InstructionIndex::none()); }, "edit-place"},
      {"after the last place", [&](Edit& e) { e.insert_after(InstructionIndex::none(), one(Op::OpNop, {})); },
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
      {"a removed run the wrong way round",
       [&](Edit& e) {
         e.remove(InstructionRange{at(8).raw, at(7).raw});
       },
       "edit-place"},
      {"a removed run beyond the module",
       [&](Edit& e) {
         e.remove(InstructionRange{0, ~0u});
       },
       "edit-place"},
      {"a removed range after the module",
       [&](Edit& e) {
         e.remove(InstructionRange{~0u - 1, ~0u});
       },
       "edit-place"},
      {"a moved run beyond the module",
       [&](Edit& e) {
         e.move_before({0, ~0u}, at(5));
       },
       "edit-place"},
      {"a word beyond 32 bits", [&](Edit& e) { e.set_word(at(6), (std::size_t{1} << 32) + 3, 42); }, "edit-place"},
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

// One message for each kind of misplaced change; it states the actual value and names the id.
TEST_F(Editing, describes_each_misplaced_change) {
  struct Row {
    std::function<void(Edit&)> change;
    std::vector<std::string_view> messages;  // each with its rule in front
  };
  const InstructionIndex end(module.instruction_count() - 1);
  const Row rows[] = {
      {[&](Edit& e) {
         e.add(one(Op::OpConstant, {5, 9, 1}));
       },
       {"edit-bound: OpConstant defines id 9, which is not less than the bound 9; expected an id from fresh_id(), at "
        "word 34"}},
      {[&](Edit& e) { e.set_word(at(6), 2, 77); },
       {"edit-bound: OpConstant defines id 77, which is not less than the bound 9; expected an id from fresh_id(), at "
        "word 30"}},
      {[&](Edit& e) {
         e.add(one(Op::OpConstant, {5, 6, 1}));
       },
       {"duplicate-id: OpConstant redefines id 6, at word 34"}},
      {[&](Edit& e) { e.set_word(at(6), 2, 0); },
       {"zero-id: OpConstant defines id 0; expected at least 1, at word 30"}},
      {[&](Edit& e) { e.add(one(Op::OpConstant, {5})); },
       {"missing-operand: OpConstant has no word for its result id, at word 34"}},
      {[&](Edit& e) { e.insert_before(at(8), one(Op::OpTypeBool, {e.fresh_id()})); },
       {"edit-place: OpTypeBool is among the functions; expected it among the globals, at word 46"}},
      {[&](Edit& e) {
         e.insert_after(end, one(Op::OpIAdd, {5, e.fresh_id(), 6, 6}));
       },
       {"edit-place: OpIAdd outside a block, at word 53"}},
      {[&](Edit& e) { e.insert_after(end, one(Op::OpLabel, {e.fresh_id()})); },
       {"edit-place: OpLabel outside a function, at word 53"}},
      {[&](Edit& e) { e.insert_after(end, one(Op::OpFunctionEnd, {})); },
       {"edit-place: OpFunctionEnd outside a function, at word 53"}},
      {[&](Edit& e) {
         e.insert_before(at(8), one(Op::OpFunctionParameter, {5, e.fresh_id()}));
       },
       {"edit-place: OpFunctionParameter does not directly follow OpFunction or another OpFunctionParameter, at word "
        "46"}},
      {[&](Edit& e) { e.remove(end); }, {"edit-place: function 3 has no OpFunctionEnd, at word 34"}},
      {[&](Edit& e) { e.remove(InstructionIndex(end.raw - 1)); },
       {"edit-place: block 4 has no termination instruction, at word 39"}},
      {[&](Edit& e) {
         e.insert_before(end, one(Op::OpFunction, {1, e.fresh_id(), 0, 2}));
       },
       {"edit-place: OpFunction inside a function; expected OpFunctionEnd before it, at word 52"}},
      // Each error of an instruction has its own line; an error that several changes share is reported once.
      {[&](Edit& e) {
         e.insert_after(end, one(Op::OpIAdd, {5, 9, 6, 6}));
       },
       {"edit-bound: OpIAdd defines id 9, which is not less than the bound 9; expected an id from fresh_id(), at word "
        "53",
        "edit-place: OpIAdd outside a block, at word 53"}},
      {[&](Edit& e) { e.remove(InstructionIndex::none()), e.remove(InstructionIndex::none()); },
       {"edit-place: the instruction index of a change is none"}},
      {[&](Edit& e) { e.remove(InstructionIndex(99)), e.set_word(InstructionIndex(99), 1, 1), e.remove(at(6)); },
       {"edit-place: a change refers to instruction 99, but the module has only 14"}},
      {[&](Edit& e) { e.insert_after(InstructionIndex(14), one(Op::OpNop, {})); },
       {"edit-place: a change refers to instruction 14, but the module has only 14"}},
      {[&](Edit& e) { e.set_word(at(6), 4, 1); }, {"edit-place: the instruction has 4 words, so it has no word 4"}},
      {[&](Edit& e) { e.set_word(at(6), 0, 1); },
       {"edit-place: word 0 of an instruction (word count and opcode) cannot be set"}},
  };
  for (const Row& row : rows) {
    Edit one_edit(module);
    Diagnostics faults;
    row.change(one_edit);
    EXPECT_FALSE(one_edit.apply(faults));
    std::vector<std::string> found;
    for (const Diagnostic& d : faults.all()) found.push_back(std::string(d.rule) + ": " + d.message);
    ASSERT_EQ(found.size(), row.messages.size()) << row.messages.front() << "\n" << (found.empty() ? "" : found.back());
    for (std::size_t i = 0; i < found.size(); ++i) {
      const std::string_view start = std::string_view(found[i]).substr(0, row.messages[i].size());
      EXPECT_EQ(start, row.messages[i]) << found[i];
    }
  }
}

// A module that cannot be parsed to its end is rejected, so that no word of it is lost silently.
TEST_F(Editing, rejects_truncated_modules) {
  struct Row {
    std::string_view what;
    WordBuffer words;
    std::vector<std::string_view> rules;
  };
  WordBuffer zero = words, tail = words, magic = words, swapped = words;
  zero[module.instruction(at(6)).offset] &= 0xFFFF;
  tail.push_back(10u << 16 | static_cast<Word>(Op::OpCapability));
  magic[0] = 0x12345678;
  swapped[0] = 0x03022307;
  const Row rows[] = {
      {"a length of zero words", zero, {"zero-word-count"}},
      {"a tail that is cut", tail, {"truncated-instruction"}},
      {"nothing", {}, {"empty-module"}},
      {"three words", {words.begin(), words.begin() + 3}, {"truncated-header"}},
      {"another format", magic, {"bad-magic"}},
      {"words of the other byte order", swapped, {"bad-magic"}},
  };
  for (const Row& row : rows) {
    const Module broken = Module::read(row.words);
    Edit nothing(broken), removal(broken);
    removal.remove(broken.all());
    Diagnostics of_nothing, of_removal;
    EXPECT_FALSE(nothing.apply(of_nothing)) << row.what;
    EXPECT_FALSE(removal.apply(of_removal)) << row.what;
    EXPECT_EQ(rules_of(of_nothing), row.rules) << row.what;
    EXPECT_EQ(rules_of(of_removal), row.rules) << row.what;
  }
  // A header alone is a module, and so is one whose words have no meaning.
  WordBuffer header(words.begin(), words.begin() + header_word_count);
  header[1] = 0xFF0106FF, header[2] = 7, header[4] = 9;
  const Module empty = Module::read(header);
  const Result<WordBuffer> same = Edit(empty).apply(diagnostics);
  ASSERT_TRUE(bool(same));
  EXPECT_EQ(*same, header);
}

// A prefix of a module that ends at an instruction boundary is unchanged by an empty edit; all others are rejected.
TEST_F(Editing, keeps_every_prefix_of_a_module_or_rejects_it) {
  std::size_t whole = 0;
  for (std::size_t count = 0; count <= words.size(); ++count) {
    const Words beginning = Words(words).first(count);
    const Module part = Module::read(beginning);
    Diagnostics faults;
    const Result<WordBuffer> same = Edit(part).apply(faults);
    EXPECT_NE(bool(same), faults.has_errors()) << count;
    if (!same) continue;
    EXPECT_TRUE(std::ranges::equal(*same, beginning)) << count;
    ++whole;
  }
  EXPECT_EQ(whole, module.instruction_count() + 1);
}

// The bound can be wrong or 0: a fresh id is above all defined ids, and the new bound is above all ids.
TEST_F(Editing, fresh_ids_are_above_all_ids_even_if_the_bound_is_wrong) {
  struct Row {
    Word bound, fresh;
  };
  for (const Row row : {Row{0, 9}, Row{1, 9}, Row{5, 9}, Row{8, 9}, Row{9, 9}, Row{20, 20}}) {
    words[3] = row.bound;
    const Module lying = Module::read(words);
    Edit untouched(lying), with_one(lying);
    const Word id = with_one.fresh_id();
    EXPECT_EQ(id, row.fresh) << row.bound;
    with_one.add(one(Op::OpConstant, {5, id, 1}));
    const Result<WordBuffer> same = untouched.apply(diagnostics), more = with_one.apply(diagnostics);
    ASSERT_TRUE(same && more) << row.bound;
    EXPECT_EQ((*same)[3], row.fresh) << row.bound;
    EXPECT_EQ((*more)[3], row.fresh + 1) << row.bound;
    EXPECT_TRUE(Module::read(*more).layout_violations().empty()) << row.bound;
  }
  const WordBuffer header = {magic_number, 0x10600, 0, 0, 0};
  const Module empty = Module::read(header);
  EXPECT_EQ(Edit(empty).fresh_id(), 1u);
}

TEST_F(Editing, a_wrong_bound_does_not_permit_ids_above_it) {
  words[3] = 2;
  const Module low = Module::read(words);
  Edit far(low);
  far.add(one(Op::OpConstant, {5, 500, 1}));
  EXPECT_FALSE(far.apply(diagnostics));
  EXPECT_EQ(rules_of(diagnostics), std::vector<std::string_view>{"edit-bound"});
}

// Line information moves with its instruction.
TEST_F(Editing, adds_an_instruction_with_its_line) {
  const auto added = [&](std::string_view text, const WordBuffer& instructions_to_add) {
    const WordBuffer before = assembled(text);
    const Module read = Module::read(before);
    Edit changes(read);
    changes.add(instructions_to_add);
    const Result<WordBuffer> changed = changes.apply(diagnostics);
    for (const Diagnostic& d : diagnostics.all()) ADD_FAILURE() << d.message;
    return changed ? difference_of(text_of(before), text_of(*changed)) : std::string();
  };
  const WordBuffer line = one(Op::OpLine, {2, 7, 1});
  WordBuffer type = line, both = line;
  const WordBuffer half = one(Op::OpTypeFloat, {9, 16}), undefined = one(Op::OpUndef, {1, 9});
  type.insert(type.end(), half.begin(), half.end());
  both.insert(both.end(), line.begin(), line.end());
  both.insert(both.end(), undefined.begin(), undefined.end());
  const std::string head = "%2 = OpString \"a\"\n%1 = OpTypeVoid\n%3 = OpTypeFunction %1\n%20 = OpTypeInt 32 0\n";
  const std::string body = "%4 = OpFunction %1 None %3\n%5 = OpLabel\nOpReturn\nOpFunctionEnd\n";
  EXPECT_EQ(added(head + body, type), "+OpLine %2 7 1\n+%9 = OpTypeFloat 16\n");
  EXPECT_EQ(added(head + body, both), "+OpLine %2 7 1\n+OpLine %2 7 1\n+%9 = OpUndef %1\n");
  // The function keeps its line.
  EXPECT_EQ(text_of(assembled(head + "OpLine %2 7 1\n%9 = OpTypeFloat 16\nOpLine %2 3 3\n" + body)), [&] {
    const WordBuffer before = assembled(head + "OpLine %2 3 3\n" + body);
    const Module read = Module::read(before);
    Edit changes(read);
    changes.add(type);
    const Result<WordBuffer> changed = changes.apply(diagnostics);
    return changed ? text_of(*changed) : std::string();
  }());
  // Line instructions alone have no instruction that determines their section, so they go to the functions, like code.
  EXPECT_EQ(added(head + body, line), "+OpLine %2 7 1\n");
}

TEST_F(Editing, the_example_of_the_header) {
  const InstructionIndex constant = at(6);
  const Word id = 6;
  edit.set_word(constant, 3, 42);
  WordBuffer name;
  InstructionWriter writer(name);
  writer.begin(Op::OpName);
  writer.word(id);
  writer.string("answer");
  if (writer.end()) edit.add(name);
  const Result<WordBuffer> changed = edit.apply(diagnostics);
  ASSERT_TRUE(bool(changed));
  const std::string text = text_of(*changed);
  EXPECT_NE(text.find("OpName %6 \"answer\"\n"), std::string::npos) << text;
  EXPECT_NE(text.find("%6 = OpConstant %5 42\n"), std::string::npos) << text;
}

// The naive implementation: a list of instructions, each a vector, changed one after the other.
TEST_F(Editing, random_changes_agree_with_a_list_of_instructions) {
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    // For each position: the instructions inserted before it, and the new words of the instruction.
    std::vector<WordBuffer> before(module.instruction_count() + 1), here(module.instruction_count());
    for (std::uint32_t i = 0; i < here.size(); ++i) {
      const Words view = module.instruction(InstructionIndex(i)).words();
      here[i].assign(view.begin(), view.end());
    }
    Edit changes(module);
    const std::uint32_t first = at(7).raw, count = 2;  // within the block, which accepts most instructions
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

TEST_F(Editing, id_0_is_not_renumbered) {
  const std::size_t operand = module.instruction(at(7)).offset + 4;
  words[operand] = 0;
  const auto by_100 = [](Word id) { return id * 100 + 1; };
  for (const Result<WordBuffer>& other : {compact_ids(words, diagnostics), renumber_ids(words, by_100, diagnostics)}) {
    ASSERT_TRUE(bool(other));
    EXPECT_EQ((*other)[operand], 0u);
    EXPECT_NE((*other)[operand - 1], 0u);
  }
}

// The bound is one word and must be above all ids.
TEST_F(Editing, the_highest_id_has_no_valid_bound) {
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

TEST_F(Editing, unknown_opcodes_prevent_renumbering) {
  words.insert(words.end(), {0x0002FFFE, 1});
  EXPECT_FALSE(compact_ids(words, diagnostics));
  EXPECT_EQ(diagnostics.all().front().rule, "unknown-opcode");
}

}  // namespace
}  // namespace vireo::spirv

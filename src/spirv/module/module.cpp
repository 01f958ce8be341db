// SPDX-License-Identifier: Apache-2.0
//
// Reads a Module from words (module.h).
//
// A small state machine visits the instructions once. Its state is the section, whether a function is
// open, and whether a block is open. If an instruction's traits (opcode_traits.h) do not permit it there, the reader
// records a layout violation and continues in the state that the instruction implies. Most instructions do not change
// the state. Runs of those take a fast path, which only records their offsets and their results.
#include "vireo/spirv/module/module.h"

#include <algorithm>

#include "spirv/module/opcode_traits.h"
#include "vireo/spirv/binary/views/control_flow.h"
#include "vireo/spirv/binary/views/function.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/id_map.h"

namespace vireo::spirv {

// --- reading ------------------------------------------------------------------------------------------------------------

class ModuleReader {
 public:
  ModuleReader(Words words, const Grammar& grammar) : opcodes_(grammar) {
    module_.words_ = words;
    module_.grammar_ = grammar;
    if (words.size() >= header_word_count) module_.header_ = {words[1], words[2], words[3], words[4]};
    // Real modules have 3.3 to 5.5 words per instruction, so offsets_ is rarely reallocated, and little memory is
    // unused.
    module_.offsets_.resize(words.size() / 4 + 1);
    // An instruction defines at most one id and has at least two words, so a valid module has fewer ids than words.
    // Larger ids go into a hash table, so that a module of ten words cannot allocate gigabytes.
    module_.definitions_.resize(std::min<std::size_t>(module_.header_.bound, words.size()));
  }

  Module read() && {
    const Words words = module_.words_;
    std::size_t at = std::min(header_word_count, words.size());
    while ((at = take_fast(at)) < words.size()) {
      const InstructionView instruction = module_.view(static_cast<std::uint32_t>(at));
      // After a length of zero, or one that exceeds the words, the start of the next instruction is unknown. Reading
      // stops there and keeps the instructions before.
      const bool is_cut = instruction.word_count > words.size() - at;
      if (instruction.word_count == 0 || is_cut) {
        const Kind kind = is_cut ? Kind::Truncated : Kind::ZeroWordCount;
        module_.layout_violations_.push_back({kind, InstructionIndex::none(), instruction.offset, 0});
        break;
      }
      take_slow(instruction);
      at += instruction.word_count;
    }
    // offsets_ was sized ahead; shrink it to the instructions.
    module_.offsets_.resize(here_);
    module_.opcodes_ = opcodes_.take_seen();
    module_.opcodes_.shrink_to_fit();
    std::ranges::sort(module_.opcodes_);
    finish();
    return std::move(module_);
  }

 private:
  using Kind = LayoutViolation::Kind;

  // Fast path: takes plain instructions from word `at` on, recording only offset and result. Returns the word of the
  // first instruction that is not plain, or the end of the words. Nearly all instructions take only this path, so all
  // state is in locals: members would be reloaded after each write to `definitions`.
  std::size_t take_fast(std::size_t at) {
    const Words words = module_.words_;
    const OpcodeTable::Known traits = opcodes_.known();
    const std::span<std::uint32_t> offsets = module_.offsets_;
    const std::span<InstructionIndex> definitions = module_.definitions_;
    const std::size_t most_ids = std::max<std::size_t>(definitions.size(), 1) - 1;
    const std::uint32_t here_bit = 1u << place_;
    std::uint32_t here = here_;
    while (at < words.size() && here < offsets.size()) {
      const Word* const instruction = words.data() + at;
      const std::uint32_t word_count = word_count_of(*instruction);
      const OpcodeTraits& opcode = traits[opcode_of(*instruction)];
      // An opcode seen for the first time has no plain places yet.
      if ((opcode.plain_places & here_bit) == 0 || word_count - 1 >= words.size() - at) break;
      if (opcode.result_word != 0) {
        if (opcode.result_word >= word_count) break;
        const Word id = instruction[opcode.result_word];
        // Id 0 wraps around and is out of range.
        if (std::size_t{id} - 1 >= most_ids || !definitions[id].is_none()) break;
        definitions[id] = InstructionIndex(here);
      }
      offsets[here++] = static_cast<std::uint32_t>(at);
      at += word_count;
    }
    here_ = here;
    return at;
  }

  // Grows offsets_ to the number of instructions expected from those so far, plus a margin. Grows by at least 1/32, so
  // that reallocations are rare.
  void make_room(std::size_t offset) {
    const std::size_t expected = std::size_t{here_} * module_.words_.size() / offset;
    const std::size_t count = std::max<std::size_t>(expected + expected / 64, here_ + here_ / 32) + 16;
    module_.offsets_.reserve(count);  // resize() alone would double the capacity
    module_.offsets_.resize(count);
  }

  // Slow path: instructions that begin or end a section, function or block, that violate the layout, or whose opcode is
  // new.
  void take_slow(InstructionView instruction) {
    if (here_ == module_.offsets_.size()) make_room(instruction.offset);
    module_.offsets_[here_] = instruction.offset;
    const OpcodeTraits& traits = opcodes_.of(instruction.opcode);
    enter_section(instruction, traits);
    if (traits.result_word != 0) define(instruction, traits);
    const bool needs_a_block = traits.home == Section::Functions && traits.place == SectionPlace::Home;
    if (function_is_open_ || needs_a_block) take_part(instruction, traits.part);
    place_ = place();
    ++here_;
  }

  // A function outside of the Functions section can be open only after that section, among the graphs. No opcode has a
  // plain place there, so each instruction takes the slow path.
  [[nodiscard]] std::uint8_t place() const {
    if (!function_is_open_) return section_;
    if (section_ != static_cast<std::uint8_t>(Section::Functions)) return ReadingPlace::elsewhere;
    return block_is_open_ ? ReadingPlace::in_block : ReadingPlace::in_function;
  }

  void violation(Kind kind, InstructionView instruction, Word id = 0) {
    module_.layout_violations_.push_back({kind, InstructionIndex(here_), instruction.offset, id});
  }

  // --- sections ---

  // The section only advances, so a late instruction is one violation and those after it are not affected. A skipped
  // section is empty: it begins and ends where the next one begins.
  void enter_section(InstructionView instruction, const OpcodeTraits& traits) {
    if (traits.place == SectionPlace::Anywhere) return;
    const auto home = static_cast<std::uint8_t>(traits.home);
    if (home > section_) {
      for (std::uint8_t s = section_ + 1; s <= home; ++s) module_.section_begins_[s] = here_;
      section_ = home;
    } else if (home < section_ && !may_come_late(traits)) {
      violation(Kind::OutOfSection, instruction);
    }
  }

  // Instructions such as OpUndef are permitted among the globals and in functions. Between functions, only extended
  // instructions (debug information) are permitted.
  [[nodiscard]] bool may_come_late(const OpcodeTraits& traits) const {
    return traits.place == SectionPlace::GlobalsAndFunctions && (function_is_open_ || traits.part == BodyPart::Aside);
  }

  // --- ids ---

  // Only the first definition of an id is recorded, so every id has at most one definition.
  void define(InstructionView instruction, const OpcodeTraits& traits) {
    if (instruction.word_count <= traits.result_word) return violation(Kind::NoResult, instruction);
    const Word id = instruction.first[traits.result_word];
    // The table is not longer than the bound.
    if (id >= module_.definitions_.size() || id == 0) return define_far(instruction, id);
    set_definition(instruction, id, module_.definitions_[id]);
  }

  // Handles id 0 and ids beyond the table. An id below the header's bound is no violation: the bound may be higher than
  // necessary.
  void define_far(InstructionView instruction, Word id) {
    if (id == 0) return violation(Kind::ZeroId, instruction);
    if (id >= module_.header_.bound) violation(Kind::BeyondBound, instruction, id);
    set_definition(instruction, id, far_[id]);
    highest_far_ = std::max(highest_far_, id);
  }

  void set_definition(InstructionView instruction, Word id, InstructionIndex& definition) {
    if (!definition.is_none()) return violation(Kind::DefinedTwice, instruction, id);
    definition = InstructionIndex(here_);
  }

  // Ids in far_ are above all those of the table.
  [[nodiscard]] Word highest_id() const {
    if (highest_far_ != 0) return highest_far_;
    std::size_t end = module_.definitions_.size();
    while (end > 0 && module_.definitions_[end - 1].is_none()) --end;
    return end == 0 ? 0 : static_cast<Word>(end - 1);
  }

  // --- functions and blocks ---

  // Updates functions and blocks. The next function or label also ends an open one, so that a missing end does not
  // cause violations for all following instructions. If a block has several merge instructions, the last one is
  // recorded.
  void take_part(InstructionView instruction, BodyPart part) {
    switch (part) {
      case BodyPart::Function: return open_function(instruction);
      case BodyPart::FunctionEnd: return end_function(instruction);
      case BodyPart::Label: return open_block(instruction);
      case BodyPart::Parameter:
        if (!function_is_open_ || function().block_count != 0) violation(Kind::ParameterOutside, instruction);
        return;
      case BodyPart::Aside: return;
      case BodyPart::Terminator:
        if (!block_is_open_) return violation(Kind::OutsideOfBlocks, instruction);
        block().terminator = InstructionIndex(here_);
        close_block(here_ + 1);
        return;
      case BodyPart::Merge:
        if (!block_is_open_) return violation(Kind::OutsideOfBlocks, instruction);
        block().merge = InstructionIndex(here_);
        return;
      case BodyPart::Ordinary:
        if (!block_is_open_) violation(Kind::OutsideOfBlocks, instruction);
        return;
    }
  }

  FunctionRow& function() { return module_.functions_.back(); }
  BlockRow& block() { return module_.blocks_.back(); }

  void open_function(InstructionView instruction) {
    if (function_is_open_) {
      violation(Kind::NestedFunction, instruction);
      close_function(here_);
    }
    FunctionRow row;
    // The ends are not known yet: ranges stay empty until a label, an end or an implied end sets them.
    row.id = View<Op::OpFunction>(instruction).result();
    row.all = {here_, here_};
    row.prologue = {here_ + 1, here_ + 1};
    row.first_block = static_cast<std::uint32_t>(module_.blocks_.size());
    module_.functions_.push_back(row);
    function_is_open_ = true;
  }

  // OpFunctionEnd belongs to its function, but to none of its blocks.
  void end_function(InstructionView instruction) {
    if (!function_is_open_) return violation(Kind::EndOutside, instruction);
    close_function(here_);
    function().all.end = here_ + 1;
  }

  // Ends the function before instruction `end`.
  void close_function(std::uint32_t end) {
    if (block_is_open_) cut_block(end);
    if (function().block_count == 0) function().prologue.end = end;
    function().all.end = end;
    function_is_open_ = false;
  }

  void open_block(InstructionView instruction) {
    if (!function_is_open_) return violation(Kind::LabelOutside, instruction);
    if (block_is_open_) cut_block(here_);
    if (function().block_count == 0) function().prologue.end = here_;
    BlockRow row;
    row.label = View<Op::OpLabel>(instruction).result();
    row.all = {here_, here_};
    row.function = FunctionIndex(module_.functions_.size() - 1);
    module_.blocks_.push_back(row);
    ++function().block_count;
    block_is_open_ = true;
  }

  void close_block(std::uint32_t end) {
    block().all.end = end;
    block_is_open_ = false;
  }

  // Ends a block without a terminator. The violation refers to the block's label.
  void cut_block(std::uint32_t end) {
    const InstructionIndex label(block().all.first);
    module_.layout_violations_.push_back({Kind::NoTerminator, label, module_.instruction(label).offset, block().label});
    close_block(end);
  }

  void finish() {
    const std::uint32_t count = module_.instruction_count();
    if (function_is_open_) {
      const InstructionIndex begin(function().all.first);
      module_.layout_violations_.push_back(
          {Kind::NoFunctionEnd, begin, module_.instruction(begin).offset, function().id});
      close_function(count);
    }
    // Sections that were not reached are empty, at the end. section_begins_ has one more entry, which ends the last
    // section.
    for (std::size_t s = section_ + 1u; s <= section_count; ++s) module_.section_begins_[s] = count;
    // Violations that are detected late (a missing end) are sorted into their place.
    std::ranges::stable_sort(module_.layout_violations_, {}, &LayoutViolation::offset);
    for (const auto& [id, instruction] : far_) module_.far_.push_back({id, instruction});
    std::ranges::sort(module_.far_, {}, &Module::FarDefinition::id);
    const Word highest = highest_id();
    module_.defined_bound_ = highest == 0 ? 0 : highest + 1;
  }

  Module module_;
  OpcodeTable opcodes_;
  std::uint32_t here_ = 0;  // index of the current instruction
  std::uint8_t section_ = 0;
  std::uint8_t place_ = 0;       // cached place(); changes only in the slow path
  IdMap<InstructionIndex> far_;  // definitions of ids beyond the table
  Word highest_far_ = 0;         // highest of these ids
  bool function_is_open_ = false;
  bool block_is_open_ = false;
};

Module Module::read(Words words, const Grammar& grammar) { return ModuleReader(words, grammar).read(); }

// --- queries ------------------------------------------------------------------------------------------------------------

namespace {
constexpr Word nothing_words[] = {0};

// Indexed by Section.
constexpr std::string_view section_names[section_count] = {
    "capabilities", "extensions",   "extended instruction imports",
    "memory model", "entry points", "execution modes",
    "sources",      "names",        "module processing",
    "annotations",  "globals",      "functions",
    "graphs",
};
}  // namespace

std::string_view name_of(Section section) { return section_names[static_cast<std::size_t>(section)]; }

InstructionView Module::nothing() { return {nothing_words, 0, 0, Op::OpNop}; }

InstructionIndex Module::find_far(Word id) const {
  const auto found = std::ranges::lower_bound(far_, id, {}, &FarDefinition::id);
  return found == far_.end() || found->id != id ? InstructionIndex::none() : found->instruction;
}

bool Module::has(Op opcode) const { return std::ranges::binary_search(opcodes_, opcode); }

// Words after the last instruction, where reading stopped, are treated as part of it.
InstructionIndex Module::at_word(std::uint32_t offset) const {
  if (offset >= words_.size()) return InstructionIndex::none();
  const auto after = std::upper_bound(offsets_.begin(), offsets_.end(), offset);
  if (after == offsets_.begin()) return InstructionIndex::none();
  return InstructionIndex(static_cast<std::size_t>(after - offsets_.begin() - 1));
}

Location Module::location_of(InstructionIndex i, std::size_t word) const {
  if (i.is_none() || i.raw >= instruction_count()) return Location::none();
  const InstructionView view = instruction(i);
  const std::uint64_t ordinal = std::uint64_t{i.raw} + 1;  // locations count instructions from 1
  const std::uint64_t begin = view.offset;
  if (word == 0 || word >= view.word_count) return Location::in_words(begin, begin + view.word_count, ordinal);
  return Location::in_words(begin + word, begin + word + 1, ordinal);
}

// Uses the grammar, because the reader's traits are not kept.
Word Module::result_of(InstructionView instruction) const { return instruction.result_id(grammar_); }

Word Module::type_of(InstructionView instruction) const { return instruction.type_id(grammar_); }

namespace {

// Index of the row whose `all` contains an instruction, in an ascending table; the table's length if there is none.
template <typename Row>
std::size_t row_with(std::span<const Row> rows, InstructionIndex i) {
  if (i.is_none()) return rows.size();
  const auto after = std::upper_bound(rows.begin(), rows.end(), i.raw,
                                      [](std::uint32_t at, const Row& row) { return at < row.all.first; });
  if (after == rows.begin() || !(after - 1)->all.contains(i)) return rows.size();
  return static_cast<std::size_t>(after - rows.begin() - 1);
}

}  // namespace

FunctionIndex Module::function_at(InstructionIndex i) const {
  const std::size_t row = row_with(functions(), i);
  return row == functions_.size() ? FunctionIndex::none() : FunctionIndex(row);
}

BlockIndex Module::block_at(InstructionIndex i) const {
  const std::size_t row = row_with(blocks(), i);
  return row == blocks_.size() ? BlockIndex::none() : BlockIndex(row);
}

// The id must be that of the OpFunction. function_at() also finds the function for other ids that it defines, and a
// repeated id refers to its first definition.
FunctionIndex Module::function_of(Word id) const {
  const FunctionIndex f = function_at(definition(id));
  return !f.is_none() && functions_[f.index()].id == id ? f : FunctionIndex::none();
}

BlockIndex Module::block_of(Word label) const {
  const BlockIndex b = block_at(definition(label));
  return !b.is_none() && blocks_[b.index()].label == label ? b : BlockIndex::none();
}

// --- rows ---------------------------------------------------------------------------------------------------------------
//
// Not in the header: each conversion to a std::span costs its users 10 to 20 ms of compile time.

std::span<const LayoutViolation> Module::layout_violations() const { return layout_violations_; }
std::span<const FunctionRow> Module::functions() const { return functions_; }
std::span<const BlockRow> Module::blocks() const { return blocks_; }
std::span<const BlockRow> Module::blocks(const FunctionRow& f) const {
  return std::span(blocks_).subspan(f.first_block, f.block_count);
}

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// Module: an index of the instructions, ids, sections, functions and blocks of a module.
//
// Reading a module builds indexes over its words and copies no words. One pass finds the beginning of
// each instruction, the definition of each id, and the instructions of each section, function and block. Reading never
// fails: it lists layout violations (a second definition, a label outside a function), and every index that a Module
// returns is in range. Types, uses, dominators and other analyses have headers of their own and use a Module.
//
//   const Module module = Module::read(words);
//   for (const auto [index, entry] : module.instructions(Section::EntryPoints)) …
//   for (const FunctionRow& function : module.functions())
//     for (const BlockRow& block : module.blocks(function)) …
//
// Source: specification 2.3 (physical layout) and 2.4 (logical layout of a module).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "vireo/spirv/binary/instruction.h"
#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/id.h"

namespace vireo {
struct Location;  // vireo/support/diagnostic.h
}

namespace vireo::spirv {

using InstructionIndex = Id<struct InstructionTag, std::uint32_t>;  ///< index within the module, from 0
using FunctionIndex = Id<struct FunctionTag, std::uint32_t>;        ///< index into Module::functions()
using BlockIndex = Id<struct BlockTag, std::uint32_t>;              ///< index into Module::blocks()

/// A range of instructions: the indexes `first` … `end` - 1.
struct VIREO_API InstructionRange {
  std::uint32_t first = 0;
  std::uint32_t end = 0;

  [[nodiscard]] constexpr std::uint32_t size() const { return end - first; }
  [[nodiscard]] constexpr bool is_empty() const { return first == end; }
  [[nodiscard]] constexpr bool contains(InstructionIndex i) const { return i.raw >= first && i.raw < end; }
  friend constexpr bool operator==(InstructionRange, InstructionRange) = default;
};

/// An instruction and its index, for structured bindings.
struct VIREO_API IndexedInstruction {
  InstructionIndex index;
  InstructionView instruction;
};

/// The sections of a module, in the order of the logical layout (specification 2.4). Items 7a to 7c of that section are
/// separate enumerators; function declarations and definitions share one.
enum class Section : std::uint8_t {
  Capabilities,
  Extensions,
  Imports,  ///< OpExtInstImport
  MemoryModel,
  EntryPoints,
  ExecutionModes,
  Sources,          ///< 7a: OpString, OpSource, OpSourceContinued, OpSourceExtension
  Names,            ///< 7b
  ModuleProcessed,  ///< 7c
  Annotations,
  Globals,  ///< types, constants, variables outside functions
  Functions,
  Graphs,  ///< SPV_ARM_graph
};
inline constexpr std::size_t section_count = 13;
VIREO_API std::string_view name_of(Section section);  ///< "execution modes"

/// A function: from OpFunction to OpFunctionEnd, both included. If OpFunctionEnd is missing, the function ends before
/// the next OpFunction or at the end of the module.
struct VIREO_API FunctionRow {
  Word id = 0;                    ///< the result id; 0 if OpFunction is too short to have one
  InstructionRange all;           ///< all instructions, including OpFunction
  InstructionRange prologue;      ///< instructions between OpFunction and the first label: parameters, line information
  std::uint32_t first_block = 0;  ///< index into Module::blocks()
  std::uint32_t block_count = 0;  ///< 0: a declaration

  [[nodiscard]] bool is_declaration() const { return block_count == 0; }
};

/// A block: from OpLabel to its terminator, both included. If the terminator is missing, the block ends before the next
/// OpLabel or at the end of the function.
struct VIREO_API BlockRow {
  Word label = 0;               ///< result id of its OpLabel
  InstructionRange all;         ///< all instructions, including OpLabel
  InstructionIndex merge;       ///< the last OpSelectionMerge or OpLoopMerge; none if the block has neither
  InstructionIndex terminator;  ///< none if it is missing
  FunctionIndex function;
};

/// A violation of the physical or logical layout (specification 2.3, 2.4).
struct VIREO_API LayoutViolation {
  enum class Kind : std::uint8_t {
    ZeroWordCount,     ///< the word count of an instruction is 0; the rest of the module is not read
    Truncated,         ///< the word count of the last instruction exceeds the remaining words
    NoResult,          ///< an instruction is too short for its result id
    ZeroId,            ///< a result id is 0
    BeyondBound,       ///< a result id is not below the header's bound
    DefinedTwice,      ///< an earlier instruction defines the same id; Module::definition() returns the earlier one
    OutOfSection,      ///< the instruction belongs in an earlier section
    NestedFunction,    ///< OpFunction within a function; the outer function ends before it
    NoFunctionEnd,     ///< a function without OpFunctionEnd before the end of the module
    EndOutside,        ///< OpFunctionEnd outside a function
    ParameterOutside,  ///< OpFunctionParameter outside a function, or after its first label
    LabelOutside,      ///< OpLabel outside a function
    NoTerminator,      ///< a block without a terminator before the next label or the end of the function
    OutsideOfBlocks,   ///< an instruction that must be in a block is outside of blocks
  };
  Kind kind;
  /// The instruction with the violation. NoTerminator: OpLabel. NoFunctionEnd: OpFunction. None for ZeroWordCount and
  /// Truncated.
  InstructionIndex instruction;
  std::uint32_t offset = 0;  ///< offset of the instruction, in words from the start of the module
  Word id = 0;               ///< the result id with the violation; 0 if no id is involved
};

/// An index over a module's words: sections, definitions, functions, blocks. The spans and views that it returns are
/// valid as long as the module and its words.
class VIREO_API Module {
 public:
  /// Reads a whole module in host byte order (reader.h reads the words of a file). The words and the rows of the
  /// grammar are borrowed and must outlive the module. Never fails: from fewer than five words it creates an empty
  /// module, and it does not check the header (read_header() does). Linear in the words. Memory: about four bytes for
  /// each instruction and four for each id.
  static Module read(Words words, const Grammar& grammar = builtin_grammar());
  static Module read(const WordBuffer&& temporary, const Grammar& grammar = builtin_grammar()) = delete;

  [[nodiscard]] Words words() const { return words_; }
  [[nodiscard]] const Grammar& grammar() const { return grammar_; }
  [[nodiscard]] const Header& header() const { return header_; }
  /// In the order of the words.
  [[nodiscard]] std::span<const LayoutViolation> layout_violations() const;

  // --- instructions ---
  [[nodiscard]] std::uint32_t instruction_count() const { return static_cast<std::uint32_t>(offsets_.size()); }
  [[nodiscard]] InstructionView instruction(InstructionIndex i) const { return view(offsets_[i.index()]); }
  [[nodiscard]] InstructionRange all() const { return {0, instruction_count()}; }
  template <typename Item>
  class Walk;
  /// The instructions of a range, of a section, or of the whole module, each with its index:
  /// `for (const auto [index, instruction] : module.instructions())`.
  [[nodiscard]] Walk<IndexedInstruction> instructions(InstructionRange range) const&;
  [[nodiscard]] Walk<IndexedInstruction> instructions(Section section) const&;
  [[nodiscard]] Walk<IndexedInstruction> instructions() const&;
  /// The instructions of a range, without their indexes.
  [[nodiscard]] Walk<InstructionView> views(InstructionRange range) const&;
  // A range over a temporary module would dangle.
  void instructions(InstructionRange range) const&& = delete;
  void instructions(Section section) const&& = delete;
  void instructions() const&& = delete;
  void views(InstructionRange range) const&& = delete;
  /// Whether the module contains an instruction with this opcode. False if the grammar does not define the opcode.
  /// Logarithmic.
  [[nodiscard]] bool has(Op opcode) const;
  /// The instruction that contains a word; `offset` counts words from the start of the module. None for words of the
  /// header and beyond the end. If reading stopped before the end, the remaining words count as part of the last
  /// instruction. Logarithmic.
  [[nodiscard]] InstructionIndex at_word(std::uint32_t offset) const;

  /// The location of an instruction for a diagnostic, or of one of its words. `word` is an index within the
  /// instruction, such as `load->pointer().word` (view.h). 0 and indexes beyond the last word select the whole
  /// instruction. Location::none() if the module has no such instruction.
  [[nodiscard]] Location location_of(InstructionIndex i, std::size_t word = 0) const;

  // --- ids ---
  /// The instruction that defines an id; none if it is undefined.
  [[nodiscard]] InstructionIndex definition(Word id) const {
    if (id < definitions_.size()) [[likely]] { return definitions_[id]; }
    return find_far(id);
  }
  /// A view of the instruction that defines an id; a view without words (`word_count` 0, `opcode` 0) if the id is
  /// undefined.
  [[nodiscard]] InstructionView find(Word id) const {
    const InstructionIndex i = definition(id);
    return i.is_none() ? nothing() : instruction(i);
  }
  /// The result id of an instruction, and the id of its result type; 0 if it has none.
  [[nodiscard]] Word result_of(InstructionView instruction) const;
  [[nodiscard]] Word type_of(InstructionView instruction) const;
  /// The type of a value; 0 if the id is not a value.
  [[nodiscard]] Word type_of(Word value) const { return type_of(find(value)); }
  /// One more than the highest defined id; 0 if no id is defined. The header's bound may be higher, or wrong.
  [[nodiscard]] Word defined_bound() const { return defined_bound_; }

  // --- parts ---
  /// The instructions of a section. The sections partition the module: an instruction in a wrong section (OutOfSection)
  /// counts as part of that section.
  [[nodiscard]] InstructionRange section(Section section) const {
    const auto s = static_cast<std::size_t>(section);
    return {section_begins_[s], section_begins_[s + 1]};
  }
  [[nodiscard]] std::span<const FunctionRow> functions() const;
  /// The blocks of all functions, in the order of the module; the blocks of a function are contiguous.
  [[nodiscard]] std::span<const BlockRow> blocks() const;
  [[nodiscard]] std::span<const BlockRow> blocks(const FunctionRow& f) const;
  /// The index of a row of functions() or blocks(), computed from the row's address. The argument must be the row
  /// itself, not a copy.
  [[nodiscard]] FunctionIndex index_of(const FunctionRow& f) const {
    return FunctionIndex(static_cast<std::size_t>(&f - functions_.data()));
  }
  [[nodiscard]] BlockIndex index_of(const BlockRow& b) const {
    return BlockIndex(static_cast<std::size_t>(&b - blocks_.data()));
  }
  /// The function or block that contains an instruction; none if no function or block contains it. Logarithmic.
  [[nodiscard]] FunctionIndex function_at(InstructionIndex i) const;
  [[nodiscard]] BlockIndex block_at(InstructionIndex i) const;
  /// The function with this result id, or the block with this label; none if the id is not a function or a label.
  [[nodiscard]] FunctionIndex function_of(Word id) const;
  [[nodiscard]] BlockIndex block_of(Word label) const;

 private:
  friend class ModuleReader;
  struct FarDefinition {
    Word id;
    InstructionIndex instruction;
  };
  Module() = default;

  static InstructionView nothing();
  [[nodiscard]] InstructionView view(std::uint32_t offset) const {
    return InstructionView::at(words_.data() + offset, offset);
  }
  [[nodiscard]] InstructionIndex find_far(Word id) const;

  Words words_;
  Grammar grammar_;
  Header header_;
  std::vector<std::uint32_t> offsets_;         // the offset of each instruction, in words
  std::vector<Op> opcodes_;                    // without duplicates, ascending
  std::vector<InstructionIndex> definitions_;  // by id; ids that are far above the module's size are in far_
  std::vector<FarDefinition> far_;             // ascending by id
  Word defined_bound_ = 0;
  std::uint32_t section_begins_[section_count + 1] = {};
  std::vector<FunctionRow> functions_;
  std::vector<BlockRow> blocks_;
  std::vector<LayoutViolation> layout_violations_;
};

/// The instructions of a range in order: as views, or as views with their indexes. Borrows the module.
template <typename Item>
class Module::Walk {
 public:
  /// Iterates over the instructions.
  class Iterator {
   public:
    using value_type = Item;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;
    using pointer = const Item*;
    using reference = Item;

    Iterator(const Module& module, std::uint32_t at) : module_(&module), at_(at) {}
    Item operator*() const {
      const InstructionView instruction = module_->view(module_->offsets_[at_]);
      if constexpr (std::is_same_v<Item, InstructionView>) return instruction;
      else return {index(), instruction};
    }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    void operator++(int) { ++at_; }
    [[nodiscard]] InstructionIndex index() const { return InstructionIndex(at_); }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }

   private:
    const Module* module_;
    std::uint32_t at_;
  };

  Walk(const Module& module, InstructionRange range) : module_(module), range_(range) {}
  [[nodiscard]] Iterator begin() const { return {module_, range_.first}; }
  [[nodiscard]] Iterator end() const { return {module_, range_.end}; }
  [[nodiscard]] std::uint32_t size() const { return range_.size(); }

 private:
  const Module& module_;
  InstructionRange range_;
};

inline Module::Walk<InstructionView> Module::views(InstructionRange range) const& { return {*this, range}; }
inline Module::Walk<IndexedInstruction> Module::instructions(InstructionRange range) const& { return {*this, range}; }
inline Module::Walk<IndexedInstruction> Module::instructions(Section s) const& { return {*this, section(s)}; }
inline Module::Walk<IndexedInstruction> Module::instructions() const& { return {*this, all()}; }

}  // namespace vireo::spirv

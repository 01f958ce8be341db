// SPDX-License-Identifier: Apache-2.0
//
// InstructionView: a view of one instruction in the words of its module (specification 2.3, table 2).
//
// Traversal reads only the first word of each instruction; OperandDecoder (operand.h) decodes operands. A
// view is 16 bytes, is passed by value and must not outlive the words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"

namespace vireo::spirv {

struct Grammar;                              // grammar.h
VIREO_API const Grammar& builtin_grammar();  // NOLINT(readability-redundant-declaration): of grammar.h

/// The first word of an instruction: the word count in the high half, the opcode in the low half.
constexpr Word first_word(std::size_t word_count, Op opcode) {
  return static_cast<Word>(word_count) << 16 | static_cast<Word>(opcode);
}
constexpr std::uint16_t word_count_of(Word first_word) { return static_cast<std::uint16_t>(first_word >> 16); }
constexpr Op opcode_of(Word first_word) { return static_cast<Op>(first_word & 0xFFFF); }

/// An instruction within a module. Borrows the words of the module. A view without words represents "no instruction"
/// (Module::find).
struct VIREO_API InstructionView {
  const Word* first = nullptr;   ///< the word with opcode and word count
  std::uint32_t offset = 0;      ///< position of the first word, in words from the start of the module
  std::uint16_t word_count = 0;  ///< at least 1; 0 for "no instruction"
  Op opcode = Op::OpNop;         ///< may be unknown to the grammar

  /// The instruction that begins at `first`. Takes the opcode and the word count from the first word; does not check
  /// that this many words are available. `offset` is in words from the start of the module.
  static constexpr InstructionView at(const Word* first, std::uint32_t offset) {
    return {first, offset, word_count_of(*first), opcode_of(*first)};
  }

  [[nodiscard]] Words words() const { return {first, word_count}; }  ///< all words, including the first
  /// All words except the first.
  [[nodiscard]] Words operands() const { return word_count == 0 ? Words{} : words().subspan(1); }
  /// The word at `index`, counted from the first word. Returns 0, which is not a valid id, for an index beyond the last
  /// word, because an instruction may be shorter than the grammar requires.
  [[nodiscard]] Word word(std::size_t index) const { return index < word_count ? first[index] : 0; }
  /// The result id, and the id of the result type. 0 if the instruction has none, is unknown to the grammar, or is too
  /// short. For a module that was read with another grammar, Module::result_of() and type_of() use that one.
  [[nodiscard]] Word result_id(const Grammar& grammar = builtin_grammar()) const;
  [[nodiscard]] Word type_id(const Grammar& grammar = builtin_grammar()) const;
};

/// The reason why a walk over instructions ended.
enum class WalkEnd : std::uint8_t {
  Complete,       ///< the last instruction ends where the words end
  ZeroWordCount,  ///< the word count of an instruction is 0
  Truncated,      ///< the word count of an instruction exceeds the remaining words
};

/// The instructions of a module, front to back:
///
///   for (InstructionView instruction : Instructions(words)) …
///
/// The walk stops at the first instruction whose word count is invalid; walk_end() and offset() of the iterator then
/// return the reason and the word offset. The words are borrowed.
class VIREO_API Instructions {
 public:
  /// `module` is a whole module in host byte order. The walk begins at `first_word`, the first word of an instruction,
  /// counted from the start of the module. By default it skips the header without checking it.
  explicit Instructions(Words module, std::size_t first_word = header_word_count)
      : words_(module), begin_(first_word < module.size() ? first_word : module.size()) {}
  explicit Instructions(const WordBuffer&& temporary, std::size_t first_word = header_word_count) = delete;

  /// The end of the walk. (std::default_sentinel_t would need a standard header that takes longer to compile than this
  /// one.)
  struct End {};

  /// Advances by the word count of each instruction.
  class Iterator {
   public:
    using value_type = InstructionView;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;
    using pointer = const InstructionView*;
    using reference = InstructionView;

    Iterator(Words words, std::size_t offset) : words_(words), offset_(offset) { check_end(); }

    InstructionView operator*() const {
      return InstructionView::at(words_.data() + offset_, static_cast<std::uint32_t>(offset_));
    }
    Iterator& operator++() {
      offset_ += word_count_of(words_[offset_]);
      check_end();
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& a, End) { return a.at_end_; }

    [[nodiscard]] WalkEnd walk_end() const { return end_; }  ///< valid at the end only
    /// The word offset of the current instruction, or of the position where the walk stopped.
    [[nodiscard]] std::size_t offset() const { return offset_; }

   private:
    void check_end() {
      if (offset_ >= words_.size()) {
        at_end_ = true;
        return;
      }
      const std::size_t count = word_count_of(words_[offset_]);
      if (count != 0 && count <= words_.size() - offset_) return;
      end_ = count == 0 ? WalkEnd::ZeroWordCount : WalkEnd::Truncated;
      at_end_ = true;
    }

    Words words_;
    std::size_t offset_;
    WalkEnd end_ = WalkEnd::Complete;
    bool at_end_ = false;
  };

  [[nodiscard]] Iterator begin() const { return {words_, begin_}; }
  [[nodiscard]] End end() const { return {}; }

 private:
  Words words_;
  std::size_t begin_;
};

}  // namespace vireo::spirv

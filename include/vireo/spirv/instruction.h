// SPDX-License-Identifier: Apache-2.0
//
// InstructionView: a view of one instruction in the words of its module (specification 2.3, table 2).
//
// The one idea: traversal reads only the first word of each instruction; operands are decoded on request (operand.h).
// A view is 16 bytes, is passed by value and must not outlive the words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "vireo/spirv/enums.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"

namespace vireo::spirv {

/// An instruction within a module. All of its words are inside the module's words. A view without words represents
/// "no instruction" (Module::find).
struct VIREO_API InstructionView {
  const Word* first = nullptr;   ///< the word with opcode and word count
  std::uint32_t offset = 0;      ///< of that word from the start of the module, in words
  std::uint16_t word_count = 0;  ///< at least 1; 0 for "no instruction"
  Op opcode = Op::OpNop;         ///< may be unknown to the grammar

  /// The instruction that begins at `first`, as its first word states.
  static constexpr InstructionView at(const Word* first, std::uint32_t offset) {
    return {first, offset, static_cast<std::uint16_t>(*first >> 16), static_cast<Op>(*first & 0xFFFF)};
  }

  [[nodiscard]] Words words() const { return {first, word_count}; }  ///< all words, including the first
  /// The words after the first.
  [[nodiscard]] Words operands() const { return word_count == 0 ? Words{} : words().subspan(1); }
  /// `index` counts from the first word. Beyond the last word the result is 0, which is not a valid id: an
  /// instruction may be shorter than its grammar requires.
  [[nodiscard]] Word word(std::size_t index) const { return index < word_count ? first[index] : 0; }
};

/// The reason why a walk over instructions ended.
enum class WalkEnd : std::uint8_t {
  Complete,       ///< the last instruction ends where the words end
  ZeroWordCount,  ///< an instruction states a length of zero words
  Truncated,      ///< an instruction states more words than are left
};

/// The instructions of a module, front to back:
///
///   for (InstructionView instruction : Instructions(words)) …
///
/// Stops at the first instruction that cannot be skipped; walk_end() and offset() of the iterator contain the reason
/// and the place. The words are borrowed.
class VIREO_API Instructions {
 public:
  /// `module` is a whole module; its header is skipped, not checked. The walk begins at `first_word` instead if it is
  /// passed: the first word of an instruction, counted in words from the start of the module.
  explicit Instructions(Words module, std::size_t first_word = header_word_count)
      : words_(module), begin_(first_word < module.size() ? first_word : module.size()) {}
  explicit Instructions(const WordBuffer&& temporary, std::size_t first_word = header_word_count) = delete;

  /// The end of the walk. (Not std::default_sentinel_t: the standard header of that type takes longer to compile than
  /// this one.)
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
      offset_ += words_[offset_] >> 16;
      check_end();
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& a, End) { return a.at_end_; }

    [[nodiscard]] WalkEnd walk_end() const { return end_; }       ///< valid at the end only
    [[nodiscard]] std::size_t offset() const { return offset_; }  ///< in words; at the end: where the walk stopped

   private:
    void check_end() {
      if (offset_ >= words_.size()) {
        at_end_ = true;
        return;
      }
      const std::size_t count = words_[offset_] >> 16;
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

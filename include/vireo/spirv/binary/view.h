// SPDX-License-Identifier: Apache-2.0
//
// Typed views: read the operands of an instruction by their names in the grammar (specification 2.3 and 3.42).
//
//   if (const auto load = as<Op::OpLoad>(instruction)) … load->pointer() …
//
// `View<Op::OpLoad>` is generated from the grammar, in views/memory.h, with one function for each operand. A view of an
// extended instruction is `View<GLSL_std_450::FClamp>`. Include the header of the instruction's class, or views/all.h.
//
// A view is 16 bytes, is passed by value, allocates nothing and borrows the words of the module. It accepts any
// instruction: an operand beyond the end of a short instruction is 0, absent, or empty. After a mask with unknown bits
// the operands may be wrong, because their positions are unknown; OperandDecoder (operand.h) reports such instructions.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <type_traits>

#include "vireo/spirv/binary/instruction.h"
#include "vireo/spirv/binary/operand_values.h"
#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/word.h"

namespace vireo::spirv {

// --- operands ---------------------------------------------------------------------------------------------------------

/// The value of an operand, and its position.
template <typename T>
struct Located {
  T value{};
  std::uint16_t word = 0;                         ///< index of its first word within the instruction
  constexpr operator T() const { return value; }  // NOLINT(google-explicit-constructor): it is the value
};

/// An operand that is an id. Converts to a word; typed() returns the id as an IdOf, which the methods of Builder take.
template <IdKind kind>
struct IdOperand {
  Word id = 0;
  std::uint16_t word = 0;                         ///< index within the instruction
  constexpr operator Word() const { return id; }  // NOLINT(google-explicit-constructor): it is the id
  [[nodiscard]] constexpr IdOf<kind> typed() const { return IdOf<kind>(id); }
};
/// An operand that is an id of any class. All other IdOperand types convert to it.
template <>
struct IdOperand<IdKind::Any> {
  Word id = 0;
  std::uint16_t word = 0;
  template <IdKind other>
  constexpr IdOperand(IdOperand<other> operand)  // NOLINT(google-explicit-constructor): any id will do
      : id(operand.id), word(operand.word) {}
  constexpr IdOperand(Word the_id, std::uint16_t the_word) : id(the_id), word(the_word) {}
  constexpr IdOperand() = default;
  constexpr operator Word() const { return id; }  // NOLINT(google-explicit-constructor): it is the id
  [[nodiscard]] constexpr AnyId typed() const { return AnyId(id); }
};

/// A literal string, without its terminating NUL. Borrowed from the words.
struct StringOperand : std::string_view {
  std::uint16_t word = 0;  ///< index within the instruction
};

/// Iterates over the elements of a list. Contains a copy of the list, which borrows the words.
template <typename List>
class ListIterator {
 public:
  using difference_type = std::ptrdiff_t;
  constexpr ListIterator(List list, std::size_t index) : list_(list), index_(index) {}
  constexpr auto operator*() const { return list_[index_]; }
  constexpr ListIterator& operator++() { return ++index_, *this; }
  constexpr ListIterator operator++(int) { return {list_, index_++}; }
  friend constexpr bool operator==(ListIterator a, ListIterator b) { return a.index_ == b.index_; }

 private:
  List list_;
  std::size_t index_;
};

/// A list of operands at the end of an instruction, `stride` words for each element. Borrows the words.
template <typename Element, std::size_t stride = 1>
class OperandList {
 public:
  constexpr OperandList() = default;
  constexpr OperandList(Words words, std::size_t word) : words_(words), word_(static_cast<std::uint16_t>(word)) {}

  [[nodiscard]] constexpr std::size_t size() const { return words_.size() / stride; }
  [[nodiscard]] constexpr bool empty() const { return size() == 0; }
  [[nodiscard]] constexpr Words words() const { return words_; }
  /// The index of the first element's word within the instruction, also if the list is empty.
  [[nodiscard]] constexpr std::uint16_t word() const { return word_; }
  /// Precondition: index < size().
  [[nodiscard]] constexpr Element operator[](std::size_t index) const {
    return Element::read(words_.data() + index * stride, static_cast<std::uint16_t>(word_ + index * stride));
  }

  [[nodiscard]] constexpr ListIterator<OperandList> begin() const { return {*this, 0}; }
  [[nodiscard]] constexpr ListIterator<OperandList> end() const { return {*this, size()}; }

 private:
  Words words_;
  std::uint16_t word_ = 0;
};

/// The element type of IdList.
template <IdKind kind>
struct ListedId : IdOperand<kind> {
  static constexpr ListedId read(const Word* at, std::uint16_t word) { return {{*at, word}}; }
};
/// A literal of one word in a list.
struct ListedLiteral : Located<Word> {
  static constexpr ListedLiteral read(const Word* at, std::uint16_t word) { return {{*at, word}}; }
};
/// A pair of OpPhi: a value and its predecessor block.
struct PhiOperand {
  IdOperand<IdKind::Value> variable;
  IdOperand<IdKind::Label> parent;
  static constexpr PhiOperand read(const Word* at, std::uint16_t word) {
    return {{at[0], word}, {at[1], static_cast<std::uint16_t>(word + 1)}};
  }
};
/// A pair of OpGroupMemberDecorate: a structure type and the number of a member, from 0.
struct MemberOperand {
  IdOperand<IdKind::Type> type;
  Located<Word> member;
  static constexpr MemberOperand read(const Word* at, std::uint16_t word) {
    return {{at[0], word}, {at[1], static_cast<std::uint16_t>(word + 1)}};
  }
};
template <IdKind kind>
using IdList = OperandList<ListedId<kind>>;
using LiteralList = OperandList<ListedLiteral>;

/// A case of OpSwitch: a literal and its target.
struct CaseOperand {
  Words literal;  ///< the words of the literal, low-order word first; borrowed
  IdOperand<IdKind::Label> label;
  std::uint16_t word = 0;  ///< index of the literal's first word within the instruction
};
/// The cases of OpSwitch. Each literal has `literal_words` words. The width of the selector's type determines this
/// number; the instruction does not contain it.
class CaseList {
 public:
  constexpr CaseList(Words words, std::size_t word, std::size_t literal_words)
      : words_(words), word_(static_cast<std::uint16_t>(word)), stride_(literal_words + 1) {}
  [[nodiscard]] constexpr std::size_t size() const { return words_.size() / stride_; }
  [[nodiscard]] constexpr std::uint16_t word() const { return word_; }  ///< word index of the first case
  /// Precondition: index < size().
  [[nodiscard]] constexpr CaseOperand operator[](std::size_t index) const {
    const std::size_t at = index * stride_, label = at + stride_ - 1;
    return {words_.subspan(at, stride_ - 1),
            {words_[label], static_cast<std::uint16_t>(word_ + label)},
            static_cast<std::uint16_t>(word_ + at)};
  }
  [[nodiscard]] constexpr ListIterator<CaseList> begin() const { return {*this, 0}; }
  [[nodiscard]] constexpr ListIterator<CaseList> end() const { return {*this, size()}; }

 private:
  Words words_;
  std::uint16_t word_;
  std::size_t stride_;
};

// --- views ------------------------------------------------------------------------------------------------------------

/// The view of an instruction: `instruction` is an Op or an enumerator of an extended set. Specialized in views/.
template <auto instruction>
class View;
/// The base class of the views in one header whose instructions have the same operands; `first` is the first of them.
template <auto first>
class SharedOperands;

/// The common base class of all views.
class InstructionOperands {
 public:
  constexpr explicit InstructionOperands(InstructionView view) : view_(view) {}
  [[nodiscard]] InstructionView view() const { return view_; }

 protected:
  // `word` is always an index within a standalone instruction. In OpSpecConstantOp, the opcode of the operation follows
  // the result id, so the operands are one word later; place() adds that word. A view of such an operation has the
  // words of OpSpecConstantOp, and the operation's opcode in `view_.opcode`.
  [[nodiscard]] std::size_t place(std::size_t word) const {
    const bool is_operation = word >= 3 && view_.word_count != 0 && view_.opcode != Op::OpSpecConstantOp &&
                              opcode_of(*view_.first) == Op::OpSpecConstantOp;
    return is_operation ? word + 1 : word;
  }
  [[nodiscard]] bool has(std::size_t word) const { return place(word) < view_.word_count; }
  [[nodiscard]] Words rest(std::size_t word) const {
    const std::size_t at = place(word);
    return at < view_.word_count ? Words{view_.first + at, view_.word_count - at} : Words{};
  }
  template <typename T>
  [[nodiscard]] Located<T> read_literal(std::size_t word) const {
    const std::size_t at = place(word);
    const Word value = view_.word(at);
    if constexpr (std::is_same_v<T, float>) return {std::bit_cast<float>(value), static_cast<std::uint16_t>(at)};
    else return {static_cast<T>(value), static_cast<std::uint16_t>(at)};
  }
  template <IdKind kind>
  [[nodiscard]] IdOperand<kind> read_id(std::size_t word) const {
    const std::size_t at = place(word);
    return {view_.word(at), static_cast<std::uint16_t>(at)};
  }
  [[nodiscard]] StringOperand read_string(std::size_t word) const {
    const Words words = rest(word);
    const char* const bytes = reinterpret_cast<const char*>(words.data());
    std::string_view text = words.empty() ? std::string_view() : std::string_view(bytes, words.size_bytes());
    return {text.substr(0, text.find('\0')), static_cast<std::uint16_t>(place(word))};
  }
  /// The index of the word after a string.
  [[nodiscard]] std::size_t end_of_string(std::size_t word) const { return word + read_string(word).size() / 4 + 1; }
  template <IdKind kind>
  [[nodiscard]] IdList<kind> read_ids(std::size_t word) const {
    return {rest(word), place(word)};
  }
  [[nodiscard]] LiteralList read_literals(std::size_t word) const { return {rest(word), place(word)}; }
  template <typename Operand>
  [[nodiscard]] std::optional<Operand> if_present(std::size_t word, Operand operand) const {
    return has(word) ? std::optional<Operand>(operand) : std::nullopt;
  }

  InstructionView view_;
};

/// The operands of every instruction with a result type.
class ValueOperands : public InstructionOperands {
 public:
  using InstructionOperands::InstructionOperands;
  [[nodiscard]] IdOperand<IdKind::Type> result_type() const { return read_id<IdKind::Type>(1); }
  [[nodiscard]] IdOperand<IdKind::Value> result() const { return read_id<IdKind::Value>(2); }
  [[nodiscard]] Words others() const { return rest(3); }  ///< the words after the result
};

/// The operands of every extended instruction. Its own operands follow its number, which is word 4.
class ExtendedOperands : public InstructionOperands {
 public:
  using InstructionOperands::InstructionOperands;
  [[nodiscard]] IdOperand<IdKind::Type> result_type() const { return read_id<IdKind::Type>(1); }
  [[nodiscard]] IdOperand<IdKind::Value> result() const { return read_id<IdKind::Value>(2); }
  [[nodiscard]] IdOperand<IdKind::Set> set() const { return read_id<IdKind::Set>(3); }
};

/// The operand with which every name and decoration begins: what it names or decorates, or the group that it applies.
class AnnotationOperands : public InstructionOperands {
 public:
  using InstructionOperands::InstructionOperands;
  [[nodiscard]] IdOperand<IdKind::Any> target() const { return read_id<IdKind::Any>(1); }
};

/// An enumerant or a mask with its parameters: the common base class of the generated views of masks and enumerants.
template <typename Enum>
class EnumerantView : protected InstructionOperands {
 public:
  constexpr EnumerantView(InstructionView view, std::size_t word)
      : InstructionOperands(view), word_(static_cast<std::uint16_t>(word)) {}

  [[nodiscard]] Enum value() const { return read_literal<Enum>(word_); }
  [[nodiscard]] bool is_present() const { return InstructionOperands::has(word_); }
  [[nodiscard]] std::uint16_t word() const { return static_cast<std::uint16_t>(place(word_)); }
  operator Enum() const { return value(); }  // NOLINT(google-explicit-constructor): it is the value
  /// The words after the enumerant or the mask, to the end of the instruction.
  [[nodiscard]] Words parameters() const { return rest(word_ + std::size_t{1}); }
  /// For masks: whether at least one of `bits` is set.
  [[nodiscard]] bool has(Enum bits) const requires is_mask_enum<Enum> { return (value() & bits) != Enum{}; }

 protected:
  // The word index of the first parameter of `bit`; the parameters of lower bits precede it. If `bit` is 0, the index
  // after all parameters. `singles` and `doubles` are the masks of the bits with one and with two parameters.
  [[nodiscard]] std::size_t parameter_of(Word bit, Word singles, Word doubles) const {
    const Word lower = static_cast<Word>(value()) & (bit - 1);
    return word_ + std::size_t{1} + static_cast<std::size_t>(std::popcount(lower & singles)) +
           2 * static_cast<std::size_t>(std::popcount(lower & doubles));
  }
  template <typename Operand>
  [[nodiscard]] std::optional<Operand> if_set(Word bit, Operand operand) const {
    return (static_cast<Word>(value()) & bit) != 0 ? std::optional<Operand>(operand) : std::nullopt;
  }
  template <typename Operand>
  [[nodiscard]] std::optional<Operand> if_value(Enum enumerant, Operand operand) const {
    return value() == enumerant ? std::optional<Operand>(operand) : std::nullopt;
  }

  std::uint16_t word_;  // index within a standalone instruction: see place()
};

/// Whether the header in views/ that defines the view of this instruction is included; views/all.h includes all.
template <auto instruction>
concept view_header_is_included = requires {
  sizeof(View<instruction>);
};

/// The view of an instruction if it has this opcode; otherwise none. Borrows the words of the module.
template <Op opcode>
requires view_header_is_included<opcode>
[[nodiscard]] std::optional<View<opcode>> as(InstructionView instruction) {
  return instruction.opcode == opcode ? std::optional(View<opcode>(instruction)) : std::nullopt;
}

/// The view of an OpExtInst if its instruction is `number` of the set with the import id `set`; otherwise none.
template <auto number>
requires(!std::is_same_v<decltype(number), Op> && view_header_is_included<number>)
    [[nodiscard]] std::optional<View<number>> as(InstructionView instruction, Word set) {
  const bool is_it = instruction.opcode == Op::OpExtInst && instruction.word(3) == set &&
                     instruction.word(4) == static_cast<Word>(number);
  return is_it ? std::optional(View<number>(instruction)) : std::nullopt;
}

}  // namespace vireo::spirv

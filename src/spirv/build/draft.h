// SPDX-License-Identifier: Apache-2.0
//
// One instruction in the making.
//
// The one idea: a method of the builder says its operands one after the other, each in its own type; what a type cannot
// promise (that an id is of this builder, that a number fits) is checked as it comes. The first fault spoils the draft:
// it is reported once, and nothing is placed.
//
//   Draft draft(*state_, Op::OpLoad, given_);
//   draft.put(result_type);
//   draft.result(IdKind::Value);
//   draft.put(pointer);
//   draft.put(memory_access);
//   return ValueId(draft.end());
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "spirv/build/state.h"

namespace vireo::spirv {

class Draft {
 public:
  /// `given`: the reserved id that the result must be; 0 = a fresh one.
  Draft(BuilderState& state, Op opcode, Word given);

  // --- operands, in the order of the grammar ---
  template <typename SomeId>
  requires std::derived_from<SomeId, AnyId>
  void put(SomeId id) { put_id(id.word, SomeId::kind); }
  void put(Word literal) { put_word(literal); }
  void put(float literal);
  void put(std::string_view text);
  void put(const OpenOperand& operand);
  void put(const PhiSource& source);
  void put(const SwitchTarget& target);
  void put(const MemberTarget& target);
  template <typename Enum>
  requires std::is_enum_v<Enum>
  void put(Enum value) { put_word(static_cast<Word>(value)); }
  template <typename Enum>
  void put(const EnumerantWith<Enum>& enumerant) {
    put_enumerant(static_cast<Word>(enumerant.value), enumerant.parameters, kind_name_of(Enum{}));
  }
  template <typename T, std::size_t count>
  void put(const std::array<T, count>& operands) {
    for (const T& operand : operands) put(operand);
  }
  template <typename T>
  void put(const List<T>& list) {
    for (const T& value : list) put(value);
  }
  template <typename T>
  void put(const std::optional<T>& operand) {
    if (operand) put(*operand);
    else skip();
  }

  /// The result id; comes where the grammar has it.
  void result(IdKind kind);
  /// The literal of OpConstant, whose words the result type decides.
  void typed_literal(const Number& number);
  /// A mask and the parameters of its bits. An optional one of no bits is left out, unless something follows.
  template <typename With>
  void put_mask(const With& with, Quantifier quantifier) {
    Word given = 0;
    with.for_each_parameter([&](Word bit, const auto&) { given |= bit; });
    const Word plain = static_cast<Word>(with.mask);
    if (quantifier == Quantifier::Optional && (plain | given) == 0) {
      ++skipped_masks_;
      return;
    }
    put_bits(plain, given, With::bits_with_parameters);
    with.for_each_parameter([&](Word, const auto& parameter) { put(parameter); });
  }
  /// The opcode inside OpSpecConstantOp.
  void spec_opcode(Op opcode);

  /// Reports a fault, if it is the first; the instruction will not be placed.
  void spoil(std::string_view rule, std::string message);

  /// Ends and places the instruction. Its result id: a fresh one even where nothing was placed, so that what uses it is
  /// not reported as well. 0 when it has none.
  Word end();

 private:
  static constexpr std::string_view kind_name_of(Decoration) { return "Decoration"; }
  static constexpr std::string_view kind_name_of(ExecutionMode) { return "ExecutionMode"; }

  void put_word(Word word) {
    if (skipped_masks_ != 0 || is_skipped_) [[unlikely]] { settle_skipped(); }
    words_.push_back(word);
  }
  void put_id(Word id, IdKind kind);
  void put_bits(Word plain, Word given, Word needing);
  void put_number(const Number& number, ScalarType type);
  void put_enumerant(Word value, const std::vector<OpenOperand>& parameters, std::string_view kind);
  void skip() { is_skipped_ = true; }
  void settle_skipped();

  BuilderState& state_;
  WordBuffer& words_;
  Word given_;
  std::size_t result_at_ = 0;
  IdKind result_kind_ = IdKind::Any;
  std::uint8_t skipped_masks_ = 0;
  bool is_skipped_ = false;
  bool is_spoilt_ = false;
};

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// Converts operands to words and checks properties that the C++ types cannot guarantee (pending_instruction.h).
// Specification 2.2.1, 3.
#include "spirv/build/pending_instruction.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>

#include "spirv/grammar/pattern_cursor.h"
#include "spirv/grammar/special_cases.h"
#include "spirv/module/declaration_order.h"
#include "spirv/rules.h"
#include "support/float_format.h"
#include "vireo/spirv/binary/views/memory.h"
#include "vireo/spirv/binary/views/type_declaration.h"
#include "vireo/spirv/binary/writer.h"
#include "vireo/spirv/grammar/operand_names.h"

namespace vireo::spirv {
namespace {

// Indexed by IdKind.
constexpr std::array<std::string_view, 8> kind_nouns = {"a result",   "a type", "a value",  "a label",
                                                        "a function", "a set",  "a string", "a decoration group"};
std::string_view noun_of(IdKind kind) { return kind_nouns[static_cast<std::size_t>(kind)]; }

/// The values of a list, which are contiguous.
template <typename T>
std::span<const T> values(const OperandArgument& list) {
  return {static_cast<const T*>(list.data), list.size};
}

// Equal aggregate types can still differ in their decorations (2.8, types).
bool is_aggregate(std::string_view name) {
  return name == "OpTypeStruct" || name == "OpTypeArray" || name == "OpTypeRuntimeArray";
}

/// A finite double as a significand and a power of two, exactly.
BinaryReal real_of(double value) {
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value), &exponent);  // in [0.5, 1), or 0
  // A double has 53 significant bits: scaled by 2^53, the fraction is an integer.
  return {std::signbit(value), static_cast<std::uint64_t>(std::ldexp(fraction, 53)), exponent - 53};
}

}  // namespace

bool is_declared_once(const InstructionRow& row, const Grammar& grammar, bool merge_aggregates) {
  const std::string_view name = grammar.text(row.name);
  if (name == "OpCapability" || name == "OpExtension" || name == "OpExtInstImport") return true;
  if ((row.flags & HasResult) == 0) return false;
  if (name.starts_with("OpType")) return merge_aggregates || !is_aggregate(name);
  // This excludes OpSpecConstant…: specialization constants can be set externally, so equal ones must stay separate.
  return name.starts_with("OpConstant");
}

std::optional<StorageClass> variable_storage(InstructionView declaration) {
  if (!is_variable(declaration.opcode)) return std::nullopt;
  return View<Op::OpVariable>(declaration).storage_class();
}

// The target's buffer is reused by each draft, so only one draft exists at a time. end() writes the word count into the
// first word. A result without a type precedes all operands.
PendingInstruction::PendingInstruction(CallTarget& target, Op opcode, IdKind result, CallSite site)
    : target_(target),
      words_(target.draft),
      row_(*target.grammar.find_opcode(opcode)),
      rows_(target.grammar.operands(row_.operands)),
      site_(site),
      result_kind_(result) {
  ++target_.calls;
  words_.clear();
  target_.draft_uses_local = false;
  target_.draft_ids.clear();
  words_.push_back(static_cast<Word>(opcode));
  if ((row_.flags & (HasResult | HasResultType)) == HasResult) put_result();
}

void PendingInstruction::fail(std::string_view rule, std::string message) {
  if (has_failed_) return;  // faults that follow from the first are not reported
  has_failed_ = true;
  target_.report(rule, fmt::format("{}: {}", target_.grammar.text(row_.name), message));
}

// --- operands -----------------------------------------------------------------------------------------------------------

void PendingInstruction::put(const OperandArgument& operand) {
  take_operand(operand);
  ++next_row_;
  // If there is a result type, it is the first operand, and the result is the second (grammar.h, RowFlags).
  if (next_row_ == 1 && (row_.flags & HasResult) != 0 && result_at_ == 0) put_result();
}

void PendingInstruction::put_result() {
  result_at_ = words_.size();
  words_.push_back(0);
  ++next_row_;
}

void PendingInstruction::take_operand(const OperandArgument& operand) {
  using enum OperandArgument::Form;
  switch (operand.form) {
    // Writes nothing. If another operand follows, resolve_skipped() reports that.
    case Absent: is_skipped_ = true; return;
    case Literal: {
      put_word(operand.word);
      // The caller may have cast a number that no enumerant has.
      return check_enumerant(operand_row(), operand.word);
    }
    case Id: return put_id(operand.word, operand.kind);
    case SpecOpcode: return put_spec_opcode(operand.word);
    case Text: return put_text({static_cast<const char*>(operand.data), operand.size});
    case Number: return put_typed_literal(*static_cast<const spirv::Number*>(operand.data));
    case Enumerant: return put_enumerant(operand.word, *static_cast<const std::vector<OpenOperand>*>(operand.data));
    case Mask: return put_mask(operand);
    case EmptyMask:
      // An optional mask without bits is omitted, unless another operand follows.
      if (operand_row().quantifier == Quantifier::Optional) ++skipped_masks_;
      else put_word(0);
      return;
    case Literals:
      for (const Word word : values<Word>(operand)) put_word(word);
      return;
    case Ids:
      for (const Word id : values<Word>(operand)) put_id(id, operand.kind);
      return;
    case OpenOperands: return put_open_list(values<OpenOperand>(operand));
    // Pairs are written as two consecutive words, like the grammar's composite kinds.
    case PhiSources:
      for (const PhiSource& source : values<PhiSource>(operand)) {
        put_id(source.value.word, IdKind::Value);
        put_id(source.parent.word, IdKind::Label);
      }
      return;
    case SwitchTargets:
      for (const SwitchTarget& target : values<SwitchTarget>(operand)) put_switch_target(target);
      return;
    case MemberTargets:
      for (const MemberTarget& target : values<MemberTarget>(operand)) {
        put_id(target.type.word, IdKind::Type);
        put_word(target.member);
      }
      return;
  }
}

// --- ids ----------------------------------------------------------------------------------------------------------------

// Writes the id even if it is wrong, because later operands look up words by position.
void PendingInstruction::put_id(Word id, IdKind kind) {
  put_word(id);
  if (!target_.is_known(id)) [[unlikely]] {
    return fail(rule::foreign_id, id == 0 ? std::string("id 0 is not a valid operand")
                                          : fmt::format("id {} is not an id of this {}", id, target_.owner));
  }
  target_.draft_ids.push_back(id);
  const IdFacts facts = target_.facts_of(id);
  if (!facts.is_defined) [[unlikely]] { note_forward_use(facts.kind); }
  target_.draft_uses_local |= facts.is_local;
  // An id of another builder can have the same number, but it rarely has the same kind.
  if (kind != IdKind::Any && !facts.may_be(kind)) [[unlikely]] {
    fail(rule::foreign_id, fmt::format("id {} is {}; expected {}", id, noun_of(facts.kind), noun_of(kind)));
  }
}

// Only build() determines the final order of instructions: types that are added late still precede all functions. So
// this function only records whether build() has to check the order. Instructions before the globals may refer to later
// ones, except to strings and decoration groups.
void PendingInstruction::note_forward_use(IdKind kind) {
  const auto opcode = row_.opcode;
  if (kind == IdKind::Label || (kind == IdKind::Function && opcode != Op::OpExtInst)) return;
  if (opcode == Op::OpPhi || opcode == Op::OpTypeForwardPointer) return;
  const bool is_above =
      target_.opcodes.of(row_.opcode).home <= Section::Annotations && !is_alias_declaration(row_.opcode);
  if (!is_above || kind == IdKind::String || kind == IdKind::Group) target_.has_forward_uses = true;
}

void PendingInstruction::put_open(const OpenOperand& operand) {
  if (operand.is_literal) put_word(operand.word);
  else put_id(operand.word, operand.kind);
}

// --- omitted operands ---------------------------------------------------------------------------------------------------

void PendingInstruction::resolve_skipped() {
  // Only trailing operands can be omitted (2.3). An omitted mask in between is written as 0; other kinds have no such
  // value.
  if (is_skipped_) fail(rule::missing_operand, "an operand follows an optional operand that was omitted");
  words_.insert(words_.end(), skipped_masks_, 0);
  skipped_masks_ = 0;
  is_skipped_ = false;
}

// --- literals -----------------------------------------------------------------------------------------------------------

void PendingInstruction::put_text(std::string_view text) {
  // A reader would end the string at the first NUL.
  if (text.find('\0') != std::string_view::npos) fail(rule::bad_string, "a literal string holds a NUL");
  if (skipped_masks_ != 0 || is_skipped_) resolve_skipped();
  InstructionWriter(words_).string(text);
}

// Word 1 of OpConstant is its type; it precedes the literals whose width it decides.
ScalarType PendingInstruction::constant_type() {
  const ScalarType type = target_.scalar_type(words_[1]);
  if (type.class_ == ScalarType::Class::None) {
    if (target_.is_invalid(words_[1])) drop();
    else fail(rule::literal_type_unknown, "the type of a literal is not an integer or float type");
  }
  return type;
}

// The type of the selector decides the width of the literals (specification, OpSwitch). A view cannot be used here: the
// first word does not contain the word count yet.
ScalarType PendingInstruction::selector_type() {
  const Word selector = words_[word_of(Op::OpSwitch, OperandName::selector)];
  const Word type_id = target_.type_of(selector);
  const ScalarType type = target_.scalar_type(type_id);
  if (type.class_ == ScalarType::Class::Integer) return type;
  if (target_.is_invalid(selector) || target_.is_invalid(type_id)) drop();
  else fail(rule::selector_type, "the selector is not an integer");
  return {};
}

void PendingInstruction::put_typed_literal(const Number& number) {
  const ScalarType type = constant_type();
  if (type.class_ != ScalarType::Class::None) put_number(number, type);
}

void PendingInstruction::put_switch_target(const SwitchTarget& target) {
  const ScalarType type = selector_type();
  if (type.class_ != ScalarType::Class::None) put_number(target.literal, type);
  put_id(target.target.word, IdKind::Label);
}

// Converts the number that the caller passed (bits, integer or real) to the literal type. A literal of a float type has
// zeros above its width.
void PendingInstruction::put_number(const Number& number, ScalarType type) {
  const std::uint32_t width = type.width;
  const auto report_range = [&] {
    fail(rule::literal_range, fmt::format("a literal does not fit its type of {} bits", width));
  };
  if (width == 0 || width > 64) return fail(rule::unsupported_width, fmt::format("literals of {} bits", width));
  // The bits of a 64-bit word above the width of the type.
  const std::uint64_t unused = width == 64 ? 0 : ~std::uint64_t{0} << width;
  std::uint64_t bits = number.bits;

  // A number that does not fit is rejected, never truncated: truncation would change its value.
  if (number.class_ == Number::Class::Bits) {
    if ((bits & unused) != 0) return report_range();
  } else if (type.class_ == ScalarType::Class::Float) {
    if (number.class_ != Number::Class::Real) {
      return fail(rule::literal_range, "an integer literal for a float type: write 1.0, or Number::of_bits");
    }
    const std::optional<FloatFormat> format = float_format_of(width, type.encoding);
    if (!format) return fail(rule::bad_encoding, "the format of the float type is not known");
    if (*format == FloatFormat::Double) bits = std::bit_cast<std::uint64_t>(number.real);
    else if (*format == FloatFormat::Single) {
      // Halfway between the largest float and the next power of two: larger values would round to infinity.
      constexpr double too_large = 0x1.ffffffp+127;
      if (std::isfinite(number.real) && std::fabs(number.real) >= too_large) return report_range();
      bits = std::bit_cast<Word>(static_cast<float>(number.real));
    } else if (!std::isfinite(number.real)) return report_range();  // Number::of_bits can express infinity and NaN
    else if (encode_float(real_of(number.real), *format, FloatSpelling::Decimal, bits) != NumberFault::None)
      return report_range();
  } else {
    if (number.class_ == Number::Class::Real) return fail(rule::literal_range, "a float literal for an integer type");
    const bool is_negative = number.class_ == Number::Class::Signed && (bits >> 63) != 0;
    // The sign bit and all bits above it must be equal.
    const std::uint64_t above = type.is_signed ? unused | (std::uint64_t{1} << (width - 1)) : unused;
    if (is_negative ? !type.is_signed || (bits & above) != above : (bits & above) != 0) return report_range();
  }
  // Specification 2.2.1: a literal narrower than a word is sign-extended if its integer type is signed; otherwise its
  // high-order bits are 0.
  if (width < 32 && type.class_ == ScalarType::Class::Integer && type.is_signed && ((bits >> (width - 1)) & 1) != 0) {
    bits |= unused;
  }
  put_word(static_cast<Word>(bits));
  if (width > 32) put_word(static_cast<Word>(bits >> 32));
}

// --- enumerants ---------------------------------------------------------------------------------------------------------

// Only the C++ type of the mask defines which bits have parameters. Its visitor passes the parameters in order, from
// the lowest bit up. The visitor is a plain function (operand_argument.h), so its state is passed as a pointer. Bits
// with parameters are added to the mask word after the visit.
void PendingInstruction::put_mask(const OperandArgument& mask) {
  put_word(mask.word);
  check_enumerant(operand_row(), mask.word);
  struct MaskState {
    PendingInstruction& draft;
    Word given;
    std::size_t mask_at;
  } state{*this, 0, words_.size() - 1};
  const auto take = [](void* user, Word bit, OpenOperand parameter) {
    auto& received = *static_cast<MaskState*>(user);
    received.given |= bit;
    received.draft.put_open(parameter);
  };
  const Word needing = mask.visit(mask.data, take, &state);
  words_[state.mask_at] |= state.given;
  // A bit can be set by its number, without the member that provides its parameters.
  const Word missing = mask.word & needing & ~state.given;
  if (missing != 0) fail(rule::missing_operand, fmt::format("bit {:#x} of a mask has no parameter", missing));
}

void PendingInstruction::put_enumerant(Word value, std::span<const OpenOperand> parameters) {
  put_word(value);
  const Grammar& grammar = target_.grammar;
  const KindId kind = operand_row().kind;
  if (const EnumerantRow* row = grammar.find_value(kind, value); row == nullptr) check_enumerant(operand_row(), value);
  else if (row->parameters.count != 0 && parameters.empty()) {
    // Functions that create enumerants with parameters require all of them; only a bare enumerant can lack them.
    const std::string_view name = grammar.text(grammar.kind(kind).name);
    fail(rule::missing_operand, fmt::format("{} {} lacks its parameters: write {}With::{}(...)", name,
                                            grammar.text(row->name), name, grammar.text(row->name)));
  } else {
    check_open(grammar.text(row->name), parameters, grammar.operands(row->parameters), false);
  }
  for (const OpenOperand& parameter : parameters) put_open(parameter);
}

void PendingInstruction::check_enumerant(const OperandRow& row, Word value) {
  const Grammar& grammar = target_.grammar;
  const std::string_view name = grammar.text(grammar.kind(row.kind).name);
  if (row.shape == OperandShape::ValueEnum && grammar.find_value(row.kind, value) == nullptr) {
    fail(rule::unknown_enumerant, fmt::format("no {} has the value {}", name, value));
  } else if (row.shape == OperandShape::BitEnum && !has_rows(grammar, row.kind, value)) {
    fail(rule::unknown_enumerant, fmt::format("no {} has the bits {:#x}", name, value));
  }
}

// The caller then appends the operands of the opcode: as a list (put_open_list), or row by row (from_words.cpp).
void PendingInstruction::put_spec_opcode(Word opcode) {
  if (opcode > 0xFFFF || !is_permitted_in_spec_constant_op(static_cast<Op>(opcode))) {
    fail(rule::bad_spec_opcode, fmt::format("opcode {} is not permitted", opcode));
  }
  put_word(opcode);
}

// --- completion ---------------------------------------------------------------------------------------------------------

// Only one instruction can define a reserved id, and its result must have the kind for which the id was reserved. The
// length is checked last: the word count has 16 bits (2.3).
Word PendingInstruction::end() {
  const bool has_result = result_at_ != 0;
  const Word given = site_.given;
  if (given != 0 && !has_failed_) {
    const IdFacts facts = target_.facts_of(given);
    if (!has_result) fail(rule::undefined_id, fmt::format("the instruction has no result, so id {} is unused", given));
    else if (!facts.may_be(result_kind_)) {
      fail(rule::foreign_id, fmt::format("id {} was reserved for {}, but the result is {}", given, noun_of(facts.kind),
                                         noun_of(result_kind_)));
    } else if (facts.is_defined) {
      fail(rule::duplicate_id, fmt::format("id {} is already defined", given));
    }
  }
  if (words_.size() > max_instruction_words) {
    fail(rule::instruction_too_long, fmt::format("{} words", words_.size()));
  }
  if (has_failed_) return target_.leave_out(row_, has_result, result_kind_, site_);
  // The result word holds the reserved id. place() decides the final id: an equal type may already have one.
  words_.front() = first_word(words_.size(), opcode_of(words_.front()));
  if (has_result) words_[result_at_] = given;
  return target_.place(row_, words_, result_at_, result_kind_, site_);
}

}  // namespace vireo::spirv

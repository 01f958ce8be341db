// SPDX-License-Identifier: Apache-2.0
//
// Replaces specialization constants by their values (constant_folder.h), and fold_spec_constants().
#include "spirv/transform/constant_folder.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "spirv/build/edit_state.h"
#include "spirv/grammar/opcode_families.h"
#include "spirv/module/fold.h"
#include "spirv/rules.h"
#include "spirv/transform/spec_constants.h"
#include "vireo/spirv/binary/views/constant_creation.h"
#include "vireo/spirv/binary/writer.h"
#include "vireo/spirv/transform/spec_constants.h"

namespace vireo::spirv {
namespace {

using enum Op;

constexpr std::size_t most_parts = max_instruction_words - 3;  // of a composite with a type and a result
constexpr Word pending = ~Word{0};  // as an id: no id can have this value, because the bound is above all ids

// Decorations of OpSpecConstantOp that a constant may have as well. Others modify the operation, such as
// SaturatedConversion, or may be applied to operations only.
constexpr Decoration decorations_of_values[] = {Decoration::RelaxedPrecision, Decoration::BuiltIn,
                                                Decoration::UserSemantic};

// Decorations of arithmetic that have no meaning for a value; they are removed with the operation.
constexpr Decoration decorations_of_arithmetic[] = {Decoration::NoContraction, Decoration::NoSignedWrap,
                                                    Decoration::NoUnsignedWrap};

bool is_one_of(std::span<const Decoration> decorations, const DecorationRow& row) {
  return std::ranges::find(decorations, row.decoration) != decorations.end();
}

// Whether the result can be undefined although the operands are valid.
bool is_partial(Op operation) {
  return is_one_of(integer_divisions, operation) || is_one_of(float_divisions, operation) ||
         is_one_of(shifts, operation) || operation == OpConvertFToS || operation == OpConvertFToU;
}

// In an invalid module, the result type of an operation can be another one than that of its value. number_of() also
// compares the types of parts.
bool is_of_type(ConstantKind kind, const TypeRow& type) {
  switch (kind) {
    case ConstantKind::Bool: return type.is(TypeKind::Bool);
    case ConstantKind::Int: return type.is(TypeKind::Int);
    case ConstantKind::Float: return type.is(TypeKind::Float);
    case ConstantKind::Null: return type.has_values();
    default: return type.is_composite();
  }
}

}  // namespace

bool ConstantFolder::run(const Constants& constants, const ConstantFolding& folding, Rewrite& rewrite) {
  constants_ = &constants;
  folding_ = folding;
  rewrite_ = &rewrite;
  has_run_out_ = false;
  next_row_ = 0;
  values_.assign(constants.rows().size(), Value{});
  numbers_.clear();
  numbered_.clear();
  undefined_.clear();
  for (std::size_t i = 0; i < constants.rows().size() && !has_run_out_; ++i) {
    const ConstantIndex constant(i);
    const InstructionIndex index = constants.row(constant).instruction;
    // Constants that are in a function by mistake stay.
    const InstructionRange globals = module_.section(Section::Globals);
    if (index.is_none() || index.raw < globals.first || index.raw >= globals.end) continue;
    number_parts_before(constant);
    replace(module_.instruction(index), index, constant);
  }
  return !has_run_out_;
}

// --- numbers ------------------------------------------------------------------------------------------------------------

// Parts without an instruction precede the constant whose evaluation created them.
void ConstantFolder::number_parts_before(ConstantIndex constant) {
  for (; next_row_ < constant.index(); ++next_row_) {
    const ConstantIndex part(next_row_);
    if (constants_->row(part).id == 0) values_[next_row_].number = number_of(part);
  }
  next_row_ = constant.index() + 1;
}

// True if all scalars are zero or false. The number decides, which is the same for equal values.
bool ConstantFolder::is_zero(ConstantIndex i) const {
  const std::uint32_t number = value(i).number;
  return number != no_number && numbered_[number].is_zero;
}

// The key of a value consists of its type and: nothing for a zero; the bits of a scalar; the numbers of the parts of
// a composite. Repeated parts have a mark that is no number.
std::uint32_t ConstantFolder::number_of(ConstantIndex i) {
  const ConstantRow& row = constants_->row(i);
  const TypeRow& type = types_.row(row.type);
  if (!is_of_type(row.kind, type) || (type.is_numerical() && type.width > 64)) return no_number;
  key_.assign(1, type.id);
  bool zero = row.kind == ConstantKind::Null;
  if (row.is_scalar() || zero) {
    if (row.status != ConstantStatus::Known) return no_number;
    // In an encoding such as Float8UnsignedE8M0EXT, the bits 0 are not zero.
    zero = zero || (row.bits == 0 && type.encoding == TypeRow::no_encoding);
    if (!zero) key_.insert(key_.end(), {static_cast<Word>(row.bits), static_cast<Word>(row.bits >> 32)});
  } else if (row.has_parts() && row.choice == ConstantStatus::Known && row.part_count() != 0) {
    if (row.kind == ConstantKind::Repeated) key_.push_back(no_number);
    zero = true;
    std::uint64_t index = 0;
    for (const ConstantIndex part : constants_->parts(row)) {
      const Word part_type = types_.row(constants_->row(part).type).id;
      if (value(part).number == no_number || part_type != types_.member_type(type, index++)) return no_number;
      key_.push_back(value(part).number);
      zero = zero && is_zero(part);
    }
    if (zero) key_.resize(1);
  } else {
    return no_number;
  }
  return number_of_key(i, zero);
}

// A constant without a value, such as OpConstantSampler or OpUndef, is equal to itself only. The key cannot be that of
// a value, because no type has the id 0.
std::uint32_t ConstantFolder::number_of_opaque(Word id) {
  key_.assign({0, id});
  return number_of_key(ConstantIndex::none(), false);
}

std::uint32_t ConstantFolder::number_of_key(ConstantIndex row, bool zero) {
  const std::uint32_t number = numbers_.intern(key_);
  if (number == numbered_.size()) numbered_.push_back({0, row, zero});
  return number;
}

// --- instructions -------------------------------------------------------------------------------------------------------

// Numbers a constant, and replaces it. Returns false if the instruction stays a specialization constant.
bool ConstantFolder::replace(InstructionView view, InstructionIndex index, ConstantIndex constant) {
  const ConstantRow& row = constants_->row(constant);
  const bool is_operation = view.opcode == OpSpecConstantOp;
  if (row.is_spec && !(is_operation ? fold(view, index, constant) : freeze(view, index, row))) return false;

  Value& of = values_[constant.index()];
  of.id = row.id;
  if (!is_operation) of.number = number_of(constant);
  if (of.number == no_number) of.number = number_of_opaque(row.id);
  // A decoration of a constant is not one of its equals.
  Numbered& numbered = numbered_[of.number];
  if (numbered.id == 0 && decorations_.all_of(row.id).empty()) numbered.id = row.id;
  return true;
}

// Replaces an operation by its value.
bool ConstantFolder::fold(InstructionView view, InstructionIndex index, ConstantIndex constant) {
  const ConstantRow& row = constants_->row(constant);
  if (row.status != ConstantStatus::Known) {
    if (is_undefined(view, row)) undefined_.push_back(index);
    return false;
  }
  if (!may_have_decorations_of(row.id)) return false;
  const std::uint32_t number = number_of(constant);
  if (number == no_number || row.part_count() > most_parts) return false;
  const bool zero = numbered_[number].is_zero;
  if (!zero && !declare_parts(index, row)) return false;
  values_[constant.index()].number = number;
  write_constant(ValueOperands(view).result_type(), row.id, constant, zero);
  rewrite_->replace(index, words_);
  for (const DecorationRow& decoration : decorations_.all_of(row.id)) {
    if (is_one_of(decorations_of_arithmetic, decoration)) rewrite_->remove(decoration.instruction);
  }
  return true;
}

bool ConstantFolder::may_have_decorations_of(Word id) const {
  if (!decorations_.unexpanded().empty()) return false;  // any id can have any decoration
  return std::ranges::all_of(decorations_.all_of(id), [](const DecorationRow& row) {
    return is_one_of(decorations_of_values, row) ||
           (is_one_of(decorations_of_arithmetic, row) && row.group_use.is_none());
  });
}

// True if Constants computes with the scalars of a type. The value of another one, such as an 8-bit float, is not
// computed, but it is defined.
bool ConstantFolder::is_evaluated(const TypeRow& type) const {
  const TypeRow& scalar = type.component();
  if (!scalar.is(TypeKind::Float)) return scalar.width <= 64;
  const std::optional<FloatFormat> format = Types::float_format(scalar);
  return format && double_of(0, *format);
}

bool ConstantFolder::is_undefined(InstructionView view, const ConstantRow& row) const {
  // A vector without parts reached the limit of parts in Constants.
  if (row.kind == ConstantKind::Other) return false;
  const View<OpSpecConstantOp> operation(view);
  const Op opcode = operation.opcode();
  if (!is_partial(opcode)) return false;
  return is_evaluated(types_.row(row.type)) && std::ranges::all_of(operation.operands().words(), [&](Word id) {
           const ConstantRow& operand = constants_->of(id);
           return operand.status == ConstantStatus::Known && is_evaluated(types_.row(operand.type));
         });
}

// Replaces a constant with a default value.
bool ConstantFolder::freeze(InstructionView view, InstructionIndex index, const ConstantRow& row) {
  if (is_spec_composite(view.opcode)) {
    if (!folding_.composites || row.part_count() == 0) return false;
    const auto is_constant = [&](ConstantIndex part) { return value(part).id != 0; };
    if (!std::ranges::all_of(constants_->parts(row), is_constant)) return false;
    freeze_opcodes(index);
    return true;
  }
  if (!row.is_scalar()) {
    if (!folding_.others || frozen_opcode(view.opcode) == view.opcode) return false;
    freeze_opcodes(index);
    return true;
  }
  if (!folding_.scalars || row.status != ConstantStatus::Known) return false;
  const TypeRow& type = types_.row(row.type);
  if (type.is_numerical() && type.width > 64) {
    freeze_opcodes(index);  // its default value: no other one is known
    return true;
  }
  words_.assign({0, ValueOperands(view).result_type(), row.id});
  Op opcode = OpConstant;
  if (row.kind == ConstantKind::Bool) opcode = row.bits != 0 ? OpConstantTrue : OpConstantFalse;
  else write_literal(row, type);
  words_[0] = first_word(words_.size(), opcode);
  rewrite_->replace(index, words_);
  return true;
}

// The opcode changes. Instructions that continue a list change with it.
void ConstantFolder::freeze_opcodes(InstructionIndex index) {
  for (const auto [each, view] : module_.instructions({index.raw, end_of_composite(module_, index)})) {
    words_.assign(view.words().begin(), view.words().end());
    words_.front() = first_word(view.word_count, frozen_opcode(view.opcode));
    rewrite_->replace(each, words_);
  }
}

// --- constituents -------------------------------------------------------------------------------------------------------

// Declares the parts of a composite, and their parts, that no constant of the result declares. Returns false if one of
// them cannot be declared, and declares nothing then. Uses a list, not recursion, because the input controls the depth.
bool ConstantFolder::declare_parts(InstructionIndex place, const ConstantRow& row) {
  missing_.clear();
  const auto add_missing = [&](const ConstantRow& composite) {
    for (const ConstantIndex part : constants_->parts(composite)) {
      const Value of = value(part);
      if (of.id != 0 || numbered_[of.number].id != 0) continue;
      if (constants_->row(part).part_count() > most_parts) return false;
      numbered_[of.number].id = pending;
      missing_.push_back(of.number);
    }
    return true;
  };
  bool is_good = add_missing(row);
  // A zero composite becomes OpConstantNull and needs no parts.
  for (std::size_t i = 0; is_good && i < missing_.size(); ++i) {
    const Numbered& numbered = numbered_[missing_[i]];
    if (!numbered.is_zero) is_good = add_missing(constants_->row(numbered.row));
  }
  if (is_good && !rewrite_->has_fresh_ids(static_cast<Word>(missing_.size()))) {
    has_run_out_ = true;
    is_good = false;
  }
  if (!is_good) {
    for (const std::uint32_t number : missing_) numbered_[number].id = 0;
    return false;
  }
  std::ranges::sort(missing_);  // parts have lower numbers than their composites
  for (const std::uint32_t number : missing_) {
    const ConstantIndex part = numbered_[number].row;
    write_constant(types_.row(constants_->row(part).type).id, 0, part, numbered_[number].is_zero);
    numbered_[number].id = rewrite_->declare_before(place, words_, 2);
  }
  return true;
}

// Writes the instruction of a constant to words_.
void ConstantFolder::write_constant(Word type_id, Word id, ConstantIndex constant, bool zero) {
  const ConstantRow& row = constants_->row(constant);
  const TypeRow& type = types_.row(row.type);
  words_.assign({0, type_id, id});
  Op opcode = OpConstant;
  if (type.is(TypeKind::Bool)) {
    opcode = zero ? OpConstantFalse : OpConstantTrue;
  } else if (zero) {
    opcode = OpConstantNull;
  } else if (row.has_parts()) {
    opcode = row.kind == ConstantKind::Repeated ? OpConstantCompositeReplicateEXT : OpConstantComposite;
    for (const ConstantIndex part : constants_->parts(row)) {
      const Value of = value(part);
      words_.push_back(of.id != 0 ? of.id : numbered_[of.number].id);
    }
  } else {
    write_literal(row, type);
  }
  words_[0] = first_word(words_.size(), opcode);
}

// Specification 2.2.1: the low-order word first; a narrow signed integer is sign-extended.
void ConstantFolder::write_literal(const ConstantRow& row, const TypeRow& type) {
  std::uint64_t bits = row.bits;
  if (row.kind == ConstantKind::Int && type.is_signed && type.width < 64) {
    bits = static_cast<std::uint64_t>(sign_extended(bits, type.width));
  }
  words_.push_back(static_cast<Word>(bits));
  if (type.width > 32) words_.push_back(static_cast<Word>(bits >> 32));
}

Result<WordBuffer> fold_spec_constants(Words words, const FoldSpecConstantsOptions& options, Diagnostics& diagnostics,
                                       const Grammar& grammar) {
  Word id_bound = 0;
  const Result<Module> module = read_decodable(words, grammar, diagnostics, &id_bound);
  if (!module) return module.failure();
  const Types types = Types::read(*module);
  const Decorations decorations = Decorations::read(*module);
  const Constants constants = Constants::read(*module, types, decorations);
  Rewrite rewrite(*module);
  rewrite.reserve_ids_below(id_bound);
  if (!ConstantFolder(*module, types, decorations).run(constants, {.composites = options.composites}, rewrite)) {
    return diagnostics.error(rule::edit_bound, Location::none(), no_bound_left);
  }
  return rewrite.write();
}

}  // namespace vireo::spirv

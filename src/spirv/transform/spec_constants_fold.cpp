// SPDX-License-Identifier: Apache-2.0
//
// Replaces OpSpecConstantOp by its value, and OpSpecConstantComposite of constants by OpConstantComposite.
//
// The one idea: Constants has evaluated each operation, and lists the parts of a value before the value. So one pass in
// the order of declaration gives each value a number, equal for equal values. The numbers then show whether the module
// already declares a constituent, and an ascending order of numbers declares parts before their composites.
//
// Source: specification 2.12 (specialization constants), 3.42.7 (constant-creation instructions, OpSpecConstantOp).
#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "spirv/build/edit_state.h"
#include "spirv/module/fold.h"
#include "spirv/module/word_interner.h"
#include "spirv/rules.h"
#include "spirv/transform/spec_constants.h"
#include "vireo/spirv/facts/constants.h"
#include "vireo/spirv/facts/decorations.h"
#include "vireo/spirv/facts/types.h"
#include "vireo/spirv/transform/spec_constants.h"
#include "vireo/spirv/views/constant_creation.h"

namespace vireo::spirv {
namespace {

using enum Op;

// Decorations of OpSpecConstantOp that a constant may have as well. Others modify the operation, such as
// SaturatedConversion, or may be applied to operations only.
constexpr Decoration decorations_of_values[] = {Decoration::RelaxedPrecision, Decoration::BuiltIn,
                                                Decoration::UserSemantic};

class SpecConstantFolder {
 public:
  SpecConstantFolder(const Module& module, Word id_bound, const FoldSpecConstantsOptions& options)
      : module_(module),
        options_(options),
        types_(Types::read(module)),
        decorations_(Decorations::read(module)),
        constants_(Constants::read(module, types_, decorations_)),
        next_id_(id_bound),
        first_fresh_(next_id_),
        values_(constants_.rows().size()) {}

  Result<WordBuffer> run(Diagnostics& diagnostics) && {
    const Words words = module_.words();
    result_.reserve(words.size() + words.size() / 8);
    const InstructionRange globals = module_.section(Section::Globals);
    copy_to(globals.is_empty() ? words.size() : module_.instruction(InstructionIndex(globals.first)).offset);
    for (const auto [index, view] : module_.instructions(globals)) {
      const ConstantIndex constant = constants_.index_of(module_.result_of(view));
      if (constant.is_none() || constants_.row(constant).instruction != index) continue;
      number_parts_before(constant);
      copy_to(view.offset);
      if (!replace(view, index, constant)) continue;
      const InstructionView last = module_.instruction(InstructionIndex(end_of_composite(module_, index) - 1));
      taken_ = std::size_t{last.offset} + last.word_count;
    }
    copy_to(words.size());
    if (has_run_out_) return diagnostics.error(rule::edit_bound, Location::none(), no_bound_left);
    if (next_id_ != first_fresh_) result_[3] = next_id_;
    return std::move(result_);
  }

 private:
  static constexpr std::uint32_t no_number = ~std::uint32_t{0};
  static constexpr Word pending = ~Word{0};  // as an id: no id can have this value, because the bound is above all ids

  // One constant, or one part without an instruction.
  struct Value {
    Word id = 0;                       // the constant in the result; 0: none, or still a specialization constant
    std::uint32_t number = no_number;  // equal for equal values; no_number: specialization can change it, or unknown
  };
  // One number.
  struct Numbered {
    Word id = 0;        // a constant of the result that is declared so far; 0: none
    ConstantIndex row;  // the first row with this number
  };

  // --- numbers --------------------------------------------------------------------------------------------------------

  // Parts without an instruction precede the constant whose evaluation created them.
  void number_parts_before(ConstantIndex constant) {
    for (; next_row_ < constant.index(); ++next_row_) {
      const ConstantIndex part(next_row_);
      if (constants_.row(part).id == 0) values_[next_row_].number = number_of(part);
    }
    next_row_ = constant.index() + 1;
  }

  [[nodiscard]] Value value(ConstantIndex i) const { return i.is_none() ? Value{} : values_[i.index()]; }

  // Whether all scalars are zero or false. Equal values have the same number, whichever instruction declares them.
  [[nodiscard]] bool is_zero(ConstantIndex i) const {
    const std::uint32_t number = value(i).number;
    return number != no_number && is_zero_[number];
  }

  // In an invalid module, the result type of an operation can be another one than that of its value. number_of() also
  // compares the types of parts.
  static bool is_of_type(ConstantKind kind, const TypeRow& type) {
    switch (kind) {
      case ConstantKind::Bool: return type.is(TypeKind::Bool);
      case ConstantKind::Int: return type.is(TypeKind::Int);
      case ConstantKind::Float: return type.is(TypeKind::Float);
      case ConstantKind::Null: return type.has_values();
      default: return type.is_composite();
    }
  }

  // The key of a value consists of its type and: nothing for a zero; the bits of a scalar; the numbers of the parts of
  // a composite. Repeated parts have a mark that is no number.
  std::uint32_t number_of(ConstantIndex i) {
    const ConstantRow& row = constants_.row(i);
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
      for (const ConstantIndex part : constants_.parts(row)) {
        const Word part_type = types_.row(constants_.row(part).type).id;
        if (value(part).number == no_number || part_type != types_.member_type(type, index++)) return no_number;
        key_.push_back(value(part).number);
        zero = zero && is_zero(part);
      }
      if (zero) key_.resize(1);
    } else {
      return no_number;
    }
    const std::uint32_t number = numbers_.intern(key_);
    if (number == numbered_.size()) add_number(i, zero);
    return number;
  }

  // A constant without a value, such as OpConstantSampler or OpUndef, is equal to itself only. The key cannot be that of
  // a value, because no type has the id 0.
  std::uint32_t number_of_opaque(Word id) {
    const Word key[] = {0, id};
    const std::uint32_t number = numbers_.intern(key);
    if (number == numbered_.size()) add_number(ConstantIndex::none(), false);
    return number;
  }

  void add_number(ConstantIndex row, bool zero) {
    numbered_.push_back({0, row});
    is_zero_.push_back(zero);
  }

  // --- instructions ---------------------------------------------------------------------------------------------------

  // Numbers a constant, and appends its replacement. Returns false if the instruction stays.
  bool replace(InstructionView view, InstructionIndex index, ConstantIndex constant) {
    const ConstantRow& row = constants_.row(constant);
    const bool is_operation = view.opcode == OpSpecConstantOp;
    bool is_replaced = false;
    if (is_operation) is_replaced = fold(view, constant);
    else if (row.is_spec && options_.composites) is_replaced = freeze_composite(view, index, row);
    if (row.is_spec && !is_replaced) return false;

    Value& of = values_[constant.index()];
    of.id = row.id;
    if (!is_operation) of.number = number_of(constant);
    if (of.number == no_number) of.number = number_of_opaque(row.id);
    // A decoration of a constant is not one of its equals.
    Numbered& numbered = numbered_[of.number];
    if (numbered.id == 0 && decorations_.all_of(row.id).empty()) numbered.id = row.id;
    return is_replaced;
  }

  // Replaces an operation by its value.
  bool fold(InstructionView view, ConstantIndex constant) {
    const ConstantRow& row = constants_.row(constant);
    if (row.status != ConstantStatus::Known || !may_have_decorations_of(row.id)) return false;
    const std::uint32_t number = number_of(constant);
    // An instruction has a 16-bit word count.
    if (number == no_number || row.part_count() > 0xFFFF - 3) return false;
    if (!is_zero_[number] && !declare_parts(row)) return false;
    values_[constant.index()].number = number;
    append_constant(view.word(1), row.id, constant, is_zero_[number]);
    return true;
  }

  [[nodiscard]] bool may_have_decorations_of(Word id) const {
    if (!decorations_.unexpanded().empty()) return false;  // any id can have any decoration
    return std::ranges::all_of(decorations_.all_of(id), [](const DecorationRow& row) {
      return std::ranges::find(decorations_of_values, row.decoration) != std::end(decorations_of_values);
    });
  }

  // The opcode changes if all constituents are constants. Instructions that continue the list change with it.
  bool freeze_composite(InstructionView view, InstructionIndex index, const ConstantRow& row) {
    if (!is_spec_composite(view.opcode) || row.part_count() == 0) return false;
    const auto is_constant = [&](ConstantIndex part) { return value(part).id != 0; };
    if (!std::ranges::all_of(constants_.parts(row), is_constant)) return false;
    for (const InstructionView each : module_.views({index.raw, end_of_composite(module_, index)})) {
      const std::size_t first = result_.size();
      result_.insert(result_.end(), each.words().begin(), each.words().end());
      result_[first] = with_opcode(result_[first], frozen_opcode(each.opcode));
    }
    return true;
  }

  // --- constituents ---------------------------------------------------------------------------------------------------

  // Declares the parts of a composite, and their parts, that no constant of the result declares. Returns false if one of
  // them cannot be declared, and declares nothing then. Uses a list, not recursion, because the input controls the depth.
  bool declare_parts(const ConstantRow& row) {
    missing_.clear();
    const auto add_missing = [&](const ConstantRow& composite) {
      for (const ConstantIndex part : constants_.parts(composite)) {
        const Value of = value(part);
        if (of.id != 0 || numbered_[of.number].id != 0) continue;
        if (constants_.row(part).part_count() > 0xFFFF - 3) return false;
        numbered_[of.number].id = pending;
        missing_.push_back(of.number);
      }
      return true;
    };
    bool is_good = add_missing(row);
    // A zero composite becomes OpConstantNull and needs no parts.
    for (std::size_t i = 0; is_good && i < missing_.size(); ++i) {
      if (!is_zero_[missing_[i]]) is_good = add_missing(constants_.row(numbered_[missing_[i]].row));
    }
    if (!is_good) {
      for (const std::uint32_t number : missing_) numbered_[number].id = 0;
      return false;
    }
    std::ranges::sort(missing_);  // parts have lower numbers than their composites
    for (const std::uint32_t number : missing_) {
      numbered_[number].id = fresh_id();
      const ConstantIndex part = numbered_[number].row;
      append_constant(types_.row(constants_.row(part).type).id, numbered_[number].id, part, is_zero_[number]);
    }
    return true;
  }

  void append_constant(Word type_id, Word id, ConstantIndex constant, bool zero) {
    const ConstantRow& row = constants_.row(constant);
    const TypeRow& type = types_.row(row.type);
    const std::size_t first = result_.size();
    result_.insert(result_.end(), {0, type_id, id});
    Op opcode = OpConstant;
    if (type.is(TypeKind::Bool)) opcode = zero ? OpConstantFalse : OpConstantTrue;
    else if (zero) opcode = OpConstantNull;
    else if (row.has_parts()) opcode = append_parts(row);
    else append_literal(row, type);
    const auto count = static_cast<Word>(result_.size() - first);
    result_[first] = with_opcode(count << 16, opcode);
  }

  Op append_parts(const ConstantRow& row) {
    for (const ConstantIndex part : constants_.parts(row)) {
      const Value of = value(part);
      result_.push_back(of.id != 0 ? of.id : numbered_[of.number].id);
    }
    return row.kind == ConstantKind::Repeated ? OpConstantCompositeReplicateEXT : OpConstantComposite;
  }

  // Specification 2.2.1: the low-order word first; a narrow signed integer is sign-extended.
  void append_literal(const ConstantRow& row, const TypeRow& type) {
    std::uint64_t bits = row.bits;
    if (type.is_signed && type.width < 32) bits = static_cast<std::uint64_t>(sign_extended(bits, type.width));
    result_.push_back(static_cast<Word>(bits));
    if (type.width > 32) result_.push_back(static_cast<Word>(bits >> 32));
  }

  Word fresh_id() {
    if (next_id_ == EditState::last_bound) has_run_out_ = true;
    return has_run_out_ ? next_id_ : next_id_++;
  }

  // Copies the words of the module that were not copied or replaced so far.
  void copy_to(std::size_t end) {
    if (end <= taken_) return;  // within a composite that was replaced with its continuations
    const Words words = module_.words().subspan(taken_, end - taken_);
    result_.insert(result_.end(), words.begin(), words.end());
    taken_ = end;
  }

  const Module& module_;
  const FoldSpecConstantsOptions& options_;
  const Types types_;
  const Decorations decorations_;
  const Constants constants_;
  Word next_id_;
  const Word first_fresh_;
  bool has_run_out_ = false;
  std::size_t next_row_ = 0;   // rows before it have their number
  std::vector<Value> values_;  // by ConstantIndex
  WordInterner numbers_;
  std::vector<Numbered> numbered_;  // by number
  std::vector<bool> is_zero_;       // by number
  std::vector<std::uint32_t> missing_;
  WordBuffer key_;
  std::size_t taken_ = 0;
  WordBuffer result_;
};

}  // namespace

Result<WordBuffer> fold_spec_constants(Words words, const FoldSpecConstantsOptions& options, Diagnostics& diagnostics,
                                       const Grammar& grammar) {
  Word id_bound = 0;
  const Result<Module> module = read_decodable(words, grammar, diagnostics, &id_bound);
  if (!module) return module.failure();
  return SpecConstantFolder(*module, id_bound, options).run(diagnostics);
}

}  // namespace vireo::spirv

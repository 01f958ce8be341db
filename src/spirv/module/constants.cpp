// SPDX-License-Identifier: Apache-2.0
//
// Reads constant declarations into Constants (constants.h).
//
// Every constant provides its components one by one, as bits with a type. So the opcodes of
// OpSpecConstantOp form two families. One moves components (shuffle, extract, insert). The other computes each
// component from the components at the same position (fold.h).
#include "vireo/spirv/module/constants.h"
#include "spirv/grammar/opcode_families.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "spirv/grammar/special_cases.h"
#include "spirv/module/fold.h"
#include "spirv/module/section_walk.h"
#include "vireo/spirv/binary/views/composite.h"
#include "vireo/spirv/binary/views/constant_creation.h"
#include "vireo/spirv/binary/views/conversion.h"
#include "vireo/spirv/binary/views/relational_and_logical.h"

namespace vireo::spirv {
namespace {

using Status = ConstantStatus;
using Kind = ConstantKind;

// Statuses are declared from the most reliable to the least.
Status worse(Status a, Status b) { return std::max(a, b); }

}  // namespace

// --- reading ------------------------------------------------------------------------------------------------------------

class ConstantReader {
  // ConstantRow::bits of a composite: index of its first part in the low half, number of parts in the high half.
  static constexpr std::uint64_t one_part = std::uint64_t{1} << 32;
  // Enough for every operation on vectors of 16 components: it has at least 5 words, and each component may cost a row
  // and an entry of parts_.
  static constexpr std::uint64_t most_parts_per_word = 8;

 public:
  ConstantReader(const Module& module, const Types& types, const Decorations& decorations,
                 const ConstantOptions& options, Constants&& memory)
      : module_(module),
        types_(types),
        decorations_(decorations),
        default_status_(options.defaults == ConstantOptions::Defaults::Freeze ? Status::Known : Status::SpecDependent),
        specializations_(options.specializations),
        constants_(std::move(memory)),
        parts_left_(most_parts_per_word * module.words().size() + 4096) {
    constants_.rows_.clear();
    constants_.parts_.clear();
    constants_.by_id_.clear();  // a constant that is used before its declaration has no value
    if (std::ranges::is_sorted(specializations_, {}, &Specialization::spec_id)) return;
    sorted_.assign(specializations_.begin(), specializations_.end());
    // Stable: equal SpecIds keep their order, and apply_specialization() uses the last one.
    std::ranges::stable_sort(sorted_, {}, &Specialization::spec_id);
    specializations_ = sorted_;
  }

  // One pass in declaration order. A constant gets its index only when its row is complete. So an operand that is
  // declared later, or that is the constant itself, has the status Unknown, and cycles are impossible.
  Constants read() && {
    // In a module that consists mostly of constants, rows take half of the memory, so reserve exactly their number.
    std::size_t count = 0;
    InstructionIndex last;
    const auto globals = module_.views(module_.section(Section::Globals));
    for (auto it = globals.begin(); it != globals.end(); ++it) {
      const auto opcode = (*it).opcode;
      if (!may_be_constant(opcode) || !is_constant(opcode)) continue;
      ++count;
      last = it.index();
    }
    constants_.rows_.reserve(count);
    if (count != 0) constants_.by_id_.extend_to(last);
    // Includes constants that are in a function by mistake; they are visited last.
    walk_section(module_, Section::Globals, [&](InstructionIndex i, InstructionView instruction) {
      if (may_be_constant(instruction.opcode)) take(i, instruction);
    });
    return std::move(constants_);
  }

 private:
  void take(InstructionIndex i, InstructionView instruction) {
    const auto opcode = instruction.opcode;
    const bool is_continued =
        opcode == Op::OpConstantCompositeContinuedINTEL || opcode == Op::OpSpecConstantCompositeContinuedINTEL;
    if (is_continued) return continue_composite(i, instruction);
    if (!is_constant(opcode)) return;
    const Word id = ValueOperands(instruction).result();
    if (module_.definition(id) != i) return;  // a second definition; only the first one is used

    ConstantRow row;
    row.id = id;
    row.instruction = i;
    row.type = types_.index_of(ValueOperands(instruction).result_type());
    read_value(row, opcode, instruction);
    // Evaluation may have added rows of parts; the row of the constant follows them.
    constants_.by_id_.set(id, ConstantIndex(constants_.rows_.size()));
    constants_.rows_.push_back(row);
    const bool may_continue = opcode == Op::OpConstantComposite || opcode == Op::OpSpecConstantComposite;
    if (may_continue) continuation_ = i.raw + 1;
  }

  // Most constant opcodes have consecutive numbers; the others begin at OpConstantPipeStorage. All other opcodes are
  // skipped.
  static bool is_usual(Op opcode) {
    return (opcode >= Op::OpConstantTrue && opcode <= Op::OpSpecConstantOp) || opcode == Op::OpUndef;
  }
  static bool may_be_constant(Op opcode) { return is_usual(opcode) || opcode >= Op::OpConstantPipeStorage; }

  // Decides by name, because a newer grammar may have further constants (which are of kind Other).
  [[nodiscard]] bool is_constant(Op opcode) const {
    if (is_usual(opcode)) return true;
    const InstructionRow* row = module_.grammar().find_opcode(opcode);
    if (row == nullptr || (row->flags & HasResult) == 0 || (row->flags & HasResultType) == 0) return false;
    const std::string_view name = module_.grammar().text(row->name);
    return name.starts_with("OpConstant") || name.starts_with("OpSpecConstant");
  }

  void read_value(ConstantRow& row, Op opcode, InstructionView instruction) {
    // Constants that are not handled below keep this kind, and their status stays Unknown.
    row.kind = Kind::Other;
    row.is_spec = is_core_spec_constant(opcode);
    switch (opcode) {
      case Op::OpConstantTrue:
      case Op::OpSpecConstantTrue:
      case Op::OpConstantFalse:
      case Op::OpSpecConstantFalse:
        row.kind = Kind::Bool;
        row.bits = opcode == Op::OpConstantTrue || opcode == Op::OpSpecConstantTrue;
        apply_specialization(row);
        break;
      case Op::OpConstant:
      case Op::OpSpecConstant: read_literal(row, instruction); break;
      case Op::OpConstantNull:
        row.kind = Kind::Null;
        row.status = Status::Known;
        break;
      case Op::OpUndef: row.kind = Kind::Undef; break;
      // OpSpecConstant… has the same operands as the OpConstant… without Spec: one view serves both.
      case Op::OpConstantComposite:
      case Op::OpSpecConstantComposite:
        compose(row, View<Op::OpConstantComposite>(instruction).constituents().words());
        break;
      case Op::OpConstantCompositeReplicateEXT:
      case Op::OpSpecConstantCompositeReplicateEXT:
        row.is_spec = opcode == Op::OpSpecConstantCompositeReplicateEXT;
        repeat(row, View<Op::OpConstantCompositeReplicateEXT>(instruction));
        break;
      case Op::OpSpecConstantOp: evaluate(row, View<Op::OpSpecConstantOp>(instruction)); break;
      default: row.is_spec = is_spec_name(instruction.opcode); break;
    }
  }

  // Whether an opcode of a newer grammar is a specialization constant.
  [[nodiscard]] bool is_spec_name(Op opcode) const {
    const InstructionRow* row = module_.grammar().find_opcode(opcode);
    return row != nullptr && module_.grammar().text(row->name).starts_with("OpSpecConstant");
  }

  // --- literals ---

  // Low-order words come first (specification 2.2.1). For types wider than 64 bits the row holds the lowest two words;
  // literal() returns all of them.
  void read_literal(ConstantRow& row, InstructionView instruction) {
    const TypeRow& type = types_.row(row.type);
    if (!type.is_numerical() || type.width == 0) return;
    row.kind = type.is(TypeKind::Int) ? Kind::Int : Kind::Float;
    const std::size_t words = (std::size_t{type.width} + 31) / 32;
    const LiteralList value = View<Op::OpConstant>(instruction).value();
    if (value.size() < words) return;  // too short: no value
    row.bits = value[0];
    if (words > 1) row.bits |= std::uint64_t{value[1]} << 32;
    row.bits &= mask_of(type.width);  // narrow literals are sign-extended in their word
    apply_specialization(row);
  }

  // Applies the caller's specialization to a constant with a SpecId. A specialization constant without a SpecId always
  // has its default value, but also gets default_status_.
  void apply_specialization(ConstantRow& row) {
    row.status = row.is_spec ? default_status_ : Status::Known;
    if (!row.is_spec || specializations_.empty()) return;
    const DecorationRow* spec_id = decorations_.find(row.id, Decoration::SpecId);
    if (spec_id == nullptr || decorations_.operands(*spec_id).empty()) return;
    const auto after =
        std::ranges::upper_bound(specializations_, decorations_.operands(*spec_id)[0], {}, &Specialization::spec_id);
    if (after == specializations_.begin() || (after - 1)->spec_id != decorations_.operands(*spec_id)[0]) return;
    // Callers pass numbers. For a Boolean, every number except 0 is true. For narrow types, the bits above the width
    // are ignored.
    const std::uint64_t bits = (after - 1)->bits;
    row.bits = row.kind == Kind::Bool ? std::uint64_t{bits != 0} : bits & mask_of(types_.row(row.type).width);
    row.status = Status::Known;
  }

  // --- composites ---

  // Parts are row indexes, so composites share common parts. An id that is not a constant becomes a none() part and
  // makes the composite Unknown.
  void compose(ConstantRow& row, Words constituents) {
    row.kind = Kind::Composite;
    row.status = Status::Known;
    row.bits = constants_.parts_.size();
    for (const Word id : constituents) add_part(row, constants_.index_of(id));
  }

  // An instruction that is too short to have a value gets no parts.
  void repeat(ConstantRow& row, View<Op::OpConstantCompositeReplicateEXT> replicate) {
    compose(row, {});
    row.kind = Kind::Repeated;
    if (has(replicate, replicate.value())) add_part(row, constants_.index_of(replicate.value()));
  }

  // The parts of one composite are contiguous in parts_, so only the composite begun last can get parts.
  void add_part(ConstantRow& row, ConstantIndex part) {
    constants_.parts_.push_back(part);
    row.bits += one_part;
    row.status = worse(row.status, constants_.row(part).status);
  }

  // Adds parts to the immediately preceding composite, and to no other constant (SPV_INTEL_long_composites).
  void continue_composite(InstructionIndex i, InstructionView instruction) {
    if (i.raw != continuation_) return;
    continuation_ = i.raw + 1;
    // No row was added since the composite, so it is the last one. Both opcodes have the same operands.
    for (const Word id : View<Op::OpConstantCompositeContinuedINTEL>(instruction).constituents()) {
      add_part(constants_.rows_.back(), constants_.index_of(id));
    }
  }

  // --- OpSpecConstantOp ---

  // The view of the operation has the inner opcode, over the words of OpSpecConstantOp (view.h).
  void evaluate(ConstantRow& row, View<Op::OpSpecConstantOp> constant) {
    InstructionView operation = constant.view();
    // Opcodes have 16 bits: the conversion to Op would truncate a larger number to a valid opcode.
    if (operation.word(constant.opcode().word) > 0xFFFF) return;
    operation.opcode = constant.opcode();
    switch (operation.opcode) {
      case Op::OpCompositeExtract: return extract(row, View<Op::OpCompositeExtract>(operation));
      case Op::OpCompositeInsert: return insert(row, View<Op::OpCompositeInsert>(operation));
      case Op::OpVectorShuffle: return shuffle(row, View<Op::OpVectorShuffle>(operation));
      case Op::OpSelect: return select(row, View<Op::OpSelect>(operation));
      case Op::OpBitcast: return bitcast(row, View<Op::OpBitcast>(operation));
      default: return compute(row, operation.opcode, constant.operands().words());
    }
  }

  // Whether an instruction is long enough for an operand, and whether the operand is its last word.
  using Operand = IdOperand<IdKind::Any>;
  static bool has(const InstructionOperands& all, Operand one) { return one.word < all.view().word_count; }
  static bool ends_with(const InstructionOperands& all, Operand one) { return one.word + 1u == all.view().word_count; }

  /// A component and the status of its value.
  struct Component {
    FoldValue value;
    Status status = Status::Unknown;
  };

  // Copies the value of another constant of the same type. A value of another type leaves the result Unknown.
  void copy(ConstantRow& row, const ConstantRow& from) {
    if (from.type != row.type) return;
    row.kind = from.kind;
    row.status = from.status;
    row.choice = from.choice;
    row.bits = from.bits;
  }

  // The part of a constant at an index; for a null constant a null part. Returns none() if there is no such part, or if
  // the limit of parts is reached.
  ConstantIndex part_of(ConstantIndex whole, std::uint64_t index) {
    const ConstantRow row = constants_.row(whole);  // a copy: limited() adds rows
    if (row.kind == Kind::Composite) {
      if (index >= row.part_count()) return ConstantIndex::none();
      return limited(constants_.parts(row)[static_cast<std::size_t>(index)], row.choice);
    }
    const Word type = types_.member_type(types_.row(row.type), index);
    if (type == 0) return ConstantIndex::none();
    // The type has such a part, although no instruction declares it separately.
    if (row.kind == Kind::Repeated && row.part_count() != 0) return limited(constants_.parts(row)[0], row.choice);
    if (row.kind != Kind::Null) return ConstantIndex::none();
    return make_part(Kind::Null, types_.index_of(type), 0, row.status);
  }

  // The constant, or a copy of it that is no more reliable than the choice that led to it.
  ConstantIndex limited(ConstantIndex i, Status choice) {
    ConstantRow part = constants_.row(i);
    if (i.is_none() || (part.status >= choice && (part.choice >= choice || part.is_scalar()))) return i;
    part.id = 0;
    part.instruction = InstructionIndex::none();
    part.status = worse(part.status, choice);
    part.choice = worse(part.choice, choice);
    return add_row(part);
  }

  // Adds a row without id and instruction: a part that can be reached only through its composite. Each such row
  // decrements parts_left_.
  ConstantIndex make_part(Kind kind, TypeIndex type, std::uint64_t bits, Status status) {
    ConstantRow part;
    part.kind = kind;
    part.status = status;
    part.type = type;
    part.bits = bits;
    return add_row(part);
  }
  ConstantIndex add_row(const ConstantRow& part) {
    if (parts_left_ == 0) return ConstantIndex::none();
    --parts_left_;
    constants_.rows_.push_back(part);
    return ConstantIndex(constants_.rows_.size() - 1);
  }

  // Whether `count` more parts may be added. A type can declare four billion components.
  [[nodiscard]] bool may_make(std::uint64_t count) const { return count <= parts_left_; }

  // An invalid index yields none(), which has no parts, so the rest of the path also yields none().
  void extract(ConstantRow& row, View<Op::OpCompositeExtract> extraction) {
    ConstantIndex at = constants_.index_of(extraction.composite());
    for (const Word index : extraction.indexes()) at = part_of(at, index);
    if (!at.is_none()) copy(row, constants_.row(at));
  }

  // Rebuilds the composites along the path; all other parts are shared. Uses a list of the composites on the path, not
  // recursion, because the input controls the depth.
  void insert(ConstantRow& row, View<Op::OpCompositeInsert> insertion) {
    if (!has(insertion, insertion.composite())) return;
    const ConstantIndex object = constants_.index_of(insertion.object());
    ConstantIndex whole = constants_.index_of(insertion.composite());
    const Words path = insertion.indexes().words();
    if (path.empty()) return copy(row, constants_.row(object));
    std::vector<ConstantIndex>& wholes = constants_.path_;
    wholes.clear();
    for (const Word index : path) {
      wholes.push_back(whole);
      whole = part_of(whole, index);
    }
    // Either the path selects no existing part, or the object is not a constant.
    if (whole.is_none() || object.is_none()) return;
    ConstantIndex inner = object;
    for (std::size_t level = path.size(); level-- > 0;) {
      ConstantRow copy_of_level = constants_.row(wholes[level]);
      if (!replace_part(copy_of_level, wholes[level], path[level], inner)) return;
      // The outermost composite is the result; take() adds its row.
      if (level == 0) return copy(row, copy_of_level);
      copy_of_level.id = 0;
      copy_of_level.instruction = InstructionIndex::none();
      constants_.rows_.push_back(copy_of_level);
      inner = ConstantIndex(constants_.rows_.size() - 1);
    }
  }

  // Turns `row`, a copy of row `whole`, into a composite with the part at `index` replaced.
  bool replace_part(ConstantRow& row, ConstantIndex whole, Word index, ConstantIndex part) {
    const std::uint64_t count = row.kind == Kind::Composite ? row.part_count() : types_.row(row.type).count;
    const Kind kind = row.kind;
    const auto first = static_cast<std::uint32_t>(row.bits);  // of a composite
    if (index >= count || !begin_composite(row, count)) return false;
    for (std::uint32_t i = 0; i < count; ++i) {
      // add_part() can reallocate parts_, so look up the old part each time.
      if (i == index) add_part(row, part);
      else if (kind == Kind::Composite) add_part(row, constants_.parts_[first + i]);
      else add_part(row, part_of(whole, i));
    }
    row.status = worse(row.status, row.choice);
    return true;
  }

  // Components of both vectors are numbered consecutively, beginning with the first vector.
  void shuffle(ConstantRow& row, View<Op::OpVectorShuffle> choice) {
    if (!has(choice, choice.vector_2())) return;
    const ConstantIndex vectors[] = {constants_.index_of(choice.vector_1()), constants_.index_of(choice.vector_2())};
    const LiteralList components = choice.components();
    const std::uint64_t first_count = component_count(vectors[0]);
    const std::uint64_t all = first_count + component_count(vectors[1]);
    if (!begin_composite(row, std::size(vectors) + components.size())) return;
    for (const Word index : components) {
      // 0xFFFFFFFF selects nothing: that component is undefined.
      const bool is_first = index < first_count;
      add_part(row, index >= all ? ConstantIndex::none()
                                 : part_of(vectors[is_first ? 0 : 1], is_first ? index : index - first_count));
    }
  }

  // The number of declared constituents. In an invalid module, the type can have another number.
  [[nodiscard]] std::uint64_t component_count(ConstantIndex i) const {
    const ConstantRow& row = constants_.row(i);
    return row.kind == Kind::Composite ? row.part_count() : types_.row(row.type).count;
  }

  // Begins a composite of `count` parts, if the limit permits. Each part may cost a row and an entry of parts_.
  bool begin_composite(ConstantRow& row, std::uint64_t count) {
    // The count of a type can be arbitrarily large; for types of unknown length it is 0.
    if (count == 0 || count > parts_left_ / 2) return false;
    parts_left_ -= count;
    row.kind = Kind::Composite;
    row.status = Status::Known;
    row.bits = constants_.parts_.size();
    return true;
  }

  // The result shares the selected object. It is at most as reliable as the condition, because another specialization
  // may select the other object.
  void select(ConstantRow& row, View<Op::OpSelect> choice) {
    if (!ends_with(choice, choice.object_2())) return;
    const ConstantIndex condition = constants_.index_of(choice.condition());
    const ConstantIndex objects[] = {constants_.index_of(choice.object_1()), constants_.index_of(choice.object_2())};
    if (objects[0].is_none() || objects[1].is_none()) return;
    // A scalar condition selects a whole object of any type; a vector condition selects component by component.
    if (types_.row(constants_.row(condition).type).is(TypeKind::Bool)) {
      const Component which = component(condition, 0);
      if (which.status == Status::Unknown) return;
      copy(row, constants_.row(objects[which.value.bits != 0 ? 0 : 1]));
      row.status = worse(row.status, which.status);
      row.choice = worse(row.choice, which.status);
      return;
    }
    const std::uint64_t count = types_.row(row.type).count;
    if (!types_.row(row.type).is_vector() || !begin_composite(row, count)) return;
    for (std::uint64_t i = 0; i < count; ++i) {
      const Component which = component(condition, i);
      const ConstantIndex chosen = part_of(objects[which.value.bits != 0 ? 0 : 1], i);
      add_part(row, which.status == Status::Unknown ? ConstantIndex::none() : limited(chosen, which.status));
    }
  }

  // --- component by component ---

  // A scalar is its own component at every index.
  Component component(ConstantIndex i, std::uint64_t index) const {
    const ConstantRow* row = &constants_.row(i);
    const Status choice = row->choice;
    TypeIndex type = row->type;
    if (row->kind == Kind::Composite || row->kind == Kind::Repeated) {
      const std::uint64_t at = row->kind == Kind::Repeated ? 0 : index;
      if (at >= row->part_count()) return {};
      row = &constants_.row(constants_.parts(*row)[static_cast<std::size_t>(at)]);
      type = row->type;
    } else if (row->kind == Kind::Null) {
      type = types_.row(type).component_row;
    }
    // A matrix column is not a component: only one level is unpacked.
    if (!row->is_scalar() && row->kind != Kind::Null) return {};
    return {{fold_type_of(types_.row(type)), row->bits}, worse(row->status, choice)};
  }

  // An opcode that is not permitted inside OpSpecConstantOp has no value, even if fold() could compute one.
  void compute(ConstantRow& row, Op opcode, Words operands) {
    constexpr std::size_t most_operands = 2;  // of all opcodes that fold() computes
    if (operands.empty() || operands.size() > most_operands) return;
    if (!is_permitted_in_spec_constant_op(opcode)) return;
    const TypeRow& type = types_.row(row.type);
    ConstantIndex ids[most_operands];
    for (std::size_t i = 0; i < operands.size(); ++i) ids[i] = constants_.index_of(operands[i]);

    const FoldType result = fold_type_of(type.component());
    const auto at = [&](std::uint64_t index) {
      FoldValue values[most_operands];
      Status status = Status::Known;
      for (std::size_t i = 0; i < operands.size(); ++i) {
        const Component from = component(ids[i], index);
        values[i] = from.value;
        status = worse(status, from.status);
      }
      // Do not compute with bits that have no meaning.
      if (status == Status::Unknown) return Component{{result}, status};
      const std::optional<std::uint64_t> bits = fold(opcode, result, std::span(values, operands.size()));
      return bits ? Component{{result, *bits}, status} : Component{{result}, Status::Unknown};
    };
    place_components(row, at);
  }

  // Fills a scalar or a vector with the components that `at` returns for each index. This function adds parts between
  // the calls, so `at` can read constants but must not add any.
  template <typename At>
  void place_components(ConstantRow& row, At&& at) {
    const TypeRow& type = types_.row(row.type);
    const Kind kind = kind_of(type.component());
    if (kind == Kind::Other) return;
    if (type.is_scalar()) {
      const Component value = at(0);
      row.kind = kind;
      row.status = value.status;
      row.bits = value.value.bits;
      return;
    }
    if (!type.is_vector() || !begin_composite(row, type.count)) return;
    for (std::uint64_t i = 0; i < type.count; ++i) {
      const Component value = at(i);
      add_part(row, make_part(kind, type.component_row, value.value.bits, value.status));
    }
  }

  static Kind kind_of(const TypeRow& scalar) {
    switch (scalar.kind) {
      case TypeKind::Bool: return Kind::Bool;
      case TypeKind::Int: return Kind::Int;
      case TypeKind::Float: return Kind::Float;
      default: return Kind::Other;
    }
  }

  // Component 0 holds the lowest bits in both types (specification, OpBitcast).
  void bitcast(ConstantRow& row, View<Op::OpBitcast> conversion) {
    if (!ends_with(conversion, conversion.operand())) return;
    const ConstantIndex from = constants_.index_of(conversion.operand());
    const TypeRow& type = types_.row(row.type);
    const TypeRow& source = types_.row(constants_.row(from).type);
    const std::uint32_t width = fold_type_of(type.component()).width;
    const std::uint32_t source_width = fold_type_of(source.component()).width;
    // Both types have the same size, and one width divides the other, so no piece below crosses a component boundary.
    const bool fit = width != 0 && source_width != 0 && type.has_known_size() && type.bits == source.bits &&
                     (width % source_width == 0 || source_width % width == 0);
    if (!fit) return;
    place_components(row, [&](std::uint64_t i) {
      Component result;
      result.status = Status::Known;
      // The loop works in pieces of the narrower width: several pieces form one result component, or one piece is part
      // of a source component.
      const std::uint32_t step = std::min(width, source_width);
      for (std::uint32_t at = 0; at < width; at += step) {
        const std::uint64_t bit = i * width + at;
        const Component piece = component(from, bit / source_width);
        result.value.bits |= (piece.value.bits >> (bit % source_width) & mask_of(step)) << at;
        result.status = worse(result.status, piece.status);
      }
      return result;
    });
  }

  const Module& module_;
  const Types& types_;
  const Decorations& decorations_;
  Status default_status_;
  std::span<const Specialization> specializations_;  // ascending by SpecId
  std::vector<Specialization> sorted_;
  Constants constants_;
  std::uint64_t parts_left_;          // parts that evaluation may still add
  std::uint32_t continuation_ = ~0u;  // the instruction that would continue the last composite
};

Constants Constants::read(const Module& module, const Types& types, const Decorations& decorations,
                          const ConstantOptions& options) {
  return ConstantReader(module, types, decorations, options, Constants(module, types)).read();
}

void Constants::evaluate(const Decorations& decorations, const ConstantOptions& options) {
  *this = ConstantReader(*module_, *types_, decorations, options, std::move(*this)).read();
}

// --- rows ---------------------------------------------------------------------------------------------------------------
//
// Not in the header: each conversion to a std::span costs its users 10 to 20 ms of compile time.

std::span<const ConstantRow> Constants::rows() const { return rows_; }
std::span<const ConstantIndex> Constants::parts(const ConstantRow& constant) const {
  if (!constant.has_parts()) return {};
  return std::span(parts_).subspan(static_cast<std::uint32_t>(constant.bits), constant.part_count());
}

}  // namespace vireo::spirv

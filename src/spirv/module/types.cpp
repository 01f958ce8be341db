// SPDX-License-Identifier: Apache-2.0
//
// Reads type declarations into Types (types.h).
//
// A table describes the words of each type declaration. One pass over the declarations reads them by the
// table and combines the properties of their parts, whose rows already exist.
#include "vireo/spirv/module/types.h"
#include "spirv/grammar/opcode_families.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "spirv/grammar/special_cases.h"
#include "spirv/module/section_walk.h"
#include "spirv/module/word_interner.h"
#include "vireo/spirv/binary/views/constant_creation.h"
#include "vireo/spirv/binary/views/mode_setting.h"
#include "vireo/spirv/binary/views/type_declaration.h"
#include "vireo/support/id_map.h"

namespace vireo::spirv {
namespace {

// --- declarations -------------------------------------------------------------------------------------------------------

/// How a type refers to its element or part types.
enum class Hold : std::uint8_t {
  Nothing,
  Value,    ///< values of the type contain values of its parts
  Mention,  ///< the type only refers to its parts
};

/// The words of a type declaration. Members are word indexes; 0: there is no such operand.
struct TypeForm {
  Op opcode;
  TypeKind kind;
  Hold hold = Hold::Nothing;
  std::uint8_t element = 0;  // id of the element type
  std::uint8_t count = 0;    // literal number of elements
  std::uint8_t length = 0;   // id of a constant number of elements
  std::uint8_t storage = 0;  // storage class
  std::uint8_t list = 0;     // ids of types, up to the end
  TypeTraits traits = {};    // of the type itself, without its parts
};

using enum TypeTrait;
constexpr TypeTraits handle = Opaque | WithoutNull;  // of most opaque types; events and queues have a null value

// clang-format off
// Ascending by opcode.
constexpr TypeForm type_forms[] = {
    {Op::OpTypeVoid,         TypeKind::Void,         {}, 0, 0, 0, 0, 0, Void},
    {Op::OpTypeBool,         TypeKind::Bool,         {}, 0, 0, 0, 0, 0, Bool},
    {Op::OpTypeInt,          TypeKind::Int},
    {Op::OpTypeFloat,        TypeKind::Float},
    {Op::OpTypeVector,       TypeKind::Vector,       Hold::Value,   2, 3, 0, 0, 0, Vector},
    {Op::OpTypeMatrix,       TypeKind::Matrix,       Hold::Value,   2, 3, 0, 0, 0, Matrix},
    {Op::OpTypeImage,        TypeKind::Image,        Hold::Mention, 2, 0, 0, 0, 0, Image | handle},
    {Op::OpTypeSampler,      TypeKind::Sampler,      {}, 0, 0, 0, 0, 0, handle},
    {Op::OpTypeSampledImage, TypeKind::SampledImage, Hold::Mention, 2, 0, 0, 0, 0, Image | handle},
    {Op::OpTypeArray,        TypeKind::Array,        Hold::Value,   2, 0, 3, 0, 0, Array},
    {Op::OpTypeRuntimeArray, TypeKind::RuntimeArray, Hold::Value,   2, 0, 0, 0, 0, RuntimeArray},
    {Op::OpTypeStruct,       TypeKind::Struct,       Hold::Value,   0, 0, 0, 0, 2, Struct},
    {Op::OpTypeOpaque,       TypeKind::Opaque,       {}, 0, 0, 0, 0, 0, handle},
    {Op::OpTypePointer,      TypeKind::Pointer,      Hold::Mention, 3, 0, 0, 2, 0, Pointer},
    {Op::OpTypeFunction,     TypeKind::Function,     Hold::Mention, 2, 0, 0, 0, 3, Function},
    {Op::OpTypeEvent,        TypeKind::Event,        {}, 0, 0, 0, 0, 0, Opaque},
    {Op::OpTypeDeviceEvent,  TypeKind::DeviceEvent,  {}, 0, 0, 0, 0, 0, Opaque},
    {Op::OpTypeReserveId,    TypeKind::ReserveId,    {}, 0, 0, 0, 0, 0, Opaque},
    {Op::OpTypeQueue,        TypeKind::Queue,        {}, 0, 0, 0, 0, 0, Opaque},
    {Op::OpTypePipe,         TypeKind::Pipe,         {}, 0, 0, 0, 0, 0, handle},
    {Op::OpTypePipeStorage,  TypeKind::PipeStorage,  {}, 0, 0, 0, 0, 0, handle},
    {Op::OpTypeNamedBarrier, TypeKind::NamedBarrier, {}, 0, 0, 0, 0, 0, handle},
    {Op::OpTypeTensorARM,    TypeKind::Tensor,       Hold::Mention, 2, 0, 0, 0, 0, Opaque},
    {Op::OpTypeGraphARM,     TypeKind::Graph,        Hold::Mention, 0, 0, 0, 0, 3, {}},
    {Op::OpTypeUntypedPointerKHR,    TypeKind::UntypedPointer,      {}, 0, 0, 0, 2, 0, Pointer},
    {Op::OpTypeCooperativeMatrixKHR, TypeKind::CooperativeMatrix,   Hold::Value, 2, 0, 0, 0, 0, CooperativeMatrix},
    {Op::OpTypeRayQueryKHR,          TypeKind::RayQuery,            {}, 0, 0, 0, 0, 0, handle},
    {Op::OpTypeNodePayloadArrayAMDX, TypeKind::NodePayloadArray,    Hold::Value, 2, 0, 0, 0, 0, RuntimeArray},
    {Op::OpTypeBufferEXT,            TypeKind::Buffer,              {}, 0, 0, 0, 2, 0, handle},
    {Op::OpTypeHitObjectNV,          TypeKind::HitObject,           {}, 0, 0, 0, 0, 0, handle},
    {Op::OpTypeVectorIdEXT,          TypeKind::LongVector,          Hold::Value, 2, 0, 3, 0, 0, Vector},
    {Op::OpTypeHitObjectEXT,         TypeKind::HitObject,           {}, 0, 0, 0, 0, 0, handle},
    {Op::OpTypeAccelerationStructureKHR, TypeKind::AccelerationStructure, {}, 0, 0, 0, 0, 0, handle},
    {Op::OpTypeCooperativeMatrixNV,  TypeKind::CooperativeMatrixNV, Hold::Value, 2, 0, 0, 0, 0, CooperativeMatrix},
    {Op::OpTypeTensorLayoutNV,       TypeKind::TensorLayout,        {}, 0, 0, 0, 0, 0, handle},
    {Op::OpTypeTensorViewNV,         TypeKind::TensorView,          {}, 0, 0, 0, 0, 0, handle},
};
// clang-format on
static_assert(std::ranges::is_sorted(type_forms, {}, &TypeForm::opcode));

constexpr TypeForm other_form = {Op::OpNop, TypeKind::Other, {}, 0, 0, 0, 0, 0, Unknown};

const TypeForm* type_form_of(Op opcode) {
  const auto* form = std::ranges::lower_bound(type_forms, opcode, {}, &TypeForm::opcode);
  return form != std::end(type_forms) && form->opcode == opcode ? form : nullptr;
}

// --- properties ---------------------------------------------------------------------------------------------------------

TypeTraits traits_of_int(std::uint32_t width) {
  switch (width) {
    case 8: return Int8;
    case 16: return Int16;
    case 32: return Int32;
    case 64: return Int64;
    default: return IntOther;
  }
}

TypeTraits traits_of_float(const TypeRow& type) {
  const std::optional<FloatFormat> format = Types::float_format(type);
  if (!format) return FloatOther;
  switch (*format) {
    case FloatFormat::Half: return Float16;
    case FloatFormat::Single: return Float32;
    case FloatFormat::Double: return Float64;
    case FloatFormat::BFloat16: return BFloat16;
    default: return Float8;
  }
}

constexpr std::uint64_t unknown_bits = TypeRow::unknown_bits;

// A size that does not fit in 64 bits is treated as unknown.
std::uint64_t plus(std::uint64_t a, std::uint64_t b) {
  return a == unknown_bits || b == unknown_bits || a > unknown_bits - b ? unknown_bits : a + b;
}
std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  if (a == unknown_bits || b == unknown_bits) return unknown_bits;
  return b != 0 && a > unknown_bits / b ? unknown_bits : a * b;
}

}  // namespace

// --- reading ------------------------------------------------------------------------------------------------------------

class TypeReader {
 public:
  explicit TypeReader(const Module& module) : module_(module), types_(module) {}

  Types read() && {
    // Types are counted first, because rows are large, and most globals may be other declarations.
    std::size_t count = 0;
    InstructionIndex last;
    walk_section(module_, Section::Globals, [&](InstructionIndex i, InstructionView instruction) {
      if (type_form_of(instruction.opcode) == nullptr) return;
      ++count;
      last = i;
    });
    if (count != 0) types_.by_id_.extend_to(last);
    types_.rows_.reserve(count);
    scratch_.reserve(32);
    walk_section(module_, Section::MemoryModel, [&](InstructionIndex, InstructionView instruction) {
      if (const auto model = as<Op::OpMemoryModel>(instruction)) addressing_ = model->addressing_model();
    });
    walk_section(module_, Section::Globals,
                 [&](InstructionIndex i, InstructionView instruction) { take(i, instruction); });
    // Sorted for lookup by id; there are few forward pointers.
    std::ranges::stable_sort(types_.forward_, {}, &Types::ForwardRow::id);
    for (TypeRow& type : types_.rows_) {
      type.rows_ = types_.rows_.data();
      type.pointee_row = type.element_row.is_none() ? types_.index_of(type.element) : type.element_row;
    }
    return std::move(types_);
  }

 private:
  void take(InstructionIndex i, InstructionView instruction) {
    switch (instruction.opcode) {
      case Op::OpTypeForwardPointer: {
        const View<Op::OpTypeForwardPointer> forward(instruction);
        types_.forward_.push_back({forward.pointer_type(), forward.storage_class()});
        forward_ids_[forward.pointer_type()] = TypeIndex(types_.forward_.size() - 1);
        return;
      }
      case Op::OpTypeStructContinuedINTEL: return continue_struct(i, View<Op::OpTypeStructContinuedINTEL>(instruction));
      default: break;
    }
    const TypeForm* form = type_form_of(instruction.opcode);
    if (form == nullptr && !is_other_type(instruction.opcode)) return;
    declare(form == nullptr ? other_form : *form, i, instruction);
  }

  [[nodiscard]] bool is_other_type(Op opcode) const {
    const InstructionRow* row = module_.grammar().find_opcode(opcode);
    return row != nullptr && (row->flags & (HasResult | HasResultType)) == HasResult &&
           module_.grammar().text(row->name).starts_with("OpType");
  }

  // Reads the operands first, then the parts in word order. Each part is looked up once, and contributes to the
  // properties and to the canonical words.
  void declare(const TypeForm& form, InstructionIndex i, InstructionView instruction) {
    const Word id = View<Op::OpTypeVoid>(instruction).result();  // the first operand of every type
    if (module_.definition(id) != i) return;                     // a second definition; only the first one is used
    const auto self = TypeIndex(types_.rows_.size());
    TypeRow& type = types_.rows_.emplace_back();
    type.id = id;
    type.declaration = i;
    type.kind = form.kind;
    type.opcode = instruction.opcode;
    type.contains = form.traits;
    read_operands(type, form, instruction);
    begin_properties(type, form, self);
    read_parts(type, form, instruction);
    end_properties(type, form);
    compare(type, self, instruction);
    types_.by_id_.set(id, self);
  }

  [[nodiscard]] const TypeRow& row(TypeIndex i) const { return types_.row(i); }

  void read_operands(TypeRow& type, const TypeForm& form, InstructionView instruction) {
    if (form.element != 0) {
      type.element = instruction.word(form.element);
      type.element_row = types_.index_of(type.element);
    }
    if (form.count != 0) type.count = instruction.word(form.count);
    if (form.storage != 0) type.storage = static_cast<StorageClass>(instruction.word(form.storage));
    if (form.list != 0) type.count = words_from(instruction, form.list).size();
    if (form.length != 0) {
      type.length = instruction.word(form.length);
      length_ = plain_length(type.length);
      type.count = length_.value_or(0);
      if (!length_ && is_core_spec_constant(module_.find(type.length).opcode)) type.contains |= SpecSized;
    }
    if (form.kind == TypeKind::Int) {
      const View<Op::OpTypeInt> integer(instruction);
      type.width = integer.width();
      type.is_signed = integer.signedness() != 0;
    } else if (form.kind == TypeKind::Float) {
      const View<Op::OpTypeFloat> real(instruction);
      type.width = real.width();
      if (const auto encoding = real.floating_point_encoding()) type.encoding = static_cast<Word>(encoding->value);
    }
  }

  // The value of an OpConstant, which needs no evaluation. Constants (constants.h) evaluate computed lengths.
  [[nodiscard]] std::optional<std::uint64_t> plain_length(Word id) const {
    const auto constant = as<Op::OpConstant>(module_.find(id));
    if (!constant) return std::nullopt;
    const TypeRow& type = types_.of(constant->result_type());
    if (!type.is(TypeKind::Int)) return std::nullopt;
    const LiteralList value = constant->value();
    if (type.width == 0 || type.width > 64 || value.size() < (type.width > 32 ? 2 : 1)) return std::nullopt;
    const std::uint64_t low = value[0];
    const std::uint64_t high = type.width > 32 ? value[1].value : 0;
    if (type.is_signed && ((high << 32 | low) >> (type.width - 1) & 1) != 0) return std::nullopt;
    return high << 32 | low;
  }

  // --- properties that depend on the parts ---

  // Sets the properties of the type itself, and those that depend only on its element.
  void begin_properties(TypeRow& type, const TypeForm& form, TypeIndex self) {
    const TypeRow& element = row(type.element_row);
    type.innermost_row = type.is_array() && !type.element_row.is_none() ? element.innermost_row : self;
    switch (form.kind) {
      case TypeKind::Int:
      case TypeKind::Float:
        type.contains |= form.kind == TypeKind::Int ? traits_of_int(type.width) : traits_of_float(type);
        type.bits = type.width;
        type.component_row = self;
        break;
      case TypeKind::Bool: type.component_row = self; break;  // its size in bits is not defined
      case TypeKind::Vector:
      case TypeKind::LongVector:
      case TypeKind::Matrix:
      case TypeKind::CooperativeMatrix:
      case TypeKind::CooperativeMatrixNV: type.component_row = element.component_row; break;
      case TypeKind::Pointer:
      case TypeKind::UntypedPointer:
        if (type.storage == StorageClass::PhysicalStorageBuffer) type.contains |= PhysicalPointer;
        type.bits = pointer_bits(type.storage);
        break;
      case TypeKind::Struct:
        type.bits = 0;
        break;  // add_part() adds the size of each member
      // Only a tensor with a Shape is a composite (SPV_ARM_tensors), so the others have no null value.
      case TypeKind::Tensor:
        if (!View<Op::OpTypeTensorARM>(module_.instruction(type.declaration)).shape()) type.contains |= WithoutNull;
        break;
      default: break;
    }
    type.mentions = type.contains;
  }

  // Reads the element or the list of types, and writes the canonical words of each: at most three.
  void read_parts(TypeRow& type, const TypeForm& form, InstructionView instruction) {
    Word* end = scratch_for(3 * std::size_t{instruction.word_count});
    *end++ = static_cast<Word>(instruction.opcode);
    for (std::size_t at = 2; at < instruction.word_count; ++at) {
      const Word word = instruction.first[at];
      if (at == form.element) {
        end = add_type(end, type.element_row, word);
      } else if (form.list != 0 && at >= form.list) {
        const TypeIndex part = types_.index_of(word);
        add_part(type, form.hold, word, part);
        end = add_type(end, part, word);
      } else if (at == form.length) {
        end = add_length(end, word);
      } else {
        *end++ = word;
      }
    }
    canonical_ = {scratch_.data(), end};
    // Not in the loop, because the instruction may be too short for an element.
    if (form.element != 0) add_part(type, form.hold, type.element, type.element_row);
  }

  void end_properties(TypeRow& type, const TypeForm& form) const {
    if (form.count != 0 || (form.length != 0 && type.count != 0)) {
      type.bits = times(row(type.element_row).bits, type.count);
    }
  }

  void add_part(TypeRow& type, Hold hold, Word id, TypeIndex i) const {
    if (i.is_none()) return add_unknown_part(type, hold, id);
    const TypeRow& part = row(i);
    type.mentions |= part.mentions;
    if (hold == Hold::Value) type.contains |= part.contains;
    if (type.kind == TypeKind::Struct) type.bits = plus(type.bits, part.bits);
  }

  // A forward reference to a pointer type is a pointer, whatever its pointee.
  void add_unknown_part(TypeRow& type, Hold hold, Word id) const {
    TypeTraits contains = Unknown;
    std::uint64_t bits = unknown_bits;
    if (const auto forward = forward_ids_.find(id); forward != forward_ids_.end()) {
      const StorageClass storage = types_.forward_[forward->second.index()].storage;
      contains = storage == StorageClass::PhysicalStorageBuffer ? Pointer | PhysicalPointer : TypeTraits(Pointer);
      bits = pointer_bits(storage);
    }
    type.mentions |= contains;
    if (hold == Hold::Value) type.contains |= contains;
    if (type.kind == TypeKind::Struct) type.bits = plus(type.bits, bits);
  }

  // The width of pointers (specification, addressing model). Logical pointers have no size.
  [[nodiscard]] std::uint64_t pointer_bits(StorageClass storage) const {
    switch (addressing_) {
      case AddressingModel::Physical32: return 32;
      case AddressingModel::Physical64: return 64;
      case AddressingModel::PhysicalStorageBuffer64:
        return storage == StorageClass::PhysicalStorageBuffer ? 64 : unknown_bits;
      default: return unknown_bits;
    }
  }

  // Adds members to the immediately preceding structure, and to no other type (SPV_INTEL_long_composites).
  void continue_struct(InstructionIndex i, View<Op::OpTypeStructContinuedINTEL> continued) {
    if (i.raw != continuation_) return;
    continuation_ = i.raw + 1;
    const auto last = TypeIndex(types_.rows_.size() - 1);
    TypeRow& type = types_.rows_.back();
    if (types_.continued_.empty() || types_.continued_.back().type != last) {
      const Words begin = types_.members(type);
      types_.continued_.push_back({last, static_cast<std::uint32_t>(types_.long_lists_.size()), 0});
      types_.long_lists_.insert(types_.long_lists_.end(), begin.begin(), begin.end());
      types_.continued_.back().count = static_cast<std::uint32_t>(begin.size());
    }
    const Words more = continued.member_types().words();
    types_.long_lists_.insert(types_.long_lists_.end(), more.begin(), more.end());
    types_.continued_.back().count += static_cast<std::uint32_t>(more.size());
    type.count += more.size();
    for (const Word part : more) add_part(type, Hold::Value, part, types_.index_of(part));
  }

  [[nodiscard]] bool is_continued(InstructionIndex i) const {
    return i.raw + 1 < module_.instruction_count() &&
           module_.instruction(InstructionIndex(i.raw + 1u)).opcode == Op::OpTypeStructContinuedINTEL;
  }

  // --- equality of types ---

  // Types are structurally equal if their canonical words are. Those are the words of the declaration, with each type
  // replaced by the number of its class and each plain length by its value. An unknown part is written as a word that
  // is not a class and its id, so it equals only itself.
  void compare(TypeRow& type, TypeIndex self, InstructionView instruction) {
    if (type.kind == TypeKind::Struct && is_continued(type.declaration)) {
      // A structure with continuation instructions equals only itself. No declaration begins with this opcode.
      const Word alone[] = {static_cast<Word>(Op::OpTypeStructContinuedINTEL), type.id};
      type.class_ = TypeClass(structures_.intern(alone));
      type.canonical_type = self;
      continuation_ = type.declaration.raw + 1;
      return;
    }
    type.class_ = TypeClass(structures_.intern(canonical_));
    type.canonical_type = first_with(instruction, self);
  }

  // A buffer of at least `count` words, valid until the next call.
  Word* scratch_for(std::size_t count) {
    if (scratch_.size() < count) scratch_.resize(2 * count);
    return scratch_.data();
  }

  // The first type that was declared with the same words.
  TypeIndex first_with(InstructionView instruction, TypeIndex self) {
    const Words operands = words_from(instruction, 2);
    Word* const begin = scratch_for(operands.size() + 1);
    *begin = static_cast<Word>(instruction.opcode);
    const std::uint32_t number = words_.intern({begin, std::ranges::copy(operands, begin + 1).out});
    if (number == first_with_words_.size()) first_with_words_.push_back(self);
    return first_with_words_[number];
  }

  // --- canonical words ---

  static constexpr Word unknown_part = 0xFFFFFFFF;  // not a class number

  Word* add_type(Word* end, TypeIndex part, Word id) {
    if (part.is_none()) return add_unknown(end, id);
    *end++ = row(part).class_.raw;
    return end;
  }
  Word* add_length(Word* end, Word id) {
    if (!length_) return add_unknown(end, id);
    *end++ = 0;
    *end++ = static_cast<Word>(*length_);
    *end++ = static_cast<Word>(*length_ >> 32);
    return end;
  }
  static Word* add_unknown(Word* end, Word id) {
    *end++ = unknown_part;
    *end++ = id;
    return end;
  }

  const Module& module_;
  Types types_;
  AddressingModel addressing_ = AddressingModel::Logical;
  IdMap<TypeIndex> forward_ids_;  // index into types_.forward_
  WordInterner words_, structures_;
  std::vector<TypeIndex> first_with_words_;  // by number in words_
  std::vector<Word> scratch_;
  Words canonical_;                      // of the current type, in scratch_
  std::optional<std::uint64_t> length_;  // of the current type, if it is a plain constant
  std::uint32_t continuation_ = ~0u;     // the instruction that would continue the last structure
};

Types Types::read(const Module& module) { return TypeReader(module).read(); }

// --- queries ------------------------------------------------------------------------------------------------------------

const TypeRow& TypeRow::none() {
  static constexpr TypeRow row;
  return row;
}

Words Types::members(const TypeRow& type) const {
  const TypeForm* form = type_form_of(type.opcode);
  if (form == nullptr || form->list == 0 || type.declaration.is_none()) return {};
  if (!continued_.empty()) {
    const TypeIndex i = index_of(type.id);  // a row may be a copy
    const auto found = std::ranges::lower_bound(continued_, i, {}, &LongList::type);
    if (found != continued_.end() && found->type == i) return Words(long_lists_).subspan(found->first, found->count);
  }
  return words_from(module_->instruction(type.declaration), form->list);
}

Word Types::member_type(const TypeRow& type, std::uint64_t index) const {
  if (type.kind == TypeKind::Struct) {
    const Words all = members(type);
    return index < all.size() ? all[static_cast<std::size_t>(index)] : 0;
  }
  if (!type.is_composite()) return 0;
  const bool is_counted = type.is_vector() || type.is(TypeKind::Matrix) || type.is(TypeKind::Array);
  return is_counted && type.count != 0 && index >= type.count ? 0 : type.element;
}

Word Types::member_type(Word type, Words path) const {
  for (const Word index : path) {
    type = member_type(of(type), index);
    if (type == 0) return 0;
  }
  return type;
}

ImageShape Types::image(const TypeRow& type) const {
  if (type.kind != TypeKind::Image) return {};
  const View<Op::OpTypeImage> image(module_->instruction(type.declaration));
  ImageShape shape;
  shape.sampled_type = image.sampled_type();
  shape.dim = image.dim();
  shape.depth = image.depth();
  shape.arrayed = image.arrayed();
  shape.multisampled = image.ms();
  shape.sampled = image.sampled();
  shape.format = image.image_format();
  if (const auto access = image.access_qualifier()) shape.access = *access;
  return shape;
}

std::optional<FloatFormat> Types::float_format(const TypeRow& type) {
  static_assert(TypeRow::no_encoding == no_float_encoding);
  if (type.kind != TypeKind::Float) return std::nullopt;
  return float_format_of(type.width, type.encoding);
}

Shape Types::shape(const TypeRow& type) const {
  if (!type.is_scalar() && !type.is_vector() && !type.is(TypeKind::Matrix)) return {};
  const TypeRow& scalar = type.component();
  if (!scalar.is_scalar()) return {};
  Shape shape{scalar.kind, scalar.width, 1, 1};
  if (type.is_vector()) shape.rows = type.count;
  if (type.is(TypeKind::Matrix)) {
    shape.rows = type.element_type().count;
    shape.columns = type.count;
  }
  return shape;
}

std::optional<StorageClass> Types::forward_pointer(Word id) const {
  const auto found = std::ranges::lower_bound(forward_, id, {}, &ForwardRow::id);
  if (found == forward_.end() || found->id != id) return std::nullopt;
  return found->storage;
}

std::size_t Types::memory() const {
  return rows_.capacity() * sizeof(TypeRow) + by_id_.memory() + forward_.capacity() * sizeof(ForwardRow) +
         continued_.capacity() * sizeof(LongList) + long_lists_.capacity() * sizeof(Word);
}

// --- rows ---------------------------------------------------------------------------------------------------------------
//
// Not in the header: each conversion to a std::span costs its users 10 to 20 ms of compile time.

std::span<const TypeRow> Types::rows() const { return rows_; }

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// Types: what each type of a module is made of.
//
// The one idea: a type is declared before it is used, so one pass in the order of declaration can give each type a row
// in which everything that holds for its parts is already summed up: how many bits, what it contains, which other types
// are built alike. No question walks a type afterwards, and none recurses, however deep the types are.
//
//   const Types types = Types::read(module);
//   if (const TypeRow* type = types.find(module.type_of(value)); type != nullptr && type->is_vector())
//     … types.row(type->component).width …
//
// Total on broken input: a part that was not declared before makes its type contain TypeTrait::Unknown, an instruction
// that is too short has zeros for what is missing. Types of newer grammars (names that begin with OpType) are rows of
// kind Other.
//
// Source: specification 3.42.6, "Type-Declaration Instructions", 2.2.2 (scalar, vector, composite, aggregate …).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "vireo/spirv/detail/declaration_table.h"
#include "vireo/spirv/enums.h"
#include "vireo/spirv/module.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/id.h"
#include "vireo/support/number.h"

namespace vireo::spirv {

using TypeIndex = Id<struct TypeTag, std::uint32_t>;       ///< index into Types::rows()
using TypeClass = Id<struct TypeClassTag, std::uint32_t>;  ///< types that are built alike have the same

/// What a type is, by the instruction that declares it.
enum class TypeKind : std::uint8_t {
  None,  ///< no type at all: of the row that stands for "no such type"
  Void,
  Bool,
  Int,
  Float,
  Vector,
  LongVector,  ///< OpTypeVectorIdEXT, alias OpTypeCooperativeVectorNV: as many components as a constant says
  Matrix,
  CooperativeMatrix,    ///< OpTypeCooperativeMatrixKHR
  CooperativeMatrixNV,  ///< the older one, without a use
  Array,
  RuntimeArray,
  NodePayloadArray,  ///< OpTypeNodePayloadArrayAMDX
  Struct,
  Image,
  Sampler,
  SampledImage,
  Opaque,
  AccelerationStructure,
  RayQuery,
  HitObject,
  Event,
  DeviceEvent,
  ReserveId,
  Queue,
  Pipe,
  PipeStorage,
  NamedBarrier,
  Tensor,
  TensorLayout,
  TensorView,
  Buffer,  ///< OpTypeBufferEXT
  Pointer,
  UntypedPointer,
  Function,
  Graph,
  Other,  ///< any other instruction named OpType…
};

/// What a type has in it, as bits of TypeRow::contains and TypeRow::mentions. A scalar contains itself.
enum class TypeTrait : std::uint32_t {
  Bool = 1u << 0,
  Int8 = 1u << 1,
  Int16 = 1u << 2,
  Int32 = 1u << 3,
  Int64 = 1u << 4,
  IntOther = 1u << 5,  ///< of any other width
  Float16 = 1u << 6,   ///< these three without an encoding, as IEEE 754 has them
  Float32 = 1u << 7,
  Float64 = 1u << 8,
  BFloat16 = 1u << 9,
  Float8 = 1u << 10,      ///< an encoding of eight bits or fewer
  FloatOther = 1u << 11,  ///< no format that is known
  Vector = 1u << 12,      ///< long ones, too
  Matrix = 1u << 13,
  CooperativeMatrix = 1u << 14,
  Array = 1u << 15,
  RuntimeArray = 1u << 16,
  Struct = 1u << 17,
  Pointer = 1u << 18,
  PhysicalPointer = 1u << 19,  ///< a pointer of storage class PhysicalStorageBuffer
  Image = 1u << 20,
  Opaque = 1u << 21,     ///< any opaque type (2.2.2): images and samplers, events, ray queries, …
  SpecSized = 1u << 22,  ///< an array whose length is a specialization constant, or computed from one
  Void = 1u << 23,
  Function = 1u << 24,
  Unknown = 1u << 25,      ///< something that was not declared before, or a type of kind Other
  WithoutNull = 1u << 26,  ///< an opaque type without a null value (3.42.7): all but events, queues and the like
};

/// A set of TypeTrait.
struct VIREO_API TypeTraits {
  std::uint32_t bits = 0;

  constexpr TypeTraits() = default;
  // A trait is a set of one, wherever a set is wanted.
  // NOLINTNEXTLINE(google-explicit-constructor)
  constexpr TypeTraits(TypeTrait trait) : bits(static_cast<std::uint32_t>(trait)) {}
  [[nodiscard]] constexpr bool has_any(TypeTraits traits) const { return (bits & traits.bits) != 0; }
  [[nodiscard]] constexpr bool has_all(TypeTraits traits) const { return (bits & traits.bits) == traits.bits; }
  constexpr TypeTraits& operator|=(TypeTraits other) {
    bits |= other.bits;
    return *this;
  }
  friend constexpr TypeTraits operator|(TypeTraits a, TypeTraits b) { return a |= b; }
  friend constexpr bool operator==(TypeTraits, TypeTraits) = default;
};
constexpr TypeTraits operator|(TypeTrait a, TypeTrait b) { return TypeTraits(a) | TypeTraits(b); }

/// One type. What a kind does not have is 0 or none.
struct VIREO_API TypeRow {
  static constexpr std::uint64_t unknown_bits = ~std::uint64_t{0};

  Word id = 0;
  InstructionIndex declaration;
  TypeKind kind = TypeKind::None;
  bool is_signed = false;  ///< of Int: the signedness as declared
  Op opcode = Op::OpNop;
  std::uint32_t width = 0;                               ///< of Int and Float: bits, as declared
  std::uint32_t encoding = no_encoding;                  ///< of Float: FPEncoding
  StorageClass storage = StorageClass::UniformConstant;  ///< of pointers and buffers
  /// The id of what it is made of: component, column, element, pointee, return type, image of a sampled image, sampled
  /// type of an image. May be one that is declared later, or never.
  Word element = 0;
  TypeIndex element_row;  ///< none when `element` was not declared before
  TypeIndex
      without_arrays;   ///< what is under all arrays, or under those that were declared in order; itself if no array
  TypeIndex component;  ///< the scalar of vectors and matrices of all sorts; of a scalar itself
  /// Components of a vector, columns of a matrix, members of a structure, parameters of a function, elements of an
  /// array. 0 when `length` is not the id of a constant that is written down as such.
  std::uint64_t count = 0;
  Word length = 0;  ///< id of the constant that says how many, of arrays and long vectors; constants.h knows its value
  TypeIndex twin;   ///< the first type that was declared in the very same words, the result id apart; itself if none
  TypeClass class_;
  TypeTraits contains;  ///< of what a value of the type holds: through vectors, matrices, arrays and structures
  TypeTraits mentions;  ///< and through images, pointers and functions; not through pointers declared ahead
  /// Of all components together, without padding. Unknown for booleans, opaque types, logical pointers, arrays whose length
  /// is not written down, and what is made of these.
  std::uint64_t bits = unknown_bits;

  static constexpr std::uint32_t no_encoding = 0xFFFFFFFF;

  // The classes of specification 2.2.2.
  [[nodiscard]] constexpr bool is(TypeKind k) const { return kind == k; }
  [[nodiscard]] constexpr bool is_int(std::uint32_t bits_wide) const { return is(TypeKind::Int) && width == bits_wide; }
  [[nodiscard]] constexpr bool is_numerical() const { return is(TypeKind::Int) || is(TypeKind::Float); }
  [[nodiscard]] constexpr bool is_scalar() const { return is_numerical() || is(TypeKind::Bool); }
  [[nodiscard]] constexpr bool is_vector() const { return is(TypeKind::Vector) || is(TypeKind::LongVector); }
  [[nodiscard]] constexpr bool is_cooperative_matrix() const {
    return is(TypeKind::CooperativeMatrix) || is(TypeKind::CooperativeMatrixNV);
  }
  [[nodiscard]] constexpr bool is_array() const {
    return is(TypeKind::Array) || is(TypeKind::RuntimeArray) || is(TypeKind::NodePayloadArray);
  }
  [[nodiscard]] constexpr bool is_aggregate() const { return is_array() || is(TypeKind::Struct); }
  [[nodiscard]] constexpr bool is_composite() const {
    return is_aggregate() || is_vector() || is(TypeKind::Matrix) || is_cooperative_matrix();
  }
  [[nodiscard]] constexpr bool is_pointer() const { return is(TypeKind::Pointer) || is(TypeKind::UntypedPointer); }
  [[nodiscard]] constexpr bool is_opaque() const {
    return (kind >= TypeKind::Image && kind <= TypeKind::TensorView) || is(TypeKind::Buffer);
  }
  /// Whether there are values of it: all types have them but void and functions.
  [[nodiscard]] constexpr bool has_values() const {
    return !is(TypeKind::None) && !is(TypeKind::Void) && !is(TypeKind::Function);
  }
  [[nodiscard]] constexpr bool knows_bits() const { return bits != unknown_bits; }
};

/// The operands of OpTypeImage. What the instruction lacks is 0; other numbers are as they stand, known or not.
struct VIREO_API ImageShape {
  Word sampled_type = 0;
  Dim dim = Dim::Dim1D;
  Word depth = 0;         ///< 0 no, 1 yes, 2 unknown
  Word arrayed = 0;       ///< 0 or 1
  Word multisampled = 0;  ///< 0 or 1
  Word sampled = 0;       ///< 0 at run time, 1 with a sampler, 2 without
  ImageFormat format = ImageFormat::Unknown;
  std::optional<AccessQualifier> access;
};

/// A type as numbers see it: a scalar, a vector of them, or a matrix.
struct VIREO_API Shape {
  TypeKind scalar = TypeKind::None;  ///< Bool, Int or Float; None: the type is none of these
  std::uint32_t width = 0;           ///< bits of the scalar; 0 for Bool
  std::uint64_t rows = 0;            ///< components of a vector, or of each column; 1 of a scalar
  std::uint64_t columns = 0;         ///< 1 unless a matrix
  friend constexpr bool operator==(Shape, Shape) = default;
};

/// The types of a module.
class VIREO_API Types {
 public:
  /// Reads all types of a module, which must outlive the result and stay in its place. Linear in the words of type
  /// declarations.
  static Types read(const Module& module);
  static Types read(const Module&& temporary) = delete;

  /// In the order of declaration.
  [[nodiscard]] std::span<const TypeRow> rows() const { return rows_; }
  [[nodiscard]] const TypeRow& row(TypeIndex i) const { return i.is_none() ? nothing() : rows_[i.index()]; }
  [[nodiscard]] TypeIndex index_of(Word id) const { return by_id_.get(id); }
  /// The type with an id; nullptr when the id is none.
  [[nodiscard]] const TypeRow* find(Word id) const {
    const TypeIndex i = index_of(id);
    return i.is_none() ? nullptr : &rows_[i.index()];
  }
  /// The same, with a row of kind None instead of nullptr.
  [[nodiscard]] const TypeRow& of(Word id) const { return row(index_of(id)); }

  // --- parts ---
  /// The ids of a structure's members, of a function's parameters. Borrowed from the module's words, or from these types
  /// where OpTypeStructContinuedINTEL goes on with a list.
  [[nodiscard]] Words members(const TypeRow& type) const;
  /// The type of a part; 0 when there is no such part. Where the length of a vector, matrix or array is known, the
  /// index has to be below it.
  [[nodiscard]] Word member_type(const TypeRow& type, std::uint64_t index) const;
  /// The type that a path of literal indexes leads to (OpCompositeExtract); 0 when it leads nowhere.
  [[nodiscard]] Word member_type(Word type, Words path) const;
  [[nodiscard]] ImageShape image(const TypeRow& type) const;
  /// The format of a scalar float's values; none for other types and for unknown formats.
  [[nodiscard]] static std::optional<FloatFormat> float_format(const TypeRow& type);
  [[nodiscard]] Shape shape(const TypeRow& type) const;

  // --- comparing ---
  /// Whether two types are built alike all the way down. Lengths are compared by value where they are plain constants,
  /// else by id; pointers declared ahead by id. (Two structures that are alike are nevertheless two types.)
  [[nodiscard]] bool are_alike(Word a, Word b) const {
    const TypeRow *left = find(a), *right = find(b);
    return left != nullptr && right != nullptr && left->class_ == right->class_;
  }

  /// The storage class that OpTypeForwardPointer gives an id; nothing for ids that it does not name. Logarithmic.
  [[nodiscard]] std::optional<StorageClass> forward_pointer(Word id) const;
  [[nodiscard]] bool has_forward_pointers() const { return !forward_.empty(); }

  /// Bytes that are held.
  [[nodiscard]] std::size_t memory() const;

 private:
  friend class TypeReader;
  explicit Types(const Module& module) : module_(&module), by_id_(module) {}
  static const TypeRow& nothing();

  struct ForwardRow {
    Word id;
    StorageClass storage;
  };
  struct LongList {  // members that continuation instructions go on with
    TypeIndex type;
    std::uint32_t first, count;  // in long_lists_
  };

  const Module* module_;
  std::vector<TypeRow> rows_;
  DeclarationTable<TypeIndex> by_id_;
  std::vector<ForwardRow> forward_;  // ascending by id
  std::vector<LongList> continued_;  // ascending by type
  std::vector<Word> long_lists_;
};

}  // namespace vireo::spirv

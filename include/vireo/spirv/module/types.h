// SPDX-License-Identifier: Apache-2.0
//
// Types: the structure of each type of a module.
//
// A type is declared before it is used. So one pass in the order of declaration can compute a summary of
// each type: its number of bits, the kinds of types that it contains, its structural class. Queries read one row, and
// no function is recursive, so types may be nested to any depth.
//
//   const Types types = Types::read(module);
//   if (const TypeRow* type = types.find(module.type_of(value)); type != nullptr && type->is_vector())
//     … type->component().width …
//
// Accepts invalid modules. If a part of a type is not declared before it, the type contains TypeTrait::Unknown. If an
// instruction is too short, its missing operands are zero. Every OpType instruction in the module's grammar has a row;
// its kind is Other if this header does not define one for it.
//
// Source: specification 3.42.6, "Type-Declaration Instructions", 2.2.2 (scalar, vector, composite, aggregate, …).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/module/declaration_table.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/id.h"
#include "vireo/support/number.h"

namespace vireo::spirv {

using TypeIndex = Id<struct TypeTag, std::uint32_t>;       ///< index into Types::rows()
using TypeClass = Id<struct TypeClassTag, std::uint32_t>;  ///< equal for structurally equal types

/// The kind of a type, by the instruction that declares it.
enum class TypeKind : std::uint8_t {
  None,  ///< not a type: the row that row() and of() return if there is no type
  Void,
  Bool,
  Int,
  Float,
  Vector,
  LongVector,  ///< OpTypeVectorIdEXT, alias OpTypeCooperativeVectorNV: the number of components is a constant's id
  Matrix,
  CooperativeMatrix,    ///< OpTypeCooperativeMatrixKHR
  CooperativeMatrixNV,  ///< OpTypeCooperativeMatrixNV, which has no Use operand
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

/// The kinds of types that a type contains: bits of TypeRow::contains and TypeRow::mentions. A scalar contains itself.
enum class TypeTrait : std::uint32_t {
  Bool = 1u << 0,
  Int8 = 1u << 1,
  Int16 = 1u << 2,
  Int32 = 1u << 3,
  Int64 = 1u << 4,
  IntOther = 1u << 5,  ///< an integer of any other width
  Float16 = 1u << 6,   ///< Float16, Float32 and Float64: without an encoding, in IEEE 754 format
  Float32 = 1u << 7,
  Float64 = 1u << 8,
  BFloat16 = 1u << 9,
  Float8 = 1u << 10,      ///< a float with an encoding of eight bits or fewer
  FloatOther = 1u << 11,  ///< a float with an unknown format
  Vector = 1u << 12,      ///< including long vectors
  Matrix = 1u << 13,
  CooperativeMatrix = 1u << 14,
  Array = 1u << 15,
  RuntimeArray = 1u << 16,
  Struct = 1u << 17,
  Pointer = 1u << 18,
  PhysicalPointer = 1u << 19,  ///< a pointer of storage class PhysicalStorageBuffer
  Image = 1u << 20,
  Opaque = 1u << 21,     ///< any opaque type (2.2.2): images, samplers, events, ray queries, …
  SpecSized = 1u << 22,  ///< an array whose length is a specialization constant, or depends on one
  Void = 1u << 23,
  Function = 1u << 24,
  Unknown = 1u << 25,      ///< a part that is not declared before the type, or a type of kind Other
  WithoutNull = 1u << 26,  ///< an opaque type of which OpConstantNull (3.42.7) is invalid: images, samplers, …
};

/// A set of TypeTrait.
struct VIREO_API TypeTraits {
  std::uint32_t bits = 0;

  constexpr TypeTraits() = default;
  // A trait converts to a set of one trait.
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

/// One type. Members that do not apply to its kind are 0 or none.
struct VIREO_API TypeRow {
  static constexpr std::uint64_t unknown_bits = ~std::uint64_t{0};

  Word id = 0;
  InstructionIndex declaration;
  TypeKind kind = TypeKind::None;
  bool is_signed = false;  ///< Int: as declared
  Op opcode = Op::OpNop;
  std::uint32_t width = 0;                               ///< Int and Float: bits, as declared
  std::uint32_t encoding = no_encoding;                  ///< Float: FPEncoding; no_encoding: IEEE 754
  StorageClass storage = StorageClass::UniformConstant;  ///< pointers and buffers
  /// The id of another type. Vectors: component; matrices: column; arrays: element; pointers: pointee; functions:
  /// return type; sampled images: image; images: sampled type. It may be declared later, or not at all.
  Word element = 0;
  TypeIndex element_row;    ///< the row of `element`; none if it is not declared before this type
  TypeIndex innermost_row;  ///< arrays: the innermost element type; other types: the type itself
  TypeIndex component_row;  ///< vectors and matrices of all kinds: the scalar type; scalars: the type itself
  TypeIndex pointee_row;    ///< the row of `element`, also if it is declared later
  /// The number of parts. Vectors: components; matrices: columns; structures: members; functions: parameters; arrays:
  /// elements. 0 if `length` is not the id of an OpConstant.
  std::uint64_t count = 0;
  Word length = 0;           ///< arrays and long vectors: id of the constant with the length; Constants has its value
  TypeIndex canonical_type;  ///< the first type with the same words except the result id
  TypeClass class_;
  TypeTraits contains;  ///< the type, its components, elements and members, and their contents
  TypeTraits mentions;  ///< also images, pointees, and types of functions; not the pointees of forward pointers
  /// The number of bits of all components, without padding. Unknown for booleans, opaque types, logical pointers,
  /// arrays whose length is not an OpConstant, and types that contain these.
  std::uint64_t bits = unknown_bits;

  static constexpr std::uint32_t no_encoding = 0xFFFFFFFF;

  // The types of parts: rows of the same Types, which must still exist. A row of kind None if there is no such part.
  [[nodiscard]] const TypeRow& component() const { return row(component_row); }
  [[nodiscard]] const TypeRow& element_type() const { return row(element_row); }
  [[nodiscard]] const TypeRow& innermost() const { return row(innermost_row); }
  [[nodiscard]] const TypeRow& pointee() const { return row(pointee_row); }

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
  /// Whether values can have this type: true for all types except void and functions.
  [[nodiscard]] constexpr bool has_values() const {
    return !is(TypeKind::None) && !is(TypeKind::Void) && !is(TypeKind::Function);
  }
  [[nodiscard]] constexpr bool has_known_size() const { return bits != unknown_bits; }

 private:
  friend class Types;
  friend class TypeReader;
  static const TypeRow& none();
  [[nodiscard]] const TypeRow& row(TypeIndex i) const { return i.is_none() ? none() : rows_[i.index()]; }
  const TypeRow* rows_ = nullptr;  // all rows of the Types, which do not move with it
};

/// The operands of OpTypeImage, as in the instruction. Missing operands are 0. Values may be unknown to the grammar.
struct VIREO_API ImageShape {
  Word sampled_type = 0;
  Dim dim = Dim::Dim1D;
  Word depth = 0;         ///< 0: not a depth image; 1: a depth image; 2: not specified
  Word arrayed = 0;       ///< 0: not arrayed; 1: arrayed
  Word multisampled = 0;  ///< 0: single-sampled; 1: multisampled
  Word sampled = 0;       ///< 0: known at run time only; 1: used with a sampler; 2: used without a sampler
  ImageFormat format = ImageFormat::Unknown;
  std::optional<AccessQualifier> access;
};

/// The shape of a numerical type: a scalar, a vector, or a matrix.
struct VIREO_API Shape {
  TypeKind scalar = TypeKind::None;  ///< Bool, Int or Float; None: not a scalar, vector or matrix
  std::uint32_t width = 0;           ///< bits of the scalar; 0 for Bool
  std::uint64_t rows = 0;            ///< components of a vector, or of each column; 1 for a scalar
  std::uint64_t columns = 0;         ///< 1 unless the type is a matrix
  friend constexpr bool operator==(Shape, Shape) = default;
};

/// The types of a module. Spans and pointers are valid as long as this object; some refer to the module's words.
class VIREO_API Types {
 public:
  /// Reads all types of a module, which must outlive the result and must not move. Linear in the words of the type
  /// declarations.
  static Types read(const Module& module);
  static Types read(const Module&& temporary) = delete;
  /// Rows refer to each other, so a copy would refer to the original.
  Types(const Types&) = delete;
  Types& operator=(const Types&) = delete;
  Types(Types&&) = default;
  Types& operator=(Types&&) = default;
  ~Types() = default;

  /// All types, in the order of declaration.
  [[nodiscard]] std::span<const TypeRow> rows() const;
  [[nodiscard]] const TypeRow& row(TypeIndex i) const { return i.is_none() ? TypeRow::none() : rows_[i.index()]; }
  [[nodiscard]] TypeIndex index_of(Word id) const { return by_id_.get(id); }
  /// The type with this id; nullptr if the id is not a type.
  [[nodiscard]] const TypeRow* find(Word id) const {
    const TypeIndex i = index_of(id);
    return i.is_none() ? nullptr : &rows_[i.index()];
  }
  /// The type with this id; a row of kind None if the id is not a type.
  [[nodiscard]] const TypeRow& of(Word id) const { return row(index_of(id)); }

  // --- parts ---
  /// The ids of the member types of a structure, or of the parameter types of a function; empty for other types.
  /// Borrowed from the module's words or, if OpTypeStructContinuedINTEL continues the list, from this object.
  [[nodiscard]] Words members(const TypeRow& type) const;
  /// The id of the type of a member, component, column or element, by its index from 0. Returns 0 if there is no such
  /// part. If a length is unknown, every index is accepted.
  [[nodiscard]] Word member_type(const TypeRow& type, std::uint64_t index) const;
  /// The id of the type at a path of literal indexes, as in OpCompositeExtract; 0 if the path is invalid.
  [[nodiscard]] Word member_type(Word type, Words path) const;
  [[nodiscard]] ImageShape image(const TypeRow& type) const;
  /// The format of a scalar float type; none for other types and for unknown formats.
  [[nodiscard]] static std::optional<FloatFormat> float_format(const TypeRow& type);
  [[nodiscard]] Shape shape(const TypeRow& type) const;

  // --- comparing ---
  /// Whether two ids are structurally equal types. Lengths are compared by value if they are OpConstants, otherwise by
  /// id; forward pointers are compared by id. (Two structurally equal structures are nevertheless distinct types.)
  [[nodiscard]] bool are_alike(Word a, Word b) const {
    const TypeRow *left = find(a), *right = find(b);
    return left != nullptr && right != nullptr && left->class_ == right->class_;
  }

  /// The storage class in the OpTypeForwardPointer of an id; none if the id has no OpTypeForwardPointer. Logarithmic.
  [[nodiscard]] std::optional<StorageClass> forward_pointer(Word id) const;
  [[nodiscard]] bool has_forward_pointers() const { return !forward_.empty(); }

  /// Allocated bytes.
  [[nodiscard]] std::size_t memory() const;

 private:
  friend class TypeReader;
  explicit Types(const Module& module) : module_(&module), by_id_(module) {}

  struct ForwardRow {
    Word id;
    StorageClass storage;
  };
  struct LongList {  // a list of members that continuation instructions extend
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

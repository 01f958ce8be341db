// SPDX-License-Identifier: Apache-2.0
//
// The format of typing rows, and its parser.
//
// Most type requirements have one form. The result has this shape, the operands have those shapes, and
// they agree in type, component count or width. Each instruction needs one line of text, which is parsed at compile
// time. An error in a row is a compile error.
//
//   {{Op::OpIAdd, Op::OpISub}, "I*|cmI|cvI <- I*|cmI|cvI~n~w..."}
//
// means: the result is an integer scalar or vector, or a cooperative matrix or vector of integers. Each operand has one
// of the same shapes, with as many components as the result, and components of the same width.
//
//   scalars   B bool · I int · U unsigned int · D signed int · F float of IEEE 754 · X any float · N int or any float
//             followed by a number of bits: F32
//   forms     none: scalar · * scalar or vector · v vector · v3 vector of three · prefix cm: cooperative matrix,
//             prefix ck: one of the KHR extension, prefix cv: long (cooperative) vector · M matrix · ptr typed pointer ·
//             uptr untyped pointer · S struct · V any type except void
//             suffixes: M4x3 columns and rows of 32-bit floats · F32v3[2] array of two
//             With LongVectorEXT, * and v also match long vectors: SPV_EXT_long_vector adds them to all instructions
//             that do not restrict the number of components. With CooperativeVectorNV alone, only cv matches them.
//   names     void · accel · barrier · query · payload …: named types and pointers (named_shapes)
//   _         not checked here: literals, and operands that a check function handles
//   |         or
//   =T =1     of the result type, of the type of operand 1 (operands count from 1, after the result)
//   @T @1     of the component type of the result, of operand 1
//   ~n ~w ~c  as many components, components as wide, the same component type as the result; ~n1: as operand 1
//   !w !c     components not as wide as, not of the component type of, the result
//   ~h        components half as wide as those of the result
//   >T >i     a pointer to the result type; to 32-bit integers, as many as the result has components; both also hold
//             for untyped pointers, which have no pointee
//   #         prefix: a constant
//   $ &       prefix: a variable; a variable, a part of one, or a function parameter
//   ...       suffix: applies to all operands that follow
//
// Optional operands that an instruction omits are not checked; the grammar checks the number of operands. Source: the
// descriptions of the instructions in section 3 of the specification.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <span>
#include <string_view>

#include "vireo/spirv/grammar/enums.h"

namespace vireo::spirv {

struct ModuleCheck;
struct TypeRow;

/// Bits of TypeShape::scalars.
enum ScalarBits : std::uint8_t {
  BoolBit = 1,
  IntBit = 2,
  UnsignedBit = 4,
  FloatBit = 8,
  OddFloatBit = 16,
  SignedBit = 32,
};
/// Bits of TypeShape::forms.
enum FormBits : std::uint8_t {
  ScalarForm = 1,
  VectorForm = 2,
  MatrixForm = 4,
  CooperativeForm = 8,
  LongVectorForm = 16,
  PointerForm = 32,
  UntypedForm = 64,
  OtherForm = 128,  ///< `width` selects: 0 any value, 1 structure, first_named and above: named_shapes
};
/// Combined with another form: an array of that form.
inline constexpr std::uint8_t array_form = OtherForm;

/// A type that rows refer to by name.
struct NamedShape {
  std::string_view spelling, text;
  Op declared_by = Op::OpNop;  ///< opcode of the type, or of the pointee; OpNop: any pointee
  bool is_pointer = false;
  StorageClass storage = StorageClass::UniformConstant;  ///< for pointers to any type; either class matches
  StorageClass other_storage = storage;
};
inline constexpr NamedShape named_shapes[] = {
    {"void", "void", Op::OpTypeVoid},
    {"accel", "an acceleration structure", Op::OpTypeAccelerationStructureKHR},
    {"barrier", "a named barrier", Op::OpTypeNamedBarrier},
    {"query", "a pointer to a ray query", Op::OpTypeRayQueryKHR, true},
    {"hitnv", "a pointer to a hit object (OpTypeHitObjectNV)", Op::OpTypeHitObjectNV, true},
    {"hitext", "a pointer to a hit object (OpTypeHitObjectEXT)", Op::OpTypeHitObjectEXT, true},
    {"payload", "a pointer with storage class RayPayloadKHR or IncomingRayPayloadKHR", Op::OpNop, true,
     StorageClass::RayPayloadKHR, StorageClass::IncomingRayPayloadKHR},
    {"callable", "a pointer with storage class CallableDataKHR or IncomingCallableDataKHR", Op::OpNop, true,
     StorageClass::CallableDataKHR, StorageClass::IncomingCallableDataKHR},
    {"task", "a pointer with storage class TaskPayloadWorkgroupEXT", Op::OpNop, true,
     StorageClass::TaskPayloadWorkgroupEXT},
    {"attrnv", "a pointer with storage class HitObjectAttributeNV", Op::OpNop, true,
     StorageClass::HitObjectAttributeNV},
    {"attrext", "a pointer with storage class HitObjectAttributeEXT", Op::OpNop, true,
     StorageClass::HitObjectAttributeEXT},
    {"image", "an image", Op::OpTypeImage},
    {"global", "a pointer with storage class CrossWorkgroup", Op::OpNop, true, StorageClass::CrossWorkgroup},
    {"local", "a pointer with storage class Function", Op::OpNop, true, StorageClass::Function},
};
/// TypeShape::width of the first named shape.
inline constexpr std::uint8_t first_named = 16;

/// One alternative of a type requirement.
struct TypeShape {
  std::uint8_t scalars = 0;
  std::uint8_t forms = 0;
  std::uint8_t width = 0;  ///< bits; 0: any
  /// Number of components; 0: any. Matrices and arrays add part_base times the number of columns or elements. For a
  /// cooperative matrix: 0, or only_khr if the older NV extension does not list the instruction.
  std::uint8_t count = 0;

  static constexpr std::uint8_t part_base = 16, only_khr = 1;
  [[nodiscard]] constexpr std::uint8_t parts() const { return count / part_base; }
  [[nodiscard]] constexpr std::uint8_t components() const { return count % part_base; }
};

/// A relation between the type of an operand and another type of the instruction.
struct Relation {
  enum class Kind : std::uint8_t {
    None,
    Same,
    IsComponent,
    Count,
    Width,
    Component,
    OtherWidth,
    HalfWidth,
    OtherComponent,
    PointsTo,
    PointsToIntegers,
  };
  Kind kind = Kind::None;
  std::uint8_t operand = 0;  ///< from 1; 0: the result
};

/// The requirements on the result or on an operand. The struct is small, because each row has space for the maximum
/// number of operands.
struct TypeRequirement {
  static constexpr std::size_t most_shapes = 4, most_relations = 2;
  std::array<TypeShape, most_shapes> shapes{};
  std::array<Relation, most_relations> relations{};
  std::uint8_t shape_count : 3 = 0;
  std::uint8_t relation_count : 2 = 0;
  bool is_checked : 1 = false;  ///< false: `_`
  bool is_constant : 1 = false;
  bool is_variable : 1 = false;   ///< the result of a variable declaration
  bool may_be_given : 1 = false;  ///< or a part of a variable, or a function parameter
};

/// A typing row without its opcodes.
struct TypingPattern {
  static constexpr std::size_t most_operands = 15;
  std::array<TypeRequirement, most_operands> operands{};
  TypeRequirement result;
  std::uint8_t operand_count = 0;
  bool last_repeats = false;

  /// Parses a row. Invalid text does not compile, because a throw is not a constant expression.
  consteval explicit TypingPattern(std::string_view text) {
    const std::size_t arrow = text.find("<-");
    if (arrow == std::string_view::npos) throw "a row has an arrow";
    std::string_view left = text.substr(0, arrow), right = text.substr(arrow + 2);
    if (const std::string_view token = next(left); !token.empty()) result = requirement(token);
    while (true) {
      std::string_view token = next(right);
      if (token.empty()) break;
      if (last_repeats) throw "nothing follows what repeats";
      if (token.ends_with("...")) {
        last_repeats = true;
        token.remove_suffix(3);
      }
      operands[operand_count++] = requirement(token);
    }
  }

 private:
  static consteval std::string_view next(std::string_view& text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    std::size_t end = 0;
    while (end < text.size() && text[end] != ' ') ++end;
    const std::string_view token = text.substr(0, end);
    text.remove_prefix(end);
    return token;
  }

  static consteval bool take(std::string_view& text, std::string_view word) {
    if (!text.starts_with(word)) return false;
    text.remove_prefix(word.size());
    return true;
  }

  static consteval std::uint8_t number(std::string_view& text) {
    unsigned value = 0;
    while (!text.empty() && text.front() >= '0' && text.front() <= '9') {
      value = value * 10 + static_cast<unsigned>(text.front() - '0');
      text.remove_prefix(1);
    }
    if (value > 255) throw "a number of a row fits a byte";
    return static_cast<std::uint8_t>(value);
  }

  static consteval TypeShape shape(std::string_view& text) {
    if (take(text, "ptr")) return {0, PointerForm, 0, 0};
    if (take(text, "uptr")) return {0, UntypedForm, 0, 0};
    if (take(text, "M")) return matrix(text);
    std::uint8_t named = first_named;
    for (const NamedShape& shape : named_shapes) {
      if (take(text, shape.spelling)) return {0, OtherForm, named, 0};
      ++named;
    }
    if (take(text, "S")) return {0, OtherForm, 1, 0};
    if (take(text, "V")) return {0, OtherForm, 0, 0};
    TypeShape shape;
    if (take(text, "cm")) shape.forms = CooperativeForm;
    if (take(text, "ck")) {
      shape.forms = CooperativeForm;
      shape.count = TypeShape::only_khr;
    }
    if (take(text, "cv")) shape.forms = LongVectorForm;
    if (text.empty()) throw "a shape ends too early";
    switch (text.front()) {
      case 'B': shape.scalars = BoolBit; break;
      case 'I': shape.scalars = IntBit; break;
      case 'U': shape.scalars = UnsignedBit; break;
      case 'D': shape.scalars = SignedBit; break;
      case 'F': shape.scalars = FloatBit; break;
      case 'X': shape.scalars = FloatBit | OddFloatBit; break;
      case 'N': shape.scalars = IntBit | FloatBit | OddFloatBit; break;
      default: throw "no letter of a scalar";
    }
    text.remove_prefix(1);
    shape.width = number(text);
    if (shape.forms != 0) return shape;
    if (take(text, "*")) {
      shape.forms = ScalarForm | VectorForm;
    } else if (take(text, "v")) {
      shape.forms = VectorForm;
      shape.count = number(text);
    } else {
      shape.forms = ScalarForm;
    }
    if (take(text, "[")) {
      shape.forms |= array_form;
      shape.count = static_cast<std::uint8_t>(shape.count + TypeShape::part_base * number(text));
      if (!take(text, "]")) throw "an array ends with a bracket";
    }
    return shape;
  }

  // "M", "M4x3": columns, then rows. An omitted size matches any matrix.
  static consteval TypeShape matrix(std::string_view& text) {
    const std::uint8_t columns = number(text);
    if (columns == 0) return {FloatBit, MatrixForm, 0, 0};
    if (!take(text, "x")) throw "a matrix has columns and rows";
    return {FloatBit, MatrixForm, 32, static_cast<std::uint8_t>(TypeShape::part_base * columns + number(text))};
  }

  static consteval Relation relation(std::string_view& text) {
    using enum Relation::Kind;
    struct Spelling {
      std::string_view text;
      Relation::Kind kind;
    };
    for (const Spelling& s :
         {Spelling{"=", Same}, Spelling{"@", IsComponent}, Spelling{"~n", Count}, Spelling{"~w", Width},
          Spelling{"~c", Component}, Spelling{"~h", HalfWidth}, Spelling{"!w", OtherWidth},
          Spelling{"!c", OtherComponent}, Spelling{">i", PointsToIntegers}, Spelling{">", PointsTo}}) {
      if (!take(text, s.text)) continue;
      if (s.kind == PointsToIntegers) return {s.kind, 0};
      if (take(text, "T")) return {s.kind, 0};
      return {s.kind, number(text)};
    }
    throw "no relation";
  }

  static consteval TypeRequirement requirement(std::string_view text) {
    TypeRequirement requirement;
    if (text == "_") return requirement;
    requirement.is_checked = true;
    requirement.is_constant = take(text, "#");
    requirement.may_be_given = take(text, "&");
    requirement.is_variable = requirement.may_be_given || take(text, "$");
    constexpr std::string_view relations = "=@~!>";
    while (!text.empty() && relations.find(text.front()) == std::string_view::npos) {
      requirement.shapes[requirement.shape_count++] = shape(text);
      take(text, "|");
    }
    while (!text.empty()) requirement.relations[requirement.relation_count++] = relation(text);
    return requirement;
  }
};

struct TypingRow {
  static constexpr std::size_t most_opcodes = 16;
  std::array<Op, most_opcodes> opcodes{};
  std::uint8_t opcode_count = 0;
  TypingPattern pattern;

  consteval TypingRow(std::initializer_list<Op> ops, std::string_view text) : pattern(text) {
    for (const Op op : ops) opcodes[opcode_count++] = op;
  }
};

/// A typing row for some extended instructions of one set.
struct ExtTypingRow {
  std::string_view set;
  std::string_view names;  ///< separated by blanks
  TypingPattern pattern;

  consteval ExtTypingRow(std::string_view the_set, std::string_view the_names, std::string_view text)
      : set(the_set), names(the_names), pattern(text) {}
};

/// All typing rows (typing_rows.cpp). Each opcode is in at most one row.
std::span<const TypingRow> typing_rows();
/// The typing row of an opcode; nullptr if it has none.
const TypingPattern* find_typing(Op op);

/// All rows of extended instructions (ext_typing_rows.cpp). The rows of a set are adjacent.
std::span<const ExtTypingRow> ext_typing_rows();

/// The relation ~n between two types.
bool have_same_count(const ModuleCheck& c, const TypeRow& a, const TypeRow& b);

}  // namespace vireo::spirv

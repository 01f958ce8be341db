// SPDX-License-Identifier: Apache-2.0
//
// Parameter types of the builder's methods: typed ids, lists, numbers, and operands whose kind depends on other
// operands.
//
// An operand of a wrong kind does not compile. Types, values, labels, functions and other classes of
// result ids each have an id type. These types convert only to AnyId, the type of operands that may be any id (OpName,
// OpDecorate). All types here are small and passed by value; lists are views of the caller's memory.
//
// Source: specification 2.2.1 (ids, literals) and the operand kinds of section 3.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "vireo/spirv/word.h"
#include "vireo/support/api.h"

namespace vireo::spirv {

/// The class of a result id.
enum class IdKind : std::uint8_t {
  Any,       ///< none of the classes below, such as the alias scopes of an extension
  Type,      ///< the result of OpType…
  Value,     ///< a result with a type: constants, variables, results of computations
  Label,     ///< the result of OpLabel
  Function,  ///< the result of OpFunction
  Set,       ///< the result of OpExtInstImport
  String,    ///< the result of OpString
  Group,     ///< the result of OpDecorationGroup
};

/// The result id of any instruction. A default-constructed id is 0, which is not valid; a Builder or Edit reports its
/// use.
struct VIREO_API AnyId {
  Word word = 0;

  constexpr AnyId() = default;
  constexpr explicit AnyId(Word id) : word(id) {}
  friend constexpr bool operator==(AnyId, AnyId) = default;

  static constexpr IdKind kind = IdKind::Any;
};

/// A result id of one class. A Builder or Edit returns such ids; use the explicit constructors for ids from words.
template <IdKind the_kind>
struct IdOf : AnyId {
  constexpr IdOf() = default;
  constexpr explicit IdOf(Word id) : AnyId(id) {}
  constexpr explicit IdOf(AnyId id) : AnyId(id) {}

  static constexpr IdKind kind = the_kind;
};
using TypeId = IdOf<IdKind::Type>;
using ValueId = IdOf<IdKind::Value>;
using LabelId = IdOf<IdKind::Label>;
using FunctionId = IdOf<IdKind::Function>;
using SetId = IdOf<IdKind::Set>;
using StringId = IdOf<IdKind::String>;
using GroupId = IdOf<IdKind::Group>;

/// The parameter type of operands that occur any number of times (`*`): a view of contiguous values. Converts from a
/// braced list, a vector, an array or a span. Borrows the values, so use it only as a parameter.
template <typename T>
class List {
 public:
  constexpr List() = default;
  constexpr List(std::initializer_list<T> values) : size_(values.size()) {  // NOLINT(google-explicit-constructor)
    data_ = values.begin();
  }
  template <std::size_t count>
  constexpr List(const T (&values)[count]) : data_(values), size_(count) {}  // NOLINT(google-explicit-constructor)
  template <typename Range>
  requires requires(const Range& values, const T* data, std::size_t size) {
    data = values.data();
    size = values.size();
  }
  constexpr List(const Range& values)  // NOLINT(google-explicit-constructor)
      : data_(values.data()), size_(values.size()) {}

  [[nodiscard]] constexpr const T* begin() const { return data_; }
  [[nodiscard]] constexpr const T* end() const { return data_ + size_; }
  [[nodiscard]] constexpr std::size_t size() const { return size_; }

 private:
  const T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// A number for a literal whose type determines its words (OpConstant, cases of OpSwitch). Converts from every
/// arithmetic type except bool. The Builder or Edit checks that the number fits the type of the literal.
struct VIREO_API Number {
  enum class Class : std::uint8_t {
    Signed,    ///< `bits` as two's complement
    Unsigned,  ///< `bits`
    Real,      ///< `real`, to be rounded to the type
    Bits,      ///< `bits` are the bits of the literal, whatever its type
  };
  Class class_ = Class::Unsigned;
  std::uint64_t bits = 0;
  double real = 0;

  constexpr Number() = default;
  template <typename T>
  requires(std::integral<T> && !std::same_as<T, bool>) constexpr Number(T value)  // NOLINT(google-explicit-constructor)
      : class_(std::signed_integral<T> ? Class::Signed : Class::Unsigned), bits(static_cast<std::uint64_t>(value)) {}
  template <std::floating_point T>
  constexpr Number(T value)  // NOLINT(google-explicit-constructor)
      : class_(Class::Real), real(static_cast<double>(value)) {}

  /// A literal with these bits: for NaNs, and for float formats without a C++ type. Bits above the type's width must
  /// be 0.
  [[nodiscard]] static constexpr Number of_bits(std::uint64_t bits) {
    Number number;
    number.class_ = Class::Bits;
    number.bits = bits;
    return number;
  }
};

/// An operand whose kind depends on another operand: an id, or a literal of one word. Extended instructions, opcodes
/// inside OpSpecConstantOp and enumerants have such operands. The Builder or Edit checks them by the grammar: their
/// number, their kinds, and the values of enumerants.
struct VIREO_API OpenOperand {
  Word word = 0;
  IdKind kind = IdKind::Any;
  bool is_literal = false;

  template <typename SomeId>
  requires std::derived_from<SomeId, AnyId>
  constexpr OpenOperand(SomeId id) : word(id.word), kind(SomeId::kind) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] static constexpr OpenOperand literal(Word value) {
    OpenOperand operand{AnyId{value}};
    operand.is_literal = true;
    return operand;
  }
};

/// An enumerant of an enumeration and its parameters: the base class of types in enumerants_with.h.
template <typename Enum>
struct EnumerantWith {
  Enum value{};
  std::vector<OpenOperand> parameters;
};

// The operand pairs of OpPhi, OpSwitch and OpGroupMemberDecorate.

/// One incoming value of OpPhi, and its predecessor block.
struct VIREO_API PhiSource {
  ValueId value;
  LabelId parent;
};
/// One case of OpSwitch: a literal of the selector's type, and its target.
struct VIREO_API SwitchTarget {
  Number literal;
  LabelId target;
};
/// A member of a structure type, by its number from 0.
struct VIREO_API MemberTarget {
  TypeId type;
  Word member = 0;
};

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// OperandArgument: one operand argument of a builder call.
//
// About nine hundred inline methods with typed operands call one function that writes instructions. Each
// operand becomes a small record: its form, and its value or the address of its value. So a call of a method costs a
// few stores, and the methods add no code to the library.
//
// Users of the builder do not use this type directly: the arguments of a method convert to it implicitly.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "vireo/spirv/binary/operand_values.h"
#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"

namespace vireo::spirv {

/// A mask whose bits may take parameters (enumerants_with.h).
template <typename T>
concept MaskWithParameters = requires {
  T::bits_with_parameters;
};

/// One operand argument. Borrows its source, which must outlive it; the parameters of a method do.
class VIREO_API OperandArgument {
 public:
  /// The form of an operand determines the meaning of `word`, `data` and `size`. For lists, `data` points to `size`
  /// contiguous values.
  enum class Form : std::uint8_t {
    Absent,         ///< an omitted optional operand
    Literal,        ///< `word`: a number of one word, or an enumerant without parameters
    Id,             ///< `word`: an id of the kind `kind`
    SpecOpcode,     ///< `word`: the opcode within OpSpecConstantOp
    Text,           ///< `data`: `size` bytes
    Number,         ///< `data`: a Number; the result type determines its words
    Enumerant,      ///< `word`: the value; `data`: a std::vector<OpenOperand> with its parameters
    Mask,           ///< `word`: the bits without parameters; `visit` enumerates the others
    EmptyMask,      ///< a mask without bits
    Literals,       ///< values of type Word
    Ids,            ///< ids of the kind `kind`, one word each
    OpenOperands,   ///< values of type OpenOperand
    PhiSources,     ///< values of type PhiSource
    SwitchTargets,  ///< values of type SwitchTarget
    MemberTargets,  ///< values of type MemberTarget
  };
  /// Receives one parameter of the mask bit `bit`. `user` is the argument of VisitMask.
  using TakeParameter = void (*)(void* user, Word bit, OpenOperand parameter);
  /// Calls `take` for each parameter of the mask at `data`, from the lowest bit up. Returns the bits that must have
  /// parameters.
  using VisitMask = Word (*)(const void* data, TakeParameter take, void* user);

  const void* data = nullptr;
  union {
    std::size_t size = 0;
    VisitMask visit;
  };
  Word word = 0;
  Form form = Form::Absent;
  IdKind kind = IdKind::Any;

  // Callers pass operands of their own types, so all of these constructors convert implicitly.
  // NOLINTBEGIN(google-explicit-constructor)
  constexpr OperandArgument(Word literal) : word(literal), form(Form::Literal) {}
  constexpr OperandArgument(float literal) : OperandArgument(std::bit_cast<Word>(literal)) {}
  template <typename Enum>
  requires std::is_enum_v<Enum>
  constexpr OperandArgument(Enum value) : OperandArgument(static_cast<Word>(value)) {}
  constexpr OperandArgument(Op opcode) : word(static_cast<Word>(opcode)), form(Form::SpecOpcode) {}
  template <typename SomeId>
  requires std::derived_from<SomeId, AnyId>
  constexpr OperandArgument(SomeId id) : word(id.word), form(Form::Id), kind(SomeId::kind) {}
  OperandArgument(std::string_view text) : data(text.data()), size(text.size()), form(Form::Text) {}
  OperandArgument(const Number& number) : data(&number), size(1), form(Form::Number) {}

  /// A list of ids, of words, or of values of a type for which Form has an enumerator.
  template <typename T>
  OperandArgument(const List<T>& list) : data(list.begin()), size(list.size()), form(form_of_list<T>()) {
    if constexpr (std::derived_from<T, AnyId>) kind = T::kind;
  }
  template <typename T>
  OperandArgument(const std::optional<T>& operand) {
    if (operand) *this = OperandArgument(*operand);
  }
  template <typename Enum>
  OperandArgument(const EnumerantWith<Enum>& enumerant)
      : data(&enumerant.parameters), size(1), word(static_cast<Word>(enumerant.value)), form(Form::Enumerant) {}
  template <MaskWithParameters With>
  OperandArgument(const With& with) : data(&with), word(static_cast<Word>(with.mask)), form(Form::Mask) {
    bool is_empty = word == 0;
    with.for_each_parameter([&](Word, const auto&) { is_empty = false; });
    if (is_empty) form = Form::EmptyMask;
    else visit = &visit_mask<With>;
  }
  // NOLINTEND(google-explicit-constructor)

 private:
  template <typename T>
  static constexpr Form form_of_list() {
    if constexpr (std::same_as<T, OpenOperand>) return Form::OpenOperands;
    else if constexpr (std::same_as<T, PhiSource>) return Form::PhiSources;
    else if constexpr (std::same_as<T, SwitchTarget>) return Form::SwitchTargets;
    else if constexpr (std::same_as<T, MemberTarget>) return Form::MemberTargets;
    else {
      static_assert(sizeof(T) == sizeof(Word) && std::is_trivially_copyable_v<T>);
      return std::derived_from<T, AnyId> ? Form::Ids : Form::Literals;
    }
  }

  template <typename With>
  static Word visit_mask(const void* data, TakeParameter take, void* user) {
    static_cast<const With*>(data)->for_each_parameter([&](Word bit, const auto& parameter) {
      const auto pass_on = [&](const auto& one) {
        if constexpr (std::same_as<std::remove_cvref_t<decltype(one)>, Word>)
          take(user, bit, OpenOperand::literal(one));
        else take(user, bit, one);
      };
      // If a bit has several parameters, they are an array.
      if constexpr (requires { parameter.size(); }) {
        for (const auto& one : parameter) pass_on(one);
      } else {
        pass_on(parameter);
      }
    });
    return With::bits_with_parameters;
  }
};

/// Converts the parameters of an enumerant to operands that own their contents, for the functions of enumerants_with.h.
/// The parameters must be literals, ids or texts. A text becomes the words of a literal string. If a text contains a
/// NUL, the first operand marks it as invalid (a literal with the id kind String), and its use is reported.
[[nodiscard]] VIREO_API std::vector<OpenOperand> kept_parameters(std::initializer_list<OperandArgument> parameters);

/// Not defined: the compiler prints this name when it rejects an enumerant without its parameters.
void this_enumerant_takes_parameters();

}  // namespace vireo::spirv

// Defines the constructor that converts an enumerant without parameters to a type of enumerants_with.h. An enumerant
// that takes parameters does not compile; the user must write `DecorationWith::Location(0)`. For Clang, an attribute
// checks this, because clang 14 crashes on a consteval constructor of a class with a destructor. For other compilers
// the constructor is consteval.
#if defined(__clang__)
#define VIREO_ENUMERANT_WITHOUT_PARAMETERS(With, Enum)                                                     \
  _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wgcc-compat\"")                    \
      With(Enum plain) /* NOLINT(google-explicit-constructor) */                                           \
      __attribute__((diagnose_if(takes_parameters(plain),                                                  \
                                 "this enumerant takes parameters: write " #With "::NAME(...)", "error"))) \
      : EnumerantWith{plain, {}} {}                                                                        \
  _Pragma("clang diagnostic pop")
#else
#define VIREO_ENUMERANT_WITHOUT_PARAMETERS(With, Enum)              \
  consteval With(Enum plain) : EnumerantWith{plain, {}} {           \
    if (takes_parameters(plain)) this_enumerant_takes_parameters(); \
  }
#endif

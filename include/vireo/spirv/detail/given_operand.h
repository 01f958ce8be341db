// SPDX-License-Identifier: Apache-2.0
//
// GivenOperand: what a caller of the builder gives for one operand.
//
// The one idea: nine hundred methods with typed operands need one function to do their work. Each operand becomes a small
// record of what it is and where its value stands, in the caller's code; the list of them goes to the one function that
// writes instructions. So a method costs its callers a few stores, and the library nothing.
//
// Users of the builder never write this type: whatever a method takes becomes one by itself.
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

#include "vireo/spirv/enums.h"
#include "vireo/spirv/operand_values.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"

namespace vireo::spirv {

/// A mask whose bits may take parameters (enumerants_with.h).
template <typename T>
concept MaskWithParameters = requires {
  T::bits_with_parameters;
};

/// One operand in the words of its caller. It borrows: what it was made of must live as long as it, as it does where a
/// method makes it of its own parameters.
class VIREO_API GivenOperand {
 public:
  /// What `word`, `data` and `size` mean. Of lists, `data` are `size` values that lie side by side.
  enum class Form : std::uint8_t {
    Absent,         ///< an optional operand that was not given
    Literal,        ///< `word`: a number of one word, or an enumerant without parameters
    Id,             ///< `word`, of the kind `kind`
    SpecOpcode,     ///< `word`: the opcode within OpSpecConstantOp
    Text,           ///< `data`: `size` bytes
    Number,         ///< `data`: a Number, whose words the result type decides
    Enumerant,      ///< `word`, and `data`: a vector of OpenOperand, its parameters
    Mask,           ///< `word`: the bits without parameters; `visit` tells the others
    EmptyMask,      ///< of no bits at all
    Literals,       ///< words
    Ids,            ///< ids of the kind `kind`, each a word
    OpenOperands,   ///< of OpenOperand
    PhiSources,     ///< of PhiSource
    SwitchTargets,  ///< of SwitchTarget
    MemberTargets,  ///< of MemberTarget
  };
  /// Takes one parameter of a mask, which belongs to `bit`; `user` is the caller's own.
  using TakeParameter = void (*)(void* user, Word bit, OpenOperand parameter);
  /// Calls `take` for each parameter of the mask at `data`, from the lowest bit up. Gives the bits that must have one.
  using VisitMask = Word (*)(const void* data, TakeParameter take, void* user);

  const void* data = nullptr;
  union {
    std::size_t size = 0;
    VisitMask visit;
  };
  Word word = 0;
  Form form = Form::Absent;
  IdKind kind = IdKind::Any;

  // Operands are said in their own types, so all of these convert.
  // NOLINTBEGIN(google-explicit-constructor)
  constexpr GivenOperand(Word literal) : word(literal), form(Form::Literal) {}
  constexpr GivenOperand(float literal) : GivenOperand(std::bit_cast<Word>(literal)) {}
  template <typename Enum>
  requires std::is_enum_v<Enum>
  constexpr GivenOperand(Enum value) : GivenOperand(static_cast<Word>(value)) {}
  constexpr GivenOperand(Op opcode) : word(static_cast<Word>(opcode)), form(Form::SpecOpcode) {}
  template <typename SomeId>
  requires std::derived_from<SomeId, AnyId>
  constexpr GivenOperand(SomeId id) : word(id.word), form(Form::Id), kind(SomeId::kind) {}
  GivenOperand(std::string_view text) : data(text.data()), size(text.size()), form(Form::Text) {}
  GivenOperand(const Number& number) : data(&number), size(1), form(Form::Number) {}

  /// A list: its values have a form of their own, or are ids, or words.
  template <typename T>
  GivenOperand(const List<T>& list) : data(list.begin()), size(list.size()), form(form_of_list<T>()) {
    if constexpr (std::derived_from<T, AnyId>) kind = T::kind;
  }
  template <typename T>
  GivenOperand(const std::optional<T>& operand) {
    if (operand) *this = GivenOperand(*operand);
  }
  template <typename Enum>
  GivenOperand(const EnumerantWith<Enum>& enumerant)
      : data(&enumerant.parameters), size(1), word(static_cast<Word>(enumerant.value)), form(Form::Enumerant) {}
  template <MaskWithParameters With>
  GivenOperand(const With& with) : data(&with), word(static_cast<Word>(with.mask)), form(Form::Mask) {
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
      const auto tell = [&](const auto& one) {
        if constexpr (std::same_as<std::remove_cvref_t<decltype(one)>, Word>)
          take(user, bit, OpenOperand::literal(one));
        else take(user, bit, one);
      };
      // Several parameters of one bit come as an array.
      if constexpr (requires { parameter.size(); }) {
        for (const auto& one : parameter) tell(one);
      } else {
        tell(parameter);
      }
    });
    return With::bits_with_parameters;
  }
};

/// The parameters of an enumerant, kept: what the makers of enumerants_with.h put behind it. Of the operands only literals,
/// ids and texts can be among them; a text becomes the words of a literal string. One that holds a NUL
/// has a literal of the kind String in front, and is reported where it is used.
[[nodiscard]] VIREO_API std::vector<OpenOperand> kept_parameters(std::initializer_list<GivenOperand> parameters);

/// Declared only: the name says what is wrong where the compiler refuses an enumerant without its parameters.
void this_enumerant_takes_parameters();

}  // namespace vireo::spirv

// The constructor that makes a type of enumerants_with.h of an enumerant alone. An enumerant that takes parameters does
// not compile: `DecorationWith::Location(0)` is what to write. Clang's own attribute does this in all its versions (clang
// 14 crashes on a consteval constructor of a class with a destructor); for other compilers the constructor is consteval.
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

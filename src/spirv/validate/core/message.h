// SPDX-License-Identifier: Apache-2.0
//
// MessageArgument: what a check puts into the placeholders of a rule's message.
//
// A message is formatted only if its finding is kept, so an argument holds the value itself: a text, a number, an id, a
// type, an opcode or an enumerant. The name of the placeholder states how an id is shown: {id} by its name, {type} by
// the notation of the type, {type_id} by both.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "spirv/validate/rules/rules.h"
#include "vireo/spirv/binary/view.h"
#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/module/types.h"

namespace vireo::spirv {

struct ModuleCheck;

/// The operand kind of the grammar that corresponds to an enumeration of enums.h.
constexpr std::string_view kind_name(BuiltIn) { return "BuiltIn"; }
constexpr std::string_view kind_name(Capability) { return "Capability"; }
constexpr std::string_view kind_name(Decoration) { return "Decoration"; }
constexpr std::string_view kind_name(Dim) { return "Dim"; }
constexpr std::string_view kind_name(ExecutionMode) { return "ExecutionMode"; }
constexpr std::string_view kind_name(ExecutionModel) { return "ExecutionModel"; }
constexpr std::string_view kind_name(ImageFormat) { return "ImageFormat"; }
constexpr std::string_view kind_name(LoopControl) { return "LoopControl"; }
constexpr std::string_view kind_name(Scope) { return "Scope"; }
constexpr std::string_view kind_name(StorageClass) { return "StorageClass"; }

/// Valid as long as the text that it is constructed from.
class MessageArgument {
 public:
  // Checks list values: {c.op(), store.object()}.
  // NOLINTBEGIN(google-explicit-constructor)
  template <typename Text>
  requires std::convertible_to<const Text&, std::string_view> MessageArgument(const Text& text) : text_(text) {}
  /// A number, or the id of a value or type.
  template <typename Number>
  requires(std::convertible_to<Number, std::uint64_t> && !std::is_enum_v<Number> && !std::is_floating_point_v<Number>)
      MessageArgument(Number number)
      : kind_(std::is_signed_v<Number> ? Kind::Signed : Kind::Unsigned), number_(static_cast<std::uint64_t>(number)) {}
  MessageArgument(const TypeRow& type) : MessageArgument(type.id) {}
  MessageArgument(Op opcode) : kind_(Kind::Opcode), number_(static_cast<std::uint64_t>(opcode)) {}
  template <typename Enum>
  requires requires(Enum value) { kind_name(value); }
  MessageArgument(Enum value)
      : kind_(Kind::Enumerant), text_(kind_name(value)), number_(static_cast<std::uint64_t>(value)) {}
  // NOLINTEND(google-explicit-constructor)

  /// The text in a placeholder of this name.
  [[nodiscard]] std::string shown(const ModuleCheck& c, std::string_view placeholder) const;

 private:
  enum class Kind : std::uint8_t { Text, Signed, Unsigned, Opcode, Enumerant };
  Kind kind_ = Kind::Text;
  std::string_view text_;  // of an enumerant: its kind
  std::uint64_t number_ = 0;
};

using Arguments = std::initializer_list<MessageArgument>;

/// A sentence whose placeholders are filled from left to right. `{s}` becomes "s" unless the preceding text is 1. A
/// placeholder without a text (nullopt) ends it: the rest of the sentence remains as it is, where a test finds it.
std::string filled(std::string_view sentence,
                   const std::function<std::optional<std::string>(std::string_view placeholder)>& next_text);

/// The message, note or hint that a sentence gives with these arguments.
std::string message_of(const ModuleCheck& c, std::string_view sentence, Arguments arguments);

}  // namespace vireo::spirv

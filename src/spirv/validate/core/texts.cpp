// SPDX-License-Identifier: Apache-2.0
//
// Messages, and the texts of ids, types and opcodes in them.
//
// Messages show an id by the name that the module gives it, and a type by its notation
// (binary/type_notation.h): vec4, Uniform vec4*. Depth and length are bounded to keep messages short.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "spirv/binary/type_notation.h"
#include "spirv/validate/core/check.h"
#include "support/ascii.h"

namespace vireo::spirv {
namespace {

// The approximate maximum number of characters of a type in a message.
constexpr std::size_t longest_type = 120;

// Accepts names that are valid in the text form. Other ids are shown by number, so control characters in debug names do
// not reach a terminal.
bool is_name(std::string_view text) {
  constexpr std::size_t longest = 64;
  if (text.empty() || text.size() > longest) return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '.'; });
}

// Provides a module's types for the type notation, with the names that messages use.
class MessageTypeSource final : public TypeSource {
 public:
  explicit MessageTypeSource(const ModuleCheck& c) : c_(c) {}

  [[nodiscard]] InstructionView definition(Word id) const override { return c_.module.find(id); }
  [[nodiscard]] std::optional<std::uint64_t> length(Word constant) const override {
    return c_.constants.as_u64(constant);
  }
  [[nodiscard]] std::string id_text(Word id) const override { return spirv::id_text(c_, id); }

 private:
  const ModuleCheck& c_;
};

// "OpTypeRayQueryKHR" → "rayQueryKHR". For types whose notation is only their id, which the message already shows.
std::string name_of_kind(const ModuleCheck& c, const TypeRow& type) {
  std::string name = op_text(c, type.opcode);
  constexpr std::string_view prefix = "OpType";
  if (name.starts_with(prefix)) name.erase(0, prefix.size());
  if (!name.empty() && name[0] >= 'A' && name[0] <= 'Z') name[0] = static_cast<char>(name[0] - 'A' + 'a');
  return name;
}

// "vec4", "array<u32, 16>", "Uniform vec4*"; empty if the type has no notation except its id, such as a structure.
std::string notation_text(const ModuleCheck& c, const TypeRow& type) {
  std::string text;
  if (type.kind == TypeKind::Pointer) text = enumerant_text(c, type.storage) + ' ';
  if (type.kind == TypeKind::UntypedPointer) return enumerant_text(c, type.storage) + " untyped pointer";
  const std::size_t begin = text.size();
  append_type(text, MessageTypeSource(c), type.id, longest_type);
  return text.compare(begin, std::string::npos, id_text(c, type.id)) == 0 ? std::string() : text;
}

}  // namespace

std::string id_text(const ModuleCheck& c, Word id) {
  // Names in the assembly text take precedence over OpName.
  if (c.options.name_of_id) {
    if (std::string given = c.options.name_of_id(id); !given.empty()) return given;
  }
  const std::string_view name = c.facts.names().of(id);
  return is_name(name) ? fmt::format("%{}", name) : fmt::format("%{}", id);
}

std::string type_text(const ModuleCheck& c, Word type) {
  const TypeRow* row = c.types.find(type);
  if (row == nullptr) return id_text(c, type);
  const std::string notation = notation_text(c, *row);
  return fmt::format("{} ({})", id_text(c, type), notation.empty() ? name_of_kind(c, *row) : notation);
}

std::string type_name(const ModuleCheck& c, Word type) {
  const TypeRow* row = c.types.find(type);
  if (row == nullptr) return id_text(c, type);
  std::string notation = notation_text(c, *row);
  return notation.empty() ? fmt::format("{} {}", name_of_kind(c, *row), id_text(c, type)) : notation;
}

std::string type_name_beside(const ModuleCheck& c, Word type, Word other) {
  std::string name = type_name(c, type);
  return type != other && name == type_name(c, other) ? type_text(c, type) : name;
}

std::pair<std::string, std::string> type_names(const ModuleCheck& c, Word first, Word second) {
  return {type_name_beside(c, first, second), type_name_beside(c, second, first)};
}

std::string member_text(const ModuleCheck& c, Word structure, Word member) {
  const std::string_view name = c.facts.names().of(structure, member);
  const std::string shown = is_name(name) ? fmt::format(" ('{}')", name) : std::string();
  return fmt::format("member {}{} of {}", member, shown, id_text(c, structure));
}

std::string list_text(std::span<const std::string> items, std::string_view conjunction) {
  std::string list;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i != 0) list += i + 1 == items.size() ? fmt::format(" {} ", conjunction) : ", ";
    list += items[i];
  }
  return list;
}

std::string type_of_text(const ModuleCheck& c, Word value) {
  const Word type = c.module.type_of(value);
  return type == 0 ? "no type" : type_text(c, type);
}

std::string op_text(const ModuleCheck& c, Op op) {
  // An unknown opcode is shown as a number.
  const InstructionRow* row = c.grammar().find_opcode(op);
  return row == nullptr ? fmt::format("opcode {}", static_cast<unsigned>(op))
                        : std::string(c.grammar().text(row->name));
}

std::string_view InstructionCheck::name() const {
  const ExtInstRow* inst = decoded->ext_inst;
  return grammar().text(inst == nullptr ? grammar().find_opcode(opcode)->name : inst->name);
}

TypingRules rules_of_types(const InstructionCheck& c) {
  const Grammar& grammar = c.grammar();
  if (c.decoded->ext_inst != nullptr) {
    return typing_rules(grammar.text(grammar.sets[c.decoded->ext_inst_set.raw].name));
  }
  const InstructionRow* row = grammar.find_opcode(c.op());
  return typing_rules(row == nullptr ? std::string_view()
                                     : grammar.text(grammar.printing_classes[row->printing_class]));
}

std::string enumerant_text(const ModuleCheck& c, std::string_view kind, Word value) {
  const KindId id = c.grammar().find_kind(kind);
  const EnumerantRow* row = id.is_none() ? nullptr : c.grammar().find_value(id, value);
  return row == nullptr ? std::to_string(value) : std::string(c.grammar().text(row->name));
}

std::string MessageArgument::shown(const ModuleCheck& c, std::string_view placeholder) const {
  switch (kind_) {
    case Kind::Text: return std::string(text_);
    case Kind::Opcode: return op_text(c, static_cast<Op>(number_));
    case Kind::Enumerant: return enumerant_text(c, text_, static_cast<Word>(number_));
    case Kind::Signed: return std::to_string(static_cast<std::int64_t>(number_));
    case Kind::Unsigned: break;
  }
  const auto id = static_cast<Word>(number_);
  const auto is_a = [&](std::string_view kind) {  // "id", "other_id"
    return placeholder.ends_with(kind) &&
           (placeholder.size() == kind.size() || placeholder.ends_with("_" + std::string(kind)));
  };
  if (is_a("type_id")) return type_text(c, id);
  if (is_a("type")) return type_name(c, id);
  if (is_a("id")) return id_text(c, id);
  return std::to_string(number_);
}

// The texts are not searched for placeholders, because names from the module may contain "{}".
std::string filled(std::string_view sentence,
                   const std::function<std::optional<std::string>(std::string_view placeholder)>& next_text) {
  std::string message, last;
  for (std::size_t gap = 0; (gap = sentence.find('{')) != std::string_view::npos;) {
    const std::size_t end = sentence.find('}', gap);
    const std::string_view placeholder = sentence.substr(gap + 1, end - gap - 1);
    if (placeholder == "s") {
      message.append(sentence.substr(0, gap));
      if (last != "1") message += 's';
    } else {
      std::optional<std::string> text = next_text(placeholder);
      if (!text) break;
      message.append(sentence.substr(0, gap)).append(*text);
      last = std::move(*text);
    }
    sentence.remove_prefix(end + 1);
  }
  return message.append(sentence);
}

std::string ModuleCheck::name_of(Capability capability) const { return enumerant_text(*this, capability); }

std::string message_of(const ModuleCheck& c, std::string_view sentence, Arguments arguments) {
  auto next = arguments.begin();
  return filled(sentence, [&](std::string_view placeholder) {
    return next == arguments.end() ? std::nullopt : std::optional((next++)->shown(c, placeholder));
  });
}

}  // namespace vireo::spirv

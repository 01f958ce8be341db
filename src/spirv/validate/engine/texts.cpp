// SPDX-License-Identifier: Apache-2.0
//
// Texts of ids, types and opcodes in messages.
//
// Messages show an id by the name that the module gives it, and a type by its notation
// (binary/type_notation.h): vec4, Uniform vec4*. Depth and length are bounded to keep messages short.
#include <fmt/format.h>

#include <algorithm>

#include "spirv/binary/type_notation.h"
#include "spirv/validate/engine/context.h"
#include "support/ascii.h"

namespace vireo::spirv {
namespace {

// The approximate maximum number of characters of a type in a message.
constexpr std::size_t longest_type = 120;

// Whether a name is valid in the text form. Other ids are shown by number, so that control characters in debug names do
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
  explicit MessageTypeSource(const Context& context) : context_(context) {}

  [[nodiscard]] InstructionView definition(Word id) const override { return context_.module.find(id); }
  [[nodiscard]] std::optional<std::uint64_t> length(Word constant) const override {
    return context_.constants.as_u64(constant);
  }
  [[nodiscard]] std::string id_text(Word id) const override { return spirv::id_text(context_, id); }

 private:
  const Context& context_;
};

// "OpTypeRayQueryKHR" → "rayQueryKHR". For types whose notation is only their id, which the message already shows.
std::string name_of_kind(const Context& context, const TypeRow& type) {
  std::string name = op_text(context, type.opcode);
  constexpr std::string_view prefix = "OpType";
  if (name.starts_with(prefix)) name.erase(0, prefix.size());
  if (!name.empty() && name[0] >= 'A' && name[0] <= 'Z') name[0] = static_cast<char>(name[0] - 'A' + 'a');
  return name;
}

// "vec4", "array<u32, 16>", "Uniform vec4*"; empty if the type has no notation except its id, such as a structure.
std::string notation_text(const Context& context, const TypeRow& type) {
  std::string text;
  if (type.kind == TypeKind::Pointer) text = enumerant_text(context, type.storage) + ' ';
  if (type.kind == TypeKind::UntypedPointer) return enumerant_text(context, type.storage) + " untyped pointer";
  const std::size_t begin = text.size();
  append_type(text, MessageTypeSource(context), type.id, longest_type);
  return text.compare(begin, std::string::npos, id_text(context, type.id)) == 0 ? std::string() : text;
}

}  // namespace

std::string id_text(const Context& context, Word id) {
  // Names in the assembly text take precedence over OpName.
  if (context.options.name_of_id) {
    if (std::string given = context.options.name_of_id(id); !given.empty()) return given;
  }
  const std::string_view name = context.facts.names().of(id);
  return is_name(name) ? fmt::format("%{}", name) : fmt::format("%{}", id);
}

std::string type_text(const Context& context, Word type) {
  const TypeRow* row = context.types.find(type);
  if (row == nullptr) return id_text(context, type);
  const std::string notation = notation_text(context, *row);
  return fmt::format("{} ({})", id_text(context, type), notation.empty() ? name_of_kind(context, *row) : notation);
}

std::string type_name(const Context& context, Word type) {
  const TypeRow* row = context.types.find(type);
  if (row == nullptr) return id_text(context, type);
  std::string notation = notation_text(context, *row);
  return notation.empty() ? fmt::format("{} {}", name_of_kind(context, *row), id_text(context, type)) : notation;
}

std::string type_name_beside(const Context& context, Word type, Word other) {
  std::string name = type_name(context, type);
  return type != other && name == type_name(context, other) ? type_text(context, type) : name;
}

std::pair<std::string, std::string> type_names(const Context& context, Word first, Word second) {
  return {type_name_beside(context, first, second), type_name_beside(context, second, first)};
}

std::string member_text(const Context& context, Word structure, Word member) {
  const std::string_view name = context.facts.names().of(structure, member);
  const std::string shown = is_name(name) ? fmt::format(" ('{}')", name) : std::string();
  return fmt::format("member {}{} of {}", member, shown, id_text(context, structure));
}

std::string list_text(std::span<const std::string> items, std::string_view conjunction) {
  std::string list;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i != 0) list += i + 1 == items.size() ? fmt::format(" {} ", conjunction) : ", ";
    list += items[i];
  }
  return list;
}

std::string type_of_text(const Context& context, Word value) {
  const Word type = context.module.type_of(value);
  return type == 0 ? "no type" : type_text(context, type);
}

std::string op_text(const Context& context, Op op) {
  // An unknown opcode is shown as a number.
  const InstructionRow* row = context.grammar().find_opcode(op);
  return row == nullptr ? fmt::format("opcode {}", static_cast<unsigned>(op))
                        : std::string(context.grammar().text(row->name));
}

std::string instruction_text(const Context& context, const DecodedInstruction& visit) {
  const ExtInstRow* inst = visit.decoded->ext_inst;
  return inst == nullptr ? op_text(context, visit.op()) : std::string(context.grammar().text(inst->name));
}

TypingRules rules_of_types(const Context& context, const DecodedInstruction& visit) {
  const Grammar& grammar = context.grammar();
  if (visit.decoded->ext_inst != nullptr) {
    return typing_rules(grammar.text(grammar.sets[visit.decoded->ext_inst_set.raw].name));
  }
  const InstructionRow* row = grammar.find_opcode(visit.op());
  return typing_rules(row == nullptr ? std::string_view()
                                     : grammar.text(grammar.printing_classes[row->printing_class]));
}

std::string enumerant_text(const Context& context, std::string_view kind, Word value) {
  const KindId id = context.grammar().find_kind(kind);
  const EnumerantRow* row = id.is_none() ? nullptr : context.grammar().find_value(id, value);
  return row == nullptr ? std::to_string(value) : std::string(context.grammar().text(row->name));
}

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// How ids, types and opcodes are called in messages.
//
// The one idea: a reader knows an id by the name that the module gives it, and a type by what it is made of. So a type
// is written out, in short: vec4<f32>, ptr<Uniform, …>. Depth and length are bounded: a message is no listing.
#include <fmt/format.h>

#include <algorithm>

#include "spirv/validate/engine/context.h"
#include "support/ascii.h"

namespace vireo::spirv {
namespace {

// Types within types that a message shows; deeper ones are "…".
constexpr std::size_t deepest = 4;

// What cannot be typed as a name in the text form is shown by its number: control characters of a debug name do not get
// into a terminal.
bool is_name(std::string_view text) {
  constexpr std::size_t longest = 64;
  if (text.empty() || text.size() > longest) return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '.'; });
}

// Empty for what is no scalar.
std::string scalar_text(const TypeRow& type) {
  switch (type.kind) {
    case TypeKind::Bool: return "bool";
    case TypeKind::Int: return fmt::format("{}{}", type.is_signed ? 'i' : 'u', type.width);
    case TypeKind::Float:
      return type.encoding == TypeRow::no_encoding ? fmt::format("f{}", type.width)
                                                   : fmt::format("f{} of encoding {}", type.width, type.encoding);
    default: return {};
  }
}

// "vec4<f32>" and the like. The descent is bounded: types nest as deep as a module likes.
std::string shape_text(const Context& context, const TypeRow& type, std::size_t depth) {
  if (std::string text = scalar_text(type); !text.empty()) return text;
  // A pointer may lead back to itself over a structure, so the depth is what ends it.
  const auto inner = [&](Word id) {
    const TypeRow* part = context.types.find(id);
    return part == nullptr || depth + 1 == deepest ? std::string("…") : shape_text(context, *part, depth + 1);
  };
  switch (type.kind) {
    case TypeKind::Vector: return fmt::format("vec{}<{}>", type.count, inner(type.element));
    case TypeKind::Matrix: return fmt::format("mat{}<{}>", type.count, inner(type.element));
    case TypeKind::Array: return fmt::format("array<{}>", inner(type.element));
    case TypeKind::RuntimeArray: return fmt::format("runtime array<{}>", inner(type.element));
    case TypeKind::Pointer:
      return fmt::format("ptr<{}, {}>", enumerant_text(context, type.storage), inner(type.element));
    case TypeKind::UntypedPointer: return fmt::format("ptr<{}>", enumerant_text(context, type.storage));
    case TypeKind::Struct: return "struct";
    case TypeKind::SampledImage: return "sampled image";
    default: break;
  }
  // "OpTypeImage" → "image"
  std::string name = op_text(context, static_cast<Op>(type.opcode));
  constexpr std::string_view prefix = "OpType";
  if (name.starts_with(prefix)) name.erase(0, prefix.size());
  if (!name.empty() && name[0] >= 'A' && name[0] <= 'Z') name[0] = static_cast<char>(name[0] - 'A' + 'a');
  return name;
}

}  // namespace

std::string id_text(const Context& context, Word id) {
  // Names of the text that a module was assembled from win over OpName.
  if (context.options.name_of_id) {
    if (std::string given = context.options.name_of_id(id); !given.empty()) return given;
  }
  const std::string_view name = context.facts.names().of(id);
  return is_name(name) ? fmt::format("%{}", name) : fmt::format("%{}", id);
}

std::string type_text(const Context& context, Word type) {
  const TypeRow* row = context.types.find(type);
  if (row == nullptr) return id_text(context, type);
  return fmt::format("{} ({})", id_text(context, type), shape_text(context, *row, 0));
}

std::string type_of_text(const Context& context, Word value) {
  const Word type = context.module.type_of(value);
  return type == 0 ? "no type" : type_text(context, type);
}

std::string op_text(const Context& context, Op op) {
  // Unknown opcodes have a number only; the same of enumerants.
  const InstructionRow* row = context.grammar().find_opcode(static_cast<std::uint32_t>(op));
  return row == nullptr ? fmt::format("opcode {}", static_cast<unsigned>(op))
                        : std::string(context.grammar().text(row->name));
}

std::string instruction_text(const Context& context, const Visit& visit) {
  const ExtInstRow* inst = visit.decoded->ext_inst;
  return inst == nullptr ? op_text(context, visit.op()) : std::string(context.grammar().text(inst->name));
}

std::string enumerant_text(const Context& context, std::string_view kind, Word value) {
  const KindId id = context.grammar().find_kind(kind);
  const EnumerantRow* row = id.is_none() ? nullptr : context.grammar().find_value(id, value);
  return row == nullptr ? std::to_string(value) : std::string(context.grammar().text(row->name));
}

}  // namespace vireo::spirv

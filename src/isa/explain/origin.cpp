// SPDX-License-Identifier: Apache-2.0
//
// Formats rows of the model as short texts.
#include "isa/explain/origin.h"

namespace vireo::isa {

// Returns the author's spelling, with comments and brackets, and not the parsed expression, because readers search the
// file for it.
std::string expression_text(const Model& model, ExpressionId id) {
  if (id.is_none()) return {};
  std::string text;
  bool needs_blank = false;
  for (const char c : model[id].text) {
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      needs_blank = !text.empty();
      continue;
    }
    if (needs_blank) text += ' ';
    needs_blank = false;
    text += c;
  }
  return text;
}

std::string condition_of(const Model& model, const Case& c) { return expression_text(model, c.condition); }

std::string display_text(const Model& model, const Case& c) {
  std::string text;
  for (const Segment& segment : model.segments(c)) {
    if (segment.kind == Segment::Kind::Literal) text += segment.text;
    else text.append("{").append(segment.text).append("}");
  }
  return text;
}

std::string_view type_name(const Model& model, const Field& field) {
  switch (field.type) {
    // Enums and roots have their own names, to which pages link; built-in types have their XML names.
    case FieldType::Enum: return model.text(model[field.enumeration].name);
    case FieldType::Bitset: return model.text(model[field.bitset].name);
    default: return field_type_names[static_cast<std::size_t>(field.type)];
  }
}

std::string bit_range(std::uint32_t low, std::uint32_t width) {
  std::string text = std::to_string(low + width - 1);
  if (width > 1) (text += ':') += std::to_string(low);
  return text;
}

std::string params_text(const Model& model, const Field& field) {
  std::string text;
  for (const Param& param : model.params(field)) {
    if (!text.empty()) text += ", ";
    text += model.text(param.outer);
    if (param.inner != param.outer) (text += " as ") += model.text(param.inner);
  }
  return text;
}

std::string gens_text(GenRange gens) {
  // Ranges are closed, and the largest number means no end; the text follows the `gen` attributes.
  constexpr GenRange all;
  if (gens == all) return "all generations";
  if (gens.min == gens.max) return "generation " + std::to_string(gens.min);
  if (gens.min == all.min) return "up to generation " + std::to_string(gens.max);
  if (gens.max == all.max) return "from generation " + std::to_string(gens.min);
  return "generations " + std::to_string(gens.min) + " to " + std::to_string(gens.max);
}

// Formats the default as an author writes it: with a sign for signed types.
std::string default_text(const Field& field) {
  if (!field.default_value) return {};
  const bool is_negative = is_signed(field.type) && field.width <= bits_per_word;
  return "default " + (is_negative ? std::to_string(sign_extended(*field.default_value, field.width))
                                   : std::to_string(*field.default_value));
}

std::string aliases_text(const Model& model, const Case& c) {
  std::string text;
  for (const Alias& alias : model.aliases(c)) text.append(text.empty() ? "also reads " : ", ").append(alias.text);
  return text;
}

}  // namespace vireo::isa

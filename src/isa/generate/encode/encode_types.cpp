// SPDX-License-Identifier: Apache-2.0
//
// Writes structs and enums of an encoder, and the functions that place their members.
#include <algorithm>

#include "isa/generate/encode/encode_writer.h"
#include "isa/generate/encode/pack_writer.h"

namespace vireo::isa::generate {
namespace {

// The C++ type of a number. A type that is wider than the field allows range checks.
std::string number_type(bool has_sign, std::uint32_t width) {
  return std::string("std::") + (has_sign ? "" : "u") + (width <= 32 ? "int32_t" : "int64_t");
}

// Whether a field is wider than any C++ number. Its type is an array of words.
bool is_wide(const Field& field) { return !field.is_derived() && field.width > bits_per_word; }

// The higher bit comes first, as in manuals.
std::string range_text(std::uint32_t low, std::uint32_t width) {
  return width == 1 ? "bit " + std::to_string(low)
                    : "bits " + std::to_string(low + width - 1) + ":" + std::to_string(low);
}

}  // namespace

// Optional members are read with `*`, because the generated code tests them before.
std::string given_text(const StructMember& member) {
  return member.is_optional ? "(*given." + member.name + ")" : "given." + member.name;
}

// Layouts are cached, because each generation and each position of a leaf needs them.
const StructLayout& StructLayouts::operator[](const Bitset& leaf) {
  const auto known = layouts_.find(&leaf);
  return known != layouts_.end() ? known->second
                                 : layouts_.emplace(&leaf, struct_layout_of(model_, names_, leaf)).first->second;
}

// --- types --------------------------------------------------------------------------------------------------------------

// Returns the C++ type of a member. A flag is a bool if it is derived or has one bit; a flag of several bits is a
// number.
std::string TypeWriter::type_of(const Field& field) const {
  if (field.type == FieldType::Bitset) return names_.root(model_[field.bitset]);
  if (field.type == FieldType::Enum && !is_wide(field)) return names_.enumeration(field.enumeration);
  if (is_wide(field)) return "std::array<std::uint64_t, " + std::to_string(words_for(field.width)) + ">";
  if (field.type == FieldType::Float) return field.width == 16 ? "Half" : "float";
  const bool is_flag = field.type == FieldType::Bool || field.type == FieldType::BoolInv;
  if (is_flag && (field.is_derived() || field.width == 1)) return "bool";
  // A derived value has the width of its expression's result.
  return number_type(is_signed(field.type), field.is_derived() ? bits_per_word : field.width);
}

// Enums are written on first use, so no unused enum is generated.
void TypeWriter::write_enum(EnumId id) {
  if (!written_enums_.insert(id.raw).second) return;
  const Enum& row = model_[id];
  const std::span<const EnumValue> values = model_.values(row);
  const bool is_large =
      std::any_of(values.begin(), values.end(), [](const EnumValue& v) { return v.number >> 32 != 0; });
  // The enum has at least 32 bits, so that numbers without an enumerator can be cast to it without truncation.
  types_ += "enum class " + names_.enumeration(id) + " : std::uint" + (is_large ? "64" : "32") + "_t {\n";
  for (std::size_t i = 0; i < values.size(); ++i) {
    types_ += "  " + names_.enumerators(id)[i] + " = " + hex_constant(values[i].number) + ",";
    types_ += values[i].display.empty() ? "\n" : "  /* " + comment_text(values[i].display) + " */\n";
  }
  types_ += "};\n\n";
}

// The type has the leaves of all generations, because types do not depend on the generation.
void TypeWriter::write_root(const Bitset& root) {
  if (!written_roots_.insert(&root).second) return;
  std::string list;
  for (const BitsetId id : model_.leaves(root)) {
    write_leaf(model_[id]);
    list += (list.empty() ? "" : ", ") + names_.leaf(model_[id]);
  }
  if (model_.leaves(root).size() == 1) return;
  types_ += "/* " + comment_text(model_.text(root.name)) + " */\nusing " + names_.root(root) + " = std::variant<" +
            list + ">;\n\n";
}

// Writes nested roots first. The recursion is bounded, because model/validate.cpp rejects cycles and deep nesting.
void TypeWriter::write_leaf(const Bitset& leaf) {
  if (!written_.insert(&leaf).second) return;
  const StructLayout& layout = layouts_[leaf];
  for (const StructMember& member : layout.members) {
    if (member.field->type == FieldType::Bitset) write_root(model_[member.field->bitset]);
    if (member.field->type == FieldType::Enum && !is_wide(*member.field)) write_enum(member.field->enumeration);
  }
  std::string text = "/* " + comment_text(model_.text(leaf.name)) + " */\nstruct " + names_.leaf(leaf) + " {\n";
  for (const StructMember& member : layout.members) text += member_text(leaf, member);
  // Computed fields are listed in a comment, because they have no member.
  for (const Field* field : layout.computed) {
    text += "  /* " + comment_text(model_.text(field->name)) +
            " is computed: " + expression_comment(model_[field->expression].text) + " */\n";
  }
  text += "\n  static constexpr Leaf description{" + quoted_literal(model_.text(leaf.name)) + ", " +
          std::to_string(leaf.gens.min) + "u, " + std::to_string(leaf.gens.max) + "u};\n";
  types_ += text + visit_text(layout) + "};\n\n";
  functions_ += place_text(leaf, layout);
}

// The member's comment contains its bits and the condition of its case.
std::string TypeWriter::member_text(const Bitset& leaf, const StructMember& member) const {
  const Field& field = *member.field;
  const std::string type = type_of(field);
  std::string text = "  " + (member.is_optional ? "std::optional<" + type + ">" : type) + " " + member.name;
  // A member that is not optional has the default of the description. A default of an optional member would select its
  // case.
  const bool is_number = !member.is_optional && field.type != FieldType::Bitset && field.type != FieldType::Float &&
                         !is_wide(field) && field.default_value;
  const std::uint64_t value = is_number ? *field.default_value : 0;
  if (type == "bool" && !member.is_optional) text += value != 0 ? " = true;" : " = false;";
  else text += value != 0 ? " = static_cast<" + type + ">(" + hex_constant(value) + ");" : "{};";
  text += "  /* " +
          (member.solution ? expression_comment(model_[field.expression].text) : range_text(field.low, field.width));
  // Several cases may define one member.
  std::string when;  // conditions of the cases that define it; "-" if a default case does
  for (const Field* same : member.same) {
    const Case& owner = model_[same->owner];
    if (owner.is_default()) when = "-";
    else if (when != "-") when += (when.empty() ? "" : " or ") + expression_comment(model_[owner.condition].text);
  }
  if (when != "-" && !when.empty()) text += ", if " + when;
  (void)leaf;
  return text + " */\n";
}

// Writes a function with which generic code visits the members, with their bits and their names in the description.
// `self` is a template parameter, so one function serves const and non-const structs.
std::string TypeWriter::visit_text(const StructLayout& layout) const {
  std::string text =
      "  template <typename Self, typename Visitor>\n  static void visit(Self& self, Visitor&& visitor) {\n";
  if (layout.members.empty()) text += "    (void)self;\n    (void)visitor;\n";
  for (const StructMember& member : layout.members) {
    const Field& field = *member.field;
    const std::string_view type = field.type == FieldType::Bitset ? model_.text(model_[field.bitset].name)
                                  : field.type == FieldType::Enum
                                      ? model_.text(model_[field.enumeration].name)
                                      : field_type_names[static_cast<std::size_t>(field.type)];
    text += "    visitor(Member{" + quoted_literal(model_.text(field.name)) + ", " + quoted_literal(type) + ", ";
    text += field.is_derived() ? "0, 0" : std::to_string(field.low) + ", " + std::to_string(field.width);
    text += "}, self." + member.name + ");\n";
  }
  return text + "  }\n";
}

// --- placing ------------------------------------------------------------------------------------------------------------

// The pattern is placed first, so that a fault names the value that contradicts it. `at` is the offset of the struct in
// the instruction, in bits, so one function serves every position.
std::string TypeWriter::place_text(const Bitset& leaf, const StructLayout& layout) const {
  std::string text = "static inline void place(Packing& k, unsigned at, const " + names_.leaf(leaf) + "& given) {\n";
  text += "  (void)at;\n  (void)given;\n";
  for (const auto& [at, width] : pieces_of(leaf.size)) {
    const BitWord care = slice_of(leaf.care.data(), at, width);
    if (care == 0) continue;
    text += "  fix(&k, " + quoted_literal(leaf.display_name) + ", at + " + std::to_string(at) + ", " +
            std::to_string(width) + ", " + hex_constant(care) + ", " +
            hex_constant(slice_of(leaf.match.data(), at, width)) + ");\n";
  }
  // Members that are not optional are placed first, so that a conflict is reported for the optional member.
  for (const bool optional : {false, true}) {
    for (const StructMember& member : layout.members) {
      if (member.is_optional != optional) continue;
      const std::string put = put_text(leaf, member);
      text += optional ? "  if (given." + member.name + ") {\n" + indented(indented(put)) + "  }\n" : indented(put);
    }
  }
  return text + "}\n\n";
}

// Returns the statement that places a member. Enums and flags are unsigned; a number has the signedness of its field.
// For a derived value, the runtime receives the parts of its Solution (solve.cpp) as a table.
std::string TypeWriter::put_text(const Bitset& leaf, const StructMember& member) const {
  const Field& field = *member.field;
  const std::string given = given_text(member);
  const std::string names = quoted_literal(leaf.display_name) + ", " + quoted_literal(model_.text(field.name));
  const std::string where = "at + " + std::to_string(field.low) + ", " + std::to_string(field.width);
  if (member.solution) {
    std::string text = "constexpr Part parts[] = {";
    for (const SolvedPart& part : member.solution->parts) {
      text += "{" + std::to_string(part.field->low + part.field_low) + ", " + std::to_string(part.value_low) + ", " +
              std::to_string(part.width) + "}, ";
    }
    const std::string raw =
        field.type == FieldType::Float ? "bits_of(" + given + ")" : "static_cast<std::uint64_t>(" + given + ")";
    text.resize(text.size() - 2);
    return text + "};\nsolve(k, " + names + ", at, parts, " + raw + ", " + signed_constant(member.solution->constant) +
           ", " + (is_signed(field.type) ? std::to_string(field.width) : "0") + ");\n";
  }
  if (field.type == FieldType::Bitset) return "place(k, at + " + std::to_string(field.low) + ", " + given + ");\n";
  if (is_wide(field)) return "wide(k, " + names + ", " + where + ", " + given + ".data());\n";
  const std::string kind = is_signed(field.type) ? "signed_number" : "plain_number";
  const std::string value =
      field.type == FieldType::Float ? "bits_of(" + given + ")" : "static_cast<std::uint64_t>(" + given + ")";
  return "number(&k, " + names + ", " + where + ", " + kind + ", " + value + ", " +
         (is_signed(field.type) ? "false" : "true") + ");\n";
}

}  // namespace vireo::isa::generate

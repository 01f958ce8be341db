// SPDX-License-Identifier: Apache-2.0
//
// Determines the members of a leaf, their names, and which of them are optional (struct_layout.h).
#include "isa/generate/struct_layout.h"

#include <algorithm>

namespace vireo::isa::generate {
namespace {

// Whether two definitions of a name are the same member. Derived fields have no bits, so they are compared by
// expression and type; other fields by bits and type.
bool is_same_member(const Field& a, const Field& b) {
  if (a.is_derived() || b.is_derived())
    return a.is_derived() && b.is_derived() && a.expression == b.expression && a.type == b.type;
  return a.low == b.low && a.width == b.width && a.type == b.type && a.enumeration == b.enumeration &&
         a.bitset == b.bitset;
}

// The bits of the leaf that a member sets. A derived value sets all bits of its fields, because solve() accepts only
// parts that cover them.
Bits bits_of(const Bitset& leaf, const StructMember& member) {
  Bits bits(leaf.size);
  if (!member.solution) bits.set_range(member.field->low, member.field->high());
  else
    for (const SolvedPart& part : member.solution->parts) bits.set_range(part.field->low, part.field->high());
  return bits;
}

// Distinguishes members of one name: "IMMED_float16", "SRC_alias_gpr_src".
std::string with_type(const Model& model, const Field& field, std::string name) {
  if (field.type == FieldType::Bitset) return name + "_" + cpp_identifier(model.text(model[field.bitset].name));
  if (field.type == FieldType::Enum) return name + "_" + cpp_identifier(model.text(model[field.enumeration].name));
  name += "_" + std::string(field_type_names[static_cast<std::size_t>(field.type)]);
  return field.is_derived() ? name : name + std::to_string(field.width);
}

}  // namespace

const StructMember* StructLayout::find(const Field& field) const {
  for (const StructMember& member : members) {
    if (std::find(member.same.begin(), member.same.end(), &field) != member.same.end()) return &member;
  }
  return nullptr;
}

namespace {

// Visits definitions in the order of name lookup. A default case ends the lookup of its names, so later definitions of
// these names are omitted.
void gather_members(const Model& model, const Bitset& leaf, StructLayout& layout) {
  std::set<std::uint32_t> final_names;  // names that a default case has defined
  for (const BitsetId id : model.chain(leaf)) {
    for (const Case& row : model.cases(model[id])) {
      // Names that this case defines.
      std::set<std::uint32_t> here;
      const std::span<const Field> fields = model.fields(row);
      for (std::size_t i = fields.size(); i-- > 0;) {  // the last definition of a case wins
        const Field& field = fields[i];
        if (final_names.count(field.name.raw) != 0 || !here.insert(field.name.raw).second) continue;
        const auto known = std::find_if(layout.members.begin(), layout.members.end(), [&](const StructMember& member) {
          return member.field->name == field.name && is_same_member(*member.field, field);
        });
        if (known != layout.members.end()) {
          known->same.push_back(&field);
          known->is_optional = known->is_optional && !row.is_default();
          continue;
        }
        // A field that only an override defines does not exist in every word, so it is optional.
        StructMember member{{}, &field, {&field}, !row.is_default(), {}};
        if (field.is_derived()) {
          member.solution = solve(model, leaf, field);
          member.is_optional = true;
          if (!member.solution) {
            layout.computed.push_back(&field);
            continue;
          }
        }
        layout.members.push_back(std::move(member));
      }
      if (row.is_default()) final_names.insert(here.begin(), here.end());
    }
  }
}

// Makes members optional that share a bit with another member. Leaves have a dozen members, so comparing pairs is fast
// enough. Bits of patterns are not considered: placing a value that contradicts a pattern is an error.
void mark_shared_bits(const Bitset& leaf, StructLayout& layout) {
  for (StructMember& a : layout.members) {
    for (StructMember& b : layout.members) {
      if (&a == &b || a.is_optional) continue;
      if ((bits_of(leaf, a) & bits_of(leaf, b)).any()) a.is_optional = true;
    }
  }
}

// If a name has several members, the type is appended; names that are still equal get a number.
std::string member_name(const Model& model, const CppNames& names, const StructLayout& layout,
                        const StructMember& member, bool is_default) {
  std::string name = cpp_identifier(model.text(member.field->name));
  if (name.empty()) name = "field";
  const bool is_alone = std::none_of(layout.members.begin(), layout.members.end(), [&](const StructMember& other) {
    return &other != &member && other.field->name == member.field->name;
  });
  if (!is_alone && !is_default) name = with_type(model, *member.field, name);
  // A member with the name of a type would hide the type from all later members.
  if (names.is_type(name)) name += "_";
  return name;
}

// Names the members of default cases first, so that they get the plain names.
void name_members(const Model& model, const CppNames& names, StructLayout& layout) {
  // Names of the struct's other members.
  TakenNames taken({"visit", "description"});
  for (const bool defaults : {true, false}) {
    for (StructMember& member : layout.members) {
      const bool is_default = std::any_of(member.same.begin(), member.same.end(),
                                          [&](const Field* f) { return model[f->owner].is_default(); });
      if (is_default == defaults) member.name = taken.take(member_name(model, names, layout, member, is_default));
    }
  }
}

}  // namespace

StructLayout struct_layout_of(const Model& model, const CppNames& names, const Bitset& leaf) {
  StructLayout layout;
  gather_members(model, leaf, layout);
  // In descending order of their bits, as manuals list them; derived members come last.
  std::stable_sort(layout.members.begin(), layout.members.end(), [](const StructMember& a, const StructMember& b) {
    if (a.field->is_derived() != b.field->is_derived()) return b.field->is_derived();
    return !a.field->is_derived() && a.field->low > b.field->low;
  });
  mark_shared_bits(leaf, layout);
  name_members(model, names, layout);
  return layout;
}

}  // namespace vireo::isa::generate

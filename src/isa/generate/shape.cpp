// SPDX-License-Identifier: Apache-2.0
//
// Which members a leaf has, which of them are optional, and what they are called (shape.h).
#include "isa/generate/shape.h"

#include <algorithm>

namespace vireo::isa::generate {
namespace {

// Whether two definitions of a name are the same to whoever fills it in.
// Derived ones are by their expression, as they have no bits; others by bits and type, for the value of a member has
// both.
bool is_same_member(const Field& a, const Field& b) {
  if (a.is_derived() || b.is_derived())
    return a.is_derived() && b.is_derived() && a.expression == b.expression && a.type == b.type;
  return a.low == b.low && a.width == b.width && a.type == b.type && a.enumeration == b.enumeration &&
         a.bitset == b.bitset;
}

// Bits of the leaf that a member decides.
// Of a derived value these are all bits of the fields that it is made of: solve() has seen to it that none is left
// over.
Bits bits_of(const Bitset& leaf, const ShapeMember& member) {
  Bits bits(leaf.size);
  if (!member.solution) bits.set_range(member.field->low, member.field->high());
  else
    for (const SolvedPart& part : member.solution->parts) bits.set_range(part.field->low, part.field->high());
  return bits;
}

// What tells members of one name apart: "IMMED_float16", "SRC_alias_gpr_src".
std::string with_type(const Model& model, const Field& field, std::string name) {
  if (field.type == FieldType::Bitset) return name + "_" + cpp_identifier(model.text(model[field.bitset].name));
  if (field.type == FieldType::Enum) return name + "_" + cpp_identifier(model.text(model[field.enumeration].name));
  name += "_" + std::string(field_type_names[static_cast<std::size_t>(field.type)]);
  return field.is_derived() ? name : name + std::to_string(field.width);
}

}  // namespace

const ShapeMember* Shape::find(const Field& field) const {
  for (const ShapeMember& member : members) {
    if (std::find(member.same.begin(), member.same.end(), &field) != member.same.end()) return &member;
  }
  return nullptr;
}

namespace {

// In the order in which a name is looked up, so that what could never be found is left out: a default case ends the search.
void gather_members(const Model& model, const Bitset& leaf, Shape& shape) {
  std::set<std::uint32_t> settled;  // names that a default case has defined: nothing is looked up behind it
  for (const BitsetId id : model.chain(leaf)) {
    for (const Case& row : model.cases(model[id])) {
      // Names that this case has defined.
      std::set<std::uint32_t> here;
      const std::span<const Field> fields = model.fields(row);
      for (std::size_t i = fields.size(); i-- > 0;) {  // the later of a case wins
        const Field& field = fields[i];
        if (settled.count(field.name.raw) != 0 || !here.insert(field.name.raw).second) continue;
        const auto known = std::find_if(shape.members.begin(), shape.members.end(), [&](const ShapeMember& member) {
          return member.field->name == field.name && is_same_member(*member.field, field);
        });
        if (known != shape.members.end()) {
          known->same.push_back(&field);
          known->is_optional = known->is_optional && !row.is_default();
          continue;
        }
        // What only an override defines cannot always be given, so it is optional from the start.
        ShapeMember member{{}, &field, {&field}, !row.is_default(), {}};
        if (field.is_derived()) {
          member.solution = solve(model, leaf, field);
          member.is_optional = true;
          if (!member.solution) {
            shape.computed.push_back(&field);
            continue;
          }
        }
        shape.members.push_back(std::move(member));
      }
      if (row.is_default()) settled.insert(here.begin(), here.end());
    }
  }
}

// Whoever shares a bit with another is optional, and so is the other. Leaves have a dozen members, so pairs will do.
// Patterns do not count: a value that contradicts one is a fault when it is placed.
void mark_shared_bits(const Bitset& leaf, Shape& shape) {
  for (ShapeMember& a : shape.members) {
    for (ShapeMember& b : shape.members) {
      if (&a == &b || a.is_optional) continue;
      if ((bits_of(leaf, a) & bits_of(leaf, b)).any()) a.is_optional = true;
    }
  }
}

// A name with several members gets the type behind it; what is still the same then gets a number.
std::string member_name(const Model& model, const CppNames& names, const Shape& shape, const ShapeMember& member,
                        bool is_default) {
  std::string name = cpp_identifier(model.text(member.field->name));
  if (name.empty()) name = "field";
  const bool is_alone = std::none_of(shape.members.begin(), shape.members.end(), [&](const ShapeMember& other) {
    return &other != &member && other.field->name == member.field->name;
  });
  if (!is_alone && !is_default) name = with_type(model, *member.field, name);
  // A member of the name of a type would hide the type from all members behind it.
  if (names.is_type(name)) name += "_";
  return name;
}

// The definition that holds where no override does has the plain name, so it is named first.
void name_members(const Model& model, const CppNames& names, Shape& shape) {
  // What the struct has besides its members.
  TakenNames taken({"visit", "description"});
  for (const bool defaults : {true, false}) {
    for (ShapeMember& member : shape.members) {
      const bool is_default = std::any_of(member.same.begin(), member.same.end(),
                                          [&](const Field* f) { return model[f->owner].is_default(); });
      if (is_default == defaults) member.name = taken.take(member_name(model, names, shape, member, is_default));
    }
  }
}

}  // namespace

Shape shape_of(const Model& model, const CppNames& names, const Bitset& leaf) {
  Shape shape;
  gather_members(model, leaf, shape);
  // In the order of their bits, as people read them; what is derived comes last.
  std::stable_sort(shape.members.begin(), shape.members.end(), [](const ShapeMember& a, const ShapeMember& b) {
    if (a.field->is_derived() != b.field->is_derived()) return b.field->is_derived();
    return !a.field->is_derived() && a.field->low > b.field->low;
  });
  mark_shared_bits(leaf, shape);
  name_members(model, names, shape);
  return shape;
}

}  // namespace vireo::isa::generate

// SPDX-License-Identifier: Apache-2.0
//
// Checks an instruction against its typing row.
//
// One loop checks all rows. It checks the result first. If the shape of the result is wrong, it skips the
// operands, because their relations to the result would all fail. For each operand it checks the shape and then the
// relations, and reports the first failure. Later operands are not compared with an operand that failed.
#include "spirv/validate/tables/typing.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/checks/checks.h"
#include "spirv/validate/core/check.h"

namespace vireo::spirv {
namespace {

// --- shapes of types -------------------------------------------------------------------------------------------------

// The scalar bits that rows use. An integer has the bit of all integers, and that of its signedness. Floats with an
// encoding other than IEEE 754 (bfloat16, 8-bit floats) have a bit that only rows with X or N accept.
std::uint8_t scalar_bits(const TypeRow& scalar) {
  switch (scalar.kind) {
    case TypeKind::Bool: return BoolBit;
    case TypeKind::Int: return static_cast<std::uint8_t>(IntBit | (scalar.is_signed ? SignedBit : UnsignedBit));
    case TypeKind::Float: return scalar.encoding == TypeRow::no_encoding ? FloatBit : OddFloatBit;
    default: return 0;
  }
}

// Tests only the form of a type, not its scalars. Opaque types and aggregates have no form, so rows with a form never
// match them.
bool has_form(const ModuleCheck& c, const TypeRow& type, TypeShape shape) {
  const std::uint8_t forms = shape.forms;
  switch (type.kind) {
    case TypeKind::Bool:
    case TypeKind::Int:
    case TypeKind::Float: return (forms & ScalarForm) != 0;
    case TypeKind::Vector: return (forms & VectorForm) != 0;
    case TypeKind::LongVector:
      // SPV_EXT_long_vector, issue 2: instructions for any number of components also take long vectors.
      return (forms & LongVectorForm) != 0 ||
             ((forms & VectorForm) != 0 && shape.count == 0 && c.has(Capability::LongVectorEXT));
    case TypeKind::Matrix: return (forms & MatrixForm) != 0;
    case TypeKind::CooperativeMatrix: return (forms & CooperativeForm) != 0;
    case TypeKind::CooperativeMatrixNV: return (forms & CooperativeForm) != 0 && shape.count != TypeShape::only_khr;
    case TypeKind::Pointer: return (forms & PointerForm) != 0;
    case TypeKind::UntypedPointer: return (forms & UntypedForm) != 0;
    default: return false;
  }
}

// An untyped pointer has no pointee type, so only its storage class can match.
bool is_named_shape(const TypeRow& type, const NamedShape& shape) {
  if (!shape.is_pointer) return type.opcode == shape.declared_by;
  if (!type.is_pointer()) return false;
  if (shape.declared_by == Op::OpNop) return type.storage == shape.storage || type.storage == shape.other_storage;
  return type.element_type().opcode == shape.declared_by;
}

// An array length that is a specialization constant matches every length.
bool is_array_of_shape(const TypeRow& type, TypeShape element) {
  if (!type.is(TypeKind::Array) || (type.count != 0 && type.count != element.parts())) return false;
  const TypeRow& part = type.element_type();
  const TypeRow& scalar = part.component();
  const bool is_vector = (element.forms & VectorForm) != 0;
  return part.is(TypeKind::Vector) == is_vector && (!is_vector || part.count == element.components()) &&
         (scalar_bits(scalar) & element.scalars) != 0 && scalar.width == element.width;
}

// Whether a type matches one alternative of a requirement. The fields `width` and `count` have several meanings
// (typing.h), so the special cases are tested first: named types, arrays and sized matrices. The general case compares
// form, scalar, width and component count.
bool is_of_shape(const ModuleCheck& c, const TypeRow& type, TypeShape shape) {
  if (shape.forms == OtherForm && shape.width >= first_named) {
    return is_named_shape(type, named_shapes[shape.width - first_named]);
  }
  if (shape.scalars != 0 && (shape.forms & array_form) != 0) return is_array_of_shape(type, shape);
  if (shape.forms == MatrixForm && shape.count != 0) {
    if (!type.is(TypeKind::Matrix) || type.count != shape.parts()) return false;
    if (type.element_type().count != shape.components()) return false;
    // The size of the matrix matches. In the code below, `count` is the number of components of a vector.
    shape.count = 0;
  }
  if (shape.forms == OtherForm) return shape.width == 1 ? type.is(TypeKind::Struct) : type.has_values();
  if (!has_form(c, type, shape)) return false;
  if (shape.forms == CooperativeForm) shape.count = 0;  // has_form() has read it
  // The pointee type is a relation to another type, not part of the shape.
  if (shape.scalars == 0) return true;
  const TypeRow& scalar = type.component();
  return (scalar_bits(scalar) & shape.scalars) != 0 && (shape.width == 0 || scalar.width == shape.width) &&
         (shape.count == 0 || type.count == shape.count);
}

// A requirement has at most four alternatives. A requirement without alternatives has only relations.
bool is_of_any_shape(const ModuleCheck& c, const TypeRow& type, const TypeRequirement& requirement) {
  if (requirement.shape_count == 0) return true;
  for (std::size_t i = 0; i < requirement.shape_count; ++i) {
    if (is_of_shape(c, type, requirement.shapes[i])) return true;
  }
  return false;
}

// The vectors of OpenCL.std: vector(2, 3, 4, 8, 16). A length that is a specialization constant matches.
bool has_opencl_count(const TypeRow& type) {
  if (!type.is_vector()) return true;
  const std::uint64_t count = type.count;
  return count == 0 || (count >= 2 && count <= 4) || count == 8 || count == 16;
}

// --- texts of shapes -------------------------------------------------------------------------------------------------

// "integer", "boolean or float". `has_encoding`: whether the type found is a float that is not an IEEE 754 float.
std::string scalar_text(std::uint8_t scalars, bool has_encoding) {
  std::string text = (scalars & BoolBit) != 0 ? "boolean" : "";
  const auto add = [&](std::string_view name) { (text += text.empty() ? "" : " or ") += name; };
  const bool has_floats = (scalars & FloatBit) != 0, has_all_floats = (scalars & OddFloatBit) != 0;
  if ((scalars & IntBit) != 0 && has_all_floats) {
    add("numerical");
    return text;
  }
  if ((scalars & IntBit) != 0) add("integer");
  if (scalars == UnsignedBit) add("unsigned integer");
  if (scalars == SignedBit) add("signed integer");
  if (has_floats) add(has_encoding && !has_all_floats ? "IEEE 754 float" : "float");
  return text;
}

// "a boolean scalar", "an integer vector".
std::string with_article(std::string_view noun) {
  constexpr std::string_view vowels = "aeiouI";
  return fmt::format("{} {}", !noun.empty() && vowels.find(noun.front()) != std::string_view::npos ? "an" : "a", noun);
}

// The text of a shape for messages. Handles the same cases as is_of_shape(), in the same order.
std::string shape_text(TypeShape shape, bool has_encoding) {
  if (shape.forms == OtherForm && shape.width >= first_named) {
    return std::string(named_shapes[shape.width - first_named].text);
  }
  if (shape.scalars != 0 && (shape.forms & array_form) != 0) {
    // The element has the same shape without the array bit, so the recursion is one level deep.
    const TypeShape element{shape.scalars, static_cast<std::uint8_t>(shape.forms & ~array_form), shape.width,
                            shape.components()};
    return fmt::format("an array of {} elements, each {}", shape.parts(), shape_text(element, has_encoding));
  }
  if (shape.forms == MatrixForm && shape.count != 0) {
    return fmt::format("a matrix of {} columns and {} rows of {}-bit floats", shape.parts(), shape.components(),
                       shape.width);
  }
  if (shape.forms == OtherForm) return shape.width == 1 ? "a structure" : "a type other than void";
  if (shape.forms == PointerForm) return "a typed pointer";
  if (shape.forms == UntypedForm) return "an untyped pointer";
  if (shape.forms == (PointerForm | UntypedForm)) return "a pointer";
  std::string_view form = "scalar or vector";
  if (shape.forms == CooperativeForm) shape.count = 0;
  switch (shape.forms) {
    case ScalarForm: form = "scalar"; break;
    case VectorForm: form = "vector"; break;
    case MatrixForm: form = "matrix"; break;
    case CooperativeForm: form = "cooperative matrix"; break;
    case LongVectorForm: form = "long vector"; break;
    default: break;
  }
  return with_article(fmt::format("{}{}{} {}", shape.count == 0 ? "" : fmt::format("{}-component ", shape.count),
                                  shape.width == 0 ? "" : fmt::format("{}-bit ", shape.width),
                                  scalar_text(shape.scalars, has_encoding), form));
}

// Whether a module can have types of the shape. Messages omit cooperative matrices and long vectors unless the module
// declares their capability.
bool is_available(const ModuleCheck& c, TypeShape shape) {
  if (shape.forms == CooperativeForm) {
    return c.has(Capability::CooperativeMatrixKHR) ||
           (shape.count != TypeShape::only_khr && c.has(Capability::CooperativeMatrixNV));
  }
  if (shape.forms == LongVectorForm) {
    return c.has(Capability::LongVectorEXT) || c.has(Capability::CooperativeVectorNV);
  }
  return true;
}

// Merges two alternatives that have one text: "integer scalar" and "float scalar", or both kinds of pointers.
bool merge(TypeShape& shape, TypeShape other) {
  const auto is_pointer = [](TypeShape s) { return s.forms == PointerForm || s.forms == UntypedForm; };
  if (is_pointer(shape) && is_pointer(other)) {
    shape.forms |= other.forms;
    return true;
  }
  if (shape.scalars == 0 || other.scalars == 0 || shape.forms != other.forms || shape.width != other.width ||
      shape.count != other.count) {
    return false;
  }
  shape.scalars |= other.scalars;
  return true;
}

// Joins the alternatives: "A, B or C". `found` is the type that matches none of them.
std::string shapes_text(const ModuleCheck& c, const TypeRequirement& requirement, const TypeRow& found) {
  std::array<TypeShape, TypeRequirement::most_shapes> shapes{};
  std::size_t count = 0;
  for (const bool with_all : {false, true}) {
    for (std::size_t i = 0; i < requirement.shape_count; ++i) {
      if (!with_all && !is_available(c, requirement.shapes[i])) continue;
      if (count == 0 || !merge(shapes[count - 1], requirement.shapes[i])) shapes[count++] = requirement.shapes[i];
    }
    if (count != 0) break;
  }
  const bool has_encoding = scalar_bits(found.component()) == OddFloatBit;
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    if (i != 0) text += i + 1 == count ? " or " : ", ";
    text += shape_text(shapes[i], has_encoding);
  }
  return text;
}

// --- relations between two types -------------------------------------------------------------------------------------

// Whether a scalar is valid as an exponent: a 32-bit integer or, with SPV_AMD_gpu_shader_int16, a 16-bit integer.
bool is_exponent(const ModuleCheck& c, const TypeRow& scalar) {
  return scalar.is_int(32) || (scalar.is_int(16) && c.module_declarations.has_extension("SPV_AMD_gpu_shader_int16"));
}

// `type` is the type of the operand; `other` is the type of the result or of an earlier operand. Where components are
// compared, a scalar is its own component.
bool holds(const ModuleCheck& c, Relation::Kind kind, const TypeRow& type, const TypeRow& other) {
  using enum Relation::Kind;
  switch (kind) {
    case None: return true;
    case Same: return type.id == other.id;
    case IsComponent: return type.id == other.component().id;
    case Count: return have_same_count(c, type, other);
    case Width: return type.component().width == other.component().width;
    case Component: return type.component().id == other.component().id;
    case OtherWidth: return type.component().width != other.component().width;
    case HalfWidth: return type.component().width * 2 == other.component().width;
    case OtherComponent: return type.component().id != other.component().id;
    case PointsTo: return type.is(TypeKind::UntypedPointer) || type.element == other.id;
    case PointsToIntegers: {
      if (type.is(TypeKind::UntypedPointer)) return true;
      const TypeRow& pointee = type.element_type();
      return is_exponent(c, pointee.component()) && have_same_count(c, pointee, other);
    }
  }
  return true;
}

// The expected type of an operand, in words: "the result type (vec3)". `whose` is "the result" or the name of an
// operand, and `other` is the type of that.
std::string relation_text(const ModuleCheck& c, Relation::Kind kind, const std::string& whose, const TypeRow& other) {
  using enum Relation::Kind;
  const std::string type = type_name(c, other.id);
  const TypeRow& component = other.component();
  const bool is_scalar = other.is_scalar();
  const std::string_view part = is_scalar ? "" : "component ";
  switch (kind) {
    case None: return "";
    case Same: return fmt::format("{} ({})", whose == "the result" ? "the result type" : "the type of " + whose, type);
    case IsComponent: return fmt::format("the component type of {} ({})", whose, type_name(c, component.id));
    case Count:
      return is_scalar                       ? fmt::format("a scalar, like {} ({})", whose, type)
             : other.is_cooperative_matrix() ? fmt::format("a cooperative matrix, like {}", whose)
                                             : fmt::format("as many components as {} ({})", whose, type);
    case Width: return fmt::format("a {}width of {} bits, like {} ({})", part, component.width, whose, type);
    case Component: return fmt::format("components of type {}, like {} ({})", type_name(c, component.id), whose, type);
    case OtherWidth: return fmt::format("a {}width other than that of {} ({})", part, whose, type);
    case HalfWidth:
      return fmt::format("a {}width of {} bits, half of that of {} ({})", part, component.width / 2, whose, type);
    case OtherComponent: return fmt::format("a {}type other than that of {} ({})", part, whose, type);
    case PointsTo:
      return fmt::format("a pointer to {} ({})", whose == "the result" ? "the result type" : "the type of " + whose,
                         type);
    case PointsToIntegers:
      return fmt::format("a pointer to 32-bit integers, as many as {} has components ({})", whose, type);
  }
  return "";
}

// --- one instruction -------------------------------------------------------------------------------------------------

class TypingCheck {
 public:
  /// `name` and `operand_rows` are the instruction's name and operands in the grammar, for messages.
  TypingCheck(const InstructionCheck& c, std::string_view name, std::span<const OperandRow> operand_rows)
      : c_(c), name_(name), operand_rows_(operand_rows) {}

  void run(const TypingPattern& row, std::size_t first_operand) {
    result_ = c_.types.find(c_.type);
    if (row.result.is_checked && result_ == nullptr) return;  // another check reports it
    if (row.result.is_checked && !is_accepted(*result_, row.result)) {
      c_.report(rules_of_types(c_).result_type, c_.at_type(),
                {name_, type_name(c_, c_.type), expected_text(row.result, *result_)});
      return;
    }
    std::size_t at = 0;  // index into the operands of the row
    std::size_t number = 0;
    for (std::size_t i = first_operand; i < c_.operands.size(); ++i) {
      const Operand& operand = c_.operands[i];
      // The result precedes the operands. A parameter belongs to the operand before it.
      if (operand.shape == OperandShape::IdResultType || operand.shape == OperandShape::IdResult ||
          operand.is_parameter) {
        continue;
      }
      // Check functions handle operands that the row does not list, such as image operands and memory operands.
      if (at >= row.operand_count) return;
      // Relations refer only to the first operands, so the types of later operands are not stored. An instruction may
      // have any number of operands.
      const TypeRow* type = type_at(operand);
      const bool is_good = type == nullptr || check(row.operands[at], operand, *type, number + 1);
      // A type with a finding is not used for comparisons.
      if (number < TypingPattern::most_operands) operand_types_[number] = is_good ? type : nullptr;
      ++number;
      if (at + 1u < row.operand_count || !row.last_repeats) ++at;
    }
  }

 private:
  // Whether the instruction is in OpenCL.std, whose vectors have 2, 3, 4, 8 or 16 components.
  [[nodiscard]] bool is_of_opencl() const {
    if (c_.decoded->ext_inst == nullptr) return false;
    const Grammar& grammar = c_.grammar();
    return grammar.text(grammar.sets[c_.decoded->ext_inst_set.index()].name) == "OpenCL.std";
  }

  [[nodiscard]] bool is_accepted(const TypeRow& type, const TypeRequirement& requirement) const {
    if (!is_of_any_shape(c_, type, requirement)) return false;
    return requirement.shape_count == 0 || has_opencl_count(type) || !is_of_opencl();
  }

  // The shapes of the requirement. If only the number of components is wrong, the numbers are added.
  [[nodiscard]] std::string expected_text(const TypeRequirement& requirement, const TypeRow& found) const {
    const bool is_count_wrong = is_of_any_shape(c_, found, requirement);
    return shapes_text(c_, requirement, found) + (is_count_wrong ? " with 2, 3, 4, 8 or 16 components" : "");
  }

  // "operand 'Base'" by the name in the grammar; "operand 2" if the grammar has no other name. Operands count from 1,
  // after the result.
  [[nodiscard]] std::string operand_text(std::size_t number) const {
    std::size_t at = 0;
    for (const OperandRow& row : operand_rows_) {
      if (row.shape == OperandShape::IdResultType || row.shape == OperandShape::IdResult || ++at != number) continue;
      const std::string_view name = c_.grammar().text(row.name);
      if (name == "Operand") return "the operand";
      if (!name.empty() && !name.starts_with("Operand ")) return fmt::format("operand '{}'", name);
    }
    return fmt::format("operand {}", number);
  }

  // The type of an operand; nullptr if the operand is not a value.
  [[nodiscard]] const TypeRow* type_at(const Operand& operand) const {
    return operand.shape == OperandShape::IdRef ? c_.find_type_of(c_.view.word(operand.word)) : nullptr;
  }

  // Reports at most one finding for each operand. The order is: shape, constant, variable, relations.
  bool check(const TypeRequirement& requirement, const Operand& operand, const TypeRow& type, std::size_t number) {
    if (!requirement.is_checked) return true;
    const Word id = c_.view.word(operand.word);
    const Place place = c_.at(operand);
    const auto named = [&] { return fmt::format("{} ({}) of {}", operand_text(number), id_text(c_, id), name_); };
    if (!is_accepted(type, requirement)) {
      c_.report(rules_of_types(c_).operand_type, place,
                {named(), "has type " + type_name(c_, type.id), expected_text(requirement, type)});
      return false;
    }
    // OpUndef is not a constant instruction (2.2.1).
    if (requirement.is_constant && !c_.is_constant(id)) {
      c_.report(Rule::ConstantOperand, place, {named(), c_.op_of(id)});
      return false;
    }
    if (requirement.is_variable && !is_variable_demanded(requirement, id)) {
      c_.report(Rule::VariableOperand, place, {named(), c_.op_of(id)});
      return false;
    }
    for (std::size_t i = 0; i < requirement.relation_count; ++i) {
      const Relation relation = requirement.relations[i];
      const TypeRow* other = relation.operand == 0 ? result_ : operand_types_[relation.operand - 1u];
      if (other == nullptr || holds(c_, relation.kind, type, *other)) continue;
      const std::string whose = relation.operand == 0 ? "the result" : operand_text(relation.operand);
      c_.report(rules_of_types(c_).type_match, place,
                {named(), "has type " + type_name_beside(c_, type.id, other->id),
                 relation_text(c_, relation.kind, whose, *other)});
      return false;
    }
    return true;
  }

  // A row that accepts a function parameter also accepts a part of a variable.
  [[nodiscard]] bool is_variable_demanded(const TypeRequirement& requirement, Word id) const {
    if (!requirement.may_be_given) return is_variable(c_.op_of(id));
    const Word origin = origin_of(c_, id);
    const Op origin_op = c_.op_of(origin);
    return origin == 0 || is_variable(origin_op) || origin_op == Op::OpFunctionParameter;
  }

  const InstructionCheck& c_;
  const std::string_view name_;
  const std::span<const OperandRow> operand_rows_;
  const TypeRow* result_ = nullptr;
  std::array<const TypeRow*, TypingPattern::most_operands> operand_types_{};
};

template <typename Row>
void check(const InstructionCheck& c, const TypingPattern& pattern, std::size_t first_operand, const Row& row) {
  const Grammar& grammar = c.grammar();
  TypingCheck(c, grammar.text(row.name), grammar.operands(row.operands)).run(pattern, first_operand);
}

}  // namespace

// Cooperative matrices have rows and columns instead of components. check_matrix_shape (conversions.cpp) compares
// these.
bool have_same_count(const ModuleCheck& c, const TypeRow& a, const TypeRow& b) {
  if (a.is_cooperative_matrix() || b.is_cooperative_matrix()) return a.kind == b.kind;
  if (a.is_scalar() != b.is_scalar()) return false;
  // The lengths of long vectors are ids. Equal ids are equal lengths. A length that is a specialization constant
  // matches every length.
  if (a.is(TypeKind::LongVector) || b.is(TypeKind::LongVector)) {
    // A cooperative vector corresponds only to another one. With LongVectorEXT, all vectors are alike.
    const bool are_alike = a.kind == b.kind || (a.is_vector() && b.is_vector() && c.has(Capability::LongVectorEXT));
    const bool is_same_id = a.length != 0 && a.length == b.length;
    return are_alike && (is_same_id || a.count == 0 || b.count == 0 || a.count == b.count);
  }
  // A vector is a column, so its components are its rows. A scalar has one row.
  return c.types.shape(a).rows == c.types.shape(b).rows;
}

// The operands of OpSpecConstantOp follow the result type, the result and the opcode of the operation.
void check_typing(const InstructionCheck& c, const TypingPattern& pattern) {
  const InstructionRow* inner = c.decoded->spec_row;
  check(c, pattern, inner != nullptr ? 3 : 0, inner != nullptr ? *inner : *c.decoded->row);
}

// The operands follow the result type, the result, the set and the instruction number.
void check_ext_typing(const InstructionCheck& c, const TypingPattern& pattern) {
  check(c, pattern, 4, *c.decoded->ext_inst);
}

// --- extended instructions -------------------------------------------------------------------------------------------

// Rows refer to instructions by name, because numbers differ between grammars. Names are converted to numbers once, and
// only for imported sets. An unknown set has no rows.
ExtTyping::ExtTyping(const ModuleCheck& c) : c_(c), by_set_(c.grammar().sets.size()) {
  for (const ImportRow& import : c.module_declarations.imports()) {
    if (!import.set.is_none()) read_set(import.set);
  }
}

// If a set is imported twice, it is read twice with the same result.
void ExtTyping::read_set(ExtInstSetId set) {
  const Grammar& grammar = c_.grammar();
  std::vector<const TypingPattern*>& patterns = by_set_[set.index()];
  for (const ExtTypingRow& row : ext_typing_rows()) {
    if (row.set != grammar.text(grammar.sets[set.index()].name)) continue;
    for (std::string_view rest = row.names; !rest.empty();) {
      const std::size_t blank = std::min(rest.find(' '), rest.size());
      const ExtInstRow* inst = grammar.find_ext_inst(set, rest.substr(0, blank));
      rest.remove_prefix(std::min(blank + 1, rest.size()));
      if (inst == nullptr) continue;  // a loaded grammar may lack the instruction
      if (inst->number >= patterns.size()) patterns.resize(inst->number + 1);
      patterns[inst->number] = &row.pattern;
    }
  }
}

const TypingPattern* ExtTyping::pattern_of(const DecodedInstruction& extended) const {
  const ExtInstRow* inst = extended.decoded->ext_inst;
  if (inst == nullptr) return nullptr;
  const std::vector<const TypingPattern*>& patterns = by_set_[extended.decoded->ext_inst_set.index()];
  return inst->number < patterns.size() ? patterns[inst->number] : nullptr;
}

}  // namespace vireo::spirv

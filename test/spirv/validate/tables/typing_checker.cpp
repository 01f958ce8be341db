// SPDX-License-Identifier: Apache-2.0
//
// A second interpreter of the language of typing.h.
#include "spirv/validate/tables/typing_checker.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "vireo/spirv/validate/validate.h"

namespace vireo::spirv::test {
namespace {

using Form = PlainType::Form;
using Scalar = PlainType::Scalar;

// The letters B I U D F X N of scalars.
bool has_scalar(const PlainType& type, std::uint8_t letters) {
  switch (type.scalar) {
    case Scalar::None: return false;
    case Scalar::Bool: return (letters & BoolBit) != 0;
    case Scalar::Signed: return (letters & (IntBit | SignedBit)) != 0;
    case Scalar::Unsigned: return (letters & (IntBit | UnsignedBit)) != 0;
    case Scalar::Float: return (letters & FloatBit) != 0;
    case Scalar::OddFloat: return (letters & OddFloatBit) != 0;
  }
  return false;
}

// ~n: scalars have no component count, and cooperative matrices are compared by their kind.
bool have_as_many_components(const PlainType& a, const PlainType& b) {
  if (a.form != b.form) return false;
  return a.form == Form::Scalar || a.form == Form::Cooperative || a.form == Form::CooperativeNv || a.count == b.count;
}

}  // namespace

std::string_view kind_of(std::string_view rule) {
  constexpr std::pair<std::string_view, std::string_view> kinds[] = {
      {"result-shape", "*-result-type"}, {"operand-shape", "*-operand-type"}, {"operand-relation", "*-type-match"}};
  const auto names = renamed_rules();
  const auto row = std::ranges::find(names, rule, &RenamedRule::name);
  if (row == names.end()) return rule;
  const auto kind = std::ranges::find(kinds, row->old_name, &std::pair<std::string_view, std::string_view>::first);
  return kind == std::end(kinds) ? rule : kind->second;
}

// Types with a name in the language. The pointee of an untyped pointer is unknown, so only its storage class is
// compared.
bool TypingChecker::is_named(const PlainType& type, std::string_view spelling) const {
  const auto points_to = [&](Op op) {
    return type.form == Form::Pointer && universe.types()[type.pointee].declared_by == op;
  };
  const auto is_stored_in = [&](auto... classes) {
    const bool is_pointer = type.form == Form::Pointer || type.form == Form::UntypedPointer;
    return is_pointer && ((type.storage == classes) || ...);
  };
  if (spelling == "void") return type.declared_by == Op::OpTypeVoid;
  if (spelling == "accel") return type.declared_by == Op::OpTypeAccelerationStructureKHR;
  if (spelling == "barrier") return type.declared_by == Op::OpTypeNamedBarrier;
  if (spelling == "query") return points_to(Op::OpTypeRayQueryKHR);
  if (spelling == "hitnv") return points_to(Op::OpTypeHitObjectNV);
  if (spelling == "hitext") return points_to(Op::OpTypeHitObjectEXT);
  using enum StorageClass;
  if (spelling == "payload") return is_stored_in(RayPayloadKHR, IncomingRayPayloadKHR);
  if (spelling == "callable") return is_stored_in(CallableDataKHR, IncomingCallableDataKHR);
  if (spelling == "task") return is_stored_in(TaskPayloadWorkgroupEXT);
  if (spelling == "attrnv") return is_stored_in(HitObjectAttributeNV);
  if (spelling == "attrext") return is_stored_in(HitObjectAttributeEXT);
  if (spelling == "image") return type.declared_by == Op::OpTypeImage;
  if (spelling == "global") return is_stored_in(CrossWorkgroup);
  if (spelling == "local") return is_stored_in(Function);
  return false;
}

// One alternative. Shapes without scalars are pointers and named types. All others have letter, width, form and count,
// in this order.
bool TypingChecker::is_of(const PlainType& type, TypeShape shape) const {
  if (shape.scalars == 0) {
    switch (shape.forms) {
      case PointerForm: return type.form == Form::Pointer;
      case UntypedForm: return type.form == Form::UntypedPointer;
      case OtherForm: break;
      default: return false;
    }
    if (shape.width >= first_named) return is_named(type, named_shapes[shape.width - first_named].spelling);
    return shape.width == 1 ? type.form == Form::Structure : type.declared_by != Op::OpTypeVoid;
  }
  const bool is_wide = shape.width == 0 || type.width == shape.width;
  if (!has_scalar(type, shape.scalars) || !is_wide) return false;
  const unsigned parts = shape.count / TypeShape::part_base, count = shape.count % TypeShape::part_base;
  if ((shape.forms & OtherForm) !=
      0) {  // an array: with this number of elements, which are scalars or vectors with that count
    return type.form == Form::Array && (type.parts == parts || type.parts == 0) && type.count == count;
  }
  const bool is_any_count = shape.count == 0;
  switch (type.form) {
    case Form::Scalar: return (shape.forms & ScalarForm) != 0;
    case Form::Vector: return (shape.forms & VectorForm) != 0 && (is_any_count || type.count == count);
    // The modules declare LongVectorEXT, so a long vector is a vector where the number of components is free.
    case Form::LongVector:
      return (shape.forms & LongVectorForm) != 0 || ((shape.forms & VectorForm) != 0 && is_any_count);
    case Form::Cooperative: return (shape.forms & CooperativeForm) != 0;
    case Form::CooperativeNv: return (shape.forms & CooperativeForm) != 0 && is_any_count;
    case Form::Matrix:
      return (shape.forms & MatrixForm) != 0 && (is_any_count || (type.parts == parts && type.count == count));
    default: return false;
  }
}

// A requirement without shapes has only relations.
bool TypingChecker::is_of_some(const PlainType& type, const TypeRequirement& requirement) const {
  bool is_some = requirement.shape_count == 0;
  for (std::size_t i = 0; i < requirement.shape_count; ++i) is_some = is_some || is_of(type, requirement.shapes[i]);
  return is_some;
}

// Both types have matching shapes, so they have the properties that a relation compares.
bool TypingChecker::relates(const PlainType& type, Relation::Kind kind, const PlainType& other) const {
  const std::vector<PlainType>& types = universe.types();
  switch (kind) {
    case Relation::Kind::None: return true;
    case Relation::Kind::Same: return type.id == other.id;
    case Relation::Kind::IsComponent: return type.form == Form::Scalar && type.component == other.component;
    case Relation::Kind::Count: return have_as_many_components(type, other);
    case Relation::Kind::Width: return type.width == other.width;
    case Relation::Kind::Component: return type.component == other.component;
    case Relation::Kind::OtherWidth: return type.width != other.width;
    case Relation::Kind::HalfWidth: return type.width * 2 == other.width;
    case Relation::Kind::OtherComponent: return type.component != other.component;
    case Relation::Kind::PointsTo: return type.form == Form::UntypedPointer || types[type.pointee].id == other.id;
    case Relation::Kind::PointsToIntegers: {
      if (type.form == Form::UntypedPointer) return true;
      const PlainType& pointee = types[type.pointee];
      const bool is_int = pointee.scalar == Scalar::Signed || pointee.scalar == Scalar::Unsigned;
      return is_int && pointee.width == 32 && have_as_many_components(pointee, other);
    }
  }
  return false;
}

bool TypingChecker::accepts_result(const TypeRequirement& requirement) const {
  return !requirement.is_checked || result == nullptr || is_of_some(*result, requirement);
}

// The first violation: shape, then the kind of value, then relations from left to right.
std::string_view TypingChecker::fault_of(const TypeRequirement& requirement, std::size_t number) const {
  const PlainValue* value = operands[number - 1];
  if (!requirement.is_checked || value == nullptr) return {};
  const PlainType& type = universe.types()[value->type];
  if (!is_of_some(type, requirement)) return "*-operand-type";
  if (requirement.is_constant && value->source != Source::Constant) return "constant-operand";
  if (requirement.is_variable) {
    const bool is_variable = value->source == Source::Variable;
    const bool is_given = value->source == Source::Part || value->source == Source::Parameter;
    if (!is_variable && !(requirement.may_be_given && is_given)) return "variable-operand";
  }
  for (std::size_t i = 0; i < requirement.relation_count; ++i) {
    const Relation relation = requirement.relations[i];
    // There is no relation to a missing or invalid operand.
    const PlainType* other = result;
    if (relation.operand != 0) {
      const PlainValue* operand = operands[relation.operand - 1u];
      other = operand == nullptr ? nullptr : &universe.types()[operand->type];
    }
    if (other != nullptr && !relates(type, relation.kind, *other)) return "*-type-match";
  }
  return {};
}

}  // namespace vireo::spirv::test

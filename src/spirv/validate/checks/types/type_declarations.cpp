// SPDX-License-Identifier: Apache-2.0
//
// Checks of type-declaration instructions (specification 3.42.6) and of the types they refer to.
//
// A check reads the operands of one declaration and the type rows of the types it refers to, which were
// built earlier. It does not examine the parts of those types, because each declaration is checked separately.
// image_types.cpp checks image types.
//
// Source: 2.16.1 (data rules), 2.16.3; Vulkan, VUIDs of types; the extensions that add types.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "spirv/validate/analysis/fixes.h"
#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/analysis/small_types.h"
#include "spirv/validate/analysis/type_parts.h"
#include "spirv/validate/checks/checks.h"
#include "spirv/validate/checks/tensors/cooperative.h"
#include "support/counted.h"
#include "vireo/spirv/binary/views/type_declaration.h"

namespace vireo::spirv {
namespace {

using enum Op;

// --- scalars ------------------------------------------------------------------------------------------------------------

// Width and signedness are checked independently, because either may be wrong alone.
void check_int(const InstructionCheck& c) {
  const auto type = c.as<OpTypeInt>();
  const Word width = type.width(), signedness = type.signedness();
  // A capability or an extension allows each of these widths (an extension allows 4). No capability allows another
  // width, so the finding is a different one.
  const bool exists = width == 4 || width == 8 || width == 16 || width == 32 || width == 64;
  if (!may_declare_int(c, width)) {
    if (exists) {  // signed and unsigned types need the same capability
      const std::string what = fmt::format("{}-bit integer type", width);
      const std::string capability = width == 4 ? "Int4TypeINTEL" : fmt::format("Int{}", width);
      const bool has_storage = width == 8 || width == 16;
      c.report_once(
          Rule::ScalarCapability, c.at(type.width()), what,
          {what, has_storage ? fmt::format("{} (or StorageBuffer{}BitAccess, if it is only stored)", capability, width)
                             : capability});
      hint_capability(c, capability);
    } else {
      c.report(Rule::ScalarFormat, c.at(type.width()),
               {fmt::format("OpTypeInt has width {}", width), "8, 16, 32 or 64"});
    }
  }
  if (signedness > 1) {
    c.report(Rule::ScalarFormat, c.at(type.signedness()),
             {fmt::format("OpTypeInt has Signedness {}", signedness), "0 or 1"});
  } else if (signedness == 1 && c.has(Capability::Kernel) && c.soundness.is_sound_capability(Capability::Kernel)) {
    // 2.16.3: in kernels, operations are signed or unsigned; types are not.
    c.report(Rule::KernelSignedness, c.at(type.signedness()));
  }
}

// The float encodings outside IEEE 754, with their widths in bits.
struct EncodingRow {
  FPEncoding encoding;
  Word width;
};
constexpr EncodingRow encodings[] = {
    {FPEncoding::BFloat16KHR, 16},          {FPEncoding::Float8E4M3EXT, 8}, {FPEncoding::Float8E5M2EXT, 8},
    {FPEncoding::Float8UnsignedE8M0EXT, 8}, {FPEncoding::MXInt8EXT, 8},     {FPEncoding::Float6E2M3EXT, 6},
    {FPEncoding::Float6E3M2EXT, 6},         {FPEncoding::Float4E2M1EXT, 4},
};

// If there is an encoding, it determines the width. The grammar states the capability of each encoding.
void check_float(const InstructionCheck& c) {
  const auto type = c.as<OpTypeFloat>();
  const Word width = type.width();
  const Place at_width = c.at(type.width());
  if (const auto encoding = type.floating_point_encoding()) {
    const auto* row = std::find_if(std::begin(encodings), std::end(encodings),
                                   [&](const EncodingRow& each) { return each.encoding == *encoding; });
    // The width of an encoding outside the table is not checked.
    if (row != std::end(encodings) && row->width != width) {
      c.report(Rule::ScalarFormat, at_width,
               {fmt::format("OpTypeFloat has width {} with encoding {}", width,
                            enumerant_text(c, "FPEncoding", static_cast<Word>(encoding->value))),
                fmt::format("width {}", row->width)});
    }
    return;
  }
  // A width that IEEE 754 does not define needs an encoding operand.
  if (width != 16 && width != 32 && width != 64) {
    const bool has_encodings = width == 4 || width == 6 || width == 8;
    c.report(Rule::ScalarFormat, at_width,
             {fmt::format("OpTypeFloat has width {} without an encoding", width),
              has_encodings ? "an FPEncoding operand" : "width 16, 32 or 64"});
  } else if (!may_declare_float(c, width)) {
    c.report(Rule::ScalarCapability, at_width,
             {fmt::format("{}-bit float type", width),
              width == 64 ? "Float64" : "Float16 (or StorageBuffer16BitAccess, if it is only stored)"});
    c.findings.name_cause(Rule::ScalarCapability, fmt::format("{}-bit float type", width));
    hint_capability(c, width == 64 ? Capability::Float64 : Capability::Float16);
  }
}

// --- vectors and matrices -----------------------------------------------------------------------------------------------

// A vector has two to four components of a scalar type; Vector16 also allows 8 and 16.
void check_vector(const InstructionCheck& c) {
  const auto type = c.as<OpTypeVector>();
  const TypeRow& component = c.types.of(type.component_type());
  // Masked gather and scatter access memory through a vector of pointers.
  const bool takes_pointers = c.has(Capability::MaskedGatherScatterINTEL) && component.is(TypeKind::Pointer);
  if (!component.is_scalar() && !takes_pointers) {
    c.report(Rule::TypeConstituent, c.at(type.component_type()),
             {"the component type", "OpTypeVector", type.component_type(), "a scalar type"});
  }
  // With a literal count, long vectors take any count except 0 (SPV_EXT_long_vector).
  const Word count = type.component_count();
  const Place at_count = c.at(type.component_count());
  const bool is_long = count == 8 || count == 16;
  const bool may_be_any = c.has(Capability::LongVectorEXT) && count != 0;
  if ((count >= 2 && count <= 4) || may_be_any) return;
  if (!is_long) {
    c.report(Rule::ComponentCount, at_count,
             {"OpTypeVector", counted(count, "component"),
              c.has(Capability::Kernel) ? "2, 3 or 4, or 8 or 16 with Vector16" : "2, 3 or 4"});
  } else if (!c.has(Capability::Vector16)) {
    c.report_once(Rule::ComponentCount, at_count, "Vector16",
                  {"OpTypeVector", counted(count, "component"), "2, 3 or 4 without capability Vector16"});
    if (c.has(Capability::Kernel)) hint_capability(c, Capability::Vector16);
  }
}

// A matrix has two to four columns, each a vector of floats (2.16.1).
void check_matrix(const InstructionCheck& c) {
  const auto type = c.as<OpTypeMatrix>();
  const TypeRow& column = c.types.of(type.column_type());
  const bool is_short = column.is(TypeKind::Vector) && column.count >= 2 && column.count <= 4;
  if (!is_short || !column.component().is(TypeKind::Float)) {
    c.report(Rule::TypeConstituent, c.at(type.column_type()),
             {"the column type", "OpTypeMatrix", type.column_type(), "an OpTypeVector of 2, 3 or 4 floats"});
  }
  const Word count = type.column_count();
  if (count < 2 || count > 4) {
    c.report(Rule::ComponentCount, c.at(type.column_count()), {"OpTypeMatrix", counted(count, "column"), "2, 3 or 4"});
    c.vuid(0);  // the VUID is about vectors
  }
}

// The error in an id that states a number of elements or components.
enum class CountFault : std::uint8_t { None, NotConstant, NotPositive };
CountFault count_fault(const ModuleCheck& c, Word id) {
  const TypeRow& type = c.type_of(id);
  if (!c.is_constant(id) || !type.is(TypeKind::Int)) return CountFault::NotConstant;
  // The default value of a specialization constant need not be a valid length: specialization may replace it.
  const std::optional<std::uint64_t> value = c.constants.as_u64(id);
  if (value) return *value == 0 ? CountFault::NotPositive : CountFault::None;
  // The value is negative, or it is unknown until specialization.
  const std::optional<std::int64_t> negative = c.constants.as_i64(id);
  return negative && *negative <= 0 ? CountFault::NotPositive : CountFault::None;
}

// Reports a number that is not an integer constant. `name` is the name of the operand: "the length".
void report_not_constant(const InstructionCheck& c, AnyOperand number, std::string_view name) {
  c.report(Rule::LengthConstant, c.at(number),
           {name, c.op(),
            c.is_constant(number) ? "a constant of type " + type_name(c, c.module.type_of(number))
                                  : "the result of " + op_text(c, c.op_of(number))});
}

// Checks the length of an array or a long vector: a constant integer greater than 0.
void check_count(const InstructionCheck& c, AnyOperand count, std::string_view name) {
  switch (count_fault(c, count)) {
    case CountFault::None: return;
    case CountFault::NotConstant: report_not_constant(c, count, name); return;
    case CountFault::NotPositive:
      c.report(Rule::LengthPositive, c.at(count),
               {name, c.op(), c.constants.as_i64(count, ValueUse::OrDefault).value_or(0)});
      return;
  }
}

// The component count is the id of a 32-bit constant. If its width is wrong, that is the only finding.
void check_long_vector(const InstructionCheck& c) {
  const auto type = c.as<OpTypeVectorIdEXT>();
  const TypeRow& component = c.types.of(type.component_type());
  // Cooperative vectors have numbers as components; long vectors may also have booleans.
  const bool has_long_vectors = c.has(Capability::LongVectorEXT);
  if (!component.is_scalar() || (component.is(TypeKind::Bool) && !has_long_vectors)) {
    c.wrong_part(type.component_type(), "the component type",
                 has_long_vectors ? "a scalar type" : "a numerical scalar type");
  }
  const TypeRow& count = c.type_of(type.component_count());
  if (count.is(TypeKind::Int) && count.width != 32) {
    c.wrong_operand(type.component_count(), "the component count", "a 32-bit integer");
    return;
  }
  check_count(c, type.component_count(), "the component count");
}

// --- aggregates ---------------------------------------------------------------------------------------------------------

// The only position that Vulkan allows for a runtime array.
constexpr std::string_view last_member = "as the last member of a structure";

// The requirement on an element, a member or a parameter.
constexpr std::string_view type_with_values = "a type other than void or a function type";

// Checks the element type of sized and runtime arrays. Void and function types have no values. An id that is not a type
// is reported in the same way.
void check_element(const InstructionCheck& c) {
  const AnyOperand element_type = c.operand(OperandName::element_type);
  const TypeRow& element = c.types.of(element_type);
  if (!element.has_values()) {
    c.wrong_part(element_type, "the element type", type_with_values);
    return;
  }
  // An element needs a size, and a runtime array has none.
  if (element.is(TypeKind::RuntimeArray) && c.is_vulkan()) {
    c.report(Rule::RuntimeArrayPlace, c.at(element_type),
             {"is the element type of " + op_text(c, c.op()), last_member});
  }
}

void check_array(const InstructionCheck& c) {
  check_element(c);
  // Fast path: if the length is an OpConstant, the type row already has its value, and the value is valid.
  const TypeRow& type = c.types.of(c.result);
  if (type.declaration == c.index && type.count != 0) return;
  check_count(c, c.as<OpTypeArray>().length(), "the length");
}

// Whether a type is or contains an opaque type. A tensor with a shape is a composite (SPV_ARM_tensors, "Terms").
bool has_opaque_part(const ModuleCheck& c, const TypeRow& type) {
  if (!type.contains.has_any(TypeTrait::Opaque)) return false;
  return find_part(c, type, [&](const TypeRow& part) {
           if (part.is(TypeKind::Tensor)) {
             return !View<OpTypeTensorARM>(c.module.instruction(part.declaration)).shape().has_value();
           }
           return part.contains.has_any(TypeTrait::Opaque) && !part.is_composite();
         }) != nullptr;
}

// Reports the first member that contains an opaque type.
void report_opaque_member(const InstructionCheck& c) {
  const auto member_types = c.as<OpTypeStruct>().member_types();
  for (std::size_t i = 0; i < member_types.size(); ++i) {
    const AnyOperand member = member_types[i];
    if (!has_opaque_part(c, c.types.of(member))) continue;
    c.report(Rule::OpaqueMember, c.at(member), {member_text(c, c.result, static_cast<Word>(i)), member});
    c.name_missing(Rule::OpaqueMember, Capability::DescriptorHeapEXT);
    return;
  }
  // The id is declared twice, and the other declaration has the opaque type.
  c.report(Rule::OpaqueMember, c.at(), {"a member", id_text(c, c.result)});
}

// Checks each member, then the structure as a whole.
void check_struct(const InstructionCheck& c) {
  const auto member_types = c.as<OpTypeStruct>().member_types();
  const auto name_of = [](std::size_t member) { return fmt::format("the type of member {}", member); };
  for (std::size_t i = 0; i < member_types.size(); ++i) {
    const AnyOperand id = member_types[i];
    const TypeRow& member = c.types.of(id);
    if (!member.has_values()) {
      c.wrong_part(id, name_of(i), type_with_values);
    } else if (member.declaration >= c.index && !c.types.forward_pointer(id)) {
      // Only a pointer type that OpTypeForwardPointer declares may be a member before its own declaration.
      c.wrong_part(id, name_of(i), "a type declared earlier, or a pointer that OpTypeForwardPointer declares");
    } else if (c.is_vulkan() && member.is(TypeKind::RuntimeArray) && i + 1 < member_types.size()) {
      c.report(Rule::RuntimeArrayPlace, c.at(id), {"precedes other members of " + id_text(c, c.result), last_member});
    }
  }
  const TypeRow& type = c.types.of(c.result);
  // The loop above reports a runtime array before other members, so only the last member is left to check.
  const Words members = c.types.members(type);
  // A runtime array is valid only in a buffer that the application binds, and such a buffer is a block.
  if (c.is_vulkan() && !members.empty() && c.types.of(members.back()).is(TypeKind::RuntimeArray) &&
      !is_block(c, c.result)) {
    const std::string name = id_text(c, c.result);
    // If the id is declared twice, `members` are those of the other declaration.
    const Place place = member_types.empty() ? c.at() : c.at(member_types[member_types.size() - 1]);
    c.report(Rule::RuntimeArrayPlace, place,
             {fmt::format("is a member of {}, which is not decorated with Block", name),
              "in a structure with Block or BufferBlock"});
    hint_decoration(c, Decoration::Block, c.result);
    c.findings.await_counterpart({Report::DecorationFault::Missing, Decoration::Block, c.result});
  }
  // Vulkan does not allow opaque types in structures. Exceptions: bindless handles are integers, and descriptor heaps
  // use structures to state their layout.
  const bool may_be_bindless = c.has(Capability::BindlessTextureNV) || c.has(Capability::DescriptorHeapEXT);
  if (c.is_vulkan() && !c.has(Feature::BeforeHlslLegalization) && !may_be_bindless && has_opaque_part(c, type)) {
    report_opaque_member(c);
  }
}

// --- pointers and functions ---------------------------------------------------------------------------------------------

// Whether any version of Vulkan allows the storage class.
bool is_in_vulkan(StorageClass storage) {
  return storage != StorageClass::CrossWorkgroup && storage != StorageClass::Generic &&
         storage != StorageClass::AtomicCounter && storage != StorageClass::CodeSectionINTEL &&
         storage != StorageClass::DeviceOnlyALTERA && storage != StorageClass::HostOnlyALTERA;
}

// The pointee may be declared after the pointer (OpTypeForwardPointer), so its position is not checked.
void check_pointer(const InstructionCheck& c) {
  const auto pointer = c.as<OpTypePointer>();
  // Only the storage class is checked here. The checks of variables and memory accesses restrict the pointee type for
  // each storage class.
  const auto storage = pointer.storage_class();
  if (c.is_vulkan() && !is_in_vulkan(storage)) {
    c.report(Rule::VulkanStorageClass, c.at(storage), {storage.value});
    c.findings.name_cause(Rule::VulkanStorageClass, fmt::format("type {}", c.result));
  }
  const TypeRow& pointee = c.types.of(pointer.type());
  if (pointee.is(TypeKind::None)) c.wrong_part(pointer.type(), "the pointee type", "a type");
  // A pointer to a function needs an extension.
  if (pointee.is(TypeKind::Function) && !c.has(Capability::FunctionPointersINTEL)) {
    c.report(Rule::FunctionPointee, c.at(pointer.type()), {pointer.type()});
    c.name_missing(Rule::FunctionPointee, Capability::FunctionPointersINTEL);
  }
}

// Vulkan allows untyped pointers only in storage classes that have an explicit layout.
void check_untyped_pointer(const InstructionCheck& c) {
  if (!c.is_vulkan()) return;
  const auto storage = c.as<OpTypeUntypedPointerKHR>().storage_class();
  std::optional<Capability> needed;
  switch (storage.value) {
    case StorageClass::StorageBuffer:
    case StorageClass::PhysicalStorageBuffer:
    case StorageClass::Uniform:
    case StorageClass::PushConstant: return;
    case StorageClass::Workgroup: needed = Capability::WorkgroupMemoryExplicitLayoutKHR; break;
    case StorageClass::UniformConstant:
    case StorageClass::Image: needed = Capability::DescriptorHeapEXT; break;
    default: break;
  }
  if (!needed) return c.report(Rule::UntypedStorageClass, c.at(storage), {storage.value});
  if (c.has(*needed)) return;
  // The missing capability is one fault, however many types need it.
  c.report_once(Rule::UntypedStorageClass, c.at(storage), enumerant_text(c, *needed), {storage.value});
  if (storage == StorageClass::Workgroup) hint_capability(c, *needed);
}

// Structures that refer to each other through pointers need the pointer id before the pointee is declared (3.42.6).
// Only the first error found is reported.
void check_forward_pointer(const InstructionCheck& c) {
  const auto announced = c.as<OpTypeForwardPointer>();
  const auto id = announced.pointer_type();
  const auto storage = announced.storage_class();
  const TypeRow& pointer = c.types.of(id);
  const auto broken = [&](auto operand, const std::string& found, std::string_view expected) {
    c.report(Rule::ForwardPointer, c.at(operand), {found, expected});
  };
  if (!pointer.is(TypeKind::Pointer)) {
    broken(id, fmt::format("{} is the result of {}", id_text(c, id), op_text(c, c.op_of(id))), "OpTypePointer");
  } else if (pointer.declaration < c.index) {
    broken(id, id_text(c, id) + " is declared already", "a pointer that is declared later");
    c.note({pointer.declaration, 0}, "pointer declared here");
  } else if (pointer.storage != storage) {
    broken(storage, fmt::format("storage class is {}", enumerant_text(c, storage.value)),
           fmt::format("{}, as in the declaration of {}", enumerant_text(c, pointer.storage), id_text(c, id)));
    c.note({pointer.declaration, 0}, "pointer declared here");
  } else if (c.is_invalid_type(pointer.element)) {
    return;  // check_pointer reports the unknown pointee
  } else if (!pointer.pointee().is(TypeKind::Struct)) {
    broken(id, fmt::format("{} points to {}", id_text(c, id), type_name(c, pointer.element)),
           "a pointer to a structure");
  } else if (c.is_vulkan() && storage != StorageClass::PhysicalStorageBuffer) {
    broken(storage, fmt::format("storage class is {}", enumerant_text(c, storage.value)),
           "PhysicalStorageBuffer in Vulkan");
  }
}

// Parameter types must have values, so void is not allowed. The return type may be void. No parameter or return type is
// a function type.
void check_function_type(const InstructionCheck& c) {
  const auto function = c.as<OpTypeFunction>();
  const TypeRow& result = c.types.of(function.return_type());
  if (!result.has_values() && !result.is(TypeKind::Void)) {
    c.wrong_part(function.return_type(), "the return type", "a type other than a function type");
  }
  const auto parameters = function.parameter_types();
  const std::size_t count = parameters.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (c.types.of(parameters[i]).has_values()) continue;
    c.wrong_part(parameters[i], fmt::format("the type of parameter {}", i + 1), type_with_values);
  }
  if (count > c.options.limits.function_parameters) {
    c.report(Rule::UniversalLimit, c.at(),
             {fmt::format("function type has {} parameters", count), c.options.limits.function_parameters});
    hint_limit(c, &Limits::function_parameters);
  }
}

// --- types that extensions add ------------------------------------------------------------------------------------------

// Whether any entry point declares a workgroup size. Returns true when the work budget is exhausted.
bool declares_local_size(const ModuleCheck& c) {
  const auto modes = c.module_declarations.execution_modes();
  if (!c.budget.spend(modes.size())) return true;
  return std::any_of(modes.begin(), modes.end(), [](const ExecutionModeRow& row) {
    return row.mode == ExecutionMode::LocalSize || row.mode == ExecutionMode::LocalSizeId;
  });
}

// Checks the scope of a cooperative matrix. For Workgroup scope, an entry point must declare the workgroup size.
void check_matrix_scope(const InstructionCheck& c, AnyOperand operand) {
  // The value of a specialization constant is unknown, so it is not checked.
  const auto value = c.constants.as_u64(operand);
  if (!value) return;
  const auto scope = static_cast<Scope>(*value);
  // scope_checks.cpp reports a scope that is not defined.
  if (*value <= ~Word{0} && c.grammar().find_value(c.kinds.scope, static_cast<Word>(*value)) == nullptr) { return; }
  if (scope != Scope::Workgroup && scope != Scope::Subgroup) {
    c.report(Rule::CooperativeScope, c.at(operand), {enumerant_text(c, "Scope", static_cast<Word>(*value))});
  } else if (scope == Scope::Workgroup && c.op() == OpTypeCooperativeMatrixKHR &&
             !c.module_declarations.entry_points().empty() && !declares_local_size(c)) {
    c.report(Rule::CooperativeLocalSize, c.at(operand));
  }
}

// bfloat16 and 8-bit float components need a capability for cooperative matrices in addition to the capability of the
// format.
void check_cooperative_matrix(const InstructionCheck& c) {
  const AnyOperand component_type = c.operand(OperandName::component_type);
  const TypeRow& component = c.types.of(component_type);
  if (!component.is_numerical()) {
    c.wrong_part(component_type, "the component type", "a numerical scalar type");
  } else if (component.contains.has_any(TypeTrait::BFloat16) && !c.has(Capability::BFloat16CooperativeMatrixKHR)) {
    c.report(Rule::ScalarCapability, c.at(component_type),
             {"a cooperative matrix of bfloat16", "BFloat16CooperativeMatrixKHR"});
    hint_capability(c, Capability::BFloat16CooperativeMatrixKHR);
  } else if (component.is(TypeKind::Float) &&
             (component.encoding == static_cast<Word>(FPEncoding::Float8E4M3EXT) ||
              component.encoding == static_cast<Word>(FPEncoding::Float8E5M2EXT)) &&
             !c.has(Capability::Float8CooperativeMatrixEXT)) {
    c.report(Rule::ScalarCapability, c.at(component_type),
             {"a cooperative matrix of 8-bit floats", "Float8CooperativeMatrixEXT"});
    hint_capability(c, Capability::Float8CooperativeMatrixEXT);
  }
  // OpTypeCooperativeMatrixNV calls the scope `execution` and has no use operand.
  const bool is_khr = c.op() == OpTypeCooperativeMatrixKHR;
  const AnyOperand scope = c.operand(is_khr ? OperandName::scope : OperandName::execution);
  check_matrix_scope(c, scope);
  const auto require_constant = [&](AnyOperand number, std::string_view name) {
    if (count_fault(c, number) != CountFault::NotConstant) return;
    report_not_constant(c, number, name);
  };
  require_constant(scope, "the scope");
  require_constant(c.operand(OperandName::rows), "the number of rows");
  require_constant(c.operand(OperandName::columns), "the number of columns");
  if (!is_khr) return;
  const AnyOperand use = c.operand(OperandName::use);
  require_constant(use, "the use");
  if (const auto wrong = unlisted_value(c, use, "CooperativeMatrixUse")) {
    c.report(Rule::MatrixUse, c.at(use), {*wrong});
  }
}

// --- duplicate types ----------------------------------------------------------------------------------------------------

// Identical arrays, structures and pointers are allowed, because their decorations may differ.
bool may_be_declared_twice(const TypeRow& type) { return type.is_aggregate() || type.is_pointer(); }

}  // namespace

std::span<const Check> type_checks() {
  static constexpr Check checks[] = {
      {{OpTypeInt}, check_int},
      {{OpTypeFloat}, check_float},
      {{OpTypeVector}, check_vector},
      {{OpTypeVectorIdEXT}, check_long_vector},
      {{OpTypeMatrix}, check_matrix},
      {{OpTypeArray}, check_array},
      {{OpTypeRuntimeArray}, check_element},
      {{OpTypeStruct}, check_struct},
      {{OpTypePointer}, check_pointer},
      {{OpTypeUntypedPointerKHR}, check_untyped_pointer},
      {{OpTypeForwardPointer}, check_forward_pointer},
      {{OpTypeFunction}, check_function_type},
      {{OpTypeCooperativeMatrixKHR, OpTypeCooperativeMatrixNV}, check_cooperative_matrix},
  };
  return checks;
}

void check_unique_types(const ModuleCheck& c) {
  // 2.16.1: two identical types must have the same id. Tools use the extension for linked modules whose types were not
  // merged.
  if (c.module_declarations.has_extension("SPV_VALIDATOR_ignore_type_decl_unique")) return;
  for (const TypeRow& type : c.types.rows()) {
    const TypeRow& first = c.types.row(type.canonical_type);
    if (first.id == type.id || may_be_declared_twice(type)) continue;
    c.report(Rule::DuplicateType, {type.declaration, 0}, {type.id, first.id});
    c.note({first.declaration, 0}, "first declared here");
  }
}

}  // namespace vireo::spirv

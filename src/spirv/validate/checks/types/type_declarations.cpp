// SPDX-License-Identifier: Apache-2.0
//
// Type-declaration instructions (specification 3.42.6): what types are made of.
//
// The one idea: a type is judged by its own words and by the rows of its parts, which were made before; what is wrong with
// a part is told there, and not again of all that holds it. Images have a file of their own.
//
// Source: 2.16.1 (data rules), 2.16.3; Vulkan, VUIDs of types; the extensions that bring types.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/analysis/small_types.h"
#include "spirv/validate/engine/checks.h"
#include "spirv/validate/engine/complaint.h"
#include "support/counted.h"

namespace vireo::spirv {
namespace {

using enum Op;

// --- scalars ------------------------------------------------------------------------------------------------------------

// A width is judged before the capability for it, a signedness by itself: each may be wrong alone.
void check_int(const Context& context, const Visit& visit, Report& report) {
  const Word width = visit.word(2), signedness = visit.word(3);
  // A width that no capability brings is another fault than one whose capability is missing.
  // Widths that some capability brings; 4 comes with an extension.
  const bool exists = width == 4 || width == 8 || width == 16 || width == 32 || width == 64;
  if (!may_declare_int(context, width)) {
    const std::string what = "an integer of " + counted(width, "bit");
    if (exists) {  // signed and unsigned ones lack the same
      report.add_once(Rule::ScalarCapability, visit.at(2), what,
                      {what, fmt::format("Int{}, or one for storage of that width", width)});
    } else {
      report.add(Rule::ScalarFormat, visit.at(2), {what, "8, 16, 32 or 64 bits"});
    }
  }
  if (signedness > 1) {
    report.add(Rule::ScalarFormat, visit.at(3), {fmt::format("a signedness of {}", signedness), "0 or 1"});
  } else if (signedness == 1 && context.has(Capability::Kernel)) {
    // 2.16.3: in kernels the operations are signed or not, and the types are not.
    report.add(Rule::KernelSignedness, visit.at(3));
  }
}

// The formats beside those of IEEE 754, and how wide each is.
struct EncodingRow {
  FPEncoding encoding;
  Word width;
};
constexpr EncodingRow encodings[] = {
    {FPEncoding::BFloat16KHR, 16},          {FPEncoding::Float8E4M3EXT, 8}, {FPEncoding::Float8E5M2EXT, 8},
    {FPEncoding::Float8UnsignedE8M0EXT, 8}, {FPEncoding::MXInt8EXT, 8},     {FPEncoding::Float6E2M3EXT, 6},
    {FPEncoding::Float6E3M2EXT, 6},         {FPEncoding::Float4E2M1EXT, 4},
};

// An encoding says the format, and a width in front of it has to be that format's own. Which capability an encoding
// needs, the grammar knows.
void check_float(const Context& context, const Visit& visit, Report& report) {
  const Word width = visit.word(2);
  if (visit.has_word(3)) {
    const auto encoding = static_cast<FPEncoding>(visit.word(3));
    const auto* row = std::find_if(std::begin(encodings), std::end(encodings),
                                   [&](const EncodingRow& each) { return each.encoding == encoding; });
    // An encoding that is not in the table is not known here, and no width is asked of it.
    if (row != std::end(encodings) && row->width != width) {
      report.add(Rule::ScalarFormat, visit.at(2),
                 {fmt::format("a float of {} in the encoding {}", counted(width, "bit"),
                              enumerant_text(context, "FPEncoding", visit.word(3))),
                  fmt::format("{} bits", row->width)});
    }
    return;
  }
  // What is no format of IEEE 754 has to say which format it is.
  if (width != 16 && width != 32 && width != 64) {
    const bool has_encodings = width == 4 || width == 6 || width == 8;
    report.add(Rule::ScalarFormat, visit.at(2),
               {fmt::format("a float of {} without an encoding", counted(width, "bit")),
                has_encodings ? "an encoding" : "16, 32 or 64 bits"});
  } else if (!may_declare_float(context, width)) {
    report.add(Rule::ScalarCapability, visit.at(2),
               {fmt::format("a float of {} bits", width),
                width == 64 ? "Float64" : "Float16, Float16Buffer, or one for storage of 16 bits"});
  }
}

// --- vectors and matrices -----------------------------------------------------------------------------------------------

// A vector is made of a scalar, of two to four components; more of them need Vector16.
void check_vector(const Context& context, const Visit& visit, Report& report) {
  const TypeRow& component = context.types.of(visit.word(2));
  // Gathering reads through many pointers at once: a vector of them.
  const bool takes_pointers = context.has(Capability::MaskedGatherScatterINTEL) && component.is(TypeKind::Pointer);
  if (!component.is_scalar() && !takes_pointers) {
    report.add(Rule::TypePart, visit.at(2),
               {"the component", "OpTypeVector", type_text(context, visit.word(2)), "a scalar type"});
  }
  // Long vectors by literal: any count but 0 (SPV_EXT_long_vector).
  const Word count = visit.word(3);
  const bool is_long = count == 8 || count == 16;
  const bool may_be_any = context.has(Capability::LongVectorEXT) && count != 0;
  if ((count >= 2 && count <= 4) || may_be_any) return;
  if (!is_long) {
    report.add(Rule::ComponentCount, visit.at(3), {std::to_string(count), "2, 3 or 4 (8 or 16 with Vector16)"});
  } else if (!context.has(Capability::Vector16)) {
    report.add_once(Rule::ComponentCount, visit.at(3), "Vector16",
                    {std::to_string(count), "2 to 4 without the capability Vector16"});
  }
}

// Columns are vectors of floats, two to four of them (2.16.1).
void check_matrix(const Context& context, const Visit& visit, Report& report) {
  const TypeRow& column = context.types.of(visit.word(2));
  if (!column.is(TypeKind::Vector) || !context.types.row(column.component).is(TypeKind::Float)) {
    report.add(Rule::TypePart, visit.at(2),
               {"the column", "OpTypeMatrix", type_text(context, visit.word(2)), "a vector of floats"});
  }
  if (visit.word(3) < 2 || visit.word(3) > 4) {
    report.add(Rule::ComponentCount, visit.at(3), {std::to_string(visit.word(3)), "2, 3 or 4 columns"});
  }
}

// How many elements or components a constant says; nothing when it is no integer constant.
enum class CountFault : std::uint8_t { None, NotConstant, NotPositive };
CountFault count_fault(const Context& context, Word id) {
  const TypeRow* type = context.type_of(id);
  if (!context.is_constant(id) || type == nullptr || !type->is(TypeKind::Int)) return CountFault::NotConstant;
  // What specialization decides may be meant to be decided each time: its default is nobody's length.
  const std::optional<std::uint64_t> value = context.constants.as_u64(id);
  if (value) return *value == 0 ? CountFault::NotPositive : CountFault::None;
  // Negative, or not to be known.
  const std::optional<std::int64_t> negative = context.constants.as_i64(id);
  return negative && *negative <= 0 ? CountFault::NotPositive : CountFault::None;
}

// Lengths of arrays and long vectors. That it is a constant comes first: only then is there a value to judge.
void check_count(const Context& context, const Visit& visit, Report& report, std::size_t word) {
  const Word id = visit.word(word);
  switch (count_fault(context, id)) {
    case CountFault::None: return;
    case CountFault::NotConstant:
      report.add(Rule::LengthConstant, visit.at(word),
                 {id_text(context, id), op_text(context, context.op_of(id)), op_text(context, visit.op())});
      return;
    case CountFault::NotPositive:
      report.add(Rule::LengthPositive, visit.at(word),
                 {id_text(context, id), std::to_string(context.constants.as_i64(id, ValueUse::OrDefault).value_or(0))});
      return;
  }
}

// The count is an id here, and of 32 bits: another width is told in place of what is wrong with its value.
void check_long_vector(const Context& context, const Visit& visit, Report& report) {
  if (!context.types.of(visit.word(2)).is_scalar() ||
      (context.types.of(visit.word(2)).is(TypeKind::Bool) && !context.has(Capability::LongVectorEXT))) {
    Complaint{context, visit, report}.part(2, "the component", "a scalar type");
  }
  const TypeRow* count = context.type_of(visit.word(3));
  if (count != nullptr && count->is(TypeKind::Int) && count->width != 32) {
    Complaint{context, visit, report}.operand(3, "the component count", "a 32-bit integer");
    return;
  }
  check_count(context, visit, report, 3);
}

// --- aggregates ---------------------------------------------------------------------------------------------------------

// What an array is made of. Void and functions have no values; what is no type at all is told the same way.
// Where a runtime array may stand.
constexpr std::string_view last_member = "it as the last member of a structure";

void check_element(const Context& context, const Visit& visit, Report& report) {
  const Complaint complain{context, visit, report};
  const TypeRow& element = context.types.of(visit.word(2));
  if (!element.has_values()) {
    complain.part(2, "the element", "a type of values");
    return;
  }
  // An element has a size, and an open-ended array has none.
  if (element.is(TypeKind::RuntimeArray) && context.is_vulkan()) {
    report.add(Rule::RuntimeArrayPlace, visit.at(2), {op_text(context, visit.op()), last_member});
  }
}

void check_array(const Context& context, const Visit& visit, Report& report) {
  check_element(context, visit, report);
  // A length that is written down as a number, as most are, was read with the type.
  const TypeRow& type = context.types.of(visit.result);
  if (type.declaration != visit.index || type.count == 0) check_count(context, visit, report, 3);
}

// Each member by itself, then what the structure as a whole may not be.
void check_struct(const Context& context, const Visit& visit, Report& report) {
  const Complaint complain{context, visit, report};
  for (std::size_t i = 2; visit.has_word(i); ++i) {
    const Word id = visit.word(i);
    const TypeRow& member = context.types.of(id);
    if (!member.has_values()) {
      complain.part(i, "a member", "a type of values");
    } else if (member.declaration >= visit.index && !context.types.forward_pointer(id)) {
      // Only pointers may be members before they are declared, when OpTypeForwardPointer announces them.
      complain.part(i, "a member", "a type declared before, or a pointer that OpTypeForwardPointer announces");
    } else if (context.is_vulkan() && member.is(TypeKind::RuntimeArray) && visit.has_word(i + 1)) {
      report.add(Rule::RuntimeArrayPlace, visit.at(i), {"OpTypeStruct in front of other members", last_member});
    }
  }
  const TypeRow& type = context.types.of(visit.result);
  // Only the last member is left to ask about: one in front of others was told above.
  const Words members = context.types.members(type);
  // Open-ended memory is a buffer that the application binds, and such a buffer is a block.
  if (context.is_vulkan() && !members.empty() && context.types.of(members.back()).is(TypeKind::RuntimeArray) &&
      !is_block(context, visit.result)) {
    report.add(Rule::RuntimeArrayPlace, visit.at(), {"OpTypeStruct that is no block", "a Block or a BufferBlock"});
  }
  // Elsewhere a handle is no data: there is nothing that a member of it would be laid out as.
  // Bindless handles are numbers, and descriptor heaps are laid out by structures.
  const bool may_be_bindless = context.has(Capability::BindlessTextureNV) || context.has(Capability::DescriptorHeapEXT);
  if (context.is_vulkan() && !context.has(Feature::BeforeHlslLegalization) && !may_be_bindless &&
      type.contains.has_any(TypeTrait::Opaque)) {
    report.add(Rule::OpaqueMember, visit.at(), {id_text(context, visit.result)});
  }
}

// --- pointers and functions ---------------------------------------------------------------------------------------------

// Storage classes that no Vulkan has.
bool is_in_vulkan(StorageClass storage) {
  return storage != StorageClass::CrossWorkgroup && storage != StorageClass::Generic &&
         storage != StorageClass::AtomicCounter && storage != StorageClass::CodeSectionINTEL &&
         storage != StorageClass::DeviceOnlyALTERA && storage != StorageClass::HostOnlyALTERA;
}

// The storage class alone; what pointers of it may point to is judged at variables and accesses.
void check_storage(const Context& context, const Visit& visit, Report& report) {
  const auto storage = static_cast<StorageClass>(visit.word(2));
  if (context.is_vulkan() && !is_in_vulkan(storage)) {
    report.add(Rule::VulkanStorageClass, visit.at(2), {enumerant_text(context, "StorageClass", visit.word(2))});
  }
}

// The pointee may be declared behind the pointer when that was announced, so it is asked what it is, and not where.
void check_pointer(const Context& context, const Visit& visit, Report& report) {
  check_storage(context, visit, report);
  const TypeRow& pointee = context.types.of(visit.word(3));
  if (pointee.is(TypeKind::None)) Complaint{context, visit, report}.part(3, "the pointee", "a type");
  // A function is no object that something could point to, but where an extension says so.
  if (pointee.is(TypeKind::Function) && !context.has(Capability::FunctionPointersINTEL)) {
    report.add(Rule::FunctionPointee, visit.at(3), {type_text(context, visit.word(3))});
  }
}

// Untyped pointers have no type to lay memory out by: Vulkan takes them for memory that is laid out by decorations.
void check_untyped_pointer(const Context& context, const Visit& visit, Report& report) {
  if (!context.is_vulkan()) return;
  const auto storage = static_cast<StorageClass>(visit.word(2));
  bool is_fine = false;
  switch (storage) {
    case StorageClass::StorageBuffer:
    case StorageClass::PhysicalStorageBuffer:
    case StorageClass::Uniform:
    case StorageClass::PushConstant: is_fine = true; break;
    case StorageClass::Workgroup: is_fine = context.has(Capability::WorkgroupMemoryExplicitLayoutKHR); break;
    case StorageClass::UniformConstant:
    case StorageClass::Image: is_fine = context.has(Capability::DescriptorHeapEXT); break;
    default: break;
  }
  if (!is_fine) {
    report.add(Rule::UntypedStorageClass, visit.at(2), {enumerant_text(context, "StorageClass", visit.word(2))});
  }
}

// A pointer is announced for the sake of structures that are linked by it: they need its id before its pointee is there
// (3.42.6). The most basic fault is told, and no other.
void check_forward_pointer(const Context& context, const Visit& visit, Report& report) {
  const Word id = visit.word(1);
  const TypeRow& pointer = context.types.of(id);
  const auto storage = static_cast<StorageClass>(visit.word(2));
  const auto broken = [&](std::size_t word, const std::string& found, std::string_view expected) {
    report.add(Rule::ForwardPointer, visit.at(word), {found, expected});
  };
  if (!pointer.is(TypeKind::Pointer)) {
    broken(1, fmt::format("{} is {}", id_text(context, id), op_text(context, context.op_of(id))), "OpTypePointer");
  } else if (pointer.storage != storage) {
    broken(2, fmt::format("the storage class is {}", enumerant_text(context, "StorageClass", visit.word(2))),
           fmt::format("{} as {} has", enumerant_text(context, pointer.storage), id_text(context, id)));
  } else if (context.is_no_type(pointer.element)) {
    return;  // told at the pointer
  } else if (!context.types.of(pointer.element).is(TypeKind::Struct)) {
    broken(1, fmt::format("{} points to {}", id_text(context, id), type_text(context, pointer.element)), "a structure");
  } else if (context.is_vulkan() && storage != StorageClass::PhysicalStorageBuffer) {
    broken(2, fmt::format("the storage class is {}", enumerant_text(context, "StorageClass", visit.word(2))),
           "PhysicalStorageBuffer in Vulkan");
  }
}

// Parameters are values, so void is none; the return type may be void. A function is neither.
void check_function_type(const Context& context, const Visit& visit, Report& report) {
  const Complaint complain{context, visit, report};
  const TypeRow& result = context.types.of(visit.word(2));
  if (!result.has_values() && !result.is(TypeKind::Void)) {
    complain.part(2, "the return type", "a type of values, or void");
  }
  for (std::size_t i = 3; visit.has_word(i); ++i) {
    if (!context.types.of(visit.word(i)).has_values()) complain.part(i, "a parameter", "a type of values");
  }
  const std::size_t count = visit.from(3).size();
  if (count > context.options.limits.function_parameters) {
    report.add(Rule::UniversalLimit, visit.at(),
               {fmt::format("{} parameters of a function", count),
                std::to_string(context.options.limits.function_parameters)});
  }
}

// --- what extensions bring ----------------------------------------------------------------------------------------------

// Whether any entry point says how large its workgroups are. True once the work budget is met.
bool says_local_size(const Context& context) {
  const auto modes = context.preamble.execution_modes();
  if (!context.budget.spend(modes.size())) return true;
  return std::any_of(modes.begin(), modes.end(), [](const ExecutionModeRow& row) {
    return row.mode == ExecutionMode::LocalSize || row.mode == ExecutionMode::LocalSizeId;
  });
}

// Who holds a matrix together: how many those are, the entry points say.
void check_matrix_scope(const Context& context, const Visit& visit, Report& report) {
  constexpr std::size_t word = 3;
  // A specialized scope is known later, and judged by nobody here.
  const auto value = context.constants.as_u64(visit.word(word));
  if (!value) return;
  const auto scope = static_cast<Scope>(*value);
  if (scope != Scope::Workgroup && scope != Scope::Subgroup) {
    report.add(Rule::CooperativeScope, visit.at(word), {enumerant_text(context, "Scope", static_cast<Word>(*value))});
  } else if (scope == Scope::Workgroup && visit.op() == OpTypeCooperativeMatrixKHR &&
             !context.preamble.entry_points().empty() && !says_local_size(context)) {
    report.add(Rule::CooperativeLocalSize, visit.at(word));
  }
}

// Components in the small formats want a capability of the matrix beside that of the format itself.
void check_cooperative_matrix(const Context& context, const Visit& visit, Report& report) {
  const Complaint complain{context, visit, report};
  const TypeRow& component = context.types.of(visit.word(2));
  if (!component.is_numerical()) {
    complain.part(2, "the component", "a numerical scalar type");
  } else if (component.contains.has_any(TypeTrait::BFloat16) &&
             !context.has(Capability::BFloat16CooperativeMatrixKHR)) {
    report.add(Rule::ScalarCapability, visit.at(2),
               {"a cooperative matrix of bfloat16", "BFloat16CooperativeMatrixKHR"});
  } else if (component.is(TypeKind::Float) &&
             (component.encoding == static_cast<Word>(FPEncoding::Float8E4M3EXT) ||
              component.encoding == static_cast<Word>(FPEncoding::Float8E5M2EXT)) &&
             !context.has(Capability::Float8CooperativeMatrixEXT)) {
    report.add(Rule::ScalarCapability, visit.at(2),
               {"a cooperative matrix of 8-bit floats", "Float8CooperativeMatrixEXT"});
  }
  check_matrix_scope(context, visit, report);
  // Scope, rows, columns, and the use: KHR's has one more than NV's.
  for (std::size_t i = 3; visit.has_word(i); ++i) {
    if (count_fault(context, visit.word(i)) == CountFault::NotConstant) {
      report.add(Rule::LengthConstant, visit.at(i),
                 {id_text(context, visit.word(i)), op_text(context, context.op_of(visit.word(i))),
                  op_text(context, visit.op())});
    }
  }
}

// --- two of one kind ----------------------------------------------------------------------------------------------------

// Arrays, structures and pointers may be declared twice: what decorates the two may differ.
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

void check_unique_types(const Context& context, Report& report) {
  // 2.16.1: a type that is the same is the same id. The extension is an agreement among tools, for modules that were
  // joined and whose types were not.
  if (context.preamble.has_extension("SPV_VALIDATOR_ignore_type_decl_unique")) return;
  for (const TypeRow& type : context.types.rows()) {
    const TypeRow& first = context.types.row(type.twin);
    if (first.id == type.id || may_be_declared_twice(type)) continue;
    report.add(Rule::TypeTwice, {type.declaration, 0}, {id_text(context, type.id), id_text(context, first.id)});
    report.note({first.declaration, 0}, "declared here before");
  }
}

}  // namespace vireo::spirv

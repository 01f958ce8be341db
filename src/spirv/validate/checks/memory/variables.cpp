// SPDX-License-Identifier: Apache-2.0
//
// Variables (specification 3.42.8, 2.16.1; Vulkan's interfaces).
//
// The one idea: what a variable may hold, and whether it may begin with a value, is a matter of its storage class. So a
// storage class is a row of permissions, and a variable is judged by its row.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/analysis/small_types.h"
#include "spirv/validate/analysis/type_parts.h"
#include "spirv/validate/engine/checks.h"
#include "spirv/validate/engine/complaint.h"
#include "vireo/spirv/views/memory.h"

namespace vireo::spirv {
namespace {

using enum Op;

// --- permissions --------------------------------------------------------------------------------------------------------

/// What variables of a storage class may hold. Storage classes without a row may hold anything.
struct StorageRow {
  StorageClass storage;
  bool takes_bool;         ///< booleans have no size that others could see
  bool takes_initializer;  ///< in any environment
  bool starts_in_vulkan;   ///< with an initializer, in Vulkan
};
// The columns are storage class, takes_bool, takes_initializer, starts_in_vulkan. Vulkan's column is a rule of its own,
// not a part of the one before: what the API binds has its value from there, and stages hand on what others wrote.
constexpr StorageRow storage_rows[] = {
    {StorageClass::UniformConstant, true, true, false},
    {StorageClass::Input, false, false, false},
    {StorageClass::Uniform, false, true, false},
    {StorageClass::Output, false, true, true},
    {StorageClass::Workgroup, true, true, true},
    {StorageClass::CrossWorkgroup, true, true, false},
    {StorageClass::Private, true, true, true},
    {StorageClass::Function, true, true, true},
    {StorageClass::PushConstant, false, true, false},
    {StorageClass::AtomicCounter, false, true, true},
    {StorageClass::Image, false, true, false},
    {StorageClass::StorageBuffer, false, true, false},
    {StorageClass::RayPayloadKHR, true, true, false},
    {StorageClass::IncomingRayPayloadKHR, true, true, false},
    {StorageClass::HitAttributeKHR, true, true, false},
    {StorageClass::CallableDataKHR, true, true, false},
    {StorageClass::IncomingCallableDataKHR, true, true, false},
    {StorageClass::ShaderRecordBufferKHR, false, true, false},
    {StorageClass::TaskPayloadWorkgroupEXT, true, false, false},
    {StorageClass::HitObjectAttributeNV, true, false, false},
    {StorageClass::HitObjectAttributeEXT, true, false, false},
    {StorageClass::TileAttachmentQCOM, false, true, true},
    {StorageClass::CodeSectionINTEL, false, true, true},
    {StorageClass::DeviceOnlyALTERA, false, true, true},
    {StorageClass::HostOnlyALTERA, false, true, true},
};

// A walk over some twenty rows: variables are few, beside what is done with them.
const StorageRow* find_row(StorageClass storage) {
  const auto* row = std::find_if(std::begin(storage_rows), std::end(storage_rows),
                                 [&](const StorageRow& each) { return each.storage == storage; });
  return row == std::end(storage_rows) ? nullptr : row;
}

/// A variable, as all checks here see it.
struct VariableView {
  StorageClass storage;
  const TypeRow* type;     ///< of the result
  const TypeRow* holds;    ///< what it holds; nullptr when an untyped one does not say
  Place holds_place;       ///< of the operand that says what it holds
  AnyOperand initializer;  ///< 0: none
};

// --- storage class ------------------------------------------------------------------------------------------------------

void check_storage(const Context& context, const Visit& visit, Report& report, const VariableView& variable) {
  // The storage class stands twice, in the variable and in its type. When the two disagree nobody knows which one is
  // meant, nor where such a variable may stand.
  if (variable.storage != variable.type->storage) {
    report.add(Rule::StorageMismatch, visit.at(visit.operand(OperandName::storage_class)),
               {op_text(context, visit.op()), enumerant_text(context, variable.storage),
                enumerant_text(context, variable.type->storage)});
    return;
  }
  // Where a variable stands and what its class says have to agree: those of functions are made anew at each call, all
  // others once.
  const bool is_local = variable.storage == StorageClass::Function;
  std::string_view expected;
  if (variable.storage == StorageClass::Generic || variable.storage == StorageClass::PhysicalStorageBuffer) {
    expected = "a storage class that variables have";
  } else if (is_local && visit.function.is_none()) {
    expected = "another storage class outside of functions";
  } else if (!is_local && !visit.function.is_none()) {
    expected = "Function within a function";
  }
  if (!expected.empty()) {
    report.add(Rule::VariableStorage, visit.at(visit.operand(OperandName::storage_class)),
               {enumerant_text(context, variable.storage), expected});
  }
}

// --- initializers -------------------------------------------------------------------------------------------------------

void check_initializer(const Context& context, const Visit& visit, Report& report, const VariableView& variable) {
  if (variable.initializer == 0) return;
  const Complaint complain{context, visit, report};
  const Op defining = context.op_of(variable.initializer);
  // The address of a global variable is a constant (3.42.8).
  const bool is_global_variable = is_variable(defining) && context.type_of(variable.initializer) != nullptr &&
                                  context.type_of(variable.initializer)->storage != StorageClass::Function;
  if (!context.is_constant(variable.initializer) && !is_global_variable) {
    complain.not_constant(variable.initializer, "the initializer");
    return;
  }
  const StorageRow* row = find_row(variable.storage);
  // A class without a row is a vendor's or a newer one: nothing is known that would forbid it.
  const bool is_permitted = row == nullptr || (context.is_vulkan() ? row->starts_in_vulkan : row->takes_initializer);
  if (!is_permitted) {
    report.add(Rule::InitializerStorage, visit.at(variable.initializer), {enumerant_text(context, variable.storage)});
    return;
  }
  // Memory of a workgroup is zeroed, and that is all that a device does for it
  // (VK_KHR_zero_initialize_workgroup_memory).
  if (context.is_vulkan() && variable.storage == StorageClass::Workgroup && defining != OpConstantNull) {
    report.add(Rule::WorkgroupInitializer, visit.at(variable.initializer), {op_text(context, defining)});
  }
  // Types that are no aggregates are declared once, so equal types have equal ids; of aggregates it is the id that
  // counts.
  if (variable.holds != nullptr && context.module.type_of(variable.initializer) != variable.holds->id) {
    complain.relation(variable.initializer, "the initializer", "what the variable holds", variable.holds->id);
  }
}

// --- what it holds ------------------------------------------------------------------------------------------------------

// The finding of all checks below: this storage class does not hold that, and what would.
void not_here(const Context& context, Report& report, const VariableView& variable, std::string_view what,
              std::string_view expected) {
  report.add(Rule::VariableType, variable.holds_place, {enumerant_text(context, variable.storage), what, expected});
}

// A boolean has no size and no bits that are said anywhere, so nobody outside of the invocation could read it.
void check_bool(const Context& context, const Visit& visit, Report& report, const VariableView& variable) {
  const StorageRow* row = find_row(variable.storage);
  if (row == nullptr || row->takes_bool || !variable.holds->contains.has_any(TypeTrait::Bool)) return;
  // Built-ins of the interfaces may be booleans: whether a fragment faces front is one.
  const bool is_interface = variable.storage == StorageClass::Input || variable.storage == StorageClass::Output;
  const TypeRow& inner = without_arrays(context, *variable.holds);
  if (is_interface && (context.decorations.has(visit.result, Decoration::BuiltIn) ||
                       context.decorations.has_on_member(inner.id, Decoration::BuiltIn))) {
    return;
  }
  not_here(context, report, variable, "a boolean", "storage that no other sees, or a built-in");
}

// Pointers in variables of the logical addressing model: what variable pointers are for.
void check_held_pointer(const Context& context, Report& report, const VariableView& variable) {
  if (!context.is_logical || context.has(Feature::RelaxLogicalPointer)) return;
  if (!variable.holds->is_pointer() && !variable.holds->contains.has_any(TypeTrait::Pointer)) return;
  // A physical pointer is a number that may lie anywhere, so it does not count. Traits do not tell the two sorts apart
  // in all cases: only then is the type taken apart.
  const TypeRow* part = find_part(context, *variable.holds, [](const TypeRow& each) {
    return each.is_pointer() && each.storage != StorageClass::PhysicalStorageBuffer;
  });
  if (part == nullptr) return;
  // The first such pointer stands for all of them: one finding a variable.
  const TypeRow& held = *part;
  std::string_view expected;
  if (held.storage == StorageClass::StorageBuffer) {
    if (!context.has(Capability::VariablePointersStorageBuffer))
      expected = "the capability VariablePointersStorageBuffer";
  } else if (held.storage == StorageClass::Workgroup) {
    if (!context.has(Capability::VariablePointers)) expected = "the capability VariablePointers";
  } else {
    expected = "pointers of StorageBuffer or Workgroup";
  }
  // A path has no bytes that another invocation, or the application, could make use of.
  if (expected.empty() && variable.storage != StorageClass::Function && variable.storage != StorageClass::Private) {
    expected = "Function or Private";
  }
  if (!expected.empty()) not_here(context, report, variable, "a logical pointer", expected);
}

// Whether a type is, or its arrays are of, a long vector: those of cooperative vectors live in registers.
bool is_long_vector(const Context& context, const TypeRow& type) {
  return without_arrays(context, type).is(TypeKind::LongVector);
}

// Which invocation holds which part of a matrix is the device's choice, so no memory of others holds one as it is.
void check_registers(const Context& context, Report& report, const VariableView& variable) {
  if (variable.storage == StorageClass::Function || variable.storage == StorageClass::Private) return;
  if (variable.holds->contains.has_any(TypeTrait::CooperativeMatrix)) {
    not_here(context, report, variable, "a cooperative matrix", "Function or Private");
  } else if (is_long_vector(context, *variable.holds) && !context.has(Capability::LongVectorEXT)) {
    not_here(context, report, variable, "a cooperative vector", "Function or Private");
  }
}

// Floats of 4 and 6 bits have no bytes to lie in.
void check_tiny_floats(const Context& context, Report& report, const VariableView& variable) {
  // The trait is that of all floats of 8 bits and fewer; which width it is, only the type says.
  if (!context.is_shader() || !variable.holds->contains.has_any(TypeTrait::Float8)) return;
  if (variable.storage == StorageClass::Function || variable.storage == StorageClass::Private) return;
  const auto is_tiny = [](const TypeRow& part) {
    return part.is(TypeKind::Float) && (part.width == 4 || part.width == 6);
  };
  if (find_part(context, *variable.holds, is_tiny) == nullptr) return;
  not_here(context, report, variable, "a float of 4 or 6 bits", "Function or Private");
}

// --- tiles (SPV_EXT_shader_tile_image; attachments are in image_queries.cpp) --------------------------------------------

// The storage class is for what a fragment reads of its own pixel, and holds no other sort of image.
void check_tile_image(const Context& context, Report& report, const VariableView& variable) {
  if (variable.storage != StorageClass::TileImageEXT) return;
  const TypeRow& image = without_arrays(context, *variable.holds);
  if (image.is(TypeKind::Image) && context.types.image(image).dim == Dim::TileImageDataEXT) return;
  report.add(Rule::TileImageType, variable.holds_place, {type_text(context, variable.holds->id)});
}

// --- small scalars ------------------------------------------------------------------------------------------------------

// Storage buffers of older modules are uniform blocks with another decoration.
bool may_hold(const Context& context, const VariableView& variable, std::uint32_t width) {
  if (has_small_storage(context, variable.storage, width)) return true;
  const TypeRow& block = without_arrays(context, *variable.holds);
  return variable.storage == StorageClass::Uniform && context.decorations.has(block.id, Decoration::BufferBlock) &&
         has_small_storage(context, StorageClass::StorageBuffer, width);
}

// A small type that may be declared may still not lie anywhere: each capability is for some storage classes
// (small_types.cpp). Of one that may not be declared nothing more is said.
void check_small(const Context& context, Report& report, const VariableView& variable) {
  if (!context.is_shader()) return;
  const TypeTraits held = variable.holds->contains;
  // One capability is missing, however many variables of the storage class there are.
  const auto refuse = [&](std::string_view what) {
    const std::string storage = enumerant_text(context, variable.storage);
    report.add_once(Rule::VariableType, variable.holds_place, fmt::format("{} of {}", what, storage),
                    {storage, what, "a storage capability for it"});
  };
  const bool computes_16 = context.has(Capability::Int16) || context.has(Capability::Float16);
  const bool is_16 = (held.has_any(TypeTrait::Int16) && may_declare_int(context, 16)) ||
                     (held.has_any(TypeTrait::Float16) && may_declare_float(context, 16));
  if (is_16 && !computes_16 && !may_hold(context, variable, 16)) refuse("a 16-bit scalar");
  if (held.has_any(TypeTrait::Int8) && may_declare_int(context, 8) && !context.has(Capability::Int8) &&
      !may_hold(context, variable, 8)) {
    refuse("an 8-bit scalar");
  }
}

// --- Vulkan -------------------------------------------------------------------------------------------------------------

// Resources are structures, arrays of them, or handles; which, the storage class says.
void check_resource(const Context& context, Report& report, const VariableView& variable) {
  const TypeRow& inner = without_arrays(context, *variable.holds);
  switch (variable.storage) {
    case StorageClass::PushConstant:
      if (variable.holds->is(TypeKind::Struct)) return;
      report.add(Rule::PushConstantType, variable.holds_place, {type_text(context, variable.holds->id)});
      return;
    case StorageClass::Uniform:
    case StorageClass::StorageBuffer:
      if (inner.is(TypeKind::Struct)) return;
      report.add(Rule::BufferType, variable.holds_place,
                 {enumerant_text(context, variable.storage), type_text(context, variable.holds->id)});
      return;
    case StorageClass::UniformConstant: {
      // Handles, or one array of them.
      const TypeRow& held =
          variable.holds->is_array() ? context.types.row(variable.holds->element_row) : *variable.holds;
      if (held.is_opaque() || variable.type->is(TypeKind::UntypedPointer)) return;
      report.add(Rule::HandleType, variable.holds_place, {type_text(context, variable.holds->id)});
      return;
    }
    default: return;
  }
}

// Invariant says that two shaders compute the same, which matters only for what a stage hands to the next.
void check_invariant(const Context& context, const Visit& visit, Report& report, const VariableView& variable) {
  if (variable.storage == StorageClass::Input || variable.storage == StorageClass::Output) return;
  const TypeRow& inner = without_arrays(context, *variable.holds);
  if (context.decorations.has(visit.result, Decoration::Invariant) ||
      (inner.is(TypeKind::Struct) && context.decorations.has_on_member(inner.id, Decoration::Invariant))) {
    report.add(Rule::InvariantStorage, visit.at(visit.operand(OperandName::storage_class)),
               {enumerant_text(context, variable.storage)});
  }
}

// Arrays without a length: descriptors with a capability, and the ends of buffers.
void check_runtime_array(const Context& context, Report& report, const VariableView& variable) {
  const auto wrong = [&](std::string_view expected) {
    report.add(Rule::RuntimeArrayVariable, variable.holds_place, {enumerant_text(context, variable.storage), expected});
  };
  const StorageClass storage = variable.storage;
  if (variable.holds->is(TypeKind::RuntimeArray)) {
    if (!context.has(Capability::RuntimeDescriptorArray)) {
      wrong("the capability RuntimeDescriptorArray, or a structure around it");
    } else if (storage != StorageClass::StorageBuffer && storage != StorageClass::Uniform &&
               storage != StorageClass::UniformConstant) {
      wrong("StorageBuffer, Uniform or UniformConstant");
    }
  }
  const TypeRow& inner = without_arrays(context, *variable.holds);
  if (!inner.is(TypeKind::Struct) || !inner.contains.has_any(TypeTrait::RuntimeArray)) return;
  // Only the end of a buffer grows with what the application binds.
  const bool is_buffer = storage == StorageClass::StorageBuffer || storage == StorageClass::PhysicalStorageBuffer;
  if (context.decorations.has(inner.id, Decoration::Block)) {
    if (!is_buffer && storage != StorageClass::Uniform && storage != StorageClass::UniformConstant) {
      wrong("StorageBuffer");
    }
  } else if (context.decorations.has(inner.id, Decoration::BufferBlock)) {
    if (storage != StorageClass::Uniform) wrong("Uniform for a BufferBlock");
  }
}

// Vectors of more than four components are in memory, or in registers; what stages hand on is made of short ones.
void check_long_vectors(const Context& context, Report& report, const VariableView& variable) {
  if (!context.has(Capability::LongVectorEXT) || !variable.holds->contains.has_any(TypeTrait::Vector)) return;
  const StorageClass storage = variable.storage;
  const auto add = [&](Rule rule, const TypeRow& part) {
    report.add(rule, variable.holds_place, {enumerant_text(context, storage), type_text(context, part.id)});
  };
  const auto length = [&](const TypeRow& vector) { return context.constants.as_u64(vector.length); };
  if (storage == StorageClass::Input || storage == StorageClass::Output) {
    // A length that is specialized may turn out long, so it counts as five.
    const TypeRow* part = find_part(context, *variable.holds, [&](const TypeRow& each) {
      return each.is_vector() && (each.is(TypeKind::LongVector) ? length(each).value_or(5) : each.count) > 4;
    });
    if (part != nullptr) add(Rule::LongVectorStorage, *part);
  } else if (has_explicit_layout(context, storage) || storage == StorageClass::Workgroup) {
    const TypeRow* part = find_part(
        context, *variable.holds, [&](const TypeRow& each) { return each.is(TypeKind::LongVector) && !length(each); });
    // Whoever lays memory out has to know the length when the module is made.
    if (part != nullptr) add(Rule::LongVectorLayout, *part);
  }
}

// --- all together -------------------------------------------------------------------------------------------------------

// What needs no type comes first. The checks do not depend on each other: a variable may be wrong in several ways.
void judge(const Context& context, const Visit& visit, Report& report, const VariableView& variable) {
  check_storage(context, visit, report, variable);
  check_initializer(context, visit, report, variable);
  if (variable.holds == nullptr) return;
  check_bool(context, visit, report, variable);
  check_held_pointer(context, report, variable);
  check_registers(context, report, variable);
  check_small(context, report, variable);
  check_tiny_floats(context, report, variable);
  check_tile_image(context, report, variable);
  if (!context.is_vulkan()) return;
  check_resource(context, report, variable);
  check_invariant(context, visit, report, variable);
  check_runtime_array(context, report, variable);
  check_long_vectors(context, report, variable);
}

void check_variable(const Context& context, const Visit& visit, Report& report) {
  const TypeRow* type = context.types.find(visit.type);
  if (type == nullptr) return;
  if (!type->is(TypeKind::Pointer)) {
    Complaint{context, visit, report}.result("a pointer");
    return;
  }
  const auto variable = visit.as<OpVariable>();
  judge(context, visit, report,
        {variable.storage_class(), type, context.types.find(type->element), visit.at_type(),
         variable.initializer().value_or(IdOperand<IdKind::Value>{})});
}

void check_untyped_variable(const Context& context, const Visit& visit, Report& report) {
  const TypeRow* type = context.types.find(visit.type);
  if (type == nullptr) return;
  if (!type->is(TypeKind::UntypedPointer)) {
    Complaint{context, visit, report}.result("an untyped pointer");
    return;
  }
  const auto variable = visit.as<OpUntypedVariableKHR>();
  const StorageClass storage = variable.storage_class();
  const auto data_type = variable.data_type();
  const TypeRow* holds = data_type ? context.types.find(*data_type) : nullptr;
  if (data_type && (holds == nullptr || holds->is(TypeKind::Function))) {
    Complaint{context, visit, report}.part(*data_type, "the data type", "a type of values");
    return;
  }
  // What nobody else lays out has to say how large it is. (Heaps hold whatever the application puts there.)
  const bool needs_type =
      storage == StorageClass::Function || storage == StorageClass::Private || storage == StorageClass::Workgroup ||
      (context.is_vulkan() && !(storage == StorageClass::UniformConstant && is_heap(context, visit.result)));
  if (holds == nullptr && needs_type) report.add(Rule::DataType, visit.at(), {enumerant_text(context, storage)});
  judge(context, visit, report,
        {storage, type, holds, data_type ? visit.at(*data_type) : visit.at(),
         variable.initializer().value_or(IdOperand<IdKind::Value>{})});
}

// The labels of a switch are counted by their literals.
void check_switch_size(const Context& context, const Visit& visit, Report& report) {
  const auto count = std::count_if(visit.operands.begin(), visit.operands.end(), [](const Operand& operand) {
    return operand.shape == OperandShape::LiteralContextDependentNumber;
  });
  if (static_cast<std::uint64_t>(count) <= context.options.limits.switch_branches) return;
  report.add(Rule::UniversalLimit, visit.at(),
             {fmt::format("{} branches of a switch", count), std::to_string(context.options.limits.switch_branches)});
}

}  // namespace

std::span<const Check> variable_checks() {
  static constexpr Check checks[] = {
      {{OpVariable}, check_variable},
      {{OpUntypedVariableKHR}, check_untyped_variable},
      {{OpSwitch}, check_switch_size},
  };
  return checks;
}

// Universal limits (2.17). Each is told once, at the first variable beyond it; variables of all functions are counted
// together.
void check_variable_limits(const Context& context, Report& report) {
  const Limits& limits = context.options.limits;
  std::uint64_t globals = 0, locals = 0;
  const auto count = [&](InstructionRange range, std::uint64_t& number, Word most, std::string_view what) {
    const auto views = context.module.views(range);
    for (auto it = views.begin(); it != views.end(); ++it) {
      if (!is_variable((*it).opcode) || ++number != most + std::uint64_t{1}) continue;
      report.add(Rule::UniversalLimit, {it.index(), 0},
                 {fmt::format("one more variable {}", what), std::to_string(most)});
    }
  };
  count(context.module.section(Section::Globals), globals, limits.global_variables, "outside of functions");
  // Variables of a function stand in its first block.
  for (const FunctionRow& function : context.module.functions()) {
    const auto blocks = context.module.blocks(function);
    if (!blocks.empty()) count(blocks.front().all, locals, limits.local_variables, "of functions");
  }
}

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// Variables (specification 3.42.8, 2.16.1; Vulkan's interfaces).
//
// The storage class determines the types that a variable may contain and whether it may have an
// initializer. So each storage class has a row of permissions, and each variable is checked against its row.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "spirv/validate/analysis/decoration_places.h"
#include "spirv/validate/analysis/fixes.h"
#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/analysis/small_types.h"
#include "spirv/validate/analysis/type_parts.h"
#include "spirv/validate/checks/checks.h"
#include "spirv/validate/checks/memory/memory_access.h"
#include "vireo/spirv/binary/views/memory.h"
#include "vireo/spirv/binary/views/type_declaration.h"

namespace vireo::spirv {
namespace {

using enum Op;

// --- permissions -----------------------------------------------------------------------------------------------------

/// The permissions of variables of a storage class. Storage classes without a row have no restrictions.
struct StorageRow {
  StorageClass storage;
  bool takes_bool;         ///< may hold booleans, which have no externally visible size
  bool takes_initializer;  ///< may have an initializer outside Vulkan
  bool starts_in_vulkan;   ///< may have an initializer in Vulkan
};
// The columns are storage class, takes_bool, takes_initializer, starts_in_vulkan. In Vulkan, the API initializes
// resources, and other stages write interface variables. So the last column may differ from the one before it.
constexpr StorageRow storage_rows[] = {
    {StorageClass::UniformConstant, true, true, false},
    {StorageClass::Input, false, false, false},
    {StorageClass::Uniform, false, true, false},
    {StorageClass::Output, false, true, true},
    {StorageClass::Workgroup, true, true, true},
    {StorageClass::CrossWorkgroup, true, true, false},
    {StorageClass::Private, true, true, true},
    {StorageClass::Function, true, true, true},
    {StorageClass::PushConstant, false, false, false},
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

// Returns the row of a storage class. A linear search is enough: there are about twenty rows, and modules have few
// variables.
const StorageRow* find_row(StorageClass storage) {
  const auto* row = std::find_if(std::begin(storage_rows), std::end(storage_rows),
                                 [&](const StorageRow& each) { return each.storage == storage; });
  return row == std::end(storage_rows) ? nullptr : row;
}

/// The properties of a variable that the checks of this file need.
struct VariableOperands {
  StorageClass storage;
  const TypeRow* type;     ///< of the result
  const TypeRow* holds;    ///< type of its contents; nullptr if an untyped variable has no Data Type
  Place holds_place;       ///< of the operand that states this type
  AnyOperand initializer;  ///< 0: none
};

// --- storage class ---------------------------------------------------------------------------------------------------

// Returns false if the storage class of the variable is unknown.
bool check_storage(const InstructionCheck& c, const VariableOperands& variable) {
  // Both the variable and its type state the storage class. If the two differ, the intended class is unknown.
  if (variable.storage != variable.type->storage) {
    // If the pointer type is at fault, all variables of this type have the same mismatch. They are notes of the first.
    const Place place = c.at(c.operand(OperandName::storage_class));
    const std::string found = enumerant_text(c, variable.storage);
    const std::string cause = fmt::format("{} {}", variable.type->id, found);
    if (c.findings.join(Rule::StorageMismatch, fmt::format("{} {}", cause, c.result), cause, Rule::StorageMismatch)) {
      c.note(place, "storage class of {id} is {text} as well", {c.result, found});
    }
    c.report_once(Rule::StorageMismatch, place, cause, {c.op(), found, variable.type->storage});
    c.findings.name_cause(Rule::StorageMismatch, fmt::format("type {}", variable.type->id));
    return false;
  }
  // Variables in Function must be inside functions, because each call creates them. All others must be outside.
  const bool is_local = variable.storage == StorageClass::Function;
  std::string_view fault;
  if (variable.storage == StorageClass::Generic || variable.storage == StorageClass::PhysicalStorageBuffer) {
    fault = "only for pointers, not for variables";
  } else if (is_local && c.function.is_none()) {
    fault = "only for variables inside functions";
  } else if (!is_local && !c.function.is_none()) {
    fault = "only for variables outside functions; expected Function";
  }
  if (!fault.empty()) {
    c.report(Rule::VariableStorage, c.at(c.operand(OperandName::storage_class)), {variable.storage, fault});
  }
  return true;
}

// --- initializers ----------------------------------------------------------------------------------------------------

void check_initializer(const InstructionCheck& c, const VariableOperands& variable) {
  if (variable.initializer == 0) return;
  const Op defining = c.op_of(variable.initializer);
  // The address of a module-scope variable is a constant (3.42.8).
  const bool is_global_variable =
      is_variable(defining) && c.type_of(variable.initializer).storage != StorageClass::Function;
  if (!c.is_constant(variable.initializer) && !is_global_variable) {
    c.not_constant(variable.initializer, "the initializer");
    return;
  }
  const StorageRow* row = find_row(variable.storage);
  // A storage class without a row may have an initializer: it is newer than the table or vendor-specific.
  const bool is_permitted = row == nullptr || (c.is_vulkan() ? row->starts_in_vulkan : row->takes_initializer);
  if (!is_permitted) {
    c.report(Rule::InitializerStorage, c.at(variable.initializer),
             {variable.storage, row->takes_initializer ? " in Vulkan" : ""});
    return;
  }
  // Workgroup memory can only be initialized to zero (VK_KHR_zero_initialize_workgroup_memory).
  if (c.is_vulkan() && variable.storage == StorageClass::Workgroup && defining != OpConstantNull) {
    c.report(Rule::WorkgroupInitializer, c.at(variable.initializer), {defining});
    c.note({c.module.definition(variable.initializer), 0}, "initializer declared here");
  }
  // Types that are not aggregates are declared once, so equal types have equal ids. Aggregate types must have the same
  // id.
  if (variable.holds != nullptr && c.module.type_of(variable.initializer) != variable.holds->id) {
    c.mismatch(variable.initializer, "the initializer", "the type of the variable", variable.holds->id);
  }
}

// --- contents --------------------------------------------------------------------------------------------------------

// Adds a note at the first member with one of these traits, if the variable is a structure or an array of structures.
void note_member(const ModuleCheck& c, const VariableOperands& variable, TypeTraits traits) {
  const TypeRow& structure = variable.holds->innermost();
  if (!structure.is(TypeKind::Struct)) return;
  const auto members = View<OpTypeStruct>(c.module.instruction(structure.declaration)).member_types();
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (!c.types.of(members[i]).contains.has_any(traits)) continue;
    c.note({structure.declaration, members[i].word}, "{text} has type {type}",
           {member_text(c, structure.id, static_cast<Word>(i)), members[i]});
    return;
  }
}

constexpr std::string_view only_private = "expected Function or Private";

// Reports that variables of this storage class cannot contain `what`, which has one of the traits. `reason` states why,
// or what is allowed.
void report_contents(const ModuleCheck& c, const VariableOperands& variable, std::string_view what,
                     std::string_view reason, TypeTraits traits) {
  const bool is_kept = c.has_room_for(Rule::VariableType);
  c.report(Rule::VariableType, variable.holds_place, {variable.storage, what, reason});
  c.vuid(0);  // the VUID is about booleans
  if (is_kept) note_member(c, variable, traits);
}

// A boolean has no defined size or bit pattern, so memory outside the invocation cannot contain it.
void check_bool(const InstructionCheck& c, const VariableOperands& variable) {
  const StorageRow* row = find_row(variable.storage);
  if (row == nullptr || row->takes_bool || !variable.holds->contains.has_any(TypeTrait::Bool)) return;
  // Interface variables with a BuiltIn decoration may be booleans, such as FrontFacing.
  const bool is_interface = variable.storage == StorageClass::Input || variable.storage == StorageClass::Output;
  const TypeRow& inner = variable.holds->innermost();
  if (is_interface && (c.decorations.has(c.result, Decoration::BuiltIn) ||
                       c.decorations.has_on_member(inner.id, Decoration::BuiltIn))) {
    return;
  }
  report_contents(
      c, variable, "OpTypeBool",
      is_interface ? "only built-ins can be booleans there" : "a boolean has no defined size or bit pattern",
      TypeTrait::Bool);
  c.vuid(is_interface ? 7290 : 0);
  c.hint("use an unsigned integer instead of OpTypeBool");
  if (is_interface) c.findings.await_counterpart(missing_decoration(Decoration::BuiltIn, c.result));
}

// In the logical addressing model, a variable that contains pointers needs variable pointers.
void check_held_pointer(const ModuleCheck& c, const VariableOperands& variable) {
  if (!c.is_logical || c.has(Feature::RelaxLogicalPointer)) return;
  if (!variable.holds->is_pointer() && !variable.holds->contains.has_any(TypeTrait::Pointer)) return;
  // A physical pointer is an address and may be in any variable. Traits do not always distinguish the two kinds, so the
  // parts of the type are searched.
  const TypeRow* part = find_part(c, *variable.holds, [](const TypeRow& each) {
    return each.is_pointer() && each.storage != StorageClass::PhysicalStorageBuffer;
  });
  if (part == nullptr) return;
  // Only the first such pointer is reported: one finding for each variable.
  const TypeRow& held = *part;
  auto missing = missing_for_variable_pointer(c, held.storage, "pointers to StorageBuffer or Workgroup");
  // A logical pointer has no bit pattern, so memory outside the invocation cannot contain it.
  if (!missing && variable.storage != StorageClass::Function && variable.storage != StorageClass::Private) {
    missing = MissingRequirement{.capability = {}, .expected = "Function or Private"};
  }
  if (!missing) return;
  report_contents(c, variable, fmt::format("logical pointers to {}", enumerant_text(c, held.storage)),
                  missing_text(c, *missing), TypeTrait::Pointer);
  hint_missing(c, *missing);
}

// Whether a type is or contains a long vector, in any nesting. Cooperative vectors are also long vectors.
bool has_long_vector(const ModuleCheck& c, const TypeRow& type) {
  return type.contains.has_any(TypeTrait::Vector) &&
         find_part(c, type, [](const TypeRow& part) { return part.is(TypeKind::LongVector); }) != nullptr;
}

// The components of a cooperative matrix are distributed over invocations, so shared memory cannot contain one.
void check_registers(const ModuleCheck& c, const VariableOperands& variable) {
  if (variable.storage == StorageClass::Function || variable.storage == StorageClass::Private) return;
  // In Vulkan, other rules state the contents of these classes.
  const bool is_resource = c.is_vulkan() && is_one_of({StorageClass::UniformConstant, StorageClass::Uniform,
                                                       StorageClass::StorageBuffer, StorageClass::PushConstant},
                                                      variable.storage);
  const TypeRow& inner = variable.holds->innermost();
  if (is_ray_object(inner) && !is_resource) {
    report_contents(c, variable, inner.opcode == OpTypeRayQueryKHR ? "ray queries" : "hit objects", only_private, {});
  } else if (variable.holds->contains.has_any(TypeTrait::CooperativeMatrix)) {
    report_contents(c, variable, "cooperative matrices", only_private, TypeTrait::CooperativeMatrix);
  } else if (!c.has(Capability::LongVectorEXT) && c.has(Capability::CooperativeVectorNV) &&
             has_long_vector(c, *variable.holds)) {
    report_contents(c, variable, "cooperative vectors", only_private, {});
  }
}

// The storage classes for vectors of more than four components (SPV_EXT_long_vector, 2.16.1).
bool takes_long_vectors(StorageClass storage) {
  switch (storage) {
    case StorageClass::Function:
    case StorageClass::Private:
    case StorageClass::Uniform:
    case StorageClass::Workgroup:
    case StorageClass::StorageBuffer:
    case StorageClass::PhysicalStorageBuffer:
    case StorageClass::PushConstant:
    case StorageClass::ShaderRecordBufferKHR:
    case StorageClass::CrossWorkgroup:
    case StorageClass::Generic: return true;
    default: return false;
  }
}

// The first part of a type that is a vector of more than four components; nullptr if there is none.
const TypeRow* find_long_vector(const ModuleCheck& c, const TypeRow& type) {
  return find_part(c, type, [&](const TypeRow& each) {
    if (each.is(TypeKind::LongVector)) return c.constants.as_u64(each.length, ValueUse::OrDefault) > 4u;
    return each.is(TypeKind::Vector) && each.count > 4;
  });
}

// Floats of 4 and 6 bits have no size in whole bytes.
void check_tiny_floats(const ModuleCheck& c, const VariableOperands& variable) {
  // The trait covers all floats of at most 8 bits; only the type states the width.
  if (!c.is_shader() || !variable.holds->contains.has_any(TypeTrait::Float8)) return;
  if (variable.storage == StorageClass::Function || variable.storage == StorageClass::Private) return;
  const auto is_tiny = [](const TypeRow& part) {
    return part.is(TypeKind::Float) && (part.width == 4 || part.width == 6);
  };
  if (find_part(c, *variable.holds, is_tiny) == nullptr) return;
  report_contents(c, variable, "floats of 4 or 6 bits", only_private, TypeTrait::Float8);
}

// --- tiles (SPV_EXT_shader_tile_image; attachments are in image_queries.cpp) -----------------------------------------

// A fragment reads its own pixel through TileImageEXT, which contains only tile images.
void check_tile_image(const ModuleCheck& c, const VariableOperands& variable) {
  if (variable.storage != StorageClass::TileImageEXT) return;
  const TypeRow& image = variable.holds->innermost();
  if (image.is(TypeKind::Image) && c.types.image(image).dim == Dim::TileImageDataEXT) return;
  c.report(Rule::TileImageType, variable.holds_place, {variable.holds->id});
}

// --- small scalars ---------------------------------------------------------------------------------------------------

// Whether the storage class may contain scalars of 8 or 16 bits. In older modules, storage buffers are in Uniform with
// BufferBlock.
bool may_hold(const ModuleCheck& c, const VariableOperands& variable, std::uint32_t width) {
  if (has_small_storage(c, variable.storage, width)) return true;
  const TypeRow& block = variable.holds->innermost();
  return variable.storage == StorageClass::Uniform && c.decorations.has(block.id, Decoration::BufferBlock) &&
         has_small_storage(c, StorageClass::StorageBuffer, width);
}

// A module may declare a small type and still lack the capability for a storage class (small_types.cpp). A type that it
// may not declare is not reported again.
void check_small(const ModuleCheck& c, const VariableOperands& variable) {
  if (!c.is_shader()) return;
  const TypeTraits held = variable.holds->contains;
  // The missing capability is reported once, however many variables of the storage class need it.
  const auto refuse = [&](std::string_view what, std::uint32_t width, Capability to_compute) {
    const TypeRow& block = variable.holds->innermost();
    const bool is_buffer_block =
        variable.storage == StorageClass::Uniform && c.decorations.has(block.id, Decoration::BufferBlock);
    // If no capability is only about storage, arithmetic on such scalars is needed.
    const Capability needed =
        small_storage_capability(is_buffer_block ? StorageClass::StorageBuffer : variable.storage, width)
            .value_or(to_compute);
    const std::string storage = enumerant_text(c, variable.storage), capability = enumerant_text(c, needed);
    c.report_once(Rule::VariableType, variable.holds_place, fmt::format("{} of {}", what, storage),
                  {storage, what, fmt::format("this requires capability {}", capability)});
    c.vuid(0);
    hint_capability(c, capability);
    c.findings.name_cause(Rule::VariableType, capability);
  };
  const bool computes_16 = c.has(Capability::Int16) || c.has(Capability::Float16);
  const bool is_16 = (held.has_any(TypeTrait::Int16) && may_declare_int(c, 16)) ||
                     (held.has_any(TypeTrait::Float16) && may_declare_float(c, 16));
  if (is_16 && !computes_16 && !may_hold(c, variable, 16)) {
    refuse("16-bit scalars", 16, held.has_any(TypeTrait::Int16) ? Capability::Int16 : Capability::Float16);
  }
  if (held.has_any(TypeTrait::Int8) && may_declare_int(c, 8) && !c.has(Capability::Int8) && !may_hold(c, variable, 8)) {
    refuse("8-bit scalars", 8, Capability::Int8);
  }
}

// --- Vulkan ----------------------------------------------------------------------------------------------------------

// The opaque types that an application binds. Others, such as ray queries, exist only while a shader runs.
bool is_handle(const TypeRow& type) {
  switch (type.kind) {
    case TypeKind::RayQuery:
    case TypeKind::HitObject:
    case TypeKind::TensorLayout:
    case TypeKind::TensorView:
    case TypeKind::Buffer: return false;
    default: return type.is_opaque();
  }
}

// Resources are structures, arrays of structures, or handles, depending on the storage class.
void check_resource(const ModuleCheck& c, const VariableOperands& variable) {
  const TypeRow& held = variable.holds->is_array() ? variable.holds->element_type() : *variable.holds;
  switch (variable.storage) {
    case StorageClass::PushConstant:
      if (variable.holds->is(TypeKind::Struct)) return;
      c.report(Rule::PushConstantType, variable.holds_place, {variable.holds->id});
      return;
    case StorageClass::Uniform:
    case StorageClass::StorageBuffer:
      // A structure, or one array of structures.
      if (held.is(TypeKind::Struct)) return;
      c.report(Rule::BufferType, variable.holds_place, {variable.storage, variable.holds->id});
      return;
    case StorageClass::UniformConstant:
      // A handle, or one array of handles.
      if (is_handle(held) || variable.type->is(TypeKind::UntypedPointer)) return;
      c.report(Rule::UniformConstantType, variable.holds_place, {variable.holds->id});
      return;
    default: return;
  }
}

// Invariant guarantees equal results in different shaders, so it applies only to values that are passed between stages.
void check_invariant(const InstructionCheck& c, const VariableOperands& variable) {
  if (variable.storage == StorageClass::Input || variable.storage == StorageClass::Output) return;
  const TypeRow& inner = variable.holds->innermost();
  const DecorationRow* row = c.decorations.find(c.result, Decoration::Invariant);
  const bool is_on_member = inner.is(TypeKind::Struct) && c.decorations.has_on_member(inner.id, Decoration::Invariant);
  if (row == nullptr && !is_on_member) return;
  c.report(Rule::InvariantStorage, c.at(c.operand(OperandName::storage_class)), {variable.storage});
  if (row != nullptr) {
    c.note({row->instruction, 0}, "decorated here");
  } else {
    c.note({inner.declaration, 0}, "{id} has a member decorated Invariant", {inner.id});
  }
}

// Runtime arrays are allowed at the end of buffers and, with a capability, as arrays of descriptors.
void check_runtime_array(const ModuleCheck& c, const VariableOperands& variable) {
  const auto wrong = [&](std::string_view what, std::string_view reason) {
    c.report(Rule::RuntimeArrayVariable, variable.holds_place, {variable.storage, what, reason});
  };
  const StorageClass storage = variable.storage;
  const bool has_descriptors = storage == StorageClass::StorageBuffer || storage == StorageClass::Uniform ||
                               storage == StorageClass::UniformConstant;
  if (variable.holds->is(TypeKind::RuntimeArray)) {
    if (!c.has(Capability::RuntimeDescriptorArray)) {
      if (has_descriptors) {
        wrong("runtime arrays", "an array of descriptors without a length requires capability RuntimeDescriptorArray");
        hint_capability(c, Capability::RuntimeDescriptorArray);
      } else {
        wrong("runtime arrays", "the length is unknown");
      }
    } else if (!has_descriptors) {
      wrong("runtime arrays", "expected StorageBuffer, Uniform or UniformConstant");
    }
  }
  const TypeRow& inner = variable.holds->innermost();
  if (!inner.is(TypeKind::Struct) || !inner.contains.has_any(TypeTrait::RuntimeArray)) return;
  // Only a buffer may have a runtime array as its last member, because the bound memory determines its length.
  const bool is_buffer = storage == StorageClass::StorageBuffer || storage == StorageClass::PhysicalStorageBuffer;
  if (c.decorations.has(inner.id, Decoration::Block)) {
    if (!is_buffer && storage != StorageClass::Uniform && storage != StorageClass::UniformConstant) {
      wrong("blocks with a runtime array", "expected StorageBuffer");
    }
  } else if (c.decorations.has(inner.id, Decoration::BufferBlock)) {
    if (storage != StorageClass::Uniform) wrong("a BufferBlock with a runtime array", "expected Uniform");
  }
}

// Also of pointer types without a variable, in Vulkan.
void check_pointer_to_long_vector(const InstructionCheck& c) {
  if (!c.is_vulkan() || !c.has(Capability::LongVectorEXT)) return;
  const auto pointer = c.as<OpTypePointer>();
  const TypeRow* holds = c.types.find(pointer.type());
  if (holds == nullptr || !holds->contains.has_any(TypeTrait::Vector)) return;
  const StorageClass storage = pointer.storage_class();
  const TypeRow* part = takes_long_vectors(storage) ? nullptr : find_long_vector(c, *holds);
  if (part == nullptr) return;
  c.report(Rule::LongVectorStorage, c.at(pointer.type()), {enumerant_text(c, storage), type_text(c, part->id)});
}

// Code outside the module cannot know the layout behind an array whose length is specialized. So only the outermost
// array may have such a length, not counting the array of vertices of an interface variable.
void check_spec_sized(const ModuleCheck& c, const VariableOperands& variable) {
  const TypeRow& holds = *variable.holds;
  const StorageClass storage = variable.storage;
  if (!holds.contains.has_any(TypeTrait::SpecSized)) return;
  if (storage == StorageClass::Function || storage == StorageClass::Private) return;
  if (storage == StorageClass::Workgroup && !is_block(c, holds.innermost().id)) return;
  const bool is_interface = storage == StorageClass::Input || storage == StorageClass::Output;
  const TypeRow* part = find_part(c, holds, [&](const TypeRow& each) {
    if (!each.is(TypeKind::Array) || each.id == holds.id) return false;
    if (is_interface && holds.is_array() && each.id == holds.element) return false;
    return c.constants.of(each.length).status != ConstantStatus::Known;
  });
  if (part != nullptr) c.report(Rule::SpecSizedArray, variable.holds_place, {storage, part->id});
}

void check_long_vectors(const ModuleCheck& c, const VariableOperands& variable) {
  if (!c.has(Capability::LongVectorEXT) || !variable.holds->contains.has_any(TypeTrait::Vector)) return;
  const StorageClass storage = variable.storage;
  const auto add = [&](Rule rule, const TypeRow& part) {
    c.report(rule, variable.holds_place, {enumerant_text(c, storage), type_text(c, part.id)});
  };
  if (!takes_long_vectors(storage)) {
    const TypeRow* part = find_long_vector(c, *variable.holds);
    if (part == nullptr) return;
    // In Vulkan, pointer types have the rule; an untyped variable has none.
    if (c.is_vulkan()) return variable.type->is(TypeKind::Pointer) ? void() : add(Rule::LongVectorStorage, *part);
    // Vector16 has its own rules for kernels, which share no interfaces between stages.
    report_contents(c, variable, "vectors of more than four components",
                    "expected a storage class that is not an interface between stages", {});
  } else if (!c.is_vulkan()) {
    return;
  } else if (storage == StorageClass::Workgroup ? is_block(c, variable.holds->innermost().id)
                                                : has_explicit_layout(c, storage)) {
    const TypeRow* part = find_part(c, *variable.holds, [&](const TypeRow& each) {
      return each.is(TypeKind::LongVector) && !c.constants.as_u64(each.length);
    });
    // A length that specialization determines is not allowed in memory with an explicit layout.
    if (part != nullptr) add(Rule::LongVectorLayout, *part);
  }
}

// --- instructions ----------------------------------------------------------------------------------------------------

// All checks depend on the storage class. Otherwise they are independent: a variable may have several errors.
void check(const InstructionCheck& c, const VariableOperands& variable) {
  if (!check_storage(c, variable)) return;
  check_initializer(c, variable);
  if (variable.holds == nullptr || !c.soundness.is_sound_type(variable.holds->id)) return;
  check_bool(c, variable);
  check_held_pointer(c, variable);
  check_registers(c, variable);
  check_small(c, variable);
  check_tiny_floats(c, variable);
  check_tile_image(c, variable);
  check_long_vectors(c, variable);
  if (!c.is_vulkan()) return;
  check_resource(c, variable);
  check_invariant(c, variable);
  check_runtime_array(c, variable);
  check_spec_sized(c, variable);
}

void check_variable(const InstructionCheck& c) {
  const TypeRow* type = c.types.find(c.type);
  if (type == nullptr) return;
  if (!type->is(TypeKind::Pointer)) {
    c.wrong_result("a pointer");
    return;
  }
  const auto variable = c.as<OpVariable>();
  check(c, {variable.storage_class(), type, c.types.find(type->element), c.at_type(),
            variable.initializer().value_or(IdOperand<IdKind::Value>{})});
}

void check_untyped_variable(const InstructionCheck& c) {
  const TypeRow* type = c.types.find(c.type);
  if (type == nullptr) return;
  if (!type->is(TypeKind::UntypedPointer)) {
    c.wrong_result("an untyped pointer");
    return;
  }
  const auto variable = c.as<OpUntypedVariableKHR>();
  const StorageClass storage = variable.storage_class();
  const auto data_type = variable.data_type();
  const TypeRow* holds = data_type ? c.types.find(*data_type) : nullptr;
  if (data_type && (holds == nullptr || holds->is(TypeKind::Function))) {
    c.wrong_part(*data_type, "the data type", "a type of values");
    return;
  }
  // In these storage classes, the Data Type operand determines the size of the variable. (A heap may contain any data.)
  const bool needs_type = storage == StorageClass::Function || storage == StorageClass::Private ||
                          storage == StorageClass::Workgroup ||
                          (c.is_vulkan() && !(storage == StorageClass::UniformConstant && is_heap(c, c.result)));
  if (holds == nullptr && needs_type) {
    const bool may_be_heap = storage == StorageClass::UniformConstant && c.has(Capability::DescriptorHeapEXT);
    c.report(Rule::UntypedVariableDataType, c.at(), {storage});
    c.vuid(storage == StorageClass::UniformConstant ? 11347 : 11167);
    if (may_be_heap) {
      c.findings.await_counterpart(missing_decoration(Decoration::BuiltIn, c.result));
      c.hint("a descriptor heap needs BuiltIn ResourceHeapEXT or SamplerHeapEXT instead");
    }
  }
  check(c, {storage, type, holds, data_type ? c.at(*data_type) : c.at(),
            variable.initializer().value_or(IdOperand<IdKind::Value>{})});
}

// Counts the literals of the switch: there is one for each branch.
void check_switch_size(const InstructionCheck& c) {
  const auto count = std::count_if(c.operands.begin(), c.operands.end(), [](const Operand& operand) {
    return operand.shape == OperandShape::LiteralContextDependentNumber;
  });
  if (static_cast<std::uint64_t>(count) <= c.options.limits.switch_branches) return;
  c.report(Rule::UniversalLimit, c.at(),
           {fmt::format("{} branches of a switch", count), c.options.limits.switch_branches});
  hint_limit(c, &Limits::switch_branches);
}

}  // namespace

std::span<const Check> variable_checks() {
  static constexpr Check checks[] = {
      {{OpVariable}, check_variable},
      {{OpUntypedVariableKHR}, check_untyped_variable},
      {{OpTypePointer}, check_pointer_to_long_vector},
      {{OpSwitch}, check_switch_size},
  };
  return checks;
}

// Universal limits (2.17). Each limit is reported once, at the first variable beyond it. The variables of all functions
// are counted together.
void check_variable_limits(const ModuleCheck& c) {
  std::uint64_t globals = 0, locals = 0;
  const auto count = [&](InstructionRange range, std::uint64_t& number, Word Limits::*limit, std::string_view what) {
    const Word most = c.options.limits.*limit;
    const auto views = c.module.views(range);
    for (auto it = views.begin(); it != views.end(); ++it) {
      if (!is_variable((*it).opcode) || ++number != most + std::uint64_t{1}) continue;
      c.report(Rule::UniversalLimit, {it.index(), 0}, {fmt::format("one more variable {}", what), most});
      hint_limit(c, limit);
    }
  };
  count(c.module.section(Section::Globals), globals, &Limits::global_variables, "outside of functions");
  // The variables of a function are in its first block.
  for (const FunctionRow& function : c.module.functions()) {
    const auto blocks = c.module.blocks(function);
    if (!blocks.empty()) count(blocks.front().all, locals, &Limits::local_variables, "of functions");
  }
}

}  // namespace vireo::spirv

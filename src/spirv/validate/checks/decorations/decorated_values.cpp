// SPDX-License-Identifier: Apache-2.0
//
// Checks of decorations that depend on more than the kind of target: FPRoundingMode, NonReadable, NonWritable,
// Component, Coherent.
//
// decoration_checks.cpp checks the kind of a target. These checks also use the type of the value, its
// storage class and its uses. A table maps each decoration to a function.
//
// Source: specification 2.16.2 (rounding), 3.20 (decorations); Vulkan, "Location and Component Assignment".
#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <string>
#include <vector>

#include "spirv/validate/analysis/decoration_places.h"
#include "spirv/validate/analysis/places.h"
#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/checks/checks.h"
#include "spirv/validate/checks/images/images.h"
#include "vireo/spirv/binary/views/memory.h"

namespace vireo::spirv {
namespace {

using enum Op;
using Storage = StorageClass;

// A value with FPRoundingMode and its first invalid use; nullptr if all uses are valid.
struct RoundedValue {
  Word value = 0;
  const Use* use = nullptr;
};

// A decoration of a defined id. A decoration from a group is reported at the instruction that applies the group.
struct DecoratedCheck : ModuleCheck {
  DecoratedCheck(const ModuleCheck& c, const DecorationRow& decoration, RoundedValue& last)
      : ModuleCheck(c), row(decoration), rounded(last) {}
  const DecorationRow& row;
  RoundedValue& rounded;  // cached result of the previous target

  [[nodiscard]] Place place() const { return decoration_place(row); }
  // The operand of the decoration. If a group applies the decoration, the instruction that applies the group.
  [[nodiscard]] Place operand_place() const { return row.group_use.is_none() ? parameter_place(row) : place(); }
  [[nodiscard]] std::string name() const { return enumerant_text(*this, row.decoration); }
  [[nodiscard]] std::string target() const { return target_text(*this, row); }
  void note_declaration() const { note_target(*this, row.target, row.member); }
  [[nodiscard]] Word operand() const { return decorations.operand_or(row, 0); }
};

// --- FPRoundingMode (2.16.2) -----------------------------------------------------------------------------------------

// The first invalid use of a rounded value; nullptr if all are valid.
const Use* first_invalid_use(const ModuleCheck& c, Word value) {
  for (const Use& use : c.facts.uses().of(value)) {
    const InstructionView user = c.module.instruction(use.instruction);
    const Op op = user.opcode;
    // Skips names, decorations, extended instructions, and further conversions, which round the value again.
    if (use.kind != UseKind::Operand || op == OpFConvert || op == OpExtInst) continue;
    const auto store = as<OpStore>(user);
    if (!store || use.word != store->object().word) return &use;
    // The storage classes that 2.16.2 lists: externally visible memory.
    const TypeRow& pointer = c.type_of(store->pointer());
    if (pointer.is_pointer() && !is_one_of({Storage::StorageBuffer, Storage::PhysicalStorageBuffer, Storage::Uniform,
                                            Storage::PushConstant, Storage::Input, Storage::Output},
                                           pointer.storage)) {
      return &use;
    }
  }
  return nullptr;
}

// In a shader, a rounded value is a 16-bit float, and stores are its only valid uses. Reports one finding for each
// decoration: the first invalid use.
void check_stores(const DecoratedCheck& c) {
  // The decorations of a value are adjacent, so its uses are searched once.
  if (c.rounded.value != c.row.target) c.rounded = {c.row.target, first_invalid_use(c, c.row.target)};
  const Use* use = c.rounded.use;
  if (use == nullptr) return;
  const InstructionView user = c.module.instruction(use->instruction);
  const auto store = as<OpStore>(user);
  const bool is_stored = store && use->word == store->object().word;
  if (is_stored) {
    const StorageClass storage = c.type_of(store->pointer()).storage;
    c.report(Rule::RoundingStorage, c.place(), {c.target(), storage});
  } else {
    c.report(Rule::RoundingUse, c.place(), {c.target(), user.opcode});
  }
  c.note({use->instruction, use->word}, is_stored ? "stored here" : "used here");
}

// The capabilities that SPV_KHR_16bit_storage states for FPRoundingMode.
constexpr Capability storage_capabilities[] = {
    Capability::StorageBuffer16BitAccess,
    Capability::UniformAndStorageBuffer16BitAccess,
    Capability::StoragePushConstant16,
    Capability::StorageInputOutput16,
};

// Rounded values are only stored, so Vulkan requires a capability to store them. Reports it once for the module.
void check_storage_capability(const DecoratedCheck& c) {
  const auto has = [&](Capability capability) { return c.has(capability); };
  if (!c.is_vulkan() || std::ranges::any_of(storage_capabilities, has)) return;
  std::vector<std::string> names;
  for (const Capability capability : storage_capabilities) names.push_back(enumerant_text(c, capability));
  const std::string list = list_text(names, "or");
  // A capability to store 16-bit floats also permits their type.
  if (c.findings.join(Rule::ScalarCapability, "rounding", "16-bit float type", Rule::RoundingCapability)) {
    c.note(c.place(), Rule::RoundingCapability, {c.target(), list});
    return;
  }
  c.report_once(Rule::RoundingCapability, c.place(), "", {c.target(), list});
}

void check_rounding_of_shader(const DecoratedCheck& c, Op op) {
  const TypeRow& type = c.type_of(c.row.target);
  if (op != OpFConvert) {
    c.report(Rule::RoundingTarget, c.place(), {c.target(), op, "OpFConvert"});
    c.note_declaration();
    return;
  }
  // Vulkan allows only RTE (to nearest even) and RTZ (toward zero).
  const auto mode = static_cast<FPRoundingMode>(c.operand());
  if (c.is_vulkan() && mode != FPRoundingMode::RTE && mode != FPRoundingMode::RTZ) {
    c.report(Rule::VulkanRounding, c.operand_place(), {enumerant_text(c, "FPRoundingMode", c.operand())});
  }
  const Shape shape = c.types.shape(type);
  if (shape.scalar != TypeKind::Float || shape.width != 16) {
    c.report(Rule::RoundingWidth, c.place(), {c.target(), type.id});
    c.note_declaration();
    return;
  }
  check_storage_capability(c);
  check_stores(c);
}

// In kernels, conversions from or to floats of any width may have the decoration.
void check_rounding_of_kernel(const DecoratedCheck& c, Op op) {
  if (is_one_of(float_conversions, op)) return;
  const bool rounds_more = c.has(Capability::RoundedDivideSqrtINTEL);
  if (rounds_more && (op == OpFDiv || op == OpExtInst)) return;
  c.report(
      Rule::RoundingTarget, c.place(),
      {c.target(), op,
       rounds_more ? "a conversion from or to floats, a division or a square root" : "a conversion from or to floats"});
  c.note_declaration();
}

// If a module has both the Shader and the Kernel capability, the stricter rules of shaders apply.
void check_rounding(const DecoratedCheck& c) {
  const Op op = c.op_of(c.row.target);
  if (c.is_shader()) return check_rounding_of_shader(c, op);
  if (c.has(Capability::Kernel)) check_rounding_of_kernel(c, op);
}

// --- NonReadable, NonWritable ----------------------------------------------------------------------------------------

// Whether a type is a storage image: its Sampled operand is 2. In kernels, images are function parameters, and the
// access qualifier replaces Sampled.
bool is_storage_image(const ModuleCheck& c, const TypeRow& type, Op declared_by) {
  constexpr Word without_sampler = 2;
  const bool is_of_kernel = !c.is_shader() && declared_by == OpFunctionParameter;
  return type.is(TypeKind::Image) && (is_of_kernel || c.types.image(type).sampled == without_sampler);
}

void check_access(const DecoratedCheck& c) {
  const TypeRow& type = c.type_of(c.row.target);
  if (!type.is_pointer()) return;
  const bool is_write = c.row.decoration == Decoration::NonWritable;
  const Op op = c.op_of(c.row.target);
  const bool is_object =
      is_variable(op) || op == OpFunctionParameter || op == OpRawAccessChainNV || op == OpBufferPointerEXT;
  // decoration_checks.cpp reports other pointers; of the decorations in groups, it checks only NonWritable.
  if (!is_object && (is_write || c.row.group_use.is_none())) return;
  const TypeRow* pointee = pointee_of(c, c.row.target);
  // An untyped pointer may point to a block.
  const bool may_be_block = pointee == nullptr || is_block(c, pointee->innermost().id);
  // From SPIR-V 1.4 on, a Function or Private variable may be NonWritable, but not NonReadable.
  const bool has_private = is_write && c.version() >= Version{1, 4} && is_variable(op);
  // resources.cpp and type_declarations.cpp report a variable whose structure is not a block.
  const bool is_reported =
      c.is_vulkan() && is_variable(op) && !may_be_block && pointee->innermost().is(TypeKind::Struct);
  // Any result of OpBufferPointerEXT may be NonReadable, but only one in StorageBuffer NonWritable, because a uniform
  // block is read-only (SPV_EXT_descriptor_heap).
  const bool is_buffer_pointer = op == OpBufferPointerEXT;
  switch (type.storage) {
    case Storage::StorageBuffer:
      if (may_be_block || is_reported) return;
      break;
    case Storage::ShaderRecordBufferKHR:
    case Storage::TileAttachmentQCOM: return;
    case Storage::Uniform:
      if (is_buffer_pointer ? !is_write : may_be_block) return;
      if (is_reported) return;
      break;
    // An untyped pointer may point to a storage image. Sampled images and samplers cannot have these decorations.
    case Storage::UniformConstant: {
      if (pointee == nullptr) return;
      const TypeRow& inner = pointee->innermost();
      if (is_storage_image(c, inner, c.op_of(c.row.target)) || inner.is(TypeKind::Tensor)) return;
      // If instructions also need a storage image, the Sampled operand of the type is the fault.
      if (c.findings.join(Rule::ImageSampling, fmt::format("{} {}", c.name(), c.row.target), sampling_cause(inner),
                          Rule::AccessDecoration)) {
        c.note(c.place(), "{text} on {text} needs a storage image", {c.name(), object_text(c, c.row.target)});
        return;
      }
      break;
    }
    case Storage::Private:
    case Storage::Function:
      if (has_private) return;
      break;
    default: break;
  }
  c.report(Rule::AccessDecoration, c.place(),
           {c.name(), object_text(c, c.row.target),
            is_buffer_pointer ? "a result of OpBufferPointerEXT in StorageBuffer"
            : has_private ? "a storage image, a block in StorageBuffer or Uniform, or a Private or Function variable"
                          : "a storage image, or a block in StorageBuffer or Uniform"});
  c.note_declaration();
}

// --- Component -------------------------------------------------------------------------------------------------------

// A location has four 32-bit components. A scalar of fewer bits also takes one component.
void check_component(const DecoratedCheck& c) {
  Word type_id = 0;
  if (c.row.member != no_member) {
    // The checked type is the type of the member, or the pointee type of the variable.
    type_id = c.types.member_type(c.types.of(c.row.target), c.row.member);
  } else {
    const TypeRow& type = c.type_of(c.row.target);
    if (!type.is_pointer() || !is_variable(c.op_of(c.row.target))) return;
    if (type.storage == Storage::TileAttachmentQCOM) return;  // has a rule of its own
    if (!is_one_of({Storage::Input, Storage::Output}, type.storage)) {
      if (c.is_vulkan()) return;  // decoration_checks.cpp reports it
      c.report(Rule::ComponentStorage, c.place(), {object_text(c, c.row.target)});
      c.note_declaration();
      return;
    }
    if (const TypeRow* pointee = pointee_of(c, c.row.target)) type_id = pointee->id;
  }
  const TypeRow* type = c.types.find(type_id);
  if (type == nullptr || !c.is_vulkan()) return;
  const TypeRow& inner = type->innermost();
  if (!inner.is_scalar() && !inner.is_vector()) {
    c.report(Rule::ComponentType, c.place(), {c.target(), type_id});
    c.note_declaration();
    return;
  }
  // A component above 3 is reported first, so the sums below cannot overflow.
  const Word component = c.operand();
  const Shape shape = c.types.shape(inner);
  if (component > 3) {
    c.report(Rule::ComponentNumber, c.operand_place(), {component, c.target()});
    c.note_declaration();
    return;
  }
  // A 64-bit component takes two components of the location.
  const bool is_wide = shape.width == 64;
  const std::uint64_t end = component + std::uint64_t{shape.rows} * (is_wide ? 2 : 1);
  if (is_wide && shape.rows > 2) {
    c.report(Rule::WideComponentCount, c.place(), {c.target(), type_id});
  } else if (is_wide && component % 2 != 0) {
    c.report(Rule::WideComponentStart, c.operand_place(), {c.target(), type_id, component});
  } else if (end > 4) {
    c.report(is_wide ? Rule::WideComponentEnd : Rule::ComponentEnd, c.operand_place(),
             {type_name(c, inner.id), std::to_string(component), std::to_string(component), std::to_string(end - 1)});
  } else {
    return;
  }
  c.note_declaration();
}

// --- Coherent (SPV_EXT_shader_tile_image) ----------------------------------------------------------------------------

// The mode removes the order of color attachment reads, on which a coherent variable would depend. The modes for depth
// and stencil are about reads without a variable.
void check_coherent(const DecoratedCheck& c) {
  const bool is_tile_image =
      is_variable(c.op_of(c.row.target)) && c.type_of(c.row.target).storage == Storage::TileImageEXT;
  if (!is_tile_image) return;
  const auto modes = c.module_declarations.execution_modes();
  const auto mode = std::ranges::find(modes, ExecutionMode::NonCoherentColorAttachmentReadEXT, &ExecutionModeRow::mode);
  if (mode == modes.end()) return;
  c.report(Rule::TileImageCoherent, c.place(), {c.row.target});
  c.note(mode_place(*mode), "NonCoherentColorAttachmentReadEXT set here");
  c.note_declaration();
}

// --- table of checks -------------------------------------------------------------------------------------------------

enum class OfMembers : std::uint8_t { No, Yes };
struct ValueCheck {
  Decoration decoration;
  OfMembers of_members;
  void (*run)(const DecoratedCheck&);
};
// For members, only Component is checked here.
constexpr ValueCheck value_checks[] = {
    {Decoration::FPRoundingMode, OfMembers::No, check_rounding},
    {Decoration::NonWritable, OfMembers::No, check_access},
    {Decoration::NonReadable, OfMembers::No, check_access},
    {Decoration::Component, OfMembers::Yes, check_component},
    {Decoration::Coherent, OfMembers::No, check_coherent},
};

}  // namespace

void check_decorated_values(const ModuleCheck& c) {
  RoundedValue rounded;
  for (const DecorationRow& row : c.decorations.rows()) {
    const auto check = std::find_if(std::begin(value_checks), std::end(value_checks),
                                    [&](const ValueCheck& each) { return each.decoration == row.decoration; });
    if (check == std::end(value_checks)) continue;
    if (row.member != no_member && check->of_members == OfMembers::No) continue;
    const Op op = c.op_of(row.target);
    if (op == OpNop || op == OpDecorationGroup || !c.soundness.is_sound(row.target)) continue;
    check->run({c, row, rounded});
  }
}

}  // namespace vireo::spirv

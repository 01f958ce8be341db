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

#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/checks/decorations/decoration_places.h"
#include "spirv/validate/checks/images/images.h"
#include "spirv/validate/checks/interfaces/places.h"
#include "spirv/validate/engine/checks.h"
#include "vireo/spirv/views/memory.h"

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
struct Decorated {
  const Context& context;
  Report& report;
  const DecorationRow& row;
  RoundedValue& rounded;  // cached result of the previous target

  [[nodiscard]] Place place() const { return decoration_place(row); }
  // The operand of the decoration. If a group applies the decoration, the instruction that applies the group.
  [[nodiscard]] Place operand_place() const { return row.group_use.is_none() ? parameter_place(row) : place(); }
  [[nodiscard]] std::string name() const { return enumerant_text(context, row.decoration); }
  [[nodiscard]] std::string target() const { return target_text(context, row); }
  void note() const { note_target(context, report, row.target, row.member); }
  [[nodiscard]] Word operand() const { return context.decorations.operand_or(row, 0); }
};

// --- FPRoundingMode (2.16.2) -----------------------------------------------------------------------------------------

// The first invalid use of a rounded value; nullptr if all are valid.
const Use* first_invalid_use(const Context& context, Word value) {
  for (const Use& use : context.facts.uses().of(value)) {
    const InstructionView user = context.module.instruction(use.instruction);
    const Op op = user.opcode;
    // Skips names, decorations, extended instructions, and further conversions, which round the value again.
    if (use.kind != UseKind::Operand || op == OpFConvert || op == OpExtInst) continue;
    const auto store = as<OpStore>(user);
    if (!store || use.word != store->object().word) return &use;
    // The storage classes that 2.16.2 lists: externally visible memory.
    const TypeRow& pointer = context.type_of(store->pointer());
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
void check_stores(const Decorated& it) {
  const Context& context = it.context;
  // The decorations of a value are adjacent, so its uses are searched once.
  if (it.rounded.value != it.row.target) it.rounded = {it.row.target, first_invalid_use(context, it.row.target)};
  const Use* use = it.rounded.use;
  if (use == nullptr) return;
  const InstructionView user = context.module.instruction(use->instruction);
  const auto store = as<OpStore>(user);
  const bool is_stored = store && use->word == store->object().word;
  if (is_stored) {
    const StorageClass storage = context.type_of(store->pointer()).storage;
    it.report.add(Rule::RoundingStorage, it.place(), {it.target(), enumerant_text(context, storage)});
  } else {
    it.report.add(Rule::RoundingUse, it.place(), {it.target(), op_text(context, user.opcode)});
  }
  it.report.note({use->instruction, use->word}, is_stored ? "stored here" : "used here");
}

// The capabilities that SPV_KHR_16bit_storage states for FPRoundingMode.
constexpr Capability storage_capabilities[] = {
    Capability::StorageBuffer16BitAccess,
    Capability::UniformAndStorageBuffer16BitAccess,
    Capability::StoragePushConstant16,
    Capability::StorageInputOutput16,
};

// Rounded values are only stored, so Vulkan requires a capability to store them. Reports it once for the module.
void check_storage_capability(const Decorated& it) {
  const Context& context = it.context;
  const auto has = [&](Capability capability) { return context.has(capability); };
  if (!context.is_vulkan() || std::ranges::any_of(storage_capabilities, has)) return;
  std::vector<std::string> names;
  for (const Capability capability : storage_capabilities) names.push_back(enumerant_text(context, capability));
  it.report.add_once(Rule::RoundingCapability, it.place(), "", {it.target(), list_text(names, "or")});
}

void check_rounding_of_shader(const Decorated& it, Op op) {
  const Context& context = it.context;
  const TypeRow& type = context.type_of(it.row.target);
  if (op != OpFConvert) {
    it.report.add(Rule::RoundingTarget, it.place(), {it.target(), op_text(context, op), "OpFConvert"});
    it.note();
    return;
  }
  // Vulkan allows only RTE (to nearest even) and RTZ (toward zero).
  const auto mode = static_cast<FPRoundingMode>(it.operand());
  if (context.is_vulkan() && mode != FPRoundingMode::RTE && mode != FPRoundingMode::RTZ) {
    it.report.add(Rule::VulkanRounding, it.operand_place(), {enumerant_text(context, "FPRoundingMode", it.operand())});
  }
  const Shape shape = context.types.shape(type);
  if (shape.scalar != TypeKind::Float || shape.width != 16) {
    it.report.add(Rule::RoundingWidth, it.place(), {it.target(), type_text(context, type.id)});
    it.note();
    return;
  }
  check_storage_capability(it);
  check_stores(it);
}

// In kernels, conversions from or to floats of any width may have the decoration.
void check_rounding_of_kernel(const Decorated& it, Op op) {
  if (is_one_of({OpConvertFToU, OpConvertFToS, OpConvertSToF, OpConvertUToF, OpFConvert}, op)) return;
  const bool rounds_more = it.context.has(Capability::RoundedDivideSqrtINTEL);
  if (rounds_more && (op == OpFDiv || op == OpExtInst)) return;
  it.report.add(
      Rule::RoundingTarget, it.place(),
      {it.target(), op_text(it.context, op),
       rounds_more ? "a conversion from or to floats, a division or a square root" : "a conversion from or to floats"});
  it.note();
}

// If a module has both the Shader and the Kernel capability, the stricter rules of shaders apply.
void check_rounding(const Decorated& it) {
  const Op op = it.context.op_of(it.row.target);
  if (it.context.is_shader()) return check_rounding_of_shader(it, op);
  if (it.context.has(Capability::Kernel)) check_rounding_of_kernel(it, op);
}

// --- NonReadable, NonWritable ----------------------------------------------------------------------------------------

// Whether a type is a storage image: its Sampled operand is 2. In kernels, images are function parameters, and the
// access qualifier replaces Sampled.
bool is_storage_image(const Context& context, const TypeRow& type, Op declared_by) {
  constexpr Word without_sampler = 2;
  const bool is_of_kernel = !context.is_shader() && declared_by == OpFunctionParameter;
  return type.is(TypeKind::Image) && (is_of_kernel || context.types.image(type).sampled == without_sampler);
}

void check_access(const Decorated& it) {
  const Context& context = it.context;
  const TypeRow& type = context.type_of(it.row.target);
  if (!type.is_pointer()) return;
  const bool is_write = it.row.decoration == Decoration::NonWritable;
  const Op op = context.op_of(it.row.target);
  const bool is_object =
      is_variable(op) || op == OpFunctionParameter || op == OpRawAccessChainNV || op == OpBufferPointerEXT;
  // decoration_checks.cpp reports other pointers; of the decorations in groups, it checks only NonWritable.
  if (!is_object && (is_write || it.row.group_use.is_none())) return;
  const TypeRow* pointee = pointee_of(context, it.row.target);
  // An untyped pointer may point to a block.
  const bool may_be_block = pointee == nullptr || is_block(context, innermost_element(context, *pointee).id);
  // From SPIR-V 1.4 on, a Function or Private variable may be NonWritable, but not NonReadable.
  const bool has_private = is_write && context.version() >= Version{1, 4} && is_variable(op);
  // resources.cpp and type_declarations.cpp report a variable whose structure is not a block.
  const bool is_reported = context.is_vulkan() && is_variable(op) && !may_be_block &&
                           innermost_element(context, *pointee).is(TypeKind::Struct);
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
      const TypeRow& inner = innermost_element(context, *pointee);
      if (is_storage_image(context, inner, context.op_of(it.row.target)) || inner.is(TypeKind::Tensor)) return;
      // If instructions also need a storage image, the Sampled operand of the type is the fault.
      if (it.report.join(Rule::ImageSampling, fmt::format("{} {}", it.name(), it.row.target), sampling_cause(inner))) {
        it.report.note(it.place(),
                       fmt::format("{} on {} needs a storage image", it.name(), object_text(context, it.row.target)));
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
  it.report.add(
      Rule::AccessDecoration, it.place(),
      {it.name(), object_text(context, it.row.target),
       is_buffer_pointer ? "a result of OpBufferPointerEXT in StorageBuffer"
       : has_private     ? "a storage image, a block in StorageBuffer or Uniform, or a Private or Function variable"
                         : "a storage image, or a block in StorageBuffer or Uniform"});
  it.note();
}

// --- Component -------------------------------------------------------------------------------------------------------

// A location has four 32-bit components. A scalar of fewer bits also takes one component.
void check_component(const Decorated& it) {
  const Context& context = it.context;
  Word type_id = 0;
  if (it.row.member != no_member) {
    // The checked type is the type of the member, or the pointee type of the variable.
    type_id = context.types.member_type(context.types.of(it.row.target), it.row.member);
  } else {
    const TypeRow& type = context.type_of(it.row.target);
    if (!type.is_pointer() || !is_variable(context.op_of(it.row.target))) return;
    if (type.storage == Storage::TileAttachmentQCOM) return;  // has a rule of its own
    if (!is_one_of({Storage::Input, Storage::Output}, type.storage)) {
      if (context.is_vulkan()) return;  // decoration_checks.cpp reports it
      it.report.add(Rule::ComponentStorage, it.place(), {object_text(context, it.row.target)});
      it.note();
      return;
    }
    if (const TypeRow* pointee = pointee_of(context, it.row.target)) type_id = pointee->id;
  }
  const TypeRow* type = context.types.find(type_id);
  if (type == nullptr || !context.is_vulkan()) return;
  const TypeRow& inner = innermost_element(context, *type);
  if (!inner.is_scalar() && !inner.is_vector()) {
    it.report.add(Rule::ComponentType, it.place(), {it.target(), type_text(context, type_id)});
    it.note();
    return;
  }
  // A component above 3 is reported first, so the sums below cannot overflow.
  const Word component = it.operand();
  const Shape shape = context.types.shape(inner);
  if (component > 3) {
    it.report.add(Rule::ComponentNumber, it.operand_place(), {std::to_string(component), it.target()});
    it.note();
    return;
  }
  // A 64-bit component takes two components of the location.
  const bool is_wide = shape.width == 64;
  const std::uint64_t end = component + std::uint64_t{shape.rows} * (is_wide ? 2 : 1);
  if (is_wide && shape.rows > 2) {
    it.report.add(Rule::WideComponentCount, it.place(), {it.target(), type_text(context, type_id)});
  } else if (is_wide && component % 2 != 0) {
    it.report.add(Rule::WideComponentStart, it.operand_place(),
                  {it.target(), type_name(context, type_id), std::to_string(component)});
  } else if (end > 4) {
    it.report.add(
        is_wide ? Rule::WideComponentEnd : Rule::ComponentEnd, it.operand_place(),
        {type_name(context, inner.id), std::to_string(component), std::to_string(component), std::to_string(end - 1)});
  } else {
    return;
  }
  it.note();
}

// --- Coherent (SPV_EXT_shader_tile_image) ----------------------------------------------------------------------------

// The mode removes the order of color attachment reads, on which a coherent variable would depend. The modes for depth
// and stencil are about reads without a variable.
void check_coherent(const Decorated& it) {
  const Context& context = it.context;
  const bool is_tile_image =
      is_variable(context.op_of(it.row.target)) && context.type_of(it.row.target).storage == Storage::TileImageEXT;
  if (!is_tile_image) return;
  const auto modes = context.module_declarations.execution_modes();
  const auto mode = std::ranges::find(modes, ExecutionMode::NonCoherentColorAttachmentReadEXT, &ExecutionModeRow::mode);
  if (mode == modes.end()) return;
  it.report.add(Rule::TileImageCoherent, it.place(), {id_text(context, it.row.target)});
  it.report.note(mode_place(*mode), "NonCoherentColorAttachmentReadEXT set here");
  it.note();
}

// --- table of checks -------------------------------------------------------------------------------------------------

enum class OfMembers : std::uint8_t { No, Yes };
struct ValueCheck {
  Decoration decoration;
  OfMembers of_members;
  void (*run)(const Decorated&);
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

void check_decorated_values(const Context& context, Report& report) {
  RoundedValue rounded;
  for (const DecorationRow& row : context.decorations.rows()) {
    const auto check = std::find_if(std::begin(value_checks), std::end(value_checks),
                                    [&](const ValueCheck& each) { return each.decoration == row.decoration; });
    if (check == std::end(value_checks)) continue;
    if (row.member != no_member && check->of_members == OfMembers::No) continue;
    const Op op = context.op_of(row.target);
    if (op != OpNop && op != OpDecorationGroup) check->run({context, report, row, rounded});
  }
}

}  // namespace vireo::spirv

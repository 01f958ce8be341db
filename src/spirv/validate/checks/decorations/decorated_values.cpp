// SPDX-License-Identifier: Apache-2.0
//
// Decorations whose targets are judged by more than what they are: rounding, access, components.
//
// The one idea: decoration_checks.cpp asks what sort of thing a target is; here the value's type, its storage class and
// what is done with it count. A decoration has a function, and a table says which.
//
// Source: specification 2.16.2 (rounding), 3.20 (decorations); Vulkan, "Location and Component Assignment".
#include <algorithm>
#include <initializer_list>
#include <iterator>

#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/engine/checks.h"
#include "vireo/spirv/views/memory.h"

namespace vireo::spirv {
namespace {

using enum Op;
using Storage = StorageClass;

// A value that is rounded, and what it is wrongly used for; nullptr: nothing.
struct RoundedValue {
  Word value = 0;
  const Use* use = nullptr;
};

// A decoration of an id that is defined. Those of groups are among them, at the place where the group is applied.
struct Decorated {
  const Context& context;
  Report& report;
  const DecorationRow& row;
  RoundedValue& rounded;  // that was asked about before

  [[nodiscard]] Place place() const { return {row.group_use.is_none() ? row.instruction : row.group_use, 0}; }
  [[nodiscard]] std::string name() const { return enumerant_text(context, row.decoration); }
  [[nodiscard]] std::string target() const { return id_text(context, row.target); }
  [[nodiscard]] Word operand() const { return context.decorations.operand_or(row, 0); }
};

// --- FPRoundingMode (2.16.2) --------------------------------------------------------------------------------------------

// The first use of a rounded value that does not suit; nullptr when all do.
const Use* unfit_use(const Context& context, Word value) {
  for (const Use& use : context.facts.uses().of(value)) {
    const InstructionView user = context.module.instruction(use.instruction);
    const Op op = user.opcode;
    // Names, decorations, debug information; and a further conversion, which rounds what is rounded.
    if (use.kind != UseKind::Operand || op == OpFConvert || op == OpExtInst) continue;
    const auto store = as<OpStore>(user);
    if (!store || use.word != store->object().word) return &use;
    // The storage classes that 2.16.2 lists: memory that others see.
    const TypeRow* pointer = context.type_of(store->pointer());
    if (pointer != nullptr && pointer->is_pointer() &&
        !is_one_of({Storage::StorageBuffer, Storage::PhysicalStorageBuffer, Storage::Uniform, Storage::PushConstant,
                    Storage::Input, Storage::Output},
                   pointer->storage)) {
      return &use;
    }
  }
  return nullptr;
}

// A shader rounds where it narrows a float to 16 bits in order to store it, and nowhere else.
// One finding a decoration: the first use that does not suit.
void check_stores(const Decorated& it) {
  const Context& context = it.context;
  // The decorations of a value are neighbours, so the uses of each are walked once.
  if (it.rounded.value != it.row.target) it.rounded = {it.row.target, unfit_use(context, it.row.target)};
  const Use* use = it.rounded.use;
  if (use == nullptr) return;
  const InstructionView user = context.module.instruction(use->instruction);
  const auto store = as<OpStore>(user);
  const bool is_stored = store && use->word == store->object().word;
  if (is_stored) {
    const StorageClass storage = context.type_of(store->pointer())->storage;
    it.report.add(Rule::RoundingStorage, it.place(), {it.target(), enumerant_text(context, storage)});
  } else {
    it.report.add(Rule::RoundingUse, it.place(), {it.target(), op_text(context, user.opcode)});
  }
  it.report.note({use->instruction, use->word}, is_stored ? "stored here" : "used here");
}

void check_rounding_of_shader(const Decorated& it, Op op) {
  const Context& context = it.context;
  const TypeRow* type = context.type_of(it.row.target);
  if (op != OpFConvert || type == nullptr) {
    it.report.add(Rule::RoundingTarget, it.place(), {it.target(), op_text(context, op), "OpFConvert"});
    return;
  }
  // To nearest and toward zero are what all devices do; the others are for kernels.
  const auto mode = static_cast<FPRoundingMode>(it.operand());
  if (context.is_vulkan() && mode != FPRoundingMode::RTE && mode != FPRoundingMode::RTZ) {
    it.report.add(Rule::VulkanRounding, it.place(), {enumerant_text(context, "FPRoundingMode", it.operand())});
  }
  const Shape shape = context.types.shape(*type);
  if (shape.scalar != TypeKind::Float || shape.width != 16) {
    it.report.add(Rule::RoundingWidth, it.place(), {it.target(), type_text(context, type->id)});
    return;
  }
  check_stores(it);
}

// Kernels round whatever converts, of any width.
void check_rounding_of_kernel(const Decorated& it, Op op) {
  if (is_one_of({OpConvertFToU, OpConvertFToS, OpConvertSToF, OpConvertUToF, OpFConvert}, op)) return;
  const bool rounds_more = it.context.has(Capability::RoundedDivideSqrtINTEL);
  if (rounds_more && (op == OpFDiv || op == OpExtInst)) return;
  it.report.add(
      Rule::RoundingTarget, it.place(),
      {it.target(), op_text(it.context, op),
       rounds_more ? "a conversion from or to floats, a division or a root" : "a conversion from or to floats"});
}

// A module may have both capabilities: then the stricter rules are those of shaders.
void check_rounding(const Decorated& it) {
  const Op op = it.context.op_of(it.row.target);
  if (it.context.is_shader()) return check_rounding_of_shader(it, op);
  if (it.context.has(Capability::Kernel)) check_rounding_of_kernel(it, op);
}

// --- NonReadable, NonWritable -------------------------------------------------------------------------------------------

// Kernels say how they use an image by its access qualifier, not by its type; but theirs are parameters.
// Sampled 2 is an image that is read and written without a sampler.
bool is_storage_image(const Context& context, const TypeRow& type, Op declared_by) {
  constexpr Word without_sampler = 2;
  const bool is_of_kernel = !context.is_shader() && declared_by == OpFunctionParameter;
  return type.is(TypeKind::Image) && (is_of_kernel || context.types.image(type).sampled == without_sampler);
}

void check_access(const Decorated& it) {
  const Context& context = it.context;
  const TypeRow* type = context.type_of(it.row.target);
  if (type == nullptr || !type->is_pointer()) return;
  const TypeRow* pointee = pointee_of(context, it.row.target);
  // An untyped pointer may be one to a block.
  const bool is_said_of_block = pointee == nullptr || is_block(context, without_arrays(context, *pointee).id);
  const bool is_write = it.row.decoration == Decoration::NonWritable;
  // Since 1.4 a variable of a function or an invocation may be said to be written by its initializer only: tables of
  // constants. Of reading nobody says that: a variable that is only written is of no use.
  const bool has_private = is_write && context.version() >= Version{1, 4} && is_variable(context.op_of(it.row.target));
  const bool is_buffer_pointer = context.op_of(it.row.target) == OpBufferPointerEXT;
  switch (type->storage) {
    case Storage::StorageBuffer:
      if (is_said_of_block) return;
      break;
    case Storage::ShaderRecordBufferKHR:
    case Storage::TileAttachmentQCOM: return;
    case Storage::Uniform:
      // A uniform block is never written, so there is nothing to say of a pointer to one that was made in passing.
      if (!is_buffer_pointer && is_said_of_block) return;
      // That the structure which a variable in Uniform holds is no block is told of the variable.
      if (context.is_vulkan() && is_variable(context.op_of(it.row.target)) && !is_said_of_block &&
          without_arrays(context, *pointee).is(TypeKind::Struct))
        return;
      break;
    // A handle of which nothing is known may be an image; one that is sampled is never written.
    case Storage::UniformConstant: {
      if (pointee == nullptr) return;
      const TypeRow& inner = without_arrays(context, *pointee);
      if (is_storage_image(context, inner, context.op_of(it.row.target)) || inner.is(TypeKind::Tensor)) return;
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
      {it.name(), it.target(), enumerant_text(context, type->storage),
       has_private ? "a storage image, a block of StorageBuffer or Uniform, or a variable of Private or Function"
                   : "a storage image, or a block of StorageBuffer or Uniform"});
}

// --- Component ----------------------------------------------------------------------------------------------------------

// Components are those of a location: four of 32 bits. A smaller scalar takes a whole one.
void check_component(const Decorated& it) {
  const Context& context = it.context;
  Word type_id = 0;
  if (it.row.member != no_member) {
    // The member's own type; that of a variable is behind its pointer.
    type_id = context.types.member_type(context.types.of(it.row.target), it.row.member);
  } else {
    const TypeRow* type = context.type_of(it.row.target);
    if (type == nullptr || !type->is_pointer() || !is_variable(context.op_of(it.row.target))) return;
    if (type->storage == Storage::TileAttachmentQCOM) return;  // has a rule of its own
    if (!is_one_of({Storage::Input, Storage::Output}, type->storage)) {
      it.report.add(Rule::ComponentStorage, it.place(), {it.target(), enumerant_text(context, type->storage)});
      return;
    }
    if (const TypeRow* pointee = pointee_of(context, it.row.target)) type_id = pointee->id;
  }
  const TypeRow* type = context.types.find(type_id);
  if (type == nullptr || !context.is_vulkan()) return;
  const TypeRow& inner = without_arrays(context, *type);
  if (!inner.is_scalar() && !inner.is_vector()) {
    it.report.add(Rule::ComponentType, it.place(), {it.target(), type_text(context, type_id)});
    return;
  }
  // Here at most 3 before anything is added to it, so no sum is too large for 32 bits.
  const Word component = it.operand();
  const Shape shape = context.types.shape(inner);
  const auto number = [](std::uint64_t value) { return std::to_string(value); };
  if (component > 3) return it.report.add(Rule::ComponentNumber, it.place(), {number(component)});
  if (shape.width != 64) {
    if (component + shape.rows > 4)
      it.report.add(Rule::ComponentEnd, it.place(), {number(shape.rows), number(component)});
    return;
  }
  // A value of 64 bits takes two components.
  if (shape.rows > 2) {
    it.report.add(Rule::WideComponentCount, it.place(), {it.target(), type_text(context, type_id)});
  } else if (component % 2 != 0) {
    it.report.add(Rule::WideComponentStart, it.place(), {number(component)});
  } else if (component + 2 * shape.rows > 4) {
    it.report.add(Rule::WideComponentEnd, it.place(), {number(shape.rows), number(component)});
  }
}

// --- which decoration ---------------------------------------------------------------------------------------------------

enum class OfMembers : std::uint8_t { No, Yes };
struct ValueCheck {
  Decoration decoration;
  OfMembers of_members;
  void (*run)(const Decorated&);
};
// Of members only components are judged here.
constexpr ValueCheck value_checks[] = {
    {Decoration::FPRoundingMode, OfMembers::No, check_rounding},
    {Decoration::NonWritable, OfMembers::No, check_access},
    {Decoration::NonReadable, OfMembers::No, check_access},
    {Decoration::Component, OfMembers::Yes, check_component},
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

// SPDX-License-Identifier: Apache-2.0
//
// Reads the interface of shaders from their declarations (shader_interface.h).
//
// Source: Vulkan 1.3 specification, 15.1 (shader input and output interfaces), 15.5 (shader resource interface).
#include "equivalence/shader_interface.h"

#include <algorithm>
#include <optional>

namespace vireo::equivalence {
namespace {

using namespace spirv;

// The data would have to contain objects that only the API creates, or the device has no such instructions.
struct Obstacle {
  Capability capability;
  std::string_view reason;
};
constexpr Obstacle obstacles[] = {
    {Capability::PhysicalStorageBufferAddresses, "buffer addresses"},
    {Capability::RayQueryKHR, "ray queries"},
    {Capability::CooperativeMatrixKHR, "cooperative matrices"},
    {Capability::CooperativeMatrixNV, "cooperative matrices"},
    {Capability::InputAttachment, "input attachments"},
    {Capability::FragmentBarycentricKHR, "barycentric coordinates"},
    {Capability::SparseResidency, "sparse images"},
};

constexpr std::uint32_t max_sets = 8, max_attachments = 8, max_locations = 31;
constexpr std::uint32_t unsized_descriptors = 16;  // for arrays of unknown length: more than the integers in buffers

class InterfaceReader {
 public:
  InterfaceReader(const Shader& shader, const EntryPointRow& entry) : shader_(shader), entry_(entry) {}

  ShaderInterface read() {
    result_.name = entry_.name;
    result_.model = entry_.model;
    for (const Obstacle& row : obstacles) {
      if (shader_.declarations.has(row.capability)) fail(row.reason);
    }
    for (const InstructionView instruction : shader_.module.views(shader_.module.section(Section::Globals))) {
      if (instruction.opcode != Op::OpVariable) continue;
      read_variable(shader_.module.result_of(instruction), shader_.types.of(shader_.module.type_of(instruction)));
    }
    for (const Op opcode : {Op::OpImageSampleDrefImplicitLod, Op::OpImageSampleDrefExplicitLod, Op::OpImageDrefGather,
                            Op::OpImageSampleProjDrefImplicitLod, Op::OpImageSampleProjDrefExplicitLod})
      result_.has_depth_comparison = result_.has_depth_comparison || shader_.module.has(opcode);
    sort_slots(result_.inputs, max_locations, "too many inputs");
    sort_slots(result_.outputs, max_attachments, "too many attachments");
    return std::move(result_);
  }

 private:
  // The first reason counts.
  void fail(std::string_view reason) {
    if (result_.obstacle.empty()) result_.obstacle = reason;
  }

  // Since version 1.4 the interface lists all variables; before, only inputs and outputs.
  bool is_in_interface(Word id) const { return std::ranges::find(entry_.interface_, id) != entry_.interface_.end(); }

  void read_variable(Word id, const TypeRow& pointer) {
    if (shader_.module.header().version() >= Version{1, 4} && !is_in_interface(id)) return;
    switch (pointer.storage) {
      case StorageClass::UniformConstant:
      case StorageClass::Uniform:
      case StorageClass::StorageBuffer: read_resource(id, pointer); break;
      case StorageClass::PushConstant: result_.push_constants = pointer.element; break;
      case StorageClass::Input: read_slots(id, pointer, result_.inputs); break;
      case StorageClass::Output: read_slots(id, pointer, result_.outputs); break;
      default: break;  // no part of the interface
    }
  }

  // --- resources ---

  void read_resource(Word id, const TypeRow& pointer) {
    Binding binding;
    const DecorationRow* set = shader_.decorations.find(id, Decoration::DescriptorSet);
    const DecorationRow* number = shader_.decorations.find(id, Decoration::Binding);
    if (set == nullptr || number == nullptr) return fail("a resource without a binding");
    binding.set = shader_.decorations.operand_or(*set, 0);
    binding.binding = shader_.decorations.operand_or(*number, 0);
    if (binding.set >= max_sets) return fail("too many descriptor sets");

    const TypeRow* type = shader_.types.find(pointer.element);
    if (type != nullptr && type->is(TypeKind::Array)) {
      binding.count = static_cast<std::uint32_t>(
          std::min<std::uint64_t>(shader_.constants.as_u64(type->length, ValueUse::OrDefault).value_or(0), 4096));
      if (binding.count == 0) return fail("a descriptor array of unknown length");
      type = shader_.types.find(type->element);
    } else if (type != nullptr && type->is(TypeKind::RuntimeArray)) {
      binding.count = unsized_descriptors;
      type = shader_.types.find(type->element);
    }
    if (type == nullptr) return fail("a resource of unknown type");
    const std::optional<VkDescriptorType> descriptor = descriptor_type(pointer.storage, *type, binding);
    if (!descriptor) return fail("a resource of another type");
    binding.type = *descriptor;

    const auto same = std::ranges::find_if(result_.bindings, [&](const Binding& other) {
      return other.set == binding.set && other.binding == binding.binding;
    });
    if (same == result_.bindings.end()) return result_.bindings.push_back(binding);
    same->count = std::max(same->count, binding.count);
    if (same->type == binding.type) return;
    // A separate image and a separate sampler may be the parts of one combined descriptor.
    constexpr VkDescriptorType combined = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    const auto is_part = [](VkDescriptorType part) {
      return part == VK_DESCRIPTOR_TYPE_SAMPLER || part == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE || part == combined;
    };
    if (!is_part(same->type) || !is_part(binding.type)) return fail("two resources of different types share a binding");
    if (same->type == VK_DESCRIPTOR_TYPE_SAMPLER) same->image = binding.image;
    same->type = combined;
  }

  std::optional<VkDescriptorType> descriptor_type(StorageClass storage, const TypeRow& type, Binding& binding) {
    if (type.is(TypeKind::Struct)) {
      binding.pointee = type.id;
      const bool is_storage =
          storage == StorageClass::StorageBuffer || shader_.decorations.has(type.id, Decoration::BufferBlock);
      return is_storage ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER : VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    }
    if (type.is(TypeKind::Sampler)) return VK_DESCRIPTOR_TYPE_SAMPLER;
    const TypeRow* image = type.is(TypeKind::SampledImage) ? shader_.types.find(type.element) : &type;
    if (image == nullptr || !image->is(TypeKind::Image)) return std::nullopt;
    binding.image = shader_.types.image(*image);
    if (binding.image.multisampled != 0) fail("multisampled images");
    if (binding.image.dim == Dim::SubpassData) fail("input attachments");
    if (texel_format(shader_.types, binding.image).bytes == 0) fail("an image of another format");
    const bool is_buffer = binding.image.dim == Dim::Buffer;
    if (binding.image.sampled == 2)
      return is_buffer ? VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
    if (is_buffer) return VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
    const TypeRow& sampled = shader_.types.of(binding.image.sampled_type);
    result_.has_integer_images = result_.has_integer_images || sampled.is(TypeKind::Int);
    return type.is(TypeKind::SampledImage) ? VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER
                                           : VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
  }

  // --- inputs and outputs of fragment shaders ---

  void read_slots(Word id, const TypeRow& pointer, std::vector<Slot>& slots) {
    if (result_.model != ExecutionModel::Fragment) return;
    if (!is_in_interface(id)) return;  // of another entry point
    // The value of an output that the shader never writes is undefined.
    if (std::ranges::none_of(shader_.uses.of(id), [](Use use) { return use.kind == UseKind::Operand; })) return;
    const DecorationRow* built_in = shader_.decorations.find(id, Decoration::BuiltIn);
    if (built_in != nullptr) {
      if (shader_.decorations.operand_or(*built_in, 0) == static_cast<Word>(BuiltIn::FragDepth))
        result_.has_depth_output = true;
      return;
    }
    // Only one output of dual-source blending has an attachment.
    const DecorationRow* index = shader_.decorations.find(id, Decoration::Index);
    if (index != nullptr && shader_.decorations.operand_or(*index, 0) != 0) return;
    const DecorationRow* location = shader_.decorations.find(id, Decoration::Location);
    const DecorationRow* component = shader_.decorations.find(id, Decoration::Component);
    const TypeRow& type = pointer.pointee();
    std::uint32_t next = location == nullptr ? 0 : shader_.decorations.operand_or(*location, 0);
    const std::uint32_t first = component == nullptr ? 0 : shader_.decorations.operand_or(*component, 0);
    if (!type.is(TypeKind::Struct)) {
      if (location == nullptr) return fail("an input or output without a location");
      return add_slots(type, next, first, slots);
    }
    const Words members = shader_.types.members(type);
    for (Word member = 0; member < members.size(); ++member) {
      if (shader_.decorations.has(type.id, member, Decoration::BuiltIn)) continue;
      const DecorationRow* own = shader_.decorations.find(type.id, member, Decoration::Location);
      if (own != nullptr) next = shader_.decorations.operand_or(*own, 0);
      else if (location == nullptr) return fail("an input or output without a location");
      add_slots(shader_.types.of(members[member]), next, 0, slots);
    }
  }

  // Adds the locations of a member or variable; `location` becomes the next free one.
  void add_slots(const TypeRow& type, std::uint32_t& location, std::uint32_t first_component,
                 std::vector<Slot>& slots) {
    std::uint64_t count = 1;
    const TypeRow* element = &type;
    while (element->is(TypeKind::Array)) {
      count *= shader_.constants.as_u64(element->length, ValueUse::OrDefault).value_or(0);
      element = &element->element_type();
    }
    const Shape shape = shader_.types.shape(*element);
    if (shape.width == 0 || shape.width > 32 || count == 0) return fail("an input or output of another type");
    count *= shape.columns;
    if (count > max_locations) return fail("too many inputs");
    const std::uint32_t components = ((1u << shape.rows) - 1) << first_component;
    for (std::uint64_t i = 0; i < count; ++i) slots.push_back({location++, number_kind(*element), components});
  }

  // Merges the variables of a location.
  void sort_slots(std::vector<Slot>& slots, std::uint32_t limit, std::string_view reason) {
    std::ranges::sort(slots, {}, &Slot::location);
    std::vector<Slot> merged;
    for (const Slot& slot : slots) {
      if (merged.empty() || merged.back().location != slot.location) merged.push_back(slot);
      else if (merged.back().kind == slot.kind) merged.back().components |= slot.components;
      else fail("a location of two types");
    }
    slots = std::move(merged);
    if (!slots.empty() && slots.back().location >= limit) fail(reason);
  }

  const Shader& shader_;
  const EntryPointRow& entry_;
  ShaderInterface result_;
};

}  // namespace

NumberKind number_kind(const TypeRow& type) {
  const TypeRow& scalar = type.innermost().component();
  if (scalar.is(TypeKind::Float)) return NumberKind::Float;
  return scalar.is_signed ? NumberKind::Int : NumberKind::Uint;
}

std::vector<ShaderInterface> read_interfaces(const Shader& shader) {
  std::vector<ShaderInterface> interfaces;
  for (const EntryPointRow& entry : shader.declarations.entry_points()) {
    if (entry.model == ExecutionModel::GLCompute || entry.model == ExecutionModel::Fragment)
      interfaces.push_back(InterfaceReader(shader, entry).read());
  }
  return interfaces;
}

}  // namespace vireo::equivalence

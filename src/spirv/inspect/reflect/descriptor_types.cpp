// SPDX-License-Identifier: Apache-2.0
//
// Vulkan's names for types (descriptor_types.h, vireo/spirv/inspect/reflection.h).
#include "spirv/inspect/reflect/descriptor_types.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "vireo/spirv/module/decorations.h"

namespace vireo::spirv {

// --- descriptors --------------------------------------------------------------------------------------------------------

namespace {

constexpr std::string_view descriptor_names[] = {"VK_DESCRIPTOR_TYPE_SAMPLER",
                                                 "VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER",
                                                 "VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE",
                                                 "VK_DESCRIPTOR_TYPE_STORAGE_IMAGE",
                                                 "VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER",
                                                 "VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER",
                                                 "VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER",
                                                 "VK_DESCRIPTOR_TYPE_STORAGE_BUFFER",
                                                 "VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT",
                                                 "VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR",
                                                 "VK_DESCRIPTOR_TYPE_TENSOR_ARM",
                                                 "ATOMIC_COUNTER",
                                                 "UNIFORM",
                                                 "UNKNOWN"};

}  // namespace

std::string_view name_of(DescriptorType type) { return descriptor_names[static_cast<std::size_t>(type)]; }

std::string_view short_name_of(DescriptorType type) {
  std::string_view name = name_of(type);
  if (constexpr std::string_view prefix = "VK_DESCRIPTOR_TYPE_"; name.starts_with(prefix)) {
    name.remove_prefix(prefix.size());
  }
  return name;
}

DescriptorType descriptor_type_of(const Facts& facts, const TypeRow& type, StorageClass storage) {
  switch (type.kind) {
    case TypeKind::Sampler: return DescriptorType::Sampler;
    case TypeKind::SampledImage: {
      const bool is_buffer = facts.types().image(type.element_type()).dim == Dim::Buffer;
      return is_buffer ? DescriptorType::UniformTexelBuffer : DescriptorType::CombinedImageSampler;
    }
    case TypeKind::Image: {
      const ImageShape shape = facts.types().image(type);
      const bool is_storage = shape.sampled == 2;
      if (shape.dim == Dim::SubpassData) return DescriptorType::InputAttachment;
      if (shape.dim == Dim::Buffer) {
        return is_storage ? DescriptorType::StorageTexelBuffer : DescriptorType::UniformTexelBuffer;
      }
      return is_storage ? DescriptorType::StorageImage : DescriptorType::SampledImage;
    }
    case TypeKind::AccelerationStructure: return DescriptorType::AccelerationStructure;
    case TypeKind::Tensor: return DescriptorType::Tensor;
    case TypeKind::Buffer:  // in a heap
      return type.storage == StorageClass::Uniform ? DescriptorType::UniformBuffer : DescriptorType::StorageBuffer;
    case TypeKind::Struct:
      if (storage == StorageClass::StorageBuffer) return DescriptorType::StorageBuffer;
      if (facts.decorations().has(type.id, Decoration::BufferBlock)) return DescriptorType::StorageBuffer;
      if (facts.decorations().has(type.id, Decoration::Block)) return DescriptorType::UniformBuffer;
      return storage == StorageClass::UniformConstant ? DescriptorType::Uniform : DescriptorType::Unknown;
    default:
      if (storage == StorageClass::AtomicCounter) return DescriptorType::AtomicCounter;
      return storage == StorageClass::UniformConstant ? DescriptorType::Uniform : DescriptorType::Unknown;
  }
}

// --- mappings to descriptor heaps ---------------------------------------------------------------------------------------

namespace {

// By bit.
constexpr std::string_view resource_types[] = {
    "VK_SPIRV_RESOURCE_TYPE_SAMPLER_BIT_EXT",
    "VK_SPIRV_RESOURCE_TYPE_SAMPLED_IMAGE_BIT_EXT",
    "VK_SPIRV_RESOURCE_TYPE_READ_ONLY_IMAGE_BIT_EXT",
    "VK_SPIRV_RESOURCE_TYPE_READ_WRITE_IMAGE_BIT_EXT",
    "VK_SPIRV_RESOURCE_TYPE_COMBINED_SAMPLED_IMAGE_BIT_EXT",
    "VK_SPIRV_RESOURCE_TYPE_UNIFORM_BUFFER_BIT_EXT",
    "VK_SPIRV_RESOURCE_TYPE_READ_ONLY_STORAGE_BUFFER_BIT_EXT",
    "VK_SPIRV_RESOURCE_TYPE_READ_WRITE_STORAGE_BUFFER_BIT_EXT",
    "VK_SPIRV_RESOURCE_TYPE_ACCELERATION_STRUCTURE_BIT_EXT",
    "VK_SPIRV_RESOURCE_TYPE_TENSOR_BIT_ARM",
};

// The types are those of the instructions, not of the descriptors. Only a NonWritable variable is read-only; NonWritable
// on all of its members does not count.
std::uint32_t resource_mask_of(const Facts& facts, const ReflectedResource& resource) {
  const bool is_readonly = facts.decorations().has(resource.id, Decoration::NonWritable);
  const TypeRow& type = facts.types().of(resource.type);
  switch (type.kind) {
    case TypeKind::Sampler: return 1u << 0;
    case TypeKind::Image:
      if (facts.types().image(type).sampled == 1) return 1u << 1;
      return is_readonly ? 1u << 2 : 1u << 3;
    case TypeKind::SampledImage: return 1u << 4;
    case TypeKind::AccelerationStructure: return 1u << 8;
    case TypeKind::Tensor: return 1u << 9;
    default: break;
  }
  if (resource.descriptor == DescriptorType::UniformBuffer) return 1u << 5;
  if (resource.descriptor == DescriptorType::StorageBuffer) return is_readonly ? 1u << 6 : 1u << 7;
  return 0;
}

}  // namespace

std::vector<std::string_view> resource_type_names(std::uint32_t resource_mask) {
  std::vector<std::string_view> names;
  for (std::size_t bit = 0; bit < std::size(resource_types); ++bit) {
    if ((resource_mask >> bit & 1u) != 0) names.push_back(resource_types[bit]);
  }
  return names;
}

std::vector<ReflectedMapping> descriptor_mappings(
    std::span<const std::pair<const Reflection*, std::uint32_t>> resources) {
  struct Row {
    Word set, mask, binding;
    bool is_array;
    auto operator<=>(const Row&) const = default;
  };
  std::vector<Row> rows;
  for (const auto& [module, index] : resources) {
    const ReflectedResource& resource = module->resources()[index];
    const std::uint32_t mask = resource_mask_of(module->facts(), resource);
    if (!resource.has_set || !resource.has_binding || mask == 0) continue;
    rows.push_back({resource.set, mask, resource.binding, !resource.array.empty()});
  }
  std::ranges::sort(rows);
  std::vector<ReflectedMapping> mappings;
  bool ends_with_array = false;
  for (const Row& row : rows) {
    ReflectedMapping* last = mappings.empty() ? nullptr : &mappings.back();
    const bool is_same = last != nullptr && last->set == row.set && last->resource_mask == row.mask;
    const std::uint64_t end = last == nullptr ? 0 : std::uint64_t{last->first_binding} + last->count;
    if (is_same && end == std::uint64_t{row.binding} + 1) {
      ends_with_array |= row.is_array;  // the same binding again
    } else if (is_same && end == row.binding && !ends_with_array) {
      ++last->count;
      ends_with_array = row.is_array;
    } else {
      mappings.push_back({row.set, row.binding, 1, row.mask});
      ends_with_array = row.is_array;
    }
  }
  std::ranges::stable_sort(mappings, {},
                           [](const ReflectedMapping& row) { return std::pair(row.set, row.first_binding); });
  return mappings;
}

// --- formats ------------------------------------------------------------------------------------------------------------

std::string_view format_of(const TypeRow& component, std::uint64_t count) {
  struct FormatRow {
    TypeKind kind;
    bool is_signed;
    std::uint32_t width;
    std::string_view names[4];  // of one to four components
  };
  constexpr FormatRow rows[] = {
      {TypeKind::Float,
       false,
       16,
       {"VK_FORMAT_R16_SFLOAT", "VK_FORMAT_R16G16_SFLOAT", "VK_FORMAT_R16G16B16_SFLOAT",
        "VK_FORMAT_R16G16B16A16_SFLOAT"}},
      {TypeKind::Float,
       false,
       32,
       {"VK_FORMAT_R32_SFLOAT", "VK_FORMAT_R32G32_SFLOAT", "VK_FORMAT_R32G32B32_SFLOAT",
        "VK_FORMAT_R32G32B32A32_SFLOAT"}},
      {TypeKind::Float,
       false,
       64,
       {"VK_FORMAT_R64_SFLOAT", "VK_FORMAT_R64G64_SFLOAT", "VK_FORMAT_R64G64B64_SFLOAT",
        "VK_FORMAT_R64G64B64A64_SFLOAT"}},
      {TypeKind::Int,
       true,
       8,
       {"VK_FORMAT_R8_SINT", "VK_FORMAT_R8G8_SINT", "VK_FORMAT_R8G8B8_SINT", "VK_FORMAT_R8G8B8A8_SINT"}},
      {TypeKind::Int,
       false,
       8,
       {"VK_FORMAT_R8_UINT", "VK_FORMAT_R8G8_UINT", "VK_FORMAT_R8G8B8_UINT", "VK_FORMAT_R8G8B8A8_UINT"}},
      {TypeKind::Int,
       true,
       16,
       {"VK_FORMAT_R16_SINT", "VK_FORMAT_R16G16_SINT", "VK_FORMAT_R16G16B16_SINT", "VK_FORMAT_R16G16B16A16_SINT"}},
      {TypeKind::Int,
       false,
       16,
       {"VK_FORMAT_R16_UINT", "VK_FORMAT_R16G16_UINT", "VK_FORMAT_R16G16B16_UINT", "VK_FORMAT_R16G16B16A16_UINT"}},
      {TypeKind::Int,
       true,
       32,
       {"VK_FORMAT_R32_SINT", "VK_FORMAT_R32G32_SINT", "VK_FORMAT_R32G32B32_SINT", "VK_FORMAT_R32G32B32A32_SINT"}},
      {TypeKind::Int,
       false,
       32,
       {"VK_FORMAT_R32_UINT", "VK_FORMAT_R32G32_UINT", "VK_FORMAT_R32G32B32_UINT", "VK_FORMAT_R32G32B32A32_UINT"}},
      {TypeKind::Int,
       true,
       64,
       {"VK_FORMAT_R64_SINT", "VK_FORMAT_R64G64_SINT", "VK_FORMAT_R64G64B64_SINT", "VK_FORMAT_R64G64B64A64_SINT"}},
      {TypeKind::Int,
       false,
       64,
       {"VK_FORMAT_R64_UINT", "VK_FORMAT_R64G64_UINT", "VK_FORMAT_R64G64B64_UINT", "VK_FORMAT_R64G64B64A64_UINT"}},
  };
  if (component.encoding != TypeRow::no_encoding || count == 0 || count > 4) return {};
  const auto format = std::ranges::find_if(rows, [&](const FormatRow& each) {
    const bool has_sign = !component.is(TypeKind::Int) || each.is_signed == component.is_signed;
    return component.is(each.kind) && each.width == component.width && has_sign;
  });
  return format == std::end(rows) ? std::string_view() : format->names[count - 1];
}

std::string_view vulkan_format(const Facts& facts, Word type) {
  const TypeRow& row = facts.types().of(type);
  if (!row.is_numerical() && !row.is(TypeKind::Vector)) return {};
  return format_of(row.component(), row.is(TypeKind::Vector) ? row.count : 1);
}

}  // namespace vireo::spirv

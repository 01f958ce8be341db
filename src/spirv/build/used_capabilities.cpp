// SPDX-License-Identifier: Apache-2.0
//
// The capabilities that a module uses in a way that the grammar does not state (used_capabilities.h).
//
// Each table has a row for each capability, with the condition under which a module uses it. The
// conditions accept too much rather than too little, because a removed capability can make a module invalid.
//
// Source: specification 3.31 (capabilities), 3.42.6 (OpTypeImage); SPV_KHR_16bit_storage, SPV_KHR_8bit_storage,
// SPV_KHR_workgroup_memory_explicit_layout, SPV_EXT_descriptor_indexing, SPV_ARM_tensors.
#include "spirv/build/used_capabilities.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "spirv/binary/access_chain.h"
#include "spirv/grammar/opcode_families.h"
#include "vireo/spirv/binary/views/constant_creation.h"
#include "vireo/spirv/binary/views/memory.h"
#include "vireo/spirv/binary/views/non_uniform.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/module_declarations.h"
#include "vireo/spirv/module/types.h"

namespace vireo::spirv {
namespace {

using enum Capability;

// --- images ----------------------------------------------------------------------------------------------------------

// Values of Sampled in OpTypeImage. An image with Sampled 0 can be used with and without a sampler.
enum class Access : std::uint8_t { WithSampler, WithoutSampler };

// An image type that needs a capability.
struct ImageTypeRow {
  Capability capability;
  Access access;
  std::optional<Dim> dim;  // none: any dimension except SubpassData
  bool arrayed;            // the row applies only to arrayed (multisampled) images
  bool multisampled;
};
// clang-format off
constexpr ImageTypeRow image_types[] = {
    {SampledCubeArray,        Access::WithSampler,    Dim::Cube,   true,  false},
    {ImageCubeArray,          Access::WithoutSampler, Dim::Cube,   true,  false},
    {Image1D,                 Access::WithoutSampler, Dim::Dim1D,  false, false},
    {ImageRect,               Access::WithoutSampler, Dim::Rect,   false, false},
    {ImageBuffer,             Access::WithoutSampler, Dim::Buffer, false, false},
    {StorageImageMultisample, Access::WithoutSampler, {},          false, true},
    {ImageMSArray,            Access::WithoutSampler, {},          true,  true},
};
// clang-format on

bool is_accessed(const ImageShape& image, Access access) {
  return image.sampled != (access == Access::WithSampler ? 2u : 1u);
}

// --- small scalars in memory -----------------------------------------------------------------------------------------

// The capabilities for scalars of 16 and 8 bits in a storage class.
struct SmallStorageRow {
  StorageClass storage;
  Capability of_16_bits;
  std::optional<Capability> of_8_bits;
};
// A structure with BufferBlock in Uniform needs the capability for storage buffers, so Uniform has two rows.
constexpr SmallStorageRow small_storage[] = {
    {StorageClass::StorageBuffer, StorageBuffer16BitAccess, StorageBuffer8BitAccess},
    {StorageClass::PhysicalStorageBuffer, StorageBuffer16BitAccess, StorageBuffer8BitAccess},
    {StorageClass::ShaderRecordBufferKHR, StorageBuffer16BitAccess, StorageBuffer8BitAccess},
    {StorageClass::Uniform, StorageBuffer16BitAccess, StorageBuffer8BitAccess},
    {StorageClass::Uniform, UniformAndStorageBuffer16BitAccess, UniformAndStorageBuffer8BitAccess},
    {StorageClass::PushConstant, StoragePushConstant16, StoragePushConstant8},
    {StorageClass::Input, StorageInputOutput16, std::nullopt},
    {StorageClass::Output, StorageInputOutput16, std::nullopt},
    {StorageClass::Workgroup, WorkgroupMemoryExplicitLayout16BitAccessKHR, WorkgroupMemoryExplicitLayout8BitAccessKHR},
};

constexpr TypeTraits unknown_scalars = TypeTrait::FloatOther | TypeTrait::Unknown;
constexpr TypeTraits scalars_of_16_bits = TypeTrait::Int16 | TypeTrait::Float16 | TypeTrait::BFloat16 | unknown_scalars;
constexpr TypeTraits scalars_of_8_bits = TypeTrait::Int8 | TypeTrait::Float8 | unknown_scalars;

// --- arrays of resources ---------------------------------------------------------------------------------------------

enum class Resource : std::uint8_t {
  InputAttachment,
  UniformBuffer,
  StorageBuffer,
  SampledImage,
  StorageImage,
  UniformTexelBuffer,
  StorageTexelBuffer,
  StorageTensor,
};
constexpr std::size_t resource_count = 8;

// The instructions that change an atomic counter.
constexpr Op counter_atomics[] = {Op::OpAtomicIAdd, Op::OpAtomicISub,     Op::OpAtomicUMin,
                                  Op::OpAtomicUMax, Op::OpAtomicAnd,      Op::OpAtomicOr,
                                  Op::OpAtomicXor,  Op::OpAtomicExchange, Op::OpAtomicCompareExchange};

// The capabilities for arrays of a resource with an index that is not a constant.
struct IndexingRow {
  Resource resource;
  Capability dynamic;      // the index is dynamically uniform (2.2.5)
  Capability non_uniform;  // the index is not; the module has the decoration NonUniform
};
constexpr IndexingRow indexing[] = {
    {Resource::InputAttachment, InputAttachmentArrayDynamicIndexing, InputAttachmentArrayNonUniformIndexing},
    {Resource::UniformBuffer, UniformBufferArrayDynamicIndexing, UniformBufferArrayNonUniformIndexing},
    {Resource::StorageBuffer, StorageBufferArrayDynamicIndexing, StorageBufferArrayNonUniformIndexing},
    {Resource::SampledImage, SampledImageArrayDynamicIndexing, SampledImageArrayNonUniformIndexing},
    {Resource::StorageImage, StorageImageArrayDynamicIndexing, StorageImageArrayNonUniformIndexing},
    {Resource::UniformTexelBuffer, UniformTexelBufferArrayDynamicIndexing, UniformTexelBufferArrayNonUniformIndexing},
    {Resource::StorageTexelBuffer, StorageTexelBufferArrayDynamicIndexing, StorageTexelBufferArrayNonUniformIndexing},
    {Resource::StorageTensor, StorageTensorArrayDynamicIndexingARM, StorageTensorArrayNonUniformIndexingARM},
};

// --- built-ins -------------------------------------------------------------------------------------------------------

// A stage that needs a capability to use PointSize.
struct PointSizeRow {
  ExecutionModel model;
  Capability capability;
};
constexpr PointSizeRow point_sizes[] = {
    {ExecutionModel::TessellationControl, TessellationPointSize},
    {ExecutionModel::TessellationEvaluation, TessellationPointSize},
    {ExecutionModel::Geometry, GeometryPointSize},
};

class CapabilityCollector {
 public:
  explicit CapabilityCollector(const Module& module)
      : module_(module), types_(Types::read(module)), decorations_(Decorations::read(module)) {}

  std::vector<Capability> run() {
    for (const TypeRow& type : types_.rows()) contained_ |= type.contains;
    for (const TypeRow& type : types_.rows()) {
      if (type.is(TypeKind::Image)) add_image(type);
      if (type.is(TypeKind::Image) || type.is(TypeKind::Sampler)) add(ImageBasic);
      if (type.is_pointer() || type.is(TypeKind::Buffer)) add_memory(type);
    }
    read_functions();
    add_indexing();
    add_built_ins();
    std::ranges::sort(used_);
    used_.erase(std::unique(used_.begin(), used_.end()), used_.end());
    return std::move(used_);
  }

 private:
  void add(Capability capability) { used_.push_back(capability); }

  void add_image(const TypeRow& type) {
    const ImageShape image = types_.image(type);
    const TypeRow& sampled = type.element_type();
    if (sampled.is_int(64)) add(Int64ImageEXT);
    if (sampled.is(TypeKind::Float) && sampled.width == 16) add(Float16ImageAMD);
    for (const ImageTypeRow& row : image_types) {
      const bool is_dim = row.dim ? image.dim == *row.dim : image.dim != Dim::SubpassData;
      if (is_dim && is_accessed(image, row.access) && (!row.arrayed || image.arrayed == 1) &&
          (!row.multisampled || image.multisampled == 1)) {
        add(row.capability);
      }
    }
    const bool is_storage = is_accessed(image, Access::WithoutSampler) && image.dim != Dim::SubpassData;
    if (image.format == ImageFormat::Unknown && is_storage) {
      if (module_.has(Op::OpImageRead) || module_.has(Op::OpImageSparseRead)) add(StorageImageReadWithoutFormat);
      if (module_.has(Op::OpImageWrite)) add(StorageImageWriteWithoutFormat);
    }
    // The type of an image does not show whether it has mipmaps.
    add(ImageMipmap);
    if (image.access == AccessQualifier::ReadWrite) add(ImageReadWrite);
  }

  // `pointer` is a pointer type or OpTypeBufferEXT.
  void add_memory(const TypeRow& pointer) {
    // An untyped pointer can refer to a value of each type of the module.
    const TypeRow& pointee = pointer.pointee();
    const bool is_typed = pointer.is(TypeKind::Pointer);
    if (pointer.storage == StorageClass::AtomicCounter) has_atomic_counters_ = true;
    const TypeTraits contained = !is_typed                    ? contained_
                                 : pointee.is(TypeKind::None) ? TypeTraits(TypeTrait::Unknown)
                                                              : pointee.contains;
    for (const SmallStorageRow& row : small_storage) {
      if (row.storage != pointer.storage) continue;
      if (contained.has_any(scalars_of_16_bits)) add(row.of_16_bits);
      if (row.of_8_bits && contained.has_any(scalars_of_8_bits)) add(*row.of_8_bits);
    }
    if (pointer.storage == StorageClass::Workgroup && (!is_typed || decorations_.has(pointee.id, Decoration::Block))) {
      add(WorkgroupMemoryExplicitLayoutKHR);
    }
  }

  // --- instructions ---

  void read_functions() {
    for (const InstructionView instruction : module_.views(module_.section(Section::Functions))) {
      if (const auto chain = access_chain(instruction)) follow(instruction, *chain);
      else add_operation(instruction);
    }
  }

  // The arrays that read_functions() has marked.
  void add_indexing() {
    const bool is_non_uniform =
        !decorations_.unexpanded().empty() || std::ranges::any_of(decorations_.rows(), [](const DecorationRow& row) {
          return row.decoration == Decoration::NonUniform;
        });
    for (const IndexingRow& row : indexing) {
      if (!is_indexed_[static_cast<std::size_t>(row.resource)]) continue;
      add(row.dynamic);
      if (is_non_uniform) add(row.non_uniform);
    }
  }

  // Several capabilities enable each of these instructions, but only one enables it with these operands.
  void add_operation(InstructionView instruction) {
    if (is_one_of(group_arithmetic, instruction.opcode)) {
      const GroupOperation operation = View<Op::OpGroupNonUniformIAdd>(instruction).operation();
      if (operation <= GroupOperation::ExclusiveScan) add(GroupNonUniformArithmetic);
    } else if (has_atomic_counters_ && is_one_of(counter_atomics, instruction.opcode)) {
      add(AtomicStorageOps);
    }
  }

  // Follows the indexes of an access chain, and marks the resources of arrays with an index that is not a constant.
  void follow(InstructionView instruction, const AccessChain& chain) {
    const TypeRow& pointer = types_.of(chain.is_untyped ? module_.type_of(instruction) : module_.type_of(chain.base));
    const TypeRow* type = &types_.of(chain.is_untyped ? Word{chain.base_type} : pointer.element);
    if (chain.element && !is_constant(*chain.element)) mark(*type, pointer.storage);
    for (const Word index : chain.indexes) {
      if (type->is_array()) {
        if (!is_constant(index)) mark(*type, pointer.storage);
        type = &type->element_type();
        continue;
      }
      // A structure may contain resources. Its members are selected by constants.
      const auto member = as<Op::OpConstant>(module_.find(index));
      if (!type->is(TypeKind::Struct) || !member || member->value().empty()) return;
      type = &types_.of(types_.member_type(*type, member->value()[0]));
    }
  }

  // Constants, specialization constants and expressions of them are defined outside of functions.
  [[nodiscard]] bool is_constant(Word value) const {
    const InstructionIndex definition = module_.definition(value);
    return !definition.is_none() && module_.section(Section::Globals).contains(definition);
  }

  void mark(Resource resource) { is_indexed_[static_cast<std::size_t>(resource)] = true; }

  // Marks the resources of an array type, or of a type that a pointer with an element index refers to.
  void mark(const TypeRow& indexed, StorageClass storage) {
    const TypeRow& type = indexed.innermost();
    const TypeRow& resource = type.is(TypeKind::SampledImage) ? type.element_type() : type;
    switch (resource.kind) {
      case TypeKind::Struct: mark_buffer(type.id, storage); break;
      case TypeKind::Buffer: mark_buffer_of(type.storage); break;
      case TypeKind::Sampler: mark(Resource::SampledImage); break;
      case TypeKind::Tensor: mark(Resource::StorageTensor); break;
      case TypeKind::Image: mark_image(types_.image(resource)); break;
      default: break;
    }
  }

  // Only structures with Block or BufferBlock are resources. Other structures are parts of them.
  void mark_buffer(Word structure, StorageClass storage) {
    const bool is_buffer_block = decorations_.has(structure, Decoration::BufferBlock);
    const bool is_block = decorations_.has(structure, Decoration::Block) || !decorations_.unexpanded().empty();
    if (is_buffer_block || is_block) mark_buffer_of(is_buffer_block ? StorageClass::StorageBuffer : storage);
  }

  void mark_buffer_of(StorageClass storage) {
    if (storage == StorageClass::Uniform) mark(Resource::UniformBuffer);
    if (storage == StorageClass::StorageBuffer) mark(Resource::StorageBuffer);
  }

  void mark_image(const ImageShape& image) {
    if (image.dim == Dim::SubpassData) return mark(Resource::InputAttachment);
    const bool is_buffer = image.dim == Dim::Buffer;
    if (is_accessed(image, Access::WithSampler)) {
      mark(is_buffer ? Resource::UniformTexelBuffer : Resource::SampledImage);
    }
    if (is_accessed(image, Access::WithoutSampler)) {
      mark(is_buffer ? Resource::StorageTexelBuffer : Resource::StorageImage);
    }
  }

  // --- built-ins ---

  void add_built_ins() {
    const bool has_point_size = std::ranges::any_of(decorations_.rows(), [&](const DecorationRow& row) {
      return row.decoration == Decoration::BuiltIn &&
             decorations_.operand_or(row, 0) == static_cast<Word>(BuiltIn::PointSize);
    });
    if (!has_point_size) return;
    const ModuleDeclarations declarations = ModuleDeclarations::read(module_);
    for (const EntryPointRow& entry : declarations.entry_points()) {
      for (const PointSizeRow& row : point_sizes) {
        if (row.model == entry.model) add(row.capability);
      }
    }
  }

  const Module& module_;
  const Types types_;
  const Decorations decorations_;
  TypeTraits contained_;  // by any type of the module
  bool has_atomic_counters_ = false;
  std::array<bool, resource_count> is_indexed_ = {};
  std::vector<Capability> used_;
};

}  // namespace

std::vector<Capability> used_capabilities(const Module& module) { return CapabilityCollector(module).run(); }

}  // namespace vireo::spirv

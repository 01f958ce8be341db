// SPDX-License-Identifier: Apache-2.0
//
// Reflection: what an API must know about a shader: resources, blocks with their layout, interfaces, specialization
// constants, and what each entry point reaches.
//
//   const Module module = Module::read(words);
//   const Facts facts(module);
//   const Reflection reflection(facts);
//   for (const ReflectedResource& resource : reflection.resources()) … resource.set, resource.binding …
//
// Everything is read once into tables; a query returns a span of rows. A type is its id, and
// Facts::types() describes it.
//
// Source: specification 2.18 (memory), 3.31 (Decoration); Vulkan specification, "Shader Resource Interface", "Offset and
// Stride Assignment", "Location Assignment".
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"

namespace vireo::spirv {

/// The type of a descriptor, with the names of VkDescriptorType; the last three are not descriptors of Vulkan.
enum class DescriptorType : std::uint8_t {
  Sampler,
  CombinedImageSampler,
  SampledImage,
  StorageImage,
  UniformTexelBuffer,
  StorageTexelBuffer,
  UniformBuffer,
  StorageBuffer,
  InputAttachment,
  AccelerationStructure,
  Tensor,
  AtomicCounter,  ///< of OpenGL
  Uniform,        ///< of OpenGL: a plain uniform variable
  Unknown,
};
/// "VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER"; without the prefix for the last three.
VIREO_API std::string_view name_of(DescriptorType type);

/// A number that a constant determines, or that is known at run time only.
struct VIREO_API ReflectedNumber {
  std::optional<std::uint64_t> value = {};  ///< if specialization can change it: the default
  /// How the value depends on SpecIds and on the device: "SpecId 3 * SpecId 1", "sizeof(sampler)". At most some 400
  /// bytes. Empty if the value cannot change; also without a value if only the shader knows the number.
  std::string expression = {};
  std::vector<Word> spec_ids = {};  ///< those of the expression, ascending
};

/// The length of one dimension of an array.
struct VIREO_API ReflectedLength {
  std::uint64_t count = 0;           ///< 0: known at run time only. If specialization can change it: the default
  std::optional<Word> spec_id = {};  ///< the SpecId of the length, if it is a specialization constant with one
  /// If it is computed from specialization constants (OpSpecConstantOp): how, and from which SpecIds. Else empty.
  std::string expression = {};
  std::vector<Word> spec_ids = {};
};

/// A member of a structure.
struct VIREO_API ReflectedMember {
  std::string_view name;  ///< empty if it has none
  Word type = 0;          ///< id of its type
  std::uint32_t number = 0;
  std::optional<std::uint32_t> offset;  ///< in bytes
  /// In bytes: from its first to its last component, with the padding of strides between; 0 for a run-time array. None
  /// if the type has no size, such as an image.
  std::optional<std::uint64_t> size;
  std::uint64_t padding = 0;        ///< bytes after it, up to the next member or to the end of the block
  std::uint32_t array_stride = 0;   ///< bytes between elements, of the outermost array; 0: no array or not stated
  std::uint32_t matrix_stride = 0;  ///< bytes between columns or rows; 0: no matrix or not stated
  bool is_row_major = false;
  bool is_readonly = false, is_writeonly = false;
  std::optional<Word> location, component;
  std::optional<BuiltIn> built_in;
};

/// A variable that a descriptor, or the API in another way, is bound to.
struct VIREO_API ReflectedResource {
  Word id = 0;
  std::string_view name;  ///< its OpName; for a block without one, that of its type; may be empty
  DescriptorType descriptor = DescriptorType::Unknown;
  StorageClass storage = StorageClass::UniformConstant;
  Word type = 0;              ///< id of its type without arrays: a structure, an image, a sampler, …
  Word set = 0, binding = 0;  ///< 0 if not decorated
  bool has_set = false, has_binding = false;
  std::vector<ReflectedLength> array;       ///< of an array of descriptors, the outermost dimension first
  std::optional<std::uint64_t> block_size;  ///< of a block, in bytes, without a run-time array at its end
  std::optional<Word> input_attachment;
  std::optional<Word> location;  ///< of a plain uniform variable
  std::optional<Word> offset;    ///< of an atomic counter
  bool is_readonly = false, is_writeonly = false, is_coherent = false, is_volatile = false, is_restrict = false;
};

/// A block of push constants.
struct VIREO_API ReflectedPushConstants {
  Word id = 0;
  std::string_view name;
  Word type = 0;                     ///< id of its structure
  std::uint64_t begin = 0, end = 0;  ///< bytes: from its first member to the end of its last one
};

/// A variable of the interface of an entry point: an input or output.
struct VIREO_API ReflectedVariable {
  Word id = 0;
  std::string_view name;
  bool is_output = false;
  Word type = 0;                       ///< id of its type, without the arrays
  std::vector<ReflectedLength> array;  ///< the outermost dimension first
  std::optional<Word> location, component, index;
  std::optional<BuiltIn> built_in;  ///< of the variable; those of a block are in its members
  bool is_flat = false, is_noperspective = false, is_centroid = false, is_sample = false, is_patch = false;
};

/// A variable of another storage class with which stages, or a stage and the API, exchange data: tile images, shader
/// records, payloads and attributes of ray tracing, payloads of task shaders and nodes.
struct VIREO_API ReflectedOtherVariable {
  Word id = 0;
  std::string_view name;
  StorageClass storage = StorageClass::ShaderRecordBufferKHR;
  Word type = 0;                            ///< id of its type, without the arrays
  std::vector<ReflectedLength> array;       ///< the outermost dimension first
  std::optional<std::uint64_t> block_size;  ///< in bytes, of a shader record, without a run-time array at its end
  std::optional<Word> location;
};

/// A part of the way from a descriptor heap to a descriptor: an element of an array, or a member of a structure.
struct VIREO_API ReflectedHeapStep {
  Word type = 0;                              ///< id of the array or structure
  std::optional<Word> member = {};            ///< its number; none: an element
  std::optional<ReflectedNumber> index = {};  ///< of an element; none: of a member, or known at run time only
  ReflectedNumber bytes = {};  ///< the stride of the array, or the offset of the member; empty: not stated
};

/// An access to a descriptor in a heap (SPV_EXT_descriptor_heap). Equal accesses are one row.
struct VIREO_API ReflectedHeapAccess {
  Word id = 0;    ///< of the first instruction: OpLoad, OpBufferPointerEXT or OpUntypedImageTexelPointerEXT
  Word heap = 0;  ///< id of the variable
  BuiltIn built_in = BuiltIn::ResourceHeapEXT;  ///< or SamplerHeapEXT
  DescriptorType descriptor = DescriptorType::Unknown;
  Word type = 0;                            ///< id of the type of the descriptor
  std::vector<ReflectedHeapStep> steps;     ///< from the heap on; empty: the first descriptor
  ReflectedNumber offset;                   ///< in bytes from the begin of the heap; empty: known at run time only
  std::vector<Word> blocks;                 ///< ids of the types through which the data of a buffer is accessed
  std::optional<std::uint64_t> block_size;  ///< in bytes, of the largest block, without a run-time array at its end
  bool is_readonly = false, is_writeonly = false;
};

/// What VkDescriptorSetAndBindingMappingEXT (VK_EXT_descriptor_heap) must contain to map bindings to descriptor heaps.
struct VIREO_API ReflectedMapping {
  Word set = 0, first_binding = 0;
  std::uint32_t count = 1;          ///< of bindings
  std::uint32_t resource_mask = 0;  ///< VkSpirvResourceTypeFlagsEXT
};

/// A specialization constant with a SpecId.
struct VIREO_API ReflectedSpecConstant {
  Word spec_id = 0;
  Word id = 0;
  std::string_view name;
  Word type = 0;                   ///< id of its type
  std::uint64_t default_bits = 0;  ///< zero above the width; 0 or 1 for a Boolean
};

/// The size of a workgroup in one dimension.
struct VIREO_API WorkgroupDimension {
  std::uint32_t size = 0;  ///< if specialization can change it: the default
  std::optional<Word> spec_id;
  /// If it is computed from specialization constants (OpSpecConstantOp): how, and from which SpecIds. Else empty.
  std::string expression;
  std::vector<Word> spec_ids;
};

/// An entry point. The lists are indexes into the tables of the Reflection, ascending: what its function, and the
/// functions that it calls, use.
struct VIREO_API ReflectedEntryPoint {
  std::string_view name;
  ExecutionModel model = ExecutionModel::Vertex;
  Word function = 0;
  std::optional<std::array<WorkgroupDimension, 3>> workgroup;  ///< if the module states its size
  std::vector<std::uint32_t> resources, push_constants, variables, spec_constants, other_variables, heap_accesses;
  std::vector<BuiltIn> built_ins;  ///< of its variables and of members of their blocks, ascending, each once
};

/// The reflection of a module.
class VIREO_API Reflection {
 public:
  /// Reads a module. The facts must outlive the result. Accepts invalid modules: what is not there is left out. Linear
  /// in the words, and in the lists of the entry points.
  explicit Reflection(const Facts& facts);

  [[nodiscard]] const Facts& facts() const { return facts_; }
  /// All rows are in the order of declaration.
  [[nodiscard]] std::span<const ReflectedResource> resources() const;
  [[nodiscard]] std::span<const ReflectedPushConstants> push_constants() const;
  [[nodiscard]] std::span<const ReflectedVariable> variables() const;
  [[nodiscard]] std::span<const ReflectedSpecConstant> spec_constants() const;
  [[nodiscard]] std::span<const ReflectedOtherVariable> other_variables() const;
  /// In the order of the instructions. Accesses through variables that hold pointers are not followed.
  [[nodiscard]] std::span<const ReflectedHeapAccess> heap_accesses() const;
  [[nodiscard]] std::span<const ReflectedEntryPoint> entry_points() const;
  /// The members of a structure that a block, an interface or a buffer reference (a pointer of PhysicalStorageBuffer)
  /// contains, also nested; empty for others. Logarithmic.
  [[nodiscard]] std::span<const ReflectedMember> members(Word structure) const;
  /// These structures, in the order of their declaration.
  [[nodiscard]] std::span<const Word> structures() const;
  /// The lengths of an array type, the outermost dimension first, and the type of its innermost element.
  [[nodiscard]] std::vector<ReflectedLength> lengths(Word type, Word& innermost) const;

 private:
  friend class ReflectionReader;
  const Facts& facts_;
  std::vector<ReflectedResource> resources_;
  std::vector<ReflectedPushConstants> push_constants_;
  std::vector<ReflectedVariable> variables_;
  std::vector<ReflectedSpecConstant> spec_constants_;
  std::vector<ReflectedOtherVariable> other_variables_;
  std::vector<ReflectedHeapAccess> heap_accesses_;
  std::vector<ReflectedEntryPoint> entry_points_;
  std::vector<Word> structures_;
  std::vector<std::uint32_t> member_begins_;  // by index in structures_; one entry more
  std::vector<ReflectedMember> members_;
};

/// The mappings for the bindings of resources, each of a module, ascending by set and binding. Consecutive bindings with
/// one resource type are one mapping, which can end with an array. Variables of one binding with different types have a
/// mapping for each type.
VIREO_API std::vector<ReflectedMapping> descriptor_mappings(
    std::span<const std::pair<const Reflection*, std::uint32_t>> resources);
/// "VK_SPIRV_RESOURCE_TYPE_SAMPLER_BIT_EXT" for each bit of a resource mask.
VIREO_API std::vector<std::string_view> resource_type_names(std::uint32_t resource_mask);

/// The VkFormat of a scalar or vector: "VK_FORMAT_R32G32B32_SFLOAT"; empty for other types.
VIREO_API std::string_view vulkan_format(const Facts& facts, Word type);

}  // namespace vireo::spirv

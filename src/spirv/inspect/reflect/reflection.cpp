// SPDX-License-Identifier: Apache-2.0
//
// Reads the Reflection of a module (vireo/spirv/inspect/reflection.h): variables, blocks, constants.
#include "vireo/spirv/inspect/reflection.h"
#include "spirv/grammar/opcode_families.h"

#include <algorithm>
#include <iterator>

#include "spirv/module/fold.h"
#include "spirv/module/layouts/type_layouts.h"
#include "spirv/module/use_graph.h"
#include "vireo/spirv/binary/views/memory.h"
#include "vireo/spirv/module/constants.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/module_declarations.h"
#include "vireo/spirv/module/types.h"

namespace vireo::spirv {
namespace {

using enum Op;

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

class ReflectionReader {
 public:
  ReflectionReader(const Facts& facts, Reflection& result)
      : facts_(facts),
        module_(facts.module()),
        types_(facts.types()),
        decorations_(facts.decorations()),
        names_(facts.names()),
        layouts_(facts, LayoutKind::Padded),
        result_(result) {}

  void run() {
    const bool is_shader = facts_.module_declarations().has(Capability::Shader);
    for (const InstructionView view : module_.views(module_.section(Section::Globals))) {
      if (view.opcode == OpVariable && is_shader) read_variable(view);
      if (is_scalar_spec_constant(view.opcode)) read_spec_constant(view);
    }
    read_structures();
    // The sizes of blocks, and the members of interfaces, need the structures.
    for (ReflectedPushConstants& block : result_.push_constants_) set_range(block);
    read_entry_points();
  }

 private:
  [[nodiscard]] bool has(Word id, Decoration decoration) const { return decorations_.has(id, decoration); }
  [[nodiscard]] std::optional<Word> operand(Word id, Decoration decoration) const {
    const DecorationRow* row = decorations_.find(id, decoration);
    return row == nullptr || decorations_.operands(*row).empty() ? std::nullopt
                                                                 : std::optional(decorations_.operands(*row)[0]);
  }
  [[nodiscard]] std::optional<BuiltIn> built_in(Word id) const {
    const std::optional<Word> value = operand(id, Decoration::BuiltIn);
    return value ? std::optional(static_cast<BuiltIn>(*value)) : std::nullopt;
  }

  // --- variables ---

  void read_variable(InstructionView view) {
    const View<Op::OpVariable> variable(view);
    const Word id = variable.result();
    const TypeRow& pointer = types_.of(variable.result_type());
    switch (const StorageClass storage = variable.storage_class(); storage) {
      case StorageClass::UniformConstant:
      case StorageClass::Uniform:
      case StorageClass::StorageBuffer:
      case StorageClass::AtomicCounter: return read_resource(id, pointer.element, storage);
      case StorageClass::PushConstant:
        result_.push_constants_.push_back(
            {.id = id, .name = name_of_block(id, pointer.element), .type = pointer.element});
        return roots_.push_back(pointer.element);
      case StorageClass::Input:
      case StorageClass::Output: return read_interface(id, pointer.element, storage == StorageClass::Output);
      default: return;
    }
  }

  [[nodiscard]] std::string_view name_of_block(Word id, Word type) const {
    const std::string_view name = names_.of(id);
    return name.empty() ? names_.of(type) : name;
  }

  void read_resource(Word id, Word of, StorageClass storage) {
    ReflectedResource row;
    row.id = id;
    row.array = result_.lengths(of, row.type);
    const TypeRow& type = types_.of(row.type);
    const bool is_block = type.is(TypeKind::Struct);
    row.name = is_block ? name_of_block(id, row.type) : names_.of(id);
    row.descriptor = descriptor_of(type, storage);
    row.has_set = has(id, Decoration::DescriptorSet);
    row.has_binding = has(id, Decoration::Binding);
    row.set = operand(id, Decoration::DescriptorSet).value_or(0);
    row.binding = operand(id, Decoration::Binding).value_or(0);
    row.input_attachment = operand(id, Decoration::InputAttachmentIndex);
    row.location = operand(id, Decoration::Location);
    row.offset = operand(id, Decoration::Offset);
    if (is_block) {
      row.block_size = size_of(layouts_.extent(types_.index_of(row.type)));
      roots_.push_back(row.type);
    }
    // A block is read-only if all of its members are.
    const auto all = [&](Decoration decoration) {
      return has(id, decoration) || (is_block && type.count != 0 && all_members(type, decoration));
    };
    row.is_readonly = all(Decoration::NonWritable);
    row.is_writeonly = all(Decoration::NonReadable);
    row.is_coherent = all(Decoration::Coherent);
    row.is_volatile = all(Decoration::Volatile);
    row.is_restrict = all(Decoration::Restrict);
    result_.resources_.push_back(std::move(row));
  }

  [[nodiscard]] bool all_members(const TypeRow& type, Decoration decoration) const {
    for (std::uint32_t member = 0; member < type.count; ++member) {
      if (!decorations_.has(type.id, member, decoration)) return false;
    }
    return true;
  }

  [[nodiscard]] DescriptorType descriptor_of(const TypeRow& type, StorageClass storage) const {
    switch (type.kind) {
      case TypeKind::Sampler: return DescriptorType::Sampler;
      case TypeKind::SampledImage: {
        const bool is_buffer = types_.image(type.element_type()).dim == Dim::Buffer;
        return is_buffer ? DescriptorType::UniformTexelBuffer : DescriptorType::CombinedImageSampler;
      }
      case TypeKind::Image: {
        const ImageShape shape = types_.image(type);
        const bool is_storage = shape.sampled == 2;
        if (shape.dim == Dim::SubpassData) return DescriptorType::InputAttachment;
        if (shape.dim == Dim::Buffer) {
          return is_storage ? DescriptorType::StorageTexelBuffer : DescriptorType::UniformTexelBuffer;
        }
        return is_storage ? DescriptorType::StorageImage : DescriptorType::SampledImage;
      }
      case TypeKind::AccelerationStructure: return DescriptorType::AccelerationStructure;
      case TypeKind::Tensor: return DescriptorType::Tensor;
      case TypeKind::Struct:
        if (storage == StorageClass::StorageBuffer) return DescriptorType::StorageBuffer;
        if (has(type.id, Decoration::BufferBlock)) return DescriptorType::StorageBuffer;
        if (has(type.id, Decoration::Block)) return DescriptorType::UniformBuffer;
        return storage == StorageClass::UniformConstant ? DescriptorType::Uniform : DescriptorType::Unknown;
      default:
        if (storage == StorageClass::AtomicCounter) return DescriptorType::AtomicCounter;
        return storage == StorageClass::UniformConstant ? DescriptorType::Uniform : DescriptorType::Unknown;
    }
  }

  void read_interface(Word id, Word of, bool is_output) {
    ReflectedVariable row;
    row.id = id;
    row.array = result_.lengths(of, row.type);
    row.is_output = is_output;
    const bool is_block = types_.of(row.type).is(TypeKind::Struct);
    row.name = is_block ? name_of_block(id, row.type) : names_.of(id);
    row.location = operand(id, Decoration::Location);
    row.component = operand(id, Decoration::Component);
    row.index = operand(id, Decoration::Index);
    row.built_in = built_in(id);
    row.is_flat = has(id, Decoration::Flat);
    row.is_noperspective = has(id, Decoration::NoPerspective);
    row.is_centroid = has(id, Decoration::Centroid);
    row.is_sample = has(id, Decoration::Sample);
    row.is_patch = has(id, Decoration::Patch);
    if (is_block) roots_.push_back(row.type);
    result_.variables_.push_back(std::move(row));
  }

  // --- constants ---

  void read_spec_constant(InstructionView view) {
    const ValueOperands constant(view);
    const Word id = constant.result();
    const std::optional<Word> spec_id = operand(id, Decoration::SpecId);
    const ConstantRow* row = facts_.constants().find(id);
    if (!spec_id || row == nullptr || !row->is_scalar()) return;
    result_.spec_constants_.push_back({*spec_id, id, names_.of(id), constant.result_type(), row->bits});
  }

  // --- structures ---

  // All structures that the roots contain. A list, because the depth depends on the module.
  void read_structures() {
    std::vector<bool> is_found(types_.rows().size());
    std::vector<TypeIndex> found;
    const auto find = [&](Word type) {
      const TypeIndex i = types_.index_of(type);
      if (i.is_none() || is_found[i.index()]) return;
      is_found[i.index()] = true;
      found.push_back(i);
    };
    for (const Word root : roots_) find(root);
    // Shaders also make these pointers from integers.
    for (const TypeRow& type : types_.rows()) {
      if (type.is(TypeKind::Pointer) && type.storage == StorageClass::PhysicalStorageBuffer) find(type.element);
    }
    while (!found.empty()) {
      const TypeRow& type = types_.row(found.back());
      found.pop_back();
      if (type.is(TypeKind::Struct)) {
        for (const Word member : types_.members(type)) find(member);
      } else if (type.is_array() || type.is(TypeKind::Pointer)) {
        find(type.element);
      }
    }
    result_.member_begins_.push_back(0);
    for (const TypeRow& type : types_.rows()) {
      if (!type.is(TypeKind::Struct) || !is_found[types_.index_of(type.id).index()]) continue;
      if (&type != &types_.of(type.id)) continue;  // a second declaration of the id
      result_.structures_.push_back(type.id);
      read_members(type);
      result_.member_begins_.push_back(static_cast<std::uint32_t>(result_.members_.size()));
    }
  }

  static std::optional<std::uint64_t> size_of(const Extent& extent) {
    return extent.is_known ? std::optional(extent.size) : std::nullopt;
  }

  void read_members(const TypeRow& structure) {
    const std::size_t first = result_.members_.size();
    std::uint32_t number = 0;
    for (const MemberLayout& layout : layouts_.members(types_.index_of(structure.id))) {
      ReflectedMember member;
      member.name = names_.of(structure.id, number);
      member.type = layout.type;
      member.number = number++;
      if (layout.offset.is_known()) {
        member.offset = static_cast<std::uint32_t>(layout.offset.value);
        member.size = size_of(layouts_.extent(layout));
      }
      member.array_stride = array_stride_of(layout.type);
      member.matrix_stride = static_cast<std::uint32_t>(layout.matrix_stride.value);
      member.is_row_major = layout.is_row_major;
      result_.members_.push_back(member);
    }
    const auto members = std::span(result_.members_).subspan(first);
    for (const DecorationRow& row : decorations_.all_of(structure.id)) {
      if (row.member >= members.size()) continue;
      ReflectedMember& member = members[row.member];
      const Word operand = decorations_.operand_or(row, 0);
      if (row.decoration == Decoration::NonWritable) member.is_readonly = true;
      if (row.decoration == Decoration::NonReadable) member.is_writeonly = true;
      if (row.decoration == Decoration::Location && !member.location) member.location = operand;
      if (row.decoration == Decoration::BuiltIn && !member.built_in) member.built_in = static_cast<BuiltIn>(operand);
    }
    set_paddings(members);
  }

  [[nodiscard]] std::uint32_t array_stride_of(Word type) const {
    return operand(type, Decoration::ArrayStride).value_or(0);
  }

  // A member ends at the next offset, in the order of the offsets.
  static void set_paddings(std::span<ReflectedMember> members) {
    std::vector<ReflectedMember*> sorted;
    for (ReflectedMember& member : members) {
      if (member.offset && member.size) sorted.push_back(&member);
    }
    std::ranges::stable_sort(sorted, {}, [](const ReflectedMember* member) { return *member->offset; });
    for (std::size_t i = 0; i + 1 < sorted.size(); ++i) {
      const std::uint64_t end = *sorted[i]->offset + *sorted[i]->size, next = *sorted[i + 1]->offset;
      if (next > end) sorted[i]->padding = next - end;
    }
  }

  void set_range(ReflectedPushConstants& block) const {
    const std::span<const ReflectedMember> members = result_.members(block.type);
    bool is_first = true;
    for (const ReflectedMember& member : members) {
      if (!member.offset || !member.size) continue;
      block.begin = is_first ? *member.offset : std::min<std::uint64_t>(block.begin, *member.offset);
      block.end = std::max(block.end, *member.offset + *member.size);
      is_first = false;
    }
  }

  // --- entry points ---

  void read_entry_points() {
    const ModuleDeclarations& declarations = facts_.module_declarations();
    const UseGraph graph(module_, UseGraph::Scope::GlobalsAndFunctions);
    Worklist reached(graph.size());
    const auto is_reached = [&](Word id) {
      const InstructionIndex i = module_.definition(id);
      return !i.is_none() && reached.has(graph.node_of(i));
    };
    for (const EntryPointRow& entry : declarations.entry_points()) {
      ReflectedEntryPoint row;
      row.name = entry.name;
      row.model = entry.model;
      row.function = entry.function;
      if (has_workgroups(entry.model)) row.workgroup = workgroup_of(entry.function);
      reached.restart();
      if (const InstructionIndex i = module_.definition(entry.function); !i.is_none()) reached.add(graph.node_of(i));
      reached.run([&](UseNode n) { reached.add_all(graph.uses_of(n)); });
      const auto take = [&](const auto& rows, std::vector<std::uint32_t>& indexes, const auto& is_used) {
        for (std::uint32_t i = 0; i < rows.size(); ++i) {
          if (is_used(rows[i].id)) indexes.push_back(i);
        }
      };
      take(result_.resources_, row.resources, is_reached);
      take(result_.push_constants_, row.push_constants, is_reached);
      take(result_.spec_constants_, row.spec_constants,
           [&](Word id) { return is_reached(id) || is_size_of(row.workgroup, id); });
      // The interface lists inputs and outputs, also those that are not used.
      take(result_.variables_, row.variables, [&](Word id) {
        return is_reached(id) || std::ranges::find(entry.interface_, id) != entry.interface_.end();
      });
      read_built_ins(row);
      result_.entry_points_.push_back(std::move(row));
    }
  }

  void read_built_ins(ReflectedEntryPoint& row) const {
    for (const std::uint32_t i : row.variables) {
      const ReflectedVariable& variable = result_.variables_[i];
      if (variable.built_in) row.built_ins.push_back(*variable.built_in);
      for (const ReflectedMember& member : result_.members(variable.type)) {
        if (member.built_in) row.built_ins.push_back(*member.built_in);
      }
    }
    std::ranges::sort(row.built_ins);
    row.built_ins.erase(std::unique(row.built_ins.begin(), row.built_ins.end()), row.built_ins.end());
  }

  static bool has_workgroups(ExecutionModel model) {
    using enum ExecutionModel;
    return model == GLCompute || model == Kernel || model == TaskNV || model == MeshNV || model == TaskEXT ||
           model == MeshEXT;
  }

  // True if a specialization constant determines the size of the workgroup.
  [[nodiscard]] bool is_size_of(const std::optional<std::array<WorkgroupDimension, 3>>& workgroup, Word id) const {
    const std::optional<Word> spec_id = operand(id, Decoration::SpecId);
    return workgroup && std::ranges::any_of(*workgroup, [&](const WorkgroupDimension& dimension) {
             return dimension.spec_id && dimension.spec_id == spec_id;
           });
  }

  // A constant with the built-in WorkgroupSize takes precedence over the execution modes.
  [[nodiscard]] std::optional<std::array<WorkgroupDimension, 3>> workgroup_of(Word function) const {
    std::array<WorkgroupDimension, 3> size;
    const Constants& constants = facts_.constants();
    for (const DecorationRow& row : decorations_.rows()) {
      const bool is_size = row.decoration == Decoration::BuiltIn && row.member == no_member &&
                           decorations_.operand_or(row, 0) == static_cast<Word>(BuiltIn::WorkgroupSize);
      const ConstantRow* constant = is_size ? constants.find(row.target) : nullptr;
      if (constant == nullptr || constant->part_count() != 3) continue;
      for (std::size_t i = 0; i < 3; ++i) size[i] = dimension_of(constants.row(constants.parts(*constant)[i]));
      return size;
    }
    const ModuleDeclarations& declarations = facts_.module_declarations();
    if (const ExecutionModeRow* mode = declarations.mode(function, ExecutionMode::LocalSizeId)) {
      if (mode->operands.size() != 3) return std::nullopt;
      for (std::size_t i = 0; i < 3; ++i) size[i] = dimension_of(constants.of(mode->operands[i]));
      return size;
    }
    if (const ExecutionModeRow* mode = declarations.mode(function, ExecutionMode::LocalSize)) {
      if (mode->operands.size() != 3) return std::nullopt;
      for (std::size_t i = 0; i < 3; ++i) size[i].size = mode->operands[i];
      return size;
    }
    return std::nullopt;
  }

  [[nodiscard]] WorkgroupDimension dimension_of(const ConstantRow& constant) const {
    WorkgroupDimension dimension;
    if (constant.is_scalar()) dimension.size = static_cast<std::uint32_t>(constant.bits);
    if (constant.id != 0) dimension.spec_id = operand(constant.id, Decoration::SpecId);
    return dimension;
  }

  const Facts& facts_;
  const Module& module_;
  const Types& types_;
  const Decorations& decorations_;
  const Names& names_;
  TypeLayouts layouts_;
  Reflection& result_;
  std::vector<Word> roots_;  // types that contain structures of blocks and interfaces
};

Reflection::Reflection(const Facts& facts) : facts_(facts) { ReflectionReader(facts, *this).run(); }

std::span<const ReflectedMember> Reflection::members(Word structure) const {
  const InstructionIndex declaration = facts_.module().definition(structure);
  const auto place_of = [&](Word id) { return facts_.module().definition(id); };
  const auto row = std::ranges::lower_bound(structures_, declaration, {}, place_of);
  if (row == structures_.end() || *row != structure) return {};
  const auto i = static_cast<std::size_t>(row - structures_.begin());
  return std::span(members_).subspan(member_begins_[i], member_begins_[i + 1] - member_begins_[i]);
}

std::vector<ReflectedLength> Reflection::lengths(Word type, Word& innermost) const {
  const Types& types = facts_.types();
  const Constants& constants = facts_.constants();
  const Decorations& decorations = facts_.decorations();
  std::vector<ReflectedLength> lengths;
  const TypeRow* row = &types.of(type);
  innermost = type;
  // A pointer can be declared after the array of it. An array is declared before an array of it, so the loop ends; in an
  // invalid module it ends at the first one that is not.
  while (row->is_array() && (!row->element_row.is_none() || !row->element_type().is_array())) {
    ReflectedLength length{row->count, std::nullopt};
    if (length.count == 0 && row->length != 0) {
      length.count = constants.as_u64(row->length, ValueUse::OrDefault).value_or(0);
      const DecorationRow* spec_id = decorations.find(row->length, Decoration::SpecId);
      if (spec_id != nullptr) length.spec_id = decorations.operand_or(*spec_id, 0);
    }
    lengths.push_back(length);
    innermost = row->element;
    row = &types.of(innermost);
  }
  return lengths;
}

// --- formats ------------------------------------------------------------------------------------------------------------

std::string_view vulkan_format(const Facts& facts, Word type) {
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
  const Types& types = facts.types();
  const TypeRow& row = types.of(type);
  if (!row.is_numerical() && !row.is(TypeKind::Vector)) return {};
  const TypeRow& component = row.component();
  const std::uint64_t count = row.is(TypeKind::Vector) ? row.count : 1;
  if (component.encoding != TypeRow::no_encoding || count == 0 || count > 4) return {};
  const auto format = std::ranges::find_if(rows, [&](const FormatRow& each) {
    const bool has_sign = !component.is(TypeKind::Int) || each.is_signed == component.is_signed;
    return component.is(each.kind) && each.width == component.width && has_sign;
  });
  return format == std::end(rows) ? std::string_view() : format->names[count - 1];
}

}  // namespace vireo::spirv

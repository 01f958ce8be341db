// SPDX-License-Identifier: Apache-2.0
//
// Reads the Reflection of a module (vireo/spirv/inspect/reflection.h): variables, blocks, constants.
#include "vireo/spirv/inspect/reflection.h"

#include <algorithm>
#include <iterator>

#include "spirv/grammar/opcode_families.h"
#include "spirv/inspect/reflect/constant_expression.h"
#include "spirv/inspect/reflect/descriptor_types.h"
#include "spirv/inspect/reflect/heap_accesses.h"
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

}  // namespace

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
      if (is_variable(view.opcode) && is_shader) read_variable(view);
      if (is_scalar_spec_constant(view.opcode)) read_spec_constant(view);
    }
    read_heap_accesses();
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

  // An untyped variable states the type of its data, unless it is a descriptor heap.
  void read_variable(InstructionView view) {
    const ValueOperands variable(view);
    const Word id = variable.result();
    const auto untyped = as<OpUntypedVariableKHR>(view);
    const auto data_type = untyped ? untyped->data_type() : std::nullopt;
    const Word type = untyped ? (data_type ? Word(*data_type) : 0) : types_.of(variable.result_type()).element;
    const StorageClass storage = untyped ? untyped->storage_class() : View<Op::OpVariable>(view).storage_class();
    switch (storage) {
      case StorageClass::UniformConstant:
      case StorageClass::Uniform:
      case StorageClass::StorageBuffer:
      case StorageClass::TileAttachmentQCOM:
      case StorageClass::AtomicCounter: return read_resource(id, type, storage);
      case StorageClass::PushConstant:
        result_.push_constants_.push_back({.id = id, .name = name_of_block(id, type), .type = type});
        return roots_.push_back(type);
      case StorageClass::Input:
      case StorageClass::Output: return read_interface(id, type, storage == StorageClass::Output);
      case StorageClass::TileImageEXT:
      case StorageClass::ShaderRecordBufferKHR:
      case StorageClass::RayPayloadKHR:
      case StorageClass::IncomingRayPayloadKHR:
      case StorageClass::HitAttributeKHR:
      case StorageClass::HitObjectAttributeNV:
      case StorageClass::HitObjectAttributeEXT:
      case StorageClass::CallableDataKHR:
      case StorageClass::IncomingCallableDataKHR:
      case StorageClass::TaskPayloadWorkgroupEXT:
      case StorageClass::NodePayloadAMDX: return read_other(id, type, storage);
      default: return;
    }
  }

  [[nodiscard]] std::string_view name_of_block(Word id, Word type) const {
    const std::string_view name = names_.of(id);
    return name.empty() ? names_.of(type) : name;
  }

  void read_resource(Word id, Word of, StorageClass storage) {
    const std::optional<BuiltIn> heap = built_in(id);
    if (heap == BuiltIn::ResourceHeapEXT || heap == BuiltIn::SamplerHeapEXT) return heaps_.push_back({id, *heap});
    ReflectedResource row;
    row.id = id;
    row.storage = storage;
    row.array = result_.lengths(of, row.type);
    const TypeRow& type = types_.of(row.type);
    const bool is_block = type.is(TypeKind::Struct);
    row.name = is_block ? name_of_block(id, row.type) : names_.of(id);
    row.descriptor = descriptor_type_of(facts_, type, storage);
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

  void read_other(Word id, Word of, StorageClass storage) {
    ReflectedOtherVariable row;
    row.id = id;
    row.storage = storage;
    row.array = result_.lengths(of, row.type);
    const bool is_block = types_.of(row.type).is(TypeKind::Struct);
    row.name = is_block ? name_of_block(id, row.type) : names_.of(id);
    row.location = operand(id, Decoration::Location);
    if (is_block) roots_.push_back(row.type);
    if (is_block && storage == StorageClass::ShaderRecordBufferKHR) {
      row.block_size = size_of(layouts_.extent(types_.index_of(row.type)));
    }
    result_.other_variables_.push_back(std::move(row));
  }

  // --- descriptor heaps ---

  void read_heap_accesses() {
    HeapAccesses accesses(facts_, layouts_, std::move(heaps_));
    accesses.run();
    result_.heap_accesses_ = std::move(accesses.rows());
    heap_functions_ = accesses.functions();
    for (const ReflectedHeapAccess& row : result_.heap_accesses_) {
      roots_.insert(roots_.end(), row.blocks.begin(), row.blocks.end());
    }
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
      if (row.decoration == Decoration::Component && !member.component) member.component = operand;
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
      take(result_.other_variables_, row.other_variables, is_reached);
      for (std::uint32_t i = 0; i < heap_functions_.size(); ++i) {
        const auto is_performed = [&](const HeapAccesses::Functions& functions) {
          return std::ranges::all_of(functions, [&](InstructionIndex f) { return reached.has(graph.node_of(f)); });
        };
        if (std::ranges::any_of(heap_functions_[i], is_performed)) row.heap_accesses.push_back(i);
      }
      // Decorations of layouts refer to constants that no instruction of a function uses.
      take(result_.spec_constants_, row.spec_constants,
           [&](Word id) { return is_reached(id) || is_size_of(row.workgroup, id) || is_in_heap_accesses(row, id); });
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
             return spec_id && (dimension.spec_id == spec_id ||
                                std::ranges::find(dimension.spec_ids, *spec_id) != dimension.spec_ids.end());
           });
  }

  [[nodiscard]] bool is_in_heap_accesses(const ReflectedEntryPoint& row, Word id) const {
    const std::optional<Word> spec_id = operand(id, Decoration::SpecId);
    return spec_id && std::ranges::any_of(row.heap_accesses, [&](std::uint32_t access) {
             const auto has_it = [&](const ReflectedHeapStep& step) {
               return std::ranges::find(step.bytes.spec_ids, *spec_id) != step.bytes.spec_ids.end();
             };
             return std::ranges::any_of(result_.heap_accesses_[access].steps, has_it);
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
    if (constant.id == 0) return dimension;
    dimension.spec_id = operand(constant.id, Decoration::SpecId);
    if (!dimension.spec_id) {
      ReflectedNumber number = number_of_constant(facts_, constant.id);
      dimension.expression = std::move(number.expression);
      dimension.spec_ids = std::move(number.spec_ids);
    }
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
  std::vector<HeapAccesses::Heap> heaps_;
  std::vector<std::set<HeapAccesses::Functions>> heap_functions_;  // by heap access
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
  while (row->is_array() && (!row->element_row.is_none() || !types.of(row->element).is_array())) {
    ReflectedLength length{.count = row->count};
    if (length.count == 0 && row->length != 0) {
      length.count = constants.as_u64(row->length, ValueUse::OrDefault).value_or(0);
      const DecorationRow* spec_id = decorations.find(row->length, Decoration::SpecId);
      if (spec_id != nullptr) {
        length.spec_id = decorations.operand_or(*spec_id, 0);
      } else {
        ReflectedNumber number = number_of_constant(facts_, row->length);
        length.expression = std::move(number.expression);
        length.spec_ids = std::move(number.spec_ids);
      }
    }
    lengths.push_back(std::move(length));
    innermost = row->element;
    row = &types.of(innermost);
  }
  return lengths;
}

// --- rows ---------------------------------------------------------------------------------------------------------------
//
// Not in the header: each conversion to a std::span costs its users 10 to 20 ms of compile time.

std::span<const ReflectedResource> Reflection::resources() const { return resources_; }
std::span<const ReflectedPushConstants> Reflection::push_constants() const { return push_constants_; }
std::span<const ReflectedVariable> Reflection::variables() const { return variables_; }
std::span<const ReflectedSpecConstant> Reflection::spec_constants() const { return spec_constants_; }
std::span<const ReflectedOtherVariable> Reflection::other_variables() const { return other_variables_; }
std::span<const ReflectedHeapAccess> Reflection::heap_accesses() const { return heap_accesses_; }
std::span<const ReflectedEntryPoint> Reflection::entry_points() const { return entry_points_; }
std::span<const Word> Reflection::structures() const { return structures_; }

}  // namespace vireo::spirv

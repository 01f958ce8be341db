// SPDX-License-Identifier: Apache-2.0
//
// Finds the used members of structures (members_usage.h).
//
// Declarations decide first which structures may change at all. Then one walk over the instructions marks
// the members that they use.
#include "spirv/transform/clean/members_usage.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "spirv/binary/decode_all.h"
#include "spirv/grammar/special_sets.h"
#include "spirv/module/opcode_traits.h"
#include "spirv/rules.h"
#include "spirv/transform/clean/members_path.h"
#include "vireo/spirv/binary/operand.h"
#include "vireo/spirv/binary/views/composite.h"
#include "vireo/spirv/binary/views/constant_creation.h"
#include "vireo/spirv/binary/views/extension.h"
#include "vireo/spirv/binary/views/function.h"
#include "vireo/spirv/binary/views/memory.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/module_declarations.h"

namespace vireo::spirv {
namespace {

using enum Op;

// The users of the memory of a storage class, and how they find a member. Storage classes without a row: Outside.
enum class LayoutUser : std::uint8_t {
  Outside,   // other stages, the API or the hardware, by the number of the member, its location or its built-in
  Offsets,   // the API or other variables, by the offset of the member
  ThisOnly,  // only the instructions of the module
};
// clang-format off
constexpr std::pair<StorageClass, LayoutUser> layout_users[] = {
    {StorageClass::Uniform,               LayoutUser::Offsets},
    {StorageClass::StorageBuffer,         LayoutUser::Offsets},
    {StorageClass::PushConstant,          LayoutUser::Offsets},
    {StorageClass::PhysicalStorageBuffer, LayoutUser::Offsets},
    {StorageClass::ShaderRecordBufferKHR, LayoutUser::Offsets},
    {StorageClass::Function,              LayoutUser::ThisOnly},
    {StorageClass::Private,               LayoutUser::ThisOnly},
    {StorageClass::Workgroup,             LayoutUser::ThisOnly},
};
// clang-format on

// Instructions that only mention a type or a value, or pass the value on with its type. The other instructions that use
// the result decide about its members.
bool passes_on(Op opcode) {
  switch (opcode) {
    case OpEntryPoint:
    case OpDecorationGroup:
    case OpTypePointer:
    case OpTypeForwardPointer:
    case OpTypeArray:
    case OpTypeRuntimeArray:
    case OpTypeStruct:
    case OpTypeFunction:
    case OpConstantNull:
    case OpUndef:
    case OpFunction:
    case OpFunctionParameter:
    case OpFunctionCall:
    case OpReturnValue:
    case OpPhi:
    case OpSelect:
    case OpCopyObject: return true;
    default: return gives_name(opcode) || is_decoration(opcode) || applies_group(opcode);
  }
}

}  // namespace

class UsageReader {
 public:
  UsageReader(const Module& module, const Types& types)
      : module_(module), types_(types), declarations_(ModuleDeclarations::read(module)), usage_(types) {}

  Result<MemberUsage> run(Diagnostics& diagnostics) {
    usage_.firsts_.reserve(types_.rows().size());
    std::size_t members = 0;
    for (const TypeRow& row : types_.rows()) {
      usage_.firsts_.push_back(static_cast<std::uint32_t>(members));
      if (row.is(TypeKind::Struct)) members += types_.members(row).size();
    }
    is_used_.resize(members);
    is_all_used_.resize(types_.rows().size());
    const Decorations decorations = Decorations::read(module_);
    if (may_change(decorations)) {
      find_layouts(decorations);
      use_by_declarations(decorations);
    } else {
      is_used_.assign(members, true);
    }
    if (const std::optional<Reported> fault = use_by_instructions(diagnostics)) return *fault;
    keep_one_member_each();
    return std::move(usage_);
  }

 private:
  // --- what may change ---

  [[nodiscard]] bool may_change(const Decorations& decorations) const {
    const auto addressing = declarations_.addressing_model();
    const bool is_physical = addressing == AddressingModel::Physical32 || addressing == AddressingModel::Physical64;
    // Lists of members, or of values for them, that continue in the next instruction are not supported.
    return !is_physical && !declarations_.has(Capability::Kernel) && decorations.unexpanded().empty() &&
           std::ranges::none_of(continuations, [&](const Continuation& each) { return module_.has(each.opcode); });
  }

  [[nodiscard]] LayoutUser layout_user(StorageClass storage) const {
    // Blocks of workgroup memory may overlap.
    const bool has_workgroup_blocks = declarations_.has(Capability::WorkgroupMemoryExplicitLayoutKHR);
    if (storage == StorageClass::Workgroup && has_workgroup_blocks) return LayoutUser::Offsets;
    const auto row = std::ranges::find(layout_users, storage, &std::pair<StorageClass, LayoutUser>::first);
    return row == std::end(layout_users) ? LayoutUser::Outside : row->second;
  }

  // Without its Offset, the place of a member depends on the members before it. So no member of a type with such a
  // structure in it may go.
  void find_layouts(const Decorations& decorations) {
    has_offsets_.assign(types_.rows().size(), true);
    for (std::size_t i = 0; i < types_.rows().size(); ++i) {
      const TypeRow& row = types_.rows()[i];
      if (row.is_array()) has_offsets_[i] = has_offsets(row.element);
      if (!row.is(TypeKind::Struct)) continue;
      const Words members = types_.members(row);
      for (Word member = 0; member < members.size() && has_offsets_[i]; ++member) {
        has_offsets_[i] = decorations.has(row.id, member, Decoration::Offset) && has_offsets(members[member]);
      }
    }
  }
  [[nodiscard]] bool has_offsets(Word type) const {
    const TypeIndex index = types_.index_of(type);
    return index.is_none() || has_offsets_[index.index()];
  }

  void use_by_declarations(const Decorations& decorations) {
    for (const TypeRow& row : types_.rows()) {
      if (row.is(TypeKind::Pointer)) use_in_memory(row.storage, row.element);
    }
    for (const DecorationRow& row : decorations.rows()) {
      if (row.member != no_member) {
        // A block of built-ins has all of them; an offset that is an id may depend on other members.
        if (row.decoration == Decoration::BuiltIn || row.form == DecorationForm::Id) use_all(row.target);
      } else if (row.form == DecorationForm::Id && types_.find(row.target) != nullptr) {
        use_all(row.target);  // a stride that is an id depends on the element, which may have to hold a descriptor
      } else if (row.decoration == Decoration::LinkageAttributes) {
        // Other modules pass values of these types.
        const InstructionView exported = module_.find(row.target);
        const auto function = as<OpFunction>(exported);
        use_all(function ? function->function_type().id : module_.type_of(exported));
      }
    }
  }

  // The memory of a storage class contains a value of this type.
  void use_in_memory(StorageClass storage, Word type) {
    const LayoutUser user = layout_user(storage);
    if (user == LayoutUser::Outside || (user == LayoutUser::Offsets && !has_offsets(type))) use_all(type);
  }
  // The memory of an untyped pointer may also contain other types.
  void use_in_untyped_memory(StorageClass storage, Word type) {
    if (layout_user(storage) != LayoutUser::Offsets || !has_offsets(type)) use_all(type);
  }

  // --- instructions ---

  // Returns the last error, after all instructions that cannot be decoded were reported.
  std::optional<Reported> use_by_instructions(Diagnostics& diagnostics) {
    return decode_all(module_.words(), module_.grammar(), diagnostics,
                      [&](std::uint32_t, InstructionView view, const OperandDecoder& decoder) {
                        use_by(operation_of(view), decoder);
                      });
  }

  void use_by(InstructionView view, const OperandDecoder& decoder) {
    if (passes_on(view.opcode)) return;
    if (const auto path = member_path(module_, types_, view)) return use_path(*path, view);
    switch (view.opcode) {
      case OpVariable: return use_by_variable(View<OpVariable>(view));
      case OpUntypedVariableKHR: return use_by_variable(View<OpUntypedVariableKHR>(view));
      case OpLoad: return use_by_load(View<OpLoad>(view));
      case OpStore: return use_by_store(View<OpStore>(view));
      case OpCopyMemory: return use_by_copy(View<OpCopyMemory>(view));
      case OpConstantComposite: return use_by_construction(View<OpConstantComposite>(view));
      case OpSpecConstantComposite: return use_by_construction(View<OpSpecConstantComposite>(view));
      case OpCompositeConstruct: return use_by_construction(View<OpCompositeConstruct>(view));
      case OpExtInst:
      case OpExtInstWithForwardRefsKHR:
        if (is_without_semantics(View<OpExtInst>(view))) return;
        break;
      default: break;
    }
    // The result type is an operand, too.
    for (const Operand& operand : decoder.operands()) {
      if (!operand.uses_id()) continue;
      const Word id = view.word(operand.word);
      use_all(types_.find(id) != nullptr ? id : module_.type_of(id));
    }
  }

  // Without semantics, member numbers refer to the source, so they do not change.
  [[nodiscard]] bool is_without_semantics(View<OpExtInst> instruction) const {
    const ImportRow* import = declarations_.import_of(instruction.set());
    return import != nullptr && has_no_semantics(import->name);
  }

  void use_path(const MemberPath& path, InstructionView view) {
    const Word stop = follow_members(path, module_, types_, [&](const TypeRow& structure, Word member, std::uint16_t) {
      is_used_[usage_.first_of(structure) + member] = true;
    });
    if (stop != 0) use_all(stop);
    const TypeRow& pointer = types_.of(module_.type_of(view));
    if (pointer.is(TypeKind::UntypedPointer)) use_in_untyped_memory(pointer.storage, path.type);
  }

  // An initializer writes the whole variable.
  void use_by_variable(View<OpVariable> variable) {
    const bool is_hidden = layout_user(variable.storage_class()) == LayoutUser::ThisOnly;
    if (variable.initializer() && !is_hidden) use_all(variable.result_type());
  }
  void use_by_variable(View<OpUntypedVariableKHR> variable) {
    if (!variable.data_type()) return;
    use_in_untyped_memory(variable.storage_class(), *variable.data_type());
    if (variable.initializer()) use_all(*variable.data_type());
  }

  // A volatile access must not be eliminated, nor a part of it.
  void use_by_load(View<OpLoad> load) {
    const TypeRow& pointer = pointer_type(load.pointer());
    if (load.memory_access().has(MemoryAccess::Volatile)) use_all(load.result_type());
    if (pointer.is(TypeKind::UntypedPointer)) use_in_untyped_memory(pointer.storage, load.result_type());
  }
  // Instructions outside of the module may observe all members that a store to their memory writes.
  void use_by_store(View<OpStore> store) {
    const TypeRow& pointer = pointer_type(store.pointer());
    const Word type = module_.type_of(store.object().id);
    if (pointer.element == type && is_plain_access(pointer, store.memory_access())) return;
    use_all(type);
    use_all(pointer.id);
  }
  void use_by_copy(View<OpCopyMemory> copy) {
    const TypeRow &target = pointer_type(copy.target()), &source = pointer_type(copy.source());
    const bool are_plain =
        is_plain_access(target, copy.memory_access()) && !copy.memory_access_2().has(MemoryAccess::Volatile);
    if (target.element == source.element && source.is(TypeKind::Pointer) && are_plain) return;
    use_all(target.id);
    use_all(source.id);
  }
  [[nodiscard]] bool is_plain_access(const TypeRow& pointer, MemoryAccessView access) const {
    return pointer.is(TypeKind::Pointer) && layout_user(pointer.storage) == LayoutUser::ThisOnly &&
           !access.has(MemoryAccess::Volatile);
  }
  [[nodiscard]] const TypeRow& pointer_type(Word pointer) const { return types_.of(module_.type_of(pointer)); }

  // One constituent for each member; an invalid number of them leaves nothing to remove.
  template <typename Construction>
  void use_by_construction(Construction construction) {
    const TypeRow& type = types_.of(construction.result_type());
    if (type.is(TypeKind::Struct) && construction.constituents().size() != type.count) use_all(type.id);
  }

  // --- members ---

  // Uses everything that a type contains or points to. Linear in total: each type is visited once.
  void use_all(Word type) {
    pending_.push_back(type);
    while (!pending_.empty()) {
      const TypeIndex index = types_.index_of(pending_.back());
      pending_.pop_back();
      if (index.is_none() || is_all_used_[index.index()]) continue;
      is_all_used_[index.index()] = true;
      const TypeRow& row = types_.row(index);
      if (row.element != 0) pending_.push_back(row.element);
      const Words parts = types_.members(row);
      pending_.insert(pending_.end(), parts.begin(), parts.end());
      if (!row.is(TypeKind::Struct)) continue;
      const auto first = is_used_.begin() + static_cast<std::ptrdiff_t>(usage_.first_of(row));
      std::fill_n(first, parts.size(), true);
    }
  }

  // The first member, so that a second application keeps the same one. Then counts the used members.
  void keep_one_member_each() {
    for (const TypeRow& row : types_.rows()) {
      if (!row.is(TypeKind::Struct) || types_.members(row).empty()) continue;
      const auto first = is_used_.begin() + static_cast<std::ptrdiff_t>(usage_.first_of(row));
      const auto end = first + static_cast<std::ptrdiff_t>(types_.members(row).size());
      if (std::find(first, end, true) == end) *first = true;
    }
    usage_.before_.reserve(is_used_.size() + 1);
    std::uint32_t count = 0;
    for (const bool is_used : is_used_) {
      usage_.before_.push_back(count);
      if (is_used) ++count;
    }
    usage_.before_.push_back(count);
    usage_.has_unused_ = count < is_used_.size();
  }

  const Module& module_;
  const Types& types_;
  ModuleDeclarations declarations_;
  MemberUsage usage_;
  std::vector<bool> is_used_;      // by position in the list of all members
  std::vector<bool> is_all_used_;  // by type: use_all() visited it
  std::vector<bool> has_offsets_;  // by type
  std::vector<Word> pending_;      // types that use_all() has to visit
};

Result<MemberUsage> MemberUsage::read(const Module& module, const Types& types, Diagnostics& diagnostics) {
  return UsageReader(module, types).run(diagnostics);
}

void MemberUsage::use(const TypeRow& structure, Word member) {
  if (is_used(structure, member)) return;
  for (std::size_t at = first_of(structure) + member + 1; at < before_.size(); ++at) ++before_[at];
  has_unused_ = before_.back() + 1 < before_.size();
}

}  // namespace vireo::spirv

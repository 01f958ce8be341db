// SPDX-License-Identifier: Apache-2.0
//
// Reads the UnusedFacts of a module (specification 2.4, 2.13, 3.31 Decoration, 3.42).
#include "spirv/transform/clean/unused_facts.h"

#include <algorithm>
#include <iterator>

#include "spirv/grammar/opcode_families.h"
#include "spirv/grammar/opcode_rows.h"
#include "spirv/grammar/special_sets.h"
#include "vireo/spirv/binary/views/annotation.h"
#include "vireo/spirv/binary/views/extension.h"

namespace vireo::spirv {

using enum Op;

UnusedFacts::UnusedFacts(const PassInput& input)
    : module_(input.module),
      operands_(input.operands),
      options_(input.options),
      roles_(module_.instruction_count()),
      function_of_(module_.instruction_count()),
      block_of_(module_.instruction_count()),
      base_(module_.instruction_count()),
      is_visible_(module_.instruction_count()),
      is_shared_(module_.instruction_count()) {
  for (const InstructionView view : module_.views(module_.section(Section::Capabilities))) {
    constexpr Capability layout = Capability::WorkgroupMemoryExplicitLayoutKHR;
    has_shared_workgroup_ |= view.opcode == OpCapability && view.word(1) == static_cast<Word>(layout);
  }
  read_roles();
  read_annotations();
  read_pointers();
}

std::string_view UnusedFacts::set_of(InstructionView view) const {
  const auto set = sets_.find(view.word(3));
  return set == sets_.end() ? std::string_view() : set->second;
}

InstructionIndex UnusedFacts::nothing_described(InstructionIndex before) const {
  const auto found = nothing_.find(module_.instruction(before).word(3));
  return found == nothing_.end() || found->second > before ? InstructionIndex() : found->second;
}

void UnusedFacts::read_roles() {
  OpcodeRows<UnusedRole> rows(module_.grammar());
  for (const auto [index, view] : module_.instructions()) {
    const Op opcode = view.opcode;
    roles_[index.index()] =
        rows.of(opcode, [&] { return unused_role_of(module_.grammar(), module_.grammar().find_opcode(opcode)); });
  }
  for (const auto [index, view] : module_.instructions(Section::Imports)) {
    if (const auto import = as<OpExtInstImport>(view)) sets_.emplace(import->result(), import->name());
  }
  for (const FunctionRow& function : module_.functions()) {
    const FunctionIndex number = module_.index_of(function);
    for (std::uint32_t i = function.all.first; i < function.all.end; ++i) function_of_[i] = number;
  }
  for (const BlockRow& block : module_.blocks()) {
    for (std::uint32_t i = block.all.first; i < block.all.end; ++i) block_of_[i] = module_.index_of(block);
  }
  for (const auto [index, view] : module_.instructions()) {
    if (roles_[index.index()] == UnusedRole::Extended) refine_extended(index, view);
    // OpUndef among the globals is a constant.
    if (view.opcode == OpUndef && function_of_[index.index()].is_none()) roles_[index.index()] = UnusedRole::Constant;
  }
}

// Whether an instruction of an extended set is pure, or debug information.
void UnusedFacts::refine_extended(InstructionIndex index, InstructionView view) {
  const std::string_view name = set_of(view);
  // Outside of functions, no instruction of a non-semantic set computes anything.
  const bool is_global = function_of_[index.index()].is_none() && is_non_semantic_set(name);
  if (is_global || is_debug_information(name)) {
    debug_information_.push_back(index);
    if (view.word(4) == 0) nothing_.try_emplace(view.word(3), index);  // DebugInfoNone
    return;
  }
  bool is_pure = is_pure_set(name);
  for (const IdOperandRow& row : operands_.of(index)) is_pure &= row.word < 5 || !is_pointer(row.definition);
  constexpr Word interpolate_at[] = {76, 77, 78};  // GLSL.std.450 InterpolateAtCentroid … InterpolateAtOffset
  is_pure |= name == "GLSL.std.450" && std::ranges::find(interpolate_at, view.word(4)) != std::end(interpolate_at);
  roles_[index.index()] = is_pure ? UnusedRole::Pure : UnusedRole::Needed;
}

bool UnusedFacts::is_group(InstructionIndex i) const { return module_.instruction(i).opcode == OpDecorationGroup; }

bool UnusedFacts::is_pointer(InstructionIndex value) const {
  if (value.is_none()) return false;
  const Op type = module_.find(module_.type_of(module_.instruction(value))).opcode;
  return type == OpTypePointer || type == OpTypeUntypedPointerKHR;
}

void UnusedFacts::read_annotations() {
  for (const auto [index, view] : module_.instructions(Section::Annotations)) {
    const InstructionIndex target = module_.definition(view.word(1));
    const auto decorate = as<OpDecorate>(view);
    if (target.is_none()) continue;
    const bool is_counter =
        view.opcode == OpDecorateId && view.word(2) == static_cast<Word>(Decoration::HlslCounterBufferGOOGLE);
    if (is_counter) {
      counters_.push_back(index);  // reflection: it does not keep the counter
    } else if (is_group(target) && !applies_group(view.opcode)) {
      // The targets of the group are not known here, so all operands are needed.
      for (const IdOperandRow& row : operands_.of(index)) {
        if (row.word != 1 && !row.definition.is_none()) show(row.definition);
      }
    } else if (operands_.of(index).size() > 1 && !applies_group(view.opcode)) {
      requirements_.emplace_back(target, index);
    }
    const std::size_t word = view.opcode == OpMemberDecorate ? 3 : 2;
    const bool decorates = view.opcode == OpDecorate || view.opcode == OpMemberDecorate;
    has_volatile_ |= decorates && view.word(word) == static_cast<Word>(Decoration::Volatile);
    if (!decorate) continue;
    switch (const Decoration decoration = decorate->decoration().value(); decoration) {
      case Decoration::LinkageAttributes: {
        constexpr Word import = 1;  // LinkageType: the other types offer the symbol to other modules
        if (view.word(view.word_count - 1u) != import) show(target);
        is_shared_[target.index()] = true;
        break;
      }
      case Decoration::Aliased: is_shared_[target.index()] = true; break;
      case Decoration::BuiltIn:
        // WorkgroupSize, of a constant or of a group.
        if (roles_[target.index()] == UnusedRole::Constant || is_group(target)) show(target);
        break;
      case Decoration::SpecId:
        if (!options_.drop_specs) show(target);
        break;
      default: break;
    }
  }
  // Decorations by a group apply to its targets.
  for (const auto [index, view] : module_.instructions(Section::Annotations)) {
    const auto group = as<OpGroupDecorate>(view);
    const InstructionIndex decorated = group ? module_.definition(group->decoration_group()) : InstructionIndex();
    if (decorated.is_none() || !(is_visible_[decorated.index()] || is_shared_[decorated.index()])) continue;
    for (const auto target : group->targets()) {
      const InstructionIndex of = module_.definition(target);
      if (of.is_none()) continue;
      if (is_visible_[decorated.index()]) show(of);
      if (is_shared_[decorated.index()]) is_shared_[of.index()] = true;
    }
  }
  std::ranges::stable_sort(requirements_, {}, &Pair::first);
}

void UnusedFacts::read_pointers() {
  for (const auto [index, view] : module_.instructions()) {
    if (roles_[index.index()] == UnusedRole::Variable) {
      base_[index.index()] = index;
    } else if (const std::uint16_t word = base_word(view); word != 0) {
      const InstructionIndex from = module_.definition(view.word(word));
      if (!from.is_none()) base_[index.index()] = base_[from.index()];
    }
  }
  for (const auto [index, view] : module_.instructions()) {
    if (const InstructionIndex variable = stored_variable(index, view); !variable.is_none()) {
      writers_.emplace_back(variable, index);
    }
  }
  std::ranges::stable_sort(writers_, {}, &Pair::first);
}

std::uint16_t UnusedFacts::base_word(InstructionView view) {
  switch (view.opcode) {
    case OpAccessChain:
    case OpInBoundsAccessChain:
    case OpCopyObject: return 3;
    case OpUntypedAccessChainKHR:
    case OpUntypedInBoundsAccessChainKHR: return 4;
    default: return 0;
  }
}

InstructionIndex UnusedFacts::stored_variable(InstructionIndex index, InstructionView view) const {
  if (roles_[index.index()] != UnusedRole::Store || has_volatile_access(view)) return {};
  const InstructionIndex pointer = module_.definition(view.word(1));
  if (pointer.is_none() || base_[pointer.index()].is_none()) return {};
  return is_internal(base_[pointer.index()]) ? base_[pointer.index()] : InstructionIndex();
}

bool UnusedFacts::has_volatile_access(InstructionView view) const {
  if (has_volatile_) return true;
  constexpr Word is_volatile = 1;         // MemoryAccess
  constexpr Word volatile_texel = 0x800;  // ImageOperands
  const auto has = [&](std::size_t word, Word bit) { return (view.word(word) & bit) != 0; };
  switch (view.opcode) {
    case OpStore: return has(3, is_volatile);
    case OpLoad: return has(4, is_volatile);
    case OpCopyMemory:
    case OpCopyMemorySized: {
      // The second mask is after the parameters of the first one, which are tested too: they can only keep the instruction.
      bool is_found = false;
      for (std::size_t word = view.opcode == OpCopyMemory ? 3 : 4; word < view.word_count; ++word) {
        is_found |= has(word, is_volatile);
      }
      return is_found;
    }
    // Image instructions: the mask follows the component or the depth reference.
    case OpImageSampleDrefImplicitLod:
    case OpImageSampleDrefExplicitLod:
    case OpImageSampleProjDrefImplicitLod:
    case OpImageSampleProjDrefExplicitLod:
    case OpImageGather:
    case OpImageDrefGather:
    case OpImageSparseSampleDrefImplicitLod:
    case OpImageSparseSampleDrefExplicitLod:
    case OpImageSparseSampleProjDrefImplicitLod:
    case OpImageSparseSampleProjDrefExplicitLod:
    case OpImageSparseGather:
    case OpImageSparseDrefGather: return has(6, volatile_texel);
    default: return has(5, volatile_texel);
  }
}

bool UnusedFacts::is_internal(InstructionIndex variable) const {
  const InstructionView view = module_.instruction(variable);
  const auto storage = static_cast<StorageClass>(view.word(3));
  if (is_shared_[variable.index()]) return false;
  if (storage == StorageClass::Function) return true;
  // Variables with an explicit layout share the memory of the workgroup.
  if (storage == StorageClass::Workgroup && has_shared_workgroup_) return false;
  return storage == StorageClass::Private || storage == StorageClass::Workgroup;
}

bool UnusedFacts::is_seen_outside(InstructionView variable) const {
  if (options_.drop_bindings) return false;
  switch (static_cast<StorageClass>(variable.word(3))) {
    case StorageClass::Private:
    case StorageClass::Workgroup:
    case StorageClass::CrossWorkgroup:
    case StorageClass::Function: return false;
    // A constant of a kernel has an initializer; a resource of a shader has none.
    case StorageClass::UniformConstant: return variable.opcode != OpVariable || variable.word_count < 5;
    default: return true;
  }
}

}  // namespace vireo::spirv

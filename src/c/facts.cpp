// SPDX-License-Identifier: Apache-2.0
//
// vireo.h: facts of a module: types, constants, names, decorations, uses, control flow.
//
// Facts computes each part on first use. So any query may allocate memory, and returns a status.

#include <memory>
#include "c/handles.h"

namespace vireo::c {
namespace {

using spirv::LocalBlock;

// The values of these constants must equal those of the C++ enumerators.
static_assert(VIREO_NONE == spirv::no_member && VIREO_NONE == LocalBlock::none().raw);
static_assert(VIREO_CONSTANT_KNOWN == static_cast<int>(spirv::ConstantStatus::Known) &&
              VIREO_CONSTANT_DEFAULT == static_cast<int>(spirv::ConstantStatus::SpecDependent) &&
              VIREO_CONSTANT_UNKNOWN == static_cast<int>(spirv::ConstantStatus::Unknown));
static_assert(VIREO_USE_OPERAND == static_cast<int>(spirv::UseKind::Operand) &&
              VIREO_USE_RESULT_TYPE == static_cast<int>(spirv::UseKind::ResultType) &&
              VIREO_USE_MODE == static_cast<int>(spirv::UseKind::Mode) &&
              VIREO_USE_DEBUG == static_cast<int>(spirv::UseKind::Debug) &&
              VIREO_USE_ANNOTATION == static_cast<int>(spirv::UseKind::Annotation));

/// Converts the row of a type to a struct. Fields that do not apply to a type are 0, so every field is copied. Other
/// types are given by their ids, because the index into the type table is internal.
vireo_type type_to_c(const spirv::Types& types, const spirv::TypeRow& row) {
  const spirv::Words members = types.members(row);
  vireo_type item{};
  item.opcode = static_cast<std::uint32_t>(row.opcode);
  item.instruction = row.declaration.raw;
  item.width = row.width;
  item.is_signed = row.is_signed ? 1 : 0;
  item.storage_class = static_cast<std::uint32_t>(row.storage);
  item.element = row.element;
  item.length = row.length;
  item.member_count = static_cast<std::uint32_t>(members.size());
  // Borrowed from the module's words or, if the list continues in another instruction, from the Types.
  item.members = members.empty() ? nullptr : members.data();
  // row.count is also the number of members, which the struct has in another field.
  item.component_count = members.empty() && !row.is(spirv::TypeKind::Function) ? row.count : 0;
  item.bits = row.bits;
  return item;
}

/// LocalBlock has the memory layout of its number.
static_assert(sizeof(LocalBlock) == sizeof(std::uint32_t) && std::is_standard_layout_v<LocalBlock>);
// So the result may point into the flow, without a copy.
vireo_status return_blocks(std::span<const LocalBlock> item, const std::uint32_t** blocks, std::size_t* count) {
  *blocks = item.empty() ? nullptr : &item.front().raw;
  *count = item.size();
  return VIREO_OK;
}

/// Block numbers are local to the function, so they are below the number of blocks in its flow.
bool is_block(const vireo_flow* flow, std::uint32_t block) {
  return flow != nullptr && block < flow->flow.block_count();
}

}  // namespace
}  // namespace vireo::c

using namespace vireo;
using namespace vireo::c;

// This call may compute facts of the module. Several threads may do so at once, because Facts locks
// (vireo/spirv/module/facts.h).
vireo_status vireo_module_type(const vireo_module* module, std::uint32_t id, vireo_type* out) {
  if (module == nullptr || out == nullptr) return VIREO_BAD_ARGUMENT;
  return guarded([&] {
    const spirv::Types& types = module->facts.types();
    const spirv::TypeRow* row = types.find(id);
    if (row == nullptr) return VIREO_NO_MATCH;
    *out = type_to_c(types, *row);
    return VIREO_OK;
  });
}

vireo_status vireo_module_constant(const vireo_module* module, std::uint32_t id, vireo_constant* out) {
  if (module == nullptr || out == nullptr) return VIREO_BAD_ARGUMENT;
  return guarded([&] {
    const spirv::ConstantRow* row = module->facts.constants().find(id);
    if (row == nullptr) return VIREO_NO_MATCH;
    // If the type is invalid, its row has the id 0.
    const spirv::TypeRow& type = module->facts.types().row(row->type);
    // A null constant of scalar type has the value 0. The bits of composites are internal.
    const bool is_scalar = row->is_scalar() || (row->kind == spirv::ConstantKind::Null && type.is_scalar());
    *out = {.type_id = type.id,
            .instruction = row->instruction.raw,
            .certainty = static_cast<std::uint32_t>(row->status),
            .is_specialization = row->is_spec ? 1u : 0u,
            .is_scalar = is_scalar ? 1u : 0u,
            .bits = is_scalar ? row->bits : 0};
    return VIREO_OK;
  });
}

vireo_status vireo_module_name(const vireo_module* module, std::uint32_t id, std::uint32_t member, vireo_string* out) {
  if (module == nullptr || out == nullptr) return VIREO_BAD_ARGUMENT;
  return guarded([&] {
    // An empty name is treated as missing.
    const std::string_view name = module->facts.names().of(id, member);
    *out = to_c(name);
    return name.empty() ? VIREO_NO_MATCH : VIREO_OK;
  });
}

vireo_status vireo_module_decoration(const vireo_module* module, std::uint32_t id, std::uint32_t member,
                                     std::uint32_t decoration, const std::uint32_t** operands, std::size_t* count) {
  if (module == nullptr || operands == nullptr || count == nullptr) return VIREO_BAD_ARGUMENT;
  return guarded([&] {
    const spirv::Decorations& decorations = module->facts.decorations();
    // `decoration` may be any number. A null row means "not found"; empty operands do not, because many decorations
    // have none.
    const spirv::DecorationRow* row = decorations.find(id, member, static_cast<spirv::Decoration>(decoration));
    const spirv::Words words = row == nullptr ? spirv::Words() : decorations.operands(*row);
    *operands = words.empty() ? nullptr : words.data();
    *count = words.size();
    return row == nullptr ? VIREO_NO_MATCH : VIREO_OK;
  });
}

vireo_status vireo_module_uses(const vireo_module* module, std::uint32_t id, vireo_on_use on_use, void* user) {
  if (module == nullptr || on_use == nullptr) return VIREO_BAD_ARGUMENT;
  return guarded([&] {
    for (const spirv::Use& use : module->facts.uses().of(id)) {
      const vireo_use item{
          .instruction = use.instruction.raw, .word = use.word, .kind = static_cast<std::uint32_t>(use.kind)};
      if (on_use(user, &item) == 0) return VIREO_STOPPED;
    }
    return VIREO_OK;
  });
}

// --- control flow -------------------------------------------------------------------------------------------------------

vireo_status vireo_flow_read(const vireo_module* module, std::uint32_t function, vireo_flow** out) {
  return create(out, function < vireo_module_function_count(module), [&] {
    // A unique_ptr owns the handle until it is complete, because reading the function may run out of memory.
    auto made = std::make_unique<vireo_flow>();
    made->flow.read(module->module, module->module.functions()[function]);
    *out = made.release();
    return VIREO_OK;
  });
}

void vireo_flow_destroy(vireo_flow* flow) { delete flow; }
std::uint32_t vireo_flow_block_count(const vireo_flow* flow) { return flow == nullptr ? 0 : flow->flow.block_count(); }

// vireo_flow_read has computed the edges and trees. The functions below allocate no memory, so they need no guard.
// plain() is the graph of the branches, without the edges that structured control flow adds.
vireo_status vireo_flow_successors(const vireo_flow* flow, std::uint32_t block, const std::uint32_t** blocks,
                                   std::size_t* count) {
  if (!is_block(flow, block) || blocks == nullptr || count == nullptr) return VIREO_BAD_ARGUMENT;
  return return_blocks(flow->flow.plain().successors(LocalBlock(block)), blocks, count);
}

vireo_status vireo_flow_predecessors(const vireo_flow* flow, std::uint32_t block, const std::uint32_t** blocks,
                                     std::size_t* count) {
  if (!is_block(flow, block) || blocks == nullptr || count == nullptr) return VIREO_BAD_ARGUMENT;
  return return_blocks(flow->flow.plain().predecessors(LocalBlock(block)), blocks, count);
}

// If a block has no parent in the tree, its parent is none, which equals VIREO_NONE.
std::uint32_t vireo_flow_dominator(const vireo_flow* flow, std::uint32_t block) {
  return is_block(flow, block) ? flow->flow.plain().dominators().parent(LocalBlock(block)).raw : VIREO_NONE;
}
std::uint32_t vireo_flow_post_dominator(const vireo_flow* flow, std::uint32_t block) {
  return is_block(flow, block) ? flow->flow.plain().post_dominators().parent(LocalBlock(block)).raw : VIREO_NONE;
}
int vireo_flow_dominates(const vireo_flow* flow, std::uint32_t a, std::uint32_t b) {
  if (!is_block(flow, a) || !is_block(flow, b)) return 0;
  return flow->flow.plain().dominators().dominates(LocalBlock(a), LocalBlock(b)) ? 1 : 0;
}

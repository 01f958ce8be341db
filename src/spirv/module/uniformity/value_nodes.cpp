// SPDX-License-Identifier: Apache-2.0
//
// The edges of values: what the result of each instruction depends on.
#include <algorithm>
#include <array>
#include <bit>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "spirv/grammar/opcode_families.h"
#include "spirv/module/uniformity/function_uniformity.h"
#include "vireo/spirv/binary/views/atomic.h"
#include "vireo/spirv/binary/views/composite.h"
#include "vireo/spirv/binary/views/control_flow.h"
#include "vireo/spirv/binary/views/extension.h"
#include "vireo/spirv/binary/views/function.h"
#include "vireo/spirv/binary/views/memory.h"
#include "vireo/spirv/binary/views/relational_and_logical.h"
#include "vireo/spirv/grammar/ext_insts.h"

namespace vireo::spirv {
namespace {

using enum Op;

constexpr std::uint16_t all_but(std::uint16_t planes) { return static_cast<std::uint16_t>(every_plane & ~planes); }
constexpr std::uint16_t quad_planes = all_grades(quad_plane), subgroup_planes = all_grades(subgroup_plane),
                        group_planes = all_grades(group_plane);
/// An operation of the whole subgroup gives each invocation the same value; the quads of a subgroup too.
constexpr std::uint16_t equal_in_subgroup = subgroup_planes | quad_planes;

constexpr std::initializer_list<Op> same_for_subgroup = {OpGroupNonUniformAll,
                                                         OpGroupNonUniformAny,
                                                         OpGroupNonUniformAllEqual,
                                                         OpGroupNonUniformBroadcast,
                                                         OpGroupNonUniformBroadcastFirst,
                                                         OpGroupNonUniformBallot,
                                                         OpSubgroupBallotKHR,
                                                         OpSubgroupFirstInvocationKHR,
                                                         OpSubgroupAllKHR,
                                                         OpSubgroupAnyKHR,
                                                         OpSubgroupAllEqualKHR,
                                                         OpSubgroupReadInvocationKHR};
/// Functions of a ballot, which is equal in the subgroup.
constexpr std::initializer_list<Op> of_ballot = {OpGroupNonUniformBallotBitExtract, OpGroupNonUniformBallotFindLSB,
                                                 OpGroupNonUniformBallotFindMSB};
constexpr std::initializer_list<Op> quad_votes = {OpGroupNonUniformQuadBroadcast, OpGroupNonUniformQuadAllKHR,
                                                  OpGroupNonUniformQuadAnyKHR};
constexpr std::initializer_list<Op> group_votes = {OpGroupAll, OpGroupAny, OpGroupBroadcast};
constexpr std::initializer_list<Op> group_reductions = {
    OpGroupIAdd,          OpGroupFAdd,          OpGroupFMin,          OpGroupUMin,
    OpGroupSMin,          OpGroupFMax,          OpGroupUMax,          OpGroupSMax,
    OpGroupIMulKHR,       OpGroupFMulKHR,       OpGroupBitwiseAndKHR, OpGroupBitwiseOrKHR,
    OpGroupBitwiseXorKHR, OpGroupLogicalAndKHR, OpGroupLogicalOrKHR,  OpGroupLogicalXorKHR};

/// Values that differ between invocations, whatever the operands are.
constexpr std::initializer_list<Op> divergent_results = {
    OpGroupNonUniformElect,     OpGroupNonUniformInverseBallot, OpReadClockKHR,
    OpIsHelperInvocationEXT,    OpColorAttachmentReadEXT,       OpDepthAttachmentReadEXT,
    OpStencilAttachmentReadEXT, OpGroupNonUniformPartitionEXT};
/// Results that depend only on the values of the operands, apart from those in the classes of ResultKind::Pure.
constexpr std::initializer_list<Op> pure_results = {
    OpFreezeKHR, OpExpectKHR, OpArithmeticFenceEXT, OpConvertUToAccelerationStructureKHR, OpPtrEqual, OpPtrNotEqual,
    OpPtrDiff,   OpVariable,  OpUntypedVariableKHR, OpCooperativeMatrixLengthKHR};

/// Products each of whose components depends on all components of the vector, and on a row or column of the matrix.
constexpr std::initializer_list<Op> matrix_products = {OpVectorTimesMatrix, OpMatrixTimesVector};

}  // namespace

void FunctionUniformity::connect_ids(InstructionView view, std::size_t first, LocalBlock b, NodeIndex to,
                                     std::uint16_t mask) {
  for (std::size_t word = first; word < view.word_count; ++word) graph_.connect(use(view.word(word), b), to, mask);
}

std::uint16_t FunctionUniformity::promised_planes(Word id) const {
  std::uint16_t planes = 0;
  for (const DecorationRow& row : c_.decorations.of(id)) {
    std::optional<std::uint64_t> scope;
    if (row.decoration == Decoration::Uniform) scope = static_cast<std::uint64_t>(Scope::Subgroup);
    if (row.decoration == Decoration::UniformId) scope = c_.constants.as_u64(c_.decorations.operand_or(row, 0));
    if (!scope) continue;
    if (*scope == static_cast<std::uint64_t>(Scope::Subgroup)) planes |= equal_in_subgroup;
    else if (*scope == static_cast<std::uint64_t>(Scope::Workgroup)) planes |= group_planes | equal_in_subgroup;
    else if (*scope < static_cast<std::uint64_t>(Scope::Workgroup)) planes |= all_grades(Divergence::possible);
  }
  return planes;
}

// Connects everything that an instruction defines: its result, the variables that it writes, the branch that it takes.
void FunctionUniformity::connect(InstructionIndex i, InstructionView view, LocalBlock b) {
  if (view.opcode == OpBranchConditional || view.opcode == OpSwitch) {
    const OperandName name = view.opcode == OpSwitch ? OperandName::selector : OperandName::condition;
    graph_.connect(use(named_operand(view, name), b), control_.condition(b));
    return;
  }
  NodeIndex to = values_[i.raw - row_->all.first];
  if (to != uniform_node && c_.has_promises) {
    const Word id = c_.module.result_of(view);
    if (const std::uint16_t promised = promised_planes(id); promised != 0) {
      const NodeIndex own = graph_.add(NodeKind::Value, i, regions_.loop_of(b));
      graph_.connect(own, to, all_but(promised));
      if (wants_demands_) {
        const auto scopes = static_cast<std::uint16_t>(promised & Divergence::possible);
        demands_.push_back({Demand::Promise, scopes, i, 0, id, b, own});
      }
      to = own;
    }
  }
  if (to != uniform_node) {
    connect_value(i, view, b, to);
    connect_resource(view, b, to);
  }
  if (view.opcode == OpFunctionCall) connect_call(i, view, b, to);
  if (next_write_ < writes_.size() && writes_[next_write_].instruction == i) connect_writes(i, view, b);
  if (wants_demands_) demand(i, view, b);
}

void FunctionUniformity::connect_value(InstructionIndex i, InstructionView view, LocalBlock b, NodeIndex to) {
  switch (view.opcode) {
    case OpPhi: return connect_phi(view, b, to);
    case OpLoad: return connect_load(i, view, View<OpLoad>(view).pointer(), b, to);
    case OpAccessChain:
    case OpInBoundsAccessChain:
    case OpPtrAccessChain:
    case OpInBoundsPtrAccessChain:
    case OpUntypedAccessChainKHR:
    case OpUntypedInBoundsAccessChainKHR:
    case OpUntypedPtrAccessChainKHR:
    case OpUntypedInBoundsPtrAccessChainKHR:
    case OpImageTexelPointer: return connect_ids(view, 3, b, to, of_all_parts);
    case OpCompositeExtract: return connect_extract(view, b, to);
    case OpCompositeConstruct: return connect_construct(view, b, to);
    case OpCompositeInsert:
      graph_.connect(use(View<OpCompositeInsert>(view).object(), b), to, to_one_part);
      graph_.connect(use(View<OpCompositeInsert>(view).composite(), b), to, only_possible);
      return;
    case OpVectorShuffle: return connect_shuffle(view, b, to);
    case OpVectorExtractDynamic:
      graph_.connect(use(View<OpVectorExtractDynamic>(view).vector(), b), to, of_one_part);
      graph_.connect(use(View<OpVectorExtractDynamic>(view).index(), b), to);
      return;
    case OpVectorInsertDynamic: return connect_ids(view, 3, b, to, to_one_part);
    case OpFunctionCall:
    case OpVariable: return;
    case OpExtInst: return connect_ext_inst(i, view, b, to);
    case OpArrayLength:
    case OpUntypedArrayLengthKHR: connect_ids(view, 3, b, to); return;
    case OpAtomicLoad:
      graph_.connect(use(View<OpAtomicLoad>(view).pointer(), b), to);
      graph_.node(to).sources |= Divergence::possible;
      return vary(to, b);
    case OpRayQueryProceedKHR: {
      CellPath path = cell_path(named_operand(view, OperandName::ray_query));
      path.is_whole = path.is_whole || path.root != 0;
      connect_cell(path, i, b, to);
      return vary(to, b);
    }
    default: break;
  }
  const InstructionRow* row = c_.module.grammar().find_opcode(view.opcode);
  const ResultKind kind = row == nullptr ? ResultKind::Other : c_.kinds[row->printing_class];
  if (is_one_of(divergent_results, view.opcode)) {
    graph_.node(to).sources |= Divergence::certain;
    return vary(to, b);
  }
  if (kind == ResultKind::Pure || is_one_of(pure_results, view.opcode)) {
    // A constant matrix may have zeros.
    const auto is_constant = [&](Word id) { return !row_->all.contains(c_.module.definition(id)); };
    const bool is_product =
        is_one_of(matrix_products, view.opcode) && std::ranges::none_of(ValueOperands(view).others(), is_constant);
    return connect_ids(view, 3, b, to, is_product ? of_all_parts : mask_of(view));
  }
  switch (kind) {
    case ResultKind::Derivative:
      // Fine and coarse derivatives may differ within the quad, but those of a uniform value are zero.
      connect_ids(view, 3, b, to, mask_of(view));
      graph_.node(to).sources |= Divergence::possible;
      return vary(to, b);
    case ResultKind::Image: return connect_image(view, b, to);
    case ResultKind::Group: return connect_group(view, b, to);
    case ResultKind::Atomic: graph_.node(to).sources |= Divergence::certain; return vary(to, b);
    default: break;
  }
  vary(to, b);
  const std::string_view name = row == nullptr ? std::string_view() : c_.module.grammar().text(row->name);
  if (name.starts_with("OpRayQueryGet") || name.starts_with("OpRayQueryIs")) {
    const CellPath path = cell_path(named_operand(view, OperandName::ray_query));
    connect_ids(view, 3, b, to);
    connect_cell(path, i, b, to);
    return;
  }
  graph_.node(to).sources |= name.starts_with("OpHitObject") ? Divergence::certain : Divergence::possible;
}

// --- phi ------------------------------------------------------------------------------------------------------------

void FunctionUniformity::connect_phi(InstructionView view, LocalBlock b, NodeIndex to) {
  const auto pairs = View<OpPhi>(view).variables();
  bool differs = false;
  for (const PhiOperand pair : pairs) {
    graph_.connect(use(pair.variable, b), to);
    differs = differs || pair.variable != pairs[0].variable;
  }
  if (differs) graph_.connect(control_.choice(b), to);
  if (const std::uint32_t loop = regions_.loop_at(b); loop != 0) {
    graph_.node(to).varies |= UniformityGraph::depth_bit(regions_[loop].depth);
  }
  const TypeRow& type = c_.types.of(c_.module.type_of(view));
  if (type.is_pointer() && !is_cell(type.storage)) {
    const Word result = c_.module.result_of(view);
    const InstructionIndex i = c_.module.definition(result);
    resources_[result] = graph_.add(NodeKind::Value, i, regions_.loop_of(b));
    pointer_phis_.emplace_back(i, b);
  }
}

// --- memory ------------------------------------------------------------------------------------------------------------

void FunctionUniformity::connect_cell(const CellPath& path, InstructionIndex before, LocalBlock b, NodeIndex to) {
  if (path.root == 0 || has_unknown_write_) {
    graph_.node(to).sources |= Divergence::possible;
    vary(to, b);
    if (path.root == 0) return;
  }
  std::vector<NodeIndex> contents;
  const bool is_of_several = split_.contains(path.root) && (path.is_whole || path.element == whole_variable);
  for_each_cell(path, [&](std::uint32_t cell, std::uint32_t, bool is_partial) {
    const NodeIndex write = memory_.read(cell, b, before);
    const NodeIndex content = control_.seen_from(write, b);
    if (is_of_several && path.is_whole) contents.push_back(content);
    if (is_of_several && !is_partial) return;
    if (const Word object = object_of(write); object != 0 && !is_partial && !has_unknown_write_) set_object(to, object);
    graph_.connect(content, to, !is_partial ? every_plane : is_of_several ? only_possible : of_one_part);
  });
  if (is_of_several && path.is_whole) graph_.connect_parts(contents, to);
  if (path.is_whole && contents.size() > 1 && !has_unknown_write_) elements_[to] = std::move(contents);
}

bool FunctionUniformity::is_undefined(Word variable) {
  const auto view = as<OpVariable>(c_.module.find(variable));
  if (!view || view->storage_class() != StorageClass::Function || view->initializer() || has_unknown_write_)
    return false;
  CellPath path;
  path.root = variable;
  bool is_written = false;
  for_each_cell(path,
                [&](std::uint32_t cell, std::uint32_t, bool) { is_written = is_written || memory_.is_written(cell); });
  return !is_written;
}

void FunctionUniformity::connect_load(InstructionIndex i, InstructionView view, Word pointer, LocalBlock b,
                                      NodeIndex to) {
  const StorageClass storage = storage_of(pointer);
  if (is_cell(storage)) {
    // No index makes a difference if the whole content is undefined.
    const CellPath path = cell_path(pointer);
    graph_.connect(use(pointer, b), to, is_undefined(path.root) ? only_possible : every_plane);
    return connect_cell(path, i, b, to);
  }
  graph_.connect(use(pointer, b), to);
  Word index = 0;
  const Word variable = root_of(pointer, &index);
  const bool is_variable = variable != 0 && c_.module.find(variable).opcode != OpFunctionParameter;
  std::optional<Word> member;
  if (const auto constant = c_.constants.as_u64(index)) member = static_cast<Word>(*constant);
  // The first index into an array of blocks is no member.
  if (is_variable && c_.types.of(c_.module.type_of(variable)).pointee().is_array()) member.reset();
  std::uint16_t sources = c_.sources.of_load(storage, is_variable ? variable : 0, member, summary_->stages);
  const bool is_volatile = view.opcode == OpLoad && View<OpLoad>(view).memory_access().is_present() &&
                           View<OpLoad>(view).memory_access().has(MemoryAccess::Volatile);
  if (is_volatile || (is_variable && c_.decorations.has(variable, Decoration::Volatile))) {
    sources |= Divergence::possible;
  }
  const TypeRow& type =
      view.opcode == OpLoad ? c_.types.of(c_.module.type_of(view)) : c_.types.of(c_.module.type_of(pointer)).pointee();
  bool has_equal_parts = type.innermost().is(TypeKind::Struct);  // its members may be of different uniformity
  if (storage == StorageClass::Input && pointer == variable && sources != 0 &&
      (summary_->stages & wide_modes) != wide_modes) {
    // Components of invocation ids may be constant.
    std::vector<NodeIndex> components;
    const NodeIndex component = graph_.add(NodeKind::Value, i, regions_.loop_of(b), sources);
    vary(component, b);
    for (const Word c : {0u, 1u, 2u}) {
      const bool is_equal = c_.sources.of_load(storage, variable, c, summary_->stages) == 0;
      components.push_back(is_equal ? uniform_node : component);
      has_equal_parts = has_equal_parts || is_equal;
    }
    elements_[to] = std::move(components);
  }
  if (has_equal_parts) {
    sources = static_cast<std::uint16_t>((sources & ~each_part) | (sources & each_part) << to_some_part);
  }
  graph_.node(to).sources |= sources;
  if ((sources & Divergence::possible) == Divergence::possible) vary(to, b);
}

// The previous content of a cell remains in part.
void FunctionUniformity::connect_old(const CellWrite& write, LocalBlock b) {
  graph_.connect(control_.seen_from(memory_.read(write.cell, b, write.instruction), b), write.node, only_possible);
}

void FunctionUniformity::connect_writes(InstructionIndex i, InstructionView view, LocalBlock b) {
  if (view.opcode == OpFunctionCall) return;  // connect_call() has connected them
  for (; next_write_ < writes_.size() && writes_[next_write_].instruction == i; ++next_write_) {
    const CellWrite& write = writes_[next_write_];
    if (write.is_partial) connect_old(write, b);
    switch (view.opcode) {
      case OpStore: {
        const View<OpStore> store(view);
        graph_.connect(use(store.pointer(), b), write.node);
        if (write.is_partial || write.element == whole_variable) {
          graph_.connect(use(store.object(), b), write.node, write.is_partial ? to_one_part : every_plane);
          if (!write.is_partial) set_object(write.node, store.object());
        } else {
          const auto [node, mask] = element_of(store.object(), write.element, b);
          graph_.connect(node, write.node, mask);
        }
        break;
      }
      case OpCopyMemory:
        graph_.connect(use(View<OpCopyMemory>(view).target(), b), write.node);
        connect_load(i, view, View<OpCopyMemory>(view).source(), b, write.node);
        break;
      case OpRayQueryInitializeKHR:
        connect_ids(view, 2, b, write.node, of_all_parts);
        vary(write.node, b);
        break;
      case OpExtInst: connect_ids(view, 5, b, write.node); break;
      default:
        graph_.node(write.node).sources |= Divergence::possible;
        vary(write.node, b);
        connect_old(write, b);
        break;
    }
  }
}

// --- other instructions --------------------------------------------------------------------------------------------------

void FunctionUniformity::connect_ext_inst(InstructionIndex i, InstructionView view, LocalBlock b, NodeIndex to) {
  const View<OpExtInst> call(view);
  if (call.set() != c_.glsl_set) {
    // Functions of OpenCL read no built-ins; those of other sets may.
    graph_.node(to).sources |= Divergence::possible;
    return vary(to, b);
  }
  connect_ids(view, 5, b, to, mask_of(view));
  const auto function = static_cast<GLSL_std_450>(static_cast<Word>(call.instruction()));
  if (is_one_of(
          {GLSL_std_450::InterpolateAtCentroid, GLSL_std_450::InterpolateAtSample, GLSL_std_450::InterpolateAtOffset},
          function)) {
    if (!call.operands().empty()) connect_load(i, view, call.operands()[0], b, to);
  }
}

void FunctionUniformity::connect_group(InstructionView view, LocalBlock b, NodeIndex to) {
  vary(to, b);
  const Op op = view.opcode;
  const auto scope = c_.constants.as_u64(named_operand(view, OperandName::execution));
  const auto operands = [&](std::size_t first, std::uint16_t mask) {
    for (std::size_t word = first; word < view.word_count; ++word) graph_.connect(use(view.word(word), b), to, mask);
  };
  // In other scopes the value may differ.
  const auto sources = [&](std::uint16_t equal) {
    graph_.node(to).sources |= static_cast<std::uint16_t>(Divergence::possible & ~equal);
  };
  const bool is_workgroup = scope == static_cast<std::uint64_t>(Scope::Workgroup);
  const std::uint16_t equal = is_workgroup ? group_planes | equal_in_subgroup : equal_in_subgroup;
  if (is_one_of(same_for_subgroup, op)) {
    operands(3, all_but(equal_in_subgroup));
    return sources(equal_in_subgroup);
  }
  if (is_one_of(group_votes, op)) {
    operands(4, all_but(equal));
    return sources(equal);
  }
  if (is_one_of(of_ballot, op)) return operands(4, every_plane);
  if (op == OpGroupNonUniformShuffle) {
    // A broadcast, if all invocations of the subgroup read the value of the same one.
    graph_.connect(use(named_operand(view, OperandName::value), b), to, all_but(equal_in_subgroup));
    graph_.connect(use(named_operand(view, OperandName::invocation_id), b), to);
    return sources(equal_in_subgroup);
  }
  if (is_one_of(quad_votes, op)) {
    operands(3, all_but(quad_planes));
    return sources(quad_planes);
  }
  const bool is_reduction = is_one_of(group_arithmetic, op) || is_one_of(group_reductions, op);
  if (is_reduction || op == OpGroupNonUniformBallotBitCount) {
    const auto operation = static_cast<GroupOperation>(Word{named_operand(view, OperandName::operation)});
    if (operation == GroupOperation::InclusiveScan || operation == GroupOperation::ExclusiveScan) {
      graph_.node(to).sources |= Divergence::certain;
      return;
    }
    if (op == OpGroupNonUniformBallotBitCount) return operands(5, every_plane);
    std::uint16_t same = 0;
    if (operation == GroupOperation::Reduce) same = equal;
    if (operation == GroupOperation::ClusteredReduce &&
        c_.constants.as_u64(named_operand(view, OperandName::cluster_size)).value_or(0) >= 4) {
      same = quad_planes;
    }
    operands(5, all_but(same));
    return sources(same);
  }
  operands(4, every_plane);
  sources(0);
}

void FunctionUniformity::connect_image(InstructionView view, LocalBlock b, NodeIndex to) {
  const Op op = view.opcode;
  const bool has_reference =
      is_one_of({OpImageSampleDrefImplicitLod, OpImageSampleDrefExplicitLod, OpImageSampleProjDrefImplicitLod,
                 OpImageSampleProjDrefExplicitLod, OpImageGather, OpImageDrefGather, OpImageSparseSampleDrefImplicitLod,
                 OpImageSparseSampleDrefExplicitLod, OpImageSparseSampleProjDrefImplicitLod,
                 OpImageSparseSampleProjDrefExplicitLod, OpImageSparseGather, OpImageSparseDrefGather},
                op);
  const bool has_no_mask =
      is_one_of({OpSampledImage, OpImage, OpImageQueryFormat, OpImageQueryOrder, OpImageQuerySizeLod, OpImageQuerySize,
                 OpImageQueryLod, OpImageQueryLevels, OpImageQuerySamples, OpImageSparseTexelsResident},
                op);
  const std::size_t mask = has_no_mask ? view.word_count : has_reference ? 6 : 5;
  for (std::size_t word = 3; word < view.word_count; ++word) {
    if (word != mask) graph_.connect(use(view.word(word), b), to, of_all_parts);
  }
  if (op != OpImageRead && op != OpImageSparseRead) return;
  const TypeRow& image = c_.types.of(c_.module.type_of(named_operand(view, OperandName::image)));
  if (image.is(TypeKind::Image) && c_.types.image(image).dim == Dim::SubpassData) {
    graph_.node(to).sources |= Divergence::certain;  // the pixel of the fragment
    return vary(to, b);
  }
  const InstructionView handle = c_.module.find(named_operand(view, OperandName::image));
  const Word variable = handle.opcode == OpLoad ? root_of(View<OpLoad>(handle).pointer()) : 0;
  if (c_.sources.is_read_only(variable)) return;
  graph_.node(to).sources |= Divergence::possible;
  vary(to, b);
}

// --- calls ---------------------------------------------------------------------------------------------------------------

NodeIndex FunctionUniformity::argument(const Port& port, InstructionIndex i, InstructionView call, LocalBlock b) {
  switch (port.kind) {
    case PortKind::Parameter: return use(argument_of(call, port.key), b);
    case PortKind::Resource: return control_.seen_from(resource_of(argument_of(call, port.key)), b);
    case PortKind::Control: {
      if (is_symbolic_) return uniform_node;
      const NodeIndex control = graph_.add(NodeKind::Join, i, regions_.loop_of(b));
      graph_.connect(control_.control(b), control);
      graph_.connect(calls_so_far_[b.index()], control);
      return control;
    }
    default: break;
  }
  const NodeIndex content = graph_.add(NodeKind::Join, i, regions_.loop_of(b));
  connect_cell(path_of(port, call), i, b, content);
  return content;
}

void FunctionUniformity::connect_output(const InputSets& sets, std::span<const NodeIndex> arguments, NodeIndex to,
                                        std::uint16_t mask) {
  std::array<std::uint16_t, most_inputs + 1> planes{};
  for (unsigned plane = 0; plane < plane_count; ++plane) {
    if ((mask >> plane & 1) == 0) continue;
    for (std::uint64_t set = sets.of_plane[plane]; set != 0; set &= set - 1) {
      planes[static_cast<std::size_t>(std::countr_zero(set))] |= static_cast<std::uint16_t>(1u << plane);
    }
  }
  graph_.node(to).sources |= planes[0];
  for (std::size_t a = 0; a < arguments.size(); ++a) {
    if (planes[a + 1] == 0) continue;
    control_.spend(1);
    graph_.connect(arguments[a], to, planes[a + 1]);
  }
}

void FunctionUniformity::connect_call(InstructionIndex i, InstructionView view, LocalBlock b, NodeIndex to) {
  FunctionIndex index;
  const FunctionSummary* callee = callee_of(view, &index);
  // Control flow may be divergent after a call. If the terminations of calls are not known, it is.
  const auto diverge = [&](const InputSets* sets, std::span<const NodeIndex> arguments, std::uint16_t mask) {
    const NodeIndex after = graph_.add(NodeKind::AfterCall, i, regions_.loop_of(b));
    if (sets != nullptr) connect_output(*sets, arguments, after, mask);
    else graph_.node(after).sources |= Divergence::possible;
    graph_.connect(calls_so_far_[b.index()], after);
    graph_.connect(after, control_.calls(b));
    calls_so_far_[b.index()] = after;
  };
  if (to != uniform_node) vary(to, b);
  if (callee == nullptr) {
    if (to != uniform_node) graph_.node(to).sources |= Divergence::possible;
    diverge(nullptr, {}, 0);
    if (!index.is_none() && !is_symbolic_) {
      for (FunctionInput& each : c_.summaries[index.index()].inputs) each.state |= Divergence::possible;
    }
    return;
  }
  std::vector<NodeIndex> arguments;
  for (const FunctionInput& each : callee->inputs) {
    const NodeIndex node = argument(each.port, i, view, b);
    arguments.push_back(node);
    if (!is_symbolic_) call_ports_.push_back({i, index, each.port, node});
  }
  for (const FunctionOutput& output : callee->outputs) {
    switch (output.port.kind) {
      case PortKind::Result:
        if (to != uniform_node) connect_output(output.inputs, arguments, to, every_plane);
        break;
      case PortKind::Terminations: diverge(&output.inputs, arguments, every_plane); break;
      // After returns from different places, invocations are not promised to go on together.
      case PortKind::Returns: diverge(&output.inputs, arguments, only_possible); break;
      default: {
        // In the order in which number_writes() has added them.
        const CellPath path = path_of(output.port, view);
        if (path.root == 0) break;
        for_each_cell(path, [&](std::uint32_t, std::uint32_t, bool) {
          if (next_write_ == writes_.size() || writes_[next_write_].instruction != i) return;
          const CellWrite& write = writes_[next_write_++];
          if (write.is_partial) connect_old(write, b);
          connect_output(output.inputs, arguments, write.node, every_plane);
          vary(write.node, b);
        });
        break;
      }
    }
  }
}

}  // namespace vireo::spirv

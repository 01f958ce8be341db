// SPDX-License-Identifier: Apache-2.0
//
// Restrictions on the targets of variable pointers (specification 2.16.1): no matrix, no array of blocks, and, without
// the capability VariablePointers, only one variable.
//
// A pointer flows between instructions: through chains and selections, into and out of calls, and through
// local variables. So each pointer is a node of a data-flow graph, and each step is an edge. The facts of a node are:
// it is selected at run time, it points into a matrix, it points to an array of blocks, and up to two variables that it
// may point into. Facts are added but never removed. They propagate along the edges to a fixed point, in time linear in
// the edges. A fault is reported at the first node whose facts conflict.
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "spirv/binary/access_chain.h"
#include "spirv/validate/analysis/fixes.h"
#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/checks/checks.h"
#include "vireo/spirv/binary/views/composite.h"
#include "vireo/spirv/binary/views/control_flow.h"
#include "vireo/spirv/binary/views/function.h"
#include "vireo/spirv/binary/views/memory.h"
#include "vireo/spirv/binary/views/relational_and_logical.h"
#include "vireo/support/id_map.h"

namespace vireo::spirv {
namespace {

using enum Op;

/// The facts about a pointer.
struct PointerFacts {
  bool is_variable = false;
  bool is_in_matrix = false;     ///< points to a column, or to a component of one
  Word blocks = 0;               ///< the array of blocks that an untyped pointer points to as a whole; 0: none
  Word variable = 0, other = 0;  ///< variables that it may point into; 0: not (yet) known

  // Two variables are enough: the message names two, and a third has no effect.
  void add_variable(Word id) {
    if (id == 0 || id == variable || other != 0) return;
    (variable == 0 ? variable : other) = id;
  }
  /// Facts are only added, so the order of joins does not matter.
  void join(const PointerFacts& from) {
    is_variable |= from.is_variable;
    is_in_matrix |= from.is_in_matrix;
    if (blocks == 0) blocks = from.blocks;
    add_variable(from.variable);
    add_variable(from.other);
  }
  friend bool operator==(const PointerFacts&, const PointerFacts&) = default;
};

/// Faults of a pointer, as bits.
enum FaultBits : std::uint8_t { InMatrix = 1, TwoVariables = 2, ToBlocks = 4 };

class PointerFlow {
 public:
  /// Reads the whole module once. The result does not depend on the order of functions.
  explicit PointerFlow(const ModuleCheck& c) : c_(c) {
    read_parameters();
    const auto views = c.module.views(c.module.all());
    for (const InstructionView view : views) read(view);
    propagate();
  }

  /// Whether a pointer, or a pointer that it derives from, is selected at run time.
  [[nodiscard]] bool is_variable(Word pointer) const {
    const auto node = nodes_.find(key(Role::Value, pointer));
    return node != nodes_.end() && facts_[node->second].is_variable;
  }
  /// Whether report_faults() reports that a pointer, or one that it derives from, points to an array of blocks.
  [[nodiscard]] bool is_reported_for_blocks(Word pointer) const {
    const auto node = nodes_.find(key(Role::Value, pointer));
    return node != nodes_.end() && (faults(facts_[node->second]) & ToBlocks) != 0;
  }

  /// Reports each fault once, at the definition of the first pointer that has it. Pointers that derive from that
  /// pointer are not reported.
  void report_faults(const ModuleCheck& c) const {
    for (std::size_t node = 0; node < facts_.size(); ++node) {
      const InstructionIndex at = c_.module.definition(ids_[node]);
      if (at.is_none()) continue;
      const auto text = [&](Word id) { return id_text(c_, id); };
      if ((origins_[node] & InMatrix) != 0) {
        c.report(Rule::VariablePointerMatrix, {at, 0}, {text(ids_[node]), "part of a matrix"});
      }
      if ((origins_[node] & ToBlocks) != 0) {
        c.report(Rule::VariablePointerBlocks, {at, 0}, {text(ids_[node]), facts_[node].blocks});
      }
      if ((origins_[node] & TwoVariables) != 0) {
        c.report(Rule::VariablePointerBuffers, {at, 0},
                 {text(ids_[node]), text(facts_[node].variable), text(facts_[node].other)});
        note_pointer(c, facts_[node].variable);
        note_pointer(c, facts_[node].other);
        hint_capability(c, Capability::VariablePointers);
      }
    }
  }

 private:
  using Node = std::uint32_t;
  static constexpr Node into_part = Node{1} << 31;  // a flag of an edge
  /// A node is the value of an id, the contents of a variable, or the return value of a function.
  enum class Role : std::uint8_t { Value, Contents, Returns };

  // An id has 32 bits, so role and id fit in one number.
  static std::uint64_t key(Role role, Word id) { return (static_cast<std::uint64_t>(role) << 32) | id; }

  // Creates a node when its id first appears, as a source or as a target.
  Node node(Role role, Word id) {
    const auto [place, is_new] = nodes_.try_emplace(key(role, id), static_cast<Node>(ids_.size()));
    if (is_new) {
      ids_.push_back(id);
      facts_.emplace_back();
      targets_.emplace_back();
    }
    return place->second;
  }
  PointerFacts& value(Word id) { return facts_[node(Role::Value, id)]; }
  // Either node may be new: an OpPhi refers to values, and a call to parameters, that are defined later.
  void flow(Role from_role, Word from, Role to_role, Word to) {
    const Node source = node(from_role, from), target = node(to_role, to);
    targets_[source].push_back(target);
  }
  void flow(Word from, Word to) { flow(Role::Value, from, Role::Value, to); }
  // An index selects one of the blocks, so the result no longer points to the array.
  void flow_into_part(Word from, Word to) {
    const Node source = node(Role::Value, from), target = node(Role::Value, to);
    targets_[source].push_back(target | into_part);
  }

  // Pointers in PhysicalStorageBuffer are addresses. The rules of this file do not apply to them.
  [[nodiscard]] bool is_pointer(Word id) const {
    const TypeRow& type = c_.type_of(id);
    return type.is_pointer() && type.storage != StorageClass::PhysicalStorageBuffer;
  }

  // Whether the storage class permits variable pointers. Other checks report selections between pointers in other
  // storage classes.
  [[nodiscard]] bool may_vary(Word id) const {
    const StorageClass storage = c_.types.of(c_.module.type_of(id)).storage;
    return storage == StorageClass::StorageBuffer || storage == StorageClass::Workgroup;
  }

  // The variable or parameter at the base of a chain of indexes. Definitions precede uses, so each lookup is one step.
  [[nodiscard]] Word origin(Word pointer) const {
    const auto found = origins_of_.find(pointer);
    return found == origins_of_.end() ? pointer : found->second;
  }

  // Runs first, because functions may be called before they are defined.
  void read_parameters() {
    for (const FunctionRow& function : c_.module.functions()) {
      // Parameters are in the order of the function type, which is also the order of the arguments of each call.
      std::vector<Word>& parameters = parameters_[function.id];
      for (const InstructionView view : c_.module.views(function.prologue)) {
        const auto parameter = as<OpFunctionParameter>(view);
        if (parameter && parameter->result() != 0) parameters.push_back(parameter->result());
      }
    }
  }

  // --- one instruction: nodes and edges ---
  // Instructions may be malformed. The id of a missing operand is 0, which is not a pointer.
  void read(InstructionView view) {
    const Module& module = c_.module;
    const Op op = view.opcode;
    if (op == OpFunction) function_ = module.result_of(view);
    read_transfer(view);
    const Word result = module.result_of(view);
    if (result == 0 || !is_pointer(result)) return;
    // Instructions not handled below produce no variable pointer and have no edges.
    if (const auto chain = access_chain(view)) {
      read_chain(*chain, result);
      return;
    }
    switch (op) {
      case OpVariable: read_variable(View<OpVariable>(view).initializer(), result); return;
      case OpUntypedVariableKHR: {
        const View<OpUntypedVariableKHR> variable(view);
        if (const auto type = variable.data_type()) add_blocks(result, *type);
        return read_variable(variable.initializer(), result);
      }
      case OpCopyObject: {
        const Word operand = View<OpCopyObject>(view).operand();
        if (operand == 0) return;
        origins_of_[result] = origin(operand);
        flow(operand, result);
        return;
      }
      case OpSelect: {
        const View<OpSelect> select(view);
        value(result).is_variable = may_vary(result);
        flow(select.object_1(), result);
        flow(select.object_2(), result);
        return;
      }
      case OpPhi:
        value(result).is_variable = may_vary(result);
        for (const PhiOperand& source : View<OpPhi>(view).variables()) flow(source.variable, result);
        return;
      // A variable has one node for all its parts: a stored pointer may be loaded from any part.
      case OpLoad:
        value(result).is_variable = may_vary(result);
        flow(Role::Contents, origin(View<OpLoad>(view).pointer()), Role::Value, result);
        return;
      case OpConstantNull: value(result).is_variable = may_vary(result); return;
      default: return;
    }
  }

  // The pointee of a typed pointer is checked at each instruction (check_made).
  void add_blocks(Word pointer, Word type) {
    if (is_block_array(c_, type)) value(pointer).blocks = type;
  }

  void read_variable(std::optional<IdOperand<IdKind::Value>> initializer, Word result) {
    value(result).add_variable(result);
    if (initializer && is_pointer(*initializer)) flow(Role::Value, *initializer, Role::Contents, result);
  }

  // Adds edges between variables and functions. All call sites of a function share its parameters.
  void read_transfer(InstructionView view) {
    if (const auto store = as<OpStore>(view)) {
      // A stored pointer flows to the contents of the variable at the origin of the target pointer.
      if (!is_pointer(store->object())) return;
      flow(Role::Value, store->object(), Role::Contents, origin(store->pointer()));
    } else if (const auto end = as<OpReturnValue>(view)) {
      if (!is_pointer(end->value())) return;
      flow(Role::Value, end->value(), Role::Returns, function_);
    } else if (const auto call = as<OpFunctionCall>(view)) {
      const auto callee = parameters_.find(call->function());
      if (callee == parameters_.end()) return;
      const auto arguments = call->arguments();
      // Another check reports a wrong number of arguments.
      for (std::size_t i = 0; i < callee->second.size() && i < arguments.size(); ++i) {
        if (is_pointer(arguments[i])) flow(arguments[i], callee->second[i]);
      }
      const Word result = c_.module.result_of(view);
      if (!is_pointer(result)) return;
      value(result).is_variable = may_vary(result);
      flow(Role::Returns, call->function(), Role::Value, result);
    }
  }

  // A chain with only indexes has the origin of its base. A chain with an Element operand produces a variable pointer.
  void read_chain(const AccessChain& chain, Word result) {
    if (chain.base == 0) return;
    chain.indexes.empty() ? flow(chain.base, result) : flow_into_part(chain.base, result);
    if (chain.is_untyped && chain.indexes.empty() && !chain.element) add_blocks(result, chain.base_type);
    if (chain.element) {
      value(result).is_variable = may_vary(result);
    } else {
      origins_of_[result] = origin(chain.base);
    }
    const TypeRow& pointer = c_.type_of(chain.base);
    // A typed chain walks the pointee of its base; an untyped chain has the type as an operand.
    const Word walked = chain.is_untyped ? Word{chain.base_type} : pointer.element;
    if (enters_matrix(walked, chain.indexes)) value(result).is_in_matrix = true;
  }

  // Whether an index selects a part of a matrix. The walk is skipped for types without matrices.
  [[nodiscard]] bool enters_matrix(Word walked, IdList<IdKind::Value> indexes) const {
    const TypeRow* type = c_.types.find(walked);
    for (const auto index : indexes) {
      if (type == nullptr) return false;
      if (!type->contains.has_any(TypeTrait::Matrix)) return false;
      if (type->is(TypeKind::Matrix)) return true;
      // Only a structure has parts of different types. If an index into a structure is not a constant, the walk ends.
      const bool is_struct = type->is(TypeKind::Struct);
      const std::uint64_t member = is_struct ? c_.constants.as_u64(index).value_or(~std::uint64_t{0}) : 0;
      type = c_.types.find(is_struct ? c_.types.member_type(*type, member) : type->element);
    }
    return false;
  }

  // --- facts along edges ---
  // A pointer that is not variable may point into a matrix. A variable pointer may not. Without the capability, it may
  // not point into two variables either.
  [[nodiscard]] unsigned faults(const PointerFacts& facts) const {
    if (!facts.is_variable) return 0;
    const bool may_be_of_many = c_.has(Capability::VariablePointers);
    return (facts.is_in_matrix ? unsigned{InMatrix} : 0) | (facts.blocks != 0 ? unsigned{ToBlocks} : 0) |
           (facts.other != 0 && !may_be_of_many ? unsigned{TwoVariables} : 0);
  }

  // The facts of a node change a few times at most. Each change visits the edges of the node.
  void propagate() {
    origins_.resize(ids_.size());
    std::vector<Node> waiting;
    // The worklist initially contains each node once, with the first node on top. Most definitions precede their uses,
    // so the facts of a node are usually complete before they propagate.
    for (Node n = static_cast<Node>(ids_.size()); n-- > 0;) {
      origins_[n] = static_cast<std::uint8_t>(faults(facts_[n]));
      waiting.push_back(n);
    }
    while (!waiting.empty()) {
      const Node from = waiting.back();
      waiting.pop_back();
      for (const Node edge : targets_[from]) {
        const Node to = edge & ~into_part;
        PointerFacts facts = facts_[from];
        if (edge != to) facts.blocks = 0;
        const PointerFacts before = facts_[to];
        facts_[to].join(facts);
        if (facts_[to] == before) continue;
        // If the source has the same fault, the fault begins at the source or earlier.
        const unsigned news = faults(facts_[to]) & ~faults(before) & ~faults(facts);
        origins_[to] = static_cast<std::uint8_t>(origins_[to] | news);
        waiting.push_back(to);
      }
    }
  }

  const ModuleCheck& c_;
  Word function_ = 0;                    // the function being read
  IdMap<std::vector<Word>> parameters_;  // by function
  IdMap<Word> origins_of_;               // base variable or parameter of each chain with only indexes
  std::unordered_map<std::uint64_t, Node, NumberHash> nodes_;
  std::vector<Word> ids_;  // by node, as are the members below
  std::vector<PointerFacts> facts_;
  std::vector<std::uint8_t> origins_;       // faults that begin at each node
  std::vector<std::vector<Node>> targets_;  // edges by source node
};

// --- checks of instructions ------------------------------------------------------------------------------------------

// Whether the instruction produces a variable pointer, whose target is known only at run time.
bool gives_variable_pointer(InstructionView view) {
  const Op op = view.opcode;
  const auto chain = access_chain(view);
  return (chain && chain->element) || op == OpSelect || op == OpPhi || op == OpLoad || op == OpConstantNull ||
         op == OpFunctionCall;
}

// Checks the pointee type of a typed variable pointer, whatever variable it points into.
void check_made(const ModuleCheck& c, InstructionView view, InstructionIndex at) {
  const TypeRow* type = c.types.find(c.module.type_of(view));
  if (type == nullptr || !type->is(TypeKind::Pointer) || !gives_variable_pointer(view)) return;
  if (type->storage != StorageClass::StorageBuffer && type->storage != StorageClass::Workgroup) return;
  const Word result = c.module.result_of(view);
  if (type->pointee().contains.has_any(TypeTrait::Matrix)) {
    c.report(Rule::VariablePointerMatrix, {at, 1}, {result, type->element});
  } else if (is_block_array(c, type->element)) {
    c.report(Rule::VariablePointerBlocks, {at, 1}, {result, type->element});
  }
}

// An untyped pointer has no pointee type, so the type of each access is checked.
void check_use(const ModuleCheck& c, const PointerFlow& flow, InstructionView view, InstructionIndex at) {
  const auto check_access = [&](AnyOperand pointer, Word type) {
    if (!flow.is_variable(pointer)) return;
    if (!c.types.of(c.module.type_of(pointer)).is(TypeKind::UntypedPointer)) return;
    if (!c.types.of(type).contains.has_any(TypeTrait::Matrix)) return;
    c.report(Rule::VariablePointerMatrix, {at, pointer.word}, {pointer, type});
  };
  const auto check_length = [&](AnyOperand pointer) {
    if (!flow.is_variable(pointer)) return;
    c.report(Rule::VariablePointerLength, {at, pointer.word}, {view.opcode, pointer});
    c.note({c.module.definition(pointer), 0}, "pointer defined here");
  };
  if (const auto length = as<OpArrayLength>(view)) {
    check_length(length->structure());
  } else if (const auto untyped_length = as<OpUntypedArrayLengthKHR>(view)) {
    check_length(untyped_length->pointer());
  } else if (const auto load = as<OpLoad>(view)) {
    check_access(load->pointer(), c.module.type_of(view));
  } else if (const auto store = as<OpStore>(view)) {
    check_access(store->pointer(), c.module.type_of(store->object()));
  } else if (const auto chain = access_chain(view); chain && chain->is_untyped && flow.is_variable(chain->base)) {
    if (!is_block_array(c, chain->base_type) || flow.is_reported_for_blocks(chain->base)) return;
    c.report(Rule::VariablePointerBlocks, {at, chain->base.word}, {chain->base, chain->base_type});
  }
}

}  // namespace

void check_variable_pointers(const ModuleCheck& c) {
  // Without a variable-pointer capability, another check reports each instruction that would produce a variable
  // pointer.
  if (!c.is_logical || !c.has_variable_pointers() || c.has(Feature::RelaxLogicalPointer)) return;
  const PointerFlow flow(c);
  flow.report_faults(c);
  const auto views = c.module.views(c.module.all());
  for (auto it = views.begin(); it != views.end(); ++it) {
    check_made(c, *it, it.index());
    check_use(c, flow, *it, it.index());
  }
}

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// Where variable pointers lead (specification 2.16.1): not to matrices, not to arrays of blocks, and without the
// capability VariablePointers within one variable.
//
// The one idea: a pointer flows from instruction to instruction: through chains and choices, into calls and out of them,
// into local variables and back. So each pointer is a node, each step an edge, and a node holds a few facts that only
// ever grow: is it chosen at run time, is it within a matrix, which variables may it be of (two say as much as many).
// Facts go along the edges until nothing changes: linear in the edges. A fault is told where the facts that make it meet
// for the first time.
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/checks/memory/access_chains.h"
#include "spirv/validate/engine/checks.h"
#include "vireo/spirv/views/composite.h"
#include "vireo/spirv/views/control_flow.h"
#include "vireo/spirv/views/function.h"
#include "vireo/spirv/views/memory.h"
#include "vireo/spirv/views/relational_and_logical.h"
#include "vireo/support/id_map.h"

namespace vireo::spirv {
namespace {

using enum Op;

/// What is known of a pointer.
struct PointerFacts {
  bool is_variable = false;
  bool is_in_matrix = false;     ///< points to a column, or to a component of one
  Word variable = 0, other = 0;  ///< where it may lead; 0: not (yet) known

  // Two are kept, since a message names two and a third one changes nothing.
  void add_variable(Word id) {
    if (id == 0 || id == variable || other != 0) return;
    (variable == 0 ? variable : other) = id;
  }
  /// Facts only grow, so joining in any order gives the same.
  void join(const PointerFacts& from) {
    is_variable |= from.is_variable;
    is_in_matrix |= from.is_in_matrix;
    add_variable(from.variable);
    add_variable(from.other);
  }
  friend bool operator==(const PointerFacts&, const PointerFacts&) = default;
};

/// What may be wrong with a pointer, as bits.
enum FaultBits : std::uint8_t { InMatrix = 1, TwoVariables = 2 };

class PointerFlow {
 public:
  /// Reads the whole module once; whatever the order of functions, what is known afterwards is the same.
  explicit PointerFlow(const Context& context) : context_(context) {
    read_parameters();
    const auto views = context.module.views(context.module.all());
    for (const InstructionView view : views) read(view);
    spread();
  }

  /// Whether a pointer is chosen at run time, by itself or by what it was made of.
  [[nodiscard]] bool is_variable(Word pointer) const {
    const auto node = nodes_.find(key(Role::Value, pointer));
    return node != nodes_.end() && facts_[node->second].is_variable;
  }

  /// Each fault once, at the definition of the pointer where it begins: pointers made of that one say nothing more.
  void report_faults(Report& report) const {
    for (std::size_t node = 0; node < facts_.size(); ++node) {
      const InstructionIndex at = context_.module.definition(ids_[node]);
      if (at.is_none()) continue;
      const auto text = [&](Word id) { return id_text(context_, id); };
      if ((origins_[node] & InMatrix) != 0) {
        report.add(Rule::VariablePointerMatrix, {at, 0}, {text(ids_[node]), "a part of a matrix"});
      }
      if ((origins_[node] & TwoVariables) != 0) {
        report.add(Rule::VariablePointerBuffers, {at, 0},
                   {text(ids_[node]), text(facts_[node].variable), text(facts_[node].other)});
      }
    }
  }

 private:
  using Node = std::uint32_t;
  /// An id may stand for itself, for what a variable holds, for what a function returns.
  enum class Role : std::uint8_t { Value, Contents, Returns };

  // An id has 32 bits, so role and id are one number.
  static std::uint64_t key(Role role, Word id) { return (static_cast<std::uint64_t>(role) << 32) | id; }

  // A node is made when its id is first met, be it as a source or as a target.
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
  // Both ends may be new: a phi names values, and a call parameters, that stand further down.
  void flow(Role from_role, Word from, Role to_role, Word to) {
    const Node source = node(from_role, from), target = node(to_role, to);
    targets_[source].push_back(target);
  }
  void flow(Word from, Word to) { flow(Role::Value, from, Role::Value, to); }

  // Pointers of PhysicalStorageBuffer are addresses, and numbers in all but name: no rule here is about them.
  [[nodiscard]] bool is_pointer(Word id) const {
    const TypeRow* type = context_.type_of(id);
    return type != nullptr && type->is_pointer() && type->storage != StorageClass::PhysicalStorageBuffer;
  }

  // Choices among other pointers are wrong as such, and told where they are made.
  [[nodiscard]] bool may_vary(Word id) const {
    const StorageClass storage = context_.types.of(context_.module.type_of(id)).storage;
    return storage == StorageClass::StorageBuffer || storage == StorageClass::Workgroup;
  }

  // The variable or parameter that a pointer is a path from. Definitions come first, so each is one step from known ones.
  [[nodiscard]] Word origin(Word pointer) const {
    const auto found = origins_of_.find(pointer);
    return found == origins_of_.end() ? pointer : found->second;
  }

  // First of all: functions may be called before they are defined.
  void read_parameters() {
    for (const FunctionRow& function : context_.module.functions()) {
      // In the order of the function's type, which is that of arguments at each call.
      std::vector<Word>& parameters = parameters_[function.id];
      for (const InstructionView view : context_.module.views(function.prologue)) {
        const auto parameter = as<OpFunctionParameter>(view);
        if (parameter && parameter->result() != 0) parameters.push_back(parameter->result());
      }
    }
  }

  // --- one instruction: nodes and edges ---
  // Instructions may be broken. The id of an operand that is missing is 0, which is no pointer.
  void read(InstructionView view) {
    const Module& module = context_.module;
    const Op op = view.opcode;
    if (op == OpFunction) function_ = module.result_of(view);
    read_transfer(view);
    const Word result = module.result_of(view);
    if (result == 0 || !is_pointer(result)) return;
    // What is no chain and not listed below makes no pointer that is chosen, and has no edges.
    if (const auto chain = access_chain(view)) {
      read_chain(*chain, result);
      return;
    }
    switch (op) {
      case OpVariable: read_variable(View<OpVariable>(view).initializer(), result); return;
      case OpUntypedVariableKHR: read_variable(View<OpUntypedVariableKHR>(view).initializer(), result); return;
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
      // A variable is one place, whatever part of it is read or written: what went in anywhere may come out anywhere.
      case OpLoad:
        value(result).is_variable = may_vary(result);
        flow(Role::Contents, origin(View<OpLoad>(view).pointer()), Role::Value, result);
        return;
      case OpConstantNull: value(result).is_variable = may_vary(result); return;
      default: return;
    }
  }

  void read_variable(std::optional<IdOperand<IdKind::Value>> initializer, Word result) {
    value(result).add_variable(result);
    if (initializer && is_pointer(*initializer)) flow(Role::Value, *initializer, Role::Contents, result);
  }

  // What leads from one variable or function into another; call sites of one function share its parameters.
  void read_transfer(InstructionView view) {
    if (const auto store = as<OpStore>(view)) {
      // What is stored goes to the contents of the variable at the other end of the pointer's path.
      if (!is_pointer(store->object())) return;
      flow(Role::Value, store->object(), Role::Contents, origin(store->pointer()));
    } else if (const auto end = as<OpReturnValue>(view)) {
      if (!is_pointer(end->value())) return;
      flow(Role::Value, end->value(), Role::Returns, function_);
    } else if (const auto call = as<OpFunctionCall>(view)) {
      const auto callee = parameters_.find(call->function());
      if (callee == parameters_.end()) return;
      const auto arguments = call->arguments();
      // Arguments without a parameter, or the reverse, are a finding of the call's.
      for (std::size_t i = 0; i < callee->second.size() && i < arguments.size(); ++i) {
        if (is_pointer(arguments[i])) flow(arguments[i], callee->second[i]);
      }
      const Word result = context_.module.result_of(view);
      if (!is_pointer(result)) return;
      value(result).is_variable = may_vary(result);
      flow(Role::Returns, call->function(), Role::Value, result);
    }
  }

  // A chain by indexes is a path like its base; a chain to another element depends on how far that is.
  void read_chain(const AccessChain& chain, Word result) {
    if (chain.base == 0) return;
    flow(chain.base, result);
    if (chain.element) {
      value(result).is_variable = may_vary(result);
    } else {
      origins_of_[result] = origin(chain.base);
    }
    const TypeRow* pointer = context_.type_of(chain.base);
    // A typed chain walks the pointee of its base; an untyped one names the type that it walks.
    const Word walked = chain.is_untyped ? Word{chain.base_type} : (pointer == nullptr ? 0 : pointer->element);
    if (enters_matrix(walked, chain.indexes)) value(result).is_in_matrix = true;
  }

  // Whether an index goes into a matrix. Types without one are not walked.
  [[nodiscard]] bool enters_matrix(Word walked, IdList<IdKind::Value> indexes) const {
    const TypeRow* type = context_.types.find(walked);
    for (const auto index : indexes) {
      if (type == nullptr) return false;
      if (!type->contains.has_any(TypeTrait::Matrix)) return false;
      if (type->is(TypeKind::Matrix)) return true;
      // Only structures have parts of several types. An index that is no constant leads to no member: the walk ends.
      const bool is_struct = type->is(TypeKind::Struct);
      const std::uint64_t member = is_struct ? context_.constants.as_u64(index).value_or(~std::uint64_t{0}) : 0;
      type = context_.types.find(is_struct ? context_.types.member_type(*type, member) : type->element);
    }
    return false;
  }

  // --- facts along edges ---
  // A fixed pointer may be within a matrix. A chosen one may not, nor be of two variables without the capability.
  [[nodiscard]] unsigned faults(const PointerFacts& facts) const {
    if (!facts.is_variable) return 0;
    const bool may_be_of_many = context_.has(Capability::VariablePointers);
    return (facts.is_in_matrix ? unsigned{InMatrix} : 0) |
           (facts.other != 0 && !may_be_of_many ? unsigned{TwoVariables} : 0);
  }

  // A node's facts change a few times at most, and each time its edges are looked at.
  void spread() {
    origins_.resize(ids_.size());
    std::vector<Node> waiting;
    // All wait once, the first node on top of the stack: most definitions come before their uses, so facts are complete
    // when they are handed on.
    for (Node n = static_cast<Node>(ids_.size()); n-- > 0;) {
      origins_[n] = static_cast<std::uint8_t>(faults(facts_[n]));
      waiting.push_back(n);
    }
    while (!waiting.empty()) {
      const Node from = waiting.back();
      waiting.pop_back();
      for (const Node to : targets_[from]) {
        const PointerFacts before = facts_[to];
        facts_[to].join(facts_[from]);
        if (facts_[to] == before) continue;
        // Faults that a source has already begin there or further up.
        const unsigned news = faults(facts_[to]) & ~faults(before) & ~faults(facts_[from]);
        origins_[to] = static_cast<std::uint8_t>(origins_[to] | news);
        waiting.push_back(to);
      }
    }
  }

  const Context& context_;
  Word function_ = 0;                    // that is being read
  IdMap<std::vector<Word>> parameters_;  // by function
  IdMap<Word> origins_of_;               // of pointers that are paths
  std::unordered_map<std::uint64_t, Node, NumberHash> nodes_;
  std::vector<Word> ids_;  // by node, as all that follows
  std::vector<PointerFacts> facts_;
  std::vector<std::uint8_t> origins_;       // faults that begin at a node
  std::vector<std::vector<Node>> targets_;  // of edges
};

// --- what instructions do with them -------------------------------------------------------------------------------------

// Whether an instruction by itself makes a pointer that is only known at run time.
bool makes_variable_pointer(InstructionView view) {
  const Op op = view.opcode;
  const auto chain = access_chain(view);
  return (chain && chain->element) || op == OpSelect || op == OpPhi || op == OpLoad || op == OpConstantNull ||
         op == OpFunctionCall;
}

// By the pointee, which a typed pointer knows; where it comes from does not matter for these.
void check_made(const Context& context, InstructionView view, InstructionIndex at, Report& report) {
  const TypeRow* type = context.types.find(context.module.type_of(view));
  if (type == nullptr || !type->is(TypeKind::Pointer) || !makes_variable_pointer(view)) return;
  if (type->storage != StorageClass::StorageBuffer && type->storage != StorageClass::Workgroup) return;
  const std::string result = id_text(context, context.module.result_of(view));
  if (context.types.of(type->element).contains.has_any(TypeTrait::Matrix)) {
    report.add(Rule::VariablePointerMatrix, {at, 0}, {result, type_text(context, type->element)});
  } else if (is_block_array(context, type->element)) {
    report.add(Rule::VariablePointerBlocks, {at, 0}, {result, type_text(context, type->element)});
  }
}

// Untyped pointers do not say what they point to: who goes through them does.
void check_use(const Context& context, const PointerFlow& flow, InstructionView view, InstructionIndex at,
               Report& report) {
  const auto goes_through = [&](AnyOperand pointer, Word type) {
    if (!flow.is_variable(pointer)) return;
    if (!context.types.of(context.module.type_of(pointer)).is(TypeKind::UntypedPointer)) return;
    if (!context.types.of(type).contains.has_any(TypeTrait::Matrix)) return;
    report.add(Rule::VariablePointerMatrix, {at, pointer.word}, {id_text(context, pointer), type_text(context, type)});
  };
  const auto asks_length = [&](AnyOperand pointer) {
    if (!flow.is_variable(pointer)) return;
    report.add(Rule::VariablePointerLength, {at, pointer.word},
               {op_text(context, view.opcode), id_text(context, pointer)});
  };
  if (const auto length = as<OpArrayLength>(view)) {
    asks_length(length->structure());
  } else if (const auto untyped_length = as<OpUntypedArrayLengthKHR>(view)) {
    asks_length(untyped_length->pointer());
  } else if (const auto load = as<OpLoad>(view)) {
    goes_through(load->pointer(), context.module.type_of(view));
  } else if (const auto store = as<OpStore>(view)) {
    goes_through(store->pointer(), context.module.type_of(store->object()));
  } else if (const auto chain = access_chain(view); chain && chain->is_untyped && flow.is_variable(chain->base)) {
    if (!is_block_array(context, chain->base_type)) return;
    report.add(Rule::VariablePointerBlocks, {at, chain->base.word},
               {id_text(context, chain->base), type_text(context, chain->base_type)});
  }
}

}  // namespace

void check_variable_pointers(const Context& context, Report& report) {
  // Without the capabilities each instruction that would make a variable pointer is reported by itself.
  if (!context.is_logical || !context.has_variable_pointers() || context.has(Feature::RelaxLogicalPointer)) return;
  const PointerFlow flow(context);
  flow.report_faults(report);
  const auto views = context.module.views(context.module.all());
  for (auto it = views.begin(); it != views.end(); ++it) {
    check_made(context, *it, it.index(), report);
    check_use(context, flow, *it, it.index(), report);
  }
}

}  // namespace vireo::spirv

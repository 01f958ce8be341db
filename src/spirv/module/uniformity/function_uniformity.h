// SPDX-License-Identifier: Apache-2.0
//
// FunctionUniformity: the graph of one function, from its instructions.
//
// The graph of a function is complete in itself: its inputs are nodes, and a call is expanded by the summary of the
// callee. The requirements are nodes too: places whose values or control flow must be uniform.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "spirv/binary/access_chain.h"
#include "spirv/binary/named_operand.h"
#include "spirv/module/uniformity/control_nodes.h"
#include "spirv/module/uniformity/graph.h"
#include "spirv/module/uniformity/memory_nodes.h"
#include "spirv/module/uniformity/regions.h"
#include "spirv/module/uniformity/sources.h"
#include "spirv/module/uniformity/summary.h"
#include "vireo/spirv/binary/view.h"
#include "vireo/spirv/grammar/operand_names.h"
#include "vireo/spirv/module/constants.h"
#include "vireo/spirv/module/control_flow.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/module/module_declarations.h"
#include "vireo/spirv/module/types.h"

namespace vireo::spirv {

/// Places that need uniform values or uniform control flow.
enum class Demand : std::uint8_t {
  Resource,            ///< the operand that names the resource of an access, unless it is decorated NonUniform
  Derivative,          ///< an explicit derivative
  ImplicitDerivative,  ///< an access with implicit level of detail
  Barrier,             ///< a barrier of scope Workgroup or wider
  SplitBarrier,
  MeshTasks,          ///< OpEmitMeshTasksEXT
  MeshOutputs,        ///< OpSetMeshOutputsEXT
  Tangle,             ///< an operation of the invocations of a subgroup
  BroadcastId,        ///< the Id of OpGroupNonUniformBroadcast
  QuadIndex,          ///< the Index of OpGroupNonUniformQuadBroadcast
  PushConstantIndex,  ///< an index into an array of a push constant block
  Promise,            ///< a value that is decorated Uniform or UniformId
  ViewIndexCount,     ///< an operand of OpSetMeshOutputsEXT
  ViewIndexPlace,     ///< an index into an array of primitive indices
  ViewIndexValue,     ///< a value that is stored as a primitive index
  ViewIndexIndex,     ///< an index into a composite in Workgroup or Private memory
  ViewIndexControl,   ///< the control flow of OpSetMeshOutputsEXT
  ProcessedImage,     ///< a texture or a size of image processing (SPV_QCOM_image_processing)
};

struct UniformityDemand {
  Demand demand = Demand::Resource;
  std::uint16_t planes = 0;  ///< the scopes in which it must be uniform; Resource: in one of them
  InstructionIndex instruction;
  std::uint16_t word = 0;  ///< index of the operand within the instruction; 0: the instruction
  Word id = 0;             ///< the operand
  LocalBlock block;
  NodeIndex node = uniform_node;
  bool is_decorated = false;  ///< Resource: with NonUniform
};

/// One step of an explanation, from the source of divergence to its use.
struct UniformityStep {
  enum class Kind : std::uint8_t {
    Source,       ///< an instruction whose value differs although its operands do not
    Value,        ///< a value that depends on the step before
    Branch,       ///< a branch that depends on the step before
    Choice,       ///< a block whose predecessor depends on it
    LoopExit,     ///< a loop that is left in different iterations
    Call,         ///< a call that passes the divergence to the function of the next steps
    CallControl,  ///< a call in divergent control flow
    CallWrite,    ///< a call that writes divergent values to variables
    CallEnd,      ///< a call from which invocations may not return together
    Departure,    ///< the return or the end of some invocations
  };
  Kind kind = Kind::Source;
  InstructionIndex where;
  Word variable = 0;  ///< Call: the Private variable that has the divergence; 0: an argument
};

/// How a result depends on the operands, by the class of the instruction in the grammar.
enum class ResultKind : std::uint8_t {
  Other,
  Pure,  ///< on their values alone
  Derivative,
  Image,
  Group,
  Atomic,
};

/// The values first, first + step, …, last.
struct Progression {
  std::int64_t first, last, step;
};

/// What all functions of a module share.
struct UniformityContext {
  explicit UniformityContext(const Module& module, const Facts& facts);

  const Module& module;
  const Facts& facts;
  const Types& types;
  const Decorations& decorations;
  const Constants& constants;
  const ModuleDeclarations& declarations;
  Sources sources;
  std::vector<FunctionSummary> summaries;  ///< by function
  std::vector<ResultKind> kinds;           ///< by printing class
  Word glsl_set = 0;                       ///< import of GLSL.std.450; 0: none
  bool has_heap = false;                   ///< capability DescriptorHeapEXT: no decoration is needed
  bool has_view_index = false;             ///< some variable is the built-in ViewIndex
  bool has_promises = false;               ///< some value is decorated Uniform or UniformId
};

/// An argument of a call, by its number; 0 if there is none.
inline Word argument_of(InstructionView call, std::size_t number) {
  return call.word(word_of(Op::OpFunctionCall, OperandName::arguments) + number);
}

class FunctionUniformity {
 public:
  explicit FunctionUniformity(UniformityContext& context)
      : c_(context), control_(context.module, graph_), memory_(graph_, control_) {}

  /// Computes the outputs of a function for its callers. `wants_demands`: also finds out whether it has demands.
  void summarize(FunctionIndex function, bool wants_demands);
  /// Analyzes a function whose inputs all callers have set, and passes divergence to the inputs of its callees.
  /// `wants_demands`: also finds the demands.
  void analyze(FunctionIndex function, bool wants_demands);

  [[nodiscard]] FunctionIndex function() const { return function_; }
  /// Whether the function could not be analyzed: nothing in it is proven uniform.
  [[nodiscard]] bool is_unknown() const { return is_unknown_; }
  /// Whether a workgroup has one invocation, so everything is uniform.
  [[nodiscard]] bool is_single() const { return summary_->is_single(); }
  [[nodiscard]] std::span<const UniformityDemand> demands() const { return demands_; }
  /// The divergence of a node. A composite value is divergent if some part of it is.
  [[nodiscard]] Divergence state(NodeIndex node) const {
    const std::uint16_t planes = graph_.state(node);
    return {static_cast<std::uint16_t>((planes | (planes & some_part) >> to_some_part) & Divergence::all)};
  }
  [[nodiscard]] Divergence of(InstructionIndex definition) const;
  [[nodiscard]] Divergence control(LocalBlock b) const { return state(block_nodes_[b.index()]); }
  [[nodiscard]] const ControlFlow& flow() const { return flow_; }
  [[nodiscard]] std::size_t node_count() const { return graph_.size(); }
  /// The path of a plane to a node, as far as this function is concerned. If it begins at an input, `input` is its port
  /// and `plane` the plane of the input.
  /// None if there is no such path. `is_strict`: the path does not contain values that may be uniform although their
  /// operands differ: comparisons and differences of two such operands, quotients, and values from Workgroup memory.
  [[nodiscard]] std::optional<std::vector<UniformityStep>> explain(NodeIndex node, unsigned& plane, bool is_strict,
                                                                   const FunctionInput*& input) const;
  /// The instructions on that path.
  [[nodiscard]] std::vector<InstructionIndex> path(NodeIndex node, unsigned plane) const;
  /// The node that a call passes to an input of its callee.
  [[nodiscard]] NodeIndex passed(InstructionIndex call, const Port& port) const;

 private:
  /// A pointer into a Function or Private variable.
  struct CellPath {
    Word root = 0;  ///< 0: unknown
    bool is_whole = true;
    bool is_exact = true;                    ///< exactly one index
    std::uint32_t element = whole_variable;  ///< the first index, if it is constant
  };
  struct CallPort {
    InstructionIndex call;
    FunctionIndex callee;
    Port port;
    NodeIndex node;
  };
  struct CellWrite {
    InstructionIndex instruction;
    std::uint32_t cell;
    std::uint32_t element;  ///< of the written value, if it is a whole composite
    NodeIndex node;
    bool is_partial;
  };

  bool build(FunctionIndex function, bool is_symbolic, bool wants_demands);
  void find_split_variables();
  void split(Word root);
  void number(LocalBlock b);
  void number_writes(InstructionIndex i, InstructionView view, LocalBlock b);
  void add_writes(InstructionIndex i, LocalBlock b, const CellPath& path, Word value = 0);
  /// The cells of a path; for each, whether the path is a part of it.
  template <typename Visit>
  void for_each_cell(const CellPath& path, Visit visit);
  /// The variables that an instruction writes, apart from OpStore and calls: pointers among its operands.
  template <typename Visit>
  void for_each_written_pointer(InstructionView view, Visit visit) const;
  [[nodiscard]] CellPath path_of(const Port& port, InstructionView call) const;
  [[nodiscard]] FunctionSummary* callee_of(InstructionView call, FunctionIndex* index = nullptr) const;
  void connect(InstructionIndex i, InstructionView view, LocalBlock b);
  void connect_value(InstructionIndex i, InstructionView view, LocalBlock b, NodeIndex to);
  void connect_ids(InstructionView view, std::size_t first, LocalBlock b, NodeIndex to,
                   std::uint16_t mask = every_plane);
  /// The mask of edges to the result of an instruction whose parts depend on the same parts of the operands.
  [[nodiscard]] std::uint16_t mask_of(InstructionView view) const {
    return c_.types.of(c_.module.type_of(view)).is_composite() ? every_plane : of_all_parts;
  }
  void connect_phi(InstructionView view, LocalBlock b, NodeIndex to);
  void connect_load(InstructionIndex i, InstructionView view, Word pointer, LocalBlock b, NodeIndex to);
  /// Whether a variable of the function is neither initialized nor written.
  [[nodiscard]] bool is_undefined(Word variable);
  void connect_construct(InstructionView view, LocalBlock b, NodeIndex to);
  void connect_shuffle(InstructionView view, LocalBlock b, NodeIndex to);
  void connect_extract(InstructionView view, LocalBlock b, NodeIndex to);
  void connect_group(InstructionView view, LocalBlock b, NodeIndex to);
  void connect_image(InstructionView view, LocalBlock b, NodeIndex to);
  void connect_ext_inst(InstructionIndex i, InstructionView view, LocalBlock b, NodeIndex to);
  void connect_call(InstructionIndex i, InstructionView view, LocalBlock b, NodeIndex to);
  NodeIndex argument(const Port& port, InstructionIndex i, InstructionView call, LocalBlock b);
  void connect_output(const InputSets& sets, std::span<const NodeIndex> arguments, NodeIndex to, std::uint16_t mask);
  std::uint16_t promised_planes(Word id) const;
  void connect_writes(InstructionIndex i, InstructionView view, LocalBlock b);
  void connect_old(const CellWrite& write, LocalBlock b);
  /// An element of a composite value: its node, and the planes that reach the element.
  std::pair<NodeIndex, std::uint16_t> element_of(Word composite, std::uint32_t element, LocalBlock b);
  [[nodiscard]] std::vector<Word> descriptor_indexes(const AccessChain& chain) const;
  [[nodiscard]] bool name_one_resource(std::vector<Word> pointers) const;
  void connect_resource(InstructionView view, LocalBlock b, NodeIndex value);
  void connect_pointer_phis();
  void demand(InstructionIndex i, InstructionView view, LocalBlock b);
  /// Adds the demands of an instruction that is not connected.
  void demand_all(InstructionIndex i, InstructionView view, LocalBlock b);
  void demand_control(Demand kind, InstructionIndex i, LocalBlock b, std::uint16_t planes);
  void demand_value(Demand kind, InstructionIndex i, std::size_t word, InstructionView view, LocalBlock b,
                    std::uint16_t planes);
  void demand_accesses(InstructionIndex i, InstructionView view, LocalBlock b);
  void demand_indexes(InstructionIndex i, InstructionView view, LocalBlock b);
  void demand_resource(InstructionIndex i, std::size_t word, InstructionView view, LocalBlock b);
  /// Whether a pointer refers to an array of primitive indices of a mesh shader.
  [[nodiscard]] bool is_primitive_indices(Word pointer) const;
  void demand_view_independence(InstructionIndex i, InstructionView view, LocalBlock b);
  void finish_outputs();

  [[nodiscard]] NodeIndex node_of(Word id) const;
  /// Whether a value may be uniform although its operands differ.
  [[nodiscard]] bool may_cancel(NodeIndex node, unsigned plane) const;
  /// Whether a comparison of a value with a constant may have the same result in all invocations.
  [[nodiscard]] bool may_hold_for_all(Op comparison, Word variable, std::int64_t constant) const;
  [[nodiscard]] std::optional<Progression> progression_of(Word id) const;
  [[nodiscard]] std::optional<std::uint64_t> value_count(InstructionView view) const;
  /// The value of an id as an instruction in a block sees it.
  NodeIndex use(Word id, LocalBlock b) { return control_.seen_from(node_of(id), b); }
  /// The descriptor that a pointer or a handle refers to.
  NodeIndex resource_of(Word id);
  NodeIndex input(const Port& port);
  [[nodiscard]] CellPath cell_path(Word pointer) const;
  [[nodiscard]] Word root_of(Word pointer, std::uint32_t* first_index = nullptr) const;
  [[nodiscard]] bool is_cell(StorageClass storage) const {
    return storage == StorageClass::Function || storage == StorageClass::Private;
  }
  [[nodiscard]] StorageClass storage_of(Word pointer) const { return c_.types.of(c_.module.type_of(pointer)).storage; }
  /// The type that the first index of a chain selects from.
  [[nodiscard]] const TypeRow* walked_type(const AccessChain& chain) const {
    return chain.is_untyped ? &c_.types.of(chain.base_type) : &c_.types.of(c_.module.type_of(chain.base)).pointee();
  }
  [[nodiscard]] std::uint32_t element_count(Word root) const;
  void connect_cell(const CellPath& path, InstructionIndex before, LocalBlock b, NodeIndex to);
  /// The id of the whole content that a node writes or reads; 0 if it is not known.
  [[nodiscard]] Word object_of(NodeIndex node) const { return node < objects_.size() ? objects_[node] : 0; }
  void set_object(NodeIndex node, Word object) {
    if (node >= objects_.size()) objects_.resize(graph_.size());
    objects_[node] = object;
  }
  NodeIndex cell_at_entry(const MemoryNodes::Cell& cell);
  /// All loops around a block, for values that may differ in each iteration.
  [[nodiscard]] std::uint64_t loops_around(LocalBlock b) const;
  void vary(NodeIndex node, LocalBlock b) { graph_.node(node).varies |= loops_around(b); }

  UniformityContext& c_;
  UniformityGraph graph_;
  Regions regions_;
  ControlNodes control_;
  MemoryNodes memory_;
  ControlFlow flow_;
  FunctionIndex function_;
  const FunctionRow* row_ = nullptr;
  FunctionSummary* summary_ = nullptr;
  bool is_symbolic_ = false, is_unknown_ = false, wants_demands_ = false;
  std::vector<NodeIndex> values_;              // by instruction of the function
  std::vector<NodeIndex> block_nodes_;         // control flow, by block
  std::vector<NodeIndex> calls_so_far_;        // by block: the divergence of calls before the current instruction
  std::vector<ControlNodes::Calls> calls_in_;  // by block
  std::vector<Word> parameters_;
  std::unordered_map<Word, std::uint32_t> split_;  // variables with one cell for each element: their numbers
  std::vector<std::pair<InstructionIndex, LocalBlock>> pointer_phis_;
  std::vector<std::pair<Port, NodeIndex>> outputs_;
  std::vector<CellWrite> writes_;       // in the order of the instructions
  std::vector<NodeIndex> input_nodes_;  // by input of the summary
  std::vector<CallPort> call_ports_;
  std::vector<UniformityDemand> demands_;
  std::unordered_map<Word, NodeIndex> resources_;  // of pointers; those without a choice of descriptors have none
  std::unordered_map<NodeIndex, std::vector<NodeIndex>> elements_;  // of loads from split variables
  std::vector<Word> objects_;           // by node: of whole writes, and of loads that read them
  NodeIndex undefined_ = uniform_node;  // OpUndef outside functions
  std::size_t next_write_ = 0;          // index in writes_
  bool has_unknown_write_ = false, has_callers_ = false, is_entry_ = false;
};

template <typename Visit>
void FunctionUniformity::for_each_cell(const CellPath& path, Visit visit) {
  const auto row = split_.find(path.root);
  if (row == split_.end()) {
    visit(memory_.cell_of(path.root, whole_variable), whole_variable, !path.is_whole);
  } else if (path.is_whole || path.element == whole_variable) {
    for (std::uint32_t e = 0; e < row->second; ++e) visit(memory_.cell_of(path.root, e), e, !path.is_whole);
  } else if (path.element < row->second) {
    visit(memory_.cell_of(path.root, path.element), whole_variable, !path.is_exact);
  }
}

/// Analyzes the functions of a module from callers to callees. `visit` may use the demands of the function; if they are
/// all that is wanted, functions that certainly have none are left out.
class UniformityAnalysis {
 public:
  UniformityAnalysis(const Module& module, const Facts& facts) : context_(module, facts) {}

  template <typename Visit>
  void run(bool wants_demands, Visit visit) {
    begin(wants_demands);
    FunctionUniformity function(context_);
    for (const FunctionIndex f : order_) {
      function.analyze(f, wants_demands);
      visit(function);
    }
  }
  /// The steps from a source of divergence to a node of a function, through its callers. None if there is no path.
  /// Adds the number of nodes of the searched graphs to `searched`.
  std::optional<std::vector<UniformityStep>> explain(const FunctionUniformity& function, NodeIndex node, unsigned plane,
                                                     bool is_strict, std::uint64_t& searched);

 private:
  void begin(bool wants_demands);

  UniformityContext context_;
  std::vector<FunctionIndex> order_;
};

}  // namespace vireo::spirv

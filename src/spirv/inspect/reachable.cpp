// SPDX-License-Identifier: Apache-2.0
//
// Finds the instructions that roots reach (vireo/spirv/inspect/module_part.h).
//
// A node is an instruction outside functions, or a whole function. One pass over the words lists the nodes
// that each node reaches, and the attributes of each node: the names, decorations and the like that belong to it. A
// search from the roots then follows both. An instruction of a function can use only nodes outside and its own function,
// so the edges of a function are the union of its instructions' edges.
//
// Source: specification 2.4 (logical layout); 3.42.2, 3.42.3 (debug and annotation instructions).
#include <algorithm>
#include <numeric>
#include <utility>

#include "spirv/module/opcode_traits.h"
#include "vireo/spirv/binary/operand.h"
#include "vireo/spirv/binary/views/annotation.h"
#include "vireo/spirv/inspect/module_part.h"

namespace vireo::spirv {
namespace {

using UnitNode = std::uint32_t;  // index of the instruction, or of the OpFunction

// The relation of an instruction outside functions to others.
enum class Role : std::uint8_t {
  Declaration,    // has a result: reached from its uses
  Always,         // reached from every root
  Root,           // not reached, only chosen
  Line,           // belongs to the instructions after it
  Continuation,   // belongs to the instruction before it
  GroupUse,       // belongs to each of its targets, and reaches its first operand
  ExecutionMode,  // belongs to the entry points of its first operand
  Attribute,      // belongs to its first operand; without an id it is always reached
};

// clang-format off
constexpr std::pair<Op, Role> roles[] = {
    {Op::OpExtInstImport,                     Role::Always},
    {Op::OpConditionalCapabilityINTEL,        Role::Always},
    {Op::OpConditionalExtensionINTEL,         Role::Always},
    {Op::OpEntryPoint,                        Role::Root},
    {Op::OpConditionalEntryPointINTEL,        Role::Root},
    {Op::OpLine,                              Role::Line},
    {Op::OpNoLine,                            Role::Line},
    {Op::OpSourceContinued,                   Role::Continuation},
    {Op::OpTypeStructContinuedINTEL,          Role::Continuation},
    {Op::OpConstantCompositeContinuedINTEL,   Role::Continuation},
    {Op::OpSpecConstantCompositeContinuedINTEL, Role::Continuation},
    {Op::OpGroupDecorate,                     Role::GroupUse},
    {Op::OpGroupMemberDecorate,               Role::GroupUse},
    {Op::OpExecutionMode,                     Role::ExecutionMode},
    {Op::OpExecutionModeId,                   Role::ExecutionMode},
};
// clang-format on

// `is_code`: in the sections of functions and graphs, where only definitions can be reached.
Role role_of(Op opcode, bool has_result, bool is_code) {
  const auto row = std::ranges::find(roles, opcode, &std::pair<Op, Role>::first);
  if (row != std::end(roles)) return row->second;
  return has_result || is_code ? Role::Declaration : Role::Attribute;
}

// The edges and attributes of all nodes, and the search. Memory: about four bytes for each operand, twenty for each
// instruction.
class Reachability {
 public:
  explicit Reachability(const Module& module)
      : module_(module), count_(module.instruction_count()), nodes_(count_), begins_(count_ + std::size_t{1}) {
    std::iota(nodes_.begin(), nodes_.end(), UnitNode{0});
    for (const FunctionRow& function : module.functions()) {
      std::fill(nodes_.begin() + function.all.first, nodes_.begin() + function.all.end, function.all.first);
    }
    read_edges();
    sort_attributes();
  }

  std::vector<bool> search(std::span<const InstructionIndex> roots) {
    is_reached_.assign(count_, false);
    has_modes_.assign(count_, false);
    for (const UnitNode node : always_) reach(node);
    for (const InstructionIndex root : roots) {
      if (root.raw < count_) reach(nodes_[root.raw]);
    }
    while (!open_.empty()) {
      const UnitNode node = open_.back();
      open_.pop_back();
      follow(node);
    }
    // A function is reached as a whole.
    for (const FunctionRow& function : module_.functions()) {
      if (!is_reached_[function.all.first]) continue;
      std::fill(is_reached_.begin() + function.all.first, is_reached_.begin() + function.all.end, true);
    }
    return std::move(is_reached_);
  }

 private:
  struct Attribute {
    std::uint32_t key = 0;  // the node that it belongs to; for execution modes count_ + the function
    UnitNode node = 0;
  };

  // --- reading ---

  // One pass: edges of each instruction, in the order of the module, so those of a function are contiguous.
  void read_edges() {
    OperandDecoder decoder(module_.grammar(), module_.header().bound, module_.words().size());
    std::vector<UnitNode> last_user(count_,
                                    no_node);  // by node: the last node with an edge to it, so edges are not repeated
    const std::uint32_t code =
        std::min(module_.section(Section::Functions).first, module_.section(Section::Graphs).first);
    UnitNode line = no_node;
    for (std::uint32_t i = 0; i < count_; ++i) {
      begins_[i] = static_cast<std::uint32_t>(edges_.size());
      const InstructionView view = module_.instruction(InstructionIndex(i));
      const DecodeFault fault = decoder.decode(view);
      const UnitNode node = nodes_[i];
      const auto add = [&](UnitNode to) {
        if (to == node || last_user[to] == node) return;
        last_user[to] = node;
        edges_.push_back(to);
      };
      const auto add_id = [&](Word id) {
        const InstructionIndex definition = module_.definition(id);
        if (!definition.is_none()) add(nodes_[definition.raw]);
      };
      const bool is_outside = module_.functions().empty() || !is_in_function(i);
      const Role role = is_outside ? role_of(view.opcode, module_.result_of(view) != 0, i >= code) : Role::Declaration;
      if (role == Role::Line) line = i;
      else if (line != no_node && (is_outside || node == i)) add(line);
      // A line ends with the block.
      if (!is_outside && node == i && !functions_block_less_) line = no_node;
      if (!is_decodable(fault)) {
        for (const Word word : view.operands()) add_id(word);
        continue;
      }
      std::vector<Word>& ids = ids_;
      ids.clear();
      for (const Operand& operand : decoder.operands()) {
        if (operand.uses_id()) ids.push_back(view.first[operand.word]);
      }
      if (role == Role::GroupUse && !ids.empty()) {
        add_id(ids.front());
        for (std::size_t t = 1; t < ids.size(); ++t) add_attribute(ids[t], i);
        continue;
      }
      for (const Word id : ids) add_id(id);
      if (is_outside) classify(role, i);
    }
    begins_[count_] = static_cast<std::uint32_t>(edges_.size());
  }

  // True if a function contains the instruction. The indexes of successive calls must ascend.
  bool is_in_function(std::uint32_t i) {
    const auto functions = module_.functions();
    while (next_function_ < functions.size() && functions[next_function_].all.end <= i) ++next_function_;
    if (next_function_ == functions.size() || i < functions[next_function_].all.first) return false;
    functions_block_less_ = functions[next_function_].is_declaration();
    return true;
  }

  // Registers an instruction outside functions, whose ids are in ids_.
  void classify(Role role, std::uint32_t i) {
    const Word first = ids_.empty() ? 0 : ids_.front();
    switch (role) {
      case Role::Declaration:
      case Role::Root:
      case Role::Line:
      case Role::GroupUse: break;
      case Role::Always: always_.push_back(i); break;
      case Role::Continuation:
        if (i != 0) attributes_.push_back({nodes_[i - 1], i});
        break;
      case Role::ExecutionMode:
        if (const InstructionIndex function = module_.definition(first); !function.is_none()) {
          attributes_.push_back({count_ + nodes_[function.raw], i});
        }
        break;
      case Role::Attribute:
        if (first == 0) always_.push_back(i);
        else add_attribute(first, i);
        add_workgroup_size(i);
        break;
    }
  }

  // The constant that has the built-in WorkgroupSize is the size for all entry points, although none refers to it.
  void add_workgroup_size(std::uint32_t i) {
    const auto decorate = as<Op::OpDecorate>(module_.instruction(InstructionIndex(i)));
    if (!decorate) return;
    const auto built_in = decorate->decoration().BuiltIn();
    const InstructionIndex constant = module_.definition(decorate->target());
    if (!built_in || *built_in != BuiltIn::WorkgroupSize || constant.is_none()) return;
    if (module_.section(Section::Globals).contains(constant)) workgroup_sizes_.push_back(nodes_[constant.raw]);
  }

  void add_attribute(Word target, UnitNode attribute) {
    const InstructionIndex definition = module_.definition(target);
    if (!definition.is_none()) attributes_.push_back({nodes_[definition.raw], attribute});
  }

  // A counting sort by key.
  void sort_attributes() {
    attribute_begins_.assign(std::size_t{2} * count_ + 1, 0);
    for (const Attribute& each : attributes_) ++attribute_begins_[each.key + std::size_t{1}];
    std::partial_sum(attribute_begins_.begin(), attribute_begins_.end(), attribute_begins_.begin());
    std::vector<std::uint32_t> next(attribute_begins_);
    sorted_attributes_.resize(attributes_.size());
    for (const Attribute& each : attributes_) sorted_attributes_[next[each.key]++] = each.node;
  }

  // --- searching ---

  // Marks a node once, and queues it.
  void reach(UnitNode node) {
    if (is_reached_[node]) return;
    is_reached_[node] = true;
    open_.push_back(node);
  }

  // Reaches the nodes that a node leads to, and its attributes.
  void follow(UnitNode node) {
    const InstructionIndex index(node);
    const FunctionIndex function = module_.function_at(index);
    const std::uint32_t end = function.is_none() ? node + 1 : module_.functions()[function.index()].all.end;
    for (std::uint32_t e = begins_[node]; e < begins_[end]; ++e) reach(edges_[e]);
    reach_attributes(node);
    const Op opcode = module_.instruction(index).opcode;
    if (!is_entry_point(opcode)) return;
    for (const UnitNode size : workgroup_sizes_) reach(size);
    workgroup_sizes_.clear();
    // One of the edges is the function, whose modes the entry point has.
    for (std::uint32_t e = begins_[node]; e < begins_[end]; ++e) {
      const UnitNode to = edges_[e];
      if (has_modes_[to]) continue;
      has_modes_[to] = true;
      reach_attributes(count_ + to);
    }
  }

  void reach_attributes(std::uint32_t key) {
    for (std::uint32_t a = attribute_begins_[key]; a < attribute_begins_[key + std::size_t{1}]; ++a) {
      reach(sorted_attributes_[a]);
    }
  }

  static constexpr UnitNode no_node = ~UnitNode{0};

  const Module& module_;
  const std::uint32_t count_;
  std::vector<UnitNode> nodes_;        // by instruction
  std::vector<UnitNode> edges_;        // by instruction that uses the node
  std::vector<std::uint32_t> begins_;  // by instruction, in edges_
  std::vector<UnitNode> always_;
  std::vector<UnitNode> workgroup_sizes_;  // cleared once they are reached
  std::vector<Attribute> attributes_;
  std::vector<UnitNode> sorted_attributes_;
  std::vector<std::uint32_t> attribute_begins_;  // by key, in sorted_attributes_
  std::vector<Word> ids_;                        // used by the current instruction
  std::size_t next_function_ = 0;
  bool functions_block_less_ = false;  // the current function has no block
  std::vector<bool> is_reached_, has_modes_;
  std::vector<UnitNode> open_;
};

}  // namespace

std::vector<bool> reachable_instructions(const Module& module, std::span<const InstructionIndex> roots) {
  return Reachability(module).search(roots);
}

}  // namespace vireo::spirv

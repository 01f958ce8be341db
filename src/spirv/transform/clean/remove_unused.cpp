// SPDX-License-Identifier: Apache-2.0
//
// Removes unused functions, code, variables, types and constants.
//
// The one idea: an instruction with an effect is needed, and so is each operand of a needed instruction. All others go.
// Three rules make this precise. A store is needed if something reads its variable. A selection or a loop is needed if
// one of its instructions is. Debug information is needed if what it describes is.
//
// Source: specification 2.4 (logical layout), 2.11 (structured control flow), 2.13 (linkage), 3.42.
#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>
#include <vector>

#include "spirv/transform/clean/passes.h"
#include "spirv/transform/clean/removable_constructs.h"
#include "spirv/transform/clean/unused_facts.h"
#include "spirv/transform/rewrite.h"

namespace vireo::spirv {
namespace {

using enum Op;
using Role = UnusedRole;
using ConstructNumber = RemovableConstructs::Index;

class UnusedRemover {
 public:
  explicit UnusedRemover(const PassInput& input)
      : module_(input.module),
        operands_(input.operands),
        options_(input.options),
        facts_(input),
        is_needed_(module_.instruction_count()),
        is_read_(module_.instruction_count()),
        is_function_needed_(module_.functions().size()) {
    if (options_.code) {
      constructs_.emplace(module_);
      is_construct_needed_.resize(constructs_->count());
    }
  }

  std::optional<WordBuffer> run() {
    need_roots();
    follow();
    need_debug_information();
    Rewrite rewrite(module_);
    remove_instructions(rewrite);
    replace_described(rewrite);
    if (!rewrite.is_changed()) return std::nullopt;
    remove_lines(rewrite);
    for (const InstructionIndex counter : facts_.counters()) {
      if (rewrite.is_removed_id(module_.instruction(counter).word(3))) rewrite.remove(counter);
    }
    rewrite.remove_annotations();
    return rewrite.write();
  }

 private:
  // --- what is needed ---

  void need(InstructionIndex i) {
    if (is_needed_[i.index()] || (i.index() < is_dropped_.size() && is_dropped_[i.index()])) return;
    const FunctionIndex function = facts_.function_of(i);
    if (!function.is_none() && !is_function_needed_[function.index()] && facts_.role(i) != Role::Function) return;
    is_needed_[i.index()] = true;
    waiting_.push_back(i);
  }

  void need_roots() {
    for (const InstructionIndex each : facts_.visible()) need(each);
    for (const auto [index, view] : module_.instructions()) {
      if (!facts_.function_of(index).is_none()) {
        if (facts_.role(index) == Role::Function && !options_.functions) need(index);
      } else if (is_global_root(index, view)) {
        need(index);
      }
    }
  }

  [[nodiscard]] bool is_global_root(InstructionIndex index, InstructionView view) const {
    switch (facts_.role(index)) {
      case Role::Annotation:
      case Role::Forward:
      case Role::Line:
      case Role::Continued: return false;
      case Role::Type: return !options_.types;
      case Role::Constant: return !options_.constants;
      case Role::Import: return !options_.code;
      case Role::Extended: return false;  // debug information
      case Role::Variable: return !options_.variables || facts_.is_seen_outside(view);
      default: return true;
    }
  }

  void follow() {
    while (!waiting_.empty()) {
      const InstructionIndex i = waiting_.back();
      waiting_.pop_back();
      visit(i);
    }
  }

  void visit(InstructionIndex i) {
    const InstructionView view = module_.instruction(i);
    const Role role = facts_.role(i);
    for (const IdOperandRow& row : operands_.of(i)) {
      if (!row.definition.is_none()) visit_operand(i, view, row);
    }
    for (const UnusedFacts::Pair& required : facts_.requirements_of(i)) need_operands(required.second);
    // A list that the next instruction continues; that one continues likewise.
    const InstructionIndex next(i.index() + 1);
    if (next.raw < module_.instruction_count() && facts_.role(next) == Role::Continued) need(next);
    if (role == Role::Function) need_function(facts_.function_of(i));
    if (const BlockIndex block = facts_.block_of(i); !block.is_none() && role != Role::Part && !is_debug(i)) {
      need_block(block);
    }
  }

  void visit_operand(InstructionIndex i, InstructionView view, const IdOperandRow& row) {
    const Role role = facts_.role(row.definition);
    if (view.opcode == OpEntryPoint && row.word > 2) {
      // An interface only lists variables; those that can be removed leave it.
      const bool is_variable = role == Role::Variable;
      if (options_.variables && is_variable && !facts_.is_seen_outside(module_.instruction(row.definition))) return;
    }
    if (view.opcode == OpPhi && row.word >= 4 && row.word % 2 == 0) {
      // The value depends on the branch from this block.
      const BlockIndex parent = facts_.block_of(row.definition);
      if (!parent.is_none()) need_block(parent);
      return;
    }
    if (role == Role::Part && module_.instruction(row.definition).opcode == OpLabel) return;
    // Debug information does not keep what it describes.
    if (is_debug(i)) {
      if (role != Role::Function && role != Role::Variable && facts_.function_of(row.definition).is_none()) {
        need(row.definition);
      }
      if (is_debug(row.definition)) need(row.definition);
      return;
    }
    need(row.definition);
    const InstructionIndex variable = facts_.base(row.definition);
    if (!variable.is_none() && is_reading(i, view, row)) need_writers(variable);
  }

  // True if an instruction may read the memory that one of its operands points to.
  [[nodiscard]] bool is_reading(InstructionIndex i, InstructionView view, const IdOperandRow& row) const {
    const Role role = facts_.role(i);
    if (role == Role::Store) return row.word != 1;
    if (role == Role::Lifetime || view.opcode == OpEntryPoint) return false;
    return row.word != UnusedFacts::base_word(view);
  }

  void need_writers(InstructionIndex variable) {
    if (is_read_[variable.index()]) return;
    is_read_[variable.index()] = true;
    for (const UnusedFacts::Pair& writer : facts_.writers_of(variable)) need(writer.second);
  }

  void need_operands(InstructionIndex annotation) {
    for (const IdOperandRow& row : operands_.of(annotation)) {
      if (row.word != 1 && !row.definition.is_none()) need(row.definition);
    }
  }

  void need_function(FunctionIndex number) {
    if (is_function_needed_[number.index()]) return;
    is_function_needed_[number.index()] = true;
    const FunctionRow& function = module_.functions()[number.index()];
    for (const auto [index, view] : module_.instructions(function.all)) {
      if (is_root_of_function(index, view)) need(index);
    }
    for (const BlockRow& block : module_.blocks(function)) {
      const BlockIndex b = module_.index_of(block);
      if (!constructs_ || constructs_->owner(b) == RemovableConstructs::none) need_branch_of(b);
      if (constructs_ && constructs_->headed_by(b) != RemovableConstructs::none && always_needed(b)) {
        need_construct(constructs_->headed_by(b));
      }
    }
  }

  [[nodiscard]] bool always_needed(BlockIndex header) const {
    return constructs_->row(constructs_->headed_by(header)).is_always_needed;
  }

  [[nodiscard]] bool is_root_of_function(InstructionIndex index, InstructionView view) const {
    switch (facts_.role(index)) {
      case Role::Needed:
      case Role::Part:
      case Role::Function: return true;
      case Role::Pure: return !options_.code;
      case Role::Load: return !options_.code || facts_.has_volatile_access(view);
      case Role::Store: {
        if (!options_.code) return true;
        const InstructionIndex variable = facts_.stored_variable(index, view);
        return variable.is_none() || is_read_[variable.index()];
      }
      case Role::Variable: return !options_.code && !options_.variables;
      case Role::Branch:
      case Role::Merge: return !options_.code;
      default: return false;
    }
  }

  // A block that runs: so do the constructs that contain it.
  void need_block(BlockIndex block) {
    if (constructs_) need_construct(constructs_->owner(block));
  }

  void need_construct(ConstructNumber number) {
    if (number == RemovableConstructs::none || is_construct_needed_[number]) return;  // for most instructions
    std::vector<ConstructNumber> found = {number};
    while (!found.empty()) {
      const ConstructNumber c = found.back();
      found.pop_back();
      if (c == RemovableConstructs::none || is_construct_needed_[c]) continue;
      is_construct_needed_[c] = true;
      const RemovableConstructs::Row& row = constructs_->row(c);
      found.push_back(row.parent);
      found.insert(found.end(), row.leave_with.begin(), row.leave_with.end());
      const BlockRow& header = module_.blocks()[row.header.index()];
      need(header.merge);
      need(header.terminator);
      for (const BlockIndex block : constructs_->blocks_of(c)) need_branch_of(block);
    }
  }

  // The terminator of a block that runs, unless it is the header of a construct.
  void need_branch_of(BlockIndex b) {
    const BlockRow& block = module_.blocks()[b.index()];
    if (constructs_ && constructs_->headed_by(b) != RemovableConstructs::none) return;
    if (!block.merge.is_none()) need(block.merge);
    need(block.terminator);
  }

  // --- debug information ---

  // An instruction of debug information remains if everything that it describes remains; a description of a type or an
  // expression also needs a user. It then needs the types, constants and strings that it uses.
  void need_debug_information() {
    if (facts_.debug_information().empty()) return;
    is_dropped_.resize(module_.instruction_count());
    for (const InstructionIndex i : facts_.debug_information()) {
      if (describes_removed(i)) is_dropped_[i.index()] = true;
    }
    // What uses a dropped instruction is dropped too.
    std::unordered_map<std::uint32_t, std::vector<InstructionIndex>> users;
    std::vector<InstructionIndex> dropped;
    for (const InstructionIndex i : facts_.debug_information()) {
      if (is_dropped_[i.index()]) dropped.push_back(i);
      for (const IdOperandRow& row : operands_.of(i)) {
        if (!row.definition.is_none() && is_debug(row.definition)) users[row.definition.raw].push_back(i);
      }
    }
    while (!dropped.empty()) {
      const InstructionIndex i = dropped.back();
      dropped.pop_back();
      for (const InstructionIndex user : users[i.raw]) {
        if (is_dropped_[user.index()]) continue;
        is_dropped_[user.index()] = true;
        dropped.push_back(user);
      }
    }
    for (const InstructionIndex i : facts_.debug_information()) {
      if (is_dropped_[i.index()] || is_mere_description(i)) continue;
      is_needed_[i.index()] = true;
      waiting_.push_back(i);
    }
    follow();
  }

  [[nodiscard]] bool is_debug(InstructionIndex i) const { return facts_.role(i) == Role::Extended; }

  // DebugType…, DebugOperation, DebugExpression: these numbers are the same in all sets of debug information.
  [[nodiscard]] bool is_mere_description(InstructionIndex i) const {
    const InstructionView view = module_.instruction(i);
    if (!options_.code || !is_debug_information_set(facts_.set_of(view))) return false;
    const Word number = view.word(4);
    return (number >= 2 && number <= 17) || number == 30 || number == 31;
  }

  [[nodiscard]] bool describes_removed(InstructionIndex i) const {
    const FunctionIndex function = facts_.function_of(i);
    if (!function.is_none() && !is_function_needed_[function.index()]) return true;
    if (const BlockIndex b = facts_.block_of(i); !b.is_none() && !is_block_kept(b)) return true;
    return std::ranges::any_of(operands_.of(i), [&](const IdOperandRow& row) {
      if (row.definition.is_none() || is_debug(row.definition)) return false;
      const Role role = facts_.role(row.definition);
      const bool is_described =
          role == Role::Function || role == Role::Variable || !facts_.function_of(row.definition).is_none();
      return is_described && !remains(row.definition) && !is_replaceable(i, row);
    });
  }

  // The global variable or function of a description can become DebugInfoNone.
  [[nodiscard]] bool is_replaceable(InstructionIndex i, const IdOperandRow& row) const {
    const InstructionView view = module_.instruction(i);
    constexpr Word debug_global_variable = 18, debug_function = 20;
    return (view.word(4) == debug_global_variable && row.word == 12 && !facts_.nothing_described(i).is_none()) ||
           (view.word(4) == debug_function && row.word == 14 && !facts_.nothing_described(i).is_none());
  }

  void replace_described(Rewrite& rewrite) const {
    for (const InstructionIndex i : facts_.debug_information()) {
      if (!is_needed_[i.index()]) continue;
      for (const IdOperandRow& row : operands_.of(i)) {
        if (row.definition.is_none() || is_debug(row.definition) || !rewrite.is_removed(row.definition)) continue;
        if (!is_replaceable(i, row)) continue;
        const InstructionView view = module_.instruction(i);
        WordBuffer words(view.words().begin(), view.words().end());
        words[row.word] = module_.result_of(module_.instruction(facts_.nothing_described(i)));
        rewrite.replace(i, words);
      }
    }
  }

  [[nodiscard]] bool remains(InstructionIndex i) const {
    if (facts_.role(i) == Role::Part) return is_function_needed_[facts_.function_of(i).index()];
    return is_needed_[i.index()];
  }

  // --- removing ---

  // Whether a block remains; its function is needed. The header of a removed loop remains and branches to the merge
  // block.
  [[nodiscard]] bool is_block_kept(BlockIndex b) const {
    if (!constructs_) return true;
    ConstructNumber owner = constructs_->owner(b);
    if (owner == RemovableConstructs::none || is_construct_needed_[owner]) return true;
    if (constructs_->row(owner).header != b) return false;
    owner = constructs_->row(owner).parent;
    return owner == RemovableConstructs::none || is_construct_needed_[owner];
  }

  void remove_instructions(Rewrite& rewrite) const {
    for (const auto [index, view] : module_.instructions()) {
      const FunctionIndex function = facts_.function_of(index);
      if (function.is_none() ? is_unused_global(index, view) : is_unused_in_function(index, view, function)) {
        rewrite.remove(index);
      }
    }
    if (!constructs_) return;
    for (ConstructNumber c = 0; c < constructs_->count(); ++c) {
      const RemovableConstructs::Row& row = constructs_->row(c);
      const BlockRow& header = module_.blocks()[row.header.index()];
      if (is_construct_needed_[c] || !is_function_needed_[header.function.index()] || !is_block_kept(row.header))
        continue;
      const Word merge = module_.blocks()[row.merge.index()].label;
      rewrite.replace(header.terminator, std::array<Word, 2>{first_word(2, OpBranch), merge});
    }
  }

  [[nodiscard]] bool is_unused_global(InstructionIndex index, InstructionView view) const {
    switch (facts_.role(index)) {
      case Role::Annotation:
      case Role::Line: return false;  // removed with what they belong to
      case Role::Forward: {
        const InstructionIndex type = module_.definition(view.word(1));
        return !type.is_none() && !is_needed_[type.index()];
      }
      default: return !is_needed_[index.index()];
    }
  }

  [[nodiscard]] bool is_unused_in_function(InstructionIndex index, InstructionView view, FunctionIndex function) const {
    if (!is_function_needed_[function.index()]) return true;
    const BlockIndex block = facts_.block_of(index);
    if (!block.is_none() && !is_block_kept(block)) return true;
    switch (facts_.role(index)) {
      case Role::Line:
      case Role::Part: return false;
      case Role::Lifetime: {
        const InstructionIndex variable = module_.definition(view.word(1));
        return !variable.is_none() && !is_needed_[variable.index()];
      }
      default: return !is_needed_[index.index()];
    }
  }

  // Line information remains with the instruction after it.
  void remove_lines(Rewrite& rewrite) const {
    std::vector<InstructionIndex> lines;
    bool has_removed = false;  // since the first of `lines`
    const auto end_of_lines = [&] {
      if (has_removed) {
        for (const InstructionIndex line : lines) rewrite.remove(line);
      }
      lines.clear();
      has_removed = false;
    };
    for (const auto [index, view] : module_.instructions()) {
      if (facts_.role(index) == Role::Line) {
        if (has_removed) end_of_lines();
        if (!rewrite.is_removed(index)) lines.push_back(index);
      } else if (view.opcode == OpFunctionEnd || view.opcode == OpLabel) {
        end_of_lines();
      } else if (!rewrite.is_removed(index)) {
        lines.clear();
        has_removed = false;
      } else {
        has_removed = !lines.empty();
      }
    }
  }

  const Module& module_;
  const OperandIndex& operands_;
  const CleanOptions& options_;
  UnusedFacts facts_;
  std::optional<RemovableConstructs> constructs_;  // only if code is removed
  std::vector<bool> is_needed_, is_read_;          // by instruction; is_read_: of variables
  std::vector<bool> is_dropped_;                   // by instruction: debug information of what is removed
  std::vector<bool> is_function_needed_;           // by function
  std::vector<bool> is_construct_needed_;          // by construct
  std::vector<InstructionIndex> waiting_;          // needed, but their operands are not followed yet
};

}  // namespace

std::optional<WordBuffer> remove_unused(const PassInput& input) { return UnusedRemover(input).run(); }

}  // namespace vireo::spirv

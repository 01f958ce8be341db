// SPDX-License-Identifier: Apache-2.0
//
// Removes unused functions, code, variables, types and constants.
//
// An instruction with an effect is needed, and so is each operand of a needed instruction. All others go.
// Three rules make this precise. A store is needed if something reads its variable. A selection or a loop is needed if
// one of its instructions is. Debug information is needed if what it describes is.
//
// Source: specification 2.4 (logical layout), 2.11 (structured control flow), 2.13 (linkage), 3.42.
#include "spirv/transform/clean/unused_remover.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "spirv/grammar/opcode_families.h"
#include "spirv/grammar/special_sets.h"
#include "spirv/transform/clean/liveness.h"
#include "spirv/transform/clean/unused_facts.h"

namespace vireo::spirv {
namespace {

using enum Op;
using Role = UnusedRole;

}  // namespace

class UnusedRemover::Work : Liveness<UnusedRemover::Work> {
 public:
  Work(const PassInput& input, const UnusedRemovalOptions& removal)
      : Liveness(input.module, RemovableConstructs(input.module, input.options.code && removal.constructs)),
        operands_(input.operands),
        options_(input.options),
        keeps_outputs_(removal.keeps_outputs),
        facts_(input) {}

  void run(Rewrite& rewrite) {
    rewrite_ = &rewrite;
    rewrite.find_renamed_ids();
    restart();
    is_read_.assign(module_.instruction_count(), false);
    is_dropped_.clear();
    is_declaration_needed_.assign(rewrite.fresh_count(), false);
    need_roots();
    follow_all();
    need_debug_information();
    remove_instructions();
    remove_insertions();
    replace_described();
    if (!rewrite.is_changed()) return;
    remove_lines();
    for (const InstructionIndex counter : facts_.counters()) {
      if (rewrite.is_removed_id(module_.instruction(counter).word(3))) rewrite.remove(counter);
    }
    rewrite.remove_annotations();
  }

 private:
  friend Liveness;

  // --- what is needed ---

  [[nodiscard]] bool may_be_needed(InstructionIndex i) const {
    if ((i.index() < is_dropped_.size() && is_dropped_[i.index()]) || rewrite_->is_removed(i)) return false;
    const FunctionIndex function = facts_.function_of(i);
    return function.is_none() || is_needed(function) || facts_.role(i) == Role::Function;
  }

  // The definition of an id, which can be new.
  void need_id(Word id) {
    const InstructionIndex definition = module_.definition(id);
    if (!definition.is_none()) {
      const Word other = rewrite_->renamed_id(definition);
      return other == 0 ? need(definition) : need_id(other);  // other is not renamed itself
    }
    const std::size_t number = id - rewrite_->first_fresh_id();
    if (id < rewrite_->first_fresh_id() || number >= is_declaration_needed_.size()) return;
    if (is_declaration_needed_[number]) return;
    is_declaration_needed_[number] = true;
    // A declaration uses only earlier ones, so the depth is that of its type.
    declarations_.push_back(number);
  }

  // The ids of an instruction that a transform made.
  void need_ids_of(Words words) {
    const auto need_from = [&](std::size_t first, std::size_t step) {
      for (std::size_t word = first; word < words.size(); word += step) need_id(words[word]);
    };
    switch (opcode_of(words.front())) {
      case OpBranch:
      case OpUnreachable:
      case OpTypeInt: return;
      case OpSwitch: return need_id(words[1]);
      case OpPhi: need_id(words[1]); return need_from(3, 2);
      case OpConstantComposite:
      case OpConstantCompositeReplicateEXT: need_id(words[1]); return need_from(3, 1);
      case OpConstantCompositeContinuedINTEL: return need_from(1, 1);
      default: return need_id(words[1]);  // the type of OpConstant… or OpUndef
    }
  }

  void need_roots() {
    for (const InstructionIndex each : facts_.visible()) {
      if (!is_fixed(each)) need(each);
    }
    for (const auto [index, view] : module_.instructions()) {
      if (!facts_.function_of(index).is_none()) {
        if (facts_.role(index) == Role::Function && !options_.functions) need(index);
      } else if (is_global_root(index, view)) {
        need(index);
      }
    }
  }

  // True if the rewrite gives a specialization constant its value. The pipeline cannot specialize it any more.
  [[nodiscard]] bool is_fixed(InstructionIndex i) const {
    return is_scalar_spec_constant(module_.instruction(i).opcode) && !rewrite_->is_kept(i);
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
      case Role::Variable: return !options_.variables || is_seen_outside(view);
      default: return true;
    }
  }

  [[nodiscard]] bool is_seen_outside(InstructionView variable) const {
    return facts_.is_seen_outside(variable) ||
           (keeps_outputs_ && variable.word(3) == static_cast<Word>(StorageClass::Output));
  }

  void follow_all() {
    follow_declarations();
    follow();
  }

  void follow_declarations() {
    while (!declarations_.empty()) {
      const std::size_t number = declarations_.back();
      declarations_.pop_back();
      need_ids_of(rewrite_->declaration(number));
    }
  }

  void visit(InstructionIndex i) {
    const InstructionView view = module_.instruction(i);
    const Role role = facts_.role(i);
    if (rewrite_->is_kept(i)) {
      for (const IdOperandRow& row : operands_.of(i)) {
        if (!row.definition.is_none()) visit_operand(i, view, row);
      }
    } else {
      need_ids_of(rewrite_->replacement(i));
    }
    for (const UnusedFacts::Pair& required : facts_.requirements_of(i)) need_operands(required.second);
    need_continuation(i);
    if (role == Role::Function) need_function(facts_.function_of(i));
    if (const BlockIndex block = facts_.block_of(i); !block.is_none() && role != Role::Part && !is_debug(i)) {
      need_construct(constructs_.owner(block));
    }
    follow_declarations();
  }

  void visit_operand(InstructionIndex i, InstructionView view, const IdOperandRow& row) {
    const Role role = facts_.role(row.definition);
    if (view.opcode == OpEntryPoint && row.word > 2) {
      // An interface only lists variables; those that can be removed leave it.
      const bool is_variable = role == Role::Variable;
      if (options_.variables && is_variable && !is_seen_outside(module_.instruction(row.definition))) return;
    }
    if (view.opcode == OpPhi && row.word >= 4 && row.word % 2 == 0) {
      // The value depends on the branch from this block.
      const BlockIndex parent = facts_.block_of(row.definition);
      if (!parent.is_none()) need_construct(constructs_.owner(parent));
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
    if (const Word other = rewrite_->renamed_id(row.definition); other != 0) return need_id(other);
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
      if (row.word != 1) need(row.definition);
    }
  }

  static bool is_always_needed(const RemovableConstructs::Row& row) { return row.is_always_needed; }

  [[nodiscard]] bool is_live(InstructionIndex index, InstructionView view) const {
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

  // --- debug information ---

  // An instruction of debug information remains if everything that it describes remains; a description of a type or an
  // expression also needs a user. It then needs the types, constants and strings that it uses.
  void need_debug_information() {
    if (facts_.debug_information().empty()) return;
    is_dropped_.assign(module_.instruction_count(), false);
    for (const InstructionIndex i : facts_.debug_information()) {
      if (rewrite_->is_removed(i) || describes_removed(i)) is_dropped_[i.index()] = true;
    }
    // What uses a dropped instruction is dropped too.
    debug_uses_.clear();
    for (const InstructionIndex i : facts_.debug_information()) {
      if (is_dropped_[i.index()]) dropped_.push_back(i);
      for (const IdOperandRow& row : operands_.of(i)) {
        if (!row.definition.is_none() && is_debug(row.definition)) debug_uses_.emplace_back(row.definition, i);
      }
    }
    std::ranges::sort(debug_uses_);
    while (!dropped_.empty()) {
      const InstructionIndex i = dropped_.back();
      dropped_.pop_back();
      for (const auto& [described, user] : rows_with<UnusedFacts::Pair>(debug_uses_, i, &UnusedFacts::Pair::first)) {
        if (is_dropped_[user.index()]) continue;
        is_dropped_[user.index()] = true;
        dropped_.push_back(user);
      }
    }
    for (const InstructionIndex i : facts_.debug_information()) {
      if (!is_dropped_[i.index()] && !is_mere_description(i)) need(i);
    }
    follow_all();
  }

  [[nodiscard]] bool is_debug(InstructionIndex i) const { return facts_.role(i) == Role::Extended; }

  // DebugType…, DebugOperation, DebugExpression: these numbers are the same in all sets of debug information.
  [[nodiscard]] bool is_mere_description(InstructionIndex i) const {
    const InstructionView view = module_.instruction(i);
    if (!options_.code || !is_debug_information(facts_.set_of(view))) return false;
    const Word number = view.word(4);
    return (number >= 2 && number <= 17) || number == 30 || number == 31;
  }

  [[nodiscard]] bool describes_removed(InstructionIndex i) const {
    const FunctionIndex function = facts_.function_of(i);
    if (!function.is_none() && !is_needed(function)) return true;
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

  void replace_described() {
    for (const InstructionIndex i : facts_.debug_information()) {
      if (!is_needed(i)) continue;
      const InstructionView view = module_.instruction(i);
      described_.assign(view.words().begin(), view.words().end());
      bool is_changed = false;
      for (const IdOperandRow& row : operands_.of(i)) {
        if (row.definition.is_none() || is_debug(row.definition) || !rewrite_->is_removed(row.definition)) continue;
        if (!is_replaceable(i, row)) continue;
        described_[row.word] = module_.result_of(module_.instruction(facts_.nothing_described(i)));
        is_changed = true;
      }
      if (is_changed) rewrite_->replace(i, described_);
    }
  }

  [[nodiscard]] bool remains(InstructionIndex i) const {
    if (facts_.role(i) == Role::Part) return is_needed(facts_.function_of(i));
    return is_needed(i);
  }

  // --- removing ---

  void remove_instructions() {
    for (const auto [index, view] : module_.instructions()) {
      if (rewrite_->is_removed(index)) continue;
      const FunctionIndex function = facts_.function_of(index);
      if (function.is_none() ? is_unused_global(index, view) : is_unused_in_function(index, view, function)) {
        rewrite_->remove(index);
      }
    }
    replace_constructs(*rewrite_);
  }

  void remove_insertions() {
    for (std::size_t i = 0; i < is_declaration_needed_.size(); ++i) {
      if (!is_declaration_needed_[i]) rewrite_->drop_declaration(i);
    }
    rewrite_->drop_insertions([&](InstructionIndex place) {
      const FunctionIndex function = facts_.function_of(place);
      return !function.is_none() && !is_needed(function);
    });
  }

  [[nodiscard]] bool is_unused_global(InstructionIndex index, InstructionView view) const {
    switch (facts_.role(index)) {
      case Role::Annotation:
      case Role::Line: return false;  // removed with what they belong to
      case Role::Forward: {
        const InstructionIndex type = module_.definition(view.word(1));
        return !type.is_none() && !is_needed(type);
      }
      default: return !is_needed(index);
    }
  }

  [[nodiscard]] bool is_unused_in_function(InstructionIndex index, InstructionView view, FunctionIndex function) const {
    if (!is_needed(function)) return true;
    const BlockIndex block = facts_.block_of(index);
    if (!block.is_none() && !is_block_kept(block)) return true;
    switch (facts_.role(index)) {
      case Role::Line:
      case Role::Part: return false;
      case Role::Lifetime: {
        const InstructionIndex variable = module_.definition(view.word(1));
        return !variable.is_none() && !is_needed(variable);
      }
      default: return !is_needed(index);
    }
  }

  // Line information remains with the instruction after it.
  void remove_lines() {
    bool has_removed = false;  // since the first of lines_
    lines_.clear();
    const auto end_of_lines = [&] {
      if (has_removed) {
        for (const InstructionIndex line : lines_) rewrite_->remove(line);
      }
      lines_.clear();
      has_removed = false;
    };
    for (const auto [index, view] : module_.instructions()) {
      if (facts_.role(index) == Role::Line) {
        if (has_removed) end_of_lines();
        if (!rewrite_->is_removed(index)) lines_.push_back(index);
      } else if (view.opcode == OpFunctionEnd || view.opcode == OpLabel) {
        end_of_lines();
      } else if (!rewrite_->is_removed(index)) {
        lines_.clear();
        has_removed = false;
      } else {
        has_removed = !lines_.empty();
      }
    }
  }

  const OperandIndex& operands_;
  const CleanOptions& options_;
  bool keeps_outputs_;
  const UnusedFacts facts_;

  // One run.
  Rewrite* rewrite_ = nullptr;
  std::vector<bool> is_read_;                  // by instruction: variables
  std::vector<bool> is_dropped_;               // by instruction: debug information of what is removed
  std::vector<bool> is_declaration_needed_;    // by declaration of the Rewrite
  std::vector<std::size_t> declarations_;      // needed, but their operands are not followed yet
  std::vector<UnusedFacts::Pair> debug_uses_;  // debug information, and an instruction of it that uses it
  std::vector<InstructionIndex> dropped_, lines_;
  WordBuffer described_;
};

UnusedRemover::UnusedRemover(const PassInput& input, const UnusedRemovalOptions& options)
    : work_(std::make_unique<Work>(input, options)) {}
UnusedRemover::~UnusedRemover() = default;

void UnusedRemover::run(Rewrite& rewrite) { work_->run(rewrite); }

std::optional<WordBuffer> remove_unused(const PassInput& input) {
  Rewrite rewrite(input.module);
  UnusedRemover(input, {}).run(rewrite);
  if (!rewrite.is_changed()) return std::nullopt;
  return rewrite.write(input.operands);
}

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// Removes unused functions, code, variables, types and constants.
//
// The one idea: what has an effect is needed; what a needed instruction uses is needed. Everything else is removed.
// Three rules make this precise. A store is needed if something reads its variable. A selection or a loop is needed if
// one of its instructions is. Debug information is needed if what it describes is.
//
// Source: specification 2.4 (logical layout), 2.11 (structured control flow), 2.13 (linkage), 3.42.
#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "spirv/grammar/opcode_rows.h"
#include "spirv/transform/passes.h"
#include "spirv/transform/removable_constructs.h"
#include "spirv/transform/rewrite.h"
#include "spirv/transform/unused_role.h"
#include "vireo/spirv/views/annotation.h"
#include "vireo/spirv/views/extension.h"
#include "vireo/spirv/views/function.h"
#include "vireo/spirv/views/memory.h"

namespace vireo::spirv {
namespace {

using enum Op;
using Role = UnusedRole;
using ConstructNumber = RemovableConstructs::Index;

// An annotation whose further operands are needed with its target: OpDecorateId and the like.
struct Requirement {
  InstructionIndex target, annotation;
};

class UnusedRemover {
 public:
  explicit UnusedRemover(const PassInput& input)
      : module_(input.module),
        operands_(input.operands),
        options_(input.options),
        roles_(module_.instruction_count()),
        is_needed_(module_.instruction_count()),
        is_read_(module_.instruction_count()),
        base_(module_.instruction_count()),
        is_function_needed_(module_.functions().size()),
        function_of_(module_.instruction_count()) {
    if (options_.code) {
      constructs_.emplace(module_);
      is_construct_needed_.resize(constructs_->count());
    }
  }

  std::optional<WordBuffer> run() {
    read_roles();
    read_annotations();
    read_pointers();
    need_roots();
    follow();
    need_debug_information();
    Rewrite rewrite(module_);
    remove_instructions(rewrite);
    replace_described(rewrite);
    if (!rewrite.is_changed()) return std::nullopt;
    remove_lines(rewrite);
    for (const InstructionIndex counter : counters_) {
      if (rewrite.is_removed_id(module_.instruction(counter).word(3))) rewrite.remove(counter);
    }
    rewrite.remove_annotations();
    return rewrite.write();
  }

 private:
  // --- reading ---

  void read_roles() {
    OpcodeRows<Role> rows(module_.grammar());
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
    block_of_.resize(module_.instruction_count());
    for (const BlockRow& block : module_.blocks()) {
      for (std::uint32_t i = block.all.first; i < block.all.end; ++i) block_of_[i] = module_.index_of(block);
    }
    for (const auto [index, view] : module_.instructions()) {
      if (roles_[index.index()] == Role::Extended) refine_extended(index, view);
      // OpUndef among the globals is a constant.
      if (view.opcode == OpUndef && function_of_[index.index()].is_none()) roles_[index.index()] = Role::Constant;
    }
  }

  // Whether an instruction of an extended set is pure, or debug information.
  void refine_extended(InstructionIndex index, InstructionView view) {
    const auto set = sets_.find(view.word(3));
    const std::string_view name = set == sets_.end() ? std::string_view() : set->second;
    // Outside of functions, no instruction of a non-semantic set computes anything.
    const bool is_global = function_of_[index.index()].is_none() && name.starts_with("NonSemantic.");
    if (is_global || is_debug_information_set(name)) {
      debug_information_.push_back(index);
      if (view.word(4) == 0) nothing_.try_emplace(view.word(3), index);  // DebugInfoNone
      return;
    }
    bool is_pure = is_pure_set(name);
    for (const IdOperandRow& row : operands_.of(index)) is_pure &= row.word < 5 || !is_pointer(row.definition);
    constexpr Word interpolate_at[] = {76, 77, 78};  // GLSL.std.450 InterpolateAtCentroid … InterpolateAtOffset
    is_pure |= name == "GLSL.std.450" && std::ranges::find(interpolate_at, view.word(4)) != std::end(interpolate_at);
    roles_[index.index()] = is_pure ? Role::Pure : Role::Needed;
  }

  [[nodiscard]] bool is_pointer(InstructionIndex value) const {
    if (value.is_none()) return false;
    const Op type = module_.find(module_.type_of(module_.instruction(value))).opcode;
    return type == OpTypePointer || type == OpTypeUntypedPointerKHR;
  }

  void read_annotations() {
    for (const auto [index, view] : module_.instructions(Section::Annotations)) {
      const InstructionIndex target = module_.definition(view.word(1));
      const auto decorate = as<OpDecorate>(view);
      if (target.is_none()) continue;
      const bool is_counter =
          view.opcode == OpDecorateId && view.word(2) == static_cast<Word>(Decoration::HlslCounterBufferGOOGLE);
      if (is_counter) {
        counters_.push_back(index);  // reflection: it does not keep the counter
      } else if (operands_.of(index).size() > 1 && view.opcode != OpGroupDecorate &&
                 view.opcode != OpGroupMemberDecorate) {
        requirements_.push_back({target, index});
      }
      has_volatile_ |= view.opcode == OpMemberDecorate ? view.word(3) == static_cast<Word>(Decoration::Volatile)
                                                       : view.word(2) == static_cast<Word>(Decoration::Volatile);
      if (!decorate) continue;
      switch (const Decoration decoration = decorate->decoration().value(); decoration) {
        case Decoration::LinkageAttributes: {
          constexpr Word import = 1;  // LinkageType: the other types offer the symbol to other modules
          if (view.word(view.word_count - 1u) != import) visible_.push_back(target);
          break;
        }
        case Decoration::BuiltIn:
          if (roles_[target.index()] == Role::Constant) visible_.push_back(target);  // WorkgroupSize
          break;
        case Decoration::SpecId:
          if (!options_.drop_specs) visible_.push_back(target);
          break;
        default: break;
      }
    }
    // Decorations by a group apply to its targets.
    for (const auto [index, view] : module_.instructions(Section::Annotations)) {
      const auto group = as<OpGroupDecorate>(view);
      if (!group || std::ranges::find(visible_, module_.definition(group->decoration_group())) == visible_.end())
        continue;
      for (const auto target : group->targets()) {
        if (const InstructionIndex of = module_.definition(target); !of.is_none()) visible_.push_back(of);
      }
    }
    std::ranges::stable_sort(requirements_, {}, &Requirement::target);
  }

  // The variable that each pointer points into, if it is made from the variable by access chains and copies alone.
  void read_pointers() {
    for (const auto [index, view] : module_.instructions()) {
      if (roles_[index.index()] == Role::Variable) {
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
    std::ranges::stable_sort(writers_, {}, &Writer::first);
  }

  // The operand that a pointer is made from; 0 for other instructions.
  static std::uint16_t base_word(InstructionView view) {
    switch (view.opcode) {
      case OpAccessChain:
      case OpInBoundsAccessChain:
      case OpCopyObject: return 3;
      case OpUntypedAccessChainKHR:
      case OpUntypedInBoundsAccessChainKHR: return 4;
      default: return 0;
    }
  }

  // The variable to which an instruction stores and which nothing outside of the module reads. None if there is none,
  // or if the store is volatile.
  [[nodiscard]] InstructionIndex stored_variable(InstructionIndex index, InstructionView view) const {
    if (roles_[index.index()] != Role::Store || has_volatile_access(view)) return {};
    const InstructionIndex pointer = module_.definition(view.word(1));
    if (pointer.is_none() || base_[pointer.index()].is_none()) return {};
    return is_internal(base_[pointer.index()]) ? base_[pointer.index()] : InstructionIndex();
  }

  [[nodiscard]] bool has_volatile_access(InstructionView view) const {
    constexpr Word is_volatile = 1;         // MemoryAccess
    constexpr Word volatile_texel = 0x800;  // ImageOperands
    std::uint16_t word = 0;
    Word bit = is_volatile;
    switch (view.opcode) {
      case OpStore: word = 3; break;
      case OpCopyMemory: word = 3; break;
      case OpCopyMemorySized: word = 4; break;
      case OpLoad: word = 4; break;
      default: word = 5, bit = volatile_texel; break;
    }
    return has_volatile_ || (word < view.word_count && (view.word(word) & bit) != 0);
  }

  // Whether only the functions of the module access a variable.
  [[nodiscard]] bool is_internal(InstructionIndex variable) const {
    const InstructionView view = module_.instruction(variable);
    const auto storage = static_cast<StorageClass>(view.word(3));
    if (storage == StorageClass::Function) return true;
    return (storage == StorageClass::Private || storage == StorageClass::Workgroup) &&
           std::ranges::find(visible_, variable) == visible_.end();
  }

  // --- what is needed ---

  void need(InstructionIndex i) {
    if (is_needed_[i.index()] || (i.index() < is_dropped_.size() && is_dropped_[i.index()])) return;
    const FunctionIndex function = function_of_[i.index()];
    if (!function.is_none() && !is_function_needed_[function.index()] && roles_[i.index()] != Role::Function) return;
    is_needed_[i.index()] = true;
    waiting_.push_back(i);
  }

  void need_roots() {
    for (const InstructionIndex each : visible_) need(each);
    for (const auto [index, view] : module_.instructions()) {
      if (!function_of_[index.index()].is_none()) {
        if (roles_[index.index()] == Role::Function && !options_.functions) need(index);
      } else if (is_global_root(index, view)) {
        need(index);
      }
    }
  }

  [[nodiscard]] bool is_global_root(InstructionIndex index, InstructionView view) const {
    switch (roles_[index.index()]) {
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

  // Whether the API or another stage can see a variable.
  [[nodiscard]] bool is_seen_outside(InstructionView view) const {
    if (options_.drop_bindings) return false;
    switch (static_cast<StorageClass>(view.word(3))) {
      case StorageClass::Private:
      case StorageClass::Workgroup:
      case StorageClass::CrossWorkgroup:
      case StorageClass::Function: return false;
      // A constant of a kernel has an initializer; a resource of a shader has none.
      case StorageClass::UniformConstant: return view.opcode != OpVariable || view.word_count < 5;
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
    const Role role = roles_[i.index()];
    for (const IdOperandRow& row : operands_.of(i)) {
      if (!row.definition.is_none()) visit_operand(i, view, row);
    }
    auto required = std::ranges::lower_bound(requirements_, i, {}, &Requirement::target);
    for (; required != requirements_.end() && required->target == i; ++required) need_operands(required->annotation);
    for (std::uint32_t next = i.raw + 1; next < module_.instruction_count() && roles_[next] == Role::Continued;
         ++next) {
      need(InstructionIndex(next));
    }
    if (role == Role::Function) need_function(function_of_[i.index()]);
    if (const BlockIndex block = block_of_[i.index()]; !block.is_none() && role != Role::Part) need_block(block);
  }

  void visit_operand(InstructionIndex i, InstructionView view, const IdOperandRow& row) {
    const Role role = roles_[row.definition.index()];
    if (view.opcode == OpEntryPoint && row.word > 2) {
      // An interface only lists variables; those that can be removed leave it.
      const bool is_variable = role == Role::Variable;
      if (options_.variables && is_variable && !is_seen_outside(module_.instruction(row.definition))) return;
    }
    if (view.opcode == OpPhi && row.word >= 4 && row.word % 2 == 0) {
      // The value depends on the branch from this block.
      const BlockIndex parent = block_of_[row.definition.index()];
      if (!parent.is_none()) need_block(parent);
      return;
    }
    if (role == Role::Part && module_.instruction(row.definition).opcode == OpLabel) return;
    // Debug information does not keep what it describes.
    if (is_debug(i)) {
      if (role != Role::Function && role != Role::Variable && function_of_[row.definition.index()].is_none()) {
        need(row.definition);
      }
      if (is_debug(row.definition)) need(row.definition);
      return;
    }
    need(row.definition);
    const InstructionIndex variable = base_[row.definition.index()];
    if (!variable.is_none() && is_reading(i, view, row)) need_writers(variable);
  }

  // Whether an instruction may read the memory that one of its operands points to.
  [[nodiscard]] bool is_reading(InstructionIndex i, InstructionView view, const IdOperandRow& row) const {
    const Role role = roles_[i.index()];
    if (role == Role::Store) return row.word != 1;
    if (role == Role::Lifetime || view.opcode == OpEntryPoint) return false;
    return row.word != base_word(view);
  }

  void need_writers(InstructionIndex variable) {
    if (is_read_[variable.index()]) return;
    is_read_[variable.index()] = true;
    auto writer = std::ranges::lower_bound(writers_, variable, {}, &Writer::first);
    for (; writer != writers_.end() && writer->first == variable; ++writer) need(writer->second);
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
    switch (roles_[index.index()]) {
      case Role::Needed:
      case Role::Part:
      case Role::Function: return true;
      case Role::Pure: return !options_.code;
      case Role::Load: return !options_.code || has_volatile_access(view);
      case Role::Store: {
        if (!options_.code) return true;
        const InstructionIndex variable = stored_variable(index, view);
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
    for (const InstructionIndex i : debug_information_) is_dropped_.resize(i.index() + 1);
    for (const InstructionIndex i : debug_information_) {
      if (describes_removed(i)) is_dropped_[i.index()] = true;
    }
    // What uses a dropped instruction is dropped too.
    std::unordered_map<std::uint32_t, std::vector<InstructionIndex>> users;
    std::vector<InstructionIndex> dropped;
    for (const InstructionIndex i : debug_information_) {
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
    for (const InstructionIndex i : debug_information_) {
      if (is_dropped_[i.index()] || is_mere_description(i)) continue;
      is_needed_[i.index()] = true;
      waiting_.push_back(i);
    }
    follow();
  }

  [[nodiscard]] bool is_debug(InstructionIndex i) const { return roles_[i.index()] == Role::Extended; }

  // DebugType…, DebugOperation, DebugExpression: these numbers are the same in all sets of debug information.
  [[nodiscard]] bool is_mere_description(InstructionIndex i) const {
    const InstructionView view = module_.instruction(i);
    const auto set = sets_.find(view.word(3));
    if (!options_.code || set == sets_.end() || !is_debug_information_set(set->second)) return false;
    const Word number = view.word(4);
    return (number >= 2 && number <= 17) || number == 30 || number == 31;
  }

  [[nodiscard]] bool describes_removed(InstructionIndex i) const {
    const FunctionIndex function = function_of_[i.index()];
    if (!function.is_none() && !is_function_needed_[function.index()]) return true;
    if (const BlockIndex b = block_of_[i.index()]; !b.is_none() && !is_block_kept(b)) return true;
    return std::ranges::any_of(operands_.of(i), [&](const IdOperandRow& row) {
      if (row.definition.is_none() || is_debug(row.definition)) return false;
      const Role role = roles_[row.definition.index()];
      const bool is_described =
          role == Role::Function || role == Role::Variable || !function_of_[row.definition.index()].is_none();
      return is_described && !remains(row.definition) && !is_replaceable(i, row);
    });
  }

  // The global variable or function of a description can become DebugInfoNone.
  [[nodiscard]] bool is_replaceable(InstructionIndex i, const IdOperandRow& row) const {
    const InstructionView view = module_.instruction(i);
    constexpr Word debug_global_variable = 18, debug_function = 20;
    return (view.word(4) == debug_global_variable && row.word == 12 && !nothing_described(i).is_none()) ||
           (view.word(4) == debug_function && row.word == 14 && !nothing_described(i).is_none());
  }

  // The DebugInfoNone of the same set before an instruction.
  [[nodiscard]] InstructionIndex nothing_described(InstructionIndex before) const {
    const auto found = nothing_.find(module_.instruction(before).word(3));
    return found == nothing_.end() || found->second > before ? InstructionIndex() : found->second;
  }

  void replace_described(Rewrite& rewrite) const {
    for (const InstructionIndex i : debug_information_) {
      if (!is_needed_[i.index()]) continue;
      for (const IdOperandRow& row : operands_.of(i)) {
        if (row.definition.is_none() || is_debug(row.definition) || !rewrite.is_removed(row.definition)) continue;
        if (!is_replaceable(i, row)) continue;
        const InstructionView view = module_.instruction(i);
        WordBuffer words(view.words().begin(), view.words().end());
        words[row.word] = module_.result_of(module_.instruction(nothing_described(i)));
        rewrite.replace(i, words);
      }
    }
  }

  [[nodiscard]] bool remains(InstructionIndex i) const {
    if (roles_[i.index()] == Role::Part) return is_function_needed_[function_of_[i.index()].index()];
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
      const FunctionIndex function = function_of_[index.index()];
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
      rewrite.replace(header.terminator, std::array<Word, 2>{2u << 16 | static_cast<Word>(OpBranch), merge});
    }
  }

  [[nodiscard]] bool is_unused_global(InstructionIndex index, InstructionView view) const {
    switch (roles_[index.index()]) {
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
    const BlockIndex block = block_of_[index.index()];
    if (!block.is_none() && !is_block_kept(block)) return true;
    switch (roles_[index.index()]) {
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
      if (roles_[index.index()] == Role::Line) {
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

  using Writer = std::pair<InstructionIndex, InstructionIndex>;  // a variable, and a store to it

  const Module& module_;
  const OperandIndex& operands_;
  const CleanOptions& options_;
  std::optional<RemovableConstructs> constructs_;    // only if code is removed
  std::unordered_map<Word, std::string_view> sets_;  // imports by id
  std::vector<Role> roles_;                          // by instruction
  std::vector<bool> is_needed_, is_read_;            // by instruction; is_read_: of variables
  std::vector<InstructionIndex> base_;               // by instruction: the variable that it points into
  std::vector<bool> is_function_needed_;             // by function
  std::vector<FunctionIndex> function_of_;           // by instruction
  std::vector<BlockIndex> block_of_;                 // by instruction
  std::vector<bool> is_construct_needed_;            // by construct
  std::vector<InstructionIndex> visible_;            // exports and other declarations that the outside sees
  std::vector<InstructionIndex> debug_information_;
  std::vector<bool> is_dropped_;                        // by instruction: debug information of what is removed
  std::unordered_map<Word, InstructionIndex> nothing_;  // by set: its first DebugInfoNone
  std::vector<InstructionIndex> counters_;              // decorations that name a counter buffer
  std::vector<Requirement> requirements_;               // by target
  std::vector<Writer> writers_;                         // by variable
  std::vector<InstructionIndex> waiting_;               // needed, but their operands are not followed yet
  bool has_volatile_ = false;                           // a decoration Volatile
};

}  // namespace

std::optional<WordBuffer> remove_unused(const PassInput& input) { return UnusedRemover(input).run(); }

}  // namespace vireo::spirv

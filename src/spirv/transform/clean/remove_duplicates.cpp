// SPDX-License-Identifier: Apache-2.0
//
// Removes duplicates of types, constants and declarations.
//
// Two declarations are equal if their words are, apart from the result, and if they have the same
// decorations. A type follows its parts, so one pass in order finds all duplicates: each operand already is the first
// of its equals.
//
// Source: specification 2.8 (types and variables), 3.42.6, 3.42.7.
#include <algorithm>
#include <unordered_map>
#include <vector>

#include "spirv/grammar/opcode_families.h"
#include "spirv/grammar/opcode_rows.h"
#include "spirv/module/word_interner.h"
#include "spirv/transform/clean/passes.h"
#include "spirv/transform/clean/unused_role.h"
#include "spirv/transform/rewrite.h"
#include "vireo/spirv/binary/views/extension.h"

namespace vireo::spirv {
namespace {

using enum Op;

class DuplicateRemover {
 public:
  explicit DuplicateRemover(const PassInput& input)
      : module_(input.module),
        operands_(input.operands),
        options_(input.options),
        rewrite_(module_),
        roles_(module_.grammar()),
        first_(module_.instruction_count(), 0),
        annotations_(module_.instruction_count(), no_annotations),
        is_forward_(module_.instruction_count()) {}

  std::optional<WordBuffer> run() {
    if (options_.duplicate_types) remove_equal_declarations();
    read_annotations();
    for (const auto [index, view] : module_.instructions(Section::Globals)) {
      if (can_be_equal(index, view)) find_first(index, view);
    }
    if (!rewrite_.is_changed()) return std::nullopt;
    rewrite_.remove_annotations();
    return rewrite_.write(operands_);
  }

 private:
  static constexpr std::uint32_t no_annotations = 0xFFFFFFFF;

  // Capabilities, extensions and decorations without a result; imports, whose uses become those of the first one.
  void remove_equal_declarations() {
    std::unordered_map<WordBuffer, Word, WordsHash> seen;
    for (const Section section :
         {Section::Capabilities, Section::Extensions, Section::Imports, Section::Names, Section::Annotations}) {
      for (const auto [index, view] : module_.instructions(section)) {
        const bool is_import = view.opcode == OpExtInstImport;
        if (view.opcode == OpDecorationGroup) continue;  // groups differ although their words are equal
        WordBuffer key = words_without_result(view.words(), is_import ? 1 : 0);
        const auto [row, is_new] = seen.try_emplace(std::move(key), module_.result_of(view));
        if (is_new) continue;
        rewrite_.remove(index);
        if (is_import) rewrite_.rename(index, row->second);
      }
    }
  }

  // Gives equal numbers to equal sets of annotations.
  void read_annotations() {
    std::vector<std::pair<InstructionIndex, WordBuffer>> all;  // by target, without the target
    const auto add = [&](InstructionView view) {
      const InstructionIndex target = module_.definition(view.word(1));
      if (target.is_none()) return;
      WordBuffer words(view.words().begin(), view.words().end());
      words[1] = 0;
      all.emplace_back(target, std::move(words));
    };
    for (const auto [index, view] : module_.instructions(Section::Annotations)) {
      if (rewrite_.is_removed(index) || view.opcode == OpDecorationGroup) continue;
      if (!applies_group(view.opcode)) {
        add(view);
        continue;
      }
      const std::size_t stride = view.opcode == OpGroupDecorate ? 1 : 2;
      for (std::size_t word = 2; word + stride <= view.word_count; word += stride) {
        const InstructionIndex target = module_.definition(view.word(word));
        WordBuffer words = {static_cast<Word>(view.opcode), view.word(1)};
        if (stride == 2) words.push_back(view.word(word + 1));
        if (!target.is_none()) all.emplace_back(target, std::move(words));
      }
    }
    if (!options_.drop_struct_names) {
      for (const InstructionView view : module_.views(module_.section(Section::Names))) {
        if (module_.find(view.word(1)).opcode == OpTypeStruct) add(view);
      }
    }
    std::ranges::sort(all);
    WordInterner sets;
    WordBuffer set;
    for (std::size_t i = 0; i < all.size(); ++i) {
      set.insert(set.end(), all[i].second.begin(), all[i].second.end());
      if (i + 1 < all.size() && all[i + 1].first == all[i].first) continue;
      annotations_[all[i].first.index()] = sets.intern(set);
      set.clear();
    }
    for (const InstructionView view : module_.views(module_.section(Section::Globals))) {
      if (view.opcode != OpTypeForwardPointer) continue;
      if (const InstructionIndex type = module_.definition(view.word(1)); !type.is_none())
        is_forward_[type.index()] = true;
    }
  }

  [[nodiscard]] UnusedRole role_of(Op opcode) {
    return roles_.of(opcode, [&] { return unused_role_of(module_.grammar(), module_.grammar().find_opcode(opcode)); });
  }

  [[nodiscard]] bool can_be_equal(InstructionIndex index, InstructionView view) {
    const UnusedRole role = role_of(view.opcode);
    const bool is_constant = role == UnusedRole::Constant || view.opcode == OpUndef;
    // Types other than aggregates and pointers are declared once (2.8). So those that differ in merged constants, such as
    // two matrices with equal sizes, become one with them.
    const bool is_unique = !is_aggregate_type(view.opcode) && view.opcode != OpTypePointer;
    const bool is_type =
        role == UnusedRole::Type && (options_.duplicate_types || (is_unique && options_.duplicate_constants));
    if (!(is_constant && options_.duplicate_constants) && !is_type) return false;
    // OpCopyLogical needs two different types.
    if (is_aggregate_type(view.opcode) && module_.has(OpCopyLogical)) return false;
    if (is_forward_[index.index()]) return false;
    // A list that another instruction continues.
    if (index.raw + 1 == module_.instruction_count()) return true;
    const Op next = module_.instruction(InstructionIndex(index.raw + 1)).opcode;
    return role_of(next) != UnusedRole::Continued;
  }

  void find_first(InstructionIndex index, InstructionView view) {
    const Word result = module_.result_of(view);
    WordBuffer key(view.words().begin(), view.words().end());
    for (const IdOperandRow& row : operands_.of(index)) {
      if (!row.definition.is_none() && first_[row.definition.index()] != 0)
        key[row.word] = first_[row.definition.index()];
    }
    key[module_.type_of(view) == 0 ? 1 : 2] = 0;
    key.push_back(annotations_[index.index()]);
    const auto [row, is_new] = seen_.try_emplace(std::move(key), result);
    if (is_new) return;
    first_[index.index()] = row->second;
    rewrite_.remove(index);
    rewrite_.rename(index, row->second);
  }

  const Module& module_;
  const OperandIndex& operands_;
  const CleanOptions& options_;
  Rewrite rewrite_;
  OpcodeRows<UnusedRole> roles_;
  std::vector<Word> first_;                 // by instruction: the equal declaration before it; 0: none
  std::vector<std::uint32_t> annotations_;  // by instruction: the number of its set of annotations
  std::vector<bool> is_forward_;            // by instruction: a pointer type with an OpTypeForwardPointer
  std::unordered_map<WordBuffer, Word, WordsHash> seen_;
};

}  // namespace

std::optional<WordBuffer> remove_duplicates(const PassInput& input) { return DuplicateRemover(input).run(); }

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// Which marked instructions remain, and the words of the result.
#include "spirv/transform/rewrite.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <span>
#include <unordered_map>

#include "spirv/binary/decode_report.h"
#include "spirv/grammar/opcode_families.h"
#include "spirv/module/opcode_traits.h"
#include "spirv/module/word_interner.h"
#include "vireo/spirv/binary/instruction.h"
#include "vireo/spirv/binary/reader.h"
#include "vireo/spirv/binary/views/annotation.h"
#include "vireo/spirv/binary/views/extension.h"
#include "vireo/spirv/binary/views/mode_setting.h"

namespace vireo::spirv {
namespace {

using enum Op;

// Names and decorations belong to their target, and an interface only lists its variables: they are no reason to keep
// an id.
bool is_mere_mention(const Use& use, Op opcode) {
  if (gives_name(opcode) || applies_group(opcode)) return true;
  if (opcode == OpEntryPoint) return use.word != 2;  // that word is the function
  return use.kind == UseKind::Annotation && use.word == 1;
}

}  // namespace

Result<Module> read_for_transform(Words words, const Grammar& grammar, Diagnostics& diagnostics) {
  if (const Result<Header> header = read_header(words, diagnostics); !header) return header.failure();
  Module module = Module::read(words, grammar);
  for (const LayoutViolation& violation : module.layout_violations()) {
    const bool has_no_words = violation.kind == LayoutViolation::Kind::ZeroWordCount;
    if (!has_no_words && violation.kind != LayoutViolation::Kind::Truncated) continue;
    const WalkEnd end = has_no_words ? WalkEnd::ZeroWordCount : WalkEnd::Truncated;
    const std::uint64_t ordinal = module.instruction_count() + std::uint64_t{1};
    return *report_walk_end(end, words, violation.offset, ordinal, diagnostics);
  }
  return module;
}

Rewrite::Rewrite(const Module& module)
    : module_(module),
      bound_(std::max(module.header().bound, module.defined_bound())),
      states_(module.instruction_count(), kept) {}

void Rewrite::clear() {
  bound_ = std::max(module_.header().bound, module_.defined_bound());
  is_changed_ = false;
  states_.assign(states_.size(), kept);
  left_out_.clear();
  renamed_.clear();
  insertions_.clear();
  declared_.clear();
  words_.clear();
  orders_.clear();
  order_.clear();
}

std::uint32_t Rewrite::insert(InstructionIndex place, Words instructions) {
  const auto begin = static_cast<std::uint32_t>(words_.size());
  words_.insert(words_.end(), instructions.begin(), instructions.end());
  insertions_.push_back({place.raw, begin, static_cast<std::uint32_t>(words_.size())});
  is_changed_ = true;
  return static_cast<std::uint32_t>(insertions_.size() - 1);
}

Word Rewrite::declare_before(InstructionIndex place, Words instruction, std::size_t result) {
  const std::uint32_t number = insert(place, instruction);
  insertions_[number].is_declaration = true;
  words_[insertions_[number].begin + result] = bound_;
  declared_.push_back(number);
  return bound_++;
}

void Rewrite::set_block_order(FunctionIndex function, std::span<const BlockIndex> order) {
  const auto begin = static_cast<std::uint32_t>(order_.size());
  order_.insert(order_.end(), order.begin(), order.end());
  orders_.push_back({function, begin, static_cast<std::uint32_t>(order_.size())});
  is_changed_ = true;
}

void Rewrite::keep_what_is_used(const Uses& uses) {
  std::vector<InstructionIndex> newly_kept;  // their operands are not yet followed
  const auto keep_definition = [&](Word id) {
    const InstructionIndex definition = module_.definition(id);
    if (definition.is_none() || !is_removed(definition)) return;
    keep(definition);
    newly_kept.push_back(definition);
  };
  for (const UndecodedRow& row : uses.undecoded()) {
    if (is_removed(row.instruction)) continue;
    for (const Word word : module_.instruction(row.instruction).operands()) keep_definition(word);
  }
  const auto is_used = [&](Word id) {
    return std::ranges::any_of(uses.of(id), [&](const Use& use) {
      return !is_removed(use.instruction) && !is_mere_mention(use, module_.instruction(use.instruction).opcode);
    });
  };
  std::vector<InstructionIndex> marked;
  for (const auto [index, instruction] : module_.instructions()) {
    if (is_removed(index) && module_.result_of(instruction) != 0) marked.push_back(index);
  }
  for (const InstructionIndex index : marked) {
    const Word result = module_.result_of(module_.instruction(index));
    // A second definition of an id has no uses of its own.
    if (is_removed(index) && module_.definition(result) == index && is_used(result)) keep_definition(result);
  }
  // A kept instruction uses the ids of its operands.
  const auto is_use = [&](Word id, InstructionIndex index, std::uint16_t word) {
    const std::span<const Use> all = uses.of(id);  // in the order of the words
    const auto place = [](const Use& use) { return std::pair(use.instruction.raw, use.word); };
    const auto found = std::ranges::lower_bound(all, std::pair(index.raw, word), {}, place);
    return found != all.end() && place(*found) == std::pair(index.raw, word);
  };
  while (!newly_kept.empty()) {
    const InstructionIndex index = newly_kept.back();
    newly_kept.pop_back();
    const InstructionView view = module_.instruction(index);
    for (std::uint16_t word = 1; word < view.word_count; ++word) {
      const Word id = view.word(word);  // or a literal
      if (is_removed_id(id) && is_use(id, index, word)) keep_definition(id);
    }
  }
}

void Rewrite::remove_annotations() {
  const auto is_of_removed = [&](InstructionView view) { return is_removed_id(AnnotationOperands(view).target()); };
  const auto has_removed_targets_only = [&](const auto& list) {
    if (list.empty()) return false;
    const std::size_t stride = list.words().size() / list.size();
    for (std::size_t at = 0; at + stride <= list.words().size(); at += stride) {
      if (!is_removed_id(list.words()[at])) return false;
    }
    return true;
  };
  for (const auto [index, instruction] : module_.instructions(Section::Names)) {
    if (is_of_removed(instruction)) remove(index);
  }
  std::set<Word> used_groups, unused_groups;
  for (const auto [index, instruction] : module_.instructions(Section::Annotations)) {
    const auto group = as<OpGroupDecorate>(instruction);
    const auto of_members = as<OpGroupMemberDecorate>(instruction);
    if (!group && !of_members) continue;
    const bool is_unused = (group && has_removed_targets_only(group->targets())) ||
                           (of_members && has_removed_targets_only(of_members->targets()));
    (is_unused ? unused_groups : used_groups).insert(AnnotationOperands(instruction).target());
    if (is_unused) remove(index);
  }
  for (const Word group : unused_groups) {
    const InstructionIndex definition = module_.definition(group);
    if (!used_groups.contains(group) && !definition.is_none()) remove(definition);
  }
  for (const auto [index, instruction] : module_.instructions(Section::Annotations)) {
    if (is_of_removed(instruction)) remove(index);
  }
}

// Writes the result of a Rewrite.
class RewriteWriter {
 public:
  /// `words` are those of the module, with renamed ids; `renamed` are the new ids by definition, or null.
  RewriteWriter(const Rewrite& rewrite, Words words, const std::vector<Word>* renamed, WordBuffer& result)
      : rewrite_(rewrite), module_(rewrite.module_), words_(words), renamed_(renamed), result_(result) {
    result_.clear();
    result_.reserve(words.size());
  }

  static bool has_id_list(Op opcode) { return is_entry_point(opcode) || applies_group(opcode); }

  /// The insertions must be in the order of their places.
  void run() {
    result_.assign(words_.begin(), words_.begin() + static_cast<std::ptrdiff_t>(header_end()));
    if (!rewrite_.declared_.empty()) result_[3] = rewrite_.bound_;
    std::uint32_t next = 0;  // instruction
    for (const Rewrite::Order& order : rewrite_.orders_) {
      const std::span<const BlockRow> blocks = module_.blocks(module_.functions()[order.function.index()]);
      write_range({next, blocks.front().all.first});
      for (std::uint32_t i = order.begin; i < order.end; ++i) {
        write_range(module_.blocks()[rewrite_.order_[i].index()].all);
      }
      next = blocks.back().all.end;
    }
    write_range({next, module_.instruction_count()});
  }

 private:
  [[nodiscard]] std::size_t header_end() const { return std::min(header_word_count, words_.size()); }
  [[nodiscard]] std::size_t offset_of(std::uint32_t index) const {
    return index == module_.instruction_count() ? words_.size() : module_.instruction(InstructionIndex(index)).offset;
  }

  // Most instructions do not change: runs of them are copied at once.
  void write_range(InstructionRange range) {
    std::size_t taken = offset_of(range.first);  // up to here the words were copied or left out
    const auto copy_to = [&](std::size_t end) {
      const auto begin = words_.begin();
      result_.insert(result_.end(), begin + static_cast<std::ptrdiff_t>(taken),
                     begin + static_cast<std::ptrdiff_t>(end));
      taken = end;
    };
    const auto place_of = [&](std::uint32_t number) { return rewrite_.insertions_[number].place; };
    auto inserted = std::ranges::lower_bound(rewrite_.sorted_, range.first, {}, place_of);
    for (const auto [index, original] : module_.instructions(range)) {
      for (; inserted != rewrite_.sorted_.end() && place_of(*inserted) == index.raw; ++inserted) {
        const Rewrite::Insertion& row = rewrite_.insertions_[*inserted];
        if (row.is_dropped) continue;
        copy_to(original.offset);
        append_inserted(rewrite_.words_of(row));
      }
      const auto leave_out = [&, begin = std::size_t{original.offset},
                              end = std::size_t{original.offset} + original.word_count] {
        copy_to(begin);
        taken = end;
      };
      if (!rewrite_.is_kept(index)) {
        leave_out();
        continue;
      }
      if (!has_id_list(original.opcode)) continue;
      leave_out();
      const InstructionView view = InstructionView::at(words_.data() + original.offset, original.offset);
      if (const auto entry = as<OpEntryPoint>(view)) append_with_list(index, original, view, entry->interfaces());
      if (const auto conditional = as<OpConditionalEntryPointINTEL>(view))
        append_with_list(index, original, view, conditional->interfaces());
      if (const auto group = as<OpGroupDecorate>(view)) append_with_list(index, original, view, group->targets());
      if (const auto members = as<OpGroupMemberDecorate>(view))
        append_with_list(index, original, view, members->targets());
    }
    copy_to(offset_of(range.end));
  }

  void append_inserted(Words words) {
    const std::size_t begin = result_.size();
    result_.insert(result_.end(), words.begin(), words.end());
    if (renamed_ == nullptr) return;
    for (const InstructionView view : Instructions(result_, begin)) {
      if (view.opcode != OpPhi) continue;
      for (Word& word : std::span(result_).subspan(view.offset + std::size_t{1}, view.operands().size())) {
        const InstructionIndex definition = module_.definition(word);
        if (!definition.is_none() && (*renamed_)[definition.index()] != 0) word = (*renamed_)[definition.index()];
      }
    }
  }

  [[nodiscard]] bool is_left_out(InstructionIndex entry_point, Word variable) const {
    return std::ranges::binary_search(rewrite_.left_out_, std::pair(entry_point.raw, variable));
  }

  // Appends an instruction. `list` is the list at its end, with renamed ids; `original` has the ids of the module.
  // Elements with a removed id are left out: the decorations of an id go with it, also if its uses become uses of another
  // id. Renaming can make two elements equal; the second is left out, because no list may have the same element twice.
  template <typename List>
  void append_with_list(InstructionIndex index, InstructionView original, InstructionView view, const List& list) {
    const std::size_t first = result_.size();
    const std::size_t list_word = std::min<std::size_t>(list.word(), view.word_count);
    const Words before = view.words().first(list_word);
    result_.insert(result_.end(), before.begin(), before.end());
    const std::size_t stride = list.empty() ? 1 : list.words().size() / list.size();
    seen_.clear();
    for (std::size_t at = 0; at + stride <= list.words().size(); at += stride) {
      const Words element = list.words().subspan(at, stride);
      const Word id = is_entry_point(original.opcode) ? element[0] : original.first[list_word + at];
      if (rewrite_.is_removed_id(id) || is_left_out(index, element[0])) continue;
      const auto key = std::pair(element[0], stride == 2 ? element[1] : 0);
      if (renamed_ != nullptr && !seen_.insert(key).second) continue;
      result_.insert(result_.end(), element.begin(), element.end());
    }
    result_[first] = first_word(result_.size() - first, original.opcode);
  }

  const Rewrite& rewrite_;
  const Module& module_;
  Words words_;
  const std::vector<Word>* renamed_;
  WordBuffer& result_;
  std::set<std::pair<Word, Word>> seen_;  // elements of a list
};

// The new id of each definition; 0: not renamed.
void Rewrite::find_renamed_ids() {
  if (renamed_.empty()) return;
  new_ids_.assign(module_.instruction_count(), 0);
  std::vector<Word>& to = new_ids_;
  for (const auto& [definition, id] : renamed_) to[definition.index()] = id;
  // The end of each chain, which is then stored for all of its links.
  for (const auto& [definition, id] : renamed_) {
    Word last = id;
    for (InstructionIndex next = module_.definition(last); !next.is_none() && to[next.index()] != 0;
         next = module_.definition(last)) {
      last = to[next.index()];
    }
    for (InstructionIndex link = definition; !link.is_none() && to[link.index()] != 0 && to[link.index()] != last;) {
      const InstructionIndex next = module_.definition(to[link.index()]);
      to[link.index()] = last;
      link = next;
    }
  }
}

void Rewrite::write_from(Words words, const std::vector<Word>* renamed, WordBuffer& result) {
  sorted_.resize(insertions_.size());
  std::iota(sorted_.begin(), sorted_.end(), 0u);
  // In the order of the calls where the places are equal. std::stable_sort would allocate memory.
  std::ranges::sort(sorted_, {}, [&](std::uint32_t number) { return std::pair(insertions_[number].place, number); });
  std::ranges::sort(left_out_);
  RewriteWriter(*this, words, renamed, result).run();
}

// Two execution modes or decorations can differ only in ids that became one. Both would then be the same declaration
// twice. Instructions with a result are never equal.
void Rewrite::remove_repeated_declarations() {
  std::unordered_map<WordBuffer, bool, WordsHash> is_new;  // by words: whether the first such declaration changed
  for (const auto [index, view] : module_.instructions({0, module_.section(Section::Annotations).end})) {
    if (!is_kept(index) || RewriteWriter::has_id_list(view.opcode) || module_.result_of(view) != 0) continue;
    const Words words = Words(renamed_words_).subspan(view.offset, view.word_count);
    const bool is_changed = !std::ranges::equal(words, view.words());
    const auto [row, is_first] = is_new.try_emplace(WordBuffer(words.begin(), words.end()), is_changed);
    if (!is_first && (is_changed || row->second)) remove(index);
  }
}

WordBuffer Rewrite::write() {
  WordBuffer result;
  write_from(module_.words(), nullptr, result);
  return result;
}

WordBuffer Rewrite::write(const OperandIndex& operands) {
  WordBuffer result;
  write(operands, result);
  return result;
}

void Rewrite::write(const OperandIndex& operands, WordBuffer& result) {
  if (renamed_.empty()) return write_from(module_.words(), nullptr, result);
  find_renamed_ids();
  renamed_words_.assign(module_.words().begin(), module_.words().end());
  bool is_repeated = false;  // whether a declaration changed, so that it may be equal to another one
  const std::uint32_t declarations_end = module_.section(Section::Annotations).end;
  for (const auto [index, view] : module_.instructions()) {
    if (!is_kept(index)) continue;
    for (const IdOperandRow& row : operands.of(index)) {
      if (row.definition.is_none() || new_ids_[row.definition.index()] == 0) continue;
      renamed_words_[std::size_t{view.offset} + row.word] = new_ids_[row.definition.index()];
      is_repeated |= index.raw < declarations_end;
    }
  }
  if (is_repeated) remove_repeated_declarations();
  write_from(renamed_words_, &new_ids_, result);
}

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// Which marked instructions remain, and the words without the others.
#include "spirv/transform/removal.h"

#include <algorithm>
#include <span>
#include <unordered_map>

#include "spirv/binary/decode_report.h"
#include "vireo/spirv/instruction.h"
#include "vireo/spirv/reader.h"
#include "vireo/spirv/views/annotation.h"
#include "vireo/spirv/views/extension.h"
#include "vireo/spirv/views/mode_setting.h"

namespace vireo::spirv {
namespace {

using enum Op;

// Names and decorations belong to their target, and an interface only lists its variables: they are no reason to keep
// an id.
bool is_mere_mention(const Use& use, Op opcode) {
  switch (opcode) {
    case OpName:
    case OpMemberName:
    case OpGroupDecorate:
    case OpGroupMemberDecorate: return true;
    case OpEntryPoint: return use.word != 2;  // that word is the function
    default: return use.kind == UseKind::Annotation && use.word == 1;
  }
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

void Removal::keep_what_is_used(const Uses& uses) {
  std::vector<InstructionIndex> kept;  // their operands are not yet followed
  const auto keep_definition = [&](Word id) {
    const InstructionIndex definition = module_.definition(id);
    if (definition.is_none() || !is_removed(definition)) return;
    keep(definition);
    kept.push_back(definition);
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
  while (!kept.empty()) {
    const InstructionIndex index = kept.back();
    kept.pop_back();
    const InstructionView view = module_.instruction(index);
    for (std::uint16_t word = 1; word < view.word_count; ++word) {
      const Word id = view.word(word);  // or a literal
      if (is_removed_id(id) && is_use(id, index, word)) keep_definition(id);
    }
  }
}

void Removal::remove_annotations() {
  const auto is_of_removed = [&](InstructionView view) { return is_removed_id(view.word(1)); };
  for (const auto [index, instruction] : module_.instructions(Section::Names)) {
    if (is_of_removed(instruction)) remove(index);
  }
  for (const auto [index, instruction] : module_.instructions(Section::Annotations)) {
    // The first operand of a group instruction is the group.
    if (is_of_removed(instruction)) remove(index);
  }
}

// Appends an instruction. `list` is the list at its end; elements with a removed id are left out.
template <typename List>
void Removal::append_with_list(InstructionIndex index, const List& list, WordBuffer& words) const {
  const InstructionView view = module_.instruction(index);
  const std::size_t first = words.size();
  const Words before = view.words().first(std::min<std::size_t>(list.word(), view.word_count));
  words.insert(words.end(), before.begin(), before.end());
  const std::size_t stride = list.empty() ? 1 : list.words().size() / list.size();
  for (std::size_t at = 0; at + stride <= list.words().size(); at += stride) {
    const Words element = list.words().subspan(at, stride);
    if (is_removed_id(element[0]) || left_out_.contains({index.raw, element[0]})) continue;
    words.insert(words.end(), element.begin(), element.end());
  }
  words[first] = (words[first] & 0xFFFF) | static_cast<Word>(words.size() - first) << 16;
}

WordBuffer Removal::write() const {
  const Words words = module_.words();
  WordBuffer result;
  result.reserve(words.size());
  std::size_t taken = 0;  // words of the module that were copied or left out
  const auto copy_to = [&](std::size_t end) {
    result.insert(result.end(), words.begin() + static_cast<std::ptrdiff_t>(taken),
                  words.begin() + static_cast<std::ptrdiff_t>(end));
    taken = end;
  };
  const auto leave_out = [&](InstructionView view) {
    copy_to(view.offset);
    taken = std::size_t{view.offset} + view.word_count;
  };
  for (const auto [index, view] : module_.instructions()) {
    if (is_removed(index)) {
      leave_out(view);
    } else if (const auto entry = as<OpEntryPoint>(view)) {
      leave_out(view);
      append_with_list(index, entry->interfaces(), result);
    } else if (const auto group = as<OpGroupDecorate>(view)) {
      leave_out(view);
      append_with_list(index, group->targets(), result);
    } else if (const auto of_members = as<OpGroupMemberDecorate>(view)) {
      leave_out(view);
      append_with_list(index, of_members->targets(), result);
    }
  }
  copy_to(words.size());
  return result;
}

void Removal::describe(const WordBuffer& result, TransformReport& report) const {
  report.removed.clear();
  report.declarations.clear();
  std::unordered_map<Op, std::size_t> rows;  // indexes in report.removed
  const Grammar& grammar = module_.grammar();
  for (const auto [index, view] : module_.instructions()) {
    if (!is_removed(index)) continue;
    const auto [row, is_new] = rows.try_emplace(view.opcode, report.removed.size());
    if (is_new) report.removed.push_back({view.opcode, 0, 0});
    ++report.removed[row->second].count;
    report.removed[row->second].words += view.word_count;
    if (const auto capability = as<OpCapability>(view)) {
      const EnumerantRow* enumerant =
          grammar.find_value(grammar.capability_kind, static_cast<Word>(capability->capability().value));
      report.declarations.emplace_back(enumerant == nullptr ? "?" : grammar.text(enumerant->name));
    } else if (const auto extension = as<OpExtension>(view)) {
      report.declarations.emplace_back(extension->name());
    } else if (const auto import = as<OpExtInstImport>(view)) {
      report.declarations.emplace_back(import->name());
    }
  }
  report.interface_entries = static_cast<std::uint32_t>(left_out_.size());
  report.words_before = module_.words().size();
  report.words_after = result.size();
}

}  // namespace vireo::spirv

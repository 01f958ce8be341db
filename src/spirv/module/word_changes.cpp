// SPDX-License-Identifier: Apache-2.0
//
// Applies changes of words in one pass over the module.
#include "spirv/module/word_changes.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <tuple>
#include <utility>

#include "spirv/module/opcode_traits.h"
#include "vireo/spirv/binary/instruction.h"

namespace vireo::spirv {
namespace {

// The section of the first inserted instruction. At one position, operands of the instruction before come first.
int rank_of(const Change& change, const Grammar& grammar) {
  if (change.is_in_instruction || change.words.empty()) return -1;
  return static_cast<int>(traits_of(grammar, grammar.find_opcode(opcode_of(change.words.front()))).home);
}

}  // namespace

std::vector<Change> ordered_changes(std::span<const Diagnostic> findings, const Grammar& grammar) {
  std::vector<std::pair<int, Change>> ranked;
  std::set<std::tuple<std::uint64_t, std::uint64_t, bool, std::vector<Word>>> known;
  for (const Diagnostic& finding : findings) {
    for (const Change& change : finding.fix) {
      if (change.where.kind != Location::Kind::Words) continue;
      if (!known.emplace(change.where.begin, change.where.end, change.is_in_instruction, change.words).second) continue;
      ranked.emplace_back(rank_of(change, grammar), change);
    }
  }
  std::ranges::stable_sort(ranked, {}, [](const auto& each) {
    return std::tuple(each.second.where.begin, each.first, each.second.where.end);
  });
  std::vector<Change> changes;
  std::uint64_t end = 0;
  for (auto& [rank, change] : ranked) {
    if (change.where.begin < end) continue;
    end = change.where.end;
    changes.push_back(std::move(change));
  }
  return changes;
}

WordBuffer apply_changes(Words words, std::span<const Change> changes) {
  WordBuffer changed;
  changed.reserve(words.size() + 64);
  std::size_t taken = 0;  // words of the input that were copied or replaced
  auto next = changes.begin();
  const auto copy_to = [&](std::uint64_t end) {
    if (taken >= end) return;
    changed.insert(changed.end(), words.begin() + static_cast<std::ptrdiff_t>(taken),
                   words.begin() + static_cast<std::ptrdiff_t>(end));
    taken = static_cast<std::size_t>(end);
  };
  const auto apply_next = [&] {
    copy_to(next->where.begin);
    changed.insert(changed.end(), next->words.begin(), next->words.end());
    taken = static_cast<std::size_t>(next->where.end);
    ++next;
  };
  const auto begins_before = [&](std::uint64_t end) { return next != changes.end() && next->where.begin < end; };
  while (begins_before(std::min(words.size(), header_word_count))) apply_next();
  for (const InstructionView view : Instructions(words)) {
    while (begins_before(std::uint64_t{view.offset} + 1) && !next->is_in_instruction &&
           next->where.begin == next->where.end) {
      apply_next();
    }
    copy_to(view.offset);
    const std::size_t first = changed.size();
    const std::uint64_t end = std::uint64_t{view.offset} + view.word_count;
    bool has_other_operands = false;
    while (begins_before(end) || (begins_before(end + 1) && next->is_in_instruction)) {
      has_other_operands |= next->is_in_instruction;
      apply_next();
    }
    copy_to(end);
    // If the instruction becomes too long, its word count is wrong, and validation rejects the fix.
    if (has_other_operands) changed[first] = first_word(changed.size() - first, opcode_of(changed[first]));
  }
  while (next != changes.end()) apply_next();
  copy_to(words.size());
  return changed;
}

std::uint64_t ordinal_after(std::uint64_t ordinal, std::span<const Change> changes) {
  std::uint64_t inserted = 0, removed = 0;
  for (const Change& change : changes) {
    if (change.is_in_instruction) continue;
    if (change.where.begin == change.where.end) {  // after the instruction `where.instruction`
      if (change.where.instruction >= ordinal) continue;
      for ([[maybe_unused]] const InstructionView view : Instructions(Words(change.words), 0)) ++inserted;
    } else if (change.where.instruction == ordinal) {
      return 0;
    } else if (change.where.instruction != 0 && change.where.instruction < ordinal) {
      ++removed;
    }
  }
  return ordinal + inserted - removed;
}

}  // namespace vireo::spirv

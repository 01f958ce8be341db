// SPDX-License-Identifier: Apache-2.0
//
// Module → Uses (uses.h): find them in the order of the words, then place them by id.
//
// The one idea: most instructions show at a glance which of their words are ids (id_pattern.h), and only the others are
// walked. What is found goes into one list, which is then sorted by counting; the list is gone when reading ends.
#include "vireo/spirv/uses.h"

#include <algorithm>
#include <vector>

#include "spirv/binary/operand_walk.h"
#include "spirv/module/id_pattern.h"

namespace vireo::spirv {
class UseReader {
 public:
  explicit UseReader(const Module& module)
      : module_(module),
        g_(module.grammar()),
        patterns_(g_),
        seen_(0, module.words().size()),  // not by the header's bound, which may say anything
        // As with definitions: honest ids are fewer than the words. Those beyond are kept apart.
        dense_bound_(std::min<std::size_t>(module.words().size(),
                                           std::max<Word>(module.defined_bound(), module.header().bound))) {}

  Uses read() && {
    for (std::uint32_t i = 0; i < module_.instruction_count(); ++i) find(InstructionIndex(i));
    place();
    return std::move(uses_);
  }

  // --- the walk's visitor ---

  void id(Word value, const Operand& operand) {
    if (operand.shape == OperandShape::IdResult) return;
    const bool is_type = operand.shape == OperandShape::IdResultType;
    found_[found_count_++] = {value, {here_, operand.word, is_type ? UseKind::ResultType : kind_}};
  }
  void enumerant(const EnumerantRow&, const Operand&) {}
  void other(Word, const Operand&) {}

 private:
  struct Found {
    Word id;
    Use use;
  };
  static constexpr int written_at_once = 4;

  void find(InstructionIndex i) {
    const InstructionView instruction = module_.instruction(i);
    const std::size_t room = found_count_ + instruction.word_count + written_at_once;
    if (room > found_.size()) [[unlikely]] { found_.resize(std::max(room, module_.words().size() / 2 + found_count_)); }
    const IdPattern& pattern = patterns_.of(instruction.opcode);
    const int ids = pattern.ids_of(instruction.word_count - 1u);
    if (ids < 0) return walk(i, instruction, pattern);
    const Word* const words = instruction.first;
    Found* next = found_.data() + found_count_;
    if (pattern.has_type) *next++ = {words[1], {i, 1, UseKind::ResultType}};
    // Whoever branches on each instruction's number of operands waits for wrong guesses most of the time. So four are
    // written whether they are there or not, and those that are not are written over next.
    const int first = pattern.first_operand();
    const auto write = [&](int at) {
      next[at - first] = {words[at], {i, static_cast<std::uint16_t>(at), pattern.kind}};
    };
    if (instruction.offset + first + written_at_once <= module_.words().size()) [[likely]] {
      for (int k = 0; k < written_at_once; ++k) write(first + k);
      for (int at = first + written_at_once; at <= ids; ++at) write(at);
    } else {
      for (int at = first; at <= ids; ++at) write(at);
    }
    found_count_ =
        static_cast<std::size_t>(next - found_.data()) + static_cast<std::size_t>(std::max(0, ids - first + 1));
  }

  void walk(InstructionIndex i, InstructionView instruction, const IdPattern& pattern) {
    context_ = {};
    context_.row = g_.find_opcode(instruction.opcode);
    if (context_.row == nullptr) {
      uses_.undecoded_.push_back({i, DecodeFault::UnknownOpcode});
      return;
    }
    here_ = i;
    kind_ = pattern.kind;
    if (instruction.opcode == static_cast<std::uint16_t>(Op::OpSwitch)) remember_selector(i, instruction);
    OperandWalk<UseReader> walk(g_, seen_, instruction, context_, *this);
    DecodeFault fault = walk.run();
    if ((context_.row->flags & HasResult) != 0) {
      // The first definition of an id counts, and not every one is shown to the walk.
      const Word result = module_.result_of(instruction);
      if (module_.definition(result) != i && seen_.get(result) == 0) seen_.set(result, seen::defined_only);
      fault = walk.define_result();
    }
    if (!is_decodable(fault)) uses_.undecoded_.push_back({i, fault});
  }

  // The walk is shown types, imports and whatever else needs it, but not the values in between; of those it asks for the
  // selector's type alone.
  void remember_selector(InstructionIndex i, InstructionView instruction) {
    if (instruction.word_count < 2) return;
    const Word selector = instruction.first[1];
    const InstructionIndex definition = module_.definition(selector);
    if (seen_.get(selector) != 0 || definition.is_none() || definition >= i) return;
    const Word type = module_.type_of(module_.instruction(definition));
    seen_.set(selector, type != 0 && type < seen::first_not_type_id ? type : seen::defined_only);
  }

  // Counts stand two places behind their id. Summed up, the begin of each id stands one place behind it, is moved along
  // while the id's uses are placed, and so becomes the begin of the next id, which belongs there.
  void place() {
    const std::span<const Found> found = std::span<const Found>(found_).first(found_count_);
    std::vector<std::uint32_t>& begins = uses_.begins_;
    begins.assign(dense_bound_ + 2, 0);
    for (const Found& row : found) {
      if (row.id < dense_bound_) [[likely]] { ++begins[row.id + 2]; }
    }
    std::uint32_t sum = 0;
    for (std::uint32_t& count : begins) count = sum += count;
    uses_.uses_.resize(found.size());
    std::vector<Found> far;
    for (const Found& row : found) {
      if (row.id < dense_bound_) [[likely]] {
        uses_.uses_[begins[row.id + 1]++] = row.use;
      } else {
        far.push_back(row);
      }
    }
    begins.pop_back();
    place_far(far, sum);
  }

  void place_far(std::vector<Found>& far, std::uint32_t at) {
    std::stable_sort(far.begin(), far.end(), [](const Found& a, const Found& b) { return a.id < b.id; });
    for (const Found& row : far) {
      if (uses_.far_.empty() || uses_.far_.back().id != row.id) uses_.far_.push_back({row.id, at, at});
      uses_.uses_[at++] = row.use;
      uses_.far_.back().end = at;
    }
  }

  const Module& module_;
  const Grammar& g_;
  IdPatternTable patterns_;
  SeenIds seen_;
  OperandContext context_;
  Uses uses_;
  std::vector<Found> found_;  // in the order of the words, and room for more
  std::size_t found_count_ = 0;
  std::size_t dense_bound_;  // ids below have a row by index
  InstructionIndex here_;    // that is walked
  UseKind kind_ = UseKind::Operand;
};

Uses Uses::read(const Module& module) { return UseReader(module).read(); }

std::span<const Use> Uses::find_far(Word id) const {
  const auto row =
      std::lower_bound(far_.begin(), far_.end(), id, [](const FarRow& a, Word wanted) { return a.id < wanted; });
  if (row == far_.end() || row->id != id) return {};
  return std::span(uses_).subspan(row->first, row->end - row->first);
}

}  // namespace vireo::spirv

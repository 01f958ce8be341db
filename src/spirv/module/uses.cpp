// SPDX-License-Identifier: Apache-2.0
//
// Module → Uses (uses.h): mark and count, then place.
//
// The one idea: the marks, one bit a word, are all that has to be kept between counting the uses of each id and putting
// each use in its place: 3 % of the words, where a list of uses would be as long as the answer.
#include "vireo/spirv/uses.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>

#include "spirv/binary/operand_walk.h"

namespace vireo::spirv {
namespace {

struct ClassKind {
  std::string_view printing_class;
  UseKind kind;
};
// Mode setting is what decides how a module is run; OpCapability and the like have no ids.
constexpr ClassKind class_kinds[] = {
    {"Annotation", UseKind::Annotation},
    {"Debug", UseKind::Debug},
    {"Mode-Setting", UseKind::Mode},
};

UseKind kind_of_class(const Grammar& grammar, std::size_t printing_class) {
  const std::string_view name = grammar.text(grammar.printing_classes[printing_class]);
  for (const ClassKind& row : class_kinds) {
    if (row.printing_class == name) return row.kind;
  }
  return UseKind::Operand;
}

}  // namespace

class UseReader {
 public:
  explicit UseReader(const Module& module)
      : module_(module),
        g_(module.grammar()),
        seen_(module.header().bound, module.words().size()),
        marks_(module.words().size() / 64 + 1),
        dense_bound_(std::min<std::size_t>(module.words().size(),
                                           std::max<Word>(module.defined_bound(), module.header().bound))) {
    // As with definitions: honest ids are fewer than the words. Those beyond are kept apart.
    uses_.begins_.assign(dense_bound_ + 2, 0);
    for (std::size_t i = 0; i < g_.printing_classes.size(); ++i) kinds_.push_back(kind_of_class(g_, i));
  }

  Uses read() && {
    for (std::uint32_t i = 0; i < module_.instruction_count(); ++i) mark(InstructionIndex(i));
    make_room();
    for (std::uint32_t i = 0; i < module_.instruction_count(); ++i) place(InstructionIndex(i));
    // The begin of each row was moved to its end while it was filled: what stands one place further is the begin.
    uses_.begins_.pop_back();
    sort_far();
    return std::move(uses_);
  }

  // --- the walk's visitor ---

  void id(Word value, const Operand& operand) {
    if (operand.shape == OperandShape::IdResult) return;
    const std::size_t word = offset_ + operand.word;
    marks_[word / 64] |= std::uint64_t{1} << word % 64;
    if (value < dense_bound_) [[likely]] {
      ++uses_.begins_[value + 2];
    } else {
      ++far_count_;
    }
  }
  void enumerant(const EnumerantRow&, const Operand&) {}
  void other(Word, const Operand&) {}

 private:
  void mark(InstructionIndex i) {
    const InstructionView instruction = module_.instruction(i);
    context_ = {};
    context_.row = g_.find_opcode(instruction.opcode);
    if (context_.row == nullptr) {
      uses_.undecoded_.push_back({i, DecodeFault::UnknownOpcode});
      return;
    }
    offset_ = instruction.offset;
    OperandWalk<UseReader> walk(g_, seen_, instruction, context_, *this);
    DecodeFault fault = walk.run();
    if ((context_.row->flags & HasResult) != 0) fault = walk.define_result();
    if (!is_decodable(fault)) uses_.undecoded_.push_back({i, fault});
  }

  // Counts stand two places behind their id. Summed up, the begin of each id stands one place behind it, is moved along
  // while the id's uses are placed, and so becomes the begin of the next id, which belongs there.
  void make_room() {
    std::uint32_t sum = 0;
    for (std::uint32_t& count : uses_.begins_) count = sum += count;
    far_next_ = sum;
    uses_.uses_.resize(sum + far_count_);
    far_ids_.reserve(far_count_);
  }

  void place(InstructionIndex i) {
    const InstructionView instruction = module_.instruction(i);
    const InstructionRow* row = g_.find_opcode(instruction.opcode);
    if (row == nullptr) return;
    const UseKind kind = kinds_[row->printing_class];
    const bool has_type = (row->flags & HasResultType) != 0;
    const std::size_t end = instruction.offset + instruction.word_count;
    // The marks of one instruction, 64 words at a time.
    for (std::size_t word = instruction.offset + 1; word < end; word = (word / 64 + 1) * 64) {
      std::uint64_t marks = marks_[word / 64] >> word % 64;
      if (end - word < 64) marks &= (std::uint64_t{1} << (end - word)) - 1;
      for (; marks != 0; marks &= marks - 1) {
        const auto at =
            static_cast<std::uint16_t>(word - instruction.offset + static_cast<unsigned>(std::countr_zero(marks)));
        place({i, at, has_type && at == 1 ? UseKind::ResultType : kind}, instruction.first[at]);
      }
    }
  }

  void place(const Use& use, Word id) {
    if (id < dense_bound_) [[likely]] {
      uses_.uses_[uses_.begins_[id + 1]++] = use;
    } else {
      uses_.uses_[far_next_ + far_ids_.size()] = use;
      far_ids_.push_back(id);
    }
  }

  void sort_far() {
    if (far_ids_.empty()) return;
    std::vector<std::pair<Word, Use>> rows;
    rows.reserve(far_ids_.size());
    for (std::size_t i = 0; i < far_ids_.size(); ++i) rows.emplace_back(far_ids_[i], uses_.uses_[far_next_ + i]);
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      const std::uint32_t at = far_next_ + i;
      if (uses_.far_.empty() || uses_.far_.back().id != rows[i].first) uses_.far_.push_back({rows[i].first, at, at});
      uses_.far_.back().end = at + 1;
      uses_.uses_[at] = rows[i].second;
    }
  }

  const Module& module_;
  const Grammar& g_;
  SeenIds seen_;
  OperandContext context_;
  Uses uses_;
  std::vector<std::uint64_t> marks_;  // by word: whether it is the id of a use
  std::vector<UseKind> kinds_;        // by printing class
  std::size_t dense_bound_;           // ids below have a row by index
  std::size_t offset_ = 0;            // of the instruction that is walked
  std::uint32_t far_next_ = 0;
  std::uint32_t far_count_ = 0;
  std::vector<Word> far_ids_;  // in the order of the words
};

Uses Uses::read(const Module& module) { return UseReader(module).read(); }

std::span<const Use> Uses::find_far(Word id) const {
  const auto row =
      std::lower_bound(far_.begin(), far_.end(), id, [](const FarRow& a, Word wanted) { return a.id < wanted; });
  if (row == far_.end() || row->id != id) return {};
  return std::span(uses_).subspan(row->first, row->end - row->first);
}

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// Module → Uses (uses.h): find them in the order of the words, then place them by id.
//
// The one idea: most instructions show at a glance which of their words are ids (id_pattern.h). Of the others one of each
// shape is walked, and the shape remembered. What is found goes into one list, which is then sorted by counting; the list
// is gone when reading ends.
#include "vireo/spirv/uses.h"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
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
        seen_(0, std::min<std::size_t>(module.defined_bound(), module.words().size())),  // the header may say anything
        // As with definitions: honest ids are fewer than the words. Those beyond are kept apart.
        dense_bound_(std::min<std::size_t>(module.words().size(),
                                           std::max<Word>(module.defined_bound(), module.header().bound))) {}

  Uses read() && {
    find();
    place();
    return std::move(uses_);
  }

  // --- the walk's visitor ---

  void id(Word value, const Operand& operand) {
    if (operand.shape == OperandShape::IdResult) return;
    const bool is_type = operand.shape == OperandShape::IdResultType;
    *next_++ = {value, here_.raw, at_word(operand.word, is_type ? UseKind::ResultType : pattern_->kind)};
    note(operand.word < most_words);
    if (operand.word < most_words) shape_.ids |= 1u << operand.word;
  }
  void enumerant(const EnumerantRow&, const Operand& operand) { note(operand.word == pattern_->selector); }
  void other(Word, const Operand& operand) {
    switch (operand.shape) {
      case OperandShape::LiteralInteger:
      case OperandShape::LiteralFloat: return;
      case OperandShape::LiteralContextDependentNumber: return note(pattern_->selector == 1);
      case OperandShape::LiteralString: return note(false);
      default: return note(operand.word == pattern_->selector);
    }
  }

 private:
  // Three numbers, all alike: nothing that is written here can be what the loop has to look at again.
  struct Found {
    Word id;
    std::uint32_t instruction;
    std::uint32_t word_and_kind;
  };
  static constexpr std::uint32_t at_word(std::uint32_t word, UseKind kind) {
    return word | static_cast<std::uint32_t>(kind) << 16;
  }
  static Use use_of(const Found& found) {
    return {InstructionIndex(found.instruction), static_cast<std::uint16_t>(found.word_and_kind),
            static_cast<UseKind>(found.word_and_kind >> 16)};
  }
  static constexpr std::uint32_t written_at_once = 4;
  static constexpr std::size_t most_at_once = 3 + written_at_once;  // words: the first one, type and result

  // What a walk found: the ids of an instruction with this first word, selector and set.
  struct Shape {
    Word first = 0;  // opcode and length; 0: no shape
    Word selector = 0, set = 0;
    std::uint32_t ids = 0;  // bit n: word n is an id, or the result
    int leading = -1;       // how many words behind the first are, where all others are not
  };
  static constexpr std::uint32_t most_words = 32;  // of an instruction that has a shape
  static constexpr std::size_t shape_count = 128;  // 2^n

  /// What would make an instruction's shape hang on more than its selector.
  void note(bool is_fine) { has_shape_ = has_shape_ && is_fine; }

  void find() {
    // No instruction has more ids than words. What is not written costs no memory, only addresses.
    const Words words = module_.words();
    found_ = std::make_unique_for_overwrite<Found[]>(words.size() + written_at_once + 1);
    next_ = found_.get();
    const std::uint32_t count = module_.instruction_count();
    if (count == 0) return;  // there may be no words to point at
    // The module has seen that instructions follow each other and that all of them are in the words.
    const Word* instruction = words.data() + header_word_count;
    const Word* const last_at_once = words.data() + words.size() - std::min(words.size(), most_at_once);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t operand_words = (instruction[0] >> 16) - 1;
      const auto opcode = static_cast<std::uint16_t>(instruction[0]);
      const IdPattern& pattern = patterns_.known(opcode);
      const int ids = pattern.ids_of(operand_words);
      if (ids >= 0 && instruction < last_at_once) [[likely]] {
        write(i, instruction, pattern, static_cast<std::uint32_t>(ids));
      } else if (instruction < last_at_once && pattern.is_as_before(instruction, operand_words)) {
        write(i, instruction, pattern, pattern.shape_ids);
      } else {
        look_closer(InstructionIndex(i), module_.instruction(InstructionIndex(i)), instruction < last_at_once);
      }
      instruction += operand_words + 1;
    }
  }

  // Writes the words 1 to `ids`, but for the result. Whoever branches on each instruction's number of operands waits for
  // wrong guesses most of the time. So a type and four operands are written whether they are there or not, and those that
  // are not are written over next.
  void write(std::uint32_t i, const Word* instruction, const IdPattern& pattern, std::uint32_t ids) {
    Found* next = next_;
    *next = {instruction[1], i, at_word(1, UseKind::ResultType)};
    next += pattern.has_type ? 1 : 0;
    const std::uint32_t first = pattern.first_operand, from = at_word(first, pattern.kind);
    const Word* const operands = instruction + first;
    for (std::uint32_t k = 0; k < written_at_once; ++k) next[k] = {operands[k], i, from + k};
    const std::uint32_t count = ids + 1 - first;
    for (std::uint32_t k = written_at_once; k < count; ++k) next[k] = {operands[k], i, from + k};
    next_ = next + count;
  }

  // What takes more than a glance at the length: a pattern that was not known, a string, a shape; or a walk.
  void look_closer(InstructionIndex i, InstructionView instruction, bool has_room) {
    IdPattern& pattern = patterns_.of(instruction.opcode);
    int ids = pattern.ids_of(instruction.word_count - 1u);
    if (ids < 0 && pattern.string_word != 0 && string_fills(instruction, pattern.string_word)) ids = pattern.most;
    if (ids < 0) return find_by_shape(i, instruction, pattern, has_room);
    if (has_room) return write(i.raw, instruction.first, pattern, static_cast<std::uint32_t>(ids));
    take(i, instruction, pattern, leading_bits(ids));
  }

  void find_by_shape(InstructionIndex i, InstructionView instruction, IdPattern& pattern, bool has_room) {
    if (pattern.selector >= std::min<std::uint32_t>(instruction.word_count, most_words))
      return walk(i, instruction, pattern);
    const Word* const words = instruction.first;
    shape_.first = words[0];
    shape_.selector = pattern.selector == 0 ? 0 : words[pattern.selector];
    shape_.set = pattern.has_set ? words[pattern.selector - 1] : 0;
    Shape& known = shapes_[place_of(shape_)];
    if (known.first == shape_.first && known.selector == shape_.selector && known.set == shape_.set) {
      if (known.leading < 0 || !has_room) return take(i, instruction, pattern, known.ids);
      if (!pattern.has_set) {
        pattern.shape_words = static_cast<std::uint16_t>(instruction.word_count - 1);
        pattern.shape_ids = static_cast<std::uint16_t>(known.leading);
        pattern.shape_selector = words[pattern.selector];
      }
      return write(i.raw, words, pattern, static_cast<std::uint32_t>(known.leading));
    }
    shape_.ids = pattern.result_word == 0 ? 0 : 1u << pattern.result_word;
    has_shape_ = true;
    walk(i, instruction, pattern);
    if (!has_shape_) return;  // what the walk found wrong is found each time
    const int leading = std::countr_one(shape_.ids >> 1);
    shape_.leading = shape_.ids == leading_bits(leading) ? leading : -1;
    known = shape_;
  }

  // Bits 1 to `ids`.
  static std::uint32_t leading_bits(int ids) { return static_cast<std::uint32_t>((std::uint64_t{2} << ids) - 2); }

  // Takes the words whose bits are set, but for the result.
  void take(InstructionIndex i, InstructionView instruction, const IdPattern& pattern, std::uint32_t ids) {
    if (pattern.result_word != 0) ids &= ~(1u << pattern.result_word);
    for (; ids != 0; ids &= ids - 1) {
      const auto at = static_cast<std::uint32_t>(std::countr_zero(ids));
      const UseKind kind = at == 1 && pattern.has_type ? UseKind::ResultType : pattern.kind;
      *next_++ = {instruction.first[at], i.raw, at_word(at, kind)};
    }
  }

  static std::size_t place_of(const Shape& shape) {
    const std::uint32_t mixed = shape.first * 0x9E3779B1u + shape.selector * 0x85EBCA77u + shape.set * 0xC2B2AE3Du;
    return mixed >> 25;
  }
  static_assert(shape_count == std::size_t{1} << (32 - 25));

  void walk(InstructionIndex i, InstructionView instruction, const IdPattern& pattern) {
    context_ = {};
    context_.row = g_.find_opcode(instruction.opcode);
    if (context_.row == nullptr) {
      uses_.undecoded_.push_back({i, DecodeFault::UnknownOpcode});
      return;
    }
    here_ = i;
    pattern_ = &pattern;
    if (instruction.opcode == static_cast<std::uint16_t>(Op::OpSwitch)) remember_selector(i, instruction);
    OperandWalk<UseReader> walk(g_, seen_, instruction, context_, *this);
    DecodeFault fault = walk.run();
    if ((context_.row->flags & HasResult) != 0) {
      // The first definition of an id counts, and not every one is shown to the walk.
      const Word result = module_.result_of(instruction);
      if (module_.definition(result) != i && seen_.get(result) == 0) seen_.set(result, seen::defined_only);
      fault = walk.define_result();
    }
    note(fault == DecodeFault::None);
    if (!is_decodable(fault)) uses_.undecoded_.push_back({i, fault});
  }

  // The walk is shown numerical types, imports and whatever else needs it, but not the values in between; of those it asks
  // for the selector's type alone.
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
    const std::span<const Found> found(found_.get(), next_);
    const std::size_t bound = dense_bound_;
    uses_.begins_.assign(bound + 2, 0);
    std::uint32_t* const counts = uses_.begins_.data() + 2;
    std::size_t near_count = 0;
    for (const Found& row : found) {
      if (row.id >= bound) [[unlikely]] { continue; }
      ++counts[row.id];
      ++near_count;
    }
    std::uint32_t sum = 0;
    for (std::uint32_t& count : uses_.begins_) count = sum += count;
    uses_.uses_.resize(found.size());
    Use* const uses = uses_.uses_.data();
    std::uint32_t* const places = uses_.begins_.data() + 1;
    for (const Found& row : found) {
      if (row.id >= bound) [[unlikely]] { continue; }
      uses[places[row.id]++] = use_of(row);
    }
    uses_.begins_.pop_back();
    if (near_count != found.size()) place_far(found, sum);
  }

  void place_far(std::span<const Found> found, std::uint32_t at) {
    std::vector<Found> far;
    for (const Found& row : found) {
      if (row.id >= dense_bound_) far.push_back(row);
    }
    std::stable_sort(far.begin(), far.end(), [](const Found& a, const Found& b) { return a.id < b.id; });
    for (const Found& row : far) {
      if (uses_.far_.empty() || uses_.far_.back().id != row.id) uses_.far_.push_back({row.id, at, at});
      uses_.uses_[at++] = use_of(row);
      uses_.far_.back().end = at;
    }
  }

  const Module& module_;
  const Grammar& g_;
  IdPatternTable patterns_;
  SeenIds seen_;
  OperandContext context_;
  Uses uses_;
  std::unique_ptr<Found[]> found_;           // in the order of the words, and room for more
  Found* next_ = nullptr;                    // where an instruction that is looked at one by one writes
  std::array<Shape, shape_count> shapes_{};  // by a hash; the last one of a place counts
  std::size_t dense_bound_;                  // ids below have a row by index
  InstructionIndex here_;                    // that is walked
  const IdPattern* pattern_ = nullptr;       // its opcode's
  Shape shape_;                              // of what is walked, as far as it is known
  bool has_shape_ = false;
};

Uses Uses::read(const Module& module) { return UseReader(module).read(); }

std::span<const Use> Uses::find_far(Word id) const {
  const auto row =
      std::lower_bound(far_.begin(), far_.end(), id, [](const FarRow& a, Word wanted) { return a.id < wanted; });
  if (row == far_.end() || row->id != id) return {};
  return std::span(uses_).subspan(row->first, row->end - row->first);
}

}  // namespace vireo::spirv

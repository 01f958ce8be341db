// SPDX-License-Identifier: Apache-2.0
//
// Module → Uses (uses.h): find them in the order of the words, then place them by id.
//
// The one idea: uses are sorted by counting, so the words are gone through twice: first to count the uses of each id,
// then to write each use where it belongs. Which words are ids has to be found out only the first time. Most
// instructions show it at a glance (id_pattern.h); of the others one of each shape is walked, and the shape remembered.
// What was found is kept in a byte for each instruction, mostly how many of its words are ids, and that is all the
// second time needs. A list of all uses would be many times as long, and fresh memory costs more than going through the
// words again.
//
// Of some ids only (read_some) no use is sought where no word of an instruction is the number of one of them, whatever
// that word means; and the few uses that there are count by the id's number among those that are wanted.
#include "vireo/spirv/facts/uses.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

#include "spirv/binary/operand_walk.h"
#include "spirv/module/id_pattern.h"
#include "support/sort_stably.h"

namespace vireo::spirv {
namespace {

// Ids whose uses are wanted, a bit each; those far beyond what the module's size explains are all wanted.
class IdSet {
 public:
  explicit IdSet(const Module& module)
      : last_(static_cast<Word>(std::min<std::size_t>(module.words().size(), module.defined_bound()) / 64 + 1)),
        bits_(last_ + std::size_t{1}) {
    bits_[last_] = ~std::uint64_t{0};
  }
  void add(Word id) {
    if (!is_far(id)) bits_[id / 64] |= std::uint64_t{1} << id % 64;
  }
  /// The set is complete: gives the ids in it numbers, from 0 on, ascending.
  void number() {
    before_.reserve(bits_.size());
    std::uint32_t count = 0;
    for (const std::uint64_t bits : bits_) {
      before_.push_back(count);
      count += static_cast<std::uint32_t>(std::popcount(bits));
    }
  }

  [[nodiscard]] bool has(Word id) const { return (bits_[std::min(id / 64, last_)] >> id % 64 & 1) != 0; }
  [[nodiscard]] bool is_far(Word id) const { return id / 64 >= last_; }
  // Behind number(), of ids that are not far out: how many there are, and the number of one of them.
  [[nodiscard]] std::size_t size() const { return before_[last_]; }
  [[nodiscard]] std::uint32_t number_of(Word id) const {
    const std::uint64_t below = (std::uint64_t{1} << id % 64) - 1;
    return before_[id / 64] + static_cast<std::uint32_t>(std::popcount(bits_[id / 64] & below));
  }

 private:
  Word last_;                          // place in bits_ of all ids that are far out
  std::vector<std::uint64_t> bits_;    // by 64 ids
  std::vector<std::uint32_t> before_;  // likewise: how many there are in front of them; empty until number()
};

IdSet wanted_ids(const Module& module) {
  IdSet ids(module);
  for (const FunctionRow& function : module.functions()) ids.add(function.id);
  const auto add_results = [&](InstructionRange range, std::initializer_list<Op> opcodes) {
    for (const InstructionView view : module.views(range)) {
      const bool is_wanted = std::find(opcodes.begin(), opcodes.end(), static_cast<Op>(view.opcode)) != opcodes.end();
      if (is_wanted) ids.add(module.result_of(view));
    }
  };
  add_results(module.section(Section::Annotations), {Op::OpDecorationGroup});
  add_results(module.section(Section::Globals), {Op::OpVariable, Op::OpUntypedVariableKHR});
  // Few modules have any, and of the others no function has to be looked at.
  if (module.has(Op::OpSampledImage)) add_results(module.section(Section::Functions), {Op::OpSampledImage});
  ids.number();
  return ids;
}

// A Use as one number, so that neighbours in an instruction are made by adding. The host is little-endian (reader.h).
using Place = std::uint64_t;
constexpr Place next_word = Place{1} << 32;
constexpr Place place_of(std::uint32_t instruction, std::uint32_t word, UseKind kind) {
  return instruction | word * next_word | static_cast<Place>(kind) << 48;
}
static_assert(std::bit_cast<Use>(Place{3} << 48 | 2 * next_word | 1) == Use{InstructionIndex(1u), 2, UseKind{3}});
void write_use(Use* use, Place place) { std::memcpy(static_cast<void*>(use), &place, sizeof(Use)); }

}  // namespace

class UseReader {
 public:
  explicit UseReader(const Module& module)
      : module_(module),
        g_(module.grammar()),
        patterns_(g_),
        seen_(0, std::min<std::size_t>(module.defined_bound(), module.words().size())),  // the header may say anything
        // As with definitions: honest ids are fewer than the words. Those beyond are kept apart.
        dense_bound_(static_cast<Word>(std::min<std::size_t>(
            module.words().size(), std::max<Word>(module.defined_bound(), module.header().bound)))) {
    found_.reserve(most_words);
  }

  // Counts stand two places behind their id. Summed up, the begin of each id stands one place behind it, is moved along
  // while the id's uses are placed, and so becomes the begin of the next id, which belongs there. One place more is that of
  // ids far out, taken together.
  Uses read() && {
    codes_ = std::make_unique_for_overwrite<IdCode[]>(module_.instruction_count());
    listed_.reserve(module_.instruction_count() / 2);
    const Word far = dense_bound_;
    std::vector<std::uint32_t>& begins = uses_.begins_;
    begins.assign(std::size_t{far} + 3, 0);
    find([=, counts = begins.data() + 2](Word id, Place) { ++counts[std::min(id, far)]; }, Always());

    std::uint32_t sum = 0;
    for (std::uint32_t& count : begins) count = sum += count;
    hold(sum);
    replay([=, next = begins.data() + 1, uses = uses_.uses_.get()](Word id, Place place) {
      write_use(uses + next[std::min(id, far)]++, place);
    });
    begins.resize(std::size_t{far} + 1);
    place_far(begins[far]);
    return std::move(uses_);
  }

  Uses read_some() && {
    const IdSet wanted = wanted_ids(module_);
    std::vector<std::pair<Word, Place>> kept;
    kept.reserve(256);
    const auto keep = [&](Word id, Place place) {
      if (wanted.has(id)) kept.emplace_back(id, place);
    };
    find(keep, [&](const Word* instruction) {
      const std::uint32_t word_count = instruction[0] >> 16;
      for (std::uint32_t word = 1; word < word_count; ++word) {
        if (wanted.has(instruction[word])) return true;
      }
      return is_asked_for_later(static_cast<Op>(static_cast<std::uint16_t>(instruction[0])));
    });
    hold(kept.size());
    place_by_number(kept, wanted);
    return std::move(uses_);
  }

  // --- the walk's visitor ---

  void id(Word, const Operand& operand) {
    if (operand.shape == OperandShape::IdResult) return;
    found_.push_back(operand.word);
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
  // What a walk found: the ids of an instruction with this first word, selector and set.
  struct Shape {
    Word first = 0;  // opcode and length; 0: no shape
    Word selector = 0, set = 0;
    std::uint32_t ids = 0;  // bit n: word n is an id, or the result
    IdCode code = id_code::by_list;
  };
  static constexpr std::uint32_t most_words = 32;  // of an instruction that has a shape
  static constexpr std::size_t shape_count = 128;  // 2^n

  /// Unless `is_fine`, the instruction's shape depends on more than its selector, and is not remembered.
  void note(bool is_fine) { has_shape_ = has_shape_ && is_fine; }

  struct Always {
    constexpr bool operator()(const Word*) const { return true; }
  };
  // What walks ask for, whatever ids are wanted: what literals are, and which set an instruction is of.
  static constexpr bool is_asked_for_later(Op op) {
    return op == Op::OpTypeInt || op == Op::OpTypeFloat || op == Op::OpExtInstImport;
  }

  // --- going through the words ---
  //
  // `put(id, place)` takes each id.

  // `is_worth_it(first word)` says whether an instruction has to be looked at.
  template <typename Put, typename IsWorthIt>
  void find(Put put, IsWorthIt is_worth_it) {
    const std::uint32_t count = module_.instruction_count();
    if (count == 0) return;  // there may be no words to point at
    const Word* instruction = module_.words().data() + header_word_count;
    for (std::uint32_t i = 0; i < count; ++i) {
      i = find_at_a_glance(i, instruction, put, is_worth_it);
      if (i == count) break;
      look_closer(InstructionIndex(i), module_.instruction(InstructionIndex(i)), put);
      instruction += instruction[0] >> 16;
    }
  }

  // Goes through instructions as long as a glance is enough; gives the first one that is left.
  template <typename Put, typename IsWorthIt>
  std::uint32_t find_at_a_glance(std::uint32_t i, const Word*& first, Put& put, IsWorthIt& is_worth_it) {
    const std::uint32_t count = module_.instruction_count();
    const IdPatternTable::Known patterns = patterns_.known();
    IdCode* const codes = codes_.get();
    const Word* instruction = first;
    for (; i < count; ++i) {
      const std::uint32_t operand_words = (instruction[0] >> 16) - 1;
      if (!is_worth_it(instruction)) {
        instruction += operand_words + 1;
        continue;
      }
      const IdPattern& pattern = patterns[static_cast<std::uint16_t>(instruction[0])];
      int ids = pattern.ids_of(operand_words);
      IdCode code = id_code::of(ids);
      if (ids < 0) {
        if (!pattern.is_as_before(instruction)) break;
        ids = code = pattern.shape_code;
      }
      if (codes != nullptr) codes[i] = code;
      if (code == id_code::but_selector) [[unlikely]] {
        take_but_selector(i, instruction, pattern, put);
      } else {
        take_leading(i, instruction, pattern, static_cast<std::uint32_t>(ids), put);
      }
      instruction += operand_words + 1;
    }
    first = instruction;
    return i;
  }

  // Once more through what find() has found.
  template <typename Put>
  void replay(Put put) {
    const std::uint32_t count = module_.instruction_count();
    if (count == 0) return;  // as above
    const IdPatternTable::Known patterns = patterns_.known();
    const Word* instruction = module_.words().data() + header_word_count;
    const std::uint16_t* listed = listed_.data();
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t operand_words = (instruction[0] >> 16) - 1;
      const IdPattern& pattern = patterns[static_cast<std::uint16_t>(instruction[0])];
      const IdCode code = codes_[i];
      if (code != id_code::by_list) [[likely]] {
        take_coded(i, instruction, pattern, operand_words, code, put);
      } else {
        const std::size_t length = *listed++;
        take_words(i, instruction, pattern, {listed, length}, put);
        listed += length;
      }
      instruction += operand_words + 1;
    }
  }

  // Takes what a code says that is not by_list.
  template <typename Put>
  static void take_coded(std::uint32_t i, const Word* instruction, const IdPattern& pattern,
                         std::uint32_t operand_words, IdCode code, Put& put) {
    if (code <= id_code::most_leading) [[likely]]
      return take_leading(i, instruction, pattern, code, put);
    if (code == id_code::all_words) return take_leading(i, instruction, pattern, operand_words, put);
    take_but_selector(i, instruction, pattern, put);
  }

  template <typename Put>
  static void take_but_selector(std::uint32_t i, const Word* instruction, const IdPattern& pattern, Put& put) {
    if (pattern.has_type) put(instruction[1], place_of(i, 1, UseKind::ResultType));
    const std::uint32_t word_count = instruction[0] >> 16;
    for (std::uint32_t word = pattern.first_operand; word < word_count; ++word) {
      if (word != pattern.selector) put(instruction[word], place_of(i, word, pattern.kind));
    }
  }

  // Takes the type, if there is one, and the operands up to word `ids`.
  template <typename Put>
  [[gnu::always_inline]] static void take_leading(std::uint32_t i, const Word* instruction, const IdPattern& pattern,
                                                  std::uint32_t ids, Put& put) {
    if (pattern.has_type) put(instruction[1], place_of(i, 1, UseKind::ResultType));
    const Word* const operand = instruction + pattern.first_operand;
    const Place from = i | pattern.first_use * next_word;
    const std::uint32_t count = ids + 1 - pattern.first_operand;
    for (std::uint32_t k = 0; k < count; ++k) put(operand[k], from + k * next_word);
  }

  template <typename Put>
  static void take_words(std::uint32_t i, const Word* instruction, const IdPattern& pattern,
                         std::span<const std::uint16_t> words, Put& put) {
    for (const std::uint16_t word : words) {
      const UseKind kind = word == 1 && pattern.has_type ? UseKind::ResultType : pattern.kind;
      put(instruction[word], place_of(i, word, kind));
    }
  }

  // Takes the words that are in found_, and remembers them.
  template <typename Put>
  void take_found(InstructionIndex i, InstructionView instruction, const IdPattern& pattern, Put& put) {
    if (codes_ != nullptr) {
      codes_[i.raw] = id_code::by_list;
      listed_.push_back(static_cast<std::uint16_t>(found_.size()));
      listed_.insert(listed_.end(), found_.begin(), found_.end());
    }
    take_words(i.raw, instruction.first, pattern, found_, put);
  }

  // --- what takes more than a glance ---

  // Instructions that take more than a glance: whose pattern is new, that end in a string, or whose shape was not the
  // last one.
  template <typename Put>
  void look_closer(InstructionIndex i, InstructionView instruction, Put& put) {
    IdPattern& pattern = patterns_.of(instruction.opcode);
    const std::uint32_t operand_words = instruction.word_count - 1u;
    int ids = pattern.ids_of(operand_words);
    if (ids < 0 && pattern.string_word != 0 && string_fills(instruction, pattern.string_word)) ids = pattern.most;
    const IdCode code = ids >= 0 ? id_code::of(ids) : find_by_shape(i, instruction, pattern);
    if (code == id_code::by_list) return take_found(i, instruction, pattern, put);
    if (codes_ != nullptr) codes_[i.raw] = code;
    take_coded(i.raw, instruction.first, pattern, operand_words, code, put);
  }

  // The words whose bits are set, but for the result.
  void find_bits(std::uint32_t bits, const IdPattern& pattern) {
    if (pattern.result_word != 0) bits &= ~(1u << pattern.result_word);
    found_.clear();
    for (; bits != 0; bits &= bits - 1) found_.push_back(static_cast<std::uint16_t>(std::countr_zero(bits)));
  }

  // Of by_list the ids stand in found_.
  IdCode find_by_shape(InstructionIndex i, InstructionView instruction, IdPattern& pattern) {
    if (pattern.selector >= std::min<std::uint32_t>(instruction.word_count, most_words)) {
      walk(i, instruction, pattern);
      return id_code::by_list;
    }
    const Word* const words = instruction.first;
    shape_.first = words[0];
    shape_.selector = words[pattern.selector];
    shape_.set = words[pattern.set_word];
    Shape& known = shapes_[slot_of(shape_)];
    if (known.first == shape_.first && known.selector == shape_.selector && known.set == shape_.set) {
      if (known.code == id_code::by_list) {
        find_bits(known.ids, pattern);
      } else {
        pattern.shape_first = known.first;
        pattern.shape_selector = known.selector;
        pattern.shape_set = known.set;
        pattern.shape_code = known.code;
      }
      return known.code;
    }
    shape_.ids = pattern.result_word == 0 ? 0 : 1u << pattern.result_word;
    has_shape_ = true;
    walk(i, instruction, pattern);
    if (!has_shape_) return id_code::by_list;  // what the walk found wrong is found each time
    shape_.code = code_of(shape_.ids, instruction, pattern);
    known = shape_;
    return id_code::by_list;
  }

  static IdCode code_of(std::uint32_t bits, InstructionView instruction, const IdPattern& pattern) {
    const int leading = std::countr_one(bits >> 1);
    if (bits == leading_bits(leading)) return id_code::of(leading);
    if (pattern.selector == 0 || instruction.word_count > most_words) return id_code::by_list;
    const std::uint32_t all = leading_bits(instruction.word_count - 1);
    return bits == (all & ~(1u << pattern.selector)) ? id_code::but_selector : id_code::by_list;
  }

  // Bits 1 to `ids`.
  static std::uint32_t leading_bits(int ids) { return static_cast<std::uint32_t>((std::uint64_t{2} << ids) - 2); }

  static std::size_t slot_of(const Shape& shape) {
    const std::uint32_t mixed = shape.first * 0x9E3779B1u + shape.selector * 0x85EBCA77u + shape.set * 0xC2B2AE3Du;
    return mixed >> 25;
  }
  static_assert(shape_count == std::size_t{1} << (32 - 25));

  void walk(InstructionIndex i, InstructionView instruction, const IdPattern& pattern) {
    found_.clear();
    context_ = {};
    context_.row = g_.find_opcode(instruction.opcode);
    if (context_.row == nullptr) {
      uses_.undecoded_.push_back({i, DecodeFault::UnknownOpcode});
      return;
    }
    pattern_ = &pattern;
    if (instruction.opcode == static_cast<std::uint16_t>(Op::OpSwitch)) remember_selector(i, instruction);
    OperandWalk<UseReader> walk(g_, seen_, instruction, context_, *this);
    DecodeFault fault = walk.run();
    if ((context_.row->flags & HasResult) != 0) {
      // The first definition of an id counts, and not every one is shown to the walk.
      const Word result = module_.result_of(instruction);
      const bool is_again = result != 0 && module_.definition(result) != i;
      if (is_again && seen_.get(result) == 0) seen_.set(result, seen::defined_only);
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

  // --- placing ---

  void hold(std::size_t count) {
    uses_.uses_.reset(static_cast<Use*>(::operator new(count * sizeof(Use))));
    uses_.count_ = count;
  }

  // Sorts the uses of ids that have no row by index, from `first` on, by id.
  void place_far(std::uint32_t first) {
    std::vector<std::pair<Word, Place>> far;
    far.reserve(uses_.count_ - first);
    for (std::size_t i = first; i < uses_.count_; ++i) {
      const Use& use = uses_.uses_[i];
      far.emplace_back(module_.instruction(use.instruction).word(use.word), std::bit_cast<Place>(use));
    }
    place_sorted(far, first);
  }

  // Places uses of wanted ids. Each id has a row, in which `end` moves along while its uses are placed.
  void place_by_number(std::span<const std::pair<Word, Place>> kept, const IdSet& wanted) {
    std::vector<Uses::SparseRow>& rows = uses_.sparse_;
    rows.resize(wanted.size());
    std::vector<std::pair<Word, Place>> far;
    for (const auto& [id, place] : kept) {
      if (!wanted.is_far(id)) ++rows[wanted.number_of(id)].end;
      else far.emplace_back(id, place);
    }
    std::uint32_t sum = 0;
    for (Uses::SparseRow& row : rows) {
      const std::uint32_t count = row.end;
      row.first = row.end = sum;
      sum += count;
    }
    for (const auto& [id, place] : kept) {
      if (wanted.is_far(id)) continue;
      Uses::SparseRow& row = rows[wanted.number_of(id)];
      row.id = id;
      write_use(&uses_.uses_[row.end++], place);
    }
    std::erase_if(rows, [](const Uses::SparseRow& row) { return row.first == row.end; });
    place_sorted(far, sum);
  }

  // Places uses that were found, from `at` on: their ids are few, and are searched for when somebody asks.
  void place_sorted(std::vector<std::pair<Word, Place>>& found, std::uint32_t at) {
    sort_stably(found, [](const auto& one) { return one.first; });
    for (const auto& [id, place] : found) {
      if (uses_.sparse_.empty() || uses_.sparse_.back().id != id) uses_.sparse_.push_back({id, at, at});
      write_use(&uses_.uses_[at++], place);
      uses_.sparse_.back().end = at;
    }
  }

  const Module& module_;
  const Grammar& g_;
  IdPatternTable patterns_;
  SeenIds seen_;
  OperandContext context_;
  Uses uses_;
  std::unique_ptr<IdCode[]> codes_;          // by instruction; none where nobody will ask again
  std::vector<std::uint16_t> listed_;        // of each that is listed: how many words, and which
  std::vector<std::uint16_t> found_;         // of the instruction that was walked
  std::array<Shape, shape_count> shapes_{};  // by a hash; the last one of a place counts
  Word dense_bound_;                         // ids below have a row by index
  const IdPattern* pattern_ = nullptr;       // of the opcode that is walked
  Shape shape_;                              // of what is walked, as far as it is known
  bool has_shape_ = false;
};

Uses Uses::read(const Module& module) { return UseReader(module).read(); }
Uses Uses::read_some(const Module& module) { return UseReader(module).read_some(); }

std::span<const Use> Uses::find_sparse(Word id) const {
  const auto row = std::lower_bound(sparse_.begin(), sparse_.end(), id,
                                    [](const SparseRow& a, Word wanted) { return a.id < wanted; });
  if (row == sparse_.end() || row->id != id) return {};
  return {uses_.get() + row->first, row->end - row->first};
}

}  // namespace vireo::spirv

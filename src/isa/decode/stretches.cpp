// SPDX-License-Identifier: Apache-2.0
//
// Stretches: which parts of a display can be remembered.
//
// The one idea: flags, registers, swizzles are the same few words in every program. Where the text of some segments in a
// row follows from a handful of bits, a printer need not walk the segments again when it meets the same bits: it looks the
// text up by (stretch, bits). Which bits those are is known here, since every name and condition has come down to bits:
// a segment reads the bits of its definitions and of the conditions that choose among them, a nested bitset reads its own
// bits and what params passed in as bits. Where anything else matters (a column, a place in the program, an argument that
// is looked up in another scope, what the scope has computed before), there is no stretch.
#include <algorithm>
#include <bit>

#include "isa/decode/tables.h"
#include "vireo/isa/load.h"

namespace vireo::isa {
namespace {

// More bits mean fewer repetitions. Alone, a segment may read what an operand has; together, segments read less.
constexpr int max_bits_alone = 40;
constexpr int max_bits_together = 14;

/// What some part of the tables reads.
// A set of bits that can only grow; "unknown" is the top of it, and stays.
struct Reach {
  RingMask mask;
  bool is_known = true;
  bool has_targets = false;

  void add(const Reach& other) {
    mask.low |= other.mask.low;
    mask.high |= other.mask.high;
    is_known &= other.is_known;
    has_targets |= other.has_targets;
  }
  [[nodiscard]] int bit_count() const { return std::popcount(mask.low) + std::popcount(mask.high); }
};

class StretchFinder {
 public:
  explicit StretchFinder(DecodeTables& tables)
      : tables_(tables),
        // Turning a word by any distance must bring each bit back to where it was, so the ring is as long as the words
        // that the walk turns.
        ring_(tables.max_bits <= bits_per_word ? bits_per_word : RingMask::capacity),
        groups_(tables.groups.size()),
        states_(tables.groups.size(), State::New) {}

  void run() {
    std::vector<CompiledSegment> cut;
    std::vector<Run> runs(tables_.displays.size());
    for (const Plan& plan : tables_.plans) {
      for (std::uint32_t i = plan.displays.first; i < plan.displays.first + plan.displays.count; ++i) {
        runs[i].first = static_cast<std::uint32_t>(cut.size());
        cut_display(plan, tables_.displays[i], cut);
        runs[i].count = static_cast<std::uint32_t>(cut.size()) - runs[i].first;
      }
    }
    // What is read and never printed is remembered by nobody.
    for (AliasDisplay& alias : tables_.alias_displays) {
      const auto first = static_cast<std::uint32_t>(cut.size());
      const auto begin = tables_.segments.begin() + alias.segments.first;
      cut.insert(cut.end(), begin, begin + alias.segments.count);
      alias.segments.first = first;
    }
    tables_.segments = std::move(cut);
    for (std::size_t i = 0; i < runs.size(); ++i) tables_.displays[i].segments = runs[i];
  }

 private:
  enum class State : std::uint8_t { New, Open, Done };

  // --- what is read ------------------------------------------------------------------------------------------------------

  void add_bits(Reach& reach, std::uint32_t low, std::uint32_t width) const {
    for (std::uint32_t i = 0; i < std::min(width, ring_); ++i) {
      const std::uint32_t at = (low + i) % ring_;
      (at < bits_per_word ? reach.mask.low : reach.mask.high) |= BitWord{1} << at % bits_per_word;
    }
  }

  // What a nested bitset reads, seen from the scope around it: the same bits, moved by where it lies.
  void add_nested(Reach& reach, const Reach& nested, std::uint32_t low) const {
    for (std::uint32_t i = 0; i < ring_; ++i) {
      const BitWord word = i < bits_per_word ? nested.mask.low : nested.mask.high;
      if ((word >> i % bits_per_word & 1) != 0) add_bits(reach, low + i, 1);
    }
    reach.is_known &= nested.is_known;
    reach.has_targets |= nested.has_targets;
  }

  // What a plan reads, gathered with a list of expressions still to look at, as derived fields may form long chains.
  struct Gathering {
    Gathering(const Plan& of, bool strict) : plan(of), is_strict(strict), seen(of.expressions.count) {}
    const Plan& plan;
    bool is_strict;  // within a scope that others go on in: what it has computed, and reported, stays for them
    Reach reach;
    std::vector<bool> seen;
    std::vector<std::uint32_t> open;
  };

  static void add_expression(Gathering& all, std::uint32_t local) {
    if (local == nowhere || all.seen[local]) return;
    all.seen[local] = true;
    all.open.push_back(local);
  }

  void add_resolver(Gathering& all, std::uint32_t index, bool is_shown) {
    const NameResolver& resolver = tables_.resolvers[index];
    // What is looked up in the scope around could be anything there.
    all.reach.is_known &= resolver.argument == nowhere;
    for (std::uint32_t i = 0; i < resolver.choices.count; ++i) {
      const Choice& choice = tables_.choices[resolver.choices.first + i];
      add_expression(all, choice.condition);
      if (choice.definition != nowhere) add_definition(all, tables_.definitions[choice.definition], is_shown);
    }
  }

  void add_definition(Gathering& all, const Definition& definition, bool is_shown) {
    if (definition.expression != nowhere) add_expression(all, definition.expression);
    else add_bits(all.reach, definition.low, definition.width);
    if (!is_shown) return;
    if (definition.type == FieldType::Bitset) add_nested(all.reach, reach_of_group(definition.group), definition.low);
    if (definition.type == FieldType::Branch || definition.type == FieldType::Absbranch) all.reach.has_targets = true;
  }

  void add_segment(Gathering& all, const CompiledSegment& segment) {
    switch (segment.kind) {
      case CompiledSegment::Kind::Literal:
      case CompiledSegment::Kind::Name:
      case CompiledSegment::Kind::Stretch: break;
      // How much is padded depends on the column that the text before it has come to.
      case CompiledSegment::Kind::Align: all.reach.is_known = false; break;
      case CompiledSegment::Kind::Direct: add_definition(all, tables_.definitions[segment.index], true); break;
      case CompiledSegment::Kind::Resolved:
        all.reach.is_known &= !segment.has_align;
        add_resolver(all, segment.index, true);
        break;
    }
  }

  // Goes through the expressions. Operands that are bits make a pure function of them. Those looked up by name may have
  // something to report, once for a scope.
  void finish(Gathering& all) {
    while (!all.open.empty()) {
      const CompiledExpression& expression = tables_.expressions[all.plan.expressions.first + all.open.back()];
      all.open.pop_back();
      for (std::uint32_t i = 0; i < expression.operands.count; ++i) {
        const Operand& operand = tables_.operands[expression.operands.first + i];
        if (operand.resolver == nowhere) add_bits(all.reach, operand.low, operand.width);
        else if (all.is_strict) all.reach.is_known = false;
        else add_resolver(all, operand.resolver, false);
      }
    }
  }

  Reach reach_of(const Plan& plan, const CompiledSegment& segment) {
    Gathering all(plan, true);
    all.reach.is_known = !plan.is_careful;
    add_segment(all, segment);
    finish(all);
    return all.reach;
  }

  // All that any leaf of a group may show. A group that contains itself is unknown; so is one nested too deeply to care.
  Reach reach_of_group(std::uint32_t index) {
    if (states_[index] == State::Done) return groups_[index];
    Reach reach;
    // Not kept as the answer: further out it may be known.
    if (states_[index] == State::Open || depth_ >= max_nesting_depth) {
      reach.is_known = false;
      reach.has_targets = true;
      return reach;
    }
    states_[index] = State::Open;
    ++depth_;
    const Group& group = tables_.groups[index];
    // Which leaf matches depends on all bits of the field.
    add_bits(reach, 0, group.size);
    const auto leaves = static_cast<std::uint32_t>(tables_.trees[group.tree].leaves().size());
    for (std::uint32_t i = group.first_plan; i < group.first_plan + leaves; ++i) {
      Gathering all(tables_.plans[i], false);
      for (std::uint32_t k = 0; k < all.plan.displays.count; ++k) {
        const DisplayStep& step = tables_.displays[all.plan.displays.first + k];
        add_expression(all, step.condition);
        for (const CompiledSegment& segment : segments_of(step)) add_segment(all, segment);
      }
      finish(all);
      reach.add(all.reach);
    }
    --depth_;
    states_[index] = State::Done;
    groups_[index] = reach;
    return reach;
  }

  [[nodiscard]] std::span<const CompiledSegment> segments_of(const DisplayStep& step) const {
    return {tables_.segments.data() + step.segments.first, step.segments.count};
  }

  // --- where a display is cut --------------------------------------------------------------------------------------------

  // What shows a place in the program, or is the caller's, changes from line to line. Within nested bitsets it may turn up
  // or not; who remembers finds out.
  [[nodiscard]] bool is_volatile(const CompiledSegment& segment) const {
    if (segment.kind != CompiledSegment::Kind::Direct) return false;
    const FieldType type = tables_.definitions[segment.index].type;
    return type == FieldType::Branch || type == FieldType::Absbranch || type == FieldType::Custom;
  }

  // Goes along the segments and lets a stretch grow while it reads little.
  void cut_display(const Plan& plan, const DisplayStep& step, std::vector<CompiledSegment>& cut) {
    const std::span<const CompiledSegment> segments = segments_of(step);
    std::size_t at = 0;
    while (at < segments.size()) {
      Reach whole;
      std::size_t end = at;
      bool reads = false;
      for (; end < segments.size(); ++end) {
        const Reach next = reach_of(plan, segments[end]);
        if (!next.is_known || is_volatile(segments[end]) || next.bit_count() > max_bits_alone) break;
        Reach both = whole;
        both.add(next);
        // The more bits, the fewer repetitions; a segment that reads nothing new is welcome whatever the number.
        if (both.bit_count() > max_bits_together && whole.bit_count() != 0 && !(both.mask == whole.mask)) break;
        whole = both;
        reads |= segments[end].kind != CompiledSegment::Kind::Literal;
      }
      // Literals alone are copied faster than looked up.
      if (reads) {
        CompiledSegment mark;
        mark.kind = CompiledSegment::Kind::Stretch;
        mark.index = static_cast<std::uint32_t>(tables_.stretches.size());
        tables_.stretches.push_back({static_cast<std::uint32_t>(end - at), whole.has_targets, whole.mask});
        cut.push_back(mark);
      }
      end = std::max(end, at + 1);
      for (; at < end; ++at) cut.push_back(segments[at]);
    }
  }

  DecodeTables& tables_;
  const std::uint32_t ring_;  // bits of the ring
  std::vector<Reach> groups_;
  std::vector<State> states_;
  std::size_t depth_ = 0;
};

}  // namespace

void find_stretches(DecodeTables& tables) {
  // Of longer instructions nothing is remembered: keys would be as long as the texts.
  if (tables.max_bits <= RingMask::capacity) StretchFinder(tables).run();
}

}  // namespace vireo::isa

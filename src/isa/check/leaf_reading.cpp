// SPDX-License-Identifier: Apache-2.0
//
// Names, conditions and values of a leaf. docs/isaspec.md, "What a name means".
//
// What was found for one leaf or word is stamped with its number rather than cleared for the next: there are many of both.
#include "isa/check/leaf_reading.h"

#include <algorithm>

namespace vireo::isa {

void Support::add(const Support& other) {
  // A Support that was never given a width has no bits to add to, nor any to give.
  if (bits.width() == other.bits.width()) bits |= other.bits;
  asks_gen |= other.asks_gen;
  is_open |= other.is_open;
  may_cycle |= other.may_cycle;
}

// Which names come in by params is asked of all fields of a type together: a leaf does not know which one it is in.
LeafReading::LeafReading(const Model& model)
    : model_(model), names_(model.rows().names.size()), known_(model.expressions().size()) {
  for (const Field& field : model.rows().fields) {
    if (field.bitset.is_none()) continue;
    for (const Param& param : model.params(field)) passed_.insert(key_of(field.bitset, param.inner));
  }
}

void LeafReading::open(const Bitset& leaf) {
  leaf_ = &leaf;
  ++leaf_epoch_;
  cases_.clear();
  definitions_.clear();
  supports_.clear();
  nothing_ = {};
  nothing_.bits = Bits(leaf.size);
  nothing_.is_open = true;
  // Definitions in the order of the search, then gathered by name: a stable sort keeps that order within a name.
  for (const BitsetId id : model_.chain(leaf)) {
    for (const Case& row : model_.cases(model_[id])) {
      const auto position = static_cast<std::uint32_t>(cases_.size());
      cases_.push_back({&row, &model_[id]});
      for (const Field& field : model_.fields(row)) definitions_.push_back({position, &field});
    }
  }
  std::stable_sort(definitions_.begin(), definitions_.end(),
                   [](const Definition& a, const Definition& b) { return a.field->name < b.field->name; });
  std::size_t kept = 0;
  for (const Definition& definition : definitions_) {
    Name& name = names_[definition.field->name.index()];
    if (name.epoch != leaf_epoch_) name = {leaf_epoch_, {static_cast<std::uint32_t>(kept), 0}};
    // Two fields of one name in one case: the loader has complained, and the later one counts (isaspec 1.4.4).
    const bool is_again = name.definitions.count != 0 && definitions_[kept - 1].position == definition.position;
    if (is_again) {
      definitions_[kept - 1] = definition;
      continue;
    }
    definitions_[kept++] = definition;
    ++name.definitions.count;
  }
  definitions_.resize(kept);
  // Opening is work, too: ten thousand leaves that inherit ten thousand cases are a small file.
  spend(cases_.size() + definitions_.size() + words_for(leaf.size));
}

// A stamp of another leaf means that this one does not define the name.
std::span<const LeafReading::Definition> LeafReading::definitions(NameId name) const {
  const Name& entry = names_[name.index()];
  if (entry.epoch != leaf_epoch_) return {};
  return std::span(definitions_).subspan(entry.definitions.first, entry.definitions.count);
}

bool LeafReading::may_be_passed(NameId name) const { return passed_.contains(key_of(leaf_->root, name)); }

// --- supports -----------------------------------------------------------------------------------------------------------

// What an expression that is being visited depends on is not known yet, and adds nothing. So where there may be a circle, a
// support may lack bits; it says so.
const Support& LeafReading::support_of(ExpressionId id, int depth) {
  Known& known = known_[id.index()];
  // Computed for this leaf already, or being computed further out, which is a circle of names.
  if (known.leaf_epoch == leaf_epoch_) {
    if (known.is_visiting) supports_[known.support].may_cycle = true;
    return supports_[known.support];
  }
  const Expression& expression = model_[id];
  if (depth >= max_depth || expression.steps.count == 0) return nothing_;
  known.leaf_epoch = leaf_epoch_;
  known.support = static_cast<std::uint32_t>(supports_.size());
  known.is_visiting = true;
  // The place is taken before the names are followed, so that coming back to it finds something.
  supports_.emplace_back().bits = Bits(leaf_->size);
  Support result;
  result.bits = Bits(leaf_->size);
  for (const ExpressionStep& step : model_.steps(expression))
    result.asks_gen |= step.operation == Operation::Generation;
  for (const NameId name : model_.slots(expression)) add_name(result, name, id, depth + 1);
  result.may_cycle |= supports_[known.support].may_cycle;
  known.is_visiting = false;
  supports_[known.support] = std::move(result);
  return supports_[known.support];
}

// Every definition that may count adds its bits and those of its condition, up to one that counts always.
void LeafReading::add_name(Support& to, NameId name, ExpressionId innermost, int depth) {
  for (const Definition& definition : definitions(name)) {
    const Case& row = *cases_[definition.position].row;
    const bool is_certain = row.is_default() || row.condition == innermost;
    if (!is_certain) {
      const Support condition = support_of(row.condition, depth);  // a copy: the table may grow
      to.add(condition);
    }
    const Field& field = *definition.field;
    if (field.is_derived()) {
      const Support value = support_of(field.expression, depth);
      to.add(value);
    } else if (field.high() < leaf_->size) {
      to.bits.set_range(field.low, std::min(field.high(), field.low + bits_per_word - 1));
    } else {
      to.is_open = true;
    }
    if (is_certain) return;
  }
  to.is_open |= may_be_passed(name);
}

// --- values -------------------------------------------------------------------------------------------------------------

void LeafReading::take(const Bits& word, std::uint32_t gen) {
  word_ = &word;
  gen_ = gen;
  // All values of the last word become stale at once.
  ++word_epoch_;
  circle_.clear();
}

// The order is that of the decoder: conditions of all cases on the way, then the names of the display that was found.
void LeafReading::show() {
  for (const SeenCase& seen : cases_) {
    const Case& row = *seen.row;
    if (!row.is_default()) {
      const std::optional<std::int64_t> condition = value(row.condition);
      // A condition that depends on what is handed in: which display is shown, and so what is asked for, cannot be
      // said.
      if (!condition) return;
      if (*condition == 0) continue;
    }
    if (!row.has_display) continue;
    for (const Segment& segment : model_.segments(row)) {
      if (segment.kind == Segment::Kind::Field) (void)value_of(segment.name, ExpressionId::none(), 0);
    }
    return;
  }
}

// Each expression is evaluated once for a word. All its names are looked up before anything is computed, and one unknown
// value makes the whole unknown, even where the operator would not need it: to be sure is worth more than to know.
std::optional<std::int64_t> LeafReading::value_of(ExpressionId id, int depth) {
  Known& known = known_[id.index()];
  if (known.word_epoch == word_epoch_) {
    if (!known.is_busy) return known.value;
    const auto from = std::find(open_.begin(), open_.end(), id);
    if (circle_.empty()) circle_.assign(from, open_.end());
    return 0;  // as the decoder has it
  }
  const Expression& expression = model_[id];
  if (depth >= max_depth || expression.steps.count == 0) return std::nullopt;
  ++work_;
  known.word_epoch = word_epoch_;
  known.is_busy = true;
  open_.push_back(id);
  // On the stack: depth and slots are bounded, and this is done for each of up to 4096 words.
  std::int64_t slots[max_expression_slots];
  bool is_known = true;
  std::size_t slot = 0;
  for (const NameId name : model_.slots(expression)) {
    const std::optional<std::int64_t> value = value_of(name, id, depth + 1);
    is_known &= value.has_value();
    slots[slot++] = value.value_or(0);
  }
  open_.pop_back();
  known.is_busy = false;
  known.value.reset();
  if (is_known) known.value = evaluate(model_.steps(expression), slots, gen_);
  return known.value;
}

// The first definition whose condition holds; the condition at hand sees its own override as if it held.
std::optional<std::int64_t> LeafReading::value_of(NameId name, ExpressionId innermost, int depth) {
  for (const Definition& definition : definitions(name)) {
    const Case& row = *cases_[definition.position].row;
    if (!row.is_default() && row.condition != innermost) {
      const std::optional<std::int64_t> condition = value_of(row.condition, depth);
      if (!condition) return std::nullopt;
      if (*condition == 0) continue;
    }
    const Field& field = *definition.field;
    if (field.is_derived()) return value_of(field.expression, depth);
    if (field.high() >= leaf_->size) return std::nullopt;
    return static_cast<std::int64_t>(word_->slice(field.low, std::min(field.high(), field.low + bits_per_word - 1)));
  }
  if (may_be_passed(name)) return std::nullopt;
  return 0;  // a name that means nothing counts as 0
}

}  // namespace vireo::isa

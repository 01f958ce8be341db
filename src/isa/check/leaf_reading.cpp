// SPDX-License-Identifier: Apache-2.0
//
// Looks up names, and evaluates the conditions and values of a leaf. docs/isaspec.md, "What a name means".
//
// Results carry the epoch of their leaf or word, so that moving to the next leaf or word invalidates all of them at
// once.
#include "isa/check/leaf_reading.h"

#include <algorithm>

namespace vireo::isa {

void Support::add(const Support& other) {
  // A default-constructed Support has no width and no bits.
  if (bits.width() == other.bits.width()) bits |= other.bits;
  reads_gen |= other.reads_gen;
  may_be_unknown |= other.may_be_unknown;
  may_cycle |= other.may_cycle;
}

// Collects the params of all fields by type, because any field of its type may contain a leaf.
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
  unknown_ = {};
  unknown_.bits = Bits(leaf.size);
  unknown_.may_be_unknown = true;
  // Definitions are collected in search order and then grouped by name; the stable sort keeps that order in each group.
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
    // One case may define a name twice. The loader reported this, and the later field counts (isaspec 1.4.4).
    const bool is_redefined = name.definitions.count != 0 && definitions_[kept - 1].position == definition.position;
    if (is_redefined) {
      definitions_[kept - 1] = definition;
      continue;
    }
    definitions_[kept++] = definition;
    ++name.definitions.count;
  }
  definitions_.resize(kept);
  // Charge the budget: a small file can describe ten thousand leaves that inherit ten thousand cases.
  spend(cases_.size() + definitions_.size() + words_for(leaf.size));
}

// If the epoch is from another leaf, this leaf does not define the name.
std::span<const LeafReading::Definition> LeafReading::definitions(NameId name) const {
  const Name& entry = names_[name.index()];
  if (entry.epoch != leaf_epoch_) return {};
  return std::span(definitions_).subspan(entry.definitions.first, entry.definitions.count);
}

bool LeafReading::may_be_passed(NameId name) const { return passed_.contains(key_of(leaf_->root, name)); }

// --- supports -----------------------------------------------------------------------------------------------------------

// While the function visits an expression, the expression's support is incomplete and adds nothing. So a support in a
// cycle may lack bits; `may_cycle` marks it.
const Support& LeafReading::support_of(ExpressionId id, int depth) {
  Known& known = known_[id.index()];
  // The support was computed before, or a caller is computing it; the latter is a cycle of names.
  if (known.leaf_epoch == leaf_epoch_) {
    if (known.is_visiting) supports_[known.support].may_cycle = true;
    return supports_[known.support];
  }
  const Expression& expression = model_[id];
  if (depth >= max_depth || expression.steps.count == 0) return unknown_;
  known.leaf_epoch = leaf_epoch_;
  known.support = static_cast<std::uint32_t>(supports_.size());
  known.is_visiting = true;
  // Add the entry before following the names, so that a cycle finds it.
  supports_.emplace_back().bits = Bits(leaf_->size);
  Support result;
  result.bits = Bits(leaf_->size);
  for (const ExpressionStep& step : model_.steps(expression))
    result.reads_gen |= step.operation == Operation::Generation;
  for (const NameId name : model_.slots(expression)) add_name(result, name, id, depth + 1);
  result.may_cycle |= supports_[known.support].may_cycle;
  known.is_visiting = false;
  supports_[known.support] = std::move(result);
  return supports_[known.support];
}

// Adds the bits of each definition that may apply and of its condition, up to the first definition that always applies.
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
      to.may_be_unknown = true;
    }
    if (is_certain) return;
  }
  to.may_be_unknown |= may_be_passed(name);
}

// --- values -------------------------------------------------------------------------------------------------------------

void LeafReading::take(const Bits& word, std::uint32_t gen) {
  word_ = &word;
  gen_ = gen;
  // This invalidates the values of the previous word.
  ++word_epoch_;
  cycle_.clear();
}

// Evaluates in the decoder's order: the conditions of the cases in search order, then the names in the display.
void LeafReading::evaluate_display() {
  for (const SeenCase& seen : cases_) {
    const Case& row = *seen.row;
    if (!row.is_default()) {
      const std::optional<std::int64_t> condition = value(row.condition);
      // If the condition depends on a param, the display that applies is unknown.
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

// Evaluates each expression once per word, and all its names first. One unknown value makes the result unknown, even if
// the operator does not need it, so that no check draws a wrong conclusion.
std::optional<std::int64_t> LeafReading::value_of(ExpressionId id, int depth) {
  Known& known = known_[id.index()];
  if (known.word_epoch == word_epoch_) {
    if (!known.is_busy) return known.value;
    const auto from = std::find(active_.begin(), active_.end(), id);
    if (cycle_.empty()) cycle_.assign(from, active_.end());
    return 0;  // the decoder returns 0 for a cycle as well
  }
  const Expression& expression = model_[id];
  if (depth >= max_depth || expression.steps.count == 0) return std::nullopt;
  ++work_;
  known.word_epoch = word_epoch_;
  known.is_busy = true;
  active_.push_back(id);
  // Uses the stack: the number of slots and the depth are bounded, and this runs for each of up to 4096 words.
  std::int64_t slots[max_expression_slots];
  bool is_known = true;
  std::size_t slot = 0;
  for (const NameId name : model_.slots(expression)) {
    const std::optional<std::int64_t> value = value_of(name, id, depth + 1);
    is_known &= value.has_value();
    slots[slot++] = value.value_or(0);
  }
  active_.pop_back();
  known.is_busy = false;
  known.value.reset();
  if (is_known) known.value = evaluate(model_.steps(expression), slots, gen_);
  return known.value;
}

// Finds the first definition whose condition holds. Within a condition, its own override counts as holding.
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
  return 0;  // an undefined name has the value 0
}

}  // namespace vireo::isa

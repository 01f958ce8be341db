// SPDX-License-Identifier: Apache-2.0
//
// Checks for overrides without effect, overrides that always hold, and expressions that depend on themselves.
//
// Try each override in every leaf below its bitset, with all words that its condition distinguishes. An
// override has no finding if its condition is true for some word and false for another. It must also define, for some
// word, a name or display that no earlier case defines.
#include <algorithm>

#include "isa/check/case_checks.h"

namespace vireo::isa {
// An expression that does not read the generation has the same value in all generations, so the first one is enough.
std::vector<std::uint32_t> gens_to_try(const Subject& subject, GenRange gens, const Support& support) {
  std::vector<std::uint32_t> result{gens.min};
  if (!support.reads_gen) return result;
  const std::vector<std::uint32_t>& all = subject.distinct_gens();
  const auto first = std::upper_bound(all.begin(), all.end(), gens.min);
  result.insert(result.end(), first, std::upper_bound(first, all.end(), gens.max));
  return result;
}

// --- overrides ----------------------------------------------------------------------------------------------------------

// Cases are in search order, so the cases before `position` take precedence over it. An override applies to all leaves
// below its bitset; once its finding is decided, later leaves skip it.
void OverrideCheck::check_leaf() {
  const std::span<const LeafReading::SeenCase> cases = reading_.cases();
  Support support;  // union over the cases so far: the effect of an override depends on the cases before it
  support.bits = Bits(reading_.leaf().size);
  for (std::uint32_t position = 0; position < cases.size() && !reading_.is_exhausted(); ++position) {
    const Case& row = *cases[position].row;
    if (row.is_default()) continue;
    reading_.add_support(row, support);
    Finding& finding = findings_[model_.id_of(row).index()];
    finding.is_seen = true;
    if (!finding.is_decided()) try_words(position, support, finding);
  }
}

// Words differ only in the bits that this condition or an earlier one depends on. If a condition depends on a param,
// its value is unknown. The override is then not reported: a field may pass a value for which it holds.
void OverrideCheck::try_words(std::uint32_t position, const Support& support, Finding& finding) {
  const Case& row = *reading_.cases()[position].row;
  const Bitset& leaf = reading_.leaf();
  for (const std::uint32_t gen : gens_to_try(subject_, leaf.gens, support)) {
    const bool all_tried = none_of_words(leaf.care, leaf.match, support.bits, [&](const Bits& word) {
      reading_.take(word, gen);
      const std::optional<std::int64_t> value = reading_.value(row.condition);
      // Each word may answer three questions: can the condition be true, can it be false, does the override have an
      // effect? Two or three words answer all three for most overrides.
      if (!value) finding.is_unknown = true;
      else if (*value == 0) finding.fails = true;
      else {
        finding.holds = true;
        if (!finding.has_effect) finding.has_effect = defines_something(position);
      }
      return finding.is_decided() || reading_.is_exhausted();
    });
    if (finding.is_decided()) return;
    if (!all_tried || support.may_cycle) finding.is_unknown = true;
  }
}

// Returns whether this case, which holds, defines a display or a name that no earlier case defines. A case with asserts
// always counts as effective. Whether the decoder checks them depends on the display, and a false report would be worse
// than none.
bool OverrideCheck::defines_something(std::uint32_t position) {
  const std::span<const LeafReading::SeenCase> cases = reading_.cases();
  const Case& row = *cases[position].row;
  if (row.asserts.count != 0) return true;
  // Each earlier case may have to be evaluated. Charge the budget before the work, so that the work never exceeds it.
  reading_.spend(position + row.fields.count);
  // If an earlier case defines the name or the display for this word, the search never reaches this case.
  const auto before = cases.first(position);
  if (row.has_display && std::all_of(before.begin(), before.end(), [&](const LeafReading::SeenCase& seen) {
        return !seen.row->has_display || !reading_.holds(*seen.row);
      })) {
    return true;
  }
  const std::span<const Field> fields = model_.fields(row);
  return std::any_of(fields.begin(), fields.end(), [&](const Field& field) {
    const std::span<const LeafReading::Definition> definitions = reading_.definitions(field.name);
    return std::all_of(definitions.begin(), definitions.end(), [&](LeafReading::Definition d) {
      return d.position >= position || !reading_.holds(*cases[d.position].row);
    });
  });
}

// Findings are reported at the end, because any leaf may clear an override. An override in no leaf read so far is in a
// bitset with broken patterns.
void OverrideCheck::finish() {
  for (const Bitset& b : model_.bitsets()) {
    for (const Case& row : model_.cases(b)) {
      const Finding& finding = findings_[model_.id_of(row).index()];
      if (finding.is_seen && !finding.is_unknown) report(b, row, finding);
    }
  }
}

void OverrideCheck::report(const Bitset& b, const Case& row, const Finding& finding) {
  if (!finding.holds) {
    subject_.emit(rule::idle_override, row.where, "the condition of this override is true for no word");
    subject_.note(model_[row.condition].where, "the condition");
    return;
  }
  if (!finding.has_effect) {
    const bool is_empty = !row.has_display && row.fields.count == 0;
    subject_.emit(rule::idle_override, row.where,
                  is_empty ? "this override defines nothing"
                           : "this override has no effect: earlier cases already define everything in it");
    return;
  }
  // The condition can be true and false, and the override has an effect: nothing to report.
  if (finding.fails) return;
  // The condition is always true. This is harmless unless the override hides a field or the display that its bitset
  // defines in the default case. The overrides after it are reported as having no effect.
  const Case& common = model_.cases(b).back();
  const std::span<const Field> own = model_.fields(row);
  const std::span<const Field> others = model_.fields(common);
  const auto* hidden = std::find_if(others.data(), others.data() + others.size(), [&](const Field& field) {
    return std::any_of(own.begin(), own.end(), [&](const Field& mine) { return mine.name == field.name; });
  });
  const bool hides_field = hidden != others.data() + others.size();
  // One finding per override. If it hides both, the report names the field; the author notices a missing display
  // easily.
  if (!hides_field && !(row.has_display && common.has_display)) return;
  subject_.emit(rule::hidden_case, row.where,
                "the condition of this override is always true, so " +
                    (hides_field ? "field " + quoted_name(model_.text(hidden->name)) : std::string("the display")) +
                    " of " + subject_.name_of(b) + " is never used");
  subject_.note(hides_field ? hidden->where : b.where, "hidden here");
}

// --- cycles -------------------------------------------------------------------------------------------------------------

// If the names in an expression may refer back to it, the check tries words until its evaluation reaches a cycle. A
// check of the names alone would give false reports. For example, an override that reads its own field never forms a
// cycle, nor do two overrides with exclusive conditions. Each cycle is reported once, at the expression that the
// evaluation reached twice.
void OverrideCheck::find_cycles() {
  const Bitset& leaf = reading_.leaf();
  const auto check_expression = [&](ExpressionId id) {
    const Support support = reading_.support(id);
    // Most expressions cannot reach themselves, so no word needs to be tried.
    if (!support.may_cycle) return;
    for (const std::uint32_t gen : gens_to_try(subject_, subject_.gens_of(leaf), support)) {
      const bool none = none_of_words(leaf.care, leaf.match, support.bits, [&](const Bits& word) {
        reading_.take(word, gen);
        (void)reading_.value(id);
        const std::span<const ExpressionId> cycle = reading_.cycle();
        // No cycle for this word: try the next one, or stop without a result if the budget is used up.
        if (cycle.empty()) return reading_.is_exhausted();
        // If an expression of the cycle was reported before, so was the cycle: evaluation may enter it at any
        // expression.
        bool is_new = true;
        for (const ExpressionId each : cycle) is_new &= subject_.is_new(rule::expression_cycle, model_[each].where);
        if (!is_new) return true;
        subject_.emit(rule::expression_cycle, model_[cycle.front()].where,
                      "this expression depends on its own value for " + to_hex(word) + " in " + subject_.name_of(leaf));
        for (const ExpressionId each : cycle.subspan(1)) subject_.note(model_[each].where, "through this expression");
        return true;
      });
      if (!none) return;
    }
  };
  for (const LeafReading::SeenCase& seen : reading_.cases()) {
    if (!seen.row->is_default()) check_expression(seen.row->condition);
    for (const Field& field : model_.fields(*seen.row)) {
      if (field.is_derived()) check_expression(field.expression);
    }
  }
}

// --- all of them --------------------------------------------------------------------------------------------------------

void check_cases(Subject& subject) {
  // Both checks share one reading: each leaf is opened once, and one budget bounds the work of both.
  LeafReading reading(subject.model);
  NameCheck names(subject, reading);
  OverrideCheck overrides(subject, reading);
  for (const Bitset& leaf : subject.model.bitsets()) {
    if (!subject.is_trusted(leaf)) continue;
    reading.open(leaf);
    overrides.check_leaf();  // checks all generations: an override without effect in one may have an effect in another
    if (subject.is_checked(leaf)) {
      overrides.find_cycles();
      names.check_leaf();
    }
    if (reading.is_exhausted()) {
      subject.warn(rule::limit_exceeded, leaf.where, "the cases of this leaf and all later ones are not checked");
      break;
    }
  }
  // Findings that combine several leaves come at the end, one per place.
  names.finish();
  if (!reading.is_exhausted()) overrides.finish();  // a leaf that was not checked might clear an override
}

}  // namespace vireo::isa

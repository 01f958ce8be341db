// SPDX-License-Identifier: Apache-2.0
//
// Overrides that never say anything or always do, and expressions that need themselves.
//
// The one idea: an override is asked for in every leaf below its bitset, with all words that its condition can tell apart.
// One leaf in which it holds, in which it fails, and in which it says what no earlier case says is enough to acquit it.
#include <algorithm>

#include "isa/check/case_checks.h"

namespace vireo::isa {
// Expressions that do not ask for the generation have the same value in all, so the first will do.
std::vector<std::uint32_t> gens_to_try(const Subject& subject, GenRange gens, const Support& support) {
  std::vector<std::uint32_t> result{gens.min};
  if (!support.asks_gen) return result;
  const std::vector<std::uint32_t>& all = subject.distinct_gens();
  const auto first = std::upper_bound(all.begin(), all.end(), gens.min);
  result.insert(result.end(), first, std::upper_bound(first, all.end(), gens.max));
  return result;
}

// --- overrides ----------------------------------------------------------------------------------------------------------

// Positions are those of the search, so `position` also says what comes before: all that could have spoken first.
// An override belongs to all leaves below its bitset. What is settled by one leaf is not asked of the next, so that of
// hundreds of leaves mostly the first is looked at.
void OverrideCheck::look_at_leaf() {
  const std::span<const LeafReading::SeenCase> cases = reading_.cases();
  Support support;  // of the cases so far: what the override says depends on those before it
  support.bits = Bits(reading_.leaf().size);
  for (std::uint32_t position = 0; position < cases.size() && !reading_.is_exhausted(); ++position) {
    const Case& row = *cases[position].row;
    if (row.is_default()) continue;
    reading_.add_support(row, support);
    Finding& finding = findings_[model_.id_of(row).index()];
    finding.is_met = true;
    if (!finding.is_settled()) try_words(position, support, finding);
  }
}

// Words differ in the bits that the condition or an earlier one depends on; all others cannot matter. A value that is not
// known, because params come in, ends the matter: somebody may hand in what makes the condition hold.
void OverrideCheck::try_words(std::uint32_t position, const Support& support, Finding& finding) {
  const Case& row = *reading_.cases()[position].row;
  const Bitset& leaf = reading_.leaf();
  for (const std::uint32_t gen : gens_to_try(subject_, leaf.gens, support)) {
    const bool all_tried = none_of_words(leaf.care, leaf.match, support.bits, [&](const Bits& word) {
      reading_.take(word, gen);
      const std::optional<std::int64_t> value = reading_.value(row.condition);
      // Each word settles one of three questions: does it hold, does it fail, does it say something. Most overrides
      // have all three answers after two or three words.
      if (!value) finding.is_unknown = true;
      else if (*value == 0) finding.fails = true;
      else {
        finding.holds = true;
        if (!finding.says) finding.says = says_something(position);
      }
      return finding.is_settled() || reading_.is_exhausted();
    });
    if (finding.is_settled()) return;
    if (!all_tried || support.may_cycle) finding.is_unknown = true;
  }
}

// Whether the case, which holds, gives a display or a name that no case before it gives. Asserts count always: how far
// they are checked depends on the display, and to be wrong here would be to blame the innocent.
bool OverrideCheck::says_something(std::uint32_t position) {
  const std::span<const LeafReading::SeenCase> cases = reading_.cases();
  const Case& row = *cases[position].row;
  if (row.asserts.count != 0) return true;
  // Each case before it may have to be evaluated; the budget is counted before the work, so that none is done beyond
  // it.
  reading_.spend(position + row.fields.count);
  // A name or a display that an earlier case gives for this word is never looked up here.
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

// Only now, as any leaf may acquit. An override that no leaf has met stands in a bitset that could not be trusted.
void OverrideCheck::finish() {
  for (const Bitset& b : model_.bitsets()) {
    for (const Case& row : model_.cases(b)) {
      const Finding& finding = findings_[model_.id_of(row).index()];
      if (finding.is_met && !finding.is_unknown) report(b, row, finding);
    }
  }
}

void OverrideCheck::report(const Bitset& b, const Case& row, const Finding& finding) {
  if (!finding.holds) {
    subject_.say(rule::idle_override, row.where, "the condition of this override holds for no word");
    subject_.note(model_[row.condition].where, "the condition");
    return;
  }
  if (!finding.says) {
    const bool is_empty = !row.has_display && row.fields.count == 0;
    subject_.say(rule::idle_override, row.where,
                 is_empty ? "this override says nothing"
                          : "what this override says is said before it whenever its condition holds");
    return;
  }
  // Sometimes it holds, sometimes not, and what it says is heard: an override as it should be.
  if (finding.fails) return;
  // It holds always. That is harmless, and sometimes a way to put things in order, unless it takes the place of what
  // stands directly in the bitset. Other overrides behind it are found idle by themselves.
  const Case& common = model_.cases(b).back();
  const std::span<const Field> own = model_.fields(row);
  const std::span<const Field> others = model_.fields(common);
  const auto* hidden = std::find_if(others.data(), others.data() + others.size(), [&](const Field& field) {
    return std::any_of(own.begin(), own.end(), [&](const Field& mine) { return mine.name == field.name; });
  });
  const bool hides_field = hidden != others.data() + others.size();
  // One finding for an override: the field is the better one to name, as a display is seen to be missing.
  if (!hides_field && !(row.has_display && common.has_display)) return;
  subject_.say(rule::hidden_case, row.where,
               "this override always holds, so " +
                   (hides_field ? "field " + quoted_name(model_.text(hidden->name)) : std::string("the display")) +
                   " of " + subject_.name_of(b) + " itself is never used");
  subject_.note(hides_field ? hidden->where : b.where, "hidden here");
}

// --- circles ------------------------------------------------------------------------------------------------------------

// Where the names could lead back to an expression, words are tried until one does. Names alone would accuse too many: an
// override that reads its own field, or one that holds only where the other does not, never comes back to itself. Each
// circle is reported once, at the expression that was met again, whatever the leaf and wherever it was entered.
void OverrideCheck::look_for_circles() {
  const Bitset& leaf = reading_.leaf();
  const auto look_at = [&](ExpressionId id) {
    const Support support = reading_.support(id);
    // By far the most expressions: their names lead nowhere near them, and no word has to be tried.
    if (!support.may_cycle) return;
    for (const std::uint32_t gen : gens_to_try(subject_, subject_.gens_of(leaf), support)) {
      const bool none = none_of_words(leaf.care, leaf.match, support.bits, [&](const Bits& word) {
        reading_.take(word, gen);
        (void)reading_.value(id);
        const std::span<const ExpressionId> circle = reading_.circle();
        // Going on, or giving up without a verdict.
        if (circle.empty()) return reading_.is_exhausted();
        // A circle is new if none of its members was blamed before: entered elsewhere it would be the same one with
        // another beginning.
        bool is_new = true;
        for (const ExpressionId each : circle) is_new &= subject_.is_new(rule::expression_cycle, model_[each].where);
        if (!is_new) return true;
        subject_.say(rule::expression_cycle, model_[circle.front()].where,
                     "this expression needs its own value for " + to_hex(word) + " in " + subject_.name_of(leaf));
        for (const ExpressionId each : circle.subspan(1)) subject_.note(model_[each].where, "by way of this one");
        return true;
      });
      if (!none) return;
    }
  };
  for (const LeafReading::SeenCase& seen : reading_.cases()) {
    if (!seen.row->is_default()) look_at(seen.row->condition);
    for (const Field& field : model_.fields(*seen.row)) {
      if (field.is_derived()) look_at(field.expression);
    }
  }
}

// --- all of them --------------------------------------------------------------------------------------------------------

void check_cases(Subject& subject) {
  // One reading for both checks: it opens a leaf once, and its budget is common, so neither can starve the whole.
  LeafReading reading(subject.model);
  NameCheck names(subject, reading);
  OverrideCheck overrides(subject, reading);
  for (const Bitset& leaf : subject.model.bitsets()) {
    if (!subject.is_trusted(leaf)) continue;
    reading.open(leaf);
    overrides.look_at_leaf();  // in all generations: an override that is idle in one may be there for another
    if (subject.is_checked(leaf)) {
      overrides.look_for_circles();
      names.look_at_leaf();
    }
    if (reading.is_exhausted()) {
      subject.warn(rule::limit_exceeded, leaf.where, "the cases of this leaf and of those behind it are not checked");
      break;
    }
  }
  // Reports that gather several leaves come at the end, one for each place.
  names.finish();
  if (!reading.is_exhausted()) overrides.finish();  // who has not met all leaves cannot say that none acquits
}

}  // namespace vireo::isa

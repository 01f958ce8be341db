// SPDX-License-Identifier: Apache-2.0
//
// Encodes values into words, for a prepared form (isa/encode.h).
//
// The values and the defaults nearly always give the right word, and decoding verifies it. Only if this
// fails does the solver search for values of the unset bits.
#include "isa/encode/form.h"

#include <algorithm>

namespace vireo::isa {

EncodeForm::Implementation::Implementation(const Decoder& decoder, ReadSettings settings)
    : model_(decoder.model()),
      tables_(decoder.tables()),
      settings_(std::move(settings)),
      variants_(variants_of(model_, tables_, settings_)),
      is_excluded_(variants_.size()),
      size_(words_for(tables_.max_bits) + 1),
      // Value and mask of two words, in one allocation: encode() allocates nothing.
      memory_(4 * size_),
      word_{memory_.data(), memory_.data() + size_},
      filled_{memory_.data() + 2 * size_, memory_.data() + 3 * size_} {}

bool EncodeForm::Implementation::encode(std::span<const std::uint64_t> values, std::span<BitWord> words) {
  const std::size_t count = words_for(plan().size);
  is_exhausted_ = false;
  if (values.size() < settings_.blanks.size() || words.size() < count) return false;
  // The caller's words are written only after verification, so a failure leaves them unchanged.
  const auto write_result = [&] {
    std::copy_n(filled_.value, count, words.begin());
    return true;
  };
  // With all other bits at their defaults, some variant nearly always fits, usually the first one.
  for (std::size_t i = 0; i < variants_.size(); ++i) {
    Variant& variant = *variants_[i];
    // If the values of a variant contradict each other, the second loop skips it.
    is_excluded_[i] = start(variant, values, nullptr) ? 0 : 1;
    if (is_excluded_[i] != 0) continue;
    fill(variant, word_);
    if (proves(model_, tables_, variant, values, filled_.value, nullptr)) return write_result();
  }
  for (std::size_t i = 0; i < variants_.size(); ++i) {
    if (is_excluded_[i] == 0 && solve(*variants_[i], values, nullptr)) return write_result();
  }
  return false;
}

// Places the values into their bits. Returns false if they contradict each other or the patterns, or do not fit. If
// `differences` is not null, it receives all these faults.
bool EncodeForm::Implementation::start(Variant& variant, std::span<const std::uint64_t> values,
                                       std::vector<Difference>* differences) {
  std::copy_n(variant.base.begin(), 2 * size_, word_.value);
  bool is_sound = true;
  const auto refuse = [&](Difference difference) {
    is_sound = false;
    if (differences != nullptr) differences->push_back(difference);
    return differences != nullptr;
  };
  for (std::uint32_t i = 0; i < variant.parts.size(); ++i) {
    const Part& part = variant.parts[i];
    // A bitset with settings for its fields has no value of its own. The pattern of its leaf is in the base.
    if (part.nested != nowhere) continue;
    BitWord value = part.value.value;
    if (part.value.blank != nowhere) {
      value = values[part.value.blank];
      if (!fits(tables_.definitions[part.definition], value)) {
        if (!refuse({.kind = Difference::Kind::Range, .part = i, .found = value, .owner = {}})) return false;
        continue;
      }
    }
    // A derived field has no bits of its own. Its value is the right side of an equation.
    if (part.constraint != nowhere) {
      variant.constraints[part.constraint].value = value;
      continue;
    }
    bool is_put = true;
    if (part.value.kind == ReadValue::Kind::Wide) {
      for (std::uint32_t at = 0; at < part.width; at += bits_per_word) {
        const std::uint32_t width = std::min(part.width - at, bits_per_word);
        is_put &= word_.put(part.low + at, width, part.value.wide.data()[at / bits_per_word]);
      }
    } else {
      is_put = word_.put(part.low, std::min(part.width, bits_per_word), value);
    }
    if (!is_put && !refuse({.kind = Difference::Kind::Overlap, .part = i, .owner = {}})) return false;
  }
  return is_sound;
}

// --- unset bits ---------------------------------------------------------------------------------------------------------

// Sets every unknown bit to its default. Asserts come last, because the other bits determine which asserts apply.
void EncodeForm::Implementation::fill(Variant& variant, const PartialWord& word) {
  std::copy_n(word.value, size_, filled_.value);
  std::copy_n(word.known, size_, filled_.known);
  // Conditions are evaluated below; without a budget, the evaluator returns 0.
  variant.solver.evaluator().set_budget(Solver::max_evaluations);
  for (const DefaultBits& bits : variant.defaults) {
    if (slice_of(filled_.known, bits.low, bits.width) == 0) filled_.put(bits.low, bits.width, bits.value);
  }
  for (const OpenDefault& open : variant.open_defaults) fill_open(variant, open);
  for (const std::uint32_t scope : variant.asserts) fill_asserts(variant, scope);
}

// The word determines which definition of the name applies. Enough bits are known now to evaluate its conditions.
void EncodeForm::Implementation::fill_open(Variant& variant, const OpenDefault& open) {
  Evaluator& evaluator = variant.solver.evaluator();
  const Run choices = tables_.resolvers[open.resolver].choices;
  for (std::uint32_t i = 0; i < choices.count; ++i) {
    const Choice& choice = tables_.choices[choices.first + i];
    if (choice.definition == nowhere) continue;
    if (choice.condition != nowhere && evaluator.evaluate(open.scope, choice.condition, filled_.value) == 0) continue;
    for (const DefaultBits& bits : variant.open_bits[open.first + i]) {
      if (slice_of(filled_.known, bits.low, bits.width) == 0) filled_.put(bits.low, bits.width, bits.value);
    }
    return;
  }
}

// Sets the bits of exactly those asserts that the decoder will check: those of the cases that hold, up to the display
// (isaspec 2.5). Bits that already have a value keep it; the verification finds conflicts.
void EncodeForm::Implementation::fill_asserts(Variant& variant, std::uint32_t scope) {
  Evaluator& evaluator = variant.solver.evaluator();
  const Plan& plan = *variant.scopes[scope].plan;
  const std::uint32_t base = variant.scopes[scope].low;
  for (std::uint32_t i = plan.displays.first; i < plan.displays.first + plan.displays.count; ++i) {
    const DisplayStep& step = tables_.displays[i];
    if (step.condition != nowhere && evaluator.evaluate(scope, step.condition, filled_.value) == 0) continue;
    for (std::uint32_t k = step.asserts.first; k < step.asserts.first + step.asserts.count; ++k) {
      const AssertCheck& check = tables_.asserts[k];
      for (std::uint32_t bit = 0; bit < check.width; ++bit) {
        filled_.put(base + check.low + bit, 1, check.row->text[check.width - 1 - bit] == '1' ? 1 : 0);
      }
    }
    // The decoder does not check asserts after the display that is shown.
    if (step.has_display) return;
  }
}

// --- search -------------------------------------------------------------------------------------------------------------

// Leaves unset bits open, and takes the first solution that passes verification. If none does, `differences` receives
// the differences of the first solution.
bool EncodeForm::Implementation::solve(Variant& variant, std::span<const std::uint64_t> values,
                                       std::vector<Difference>* differences) {
  // Without a condition or a derived field there is nothing to solve, so the word with defaults was the only candidate.
  if (variant.constraints.empty() || !start(variant, values, nullptr)) return false;
  Solver& solver = variant.solver;
  solver.renew();
  pending_.assign(variant.constraints.begin(), variant.constraints.end());
  if (!solver.settle(pending_, word_)) return false;
  bool is_found = false;
  solver.solve(word_, pending_, [&](const PartialWord& solution) {
    if (is_found) return;
    // fill() has its own budget, so that the budget of the search does not depend on the number of calls.
    const std::uint32_t budget = solver.evaluator().budget();
    fill(variant, solution);
    solver.evaluator().set_budget(budget);
    is_found = proves(model_, tables_, variant, values, filled_.value, differences);
    if (is_found || differences != nullptr) solver.stop();
  });
  if (differences == nullptr) is_exhausted_ |= !is_found && solver.is_exhausted();
  return is_found;
}

}  // namespace vireo::isa

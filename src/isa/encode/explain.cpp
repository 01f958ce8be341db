// SPDX-License-Identifier: Apache-2.0
//
// Explains why no word has the given values.
//
// Make the nearest word, decode it, and report everything that differs. If there are several variants,
// report the one with the fewest differences, because it is probably the intended one.
#include <algorithm>
#include <optional>

#include "isa/encode/form.h"
#include "isa/model/rules.h"
#include "support/printable.h"

namespace vireo::isa {
namespace {

// Formats a number as the caller would write it.
std::string number_of(const Definition& definition, BitWord value) {
  if (is_signed(definition.type)) return std::to_string(sign_extended(value, definition.width));
  return std::to_string(value);
}

// Returns the value that a part requires in `width` bits (1 to 64) from bit `low` of the instruction. All these bits
// belong to the part.
BitWord expected_bits(const Part& part, std::uint32_t low, std::uint32_t width, std::span<const std::uint64_t> values) {
  const std::uint32_t at = low - part.low;
  if (part.value.kind == ReadValue::Kind::Wide) return part.value.wide.slice(at, at + width - 1);
  const BitWord value = part.value.blank == nowhere ? part.value.value : values[part.value.blank];
  return value >> at & low_mask(width);
}

// Finds another part that requires another value of shared bits; nowhere if there is none.
std::uint32_t conflicting_part(const Variant& variant, std::uint32_t index, std::span<const std::uint64_t> values) {
  // Parts are placed in order, so a conflicting part precedes this one.
  const Part& part = variant.parts[index];
  for (std::uint32_t i = 0; i < index; ++i) {
    const Part& other = variant.parts[i];
    if (other.constraint != nowhere || other.nested != nowhere) continue;
    // Two parts that share bits may agree on them; then they do not conflict.
    const std::uint32_t end = std::min(part.low + part.width, other.low + other.width);
    for (std::uint32_t low = std::max(part.low, other.low); low < end; low += bits_per_word) {
      const std::uint32_t width = std::min(end - low, bits_per_word);
      if (expected_bits(part, low, width, values) != expected_bits(other, low, width, values)) return i;
    }
  }
  return nowhere;
}

// Formats a requested value in the same way as number_of() formats the actual one.
std::string expected_text(const Definition& definition, const Part& part, std::span<const std::uint64_t> values) {
  switch (part.value.kind) {
    case ReadValue::Kind::IsTrue: return "true";
    case ReadValue::Kind::IsFalse: return "false";
    case ReadValue::Kind::Wide: return "0x" + to_hex(part.value.wide);
    default: break;
  }
  return number_of(definition, part.value.blank == nowhere ? part.value.value : values[part.value.blank]);
}

}  // namespace

Reported EncodeForm::Implementation::explain(std::span<const std::uint64_t> values, Diagnostics& diagnostics) {
  // Too few values are an error of the caller, independent of the word.
  if (values.size() < settings_.blanks.size()) {
    const ReadSettings::Blank& blank = settings_.blanks[values.size()];
    return diagnostics.error(rule::unfit_value, blank.where, quoted(blank.path) + " has no value");
  }
  // Tries all variants again. This is slow, but it happens only after encoding failed.
  const Variant* best = nullptr;
  std::vector<Difference> fewest;
  for (const std::unique_ptr<Variant>& variant : variants_) {
    std::vector<Difference> differences;
    // If the values agree with each other, the differences come from decoding a word: the solver's first solution or,
    // without one, the word with defaults.
    if (start(*variant, values, &differences)) {
      solve(*variant, values, &differences);
      if (differences.empty() && start(*variant, values, nullptr)) {
        fill(*variant, word_);
        proves(model_, tables_, *variant, values, filled_.value, &differences);
      }
    }
    for (Difference& difference : differences) {
      if (difference.kind == Difference::Kind::Overlap)
        difference.other = conflicting_part(*variant, difference.part, values);
    }
    // If two variants have equally many differences, the first one is reported: its readings come first.
    if (best != nullptr && differences.size() >= fewest.size()) continue;
    best = variant.get();
    fewest = std::move(differences);
  }
  if (best == nullptr || fewest.empty()) {
    return diagnostics.error(rule::no_word, settings_.where,
                             "no case has all these fields: their overrides exclude each other or are never encoded");
  }
  // Report every difference. Only Diagnostics can create a Reported, and there is at least one difference.
  std::optional<Reported> reported;
  for (const Difference& difference : fewest) reported = report(*best, difference, values, diagnostics);
  if (is_exhausted_) diagnostics.note(settings_.where, "the search reached its limits");
  return *reported;
}

Reported EncodeForm::Implementation::report(const Variant& variant, const Difference& difference,
                                            std::span<const std::uint64_t> values, Diagnostics& diagnostics) const {
  using Kind = Difference::Kind;
  const std::string_view leaf = model_.text(model_[plan().leaf].name);
  // Errors about the whole word belong to no setting. Report them at the location of the instruction's name.
  if (difference.kind == Kind::Leaf) {
    const ChosenLeaf chosen = choose_leaf(tables_, filled_.value, plan().size);
    std::string message = "the word with these values is not " + quoted(leaf);
    if (chosen.root != nullptr && !chosen.match.is_none()) {
      const std::uint32_t first = tables_.groups[chosen.root->group].first_plan;
      const auto name_of = [&](std::uint32_t index) {
        return quoted(model_.text(model_[tables_.plans[first + index].leaf].name));
      };
      message += chosen.match.is_conflict()
                     ? ": both " + name_of(chosen.match.leaf) + " and " + name_of(chosen.match.second) + " match it"
                     : " but " + name_of(chosen.match.leaf);
    }
    return diagnostics.error(rule::no_word, settings_.where, std::move(message));
  }
  if (difference.kind == Kind::Refused) {
    return diagnostics.error(
        rule::refused_word, settings_.where,
        "an override of " + quoted(difference.owner) + " that applies to these values is marked as never encoded");
  }
  if (difference.kind == Kind::Assert) {
    std::string bits = std::to_string(difference.low);
    if (difference.width != 1) bits = std::to_string(difference.low + difference.width - 1) + ":" + bits;
    return diagnostics.error(
        rule::no_word, settings_.where,
        "these values contradict the assert of " + quoted(difference.owner) + " for bits [" + bits + "]");
  }
  return report_part(variant, difference, values, diagnostics);
}

// Reports errors about one of the settings, at its location.
Reported EncodeForm::Implementation::report_part(const Variant& variant, const Difference& difference,
                                                 std::span<const std::uint64_t> values,
                                                 Diagnostics& diagnostics) const {
  using Kind = Difference::Kind;
  const Part& part = variant.parts[difference.part];
  const ReadField& field = settings_.fields[part.field];
  const Definition& definition = tables_.definitions[part.definition];
  std::string message;
  switch (difference.kind) {
    case Kind::Range: {
      const bool is_negative = is_signed(definition.type) && static_cast<std::int64_t>(difference.found) < 0;
      const std::string number =
          is_negative ? std::to_string(static_cast<std::int64_t>(difference.found)) : std::to_string(difference.found);
      const ValueFault fault = range_fault(definition, field.path, number);
      return diagnostics.error(fault.rule, field.where, fault.message);
    }
    case Kind::Nested:
      message = quoted(field.path) + " is not " +
                quoted(model_.text(model_[tables_.plans[variant.leaves[part.nested].plan].leaf].name)) +
                " in the word with these values";
      break;
    case Kind::Missing:
      message = "a word with these values has no field " + quoted(field.path) + ": its override does not apply";
      break;
    case Kind::Value:
      message = quoted(field.path) + " would be " + number_of(definition, difference.found) + " instead of " +
                expected_text(definition, part, values) + ", given the other values";
      break;
    case Kind::Overlap:
      message = difference.other == nowhere ? "the value of " + quoted(field.path) + " contradicts a pattern"
                                            : quoted(field.path) + " and " +
                                                  quoted(settings_.fields[variant.parts[difference.other].field].path) +
                                                  " share bits but have different values";
      break;
    default: break;
  }
  return diagnostics.error(rule::no_word, field.where, std::move(message));
}

}  // namespace vireo::isa

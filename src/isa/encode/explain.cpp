// SPDX-License-Identifier: Apache-2.0
//
// Why there is no word.
//
// The one idea: the word that comes nearest is made and decoded, and all that differs in it is said. Of several variants
// the one with the fewest differences speaks: it is what was probably meant.
#include <algorithm>
#include <optional>

#include "isa/encode/form.h"
#include "isa/model/rules.h"
#include "support/printable.h"

namespace vireo::isa {
namespace {

// A number as the caller would give it.
std::string number_of(const Definition& definition, BitWord value) {
  if (is_signed(definition.type)) return std::to_string(sign_extended(value, definition.width));
  return std::to_string(value);
}

// What a part wants of `width` bits (1 to 64) from bit `low` of the instruction on; all of them are its own.
BitWord wanted_bits(const Part& part, std::uint32_t low, std::uint32_t width, std::span<const std::uint64_t> values) {
  const std::uint32_t at = low - part.low;
  if (part.value.kind == ReadValue::Kind::Wide) return part.value.wide.slice(at, at + width - 1);
  const BitWord value = part.value.blank == nowhere ? part.value.value : values[part.value.blank];
  return value >> at & low_mask(width);
}

// Another part that has bits in common and wants them otherwise; nowhere: none of the parts does.
std::uint32_t rival_of(const Variant& variant, std::uint32_t index, std::span<const std::uint64_t> values) {
  // Parts are put in order, so whoever was in the way stands before.
  const Part& part = variant.parts[index];
  for (std::uint32_t i = 0; i < index; ++i) {
    const Part& other = variant.parts[i];
    if (other.constraint != nowhere || other.nested != nowhere) continue;
    // Two that share bits may well agree on them, and then it is not this one that is in the way.
    const std::uint32_t end = std::min(part.low + part.width, other.low + other.width);
    for (std::uint32_t low = std::max(part.low, other.low); low < end; low += bits_per_word) {
      const std::uint32_t width = std::min(end - low, bits_per_word);
      if (wanted_bits(part, low, width, values) != wanted_bits(other, low, width, values)) return i;
    }
  }
  return nowhere;
}

// A value as it was asked for, in the way that number_of() shows the one that was found.
std::string wanted_text(const Definition& definition, const Part& part, std::span<const std::uint64_t> values) {
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
  // Too few values are the caller's slip, whatever the word would be.
  if (values.size() < settings_.blanks.size()) {
    const ReadSettings::Blank& blank = settings_.blanks[values.size()];
    return diagnostics.error(rule::unfit_value, blank.where, quoted(blank.path) + " has no value");
  }
  // All variants are tried again, slowly: who asks for reasons has already failed.
  const Variant* best = nullptr;
  std::vector<Difference> fewest;
  for (const std::unique_ptr<Variant>& variant : variants_) {
    std::vector<Difference> differences;
    // Where the fields themselves agree, it is the word with them that is wrong; else the word with defaults is as near as
    // it gets.
    if (start(*variant, values, &differences)) {
      solve(*variant, values, &differences);
      if (differences.empty() && start(*variant, values, nullptr)) {
        fill(*variant, word_);
        proves(model_, tables_, *variant, values, filled_.value, &differences);
      }
    }
    for (Difference& difference : differences) {
      if (difference.kind == Difference::Kind::Overlap) difference.other = rival_of(*variant, difference.part, values);
    }
    // Of two that are as near, the first: its readings stand first.
    if (best != nullptr && differences.size() >= fewest.size()) continue;
    best = variant.get();
    fewest = std::move(differences);
  }
  if (best == nullptr || fewest.empty()) {
    return diagnostics.error(rule::no_word, settings_.where,
                             "these fields belong to overrides that exclude each other, or are never made");
  }
  // Every difference is reported. Only diagnostics make a Reported, and there is one difference at least.
  std::optional<Reported> reported;
  for (const Difference& difference : fewest) reported = report(*best, difference, values, diagnostics);
  if (is_exhausted_) diagnostics.note(settings_.where, "the search was given up at its bounds");
  return *reported;
}

Reported EncodeForm::Implementation::report(const Variant& variant, const Difference& difference,
                                            std::span<const std::uint64_t> values, Diagnostics& diagnostics) const {
  using Kind = Difference::Kind;
  const std::string_view leaf = model_.text(model_[plan().leaf].name);
  // What is about the word as a whole has no setting to point at, and stands where the instruction was asked for.
  if (difference.kind == Kind::Leaf) {
    const ChosenLeaf chosen = choose_leaf(tables_, filled_.value, plan().size);
    std::string message = "the word with these values is no " + quoted(leaf);
    if (chosen.root != nullptr && !chosen.match.is_none()) {
      const std::uint32_t first = tables_.groups[chosen.root->group].first_plan;
      const auto name_of = [&](std::uint32_t index) {
        return quoted(model_.text(model_[tables_.plans[first + index].leaf].name));
      };
      message += chosen.match.is_conflict()
                     ? ": both " + name_of(chosen.match.leaf) + " and " + name_of(chosen.match.second) + " match it"
                     : ", but a " + name_of(chosen.match.leaf);
    }
    return diagnostics.error(rule::no_word, settings_.where, std::move(message));
  }
  if (difference.kind == Kind::Refused) {
    return diagnostics.error(rule::refused_word, settings_.where,
                             "the description wants no word to be made of " + quoted(difference.owner) +
                                 " in which an override holds that does with these values");
  }
  if (difference.kind == Kind::Assert) {
    std::string bits = std::to_string(difference.low);
    if (difference.width != 1) bits = std::to_string(difference.low + difference.width - 1) + ":" + bits;
    return diagnostics.error(
        rule::no_word, settings_.where,
        "these values set bits [" + bits + "] otherwise than " + quoted(difference.owner) + " expects them");
  }
  return report_part(variant, difference, values, diagnostics);
}

// What is about one of the values that were given stands at its place.
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
      message = quoted(field.path) + " is no " +
                quoted(model_.text(model_[tables_.plans[variant.leaves[part.nested].plan].leaf].name)) +
                " in the word with these values";
      break;
    case Kind::Missing:
      message = "a word with these values has no field " + quoted(field.path) + ": its override does not hold";
      break;
    case Kind::Value:
      message = quoted(field.path) + " is " + number_of(definition, difference.found) + ", not " +
                wanted_text(definition, part, values) + ", in a word with the other values";
      break;
    case Kind::Overlap:
      message = difference.other == nowhere ? quoted(field.path) + " has bits that a pattern fixes otherwise"
                                            : quoted(field.path) + " and " +
                                                  quoted(settings_.fields[variant.parts[difference.other].field].path) +
                                                  " share bits, and want different values of them";
      break;
    default: break;
  }
  return diagnostics.error(rule::no_word, field.where, std::move(message));
}

}  // namespace vireo::isa

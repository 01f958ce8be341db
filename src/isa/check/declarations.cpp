// SPDX-License-Identifier: Apache-2.0
//
// Checks of single declarations: bitset names as C identifiers, and bits of override fields.
#include <algorithm>
#include <map>

#include "isa/check/subject.h"
#include "support/ascii.h"

namespace vireo::isa {
namespace {

// Replaces all characters except letters and digits by underscores, as every C generator must. Our generator and Mesa's
// differ in other details, but two names that differ here differ in both.
std::string identifier_of(std::string_view name) {
  std::string identifier(name);
  for (char& c : identifier) {
    const bool is_kept = is_letter(c) || is_digit(c);
    if (!is_kept) c = '_';
  }
  return identifier;
}

std::string range_text(std::uint32_t low, std::uint32_t high) {
  return low == high ? "bit " + std::to_string(low) : "bits " + std::to_string(low) + " to " + std::to_string(high);
}

class OverrideBits {
 public:
  explicit OverrideBits(Subject& subject) : subject_(subject), model_(subject.model) {}

  // A field of an override may overlap fields of the default case; this is its purpose. Two fields of one override must
  // not overlap, nor a field and a pattern.
  void run() {
    for (const Bitset& b : model_.bitsets()) {
      for (const Case& row : model_.cases(b)) {
        if (!row.is_default()) compare_fields(row);
      }
    }
    for (const Bitset& leaf : model_.bitsets()) {
      if (subject_.is_checked(leaf)) compare_with_patterns(leaf);
    }
  }

 private:
  // Sorts the fields by their lowest bit. Compares each with the earlier field that has the highest upper bit.
  void compare_fields(const Case& row) {
    std::vector<const Field*> fields;
    for (const Field& field : model_.fields(row)) {
      if (!field.is_derived()) fields.push_back(&field);
    }
    // The place breaks ties, so that every run reports the same pair.
    std::sort(fields.begin(), fields.end(), [](const Field* a, const Field* b) {
      return std::pair(a->low, a->where.begin) < std::pair(b->low, b->where.begin);
    });
    const Field* highest = nullptr;
    for (const Field* field : fields) {
      if (highest != nullptr && highest->high() >= field->low) {
        // Report the field that is later in the file.
        const auto [first, second] =
            std::minmax(highest, field, [](const Field* a, const Field* b) { return a->where.begin < b->where.begin; });
        subject_.emit(rule::override_overlap, second->where,
                      "fields " + quoted_name(model_.text(first->name)) + " and " +
                          quoted_name(model_.text(second->name)) + " of one override overlap in " +
                          range_text(field->low, std::min(field->high(), highest->high())));
        subject_.note(first->where, "the other field");
      }
      if (highest == nullptr || field->high() > highest->high()) highest = field;
    }
  }

  // The loader compares fields with the patterns of their bitset and its ancestors. This function compares them with
  // the patterns of the descendants.
  void compare_with_patterns(const Bitset& leaf) {
    const Bits fixed = leaf.care | leaf.dont_care;
    const std::span<const BitsetId> chain = model_.chain(leaf);
    for (std::size_t at = 1; at < chain.size(); ++at) {
      for (const Case& row : model_.cases(model_[chain[at]])) {
        if (row.is_default()) continue;
        compared_ += row.fields.count;
        // Count all fields of the case, whether or not they overlap a pattern.
        if (compared_ > max_compared) return;  // no hand-written description has so many fields
        for (const Field& field : model_.fields(row)) {
          if (field.is_derived() || field.high() >= leaf.size || !touches(fixed, field)) continue;
          for (std::size_t below = 0; below < at; ++below) compare(field, model_[chain[below]]);
        }
      }
    }
  }

  static bool touches(const Bits& fixed, const Field& field) {
    // Test one word of the mask at a time. Nearly every field returns false here, before any pattern is compared.
    for (std::uint32_t at = field.low; at <= field.high(); at += bits_per_word) {
      if (slice_of(fixed.data(), at, std::min(field.high() - at + 1, bits_per_word)) != 0) return true;
    }
    return false;
  }

  // One report per field: its bitset may have hundreds of leaves.
  void compare(const Field& field, const Bitset& below) {
    for (const Pattern& pattern : model_.patterns(below)) {
      if (pattern.low > field.high() || pattern.high() < field.low) continue;
      if (!subject_.is_new(rule::override_overlap, field.where)) return;
      subject_.emit(rule::override_overlap, field.where,
                    "field " + quoted_name(model_.text(field.name)) + " of an override overlaps a pattern of " +
                        subject_.name_of(below) + " in " +
                        range_text(std::max(pattern.low, field.low), std::min(pattern.high(), field.high())));
      subject_.note(pattern.where, "the pattern");
      return;
    }
  }

  static constexpr std::size_t max_compared = std::size_t{1} << 24;

  Subject& subject_;
  const Model& model_;
  std::size_t compared_ = 0;
};

}  // namespace

// Checks all bitsets and not just leaves: generated code names inner bitsets as well.
void check_declarations(Subject& subject) {
  const Model& model = subject.model;
  // Later bitsets are compared with the first one of the same identifier: three that collide give two reports.
  std::map<std::string, const Bitset*> taken;
  for (const Bitset& b : model.bitsets()) {
    const auto [entry, is_new] = taken.try_emplace(identifier_of(model.text(b.name)), &b);
    if (is_new || entry->second->name == b.name) continue;
    subject.emit(rule::name_collision, b.where,
                 subject.name_of(b) + " and " + subject.name_of(*entry->second) + " both become the C identifier " +
                     quoted_name(entry->first));
    subject.note(entry->second->where, "the other bitset");
  }
}

void check_override_bits(Subject& subject) { OverrideBits(subject).run(); }

}  // namespace vireo::isa

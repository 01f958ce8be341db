// SPDX-License-Identifier: Apache-2.0
//
// Declarations by themselves: names as identifiers of C, bits that override fields take.
#include <algorithm>
#include <map>

#include "isa/check/subject.h"
#include "support/ascii.h"

namespace vireo::isa {
namespace {

// What every generator of C has to do in some way. Not what one of them does: ours and Mesa's differ in details, and a
// name that survives this survives both. Only letters, digits and underscores are left.
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

  // Fields of overrides may lie over those of the default case: that is what they are for. Two of one override, or a field
  // and bits that are always the same, are hardly meant.
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
  // In the order of their lowest bits, a field overlaps the one before it that reaches highest, or none.
  void compare_fields(const Case& row) {
    std::vector<const Field*> fields;
    for (const Field& field : model_.fields(row)) {
      if (!field.is_derived()) fields.push_back(&field);
    }
    // The place breaks ties, so that two runs blame the same pair.
    std::sort(fields.begin(), fields.end(), [](const Field* a, const Field* b) {
      return std::pair(a->low, a->where.begin) < std::pair(b->low, b->where.begin);
    });
    const Field* highest = nullptr;
    for (const Field* field : fields) {
      if (highest != nullptr && highest->high() >= field->low) {
        // The later one in the file is at fault: it came to a place that was taken.
        const auto [first, second] =
            std::minmax(highest, field, [](const Field* a, const Field* b) { return a->where.begin < b->where.begin; });
        subject_.say(rule::override_overlap, second->where,
                     "fields " + quoted_name(model_.text(first->name)) + " and " +
                         quoted_name(model_.text(second->name)) + " of one override share " +
                         range_text(field->low, std::min(field->high(), highest->high())));
        subject_.note(first->where, "the other field");
      }
      if (highest == nullptr || field->high() > highest->high()) highest = field;
    }
  }

  // The loader compares with the patterns of the bitset and its ancestors. Those of bitsets that extend it are left.
  void compare_with_patterns(const Bitset& leaf) {
    const Bits fixed = leaf.care | leaf.dont_care;
    const std::span<const BitsetId> chain = model_.chain(leaf);
    for (std::size_t at = 1; at < chain.size(); ++at) {
      for (const Case& row : model_.cases(model_[chain[at]])) {
        if (row.is_default()) continue;
        compared_ += row.fields.count;
        // Counted before anything is compared, whether or not it touches: that is the work.
        if (compared_ > max_compared) return;  // all leaves with all fields: too many to be written by people
        for (const Field& field : model_.fields(row)) {
          if (field.is_derived() || field.high() >= leaf.size || !touches(fixed, field)) continue;
          for (std::size_t below = 0; below < at; ++below) compare(field, model_[chain[below]]);
        }
      }
    }
  }

  static bool touches(const Bits& fixed, const Field& field) {
    // A word of the mask at a time. Nearly every field ends here, without a look at a single pattern.
    for (std::uint32_t at = field.low; at <= field.high(); at += bits_per_word) {
      if (slice_of(fixed.data(), at, std::min(field.high() - at + 1, bits_per_word)) != 0) return true;
    }
    return false;
  }

  // One report for a field: its bitset may have hundreds of leaves.
  void compare(const Field& field, const Bitset& below) {
    for (const Pattern& pattern : model_.patterns(below)) {
      if (pattern.low > field.high() || pattern.high() < field.low) continue;
      if (!subject_.is_new(rule::override_overlap, field.where)) return;
      subject_.say(rule::override_overlap, field.where,
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

// All bitsets, not the leaves alone: generated code has names for inner ones, too.
void check_declarations(Subject& subject) {
  const Model& model = subject.model;
  // The first bitset of an identifier is the one that all later ones are compared with: three that collide make two
  // reports.
  std::map<std::string, const Bitset*> taken;
  for (const Bitset& b : model.bitsets()) {
    const auto [entry, is_new] = taken.try_emplace(identifier_of(model.text(b.name)), &b);
    if (is_new || entry->second->name == b.name) continue;
    subject.say(rule::name_collision, b.where,
                subject.name_of(b) + " and " + subject.name_of(*entry->second) + " are both " +
                    quoted_name(entry->first) + " as an identifier of C");
    subject.note(entry->second->where, "the other bitset");
  }
}

void check_override_bits(Subject& subject) { OverrideBits(subject).run(); }

}  // namespace vireo::isa

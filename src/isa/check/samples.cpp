// SPDX-License-Identifier: Apache-2.0
//
// Generates sample words of leaves. The header states the guarantees.
#include "isa/check/samples.h"

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_set>

namespace vireo::isa {
namespace {

// Limits; real descriptions stay far below them.
constexpr std::size_t max_gens = 8;
constexpr std::size_t max_gens_compared = 64;    // limit on candidates
constexpr std::size_t max_few_rows = 16;         // rows of an enum, or leaves of a nested root
constexpr std::size_t max_all_rows = 512;        // the same, or samples of a nested root
constexpr std::size_t max_words_tried = 128;     // limit on words tried to find one for which an override holds
constexpr std::size_t max_nested_samples = 512;  // samples of one nested root

// Corner values: the ends, and both sides of the sign bit; for floats also 1, negative infinity and a NaN.
std::vector<BitWord> corners_of(const Field& field) {
  const std::uint32_t width = std::min(field.width, bits_per_word);
  // Also for unsigned types: a register number of eight bits is as likely to break at 128 as a signed number.
  const BitWord sign = BitWord{1} << (width - 1);
  std::vector<BitWord> result{0, 1, low_mask(width), sign, sign - 1};
  if (field.type == FieldType::Float) {
    if (width == 16) result.insert(result.end(), {0x3c00, 0xfc00, 0x7e01});
    else result.insert(result.end(), {0x3f800000, 0xff800000, 0x7fc00001});
  }
  return result;
}

}  // namespace

// The simplest word of a leaf: its pattern, the asserted bits, the first leaf of each nested root, and zeros. Each
// sample makes one change to it, so that a report shows the effect of that change.
Bits Samples::plain(const Bitset& leaf) {
  Bits word = leaf.match;
  const auto put = [&](std::uint32_t low, const Bits& value) {
    for (std::uint32_t bit = 0; bit < value.width(); ++bit) {
      if (value.test(bit) && !leaf.care.test(low + bit)) word.set(low + bit);
    }
  };
  for (const BitsetId id : model_.chain(leaf)) {
    // Asserts and fields of overrides apply only if the override holds; each() samples such words.
    const Case& common = model_.cases(model_[id]).back();
    for (const Assert& bits : model_.asserts(common)) {
      for (std::uint32_t bit = 0; bit < bits.width; ++bit) {
        if (bits.text[bits.width - 1 - bit] == '1' && !leaf.care.test(bits.low + bit)) word.set(bits.low + bit);
      }
    }
    for (const Field& field : model_.fields(common)) {
      if (field.type == FieldType::Bitset) put(field.low, first_of(field.bitset));
    }
  }
  return word;
}

// With Corners::Few, samples all fields in the plain word. With Corners::All, samples the fields of an override in a
// word for which it holds. The fields of the default cases are sampled in that word too, because the override may
// display them in another way.
void Samples::each(const Bitset& leaf, const Consumer& consume) {
  const bool wants_all = corners_ == Corners::All;
  const Bits word = plain(leaf);
  std::size_t count = 0;
  std::unordered_set<std::string> known;
  const std::size_t most = wants_all ? max_all : max_few;
  const auto offer = [&](const Bits& sample) {
    if (count >= most) return;
    // Corner values may be equal: the largest value of one bit is 1. With few samples, duplicates are harmless.
    if (wants_all && !known.insert(to_hex(sample)).second) return;
    ++count;
    consume(sample);
  };
  offer(word);
  // Make the samples of nested roots first, because the reading can open only one leaf at a time.
  if (wants_all) {
    for (const BitsetId id : model_.chain(leaf)) {
      for (const Case& row : model_.cases(model_[id])) {
        for (const Field& field : model_.fields(row)) {
          if (field.type == FieldType::Bitset) nested(field.bitset);
        }
      }
    }
  }
  reading_.open(leaf);
  const auto offer_fields = [&](const Case& row, const Bits& base) {
    for (const Field& field : model_.fields(row)) {
      if (!field.is_derived()) offer_values(leaf, field, base, offer);
    }
  };
  for (const LeafReading::SeenCase& seen : reading_.cases()) {
    if (count >= most) return;
    const Case& row = *seen.row;
    Bits base = word;
    if (!row.is_default()) {
      offer_case(row, Wanted::Holds, word, [&](const Bits& sample) {
        offer(sample);
        if (wants_all) base = sample;
      });
    }
    offer_fields(row, base);
    if (!wants_all || row.is_default()) continue;
    // Sample with the override and without it. One of the two words is the plain word, which the default case samples
    // anyway.
    const auto offer_all = [&](const Bits& sample) {
      offer(sample);
      for (const BitsetId id : model_.chain(leaf)) offer_fields(model_.cases(model_[id]).back(), sample);
    };
    if (base != word) offer_all(base);
    // If the override holds for the plain word, only the word without the override shows the cases after it.
    std::optional<Bits> without;
    offer_case(row, Wanted::Fails, word, [&](const Bits& sample) { without = sample; });
    if (without && *without != word) offer_all(*without);
  }
}

// If a root has no leaf in this generation, every value is invalid, so the result is zeros.
const Bits& Samples::first_of(BitsetId root) {
  if (const auto found = first_.find(root.raw); found != first_.end()) return found->second;
  for (const BitsetId id : model_.leaves(model_[root])) {  // a root never contains itself, so the recursion ends
    if (model_[id].gens.contains(gen_)) return first_.emplace(root.raw, plain(model_[id])).first->second;
  }
  return first_.emplace(root.raw, Bits(model_[root].size)).first->second;
}

// Takes samples from the leaves in turn, so that each leaf has some even if there are too many. max_nesting_depth
// bounds the nesting of roots, and so the recursion.
const std::vector<Bits>& Samples::nested(BitsetId root) {
  if (const auto found = nested_.find(root.raw); found != nested_.end()) return found->second;
  std::vector<std::vector<Bits>> by_leaf;
  for (const BitsetId id : model_.leaves(model_[root])) {
    if (!model_[id].gens.contains(gen_)) continue;
    std::vector<Bits>& list = by_leaf.emplace_back();
    each(model_[id], [&](const Bits& sample) {
      if (list.size() < max_nested_samples) list.push_back(sample);
    });
    if (by_leaf.size() == max_nested_samples) break;
  }
  std::vector<Bits> result;
  for (std::size_t i = 0; i < max_nested_samples; ++i) {
    for (const std::vector<Bits>& list : by_leaf) {
      if (i < list.size() && result.size() < max_nested_samples) result.push_back(list[i]);
    }
  }
  return nested_.emplace(root.raw, std::move(result)).first->second;
}

// Offers a word close to the given one in which the override holds (or fails), so that the case is the only difference.
void Samples::offer_case(const Case& row, Wanted wanted, const Bits& word, const Consumer& offer) {
  const Support support = reading_.support(row.condition);
  std::size_t tried = 0;
  none_of_words(reading_.leaf().care, word, support.bits, [&](const Bits& sample) {
    reading_.take(sample, gen_);
    const bool fits = wanted == Wanted::Holds ? reading_.holds(row) : reading_.fails(row);
    if (!fits) return ++tried == max_words_tried;
    offer(sample);
    return true;
  });
}

// Offers the word with other values of one field: rows of its enum, samples of its type, or the extremes.
void Samples::offer_values(const Bitset& leaf, const Field& field, const Bits& word, const Consumer& offer) {
  const bool wants_all = corners_ == Corners::All;
  const std::size_t max_rows = wants_all ? max_all_rows : max_few_rows;
  const auto offer_value = [&](const Bits& value) {
    Bits sample = word;
    sample.insert(field.low, value);
    // A field of an override may overlap a pattern. Skip words that then belong to another leaf.
    if (((sample ^ leaf.match) & leaf.care).is_zero()) offer(sample);
  };
  std::size_t tried = 0;
  if (field.type == FieldType::Bitset) {
    if (wants_all) {
      for (const Bits& value : nested(field.bitset)) offer_value(value);
      return;
    }
    for (const BitsetId id : model_.leaves(model_[field.bitset])) {
      if (model_[id].gens.contains(gen_) && ++tried <= max_rows) offer_value(plain(model_[id]));
    }
    return;
  }
  if (field.type == FieldType::Enum) {
    for (const EnumValue& value : model_.values(model_[field.enumeration])) {
      if (value.number <= low_mask(field.width) && ++tried <= max_rows) offer_value(Bits(field.width, value.number));
    }
    if (!wants_all) return;  // a value without a row prints as a number, which is worth a sample
  }
  if (wants_all) {
    for (const BitWord value : corners_of(field)) offer_value(Bits(field.width, value));
  } else {
    offer_value(Bits(field.width, 1));
  }
  if (field.width > 1) offer_value(~Bits(field.width));
}

// Greedy set cover: most descriptions need two or three generations to show all of their leaves. The result need not be
// the smallest set.
std::vector<std::uint32_t> gens_with_all_leaves(const Model& model, const std::vector<std::uint32_t>& candidates) {
  std::vector<GenRange> open;
  for (const Bitset& leaf : model.bitsets()) {
    if (leaf.is_leaf && !leaf.gens.is_empty()) open.push_back(leaf.gens);
  }
  const std::size_t step = 1 + candidates.size() / max_gens_compared;
  std::vector<std::uint32_t> result;
  while (!open.empty() && result.size() < max_gens) {
    std::uint32_t best = 0;
    std::ptrdiff_t most = 0;
    for (std::size_t i = 0; i < candidates.size(); i += step) {
      const auto count =
          std::count_if(open.begin(), open.end(), [&](GenRange gens) { return gens.contains(candidates[i]); });
      if (count > most) std::tie(most, best) = std::pair(count, candidates[i]);
    }
    if (most == 0) break;  // the other leaves exist in none of the candidates
    result.push_back(best);
    std::erase_if(open, [&](GenRange gens) { return gens.contains(best); });
  }
  return result;
}

}  // namespace vireo::isa

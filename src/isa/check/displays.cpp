// SPDX-License-Identifier: Apache-2.0
//
// Displays that cannot be told apart: two words that mean different things and print the same text.
//
// The one idea: every leaf has a few sample words: its fixed bits and otherwise zeros, the same with one field changed, one
// for each override that holds. All samples of a generation are printed; those with one text are decoded, and reported if
// they differ in a leaf or a case. So a report is a fact, with two words to try, and silence is no promise: whether a text
// means one word is for the assembler to say. Words that differ only in what no display shows are none of this check's
// business, nor are words with remarks.
#include <algorithm>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "isa/check/leaf_reading.h"
#include "isa/check/subject.h"
#include "vireo/isa/decode.h"
#include "vireo/isa/print.h"

namespace vireo::isa {
namespace {

constexpr std::size_t max_gens = 8;
constexpr std::size_t max_gens_compared = 64;           // from which those are chosen
constexpr std::size_t max_samples = 100'000;            // of all generations together
constexpr std::size_t max_text = std::size_t{1} << 25;  // bytes of their texts
constexpr std::size_t max_samples_of_leaf = 256;
constexpr std::size_t max_rows_tried = 16;    // of an enum, and leaves of a nested root
constexpr std::size_t max_words_tried = 128;  // for one in which an override holds

/// What a custom field prints is the caller's; here its value, so that two of them differ.
class CustomValues final : public PrintListener {
 public:
  void custom(std::string_view, std::uint64_t value, std::string& text) override { text.append(std::to_string(value)); }
};

/// Words to print: those of one generation.
class Samples {
 public:
  Samples(const Subject& subject, std::uint32_t gen) : model_(subject.model), gen_(gen), reading_(subject.model) {}

  /// A word that the leaf matches: asserts hold, nested bitsets have leaves, otherwise zeros.
  Bits plain(const Bitset& leaf) {
    Bits word = leaf.match;
    const auto put = [&](std::uint32_t low, const Bits& value) {
      for (std::uint32_t bit = 0; bit < value.width(); ++bit) {
        if (value.test(bit) && !leaf.care.test(low + bit)) word.set(low + bit);
      }
    };
    for (const BitsetId id : model_.chain(leaf)) {
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

  /// Hands out words until the consumer gives true.
  template <typename Consumer>
  void each(const Bitset& leaf, Consumer consume) {
    const Bits word = plain(leaf);
    std::size_t count = 0;
    const auto offer = [&](const Bits& sample) {
      if (++count <= max_samples_of_leaf) consume(sample);
    };
    offer(word);
    reading_.open(leaf);
    for (const LeafReading::SeenCase& seen : reading_.cases()) {
      if (!seen.row->is_default()) offer_override(*seen.row, word, offer);
      for (const Field& field : model_.fields(*seen.row)) {
        if (!field.is_derived()) offer_values(leaf, field, word, offer);
      }
    }
  }

 private:
  const Bits& first_of(BitsetId root) {
    if (const auto found = first_.find(root.raw); found != first_.end()) return found->second;
    for (const BitsetId id : model_.leaves(model_[root])) {  // roots do not contain themselves, so this ends
      if (model_[id].gens.contains(gen_)) return first_.emplace(root.raw, plain(model_[id])).first->second;
    }
    return first_.emplace(root.raw, Bits(model_[root].size)).first->second;
  }

  // A word in which the override holds, near the plain one, so that the case is the only difference.
  template <typename Offer>
  void offer_override(const Case& row, const Bits& word, Offer offer) {
    const Support support = reading_.support(row.condition);
    std::size_t tried = 0;
    none_of_words(reading_.leaf().care, word, support.bits, [&](const Bits& sample) {
      reading_.take(sample, gen_);
      if (!reading_.holds(row)) return ++tried == max_words_tried;
      offer(sample);
      return true;
    });
  }

  // The plain word with other values of one field: rows of its enum, leaves of its type, or the extremes.
  template <typename Offer>
  void offer_values(const Bitset& leaf, const Field& field, const Bits& word, Offer offer) {
    const auto offer_value = [&](const Bits& value) {
      Bits sample = word;
      sample.insert(field.low, value);
      if (((sample ^ leaf.match) & leaf.care).is_zero()) offer(sample);
    };
    std::size_t tried = 0;
    if (field.type == FieldType::Bitset) {
      for (const BitsetId id : model_.leaves(model_[field.bitset])) {
        if (model_[id].gens.contains(gen_) && ++tried <= max_rows_tried) offer_value(plain(model_[id]));
      }
      return;
    }
    if (field.type == FieldType::Enum) {
      for (const EnumValue& value : model_.values(model_[field.enumeration])) {
        if (value.number <= low_mask(field.width) && ++tried <= max_rows_tried)
          offer_value(Bits(field.width, value.number));
      }
      return;
    }
    offer_value(Bits(field.width, 1));
    if (field.width > 1) offer_value(~Bits(field.width));
  }

  const Model& model_;
  std::uint32_t gen_;
  LeafReading reading_;
  std::unordered_map<std::uint32_t, Bits> first_;  // by root
};

class DisplayCheck {
 public:
  explicit DisplayCheck(Subject& subject) : subject_(subject), model_(subject.model) {}

  void run() {
    for (const Enum& e : model_.enums()) check_rows(e);
    if (!model_.is_sound()) return;
    for (const std::uint32_t gen : gens()) check_gen(gen);
  }

 private:
  // --- enums -------------------------------------------------------------------------------------------------------------

  // Empty displays count as well: whoever reads nothing cannot know which of two it was.
  void check_rows(const Enum& e) {
    std::unordered_map<std::string_view, const EnumValue*> displays;
    std::unordered_set<std::uint64_t> numbers;
    for (const EnumValue& value : model_.values(e)) {
      if (!numbers.insert(value.number).second) continue;  // never displayed, and reported
      const auto [entry, is_new] = displays.try_emplace(value.display, &value);
      if (is_new) continue;
      subject_.say(rule::ambiguous_display, value.where,
                   "values " + std::to_string(entry->second->number) + " and " + std::to_string(value.number) +
                       " of enum " + quoted_name(model_.text(e.name)) + " are both displayed as " +
                       quoted_name(value.display));
      subject_.note(entry->second->where, "the other value");
    }
  }

  // --- words -------------------------------------------------------------------------------------------------------------

  // The one asked for, or as few as have all leaves: first the generation with the most, then that with the most others.
  std::vector<std::uint32_t> gens() const {
    if (subject_.options.gen) return {*subject_.options.gen};
    std::vector<GenRange> open;
    for (const Bitset& leaf : model_.bitsets()) {
      if (leaf.is_leaf && !leaf.gens.is_empty()) open.push_back(leaf.gens);
    }
    const std::vector<std::uint32_t>& all = subject_.distinct_gens();
    const std::size_t step = 1 + all.size() / max_gens_compared;
    std::vector<std::uint32_t> result;
    while (!open.empty() && result.size() < max_gens) {
      std::uint32_t best = 0;
      std::ptrdiff_t most = 0;
      for (std::size_t i = 0; i < all.size(); i += step) {
        const auto count =
            std::count_if(open.begin(), open.end(), [&](GenRange gens) { return gens.contains(all[i]); });
        if (count > most) std::tie(most, best) = std::pair(count, all[i]);
      }
      if (most == 0) break;
      result.push_back(best);
      std::erase_if(open, [&](GenRange gens) { return gens.contains(best); });
    }
    return result;
  }

  // Texts are compared across all leaves of the generation, of all roots of instructions: a reader sees only texts.
  void check_gen(std::uint32_t gen) {
    const Decoder decoder(model_, {.gen = gen, .mesa_compat = subject_.options.mesa_compat});
    if (!decoder.is_usable()) return;
    CustomValues custom;
    PrintOptions style;
    style.listener = &custom;
    Printer printer(decoder, style);
    Samples samples(subject_, gen);
    texts_.clear();
    std::string text;
    for (const InstructionRoot& row : model_.instruction_roots()) {
      for (const BitsetId id : model_.leaves(model_[row.root])) {
        const Bitset& leaf = model_[id];
        if (!subject_.is_checked(leaf) || !leaf.gens.contains(gen)) continue;
        samples.each(leaf, [&](const Bits& word) {
          if (printed_++ >= max_samples || printed_bytes_ >= max_text) return;
          text.clear();
          printer.print_word(word.words(), word.width(), text);
          printed_bytes_ += text.size();
          if (text.empty() || text.starts_with("no match: ") || text.find('\t') != std::string::npos) return;
          const auto [entry, is_new] = texts_.try_emplace(text, word);
          if (!is_new && entry->second != word) compare(decoder, text, entry->second, word);
        });
      }
    }
  }

  // Two words with one text: what they differ in first, going inwards.
  void compare(const Decoder& decoder, const std::string& text, const Bits& first, const Bits& second) {
    if (!decoder.decode(first, first_) || !decoder.decode(second, second_)) return;
    const std::size_t count = std::min(first_.scopes().size(), second_.scopes().size());
    for (std::size_t i = 0; i < count; ++i) {
      const DecodedScope& a = first_.scopes()[i];
      const DecodedScope& b = second_.scopes()[i];
      if (a.leaf == b.leaf && a.display == b.display) continue;
      if (is_settled(a, b, first ^ second)) return;
      const bool is_leaf = a.leaf != b.leaf;
      const std::uint32_t low = is_leaf ? std::min(a.leaf.raw, b.leaf.raw) : std::min(a.display.raw, b.display.raw);
      const std::uint32_t high = is_leaf ? std::max(a.leaf.raw, b.leaf.raw) : std::max(a.display.raw, b.display.raw);
      if (!said_.insert((std::uint64_t{low} << 32 | high) ^ (is_leaf ? 0 : std::uint64_t{1} << 63)).second) return;
      report(text, {first, a}, {second, b});
      return;
    }
  }

  // Whether the author has said which of the two is meant: one is marked, or they differ in what has a default.
  [[nodiscard]] bool is_settled(const DecodedScope& a, const DecodedScope& b, const Bits& difference) const {
    if (model_.assembly_mark(model_[a.leaf]) != model_.assembly_mark(model_[b.leaf])) return true;
    if (a.leaf != b.leaf) return false;
    if (model_[a.display].mark != model_[b.display].mark) return true;
    Bits settled(difference.width());
    for (const DecodedScope& scope : first_.scopes()) {
      for (const BitsetId id : model_.chain(model_[scope.leaf])) {
        for (const Field& field : model_.fields(model_.cases(model_[id]).back())) {
          if (field.default_value) settled.set_range(scope.low + field.low, scope.low + field.high());
        }
      }
    }
    return (difference & ~settled).is_zero();
  }

  struct Side {
    const Bits& word;
    const DecodedScope& scope;
  };

  void report(const std::string& text, const Side& a, const Side& b) {
    const Bitset& one = model_[a.scope.leaf];
    const Bitset& other = model_[b.scope.leaf];
    const std::string words = to_hex(a.word) + " and " + to_hex(b.word) + " both print " + quoted_name(text);
    if (a.scope.leaf != b.scope.leaf) {
      subject_.say(rule::ambiguous_display, other.where,
                   subject_.name_of(one) + " and " + subject_.name_of(other) + " look alike: " + words);
      subject_.note(one.where, "the other leaf");
    } else {
      subject_.say(rule::ambiguous_display, model_[b.scope.display].where,
                   "two cases of " + subject_.name_of(one) + " look alike: " + words);
      subject_.note(model_[a.scope.display].where, "the other case");
    }
  }

  Subject& subject_;
  const Model& model_;
  std::unordered_map<std::string, Bits> texts_;  // and the word that printed it first
  std::unordered_set<std::uint64_t> said_;       // pairs of leaves, pairs of cases
  std::size_t printed_ = 0;
  std::size_t printed_bytes_ = 0;
  Decoded first_;
  Decoded second_;
};

}  // namespace

void check_displays(Subject& subject) { DisplayCheck(subject).run(); }

}  // namespace vireo::isa

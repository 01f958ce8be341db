// SPDX-License-Identifier: Apache-2.0
//
// Ambiguous displays: two words that decode to different leaves or cases and print the same text.
//
// Each leaf has a few sample words (samples.h). The check prints all samples of a generation, decodes
// those with equal texts, and reports them if they differ in a leaf or a case. So each report contains two words as
// evidence. A description without reports may still be ambiguous; assembly.cpp checks more thoroughly. This check
// ignores words that differ only in fields that no display shows, and words with annotations.
#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "isa/check/alike.h"
#include "isa/check/samples.h"
#include "isa/check/subject.h"
#include "vireo/isa/decode.h"
#include "vireo/isa/print.h"

namespace vireo::isa {
namespace {

constexpr std::size_t max_samples = 100'000;            // limit for all generations together
constexpr std::size_t max_text = std::size_t{1} << 25;  // limit on the bytes of their texts

/// Prints the value of a custom field, so that different values print differently. (Callers define the real text.)
class CustomValues final : public PrintListener {
 public:
  void custom(std::string_view, std::uint64_t value, std::string& text) override { text.append(std::to_string(value)); }
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

  // Two empty displays count as well: the text does not show which of the two values the field has.
  void check_rows(const Enum& e) {
    std::unordered_map<std::string_view, const EnumValue*> displays;
    std::unordered_set<std::uint64_t> numbers;
    for (const EnumValue& value : model_.values(e)) {
      if (!numbers.insert(value.number).second) continue;  // a duplicate number; the loader reports it
      const auto [entry, is_new] = displays.try_emplace(value.display, &value);
      if (is_new) continue;
      subject_.emit(rule::ambiguous_display, value.where,
                    "values " + std::to_string(entry->second->number) + " and " + std::to_string(value.number) +
                        " of enum " + quoted_name(model_.text(e.name)) + " are both displayed as " +
                        quoted_name(value.display));
      subject_.note(entry->second->where, "the other value");
    }
  }

  // --- words -------------------------------------------------------------------------------------------------------------

  // Returns the requested generation, or a small set that has all leaves.
  std::vector<std::uint32_t> gens() const {
    if (subject_.options.gen) return {*subject_.options.gen};
    return gens_with_all_leaves(model_, subject_.distinct_gens());
  }

  // Compares texts across all leaves and all instruction roots of the generation, because a listing contains only
  // texts.
  void check_gen(std::uint32_t gen) {
    const Decoder decoder(model_, {.gen = gen, .mesa_compat = subject_.options.mesa_compat});
    if (!decoder.is_usable()) return;
    CustomValues custom;
    PrintOptions style;
    style.listener = &custom;
    Printer printer(decoder, style);
    Samples samples(model_, gen);
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
          if (text.empty() || text.starts_with("no match: ")) return;
          if (text.find('\t') != std::string::npos) return find_endless(decoder, leaf, word);
          const auto [entry, is_new] = texts_.try_emplace(text, word);
          if (!is_new && entry->second != word) compare(decoder, text, entry->second, word);
        });
      }
    }
  }

  // Reports a field whose display contains itself endlessly: leaves of its type get the field as a param and display it
  // again. This may depend on conditions, so the report contains a word.
  void find_endless(const Decoder& decoder, const Bitset& leaf, const Bits& word) {
    if (!decoder.decode(word, first_)) return;
    for (const DecodeFault& fault : first_.faults()) {
      if (fault.kind != DecodeFault::Kind::TooLong) continue;
      const auto& fields = first_.fields();
      const auto shown = std::find_if(fields.begin(), fields.end(), [&](const DecodedField& f) {
        return f.has_nested() && f.low == fault.low && f.width == fault.width;
      });
      const Place where = shown == fields.end() ? leaf.where : model_[shown->field].where;
      if (!subject_.is_new(rule::nesting_cycle, where)) return;
      subject_.emit(rule::nesting_cycle, where,
                    "the display of " + subject_.name_of(leaf) + " is infinite for " + to_hex(word) +
                        ": this field contains itself");
    }
  }

  // Reports the outermost difference of two words with one text, once per pair of leaves or cases.
  void compare(const Decoder& decoder, const std::string& text, const Bits& first, const Bits& second) {
    if (!decoder.decode(first, first_) || !decoder.decode(second, second_)) return;
    const AlikeWords words{first, second, first_, second_};
    const std::optional<std::size_t> scope = first_difference(words);
    if (!scope || is_disambiguated(model_, words, *scope)) return;
    const DecodedScope& a = first_.scopes()[*scope];
    const DecodedScope& b = second_.scopes()[*scope];
    const bool is_leaf = a.leaf != b.leaf;
    const std::uint32_t low = is_leaf ? std::min(a.leaf.raw, b.leaf.raw) : std::min(a.display.raw, b.display.raw);
    const std::uint32_t high = is_leaf ? std::max(a.leaf.raw, b.leaf.raw) : std::max(a.display.raw, b.display.raw);
    if (!reported_.insert((std::uint64_t{low} << 32 | high) ^ (is_leaf ? 0 : std::uint64_t{1} << 63)).second) return;
    report_alike(subject_, rule::ambiguous_display, words, *scope, text);
  }

  Subject& subject_;
  const Model& model_;
  std::unordered_map<std::string, Bits> texts_;  // each text, and the first word that printed it
  std::unordered_set<std::uint64_t> reported_;   // pairs of leaves, pairs of cases
  std::size_t printed_ = 0;
  std::size_t printed_bytes_ = 0;
  Decoded first_;
  Decoded second_;
};

}  // namespace

void check_displays(Subject& subject) { DisplayCheck(subject).run(); }

}  // namespace vireo::isa

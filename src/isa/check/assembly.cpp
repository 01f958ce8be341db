// SPDX-License-Identifier: Apache-2.0
//
// Round trips through the printer and the assembler: `vireo isa check --assembler`.
//
// The check runs the assembler. Each leaf has sample words: each field at its corner values, each
// override taken and not taken. The check prints each word, assembles its text, and lists all other encodings. If the
// assembler returns another word, the text does not determine a field, a case or a leaf. Each report contains the words
// to try. The assembler's grammar finds the other leaves with the same text, so the work grows with the number of
// leaves, not of pairs. A leaf without a report may still lose information in words that were not sampled.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "isa/check/alike.h"
#include "isa/check/samples.h"
#include "isa/check/subject.h"
#include "isa/solve/defaults.h"
#include "vireo/isa/assemble.h"
#include "vireo/isa/custom_names.h"
#include "vireo/isa/print.h"

namespace vireo::isa {
namespace {

constexpr std::size_t max_lines = 60'000;         // limit on lines assembled for all leaves together
constexpr std::size_t max_lines_of_leaf = 1'000;  // limit on lines assembled for one leaf
constexpr std::size_t max_kept_pairs = 1'000;     // limit on pairs in the report

class RoundTripCheck {
 public:
  explicit RoundTripCheck(Subject& subject)
      : subject_(subject), model_(subject.model), report_(subject.report.assembly.emplace()) {}

  void run() {
    const std::vector<std::uint32_t> gens = subject_.options.gen
                                                ? std::vector<std::uint32_t>{*subject_.options.gen}
                                                : gens_with_all_leaves(model_, subject_.distinct_gens());
    // Each leaf is tried in the first of these generations that has it; other generations would mostly repeat the
    // result.
    for (const std::uint32_t gen : gens) check_gen(gen);
  }

 private:
  struct Tools {
    Tools(const Model& model, DecodeOptions options, CustomNames& names)
        : decoder(model, options),
          printer(decoder, {.listener = &names}),
          assembler(decoder, {.custom = &names, .listener = &names, .reports_ambiguity = true}),
          samples(model, options.gen, Samples::Corners::All) {}
    Decoder decoder;
    Printer printer;
    Assembler assembler;
    Samples samples;
  };

  void check_gen(std::uint32_t gen) {
    Tools tools(model_, {.gen = gen, .mesa_compat = subject_.options.mesa_compat}, names_);
    if (!tools.decoder.is_usable()) return;
    find_default_fields(tools.decoder);
    for (const InstructionRoot& row : model_.instruction_roots()) {
      for (const BitsetId id : model_.leaves(model_[row.root])) {
        const Bitset& leaf = model_[id];
        if (!subject_.is_checked(leaf) || !leaf.gens.contains(gen) || !checked_.insert(id.raw).second) continue;
        check_leaf(tools, id);
      }
    }
  }

  // Finds the fields that the assembler fills in: those with a declared default, and those with a constant that a map
  // forces.
  void find_default_fields(const Decoder& decoder) {
    const DecodeTables& tables = decoder.tables();
    std::vector<DefaultBits> defaults;
    for (const Plan& plan : tables.plans) {
      defaults.clear();
      find_defaults(model_, tables, plan, defaults);
      for (const DefaultBits& bits : defaults) default_fields_.insert(key_of(plan.leaf, bits.low));
    }
  }
  static std::uint64_t key_of(BitsetId leaf, std::uint32_t low) { return std::uint64_t{leaf.raw} << 32 | low; }

  // --- one leaf ----------------------------------------------------------------------------------------------------------

  void check_leaf(Tools& tools, BitsetId id) {
    LeafRoundTrip& result = report_.leaves.emplace_back();
    result.leaf = id;
    result.gen = tools.decoder.gen();
    if (model_.assembly_mark(model_[id]) == AssemblyMark::Never) {
      result.round_trip = LeafRoundTrip::RoundTrip::Never;
      return;
    }
    tools.samples.each(model_[id], [&](const Bits& word) {
      if (result.words == max_lines_of_leaf) return;
      if (lines_ == max_lines) {
        report_.is_complete = false;
        return;
      }
      text_.clear();
      if (!tools.printer.print_word(word.words(), word.width(), text_)) return;
      // Skip words that print with an annotation (they are not valid instructions) and words that print nothing.
      if (text_.find("\t; ") != std::string::npos || text_.find_first_not_of(' ') == std::string::npos) return;
      if (!tools.decoder.decode(word, decoded_) || decoded_.instruction().leaf != id || is_never_assembled(decoded_))
        return;
      ++lines_;
      ++result.words;
      try_word(tools, word, result);
    });
  }

  // Returns whether a scope of this word is marked as never assembled. Its text then may have another encoding, or
  // none.
  [[nodiscard]] bool is_never_assembled(const Decoded& decoded) const {
    const auto is_never = [&](const DecodedScope& scope) {
      return model_.assembly_mark(model_[scope.leaf]) == AssemblyMark::Never ||
             (scope.display && model_[scope.display].mark == AssemblyMark::Never);
    };
    return std::any_of(decoded.scopes().begin(), decoded.scopes().end(), is_never);
  }

  void try_word(Tools& tools, const Bits& word, LeafRoundTrip& result) {
    if (!tools.assembler.assemble_line(text_, line_)) {
      // Report only the first word of a leaf that does not assemble; the table has their number.
      if (result.refused++ == 0) {
        result.refused_word = word;
        subject_.emit(rule::unread_text, model_[result.leaf].where,
                      "the assembler finds no word for " + quoted_name(text_) + ", the text of " + to_hex(word));
      }
      result.round_trip = LeafRoundTrip::RoundTrip::Broken;
      return;
    }
    if (line_.word != word) {
      if (result.round_trip == LeafRoundTrip::RoundTrip::Exact) result.round_trip = LeafRoundTrip::RoundTrip::Text;
      compare(tools, word, result);
    }
    // The other encodings print the same text, so the text does not distinguish them even if this word round-trips.
    for (const Bits& other : line_.others) {
      if (other != word) compare(tools, other, result);
    }
  }

  // Compares the chosen word with another word that has the same text. They differ in a case, a leaf, or a field.
  void compare(Tools& tools, const Bits& other, LeafRoundTrip& result) {
    if (!tools.decoder.decode(line_.word, chosen_) || !tools.decoder.decode(other, other_)) return;
    const AlikeWords words{line_.word, other, chosen_, other_};
    if (line_.word.width() != other.width() || first_difference(words)) {
      // Words of different sizes always differ in their outermost leaf.
      const std::size_t scope = line_.word.width() == other.width() ? *first_difference(words) : 0;
      add_pair(words, scope);
      return;
    }
    // If the other word belongs to another leaf, the comparison shows nothing about this leaf's fields.
    if (other_.instruction().leaf == result.leaf) add_lost(line_.word ^ other, other, result);
  }

  void add_pair(const AlikeWords& words, std::size_t scope) {
    const DecodedScope& a = words.first_decoded.scopes()[scope];
    const DecodedScope& b = words.second_decoded.scopes()[scope];
    const bool is_leaf = a.leaf != b.leaf;
    const std::uint32_t first = is_leaf ? a.leaf.raw : a.display.raw;
    const std::uint32_t second = is_leaf ? b.leaf.raw : b.display.raw;
    // Ids of leaves and cases overlap, so pairs of cases use the complement as their key.
    const std::uint64_t key = std::uint64_t{std::min(first, second)} << 32 | std::max(first, second);
    if (report_.pairs.size() == max_kept_pairs || !pairs_.insert(is_leaf ? key : ~key).second) return;
    const bool is_disambiguated_pair =
        words.first.width() == words.second.width()
            ? is_disambiguated(model_, words, scope)
            : model_.assembly_mark(model_[a.leaf]) != model_.assembly_mark(model_[b.leaf]);
    report_.pairs.push_back(
        {a.leaf, a.display, b.leaf, b.display, words.first, words.second, text_, is_disambiguated_pair});
    if (!is_disambiguated_pair) report_alike(subject_, rule::equal_texts, words, scope, text_);
  }

  // --- fields ------------------------------------------------------------------------------------------------------------

  // Adds the innermost fields that contain the differing bits. Visits scopes from the innermost outwards.
  void add_lost(Bits difference, const Bits& word, LeafRoundTrip& result) {
    const std::span<const DecodedScope> scopes = other_.scopes();
    for (std::size_t i = scopes.size(); i-- > 0 && difference.any();) {
      for (const BitsetId id : model_.chain(model_[scopes[i].leaf])) {
        for (const Field& field : model_.fields(model_.cases(model_[id]).back())) {
          if (field.is_derived()) continue;
          const std::uint32_t low = scopes[i].low + field.low;
          const std::uint32_t high = scopes[i].low + field.high();
          if (high >= difference.width()) continue;
          Bits own(difference.width());
          own.set_range(low, high);
          if ((difference & own).is_zero()) continue;
          difference &= ~own;
          add_field(scopes[i].leaf, field, word, result);
        }
      }
    }
  }

  void add_field(BitsetId leaf, const Field& field, const Bits& word, LeafRoundTrip& result) {
    const FieldId id = model_.id_of(field);
    const auto is_same = [&](const LeafRoundTrip::Lost& lost) { return lost.field == id; };
    if (std::any_of(result.lost.begin(), result.lost.end(), is_same)) return;
    if (result.round_trip == LeafRoundTrip::RoundTrip::Exact) result.round_trip = LeafRoundTrip::RoundTrip::Text;
    const bool has_default = default_fields_.contains(key_of(leaf, field.low));
    result.lost.push_back({id, has_default, word, line_.word});
    // Leaves share the fields of their ancestors; one report per field is enough.
    if (has_default || !subject_.is_new(rule::lossy_text, field.where)) return;
    subject_.emit(rule::lossy_text, field.where,
                  quoted_name(text_) + " does not determine " + quoted_name(model_.text(field.name)) + ": " +
                      to_hex(word) + " and " + to_hex(line_.word) + " both print it");
  }

  Subject& subject_;
  const Model& model_;
  RoundTripReport& report_;
  CustomNames names_;  // prints custom fields as numbers, so that different values print differently
  std::unordered_set<std::uint32_t> checked_;
  std::unordered_set<std::uint64_t> default_fields_;  // keys of fields with a default, see key_of()
  std::unordered_set<std::uint64_t> pairs_;
  std::size_t lines_ = 0;
  std::string text_;
  AssembledLine line_;
  Decoded decoded_;
  Decoded chosen_;
  Decoded other_;
};

}  // namespace

void check_round_trips(Subject& subject) {
  if (subject.model.is_sound()) RoundTripCheck(subject).run();
}

}  // namespace vireo::isa

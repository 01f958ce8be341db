// SPDX-License-Identifier: Apache-2.0
//
// What the assembler can do with a description: `vireo isa check --assembler`.
//
// The one idea: it is tried. Each leaf has sample words, every field at its corners and every override both ways; the text
// of each is assembled with all other encodings. A word that does not come back shows what its text does not say: a field,
// a case, a leaf. So each report has words to try, like all of the check, and the work grows with the leaves, not with their
// pairs: whoever else has a text, the assembler finds by its grammar. Silence means that no corner showed anything.
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

constexpr std::size_t max_lines = 60'000;         // that are assembled, of all leaves together …
constexpr std::size_t max_lines_of_leaf = 1'000;  // … and of one
constexpr std::size_t max_pairs = 1'000;          // that are kept

class AssemblySurveyor {
 public:
  explicit AssemblySurveyor(Subject& subject)
      : subject_(subject), model_(subject.model), survey_(subject.report.assembly.emplace()) {}

  void run() {
    const std::vector<std::uint32_t> gens = subject_.options.gen
                                                ? std::vector<std::uint32_t>{*subject_.options.gen}
                                                : gens_with_all_leaves(model_, subject_.distinct_gens());
    // A leaf is looked at in the first of them that has it: in others it would mostly say the same again.
    for (const std::uint32_t gen : gens) survey_gen(gen);
  }

 private:
  // What one generation needs.
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

  void survey_gen(std::uint32_t gen) {
    Tools tools(model_, {.gen = gen, .mesa_compat = subject_.options.mesa_compat}, names_);
    if (!tools.decoder.is_usable()) return;
    find_settled_fields(tools.decoder);
    for (const InstructionRoot& row : model_.instruction_roots()) {
      for (const BitsetId id : model_.leaves(model_[row.root])) {
        const Bitset& leaf = model_[id];
        if (!subject_.is_checked(leaf) || !leaf.gens.contains(gen) || !surveyed_.insert(id.raw).second) continue;
        survey_leaf(tools, id);
      }
    }
  }

  // Fields with a default, declared or by a map that is forced to a constant, as the assembler fills them in.
  void find_settled_fields(const Decoder& decoder) {
    const DecodeTables& tables = decoder.tables();
    std::vector<DefaultBits> defaults;
    for (const Plan& plan : tables.plans) {
      defaults.clear();
      find_defaults(model_, tables, plan, defaults);
      for (const DefaultBits& bits : defaults) settled_.insert(key_of(plan.leaf, bits.low));
    }
  }
  static std::uint64_t key_of(BitsetId leaf, std::uint32_t low) { return std::uint64_t{leaf.raw} << 32 | low; }

  // --- one leaf ----------------------------------------------------------------------------------------------------------

  void survey_leaf(Tools& tools, BitsetId id) {
    LeafSurvey& result = survey_.leaves.emplace_back();
    result.leaf = id;
    result.gen = tools.decoder.gen();
    if (model_.assembly_mark(model_[id]) == AssemblyMark::Never) {
      result.round_trip = LeafSurvey::RoundTrip::Never;
      return;
    }
    tools.samples.each(model_[id], [&](const Bits& word) {
      if (result.words == max_lines_of_leaf) return;
      if (lines_ == max_lines) {
        survey_.is_complete = false;
        return;
      }
      text_.clear();
      if (!tools.printer.print_word(word.words(), word.width(), text_)) return;
      // A word with a remark is no word that anybody would write, and an empty line no instruction.
      if (text_.find("\t; ") != std::string::npos || text_.find_first_not_of(' ') == std::string::npos) return;
      if (!tools.decoder.decode(word, decoded_) || decoded_.instruction().leaf != id || is_never_made(decoded_)) return;
      ++lines_;
      ++result.words;
      try_word(tools, word, result);
    });
  }

  // Its text may have another word, or none; either is what the author wants.
  [[nodiscard]] bool is_never_made(const Decoded& decoded) const {
    const auto is_never = [&](const DecodedScope& scope) {
      return model_.assembly_mark(model_[scope.leaf]) == AssemblyMark::Never ||
             (scope.display && model_[scope.display].mark == AssemblyMark::Never);
    };
    return std::any_of(decoded.scopes().begin(), decoded.scopes().end(), is_never);
  }

  void try_word(Tools& tools, const Bits& word, LeafSurvey& result) {
    if (!tools.assembler.assemble_line(text_, line_)) {
      // One word of a leaf is reported; how many there are stands in the table.
      if (result.refused++ == 0) {
        result.refused_word = word;
        subject_.say(rule::unread_text, model_[result.leaf].where,
                     "no word is found for " + quoted_name(text_) + ", the text of " + to_hex(word));
      }
      result.round_trip = LeafSurvey::RoundTrip::Broken;
      return;
    }
    if (line_.word != word) {
      if (result.round_trip == LeafSurvey::RoundTrip::Exact) result.round_trip = LeafSurvey::RoundTrip::Text;
      compare(tools, word, result);
    }
    // Those the assembler passed over print the text as well: what they differ in is lost even if this word came back.
    for (const Bits& other : line_.others) {
      if (other != word) compare(tools, other, result);
    }
  }

  // Another word with the text of the one that was chosen: a case, a leaf, or a field tells them apart.
  void compare(Tools& tools, const Bits& other, LeafSurvey& result) {
    if (!tools.decoder.decode(line_.word, chosen_) || !tools.decoder.decode(other, other_)) return;
    const AlikeWords words{line_.word, other, chosen_, other_};
    if (line_.word.width() != other.width() || first_difference(words)) {
      // Of two sizes there is nothing to compare but the leaves.
      const std::size_t scope = line_.word.width() == other.width() ? *first_difference(words) : 0;
      add_pair(words, scope);
      return;
    }
    // A text that another leaf shares says nothing of this one's fields.
    if (other_.instruction().leaf == result.leaf) add_lost(line_.word ^ other, other, result);
  }

  void add_pair(const AlikeWords& words, std::size_t scope) {
    const DecodedScope& a = words.first_decoded.scopes()[scope];
    const DecodedScope& b = words.second_decoded.scopes()[scope];
    const bool is_leaf = a.leaf != b.leaf;
    const std::uint32_t first = is_leaf ? a.leaf.raw : a.display.raw;
    const std::uint32_t second = is_leaf ? b.leaf.raw : b.display.raw;
    // Leaves and cases are numbered apart, so a complement keeps their keys apart.
    const std::uint64_t key = std::uint64_t{std::min(first, second)} << 32 | std::max(first, second);
    if (survey_.pairs.size() == max_pairs || !pairs_.insert(is_leaf ? key : ~key).second) return;
    const bool is_said = words.first.width() == words.second.width()
                             ? is_settled(model_, words, scope)
                             : model_.assembly_mark(model_[a.leaf]) != model_.assembly_mark(model_[b.leaf]);
    survey_.pairs.push_back({a.leaf, a.display, b.leaf, b.display, words.first, words.second, text_, is_said});
    if (!is_said) report_alike(subject_, rule::equal_texts, words, scope, text_);
  }

  // --- fields ------------------------------------------------------------------------------------------------------------

  // The innermost fields that the differing bits belong to: those of scopes that are shown, then those that hold them.
  void add_lost(Bits difference, const Bits& word, LeafSurvey& result) {
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

  void add_field(BitsetId leaf, const Field& field, const Bits& word, LeafSurvey& result) {
    const FieldId id = model_.id_of(field);
    const auto is_same = [&](const LeafSurvey::Lost& lost) { return lost.field == id; };
    if (std::any_of(result.lost.begin(), result.lost.end(), is_same)) return;
    if (result.round_trip == LeafSurvey::RoundTrip::Exact) result.round_trip = LeafSurvey::RoundTrip::Text;
    const bool has_default = settled_.contains(key_of(leaf, field.low));
    result.lost.push_back({id, has_default, word, line_.word});
    // Leaves share the fields of their ancestors, where the author would mend it: once is enough.
    if (has_default || !subject_.is_new(rule::lossy_text, field.where)) return;
    subject_.say(rule::lossy_text, field.where,
                 quoted_name(text_) + " does not say all of " + quoted_name(model_.text(field.name)) + ": " +
                     to_hex(word) + " and " + to_hex(line_.word) + " both print it");
  }

  Subject& subject_;
  const Model& model_;
  AssemblySurvey& survey_;
  CustomNames names_;  // numbers, so that two of them differ
  std::unordered_set<std::uint32_t> surveyed_;
  std::unordered_set<std::uint64_t> settled_;  // leaf and lowest bit of fields with a default
  std::unordered_set<std::uint64_t> pairs_;
  std::size_t lines_ = 0;
  std::string text_;
  AssembledLine line_;
  Decoded decoded_;
  Decoded chosen_;
  Decoded other_;
};

}  // namespace

void survey_assembly(Subject& subject) {
  if (subject.model.is_sound()) AssemblySurveyor(subject).run();
}

}  // namespace vireo::isa

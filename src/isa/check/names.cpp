// SPDX-License-Identifier: Apache-2.0
//
// Finds names that are undefined for some words.
//
// A use may be undefined if only overrides define the name and none of them contains the use. The check
// then tries words until the use is evaluated and no definition holds. The report contains that word.
#include <algorithm>

#include "isa/check/case_checks.h"

namespace vireo::isa {

// Checks all uses of names in a leaf: conditions, derived fields, displays. Params name fields too, but their values
// matter only if the nested bitset reads them, and this use is checked in the nested bitset.
void NameCheck::check_leaf() {
  const std::span<const LeafReading::SeenCase> cases = reading_.cases();
  bool is_decided = false;  // no display after the first unconditional one is shown
  for (std::uint32_t position = 0; position < cases.size(); ++position) {
    const Case& row = *cases[position].row;
    const auto check_expression = [&](ExpressionId id) {
      for (const NameId name : model_.slots(model_[id]))
        check_use({Use::Kind::Expression, position, name, model_[id].where, id});
    };
    // Every condition is evaluated, whether its case holds or not.
    if (!row.is_default()) check_expression(row.condition);
    for (const Field& field : model_.fields(row)) {
      if (field.is_derived()) check_expression(field.expression);
    }
    if (!row.has_display || is_decided) continue;
    is_decided = row.is_default();
    for (const Segment& segment : model_.segments(row)) {
      if (segment.kind != Segment::Kind::Field) continue;
      check_use({Use::Kind::Display, position, segment.name, segment.where, ExpressionId::none()});
    }
  }
}

void NameCheck::check_use(const Use& use) {
  const std::span<const LeafReading::Definition> definitions = reading_.definitions(use.name);
  // If no case defines the name, it must be a param. Missing params are reported at the end, at the fields that do not
  // pass them, because the author has to change those fields.
  if (definitions.empty()) {
    if (!reading_.may_be_passed(use.name)) return;  // reported by the loader
    const BitsetId root = reading_.leaf().root;
    if (outside_names_.insert(std::uint64_t{root.raw} << 32 | use.name.raw).second)
      outside_[root.index()].push_back({model_.id_of(reading_.leaf()), use.name, place_of(use)});
    return;
  }
  // Usually some definition applies wherever the name is used. If a param may define the name, the check cannot prove
  // that it is undefined.
  const bool is_certain = std::any_of(definitions.begin(), definitions.end(), [&](LeafReading::Definition d) {
    const Case& row = *reading_.cases()[d.position].row;
    return row.is_default() || d.position == use.position || row.condition == use.expression;
  });
  if (is_certain || reading_.may_be_passed(use.name) || reading_.is_exhausted()) return;
  reading_.spend(reading_.cases().size());

  // The bits that determine whether a definition holds and whether the use is evaluated.
  Support support;
  support.bits = Bits(reading_.leaf().size);
  for (const LeafReading::Definition& d : definitions) reading_.add_support(*reading_.cases()[d.position].row, support);
  for (const LeafReading::SeenCase& seen : reading_.cases()) {
    if (seen.row->has_display || use.kind != Use::Kind::Display) reading_.add_support(*seen.row, support);
  }
  const Bitset& leaf = reading_.leaf();
  for (const std::uint32_t gen : gens_to_try(subject_, subject_.gens_of(leaf), support)) {
    none_of_words(leaf.care, leaf.match, support.bits, [&](const Bits& word) {
      reading_.spend(definitions.size());
      if (reading_.is_exhausted()) return true;
      reading_.take(word, gen);
      if (!is_missing(use)) return false;
      // Few words reach this point, because most words have a definition.
      reading_.take(word, gen);  // discards what is_missing() evaluated
      if (!is_used(use)) return false;
      add_missing(use, word);
      return true;
    });
  }
}

bool NameCheck::is_missing(const Use& use) {
  const std::span<const LeafReading::Definition> definitions = reading_.definitions(use.name);
  return std::all_of(definitions.begin(), definitions.end(),
                     [&](LeafReading::Definition d) { return reading_.fails(*reading_.cases()[d.position].row); });
}

// A use in a display counts if its case holds and no earlier case with a display holds. A use in an expression counts
// if printing evaluates the expression.
bool NameCheck::is_used(const Use& use) {
  if (use.kind == Use::Kind::Expression) {
    reading_.evaluate_display();
    return reading_.was_evaluated(use.expression);
  }
  const std::span<const LeafReading::SeenCase> cases = reading_.cases();
  return reading_.holds(*cases[use.position].row) &&
         std::all_of(cases.begin(), cases.begin() + use.position, [&](const LeafReading::SeenCase& seen) {
           return !seen.row->has_display || reading_.fails(*seen.row);
         });
}

// A segment has its own place. For an expression, the model has only the place of the whole text.
Place NameCheck::place_of(const Use& use) const {
  if (use.kind == Use::Kind::Display) return use.where;
  return subject_.part_of(use.where, "{" + std::string(model_.text(use.name)) + "}");
}

// Leaves that inherit a display share it. Each place is reported once, with all leaves in which the name is undefined.
void NameCheck::add_missing(const Use& use, const Bits& word) {
  const Place where = place_of(use);
  const BitsetId leaf = model_.id_of(reading_.leaf());
  const auto [entry, is_new] =
      missing_at_.try_emplace(std::uint64_t{where.file.raw} << 32 | where.begin, missing_.size());
  if (is_new) missing_.push_back({use.name, where, reading_.definitions(use.name).front().field->where, word, {}});
  std::vector<BitsetId>& leaves = missing_[entry->second].leaves;
  // A leaf may reach one place in several generations.
  if (leaves.empty() || leaves.back() != leaf) leaves.push_back(leaf);
}

void NameCheck::finish() {
  report_missing();
  report_outside();
}

void NameCheck::report_missing() {
  for (const Missing& missing : missing_) {
    subject_.emit(rule::unresolved_field, missing.where,
                  "no field " + quoted_name(model_.text(missing.name)) + " in " +
                      subject_.name_of(model_[missing.leaves.front()]) + " for " + to_hex(missing.word) +
                      ": only overrides define it");
    subject_.note(missing.definition, "defined here");
    if (missing.leaves.size() == 1) continue;
    const Bitset& second = model_[missing.leaves[1]];
    const std::size_t others = missing.leaves.size() - 2;
    subject_.note(second.where, "the same in " + subject_.name_of(second) +
                                    (others == 0 ? "" : " and " + std::to_string(others) + " more"));
  }
}

// The loader checks that some field passes the name. This function checks every field of the type, because any of them
// may contain the leaf. It skips a field and a leaf that have no common generation.
void NameCheck::report_outside() {
  for (const Field& field : model_.rows().fields) {
    if (field.bitset.is_none() || outside_[field.bitset.index()].empty()) continue;
    const std::span<const Param> params = model_.params(field);
    reading_.spend(outside_[field.bitset.index()].size() * (1 + params.size()));
    if (reading_.is_exhausted()) return;
    const Bitset& owner = model_[model_[field.owner].owner];
    for (const OutsideUse& use : outside_[field.bitset.index()]) {
      const bool is_passed =
          std::any_of(params.begin(), params.end(), [&](const Param& p) { return p.inner == use.name; });
      if (is_passed || intersect(subject_.gens_of(owner), model_[use.leaf].gens).is_empty()) continue;
      const std::string name = quoted_name(model_.text(use.name));
      subject_.emit(rule::missing_param, field.where,
                    "field " + quoted_name(model_.text(field.name)) + " does not pass " + name + ", which " +
                        subject_.name_of(model_[use.leaf]) + " reads");
      subject_.note(use.where, "read here");
    }
  }
}

}  // namespace vireo::isa

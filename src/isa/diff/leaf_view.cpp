// SPDX-License-Identifier: Apache-2.0
//
// Flattens a chain of bitsets into one view.
//
// List the cases in the search order of isaspec 2.4, for all words at once. Each case that may hold is
// kept with its condition. Cases after one that always holds are never reached, so they are dropped.
#include "isa/diff/leaf_view.h"

#include "isa/diff/fold.h"
#include "isa/explain/origin.h"

namespace vireo::isa {
namespace {

std::string pattern_of(const Bitset& leaf) {
  std::string text(leaf.size, '.');
  for (std::uint32_t i = 0; i < leaf.size; ++i) {
    char& c = text[leaf.size - 1 - i];
    // `.` is a bit of a field; `x` is don't-care, and the decoder reports it if it is set.
    if (leaf.dont_care.test(i)) c = 'x';
    else if (leaf.care.test(i)) c = leaf.match.test(i) ? '1' : '0';
  }
  return text;
}

MeaningView meaning_of(const Model& model, const Field& field, const std::string& condition,
                       std::optional<std::uint32_t> gen) {
  MeaningView meaning;
  meaning.condition = condition;
  if (field.is_derived()) {
    meaning.value = fold(model, field.expression, gen).text;
    // For a derived field the width only matters as the position of the sign or as the size of a float.
    if (is_signed(field.type) || field.type == FieldType::Float || field.type == FieldType::Absbranch)
      meaning.bits = "width " + std::to_string(field.width);
  } else {
    meaning.bits = bit_range(field.low, field.width);
  }
  meaning.type = type_name(model, field);
  if (field.has_display) meaning.shows = "\"" + std::string(field.display) + "\"";
  meaning.params = params_text(model, field);
  meaning.is_call = field.is_call;
  return meaning;
}

// Follows the decoder's search for names, but over all cases that may hold.
class Viewer {
 public:
  Viewer(const Model& model, const Bitset& leaf, std::optional<std::uint32_t> gen)
      : model_(model), leaf_(leaf), gen_(gen) {}

  LeafView view() {
    view_.gens = leaf_.gens;
    view_.size = std::to_string(leaf_.size) + (leaf_.size == 1 ? " bit" : " bits");
    view_.shown_name = leaf_.display_name;
    view_.pattern = pattern_of(leaf_);
    for (const BitsetId id : model_.chain(leaf_)) {
      for (const Case& c : model_.cases(model_[id])) add_case(c);
    }
    return std::move(view_);
  }

 private:
  void add_case(const Case& c) {
    std::string condition;
    if (!c.is_default()) {
      const Folded folded = fold(model_, c.condition, gen_);
      // This makes two generations comparable: overrides for other generations disappear, and overrides that always
      // hold in this one become its default.
      if (folded.value && *folded.value == 0) return;
      if (!folded.value) condition = folded.text;
    }
    for (const Field& field : model_.fields(c)) {
      const auto [place, is_new] = view_.meanings.try_emplace(model_.text(field.name));
      if (is_new) view_.names.push_back(place->first);
      std::vector<MeaningView>& meanings = place->second;
      if (!meanings.empty() && meanings.back().condition.empty()) continue;  // hidden by an unconditional definition
      meanings.push_back(meaning_of(model_, field, condition, gen_));
    }
    // Asserts are checked only in cases up to the one whose display is used (docs/isaspec.md, "Which display").
    if (has_found_display_) return;
    for (const Assert& expected : model_.asserts(c)) {
      view_.asserts.push_back(
          {condition, bit_range(expected.low, expected.width) + " = " + std::string(expected.text)});
    }
    if (!c.has_display) return;
    view_.displays.push_back({condition, display_text(model_, c)});
    has_found_display_ = condition.empty();
  }

  const Model& model_;
  const Bitset& leaf_;
  std::optional<std::uint32_t> gen_;
  LeafView view_;
  bool has_found_display_ = false;
};

}  // namespace

std::string MeaningView::brief() const {
  // Used for a field that only one side has. Omits the display text and `call` for brevity.
  std::string text = value.empty() ? bits : "= " + value + ",";
  text.append(" ").append(type);
  if (!params.empty()) text.append(" passing ").append(params);
  return text;
}

LeafView view_of(const Model& model, const Bitset& leaf, std::optional<std::uint32_t> gen) {
  return Viewer(model, leaf, gen).view();
}

}  // namespace vireo::isa

// SPDX-License-Identifier: Apache-2.0
//
// A chain of bitsets → one flat view.
//
// The one idea: the order of isaspec 2.4 without a word at hand. All cases that can hold are kept, each with its condition;
// what comes behind a case that always holds is never found, and is left out.
#include "isa/diff/leaf_view.h"

#include "isa/diff/fold.h"
#include "isa/explain/origin.h"

namespace vireo::isa {
namespace {

std::string pattern_of(const Bitset& leaf) {
  std::string text(leaf.size, '.');
  for (std::uint32_t i = 0; i < leaf.size; ++i) {
    char& c = text[leaf.size - 1 - i];
    // `.` and `x` differ for a reader: the one belongs to a field, of the other the decoder remarks when it is set.
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
    // Only where the sign stands, or a float ends.
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

// The walk is that of the decoder's search for names, over all cases that may count at once.
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
      // This is what makes two generations of one description comparable: overrides for other generations are gone, and
      // those that always hold in this one have become its default.
      if (folded.value && *folded.value == 0) return;
      if (!folded.value) condition = folded.text;
    }
    for (const Field& field : model_.fields(c)) {
      const auto [place, is_new] = view_.meanings.try_emplace(model_.text(field.name));
      if (is_new) view_.names.push_back(place->first);
      std::vector<MeaningView>& meanings = place->second;
      if (!meanings.empty() && meanings.back().condition.empty()) continue;  // found before
      meanings.push_back(meaning_of(model_, field, condition, gen_));
    }
    // Asserts are checked of the cases on the way to the display that is used, and not beyond (docs/isaspec.md, "Which
    // display").
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
  // For a field that only one side has; its shown text and its calls are not worth a line of their own there.
  std::string text = value.empty() ? bits : "= " + value + ",";
  text.append(" ").append(type);
  if (!params.empty()) text.append(" passing ").append(params);
  return text;
}

LeafView view_of(const Model& model, const Bitset& leaf, std::optional<std::uint32_t> gen) {
  return Viewer(model, leaf, gen).view();
}

}  // namespace vireo::isa

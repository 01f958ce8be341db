// SPDX-License-Identifier: Apache-2.0
//
// A leaf flattened into texts: what two of them are compared by.
//
// The one idea: everything that a decoder could ask is listed in its order, each with the condition under which it counts;
// what cannot count in the generation is not listed, nor what stands behind something that always counts.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/isa/model.h"

namespace vireo::isa {

/// What a name means under a condition. Empty texts: there is no such thing.
struct MeaningView {
  std::string condition;  ///< empty: always
  std::string bits;       ///< "4:0"; of a derived field empty
  std::string value;      ///< of a derived field: its expression
  std::string type;
  std::string shows;  ///< of bool and bool_inv
  std::string params;
  bool is_call = false;

  /// "4:0 uint", "= {A} + 1, uint".
  [[nodiscard]] std::string brief() const;
};

/// A display, or an assert, under a condition.
struct Conditional {
  std::string condition;
  std::string text;
  friend bool operator==(const Conditional&, const Conditional&) = default;
};

struct LeafView {
  GenRange gens;
  std::string size;
  std::string shown_name;
  std::string pattern;                  ///< of all bits, the highest first: 0, 1, x, and `.` for the others
  std::vector<std::string_view> names;  ///< in the order in which they are found
  std::map<std::string_view, std::vector<MeaningView>> meanings;
  std::vector<Conditional> displays;
  std::vector<Conditional> asserts;
};

/// The names borrow from the model.
LeafView view_of(const Model& model, const Bitset& leaf, std::optional<std::uint32_t> gen);

}  // namespace vireo::isa

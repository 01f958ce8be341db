// SPDX-License-Identifier: Apache-2.0
//
// A leaf flattened into texts for comparison.
//
// List definitions, displays and asserts in the decoder's search order, each with its condition. Drop
// entries that never apply in the generation, and entries after one that always applies.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/isa/model.h"

namespace vireo::isa {

/// The definition of a name under a condition. If a text is empty, the field has no such attribute.
struct MeaningView {
  std::string condition;  ///< empty: always holds
  std::string bits;       ///< "4:0"; empty for a derived field
  std::string value;      ///< the expression of a derived field
  std::string type;
  std::string shows;  ///< the display of a bool or bool_inv field
  std::string params;
  bool is_call = false;

  /// Returns a short text such as "4:0 uint" or "= {A} + 1, uint".
  [[nodiscard]] std::string brief() const;
};

/// A display or an assert, and its condition.
struct Conditional {
  std::string condition;
  std::string text;
  friend bool operator==(const Conditional&, const Conditional&) = default;
};

struct LeafView {
  GenRange gens;
  std::string size;
  std::string shown_name;
  std::string pattern;                  ///< all bits, highest first: 0, 1, x, and `.` for others
  std::vector<std::string_view> names;  ///< in search order
  std::map<std::string_view, std::vector<MeaningView>> meanings;
  std::vector<Conditional> displays;
  std::vector<Conditional> asserts;
};

/// The view borrows its names from the model.
LeafView view_of(const Model& model, const Bitset& leaf, std::optional<std::uint32_t> gen);

}  // namespace vireo::isa

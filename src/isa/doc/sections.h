// SPDX-License-Identifier: Apache-2.0
//
// The sections of a page: what is said of a leaf, of a bitset that leaves share, of an enum.
//
// The one idea: every bitset and enum has an anchor, fixed before the first line is written, and every mention is a link.
#pragma once

#include <string>
#include <vector>

#include "isa/doc/html.h"
#include "vireo/isa/doc.h"

namespace vireo::isa {

/// Where everything stands: anchors by row. Variants of one name share an article.
class Anchors {
 public:
  explicit Anchors(const Model& model);

  [[nodiscard]] const std::string& of(BitsetId id) const { return bitsets_[id.index()]; }
  [[nodiscard]] const std::string& of(EnumId id) const { return enums_[id.index()]; }

 private:
  std::vector<std::string> bitsets_;
  std::vector<std::string> enums_;
};

class Sections {
 public:
  Sections(const Model& model, const DocOptions& options, Html& html)
      : model_(model), options_(options), html_(html), anchors_(model) {}

  /// All leaves of one name, in one article.
  void leaves(std::span<const BitsetId> variants);
  /// A bitset that others extend; `children` are those.
  void shared(const Bitset& bitset, std::span<const BitsetId> children);
  void enumeration(const Enum& e);
  /// The names of numbers in custom fields that the description has.
  void custom_names();

  [[nodiscard]] const Anchors& anchors() const { return anchors_; }
  [[nodiscard]] bool exists(const Bitset& bitset) const {
    return options_.gen ? bitset.gens.contains(*options_.gen) : true;
  }
  void doc(std::string_view text);
  void link(BitsetId id) { html_.link(anchors_.of(id), model_.text(model_[id].name)); }
  void badge(GenRange gens);

 private:
  struct Row {
    // The case that says it: where it is an override's, the row tells under which condition.
    const Case* of;
    BitsetId home;  // where it is declared; none: here
    std::uint32_t low;
    std::uint32_t width;
    const Field* field;     // null: a pattern or an assert
    std::string_view kind;  // of those
    std::string_view text;
  };
  void variant(const Bitset& leaf);
  void chain(const Bitset& bitset);
  void displays(std::span<const BitsetId> chain);
  void rows(std::span<const BitsetId> chain);
  void field_cells(const Field& field);
  void metas(const Bitset& bitset);
  void assembly(const Bitset& leaf);

  // All borrowed from the page, which is made and gone within write_doc().
  const Model& model_;
  const DocOptions& options_;
  Html& html_;
  Anchors anchors_;
};

}  // namespace vireo::isa

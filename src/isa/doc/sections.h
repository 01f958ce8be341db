// SPDX-License-Identifier: Apache-2.0
//
// The sections of a page: articles for leaves, for bitsets that leaves share, and for enums.
//
// Every bitset and enum gets its anchor before the first line is written, so every mention can be a link.
#pragma once

#include <string>
#include <vector>

#include "isa/doc/html.h"
#include "vireo/isa/doc.h"

namespace vireo::isa {

/// The anchors of bitsets and enums. Variants of one name share an article and its anchor.
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

  /// Writes the article of all leaves with one name.
  void leaves(std::span<const BitsetId> variants);
  /// Writes the article of a bitset that the bitsets in `children` extend.
  void shared(const Bitset& bitset, std::span<const BitsetId> children);
  void enumeration(const Enum& e);
  /// Writes the description's names for numbers in custom fields.
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
    // The case of the row. If it is an override, the row shows its condition.
    const Case* of;
    BitsetId declared_in;  // the bitset that declares it; none: the bitset of the article
    std::uint32_t low;
    std::uint32_t width;
    const Field* field;     // null: a pattern or an assert
    std::string_view kind;  // "pattern" or "assert"
    std::string_view text;
  };
  void variant(const Bitset& leaf);
  void chain(const Bitset& bitset);
  void displays(std::span<const BitsetId> chain);
  void rows(std::span<const BitsetId> chain);
  void field_cells(const Field& field);
  void metas(const Bitset& bitset);
  void assembly(const Bitset& leaf);

  // These objects outlive the sections: they exist until write_doc() returns.
  const Model& model_;
  const DocOptions& options_;
  Html& html_;
  Anchors anchors_;
};

}  // namespace vireo::isa

// SPDX-License-Identifier: Apache-2.0
//
// The model under construction: its rows, and the references that are not resolved yet.
//
// Three stages. read.cpp adds rows in document order and stores each reference as a text with its
// position. After all files are read, resolve.cpp and displays.cpp turn references into ids. validate.cpp checks the
// result. Each stage reports faults and continues. A *fault* is an error that Mesa's tools accept; under mesa_compat it
// is a warning.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "isa/model/elements.h"
#include "isa/model/rules.h"
#include "vireo/isa/load.h"

namespace vireo::isa {

/// A name in an attribute that refers to a row; empty if the attribute is missing.
struct Reference {
  std::string_view text;
  Place where;
};

/// An element, kept to compute positions in its text.
struct TextSource {
  FileId file;
  const XmlElement* element = nullptr;
};

struct EncodingRow {
  Reference root;
  std::string_view pattern;
  std::uint32_t low = 0;
  std::uint32_t width = 0;  ///< 0 = no pattern
};

/// Data that must outlive loading because rows refer to it.
struct ModelTexts {
  std::deque<XmlElements> documents;
  std::deque<std::string> strings;
};

struct ModelBuilder {
  explicit ModelBuilder(std::deque<SourceFile>& source_files, bool is_compat)
      : files(source_files), mesa_compat(is_compat) {}

  std::deque<SourceFile>& files;
  bool mesa_compat;
  ModelRows rows;
  std::shared_ptr<ModelTexts> texts = std::make_shared<ModelTexts>();

  // References, indexed by the row that contains them.
  std::vector<Reference> parent_of;         // by bitset
  std::vector<Reference> type_of;           // by field
  std::vector<Reference> value_of;          // by field: the expression attribute of a derived field
  std::vector<Reference> condition_of;      // by case
  std::vector<TextSource> display_of;       // by case
  std::vector<TextSource> alias_source;     // by alias
  std::vector<Place> slot_places;           // by slot
  std::vector<TextSource> template_source;  // by template
  // Bitsets with an unreadable pattern, assert or field. Their undefined bits are not reported.
  std::unordered_set<std::uint32_t> incomplete;
  std::vector<EncodingRow> encoding;
  std::uint32_t encoding_unit = 0;

  // The last row of each name; for bitsets, all rows of each name, in order.
  std::unordered_map<std::uint32_t, ExpressionId> expression_by_name;
  std::unordered_map<std::uint32_t, TemplateId> template_by_name;
  std::unordered_map<std::uint32_t, EnumId> enum_by_name;
  std::unordered_map<std::uint32_t, std::vector<BitsetId>> bitsets_by_name;

  NameId intern(std::string_view name);
  [[nodiscard]] NameId find(std::string_view name) const;
  [[nodiscard]] std::string_view text(NameId id) const { return id ? std::string_view(rows.names[id.index()]) : ""; }

  // Diagnostics. A note adds a second position, possibly in another file.
  void error(std::string_view rule, Place where, std::string message, std::string hint = {});
  void warning(std::string_view rule, Place where, std::string message, std::string hint = {});
  /// An error; with mesa_compat a warning.
  void fault(std::string_view rule, Place where, std::string message, std::string hint = {});
  /// Adds a note to the last diagnostic, which is in the file of `reported`.
  void note(Place reported, Place where, std::string message);

  /// Returns the position of `length` bytes at `offset` of an element's text.
  [[nodiscard]] Place place_of(const TextSource& source, std::size_t offset, std::size_t length) const;
};

/// Removes white space at both ends.
std::string_view trimmed(std::string_view text);

// The stages, in order.
void read_declarations(ModelBuilder& draft, FileId file, const XmlElements& document);
void resolve(ModelBuilder& draft);
void resolve_displays(ModelBuilder& draft);
void validate(ModelBuilder& draft, const Model& model);
void validate_assembly(ModelBuilder& draft, const Model& model);

}  // namespace vireo::isa

// SPDX-License-Identifier: Apache-2.0
//
// The model while it is made: rows, and beside them the names that are not yet ids.
//
// The one idea: reading (read.cpp) writes rows in document order and remembers every reference as a text with a place;
// resolving (resolve.cpp, displays.cpp) turns references into ids when all is read; validating (validate.cpp) looks at the
// result. Each of them reports what it finds and goes on. A *fault* is an error that Mesa's tools do not notice: it is a
// warning when the user asks for their view.
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

/// A name that stands for a row. Empty: nothing was said.
struct Reference {
  std::string_view text;
  Place where;
};

/// An element's text, kept for places within it.
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

/// What outlives loading because rows refer to it.
struct ModelTexts {
  std::deque<XmlElements> documents;
  std::deque<std::string> strings;
};

struct Draft {
  explicit Draft(std::deque<SourceFile>& source_files, bool is_compat) : files(source_files), mesa_compat(is_compat) {}

  std::deque<SourceFile>& files;
  bool mesa_compat;
  ModelRows rows;
  std::shared_ptr<ModelTexts> texts = std::make_shared<ModelTexts>();

  // References, by the index of the row that makes them.
  std::vector<Reference> parent_of;         // by bitset
  std::vector<Reference> type_of;           // by field
  std::vector<Reference> value_of;          // by field: the expression attribute of a derived field
  std::vector<Reference> condition_of;      // by case
  std::vector<TextSource> display_of;       // by case
  std::vector<TextSource> alias_source;     // by alias
  std::vector<Place> slot_places;           // by slot
  std::vector<TextSource> template_source;  // by template
  // Bitsets of which a pattern, an assert or a field could not be read: nobody knows which bits it would have had.
  std::unordered_set<std::uint32_t> incomplete;
  std::vector<EncodingRow> encoding;
  std::uint32_t encoding_unit = 0;

  // The last row of each name; all rows of a bitset's name, in order.
  std::unordered_map<std::uint32_t, ExpressionId> expression_by_name;
  std::unordered_map<std::uint32_t, TemplateId> template_by_name;
  std::unordered_map<std::uint32_t, EnumId> enum_by_name;
  std::unordered_map<std::uint32_t, std::vector<BitsetId>> bitsets_by_name;

  NameId intern(std::string_view name);
  [[nodiscard]] NameId find(std::string_view name) const;
  [[nodiscard]] std::string_view text(NameId id) const { return id ? std::string_view(rows.names[id.index()]) : ""; }

  // Reporting. A note points at a second place, also of another file.
  void error(std::string_view rule, Place where, std::string message, std::string hint = {});
  void warning(std::string_view rule, Place where, std::string message, std::string hint = {});
  /// An error; with mesa_compat a warning.
  void fault(std::string_view rule, Place where, std::string message, std::string hint = {});
  /// Adds a note to what was reported last, in the file of `reported`.
  void note(Place reported, Place where, std::string message);

  /// The place of `length` bytes at `offset` of an element's text.
  [[nodiscard]] Place place_of(const TextSource& source, std::size_t offset, std::size_t length) const;
};

/// White space at both ends taken off.
std::string_view trimmed(std::string_view text);

// The stages, in their order.
void read_declarations(Draft& draft, FileId file, const XmlElements& document);
void resolve(Draft& draft);
void resolve_displays(Draft& draft);
void validate(Draft& draft, const Model& model);
void validate_assembly(Draft& draft, const Model& model);

}  // namespace vireo::isa

// SPDX-License-Identifier: Apache-2.0
//
// The model while it is made: names and reports.
#include "isa/model/draft.h"

namespace vireo::isa {

// All names are one table, whatever they name: to compare two is to compare numbers from here on.
NameId Draft::intern(std::string_view name) {
  const auto [entry, is_new] =
      rows.name_index.try_emplace(std::string(name), static_cast<std::uint32_t>(rows.names.size()));
  if (is_new) rows.names.emplace_back(name);
  return NameId(entry->second);
}

NameId Draft::find(std::string_view name) const {
  const auto found = rows.name_index.find(std::string(name));
  return found == rows.name_index.end() ? NameId::none() : NameId(found->second);
}

void Draft::error(std::string_view rule, Place where, std::string message, std::string hint) {
  files[where.file.index()].diagnostics.error(rule, Location::in_text(where.begin, where.end), std::move(message),
                                              std::move(hint));
}

void Draft::warning(std::string_view rule, Place where, std::string message, std::string hint) {
  files[where.file.index()].diagnostics.warning(rule, Location::in_text(where.begin, where.end), std::move(message),
                                                std::move(hint));
}

// A fault is what Mesa's tools accept and nobody can have meant: theirs to keep where people ask for their manner.
void Draft::fault(std::string_view rule, Place where, std::string message, std::string hint) {
  if (mesa_compat) warning(rule, where, std::move(message), std::move(hint));
  else error(rule, where, std::move(message), std::move(hint));
}

void Draft::note(Place reported, Place where, std::string message) {
  Location location = Location::in_text(where.begin, where.end);
  if (where.file != reported.file) {  // a location belongs to the file of its diagnostic: say the other one in words
    const SourceFile& file = files[where.file.index()];
    const LineColumn at = LineIndex(file.text).locate(where.begin);
    message += ": " + file.name + ':' + std::to_string(at.line) + ':' + std::to_string(at.column);
    location = Location::none();
  }
  files[reported.file.index()].diagnostics.note(location, std::move(message));
}

Place Draft::place_of(const TextSource& source, std::size_t offset, std::size_t length) const {
  constexpr std::size_t exact = 2048;  // finding a place walks the text; of monstrous ones the beginning will do
  const std::string_view text = files[source.file.index()].text;
  // A display may have 64 KiB, and each of its names asks for a place.
  const std::size_t begin = std::min(offset, exact);
  return {source.file, place_in_source(text, *source.element, begin),
          place_in_source(text, *source.element, begin + length)};
}

// XML's four blanks, and the two more that editors leave behind in a text.
std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\n\r\v\f";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

}  // namespace vireo::isa

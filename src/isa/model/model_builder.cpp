// SPDX-License-Identifier: Apache-2.0
//
// Names and diagnostics of the model under construction.
#include "isa/model/model_builder.h"

namespace vireo::isa {

// All names are in one table, so names are compared as numbers.
NameId ModelBuilder::intern(std::string_view name) {
  const auto [entry, is_new] =
      rows.name_index.try_emplace(std::string(name), static_cast<std::uint32_t>(rows.names.size()));
  if (is_new) rows.names.emplace_back(name);
  return NameId(entry->second);
}

NameId ModelBuilder::find(std::string_view name) const {
  const auto found = rows.name_index.find(std::string(name));
  return found == rows.name_index.end() ? NameId::none() : NameId(found->second);
}

void ModelBuilder::error(std::string_view rule, Place where, std::string message, std::string hint) {
  files[where.file.index()].diagnostics.error(rule, Location::in_text(where.begin, where.end), std::move(message),
                                              std::move(hint));
}

void ModelBuilder::warning(std::string_view rule, Place where, std::string message, std::string hint) {
  files[where.file.index()].diagnostics.warning(rule, Location::in_text(where.begin, where.end), std::move(message),
                                                std::move(hint));
}

// Reports an error that Mesa's tools accept; a warning under mesa_compat.
void ModelBuilder::fault(std::string_view rule, Place where, std::string message, std::string hint) {
  if (mesa_compat) warning(rule, where, std::move(message), std::move(hint));
  else error(rule, where, std::move(message), std::move(hint));
}

void ModelBuilder::note(Place reported, Place where, std::string message) {
  Location location = Location::in_text(where.begin, where.end);
  if (where.file != reported.file) {  // locations refer to the diagnostic's file, so append this one to the message
    const SourceFile& file = files[where.file.index()];
    const LineColumn at = LineIndex(file.text).locate(where.begin);
    message += ": " + file.name + ':' + std::to_string(at.line) + ':' + std::to_string(at.column);
    location = Location::none();
  }
  files[reported.file.index()].diagnostics.note(location, std::move(message));
}

Place ModelBuilder::place_of(const TextSource& source, std::size_t offset, std::size_t length) const {
  constexpr std::size_t exact = 2048;  // in bytes; finding a position scans the text
  const std::string_view text = files[source.file.index()].text;
  // Later offsets are clamped, because a display may have 64 KiB and many names.
  const std::size_t begin = std::min(offset, exact);
  return {source.file, place_in_source(text, *source.element, begin),
          place_in_source(text, *source.element, begin + length)};
}

// Removes XML's four white space characters, and two more that editors produce.
std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\n\r\v\f";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

}  // namespace vireo::isa

// SPDX-License-Identifier: Apache-2.0
//
// Reads the parts of a description that only the assembler uses: aliases, marks, defaults, names of custom fields.
// docs/isaspec.md, "For the assembler".
//
// Their names begin with `vireo-`, which no other tool uses. Mesa's tools ignore unknown attributes and elements.
#pragma once

#include <optional>

#include "isa/model/element_reader.h"

namespace vireo::isa {

class AssemblyReader : protected ElementReader {
 protected:
  using ElementReader::ElementReader;

  /// The mark of a bitset or an override: `vireo-assembly="canonical"`.
  AssemblyMark mark_of(const XmlElement& e);
  /// The value of `vireo-default` as bits of the field; nothing if it is missing, malformed or too large.
  std::optional<BitWord> default_of(const XmlElement& e, std::uint32_t width);

  /// Aliases of a bitset's name: `<vireo-alias name="…"/>`.
  Run name_aliases(const XmlElement& bitset);
  /// Aliases of an enum value's display: `<vireo-alias display="…"/>`.
  Run value_aliases(const XmlElement& value, std::string_view display);
  /// Aliases of a case's display, `<vireo-alias>…</vireo-alias>`. The case must have a display.
  Run display_aliases(const XmlElement& e, const Case& row);

  /// `<vireo-names>`: names of custom fields, as in a file for --names.
  void read_names(const XmlElement& e);

 private:
  Run attribute_aliases(const XmlElement& e, std::string_view attribute);
  Run since(std::size_t first) const;
  void add_alias(std::string_view text, Place where, TextSource source);
};

}  // namespace vireo::isa

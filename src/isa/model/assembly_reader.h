// SPDX-License-Identifier: Apache-2.0
//
// What a description says for the assembler alone: aliases, marks, defaults, names of custom fields. docs/isaspec.md, "For
// the assembler".
//
// The one idea: a decoder needs none of it, and Mesa's tools pass over attributes and elements that they do not know. So
// all of it begins with `vireo-`, which nobody else will ever give another meaning, and stands beside what it speaks of.
#pragma once

#include <optional>

#include "isa/model/element_reader.h"

namespace vireo::isa {

class AssemblyReader : protected ElementReader {
 protected:
  using ElementReader::ElementReader;

  /// The mark of a bitset or an override: `vireo-assembly="canonical"`.
  AssemblyMark mark_of(const XmlElement& e);
  /// The bits of `vireo-default`, which fit into the field; nothing when there is none, or after a fault.
  std::optional<BitWord> default_of(const XmlElement& e, std::uint32_t width);

  /// Other names of a bitset: `<vireo-alias name="…"/>`.
  Run name_aliases(const XmlElement& bitset);
  /// Other texts of an enum's value: `<vireo-alias display="…"/>`.
  Run value_aliases(const XmlElement& value, std::string_view display);
  /// Other displays of a case, `<vireo-alias>…</vireo-alias>`; they need one that they are other forms of.
  Run display_aliases(const XmlElement& e, const Case& row);

  /// `<vireo-names>`: what --names says in a file.
  void read_names(const XmlElement& e);

 private:
  Run attribute_aliases(const XmlElement& e, std::string_view attribute);
  Run since(std::size_t first) const;
  void add_alias(std::string_view text, Place where, TextSource source);
};

}  // namespace vireo::isa

// SPDX-License-Identifier: Apache-2.0
//
// XML as a flat list of elements with positions.
//
// Only load_xml.cpp uses the XML library. It produces a vector in document order, in which each element has its first
// child and next sibling. It limits the depth, so later stages need no check. Document types and entities are not
// expanded, except the five predefined entities and character references.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/support/diagnostic.h"

namespace vireo::isa {

inline constexpr std::uint32_t no_element = ~std::uint32_t{0};

struct XmlAttribute {
  std::string_view name;
  std::string_view value;
  std::uint32_t begin = 0;  ///< position of the value in the file, without quotes
  std::uint32_t end = 0;
  mutable bool is_used = false;  ///< set when the attribute is read; unused attributes are reported
};

struct XmlElement {
  std::string_view name;
  std::string_view text;    ///< before the first child element, without comments, with references resolved
  std::uint32_t begin = 0;  ///< position of the name in the file
  std::uint32_t end = 0;
  std::uint32_t text_begin = 0;  ///< position of the raw text in the file
  std::uint32_t first_child = no_element;
  std::uint32_t next = no_element;  ///< sibling
  bool has_text = false;            ///< whether it has text other than white space, before or after its children
  std::uint32_t first_attribute = 0;
  std::uint32_t attribute_count = 0;
};

/// The elements of one file. Owns their texts.
struct XmlElements {
  std::vector<XmlElement> elements;  ///< document order; empty if there is no document element
  std::vector<XmlAttribute> attributes;
  std::deque<std::string> joined;        ///< texts of several parts, which comments separate in the file
  std::shared_ptr<const void> document;  ///< the library's tree, which contains all other texts
  bool is_whole = false;                 ///< the document was parsed completely and is valid UTF-8
};

/// Parses a file and reports XML faults. Declarations that are complete before the first fault are kept.
XmlElements read_xml(std::string_view text, Diagnostics& diagnostics);

/// Converts byte `offset` of an element's text to a position in the file.
std::uint32_t place_in_source(std::string_view source, const XmlElement& element, std::size_t offset);

}  // namespace vireo::isa

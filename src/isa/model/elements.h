// SPDX-License-Identifier: Apache-2.0
//
// XML as a flat list of elements with positions.
//
// The one idea: the XML library stays behind load_xml.cpp. What comes out is a vector in document order, in which each
// element knows its first child and its next sibling; depth is bounded while it is made, so no later room has to care.
// Document types and entities are not expanded: the five predefined entities and character references are all there is.
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
  std::uint32_t begin = 0;  ///< of the value in the file, quotes excluded
  std::uint32_t end = 0;
  mutable bool is_used = false;  ///< set by whoever reads it; what stays unused is reported
};

struct XmlElement {
  std::string_view name;
  std::string_view text;    ///< before the first child element, comments left out, references resolved
  std::uint32_t begin = 0;  ///< of the name in the file
  std::uint32_t end = 0;
  std::uint32_t text_begin = 0;  ///< of the raw text in the file
  std::uint32_t first_child = no_element;
  std::uint32_t next = no_element;  ///< sibling
  bool has_text = false;            ///< other than white space, before or behind its children
  std::uint32_t first_attribute = 0;
  std::uint32_t attribute_count = 0;
};

/// The elements of one file. Owns the texts of the elements.
struct XmlElements {
  std::vector<XmlElement> elements;  ///< the document element is the first; empty: there was no document
  std::vector<XmlAttribute> attributes;
  std::deque<std::string> joined;        ///< texts that comments had cut into pieces
  std::shared_ptr<const void> document;  ///< what the library parsed; all other texts are in it
  bool is_whole = false;                 ///< there was a document, and all of it could be read
};

/// Parses a file. Faults of the XML are reported; the declarations that were read whole before the fault are kept.
XmlElements read_xml(std::string_view text, Diagnostics& diagnostics);

/// Where byte `offset` of an element's text stands in the file.
std::uint32_t place_in_source(std::string_view source, const XmlElement& element, std::size_t offset);

}  // namespace vireo::isa

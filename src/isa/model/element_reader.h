// SPDX-License-Identifier: Apache-2.0
//
// Reads the parts common to all elements: children, attributes, numbers and bit ranges.
//
// A table lists the allowed children of each element. Reading an attribute marks it as used; unused attributes are
// reported with the nearest known name.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "isa/model/model_builder.h"

namespace vireo::isa {

class ElementReader {
 public:
  ElementReader(ModelBuilder& draft, FileId file, const XmlElements& document)
      : draft_(draft), file_(file), document_(document) {}

 protected:
  template <typename Function>
  void each(const XmlElement& parent, std::string_view name, Function function) {
    for (std::uint32_t i = parent.first_child; i != no_element; i = document_.elements[i].next) {
      if (name.empty() || document_.elements[i].name == name) function(document_.elements[i]);
    }
  }
  void check_children(const XmlElement& parent, std::string_view kind);
  [[nodiscard]] Place place(const XmlElement& e) const { return {file_, e.begin, e.end}; }
  [[nodiscard]] Place place(const XmlAttribute& a) const { return {file_, a.begin, a.end}; }
  [[nodiscard]] Place text_place(const XmlElement& e) const;
  const XmlAttribute* find(const XmlElement& e, std::string_view name);
  const XmlAttribute* need(const XmlElement& e, std::string_view name);
  Reference reference(const XmlAttribute* attribute) const;
  // Reports unused attributes. Called after an element is read.
  void finish(const XmlElement& e, std::string_view known);
  // Reads a decimal number of at most `max`; also C's other spellings if `is_literal`.
  std::optional<std::uint64_t> number(const XmlAttribute& attribute, std::uint64_t max, bool is_literal = false);
  std::uint32_t small_number(const XmlAttribute* attribute, std::uint32_t otherwise, std::uint32_t max);
  // Reads `true` or `false`. Any other value is reported and counts as false.
  bool flag(const XmlAttribute* attribute);
  std::string_view doc_of(const XmlElement& parent);
  // Reads low= and high=, or pos=. Returns false after a fault.
  bool range(const XmlElement& e, std::uint32_t& low, std::uint32_t& width);

  ModelBuilder& draft_;
  FileId file_;
  const XmlElements& document_;
};

}  // namespace vireo::isa

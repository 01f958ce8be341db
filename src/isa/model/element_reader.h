// SPDX-License-Identifier: Apache-2.0
//
// What reading any element needs: its children, its attributes, numbers and ranges of bits.
//
// The one idea: a table says which elements may stand in which, and an attribute is marked when it is read; what is left
// over is misspelt, and reported with the nearest word that has a meaning.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "isa/model/draft.h"

namespace vireo::isa {

class ElementReader {
 public:
  ElementReader(Draft& draft, FileId file, const XmlElements& document)
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
  // Called when an element has been read: the attributes that nobody asked for.
  void finish(const XmlElement& e, std::string_view known);
  // A decimal number of at most `max`; C's other spellings when `is_literal`.
  std::optional<std::uint64_t> number(const XmlAttribute& attribute, std::uint64_t max, bool is_literal = false);
  std::uint32_t small_number(const XmlAttribute* attribute, std::uint32_t otherwise, std::uint32_t max);
  // `true` or not. Whatever else it says is no, and a slip.
  bool flag(const XmlAttribute* attribute);
  std::string_view doc_of(const XmlElement& parent);
  // low= and high=, or pos=. False after a fault.
  bool range(const XmlElement& e, std::uint32_t& low, std::uint32_t& width);

  Draft& draft_;
  FileId file_;
  const XmlElements& document_;
};

}  // namespace vireo::isa

// SPDX-License-Identifier: Apache-2.0
//
// Parsed JSON: an immutable tree of values.
//
// All values of a document are in one vector and refer to their parents. So any value can compute its
// path (`$.instructions[3].opcode`), and callers need not track paths. Parsing and destroying a document are not
// recursive, so deep nesting uses heap memory, not stack. RFC 8259. Only json.cpp includes nlohmann.
//
//   JsonFault fault;
//   std::optional<JsonDocument> document = JsonDocument::parse(text, fault);
//   for (JsonValue item : document->root().find("instructions").elements()) item.find("opname").text();
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vireo {

class JsonDocument;

enum class JsonType : std::uint8_t {
  Absent,  ///< no value; the result of find() for a missing key
  Null,
  Boolean,
  Integer,  ///< a number without fraction that fits std::int64_t
  Number,   ///< any other number
  String,
  Array,
  Object,
};

/// The reason why a text is not JSON.
struct JsonFault {
  std::uint64_t offset = 0;  ///< byte at which the fault was detected
  std::string message;       ///< lower case, no full stop
};

/// One value of a document. A reference that is cheap to copy. The document must outlive it and must not move. If a
/// value has another type, its accessors return an empty text, no number or no children.
class JsonValue {
 public:
  class Children;

  JsonValue() = default;

  [[nodiscard]] JsonType type() const;
  [[nodiscard]] bool is_absent() const { return document_ == nullptr; }
  [[nodiscard]] bool is(JsonType wanted) const { return type() == wanted; }
  [[nodiscard]] std::string_view text() const;                ///< of a String
  [[nodiscard]] std::string_view number_text() const;         ///< of a Number, as in the document
  [[nodiscard]] std::optional<std::int64_t> integer() const;  ///< of an Integer
  [[nodiscard]] bool boolean() const;                         ///< true only for the Boolean `true`
  [[nodiscard]] Children elements() const;                    ///< of an Array; of an Object: the members' values
  [[nodiscard]] std::string_view key() const;                 ///< of a member of an object
  [[nodiscard]] JsonValue find(
      std::string_view key) const;  ///< member of an Object; the first one if the key is repeated
  [[nodiscard]] std::uint32_t index() const { return node_; }  ///< for JsonDocument::at
  [[nodiscard]] std::string path() const;                      ///< `$.instructions[3].opcode`

 private:
  friend class JsonDocument;
  JsonValue(const JsonDocument* document, std::uint32_t node) : document_(document), node_(node) {}

  const JsonDocument* document_ = nullptr;
  std::uint32_t node_ = 0;
};

class JsonDocument {
 public:
  /// Parses a whole document. Returns none and sets `fault` if the text is not JSON.
  static std::optional<JsonDocument> parse(std::string_view text, JsonFault& fault);

  [[nodiscard]] JsonValue root() const { return {this, 0}; }
  [[nodiscard]] JsonValue at(std::uint32_t index) const { return {this, index}; }

 private:
  friend class JsonValue;
  friend class JsonBuilder;
  static constexpr std::uint32_t none = 0xFFFFFFFF;

  struct Slice {
    std::uint32_t offset = 0;
    std::uint32_t length = 0;
  };
  struct Node {
    JsonType type = JsonType::Null;
    std::uint32_t parent = none;
    std::uint32_t position = 0;  // among the parent's children
    std::uint32_t next = none;   // sibling
    std::uint32_t first_child = none;
    std::uint32_t child_count = 0;
    Slice key;
    Slice text;
    std::int64_t integer = 0;  // 1 or 0 for a Boolean
  };
  [[nodiscard]] std::string_view chars(Slice slice) const {
    return std::string_view(chars_).substr(slice.offset, slice.length);
  }

  std::vector<Node> nodes_;
  std::string chars_;  // keys and strings, unescaped
};

/// The children of an array or object, for range-for.
class JsonValue::Children {
 public:
  class iterator {
   public:
    using value_type = JsonValue;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;
    JsonValue operator*() const { return {document_, node_}; }
    iterator& operator++() {
      node_ = document_->nodes_[node_].next;
      return *this;
    }
    friend bool operator==(const iterator& a, const iterator& b) { return a.node_ == b.node_; }

   private:
    friend class Children;
    iterator(const JsonDocument* document, std::uint32_t node) : document_(document), node_(node) {}
    const JsonDocument* document_;
    std::uint32_t node_;
  };

  [[nodiscard]] iterator begin() const { return {document_, first_}; }
  [[nodiscard]] iterator end() const { return {document_, JsonDocument::none}; }

 private:
  friend class JsonValue;
  Children(const JsonDocument* document, std::uint32_t first) : document_(document), first_(first) {}
  const JsonDocument* document_;
  std::uint32_t first_;
};

}  // namespace vireo

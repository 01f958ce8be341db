// SPDX-License-Identifier: Apache-2.0
//
// Parses JSON with nlohmann's SAX interface, whose parser keeps its own stack; see json.h.
#include "support/json.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

namespace vireo {

/// Receives the parser's events and appends nodes. The open containers are linked by their parent indexes.
class JsonBuilder {
 public:
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;

  JsonBuilder(JsonDocument& document, JsonFault& fault) : document_(document), fault_(fault) {}

  // An event handler returns whether the parser should continue; hence `, true`.
  bool null() { return add(JsonType::Null), true; }
  bool boolean(bool value) { return add(JsonType::Boolean).integer = value ? 1 : 0, true; }
  bool number_integer(number_integer_t value) { return add(JsonType::Integer).integer = value, true; }
  bool number_unsigned(number_unsigned_t value) {
    // A value beyond std::int64_t is stored as Number, not as Integer. Grammars contain no such numbers.
    const bool fits = value <= static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max());
    if (fits) add(JsonType::Integer).integer = static_cast<std::int64_t>(value);
    else add(JsonType::Number).text = keep(std::to_string(value));
    return true;
  }
  bool number_float(number_float_t, const string_t& text) { return add(JsonType::Number).text = keep(text), true; }
  bool string(string_t& value) { return add(JsonType::String).text = keep(value), true; }
  bool binary(binary_t&) { return false; }  // not in JSON text

  bool start_object(std::size_t) { return open(JsonType::Object); }
  bool start_array(std::size_t) { return open(JsonType::Array); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(string_t& value) { return key_ = keep(value), true; }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception& error) {
    // "[json.exception.parse_error.101] parse error at line 1, column 5: syntax error while …": only the last part is
    // kept.
    std::string message = error.what();
    if (const std::size_t colon = message.find(": "); colon != std::string::npos) message.erase(0, colon + 2);
    while (!message.empty() && message.back() == '.') message.pop_back();
    fault_.offset = position == 0 ? 0 : position - 1;
    fault_.message = std::move(message);
    return false;
  }

 private:
  JsonDocument::Node& add(JsonType type) {
    std::vector<JsonDocument::Node>& nodes = document_.nodes_;
    const auto index = static_cast<std::uint32_t>(nodes.size());
    JsonDocument::Node node;
    node.type = type;
    node.parent = open_;
    node.key = std::exchange(key_, {});
    if (open_ != JsonDocument::none) {
      JsonDocument::Node& parent = nodes[open_];
      node.position = parent.child_count++;
      if (node.position == 0) parent.first_child = index;
      else nodes[last_].next = index;
    }
    last_ = index;
    return nodes.emplace_back(node);
  }

  bool open(JsonType type) {
    add(type);
    open_ = last_;
    return true;
  }

  // The parent's index replaces a stack, so there is no limit on the depth.
  bool close() {
    last_ = open_;  // the next sibling is linked to the container that ends here
    open_ = document_.nodes_[open_].parent;
    return true;
  }

  // All strings share one buffer, so a document consists of two growing allocations, however many keys it has.
  JsonDocument::Slice keep(std::string_view text) {
    const JsonDocument::Slice slice{static_cast<std::uint32_t>(document_.chars_.size()),
                                    static_cast<std::uint32_t>(text.size())};
    document_.chars_.append(text);
    return slice;
  }

  JsonDocument& document_;
  JsonFault& fault_;
  std::uint32_t open_ = JsonDocument::none;  // innermost open container
  std::uint32_t last_ = JsonDocument::none;  // last child of it
  JsonDocument::Slice key_;
};

std::optional<JsonDocument> JsonDocument::parse(std::string_view text, JsonFault& fault) {
  // Unescaped text is never longer than the JSON, and each value takes at least one byte. So every index is in range.
  if (text.size() > std::numeric_limits<std::int32_t>::max()) {
    fault = {0, "the text is longer than 2 GiB"};
    return std::nullopt;
  }
  JsonDocument document;
  JsonBuilder builder(document, fault);
  if (!nlohmann::json::sax_parse(text.data(), text.data() + text.size(), &builder)) return std::nullopt;
  return document;
}

JsonType JsonValue::type() const { return is_absent() ? JsonType::Absent : document_->nodes_[node_].type; }

std::string_view JsonValue::text() const {
  return is(JsonType::String) ? document_->chars(document_->nodes_[node_].text) : std::string_view();
}

std::string_view JsonValue::number_text() const {
  return is(JsonType::Number) ? document_->chars(document_->nodes_[node_].text) : std::string_view();
}

std::optional<std::int64_t> JsonValue::integer() const {
  if (!is(JsonType::Integer)) return std::nullopt;
  return document_->nodes_[node_].integer;
}

bool JsonValue::boolean() const { return is(JsonType::Boolean) && document_->nodes_[node_].integer != 0; }

JsonValue::Children JsonValue::elements() const {
  return {document_, is_absent() ? JsonDocument::none : document_->nodes_[node_].first_child};
}

std::string_view JsonValue::key() const {
  return is_absent() ? std::string_view() : document_->chars(document_->nodes_[node_].key);
}

// The search is linear, because objects of a grammar have about ten members. If a key is repeated, the first member is
// returned.
JsonValue JsonValue::find(std::string_view key) const {
  if (!is(JsonType::Object)) return {};
  for (const JsonValue member : elements()) {
    if (member.key() == key) return member;
  }
  return {};
}

// Collects the steps from the value up to the root, and writes them in reverse.
std::string JsonValue::path() const {
  if (is_absent()) return {};
  std::vector<std::uint32_t> steps;  // from the value up to, but without, the root
  for (std::uint32_t node = node_; document_->nodes_[node].parent != JsonDocument::none;
       node = document_->nodes_[node].parent) {
    steps.push_back(node);
  }
  std::string path = "$";
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    const JsonDocument::Node& node = document_->nodes_[*step];
    if (document_->nodes_[node.parent].type == JsonType::Object) {
      path.append(".").append(document_->chars(node.key));
    } else {
      path.append("[").append(std::to_string(node.position)).append("]");
    }
  }
  return path;
}

}  // namespace vireo

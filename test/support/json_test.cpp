// SPDX-License-Identifier: Apache-2.0
//
// Reads JSON into an immutable tree.
#include "support/json.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace vireo {
namespace {

JsonDocument parsed(std::string_view text) {
  JsonFault fault;
  std::optional<JsonDocument> document = JsonDocument::parse(text, fault);
  EXPECT_TRUE(document.has_value()) << fault.message;
  return document ? std::move(*document) : JsonDocument();
}

TEST(Json, values_have_their_types) {
  const JsonDocument document =
      parsed(R"({"n": null, "t": true, "f": false, "i": -5, "d": 1.5, "s": "\u00e9\n", "a": [1, 2]})");
  const JsonValue root = document.root();
  EXPECT_EQ(root.type(), JsonType::Object);
  EXPECT_EQ(root.find("n").type(), JsonType::Null);
  EXPECT_TRUE(root.find("t").boolean());
  EXPECT_FALSE(root.find("f").boolean());
  EXPECT_EQ(root.find("i").integer(), -5);
  EXPECT_EQ(root.find("d").type(), JsonType::Number);
  EXPECT_EQ(root.find("s").text(), "\xC3\xA9\n");
  std::vector<std::int64_t> elements;
  for (const JsonValue value : root.find("a").elements()) elements.push_back(value.integer().value_or(-1));
  EXPECT_EQ(elements, (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(root.find("x").type(), JsonType::Absent);
}

TEST(Json, integers_beyond_64_bits_are_numbers) {
  const JsonDocument document =
      parsed("[9223372036854775807, 9223372036854775808, 1e3, 123456789012345678901234567890]");
  std::string types;
  for (const JsonValue value : document.root().elements()) types.push_back(value.integer() ? 'i' : 'n');
  EXPECT_EQ(types, "innn");
}

TEST(Json, every_value_has_a_path) {
  const JsonDocument document = parsed(R"({"a": [[], {"b": [true, {"c": 0}]}], "d": 1})");
  EXPECT_EQ(document.root().path(), "$");
  EXPECT_EQ(document.root().find("d").path(), "$.d");
  std::string deepest;
  for (const JsonValue outer : document.root().find("a").elements()) {
    for (const JsonValue inner : outer.find("b").elements()) deepest = inner.find("c").path();
  }
  EXPECT_EQ(deepest, "$.a[1].b[1].c");
}

TEST(Json, a_value_of_another_type_is_empty) {
  const JsonDocument document = parsed("[1]");
  const JsonValue root = document.root();
  EXPECT_EQ(root.text(), "");
  EXPECT_FALSE(root.integer().has_value());
  EXPECT_TRUE(root.find("a").is_absent());
  const JsonValue absent;
  EXPECT_EQ(absent.path(), "");
  for (const JsonValue value : absent.elements()) ADD_FAILURE() << value.path();
}

TEST(Json, the_first_of_equal_keys_is_used) { EXPECT_EQ(parsed(R"({"k": 1, "k": 2})").root().find("k").integer(), 1); }

TEST(Json, faults_have_a_place) {
  const struct {
    std::string_view text;
    std::uint64_t offset;
  } rows[] = {{"", 0}, {"{", 1}, {"[1,]", 3}, {"[1] 2", 4}, {"\"\xFF\"", 1}, {"{\"a\" 1}", 5}, {"nul", 3}};
  for (const auto& row : rows) {
    JsonFault fault;
    EXPECT_FALSE(JsonDocument::parse(row.text, fault).has_value()) << row.text;
    EXPECT_EQ(fault.offset, row.offset) << row.text << ": " << fault.message;
    EXPECT_FALSE(fault.message.empty());
    EXPECT_NE(fault.message.back(), '.');
  }
}

TEST(Json, depth_uses_no_stack) {
  std::string text(2'000'000, '[');
  JsonFault fault;
  EXPECT_FALSE(JsonDocument::parse(text, fault).has_value());
  text.append(2'000'000, ']');
  EXPECT_TRUE(JsonDocument::parse(text, fault).has_value());
}

}  // namespace
}  // namespace vireo

// SPDX-License-Identifier: Apache-2.0
//
// JsonWriter: exact output for small documents; another parser checks strings with hostile contents.
#include "support/json_writer.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <random>

namespace vireo {
namespace {

template <typename Write>
std::string written(Write write) {
  StringSink sink;
  JsonWriter json(sink);
  write(json);
  json.flush();
  return sink.text();
}

std::string as_string(std::string_view bytes) {
  return written([&](JsonWriter& json) { json.string(bytes); });
}

TEST(json_writer, places_commas_and_colons) {
  EXPECT_EQ(
      written([](JsonWriter& json) {
        json.begin_object().key("a").number(1).key("b").begin_array().string("x").null().boolean(true);
        json.begin_object().end_object().begin_array().end_array().end_array().key("c").boolean(false).end_object();
        json.end_document();
      }),
      "{\"a\":1,\"b\":[\"x\",null,true,{},[]],\"c\":false}\n");
}

TEST(json_writer, writes_one_document_for_each_line) {
  EXPECT_EQ(written([](JsonWriter& json) {
              for (int i = 0; i < 3; ++i) json.begin_array().number(i).end_array().end_document();
            }),
            "[0]\n[1]\n[2]\n");
}

TEST(json_writer, breaks_lines_between_elements_on_request) {
  EXPECT_EQ(written([](JsonWriter& json) {
              json.begin_array().line_break().number(1).line_break().number(2).line_break().end_array();
            }),
            "[\n1,\n2\n]");
}

TEST(json_writer, writes_shortest_numbers_and_null_for_infinities) {
  EXPECT_EQ(written([](JsonWriter& json) {
              json.begin_array();
              json.number(std::numeric_limits<std::uint64_t>::max()).number(std::numeric_limits<std::int64_t>::min());
              json.number(0.1).number(-2.5e300).number(std::numeric_limits<double>::infinity());
              json.number(std::numeric_limits<double>::quiet_NaN()).end_array();
            }),
            "[18446744073709551615,-9223372036854775808,0.1,-2.5e+300,null,null]");
}

TEST(json_writer, escapes_characters_not_allowed_in_strings) {
  struct Row {
    std::string_view bytes, json;
  };
  using namespace std::string_view_literals;
  const Row rows[] = {
      {"", "\"\""},
      {"a/b", "\"a/b\""},
      {"\"\\", "\"\\\"\\\\\""},
      {"\b\f\n\r\t", "\"\\b\\f\\n\\r\\t\""},
      {"\0\x1b\x7f"sv, "\"\\u0000\\u001b\\u007f\""},
      {"\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80", "\"\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80\""},
      {"a\xFFz", "\"a\xEF\xBF\xBDz\""},                                              // never a byte of UTF-8
      {"\xC0\xAF", "\"\xEF\xBF\xBD\xEF\xBF\xBD\""},                                  // overlong
      {"\xED\xA0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},                  // surrogate
      {"\xF4\x90\x80\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},  // above 10FFFF
      {"\xE2\x82", "\"\xEF\xBF\xBD\xEF\xBF\xBD\""},                                  // truncated
  };
  for (const Row& row : rows) EXPECT_EQ(as_string(row.bytes), row.json);
}

TEST(json_writer, writes_valid_json_for_random_bytes) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes(random() % 40, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random() % 3 == 0 ? random() % 128 : random());
    const std::string json = as_string(bytes);
    ASSERT_TRUE(nlohmann::json::accept(json)) << json;
    const bool is_utf8 = json.find("\xEF\xBF\xBD") == std::string::npos;
    if (is_utf8) { ASSERT_EQ(nlohmann::json::parse(json).get<std::string>(), bytes); }
  }
}

TEST(json_writer, streams_in_chunks_until_the_sink_stops) {
  struct FullSink final : TextSink {
    std::size_t taken = 0;
    int calls = 0;
    bool write(std::string_view chunk) override {
      ++calls;
      taken += chunk.size();
      return taken < 100'000;
    }
  } sink;
  JsonWriter json(sink);
  json.begin_array();
  for (int i = 0; i < 100'000; ++i) json.number(i);
  json.end_array();
  EXPECT_FALSE(json.flush());
  EXPECT_GT(sink.calls, 3);
  EXPECT_LT(sink.taken, 150'000u) << "the sink is not called again after it refused";
}

}  // namespace
}  // namespace vireo

// SPDX-License-Identifier: Apache-2.0
//
// Checks the keys of jobs and the types of their values by tables (job.h; docs/run.md, "The format of jobs").
//
// A value of a wrong type must not look like a missing one: a test whose expectation is not read always passes.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/run/job.h"
#include "support/nearest.h"
#include "support/printable.h"

namespace vireo::cli {
namespace {

enum class Form : std::uint8_t {
  Text,
  TextOrNull,
  Boolean,
  Number,
  Natural,   // an integer from 0
  Word,      // one of 32 bits
  Positive,  // one of 32 bits, from 1
  Groups,
  SubgroupSize,
  Object,
  ObjectOfObjects,
  Array,
  Values,  // an array that is not empty
  Texts,
  Naturals,
  Objects,
  Expected,  // a value that states something
};

constexpr std::pair<Form, std::string_view> texts_of_forms[] = {
    {Form::Text, "a string"},
    {Form::TextOrNull, "a string or null"},
    {Form::Boolean, "true or false"},
    {Form::Number, "a number"},
    {Form::Natural, "an integer from 0"},
    {Form::Word, "an integer from 0 to 4294967295"},
    {Form::Positive, "an integer from 1 to 4294967295"},
    {Form::Groups, "three integers from 1 to 4294967295"},
    {Form::SubgroupSize, "a power of two from 1 to 128, \"MIN\" or \"MAX\""},
    {Form::Object, "an object"},
    {Form::ObjectOfObjects, "an object of objects"},
    {Form::Array, "an array"},
    {Form::Values, "an array that is not empty"},
    {Form::Texts, "an array of strings"},
    {Form::Naturals, "an array of integers from 0"},
    {Form::Objects, "an array of objects"},
    {Form::Expected, "a value that is not empty"},
};

std::string_view text_of_form(Form form) {
  return std::ranges::find(texts_of_forms, form, &std::pair<Form, std::string_view>::first)->second;
}

bool is_integer(JsonValue json, std::int64_t least, std::int64_t most) {
  const auto number = json.integer();
  return number && *number >= least && *number <= most;
}

std::size_t count_of(JsonValue json) {
  std::size_t count = 0;
  for ([[maybe_unused]] const JsonValue each : json.elements()) ++count;
  return count;
}

bool is_list(JsonValue json, JsonType type, bool (*is_element)(JsonValue)) {
  if (!json.is(type)) return false;
  for (const JsonValue each : json.elements()) {
    if (!is_element(each)) return false;
  }
  return true;
}

bool is_text(JsonValue json) { return json.is(JsonType::String); }
bool is_object(JsonValue json) { return json.is(JsonType::Object); }
bool is_natural(JsonValue json) { return is_integer(json, 0, std::numeric_limits<std::int64_t>::max()); }
bool is_word(JsonValue json) { return is_integer(json, 0, std::numeric_limits<std::uint32_t>::max()); }
bool is_positive(JsonValue json) { return is_word(json) && *json.integer() != 0; }

bool is_subgroup_size(JsonValue json) {
  if (is_text(json)) return json.text() == "MIN" || json.text() == "MAX";
  return is_integer(json, 1, 128) && std::has_single_bit(static_cast<std::uint64_t>(*json.integer()));
}

bool has_form(JsonValue json, Form form) {
  switch (form) {
    case Form::Text: return is_text(json);
    case Form::TextOrNull: return is_text(json) || json.is(JsonType::Null);
    case Form::Boolean: return json.is(JsonType::Boolean);
    case Form::Number: return json.is(JsonType::Integer) || json.is(JsonType::Number);
    case Form::Natural: return is_natural(json);
    case Form::Word: return is_word(json);
    case Form::Positive: return is_positive(json);
    case Form::Groups: return is_list(json, JsonType::Array, is_positive) && count_of(json) == 3;
    case Form::SubgroupSize: return is_subgroup_size(json);
    case Form::Object: return is_object(json);
    case Form::ObjectOfObjects: return is_list(json, JsonType::Object, is_object);
    case Form::Array: return json.is(JsonType::Array);
    case Form::Values: return json.is(JsonType::Array) && count_of(json) != 0;
    case Form::Texts: return is_list(json, JsonType::Array, is_text);
    case Form::Naturals: return is_list(json, JsonType::Array, is_natural);
    case Form::Objects: return is_list(json, JsonType::Array, is_object);
    case Form::Expected: break;
  }
  return !json.is(JsonType::Null) && ((!json.is(JsonType::Array) && !is_object(json)) || count_of(json) != 0);
}

struct Key {
  std::string_view name;
  Form form = Form::Text;
  bool is_required = false;
  std::span<const std::string_view> words = {};  // that the text can be; empty: any
};
constexpr bool required = true;

constexpr std::string_view kinds[] = {"compute", "graphics"};
constexpr std::string_view stages[] = {"compute"};
constexpr std::string_view dimensions[] = {"1d", "2d", "3d"};
constexpr std::string_view expect_comparisons[] = {"eq", "ne", "lt", "le", "gt", "ge", "near"};
constexpr std::string_view buffer_comparisons[] = {"bytes", "rmse", "histogram_emd"};
constexpr std::string_view kinds_of_descriptors[] = {
    "storage_buffer",   "storage_buffer_dynamic", "uniform_buffer",       "uniform_buffer_dynamic", "storage_image",
    "sampled_image",    "combined_image_sampler", "storage_texel_buffer", "uniform_texel_buffer",   "sampler",
    "input_attachment", "acceleration_structure"};

constexpr Key keys_of_job[] = {{"name"},
                               {"modules", Form::ObjectOfObjects},
                               {"buffers", Form::ObjectOfObjects},
                               {"samplers", Form::ObjectOfObjects},
                               {"pipelines", Form::ObjectOfObjects},
                               {"findings", Form::Texts},
                               {"printf", Form::Texts}};
// Those that describe where a test is from and what a device needs for it.
constexpr std::string_view keys_of_descriptions[] = {"format",   "kind",       "commands",   "source",
                                                     "features", "extensions", "properties", "tags",
                                                     "notes",    "why",        "text",       "line"};
constexpr Key kind_of_job[] = {{"kind", Form::Text, !required, kinds}};
constexpr Key commands_of_job[] = {{"commands", Form::Values, required}, {"commands", Form::Objects}};
constexpr Key keys_of_module[] = {{"file", Form::Text, required}, {"target_env"}};
constexpr Key keys_of_buffer[] = {{"size", Form::Natural},   {"count", Form::Natural}, {"bytes"}, {"file"}, {"format"},
                                  {"element", Form::Object}, {"image", Form::Object}};
constexpr Key keys_of_element[] = {{"stride", Form::Positive, required}, {"components", Form::Values, required}};
constexpr Key keys_of_image[] = {{"dim", Form::Text, !required, dimensions},
                                 {"width", Form::Positive, required},
                                 {"height", Form::Positive},
                                 {"depth", Form::Positive}};
constexpr Key keys_of_sampler[] = {{"mag"},
                                   {"min"},
                                   {"mip"},
                                   {"u"},
                                   {"v"},
                                   {"w"},
                                   {"border"},
                                   {"min_lod", Form::Number},
                                   {"max_lod", Form::Number},
                                   {"normalized", Form::Boolean},
                                   {"compare", Form::TextOrNull}};
constexpr Key keys_of_pipeline[] = {{"stages", Form::Values, required},
                                    {"stages", Form::Objects},
                                    {"descriptors", Form::Objects},
                                    {"push_constants", Form::TextOrNull}};
constexpr Key kind_of_pipeline[] = {{"kind", Form::Text, !required, kinds}};
constexpr Key keys_of_stage[] = {{"stage", Form::Text, !required, stages},
                                 {"module", Form::Text, required},
                                 {"entry"},
                                 {"specialize", Form::Objects},
                                 {"subgroup", Form::Object}};
constexpr Key keys_of_specialization[] = {{"id", Form::Word, required}, {"bits", Form::Natural}, {"type"}};
constexpr Key keys_of_subgroup[] = {{"required_size", Form::SubgroupSize}};
constexpr Key keys_of_descriptor[] = {{"set", Form::Word, required},
                                      {"binding", Form::Word, required},
                                      {"kind", Form::Text, required, kinds_of_descriptors},
                                      {"buffers", Form::Texts},
                                      {"samplers", Form::Texts},
                                      {"sampler", Form::TextOrNull},
                                      {"offsets", Form::Naturals},
                                      {"dynamic_offsets", Form::Naturals},
                                      {"ranges", Form::Naturals},
                                      {"mip", Form::Natural}};
constexpr Key keys_of_dispatch[] = {{"pipeline", Form::Text, required}, {"groups", Form::Groups, required}};
constexpr Key keys_of_write[] = {
    {"buffer", Form::Text, required}, {"offset", Form::Natural}, {"data", Form::Text, required}};
constexpr Key keys_of_copy[] = {{"from", Form::Text, required}, {"to", Form::Text, required}};
constexpr Key keys_of_expect[] = {{"buffer", Form::Text, required},
                                  {"offset", Form::Natural},
                                  {"values", Form::Values},
                                  {"value", Form::Expected},
                                  {"compare", Form::Text, !required, expect_comparisons}};
constexpr Key keys_of_tolerance[] = {{"value", Form::Number, required}, {"percent", Form::Boolean}};
constexpr Key tolerance_of_expect[] = {{"tolerance", Form::Number}};
constexpr Key keys_of_expect_same[] = {{"buffer", Form::Text, required},
                                       {"other", Form::Text, required},
                                       {"compare", Form::Text, !required, buffer_comparisons}};

constexpr std::pair<std::string_view, std::span<const Key>> commands[] = {{"dispatch", keys_of_dispatch},
                                                                          {"write", keys_of_write},
                                                                          {"copy", keys_of_copy},
                                                                          {"expect", keys_of_expect},
                                                                          {"expect_same", keys_of_expect_same},
                                                                          {"draw", {}},
                                                                          {"clear", {}},
                                                                          {"expect_rect", {}}};

// Collects the first problem.
class FormatCheck {
 public:
  [[nodiscard]] std::string problem() && { return std::move(problem_); }

  bool fail(JsonValue at, std::string_view text) {
    if (problem_.empty()) problem_ = fmt::format("{}: {}", at.path(), text);
    return false;
  }

  bool keys(JsonValue object, std::span<const Key> keys) {
    return std::ranges::all_of(keys, [&](const Key& key) { return this->key(object, key); });
  }

  bool each(JsonValue list, std::span<const Key> keys) {
    return all(list, [&](JsonValue each) { return this->keys(each, keys); });
  }

  template <typename Check>
  static bool all(JsonValue list, Check check) {
    for (const JsonValue each : list.elements()) {
      if (!check(each)) return false;
    }
    return true;
  }

  bool unique_keys(JsonValue object) {
    std::set<std::string_view> seen;
    return all(object,
               [&](JsonValue each) { return seen.insert(each.key()).second || fail(each, "the key is given twice"); });
  }

  bool known_keys(JsonValue root) {
    std::vector<std::string_view> names(std::begin(keys_of_descriptions), std::end(keys_of_descriptions));
    for (const Key& key : keys_of_job) names.push_back(key.name);
    return all(root, [&](JsonValue each) {
      const bool is_known = each.key().starts_with('_') || std::ranges::find(names, each.key()) != names.end();
      return is_known || fail(each, fmt::format("unknown key; {}", expected_one_of(names, each.key())));
    });
  }

  bool buffer(JsonValue json) {
    if (!keys(json, keys_of_buffer)) return false;
    const JsonValue element = json.find("element"), image = json.find("image");
    if (!element.is_absent() && !keys(element, keys_of_element)) return false;
    if (!image.is_absent() && !keys(image, keys_of_image)) return false;
    const bool has_contents = !json.find("bytes").is_absent() || !json.find("file").is_absent();
    return !has_contents || !json.find("size").is_absent() || fail(json, "expected the key \"size\"");
  }

  bool stage(JsonValue json) {
    if (!keys(json, keys_of_stage) || !each(json.find("specialize"), keys_of_specialization)) return false;
    const JsonValue subgroup = json.find("subgroup");
    return subgroup.is_absent() || keys(subgroup, keys_of_subgroup);
  }

  bool pipeline(JsonValue json) {
    if (!keys(json, kind_of_pipeline)) return false;
    if (json.find("kind").text() == "graphics") return true;  // is skipped
    if (!keys(json, keys_of_pipeline) || !each(json.find("descriptors"), keys_of_descriptor)) return false;
    if (count_of(json.find("stages")) != 1) return fail(json.find("stages"), "expected one stage");
    std::set<std::pair<std::int64_t, std::int64_t>> bindings;
    return all(json.find("stages"), [&](JsonValue each) { return stage(each); }) &&
           all(json.find("descriptors"), [&](JsonValue each) {
             const std::pair place{*each.find("set").integer(), *each.find("binding").integer()};
             return bindings.insert(place).second ||
                    fail(each, fmt::format("set {}, binding {} is given twice", place.first, place.second));
           });
  }

  bool command(JsonValue json) {
    const std::string_view op = json.find("op").text();
    const auto* const known =
        std::ranges::find(commands, op, &std::pair<std::string_view, std::span<const Key>>::first);
    if (known == std::end(commands)) return fail(json, "expected \"op\": dispatch, write, copy, expect or expect_same");
    if (!keys(json, known->second)) return false;
    if (op != "expect") return true;
    if (json.find("value").is_absent() == json.find("values").is_absent())
      return fail(json, "expected the key \"value\" or the key \"values\"");
    const JsonValue tolerance = json.find("tolerance");
    return is_object(tolerance) ? keys(tolerance, keys_of_tolerance) : keys(json, tolerance_of_expect);
  }

 private:
  bool key(JsonValue object, const Key& key) {
    const JsonValue value = object.find(key.name);
    if (value.is_absent())
      return !key.is_required ||
             fail(object, fmt::format("expected the key \"{}\": {}", key.name, text_of_form(key.form)));
    if (!has_form(value, key.form)) return fail(value, fmt::format("expected {}", text_of_form(key.form)));
    if (key.form == Form::ObjectOfObjects) return unique_keys(value);
    if (key.words.empty() || std::ranges::find(key.words, value.text()) != key.words.end()) return true;
    return fail(value,
                fmt::format("unknown word {}; {}", quoted(value.text()), expected_one_of(key.words, value.text())));
  }

  std::string problem_;
};

}  // namespace

std::string check_job_keys(JsonValue root) {
  FormatCheck check;
  if (check.known_keys(root) && check.unique_keys(root)) check.keys(root, kind_of_job);
  return std::move(check).problem();
}

std::string check_job_values(JsonValue root) {
  FormatCheck check;
  static_cast<void>(check.keys(root, keys_of_job) && check.each(root.find("modules"), keys_of_module) &&
                    check.each(root.find("samplers"), keys_of_sampler) &&
                    FormatCheck::all(root.find("buffers"), [&](JsonValue each) { return check.buffer(each); }) &&
                    FormatCheck::all(root.find("pipelines"), [&](JsonValue each) { return check.pipeline(each); }) &&
                    check.keys(root, commands_of_job) &&
                    FormatCheck::all(root.find("commands"), [&](JsonValue each) { return check.command(each); }));
  return std::move(check).problem();
}

}  // namespace vireo::cli

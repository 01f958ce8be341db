// SPDX-License-Identifier: Apache-2.0
//
// Reads values by a layout (value_input.h).
#include "cli/run/value_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "cli/run/value_text.h"
#include "spirv/module/fold.h"
#include "spirv/module/layouts/type_layouts.h"
#include "support/io.h"
#include "support/nearest.h"
#include "support/printable.h"

namespace vireo::cli {
namespace {

std::string fault_text(NumberFault fault, const ScalarType& type, std::string_view text) {
  const std::string name = name_of(type);
  switch (fault) {
    case NumberFault::NegativeUnsigned:
    case NumberFault::OutOfRange: return fmt::format("{} is no value of {}", text, name);
    default: return fmt::format("expected {}, found {}", type.is_float ? "a number" : "an integer", text);
  }
}

// A number as in assembly text; also nan, inf and -inf. Returns the problem.
std::string parse_scalar(std::string_view text, const ScalarType& type, std::uint64_t& bits) {
  constexpr std::pair<std::string_view, double> names[] = {{"nan", std::numeric_limits<double>::quiet_NaN()},
                                                           {"inf", std::numeric_limits<double>::infinity()},
                                                           {"-inf", -std::numeric_limits<double>::infinity()}};
  for (const auto& [name, value] : names) {
    if (!type.is_float || text != name) continue;
    const std::optional<std::uint64_t> special = spirv::bits_of(value, type.format);
    if (!special) return fmt::format("{} is no value of {}", text, name_of(type));
    bits = *special;
    return {};
  }
  const NumberFault fault =
      type.is_float ? parse_float(text, type.format, bits) : parse_integer(text, {type.width, type.is_signed}, bits);
  if (fault != NumberFault::None) return fault_text(fault, type, quoted(text));
  bits &= spirv::mask_of(type.width);
  return {};
}

bool has_only_scalars(JsonValue array) {
  for (const JsonValue each : array.elements()) {
    if (each.is(JsonType::Array) || each.is(JsonType::Object)) return false;
  }
  return true;
}

enum class NextScalar : std::uint8_t { None, NotGiven, Given };

// Collects scalars. The buffer grows with the elements of the open list.
class ValueCollector {
 public:
  ValueCollector(const ValueLayout& layout, const ValueLimits& limits, InputValue& value)
      : layout_(layout), limits_(limits), value_(value) {
    resize(layout.fixed_size());
  }

  [[nodiscard]] const std::string& problem() const { return problem_; }

  bool fail(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
    return false;
  }

  bool put(std::uint64_t offset, const ScalarType& type, std::uint64_t bits) {
    const std::uint64_t end = offset + type.bytes();
    if (end > value_.bytes.size() && !grow(end)) return false;
    write_scalar(value_.bytes, offset, type, bits);
    value_.is_given[static_cast<std::size_t>(offset)] = true;
    return true;
  }

  /// Makes room for scalars in the order of the layout, so that a number that is too large fails at once.
  bool reserve(std::uint64_t scalars) {
    const LayoutPart* const list = layout_.open_list();
    const std::uint64_t fixed = layout_.scalars_of(layout_.root());
    if (list == nullptr || scalars <= fixed) return true;
    const std::uint64_t of_element = layout_.scalars_of(layout_.part(list->element));
    return resize(layout_.size_with((scalars - fixed + of_element - 1) / of_element));
  }

  // Makes room for an element of the open list.
  bool grow(std::uint64_t end) {
    const LayoutPart* const list = layout_.open_list();
    std::uint64_t size = end;
    if (list != nullptr && end > layout_.open_offset())
      size = layout_.size_with((end - layout_.open_offset() + list->stride - 1) / list->stride);
    return resize(std::max(size, end));
  }

  bool resize(std::uint64_t size) {
    if (size > limits_.max_bytes)
      return fail(
          fmt::format("the value has {} bytes; an execution has at most {} (--memory)", size, limits_.max_bytes));
    value_.bytes.resize(static_cast<std::size_t>(size));
    value_.is_given.resize(static_cast<std::size_t>(size));
    return true;
  }

  /// Puts scalars in the order of a part, as long as `next(type, bits)` has one.
  template <typename Next>
  bool put_flat(const LayoutPart& part, std::uint64_t offset, Next& next) {
    if (part.kind == LayoutPart::Kind::Scalar) {
      std::uint64_t bits = 0;
      const NextScalar found = next(part.scalar, bits);
      if (found == NextScalar::NotGiven) return offset + part.size <= value_.bytes.size() || grow(offset + part.size);
      return found == NextScalar::Given && put(offset, part.scalar, bits);
    }
    if (part.kind == LayoutPart::Kind::Record) {
      return std::ranges::all_of(part.members, [&](const LayoutPart::Member& member) {
        return put_flat(layout_.part(member.part), offset + member.offset, next);
      });
    }
    for (std::uint64_t i = 0; part.is_open || i < part.count; ++i) {
      if (!put_flat(layout_.part(part.element), offset + i * part.stride, next)) return false;
    }
    return true;
  }

 private:
  const ValueLayout& layout_;
  const ValueLimits& limits_;
  InputValue& value_;
  std::string problem_;
};

// Walks a document and a layout together; the depth of the layout bounds the recursion.
class JsonReader {
 public:
  JsonReader(const ValueLayout& layout, ValueCollector& collector) : layout_(layout), collector_(collector) {}

  bool read(JsonValue json, const LayoutPart& part, std::uint64_t offset) {
    if (json.is(JsonType::Null)) return true;  // not given
    if (part.kind == LayoutPart::Kind::Scalar) {
      std::uint64_t bits = 0;
      const std::string problem = read_scalar_value(json, part.scalar, bits);
      return problem.empty() ? collector_.put(offset, part.scalar, bits) : fail(json, problem);
    }
    if (json.is(JsonType::Object)) {
      if (part.kind == LayoutPart::Kind::Record) return read_object(json, part, offset);
      return fail(json, "expected an array, found an object");
    }
    // A block with one member: the braces can be omitted.
    if (part.kind == LayoutPart::Kind::Record && part.members.size() == 1) {
      const LayoutPart::Member& member = part.members.front();
      const LayoutPart& only = layout_.part(member.part);
      if (only.kind != LayoutPart::Kind::Scalar || !json.is(JsonType::Array))
        return read(json, only, offset + member.offset);
    }
    if (!json.is(JsonType::Array)) {
      return fail(json, part.kind == LayoutPart::Kind::Record ? "expected an object or an array" : "expected an array");
    }
    if (has_only_scalars(json)) return read_flat(json, part, offset);
    return part.kind == LayoutPart::Kind::List ? read_list(json, part, offset) : read_members(json, part, offset);
  }

 private:
  bool fail(JsonValue json, std::string_view problem) {
    const std::string path = json.path();
    return collector_.fail(path == "$" ? std::string(problem) : fmt::format("{}: {}", path, problem));
  }

  bool read_object(JsonValue json, const LayoutPart& part, std::uint64_t offset) {
    for (const JsonValue value : json.elements()) {
      const auto member = std::ranges::find(part.members, value.key(), &LayoutPart::Member::name);
      if (member == part.members.end() || value.key().empty()) return fail_key(json, part, value.key());
      if (!read(value, layout_.part(member->part), offset + member->offset)) return false;
    }
    return true;
  }

  bool fail_key(JsonValue json, const LayoutPart& part, std::string_view key) {
    std::vector<std::string_view> names;
    for (const LayoutPart::Member& member : part.members) {
      if (!member.name.empty()) names.push_back(member.name);
    }
    if (names.empty()) return fail(json, "the members have no names; write an array");
    return fail(json, fmt::format("the structure has no member {}; {}", quoted(key), expected_one_of(names, key)));
  }

  bool read_list(JsonValue json, const LayoutPart& part, std::uint64_t offset) {
    std::uint64_t i = 0;
    for (const JsonValue value : json.elements()) {
      if (!part.is_open && i == part.count) return fail(value, counted_list(part.count));
      if (!read(value, layout_.part(part.element), offset + i++ * part.stride)) return false;
    }
    return true;
  }

  bool read_members(JsonValue json, const LayoutPart& part, std::uint64_t offset) {
    std::size_t i = 0;
    for (const JsonValue value : json.elements()) {
      if (i == part.members.size()) return fail(value, counted_list(part.members.size()));
      const LayoutPart::Member& member = part.members[i++];
      if (!read(value, layout_.part(member.part), offset + member.offset)) return false;
    }
    return true;
  }

  static std::string counted_list(std::uint64_t count) {
    return fmt::format("more than the {} values that the layout has", count);
  }

  bool read_flat(JsonValue json, const LayoutPart& part, std::uint64_t offset) {
    const auto elements = json.elements();
    auto at = elements.begin();
    bool is_fine = true;
    std::uint64_t count = 0;
    auto next = [&](const ScalarType& type, std::uint64_t& bits) {
      if (at == elements.end()) return NextScalar::None;
      const JsonValue value = *at;
      ++at;
      ++count;
      if (value.is(JsonType::Null)) return NextScalar::NotGiven;
      if (const std::string problem = read_scalar_value(value, type, bits); !problem.empty())
        is_fine = fail(value, problem);
      return is_fine ? NextScalar::Given : NextScalar::None;
    };
    if (!collector_.put_flat(part, offset, next)) return is_fine && collector_.problem().empty();
    return at == elements.end() || fail(*at, counted_list(count));
  }

  const ValueLayout& layout_;
  ValueCollector& collector_;
};

// --- generators -------------------------------------------------------------------------------------------------------

std::optional<std::uint64_t> parse_count(std::string_view text) {
  std::uint64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return count;
}

std::uint64_t next_random(std::uint64_t& state) {  // splitmix64
  state += 0x9E3779B97F4A7C15;
  std::uint64_t bits = state;
  bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9;
  bits = (bits ^ bits >> 27) * 0x94D049BB133111EB;
  return bits ^ bits >> 31;
}

// Integers with arbitrary bits, floats from 0 to 1.
std::uint64_t random_bits(std::uint64_t& state, const ScalarType& type) {
  const std::uint64_t bits = next_random(state);
  if (!type.is_float) return bits & spirv::mask_of(type.width);
  return spirv::bits_of(static_cast<double>(bits >> 40) * 0x1p-24, type.format).value_or(0);
}

// FROM + i * STEP in the type, with wrap-around of integers.
class Series {
 public:
  Series(std::string_view from, std::string_view step) : from_(from), step_(step) {}

  std::string bits_at(std::uint64_t i, const ScalarType& type, std::uint64_t& bits) {
    if (!type_ || *type_ != type) {
      type_ = type;
      if (std::string problem = parse_scalar(from_, type, first_); !problem.empty()) return problem;
      if (std::string problem = parse_scalar(step_, type, increment_); !problem.empty()) return problem;
    }
    if (type.is_float) {
      const double value = number_of(first_, type) + static_cast<double>(i) * number_of(increment_, type);
      bits = spirv::bits_of(value, type.format).value_or(0);
    } else {
      bits = (first_ + i * increment_) & spirv::mask_of(type.width);
    }
    return {};
  }

 private:
  std::string_view from_, step_;
  std::optional<ScalarType> type_;
  std::uint64_t first_ = 0, increment_ = 0;
};

// fill, series and random: COUNT scalars in the order of the layout.
std::string generate(std::string_view kind, std::span<const std::string_view> words, const ValueLayout& layout,
                     const ValueLimits& limits, InputValue& value) {
  const std::optional<std::uint64_t> count = parse_count(words.back());
  if (!count) return fmt::format("expected a number of values, found {}", quoted(words.back()));
  ValueCollector collector(layout, limits, value);
  if (!collector.reserve(*count)) return collector.problem();
  Series series(words.front(), kind == "series" ? words[1] : "0");
  std::uint64_t state = limits.seed, made = 0;
  std::string problem;
  auto next = [&](const ScalarType& type, std::uint64_t& bits) {
    if (made == *count) return NextScalar::None;
    if (kind == "random") bits = random_bits(state, type);
    else problem = series.bits_at(made, type, bits);
    ++made;
    return problem.empty() ? NextScalar::Given : NextScalar::None;
  };
  const bool is_full = collector.put_flat(layout.root(), 0, next);
  if (!problem.empty()) return problem;
  if (!collector.problem().empty()) return collector.problem();
  if (is_full && made < *count) return fmt::format("the layout has only {} values, not {}", made, *count);
  return {};
}

std::string set_bytes(std::string_view bytes, const ValueLimits& limits, InputValue& value) {
  if (bytes.size() > limits.max_bytes)
    return fmt::format("the file has more bytes than an execution: {} (--memory)", limits.max_bytes);
  const auto* const begin = reinterpret_cast<const std::byte*>(bytes.data());
  value.bytes.assign(begin, begin + bytes.size());
  value.is_given.assign(bytes.size(), true);
  return {};
}

std::string read_json(std::string_view text, const ValueLayout& layout, const ValueLimits& limits, InputValue& value) {
  JsonFault fault;
  const std::optional<JsonDocument> document = JsonDocument::parse(text, fault);
  if (!document) return text_of(fault);
  return read_value(document->root(), layout, limits, value);
}

ValueText read_file_value(std::string_view path, const ValueLayout& layout, const ValueLimits& limits,
                          InputValue& value) {
  Diagnostics diagnostics;
  const bool is_json = path.ends_with(".json");
  // A device can be endless. One byte more shows that the file is too large.
  ReadLimits read_limits;
  if (!is_json && limits.max_bytes < read_limits.max_bytes)
    read_limits.max_bytes = static_cast<std::size_t>(limits.max_bytes) + 1;
  const Result<FileBytes> bytes = read_file(std::string(path), diagnostics, read_limits);
  if (!bytes) return {diagnostics.all().front().message, true};
  if (is_json) return {read_json(bytes->text(), layout, limits, value)};
  return {set_bytes(bytes->text(), limits, value)};
}

}  // namespace

std::string text_of(const JsonFault& fault) {
  std::string_view message = fault.message;
  // The parser names its exception before some messages: "[json.exception.…] number overflow".
  if (const std::size_t end = message.find("] "); message.starts_with('[') && end != std::string_view::npos)
    message.remove_prefix(end + 2);
  return fmt::format("no JSON: {} at byte {}", message, fault.offset);
}

std::string read_scalar_value(JsonValue json, const ScalarType& type, std::uint64_t& bits) {
  switch (json.type()) {
    case JsonType::Integer: return parse_scalar(std::to_string(*json.integer()), type, bits);
    case JsonType::Number: return parse_scalar(json.number_text(), type, bits);
    case JsonType::String: return parse_scalar(json.text(), type, bits);
    case JsonType::Boolean:
      if (type.is_float) break;
      bits = json.boolean() ? 1 : 0;
      return {};
    default: break;
  }
  return fmt::format("expected a value of {}", name_of(type));
}

std::string read_value(JsonValue json, const ValueLayout& layout, const ValueLimits& limits, InputValue& value) {
  ValueCollector collector(layout, limits, value);
  if (collector.problem().empty()) JsonReader(layout, collector).read(json, layout.root(), 0);
  return collector.problem();
}

ValueText read_value_text(std::string_view text, const ValueLayout& layout, const ValueLimits& limits,
                          InputValue& value) {
  if (text.starts_with('@')) return read_file_value(text.substr(1), layout, limits, value);
  std::vector<std::string_view> words;
  const std::size_t colon = text.find(':');
  const std::string_view kind = text.substr(0, std::min(colon, text.size()));
  constexpr std::pair<std::string_view, std::size_t> kinds[] = {
      {"zeros", 1}, {"fill", 2}, {"series", 3}, {"random", 1}};
  const auto* const known = std::ranges::find(kinds, kind, &std::pair<std::string_view, std::size_t>::first);
  const bool is_word = !kind.empty() && std::ranges::all_of(kind, [](char c) { return c >= 'a' && c <= 'z'; });
  if (known == std::end(kinds) && !(is_word && kind.size() < text.size()))
    return {read_json(text, layout, limits, value)};
  for (std::size_t at = kind.size(); at < text.size();) {
    const std::size_t end = std::min(text.find(':', at + 1), text.size());
    words.push_back(text.substr(at + 1, end - at - 1));
    at = end;
  }
  if (known == std::end(kinds) || words.size() != known->second)
    return {fmt::format(
        "expected JSON, @FILE, zeros:BYTES, fill:VALUE:COUNT, series:FROM:STEP:COUNT or random:COUNT, found {}",
        quoted(text))};
  if (kind != "zeros") return {generate(kind, words, layout, limits, value)};
  const std::optional<std::uint64_t> size = parse_count(words.front());
  if (!size) return {fmt::format("expected a number of bytes, found {}", quoted(words.front()))};
  if (*size > limits.max_bytes)
    return {fmt::format("the value has {} bytes; an execution has at most {} (--memory)", *size, limits.max_bytes)};
  value.bytes.assign(static_cast<std::size_t>(*size), std::byte{0});
  value.is_given.assign(value.bytes.size(), true);
  return {};
}

std::string difference(std::string_view name, const ValueLayout& layout, std::span<const std::byte> bytes,
                       const InputValue& expected, double tolerance) {
  std::string found;
  const auto compare = [&](std::uint64_t offset, const ScalarType& type) {
    if (!expected.is_given[static_cast<std::size_t>(offset)]) return true;
    const std::uint64_t wanted = read_scalar(expected.bytes, offset, type);
    std::string actual = "missing: the buffer is too small";
    if (type.bytes() <= bytes.size() && offset <= bytes.size() - type.bytes()) {
      const std::uint64_t bits = read_scalar(bytes, offset, type);
      const double a = number_of(bits, type), b = number_of(wanted, type);
      const bool is_equal = bits == wanted || (type.is_float && (a == b || (std::isnan(a) && std::isnan(b))));
      if (is_equal || std::fabs(a - b) <= tolerance) return true;
      actual = scalar_text(bits, type);
    }
    found = fmt::format("{} is {}; expected {}", layout.place_of(offset, name), actual, scalar_text(wanted, type));
    if (tolerance != 0) found += fmt::format(" ± {}", tolerance);
    return false;
  };
  layout.for_each_scalar(expected.bytes.size(), compare);
  return found;
}

}  // namespace vireo::cli

// SPDX-License-Identifier: Apache-2.0
//
// The constants of a Specializer, and their values from texts, JSON and VkSpecializationInfo.
//
// Source: specification 2.2.1 (literals); Vulkan specification, "Specialization Constants".
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <string>

#include "spirv/module/fold.h"
#include "spirv/rules.h"
#include "spirv/transform/spec_constants.h"
#include "spirv/transform/specialize/specializer_data.h"
#include "support/counted.h"
#include "support/json.h"
#include "support/nearest.h"
#include "support/printable.h"
#include "vireo/support/number.h"

namespace vireo::spirv {
namespace {

// "SpecId 3 (scale)"
std::string text_of(const SpecConstant& constant) {
  std::string text = fmt::format("SpecId {}", constant.spec_id);
  if (!constant.name.empty()) text += fmt::format(" ({})", quoted(constant.name));
  return text;
}

// "SpecId 0, 1 and 2". Many constants may have one name, so long lists are shortened.
std::string text_of(const std::set<Word>& spec_ids) {
  constexpr std::size_t max_listed = 8;
  std::string text = "SpecId ";
  std::size_t i = 0;
  for (const Word spec_id : spec_ids) {
    const bool is_last = ++i == spec_ids.size();
    if (i == max_listed && !is_last) text += ", …";
    if (i >= max_listed && !is_last) continue;
    text += fmt::format("{}{}", i == 1 ? "" : is_last ? " and " : ", ", spec_id);
  }
  return text;
}

Reported report_ambiguous(std::string_view name, const std::set<Word>& spec_ids, Diagnostics& diagnostics) {
  return diagnostics.error(
      rule::spec_value, Location::none(),
      fmt::format("specialization constants with different SpecIds are named {}: {}", quoted(name), text_of(spec_ids)),
      fmt::format("use the SpecId instead of the name, as in --set {}=VALUE", *spec_ids.begin()));
}

}  // namespace

std::span<const SpecConstant> Specializer::constants() const { return data_->constants; }

// The indexes of the constants whose member has a value.
template <typename Value>
std::span<const std::uint32_t> Specializer::find_all(const std::vector<std::uint32_t>& sorted,
                                                     Value SpecConstant::*member, const Value& value) const {
  const auto value_at = [&](std::uint32_t i) -> const Value& { return data_->constants[i].*member; };
  return {std::ranges::lower_bound(sorted, value, {}, value_at), std::ranges::upper_bound(sorted, value, {}, value_at)};
}

const SpecConstant* Specializer::find_spec_id(Word spec_id) const {
  const auto found = find_all(data_->by_spec_id, &SpecConstant::spec_id, spec_id);
  return found.empty() ? nullptr : &data_->constants[found.front()];
}

const SpecConstant* Specializer::find_id(Word id) const {
  const auto found = find_all(data_->by_id, &SpecConstant::id, id);
  return found.empty() ? nullptr : &data_->constants[found.front()];
}

const SpecConstant* Specializer::find_name(std::string_view name) const {
  const auto found = find_all(data_->by_name, &SpecConstant::name, name);
  return name.empty() || found.empty() ? nullptr : &data_->constants[found.front()];
}

Reported Specializer::report_unknown(std::string_view what, std::optional<Word> spec_id, std::string_view name,
                                     Diagnostics& diagnostics) const {
  std::string hint;
  if (data_->constants.empty()) {
    hint = "the module has no specialization constants with a SpecId";
  } else if (spec_id) {
    const auto distance = [&](const SpecConstant& each) {
      return each.spec_id < *spec_id ? *spec_id - each.spec_id : each.spec_id - *spec_id;
    };
    hint = "the nearest is " + text_of(*std::ranges::min_element(data_->constants, {}, distance));
  } else {
    NearestNames nearest(name);
    for (const SpecConstant& each : data_->constants) nearest.offer(each.name);
    hint = did_you_mean(nearest.names());
  }
  return diagnostics.error(rule::spec_value, Location::none(),
                           fmt::format("the module has no specialization constant {}", what), std::move(hint));
}

Result<Specialization> Specializer::value_in(const SpecConstant& constant, std::string_view value,
                                             Diagnostics& diagnostics) const {
  const TypeRow& type = data_->types.of(constant.type);
  std::optional<std::uint64_t> bits;
  if (constant.kind != SpecConstant::Kind::Bool) bits = bits_of_number(value, type);
  else if (value == "true" || value == "1") bits = 1;
  else if (value == "false" || value == "0") bits = 0;
  // A narrow negative number has copies of its sign only up to 32 bits.
  if (bits) return Specialization{constant.spec_id, *bits & mask_of(constant.width)};
  return diagnostics.error(
      rule::spec_value, Location::none(),
      fmt::format("the value {} of {} does not fit {}", quoted(value), text_of(constant), value_type_text(type)));
}

Result<Specialization> Specializer::parse_value(std::string_view constant, std::string_view value,
                                                Diagnostics& diagnostics) const {
  Word number = 0;
  if (parse_u32(constant, number) == NumberFault::None) {
    const SpecConstant* found = find_spec_id(number);
    if (found == nullptr) { return report_unknown(fmt::format("with SpecId {}", number), number, {}, diagnostics); }
    return value_in(*found, value, diagnostics);
  }
  const bool is_id = constant.starts_with('%') && parse_u32(constant.substr(1), number) == NumberFault::None;
  if (!is_id) return parse_named_value(constant, value, diagnostics);
  const SpecConstant* found = find_id(number);
  if (found == nullptr) return report_unknown(constant, std::nullopt, {}, diagnostics);
  return value_in(*found, value, diagnostics);
}

Result<Specialization> Specializer::parse_named_value(std::string_view name, std::string_view value,
                                                      Diagnostics& diagnostics) const {
  const SpecConstant* found = find_name(name);
  if (found == nullptr) return report_unknown("named " + quoted(name), std::nullopt, name, diagnostics);
  std::set<Word> spec_ids;
  for (const std::uint32_t i : find_all(data_->by_name, &SpecConstant::name, name)) {
    spec_ids.insert(data_->constants[i].spec_id);
  }
  if (spec_ids.size() > 1) return report_ambiguous(name, spec_ids, diagnostics);
  return value_in(*found, value, diagnostics);
}

// Reports a value for no constant, or one that does not fit its type. All constants with the SpecId get the value.
std::optional<Reported> Specializer::check_value(const Specialization& value, Diagnostics& diagnostics) const {
  std::optional<Reported> reported;
  const auto constants = find_all(data_->by_spec_id, &SpecConstant::spec_id, value.spec_id);
  for (const std::uint32_t index : constants) {
    const SpecConstant& each = data_->constants[index];
    if (each.kind == SpecConstant::Kind::Bool) continue;  // all numbers but 0 are true
    const std::uint64_t low = value.bits & mask_of(each.width);
    const bool is_extended = each.is_signed && static_cast<std::uint64_t>(sign_extended(low, each.width)) == value.bits;
    if (low == value.bits || is_extended) continue;
    reported = diagnostics.error(rule::spec_value, Location::none(),
                                 fmt::format("the value {:#x} of {} does not fit {}", value.bits, text_of(each),
                                             value_type_text(data_->types.of(each.type))));
  }
  if (!constants.empty()) return reported;
  return report_unknown(fmt::format("with SpecId {}", value.spec_id), value.spec_id, {}, diagnostics);
}

// --- JSON ---------------------------------------------------------------------------------------------------------------

Result<std::vector<Specialization>> Specializer::parse_values(std::string_view json, Diagnostics& diagnostics) const {
  JsonFault fault;
  const std::optional<JsonDocument> document = JsonDocument::parse(json, fault);
  if (!document) {
    return diagnostics.error(rule::spec_value, Location::in_text(fault.offset, fault.offset + 1),
                             "expected a JSON object: " + fault.message);
  }
  if (!document->root().is(JsonType::Object)) {
    return diagnostics.error(rule::spec_value, Location::none(),
                             "expected a JSON object with a value for each constant");
  }
  std::vector<Specialization> values;
  std::optional<Reported> reported;
  for (const JsonValue each : document->root().elements()) {
    std::string text;
    switch (each.type()) {
      case JsonType::Boolean: text = each.boolean() ? "true" : "false"; break;
      case JsonType::Integer: text = std::to_string(*each.integer()); break;
      case JsonType::Number: text = each.number_text(); break;
      case JsonType::String: text = each.text(); break;
      default:
        reported = diagnostics.report(
            {.rule = rule::spec_value, .message = "expected a number, a Boolean or a string", .path = each.path()});
        continue;
    }
    // The location of a value in the text is not known, but its path is.
    Diagnostics found;
    const Result<Specialization> value = parse_value(each.key(), text, found);
    for (Diagnostic diagnostic : found.all()) {
      diagnostic.path = each.path();
      reported = diagnostics.report(std::move(diagnostic));
    }
    if (value) values.push_back(*value);
  }
  if (reported) return *reported;
  return values;
}

// --- Vulkan -------------------------------------------------------------------------------------------------------------

std::optional<Reported> Specializer::read_map(std::span<const SpecMapEntry> entries, std::span<const std::byte> data,
                                              std::vector<Specialization>& values, Diagnostics& diagnostics) const {
  std::optional<Reported> reported;
  for (const SpecMapEntry& entry : entries) {
    const SpecConstant* constant = find_spec_id(entry.spec_id);
    if (constant == nullptr) continue;
    const std::size_t size = constant->kind == SpecConstant::Kind::Bool ? 4 : (constant->width + 7) / 8;
    if (entry.size != size) {
      reported = diagnostics.error(
          rule::spec_value, Location::none(),
          fmt::format("the value of {} has {}; expected {} for {}", text_of(*constant), counted(entry.size, "byte"),
                      size, value_type_text(data_->types.of(constant->type))));
    } else if (entry.offset > data.size() || size > data.size() - entry.offset) {
      reported = diagnostics.error(rule::spec_value, Location::none(),
                                   fmt::format("the value of {} ends at byte {} of {}", text_of(*constant),
                                               std::uint64_t{entry.offset} + size, data.size()));
    } else {
      // Values are in host byte order. All widths up to 64 bits fill whole bytes in Vulkan.
      std::uint8_t one = 0;
      std::uint16_t two = 0;
      std::uint32_t four = 0;
      std::uint64_t eight = 0;
      const auto read = [&](auto& value) {
        std::memcpy(&value, data.data() + entry.offset, sizeof value);
        return std::uint64_t{value};
      };
      std::uint64_t bits = 0;
      switch (size) {
        case 1: bits = read(one); break;
        case 2: bits = read(two); break;
        case 4: bits = read(four); break;
        case 8: bits = read(eight); break;
        default:  // integers of other widths are not in Vulkan
          for (std::size_t i = size; i-- > 0;)
            bits = bits << 8 | std::to_integer<std::uint64_t>(data[entry.offset + i]);
          break;
      }
      values.push_back({entry.spec_id, bits});
    }
  }
  return reported;
}

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// JSON → Profile (vireo/spirv/validate/profile.h).
//
// Each key has a row with the function that reads its value. The same rows serve to detect unknown keys
// and to suggest the nearest name. Names within values have similar tables.
#include "vireo/spirv/validate/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <set>

#include "spirv/rules.h"
#include "spirv/validate/profile/device_facts.h"
#include "spirv/validate/profile/vulkan_device.h"
#include "support/json.h"
#include "support/nearest.h"

namespace vireo::spirv {
namespace {

struct Setting {
  std::string_view name;
  std::optional<Severity> severity;
};
// A setting without a severity drops the findings of the rule.
constexpr Setting settings[] = {{"off", {}}, {"warn", Severity::Warning}, {"error", Severity::Error}};

// Each kind of descriptor has a size and an alignment in bytes, which are members of the options.
struct DescriptorRow {
  std::string_view name;
  DescriptorLayout ValidateOptions::*layout;
};
constexpr DescriptorRow descriptor_rows[] = {
    {"buffer", &ValidateOptions::buffer_descriptor},
    {"image", &ValidateOptions::image_descriptor},
    {"sampler", &ValidateOptions::sampler_descriptor},
    {"tensor", &ValidateOptions::tensor_descriptor},
};

// Continues after each error, so that one run reports all errors. The caller discards a profile with errors.
class ProfileReader {
 public:
  ProfileReader(const Grammar& grammar, Diagnostics& diagnostics) : grammar_(grammar), diagnostics_(diagnostics) {}

  Profile read(JsonValue root) {
    if (!root.is(JsonType::Object)) {
      fault(root, "expected an object");
      return {};
    }
    report_repeated(root);
    for (const JsonValue value : root.elements()) {
      const auto row =
          std::find_if(std::begin(keys), std::end(keys), [&](const Key& key) { return key.name == value.key(); });
      if (row == std::end(keys)) {
        unknown(value, value.key(), "key", keys);
      } else if (!value.is(row->type)) {
        fault(value, fmt::format("expected {} for '{}'", row->form, value.key()));
      } else {
        report_repeated(value);
        (this->*row->read)(value);
      }
    }
    return std::move(profile_);
  }

 private:
  struct Key {
    std::string_view name;
    JsonType type;
    std::string_view form;  // for messages
    void (ProfileReader::*read)(JsonValue);
  };
  // Defined after the class, because it needs the member functions.
  static const Key keys[11];

  // Reports an error at the path of a value in the document ("limits.struct_members"), which is easier to find than an
  // offset.
  void fault(JsonValue value, std::string message, std::string hint = {}) {
    diagnostics_.report(
        {rule::profile_value, Severity::Error, {}, std::move(message), {}, std::move(hint), value.path()});
  }
  // Reports the keys that an object has twice: a reader of JSON may take either value.
  void report_repeated(JsonValue object) {
    std::set<std::string_view> known;
    for (const JsonValue value : object.elements()) {
      if (object.is(JsonType::Object) && !known.insert(value.key()).second)
        fault(value, fmt::format("the key '{}' is repeated", value.key()));
    }
  }
  // Reports a name that is in no row of a table. The hint is the nearest name.
  template <typename Rows>
  void unknown(JsonValue value, std::string_view name, std::string_view what, const Rows& rows) {
    NearestNames nearest(name);
    for (const auto& row : rows) nearest.offer(row.name);
    fault(value, fmt::format("unknown {} '{}'", what, name), did_you_mean(nearest.best()));
  }
  // Calls `take` for each string of a list.
  template <typename Take>
  void each_text(JsonValue list, Take take) {
    for (const JsonValue value : list.elements()) {
      if (value.is(JsonType::String)) take(value, value.text());
      else fault(value, fmt::format("expected a string in '{}'", list.key()));
    }
  }
  // Reads a number for limits and layouts. Reports any other value and returns nothing.
  std::optional<Word> count(JsonValue value) {
    // integer() returns nothing for fractions.
    const std::optional<std::int64_t> number = whole_number(value);
    if (number && *number >= 0 && *number <= 0xFFFFFFFF) return static_cast<Word>(*number);
    fault(value, "expected a number from 0 to 4294967295" +
                     (value.key().empty() ? "" : fmt::format(" for '{}'", value.key())));
    return std::nullopt;
  }

  // The table has already checked the JSON type of the values below.
  void read_name(JsonValue value) { profile_.name = value.text(); }

  // An unknown environment is an error, so the profile is not used.
  void read_environment(JsonValue value) {
    profile_.environment = find_environment(value.text());
    if (!profile_.environment) unknown(value, value.text(), "environment", environments());
  }

  void read_version(JsonValue value) {
    const std::string_view text = value.text();
    Version version;
    const auto major = std::from_chars(text.data(), text.data() + text.size(), version.major);
    // Reads two numbers of one byte each. from_chars accepts no blanks and, for unsigned numbers, no signs.
    const bool has_minor = major.ec == std::errc() && major.ptr != text.data() + text.size() && *major.ptr == '.';
    const auto minor = has_minor ? std::from_chars(major.ptr + 1, text.data() + text.size(), version.minor) : major;
    if (has_minor && minor.ec == std::errc() && minor.ptr == text.data() + text.size())
      profile_.device.version = version;
    else fault(value, fmt::format("invalid version '{}'; expected one like \"1.5\"", text));
  }

  void read_capabilities(JsonValue list) {
    // An empty list allows no capability. Without a list, all capabilities are allowed.
    std::vector<Word>& numbers = profile_.device.capabilities.emplace();
    each_text(list, [&](JsonValue value, std::string_view name) {
      if (const EnumerantRow* row = grammar_.find_enumerant(grammar_.capability_kind, name)) {
        numbers.push_back(row->value);
        return;
      }
      NearestNames nearest(name);
      for (const EnumerantRow& row : grammar_.enumerants_of(grammar_.kind(grammar_.capability_kind)))
        nearest.offer(grammar_.text(row.name));
      fault(value, fmt::format("unknown capability '{}'", name), did_you_mean(nearest.best()));
    });
    // Sorted for binary search; the order in the document has no meaning.
    std::sort(numbers.begin(), numbers.end());
  }

  // Any name is accepted, because the grammar does not list all vendor extensions.
  void read_extensions(JsonValue list) {
    auto& names = profile_.device.extensions.emplace();
    each_text(list, [&](JsonValue, std::string_view name) { names.emplace_back(name); });
  }

  void read_features(JsonValue list) {
    each_text(list, [&](JsonValue value, std::string_view name) {
      const auto rows = features();
      const auto row = std::find_if(rows.begin(), rows.end(), [&](const FeatureRow& r) { return r.name == name; });
      if (row == rows.end()) unknown(value, name, "feature", rows);
      else profile_.features.add(row->feature);
    });
  }

  // Each key is the name of a limit, as on the command line. Any number of 32 bits is valid.
  void read_limits(JsonValue object) {
    for (const JsonValue value : object.elements()) {
      const auto rows = limits();
      const auto row = std::find_if(rows.begin(), rows.end(), [&](const LimitRow& r) { return r.name == value.key(); });
      if (row == rows.end()) unknown(value, value.key(), "limit", rows);
      else if (const std::optional<Word> most = count(value)) profile_.limits.emplace_back(row->limit, *most);
    }
  }

  // The names are those of the Vulkan API. An array has a limit for each element.
  void read_device_limits(JsonValue object) {
    for (const JsonValue value : object.elements()) {
      if (!value.is(JsonType::Array)) {
        read_device_limit(value, value.key());
        continue;
      }
      std::size_t index = 0;
      for (const JsonValue element : value.elements())
        read_device_limit(element, fmt::format("{}[{}]", value.key(), index++));
    }
  }

  void read_device_limit(JsonValue value, std::string_view name) {
    if (!value.key().empty() && is_device_array(name)) {
      return fault(value, fmt::format("'{}' is an array; expected a list of integers", name));
    }
    const auto known = find_member(value, name, "limit");
    if (!known) return;
    const auto number = member_value(name, value);
    if (!number) fault(value, fmt::format("expected {} for '{}'", member_form(name), name));
    else if (*number < 0 && !may_be_negative(name))
      fault(value, fmt::format("expected a number of at least 0 for '{}'", name));
    else profile_.device.limits.push_back({*known, *number});
  }

  void read_device_features(JsonValue object) {
    for (const JsonValue value : object.elements()) {
      const auto known = find_member(value, value.key(), "feature");
      if (known && value.is(JsonType::Boolean)) profile_.device.limits.push_back({*known, value.boolean() ? 1 : 0});
      else if (known) fault(value, fmt::format("expected true or false for '{}'", value.key()));
    }
  }

  // The name with static lifetime; reports an unknown one.
  std::optional<std::string_view> find_member(JsonValue value, std::string_view name, std::string_view what) {
    const auto members = device_members();
    const auto member = std::ranges::find(members, name);
    if (member != members.end()) return *member;
    NearestNames nearest(name);
    for (const std::string_view each : members) nearest.offer(each);
    fault(value, fmt::format("unknown {} of a device '{}'", what, name), did_you_mean(nearest.best()));
    return std::nullopt;
  }

  void read_descriptors(JsonValue object) {
    for (const JsonValue value : object.elements()) {
      const auto row = std::find_if(std::begin(descriptor_rows), std::end(descriptor_rows),
                                    [&](const DescriptorRow& r) { return r.name == value.key(); });
      if (row == std::end(descriptor_rows)) {
        unknown(value, value.key(), "descriptor kind", descriptor_rows);
        continue;
      }
      // count() has reported an invalid number. The replacement 1 prevents a second finding for the pair.
      std::vector<Word> numbers;
      for (const JsonValue number : value.elements()) numbers.push_back(count(number).value_or(1));
      // An alignment is a divisor, so it must not be 0.
      if (numbers.size() == 2 && numbers[1] != 0) {
        profile_.descriptors.emplace_back(row->layout, DescriptorLayout{numbers[0], numbers[1]});
      } else {
        fault(value, "expected two numbers, a size and an alignment that is not 0");
      }
    }
  }

  void read_rules(JsonValue object) {
    for (const JsonValue value : object.elements()) {
      // Both validation rules and reader rules are allowed.
      if (const std::string problem = unknown_rule(value.key()); !problem.empty()) {
        fault(value, problem);
      } else if (const auto choice = find_rule_choice(value.key(), value.text())) {
        // The order of the document is kept, because the last choice for a rule applies.
        profile_.rules.push_back(*choice);
      } else {
        fault(value, fmt::format("expected \"off\", \"warn\" or \"error\" for '{}'", value.key()));
      }
    }
  }

  const Grammar& grammar_;
  Diagnostics& diagnostics_;
  Profile profile_;
};

const ProfileReader::Key ProfileReader::keys[] = {
    {"name", JsonType::String, "a string", &ProfileReader::read_name},
    {"environment", JsonType::String, "a string", &ProfileReader::read_environment},
    {"version", JsonType::String, "a string", &ProfileReader::read_version},
    {"capabilities", JsonType::Array, "a list of names", &ProfileReader::read_capabilities},
    {"extensions", JsonType::Array, "a list of names", &ProfileReader::read_extensions},
    {"features", JsonType::Array, "a list of names", &ProfileReader::read_features},
    {"limits", JsonType::Object, "an object of numbers", &ProfileReader::read_limits},
    {"device-limits", JsonType::Object, "an object of numbers", &ProfileReader::read_device_limits},
    {"device-features", JsonType::Object, "an object of truth values", &ProfileReader::read_device_features},
    {"descriptors", JsonType::Object, "an object of pairs", &ProfileReader::read_descriptors},
    {"rules", JsonType::Object, "an object of settings", &ProfileReader::read_rules},
};

// All VUIDs that findings can have. Their texts have static lifetime.
const std::vector<VuidRow>& vuids() {
  static const std::vector<VuidRow> rows = validation_vuids();
  return rows;
}

// Returns the name of a rule, a group or a VUID from the static tables, whose lifetime is unlimited; empty if unknown.
std::string_view name_of_rule(std::string_view name) {
  // A choice may outlive the document, so it must not refer to its text.
  if (const ValidationRule* row = find_validation_rule(name)) return row->name;
  const auto renamed = std::ranges::find(renamed_rules(), name, &RenamedRule::old_name);
  if (renamed != renamed_rules().end()) return renamed->old_name;
  const auto grouped = std::ranges::find(grouped_rules(), name, &GroupedRule::group);
  if (grouped != grouped_rules().end()) return grouped->group;
  if (name.starts_with("VUID-")) {
    const auto vuid = std::ranges::find(vuids(), name, &VuidRow::vuid);
    return vuid == vuids().end() ? std::string_view() : std::string_view(vuid->vuid);
  }
  const auto row =
      std::find_if(std::begin(rule_rows), std::end(rule_rows), [&](const RuleRow& r) { return r.name == name; });
  return row == std::end(rule_rows) ? std::string_view() : row->name;
}

}  // namespace

// Returns an error message for an unknown rule; empty for a known one.
std::string unknown_rule(std::string_view name) {
  if (!name_of_rule(name).empty()) return {};
  NearestNames nearest(name);
  for (const ValidationRule& row : validation_rules()) nearest.offer(row.name);
  for (const RuleRow& row : rule_rows) nearest.offer(row.name);
  for (const GroupedRule& row : grouped_rules()) nearest.offer(row.group);
  if (name.starts_with("VUID-")) {
    for (const VuidRow& row : vuids()) nearest.offer(row.vuid);
  }
  return fmt::format("unknown rule '{}'{}", name, suggestion(nearest.best()));
}

// Also used for command-line options. Returns nothing if the rule or the setting is unknown.
std::optional<RuleChoice> find_rule_choice(std::string_view rule, std::string_view setting) {
  const std::string_view name = name_of_rule(rule);
  const auto row =
      std::find_if(std::begin(settings), std::end(settings), [&](const Setting& s) { return s.name == setting; });
  if (name.empty() || row == std::end(settings)) return std::nullopt;
  return RuleChoice{name, row->severity};
}

Result<Profile> read_profile(const SourceText& document, const Grammar& grammar, Diagnostics& diagnostics) {
  JsonFault fault;
  const std::optional<JsonDocument> json = JsonDocument::parse(document.text, fault);
  const bool is_text = !json && DeviceFacts::is_vulkaninfo(document.text);
  if (!json && !is_text) {
    if (const std::string_view problem = DeviceFacts::problem_of_text(document.text); !problem.empty())
      return diagnostics.error(rule::profile_syntax, {}, std::string(problem));
    return diagnostics.error(rule::profile_syntax, Location::in_text(fault.offset, fault.offset), fault.message);
  }
  // A separate list, so that earlier errors of the caller do not count as errors of the profile.
  Diagnostics found;
  Profile profile = is_text                          ? read_vulkan_device(DeviceFacts(document.text), grammar, found)
                    : is_vulkan_device(json->root()) ? read_vulkan_device(DeviceFacts(json->root()), grammar, found)
                                                     : ProfileReader(grammar, found).read(json->root());
  // Reports all errors in document order. If there is any error, no part of the profile is used.
  if (!found.has_errors()) return profile;
  Reported reported = diagnostics.report(found.all().front());
  for (std::size_t i = 1; i < found.all().size(); ++i) reported = diagnostics.report(found.all()[i]);
  return reported;
}

void apply(const Profile& profile, ValidateOptions& options) {
  if (profile.environment) options.environment = *profile.environment;
  // Borrowed: the profile must outlive the options.
  options.device = &profile.device;
  // Features are added to those of the options; limits and layouts replace existing values.
  for (const FeatureRow& row : features()) {
    if (profile.features.has(row.feature)) options.features.add(row.feature);
  }
  for (const auto& [limit, most] : profile.limits) options.limits.*limit = most;
  for (const auto& [layout, value] : profile.descriptors) options.*layout = value;
  options.rules = profile.rules;
}

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// DeviceFacts: everything that a document states about a Vulkan device.
//
// Features, properties and limits have unique names in the Vulkan API, apart from a few. So the structures of a document
// do not matter: a reader collects each number under its name. Members of structures whose names another structure has
// with another meaning are collected as "VkPhysicalDevice…::name". vulkan_registry.def distinguishes others by
// extension.
//
// Source: the schema of Vulkan Profiles; the output of vulkaninfo and of Vulkan Hardware Capability Viewer.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "support/json.h"
#include "vireo/spirv/grammar/grammar.h"

namespace vireo::spirv {

class DeviceFacts {
 public:
  /// Borrows the document. Unknown members are collected too.
  explicit DeviceFacts(JsonValue root);
  /// The text of `vulkaninfo`, which is borrowed; of several devices the first one.
  explicit DeviceFacts(std::string_view text);
  /// Whether a text is the output of `vulkaninfo`.
  static bool is_vulkaninfo(std::string_view text);
  /// Why a text that resembles the output of `vulkaninfo` cannot be read; empty if it does not resemble it.
  static std::string_view problem_of_text(std::string_view text);

  /// The version of Vulkan. A device's own version takes precedence over the one that a profile requires.
  [[nodiscard]] std::optional<Version> version() const { return device_version_ ? device_version_ : profile_version_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  /// The largest number under a name; a boolean is 0 or 1. The name of an element of an array is "name[0]", that of a
  /// member of an extent "name.width".
  [[nodiscard]] std::optional<std::int64_t> number(std::string_view name) const;
  /// Whether a member is true, or has one of the bits; 0 means any number but 0.
  [[nodiscard]] bool has(std::string_view member, std::int64_t bits) const;
  /// Whether the device has one of the versions and extensions of a list; true for an empty list.
  [[nodiscard]] bool has_source(std::string_view sources) const;
  /// Whether the device has an extension, or a version of Vulkan that includes it.
  [[nodiscard]] bool has_extension(std::string_view name) const;
  /// A value that is none of its member: a text or a negative number in place of a limit.
  struct Fault {
    std::string message, path;  // the path is empty for a text of vulkaninfo
  };
  [[nodiscard]] const std::vector<Fault>& faults() const { return faults_; }

 private:
  void read(JsonValue object);
  void read_extended(JsonValue object);
  void read_value(std::string_view owner, std::string_view key, JsonValue value);
  void read_array(const std::string& name, JsonValue array);
  void read_text(std::string_view owner, std::string_view key, std::string_view text, const std::string& path = {});
  void read_line(std::string_view line);
  void read_number(std::string_view owner, std::string_view key, std::int64_t number, const std::string& path);
  void fault(std::string_view member, std::string_view expected, const std::string& path);
  void add(std::string name, std::int64_t number);
  void add_bits(const std::string& name, std::string_view bit);

  std::optional<Version> device_version_, profile_version_;
  std::string name_;
  std::map<std::string, std::int64_t, std::less<>> numbers_;
  std::set<std::string_view> extensions_;
  // Of the text: the structure of the current section, and the member whose elements follow.
  std::string_view section_, list_;
  std::size_t list_size_ = 0;
  std::vector<Fault> faults_;
};

/// The integer that a number of a document has as its value: also 32.0, and 2^64 - 1 as the largest number. Nothing for
/// other numbers and values.
std::optional<std::int64_t> whole_number(JsonValue value);
/// The value of a member as in DeviceLimit: of a fraction in its units, of others the integer.
std::optional<std::int64_t> member_value(std::string_view name, JsonValue value);
/// "a number" for fractions, "an integer" for other members.
std::string_view member_form(std::string_view name);
/// Whether validate() reads a member with this name, or elements of it.
bool is_device_member(std::string_view name);
bool is_device_array(std::string_view name);
/// Whether the values of a member may be negative, as those of minTexelOffset.
bool may_be_negative(std::string_view member);

}  // namespace vireo::spirv

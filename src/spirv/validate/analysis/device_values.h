// SPDX-License-Identifier: Apache-2.0
//
// DeviceValues: the features, properties and limits that the profile of a Vulkan device states.
//
// What it does not state is unknown, so checks report nothing about it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

#include "vireo/spirv/validate/validate.h"

namespace vireo::spirv {

class DeviceValues {
 public:
  /// Borrows the names.
  explicit DeviceValues(const DeviceSupport& device);

  /// nullopt: the profile does not state it.
  [[nodiscard]] std::optional<std::int64_t> find(std::string_view name) const;
  [[nodiscard]] bool is_on(std::string_view name) const { return find(name).value_or(0) != 0; }
  /// Whether the device has none of these features, which are separated by commas, and states at least one of them.
  [[nodiscard]] bool lacks_all(std::string_view names) const;

 private:
  std::map<std::string_view, std::int64_t> values_;
};

}  // namespace vireo::spirv

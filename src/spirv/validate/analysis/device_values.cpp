// SPDX-License-Identifier: Apache-2.0
//
// Lookup in a profile (device_values.h).
#include "spirv/validate/analysis/device_values.h"

#include "spirv/validate/tables/device_rows.h"

namespace vireo::spirv {

DeviceValues::DeviceValues(const DeviceSupport& device) {
  for (const DeviceLimit& limit : device.limits) values_.emplace(limit.name, limit.value);
}

std::optional<std::int64_t> DeviceValues::find(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::nullopt : std::optional(found->second);
}

bool DeviceValues::lacks_all(std::string_view names) const {
  bool is_stated = false, is_on = false;
  for_each_name(names, [&](std::string_view name) {
    const auto value = find(name);
    is_stated |= value.has_value();
    is_on |= value.value_or(0) != 0;
  });
  return is_stated && !is_on;
}

}  // namespace vireo::spirv

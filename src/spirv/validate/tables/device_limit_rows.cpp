// SPDX-License-Identifier: Apache-2.0
//
// The rows of device_limits.def, for users (device_limits()) and for checks.
#include "spirv/validate/tables/device_limit_rows.h"

#include <iterator>

namespace vireo::spirv {
namespace {

using enum ExecutionModel;

constexpr DeviceLimitRow device_limit_names[] = {
#define DEVICE_LIMIT(name, quantity, models, factor, raised_by, vuid, meaning) {name, meaning},
#include "spirv/validate/tables/device_limits.def"
#undef DEVICE_LIMIT
};

constexpr DeviceLimitCheck device_limit_check_rows[] = {
#define DEVICE_LIMIT(name, quantity, models, factor, raised_by, vuid, meaning) \
  {Quantity::quantity, models, factor, raised_by, vuid},
#include "spirv/validate/tables/device_limits.def"
#undef DEVICE_LIMIT
};

}  // namespace

std::span<const DeviceLimitRow> device_limits() { return device_limit_names; }

std::span<const DeviceLimitCheck> device_limit_checks() { return device_limit_check_rows; }

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// Matrices that are loaded from memory, and stored to it, by the layout of a tensor.
#pragma once

#include "spirv/validate/context.h"

namespace vireo::spirv {

/// OpCooperativeMatrixLoadTensorNV and OpCooperativeMatrixStoreTensorNV.
void check_tensor_load(const Context& context, const Visit& visit, Report& report);
void check_tensor_store(const Context& context, const Visit& visit, Report& report);

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// The part of a variable at an offset, as source languages write it: "particles[7].velocity.y".
#pragma once

#include <cstdint>
#include <string>

#include "spirv/execute/program/type_cells.h"
#include "vireo/spirv/module/facts.h"

namespace vireo::spirv {

/// `path`: that of the variable, which may be empty. The offset may be outside the type, also negative: then the path
/// has the index of the first array that leads there.
std::string element_path(const Facts& facts, const TypeCells& cells, const PlacedType& type, std::string path,
                         std::int64_t offset);

}  // namespace vireo::spirv

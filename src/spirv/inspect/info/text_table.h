// SPDX-License-Identifier: Apache-2.0
//
// Tables for readers: aligned columns, and the texts in them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vireo/spirv/inspect/reflection.h"

namespace vireo::spirv {

using TableRow = std::vector<std::string>;

/// Appends a title and aligned columns. Columns without any text are left out, and so is a table without rows.
void append_table(std::string& out, std::string_view title, const TableRow& head, const std::vector<TableRow>& rows);

/// "[16] (SpecId 3)"; empty if there is no array.
std::string array_text(const std::vector<ReflectedLength>& lengths);
/// The name, safe to print; without one the id.
std::string name_text(std::string_view name, Word id);

}  // namespace vireo::spirv

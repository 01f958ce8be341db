// SPDX-License-Identifier: Apache-2.0
//
// The fields of ModuleInfo: a table with a name, a type and a meaning for each property.
//
// A property is a row. Conditions, columns, sorting, JSON and the list of `vireo info --fields` use the
// same rows. A plural names a number, the singular the list: `capabilities` and `capability`.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "vireo/spirv/inspect/module_info.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/text_writer.h"

namespace vireo::spirv {

/// The type of a field; the index of FieldValue.
enum class FieldType : std::uint8_t { Number, Version, Text, List };
VIREO_API std::string_view name_of(FieldType type);  ///< "number"

/// The value of a field for one module.
using FieldValue = std::variant<std::uint64_t, Version, std::string, std::vector<std::string>>;

/// One field.
struct VIREO_API InfoField {
  std::string_view name;
  FieldType type;
  std::string_view meaning;  ///< for readers: "size in bytes"
  FieldValue (*value)(const ModuleInfo& info);
  /// The operand kind whose enumerants are its texts: "Capability"; for opcodes "Op"; empty for other texts.
  std::string_view kind = {};
};

/// All fields, grouped by subject.
VIREO_API std::span<const InfoField> info_fields();
/// The field with this name; nullptr if there is none.
VIREO_API const InfoField* find_info_field(std::string_view name);
/// The field name that is most similar to an unknown name; empty if none is similar.
VIREO_API std::string_view nearest_info_field(std::string_view name);

/// The text of a value: "120", "1.5", "main"; the elements of a list are joined by `separator`.
VIREO_API std::string text_of(const FieldValue& value, std::string_view separator = ", ");

/// Writes some fields as a JSON object on one line. Returns false if the sink rejects the text.
VIREO_API bool write_info_json(const ModuleInfo& info, std::span<const InfoField* const> fields, TextSink& sink);

}  // namespace vireo::spirv

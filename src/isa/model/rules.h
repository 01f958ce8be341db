// SPDX-License-Identifier: Apache-2.0
//
// The names of the diagnostics of instruction set descriptions, for all rooms below src/isa.
#pragma once

#include <string_view>

namespace vireo::isa::rule {

// The document.
inline constexpr std::string_view malformed_xml = "malformed-xml";
inline constexpr std::string_view ignored_doctype = "ignored-doctype";
inline constexpr std::string_view unknown_entity = "unknown-entity";
inline constexpr std::string_view unknown_element = "unknown-element";
inline constexpr std::string_view unknown_attribute = "unknown-attribute";
inline constexpr std::string_view missing_attribute = "missing-attribute";
inline constexpr std::string_view malformed_value = "malformed-value";
inline constexpr std::string_view limit_exceeded = "limit-exceeded";

// Imports.
inline constexpr std::string_view cannot_import = "cannot-import";
inline constexpr std::string_view import_cycle = "import-cycle";
inline constexpr std::string_view imported_twice = "imported-twice";

// Names.
inline constexpr std::string_view duplicate_name = "duplicate-name";
inline constexpr std::string_view unknown_parent = "unknown-parent";
inline constexpr std::string_view unknown_type = "unknown-type";
inline constexpr std::string_view unknown_expression = "unknown-expression";
inline constexpr std::string_view unresolved_field = "unresolved-field";
inline constexpr std::string_view unknown_param = "unknown-param";
inline constexpr std::string_view ambiguous_variant = "ambiguous-variant";

// Expressions and displays.
inline constexpr std::string_view malformed_expression = "malformed-expression";
inline constexpr std::string_view expression_cycle = "expression-cycle";
inline constexpr std::string_view malformed_display = "malformed-display";
inline constexpr std::string_view template_cycle = "template-cycle";
inline constexpr std::string_view missing_display = "missing-display";

// Bits.
inline constexpr std::string_view bad_range = "bad-range";
inline constexpr std::string_view bad_pattern = "bad-pattern";
inline constexpr std::string_view redefined_bits = "redefined-bits";
inline constexpr std::string_view undefined_bits = "undefined-bits";
inline constexpr std::string_view size_mismatch = "size-mismatch";
inline constexpr std::string_view bad_size = "bad-size";
inline constexpr std::string_view value_too_wide = "value-too-wide";
inline constexpr std::string_view duplicate_value = "duplicate-value";
inline constexpr std::string_view override_overlap = "override-overlap";

// Structure.
inline constexpr std::string_view extends_cycle = "extends-cycle";
inline constexpr std::string_view nesting_cycle = "nesting-cycle";
inline constexpr std::string_view missing_root = "missing-root";
inline constexpr std::string_view bad_generations = "bad-generations";
inline constexpr std::string_view overlapping_generations = "overlapping-generations";
inline constexpr std::string_view misplaced_pattern = "misplaced-pattern";
inline constexpr std::string_view ignored_display = "ignored-display";

}  // namespace vireo::isa::rule

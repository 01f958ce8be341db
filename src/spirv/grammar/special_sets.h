// SPDX-License-Identifier: Apache-2.0
//
// The import names of extended sets, which their documents do not contain.
//
// A table maps documents to import names. For a document that is not in it, the import name is the key `name`, the
// caller's name, or part of the file name. An import name that ends in a dot is a prefix, which a version number may
// follow.
#pragma once

#include <string_view>

#include "vireo/spirv/grammar.h"

namespace vireo::spirv {

struct SpecialSet {
  std::string_view document;     ///< NAME of extinst.NAME.grammar.json
  std::string_view import_name;  ///< as OpExtInstImport writes it; a trailing dot means prefix
  bool prints_numbers = false;   ///< spirv-dis prints numbers for this set
};

/// The row of a document; nullptr if there is none.
const SpecialSet* find_special_set(std::string_view document);

/// The row of an import name, spelt as in the table; nullptr if there is none.
const SpecialSet* find_special_set_by_import_name(std::string_view import_name);

/// Whether a set is non-semantic, by its import name (SPV_KHR_non_semantic_info).
constexpr bool is_non_semantic_set(std::string_view import_name) { return import_name.starts_with("NonSemantic."); }

/// Whether this is a debug information set that is older than the non-semantic sets. Its instructions have no
/// semantics, describe the following instructions, and are permitted wherever line information is.
constexpr bool is_older_debug_information(std::string_view import_name) {
  return import_name == "DebugInfo" || import_name == "OpenCL.DebugInfo.100";
}

/// Returns NAME for the file name `extinst.NAME.grammar.json`, with or without folders; empty for any other file name.
std::string_view document_of_file_name(std::string_view file_name);

/// How an import name is matched: with a trailing dot it is a prefix.
constexpr SetMatch match_of_import_name(std::string_view name) {
  return name.ends_with('.') ? SetMatch::Prefix : SetMatch::Exact;
}

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// What the documents of extended sets do not say about themselves: the names under which modules import them.
//
// The one idea: a small table, document → import name. A document that is not in it names itself (key `name`), is named
// by the caller, or by its file name. An import name that ends in a dot is a prefix: a version number may follow.
#pragma once

#include <string_view>

#include "vireo/spirv/grammar.h"

namespace vireo::spirv {

struct SpecialSet {
  std::string_view document;     ///< NAME of extinst.NAME.grammar.json
  std::string_view import_name;  ///< as OpExtInstImport writes it; a trailing dot means prefix
  bool prints_numbers = false;   ///< the reference disassembler knows no names of this set
};

/// The row of a document; nullptr: nothing is known.
const SpecialSet* find_special_set(std::string_view document);

/// The row of an import name as the table spells it; nullptr: nothing is known.
const SpecialSet* find_special_set_by_import_name(std::string_view import_name);

/// Whether a set's instructions do nothing, by its import name (SPV_KHR_non_semantic_info).
constexpr bool is_non_semantic_set(std::string_view import_name) { return import_name.starts_with("NonSemantic."); }

/// Whether it is a set of debug information that came before the non-semantic ones: its instructions do nothing, describe
/// what follows, and stand where lines may.
constexpr bool is_older_debug_information(std::string_view import_name) {
  return import_name == "DebugInfo" || import_name == "OpenCL.DebugInfo.100";
}

/// `extinst.NAME.grammar.json`, with or without folders → NAME; empty for any other file name.
std::string_view document_of_file_name(std::string_view file_name);

/// How an import name is matched: a trailing dot makes it a prefix.
constexpr SetMatch match_of_import_name(std::string_view name) {
  return name.ends_with('.') ? SetMatch::Prefix : SetMatch::Exact;
}

}  // namespace vireo::spirv

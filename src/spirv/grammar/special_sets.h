// SPDX-License-Identifier: Apache-2.0
//
// Facts about extended sets that their documents lack: import names, and the sets of debug information.
//
// A table maps documents to import names. For a document that is not in it, the import name is the key `name`, the
// caller's name, or part of the file name. An import name that ends in a dot is a prefix, which a version number may
// follow.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "vireo/spirv/grammar/grammar.h"

namespace vireo::spirv {

/// The sets about which the library knows more than the grammar contains.
enum class KnownSet : std::uint8_t {
  Other,
  Glsl,         ///< GLSL.std.450
  OpenCl,       ///< OpenCL.std
  Break,        ///< NonSemantic.DebugBreak
  Printf,       ///< NonSemantic.DebugPrintf
  PlainDebug,   ///< DebugInfo
  OpenClDebug,  ///< OpenCL.DebugInfo.100
  ShaderDebug,  ///< NonSemantic.Shader.DebugInfo.
  GraphDebug,   ///< NonSemantic.Graph.DebugInfo.
  Reflection,   ///< NonSemantic.ClspvReflection.
};

struct SpecialSet {
  std::string_view document;     ///< NAME of extinst.NAME.grammar.json
  std::string_view import_name;  ///< as OpExtInstImport writes it; a trailing dot means prefix
  KnownSet set = KnownSet::Other;
  bool prints_numbers = false;  ///< spirv-dis prints numbers for this set
};

/// The row of a document; nullptr if there is none.
const SpecialSet* find_special_set(std::string_view document);

/// The row of an import name, spelt as in the table; nullptr if there is none.
const SpecialSet* find_special_set_by_import_name(std::string_view import_name);

/// The parsed import name: "NonSemantic.ClspvReflection.5" is Reflection in version 5.
struct NamedSet {
  KnownSet set = KnownSet::Other;
  std::uint32_t version = 0;  ///< 0 if the name has no version, or one that is not a number
};
NamedSet named_set(std::string_view import_name);

/// Parses a version in a name: a decimal number without leading zeros; nullopt for other texts.
std::optional<std::uint32_t> version_number(std::string_view text);

/// Whether a set is non-semantic, by its import name (SPV_KHR_non_semantic_info): its instructions can be removed.
constexpr bool is_non_semantic_set(std::string_view import_name) { return import_name.starts_with("NonSemantic."); }

/// Whether this is a debug information set that is older than the non-semantic sets. Its instructions have no
/// semantics, describe the following instructions, and are permitted wherever line information is.
constexpr bool is_older_debug_information(KnownSet set) {
  return set == KnownSet::PlainDebug || set == KnownSet::OpenClDebug;
}
inline bool is_older_debug_information(std::string_view import_name) {
  return is_older_debug_information(named_set(import_name).set);
}

/// Whether the instructions of a set do not change what the module computes (2.10).
inline bool has_no_semantics(std::string_view import_name) {
  return is_non_semantic_set(import_name) || is_older_debug_information(import_name);
}

/// Whether the instructions of a set describe the source of shaders or kernels to debuggers.
inline bool is_debug_information(std::string_view import_name) {
  const KnownSet set = named_set(import_name).set;
  return set == KnownSet::ShaderDebug || is_older_debug_information(set);
}

/// Returns NAME for the file name `extinst.NAME.grammar.json`, with or without folders; empty for any other file name.
std::string_view document_of_file_name(std::string_view file_name);

/// How an import name is matched: with a trailing dot it is a prefix.
constexpr SetMatch match_of_import_name(std::string_view name) {
  return name.ends_with('.') ? SetMatch::Prefix : SetMatch::Exact;
}

}  // namespace vireo::spirv

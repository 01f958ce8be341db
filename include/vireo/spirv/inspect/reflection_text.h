// SPDX-License-Identifier: Apache-2.0
//
// Writes a Reflection as JSON, as tables for readers, or as a header of C or C++.
//
// Source: docs/reflect.md describes these forms; docs/reflection.schema.json is the JSON schema.
#pragma once

#include <cstdint>
#include <string_view>

#include "vireo/spirv/inspect/reflection.h"
#include "vireo/support/api.h"
#include "vireo/support/text_writer.h"

namespace vireo::spirv {

/// Which entry points, and what they reach, are written.
struct VIREO_API ReflectionTextOptions {
  std::string_view entry_point = {};  ///< only entry points with this name, and what they use; empty: everything
  /// Also the mappings of bindings to descriptor heaps. Always written for modules with capability DescriptorHeapEXT.
  bool mappings = false;
};

/// Writes one JSON document and a line feed. `file` is its name for readers. Returns false if the sink rejects a chunk.
/// If the module declares more than the grammar requires, it is validated as trim() does.
VIREO_API bool write_reflection_json(const Reflection& reflection, std::string_view file,
                                     const ReflectionTextOptions& options, TextSink& sink);
/// Writes tables. Returns false if the sink rejects a chunk.
VIREO_API bool write_reflection_table(const Reflection& reflection, std::string_view file,
                                      const ReflectionTextOptions& options, TextSink& sink);

/// The language of a generated header.
enum class HeaderLanguage : std::uint8_t {
  C,    ///< C99; a C11 compiler also checks the layout
  Cpp,  ///< C++17
};

/// What a generated header contains.
struct VIREO_API ReflectionHeaderOptions {
  HeaderLanguage language = HeaderLanguage::C;
  std::string_view entry_point = {};  ///< constants only of what entry points with this name use; empty: of everything
  /// The namespace of C++, which may be nested ("app::scene"); the prefix of all names of C ("app_scene"). Other
  /// characters than those of identifiers are replaced. Empty: none; then names can clash with those of other headers.
  std::string_view scope = {};
  /// Also tables of structures of Vulkan: bindings of descriptor sets, vertex attributes, ranges of push constants, maps
  /// of specialization, mappings of bindings to descriptor heaps. The header then includes <vulkan/vulkan_core.h>.
  bool vulkan = false;
};

/// Writes a header with a structure for each structure that has a memory layout, with explicit padding and checks of
/// offsets and sizes; and constants for sets, bindings, locations, push constants and SpecIds. It includes <stdint.h>
/// and <stddef.h> only. Returns false if the sink rejects a chunk.
VIREO_API bool write_reflection_header(const Reflection& reflection, std::string_view file,
                                       const ReflectionHeaderOptions& options, TextSink& sink);

}  // namespace vireo::spirv

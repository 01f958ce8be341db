// SPDX-License-Identifier: Apache-2.0
//
// Writes a Reflection as JSON or as tables for readers.
//
// Source: docs/reflect.md describes both forms; docs/reflection.schema.json is the JSON schema.
#pragma once

#include <string_view>

#include "vireo/spirv/inspect/reflection.h"
#include "vireo/support/api.h"
#include "vireo/support/text_writer.h"

namespace vireo::spirv {

/// Which entry points, and what they reach, are written.
struct VIREO_API ReflectionTextOptions {
  std::string_view entry_point;  ///< only entry points with this name, and what they use; empty: everything
};

/// Writes one JSON document and a line feed. `file` is its name for readers. Returns false if the sink rejects a chunk.
VIREO_API bool write_reflection_json(const Reflection& reflection, std::string_view file,
                                     const ReflectionTextOptions& options, TextSink& sink);
/// Writes tables. Returns false if the sink rejects a chunk.
VIREO_API bool write_reflection_table(const Reflection& reflection, std::string_view file,
                                      const ReflectionTextOptions& options, TextSink& sink);

}  // namespace vireo::spirv

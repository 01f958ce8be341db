// SPDX-License-Identifier: Apache-2.0
//
// XML → Model.
//
// The one idea: loading never stops at a fault. Every file keeps its text and its own diagnostics, so that each fault is
// reported as file:line:col, all of them in one run; the model holds whatever was sound.
//
//   LoadedModel loaded = load_model("ir3.xml");
//   if (loaded.ok()) Decoder decoder(loaded.model, {.gen = 600});
//   for (const SourceFile& file : loaded.files) … file.diagnostics …
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "vireo/isa/model.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"

namespace vireo::isa {

/// A file that was read, in the order of reading. `FileId` numbers them.
struct VIREO_API SourceFile {
  std::string name;  ///< the path by which it was opened
  std::string text;
  Diagnostics diagnostics;
};

/// Opens a file that is imported; nothing when there is none.
using ReadFile = std::function<std::optional<std::string>(const std::string& path)>;

/// How a description is read.
struct VIREO_API LoadOptions {
  /// Accept what Mesa's tools accept: faults that they overlook become warnings, and of rows with one name the last counts.
  bool mesa_compat = false;
  /// How imports are opened; the file system when empty.
  ReadFile read;
};

/// What loading gave: the model, and what was found in each file.
struct VIREO_API LoadedModel {
  Model model;
  std::deque<SourceFile> files;

  /// Whether the model can be decoded with.
  [[nodiscard]] bool ok() const;
  [[nodiscard]] std::size_t error_count() const;
};

// Bounds on what is read; beyond them is an error.
inline constexpr std::size_t max_source_bytes = std::size_t{16} << 20;  ///< of all files together
inline constexpr std::size_t max_source_files = 256;
inline constexpr std::size_t max_element_depth = 64;
inline constexpr std::size_t max_inheritance_depth = 64;
inline constexpr std::size_t max_nesting_depth = 32;      ///< bitsets as types of fields of bitsets …
inline constexpr std::size_t max_display_length = 65536;  ///< of one display, templates expanded
inline constexpr std::uint32_t max_bitset_size = 4096;
inline constexpr std::size_t max_model_rows = std::size_t{1} << 22;  ///< rows that all chains see, together

/// Loads a file with all that it imports. A file that cannot be read is an error, too.
VIREO_API LoadedModel load_model(const std::string& path, const LoadOptions& options = {});

/// Loads a text; `name` is what diagnostics call it, and what the paths of imports are relative to.
VIREO_API LoadedModel load_model_text(std::string name, std::string text, const LoadOptions& options = {});

}  // namespace vireo::isa

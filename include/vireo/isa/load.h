// SPDX-License-Identifier: Apache-2.0
//
// XML → Model.
//
// The one idea: loading never stops at a fault. Every file keeps its text and its own diagnostics, so one run reports
// all faults as file:line:col; the model contains everything that was read without fault.
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

/// A file that was read. Files are in the order of reading, with FileId as index.
struct VIREO_API SourceFile {
  std::string name;  ///< the path it was opened with
  std::string text;
  Diagnostics diagnostics;
};

/// Opens an imported file; none if it does not exist.
using ReadFile = std::function<std::optional<std::string>(const std::string& path)>;

/// Options for loading.
struct VIREO_API LoadOptions {
  /// Accept what Mesa's tools accept: faults that they ignore become warnings. If several rows have one name, the last
  /// counts.
  bool mesa_compat = false;
  /// Opens imports; the file system if empty.
  ReadFile read;
};

/// The result of loading: the model, and the files with their diagnostics.
struct VIREO_API LoadedModel {
  Model model;
  std::deque<SourceFile> files;

  /// Whether a Decoder can use the model.
  [[nodiscard]] bool ok() const;
  [[nodiscard]] std::size_t error_count() const;
};

// Limits of what is read. Exceeding one is an error.
inline constexpr std::size_t max_source_bytes = std::size_t{16} << 20;  ///< of all files together
inline constexpr std::size_t max_source_files = 256;
inline constexpr std::size_t max_element_depth = 64;
inline constexpr std::size_t max_inheritance_depth = 64;
inline constexpr std::size_t max_nesting_depth = 32;      ///< nesting of bitsets as types of fields of bitsets
inline constexpr std::size_t max_display_length = 65536;  ///< of one display, templates expanded
inline constexpr std::uint32_t max_bitset_size = 4096;
inline constexpr std::size_t max_model_rows = std::size_t{1} << 22;  ///< sum of the rows that each chain contains

/// Loads a file and all its imports. A file that cannot be read is an error.
VIREO_API LoadedModel load_model(const std::string& path, const LoadOptions& options = {});

/// Loads a text. `name` is its name in diagnostics, and the paths of imports are relative to it.
VIREO_API LoadedModel load_model_text(std::string name, std::string text, const LoadOptions& options = {});

}  // namespace vireo::isa

// SPDX-License-Identifier: Apache-2.0
//
// The loader: XML → Model (docs/isaspec.md describes the XML).
//
// Loading does not stop at a fault. Each file keeps its text and its own diagnostics, so one run reports
// all faults as file:line:col. The model contains all elements without faults.
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

/// A file that was read. Its FileId is its index in LoadedModel::files.
struct VIREO_API SourceFile {
  std::string name;  ///< the path with which it was opened
  std::string text;
  Diagnostics diagnostics;
};

/// Returns the text of an imported file; none if the file does not exist.
using ReadFile = std::function<std::optional<std::string>(const std::string& path)>;

/// Options of load_model().
struct VIREO_API LoadOptions {
  /// Accept descriptions that Mesa's tools accept: faults that these tools ignore become warnings. If several elements
  /// have the same name, the last one is used.
  bool mesa_compat = false;
  /// Reads imported files; if empty, they are read from the file system.
  ReadFile read;
};

/// The result of loading: the model, and the files with their diagnostics. Can be moved, but not while a Decoder uses
/// the model.
struct VIREO_API LoadedModel {
  Model model;
  std::deque<SourceFile> files;  ///< in the order of reading

  /// Whether there were no errors, so that a Decoder can use the model.
  [[nodiscard]] bool ok() const;
  /// The number of errors in all files.
  [[nodiscard]] std::size_t error_count() const;
};

// Limits of a description. Exceeding one is an error.
inline constexpr std::size_t max_source_bytes = std::size_t{16} << 20;  ///< total size of all files
inline constexpr std::size_t max_source_files = 256;
inline constexpr std::size_t max_element_depth = 64;
inline constexpr std::size_t max_inheritance_depth = 64;
inline constexpr std::size_t max_nesting_depth = 32;      ///< levels of bitset fields inside bitsets
inline constexpr std::size_t max_display_length = 65536;  ///< bytes of one display with its templates expanded
inline constexpr std::uint32_t max_bitset_size = 4096;    ///< bits
/// The sum of the bitsets, cases and patterns in the chains of all bitsets.
inline constexpr std::size_t max_model_rows = std::size_t{1} << 22;

/// Loads a file and all its imports. Faults, also of files that cannot be read, are in the result's diagnostics.
VIREO_API LoadedModel load_model(const std::string& path, const LoadOptions& options = {});

/// Loads a text and all its imports. `name` is used in diagnostics, and the paths of imports are relative to it.
VIREO_API LoadedModel load_model_text(std::string name, std::string text, const LoadOptions& options = {});

}  // namespace vireo::isa

// SPDX-License-Identifier: Apache-2.0
//
// Recorded data outside the repository, opened for tests: an archive of modules, files of cases.
//
// `tar` and `xz` unpack the data; a test reads only the files that it needs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/spirv/word.h"

namespace vireo::system_test {

/// An archive, unpacked into a folder that the destructor removes.
class UnpackedArchive {
 public:
  explicit UnpackedArchive(const std::filesystem::path& archive);
  ~UnpackedArchive();
  UnpackedArchive(const UnpackedArchive&) = delete;
  UnpackedArchive& operator=(const UnpackedArchive&) = delete;

  [[nodiscard]] bool is_good() const { return is_good_; }
  /// All modules in the folder, as sorted paths within the archive.
  [[nodiscard]] std::vector<std::string> modules() const;
  [[nodiscard]] std::filesystem::path path_of(std::string_view module) const { return folder_ / module; }

 private:
  std::filesystem::path folder_;
  bool is_good_ = false;
};

/// The output of a program; `status` receives its exit status.
std::string output_of(const std::string& command, int& status);

/// The lines of a file compressed by xz.
std::vector<std::string> packed_lines(const std::filesystem::path& path);

/// A row of the manifest of real modules.
struct ManifestRow {
  std::string path;
  std::size_t bytes = 0;
  std::vector<std::string> environments;  ///< in which spirv-val accepts it
};
std::vector<ManifestRow> manifest_rows(const std::filesystem::path& manifest);

/// The bytes of a file, and its words (host byte order; bytes after the last complete word are dropped).
std::string bytes_of_file(const std::filesystem::path& path);
spirv::WordBuffer words_of_bytes(std::string_view bytes);
std::string from_base64(std::string_view text);

/// Calls work(i) for each i < count on a few threads. Returns all results that are not empty (the failures), in order.
std::vector<std::string> failures_of(std::size_t count, const std::function<std::string(std::size_t)>& work);

}  // namespace vireo::system_test

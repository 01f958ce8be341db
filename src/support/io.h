// SPDX-License-Identifier: Apache-2.0
//
// Files and descriptors. vireo/support/file.h is the public part.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "vireo/support/diagnostic.h"
#include "vireo/support/file.h"
#include "vireo/support/result.h"
#include "vireo/support/text_writer.h"

namespace vireo {

namespace rule {
inline constexpr std::string_view cannot_read = "cannot-read";
inline constexpr std::string_view cannot_write = "cannot-write";
}  // namespace rule

/// Reads an open descriptor from its current position to the end. The descriptor stays open.
Result<FileBytes> read_descriptor(int descriptor, std::string_view name, Diagnostics& diagnostics,
                                  const ReadLimits& limits = {});

/// A buffered writer to a descriptor that the caller owns, such as standard output or a pipe.
class DescriptorSink final : public TextSink {
 public:
  explicit DescriptorSink(int descriptor) : descriptor_(descriptor) {}
  ~DescriptorSink() override { flush(); }
  DescriptorSink(const DescriptorSink&) = delete;
  DescriptorSink& operator=(const DescriptorSink&) = delete;

  bool write(std::string_view chunk) override;
  /// Writes the buffer to the descriptor. Returns false if any write failed, now or earlier.
  bool flush();
  [[nodiscard]] int error() const { return error_; }  ///< errno of the first failed write; 0 = none

 private:
  friend class OutputFile;
  int descriptor_;
  int error_ = 0;
  std::string buffer_;
};

/// Creates a folder and its missing parents.
bool make_folders(std::string_view path, Diagnostics& diagnostics);

/// The system's description of an errno: "No such file or directory".
std::string describe_error(int error);

}  // namespace vireo

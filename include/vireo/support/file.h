// SPDX-License-Identifier: Apache-2.0
//
// Files: reads a whole file; writes a file completely or not at all.
//
//   Result<FileBytes> bytes = read_file("shader.spv", diagnostics);
//   if (!bytes || !write_file("copy.spv", bytes->text(), diagnostics)) …
//
// An input is a span of bytes, which is mapped into memory if that saves a copy. An output file is
// written under a temporary name and renamed when it is complete. Each system error becomes one diagnostic.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/result.h"
#include "vireo/support/text_writer.h"

namespace vireo {

/// Limits for files that untrusted input names.
struct VIREO_API ReadLimits {
  std::size_t max_bytes = std::numeric_limits<std::size_t>::max();  ///< reads only the first bytes of a longer file
  bool is_regular = false;                                          ///< a device or pipe is an error
};

/// The bytes of a file, in allocated memory or in a mapping, which this object releases. The first byte is aligned for
/// any scalar type. If another process truncates a mapped file, reading the bytes raises SIGBUS, as with any mapping.
class VIREO_API FileBytes {
 public:
  FileBytes() = default;
  FileBytes(FileBytes&& other) noexcept;
  FileBytes& operator=(FileBytes&& other) noexcept;
  ~FileBytes();

  /// The bytes, in any encoding. Valid as long as this object, or the object that it is moved to.
  [[nodiscard]] std::string_view text() const& { return {data_, size_}; }
  void text() const&& = delete;  // the view would outlive the bytes
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  friend Result<FileBytes> read_descriptor(int descriptor, std::string_view name, Diagnostics& diagnostics,
                                           const ReadLimits& limits);
  FileBytes(const char* data, std::size_t size, std::size_t mapped);

  const char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t mapped_ = 0;  // length of the mapping; 0 = the bytes are from malloc
};

/// Reads a whole file, or its beginning up to a limit. Errors: the path is a directory, the file cannot be opened or
/// read, memory is insufficient, or the file is not regular although the limits require it.
VIREO_API Result<FileBytes> read_file(std::string_view path, Diagnostics& diagnostics, const ReadLimits& limits = {});

/// Reads standard input to its end. Errors: as for read_file().
VIREO_API Result<FileBytes> read_standard_input(Diagnostics& diagnostics);

/// Writes a file completely or not at all, with the exceptions that OutputFile describes. If the file cannot be
/// written, reports an error and returns false.
VIREO_API bool write_file(std::string_view path, std::string_view bytes, Diagnostics& diagnostics);

/// A file that is created completely or not at all. Text goes to a temporary file in the same folder; commit() renames
/// it. Without commit(), and after a failure, the temporary file is removed and an existing file of that name is
/// unchanged. Two kinds of targets are written directly, without these guarantees: a path that is not a regular file
/// (/dev/null, a pipe), and an existing file whose folder accepts no new file.
///
///   OutputFile file("out.spv");
///   file.write(bytes);
///   if (!file.commit(diagnostics)) return …;
class VIREO_API OutputFile final : public TextSink {
 public:
  /// Does not open the file. write() opens it when the buffer is full; otherwise commit() opens it.
  explicit OutputFile(std::string_view path);
  ~OutputFile() override;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Appends bytes. Returns false if the file cannot be opened or written; commit() then reports the reason.
  bool write(std::string_view chunk) override;

  /// Whether a write failed, so that commit() will fail.
  [[nodiscard]] bool has_failed() const { return error_ != 0; }

  /// Completes the file. Returns false, with a diagnostic, if it could not be opened, written or renamed.
  [[nodiscard]] bool commit(Diagnostics& diagnostics);

 private:
  bool open();
  bool fail(int error);
  void discard();

  std::string path_;       // as the user wrote it
  std::string target_;     // with symbolic links resolved
  std::string temporary_;  // empty = written directly
  std::string buffer_;
  int descriptor_ = -1;
  int error_ = 0;
};

}  // namespace vireo

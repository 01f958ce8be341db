// SPDX-License-Identifier: Apache-2.0
//
// Files: read whole, written whole or not at all.
//
//   Result<FileBytes> bytes = read_file("shader.spv", diagnostics);
//   if (!bytes || !write_file("copy.spv", bytes->text(), diagnostics)) …
//
// The one idea: an input is a span of bytes, mapped when that saves a copy; an output gets its name only when it is
// complete. Each error of the system is one diagnostic.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/result.h"
#include "vireo/support/text_writer.h"

namespace vireo {

/// The bytes of a file: owned or mapped. They begin at an address that suits any scalar type.
/// If another program cuts a mapped file short, reading the bytes ends the process (SIGBUS), as with every mapping.
class VIREO_API FileBytes {
 public:
  FileBytes() = default;
  FileBytes(FileBytes&& other) noexcept;
  FileBytes& operator=(FileBytes&& other) noexcept;
  ~FileBytes();

  [[nodiscard]] std::string_view text() const& { return {data_, size_}; }
  void text() const&& = delete;  // the bytes would be gone with the object
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  friend Result<FileBytes> read_descriptor(int descriptor, std::string_view name, Diagnostics& diagnostics);
  FileBytes(const char* data, std::size_t size, std::size_t mapped);

  const char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t mapped_ = 0;  // length of the mapping; 0 = the bytes are from malloc
};

/// Reads a whole file. Errors: a directory, or a file that cannot be opened or read.
VIREO_API Result<FileBytes> read_file(std::string_view path, Diagnostics& diagnostics);

/// Reads standard input to its end. Errors: it cannot be read.
VIREO_API Result<FileBytes> read_standard_input(Diagnostics& diagnostics);

/// Writes a file whole or not at all: after an error an older file of that name is untouched. False after an error, which
/// is reported. OutputFile does the same for text that comes in chunks.
VIREO_API bool write_file(std::string_view path, std::string_view bytes, Diagnostics& diagnostics);

/// A file that comes into being whole or not at all: text goes to a temporary file in the same folder, commit() gives it
/// its name. Without commit(), and after a failure, nothing is left behind and an older file of that name is untouched.
/// What is no regular file (/dev/null, a pipe) is written directly.
///
///   OutputFile file("out.spv");
///   file.write(bytes);
///   if (!file.commit(diagnostics)) return …;
class VIREO_API OutputFile final : public TextSink {
 public:
  /// Touches nothing yet: the file is opened when there is much to write, or by commit().
  explicit OutputFile(std::string_view path);
  ~OutputFile() override;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// False when the file cannot take the bytes; commit() then says why.
  bool write(std::string_view chunk) override;

  /// Completes the file. False, with a diagnostic, when it could not be opened, written or named.
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

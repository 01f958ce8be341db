// SPDX-License-Identifier: Apache-2.0
//
// Files: whole ones in, all-or-nothing ones out.
//
// The one idea: an input is a span of bytes, mapped when that saves a copy; an output appears under its name only when
// it is complete. What the world refuses is a diagnostic, reported once, here.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "vireo/support/diagnostic.h"
#include "vireo/support/result.h"
#include "vireo/support/text_writer.h"

namespace vireo {

namespace rule {
inline constexpr std::string_view cannot_read = "cannot-read";
inline constexpr std::string_view cannot_write = "cannot-write";
}  // namespace rule

/// The bytes of a file: owned or mapped. They begin at an address that suits any scalar type.
/// A mapped file that somebody else cuts short while we look at it ends the process (SIGBUS), as with every mapping.
class FileBytes {
 public:
  FileBytes() = default;
  FileBytes(FileBytes&& other) noexcept;
  FileBytes& operator=(FileBytes&& other) noexcept;
  ~FileBytes();

  [[nodiscard]] std::string_view text() const { return {data_, size_}; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  friend Result<FileBytes> read_descriptor(int descriptor, std::string_view name, Diagnostics& diagnostics);
  FileBytes(const char* data, std::size_t size, std::size_t mapped);

  const char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t mapped_ = 0;  // length of the mapping; 0 = the bytes are from malloc
};

/// Reads a whole file. Directories and whatever cannot be opened or read are errors.
Result<FileBytes> read_file(std::string_view path, Diagnostics& diagnostics);

/// Reads all that an open descriptor gives, from its current place. The descriptor stays open.
Result<FileBytes> read_descriptor(int descriptor, std::string_view name, Diagnostics& diagnostics);

/// A buffered writer onto a descriptor that stays the caller's: standard output, a pipe.
class DescriptorSink final : public TextSink {
 public:
  explicit DescriptorSink(int descriptor) : descriptor_(descriptor) {}
  ~DescriptorSink() override { flush(); }
  DescriptorSink(const DescriptorSink&) = delete;
  DescriptorSink& operator=(const DescriptorSink&) = delete;

  bool write(std::string_view chunk) override;
  /// Hands everything over to the system. False when something was refused, now or earlier.
  bool flush();
  [[nodiscard]] int error() const { return error_; }  ///< errno of the first refusal; 0 = none

 private:
  friend class OutputFile;
  int descriptor_;
  int error_ = 0;
  std::string buffer_;
};

/// A file that comes into being whole or not at all: text goes to a temporary file in the same folder, commit() gives it
/// its name. Without commit(), and after a failure, nothing is left behind and an older file of that name is untouched.
/// What is no regular file (/dev/null, a pipe) is written directly.
///
///   OutputFile file("out.spv");
///   file.write(bytes);
///   if (!file.commit(diagnostics)) return …;
class OutputFile final : public TextSink {
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

/// Makes a folder and the folders above it where they are missing.
bool make_folders(std::string_view path, Diagnostics& diagnostics);

/// What the system says of an errno: "No such file or directory".
std::string describe_error(int error);

}  // namespace vireo

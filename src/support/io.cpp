// SPDX-License-Identifier: Apache-2.0
//
// Reads and writes files with POSIX calls. Without stdio and iostreams, large chunks are not copied and nothing is
// initialised at start-up.
#include "support/io.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

namespace vireo {
namespace {

constexpr std::size_t write_chunk = std::size_t{64} * 1024;    // fits in the second-level cache
constexpr std::size_t large_chunk = std::size_t{8} * 1024;     // above it, copying costs more than a call
constexpr std::size_t map_threshold = std::size_t{64} * 1024;  // below it, read() is cheaper than a mapping

// Writes all bytes; returns errno or 0. A call of write() may write fewer bytes than requested, for example to a pipe
// or a full disk.
int write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

// Whether the buffer must be written before the chunk is added.
bool must_write(const std::string& buffer, std::string_view chunk) {
  return chunk.size() >= large_chunk || buffer.size() + chunk.size() >= write_chunk;
}

// Collects small chunks in `buffer` and writes large ones directly. The buffer is written first, to keep the order.
int write_buffered(int descriptor, std::string& buffer, std::string_view chunk) {
  if (must_write(buffer, chunk)) {
    const int error = write_all(descriptor, buffer);
    buffer.clear();
    if (error != 0) return error;
    if (chunk.size() >= large_chunk) return write_all(descriptor, chunk);
  }
  buffer.append(chunk);
  return 0;
}

std::string sentence(std::string_view what, std::string_view path, int error) {
  std::string text(what);
  (text += " '").append(path) += "': ";
  return text += describe_error(error);
}

}  // namespace

// Not strerror(): it shares a buffer between threads and depends on the locale.
std::string describe_error(int error) { return std::generic_category().message(error); }

// --- Reading -----------------------------------------------------------------------------------------------------------

FileBytes::FileBytes(const char* data, std::size_t size, std::size_t mapped)
    : data_(data), size_(size), mapped_(mapped) {}

FileBytes::FileBytes(FileBytes&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      mapped_(std::exchange(other.mapped_, 0)) {}

// Swaps, so that `other` releases the old bytes and self-assignment is harmless.
FileBytes& FileBytes::operator=(FileBytes&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(mapped_, other.mapped_);
  return *this;
}

FileBytes::~FileBytes() {
  void* start = const_cast<char*>(data_);
  if (mapped_ != 0) {
    ::munmap(start, mapped_);
  } else {
    std::free(start);
  }
}

Result<FileBytes> read_descriptor(int descriptor, std::string_view name, Diagnostics& diagnostics,
                                  const ReadLimits& limits) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) {
    return diagnostics.error(rule::cannot_read, Location::none(), sentence("cannot read", name, errno));
  }
  // open() succeeds for a directory, but read() fails, so directories are rejected here.
  if (S_ISDIR(status.st_mode)) {
    return diagnostics.error(rule::cannot_read, Location::none(), sentence("cannot read", name, EISDIR));
  }
  if (limits.is_regular && !S_ISREG(status.st_mode)) {
    return diagnostics.error(rule::cannot_read, Location::none(),
                             "cannot read '" + std::string(name) + "': not a regular file");
  }
  const std::size_t size_of_file = S_ISREG(status.st_mode) ? static_cast<std::size_t>(status.st_size) : 0;
  const std::size_t expected = std::min(size_of_file, limits.max_bytes);
  // A mapping begins at the start of the file, so standard input is mapped only if no part of it has been read.
  if (expected >= map_threshold && ::lseek(descriptor, 0, SEEK_CUR) == 0) {
    void* start = ::mmap(nullptr, expected, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (start != MAP_FAILED) return FileBytes(static_cast<const char*>(start), expected, expected);
  }

  // The size of a regular file is only a hint, because files in /proc have size 0. The buffer has one byte more, so
  // that it need not grow before the read() that returns 0.
  std::size_t capacity = expected + 1;
  if (!S_ISREG(status.st_mode)) capacity = map_threshold;
  capacity = std::min(capacity, std::max(limits.max_bytes, std::size_t{1}));
  char* data = static_cast<char*>(std::malloc(capacity));
  std::size_t size = 0;
  int error = data == nullptr ? ENOMEM : 0;
  while (error == 0 && size < limits.max_bytes) {
    if (size == capacity) {
      const std::size_t more = std::min(capacity * 2, limits.max_bytes);
      char* larger = static_cast<char*>(std::realloc(data, more));
      if (larger == nullptr) {
        error = ENOMEM;
        break;
      }
      data = larger;
      capacity = more;
    }
    const ssize_t count = ::read(descriptor, data + size, capacity - size);
    if (count == 0) break;
    if (count > 0) size += static_cast<std::size_t>(count);
    if (count < 0 && errno != EINTR) error = errno;
  }
  if (error == 0) return FileBytes(data, size, 0);
  std::free(data);
  return diagnostics.error(rule::cannot_read, Location::none(), sentence("cannot read", name, error));
}

Result<FileBytes> read_file(std::string_view path, Diagnostics& diagnostics, const ReadLimits& limits) {
  // Without O_NONBLOCK, open() waits for a writer of a pipe. The flag has no effect on regular files.
  const int descriptor = ::open(std::string(path).c_str(), O_RDONLY | O_CLOEXEC | (limits.is_regular ? O_NONBLOCK : 0));
  if (descriptor < 0) {
    return diagnostics.error(rule::cannot_read, Location::none(), sentence("cannot open", path, errno));
  }
  Result<FileBytes> bytes = read_descriptor(descriptor, path, diagnostics, limits);
  // A mapping outlives its descriptor. An error of close() is ignored, because nothing was written.
  ::close(descriptor);
  return bytes;
}

Result<FileBytes> read_standard_input(Diagnostics& diagnostics) {
  return read_descriptor(STDIN_FILENO, "<stdin>", diagnostics);
}

// --- Writing -----------------------------------------------------------------------------------------------------------

bool DescriptorSink::write(std::string_view chunk) {
  if (error_ == 0) error_ = write_buffered(descriptor_, buffer_, chunk);
  return error_ == 0;
}

// After a failed write, no more bytes are written, because output with a gap is useless. The first errno is kept as the
// cause.
bool DescriptorSink::flush() {
  if (error_ == 0) error_ = write_all(descriptor_, buffer_);
  buffer_.clear();
  return error_ == 0;
}

bool write_file(std::string_view path, std::string_view bytes, Diagnostics& diagnostics) {
  OutputFile file(path);
  file.write(bytes);
  return file.commit(diagnostics);
}

OutputFile::OutputFile(std::string_view path) : path_(path) {}

OutputFile::~OutputFile() { discard(); }

void OutputFile::discard() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  descriptor_ = -1;
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

bool OutputFile::fail(int error) {
  error_ = error;
  discard();
  return false;
}

bool OutputFile::open() {
  constexpr int flags = O_WRONLY | O_CREAT | O_CLOEXEC;
  constexpr mode_t permissions = 0666;  // minus the umask

  struct stat old {};
  const bool exists = ::stat(path_.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) return fail(EISDIR);
  if (exists && ::access(path_.c_str(), W_OK) != 0) return fail(errno);  // rename() would bypass the write protection
  struct stat link {};
  const bool is_link = ::lstat(path_.c_str(), &link) == 0 && S_ISLNK(link.st_mode);
  const bool is_replaceable =
      exists ? S_ISREG(old.st_mode) : !is_link;  // a dangling link is written through, not replaced

  if (is_replaceable) {
    target_ = path_;
    if (is_link) {  // replace the link's target, not the link
      char* resolved = ::realpath(path_.c_str(), nullptr);
      if (resolved != nullptr) target_ = resolved;
      std::free(resolved);
    }
    // The process id makes the name unique among processes, the object's address among the files of this process.
    // O_EXCL detects files that remain after a crash.
    const std::string folder = target_.substr(0, target_.rfind('/') + 1);
    const std::string unique =
        std::to_string(::getpid()) + '-' + std::to_string(reinterpret_cast<std::uintptr_t>(this));
    for (int attempt = 0; attempt < 100; ++attempt) {
      temporary_ = folder;
      temporary_.append(".vireo-").append(unique).append("-").append(std::to_string(attempt));
      descriptor_ = ::open(temporary_.c_str(), flags | O_EXCL, permissions);
      if (descriptor_ >= 0 || errno != EEXIST) break;
    }
    if (descriptor_ >= 0) {
      // The new file has the permissions of the old one.
      if (exists) static_cast<void>(::fchmod(descriptor_, old.st_mode & 07777));
      return true;
    }
    temporary_.clear();
    if (!exists) return fail(errno);
    // The folder is not writable, but the existing file is.
  }
  descriptor_ = ::open(path_.c_str(), flags | O_TRUNC, permissions);
  return descriptor_ >= 0 || fail(errno);
}

// Creates the file only when the buffer must be written. Most conversions that fail do so earlier, and so create no
// file.
bool OutputFile::write(std::string_view chunk) {
  if (error_ != 0) return false;
  if (must_write(buffer_, chunk) && descriptor_ < 0 && !open()) return false;
  const int error = write_buffered(descriptor_, buffer_, chunk);
  return error == 0 || fail(error);
}

namespace {

// Moves a complete file to its name; returns errno or 0. If a file of that name exists, the two are exchanged and the
// old one is removed. This is faster than a replacing rename(), before which ext4 flushes the new file to the disk.
int put_in_place(const char* temporary, const char* target) {
  if (::renameat2(AT_FDCWD, temporary, AT_FDCWD, target, RENAME_EXCHANGE) == 0) {
    ::unlink(temporary);
    return 0;
  }
  return ::rename(temporary, target) == 0 ? 0 : errno;
}

}  // namespace

bool OutputFile::commit(Diagnostics& diagnostics) {
  if (error_ == 0 && descriptor_ < 0) open();
  if (error_ == 0) {
    if (const int error = write_all(descriptor_, buffer_)) fail(error);
  }
  if (error_ == 0) {
    // Network file systems may report a full disk only in close(), so its result is checked before the file is moved to
    // its name.
    const int closed = ::close(std::exchange(descriptor_, -1));
    if (closed != 0) error_ = errno;
    if (error_ == 0 && !temporary_.empty()) error_ = put_in_place(temporary_.c_str(), target_.c_str());
    if (error_ != 0 && !temporary_.empty()) ::unlink(temporary_.c_str());
  }
  buffer_.clear();
  if (error_ == 0) return true;
  diagnostics.error(rule::cannot_write, Location::none(), sentence("cannot write", path_, error_));
  return false;
}

bool make_folders(std::string_view path, Diagnostics& diagnostics) {
  for (std::size_t end = 0; end < path.size();) {
    end = std::min(path.find('/', end + 1), path.size());
    // mkdir() is called without a check for an existing folder, because another process may create it after the check.
    if (::mkdir(std::string(path.substr(0, end)).c_str(), 0777) == 0 || errno == EEXIST) continue;
    // A failed mkdir() of a parent folder is ignored: the parent may exist, and a folder inside it may be accessible.
    if (end < path.size()) continue;
    diagnostics.error(rule::cannot_write, Location::none(), sentence("cannot make folder", path, errno));
    return false;
  }
  struct stat status {};
  if (::stat(std::string(path).c_str(), &status) == 0 && S_ISDIR(status.st_mode)) return true;
  diagnostics.error(rule::cannot_write, Location::none(), sentence("cannot make folder", path, ENOTDIR));
  return false;
}

}  // namespace vireo

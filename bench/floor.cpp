// SPDX-License-Identifier: Apache-2.0
//
//   vireo_bench_floor INPUT OUTPUT BYTES
//
// A program that does only the unavoidable work: it starts, reads each page of its input, and writes as many bytes as
// the result has.
//
// This is the lower bound for any process, measured in the same alternation as the others. The program is
// linked like `vireo`, needs no initialisation, and overwrites an existing file, which is cheaper than a new one.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace {

constexpr std::size_t page = 4096;

// The result depends on every page, so that no read is optimised away.
unsigned sum_of_pages(const char* path) {
  const int descriptor = ::open(path, O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (descriptor < 0 || ::fstat(descriptor, &status) != 0 || status.st_size == 0) std::_Exit(1);
  const auto size = static_cast<std::size_t>(status.st_size);
  const void* mapped = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (mapped == MAP_FAILED) std::_Exit(1);
  unsigned sum = 0;
  for (std::size_t at = 0; at < size; at += page) sum += static_cast<const unsigned char*>(mapped)[at];
  return sum;
}

void write_bytes(const char* path, std::size_t count) {
  static char block[std::size_t{64} << 10] = {'x'};
  const int descriptor = ::open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) std::_Exit(1);
  while (count != 0) {
    const ssize_t written = ::write(descriptor, block, std::min(count, sizeof block));
    if (written <= 0) std::_Exit(1);
    count -= static_cast<std::size_t>(written);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 1;
  volatile unsigned seen = sum_of_pages(argv[1]);
  static_cast<void>(seen);
  if (argc == 4) write_bytes(argv[2], static_cast<std::size_t>(std::strtoull(argv[3], nullptr, 10)));
  return 0;
}

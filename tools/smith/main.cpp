// SPDX-License-Identifier: Apache-2.0
//
// smith: writes random valid compute shaders (smith.h).
//
//   smith [--seed N] [--count N] [--size N] [--undefined] [--any-floats] -o FILE|FOLDER
//
// With --count it writes FOLDER/SEED.spv for that many seeds from N.
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "smith/smith.h"
#include "vireo/spirv/binary/writer.h"
#include "vireo/support/file.h"
#include "vireo/support/render.h"

namespace {

using namespace vireo;
using namespace vireo::spirv;

constexpr char usage[] = "usage: smith [--seed N] [--count N] [--size N] [--undefined] [--any-floats] -o FILE|FOLDER\n";

bool write(const SmithOptions& options, const std::string& path) {
  const WordBuffer words = smith(options);
  Diagnostics diagnostics;
  const bool is_written = !words.empty() && write_file(path, bytes_of(words), diagnostics);
  std::fputs(render({path, {}}, diagnostics).c_str(), stderr);
  return is_written;
}

bool read_number(const char* text, std::uint64_t& number) {
  const char* const end = text + std::strlen(text);
  const auto [at, error] = std::from_chars(text, end, number);
  return error == std::errc() && at == end;
}

}  // namespace

int main(int argc, char** argv) {
  SmithOptions options;
  std::uint64_t count = 0, size = options.size;
  std::string path;
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    if (name == "--undefined") options.undefined = true;
    else if (name == "--any-floats") options.any_floats = true;
    else if (i + 1 == argc) return std::fputs(usage, stderr), 2;
    else if (name == "-o") path = argv[++i];
    else {
      std::uint64_t* const number = name == "--seed"    ? &options.seed
                                    : name == "--count" ? &count
                                    : name == "--size"  ? &size
                                                        : nullptr;
      if (number == nullptr || !read_number(argv[++i], *number)) return std::fputs(usage, stderr), 2;
    }
  }
  if (path.empty()) return std::fputs(usage, stderr), 2;
  options.size = static_cast<std::uint32_t>(size);
  if (count == 0) return write(options, path) ? 0 : 1;
  std::error_code error;
  std::filesystem::create_directories(path, error);
  for (; count > 0; --count, ++options.seed) {
    if (!write(options, path + "/" + std::to_string(options.seed) + ".spv")) return 1;
  }
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
//
// The list of subjects, and the modules outside the repository.
//
// The folder determines the real modules. A subject selects one by size: "the one nearest to 50 KB".
#include "corpus.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "test/outside.h"
#include "vireo/spirv/binary/reader.h"

namespace vireo::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kilo = 1000, mega = 1000 * kilo;

struct MadeRow {
  std::string_view kind;
  spirv::WordBuffer (*make)(std::size_t bytes);
  std::size_t bytes;
  bool quick;
};

constexpr std::array<MadeRow, 6> made_rows = {{
    // kind          made by       bytes       also with --quick
    {"made shader", shader_like, 50 * kilo, true},
    {"made kernel", kernel_like, 50 * kilo, true},
    {"made shader", shader_like, 1 * mega, true},
    {"made kernel", kernel_like, 1 * mega, false},
    {"made shader", shader_like, 10 * mega, false},
    {"made kernel", kernel_like, 10 * mega, false},
}};

struct RealRow {
  std::size_t bytes;  // the real module nearest to this
  bool quick;
};

constexpr std::array<RealRow, 5> real_rows = {
    {{2 * kilo, true}, {10 * kilo, false}, {50 * kilo, true}, {100 * kilo, false}, {500 * kilo, true}}};

constexpr std::size_t quick_limit = 3 * mega;  // with --quick only the large modules below this size are measured

std::vector<spirv::WordBuffer> every_module_of(const std::vector<fs::path>& files) {
  std::vector<spirv::WordBuffer> modules;
  for (const fs::path& file : files) {
    if (spirv::WordBuffer words = words_of_file(file); !words.empty()) modules.push_back(std::move(words));
  }
  return modules;
}

Subject subject_of_file(const fs::path& file) {
  const std::size_t bytes = fs::file_size(file);
  return {fmt::format("real {}", size_text(bytes)), bytes, [file] { return every_module_of({file}); }};
}

}  // namespace

std::vector<Subject> subjects(SubjectChoice choice) {
  std::vector<Subject> list;
  for (const MadeRow& row : made_rows) {
    if (choice.quick && !row.quick) continue;
    list.push_back({fmt::format("{} {}", row.kind, size_text(row.bytes)), row.bytes,
                    [row] { return std::vector<spirv::WordBuffer>{row.make(row.bytes)}; }});
  }
  if (const std::vector<fs::path> files = modules_below(unpacked("real")); !files.empty()) {
    for (const RealRow& row : real_rows) {
      if (!choice.quick || row.quick) list.push_back(subject_of_file(nearest(files, row.bytes)));
    }
    std::size_t bytes = 0;
    for (const fs::path& file : files) bytes += fs::file_size(file);
    list.push_back({fmt::format("{} real ones", files.size()), bytes, [files] { return every_module_of(files); }});
  }
  for (const fs::path& file : modules_below(unpacked("large"))) {
    if (!choice.quick || fs::file_size(file) <= quick_limit) list.push_back(subject_of_file(file));
  }
  return list;
}

fs::path unpacked(std::string_view archive) {
  const auto shared = outside::shared_folder();
  const fs::path source = shared ? *shared / "modules" / fmt::format("{}.tar.xz", archive) : fs::path();
  if (!shared || !fs::exists(source)) {
    std::fputs(fmt::format("vireo_bench: no {} modules: {}\n", archive, outside::no_shared).c_str(), stderr);
    return {};
  }
  const fs::path folder = fs::path(VIREO_BINARY_DIR) / "bench-modules" / archive;
  if (fs::exists(folder / "complete")) return folder;
  fs::create_directories(folder);
  const std::string command = fmt::format("tar -xJf '{}' -C '{}'", source.string(), folder.string());
  if (std::system(command.c_str()) != 0) {
    std::fputs(fmt::format("vireo_bench: cannot unpack {}\n", source.string()).c_str(), stderr);
    return {};
  }
  std::ofstream(folder / "complete") << '\n';  // written last, so that an interrupted unpacking is repeated
  return folder;
}

std::vector<fs::path> modules_below(const fs::path& folder) {
  std::vector<fs::path> files;
  if (folder.empty()) return files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".spv") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
    const auto size_a = fs::file_size(a), size_b = fs::file_size(b);
    return size_a != size_b ? size_a < size_b : a < b;
  });
  return files;
}

fs::path nearest(const std::vector<fs::path>& files, std::size_t bytes) {
  const auto distance = [bytes](const fs::path& file) {
    const std::size_t size = fs::file_size(file);
    return size > bytes ? size - bytes : bytes - size;
  };
  return *std::min_element(files.begin(), files.end(),
                           [&](const fs::path& a, const fs::path& b) { return distance(a) < distance(b); });
}

spirv::WordBuffer words_of_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  Diagnostics diagnostics;
  const auto words = spirv::read_module_words(bytes, diagnostics);
  if (!words) return {};
  return {words.value().words().begin(), words.value().words().end()};
}

std::string size_text(std::size_t bytes) {
  const double size = static_cast<double>(bytes);
  if (bytes < 10 * kilo) return fmt::format("{:.1f} KB", size / static_cast<double>(kilo));
  if (bytes < mega) return fmt::format("{:.0f} KB", size / static_cast<double>(kilo));
  if (bytes < 10 * mega) return fmt::format("{:.1f} MB", size / static_cast<double>(mega));
  return fmt::format("{:.0f} MB", size / static_cast<double>(mega));
}

}  // namespace vireo::bench

// SPDX-License-Identifier: Apache-2.0
//
// Unpacks and reads recorded data.
#include "system/corpus.h"

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

#include "support/parallel.h"

namespace vireo::system_test {
namespace {

std::string quoted(const std::filesystem::path& path) {
  std::string text = "'";
  for (const char c : path.string()) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + '\'';
}

}  // namespace

std::string output_of(const std::string& command, int& status) {
  std::string text;
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return status = -1, text;
  std::array<char, 1 << 16> buffer;
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) text.append(buffer.data(), count);
  const int end = ::pclose(pipe);
  status = WIFEXITED(end) ? WEXITSTATUS(end) : -1;
  return text;
}

UnpackedArchive::UnpackedArchive(const std::filesystem::path& archive) {
  std::string pattern = (std::filesystem::temp_directory_path() / "vireo-modules-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) return;
  folder_ = pattern;
  int status = -1;
  output_of("tar xJf " + quoted(archive) + " -C " + quoted(folder_), status);
  is_good_ = status == 0;
}

UnpackedArchive::~UnpackedArchive() {
  std::error_code error;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, error);
}

std::vector<std::string> UnpackedArchive::modules() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_)) {
    if (entry.path().extension() == ".spv") names.push_back(entry.path().lexically_relative(folder_).string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> packed_lines(const std::filesystem::path& path) {
  int status = -1;
  const std::string text = output_of("xz -dc " + quoted(path), status);
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::vector<ManifestRow> manifest_rows(const std::filesystem::path& manifest) {
  std::vector<ManifestRow> rows;
  std::ifstream file(manifest);
  std::string line;
  std::getline(file, line);  // skips the heading
  while (std::getline(file, line)) {
    std::istringstream columns(line);
    ManifestRow& row = rows.emplace_back();
    std::string bytes, version, names;
    for (std::string* column : {&row.path, &bytes, &version, &names}) std::getline(columns, *column, '\t');
    row.bytes = std::stoul(bytes);
    std::istringstream list(names == "-" ? std::string() : names);  // valid in no environment
    for (std::string name; std::getline(list, name, ',');) row.environments.push_back(name);
  }
  return rows;
}

std::string bytes_of_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

spirv::WordBuffer words_of_bytes(std::string_view bytes) {
  spirv::WordBuffer words(bytes.size() / sizeof(spirv::Word));
  if (!words.empty()) std::memcpy(words.data(), bytes.data(), words.size() * sizeof(spirv::Word));
  return words;
}

std::string from_base64(std::string_view text) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::array<std::uint8_t, 256> value{};
  for (std::size_t i = 0; i < digits.size(); ++i)
    value[static_cast<unsigned char>(digits[i])] = static_cast<std::uint8_t>(i);
  std::string bytes;
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | value[static_cast<unsigned char>(c)];
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xFF);
  }
  return bytes;
}

std::vector<std::string> failures_of(std::size_t count, const std::function<std::string(std::size_t)>& work) {
  std::vector<std::string> failures;
  deliver_in_order<std::string>(count, std::min(hardware_threads(), 8u), work, [&](std::size_t, std::string& failure) {
    if (!failure.empty()) failures.push_back(std::move(failure));
  });
  return failures;
}

}  // namespace vireo::system_test

// SPDX-License-Identifier: Apache-2.0
//
// Reads case files and updates their expectations.
#include "golden/case_file.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>

#include "support/printable.h"

namespace vireo::golden {
namespace {

constexpr std::string_view file_marker = "; FILE: ";
constexpr std::string_view out_marker = "; EXPECT:\n";
constexpr std::string_view far_out_marker = "; EXPECT: in ";
constexpr std::string_view err_marker = "; EXPECT-ERR:\n";
constexpr std::string_view no_line_feed = "\\ no line feed at the end\n";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \n") + 1 - first);
}

// `; RUN: command`, `; FAIL: command`, `; FAIL 2: command`. False if the line is none of these.
bool read_command(std::string_view line, Command& command) {
  if (line.starts_with("; RUN:")) {
    command = {std::string(trimmed(line.substr(6))), 0};
    return true;
  }
  if (!line.starts_with("; FAIL")) return false;
  line.remove_prefix(6);
  command.status = 1;
  if (line.starts_with(" ")) {
    const auto [end, error] = std::from_chars(line.data() + 1, line.data() + line.size(), command.status);
    if (error != std::errc{}) return false;
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  }
  if (!line.starts_with(":")) return false;
  command.line = trimmed(line.substr(1));
  return true;
}

void write_text(const std::filesystem::path& path, std::string_view text) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
}

}  // namespace

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

CaseFile read_case(const std::filesystem::path& path) {
  CaseFile result;
  result.path = path;
  const std::string text = read_text(path);
  if (!text.ends_with('\n')) result.fault = "does not end with a line feed";

  enum class Place { Input, File, Out, Err } place = Place::Input;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string_view line(text.data() + at, end - at);
    at = end;
    if (line == out_marker) {
      place = Place::Out;
    } else if (line == err_marker) {
      place = Place::Err;
    } else if (line.starts_with(far_out_marker)) {
      place = Place::Out;
      if (trimmed(line.substr(far_out_marker.size())) != result.out_path().filename()) {
        result.fault = "an output outside the case must be in " + result.out_path().filename().string();
      }
      result.expected_out = read_text(result.out_path());
    } else if (line.starts_with(file_marker) && place <= Place::File) {
      place = Place::File;
      result.kept += line;
      result.files.push_back({std::string(trimmed(line.substr(file_marker.size()))), {}});
    } else if (place == Place::Input) {
      Command command;
      if (read_command(line, command)) result.commands.push_back(command);
      result.kept += line;
      result.input += line;
    } else if (place == Place::File) {
      result.kept += line;
      result.files.back().text += line;
    } else {
      (place == Place::Out ? result.expected_out : result.expected_err) += line;
    }
  }
  if (result.commands.empty()) result.fault = "has no `; RUN:` or `; FAIL:` line";
  return result;
}

std::string as_expectation(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    append_printable(result, text.substr(at, end - at));
    if (end < text.size()) result += '\n';
    at = end + 1;
  }
  if (!result.empty() && !result.ends_with('\n')) result.append("\n").append(no_line_feed);
  return result;
}

void bless(const CaseFile& golden_case, const std::string& out, const std::string& err) {
  std::string text = golden_case.kept;
  const auto lines = std::count(out.begin(), out.end(), '\n');
  if (static_cast<std::size_t>(lines) > longest_output_in_case) {
    write_text(golden_case.out_path(), out);
    text.append(far_out_marker).append(golden_case.out_path().filename().string()).append("\n");
  } else {
    std::filesystem::remove(golden_case.out_path());
    if (!out.empty()) text.append(out_marker).append(out);
  }
  if (!err.empty()) text.append(err_marker).append(err);
  if (text != read_text(golden_case.path)) write_text(golden_case.path, text);
}

}  // namespace vireo::golden

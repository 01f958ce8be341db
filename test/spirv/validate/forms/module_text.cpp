// SPDX-License-Identifier: Apache-2.0
//
// Reads and writes lines of assembly (module_text.h).
#include "spirv/validate/forms/module_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace vireo::spirv::test {
namespace {

// The words of a line. A string is one word; a comment ends the line.
std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < line.size();) {
    if (line[i] == ' ') {
      ++i;
      continue;
    }
    if (line[i] == ';') break;
    std::size_t end = i;
    if (line[i] == '"') {
      for (++end; end < line.size() && line[end] != '"'; ++end) {
        if (line[end] == '\\') ++end;
      }
      ++end;
    } else {
      end = std::min(line.find(' ', i), line.size());
    }
    words.emplace_back(line.substr(i, end - i));
    i = end;
  }
  return words;
}

}  // namespace

ModuleText::ModuleText(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.starts_with(';')) comments_.append(line).push_back('\n');
    std::vector<std::string> words = words_of(line);
    if (words.empty()) continue;
    const bool has_result = words.size() > 2 && words[1] == "=";
    const std::size_t opcode = has_result ? 2 : 0;
    AssemblyLine instruction{has_result ? words[0] : "", words[opcode], {}};
    instruction.operands.assign(words.begin() + static_cast<std::ptrdiff_t>(opcode) + 1, words.end());
    lines.push_back(std::move(instruction));
  }
}

std::string ModuleText::text() const {
  std::string text = comments_;
  for (const AssemblyLine& line : lines) {
    if (!line.id.empty()) text += line.id + " = ";
    text += line.opcode;
    for (const std::string& operand : line.operands) text += ' ' + operand;
    text += '\n';
  }
  return text;
}

std::optional<std::size_t> ModuleText::index_of_id(std::string_view id) const {
  const auto found = std::ranges::find(lines, id, &AssemblyLine::id);
  if (id.empty() || found == lines.end()) return std::nullopt;
  return static_cast<std::size_t>(found - lines.begin());
}

AssemblyLine* ModuleText::find(std::string_view id) {
  const std::optional<std::size_t> index = index_of_id(id);
  return index ? &lines[*index] : nullptr;
}

std::optional<std::size_t> ModuleText::index_of(std::string_view opcode) const {
  const auto found = std::ranges::find(lines, opcode, &AssemblyLine::opcode);
  if (found == lines.end()) return std::nullopt;
  return static_cast<std::size_t>(found - lines.begin());
}

const AssemblyLine* ModuleText::find_type(std::string_view opcode, const std::vector<std::string>& operands) const {
  const auto found = std::ranges::find_if(
      lines, [&](const AssemblyLine& line) { return line.opcode == opcode && line.operands == operands; });
  return found == lines.end() ? nullptr : &*found;
}

void ModuleText::add_capability(std::string_view name) {
  const AssemblyLine line{"", "OpCapability", {std::string(name)}};
  if (std::ranges::find(lines, line) == lines.end()) lines.insert(lines.begin(), line);
}

void ModuleText::add_extension(std::string_view name) {
  const AssemblyLine line{"", "OpExtension", {fmt::format("\"{}\"", name)}};
  if (std::ranges::find(lines, line) != lines.end()) return;
  const auto place = std::ranges::find_if(lines, [](const AssemblyLine& each) { return each.opcode != "OpCapability"; });
  lines.insert(place, line);
}

std::string ModuleText::new_id(std::string_view stem) { return fmt::format("%form_{}{}", stem, ++ids_); }

}  // namespace vireo::spirv::test

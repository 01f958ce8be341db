// SPDX-License-Identifier: Apache-2.0
//
// Helpers for the tests of the assembler: assemble a text, and format the words or faults for table rows.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "vireo/spirv/text/assemble.h"

namespace vireo::spirv {

/// The bound and all words after the header, in hexadecimal: "3 | 00020013 00000001"; if it fails, the first fault.
inline std::string assembled(std::string_view text, const AssembleOptions& options = {}) {
  const std::vector<char> bytes(text.begin(), text.end());  // without a NUL, so sanitizers find reads past the end
  Diagnostics diagnostics;
  const Result<WordBuffer> words = assemble({"text", {bytes.data(), bytes.size()}}, options, diagnostics);
  if (!words) return fmt::format("{}: {}", diagnostics.all().at(0).rule, diagnostics.all().at(0).message);
  std::string out = fmt::format("{:x} |", (*words)[3]);
  for (std::size_t i = header_word_count; i < words->size(); ++i) out += fmt::format(" {:08x}", (*words)[i]);
  return out;
}

/// A fault with its position in the text.
struct SeenFault {
  std::string place;       // "2:7"
  std::string underlined;  // the bytes of its range
  std::string rule;
  std::string message;
  std::string hint;
};

inline std::vector<SeenFault> faults_of(std::string_view text, const AssembleOptions& options = {}) {
  Diagnostics diagnostics(100000);
  const Result<WordBuffer> words = assemble({"text", text}, options, diagnostics);
  const LineIndex lines(text);
  std::vector<SeenFault> faults;
  for (const Diagnostic& d : diagnostics.all()) {
    const LineColumn at = lines.locate(d.where.begin);
    faults.push_back({fmt::format("{}:{}", at.line, at.column),
                      std::string(text.substr(d.where.begin, d.where.end - d.where.begin)), std::string(d.rule),
                      d.message, d.hint});
  }
  return faults;
}

}  // namespace vireo::spirv

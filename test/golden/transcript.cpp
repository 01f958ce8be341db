// SPDX-License-Identifier: Apache-2.0
//
// The programs that cases can call, and pipes between them.
#include "golden/transcript.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <span>

#include "cli/program.h"
#include "outside.h"
#include "vireo/spirv/binary/instruction.h"
#include "vireo/spirv/binary/reader.h"

namespace vireo::golden {
namespace {

using cli::Ran;
using Arguments = std::vector<std::string>;

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
    text.replace(at, what.size(), by);
  }
}

// --- small programs ---

Ran cat(const Arguments& arguments, std::string_view input) {
  Ran ran{0, arguments.size() == 1 ? std::string(input) : std::string{}, {}};
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    if (!std::filesystem::exists(arguments[i])) return {1, ran.out, "cat: no file " + arguments[i] + "\n"};
    ran.out += read_text(arguments[i]);
  }
  return ran;
}

/// All files in the folder (by default the working directory) and its subfolders, sorted, with their sizes.
Ran ls(const Arguments& arguments, std::string_view) {
  const std::filesystem::path folder = arguments.size() > 1 ? arguments[1] : ".";
  if (!std::filesystem::is_directory(folder)) return {1, {}, "ls: no folder " + folder.string() + "\n"};
  Arguments names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_directory()) names.push_back(entry.path().lexically_relative(folder).string());
  }
  std::sort(names.begin(), names.end());
  Ran ran{0, {}, {}};
  for (const std::string& name : names) ran.out += name + '\n';
  return ran;
}

/// The words of a module, one instruction for each line.
Ran words(const Arguments& arguments, std::string_view input) {
  const std::string bytes = arguments.size() > 1 ? read_text(arguments[1]) : std::string(input);
  Diagnostics diagnostics;
  const Result<spirv::ModuleWords> module = spirv::read_module_words(bytes, diagnostics);
  if (!module || module->words().size() < spirv::header_word_count) return {1, {}, "words: no module\n"};
  Ran ran{0, {}, {}};
  const auto print = [&](spirv::Words line) {
    for (const spirv::Word word : line) fmt::format_to(std::back_inserter(ran.out), "{:08x} ", word);
    ran.out.back() = '\n';
  };
  print(module->words().first(spirv::header_word_count));
  for (const spirv::InstructionView instruction : spirv::Instructions(module->words())) print(instruction.words());
  return ran;
}

Ran program(const Arguments& arguments, std::string_view input) { return cli::call(arguments, input); }

struct ProgramRow {
  std::string_view name;
  Ran (*run)(const Arguments&, std::string_view input);
};
constexpr ProgramRow programs[] = {
    {"vireo", program},
    {"spirv-as", program},
    {"spirv-dis", program},
    {"spirv-val", program},
    {"spirv-opt", program},
    {"spirv-cfg", program},
    {"spirv-diff", program},
    {"spirv-link", program},
    {"cat", cat},
    {"ls", ls},
    {"words", words},
};

// --- the shell ---

// Blanks separate words; single quotes protect blanks.
Arguments split(std::string_view line) {
  Arguments arguments;
  bool is_quoted = false, is_open = false;
  for (const char c : line) {
    if (c == '\'') {
      is_quoted = !is_quoted;
      if (!is_open) arguments.emplace_back();
      is_open = true;
    } else if (c == ' ' && !is_quoted) {
      is_open = false;
    } else {
      if (!is_open) arguments.emplace_back();
      is_open = true;
      arguments.back() += c;
    }
  }
  return arguments;
}

// A pipe: programs separated by `|`; the first can read a file (`< NAME`). The status is the highest of all programs.
Ran run_line(const Arguments& line, std::string& fault) {
  Ran all{0, {}, {}};
  std::string input;
  for (auto at = line.begin(); at != line.end();) {
    const auto end = std::find(at, line.end(), "|");
    Arguments arguments(at, end);
    if (const auto from = std::find(arguments.begin(), arguments.end(), "<"); from != arguments.end()) {
      if (from + 1 == arguments.end()) return fault = "no file name after `<`", all;
      input = read_text(*(from + 1));
      arguments.erase(from, from + 2);
    }
    const auto row = std::find_if(std::begin(programs), std::end(programs), [&](const ProgramRow& r) {
      return !arguments.empty() && r.name == arguments.front();
    });
    if (row == std::end(programs)) return fault = "there is no program " + (arguments.empty() ? "" : arguments[0]), all;
    Ran ran = row->run(arguments, input);
    all.status = std::max(all.status, ran.status);
    all.err += ran.err;
    input = std::move(ran.out);
    at = end == line.end() ? end : end + 1;
  }
  all.out = std::move(input);
  return all;
}

}  // namespace

Transcript run_case(const CaseFile& golden_case) {
  Transcript transcript;
  const std::string root = outside::source_folder().string();
  for (const Command& command : golden_case.commands) {
    std::string line = command.line;
    replace_all(line, "%s", golden_case.stem() + ".spvasm");
    const std::string shown = "$ " + line + '\n';
    replace_all(line, "%r", root);

    Ran ran = run_line(split(line), transcript.fault);
    if (transcript.fault.empty() && ran.status != command.status) {
      transcript.fault = fmt::format("`{}` has status {}, not {}", command.line, ran.status, command.status);
    }
    replace_all(ran.out, root, "%r");
    replace_all(ran.err, root, "%r");
    const bool are_several = golden_case.commands.size() > 1;
    if (are_several && !ran.out.empty()) transcript.out += shown;
    if (are_several && !ran.err.empty()) transcript.err += shown;
    transcript.out += as_expectation(ran.out);
    transcript.err += as_expectation(ran.err);
  }
  return transcript;
}

}  // namespace vireo::golden

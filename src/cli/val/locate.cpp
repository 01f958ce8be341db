// SPDX-License-Identifier: Apache-2.0
//
// Chooses and adds the places of findings (locate.h).
#include "cli/val/locate.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

namespace vireo::cli {
Places places_of(const ParsedOptions& options, std::string_view format, bool is_text) {
  const std::string_view wanted = options.value(locate_option);
  // The lines of a disassembly are not those of a file: an annotation cannot show them.
  const bool only_words_by_default = !is_text && (format == "github" || format == "json");
  if (wanted == "text") return {};
  // A SARIF region counts bytes of a file, so words locate nothing in a text (3.30.3).
  if (wanted == "words") return {.only_words = !is_text || format != "sarif"};
  return {.source_first = wanted == "source", .only_words = only_words_by_default};
}

std::optional<std::string> path_below_working_directory(std::string_view path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path folder = fs::current_path(error);
  if (error) return std::nullopt;
  const fs::path below = (folder / fs::path(path)).lexically_normal().lexically_relative(folder);
  if (below.empty() || *below.begin() == ".." || !fs::is_regular_file(below, error)) return std::nullopt;
  return below.generic_string();
}

void locate_in_sources(Diagnostics& found, const FindingContext& context, std::string_view format) {
  found.change_each([&](Diagnostic& diagnostic) {
    std::optional<SourcePosition> position = context.position_of(diagnostic.where);
    if (!position) return;
    if (format == "github") {
      std::optional<std::string> below = path_below_working_directory(position->file);
      if (!below) return;
      position->file = std::move(*below);
    }
    diagnostic.source = std::move(position);
    if (format == "json") return;
    std::string text = "instruction " + std::to_string(diagnostic.where.instruction) + " of the module";
    if (const std::string function = context.function_of(diagnostic.where); !function.empty())
      text += " in " + function;
    diagnostic.notes.insert(diagnostic.notes.begin(), {diagnostic.where, std::move(text)});
  });
}

void add_source_notes(Diagnostics& found, const FindingContext& context) {
  found.change_each([&](Diagnostic& diagnostic) {
    const std::optional<spirv::SourceLine> source = context.source_of(diagnostic.where);
    if (!source) return;
    std::string text = "from " + std::string(source->name) + ':' + std::to_string(source->line);
    if (source->column != 0) text += ':' + std::to_string(source->column);
    if (const std::string function = context.function_of(diagnostic.where); !function.empty())
      text += " in " + function;
    diagnostic.notes.push_back({Location::none(), std::move(text)});
  });
}

}  // namespace vireo::cli

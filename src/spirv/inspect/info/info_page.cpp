// SPDX-License-Identifier: Apache-2.0
//
// Writes the properties of a module as a page of text: a list of properties, then tables of entry points, sections and
// opcodes.
//
// Names of the module are escaped, because the page is for terminals.
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/printable.h"
#include "support/text_table.h"
#include "vireo/spirv/inspect/info_fields.h"
#include "vireo/spirv/inspect/module_info.h"

namespace vireo::spirv {
namespace {

constexpr std::size_t label_width = 18;
constexpr std::size_t line_width = 100;  // of lists

// Names of a module may contain escape sequences.
std::string printable(std::string_view text) {
  std::string result;
  append_printable(result, text);
  return result;
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

// "12.5 %" of all words.
std::string share(std::uint64_t words, const ModuleInfo& info) {
  const std::uint64_t per_mille = info.words == 0 ? 0 : (words * 1000 + info.words / 2) / info.words;
  return fmt::format("{}.{} %", per_mille / 10, per_mille % 10);
}

std::string bytes_and_share(std::uint64_t words, const ModuleInfo& info) {
  return fmt::format("{} bytes, {}", words * sizeof(Word), share(words, info));
}

// Lines without information (no extensions, no entry points, empty sections) are omitted, so that a page is short.
class PageWriter {
 public:
  explicit PageWriter(const ModuleInfo& info) : info_(info) {}

  std::string write() {
    if (!info_.file.empty()) line("file", printable(info_.file));
    const Version version = info_.header.version();
    line("version", fmt::format("{}.{}", version.major, version.minor));
    line("generator", printable(info_.generator));
    if (info_.header.schema != 0) line("schema", std::to_string(info_.header.schema));
    if (info_.faults != 0) line("faults", std::to_string(info_.faults));
    line("size", fmt::format("{}, {}, {}", counted(info_.words * sizeof(Word), "byte"), counted(info_.words, "word"),
                             counted(info_.instructions, "instruction")));
    line("ids", fmt::format("{} defined, bound {}", info_.ids, info_.header.bound));
    if (!info_.memory_model.empty()) line("memory model", info_.addressing_model + ' ' + info_.memory_model);
    list("capabilities", info_.capabilities);
    list("extensions", info_.extensions);
    list("instruction sets", info_.sets);
    list("sources", info_.sources);
    list("exports", info_.exports);
    list("imports", info_.imports);
    write_functions();
    line("declarations", fmt::format("{}, {}, {}", counted(info_.types, "type"), constants(),
                                     counted(info_.variables, "global variable")));
    list("storage classes", info_.storage_classes);
    line("annotations", counted(info_.decoration_instructions, "instruction"));
    list("decorations", info_.decorations);
    line("names", fmt::format("{}, {}", info_.name_instructions, bytes_and_share(info_.name_words, info_)));
    line("debug information", bytes_and_share(info_.debug_words, info_));
    write_entry_points();
    write_sections();
    write_opcodes();
    return std::move(text_);
  }

 private:
  void line(std::string_view label, std::string_view value) {
    text_.append(label).append(label_width - label.size() + 1, ' ').append(value) += '\n';
  }

  // Breaks a long list into lines that begin below each other. Prints nothing for an empty list.
  void list(std::string_view label, const std::vector<std::string>& names) {
    if (names.empty()) return;
    std::string part;
    for (const std::string& name : names) {
      const std::string shown = printable(name);
      if (!part.empty() && label_width + part.size() + shown.size() + 4 > line_width) {
        line(label, part + ',');
        label = {};
        part.clear();
      }
      part.append(part.empty() ? "" : ", ").append(shown);
    }
    line(label, part);
  }

  // "10 constants (1 specialization)"
  [[nodiscard]] std::string constants() const {
    std::string text = counted(info_.constants, "constant");
    if (info_.spec_constants != 0) text += fmt::format(" ({} specialization)", info_.spec_constants);
    return text;
  }

  void write_functions() {
    std::string functions = std::to_string(info_.functions);
    if (info_.function_declarations != 0) {
      functions += " (" + counted(info_.function_declarations, "declaration") + ')';
    }
    functions += fmt::format(", {}, call depth {}", counted(info_.blocks, "block"), info_.call_depth);
    if (info_.recursive_functions != 0) functions += fmt::format(", {} recursive", info_.recursive_functions);
    line("functions", functions);
    if (const FunctionInfo& largest = info_.largest_function; largest.id != 0) {
      line("largest function",
           fmt::format("{}%{}: {}, {}", largest.name.empty() ? "" : printable(largest.name) + ' ', largest.id,
                       counted(largest.instructions, "instruction"), counted(largest.blocks, "block")));
    }
    line("control flow", fmt::format("nesting depth {}, {}, {}, {}", info_.nesting_depth, counted(info_.loops, "loop"),
                                     counted(info_.selections, "selection"),
                                     fmt::format("{} switch{}", info_.switches, info_.switches == 1 ? "" : "es")));
  }

  void write_entry_points() {
    if (info_.entry_points.empty()) return;
    TextTable table({{"entry point", false},
                     {"model", false},
                     {"function", true},
                     {"interface", true},
                     {"local size", true},
                     {"modes", false}});
    for (const EntryPointInfo& entry : info_.entry_points) {
      std::string modes;
      for (const std::string& mode : entry.execution_modes) modes.append(modes.empty() ? "" : ", ").append(mode);
      table.add({printable(entry.name), printable(entry.model), '%' + std::to_string(entry.function),
                 std::to_string(entry.interface_variables), local_size_text(entry), modes});
    }
    text_ += '\n';
    table.append_to(text_);
  }

  void write_sections() {
    TextTable table({{"section", false}, {"instructions", true}, {"bytes", true}, {"share", true}});
    table.add({"header", "", std::to_string(header_word_count * sizeof(Word)), share(header_word_count, info_)});
    for (std::size_t s = 0; s < section_count; ++s) {
      const SectionInfo& section = info_.sections[s];
      if (section.instructions == 0) continue;
      table.add({std::string(name_of(static_cast<Section>(s))), std::to_string(section.instructions),
                 std::to_string(section.words * sizeof(Word)), share(section.words, info_)});
    }
    text_ += '\n';
    table.append_to(text_);
  }

  void write_opcodes() {
    if (info_.opcodes.empty()) return;
    TextTable table({{"opcode", false}, {"count", true}, {"bytes", true}, {"share", true}});
    for (const OpcodeInfo& row : info_.opcodes) {
      table.add({printable(row.name), std::to_string(row.count), std::to_string(row.words * sizeof(Word)),
                 share(row.words, info_)});
    }
    text_ += '\n';
    table.append_to(text_);
  }

  const ModuleInfo& info_;
  std::string text_;
};

}  // namespace

bool write_info_page(const ModuleInfo& info, TextSink& sink) { return sink.write(PageWriter(info).write()); }

}  // namespace vireo::spirv

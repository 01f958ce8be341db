// SPDX-License-Identifier: Apache-2.0
//
// Writes a comparison in the unified format of diff, and as JSON (vireo/spirv/inspect/diff.h).
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/inspect/diff/diff_printer.h"
#include "spirv/inspect/diff/string_lines.h"
#include "support/json_writer.h"
#include "vireo/spirv/inspect/diff.h"
#include "vireo/spirv/module/module.h"

namespace vireo::spirv {
namespace {

using Kind = DiffLine::Kind;

// The line of an instruction in the disassembly, which begins with five lines about the header.
std::uint64_t line_of(std::uint32_t instruction) { return std::uint64_t{instruction} + 6; }

// A part of the header that differs.
struct HeaderDifference {
  std::string_view label, key;
  std::string before, after;
};

// The version with its reserved bytes, if they are not 0.
std::string version_of(Words module) {
  const Word word = module[1];
  const Version version = Version::from_word(word);
  std::string text = fmt::format("{}.{}", version.major, version.minor);
  if ((word & 0xFF0000FF) != 0) text += fmt::format(" ({:#010x})", word);
  return text;
}

std::vector<HeaderDifference> header_differences(const ModuleDiff& diff) {
  const Words before = diff.before(), after = diff.after();
  const auto number = [](Word word) { return fmt::format("{:#010x}", word); };
  std::vector<HeaderDifference> found;
  if (diff.version_differs()) found.push_back({"Version", "version", version_of(before), version_of(after)});
  if (diff.generator_differs()) found.push_back({"Generator", "generator", number(before[2]), number(after[2])});
  if (diff.schema_differs()) found.push_back({"Schema", "schema", number(before[4]), number(after[4])});
  return found;
}

class UnifiedWriter {
 public:
  UnifiedWriter(const ModuleDiff& diff, const DiffTextOptions& options, TextSink& sink)
      : diff_(diff), options_(options), printer_(diff, options), sink_(sink) {}

  bool run() {
    paint(style_file, fmt::format("--- {}", options_.before_name));
    paint(style_file, fmt::format("+++ {}", options_.after_name));
    write_header();
    const std::vector<DiffLine>& lines = printer_.lines();
    for (std::size_t first = 0; first < lines.size();) {
      first = next_change(first);
      if (first == lines.size()) break;
      const std::size_t begin = first - std::min<std::size_t>(first, options_.context);
      write_hunk(std::max(begin, written_), first);
      first = written_;
    }
    return ok_ && sink_.write(buffer_);
  }

 private:
  static constexpr std::string_view style_file = "\x1b[1m", style_hunk = "\x1b[36m", style_removed = "\x1b[31m",
                                    style_added = "\x1b[32m", style_none{};

  [[nodiscard]] std::size_t next_change(std::size_t at) const {
    const std::vector<DiffLine>& lines = printer_.lines();
    while (at < lines.size() && lines[at].kind == Kind::Same) ++at;
    return at;
  }

  void write_header() {
    const std::vector<HeaderDifference> differences = header_differences(diff_);
    if (!options_.header || differences.empty()) return;
    paint(style_hunk, "@@ header @@");
    for (const HeaderDifference& each : differences) {
      paint(style_removed, fmt::format("-; {}: {}", each.label, each.before));
      paint(style_added, fmt::format("+; {}: {}", each.label, each.after));
    }
  }

  // Writes the lines from `begin` on, until more than twice the context is unchanged after a change.
  void write_hunk(std::size_t begin, std::size_t change) {
    const std::vector<DiffLine>& lines = printer_.lines();
    std::size_t end = change;
    for (std::size_t next = change; next < lines.size() && next <= end + std::size_t{2} * options_.context;
         next = next_change(end)) {
      end = next + 1;
    }
    end = std::min(lines.size(), end + std::size_t{options_.context});
    write_hunk_header(begin, end, lines[change]);
    for (std::size_t at = begin; at < end;) {
      if (lines[at].kind == Kind::Same) {
        write_line(style_none, ' ', printer_.text_before(lines[at].before), "");
        ++at;
        continue;
      }
      if (write_string_lines(lines[at])) {
        ++at;
        continue;
      }
      std::size_t run = at;
      while (run < end && lines[run].kind != Kind::Same && (run == at || !has_string_lines(lines[run]))) ++run;
      for (std::size_t k = at; k < run; ++k) {
        if (lines[k].before == no_partner || lines[k].kind == Kind::MovedTo) continue;
        write_line(style_removed, '-', printer_.text_before(lines[k].before), comment_of(lines[k]));
      }
      for (std::size_t k = at; k < run; ++k) {
        if (lines[k].after == no_partner || lines[k].kind == Kind::MovedFrom) continue;
        write_line(style_added, '+', printer_.text_after(lines[k].after), comment_of(lines[k]));
      }
      at = run;
    }
    written_ = end;
  }

  [[nodiscard]] bool has_string_lines(const DiffLine& line) const {
    return line.kind == Kind::Changed && line.before != no_partner && line.after != no_partner &&
           has_lines(printer_.text_before(line.before)) && has_lines(printer_.text_after(line.after));
  }

  // Writes a change within a string of several lines. Returns false for any other line.
  bool write_string_lines(const DiffLine& line) {
    if (!has_string_lines(line)) return false;
    const std::string before = printer_.text_before(line.before), after = printer_.text_after(line.after);
    for (const ComparedLine& each : compare_lines(before, after, options_.context)) {
      if (each.is_after_gap) write_line(style_none, ' ', "…", "");
      write_line(each.mark == '-'   ? style_removed
                 : each.mark == '+' ? style_added
                                    : style_none,
                 each.mark, each.text, "");
    }
    return true;
  }

  static std::string_view comment_of(const DiffLine& line) {
    return line.kind == Kind::MovedFrom || line.kind == Kind::MovedTo ? "  ; moved" : "";
  }

  // Where the lines [begin, end) are in one module: "first,count". Without lines, `first` is the line before them.
  template <typename Instruction>
  [[nodiscard]] std::string range_of(std::size_t begin, std::size_t end, Instruction&& instruction_of) const {
    std::uint64_t first = 0, count = 0;
    for (std::size_t at = begin; at < end; ++at) {
      const std::uint32_t instruction = instruction_of(printer_.lines()[at]);
      if (instruction == no_partner) continue;
      if (count++ == 0) first = line_of(instruction);
    }
    for (std::size_t at = begin; count == 0 && at-- > 0;) {
      const std::uint32_t instruction = instruction_of(printer_.lines()[at]);
      if (instruction == no_partner) continue;
      first = line_of(instruction);
      break;
    }
    return fmt::format("{},{}", first, count);
  }

  void write_hunk_header(std::size_t begin, std::size_t end, const DiffLine& change) {
    const std::string before = range_of(
        begin, end, [](const DiffLine& line) { return line.kind == Kind::MovedTo ? no_partner : line.before; });
    const std::string after = range_of(
        begin, end, [](const DiffLine& line) { return line.kind == Kind::MovedFrom ? no_partner : line.after; });
    const std::string function = printer_.function_of(change);
    const std::string place = function.empty() ? std::string(name_of(printer_.section_of(change))) : function;
    paint(style_hunk, fmt::format("@@ -{} +{} @@ {}", before, after, place));
  }

  void write_line(std::string_view style, char mark, std::string_view text, std::string_view comment) {
    paint(style, fmt::format("{}{}{}", mark, text, comment));
  }

  void paint(std::string_view style, std::string_view line) {
    const bool is_painted = options_.color && !style.empty();
    if (is_painted) buffer_ += style;
    buffer_ += line;
    if (is_painted) buffer_ += "\x1b[0m";
    buffer_ += '\n';
    if (buffer_.size() < 1u << 16) return;
    ok_ = ok_ && sink_.write(buffer_);
    buffer_.clear();
  }

  const ModuleDiff& diff_;
  const DiffTextOptions& options_;
  const DiffPrinter printer_;
  TextSink& sink_;
  std::string buffer_;
  std::size_t written_ = 0;  // lines
  bool ok_ = true;
};

std::string_view name_of(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::Removed: return "removed";
    case ChangeKind::Added: return "added";
    case ChangeKind::Changed: return "changed";
    case ChangeKind::Moved: return "moved";
  }
  return "";
}

}  // namespace

bool write_diff_text(const ModuleDiff& diff, const DiffTextOptions& options, TextSink& sink) {
  const bool has_header = options.header && !header_differences(diff).empty();
  return (diff.changes().empty() && !has_header) || UnifiedWriter(diff, options, sink).run();
}

bool write_diff_json(const ModuleDiff& diff, const DiffTextOptions& options, TextSink& sink) {
  JsonWriter json(sink);
  json.begin_object().key("before").string(options.before_name).key("after").string(options.after_name);
  json.key("equal").boolean(diff.is_equal());
  for (const HeaderDifference& each : header_differences(diff)) {
    json.key(each.key).begin_object().key("before").string(each.before).key("after").string(each.after).end_object();
  }
  json.key("changes").begin_array();
  if (!diff.changes().empty()) {
    const DiffPrinter printer(diff, options);
    const auto side = [&](std::string_view key, InstructionIndex index, const DiffSide& module,
                          const std::string& text) {
      json.key(key).begin_object().key("instruction").number(index.raw + std::uint64_t{1});
      json.key("word_offset").number(module.instruction(index.raw).offset);
      json.key("line").number(line_of(index.raw));
      json.key("text").string(text).end_object();
    };
    for (const ModuleChange& change : diff.changes()) {
      const DiffLine line{Kind::Changed, change.before.raw, change.after.raw};
      json.begin_object().key("kind").string(name_of(change.kind));
      json.key("section").string(name_of(printer.section_of(line)));
      if (const std::string function = printer.function_of(line); !function.empty()) {
        json.key("function").string(function);
      }
      if (!change.before.is_none()) {
        side("before", change.before, printer.before(), printer.text_before(change.before.raw));
      }
      if (!change.after.is_none()) {
        side("after", change.after, printer.after(), printer.text_after(change.after.raw));
      }
      json.end_object();
    }
  }
  json.end_array().end_object();
  json.end_document();
  return json.flush();
}

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// Writes a comparison in the unified format of diff, and as JSON (vireo/spirv/inspect/diff.h).
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "spirv/inspect/diff/diff_printer.h"
#include "support/json_writer.h"
#include "vireo/spirv/inspect/diff.h"
#include "vireo/spirv/module.h"

namespace vireo::spirv {
namespace {

using Kind = DiffLine::Kind;

// The disassembly begins with this many lines about the header of the module.
constexpr std::uint64_t header_lines = 5;

std::string version_of(Words module) { return fmt::format("{}.{}", module[1] >> 16 & 0xFF, module[1] >> 8 & 0xFF); }

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
                                    style_added = "\x1b[32m", style_none = "";

  [[nodiscard]] std::size_t next_change(std::size_t at) const {
    const std::vector<DiffLine>& lines = printer_.lines();
    while (at < lines.size() && lines[at].kind == Kind::Same) ++at;
    return at;
  }

  void write_header() {
    const Words before = diff_.before(), after = diff_.after();
    if (!options_.header || (!diff_.version_differs() && !diff_.generator_differs())) return;
    paint(style_hunk, "@@ header @@");
    if (diff_.version_differs()) {
      paint(style_removed, "-; Version: " + version_of(before));
      paint(style_added, "+; Version: " + version_of(after));
    }
    if (diff_.generator_differs()) {
      paint(style_removed, fmt::format("-; Generator: {:#010x}", before[2]));
      paint(style_added, fmt::format("+; Generator: {:#010x}", after[2]));
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
        write_lines(style_none, ' ', printer_.text_before(lines[at].before), "");
        ++at;
        continue;
      }
      std::size_t run = at;
      while (run < end && lines[run].kind != Kind::Same) ++run;
      for (std::size_t k = at; k < run; ++k) {
        if (lines[k].before == no_partner || lines[k].kind == Kind::MovedTo) continue;
        write_lines(style_removed, '-', printer_.text_before(lines[k].before), remark_of(lines[k]));
      }
      for (std::size_t k = at; k < run; ++k) {
        if (lines[k].after == no_partner || lines[k].kind == Kind::MovedFrom) continue;
        write_lines(style_added, '+', printer_.text_after(lines[k].after), remark_of(lines[k]));
      }
      at = run;
    }
    written_ = end;
  }

  static std::string_view remark_of(const DiffLine& line) {
    return line.kind == Kind::MovedFrom || line.kind == Kind::MovedTo ? "  ; moved" : "";
  }

  void write_hunk_header(std::size_t begin, std::size_t end, const DiffLine& change) {
    std::uint64_t first_before = 0, first_after = 0, count_before = 0, count_after = 0;
    for (std::size_t at = begin; at < end; ++at) {
      const DiffLine& line = printer_.lines()[at];
      if (line.before != no_partner && line.kind != Kind::MovedTo) {
        if (count_before == 0) first_before = printer_.printed_before().line_of(line.before) + header_lines;
        count_before += printer_.printed_before().line_count(line.before);
      }
      if (line.after != no_partner && line.kind != Kind::MovedFrom) {
        if (count_after == 0) first_after = printer_.printed_after().line_of(line.after) + header_lines;
        count_after += printer_.printed_after().line_count(line.after);
      }
    }
    const std::string function = printer_.function_of(change);
    const std::string place = function.empty() ? std::string(name_of(printer_.section_of(change))) : function;
    paint(style_hunk,
          fmt::format("@@ -{},{} +{},{} @@ {}", first_before, count_before, first_after, count_after, place));
  }

  // A text has several lines if a literal string contains line feeds.
  void write_lines(std::string_view style, char mark, std::string_view text, std::string_view remark) {
    for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
      paint(style, mark + std::string(text.substr(0, end)));
      text.remove_prefix(end + 1);
    }
    paint(style, mark + std::string(text) + std::string(remark));
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
  return diff.is_equal() || UnifiedWriter(diff, options, sink).run();
}

bool write_diff_json(const ModuleDiff& diff, const DiffTextOptions& options, TextSink& sink) {
  JsonWriter json(sink);
  json.begin_object().key("before").string(options.before_name).key("after").string(options.after_name);
  json.key("equal").boolean(diff.is_equal());
  const auto header = [&](std::string_view name, bool differs, std::string before, std::string after) {
    if (!differs) return;
    json.key(name).begin_object().key("before").string(before).key("after").string(after).end_object();
  };
  header("version", diff.version_differs(), version_of(diff.before()), version_of(diff.after()));
  header("generator", diff.generator_differs(), fmt::format("{:#010x}", diff.before()[2]),
         fmt::format("{:#010x}", diff.after()[2]));
  json.key("changes").begin_array();
  if (!diff.changes().empty()) {
    const DiffPrinter printer(diff, options);
    const auto side = [&](std::string_view key, InstructionIndex index, const DiffSide& module,
                          const PrintedModule& printed, std::string text) {
      json.key(key).begin_object().key("instruction").number(index.raw + std::uint64_t{1});
      json.key("word_offset").number(module.instruction(index.raw).offset);
      json.key("line").number(printed.line_of(index.raw) + header_lines);
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
        side("before", change.before, printer.before(), printer.printed_before(),
             printer.text_before(change.before.raw));
      }
      if (!change.after.is_none()) {
        side("after", change.after, printer.after(), printer.printed_after(), printer.text_after(change.after.raw));
      }
      json.end_object();
    }
  }
  json.end_array().end_object();
  json.end_document();
  return json.flush();
}

}  // namespace vireo::spirv

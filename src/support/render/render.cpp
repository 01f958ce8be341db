// SPDX-License-Identifier: Apache-2.0
//
// The formats for people: human and short.
//
// A location is printed as `file:line:col` if it is in a text and as `word N (instruction M)` if it is in
// words. Below it comes the source line in its safe form. The underline is counted in the same pass over the bytes, so
// escapes and tabs cannot shift the caret.
#include "vireo/support/render.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "support/printable.h"
#include "support/render/render_machine.h"

namespace vireo {
namespace {

// The colours of gcc and clang. Empty if colours are off.
struct Palette {
  std::string_view place, error, warning, note, caret, reset;
};
constexpr Palette colored = {"\x1b[1m", "\x1b[1;31m", "\x1b[1;35m", "\x1b[1;36m", "\x1b[1;32m", "\x1b[0m"};
constexpr Palette plain = {};

// A longer line is cut to a window around the caret. Both numbers count bytes of the source.
constexpr std::size_t window_size = 160;
constexpr std::size_t window_before = 60;  // the part before the caret
constexpr std::string_view cut_mark = "...";

constexpr bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0u) == 0x80; }

// The range of bytes of a line that is shown. Both ends are moved to character boundaries.
ByteRange window_of(std::string_view line, std::size_t caret) {
  if (line.size() <= window_size) return {0, line.size()};
  caret = std::min(caret, line.size());
  std::size_t begin = caret > window_before ? caret - window_before : 0;
  std::size_t end = std::min(begin + window_size, line.size());
  for (int i = 0; i < 3 && begin > 0 && is_continuation(line[begin]); ++i) --begin;
  for (int i = 0; i < 3 && end < line.size() && is_continuation(line[end]); ++i) ++end;
  return {begin, end};
}

class HumanRenderer final : public Renderer {
 public:
  HumanRenderer(const RenderOptions& options, TextSink& sink)
      : options_(options), palette_(options.color ? colored : plain), sink_(sink) {}

  void add(const SourceText& source, const Diagnostics& diagnostics) override {
    std::optional<LineIndex> lines;  // one pass over the text, only if a diagnostic points into it
    for (const Diagnostic& diagnostic : diagnostics.all()) {
      out_.clear();
      print(source, lines, diagnostic);
      sink_.write(out_);
    }
    // The number of omitted diagnostics is for people only: a program that reads `short` lines would take it for a
    // diagnostic.
    const std::size_t found = diagnostics.error_count() + diagnostics.warning_count();
    if (found > diagnostics.all().size() && options_.format == DiagnosticFormat::Human) {
      out_.clear();
      append_printable(out_, source.name);
      out_ += ": " + std::to_string(found - diagnostics.all().size()) + " more not shown\n";
      sink_.write(out_);
    }
  }

 private:
  void print(const SourceText& source, std::optional<LineIndex>& lines, const Diagnostic& diagnostic) {
    const std::string_view color = diagnostic.severity == Severity::Error     ? palette_.error
                                   : diagnostic.severity == Severity::Warning ? palette_.warning
                                                                              : palette_.note;
    if (diagnostic.source) {
      print_source_heading(*diagnostic.source, name_of(diagnostic.severity), color, diagnostic.message);
    } else {
      print_heading(source, lines, diagnostic.where, name_of(diagnostic.severity), color, diagnostic.message);
    }
    if (!diagnostic.rule.empty()) (out_ += " [").append(diagnostic.rule) += ']';
    if (!diagnostic.requirement.empty()) (out_ += " [").append(diagnostic.requirement) += ']';
    out_ += '\n';
    if (options_.format == DiagnosticFormat::Short) return;

    if (diagnostic.source) print_source_excerpt(*diagnostic.source);
    else print_excerpt(lines, diagnostic.where);
    if (!diagnostic.path.empty()) print_detail("at", diagnostic.path);
    if (!diagnostic.hint.empty()) print_detail("hint:", diagnostic.hint);
    for (const Note& note : diagnostic.notes) {
      if (note.source) print_source_heading(*note.source, "note", palette_.note, note.message);
      else print_heading(source, lines, note.where, "note", palette_.note, note.message);
      out_ += '\n';
      if (note.source) print_source_excerpt(*note.source);
      else print_excerpt(lines, note.where);
    }
  }

  // file:line:col: severity: text
  void print_heading(const SourceText& source, std::optional<LineIndex>& lines, const Location& where,
                     std::string_view severity, std::string_view color, std::string_view message) {
    out_ += palette_.place;
    append_printable(out_, source.name);
    if (where.kind == Location::Kind::Text) {
      if (!lines) lines.emplace(source.text);
      const LineColumn at = lines->locate(where.begin);
      out_ += ':' + std::to_string(at.line) + ':' + std::to_string(at.column);
    }
    (out_ += ": ").append(palette_.reset).append(color).append(severity) += ": ";
    out_ += palette_.reset;
    if (where.kind == Location::Kind::Words) {
      out_ += "word " + std::to_string(where.begin);
      if (where.instruction != 0) out_ += " (instruction " + std::to_string(where.instruction) + ')';
      out_ += ": ";
    }
    append_printable(out_, message);
  }

  // The same for a position in a source file. Its column may be unknown.
  void print_source_heading(const SourcePosition& at, std::string_view severity, std::string_view color,
                            std::string_view message) {
    out_ += palette_.place;
    append_printable(out_, at.file);
    if (at.line != 0) out_ += ':' + std::to_string(at.line);
    if (at.column != 0) out_ += ':' + std::to_string(at.column);
    (out_ += ": ").append(palette_.reset).append(color).append(severity) += ": ";
    out_ += palette_.reset;
    append_printable(out_, message);
  }

  // Marks the columns if they are known; otherwise the whole line without its indentation.
  void print_source_excerpt(const SourcePosition& at) {
    const std::string_view line = at.text;
    if (line.empty()) return;
    if (at.column == 0 || at.column > line.size()) {
      const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
      print_line(at.line, line, begin, line.find_last_not_of(" \t") + 1);
    } else {
      const bool has_end = (at.end_line == 0 || at.end_line == at.line) && at.end_column > at.column;
      print_line(at.line, line, at.column - 1,
                 has_end ? std::min<std::size_t>(at.end_column - 1, line.size()) : at.column);
    }
  }

  void print_excerpt(const std::optional<LineIndex>& lines, const Location& where) {
    if (where.kind != Location::Kind::Text || !lines) return;
    const LineColumn at = lines->locate(where.begin);
    const std::string_view line = lines->line(at.line);
    const std::size_t caret = at.column - 1;
    const std::size_t length = where.end > where.begin ? where.end - where.begin : 1;
    const std::size_t caret_end =
        length > line.size() ? line.size() : caret + length;  // a range may extend beyond the line
    print_line(at.line, line, caret, caret_end);
  }

  //    12 | %x = OpFoo %y
  //       |      ^~~~~
  void print_line(std::uint64_t line_number, std::string_view line, std::size_t caret, std::size_t caret_end) {
    const ByteRange window = window_of(line, caret);

    const std::string number = std::to_string(line_number);
    std::string below = std::string(std::max<std::size_t>(number.size(), 5), ' ') + " | ";
    out_.append(number.size() < 5 ? 5 - number.size() : 0, ' ').append(number) += " | ";
    if (window.begin > 0) {
      out_ += cut_mark;
      below.append(cut_mark.size(), ' ');
    }
    std::string underline;  // built together with the shown line; the blanks before the caret keep the line's tabs
    bool marked = false;
    for (std::size_t i = window.begin; i < window.end;) {
      PrintedCharacter piece{1, 1};
      if (line[i] == '\t') {
        out_ += '\t';
      } else {
        piece = append_printable_character(out_, line.substr(i, window.end - i));
      }
      if (i + piece.bytes <= caret) {
        below.append(piece.columns, line[i] == '\t' ? '\t' : ' ');
      } else if (i < caret_end || !marked) {
        underline.append(piece.columns, '~');
        marked = true;
      }
      i += piece.bytes;
    }
    if (underline.empty()) underline = "~";  // after the last byte of the line
    underline[0] = '^';
    if (window.end < line.size()) out_ += cut_mark;
    out_ += '\n';
    out_.append(below).append(palette_.caret).append(underline).append(palette_.reset) += '\n';
  }

  // Indented below the excerpt, without a location of its own: it belongs to the diagnostic above.
  void print_detail(std::string_view word, std::string_view text) {
    (out_ += "        ").append(palette_.note).append(word).append(palette_.reset) += ' ';
    append_printable(out_, text);
    out_ += '\n';
  }

  RenderOptions options_;
  const Palette& palette_;
  TextSink& sink_;
  std::string out_;
};

}  // namespace

std::optional<DiagnosticFormat> find_diagnostic_format(std::string_view name) {
  const auto found = std::find(std::begin(diagnostic_format_names), std::end(diagnostic_format_names), name);
  if (found == std::end(diagnostic_format_names)) return std::nullopt;
  return static_cast<DiagnosticFormat>(found - std::begin(diagnostic_format_names));
}

Renderer::~Renderer() = default;

std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::Note: return "note";
    case Severity::Warning: return "warning";
    case Severity::Error: break;
  }
  return "error";
}

Owned<Renderer> make_renderer(const RenderOptions& options, TextSink& sink) {
  switch (options.format) {
    case DiagnosticFormat::Human:
    case DiagnosticFormat::Short: return Owned<Renderer>(new HumanRenderer(options, sink));
    case DiagnosticFormat::Json: return make_json_renderer(sink);
    case DiagnosticFormat::Sarif: return make_sarif_renderer(options, sink);
    case DiagnosticFormat::Github: return make_github_renderer(sink);
  }
  return {};
}

std::string render(const SourceText& source, const Diagnostics& diagnostics, const RenderOptions& options) {
  StringSink text;
  const Owned<Renderer> renderer = make_renderer(options, text);
  renderer->add(source, diagnostics);
  renderer->finish();
  return std::move(text).text();
}

}  // namespace vireo

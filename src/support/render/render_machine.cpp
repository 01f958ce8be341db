// SPDX-License-Identifier: Apache-2.0
//
// The formats for machines: JSON Lines, SARIF 2.1.0, GitHub's workflow commands.
//
// A record of the JSON format has: file, severity, rule, message; line, column, end_line, end_column if the location is
// in a text; word_offset, word_count, instruction if it is in words; path (of a JSON document), hint and notes if there
// are any. Fields that do not apply are omitted. If a diagnostic has a position in a source file, file, line and column
// are of that file; `module` then contains those of the input.
//
// SARIF: OASIS "Static Analysis Results Interchange Format 2.1.0"; comments in the code cite its sections.
#include "support/render/render_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "support/utf8.h"

namespace vireo {
namespace {

// --- JSON Lines --------------------------------------------------------------------------------------------------------

class JsonRenderer final : public Renderer {
 public:
  explicit JsonRenderer(TextSink& sink) : json_(sink) {}

  void add(const SourceText& source, const Diagnostics& diagnostics) override {
    RecordWriter records(json_, source);
    for (const Diagnostic& diagnostic : diagnostics.all()) {
      records.begin(diagnostic);
      records.end();
    }
    const std::size_t found = diagnostics.error_count() + diagnostics.warning_count();
    if (found > diagnostics.all().size()) {
      json_.begin_object();
      json_.key("file").string(source.name);
      json_.key("severity").string("note");
      json_.key("message").string(std::to_string(found - diagnostics.all().size()) + " more not shown");
      json_.end_object().end_document();
    }
    // Flushed after each input, so that a reader of the stream sees a file's diagnostics as soon as that file is done.
    json_.flush();
  }

 private:
  JsonWriter json_;
};

// --- SARIF -------------------------------------------------------------------------------------------------------------

// A file name as a URI reference (3.4.3): relative names stay relative; all but the unreserved bytes are escaped.
std::string uri_of(std::string_view name) {
  constexpr std::string_view kept = "-._~/";
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string uri = name.starts_with('/') ? "file://" : "";
  for (const char byte : name) {
    const auto code = static_cast<unsigned char>(byte);
    const bool is_alphanumeric = (code >= '0' && code <= '9') || ((code | 32u) >= 'a' && (code | 32u) <= 'z');
    if (is_alphanumeric || kept.find(byte) != std::string_view::npos) {
      uri += byte;
    } else {
      uri += '%';
      uri += digits[code >> 4];
      uri += digits[code & 15];
    }
  }
  return uri;
}

class SarifRenderer final : public Renderer {
 public:
  SarifRenderer(const RenderOptions& options, TextSink& sink) : options_(options), json_(sink) {
    json_.begin_object();
    json_.key("$schema").string("https://json.schemastore.org/sarif-2.1.0.json");
    json_.key("version").string("2.1.0");
    json_.key("runs").begin_array().begin_object();
    json_.key("columnKind").string("unicodeCodePoints");  // 3.14.17
    json_.key("results").begin_array();
  }

  void add(const SourceText& source, const Diagnostics& diagnostics) override {
    LinePlaces places(source.text);
    const std::string uri = uri_of(source.name);
    for (const Diagnostic& diagnostic : diagnostics.all()) {
      json_.line_break().begin_object();  // 3.27
      if (!diagnostic.rule.empty()) {
        json_.key("ruleId").string(diagnostic.rule).key("ruleIndex").number(index_of(diagnostic.rule));
      }
      json_.key("level").string(name_of(diagnostic.severity));
      add_message(diagnostic.hint.empty() ? diagnostic.message : diagnostic.message + "; hint: " + diagnostic.hint);
      json_.key("locations").begin_array().begin_object();
      if (diagnostic.source) add_source_location(*diagnostic.source);
      else add_location(places, uri, diagnostic.where);
      if (!diagnostic.path.empty()) {
        json_.key("logicalLocations").begin_array().begin_object();
        json_.key("fullyQualifiedName").string(diagnostic.path).end_object().end_array();
      }
      json_.end_object().end_array();
      if (!diagnostic.notes.empty()) {
        json_.key("relatedLocations").begin_array();
        for (const Note& note : diagnostic.notes) {
          json_.begin_object();
          if (note.source) add_source_location(*note.source);
          else add_location(places, uri, note.where);
          add_message(note.message);
          json_.end_object();
        }
        json_.end_array();
      }
      add_fixes(places, uri, diagnostic);
      add_fingerprint(diagnostic);
      if (!diagnostic.requirement.empty()) {
        json_.key("properties").begin_object().key("vuid").string(diagnostic.requirement).end_object();
      }
      json_.end_object();
    }
  }

  // SARIF is one document: it is also ended if there was no fault, since an empty result is a valid answer.
  void finish() override {
    json_.line_break().end_array();
    add_tool();
    json_.end_object().end_array().end_object().end_document();
    json_.flush();
  }

 private:
  // The index of a rule in the tool's description (3.27.6).
  std::size_t index_of(std::string_view rule) {
    const auto [found, is_new] = indexes_.try_emplace(rule, rules_.size());
    if (is_new) rules_.push_back(rule);
    return found->second;
  }

  // Written last: only then are all broken rules known (3.19.23), and results are written without waiting for it.
  void add_tool() {
    json_.key("tool").begin_object().key("driver").begin_object();
    json_.key("name").string("vireo").key("version").string(options_.tool_version);
    if (!rules_.empty()) json_.key("rules").begin_array();
    for (const std::string_view rule : rules_) {
      const RuleText text = options_.describe == nullptr ? RuleText{} : options_.describe(rule);
      json_.line_break().begin_object().key("id").string(rule);
      if (!text.requirement.empty()) {
        json_.key("shortDescription").begin_object().key("text").string(text.requirement).end_object();
      }
      if (!text.help_uri.empty()) json_.key("helpUri").string(text.help_uri);  // 3.49.12
      if (!text.reference.empty()) {
        json_.key("properties").begin_object().key("reference").string(text.reference).end_object();
      }
      json_.end_object();
    }
    if (!rules_.empty()) json_.line_break().end_array();
    json_.end_object().end_object();
  }

  // The fix (3.55) of a finding in a text. A change of words has no form in SARIF, as it also changes a word count.
  void add_fixes(LinePlaces& places, std::string_view uri, const Diagnostic& diagnostic) {
    const auto is_of_text = [](const Change& change) { return change.where.kind == Location::Kind::Text; };
    if (diagnostic.fix.empty() || !std::ranges::all_of(diagnostic.fix, is_of_text)) return;
    json_.key("fixes").begin_array().begin_object();
    if (!diagnostic.hint.empty()) {
      json_.key("description").begin_object().key("text").string(diagnostic.hint).end_object();
    }
    json_.key("artifactChanges").begin_array().begin_object();
    json_.key("artifactLocation").begin_object().key("uri").string(uri).end_object();
    json_.key("replacements").begin_array();
    for (const Change& change : diagnostic.fix) {
      json_.begin_object().key("deletedRegion");
      add_text_region(places, change.where);
      json_.key("insertedContent").begin_object().key("text").string(change.text).end_object();
      json_.end_object();
    }
    json_.end_array().end_object().end_array().end_object().end_array();
  }

  void add_text_region(LinePlaces& places, const Location& where) {
    const LineColumn begin = places.locate_code_point(where.begin);
    const LineColumn end = places.locate_code_point(where.end);
    json_.begin_object();
    json_.key("startLine").number(begin.line).key("startColumn").number(begin.column);
    json_.key("endLine").number(end.line).key("endColumn").number(end.column);
    json_.end_object();
  }

  // Identifies a result across runs (3.27.17): the rule and the message without the parts that edits elsewhere change.
  void add_fingerprint(const Diagnostic& diagnostic) {
    std::uint64_t hash = 0xCBF29CE484222325;  // FNV-1a
    for (const char byte : std::string(diagnostic.rule) + ' ' + without_id_numbers(diagnostic.message)) {
      hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001B3;
    }
    json_.key("partialFingerprints").begin_object();
    json_.key("ruleAndMessage/v1").string(fmt::format("{:016x}", hash)).end_object();
  }

  void add_message(std::string_view text) { json_.key("message").begin_object().key("text").string(text).end_object(); }

  // physicalLocation (3.29) with a text region (3.30.2) or a binary one (3.30.3).
  void add_location(LinePlaces& places, std::string_view uri, const Location& where) {
    json_.key("physicalLocation").begin_object();
    json_.key("artifactLocation").begin_object().key("uri").string(uri).end_object();
    if (where.kind == Location::Kind::Text) {
      json_.key("region");
      add_text_region(places, where);
    }
    if (where.kind == Location::Kind::Words) {
      json_.key("region").begin_object();
      json_.key("byteOffset").number(where.begin * 4).key("byteLength").number((where.end - where.begin) * 4);
      json_.end_object();
    }
    json_.end_object();
  }

  // A position in a source file. Columns are code points if the line is known, otherwise the compiler's columns.
  void add_source_location(const SourcePosition& at) {
    const auto code_points = [&](std::uint32_t column) -> std::uint64_t {
      if (column > at.text.size() + 1) return column;
      std::uint64_t count = 1;
      for (std::string_view before = std::string_view(at.text).substr(0, column - 1); !before.empty(); ++count) {
        before.remove_prefix(first_code_point(before).length);
      }
      return count;
    };
    json_.key("physicalLocation").begin_object();
    json_.key("artifactLocation").begin_object().key("uri").string(uri_of(at.file)).end_object();
    if (at.line == 0) {
      json_.end_object();
      return;
    }
    json_.key("region").begin_object().key("startLine").number(at.line);
    if (at.column != 0) {
      json_.key("startColumn").number(code_points(at.column));
      // An end before the start is ignored: debug information is not validated (3.30.7, 3.30.8).
      if (at.end_column > at.column && (at.end_line == 0 || at.end_line == at.line)) {
        json_.key("endColumn").number(code_points(at.end_column));
      }
    }
    if (!at.text.empty()) json_.key("snippet").begin_object().key("text").string(at.text).end_object();  // 3.30.13
    json_.end_object().end_object();
  }

  RenderOptions options_;
  JsonWriter json_;
  std::vector<std::string_view> rules_;  // the broken rules, in the order of first results; names with static lifetime
  std::map<std::string_view, std::size_t> indexes_;  // into rules_
};

// --- GitHub ------------------------------------------------------------------------------------------------------------

class GithubRenderer final : public Renderer {
 public:
  explicit GithubRenderer(TextSink& sink) : sink_(sink) {}

  void add(const SourceText& source, const Diagnostics& diagnostics) override {
    LinePlaces places(source.text);
    for (const Diagnostic& diagnostic : diagnostics.all()) {
      std::string out = "::";
      out += diagnostic.severity == Severity::Note ? "notice" : name_of(diagnostic.severity);
      out += " file=";
      append_escaped(out, diagnostic.source ? std::string_view(diagnostic.source->file) : source.name, ":,");
      if (diagnostic.source) {
        out += ",line=" + std::to_string(diagnostic.source->line);
        if (diagnostic.source->column != 0) out += ",col=" + std::to_string(diagnostic.source->column);
      } else if (diagnostic.where.kind == Location::Kind::Text) {
        const LineColumn at = places.locate(diagnostic.where.begin);
        out += ",line=" + std::to_string(at.line) + ",col=" + std::to_string(at.column);
      }
      if (!diagnostic.rule.empty()) {
        out += ",title=";
        append_escaped(out, diagnostic.rule, ":,");
        if (!diagnostic.requirement.empty()) append_escaped(out += ' ', diagnostic.requirement, ":,");
      }
      out += "::";
      // A workflow command has no property for words, so the location precedes the message.
      if (diagnostic.where.kind == Location::Kind::Words && !diagnostic.source) {
        out += "word " + std::to_string(diagnostic.where.begin) + ": ";
      }
      append_escaped(out, diagnostic.message, "");
      if (!diagnostic.path.empty()) append_escaped(out += " at ", diagnostic.path, "");
      if (!diagnostic.hint.empty()) append_escaped(out += "; hint: ", diagnostic.hint, "");
      if (diagnostic.source) {
        append_escaped(out += " (in ", source.name, "");
        if (diagnostic.where.kind == Location::Kind::Words) out += ", word " + std::to_string(diagnostic.where.begin);
        out += ')';
      }
      out += '\n';
      sink_.write(out);
    }
    const std::size_t found = diagnostics.error_count() + diagnostics.warning_count();
    if (found > diagnostics.all().size()) {
      std::string out = "::notice file=";
      append_escaped(out, source.name, ":,");
      out += "::" + std::to_string(found - diagnostics.all().size()) + " more not shown\n";
      sink_.write(out);
    }
  }

 private:
  // Percent escapes of the runner's command syntax: `%` and line ends everywhere, `extra` in properties. Other control
  // bytes become blanks, since the log is also read on a terminal.
  static void append_escaped(std::string& out, std::string_view text, std::string_view extra) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    for (const char byte : text) {
      const auto code = static_cast<unsigned char>(byte);
      if (byte == '%' || byte == '\n' || byte == '\r' || extra.find(byte) != std::string_view::npos) {
        out += '%';
        out += digits[code >> 4];
        out += digits[code & 15];
      } else {
        out += code < 0x20 || code == 0x7F ? ' ' : byte;
      }
    }
  }

  TextSink& sink_;
};

}  // namespace

std::string without_id_numbers(std::string_view message) {
  std::string text;
  bool is_number = false;  // the digits belong to an id
  for (std::size_t i = 0; i < message.size(); ++i) {
    const bool is_digit = message[i] >= '0' && message[i] <= '9';
    is_number = is_digit && (is_number || (i != 0 && message[i - 1] == '%'));
    if (!is_number) text += message[i];
    else if (text.back() == '%') text += '#';
  }
  return text;
}

LineColumn LinePlaces::locate_code_point(std::uint64_t offset) {
  LineColumn at = locate(offset);
  const std::uint64_t bytes = at.column - 1;
  if (at.line != last_line_ || bytes < last_bytes_) last_bytes_ = last_points_ = 0;
  last_line_ = at.line;
  std::string_view before = index().line(at.line).substr(0, bytes);
  for (before.remove_prefix(static_cast<std::size_t>(last_bytes_)); !before.empty(); ++last_points_) {
    before.remove_prefix(first_code_point(before).length);
  }
  last_bytes_ = bytes;
  at.column = last_points_ + 1;
  return at;
}

void RecordWriter::begin(const Diagnostic& diagnostic, const Diagnostic* in_text) {
  json_.begin_object();
  const std::optional<SourcePosition>& at = diagnostic.source;
  json_.key("file").string(at ? std::string_view(at->file) : name_);
  json_.key("severity").string(name_of(diagnostic.severity));
  json_.key("rule").string(diagnostic.rule);
  json_.key("message").string(diagnostic.message);
  const Location& in_input = in_text != nullptr ? in_text->where : diagnostic.where;
  if (at) {
    add_source(*at);
    json_.key("module").begin_object().key("file").string(name_);
    add_lines(in_input);
    json_.end_object();
  } else {
    add_lines(in_input);
  }
  add_words(diagnostic.where);
  if (!diagnostic.path.empty()) json_.key("path").string(diagnostic.path);
  if (!diagnostic.hint.empty()) json_.key("hint").string(diagnostic.hint);
  add_fix(diagnostic, in_text);
  if (diagnostic.notes.empty()) return;
  json_.key("notes").begin_array();
  for (std::size_t i = 0; i < diagnostic.notes.size(); ++i) {
    json_.begin_object().key("message").string(diagnostic.notes[i].message);
    const Note& note = diagnostic.notes[i];
    if (note.source) {
      json_.key("file").string(note.source->file);
      if (note.source->line != 0) add_source(*note.source);
    } else {
      add_lines(in_text != nullptr ? in_text->notes[i].where : note.where);
    }
    add_words(note.where);
    json_.end_object();
  }
  json_.end_array();
}

void RecordWriter::add_fix(const Diagnostic& diagnostic, const Diagnostic* in_text) {
  if (diagnostic.fix.empty()) return;
  // A text cannot express each change of words, and the disassembly of a binary has no changes.
  const bool is_in_text = in_text != nullptr && in_text->fix.size() == diagnostic.fix.size() &&
                          in_text->fix[0].where.kind == Location::Kind::Text;
  json_.key("fix").begin_array();
  for (std::size_t i = 0; i < diagnostic.fix.size(); ++i) {
    const Change& change = diagnostic.fix[i];
    const bool is_of_words = change.where.kind == Location::Kind::Words;
    json_.begin_object();
    add_lines(is_in_text ? in_text->fix[i].where : change.where);
    add_words(change.where);
    if (is_in_text) json_.key("text").string(in_text->fix[i].text);
    else if (!is_of_words) json_.key("text").string(change.text);
    if (is_of_words) {
      json_.key("changes_operands").boolean(change.is_in_instruction).key("words").begin_array();
      for (const std::uint32_t word : change.words) json_.number(word);
      json_.end_array();
    }
    json_.end_object();
  }
  json_.end_array();
}

void RecordWriter::end() { json_.end_object().end_document(); }

void RecordWriter::add_source(const SourcePosition& at) {
  json_.key("line").number(at.line);
  if (at.column != 0) json_.key("column").number(at.column);
  if (at.end_line != 0) json_.key("end_line").number(at.end_line);
  if (at.end_column != 0) json_.key("end_column").number(at.end_column);
  if (!at.text.empty()) json_.key("text").string(at.text);
}

void RecordWriter::add_lines(const Location& where) {
  if (where.kind != Location::Kind::Text) return;
  const LineColumn begin = places_.locate(where.begin);
  const LineColumn end = places_.locate(where.end);
  json_.key("line").number(begin.line).key("column").number(begin.column);
  json_.key("end_line").number(end.line).key("end_column").number(end.column);
}

void RecordWriter::add_words(const Location& where) {
  if (where.kind != Location::Kind::Words) return;
  json_.key("word_offset").number(where.begin).key("word_count").number(where.end - where.begin);
  if (where.instruction != 0) json_.key("instruction").number(where.instruction);
}

Owned<Renderer> make_json_renderer(TextSink& sink) { return Owned<Renderer>(new JsonRenderer(sink)); }
Owned<Renderer> make_sarif_renderer(const RenderOptions& options, TextSink& sink) {
  return Owned<Renderer>(new SarifRenderer(options, sink));
}
Owned<Renderer> make_github_renderer(TextSink& sink) { return Owned<Renderer>(new GithubRenderer(sink)); }

}  // namespace vireo

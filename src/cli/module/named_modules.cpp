// SPDX-License-Identifier: Apache-2.0
//
// Reads several modules, and converts places in them for people (named_modules.h).
#include "cli/module/named_modules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "spirv/rules.h"
#include "support/nearest.h"
#include "support/printable.h"
#include "vireo/spirv/text/listing.h"
#include "vireo/support/source.h"

namespace vireo::cli {
namespace {

constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

// The locations of one input, in its text or its disassembly.
class InputText {
 public:
  InputText(const NamedModule& module, const Diagnostics& in_words, const spirv::Grammar& grammar, bool only_words)
      : text_(module.bytes.text()) {
    const spirv::Words words = module.subject.words();
    if (module.subject.is_text() || only_words) {
      found_ = located_in_input(in_words, module.subject);
    } else {
      listing_.emplace(words, &grammar);
      found_ = listing_->point_into_text(in_words);
      text_ = listing_->text();
    }
    if (!in_words.all().empty()) lines_.emplace(text_);
  }

  [[nodiscard]] std::string_view text() const { return text_; }
  /// The next location, in the order in which they were given.
  [[nodiscard]] Location next() { return found_.all()[next_++].where; }
  /// The same as a position in a file.
  [[nodiscard]] SourcePosition position_of(const Location& where, std::string_view file) const {
    SourcePosition position{std::string(file)};
    if (where.kind != Location::Kind::Text) return position;
    const LineColumn begin = lines_->locate(where.begin), end = lines_->locate(where.end);
    position.line = static_cast<std::uint32_t>(begin.line);
    position.column = static_cast<std::uint32_t>(begin.column);
    position.end_line = static_cast<std::uint32_t>(end.line);
    position.end_column = static_cast<std::uint32_t>(end.column);
    position.text = lines_->line(begin.line);
    return position;
  }

 private:
  std::string_view text_;
  std::optional<spirv::Listing> listing_;
  Diagnostics found_{no_limit};
  std::optional<LineIndex> lines_;
  std::size_t next_ = 0;
};

// Reads an input. Returns the exit status.
int read_module(const Invocation& invocation, const Input& input, const spirv::Grammar& grammar, Reporter& reporter,
                NamedModule& module) {
  Diagnostics diagnostics(reporter.limit());
  module.name = input.name();
  Result<FileBytes> bytes = read_bytes(invocation.streams, input, diagnostics);
  if (bytes) module.bytes = std::move(*bytes);
  const SourceText source{module.name, module.bytes.text()};
  std::optional<Subject> subject;
  if (bytes) subject = read_subject(source, {.grammar = &grammar}, diagnostics);
  reporter.add(source, diagnostics);
  if (!bytes) return exit_status::no_file;
  if (!subject) return exit_status::wrong_input;
  module.subject = std::move(*subject);
  return exit_status::fine;
}

}  // namespace

int read_modules(const Invocation& invocation, const spirv::Grammar& grammar, Reporter& reporter,
                 std::deque<NamedModule>& modules, std::vector<RepeatedInput>& repeated) {
  constexpr std::string_view extensions[] = {".spv", ".spvasm"};
  int status = exit_status::fine;
  for (const Input& input : expand_inputs(invocation.operands(), extensions, invocation.streams.in, &repeated)) {
    status = std::max(status, read_module(invocation, input, grammar, reporter, modules.emplace_back()));
  }
  return status;
}

void report_unknown_entry_point(std::string_view subject, std::string_view name, std::vector<std::string_view> known,
                                Diagnostics& diagnostics) {
  std::ranges::sort(known);
  known.erase(std::unique(known.begin(), known.end()), known.end());
  diagnostics.error(spirv::rule::unknown_function, Location::none(),
                    fmt::format("{} no entry point {}", subject, quoted(name)),
                    known.empty() ? std::string() : expected_one_of(known, name));
}

void report_places(const Diagnostics& found, const std::deque<NamedModule>& modules, const spirv::Grammar& grammar,
                   bool only_words, Reporter& reporter) {
  if (found.all().empty()) return;
  // The locations of each input, as diagnostics that are nothing else.
  std::vector<Diagnostics> places(modules.size(), Diagnostics(no_limit));
  for (const Diagnostic& each : found.all()) {
    places[each.where.input].report({.rule = "", .where = each.where});
    for (const Note& note : each.notes) places[note.where.input].report({.rule = "", .where = note.where});
  }
  std::deque<InputText> texts;
  for (std::size_t i = 0; i < modules.size(); ++i) texts.emplace_back(modules[i], places[i], grammar, only_words);

  std::vector<Diagnostics> reports(modules.size(), Diagnostics(no_limit));
  for (Diagnostic each : found.all()) {
    const std::uint32_t input = each.where.input;
    each.where = texts[input].next();
    for (Note& note : each.notes) {
      const std::uint32_t other = note.where.input;
      const Location where = texts[other].next();
      if (other != input) note.source = texts[other].position_of(where, modules[other].name);
      else note.where = where;
    }
    reports[input].report(std::move(each));
  }
  for (std::size_t i = 0; i < modules.size(); ++i) {
    reports[i].sort_by_place();
    reporter.add({modules[i].name, texts[i].text()}, reports[i]);
  }
}

}  // namespace vireo::cli

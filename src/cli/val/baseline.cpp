// SPDX-License-Identifier: Apache-2.0
//
// Reads, compares and writes records of known findings (baseline.h).
#include "cli/val/baseline.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "cli/common/inputs.h"
#include "spirv/rules.h"
#include "support/io.h"
#include "support/json.h"
#include "support/json_writer.h"
#include "support/render/render_machine.h"
#include "vireo/spirv/validate/validate.h"
#include "vireo/support/text_writer.h"

namespace vireo::cli {

// The folder of an input is not part of the key: the same file may be named by different paths.
Baseline::Key Baseline::key_of(const Diagnostic& diagnostic, std::string_view file, const FindingContext* context) {
  return {std::string(file.substr(file.rfind('/') + 1)), std::string(diagnostic.rule),
          context == nullptr ? std::string() : context->function_of(diagnostic.where),
          without_id_numbers(diagnostic.message)};
}

std::set<std::string> Baseline::consequences_of(const Diagnostic& diagnostic) {
  std::set<std::string> messages;
  for (const Note& note : diagnostic.notes) {
    if (note.is_consequence) messages.insert(without_id_numbers(note.message));
  }
  return messages;
}

Result<Baseline> Baseline::read(const SourceText& text, Diagnostics& diagnostics) {
  Baseline baseline;
  Diagnostics found;
  for (std::size_t begin = 0; begin < text.text.size();) {
    const std::size_t end = std::min(text.text.find('\n', begin), text.text.size());
    const std::string_view line = text.text.substr(begin, end - begin);
    JsonFault fault;
    const std::optional<JsonDocument> document = line.empty() ? std::nullopt : JsonDocument::parse(line, fault);
    const std::optional<std::int64_t> count = document ? document->root().find("count").integer() : std::nullopt;
    if (document && count && *count > 0 && document->root().find("message").is(JsonType::String)) {
      const JsonValue record = document->root();
      const auto field = [&](std::string_view name) { return std::string(record.find(name).text()); };
      const auto add = [&](std::string_view rule) {
        Known& known = baseline.known_[{field("file"), std::string(rule), field("function"), field("message")}];
        known.count += static_cast<std::size_t>(*count);
        for (const JsonValue message : record.find("consequences").elements())
          known.consequences.emplace(message.text());
      };
      const std::string rule = field("rule");
      add(rule);
      // The message tells which of the rules with this old name the record is about.
      for (const spirv::RenamedRule& renamed : spirv::renamed_rules()) {
        if (renamed.old_name == rule) add(renamed.name);
      }
    } else if (!line.empty()) {
      found.error(spirv::rule::baseline_record, Location::in_text(begin, end),
                  "expected a record that --write-baseline wrote");
    }
    begin = end + 1;
  }
  if (!found.has_errors()) return baseline;
  Reported reported = diagnostics.report(found.all().front());
  for (std::size_t i = 1; i < found.all().size(); ++i) reported = diagnostics.report(found.all()[i]);
  return reported;
}

Diagnostics Baseline::without_known(const Diagnostics& found, std::string_view file, const FindingContext* context,
                                    std::size_t limit) const {
  Diagnostics left(limit);
  std::map<Key, std::size_t> seen;
  for (const Diagnostic& diagnostic : found.all()) {
    Key key = key_of(diagnostic, file, context);
    const auto known = known_.find(key);
    if (known != known_.end() && std::ranges::includes(known->second.consequences, consequences_of(diagnostic)) &&
        ++seen[std::move(key)] <= known->second.count) {
      continue;
    }
    left.report(diagnostic);
  }
  return left;
}

void Baseline::record(const Diagnostics& found, std::string_view file, const FindingContext* context) {
  for (const Diagnostic& diagnostic : found.all()) {
    Known& known = known_[key_of(diagnostic, file, context)];
    ++known.count;
    known.consequences.merge(consequences_of(diagnostic));
  }
}

std::string Baseline::text() const {
  StringSink sink;
  JsonWriter json(sink);
  // In the order of the keys: a new version of the file differs only where findings changed.
  for (const auto& [key, known] : known_) {
    json.begin_object();
    json.key("file").string(key.file).key("rule").string(key.rule);
    if (!key.function.empty()) json.key("function").string(key.function);
    json.key("message").string(key.message);
    if (!known.consequences.empty()) {
      json.key("consequences").begin_array();
      for (const std::string& message : known.consequences) json.string(message);
      json.end_array();
    }
    json.key("count").number(known.count);
    json.end_object().end_document();
  }
  json.flush();
  return std::move(sink).text();
}

int read_baseline(const Invocation& invocation, Reporter& reporter, std::optional<Baseline>& baseline) {
  if (!invocation.options.has(baseline_option)) return exit_status::fine;
  const std::string_view path = invocation.options.value(baseline_option);
  const std::optional<FileBytes> bytes = read_input(invocation, path, reporter);
  if (!bytes) return exit_status::no_file;
  const SourceText file{name_of_input(path), bytes->text()};
  Diagnostics diagnostics(reporter.limit());
  Result<Baseline> read = Baseline::read(file, diagnostics);
  reporter.add(file, diagnostics);
  if (!read) return exit_status::wrong_input;
  baseline.emplace(std::move(read).value());
  return exit_status::fine;
}

int write_baseline(const Invocation& invocation, const Baseline& baseline, Reporter& reporter) {
  const std::string_view path = invocation.options.value(write_baseline_option);
  if (path == "-") return print(invocation.streams, baseline.text());
  Diagnostics diagnostics;
  OutputFile file(path);
  file.write(baseline.text());
  const bool is_written = file.commit(diagnostics);
  reporter.add({"vireo", ""}, diagnostics);
  return is_written ? exit_status::fine : exit_status::no_file;
}

}  // namespace vireo::cli

// SPDX-License-Identifier: Apache-2.0
//
// vireo isa check: reports the faults and warnings of descriptions of instruction sets.
//
// No output means no fault. The findings of the loader and of the checks form one list per file, imported
// files included, in the order of the file. Only the assembler's round-trip report is a table of its own.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "cli/isa/isa_inputs.h"
#include "support/json_writer.h"
#include "vireo/isa/check.h"

namespace vireo::cli {
namespace {

constexpr Option checked_gen_option =
    gen_option.with("check only this generation (all)",
                    "The number used by the gen elements of the description: 600 for ir3, 7 for afuc.");
constexpr Flag assembler_option(
    "--assembler", "also report how the texts of each leaf assemble",
    "A table on standard output, or JSON Lines with --format=json. Words of each leaf, with every field at its extreme "
    "values, are printed and assembled again. 'exact': every text gives its word; 'text': some give another word with "
    "the same text; 'broken': some text does not assemble; 'never': the description excludes the leaf from assembly.");

constexpr auto isa_check_options =
    option_list(checked_gen_option, mesa_compat_option, assembler_option, format_and_reporting_options);

// --- the round-trip report of --assembler -----------------------------------------------------------------------------

constexpr std::array<std::string_view, 4> round_trips = {"exact", "text", "broken", "never"};

// Words, not symbols, so that they can be found with grep; the JSON uses them too.
std::string_view name_of(isa::LeafRoundTrip::RoundTrip round_trip) {
  return round_trips[static_cast<std::size_t>(round_trip)];
}

// Columns count bytes: the names of leaves are ASCII in all known descriptions.
std::string padded(std::string text, std::size_t width) {
  text.append(width > text.size() ? width - text.size() : 0, ' ');
  return text;
}

std::string right(std::size_t number, std::size_t width) {
  const std::string digits = std::to_string(number);
  return std::string(width > digits.size() ? width - digits.size() : 0, ' ') + digits;
}

// The leaf, and its case if that is not the default.
std::string side(const isa::Model& model, isa::BitsetId leaf, isa::CaseId display) {
  std::string text(model.text(model[leaf].name));
  if (!display) return text;
  const isa::Case& row = model[display];
  if (!row.is_default()) text += " where " + std::string(model[row.condition].text);
  return text;
}

// The evidence: two words with the same text, in the notation of `isa explain`.
void write_words(JsonWriter& json, const isa::Bits& first, const isa::Bits& second) {
  json.begin_array().string(to_hex(first)).string(to_hex(second)).end_array();
}

// A table for people: the round-trip result of each leaf, the fields that its texts do not show, and ambiguous texts. It
// has the facts that the author of the description can act on; the evidence, words with the same text, is in the
// diagnostics and in the JSON.
std::string survey_table(const isa::Model& model, const isa::RoundTripReport& survey) {
  std::size_t width = 4;
  for (const isa::LeafRoundTrip& row : survey.leaves) width = std::max(width, model.text(model[row.leaf].name).size());
  // The first column is as wide as the longest name. Fields come last, as there may be any number of them.
  std::string text = padded("leaf", width) + "  trip    words  not determined by its texts\n";
  std::array<std::size_t, 4> counts{};
  for (const isa::LeafRoundTrip& row : survey.leaves) {
    ++counts[static_cast<std::size_t>(row.round_trip)];
    std::string line = padded(std::string(model.text(model[row.leaf].name)), width) + "  " +
                       padded(std::string(name_of(row.round_trip)), 6) + "  " + right(row.words, 5) + "  ";
    for (const isa::LeafRoundTrip::Lost& lost : row.lost) {
      const isa::Field& field = model[lost.field];
      line += std::string(model.text(field.name)) + (lost.has_default ? " (has a default) " : " ");
    }
    if (row.refused != 0)
      line += std::to_string(row.refused) + " not assembled, such as " + to_hex(row.refused_word) + ' ';
    // No trailing blanks: the table is kept in files and compared.
    while (line.ends_with(' ')) line.pop_back();
    text += line + '\n';
  }
  text += '\n' + std::to_string(survey.leaves.size()) + " leaves:";
  for (std::size_t i = 0; i < counts.size(); ++i)
    text += (i == 0 ? " " : ", ") + std::to_string(counts[i]) + ' ' + std::string(round_trips[i]);
  text += '\n';
  if (!survey.is_complete) text += "the limit of words was reached: the last leaves were tested with few words\n";
  if (!survey.pairs.empty()) text += "\ntexts with two meanings; the first is chosen\n";
  for (const isa::EqualTexts& pair : survey.pairs) {
    text += "  " + side(model, pair.first_leaf, pair.first_display) + " | " +
            side(model, pair.second_leaf, pair.second_display) + ": " + pair.text +
            (pair.is_settled ? " (marked in the description)\n" : "\n");
  }
  return text;
}

// The same as JSON Lines: a record for each leaf, then one for each pair.
void write_survey(const isa::Model& model, const isa::RoundTripReport& survey, TextSink& sink) {
  JsonWriter json(sink);
  for (const isa::LeafRoundTrip& row : survey.leaves) {
    json.begin_object().key("leaf").string(model.text(model[row.leaf].name)).key("gen").number(row.gen);
    json.key("round_trip").string(name_of(row.round_trip)).key("words").number(row.words);
    json.key("lost").begin_array();
    for (const isa::LeafRoundTrip::Lost& lost : row.lost) {
      json.begin_object().key("field").string(model.text(model[lost.field].name));
      json.key("has_default").boolean(lost.has_default).key("words");
      write_words(json, lost.word, lost.assembled);
      json.end_object();
    }
    json.end_array().key("refused").number(row.refused);
    if (row.refused != 0) json.key("refused_word").string(to_hex(row.refused_word));
    json.end_object().end_document();
  }
  // These records are recognised by their `text`.
  for (const isa::EqualTexts& pair : survey.pairs) {
    json.begin_object().key("text").string(pair.text).key("sides").begin_array();
    json.string(side(model, pair.first_leaf, pair.first_display));
    json.string(side(model, pair.second_leaf, pair.second_display)).end_array().key("words");
    write_words(json, pair.chosen, pair.other);
    json.key("is_settled").boolean(pair.is_settled).end_object().end_document();
  }
}

// --- the command ------------------------------------------------------------------------------------------------------

int check_description(const Invocation& invocation, std::string_view path, Reporter& reporter) {
  const isa::LoadedModel loaded = load_description(invocation, path);
  isa::CheckOptions options;
  options.mesa_compat = invocation.options.has(mesa_compat_option);
  if (invocation.options.has(gen_option)) options.gen = generation_of(invocation.options);
  options.checks_round_trips = invocation.options.has(assembler_option);
  const isa::CheckReport report = isa::check(loaded, options);

  // A missing file has status 3, a faulty one 1.
  int status = report.ok() ? exit_status::fine : exit_status::wrong_input;
  for (std::size_t i = 0; i < loaded.files.size(); ++i) {
    Diagnostics kept(reporter.limit());
    for (const Diagnostic& diagnostic : report.files[i].all()) {
      kept.report(diagnostic);
      if (diagnostic.rule == rule::cannot_read) status = exit_status::no_file;
    }
    reporter.add({loaded.files[i].name, loaded.files[i].text}, kept);
  }
  if (!report.assembly) return status;
  StringSink text;
  if (invocation.options.value(format_option) == "json") write_survey(loaded.model, *report.assembly, text);
  else text.write(survey_table(loaded.model, *report.assembly));
  return std::max(status, print(invocation.streams, text.text()));
}

int run_isa_check(const Invocation& invocation) {
  if (invocation.operands().empty()) return usage_error(invocation, "expected a description");
  Reporter reporter(invocation);
  // Each description is checked separately: two descriptions may use the same names.
  int status = exit_status::fine;
  for (const std::string_view path : invocation.operands())
    status = std::max(status, check_description(invocation, path, reporter));
  return status;
}

}  // namespace

constinit const Command isa_check_command(
    "isa check", "SPEC...", "check an XML description of an instruction set",
    "Reports the errors of a description in the isaspec language with their locations: syntax errors; leaves that "
    "match the same word, with such a word; leaves that are never chosen; unknown names; overrides that never apply; "
    "displays that cannot be distinguished. 'vireo explain RULE' describes a rule. Warnings alone do not fail the "
    "check.",
    "vireo isa check ir3.xml\n"
    "vireo isa check --gen 600 --format=short ir3.xml\n"
    "vireo isa check --assembler ir3.xml",
    "xml", isa_check_options, run_isa_check, {.only_reports = true});

}  // namespace vireo::cli

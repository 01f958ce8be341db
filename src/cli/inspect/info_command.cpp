// SPDX-License-Identifier: Apache-2.0
//
// vireo info: prints the properties of modules as a page, a table, CSV or JSON Lines.
//
// A thread reads one input and keeps only the text of its row, so memory does not grow with the modules.
// Rows that are neither sorted nor aligned are written at once.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/common/all_commands.h"
#include "cli/common/batch.h"
#include "cli/common/inputs.h"
#include "cli/common/output.h"
#include "cli/common/report.h"
#include "cli/common/shared_options.h"
#include "cli/module/module_options.h"
#include "cli/module/subject.h"
#include "support/io.h"
#include "support/json_writer.h"
#include "support/nearest.h"
#include "support/parallel.h"
#include "support/printable.h"
#include "support/text_table.h"
#include "vireo/spirv/inspect/condition.h"
#include "vireo/spirv/inspect/info_fields.h"
#include "vireo/spirv/inspect/module_info.h"

namespace vireo::cli {
namespace {

using spirv::InfoField;

constexpr TextOption where_option(
    "--where=COND", "only modules that satisfy a condition",
    "Comparisons FIELD OPERATOR VALUE, joined by 'and', 'or', 'not' and parentheses. Operators are = != < <= > >= and, "
    "for texts and lists, ~ (contains). A list is equal to each of its elements.");
constexpr TextOption columns_option("--columns=FIELD,...", "fields to print, in this order",
                                    "For tables, csv and json. By default json prints all fields.",
                                    {.words = "fields"});
constexpr TextOption sort_option("--sort=FIELD", "sort by a field; --sort=-FIELD: largest first", "",
                                 {.words = "fields"});
constexpr Flag fields_option("--fields", "list the fields with their types and meanings");
constexpr Option info_format_option = format_with(
    "page|table|csv|json", "output format (page or table)",
    "By default one input gives a page, several give a table. json prints one object for each input on a line.");
constexpr Option info_output_option =
    output_option.with("write to FILE; '-' is standard output", "FILE is written also if inputs have faults.");

constexpr auto info_options = option_list(where_option, columns_option, sort_option, fields_option, info_format_option,
                                          info_output_option, jobs_option, grammar_option, reporting_options);

// Columns of a table without --columns: what distinguishes the modules of a folder.
constexpr std::string_view default_columns = "file,version,bytes,instructions,functions,blocks,model,generator";

enum class Form : std::uint8_t { Page, Table, Csv, Json };

struct Request {
  Form form = Form::Page;
  std::vector<const InfoField*> columns;  // empty: all, for JSON
  const InfoField* sort = nullptr;
  bool is_descending = false;
  std::optional<spirv::Condition> condition;
};

// The result of one input.
struct Row {
  int status = exit_status::fine;
  FileBytes bytes;  // diagnostics show its lines
  Diagnostics diagnostics;
  bool is_selected = false;
  std::string text;                // Page, Csv, Json
  std::vector<std::string> cells;  // Table
  spirv::FieldValue key;           // of --sort
};

// --- options --------------------------------------------------------------------------------------------------------

std::string unknown_field(std::string_view name) {
  return "unknown field " + quoted(name) + "; 'vireo info --fields' lists them" +
         suggestion(spirv::nearest_info_field(name));
}

// Returns the problem; empty: none.
std::string choose_columns(std::string_view names, std::vector<const InfoField*>& columns) {
  while (true) {
    const std::string_view name = names.substr(0, names.find(','));
    const InfoField* field = spirv::find_info_field(name);
    if (field == nullptr) return unknown_field(name);
    columns.push_back(field);
    if (name.size() == names.size()) return {};
    names.remove_prefix(name.size() + 1);
  }
}

// --format, otherwise a page for a single module and a table for a set.
Form form_of(const ParsedOptions& options, std::size_t input_count) {
  const std::string_view name = options.value(format_option);
  if (name == "page") return Form::Page;
  if (name == "csv") return Form::Csv;
  if (name == "json") return Form::Json;
  if (name == "table") return Form::Table;
  const auto& operands = options.operands();
  // A directory or a list is a set of modules, even if it has only one.
  const bool is_set = operands.size() == 1 && (operands.front().starts_with('@') || is_directory(operands.front()));
  const bool wants_rows = options.has(where_option) || options.has(columns_option) || options.has(sort_option);
  return input_count == 1 && !is_set && !wants_rows ? Form::Page : Form::Table;
}

// Returns the exit status; usage errors are printed.
int read_request(const Invocation& invocation, const spirv::Grammar& grammar, Reporter& reporter,
                 std::size_t input_count, Request& request) {
  const ParsedOptions& options = invocation.options;
  request.form = form_of(options, input_count);
  if (options.has(columns_option) && request.form == Form::Page) {
    return usage_error(invocation, "--columns needs --format=table, csv or json");
  }
  if (options.has(columns_option) || request.form != Form::Json) {
    const std::string problem = choose_columns(options.value(columns_option, default_columns), request.columns);
    if (!problem.empty()) return usage_error(invocation, "--columns: " + problem);
  }
  if (options.has(sort_option)) {
    std::string_view name = options.value(sort_option);
    request.is_descending = name.starts_with('-');
    if (request.is_descending) name.remove_prefix(1);
    request.sort = spirv::find_info_field(name);
    if (request.sort == nullptr) return usage_error(invocation, "--sort: " + unknown_field(name));
  }
  if (options.has(where_option)) {
    const std::string_view text = options.value(where_option);
    Diagnostics diagnostics(reporter.limit());
    Result<spirv::Condition> condition = spirv::parse_condition(text, diagnostics, grammar);
    reporter.add({"--where", text}, diagnostics);
    if (!condition) return exit_status::usage;
    request.condition = std::move(*condition);
  }
  return exit_status::fine;
}

// --- one input ------------------------------------------------------------------------------------------------------

// Reads the properties of a binary, or of a text, whose faults get locations in the text.
std::optional<spirv::ModuleInfo> read_info(const SourceText& input, const spirv::Grammar& grammar,
                                           Diagnostics& diagnostics) {
  if (!looks_like_assembly(input.text)) {
    const Result<spirv::ModuleWords> words = spirv::read_whole_words(input.text, diagnostics);
    if (!words) return std::nullopt;
    const auto incomplete = static_cast<std::uint32_t>(diagnostics.error_count());  // bytes after the last word
    Result<spirv::ModuleInfo> info = spirv::read_module_info(words->words(), diagnostics, grammar);
    if (info) info->faults += incomplete;
    return info ? std::optional(std::move(*info)) : std::nullopt;
  }
  const std::optional<Subject> subject = read_subject(input, {.grammar = &grammar}, diagnostics);
  if (!subject) return std::nullopt;
  Diagnostics found;
  Result<spirv::ModuleInfo> info = spirv::read_module_info(subject->words(), found, grammar);
  report_in_input(found, *subject, diagnostics);
  return info ? std::optional(std::move(*info)) : std::nullopt;
}

void append_csv(std::string& line, std::string_view cell) {
  if (cell.find_first_of(",\"\r\n") == std::string_view::npos) {
    line += cell;
    return;
  }
  // RFC 4180: a quote within quotes is doubled.
  line += '"';
  for (const char c : cell) line.append(c == '"' ? 2 : 1, c);
  line += '"';
}

// One record of RFC 4180, with a line feed as in other text files.
std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (c != 0) line += ',';
    append_csv(line, cells[c]);
  }
  return line + '\n';
}

// The elements of a list are separated by ';' in CSV, because extensions and names rarely contain it.
std::vector<std::string> cells_of(const spirv::ModuleInfo& info, const Request& request) {
  std::vector<std::string> cells;
  for (const InfoField* field : request.columns) {
    std::string cell = spirv::text_of(field->value(info), request.form == Form::Csv ? ";" : ", ");
    if (request.form == Form::Table) {
      std::string shown;
      append_printable(shown, cell);
      cell = std::move(shown);
    }
    cells.push_back(std::move(cell));
  }
  return cells;
}

// Fills the text or the cells of a row.
void print_row(const spirv::ModuleInfo& info, const Request& request, Row& row) {
  StringSink text;
  switch (request.form) {
    case Form::Page: spirv::write_info_page(info, text); break;
    case Form::Table: row.cells = cells_of(info, request); break;
    case Form::Csv: text.write(csv_line(cells_of(info, request))); break;
    case Form::Json:
      if (request.columns.empty()) spirv::write_info_json(info, text);
      else spirv::write_info_json(info, request.columns, text);
      break;
  }
  row.text = std::move(text).text();
}

// --- all inputs -----------------------------------------------------------------------------------------------------

// Reads all inputs and writes the output. Unlike run_batch (batch.h), all inputs share one output.
class InfoCommand {
 public:
  InfoCommand(const Invocation& invocation, const Request& request, const spirv::Grammar& grammar, Reporter& reporter)
      : invocation_(invocation), request_(request), grammar_(grammar), reporter_(reporter) {}

  int run(const std::vector<Input>& inputs) {
    if (invocation_.options.value(output_option, "-").empty())
      return usage_error(invocation_, "-o needs the name of a file");
    CommandOutput out(invocation_);
    const int status = write_all(inputs, out);
    Diagnostics diagnostics;
    const bool is_written = out.commit(diagnostics);
    reporter_.add({"vireo", ""}, diagnostics);
    return is_written ? status : exit_status::no_file;
  }

 private:
  // Called on any thread. An input that cannot be read has no row; one with faults has a row and status 1.
  Row read(const Input& input) const {
    Row row;
    row.diagnostics = Diagnostics(reporter_.limit());
    Result<FileBytes> bytes = read_bytes(invocation_.streams, input, row.diagnostics);
    if (!bytes) {
      row.status = exit_status::no_file;
      return row;
    }
    row.bytes = std::move(*bytes);
    std::optional<spirv::ModuleInfo> info = read_info({input.name(), row.bytes.text()}, grammar_, row.diagnostics);
    if (!info || row.diagnostics.has_errors()) row.status = exit_status::wrong_input;
    row.diagnostics.sort_by_place();
    if (row.diagnostics.all().empty()) row.bytes = {};
    if (!info) return row;
    info->file = input.name();
    row.is_selected = !request_.condition || request_.condition->matches(*info);
    if (!row.is_selected) return row;
    if (request_.sort != nullptr) row.key = request_.sort->value(*info);
    print_row(*info, request_, row);
    return row;
  }

  int write_all(const std::vector<Input>& inputs, CommandOutput& output) {
    TextSink& out = output.sink();
    const bool keeps_rows = request_.sort != nullptr || request_.form == Form::Table;
    std::vector<Row> kept;
    int status = exit_status::fine;
    bool is_first = true;
    const auto write = [&](const Row& row) {
      if (request_.form == Form::Page && !is_first) out.write("\n");
      is_first = false;
      out.write(row.text);
    };
    if (request_.form == Form::Csv) out.write(csv_line(headings()));
    deliver_in_order<Row>(
        inputs.size(), thread_count(invocation_.options, inputs.size()), [&](std::size_t i) { return read(inputs[i]); },
        [&](std::size_t i, Row& row) {
          status = std::max(status, row.status);
          if (!row.diagnostics.all().empty()) {
            output.flush();  // keeps output and diagnostics in order if both go to a terminal
            reporter_.add({inputs[i].name(), row.bytes.text()}, row.diagnostics);
          }
          if (!row.is_selected) return;
          if (!keeps_rows) return write(row);
          row.bytes = {};
          kept.push_back(std::move(row));
        });
    if (request_.sort != nullptr) sort(kept);
    if (request_.form == Form::Table) {
      out.write(table_of(kept));
    } else {
      for (const Row& row : kept) write(row);
    }
    return status;
  }

  // Equal rows keep the order of the inputs.
  void sort(std::vector<Row>& rows) const {
    std::ranges::stable_sort(
        rows, [&](const Row& a, const Row& b) { return request_.is_descending ? b.key < a.key : a.key < b.key; });
  }

  [[nodiscard]] std::vector<std::string> headings() const {
    std::vector<std::string> names;
    for (const InfoField* field : request_.columns) names.emplace_back(field->name);
    return names;
  }

  [[nodiscard]] std::string table_of(std::vector<Row>& rows) const {
    std::vector<TextTable::Column> columns;
    for (const InfoField* field : request_.columns) {
      columns.push_back({field->name, field->type == spirv::FieldType::Number});
    }
    TextTable table(std::move(columns));
    for (Row& row : rows) table.add(std::move(row.cells));
    std::string text;
    table.append_to(text);
    return text;
  }

  const Invocation& invocation_;
  const Request& request_;
  const spirv::Grammar& grammar_;
  Reporter& reporter_;
};

// The table of fields, as text or as JSON Lines.
int list_fields(const Invocation& invocation) {
  if (!invocation.operands().empty()) return usage_error(invocation, "--fields takes no input");
  if (invocation.options.value(format_option) == "json") {
    StringSink sink;
    JsonWriter json(sink);
    for (const InfoField& field : spirv::info_fields()) {
      json.begin_object().key("field").string(field.name).key("type").string(spirv::name_of(field.type));
      json.key("meaning").string(field.meaning).end_object().end_document();
    }
    json.flush();
    return print(invocation.streams, sink.text());
  }
  TextTable table({{"field"}, {"type"}, {"meaning"}});
  for (const InfoField& field : spirv::info_fields()) {
    table.add({std::string(field.name), std::string(spirv::name_of(field.type)), std::string(field.meaning)});
  }
  std::string text;
  table.append_to(text);
  return print(invocation.streams, text);
}

int run_info(const Invocation& invocation) {
  if (invocation.options.has(fields_option)) return list_fields(invocation);
  Reporter reporter(invocation);
  ChosenGrammar chosen;
  if (const int status = chosen.load(invocation, reporter); status != exit_status::fine) return status;
  constexpr std::string_view extensions[] = {".spv", ".spvasm"};
  const std::vector<Input> inputs = expand_inputs(invocation.operands(), extensions, invocation.streams.in);
  Request request;
  if (const int status = read_request(invocation, chosen.grammar(), reporter, inputs.size(), request);
      status != exit_status::fine) {
    return status;
  }
  return InfoCommand(invocation, request, chosen.grammar(), reporter).run(inputs);
}

}  // namespace

constinit const Command info_command(
    "info", any_inputs, "print the properties of SPIR-V modules",
    "Prints sizes, declarations, entry points, functions, and opcodes by frequency: a page for one module, a table "
    "with a row for each of several. --where selects modules by their properties; --fields lists these. Modules are "
    "not validated; of a broken module everything is counted that can be read, and the faults are reported.\n\n"
    "The input is a binary or assembly text. A directory means every *.spv and *.spvasm file below it; @LIST is a file "
    "with one input per line.",
    "vireo info shader.spv\n"
    "vireo info --where 'bytes > 10000 and capability = Kernel' --sort=-bytes modules/\n"
    "vireo info --columns file,version,local_size --format=csv modules/",
    "spv|spvasm", info_options, run_info);

}  // namespace vireo::cli

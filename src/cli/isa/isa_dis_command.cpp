// SPDX-License-Identifier: Apache-2.0
//
// vireo isa dis: disassembles a whole program or, with --each, every word by itself.
//
// The one idea: with --each every input line gives one output line, so outputs can be compared with inputs side by
// side. A whole program has labels and consecutive addresses.
#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/isa/isa_inputs.h"
#include "cli/isa/isa_output.h"

namespace vireo::cli {
namespace {

// NAME=OFFSET. Split at the last sign, since names of functions may contain one (operator=), and numbers do not.
std::optional<isa::EntryPoint> entry_point(std::string_view text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string_view::npos || equals == 0) return std::nullopt;
  isa::EntryPoint result{std::string(text.substr(0, equals)), 0};
  const std::string_view digits = text.substr(equals + 1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), result.offset);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return result;
}

// Reuses the memory of one line, since a file may have millions.
class WordPrinter {
 public:
  WordPrinter(const isa::Model& model, isa::Printer& printer, TextSink& sink)
      : model_(model), printer_(printer), sink_(sink) {}

  // One output line for every input line.
  void line(std::string_view text) {
    text = without_blanks(text);
    const std::uint32_t bits = bits_of_line(model_, text);
    line_.clear();
    if (const std::optional<isa::Bits> word = isa::parse_hex(text, bits)) {
      printer_.print_word(word->words(), bits, line_);
    } else {
      line_ = "error: expected a hexadecimal number of at most " + std::to_string(isa::hex_digits(bits)) + " digits";
    }
    line_.push_back('\n');
    sink_.write(line_);
  }

  // Decodes units, not instructions: instruction boundaries are unknown without the preceding words. An incomplete last
  // unit is ignored.
  void bytes(std::string_view bytes) {
    const std::size_t unit = model_.unit_bits() / 8;
    for (; bytes.size() >= unit; bytes.remove_prefix(unit)) {
      isa::Bits word(model_.unit_bits());
      for (std::size_t i = 0; i < unit; ++i)
        word.data()[i / 8] |= isa::BitWord{static_cast<unsigned char>(bytes[i])} << i % 8 * 8;
      line_.clear();
      printer_.print_word(word.words(), word.width(), line_);
      line_.push_back('\n');
      sink_.write(line_);
    }
  }

 private:
  const isa::Model& model_;
  isa::Printer& printer_;
  TextSink& sink_;
  std::string line_;
};

}  // namespace

int run_isa_dis(const Invocation& invocation) {
  const ParsedOptions& options = invocation.options;
  const std::string_view path = second_input(invocation);
  if (invocation.operands().empty() || invocation.operands().size() > 2)
    return usage_error(invocation, "expected a description and an input");
  if (path == standard_input && invocation.operands().front() == standard_input)
    return usage_error(invocation, "standard input is the description; expected a file as input");
  // The command line is checked completely before a file is opened.
  isa::PrintOptions style;
  style.show_errors = !options.has(OptionId::NoErrors);
  style.branch_labels = options.has(OptionId::Labels);
  style.max_errors =
      static_cast<std::uint32_t>(std::min<std::size_t>(options.count(OptionId::MaxErrors, 0), ~std::uint32_t{0}));
  style.float_style = float_style_of(options);
  for (const std::string_view value : options.values(OptionId::EntryPoint)) {
    std::optional<isa::EntryPoint> entry = entry_point(value);
    if (!entry)
      return usage_error(invocation, "option '--entrypoint' needs NAME=OFFSET, found '" + std::string(value) + "'");
    style.entry_points.push_back(std::move(*entry));
  }

  Reporter reporter(invocation);
  int status = exit_status::fine;
  const std::unique_ptr<OpenDescription> open = open_description(invocation, reporter, status);
  if (!open) return status;
  style.listener = &open->names;
  const std::optional<FileBytes> input = read_input(invocation, path, reporter);
  if (!input) return exit_status::no_file;

  Diagnostics diagnostics(reporter.limit());
  isa::Printer printer(open->decoder, std::move(style));

  IsaOutput output(invocation);
  TextSink& sink = output.sink();
  const bool is_hex = options.has(OptionId::Hex);
  const std::string_view source = is_hex ? text_of(*input) : input->text();
  // With --each the faults of lines are output lines; for a program they are diagnostics.
  if (options.has(OptionId::Each)) {
    WordPrinter words(open->model, printer, sink);
    std::string_view text = source;
    if (!is_hex) words.bytes(text);
    while (is_hex && !text.empty()) words.line(next_line(text));
  } else if (is_hex) {
    printer.print(bytes_of_hex(open->model, source, diagnostics), sink);
  } else {
    printer.print(source, sink);
  }
  status = output.finish(diagnostics);
  reporter.add({name_of_input(path), source}, diagnostics);
  return status;
}

}  // namespace vireo::cli

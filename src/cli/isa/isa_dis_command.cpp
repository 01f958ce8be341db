// SPDX-License-Identifier: Apache-2.0
//
// vireo isa dis: disassembles a whole program or, with --each, every word by itself.
//
// With --each every input line gives one output line, so outputs can be compared with inputs side by
// side. A whole program has labels and consecutive addresses.
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "cli/isa/isa_inputs.h"

namespace vireo::cli {
namespace {

constexpr Flag labels_option("--labels", "print branch targets as labels");
constexpr TextOption entry_point_option("--entrypoint=NAME=OFFSET", "name the instruction at OFFSET; may be repeated",
                                        "Shown with --labels.");
constexpr Flag no_errors_option("--no-errors", "do not print the faults of words");
constexpr Option isa_max_errors_option =
    max_errors_option.with("stop after more than N bad instructions in a row", "0 means never.");

constexpr auto isa_dis_options =
    option_list(gen_option, hex_option, each_option, labels_option, entry_point_option, no_errors_option,
                isa_max_errors_option, mesa_compat_option, names_option, floats_option, output_option, format_option,
                diagnostics_format_option, color_option, no_color_option, help_options);

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

int run_isa_dis(const Invocation& invocation) {
  const ParsedOptions& options = invocation.options;
  if (const std::string_view problem = problem_of_two_inputs(invocation); !problem.empty())
    return usage_error(invocation, problem);
  // The command line is checked completely before a file is opened.
  isa::PrintOptions style;
  style.show_errors = !options.has(no_errors_option);
  style.branch_labels = options.has(labels_option);
  style.max_errors = options.count_up_to_max(max_errors_option, 0);
  style.float_style = float_style_of(options);
  for (const std::string_view value : options.values(entry_point_option)) {
    std::optional<isa::EntryPoint> entry = entry_point(value);
    if (!entry)
      return usage_error(invocation, "option '--entrypoint' needs NAME=OFFSET, found '" + std::string(value) + "'");
    style.entry_points.push_back(std::move(*entry));
  }

  return run_with_decoder(invocation, true, [&](DecoderRun& run) {
    style.listener = &run.open.names;
    isa::Printer printer(run.open.decoder, std::move(style));
    const bool is_hex = options.has(hex_option);
    std::string_view text = is_hex ? text_of(run.input) : run.input.text();
    // With --each the faults of lines are output lines; for a program they are diagnostics.
    if (options.has(each_option)) {
      WordPrinter words(run.open.model, printer, run.output);
      if (!is_hex) words.bytes(text);
      while (is_hex && !text.empty()) words.line(next_line(text));
    } else if (is_hex) {
      printer.print(bytes_of_hex(run.open.model, text, run.diagnostics), run.output);
    } else {
      printer.print(text, run.output);
    }
  });
}

}  // namespace

constinit const Command isa_dis_command(
    "isa dis", "SPEC [FILE]", "disassemble words with an XML description of the instruction set",
    "SPEC describes an instruction set in the isaspec language. FILE contains instructions as bytes or, with --hex, as "
    "text; without FILE, or with '-', they are read from standard input. Faults of a word are printed after it as a "
    "comment. A word that no instruction matches is printed as 'no match: HEX'.",
    "vireo isa dis ir3.xml --gen 600 --labels shader.bin\n"
    "echo 0080000000000004 | vireo isa dis ir3.xml --gen 600 --hex -",
    "xml", isa_dis_options, run_isa_dis);

}  // namespace vireo::cli

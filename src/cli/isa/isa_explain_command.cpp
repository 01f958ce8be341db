// SPDX-License-Identifier: Apache-2.0
//
// vireo isa explain: explains words bit by bit. An instruction may also be given as text.
//
// An operand is a word or a line of assembly, distinguished by its characters. For a line the picture
// shows the word that the assembler chose. Faulty operands are reported; all others are still explained.
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/isa/isa_inputs.h"
#include "isa/model/rules.h"
#include "vireo/isa/explain.h"

namespace vireo::cli {
namespace {

constexpr Flag svg_option("--svg", "draw SVG instead of text");

constexpr auto isa_explain_options =
    option_list(gen_option, mesa_compat_option, names_option, floats_option, svg_option, isa_output_options);

// An operand of digits only is a word: `add` is a word, `add r1, r2` is not. Otherwise a number with too many digits
// would be reported as an unknown instruction.
bool is_number(std::string_view operand) {
  constexpr std::string_view digits = "0123456789abcdefABCDEF_";
  if (operand.starts_with("0x")) operand.remove_prefix(2);
  return !operand.empty() && operand.find_first_not_of(digits) == std::string_view::npos;
}

// Converts operands to words; operands that are text are assembled.
class WordReader {
 public:
  WordReader(const isa::Decoder& decoder, isa::CustomNames& names) : decoder_(decoder), names_(names) {}

  // `begin` is the operand's offset in the lines of operands.
  std::optional<isa::Bits> read(std::string_view operand, std::size_t begin, Diagnostics& diagnostics) {
    return is_number(operand) ? number(operand, begin, diagnostics) : assemble(operand, begin, diagnostics);
  }

 private:
  std::optional<isa::Bits> number(std::string_view operand, std::size_t begin, Diagnostics& diagnostics) const {
    const std::uint32_t bits = bits_of_line(decoder_.model(), operand);
    std::optional<isa::Bits> word = isa::parse_hex(operand, bits);
    if (!word) {
      diagnostics.error(isa::rule::malformed_word, Location::in_text(begin, begin + operand.size()),
                        "expected a hexadecimal number of at most " + std::to_string(isa::hex_digits(bits)) +
                            " digits, found '" + std::string(operand) + "'");
    }
    return word;
  }

  std::optional<isa::Bits> assemble(std::string_view operand, std::size_t begin, Diagnostics& diagnostics) {
    // Created for the first text: words alone do not need the assembler, which is slow to build for a large
    // description.
    if (!assembler_) assembler_.emplace(decoder_, isa::AssembleOptions{.custom = &names_, .listener = &names_});
    isa::AssembledLine line;
    if (assembler_->assemble_line(operand, line)) return std::move(line.word);
    const Location place = Location::in_text(begin + line.fault.begin, begin + line.fault.end);
    diagnostics.error(line.fault.rule, place, line.fault.message, line.fault.hint);
    for (const std::string& note : line.fault.notes) diagnostics.note(place, note);
    return std::nullopt;
  }

  const isa::Decoder& decoder_;
  isa::CustomNames& names_;
  std::optional<isa::Assembler> assembler_;
};

// All words in one drawing, or as texts separated by empty lines.
std::string draw(const isa::Model& model, const std::vector<isa::Explanation>& explanations, bool is_svg, bool color) {
  std::string text;
  if (is_svg) {
    isa::append_svg(text, model, explanations, {});
    return text;
  }
  for (const isa::Explanation& explanation : explanations) {
    if (!text.empty()) text.push_back('\n');
    isa::append_text(text, model, explanation, {.color = color});
  }
  return text;
}

int run_isa_explain(const Invocation& invocation) {
  const ParsedOptions& options = invocation.options;
  if (invocation.operands().size() < 2) return usage_error(invocation, "expected a description and a word or a text");
  return run_with_decoder(invocation, false, [&](DecoderRun& run) {
    isa::CustomNames& names = run.open.names;
    isa::Explainer explainer(run.open.decoder, {.float_style = float_style_of(options), .listener = &names});
    std::vector<isa::Explanation> explanations;
    WordReader reader(run.open.decoder, names);
    std::size_t begin = 0;  // each operand is a line
    for (const std::string& operand : std::span(invocation.operands()).subspan(1)) {
      if (const auto word = reader.read(operand, begin, run.diagnostics)) {
        explanations.push_back(explainer.explain(*word));
      }
      begin += operand.size() + 1;
    }
    // Output to a file is never coloured.
    const bool color = writes_to_standard_output(options) && wants_color(options, invocation.streams.out);
    run.output.write(draw(run.open.model, explanations, options.has(svg_option), color));
  });
}

}  // namespace

constinit const Command isa_explain_command(
    "isa explain", "SPEC WORD/TEXT...", "explain words of an instruction set bit by bit",
    "Draws the bits of each hexadecimal word with the fields that they belong to. For each field it lists the type, "
    "the value, the printed text, and the bitset and case of the description that define it. An operand that is not a "
    "number is an instruction as 'vireo isa dis' prints it, and is assembled first. Bits with an unexpected value are "
    "marked. If no instruction matches a word, the nearest one is drawn; if several match, each of them. Texts in "
    "parentheses belong to fields that the display does not show.",
    "vireo isa explain ir3.xml --gen 600 c0261000_02800001\n"
    "vireo isa explain ir3.xml --gen 600 'add.f r0.x, r0.y, r0.z'\n"
    "vireo isa explain ir3.xml --gen 600 c0261000_02800001 --svg -o word.svg",
    "xml", isa_explain_options, run_isa_explain);

}  // namespace vireo::cli

// SPDX-License-Identifier: Apache-2.0
//
// vireo isa encode: encodes a leaf and its fields as a word and prints the word with its text.
//
// Operands are values for the encoder, as a compiler has them. The text after the word is produced by the
// decoder, so a wrong field is visible at once. Operands are not in a file, so the locations of diagnostics refer to a
// text with one operand per line.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/isa/isa_inputs.h"
#include "isa/model/rules.h"
#include "vireo/isa/encode.h"

namespace vireo::cli {
namespace {

constexpr auto isa_encode_options =
    option_list(gen_option, mesa_compat_option, names_option, floats_option, isa_output_options);

// FIELD=VALUE. `begin` is the operand's offset in the lines of operands. A value may contain equals signs; a name does not.
void add_setting(std::string_view operand, std::size_t begin, std::vector<isa::FieldSetting>& settings,
                 Diagnostics& diagnostics) {
  const Location where = Location::in_text(begin, begin + operand.size());
  const std::size_t equals = operand.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    diagnostics.error(isa::rule::malformed_input, where, "expected FIELD=VALUE, found '" + std::string(operand) + "'");
    return;
  }
  settings.push_back({std::string(operand.substr(0, equals)), operand.substr(equals + 1), where});
}

int run_isa_encode(const Invocation& invocation) {
  const ParsedOptions& options = invocation.options;
  if (invocation.operands().size() < 2) return usage_error(invocation, "expected a description and a leaf");
  return run_with_decoder(invocation, false, [&](DecoderRun& run) {
    const std::span<const std::string> operands = std::span(invocation.operands()).subspan(1);
    const std::string_view leaf = operands.front();
    std::vector<isa::FieldSetting> settings;
    std::size_t begin = leaf.size() + 1;  // each operand is a line
    for (const std::string& operand : operands.subspan(1)) {
      add_setting(operand, begin, settings, run.diagnostics);
      begin += operand.size() + 1;
    }
    const isa::Encoder encoder(run.open.decoder);
    const Result<isa::Bits> word = encoder.encode(leaf, settings, run.diagnostics, Location::in_text(0, leaf.size()));
    // If a malformed setting was left out, the word is not the requested one.
    if (!word || run.diagnostics.has_errors()) return;
    std::string out;
    isa::append_hex(out, word->words(), word->width());
    out.push_back('\t');
    isa::Printer printer(run.open.decoder, {.float_style = float_style_of(options), .listener = &run.open.names});
    printer.print_word(word->words(), word->width(), out);
    run.output.write(out + '\n');
  });
}

}  // namespace

constinit const Command isa_encode_command(
    "isa encode", "SPEC LEAF [FIELD=VALUE]...", "encode a word from the values of its fields",
    "LEAF is the name of an instruction. FIELD is the name of one of its fields, or of a field in a nested bitset: "
    "SRC.VALUE. VALUE is a number, the name or display of an enum value, the display of a flag, or the leaf of a "
    "nested bitset. The fields select the override, derived fields are solved for, and all other fields have their "
    "defaults. The word is verified by decoding it and is printed with its text.",
    "vireo isa encode tiny16.xml add DST=#register DST.NUMBER=3 SRC.VALUE=-8\n"
    "vireo isa encode ir3.xml --gen 600 add.f DST.GPR=1 SRC1=#multisrc-gpr",
    "xml", isa_encode_options, run_isa_encode);

}  // namespace vireo::cli

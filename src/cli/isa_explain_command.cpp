// SPDX-License-Identifier: Apache-2.0
//
// vireo isa explain: words, bit by bit.
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/isa_inputs.h"
#include "cli/isa_output.h"
#include "isa/model/rules.h"
#include "vireo/isa/explain.h"

namespace vireo::cli {
namespace {

std::vector<isa::Explanation> explain_words(const Invocation& invocation, isa::Explainer& explainer,
                                            Diagnostics& diagnostics) {
  std::vector<isa::Explanation> explanations;
  for (const std::string_view operand : std::span(invocation.operands()).subspan(1)) {
    const std::uint32_t bits = bits_of_line(explainer.model(), operand);
    const std::optional<isa::Bits> word = isa::parse_hex(operand, bits);
    if (word) {
      explanations.push_back(explainer.explain(*word));
    } else {
      diagnostics.error(isa::rule::malformed_word, Location::none(),
                        "expected a hexadecimal number of at most " + std::to_string(isa::hex_digits(bits)) +
                            " digits, found '" + std::string(operand) + "'");
    }
  }
  return explanations;
}

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

}  // namespace

int run_isa_explain(const Invocation& invocation) {
  const ParsedOptions& options = invocation.options;
  if (invocation.operands().size() < 2) return usage_error(invocation, "expected a description and a word");
  Reporter reporter(invocation);
  int status = exit_status::fine;
  const std::string_view spec = invocation.operands()[0];
  const std::optional<isa::Model> model = load_spec(invocation, spec, reporter, status);
  if (!model) return status;
  const std::optional<isa::Decoder> decoder = make_decoder(invocation, *model, reporter, status);
  if (!decoder) return status;
  CustomNames names;
  if (!load_names(invocation, reporter, names, status)) return status;

  Diagnostics diagnostics(reporter.limit());
  const bool is_round_trip = options.value(OptionId::Floats) == "roundtrip";
  isa::Explainer explainer(
      *decoder,
      {.float_style = is_round_trip ? isa::FloatStyle::RoundTrip : isa::FloatStyle::Fixed, .listener = &names});
  const std::vector<isa::Explanation> explanations = explain_words(invocation, explainer, diagnostics);
  const bool color = writes_to_standard_output(options) && wants_color(options, invocation.streams.out);
  status = write_output(invocation, draw(*model, explanations, options.has(OptionId::Svg), color), diagnostics);
  reporter.add({"vireo isa explain", {}}, diagnostics);
  return status;
}

}  // namespace vireo::cli

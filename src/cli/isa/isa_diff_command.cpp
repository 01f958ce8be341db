// SPDX-License-Identifier: Apache-2.0
//
// vireo isa diff: compares two generations, or two descriptions. Like `grammar diff`, it exits with 0 if there are
// differences: 1 is for invalid input.
//
// Each side is a description and, optionally, a generation. One description with two generations is both
// sides. Two descriptions share one generation, have one each, or are compared in all generations.
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/common/changes.h"
#include "cli/isa/isa_inputs.h"
#include "vireo/isa/diff.h"

namespace vireo::cli {
namespace {

constexpr auto isa_diff_options =
    option_list(gen_option, mesa_compat_option, output_option, format_of_changes_option, reporting_options);

ChangeRecord record_of(const isa::IsaChange& change) {
  return {change_word(change.kind), change.subject, change.part, change.before, change.after};
}

int run_isa_diff(const Invocation& invocation) {
  const ParsedOptions& options = invocation.options;
  const std::vector<std::string>& operands = invocation.operands();
  std::vector<std::optional<std::uint32_t>> gens;
  for (const std::string_view digits : options.values(gen_option)) {
    std::uint32_t gen = ~std::uint32_t{0};  // too large a number remains the highest; the parser checked the digits
    std::from_chars(digits.data(), digits.data() + digits.size(), gen);
    gens.emplace_back(gen);
  }
  if (operands.empty() || operands.size() > 2) return usage_error(invocation, "expected one or two descriptions");
  if (gens.size() > 2) return usage_error(invocation, "expected at most two generations");
  if (operands.size() == 1 && gens.size() != 2)
    return usage_error(invocation, "expected two generations, --gen A --gen B, of one description");
  // For two descriptions a single --gen applies to both.
  gens.resize(2, gens.empty() ? std::nullopt : gens.front());

  Reporter reporter(invocation);
  int status = exit_status::fine;
  const std::optional<isa::Model> before = load_spec(invocation, operands[0], reporter, status);
  if (!before) return status;
  // A single description is loaded once.
  std::optional<isa::Model> other;
  if (operands.size() == 2) {
    other = load_spec(invocation, operands[1], reporter, status);
    if (!other) return status;
  }
  const std::vector<isa::IsaChange> changes = isa::diff({*before, gens[0]}, {other ? *other : *before, gens[1]});

  Diagnostics diagnostics(reporter.limit());
  const bool is_json = options.value(format_option) == "json";
  status = write_output(invocation, text_of_changes(changes, is_json, record_of), diagnostics);
  reporter.add({"vireo isa diff", {}}, diagnostics);
  return status;
}

}  // namespace

constinit const Command isa_diff_command(
    "isa diff", "SPEC [SPEC]", "compare two generations, or two descriptions",
    "Lists the instructions, operands and enum values that were added, removed or changed: patterns; the bits, types "
    "and texts of fields; displays; asserts. One description is compared in two generations, --gen A --gen B. Two "
    "descriptions are compared in all generations, or in that of --gen (or one each). Conditions on the generation are "
    "evaluated first. Prints nothing if nothing changed.",
    "vireo isa diff ir3.xml --gen 600 --gen 700\n"
    "vireo isa diff old.xml new.xml",
    "xml", isa_diff_options, run_isa_diff);

}  // namespace vireo::cli

// SPDX-License-Identifier: Apache-2.0
//
// vireo isa diff: compares two generations, or two descriptions. Like `grammar diff`, it exits with 0 if there are
// differences: 1 is for invalid input.
//
// The one idea: each side is a description and, optionally, a generation. One description with two generations is both
// sides. Two descriptions share one generation, have one each, or are compared in all generations.
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/isa/isa_inputs.h"
#include "cli/isa/isa_output.h"
#include "cli/spirv/changes.h"
#include "vireo/isa/diff.h"

namespace vireo::cli {
namespace {

ChangeRecord record_of(const isa::IsaChange& change) {
  return {change_word(change.kind), change.subject, change.part, change.before, change.after};
}

}  // namespace

int run_isa_diff(const Invocation& invocation) {
  const ParsedOptions& options = invocation.options;
  const std::vector<std::string>& operands = invocation.operands();
  std::vector<std::optional<std::uint32_t>> gens;
  for (const std::string_view digits : options.values(OptionId::Gen)) {
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
  const bool is_json = options.value(OptionId::Format) == "json";
  status = write_output(invocation, text_of_changes(changes, is_json, record_of), diagnostics);
  reporter.add({"vireo isa diff", {}}, diagnostics);
  return status;
}

}  // namespace vireo::cli

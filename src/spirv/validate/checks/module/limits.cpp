// SPDX-License-Identifier: Apache-2.0
//
// Universal limits (specification 2.17) that no other file checks: strings, decorations, execution modes and arguments.
//
// Each check file also checks the limits of its subject: types, variables, access chains, switches,
// constructs. This file checks the rest. Call arguments need no check: they match the parameters of a function type,
// which are limited.
#include <fmt/format.h>

#include <algorithm>

#include "spirv/binary/literal_string.h"
#include "spirv/validate/analysis/fixes.h"
#include "spirv/validate/checks/checks.h"
#include "vireo/spirv/binary/operand.h"
#include "vireo/spirv/binary/views/extension.h"

namespace vireo::spirv {
namespace {

using enum Op;

void report_limit(const ModuleCheck& c, Place place, const std::string& found, Word Limits::*limit) {
  c.report(Rule::UniversalLimit, place, {found, c.options.limits.*limit});
  hint_limit(c, limit);
}

// Counts Unicode code points: all UTF-8 bytes except continuation bytes.
std::uint64_t characters_of(std::string_view text) {
  return static_cast<std::uint64_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

void check_arguments(const InstructionCheck& c) {
  // OpExtInstWithForwardRefsKHR has the same operands.
  const std::size_t count = c.as<OpExtInst>().operands().size();
  const Word most = c.options.limits.ext_inst_arguments;
  if (count > most)
    report_limit(c, c.at(), fmt::format("{} has {} arguments", c.name(), count), &Limits::ext_inst_arguments);
}

// Limits the decorations of a target to the number that the grammar defines. Each member is a separate target.
void check_decoration_counts(const ModuleCheck& c) {
  const KindId kind = c.grammar().find_kind("Decoration");
  if (kind.is_none()) return;
  const std::size_t most = c.grammar().enumerants_of(c.grammar().kind(kind)).size();
  const DecorationRow* first = nullptr;
  std::size_t count = 0;
  for (const DecorationRow& row : c.decorations.rows()) {
    const bool is_same = first != nullptr && row.target == first->target && row.member == first->member;
    count = is_same ? count + 1 : 1;
    if (!is_same) first = &row;
    if (count != most + 1) continue;
    // The grammar sets this limit, so there is no option.
    c.report(Rule::UniversalLimit, {row.instruction, 0}, {"too many decorations on " + id_text(c, row.target), most});
  }
}

// The rows of a function are adjacent, whatever their order in the module.
void check_mode_counts(const ModuleCheck& c) {
  const Word most = c.options.limits.execution_modes;
  Word function = 0;
  std::uint64_t count = 0;
  for (const ExecutionModeRow& row : c.module_declarations.execution_modes()) {
    count = row.function == function ? count + 1 : 1;
    function = row.function;
    if (count != most + std::uint64_t{1}) continue;
    report_limit(c, {row.instruction, 0}, "too many execution modes on " + id_text(c, row.function),
                 &Limits::execution_modes);
  }
}

}  // namespace

std::span<const Check> limit_checks() {
  static constexpr Check checks[] = {
      {{OpExtInst, OpExtInstWithForwardRefsKHR}, check_arguments},
  };
  return checks;
}

void check_texts(const InstructionCheck& c) {
  const Word most = c.options.limits.literal_string;
  // A word has at most four characters, so only a long instruction can contain a long string.
  if (c.view.word_count <= most / 4) return;
  for (const Operand& operand : c.operands) {
    if (operand.shape != OperandShape::LiteralString) continue;
    const std::uint64_t count = characters_of(literal_string(c.view, operand.word));
    if (count > most) {
      report_limit(c, c.at(operand), fmt::format("string has {} characters", count), &Limits::literal_string);
    }
  }
}

void check_limits(const ModuleCheck& c) {
  check_decoration_counts(c);
  check_mode_counts(c);
}

}  // namespace vireo::spirv

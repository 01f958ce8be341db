// SPDX-License-Identifier: Apache-2.0
//
// Disassembles a module and assembles it again.
#include "system/round_trip.h"

#include <fmt/format.h>

#include <algorithm>

namespace vireo::system_test {
namespace {

std::string first_of(const Diagnostics& diagnostics) {
  if (diagnostics.all().empty()) return "refused without a diagnostic";
  const Diagnostic& first = diagnostics.all().front();
  return fmt::format("{} [{}]", first.message, first.rule);
}

// The line of a text that contains a byte offset.
std::string line_at(std::string_view text, std::uint64_t offset) {
  const LineIndex lines(text);
  return std::string(lines.line(lines.locate(offset).line));
}

WordBuffer words_of(std::string_view text, const spirv::AssembleOptions& options, std::string& fault) {
  Diagnostics diagnostics;
  Result<WordBuffer> words = spirv::assemble({"text", text}, options, diagnostics);
  if (words) return std::move(words).value();
  fault = first_of(diagnostics);
  if (!diagnostics.all().empty()) fault += " in: " + line_at(text, diagnostics.all().front().where.begin);
  return {};
}

std::string difference(Words wanted, Words got) {
  const auto [a, b] = std::mismatch(wanted.begin(), wanted.end(), got.begin(), got.end());
  const auto at = [](Words words, auto place) {
    return place == words.end() ? std::string("the end") : fmt::format("{:08x}", *place);
  };
  return fmt::format("word {} is {}, not {}", a - wanted.begin(), at(got, b), at(wanted, a));
}

/// Clears an expected fault; if the expected fault is missing, reports that.
void excuse(std::string_view rule, std::string& fault) {
  if (rule.empty()) return;
  if (fault.empty()) fault = "nothing is wrong; expected " + std::string(rule);
  if (fault.ends_with(fmt::format("[{}]", rule))) fault.clear();
}

bool are_equal(Words a, Words b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

}  // namespace

std::string text_of(Words words, const spirv::DisassembleOptions& options, std::string& fault) {
  StringSink sink;
  Diagnostics diagnostics;
  if (!spirv::disassemble(words, options, sink, diagnostics)) fault = first_of(diagnostics);
  return std::move(sink).text();
}

std::string round_trip_fault(Words words, const RoundTripOptions& options) {
  std::string fault;
  spirv::DisassembleOptions raw;
  raw.grammar = options.grammar;
  raw.friendly_names = false;
  const std::string raw_text = text_of(words, raw, fault);
  excuse(options.known_fault, fault);
  if (!fault.empty()) return "disassembler: " + fault;

  spirv::AssembleOptions exact;
  exact.grammar = options.grammar;
  exact.exact = exact.preserve_numeric_ids = true;
  const WordBuffer same = words_of(raw_text, exact, fault);
  if (!fault.empty()) return "assembler: " + fault;
  if (!are_equal(words, same)) return "raw text: " + difference(words, same);
  if (!options.friendly) return {};

  spirv::AssembleOptions plain;
  plain.grammar = options.grammar;
  const WordBuffer renumbered = words_of(raw_text, plain, fault);
  if (!fault.empty()) return "assembler, plain: " + fault;
  spirv::DisassembleOptions friendly;
  friendly.grammar = options.grammar;
  const std::string friendly_text = text_of(words, friendly, fault);
  excuse(options.known_fault, fault);
  if (!fault.empty()) return "disassembler, friendly: " + fault;
  const WordBuffer named = words_of(friendly_text, plain, fault);
  if (!fault.empty()) return "assembler, friendly: " + fault;
  if (!are_equal(renumbered, named)) return "friendly text: " + difference(renumbered, named);
  if (!options.twice) return {};

  const std::string second_text = text_of(named, friendly, fault);
  if (!options.known_fault.empty()) fault.clear();  // new numbers can repair a module: id 0 no longer occurs
  if (!fault.empty()) return "disassembler, second round: " + fault;
  const WordBuffer second = words_of(second_text, plain, fault);
  if (!fault.empty()) return "assembler, second round: " + fault;
  if (!are_equal(named, second)) return "second round: " + difference(named, second);
  return text_of(second, friendly, fault) == second_text ? std::string{} : "second round: another text";
}

}  // namespace vireo::system_test

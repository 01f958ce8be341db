// SPDX-License-Identifier: Apache-2.0
//
// A description loaded for one generation, with both directions (assemblers.h).
#include "isa/assemble/assemblers.h"

#include <charconv>
#include <cstdio>
#include <stdexcept>

namespace vireo::isa {

void ThreeDigits::custom(std::string_view, std::uint64_t value, std::string& text) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "0x%03llx", static_cast<unsigned long long>(value));
  text += digits;
}

void ThreeDigits::read(std::string_view, std::string_view text, std::vector<Reading>& readings) {
  if (!text.starts_with("0x")) return;
  Reading reading;
  const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), reading.value, 16);
  reading.length = static_cast<std::size_t>(end - text.data());
  if (error == std::errc()) readings.push_back(reading);
}

BothWays::BothWays(const std::filesystem::path& description, std::uint32_t gen, bool mesa_compat,
                   bool reports_ambiguity)
    : loaded_(load_model(description.string(), {.mesa_compat = mesa_compat, .read = {}})) {
  make(gen, mesa_compat, reports_ambiguity);
}

BothWays::BothWays(Description description, std::uint32_t gen)
    : loaded_(load_model_text("test.xml", std::string(description.text))) {
  make(gen, false, false);
}

void BothWays::make(std::uint32_t gen, bool mesa_compat, bool reports_ambiguity) {
  if (!loaded_.ok()) throw std::runtime_error("the description has errors");
  decoder_.emplace(loaded_.model, DecodeOptions{.gen = gen, .mesa_compat = mesa_compat});
  printer_.emplace(*decoder_, PrintOptions{.listener = &custom_});
  assembler_.emplace(*decoder_,
                     AssembleOptions{.custom = &custom_, .listener = &custom_, .reports_ambiguity = reports_ambiguity});
}

std::optional<std::string> BothWays::clean_text(const Bits& word) {
  std::string text;
  if (!printer_->print_word(word.words(), word.width(), text)) return std::nullopt;
  if (text.find("\t; ") != std::string::npos) return std::nullopt;
  return text;
}

std::string BothWays::word_of(std::string_view text) {
  AssembledLine line;
  if (assembler_->assemble_line(text, line)) return to_hex(line.word);
  return "error: " + std::to_string(line.fault.begin + 1) + ": " + line.fault.message;
}

std::string BothWays::program_of(std::string_view source) {
  Diagnostics diagnostics;
  const AssembledProgram program = assembler_->assemble(source, diagnostics);
  std::string result;
  if (diagnostics.has_errors()) {
    diagnostics.sort_by_place();
    for (const Diagnostic& diagnostic : diagnostics.all()) {
      std::size_t line = 1;
      std::size_t column = 1;
      for (std::size_t i = 0; i < diagnostic.where.begin; ++i) {
        ++column;
        if (source[i] == '\n') {
          ++line;
          column = 1;
        }
      }
      result += std::to_string(line) + ":" + std::to_string(column) + ": " + diagnostic.message + "\n";
    }
    return result;
  }
  for (const AssembledInstruction& instruction : program.instructions) {
    Bits word(instruction.bits);
    for (std::uint32_t i = 0; i < instruction.bits / 8; ++i) {
      const auto byte = static_cast<unsigned char>(program.bytes[instruction.offset + i]);
      word.insert(i * 8, Bits(8, byte));
    }
    result += (result.empty() ? "" : " ") + to_hex(word);
  }
  return result;
}

}  // namespace vireo::isa

// SPDX-License-Identifier: Apache-2.0
//
// Shared by the tests of the assembler: a description loaded for one generation, with both directions.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "vireo/isa/assemble.h"
#include "vireo/isa/isa.h"

namespace vireo::isa {

/// Custom fields printed and read as 0x and at least three hexadecimal digits.
class ThreeDigits final : public PrintListener, public CustomReader {
 public:
  void custom(std::string_view, std::uint64_t value, std::string& text) override;
  void read(std::string_view field, std::string_view text, std::vector<Reading>& readings) override;
};

/// A description, loaded once, with a printer and an assembler for one generation.
class BothWays {
 public:
  BothWays(const std::filesystem::path& description, std::uint32_t gen, bool mesa_compat = false,
           bool reports_ambiguity = false);
  /// A description given as text.
  struct Description {
    std::string_view text;
  };
  BothWays(Description description, std::uint32_t gen);

  [[nodiscard]] const Model& model() const { return loaded_.model; }
  [[nodiscard]] const Decoder& decoder() const { return *decoder_; }
  Assembler& assembler() { return *assembler_; }

  /// The text of a word; empty if it has none or if the decoder annotates it.
  std::optional<std::string> clean_text(const Bits& word);
  /// The word of a text in hexadecimal digits, or `error: COLUMN: MESSAGE`.
  std::string word_of(std::string_view text);
  /// The words of a program, or all its faults as LINE:COLUMN: MESSAGE.
  std::string program_of(std::string_view source);

 private:
  void make(std::uint32_t gen, bool mesa_compat, bool reports_ambiguity);

  LoadedModel loaded_;
  ThreeDigits custom_;
  std::optional<Decoder> decoder_;
  std::optional<Printer> printer_;
  std::optional<Assembler> assembler_;
};

}  // namespace vireo::isa

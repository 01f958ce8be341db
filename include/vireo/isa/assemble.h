// SPDX-License-Identifier: Apache-2.0
//
// Text → words, with the displays of the model.
//
// The one idea: the displays are the grammar. The assembler parses a line with them, solves for the bits that the text
// determines, and proves each result: it must decode and print as the same text. If several words have one text, a
// documented rule chooses one (docs/isa-assembler.md, "The canonical encoding"), so the result depends only on the
// description and the text.
//
//   Decoder decoder(model, {.gen = 600});
//   Assembler assembler(decoder, {});
//   AssembledLine line;
//   if (assembler.assemble_line("add.f r0.x, r0.y, r0.z", line)) line.word;
//
//   Diagnostics faults;
//   AssembledProgram program = assembler.assemble(source, faults);   // labels, directives, raw words
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/isa/decode.h"
#include "vireo/isa/print.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"

namespace vireo::isa {

/// Reads the texts of custom fields. Each reading is verified by printing it with the listener.
class VIREO_API CustomReader {
 public:
  virtual ~CustomReader() = default;
  /// A value read from the start of a text.
  struct Reading {
    std::size_t length = 0;  ///< bytes read; if more than the text has, the reading is ignored
    std::uint64_t value = 0;
  };
  /// Adds all readings of the beginning of `text` for a field.
  virtual void read(std::string_view field, std::string_view text, std::vector<Reading>& readings) = 0;
};

/// The targets of labels, in units from the start of the program.
class VIREO_API Labels {
 public:
  virtual ~Labels() = default;
  [[nodiscard]] virtual std::optional<std::uint64_t> find(std::string_view name) const = 0;
};

/// A directive that expands to a table of label targets, one unit each: `.NAME`.
struct VIREO_API TargetTable {
  std::string name;                               ///< with its dot: ".jumptbl"
  std::vector<std::vector<std::string>> entries;  ///< for each entry, the names that its label may have
  std::string fallback;                           ///< the label for entries without one, with a warning; may be empty
};

/// Options for assembling.
struct VIREO_API AssembleOptions {
  CustomReader* custom = nullptr;     ///< reads custom fields; null: custom fields are errors
  PrintListener* listener = nullptr;  ///< prints custom fields: only custom() is called
  bool reports_ambiguity = false;     ///< also find and verify the other encodings
  std::vector<TargetTable> tables = {};
};

/// Why a line was rejected.
struct VIREO_API LineFault {
  std::string_view rule;  ///< the rule of the diagnostic
  std::size_t begin = 0;  ///< in bytes of the line
  std::size_t end = 0;
  std::string message;
  std::vector<std::string> notes;
  std::string hint;
};

/// The result for a line.
struct VIREO_API AssembledLine {
  Bits word;                 ///< if there is one
  std::vector<Bits> others;  ///< with reports_ambiguity: further words that print the same text
  bool is_complete = true;   ///< false: the limits were reached, and more words may have this text
  LineFault fault;           ///< if there is no word
  /// The cost of the line, equal on every machine: tokens visited, expressions evaluated, their steps, words verified.
  /// Finding a word costs at most most_work for any line. Explaining a fault costs at most a quarter of that in
  /// addition, and most_work for each other generation that is tried.
  std::uint64_t work = 0;
  static constexpr std::uint64_t most_work = 330'000;
};

/// The source of one instruction in a program.
struct VIREO_API AssembledInstruction {
  std::uint64_t offset = 0;  ///< in bytes of AssembledProgram::bytes
  std::uint32_t bits = 0;
  std::size_t begin = 0;  ///< in bytes of the source: its line without blanks and comment
  std::size_t end = 0;
  std::vector<Bits> others;  ///< with reports_ambiguity
};

/// The words of a program, and their sources.
struct VIREO_API AssembledProgram {
  std::string bytes;  ///< units, little-endian; empty after an error
  std::vector<AssembledInstruction> instructions;
};

/// Not thread-safe: use one assembler per thread. They may share a Decoder, which must outlive them.
class VIREO_API Assembler {
 public:
  Assembler(const Decoder& decoder, AssembleOptions options);
  ~Assembler();
  Assembler(Assembler&&) noexcept;

  /// Assembles one instruction at index 0, without labels. If it returns false, line.fault has the reason.
  bool assemble_line(std::string_view text, AssembledLine& line);

  /// Assembles a program: lines of instructions, labels, comments and directives (docs/isa-assembler.md). Reports all
  /// faults with their places in `source`. After an error the result has no bytes.
  AssembledProgram assemble(std::string_view source, Diagnostics& diagnostics);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace vireo::isa

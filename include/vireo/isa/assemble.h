// SPDX-License-Identifier: Apache-2.0
//
// The assembler: text → instruction words, with the displays of the description.
//
// The displays are the grammar. The assembler parses a line with them and solves for the bits that the
// text determines. It verifies each result: the word must decode and print as the same text. If several words have the
// same text, a documented rule chooses one (docs/isa-assembler.md, "The canonical encoding"). So the result depends
// only on the description and the text.
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

/// Reads the texts of custom fields. The assembler verifies each reading by printing it with the listener.
class VIREO_API CustomReader {
 public:
  virtual ~CustomReader() = default;
  /// A value read from the start of a text.
  struct Reading {
    std::size_t length = 0;  ///< bytes read; a reading longer than the text is ignored
    std::uint64_t value = 0;
  };
  /// Appends all possible readings of the beginning of `text` as a value of the field to `readings`.
  virtual void read(std::string_view field, std::string_view text, std::vector<Reading>& readings) = 0;
};

/// The addresses of labels, in units from the start of the program.
class VIREO_API Labels {
 public:
  virtual ~Labels() = default;
  /// The address of a label; none if the label is undefined.
  [[nodiscard]] virtual std::optional<std::uint64_t> find(std::string_view name) const = 0;
};

/// A directive that expands to a table of label addresses, one unit for each entry: `.NAME`.
struct VIREO_API TargetTable {
  std::string name;                               ///< with its dot: ".jumptbl"
  std::vector<std::vector<std::string>> entries;  ///< for each entry, the possible names of its label
  std::string fallback;                           ///< the label of entries without one, with a warning; may be empty
};

/// Options of an Assembler. Pointers are borrowed and must outlive it.
struct VIREO_API AssembleOptions {
  CustomReader* custom = nullptr;     ///< reads custom fields; nullptr: custom fields are errors
  PrintListener* listener = nullptr;  ///< prints custom fields; only its function custom() is called
  bool reports_ambiguity = false;     ///< also find and verify the other encodings of each line
  std::vector<TargetTable> tables = {};
};

/// The reason why a line was rejected.
struct VIREO_API LineFault {
  std::string_view rule;  ///< the rule of the diagnostic
  std::size_t begin = 0;  ///< range of bytes in the line: begin … end - 1
  std::size_t end = 0;
  std::string message;
  std::vector<std::string> notes;
  std::string hint;
};

/// The result for a line.
struct VIREO_API AssembledLine {
  Bits word;                 ///< valid if assemble_line() returned true
  std::vector<Bits> others;  ///< with reports_ambiguity: further words that print the same text
  bool is_complete = true;   ///< false: a limit was reached, and further words may print the same text
  LineFault fault;           ///< valid if assemble_line() returned false
  /// The number of steps, equal on every machine: tokens visited, expressions evaluated, their steps, words verified.
  /// The search for a word takes at most most_work steps. The explanation of a fault takes at most a quarter of that in
  /// addition, and most_work for each other generation that is tried.
  std::uint64_t work = 0;
  static constexpr std::uint64_t most_work = 330'000;
};

/// One instruction of a program and its source.
struct VIREO_API AssembledInstruction {
  std::uint64_t offset = 0;  ///< offset of the instruction in AssembledProgram::bytes, in bytes
  std::uint32_t bits = 0;    ///< size of the instruction
  std::size_t begin = 0;     ///< range of bytes in the source: the line without surrounding blanks and comment
  std::size_t end = 0;
  std::vector<Bits> others;  ///< with reports_ambiguity: further words that print the same text
};

/// The bytes of a program, and its instructions.
struct VIREO_API AssembledProgram {
  std::string bytes;  ///< a sequence of units, little-endian; empty after an error
  std::vector<AssembledInstruction> instructions;
};

/// Assembles lines and programs. Not thread-safe: each thread needs its own Assembler; they can share a Decoder.
class VIREO_API Assembler {
 public:
  /// The decoder and its model are borrowed and must outlive the assembler.
  Assembler(const Decoder& decoder, AssembleOptions options);
  ~Assembler();
  Assembler(Assembler&&) noexcept;

  /// Assembles one instruction at address 0, without labels. Returns false if there is no word; line.fault then
  /// contains the reason.
  bool assemble_line(std::string_view text, AssembledLine& line);

  /// Assembles a program: lines of instructions, labels, comments and directives (docs/isa-assembler.md). Errors:
  /// reports all faults with byte ranges of `source`; the result then has no bytes.
  AssembledProgram assemble(std::string_view source, Diagnostics& diagnostics);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace vireo::isa

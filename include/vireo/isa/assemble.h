// SPDX-License-Identifier: Apache-2.0
//
// Text → words, by the displays of the model.
//
// The one idea: a display that says how a word is printed also says how it is written. The assembler reads a line with the
// displays as its grammar, solves for the bits that the text determines, and proves each result by decoding it again to
// the same text: no other word is ever given. Among several words with one text a stated rule chooses
// (docs/isa-assembler.md, "The canonical encoding"), so the answer depends on the description and the text alone.
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

/// Reads the texts of custom fields. Each reading is proved by printing it with the listener.
class VIREO_API CustomReader {
 public:
  virtual ~CustomReader() = default;
  /// What a reader made of the text: a value, and how far it read.
  struct Reading {
    std::size_t length = 0;  ///< bytes of the text that it takes; with more than there are it counts as none
    std::uint64_t value = 0;
  };
  /// Adds what the beginning of `text` can be in a field.
  virtual void read(std::string_view field, std::string_view text, std::vector<Reading>& readings) = 0;
};

/// Where labels lead to: units from the start of the program.
class VIREO_API Labels {
 public:
  virtual ~Labels() = default;
  [[nodiscard]] virtual std::optional<std::uint64_t> find(std::string_view name) const = 0;
};

/// A directive that lays down a table of label targets, one unit each: `.NAME`.
struct VIREO_API TargetTable {
  std::string name;                               ///< with its dot: ".jumptbl"
  std::vector<std::vector<std::string>> entries;  ///< of each entry the names that its label may have
  std::string fallback;                           ///< the label of entries that have none, with a warning; may be empty
};

/// How text is read.
struct VIREO_API AssembleOptions {
  CustomReader* custom = nullptr;     ///< how custom fields are read; null: they cannot be
  PrintListener* listener = nullptr;  ///< how custom fields are printed: custom() alone is called
  bool reports_ambiguity = false;     ///< find and prove the other encodings, too
  std::vector<TargetTable> tables = {};
};

/// Why a line was refused.
struct VIREO_API LineFault {
  std::string_view rule;  ///< of the diagnostic
  std::size_t begin = 0;  ///< bytes of the line
  std::size_t end = 0;
  std::string message;
  std::vector<std::string> notes;
  std::string hint;
};

/// What a line became.
struct VIREO_API AssembledLine {
  Bits word;                 ///< when there is one
  std::vector<Bits> others;  ///< with reports_ambiguity: further words that print the same text
  bool is_complete = true;   ///< false: the bounds were reached, there may be more words with this text
  LineFault fault;           ///< when there is no word
  /// What the line cost, the same on every machine: tokens looked at, expressions evaluated, steps in them, words proved.
  /// Finding a word costs at most most_work, whatever the line contains. Explaining a fault costs at most a quarter of that
  /// in addition, and most_work for each other generation that is tried.
  std::uint64_t work = 0;
  static constexpr std::uint64_t most_work = 330'000;
};

/// Where an instruction of a program came from.
struct VIREO_API AssembledInstruction {
  std::uint64_t offset = 0;  ///< in bytes of AssembledProgram::bytes
  std::uint32_t bits = 0;
  std::size_t begin = 0;  ///< bytes of the source: its line, without blanks and comment
  std::size_t end = 0;
  std::vector<Bits> others;  ///< with reports_ambiguity
};

/// The words of a program, and what they are.
struct VIREO_API AssembledProgram {
  std::string bytes;  ///< units, little-endian; empty after an error
  std::vector<AssembledInstruction> instructions;
};

/// Not for several threads at once; make one for each, on one Decoder, which must outlive it.
class VIREO_API Assembler {
 public:
  Assembler(const Decoder& decoder, AssembleOptions options);
  ~Assembler();
  Assembler(Assembler&&) noexcept;

  /// Assembles one instruction, at index 0 and without labels. False: the line's fault says why.
  bool assemble_line(std::string_view text, AssembledLine& line);

  /// Assembles a program: lines of instructions, labels, comments and directives (docs/isa-assembler.md). All faults are
  /// reported, with their places in `source`; after an error there are no bytes.
  AssembledProgram assemble(std::string_view source, Diagnostics& diagnostics);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace vireo::isa

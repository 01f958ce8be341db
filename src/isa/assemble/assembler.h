// SPDX-License-Identifier: Apache-2.0
//
// The assembler's two halves: one line (assembler.cpp), and a program of lines (program.cpp).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "isa/assemble/grammar.h"
#include "isa/assemble/parser.h"
#include "vireo/isa/assemble.h"

namespace vireo::isa {

/// Assembles lines for one generation. Holds the compiled grammar, so it is made once for many of them. The decoder must
/// outlive it.
class LineAssembler {
 public:
  LineAssembler(const Decoder& decoder, AssembleOptions options);

  /// Where in a program a line stands: units from the start of its section, and the labels of that section.
  struct Place {
    std::uint64_t index = 0;
    const Labels* labels = nullptr;
  };
  /// Assembles one instruction. `explains`: on failure, find out why.
  bool assemble_line(std::string_view text, const Place& place, AssembledLine& line, bool explains);

  [[nodiscard]] const Decoder& decoder() const { return decoder_; }
  [[nodiscard]] const AssembleOptions& options() const { return options_; }
  /// Where the comment of a line begins; its size when it has none.
  [[nodiscard]] std::size_t comment_of(std::string_view line) const;

 private:
  // In the order in which a line goes through them: by search, by proof.
  bool choose(const Parser::Request& request, AssembledLine& line);
  /// Which remarks of the decoder are accepted: none, or those on names of a display that stand for nothing.
  enum class Remarks : std::uint8_t { None, MissingNames };
  bool proves(std::span<const BitWord> words, std::uint32_t bits, std::span<const WrittenAs> aliases,
              std::string_view wanted, bool is_loose, Remarks accepted);
  bool choose(const Parser::Request& request, Remarks accepted, AssembledLine& line);
  bool read_raw(std::string_view text, AssembledLine& line) const;
  // Why a line has no word. Only done when somebody wants to know: it is one more reading, and one in each other
  // generation.
  void explain(std::string_view text, const Place& place, AssembledLine& line);
  void explain_unknown(std::string_view text, std::string_view word, std::size_t at, AssembledLine& line);
  [[nodiscard]] std::vector<std::string> names() const;
  void find_generations(std::string_view text, const Place& place, AssembledLine& line);

  const Decoder& decoder_;
  AssembleOptions options_;
  Grammar grammar_;
  Parser parser_;
  Printer printer_;
  std::string shortened_;
  std::string printed_;
  bool has_semicolon_ = false;  // the language itself uses what starts comments
  bool has_slashes_ = false;
  bool searches_generations_ = true;
  // Assemblers for other generations, made when a line needs one to be explained.
  // What is behind a pointer must not move: an assembler refers to its decoder.
  struct Other {
    std::uint32_t gen;
    std::unique_ptr<Decoder> decoder;
    std::unique_ptr<LineAssembler> assembler;
  };
  std::vector<Other> others_;
  bool others_are_made_ = false;
};

/// Assembles a program (Assembler::assemble).
AssembledProgram assemble_program(LineAssembler& lines, std::string_view source, Diagnostics& diagnostics);

}  // namespace vireo::isa

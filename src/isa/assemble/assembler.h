// SPDX-License-Identifier: Apache-2.0
//
// The assembler: single lines (assembler.cpp) and programs (program.cpp).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "isa/assemble/grammar.h"
#include "isa/assemble/parser.h"
#include "vireo/isa/assemble.h"

namespace vireo::isa {

/// Assembles lines for one generation. Holds the compiled grammar, so create it once for many lines. The decoder must
/// outlive it.
class LineAssembler {
 public:
  LineAssembler(const Decoder& decoder, AssembleOptions options);

  /// Position of a line in the program, in units from the start of its section, and the labels of its section.
  struct Context {
    std::uint64_t index = 0;
    const Labels* labels = nullptr;
  };
  /// Assembles one instruction. On failure, if `explains` is set, finds the cause and stores it in `line.fault`.
  bool assemble_line(std::string_view text, const Context& context, AssembledLine& line, bool explains);

  [[nodiscard]] const Decoder& decoder() const { return decoder_; }
  [[nodiscard]] const AssembleOptions& options() const { return options_; }
  /// Returns the position at which the comment of a line begins, or the line's size if it has no comment.
  [[nodiscard]] std::size_t comment_of(std::string_view line) const;

 private:
  // Search and verification.
  bool choose(const Parser::Request& request, AssembledLine& line);
  /// The decoder annotations that verification accepts: none, or those about display names without a definition.
  enum class Annotations : std::uint8_t { None, MissingNames };
  bool verifies(std::span<const BitWord> words, std::uint32_t bits, std::span<const WrittenAs> aliases,
                std::string_view wanted, bool is_loose, Annotations accepted);
  bool choose(const Parser::Request& request, Annotations accepted, AssembledLine& line);
  bool read_raw(std::string_view text, AssembledLine& line) const;
  // Finds out why a line does not assemble. This costs one more parse here and one in each other generation, so it runs
  // only on request.
  void explain(std::string_view text, const Context& context, AssembledLine& line);
  void explain_unknown(std::string_view text, std::string_view word, std::size_t at, AssembledLine& line);
  [[nodiscard]] std::vector<std::string> names() const;
  void find_generations(std::string_view text, const Context& context, AssembledLine& line);

  const Decoder& decoder_;
  AssembleOptions options_;
  Grammar grammar_;
  Parser parser_;
  Printer printer_;
  std::string shortened_;
  std::string printed_;
  bool has_semicolon_ = false;  // displays contain `;` (or `//`, below), so it may not start a comment
  bool has_slashes_ = false;
  bool searches_generations_ = true;
  // Assemblers for other generations, created when the first line needs a diagnosis. The decoder is on the heap,
  // because the assembler keeps a reference to it.
  struct OtherGeneration {
    std::uint32_t gen;
    std::unique_ptr<Decoder> decoder;
    std::unique_ptr<LineAssembler> assembler;
  };
  std::vector<OtherGeneration> other_generations_;
  bool has_other_generations_ = false;
};

AssembledProgram assemble_program(LineAssembler& lines, std::string_view source, Diagnostics& diagnostics);

}  // namespace vireo::isa

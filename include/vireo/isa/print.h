// SPDX-License-Identifier: Apache-2.0
//
// Words → text, by the displays of the model.
//
// The one idea: a Printer walks a program instruction by instruction and writes into a sink; what is odd about a word
// stands behind it, as `TAB ; message, message`. Labels need to know the targets first, so they cost a silent pass.
//
//   Printer printer(decoder, {.branch_labels = true});
//   StringSink text;
//   printer.print(bytes, text);
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/isa/decode.h"
#include "vireo/support/api.h"
#include "vireo/support/text_writer.h"

namespace vireo::isa {

/// A name for the instruction at a place of the program, which is counted in units.
struct VIREO_API EntryPoint {
  std::string name;
  std::uint64_t offset = 0;
};

/// How `float` fields are written.
enum class FloatStyle : std::uint8_t {
  Fixed,      ///< six decimals: 1.500000
  RoundTrip,  ///< as many digits as it takes to read the value back: 1.5; 2.0
};

/// What a caller may add to the text. Every function may append to `text`, which goes to the output as it is.
class VIREO_API PrintListener {
 public:
  virtual ~PrintListener() = default;

  /// What the text is about.
  struct Instruction {
    std::uint64_t index;  ///< in units
    std::span<const BitWord> words;
    std::uint32_t bits;
  };
  /// Before each line: an instruction's, and those of labels and the empty line before it. Its text counts no columns.
  virtual void before_line(const Instruction&, std::string& /*text*/) {}
  /// Behind an instruction that matched, before the end of its line.
  virtual void after_instruction(const Instruction&, std::string& /*text*/) {}
  /// For a word that nothing matches. False: it is printed as usual.
  virtual bool no_match(const Instruction&, std::string& /*text*/) { return false; }
  /// Whether field() is to be called: that costs a call for each field.
  [[nodiscard]] virtual bool wants_fields() const { return false; }
  /// For each field that is shown, before its text. `name` as the display has it.
  virtual void field(std::string_view /*name*/, std::uint64_t /*value*/) {}
  /// For {NAME}; with wants_fields().
  virtual void leaf_name(std::string_view /*display_name*/) {}
  /// The text of a custom field; none unless somebody says it.
  virtual void custom(std::string_view /*name*/, std::uint64_t /*value*/, std::string& /*text*/) {}
  /// Asked after each instruction that matched: whether the program ends here.
  virtual bool stops() { return false; }
};

/// What the text of a program says.
struct VIREO_API PrintOptions {
  bool show_errors = true;       ///< append what is odd about a word
  bool branch_labels = false;    ///< l12, fxn12 and entry points instead of numbers
  std::uint32_t max_errors = 0;  ///< stop after more than this many bad instructions in a row; 0: never
  FloatStyle float_style = FloatStyle::Fixed;
  std::vector<EntryPoint> entry_points = {};  ///< shown with branch_labels only
  PrintListener* listener = nullptr;
};

struct WrittenAs;

/// Prints programs. Not for several threads at once; make one for each, on one Decoder.
class VIREO_API Printer {
 public:
  /// The decoder, its model and the listener are borrowed: they must outlive the printer.
  Printer(const Decoder& decoder, PrintOptions options);
  ~Printer();
  Printer(Printer&&) noexcept;

  /// Prints a program: units of little-endian bytes. What is left behind the last whole unit is ignored. False when the
  /// sink took no more.
  bool print(std::string_view bytes, TextSink& sink);

  /// Appends the text of one instruction, without the end of the line: index 0, no labels. False when nothing matches;
  /// the text then is `no match: HEX` and no more (Decoder::decode says why).
  bool print_word(std::span<const BitWord> words, std::uint32_t bits, std::string& text);

  /// For the assembler, which alone can say what stands for what: the same with some displays and names replaced by aliases.
  bool print_word(std::span<const BitWord> words, std::uint32_t bits, std::span<const WrittenAs> aliases,
                  std::string& text);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace vireo::isa

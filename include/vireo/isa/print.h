// SPDX-License-Identifier: Apache-2.0
//
// The printer: instruction words → text, with the displays of the description.
//
// A Printer decodes a program one instruction at a time and writes its text to a sink. Annotations about
// faults in a word follow the instruction as `TAB ; message, message`. Labels need an additional pass over the program
// before the first line.
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

/// A name for an instruction.
struct VIREO_API EntryPoint {
  std::string name;
  std::uint64_t offset = 0;  ///< from the start of the program, in units
};

/// The format of `float` fields in text.
enum class FloatStyle : std::uint8_t {
  Fixed,      ///< six digits after the point: 1.500000
  RoundTrip,  ///< the fewest digits that parse to the same value: 1.5; 2.0
};

/// Callbacks that add to the text. The printer writes the text that a function appends to `text` unchanged.
class VIREO_API PrintListener {
 public:
  virtual ~PrintListener() = default;

  /// The current instruction. Valid during the callback.
  struct Instruction {
    std::uint64_t index;             ///< address from the start of the program, in units
    std::span<const BitWord> words;  ///< bit 0 is the lowest bit of words[0]
    std::uint32_t bits;              ///< size of the instruction
  };
  /// Called before each line: instructions, labels, and empty lines before labels. The appended text does not affect
  /// column alignment.
  virtual void before_line(const Instruction&, std::string& /*text*/) {}
  /// Called after an instruction that matched, before the end of its line.
  virtual void after_instruction(const Instruction&, std::string& /*text*/) {}
  /// Called for a word that no leaf matches. Returns true if it has appended the line's text; false: the printer prints
  /// its default text.
  virtual bool no_match(const Instruction&, std::string& /*text*/) { return false; }
  /// Whether the printer calls field() and leaf_name(). Queried once, before the first instruction.
  [[nodiscard]] virtual bool wants_fields() const { return false; }
  /// Called before the text of each field. `name` is the name in the display; `value` is as in DecodedField.
  virtual void field(std::string_view /*name*/, std::uint64_t /*value*/) {}
  /// Called for {NAME} in a display.
  virtual void leaf_name(std::string_view /*display_name*/) {}
  /// Appends the text of a field of type `custom`. By default the text is empty.
  virtual void custom(std::string_view /*name*/, std::uint64_t /*value*/, std::string& /*text*/) {}
  /// Called after each instruction that matched. Returns whether to stop printing.
  virtual bool stops() { return false; }
};

/// Options of a Printer.
struct VIREO_API PrintOptions {
  bool show_errors = true;       ///< print annotations about faults
  bool branch_labels = false;    ///< print branch targets as labels (l12, fxn12, entry points) instead of numbers
  std::uint32_t max_errors = 0;  ///< stop if more consecutive instructions than this are invalid; 0: do not stop
  FloatStyle float_style = FloatStyle::Fixed;
  std::vector<EntryPoint> entry_points = {};  ///< printed only with branch_labels
  PrintListener* listener = nullptr;          ///< borrowed; nullptr: no callbacks
};

struct WrittenAs;

/// Prints programs. Not thread-safe: each thread needs its own Printer; they can share a Decoder.
class VIREO_API Printer {
 public:
  /// The decoder, its model and the listener are borrowed and must outlive the printer.
  Printer(const Decoder& decoder, PrintOptions options);
  ~Printer();
  Printer(Printer&&) noexcept;

  /// Prints a program: a sequence of units in little-endian byte order. Ignores bytes after the last whole unit.
  /// Returns false if the sink failed.
  bool print(std::string_view bytes, TextSink& sink);

  /// Appends the text of one instruction of `bits` bits at address 0, without labels and line feed. If no leaf matches,
  /// appends `no match: HEX` and returns false; the faults of Decoder::decode() contain the reason.
  bool print_word(std::span<const BitWord> words, std::uint32_t bits, std::string& text);

  /// For use inside the library: prints with other displays and names, those in `aliases`.
  bool print_word(std::span<const BitWord> words, std::uint32_t bits, std::span<const WrittenAs> aliases,
                  std::string& text);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace vireo::isa

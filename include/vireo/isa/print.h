// SPDX-License-Identifier: Apache-2.0
//
// Words → text, with the displays of the model.
//
// The one idea: a Printer walks a program instruction by instruction and writes to a sink. Annotations about faults in
// a word follow it as `TAB ; message, message`. Labels need an extra pass over the program before the first line.
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

/// A name for an instruction; the offset from the start of the program is in units.
struct VIREO_API EntryPoint {
  std::string name;
  std::uint64_t offset = 0;
};

/// How `float` fields are written.
enum class FloatStyle : std::uint8_t {
  Fixed,      ///< six decimals: 1.500000
  RoundTrip,  ///< as many digits as it takes to read the value back: 1.5; 2.0
};

/// Callbacks that add to the text. Whatever a function appends to `text` goes to the output unchanged.
class VIREO_API PrintListener {
 public:
  virtual ~PrintListener() = default;

  /// The instruction that a callback is about.
  struct Instruction {
    std::uint64_t index;  ///< in units
    std::span<const BitWord> words;
    std::uint32_t bits;
  };
  /// Called before each line: instructions, labels, and empty lines before labels. The text does not count for columns.
  virtual void before_line(const Instruction&, std::string& /*text*/) {}
  /// Called after an instruction that matched, before the end of its line.
  virtual void after_instruction(const Instruction&, std::string& /*text*/) {}
  /// Called for a word that no leaf matches. False: print it as usual.
  virtual bool no_match(const Instruction&, std::string& /*text*/) { return false; }
  /// Whether to call field() and leaf_name(), which costs a call for each field.
  [[nodiscard]] virtual bool wants_fields() const { return false; }
  /// Called before the text of each field. `name` is the name in the display.
  virtual void field(std::string_view /*name*/, std::uint64_t /*value*/) {}
  /// Called for {NAME}, if wants_fields().
  virtual void leaf_name(std::string_view /*display_name*/) {}
  /// Appends the text of a custom field. Without an override it is empty.
  virtual void custom(std::string_view /*name*/, std::uint64_t /*value*/, std::string& /*text*/) {}
  /// Called after each instruction that matched: whether to stop printing.
  virtual bool stops() { return false; }
};

/// Options for printing.
struct VIREO_API PrintOptions {
  bool show_errors = true;       ///< append annotations about faults
  bool branch_labels = false;    ///< l12, fxn12 and entry points instead of numbers
  std::uint32_t max_errors = 0;  ///< stop after more than this many bad instructions in a row; 0: never
  FloatStyle float_style = FloatStyle::Fixed;
  std::vector<EntryPoint> entry_points = {};  ///< shown with branch_labels only
  PrintListener* listener = nullptr;
};

struct WrittenAs;

/// Prints programs. Not thread-safe: use one printer per thread; they may share a Decoder.
class VIREO_API Printer {
 public:
  /// The decoder, its model and the listener are borrowed and must outlive the printer.
  Printer(const Decoder& decoder, PrintOptions options);
  ~Printer();
  Printer(Printer&&) noexcept;

  /// Prints a program of units in little-endian byte order. Ignores bytes after the last whole unit. False if the sink
  /// failed.
  bool print(std::string_view bytes, TextSink& sink);

  /// Appends the text of one instruction at index 0, without labels and without the end of the line. If no leaf
  /// matches, appends `no match: HEX` and returns false (Decoder::decode() gives the reason).
  bool print_word(std::span<const BitWord> words, std::uint32_t bits, std::string& text);

  /// For the assembler: the same, with the displays and names in `aliases` replaced.
  bool print_word(std::span<const BitWord> words, std::uint32_t bits, std::span<const WrittenAs> aliases,
                  std::string& text);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace vireo::isa

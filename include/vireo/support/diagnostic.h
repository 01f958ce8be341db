// SPDX-License-Identifier: Apache-2.0
//
// Diagnostics: what is wrong with the input, as data.
//
// The one idea: a room that meets a fault describes it here and goes on; how it looks (carets, JSON, SARIF) is decided
// elsewhere (vireo/support/render.h). A diagnostic has a rule (a stable name that scripts may match), a severity, a place,
// one lower-case sentence without a full stop, notes that point at the other half, and sometimes a hint.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vireo/support/api.h"
#include "vireo/support/source.h"

namespace vireo {

/// Errors fail what was asked for; warnings and notes do not.
enum class Severity : std::uint8_t { Note, Warning, Error };

/// Where something stands: in a text (a byte range), or in a module of words (an instruction, and a word of it).
struct VIREO_API Location {
  enum class Kind : std::uint8_t { None, Text, Words };

  Kind kind = Kind::None;
  std::uint64_t begin = 0;  ///< Text: first byte. Words: word offset from the start of the module (header included)
  std::uint64_t end = 0;    ///< one past the last byte or word
  std::uint64_t instruction =
      0;  ///< Words: ordinal of the instruction, counted from 1; 0 = the header or no instruction

  static constexpr Location none() { return {}; }
  static constexpr Location in_text(ByteRange range) { return {Kind::Text, range.begin, range.end, 0}; }
  static constexpr Location in_text(std::uint64_t begin, std::uint64_t end) { return {Kind::Text, begin, end, 0}; }
  static constexpr Location in_words(std::uint64_t begin, std::uint64_t end, std::uint64_t instruction) {
    return {Kind::Words, begin, end, instruction};
  }
  friend constexpr bool operator==(const Location&, const Location&) = default;
};

/// The other half of a diagnostic: "first defined here".
struct VIREO_API Note {
  Location where;
  std::string message;
};

/// One thing that is wrong, complete: renderers need nothing beside it but the source it points into.
struct VIREO_API Diagnostic {
  std::string_view rule;  ///< stable name in kebab-case, a string with static lifetime: "unknown-opcode"
  Severity severity = Severity::Error;
  Location where;
  std::string message;  ///< lower case, no full stop
  std::vector<Note> notes;
  std::string hint;  ///< what to write instead, where the intent is clear; empty otherwise
  std::string path;  ///< JSON path of the fault (`$.instructions[3].opcode`) for grammar files; empty otherwise
};

/// Proof that an error was reported. Only Diagnostics makes one and a Result<T> passes it on, so no function fails in
/// silence (result.h).
class VIREO_API Reported {
  friend class Diagnostics;
  template <typename T>
  friend class Result;
  constexpr Reported() = default;
};

/// The sink: collects diagnostics in the order of their reporting and counts them by severity.
/// Keeps at most `limit` errors, and as many warnings and notes; later ones are counted, not kept, so broken input
/// cannot fill memory. The two are limited apart, so that warnings, however many, never keep an error out.
class VIREO_API Diagnostics {
 public:
  static constexpr std::size_t default_limit = 1000;

  explicit Diagnostics(std::size_t limit = default_limit) : limit_(limit) {}

  /// Takes one diagnostic. What it gives makes a Result fail: `return diagnostics.error(…);`.
  Reported report(Diagnostic diagnostic);
  /// The same of its parts. The text behind `rule` is not copied: it must live as long as the program.
  Reported error(std::string_view rule, Location where, std::string message, std::string hint = {});
  void warning(std::string_view rule, Location where, std::string message, std::string hint = {});

  /// Counts findings that are not to be kept; they take no room. Notes have no count.
  void count(Severity severity, std::size_t more) {
    if (severity == Severity::Error) errors_ += more;
    if (severity == Severity::Warning) warnings_ += more;
  }
  /// Adds a note to the diagnostic reported last, if that one was kept.
  void note(Location where, std::string message);

  /// Those that were kept, in the order of reporting.
  [[nodiscard]] const std::vector<Diagnostic>& all() const { return kept_; }
  [[nodiscard]] std::size_t error_count() const { return errors_; }      ///< all errors, kept or not
  [[nodiscard]] std::size_t warning_count() const { return warnings_; }  ///< all warnings, kept or not
  [[nodiscard]] bool has_errors() const { return errors_ != 0; }
  /// Whether no further error will be kept: work that only improves a message, such as a hint, can then be left out.
  [[nodiscard]] bool is_full() const { return kept_errors_ >= limit_; }

  /// Orders what was kept by place (header and placeless first), keeping the order of reporting for equal places.
  void sort_by_place();

 private:
  std::vector<Diagnostic> kept_;
  std::size_t limit_;
  std::size_t kept_errors_ = 0;
  std::size_t errors_ = 0;
  std::size_t warnings_ = 0;
  bool last_was_kept_ = false;
};

}  // namespace vireo

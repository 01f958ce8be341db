// SPDX-License-Identifier: Apache-2.0
//
// Diagnostics: the faults of an input, as data.
//
// A component that finds a fault adds a diagnostic and continues. A renderer (vireo/support/render.h)
// later writes all diagnostics in one format: text with carets, JSON, SARIF. A diagnostic has a rule (a stable name
// that scripts may match), a severity, a location, and one lower-case sentence without a full stop. It may also have
// notes with related locations, and a hint.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vireo/support/api.h"
#include "vireo/support/source.h"

namespace vireo {

/// An error makes the operation fail; warnings and notes do not.
enum class Severity : std::uint8_t { Note, Warning, Error };

/// A location: a range of bytes in a text, or a range of words in a module.
struct VIREO_API Location {
  enum class Kind : std::uint8_t { None, Text, Words };

  Kind kind = Kind::None;
  std::uint64_t begin = 0;  ///< Text: first byte. Words: first word, counted from the start of the module's header
  std::uint64_t end = 0;    ///< one past the last byte or word
  std::uint64_t instruction =
      0;                    ///< Words: number of the instruction, counted from 1; 0 = the header or no instruction
  std::uint32_t input = 0;  ///< index of the input that it refers to, if a function has several

  static constexpr Location none() { return {}; }
  static constexpr Location in_text(ByteRange range) { return {Kind::Text, range.begin, range.end, 0}; }
  static constexpr Location in_text(std::uint64_t begin, std::uint64_t end) { return {Kind::Text, begin, end, 0}; }
  static constexpr Location in_words(std::uint64_t begin, std::uint64_t end, std::uint64_t instruction) {
    return {Kind::Words, begin, end, instruction};
  }
  friend constexpr bool operator==(const Location&, const Location&) = default;
};

/// A change of the input that removes a fault: replaces the range `where` by other words or by a text. An empty range is
/// an insertion before `where.begin`.
struct VIREO_API Change {
  Location where = {};             ///< `instruction`: the changed one; for an insertion of instructions the one before
  bool is_in_instruction = false;  ///< Words: the range is part of `where.instruction`, whose word count changes
  std::vector<std::uint32_t> words = {};  ///< Words: the new words; if not in an instruction, whole instructions
  std::string text = {};                  ///< Text: the new bytes
  friend bool operator==(const Change&, const Change&) = default;
};

/// A position in a source file that the input was compiled from. Lines and columns count from 1; 0: unknown. The end is
/// one past the last column.
struct VIREO_API SourcePosition {
  std::string file;
  std::uint32_t line = 0, column = 0;
  std::uint32_t end_line = 0, end_column = 0;
  std::string text = {};  ///< the line without its line end; empty: unknown
};

/// A secondary message of a diagnostic, with its own location: "first defined here".
struct VIREO_API Note {
  Location where;
  std::string message;
  /// The position for readers, if it is in another file than that of the diagnostic.
  std::optional<SourcePosition> source = {};
  /// Whether it is a further finding, which follows from the same fault as the diagnostic.
  bool is_consequence = false;
};

/// One fault. Owns its strings, except for the rule. A renderer also needs the text that `where` refers to.
struct VIREO_API Diagnostic {
  std::string_view rule;  ///< stable name in kebab-case, a string with static lifetime: "unknown-opcode"
  Severity severity = Severity::Error;
  Location where = {};
  std::string message = {};  ///< lower case, no full stop
  std::vector<Note> notes = {};
  std::string hint = {};  ///< suggested replacement, if the intent is clear; else empty
  std::string path = {};  ///< JSON path of the fault (`$.instructions[3].opcode`) for grammar files; empty otherwise
  /// The violated requirement of another document, such as a VUID of Vulkan; often empty.
  std::string requirement = {};
  /// The changes that remove the fault, in ascending order; empty if no remedy is certain.
  std::vector<Change> fix = {};
  /// The primary position for readers, if it is in another file than `where`.
  std::optional<SourcePosition> source = {};
};

/// Proof that an error was reported. Only Diagnostics creates one, and a failed Result<T> must contain one. So no
/// function can fail silently (result.h).
class VIREO_API Reported {
  friend class Diagnostics;
  template <typename T>
  friend class Result;
  constexpr Reported() = default;
};

/// Collects diagnostics in the order in which they are reported, and counts them by severity. Keeps at most `limit`
/// errors, and at most `limit` warnings and notes together. Diagnostics beyond a limit are counted but not kept, so
/// broken input cannot fill memory. The two limits are separate: warnings never displace an error.
class VIREO_API Diagnostics {
 public:
  static constexpr std::size_t default_limit = 1000;

  explicit Diagnostics(std::size_t limit = default_limit) : limit_(limit) {}

  /// Adds one diagnostic. A function that returns a Result can return the value: `return diagnostics.report(…);`.
  Reported report(Diagnostic diagnostic);
  /// Adds an error or a warning with these parts. `rule` is not copied: its characters must have static lifetime.
  Reported error(std::string_view rule, Location where, std::string message, std::string hint = {});
  void warning(std::string_view rule, Location where, std::string message, std::string hint = {});

  /// Adds `more` to the number of errors or warnings without adding diagnostics. Notes are not counted.
  void count(Severity severity, std::size_t more) {
    if (severity == Severity::Error) errors_ += more;
    if (severity == Severity::Warning) warnings_ += more;
  }
  /// Adds a note to the diagnostic that was reported last, if that diagnostic was kept.
  void note(Location where, std::string message);

  /// The diagnostics that were kept, in the order in which they were reported.
  [[nodiscard]] const std::vector<Diagnostic>& all() const { return kept_; }
  [[nodiscard]] std::size_t error_count() const { return errors_; }      ///< all errors, kept or not
  [[nodiscard]] std::size_t warning_count() const { return warnings_; }  ///< all warnings, kept or not
  [[nodiscard]] bool has_errors() const { return errors_ != 0; }
  /// True if no further error will be kept. The caller can then skip work that only improves a message, such as a hint.
  [[nodiscard]] bool is_full() const { return kept_errors_ >= limit_; }

  /// Calls `change` for each kept diagnostic. It must not change the severity.
  template <typename Change>
  void change_each(Change change) {
    for (Diagnostic& diagnostic : kept_) change(diagnostic);
  }
  /// Makes all warnings errors.
  void raise_warnings();
  /// Sorts the kept diagnostics by the start of their locations; those without a location come first. The sort is
  /// stable.
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

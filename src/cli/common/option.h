// SPDX-License-Identifier: Apache-2.0
//
// Descriptors of options, and the parsed command line.
//
// An option is a constant, and code asks for its value by that constant. The parser, `-h`, `--help`, the
// man pages, the completion scripts of three shells and the suggestions for misspellings all read the descriptors, so
// they cannot disagree. An option of one command is in the file of the command; common ones are in shared_options.h.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vireo::cli {

/// The value of an option.
enum class ValueKind : std::uint8_t {
  None,  // no value; `=true` and `=false` are accepted
  Text,
  Count,           // a decimal number
  Choice,          // one of the choices
  OptionalChoice,  // optional: one of the choices, by default the first
};

struct Option;

/// What few options have.
struct OptionTraits {
  std::string_view suggestions = {};   ///< the choices of a text
  std::string_view words = {};         ///< completion scripts offer the words of `vireo completion --words=KIND`
  std::string_view word_values = {};   ///< they may follow such a word and a `=`
  std::string_view file_purpose = {};  ///< the value is a file, or `-` for standard input: "the grammar"
  bool replaces_inputs = false;        ///< with it, the command reads no operands and no standard input
  std::uint64_t preset = 0;            ///< a default that the summary ends with; 0 = none
  const Option* variant_of = nullptr;  ///< code that asks for that option finds this one
};

/// An option of a command. Options are constants with static storage:
///
///   constexpr CountOption jobs_option("-j, --jobs=N", "process N inputs in parallel");
///
/// The spelling is that of help texts: a letter, a name, or both; then the placeholder of the value.
struct Option {
  ValueKind kind = ValueKind::None;
  char letter = 0;                ///< 0 = none
  std::string_view name = {};     ///< without dashes; empty = only a letter
  std::string_view value = {};    ///< placeholder: "FILE"
  std::string_view choices = {};  ///< separated by '|'; for a text they are suggestions only
  std::string_view summary = {};  ///< one line
  std::string_view details = {};  ///< further text for --help; may be empty
  OptionTraits traits = {};

  constexpr Option() = default;
  constexpr Option(ValueKind own_kind, std::string_view spelling, std::string_view own_choices,
                   std::string_view own_summary, std::string_view own_details, const OptionTraits& own_traits)
      : kind(own_kind), choices(own_choices), summary(own_summary), details(own_details), traits(own_traits) {
    if (!spelling.starts_with("--")) {
      letter = spelling[1];
      spelling.remove_prefix(spelling.substr(2).starts_with(", ") ? 4 : 2);
    }
    const std::size_t end = std::min(spelling.find_first_of(" ="), spelling.size());
    name = spelling.substr(0, end);
    if (!name.empty()) name.remove_prefix(2);
    value = spelling.substr(std::min(end + 1, spelling.size()));
  }

  /// A variant for another command, with other texts.
  [[nodiscard]] constexpr Option with(std::string_view new_summary, std::string_view new_details = {}) const {
    Option changed = *this;
    changed.summary = new_summary;
    changed.details = new_details;
    changed.traits.variant_of = &origin();
    return changed;
  }
  [[nodiscard]] constexpr const Option& origin() const {
    return traits.variant_of == nullptr ? *this : *traits.variant_of;
  }
  /// The summary with the default value.
  [[nodiscard]] std::string full_summary() const;
};

// The kinds of options. Each is only a constructor: spelling, summary, details.
struct Flag : Option {
  constexpr Flag(std::string_view spelling, std::string_view text, std::string_view more = {},
                 const OptionTraits& also = {})
      : Option(ValueKind::None, spelling, {}, text, more, also) {}
};
struct TextOption : Option {
  constexpr TextOption(std::string_view spelling, std::string_view text, std::string_view more = {},
                       const OptionTraits& also = {})
      : Option(ValueKind::Text, spelling, also.suggestions, text, more, also) {}
};
struct CountOption : Option {
  constexpr CountOption(std::string_view spelling, std::string_view text, std::string_view more = {},
                        const OptionTraits& also = {})
      : Option(ValueKind::Count, spelling, {}, text, more, also) {}
};
struct ChoiceOption : Option {
  constexpr ChoiceOption(std::string_view spelling, std::string_view values, std::string_view text,
                         std::string_view more = {}, const OptionTraits& also = {})
      : Option(ValueKind::Choice, spelling, values, text, more, also) {}
};

using OptionSpan = std::span<const Option* const>;

namespace detail {
template <typename Part>
inline constexpr std::size_t option_count = 1;
template <typename Row, std::size_t N>
inline constexpr std::size_t option_count<std::array<Row, N>> = N;

constexpr void append_options(const Option**& end, const Option& option) { *end++ = &option; }
constexpr void append_options(const Option**& end, const Option* option) { *end++ = option; }
template <typename Row, std::size_t N>
constexpr void append_options(const Option**& end, const std::array<Row, N>& options) {
  for (const Row& row : options) append_options(end, row);
}
}  // namespace detail

/// A list of options, in the order of help texts. Each part is an option, an array of options, or another list. Two
/// options with the same spelling do not compile.
template <typename... Parts>
consteval auto option_list(const Parts&... parts) {
  std::array<const Option*, (detail::option_count<Parts> + ...)> list{};
  const Option** end = list.data();
  (detail::append_options(end, parts), ...);
  for (const Option* a : list) {
    for (const Option* b : list) {
      const bool is_equal = (!a->name.empty() && a->name == b->name) || (a->letter != 0 && a->letter == b->letter);
      if (a != b && is_equal) throw "two options with the same spelling";
    }
  }
  return list;
}

/// The options in the rows of a table that says more about each.
template <typename Row, std::size_t N, typename Kind>
consteval std::array<const Option*, N> options_in(const Row (&rows)[N], Kind Row::*option) {
  std::array<const Option*, N> list{};
  for (std::size_t i = 0; i < N; ++i) list[i] = &(rows[i].*option);
  return list;
}

/// The items of "a|b|c".
std::vector<std::string_view> split_choices(std::string_view choices);

/// The parsed command line: the values of each option in order, and the operands. Owns its texts: views of them are
/// valid as long as it exists.
class ParsedOptions {
 public:
  [[nodiscard]] bool has(const Option& option) const;
  /// The last value of the option, or `otherwise`.
  [[nodiscard]] std::string_view value(const Option& option, std::string_view otherwise = {}) const;
  [[nodiscard]] std::vector<std::string_view> values(const Option& option) const;
  /// The value of a Count option; the parser has checked its range.
  [[nodiscard]] std::size_t count(const Option& option, std::size_t otherwise) const;
  /// The same for a smaller number: a larger value becomes the largest one.
  [[nodiscard]] std::uint32_t count_up_to_max(const Option& option, std::uint32_t otherwise) const;
  /// All options in the order of the command line, without variants. The value of an option without one is its name.
  [[nodiscard]] std::span<const std::pair<const Option*, std::string>> in_order() const { return given_; }
  [[nodiscard]] const std::vector<std::string>& operands() const { return operands_; }

  void add(const Option& option, std::string value) { given_.emplace_back(&option.origin(), std::move(value)); }
  void remove(const Option& option);
  void add_operand(std::string operand) { operands_.push_back(std::move(operand)); }

 private:
  std::vector<std::pair<const Option*, std::string>> given_;
  std::vector<std::string> operands_;
};

}  // namespace vireo::cli

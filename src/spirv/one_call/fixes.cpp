// SPDX-License-Identifier: Apache-2.0
//
// Applies fixes, and converts changes of words to changes of the assembly text.
//
// An inserted instruction is disassembled, gets the id names of the text, and becomes a line of its own
// after the instruction before it. All other bytes of the text stay, so comments and layout are kept.
#include "vireo/spirv/one_call/fixes.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spirv/module/word_changes.h"
#include "spirv/text/text_names.h"
#include "vireo/spirv/binary/instruction.h"
#include "vireo/spirv/text/disassemble.h"
#include "vireo/spirv/text/listing.h"

namespace vireo::spirv {
namespace {

// The column of opcodes in the layout of spirv-dis, counted from 0.
constexpr std::size_t usual_opcode_column = 15;

class TextChanges {
 public:
  TextChanges(std::string_view text, const SourceMap& map, Words words, const Grammar* grammar)
      : text_(text),
        map_(map),
        words_(words),
        grammar_(grammar),
        offsets_(instruction_offsets(words)),
        names_(text, map, words, offsets_) {}

  /// Returns nothing if the text cannot express the change: a word of the header, or an id that the text does not name.
  [[nodiscard]] std::optional<Change> in_text(const Change& change) const {
    if (change.where.kind != Location::Kind::Words) return change;
    if (change.where.instruction > offsets_.size()) return std::nullopt;
    const bool is_insertion = change.where.begin == change.where.end;
    if (change.is_in_instruction) return operand_change(change);
    if (is_insertion) return insertion(change);
    if (change.words.empty()) return removal(change);
    return std::nullopt;
  }

 private:
  // The text of an instruction with the names of the text, and its tokens.
  struct Printed {
    std::string text;
    SourceMap map;
  };

  [[nodiscard]] std::optional<Printed> print(Words instruction) const {
    WordBuffer module(words_.begin(), words_.begin() + header_word_count);
    module.insert(module.end(), instruction.begin(), instruction.end());
    StringSink sink;
    SourceMap map;
    Diagnostics problems;
    const DisassembleOptions style{.grammar = grammar_, .header = false, .indent = false, .friendly_names = false};
    if (!disassemble(module, style, sink, problems, &map)) return std::nullopt;
    const std::string raw = std::move(sink).text();
    Printed printed;
    std::size_t taken = 0;
    for (Token token : map.tokens()) {
      const std::size_t end = token.begin + token.length;
      if (token.begin < taken) return std::nullopt;
      printed.text.append(raw, taken, token.begin - taken);
      const std::string_view part = std::string_view(raw).substr(token.begin, token.length);
      const std::size_t begin = printed.text.size();
      if (part.starts_with('%') && token.word < instruction.size()) {
        const std::string_view name = names_.of(instruction[token.word]);
        if (name.empty()) return std::nullopt;
        printed.text.append(name);
      } else {
        printed.text.append(part);
      }
      token.begin = begin;
      token.length = static_cast<std::uint32_t>(printed.text.size() - begin);
      printed.map.add(token);
      taken = end;
    }
    printed.text.append(raw, taken);
    while (printed.text.ends_with('\n')) printed.text.pop_back();
    return printed;
  }

  // --- whole instructions ---

  [[nodiscard]] std::optional<Change> insertion(const Change& change) const {
    std::vector<std::string> instructions;
    for (const InstructionView view : Instructions(Words(change.words), 0)) {
      const std::optional<Printed> printed = print(view.words());
      if (!printed) return std::nullopt;
      instructions.push_back(printed->text);
    }
    const std::uint64_t before = change.where.instruction;
    if (before == 0) return insertion_at_start(instructions);
    const ByteRange range = map_.range_of(before);
    const ByteRange next = map_.range_of(before + 1);
    const std::size_t end = line_end(range.end);
    std::string text;
    // Several instructions in one line: the new one follows in the line.
    const bool shares_line = next.begin != next.end && next.begin < end;
    for (const std::string& each : instructions) {
      text.append(shares_line ? std::string(" ") : newline(end) + indent_like(before)).append(each);
    }
    return Change{.where = Location::in_text(shares_line ? range.end : end, shares_line ? range.end : end),
                  .text = std::move(text)};
  }

  [[nodiscard]] Change insertion_at_start(const std::vector<std::string>& instructions) const {
    const ByteRange first = map_.range_of(1);
    const bool is_empty = first.begin == first.end;
    const std::size_t at = is_empty ? text_.size() : line_begin(first.begin);
    std::string text;
    for (const std::string& each : instructions) {
      text.append(is_empty ? std::string() : indent_like(1)).append(each).append(newline(line_end(at)));
    }
    return {.where = Location::in_text(at, at), .text = std::move(text)};
  }

  [[nodiscard]] Change removal(const Change& change) const {
    const ByteRange range = map_.range_of(change.where.instruction);
    const std::size_t begin = line_begin(range.begin), end = line_end(range.end);
    const ByteRange next = map_.range_of(change.where.instruction + 1);
    const bool has_next = next.begin != next.end && next.begin < end;
    const bool follows_code =
        text_.substr(begin, range.begin - begin).find_first_not_of(" \t") != std::string_view::npos;
    if (has_next || follows_code) return {.where = Location::in_text(range)};
    return {.where = Location::in_text(begin, std::min(end + newline(end).size(), text_.size()))};
  }

  // --- operands ---

  [[nodiscard]] std::optional<Change> operand_change(const Change& change) const {
    const std::uint64_t ordinal = change.where.instruction;
    const std::uint32_t offset = offsets_[ordinal - 1];
    const Word* const old = words_.data() + offset;
    const std::size_t old_count = word_count_of(*old);
    const std::size_t first = change.where.begin - offset, end = change.where.end - offset;
    if (first > end || end > old_count) return std::nullopt;
    WordBuffer words(old, old + first);
    words.insert(words.end(), change.words.begin(), change.words.end());
    words.insert(words.end(), old + end, old + old_count);
    words.front() = first_word(words.size(), opcode_of(*old));
    const std::optional<Printed> printed = print(words);
    if (!printed) return std::nullopt;
    const ByteRange added = range_of_words(printed->map, 1, first, first + change.words.size());
    std::string text = printed->text.substr(added.begin, added.end - added.begin);
    if (first == end) {  // an insertion: after the operand before it
      const ByteRange previous = range_of_words(map_, ordinal, first - 1, first);
      const std::size_t at = first == old_count ? map_.range_of(ordinal).end : previous.end;
      return Change{.where = Location::in_text(at, at), .text = ' ' + text};
    }
    ByteRange removed = range_of_words(map_, ordinal, first, end);
    if (removed.begin == removed.end) return std::nullopt;
    // A removed operand leaves no space.
    while (change.words.empty() && removed.begin > 0 && is_blank(text_[removed.begin - 1])) --removed.begin;
    return Change{.where = Location::in_text(removed), .text = std::move(text)};
  }

  // From the first to the last token of these words.
  static ByteRange range_of_words(const SourceMap& map, std::uint64_t ordinal, std::size_t first, std::size_t end) {
    const std::vector<Token>& tokens = map.tokens();
    auto token = std::ranges::lower_bound(tokens, ordinal, {}, &Token::instruction);
    ByteRange range{};
    for (; token != tokens.end() && token->instruction == ordinal; ++token) {
      if (token->word_count == 0 || token->word < first || token->word >= end) continue;
      if (range.begin == range.end) range = token->range();
      range.end = token->range().end;
    }
    return range;
  }

  // --- lines ---

  static bool is_blank(char c) { return c == ' ' || c == '\t'; }
  [[nodiscard]] std::size_t line_begin(std::size_t at) const {
    const std::size_t before = text_.substr(0, at).rfind('\n');
    return before == std::string_view::npos ? 0 : before + 1;
  }
  // The offset of the line's end: of its "\n" or "\r\n", or the end of the text.
  [[nodiscard]] std::size_t line_end(std::size_t at) const {
    const std::size_t end = std::min(text_.find('\n', at), text_.size());
    return end > at && end < text_.size() && text_[end - 1] == '\r' ? end - 1 : end;
  }
  [[nodiscard]] std::string newline(std::size_t line_end) const {
    return text_.substr(line_end).starts_with("\r\n") ? "\r\n" : "\n";
  }
  // The indentation for an instruction without a result beside this one.
  [[nodiscard]] std::string indent_like(std::uint64_t ordinal) const {
    const std::size_t begin = line_begin(map_.range_of(ordinal).begin);
    const std::size_t opcode = map_.range_of(ordinal, 0).begin;
    // If the neighbour has a result before its opcode, only the usual layout aligns opcodes.
    if (opcode - begin == usual_opcode_column) return std::string(usual_opcode_column, ' ');
    const std::string_view line = text_.substr(begin);
    return std::string(line.substr(0, std::min(line.find_first_not_of(" \t"), line.size())));
  }

  const std::string_view text_;
  const SourceMap& map_;
  const Words words_;
  const Grammar* const grammar_;
  const std::vector<std::uint32_t> offsets_;  // of the instructions
  const TextNames names_;
};

}  // namespace

Diagnostics point_into_text(const Diagnostics& diagnostics, Words words, const SourceMap& map, std::string_view text,
                            const Grammar* grammar) {
  Diagnostics turned = point_into_text(diagnostics, words, map);
  const bool has_fix = std::ranges::any_of(turned.all(), [](const Diagnostic& each) { return !each.fix.empty(); });
  if (!has_fix) return turned;
  const TextChanges changes(text, map, words, grammar);
  Diagnostics with_fixes(std::numeric_limits<std::size_t>::max());
  for (Diagnostic diagnostic : turned.all()) {
    for (Change& change : diagnostic.fix) {
      std::optional<Change> in_text = changes.in_text(change);
      if (!in_text) {
        diagnostic.fix.clear();  // a fix is applied as a whole
        break;
      }
      change = std::move(*in_text);
    }
    with_fixes.report(std::move(diagnostic));
  }
  return with_fixes;
}

WordBuffer apply_fixes(Words words, std::span<const Diagnostic> findings, const Grammar* grammar) {
  return apply_changes(words, ordered_changes(findings, grammar != nullptr ? *grammar : builtin_grammar()));
}

std::string apply_fixes(std::string_view text, const SourceMap& map, Words words, std::span<const Diagnostic> findings,
                        const Grammar* grammar) {
  const TextChanges changes(text, map, words, grammar);
  std::vector<Diagnostic> possible;
  for (const Diagnostic& finding : findings) {
    const auto is_possible = [&](const Change& change) { return changes.in_text(change).has_value(); };
    if (std::ranges::all_of(finding.fix, is_possible)) possible.push_back(finding);
  }
  std::vector<Change> in_text;
  for (const Change& change : ordered_changes(possible, grammar != nullptr ? *grammar : builtin_grammar())) {
    if (std::optional<Change> each = changes.in_text(change)) in_text.push_back(std::move(*each));
  }
  // Instructions of one position keep their order.
  std::ranges::stable_sort(in_text, {}, [](const Change& change) { return change.where.begin; });
  std::string fixed;
  std::size_t taken = 0;
  for (const Change& change : in_text) {
    if (change.where.begin < taken) continue;
    fixed.append(text.substr(taken, change.where.begin - taken)).append(change.text);
    taken = change.where.end;
  }
  return fixed.append(text.substr(taken));
}

}  // namespace vireo::spirv

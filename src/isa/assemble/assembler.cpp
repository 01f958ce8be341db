// SPDX-License-Identifier: Apache-2.0
//
// Assembles one line into one word, and verifies the word by decoding it.
#include "isa/assemble/assembler.h"

#include <algorithm>

#include "isa/assemble/lines.h"
#include "isa/model/rules.h"
#include "support/nearest.h"
#include "vireo/isa/load.h"

namespace vireo::isa {
namespace {

// A description may name any number of generations. Each searched generation needs its own decoder and grammar.
constexpr std::size_t max_generations = 64;  // limit on generations searched for an instruction
constexpr std::uint64_t modes = 4;           // strict or loose, each with nearest or equivalent floats

// The limit that docs/isa-assembler.md states under "Bounds". Each candidate is verified at most twice: first without
// annotations, then with missing names.
static_assert(modes * (Parser::max_work + Parser::max_candidates * 2) <= AssembledLine::most_work);

// Joins alternatives (expected texts or generations): commas, and `or` before the last.
std::string joined(const std::vector<std::string>& list) {
  std::string text;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i != 0) text += i + 1 == list.size() ? " or " : ", ";
    text += list[i];
  }
  return text;
}

// Removes annotations about names without a definition from a printed line. Returns the whole line if it has any other
// annotation.
std::string_view without_missing_names(std::string_view printed) {
  constexpr std::string_view mark = "\t; ";
  const std::size_t begin = printed.rfind(mark);
  if (begin == std::string_view::npos) return printed;
  std::string_view rest = printed.substr(begin + mark.size());
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(", "), rest.size());
    if (!rest.starts_with("no field '")) return printed;
    rest.remove_prefix(std::min(end + 2, rest.size()));
  }
  return printed.substr(0, begin);
}

}  // namespace

LineAssembler::LineAssembler(const Decoder& decoder, AssembleOptions options)
    : decoder_(decoder),
      options_(std::move(options)),
      grammar_(decoder.model(), decoder.tables()),
      parser_(grammar_),
      printer_(decoder, {.listener = options_.listener}) {
  // If a display or a string of a field contains `//`, it does not start a comment. If one contains `;`, it starts a
  // comment only after a tab.
  const auto scan = [&](std::string_view text) {
    has_semicolon_ |= text.find(';') != std::string_view::npos;
    has_slashes_ |= text.find("//") != std::string_view::npos;
  };
  for (const Token& token : grammar_.tokens) scan(token.text);
  for (const StringSet& set : grammar_.string_sets) {
    for (const std::string& text : set.examples) scan(text);
  }
}

std::size_t LineAssembler::comment_of(std::string_view line) const {
  std::size_t at = line.size();
  const auto cut = [&](std::string_view mark) { at = std::min(at, line.find(mark)); };
  cut(has_semicolon_ ? "\t;" : ";");
  if (!has_slashes_) cut("//");
  return at;
}

bool LineAssembler::assemble_line(std::string_view text, const Context& context, AssembledLine& line, bool explains) {
  line.others.clear();
  line.is_complete = true;
  line.work = 0;
  if (text.size() > Parser::max_line) {
    line.fault = {rule::line_too_long, 0, text.size(), "a line has at most 4096 bytes", {}, {}};
    return false;
  }
  shorten(text, shortened_);
  if (shortened_.empty()) {
    line.fault = {rule::no_instruction, 0, text.size(), "expected an instruction", {}, {}};
    return false;
  }
  // The decoder prints this text for a word that no leaf matches. Accepting it makes listings round-trip.
  if (shortened_.starts_with("no match:") || shortened_.starts_with("raw 0x")) return read_raw(shortened_, line);
  Parser::Request request;
  request.text = shortened_;
  request.index = context.index;
  request.labels = context.labels;
  request.custom = options_.custom;
  request.listener = options_.listener;
  // Each mode accepts more than the one before. The exact text takes precedence over loose spellings, and the nearest
  // float over any float with the same text.
  for (const bool is_loose : {false, true}) {
    request.is_loose = is_loose;
    request.tries_ranges = false;
    if (choose(request, line)) return true;
    request.tries_ranges = true;
    if (parser_.met_computed_float() && choose(request, line)) return true;
  }
  if (explains) explain(text, context, line);
  return false;
}

// Reads a word that no leaf matches: `no match: HEX`, or Mesa's form, `raw 0x` and the 32-bit parts, lowest first. In
// Mesa's form, each part must have all its leading zeros; without them, the text is ambiguous.
bool LineAssembler::read_raw(std::string_view text, AssembledLine& line) const {
  const DecodeTables& tables = decoder_.tables();
  const bool is_parts = text.starts_with("raw 0x");
  std::string_view digits = text.substr(is_parts ? 6 : 9);
  while (digits.starts_with(' ')) digits.remove_prefix(1);
  if (!is_parts && digits.starts_with("0x")) digits.remove_prefix(2);
  // If instructions may have several units, the number of digits determines the size. The decoder also prints single
  // units when an instruction is truncated.
  const std::uint32_t unit = std::max(tables.unit_bits, 1u);
  const auto given = static_cast<std::uint32_t>(std::min<std::size_t>(digits.size() * 4, tables.max_bits));
  const std::uint32_t bits = std::max(unit, (given + unit - 1) / unit * unit);
  // The text has the lowest part first; parse_hex() expects the highest digits first.
  std::string ordered(digits);
  constexpr std::size_t part = 8;
  bool is_valid = true;
  if (is_parts) {
    is_valid = digits.size() == hex_digits(bits) && digits.size() % part == 0;
    for (std::size_t i = 0; is_valid && i < digits.size(); i += part)
      ordered.replace(digits.size() - part - i, part, digits.substr(i, part));
  }
  const std::optional<Bits> word = is_valid ? parse_hex(ordered, bits) : std::nullopt;
  if (word) {
    line.word = *word;
    return true;
  }
  const std::string bound = is_parts ? "exactly " : "at most ";
  std::string message = "expected a hexadecimal number of " + bound + std::to_string(hex_digits(bits)) + " digits";
  if (is_parts && hex_digits(bits) % part != 0)
    message = "'raw' requires an instruction size that is a multiple of 32 bits; this one has " + std::to_string(bits) +
              "; write 'no match: HEX'";
  line.fault = {rule::malformed_word, 0, text.size(), std::move(message), {}, {}};
  return false;
}

// Parses the line and takes the first candidate that passes verification.
bool LineAssembler::choose(const Parser::Request& request, AssembledLine& line) {
  parser_.parse(request);
  line.work += parser_.work();
  line.is_complete = !parser_.is_exhausted();
  // Prefer any word without annotations to every word with annotations, whatever its rank.
  return choose(request, Annotations::None, line) || choose(request, Annotations::MissingNames, line);
}

bool LineAssembler::choose(const Parser::Request& request, Annotations accepted, AssembledLine& line) {
  bool is_found = false;
  for (const Candidate& candidate : parser_.candidates()) {
    Bits word(candidate.bits);
    ++line.work;
    std::copy_n(parser_.words_of(candidate), word.words().size(), word.data());
    if (!verifies(word.words(), candidate.bits, parser_.aliases_of(candidate), parser_.expected_text(candidate),
                  request.is_loose, accepted)) {
      continue;
    }
    if (is_found) {
      line.others.push_back(std::move(word));
    } else {
      line.word = std::move(word);
      is_found = true;
    }
    if (!options_.reports_ambiguity) break;
  }
  return is_found;
}

// The assembler's guarantee: it returns a word only if the decoder prints the line for it with no other annotation.
bool LineAssembler::verifies(std::span<const BitWord> words, std::uint32_t bits, std::span<const WrittenAs> aliases,
                             std::string_view wanted, bool is_loose, Annotations accepted) {
  printed_.clear();
  // If the line used an alias, print the alias instead of the chosen display. The decoder still chooses the display.
  const bool matched = aliases.empty() ? printer_.print_word(words, bits, printed_)
                                       : printer_.print_word(words, bits, aliases, printed_);
  if (!matched) return false;
  // The decoder appends annotations to the line as a comment, so a word with an annotation does not compare equal.
  std::string_view text = printed_;
  if (accepted == Annotations::MissingNames) text = without_missing_names(text);
  return is_loose ? is_same_loosely(text, wanted) : is_same_text(text, wanted);
}

// --- faults ----------------------------------------------------------------------------------------------------------

void LineAssembler::explain(std::string_view text, const Context& context, AssembledLine& line) {
  // Parse the line once more, in the loosest mode, and record how far each path got. The earlier passes recorded
  // nothing, so they could skip work.
  Expectations expectations;
  Parser::Request request;
  request.text = shortened_;
  request.is_loose = true;
  request.index = context.index;
  request.labels = context.labels;
  request.custom = options_.custom;
  request.listener = options_.listener;
  request.expectations = &expectations;
  parser_.parse(request);
  line.work += parser_.work();
  const std::size_t at = original_position(text, expectations.position);
  std::size_t end = at;
  // The range to report: the word at this position, or the punctuation up to the next word.
  while (end < text.size() && is_word_character(text[end]) == is_word_character(text[at]) && text[end] != ' ') ++end;
  line.fault = {};
  line.fault.begin = at;
  line.fault.end = end;
  if (parser_.was_read()) {
    line.fault = {rule::no_encoding, 0, text.size(), "no instruction word prints this text", {}, {}};
    if (parser_.is_exhausted()) line.fault.notes.emplace_back("the search reached its limits");
  } else {
    // If no mnemonic precedes the position, the first word that is not a flag is an unknown instruction.
    const std::size_t word_begin = expectations.position;
    std::size_t word_end = word_begin;
    while (word_end < shortened_.size() && shortened_[word_end] != ' ') ++word_end;
    const std::string_view word = std::string_view(shortened_).substr(word_begin, word_end - word_begin);
    // If a mnemonic precedes the position, the instruction is known and an operand is wrong.
    const bool has_mnemonic =
        std::any_of(grammar_.productions.begin(), grammar_.productions.end(), [&](const Production& production) {
          return !production.mnemonic.empty() &&
                 std::string_view(shortened_).substr(0, word_begin).find(production.mnemonic) != std::string_view::npos;
        });
    if (!has_mnemonic && !word.empty() && expectations.reason.empty()) {
      explain_unknown(text, word, at, line);
    } else {
      line.fault.rule = rule::malformed_instruction;
      const std::string found = end == at ? "the end of the line" : "'" + std::string(text.substr(at, end - at)) + "'";
      line.fault.message = !expectations.reason.empty() ? expectations.reason
                           : expectations.what.empty()  ? "cannot parse " + found
                                                        : "expected " + joined(expectations.what) + ", found " + found;
    }
  }
  if (searches_generations_) find_generations(text, context, line);
}

// All mnemonics of this generation, sorted.
std::vector<std::string> LineAssembler::names() const {
  std::vector<std::string> result;
  for (const Production& production : grammar_.productions) {
    if (!production.mnemonic.empty()) result.emplace_back(production.mnemonic);
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

void LineAssembler::explain_unknown(std::string_view, std::string_view word, std::size_t at, AssembledLine& line) {
  line.fault.rule = rule::unknown_instruction;
  line.fault.begin = at;
  line.fault.end = at + word.size();
  line.fault.message = "unknown instruction '" + std::string(word) + "'";
  NearestNames nearest(word);
  const std::vector<std::string> all = names();
  for (const std::string& name : all) nearest.offer(name);
  line.fault.hint = did_you_mean(nearest.names());
}

// Lists the generations that accept the line. Only generations at which the instruction set changes are tried.
void LineAssembler::find_generations(std::string_view text, const Context& context, AssembledLine& line) {
  if (!has_other_generations_) {
    has_other_generations_ = true;
    // A leaf exists from the largest `min` of the bitsets in its inheritance chain, so the generations at which bitsets
    // begin cover every leaf.
    std::vector<std::uint32_t> gens;
    for (const Bitset& bitset : decoder_.model().bitsets()) {
      gens.push_back(bitset.own_gens.min);
      if (bitset.own_gens.max != ~std::uint32_t{0}) gens.push_back(bitset.own_gens.max);
    }
    std::sort(gens.begin(), gens.end());
    gens.erase(std::unique(gens.begin(), gens.end()), gens.end());
    for (const std::uint32_t gen : gens) {
      if (gen == decoder_.gen() || other_generations_.size() == max_generations) continue;
      DecodeOptions options = decoder_.options();
      options.gen = gen;
      OtherGeneration other{gen, std::make_unique<Decoder>(decoder_.model(), options), nullptr};
      AssembleOptions same = options_;
      same.reports_ambiguity = false;
      other.assembler = std::make_unique<LineAssembler>(*other.decoder, std::move(same));
      // Prevents recursion: the other assembler must not search further generations.
      other.assembler->searches_generations_ = false;
      other_generations_.push_back(std::move(other));
    }
  }
  std::vector<std::string> found;
  AssembledLine ignored;
  for (const OtherGeneration& other : other_generations_) {
    if (other.assembler->assemble_line(text, context, ignored, false)) found.push_back(std::to_string(other.gen));
    line.work += ignored.work;
  }
  if (!found.empty()) line.fault.notes.push_back("the line is valid in generation " + joined(found));
}

// --- public interface ------------------------------------------------------------------------------------------------

// Hides the grammar and the parser, whose headers are not installed.
class Assembler::Implementation {
 public:
  Implementation(const Decoder& decoder, AssembleOptions options) : lines(decoder, std::move(options)) {}
  LineAssembler lines;
};

Assembler::Assembler(const Decoder& decoder, AssembleOptions options)
    : implementation_(std::make_unique<Implementation>(decoder, std::move(options))) {}
Assembler::~Assembler() = default;
Assembler::Assembler(Assembler&&) noexcept = default;

bool Assembler::assemble_line(std::string_view text, AssembledLine& line) {
  LineAssembler& lines = implementation_->lines;
  return lines.assemble_line(text.substr(0, lines.comment_of(text)), {}, line, true);
}

AssembledProgram Assembler::assemble(std::string_view source, Diagnostics& diagnostics) {
  return assemble_program(implementation_->lines, source, diagnostics);
}

}  // namespace vireo::isa

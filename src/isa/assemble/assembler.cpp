// SPDX-License-Identifier: Apache-2.0
//
// One line → one word, proved.
#include "isa/assemble/assembler.h"

#include <algorithm>

#include "isa/assemble/lines.h"
#include "isa/model/rules.h"
#include "support/nearest.h"
#include "vireo/isa/load.h"

namespace vireo::isa {
namespace {

// A description may name any number of generations; each that is asked needs a decoder and a grammar of its own.
constexpr std::size_t max_generations = 64;  // that are searched for an instruction
constexpr std::uint64_t manners = 4;         // of reading a line

// What docs/isa-assembler.md promises under "Bounds".
// Each candidate is proved twice at most: without remarks, then with missing names.
static_assert(manners * (Parser::max_work + Parser::max_candidates * 2) <= AssembledLine::most_work);

// What can stand at a place, or generations: alternatives, so the last comma is an `or`.
std::string joined(const std::vector<std::string>& list) {
  std::string text;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i != 0) text += i + 1 == list.size() ? " or " : ", ";
    text += list[i];
  }
  return text;
}

// A printed line without remarks on names that stand for nothing; the whole line when there are others.
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
  // What begins a comment may be a mark of the language itself: then ` ; ` in a line would be cut off unread.
  const auto look_at = [&](std::string_view text) {
    has_semicolon_ |= text.find(';') != std::string_view::npos;
    has_slashes_ |= text.find("//") != std::string_view::npos;
  };
  for (const Token& token : grammar_.tokens) look_at(token.text);
  for (const StringSet& set : grammar_.string_sets) {
    for (const std::string& text : set.examples) look_at(text);
  }
}

std::size_t LineAssembler::comment_of(std::string_view line) const {
  std::size_t at = line.size();
  const auto cut = [&](std::string_view mark) { at = std::min(at, line.find(mark)); };
  cut(has_semicolon_ ? "\t;" : ";");
  if (!has_slashes_) cut("//");
  return at;
}

bool LineAssembler::assemble_line(std::string_view text, const Place& place, AssembledLine& line, bool explains) {
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
  // Words that no leaf matches. They come out of disassemblers, so they have to go in again: listings are round trips.
  if (shortened_.starts_with("no match:") || shortened_.starts_with("raw 0x")) return read_raw(shortened_, line);
  Parser::Request request;
  request.text = shortened_;
  request.index = place.index;
  request.labels = place.labels;
  request.custom = options_.custom;
  request.listener = options_.listener;
  // Each manner allows more than the one before, so what a printed text means is settled before liberties are taken, and a
  // float is the nearest value before it is any with the same text.
  for (const bool is_loose : {false, true}) {
    request.is_loose = is_loose;
    request.tries_ranges = false;
    if (choose(request, line)) return true;
    request.tries_ranges = true;
    if (parser_.met_computed_float() && choose(request, line)) return true;
  }
  if (explains) explain(text, place, line);
  return false;
}

// A word that nothing matches, as `no match: HEX`, or as Mesa's tests print it: `raw 0x` and the 32-bit parts, the lowest
// first. They leave out leading zeros of each part, and then nobody can tell what was meant.
bool LineAssembler::read_raw(std::string_view text, AssembledLine& line) const {
  const DecodeTables& tables = decoder_.tables();
  const bool is_parts = text.starts_with("raw 0x");
  std::string_view digits = text.substr(is_parts ? 6 : 9);
  while (digits.starts_with(' ')) digits.remove_prefix(1);
  if (!is_parts && digits.starts_with("0x")) digits.remove_prefix(2);
  // Where an instruction may have several units, the number of digits says how long this one is: the decoder prints single
  // units, too, where the rest of an instruction is missing.
  const std::uint32_t unit = std::max(tables.unit_bits, 1u);
  const auto given = static_cast<std::uint32_t>(std::min<std::size_t>(digits.size() * 4, tables.max_bits));
  const std::uint32_t bits = std::max(unit, (given + unit - 1) / unit * unit);
  // Parts stand lowest first in the text, numbers highest first.
  std::string ordered(digits);
  constexpr std::size_t part = 8;
  bool is_sound = true;
  if (is_parts) {
    is_sound = digits.size() == hex_digits(bits) && digits.size() % part == 0;
    for (std::size_t i = 0; is_sound && i < digits.size(); i += part)
      ordered.replace(digits.size() - part - i, part, digits.substr(i, part));
  }
  const std::optional<Bits> word = is_sound ? parse_hex(ordered, bits) : std::nullopt;
  if (word) {
    line.word = *word;
    return true;
  }
  const std::string bound = is_parts ? "exactly " : "at most ";
  std::string message = "expected a hexadecimal number of " + bound + std::to_string(hex_digits(bits)) + " digits";
  if (is_parts && hex_digits(bits) % part != 0)
    message =
        "'raw' has parts of 32 bits, found an instruction of " + std::to_string(bits) + ", expected 'no match: HEX'";
  line.fault = {rule::malformed_word, 0, text.size(), std::move(message), {}, {}};
  return false;
}

// Reads the line and takes the first candidate that proves itself.
bool LineAssembler::choose(const Parser::Request& request, AssembledLine& line) {
  parser_.parse(request);
  line.work += parser_.work();
  line.is_complete = !parser_.is_exhausted();
  // A word without remarks goes before any with them, wherever they stand in the list.
  return choose(request, Remarks::None, line) || choose(request, Remarks::MissingNames, line);
}

bool LineAssembler::choose(const Parser::Request& request, Remarks accepted, AssembledLine& line) {
  bool is_found = false;
  for (const Candidate& candidate : parser_.candidates()) {
    Bits word(candidate.bits);
    ++line.work;
    std::copy_n(parser_.words_of(candidate), word.words().size(), word.data());
    if (!proves(word.words(), candidate.bits, parser_.aliases_of(candidate), parser_.expected_text(candidate),
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

// The promise of the assembler: a word is given only if the decoder prints the line for it, and finds nothing odd.
bool LineAssembler::proves(std::span<const BitWord> words, std::uint32_t bits, std::span<const WrittenAs> aliases,
                           std::string_view wanted, bool is_loose, Remarks accepted) {
  printed_.clear();
  // What was read by an alias is printed with the alias in the place of what the decoder chose to show; it chooses still.
  const bool matched = aliases.empty() ? printer_.print_word(words, bits, printed_)
                                       : printer_.print_word(words, bits, aliases, printed_);
  if (!matched) return false;
  // Comparing texts also catches remarks: they are printed behind the line, and in a line they would be a comment, and
  // gone.
  std::string_view text = printed_;
  if (accepted == Remarks::MissingNames) text = without_missing_names(text);
  return is_loose ? is_same_loosely(text, wanted) : is_same_text(text, wanted);
}

// --- faults -------------------------------------------------------------------------------------------------------------

void LineAssembler::explain(std::string_view text, const Place& place, AssembledLine& line) {
  // The line is read once more, in the most generous manner, with somebody to note how far each path got. The readings
  // before noted nothing, so that they could take short cuts.
  Expectations expectations;
  Parser::Request request;
  request.text = shortened_;
  request.is_loose = true;
  request.index = place.index;
  request.labels = place.labels;
  request.custom = options_.custom;
  request.listener = options_.listener;
  request.expectations = &expectations;
  parser_.parse(request);
  line.work += parser_.work();
  const std::size_t at = place_in(text, expectations.position);
  std::size_t end = at;
  // To point at: the word that stands there, or the marks up to the next word.
  while (end < text.size() && is_word_character(text[end]) == is_word_character(text[at]) && text[end] != ' ') ++end;
  line.fault = {};
  line.fault.begin = at;
  line.fault.end = end;
  if (parser_.was_read()) {
    line.fault = {rule::no_encoding, 0, text.size(), "no bits print this text", {}, {}};
    if (parser_.is_exhausted()) line.fault.notes.emplace_back("the search was given up at its bounds");
  } else {
    // Nothing was understood of the first word that is no flag: it is the instruction that is unknown.
    const std::size_t word_begin = expectations.position;
    std::size_t word_end = word_begin;
    while (word_end < shortened_.size() && shortened_[word_end] != ' ') ++word_end;
    const std::string_view word = std::string_view(shortened_).substr(word_begin, word_end - word_begin);
    // Whether some instruction's name stands before that place; then the instruction is known, and its operands are
    // wrong.
    const bool any_head =
        std::any_of(grammar_.productions.begin(), grammar_.productions.end(), [&](const Production& production) {
          return !production.head.empty() &&
                 std::string_view(shortened_).substr(0, word_begin).find(production.head) != std::string_view::npos;
        });
    if (!any_head && !word.empty() && expectations.reason.empty()) {
      explain_unknown(text, word, at, line);
    } else {
      line.fault.rule = rule::malformed_instruction;
      const std::string found = end == at ? "the end of the line" : "'" + std::string(text.substr(at, end - at)) + "'";
      line.fault.message = !expectations.reason.empty() ? expectations.reason
                           : expectations.what.empty()  ? "this is not understood: " + found
                                                        : "expected " + joined(expectations.what) + ", found " + found;
    }
  }
  if (searches_generations_) find_generations(text, place, line);
}

// What instructions are called here.
std::vector<std::string> LineAssembler::names() const {
  std::vector<std::string> result;
  for (const Production& production : grammar_.productions) {
    if (!production.head.empty()) result.emplace_back(production.head);
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

void LineAssembler::explain_unknown(std::string_view, std::string_view word, std::size_t at, AssembledLine& line) {
  line.fault.rule = rule::unknown_instruction;
  line.fault.begin = at;
  line.fault.end = at + word.size();
  line.fault.message = "there is no instruction '" + std::string(word) + "'";
  NearestNames nearest(word);
  const std::vector<std::string> all = names();
  for (const std::string& name : all) nearest.offer(name);
  line.fault.hint = did_you_mean(nearest.names());
}

// Generations that understand the line: those at which something changes are asked.
void LineAssembler::find_generations(std::string_view text, const Place& place, AssembledLine& line) {
  if (!others_are_made_) {
    others_are_made_ = true;
    // A leaf exists at the latest beginning of its chain, so the beginnings alone already meet every leaf.
    std::vector<std::uint32_t> gens;
    for (const Bitset& bitset : decoder_.model().bitsets()) {
      gens.push_back(bitset.own_gens.min);
      if (bitset.own_gens.max != ~std::uint32_t{0}) gens.push_back(bitset.own_gens.max);
    }
    std::sort(gens.begin(), gens.end());
    gens.erase(std::unique(gens.begin(), gens.end()), gens.end());
    for (const std::uint32_t gen : gens) {
      if (gen == decoder_.gen() || others_.size() == max_generations) continue;
      DecodeOptions options = decoder_.options();
      options.gen = gen;
      Other other{gen, std::make_unique<Decoder>(decoder_.model(), options), nullptr};
      AssembleOptions same = options_;
      same.reports_ambiguity = false;
      other.assembler = std::make_unique<LineAssembler>(*other.decoder, std::move(same));
      // It must not ask others in its turn.
      other.assembler->searches_generations_ = false;
      others_.push_back(std::move(other));
    }
  }
  std::vector<std::string> found;
  AssembledLine ignored;
  for (const Other& other : others_) {
    if (other.assembler->assemble_line(text, place, ignored, false)) found.push_back(std::to_string(other.gen));
    line.work += ignored.work;
  }
  if (!found.empty()) line.fault.notes.push_back("generation " + joined(found) + " has it");
}

// --- the public side ----------------------------------------------------------------------------------------------------

// The public class hides the grammar and the parser, whose headers are not installed.
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

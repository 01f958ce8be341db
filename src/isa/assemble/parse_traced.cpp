// SPDX-License-Identifier: Apache-2.0
//
// What a search tells its trace: the questions that need the parser to be answered for other pieces.
//
// The one idea: a question about bits of one piece is asked again for every value that the piece may have, and the values
// that change the answer are put aside. That costs some hundred evaluations a question, but only where a line is about to
// be remembered. A question about several pieces fixes them all.
#include <algorithm>
#include <bit>

#include "isa/assemble/lines.h"
#include "isa/assemble/parser.h"

namespace vireo::isa {
namespace {

// What is read is no piece, or none that other lines may have otherwise.
constexpr LineTrace::Placed no_piece = {0, 0, LineTrace::none};

}  // namespace

// Half of each bound: other values may take another way through an expression, which costs a few steps more or less.
bool Parser::is_frugal() const {
  const Solver::Budget left = solver_.budget();
  return steps_ > max_steps / 2 && left.evaluations > Solver::max_evaluations / 2 &&
         left.steps > Solver::max_evaluations / 2 && left.solutions > Solver::max_solutions / 2;
}

// A constraint whose bits are all known held, or failed. For which other pieces does it do the same?
void Parser::trace_judgement(const Constraint& constraint, Solver::Verdict verdict) {
  LineTrace& trace = *request_.trace;
  if (!trace.is_usable()) return;
  // Questions on the side do not count in the search's budget: whether a line is traced must not change where it ends.
  asked_.assign(size_, 0);
  const Solver::Budget budget = solver_.budget();
  solver_.add_support(constraint, asked_.data());
  if (const std::optional<std::uint32_t> piece = trace.only_one_in(asked_.data())) {
    // This line's own value needs no try: it gave the verdict.
    const std::uint32_t own = trace.piece(*piece).value;
    for (std::uint32_t value = 0; value <= LineTrace::most_guarded; ++value) {
      if (value == own || !trace.is_allowed(*piece, value)) continue;
      if (!trace.may_try()) break;
      trace.put(*piece, value, word_.value);
      if (solver_.holds(constraint, word_.value) != (verdict == Solver::Verdict::Holds)) trace.disallow(*piece, value);
      solver_.set_budget(budget);
    }
    trace.put(*piece, own, word_.value);  // the search goes on where it was
  }
  solver_.set_budget(budget);
}

// The same for what is concluded from a constraint, which is more than an answer: bits become known.
Solver::Verdict Parser::trace_narrowing(Constraint& constraint, const std::vector<Constraint>& before) {
  LineTrace& trace = *request_.trace;
  if (!trace.is_usable()) return solver_.narrow(constraint, before, word_);
  const Solver::Budget budget = solver_.budget();
  asked_.assign(size_ * 2, 0);
  BitWord* support = asked_.data();
  BitWord* other_support = support + size_;
  solver_.add_support(constraint, support);
  // The solver tries a constraint out together with others on the same open bits, so pieces in those have their say,
  // too.
  std::vector<BitWord> open(size_);
  for (std::size_t i = 0; i < size_; ++i) open[i] = support[i] & ~word_.known[i];
  for (const Constraint& other : before) {  // those that may be tried out together with it
    std::fill_n(other_support, size_, 0);
    solver_.add_support(other, other_support);
    bool is_related = false;
    for (std::size_t i = 0; i < size_; ++i) is_related |= (other_support[i] & open[i]) != 0;
    for (std::size_t i = 0; is_related && i < size_; ++i) support[i] |= other_support[i];
  }
  const std::optional<std::uint32_t> piece = trace.only_one_in(support);
  solver_.set_budget(budget);
  // Without a piece in it, what is concluded is the same for every line of the shape.
  if (!piece) return solver_.narrow(constraint, before, word_);

  // Narrowing writes into the word, so each other value begins with the word as it was before.
  const std::vector<BitWord> saved = word_memory_;
  const Constraint given = constraint;
  const Solver::Verdict verdict = solver_.narrow(constraint, before, word_);
  const Solver::Budget spent = solver_.budget();
  std::vector<BitWord> expected;
  std::vector<BitWord> tried;
  const std::uint32_t own = trace.piece(*piece).value;
  for (std::uint32_t value = 0; value <= LineTrace::most_guarded; ++value) {
    if (value == own || !trace.is_allowed(*piece, value)) continue;
    if (!trace.may_try()) break;
    // What should come out is this line's result with the other value put in its place, known bits included.
    tried = saved;
    trace.put(*piece, value, tried.data());
    expected = word_memory_;
    trace.put(*piece, value, expected.data());
    // Where both fail it does not matter what the word looks like: the search goes back behind it.
    Constraint again = given;
    solver_.set_budget(budget);
    const bool is_same = solver_.narrow(again, before, {tried.data(), tried.data() + size_}) == verdict &&
                         (verdict == Solver::Verdict::Fails || tried == expected);
    if (!is_same) trace.disallow(*piece, value);
  }
  solver_.set_budget(spent);
  return verdict;
}

// What Solver::settle does, step by step.
// The order is the same, too, so that a traced line becomes the word that it becomes untraced.
bool Parser::settle_traced() {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < pending_.size();) {
      Solver::Verdict verdict = solver_.judge(pending_[i], word_);
      if (verdict == Solver::Verdict::Open) verdict = trace_narrowing(pending_[i], pending_);
      else trace_judgement(pending_[i], verdict);
      if (verdict == Solver::Verdict::Fails) return false;
      if (verdict == Solver::Verdict::Open) {
        ++i;
        continue;
      }
      pending_[i] = pending_.back();
      pending_.pop_back();
      changed = true;
    }
  }
  return true;
}

// What is left for the search is not tried with other pieces: that would be a search for each of them. Few lines get here
// with a number in question, as wired equations are settled before.
void Parser::trace_pending(const std::vector<Constraint>& pending) {
  const Solver::Budget budget = solver_.budget();
  asked_.assign(size_, 0);
  for (const Constraint& constraint : pending) solver_.add_support(constraint, asked_.data());
  request_.trace->fix_those_in(asked_.data());
  solver_.set_budget(budget);
}

// As far as a literal agrees with the text, its characters were compared.
void Parser::trace_literal(std::string_view text) const {
  std::uint32_t position = state_.position;
  for (const char c : text) {
    if (c == ' ' && at(position) != ' ') continue;  // a blank that may be missing
    request_.trace->compares(position, c);
    if (at(position++) != c) return;
  }
}

// Whether digits may stand behind the token at hand, as far as first characters tell. The walk is that of can_follow().
bool Parser::can_digits_follow() const {
  const Frame* frame = &state_.frame;
  std::uint32_t token = frame->token + 1;
  while (true) {
    if (token != frame->end) {
      for (const char c : std::string_view("0123456789")) {
        if (grammar_.tokens[token].follow.has(c)) return true;
      }
      if (!grammar_.tokens[token].is_open) return false;
    }
    if (frame->parent == nowhere) return false;
    frame = &frames_[frame->parent];
    token = frame->token;
  }
}

// Digits are about to be read for a field. The piece, if they are one, and other numbers would be read likewise.
LineTrace::Placed Parser::number_at(const Definition& definition, std::uint32_t low, std::uint32_t begin,
                                    std::uint32_t base, bool is_negative, BitWord limit) {
  LineTrace& trace = *request_.trace;
  std::uint32_t end = begin;
  while (is_digit(at(end))) ++end;
  if (end == begin && base == 10) return no_piece;  // whatever the letter is, it is no digit
  // A piece is a whole decimal number that begins here. A part of one, one behind a prefix or in another base is
  // compared character by character, which fixes it.
  const std::uint32_t index = trace.piece_at(begin);
  const bool is_plain = index != LineTrace::none && base == 10 && !is_prefixed_ &&
                        trace.piece(index).kind == Piece::number && trace.piece(index).begin == begin &&
                        trace.piece(index).end == end && definition.type != FieldType::Enum;
  if (!is_plain) {
    // That no digit stands here was asked, too.
    trace.fix_text(begin, std::max(begin + 1, end));
    return no_piece;
  }
  const BitWord value = trace.piece(index).value;
  // From here on, which other numbers would be read in the same way, to the same alternative.
  const bool is_offset = definition.type == FieldType::Offset || definition.type == FieldType::Uoffset;
  // Zero has no sign: it is spelled otherwise.
  if (is_negative || is_offset) {
    if (value == 0) trace.fix(index);
    trace.bound(index, 1, ~BitWord{0});
  }
  // A large place is printed as a negative number.
  const BitWord plain_limit = definition.type == FieldType::Absbranch && !is_negative ? limit >> 1 : limit;
  // This number was refused. Others that are refused as well go the same way; those that fit do not.
  if (value > limit) trace.bound(index, limit + 1, ~BitWord{0});
  else if (value > plain_limit) trace.fix(index);
  else trace.bound(index, 0, plain_limit);
  if (definition.expression == nowhere && slice_of(word_.known, low, definition.width) != 0) trace.fix(index);
  // Where digits may follow the number, longer numbers could be divided in several ways.
  if (can_digits_follow()) trace.fix(index);
  return {low, definition.width, index, 0, is_negative};
}

// A derived value shall be that of a piece. Where it is wired, the bits of the piece are known, and which numbers have no
// others. They stand in the word once the equation is accepted.
bool Parser::demand_piece(const Constraint& equation, const LineTrace::Placed& placed) {
  LineTrace& trace = *request_.trace;
  const Wiring* wiring = solver_.wiring_of(equation);
  // Plain is a value whose bits are wired from the lowest up, without holes or constant ones: there every number that
  // fits goes the same way. What is not wired is always 0.
  const BitWord wired = wiring == nullptr ? 0 : wiring->wired & equation.mask;
  const bool is_plain = wired != 0 && (wired & (wired + 1)) == 0 && (wiring->ones & equation.mask) == 0 &&
                        (!placed.is_negative || wired == equation.mask);
  if (!is_plain) {
    trace.fix(placed.piece);
    return demand(equation);
  }
  // A number that has more bits than there are wires fails, as do all that are larger.
  const bool fits = placed.is_negative || trace.piece(placed.piece).value <= wired;
  if (!placed.is_negative) trace.bound(placed.piece, fits ? 0 : wired + 1, fits ? wired : ~BitWord{0});
  std::vector<LineTrace::Placed> parts;
  for (const Wire& wire : wiring->wires) {
    const BitWord mask = equation.mask >> wire.value_low & low_mask(wire.width);
    if (mask == 0) continue;
    const std::uint32_t low = scopes_[equation.scope].low + wire.low;
    const auto width = static_cast<std::uint32_t>(std::popcount(mask));
    // Bits that are known already are compared with the piece, and with whoever put them there.
    if (slice_of(word_.known, low, width) != 0) trace.fix(placed.piece);
    trace.touches(low, width);
    parts.push_back({low, width, placed.piece, wire.value_low, placed.is_negative});
  }
  if (!demand(equation)) return false;
  for (const LineTrace::Placed& part : parts) trace.place(part);
  return true;
}

// The digits were read: as a whole, or not at all, or else in ways that depend on how many there are.
void Parser::add_number_piece(const LineTrace::Placed& placed, std::size_t first, std::uint32_t begin) {
  const Piece& piece = request_.trace->piece(placed.piece);
  const std::size_t count = alternatives_.size() - first;
  // The sign, where there is one, and all digits.
  const std::uint32_t whole = begin - state_.position + (piece.end - piece.begin);
  if (count == 1 && alternatives_.back().length == whole) {
    alternatives_.back().placed = placed;
  } else if (count != 0) {
    request_.trace->fix(placed.piece);
  }
}

// A letter is about to be looked up in the strings of a field. The piece, if each letter of its alphabet is a string
// with one meaning, with none that is longer, so that others would be read likewise.
LineTrace::Placed Parser::letter_at(const Token& token, const Definition& definition, const StringSet& set,
                                    std::uint32_t low) {
  LineTrace& trace = *request_.trace;
  const std::uint32_t index = trace.piece_at(state_.position);
  if (index == LineTrace::none || trace.piece(index).kind == Piece::number) return no_piece;
  if (definition.expression != nowhere || definition.width > bits_per_word || set.is_blank_led) return no_piece;
  // What stands behind is the same in all lines of the shape. If a letter went on with it to a longer string, that
  // would be another reading.
  const char next = state_.position + 1 < request_.text.size() ? at(state_.position + 1) : ' ';
  const auto is_certain = [&](std::uint32_t node) {
    return token.certain != nowhere && grammar_.certain[token.certain + grammar_.node_strings[node]] != 0;
  };
  LineTrace::LetterBits bits{};
  // All letters have to be alike in this, too: a certain one takes the place of shorter readings.
  std::optional<bool> certain;
  std::size_t count = 0;
  for (const char c : trace.letters_of(index)) {
    const std::uint32_t node = grammar_.characters.step(set.root, c);
    if (node == CharacterTree::none || grammar_.characters.step(node, next) != CharacterTree::none) return no_piece;
    const Run run = grammar_.node_meanings[node];
    if (run.count != 1) return no_piece;
    const Meaning& meaning = grammar_.meanings[run.first];
    if (meaning.kind != Meaning::Kind::Value || meaning.canonical.data() != nullptr) return no_piece;
    if (certain && *certain != is_certain(node)) return no_piece;
    certain = is_certain(node);
    bits[count++] = meaning.value;
  }
  // Known bits rule letters out, before they are even listed.
  if (slice_of(word_.known, low, definition.width) != 0) trace.fix(index);
  return {low, definition.width, index, 0, false, trace.add_letters(bits)};
}

}  // namespace vireo::isa

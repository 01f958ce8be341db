// SPDX-License-Identifier: Apache-2.0
//
// The parser's main loop: selects the productions to try, consumes tokens, backtracks to choice points, and ranks the
// candidates. parse_fields.cpp and parse_values.cpp list the alternatives of a token.
#include "isa/assemble/parser.h"

#include <algorithm>
#include <bit>

#include "isa/assemble/lines.h"

namespace vireo::isa {

void Expectations::add(std::size_t at, std::string text) {
  if (at < position) return;
  if (at > position) {
    position = at;
    what.clear();
    reason.clear();
  }
  if (what.size() < most && std::find(what.begin(), what.end(), text) == what.end()) what.push_back(std::move(text));
}

void Expectations::explain(std::size_t at, std::string text) {
  if (at < position) return;
  if (at > position) {
    position = at;
    what.clear();
  }
  reason = std::move(text);
}

Parser::Parser(const Grammar& grammar)
    : grammar_(grammar),
      tables_(grammar.tables()),
      solver_(tables_, scopes_),
      size_(words_for(tables_.max_bits) + 1),
      word_memory_(2 * size_),
      word_{word_memory_.data(), word_memory_.data() + size_},
      control_(size_),
      first_evaluator_(tables_, first_scopes_),
      on_solution_([this](const PartialWord& word) { add_candidate(word); }) {}

void Parser::expect(std::string text) const {
  if (request_.expectations != nullptr) request_.expectations->add(state_.position, std::move(text));
}

// Returns whether removing the blank at a position would join two words.
bool Parser::joins_words(std::uint32_t position) const {
  return position > 0 && is_word_character(at(position - 1)) && is_word_character(at(position + 1));
}

// --- productions of a line -------------------------------------------------------------------------------------------

// Follows all texts that may precede a mnemonic, and looks for mnemonics at each position reached.
void Parser::find_productions(std::vector<std::uint32_t>& found) {
  found.assign(grammar_.without_mnemonic.begin(), grammar_.without_mnemonic.end());
  const std::string_view text = request_.text;
  // Mark positions, not paths, so that a line of a thousand flags is scanned once.
  reached_.assign(text.size() + 1, 0);
  reached_[0] = 1;
  flags_.begin(grammar_.is_flag.size());
  mnemonics_.begin(grammar_.node_mnemonics.size());
  std::size_t last = 0;  // the furthest position reached
  for (std::size_t at = 0; at <= last && at < text.size(); ++at) {
    if (reached_[at] == 0) continue;
    const auto reach = [&](std::size_t to) {
      reached_[to] = 1;
      last = std::max(last, to);
    };
    if (text[at] == ' ') reach(at + 1);
    // A digit leads to the next position, so that numbers of any length are skipped.
    if (grammar_.has_number_flags && text[at] >= '0' && text[at] <= '9') reach(at + 1);
    std::uint32_t node = grammar_.flag_root;
    for (std::size_t i = at; i < text.size(); ++i) {
      node = grammar_.characters.step(node, text[i]);
      if (node == CharacterTree::none) break;
      if (grammar_.is_flag[node] == 0) continue;
      reach(i + 1);
      flags_.add(node);
    }
    node = grammar_.mnemonic_root;
    for (std::size_t i = at; i < text.size(); ++i) {
      node = grammar_.characters.step(node, text[i]);
      if (node == CharacterTree::none) break;
      if (grammar_.node_mnemonics[node].count != 0) mnemonics_.add(node);
    }
  }
  // Each mnemonic counts once, wherever and however often it occurs in the line.
  for (const std::uint32_t node : mnemonics_.nodes()) {
    const Run run = grammar_.node_mnemonics[node];
    for (std::uint32_t k = run.first; k < run.first + run.count; ++k) {
      const std::uint32_t required = grammar_.productions[grammar_.mnemonic_productions[k]].required;
      if (required == nowhere || flags_.has(required)) found.push_back(grammar_.mnemonic_productions[k]);
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
}

void Parser::parse(const Request& request) {
  request_ = request;
  candidates_.clear();
  candidate_words_.clear();
  expected_texts_.clear();
  written_as_.clear();
  solver_.renew();
  steps_ = max_steps;
  was_read_ = false;
  met_computed_float_ = false;
  find_productions(found_);
  // All productions share one budget, so the work is bounded even if many match.
  for (const std::uint32_t production : found_) try_production(production);
  if (candidates_.size() < 2) return;
  // Rank by these criteria, in order: fewest respellings, the author's preference, shortest instruction, fewest
  // non-default fields, fewest control bits set, the order of the description, smallest number.
  std::stable_sort(candidates_.begin(), candidates_.end(), [&](const Candidate& a, const Candidate& b) {
    if (a.respelled != b.respelled) return a.respelled < b.respelled;
    if (a.preference != b.preference) return a.preference > b.preference;
    if (a.bits != b.bits) return a.bits < b.bits;
    if (a.non_defaults != b.non_defaults) return a.non_defaults < b.non_defaults;
    if (a.control != b.control) return a.control < b.control;
    if (a.production != b.production) return a.production < b.production;
    const BitWord* x = words_of(a);
    const BitWord* y = words_of(b);
    for (std::size_t i = size_; i-- > 0;) {
      if (x[i] != y[i]) return x[i] < y[i];
    }
    return false;
  });
}

void Parser::try_production(std::uint32_t index) {
  const Production& production = grammar_.productions[index];
  production_ = index;
  // Reuse the memory of earlier lines: after a few lines, parsing allocates nothing.
  std::fill(word_memory_.begin(), word_memory_.end(), 0);
  state_ = {};
  frames_.clear();
  scopes_.clear();
  constraints_.clear();
  respellings_.clear();
  alternatives_.clear();
  choices_.clear();
  saved_words_.clear();
  spellings_.clear();
  wide_.clear();
  scopes_.push_back({&tables_.plans[production.plan], nowhere, nullptr, 0, index});
  state_.frame = {production.tokens.first, production.tokens.first + production.tokens.count, 0, nowhere};
  if (!open_production(production, 0)) return;
  while (steps_ != 0) {
    --steps_;
    if (!advance() && !backtrack()) return;
  }
}

// --- steps -----------------------------------------------------------------------------------------------------------

// Consumes one token. Returns false at the end of the path: on failure, or after adding a candidate.
bool Parser::advance() {
  Frame& frame = state_.frame;
  // Return from nested displays. Keep their frames: choice points inside them still refer to the frames.
  while (frame.token == frame.end) {
    if (frame.parent == nowhere) {
      if (is_at_end() ||
          (request_.is_loose && state_.position + 1 == request_.text.size() && at(state_.position) == ' ')) {
        complete();
      } else if (request_.expectations != nullptr) {
        request_.expectations->add(state_.position + (at(state_.position) == ' ' ? 1 : 0),
                                   "the end of the instruction");
      }
      return false;
    }
    frame = frames_[frame.parent];
  }
  const Token& token = grammar_.tokens[frame.token];
  switch (token.kind) {
    case Token::Kind::Literal:
      if (!match_literal(token.text)) return false;
      ++frame.token;
      return true;
    // Alignment is optional: accept a blank or none.
    case Token::Kind::Align:
      if (at(state_.position) == ' ') ++state_.position;
      ++frame.token;
      return true;
    case Token::Kind::Nothing: ++frame.token; return true;
    // The usual case: the flag is absent.
    case Token::Kind::Strings:
      if (is_surely_empty(grammar_.string_sets[grammar_.strings_of[token.index]])) return apply_empty(token);
      return expand(token);
    default: return expand(token);
  }
}

// Returns whether the token's string is certainly empty, as for most flags of most lines.
bool Parser::is_surely_empty(const StringSet& set) const {
  if (request_.is_loose || request_.expectations != nullptr || set.is_blank_led || set.empty.count != 1) return false;
  return is_at_end() || !set.first.has(request_.text[state_.position]);
}

// Sets the bits implied by an absent flag. Any other meaning takes the general path.
bool Parser::apply_empty(const Token& token) {
  const Definition& definition = tables_.definitions[token.index];
  const Meaning& meaning = grammar_.meanings[grammar_.string_sets[grammar_.strings_of[token.index]].empty.first];
  if (definition.expression == nowhere && definition.width <= bits_per_word && meaning.kind == Meaning::Kind::Value) {
    const std::uint32_t low = scopes_[state_.frame.scope].low + definition.low;
    ++state_.frame.token;
    return word_.put(low, definition.width, meaning.value);
  }
  return expand(token);
}

// A blank in a literal matches a blank in the text. At the ends of the line and after another blank, it matches the
// empty text.
bool Parser::match_literal(std::string_view text) {
  std::uint32_t position = state_.position;
  if (request_.text.substr(position).starts_with(text)) {  // the usual case
    state_.position += static_cast<std::uint32_t>(text.size());
    return true;
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ' ') {
      if (at(position) == ' ') ++position;
      else if (position != 0 && position != request_.text.size() && at(position - 1) != ' ' &&
               (!request_.is_loose || (is_word_character(at(position - 1)) && is_word_character(at(position))))) {
        expect("a space");
        return false;
      }
      continue;
    }
    if (request_.is_loose && at(position) == ' ' && !joins_words(position)) ++position;
    if (at(position) != c || position >= request_.text.size()) {
      if (request_.expectations != nullptr) {
        // If the mismatch is inside a word, report the whole literal; otherwise report its rest from the mismatch on.
        const bool begins_word = i == 0 || !is_word_character(text[i - 1]);
        std::string_view rest = text.substr(begins_word ? i : 0);
        while (rest.ends_with(' ')) rest.remove_suffix(1);
        request_.expectations->add(begins_word ? position : state_.position, "'" + std::string(rest) + "'");
      }
      return false;
    }
    ++position;
  }
  state_.position = position;
  return true;
}

// Lists the alternatives of a token and takes the first.
bool Parser::expand(const Token& token) {
  const auto first = static_cast<std::uint32_t>(alternatives_.size());
  is_prefixed_ = token.is_prefixed;
  if (request_.is_loose && at(state_.position) == ' ' && !joins_words(state_.position)) ++state_.position;
  // A name with several definitions is expanded twice: first to choose a definition, then to read its field.
  if (state_.definition != nowhere) expand_definition(token, state_.definition, state_.owner);
  else if (token.kind == Token::Kind::Resolve) expand_resolver(token);
  else expand_definition(token, token.index, state_.frame.scope);
  return take(first);
}

// Follows the first alternative. The others are kept in a choice point with a copy of the known bits.
bool Parser::take(std::uint32_t first) {
  const std::size_t count = alternatives_.size() - first;
  if (count == 0) return false;
  // A single alternative needs no choice point; most tokens end here.
  if (count == 1) {
    const Alternative only = alternatives_.back();
    alternatives_.pop_back();
    return apply(only);
  }
  state_.frames = static_cast<std::uint32_t>(frames_.size());
  state_.scopes = static_cast<std::uint32_t>(scopes_.size());
  state_.constraints = static_cast<std::uint32_t>(constraints_.size());
  state_.respellings = static_cast<std::uint32_t>(respellings_.size());
  choices_.push_back({state_, first, first + 1, static_cast<std::uint32_t>(alternatives_.size())});
  saved_words_.insert(saved_words_.end(), word_memory_.begin(), word_memory_.end());
  const Alternative alternative = alternatives_[first];
  return apply(alternative);
}

// Returns to the last choice point with an alternative left. Returns false if there is none.
bool Parser::backtrack() {
  while (!choices_.empty()) {
    ChoicePoint& choice = choices_.back();
    state_ = choice.state;
    frames_.resize(state_.frames);
    scopes_.resize(state_.scopes);
    constraints_.resize(state_.constraints);
    respellings_.resize(state_.respellings);
    const std::size_t words = 2 * size_;
    std::copy_n(saved_words_.end() - static_cast<std::ptrdiff_t>(words), words, word_memory_.begin());
    const Alternative alternative = alternatives_[choice.next++];
    // The last alternative needs no copy: if it fails, the parser returns to an earlier choice point.
    if (choice.next == choice.end) {
      alternatives_.resize(choice.first);
      choices_.pop_back();
      saved_words_.resize(saved_words_.size() - words);
    }
    if (apply(alternative)) return true;
    if (steps_ == 0) return false;
    --steps_;
  }
  return false;
}

// Looks up a condition in the constraints so far. If an earlier constraint requires the condition or its opposite, the
// verdict is known even if the bits are not. Displays and definitions often share conditions.
Solver::Verdict Parser::compare_with_constraints(const Constraint& constraint) const {
  using Kind = Constraint::Kind;
  if (constraint.kind != Kind::IsTrue && constraint.kind != Kind::IsFalse) return Solver::Verdict::Open;
  // A linear search: there are only about a dozen constraints.
  for (const Constraint& other : constraints_) {
    if (other.expression != constraint.expression || other.scope != constraint.scope) continue;
    if (other.kind == constraint.kind) return Solver::Verdict::Holds;
    if (other.kind == Kind::IsTrue || other.kind == Kind::IsFalse) return Solver::Verdict::Fails;
  }
  return Solver::Verdict::Open;
}

// Adds a constraint unless its result is known already. Returns false if it does not hold.
bool Parser::require(Constraint constraint) {
  Solver::Verdict verdict = check(constraint);
  if (verdict == Solver::Verdict::Open) verdict = solver_.narrow(constraint, constraints_, word_);
  if (verdict == Solver::Verdict::Open) constraints_.push_back(constraint);
  return verdict != Solver::Verdict::Fails;
}

// Adds the bits and constraints of the last scope: those of its leaf and of the chosen display.
bool Parser::open_production(const Production& production, std::uint32_t low) {
  const auto scope = static_cast<std::uint32_t>(scopes_.size() - 1);
  const Plan& plan = tables_.plans[production.plan];
  // Word by word: a nested leaf may straddle two words of the instruction.
  for (std::uint32_t bit = 0; bit < plan.size; bit += bits_per_word) {
    const std::uint32_t width = std::min(plan.size - bit, bits_per_word);
    const BitWord known = production.known.data()[bit / bits_per_word];
    const BitWord value = production.value.data()[bit / bits_per_word];
    if (known == 0) continue;
    const std::uint32_t at = low + bit;
    const std::uint32_t shift = at % bits_per_word;
    if (!word_.put_in(at / bits_per_word, known << shift, value << shift)) return false;
    if (shift + width > bits_per_word &&
        !word_.put_in(at / bits_per_word + 1, known >> (bits_per_word - shift), value >> (bits_per_word - shift))) {
      return false;
    }
  }
  // The description excludes words for which one of these conditions holds.
  for (std::uint32_t i = 0; i < plan.refusals.count; ++i) {
    if (!require({Constraint::Kind::IsFalse, scope, tables_.refusals[plan.refusals.first + i]})) return false;
  }
  // The cases up to the displayed one. A case with its own display must not hold, or the decoder would print that
  // display. A case without one may hold, and then its asserts must hold too.
  for (std::uint32_t i = plan.displays.first; i <= production.display; ++i) {
    const DisplayStep& step = tables_.displays[i];
    if (step.condition == nowhere) continue;
    const bool is_shown = i == production.display;
    if (is_shown || step.has_display) {
      const auto kind = is_shown ? Constraint::Kind::IsTrue : Constraint::Kind::IsFalse;
      if (!require({kind, scope, step.condition})) return false;
      if (!is_shown) continue;
    }
    for (std::uint32_t k = 0; !is_shown && k < step.asserts.count; ++k) {
      const AssertCheck& check = tables_.asserts[step.asserts.first + k];
      if (check.width > bits_per_word) continue;  // verification checks wide asserts
      if (!require({Constraint::Kind::Implies, scope, step.condition, low + check.low, check.width, check.expected})) {
        return false;
      }
    }
  }
  return true;
}

// Continues with one alternative. Returns false if it contradicts the known bits.
bool Parser::apply(const Alternative& alternative) {
  const std::uint32_t position = state_.position;
  if (apply_now(alternative)) return true;
  if (request_.expectations != nullptr && alternative.length != 0) {
    request_.expectations->explain(position, "'" + std::string(request_.text.substr(position, alternative.length)) +
                                                 "' is not valid here: no instruction word has this text here");
  }
  return false;
}

bool Parser::apply_now(const Alternative& alternative) {
  using Kind = Alternative::Kind;
  if (alternative.kind == Kind::Choose) return choose(alternative);
  const Token& token = grammar_.tokens[state_.frame.token];
  // After a choice among definitions, use the chosen one and the scope that owns it.
  const std::uint32_t index = state_.definition != nowhere ? state_.definition : token.index;
  const std::uint32_t scope = state_.definition != nowhere ? state_.owner : state_.frame.scope;
  state_.definition = nowhere;
  ++state_.frame.token;
  if (alternative.kind == Kind::Enter) return enter(alternative, index, scope);
  if (!learn(alternative, tables_.definitions[index], scope)) return false;
  if (alternative.spelling != nowhere) {
    respellings_.push_back({state_.position, state_.position + alternative.length, alternative.spelling});
  }
  state_.position += alternative.length;
  return true;
}

// Adds the bits or the constraint that an alternative implies. Returns false if it contradicts the known bits.
bool Parser::learn(const Alternative& alternative, const Definition& definition, std::uint32_t scope) {
  using Kind = Alternative::Kind;
  const std::uint32_t low = scopes_[scope].low + definition.low;
  switch (alternative.kind) {
    case Kind::Nothing:
    case Kind::Choose:
    case Kind::Enter: return true;
    case Kind::Bits: return word_.put(low, definition.width, alternative.value);
    case Kind::WideBits: {
      const Bits& bits = wide_[alternative.index];
      for (std::uint32_t bit = 0; bit < bits.width(); bit += bits_per_word) {
        const std::uint32_t width = std::min(bits.width() - bit, bits_per_word);
        if (!word_.put(low + bit, width, bits.data()[bit / bits_per_word])) return false;
      }
      return true;
    }
    case Kind::Equals:
      return require(
          {Constraint::Kind::Equals, scope, definition.expression, 0, 0, alternative.value, alternative.mask});
    case Kind::IsWithin: {
      Constraint range{Constraint::Kind::IsWithin, scope, definition.expression};
      range.value = alternative.value;
      range.mask = alternative.mask;
      range.limit = alternative.limit;
      return require(range);
    }
    case Kind::IsTrue: return require({Constraint::Kind::IsTrue, scope, definition.expression});
    case Kind::IsFalse: return require({Constraint::Kind::IsFalse, scope, definition.expression});
    case Kind::IsNonZero:
      return require({Constraint::Kind::IsNonZero, scope, nowhere, low, std::min(definition.width, bits_per_word)});
    // `+0` requires a value other than 0 whose low bits are 0. Without the second constraint, the solver might find 0,
    // which prints nothing.
    case Kind::IsWrapped:
      return require({Constraint::Kind::Equals, scope, definition.expression, 0, 0, 0, low_mask(definition.width)}) &&
             require({Constraint::Kind::IsTrue, scope, definition.expression});
  }
  return true;
}

// Enters a nested bitset, whose production replaces the token.
bool Parser::enter(const Alternative& alternative, std::uint32_t index, std::uint32_t scope) {
  const Production& production = grammar_.productions[alternative.index];
  // The description bounds the depth of nested displays but not their number: each may contain two more.
  if (scopes_.size() > max_scopes) return false;
  const std::uint32_t low = scopes_[scope].low + tables_.definitions[index].low;
  const Opener opener = opener_of(index, scope);
  const std::uint32_t* arguments = tables_.arguments.data() + opener.definition->arguments;
  frames_.push_back(state_.frame);
  scopes_.push_back({&tables_.plans[production.plan], opener.scope, arguments, low, alternative.index});
  state_.frame = {production.tokens.first, production.tokens.first + production.tokens.count,
                  static_cast<std::uint32_t>(scopes_.size() - 1), static_cast<std::uint32_t>(frames_.size() - 1)};
  return open_production(production, low);
}

// --- end of the line -------------------------------------------------------------------------------------------------

void Parser::complete() {
  was_read_ = true;
  // Most constraints that were open are decided by now. The solver searches for values that satisfy the others.
  pending_.assign(constraints_.begin(), constraints_.end());
  // Constraints may together determine all remaining bits.
  if (!solver_.settle(pending_, word_)) return;
  if (pending_.empty()) return add_candidate(word_);
  solver_.solve(word_, pending_, on_solution_);
}

// Counts the ones among the control bits: the bits that conditions of the scopes read.
std::uint32_t Parser::count_control(Evaluator& evaluator, std::size_t scopes, const BitWord* words) {
  std::fill(control_.begin(), control_.end(), 0);
  const std::uint32_t budget = evaluator.budget();  // ranking does not use the search's budget
  evaluator.set_budget(Solver::max_evaluations);
  for (std::uint32_t i = 0; i < scopes; ++i) evaluator.add_control(i, control_.data());
  evaluator.set_budget(budget);
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < size_; ++i) count += static_cast<std::uint32_t>(std::popcount(control_[i] & words[i]));
  return count;
}

// Sets undetermined bits to their defaults. Outer scopes go first, because an enclosing field's default is more
// specific.
void Parser::set_defaults(const PartialWord& word, Candidate& candidate) {
  BitWord* words = candidate_words_.data() + candidate.words;
  bool is_first = true;
  for (const OpenScope& scope : scopes_) {
    const auto plan = static_cast<std::size_t>(scope.plan - tables_.plans.data());
    for (const DefaultBits& bits : grammar_.defaults[plan]) {
      // Copy at the first default only: most descriptions declare none.
      if (is_first) decided_.assign(word.known, word.known + size_);
      is_first = false;
      const std::uint32_t low = scope.low + bits.low;
      const bool is_open = slice_of(decided_.data(), low, bits.width) == 0;
      for (std::uint32_t i = 0; is_open && i < bits.width; ++i) {
        const BitWord bit = BitWord{1} << (low + i) % bits_per_word;
        decided_[(low + i) / bits_per_word] |= bit;
        if ((bits.value >> i & 1) != 0) words[(low + i) / bits_per_word] |= bit;
      }
      if (slice_of(words, low, bits.width) != bits.value) ++candidate.non_defaults;
    }
  }
}

// Adds the preferences and aliases of all scopes to the candidate. Verification prints the aliases.
void Parser::add_scope_properties(Candidate& candidate) {
  candidate.aliases.first = static_cast<std::uint32_t>(written_as_.size());
  for (const OpenScope& scope : scopes_) {
    const Production& production = grammar_.productions[scope.tag];
    candidate.preference += production.preference;
    if (!production.is_alias) continue;
    ++candidate.respelled;
    written_as_.push_back(
        {scope.low, scope.plan, &tables_.displays[production.display], production.segments, production.name});
  }
  candidate.aliases.count = static_cast<std::uint32_t>(written_as_.size()) - candidate.aliases.first;
}

// Adds a candidate for a solved word. Undetermined bits get their default, or 0.
void Parser::add_candidate(const PartialWord& word) {
  if (candidates_.size() == max_candidates) return;
  const Production& production = grammar_.productions[production_];
  Candidate candidate;
  candidate.production = production_;
  candidate.bits = tables_.plans[production.plan].size;
  candidate.words = candidate_words_.size();
  candidate_words_.insert(candidate_words_.end(), word.value, word.value + size_);
  BitWord* words = candidate_words_.data() + candidate.words;
  set_defaults(word, candidate);
  // Two displays, or two definitions of a name, often give the same word, so duplicates are dropped.
  for (const Candidate& other : candidates_) {
    if (other.bits == candidate.bits && std::equal(words, words + size_, candidate_words_.data() + other.words)) {
      candidate_words_.resize(candidate.words);
      return;
    }
  }
  candidate.expected = nowhere;
  candidate.respelled = static_cast<std::uint32_t>(respellings_.size());
  add_scope_properties(candidate);
  if (!respellings_.empty()) {
    candidate.expected = static_cast<std::uint32_t>(expected_texts_.size());
    // The text to be printed: the line with the decoder's spellings.
    std::string text;
    std::uint32_t from = 0;
    for (const Respelling& respelling : respellings_) {
      text.append(request_.text.substr(from, respelling.begin - from)).append(spellings_[respelling.spelling]);
      from = respelling.end;
    }
    text.append(request_.text.substr(from));
    expected_texts_.push_back(std::move(text));
  }
  // Control bits are needed only for ranking, and most lines have one candidate: count them from the second on.
  if (candidates_.empty()) {
    first_scopes_ = scopes_;
  } else {
    if (candidates_.size() == 1) {
      candidates_[0].control =
          count_control(first_evaluator_, first_scopes_.size(), candidate_words_.data() + candidates_[0].words);
    }
    candidate.control = count_control(solver_.evaluator(), scopes_.size(), candidate_words_.data() + candidate.words);
  }
  candidates_.push_back(candidate);
}

}  // namespace vireo::isa

// SPDX-License-Identifier: Apache-2.0
//
// One line against the productions: which words could this text be?
//
// The one idea: a walk over tokens with a stack of choices. Most tokens have one reading and leave no choice behind. The
// state is small and flat (a position, a token, the scopes and constraints so far, the known bits), so a choice is a few
// numbers and a copy of the known bits. Every path to the end of the line is followed, as the canonical encoding is the
// least of all; the number of steps is bounded. docs/isa-assembler.md, "Reading a line".
//
// Two manners. Strict: the text is what the decoder would print, apart from runs of blanks and how numbers are spelled.
// Loose, tried when nothing is found: blanks may stand between tokens or be missing where no two words would run
// together, and numbers may be written in another base or as `#label`.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/assemble/grammar.h"
#include "isa/solve/solver.h"
#include "vireo/isa/assemble.h"

namespace vireo::isa {

/// What stood at the furthest place that was understood.
struct Expectations {
  static constexpr std::size_t most = 8;
  std::size_t position = 0;  ///< in the shortened line
  std::vector<std::string> what;
  std::string reason;  ///< a number was read that does not fit, a label that does not exist

  /// Says what could have stood at a place. A place further on drops all that was said before: the reading that got
  /// furthest is most likely what was meant.
  void add(std::size_t at, std::string text);
  /// Says why what stands there was refused; it goes before any list of what else could stand there.
  void explain(std::size_t at, std::string text);
};

/// Which nodes of a tree of characters a line has met, each once.
class MetNodes {
 public:
  /// Empties the set for a tree of `count` nodes. Costs what the last line met, not what the tree has.
  void begin(std::size_t count) {
    for (const std::uint32_t node : nodes_) is_met_[node] = 0;
    nodes_.clear();
    is_met_.resize(count);
  }
  void add(std::uint32_t node) {
    if (is_met_[node] != 0) return;
    is_met_[node] = 1;
    nodes_.push_back(node);
  }
  [[nodiscard]] bool has(std::uint32_t node) const { return is_met_[node] != 0; }
  [[nodiscard]] const std::vector<std::uint32_t>& nodes() const { return nodes_; }

 private:
  std::vector<std::uint8_t> is_met_;
  std::vector<std::uint32_t> nodes_;
};

/// A word that may be what the text means; still to be proved.
struct Candidate {
  std::uint32_t production = 0;
  std::uint32_t bits = 0;        ///< size of the instruction
  std::uint32_t respelled = 0;   ///< how many pieces of the line the decoder spells otherwise
  std::uint32_t preference = 0;  ///< how many canonical marks it has
  std::uint32_t departures = 0;  ///< how many fields have another value than their default
  std::uint32_t control = 0;     ///< how many of the bits that steer the text are set
  std::uint32_t expected = 0;    ///< index of Parser::expected_texts
  std::size_t words = 0;         ///< first of Parser::candidate_words
  Run aliases;                   ///< of Parser::written_as: what it was read as, instead of what is printed
};

/// Reads lines, one after another, in memory that is kept between them. The grammar must outlive it. It proves nothing:
/// whatever it gives has to be decoded before anybody may see it.
class Parser {
 public:
  explicit Parser(const Grammar& grammar);

  static constexpr std::uint32_t max_steps = 1u << 14;  ///< tokens looked at for one line
  static constexpr std::size_t max_line = 4096;         ///< bytes; longer ones are refused

  /// A line, and in which manner it is read. All is borrowed, until the next parse().
  struct Request {
    std::string_view text;  ///< runs of blanks are one blank; none at the ends
    bool is_loose = false;
    bool tries_ranges = false;          ///< computed floats may be any number with the same text, not just the nearest
    std::uint64_t index = 0;            ///< of the instruction, in units
    const Labels* labels = nullptr;     ///< null: there are none
    CustomReader* custom = nullptr;     ///< null: custom fields cannot be read
    PrintListener* listener = nullptr;  ///< how custom fields are printed
    Expectations* expectations = nullptr;
  };
  /// Reads a line; the candidates stand in the order of preference.
  void parse(const Request& request);

  [[nodiscard]] const std::vector<Candidate>& candidates() const { return candidates_; }
  /// The bits of a candidate, in as many words as a PartialWord has; valid until the next parse().
  [[nodiscard]] const BitWord* words_of(const Candidate& candidate) const {
    return candidate_words_.data() + candidate.words;
  }
  /// What a candidate has to print: the line as the decoder spells it.
  [[nodiscard]] std::string_view expected_text(const Candidate& candidate) const {
    return candidate.expected == nowhere ? request_.text : std::string_view(expected_texts_[candidate.expected]);
  }
  /// Which scopes a candidate has read by an alias: nearly always none.
  [[nodiscard]] std::span<const WrittenAs> aliases_of(const Candidate& candidate) const {
    return {written_as_.data() + candidate.aliases.first, candidate.aliases.count};
  }
  /// Whether the bounds were reached, so that there may be other encodings.
  [[nodiscard]] bool is_exhausted() const { return steps_ == 0 || solver_.is_exhausted(); }
  /// Tokens that were looked at, expressions that were evaluated and steps in them; at most max_work.
  /// Three budgets, spent one beside the other: tokens, conditions, and steps within conditions.
  [[nodiscard]] std::uint32_t work() const { return max_steps - steps_ + solver_.work(); }
  static constexpr std::uint32_t max_work = max_steps + 2 * Solver::max_evaluations;
  /// What is kept of one line. Further completions are not looked at, as each candidate costs a proof.
  static constexpr std::size_t max_candidates = 64;
  /// Whether some production was read to the end of the line.
  [[nodiscard]] bool was_read() const { return was_read_; }
  /// Whether some path read a computed float, so that `tries_ranges` could find more.
  [[nodiscard]] bool met_computed_float() const { return met_computed_float_; }
  [[nodiscard]] const Grammar& grammar() const { return grammar_; }

 private:
  struct Frame {  // where to go on behind a nested display
    std::uint32_t token = 0;
    std::uint32_t end = 0;
    std::uint32_t scope = 0;
    std::uint32_t parent = nowhere;
  };
  // One reading of the token at hand: how many characters it takes, and what they say of the word (learn()). All
  // readings are listed before the first is tried, so a token with one of them leaves no choice point.
  struct Alternative {
    enum class Kind : std::uint8_t {
      Nothing,
      Bits,
      WideBits,
      Equals,
      IsWithin,
      IsTrue,
      IsFalse,
      IsNonZero,
      IsWrapped,  // a derived value that is not 0, but of which the field shows 0
      Enter,
      Choose
    } kind;
    std::uint32_t length = 0;
    std::uint32_t index = 0;  // WideBits: of wide_; Enter: production; Choose: of the tables' choices
    BitWord value = 0;
    BitWord mask = 0;
    BitWord limit = 0;
    std::uint32_t spelling = nowhere;  // of spellings_: how the decoder writes it
  };
  // A stretch of the line that the decoder writes otherwise. They are noted in the order of reading, which is that of
  // the line.
  struct Respelling {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t spelling = 0;
  };
  // Where a path is. The counts are the sizes of the stacks when a choice is left behind: to go back is to cut them to
  // these.
  struct State {
    std::uint32_t position = 0;
    Frame frame;
    std::uint32_t definition = nowhere;  // chosen for the token at hand, with the scope that it was found in
    std::uint32_t owner = 0;
    std::uint32_t frames = 0;
    std::uint32_t scopes = 0;
    std::uint32_t constraints = 0;
    std::uint32_t respellings = 0;
  };
  // Something to come back to. Of the last one the alternatives lie at the end of alternatives_, and its word at the
  // end of saved_words_, so both are stacks as well.
  struct ChoicePoint {
    State state;
    std::uint32_t first = 0;  // of alternatives_
    std::uint32_t next = 0;
    std::uint32_t end = 0;
  };
  static constexpr std::size_t max_scopes = 256;  // of one instruction

  void find_productions(std::vector<std::uint32_t>& found);
  void try_production(std::uint32_t index);
  // The walk. False always means that the path at hand is over, in failure or with a candidate, and that backtrack() is
  // next.
  bool advance();
  bool backtrack();
  bool take(std::uint32_t first);
  bool apply(const Alternative& alternative);
  bool apply_now(const Alternative& alternative);
  bool learn(const Alternative& alternative, const Definition& definition, std::uint32_t scope);
  bool enter(const Alternative& alternative, std::uint32_t index, std::uint32_t scope);
  bool open_production(const Production& production, std::uint32_t low);
  // What is demanded is judged where the bits are known, else narrowed, else kept for the end of the line.
  bool demand(Constraint constraint);
  [[nodiscard]] Solver::Verdict compare_with_demands(const Constraint& constraint) const;
  Solver::Verdict judge(const Constraint& constraint) {
    const Solver::Verdict verdict = solver_.judge(constraint, word_);
    return verdict == Solver::Verdict::Open ? compare_with_demands(constraint) : verdict;
  }
  // The end of the line: what is still open is solved for, and every completion is a candidate.
  void complete();
  void add_candidate(const PartialWord& word);
  void set_defaults(const PartialWord& word, Candidate& candidate);
  void judge_scopes(Candidate& candidate);
  std::uint32_t count_control(Evaluator& evaluator, std::size_t scopes, const BitWord* words);

  // Tokens against the text. What is called expand or read lists alternatives; nothing is tried here.
  [[nodiscard]] bool is_surely_empty(const StringSet& set) const;
  bool apply_empty(const Token& token);
  bool match_literal(std::string_view text);
  bool expand(const Token& token);
  void expand_resolver(const Token& token);
  bool choose(const Alternative& alternative);
  [[nodiscard]] std::uint32_t index_of(const Choice& choice) const {
    return static_cast<std::uint32_t>(&choice - tables_.choices.data());
  }
  void expand_definition(const Token& token, std::uint32_t index, std::uint32_t owner);
  // Who opens a nested scope: the definition whose arguments it is given, and the scope in which those are looked up.
  struct Opener {
    const Definition* definition;
    std::uint32_t scope;
  };
  [[nodiscard]] Opener opener_of(std::uint32_t index, std::uint32_t owner) const;
  void expand_group(const Definition& definition, std::uint32_t owner, std::uint32_t low);
  void expand_strings(const Token& token, const Definition& definition, const StringSet& set, std::uint32_t low);
  void add_meanings(const Definition& definition, Run run, std::uint32_t length, std::uint32_t low);
  [[nodiscard]] FirstSet reached_behind_flags(std::uint32_t group) const;
  [[nodiscard]] bool can_follow(std::uint32_t position) const;
  [[nodiscard]] bool may_begin(const FirstSet& first, bool is_open) const;

  // parse_values.cpp
  void expand_number(const Token& token, const Definition& definition, std::uint32_t low);
  void read_digits(const Definition& definition, std::uint32_t low, std::uint32_t begin, std::uint32_t base,
                   bool is_negative);
  void read_wide(const Definition& definition, std::uint32_t low);
  void read_float(const Definition& definition, std::uint32_t low, std::uint32_t owner);
  [[nodiscard]] std::uint32_t step_of(const CompiledExpression& expression, std::uint32_t width) const;
  void read_label(const Definition& definition, std::uint32_t low, std::uint32_t begin);
  void read_custom(const Token& token, const Definition& definition, std::uint32_t low);
  void add_number(const Definition& definition, std::uint32_t low, BitWord value, std::uint32_t length);
  void add_value(const Definition& definition, std::uint32_t low, BitWord value, std::uint32_t length,
                 std::string_view canonical);
  std::uint32_t spelling(std::string_view text);
  [[nodiscard]] std::string describe(const Token& token, const Definition& definition) const;

  // A NUL stands behind the end; no token matches one, so few places have to ask for the size.
  [[nodiscard]] char at(std::uint32_t position) const {
    return position < request_.text.size() ? request_.text[position] : '\0';
  }
  [[nodiscard]] bool is_at_end() const { return state_.position == request_.text.size(); }
  [[nodiscard]] bool joins_words(std::uint32_t position) const;
  void expect(std::string text) const;

  const Grammar& grammar_;
  const DecodeTables& tables_;
  std::vector<OpenScope> scopes_;
  Solver solver_;
  Request request_;
  std::size_t size_;  // words of an instruction, and one more
  std::uint32_t steps_ = 0;
  bool was_read_ = false;
  bool met_computed_float_ = false;
  bool is_prefixed_ = false;

  // The path at hand, begun anew for each production. word_ is a view of word_memory_: the values, then the mask of
  // what is known. Both lie in one piece because a choice point copies both.
  State state_;
  std::vector<BitWord> word_memory_;
  PartialWord word_;
  std::vector<Frame> frames_;
  std::vector<Constraint> constraints_;
  std::vector<Constraint> pending_;  // those still open at the end of a line
  std::vector<Respelling> respellings_;
  std::vector<Alternative> alternatives_;
  std::vector<ChoicePoint> choices_;
  std::vector<BitWord> saved_words_;  // of the choices
  std::vector<std::string> spellings_;
  std::vector<Bits> wide_;
  std::uint32_t production_ = 0;

  // What was found for the line, and what is only here so that its memory is not asked for again.
  std::vector<std::uint32_t> found_;
  std::vector<std::uint8_t> reached_;
  MetNodes flags_;  // before heads
  MetNodes heads_;
  std::vector<BitWord> control_;
  std::vector<Candidate> candidates_;
  std::vector<BitWord> candidate_words_;
  std::vector<std::string> expected_texts_;
  std::vector<WrittenAs> written_as_;    // of the candidates
  std::vector<BitWord> decided_;         // bits that are known, or have got their default
  std::vector<OpenScope> first_scopes_;  // of the first candidate, whose rank is only counted when there is a second
  Evaluator first_evaluator_;
  std::vector<CustomReader::Reading> readings_;
  std::function<void(const PartialWord&)> on_solution_;
};

}  // namespace vireo::isa

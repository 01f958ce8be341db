// SPDX-License-Identifier: Apache-2.0
//
// Parses one line with the productions, and lists the candidates: instruction words whose text may be this line.
//
// A walk over tokens with a stack of choice points. Most tokens have one alternative and need no choice
// point. The state is small and flat: a position, a token, the scopes and constraints so far, the known bits. A choice
// point is therefore a few numbers and a copy of the known bits. The parser follows every path to the end of the line,
// because only the ranking of all candidates determines the canonical encoding. The number of steps is bounded.
// docs/isa-assembler.md, "Reading a line".
//
// There are two modes. In strict mode, the text is what the decoder prints, except for runs of blanks and the spelling
// of numbers. Loose mode is tried if strict mode finds nothing. It allows extra and missing blanks where no two words
// would join, and numbers in another base or as `#label`.
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

/// The texts that the parser expected at the furthest position that any path reached.
struct Expectations {
  static constexpr std::size_t most = 8;
  std::size_t position = 0;  ///< in the shortened line
  std::vector<std::string> what;
  std::string reason;  ///< a number is out of range, or a label is undefined

  /// Adds a text that could follow at a position. A later position discards everything before: the path that got
  /// furthest is most likely the intended one.
  void add(std::size_t at, std::string text);
  /// Adds the reason why the parser rejected the text at a position. It takes precedence over the list of expected
  /// texts.
  void explain(std::size_t at, std::string text);
};

/// The set of trie nodes that a line reached.
class NodeSet {
 public:
  /// Empties the set for a trie of `count` nodes. Takes time linear in the nodes of the last line, not of the trie.
  void begin(std::size_t count) {
    for (const std::uint32_t node : nodes_) contains_[node] = 0;
    nodes_.clear();
    contains_.resize(count);
  }
  void add(std::uint32_t node) {
    if (contains_[node] != 0) return;
    contains_[node] = 1;
    nodes_.push_back(node);
  }
  [[nodiscard]] bool has(std::uint32_t node) const { return contains_[node] != 0; }
  [[nodiscard]] const std::vector<std::uint32_t>& nodes() const { return nodes_; }

 private:
  std::vector<std::uint8_t> contains_;
  std::vector<std::uint32_t> nodes_;
};

/// A word that may be the encoding of the line; not verified yet.
struct Candidate {
  std::uint32_t production = 0;
  std::uint32_t bits = 0;          ///< size of the instruction
  std::uint32_t respelled = 0;     ///< how many substrings of the line the decoder spells differently
  std::uint32_t preference = 0;    ///< how many of its leaves and displays are marked canonical
  std::uint32_t non_defaults = 0;  ///< how many fields differ from their default
  std::uint32_t control = 0;       ///< how many control bits are 1; conditions read the control bits
  std::uint32_t expected = 0;      ///< index into Parser::expected_texts_; nowhere: the line itself
  std::size_t words = 0;           ///< index of its first word in Parser::candidate_words_
  Run aliases;                     ///< range of Parser::written_as_: aliases to print instead of the displays
};

/// Parses lines one after another and reuses its buffers. The grammar must outlive it. Candidates are not verified: the
/// caller has to decode and compare them.
class Parser {
 public:
  explicit Parser(const Grammar& grammar);

  static constexpr std::uint32_t max_steps = 1u << 14;  ///< limit on tokens and alternatives tried for one line
  static constexpr std::size_t max_line = 4096;         ///< limit in bytes

  /// A line and the mode in which to parse it. Everything is borrowed until the next parse().
  struct Request {
    std::string_view text;  ///< runs of blanks are shortened; none at the ends
    bool is_loose = false;
    bool tries_ranges = false;          ///< a derived float may be any number with the same text, not only the nearest
    std::uint64_t index = 0;            ///< position of the instruction, in units
    const Labels* labels = nullptr;     ///< null: no labels
    CustomReader* custom = nullptr;     ///< null: custom fields cannot be read
    PrintListener* listener = nullptr;  ///< prints custom fields
    Expectations* expectations = nullptr;
  };
  /// Parses a line. Candidates are sorted by rank, the canonical encoding first.
  void parse(const Request& request);

  [[nodiscard]] const std::vector<Candidate>& candidates() const { return candidates_; }
  /// The bits of a candidate, in as many words as a PartialWord has; valid until the next parse().
  [[nodiscard]] const BitWord* words_of(const Candidate& candidate) const {
    return candidate_words_.data() + candidate.words;
  }
  /// The text that a candidate must print: the line in the decoder's spelling.
  [[nodiscard]] std::string_view expected_text(const Candidate& candidate) const {
    return candidate.expected == nowhere ? request_.text : std::string_view(expected_texts_[candidate.expected]);
  }
  /// The scopes of a candidate for which the line contains an alias; usually none.
  [[nodiscard]] std::span<const WrittenAs> aliases_of(const Candidate& candidate) const {
    return {written_as_.data() + candidate.aliases.first, candidate.aliases.count};
  }
  /// Whether a limit was reached, so that there may be further encodings.
  [[nodiscard]] bool is_exhausted() const { return steps_ == 0 || solver_.is_exhausted(); }
  /// Work done for the line, at most max_work: the sum of three budgets, for tokens, conditions, and steps within
  /// conditions.
  [[nodiscard]] std::uint32_t work() const { return max_steps - steps_ + solver_.work(); }
  static constexpr std::uint32_t max_work = max_steps + 2 * Solver::max_evaluations;
  /// Limit on candidates of one line, because the assembler verifies each one. Further candidates are dropped.
  static constexpr std::size_t max_candidates = 64;
  /// Whether some production matched the whole line.
  [[nodiscard]] bool was_read() const { return was_read_; }
  /// Whether some path read a derived float, so that `tries_ranges` might find more.
  [[nodiscard]] bool met_computed_float() const { return met_computed_float_; }
  [[nodiscard]] const Grammar& grammar() const { return grammar_; }

 private:
  struct Frame {  // where to continue after a nested display
    std::uint32_t token = 0;
    std::uint32_t end = 0;
    std::uint32_t scope = 0;
    std::uint32_t parent = nowhere;
  };
  // One alternative for the current token: how many characters it consumes, and which bits or constraint it implies
  // (learn()). All alternatives are listed before the first is tried, so a token with one alternative needs no choice
  // point.
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
      IsWrapped,  // a nonzero derived value whose lowest bits, the ones that the field prints, are 0
      Enter,
      Choose
    } kind;
    std::uint32_t length = 0;
    std::uint32_t index = 0;  // into wide_ (WideBits), the productions (Enter) or the tables' choices (Choose)
    BitWord value = 0;
    BitWord mask = 0;
    BitWord limit = 0;
    std::uint32_t spelling = nowhere;  // index into spellings_: the decoder's spelling
  };
  // A range of the line that the decoder spells differently. Respellings are recorded in the order of the line.
  struct Respelling {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t spelling = 0;
  };
  // The state of a path. In a choice point, the counts are the stack sizes to restore.
  struct State {
    std::uint32_t position = 0;
    Frame frame;
    std::uint32_t definition = nowhere;  // chosen for the current token; `owner` is the scope that contains it
    std::uint32_t owner = 0;
    std::uint32_t frames = 0;
    std::uint32_t scopes = 0;
    std::uint32_t constraints = 0;
    std::uint32_t respellings = 0;
  };
  // A choice point. The alternatives of the last choice point are at the end of alternatives_, and its known bits at
  // the end of saved_words_. So both are stacks too.
  struct ChoicePoint {
    State state;
    std::uint32_t first = 0;  // index into alternatives_
    std::uint32_t next = 0;
    std::uint32_t end = 0;
  };
  static constexpr std::size_t max_scopes = 256;  // limit for one instruction

  void find_productions(std::vector<std::uint32_t>& found);
  void try_production(std::uint32_t index);
  // Steps of the walk. They return false if the current path has ended, with or without a candidate; backtrack() is
  // next.
  bool advance();
  bool backtrack();
  bool take(std::uint32_t first);
  bool apply(const Alternative& alternative);
  bool apply_now(const Alternative& alternative);
  bool learn(const Alternative& alternative, const Definition& definition, std::uint32_t scope);
  bool enter(const Alternative& alternative, std::uint32_t index, std::uint32_t scope);
  bool open_production(const Production& production, std::uint32_t low);
  // Constraints are checked if their bits are known, otherwise narrowed, otherwise solved at the end of the line.
  bool require(Constraint constraint);
  [[nodiscard]] Solver::Verdict compare_with_constraints(const Constraint& constraint) const;
  Solver::Verdict check(const Constraint& constraint) {
    const Solver::Verdict verdict = solver_.check(constraint, word_);
    return verdict == Solver::Verdict::Open ? compare_with_constraints(constraint) : verdict;
  }
  // At the end of the line, solves the remaining constraints. Every solution is a candidate.
  void complete();
  void add_candidate(const PartialWord& word);
  void set_defaults(const PartialWord& word, Candidate& candidate);
  void add_scope_properties(Candidate& candidate);
  std::uint32_t count_control(Evaluator& evaluator, std::size_t scopes, const BitWord* words);

  // Matching tokens against the text. The functions expand_* and read_* only list alternatives.
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
  // The definition that passes arguments to a nested scope, and the scope in which they are evaluated.
  struct Opener {
    const Definition* definition;
    std::uint32_t scope;
  };
  [[nodiscard]] Opener opener_of(std::uint32_t index, std::uint32_t owner) const;
  void expand_group(const Definition& definition, std::uint32_t owner, std::uint32_t low);
  void expand_strings(const Token& token, const Definition& definition, const StringSet& set, std::uint32_t low);
  void add_meanings(const Definition& definition, Run run, std::uint32_t length, std::uint32_t low);
  [[nodiscard]] FirstSet reached_after_flags(std::uint32_t group) const;
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

  // Returns NUL past the end. No token matches NUL, so few callers check the size.
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
  std::size_t size_;  // words of the longest instruction, plus one
  std::uint32_t steps_ = 0;
  bool was_read_ = false;
  bool met_computed_float_ = false;
  bool is_prefixed_ = false;

  // The current path, reset for each production. word_ is a view of word_memory_: the values, followed by the mask of
  // known bits. They are contiguous because a choice point copies both.
  State state_;
  std::vector<BitWord> word_memory_;
  PartialWord word_;
  std::vector<Frame> frames_;
  std::vector<Constraint> constraints_;
  std::vector<Constraint> pending_;  // constraints still open at the end of a line
  std::vector<Respelling> respellings_;
  std::vector<Alternative> alternatives_;
  std::vector<ChoicePoint> choices_;
  std::vector<BitWord> saved_words_;  // known bits of the choice points
  std::vector<std::string> spellings_;
  std::vector<Bits> wide_;
  std::uint32_t production_ = 0;

  // Results of the line, and buffers kept between lines.
  std::vector<std::uint32_t> found_;
  std::vector<std::uint8_t> reached_;
  NodeSet flags_;  // trie nodes of the texts found before a mnemonic
  NodeSet mnemonics_;
  std::vector<BitWord> control_;
  std::vector<Candidate> candidates_;
  std::vector<BitWord> candidate_words_;
  std::vector<std::string> expected_texts_;
  std::vector<WrittenAs> written_as_;    // aliases of all candidates
  std::vector<BitWord> decided_;         // bits that are known or set to their default
  std::vector<OpenScope> first_scopes_;  // of the first candidate, which is ranked only if there is a second
  Evaluator first_evaluator_;
  std::vector<CustomReader::Reading> readings_;
  std::function<void(const PartialWord&)> on_solution_;
};

}  // namespace vireo::isa

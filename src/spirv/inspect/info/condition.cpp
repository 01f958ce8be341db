// SPDX-License-Identifier: Apache-2.0
//
// Parses and evaluates conditions (vireo/spirv/inspect/condition.h).
//
// Operators wait on a stack until one of a lower precedence follows, and then become steps in postfix
// order. So neither the parser nor the evaluation is recursive, and the depth of parentheses is not limited.
#include "vireo/spirv/inspect/condition.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "spirv/rules.h"
#include "support/nearest.h"
#include "support/printable.h"

namespace vireo::spirv {
namespace {

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](char c) { return lower(c); });
  return result;
}

// A word, a quoted text, or punctuation of a condition.
struct ConditionToken {
  enum class Kind : std::uint8_t { End, Word, Quoted, Operator, Open, Close, Unterminated };
  Kind kind = Kind::End;
  std::string_view text;  // without quotes
  Location where;
};

// Divides a condition into tokens. A word is everything between blanks, quotes, parentheses and operators, so names of
// files and opcodes need no quotes.
class ConditionLexer {
 public:
  explicit ConditionLexer(std::string_view text) : text_(text) {}

  ConditionToken next() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    if (at_ == text_.size()) return {ConditionToken::Kind::End, {}, Location::in_text(at_, at_)};
    const char first = text_[at_];
    if (first == '(') return take(ConditionToken::Kind::Open, 1);
    if (first == ')') return take(ConditionToken::Kind::Close, 1);
    if (first == '\'' || first == '"') return quoted_text(first);
    if (operators.find(first) != std::string_view::npos) {
      // Two characters: <= >= != ==
      const bool is_long = first != '~' && at_ + 1 < text_.size() && text_[at_ + 1] == '=';
      return take(ConditionToken::Kind::Operator, is_long ? 2 : 1);
    }
    std::size_t length = 1;
    while (at_ + length < text_.size() && is_word(text_[at_ + length])) ++length;
    return take(ConditionToken::Kind::Word, length);
  }

 private:
  static constexpr std::string_view operators = "=!<>~";
  static constexpr bool is_word(char c) {
    return !is_blank(c) && c != '(' && c != ')' && c != '\'' && c != '"' && operators.find(c) == std::string_view::npos;
  }

  ConditionToken take(ConditionToken::Kind kind, std::size_t length) {
    const ConditionToken token{kind, text_.substr(at_, length), Location::in_text(at_, at_ + length)};
    at_ += length;
    return token;
  }

  // There are no escapes: a text with one kind of quotes is enclosed in the other kind.
  ConditionToken quoted_text(char quote) {
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) return take(ConditionToken::Kind::Unterminated, text_.size() - at_);
    ConditionToken token = take(ConditionToken::Kind::Quoted, end + 1 - at_);
    token.text = token.text.substr(1, token.text.size() - 2);
    return token;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// Decimal, or hexadecimal after 0x. None if it is not a number of 64 bits.
std::optional<std::uint64_t> number_of(std::string_view text) {
  const bool is_hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  if (is_hexadecimal) text.remove_prefix(2);
  std::uint64_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number, is_hexadecimal ? 16 : 10);
  if (text.empty() || fault != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// "1.5" as the version word of the header.
std::optional<std::uint64_t> version_of(std::string_view text) {
  const std::size_t point = text.find('.');
  if (point == std::string_view::npos) return std::nullopt;
  const auto major = number_of(text.substr(0, point)), minor = number_of(text.substr(point + 1));
  if (!major || !minor || *major > 255 || *minor > 255) return std::nullopt;
  return Version{static_cast<std::uint8_t>(*major), static_cast<std::uint8_t>(*minor)}.to_word();
}

// The names of a field with a kind: enumerants of an operand kind, or opcodes.
class FieldVocabulary {
 public:
  FieldVocabulary(const Grammar& grammar, std::string_view kind) : grammar_(grammar), is_opcode_(kind == "Op") {
    if (!is_opcode_) kind_ = grammar.find_kind(kind);
    scope_ = is_opcode_ ? name_scope::opcodes : name_scope::of_kind(kind_);
    is_known_ = is_opcode_ || !kind_.is_none();
  }

  // The primary name of a number; empty if it is unknown.
  [[nodiscard]] std::string_view primary(std::uint64_t number) const {
    if (!is_known_ || number > ~Word{0}) return {};
    const auto value = static_cast<Word>(number);
    if (is_opcode_) {
      const InstructionRow* row = grammar_.find_opcode(value);
      return row == nullptr ? std::string_view() : grammar_.text(row->name);
    }
    const EnumerantRow* row = grammar_.find_value(kind_, value);
    return row == nullptr ? std::string_view() : grammar_.text(row->name);
  }

  // The primary name of a name or alias, which is in lower case; empty if it is unknown.
  [[nodiscard]] std::string_view primary(std::string_view name) const {
    for (const NameEntry& entry : grammar_.name_entries) {
      if (entry.scope != scope_ || entry.text.length != name.size() || lower(grammar_.text(entry.text)) != name)
        continue;
      return grammar_.text(is_opcode_ ? grammar_.instructions[entry.row].name : grammar_.enumerants[entry.row].name);
    }
    return {};
  }
  // Names that resemble an unknown one.
  [[nodiscard]] std::vector<std::string_view> nearest(std::string_view name) const {
    NearestNames names(name);
    for (const NameEntry& entry : grammar_.name_entries) {
      if (entry.scope == scope_) names.offer(grammar_.text(entry.text));
    }
    return names.names();
  }
  // False if a loaded grammar lacks the kind; any text is then accepted.
  [[nodiscard]] bool is_known() const { return is_known_; }

 private:
  const Grammar& grammar_;
  KindId kind_;
  bool is_opcode_, is_known_;
  std::uint16_t scope_;
};

}  // namespace

// The shunting-yard algorithm. `expects_operand_` is the state: a comparison must follow, or a connective.
class ConditionParser {
 public:
  ConditionParser(std::string_view text, Diagnostics& diagnostics, const Grammar& grammar)
      : lexer_(text), diagnostics_(diagnostics), grammar_(grammar) {
    advance();
  }

  Result<Condition> parse() {
    while (!is_complete_ && !stop_) {
      if (expects_operand_) parse_operand();
      else parse_connective();
    }
    if (reported_) return *reported_;
    return std::move(condition_);
  }

 private:
  using Step = Condition::Step;
  using Relation = Condition::Relation;

  // In the order of precedence. An open parenthesis ends the search for operators of a higher precedence.
  enum class Pending : std::uint8_t { Open, Or, And, Not };
  struct PendingRow {
    Pending kind;
    Location where;
  };

  struct RelationRow {
    std::string_view name;
    Relation relation;
    bool orders;  // only for numbers and versions
  };
  static constexpr RelationRow relations[] = {
      {"=", Relation::Equal, false},           {"==", Relation::Equal, false},
      {"!=", Relation::NotEqual, false},       {"~", Relation::Contains, false},
      {"contains", Relation::Contains, false}, {"<", Relation::Less, true},
      {"<=", Relation::LessOrEqual, true},     {">", Relation::Greater, true},
      {">=", Relation::GreaterOrEqual, true},
  };

  void advance() { token_ = lexer_.next(); }
  [[nodiscard]] bool is_word(std::string_view word) const {
    return token_.kind == ConditionToken::Kind::Word && lower(token_.text) == word;
  }

  // A prefix (`not`, an open parenthesis) waits for its operand; a comparison is a step at once.
  void parse_operand() {
    if (is_word("not")) {
      pending_.push_back({Pending::Not, token_.where});
      return advance();
    }
    if (token_.kind == ConditionToken::Kind::Open) {
      pending_.push_back({Pending::Open, token_.where});
      return advance();
    }
    if (token_.kind != ConditionToken::Kind::Word || is_word("and") || is_word("or")) return expected("a field");
    parse_comparison();
    expects_operand_ = false;
  }

  // Reports an unknown field and continues with the next comparison, because its syntax is known nevertheless.
  void parse_comparison() {
    const ConditionToken field_token = token_;
    Step step;
    step.field = find_info_field(lower(field_token.text));
    if (step.field == nullptr) {
      reported_ =
          diagnostics_.error(rule::unknown_field, field_token.where, "unknown field " + quoted(field_token.text),
                             did_you_mean(nearest_info_field(lower(field_token.text))));
    }
    advance();
    const ConditionToken relation_token = token_;
    const bool may_be_relation =
        token_.kind == ConditionToken::Kind::Operator || token_.kind == ConditionToken::Kind::Word;
    const auto row =
        std::ranges::find(relations, may_be_relation ? lower(token_.text) : std::string(), &RelationRow::name);
    if (row == std::end(relations)) return expected("an operator: = != < <= > >= ~");
    step.relation = row->relation;
    advance();
    if (token_.kind != ConditionToken::Kind::Word && token_.kind != ConditionToken::Kind::Quoted)
      return expected("a value");
    if (step.field != nullptr) check_types(step, *row, relation_token);
    advance();
    condition_.steps_.push_back(std::move(step));
  }

  // Converts the value, which is the current token, to the type of the field.
  void check_types(Step& step, const RelationRow& relation, const ConditionToken& relation_token) {
    const FieldType type = step.field->type;
    const bool is_ordered = type == FieldType::Number || type == FieldType::Version;
    if (is_ordered ? relation.relation == Relation::Contains : relation.orders) {
      reported_ = diagnostics_.error(rule::condition_value, relation_token.where,
                                     "operator " + quoted(relation_token.text) + " does not apply to field " +
                                         quoted(step.field->name) + ", which is a " + std::string(name_of(type)) +
                                         (is_ordered ? "; expected = != < <= > or >=" : "; expected = != or ~"));
      return;
    }
    if (!is_ordered) {
      step.text = lower(token_.text);
      if (relation.relation != Relation::Contains && !step.field->kind.empty()) check_name(step);
      return;
    }
    const auto number = type == FieldType::Number ? number_of(token_.text) : version_of(token_.text);
    if (number) {
      step.number = *number;
      return;
    }
    reported_ = diagnostics_.error(
        rule::condition_value, token_.where,
        quoted(token_.text) +
            (type == FieldType::Number ? " is not a number; field " : " is not a version, such as 1.5; field ") +
            quoted(step.field->name) + " is a " + std::string(name_of(type)));
  }

  // A name that the grammar lacks equals no element, which is a mistake of the user. Modules contain the primary names
  // and, for unknown values, decimal numbers.
  void check_name(Step& step) {
    const FieldVocabulary vocabulary(grammar_, step.field->kind);
    if (const auto number = number_of(step.text)) {
      const std::string_view primary = vocabulary.primary(*number);
      step.text = primary.empty() ? std::to_string(*number) : lower(primary);
      return;
    }
    if (!vocabulary.is_known() || step.text.empty()) return;
    const std::string_view primary = vocabulary.primary(step.text);
    if (!primary.empty()) {
      step.text = lower(primary);
      return;
    }
    reported_ = diagnostics_.error(
        rule::condition_value, token_.where,
        quoted(token_.text) + " is not a name that field " + quoted(step.field->name) + " can contain",
        did_you_mean(vocabulary.nearest(token_.text)));
  }

  // A connective first completes those before it that bind at least as tightly: all connectives group from the left.
  void parse_connective() {
    if (is_word("and")) return push(Pending::And, Pending::And);
    if (is_word("or")) return push(Pending::Or, Pending::Or);
    if (token_.kind == ConditionToken::Kind::Close) {
      pop_while_at_least(Pending::Or);
      if (pending_.empty()) return fail(token_.where, "')' has no '('");
      pending_.pop_back();
      return advance();
    }
    if (token_.kind != ConditionToken::Kind::End) return expected("'and', 'or' or the end");
    pop_while_at_least(Pending::Or);
    if (!pending_.empty()) return fail(pending_.back().where, "'(' has no ')'");
    is_complete_ = true;
  }

  void push(Pending kind, Pending binds_at_least) {
    pop_while_at_least(binds_at_least);
    pending_.push_back({kind, token_.where});
    expects_operand_ = true;
    advance();
  }

  // Moves waiting operators to the steps. An open parenthesis has the lowest precedence and stays.
  void pop_while_at_least(Pending lowest) {
    while (!pending_.empty() && pending_.back().kind >= lowest) {
      const Pending kind = pending_.back().kind;
      Step step;
      step.kind = kind == Pending::Not ? Step::Kind::Not : kind == Pending::And ? Step::Kind::And : Step::Kind::Or;
      condition_.steps_.push_back(std::move(step));
      pending_.pop_back();
    }
  }

  // Reports a syntax error at the current token.
  void expected(std::string_view what) {
    std::string message = "expected " + std::string(what);
    switch (token_.kind) {
      case ConditionToken::Kind::End: message += ", found the end"; break;
      case ConditionToken::Kind::Unterminated: message = "the text has no closing quote"; break;
      default: message += ", found " + quoted(token_.text);
    }
    fail(token_.where, std::move(message));
  }
  // After a syntax error the rest of the text has no certain meaning.
  void fail(Location where, std::string message) {
    reported_ = diagnostics_.error(rule::condition_syntax, where, std::move(message));
    stop_ = true;
  }

  ConditionLexer lexer_;
  Diagnostics& diagnostics_;
  const Grammar& grammar_;
  ConditionToken token_;
  bool expects_operand_ = true, is_complete_ = false, stop_ = false;
  std::optional<Reported> reported_;
  std::vector<PendingRow> pending_;
  Condition condition_;
};

Result<Condition> parse_condition(std::string_view text, Diagnostics& diagnostics, const Grammar& grammar) {
  return ConditionParser(text, diagnostics, grammar).parse();
}

// --- evaluation -----------------------------------------------------------------------------------------------------

bool Condition::compare(const Step& step, const ModuleInfo& info) {
  const FieldValue value = step.field->value(info);
  // A text is a list of one element. `!=` means that no element is equal.
  const auto is_match = [&](const std::string& element) {
    const std::string text = lower(element);
    return step.relation == Relation::Contains ? text.find(step.text) != std::string::npos : text == step.text;
  };
  const bool negates = step.relation == Relation::NotEqual;
  if (const auto* text = std::get_if<std::string>(&value)) return is_match(*text) != negates;
  if (const auto* list = std::get_if<std::vector<std::string>>(&value)) {
    return std::ranges::any_of(*list, is_match) != negates;
  }
  const auto* version = std::get_if<Version>(&value);
  const std::uint64_t number = version != nullptr ? version->to_word() : std::get<std::uint64_t>(value);
  switch (step.relation) {
    case Relation::Equal: return number == step.number;
    case Relation::NotEqual: return number != step.number;
    case Relation::Less: return number < step.number;
    case Relation::LessOrEqual: return number <= step.number;
    case Relation::Greater: return number > step.number;
    case Relation::GreaterOrEqual: return number >= step.number;
    case Relation::Contains: break;  // not for numbers: check_types() rejects it
  }
  return false;
}

// The parser guarantees that each step finds its operands.
bool Condition::matches(const ModuleInfo& info) const {
  std::vector<bool> stack;
  for (const Step& step : steps_) {
    if (step.kind == Step::Kind::Compare) {
      stack.push_back(compare(step, info));
      continue;
    }
    const bool right = stack.back();
    if (step.kind == Step::Kind::Not) {
      stack.back() = !right;
      continue;
    }
    stack.pop_back();
    stack.back() = step.kind == Step::Kind::And ? stack.back() && right : stack.back() || right;
  }
  return stack.empty() || stack.back();
}

}  // namespace vireo::spirv

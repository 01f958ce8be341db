// SPDX-License-Identifier: Apache-2.0
//
// Conditions and derived values as C expressions.
//
// A clean expression is a pure function of the word, so its code is written where it is needed. A short
// one is written in place, a longer one as a shared function. An unclean expression becomes a function with a memo of
// its state and value for the current word. A call during its own evaluation returns 0, which ends the cycle.
#include <algorithm>
#include <charconv>

#include "isa/generate/expression_writer.h"

namespace vireo::isa::generate {
namespace {

// The maximum length, in characters, of an expression that is written in place instead of as a function call.
constexpr std::size_t longest_in_place = 72;
// Bytes of the longest message without its names and long numbers.
constexpr std::size_t message_room = 96;

// Operators that C defines for all operands are written as they are. The others call a runtime function: isaspec
// defines overflow, shifts by too much and quotients by zero (vireo/isa/expression.h), C does not.
std::string_view function_of(Operation operation) {
  switch (operation) {
    case Operation::Negate: return "@negate";
    case Operation::Multiply: return "@multiply";
    case Operation::Divide: return "@divide";
    case Operation::Remainder: return "@remainder";
    case Operation::Add: return "@add";
    case Operation::Subtract: return "@subtract";
    case Operation::ShiftLeft: return "@shift_left";
    case Operation::ShiftRight: return "@shift_right";
    default: return {};
  }
}

// Returns the value of a text that is a plain number. A number with the suffix `ll` is not recognised and is treated as
// an expression, which is correct.
std::optional<std::int64_t> constant_in(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Returns a C conditional expression. Compilers warn about numbers other than 0 and 1 in a boolean context, so a result
// with such a number is passed through `@value`.
std::string conditional_text(const std::string& condition, const std::string& first, const std::string& second) {
  const std::string text = "(" + condition + " ? " + first + " : " + second + ")";
  const auto is_number = [](std::string_view operand) {
    constexpr std::string_view cut = "(int64_t)(uint32_t)";
    if (operand.starts_with(cut)) operand.remove_prefix(cut.size());
    return operand.find_first_not_of("(-0123456789l )") == std::string_view::npos && operand != "0" && operand != "1";
  };
  return is_number(first) || is_number(second) ? "@value" + text : text;
}

// Whether the operands of an operator are numbers, not booleans. Relies on the order of the enumerators (expression.h).
bool takes_numbers(Operation operation) {
  return operation == Operation::Complement || (operation >= Operation::Less && operation <= Operation::BitOr);
}

// Whether the text reads the generation or calls a function that does. Only then does a function need the state as a
// parameter.
bool uses_state(std::string_view text) {
  return text.find("s->") != std::string_view::npos || text.find("(s, w") != std::string_view::npos;
}

// Simplifies `a && b` or `a || b` if one side is constant. C compilers fold it too, but a constant result allows the
// generator to omit whole branches.
std::optional<std::string> decided_text(Operation operation, std::span<const std::string> sides) {
  for (const std::size_t side : {0, 1}) {
    const std::optional<std::int64_t> number = constant_in(sides[side]);
    if (!number) continue;
    const bool decides = (*number != 0) == (operation == Operation::Or);
    if (decides) return operation == Operation::Or ? "1" : "0";
    return "(@value" + in_parentheses(sides[1 - side]) + " != 0)";
  }
  return std::nullopt;
}

// Returns the C expression of an operation.
std::string operation_text(Operation operation, std::span<std::string> operands) {
  const bool is_binary = operands.size() == 2;
  // Compilers warn if a boolean is compared or used as bits.
  if (takes_numbers(operation)) {
    for (std::string& operand : operands) {
      // They also warn about `x == x`.
      const bool is_twice = is_binary && &operand == operands.data() && operands[0] == operands[1];
      if (operand.front() == '(' || is_twice) operand = "@value" + in_parentheses(operand);
    }
  }
  if (operation == Operation::And || operation == Operation::Or) {
    if (std::optional<std::string> decided = decided_text(operation, operands)) return *std::move(decided);
  }
  if (const std::string_view function = function_of(operation); !function.empty()) {
    return std::string(function) + "(" + operands[0] + (is_binary ? ", " + operands[1] : "") + ")";
  }
  switch (operands.size()) {
    case 1: return (operation == Operation::Not ? "((int64_t)!" : "(~") + operands[0] + ")";
    case 2: return "(" + operands[0] + " " + std::string(spelling_of(operation)) + " " + operands[1] + ")";
    default: return conditional_text(operands[0], operands[1], operands[2]);
  }
}

}  // namespace

// The initial bound of a message has two names, two numbers of the size of an instruction, and some text. fault_call
// raises the bound for longer messages.
Facts measure(const Model& model) {
  Facts facts;
  for (const InstructionRoot& row : model.instruction_roots()) {
    const Bitset& root = model[row.root];
    facts.max_bits = std::max(facts.max_bits, root.size);
    for (const BitsetId id : model.leaves(root)) {
      facts.longest_instruction_name = std::max(facts.longest_instruction_name, model[id].display_name.size());
    }
  }
  for (const Bitset& bitset : model.bitsets())
    facts.longest_name = std::max(facts.longest_name, bitset.display_name.size());
  facts.word_count = static_cast<std::uint32_t>(words_for(std::max(facts.max_bits, model.unit_bits())));
  facts.longest_fault = 2 * facts.longest_name + 2 * std::size_t{facts.max_bits} / 4 + 96;
  return facts;
}

// An expression reads only the lowest 64 bits of a wider field.
std::string ExpressionWriter::bits_text(std::uint32_t low, std::uint32_t width) const {
  return "@bits(w, " + std::to_string(low) + ", " + std::to_string(std::min(width, bits_per_word)) + ")";
}

std::string ExpressionWriter::field_value(const Candidate& candidate) {
  const Field& field = *candidate.field;
  if (!field.is_derived()) return bits_text(candidate.scope->low + field.low, field.width);
  const std::string value = expression_text(*candidate.scope, field.expression);
  return facts_.cuts_derived ? "(int64_t)(uint32_t)" + value : value;
}

// A case without a condition always holds. A text that is a number is constant.
ExpressionWriter::Condition ExpressionWriter::condition_of(const StaticScope& scope, ExpressionId condition) {
  if (!condition) return {{}, true};
  std::string text = expression_text(scope, condition);
  const std::optional<std::int64_t> value = constant_in(text);
  return {std::move(text), value ? std::optional<bool>(*value != 0) : std::nullopt};
}

std::string ExpressionWriter::operators_text(ExpressionId id, const std::vector<std::string>& slots) {
  // A param or derived field that is constant here allows further folding.
  FoldedSteps steps = scopes_.folded(id);
  bool is_changed = false;
  for (ExpressionStep& step : steps) {
    if (step.operation != Operation::Slot) continue;
    const std::optional<std::int64_t> value = constant_in(slots[step.slot]);
    if (!value) continue;
    step = {Operation::Constant, 0, *value};
    is_changed = true;
  }
  if (is_changed) steps = fold(steps, scopes_.gens());

  // Converts postfix to infix. Each operand binds at least as tightly as a cast, so it needs no further parentheses.
  std::vector<std::string> stack;
  for (const ExpressionStep& step : steps) {
    const std::uint32_t count = operand_count(step.operation);
    if (count == 0) {
      stack.push_back(step.operation == Operation::Constant ? signed_constant(step.constant)
                      : step.operation == Operation::Slot   ? slots[step.slot]
                                                            : "(int64_t)s->gen");
      continue;
    }
    const std::size_t depth = stack.size();
    std::string* first = stack.data() + (depth - count);  // the operands, deepest first
    std::string text = operation_text(step.operation, std::span(first, count));
    stack.resize(depth - count);
    stack.push_back(std::move(text));
  }
  return stack.empty() ? "0" : stack.back();
}

// Cached by scope, because many fields have the same condition. The assumptions are part of the key, because they may
// have folded the expression.
std::string ExpressionWriter::expression_text(const StaticScope& scope, ExpressionId id) {
  const bool is_clean = scopes_.is_clean(scope, id);
  // An unclean expression has one function, independent of assumptions, because its memo is valid for the whole word.
  const std::uint64_t key = is_clean ? scopes_.key_of(id) : id.raw;
  if (const auto known = scope.texts.find(key); known != scope.texts.end()) return known->second;
  std::string text = is_clean ? clean_text(scope, id) : unclean_function(scope, id);
  scope.texts.emplace(key, text);
  return text;
}

// The function reads bits of the word, not scopes, so equal expressions of different leaves share it.
std::string ExpressionWriter::clean_text(const StaticScope& scope, ExpressionId id) {
  std::vector<std::string> slots;
  for (const NameId name : model_.slots(model_[id])) slots.push_back(name_value(scope, name, id));
  std::string text = operators_text(id, slots);
  if (text.size() <= longest_in_place) return text;
  const bool needs_state = uses_state(text);
  const std::string arguments = needs_state ? "(s, w)" : "(w)";
  const std::string parameters = needs_state ? "(@State* s, @Word w)" : "(@Word w)";
  const Expression& row = model_[id];
  return writer_.define('e', "inline int64_t", parameters + " { return " + text + "; }", row.text.substr(0, 200)) +
         arguments;
}

// Returns a chain of `?:`, with one condition for each candidate that may hold, in evaluation order.
std::string ExpressionWriter::name_value(const StaticScope& scope, NameId name, ExpressionId innermost) {
  std::vector<std::pair<std::string, std::string>> rungs;  // conditions, and the values where they hold
  std::string text = "0";
  for (const Candidate& candidate : scopes_.resolve(scope, name, innermost)) {
    // Such a candidate is evaluated only for its faults, which this function does not report.
    if (candidate.field == nullptr) continue;
    const Condition condition = condition_of(*candidate.scope, candidate.condition);
    if (condition.is_never()) continue;
    if (condition.is_always()) {
      text = field_value(candidate);
      break;
    }
    rungs.emplace_back(condition.text, field_value(candidate));
  }
  for (; !rungs.empty(); rungs.pop_back()) text = conditional_text(rungs.back().first, rungs.back().second, text);
  return text;
}

// `length` is the total size of the names in the arguments. The generator determines the longest message, so messages
// are written without bounds checks.
std::string ExpressionWriter::fault_call(std::string_view function, const std::string& arguments, std::size_t length) {
  facts_.longest_fault = std::max(facts_.longest_fault,
                                  message_room + length + 2 * std::size_t{facts_.max_bits} / 4 + facts_.longest_name);
  return std::string(function) + "(s, " + arguments + ");\n";
}

// --- unclean expressions ------------------------------------------------------------------------------------------------

// The function is declared now and defined at the end of the instruction, because it may be recursive.
std::string ExpressionWriter::unclean_function(const StaticScope& scope, ExpressionId id) {
  const std::string name = writer_.declare('u', "inline int64_t", "(@State* s, @Word w)");
  pending_.push_back({name, &scope, id, memos_++});
  facts_.memos = std::max(facts_.memos, memos_);
  return name + "(s, w)";
}

// Defining one function may declare others.
void ExpressionWriter::write_unclean_functions() {
  while (!pending_.empty()) {
    // A copy, because the loop may append to the list.
    const Pending pending = pending_.back();
    pending_.pop_back();
    const std::string memo = std::to_string(pending.memo);
    std::string body = "  if (s->memo_states[" + memo + "] == 2) return s->memos[" + memo + "];\n";
    body += "  if (s->memo_states[" + memo + "] == 1) return 0; /* a cycle */\n";
    body += "  s->memo_states[" + memo + "] = 1;\n";
    std::vector<std::string> slots;
    for (const NameId name : model_.slots(model_[pending.expression])) {
      const std::string slot = "a" + std::to_string(slots.size());
      slots.push_back(slot);
      // The names are looked up in the decoder's order, all before the expression is evaluated.
      std::string search;
      bool is_found = false;
      for (const Candidate& candidate : scopes_.resolve(*pending.scope, name, pending.expression)) {
        const Condition condition = condition_of(*candidate.scope, candidate.condition);
        if (condition.is_never()) continue;
        if (candidate.field == nullptr) {
          search += "    (void)" + condition.text + ";\n";
          continue;
        }
        const std::string take = slot + " = " + field_value(candidate) + ";";
        if (condition.is_always()) {
          search += "    " + take + "\n";
          is_found = true;
          break;
        }
        search += "    if " + in_parentheses(condition.text) + " {\n      " + take + "\n      break;\n    }\n";
      }
      if (!is_found) {
        const std::string_view text = model_.text(name);
        search += "    " + fault_call("@no_field", quoted_literal(text), text.size());
      }
      body.append("  int64_t ").append(slot).append(" = 0;\n  do {\n").append(search).append("  } while (0);\n");
      body.append("  (void)").append(slot).append(";\n");  // folding may have made it unused
    }
    body += "  s->memos[" + memo + "] = " + operators_text(pending.expression, slots) + ";\n";
    body += "  s->memo_states[" + memo + "] = 2;\n  return s->memos[" + memo + "];\n";
    writer_.append("/* " + expression_comment(model_[pending.expression].text) + " */\nstatic inline int64_t " +
                   pending.name + "(@State* s, @Word w) {\n  (void)w;\n" + body + "}\n\n");
  }
}

}  // namespace vireo::isa::generate

// SPDX-License-Identifier: Apache-2.0
//
// Partial evaluation of postfix code.
//
// The steps run as in the decoder, but fields stay symbolic. Parts that depend only on the generation
// become numbers, so `ISA_GPU_ID() >= 600 && {A}` becomes `({A} != 0)`. A constant condition disappears from the
// comparison. Only rules that hold for every value are used, so two equivalent expressions may still have different
// texts.
#include "isa/diff/fold.h"

#include <algorithm>
#include <vector>

#include "isa/explain/origin.h"

namespace vireo::isa {
namespace {

// A number, or a symbolic text. The text is a name, an expression in parentheses, or one of these after a unary
// operator. So it is valid as an operand of any operator.
struct Term {
  std::optional<std::int64_t> value;
  std::string text;
  bool is_boolean = false;  // 0 or 1 for every word

  [[nodiscard]] bool is_true() const { return value && *value != 0; }
  [[nodiscard]] bool is_false() const { return value && *value == 0; }
  [[nodiscard]] std::string written() const { return value ? std::to_string(*value) : text; }
};

Term known(std::int64_t value) { return {value, {}, value == 0 || value == 1}; }

// Normalizes to 0 or 1. `&&` gives 0 or 1, so its folded form may not be the bare operand: 2 is true, but it is not 1.
Term to_boolean(Term term) {
  if (term.value) return known(*term.value != 0 ? 1 : 0);
  if (term.is_boolean) return term;
  return {{}, "(" + term.text + " != 0)", true};
}

bool is_boolean_operation(Operation operation) {
  return operation == Operation::Not || (operation >= Operation::Less && operation <= Operation::NotEqual) ||
         operation == Operation::And || operation == Operation::Or;
}

Term combine(Operation operation, Term a, Term b) {
  if (a.value && b.value) return known(apply(operation, *a.value, *b.value));
  // Operands have no side effects, so an operand that does not affect the result may be dropped, even if C would
  // evaluate it.
  switch (operation) {
    case Operation::And:
      if (a.is_false() || b.is_false()) return known(0);
      if (a.is_true()) return to_boolean(std::move(b));
      if (b.is_true()) return to_boolean(std::move(a));
      break;
    case Operation::Or:
      if (a.is_true() || b.is_true()) return known(1);
      if (a.is_false()) return to_boolean(std::move(b));
      if (b.is_false()) return to_boolean(std::move(a));
      break;
    default: break;
  }
  std::string text = "(" + a.written();
  text.append(" ").append(spelling_of(operation)).append(" ").append(b.written()).append(")");
  return {{}, std::move(text), is_boolean_operation(operation)};
}

Term select(const Term& condition, Term yes, Term no) {
  // Drop the arm that is not taken, usually that of another generation.
  if (condition.value) return condition.is_true() ? std::move(yes) : std::move(no);
  return {
      {}, "(" + condition.text + " ? " + yes.written() + " : " + no.written() + ")", yes.is_boolean && no.is_boolean};
}

// Removes redundant outer parentheses. Counts the depth: in `(A) + (B)` the first and the last are not a pair.
std::string without_parentheses(std::string text) {
  if (!text.starts_with('(') || !text.ends_with(')')) return text;
  int depth = 0;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0) return text;
  }
  return text.substr(1, text.size() - 2);
}

}  // namespace

Folded fold(const Model& model, ExpressionId id, std::optional<std::uint32_t> gen) {
  const Expression& expression = model[id];
  const std::span<const NameId> slots = model.slots(expression);
  std::vector<Term> stack;
  const auto pop = [&] {
    Term top = std::move(stack.back());
    stack.pop_back();
    return top;
  };
  // If the expression does not read the generation, the author's text is kept.
  bool has_generation = false;
  for (const ExpressionStep& step : model.steps(expression)) {
    // The parser guarantees that every operation has its operands on the stack.
    switch (operand_count(step.operation)) {
      case 0:
        if (step.operation == Operation::Constant) stack.push_back(known(step.constant));
        if (step.operation == Operation::Slot)
          stack.push_back({{}, "{" + std::string(model.text(slots[step.slot])) + "}", false});
        if (step.operation == Operation::Generation) {
          has_generation = true;
          stack.push_back(gen ? known(*gen) : Term{{}, "ISA_GPU_ID()", false});
        }
        break;
      case 1: {
        Term a = pop();
        if (a.value) stack.push_back(known(apply(step.operation, *a.value, 0)));
        else
          stack.push_back(
              {{}, std::string(spelling_of(step.operation)) + a.text, is_boolean_operation(step.operation)});
        break;
      }
      case 2: {
        Term b = pop();
        Term a = pop();
        stack.push_back(combine(step.operation, std::move(a), std::move(b)));
        break;
      }
      default: {
        Term no = pop();
        Term yes = pop();
        const Term condition = pop();
        stack.push_back(select(condition, std::move(yes), std::move(no)));
        break;
      }
    }
  }
  if (stack.empty()) return {{}, expression_text(model, id)};  // an expression with a syntax error has no code
  const Term result = pop();
  if (result.value && (has_generation || slots.empty())) return {result.value, std::to_string(*result.value)};
  // Without the generation, folding would only change the author's spacing and numbers, so the text is kept.
  const bool keeps_text = !has_generation || !gen;
  return {result.value, keeps_text ? expression_text(model, id) : without_parentheses(result.text)};
}

}  // namespace vireo::isa

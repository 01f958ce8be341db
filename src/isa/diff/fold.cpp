// SPDX-License-Identifier: Apache-2.0
//
// Symbolic evaluation of postfix code.
//
// The one idea: the steps are evaluated as the decoder would, except that fields stay texts. What the generation decides is
// then a number, `ISA_GPU_ID() >= 600 && {A}` becomes `({A} != 0)`, and a condition that is settled disappears from the
// comparison. Only rules that hold for every value are used: two texts that differ here may still mean the same.
#include "isa/diff/fold.h"

#include <algorithm>
#include <vector>

#include "isa/explain/origin.h"

namespace vireo::isa {
namespace {

// A value, or what is left to say about it. The text is a name, something in parentheses, or one of these behind a sign,
// so that it can be put into another without a look at precedence.
struct Term {
  std::optional<std::int64_t> value;
  std::string text;
  bool is_truth = false;  // 0 or 1, whatever the word

  [[nodiscard]] bool is_true() const { return value && *value != 0; }
  [[nodiscard]] bool is_false() const { return value && *value == 0; }
  [[nodiscard]] std::string written() const { return value ? std::to_string(*value) : text; }
};

Term known(std::int64_t value) { return {value, {}, value == 0 || value == 1}; }

// What counts as true, as 0 or 1. `&&` gives 0 or 1, so what is left of it may not be the bare operand: 2 is true, but
// it is not 1.
Term truth_of(Term term) {
  if (term.value) return known(*term.value != 0 ? 1 : 0);
  if (term.is_truth) return term;
  return {{}, "(" + term.text + " != 0)", true};
}

bool gives_truth(Operation operation) {
  return operation == Operation::Not || (operation >= Operation::Less && operation <= Operation::NotEqual) ||
         operation == Operation::And || operation == Operation::Or;
}

Term combine(Operation operation, Term a, Term b) {
  if (a.value && b.value) return known(apply(operation, *a.value, *b.value));
  // Both operands are pure: a field has a value, nothing is called. So what does not decide may be dropped, even where
  // C would have evaluated it.
  switch (operation) {
    case Operation::And:
      if (a.is_false() || b.is_false()) return known(0);
      if (a.is_true()) return truth_of(std::move(b));
      if (b.is_true()) return truth_of(std::move(a));
      break;
    case Operation::Or:
      if (a.is_true() || b.is_true()) return known(1);
      if (a.is_false()) return truth_of(std::move(b));
      if (b.is_false()) return truth_of(std::move(a));
      break;
    default: break;
  }
  std::string text = "(" + a.written();
  text.append(" ").append(spelling_of(operation)).append(" ").append(b.written()).append(")");
  return {{}, std::move(text), gives_truth(operation)};
}

Term select(const Term& condition, Term yes, Term no) {
  // The arm that is not taken vanishes; it is mostly the other generation's.
  if (condition.value) return condition.is_true() ? std::move(yes) : std::move(no);
  return {{}, "(" + condition.text + " ? " + yes.written() + " : " + no.written() + ")", yes.is_truth && no.is_truth};
}

// The outermost parentheses say nothing. Depth is counted, since `(A) + (B)` begins and ends with parentheses that are
// not a pair.
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
  // Whether the generation had a say at all: if not, the text stays the author's.
  bool has_generation = false;
  for (const ExpressionStep& step : model.steps(expression)) {
    // The parser has seen to it that every operation finds its operands on the stack.
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
        else stack.push_back({{}, std::string(spelling_of(step.operation)) + a.text, gives_truth(step.operation)});
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
  if (stack.empty()) return {{}, expression_text(model, id)};  // a text with a fault has no code
  const Term result = pop();
  if (result.value && (has_generation || slots.empty())) return {result.value, std::to_string(*result.value)};
  // The author's own text wherever nothing was decided: folding would only rewrite his spaces and numbers.
  const bool is_as_written = !has_generation || !gen;
  return {result.value, is_as_written ? expression_text(model, id) : without_parentheses(result.text)};
}

}  // namespace vireo::isa

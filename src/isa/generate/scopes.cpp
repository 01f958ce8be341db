// SPDX-License-Identifier: Apache-2.0
//
// Scopes, folding and cleanness (scopes.h). docs/isaspec.md, "What a name means".
#include "isa/generate/scopes.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace vireo::isa::generate {
namespace {

// Longer chains of derived fields are treated as cycles, for which the generated code is correct but slower.
constexpr int max_depth = 200;
// The order analysis takes quadratic time. A scope with more expressions counts as careful.
constexpr std::size_t max_ordered = 64;  // expressions whose order is analysed

// Relies on the order of the enumerators (expression.h).
bool is_comparison(Operation operation) { return operation >= Operation::Less && operation <= Operation::NotEqual; }

// Folds an expression. If `compared` is not null, also collects the numbers with which the expression compares the
// generation. A comparison of the generation with a constant has one result in a class; other computations with the
// generation are not folded. The code is postfix, so the steps of each value are contiguous, and a fold replaces them
// by one constant.
FoldedSteps fold_steps(std::span<const ExpressionStep> steps, GenRange gens, std::set<std::int64_t>* compared) {
  // A value on the stack, given by the start of its steps in the result.
  struct Value {
    std::size_t begin;
    enum class Kind : std::uint8_t { Other, Constant, Generation } kind;
  };
  FoldedSteps result;
  std::vector<Value> stack;
  const auto push = [&](const ExpressionStep& step, Value::Kind kind) {
    stack.push_back({result.size(), kind});
    result.push_back(step);
  };
  for (const ExpressionStep& step : steps) {
    const std::uint32_t count = operand_count(step.operation);
    if (count == 0) {
      const bool is_generation = step.operation == Operation::Generation;
      if (is_generation && gens.min == gens.max) push({Operation::Constant, 0, gens.min}, Value::Kind::Constant);
      else
        push(step, is_generation                           ? Value::Kind::Generation
                   : step.operation == Operation::Constant ? Value::Kind::Constant
                                                           : Value::Kind::Other);
      continue;
    }
    const std::span operands(stack.end() - count, stack.end());
    const std::size_t begin = operands.front().begin;
    bool is_known =
        std::all_of(operands.begin(), operands.end(), [](const Value& v) { return v.kind == Value::Kind::Constant; });
    if (is_comparison(step.operation) && operands[0].kind != operands[1].kind &&
        std::none_of(operands.begin(), operands.end(), [](const Value& v) { return v.kind == Value::Kind::Other; })) {
      const std::size_t number = operands[0].kind == Value::Kind::Constant ? 0 : 1;
      if (compared != nullptr) compared->insert(result[operands[number].begin].constant);
      // Any generation of a class represents all of them.
      result[operands[1 - number].begin] = {Operation::Constant, 0, gens.min};
      is_known = true;
    }
    result.push_back(step);
    stack.resize(stack.size() - count);
    if (is_known) {
      const std::int64_t value = evaluate(std::span(result).subspan(begin), nullptr, gens.min);
      result.resize(begin);
      push({Operation::Constant, 0, value}, Value::Kind::Constant);
    } else {
      stack.push_back({begin, Value::Kind::Other});
    }
  }
  return result;
}

}  // namespace

FoldedSteps fold(std::span<const ExpressionStep> steps, GenRange gens) { return fold_steps(steps, gens, nullptr); }

std::vector<GenRange> generation_classes(const Model& model) {
  // A class begins where a bitset begins or ceases to exist. It also begins at and after each number that the
  // generation is compared with: the result of `>= n` changes at n, that of `> n` after n.
  std::set<std::uint64_t> begins = {0};
  for (const Bitset& bitset : model.bitsets()) {
    begins.insert(bitset.gens.min);
    begins.insert(std::uint64_t{bitset.gens.max} + 1);
  }
  std::set<std::int64_t> compared;
  // A range of two generations: with a single generation, its value would be a constant and no comparison would be
  // collected.
  for (const Expression& expression : model.expressions()) fold_steps(model.steps(expression), {0, 1}, &compared);
  constexpr std::int64_t last = ~std::uint32_t{0};
  for (const std::int64_t number : compared) {
    if (number >= 0 && number <= last) begins.insert(static_cast<std::uint64_t>(number));
    if (number >= -1 && number < last) begins.insert(static_cast<std::uint64_t>(number + 1));
  }
  std::vector<GenRange> result;
  for (const std::uint64_t begin : begins) {
    // No class begins after the last generation.
    if (begin > static_cast<std::uint64_t>(last)) continue;
    if (!result.empty()) result.back().max = static_cast<std::uint32_t>(begin - 1);
    result.push_back({static_cast<std::uint32_t>(begin), ~std::uint32_t{0}});
  }
  return result;
}

// Each expression is folded once per class, for all scopes.
const FoldedSteps& Scopes::folded(ExpressionId expression) const {
  const auto [entry, is_new] = folded_.try_emplace(expression.raw);
  if (is_new) entry->second = fold(model_.steps(model_[expression]), gens_);
  return entry->second;
}

std::optional<std::int64_t> Scopes::constant(ExpressionId expression) const {
  const FoldedSteps& steps = folded(expression);
  // An expression that reads fields is not a constant, even if its value is known: evaluating it may report a missing
  // name.
  if (!model_.slots(model_[expression]).empty()) return std::nullopt;
  if (steps.empty()) return 0;
  if (steps.size() != 1 || steps.front().operation != Operation::Constant) return std::nullopt;
  return steps.front().constant;
}

// A class is completely inside or outside of a leaf's generations, so its first generation represents it.
std::vector<const Bitset*> Scopes::leaves_of(const Bitset& root) const {
  std::vector<const Bitset*> result;
  for (const BitsetId id : model_.leaves(root)) {
    if (model_[id].gens.contains(gens_.min)) result.push_back(&model_[id]);
  }
  return result;
}

// Omits cases whose condition is constantly false, and drops conditions that are constantly true. The cases are in
// lookup order: the leaf first, and in each bitset the overrides before the default case.
const StaticScope& Scopes::open(const Bitset& leaf, const StaticScope* parent, const Field* opened_by,
                                std::uint32_t low) {
  StaticScope& scope = scopes_.emplace_back();
  scope.leaf = &leaf;
  scope.parent = parent;
  scope.opened_by = opened_by;
  scope.low = low;
  for (const BitsetId id : model_.chain(leaf)) {
    for (const Case& row : model_.cases(model_[id])) {
      ExpressionId condition;
      if (!row.is_default()) {
        const std::optional<std::int64_t> value = constant(row.condition);
        if (value && *value == 0) continue;
        if (!value) condition = row.condition;
      }
      const auto position = static_cast<std::uint32_t>(scope.cases.size());
      scope.cases.push_back({&row, &model_[id], condition});
      for (const Field& field : model_.fields(row)) {
        auto& list = scope.defined[field.name.raw];
        if (!list.empty() && list.back().first == position) list.back().second = &field;  // the last one wins
        else list.emplace_back(position, &field);
      }
    }
  }
  if (is_mesa()) {
    scope.is_careful = std::any_of(scope.cases.begin(), scope.cases.end(), [&](const SeenCase& seen) {
      return seen.condition && !is_clean(scope, seen.condition);
    });
    scope.is_careful = scope.is_careful || (order_matters(scope) && !first_condition_evaluates_all(scope));
    scope.states.clear();  // is_careful changes the results
  }
  return scope;
}

// --- Mesa's evaluation order --------------------------------------------------------------------------------------------

// The expressions that the names of an expression may depend on: conditions of cases that define the names, and derived
// definitions. `passed` is the number of cases before the first definition that always applies, or the number of all
// cases. Mesa's decoder evaluates their conditions.
Scopes::Uses Scopes::uses_of(const StaticScope& scope, std::uint32_t expression) const {
  Uses uses;
  for (const NameId name : model_.slots(model_.expressions()[expression])) {
    auto passed = static_cast<std::uint32_t>(scope.cases.size());
    if (const auto found = scope.defined.find(name.raw); found != scope.defined.end()) {
      for (const auto& [place, field] : found->second) {
        const ExpressionId condition = scope.cases[place].condition;
        const bool holds = !condition || condition.index() == expression;
        if (!holds) uses.needed.push_back(static_cast<std::uint32_t>(condition.index()));
        if (field->is_derived()) uses.needed.push_back(static_cast<std::uint32_t>(field->expression.index()));
        if (!holds) continue;
        passed = place;
        break;
      }
    }
    uses.passed = std::max(uses.passed, passed);
  }
  return uses;
}

// To look up a name, Mesa's decoder evaluates the condition of every case before the definition. If such a condition
// depends on an expression that is still being evaluated, that expression counts as 0, and the wrong result is cached.
// So order matters if some expression b depends on a, and is evaluated while a is computed.
bool Scopes::order_matters(const StaticScope& scope) const {
  // All expressions reachable from conditions, each once.
  std::map<std::uint32_t, Uses> uses;
  std::vector<std::uint32_t> open;
  for (const SeenCase& seen : scope.cases) {
    if (seen.condition) open.push_back(static_cast<std::uint32_t>(seen.condition.index()));
  }
  while (!open.empty()) {
    const std::uint32_t expression = open.back();
    open.pop_back();
    const auto [entry, is_new] = uses.try_emplace(expression);
    if (!is_new) continue;
    entry->second = uses_of(scope, expression);
    open.insert(open.end(), entry->second.needed.begin(), entry->second.needed.end());
    if (uses.size() > max_ordered) return true;  // a careful scope is always correct
  }
  // The expressions that `start` depends on, directly or not; optionally including those of passed conditions.
  const auto reached = [&](std::uint32_t start, bool includes_passed) {
    std::set<std::uint32_t> found;
    open.assign(1, start);
    while (!open.empty()) {
      const std::uint32_t at = open.back();
      open.pop_back();
      // A dependency on itself adds nothing.
      const auto visit = [&](std::uint32_t next) {
        if (next != at && found.insert(next).second) open.push_back(next);
      };
      const Uses& use = uses.at(at);
      for (const std::uint32_t next : use.needed) visit(next);
      for (std::uint32_t i = 0; includes_passed && i < use.passed; ++i) {
        if (scope.cases[i].condition) visit(static_cast<std::uint32_t>(scope.cases[i].condition.index()));
      }
    }
    return found;
  };
  std::map<std::uint32_t, std::set<std::uint32_t>> asked;
  for (const auto& [b, use] : uses) {
    if (use.needed.empty()) continue;
    for (const std::uint32_t a : reached(b, false)) {
      const auto [entry, is_new] = asked.try_emplace(a);
      if (is_new) entry->second = reached(a, true);
      if (entry->second.count(b) != 0) return true;
    }
  }
  return false;
}

// There are few params, so the search is linear. The first one of a name applies.
const Param* Scopes::param_of(const StaticScope& scope, NameId inner) const {
  if (scope.parent == nullptr) return nullptr;
  for (const Param& param : model_.params(*scope.opened_by)) {
    if (param.inner == inner) return &param;
  }
  return nullptr;
}

// Context numbers are never reused, so cached results under a dropped assumption are not found again.
void Scopes::assume(const StaticScope& scope, ExpressionId condition, bool holds) {
  if (condition && is_clean(scope, condition)) assumed_.push_back({&scope, condition, holds, ++contexts_});
}

// The search is linear, because there are few assumptions: one for each open branch of the generated code.
std::optional<bool> Scopes::assumed(const StaticScope& scope, ExpressionId condition) const {
  for (const Assumption& known : assumed_) {
    if (known.scope == &scope && known.condition == condition) return known.holds;
  }
  return std::nullopt;
}

std::vector<Candidate> Scopes::resolve(const StaticScope& scope, NameId name, ExpressionId innermost) const {
  std::vector<Candidate> result;
  // Each param continues the search in the parent scope, so the loop ends.
  for (const StaticScope* at = &scope; at != nullptr; innermost = ExpressionId::none()) {
    const auto found = at->defined.find(name.raw);
    std::uint32_t position = 0;
    // In a careful scope, the conditions of the skipped cases are evaluated too, as candidates without a field.
    const auto ask_up_to = [&](std::uint32_t end) {
      for (; at->is_careful && position < end; ++position) {
        const ExpressionId condition = at->cases[position].condition;
        if (condition && condition != innermost && !is_clean(*at, condition)) {
          result.push_back({condition, at, nullptr});
        }
      }
      position = end + 1;
    };
    if (found != at->defined.end()) {
      for (const auto& [place, field] : found->second) {
        ask_up_to(place);
        ExpressionId condition = at->cases[place].condition;
        if (condition == innermost) condition = ExpressionId::none();
        // An assumed condition makes the candidate certain, or excludes it.
        if (const std::optional<bool> holds = assumed(*at, condition)) {
          if (!*holds) continue;
          condition = ExpressionId::none();
        }
        result.push_back({condition, at, field});
        if (!condition) return result;
      }
    }
    ask_up_to(static_cast<std::uint32_t>(at->cases.size()));
    const Param* param = param_of(*at, name);
    if (param == nullptr) return result;
    name = param->outer;
    at = at->parent;
  }
  return result;
}

// Whether evaluating the first condition also evaluates all others, each after its dependencies. The search for the
// display evaluates that condition first, so the order is not observable later. Returns false if the order depends on
// the word, because a case that defines a name may hold or not.
bool Scopes::first_condition_evaluates_all(const StaticScope& scope) const {
  std::set<std::uint32_t> busy;
  std::set<std::uint32_t> known;
  // Simulates the evaluation of an expression. `busy` contains the expressions in progress, `known` the evaluated ones.
  // The depth is at most max_ordered.
  const std::function<bool(ExpressionId)> simulate = [&](ExpressionId expression) {
    if (known.count(expression.raw) != 0) return true;
    if (busy.size() > max_ordered || !busy.insert(expression.raw).second) return false;
    for (const NameId name : model_.slots(model_[expression])) {
      const auto found = scope.defined.find(name.raw);
      for (std::uint32_t place = 0; place < scope.cases.size(); ++place) {
        const Field* field = nullptr;
        for (std::size_t i = 0; found != scope.defined.end() && i < found->second.size(); ++i) {
          if (found->second[i].first == place) field = found->second[i].second;
        }
        const ExpressionId condition = scope.cases[place].condition;
        if (condition && condition != expression) {
          if (field != nullptr) return false;
          if (busy.count(condition.raw) == 0 && !simulate(condition)) return false;
        } else if (field != nullptr) {
          if (field->is_derived() && !simulate(field->expression)) return false;
          break;
        }
      }
    }
    busy.erase(expression.raw);
    known.insert(expression.raw);
    return true;
  };
  bool is_first = true;
  for (const SeenCase& seen : scope.cases) {
    if (!seen.condition) {
      if (is_first && seen.row->has_display) return false;  // the search ends before any evaluation
      continue;
    }
    if (is_first && !simulate(seen.condition)) return false;
    is_first = false;
    if (known.count(seen.condition.raw) == 0) return false;
  }
  return true;
}

// --- cleanness ----------------------------------------------------------------------------------------------------------

bool Scopes::is_clean(const StaticScope& scope, ExpressionId expression, int depth) const {
  using State = StaticScope::State;
  // An expression in state Open is still being examined and counts as unclean, because reaching it again is a cycle.
  if (scope.is_careful && !model_.slots(model_[expression]).empty()) return false;
  const auto [entry, is_new] = scope.states.try_emplace(key_of(expression), State::Open);
  if (!is_new) return entry->second == State::Clean;
  bool result = depth <= max_depth;
  for (const NameId name : model_.slots(model_[expression])) {
    result = result && is_clean_name(scope, name, expression, depth + 1);
  }
  scope.states[key_of(expression)] = result ? State::Clean : State::Unclean;
  return result;
}

// Like resolve(), but returns only whether the name is clean: everything that its look-up evaluates is clean, and a
// definition is certain to be found.
bool Scopes::is_clean_name(const StaticScope& scope, NameId name, ExpressionId innermost, int depth) const {
  if (const auto found = scope.defined.find(name.raw); found != scope.defined.end()) {
    for (const auto& [place, field] : found->second) {
      const ExpressionId condition = scope.cases[place].condition;
      const std::optional<bool> known = assumed(scope, condition);
      if (known && !*known && condition != innermost) continue;
      const bool holds = !condition || condition == innermost || known;
      if (!holds && !is_clean(scope, condition, depth)) return false;
      if (field->is_derived() && !is_clean(scope, field->expression, depth)) return false;
      if (holds) return true;
    }
  }
  const Param* param = param_of(scope, name);
  return param != nullptr && is_clean_param(scope, *param, depth);
}

bool Scopes::is_clean_param(const StaticScope& scope, const Param& param, int depth) const {
  const StaticScope& outer = *scope.parent;
  if (!outer.is_careful && is_clean_name(outer, param.outer, ExpressionId::none(), depth)) return true;
  // In a careful outer scope, the param is still clean if the name has one definition without a condition.
  const std::vector<Candidate> candidates = resolve(outer, param.outer, ExpressionId::none());
  if (candidates.size() != 1 || candidates.front().condition || candidates.front().field == nullptr) return false;
  const Field& field = *candidates.front().field;
  return !field.is_derived() || is_clean(*candidates.front().scope, field.expression, depth);
}

}  // namespace vireo::isa::generate

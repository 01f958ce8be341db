// SPDX-License-Identifier: Apache-2.0
//
// Scopes, folding, and what is clean (scopes.h). docs/isaspec.md, "What a name means".
#include "isa/generate/scopes.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace vireo::isa::generate {
namespace {

// Chains of derived fields longer than this are treated as if they were circles: correct, and slower.
constexpr int max_depth = 200;
// Looking into it is quadratic; beyond this a scope simply counts as careful.
constexpr std::size_t max_ordered = 64;  // expressions whose order is looked into

// The enumerators stand in this order (expression.h).
bool is_comparison(Operation operation) { return operation >= Operation::Less && operation <= Operation::NotEqual; }

// Folds; the numbers that the generation is compared with are noted, if somebody wants them.
// A generation that is compared with a constant is known throughout a class; one that is computed with is not, and
// stays. All is postfix, so a value is a run of steps that ends where the next begins, and folding cuts the run off.
FoldedSteps fold_steps(std::span<const ExpressionStep> steps, GenRange gens, std::set<std::int64_t>* compared) {
  // A value on the stack, by where its steps begin in the result.
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
      // In a class of generations any of them stands for all.
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
  // A class begins where a bitset begins or ends to exist, and on either side of a number that a condition compares the
  // generation with: `>= n` changes at n, `> n` behind it.
  std::set<std::uint64_t> begins = {0};
  for (const Bitset& bitset : model.bitsets()) {
    begins.insert(bitset.gens.min);
    begins.insert(std::uint64_t{bitset.gens.max} + 1);
  }
  std::set<std::int64_t> compared;
  // A range of two generations: of one the generation would be a constant, and nothing would be compared.
  for (const Expression& expression : model.expressions()) fold_steps(model.steps(expression), {0, 1}, &compared);
  constexpr std::int64_t last = ~std::uint32_t{0};
  for (const std::int64_t number : compared) {
    if (number >= 0 && number <= last) begins.insert(static_cast<std::uint64_t>(number));
    if (number >= -1 && number < last) begins.insert(static_cast<std::uint64_t>(number + 1));
  }
  std::vector<GenRange> result;
  for (const std::uint64_t begin : begins) {
    // Behind the last generation nothing begins.
    if (begin > static_cast<std::uint64_t>(last)) continue;
    if (!result.empty()) result.back().max = static_cast<std::uint32_t>(begin - 1);
    result.push_back({static_cast<std::uint32_t>(begin), ~std::uint32_t{0}});
  }
  return result;
}

// Folded once for a class, whichever scope asks.
const FoldedSteps& Scopes::folded(ExpressionId expression) const {
  const auto [entry, is_new] = folded_.try_emplace(expression.raw);
  if (is_new) entry->second = fold(model_.steps(model_[expression]), gens_);
  return entry->second;
}

std::optional<std::int64_t> Scopes::constant(ExpressionId expression) const {
  const FoldedSteps& steps = folded(expression);
  // One that names fields is looked up even where its value is known: a name may be missing.
  if (!model_.slots(model_[expression]).empty()) return std::nullopt;
  if (steps.empty()) return 0;
  if (steps.size() != 1 || steps.front().operation != Operation::Constant) return std::nullopt;
  return steps.front().constant;
}

// A class lies wholly within a leaf's generations or outside of them, so its first generation speaks for it.
std::vector<const Bitset*> Scopes::leaves_of(const Bitset& root) const {
  std::vector<const Bitset*> result;
  for (const BitsetId id : model_.leaves(root)) {
    if (model_[id].gens.contains(gens_.min)) result.push_back(&model_[id]);
  }
  return result;
}

// Cases that the generation rules out are left out, and those that it decides have no condition any more. The rest is
// ordered as names are looked up: leaf first, in each bitset the overrides, then the default.
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
        if (!list.empty() && list.back().first == position) list.back().second = &field;  // the later wins
        else list.emplace_back(position, &field);
      }
    }
  }
  if (is_mesa()) {
    scope.is_careful = std::any_of(scope.cases.begin(), scope.cases.end(), [&](const SeenCase& seen) {
      return seen.condition && !is_clean(scope, seen.condition);
    });
    scope.is_careful = scope.is_careful || (order_matters(scope) && !first_condition_settles_all(scope));
    scope.states.clear();  // in a careful scope they are others
  }
  return scope;
}

// --- Mesa's order of asking ---------------------------------------------------------------------------------------------

// What the names of an expression may need: the conditions of cases that define them and come to be asked, and the
// definitions that are derived. `way` is how many cases Mesa's decoder passes while it looks, to the end where nothing
// is sure to be found.
Scopes::Uses Scopes::uses_of(const StaticScope& scope, std::uint32_t expression) const {
  Uses uses;
  for (const NameId name : model_.slots(model_.expressions()[expression])) {
    auto way = static_cast<std::uint32_t>(scope.cases.size());
    if (const auto found = scope.defined.find(name.raw); found != scope.defined.end()) {
      for (const auto& [place, field] : found->second) {
        const ExpressionId condition = scope.cases[place].condition;
        const bool holds = !condition || condition.index() == expression;
        if (!holds) uses.needed.push_back(static_cast<std::uint32_t>(condition.index()));
        if (field->is_derived()) uses.needed.push_back(static_cast<std::uint32_t>(field->expression.index()));
        if (!holds) continue;
        way = place;
        break;
      }
    }
    uses.way = std::max(uses.way, way);
  }
  return uses;
}

// A condition is asked as soon as a name is looked up behind it. Should it need what is being computed just then, it is
// computed without, and that stays. Here: is there an expression b that needs a, and that is asked while a is computed?
bool Scopes::order_matters(const StaticScope& scope) const {
  // All that conditions can lead to, each expression once.
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
    if (uses.size() > max_ordered) return true;  // careful is right in any case
  }
  // All that is reached by need alone, or by way of asking as well.
  const auto reached = [&](std::uint32_t start, bool asks) {
    std::set<std::uint32_t> found;
    open.assign(1, start);
    while (!open.empty()) {
      const std::uint32_t at = open.back();
      open.pop_back();
      // What needs itself reaches nothing new by that.
      const auto visit = [&](std::uint32_t next) {
        if (next != at && found.insert(next).second) open.push_back(next);
      };
      const Uses& use = uses.at(at);
      for (const std::uint32_t next : use.needed) visit(next);
      for (std::uint32_t i = 0; asks && i < use.way; ++i) {
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

// Params are few; the first of a name counts.
const Param* Scopes::param_of(const StaticScope& scope, NameId inner) const {
  if (scope.parent == nullptr) return nullptr;
  for (const Param& param : model_.params(*scope.opened_by)) {
    if (param.inner == inner) return &param;
  }
  return nullptr;
}

// Contexts are never reused, so what was found out under an assumption that is gone cannot be mistaken for current.
void Scopes::assume(const StaticScope& scope, ExpressionId condition, bool holds) {
  if (condition && is_clean(scope, condition)) assumed_.push_back({&scope, condition, holds, ++contexts_});
}

// As many as branches are open where code is being made.
std::optional<bool> Scopes::assumed(const StaticScope& scope, ExpressionId condition) const {
  for (const Assumption& known : assumed_) {
    if (known.scope == &scope && known.condition == condition) return known.holds;
  }
  return std::nullopt;
}

std::vector<Candidate> Scopes::resolve(const StaticScope& scope, NameId name, ExpressionId innermost) const {
  std::vector<Candidate> result;
  // Params lead outwards; each step is a scope further out, so this ends.
  for (const StaticScope* at = &scope; at != nullptr; innermost = ExpressionId::none()) {
    const auto found = at->defined.find(name.raw);
    std::uint32_t position = 0;
    // In a careful scope the cases in between are asked, too: their conditions become candidates without a field.
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
        // What is known of a condition settles the candidate: it is sure, or it is none.
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

// The display is searched first, and so a first condition is asked, whose names ask the others. If by then all are computed,
// none without something that it needs, then nothing that is asked later finds one that is not. What would depend on the
// word (a case that defines the name, and may hold or not) is not looked into: the answer is no.
bool Scopes::first_condition_settles_all(const StaticScope& scope) const {
  std::set<std::uint32_t> busy;
  std::set<std::uint32_t> known;
  // Plays the first condition through: `busy` is being computed, `known` is done. No deeper than max_ordered.
  const std::function<bool(ExpressionId)> settle = [&](ExpressionId expression) {
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
          if (busy.count(condition.raw) == 0 && !settle(condition)) return false;
        } else if (field != nullptr) {
          if (field->is_derived() && !settle(field->expression)) return false;
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
      if (is_first && seen.row->has_display) return false;  // the search ends before it asks
      continue;
    }
    if (is_first && !settle(seen.condition)) return false;
    is_first = false;
    if (known.count(seen.condition.raw) == 0) return false;
  }
  return true;
}

// --- clean or not -------------------------------------------------------------------------------------------------------

bool Scopes::is_clean(const StaticScope& scope, ExpressionId expression, int depth) const {
  using State = StaticScope::State;
  // While it is open, an expression counts as unclean: whoever meets it again has gone round in a circle.
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

// As resolve(), but only whether: a name is clean if all that is asked for it is clean, and something is sure to be
// found.
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
  // A careful scope outside: clean all the same where the name has one meaning, for which nothing is asked.
  const std::vector<Candidate> candidates = resolve(outer, param.outer, ExpressionId::none());
  if (candidates.size() != 1 || candidates.front().condition || candidates.front().field == nullptr) return false;
  const Field& field = *candidates.front().field;
  return !field.is_derived() || is_clean(*candidates.front().scope, field.expression, depth);
}

}  // namespace vireo::isa::generate

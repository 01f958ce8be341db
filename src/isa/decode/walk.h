// SPDX-License-Identifier: Apache-2.0
//
// The walk: interprets the compiled tables for one word, in the order of the text. docs/isaspec.md, "Decoding and
// display".
//
// Printing and decoding are one walk with different visitors. The walk chooses leaves, evaluates
// conditions, finds displays and resolves names. It reports literals, fields and faults to the visitor in the order of
// the text.
//
// A visitor has
//   void literal(const CompiledSegment& segment);
//   void align(std::uint32_t column);
//   void leaf_name(const Scope& scope, const CompiledSegment& segment);
//   void field(const CompiledSegment& segment, const Definition& definition, const Scope& owner, std::int64_t value);
//   void enter(const Scope& scope, CaseId display);   // a scope, after its display is chosen
//   void leave(const Scope& scope);
//   void fault(const WalkFault& fault);
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>

#include "isa/decode/tables.h"
#include "vireo/isa/load.h"

namespace vireo::isa {

/// An instance of a bitset during a walk.
struct Scope {
  const Plan* plan = nullptr;
  const Scope* parent = nullptr;             ///< owner of the field that opened it; null for the instruction
  const std::uint32_t* arguments = nullptr;  ///< resolvers of the parent's plan
  const Definition* opened_by = nullptr;
  std::uint32_t low = 0;           ///< position of its bits in the instruction
  std::int64_t* values = nullptr;  ///< cached values of expressions
  std::uint8_t* states = nullptr;  ///< state of each cached value (Walk::evaluate_in)
  std::uint32_t number = 0;        ///< reserved for the visitor
};

/// A fault found by the walk; formatted only on request.
struct WalkFault {
  DecodeFault::Kind kind = DecodeFault::Kind::NoMatch;
  std::string_view first;   ///< display name of the leaf or bitset, or the missing name
  std::string_view second;  ///< the other leaf, or the field
  std::uint32_t low = 0;    ///< within the instruction
  std::uint32_t width = 0;
  std::uint32_t scope_low = 0;  ///< UnexpectedBits: position of the scope
  const Assert* expected = nullptr;
  const Bits* mask = nullptr;  ///< DontCareBits: the don't-care bits
};

/// Appends the text of a fault. `words` and `bits` are the instruction and its size.
void append_message(std::string& text, const WalkFault& fault, const BitWord* words, std::uint32_t bits);

/// Borrowed memory for the cached values of a walk: one for each expression of each open scope.
struct WalkMemory {
  std::int64_t* values;
  std::uint8_t* states;
};
inline std::size_t places_of_memory(const DecodeTables& tables) { return (max_nesting_depth + 1) * tables.max_memos; }

/// The chosen instruction root, and its match.
struct ChosenLeaf {
  const DecodeTables::Root* root = nullptr;  ///< null: no root applies
  MatchTree::Match match;
};

/// Chooses among the instruction roots. `words` must be zero beyond the first `bits` bits.
inline ChosenLeaf choose_leaf(const DecodeTables& tables, const BitWord* words, std::uint64_t bits) {
  if (tables.is_unusable) return {};
  for (const DecodeTables::Root& root : tables.roots) {
    if (root.size > bits) continue;
    const InstructionRoot& row = *root.row;
    if (row.has_pattern && !matches(words, row.care.data(), row.match.data(), words_for(root.size))) continue;
    const ChosenLeaf chosen{&root, tables.trees[tables.groups[root.group].tree].find(words)};
    if (row.has_pattern || !chosen.match.is_none() || tables.roots.size() == 1) return chosen;
  }
  return {};
}

template <typename Visitor>
class Walk {
 public:
  Walk(const DecodeTables& tables, WalkMemory memory, Visitor& visitor)
      : tables_(tables), memory_(memory), visitor_(visitor) {}

  /// Walks an instruction. Returns false if no leaf matches, or two do; the latter is reported as a fault. All nested
  /// displays of an instruction share one budget.
  bool instruction(const ChosenLeaf& chosen, const BitWord* words) {
    words_ = words;
    budget_ = max_steps;
    const Group& group = tables_.groups[chosen.root->group];
    const Plan* plan = accept(chosen.match, group, 0, words);
    if (plan == nullptr) return false;
    Scope scope;
    scope.plan = plan;
    open(scope, 0);
    return true;
  }

  // A resolved name: its definition, and the scope that owns it.
  struct Found {
    const Definition* definition = nullptr;
    const Scope* owner = nullptr;
  };

  // Follows arguments outwards, in a loop instead of recursion.
  Found resolve(const Scope& scope, std::uint32_t resolver) {
    const Scope* at = &scope;
    while (true) {
      const NameResolver& names = tables_.resolvers[resolver];
      const Choice* choice = tables_.choices.data() + names.choices.first;
      for (const Choice* end = choice + names.choices.count; choice != end; ++choice) {
        if (choice->condition != nowhere && evaluate_in(*at, choice->condition) == 0) continue;
        if (choice->definition != nowhere) return {&tables_.definitions[choice->definition], at};
      }
      if (names.argument == nowhere || at->parent == nullptr) return {};
      resolver = at->arguments[names.argument];
      at = at->parent;
    }
  }

  std::int64_t value_of(const Definition& definition, const Scope& owner) {
    if (definition.expression == nowhere) return bits(owner, definition.low, definition.width);
    const std::int64_t value = evaluate_in(owner, definition.expression);
    return tables_.cuts_derived ? static_cast<std::int64_t>(static_cast<std::uint32_t>(value)) : value;
  }

  [[nodiscard]] const BitWord* words() const { return words_; }

  // For callers that open scopes themselves and resolve single names and conditions: sets the word without walking it.
  void take(const BitWord* words) { words_ = words; }
  bool holds(const Scope& scope, std::uint32_t condition) { return evaluate_in(scope, condition) != 0; }

  // Finds the display. Checks the asserts of all cases that hold, up to and including the display's case.
  const DisplayStep* find_display(const Scope& scope) {
    const DisplayStep* step = tables_.displays.data() + scope.plan->displays.first;
    for (const DisplayStep* end = step + scope.plan->displays.count; step != end; ++step) {
      if (step->condition != nowhere && evaluate_in(scope, step->condition) == 0) continue;
      for (std::uint32_t i = 0; i < step->asserts.count; ++i) check(scope, tables_.asserts[step->asserts.first + i]);
      if (step->has_display) return step;
    }
    return nullptr;
  }

 private:
  // Limits the number of nested displays, which grows exponentially with their depth.
  static constexpr std::uint32_t max_steps = 1u << 16;
  static constexpr std::uint32_t max_evaluation_depth = 256;
  enum : std::uint8_t { Unknown = 0, Busy = 1, Known = 2 };

  [[nodiscard]] std::int64_t bits(const Scope& scope, std::uint32_t low, std::uint32_t width) const {
    return static_cast<std::int64_t>(slice_of(words_, scope.low + low, width < bits_per_word ? width : bits_per_word));
  }

  // --- leaves ------------------------------------------------------------------------------------------------------------

  // Returns the plan of a match and reports its faults; null if none or two leaves match.
  const Plan* accept(MatchTree::Match match, const Group& group, std::uint32_t low, const BitWord* value) {
    if (match.is_none()) return nullptr;
    const Plan& plan = tables_.plans[group.first_plan + match.leaf];
    if (match.is_conflict()) {
      visitor_.fault({.kind = DecodeFault::Kind::Conflict,
                      .first = plan.name,
                      .second = tables_.plans[group.first_plan + match.second].name,
                      .low = low,
                      .width = group.size});
      return nullptr;
    }
    const MatchTree& tree = tables_.trees[group.tree];
    if (tree.has_dont_care(match.leaf)) [[unlikely]]
      check_dont_care(tree, match.leaf, plan, low, value);
    return &plan;
  }

  void check_dont_care(const MatchTree& tree, std::uint32_t leaf, const Plan& plan, std::uint32_t low,
                       const BitWord* value) {
    if (plan.size <= bits_per_word && (value[0] & tree.dont_care_word(leaf)) == 0) return;
    const Bits& mask = tree.dont_care(leaf);
    BitWord set = 0;
    for (std::size_t i = 0; i < words_for(plan.size); ++i) set |= value[i] & mask.data()[i];
    if (set == 0) return;
    visitor_.fault({.kind = DecodeFault::Kind::DontCareBits,
                    .first = plan.name,
                    .second = {},
                    .low = low,
                    .width = plan.size,
                    .mask = &mask});
  }

  // --- scopes ------------------------------------------------------------------------------------------------------------

  void open(Scope& scope, std::uint32_t depth) {
    const std::size_t used = used_;
    if (const std::uint32_t count = scope.plan->memos; count != 0) {
      scope.values = memory_.values + used;
      scope.states = memory_.states + used;
      std::memset(scope.states, Unknown, count);
      used_ += count;
    }
    const DisplayStep* display = find_display(scope);
    visitor_.enter(scope, display == nullptr ? CaseId::none() : display->row);
    if (display == nullptr) {
      visitor_.fault({.kind = DecodeFault::Kind::NoDisplay,
                      .first = scope.plan->name,
                      .second = {},
                      .low = scope.low,
                      .width = scope.plan->size});
    } else {
      Run segments = display->segments;
      if constexpr (requires { visitor_.segments_of(scope, *display); })
        segments = visitor_.segments_of(scope, *display);
      const CompiledSegment* first = tables_.segments.data() + segments.first;
      expand(scope, first, first + segments.count, depth);
    }
    visitor_.leave(scope);
    used_ = used;
  }

  // Wide asserts are rare, so they are compared with their text.
  void check(const Scope& scope, const AssertCheck& check) {
    bool holds = false;
    if (check.width <= bits_per_word) {
      holds = static_cast<BitWord>(bits(scope, check.low, check.width)) == check.expected;
    } else {
      holds = true;
      for (std::uint32_t i = 0; i < check.width && holds; ++i) {
        holds = slice_of(words_, scope.low + check.low + i, 1) == BitWord{check.row->text[check.width - 1 - i] == '1'};
      }
    }
    if (holds) return;
    visitor_.fault({.kind = DecodeFault::Kind::UnexpectedBits,
                    .first = check.owner,
                    .second = {},
                    .low = scope.low + check.low,
                    .width = check.width,
                    .scope_low = scope.low,
                    .expected = check.row});
  }

  void expand(const Scope& scope, const CompiledSegment* segment, const CompiledSegment* end, std::uint32_t depth) {
    for (; segment != end; ++segment) {
      switch (segment->kind) {
        case CompiledSegment::Kind::Literal: visitor_.literal(*segment); break;
        case CompiledSegment::Kind::Align: visitor_.align(segment->align); break;
        case CompiledSegment::Kind::Name: visitor_.leaf_name(scope, *segment); break;
        case CompiledSegment::Kind::Direct:
          show(scope, *segment, {&tables_.definitions[segment->index], &scope}, depth);
          break;
        case CompiledSegment::Kind::Resolved: {
          const Found found = resolve(scope, segment->index);
          if (found.definition != nullptr) show(scope, *segment, found, depth);
          else
            visitor_.fault(
                {.kind = DecodeFault::Kind::NoField, .first = name_in(*segment), .second = scope.plan->name});
          break;
        }
      }
    }
  }

  static std::string_view name_in(const CompiledSegment& segment) {
    return segment.text.substr(0, segment.text.find(":align="));
  }

  void show(const Scope& scope, const CompiledSegment& segment, Found found, std::uint32_t depth) {
    const Definition& definition = *found.definition;
    visitor_.field(segment, definition, *found.owner, value_of(definition, *found.owner));
    if (definition.type == FieldType::Bitset) nest(scope, segment, found, depth);
  }

  void nest(const Scope& shown_in, const CompiledSegment& segment, Found found, std::uint32_t depth) {
    const std::uint32_t low = found.owner->low + found.definition->low;
    if (found.owner != &shown_in && shown_in.plan->adopted.count != 0) adopt(shown_in, found);
    const Definition& definition = *found.definition;
    const Group& group = tables_.groups[definition.group];
    if (budget_ == 0 || depth >= max_nesting_depth) {
      visitor_.fault({.kind = DecodeFault::Kind::TooLong,
                      .first = name_in(segment),
                      .second = {},
                      .low = low,
                      .width = group.size});
      return;
    }
    --budget_;
    const Plan* plan = nullptr;
    if (group.is_certain) {
      plan = &tables_.plans[group.first_plan];
    } else {
      plan = choose_nested(group, low);
    }
    if (plan == nullptr) {
      visitor_.fault({.kind = DecodeFault::Kind::NoMatch,
                      .first = shown_in.plan->name,
                      .second = name_in(segment),
                      .low = low,
                      .width = group.size});
      return;
    }
    Scope scope;
    scope.plan = plan;
    scope.parent = found.owner;
    scope.arguments = tables_.arguments.data() + definition.arguments;
    scope.opened_by = &definition;
    scope.low = low;
    open(scope, depth + 1);
  }

  // A linear search: few bitsets are passed as params.
  void adopt(const Scope& scope, Found& found) const {
    const Run run = scope.plan->adopted;
    for (std::uint32_t i = run.first; i < run.first + run.count; ++i) {
      if (tables_.adopted[i].field == found.definition->field)
        found = {&tables_.definitions[tables_.adopted[i].definition], &scope};
    }
  }

  // Copies the bits of the field to position 0, with zeros above, as the tree requires.
  const Plan* choose_nested(const Group& group, std::uint32_t low) {
    BitWord value[words_for(max_bitset_size)];
    value[0] = slice_of(words_, low, std::min(group.size, bits_per_word));
    for (std::uint32_t at = bits_per_word; at < group.size; at += bits_per_word) {
      value[at / bits_per_word] = slice_of(words_, low + at, std::min(group.size - at, bits_per_word));
    }
    return accept(tables_.trees[group.tree].find(value), group, low, value);
  }

  // --- expressions -------------------------------------------------------------------------------------------------------

  // Evaluates each expression once per scope. An expression that depends on itself counts as 0.
  std::int64_t evaluate_in(const Scope& scope, std::uint32_t local) {
    using Form = CompiledExpression::Form;
    const CompiledExpression& expression = tables_.expressions[scope.plan->expressions.first + local];
    switch (expression.form) {
      case Form::Constant: return expression.constant;
      case Form::Field: return bits(scope, expression.low, expression.width);
      case Form::FieldIsEqual: return bits(scope, expression.low, expression.width) == expression.constant;
      case Form::FieldIsNotEqual: return bits(scope, expression.low, expression.width) != expression.constant;
      case Form::General: break;
    }
    std::uint8_t& state = scope.states[expression.memo];
    if (state == Known) return scope.values[expression.memo];
    if (state == Busy || evaluation_depth_ >= max_evaluation_depth) return 0;
    state = Busy;
    ++evaluation_depth_;
    const std::int64_t value = compute(scope, expression);
    --evaluation_depth_;
    state = Known;
    scope.values[expression.memo] = value;
    return value;
  }

  std::int64_t compute(const Scope& scope, const CompiledExpression& expression) {
    std::int64_t slots[max_expression_slots];
    const Operand* operands = tables_.operands.data() + expression.operands.first;
    for (std::uint32_t i = 0; i < expression.operands.count; ++i) {
      const Operand& operand = operands[i];
      if (operand.resolver == nowhere) {
        slots[i] = bits(scope, operand.low, operand.width);
        continue;
      }
      const Found found = resolve(scope, operand.resolver);
      if (found.definition != nullptr) {
        slots[i] = value_of(*found.definition, *found.owner);
      } else {
        slots[i] = 0;
        visitor_.fault(
            {.kind = DecodeFault::Kind::NoField, .first = visitor_.name_of(operand.name), .second = scope.plan->name});
      }
    }
    return evaluate({tables_.steps.data() + expression.steps.first, expression.steps.count}, slots, tables_.gen);
  }

  const DecodeTables& tables_;
  WalkMemory memory_;
  Visitor& visitor_;
  const BitWord* words_ = nullptr;
  std::size_t used_ = 0;
  std::uint32_t budget_ = 0;
  std::uint32_t evaluation_depth_ = 0;
};

}  // namespace vireo::isa

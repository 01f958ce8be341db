// SPDX-License-Identifier: Apache-2.0
//
// Lists the alternatives of a field's token: definitions of a name, productions of a nested bitset, or strings.
//
// Alternatives are listed, not tried. If the next character, the known bits or a decided condition
// excludes an alternative, it is not listed. So most tokens need no choice point.
#include <algorithm>

#include "isa/assemble/parser.h"

namespace vireo::isa {

// --- names with several definitions -------------------------------------------------------------------------------------

// Lists the definitions that the name may have, in the decoder's order (outwards through params), up to the first one
// that certainly applies.
void Parser::expand_resolver(const Token& token) {
  const auto add = [&](std::uint32_t choice) { alternatives_.push_back({Alternative::Kind::Choose, 0, choice}); };
  const bool is_found =
      find_choice(tables_, scopes_, state_.frame.scope, token.index, [&](const Choice& choice, std::uint32_t scope) {
        // A definition without a condition, or whose condition holds, ends the search.
        const Solver::Verdict verdict = choice.condition == nowhere
                                            ? Solver::Verdict::Holds
                                            : check({Constraint::Kind::IsTrue, scope, choice.condition});
        if (verdict != Solver::Verdict::Fails) add(index_of(choice));
        return verdict == Solver::Verdict::Holds;
      });
  // The name may have no definition. The decoder prints an annotation then; the description is at fault, not the word.
  if (!is_found) add(nowhere);
}

// Requires that the chosen definition applies and that no earlier one does. Its field is read next.
bool Parser::choose(const Alternative& alternative) {
  const std::uint32_t resolver = grammar_.tokens[state_.frame.token].index;
  bool fits = true;
  const bool is_found =
      find_choice(tables_, scopes_, state_.frame.scope, resolver, [&](const Choice& choice, std::uint32_t scope) {
        // If an earlier condition held, the word would show another field.
        const bool is_chosen = index_of(choice) == alternative.index;
        const auto kind = is_chosen ? Constraint::Kind::IsTrue : Constraint::Kind::IsFalse;
        if (choice.condition != nowhere) fits = require({kind, scope, choice.condition});
        if (fits && is_chosen) {
          state_.definition = choice.definition;
          state_.owner = scope;
        }
        return !fits || is_chosen;
      });
  if (!is_found) ++state_.frame.token;
  return fits;
}

// --- fields -------------------------------------------------------------------------------------------------------------

void Parser::expand_definition(const Token& token, std::uint32_t index, std::uint32_t owner) {
  const Definition& definition = tables_.definitions[index];
  const std::uint32_t low = scopes_[owner].low + definition.low;
  const std::size_t before = alternatives_.size();
  if (definition.type == FieldType::Bitset) {
    // The owner determines the position of the bits, even if another scope passes the arguments.
    const Opener opener = opener_of(index, owner);
    expand_group(*opener.definition, opener.scope, low);
    return;  // the nested production reports what it expects
  }
  if (const std::uint32_t set = grammar_.strings_of[index]; set != nowhere) {
    expand_strings(token, definition, grammar_.string_sets[set], low);
  } else if (definition.type == FieldType::Float) {
    read_float(definition, low, owner);
  } else if (definition.type == FieldType::Custom) {
    read_custom(token, definition, low);
  } else {
    expand_number(token, definition, low);
  }
  if (request_.expectations == nullptr) return;
  const bool is_read = std::any_of(alternatives_.begin() + static_cast<std::ptrdiff_t>(before), alternatives_.end(),
                                   [](const Alternative& alternative) { return alternative.length != 0; });
  // Ignore empty alternatives: an absent field does not explain the text at this position.
  if (!is_read) expect(describe(token, definition));
}

// Returns the definition and the scope that pass arguments to a nested bitset: usually the field's definition and its
// owner. Under mesa_compat, a scope adopts the bitsets passed to it as params; then they are the adopted definition and
// the current scope.
Parser::Opener Parser::opener_of(std::uint32_t index, std::uint32_t owner) const {
  const Opener found{&tables_.definitions[index], owner};
  if (owner == state_.frame.scope) return found;
  const Run run = scopes_[state_.frame.scope].plan->adopted;
  for (std::uint32_t i = run.first; i < run.first + run.count; ++i) {
    const Adopted& adopted = tables_.adopted[i];
    if (adopted.field == found.definition->field) return {&tables_.definitions[adopted.definition], state_.frame.scope};
  }
  return found;
}

// Returns whether a text with this first set may follow. In loose mode a blank may come first, so the next character
// excludes nothing.
bool Parser::may_begin(const FirstSet& first, bool is_open) const {
  return is_open || request_.is_loose || (!is_at_end() && first.has(request_.text[state_.position]));
}

// Returns whether the text after the current token may begin at a position.
bool Parser::can_follow(std::uint32_t position) const {
  if (request_.is_loose) return true;
  const Frame* frame = &state_.frame;
  std::uint32_t token = frame->token + 1;
  while (true) {
    if (token != frame->end) {
      const Token& next = grammar_.tokens[token];
      if (position < request_.text.size() && next.follow.has(request_.text[position])) return true;
      if (!next.is_open) return false;
    }
    // If a nested display may end here, the enclosing one continues.
    if (frame->parent == nowhere) return position == request_.text.size();
    frame = &frames_[frame->parent];
    token = frame->token;
  }
}

// Returns the characters at this position, and at each position after flags of the group.
FirstSet Parser::reached_after_flags(std::uint32_t group) const {
  constexpr std::size_t most = 16;  // limit on positions; a group with more flags in a row is not filtered
  // DecodedInstruction each position once: several orders of flags lead to the same position.
  std::uint32_t places[most] = {state_.position};
  std::size_t count = 1;
  const std::uint32_t root = grammar_.group_flags[group];
  FirstSet result;
  for (std::size_t i = 0; i < count; ++i) {
    if (places[i] == request_.text.size()) continue;
    result.add(request_.text[places[i]]);
    std::uint32_t node = root;
    for (std::uint32_t position = places[i]; position < request_.text.size(); ++position) {
      node = grammar_.characters.step(node, request_.text[position]);
      if (node == CharacterTree::none) break;
      if (grammar_.is_flag[node] == 0) continue;
      if (std::find(places, places + count, position + 1) != places + count) continue;
      if (count == most) return FirstSet::all();
      places[count++] = position + 1;
    }
  }
  return result;
}

// Lists the productions of a nested bitset that may begin here, given the next character, the known bits and the
// decided conditions.
void Parser::expand_group(const Definition& definition, std::uint32_t owner, std::uint32_t low) {
  const Run run = grammar_.group_productions[definition.group];
  // For a diagnosis, list everything that could follow.
  const bool filters = !request_.is_loose && request_.expectations == nullptr;
  const FirstSet reached = filters && run.count > 1 ? reached_after_flags(definition.group) : FirstSet();
  std::uint32_t plan = nowhere;
  bool is_decided = false;  // the plan has a display that is certainly shown
  for (std::uint32_t i = run.first; i < run.first + run.count; ++i) {
    const Production& production = grammar_.productions[i];
    if (production.plan == plan && is_decided) continue;
    if (production.plan != plan) is_decided = false;
    plan = production.plan;
    // A production that cannot begin here still matters for its condition, which may rule out later displays.
    const bool may_match = !filters || run.count == 1 || production.core_is_open || production.core.meets(reached);
    if (!may_match && tables_.displays[production.display].condition == nowhere) continue;
    // The lowest word distinguishes most leaves. The parser compares the other words when it enters the leaf.
    const std::uint32_t width = std::min(tables_.plans[plan].size, bits_per_word);
    const BitWord known = production.known.data()[0] & slice_of(word_.known, low, width);
    if (((production.value.data()[0] ^ slice_of(word_.value, low, width)) & known) != 0) continue;
    const DisplayStep& step = tables_.displays[production.display];
    if (step.condition != nowhere) {
      // Conditions need a scope, so open the leaf temporarily.
      scopes_.push_back({&tables_.plans[plan], owner, tables_.arguments.data() + definition.arguments, low});
      const auto scope = static_cast<std::uint32_t>(scopes_.size() - 1);
      const Solver::Verdict verdict = check({Constraint::Kind::IsTrue, scope, step.condition});
      scopes_.pop_back();
      if (verdict == Solver::Verdict::Fails) continue;
      is_decided = verdict == Solver::Verdict::Holds;
    }
    if (!may_match) continue;
    if (production.tokens.count != 0 && filters) {
      const Token& first = grammar_.tokens[production.tokens.first];
      if (!may_begin(first.follow, first.is_open)) continue;
    }
    alternatives_.push_back({Alternative::Kind::Enter, 0, i});
  }
}

// Lists all strings of the set that are a prefix of the text, the longest first.
void Parser::expand_strings(const Token& token, const Definition& definition, const StringSet& set, std::uint32_t low) {
  const std::string_view text = request_.text;
  const std::size_t before = alternatives_.size();
  if (set.empty.count != 0 && can_follow(state_.position)) add_meanings(definition, set.empty, 0, low);
  const auto walk = [&](std::uint32_t node) {
    for (std::uint32_t i = state_.position; i < text.size(); ++i) {
      node = grammar_.characters.step(node, text[i]);
      if (node == CharacterTree::none) return;
      const Run run = grammar_.node_meanings[node];
      if (run.count == 0 || !can_follow(i + 1)) continue;
      // A decisive string excludes all shorter ones.
      if (!request_.is_loose && token.decisive != nowhere &&
          grammar_.decisive[token.decisive + grammar_.node_strings[node]] != 0) {
        alternatives_.resize(before);
      }
      add_meanings(definition, run, i + 1 - state_.position, low);
    }
    // If a string ends with a blank, that blank is missing at the end of the line, where blanks were removed.
    node = grammar_.characters.step(node, ' ');
    if (node == CharacterTree::none) return;
    const Run run = grammar_.node_meanings[node];
    const auto length = static_cast<std::uint32_t>(text.size()) - state_.position;
    if (run.count != 0 && can_follow(static_cast<std::uint32_t>(text.size())))
      add_meanings(definition, run, length, low);
  };
  if (!is_at_end()) walk(set.root);
  // Likewise, the preceding token may already have consumed a leading blank.
  if (set.is_blank_led && (state_.position == 0 || at(state_.position - 1) == ' ')) {
    const std::uint32_t node = grammar_.characters.step(set.root, ' ');
    if (node != CharacterTree::none) walk(node);
  }
  if (set.has_number && at(state_.position) >= '0' && at(state_.position) <= '9') {
    read_digits(definition, low, state_.position, 10, false);
  }
  std::reverse(alternatives_.begin() + static_cast<std::ptrdiff_t>(before), alternatives_.end());
}

// Lists one alternative for each meaning of a string. Verification selects the meaning that the decoder prints.
void Parser::add_meanings(const Definition& definition, Run run, std::uint32_t length, std::uint32_t low) {
  using Kind = Alternative::Kind;
  for (std::uint32_t i = run.first; i < run.first + run.count; ++i) {
    const Meaning& meaning = grammar_.meanings[i];
    const bool is_value = meaning.kind == Meaning::Kind::Value;
    const bool is_flag = definition.type == FieldType::Bool || definition.type == FieldType::BoolInv;
    const std::size_t before = alternatives_.size();
    // A derived field has no bits of its own: its text is a constraint on the bits from which it is computed.
    if (definition.expression != nowhere) {
      if (!is_flag) alternatives_.push_back({Kind::Equals, length, 0, meaning.value, ~BitWord{0}});
      else alternatives_.push_back({is_value && meaning.value == 0 ? Kind::IsFalse : Kind::IsTrue, length});
    } else if (!is_value) {
      // Any number but 0 becomes a constraint on the field's own bits.
      alternatives_.push_back({Kind::IsNonZero, length});
    } else if (definition.width > bits_per_word) {
      wide_.emplace_back(definition.width, meaning.value);
      alternatives_.push_back({Kind::WideBits, length, static_cast<std::uint32_t>(wide_.size() - 1)});
    } else {
      const BitWord known = slice_of(word_.known, low, definition.width);
      if (((slice_of(word_.value, low, definition.width) ^ meaning.value) & known) != 0) continue;
      alternatives_.push_back({Kind::Bits, length, 0, meaning.value});
    }
    if (meaning.canonical.data() != nullptr && alternatives_.size() != before)
      alternatives_.back().spelling = spelling(meaning.canonical);
  }
}

}  // namespace vireo::isa

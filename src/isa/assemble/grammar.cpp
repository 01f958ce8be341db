// SPDX-License-Identifier: Apache-2.0
//
// Compiles displays into productions. docs/isa-assembler.md, "Productions".
#include "isa/assemble/grammar.h"

#include <algorithm>

namespace vireo::isa {
namespace {

constexpr std::string_view digits = "0123456789";
// Limit on the consecutive string sets that may_begin_with() searches; beyond it, the function returns true.
constexpr int max_look_ahead = 16;

}  // namespace

// --- characters ---------------------------------------------------------------------------------------------------------

// Each string set has its own root. Edges are keyed by node and character, so the trees share one map.
std::uint32_t CharacterTree::new_root() { return nodes_++; }

std::uint32_t CharacterTree::add(std::uint32_t root, std::string_view text) {
  std::uint32_t node = root;
  for (const char c : text) {
    const auto [edge, is_new] = edges_.try_emplace(key_of(node, c), nodes_);
    if (is_new) ++nodes_;
    node = edge->second;
  }
  return node;
}

// --- productions --------------------------------------------------------------------------------------------------------

Grammar::Grammar(const Model& model, const DecodeTables& tables) : model_(model), tables_(tables) {
  // Allocate all rows of the tables indexed by group, definition or plan.
  group_productions.resize(tables.groups.size());
  groups_.resize(tables.groups.size());
  group_flags.assign(tables.groups.size(), nowhere);
  strings_of.assign(tables.definitions.size(), nowhere);
  defaults.resize(tables.plans.size());
  // Each step depends on the previous ones. First sets depend on nested productions, and decisive strings and cores
  // depend on first sets. Mnemonics are last, because node_mnemonics has a row for each node.
  if (tables.is_unusable) return;
  for (std::uint32_t group = 0; group < tables.groups.size(); ++group) compile_group(group);
  for (const DecodeTables::Root& root : tables.roots) {
    // An instruction is an ordinary bitset, except that no text follows it.
    const Run run = group_productions[root.group];
    instruction_productions.push_back(run);
    for (std::uint32_t k = run.first; k < run.first + run.count; ++k) productions[k].is_instruction = true;
  }
  for (const Production& production : productions) {
    // Go from the last token to the first. `follow` is the token's first set, and also that of the next token if this
    // one may be empty. The end of a production counts as open, because a nested display continues with the enclosing
    // one.
    FirstSet follow;
    bool is_open = true;
    for (std::uint32_t i = production.tokens.count; i-- > 0;) {
      Token& token = tokens[production.tokens.first + i];
      bool is_nullable = false;
      FirstSet first = first_of(token, is_nullable);
      if (is_nullable) {
        first.add(follow);
      } else {
        is_open = false;
      }
      token.follow = follow = first;
      token.is_open = is_open;
    }
  }
  for (const Production& production : productions) find_decisive(production);
  for (std::uint32_t group = 0; group < tables.groups.size(); ++group) find_cores(group);
  find_mnemonics();
}

// --- decisive strings ------------------------------------------------------------------------------------------------

// Returns whether the text from token `index` on may begin with `text`; true if unknown. A false positive costs only a
// choice point; a false negative would lose a reading.
bool Grammar::may_begin_with(const Production& production, std::uint32_t index, std::string_view text, int depth) {
  if (text.empty() || depth > max_look_ahead) return true;
  for (std::uint32_t i = index; i < production.tokens.count; ++i) {
    const Token& token = tokens[production.tokens.first + i];
    switch (token.kind) {
      case Token::Kind::Align:
      case Token::Kind::Nothing: continue;
      case Token::Kind::Literal: {
        if (token.text.empty()) continue;
        // Blanks may be missing at the ends and next to other blanks, so the comparison stops at a blank: the answer is
        // unknown.
        if (token.text.front() == ' ' || text.front() == ' ') return true;
        const std::size_t common = std::min(token.text.size(), text.size());
        if (token.text.substr(0, common) != text.substr(0, common)) return false;
        text.remove_prefix(common);
        if (text.empty()) return true;
        continue;
      }
      case Token::Kind::Strings: {
        const StringSet& set = string_sets[strings_of[token.index]];
        if (set.is_blank_led || (set.has_number && digits.find(text.front()) != std::string_view::npos)) return true;
        for (const std::string& example : set.examples) {
          const std::size_t common = std::min(example.size(), text.size());
          if (text.substr(0, common) != std::string_view(example).substr(0, common)) continue;
          if (may_begin_with(production, i + 1, text.substr(common), depth + 1)) return true;
        }
        if (set.empty.count == 0) return false;
        continue;
      }
      default: {
        bool is_nullable = false;
        if (first_of(token, is_nullable).has(text.front())) return true;
        if (!is_nullable) return false;
        continue;
      }
    }
  }
  return !production.is_instruction;  // the text after a nested display is unknown here
}

// Determines for each string of a token whether it is decisive: the parser may then skip shorter strings and the empty
// one. A string is decisive if, for each shorter string that it begins with, the following tokens cannot begin with the
// rest. Computed once here instead of for every line.
void Grammar::find_decisive(const Production& production) {
  for (std::uint32_t i = 0; i < production.tokens.count; ++i) {
    Token& token = tokens[production.tokens.first + i];
    if (token.kind != Token::Kind::Strings) continue;
    const StringSet& set = string_sets[strings_of[token.index]];
    token.decisive = static_cast<std::uint32_t>(decisive.size());
    for (const std::string& text : set.examples) {
      bool excludes = set.empty.count == 0 || !may_begin_with(production, i + 1, text, 0);
      for (const std::string& shorter : set.examples) {
        if (shorter.size() >= text.size() || !text.starts_with(shorter)) continue;
        excludes &= !may_begin_with(production, i + 1, std::string_view(text).substr(shorter.size()), 0);
      }
      decisive.push_back(excludes ? 1 : 0);
    }
  }
}

// Determines the core of each production in a group: the text after its flags.
void Grammar::find_cores(std::uint32_t group) {
  const Run run = group_productions[group];
  group_flags[group] = nowhere;
  // A single production needs no filter.
  if (run.count < 2) return;
  group_flags[group] = characters.new_root();
  for (std::uint32_t i = run.first; i < run.first + run.count; ++i) {
    Production& production = productions[i];
    std::uint32_t k = 0;
    for (; k < production.tokens.count; ++k) {
      const Token& token = tokens[production.tokens.first + k];
      if (token.kind == Token::Kind::Nothing) continue;
      if (token.kind != Token::Kind::Strings) break;
      const StringSet& set = string_sets[strings_of[token.index]];
      // The core starts at the first token that is not an optional flag. A set with numbers belongs to the core,
      // because a number may look like other text.
      if (set.empty.count == 0 || set.has_number || set.is_blank_led) break;
      for (const std::string& text : set.examples) {
        const std::uint32_t node = characters.add(group_flags[group], text);
        is_flag.resize(std::max<std::size_t>(is_flag.size(), characters.size()));
        is_flag[node] = 1;
      }
    }
    // The first set of the core was computed above.
    production.core_is_open = k == production.tokens.count || tokens[production.tokens.first + k].is_open;
    if (k != production.tokens.count) production.core = tokens[production.tokens.first + k].follow;
  }
}

// Productions of a group are contiguous: leaves in the order of the description, and the cases of each leaf in their
// order. The canonical rule uses this order as a tie-breaker, and the parser relies on the cases of a plan being
// adjacent.
void Grammar::compile_group(std::uint32_t group) {
  const Group& row = tables_.groups[group];
  const auto count = static_cast<std::uint32_t>(tables_.trees[row.tree].leaves().size());
  group_productions[group].first = static_cast<std::uint32_t>(productions.size());
  for (std::uint32_t i = row.first_plan; i < row.first_plan + count; ++i) {
    const Plan& plan = tables_.plans[i];
    find_defaults(model_, tables_, plan, defaults[i]);
    for (std::uint32_t k = plan.displays.first; k < plan.displays.first + plan.displays.count; ++k) {
      if (tables_.displays[k].has_display) compile_productions(i, k);
    }
  }
  group_productions[group].count = static_cast<std::uint32_t>(productions.size()) - group_productions[group].first;
}

// Compiles one display: its tokens, and the bits that it fixes.
void Grammar::compile_production(Production production) {
  const std::uint32_t display_index = production.display;
  const Plan& plan = tables_.plans[production.plan];
  const Bitset& leaf = model_[plan.leaf];
  // "Don't care" bits are fixed to 0: a 1 there makes the decoder print an annotation.
  production.known = leaf.care | leaf.dont_care;
  production.value = leaf.match;
  for (std::uint32_t i = plan.displays.first; i <= display_index; ++i) {
    const DisplayStep& step = tables_.displays[i];
    // Unconditional asserts, and those of the displayed case, fix bits here. The parser adds the other asserts as
    // constraints that depend on their conditions (parser.cpp).
    if (step.condition != nowhere && i != display_index) continue;
    for (std::uint32_t k = 0; k < step.asserts.count; ++k) {
      const Assert& row = *tables_.asserts[step.asserts.first + k].row;
      for (std::uint32_t bit = 0; bit < row.width; ++bit) {
        if (production.known.test(row.low + bit)) continue;  // fixed by a pattern; a different assert then never holds
        production.known.set(row.low + bit);
        if (row.text[row.width - 1 - bit] == '1') production.value.set(row.low + bit);
      }
    }
  }
  production.tokens.first = static_cast<std::uint32_t>(tokens.size());
  const Run segments = production.segments;
  for (std::uint32_t i = segments.first; i < segments.first + segments.count; ++i) {
    CompiledSegment segment = tables_.segments[i];
    if (segment.kind == CompiledSegment::Kind::Name) segment.text = production.name;
    // Alignment is a separate token: the text may have any number of blanks there, or none.
    if (segment.has_align) {
      Token align;
      align.kind = Token::Kind::Align;
      tokens.push_back(align);
    }
    const std::size_t before = tokens.size();
    add_token(segment);
    if (tokens.size() == before) continue;
    // `0x{FIELD}` is one number, which users may also write in decimal. Move the `0x` from the literal to the number
    // token, which handles both spellings.
    Token& token = tokens.back();
    if (before == production.tokens.first || segment.has_align) continue;
    Token& last = tokens[before - 1];
    if (last.kind != Token::Kind::Literal || !last.text.ends_with("0x")) continue;
    const auto is_plain = [&](std::uint32_t definition) {
      const FieldType type = tables_.definitions[definition].type;
      return type == FieldType::Hex || type == FieldType::Uint;
    };
    // Other types may print a sign, a name or other text after the `0x`.
    bool is_number = token.kind == Token::Kind::Number && is_plain(token.index);
    if (token.kind == Token::Kind::Resolve) {
      const NameResolver& names = tables_.resolvers[token.index];
      is_number = names.argument == nowhere && names.choices.count != 0;
      for (std::uint32_t k = 0; k < names.choices.count; ++k) {
        const Choice& choice = tables_.choices[names.choices.first + k];
        is_number &= choice.definition != nowhere && is_plain(choice.definition);
      }
    }
    if (!is_number) continue;
    token.is_prefixed = true;
    last.text.remove_suffix(2);
  }
  production.tokens.count = static_cast<std::uint32_t>(tokens.size()) - production.tokens.first;
  productions.push_back(std::move(production));
}

// Shortens runs of blanks to one, as shorten() does for lines.
std::string_view Grammar::normalised(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool is_blank = c == ' ' || c == '\t';
    if (is_blank && !result.empty() && result.back() == ' ') continue;
    result.push_back(is_blank ? ' ' : c);
  }
  const auto entry = texts_.try_emplace(result).first;
  // Tokens refer to the map's key, whose lifetime is that of the grammar.
  entry->second = entry->first;
  return entry->second;
}

void Grammar::add_token(const CompiledSegment& segment) {
  Token token;
  // The text between the braces is the name and, after `:align=`, a column; messages show only the name.
  token.name = segment.text.substr(0, segment.text.find(":align="));
  token.index = segment.index;
  switch (segment.kind) {
    case CompiledSegment::Kind::Align: token.kind = Token::Kind::Align; break;
    case CompiledSegment::Kind::Literal:
    case CompiledSegment::Kind::Name:
      token.text = normalised(segment.text);
      if (token.text.empty()) return;
      break;
    case CompiledSegment::Kind::Direct: {
      const Definition& definition = tables_.definitions[segment.index];
      if (definition.type == FieldType::Bitset) token.kind = Token::Kind::Nested;
      else token.kind = string_set_for(segment.index) != nowhere ? Token::Kind::Strings : Token::Kind::Number;
      // The text of a bool with an empty display does not determine its bit.
      const bool is_silent = (definition.type == FieldType::Bool || definition.type == FieldType::BoolInv) &&
                             definition.has_display && definition.display.empty();
      if (is_silent) token.kind = Token::Kind::Nothing;
      break;
    }
    case CompiledSegment::Kind::Resolved: {
      token.kind = Token::Kind::Resolve;
      const NameResolver& names = tables_.resolvers[segment.index];
      for (std::uint32_t i = 0; i < names.choices.count; ++i) {
        const Choice& choice = tables_.choices[names.choices.first + i];
        // Build the set now, because first_of() needs it.
        if (choice.definition != nowhere) string_set_for(choice.definition);
      }
      break;
    }
  }
  tokens.push_back(token);
}

// --- first sets ------------------------------------------------------------------------------------------------------

// Returns the characters with which the text of a token may begin; sets `is_nullable` if the text may be empty. A set
// that is too large costs choice points; one that is too small would lose readings. So an unknown text gives all
// characters.
FirstSet Grammar::first_of(const Token& token, bool& is_nullable) {
  FirstSet first;
  is_nullable = false;
  switch (token.kind) {
    case Token::Kind::Literal:
      if (token.text.empty()) {
        is_nullable = true;
        return first;
      }
      first.add(token.text.front());
      if (token.text.front() == ' ') {  // the blank may already be consumed, or trimmed at the ends of the line
        if (token.text.size() > 1) first.add(token.text[1]);
        else is_nullable = true;
      }
      return first;
    case Token::Kind::Align:
      first.add(' ');
      is_nullable = true;
      return first;
    case Token::Kind::Nothing: is_nullable = true; return first;
    case Token::Kind::Strings:
    case Token::Kind::Number:
    case Token::Kind::Nested: return first_of_definition(token.index, token.is_prefixed, is_nullable);
    case Token::Kind::Resolve: break;
  }
  const NameResolver& names = tables_.resolvers[token.index];
  // A param's definition depends on the enclosing bitset, which is unknown here.
  if (names.argument != nowhere) {
    is_nullable = true;
    return FirstSet::all();
  }
  is_nullable = true;  // the name may have no definition
  for (std::uint32_t i = 0; i < names.choices.count; ++i) {
    const Choice& choice = tables_.choices[names.choices.first + i];
    if (choice.definition == nowhere) continue;
    if (choice.condition == nowhere) is_nullable = false;
    bool choice_is_nullable = false;
    first.add(first_of_definition(choice.definition, token.is_prefixed, choice_is_nullable));
    is_nullable |= choice_is_nullable;
  }
  return first;
}

FirstSet Grammar::first_of_definition(std::uint32_t index, bool is_prefixed, bool& is_nullable) {
  const Definition& definition = tables_.definitions[index];
  FirstSet first;
  is_nullable = false;
  if (definition.type == FieldType::Bitset) return first_of_group(definition.group, is_nullable);
  if (const std::uint32_t set = strings_of[index]; set != nowhere) {
    is_nullable = string_sets[set].empty.count != 0;
    // The leading blank of a string may already be consumed, so the text may begin with any character.
    if (string_sets[set].is_blank_led) return FirstSet::all();
    return string_sets[set].first;
  }
  // Strict mode only: loose mode also accepts the number without `0x`, but does not use first sets.
  if (is_prefixed) {
    first.add('0');
    return first;
  }
  switch (definition.type) {
    case FieldType::Uint:
    case FieldType::Bool: break;
    case FieldType::Hex:
      // The decoder prints lower-case digits; the parser accepts both cases.
      for (const char c : std::string_view("abcdefABCDEF")) first.add(c);
      break;
    case FieldType::Int: first.add('-'); break;
    case FieldType::Float:
      // A sign, `inf` or `nan`; digits are added below.
      for (const char c : std::string_view("-in")) first.add(c);
      break;
    case FieldType::Offset:
    case FieldType::Uoffset:
      // Zero prints nothing; other values print with a sign.
      is_nullable = true;
      first.add('+');
      if (definition.type == FieldType::Offset) first.add('-');
      return first;
    default:  // labels and custom fields
      is_nullable = definition.type == FieldType::Custom;
      return FirstSet::all();
  }
  for (const char c : digits) first.add(c);
  return first;
}

FirstSet Grammar::first_of_group(std::uint32_t group, bool& is_nullable) {
  GroupState& state = groups_[group];
  if (state.state == GroupState::Open) {  // a recursive bitset: assume any text
    is_nullable = true;
    return FirstSet::all();
  }
  if (state.state == GroupState::New) {
    // The recursion depth is the nesting depth of bitsets; each group is visited once.
    state.state = GroupState::Open;
    FirstSet first;
    bool any_empty = false;
    const Run run = group_productions[group];
    for (std::uint32_t i = run.first; i < run.first + run.count; ++i) {
      bool rest_is_empty = true;
      for (std::uint32_t k = 0; k < productions[i].tokens.count && rest_is_empty; ++k) {
        first.add(first_of(tokens[productions[i].tokens.first + k], rest_is_empty));
      }
      any_empty |= rest_is_empty;
    }
    groups_[group] = {GroupState::Done, first, any_empty};
  }
  is_nullable = groups_[group].is_nullable;
  return groups_[group].first;
}

}  // namespace vireo::isa

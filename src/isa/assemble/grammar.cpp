// SPDX-License-Identifier: Apache-2.0
//
// Displays → productions. docs/isa-assembler.md, "Productions".
#include "isa/assemble/grammar.h"

#include <algorithm>
#include <map>

namespace vireo::isa {
namespace {

constexpr std::uint32_t max_listed_width = 8;  // enums of so many bits list all their numbers
constexpr std::string_view digits = "0123456789";
constexpr int max_look_ahead = 16;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

}  // namespace

// --- characters ---------------------------------------------------------------------------------------------------------

std::uint32_t CharacterTree::new_root() { return nodes_++; }

std::uint32_t CharacterTree::add(std::uint32_t root, std::string_view text) {
  std::uint32_t node = root;
  for (const char c : text) {
    std::uint32_t next = step(node, c);
    if (next == none) {
      if (std::size_t{++used_} * 2 > edges_.size()) grow();
      const std::uint64_t key = std::uint64_t{node} << 8 | static_cast<unsigned char>(c);
      std::uint64_t at = hash(key);
      while (edges_[at & mask_].to != none) ++at;
      next = nodes_++;
      edges_[at & mask_] = {key, next};
    }
    node = next;
  }
  return node;
}

void CharacterTree::grow() {
  std::vector<Edge> old(edges_.size() * 2);
  old.swap(edges_);
  mask_ = edges_.size() - 1;
  for (const Edge& edge : old) {
    if (edge.to == none) continue;
    std::uint64_t at = hash(edge.key);
    while (edges_[at & mask_].to != none) ++at;
    edges_[at & mask_] = edge;
  }
}

// --- productions --------------------------------------------------------------------------------------------------------

Grammar::Grammar(const Model& model, const DecodeTables& tables) : model_(model), tables_(tables) {
  group_productions.resize(tables.groups.size());
  groups_.resize(tables.groups.size());
  group_flags.assign(tables.groups.size(), nowhere);
  strings_of.assign(tables.definitions.size(), nowhere);
  defaults.resize(tables.plans.size());
  if (tables.is_unusable) return;
  for (std::uint32_t group = 0; group < tables.groups.size(); ++group) compile_group(group);
  for (const DecodeTables::Root& root : tables.roots) {
    const Run run = group_productions[root.group];
    instruction_productions.push_back(run);
    for (std::uint32_t k = run.first; k < run.first + run.count; ++k) productions[k].is_instruction = true;
  }
  // What may follow is known from behind.
  for (const Production& production : productions) {
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
  for (const Production& production : productions) find_certain(production);
  for (std::uint32_t group = 0; group < tables.groups.size(); ++group) find_cores(group);
  find_heads();
}

// --- what excludes what -------------------------------------------------------------------------------------------------

// Whether the text from a token on may begin with `text`, as far as a quick look tells; when in doubt it may.
bool Grammar::may_begin_with(const Production& production, std::uint32_t index, std::string_view text, int depth) {
  if (text.empty() || depth > max_look_ahead) return true;
  for (std::uint32_t i = index; i < production.tokens.count; ++i) {
    const Token& token = tokens[production.tokens.first + i];
    switch (token.kind) {
      case Token::Kind::Align:
      case Token::Kind::Nothing: continue;
      case Token::Kind::Literal: {
        if (token.text.empty()) continue;
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
  return !production.is_instruction;  // what follows a nested display is not known here
}

void Grammar::find_certain(const Production& production) {
  for (std::uint32_t i = 0; i < production.tokens.count; ++i) {
    Token& token = tokens[production.tokens.first + i];
    if (token.kind != Token::Kind::Strings) continue;
    const StringSet& set = string_sets[strings_of[token.index]];
    token.certain = static_cast<std::uint32_t>(certain.size());
    for (const std::string& text : set.examples) {
      bool excludes = set.empty.count == 0 || !may_begin_with(production, i + 1, text, 0);
      for (const std::string& shorter : set.examples) {
        if (shorter.size() >= text.size() || !text.starts_with(shorter)) continue;
        excludes &= !may_begin_with(production, i + 1, std::string_view(text).substr(shorter.size()), 0);
      }
      certain.push_back(excludes ? 1 : 0);
    }
  }
}

// How the productions of a group begin behind their flags.
void Grammar::find_cores(std::uint32_t group) {
  const Run run = group_productions[group];
  group_flags[group] = nowhere;
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
      if (set.empty.count == 0 || set.has_number || set.is_blank_led) break;
      for (const std::string& text : set.examples) {
        const std::uint32_t node = characters.add(group_flags[group], text);
        is_flag.resize(std::max<std::size_t>(is_flag.size(), characters.size()));
        is_flag[node] = 1;
      }
    }
    production.core_is_open = k == production.tokens.count || tokens[production.tokens.first + k].is_open;
    if (k != production.tokens.count) production.core = tokens[production.tokens.first + k].follow;
  }
}

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

void Grammar::compile_production(Production production) {
  const std::uint32_t display_index = production.display;
  const Plan& plan = tables_.plans[production.plan];
  const Bitset& leaf = model_[plan.leaf];
  production.known = leaf.care | leaf.dont_care;
  production.value = leaf.match;
  for (std::uint32_t i = plan.displays.first; i <= display_index; ++i) {
    const DisplayStep& step = tables_.displays[i];
    if (step.condition != nowhere && i != display_index) continue;
    for (std::uint32_t k = 0; k < step.asserts.count; ++k) {
      const Assert& row = *tables_.asserts[step.asserts.first + k].row;
      for (std::uint32_t bit = 0; bit < row.width; ++bit) {
        if (production.known.test(row.low + bit)) continue;  // a pattern's: then the assert never holds
        production.known.set(row.low + bit);
        if (row.text[row.width - 1 - bit] == '1') production.value.set(row.low + bit);
      }
    }
  }
  production.tokens.first = static_cast<std::uint32_t>(tokens.size());
  const Run segments = production.segments;
  for (std::uint32_t i = segments.first; i < segments.first + segments.count; ++i) {
    CompiledSegment segment = tables_.segments[i];
    if (segment.kind == CompiledSegment::Kind::Stretch) continue;  // for printers
    if (segment.kind == CompiledSegment::Kind::Name) segment.text = production.name;
    if (segment.has_align) {
      Token align;
      align.kind = Token::Kind::Align;
      tokens.push_back(align);
    }
    const std::size_t before = tokens.size();
    add_token(segment);
    if (tokens.size() == before) continue;
    // `0x{FIELD}` is one number, which people also write in decimal.
    Token& token = tokens.back();
    if (before == production.tokens.first || segment.has_align) continue;
    Token& last = tokens[before - 1];
    if (last.kind != Token::Kind::Literal || !last.text.ends_with("0x")) continue;
    const auto is_plain = [&](std::uint32_t definition) {
      const FieldType type = tables_.definitions[definition].type;
      return type == FieldType::Hex || type == FieldType::Uint;
    };
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

// Blanks count as one: runs of them are shortened in texts and literals alike.
std::string_view Grammar::normalised(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool is_blank = c == ' ' || c == '\t';
    if (is_blank && !result.empty() && result.back() == ' ') continue;
    result.push_back(is_blank ? ' ' : c);
  }
  const auto entry = texts_.try_emplace(result).first;
  entry->second = entry->first;
  return entry->second;
}

void Grammar::add_token(const CompiledSegment& segment) {
  Token token;
  token.name = segment.text.substr(0, segment.text.find(":align="));
  token.index = segment.index;
  switch (segment.kind) {
    case CompiledSegment::Kind::Stretch: return;
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
        if (choice.definition != nowhere) string_set_for(choice.definition);
      }
      break;
    }
  }
  tokens.push_back(token);
}

// --- strings ------------------------------------------------------------------------------------------------------------

// The strings of a definition; nowhere for numbers and nested bitsets.
std::uint32_t Grammar::string_set_for(std::uint32_t index) {
  if (strings_of[index] != nowhere) return strings_of[index];
  const Definition& definition = tables_.definitions[index];
  const bool is_boolean = definition.type == FieldType::Bool || definition.type == FieldType::BoolInv;
  const bool has_strings = definition.type == FieldType::Enum ||
                           (is_boolean && (definition.has_display || definition.type == FieldType::BoolInv));
  if (!has_strings) return nowhere;
  const bool is_derived = definition.expression != nowhere;
  const bool lists_all = !is_derived && definition.width <= max_listed_width;

  std::map<std::string, std::vector<Meaning>> strings;
  const auto add = [&](std::string_view text, Meaning meaning) {
    strings[std::string(normalised(text))].push_back(meaning);
  };
  const Meaning zero;
  const bool has_one_bit = !is_derived && definition.width == 1;
  const Meaning others{has_one_bit ? Meaning::Kind::Value : Meaning::Kind::NonZero, 1};
  bool has_number = false;
  if (definition.type == FieldType::Bool) {
    add(definition.display, others);
    add("", zero);
  } else if (definition.type == FieldType::BoolInv) {
    add(definition.has_display ? definition.display : std::string_view("1"), zero);
    add(definition.has_display ? std::string_view() : std::string_view("0"), others);
  } else if (lists_all) {
    for (BitWord number = 0; number < BitWord{1} << definition.width; ++number) {
      const std::string_view display = definition.enumeration->find(number);
      if (display.data() != nullptr) add(display, {Meaning::Kind::Value, number});
      else add(std::to_string(number), {Meaning::Kind::Value, number});
    }
  } else {
    has_number = true;
    const EnumTable& table = *definition.enumeration;
    for (std::size_t number = 0; number < table.dense.size(); ++number) {
      if (table.dense[number].data() != nullptr) add(table.dense[number], {Meaning::Kind::Value, number});
    }
    const EnumTable::Entry* last = nullptr;
    for (const EnumTable::Entry& entry : table.sparse) {
      if (last == nullptr || last->number != entry.number) add(entry.display, {Meaning::Kind::Value, entry.number});
      last = &entry;
    }
  }
  // An alias is another string for the same number; the decoder writes the display.
  if (definition.type == FieldType::Enum) {
    const Enum& row = model_[model_[definition.field].enumeration];
    for (const EnumValue& value : model_.values(row)) {
      if (lists_all && value.number > low_mask(definition.width)) continue;
      for (const Alias& alias : model_.aliases(value)) {
        add(alias.text, {Meaning::Kind::Value, value.number, definition.enumeration->find(value.number)});
      }
    }
  }

  // Fields with the same strings share a set.
  std::string key(has_number ? "n" : "-");
  for (const auto& [text, list] : strings) {
    key.append(text).push_back('\0');
    for (const Meaning& meaning : list) {
      key.append(std::to_string(meaning.value)).push_back(meaning.kind == Meaning::Kind::Value ? 'v' : 'z');
      if (meaning.canonical.data() != nullptr) key.append(meaning.canonical).push_back('a');
    }
  }
  const auto [known, is_new] = set_index_.try_emplace(key, static_cast<std::uint32_t>(string_sets.size()));
  strings_of[index] = known->second;
  if (!is_new) return known->second;
  StringSet set;
  set.root = characters.new_root();
  set.has_number = has_number;
  for (const auto& [text, list] : strings) {
    const Run run{static_cast<std::uint32_t>(meanings.size()), static_cast<std::uint32_t>(list.size())};
    meanings.insert(meanings.end(), list.begin(), list.end());
    if (text.empty()) {
      set.empty = run;
      continue;
    }
    const std::uint32_t node = characters.add(set.root, text);
    node_meanings.resize(std::max<std::size_t>(node_meanings.size(), characters.size()));
    node_meanings[node] = run;
    set.first.add(text.front());
    set.is_blank_led |= text.front() == ' ';
    node_strings.resize(characters.size());
    node_strings[node] = static_cast<std::uint32_t>(set.examples.size());
    set.examples.push_back(text);
  }
  if (has_number) {
    for (const char c : digits) set.first.add(c);
  }
  string_sets.push_back(std::move(set));
  return known->second;
}

// --- how texts begin ----------------------------------------------------------------------------------------------------

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
      if (token.text.front() == ' ') {  // a blank may have been read already, or been trimmed
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
  if (names.argument != nowhere) {
    is_nullable = true;
    return FirstSet::all();
  }
  is_nullable = true;  // it may stand for nothing at all
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
    if (string_sets[set].is_blank_led) return FirstSet::all();
    return string_sets[set].first;
  }
  if (is_prefixed) {
    first.add('0');
    return first;
  }
  switch (definition.type) {
    case FieldType::Uint:
    case FieldType::Bool: break;
    case FieldType::Hex:
      for (const char c : std::string_view("abcdefABCDEF")) first.add(c);
      break;
    case FieldType::Int: first.add('-'); break;
    case FieldType::Float:
      for (const char c : std::string_view("-in")) first.add(c);
      break;
    case FieldType::Offset:
    case FieldType::Uoffset:
      is_nullable = true;
      first.add('+');
      if (definition.type == FieldType::Offset) first.add('-');
      return first;
    default:  // labels and what callers write
      is_nullable = definition.type == FieldType::Custom;
      return FirstSet::all();
  }
  for (const char c : digits) first.add(c);
  return first;
}

FirstSet Grammar::first_of_group(std::uint32_t group, bool& is_nullable) {
  GroupState& state = groups_[group];
  if (state.state == GroupState::Open) {  // bitsets that hold themselves: anything may come
    is_nullable = true;
    return FirstSet::all();
  }
  if (state.state == GroupState::New) {
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

// --- heads --------------------------------------------------------------------------------------------------------------

// The head of a production is its {NAME}, or else its first literal with a letter, up to a blank; before it stand only
// flags, literals and plain numbers. All that stands before heads is collected, so that a line can be searched for the
// places at which a head may begin without knowing its production.
void Grammar::find_heads() {
  flag_root = characters.new_root();
  head_root = characters.new_root();
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;  // of heads: node, production
  const auto is_plain_number = [&](std::uint32_t definition) {
    const FieldType type = tables_.definitions[definition].type;
    return strings_of[definition] == nowhere && (type == FieldType::Uint || type == FieldType::Bool);
  };
  const auto is_simple = [&](const Token& token) {
    switch (token.kind) {
      case Token::Kind::Resolve: {
        const NameResolver& names = tables_.resolvers[token.index];
        bool is_number = names.argument == nowhere;
        for (std::uint32_t i = 0; i < names.choices.count; ++i) {
          const std::uint32_t definition = tables_.choices[names.choices.first + i].definition;
          is_number &= definition == nowhere || is_plain_number(definition);
        }
        return is_number;
      }
      case Token::Kind::Strings: return !string_sets[strings_of[token.index]].has_number;
      case Token::Kind::Number: return is_plain_number(token.index);
      case Token::Kind::Literal:
      case Token::Kind::Align:
      case Token::Kind::Nothing: return true;
      default: return false;
    }
  };
  std::vector<std::uint32_t> flag_nodes;
  const auto add_flag = [&](std::string_view text) { flag_nodes.push_back(characters.add(flag_root, text)); };
  for (const Run run : instruction_productions) {
    for (std::uint32_t i = run.first; i < run.first + run.count; ++i) {
      Production& production = productions[i];
      const std::string_view name = production.name;
      std::uint32_t head = nowhere;
      for (std::uint32_t k = 0; k < production.tokens.count; ++k) {
        const Token& token = tokens[production.tokens.first + k];
        if (token.kind == Token::Kind::Literal) {
          const std::string_view word = token.text.substr(0, token.text.find(' '));
          const bool has_letter = std::any_of(word.begin(), word.end(), is_letter);
          if (has_letter && (head == nowhere || token.text == name)) {
            head = k;
            if (token.text == name) break;
          }
        }
        if (!is_simple(token)) break;
      }
      if (head == nowhere) {
        headless.push_back(i);
        continue;
      }
      for (std::uint32_t k = 0; k < head; ++k) {
        const Token& token = tokens[production.tokens.first + k];
        if (token.kind == Token::Kind::Number || token.kind == Token::Kind::Resolve) has_number_flags = true;
        if (token.kind == Token::Kind::Literal && !token.text.empty()) {
          add_flag(token.text);
          if (production.required == nowhere && token.text != " ") production.required = flag_nodes.back();
        }
        if (token.kind != Token::Kind::Strings) continue;
        for (const std::string& text : string_sets[strings_of[token.index]].examples) add_flag(text);
      }
      const Token& token = tokens[production.tokens.first + head];
      production.head = token.text.substr(0, token.text.find(' '));
      ends.emplace_back(characters.add(head_root, production.head), i);
    }
  }
  std::sort(ends.begin(), ends.end());
  node_heads.resize(characters.size());
  is_flag.resize(characters.size());
  node_meanings.resize(characters.size());
  for (const std::uint32_t node : flag_nodes) is_flag[node] = 1;
  for (const auto& [node, production] : ends) {
    Run& run = node_heads[node];
    if (run.count++ == 0) run.first = static_cast<std::uint32_t>(heads.size());
    heads.push_back(production);
  }
}

}  // namespace vireo::isa

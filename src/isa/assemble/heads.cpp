// SPDX-License-Identifier: Apache-2.0
//
// Heads: by which word of a line its productions are found. docs/isa-assembler.md, "Productions".
//
// The one idea: the head of a production is its {NAME}, or else its first literal with a letter, up to a blank; before it
// stand only flags, literals and plain numbers. All that stands before heads is collected in one tree of characters, so that
// a line can be searched for the places at which a head may begin without knowing its production.
#include <algorithm>

#include "isa/assemble/grammar.h"
#include "support/ascii.h"

namespace vireo::isa {
namespace {}  // namespace

// Digits alone, whatever the value is: such a number can be passed over without knowing its field.
bool Grammar::is_plain_number(std::uint32_t definition) const {
  const FieldType type = tables_.definitions[definition].type;
  return strings_of[definition] == nowhere && (type == FieldType::Uint || type == FieldType::Bool);
}

// Whether a token may stand before a head: where it ends can be seen without parsing it.
bool Grammar::may_precede_head(const Token& token) const {
  switch (token.kind) {
    case Token::Kind::Resolve: {
      const NameResolver& names = tables_.resolvers[token.index];
      // Of a name with several definitions, each has to be a plain number; and what a param brings in is not known
      // here.
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
}

// The number of the token that holds the head; nowhere when there is none. The name is preferred to a word in front of it.
std::uint32_t Grammar::head_of(const Production& production) const {
  std::uint32_t head = nowhere;
  for (std::uint32_t k = 0; k < production.tokens.count; ++k) {
    const Token& token = tokens[production.tokens.first + k];
    if (token.kind == Token::Kind::Literal) {
      const std::string_view word = token.text.substr(0, token.text.find(' '));
      const bool has_letter = std::any_of(word.begin(), word.end(), is_letter);
      if (has_letter && token.text == production.name) return k;
      if (has_letter && head == nowhere) head = k;
    }
    // Behind this token nobody can tell where a word begins without parsing it.
    if (!may_precede_head(token)) break;
  }
  return head;
}

// What stands before the head, as nodes of the tree of flags.
void Grammar::add_flags(Production& production, std::uint32_t head, std::vector<std::uint32_t>& flag_nodes) {
  const auto add = [&](std::string_view text) { flag_nodes.push_back(characters.add(flag_root, text)); };
  for (std::uint32_t k = 0; k < head; ++k) {
    const Token& token = tokens[production.tokens.first + k];
    if (token.kind == Token::Kind::Number || token.kind == Token::Kind::Resolve) has_number_flags = true;
    if (token.kind == Token::Kind::Literal && !token.text.empty()) {
      add(token.text);
      // One literal that each line of the production has is enough to tell most lines that are not of it.
      if (production.required == nowhere && token.text != " ") production.required = flag_nodes.back();
    }
    if (token.kind != Token::Kind::Strings) continue;
    for (const std::string& text : string_sets[strings_of[token.index]].examples) add(text);
  }
}

void Grammar::find_heads() {
  flag_root = characters.new_root();
  head_root = characters.new_root();
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;  // of heads: node, production
  std::vector<std::uint32_t> flag_nodes;
  for (const Run run : instruction_productions) {
    for (std::uint32_t i = run.first; i < run.first + run.count; ++i) {
      Production& production = productions[i];
      const std::uint32_t head = head_of(production);
      if (head == nowhere) {
        headless.push_back(i);
        continue;
      }
      add_flags(production, head, flag_nodes);
      const Token& token = tokens[production.tokens.first + head];
      production.head = token.text.substr(0, token.text.find(' '));
      ends.emplace_back(characters.add(head_root, production.head), i);
    }
  }
  // The tree does not grow any more, so what is kept by node gets its size.
  node_heads.resize(characters.size());
  is_flag.resize(characters.size());
  node_meanings.resize(characters.size());
  for (const std::uint32_t node : flag_nodes) is_flag[node] = 1;
  // Productions of one head follow each other, in the order of the description.
  std::sort(ends.begin(), ends.end());
  for (const auto& [node, production] : ends) {
    Run& run = node_heads[node];
    if (run.count++ == 0) run.first = static_cast<std::uint32_t>(heads.size());
    heads.push_back(production);
  }
}

}  // namespace vireo::isa

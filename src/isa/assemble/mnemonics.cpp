// SPDX-License-Identifier: Apache-2.0
//
// Finds mnemonics. A mnemonic is the word that selects the productions of a line. docs/isa-assembler.md, "Productions".
//
// The mnemonic of a production is its {NAME}, or else its first literal with a letter, up to a blank. Only flags,
// literals and plain numbers may precede it. All texts that may precede a mnemonic are in one tree of characters. The
// parser uses the tree to find positions where a mnemonic may begin before it has selected a production.
#include <algorithm>

#include "isa/assemble/grammar.h"
#include "support/ascii.h"

namespace vireo::isa {

// Returns whether the definition always prints only digits, so that the parser can skip it before selecting a
// production.
bool Grammar::is_plain_number(std::uint32_t definition) const {
  const FieldType type = tables_.definitions[definition].type;
  return strings_of[definition] == nowhere && (type == FieldType::Uint || type == FieldType::Bool);
}

// Returns whether a token may precede a mnemonic: the parser must find the token's end before it selects a production.
bool Grammar::may_precede_mnemonic(const Token& token) const {
  switch (token.kind) {
    case Token::Kind::Resolve: {
      const NameResolver& names = tables_.resolvers[token.index];
      // Every definition of the name must be a plain number. The definition of a param is unknown here.
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

// Returns the index of the token that holds the mnemonic, or nowhere. The name is preferred to an earlier word.
std::uint32_t Grammar::mnemonic_of(const Production& production) const {
  std::uint32_t mnemonic = nowhere;
  for (std::uint32_t k = 0; k < production.tokens.count; ++k) {
    const Token& token = tokens[production.tokens.first + k];
    if (token.kind == Token::Kind::Literal) {
      const std::string_view word = token.text.substr(0, token.text.find(' '));
      const bool has_letter = std::any_of(word.begin(), word.end(), is_letter);
      if (has_letter && token.text == production.name) return k;
      if (has_letter && mnemonic == nowhere) mnemonic = k;
    }
    // The parser cannot find the end of this token before it has selected a production.
    if (!may_precede_mnemonic(token)) break;
  }
  return mnemonic;
}

// Adds the texts before the mnemonic to the trie of flags.
void Grammar::add_flags(Production& production, std::uint32_t mnemonic, std::vector<std::uint32_t>& flag_nodes) {
  const auto add = [&](std::string_view text) { flag_nodes.push_back(characters.add(flag_root, text)); };
  for (std::uint32_t k = 0; k < mnemonic; ++k) {
    const Token& token = tokens[production.tokens.first + k];
    if (token.kind == Token::Kind::Number || token.kind == Token::Kind::Resolve) has_number_flags = true;
    if (token.kind == Token::Kind::Literal && !token.text.empty()) {
      add(token.text);
      // One literal that occurs in every line of the production is enough to reject most other lines.
      if (production.required == nowhere && token.text != " ") production.required = flag_nodes.back();
    }
    if (token.kind != Token::Kind::Strings) continue;
    for (const std::string& text : string_sets[strings_of[token.index]].examples) add(text);
  }
}

void Grammar::find_mnemonics() {
  flag_root = characters.new_root();
  mnemonic_root = characters.new_root();
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;  // node and production of each mnemonic
  std::vector<std::uint32_t> flag_nodes;
  for (const Run run : instruction_productions) {
    for (std::uint32_t i = run.first; i < run.first + run.count; ++i) {
      Production& production = productions[i];
      const std::uint32_t mnemonic = mnemonic_of(production);
      if (mnemonic == nowhere) {
        without_mnemonic.push_back(i);
        continue;
      }
      add_flags(production, mnemonic, flag_nodes);
      const Token& token = tokens[production.tokens.first + mnemonic];
      production.mnemonic = token.text.substr(0, token.text.find(' '));
      ends.emplace_back(characters.add(mnemonic_root, production.mnemonic), i);
    }
  }
  // The tree is complete, so allocate the tables indexed by node.
  node_mnemonics.resize(characters.size());
  is_flag.resize(characters.size());
  node_meanings.resize(characters.size());
  for (const std::uint32_t node : flag_nodes) is_flag[node] = 1;
  // Productions of one mnemonic are contiguous, in the order of the description.
  std::sort(ends.begin(), ends.end());
  for (const auto& [node, production] : ends) {
    Run& run = node_mnemonics[node];
    if (run.count++ == 0) run.first = static_cast<std::uint32_t>(mnemonic_productions.size());
    mnemonic_productions.push_back(production);
  }
}

}  // namespace vireo::isa

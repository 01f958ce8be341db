// SPDX-License-Identifier: Apache-2.0
//
// The choice of a leaf.
//
// The one idea: a choice is a table, since a jump that depends on the bits of a word is mispredicted for every other word.
// A root of few bits has the answer for each value. A larger one has a tree: a node takes a few bits as the index of
// the next node; what is left at the bottom, mostly one leaf, is compared with its masks. A value that two leaves match
// ends where both are candidates, so conflicts are found exactly.
#include <algorithm>
#include <array>
#include <bit>

#include "isa/generate/instruction_writer.h"

namespace vireo::isa::generate {
namespace {

constexpr std::uint32_t window = 8;
constexpr std::uint32_t max_small_bits = 10;
constexpr std::size_t nodes_per_leaf = 24;
constexpr std::size_t longest_in_place = 400;

using Leaves = std::vector<std::uint32_t>;

struct Node {
  std::uint32_t low = 0;
  std::uint32_t mask = 0;  // of the bits from `low` on
};

// Bits that all candidates fix, and not all alike, are best: none then stands in two children. Where there are none, the
// bit is taken that leaves the fewest in its larger half. No bits at all when nothing is gained.
Node choose_bits(const std::vector<const Bitset*>& leaves, const Leaves& candidates, std::uint32_t size) {
  Bits common(size);
  common = ~common;
  Bits ones(size);
  Bits zeros(size);
  for (const std::uint32_t i : candidates) {
    common &= leaves[i]->care;
    ones |= leaves[i]->match;
    zeros |= leaves[i]->care & ~leaves[i]->match;
  }
  const Bits telling = common & ones & zeros;
  Node best;
  int most = 0;
  for (std::uint32_t at = telling.lowest(); at < size; ++at) {
    if (!telling.test(at)) continue;
    const BitWord bits = slice_of(telling.data(), at, std::min(window, size - at));
    if (std::popcount(bits) <= most) continue;
    most = std::popcount(bits);
    best = {at, static_cast<std::uint32_t>(bits)};
  }
  if (most != 0) return best;
  const Bits either = ones & zeros;
  std::size_t smallest = candidates.size();
  for (std::uint32_t at = either.lowest(); at < size; ++at) {
    if (!either.test(at)) continue;
    std::array<std::size_t, 2> halves{};
    for (const std::uint32_t i : candidates) {
      const bool cares = leaves[i]->care.test(at);
      halves[0] += !cares || !leaves[i]->match.test(at) ? 1 : 0;
      halves[1] += !cares || leaves[i]->match.test(at) ? 1 : 0;
    }
    const std::size_t larger = std::max(halves[0], halves[1]);
    if (larger >= smallest) continue;
    smallest = larger;
    best = {at, 1};
  }
  return best;
}

bool is_match(const Bitset& leaf, BitWord value) { return (value & leaf.care.data()[0]) == leaf.match.data()[0]; }

std::string words_text(const Bits& bits, std::uint32_t word_count) {
  std::string text = "{";
  for (std::uint32_t i = 0; i < word_count; ++i) {
    text += (i == 0 ? "" : ",") + hex_constant(i < bits.words().size() ? bits.words()[i] : 0);
  }
  return text + "}";
}

}  // namespace

// A child is a node, one leaf or a place in `lists`: a count, and leaves.
std::string define_tree(Writer& writer, const std::vector<const Bitset*>& leaves, Facts& facts) {
  const std::uint32_t word_count = facts.word_count;
  const std::uint32_t size = leaves.empty() ? 1 : leaves.front()->size;
  std::string nodes;
  std::string children;
  std::string lists;
  std::uint32_t list_count = 0;
  std::uint32_t child_count = 0;
  const auto leaf_or_list = [&](const Leaves& candidates) {
    if (candidates.size() == 1) return std::to_string(first_leaf_child(facts) + candidates.front());
    std::string text = std::to_string(first_list_child(facts) + list_count);
    lists += std::to_string(candidates.size()) + ",";
    for (const std::uint32_t i : candidates) lists += std::to_string(i) + ",";
    list_count += static_cast<std::uint32_t>(candidates.size()) + 1;
    return text;
  };

  // Breadth first: a node's number is known when it is put on the queue.
  std::vector<std::pair<Node, Leaves>> queue;
  std::string nobody;
  const std::size_t node_limit = 64 + nodes_per_leaf * leaves.size();
  const auto child_for = [&](Leaves candidates) -> std::string {
    if (candidates.empty()) {
      if (nobody.empty()) nobody = leaf_or_list(candidates);
      return nobody;
    }
    Node node;
    if (candidates.size() > 1 && queue.size() < node_limit) node = choose_bits(leaves, candidates, size);
    if (node.mask == 0) return leaf_or_list(candidates);
    queue.emplace_back(node, std::move(candidates));
    return std::to_string(queue.size() - 1);
  };
  Leaves all(leaves.size());
  for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
  const std::string start = child_for(std::move(all));
  for (std::size_t at = 0; at < queue.size(); ++at) {  // NOLINT(modernize-loop-convert): the queue grows meanwhile
    const auto [node, candidates] = queue[at];
    nodes +=
        "  {" + std::to_string(node.low) + "," + std::to_string(node.mask) + "," + std::to_string(child_count) + "},\n";
    std::string line = "  ";
    const std::uint32_t count = std::uint32_t{1} << std::bit_width(node.mask);
    for (std::uint32_t index = 0; index < count; ++index) {
      Leaves inner;
      for (const std::uint32_t i : candidates) {
        const std::uint32_t width = std::min(window, size - node.low);
        const BitWord care = slice_of(leaves[i]->care.data(), node.low, width) & node.mask;
        const BitWord match = slice_of(leaves[i]->match.data(), node.low, width);
        if ((index & ~node.mask) == 0 && (index & care) == (match & care)) inner.push_back(i);
      }
      line += child_for(std::move(inner)) + ",";
      if (line.size() > 110) {
        children += line + "\n";
        line = "  ";
      }
    }
    children += line + "\n";
    child_count += count;
  }
  const std::size_t largest = std::max({std::size_t{list_count}, queue.size(), leaves.size()});
  facts.needs_wide_index |= !facts.has_wide_index && largest > narrow_index_limit;
  std::string masks;
  for (const Bitset* leaf : leaves) {
    masks += "  {" + words_text(leaf->care, word_count) + "," + words_text(leaf->match, word_count) + "}, /* " +
             comment_text(leaf->display_name) + " */\n";
  }
  // C has no empty tables; a row that is never looked at stands in. Compilers that follow a single tree through the search
  // want two numbers in the shortest list.
  const auto table = [&](std::string_view type, const std::string& rows, std::string_view otherwise) {
    return writer.define('k', "const " + std::string(type),
                         "[] = {\n" + (rows.empty() ? std::string(otherwise) : rows) + "};");
  };
  std::string row = " = {" + table("@Node", nodes, "  {0,0,0}") + ", ";
  row += table("@Index", children, "  0") + ", " + table("@Index", lists + "0,0", {}) + ", ";
  row += table("@Masks", masks, "  {" + words_text({}, word_count) + "," + words_text({}, word_count) + "}");
  row += ", " + start + "};";
  return writer.define('k', "const @Tree", row);
}

// The leaf of each value: 255 stands for none. Nothing where two leaves match a value.
std::optional<std::string> InstructionWriter::small_choice(const std::vector<const Bitset*>& leaves,
                                                           std::uint32_t size) {
  constexpr std::uint32_t none = 255;
  if (size > max_small_bits || leaves.size() >= none) return std::nullopt;
  std::string table = "[] = {\n ";
  for (BitWord value = 0; value < BitWord{1} << size; ++value) {
    std::uint32_t found = none;
    for (std::uint32_t i = 0; i < leaves.size(); ++i) {
      if (!is_match(*leaves[i], value)) continue;
      if (found != none) return std::nullopt;
      found = i;
    }
    table += (value % 32 == 0 && value != 0 ? "\n " : "") + std::to_string(found) + ",";
  }
  return writer_.define('m', "const uint8_t", table + "\n};");
}

Code InstructionWriter::nested_code(const StaticScope& shown_in, std::string_view name, const Candidate& candidate) {
  const Field& field = *candidate.field;
  const Bitset& root = model_[field.bitset];
  const std::uint32_t low = candidate.scope->low + field.low;
  const std::vector<const Bitset*> leaves = scopes_.leaves_of(root);
  const std::string where = std::to_string(low) + ", " + std::to_string(root.size);
  const std::string no_match =
      fault_call("@no_match", "w, " + name_text(shown_in) + ", " + quoted_literal(name) + ", " + where,
                 name.size() + shown_in.leaf->display_name.size());

  // The scope around a bitset that a param has passed in is the one that owns the field; in Mesa's manner, the innermost.
  const StaticScope* parent = scopes_.is_mesa() ? &shown_in : candidate.scope;

  Code result;
  std::vector<std::string> shown;
  for (const Bitset* leaf : leaves) {
    const StaticScope& scope = scopes_.open(*leaf, parent, &field, low);
    std::string text;
    if (leaf->dont_care.any()) {
      const std::string mask =
          writer_.define('x', "const uint64_t",
                         "[] = " + words_text(leaf->dont_care, static_cast<std::uint32_t>(words_for(root.size))) + ";");
      const std::string test = root.size <= bits_per_word ? "((uint64_t)" + bits_text(low, root.size) + " & " +
                                                                hex_constant(leaf->dont_care.data()[0]) + ") != 0"
                                                          : "1";
      text = "if (" + test + ") " +
             fault_call("@dont_care", "w, " + quoted_literal(leaf->display_name) + ", " + where + ", " + mask,
                        leaf->display_name.size());
    }
    ScopeCode body = scope_code(scope);
    result.longest = std::max(result.longest, body.code.longest);
    if (!body.returns && body.code.text.size() <= longest_in_place) {
      text += body.code.text;
    } else {
      if (!body.returns) body.code.text += "return o;\n";
      const std::string function = writer_.define(
          'd', "char*", "(@State* s, @Word w, char* o) {\n  (void)s;\n  (void)w;\n" + indented(body.code.text) + "}",
          std::string(leaf->display_name) + " at bit " + std::to_string(low));
      text += "o = " + function + "(s, w, o);\n";
    }
    shown.push_back(std::move(text));
  }

  if (leaves.empty()) {
    result.text = no_match;
    return result;
  }
  if (leaves.size() == 1 && root.size <= bits_per_word) {
    if (!leaves[0]->care.any()) result.text = shown[0];
    else
      result.text = "if (((uint64_t)" + bits_text(low, root.size) + " & " + hex_constant(leaves[0]->care.data()[0]) +
                    ") == " + hex_constant(leaves[0]->match.data()[0]) + ") {\n" + indented(shown[0]) + "} else {\n" +
                    indented(no_match) + "}\n";
    return result;
  }
  std::string otherwise = no_match;
  const std::optional<std::string> table = small_choice(leaves, root.size);
  if (table) {
    result.text = "switch (" + *table + "[" + bits_text(low, root.size) + "]) {\n";
  } else {
    std::string names = "[] = {";
    for (const Bitset* leaf : leaves) names += quoted_literal(leaf->display_name) + ", ";
    const std::string tree = define_tree(writer_, leaves, facts_);
    const std::string list = writer_.define('k', "const char* const", names + "};");
    result.text = "switch (@find_nested(&" + tree + ", w, " + where + ")) {\n";
    otherwise = fault_call("@conflict", "@find_nested(&" + tree + ", w, " + where + "), " + list, 0) + no_match;
  }
  for (std::size_t i = 0; i < shown.size(); ++i) {
    result.text += "  case " + std::to_string(i) + ":\n" + indented(indented(shown[i])) + "    break;\n";
  }
  result.text += "  default:\n" + indented(indented(otherwise)) + "    break;\n}\n";
  return result;
}

}  // namespace vireo::isa::generate

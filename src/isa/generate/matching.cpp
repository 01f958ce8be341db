// SPDX-License-Identifier: Apache-2.0
//
// Generates the code that selects a leaf.
//
// The selection is a table look-up, because a jump that depends on the bits of a word is often
// mispredicted. A root of few bits has a table with the leaf of each value. A larger root has a tree: a node uses a few
// bits as the index of the next node. The candidates at the bottom, mostly one leaf, are compared with their masks. If
// two leaves match a value, both are in the list for this value, so each conflict is found.
#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "isa/generate/instruction_writer.h"
#include "isa/model/discriminating_bits.h"
#include "vireo/isa/load.h"

namespace vireo::isa::generate {
namespace {

// The maximum size, in bits, of a root that is matched by one table. The table has at most 1024 bytes.
constexpr std::uint32_t max_small_bits = 10;
constexpr std::size_t longest_scope_in_place = 400;

using Leaves = std::vector<std::uint32_t>;

// Whether a leaf of at most one word matches a value. `care` contains the bits that the pattern fixes, `match` their
// values; other bits of `match` are 0.
bool is_match(const Bitset& leaf, BitWord value) { return (value & leaf.care.data()[0]) == leaf.match.data()[0]; }

std::string words_text(const Bits& bits, std::uint32_t word_count) {
  std::string text = "{";
  for (std::uint32_t i = 0; i < word_count; ++i) {
    text += (i == 0 ? "" : ",") + hex_constant(i < bits.words().size() ? bits.words()[i] : 0);
  }
  return text + "}";
}

// Builds the rows of a tree breadth first, so that a node's number is its position in the queue. A child is a node, a
// leaf, or a position in the lists; a list is a count and as many leaves.
class TreeRows {
 public:
  TreeRows(const std::vector<const Bitset*>& leaves, const Facts& facts)
      : leaves_(leaves), facts_(facts), size_(leaves.empty() ? 1 : leaves.front()->size) {}

  /// Writes all rows; returns the child at which a search begins.
  std::string write() {
    // At first all leaves are candidates.
    Leaves all(leaves_.size());
    std::iota(all.begin(), all.end(), 0u);
    std::string start = child_for(std::move(all));
    for (std::size_t at = 0; at < queue_.size(); ++at) {  // NOLINT(modernize-loop-convert): the queue grows meanwhile
      const auto [node, candidates] = queue_[at];
      write_node(node, candidates);
    }
    return start;
  }

  [[nodiscard]] const std::string& nodes() const { return nodes_; }
  [[nodiscard]] const std::string& children() const { return children_; }
  [[nodiscard]] const std::string& lists() const { return lists_; }
  /// The largest of the numbers of nodes, leaves and list positions.
  [[nodiscard]] std::size_t most() const { return std::max({std::size_t{list_count_}, queue_.size(), leaves_.size()}); }

 private:
  // Leaf and list numbers have offsets, so that a child's number determines its kind (instruction_writer.h).
  std::string leaf_or_list(const Leaves& candidates) {
    if (candidates.size() == 1) return std::to_string(first_leaf_child(facts_) + candidates.front());
    std::string text = std::to_string(first_list_child(facts_) + list_count_);
    lists_ += std::to_string(candidates.size()) + ",";
    for (const std::uint32_t i : candidates) lists_ += std::to_string(i) + ",";
    list_count_ += static_cast<std::uint32_t>(candidates.size()) + 1;
    return text;
  }

  // Most values of a node match no leaf, so all of them share one empty list. If no bits distinguish the candidates, or
  // the tree has too many nodes, the candidates are compared one by one.
  std::string child_for(Leaves candidates) {
    if (candidates.empty()) {
      if (empty_list_.empty()) empty_list_ = leaf_or_list(candidates);
      return empty_list_;
    }
    // The limit on nodes protects against hostile masks; beyond it, a list is correct but slower.
    DiscriminatingBits node;
    if (candidates.size() > 1 && queue_.size() < most_nodes(leaves_.size())) {
      std::vector<const Bitset*> remaining;
      for (const std::uint32_t i : candidates) remaining.push_back(leaves_[i]);
      node = discriminating_bits(remaining, size_);
    }
    if (node.mask == 0) return leaf_or_list(candidates);
    queue_.emplace_back(node, std::move(candidates));
    return std::to_string(queue_.size() - 1);
  }

  // Writes a child for each value of the node's bits. Other bits of the window are 0 in an index. Each child receives
  // the candidates that a word with this index may match; a leaf whose mask leaves a bit open is in several children.
  void write_node(DiscriminatingBits node, const Leaves& candidates) {
    constexpr std::size_t longest_line = 110;
    nodes_ += "  {" + std::to_string(node.low) + "," + std::to_string(node.mask) + "," + std::to_string(child_count_) +
              "},\n";
    const std::uint32_t width = std::min(discriminating_window, size_ - node.low);
    const std::uint32_t count = std::uint32_t{1} << std::bit_width(node.mask);
    std::string line = "  ";
    for (std::uint32_t index = 0; index < count; ++index) {
      Leaves inner;
      for (const std::uint32_t i : candidates) {
        const BitWord care = slice_of(leaves_[i]->care.data(), node.low, width) & node.mask;
        const BitWord match = slice_of(leaves_[i]->match.data(), node.low, width);
        if ((index & ~node.mask) == 0 && (index & care) == (match & care)) inner.push_back(i);
      }
      line += child_for(std::move(inner)) + ",";
      if (line.size() > longest_line) children_ += std::exchange(line, "  ") + "\n";
    }
    children_ += line + "\n";
    child_count_ += count;
  }

  const std::vector<const Bitset*>& leaves_;
  const Facts& facts_;
  const std::uint32_t size_;  // of a root, in bits
  std::vector<std::pair<DiscriminatingBits, Leaves>> queue_;
  std::string nodes_, children_, lists_;
  std::string empty_list_;  // the child without candidates; empty until needed
  std::uint32_t list_count_ = 0, child_count_ = 0;
};

}  // namespace

std::string define_tree(Writer& writer, const std::vector<const Bitset*>& leaves, Facts& facts) {
  TreeRows rows(leaves, facts);
  const std::string start = rows.write();
  // If the tree is too large, the caller starts again with wide indexes (generate.cpp).
  facts.needs_wide_index |= !facts.has_wide_index && rows.most() > narrow_index_limit;
  // The masks are in the order of the leaves, so the number of a leaf is its index in both.
  std::string masks;
  for (const Bitset* leaf : leaves) {
    masks += "  {" + words_text(leaf->care, facts.word_count) + "," + words_text(leaf->match, facts.word_count) +
             "}, /* " + comment_text(leaf->display_name) + " */\n";
  }
  // C has no empty arrays, so an empty table gets a row that is never read. The array of lists has at least two
  // elements; with one, compilers warn about the reads in a program with a single tree.
  const auto table = [&](std::string_view type, const std::string& text, std::string_view otherwise) {
    return writer.define('k', "const " + std::string(type),
                         "[] = {\n" + (text.empty() ? std::string(otherwise) : text) + "};");
  };
  const std::string no_words = words_text({}, facts.word_count);
  std::string row = " = {" + table("@Node", rows.nodes(), "  {0,0,0}") + ", ";
  row += table("@Index", rows.children(), "  0") + ", " + table("@Index", rows.lists() + "0,0", {}) + ", ";
  row += table("@Masks", masks, "  {" + no_words + "," + no_words + "}");
  row += ", " + start + "};";
  return writer.define('k', "const @Tree", row);
}

// Defines a table with the leaf of each value; 255 means none. Returns nothing if two leaves match a value: a byte
// cannot identify both for the message, so a tree is needed.
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

// Returns the code for one leaf: short code in place, longer code as a function that other leaves may share. The code
// reports don't-care bits that are set before it prints anything.
Code InstructionWriter::nested_leaf_code(const StaticScope& scope) {
  const Bitset& leaf = *scope.leaf;
  const std::uint32_t size = leaf.size;
  Code result;
  if (leaf.dont_care.any()) {
    const std::string mask = writer_.define(
        'x', "const uint64_t", "[] = " + words_text(leaf.dont_care, static_cast<std::uint32_t>(words_for(size))) + ";");
    // If the bitset has at most 64 bits, the test is in place and avoids a call. Otherwise the fault function tests the
    // mask.
    const std::string test = size <= bits_per_word ? "((uint64_t)" + bits_text(scope.low, size) + " & " +
                                                         hex_constant(leaf.dont_care.data()[0]) + ") != 0"
                                                   : "1";
    result.text = "if (" + test + ") " +
                  fault_call("@dont_care",
                             "w, " + quoted_literal(leaf.display_name) + ", " + std::to_string(scope.low) + ", " +
                                 std::to_string(size) + ", " + mask,
                             leaf.display_name.size());
  }
  ScopeCode body = scope_code(scope);
  result.longest = body.code.longest;
  if (!body.returns && body.code.text.size() <= longest_scope_in_place) {
    result.text += body.code.text;
    return result;
  }
  if (!body.returns) body.code.text += "return o;\n";
  const std::string function = writer_.define(
      'd', "char*", "(@State* s, @Word w, char* o) {\n  (void)s;\n  (void)w;\n" + indented(body.code.text) + "}",
      std::string(leaf.display_name) + " at bit " + std::to_string(scope.low));
  result.text += "o = " + function + "(s, w, o);\n";
  return result;
}

// Returns a statement that selects among `shown`, the statements of each leaf. If no leaf or two leaves match,
// find_nested returns a number above all cases, so the default is executed.
std::string InstructionWriter::choice_text(const std::vector<const Bitset*>& leaves,
                                           const std::vector<std::string>& shown, std::uint32_t low,
                                           const std::string& no_match) {
  const std::uint32_t size = leaves.front()->size;
  const std::string where = std::to_string(low) + ", " + std::to_string(size);
  if (leaves.size() == 1 && size <= bits_per_word) {
    // A single leaf of at most 64 bits needs no table, only a comparison, or no code at all.
    const Bitset& leaf = *leaves.front();
    if (!leaf.care.any()) return shown.front();
    return "if (((uint64_t)" + bits_text(low, size) + " & " + hex_constant(leaf.care.data()[0]) +
           ") == " + hex_constant(leaf.match.data()[0]) + ") {\n" + indented(shown.front()) + "} else {\n" +
           indented(no_match) + "}\n";
  }
  std::string text;
  std::string otherwise = no_match;
  if (const std::optional<std::string> table = small_choice(leaves, size)) {
    text = "switch (" + *table + "[" + bits_text(low, size) + "]) {\n";
  } else {
    std::string names = "[] = {";
    for (const Bitset* leaf : leaves) names += quoted_literal(leaf->display_name) + ", ";
    const std::string tree = define_tree(writer_, leaves, facts_);
    const std::string list = writer_.define('k', "const char* const", names + "};");
    text = "switch (@find_nested(&" + tree + ", w, " + where + ")) {\n";
    otherwise = fault_call("@conflict", "@find_nested(&" + tree + ", w, " + where + "), " + list, 0) + no_match;
  }
  for (std::size_t i = 0; i < shown.size(); ++i) {
    text += "  case " + std::to_string(i) + ":\n" + indented(indented(shown[i])) + "    break;\n";
  }
  return text + "  default:\n" + indented(indented(otherwise)) + "    break;\n}\n";
}

// Returns code that decodes a field whose type is a bitset. If no leaf matches, the code prints nothing and reports a
// fault.
Code InstructionWriter::nested_code(const StaticScope& shown_in, std::string_view name, const Candidate& candidate) {
  const Field& field = *candidate.field;
  const Bitset& root = model_[field.bitset];
  const std::uint32_t low = candidate.scope->low + field.low;
  const std::string where = std::to_string(low) + ", " + std::to_string(root.size);
  const std::string no_match =
      fault_call("@no_match", "w, " + name_text(shown_in) + ", " + quoted_literal(name) + ", " + where,
                 name.size() + shown_in.leaf->display_name.size());

  // A param may pass a bitset to its own leaves, which would print it recursively without end. The interpreter has the
  // same limit.
  if (depth_ >= max_nesting_depth) return {fault_call("@too_long", quoted_literal(name), name.size()), 0};

  // If a param passes the bitset, its parent is the scope that owns the field. In Mesa mode, the parent is the scope
  // whose display shows the field.
  const StaticScope* parent = scopes_.is_mesa() ? &shown_in : candidate.scope;

  const std::vector<const Bitset*> leaves = scopes_.leaves_of(root);
  Code result;
  std::vector<std::string> shown;
  ++depth_;
  for (const Bitset* leaf : leaves) {
    Code code = nested_leaf_code(scopes_.open(*leaf, parent, &field, low));
    result.longest = std::max(result.longest, code.longest);
    shown.push_back(std::move(code.text));
  }
  --depth_;
  result.text = leaves.empty() ? no_match : choice_text(leaves, shown, low, no_match);
  return result;
}

}  // namespace vireo::isa::generate

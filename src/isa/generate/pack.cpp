// SPDX-License-Identifier: Apache-2.0
//
// Scopes → functions that pack them: the choice of a leaf, its pattern, its cases.
#include <algorithm>
#include <utility>

#include "isa/generate/pack_writer.h"

namespace vireo::isa::generate {

std::vector<std::pair<std::uint32_t, std::uint32_t>> pieces_of(std::uint32_t width) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> result;
  for (std::uint32_t at = 0; at < width; at += bits_per_word)
    result.emplace_back(at, std::min(width - at, bits_per_word));
  return result;
}

std::vector<std::uint64_t> wanted_bits(const Assert& row) {
  std::vector<std::uint64_t> words(words_for(row.width), 0);
  for (std::uint32_t i = 0; i < row.width; ++i) {
    if (row.text[row.width - 1 - i] == '1') words[i / bits_per_word] |= std::uint64_t{1} << i % bits_per_word;
  }
  return words;
}

namespace {

// A condition that was asked, and on which nothing came to depend.
void drop_unused(std::string& text, std::uint32_t variables) {
  for (std::uint32_t number = 1; number <= variables; ++number) {
    const std::string name = "h" + std::to_string(number) + "_";
    const std::size_t first = text.find(name);
    if (first == std::string::npos || text.find(name, first + 1) != std::string::npos) continue;
    const std::size_t begin = text.rfind('\n', first) + 1;  // none: npos + 1 = 0
    text.erase(begin, text.find('\n', first) + 1 - begin);
  }
}

}  // namespace

// All scopes live until the last leaf is done: functions of expressions may be written after the code that asks them.
std::string PackWriter::pack(const Bitset& root) {
  std::string function = choice_function(root, nullptr, nullptr, 0);
  scopes_.clear();
  return function;
}

// Leaves of one name are told apart by their generations; in one generation the first counts.
std::string PackWriter::choice_function(const Bitset& root, const StaticScope* parent, const Field* opened_by,
                                        std::uint32_t low) {
  std::string rows;
  std::set<std::string> labels;
  const bool has_choice = maps_.has_choice(root);
  for (const Bitset* leaf : scopes_.leaves_of(root)) {
    std::string label = maps_.case_label(*leaf);
    if (!labels.insert(label).second) continue;
    std::string function = leaf_function(scopes_.open(*leaf, parent, opened_by, low));
    if (facts_.is_too_large) return {};
    if (parent == nullptr) write_unclean_functions();  // whose memory is numbered anew for each instruction
    if (!has_choice) return function;
    rows += "    case " + label + ": " + function + "(k_, s, p, src); break;\n";
  }
  const std::string name = quoted_literal(model_.text(root.name));
  const std::string where = std::to_string(low) + ", " + std::to_string(root.size);
  std::string body = "(@Packing* k_, @STATE* s, const @Params* p, " + Maps::declaration(root) + ") {\n";
  body += "  (void)s;\n  (void)p;\n";
  const std::string none = "@complain(k_, @unknown_case, " + name + ", NULL, ";
  if (has_choice) {
    const std::string choice = maps_.users_function(root, "case") + "(s, src)";
    body += "  const int label = (int)" + choice + ";\n  switch (label) {\n" + rows;
    body += "    default: " + none + "(uint64_t)label, " + where + "); break;\n  }\n}";
  } else {
    body += "  (void)src;\n  " + none + "0, " + where + ");\n}";
  }
  return writer_.define('n', "void", body, model_.text(root.name));
}

std::string PackWriter::leaf_function(const StaticScope& scope) {
  if (scopes_.count() > max_scopes || writer_.is_full()) facts_.is_too_large = true;
  if (facts_.is_too_large) return {};
  if (scope.parent == nullptr) memos_ = 0;
  // The functions of nested scopes are made on the way, and have variables and questions of their own.
  const std::set<std::uint32_t> questions = std::exchange(being_asked_, {});
  const std::uint32_t variables = std::exchange(variables_, 0);
  Block block;
  put_pattern(scope, block);
  for (const BitsetId id : model_.chain(*scope.leaf)) {
    for (const EncodeMap& map : model_.maps(model_[id])) {
      if (map.is_forced) put_name(scope, map.field, ExpressionId::none(), block);
    }
  }
  put_cases(scope, 0, {}, block);
  drop_unused(block.text, variables_);
  being_asked_ = questions;
  variables_ = variables;
  std::string body =
      "(@Packing* k_, @STATE* s, const @Params* p, " + Maps::declaration(model_[scope.leaf->root]) + ") {\n";
  body += "  (void)k_;\n  (void)s;\n  (void)p;\n  (void)src;\n" + indented(block.text) + "}";
  return writer_.define('p', "void", body,
                        std::string(model_.text(scope.leaf->name)) + " at bit " + std::to_string(scope.low));
}

// Don't-care bits are nobody's: they stay 0 and may be claimed.
void PackWriter::put_pattern(const StaticScope& scope, Block& block) const {
  const Bitset& leaf = *scope.leaf;
  for (const auto& [at, width] : pieces_of(leaf.size)) {
    const BitWord care = slice_of(leaf.care.data(), at, width);
    if (care == 0) continue;
    block.text += "@fix(k_, " + quoted_literal(leaf.display_name) + ", " + std::to_string(scope.low + at) + ", " +
                  std::to_string(width) + ", " + hex_constant(care) + ", " +
                  hex_constant(slice_of(leaf.match.data(), at, width)) + ");\n";
  }
}

// The ladder of displays, case by case. Without a display nothing says what is needed: all that has a map is.
void PackWriter::put_cases(const StaticScope& scope, std::size_t at, PassedAsserts passed, Block& block) {
  for (; at < scope.cases.size(); ++at) {
    const SeenCase& seen = scope.cases[at];
    const bool has_display = seen.row->has_display;
    if (!has_display && model_.asserts(*seen.row).empty()) continue;
    const std::string holds = seen.condition ? asked(scope, seen.condition, block) : "true";
    if (holds == "false") continue;
    const bool is_sure = holds == "true";
    if (!has_display) {
      passed.emplace_back(is_sure ? "" : holds, &seen);
      continue;
    }
    Block shown = block.branch();
    if (seen.condition) shown.known[seen.condition.raw] = "true";
    for (const Segment& segment : model_.segments(*seen.row)) {
      if (segment.kind == Segment::Kind::Field) put_name(scope, segment.name, ExpressionId::none(), shown);
    }
    PassedAsserts wanted = passed;
    wanted.emplace_back("", &seen);
    put_asserts(scope, wanted, shown);
    if (is_sure) {
      block.text += shown.text;
      return;
    }
    Block rest = block.branch();
    rest.known[seen.condition.raw] = "false";
    put_cases(scope, at + 1, std::move(passed), rest);
    put_either(holds, shown, rest, block);
    return;
  }
  for (const SeenCase& seen : scope.cases) {
    for (const Field& field : model_.fields(*seen.row)) {
      if (!field.is_derived() && maps_.find(*scope.leaf, field.name) != nullptr) {
        put_name(scope, field.name, ExpressionId::none(), block);
      }
    }
  }
  put_asserts(scope, passed, block);
}

// Behind all fields of the case, so that bits with a value are seen to have one.
void PackWriter::put_asserts(const StaticScope& scope, const PassedAsserts& passed, Block& block) const {
  for (const auto& [holds, seen] : passed) {
    std::string text;
    for (const Assert& row : model_.asserts(*seen->row)) {
      const std::vector<std::uint64_t> words = wanted_bits(row);
      for (const auto& [at, width] : pieces_of(row.width)) {
        text += "@expect(k_, " + quoted_literal(seen->owner->display_name) + ", " +
                std::to_string(scope.low + row.low + at) + ", " + std::to_string(width) + ", " +
                hex_constant(words[at / bits_per_word]) + ");\n";
      }
    }
    if (text.empty()) continue;
    block.text += holds.empty() ? text : "if (" + holds + ") {\n" + indented(text) + "}\n";
  }
}

}  // namespace vireo::isa::generate

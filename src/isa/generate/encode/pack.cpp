// SPDX-License-Identifier: Apache-2.0
//
// Generates functions that pack scopes: the choice of a leaf, its pattern, its cases.
#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include "isa/generate/encode/pack_writer.h"

namespace vireo::isa::generate {

// Fields, patterns and asserts may be wider than 64 bits, but the runtime claims at most 64 bits per call.
std::vector<std::pair<std::uint32_t, std::uint32_t>> pieces_of(std::uint32_t width) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> result;
  for (std::uint32_t at = 0; at < width; at += bits_per_word)
    result.emplace_back(at, std::min(width - at, bits_per_word));
  return result;
}

std::vector<std::uint64_t> expected_bits(const Assert& row) {
  std::vector<std::uint64_t> words(words_for(row.width), 0);
  for (std::uint32_t i = 0; i < row.width; ++i) {
    // The leftmost character is the highest bit.
    if (row.text[row.width - 1 - i] == '1') words[i / bits_per_word] |= std::uint64_t{1} << i % bits_per_word;
  }
  return words;
}

namespace {

// The number of the condition variable, `@h12_`, at the start of a text; 0 if there is none.
std::uint32_t variable_at(std::string_view text, std::uint32_t variables) {
  std::uint32_t number = 0;
  if (!text.starts_with("@h")) return 0;
  const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), number);
  const bool is_whole =
      error == std::errc() && text.substr(static_cast<std::size_t>(end - text.data())).starts_with('_');
  return is_whole && number <= variables ? number : 0;
}

// Removes the declarations of unused condition variables, because compilers warn about them. A declaration is at the
// start of its line.
std::string without_unused(std::string_view text, std::uint32_t variables) {
  constexpr std::string_view declares = "const bool ";
  std::vector<std::uint32_t> uses(variables + std::size_t{1}, 0);
  for (std::size_t at = text.find('@'); at != std::string_view::npos; at = text.find('@', at + 1)) {
    ++uses[variable_at(text.substr(at), variables)];
  }
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::string_view line = text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
    text.remove_prefix(line.size());
    const std::string_view words = line.substr(std::min(line.find_first_not_of(' '), line.size()));
    const std::uint32_t declared =
        words.starts_with(declares) ? variable_at(words.substr(declares.size()), variables) : 0;
    if (declared == 0 || uses[declared] > 1) result += line;
  }
  return result;
}

}  // namespace

// All scopes are kept until the last leaf is generated, because write_unclean_functions() reads them.
std::string PackWriter::pack(const Bitset& root) {
  std::string function = choice_function(root, nullptr, nullptr, 0);
  scopes_.clear();
  return function;
}

// The user's function selects the leaf by its label. Leaves of one name share a label, and the first one that exists in
// the generation applies. All leaves receive the same structure, whose type is that of the root.
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
    if (parent == nullptr) write_unclean_functions();  // memos are numbered per instruction
    // The only leaf needs no label and no function that selects it.
    if (!has_choice) return function;
    rows += "    case " + label + ": " + function + "(k_, s, p, src); break;\n";
  }
  const std::string name = quoted_literal(model_.text(root.name));
  const std::string where = std::to_string(low) + ", " + std::to_string(root.size);
  std::string body = "(@Packing* k_, @STATE* s, const @Params* p, " + Maps::declaration(root) + ") {\n";
  body += "  (void)s;\n  (void)p;\n";
  const std::string none = "@report_fault(k_, @unknown_case, " + name + ", NULL, ";
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
  // Functions of nested scopes are generated during that of the outer scope, so its counters and conditions are saved.
  const std::set<std::uint32_t> evaluating = std::exchange(evaluating_, {});
  const std::uint32_t variables = std::exchange(variables_, 0);
  const std::size_t branch_bytes = std::exchange(branch_bytes_, 0);
  Block block;
  // The pattern is put first, so that a fault names the value that contradicts it.
  put_pattern(scope, block);
  for (const BitsetId id : model_.chain(*scope.leaf)) {
    for (const EncodeMap& map : model_.maps(model_[id])) {
      // A map with `force="true"` is put even if no display needs it.
      if (map.is_forced) put_name(scope, map.field, ExpressionId::none(), block);
    }
  }
  put_cases(scope, block);
  const std::string text = without_unused(block.text, variables_);
  evaluating_ = evaluating;
  variables_ = variables;
  branch_bytes_ = branch_bytes;
  std::string body =
      "(@Packing* k_, @STATE* s, const @Params* p, " + Maps::declaration(model_[scope.leaf->root]) + ") {\n";
  body += "  (void)k_;\n  (void)s;\n  (void)p;\n  (void)src;\n" + indented(text) + "}";
  return writer_.define('p', "void", body,
                        std::string(model_.text(scope.leaf->name)) + " at bit " + std::to_string(scope.low));
}

// Don't-care bits are not put: they stay 0 and may be claimed.
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

// Generates the if-else chain of displays, case by case. If no case with a display holds, all fields with a map are
// put.
void PackWriter::put_cases(const StaticScope& scope, Block& block) {
  Ladder ladder(block);
  put_ladder(scope, ladder);
  ladder.finish();
}

// `passed` are asserts of previous cases without a display. They are generated after the fields are put.
void PackWriter::put_ladder(const StaticScope& scope, Ladder& ladder) {
  PassedAsserts passed;
  for (const SeenCase& seen : scope.cases) {
    if (facts_.is_too_large) return;
    const bool has_display = seen.row->has_display;
    if (!has_display && model_.asserts(*seen.row).empty()) continue;
    const std::string holds = seen.condition ? condition_value(scope, seen.condition, ladder.here()) : "true";
    // A condition that is constantly false needs no code.
    if (holds == "false") continue;
    const bool is_sure = holds == "true";
    if (!has_display) {
      passed.emplace_back(is_sure ? "" : holds, &seen);
      continue;
    }
    Block shown = ladder.here().branch();
    // Within its branch the condition holds.
    if (seen.condition) shown.known[seen.condition.raw] = "true";
    for (const Segment& segment : model_.segments(*seen.row)) {
      if (segment.kind == Segment::Kind::Field) put_name(scope, segment.name, ExpressionId::none(), shown);
    }
    put_asserts(scope, passed, shown);
    put_asserts(scope, {{"", &seen}}, shown);
    if (is_sure) {
      ladder.here().text += shown.text;
      return;
    }
    add_rung(ladder, seen.condition, holds, std::move(shown));
  }
  // This code runs if no case with a display holds.
  for (const SeenCase& seen : scope.cases) {
    for (const Field& field : model_.fields(*seen.row)) {
      if (!field.is_derived() && maps_.find(*scope.leaf, field.name) != nullptr) {
        put_name(scope, field.name, ExpressionId::none(), ladder.here());
      }
    }
  }
  put_asserts(scope, passed, ladder.here());
}

// Must be called after all fields of the case are put, because asserts set only bits without a value.
void PackWriter::put_asserts(const StaticScope& scope, const PassedAsserts& passed, Block& block) const {
  for (const auto& [holds, seen] : passed) {
    std::string text;
    for (const Assert& row : model_.asserts(*seen->row)) {
      const std::vector<std::uint64_t> words = expected_bits(row);
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

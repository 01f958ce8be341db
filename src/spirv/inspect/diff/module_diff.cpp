// SPDX-License-Identifier: Apache-2.0
//
// ModuleDiff::compare, and the queries of its result (vireo/spirv/inspect/diff.h).
#include "vireo/spirv/inspect/diff.h"

#include <algorithm>
#include <utility>

#include "spirv/inspect/diff/module_diff_data.h"
#include "spirv/inspect/diff/module_matcher.h"
#include "vireo/spirv/transform/canonical_ids.h"
#include "vireo/spirv/transform/strip.h"

namespace vireo::spirv {
namespace {

Result<WordBuffer> without_debug(Words words, Diagnostics& diagnostics, const Grammar& grammar) {
  const StripOptions debug = {.debug = true, .names = true, .nonsemantic = false, .reflection = false};
  return strip(words, debug, diagnostics, nullptr, grammar);
}

// Modules whose parts are alike in many ways can be equal although the pairs were chosen badly.
bool are_canonically_equal(const Module& before, const Module& after, const Grammar& grammar) {
  const auto opcodes = [](const Module& module) {
    std::vector<Word> found;
    found.reserve(module.instruction_count());
    for (const auto [index, view] : module.instructions()) found.push_back(view.first[0]);
    std::ranges::sort(found);
    return found;
  };
  if (opcodes(before) != opcodes(after)) return false;
  Diagnostics ignored;
  const Result<WordBuffer> left = canonical_ids(before.words(), ignored, grammar);
  const Result<WordBuffer> right = canonical_ids(after.words(), ignored, grammar);
  return left && right &&
         std::ranges::equal(Words(*left).subspan(header_word_count), Words(*right).subspan(header_word_count));
}

}  // namespace

Result<ModuleDiff> ModuleDiff::compare(Words before, Words after, const DiffOptions& options,
                                       Diagnostics& diagnostics) {
  const Grammar& grammar = options.grammar != nullptr ? *options.grammar : builtin_grammar();
  const Words whole_before = before, whole_after = after;
  WordBuffer stripped_before, stripped_after;
  if (options.ignore_debug) {
    Result<WordBuffer> first = without_debug(before, diagnostics, grammar);
    if (!first) return first.failure();
    Result<WordBuffer> second = without_debug(after, diagnostics, grammar);
    if (!second) return second.failure();
    stripped_before = std::move(*first);
    stripped_after = std::move(*second);
    before = stripped_before;
    after = stripped_after;
  }
  Result<DiffSide> first = DiffSide::read(before, options, diagnostics);
  if (!first) return first.failure();
  Result<DiffSide> second = DiffSide::read(after, options, diagnostics);
  if (!second) return second.failure();

  ModuleDiff diff(new Made(std::move(*first), std::move(*second)));
  Made& made = *diff.made_;
  made.whole_before = whole_before;
  made.whole_after = whole_after;
  made.stripped_before = std::move(stripped_before);
  made.stripped_after = std::move(stripped_after);
  made.before_words = before;  // a moved vector keeps its elements in place
  made.after_words = after;
  made.grammar = options.grammar;
  made.version_differs = before[1] != after[1];
  made.generator_differs = !options.ignore_debug && before[2] != after[2];
  ModuleMatcher(made.before, made.after, made.pairing).run();
  const ModuleComparison comparison(made.before, made.after, made.pairing);
  made.changes = comparison.changes();
  if (!made.changes.empty() && are_canonically_equal(made.before.module(), made.after.module(), grammar)) {
    made.changes.clear();
  }
  if (!made.changes.empty()) made.lines = comparison.lines();
  return diff;
}

ModuleDiff::ModuleDiff(Made* made) : made_(made) {}
ModuleDiff::ModuleDiff(ModuleDiff&&) noexcept = default;
ModuleDiff& ModuleDiff::operator=(ModuleDiff&&) noexcept = default;
ModuleDiff::~ModuleDiff() = default;

bool ModuleDiff::is_equal() const { return made_->changes.empty() && !version_differs() && !generator_differs(); }
std::span<const ModuleChange> ModuleDiff::changes() const { return made_->changes; }
bool ModuleDiff::version_differs() const { return made_->version_differs; }
bool ModuleDiff::generator_differs() const { return made_->generator_differs; }
Words ModuleDiff::before() const { return made_->before_words; }
Words ModuleDiff::after() const { return made_->after_words; }

std::vector<IdPair> ModuleDiff::id_pairs() const {
  std::vector<IdPair> pairs;
  for (Word id = 1; id <= made_->before.id_count(); ++id) {
    const Word partner = made_->pairing.before.ids[id];
    if (partner != 0) pairs.push_back({made_->before.original_id(id), made_->after.original_id(partner)});
  }
  std::ranges::sort(pairs, {}, &IdPair::before);
  return pairs;
}

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// ModuleDiff::compare, and the queries of its result (vireo/spirv/inspect/diff.h).
#include "vireo/spirv/inspect/diff.h"

#include <algorithm>
#include <utility>

#include "spirv/inspect/diff/module_diff_data.h"
#include "spirv/inspect/diff/module_matcher.h"
#include "vireo/spirv/binary/reader.h"
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
  for (const Words words : {before, after}) {
    if (const Result<Header> header = read_header(words, diagnostics); !header) return header.failure();
  }
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

  ModuleDiff diff(new Data(std::move(*first), std::move(*second)));
  Data& data = *diff.data_;
  data.whole_before = whole_before;
  data.whole_after = whole_after;
  data.stripped_before = std::move(stripped_before);
  data.stripped_after = std::move(stripped_after);
  data.before_words = before;  // a moved vector keeps its elements in place
  data.after_words = after;
  data.grammar = options.grammar;
  data.version_differs = before[1] != after[1];
  data.schema_differs = before[4] != after[4];
  data.generator_differs = !options.ignore_debug && before[2] != after[2];
  ModuleMatcher(data.before, data.after, data.pairing).run();
  const ModuleComparison comparison(data.before, data.after, data.pairing);
  data.lines = comparison.lines();
  data.changes = ModuleComparison::changes(data.lines);
  if (!data.changes.empty() && are_canonically_equal(data.before.module(), data.after.module(), grammar)) {
    data.changes.clear();
  }
  if (data.changes.empty()) data.lines.clear();
  return diff;
}

ModuleDiff::ModuleDiff(Data* data) : data_(data) {}
ModuleDiff::ModuleDiff(ModuleDiff&&) noexcept = default;
ModuleDiff& ModuleDiff::operator=(ModuleDiff&&) noexcept = default;
ModuleDiff::~ModuleDiff() = default;

bool ModuleDiff::is_equal() const {
  return data_->changes.empty() && !version_differs() && !schema_differs() && !generator_differs();
}
std::span<const ModuleChange> ModuleDiff::changes() const { return data_->changes; }
bool ModuleDiff::version_differs() const { return data_->version_differs; }
bool ModuleDiff::schema_differs() const { return data_->schema_differs; }
bool ModuleDiff::generator_differs() const { return data_->generator_differs; }
Words ModuleDiff::before() const { return data_->before_words; }
Words ModuleDiff::after() const { return data_->after_words; }

std::vector<IdPair> ModuleDiff::id_pairs() const {
  std::vector<IdPair> pairs;
  for (Word id = 1; id <= data_->before.id_count(); ++id) {
    const Word partner = data_->pairing.before.ids[id];
    if (partner != 0) pairs.push_back({data_->before.original_id(id), data_->after.original_id(partner)});
  }
  std::ranges::sort(pairs, {}, &IdPair::before);
  return pairs;
}

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// The C interface of transforms (vireo/vireo_transform.h).
#include <algorithm>
#include <span>
#include <vector>

#include "c/handles.h"
#include "vireo/spirv/transform/clean.h"
#include "vireo/spirv/transform/link.h"
#include "vireo/spirv/transform/strip.h"
#include "vireo/spirv/transform/trim.h"
#include "vireo/vireo_transform.h"

using namespace vireo;
using namespace vireo::c;

namespace {

// Applies a transform and copies its result to the caller's buffer.
template <typename Apply>
vireo_status apply_into(spirv::Words words, std::uint32_t* out, std::size_t capacity, std::size_t* out_count,
                        vireo_diagnostics* diagnostics, const Apply& apply) {
  if (!is_span(words.data(), words.size()) || !is_span(out, capacity) || out_count == nullptr) {
    return VIREO_BAD_ARGUMENT;
  }
  return guarded([&] {
    Diagnostics found;
    const Result<spirv::WordBuffer> result = apply(words, found);
    add(diagnostics, found);
    if (!result) return VIREO_REPORTED;
    *out_count = result->size();
    if (out == nullptr) return VIREO_OK;
    if (result->size() > capacity) return VIREO_BAD_ARGUMENT;
    std::ranges::copy(*result, out);
    return VIREO_OK;
  });
}

}  // namespace

vireo_status vireo_strip(const std::uint32_t* words, std::size_t count, std::uint32_t parts,
                         const vireo_grammar* grammar, std::uint32_t* out, std::size_t capacity, std::size_t* out_count,
                         vireo_diagnostics* diagnostics) {
  if (!is_span(words, count) || (parts & ~std::uint32_t{VIREO_STRIP_ALL}) != 0) return VIREO_BAD_ARGUMENT;
  const spirv::StripOptions options{.debug = (parts & VIREO_STRIP_DEBUG) != 0,
                                    .names = (parts & VIREO_STRIP_NAMES) != 0,
                                    .nonsemantic = (parts & VIREO_STRIP_NONSEMANTIC) != 0,
                                    .reflection = (parts & VIREO_STRIP_REFLECTION) != 0};
  return apply_into({words, count}, out, capacity, out_count, diagnostics,
                    [&](spirv::Words module, Diagnostics& found) {
                      return spirv::strip(module, options, found, nullptr, grammar_of(grammar));
                    });
}

vireo_status vireo_trim(const std::uint32_t* words, std::size_t count, std::uint32_t parts,
                        const vireo_grammar* grammar, std::uint32_t* out, std::size_t capacity, std::size_t* out_count,
                        vireo_diagnostics* diagnostics) {
  constexpr std::uint32_t all = VIREO_TRIM_CAPABILITIES | VIREO_TRIM_EXTENSIONS | VIREO_TRIM_INTERFACES;
  if (!is_span(words, count) || (parts & ~all) != 0) return VIREO_BAD_ARGUMENT;
  const spirv::TrimOptions options{.capabilities = (parts & VIREO_TRIM_CAPABILITIES) != 0,
                                   .extensions = (parts & VIREO_TRIM_EXTENSIONS) != 0,
                                   .interfaces = (parts & VIREO_TRIM_INTERFACES) != 0};
  return apply_into({words, count}, out, capacity, out_count, diagnostics,
                    [&](spirv::Words module, Diagnostics& found) {
                      return spirv::trim(module, options, found, nullptr, grammar_of(grammar));
                    });
}

vireo_status vireo_clean(const std::uint32_t* words, std::size_t count, std::uint32_t parts,
                         const vireo_grammar* grammar, std::uint32_t* out, std::size_t capacity, std::size_t* out_count,
                         vireo_diagnostics* diagnostics) {
  constexpr std::uint32_t all = VIREO_CLEAN_DEFAULT | VIREO_CLEAN_MEMBERS | VIREO_CLEAN_CANONICAL_IDS |
                                VIREO_CLEAN_DROP_BINDINGS | VIREO_CLEAN_DROP_SPECS;
  if (!is_span(words, count) || (parts & ~all) != 0) return VIREO_BAD_ARGUMENT;
  const auto has = [&](std::uint32_t part) { return (parts & part) != 0; };
  const spirv::CleanOptions options{.functions = has(VIREO_CLEAN_FUNCTIONS),
                                    .branches = has(VIREO_CLEAN_BLOCKS),
                                    .blocks = has(VIREO_CLEAN_BLOCKS),
                                    .code = has(VIREO_CLEAN_CODE),
                                    .variables = has(VIREO_CLEAN_VARIABLES),
                                    .types = has(VIREO_CLEAN_TYPES),
                                    .constants = has(VIREO_CLEAN_CONSTANTS),
                                    .duplicate_types = has(VIREO_CLEAN_TYPES),
                                    .duplicate_constants = has(VIREO_CLEAN_CONSTANTS),
                                    .members = has(VIREO_CLEAN_MEMBERS),
                                    .compact_ids = has(VIREO_CLEAN_COMPACT_IDS),
                                    .canonical_ids = has(VIREO_CLEAN_CANONICAL_IDS),
                                    .drop_bindings = has(VIREO_CLEAN_DROP_BINDINGS),
                                    .drop_specs = has(VIREO_CLEAN_DROP_SPECS)};
  return apply_into({words, count}, out, capacity, out_count, diagnostics,
                    [&](spirv::Words module, Diagnostics& found) {
                      return spirv::clean(module, options, found, nullptr, grammar_of(grammar));
                    });
}

vireo_status vireo_link(const vireo_link_input* inputs, std::size_t input_count, std::uint32_t flags,
                        const vireo_grammar* grammar, std::uint32_t* out, std::size_t capacity, std::size_t* out_count,
                        vireo_diagnostics* diagnostics) {
  constexpr std::uint32_t all = VIREO_LINK_LIBRARY | VIREO_LINK_PARTIAL | VIREO_LINK_ONLY_NEEDED |
                                VIREO_LINK_USE_HIGHEST_VERSION | VIREO_LINK_ALLOW_POINTER_MISMATCH;
  if (!is_span(inputs, input_count) || (flags & ~all) != 0) return VIREO_BAD_ARGUMENT;
  for (const vireo_link_input& input : std::span(inputs, input_count)) {
    if (!is_span(input.words, input.count) || !is_span(input.name.data, input.name.size)) return VIREO_BAD_ARGUMENT;
  }
  const auto has = [&](std::uint32_t flag) { return (flags & flag) != 0; };
  const spirv::LinkOptions options{.library = has(VIREO_LINK_LIBRARY),
                                   .partial = has(VIREO_LINK_PARTIAL),
                                   .only_needed = has(VIREO_LINK_ONLY_NEEDED),
                                   .use_highest_version = has(VIREO_LINK_USE_HIGHEST_VERSION),
                                   .allow_pointer_mismatch = has(VIREO_LINK_ALLOW_POINTER_MISMATCH)};
  return apply_into({}, out, capacity, out_count, diagnostics, [&](spirv::Words, Diagnostics& found) {
    std::vector<spirv::LinkInput> modules;
    modules.reserve(input_count);
    for (const vireo_link_input& input : std::span(inputs, input_count)) {
      modules.push_back({{input.words, input.count}, from_c(input.name)});
    }
    return spirv::link(modules, options, found, grammar_of(grammar));
  });
}

vireo_status vireo_link_place_input(const vireo_diagnostics* diagnostics, std::size_t index, std::size_t note,
                                    std::uint32_t* out) {
  if (out == nullptr || index >= vireo_diagnostics_count(diagnostics)) return VIREO_BAD_ARGUMENT;
  const Diagnostic& diagnostic = diagnostics->rows[index].diagnostic;
  if (note > diagnostic.notes.size()) return VIREO_BAD_ARGUMENT;
  *out = note == 0 ? diagnostic.where.input : diagnostic.notes[note - 1].where.input;
  return VIREO_OK;
}

// SPDX-License-Identifier: Apache-2.0
//
// The C interface of transforms (vireo/vireo_transform.h).
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

/// The caller's buffer, and where to report.
struct Output {
  std::uint32_t* words;
  std::size_t capacity;
  std::size_t* count;
  vireo_diagnostics* diagnostics;
};

// Applies a transform and copies its result to the caller's buffer.
template <typename Apply>
vireo_status apply_into(const Output& out, const Apply& apply) {
  if (!is_span(out.words, out.capacity) || out.count == nullptr) return VIREO_BAD_ARGUMENT;
  return guarded([&] {
    Diagnostics found;
    const Result<spirv::WordBuffer> result = apply(found);
    add(out.diagnostics, found);
    return result ? copy_out(*result, out.words, out.capacity, *out.count) : VIREO_REPORTED;
  });
}

// Applies a transform with the parts of a set. The table of the library gives the meaning of each flag.
template <auto transform, const auto& parts>
vireo_status apply_parts(spirv::Words words, std::uint32_t flags, const vireo_grammar* grammar, const Output& out) {
  const auto options = spirv::select_parts(parts, flags);
  if (!is_span(words.data(), words.size()) || !options) return VIREO_BAD_ARGUMENT;
  return apply_into(
      out, [&](Diagnostics& found) { return transform(words, *options, found, nullptr, grammar_of(grammar)); });
}

}  // namespace

vireo_status vireo_strip(const std::uint32_t* words, std::size_t count, std::uint32_t parts,
                         const vireo_grammar* grammar, std::uint32_t* out, std::size_t capacity, std::size_t* out_count,
                         vireo_diagnostics* diagnostics) {
  return apply_parts<spirv::strip, spirv::strip_parts>({words, count}, parts, grammar,
                                                       {out, capacity, out_count, diagnostics});
}

vireo_status vireo_trim(const std::uint32_t* words, std::size_t count, std::uint32_t parts,
                        const vireo_grammar* grammar, std::uint32_t* out, std::size_t capacity, std::size_t* out_count,
                        vireo_diagnostics* diagnostics) {
  return apply_parts<spirv::trim, spirv::trim_parts>({words, count}, parts, grammar,
                                                     {out, capacity, out_count, diagnostics});
}

vireo_status vireo_clean(const std::uint32_t* words, std::size_t count, std::uint32_t parts,
                         const vireo_grammar* grammar, std::uint32_t* out, std::size_t capacity, std::size_t* out_count,
                         vireo_diagnostics* diagnostics) {
  return apply_parts<spirv::clean, spirv::clean_parts>({words, count}, parts, grammar,
                                                       {out, capacity, out_count, diagnostics});
}

vireo_status vireo_link(const vireo_link_input* inputs, std::size_t input_count, std::uint32_t flags,
                        const vireo_grammar* grammar, std::uint32_t* out, std::size_t capacity, std::size_t* out_count,
                        vireo_diagnostics* diagnostics) {
  const auto options = spirv::select_parts(spirv::link_options, flags);
  if (!is_span(inputs, input_count) || !options) return VIREO_BAD_ARGUMENT;
  for (const vireo_link_input& input : std::span(inputs, input_count)) {
    if (!is_span(input.words, input.count) || !is_span(input.name.data, input.name.size)) return VIREO_BAD_ARGUMENT;
  }
  return apply_into({out, capacity, out_count, diagnostics}, [&](Diagnostics& found) {
    std::vector<spirv::LinkInput> modules;
    modules.reserve(input_count);
    for (const vireo_link_input& input : std::span(inputs, input_count)) {
      modules.push_back({{input.words, input.count}, from_c(input.name)});
    }
    return spirv::link(modules, *options, found, grammar_of(grammar));
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

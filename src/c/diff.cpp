// SPDX-License-Identifier: Apache-2.0
//
// The C interface of comparison (vireo/vireo_inspect.h).
#include "vireo/spirv/inspect/diff.h"

#include "c/handles.h"
#include "vireo/vireo_inspect.h"

using namespace vireo;
using namespace vireo::c;

namespace {

constexpr std::uint32_t all_diff_flags = VIREO_DIFF_IGNORE_DEBUG | VIREO_DIFF_IGNORE_SET_BINDING |
                                         VIREO_DIFF_IGNORE_LOCATION | VIREO_DIFF_JSON | VIREO_DIFF_COLOR;

bool are_diff_options(const vireo_diff_options& options) {
  return (options.flags & ~all_diff_flags) == 0 && is_span(options.before_name.data, options.before_name.size) &&
         is_span(options.after_name.data, options.after_name.size);
}

}  // namespace

vireo_status vireo_diff(const std::uint32_t* before, std::size_t before_count, const std::uint32_t* after,
                        std::size_t after_count, const vireo_diff_options* options, const vireo_grammar* grammar,
                        int* is_equal, vireo_write write, void* user, vireo_diagnostics* diagnostics) {
  if (is_equal == nullptr) return VIREO_BAD_ARGUMENT;
  *is_equal = 0;
  if (!is_span(before, before_count) || !is_span(after, after_count)) return VIREO_BAD_ARGUMENT;
  vireo_diff_options chosen = {};
  chosen.context = spirv::DiffTextOptions{}.context;
  if (options != nullptr) chosen = *options;
  if (!are_diff_options(chosen)) return VIREO_BAD_ARGUMENT;
  return guarded([&] {
    spirv::DiffOptions compared;
    compared.grammar = &grammar_of(grammar);
    compared.ignore_debug = (chosen.flags & VIREO_DIFF_IGNORE_DEBUG) != 0;
    compared.ignore_set_binding = (chosen.flags & VIREO_DIFF_IGNORE_SET_BINDING) != 0;
    compared.ignore_location = (chosen.flags & VIREO_DIFF_IGNORE_LOCATION) != 0;
    Diagnostics found;
    const Result<spirv::ModuleDiff> diff =
        spirv::ModuleDiff::compare({before, before_count}, {after, after_count}, compared, found);
    add(diagnostics, found);
    if (!diff) return VIREO_REPORTED;
    *is_equal = diff->is_equal() ? 1 : 0;
    if (write == nullptr) return VIREO_OK;
    spirv::DiffTextOptions text;
    if (chosen.before_name.size != 0) text.before_name = from_c(chosen.before_name);
    if (chosen.after_name.size != 0) text.after_name = from_c(chosen.after_name);
    text.context = chosen.context;
    text.color = (chosen.flags & VIREO_DIFF_COLOR) != 0;
    CallbackSink sink(write, user);
    const auto print = (chosen.flags & VIREO_DIFF_JSON) != 0 ? spirv::write_diff_json : spirv::write_diff_text;
    print(*diff, text, sink);
    return sink.has_stopped() ? VIREO_STOPPED : VIREO_OK;
  });
}

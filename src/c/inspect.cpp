// SPDX-License-Identifier: Apache-2.0
//
// The C interface of pictures (vireo/vireo_inspect.h).
#include <algorithm>
#include <span>

#include "c/handles.h"
#include "vireo/spirv/inspect/dot.h"
#include "vireo/vireo_inspect.h"

using namespace vireo;
using namespace vireo::c;

namespace {

using DotWriter = bool (*)(spirv::Words, const spirv::DotOptions&, TextSink&, Diagnostics&);

bool are_options(const vireo_dot_options& options) {
  if (!is_span(options.functions, options.function_count)) return false;
  if ((options.flags & ~std::uint32_t{VIREO_DOT_INSTRUCTIONS}) != 0) return false;
  return std::ranges::all_of(std::span(options.functions, options.function_count),
                             [](const vireo_string& name) { return is_span(name.data, name.size); });
}

vireo_status draw(DotWriter writer, spirv::Words words, const vireo_dot_options* options, const vireo_grammar* grammar,
                  vireo_write write, void* user, vireo_diagnostics* diagnostics) {
  if (!is_span(words.data(), words.size()) || write == nullptr) return VIREO_BAD_ARGUMENT;
  if (options != nullptr && !are_options(*options)) return VIREO_BAD_ARGUMENT;
  return write_to(write, user, diagnostics, [&](TextSink& sink, Diagnostics& found) {
    spirv::DotOptions chosen;
    chosen.grammar = &grammar_of(grammar);
    if (options != nullptr) {
      for (std::size_t i = 0; i < options->function_count; ++i) {
        chosen.functions.emplace_back(from_c(options->functions[i]));
      }
      chosen.instructions = (options->flags & VIREO_DOT_INSTRUCTIONS) != 0;
      chosen.limits = {options->max_depth, options->max_nodes, options->max_instructions};
    }
    writer(words, chosen, sink, found);
  });
}

}  // namespace

vireo_status vireo_write_control_flow_graph(const std::uint32_t* words, std::size_t count,
                                            const vireo_dot_options* options, const vireo_grammar* grammar,
                                            vireo_write write, void* user, vireo_diagnostics* diagnostics) {
  return draw(spirv::write_control_flow_graph, {words, count}, options, grammar, write, user, diagnostics);
}

vireo_status vireo_write_call_graph(const std::uint32_t* words, std::size_t count, const vireo_dot_options* options,
                                    const vireo_grammar* grammar, vireo_write write, void* user,
                                    vireo_diagnostics* diagnostics) {
  return draw(spirv::write_call_graph, {words, count}, options, grammar, write, user, diagnostics);
}

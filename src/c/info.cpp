// SPDX-License-Identifier: Apache-2.0
//
// The C interface of module properties (vireo/vireo_inspect.h).
#include "c/handles.h"
#include "vireo/spirv/inspect/condition.h"
#include "vireo/spirv/inspect/module_info.h"
#include "vireo/vireo_inspect.h"

using namespace vireo;
using namespace vireo::c;

vireo_status vireo_info_json(const std::uint32_t* words, std::size_t count, const vireo_grammar* grammar,
                             vireo_write write, void* user, vireo_diagnostics* diagnostics) {
  if (!is_span(words, count) || write == nullptr) return VIREO_BAD_ARGUMENT;
  return write_to(write, user, diagnostics, [&](TextSink& sink, Diagnostics& found) {
    const Result<spirv::ModuleInfo> info = spirv::read_module_info({words, count}, found, grammar_of(grammar));
    if (info) spirv::write_info_json(*info, sink);
  });
}

vireo_status vireo_info_matches(const std::uint32_t* words, std::size_t count, const vireo_grammar* grammar,
                                vireo_string condition, int* out, vireo_diagnostics* diagnostics) {
  if (out == nullptr) return VIREO_BAD_ARGUMENT;
  *out = 0;
  if (!is_span(words, count) || !is_span(condition.data, condition.size)) return VIREO_BAD_ARGUMENT;
  return guarded([&] {
    Diagnostics found;
    const Result<spirv::Condition> parsed = spirv::parse_condition(from_c(condition), found, grammar_of(grammar));
    if (parsed) {
      Diagnostics faults;
      const Result<spirv::ModuleInfo> info = spirv::read_module_info({words, count}, faults, grammar_of(grammar));
      if (info) *out = parsed->matches(*info) ? 1 : 0;
      else found = std::move(faults);
    }
    add(diagnostics, found);
    return status_of(found);
  });
}

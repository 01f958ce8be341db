// SPDX-License-Identifier: Apache-2.0
//
// vireo isa doc: writes a description as an HTML page.
//
// One file, complete or absent. It is built in memory, because a truncated page looks like a complete
// one.
#include <optional>
#include <string>
#include <string_view>

#include "cli/common/inputs.h"
#include "cli/isa/isa_inputs.h"
#include "vireo/isa/doc.h"

namespace vireo::cli {
namespace {

constexpr auto isa_doc_options = option_list(gen_option, mesa_compat_option, isa_output_options);

int run_isa_doc(const Invocation& invocation) {
  const ParsedOptions& options = invocation.options;
  if (invocation.operands().size() != 1) return usage_error(invocation, "expected a description");
  Reporter reporter(invocation);
  int status = exit_status::fine;
  const std::string_view spec = invocation.operands()[0];
  const std::optional<isa::Model> model = load_spec(invocation, spec, reporter, status);
  if (!model) return status;

  // Without --gen the page covers all generations and marks each item with its generations.
  isa::DocOptions style;
  style.title = stem_of(spec);
  if (options.has(gen_option)) style.gen = generation_of(options);
  Diagnostics diagnostics(reporter.limit());
  StringSink page;
  isa::write_doc(*model, style, page);
  status = write_output(invocation, page.text(), diagnostics);
  reporter.add({spec, {}}, diagnostics);
  return status;
}

}  // namespace

constinit const Command isa_doc_command(
    "isa doc", "SPEC", "write a reference page of an instruction set",
    "Writes one HTML document with an index, a section for each instruction with a picture of its bits, the operands, "
    "the common base bitsets, and the enums. It needs neither a server nor the network. --gen omits everything that "
    "does not exist in that generation.",
    "vireo isa doc ir3.xml -o ir3.html\n"
    "vireo isa doc afuc.xml --gen 7 -o a7xx.html",
    "xml", isa_doc_options, run_isa_doc);

}  // namespace vireo::cli

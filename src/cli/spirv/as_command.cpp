// SPDX-License-Identifier: Apache-2.0
//
// vireo as: assembles texts.
#include <algorithm>
#include <string>

#include "cli/common/all_commands.h"
#include "cli/common/batch.h"
#include "cli/common/shared_options.h"
#include "cli/module/module_options.h"
#include "spirv/rules.h"
#include "vireo/spirv/binary/reader.h"
#include "vireo/spirv/binary/writer.h"
#include "vireo/spirv/text/assemble.h"

namespace vireo::cli {
namespace {

constexpr Flag exact_option("--exact", "take the header from the text's comments",
                            "Uses version, generator, bound and schema as 'vireo dis' writes them. With "
                            "--preserve-numeric-ids the text of 'vireo dis --raw-id' then gives the identical words.");
constexpr ChoiceOption byte_order_option("--byte-order=ORDER", "little|big", "byte order of the module (little)");

constexpr auto as_options =
    option_list(target_env_option, preserve_numeric_ids_option, exact_option, byte_order_option, output_option,
                out_dir_option, jobs_option, force_option, grammar_option, format_and_reporting_options);

int run_as(const Invocation& invocation) {
  const ParsedOptions& options = invocation.options;
  const ChosenEnvironment target = environment_of_target(options);
  if (!target.problem.empty()) return usage_error(invocation, target.problem);

  Reporter reporter(invocation);
  ChosenGrammar chosen;
  if (const int status = chosen.load(invocation, reporter); status != exit_status::fine) return status;

  spirv::AssembleOptions assembly;
  assembly.grammar = &chosen.grammar();
  assembly.version = target.version();
  assembly.preserve_numeric_ids = options.has(preserve_numeric_ids_option);
  assembly.exact = options.has(exact_option);

  // Files are little-endian by default, on every machine.
  const bool wants_little = options.value(byte_order_option, "little") == "little";
  const bool must_swap = wants_little != (spirv::host_order == spirv::ByteOrder::Little);

  const auto convert = [&](const BatchItem& item) {
    const SourceText& input = item.input;
    Diagnostics& diagnostics = item.diagnostics;
    // Otherwise a module passed by mistake would give thousands of errors about its bytes.
    if (spirv::looks_like_module(input.text)) {
      diagnostics.error(spirv::rule::binary_input, Location::none(), "found a binary module; expected assembly text",
                        "'vireo dis' prints a module as text");
      return false;
    }
    Result<spirv::WordBuffer> words = spirv::assemble(input, assembly, diagnostics);
    if (!words) return false;
    // In place, at the end: the assembler uses the byte order of the machine, and a swap is far cheaper than writing a
    // file.
    if (must_swap) std::transform(words->begin(), words->end(), words->begin(), spirv::swapped);
    return item.output.write(spirv::bytes_of(*words));
  };
  return run_batch(invocation, {{".spvasm"}, ".spv", true}, reporter, convert);
}

}  // namespace

constinit const Command as_command(
    "as", any_inputs, "assemble SPIR-V text into a binary module",
    "Reads SPIR-V assembly and writes the module. Without an input, or with '-', it reads standard input; the module "
    "goes to standard output unless -o or --out-dir is given. All errors of a text are reported in one run; a text "
    "with an error produces no output.\n\n"
    "A directory means every *.spvasm file below it; @LIST is a file with one input per line.",
    "vireo as shader.spvasm -o shader.spv\n"
    "vireo dis --raw-id a.spv | vireo as --exact --preserve-numeric-ids -o same.spv\n"
    "vireo as shaders/ --out-dir build/ -j 8",
    "spvasm", as_options, run_as);

}  // namespace vireo::cli

// SPDX-License-Identifier: Apache-2.0
//
// spirv-val: the validator with the command line of the reference program.
//
// Scripts rely on the flags, on the status (0 or 1), and on one fault per module on standard error. Its
// format is `error: line N: [VUID] text`, where N counts instructions and is 0 for the whole module. The VUID is absent
// if the rule has none. If there is an instruction, it follows, and an empty line. The messages are Vireo's own;
// `vireo val` prints all of them.
#include <array>
#include <cstddef>
#include <limits>
#include <string>

#include "cli/common/all_commands.h"
#include "cli/common/compatibility.h"
#include "cli/common/inputs.h"
#include "cli/val/val_options.h"
#include "vireo/spirv/binary/reader.h"
#include "vireo/spirv/text/disassemble.h"
#include "vireo/spirv/text/listing.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::cli {
namespace {

// spirv-val lacks some of the limits.
constexpr auto reference_limit_options = [] {
  std::array<const Option*, spirv::reference_limit_count> options{};
  for (std::size_t i = 0; i < options.size(); ++i) options[i] = &limit_options[i];
  return options;
}();
constexpr CountOption struct_depth_option("--max-struct_depth=N",
                                          "alias of --max-struct-depth, as in one release of the reference", "",
                                          {.variant_of = &named(limit_options, "max-struct-depth")});

constexpr auto spirv_val_options = option_list(val_target_env_option, feature_options, reference_limit_options,
                                               descriptor_options, struct_depth_option, reference_help_options);

// One line of the disassembly, indented as in the reference; empty if there is no such instruction.
std::string instruction_text(spirv::Words words, std::uint64_t instruction) {
  StringSink text;
  Diagnostics ignored;
  spirv::SourceMap map;
  spirv::DisassembleOptions style;
  style.handle_unknown = true;
  style.indent = false;
  spirv::disassemble(words, style, text, ignored, &map);
  const ByteRange range = map.range_of(instruction, 0);
  if (range.begin == range.end) return {};
  const std::string& whole = text.text();
  const std::size_t begin = range.begin == 0 ? 0 : whole.rfind('\n', static_cast<std::size_t>(range.begin) - 1) + 1;
  const std::size_t end = whole.find('\n', static_cast<std::size_t>(range.begin));
  return "  " + whole.substr(begin, end - begin) + '\n';
}

// Validates one module and returns whether it is valid. The message names the file if a directory was given.
bool validate_one(const Streams& streams, std::string_view path, bool names_file,
                  const spirv::ValidateOptions& options) {
  const CompatibilityInput input = read_input(streams, path);
  if (!input.problem.empty()) {
    complain(streams, input.problem);
    return false;
  }
  Diagnostics diagnostics;
  const Result<spirv::ModuleWords> module = spirv::read_module_words(input.bytes.text(), diagnostics);
  if (module) {
    // The message uses the names in the instruction that is printed below it.
    const spirv::Listing listing(module->words(), options.grammar);
    spirv::ValidateOptions named = options;
    named.name_of_id = [&](spirv::Word id) { return listing.name_of(id); };
    if (spirv::validate(module->words(), named, diagnostics)) return true;
  }
  diagnostics.sort_by_place();
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    if (diagnostic.severity != Severity::Error) continue;
    const std::string line = std::to_string(diagnostic.where.instruction);
    const std::string where = names_file ? std::string(path) + ':' + line : "line " + line;
    const bool has_instruction = module && diagnostic.where.instruction != 0;
    const std::string shown =
        has_instruction ? instruction_text(module->words(), diagnostic.where.instruction) : std::string();
    // Scripts filter by the VUID, which the reference also prints first.
    const std::string vuid = diagnostic.requirement.empty() ? "" : '[' + diagnostic.requirement + "] ";
    complain(streams, where + ": " + vuid + diagnostic.message + (shown.empty() ? "" : '\n' + shown));
    break;
  }
  return false;
}

// The reference's message for an invalid value.
std::string problem_of(const ParsedOptions& options, const std::string& problem) {
  const bool is_environment = problem.starts_with("unknown target environment");
  if (is_environment) return "Unrecognized target env: " + std::string(options.value(target_env_option));
  for (const Option* option : descriptor_options) {
    if (options.has(*option))
      return "Invalid argument to --" + std::string(option->name) + " (expected <size>:<align>)";
  }
  return problem;
}

int run_spirv_val(const Invocation& invocation) {
  const Streams& streams = invocation.streams;
  if (invocation.operands().size() > 1) return complain(streams, "More than one input file specified");
  ChosenValidation validation;
  const std::string problem = validation.read(invocation.options);
  if (!problem.empty()) return complain(streams, problem_of(invocation.options, problem));

  // The reference does not check the limits that it has no option for: front ends embed long sources as one string.
  spirv::ValidateOptions options = validation.options();
  for (const spirv::LimitRow& row : spirv::limits().subspan(spirv::reference_limit_count)) {
    options.limits.*row.limit = std::numeric_limits<spirv::Word>::max();
  }
  const std::string path = invocation.operands().empty() ? "-" : invocation.operands().front();
  if (!is_directory(path)) return validate_one(streams, path, false, options) ? 0 : usage_status;
  bool is_valid = true;
  for (const Input& input : expand_inputs(invocation.operands(), std::array<std::string_view, 1>{".spv"}, streams.in)) {
    if (input.problem.empty()) is_valid &= validate_one(streams, input.path, true, options);
  }
  return is_valid ? 0 : usage_status;
}

}  // namespace

constinit const Command spirv_val_command(
    "spirv-val", "[FILE|DIR]", "validate a SPIR-V binary module",
    "Reads FILE or, without FILE or with '-', standard input; for a directory, every *.spv file below it. Prints the "
    "first error of each module; 'vireo val' prints all of them.",
    "", "spv", spirv_val_options, run_spirv_val, {.imitation = Imitation::Validator});

}  // namespace vireo::cli

// SPDX-License-Identifier: Apache-2.0
//
// vireo dis: disassembles modules, or parts of them.
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/common/all_commands.h"
#include "cli/common/batch.h"
#include "cli/common/inputs.h"
#include "cli/common/shared_options.h"
#include "cli/module/module_options.h"
#include "spirv/rules.h"
#include "vireo/spirv/binary/reader.h"
#include "vireo/spirv/inspect/module_part.h"
#include "vireo/spirv/inspect/uniformity_marks.h"
#include "vireo/spirv/text/disassemble.h"

namespace vireo::cli {
namespace {

constexpr TextOption function_option(
    "--function=NAME", "print only this function and what it reaches; may be repeated",
    "NAME is an OpName, the name of an entry point, or an id (%12). The text has the called functions and what they "
    "use, with the names, offsets and locations of the whole module. Entry points are left out.");
constexpr TextOption entry_option("--entry=NAME", "print only this entry point and what it reaches; may be repeated",
                                  "Like --function, with the entry point, its interface and its execution modes. The "
                                  "text is a valid module if the whole module is.");
constexpr Flag keep_going_option("--keep-going", "write the output of a broken module up to its faults",
                                 "With -o or --out-dir the file then has everything that can be printed. The faults "
                                 "are reported, and the status is 1.");
constexpr Option dis_format_option = format_with(
    "text|json|human|short|sarif|github", "output format (text)",
    "json prints each module as one JSON document, and its diagnostics as JSON. human, short, sarif and github select "
    "the format of the diagnostics, as in other commands; --diagnostics-format takes precedence.");

constexpr auto dis_options =
    option_list(raw_id_option, show_ids_option, no_indent_option, no_header_option, nested_indent_option,
                reorder_blocks_option, offsets_option, comment_option, annotate_option, handle_unknown_opcodes_option,
                safe_strings_option, keep_going_option, dis_format_option, function_option, entry_option, output_option,
                out_dir_option, jobs_option, grammar_option, reporting_options);

// The functions and entry points to print, in the order of the command line; none: the whole module.
struct PartOptions {
  std::vector<std::pair<spirv::RootKind, std::string_view>> roots;

  [[nodiscard]] bool is_whole() const { return roots.empty(); }
};

PartOptions part_options(const ParsedOptions& options) {
  PartOptions part;
  for (const auto& [option, name] : options.in_order()) {
    if (option == &function_option) part.roots.emplace_back(spirv::RootKind::Function, name);
    if (option == &entry_option) part.roots.emplace_back(spirv::RootKind::EntryPoint, name);
  }
  return part;
}

bool print_part(spirv::Words words, const PartOptions& part, const spirv::DisassembleOptions& style, bool as_json,
                TextSink& sink, Diagnostics& diagnostics) {
  // Without this check, an unreadable header would be reported as an unknown name.
  if (!spirv::read_header(words, diagnostics)) return false;
  const spirv::Module module = spirv::Module::read(words, *style.grammar);
  std::vector<spirv::InstructionIndex> roots;
  bool has_all = true;
  for (const auto& [kind, name] : part.roots) {
    const auto found = spirv::find_roots(module, name, kind, diagnostics);
    if (found) roots.insert(roots.end(), found->begin(), found->end());
    has_all = has_all && found.ok();
  }
  return has_all && spirv::disassemble_part(module, roots, style, sink, diagnostics, as_json);
}

spirv::DisassembleOptions disassemble_options(const Invocation& invocation) {
  const ParsedOptions& options = invocation.options;
  spirv::DisassembleOptions style = style_of(options);
  // A file is coloured only on explicit request; environment variables apply to terminals.
  const bool is_file = options.value(output_option, "-") != "-" || options.has(out_dir_option);
  const bool is_requested = options.value(color_option) == "always" && !options.has(no_color_option);
  style.color = is_requested || (!is_file && wants_color(options, invocation.streams.out));
  return style;
}

int run_dis(const Invocation& invocation) {
  const PartOptions part = part_options(invocation.options);
  Reporter reporter(invocation);
  ChosenGrammar chosen;
  if (const int status = chosen.load(invocation, reporter); status != exit_status::fine) return status;

  spirv::DisassembleOptions style = disassemble_options(invocation);
  style.grammar = &chosen.grammar();
  const bool is_json = invocation.options.value(format_option) == "json";
  const bool keeps_going = invocation.options.has(keep_going_option);

  const auto convert = [&](const BatchItem& item) {
    const SourceText& input = item.input;
    Diagnostics& diagnostics = item.diagnostics;
    // The counterpart of the check in `as`: users confuse the two commands in both directions.
    if (looks_like_assembly(input.text)) {
      diagnostics.error(spirv::rule::text_input, Location::none(), "found text; expected a module",
                        "this looks like assembly text; 'vireo as' assembles it");
      return false;
    }
    const Result<spirv::ModuleWords> module = spirv::read_whole_words(input.text, diagnostics);
    // Without a header there are no words. A later fault leaves the output up to the fault.
    if (!module) return false;
    spirv::DisassembleOptions of_this = style;
    of_this.is_cut_short = diagnostics.has_errors();  // within a word
    item.is_kept = keeps_going;
    std::optional<spirv::UniformityMarks> marks;
    if (style.annotate && !is_json && part.is_whole()) {
      marks.emplace(module->words(), style.grammar);
      of_this.mark_of = [&](std::uint32_t offset) { return marks->at(offset); };
    }
    if (!part.is_whole()) {
      const bool is_found = print_part(module->words(), part, of_this, is_json, item.output, diagnostics);
      return is_found && !of_this.is_cut_short;
    }
    const bool is_printed = is_json ? spirv::disassemble_to_json(module->words(), of_this, item.output, diagnostics)
                                    : spirv::disassemble(module->words(), of_this, item.output, diagnostics);
    return is_printed && !of_this.is_cut_short;
  };
  return run_batch(invocation, {{".spv"}, is_json ? ".json" : ".spvasm", false}, reporter, convert);
}

}  // namespace

constinit const Command dis_command(
    "dis", any_inputs, "disassemble a SPIR-V binary module",
    "Reads modules in either byte order, or as hexadecimal text, and prints them as SPIR-V assembly. A broken module "
    "is printed up to the fault, which is then reported; with -o or --out-dir it produces no file, unless --keep-going "
    "is given.\n\n"
    "A directory means every *.spv file below it; @LIST is a file with one input per line.",
    "vireo dis shader.spv\n"
    "vireo dis --annotate --show-ids shader.spv | less -R\n"
    "vireo dis --entry main shader.spv\n"
    "vireo dis modules/ --out-dir text/ -j 8",
    "spv", dis_options, run_dis);

}  // namespace vireo::cli

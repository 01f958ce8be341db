// SPDX-License-Identifier: Apache-2.0
//
// The commands that draw modules: vireo cfg and vireo callgraph.
#include <unistd.h>

#include <cstdint>
#include <optional>
#include <string>

#include "cli/common/all_commands.h"
#include "cli/common/batch.h"
#include "cli/common/report.h"
#include "cli/common/shared_options.h"
#include "cli/inspect/graphviz.h"
#include "cli/module/module_options.h"
#include "cli/module/subject.h"
#include "vireo/spirv/inspect/dot.h"

namespace vireo::cli {
namespace {

constexpr TextOption function_option(
    "--function=NAME", "only this function; may be repeated (all)",
    "NAME is the name of a function, its id (%12, or %main as in the disassembly) or the name of an entry point.");
constexpr Option called_function_option = function_option.with(
    "only this function and those it calls; may be repeated",
    "NAME is the name of a function, its id (%12, or %main as in the disassembly) or the name of an entry point.");
constexpr Flag instructions_option("--instructions", "show the instructions of each block");
constexpr CountOption max_depth_option("--max-depth=N", "fold constructs nested deeper (svg: 50)", "0 means no limit.");
constexpr CountOption max_nodes_option("--max-nodes=N", "fold parts beyond N nodes (svg: 2000)",
                                       "Nodes are blocks or, in a call graph, functions. 0 means no limit.");
constexpr Option graph_format_option =
    format_with("dot|svg", "output format (dot)", "svg needs the program 'dot' of the package graphviz.");
constexpr Option graph_out_dir_option =
    out_dir_option.with("write DIR/<stem>.dot or DIR/<stem>.svg for each input",
                        "DIR is created if it is missing. Inputs with equal stems are treated as by 'vireo dis'.");

constexpr auto graph_options = option_list(max_nodes_option, graph_format_option, output_option, graph_out_dir_option,
                                           jobs_option, grammar_option, reporting_options);
constexpr auto cfg_options = option_list(function_option, instructions_option, max_depth_option, graph_options);
constexpr auto callgraph_options = option_list(called_function_option, graph_options);

using Writer = bool (*)(spirv::Words, const spirv::DotOptions&, TextSink&, Diagnostics&);

// The text of an instruction as its author wrote it, with single blanks.
std::string instruction_text(std::string_view input, ByteRange range) {
  std::string text;
  for (const char c : input.substr(range.begin, range.end - range.begin)) {
    const bool is_blank = c == ' ' || c == '\t' || c == '\r' || c == '\n';
    if (!is_blank) text.push_back(c);
    else if (!text.empty() && text.back() != ' ') text.push_back(' ');
  }
  return text;
}

// Draws one input. Labels and diagnostics of a text use its names and lines.
bool draw(const BatchItem& item, Writer write, spirv::DotOptions options, std::size_t limit, TextSink& dot) {
  const std::optional<Subject> subject = read_subject(item.input, {.grammar = options.grammar}, item.diagnostics);
  if (!subject) return false;
  Diagnostics found(limit);
  if (subject->is_text()) {
    const AssembledText& text = *subject->text;
    options.name_of_id = [&text](spirv::Word id) { return text.name_of(id); };
    options.text_of_instruction = [&item, &text](std::uint32_t instruction) {
      return instruction_text(item.input.text, text.map().range_of(std::uint64_t{instruction} + 1));
    };
  }
  const bool is_drawn = write(subject->words(), options, dot, found);
  report_in_input(found, *subject, item.diagnostics);
  return is_drawn;
}

int run_drawing(const Invocation& invocation, Writer write) {
  const ParsedOptions& given = invocation.options;
  Reporter reporter(invocation);
  ChosenGrammar chosen;
  if (const int status = chosen.load(invocation, reporter); status != exit_status::fine) return status;

  const bool is_svg = given.value(format_option, "dot") == "svg";
  const std::optional<std::string> program = is_svg ? find_graphviz() : std::nullopt;
  if (is_svg && !program) {
    Diagnostics missing;
    missing.error("graphviz", Location::none(), "--format=svg needs the program 'dot', which is not installed",
                  "install the package graphviz, or use --format=dot");
    reporter.add({"vireo", ""}, missing);
    return exit_status::no_file;
  }
  spirv::DotOptions options;
  options.grammar = &chosen.grammar();
  options.instructions = given.has(instructions_option);
  for (const std::string_view name : given.values(function_option)) options.functions.emplace_back(name);
  if (is_svg) options.limits = spirv::layout_limits;
  options.limits.depth = given.count_up_to_max(max_depth_option, options.limits.depth);
  options.limits.nodes = given.count_up_to_max(max_nodes_option, options.limits.nodes);

  const auto convert = [&](const BatchItem& item) {
    if (!is_svg) return draw(item, write, options, reporter.limit(), item.output);
    StringSink dot;
    const bool is_drawn = draw(item, write, options, reporter.limit(), dot);
    if (dot.text().empty()) return false;
    return lay_out_as_svg(*program, dot.text(), item.output, item.diagnostics) && is_drawn;
  };
  // A file contains one SVG document, so several never share a stream. On a terminal they would be text.
  const bool is_exclusive = is_svg && ::isatty(invocation.streams.out) == 0;
  return run_batch(invocation, {{".spv", ".spvasm"}, is_svg ? ".svg" : ".dot", is_exclusive}, reporter, convert);
}

int run_cfg(const Invocation& invocation) { return run_drawing(invocation, spirv::write_control_flow_graph); }
int run_callgraph(const Invocation& invocation) { return run_drawing(invocation, spirv::write_call_graph); }

}  // namespace

constinit const Command cfg_command(
    "cfg", any_inputs, "draw the control flow of functions",
    "Draws each function as a graph in the DOT language, or as SVG with the program 'dot' of the package graphviz. "
    "Blocks are nodes; the constructs of structured control flow are nested frames; edges have kinds: true, false, "
    "case, default, break, continue, back. Nodes show source lines if the module has them.\n\n"
    "By default SVG has at most 50 levels of frames, 2000 nodes and 100 instructions for each block. Beyond a limit "
    "inner constructs are folded into one node, and a note reports it.\n\n"
    "The input is a binary or assembly text. A branch to an id that is not a block is drawn and reported.",
    "vireo cfg --function main --format=svg shader.spv -o main.svg\n"
    "vireo cfg --function main --instructions shader.spv | dot -Tpng -o main.png",
    "spv|spvasm", cfg_options, run_cfg);

constinit const Command callgraph_command(
    "callgraph", any_inputs, "draw the calls between functions",
    "Draws the static call graph in the DOT language, or as SVG with the program 'dot' of the package graphviz. "
    "Functions are nodes with their types and sizes; entry points, exports and imports are marked. Edges show the "
    "number of calls. Recursive calls are red, calls by other instructions than OpFunctionCall are dashed.\n\n"
    "By default SVG has at most 2000 nodes. The input is a binary or assembly text.",
    "vireo callgraph --format=svg shader.spv -o calls.svg\n"
    "vireo callgraph --function main shader.spv",
    "spv|spvasm", callgraph_options, run_callgraph);

}  // namespace vireo::cli

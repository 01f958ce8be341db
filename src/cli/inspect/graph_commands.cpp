// SPDX-License-Identifier: Apache-2.0
//
// The commands that draw modules: vireo cfg and vireo callgraph.
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "cli/common/batch.h"
#include "cli/common/commands.h"
#include "cli/common/report.h"
#include "cli/inspect/graphviz.h"
#include "cli/spirv/assembled_text.h"
#include "cli/spirv/grammar_option.h"
#include "cli/val/val_subject.h"
#include "vireo/spirv/inspect/dot.h"
#include "vireo/spirv/listing.h"

namespace vireo::cli {
namespace {

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
  Subject subject;
  spirv::ValidateOptions reading;
  reading.grammar = options.grammar;
  if (!read_subject(item.input, reading, item.diagnostics, subject)) return false;
  Diagnostics found(limit);
  bool is_drawn = false;
  if (subject.is_text) {
    const AssembledText text(item.input, subject.assembly, subject.words());
    options.name_of_id = [&](spirv::Word id) { return text.name_of(id); };
    options.text_of_instruction = [&](std::uint32_t instruction) {
      return instruction_text(item.input.text, text.map().range_of(std::uint64_t{instruction} + 1));
    };
    is_drawn = write(subject.words(), options, dot, found);
    if (!found.all().empty()) found = spirv::point_into_text(found, subject.words(), text.map());
  } else {
    is_drawn = write(subject.words(), options, dot, found);
  }
  for (const Diagnostic& each : found.all()) item.diagnostics.report(each);
  return is_drawn;
}

int run_drawing(const Invocation& invocation, Writer write) {
  const ParsedOptions& given = invocation.options;
  Reporter reporter(invocation);
  ChosenGrammar chosen;
  if (const int status = chosen.load(invocation, reporter); status != exit_status::fine) return status;

  const bool is_svg = given.value(OptionId::Format, "dot") == "svg";
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
  options.instructions = given.has(OptionId::Instructions);
  for (const std::string_view name : given.values(OptionId::Function)) options.functions.emplace_back(name);
  if (is_svg) options.limits = spirv::layout_limits;
  const auto limit = [&](OptionId id, std::uint32_t& value) {
    value = static_cast<std::uint32_t>(std::min<std::size_t>(given.count(id, value), 0xFFFFFFFF));
  };
  limit(OptionId::MaxDepth, options.limits.depth);
  limit(OptionId::MaxNodes, options.limits.nodes);

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

}  // namespace

int run_cfg(const Invocation& invocation) { return run_drawing(invocation, spirv::write_control_flow_graph); }
int run_callgraph(const Invocation& invocation) { return run_drawing(invocation, spirv::write_call_graph); }

}  // namespace vireo::cli

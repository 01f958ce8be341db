// SPDX-License-Identifier: Apache-2.0
//
// Reads descriptions, words and names, and reports their faults (isa_inputs.h).
#include "cli/isa/isa_inputs.h"

#include <algorithm>

#include "isa/model/rules.h"
#include "support/utf8.h"

namespace vireo::cli {
namespace {

// Adds the files of --names. Returns false and sets `status` if one of them has a fault.
bool load_names(const Invocation& invocation, Reporter& reporter, isa::CustomNames& names, int& status) {
  for (const std::string_view path : invocation.options.values(names_option)) {
    const std::optional<FileBytes> bytes = read_input(invocation, path, reporter);
    if (!bytes) {
      status = exit_status::no_file;
      return false;
    }
    Diagnostics diagnostics(reporter.limit());
    const bool is_sound = names.add(text_of(*bytes), diagnostics);
    reporter.add({path, text_of(*bytes)}, diagnostics);
    if (is_sound) continue;
    // The unreadable line may be a name that the program needs, so the output could be wrong.
    status = exit_status::wrong_input;
    return false;
  }
  return true;
}

}  // namespace

// --- descriptions -------------------------------------------------------------------------------------------------------

isa::LoadedModel load_description(const Invocation& invocation, std::string_view path) {
  isa::LoadOptions options;
  options.mesa_compat = invocation.options.has(mesa_compat_option);
  if (path != standard_input) return isa::load_model(std::string(path), options);
  Diagnostics diagnostics;
  const std::string name(name_of_input(path));
  say_that_it_reads(invocation.streams);
  const Result<FileBytes> bytes =
      read_descriptor(invocation.streams.in, name, diagnostics, {isa::max_source_bytes + 1, false});
  if (bytes) return isa::load_model_text(name, std::string(bytes->text()), options);
  isa::LoadedModel failed;
  failed.files.push_back({name, {}, std::move(diagnostics)});
  return failed;
}

std::string_view second_input(const Invocation& invocation) {
  const std::span<const std::string> operands = invocation.operands();
  return operands.size() > 1 ? std::string_view(operands[1]) : standard_input;
}

std::string_view problem_of_two_inputs(const Invocation& invocation) {
  const std::size_t count = invocation.operands().size();
  if (count == 0 || count > 2) return "expected a description and an input";
  const bool are_both_standard =
      second_input(invocation) == standard_input && invocation.operands()[0] == standard_input;
  return are_both_standard ? "standard input is the description; expected a file as input" : "";
}

std::optional<isa::Model> load_spec(const Invocation& invocation, std::string_view path, Reporter& reporter,
                                    int& status) {
  isa::LoadedModel loaded = load_description(invocation, path);
  if (loaded.ok()) return std::move(loaded.model);
  // One list for each file, so that a fault of an imported file is shown with its own lines.
  status = exit_status::wrong_input;
  for (const isa::SourceFile& file : loaded.files) {
    Diagnostics errors(reporter.limit());
    for (const Diagnostic& diagnostic : file.diagnostics.all()) {
      if (diagnostic.severity == Severity::Error) errors.report(diagnostic);
      if (diagnostic.rule == rule::cannot_read) status = exit_status::no_file;
    }
    reporter.add({file.name, file.text}, errors);
  }
  return std::nullopt;
}

// A number beyond 32 bits is clamped to the highest generation: everything that exists in "and later" exists there.
std::uint32_t generation_of(const ParsedOptions& options) { return options.count_up_to_max(gen_option, 0); }

isa::FloatStyle float_style_of(const ParsedOptions& options) {
  return options.value(floats_option) == "roundtrip" ? isa::FloatStyle::RoundTrip : isa::FloatStyle::Fixed;
}

std::unique_ptr<OpenDescription> open_description(const Invocation& invocation, Reporter& reporter, int& status) {
  const ParsedOptions& options = invocation.options;
  const std::string_view path = invocation.operands()[0];
  std::optional<isa::Model> model = load_spec(invocation, path, reporter, status);
  if (!model) return nullptr;
  const isa::DecodeOptions choice{.gen = generation_of(options), .mesa_compat = options.has(mesa_compat_option)};
  auto open = std::make_unique<OpenDescription>(*std::move(model), choice);
  // The model is valid but cannot be decoded: with its params a generation may need more tables than the limit.
  if (!open->decoder.is_usable()) {
    Diagnostics diagnostics(reporter.limit());
    diagnostics.error(isa::rule::model_too_large, Location::none(),
                      "the instruction set exceeds the decoder's limits in generation " + std::to_string(choice.gen));
    reporter.add({path, {}}, diagnostics);
    status = exit_status::wrong_input;
    return nullptr;
  }
  if (!load_names(invocation, reporter, open->names, status)) return nullptr;
  return open;
}

int run_with_decoder(const Invocation& invocation, bool has_input, const std::function<void(DecoderRun&)>& write) {
  Reporter reporter(invocation);
  int status = exit_status::fine;
  const std::unique_ptr<OpenDescription> open = open_description(invocation, reporter, status);
  if (!open) return status;
  std::optional<FileBytes> input = FileBytes();
  std::string name = "vireo " + std::string(invocation.command.name), operands;
  if (has_input) {
    name = name_of_input(second_input(invocation));
    input = read_input(invocation, second_input(invocation), reporter);
    if (!input) return exit_status::no_file;
  } else {
    for (const std::string& operand : std::span(invocation.operands()).subspan(1)) operands += operand + '\n';
  }
  Diagnostics diagnostics(reporter.limit());
  CommandOutput output(invocation);
  DecoderRun run{*open, *input, output.sink(), diagnostics};
  write(run);
  status = output.finish(diagnostics);
  diagnostics.sort_by_place();
  reporter.add({name, has_input ? text_of(*input) : std::string_view(operands)}, diagnostics);
  return status;
}

// --- words --------------------------------------------------------------------------------------------------------------

std::string_view text_of(const FileBytes& bytes) { return bytes.text().substr(mark_size(bytes.text())); }

std::string_view next_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);  // CR LF line ends
  return line;
}

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// If instruction sizes differ, the number of digits gives the size: leading zeros count.
std::uint32_t bits_of_line(const isa::Model& model, std::string_view line) {
  if (model.instruction_roots().size() == 1 && !model.instruction_roots().front().has_pattern) return model.unit_bits();
  const std::size_t digits = line.size() - (line.starts_with("0x") ? 2 : 0);
  return static_cast<std::uint32_t>(std::min<std::size_t>(digits * 4, isa::max_bitset_size));
}

std::string bytes_of_hex(const isa::Model& model, std::string_view text, Diagnostics& diagnostics) {
  std::string bytes;
  const char* begin = text.data();
  while (!text.empty()) {
    const std::string_view line = without_blanks(next_line(text));
    if (line.empty()) continue;
    const std::uint32_t bits = bits_of_line(model, line);
    const std::optional<isa::Bits> word = isa::parse_hex(line, bits);
    if (!word) {
      const auto at = static_cast<std::uint64_t>(line.data() - begin);
      diagnostics.error(
          isa::rule::malformed_input, Location::in_text(at, at + line.size()),
          "expected a hexadecimal number of at most " + std::to_string(isa::hex_digits(bits)) + " digits");
      continue;
    }
    // Little-endian, as programs are stored in files.
    for (std::uint32_t i = 0; i < bits; i += 8)
      bytes.push_back(static_cast<char>(word->slice(i, std::min(i + 7, bits - 1))));
  }
  return bytes;
}

}  // namespace vireo::cli

// SPDX-License-Identifier: Apache-2.0
//
// vireo isa as: assembles a whole program or, with --each, every line by itself.
//
// A program with a fault produces no bytes, and all its faults are reported. With --each, every input
// line gives one output line: the word or the error.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "cli/isa/isa_inputs.h"

namespace vireo::cli {
namespace {

constexpr Flag report_ambiguity_option("--report-ambiguity", "report other words with the same text",
                                       "As warnings or, with --each, at the end of the line.");
constexpr TextOption prefix_option("--prefix=HEX", "bytes to write before the program",
                                   "Two digits per byte. They do not change the addresses in the program.");

constexpr auto isa_as_options =
    option_list(gen_option, hex_option, each_option, mesa_compat_option, names_option, report_ambiguity_option,
                prefix_option, output_option, force_option, format_and_reporting_options);

// The size of the firmware's dispatch table: opcodes have seven bits.
constexpr std::size_t packet_count = 128;

// `.jumptbl`: the firmware's table of packet handlers. Name rows of the kind pm4 name the packets; a packet without a
// row is called UNKN and its number. Without such rows the directive does not exist.
std::vector<isa::TargetTable> tables_of(const isa::CustomNames& names) {
  isa::TargetTable table{".jumptbl", std::vector<std::vector<std::string>>(packet_count), "UNKN0"};
  bool has_packets = false;
  for (const isa::CustomNames::Row& row : names.rows()) {
    if (row.kind != "pm4" || row.value >= packet_count) continue;
    table.entries[row.value].push_back(row.name);
    has_packets = true;
  }
  if (!has_packets) return {};
  for (std::size_t i = 0; i < packet_count; ++i) table.entries[i].push_back("UNKN" + std::to_string(i));
  return {table};
}

// One output line for every input line.
void assemble_each(isa::Assembler& assembler, std::string_view text, TextSink& sink) {
  isa::AssembledLine line;
  std::string out;
  while (!text.empty()) {
    if (assembler.assemble_line(next_line(text), line)) {
      isa::append_hex(out, line.word.words(), line.word.width());
      if (!line.others.empty()) out += " ; also";
      for (const isa::Bits& other : line.others) out += " " + isa::to_hex(other);
    } else {
      out += "error: " + std::to_string(line.fault.begin + 1) + ": " + line.fault.message;
      for (const std::string& note : line.fault.notes) out += "; " + note;
      if (!line.fault.hint.empty()) out += "; " + line.fault.hint;
    }
    out.push_back('\n');
    // Written in chunks, so that the reader of a pipe need not wait for the last line.
    if (out.size() < 1u << 16 && !text.empty()) continue;
    sink.write(out);
    out.clear();
  }
}

// The input format of `isa dis --hex`: one instruction per line, the most significant digit first.
void write_hex(const isa::AssembledProgram& program, TextSink& sink) {
  std::string out;
  for (const isa::AssembledInstruction& instruction : program.instructions) {
    isa::Bits word(instruction.bits);
    for (std::size_t i = 0; i < instruction.bits / 8; ++i) {
      const auto byte = static_cast<unsigned char>(program.bytes[instruction.offset + i]);
      word.data()[i / 8] |= isa::BitWord{byte} << i % 8 * 8;
    }
    out += isa::to_hex(word) + "\n";
  }
  sink.write(out);
}

// The bytes of --prefix; none if it is not hexadecimal text of whole bytes.
std::optional<std::string> prefix_of(std::string_view digits) {
  if (digits.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  for (; !digits.empty(); digits.remove_prefix(2)) {
    const std::optional<isa::Bits> byte = isa::parse_hex(digits.substr(0, 2), 8);
    if (!byte) return std::nullopt;
    bytes.push_back(static_cast<char>(byte->slice(0, 7)));
  }
  return bytes;
}

int run_isa_as(const Invocation& invocation) {
  const ParsedOptions& options = invocation.options;
  if (const std::string_view problem = problem_of_two_inputs(invocation); !problem.empty())
    return usage_error(invocation, problem);
  const std::optional<std::string> prefix = prefix_of(options.value(prefix_option));
  if (!prefix) return usage_error(invocation, "option '--prefix' needs bytes of two hexadecimal digits each");

  return run_with_decoder(invocation, true, [&](DecoderRun& run) {
    isa::CustomNames& names = run.open.names;
    isa::Assembler assembler(run.open.decoder, {.custom = &names,
                                                .listener = &names,
                                                .reports_ambiguity = options.has(report_ambiguity_option),
                                                .tables = tables_of(names)});
    const std::string_view text = text_of(run.input);
    if (options.has(each_option)) return assemble_each(assembler, text, run.output);
    const isa::AssembledProgram program = assembler.assemble(text, run.diagnostics);
    if (run.diagnostics.has_errors()) return;
    if (options.has(hex_option)) return write_hex(program, run.output);
    // The prefix (a header for loaders) belongs to a file of bytes; hexadecimal lines could not be read back with it.
    run.output.write(*prefix);
    run.output.write(program.bytes);
  });
}

}  // namespace

constinit const Command isa_as_command(
    "isa as", "SPEC [FILE]", "assemble text with an XML description of the instruction set",
    "SPEC describes an instruction set in the isaspec language. FILE contains instructions as 'vireo isa dis' prints "
    "them, labels, comments and directives; without FILE, or with '-', they are read from standard input. Each word is "
    "verified by decoding it to the same text. All errors are reported in one run; a text with an error produces no "
    "output.",
    "vireo isa as ir3.xml --gen 600 shader.asm -o shader.bin\n"
    "echo 'nop' | vireo isa as ir3.xml --gen 600 --each --hex -",
    "xml", isa_as_options, run_isa_as);

}  // namespace vireo::cli

// SPDX-License-Identifier: Apache-2.0
//
// The main part of the disassembler (vireo/spirv/text/disassemble.h): header, instructions, trailing comments, errors.
//
// A module is printed line by line, one decoded instruction at a time. The plain printer is as fast as
// possible. The rich printer adds the requested extras: comments in a column, sections, nesting, colours, tokens. The
// style matches spirv-dis byte for byte; docs/text.md describes it and lists the deliberate differences.
#include "vireo/spirv/text/disassemble.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "spirv/binary/decode_report.h"
#include "spirv/binary/operand_walk.h"
#include "spirv/generators.h"
#include "spirv/text/annotate/annotate.h"
#include "spirv/text/annotate/decorations_by_target.h"
#include "spirv/text/disassemble/excerpt.h"
#include "spirv/text/disassemble/held_function.h"
#include "spirv/text/disassemble/print_operand.h"
#include "vireo/spirv/binary/reader.h"
#include "vireo/spirv/binary/views/debug.h"
#include "vireo/spirv/binary/views/function.h"
#include "vireo/spirv/grammar/enums.h"

namespace vireo::spirv {
namespace {

constexpr std::size_t result_column = 12;           // names of results end here or further right
constexpr std::size_t opcode_column = 15;           // blanks before an opcode without a result
constexpr std::size_t comment_column = 50;          // trailing comments begin here or further right
constexpr std::size_t comment_column_cap = 256;     // a longer line does not move the next comments further
constexpr std::size_t annotation_column_cap = 100;  // smaller, because every other line has an annotation
constexpr std::size_t indent_of_level = 2;

// Text bytes per module byte, rounded up: real modules have 2.3 with raw ids, 2.8 with friendly names, more with
// comments. This is only a hint for the allocation of memory by the sink; the text may be longer.
constexpr std::uint64_t text_bytes_per_byte = 3;
constexpr std::uint64_t most_expected_text = std::uint64_t{1} << 30;  // bytes; sinks may allocate all of it at once

// Instructions of at most this many words are printed while they are decoded. In their longest line each word is a mask
// of 32 enumerants, with names of up to `short_name` bytes and as many separators. An id with the longest name and
// suffix is shorter.
constexpr std::size_t short_instruction = 12;  // words
constexpr std::size_t short_name = 127;
constexpr std::size_t short_line = short_instruction * 32 * (short_name + 1);  // bytes
constexpr std::size_t longest_id = IdNames::max_name_bytes + 16;
static_assert(longest_id < 32 * (short_name + 1) && short_line <= TextBuffer::most_room);

// Whether all names of the grammar have at most `short_name` bytes; names of a loaded document can have any length.
// Called once for each module with a loaded grammar. The longest name of the built-in one has 71 bytes.
bool has_short_names(const Grammar& grammar) {
  return std::ranges::all_of(grammar.name_entries,
                             [](const NameEntry& entry) { return entry.text.length <= short_name; });
}

constexpr std::uint16_t number(Op opcode) { return static_cast<std::uint16_t>(opcode); }

// One class for both printers. `if constexpr (is_rich)` marks code that only the rich printer contains.
template <class Out>
class ModulePrinter {
  static constexpr bool is_rich = std::is_same_v<Out, RichOut>;

 public:
  ModulePrinter(Words module, const Header& header, const Grammar& grammar, const DisassembleOptions& options,
                const IdNames& names, Out& out, Diagnostics& diagnostics)
      : module_(module),
        header_(header),
        grammar_(grammar),
        options_(options),
        names_(names),
        out_(out),
        to_(out.to),
        operands_(out, grammar, names, options.escape_strings),
        decoder_(grammar, header.bound, module.size()),
        diagnostics_(diagnostics),
        has_short_names_(&grammar == &builtin_grammar() || has_short_names(grammar)) {
    if constexpr (is_rich) {
      if (options.comments) decorations_ = decorations_by_target(module);
      if (options.annotate) annotator_.emplace(module, grammar, names);
    }
  }

  /// Prints the lines of these instructions (ordinals, ascending), and only the line end of each other line.
  void excerpt(std::span<const std::uint64_t> instructions) { excerpt_ = instructions; }

  // Instructions are printed as they are read, except in functions that are laid out. So memory does not grow with the
  // text.
  void run() {
    if (options_.header) print_header();
    const bool lays_out = is_rich && (options_.nested_indent || options_.reorder_blocks);
    const Instructions instructions(module_);
    std::uint64_t ordinal = 0;
    auto it = instructions.begin();
    for (; it != instructions.end() && to_.ok() && !stopped_; ++it) {
      ++ordinal;
      if constexpr (is_rich) {
        if (lays_out) {
          hold_or_print(*it, ordinal);
          continue;
        }
      }
      print_decoded(*it, ordinal, 0);
    }
    if constexpr (is_rich) {
      if (!held_.is_empty() && !stopped_) print_held_function();  // a module that ends without OpFunctionEnd
    }
    // A truncated module is printed up to the truncated instruction, since the rest cannot be parsed.
    if (!stopped_ && to_.ok()) report_walk_end(it.walk_end(), module_, it.offset(), ordinal + 1, diagnostics_);
    to_.finish();
  }

 private:
  // docs/text.md, "The header": the format that `vireo as --exact` reads back, byte for byte that of spirv-dis.
  void print_header() {
    to_.text("; SPIR-V\n; Version: ");
    const Version version = header_.version();
    to_.at = print_u32(to_.at, version.major);
    to_.byte('.');
    to_.at = print_u32(to_.at, version.minor);
    to_.text("\n; Generator: ");
    to_.long_text(generator_text(header_.generator));
    to_.text("\n; Bound: ");
    to_.at = print_u32(to_.at, header_.bound);
    to_.text("\n; Schema: ");
    to_.at = print_u32(to_.at, header_.schema);
    to_.byte('\n');
  }

  // Decodes and prints one instruction. If it has an error, reports it and prints as much as can be decoded.
  void print_decoded(InstructionView instruction, std::uint64_t ordinal, std::uint32_t indent) {
    if constexpr (!is_rich) {
      if (print_at_once(instruction)) return;
    }
    const DecodeFault fault = decoder_.decode(instruction);
    if constexpr (is_rich) {
      if (excerpt_ && leaves_out(ordinal, fault)) return to_.room(), to_.byte('\n');
    }
    // Under --handle-unknown-opcodes, an unknown opcode or value is no error; all other faults are still errors.
    if (fault == DecodeFault::None) [[likely]] { return print_instruction(instruction, ordinal, indent); }
    if (!(options_.handle_unknown && is_unknown(fault))) {
      report_decode_fault(fault, decoder_, grammar_, instruction, ordinal, diagnostics_);
      // As in spirv-dis, the text ends before the faulty line.
      if (options_.stop_at_first_error) {
        stopped_ = true;
        return;
      }
    }
    if (is_decodable(fault)) {
      print_instruction(instruction, ordinal, indent);
    } else {
      print_unknown(instruction, ordinal);
    }
  }

  // ---- Plain only: decoding and printing in one pass --------------------------------------------------------------

  // Prints each operand when it is decoded. If the instruction turns out to be faulty, print_at_once() removes the
  // text, so this visitor does not handle faults.
  struct PrintingVisitor {
    ModulePrinter& printer;
    InstructionView instruction;
    const OperandContext& context;

    void id(Word value, const Operand& operand) {
      if (operand.shape == OperandShape::IdResult) return;  // written before `=`
      char* at = printer.to_.at;
      *at = ' ';
      printer.to_.at = printer.operands_.id_at(at + 1, value);
    }
    void enumerant(const EnumerantRow& row, const Operand&) {
      char* at = printer.to_.at;
      *at = ' ';
      printer.to_.at = printer.operands_.name_at(at + 1, row.name);
    }
    void other(Word first, const Operand& operand) {
      char* at = printer.to_.at;
      *at = ' ';
      if (operand.shape == OperandShape::LiteralInteger) [[likely]] {
        printer.to_.at = print_u32(at + 1, first);
        return;
      }
      printer.to_.at = at + 1;
      printer.operands_.other(operand, first, instruction, context);
    }
  };

  // The fast path, for short instructions: operands are not recorded, and space for the whole line is reserved once.
  // Returns false if the instruction has any fault; then nothing is printed and the caller takes the slow path.
  bool print_at_once(InstructionView instruction) {
    const InstructionRow* row = grammar_.find_opcode(instruction.opcode);
    if (row == nullptr || !has_short_names_ || instruction.word_count > short_instruction) return false;
    const std::size_t result = row->result_word();
    if (instruction.word_count <= result || (result != 0 && instruction.first[result] == 0)) return false;
    to_.room_for(short_line);
    char* const line = to_.at;
    to_.at = begin_line(line, instruction, *row, result);
    OperandContext context;
    context.row = row;
    PrintingVisitor visitor{*this, instruction, context};
    OperandWalk<PrintingVisitor> walk(grammar_, decoder_.seen(), instruction, context, visitor);
    DecodeFault fault = walk.run();
    if (fault == DecodeFault::None && result != 0) fault = walk.define_result();
    if (fault != DecodeFault::None) [[unlikely]] {
      to_.at = line;
      return false;
    }
    to_.byte('\n');
    return true;
  }

  // Writes the result, right-aligned in its column, and the opcode.
  char* begin_line(char* at, InstructionView instruction, const InstructionRow& row, std::size_t result) const {
    if (result == 0) {
      std::memset(at, ' ', opcode_column);
      return operands_.name_at(options_.indent ? at + opcode_column : at, row.name);
    }
    const Word id = instruction.first[result];
    at = options_.indent ? operands_.id_in_column(at, id, result_column) : operands_.id_at(at, id);
    std::memcpy(at, " = ", 3);  // NOLINT(bugprone-not-null-terminated-result): text in a buffer, not a C string
    return operands_.name_at(at + 3, row.name);
  }

  // The slow path, from decoded operands: all instructions of the rich printer, long and faulty ones of the plain one.
  void print_instruction(InstructionView instruction, std::uint64_t ordinal, std::uint32_t indent) {
    const InstructionRow& row = *decoder_.row();
    to_.room();
    if constexpr (is_rich) {
      out_.at_instruction(ordinal);
      print_headings(instruction, row);
      // Columns count visible characters; colours take bytes but no width.
      line_begin_ = out_.visible_size();
    }
    if (const std::uint16_t result = row.result_word(); result != 0) {
      print_result(instruction, result);
    } else if (options_.indent) {
      to_.blanks(opcode_column);
    }
    if constexpr (is_rich) {
      if (options_.nested_indent) to_.blanks(indent * indent_of_level), to_.room();
    }
    out_.open(TokenStyle::Opcode, 0, 1);
    operands_.name(row.name);
    out_.close(TokenStyle::Opcode);
    for (const Operand& operand : decoder_.operands()) {
      // Assembly syntax: the result is before `=`.
      if (operand.shape == OperandShape::IdResult) continue;
      to_.room();
      to_.byte(' ');
      operands_.operand(operand, instruction, decoder_.context());
    }
    if constexpr (is_rich) print_trailing_comment(instruction, row);
    to_.byte('\n');
  }

  // Names are right-aligned, so the `=` of all lines are in one column.
  void print_result(InstructionView instruction, std::size_t word) {
    const Word id = instruction.word(word);
    out_.open(TokenStyle::ResultId, word, 1);
    if (!options_.indent) {
      operands_.id_text(id);
    } else {
      const IdNames::Place place = names_.find(id);
      if (place.length != 0) {
        // A longer name moves only its own line to the right, as in spirv-dis.
        if (place.length < result_column) to_.blanks(result_column - place.length);
        out_.skip_blanks();
        to_.padded(names_.pool() + place.offset, place.length);
      } else {
        char digits[TextBuffer::short_text];
        const auto length = static_cast<std::size_t>(print_u32(digits, id) - digits);
        to_.blanks(result_column - 1 - length);  // a number has ten digits at most
        out_.skip_blanks();
        to_.byte('%');
        to_.padded(digits, length);
      }
    }
    out_.close(TokenStyle::ResultId);
    to_.text(" = ");
  }

  // Prints an instruction that cannot be decoded as raw numbers, so that it can be reassembled. The numbers of its ids
  // remain correct only under --raw-id.
  void print_unknown(InstructionView instruction, std::uint64_t ordinal) {
    to_.room();
    if constexpr (is_rich) {
      out_.at_instruction(ordinal);
      if (decoder_.row() != nullptr) print_headings(instruction, *decoder_.row());
    }
    if (options_.indent) to_.blanks(opcode_column);
    out_.open(TokenStyle::Opcode, 0, instruction.word_count);
    to_.text("OpUnknown(");
    to_.at = print_u32(to_.at, number(instruction.opcode));
    to_.text(", ");
    to_.at = print_u32(to_.at, instruction.word_count);
    to_.byte(')');
    out_.close(TokenStyle::Opcode);
    for (const Word word : instruction.operands()) {
      to_.room();
      to_.byte(' ');
      to_.at = print_u32(to_.at, word);
    }
    // The assembler cannot find the ids among these numbers, so its bound may be too low.
    to_.text("  ; note: ID bound may be incorrect after reassembly\n");
    last_comment_column_ = 0;
  }

  // ---- Rich only: excerpts, sections, comments --------------------------------------------------------------------

  // An instruction with a string is always printed: its line feeds affect the line numbers of all following lines.
  bool leaves_out(std::uint64_t ordinal, DecodeFault fault) {
    while (!excerpt_->empty() && excerpt_->front() < ordinal) excerpt_ = excerpt_->subspan(1);
    if (!excerpt_->empty() && excerpt_->front() == ordinal) return false;
    return !is_decodable(fault) || std::ranges::none_of(decoder_.operands(), [](const Operand& operand) {
      return operand.shape == OperandShape::LiteralString;
    });
  }

  void heading(std::string_view text) {
    to_.byte('\n');
    if (options_.indent) to_.blanks(opcode_column);
    to_.text(text);
  }

  // Each section heading is printed once, before the first instruction of its kind. By the logical layout
  // (specification 2.4) this is the start of the section. Each function has its own heading.
  void print_headings(InstructionView instruction, const InstructionRow& row) {
    if (options_.nested_indent && instruction.opcode == Op::OpLabel) to_.byte('\n');
    if (!options_.comments) return;
    if (!debug_heading_ && is_debug_instruction(instruction.opcode)) {
      debug_heading_ = true;
      heading("; Debug Information\n");
    } else if (!annotation_heading_ && is_annotation_instruction(instruction.opcode)) {
      annotation_heading_ = true;
      heading("; Annotations\n");
    } else if (!type_heading_ && (row.flags & DeclaresType) != 0) {
      type_heading_ = true;
      heading("; Types, variables and constants\n");
    } else if (const auto function = as<Op::OpFunction>(instruction);
               function && function->result().word < instruction.word_count) {
      if (options_.nested_indent) to_.byte('\n');
      heading("; Function ");
      to_.long_text(names_.text_of(function->result()).substr(1));
      to_.byte('\n');
    }
  }

  // Begins the comment of a line at the comment column, or writes the separator before a further part.
  void begin_part(bool& any) {
    if (any) return to_.text(", ");
    any = true;
    // Comments of neighbouring lines are aligned: consecutive lines with comments share a column, which moves right in
    // steps of four. A very long line does not move the others.
    const std::uint64_t length = out_.visible_size() - line_begin_;
    std::uint64_t column = std::max<std::uint64_t>({length + 2, last_comment_column_, comment_column});
    column = (column + 3) / 4 * 4;
    last_comment_column_ = std::min<std::uint64_t>(column, annotator_ ? annotation_column_cap : comment_column_cap);
    to_.blanks(static_cast<std::size_t>(column - length));
    to_.text("; ");
  }

  // Prints everything after an instruction as one comment.
  void print_trailing_comment(InstructionView instruction, const InstructionRow& row) {
    to_.room();
    bool any = false;
    if (options_.offsets) {
      begin_part(any);
      out_.open(TokenStyle::Comment, 0, 0);
      const std::uint32_t offset =
          options_.whole == nullptr ? instruction.offset : options_.whole->at(instruction.offset).offset_in_whole;
      print_offset(std::uint64_t{offset} * sizeof(Word));
      out_.close(TokenStyle::Comment);
    }
    const std::size_t result = row.result_word();
    const auto name = as<Op::OpName>(instruction);
    const bool names_something = options_.comments && name && name->target().word < instruction.word_count;
    const bool has_hidden_id =
        options_.show_raw_ids && result != 0 && names_.find(instruction.word(result)).length != 0;
    if (names_something || has_hidden_id) {
      begin_part(any);
      to_.text("id %");
      to_.at = print_u32(to_.at, names_something ? name->target() : instruction.word(result));
    }
    // The parts are in this order: offset, number, decorations, annotation. The annotation is last because it may be
    // truncated.
    if (options_.comments && result != 0) print_decorations(instruction.word(result), instruction.offset, any);
    if (annotator_) {
      annotator_->annotate(instruction, decoder_, remark_);
      if (options_.mark_of) {
        const std::string_view mark = options_.mark_of(instruction.offset);
        if (!mark.empty()) remark_.append(remark_.empty() ? "" : "; ").append(mark);
      }
      if (!remark_.empty()) {
        begin_part(any);
        out_.open(TokenStyle::Comment, 0, 0);
        to_.long_text(remark_);
        out_.close(TokenStyle::Comment);
      }
    }
    if (!any) last_comment_column_ = 0;
  }

  void print_offset(std::uint64_t offset) {
    constexpr char digits[] = "0123456789abcdef";
    to_.text("0x");
    // An offset always has eight digits, so that offsets are aligned.
    for (int shift = 28; shift >= 0; shift -= 4) to_.byte(digits[offset >> shift & 15]);
  }

  // Prints the decorations of an id that precede its definition, as the logical layout requires.
  void print_decorations(Word id, std::uint32_t before, bool& any) {
    auto at = std::ranges::lower_bound(decorations_, id, {}, &Decorating::target);
    for (; at != decorations_.end() && at->target == id && at->offset < before; ++at) {
      const InstructionView instruction = InstructionView::at(module_.data() + at->offset, at->offset);
      // Use a separate decoder: the main one has state for the current position, and must decode each instruction
      // exactly once.
      if (!decorator_) decorator_.emplace(grammar_, 0, 0);
      if (decorator_->decode(instruction) != DecodeFault::None) continue;
      begin_part(any);
      bool first = true;
      for (const Operand& operand : decorator_->operands().subspan(1)) {
        to_.room();
        if (!first) to_.byte(' ');
        first = false;
        operands_.operand(operand, instruction, decorator_->context());
      }
      to_.room();
    }
  }

  // ---- Rich only: nesting and reordering --------------------------------------------------------------------------

  void hold_or_print(InstructionView instruction, std::uint64_t ordinal) {
    const bool begins = instruction.opcode == Op::OpFunction;
    // The previous function has no OpFunctionEnd; it is printed anyway.
    if (begins && !held_.is_empty()) print_held_function();
    // There are no blocks outside of functions.
    if (!begins && held_.is_empty()) return print_decoded(instruction, ordinal, 0);
    held_.add(instruction, ordinal);
    if (instruction.opcode == Op::OpFunctionEnd) print_held_function();
  }

  void print_held_function() {
    const BlockOrder order = options_.reorder_blocks ? BlockOrder::Structured : BlockOrder::File;
    // Annotations skip line information. Without them the layout must match that of spirv-dis (block_layout.h).
    const DebugLines lines = options_.annotate ? DebugLines::Ignored : DebugLines::Confuse;
    held_.flush(order, lines, [this](InstructionView instruction, std::uint64_t ordinal, std::uint32_t indent) {
      if (!stopped_ && to_.ok()) print_decoded(instruction, ordinal, indent);
    });
  }

  Words module_;
  Header header_;
  const Grammar& grammar_;
  const DisassembleOptions& options_;
  const IdNames& names_;
  Out& out_;
  TextBuffer& to_;
  OperandPrinter<Out> operands_;
  OperandDecoder decoder_;
  Diagnostics& diagnostics_;
  bool has_short_names_;
  bool stopped_ = false;

  bool debug_heading_ = false;
  bool annotation_heading_ = false;
  bool type_heading_ = false;
  std::uint64_t line_begin_ = 0;           // visible bytes before the current line
  std::uint64_t last_comment_column_ = 0;  // 0 after a line without a comment
  std::vector<Decorating> decorations_;    // ascending by target, in file order for each
  std::optional<OperandDecoder> decorator_;
  std::optional<Annotator> annotator_;
  std::string remark_;
  BufferedFunction held_;
  std::optional<std::span<const std::uint64_t>> excerpt_;
};

// Whether the plain printer supports all requested options.
bool is_plain(const DisassembleOptions& options, const SourceMap* map) {
  return map == nullptr && !options.color && !options.offsets && !options.comments && !options.nested_indent &&
         !options.reorder_blocks && !options.annotate && !options.show_raw_ids;
}

}  // namespace

const PartInstruction& WholeModule::at(std::uint32_t offset) const {
  return *std::ranges::lower_bound(instructions, offset, {}, &PartInstruction::offset);
}

bool disassemble(Words words, const DisassembleOptions& options, TextSink& sink, Diagnostics& diagnostics,
                 SourceMap* map) {
  // The caller's diagnostics may already contain errors of other modules.
  const std::size_t errors_before = diagnostics.error_count();
  const Result<Header> header = read_header(words, diagnostics);
  if (!header) return false;
  const Grammar& grammar = options.grammar != nullptr ? *options.grammar : builtin_grammar();
  warn_of_newer_version(*header, grammar, diagnostics);
  // Names need a separate pass before printing: a name may be defined after its first use.
  const Words named = options.whole == nullptr ? words : options.whole->words;
  const IdNames names = options.friendly_names ? IdNames::friendly(named, grammar) : IdNames{};
  sink.expect(std::min(std::uint64_t{words.size()} * sizeof(Word) * text_bytes_per_byte, most_expected_text));
  TextBuffer buffer(sink);
  if (is_plain(options, map)) {
    PlainOut out(buffer);
    ModulePrinter<PlainOut>(words, *header, grammar, options, names, out, diagnostics).run();
  } else {
    RichOut out(buffer, map, options.color);
    ModulePrinter<RichOut>(words, *header, grammar, options, names, out, diagnostics).run();
  }
  return buffer.ok() && diagnostics.error_count() == errors_before;
}

void print_excerpt(Words words, const Header& header, const Grammar& grammar, const IdNames& names,
                   std::span<const std::uint64_t> instructions, TextSink& sink, SourceMap& map) {
  DisassembleOptions options;
  options.handle_unknown = true;
  Diagnostics ignored(0);
  TextBuffer buffer(sink);
  RichOut out(buffer, &map, options.color);
  ModulePrinter<RichOut> printer(words, header, grammar, options, names, out, ignored);
  printer.excerpt(instructions);
  printer.run();
}

}  // namespace vireo::spirv

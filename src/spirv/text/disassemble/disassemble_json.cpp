// SPDX-License-Identifier: Apache-2.0
//
// The JSON output of the disassembler (disassemble_to_json of vireo/spirv/text/disassemble.h): one document for a module.
//
// Each operand is an object with its kind, its number and, if the grammar has one, its name. So a reader
// needs no grammar. Numbers that JSON readers would round or reject (64-bit integers, NaN) are strings, with their
// words in another member. docs/json.md describes each field.
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "spirv/binary/decode_report.h"
#include "spirv/generators.h"
#include "spirv/text/friendly_names.h"
#include "spirv/text/literal_text.h"
#include "spirv/text/literal_value.h"
#include "support/json_writer.h"
#include "support/utf8.h"
#include "vireo/spirv/binary/operand.h"
#include "vireo/spirv/binary/reader.h"
#include "vireo/spirv/text/disassemble.h"

namespace vireo::spirv {
namespace {

// Both values are in each document. Readers should check the name and reject unknown versions; docs/json.md states when
// the version changes.
constexpr std::string_view format_name = "vireo.spirv.module";
constexpr unsigned format_version = 1;

// JSON is UTF-8 (RFC 8259, 8.1); a literal string of a module can contain any bytes.
bool is_well_formed(std::string_view text) {
  while (!text.empty()) {
    const CodePoint point = first_code_point(text);
    if (!point.well_formed) return false;
    text.remove_prefix(point.length);
  }
  return true;
}

class JsonModule {
 public:
  JsonModule(Words module, const Header& header, const Grammar& grammar, const DisassembleOptions& options,
             TextSink& sink, Diagnostics& diagnostics)
      : module_(module),
        header_(header),
        grammar_(grammar),
        options_(options),
        names_(options.friendly_names
                   ? IdNames::friendly(options.whole == nullptr ? module : options.whole->words, grammar)
                   : IdNames{}),
        decoder_(grammar, header.bound, module.size()),
        diagnostics_(diagnostics),
        json_(sink) {}

  /// Writes the document, one line for each instruction, which line-oriented tools can process. False if the sink
  /// refused a write.
  bool run() {
    json_.begin_object();
    // The version is first, so that a reader can reject an unknown one before it reads the rest.
    json_.key("format").string(format_name).key("version").number(format_version);
    json_.line_break();
    write_header();
    json_.line_break();
    json_.key("instructions").begin_array();
    const bool is_complete = write_instructions();
    json_.line_break();
    json_.end_array();
    json_.line_break();
    // `complete` is last, because it is known only after all instructions are written; the document is not buffered.
    json_.key("complete").boolean(is_complete && !options_.is_cut_short);
    json_.line_break();
    json_.end_object();
    json_.end_document();
    return json_.flush();
  }

 private:
  // Writes all header words except the magic number, which is constant.
  void write_header() {
    const Version version = header_.version();
    const auto tool = tool_of(header_.generator);
    json_.key("header").begin_object();
    json_.key("version").string(std::to_string(version.major) + '.' + std::to_string(version.minor));
    json_.key("generator").begin_object();
    json_.key("id").number(tool);
    if (const std::string_view name = generator_name(tool); !name.empty()) json_.key("name").string(name);
    json_.key("version").number(tool_version_of(header_.generator)).end_object();
    json_.key("bound").number(header_.bound).key("schema").number(header_.schema);
    json_.end_object();
  }

  // True if the pass reached the end of the module.
  bool write_instructions() {
    const Instructions instructions(module_);
    std::uint64_t ordinal = 0;
    auto it = instructions.begin();
    for (; it != instructions.end() && json_.ok(); ++it) {
      ++ordinal;
      const DecodeFault fault = decoder_.decode(*it);
      if (fault != DecodeFault::None && !(options_.handle_unknown && is_unknown(fault))) {
        report_decode_fault(fault, decoder_, grammar_, *it, ordinal, diagnostics_);
        // The caller still closes the document, so the output stays valid JSON.
        if (options_.stop_at_first_error) return false;
      }
      json_.line_break();
      write_instruction(*it, ordinal, is_decodable(fault));
    }
    if (!json_.ok()) return false;
    report_walk_end(it.walk_end(), module_, it.offset(), ordinal + 1, diagnostics_);
    return it.walk_end() == WalkEnd::Complete;
  }

  void write_instruction(InstructionView instruction, std::uint64_t ordinal, bool is_decoded) {
    // The row is also known for most faulty instructions: the opcode was found, but the operands did not match it.
    const InstructionRow* row = decoder_.row();
    json_.begin_object();
    // Diagnostics and source maps use the same ordinals, so a reader can match an error with its instruction.
    const PartInstruction place = options_.whole == nullptr
                                      ? PartInstruction{instruction.offset, instruction.offset, ordinal}
                                      : options_.whole->at(instruction.offset);
    json_.key("n").number(place.ordinal).key("offset").number(place.offset_in_whole);
    json_.key("op");
    if (row != nullptr) {
      json_.string(grammar_.text(row->name));
    } else {
      json_.null();
    }
    json_.key("opcode").number(static_cast<Word>(instruction.opcode));
    if (is_decoded) {
      write_decoded(instruction);
    } else {
      write_words(instruction.operands());
    }
    json_.end_object();
  }

  // Result and result type come first, since most readers look for them; then the operands in word order.
  void write_decoded(InstructionView instruction) {
    for (const Operand& operand : decoder_.operands()) {
      if (operand.shape == OperandShape::IdResultType) {
        json_.key("type").number(instruction.word(operand.word));
        write_name("type_name", instruction.word(operand.word));
      } else if (operand.shape == OperandShape::IdResult) {
        json_.key("result").number(instruction.word(operand.word));
        write_name("name", instruction.word(operand.word));
      }
    }
    json_.key("operands").begin_array();
    for (const Operand& operand : decoder_.operands()) {
      if (operand.shape == OperandShape::IdResultType || operand.shape == OperandShape::IdResult) continue;
      write_operand(operand, instruction);
    }
    json_.end_array();
  }

  // `kind` comes first: it determines the other members.
  void write_operand(const Operand& operand, InstructionView instruction) {
    const Word value = instruction.word(operand.word);
    const Words words = instruction.words().subspan(operand.word, operand.word_count);
    json_.begin_object();
    json_.key("kind").string(grammar_.text(grammar_.kind(operand.kind).name));
    if (operand.is_parameter) json_.key("parameter").boolean(true);
    switch (operand.shape) {
      case OperandShape::IdResultType:
      case OperandShape::IdResult:
      case OperandShape::IdRef:
      case OperandShape::IdScope:
      case OperandShape::IdMemorySemantics:
        json_.key("id").number(value);
        write_name("name", value);
        break;
      case OperandShape::LiteralInteger: json_.key("value").number(value); break;
      case OperandShape::LiteralFloat:
        write_literal(words, {ScalarType::Class::Float, true, 32, ScalarType::no_encoding});
        break;
      case OperandShape::LiteralContextDependentNumber: write_literal(words, decoder_.literal_type()); break;
      case OperandShape::LiteralString: write_string(words); break;
      case OperandShape::LiteralExtInstInteger: write_ext_inst(value); break;
      case OperandShape::LiteralSpecConstantOpInteger:
        json_.key("value").number(value);
        // The name has the prefix Op, unlike in assembly text, because readers look it up as an opcode.
        if (const InstructionRow* row = decoder_.spec_row()) json_.key("text").string(grammar_.text(row->name));
        break;
      case OperandShape::ValueEnum:
        json_.key("value").number(value);
        if (const EnumerantRow* row = grammar_.find_value(operand.kind, value))
          json_.key("text").string(grammar_.text(row->name));
        break;
      case OperandShape::BitEnum: write_mask(operand.kind, value); break;
      case OperandShape::Composite: break;  // never decoded as a composite, only as its parts
    }
    json_.end_object();
  }

  // Only ids with a name have this member; in assembly text, too, all other ids are shown as numbers.
  void write_name(std::string_view key, Word id) {
    const IdNames::Place place = names_.find(id);
    if (place.length != 0) json_.key(key).string({names_.pool() + place.offset, place.length});
  }

  // Writes words as numbers, for operands without another representation, so that JSON contains every word of the
  // module.
  void write_words(Words words) {
    json_.key("words").begin_array();
    for (const Word word : words) json_.number(word);
    json_.end_array();
  }

  // Writes the type as "u32", "i64" or "f16". If a float has an encoding (bfloat16, ...), a further member has its
  // name.
  void write_literal(Words words, ScalarType type) {
    const bool is_float = type.class_ == ScalarType::Class::Float;
    // The type is written with each literal, so a reader of one instruction does not need the type's declaration.
    json_.key("type").string((is_float ? "f" : type.is_signed ? "i" : "u") + std::to_string(type.width));
    if (is_float && type.encoding != ScalarType::no_encoding) {
      const EnumerantRow* row = grammar_.find_value(grammar_.find_kind("FPEncoding"), type.encoding);
      if (row != nullptr) json_.key("encoding").string(grammar_.text(row->name));
    }
    json_.key("value");
    if (is_float) {
      write_float(words, type);
    } else {
      write_integer(words, type);
    }
    write_words(words);
  }

  void write_float(Words words, ScalarType type) {
    const std::optional<FloatFormat> format = float_format_of(type.width, type.encoding);
    if (!format || words.size() * 32 < type.width) {
      json_.null();
      return;
    }
    // A double represents all formats exactly, and its shortest decimal reads back as the same bits. NaN and infinities
    // are strings, because JSON has no numbers for them.
    const double value = value_of_float(literal_bits(words), *format);
    if (std::isfinite(value)) {
      json_.number(value);
    } else {
      json_.string(std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
    }
  }

  // Many readers round numbers above 2^53, so a two-word integer is a string.
  void write_integer(Words words, ScalarType type) {
    char digits[max_number_chars];
    const char* end = print_literal(digits, words, type);
    if (end == digits) {
      json_.null();
    } else if (words.size() > 1) {
      json_.string({digits, static_cast<std::size_t>(end - digits)});
    } else if (type.is_signed) {
      // A narrow integer is sign-extended to its word (specification 2.2.1, Literal).
      json_.number(static_cast<std::int32_t>(words[0]));
    } else {
      json_.number(words[0]);
    }
  }

  // The decoder has checked that a NUL terminates the string.
  void write_string(Words words) {
    // The host is little-endian (reader.cpp), so the bytes are in the order of the specification.
    const std::string_view text(reinterpret_cast<const char*>(words.data()));
    json_.key("value").string(text);
    if (!is_well_formed(text)) write_words(words);  // the value has U+FFFD in place of ill-formed bytes
  }

  // Includes the name of the set: the number of an instruction is meaningless without it.
  void write_ext_inst(Word number) {
    json_.key("value").number(number);
    if (const ExtInstRow* row = decoder_.ext_inst()) json_.key("text").string(grammar_.text(row->name));
    if (const ExtInstSetId set = decoder_.ext_inst_set())
      json_.key("set").string(grammar_.text(grammar_.sets[set.index()].name));
  }

  // Writes the names of the bits that have one, and the value, so that bits without a name are not lost.
  void write_mask(KindId kind, Word value) {
    json_.key("value").number(value).key("names").begin_array();
    for (Word rest = value; rest != 0; rest &= rest - 1) {
      const EnumerantRow* row = grammar_.find_value(kind, rest & (~rest + 1));
      if (row != nullptr) json_.string(grammar_.text(row->name));
    }
    json_.end_array();
  }

  Words module_;
  Header header_;
  const Grammar& grammar_;
  const DisassembleOptions& options_;
  IdNames names_;
  OperandDecoder decoder_;
  Diagnostics& diagnostics_;
  JsonWriter json_;
};

}  // namespace

bool disassemble_to_json(Words words, const DisassembleOptions& options, TextSink& sink, Diagnostics& diagnostics) {
  const std::size_t errors_before = diagnostics.error_count();
  const Result<Header> header = read_header(words, diagnostics);
  if (!header) return false;
  const Grammar& grammar = options.grammar != nullptr ? *options.grammar : builtin_grammar();
  const bool took_all = JsonModule(words, *header, grammar, options, sink, diagnostics).run();
  return took_all && diagnostics.error_count() == errors_before;
}

}  // namespace vireo::spirv

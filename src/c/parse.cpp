// SPDX-License-Identifier: Apache-2.0
//
// vireo.h: a module's instructions, one by one, with every operand decoded.
//
// The one idea: the decoder's own records, said again in a struct that C can read. One array for operands is used again
// and again, so a walk allocates no more than its longest instruction needs.
#include <vector>

#include "c/instruction.h"
#include "spirv/binary/decode_report.h"
#include "spirv/grammar/load/special_cases.h"
#include "vireo/spirv/operand.h"
#include "vireo/spirv/reader.h"

namespace vireo::c {
namespace {

using spirv::OperandShape;

// A shape's number is part of the interface: the library's enumerators may not move.
// clang-format off
constexpr struct { int number; OperandShape shape; } shape_rows[] = {
    {VIREO_SHAPE_RESULT_TYPE,     OperandShape::IdResultType},
    {VIREO_SHAPE_RESULT,          OperandShape::IdResult},
    {VIREO_SHAPE_ID,              OperandShape::IdRef},
    {VIREO_SHAPE_SCOPE_ID,        OperandShape::IdScope},
    {VIREO_SHAPE_SEMANTICS_ID,    OperandShape::IdMemorySemantics},
    {VIREO_SHAPE_INTEGER,         OperandShape::LiteralInteger},
    {VIREO_SHAPE_FLOAT,           OperandShape::LiteralFloat},
    {VIREO_SHAPE_STRING,          OperandShape::LiteralString},
    {VIREO_SHAPE_TYPED_NUMBER,    OperandShape::LiteralContextDependentNumber},
    {VIREO_SHAPE_EXTENDED_NUMBER, OperandShape::LiteralExtInstInteger},
    {VIREO_SHAPE_SPEC_OPCODE,     OperandShape::LiteralSpecConstantOpInteger},
    {VIREO_SHAPE_ENUMERANT,       OperandShape::ValueEnum},
    {VIREO_SHAPE_MASK,            OperandShape::BitEnum},
};
// clang-format on

/// Every row is looked at, not only the ends: callers switch over these numbers.
constexpr bool shapes_agree() {
  for (const auto& row : shape_rows) {
    if (row.number != static_cast<int>(row.shape)) return false;
  }
  return true;
}
static_assert(shapes_agree());
static_assert(VIREO_LITERAL_INTEGER == static_cast<int>(spirv::ScalarType::Class::Integer) &&
              VIREO_LITERAL_FLOAT == static_cast<int>(spirv::ScalarType::Class::Float));

/// One walk over a module.
class Parser {
 public:
  Parser(spirv::Words module, spirv::Word bound, const spirv::Grammar& grammar)
      : module_(module), grammar_(grammar), decoder_(grammar, bound, module.size()) {}

  /// False when the callback asked to stop.
  /// What an instruction lacks is reported and it is told nevertheless, with the operands that could be decoded: a
  /// reader of broken modules wants to see them. Diagnostics count instructions from 1, callers from 0.
  bool run(vireo_on_instruction tell, void* user, Diagnostics& found) {
    const spirv::Instructions instructions(module_);
    auto it = instructions.begin();
    std::uint32_t index = 0;
    for (; it != instructions.end(); ++it, ++index) {
      const spirv::DecodeFault fault = decoder_.decode(*it);
      if (fault != spirv::DecodeFault::None)
        spirv::report_decode_fault(fault, decoder_, grammar_, *it, std::uint64_t{index} + 1, found);
      vireo_instruction told = bare_instruction(*it, index, decoder_.row(), grammar_);
      add_operands(told);
      told.is_complete = spirv::is_decodable(fault) ? 1 : 0;
      if (tell(user, &told) == 0) return false;
    }
    // A word count of 0, or one that leads beyond the end, leaves no next instruction to go to.
    spirv::report_walk_end(it.walk_end(), module_, it.offset(), std::uint64_t{index} + 1, found);
    return true;
  }

 private:
  // The decoder's operands, until the next instruction is decoded. The vector only ever grows, so that a walk does not
  // allocate for each instruction.
  void add_operands(vireo_instruction& told) {
    operands_.clear();
    for (const spirv::Operand& operand : decoder_.operands()) {
      operands_.push_back({.word = operand.word,
                           .word_count = operand.word_count,
                           .kind = operand.kind.raw,
                           .shape = static_cast<std::uint8_t>(operand.shape),
                           .is_parameter = static_cast<std::uint8_t>(operand.is_parameter)});
    }
    told.operands = operands_.data();
    told.operand_count = operands_.size();
    if (decoder_.ext_inst() != nullptr) told.inner_name = to_c(grammar_.text(decoder_.ext_inst()->name));
    // Spelled as it stands in assembly: without its Op.
    if (decoder_.spec_row() != nullptr)
      told.inner_name = to_c(spirv::without_op(grammar_.text(decoder_.spec_row()->name)));
    const spirv::ScalarType literal = decoder_.literal_type();
    told.literal_class = static_cast<std::uint32_t>(literal.class_);
    told.literal_width = literal.width;
    told.literal_is_signed = literal.is_signed ? 1 : 0;
  }

  // The words and the grammar are the caller's and outlive the walk, which is one call.
  spirv::Words module_;
  const spirv::Grammar& grammar_;
  // Knows the types of all ids so far, which literals need: so instructions have to come in order.
  spirv::OperandDecoder decoder_;
  std::vector<vireo_operand> operands_;
};

}  // namespace

// Ids are read by the row's flags and not by decoding, so this also serves Module, which decodes nothing. An
// instruction that is too short for them has none.
vireo_instruction bare_instruction(spirv::InstructionView view, std::uint32_t index, const spirv::InstructionRow* row,
                                   const spirv::Grammar& grammar) {
  vireo_instruction told{};
  told.words = view.first;
  told.word_count = view.word_count;
  told.opcode = static_cast<std::uint32_t>(view.opcode);
  told.index = index;
  told.offset = view.offset;
  told.name = to_c(row == nullptr ? std::string_view() : grammar.text(row->name));
  told.inner_name = to_c(std::string_view());
  if (row == nullptr) return told;
  // The type, then the result, are the first operands of whatever has them (grammar.h, RowFlags).
  std::uint32_t word = 1;
  if ((row->flags & spirv::HasResultType) != 0 && word < view.word_count) told.type_id = view.word(word++);
  if ((row->flags & spirv::HasResult) != 0 && word < view.word_count) told.result_id = view.word(word);
  return told;
}

vireo_header to_c(const spirv::Header& header) {
  return {.major_version = header.version().major,
          .minor_version = header.version().minor,
          .generator = header.generator,
          .bound = header.bound,
          .schema = header.schema};
}

}  // namespace vireo::c

using namespace vireo;
using namespace vireo::c;

vireo_status vireo_parse(const std::uint32_t* words, std::size_t count, const vireo_grammar* grammar,
                         vireo_on_header on_header, vireo_on_instruction on_instruction, void* user,
                         vireo_diagnostics* diagnostics) {
  if (!is_span(words, count) || on_instruction == nullptr) return VIREO_BAD_ARGUMENT;
  return guarded([&] {
    Diagnostics found;
    const spirv::Words module(words, count);
    const Result<spirv::Header> header = spirv::read_header(module, found);
    // Without a header nothing behind it can be trusted. That was reported, so it is VIREO_REPORTED, not VIREO_STOPPED.
    bool goes_on = header.ok();
    if (header && on_header != nullptr) {
      const vireo_header told = to_c(*header);
      goes_on = on_header(user, &told) != 0;
    }
    if (goes_on) {
      spirv::warn_of_newer_version(*header, grammar_of(grammar), found);
      goes_on = Parser(module, header->bound, grammar_of(grammar)).run(on_instruction, user, found);
    }
    // Handed over also where the caller has stopped: what was found until then is true.
    add(diagnostics, found);
    return header && !goes_on ? VIREO_STOPPED : status_of(found);
  });
}

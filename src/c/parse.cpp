// SPDX-License-Identifier: Apache-2.0
//
// vireo.h: decodes the instructions of a module one by one, with all operands.
//
// The records of the decoder are converted to C structs. One array of operands is reused for all
// instructions.
#include <vector>

#include "c/instruction.h"
#include "spirv/binary/decode_report.h"
#include "spirv/grammar/special_cases.h"
#include "vireo/spirv/binary/operand.h"
#include "vireo/spirv/binary/reader.h"

namespace vireo::c {
namespace {

using spirv::OperandShape;

// The values of the constants are part of the interface, so the enumerators of the library must not change theirs.
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

/// Checks that each constant equals its enumerator.
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

  /// Returns false if the callback requested a stop. An instruction with a fault is reported, and is passed to the
  /// callback with the operands that could be decoded. Diagnostics count instructions from 1, the callback from 0.
  bool run(vireo_on_instruction tell, void* user, Diagnostics& found) {
    const spirv::Instructions instructions(module_);
    auto it = instructions.begin();
    std::uint32_t index = 0;
    for (; it != instructions.end(); ++it, ++index) {
      const spirv::DecodeFault fault = decoder_.decode(*it);
      if (fault != spirv::DecodeFault::None)
        spirv::report_decode_fault(fault, decoder_, grammar_, *it, std::uint64_t{index} + 1, found);
      vireo_instruction item = bare_instruction(*it, index, decoder_.row(), grammar_);
      add_operands(item);
      item.is_complete = spirv::is_decodable(fault) ? 1 : 0;
      if (tell(user, &item) == 0) return false;
    }
    // A word count of 0, or one that exceeds the module, ends the walk and is reported.
    spirv::report_walk_end(it.walk_end(), module_, it.offset(), std::uint64_t{index} + 1, found);
    return true;
  }

 private:
  // Copies the operands of the current instruction. The vector's memory is reused, so few instructions need an
  // allocation.
  void add_operands(vireo_instruction& item) {
    operands_.clear();
    for (const spirv::Operand& operand : decoder_.operands()) {
      operands_.push_back({.word = operand.word,
                           .word_count = operand.word_count,
                           .kind = operand.kind.raw,
                           .shape = static_cast<std::uint8_t>(operand.shape),
                           .is_parameter = static_cast<std::uint8_t>(operand.is_parameter)});
    }
    item.operands = operands_.data();
    item.operand_count = operands_.size();
    if (decoder_.ext_inst() != nullptr) item.inner_name = to_c(grammar_.text(decoder_.ext_inst()->name));
    // The name has no prefix Op, as in assembly.
    if (decoder_.spec_row() != nullptr)
      item.inner_name = to_c(spirv::without_op(grammar_.text(decoder_.spec_row()->name)));
    const spirv::ScalarType literal = decoder_.literal_type();
    item.literal_class = static_cast<std::uint32_t>(literal.class_);
    item.literal_width = literal.width;
    item.literal_is_signed = literal.is_signed ? 1 : 0;
  }

  // The caller's words and grammar must outlive the walk.
  spirv::Words module_;
  const spirv::Grammar& grammar_;
  // The decoder records the types of ids, because the width of a literal depends on its type. So instructions must be
  // decoded in order.
  spirv::OperandDecoder decoder_;
  std::vector<vireo_operand> operands_;
};

}  // namespace

// The row's flags give the positions of the ids, so the operands need not be decoded. If an instruction is too short
// for its ids, they are 0.
vireo_instruction bare_instruction(spirv::InstructionView view, std::uint32_t index, const spirv::InstructionRow* row,
                                   const spirv::Grammar& grammar) {
  vireo_instruction item{};
  item.words = view.first;
  item.word_count = view.word_count;
  item.opcode = static_cast<std::uint32_t>(view.opcode);
  item.index = index;
  item.offset = view.offset;
  item.name = to_c(row == nullptr ? std::string_view() : grammar.text(row->name));
  item.inner_name = to_c(std::string_view());
  if (row == nullptr) return item;
  if (row->type_word() != 0) item.type_id = view.word(row->type_word());
  if (row->result_word() != 0) item.result_id = view.word(row->result_word());
  return item;
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
    // Without a valid header, no instruction is read. The fault was reported, so the status is VIREO_REPORTED, not
    // VIREO_STOPPED.
    bool goes_on = header.ok();
    if (header && on_header != nullptr) {
      const vireo_header item = to_c(*header);
      goes_on = on_header(user, &item) != 0;
    }
    if (goes_on) {
      spirv::warn_of_newer_version(*header, grammar_of(grammar), found);
      goes_on = Parser(module, header->bound, grammar_of(grammar)).run(on_instruction, user, found);
    }
    // Diagnostics are appended even if the callback has stopped the walk.
    add(diagnostics, found);
    return header && !goes_on ? VIREO_STOPPED : status_of(found);
  });
}

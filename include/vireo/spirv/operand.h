// SPDX-License-Identifier: Apache-2.0
//
// Operands: the words of one instruction, matched with the grammar.
//
// The one idea: one walk over an instruction's pattern serves everybody. It yields 8-byte records (what, where, how
// many words) into a buffer that is used again and again, so decoding allocates nothing per instruction. The decoder
// goes through a module front to back, because some operands mean what earlier instructions say they mean: literals
// of OpConstant and OpSwitch (a type's width), and instructions of imported sets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/spirv/grammar.h"
#include "vireo/spirv/instruction.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/owned.h"

namespace vireo::spirv {

/// One operand of a decoded instruction. Composite kinds appear as their bases.
struct VIREO_API Operand {
  std::uint16_t word = 0;        ///< first word within the instruction
  std::uint16_t word_count = 0;  ///< at least 1
  KindId kind;                   ///< of the grammar that decoded it
  OperandShape shape = OperandShape::IdRef;
  bool is_parameter = false;  ///< belongs to the enumerant operand before it
};
static_assert(sizeof(Operand) == 8);

/// What a scalar type says about the literals of that type (specification, OpTypeInt and OpTypeFloat).
struct VIREO_API ScalarType {
  enum class Class : std::uint8_t { None, Integer, Float };
  Class class_ = Class::None;
  bool is_signed = false;
  std::uint16_t width = 0;               ///< bits, as declared; 0xFFFF for anything larger (1023 of a float)
  std::uint32_t encoding = no_encoding;  ///< FPEncoding of a float type

  static constexpr std::uint32_t no_encoding = 0xFFFFFFFF;
};

/// Why an instruction could not be decoded, or what is wrong with it.
enum class DecodeFault : std::uint8_t {
  None,
  // The pattern cannot be followed; the instruction can only be stepped over.
  UnknownOpcode,
  UnknownEnumerant,
  UnknownMaskBits,
  UnknownExtInst,
  UnknownSpecOpcode,
  UnknownImport,
  SetNotImported,
  SetUnknown,      ///< an extended instruction of a set whose import was an UnknownImport, and told as that
  MissingOperand,  ///< the instruction ends before its pattern does
  SurplusWords,    ///< the pattern ends before the instruction does
  UnterminatedString,
  TruncatedLiteral,
  TypeNotScalar,       ///< OpConstant whose type is not a known integer or float type
  UnsupportedWidth,    ///< a literal of a type of no bits
  SelectorNotInteger,  ///< OpSwitch with labels whose selector is not of a known integer type
  // The pattern was followed; the words are wrong all the same.
  ZeroId,
  IdDefinedTwice,
};

/// Whether operands() are complete in spite of the fault.
constexpr bool is_decodable(DecodeFault fault) {
  return fault == DecodeFault::None || fault == DecodeFault::ZeroId || fault == DecodeFault::IdDefinedTwice;
}

/// Whether a fault is about something that a newer grammar may know.
constexpr bool is_unknown(DecodeFault fault) {
  return fault == DecodeFault::UnknownOpcode || fault == DecodeFault::UnknownEnumerant ||
         fault == DecodeFault::UnknownMaskBits || fault == DecodeFault::UnknownExtInst;
}

/// What an instruction's operands mean beyond their words, and where a fault is.
struct VIREO_API OperandContext {
  const InstructionRow* row = nullptr;       ///< nullptr: no grammar knows the opcode
  const InstructionRow* spec_row = nullptr;  ///< of the opcode inside OpSpecConstantOp
  const ExtInstRow* ext_inst = nullptr;      ///< of OpExtInst; nullptr when its set has no name for it
  ExtInstSetId ext_inst_set;                 ///< of OpExtInst; none for an unknown non-semantic set
  ScalarType literal_type;                   ///< of the context-dependent literals (OpConstant, OpSwitch)
  std::uint16_t fault_word = 0;              ///< index within the instruction of the word that a fault is about
};

class IdTypeTable;  // what earlier instructions said of ids (src/spirv/binary/id_type_table.h)

/// Decodes the instructions of one module, front to back. Holds about four bytes an id.
class VIREO_API OperandDecoder {
 public:
  /// `bound` is the header's; it only sizes tables, ids beyond it work as well. `word_count` of the module limits memory.
  /// The rows behind `grammar` are borrowed.
  OperandDecoder(const Grammar& grammar, Word bound, std::size_t word_count);
  ~OperandDecoder();
  OperandDecoder(OperandDecoder&&) noexcept;
  OperandDecoder& operator=(OperandDecoder&&) noexcept;

  /// Decodes the next instruction of the module. The results below are valid until the next call.
  DecodeFault decode(InstructionView instruction);

  // Of the instruction that decode() was called with last. operands() holds what was matched before a fault.
  [[nodiscard]] std::span<const Operand> operands() const { return operands_; }
  /// The shapes among them, a bit each: `shapes() & bit_of(OperandShape::IdScope)`.
  [[nodiscard]] std::uint32_t shapes() const { return shapes_; }
  static constexpr std::uint32_t bit_of(OperandShape shape) { return 1u << static_cast<unsigned>(shape); }
  [[nodiscard]] const OperandContext& context() const { return context_; }
  [[nodiscard]] const InstructionRow* row() const { return context_.row; }
  [[nodiscard]] std::uint16_t fault_word() const { return context_.fault_word; }
  [[nodiscard]] ScalarType literal_type() const { return context_.literal_type; }
  [[nodiscard]] const ExtInstRow* ext_inst() const { return context_.ext_inst; }
  [[nodiscard]] ExtInstSetId ext_inst_set() const { return context_.ext_inst_set; }
  [[nodiscard]] const InstructionRow* spec_row() const { return context_.spec_row; }

  /// The scalar type that an id denotes; Class::None when it is no scalar type (or not seen yet).
  [[nodiscard]] ScalarType scalar_type(Word type_id) const;
  /// The type of a value id, 0 when it has none or was not seen yet.
  [[nodiscard]] Word type_of(Word value_id) const;

  /// What was seen so far, for walks of another kind over the same module (src/spirv/binary/operand_walk.h).
  [[nodiscard]] IdTypeTable& seen() { return *seen_; }

 private:
  struct Form;
  bool decode_by_form(const Form& form, InstructionView instruction);
  DecodeFault decode_by_walk(Form& form, InstructionView instruction);
  void remember(Form& form, InstructionView instruction) const;

  Grammar grammar_;
  Owned<IdTypeTable> seen_;
  std::vector<Form> forms_;            // by a hash of opcode and length; the last one of a place counts
  std::vector<Operand> buffer_;        // as many as the longest instruction that was walked could have
  std::span<const Operand> operands_;  // in the buffer, or of a form
  std::uint32_t shapes_ = 0;
  OperandContext context_;
};

}  // namespace vireo::spirv

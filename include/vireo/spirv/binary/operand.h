// SPDX-License-Identifier: Apache-2.0
//
// Operands: the words of one instruction, matched with the grammar.
//
// One function matches an instruction with the operands of its grammar row. It writes 8-byte records
// (kind, first word, number of words) into a buffer that is reused, so decoding does not allocate for each instruction.
// The decoder reads a module in order, because some operands depend on earlier instructions. A literal of OpConstant or
// OpSwitch depends on a type declaration; an extended instruction depends on the import of its set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/spirv/binary/instruction.h"
#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/owned.h"

namespace vireo::spirv {

/// One operand of a decoded instruction. An operand of a composite kind (a pair) becomes one Operand for each part.
struct VIREO_API Operand {
  std::uint16_t word = 0;        ///< index of its first word within the instruction
  std::uint16_t word_count = 0;  ///< at least 1
  KindId kind;                   ///< index into Grammar::kinds of the decoder's grammar
  OperandShape shape = OperandShape::IdRef;
  bool is_parameter = false;  ///< it is a parameter of the enumerant or mask before it

  /// Whether the word is an id. (The shapes of ids precede all others in the enumeration.)
  [[nodiscard]] constexpr bool is_id() const { return shape <= OperandShape::IdMemorySemantics; }
  /// Whether the word is an id that the instruction uses, not its result.
  [[nodiscard]] constexpr bool uses_id() const { return is_id() && shape != OperandShape::IdResult; }
};
static_assert(sizeof(Operand) == 8);

/// The properties of a scalar type that determine the encoding of its literals (specification 3.42.6, OpTypeInt and
/// OpTypeFloat).
struct VIREO_API ScalarType {
  enum class Class : std::uint8_t { None, Integer, Float };
  Class class_ = Class::None;
  bool is_signed = false;
  std::uint16_t width = 0;               ///< in bits; clamped to 0xFFFF for an integer and to 1023 for a float
  std::uint32_t encoding = no_encoding;  ///< FPEncoding of a float type; no_encoding: IEEE 754

  static constexpr std::uint32_t no_encoding = 0xFFFFFFFF;
};

/// A fault of an instruction: the reason why it cannot be decoded, or an invalid id in it.
enum class DecodeFault : std::uint8_t {
  None,
  // The instruction does not match the operands of its grammar row; only the operands before the fault are known.
  UnknownOpcode,
  UnknownEnumerant,
  UnknownMaskBits,
  UnknownExtInst,
  UnknownSpecOpcode,  ///< the opcode inside OpSpecConstantOp
  UnknownImport,      ///< OpExtInstImport of a set that the grammar does not define and that is not non-semantic
  SetNotImported,     ///< an extended instruction whose set is not the id of an import
  SetUnknown,         ///< an extended instruction of a set whose import had the fault UnknownImport
  MissingOperand,     ///< the instruction has fewer words than its operands need
  SurplusWords,       ///< the instruction has more words than its operands need
  UnterminatedString,
  TruncatedLiteral,
  TypeNotScalar,       ///< OpConstant whose type is not a known integer or float type
  UnsupportedWidth,    ///< a literal of a type with a width of 0
  SelectorNotInteger,  ///< OpSwitch with at least one case, whose selector type is not a known integer type
  // The instruction matches its grammar row, but an id is invalid.
  ZeroId,
  IdDefinedTwice,
};

/// Whether OperandDecoder::operands() is certain to contain all operands despite the fault.
constexpr bool is_decodable(DecodeFault fault) {
  return fault == DecodeFault::None || fault == DecodeFault::ZeroId || fault == DecodeFault::IdDefinedTwice;
}

/// Whether a newer grammar may define the opcode or enumerant with the fault.
constexpr bool is_unknown(DecodeFault fault) {
  return fault == DecodeFault::UnknownOpcode || fault == DecodeFault::UnknownEnumerant ||
         fault == DecodeFault::UnknownMaskBits || fault == DecodeFault::UnknownExtInst;
}

/// The grammar rows of a decoded instruction, and the word of a fault. The rows belong to the grammar.
struct VIREO_API OperandContext {
  const InstructionRow* row = nullptr;       ///< nullptr: the opcode is unknown
  const InstructionRow* spec_row = nullptr;  ///< the row of the opcode inside OpSpecConstantOp
  const ExtInstRow* ext_inst = nullptr;      ///< OpExtInst: its instruction; nullptr if the set does not contain it
  ExtInstSetId ext_inst_set;                 ///< OpExtInst: its set; none for an unknown non-semantic set
  ScalarType literal_type;                   ///< OpConstant, OpSwitch: the type of their literals
  std::uint16_t fault_word = 0;              ///< index of the faulty word within the instruction
  KindId fault_kind;  ///< the operand kind of the faulty word, if it is an unknown enumerant or mask
};

class IdTypeTable;  // the types and imports of earlier instructions, by id

/// Decodes the instructions of one module, in their order. Memory: about four bytes for each id.
class VIREO_API OperandDecoder {
 public:
  /// `bound` is the header's bound. It only determines the size of tables; ids at or above it are accepted.
  /// `word_count` is the number of words of the module; it limits the memory if the bound is wrong. The rows of
  /// `grammar` are borrowed.
  OperandDecoder(const Grammar& grammar, Word bound, std::size_t word_count);
  ~OperandDecoder();
  OperandDecoder(OperandDecoder&&) noexcept;
  OperandDecoder& operator=(OperandDecoder&&) noexcept;

  /// Decodes the next instruction of the module and returns its first fault, or None. The results of the functions
  /// below are valid until the next call.
  DecodeFault decode(InstructionView instruction);

  // The results for the last decoded instruction. After a fault that is not is_decodable(), operands() may contain only
  // the operands before the fault.
  [[nodiscard]] std::span<const Operand> operands() const { return operands_; }
  /// The set of the operands' shapes, one bit for each shape: `shapes() & bit_of(OperandShape::IdScope)`.
  [[nodiscard]] std::uint32_t shapes() const { return shapes_; }
  static constexpr std::uint32_t bit_of(OperandShape shape) { return 1u << static_cast<unsigned>(shape); }
  [[nodiscard]] const OperandContext& context() const { return context_; }
  [[nodiscard]] const InstructionRow* row() const { return context_.row; }
  [[nodiscard]] std::uint16_t fault_word() const { return context_.fault_word; }
  [[nodiscard]] ScalarType literal_type() const { return context_.literal_type; }
  [[nodiscard]] const ExtInstRow* ext_inst() const { return context_.ext_inst; }
  [[nodiscard]] ExtInstSetId ext_inst_set() const { return context_.ext_inst_set; }
  [[nodiscard]] const InstructionRow* spec_row() const { return context_.spec_row; }

  /// The scalar type that an id declares; Class::None if the id is not an integer or float type, or not decoded yet.
  [[nodiscard]] ScalarType scalar_type(Word type_id) const;
  /// The id of a value's type; 0 if the id has no type or was not decoded yet.
  [[nodiscard]] Word type_of(Word value_id) const;

  /// For use inside the library: the types and imports of the instructions decoded so far
  /// (src/spirv/binary/operand_walk.h).
  [[nodiscard]] IdTypeTable& seen() { return *seen_; }

 private:
  struct Form;
  bool decode_by_form(const Form& form, InstructionView instruction);
  DecodeFault decode_by_walk(Form& form, InstructionView instruction);
  void remember(Form& form, InstructionView instruction) const;

  Grammar grammar_;
  Owned<IdTypeTable> seen_;
  std::vector<Form> forms_;      // cached decodings, by a hash of opcode and length; a collision replaces the older one
  std::size_t last_form_;        // the index of the last form, which is a mask: their number is a power of two
  std::vector<Operand> buffer_;  // large enough for the longest instruction decoded so far
  std::span<const Operand> operands_;  // refers to buffer_ or to a cached form
  std::uint32_t shapes_ = 0;
  OperandContext context_;
};

}  // namespace vireo::spirv

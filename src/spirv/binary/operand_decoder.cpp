// SPDX-License-Identifier: Apache-2.0
//
// The operand decoder (vireo/spirv/operand.h): the walk with a visitor that records.
#include "spirv/binary/operand_walk.h"

namespace vireo::spirv {
namespace {

// Writes records one after the other. Every operand has at least one word, so the instruction's length is room enough.
class Recorder {
 public:
  explicit Recorder(Operand* first) : next_(first) {}

  void id(Word, const Operand& operand) { *next_++ = operand; }
  void enumerant(const EnumerantRow&, const Operand& operand) { *next_++ = operand; }
  void other(Word, const Operand& operand) { *next_++ = operand; }

  [[nodiscard]] const Operand* end() const { return next_; }

 private:
  Operand* next_;
};

}  // namespace

OperandDecoder::OperandDecoder(const Grammar& grammar, Word bound, std::size_t word_count)
    : grammar_(grammar), seen_(std::make_unique<SeenIds>(bound, word_count)), operands_(64) {}

OperandDecoder::~OperandDecoder() = default;
OperandDecoder::OperandDecoder(OperandDecoder&&) noexcept = default;
OperandDecoder& OperandDecoder::operator=(OperandDecoder&&) noexcept = default;

DecodeFault OperandDecoder::decode(InstructionView instruction) {
  // Cleared before all else: after a fault operands() holds what was decoded of this instruction, never of the last
  // one.
  operand_count_ = 0;
  context_ = {};
  context_.row = grammar_.find_opcode(instruction.opcode);
  if (context_.row == nullptr) return DecodeFault::UnknownOpcode;
  // Grows to the longest instruction of the module and stays; twice its length, so that it seldom grows again.
  if (operands_.size() < instruction.word_count) operands_.resize(std::size_t{instruction.word_count} * 2);

  Recorder recorder(operands_.data());
  OperandWalk<Recorder> walk(grammar_, *seen_, instruction, context_, recorder);
  DecodeFault fault = walk.run();
  operand_count_ = static_cast<std::size_t>(recorder.end() - operands_.data());
  // Also after a fault, so that one broken definition does not make faults of all its uses.
  if ((context_.row->flags & HasResult) != 0) fault = walk.define_result();
  return fault;
}

ScalarType OperandDecoder::scalar_type(Word type_id) const { return seen_->scalar_type(type_id); }

Word OperandDecoder::type_of(Word value_id) const { return seen_->type_of(value_id); }

}  // namespace vireo::spirv

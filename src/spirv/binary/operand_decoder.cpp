// SPDX-License-Identifier: Apache-2.0
//
// The operand decoder (vireo/spirv/binary/operand.h): the operand walk with a visitor that records the operands.
//
// The operand layout of an instruction depends on its opcode and its length. Often it also depends on one
// enumerant or mask, on the type of a literal, or on an extended instruction and its set, but rarely on more. So the
// decoder caches the operands of a walk as a Form. A later instruction with the same values in these words reuses the
// Form without a walk. Instructions whose layout depends on more words (strings, OpSwitch) have no Form. Only the walk
// reports faults.
#include <algorithm>
#include <array>

#include "spirv/binary/operand_walk.h"
#include "vireo/spirv/binary/views/type_declaration.h"

namespace vireo::spirv {
namespace {

// Appends operand records to a buffer. Every operand has at least one word, so a buffer with one record for each word
// of the instruction is large enough.
class Recorder {
 public:
  explicit Recorder(Operand* first) : next_(first) {}

  void id(Word, const Operand& operand) { take(operand); }
  void enumerant(const EnumerantRow&, const Operand& operand) { take(operand); }
  void other(Word, const Operand& operand) { take(operand); }

  [[nodiscard]] const Operand* end() const { return next_; }
  [[nodiscard]] std::uint32_t shapes() const { return shapes_; }

 private:
  void take(const Operand& operand) {
    *next_++ = operand;
    shapes_ |= OperandDecoder::bit_of(operand.shape);
  }

  Operand* next_;
  std::uint32_t shapes_ = 0;
};

// The number of cached forms, a power of two. A module uses about fifty opcodes, few of them with more than two
// different lengths. In a small module some forms share a slot; that costs less than clearing a larger table.
constexpr std::size_t most_forms = 128, fewest_forms = 32;
constexpr std::size_t small_module = 4000;  // words

// The word that determines most of an instruction's operands, if its opcode does not: the number of an extended
// instruction, the decoration, the type of a literal. 0: none.
std::size_t selecting_word(Op opcode) {
  switch (opcode) {
    case Op::OpExtInst: return 4;
    case Op::OpDecorate: return 2;
    case Op::OpConstant: return 1;
    default: return 0;
  }
}

// A hash of opcode, length and selecting word.
std::size_t place_of(InstructionView instruction) {
  Word key = instruction.first[0];
  if (const std::size_t word = selecting_word(instruction.opcode); word != 0) key ^= instruction.word(word) << 6;
  return key * 0x9E3779B1u >> 25;
}

}  // namespace

ScalarType declared_scalar(InstructionView declaration) {
  using Class = ScalarType::Class;
  const View<Op::OpTypeInt> integer(declaration);  // OpTypeFloat has its width in the same word
  const auto width = static_cast<std::uint16_t>(std::min<Word>(integer.width(), 0xFFFF));
  if (declaration.opcode == Op::OpTypeInt && integer.signedness().word < declaration.word_count)
    return {Class::Integer, integer.signedness() != 0, width, ScalarType::no_encoding};
  if (declaration.opcode != Op::OpTypeFloat || integer.width().word >= declaration.word_count) return {};
  const auto encoding = View<Op::OpTypeFloat>(declaration).floating_point_encoding();
  return {Class::Float, true, width, encoding ? static_cast<Word>(encoding->value) : ScalarType::no_encoding};
}

// --- forms --------------------------------------------------------------------------------------------------------------

struct OperandDecoder::Form {
  static constexpr std::size_t most_operands = 10;

  Word first = 0;                             // opcode and length; 0: the slot is empty
  Word selector_value = 0;                    // the enumerant, the mask, the number of an extended instruction, a type
  Word set_value = 0;                         // the id of the extended instruction's set
  std::uint8_t selector = 0;                  // index of the word that must equal selector_value; 0 if there is none
  std::uint8_t set = 0;                       // index of the word that must equal set_value; 0 if there is none
  std::uint8_t ids = 0;                       // words 1 to `ids` are all ids
  std::uint8_t late_first = 0, late_end = 0;  // a later range of id words, as after a storage class
  std::uint8_t result = 0;                    // index of the result's word; 0 if there is no result
  std::uint8_t operand_count = 0;
  Word untyped = seen::defined_only;  // the IdTypeTable entry for a result without a type
  std::uint32_t shapes = 0;
  OperandContext context;
  std::array<Operand, most_operands> operands{};
};

// Decodes an instruction that matches the form and returns true. Returns false and changes nothing if the instruction
// does not match, if an id is 0, or if the result is already defined. The walk reports such faults.
inline bool OperandDecoder::decode_by_form(const Form& form, InstructionView instruction) {
  const Word* const words = instruction.first;
  if (form.first != instruction.first[0]) return false;
  if (words[form.selector] != form.selector_value || words[form.set] != form.set_value) return false;
  // There are mostly two or three such words, so vectorizing the loop does not pay.
  for (std::size_t i = 1; i <= form.ids; ++i) {
    if (words[i] == 0) return false;
  }
  for (std::size_t i = form.late_first; i < form.late_end; ++i) {
    if (words[i] == 0) return false;
  }
  if (form.result != 0) {
    const Word id = words[form.result];
    if (seen_->get(id) != 0) return false;
    const bool has_type = form.result == 2 && words[1] < seen::first_not_type_id;
    seen_->set(id, has_type ? words[1] : form.untyped);
  }
  context_ = form.context;
  operands_ = {form.operands.data(), form.operand_count};
  shapes_ = form.shapes;
  return true;
}

// Caches a form of the instruction that was just walked without a fault, unless its operands depend on more words than
// a form can hold.
void OperandDecoder::remember(Form& form, InstructionView instruction) const {
  const InstructionRow& row = *context_.row;
  // The end of a string, and so the position of later operands, depends on the string's characters.
  if ((shapes_ & bit_of(OperandShape::LiteralString)) != 0) return;
  if (operands_.size() > Form::most_operands || instruction.opcode == Op::OpSwitch) return;
  // define_result() records the literals of these types, so each such instruction has to be walked.
  if (instruction.opcode == Op::OpTypeInt) return;
  if (instruction.opcode == Op::OpTypeFloat) return;
  Form made;
  for (const Operand& operand : operands_) {
    switch (operand.shape) {
      case OperandShape::IdRef:
      case OperandShape::IdResultType:
      case OperandShape::IdResult:
      case OperandShape::IdScope:
      case OperandShape::IdMemorySemantics:
        if (operand.word == made.ids + 1) {
          ++made.ids;
        } else if (made.late_end == 0) {
          made.late_first = static_cast<std::uint8_t>(operand.word);
          made.late_end = static_cast<std::uint8_t>(operand.word + 1);
        } else if (operand.word == made.late_end) {
          ++made.late_end;
        } else {
          return;
        }
        break;
      case OperandShape::LiteralExtInstInteger:
        if (context_.ext_inst == nullptr || operand.word < 2) return;
        made.set = static_cast<std::uint8_t>(operand.word - 1);
        made.set_value = instruction.first[made.set];
        [[fallthrough]];
      case OperandShape::ValueEnum:
      case OperandShape::BitEnum:
        if (made.selector != 0) return;
        made.selector = static_cast<std::uint8_t>(operand.word);
        made.selector_value = instruction.first[operand.word];
        break;
      case OperandShape::LiteralContextDependentNumber:
        // The result type determines the number of words. It cannot be declared again with another width.
        if (made.selector != 0) return;
        made.selector = 1;
        made.selector_value = instruction.first[1];
        break;
      case OperandShape::LiteralInteger:
      case OperandShape::LiteralFloat: break;
      default: return;
    }
  }
  made.first = instruction.first[0];
  if (made.selector == 0) made.selector_value = made.first;
  if (made.set == 0) made.set_value = made.first;
  made.result = static_cast<std::uint8_t>(row.result_word());
  if ((row.flags & DeclaresType) != 0) made.untyped = seen::is_type | seen::pack({});
  if (made.result > made.ids) return;  // only possible with a loaded grammar
  made.operand_count = static_cast<std::uint8_t>(operands_.size());
  made.shapes = shapes_;
  made.context = context_;
  std::copy(operands_.begin(), operands_.end(), made.operands.begin());
  form = made;
}

// --- decoding -----------------------------------------------------------------------------------------------------------

OperandDecoder::OperandDecoder(const Grammar& grammar, Word bound, std::size_t word_count)
    : grammar_(grammar),
      seen_(new IdTypeTable(bound, word_count)),
      forms_(word_count < small_module ? fewest_forms : most_forms),
      last_form_(forms_.size() - 1),
      buffer_(64) {}

OperandDecoder::~OperandDecoder() = default;
OperandDecoder::OperandDecoder(OperandDecoder&&) noexcept = default;
OperandDecoder& OperandDecoder::operator=(OperandDecoder&&) noexcept = default;

DecodeFault OperandDecoder::decode(InstructionView instruction) {
  Form& form = forms_[place_of(instruction) & last_form_];
  if (decode_by_form(form, instruction)) [[likely]] { return DecodeFault::None; }
  return decode_by_walk(form, instruction);
}

// Not inlined, so that decode() needs few registers.
[[gnu::noinline]] DecodeFault OperandDecoder::decode_by_walk(Form& form, InstructionView instruction) {
  // Cleared first: after a fault, operands() holds the operands decoded from this instruction, never from the previous
  // one.
  operands_ = {};
  shapes_ = 0;
  context_ = {};
  context_.row = grammar_.find_opcode(instruction.opcode);
  if (context_.row == nullptr) return DecodeFault::UnknownOpcode;
  // The buffer is never shrunk. It grows to twice the length of the instruction, so that it rarely grows again.
  if (buffer_.size() < instruction.word_count) buffer_.resize(std::size_t{instruction.word_count} * 2);

  Recorder recorder(buffer_.data());
  OperandWalk<Recorder> walk(grammar_, *seen_, instruction, context_, recorder);
  DecodeFault fault = walk.run();
  operands_ = {buffer_.data(), recorder.end()};
  shapes_ = recorder.shapes();
  // Also after a fault, so that a malformed definition does not cause faults at all its uses.
  if ((context_.row->flags & HasResult) != 0) fault = walk.define_result();
  if (fault == DecodeFault::None) remember(form, instruction);
  return fault;
}

ScalarType OperandDecoder::scalar_type(Word type_id) const { return seen_->scalar_type(type_id); }

Word OperandDecoder::type_of(Word value_id) const { return seen_->type_of(value_id); }

}  // namespace vireo::spirv

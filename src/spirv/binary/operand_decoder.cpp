// SPDX-License-Identifier: Apache-2.0
//
// The operand decoder: walks one instruction against its pattern (vireo/spirv/operand.h says what for).
//
// The one idea: `Walk` holds a position in the words and takes operands from it as the rows of the grammar demand. Rows
// lead to rows (a mask's parameters, a set's instruction, a composite's bases) at most as deep as the grammar nests,
// which the loader bounds; nothing here depends on how the input nests.
//
// What the pattern alone cannot tell is remembered per id in one word: see `Ids`.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <unordered_map>

#include "spirv/grammar/special_cases.h"
#include "vireo/spirv/enums.h"
#include "vireo/spirv/operand.h"

namespace vireo::spirv {
namespace {

// What is known of an id, in one word:
//   0                    not defined yet
//   0x8000'0000 | bits   a type; the bits are those of a packed ScalarType
//   0x4000'0000 | set    an import, of a set (0x2000'0000 when the set is unknown but non-semantic)
//   0x7FFF'FFFF          defined, has no type (labels, strings, decoration groups)
//   otherwise            a value; the word is the id of its type
constexpr Word is_type = 0x80000000;
constexpr Word is_import = 0x40000000;
constexpr Word unknown_set = 0x20000000;
constexpr Word defined_only = 0x7FFFFFFF;
constexpr Word first_not_type_id = 0x40000000;  // a type id beyond this is not remembered: no real module has one

// A packed ScalarType: class (2 bits), sign (1), width (10), encoding (16; 0 = none, else value + 1).
constexpr Word pack(ScalarType type) {
  const Word width = type.width > 1023 ? 1023 : type.width;
  const Word encoding = type.encoding == ScalarType::no_encoding ? 0 : (type.encoding >= 0xFFFE ? 0xFFFF : type.encoding + 1);
  return static_cast<Word>(type.class_) | Word{type.is_signed} << 2 | width << 3 | encoding << 13;
}

constexpr ScalarType unpack(Word bits) {
  ScalarType type;
  type.class_ = static_cast<ScalarType::Class>(bits & 3);
  type.is_signed = (bits >> 2 & 1) != 0;
  type.width = static_cast<std::uint16_t>(bits >> 3 & 1023);
  const Word encoding = bits >> 13 & 0xFFFF;
  type.encoding = encoding == 0 ? ScalarType::no_encoding : encoding - 1;
  return type;
}

// Ids up to this are looked up by index whatever the module's size; the pages are only touched when used.
constexpr std::size_t dense_limit = std::size_t{1} << 24;

}  // namespace

struct OperandDecoder::Ids {
  struct Free {
    void operator()(Word* p) const { std::free(p); }
  };
  std::unique_ptr<Word, Free> dense;  // zeroed lazily by the system, unlike a vector
  std::size_t dense_count = 0;
  std::unordered_map<Word, Word> sparse;  // ids that a lying header or a strange module puts far out

  Ids(Word bound, std::size_t word_count) {
    dense_count = std::min(std::max<std::size_t>(bound, word_count), dense_limit);
    dense.reset(static_cast<Word*>(std::calloc(dense_count + 1, sizeof(Word))));
    if (!dense) dense_count = 0;
  }

  [[nodiscard]] Word get(Word id) const {
    if (id < dense_count) return dense.get()[id];
    const auto found = sparse.find(id);
    return found == sparse.end() ? 0 : found->second;
  }
  void set(Word id, Word info) {
    if (id < dense_count) {
      dense.get()[id] = info;
    } else {
      sparse[id] = info;
    }
  }
};

// One instruction. Each `take` returns false when the walk cannot go on; `fault` then says why.
class OperandDecoder::Walk {
 public:
  Walk(OperandDecoder& decoder, InstructionView instruction)
      : d_(decoder), g_(decoder.grammar_), words_(instruction.first), count_(instruction.word_count),
        next_(decoder.operands_.data()), opcode_(instruction.opcode) {}

  DecodeFault run(const InstructionRow& row) {
    if (take_pattern(row.operands) && position_ < count_) fail(DecodeFault::SurplusWords);
    d_.operand_count_ = static_cast<std::size_t>(next_ - d_.operands_.data());
    return fault_;
  }

  /// Remembers the result, if the words hold one, even of an instruction that could not be followed to its end.
  DecodeFault define_result(const InstructionRow& row);

 private:
  [[gnu::cold]] bool fail(DecodeFault fault) {
    fault_ = fault;
    d_.fault_word_ = static_cast<std::uint16_t>(std::min<std::uint32_t>(position_, count_ == 0 ? 0 : count_ - 1u));
    return false;
  }

  // A fault that does not stop the walk: the first one is kept.
  [[gnu::cold]] void remark(DecodeFault fault) {
    if (fault_ != DecodeFault::None) return;
    fault_ = fault;
    d_.fault_word_ = static_cast<std::uint16_t>(position_);
  }

  void emit(OperandShape shape, KindId kind, std::uint32_t word_count) {
    *next_++ = {static_cast<std::uint16_t>(position_), static_cast<std::uint16_t>(word_count), kind, shape, in_parameters_ != 0};
    position_ += word_count;
  }

  // Most operands are ids, so they do not take the way through take_quantified and take.
  bool take_pattern(Slice rows) {
    for (const OperandRow& row : g_.operands(rows)) {
      if (row.shape <= OperandShape::IdMemorySemantics && row.quantifier == Quantifier::One) [[likely]] {
        if (position_ >= count_) return fail(DecodeFault::MissingOperand);
        take_id(row.shape, row.kind);
      } else if (!take_quantified(row)) {
        return false;
      }
    }
    return true;
  }

  void take_id(OperandShape shape, KindId kind) {
    if (words_[position_] == 0) [[unlikely]] remark(DecodeFault::ZeroId);
    emit(shape, kind, 1);
  }

  bool take_quantified(const OperandRow& row) {
    switch (row.quantifier) {
      case Quantifier::One: return take(row);
      case Quantifier::Optional: return position_ >= count_ || take(row);
      case Quantifier::Star:
        if (pattern_ended_) return true;
        if (row.shape <= OperandShape::IdMemorySemantics) {
          while (position_ < count_) take_id(row.shape, row.kind);
          return true;
        }
        while (position_ < count_) {
          if (!take(row)) return false;
        }
        return true;
    }
    return true;
  }

  bool take(const OperandRow& row);
  bool take_string(KindId kind);
  bool take_enumerant(const OperandRow& row);
  bool take_mask(const OperandRow& row);
  bool take_parameters(Slice parameters);
  bool take_typed_literal(KindId kind, ScalarType type);
  bool take_ext_inst(KindId kind);
  bool take_spec_opcode(KindId kind);
  bool find_constant_type();
  bool find_selector_type();

  OperandDecoder& d_;
  const Grammar& g_;
  const Word* words_;
  std::uint32_t count_;
  std::uint32_t position_ = 1;
  Operand* next_;  // where the next record goes
  std::uint16_t opcode_;
  DecodeFault fault_ = DecodeFault::None;
  std::uint8_t in_parameters_ = 0;
  bool pattern_ended_ = false;  // a semantic set's instruction has said all; a trailing `*` takes nothing more
  bool selector_known_ = false;
};

bool OperandDecoder::Walk::take(const OperandRow& row) {
  if (position_ >= count_) return fail(DecodeFault::MissingOperand);
  switch (row.shape) {
    case OperandShape::IdRef:
    case OperandShape::IdResultType:
    case OperandShape::IdResult:
    case OperandShape::IdScope:
    case OperandShape::IdMemorySemantics: take_id(row.shape, row.kind); return true;
    case OperandShape::LiteralInteger:
      // The labels of OpSwitch are the one place where a literal integer's width comes from elsewhere.
      if (opcode_ == static_cast<std::uint16_t>(Op::OpSwitch)) {
        if (!selector_known_ && !find_selector_type()) return false;
        return take_typed_literal(row.kind, d_.literal_type_);
      }
      [[fallthrough]];
    case OperandShape::LiteralFloat: emit(row.shape, row.kind, 1); return true;
    case OperandShape::LiteralString: return take_string(row.kind);
    case OperandShape::LiteralContextDependentNumber:
      return find_constant_type() && take_typed_literal(row.kind, d_.literal_type_);
    case OperandShape::LiteralExtInstInteger: return take_ext_inst(row.kind);
    case OperandShape::LiteralSpecConstantOpInteger: return take_spec_opcode(row.kind);
    case OperandShape::ValueEnum: return take_enumerant(row);
    case OperandShape::BitEnum: return take_mask(row);
    case OperandShape::Composite: return take_pattern(g_.kind(row.kind).bases);
  }
  return true;
}

// A string ends with the first word that holds a NUL byte.
bool OperandDecoder::Walk::take_string(KindId kind) {
  for (std::uint32_t i = position_; i < count_; ++i) {
    const Word w = words_[i];
    if (((w - 0x01010101u) & ~w & 0x80808080u) != 0) {
      emit(OperandShape::LiteralString, kind, i - position_ + 1);
      return true;
    }
  }
  return fail(DecodeFault::UnterminatedString);
}

bool OperandDecoder::Walk::take_parameters(Slice parameters) {
  if (parameters.count == 0) return true;
  ++in_parameters_;
  const bool ok = take_pattern(parameters);
  --in_parameters_;
  return ok;
}

bool OperandDecoder::Walk::take_enumerant(const OperandRow& row) {
  const EnumerantRow* enumerant = g_.find_value(row.kind, words_[position_]);
  if (enumerant == nullptr) return fail(DecodeFault::UnknownEnumerant);
  emit(OperandShape::ValueEnum, row.kind, 1);
  return take_parameters(enumerant->parameters);
}

// Parameters of a mask follow in the order of its bits, lowest first (specification 3, "each bit ... in order").
bool OperandDecoder::Walk::take_mask(const OperandRow& row) {
  const Word mask = words_[position_];
  bool has_parameters = false;
  for (Word rest = mask; rest != 0; rest &= rest - 1) {
    const EnumerantRow* bit = g_.find_value(row.kind, rest & (~rest + 1));
    if (bit == nullptr) return fail(DecodeFault::UnknownMaskBits);
    has_parameters |= bit->parameters.count != 0;
  }
  emit(OperandShape::BitEnum, row.kind, 1);
  if (!has_parameters) return true;
  for (Word rest = mask; rest != 0; rest &= rest - 1) {
    if (!take_parameters(g_.find_value(row.kind, rest & (~rest + 1))->parameters)) return false;
  }
  return true;
}

bool OperandDecoder::Walk::take_typed_literal(KindId kind, ScalarType type) {
  if (type.width == 0) return fail(DecodeFault::UnsupportedWidth);
  const std::uint32_t words = (type.width + 31u) / 32u;
  if (count_ - position_ < words) return fail(DecodeFault::TruncatedLiteral);
  emit(OperandShape::LiteralContextDependentNumber, kind, words);
  return true;
}

bool OperandDecoder::Walk::find_constant_type() {
  d_.literal_type_ = d_.scalar_type(words_[1]);
  if (d_.literal_type_.class_ != ScalarType::Class::None) return true;
  fail(DecodeFault::TypeNotScalar);
  d_.fault_word_ = 1;
  return false;
}

bool OperandDecoder::Walk::find_selector_type() {
  const Word type = d_.type_of(words_[1]);
  d_.literal_type_ = type == 0 ? ScalarType{} : d_.scalar_type(type);
  if (d_.literal_type_.class_ == ScalarType::Class::Integer) return selector_known_ = true;
  fail(DecodeFault::SelectorNotInteger);
  d_.fault_word_ = 1;
  return false;
}

// The instruction of a set follows the set's id; its operands follow the number (special case 1 of the grammar).
bool OperandDecoder::Walk::take_ext_inst(KindId kind) {
  const Word set_id = words_[position_ - 1];
  const Word info = d_.ids_->get(set_id);
  if ((info & is_type) != 0 || (info & is_import) == 0 || info == defined_only) {
    --position_;
    return fail(DecodeFault::SetNotImported);
  }
  const Word number = words_[position_];
  bool takes_surplus = true;
  if ((info & unknown_set) == 0) {
    d_.ext_inst_set_ = ExtInstSetId{info & 0xFFFF};
    const ExtInstSetRow& set = g_.sets[d_.ext_inst_set_.index()];
    d_.ext_inst_ = g_.find_ext_inst(d_.ext_inst_set_, number);
    takes_surplus = set.is_non_semantic || opcode_ == static_cast<std::uint16_t>(Op::OpExtInstWithForwardRefsKHR);
    if (d_.ext_inst_ == nullptr && !set.is_non_semantic) return fail(DecodeFault::UnknownExtInst);
  }
  emit(OperandShape::LiteralExtInstInteger, kind, 1);
  if (d_.ext_inst_ != nullptr && !take_pattern(d_.ext_inst_->operands)) return false;
  pattern_ended_ = !takes_surplus;
  return true;
}

bool OperandDecoder::Walk::take_spec_opcode(KindId kind) {
  const Word opcode = words_[position_];
  const InstructionRow* inner = g_.find_opcode(opcode);
  if (inner == nullptr || !is_permitted_in_spec_constant_op(static_cast<std::uint16_t>(opcode))) {
    return fail(DecodeFault::UnknownSpecOpcode);
  }
  d_.spec_row_ = inner;
  emit(OperandShape::LiteralSpecConstantOpInteger, kind, 1);
  for (const OperandRow& row : g_.operands(inner->operands)) {
    if (row.shape == OperandShape::IdResult || row.shape == OperandShape::IdResultType) continue;
    if (!take_quantified(row)) return false;
  }
  // The outer pattern may end in `IdRef *` for the inner operands (older grammars); they are all taken.
  pattern_ended_ = true;
  return true;
}

// What later instructions need to know of a result. A definition that is incomplete still counts as one, so that a
// broken declaration is reported once and not again at each of its uses.
DecodeFault OperandDecoder::Walk::define_result(const InstructionRow& row) {
  const bool typed = (row.flags & HasResultType) != 0;
  const std::uint32_t result_word = typed ? 2 : 1;
  if (count_ <= result_word) return fault_;
  const Word id = words_[result_word];
  Word info = defined_only;
  if (typed) {
    info = words_[1] < first_not_type_id ? words_[1] : defined_only;
  } else if (generates_type(g_, row)) {
    ScalarType type;
    if (row.opcode == static_cast<std::uint16_t>(Op::OpTypeInt) && count_ > 3) {
      type = {ScalarType::Class::Integer, words_[3] != 0, static_cast<std::uint16_t>(std::min<Word>(words_[2], 0xFFFF)),
              ScalarType::no_encoding};
    } else if (row.opcode == static_cast<std::uint16_t>(Op::OpTypeFloat) && count_ > 2) {
      type = {ScalarType::Class::Float, true, static_cast<std::uint16_t>(std::min<Word>(words_[2], 0xFFFF)),
              count_ > 3 ? words_[3] : ScalarType::no_encoding};
    }
    info = is_type | pack(type);
  } else if (row.opcode == static_cast<std::uint16_t>(Op::OpExtInstImport) && count_ > 2) {
    const char* name = reinterpret_cast<const char*>(words_ + 2);
    const std::string_view import{name, strnlen(name, (count_ - 2) * sizeof(Word))};
    const ExtInstSetId set = g_.find_set(import);
    if (set) {
      info = is_import | set.raw;
    } else if (import.starts_with("NonSemantic.")) {
      info = is_import | unknown_set;
    } else {
      position_ = 2;
      remark(DecodeFault::UnknownImport);
    }
  }
  if (d_.ids_->get(id) != 0) {
    position_ = typed ? 2 : 1;
    remark(DecodeFault::IdDefinedTwice);
    return fault_;  // the first definition wins
  }
  d_.ids_->set(id, info);
  return fault_;
}

OperandDecoder::OperandDecoder(const Grammar& grammar, Word bound, std::size_t word_count)
    : grammar_(grammar), ids_(std::make_unique<Ids>(bound, word_count)), facts_(ids_->dense.get()),
      fact_count_(ids_->dense_count) {
  operands_.resize(64);
}

OperandDecoder::~OperandDecoder() = default;
OperandDecoder::OperandDecoder(OperandDecoder&&) noexcept = default;
OperandDecoder& OperandDecoder::operator=(OperandDecoder&&) noexcept = default;

DecodeFault OperandDecoder::decode(InstructionView instruction) {
  operand_count_ = 0;
  spec_row_ = nullptr;
  ext_inst_ = nullptr;
  ext_inst_set_ = {};
  fault_word_ = 0;
  row_ = grammar_.find_opcode(instruction.opcode);
  if (row_ == nullptr) return DecodeFault::UnknownOpcode;
  // Every operand has at least one word, so this many records always suffice.
  if (operands_.size() < instruction.word_count) operands_.resize(std::size_t{instruction.word_count} * 2);

  Walk walk(*this, instruction);
  const DecodeFault fault = walk.run(*row_);
  return (row_->flags & HasResult) != 0 ? walk.define_result(*row_) : fault;
}

bool OperandDecoder::take_ids_only(InstructionView instruction) {
  const InstructionRow* row = grammar_.find_opcode(instruction.opcode);
  if (row == nullptr) return false;
  const std::uint32_t ids = instruction.word_count - 1u;
  if (ids == row->leading_ids ? row->rest == PatternRest::Other : ids < row->leading_ids || row->rest != PatternRest::Ids) {
    return false;
  }
  for (std::uint32_t i = 1; i <= ids; ++i) {
    if (instruction.first[i] == 0) [[unlikely]] return false;
  }
  // Results with a type say only which; declarations have more to tell, and go the long way.
  if ((row->flags & HasResult) != 0) {
    if ((row->flags & HasResultType) == 0 && instruction.opcode != static_cast<std::uint16_t>(Op::OpLabel)) return false;
    const bool is_typed = (row->flags & HasResultType) != 0;
    const Word id = instruction.first[is_typed ? 2 : 1];
    const Word info = is_typed ? instruction.first[1] : defined_only;
    if (id >= fact_count_ || facts_[id] != 0 || (is_typed && info >= first_not_type_id)) return false;
    facts_[id] = info;
  }
  row_ = row;
  return true;
}

ScalarType OperandDecoder::scalar_type(Word type_id) const {
  const Word info = ids_->get(type_id);
  return (info & is_type) != 0 ? unpack(info & ~is_type) : ScalarType{};
}

Word OperandDecoder::type_of(Word value_id) const {
  const Word info = ids_->get(value_id);
  return info < first_not_type_id ? info : 0;
}

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// Builds instances of instructions.
#include "system/instance_builder.h"

#include <algorithm>

#include "spirv/grammar/special_cases.h"
#include "vireo/spirv/binary/writer.h"
#include "vireo/spirv/grammar/enums.h"

namespace vireo::system_test {
namespace {

using spirv::Grammar;
using spirv::KindId;
using spirv::OperandRow;
using spirv::OperandShape;
using spirv::Quantifier;

constexpr std::uint16_t number(spirv::Op op) { return static_cast<std::uint16_t>(op); }

// The ids of the declarations before every instance, which its operands refer to.
constexpr Word import_id = 1;
constexpr Word int_type_id = 2;
constexpr Word value_id = 3;   // of the integer type, as selectors need
constexpr Word result_id = 7;  // ids 4 to 6 are used but never declared
constexpr Word bound = 8;

// Contains characters that need escapes, and is a valid name of an imported set.
constexpr std::string_view any_string = "NonSemantic.a \"b\" \\c\n";

class Writer {
 public:
  Writer(const Grammar& grammar, std::string_view import, const InstanceChoices& choices)
      : grammar_(grammar), choices_(choices), out_(words_) {
    spirv::write_header({.version_word = 0x00010600, .generator = 7u << 16, .bound = bound, .schema = 0}, words_);
    begin(spirv::Op::OpExtInstImport, {import_id});
    out_.string(import);
    end();
    begin(spirv::Op::OpTypeInt, {int_type_id, 32, 0});
    end();
    begin(spirv::Op::OpUndef, {int_type_id, value_id});
    end();
  }

  WordBuffer instance(const spirv::InstructionRow& row) {
    opcode_ = row.opcode;
    out_.begin(row.opcode);
    const std::size_t first = words_.size();
    pattern(grammar_.operands(row.operands), choices_.optionals);
    // The width of a float type depends on its encoding, which the grammar cannot express.
    if (opcode_ == spirv::Op::OpTypeFloat && words_.size() - first == 3) {
      words_[first + 1] = spirv::width_of_encoding(words_[first + 2]);
    }
    end();
    return std::move(words_);
  }

  WordBuffer instance(const spirv::ExtInstRow& row) {
    out_.begin(spirv::Op::OpExtInst);
    for (const Word word : {int_type_id, result_id, import_id, Word{row.number}}) out_.word(word);
    pattern(grammar_.operands(row.operands), choices_.optionals);
    end();
    return std::move(words_);
  }

 private:
  void begin(spirv::Op op, std::initializer_list<Word> operands) {
    out_.begin(op);
    for (const Word word : operands) out_.word(word);
  }
  void end() {
    if (!out_.end()) std::abort();  // only for instructions that are too long
  }

  void pattern(std::span<const OperandRow> rows, unsigned optionals) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      unsigned count = 1;
      if (rows[i].quantifier == Quantifier::Optional) count = optionals == 0 ? 0 : (--optionals, 1);
      if (rows[i].quantifier == Quantifier::Star) count = choices_.stars;
      const bool names_set = i + 1 < rows.size() && rows[i + 1].shape == OperandShape::LiteralExtInstInteger;
      for (; count != 0; --count) operand(rows[i], names_set);
    }
  }

  void operand(const OperandRow& row, bool names_set) {
    switch (row.shape) {
      case OperandShape::IdResultType: return out_.word(int_type_id);
      case OperandShape::IdResult: return out_.word(result_id);
      case OperandShape::IdRef: return out_.word(names_set ? import_id : next_id());
      case OperandShape::IdScope:
      case OperandShape::IdMemorySemantics: return out_.word(next_id());
      case OperandShape::LiteralInteger: return out_.word(3);
      case OperandShape::LiteralFloat: return out_.word(0x3FC00000);
      case OperandShape::LiteralString: return out_.string(any_string);
      case OperandShape::LiteralContextDependentNumber: return out_.word(7);
      case OperandShape::LiteralExtInstInteger:
        return out_.word(31);  // the set is unknown to the grammar; its operands are ids
      case OperandShape::LiteralSpecConstantOpInteger: return spec_opcode();
      case OperandShape::ValueEnum:
      case OperandShape::BitEnum: return enumerated(row.kind);
      case OperandShape::Composite: return pattern(grammar_.operands(grammar_.kind(row.kind).bases), 0);
    }
  }

  // The first id is a value of the integer type; the others are used but not declared.
  Word next_id() { return id_ < result_id ? id_++ : value_id; }

  void spec_opcode() {
    out_.word(choices_.spec_opcode);
    const spirv::InstructionRow* inner = grammar_.find_opcode(choices_.spec_opcode);
    if (inner == nullptr) return;
    std::vector<OperandRow> rows;
    for (const OperandRow& row : grammar_.operands(inner->operands)) {
      if (row.shape != OperandShape::IdResultType && row.shape != OperandShape::IdResult) rows.push_back(row);
    }
    pattern(rows, choices_.optionals);
  }

  void enumerated(KindId kind) {
    const spirv::KindRow& row = grammar_.kind(kind);
    const auto rows = grammar_.enumerants_of(row);
    const auto chosen = choices_.values.find(kind.raw);
    const Word value = chosen != choices_.values.end() ? chosen->second : rows.empty() ? 0 : rows.front().value;
    out_.word(value);
    if (row.shape == OperandShape::ValueEnum) return parameters(kind, value);
    for (Word rest = value; rest != 0; rest &= rest - 1) parameters(kind, rest & (~rest + 1));
  }

  void parameters(KindId kind, Word value) {
    const spirv::EnumerantRow* enumerant = grammar_.find_value(kind, value);
    if (enumerant != nullptr) pattern(grammar_.operands(enumerant->parameters), 1);
  }

  const Grammar& grammar_;
  const InstanceChoices& choices_;
  WordBuffer words_;
  spirv::InstructionWriter out_;
  spirv::Op opcode_ = spirv::Op::OpNop;
  Word id_ = value_id;
};

// Whether a pattern has operands of the kind, also within a composite or as a parameter. `values` collects the
// enumerants that must be chosen for this operand to be present.
bool leads_to(const Grammar& grammar, std::span<const OperandRow> rows, KindId kind, unsigned depth,
              std::unordered_map<std::uint16_t, Word>& values) {
  if (depth == 0) return false;
  for (const OperandRow& row : rows) {
    if (row.kind == kind) return true;
    const spirv::KindRow& kind_row = grammar.kind(row.kind);
    if (row.shape == OperandShape::Composite &&
        leads_to(grammar, grammar.operands(kind_row.bases), kind, depth, values)) {
      return true;
    }
    if (row.shape != OperandShape::ValueEnum && row.shape != OperandShape::BitEnum) continue;
    for (const spirv::EnumerantRow& enumerant : grammar.enumerants_of(kind_row)) {
      if (!leads_to(grammar, grammar.operands(enumerant.parameters), kind, depth - 1, values)) continue;
      values[row.kind.raw] = enumerant.value;
      return true;
    }
  }
  return false;
}

constexpr unsigned deepest_parameter = 3;
constexpr unsigned every_optional = 100;

}  // namespace

WordBuffer instance_of(const Grammar& grammar, const spirv::InstructionRow& row, const InstanceChoices& choices) {
  return Writer(grammar, any_string, choices).instance(row);
}

WordBuffer instance_of(const Grammar& grammar, const spirv::ExtInstSetRow& set, const spirv::ExtInstRow& row,
                       const InstanceChoices& choices) {
  std::string import(grammar.text(set.name));
  if (set.match == spirv::SetMatch::Prefix) import += "100";
  return Writer(grammar, import, choices).instance(row);
}

std::optional<KindHost> host_of(const Grammar& grammar, KindId kind) {
  KindHost host;
  for (const spirv::InstructionRow& row : grammar.instructions) {
    if (!leads_to(grammar, grammar.operands(row.operands), kind, deepest_parameter, host.values)) continue;
    host.instruction = &row;
    return host;
  }
  for (const spirv::ExtInstSetRow& set : grammar.sets) {
    for (const spirv::ExtInstRow& row : grammar.instructions_of(set)) {
      if (!leads_to(grammar, grammar.operands(row.operands), kind, deepest_parameter, host.values)) continue;
      host.set = &set;
      host.extended = &row;
      return host;
    }
  }
  return std::nullopt;
}

WordBuffer instance_of(const Grammar& grammar, const KindHost& host, KindId kind, Word value) {
  InstanceChoices choices{.optionals = every_optional, .stars = 1, .values = host.values};
  choices.values[kind.raw] = value;
  return host.instruction != nullptr ? instance_of(grammar, *host.instruction, choices)
                                     : instance_of(grammar, *host.set, *host.extended, choices);
}

}  // namespace vireo::system_test

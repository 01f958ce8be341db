// SPDX-License-Identifier: Apache-2.0
//
// Generated modules of specialization constants (operation_module.h). Reads the specialized words itself: only the
// assembler and the names of opcodes are the library's.
//
// Source: specification 2.2.1 (literals), 3.42.7 (constant-creation instructions), 3.42.11 (OpBitcast), 3.42.12
// (composites).
#include "spirv/transform/operation_module.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/text/assemble.h"

namespace vireo::spirv::naive {

using enum Op;

void Comparison::add(const Comparison& other) {
  values += other.values;
  scalars += other.scalars;
  undefined += other.undefined;
  kept += other.kept;
  if (fault_count == 0) faults = other.faults;
  fault_count += other.fault_count;
}

// --- declarations ----------------------------------------------------------------------------------------------------

TypeNumber OperationModule::add_type(std::string_view text, const std::vector<TypeNumber>& parts) {
  Type type = {.id = next_id_++, .scalar = {}, .parts = parts, .scalars = {}};
  for (const TypeNumber part : parts) {
    type.scalars.insert(type.scalars.end(), types_[part].scalars.begin(), types_[part].scalars.end());
  }
  if (!type.scalars.empty()) type.scalar = type.scalars[0];
  globals_ += "%" + std::to_string(type.id) + " = " + std::string(text) + "\n";
  types_.push_back(std::move(type));
  return types_.size() - 1;
}

TypeNumber OperationModule::scalar(ScalarType type) {
  for (std::size_t i = 0; i < types_.size(); ++i) {
    if (types_[i].parts.empty() && types_[i].scalar == type) return i;
  }
  std::string text = "OpTypeBool";
  if (type.kind == ScalarType::Kind::Float) text = "OpTypeFloat " + std::to_string(type.width);
  if (type.kind == ScalarType::Kind::Int)
    text = "OpTypeInt " + std::to_string(type.width) + (type.is_signed ? " 1" : " 0");
  const TypeNumber number = add_type(text, {});
  types_[number].scalar = type;
  types_[number].scalars = {type};
  return number;
}

TypeNumber OperationModule::vector(TypeNumber component, std::size_t count) {
  return add_type("OpTypeVector %" + std::to_string(types_[component].id) + " " + std::to_string(count),
                  std::vector<TypeNumber>(count, component));
}

TypeNumber OperationModule::array(TypeNumber element, std::size_t count) {
  const NodeNumber length = constant(scalar({.kind = ScalarType::Kind::Int, .width = 32}), count);
  return add_type("OpTypeArray %" + std::to_string(types_[element].id) + name(length),
                  std::vector<TypeNumber>(count, element));
}

TypeNumber OperationModule::structure(const std::vector<TypeNumber>& members) {
  std::string text = "OpTypeStruct";
  for (const TypeNumber member : members) text += " %" + std::to_string(types_[member].id);
  return add_type(text, members);
}

NodeNumber OperationModule::add_node(Node node, std::string_view text) {
  node.id = next_id_++;
  globals_ += "%" + std::to_string(node.id) + " = " + std::string(text) + "\n";
  nodes_.push_back(std::move(node));
  return nodes_.size() - 1;
}

NodeNumber OperationModule::specializable(TypeNumber type) {
  const std::string spec_id = std::to_string(spec_types_.size());
  decorations_ += "OpDecorate %" + std::to_string(next_id_) + " SpecId " + spec_id + "\n";
  const std::string id = "%" + std::to_string(types_[type].id);
  const bool is_bool = types_[type].scalar.kind == ScalarType::Kind::Bool;
  spec_types_.push_back(types_[type].scalar);
  return add_node({.kind = Node::Kind::Specializable, .type = type, .bits = spec_types_.size() - 1},
                  is_bool ? "OpSpecConstantFalse " + id : "OpSpecConstant " + id + " 0");
}

NodeNumber OperationModule::constant(TypeNumber type, std::uint64_t bits) {
  const ScalarType scalar = types_[type].scalar;
  EXPECT_TRUE(scalar.kind == ScalarType::Kind::Int && !scalar.is_signed) << "write the text of other constants";
  return add_node({.kind = Node::Kind::Constant, .type = type, .bits = bits},
                  "OpConstant %" + std::to_string(types_[type].id) + " " + std::to_string(bits));
}

NodeNumber OperationModule::undef(TypeNumber type) {
  return add_node({.kind = Node::Kind::Undef, .type = type}, "OpUndef %" + std::to_string(types_[type].id));
}

NodeNumber OperationModule::composite(TypeNumber type, const std::vector<NodeNumber>& parts) {
  std::string text = "OpSpecConstantComposite %" + std::to_string(types_[type].id);
  for (const NodeNumber part : parts) text += name(part);
  return add_node({.kind = Node::Kind::Composite, .type = type, .operands = parts}, text);
}

NodeNumber OperationModule::operation(Op op, TypeNumber type, const std::vector<NodeNumber>& operands,
                                      const std::vector<Word>& literals) {
  const Grammar& grammar = builtin_grammar();
  const std::string_view opcode = grammar.text(grammar.find_opcode(op)->name);
  std::string text = "OpSpecConstantOp %" + std::to_string(types_[type].id) + " " + std::string(opcode.substr(2));
  for (const NodeNumber operand : operands) text += name(operand);
  for (const Word literal : literals) text += " " + std::to_string(literal);
  return add_node({.kind = Node::Kind::Operation, .type = type, .op = op, .operands = operands, .literals = literals},
                  text);
}

WordBuffer OperationModule::words() const {
  Diagnostics diagnostics;
  Result<WordBuffer> result =
      assemble({"module", head_ + decorations_ + globals_}, {.preserve_numeric_ids = true}, diagnostics);
  EXPECT_TRUE(result.ok()) << (diagnostics.all().empty() ? "" : diagnostics.all()[0].message);
  return result ? std::move(result).value() : WordBuffer{};
}

// --- words -----------------------------------------------------------------------------------------------------------

namespace {

// Specification 2.2.1: an integer type with a sign extends it to the whole word; other types are extended with zeros.
std::vector<Word> literal_words(ScalarType type, std::uint64_t bits) {
  const bool is_negative = type.is_signed && (bits >> (type.width - 1) & 1) != 0;
  if (is_negative && type.width < 32) bits |= ~std::uint64_t{0} << type.width;
  if (type.width <= 32) return {static_cast<Word>(bits)};
  return {static_cast<Word>(bits), static_cast<Word>(bits >> 32)};
}

// An instruction with a result, by id.
struct Declared {
  Op op = OpNop;
  Words words;
};
using DeclaredById = std::map<Word, Declared>;

// All declarations with a type and a result id. Each id must be declared once, and after the ids that it uses.
DeclaredById declared_in(Words words) {
  DeclaredById result;
  for (std::size_t at = header_word_count; at < words.size();) {
    const Words instruction = words.subspan(at, words[at] >> 16);
    const Op op = static_cast<Op>(instruction[0] & 0xFFFF);
    at += instruction.size();
    const bool is_constant =
        (op >= OpConstantTrue && op <= OpSpecConstantOp && op != OpConstantSampler) || op == OpUndef;
    if (!is_constant) continue;
    EXPECT_LT(instruction[2], words[3]);
    EXPECT_TRUE(result.emplace(instruction[2], Declared{op, instruction}).second) << "%" << instruction[2];
    if (op != OpConstantComposite && op != OpSpecConstantComposite) continue;
    for (const Word part : instruction.subspan(3)) EXPECT_TRUE(result.contains(part)) << "%" << part;
  }
  return result;
}

bool is_constant(Op op) {
  return op == OpConstant || op == OpConstantTrue || op == OpConstantFalse || op == OpConstantNull ||
         op == OpConstantComposite;
}

}  // namespace

WordBuffer OperationModule::words(const SpecValues& defaults) const {
  WordBuffer result = words();
  for (const Node& node : nodes_) {
    if (node.kind != Node::Kind::Specializable || !defaults[node.bits]) continue;
    const Words instruction = declared_in(result)[node.id].words;
    const auto at = result.begin() + (instruction.data() - result.data());
    const ScalarType type = types_[node.type].scalar;
    if (type.kind == ScalarType::Kind::Bool) {
      *at = 3u << 16 | static_cast<Word>(*defaults[node.bits] != 0 ? OpSpecConstantTrue : OpSpecConstantFalse);
    } else {
      std::ranges::copy(literal_words(type, *defaults[node.bits]), at + 3);
    }
  }
  return result;
}

// --- comparison ------------------------------------------------------------------------------------------------------

// One comparison.
class OperationModule::Run {
 public:
  Run(const OperationModule& module, Words before, Words after, const SpecValues& values)
      : module_(module), before_(declared_in(before)), after_(declared_in(after)), given_(values) {}

  Comparison compare(std::set<Word> warned) {
    for (const Node& node : module_.nodes_) {
      std::vector<Scalar> expected = value_of(node);
      settle(node, expected);
      if (must_warn_ != warned.contains(node.id) && !(may_warn_ && !must_warn_))
        report(node, must_warn_ ? "has no warning" : "has a warning");
      results_.push_back(std::move(expected));
    }
    return std::move(counts_);
  }

 private:
  // A scalar of a result. It is unknown if it is undefined, or depends on a constant without a value.
  struct Scalar {
    bool is_known = true;
    std::uint64_t bits = 0;
    Accepts accepts = Accepts::Exactly;
  };

  // --- values ---

  std::vector<Scalar> value_of(const Node& node) {
    must_warn_ = may_warn_ = false;
    const std::size_t count = module_.count_of(node.type);
    switch (node.kind) {
      case Node::Kind::Specializable: {
        const std::optional<std::uint64_t>& given = given_[node.bits];
        return {{.is_known = given.has_value(), .bits = given.value_or(0)}};
      }
      case Node::Kind::Constant: return {{.bits = node.bits}};
      case Node::Kind::Undef: return std::vector<Scalar>(count, Scalar{.is_known = false});
      case Node::Kind::Composite: {
        std::vector<Scalar> parts;
        for (const NodeNumber part : node.operands)
          parts.insert(parts.end(), results_[part].begin(), results_[part].end());
        return parts;
      }
      case Node::Kind::Operation: break;
    }
    const std::vector<Scalar>& first = results_[node.operands[0]];
    switch (node.op) {
      case OpVectorShuffle: return shuffled(node);
      case OpCompositeExtract: {
        const std::size_t begin = offset(module_.type_of(node.operands[0]), node.literals);
        return {first.begin() + static_cast<std::ptrdiff_t>(begin),
                first.begin() + static_cast<std::ptrdiff_t>(begin + count)};
      }
      case OpCompositeInsert: {
        std::vector<Scalar> result = results_[node.operands[1]];
        std::ranges::copy(first, result.begin() + static_cast<std::ptrdiff_t>(offset(node.type, node.literals)));
        return result;
      }
      case OpSelect: return selected(node);
      case OpBitcast: return bitcast(node);
      default: return componentwise(node);
    }
  }

  // The index of the first scalar of a part.
  [[nodiscard]] std::size_t offset(TypeNumber type, const std::vector<Word>& indexes) const {
    std::size_t result = 0;
    for (const Word index : indexes) {
      const std::vector<TypeNumber>& parts = module_.types_[type].parts;
      for (Word i = 0; i < index; ++i) result += module_.count_of(parts[i]);
      type = parts[index];
    }
    return result;
  }

  std::vector<Scalar> shuffled(const Node& node) {
    std::vector<Scalar> both = results_[node.operands[0]];
    both.insert(both.end(), results_[node.operands[1]].begin(), results_[node.operands[1]].end());
    std::vector<Scalar> result;
    for (const Word index : node.literals) {
      result.push_back(index == 0xFFFFFFFF ? Scalar{.is_known = false} : both[index]);
      // Whether a component without a source deserves a warning is open.
      if (index == 0xFFFFFFFF) may_warn_ = true;
    }
    return result;
  }

  std::vector<Scalar> selected(const Node& node) {
    const std::vector<Scalar>& conditions = results_[node.operands[0]];
    std::vector<Scalar> result;
    for (std::size_t i = 0; i < module_.count_of(node.type); ++i) {
      const Scalar& condition = conditions[conditions.size() == 1 ? 0 : i];
      if (condition.is_known) result.push_back(results_[node.operands[condition.bits != 0 ? 1 : 2]][i]);
      else result.push_back({.is_known = false});
    }
    return result;
  }

  // Bit by bit: the lower bits are in the components with the lower numbers.
  std::vector<Scalar> bitcast(const Node& node) {
    const TypeNumber from_type = module_.type_of(node.operands[0]);
    const unsigned from = module_.scalar_of(from_type).width, to = module_.scalar_of(node.type).width;
    std::vector<Scalar> result(module_.count_of(node.type));
    for (std::size_t bit = 0; bit < result.size() * to; ++bit) {
      const Scalar& source = results_[node.operands[0]][bit / from];
      result[bit / to].is_known &= source.is_known;
      result[bit / to].bits |= (source.bits >> (bit % from) & 1) << (bit % to);
    }
    return result;
  }

  std::vector<Scalar> componentwise(const Node& node) {
    std::vector<Scalar> result;
    for (std::size_t i = 0; i < module_.count_of(node.type); ++i) {
      Operand operands[2];
      bool is_known = true;
      for (std::size_t k = 0; k < node.operands.size(); ++k) {
        const Scalar& scalar = results_[node.operands[k]][i];
        operands[k] = {module_.scalar_of(module_.type_of(node.operands[k])), scalar.bits};
        is_known &= scalar.is_known;
      }
      result.push_back({.is_known = false});
      if (!is_known) continue;
      const Outcome outcome = evaluate(node.op, module_.scalar_of(node.type), operands[0], operands[1]);
      result.back() = {outcome.is_defined, outcome.bits, outcome.accepts};
      if (!outcome.is_defined) may_warn_ = true;
    }
    // If an operand stays, the library need not look at the components that are known.
    must_warn_ = may_warn_ && all_constant(node);
    return result;
  }

  // --- the written declaration ---

  [[nodiscard]] bool all_constant(const Node& node) const {
    return std::ranges::all_of(node.operands, [&](NodeNumber operand) {
      const auto found = after_.find(module_.nodes_[operand].id);
      return found != after_.end() && is_constant(found->second.op);
    });
  }

  // Compares the declaration with the expected scalars, and replaces these by the written ones.
  void settle(const Node& node, std::vector<Scalar>& expected) {
    const auto found = after_.find(node.id);
    if (found == after_.end()) return report(node, "is missing");
    const Declared& declared = found->second;
    const bool is_known = std::ranges::all_of(expected, &Scalar::is_known);
    if (!is_known || (!is_constant(declared.op) && !all_constant(node))) {
      ++(must_warn_ ? counts_.undefined : counts_.kept);
      if (!std::ranges::equal(declared.words, before_[node.id].words))
        report(node, "changed, but its value is unknown");
      return;
    }
    if (!is_constant(declared.op)) return report(node, "stays, but its value is known");
    std::vector<std::uint64_t> bits;
    if (!read(node.id, node.type, bits)) return report(node, "is an ill-formed constant");
    ++counts_.values;
    counts_.scalars += bits.size();
    for (std::size_t i = 0; i < bits.size(); ++i) {
      const ScalarType type = module_.types_[node.type].scalars[i];
      bool is_equal = bits[i] == expected[i].bits;
      if (expected[i].accepts == Accepts::AnyNan) is_equal = is_nan(type, bits[i]);
      if (expected[i].accepts == Accepts::EitherZero) is_equal = is_zero(type, bits[i]);
      if (!is_equal) {
        report(node, "has scalar " + std::to_string(i) + " = " + std::to_string(bits[i]) + "; expected " +
                         std::to_string(expected[i].bits));
      }
      expected[i].bits = bits[i];
    }
  }

  // Appends the scalars of a constant. Its type and the words of its literals must be exact.
  bool read(Word id, TypeNumber type_number, std::vector<std::uint64_t>& bits) const {
    const Type& type = module_.types_[type_number];
    const auto found = after_.find(id);
    if (found == after_.end() || found->second.words[1] != type.id) return false;
    const Words words = found->second.words;
    switch (found->second.op) {
      case OpConstantNull: bits.insert(bits.end(), type.scalars.size(), 0); return words.size() == 3;
      case OpConstantTrue:
      case OpConstantFalse:
        bits.push_back(found->second.op == OpConstantTrue ? 1 : 0);
        return words.size() == 3 && type.parts.empty() && type.scalar.kind == ScalarType::Kind::Bool;
      case OpConstant: {
        if (!type.parts.empty() || type.scalar.kind == ScalarType::Kind::Bool) return false;
        std::uint64_t value = words[3];
        if (words.size() > 4) value |= std::uint64_t{words[4]} << 32;
        if (type.scalar.width < 64) value &= (std::uint64_t{1} << type.scalar.width) - 1;
        bits.push_back(value);
        return std::ranges::equal(words.subspan(3), literal_words(type.scalar, value));
      }
      case OpConstantComposite:
        if (words.size() != 3 + type.parts.size()) return false;
        for (std::size_t i = 0; i < type.parts.size(); ++i) {
          if (!read(words[3 + i], type.parts[i], bits)) return false;
        }
        return true;
      default: return false;
    }
  }

  void report(const Node& node, const std::string& what) {
    if (++counts_.fault_count > 20) return;
    const auto text_of = [&](const Node& each) {
      std::string text;
      for (const Declared& declared :
           {before_.at(each.id), after_.contains(each.id) ? after_.at(each.id) : Declared{}}) {
        text += text.empty() ? "(" : " -> ";
        for (const Word word : declared.words) text += std::to_string(word) + " ";
      }
      return text + ")";
    };
    counts_.faults += "%" + std::to_string(node.id) + " " + what + " " + text_of(node);
    for (const NodeNumber operand : node.operands) {
      const ScalarType type = module_.scalar_of(module_.type_of(operand));
      counts_.faults += "\n  operand of width " + std::to_string(type.width) + (type.is_signed ? " signed" : "") +
                        ": " + text_of(module_.nodes_[operand]);
    }
    counts_.faults += "\n";
  }

  const OperationModule& module_;
  DeclaredById before_;
  const DeclaredById after_;
  const SpecValues& given_;
  std::vector<std::vector<Scalar>> results_;   // of the nodes before
  bool must_warn_ = false, may_warn_ = false;  // for the node that is compared
  Comparison counts_;
};

Comparison OperationModule::compare(Words before, Words after, const SpecValues& values,
                                    const Diagnostics& diagnostics) const {
  std::set<Word> warned;
  Comparison result;
  for (const Diagnostic& each : diagnostics.all()) {
    const bool is_expected = each.rule == "spec-undefined" && each.severity == Severity::Warning &&
                             each.where.kind == Location::Kind::Words &&
                             warned.insert(before[each.where.begin + 2]).second;
    if (!is_expected) result.faults += std::string(each.rule) + ": " + each.message + "\n", ++result.fault_count;
  }
  result.add(Run(*this, before, after, values).compare(std::move(warned)));
  return result;
}

}  // namespace vireo::spirv::naive

// SPDX-License-Identifier: Apache-2.0
//
// Writes constants as expressions (constant_expression.h).
//
// The operands of an OpSpecConstantOp form a graph, which as a tree can be exponentially larger. Each leaf writes a
// character, so the limit of the text bounds the time too.
#include "spirv/inspect/reflect/constant_expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "spirv/inspect/reflect/reflection_cells.h"
#include "vireo/spirv/binary/views/composite.h"
#include "vireo/spirv/binary/views/constant_creation.h"
#include "vireo/spirv/binary/views/type_declaration.h"
#include "vireo/spirv/grammar/enum_names.h"
#include "vireo/spirv/module/constants.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/type_text.h"
#include "vireo/spirv/module/types.h"

namespace vireo::spirv {
namespace {

constexpr std::size_t max_text = 400;
constexpr int max_depth = 32;           // of operations in operations
constexpr std::size_t max_nodes = 256;  // constants that are searched for SpecIds

// Operations with a sign between two operands. A higher number binds more tightly.
struct SignRow {
  Op opcode;
  std::string_view sign;
  int precedence;
};
constexpr SignRow sign_rows[] = {
    {Op::OpIMul, "*", 9},
    {Op::OpUDiv, "/", 9},
    {Op::OpSDiv, "/", 9},
    {Op::OpUMod, "%", 9},
    {Op::OpSRem, "%", 9},
    {Op::OpSMod, "%", 9},
    {Op::OpIAdd, "+", 8},
    {Op::OpISub, "-", 8},
    {Op::OpShiftLeftLogical, "<<", 7},
    {Op::OpShiftRightLogical, ">>", 7},
    {Op::OpShiftRightArithmetic, ">>", 7},
    {Op::OpULessThan, "<", 6},
    {Op::OpSLessThan, "<", 6},
    {Op::OpUGreaterThan, ">", 6},
    {Op::OpSGreaterThan, ">", 6},
    {Op::OpULessThanEqual, "<=", 6},
    {Op::OpSLessThanEqual, "<=", 6},
    {Op::OpUGreaterThanEqual, ">=", 6},
    {Op::OpSGreaterThanEqual, ">=", 6},
    {Op::OpIEqual, "==", 5},
    {Op::OpINotEqual, "!=", 5},
    {Op::OpBitwiseAnd, "&", 4},
    {Op::OpBitwiseXor, "^", 3},
    {Op::OpBitwiseOr, "|", 2},
    {Op::OpLogicalAnd, "&&", 1},
    {Op::OpLogicalOr, "||", 0},
};
constexpr int no_precedence = -1;  // OpSelect, and an expression without parentheses

Words constituents_of(InstructionView composite) {
  if (const auto constant = as<Op::OpSpecConstantComposite>(composite)) return constant->constituents().words();
  const auto constant = as<Op::OpConstantComposite>(composite);
  return constant ? constant->constituents().words() : Words{};
}

class ExpressionWriter {
 public:
  explicit ExpressionWriter(const Facts& facts) : facts_(facts), module_(facts.module()) {}

  std::string run(Word constant) {
    write(constant, no_precedence, 0);
    if (text_.size() > max_text) {
      text_.resize(max_text);
      text_ += "…";
    }
    return std::move(text_);
  }

 private:
  // `outer`: the precedence of the operation around it; a weaker one gets parentheses.
  void write(Word id, int outer, int depth) {
    if (text_.size() > max_text) return;
    const Constants& constants = facts_.constants();
    if (const auto value = constants.as_i64(id)) return append(std::to_string(*value));
    if (const auto value = constants.as_u64(id)) return append(std::to_string(*value));
    if (const auto value = constants.as_bool(id)) return append(*value ? "true" : "false");
    const DecorationRow* row = facts_.decorations().find(id, Decoration::SpecId);
    if (row != nullptr) return append(fmt::format("SpecId {}", facts_.decorations().operand_or(*row, 0)));
    const InstructionView definition = module_.find(id);
    if (const auto size = as<Op::OpConstantSizeOfEXT>(definition)) {
      // The size of a tensor descriptor does not depend on the tensor.
      const bool is_tensor = facts_.types().of(size->type()).is(TypeKind::Tensor);
      return append(fmt::format("sizeof({})", is_tensor ? "tensor" : descriptor_type_text(facts_, size->type())));
    }
    const auto operation = as<Op::OpSpecConstantOp>(definition);
    if (operation && depth < max_depth) return write_operation(*operation, outer, depth);
    append(name_text(facts_.names().of(id), id));
  }

  void write_operation(View<Op::OpSpecConstantOp> operation, int outer, int depth) {
    const Words operands = operation.operands().words();
    const Op opcode = operation.opcode();
    const auto* sign = std::ranges::find(sign_rows, opcode, &SignRow::opcode);
    if (const auto aligned = as_alignment(opcode, operands)) {
      append("align(");
      write(aligned->first, no_precedence, depth + 1);
      append(", ");
      write(aligned->second, no_precedence, depth + 1);
      return append(")");
    }
    if (sign != std::end(sign_rows) && operands.size() == 2) {
      const bool is_weaker = sign->precedence < outer;
      if (is_weaker) append("(");
      write(operands[0], sign->precedence, depth + 1);
      append(fmt::format(" {} ", sign->sign));
      write(operands[1], sign->precedence + 1, depth + 1);  // `a - b - c` is `(a - b) - c`
      if (is_weaker) append(")");
      return;
    }
    if (opcode == Op::OpSelect && operands.size() == 3) {
      const bool is_inner = outer != no_precedence;
      if (is_inner) append("(");
      write(operands[0], 0, depth + 1);
      append(" ? ");
      write(operands[1], 0, depth + 1);
      append(" : ");
      write(operands[2], no_precedence, depth + 1);
      if (is_inner) append(")");
      return;
    }
    // A conversion of an integer to another width keeps its value, unless it does not fit.
    const bool is_conversion = opcode == Op::OpUConvert || opcode == Op::OpSConvert || opcode == Op::OpBitcast;
    if (is_conversion && operands.size() == 1) return write(operands[0], outer, depth + 1);
    if (opcode == Op::OpCompositeExtract && operands.size() == 2) {
      if (const Word part = part_of(operands[0], operands[1]); part != 0) return write(part, outer, depth + 1);
    }
    std::string_view name = name_of(opcode);
    if (name.starts_with("Op")) name.remove_prefix(2);
    append(fmt::format("{}(", name));
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (i > 0) append(", ");
      const bool is_literal = opcode == Op::OpCompositeExtract && i > 0;
      if (is_literal) append(std::to_string(operands[i]));
      else write(operands[i], no_precedence, depth + 1);
    }
    append(")");
  }

  [[nodiscard]] Word part_of(Word composite, Word index) const {
    const Words parts = constituents_of(module_.find(composite));
    return index < parts.size() ? parts[index] : 0;
  }

  // `x + (n - x % n) % n`, as front ends write it: x and n.
  [[nodiscard]] std::optional<std::pair<Word, Word>> as_alignment(Op opcode, Words operands) const {
    if (opcode != Op::OpIAdd || operands.size() != 2) return std::nullopt;
    const auto padding = operands_of(operands[1], Op::OpUMod);
    if (!padding) return std::nullopt;
    const auto rest = operands_of(padding->first, Op::OpISub);
    if (!rest || rest->first != padding->second) return std::nullopt;
    const auto modulo = operands_of(rest->second, Op::OpUMod);
    if (!modulo || *modulo != std::pair(operands[0], padding->second)) return std::nullopt;
    return modulo;
  }
  [[nodiscard]] std::optional<std::pair<Word, Word>> operands_of(Word id, Op opcode) const {
    const auto operation = as<Op::OpSpecConstantOp>(module_.find(id));
    if (!operation || operation->opcode() != opcode) return std::nullopt;
    const Words operands = operation->operands().words();
    return operands.size() == 2 ? std::optional(std::pair(operands[0], operands[1])) : std::nullopt;
  }

  void append(std::string_view text) { text_ += text; }

  const Facts& facts_;
  const Module& module_;
  std::string text_;
};

// The SpecIds that a constant depends on, ascending.
std::vector<Word> spec_ids_of(const Facts& facts, Word constant) {
  std::vector<Word> found = {constant}, spec_ids;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const DecorationRow* row = facts.decorations().find(found[i], Decoration::SpecId);
    if (row != nullptr) spec_ids.push_back(facts.decorations().operand_or(*row, 0));
    const InstructionView definition = facts.module().find(found[i]);
    const auto operation = as<Op::OpSpecConstantOp>(definition);
    const Words operands = operation ? operation->operands().words() : constituents_of(definition);
    for (const Word operand : operands) {
      // Literals of the operation can look like ids; only constants are followed.
      const bool is_new = found.size() < max_nodes && facts.constants().find(operand) != nullptr &&
                          std::ranges::find(found, operand) == found.end();
      if (is_new) found.push_back(operand);
    }
  }
  std::ranges::sort(spec_ids);
  spec_ids.erase(std::unique(spec_ids.begin(), spec_ids.end()), spec_ids.end());
  return spec_ids;
}

void add_spec_ids(ReflectedNumber& result, const ReflectedNumber& other) {
  for (const Word spec_id : other.spec_ids) {
    const auto place = std::ranges::lower_bound(result.spec_ids, spec_id);
    if (place == result.spec_ids.end() || *place != spec_id) result.spec_ids.insert(place, spec_id);
  }
}

bool is_empty(const ReflectedNumber& number) { return !number.value && number.expression.empty(); }
// Without the value that specialization can change.
std::string plain_text(const ReflectedNumber& number) {
  return number.expression.empty() ? std::to_string(*number.value) : number.expression;
}

}  // namespace

ReflectedNumber number_of_constant(const Facts& facts, Word constant) {
  ReflectedNumber number;
  if (facts.constants().find(constant) == nullptr) return number;
  number.value = facts.constants().as_u64(constant, ValueUse::OrDefault);
  if (facts.constants().as_u64(constant)) return number;
  number.spec_ids = spec_ids_of(facts, constant);
  number.expression = ExpressionWriter(facts).run(constant);
  return number;
}

ReflectedNumber sum_of(const ReflectedNumber& a, const ReflectedNumber& b) {
  if (is_empty(a) || is_empty(b)) return {};
  if (a.value == 0 && a.expression.empty()) return b;
  if (b.value == 0 && b.expression.empty()) return a;
  ReflectedNumber sum;
  if (a.value && b.value && *a.value <= ~*b.value) sum.value = *a.value + *b.value;
  if (!sum.value || !a.expression.empty() || !b.expression.empty()) {
    sum.expression = fmt::format("{} + {}", plain_text(a), plain_text(b));
  }
  add_spec_ids(sum, a);
  add_spec_ids(sum, b);
  return sum;
}

ReflectedNumber product_of(const ReflectedNumber& a, const ReflectedNumber& b) {
  const auto is = [](const ReflectedNumber& number, std::uint64_t value) {
    return number.value == value && number.expression.empty();
  };
  if (is(a, 0) || is(b, 0)) return number_of(0);
  if (is_empty(a) || is_empty(b)) return {};
  if (is(a, 1)) return b;
  if (is(b, 1)) return a;
  ReflectedNumber product;
  if (a.value && b.value && *a.value <= ~std::uint64_t{0} / std::max<std::uint64_t>(*b.value, 1)) {
    product.value = *a.value * *b.value;
  }
  const auto factor = [](const ReflectedNumber& number) {
    const std::string text = plain_text(number);
    return text.find_first_of("+-?<>&^|%/") == std::string::npos || text.starts_with("align(") ? text
                                                                                               : "(" + text + ")";
  };
  if (!product.value || !a.expression.empty() || !b.expression.empty()) {
    product.expression = fmt::format("{} * {}", factor(a), factor(b));
  }
  add_spec_ids(product, a);
  add_spec_ids(product, b);
  return product;
}

std::string number_text(const ReflectedNumber& number) {
  if (!number.value) return number.expression;
  if (number.expression.empty()) return std::to_string(*number.value);
  return fmt::format("{} ({})", *number.value, number.expression);
}

namespace {

// "tensor<f32, 4 x 2>", "tensor<f32, rank 2>", "tensor<f32>". Devices support ranks up to some 6.
std::string tensor_text(const Facts& facts, const TypeRow& type) {
  constexpr std::size_t most = 16;  // dimensions
  const View<Op::OpTypeTensorARM> tensor(facts.module().find(type.id));
  std::string text = "tensor<" + type_text(facts, tensor.element_type());
  const ReflectedNumber rank = tensor.rank() ? number_of_constant(facts, *tensor.rank()) : ReflectedNumber();
  const ConstantRow* shape = tensor.shape() ? facts.constants().find(*tensor.shape()) : nullptr;
  const bool is_repeated = shape != nullptr && shape->kind == ConstantKind::Repeated;
  const std::uint64_t count = shape == nullptr ? 0 : is_repeated ? rank.value.value_or(0) : shape->part_count();
  if (count == 0 || count > most || shape->part_count() == 0) {
    return text + (is_empty(rank) ? ">" : fmt::format(", rank {}>", number_text(rank)));
  }
  const auto parts = facts.constants().parts(*shape);
  for (std::size_t i = 0; i < count; ++i) {
    const ConstantRow& part = facts.constants().row(parts[is_repeated ? 0 : i]);
    const bool is_evaluated = part.id == 0 && part.is_scalar();
    const std::string size = number_text(is_evaluated ? number_of(part.bits) : number_of_constant(facts, part.id));
    text += fmt::format("{}{}", i == 0 ? ", " : " x ", size.empty() ? "?" : size);
  }
  return text + ">";
}

}  // namespace

std::string resource_type_text(const Facts& facts, Word type) {
  const TypeRow& row = facts.types().of(type);
  return row.is(TypeKind::Tensor) ? tensor_text(facts, row) : type_text(facts, type);
}

std::string descriptor_type_text(const Facts& facts, Word type) {
  const TypeRow& row = facts.types().of(type);
  switch (row.kind) {
    case TypeKind::Buffer: return row.storage == StorageClass::Uniform ? "uniform buffer" : "storage buffer";
    case TypeKind::AccelerationStructure: return "acceleration structure";
    default: return resource_type_text(facts, type);
  }
}

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// Constants in the notation of shading languages (specification 3.42.7, constant-creation instructions):
// `vec4(1.0, 1.0, 2.0, 1.0)`, `int[3]{1, 2, 3}`, `spec 3, default 1.5`.
//
// The line shows one instruction. The annotation shows the values of the ids that the instruction refers to.
#include <charconv>
#include <cmath>
#include <optional>

#include "spirv/grammar/opcode_families.h"
#include "spirv/text/annotate/annotate_remark.h"
#include "spirv/text/literal_text.h"
#include "spirv/text/literal_value.h"
#include "vireo/spirv/binary/views/constant_creation.h"

namespace vireo::spirv {
namespace {

constexpr int max_depth = 4;                                  // nesting levels of composites
constexpr std::uint64_t hex_worthy = std::uint64_t{1} << 16;  // larger integers are more readable as hexadecimal

// OpSpecConstant has the operands of OpConstant, and OpSpecConstantComposite has those of OpConstantComposite. So one
// view serves both.
Words literal_of(InstructionView constant) { return View<Op::OpConstant>(constant).value().words(); }

// The shortest decimal that converts back to the same float, in single precision unless the value is a double. Single
// precision represents every value of the narrow formats exactly.
void add_float(Remark& remark, std::uint64_t bits, FloatFormat format) {
  const double value = value_of_float(bits, format);
  if (std::isnan(value)) {
    remark.add("nan");
    return;
  }
  char digits[64];
  char* const end = digits + sizeof digits;
  const char* last = format == FloatFormat::Double ? std::to_chars(digits, end, value).ptr
                                                   : std::to_chars(digits, end, static_cast<float>(value)).ptr;
  const std::string_view text(digits, static_cast<std::size_t>(last - digits));
  remark.add(text);
  // Prints 1 as 1.0, which marks a float in shading languages. Texts with an exponent, inf and nan are unchanged.
  if (text.find_first_of(".en") == std::string_view::npos) remark.add(".0");
}

bool add_constant_at(Remark& remark, InstructionView definition, int depth);

// Adds a constituent, one level deeper. A constituent whose value cannot be shown is written as its id.
void add_constituent(Remark& remark, Word id, int depth) {
  const InstructionView definition = remark.facts.definition(id);
  const bool is_named = !remark.facts.name_of(id).empty();  // a name from OpName is more useful than the value
  if (is_named || !add_constant_at(remark, definition, depth)) remark.add_id(id);
}

// Vectors and matrices are written like calls, `vec4(...)`; arrays and structures like initializers, `S{...}`. This is
// the notation of GLSL and C; the specification only lists constituents.
void add_composite(Remark& remark, View<Op::OpConstantComposite> composite, int depth) {
  const Word type = composite.result_type();
  const Op type_op = op_of(remark.facts.definition(type));
  const bool is_call = type_op == Op::OpTypeVector || type_op == Op::OpTypeMatrix;
  add_type(remark, type);
  remark.add(is_call ? "(" : "{");
  if (depth == max_depth) {
    remark.add("...");
  } else {
    const auto constituents = composite.constituents();
    for (std::size_t i = 0; i < constituents.size() && !remark.is_full(); ++i) {
      if (i > 0) remark.add(", ");
      add_constituent(remark, constituents[i], depth + 1);
    }
  }
  remark.add(is_call ? ")" : "}");
}

bool add_constant_at(Remark& remark, InstructionView definition, int depth) {
  switch (op_of(definition)) {
    case Op::OpConstantTrue:
    case Op::OpSpecConstantTrue: remark.add("true"); return true;
    case Op::OpConstantFalse:
    case Op::OpSpecConstantFalse: remark.add("false"); return true;
    case Op::OpConstantNull: {
      const Word type = View<Op::OpConstantNull>(definition).result_type();
      if (depth > 0) {
        const Op type_op = op_of(remark.facts.definition(type));
        // At top level the type is more informative than the zero. Within a composite the context shows the type.
        const bool is_scalar = type_op == Op::OpTypeInt || type_op == Op::OpTypeFloat || type_op == Op::OpTypeBool;
        remark.add(is_scalar ? "0" : "null");
        return true;
      }
      remark.add("null ");
      add_type(remark, type);
      return true;
    }
    case Op::OpUndef: remark.add("undef"); return true;
    case Op::OpConstant:
    case Op::OpSpecConstant:
      add_literal(remark, literal_of(definition),
                  remark.facts.scalar_type(View<Op::OpConstant>(definition).result_type()));
      return true;
    case Op::OpConstantComposite:
    case Op::OpSpecConstantComposite:
      add_composite(remark, View<Op::OpConstantComposite>(definition), depth);
      return true;
    default: return false;
  }
}

// `spec 3, default 1.5`: the SpecId by which an application sets the value, and the default value.
bool remark_on_spec_constant(Remark& remark, InstructionView constant) {
  const std::optional<Word> spec_id =
      remark.facts.decoration_parameter(ValueOperands(constant).result(), Decoration::SpecId);
  if (!spec_id) return false;
  remark.add("spec ").add(std::uint64_t{*spec_id}).add(", default ");
  add_constant_at(remark, constant, 0);
  remark.has_news = true;
  return true;
}

// Adds a number that is hard to read on the line: a float without a decimal notation there, or a bit pattern.
bool remark_on_scalar(Remark& remark, InstructionView constant) {
  const ScalarType type = remark.facts.scalar_type(View<Op::OpConstant>(constant).result_type());
  const Words literal = literal_of(constant);
  if (type.class_ == ScalarType::Class::Float) {
    // The line shows half and all smaller formats as hexadecimal (docs/text.md, "What literals mean").
    if (type.width >= 32) return false;
    add_literal(remark, literal, type);
  } else if (type.class_ == ScalarType::Class::Integer && type.width <= 64) {
    const std::uint64_t bits = literal_bits(literal);
    // Small numbers are readable on the line, and a negative number as hexadecimal would be a row of f. Literals of
    // narrow types are extended to a word, so the word's sign bit is the sign.
    const std::uint64_t sign = std::uint64_t{1} << ((type.width <= 32 ? 32 : 64) - 1);
    if (bits < hex_worthy || (type.is_signed && (bits & sign) != 0)) return false;
    char digits[16];
    const auto end = std::to_chars(digits, digits + sizeof digits, bits, 16).ptr;
    remark.add("0x").add({digits, static_cast<std::size_t>(end - digits)});
  } else {
    return false;
  }
  remark.has_news = !remark.is_empty();
  return true;
}

}  // namespace

// A literal without a notation (docs/text.md, more than 64 bits) is shown as a question mark; the line shows its words.
void add_literal(Remark& remark, Words words, ScalarType type) {
  if (type.class_ == ScalarType::Class::Float) {
    const std::optional<FloatFormat> format = float_format_of(type.width, type.encoding);
    if (format && words.size() * 32 >= type.width) return add_float(remark, literal_bits(words), *format);
  }
  char digits[max_number_chars];
  const char* end = print_literal(digits, words, type);
  if (end == digits) {
    remark.add("?");
  } else {
    remark.add({digits, static_cast<std::size_t>(end - digits)});
  }
}

bool add_constant(Remark& remark, InstructionView definition) { return add_constant_at(remark, definition, 1); }

// Lines with true, false and most numbers get no annotation: they already show the value.
bool remark_on_constant(Remark& remark, InstructionView instruction) {
  const Op op = op_of(instruction);
  if (is_scalar_spec_constant(op) && remark_on_spec_constant(remark, instruction)) return true;
  switch (op) {
    case Op::OpConstantComposite:
    case Op::OpSpecConstantComposite: {
      const View<Op::OpConstantComposite> composite(instruction);
      const auto built_in = remark.facts.decoration_parameter(composite.result(), Decoration::BuiltIn);
      add_composite(remark, composite, 0);
      // Specification, BuiltIn WorkgroupSize: the decorated constant is the workgroup size of the whole module.
      if (built_in && static_cast<BuiltIn>(*built_in) == BuiltIn::WorkgroupSize) remark.add(", workgroup size");
      remark.has_news = true;
      return true;
    }
    case Op::OpConstantNull:
      add_constant_at(remark, instruction, 0);
      remark.has_news = !remark.line_shows(View<Op::OpConstantNull>(instruction).result_type());
      return true;
    default: break;
  }
  return is_literal_constant(op) && remark_on_scalar(remark, instruction);
}

}  // namespace vireo::spirv

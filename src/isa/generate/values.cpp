// SPDX-License-Identifier: Apache-2.0
//
// Generates the statements that print fields. docs/isaspec.md, "Types".
//
// A mispredicted branch costs more than copying ten bytes. A flag copies its text unconditionally and
// then adds its length or 0. An enumeration of few bits is a table of short texts, with the length of each in its last
// byte.
#include <algorithm>
#include <array>

#include "isa/generate/instruction_writer.h"

namespace vireo::isa::generate {
namespace {

// The maximum width of a field that indexes a table of texts. The table has at most 256 rows of 16 bytes.
constexpr std::uint32_t max_table_bits = 8;
// The maximum lengths of numbers, in bytes. A single has up to 39 digits before the point and six after it; a half has
// fewer.
constexpr std::size_t longest_decimal = 20;
constexpr std::size_t longest_float = 56;
constexpr std::size_t longest_flag = 32;  // longer texts are written conditionally

// Runtime functions take numbers as unsigned 64-bit values; signed numbers also have a width argument. The length
// includes a sign.
Code number_code(std::string_view function, const std::string& value, const std::string& more = {}) {
  return {"o = " + std::string(function) + "(o, (uint64_t)" + value + more + ");\n", longest_decimal + 1};
}

// Narrow fields have faster functions: a number of three bits has one digit, and one of eight bits is copied from a
// table.
Code decimal_code(const Field& field, const std::string& value) {
  if (field.is_derived() || field.width > max_table_bits) return number_code("@decimal", value);
  return number_code(field.width <= 3 ? "@digit" : "@small", value);
}

// Returns a C table of texts of at most `size - 1` bytes each. Characters are written as numbers, so they need no
// escapes; a comment shows the text.
std::string piece_table(const std::vector<std::string>& texts, std::size_t size) {
  std::string table = "[" + std::to_string(texts.size()) + "][" + std::to_string(size) + "] = {\n";
  for (const std::string& text : texts) {
    table += "  {";
    for (std::size_t i = 0; i + 1 < size; ++i)
      table += i < text.size() ? std::to_string(static_cast<signed char>(text[i])) + "," : "0,";
    table += std::to_string(text.size()) + "}, /* " + comment_text(text) + " */\n";
  }
  return table + "};";
}

}  // namespace

// `shown_in` is the scope whose display shows the field. The candidate's scope defines the field; params may lead to an
// outer scope.
Code InstructionWriter::shown_code(const StaticScope& shown_in, const Segment& segment, const Candidate& candidate) {
  Code result;
  if (segment.has_align) result = {"o = @pad(s, o, " + std::to_string(segment.align) + ");\n", segment.align};
  const std::string_view name = segment.text.substr(0, segment.text.find(":align="));
  const Code value = candidate.field->type == FieldType::Bitset ? nested_code(shown_in, name, candidate)
                                                                : value_code(segment, candidate);
  result.text += value.text;
  result.longest += value.longest;
  return result;
}

// Returns code that writes a text if a condition holds. If the condition is a bit, its value is multiplied by the
// length of the text, without a branch.
Code InstructionWriter::text_if(std::string_view text, const std::string& condition, bool is_bit) {
  if (text.empty()) return {};
  const std::string arguments = "o, " + quoted_literal(text) + ", " + std::to_string(text.size());
  if (text.size() > longest_flag)
    return {"if " + in_parentheses(condition) + " o = @put(" + arguments + ");\n", text.size()};
  return {"o = @flag(" + arguments + ", " + condition + (is_bit ? "" : " != 0") + ");\n", text.size()};
}

// Generates the code for each type (docs/isaspec.md, "Types"). Each size is the maximum length of the text; it
// contributes to the size of the caller's buffer.
Code InstructionWriter::value_code(const Segment& segment, const Candidate& candidate) {
  const Field& field = *candidate.field;
  if (!field.is_derived() && field.width > bits_per_word) {
    if (std::optional<Code> wide = wide_code(candidate)) return std::move(*wide);
  }
  const std::string value = field_value(candidate);
  // Evaluating a derived value may report a missing name, so it is evaluated even if the display is empty.
  const std::string evaluation =
      field.is_derived() && !scopes_.is_clean(*candidate.scope, field.expression) ? "(void)" + value + ";\n" : "";
  const bool is_bit = !field.is_derived() && field.width == 1;
  const std::string width = ", " + std::to_string(field.width);
  switch (field.type) {
    case FieldType::Uint: return decimal_code(field, value);
    case FieldType::Int: return number_code("@signed_decimal", value, width);
    case FieldType::Hex: return number_code("@hex", value);
    case FieldType::Offset: return number_code("@offset", value, width);
    case FieldType::Uoffset: return number_code("@uoffset", value);
    case FieldType::Float: return {"o = @real(s, o, (uint64_t)" + value + width + ");\n", longest_float};
    case FieldType::Bool: {
      if (!field.has_display) return decimal_code(field, value);
      Code code = text_if(field.display, value, is_bit);
      if (code.text.empty()) code.text = evaluation;
      return code;
    }
    case FieldType::BoolInv: {
      // A flag with an empty display prints nothing; a flag without a display prints the digit.
      if (!field.has_display) return {"*o++ = " + value + " == 0 ? '1' : '0';\n", 1};
      Code code = text_if(field.display, "!" + value, true);
      if (code.text.empty()) code.text = evaluation;
      return code;
    }
    case FieldType::Branch:
    case FieldType::Absbranch: {
      // The label pass skips leaves without branches.
      has_branch_ = true;
      const std::string_view function = field.type == FieldType::Branch ? "@branch" : "@absbranch";
      const std::string call = field.is_call ? ", @call_target" : ", @branch_target";
      return {"o = " + std::string(function) + "(s, o, (uint64_t)" + value + width + call + ");\n",
              longest_decimal + 4};
    }
    // The callback writes the text, at most this many bytes, and returns how many it wrote.
    case FieldType::Custom: {
      const std::string_view name = segment.text.substr(0, segment.text.find(":align="));
      return {"o = @custom(s, o, " + quoted_literal(name) + ", (uint64_t)" + value + ");\n", callback_room};
    }
    case FieldType::Enum: return enum_code(field, value);
    // Handled in shown_code.
    case FieldType::Bitset: break;
  }
  return {};
}

// Handles fields of more than 64 bits. Returns nothing for types that read only the lowest 64 bits. A decimal digit
// represents more than three bits, so a third of the width is enough for the digits.
std::optional<Code> InstructionWriter::wide_code(const Candidate& candidate) {
  const Field& field = *candidate.field;
  const std::string where =
      "w, " + std::to_string(candidate.scope->low + field.low) + ", " + std::to_string(field.width);
  const std::size_t digits = std::size_t{field.width} / 3 + 4;  // of a decimal, with its sign
  const auto number = [&](std::string_view function) {
    return Code{"o = " + std::string(function) + "(o, " + where + ");\n", digits};
  };
  switch (field.type) {
    case FieldType::Uint: return number("@wide_decimal");
    case FieldType::Int: return number("@wide_signed");
    case FieldType::Hex: return number("@wide_hex");
    case FieldType::Offset: return number("@wide_offset");
    case FieldType::Uoffset: return number("@wide_uoffset");
    case FieldType::Bool:
      if (!field.has_display) return number("@wide_decimal");
      return text_if(field.display, "@any_bits(" + where + ")", true);
    case FieldType::BoolInv:
      if (!field.has_display) return Code{"*o++ = @any_bits(" + where + ") ? '0' : '1';\n", 1};
      return text_if(field.display, "!@any_bits(" + where + ")", true);
    case FieldType::Enum: {
      const std::uint32_t low = candidate.scope->low + field.low;
      // Enum values have 64-bit numbers, so a number with a higher bit set has no display.
      const std::string rest =
          "w, " + std::to_string(low + bits_per_word) + ", " + std::to_string(field.width - bits_per_word);
      const Code small = enum_code(field, bits_text(low, bits_per_word));
      return Code{"if (@any_bits(" + rest + ")) " + number("@wide_decimal").text + "else " + small.text,
                  std::max(digits, small.longest)};
    }
    default: return std::nullopt;
  }
}

// Uses a table for narrow fields, otherwise a switch. A number that the enum does not define is printed in decimal.
Code InstructionWriter::enum_code(const Field& field, const std::string& value) {
  const Enum& row = model_[field.enumeration];
  if (!field.is_derived() && field.width <= max_table_bits) {
    std::vector<std::string> texts;
    std::size_t longest = 0;
    for (std::uint64_t number = 0; number < std::uint64_t{1} << field.width; ++number) {
      const EnumValue* found = model_.find_value(row, number);
      texts.push_back(found != nullptr ? std::string(found->display) : std::to_string(number));
      longest = std::max(longest, texts.back().size());
    }
    // A processor copies rows of these sizes in one move. The last byte of a row is the length, so the text has one
    // byte less.
    for (const std::size_t size : {8, 16}) {
      if (longest >= size) continue;
      const std::string table = writer_.define('t', "const char", piece_table(texts, size), model_.text(row.name));
      return {"o = @piece" + std::to_string(size) + "(o, " + table + "[" + value + "]);\n", longest};
    }
  }
  std::size_t longest = longest_decimal;
  std::string body = "(char* o, uint64_t v) {\n  switch (v) {\n";
  std::unordered_map<std::uint64_t, bool> seen;
  for (const EnumValue& entry : model_.values(row)) {
    if (!seen.emplace(entry.number, true).second) continue;  // the first row of a number applies
    longest = std::max(longest, entry.display.size());
    body += "    case " + hex_constant(entry.number) + ": return @put(o, " + quoted_literal(entry.display) + ", " +
            std::to_string(entry.display.size()) + ");\n";
  }
  body += std::string("    default: return @decimal(o, ") + (scopes_.is_mesa() ? "(uint32_t)v" : "v") + ");\n  }\n}";
  // Fields of one enum share the function, because its text names no field.
  const std::string function = writer_.define('n', "char*", body, model_.text(row.name));
  return {"o = " + function + "(o, (uint64_t)" + value + ");\n", longest};
}

}  // namespace vireo::isa::generate

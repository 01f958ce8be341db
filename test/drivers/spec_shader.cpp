// SPDX-License-Identifier: Apache-2.0
//
// The text of a shader that stores the values of specialization constants (spec_shader.h).
#include "drivers/spec_shader.h"

#include <algorithm>
#include <cassert>

namespace vireo::drivers {
namespace {

using Class = ScalarType::Class;

// clang-format off
constexpr ScalarType all_types[] = {
    {"bool", Class::Bool,      1, "OpTypeBool",     "",        nullptr},
    {"i8",   Class::Signed,    8, "OpTypeInt 8 1",  "Int8",    &SupportedTypes::int8},
    {"u8",   Class::Unsigned,  8, "OpTypeInt 8 0",  "Int8",    &SupportedTypes::int8},
    {"i16",  Class::Signed,   16, "OpTypeInt 16 1", "Int16",   &SupportedTypes::int16},
    {"u16",  Class::Unsigned, 16, "OpTypeInt 16 0", "Int16",   &SupportedTypes::int16},
    {"i32",  Class::Signed,   32, "OpTypeInt 32 1", "",        nullptr},
    {"u32",  Class::Unsigned, 32, "OpTypeInt 32 0", "",        nullptr},
    {"i64",  Class::Signed,   64, "OpTypeInt 64 1", "Int64",   &SupportedTypes::int64},
    {"u64",  Class::Unsigned, 64, "OpTypeInt 64 0", "Int64",   &SupportedTypes::int64},
    {"f16",  Class::Float,    16, "OpTypeFloat 16", "Float16", &SupportedTypes::float16},
    {"f32",  Class::Float,    32, "OpTypeFloat 32", "",        nullptr},
    {"f64",  Class::Float,    64, "OpTypeFloat 64", "Float64", &SupportedTypes::float64},
};
// clang-format on

}  // namespace

std::span<const ScalarType> scalar_types() { return all_types; }

const ScalarType& scalar_type(std::string_view name) {
  const auto* const found = std::ranges::find(all_types, name, &ScalarType::name);
  assert(found != std::end(all_types));
  return *found;
}

SpecShader::SpecShader(std::string name, const SupportedTypes& supported) : name_(std::move(name)) {
  for (const ScalarType& type : all_types) {
    // The bits of a half are read as a 16-bit integer.
    if (type.name == "f16" && !supported.int16) continue;
    if (type.supported == nullptr || supported.*type.supported) types_.push_back(&type);
  }
}

// --- text ---------------------------------------------------------------------------------------------------------------

std::string SpecShader::filled(std::string_view lines, std::string_view type) {
  std::string text;
  for (const char c : lines) {
    if (c == '$') text += type;
    else text += c;
  }
  return text;
}

std::string SpecShader::fresh() { return "%t" + std::to_string(ids_++); }

std::string SpecShader::type_id(Shape shape) const {
  const std::string name(shape.type->name);
  return shape.count == 1 ? "%" + name : "%v" + std::to_string(shape.count) + name;
}

// Instructions that reduce the words of a result to one word, whose id `sum` receives. This is the hash FNV-1a with
// words in place of bytes. Each step is a bijection, so a difference in one word always changes the sum.
std::string SpecShader::checksum(const SpecResult& result, std::string& sum) const {
  std::string lines;
  sum = "%hash_basis";
  for (std::uint32_t i = result.first; i < result.end; ++i) {
    const std::string mixed = "%mixed" + std::to_string(i), next = "%sum" + std::to_string(i);
    lines += mixed + " = OpBitwiseXor %u32 " + sum + " " + words_[i] + "\n";
    lines += next + " = OpIMul %u32 " + mixed + " %hash_prime\n";
    sum = next;
  }
  return lines;
}

// The sections are accumulated separately, because a result adds both declarations and instructions.
std::string SpecShader::text(Stored stored) const {
  std::string reduced;
  std::vector<std::string> words = words_;
  if (stored == Stored::Checksums) {
    words.assign(results_.size(), {});
    for (std::size_t i = 0; i < results_.size(); ++i) reduced += checksum(results_[i], words[i]);
  }
  std::string text = declarations(static_cast<std::uint32_t>(words.size()));
  text += "%main = OpFunction %void None %procedure\n%entry = OpLabel\nOpBranch %body\n%body = OpLabel\n";
  text += body_ + reduced;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string n = std::to_string(i);
    text += "%to" + n + " = OpAccessChain %pointer_to_word %buffer %zero_word %at" + n + "\n";
    text += "OpStore %to" + n + " " + words[i] + "\n";
  }
  text +=
      "%counter = OpAccessChain %pointer_to_word %buffer %zero_word %word_count\n"
      "%counted = OpAtomicIAdd %u32 %counter %one_word %zero_word %one_word\nOpReturn\nOpFunctionEnd\n";
  return text + functions_;
}

// All sections before the functions.
std::string SpecShader::declarations(std::uint32_t word_count) const {
  std::set<std::string_view> capabilities = {"Shader"};
  for (const ScalarType* type : types_) {
    if (!type->capability.empty()) capabilities.insert(type->capability);
  }
  std::string text;
  for (const std::string_view capability : capabilities) text += "OpCapability " + std::string(capability) + "\n";
  text += "OpMemoryModel Logical GLSL450\n";
  text += "OpEntryPoint GLCompute %main \"main\" %buffer" + interface_ + "\n";
  text += modes_.empty() ? "OpExecutionMode %main LocalSize 1 1 1\n" : modes_;
  text += decorations_;
  text +=
      "OpDecorate %words ArrayStride 4\nOpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"
      "OpDecorate %buffer DescriptorSet 0\nOpDecorate %buffer Binding 0\n";
  for (const ScalarType* type : types_) {
    text += type_id({type}) + " = " + std::string(type->declaration) + "\n";
    for (unsigned n = 2; n <= 4; ++n) {
      text += type_id({type, n}) + " = OpTypeVector " + type_id({type}) + " " + std::to_string(n) + "\n";
    }
  }
  text +=
      "%void = OpTypeVoid\n%procedure = OpTypeFunction %void\n%words = OpTypeRuntimeArray %u32\n"
      "%block = OpTypeStruct %words\n%pointer_to_block = OpTypePointer StorageBuffer %block\n"
      "%pointer_to_word = OpTypePointer StorageBuffer %u32\n%buffer = OpVariable %pointer_to_block StorageBuffer\n"
      "%zero_word = OpConstant %u32 0\n%one_word = OpConstant %u32 1\n"
      "%hash_basis = OpConstant %u32 2166136261\n%hash_prime = OpConstant %u32 16777619\n";
  text += "%word_count = OpConstant %u32 " + std::to_string(word_count) + "\n";
  for (std::uint32_t i = 0; i < word_count; ++i) {
    text += "%at" + std::to_string(i) + " = OpConstant %u32 " + std::to_string(i) + "\n";
  }
  return text + declarations_;
}

// --- constants ----------------------------------------------------------------------------------------------------------

// The default value is 1 or true, which each role permits, so that the module is valid without values.
Value SpecShader::input(const ScalarType& type, Role role, unsigned lane, std::uint32_t bound) {
  const Value value = {"%s" + std::to_string(inputs_.size()), {&type}};
  decorations_ += "OpDecorate " + value.id + " SpecId " + std::to_string(inputs_.size()) + "\n";
  declarations_ +=
      value.id + (type.is_bool() ? " = OpSpecConstantTrue %bool" : " = OpSpecConstant " + type_id({&type}) + " 1");
  declarations_ += "\n";
  inputs_.push_back({&type, role, lane, bound});
  return value;
}

Value SpecShader::vector(std::span<const Value> components) {
  if (components.size() == 1) return components[0];
  const Value value = {fresh(), {components[0].shape.type, static_cast<unsigned>(components.size())}};
  declarations_ += value.id + " = OpSpecConstantComposite " + type_id(value.shape);
  for (const Value& component : components) declarations_ += " " + component.id;
  declarations_ += "\n";
  return value;
}

Value SpecShader::operation(Shape result, std::string_view opcode, std::span<const Value> operands,
                            std::string_view literals) {
  const Value value = {fresh(), result};
  declarations_ += value.id + " = OpSpecConstantOp " + type_id(result) + " " + std::string(opcode);
  for (const Value& operand : operands) declarations_ += " " + operand.id;
  if (!literals.empty()) declarations_.append(" ").append(literals);
  declarations_ += "\n";
  return value;
}

Value SpecShader::constant(Shape shape, std::string_view literal) {
  const Value scalar = {fresh(), {shape.type}};
  declarations_ += scalar.id + " = ";
  if (shape.type->is_bool()) declarations_ += literal == "true" ? "OpConstantTrue %bool" : "OpConstantFalse %bool";
  else declarations_.append("OpConstant ").append(type_id({shape.type})).append(" ").append(literal);
  declarations_ += "\n";
  if (shape.count == 1) return scalar;
  const Value value = {fresh(), shape};
  declarations_ += value.id + " = OpConstantComposite " + type_id(shape);
  for (unsigned i = 0; i < shape.count; ++i) declarations_ += " " + scalar.id;
  declarations_ += "\n";
  return value;
}

// --- results ------------------------------------------------------------------------------------------------------------

void SpecShader::result(std::string_view form, const Value& value) {
  const auto first = static_cast<std::uint32_t>(words_.size());
  const bool continues = !results_.empty() && results_.back().form == form && results_.back().type == value.shape.type;
  if (!continues) results_.push_back({std::string(form), value.shape.type, 0, first, first});
  for (unsigned i = 0; i < value.shape.count; ++i) {
    std::string scalar = value.id;
    if (value.shape.count != 1) {
      scalar = fresh();
      execute(scalar + " = OpCompositeExtract " + type_id({value.shape.type}) + " " + value.id + " " +
              std::to_string(i) + "\n");
    }
    keep_words(*value.shape.type, scalar);
  }
  results_.back().scalars += value.shape.count;
  results_.back().end = static_cast<std::uint32_t>(words_.size());
}

std::string SpecShader::converted(std::string_view opcode, std::string_view type, const std::string& id) {
  std::string to = fresh();
  body_.append(to).append(" = ").append(opcode).append(" %").append(type).append(" ").append(id).append("\n");
  return to;
}

// Converts a scalar to 32-bit words, without a float operation, which could change its bits.
void SpecShader::keep_words(const ScalarType& type, const std::string& scalar) {
  if (type.is_bool()) {
    words_.push_back(converted("OpSelect", "u32", scalar + " %one_word %zero_word"));
  } else if (type.width == 64) {
    const std::string both = converted("OpBitcast", "v2u32", scalar);
    words_.push_back(converted("OpCompositeExtract", "u32", both + " 0"));
    words_.push_back(converted("OpCompositeExtract", "u32", both + " 1"));
  } else if (type.width == 32) {
    words_.push_back(type.name == "u32" ? scalar : converted("OpBitcast", "u32", scalar));
  } else {
    const std::string bits = type.is_float() ? converted("OpBitcast", "u16", scalar) : scalar;
    words_.push_back(converted("OpUConvert", "u32", bits));
  }
}

}  // namespace vireo::drivers

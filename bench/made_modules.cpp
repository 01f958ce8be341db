// SPDX-License-Identifier: Apache-2.0
//
// Synthetic modules. They do not satisfy every rule, but each instruction has the operands that the grammar requires,
// each id is defined, and the mix of instructions is that of compiled shaders and kernels.
//
// Names and types precede the code that needs them (specification 2.4), so the sections of a module are
// written side by side and joined at the end.
//
// All names differ: on equal names the peer's time is quadratic, and the ratio would hide the rest of its work.
// equal_names() measures that case.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "corpus.h"
#include "vireo/spirv/binary/writer.h"
#include "vireo/spirv/grammar/enums.h"

namespace vireo::bench {
namespace {

using spirv::Op;
using spirv::Word;
using spirv::WordBuffer;

template <typename Enum>
constexpr Word word_of(Enum value) {
  return static_cast<Word>(value);
}

/// One section of a module. Every put method appends one instruction.
class Section {
 public:
  template <typename... Operands>
  void put(Op opcode, Operands... operands) {
    begin(opcode);
    (word(static_cast<Word>(operands)), ...);
    end();
  }
  template <typename... Before>
  void put_text(Op opcode, std::string_view text, Before... before) {
    begin(opcode);
    (word(static_cast<Word>(before)), ...);
    spirv::InstructionWriter(words_).string(text);
    end();
  }
  /// For operands whose number is known only at run time: begin(), word() for each, end().
  void begin(Op opcode) {
    begin_ = words_.size();
    words_.push_back(word_of(opcode));
  }
  void word(Word word) { words_.push_back(word); }
  void end() { words_[begin_] |= static_cast<Word>(words_.size() - begin_) << 16; }

  [[nodiscard]] const WordBuffer& words() const { return words_; }

 private:
  WordBuffer words_;
  std::size_t begin_ = 0;
};

class Module {
 public:
  Section module_declarations, names, decorations, types, code;

  Word fresh() { return next_id_++; }

  /// Appends an instruction with result and type: `%result = opcode %type operands…`.
  template <typename... Operands>
  Word value(Op opcode, Word type, Operands... operands) {
    const Word result = fresh();
    code.put(opcode, type, result, operands...);
    return result;
  }
  template <typename... Operands>
  Word type(Op opcode, Operands... operands) {
    const Word result = fresh();
    types.put(opcode, result, operands...);
    return result;
  }
  Word constant(Word type, Word value) {
    const Word result = fresh();
    types.put(Op::OpConstant, type, result, value);
    return result;
  }
  void name(Word id, std::string_view text) { names.put_text(Op::OpName, text, id); }

  /// A random generator with the same sequence on all platforms; the distributions of the standard library differ.
  Word roll(Word sides) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<Word>(state_ >> 33) % sides;
  }

  [[nodiscard]] std::size_t bytes() const {
    std::size_t words = spirv::header_word_count;
    for (const Section* section : sections()) words += section->words().size();
    return words * sizeof(Word);
  }
  [[nodiscard]] WordBuffer joined() const {
    WordBuffer words;
    words.reserve(bytes() / sizeof(Word));
    // Generator 0 is unregistered. Every measured peer supports version 1.5.
    spirv::write_header({.version_word = 0x00010500, .generator = 0, .bound = next_id_, .schema = 0}, words);
    for (const Section* section : sections()) {
      words.insert(words.end(), section->words().begin(), section->words().end());
    }
    return words;
  }

 private:
  [[nodiscard]] std::array<const Section*, 5> sections() const {
    return {&module_declarations, &names, &decorations, &types, &code};
  }

  Word next_id_ = 1;
  std::uint64_t state_ = 0x5EED;
};

constexpr std::array<std::string_view, 12> stems = {"position", "normal", "light", "uv",    "albedo", "roughness",
                                                    "param",    "result", "index", "color", "shadow", "view_dir"};

void write_shader_preamble(Module& m, Word glsl, Word main) {
  m.module_declarations.put(Op::OpCapability, spirv::Capability::Shader);
  m.module_declarations.put_text(Op::OpExtInstImport, "GLSL.std.450", glsl);
  m.module_declarations.put(Op::OpMemoryModel, spirv::AddressingModel::Logical, spirv::MemoryModel::GLSL450);
  m.module_declarations.put_text(Op::OpEntryPoint, "main", spirv::ExecutionModel::GLCompute, main);
  m.module_declarations.put(Op::OpExecutionMode, main, spirv::ExecutionMode::LocalSize, 8, 8, 1);
  m.name(main, "main");
}

}  // namespace

WordBuffer shader_like(std::size_t bytes) {
  Module m;
  const Word glsl = m.fresh(), main = m.fresh();
  write_shader_preamble(m, glsl, main);
  const Word nothing = m.type(Op::OpTypeVoid), boolean = m.type(Op::OpTypeBool);
  const Word real = m.type(Op::OpTypeFloat, 32), integer = m.type(Op::OpTypeInt, 32, 1);
  const Word vec4 = m.type(Op::OpTypeVector, real, 4), vec3 = m.type(Op::OpTypeVector, real, 3);
  const Word function_storage = word_of(spirv::StorageClass::Function), uniform = word_of(spirv::StorageClass::Uniform);
  const Word to_vec4 = m.type(Op::OpTypePointer, function_storage, vec4);
  const Word block = m.type(Op::OpTypeStruct, vec4, vec4, vec3, real);
  const Word to_block = m.type(Op::OpTypePointer, uniform, block);
  const Word to_member = m.type(Op::OpTypePointer, uniform, vec4);
  const Word procedure = m.type(Op::OpTypeFunction, nothing), shade = m.type(Op::OpTypeFunction, vec4, to_vec4);
  const std::array<Word, 2> members = {m.constant(integer, 0), m.constant(integer, 1)};
  m.name(block, "Material");
  m.decorations.put(Op::OpDecorate, block, spirv::Decoration::Block);

  for (std::uint32_t number = 0; number == 0 || m.bytes() < bytes; ++number) {
    // One function: a parameter, a uniform block and a constant of its own, then rounds of load, compute, branch, store.
    const Word constants = m.constant(real, 0x3F000000 + m.roll(1 << 23));
    const Word uniforms = m.fresh(), function = number == 0 ? main : m.fresh();
    const std::string suffix = "_" + std::to_string(number);
    m.types.put(Op::OpVariable, to_block, uniforms, uniform);
    m.decorations.put(Op::OpDecorate, uniforms, spirv::Decoration::DescriptorSet, 0);
    m.decorations.put(Op::OpDecorate, uniforms, spirv::Decoration::Binding, number);
    m.name(uniforms, "material" + suffix);
    if (number == 0) {
      m.code.put(Op::OpFunction, nothing, function, spirv::FunctionControl::None, procedure);
    } else {
      m.code.put(Op::OpFunction, vec4, function, spirv::FunctionControl::None, shade);
      m.name(m.value(Op::OpFunctionParameter, to_vec4), "p" + suffix);
      m.name(function, "shade" + suffix + "(vf4;");
    }
    m.code.put(Op::OpLabel, m.fresh());
    const Word local = m.value(Op::OpVariable, to_vec4, function_storage);
    m.name(local, std::string(stems[m.roll(stems.size())]) + suffix);
    for (int round = 0; round < 6; ++round) {
      const Word place = m.value(Op::OpAccessChain, to_member, uniforms, members[m.roll(2)]);
      const Word a = m.value(Op::OpLoad, vec4, place), b = m.value(Op::OpLoad, vec4, local);
      const Word product = m.value(Op::OpFMul, vec4, a, b);
      const Word xyz = m.value(Op::OpVectorShuffle, vec3, product, product, 0, 1, 2);
      const Word unit = m.value(Op::OpExtInst, vec3, glsl, 69, xyz);  // 69: Normalize
      const Word dot = m.value(Op::OpDot, real, unit, xyz);
      const Word is_lit = m.value(Op::OpFOrdGreaterThan, boolean, dot, constants);
      const Word lit = m.fresh(), merge = m.fresh();
      m.code.put(Op::OpSelectionMerge, merge, spirv::SelectionControl::None);
      m.code.put(Op::OpBranchConditional, is_lit, lit, merge);
      m.code.put(Op::OpLabel, lit);
      const Word scaled = m.value(Op::OpVectorTimesScalar, vec4, product, dot);
      m.code.put(Op::OpStore, local, m.value(Op::OpFAdd, vec4, scaled, a));
      m.code.put(Op::OpBranch, merge);
      m.code.put(Op::OpLabel, merge);
    }
    if (number == 0) m.code.put(Op::OpReturn);
    else m.code.put(Op::OpReturnValue, m.value(Op::OpLoad, vec4, local));
    m.code.put(Op::OpFunctionEnd);
  }
  return m.joined();
}

WordBuffer kernel_like(std::size_t bytes) {
  Module m;
  m.module_declarations.put(Op::OpCapability, spirv::Capability::Addresses);
  m.module_declarations.put(Op::OpCapability, spirv::Capability::Linkage);
  m.module_declarations.put(Op::OpCapability, spirv::Capability::Kernel);
  m.module_declarations.put(Op::OpMemoryModel, spirv::AddressingModel::Physical64, spirv::MemoryModel::OpenCL);
  const Word file = m.fresh();
  m.module_declarations.put_text(Op::OpString, "kernel.cl", file);
  const Word nothing = m.type(Op::OpTypeVoid), integer = m.type(Op::OpTypeInt, 32, 0);
  const Word large = m.type(Op::OpTypeInt, 64, 0), boolean = m.type(Op::OpTypeBool);
  const Word function_storage = word_of(spirv::StorageClass::Function);
  const Word array = m.type(Op::OpTypeArray, integer, m.constant(integer, 64));
  const Word to_integer = m.type(Op::OpTypePointer, function_storage, integer);
  const Word to_array = m.type(Op::OpTypePointer, function_storage, array);
  const Word kernel = m.type(Op::OpTypeFunction, nothing, to_integer, integer);
  const Word aligned = word_of(spirv::MemoryAccess::Aligned);
  const Word zero = m.fresh();
  m.types.put(Op::OpConstant, large, zero, 0, 0);

  for (std::uint32_t number = 0; number == 0 || m.bytes() < bytes; ++number) {
    const Word function = m.fresh();
    const std::string suffix = "_" + std::to_string(number);
    const std::string symbol = "_Z18transform_block" + suffix + "PjS_j";
    m.name(function, symbol);
    m.decorations.begin(Op::OpDecorate);
    m.decorations.word(function);
    m.decorations.word(word_of(spirv::Decoration::LinkageAttributes));
    spirv::WordBuffer text;
    spirv::InstructionWriter(text).string(symbol);
    for (const Word word : text) m.decorations.word(word);
    m.decorations.word(word_of(spirv::LinkageType::Export));
    m.decorations.end();
    m.code.put(Op::OpFunction, nothing, function, spirv::FunctionControl::None, kernel);
    const Word in = m.value(Op::OpFunctionParameter, to_integer), n = m.value(Op::OpFunctionParameter, integer);
    m.name(in, "in.addr" + suffix);
    m.name(n, "n.addr" + suffix);
    const Word entry = m.fresh();
    m.name(entry, "entry" + suffix);
    m.code.put(Op::OpLabel, entry);
    const Word block = m.value(Op::OpVariable, to_array, function_storage);
    Word sum = n;
    for (Word round = 0; round < 12; ++round) {
      const Word key = m.constant(integer, m.roll(0xFFFFFFFF));
      m.code.put(Op::OpLine, file, number + 1, round * 4 + 1);
      const Word place = m.value(Op::OpInBoundsPtrAccessChain, to_integer, block, zero, zero);
      m.name(place, "arrayidx" + std::to_string(round) + suffix);
      const Word loaded = m.value(Op::OpLoad, integer, place, aligned, 4);
      const Word mixed = m.value(Op::OpBitwiseXor, integer, loaded, key);
      m.name(mixed, "xor" + std::to_string(round) + suffix);
      const Word turned = m.value(Op::OpBitwiseOr, integer, m.value(Op::OpShiftLeftLogical, integer, mixed, key), sum);
      sum = m.value(Op::OpIAdd, integer, turned, loaded);
      m.code.put(Op::OpStore, place, sum, aligned, 4);
      const Word is_last = m.value(Op::OpIEqual, boolean, sum, key);
      const Word other = m.fresh(), end = m.fresh();
      m.code.put(Op::OpBranchConditional, is_last, other, end);
      m.code.put(Op::OpLabel, other);
      m.code.put(Op::OpSwitch, sum, end, 1, end, 2, end, 0x80000000, end);
      m.code.put(Op::OpLabel, end);
    }
    m.code.put(Op::OpReturn);
    m.code.put(Op::OpFunctionEnd);
  }
  return m.joined();
}

WordBuffer equal_names(std::size_t count) {
  Module m;
  m.module_declarations.put(Op::OpCapability, spirv::Capability::Shader);
  m.module_declarations.put(Op::OpMemoryModel, spirv::AddressingModel::Logical, spirv::MemoryModel::GLSL450);
  const Word integer = m.type(Op::OpTypeInt, 32, 0);
  for (std::size_t i = 0; i < count; ++i) m.name(m.constant(integer, static_cast<Word>(i)), "same");
  return m.joined();
}

WordBuffer straight_line(std::size_t count) {
  Module m;
  const Word glsl = m.fresh(), main = m.fresh();
  write_shader_preamble(m, glsl, main);
  const Word nothing = m.type(Op::OpTypeVoid), integer = m.type(Op::OpTypeInt, 32, 0);
  const Word one = m.constant(integer, 1), procedure = m.type(Op::OpTypeFunction, nothing);
  m.code.put(Op::OpFunction, nothing, main, spirv::FunctionControl::None, procedure);
  m.code.put(Op::OpLabel, m.fresh());
  Word sum = one;
  for (std::size_t i = 0; i < count; ++i) sum = m.value(Op::OpIAdd, integer, sum, one);
  m.code.put(Op::OpReturn);
  m.code.put(Op::OpFunctionEnd);
  return m.joined();
}

}  // namespace vireo::bench

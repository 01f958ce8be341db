// SPDX-License-Identifier: Apache-2.0
//
// Counts how often each function of a shader is executed: function i adds 1 to word i of a storage buffer.
//
//   instrument IN OUT SET BINDING      where the buffer is bound
//
// An edit has the methods of a builder. They make the buffer, its types and decorations, and the counting
// function as in a new module. The edit reuses equal types of the module and updates the interfaces of entry points.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "vireo/spirv/build/edit.h"
#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/module_declarations.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/binary/reader.h"
#include "vireo/spirv/binary/writer.h"

using namespace vireo;
using namespace vireo::spirv;

namespace {

bool read(const char* path, std::string& bytes) {
  std::FILE* file = std::fopen(path, "rb");
  if (file == nullptr) return false;
  char chunk[4096];
  for (std::size_t count = 0; (count = std::fread(chunk, 1, sizeof chunk, file)) != 0;) bytes.append(chunk, count);
  std::fclose(file);
  return true;
}

bool write(const char* path, std::string_view bytes) {
  std::FILE* file = std::fopen(path, "wb");
  if (file == nullptr) return false;
  const bool is_written = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  return std::fclose(file) == 0 && is_written;
}

/// How the module declares its buffers: in StorageBuffer, or, before SPIR-V 1.3, as a BufferBlock in Uniform.
struct BufferStyle {
  StorageClass storage = StorageClass::StorageBuffer;
  Decoration block = Decoration::Block;
};
BufferStyle style_of(const Facts& facts) {
  for (const DecorationRow& row : facts.decorations().rows()) {
    if (row.decoration == Decoration::BufferBlock) return {StorageClass::Uniform, Decoration::BufferBlock};
  }
  return {};
}

/// A buffer with one counter for each function: a runtime array.
ValueId add_counters(Edit& edit, BufferStyle style, Word set, Word binding) {
  InstructionCalls b = edit.add();
  const TypeId counters = b.OpTypeRuntimeArray(b.OpTypeInt(32, 0));
  b.OpDecorate(counters, DecorationWith::ArrayStride(4));
  const TypeId block = b.OpTypeStruct({counters});
  b.OpDecorate(block, DecorationWith(style.block, {}));
  b.OpMemberDecorate(block, 0, DecorationWith::Offset(0));
  const ValueId buffer = b.OpVariable(b.OpTypePointer(style.storage, block), style.storage);
  b.OpName(buffer, "executed");
  b.OpDecorate(buffer, DecorationWith::DescriptorSet(set));
  b.OpDecorate(buffer, DecorationWith::Binding(binding));
  return buffer;
}

/// void count(uint function) { atomicAdd(executed[function], 1); }
FunctionId add_count_function(Edit& edit, BufferStyle style, ValueId buffer, Scope scope) {
  InstructionCalls b = edit.add();
  const TypeId nothing = b.OpTypeVoid(), u32 = b.OpTypeInt(32, 0);
  const TypeId pointer = b.OpTypePointer(style.storage, u32);
  const ValueId zero = b.OpConstant(u32, 0), one = b.OpConstant(u32, 1);
  const ValueId device = b.OpConstant(u32, static_cast<Word>(scope));
  const FunctionId count = b.OpFunction(nothing, FunctionControl::None, b.OpTypeFunction(nothing, {u32}));
  const ValueId index = b.OpFunctionParameter(u32);
  b.OpLabel();
  b.OpAtomicIAdd(u32, b.OpAccessChain(pointer, buffer, {zero, index}), device, zero, one);
  b.OpReturn();
  b.OpFunctionEnd();
  return count;
}

/// Inserts a call at the beginning of every function with a body.
void call_in_every_function(const Module& module, Edit& edit, FunctionId callee) {
  const TypeId nothing = edit.add().OpTypeVoid(), u32 = edit.add().OpTypeInt(32, 0);
  for (const FunctionRow& function : module.functions()) {
    if (function.is_declaration()) continue;
    const ValueId number = edit.add().OpConstant(u32, module.index_of(function).raw);
    edit.at_begin(function).OpFunctionCall(nothing, callee, {number});
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::string bytes;
  if (argc != 5 || !read(argv[1], bytes)) return std::fprintf(stderr, "usage: instrument IN OUT SET BINDING\n"), 2;
  Diagnostics diagnostics;
  const Result<ModuleWords> words = read_module_words(bytes, diagnostics);
  if (!words) return std::fprintf(stderr, "%s\n", diagnostics.all().front().message.c_str()), 1;
  const Module module = Module::read(words->words());
  const Facts facts(module);
  const ModuleDeclarations& module_declarations = facts.module_declarations();
  if (!module_declarations.has(Capability::Shader))
    return std::fprintf(stderr, "not a shader: kernels have no such buffers\n"), 1;

  // In the Vulkan memory model, Device scope needs a feature of its own.
  const bool is_vulkan = module_declarations.memory_model() == MemoryModel::Vulkan;
  const auto number = [&](int i) { return static_cast<Word>(std::strtoul(argv[i], nullptr, 10)); };
  Edit edit(module);
  const BufferStyle style = style_of(facts);
  const ValueId buffer = add_counters(edit, style, number(3), number(4));
  const FunctionId count = add_count_function(edit, style, buffer, is_vulkan ? Scope::QueueFamily : Scope::Device);
  call_in_every_function(module, edit, count);
  edit.add_requirements();  // before SPIR-V 1.3 storage buffers are an extension
  const Result<WordBuffer> changed = edit.apply(diagnostics);
  if (!changed) return std::fprintf(stderr, "%s\n", diagnostics.all().front().message.c_str()), 1;
  if (!write(argv[2], bytes_of(*changed))) return std::fprintf(stderr, "cannot write %s\n", argv[2]), 3;
  std::printf("%zu functions are counted\n", module.functions().size());
  return 0;
}

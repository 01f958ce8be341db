// SPDX-License-Identifier: Apache-2.0
//
// Builds a module with the builder: a compute shader that adds two vectors, the same as an
// OpenCL kernel, or a pair of shaders for graphics.
//
//   build_compute_kernel shader|kernel|vertex|fragment FILE
//
// The calls may have any order. The builder puts each instruction into its section and adds the
// capabilities that the instructions need.
#include <cstdio>
#include <string_view>

#include "vireo/spirv/build/builder.h"
#include "vireo/spirv/binary/writer.h"
#include "vireo/support/file.h"
#include "vireo/support/render.h"

using namespace vireo;
using namespace vireo::spirv;

namespace {

/// c[i] = a[i] + b[i] for floats in three storage buffers, 64 invocations a workgroup.
void build_shader(Builder& b) {
  const TypeId nothing = b.OpTypeVoid(), u32 = b.OpTypeInt(32, 0), f32 = b.OpTypeFloat(32);
  const ValueId zero = b.OpConstant(u32, 0);

  const TypeId floats = b.OpTypeRuntimeArray(f32);
  b.OpDecorate(floats, DecorationWith::ArrayStride(4));
  const TypeId block = b.OpTypeStruct({floats});
  b.OpDecorate(block, Decoration::Block);
  b.OpMemberDecorate(block, 0, DecorationWith::Offset(0));
  const TypeId buffer = b.OpTypePointer(StorageClass::StorageBuffer, block);
  const TypeId element = b.OpTypePointer(StorageClass::StorageBuffer, f32);

  ValueId buffers[3];
  constexpr std::string_view names[3] = {"a", "b", "c"};
  for (Word i = 0; i < 3; ++i) {
    buffers[i] = b.OpVariable(buffer, StorageClass::StorageBuffer);
    b.OpDecorate(buffers[i], DecorationWith::DescriptorSet(0));
    b.OpDecorate(buffers[i], DecorationWith::Binding(i));
    b.OpName(buffers[i], names[i]);
  }
  const TypeId uvec3 = b.OpTypeVector(u32, 3);
  const ValueId invocation = b.OpVariable(b.OpTypePointer(StorageClass::Input, uvec3), StorageClass::Input);
  b.OpDecorate(invocation, DecorationWith::BuiltIn(BuiltIn::GlobalInvocationId));

  const FunctionId main = b.OpFunction(nothing, FunctionControl::None, b.OpTypeFunction(nothing));
  b.OpLabel();
  const ValueId i = b.OpCompositeExtract(u32, b.OpLoad(uvec3, invocation), {0});
  const ValueId length = b.OpArrayLength(u32, buffers[2], 0);
  b.if_then(b.OpULessThan(b.OpTypeBool(), i, length), [&] {
    const ValueId x = b.OpLoad(f32, b.OpAccessChain(element, buffers[0], {zero, i}));
    const ValueId y = b.OpLoad(f32, b.OpAccessChain(element, buffers[1], {zero, i}));
    const ValueId sum = b.OpFAdd(f32, x, y);
    b.OpStore(b.OpAccessChain(element, buffers[2], {zero, i}), sum);
  });
  b.OpReturn();
  b.OpFunctionEnd();

  b.OpEntryPoint(ExecutionModel::GLCompute, main, "main", {invocation, buffers[0], buffers[1], buffers[2]});
  b.OpExecutionMode(main, ExecutionModeWith::LocalSize(64, 1, 1));
  b.OpMemoryModel(AddressingModel::Logical, MemoryModel::GLSL450);
}

/// The same for OpenCL: the pointers are parameters, and the range gives the size.
void build_kernel(Builder& b) {
  const TypeId nothing = b.OpTypeVoid(), u64 = b.OpTypeInt(64, 0), f32 = b.OpTypeFloat(32);
  const TypeId size3 = b.OpTypeVector(u64, 3);
  const TypeId pointer = b.OpTypePointer(StorageClass::CrossWorkgroup, f32);
  const ValueId invocation = b.OpVariable(b.OpTypePointer(StorageClass::Input, size3), StorageClass::Input);
  b.OpDecorate(invocation, DecorationWith::BuiltIn(BuiltIn::GlobalInvocationId));
  b.OpDecorate(invocation, Decoration::Constant);

  const TypeId type = b.OpTypeFunction(nothing, {pointer, pointer, pointer});
  const FunctionId add = b.OpFunction(nothing, FunctionControl::None, type);
  const ValueId a = b.OpFunctionParameter(pointer), other = b.OpFunctionParameter(pointer),
                sum = b.OpFunctionParameter(pointer);
  b.OpLabel();
  const ValueId i = b.OpCompositeExtract(u64, b.OpLoad(size3, invocation, {.Aligned = 32}), {0});
  const auto at = [&](ValueId base) { return b.OpInBoundsPtrAccessChain(pointer, base, i); };
  const ValueId x = b.OpLoad(f32, at(a), {.Aligned = 4}), y = b.OpLoad(f32, at(other), {.Aligned = 4});
  const ValueId both = b.OpFAdd(f32, x, y);
  b.OpStore(at(sum), both, {.Aligned = 4});
  b.OpReturn();
  b.OpFunctionEnd();

  b.OpName(add, "add");
  b.OpEntryPoint(ExecutionModel::Kernel, add, "add", {invocation});
  b.OpMemoryModel(AddressingModel::Physical64, MemoryModel::OpenCL);
}

/// An interface variable with its decoration.
ValueId interface(Builder& b, StorageClass storage, TypeId type, const DecorationWith& decoration) {
  const ValueId variable = b.OpVariable(b.OpTypePointer(storage, type), storage);
  b.OpDecorate(variable, decoration);
  return variable;
}

/// A vertex shader that makes a triangle from the vertex index, with a colour for the fragments.
void build_vertex(Builder& b) {
  const TypeId nothing = b.OpTypeVoid(), i32 = b.OpTypeInt(32, 1), f32 = b.OpTypeFloat(32);
  const TypeId vec4 = b.OpTypeVector(f32, 4);
  const ValueId index = interface(b, StorageClass::Input, i32, DecorationWith::BuiltIn(BuiltIn::VertexIndex));
  const ValueId position = interface(b, StorageClass::Output, vec4, DecorationWith::BuiltIn(BuiltIn::Position));
  const ValueId color = interface(b, StorageClass::Output, vec4, DecorationWith::Location(0));
  const ValueId zero = b.OpConstant(f32, 0.0), one = b.OpConstant(f32, 1.0);

  const FunctionId main = b.OpFunction(nothing, FunctionControl::None, b.OpTypeFunction(nothing));
  b.OpLabel();
  const ValueId x = b.OpConvertSToF(f32, b.OpLoad(i32, index));
  b.OpStore(position,
            b.OpCompositeConstruct(vec4, {b.OpFSub(f32, x, one), b.ext(GLSL_std_450::Sin, f32, {x}), zero, one}));
  b.OpStore(color, b.OpCompositeConstruct(vec4, {x, zero, one, one}));
  b.OpReturn();
  b.OpFunctionEnd();
  b.OpEntryPoint(ExecutionModel::Vertex, main, "main", {index, position, color});
  b.OpMemoryModel(AddressingModel::Logical, MemoryModel::GLSL450);
}

void build_fragment(Builder& b) {
  const TypeId nothing = b.OpTypeVoid(), f32 = b.OpTypeFloat(32);
  const TypeId vec4 = b.OpTypeVector(f32, 4);
  const ValueId color = interface(b, StorageClass::Input, vec4, DecorationWith::Location(0));
  const ValueId out = interface(b, StorageClass::Output, vec4, DecorationWith::Location(0));
  const FunctionId main = b.OpFunction(nothing, FunctionControl::None, b.OpTypeFunction(nothing));
  b.OpLabel();
  b.OpStore(out, b.OpLoad(vec4, color));
  b.OpReturn();
  b.OpFunctionEnd();
  b.OpExecutionMode(main, ExecutionMode::OriginUpperLeft);
  b.OpEntryPoint(ExecutionModel::Fragment, main, "main", {color, out});
  b.OpMemoryModel(AddressingModel::Logical, MemoryModel::GLSL450);
}

struct Subject {
  std::string_view name;
  Version version;
  void (*build)(Builder&);
};
constexpr Subject subjects[] = {
    {"shader", {1, 5}, build_shader},
    {"kernel", {1, 2}, build_kernel},
    {"vertex", {1, 5}, build_vertex},
    {"fragment", {1, 5}, build_fragment},
};

}  // namespace

int main(int argc, char** argv) {
  for (const Subject& subject : subjects) {
    if (argc != 3 || subject.name != argv[1]) continue;
    Diagnostics diagnostics;
    Builder b(diagnostics, {.version = subject.version});
    subject.build(b);
    b.add_requirements();
    const Result<WordBuffer> words = b.build();
    const bool is_written = words && write_file(argv[2], bytes_of(*words), diagnostics);
    std::fputs(render({argv[2], {}}, diagnostics).c_str(), stderr);
    return is_written ? 0 : 1;
  }
  std::fprintf(stderr, "usage: build_compute_kernel shader|kernel|vertex|fragment FILE\n");
  return 2;
}

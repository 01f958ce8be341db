// SPDX-License-Identifier: Apache-2.0
//
// Threads that parse, disassemble, build and compute the facts of one shared module at the same time. ThreadSanitizer
// finds the races.
//
// All threads start at the same moment on the same objects, so that several of them request each fact
// first. Every thread must get the result that a single thread gets.
#include <gtest/gtest.h>

#include <barrier>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "outside.h"
#include "vireo/isa/isa.h"
#include "vireo/spirv/binary/operand.h"
#include "vireo/spirv/build/builder.h"
#include "vireo/spirv/module/call_graph.h"
#include "vireo/spirv/module/constants.h"
#include "vireo/spirv/module/control_flow.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/module/lines.h"
#include "vireo/spirv/module/module_declarations.h"
#include "vireo/spirv/module/types.h"
#include "vireo/spirv/module/uses.h"
#include "vireo/spirv/text/assemble.h"
#include "vireo/spirv/text/disassemble.h"
#include "vireo/support/text_writer.h"
#include "vireo/vireo.h"

namespace vireo {
namespace {

using namespace spirv;

constexpr std::size_t thread_count = 2;
constexpr int rounds = 20;

/// Runs `work` on all threads for several rounds; each result must be `expected`.
void expect_same_from_all(const std::string& expected, const std::function<std::string()>& work) {
  std::barrier start(thread_count);
  std::vector<std::string> wrong(thread_count);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < thread_count; ++i) {
    threads.emplace_back([&, i] {
      start.arrive_and_wait();
      const std::string said = work();
      if (said != expected) wrong[i] = said;
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& said : wrong) EXPECT_EQ(said, "");
}

WordBuffer mandelbrot() {
  std::ifstream file(outside::source_folder() / "data/spirv/mandelbrot.comp.spvasm");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  Diagnostics diagnostics;
  const Result<WordBuffer> words = assemble({"", text}, {}, diagnostics);
  EXPECT_TRUE(words.ok());
  return words ? *words : WordBuffer();
}

std::string parsed(Words words) {
  std::size_t operands = 0;
  OperandDecoder decoder(builtin_grammar(), words[3], words.size());
  for (const InstructionView view : Instructions(words)) {
    EXPECT_EQ(decoder.decode(view), DecodeFault::None);
    operands += decoder.operands().size();
  }
  return std::to_string(operands);
}

std::string text_of(Words words) {
  Diagnostics diagnostics;
  StringSink sink;
  disassemble(words, {.comments = true, .annotate = true}, sink, diagnostics);
  return sink.text();
}

std::string built() {
  Diagnostics diagnostics;
  Builder b(diagnostics);
  const TypeId nothing = b.OpTypeVoid(), u32 = b.OpTypeInt(32, 0);
  b.OpMemoryModel(AddressingModel::Logical, MemoryModel::GLSL450);
  const FunctionId main = b.OpFunction(nothing, FunctionControl::None, b.OpTypeFunction(nothing));
  b.OpLabel();
  for (Word i = 0; i < 50; ++i) b.OpIAdd(u32, b.OpConstant(u32, i), b.OpConstant(u32, i + 1));
  b.OpReturn();
  b.OpFunctionEnd();
  b.OpEntryPoint(ExecutionModel::GLCompute, main, "main");
  b.OpExecutionMode(main, ExecutionModeWith::LocalSize(1, 1, 1));
  b.add_requirements();
  const Result<WordBuffer> words = b.build();
  return words ? text_of(*words) : "not built";
}

/// A small part of each fact.
std::string asked(const Facts& facts) {
  std::string said =
      std::to_string(facts.types().rows().size()) + ' ' + std::to_string(facts.constants().rows().size()) + ' ' +
      std::to_string(facts.decorations().rows().size()) + ' ' + std::to_string(facts.names().rows().size()) + ' ' +
      std::to_string(facts.uses().count()) + ' ' + std::to_string(facts.module_declarations().entry_points().size()) +
      ' ' + std::to_string(facts.call_graph().bottom_up().size());
  for (const FunctionRow& function : facts.module().functions()) {
    ControlFlow flow;
    flow.read(facts.module(), function);
    for (std::uint32_t b = 0; b < flow.block_count(); ++b)
      said += ' ' + std::to_string(flow.plain().dominators().parent(LocalBlock(b)).raw);
  }
  return said;
}

TEST(Threads, parse_disassemble_and_build_concurrently) {
  const WordBuffer words = mandelbrot();
  const Module module = Module::read(words);
  const Facts alone(module);
  const std::string expected = parsed(words) + text_of(words) + built() + asked(alone);
  for (int round = 0; round < rounds; ++round) {
    const Facts shared(module);  // new for each round, so that no fact is computed yet
    expect_same_from_all(expected, [&] { return parsed(words) + text_of(words) + built() + asked(shared); });
  }
}

TEST(Threads, share_a_module_through_the_c_interface) {
  const WordBuffer words = mandelbrot();
  const auto ask = [](const vireo_module* module) {
    std::string said;
    for (std::uint32_t id = 1; id < vireo_module_bound(module); ++id) {
      vireo_type type{};
      vireo_constant constant{};
      vireo_string name{};
      std::size_t uses = 0;
      const auto count = [](void* user, const vireo_use*) { return ++*static_cast<std::size_t*>(user) != 0 ? 1 : 0; };
      if (vireo_module_type(module, id, &type) == VIREO_OK) said += " t" + std::to_string(type.opcode);
      if (vireo_module_constant(module, id, &constant) == VIREO_OK) said += " c" + std::to_string(constant.bits);
      if (vireo_module_name(module, id, VIREO_NONE, &name) == VIREO_OK) said.append(name.data, name.size);
      if (vireo_module_uses(module, id, count, &uses) == VIREO_OK) said += " u" + std::to_string(uses);
    }
    return said;
  };
  std::string expected;
  for (int round = 0; round < rounds; ++round) {
    vireo_module* module = nullptr;
    ASSERT_EQ(vireo_module_read(words.data(), words.size(), nullptr, &module), VIREO_OK);
    if (round == 0) expected = ask(module);
    else expect_same_from_all(expected, [&] { return ask(module); });
    vireo_module_destroy(module);
  }
  EXPECT_FALSE(expected.empty());
}

TEST(Threads, share_a_decoder_of_an_instruction_set) {
  const std::string path = (outside::source_folder() / "data/isa/tiny16.xml").string();
  const isa::LoadedModel loaded = isa::load_model(path);
  ASSERT_TRUE(loaded.ok());
  const isa::Decoder decoder(loaded.model, {});
  std::string program;
  for (int i = 0; i < 512; ++i) program.push_back(static_cast<char>(i * 37));
  const auto print = [&] {
    StringSink sink;
    isa::Printer(decoder, {}).print(program, sink);
    return sink.text();
  };
  const std::string expected = print();
  EXPECT_FALSE(expected.empty());
  for (int round = 0; round < rounds; ++round) expect_same_from_all(expected, print);
}

}  // namespace
}  // namespace vireo

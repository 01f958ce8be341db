// SPDX-License-Identifier: Apache-2.0
//
// Work must grow at most linearly with the module: measured by counting allocations, never by time.
//
// This program replaces operator new. A module with twice the instructions needs a few more allocations,
// because buffers double, but not one for each instruction.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>

#include "counting_sink.h"
#include "system/round_trip.h"
#include "vireo/isa/encode.h"
#include "vireo/isa/isa.h"
#include "vireo/spirv/binary/writer.h"
#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/transform/specialize.h"

namespace {

std::atomic<std::size_t> allocation_count = 0;
std::atomic<std::size_t> allocated_bytes = 0;

void* counted(std::size_t size) noexcept {
  allocation_count.fetch_add(1, std::memory_order_relaxed);
  allocated_bytes.fetch_add(size, std::memory_order_relaxed);
  return std::malloc(size == 0 ? 1 : size);
}

void* counted_or_thrown(std::size_t size) {
  void* memory = counted(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

// gcc 12 inlines only some of these and then warns that free() does not match.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
#endif

void* operator new(std::size_t size) { return counted_or_thrown(size); }
void* operator new[](std::size_t size) { return counted_or_thrown(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return counted(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return counted(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace vireo::system_test {
namespace {

// Enough for the doubling of a few buffers only.
constexpr std::size_t few = 40;

struct Cost {
  std::size_t allocations = 0;
  std::size_t bytes = 0;
};

template <typename Work>
Cost cost_of(Work&& work) {
  const std::size_t allocations = allocation_count, bytes = allocated_bytes;
  work();
  return {allocation_count - allocations, allocated_bytes - bytes};
}

/// `count` rounds of varied instructions: ids, enumerants, masks with parameters, literals, strings, extended
/// instructions. Every result has a name.
std::string varied_text(std::size_t count) {
  std::string text = "OpCapability Shader\n%glsl = OpExtInstImport \"GLSL.std.450\"\n";
  for (std::size_t i = 0; i < count; ++i) text += "OpName %sum" + std::to_string(i) + " \"the sum of it\"\n";
  text += "%int = OpTypeInt 32 1\n%float = OpTypeFloat 32\n%f = OpTypeFunction %float\n";
  for (std::size_t i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    text += "%c" + n + " = OpConstant %int " + n + "\n%d" + n + " = OpConstant %float 0.1\n";
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    text += "OpDecorate %sum" + n + " Location 1\n%sum" + n + " = OpFAdd %float %d" + n + " %d0\n%l" + n +
            " = OpLoad %float %p Volatile|Aligned 4\n%r" + n + " = OpExtInst %float %glsl Sqrt %l" + n + "\n";
  }
  return text;
}

WordBuffer assembled(std::string_view text) {
  Diagnostics diagnostics;
  Result<WordBuffer> words = spirv::assemble({"text", text}, {}, diagnostics);
  EXPECT_TRUE(words.ok());
  return words ? std::move(words).value() : WordBuffer{};
}

struct AllocationStyle {
  std::string_view name;
  spirv::DisassembleOptions options;
};
const AllocationStyle allocation_styles[] = {
    {"friendly", {}},
    {"raw", {.friendly_names = false}},
    {"offsets and comments", {.offsets = true, .comments = true}},
    {"nested", {.nested_indent = true}},
};

constexpr std::size_t rounds = 4000;

TEST(Allocations, the_disassembler_makes_none_for_each_instruction) {
  const WordBuffer once = assembled(varied_text(rounds)), twice = assembled(varied_text(2 * rounds));
  for (const AllocationStyle& style : allocation_styles) {
    const auto cost = [&](const WordBuffer& words) {
      return cost_of([&] {
        CountingSink sink;
        Diagnostics diagnostics;
        EXPECT_TRUE(spirv::disassemble(words, style.options, sink, diagnostics)) << style.name;
        EXPECT_GT(sink.bytes, words.size());
      });
    };
    const Cost small = cost(once), large = cost(twice);
    EXPECT_LE(large.allocations, small.allocations + few) << style.name;
    EXPECT_LE(large.bytes, 3 * small.bytes) << style.name;
    EXPECT_LE(small.allocations, 20 * few) << style.name;
  }
}

TEST(Allocations, the_assembler_makes_none_for_each_instruction) {
  for (const bool preserve : {false, true}) {
    const auto cost = [&](const std::string& text) {
      return cost_of([&] {
        Diagnostics diagnostics;
        EXPECT_TRUE(spirv::assemble({"text", text}, {.preserve_numeric_ids = preserve}, diagnostics));
      });
    };
    const Cost small = cost(varied_text(rounds)), large = cost(varied_text(2 * rounds));
    EXPECT_LE(large.allocations, small.allocations + few) << "preserve " << preserve;
    EXPECT_LE(large.bytes, 3 * small.bytes) << "preserve " << preserve;
  }
}

TEST(Allocations, faulty_text_allocates_only_for_kept_diagnostics) {
  const auto cost = [](std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += "%x = OpFooo %y\nOpDecorate %a Postition\n";
    return cost_of([&] {
      Diagnostics diagnostics(100);
      EXPECT_FALSE(spirv::assemble({"text", text}, {}, diagnostics));
      EXPECT_EQ(diagnostics.error_count(), 2 * count);
    });
  };
  const Cost small = cost(5'000), large = cost(10'000);
  EXPECT_LE(large.bytes, 3 * small.bytes);
}

// --- instruction sets ------------------------------------------------------------------------------------------------

/// 160-bit words with everything that could allocate memory: nested bitsets, numbers of more than 64 bits, annotations of
/// bits, computed expressions, labels.
constexpr const char* varied_isa = R"xml(<isa>
<bitset name="#r" size="4"><display>r{R}{S}</display><field name="R" low="0" high="3" type="uint"/></bitset>
<bitset name="#instruction" size="160">
  <override><expr>{A} + {D} == 9</expr><display>{NAME} nine {MISSING}</display></override>
  <display>{NAME:align=12} {A}, {B:align=40} {WIDE} {HEX} {D} {T}</display>
  <field name="A" low="0" high="3" type="#r"><param name="D" as="S"/></field>
  <field name="B" low="4" high="7" type="#r"/>
  <field name="WIDE" low="8" high="80" type="int"/>
  <field name="HEX" low="81" high="150" type="hex"/>
  <field name="T" low="151" high="153" type="branch"/>
  <derived name="D" type="int" width="32"><expr>{A} * {B} - {HEX}</expr></derived>
  <assert low="154" high="155">01</assert>
</bitset>
<bitset name="one" extends="#instruction"><pattern low="156" high="159">x001</pattern></bitset>
<bitset name="two" extends="#instruction"><pattern low="156" high="159">001x</pattern></bitset></isa>)xml";

std::string varied_program(std::size_t words) {
  std::string bytes;
  std::uint32_t noise = 1;
  for (std::size_t i = 0; i < words * 20; ++i)
    bytes.push_back(static_cast<char>((noise = noise * 1664525 + 1013904223) >> 24));
  for (std::size_t i = 19; i < bytes.size(); i += 20)
    bytes[i] = static_cast<char>((bytes[i] & 0x0F) | (i % 3 + 1) << 4);
  return bytes;
}

TEST(Allocations, instruction_sets_are_decoded_and_printed_without_any) {
  const isa::LoadedModel loaded = isa::load_model_text("x", varied_isa);
  ASSERT_TRUE(loaded.ok());
  const std::string bytes = varied_program(2000);
  for (const bool mesa_compat : {false, true}) {
    const isa::Decoder decoder(loaded.model, {.mesa_compat = mesa_compat});
    isa::Printer printer(decoder, {.branch_labels = true});
    CountingSink sink;
    const auto print = [&] { printer.print(bytes, sink); };
    print();  // buffers grow to the size that these words need
    EXPECT_EQ(cost_of(print).allocations, 0u);
    EXPECT_GT(sink.bytes, bytes.size());

    isa::Decoded decoded;
    std::size_t matches = 0, faults = 0;
    const auto decode = [&] {
      for (std::size_t at = 0; at < bytes.size(); at += 20) {
        isa::BitWord words[3] = {};
        std::memcpy(words, bytes.data() + at, 20);
        matches += decoder.decode(words, 160, decoded) ? 1u : 0u;
        faults += decoded.faults().size();
      }
    };
    decode();
    EXPECT_EQ(cost_of(decode).allocations, 0u);
    EXPECT_GT(matches, 1000u);
    EXPECT_GT(faults, 1000u);
  }
}

TEST(Allocations, encode_forms_are_filled_without_any) {
  const isa::LoadedModel loaded = isa::load_model_text("x", varied_isa);
  ASSERT_TRUE(loaded.ok());
  const isa::Decoder decoder(loaded.model, {});
  const isa::Encoder encoder(decoder);
  Diagnostics faults;
  Result<isa::EncodeForm> form =
      encoder.prepare("one", {{"A.R", isa::Blank{}}, {"B", isa::Blank{}}, {"WIDE", -7}, {"T", isa::Blank{}}}, faults);
  ASSERT_TRUE(form.ok());
  isa::BitWord word[3] = {};
  std::size_t words = 0;
  const auto encode = [&] {
    for (std::uint64_t i = 0; i < 1000; ++i) {
      const std::uint64_t values[] = {i % 16, i / 16 % 16, i % 4};
      words += form->encode(values, word) ? 1u : 0u;
    }
  };
  encode();  // the first word may allocate: a stack of expressions grows
  EXPECT_EQ(cost_of(encode).allocations, 0u);
  EXPECT_EQ(words, 2000u);
}

// --- specialization --------------------------------------------------------------------------------------------------

// SpecIds: 1 a length, 2 a switch, 3 a condition, 4 a number. The values change constants, blocks and a function.
constexpr const char* specialized_text = R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %out
OpExecutionMode %main OriginUpperLeft
OpDecorate %length SpecId 1
OpDecorate %selector SpecId 2
OpDecorate %condition SpecId 3
OpDecorate %number SpecId 4
OpDecorate %out Location 0
%void = OpTypeVoid
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%uvec4 = OpTypeVector %uint 4
%length = OpSpecConstant %uint 4
%selector = OpSpecConstant %uint 4
%condition = OpSpecConstantTrue %bool
%number = OpSpecConstant %uint 4
%zero = OpConstant %uint 0
%sum = OpSpecConstantOp %uint IAdd %length %number
%vector = OpSpecConstantComposite %uvec4 %length %number %sum %sum
%product = OpSpecConstantOp %uvec4 IMul %vector %vector
%shuffled = OpSpecConstantOp %uvec4 VectorShuffle %product %vector 7 0 1 2
%inserted = OpSpecConstantOp %uvec4 CompositeInsert %number %shuffled 3
%is_small = OpSpecConstantOp %bool ULessThan %number %length
%array = OpTypeArray %uint %length
%private_array = OpTypePointer Private %array
%private_uint = OpTypePointer Private %uint
%output = OpTypePointer Output %uvec4
%values = OpVariable %private_array Private
%out = OpVariable %output Output
%void_type = OpTypeFunction %void
%uvec4_type = OpTypeFunction %uvec4
%main = OpFunction %void None %void_type
%entry = OpLabel
%element = OpAccessChain %private_uint %values %zero
OpStore %element %number
OpSelectionMerge %after None
OpSwitch %selector %default 1 %one 2 %two
%default = OpLabel
OpStore %out %inserted
OpBranch %after
%one = OpLabel
%called = OpFunctionCall %uvec4 %helper
OpBranch %after
%two = OpLabel
OpBranch %after
%after = OpLabel
%phi = OpPhi %uvec4 %inserted %default %called %one %product %two
OpStore %out %phi
OpReturn
OpFunctionEnd
%helper = OpFunction %uvec4 None %uvec4_type
%begin = OpLabel
OpSelectionMerge %end None
OpBranchConditional %is_small %small %end
%small = OpLabel
OpReturnValue %vector
%end = OpLabel
OpReturnValue %shuffled
OpFunctionEnd
)";

TEST(Allocations, specializations_make_none_from_the_second_call_on) {
  Diagnostics diagnostics;
  const Result<spirv::Specializer> specializer = spirv::Specializer::read(assembled(specialized_text), {}, diagnostics);
  ASSERT_TRUE(specializer.ok());
  std::size_t words = 0;
  for (const bool prune : {false, true}) {
    for (const bool freeze_rest : {false, true}) {
      spirv::SpecializerMemory memory;
      WordBuffer result;
      const auto specialize = [&](std::uint32_t i) {
        const spirv::Specialization values[] = {{4, i * 7}, {1, 1 + i}, {2, i % 4}, {3, i % 2}};
        const std::size_t count = i % 5 == 4 ? 2 : 4;
        const spirv::SpecializeOptions options = {.freeze_rest = freeze_rest, .prune = prune};
        EXPECT_FALSE(specializer->specialize(std::span(values).first(count), options, memory, result, diagnostics));
        words += result.size();
      };
      specialize(0);
      EXPECT_EQ(cost_of([&] { specialize(0); }).allocations, 0u) << prune << freeze_rest;
      for (std::uint32_t i = 0; i < 20; ++i) specialize(i);  // buffers grow to the size that these values need
      for (std::uint32_t i = 0; i < 20; ++i) {
        EXPECT_EQ(cost_of([&] { specialize(i); }).allocations, 0u) << prune << freeze_rest << " " << i;
      }
    }
  }
  EXPECT_TRUE(diagnostics.all().empty());
  EXPECT_GT(words, 10'000u);
}

TEST(Linearity, 100000_equal_names_become_unique_in_linear_time) {
  constexpr Word count = 100'000;
  WordBuffer words;
  spirv::write_header({.version_word = 0x00010000, .generator = 0, .bound = count + 1, .schema = 0}, words);
  spirv::InstructionWriter out(words);
  for (Word id = 1; id <= count; ++id) {
    out.begin(spirv::Op::OpName);
    out.word(id);
    out.string("x");
    ASSERT_TRUE(out.end());
  }
  std::string fault;
  std::string text;
  const Cost cost = cost_of([&] { text = text_of(words, {.header = false, .indent = false}, fault); });
  EXPECT_EQ(fault, "");
  EXPECT_TRUE(text.starts_with("OpName %x \"x\"\nOpName %x_0 \"x\"\nOpName %x_1 \"x\"\n")) << text.substr(0, 60);
  EXPECT_TRUE(text.ends_with("OpName %x_99998 \"x\"\n"));
  EXPECT_LE(cost.bytes, 64u << 20);
  EXPECT_EQ(round_trip_fault(words, {.twice = true}), "");
}

}  // namespace
}  // namespace vireo::system_test

// SPDX-License-Identifier: Apache-2.0
//
// Modules from real compilers, disassembled and assembled again.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "outside.h"
#include "system/real_modules.h"
#include "system/round_trip.h"

namespace vireo::system_test {
namespace {

// Modules with an error that the disassembler reports. Most of them are compiler tests for such errors or use
// extensions that no grammar contains. Their text is still complete and assembles to identical words.
struct BrokenModule {
  std::string_view path;
  std::string_view rule;
};
constexpr BrokenModule broken_modules[] = {
    {"SPIRV-Cross/shaders__vulkan__comp__ray-query.nocompat.spv14.invalid.vk.comp.v13.gVS.spv", "zero-id"},
    {"SPIRV-LLVM-Translator/test__DebugInfo__Generic__pass-by-value.ll.spv", "unknown-enumerant"},
    {"SPIRV-LLVM-Translator/test__DebugInfo__NonSemantic__DIImportedEntity.ll.spv", "surplus-operand"},
    {"SPIRV-LLVM-Translator/test__DebugInfo__NonSemantic__Shader200__DebugInfoSubrange.ll.spv", "unknown-enumerant"},
    {"SPIRV-LLVM-Translator/test__DebugInfo__X86__fi-expr.ll.spv", "unknown-enumerant"},
    {"SPIRV-LLVM-Translator/test__DebugInfo__X86__type_units_with_addresses.ll.spv", "unknown-enumerant"},
    {"SPIRV-LLVM-Translator/"
     "test__extensions__INTEL__SPV_INTEL_hw_thread_queries__negative_intel_hw_thread_queries.ll.spv",
     "unknown-enumerant"},
    {"SPIRV-LLVM-Translator/test__extensions__INTEL__SPV_INTEL_token_type__token_type_intel.spt.spv",
     "unknown-enumerant"},
    {"SPIRV-LLVM-Translator/test__negative__malformed-unknown-opcode-module-scope.spvasm.spv", "unknown-opcode"},
    {"glslang/Test__spv.bufferhandle5.frag.gVS.spv", "zero-id"},
    {"vk_raytracing_tutorial_KHR/ray_tracing_instances__shaders__frag_shader.frag.gVS.spv", "zero-id"},
};

std::string_view known_fault(std::string_view path) {
  const auto* row = std::find_if(std::begin(broken_modules), std::end(broken_modules),
                                 [&](const BrokenModule& module) { return module.path == path; });
  return row == std::end(broken_modules) ? std::string_view{} : row->rule;
}

TEST(Corpus, every_real_module_round_trips_through_text) {
  with_real_modules([](const UnpackedArchive& unpacked) {
    const std::size_t count = check_words_of(unpacked, [](const std::string& path, const WordBuffer& words) {
      return round_trip_fault(words, {.twice = true, .known_fault = known_fault(path)});
    });
    std::cout << "             " << count << " modules went through raw and friendly text and back\n";
  });
}

TEST(Corpus, the_shader_of_the_repository_round_trips_through_text) {
  const std::string text = bytes_of_file(outside::source_folder() / "data" / "spirv" / "mandelbrot.comp.spvasm");
  ASSERT_FALSE(text.empty());
  Diagnostics diagnostics;
  const Result<WordBuffer> words = spirv::assemble({"mandelbrot", text}, {}, diagnostics);
  ASSERT_TRUE(words);
  EXPECT_EQ(round_trip_fault(*words, {.twice = true}), "");
}

}  // namespace
}  // namespace vireo::system_test

// SPDX-License-Identifier: Apache-2.0
//
// Linked modules outside of Vireo: shaders of three modules give correct numbers on a driver, and a kernel with Debian's
// OpenCL library (libclc) is accepted by llvm-spirv and spirv-val.
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "drivers/driver_test.h"
#include "vireo/spirv/binary/reader.h"
#include "vireo/spirv/environment.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/transform/link.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::drivers {
namespace {

using spirv::LinkInput;
using spirv::LinkOptions;
using spirv::WordBuffer;

WordBuffer linked(const std::vector<LinkInput>& inputs, const LinkOptions& options) {
  Diagnostics diagnostics;
  Result<WordBuffer> result = spirv::link(inputs, options, diagnostics);
  for (const Diagnostic& each : diagnostics.all()) {
    if (each.severity == Severity::Error) ADD_FAILURE() << each.message;
  }
  return result ? std::move(*result) : WordBuffer();
}

void expect_valid(const WordBuffer& words, std::string_view environment) {
  spirv::ValidateOptions options;
  options.environment = spirv::find_environment(environment).value();
  Diagnostics findings;
  EXPECT_TRUE(spirv::validate(words, options, findings)) << findings.all().front().message;
}

class LinkedShaders : public OnDevice {};

// The modules share an input variable, a push constant and types; each has buffers of its own.
TEST_F(LinkedShaders, of_three_modules_compute_correct_numbers) {
  const std::vector<WordBuffer> modules = {assembled("test/drivers/linked_main.comp.spvasm"),
                                           assembled("test/drivers/linked_read.spvasm"),
                                           assembled("test/drivers/linked_write.spvasm")};
  for (const std::array<std::size_t, 3> order : {std::array<std::size_t, 3>{0, 1, 2}, {2, 0, 1}, {1, 2, 0}}) {
    std::vector<LinkInput> inputs;
    for (const std::size_t i : order) inputs.push_back({modules[i]});
    const WordBuffer shader = linked(inputs, {});
    expect_valid(shader, "vulkan1.3");
    constexpr std::uint32_t count = 256;
    std::vector<std::vector<std::uint32_t>> buffers(3, std::vector<std::uint32_t>(count));
    std::vector<std::uint32_t> expected(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      buffers[0][i] = 3 * i;
      buffers[1][i] = 1000 + i;
      buffers[2][i] = 0xFFFFFFFF;
      expected[i] = (3 * i + 7) * (1000 + i) + i;
    }
    device()->run({.shader = shader, .buffers = buffers, .push_constants = {7}, .groups = {count / 64, 1, 1}});
    EXPECT_EQ(buffers[2], expected);
  }
}

class LinkedKernels : public Drivers {};

TEST_F(LinkedKernels, with_an_opencl_library_are_accepted) {
  const std::filesystem::path path = "/usr/lib/clc/spirv64-mesa3d-.spv";
  if (!std::filesystem::exists(path)) VIREO_ABSENT("no libclc for SPIR-V");
  std::string translator;
  for (const char* name : {"llvm-spirv", "llvm-spirv-15"}) {
    if (translator.empty() && is_installed(name)) translator = name;
  }
  const std::string bytes = text_of(path);
  Diagnostics diagnostics;
  const Result<spirv::ModuleWords> library = spirv::read_module_words(bytes, diagnostics);
  ASSERT_TRUE(library);
  const WordBuffer kernel = assembled("test/drivers/libclc_kernel.spvasm");
  const std::vector<LinkInput> inputs = {{kernel, "kernel"}, {library->words(), "libclc"}};
  for (const bool only_needed : {false, true}) {
    const WordBuffer program = linked(inputs, {.partial = true, .only_needed = only_needed});
    expect_valid(program, "opencl2.2");
    // sinh and pow with what they call.
    const std::size_t most_words = only_needed ? library->words().size() / 20 : 2 * library->words().size();
    EXPECT_LT(program.size(), most_words);
    const std::string file = (folder_ / "program.spv").string();
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(program.data()),
               static_cast<std::streamsize>(program.size() * sizeof(spirv::Word)));
    if (is_installed("spirv-val")) {
      const Said said = run("spirv-val --target-env opencl2.2 " + file);
      EXPECT_EQ(said.status, 0) << said.text;
    }
    if (translator.empty()) VIREO_ABSENT("no llvm-spirv");
    const Said said = run(translator + " -r " + file + " -o " + file + ".bc");
    EXPECT_EQ(said.status, 0) << said.text;
  }
}

}  // namespace
}  // namespace vireo::drivers

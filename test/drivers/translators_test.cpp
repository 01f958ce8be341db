// SPDX-License-Identifier: Apache-2.0
//
// Other programs that read SPIR-V accept our modules: Debian's spirv-val, spirv-cross and llvm-spirv.
#include "drivers/driver_test.h"
#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/module/module.h"

namespace vireo::drivers {
namespace {

class Translators : public Drivers {};

struct Validated {
  const char* what;
  const char* environment;
};

TEST_F(Translators, spirv_val_accepts_built_modules) {
  if (!is_installed("spirv-val")) VIREO_ABSENT("no spirv-val");
  constexpr Validated rows[] = {
      {"shader", "vulkan1.2"}, {"kernel", "opencl2.2"}, {"vertex", "vulkan1.2"}, {"fragment", "vulkan1.2"}};
  for (const Validated& row : rows) {
    const Said said =
        run("spirv-val --target-env " + std::string(row.environment) + " " + built_file(row.what).string());
    EXPECT_EQ(said.status, 0) << row.what;
    EXPECT_EQ(said.text, "") << row.what;
  }
}

struct Translated {
  const char* language;  // an option of spirv-cross
  const char* what;
  const char* sum;  // expected in the translation
};

// spirv-cross reads only shaders of graphics APIs; llvm-spirv translates the OpenCL kernel.
TEST_F(Translators, spirv_cross_translates_shaders) {
  if (!is_installed("spirv-cross")) VIREO_ABSENT("no spirv-cross");
  constexpr Translated rows[] = {
      {"--version 450", "shader", "layout(local_size_x = 64, local_size_y = 1, local_size_z = 1) in;"},
      {"--version 450", "shader", "c_1._m0["},
      {"--hlsl --shader-model 60", "shader", "[numthreads(64, 1, 1)]"},
      {"--msl", "shader", "kernel void main0("},
      {"--version 450 --vulkan-semantics", "vertex", "gl_Position = vec4("},
      {"--version 450 --vulkan-semantics", "fragment", "layout(location = 0) out vec4"},
  };
  for (const Translated& row : rows) {
    const Said said = run("spirv-cross " + std::string(row.language) + " " + built_file(row.what).string());
    EXPECT_EQ(said.status, 0) << said.text;
    EXPECT_NE(said.text.find(row.sum), std::string::npos) << row.what << " " << row.language << ":\n" << said.text;
  }
}

/// llvm-spirv of any version: Debian gives each version its own name.
std::string llvm_spirv() {
  for (const char* name : {"llvm-spirv", "llvm-spirv-15", "llvm-spirv-14"}) {
    if (is_installed(name)) return name;
  }
  return {};
}

// To LLVM bitcode and back: the resulting kernel still contains the addition.
TEST_F(Translators, llvm_spirv_round_trips_the_kernel) {
  const std::string program = llvm_spirv();
  if (program.empty()) VIREO_ABSENT("no llvm-spirv");
  const std::string kernel = built_file("kernel").string(), bitcode = kernel + ".bc", back = kernel + ".back";
  const Said there = run(program + " -r " + kernel + " -o " + bitcode);
  ASSERT_EQ(there.status, 0) << there.text;
  const Said returned = run(program + " " + bitcode + " -o " + back);
  ASSERT_EQ(returned.status, 0) << returned.text;

  const std::string bytes = text_of(back);
  spirv::WordBuffer words(bytes.size() / sizeof(spirv::Word));
  bytes.copy(reinterpret_cast<char*>(words.data()), words.size() * sizeof(spirv::Word));
  const spirv::Module module = spirv::Module::read(words);
  EXPECT_TRUE(module.layout_violations().empty());
  std::size_t additions = 0;
  for (const spirv::InstructionView view : module.views(module.all())) {
    additions += view.opcode == spirv::Op::OpFAdd ? 1 : 0;
  }
  EXPECT_EQ(additions, 1u);
  EXPECT_EQ(module.section(spirv::Section::EntryPoints).size(), 1u);
}

}  // namespace
}  // namespace vireo::drivers

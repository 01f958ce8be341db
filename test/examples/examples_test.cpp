// SPDX-License-Identifier: Apache-2.0
//
// The programs of examples/ print the expected output, and the guide quotes their code.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "outside.h"
#include "vireo/spirv/binary/writer.h"
#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/text/assemble.h"
#include "vireo/support/file.h"

namespace vireo {
namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The standard output and errors of a command, after its exit status if that is not 0.
std::string run(const std::string& command) {
  std::FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return "cannot run " + command;
  std::string output;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) output.push_back(static_cast<char>(c));
  const int status = pclose(pipe);
  return status == 0 ? output : "status " + std::to_string(status) + ": " + output;
}

std::string example(std::string_view name) {
  return std::string(VIREO_BINARY_DIR) + "/examples/" + std::string(name) + " ";
}

/// A file that is removed when the test ends.
struct TemporaryFile {
  explicit TemporaryFile(const std::string& name) : path(std::filesystem::path(testing::TempDir()) / name) {}
  ~TemporaryFile() { std::filesystem::remove(path); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  std::filesystem::path path;
};

std::vector<spirv::Word> words_of(const std::filesystem::path& path) {
  const std::string bytes = text_of(path);
  std::vector<spirv::Word> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), words.size() * 4);
  return words;
}

/// The output of an example for the repository's shader; a note if it fails.
std::string said_by(const std::string& name) {
  const std::string text = text_of(outside::source_folder() / "data" / "spirv" / "mandelbrot.comp.spvasm");
  Diagnostics diagnostics;
  const Result<spirv::WordBuffer> words = spirv::assemble({"mandelbrot", text}, {}, diagnostics);
  if (!words) return "the shader does not assemble";
  const std::string stem = name.substr(0, name.find(' '));
  const std::filesystem::path module = std::filesystem::path(testing::TempDir()) / ("example_" + stem + ".spv");
  std::ofstream(module, std::ios::binary)
      .write(reinterpret_cast<const char*>(words->data()), static_cast<std::streamsize>(words->size() * 4));

  std::string output = run(example(name) + module.string());
  std::filesystem::remove(module);
  return output;
}

TEST(Examples, entry_points_lists_interfaces) {
  EXPECT_EQ(said_by("entry_points"),
            "GLCompute main\n"
            "  %3 Input gl_GlobalInvocationID built-in GlobalInvocationId int32 x 3\n"
            "  %4 StorageBuffer image\n"
            "  %5 PushConstant view\n");
}

TEST(Examples, stream_counts_instructions) {
  EXPECT_EQ(said_by("stream"),
            "     9 OpName\n"
            "     8 OpLabel\n"
            "     7 OpTypePointer\n"
            "     7 OpConstant\n"
            "     7 OpDecorate\n");
}

// The programs print the path of the file before each place.
TEST(Examples, validate_and_print_points_into_the_disassembly) {
  EXPECT_EQ(said_by("validate_and_print vulkan1.3"), "");
  const std::string said = said_by("validate_and_print opencl2.2");
  EXPECT_TRUE(said.starts_with("status 256: ")) << said;
  for (const std::string_view part :
       {".spv: error: the module is SPIR-V 1.6, but opencl2.2 supports SPIR-V 1.2 at most [target-version]\n",
        ".spv:8:30: error: OpenCL does not allow addressing model Logical; expected Physical32 or Physical64 "
        "[opencl-addressing]\n"
        "    8 |                OpMemoryModel Logical GLSL450\n"
        "      |                              ^~~~~~~\n"}) {
    EXPECT_NE(said.find(part), std::string::npos) << said;
  }
  const std::string mistyped = said_by("validate_and_print vulkan1.3x");
  EXPECT_NE(mistyped.find("unknown environment 'vulkan1.3x'"), std::string::npos) << mistyped;
}

TEST(Examples, list_bindings_lists_sets_bindings_types_and_names) {
  EXPECT_EQ(said_by("list_bindings"), "main\n  set 0, binding 0: Image* image\n");
}

TEST(Examples, strip_debug_removes_names_and_own_rule_requires_them) {
  EXPECT_EQ(said_by("own_rule vulkan1.3"), "");
  const TemporaryFile whole("with_names.spv"), stripped("stripped.spv");
  Diagnostics diagnostics;
  const std::string text = text_of(outside::source_folder() / "data" / "spirv" / "mandelbrot.comp.spvasm");
  const Result<spirv::WordBuffer> words = spirv::assemble({"mandelbrot", text}, {}, diagnostics);
  ASSERT_TRUE(bool(words));
  ASSERT_TRUE(write_file(whole.path.string(), spirv::bytes_of(*words), diagnostics));
  ASSERT_EQ(run(example("strip_debug") + whole.path.string() + " " + stripped.path.string()), "");
  const spirv::WordBuffer left = words_of(stripped.path);
  EXPECT_FALSE(spirv::Module::read(left).has(spirv::Op::OpName));
  const std::string said = run(example("own_rule") + "vulkan1.3 " + stripped.path.string());
  EXPECT_NE(said.find("error: variable %4 has a binding and no name [unnamed-binding]"), std::string::npos) << said;
}

struct BuiltRow {
  std::string_view what;
  std::string_view environment;  // of spirv-val
  std::vector<spirv::Capability> capabilities;
};

// The built module has a valid layout, declares exactly its requirements, and is accepted by the reference's validator.
TEST(Examples, build_compute_kernel_makes_valid_modules) {
  using enum spirv::Capability;
  const BuiltRow rows[] = {
      {"shader", "vulkan1.2", {Shader}},
      {"kernel", "opencl2.2", {Addresses, Kernel, Int64}},
      {"vertex", "vulkan1.2", {Shader}},
      {"fragment", "vulkan1.2", {Shader}},
  };
  const bool has_validator = run("command -v spirv-val").starts_with("/");
  for (const BuiltRow& row : rows) {
    const TemporaryFile file(std::string(row.what) + "_built.spv");
    ASSERT_EQ(run(example("build_compute_kernel") + std::string(row.what) + " " + file.path.string()), "");
    const std::vector<spirv::Word> words = words_of(file.path);
    const spirv::Module module = spirv::Module::read(words);
    EXPECT_TRUE(module.layout_violations().empty()) << row.what;
    EXPECT_GT(module.instruction_count(), 15u) << row.what;
    std::vector<spirv::Capability> capabilities;
    for (const spirv::InstructionView view : module.views(module.section(spirv::Section::Capabilities))) {
      capabilities.push_back(static_cast<spirv::Capability>(view.word(1)));
    }
    EXPECT_EQ(capabilities, row.capabilities) << row.what;
    if (has_validator) {
      EXPECT_EQ(run("spirv-val --target-env " + std::string(row.environment) + " " + file.path.string()), "")
          << row.what;
    }
  }
  if (!has_validator) GTEST_SKIP() << "spirv-val is not installed: the built modules were read, but not validated";
}

TEST(Examples, rewrite_constants_changes_only_constants) {
  Diagnostics diagnostics;
  const Result<spirv::WordBuffer> words = spirv::assemble({"constants", R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpDecorate %size SpecId 3
OpDecorate %flag SpecId 4
%int = OpTypeInt 32 0
%bool = OpTypeBool
%size = OpSpecConstant %int 16
%flag = OpSpecConstantTrue %bool
)"},
                                                          {}, diagnostics);
  ASSERT_TRUE(bool(words));
  const TemporaryFile before("before.spv"), after("after.spv");
  std::ofstream(before.path, std::ios::binary)
      .write(reinterpret_cast<const char*>(words->data()), static_cast<std::streamsize>(words->size() * 4));
  EXPECT_EQ(run(example("rewrite_constants") + before.path.string() + " " + after.path.string() + " 3=64 4=0"),
            "2 of 2 constants were set\n");
  std::vector<spirv::Word> expected(words->begin(), words->end());
  const std::size_t size = expected.size();
  expected[size - 4] = 64;  // the last word of OpSpecConstant; OpSpecConstantTrue has three words
  expected[size - 3] += 1;  // OpSpecConstantFalse is the next opcode
  EXPECT_EQ(words_of(after.path), expected);
}

// The instrumented shader declares all its requirements, and its entry point lists the buffer.
TEST(Examples, instrument_makes_valid_modules) {
  const std::string shader = (outside::source_folder() / "data" / "spirv" / "mandelbrot.comp.spvasm").string();
  const std::string vireo = VIREO_BINARY_DIR "/bin/vireo ";
  const TemporaryFile before("instrument_before.spv"), after("instrument_after.spv");
  ASSERT_EQ(run(vireo + "as " + shader + " -o " + before.path.string()), "");
  EXPECT_EQ(run(example("instrument") + before.path.string() + " " + after.path.string() + " 3 7"),
            "2 functions are counted\n");
  EXPECT_EQ(run(vireo + "val --target-env vulkan1.3 " + after.path.string()), "");
  const std::string text = run(vireo + "dis " + after.path.string());
  EXPECT_NE(text.find("OpDecorate %executed DescriptorSet 3"), std::string::npos) << text;
  EXPECT_NE(text.find("%view %executed\n"), std::string::npos) << "in the interface:\n" << text;
  EXPECT_NE(text.find("OpAtomicIAdd"), std::string::npos);
  EXPECT_EQ(run(example("instrument") + before.path.string()), "status 512: usage: instrument IN OUT SET BINDING\n");
}

TEST(Examples, the_guide_shows_the_code_of_the_programs) {
  std::vector<std::string> programs;
  for (const auto& entry : std::filesystem::directory_iterator(outside::source_folder() / "examples")) {
    if (entry.path().extension() == ".cpp") programs.push_back(text_of(entry.path()));
  }
  const std::string guide = text_of(outside::source_folder() / "docs" / "library.md");
  constexpr std::string_view fence = "```cpp\n";
  std::size_t blocks = 0;
  for (std::size_t at = guide.find(fence); at != std::string::npos; at = guide.find(fence, at)) {
    at += fence.size();
    const std::string block = guide.substr(at, guide.find("```", at) - at);
    ++blocks;
    bool is_shown = false;
    for (const std::string& program : programs) is_shown = is_shown || program.find(block) != std::string::npos;
    EXPECT_TRUE(is_shown) << "in no example:\n" << block;
  }
  EXPECT_GE(blocks, 5u);
}

}  // namespace
}  // namespace vireo

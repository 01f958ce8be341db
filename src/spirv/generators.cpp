// SPDX-License-Identifier: Apache-2.0
//
// The registry of generators, by number: vendor, and the tool where one is registered.
//
// The table is the registry; a row is added when the registry gets one.
#include "spirv/generators.h"

#include <charconv>
#include <cstddef>
#include <iterator>

#include <fmt/format.h>

namespace vireo::spirv {
namespace {

constexpr std::string_view names[] = {
    "Khronos",                                                // 0
    "LunarG",                                                 // 1
    "Valve",                                                  // 2
    "Codeplay",                                               // 3
    "NVIDIA",                                                 // 4
    "ARM",                                                    // 5
    "Khronos LLVM/SPIR-V Translator",                         // 6
    "Khronos SPIR-V Tools Assembler",                         // 7
    "Khronos Glslang Reference Front End",                    // 8
    "Qualcomm",                                               // 9
    "AMD",                                                    // 10
    "Intel",                                                  // 11
    "Imagination",                                            // 12
    "Google Shaderc over Glslang",                            // 13
    "Google spiregg",                                         // 14
    "Google rspirv",                                          // 15
    "X-LEGEND Mesa3D GLSL-IR/SPIR-V Translator",              // 16
    "Khronos SPIR-V Tools Linker",                            // 17
    "Wine VKD3D Shader Compiler",                             // 18
    "Tellusim Clay Shader Compiler",                          // 19
    "W3C WebGPU Group WHLSL Shader Translator",               // 20
    "Google Clspv",                                           // 21
    "LLVM MLIR SPIR-V Serializer",                            // 22
    "Google Tint Compiler",                                   // 23
    "Google ANGLE Shader Compiler",                           // 24
    "Netease Games Messiah Shader Compiler",                  // 25
    "Xenia Xenia Emulator Microcode Translator",              // 26
    "Embark Studios Rust GPU Compiler Backend",               // 27
    "gfx-rs community Naga",                                  // 28
    "Mikkosoft Productions MSP Shader Compiler",              // 29
    "SpvGenTwo community SpvGenTwo SPIR-V IR Tools",          // 30
    "Google Skia SkSL",                                       // 31
    "TornadoVM Beehive SPIRV Toolkit",                        // 32
    "DragonJoker ShaderWriter",                               // 33
    "Rayan Hatout SPIRVSmith",                                // 34
    "Saarland University Shady",                              // 35
    "Taichi Graphics Taichi",                                 // 36
    "heroseh Hero C Compiler",                                // 37
    "Meta SparkSL",                                           // 38
    "SirLynix Nazara ShaderLang Compiler",                    // 39
    "Khronos Slang Compiler",                                 // 40
    "Zig Software Foundation Zig Compiler",                   // 41
    "Rendong Liang spq",                                      // 42
    "LLVM LLVM SPIR-V Backend",                               // 43
    "Robert Konrad Kongruent",                                // 44
    "Kitsunebi Games Nuvk SPIR-V Emitter and DLSL compiler",  // 45
    "Nintendo",                                               // 46
    "ARM",                                                    // 47
    "Goopax",                                                 // 48
    "Icyllis Milica Arc3D Shader Compiler",                   // 49
    "Isochron Pred",                                          // 50
    "apilatosba Apila Jai Compiler",                          // 51
};

// The reference's text for a number that is not in its table; find_generator() reads it.
constexpr std::string_view unknown_prefix = "Unknown(";

}  // namespace

std::string_view generator_name(std::uint16_t number) {
  return number < std::size(names) ? names[number] : std::string_view{};
}

std::string generator_text(Word generator) {
  const std::string_view name = generator_name(tool_of(generator));
  return name.empty() ? fmt::format("{}{}); {}", unknown_prefix, tool_of(generator), tool_version_of(generator))
                      : fmt::format("{}; {}", name, tool_version_of(generator));
}

std::optional<std::uint16_t> find_generator(std::string_view name) {
  for (std::size_t i = 0; i < std::size(names); ++i) {
    if (names[i] == name) return static_cast<std::uint16_t>(i);
  }
  if (!name.starts_with(unknown_prefix) || !name.ends_with(')')) return std::nullopt;
  std::uint16_t number = 0;
  const char* end = name.data() + name.size() - 1;
  const auto [stop, error] = std::from_chars(name.data() + unknown_prefix.size(), end, number);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return number;
}

}  // namespace vireo::spirv

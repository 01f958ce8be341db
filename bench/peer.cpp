// SPDX-License-Identifier: Apache-2.0
//
// Calls libSPIRV-Tools (peer.h). Without the package the same functions exist and return nothing.
//
// The context, with the reference's tables, is created once, outside the timed code.
#include "peer.h"

#ifdef VIREO_BENCH_PEER

#include <spirv-tools/libspirv.h>
#include <spirv-tools/optimizer.hpp>
#include <unordered_map>

namespace vireo::bench::peer {
namespace {

spv_context context() {
  struct Context {
    spv_context handle = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
    ~Context() { spvContextDestroy(handle); }
  };
  static const Context made;  // benchmarks use one thread
  return made.handle;
}

spv_result_t add_operands(void* total, const spv_parsed_instruction_t* instruction) {
  *static_cast<std::size_t*>(total) += instruction->num_operands;
  return SPV_SUCCESS;
}

}  // namespace

bool is_linked() { return true; }

Text::~Text() { spvTextDestroy(static_cast<spv_text>(handle_)); }
std::string_view Text::view() const {
  const auto text = static_cast<spv_text>(handle_);
  return {text->str, text->length};
}

Binary::~Binary() { spvBinaryDestroy(static_cast<spv_binary>(handle_)); }
spirv::Words Binary::words() const {
  const auto binary = static_cast<spv_binary>(handle_);
  return {binary->code, binary->wordCount};
}

Text disassemble(spirv::Words words, Ids ids) {
  std::uint32_t options = SPV_BINARY_TO_TEXT_OPTION_INDENT;
  if (ids == Ids::Named) options |= SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES;
  spv_text text = nullptr;
  spv_diagnostic diagnostic = nullptr;
  spvBinaryToText(context(), words.data(), words.size(), options, &text, &diagnostic);
  spvDiagnosticDestroy(diagnostic);
  return Text(text);
}

Binary assemble(std::string_view text, Ids ids) {
  const std::uint32_t options =
      ids == Ids::Numbers ? SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS : SPV_TEXT_TO_BINARY_OPTION_NONE;
  spv_binary binary = nullptr;
  spv_diagnostic diagnostic = nullptr;
  spvTextToBinaryWithOptions(context(), text.data(), text.size(), options, &binary, &diagnostic);
  spvDiagnosticDestroy(diagnostic);
  return Binary(binary);
}

std::size_t count_operands(spirv::Words words) {
  std::size_t total = 0;
  spv_diagnostic diagnostic = nullptr;
  const spv_result_t result =
      spvBinaryParse(context(), &total, words.data(), words.size(), nullptr, add_operands, &diagnostic);
  spvDiagnosticDestroy(diagnostic);
  return result == SPV_SUCCESS ? total : 0;
}

bool is_valid(spirv::Words words) {
  spv_diagnostic diagnostic = nullptr;
  const spv_result_t result = spvValidateBinary(context(), words.data(), words.size(), &diagnostic);
  spvDiagnosticDestroy(diagnostic);
  return result == SPV_SUCCESS;
}

std::size_t rebuilt_size(spirv::Words words) {
  const spvtools::Optimizer optimizer(SPV_ENV_UNIVERSAL_1_6);
  spvtools::OptimizerOptions options;
  options.set_run_validator(false);
  std::vector<std::uint32_t> written;
  return optimizer.Run(words.data(), words.size(), &written, options) ? written.size() : 0;
}

std::vector<std::uint32_t> specialize(spirv::Words words, std::span<const spirv::Specialization> values) {
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> defaults;
  for (const spirv::Specialization& value : values) {
    defaults[value.spec_id] = {static_cast<std::uint32_t>(value.bits)};  // for types of at most 32 bits
  }
  spvtools::Optimizer optimizer(SPV_ENV_UNIVERSAL_1_6);
  optimizer.RegisterPass(spvtools::CreateSetSpecConstantDefaultValuePass(defaults))
      .RegisterPass(spvtools::CreateFreezeSpecConstantValuePass())
      .RegisterPass(spvtools::CreateFoldSpecConstantOpAndCompositePass())
      .RegisterPass(spvtools::CreateDeadBranchElimPass())
      .RegisterPass(spvtools::CreateAggressiveDCEPass());
  spvtools::OptimizerOptions options;
  options.set_run_validator(false);
  std::vector<std::uint32_t> written;
  return optimizer.Run(words.data(), words.size(), &written, options) ? written : std::vector<std::uint32_t>();
}

}  // namespace vireo::bench::peer

#else

namespace vireo::bench::peer {

bool is_linked() { return false; }
Text::~Text() = default;
std::string_view Text::view() const { return {}; }
Binary::~Binary() = default;
spirv::Words Binary::words() const { return {}; }
Text disassemble(spirv::Words, Ids) { return Text(nullptr); }
Binary assemble(std::string_view, Ids) { return Binary(nullptr); }
std::size_t count_operands(spirv::Words) { return 0; }
bool is_valid(spirv::Words) { return false; }
std::size_t rebuilt_size(spirv::Words) { return 0; }
std::vector<std::uint32_t> specialize(spirv::Words, std::span<const spirv::Specialization>) { return {}; }

}  // namespace vireo::bench::peer

#endif

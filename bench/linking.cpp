// SPDX-License-Identifier: Apache-2.0
//
// Linking: a large kernel with a library, as whole processes next to the newest spirv-link; and made modules in process,
// whose times must grow linearly with symbols and modules.
//
// A linker that leaves something out is fast, so each result is validated and its symbols are counted
// before anything is timed.
#include <cstddef>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "corpus.h"
#include "measure.h"
#include "process.h"
#include "scenarios.h"
#include "tables.h"

#include "test/outside.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/text/assemble.h"
#include "vireo/spirv/transform/link.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::bench {
namespace {

using namespace spirv;

constexpr double required_ratio = 20;

/// Module `number` of `count`: exports `symbols` functions, and calls those of the next module.
WordBuffer made_module(std::size_t number, std::size_t count, std::size_t symbols) {
  std::string decorations, functions, definitions;
  for (std::size_t i = 0; i < symbols; ++i) {
    const std::size_t next = (number + 1) % count;
    decorations += fmt::format(
        "OpDecorate %i{0} LinkageAttributes \"f{1}_{0}\" Import\nOpDecorate %e{0} LinkageAttributes \"f{2}_{0}\" "
        "Export\n",
        i, next, number);
    functions +=
        fmt::format("%i{0} = OpFunction %uint None %fn\n%ip{0} = OpFunctionParameter %uint\nOpFunctionEnd\n", i);
    definitions += fmt::format(
        "%e{0} = OpFunction %uint None %fn\n%p{0} = OpFunctionParameter %uint\n%l{0} = OpLabel\n"
        "%c{0} = OpFunctionCall %uint %i{0} %p{0}\n%s{0} = OpIAdd %uint %c{0} %k{0}\nOpReturnValue %s{0}\n"
        "OpFunctionEnd\n",
        i);
  }
  std::string text =
      "OpCapability Addresses\nOpCapability Linkage\nOpCapability Kernel\nOpMemoryModel Physical64 OpenCL\n" +
      decorations + "%uint = OpTypeInt 32 0\n%fn = OpTypeFunction %uint %uint\n";
  for (std::size_t i = 0; i < symbols; ++i) text += fmt::format("%k{0} = OpConstant %uint {0}\n", i);
  Diagnostics diagnostics;
  Result<WordBuffer> words = assemble(SourceText{"", text + functions + definitions}, {}, diagnostics);
  return words ? std::move(*words) : WordBuffer();
}

int measure_made(std::size_t modules, std::size_t symbols) {
  std::vector<WordBuffer> words;
  std::size_t bytes = 0;
  for (std::size_t m = 0; m < modules; ++m) {
    words.push_back(made_module(m, modules, symbols));
    bytes += words.back().size() * sizeof(Word);
  }
  std::vector<LinkInput> inputs;
  inputs.reserve(modules);
  for (const WordBuffer& each : words) inputs.push_back({each});
  Diagnostics diagnostics;
  const Result<WordBuffer> result = link(inputs, {}, diagnostics);
  const std::string name = fmt::format("made, {} x {} symbols", modules, symbols);
  if (!result || Module::read(*result).functions().size() != modules * symbols) {
    return print("{:<44} WRONG ANSWER\n", name), 1;
  }
  Samples samples;
  for (int round = 0; round < 15; ++round) samples.add(seconds_of([&] { (void)link(inputs, {}, diagnostics); }));
  print("{:<44} {:>8} {:>10} {:>8.0f} MB/s {:>8.0f} ns a symbol\n", name, size_text(bytes), time_text(samples.median()),
        static_cast<double>(bytes) / samples.median() / 1e6,
        samples.median() * 1e9 / static_cast<double>(modules * symbols));
  return 0;
}

double processor_time(const Command& command, int rounds) {
  Samples samples;
  for (int round = 0; round < rounds; ++round) {
    if (const ProcessCost cost = run_process(command); cost.ok) samples.add(cost.processor_seconds);
  }
  return samples.median();
}

int measure_large(const std::filesystem::path& folder) {
  const std::string kernel = (folder / "linked_hashcat_mi.spv").string();
  const std::string library = (folder / "libclc__libclc-15-spirv64-mesa3d-.spv.spv").string();
  if (!std::filesystem::exists(kernel) || !std::filesystem::exists(library)) return 0;
  const std::filesystem::path output = std::filesystem::temp_directory_path() / "vireo_bench_linked.spv";
  const Command ours = {
      VIREO_BINARY_DIR "/bin/vireo", "link", "--library", "--partial", kernel, library, "-o", output.string()};
  if (!run_process(ours).ok) return print("hashcat and libclc: WRONG ANSWER: the program failed\n"), 1;
  const WordBuffer linked = words_of_file(output);
  Diagnostics findings;
  if (!validate(linked, {}, findings)) {
    return print("hashcat and libclc: WRONG ANSWER: {}\n", findings.all().front().message), 1;
  }
  const double our_time = processor_time(ours, 9);
  double peer_time = 0;
  if (const auto newest = outside::peers_folder()) {
    Command peer = without_wrapper((*newest / "bin" / "spirv-link").string());
    peer.insert(peer.end(), {"--create-library", "--allow-partial-linkage", kernel, library, "-o", output.string()});
    peer_time = processor_time(peer, 3);
  }
  std::error_code ignored;
  std::filesystem::remove(output, ignored);
  print("{:<44} {:>8} {:>10}, newest spirv-link {:>8}, {}\n", "hashcat and libclc, whole processes",
        size_text(linked.size() * sizeof(Word)), time_text(our_time), time_text(peer_time),
        ratio_text(our_time, peer_time, required_ratio));
  return peer_time > 0 && peer_time < required_ratio * our_time ? 1 : 0;
}

}  // namespace

int run_linking() {
  print("\nLinking: processor time\n\n");
  int status = 0;
  if (const std::filesystem::path folder = unpacked("large"); !folder.empty()) status |= measure_large(folder);
  for (const std::size_t symbols : {1000, 2000, 4000, 8000, 16000}) status |= measure_made(2, symbols);
  for (const std::size_t modules : {10, 100, 1000}) status |= measure_made(modules, 100);
  return status;
}

}  // namespace vireo::bench

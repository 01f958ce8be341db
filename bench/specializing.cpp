// SPDX-License-Identifier: Apache-2.0
//
// Specialization: the first one of a module, later ones with the analysis kept, with and without pruning. The peer runs
// five passes that do the same: set the defaults, freeze, fold, remove dead branches and dead code.
//
// Each constant gets its default plus 0 or 1, in turns, so the result changes from call to call. Values
// that the module refuses are replaced by its defaults.
#include <string>
#include <vector>

#include "measure.h"
#include "peer.h"
#include "process.h"
#include "scenarios.h"
#include "tables.h"

#include "test/outside.h"
#include "vireo/spirv/text/assemble.h"
#include "vireo/spirv/transform/specialize.h"
#include "vireo/spirv/validate/validate.h"
#include "vireo/support/source.h"

namespace vireo::bench {
namespace {

using namespace spirv;

constexpr SpecializeOptions pruned = {.freeze_rest = true, .prune = true}, unpruned = {.freeze_rest = true};

struct Shader {
  std::string name;
  std::filesystem::path path;  // empty: made here
  WordBuffer words;
};

/// `count` specialization constants, operations on them, and selections that depend on them.
WordBuffer made_shader(std::size_t count) {
  std::string head =
      "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\" %var\n"
      "OpExecutionMode %main LocalSize 1 1 1\n";
  std::string globals =
      "%void = OpTypeVoid\n%bool = OpTypeBool\n%int = OpTypeInt 32 1\n%fn = OpTypeFunction %void\n"
      "%ptr = OpTypePointer Workgroup %int\n%var = OpVariable %ptr Workgroup\n%two = OpConstant %int 2\n";
  std::string body = "%main = OpFunction %void None %fn\n%entry = OpLabel\n";
  for (std::size_t i = 0; i < count; ++i) {
    head += fmt::format("OpDecorate %c{0} SpecId {0}\n", i);
    globals += fmt::format(
        "%c{0} = OpSpecConstant %int {0}\n%d{0} = OpSpecConstantOp %int BitwiseAnd %c{0} %two\n"
        "%e{0} = OpSpecConstantOp %bool IEqual %d{0} %two\n",
        i);
    body += fmt::format(
        "OpSelectionMerge %m{0} None\nOpBranchConditional %e{0} %t{0} %f{0}\n%t{0} = OpLabel\n%l{0} = OpLoad %int "
        "%var\n"
        "%s{0} = OpIAdd %int %l{0} %c{0}\nOpBranch %m{0}\n%f{0} = OpLabel\n%k{0} = OpLoad %int %var\n"
        "%u{0} = OpISub %int %k{0} %d{0}\nOpBranch %m{0}\n%m{0} = OpLabel\n"
        "%p{0} = OpPhi %int %s{0} %t{0} %u{0} %f{0}\n%o{0} = OpAtomicIAdd %int %var %two %two %p{0}\n",
        i);
  }
  const std::string text = head + globals + body + "OpReturn\nOpFunctionEnd\n";
  Diagnostics diagnostics;
  Result<WordBuffer> words = assemble(SourceText{"", text}, {}, diagnostics);
  return words ? std::move(*words) : WordBuffer();
}

std::vector<Specialization> values_of(const Specializer& specializer, std::uint64_t more) {
  std::vector<Specialization> values;
  for (const SpecConstant& each : specializer.constants()) {
    const bool is_int = each.kind == SpecConstant::Kind::Int;
    const std::uint64_t mask = each.width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << each.width) - 1;
    values.push_back({each.spec_id, is_int ? (each.default_bits + more) & mask : each.default_bits});
  }
  return values;
}

/// Returns an empty text, or the fault of a specialization.
std::string wrong_answer(const Specializer& specializer, const std::vector<Specialization>& values) {
  SpecializerMemory memory;
  WordBuffer result;
  Diagnostics diagnostics;
  if (specializer.specialize(values, pruned, memory, result, diagnostics)) return diagnostics.all().front().message;
  const Result<Specializer> again = Specializer::read(result, {}, diagnostics);
  if (!again || !again->constants().empty()) return "a specialization constant is left";
  Diagnostics findings;
  if (!validate(result, {}, findings)) return "the result is invalid: " + findings.all().front().message;
  return {};
}

/// Times the specializations; prints a line. Returns 1 for a wrong answer.
int measure(const Shader& shader, const std::filesystem::path& newest) {
  Diagnostics diagnostics;
  const Result<Specializer> kept = Specializer::read(shader.words, {}, diagnostics);
  if (!kept) return print("{:<34} WRONG ANSWER: it cannot be read\n", shader.name), 1;
  SpecializerMemory memory;
  WordBuffer result;
  std::vector<Specialization> values[2] = {values_of(*kept, 0), values_of(*kept, 1)};
  Diagnostics refusals;
  if (kept->specialize(values[1], pruned, memory, result, refusals)) values[1] = values[0];
  for (const auto& each : values) {
    if (const std::string fault = wrong_answer(*kept, each); !fault.empty()) {
      return print("{:<34} WRONG ANSWER: {}\n", shader.name, fault), 1;
    }
  }
  const bool peer_works = !peer::specialize(shader.words, values[0]).empty();
  Samples first, later, later_pruned, peer_time, newest_time;
  const int rounds = shader.words.size() > 1'000'000 ? 5 : 31;
  for (int round = 0; round < rounds; ++round) {
    first.add(seconds_of([&] {
      const Result<Specializer> fresh = Specializer::read(shader.words, {}, diagnostics);
      SpecializerMemory own;
      (void)fresh->specialize(values[round % 2], pruned, own, result, diagnostics);
    }));
    for (int i = 0; i < 2; ++i) {
      later.add(seconds_of([&] { (void)kept->specialize(values[i], unpruned, memory, result, diagnostics); }));
      later_pruned.add(seconds_of([&] { (void)kept->specialize(values[i], pruned, memory, result, diagnostics); }));
    }
    // The peer's time varies little, and is long.
    if (round < 5 && peer_works) {
      peer_time.add(seconds_of([&] { (void)peer::specialize(shader.words, values[round % 2]); }));
    }
    if (round < 5 && !newest.empty() && !shader.path.empty()) {
      std::string defaults;
      for (const Specialization& value : values[round % 2]) {
        defaults += fmt::format("{}{}:{}", defaults.empty() ? "" : " ", value.spec_id, value.bits & 0xFFFFFFFF);
      }
      Command command = without_wrapper((newest / "bin" / "spirv-opt").string());
      command.insert(command.end(), {"--set-spec-const-default-value=" + defaults, "--freeze-spec-const",
                                     "--fold-spec-const-op-composite", "--eliminate-dead-branches",
                                     "--eliminate-dead-code-aggressive", shader.path.string(), "-o", "/dev/null"});
      if (const ProcessCost cost = run_process(command); cost.ok) newest_time.add(cost.processor_seconds);
    }
  }
  const double bytes = static_cast<double>(shader.words.size() * sizeof(Word));
  print("{:<34} {:>8} {:>10} {:>7.0f} MB/s {:>10} {:>10} {:>10} {:>9} {:>10}\n", shader.name,
        size_text(shader.words.size() * sizeof(Word)), time_text(first.median()), bytes / first.median() / 1e6,
        time_text(later.median()), time_text(later_pruned.median()), time_text(peer_time.median()),
        ratio_text(first.median(), peer_time.median(), 0), time_text(newest_time.median()));
  return 0;
}

}  // namespace

int run_specializing() {
  std::vector<Shader> shaders;
  if (const std::filesystem::path folder = unpacked("real"); !folder.empty()) {
    std::vector<Shader> all;
    for (const std::filesystem::path& path : modules_below(folder)) {
      WordBuffer words = words_of_file(path);
      Diagnostics diagnostics;
      const Result<Specializer> specializer = Specializer::read(words, {}, diagnostics);
      Diagnostics findings;
      if (!specializer || specializer->constants().empty() || !validate(words, {}, findings)) continue;
      all.push_back({path.filename().string().substr(0, 34), path, std::move(words)});
    }
    // By size: from the median on, every eighth, and the largest.
    for (std::size_t i = all.size() / 2; i < all.size(); i += 8) shaders.push_back(all[i]);
    if (!all.empty()) shaders.push_back(all.back());
  }
  for (const std::size_t count : {1000, 2000, 4000, 8000}) {
    shaders.push_back({fmt::format("made, {} constants", count), {}, made_shader(count)});
  }
  const auto newest = outside::peers_folder();
  print("\nSpecialization with all values: the first one, and later ones; the peer in process, and the newest one\n\n");
  print("{:<34} {:>8} {:>10} {:>12} {:>10} {:>10} {:>10} {:>9} {:>10}\n", "shader", "size", "first", "", "later",
        "pruned", "peer", "first", "newest");
  int status = 0;
  for (const Shader& shader : shaders) status |= measure(shader, newest ? *newest : std::filesystem::path());
  return status;
}

}  // namespace vireo::bench

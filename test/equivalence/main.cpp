// SPDX-License-Identifier: Apache-2.0
//
// equivalence_worker LIST FIRST STEP [FOLDER]: runs the shaders of modules before and after transforms.
//
// LIST is a file with a path of a module on each line; the program takes line FIRST (from 0) and each STEP-th line after
// it. A line with a second path, after a tab, asks for a comparison with that module instead of the transforms. The
// program prints each step before it begins, and each result, separated by tabs:
//
//   module  INDEX
//   stage   NAME                       "transforms", "original", or the name of a variant
//   shader  NAME  VERDICT  DETAIL      one entry point: same, different, differs-with-itself, no-result, cannot-run
//   end
//
// The driver may crash on a module, or not return. So this is a program of its own, and each stage has a
// limit of processor time, after which the system ends the program. Its parent (equivalence_test.cpp) reads the last
// stage and starts it again with the next module. With FOLDER, modules whose results differ are written there.
#include <sys/time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "equivalence/shader_runner.h"
#include "equivalence/variants.h"
#include "vireo/spirv/transform/strip.h"

namespace vireo::equivalence {
namespace {

// A shader that is slow before the transforms does not run. One that is not has ample time after them.
constexpr int seconds_before = 5, seconds_after = 60;
// Of the inputs; each shader runs with both. Their parity differs, so each buffer has both ranges of floats.
constexpr std::uint32_t seeds[] = {1, 1002};

void begin_stage(const std::string& name, int seconds) {
  std::printf("stage\t%s\n", name.c_str());
  std::fflush(stdout);
  const itimerval limit = {{0, 0}, {seconds, 0}};
  setitimer(ITIMER_PROF, &limit, nullptr);  // SIGPROF ends the program
}

spirv::WordBuffer words_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  spirv::WordBuffer words(bytes.size() / sizeof(spirv::Word));
  std::memcpy(words.data(), bytes.data(), words.size() * sizeof(spirv::Word));
  return words;
}

struct Verdict {
  std::string_view verdict;
  std::string detail;
};

class Comparison {
 public:
  Comparison(ShaderRunner& runner, const Shader& shader, const ShaderInterface& entry)
      : runner_(runner), shader_(shader), interface_(entry) {}

  Verdict compare(const std::vector<Variant>& variants, std::string& different) {
    if (!interface_.obstacle.empty()) return {"cannot-run", interface_.obstacle};
    Written before;
    Verdict reason = run_original(shader_.module.words(), before);
    // The driver rejects some sets of debug information. Then all modules are stripped before they run.
    strips_ = reason.verdict == "cannot-run";
    if (strips_) reason = run_original(shader_.module.words(), before);
    if (!reason.verdict.empty()) return reason;
    for (const Variant& variant : variants) {
      begin_stage(variant.name, seconds_after);
      different = variant.name;
      if (!variant.refusal.empty()) return {"different", variant.name + ": refused: " + variant.refusal};
      try {
        const Written after = results(variant.words);
        for (std::size_t i = 0; i < before.size(); ++i) {
          if (i < after.size() && after[i] == before[i]) continue;
          char text[100];
          std::snprintf(text, sizeof text, ": word %zu of %zu: %08x, %08x", i, before.size(), before[i], after[i]);
          return {"different", variant.name + text};
        }
      } catch (const std::exception& error) { return {"different", variant.name + ": " + error.what()}; }
    }
    different.clear();
    return {"same", std::to_string(variants.size())};
  }

 private:
  // An empty verdict if the results can be compared.
  Verdict run_original(spirv::Words words, Written& before) {
    begin_stage("original", seconds_before);
    try {
      before = results(words);
      if (before.empty()) return {"no-result", "writes nothing that the test can read"};
      if (results(words) != before) return {"differs-with-itself", "writes other values the second time"};
    } catch (const std::exception& error) { return {"cannot-run", error.what()}; }
    return {};
  }

  Written results(spirv::Words words) {
    spirv::WordBuffer stripped;
    if (strips_) {
      Diagnostics diagnostics;
      Result<spirv::WordBuffer> result = spirv::strip(words, {}, diagnostics);
      if (!result) throw std::runtime_error(diagnostics.all().front().message);
      words = stripped = std::move(*result);
    }
    Written all;
    for (const std::uint32_t seed : seeds) {
      const Written written = runner_.run(shader_, interface_, words, seed);
      all.insert(all.end(), written.begin(), written.end());
    }
    return all;
  }

  ShaderRunner& runner_;
  const Shader& shader_;
  const ShaderInterface& interface_;
  bool strips_ = false;
};

void keep(const std::string& folder, std::size_t index, const std::vector<Variant>& variants, const std::string& name) {
  for (const Variant& variant : variants) {
    if (variant.name != name) continue;
    std::ofstream file(folder + "/" + std::to_string(index) + "." + name + ".spv", std::ios::binary);
    file.write(reinterpret_cast<const char*>(variant.words.data()),
               static_cast<std::streamsize>(variant.words.size() * sizeof(spirv::Word)));
  }
}

void compare_module(ShaderRunner& runner, const std::string& line, std::size_t index, const std::string& folder) {
  std::printf("module\t%zu\n", index);
  begin_stage("transforms", seconds_after);
  const std::size_t tab = line.find('\t');
  const spirv::WordBuffer words = words_of(line.substr(0, tab));
  const Shader shader(words);
  const std::vector<ShaderInterface> interfaces = read_interfaces(shader);
  std::vector<Variant> variants;
  bool could_run = false;
  for (const ShaderInterface& entry : interfaces) could_run = could_run || entry.obstacle.empty();
  if (tab != std::string::npos) variants.push_back({"given", words_of(line.substr(tab + 1)), {}});
  else if (could_run) variants = variants_of(words, static_cast<std::uint32_t>(index));
  for (const ShaderInterface& entry : interfaces) {
    std::string different;
    const Verdict verdict = Comparison(runner, shader, entry).compare(variants, different);
    std::printf("shader\t%s\t%s\t%s\n", entry.name.c_str(), std::string(verdict.verdict).c_str(),
                verdict.detail.c_str());
    if (!folder.empty() && !different.empty()) keep(folder, index, variants, different);
  }
  std::fflush(stdout);
}

int work(int count, char** arguments) {
  if (count < 4) return std::fputs("usage: equivalence_worker LIST FIRST STEP [FOLDER]\n", stderr), 2;
  const std::unique_ptr<ShaderRunner> runner = ShaderRunner::open();
  std::ifstream list(arguments[1]);
  const std::size_t first = std::strtoul(arguments[2], nullptr, 10), step = std::strtoul(arguments[3], nullptr, 10);
  std::string line;
  for (std::size_t index = 0; std::getline(list, line); ++index) {
    if (index < first || (index - first) % step != 0) continue;
    compare_module(*runner, line, index, count > 4 ? arguments[4] : "");
  }
  std::puts("end");
  return 0;
}

}  // namespace
}  // namespace vireo::equivalence

int main(int count, char** arguments) {
  try {
    return vireo::equivalence::work(count, arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

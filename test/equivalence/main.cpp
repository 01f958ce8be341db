// SPDX-License-Identifier: Apache-2.0
//
// equivalence_worker LIST FIRST STEP [FOLDER]: runs the shaders of modules before and after transforms.
//
// LIST is a file with a path of a module on each line; the program takes line FIRST (from 0) and each STEP-th line after
// it. It prints what it does, before it does it, and what it found, separated by tabs:
//
//   module  INDEX
//   stage   NAME                       begins: "transforms", "original", or the name of a variant
//   shader  NAME  VERDICT  DETAIL      one entry point: same, different, differs-with-itself, no-result, cannot-run
//   end
//
// The one idea: the driver may crash on a module, or not return. So this is a program of its own, and each stage has a
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
#include <string>
#include <vector>

#include "equivalence/shader_runner.h"
#include "equivalence/variants.h"

namespace vireo::equivalence {
namespace {

constexpr int seconds_for_a_stage = 8;
constexpr std::uint32_t seeds[] = {1, 1001};  // of the inputs; each shader runs with both

void begin_stage(const std::string& name) {
  std::printf("stage\t%s\n", name.c_str());
  std::fflush(stdout);
  const itimerval limit = {{0, 0}, {seconds_for_a_stage, 0}};
  setitimer(ITIMER_PROF, &limit, nullptr);  // SIGPROF ends the program
}

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
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
    try {
      begin_stage("original");
      before = results(shader_.module.words());
      if (before.empty()) return {"no-result", "nothing that it writes is visible"};
      if (results(shader_.module.words()) != before) return {"differs-with-itself", {}};
    } catch (const std::exception& error) {
      return {"cannot-run", error.what()};
    }
    for (const Variant& variant : variants) {
      begin_stage(variant.name);
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
      } catch (const std::exception& error) {
        return {"different", variant.name + ": " + error.what()};
      }
    }
    different.clear();
    return {"same", std::to_string(variants.size())};
  }

 private:
  Written results(spirv::Words words) {
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
};

void keep(const std::string& folder, std::size_t index, const std::vector<Variant>& variants, const std::string& name) {
  for (const Variant& variant : variants) {
    if (variant.name != name) continue;
    std::ofstream file(folder + "/" + std::to_string(index) + "." + name + ".spv", std::ios::binary);
    file.write(reinterpret_cast<const char*>(variant.words.data()),
               static_cast<std::streamsize>(variant.words.size() * sizeof(spirv::Word)));
  }
}

void compare_module(ShaderRunner& runner, const std::string& path, std::size_t index, const std::string& folder) {
  std::printf("module\t%zu\n", index);
  begin_stage("transforms");
  const std::string bytes = text_of(path);
  spirv::WordBuffer words(bytes.size() / sizeof(spirv::Word));
  std::memcpy(words.data(), bytes.data(), words.size() * sizeof(spirv::Word));
  const Shader shader(words);
  const std::vector<ShaderInterface> interfaces = read_interfaces(shader);
  std::vector<Variant> variants;
  bool could_run = false;
  for (const ShaderInterface& entry : interfaces) could_run = could_run || entry.obstacle.empty();
  if (could_run) variants = variants_of(words, static_cast<std::uint32_t>(index));
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
  std::string path;
  for (std::size_t index = 0; std::getline(list, path); ++index) {
    if (index < first || (index - first) % step != 0) continue;
    compare_module(*runner, path, index, count > 4 ? arguments[4] : "");
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

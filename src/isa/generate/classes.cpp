// SPDX-License-Identifier: Apache-2.0
//
// From generations to code, and back to a choice that C makes at run time (classes.h).
#include "isa/generate/classes.h"

#include <algorithm>

#include "isa/generate/writer.h"

namespace vireo::isa::generate {

// A generation that was asked for by number is a class of its own: nothing was said of its neighbours.
std::vector<GenRange> wanted_classes(const Model& model, const GenerateOptions& options) {
  if (options.gens.empty()) return generation_classes(model);
  std::vector<GenRange> classes;
  for (const std::uint32_t gen : options.gens) classes.push_back({gen, gen});
  std::sort(classes.begin(), classes.end(), [](GenRange a, GenRange b) { return a.min < b.min; });
  classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
  return classes;
}

// 64 bits for the sum: the last generation is the largest number of 32 bits, and nothing follows it.
void add_class(std::vector<ClassCode>& classes, GenRange gens, std::string code) {
  const bool continues =
      !classes.empty() && classes.back().code == code && classes.back().gens.max + std::uint64_t{1} == gens.min;
  if (continues) classes.back().gens.max = gens.max;
  else classes.push_back({gens, std::move(code)});
}

// Scopes are folded for one class, so each class has its own, and they are gone when its code is made.
std::vector<ClassCode> code_by_class(const Model& model, const GenerateOptions& options,
                                     const std::function<std::string(Scopes&)>& make) {
  std::vector<ClassCode> result;
  for (const GenRange gens : wanted_classes(model, options)) {
    Scopes scopes(model, gens, Scopes::Manner::Ours);
    add_class(result, gens, make(scopes));
  }
  return result;
}

// Ascending, so an upper bound is mostly all that has to be asked: what lies below was settled by the row above.
std::string choice_by_class(const std::vector<ClassCode>& classes, const std::string& otherwise) {
  // Where rows have gaps between them nothing is settled by order alone, and `next` says so by a number that is no
  // generation.
  constexpr std::uint32_t last = ~std::uint32_t{0};
  std::string text;
  std::uint64_t next = 0;  // the first generation that is not settled by what stands above
  for (const ClassCode& row : classes) {
    std::string condition;
    if (row.gens.min != next) condition = "gen >= " + std::to_string(row.gens.min) + "u";
    if (row.gens.max != last) {
      condition += (condition.empty() ? "" : " && ") + std::string("gen <= ") + std::to_string(row.gens.max) + "u";
    }
    // Generations that were left out below this one must not fall into those that come after it.
    const bool is_rest = condition.empty();
    if (is_rest && text.empty()) return row.code;
    text += is_rest ? "{\n" : "if (" + condition + ") {\n";
    text += indented(row.code) + "} else ";
    if (is_rest) return text.substr(0, text.size() - 6) + "\n";
    if (row.gens.min == next) next = std::uint64_t{row.gens.max} + 1;
    else next = ~std::uint64_t{0};
  }
  return text + "{\n" + indented(otherwise) + "}\n";
}

}  // namespace vireo::isa::generate

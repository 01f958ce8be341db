// SPDX-License-Identifier: Apache-2.0
//
// Generates code for each class, and the run-time selection among classes (classes.h).
#include "isa/generate/classes.h"

#include <algorithm>

#include "isa/generate/writer.h"

namespace vireo::isa::generate {

// A generation that is requested by number is a class of its own.
std::vector<GenRange> requested_classes(const Model& model, const GenerateOptions& options) {
  if (options.gens.empty()) return generation_classes(model);
  std::vector<GenRange> classes;
  for (const std::uint32_t gen : options.gens) classes.push_back({gen, gen});
  std::sort(classes.begin(), classes.end(), [](GenRange a, GenRange b) { return a.min < b.min; });
  classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
  return classes;
}

// The sum has 64 bits, because `max` may be the largest 32-bit number.
void add_class(std::vector<ClassCode>& classes, GenRange gens, std::string code) {
  const bool continues =
      !classes.empty() && classes.back().code == code && classes.back().gens.max + std::uint64_t{1} == gens.min;
  if (continues) classes.back().gens.max = gens.max;
  else classes.push_back({gens, std::move(code)});
}

// Scopes contain expressions folded for one class, so each class has its own Scopes.
std::vector<ClassCode> code_by_class(const Model& model, const GenerateOptions& options,
                                     const std::function<std::string(Scopes&)>& make) {
  std::vector<ClassCode> result;
  for (const GenRange gens : requested_classes(model, options)) {
    Scopes scopes(model, gens, Scopes::Mode::Standard);
    add_class(result, gens, make(scopes));
  }
  return result;
}

// Classes are in ascending order, so comparing with the upper bound mostly suffices: the previous branch handled
// smaller generations.
std::string choice_by_class(const std::vector<ClassCode>& classes, const std::string& otherwise) {
  // After a gap between classes, the lower bound must be compared too. `next` is then larger than every generation.
  constexpr std::uint32_t last = ~std::uint32_t{0};
  std::string text;
  std::uint64_t next = 0;  // the first generation that no previous branch handles
  for (const ClassCode& row : classes) {
    std::string condition;
    if (row.gens.min != next) condition = "gen >= " + std::to_string(row.gens.min) + "u";
    if (row.gens.max != last) {
      condition += (condition.empty() ? "" : " && ") + std::string("gen <= ") + std::to_string(row.gens.max) + "u";
    }
    // Without a condition, this class contains all remaining generations.
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

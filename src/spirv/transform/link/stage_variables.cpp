// SPDX-License-Identifier: Apache-2.0
//
// Separates the variables of different stages (stage_variables.h).
//
// The execution models of an entry point spread over the calls of all modules, from imports to exports of the same name.
//
// Source: specification 2.13 (linkage), 3.42.5 (OpEntryPoint).
#include "spirv/transform/link/stage_variables.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "vireo/spirv/module/call_graph.h"
#include "vireo/spirv/module/module_declarations.h"
#include "vireo/spirv/module/uses.h"

namespace vireo::spirv {
namespace {

// A bit for each model, in ascending order. 63 of them are more than exist; further ones share the last bit.
using ModelSet = std::uint64_t;

class ModelReader {
 public:
  explicit ModelReader(std::deque<LinkModule>& modules) : modules_(modules) {
    for (const LinkModule& module : modules) {
      for (const EntryPointRow& entry : module.facts.module_declarations().entry_points())
        models_.push_back(entry.model);
    }
    std::ranges::sort(models_);
    models_.erase(std::unique(models_.begin(), models_.end()), models_.end());
    // Without several models there is nothing to separate.
    if (models_.size() > 1) read();
  }

  /// The models of the entry points that list a variable, or reach a function that uses it.
  [[nodiscard]] ModelSet of(std::uint32_t module, Word variable) const {
    if (functions_.empty()) return 0;
    const auto listed = listed_[module].find(variable);
    ModelSet set = listed == listed_[module].end() ? 0 : listed->second;
    const LinkModule& link = modules_[module];
    for (const Use& use : link.facts.some_uses().of(variable)) {
      const FunctionIndex function = link.module.function_at(use.instruction);
      if (!function.is_none()) set |= functions_[module][function.index()];
    }
    return set;
  }

 private:
  struct Function {
    std::uint32_t module;
    FunctionIndex index;
  };

  void read() {
    std::unordered_map<std::string_view, std::vector<Function>> exports;
    listed_.resize(modules_.size());
    for (const LinkModule& module : modules_) {
      functions_.emplace_back(module.module.functions().size(), ModelSet{0});
      for (const LinkSymbol& symbol : module.symbols) {
        if (symbol.is_function && !symbol.is_import())
          exports[symbol.name].push_back({module.number, module.module.function_of(symbol.id)});
      }
    }
    std::vector<IdMap<std::string_view>> imports(modules_.size());  // by function
    for (const LinkModule& module : modules_) {
      for (const LinkSymbol& symbol : module.symbols) {
        if (symbol.is_function && symbol.is_import())
          imports[module.number][module.module.function_of(symbol.id).raw] = symbol.name;
      }
      for (const EntryPointRow& entry : module.facts.module_declarations().entry_points()) {
        const auto nth = std::ranges::lower_bound(models_, entry.model) - models_.begin();
        const ModelSet set = ModelSet{1} << std::min<std::ptrdiff_t>(nth, 63);
        for (const Word variable : entry.interface_) listed_[module.number][variable] |= set;
        add({module.number, module.module.function_of(entry.function)}, set);
      }
    }
    while (!rest_.empty()) {
      const Function function = rest_.back();
      rest_.pop_back();
      const ModelSet set = functions_[function.module][function.index.index()];
      for (const CallRow& call : modules_[function.module].facts.call_graph().calls(function.index))
        add({function.module, call.callee}, set);
      const auto name = imports[function.module].find(function.index.raw);
      if (name == imports[function.module].end()) continue;
      for (const Function& definition : exports[name->second]) add(definition, set);
    }
  }

  // A function is entered again only if its set grows, so at most once for each model.
  void add(Function function, ModelSet set) {
    if (function.index.is_none()) return;
    ModelSet& all = functions_[function.module][function.index.index()];
    if ((set & ~all) == 0) return;
    all |= set;
    rest_.push_back(function);
  }

  std::deque<LinkModule>& modules_;
  std::vector<ExecutionModel> models_;
  std::vector<IdMap<ModelSet>> listed_;           // by module and variable
  std::vector<std::vector<ModelSet>> functions_;  // by module and function; empty: all variables have the same models
  std::vector<Function> rest_;
};

// The sets of models that share variables, disjoint.
std::vector<ModelSet> joined(const std::vector<ModelSet>& sets) {
  std::vector<ModelSet> all;
  for (ModelSet set : sets) {
    if (set == 0) continue;
    std::erase_if(all, [&](ModelSet other) {
      const bool is_shared = (other & set) != 0;
      if (is_shared) set |= other;
      return is_shared;
    });
    all.push_back(set);
  }
  return all;
}

// The set that contains the models of a variable. A variable that no entry point reaches is that of the only stage.
ModelSet group_of(ModelSet set, const std::vector<ModelSet>& groups) {
  if (set == 0) return groups.size() == 1 ? groups.front() : 0;
  return *std::ranges::find_if(groups, [&](ModelSet group) { return (group & set) != 0; });
}

}  // namespace

void StageVariables::set_classes(std::deque<LinkModule>& modules, std::vector<ClassNumber> LinkModule::*classes,
                                 Word kind, WordInterner& numbers) {
  if (rows_.empty()) return;
  const ModelReader models(modules);
  std::ranges::stable_sort(rows_, {}, &Row::number);
  for (std::size_t begin = 0, end = 0; begin < rows_.size(); begin = end) {
    std::vector<ModelSet> sets;
    for (; end < rows_.size() && rows_[end].number == rows_[begin].number; ++end) {
      const Module& module = modules[rows_[end].module].module;
      sets.push_back(models.of(rows_[end].module, module.result_of(module.instruction(rows_[end].variable))));
    }
    const std::vector<ModelSet> groups = joined(sets);
    // The n-th variable of a module is equal to the n-th of another module with these models.
    std::map<std::pair<std::uint32_t, ModelSet>, Word> occurrences;
    for (std::size_t i = begin; i < end; ++i) {
      const Row& row = rows_[i];
      const ModelSet group = group_of(sets[i - begin], groups);
      const Word key[] = {kind, row.number, static_cast<Word>(group), static_cast<Word>(group >> 32),
                          occurrences[{row.module, group}]++};
      (modules[row.module].*classes)[row.variable.index()] = numbers.intern(key);
    }
  }
}

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// Implements Facts (facts.h). The dependencies between its parts are acyclic, so a thread cannot deadlock with itself.
#include "vireo/spirv/module/facts.h"

#include <atomic>
#include <mutex>
#include <optional>
#include <vector>

#include "vireo/spirv/module/call_graph.h"
#include "vireo/spirv/module/constants.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/lines.h"
#include "vireo/spirv/module/module_declarations.h"
#include "vireo/spirv/module/types.h"
#include "vireo/spirv/module/uses.h"

namespace vireo::spirv {
namespace {

// A value that is computed once.
template <typename Part>
class Lazy {
 public:
  template <typename Make>
  const Part& get(Make&& make) {
    if (!is_made_.load(std::memory_order_acquire)) {
      // Do not use std::call_once: it always makes a system call to wake waiting threads, although there are rarely
      // any.
      const std::lock_guard lock(mutex_);
      if (!part_) part_.emplace(make());
      is_made_.store(true, std::memory_order_release);
    }
    return *part_;
  }
  // The part if it is already computed; else nullptr.
  [[nodiscard]] const Part* if_made() const { return is_made_.load(std::memory_order_acquire) ? &*part_ : nullptr; }

 private:
  std::mutex mutex_;
  std::atomic<bool> is_made_ = false;
  std::optional<Part> part_;
};

}  // namespace

struct Facts::Parts {
  explicit Parts(const ConstantOptions& options)
      : specializations(options.specializations.begin(), options.specializations.end()), defaults(options.defaults) {}

  std::vector<Specialization> specializations;
  ConstantOptions::Defaults defaults;
  Lazy<ModuleDeclarations> module_declarations;
  Lazy<Names> names;
  Lazy<Decorations> decorations;
  Lazy<Types> types;
  Lazy<Constants> constants;
  Lazy<Lines> lines;
  Lazy<Uses> uses, some_uses;
  Lazy<CallGraph> call_graph;
};

Facts::Facts(const Module& module) : Facts(module, ConstantOptions()) {}

Facts::Facts(const Module& module, const ConstantOptions& options) : module_(module), parts_(new Parts(options)) {}

Facts::~Facts() { delete parts_; }

const ModuleDeclarations& Facts::module_declarations() const {
  return parts_->module_declarations.get([&] { return ModuleDeclarations::read(module_); });
}

const Names& Facts::names() const {
  return parts_->names.get([&] { return Names::read(module_); });
}

const Decorations& Facts::decorations() const {
  return parts_->decorations.get([&] { return Decorations::read(module_); });
}

const Types& Facts::types() const {
  return parts_->types.get([&] { return Types::read(module_); });
}

const Constants& Facts::constants() const {
  return parts_->constants.get([&] {
    // Use the stored copies: the spans that the caller passed may be invalid by now.
    const ConstantOptions options{.specializations = parts_->specializations, .defaults = parts_->defaults};
    return Constants::read(module_, types(), decorations(), options);
  });
}

const Lines& Facts::lines() const {
  return parts_->lines.get([&] { return Lines::read(module_); });
}

const Uses& Facts::uses() const {
  return parts_->uses.get([&] { return Uses::read(module_); });
}

const Uses& Facts::some_uses() const {
  // The complete Uses contain all uses of these ids, so reuse them if they exist. The results for these ids are the
  // same.
  if (const Uses* all = parts_->uses.if_made()) return *all;
  return parts_->some_uses.get([&] { return Uses::read_some(module_); });
}

const CallGraph& Facts::call_graph() const {
  return parts_->call_graph.get([&] { return CallGraph::read(module_, some_uses()); });
}

}  // namespace vireo::spirv

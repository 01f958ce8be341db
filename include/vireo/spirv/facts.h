// SPDX-License-Identifier: Apache-2.0
//
// Facts: all that can be worked out of a module, each part when somebody first asks for it.
//
// The one idea: whoever needs facts takes one object and asks; what nobody asks for costs nothing. A part is read once,
// whichever thread asks first, and never changes afterwards.
//
//   const Module module = Module::read(words);
//   const Facts facts(module);
//   if (facts.decorations().has(id, Decoration::Block)) … facts.types().of(id) …
//
// Control flow is not among the parts: a ControlFlow serves one function after the other, and each thread has its own.
//
// Lifetimes: the facts borrow the module, and the parts borrow it and each other. So the words outlive the module, the
// module outlives the facts and stays where it is, and what a part hands out is good as long as the facts are.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>
#include <vector>

#include "vireo/spirv/facts/call_graph.h"
#include "vireo/spirv/facts/constants.h"
#include "vireo/spirv/facts/decorations.h"
#include "vireo/spirv/facts/lines.h"
#include "vireo/spirv/facts/preamble.h"
#include "vireo/spirv/facts/types.h"
#include "vireo/spirv/facts/uses.h"
#include "vireo/spirv/module.h"
#include "vireo/support/api.h"

namespace vireo::spirv {

/// Whatever can be worked out of one module, each part when it is first asked for.
class VIREO_API Facts {
 public:
  /// Reads nothing yet. The options are for constants(); the specializations are copied.
  explicit Facts(const Module& module, const ConstantOptions& options = {});
  Facts(const Facts&) = delete;
  Facts& operator=(const Facts&) = delete;

  [[nodiscard]] const Module& module() const { return module_; }

  // All of these may be called by many threads at once.
  [[nodiscard]] const Preamble& preamble() const;
  [[nodiscard]] const Names& names() const;
  [[nodiscard]] const Decorations& decorations() const;
  [[nodiscard]] const Types& types() const;
  [[nodiscard]] const Constants& constants() const;  ///< reads types and decorations, too
  [[nodiscard]] const Lines& lines() const;
  [[nodiscard]] const Uses& uses() const;
  /// The uses of functions, of variables outside functions, of decoration groups and of results of OpSampledImage
  /// (Uses::read_some), in a fraction of the time and memory. Uses of other ids may be among them.
  [[nodiscard]] const Uses& some_uses() const;
  [[nodiscard]] const CallGraph& call_graph() const;  ///< reads some_uses(), too

 private:
  /// A value that is made once.
  template <typename Part>
  class Lazy {
   public:
    template <typename Make>
    const Part& get(Make&& make) {
      if (!is_made_.load(std::memory_order_acquire)) {
        // Not std::call_once, which makes a system call each time to wake waiting threads, though there are hardly ever
        // any.
        const std::lock_guard lock(mutex_);
        if (!part_) part_.emplace(make());
        is_made_.store(true, std::memory_order_release);
      }
      return *part_;
    }
    /// The part if somebody has asked for it; else nullptr, and nothing is made.
    [[nodiscard]] const Part* if_made() const { return is_made_.load(std::memory_order_acquire) ? &*part_ : nullptr; }

   private:
    std::mutex mutex_;
    std::atomic<bool> is_made_ = false;
    std::optional<Part> part_;
  };

  const Module& module_;
  std::vector<Specialization> specializations_;
  ConstantOptions::Defaults defaults_;
  // Mutable, since asking is const: what is worked out was true of the module all along.
  mutable Lazy<Preamble> preamble_;
  mutable Lazy<Names> names_;
  mutable Lazy<Decorations> decorations_;
  mutable Lazy<Types> types_;
  mutable Lazy<Constants> constants_;
  mutable Lazy<Lines> lines_;
  mutable Lazy<Uses> uses_, some_uses_;
  mutable Lazy<CallGraph> call_graph_;
};

}  // namespace vireo::spirv

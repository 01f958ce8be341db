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
// This header declares the parts only; include the header of each part that you use (facts/types.h), or spirv.h for all.
//
// Control flow is not among the parts: a ControlFlow serves one function after the other, and each thread has its own.
//
// Lifetimes: the facts borrow the module, and the parts borrow it and each other. So the words outlive the module, the
// module outlives the facts and stays where it is, and what a part hands out is good as long as the facts are.
#pragma once

#include "vireo/spirv/module.h"
#include "vireo/support/api.h"

namespace vireo::spirv {

class CallGraph;    // facts/call_graph.h
class Constants;    // facts/constants.h
class Decorations;  // facts/decorations.h
class Lines;        // facts/lines.h
class Names;        // facts/decorations.h
class Preamble;     // facts/preamble.h
class Types;        // facts/types.h
class Uses;         // facts/uses.h
struct ConstantOptions;

/// Whatever can be worked out of one module, each part when it is first asked for.
class VIREO_API Facts {
 public:
  /// Reads nothing yet. The options are for constants(); the specializations are copied.
  explicit Facts(const Module& module);
  Facts(const Module& module, const ConstantOptions& options);
  explicit Facts(const Module&& temporary) = delete;
  Facts(const Module&& temporary, const ConstantOptions& options) = delete;
  ~Facts();
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
  struct Parts;

  const Module& module_;
  Parts* const parts_;  // made once each; asking is const, since what is worked out was true of the module all along
};

}  // namespace vireo::spirv

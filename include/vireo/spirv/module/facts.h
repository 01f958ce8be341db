// SPDX-License-Identifier: Apache-2.0
//
// Facts: the analyses of a module, each computed on first use.
//
// One object provides all analyses, and an unused analysis costs nothing. The first thread that calls an
// accessor computes the analysis; afterwards it never changes.
//
//   const Module module = Module::read(words);
//   const Facts facts(module);
//   if (facts.decorations().has(id, Decoration::Block)) … facts.types().of(id) …
//
// This header only declares the analyses. Include the header of each analysis that you use (module/types.h), or spirv.h
// for all.
//
// ControlFlow is not part of Facts: one object reads one function after the other, and each thread needs its own.
//
// Lifetimes: the words must outlive the module. The module must outlive the Facts and must not move. All references,
// spans and rows that the analyses return are valid as long as the Facts object.
#pragma once

#include "vireo/spirv/module/module.h"
#include "vireo/support/api.h"

namespace vireo::spirv {

class CallGraph;           // module/call_graph.h
class Constants;           // module/constants.h
class Decorations;         // module/decorations.h
class Lines;               // module/lines.h
class Names;               // module/decorations.h
class ModuleDeclarations;  // module/module_declarations.h
class Types;               // module/types.h
class Uses;                // module/uses.h
struct ConstantOptions;

/// The analyses of one module, each computed on first use.
class VIREO_API Facts {
 public:
  /// Computes nothing yet. The module is borrowed. `options` is for constants(); its specializations are copied.
  explicit Facts(const Module& module);
  Facts(const Module& module, const ConstantOptions& options);
  explicit Facts(const Module&& temporary) = delete;
  Facts(const Module&& temporary, const ConstantOptions& options) = delete;
  ~Facts();
  Facts(const Facts&) = delete;
  Facts& operator=(const Facts&) = delete;

  [[nodiscard]] const Module& module() const { return module_; }

  // Several threads may call these functions at once.
  [[nodiscard]] const ModuleDeclarations& module_declarations() const;
  [[nodiscard]] const Names& names() const;
  [[nodiscard]] const Decorations& decorations() const;
  [[nodiscard]] const Types& types() const;
  [[nodiscard]] const Constants& constants() const;  ///< also computes types and decorations
  [[nodiscard]] const Lines& lines() const;
  [[nodiscard]] const Uses& uses() const;
  /// The uses of functions, of variables outside functions, of decoration groups and of results of OpSampledImage
  /// (Uses::read_some), in less time and memory than uses(). May also contain uses of other ids.
  [[nodiscard]] const Uses& some_uses() const;
  [[nodiscard]] const CallGraph& call_graph() const;  ///< also computes some_uses()

 private:
  struct Parts;

  const Module& module_;
  Parts* const parts_;  // each is computed once; the accessors are const because the results depend on the module only
};

}  // namespace vireo::spirv

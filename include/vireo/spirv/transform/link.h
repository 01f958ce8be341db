// SPDX-License-Identifier: Apache-2.0
//
// link: joins modules into one, and resolves the functions and variables that they import from each other.
//
//   const LinkInput inputs[] = {{kernel, "kernel.spv"}, {library, "libclc.spv"}};
//   Result<WordBuffer> program = link(inputs, {}, diagnostics);
//
// A name connects an import with an export, and the types of both must be equal in structure. Equal types,
// constants and imported sets of all modules become one, so that the ids of an import can be replaced.
//
// Source: specification 2.13 (linkage), 3.17 (linkage types), 3.20 (LinkageAttributes); SPV_KHR_linkonce_odr.
#pragma once

#include <span>
#include <string_view>

#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/transform/parts.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/result.h"

namespace vireo::spirv {

/// A module to link. Both members are borrowed during the call.
struct VIREO_API LinkInput {
  Words words;                 ///< in host byte order
  std::string_view name = {};  ///< its name in messages; empty: "module 1", counted from 1
};

/// Options of link().
struct VIREO_API LinkOptions {
  /// The result is a library: what the modules export stays exported.
  bool library = false;
  /// Imports without an export are permitted and stay imports. Imports with the same name become one.
  bool partial = false;
  /// Modules after the first one that have no entry point are libraries: only the functions, variables and types that
  /// the rest uses are taken. Of several exports of a name the first one is taken, those of other modules before those
  /// of libraries.
  bool only_needed = false;
  /// The modules may have different versions of SPIR-V; the result has the highest. By default that is an error.
  bool use_highest_version = false;
  /// Pointer parameters of an import and its export may have different pointees. Calls convert the pointers. (Producers
  /// with opaque pointers lose the pointees.)
  bool allow_pointer_mismatch = false;
};

/// The options by name. Their flags are those of vireo_link_flags.
inline constexpr TransformPart<LinkOptions> link_options[] = {
    {"library", "keep the exports: the result is a library", "", 1u << 0, &LinkOptions::library},
    {"partial", "keep imports that no module exports", "Without it each of them is an error. --verbose lists them.",
     1u << 1, &LinkOptions::partial},
    {"only-needed", "take from libraries only what is used",
     "A library is an input after the first one that has no entry point. Its exports do not stay exported, and of "
     "several definitions of a name the first one is taken.",
     1u << 2, &LinkOptions::only_needed},
    {"use-highest-version", "permit inputs with different versions of SPIR-V",
     "The result has the highest of them. Without it different versions are an error.", 1u << 3,
     &LinkOptions::use_highest_version},
    {"allow-pointer-mismatch", "permit pointer parameters with different pointees",
     "Calls then convert the pointers with OpBitcast.", 1u << 4, &LinkOptions::allow_pointer_mismatch},
};

/// Returns the linked module, in host byte order. It has no finding of the validator that the modules lack, except for
/// conflicts that only the program as a whole can have, such as limits. The parts of each section are in the order of
/// the modules; function declarations precede definitions. Ids are numbered by their first occurrence.
///
/// An import is replaced by its export. It takes function control and parameter attributes from the export (2.13). A
/// LinkOnceODR definition counts as an export; of several the first one is taken. An imported variable with a BuiltIn is
/// provided by the environment: it stays an import. Interface variables of the modules that are equal in type and
/// decorations become one. The capability Linkage is kept while the result has linkage attributes or no entry point, and
/// in a library from which no attribute was removed.
///
/// Errors: a module cannot be read (as for clean()); versions, memory models or addressing models differ; two exports
/// with one name, or two entry points with one name and execution model; an import without an export, or with another
/// type; too many ids. All of them are reported. `Location::input` is the index of the module that a location refers to;
/// a note refers to the other module. A different decoration of an import and its export is a warning.
///
/// Near-linear in the words of all modules. Structurally equal types that refer to each other in a cycle are recognised
/// up to a limit of work; beyond it they stay separate.
VIREO_API Result<WordBuffer> link(std::span<const LinkInput> inputs, const LinkOptions& options,
                                  Diagnostics& diagnostics, const Grammar& grammar = builtin_grammar());

}  // namespace vireo::spirv

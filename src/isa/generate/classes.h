// SPDX-License-Identifier: Apache-2.0
//
// Code for each class of generations, and the selection among classes.
//
// Adjacent classes with equal code are merged. If one class remains, the code is used without a
// selection.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "isa/generate/scopes.h"
#include "vireo/isa/generate.h"

namespace vireo::isa::generate {

struct ClassCode {
  GenRange gens;
  std::string code;
};

/// The requested classes: all, or the single generations that the options name.
std::vector<GenRange> requested_classes(const Model& model, const GenerateOptions& options);

/// Appends the code of the next class, or merges the class with the last one if the code is equal.
void add_class(std::vector<ClassCode>& classes, GenRange gens, std::string code);

/// Calls `make` for each class, in the standard mode, and collects the code.
std::vector<ClassCode> code_by_class(const Model& model, const GenerateOptions& options,
                                     const std::function<std::string(Scopes&)>& make);

/// Returns statements that select code by `gen`; `otherwise` is the code for all other generations.
std::string choice_by_class(const std::vector<ClassCode>& classes, const std::string& otherwise);

}  // namespace vireo::isa::generate

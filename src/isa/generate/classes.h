// SPDX-License-Identifier: Apache-2.0
//
// Code for each class of generations, and the selection among classes.
//
// The one idea: adjacent classes with equal code are merged. If all classes are merged, there is nothing to select.
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

/// Adds the code of the next class.
void add_class(std::vector<ClassCode>& classes, GenRange gens, std::string code);

/// The result of `make` for each class, in the standard mode.
std::vector<ClassCode> code_by_class(const Model& model, const GenerateOptions& options,
                                     const std::function<std::string(Scopes&)>& make);

/// Statements that select code by `gen`; `otherwise` for generations without code.
std::string choice_by_class(const std::vector<ClassCode>& classes, const std::string& otherwise);

}  // namespace vireo::isa::generate

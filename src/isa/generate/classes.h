// SPDX-License-Identifier: Apache-2.0
//
// Code for each class of generations, and the choice among it.
//
// The one idea: neighbouring classes for which the same code came out are one; where all did, nothing is left to choose.
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

/// The classes that were asked for: all, or those single generations that the options name.
std::vector<GenRange> wanted_classes(const Model& model, const GenerateOptions& options);

/// Adds what came out for the next class.
void add_class(std::vector<ClassCode>& classes, GenRange gens, std::string code);

/// What `make` gives for each class, in our manner of reading.
std::vector<ClassCode> code_by_class(const Model& model, const GenerateOptions& options,
                                     const std::function<std::string(Scopes&)>& make);

/// Statements that choose by `gen`; `otherwise` where there is no code.
std::string choice_by_class(const std::vector<ClassCode>& classes, const std::string& otherwise);

}  // namespace vireo::isa::generate

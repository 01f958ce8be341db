// SPDX-License-Identifier: Apache-2.0
//
// Which part is made of which others (facts.h). Parts need each other in one direction only, so no thread can wait for
// itself.
#include "vireo/spirv/facts.h"

namespace vireo::spirv {

Facts::Facts(const Module& module, const ConstantOptions& options)
    : module_(module),
      specializations_(options.specializations.begin(), options.specializations.end()),
      defaults_(options.defaults) {}

const Preamble& Facts::preamble() const {
  return preamble_.get([&] { return Preamble::read(module_); });
}

const Names& Facts::names() const {
  return names_.get([&] { return Names::read(module_); });
}

const Decorations& Facts::decorations() const {
  return decorations_.get([&] { return Decorations::read(module_); });
}

const Types& Facts::types() const {
  return types_.get([&] { return Types::read(module_); });
}

const Constants& Facts::constants() const {
  return constants_.get([&] {
    // From our copies: the spans that the caller gave may be gone when somebody asks.
    const ConstantOptions options{.specializations = specializations_, .defaults = defaults_};
    return Constants::read(module_, types(), decorations(), options);
  });
}

const Lines& Facts::lines() const {
  return lines_.get([&] { return Lines::read(module_); });
}

const Uses& Facts::uses() const {
  return uses_.get([&] { return Uses::read(module_); });
}

const Uses& Facts::some_uses() const {
  // All uses contain these. Whether somebody has asked for all of them is a matter of chance, but both give the same
  // answer for the ids that are promised here.
  if (const Uses* all = uses_.if_made()) return *all;
  return some_uses_.get([&] { return Uses::read_some(module_); });
}

const CallGraph& Facts::call_graph() const {
  return call_graph_.get([&] { return CallGraph::read(module_, some_uses()); });
}

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// A module with its uniformity.
#pragma once

#include <string>

#include "spirv/module/assembled.h"
#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/module/uniformity.h"

namespace vireo::spirv::test {

struct Analyzed {
  explicit Analyzed(const std::string& text)
      : words(assembled(text)),
        module(Module::read(words)),
        facts(module),
        uniformity(Uniformity::read(module, facts)) {}

  [[nodiscard]] Divergence of(Word id) const { return uniformity.of(module.definition(id)); }

  WordBuffer words;
  Module module;
  Facts facts;
  Uniformity uniformity;
};

}  // namespace vireo::spirv::test

// SPDX-License-Identifier: Apache-2.0
//
// Helpers for the tests of the builder: the module as text, and small functions and types to build with.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "vireo/spirv/build/builder.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/text/disassemble.h"
#include "vireo/support/text_writer.h"

namespace vireo::spirv {

/// The instructions as text with numeric ids, without the header comments.
inline std::string text_of(Words words) {
  Diagnostics diagnostics;
  DisassembleOptions options;
  options.friendly_names = false;
  options.header = false;
  options.indent = false;
  StringSink sink;
  disassemble(words, options, sink, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << diagnostics.all().front().message << '\n' << sink.text();
  return sink.text();
}

inline std::vector<std::string_view> rules_of(const Diagnostics& diagnostics) {
  std::vector<std::string_view> rules;
  for (const Diagnostic& d : diagnostics.all()) rules.push_back(d.rule);
  return rules;
}

/// The result of build(), which must have a valid layout.
inline WordBuffer built(Builder& b, const Diagnostics& diagnostics) {
  Result<WordBuffer> words = b.build();
  for (const Diagnostic& d : diagnostics.all()) ADD_FAILURE() << d.rule << ": " << d.message;
  if (!words) return {};
  for (const LayoutViolation& violation : Module::read(*words).layout_violations()) {
    ADD_FAILURE() << "violation " << static_cast<int>(violation.kind) << " at word " << violation.offset;
  }
  return std::move(words).value();
}

}  // namespace vireo::spirv

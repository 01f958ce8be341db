// SPDX-License-Identifier: Apache-2.0
//
// Applies fixes in rounds: a fix may make another one possible.
#include "cli/val/fixed_input.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "support/line_diff.h"
#include "vireo/spirv/binary/writer.h"
#include "vireo/spirv/one_call/fixes.h"
#include "vireo/spirv/text/disassemble.h"

namespace vireo::cli {
namespace {

constexpr int most_rounds = 8;

std::string disassembly_of(spirv::Words words, const spirv::Grammar* grammar) {
  StringSink text;
  Diagnostics ignored(0);
  // A part that cannot be printed is the same before and after the fixes.
  static_cast<void>(spirv::disassemble(words, {.grammar = grammar, .handle_unknown = true}, text, ignored));
  return std::move(text).text();
}

}  // namespace

FixedInput::FixedInput(const SourceText& input, const spirv::ValidateOptions& options, Subject& subject)
    : input_(input),
      options_(options),
      subject_(subject),
      order_(subject.read ? subject.read->byte_order() : spirv::ByteOrder::Little) {
  for (int round = 0; round < most_rounds && apply_once(); ++round) {}
}

SourceText FixedInput::text() const {
  return has_changed_ && subject_.is_text() ? SourceText{input_.name, fixed_text_} : input_;
}

// Returns whether the module has changed.
bool FixedInput::apply_once() {
  spirv::ValidateOptions options = options_;
  options.fixes = true;
  options.max_findings = std::numeric_limits<std::size_t>::max();
  const SourceText source = text();
  std::vector<spirv::AllowedRule> allowed;
  if (subject_.is_text()) {
    allowed = subject_.text->allowed_rules();
    options.allowed = allowed;
  }
  Diagnostics found(options.max_findings);
  spirv::validate(subject_.words(), options, found);
  if (found.all().empty()) return false;
  if (subject_.is_text()) {
    std::string fixed =
        spirv::apply_fixes(source.text, subject_.text->map(), subject_.words(), found.all(), options_.grammar);
    if (fixed == source.text) return false;
    Diagnostics problems;
    // The inserted lines are disassembled instructions, so they can be assembled.
    std::swap(fixed_text_, fixed);  // the subject refers to its text until it is replaced
    std::optional<Subject> next = read_subject({source.name, fixed_text_}, options_, problems);
    if (!next) {
      std::swap(fixed_text_, fixed);
      return false;
    }
    subject_ = std::move(*next);
  } else {
    spirv::WordBuffer fixed = spirv::apply_fixes(subject_.words(), found.all(), options_.grammar);
    if (std::ranges::equal(fixed, subject_.words())) return false;
    if (!has_changed_) before_ = disassembly_of(subject_.words(), options_.grammar);
    subject_.assembled = std::move(fixed);
    subject_.read.reset();
  }
  return has_changed_ = true;
}

bool FixedInput::write(std::string_view path, bool as_text, TextSink& output) const {
  const bool is_binary_path = path.ends_with(".spv");
  as_text |= path.ends_with(".spvasm");
  if (subject_.is_text() && !is_binary_path) return output.write(text().text);
  if (!as_text) return output.write(spirv::to_bytes(subject_.words(), order_));
  return output.write(disassembly_of(subject_.words(), options_.grammar));
}

std::string FixedInput::diff(std::string_view path) const {
  if (!has_changed_) return {};
  const std::string_view name = path.empty() ? input_.name : path;
  if (subject_.is_text()) return unified_diff(input_.text, fixed_text_, input_.name, name);
  return unified_diff(before_, disassembly_of(subject_.words(), options_.grammar), input_.name, name);
}

}  // namespace vireo::cli

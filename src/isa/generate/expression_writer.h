// SPDX-License-Identifier: Apache-2.0
//
// Translates expressions of a description to C expressions.
//
// The generators of printing, encoding and unpacking code share this class, because all of them generate
// code for conditions and names. The generated expressions use a word `w` and a state `s`, which contains the
// generation and memos of earlier results (expressions.cpp). The runtime of each program defines both.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/generate/scopes.h"
#include "isa/generate/writer.h"

namespace vireo::isa::generate {

/// Properties of the whole instruction set, and results collected while its code is generated.
struct Facts {
  std::uint32_t max_bits = 0;    ///< of an instruction
  std::uint32_t word_count = 1;  ///< 64-bit words of an instruction
  std::size_t longest_name = 0;  ///< of all bitsets
  std::size_t longest_instruction_name = 0;
  bool cuts_derived = false;    ///< derived values are truncated to 32 bits
  bool has_wide_index = false;  ///< tables have 32-bit indexes, not 16-bit ones
  std::size_t longest_fault = 0;
  std::uint32_t memos = 0;
  bool needs_wide_index = false;
  bool is_too_large = false;
};

/// Computes the properties that depend only on the description.
Facts measure(const Model& model);

class ExpressionWriter {
 public:
  ExpressionWriter(Writer& writer, Scopes& scopes, Facts& facts)
      : writer_(writer), scopes_(scopes), model_(scopes.model()), facts_(facts) {}

 protected:
  struct Condition {
    std::string text;
    std::optional<bool> value;  // if it is constant

    [[nodiscard]] bool is_always() const { return value.value_or(false); }
    [[nodiscard]] bool is_never() const { return !value.value_or(true); }
  };
  Condition condition_of(const StaticScope& scope, ExpressionId condition);
  /// The value of an expression in a scope, as a C expression of type int64_t.
  std::string expression_text(const StaticScope& scope, ExpressionId id);
  /// The value of a name as a C expression. If the name is missing, the value is 0 and no fault is reported.
  std::string name_value(const StaticScope& scope, NameId name, ExpressionId innermost);
  std::string field_value(const Candidate& candidate);
  std::string bits_text(std::uint32_t low, std::uint32_t width) const;
  /// Writes the definitions of functions that are only declared so far. Must be called before the scopes are cleared.
  void write_unclean_functions();

  /// Returns a call that reports a fault, and reserves space for its message.
  std::string fault_call(std::string_view function, const std::string& arguments, std::size_t length);

  Writer& writer_;
  Scopes& scopes_;
  const Model& model_;
  Facts& facts_;
  std::uint32_t memos_ = 0;  // of the current instruction

 private:
  std::string clean_text(const StaticScope& scope, ExpressionId id);
  std::string unclean_function(const StaticScope& scope, ExpressionId id);
  std::string operators_text(ExpressionId id, const std::vector<std::string>& slots);

  struct Pending {
    std::string name;
    const StaticScope* scope;
    ExpressionId expression;
    std::uint32_t memo;
  };
  std::vector<Pending> pending_;  // functions that are declared but not defined yet
};

}  // namespace vireo::isa::generate

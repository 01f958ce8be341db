// SPDX-License-Identifier: Apache-2.0
//
// Expressions of a description → expressions of C.
//
// The one idea: whoever makes code from scopes, be it to print, to encode or to unpack, asks the same questions of a word:
// does this condition hold, what is this name's value. The answers are texts over a word `w` and a state `s`, which has
// the generation and the memory of what was asked before (expressions.cpp); the runtime of each program brings both.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/generate/scopes.h"
#include "isa/generate/writer.h"

namespace vireo::isa::generate {

/// What is known of the whole instruction set, and what was found out while its code was made.
struct Facts {
  std::uint32_t max_bits = 0;    ///< of an instruction
  std::uint32_t word_count = 1;  ///< 64-bit words of one
  std::size_t longest_name = 0;  ///< of all bitsets
  std::size_t longest_instruction_name = 0;
  bool cuts_derived = false;    ///< to 32 bits
  bool has_wide_index = false;  ///< tables of leaves have numbers of 32 bits, not 16
  std::size_t longest_fault = 0;
  std::uint32_t memos = 0;
  bool needs_wide_index = false;
  bool is_too_large = false;
};

/// What the description alone says.
Facts measure(const Model& model);

class ExpressionWriter {
 public:
  ExpressionWriter(Writer& writer, Scopes& scopes, Facts& facts)
      : writer_(writer), scopes_(scopes), model_(scopes.model()), facts_(facts) {}

 protected:
  struct Condition {
    std::string text;
    std::optional<bool> value;  // where it is known

    [[nodiscard]] bool is_always() const { return value.value_or(false); }
    [[nodiscard]] bool is_never() const { return !value.value_or(true); }
  };
  Condition condition_of(const StaticScope& scope, ExpressionId condition);
  /// The value of an expression in a scope: an expression of C of type int64_t.
  std::string expression_text(const StaticScope& scope, ExpressionId id);
  /// The value of a name, 0 where it is missing, in silence.
  std::string name_value(const StaticScope& scope, NameId name, ExpressionId innermost);
  std::string field_value(const Candidate& candidate);
  std::string bits_text(std::uint32_t low, std::uint32_t width) const;
  /// Defines what expressions so far have only declared. To be called before the scopes are gone.
  void write_unclean_functions();

  /// A fault's call, with room for its message made.
  std::string fault_call(std::string_view function, const std::string& arguments, std::size_t length);

  Writer& writer_;
  Scopes& scopes_;
  const Model& model_;
  Facts& facts_;
  std::uint32_t memos_ = 0;  // of the instruction at hand

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
  std::vector<Pending> pending_;  // declared functions that still have to be defined
};

}  // namespace vireo::isa::generate

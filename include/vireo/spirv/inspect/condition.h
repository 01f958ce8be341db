// SPDX-License-Identifier: Apache-2.0
//
// Condition: selects modules by their properties (vireo info --where).
//
//   const Result<Condition> large = parse_condition("bytes > 10000 and capability = Kernel", diagnostics);
//   if (large && large->matches(info)) …
//
//   condition  = term { "or" term }
//   term       = factor { "and" factor }
//   factor     = "not" factor | "(" condition ")" | FIELD OPERATOR VALUE
//
// Fields are those of info_fields.h. Operators are = != < <= > >= and ~ (contains). A value is a word, or a text in
// single or double quotes. The case of letters has no effect. docs/info.md describes the operators of each type.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/inspect/info_fields.h"
#include "vireo/spirv/inspect/module_info.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/result.h"

namespace vireo::spirv {

/// A parsed condition.
class VIREO_API Condition {
 public:
  /// Whether a module satisfies the condition. Several threads may call this function at once.
  [[nodiscard]] bool matches(const ModuleInfo& info) const;

 private:
  friend class ConditionParser;
  enum class Relation : std::uint8_t { Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual, Contains };
  // A step pops its operands from a stack of truth values and pushes its result.
  struct Step {
    enum class Kind : std::uint8_t { Compare, Not, And, Or };
    Kind kind = Kind::Compare;
    Relation relation = Relation::Equal;
    const InfoField* field = nullptr;
    std::uint64_t number = 0;  // for numbers and versions
    std::string text = {};     // for texts and lists; lower case
  };

  [[nodiscard]] static bool compare(const Step& step, const ModuleInfo& info);

  std::vector<Step> steps_;  // in postfix order, so that no evaluation is recursive
};

/// Parses a condition. Errors have locations in `text`: a syntax error, an unknown field, an operator or a value that
/// does not fit the type of the field. After = and !=, a field of names accepts only names and aliases of the grammar,
/// numbers, and the empty text. Linear in the text.
VIREO_API Result<Condition> parse_condition(std::string_view text, Diagnostics& diagnostics,
                                            const Grammar& grammar = builtin_grammar());

}  // namespace vireo::spirv

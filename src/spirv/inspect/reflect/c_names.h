// SPDX-License-Identifier: Apache-2.0
//
// Makes valid and unique identifiers of C and C++ from the names of a module.
//
// Source: ISO C 6.4.1, 6.4.2, 7.1.3 (keywords, identifiers, reserved identifiers); ISO C++ [lex.key], [lex.name].
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace vireo::spirv {

/// An identifier for a name: other characters become `_`; underscores at the beginning, and repeated ones, are removed,
/// because such identifiers are reserved; a keyword gets `_` at its end. At most 100 characters. If nothing is left, or
/// a digit begins the name, `fallback` precedes it.
std::string c_identifier(std::string_view name, std::string_view fallback);

/// A scope with its identifiers.
class CNames {
 public:
  [[nodiscard]] bool has(const std::string& identifier) const { return taken_.contains(identifier); }
  /// Takes an identifier. If this scope, or `outer`, has it, a number is added: `Light_2`.
  std::string take(std::string identifier, const CNames* outer = nullptr);
  void clear() { taken_.clear(); }

 private:
  std::unordered_map<std::string, std::uint32_t> taken_;  // with the last number that was added to the identifier
};

}  // namespace vireo::spirv

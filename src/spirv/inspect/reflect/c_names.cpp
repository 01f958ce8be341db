// SPDX-License-Identifier: Apache-2.0
//
// Makes identifiers of C and C++ (c_names.h).
#include "spirv/inspect/reflect/c_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "support/ascii.h"

namespace vireo::spirv {
namespace {

constexpr std::size_t max_identifier = 100;  // so that a long name in many places does not make a large header

// Keywords of C and C++, macros that compilers and the included headers define, and the types that a header uses.
// Ascending.
constexpr std::string_view reserved[] = {
    "NULL",
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "char16_t",
    "char32_t",
    "char8_t",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "compl",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "i386",
    "if",
    "inline",
    "int",
    "int16_t",
    "int32_t",
    "int64_t",
    "int8_t",
    "linux",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "offsetof",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "restrict",
    "return",
    "short",
    "signed",
    "size_t",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "std",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "typeof",
    "typeof_unqual",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "uint8_t",
    "union",
    "unix",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
};
static_assert(std::is_sorted(std::begin(reserved), std::end(reserved)));

// INT8_MAX, UINT_FAST16_MAX, SIZE_MAX, … of <stdint.h>; its functions INT8_C(), … too.
bool is_limit(std::string_view name) {
  const bool is_upper = std::ranges::none_of(name, [](char c) { return c >= 'a' && c <= 'z'; });
  return is_upper && (name.ends_with("_MAX") || name.ends_with("_MIN") || name.ends_with("_C"));
}

}  // namespace

std::string c_identifier(std::string_view name, std::string_view fallback) {
  std::string text;
  for (const char c : name) {
    if (text.size() >= max_identifier) break;
    const bool is_valid = is_letter(c) || is_digit(c);
    if (is_valid) text.push_back(c);
    else if (!text.empty() && text.back() != '_') text.push_back('_');
  }
  // A name that ends in an invalid character; a single `_` of the module stays.
  if (text.ends_with('_') && !name.ends_with('_')) text.pop_back();
  if (text.empty()) return std::string(fallback);
  if (is_digit(text.front())) text = fmt::format("{}_{}", fallback, text);
  if (std::ranges::binary_search(reserved, std::string_view(text)) || is_limit(text)) text.push_back('_');
  return text;
}

std::string CNames::take(std::string identifier, const CNames* outer) {
  const auto is_taken = [&](const std::string& text) {
    return taken_.contains(text) || (outer != nullptr && outer->has(text));
  };
  if (is_taken(identifier)) {
    // Numbers continue from the last one, so many equal names take linear time.
    std::uint32_t& number = taken_.try_emplace(identifier, 1).first->second;
    std::string numbered;
    do numbered = fmt::format("{}{}{}", identifier, identifier.ends_with('_') ? "" : "_", ++number);
    while (is_taken(numbered));
    identifier = std::move(numbered);
  }
  taken_.emplace(identifier, 1);
  return identifier;
}

}  // namespace vireo::spirv

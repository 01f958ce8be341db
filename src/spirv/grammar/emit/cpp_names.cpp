// SPDX-License-Identifier: Apache-2.0
//
// Converts the grammar's names to C++ identifiers (cpp_names.h).
#include "spirv/grammar/emit/cpp_names.h"

#include <algorithm>
#include <iterator>

#include "support/ascii.h"

namespace vireo::spirv {
namespace {

// Keywords only: conflicts with macros of common headers (X11's None, …) are left to users.
constexpr std::string_view keywords[] = {
    "alignas",     "alignof",  "and",        "and_eq",    "asm",       "auto",         "bitand",
    "bitor",       "bool",     "break",      "case",      "catch",     "char",         "char16_t",
    "char32_t",    "char8_t",  "class",      "co_await",  "co_return", "co_yield",     "compl",
    "concept",     "const",    "const_cast", "consteval", "constexpr", "constinit",    "continue",
    "decltype",    "default",  "delete",     "do",        "double",    "dynamic_cast", "else",
    "enum",        "explicit", "export",     "extern",    "false",     "float",        "for",
    "friend",      "goto",     "if",         "inline",    "int",       "long",         "mutable",
    "namespace",   "new",      "noexcept",   "not",       "not_eq",    "nullptr",      "operator",
    "or",          "or_eq",    "private",    "protected", "public",    "register",     "reinterpret_cast",
    "requires",    "return",   "short",      "signed",    "sizeof",    "static",       "static_assert",
    "static_cast", "struct",   "switch",     "template",  "this",      "thread_local", "throw",
    "true",        "try",      "typedef",    "typeid",    "typename",  "union",        "unsigned",
    "using",       "virtual",  "void",       "volatile",  "wchar_t",   "while",        "xor",
    "xor_eq"};
static_assert(std::is_sorted(std::begin(keywords), std::end(keywords)));

bool is_keyword(std::string_view name) { return std::ranges::binary_search(keywords, name); }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
char to_lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

std::string cpp_identifier(std::string_view kind, std::string_view name) {
  const auto is_letter = [](char c) { return is_lower(c) || is_upper(c) || c == '_'; };
  std::string out;
  for (const char c : name) out.push_back(is_letter(c) || is_digit(c) ? c : '_');
  const bool is_plain = !name.empty() && is_letter(name.front()) && !is_keyword(name);
  return is_plain ? out : std::string(kind) + out;
}

std::string parameter_name(std::string_view name, ParameterForm form) {
  if (form == ParameterForm::List) name = name.substr(0, name.find(','));
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    // An upper-case letter begins a word if it follows or precedes a lower-case letter: "LocalWorkSize", "NDRange".
    const bool begins =
        is_upper(c) && i > 0 && (is_lower(name[i - 1]) || (i + 1 < name.size() && is_lower(name[i + 1])));
    const bool is_part = is_lower(c) || is_upper(c) || is_digit(c);
    if (form == ParameterForm::List && is_digit(c)) continue;  // as in "Member 0 type"
    if ((!is_part || begins) && !out.empty() && out.back() != '_') out.push_back('_');
    if (is_part) out.push_back(to_lower(c));
  }
  while (out.ends_with('_')) out.pop_back();
  if (out.empty() || is_digit(out.front())) out.insert(0, "operand");
  if (form == ParameterForm::List && !out.ends_with('s')) out.push_back('s');
  if (is_keyword(out)) out.push_back('_');
  return out;
}

std::string ext_set_identifier(std::string_view set) {
  std::string name;
  for (const char c : set) name.push_back(c == '.' || c == '-' ? '_' : c);
  while (name.ends_with('_')) name.pop_back();  // a set name that is a prefix ends with a dot
  return name;
}

}  // namespace vireo::spirv

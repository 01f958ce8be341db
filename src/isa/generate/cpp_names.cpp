// SPDX-License-Identifier: Apache-2.0
#include "isa/generate/cpp_names.h"

#include <algorithm>

namespace vireo::isa::generate {
namespace {

// Types that every encoder has. An instruction set may well have a Word or a State of its own; it is the one that moves.
const std::set<std::string> own_types = {"Encoded", "Target", "Fault", "FaultKind", "Half",  "Leaf", "Member",
                                         "Packing", "Params", "Part",  "Report",    "State", "Word"};

constexpr std::string_view words_of_cpp[] = {"alignas",    "alignof",     "and",          "and_eq",
                                             "asm",        "auto",        "bitand",       "bitor",
                                             "bool",       "break",       "case",         "catch",
                                             "char",       "class",       "compl",        "const",
                                             "continue",   "decltype",    "default",      "delete",
                                             "do",         "double",      "else",         "enum",
                                             "explicit",   "export",      "extern",       "false",
                                             "float",      "for",         "friend",       "goto",
                                             "if",         "inline",      "int",          "long",
                                             "mutable",    "namespace",   "new",          "noexcept",
                                             "not",        "not_eq",      "nullptr",      "operator",
                                             "or",         "or_eq",       "private",      "protected",
                                             "public",     "register",    "return",       "short",
                                             "signed",     "sizeof",      "static",       "struct",
                                             "switch",     "template",    "this",         "throw",
                                             "true",       "try",         "typedef",      "typeid",
                                             "typename",   "union",       "unsigned",     "using",
                                             "virtual",    "void",        "volatile",     "while",
                                             "xor",        "xor_eq",      "concept",      "requires",
                                             "co_await",   "co_yield",    "co_return",    "char8_t",
                                             "char16_t",   "char32_t",    "consteval",    "constexpr",
                                             "constinit",  "wchar_t",     "thread_local", "static_assert",
                                             "const_cast", "static_cast", "dynamic_cast", "reinterpret_cast",
                                             "NULL",       "assert",      "signbit",      "errno"};

bool is_plain(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// `#reg-gpr` → "RegGpr", `ldg.a` → "LdgA", `3d` → "X3d".
std::string type_name(std::string_view text) {
  std::string result;
  bool begins = true;
  for (const char c : text) {
    if (!is_plain(c)) {
      // Digits that were apart stay apart: `#a1-2` is not `#a12`.
      begins = true;
      continue;
    }
    if (begins && is_digit(c) && !result.empty() && is_digit(result.back())) result.push_back('_');
    result.push_back(begins && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c);
    begins = false;
  }
  if (result.empty() || is_digit(result.front())) result.insert(0, "X");
  return result;
}

// Generations that tell leaves of one name apart: "From7", "UpTo6", "From600To699".
std::string gens_suffix(GenRange gens) {
  std::string result;
  if (gens.min != 0) result += "From" + std::to_string(gens.min);
  if (gens.max != ~std::uint32_t{0}) result += (result.empty() ? "UpTo" : "To") + std::to_string(gens.max);
  return result;
}

}  // namespace

// The first comer keeps the name as it is, so adding a leaf at the end of a description renames nothing.
std::string TakenNames::take(std::string name) {
  if (taken_.insert(name).second) return name;
  for (std::uint32_t number = 2;; ++number) {
    std::string numbered = name + "_" + std::to_string(number);
    if (taken_.insert(numbered).second) return numbered;
  }
}

std::string cpp_identifier(std::string_view text) {
  while (!text.empty() && !is_plain(text.front()) && text.front() != '_') text.remove_prefix(1);
  while (!text.empty() && !is_plain(text.back()) && text.back() != '_') text.remove_suffix(1);
  std::string result;
  for (const char c : text) {
    if (is_plain(c)) result.push_back(c);
    else if (result.empty() || result.back() != '_') result.push_back('_');
  }
  if (result.empty()) return result;
  if (is_digit(result.front())) result.insert(0, "_");
  if (result.size() > 1 && result[0] == '_' && result[1] >= 'A' && result[1] <= 'Z') result.insert(0, "x");  // reserved
  if (std::find(std::begin(words_of_cpp), std::end(words_of_cpp), result) != std::end(words_of_cpp)) result += "_";
  return result;
}

CppNames::CppNames(const Model& model) {
  TakenNames types(own_types);
  std::map<std::string_view, std::uint32_t> count;  // leaves of a name
  for (const Bitset& bitset : model.bitsets()) {
    if (bitset.is_leaf) ++count[model.text(bitset.name)];
  }
  for (const Bitset& bitset : model.bitsets()) {
    if (!bitset.is_leaf) continue;
    const std::string_view name = model.text(bitset.name);
    leaves_[&bitset] = types.take(type_name(name) + (count[name] > 1 ? gens_suffix(bitset.gens) : ""));
  }
  // After all leaves: a root with one leaf is that leaf, and one with several must not take the name of any.
  for (const Bitset& bitset : model.bitsets()) {
    if (!bitset.is_root()) continue;
    const std::span<const BitsetId> leaves = model.leaves(bitset);
    roots_[&bitset] = leaves.size() == 1 ? leaves_[&model[leaves[0]]] : types.take(type_name(model.text(bitset.name)));
  }
  for (const Enum& row : model.enums()) {
    enums_.push_back(types.take(type_name(model.text(row.name))));
    TakenNames taken;
    std::vector<std::string>& names = enumerators_.emplace_back();
    for (const EnumValue& value : model.values(row)) {
      // A symbolic name is made for this; a display comes close; of a number nothing better is known.
      std::string name = cpp_identifier(value.name);
      if (name.empty()) name = cpp_identifier(value.display);
      if (name.empty()) name = "value_" + std::to_string(value.number);
      names.push_back(taken.take(std::move(name)));
    }
  }
  types_ = own_types;
  for (const auto& [bitset, name] : leaves_) types_.insert(name);
  for (const auto& [bitset, name] : roots_) types_.insert(name);
  types_.insert(enums_.begin(), enums_.end());
}

}  // namespace vireo::isa::generate

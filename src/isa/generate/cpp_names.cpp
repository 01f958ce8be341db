// SPDX-License-Identifier: Apache-2.0
//
// Assigns all names of a description once (cpp_names.h): leaves first, because users write these.
#include "isa/generate/cpp_names.h"

#include <algorithm>

#include "support/ascii.h"

namespace vireo::isa::generate {
namespace {

// Types that every encoder declares. If an instruction set has a type Word or State, that type is renamed.
std::set<std::string> own_types() {
  return {"Encoded", "Target", "Fault", "FaultKind", "Half",  "Leaf", "Member",
          "Packing", "Params", "Part",  "Report",    "State", "Word"};
}

// Keywords up to C++20, although the code is C++17, because the including program may use a newer standard.
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
                                             "const_cast", "static_cast", "dynamic_cast", "reinterpret_cast"};

// Macros of the included headers, and some that most programs define: namespaces do not protect against macros.
constexpr std::string_view macros_of_c[] = {
    "BIG_ENDIAN",   "BUFSIZ",        "BYTE_ORDER", "CHAR_BIT",    "EDOM",       "EILSEQ",     "EOF",        "ERANGE",
    "EXIT_FAILURE", "EXIT_SUCCESS",  "FD_CLR",     "FD_ISSET",    "FD_SET",     "FD_SETSIZE", "FD_ZERO",    "HUGE_VAL",
    "INFINITY",     "LITTLE_ENDIAN", "NAN",        "NFDBITS",     "NULL",       "PDP_ENDIAN", "WCONTINUED", "WEXITED",
    "WEXITSTATUS",  "WIFCONTINUED",  "WIFEXITED",  "WIFSIGNALED", "WIFSTOPPED", "WNOHANG",    "WNOWAIT",    "WSTOPPED",
    "WSTOPSIG",     "WTERMSIG",      "WUNTRACED",  "alloca",      "assert",     "errno",      "linux",      "offsetof",
    "signbit",      "stderr",        "stdin",      "stdout",      "strdupa",    "strndupa",   "unix"};

// Whether a name has the form of a limit macro, such as INT8_MAX, SIZE_WIDTH, RAND_MAX or UINT64_C. A few other names
// match too, and get an unnecessary `_`.
bool is_limit(std::string_view name) {
  constexpr std::string_view begins[] = {"INT",    "UINT",  "SIZE_",  "PTRDIFF_", "SIG_ATOMIC_", "WCHAR_",
                                         "WINT_",  "RAND_", "CHAR_",  "SCHAR_",   "UCHAR_",      "SHRT_",
                                         "USHRT_", "LONG_", "ULONG_", "LLONG_",   "ULLONG_",     "MB_"};
  constexpr std::string_view ends[] = {"_MAX", "_MIN", "_WIDTH", "_C"};
  return std::any_of(std::begin(begins), std::end(begins),
                     [&](std::string_view part) { return name.starts_with(part); }) &&
         std::any_of(std::begin(ends), std::end(ends), [&](std::string_view part) { return name.ends_with(part); });
}

// Not isalnum, which depends on the locale.
bool is_plain(char c) { return is_letter(c) || is_digit(c); }

// `#reg-gpr` → "RegGpr", `ldg.a` → "LdgA", `3d` → "X3d".
std::string type_name(std::string_view text) {
  std::string result;
  bool begins = true;
  for (const char c : text) {
    if (!is_plain(c)) {
      // Separated digits stay separated: `#a1-2` and `#a12` get different names.
      begins = true;
      continue;
    }
    if (begins && is_digit(c) && !result.empty() && is_digit(result.back())) result.push_back('_');
    result.push_back(begins && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c);
    begins = false;
  }
  if (result.empty() || is_digit(result.front())) result.insert(0, "X");
  if (is_taken_by_cpp(result)) result += "_";
  return result;
}

// The generations as a suffix, to distinguish leaves of one name: "From7", "UpTo6", "From600To699".
std::string gens_suffix(GenRange gens) {
  std::string result;
  if (gens.min != 0) result += "From" + std::to_string(gens.min);
  if (gens.max != ~std::uint32_t{0}) result += (result.empty() ? "UpTo" : "To") + std::to_string(gens.max);
  return result;
}

}  // namespace

bool is_taken_by_cpp(std::string_view name) {
  const auto has = [&](const auto& list) {
    return std::find(std::begin(list), std::end(list), name) != std::end(list);
  };
  return has(words_of_cpp) || has(macros_of_c) || is_limit(name);
}

// The first use keeps the plain name, so adding a leaf at the end of a description renames nothing.
std::string TakenNames::take(std::string name) {
  if (taken_.insert(name).second) return name;
  // The loop ends, because it tries at most one name more than the set contains.
  for (std::uint32_t number = 2;; ++number) {
    std::string numbered = name + "_" + std::to_string(number);
    if (taken_.insert(numbered).second) return numbered;
  }
}

// Drops other characters at both ends, as in `(rpt1)`. Replaces each run of other characters inside by one `_`, because
// C++ reserves names with two in a row. Bytes of non-ASCII letters are other characters.
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
  if (is_taken_by_cpp(result)) result += "_";
  return result;
}

// Assigns all names in the order of the tables, so that names do not depend on options such as the list of generations.
CppNames::CppNames(const Model& model) {
  TakenNames types(own_types());
  std::map<std::string_view, std::uint32_t> count;  // of leaves with this name
  for (const Bitset& bitset : model.bitsets()) {
    if (bitset.is_leaf) ++count[model.text(bitset.name)];
  }
  for (const Bitset& bitset : model.bitsets()) {
    if (!bitset.is_leaf) continue;
    const std::string_view name = model.text(bitset.name);
    leaves_[&bitset] = types.take(type_name(name) + (count[name] > 1 ? gens_suffix(bitset.gens) : ""));
  }
  // Roots are named after all leaves. A root with one leaf shares its type. A root with several leaves must not take
  // the name of a leaf.
  for (const Bitset& bitset : model.bitsets()) {
    if (!bitset.is_root()) continue;
    const std::span<const BitsetId> leaves = model.leaves(bitset);
    roots_[&bitset] = leaves.size() == 1 ? leaves_[&model[leaves[0]]] : types.take(type_name(model.text(bitset.name)));
  }
  for (const Enum& row : model.enums()) {
    enums_.push_back(types.take(type_name(model.text(row.name))));
    // Enumerators are members of their enum class, so each enum is a scope of its own.
    TakenNames taken;
    std::vector<std::string>& names = enumerators_.emplace_back();
    for (const EnumValue& value : model.values(row)) {
      // Uses the symbolic name, else the display text, else the number.
      std::string name = cpp_identifier(value.name);
      if (name.empty()) name = cpp_identifier(value.display);
      if (name.empty()) name = "value_" + std::to_string(value.number);
      names.push_back(taken.take(std::move(name)));
    }
  }
  // A member is in the scope of a struct, where it would hide a type of the same name.
  types_ = own_types();
  for (const auto& [bitset, name] : leaves_) types_.insert(name);
  for (const auto& [bitset, name] : roots_) types_.insert(name);
  types_.insert(enums_.begin(), enums_.end());
}

}  // namespace vireo::isa::generate

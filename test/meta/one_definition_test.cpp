// SPDX-License-Identifier: Apache-2.0
//
// Types of one namespace have unique names.
//
// Two private types with the same name compile, link, and share the instances of templates: one
// std::vector for both, compiled for the size of one of them. The one-definition rule requires no diagnostic, and
// compilers give none, so this test finds the definitions of types. Types in unnamed namespaces may share names.
#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "meta/source_tree.h"

namespace vireo::meta {
namespace {

// The code of a line, without comments and the contents of quotes.
std::string code_of(std::string_view line) {
  std::string code;
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != 0) {
      if (c == '\\') ++i;
      else if (c == quote) quote = 0;
    } else if (c == '"' || (c == '\'' && (i == 0 || std::isalnum(static_cast<unsigned char>(line[i - 1])) == 0))) {
      quote = c;
    } else if (line.substr(i).starts_with("//")) {
      break;
    } else {
      code.push_back(c);
    }
  }
  return code;
}

// An open brace: of a namespace or of anything else.
struct Scope {
  bool is_namespace = false;
  std::string name;
};

class TypeFinder {
 public:
  void read(const SourceFile& file) {
    scopes_.clear();
    head_.clear();
    for (const std::string& line : file.lines) {
      if (line.starts_with('#')) continue;
      for (const char c : code_of(line)) take(c, file.path);
      head_.push_back(' ');
    }
  }

  std::map<std::string, std::set<std::string>> files_by_type;

 private:
  // `head_` is the text since the last brace or semicolon.
  void take(char c, const std::string& path) {
    if (c == '{') {
      open(path);
      head_.clear();
    } else if (c == '}') {
      if (!scopes_.empty()) scopes_.pop_back();
      head_.clear();
    } else if (c == ';') {
      head_.clear();
    } else {
      head_.push_back(c);
    }
  }

  void open(const std::string& path) {
    const std::vector<std::string> words = words_of(head_);
    if (!words.empty() && (words[0] == "namespace" || (words.size() > 1 && words[1] == "namespace"))) {
      scopes_.push_back({true, words.back() == "namespace" ? "" : words.back()});
      return;
    }
    // Specializations of a template share its name.
    const bool is_specialization = head_.find("template <>") != std::string::npos;
    const std::string name = is_specialization ? std::string() : type_in(words);
    if (!name.empty() && is_named_namespace()) files_by_type[path_of_scopes() + name].insert(path);
    scopes_.push_back({});
  }

  static std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words(1);
    for (const char c : text) {
      const bool is_word = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == ':';
      if (is_word) words.back().push_back(c);
      else if (!words.back().empty()) words.emplace_back();
      if (c == '(' || c == '=') words.emplace_back("("), words.emplace_back();
    }
    std::erase(words, "");
    return words;
  }

  // The name after struct or class (and VIREO_API); empty for functions, initialisers and members of other types.
  static std::string type_in(const std::vector<std::string>& words) {
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      if (words[i] == "(") return {};
      if (words[i] != "struct" && words[i] != "class") continue;
      if (words[i + 1] == "VIREO_API") ++i;
      if (i + 1 == words.size()) return {};
      const std::string& name = words[i + 1];
      return name.find(':') == std::string::npos ? name : std::string();
    }
    return {};
  }

  [[nodiscard]] bool is_named_namespace() const {
    for (const Scope& scope : scopes_) {
      if (!scope.is_namespace || scope.name.empty()) return false;
    }
    return !scopes_.empty();
  }
  [[nodiscard]] std::string path_of_scopes() const {
    std::string path;
    for (const Scope& scope : scopes_) path += scope.name + "::";
    return path;
  }

  std::vector<Scope> scopes_;
  std::string head_;
};

TEST(OneDefinition, types_of_a_namespace_have_unique_names) {
  TypeFinder finder;
  for (const SourceFile& file : source_files()) {
    // Separate programs may reuse each other's names.
    if (file.is_below("src/") || file.is_below("include/")) finder.read(file);
  }
  EXPECT_GT(finder.files_by_type.size(), 200u) << "too few types were found to be true";
  for (const auto& [type, files] : finder.files_by_type) {
    std::string list;
    for (const std::string& file : files) list += "\n  " + file;
    EXPECT_EQ(files.size(), 1u) << type << " is defined in" << list;
  }
}

}  // namespace
}  // namespace vireo::meta

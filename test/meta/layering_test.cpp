// SPDX-License-Identifier: Apache-2.0
//
// The components that each component may include, and the files that may include third-party headers. ARCHITECTURE.md
// describes the layering; this test enforces it.
//
// Two small tables. A row of `components` names a component and the components that it may include. A row
// of `third_party_headers` names a header and the only files that may include it. Every other include is reported with
// its line. The folders inside a component need no table: they only must not include each other in a cycle.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "meta/source_tree.h"

namespace vireo::meta {
namespace {

// --- components ------------------------------------------------------------------------------------------------------

struct Component {
  std::string_view name;     ///< also the path prefix below src/ and include/vireo/
  std::string_view allowed;  ///< names of other components, each followed by a space; "*": all
};

// clang-format off
// Upper components first. A public header belongs to the component that implements it (`header_owners`, below).
constexpr Component components[] = {
    {"cli",           "*"},
    {"c/isa",         "c isa/assemble isa/encode isa/print isa/decode isa/model isa/bits isa support "},
    {"c",
     "spirv/one_call spirv/inspect spirv/transform spirv/execute spirv/validate spirv/build spirv/text spirv/module "
     "spirv/binary spirv/grammar spirv support "},
    {"spirv/one_call",
     "spirv/inspect spirv/transform spirv/validate spirv/build spirv/text spirv/module spirv/binary spirv/grammar "
     "spirv support "},
    // Read only: it compares what transforms leave of modules.
    {"spirv/inspect",
     "spirv/transform spirv/validate spirv/build spirv/text spirv/module spirv/binary spirv/grammar spirv support "},
    {"spirv/transform", "spirv/validate spirv/build spirv/module spirv/binary spirv/grammar spirv support "},
    {"spirv/execute",  "spirv/validate spirv/module spirv/binary spirv/grammar spirv support "},
    {"spirv/validate", "spirv/module spirv/binary spirv/grammar spirv support "},
    {"spirv/build",   "spirv/module spirv/binary spirv/grammar spirv support "},
    {"spirv/text",    "spirv/binary spirv/grammar spirv support "},  // never a module: invalid input must stay printable
    {"spirv/module",  "spirv/binary spirv/grammar spirv support "},
    {"spirv/binary",  "spirv/grammar spirv support "},
    {"spirv/grammar", "spirv support "},
    {"spirv",         "support "},  // shared by all components of SPIR-V: words, the names of rules
    {"isa/diff",      "isa/explain isa/print isa/decode isa/model isa/expr isa/bits isa support "},
    {"isa/doc",       "isa/explain isa/print isa/decode isa/model isa/expr isa/bits isa support "},
    {"isa/explain",   "isa/print isa/decode isa/model isa/expr isa/bits isa support "},
    {"isa/vectors",   "isa/check isa/assemble isa/solve isa/print isa/decode isa/model isa/expr isa/bits isa support "},
    {"isa/check",     "isa/assemble isa/solve isa/print isa/decode isa/model isa/expr isa/bits isa support "},
    {"isa/generate",  "isa/model isa/expr isa/bits isa support "},  // uses the language, not the interpreter
    {"isa/assemble",  "isa/solve isa/print isa/decode isa/model isa/expr isa/bits isa support "},
    {"isa/encode",    "isa/solve isa/print isa/decode isa/model isa/expr isa/bits isa support "},
    {"isa/solve",     "isa/decode isa/model isa/expr isa/bits isa support "},  // solves for unknown bits
    {"isa/print",     "isa/decode isa/model isa/expr isa/bits isa support "},
    {"isa/decode",    "isa/model isa/expr isa/bits isa support "},
    {"isa/model",     "isa/expr isa/bits isa support "},
    {"isa/expr",      "isa support "},
    {"isa/bits",      "isa support "},
    {"isa",           "support "},
    {"support",       ""},
};
// clang-format on

struct HeaderOwner {
  std::string_view header;
  std::string_view component;
};

// A public header belongs to the component with its folder: vireo/spirv/text/assemble.h to "spirv/text". This table has
// the headers of the C interface, of instruction sets, which are in one folder, and the one that includes all headers.
// clang-format off
constexpr HeaderOwner header_owners[] = {
    {"vireo/vireo.h",                "c"},
    {"vireo/vireo_isa.h",            "c"},
    {"vireo/vireo_transform.h",      "c"},
    {"vireo/vireo_inspect.h",        "c"},
    {"vireo/vireo_render.h",         "c"},
    {"vireo/vireo_rules.h",          "c"},
    {"vireo/vireo_run.h",            "c"},
    {"vireo/spirv/run.h",            "spirv/execute"},
    {"vireo/isa/isa.h",              "isa/print"},  // includes all headers for decoding
    {"vireo/isa/diff.h",             "isa/diff"},
    {"vireo/isa/doc.h",              "isa/doc"},
    {"vireo/isa/explain.h",          "isa/explain"},
    {"vireo/isa/picture.h",          "isa/explain"},
    {"vireo/isa/check.h",            "isa/check"},
    {"vireo/isa/vectors.h",          "isa/vectors"},
    {"vireo/isa/generate.h",         "isa/generate"},
    {"vireo/isa/assemble.h",         "isa/assemble"},
    {"vireo/isa/custom_names.h",     "isa/assemble"},
    {"vireo/isa/encode.h",           "isa/encode"},
    {"vireo/isa/print.h",            "isa/print"},
    {"vireo/isa/decode.h",           "isa/decode"},
    {"vireo/isa/load.h",             "isa/model"},
    {"vireo/isa/model.h",            "isa/model"},
    {"vireo/isa/expression.h",       "isa/expr"},
    {"vireo/isa/bits.h",             "isa/bits"},
    {"vireo/spirv/spirv.h",          "spirv/one_call"},
};
// clang-format on

/// The component of a path below an include root ("spirv/text/lexer.h", "vireo/spirv/grammar/grammar.h"); null: not
/// ours.
const Component* component_of(std::string_view path) {
  for (const HeaderOwner& owner : header_owners) {
    if (path != owner.header) continue;
    return std::find_if(std::begin(components), std::end(components),
                        [&](const Component& component) { return component.name == owner.component; });
  }
  if (path.starts_with("vireo/")) path.remove_prefix(std::string_view("vireo/").size());
  for (const Component& component : components) {
    if (path.starts_with(std::string(component.name) + "/")) return &component;
  }
  return nullptr;
}

bool may_include(const Component& from, const Component& to) {
  if (&from == &to || from.allowed == "*") return true;
  return from.allowed.find(std::string(to.name) + " ") != std::string_view::npos;
}

/// A path below its include root: "src/spirv/x.h" is included as "spirv/x.h".
std::string_view below_root(std::string_view path) { return path.substr(path.find('/') + 1); }

TEST(Layering, each_component_includes_only_lower_components) {
  for (const SourceFile& file : source_files()) {
    if (!file.is_below("src/") && !file.is_below("include/")) continue;
    const Component* from = component_of(below_root(file.path));
    ASSERT_NE(from, nullptr) << file.path << " belongs to no component: add it to the table";
    for (const Include& include : includes_of(file)) {
      if (!include.is_quoted) continue;
      if (include.name.find('/') == std::string::npos || include.name.starts_with(".")) {
        ADD_FAILURE() << place(file, include.line) << ": '" << include.name << "' is not a path from an include root";
        continue;
      }
      const Component* to = component_of(include.name);
      if (to == nullptr)
        ADD_FAILURE() << place(file, include.line) << ": '" << include.name << "' belongs to no component";
      else
        EXPECT_TRUE(may_include(*from, *to))
            << place(file, include.line) << ": " << from->name << " may not include '" << include.name << "'";
    }
  }
}

TEST(Layering, public_headers_include_only_public_headers) {
  for (const SourceFile& file : source_files()) {
    if (!file.is_below("include/")) continue;
    for (const Include& include : includes_of(file)) {
      if (include.is_quoted) {
        EXPECT_TRUE(include.name.starts_with("vireo/")) << place(file, include.line) << ": '" << include.name << "'";
      }
    }
  }
}

TEST(Layering, components_precede_the_components_they_include) {
  for (std::size_t i = 0; i < std::size(components); ++i) {
    for (std::size_t upper = 0; upper < i; ++upper) {
      EXPECT_EQ(components[i].allowed.find(std::string(components[upper].name) + " "), std::string_view::npos)
          << components[i].name << " and " << components[upper].name << " would form a cycle";
    }
  }
}

// --- folders ----------------------------------------------------------------------------------------------------------

std::string_view folder_of(std::string_view path) { return path.substr(0, path.rfind('/')); }

/// An include of a file in another folder.
struct FolderEdge {
  std::string from, to, where;
};

// Removes the folders that include no remaining folder, and those that no remaining folder includes, until none is left.
// The edges that remain are in a cycle or between two cycles.
TEST(Layering, folders_form_no_cycle) {
  std::vector<FolderEdge> edges;
  for (const SourceFile& file : source_files()) {
    if (!file.is_below("src/")) continue;
    const std::string_view from = folder_of(below_root(file.path));
    for (const Include& include : includes_of(file)) {
      const std::string_view to = folder_of(include.name);
      if (!include.is_quoted || include.name.starts_with("vireo/") || to == from) continue;
      edges.push_back({std::string(from), std::string(to), place(file, include.line)});
    }
  }
  ASSERT_FALSE(edges.empty());
  for (std::size_t before = 0; before != edges.size();) {
    before = edges.size();
    std::set<std::string> including, included;
    for (const FolderEdge& edge : edges) {
      including.insert(edge.from);
      included.insert(edge.to);
    }
    std::erase_if(
        edges, [&](const FolderEdge& edge) { return !including.contains(edge.to) || !included.contains(edge.from); });
  }
  for (const FolderEdge& edge : edges) {
    ADD_FAILURE() << edge.where << ": " << edge.from << " includes " << edge.to << ", which includes it in turn";
  }
}

// --- third parties ------------------------------------------------------------------------------------------------------

struct ThirdPartyHeader {
  std::string_view header;  ///< prefix of the name in the #include
  std::string_view places;  ///< path prefixes of the only library files that may include it, each followed by a space
};

// clang-format off
constexpr ThirdPartyHeader third_party_headers[] = {
    {"nlohmann/",    "src/support/json.h src/support/json.cpp "},
    {"CLI/",         "src/cli/program/parse_options.cpp "},
    {"pugixml",      "src/isa/model/load_xml.cpp "},
    {"gtest/",       ""},
    {"gmock/",       ""},
    {"benchmark/",   ""},
    {"spirv-tools/", ""},
    {"spirv/",       ""},  // the enums are generated from the same grammar as the tables
    {"boost/",       ""},
};
// clang-format on

// Slow to compile, slow to start, or dependent on a locale. The program may use streams; the library may not.
constexpr std::string_view banned_in_the_library[] = {"iostream", "regex", "locale", "iomanip", "sstream"};

bool is_at(std::string_view path, std::string_view places) {
  while (!places.empty()) {
    const std::size_t end = places.find(' ');
    if (path.starts_with(places.substr(0, end))) return true;
    places.remove_prefix(end + 1);
  }
  return false;
}

bool is_product(const SourceFile& file) { return file.is_below("src/") || file.is_below("include/"); }

TEST(Layering, each_third_party_header_is_included_only_where_allowed) {
  for (const SourceFile& file : source_files()) {
    if (!is_product(file)) continue;
    for (const Include& include : includes_of(file)) {
      if (include.is_quoted) continue;
      for (const ThirdPartyHeader& row : third_party_headers) {
        if (!include.name.starts_with(row.header)) continue;
        EXPECT_TRUE(is_at(file.path, row.places)) << place(file, include.line) << ": <" << include.name << ">";
      }
    }
  }
}

TEST(Layering, fmt_stays_out_of_headers) {
  for (const SourceFile& file : source_files()) {
    if (!is_product(file) || !file.is_header()) continue;
    for (const Include& include : includes_of(file)) {
      EXPECT_FALSE(include.name.starts_with("fmt/")) << place(file, include.line);
    }
  }
}

TEST(Layering, the_library_uses_no_streams_regex_or_locale) {
  for (const SourceFile& file : source_files()) {
    if (!is_product(file) || file.is_below("src/cli/")) continue;
    for (const Include& include : includes_of(file)) {
      for (const std::string_view banned : banned_in_the_library) {
        EXPECT_NE(include.name, banned) << place(file, include.line);
      }
    }
  }
}

}  // namespace
}  // namespace vireo::meta

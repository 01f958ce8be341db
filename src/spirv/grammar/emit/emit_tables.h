// SPDX-License-Identifier: Apache-2.0
//
// Rows → C++ source: the built-in tables and the enumerations for users.
//
// The one idea: what is printed here is exactly the object that the loader made, row for row; builtin.cpp includes it
// back as constexpr arrays. Same rows, same bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vireo/spirv/grammar.h"

namespace vireo::spirv {

struct GeneratedFile {
  std::string path;  ///< from the root of the repository
  std::string text;
};

/// What the banner of a generated file says about its making.
struct GeneratedBanner {
  std::string_view source;  ///< "spirv-headers 1.6.1+1.4.363.0-1 (SPIR-V 1.6 revision 7)"
};

/// src/spirv/grammar/generated/*.inc, for builtin.cpp.
std::vector<GeneratedFile> emit_tables(const Grammar& grammar, const GeneratedBanner& banner);

/// include/vireo/spirv/enums.h.
GeneratedFile emit_enums(const Grammar& grammar, const GeneratedBanner& banner);

/// The lines every generated file begins with.
std::string banner_lines(const GeneratedBanner& banner, std::string_view what);

}  // namespace vireo::spirv

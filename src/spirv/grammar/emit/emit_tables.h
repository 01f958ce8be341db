// SPDX-License-Identifier: Apache-2.0
//
// Generates C++ source from grammar rows: the built-in tables and the public enumerations.
//
// The generated tables contain exactly the rows that the loader made; builtin.cpp includes them as
// constexpr arrays. Equal rows give identical files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vireo/spirv/grammar/grammar.h"

namespace vireo::spirv {

struct GeneratedFile {
  std::string path;  ///< relative to the root of the repository
  std::string text;
};

/// The origin of a generated file, for its banner.
struct GeneratedBanner {
  std::string_view source;  ///< "spirv-headers 1.6.1+1.4.363.0-1 (SPIR-V 1.6 revision 7)"
};

/// src/spirv/grammar/generated/*.inc, for builtin.cpp.
std::vector<GeneratedFile> emit_tables(const Grammar& grammar, const GeneratedBanner& banner);

/// include/vireo/spirv/grammar/enums.h.
GeneratedFile emit_enums(const Grammar& grammar, const GeneratedBanner& banner);

/// The first lines of every generated file.
std::string banner_lines(const GeneratedBanner& banner, std::string_view what);

}  // namespace vireo::spirv

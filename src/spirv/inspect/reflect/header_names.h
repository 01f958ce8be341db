// SPDX-License-Identifier: Apache-2.0
//
// The identifiers of a generated header, and the texts that depend on its language.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "spirv/inspect/reflect/c_names.h"
#include "spirv/inspect/reflect/reflection_cells.h"
#include "support/printable.h"

namespace vireo::spirv {

struct HeaderNames {
  bool is_cpp = false;
  std::string scope;                                 // the namespace of C++, the prefix of C; may be empty
  CNames names;                                      // of the file
  std::map<Word, std::string_view> spec_names = {};  // the first name of a constant with the SpecId

  // The identifier in the file; C has no namespaces.
  [[nodiscard]] std::string in_scope(const std::string& name) const {
    return is_cpp || scope.empty() ? name : scope + "_" + name;
  }
  std::string take(std::string_view name, const std::string& fallback) {
    return names.take(c_identifier(name, fallback));
  }
  // Ids change with each edit of a shader, so an unnamed constant is called by its SpecId: "constant3".
  [[nodiscard]] std::string of_spec_constant(std::string_view name, Word spec_id) const {
    const auto found = spec_names.find(spec_id);
    if (name.empty() && found != spec_names.end()) name = found->second;
    return c_identifier(name, "constant" + std::to_string(spec_id));
  }
};

// In quotes, so that a backslash in the name cannot continue the comment. Without a name the other text.
inline std::string comment_text(std::string_view name, const std::string& unnamed = {}) {
  if (name.empty() && !unnamed.empty()) return unnamed;
  std::string text = "'";
  append_printable(text, shortened(name));
  return text + "'";
}

}  // namespace vireo::spirv

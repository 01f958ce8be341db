// SPDX-License-Identifier: Apache-2.0
//
// Source map and id names of an assembled text.
//
// The one idea: most texts have no fault, and a map of all tokens takes longer to build than the words. So a text is
// assembled without a map. It is assembled again with a map only if there are findings.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "spirv/text/text_names.h"
#include "vireo/spirv/assemble.h"
#include "vireo/spirv/source_map.h"
#include "vireo/spirv/validate.h"
#include "vireo/spirv/word.h"

namespace vireo::cli {

// Any number of threads may query it; the first query is linear in the text.
class AssembledText {
 public:
  /// A text, the options it was assembled with, and the resulting words. The text, the words and the grammar are
  /// borrowed.
  AssembledText(const SourceText& text, const spirv::AssembleOptions& options, spirv::Words words);

  [[nodiscard]] const spirv::SourceMap& map() const;
  /// The name of an id in the text, with its percent sign: messages use the name that the author wrote. Empty if the
  /// text does not mention the id.
  [[nodiscard]] std::string name_of(spirv::Word id) const;

  /// The rules that the comments of the text allow (vireo/spirv/validate/allow_comments.h): views into the text.
  [[nodiscard]] std::vector<spirv::AllowedRule> allowed_rules() const;

 private:
  const SourceText text_;
  const spirv::AssembleOptions options_;
  const spirv::Words words_;
  mutable std::once_flag is_mapped_, is_named_;
  mutable spirv::SourceMap map_;
  mutable spirv::TextNames names_;
};

}  // namespace vireo::cli

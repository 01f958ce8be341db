// SPDX-License-Identifier: Apache-2.0
//
// Creates the map and the names on first use.
#include "cli/module/assembled_text.h"

#include "vireo/spirv/validate/allow_comments.h"

namespace vireo::cli {

AssembledText::AssembledText(const SourceText& text, const spirv::AssembleOptions& options, spirv::Words words)
    : text_(text), options_(options), words_(words) {}

const spirv::SourceMap& AssembledText::map() const {
  std::call_once(is_mapped_, [this] {
    Diagnostics repeated;  // reported by the first assembly already
    static_cast<void>(spirv::assemble(text_, options_, repeated, &map_));
  });
  return map_;
}

std::string AssembledText::name_of(spirv::Word id) const {
  std::call_once(is_named_,
                 [this] { names_ = spirv::TextNames(text_.text, map(), words_, spirv::instruction_offsets(words_)); });
  return std::string(names_.of(id));
}

std::vector<spirv::AllowedRule> AssembledText::allowed_rules() const {
  if (!spirv::may_have_allow_comments(text_.text)) return {};  // most texts need no map
  return spirv::read_allow_comments(text_.text, map());
}

}  // namespace vireo::cli

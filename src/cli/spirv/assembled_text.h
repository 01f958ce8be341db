// SPDX-License-Identifier: Apache-2.0
//
// What a text says where, after it was assembled.
//
// The one idea: most texts have nothing wrong with them, and a map of all their tokens takes longer to make than the words.
// So a text is assembled without one; who has something to say of it has it assembled again, with a map.
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/spirv/assemble.h"
#include "vireo/spirv/source_map.h"
#include "vireo/spirv/word.h"

namespace vireo::cli {

// Any number of threads may ask; the first question is linear in the text.
class AssembledText {
 public:
  /// A text that was assembled by these options, and the words of it. The text, the words and the grammar are borrowed.
  AssembledText(const SourceText& text, const spirv::AssembleOptions& options, spirv::Words words);

  [[nodiscard]] const spirv::SourceMap& map() const;
  /// What the text calls an id, with its percent sign: who wrote `%main` reads `%main` in what is said of it. Empty when
  /// the text does not mention it.
  [[nodiscard]] std::string name_of(spirv::Word id) const;

 private:
  void read_names() const;

  const SourceText text_;
  const spirv::AssembleOptions options_;
  const spirv::Words words_;
  mutable std::once_flag is_mapped_, is_named_;
  mutable spirv::SourceMap map_;
  mutable std::vector<std::string_view> names_;  // by id: views into the text
};

}  // namespace vireo::cli

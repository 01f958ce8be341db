// SPDX-License-Identifier: Apache-2.0
//
// What a text calls the ids of the module that was assembled from it.
//
// The one idea: who wrote `%main` reads `%main` in what is said of it. The map that the assembler made has the tokens;
// they are looked through when the first name is wanted, since most texts have nothing wrong with them.
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/spirv/source_map.h"
#include "vireo/spirv/word.h"

namespace vireo::cli {

class NamesInText {
 public:
  /// All are borrowed.
  NamesInText(std::string_view text, spirv::Words words, const spirv::SourceMap& map);

  /// With its percent sign; empty when the text does not mention it. The first call is linear in the text. Any number of
  /// threads may ask.
  [[nodiscard]] std::string name_of(spirv::Word id) const;

 private:
  void read() const;

  const std::string_view text_;
  const spirv::Words words_;
  const spirv::SourceMap& map_;
  mutable std::once_flag is_read_;
  mutable std::vector<std::string_view> names_;  // by id: views into the text
};

}  // namespace vireo::cli

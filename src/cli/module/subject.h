// SPDX-License-Identifier: Apache-2.0
//
// A module that a command reads: the words of a binary, or of an assembled text.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "spirv/text/text_names.h"
#include "vireo/spirv/binary/reader.h"
#include "vireo/spirv/text/assemble.h"
#include "vireo/spirv/text/source_map.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::cli {

/// Source map and id names of an assembled text. Most texts have no fault, and a map of all tokens takes longer to build
/// than the words. So a text is assembled without a map, and again with one only if there are findings. Any number of
/// threads may query it; the first query is linear in the text.
class AssembledText {
 public:
  /// A text, the options it was assembled with, and the resulting words. The text, the words and the grammar are
  /// borrowed.
  AssembledText(const SourceText& text, const spirv::AssembleOptions& options, spirv::Words words);

  [[nodiscard]] const spirv::SourceMap& map() const;
  /// The name of an id in the text, with its percent sign: messages use the name that the author wrote. Empty if the
  /// text does not mention the id.
  [[nodiscard]] std::string name_of(spirv::Word id) const;

  /// The rules that the comments of the text allow (vireo/spirv/one_call/allow_comments.h): views into the text.
  [[nodiscard]] std::vector<spirv::AllowedRule> allowed_rules() const;

 private:
  const SourceText text_;
  const spirv::AssembleOptions options_;
  const spirv::Words words_;
  mutable std::once_flag is_mapped_, is_named_;
  mutable spirv::SourceMap map_;
  mutable spirv::TextNames names_;
};

/// A module, and its text if it was assembled.
struct Subject {
  spirv::WordBuffer assembled;  ///< of a text, or of a module with fixes
  std::optional<spirv::ModuleWords> read = {};
  std::unique_ptr<const AssembledText> text = {};  ///< null for a binary; refers to the words

  [[nodiscard]] bool is_text() const { return text != nullptr; }
  [[nodiscard]] spirv::Words words() const { return read ? read->words() : spirv::Words(assembled); }
};

/// Reads or assembles an input, for the grammar, environment and limits of a validation. Returns none if the input has
/// faults that prevent it, which are reported. The input must outlive the subject.
std::optional<Subject> read_subject(const SourceText& input, const spirv::ValidateOptions& validation,
                                    Diagnostics& diagnostics);

/// Diagnostics about the words of a subject. Those of a text get locations in it.
Diagnostics located_in_input(const Diagnostics& in_words, const Subject& subject);
/// The same, added to the diagnostics of the input.
void report_in_input(const Diagnostics& in_words, const Subject& subject, Diagnostics& diagnostics);

}  // namespace vireo::cli

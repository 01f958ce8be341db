// SPDX-License-Identifier: Apache-2.0
//
// Listing: the parts of a module's disassembly that messages refer to.
//
//   Listing listing(words);
//   ValidateOptions options;
//   options.name_of_id = [&](Word id) { return listing.name_of(id); };
//   if (!validate(words, options, diagnostics)) show(listing.point_into_text(diagnostics), listing.text());
//
// The one idea: a binary has no lines, but its disassembly has; messages therefore use the disassembly's names and
// lines. Most modules are valid, so a Listing computes nothing before it is used.
#pragma once

#include <string>
#include <string_view>

#include "vireo/spirv/grammar.h"
#include "vireo/spirv/source_map.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/owned.h"

namespace vireo::spirv {

/// Returns the diagnostics with places in words converted to places in the text of `map`. A place in the header,
/// which the text does not show, is removed. A place after the last instruction of a truncated module stays in words.
/// Linear in the words if there is a place to convert.
VIREO_API Diagnostics point_into_text(const Diagnostics& diagnostics, Words words, const SourceMap& map);

/// The disassembly of a module, computed on demand.
class VIREO_API Listing {
 public:
  /// The module is in host byte order. The words and the grammar (nullptr = the built-in one) must outlive the
  /// listing.
  explicit Listing(Words words, const Grammar* grammar = nullptr);
  explicit Listing(const WordBuffer&& temporary, const Grammar* grammar = nullptr) = delete;
  ~Listing();
  Listing(const Listing&) = delete;
  Listing& operator=(const Listing&) = delete;

  /// The name of an id in the disassembly, with its `%`; `%77` if it has no name. The first call reads the whole
  /// module once. Safe to call from several threads.
  [[nodiscard]] std::string name_of(Word id) const;

  /// Returns the diagnostics with places in text(), which this call creates. Linear in the words.
  Diagnostics point_into_text(const Diagnostics& diagnostics);

  /// The disassembly, in which only the lines of the diagnostics and a few others have contents. Line numbers and
  /// columns equal those of the full disassembly. Empty before point_into_text().
  [[nodiscard]] std::string_view text() const;

 private:
  struct Made;
  Owned<Made> made_;
};

}  // namespace vireo::spirv

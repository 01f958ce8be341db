// SPDX-License-Identifier: Apache-2.0
//
// Listing: the disassembly of a binary, as far as messages about it need it.
//
//   Listing listing(words);
//   ValidateOptions options;
//   options.name_of_id = [&](Word id) { return listing.name_of(id); };
//   if (!validate(words, options, diagnostics)) show(listing.point_into_text(diagnostics), listing.text());
//
// The one idea: a binary has no lines, but its disassembly has; so messages use its names and point at its lines. Most
// modules have nothing wrong with them, so a Listing works out nothing before it is asked.
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

/// The same diagnostics, with places in words turned into places in the text of `map`. What the text does not show has no
/// place afterwards (the header), or keeps the one in words (where the module breaks off). Linear in the words when there
/// is anything to turn.
VIREO_API Diagnostics point_into_text(const Diagnostics& diagnostics, Words words, const SourceMap& map);

/// The disassembly of a module, as far as somebody wants to see it.
class VIREO_API Listing {
 public:
  /// Of a module in host byte order. The words and the grammar (nullptr = the built-in one) must outlive it.
  explicit Listing(Words words, const Grammar* grammar = nullptr);
  explicit Listing(const WordBuffer&& temporary, const Grammar* grammar = nullptr) = delete;
  ~Listing();
  Listing(const Listing&) = delete;
  Listing& operator=(const Listing&) = delete;

  /// What the disassembly calls an id, with its `%`; `%77` for one that has no name. The first call looks at the whole
  /// module once. Any number of threads may ask.
  [[nodiscard]] std::string name_of(Word id) const;

  /// The same diagnostics with places in text(), which is made anew. Linear in the words.
  Diagnostics point_into_text(const Diagnostics& diagnostics);

  /// The disassembly, of which all lines are empty but those that the diagnostics point at, and a few more: numbers and
  /// columns are those of the whole. Empty before point_into_text().
  [[nodiscard]] std::string_view text() const;

 private:
  struct Made;
  Owned<Made> made_;
};

}  // namespace vireo::spirv

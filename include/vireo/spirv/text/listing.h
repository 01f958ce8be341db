// SPDX-License-Identifier: Apache-2.0
//
// Listing: converts locations in words to lines of the module's disassembly, for messages.
//
//   Listing listing(words);
//   ValidateOptions options;
//   options.name_of_id = [&](Word id) { return listing.name_of(id); };
//   if (!validate(words, options, diagnostics)) show(listing.point_into_text(diagnostics), listing.text());
//
// Messages about a binary module use the lines of its disassembly and the names of ids in it. Most
// modules are valid, so a Listing computes nothing before a function is called.
#pragma once

#include <string>
#include <string_view>

#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/text/source_map.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/owned.h"

namespace vireo::spirv {

/// Returns the diagnostics with their locations in words converted to locations in the text of `map`. A location in the
/// header becomes Location::none(), because the text does not show the header. If the module is truncated, a location
/// after its last instruction does not change. Linear in the words if any location refers to an instruction.
VIREO_API Diagnostics point_into_text(const Diagnostics& diagnostics, Words words, const SourceMap& map);

/// The disassembly of a module, computed on first use.
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
  /// module. Several threads may call this function at once.
  [[nodiscard]] std::string name_of(Word id) const;

  /// Returns the diagnostics with locations in text(), which this call creates. Linear in the words.
  Diagnostics point_into_text(const Diagnostics& diagnostics);

  /// The disassembly. Only the lines of the diagnostics and a few others have contents; all other lines are empty. So
  /// line numbers and columns equal those of the full disassembly. Empty before point_into_text(). Valid until the next
  /// call of point_into_text(), at most as long as the listing.
  [[nodiscard]] std::string_view text() const;

 private:
  struct Made;
  Owned<Made> made_;
};

}  // namespace vireo::spirv

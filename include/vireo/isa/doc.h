// SPDX-License-Identifier: Apache-2.0
//
// Doc: the reference of an instruction set as a page to browse.
//
// The one idea: one HTML document that needs nothing else, neither a server nor the network nor scripts (one small script
// adds search). One file rather than a folder: it can be sent and kept, the browser's own search finds everything, links
// within never break, and some megabytes are no burden today. The document is well-formed XML, too, and the same input
// gives the same bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "vireo/isa/model.h"
#include "vireo/support/api.h"
#include "vireo/support/text_writer.h"

namespace vireo::isa {

/// What the page shows.
struct VIREO_API DocOptions {
  std::string title = {};                 ///< of the page; empty: "Instruction set"
  std::optional<std::uint32_t> gen = {};  ///< only what exists in this generation; all by default
};

/// Writes the page, section by section. False when the sink took no more. No text of the model can become markup.
VIREO_API bool write_doc(const Model& model, const DocOptions& options, TextSink& sink);

}  // namespace vireo::isa

// SPDX-License-Identifier: Apache-2.0
//
// Doc: the reference of an instruction set as an HTML page.
//
// The one idea: the page is one HTML document without external parts: no server, no network, and scripts only for
// search. One file can be sent and kept, the browser's own search covers all of it, and its links never break. The
// document is also well-formed XML, and the same input gives the same bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "vireo/isa/model.h"
#include "vireo/support/api.h"
#include "vireo/support/text_writer.h"

namespace vireo::isa {

/// Options for the page.
struct VIREO_API DocOptions {
  std::string title = {};                 ///< the title of the page; empty: "Instruction set"
  std::optional<std::uint32_t> gen = {};  ///< include only what exists in this generation; none: all
};

/// Writes the page section by section. False if the sink failed. Texts of the model are escaped and never become
/// markup.
VIREO_API bool write_doc(const Model& model, const DocOptions& options, TextSink& sink);

}  // namespace vireo::isa

// SPDX-License-Identifier: Apache-2.0
//
// The reference manual of an instruction set as an HTML page.
//
// The page is one HTML file without references to other files. It needs no server and no network, and
// scripts only for its search. The document is also well-formed XML. The same input produces the same bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "vireo/isa/model.h"
#include "vireo/support/api.h"
#include "vireo/support/text_writer.h"

namespace vireo::isa {

/// Options of write_doc().
struct VIREO_API DocOptions {
  std::string title = {};                 ///< the title of the page; empty: "Instruction set"
  std::optional<std::uint32_t> gen = {};  ///< include only the instructions of this generation; none: all
};

/// Writes the page section by section. Returns false if the sink failed. Texts of the model are escaped, so they cannot
/// contain markup.
VIREO_API bool write_doc(const Model& model, const DocOptions& options, TextSink& sink);

}  // namespace vireo::isa

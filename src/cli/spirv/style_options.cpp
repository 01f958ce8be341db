// SPDX-License-Identifier: Apache-2.0
//
// Translates options to the style of a disassembly; see style_options.h.
//
// One line per option. Options named no-… switch off a default.
#include "cli/spirv/style_options.h"

namespace vireo::cli {

spirv::DisassembleOptions style_of(const ParsedOptions& options) {
  spirv::DisassembleOptions style;
  style.header = !options.has(OptionId::NoHeader);
  style.indent = !options.has(OptionId::NoIndent);
  style.friendly_names = !options.has(OptionId::RawId);
  style.show_raw_ids = options.has(OptionId::ShowIds);
  style.offsets = options.has(OptionId::Offsets);
  style.comments = options.has(OptionId::Comment);
  style.nested_indent = options.has(OptionId::NestedIndent);
  style.reorder_blocks = options.has(OptionId::ReorderBlocks);
  style.annotate = options.has(OptionId::Annotate);
  style.escape_strings = options.has(OptionId::SafeStrings);
  style.handle_unknown = options.has(OptionId::HandleUnknownOpcodes);
  return style;
}

}  // namespace vireo::cli

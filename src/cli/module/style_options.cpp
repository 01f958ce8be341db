// SPDX-License-Identifier: Apache-2.0
//
// Translates options to the style of a disassembly; see style_options.h.
//
// One line per option. Options named no-… switch off a default.
#include "cli/module/style_options.h"

namespace vireo::cli {

spirv::DisassembleOptions style_of(const ParsedOptions& options) {
  spirv::DisassembleOptions style;
  style.header = !options.has(no_header_option);
  style.indent = !options.has(no_indent_option);
  style.friendly_names = !options.has(raw_id_option);
  style.show_raw_ids = options.has(show_ids_option);
  style.offsets = options.has(offsets_option);
  style.comments = options.has(comment_option);
  style.nested_indent = options.has(nested_indent_option);
  style.reorder_blocks = options.has(reorder_blocks_option);
  style.annotate = options.has(annotate_option);
  style.escape_strings = options.has(safe_strings_option);
  style.handle_unknown = options.has(handle_unknown_opcodes_option);
  return style;
}

}  // namespace vireo::cli

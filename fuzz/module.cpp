// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: reads any bytes as a module and disassembles it in every style. Nothing may crash, hang or read out of
// bounds.
//
// The last byte of the input selects the style, so that one corpus serves all of them.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "vireo/spirv/binary/reader.h"
#include "vireo/spirv/text/disassemble.h"

namespace {

// Counts bytes and rejects a text of more than 16 MiB, like a full disk.
class CountingSink final : public vireo::TextSink {
 public:
  bool write(std::string_view chunk) override { return (size_ += chunk.size()) < std::size_t{16} << 20; }

 private:
  std::size_t size_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vireo;
  using namespace vireo::spirv;
  if (size == 0) return 0;
  const std::uint8_t style = data[size - 1];
  Diagnostics diagnostics;
  const Result<ModuleWords> module = read_module_words({reinterpret_cast<const char*>(data), size - 1}, diagnostics);
  if (!module) return 0;
  DisassembleOptions options;
  options.friendly_names = (style & 1) != 0;
  options.indent = (style & 2) != 0;
  options.comments = options.offsets = (style & 4) != 0;
  options.nested_indent = (style & 8) != 0;
  options.reorder_blocks = (style & 16) != 0;
  options.handle_unknown = (style & 32) != 0;
  options.annotate = (style & 64) != 0;
  options.color = options.escape_strings = options.show_raw_ids = (style & 128) != 0;
  CountingSink sink;
  SourceMap map;
  disassemble(module->words(), options, sink, diagnostics, (style & 4) != 0 ? &map : nullptr);
  if ((style & 3) == 0) {
    CountingSink json;
    disassemble_to_json(module->words(), options, json, diagnostics);
  }
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
//
// Reads the texts of DebugSource and DebugSourceContinued (debug_sources.h).
#include "spirv/validate/checks/extended_sets/debug_sources.h"

#include <algorithm>

#include "spirv/validate/analysis/extended_sets.h"
#include "vireo/spirv/binary/views/debug.h"
#include "vireo/spirv/binary/views/extension.h"
#include "vireo/spirv/binary/views/sets/nonsemantic_shader_debuginfo.h"

namespace vireo::spirv {
namespace {

// DebugSource of OpenCL.DebugInfo.100 has the same number and operands. That set has no DebugSourceContinued.
using D = NonSemantic_Shader_DebugInfo;

// The number of bytes read is at most this multiple of the module size. Compilers refer to each text once.
constexpr std::uint64_t most_readings = 4;

// The SPIR-V translator of LLVM stores the checksum of the file instead of the text: "//__CSK_MD5:7bb5…".
constexpr std::string_view checksum_prefix = "//__CSK_";

bool has_source_texts(KnownSet set) { return set == KnownSet::ShaderDebug || set == KnownSet::OpenClDebug; }

// Whether the module imports a set with sources.
bool may_have_sources(const ModuleCheck& c) {
  const auto imports = c.module_declarations.imports();
  return std::any_of(imports.begin(), imports.end(),
                     [](const ImportRow& row) { return has_source_texts(named_set(row.name).set); });
}

}  // namespace

DebugSources::DebugSources(const ModuleCheck& c) : c_(c), bytes_left_(most_readings * c.module.words().size_bytes()) {
  if (!may_have_sources(c)) return;
  for (const InstructionView view : c.module.views(c.module.section(Section::Globals))) {
    if (!is_extended(view.opcode)) continue;
    const D inst{View<Op::OpExtInst>(view).instruction().value};
    if (inst != D::DebugSource && inst != D::DebugSourceContinued) continue;
    // Other sets use the same instruction numbers.
    const ImportRow* import = import_of(c, view);
    const KnownSet set = import == nullptr ? KnownSet::Other : named_set(import->name).set;
    if (!has_source_texts(set)) continue;
    if (inst == D::DebugSource) {
      // The lines of this source will be at the current end of lengths_. The source has no lines until a text is read.
      const View<D::DebugSource> source(view);
      rows_.push_back({source.result(), static_cast<std::uint32_t>(lengths_.size()), 0});
      if (const auto text = source.text()) read(*text);
    } else if (set == KnownSet::ShaderDebug && !rows_.empty()) {
      // The text continues the last line of the preceding source.
      read(View<D::DebugSourceContinued>(view).text());
    }
  }
  // Sorted only now, since DebugSourceContinued belongs to the preceding source in module order.
  std::ranges::stable_sort(rows_, {}, &Row::id);
}

// Appends a text to the last source. If the text exceeds the limit on bytes read, the source has no known text.
void DebugSources::read(Word id) {
  Row& row = rows_.back();
  const auto string = as<Op::OpString>(c_.module.find(id));
  if (!string) return;
  const std::string_view text = string->string();
  if (text.empty() || (!row.has_text && text.starts_with(checksum_prefix))) return;
  if (text.size() > bytes_left_) {
    row.has_text = false;  // a partly read source is not checked
    bytes_left_ = 0;
    return;
  }
  bytes_left_ -= text.size();
  row.has_text = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    // A line has at least one character or a line end. No line follows the last line end.
    if (row.has_ended) {
      lengths_.push_back(0);
      ++row.count;
    }
    // A line feed, a carriage return, or both together end a line.
    row.has_ended = text[i] == '\n' || text[i] == '\r';
    if (!row.has_ended) ++lengths_.back();
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') ++i;
  }
}

const DebugSources::Row* DebugSources::find(Word source) const {
  const auto found = std::ranges::lower_bound(rows_, source, {}, &Row::id);
  return found == rows_.end() || found->id != source || !found->has_text ? nullptr : &*found;
}

std::optional<std::uint32_t> DebugSources::line_count(Word source) const {
  const Row* row = find(source);
  return row == nullptr ? std::nullopt : std::optional<std::uint32_t>(row->count);
}

std::uint32_t DebugSources::line_length(Word source, std::uint64_t line) const {
  const Row* row = find(source);
  return row == nullptr || line == 0 || line > row->count ? 0 : lengths_[row->first + line - 1];
}

}  // namespace vireo::spirv

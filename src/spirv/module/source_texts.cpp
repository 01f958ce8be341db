// SPDX-License-Identifier: Apache-2.0
//
// Reads the texts of OpSource and DebugSource into SourceTexts (source_texts.h).
#include "vireo/spirv/module/source_texts.h"

#include <algorithm>
#include <deque>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "spirv/grammar/special_sets.h"
#include "spirv/module/section_walk.h"
#include "vireo/spirv/binary/views/debug.h"
#include "vireo/spirv/binary/views/extension.h"
#include "vireo/spirv/binary/views/sets/nonsemantic_shader_debuginfo.h"
#include "vireo/spirv/binary/views/sets/opencl_debuginfo_100.h"
#include "vireo/support/source.h"

namespace vireo::spirv {
namespace {

using ShaderDebug = NonSemantic_Shader_DebugInfo;
using KernelDebug = OpenCL_DebugInfo_100;

// Many sources may refer to one string, so the number of bytes copied is limited to a multiple of the module's size.
constexpr std::uint64_t most_copies = 4;

// DebugSource has the same number and operands in both sets, so one view reads both.
static_assert(static_cast<Word>(ShaderDebug::DebugSource) == static_cast<Word>(KernelDebug::DebugSource));

// For modules before SPIR-V 1.1, glslang writes its options as comments before the text, and then a #line directive
// with which the numbering begins. Returns the length of this preamble.
std::size_t preamble_size(std::string_view text) {
  constexpr std::string_view option = "// OpModuleProcessed ", begin = "#line 1\n";
  std::size_t at = 0;
  while (text.substr(at).starts_with(option)) at = std::min(text.find('\n', at), text.size() - 1) + 1;
  return text.substr(at).starts_with(begin) ? at + begin.size() : 0;
}

}  // namespace

struct SourceTexts::Files {
  struct File {
    std::string text;
    std::optional<LineIndex> lines;
  };
  std::deque<File> all;                         // never moves its elements, so an index of lines can borrow the text
  std::unordered_map<Word, const File*> by_id;  // by the id of the OpString
  std::unordered_map<std::string, const File*> by_name;
};

SourceTexts::SourceTexts(Files* files) : files_(files) {}
SourceTexts::~SourceTexts() = default;
SourceTexts::SourceTexts(SourceTexts&&) noexcept = default;
SourceTexts& SourceTexts::operator=(SourceTexts&&) noexcept = default;

struct SourceTexts::Reader {
  // A file and its text so far: the instructions that continue a text name no file.
  struct Pending {
    Word file = 0;
    std::string text = {};
    bool is_complete = true;  // false: the text exceeds the limit
  };

  explicit Reader(const Module& the_module)
      : module(the_module), bytes_left(most_copies * the_module.words().size_bytes()) {}

  void append(std::string_view text) {
    if (pending.empty()) return;
    Pending& last = pending.back();
    last.is_complete = last.is_complete && text.size() <= bytes_left;
    if (!last.is_complete) return;
    bytes_left -= text.size();
    last.text += text;
  }
  void append_string(Word id) {
    if (const auto string = as<Op::OpString>(module.find(id))) append(string->string());
  }

  void read_plain(InstructionView instruction) {
    if (const auto source = as<Op::OpSource>(instruction)) {
      const auto file = source->file();
      pending.push_back({file ? Word(*file) : 0});
      if (const auto text = source->source()) append(*text);
    } else if (const auto more = as<Op::OpSourceContinued>(instruction)) {
      append(more->continued_source());
    }
  }

  void read_debug(InstructionView instruction) {
    if (instruction.opcode != Op::OpExtInst) return;
    const View<Op::OpExtInst> extended(instruction);
    const Word number = extended.instruction();
    const auto set = std::ranges::find(sets, Word(extended.set()), &std::pair<Word, bool>::first);
    if (set == sets.end()) return;
    if (number == static_cast<Word>(ShaderDebug::DebugSource)) {
      const View<ShaderDebug::DebugSource> source(instruction);
      pending.push_back({source.file()});
      if (const auto text = source.text()) append_string(*text);
    } else if (set->second && number == static_cast<Word>(ShaderDebug::DebugSourceContinued)) {
      append_string(View<ShaderDebug::DebugSourceContinued>(instruction).text());
    }
  }

  void read_imports() {
    walk_section(module, Section::Imports, [&](InstructionIndex, InstructionView instruction) {
      const auto import = as<Op::OpExtInstImport>(instruction);
      if (!import) return;
      const KnownSet set = named_set(import->name()).set;
      const bool is_shader = set == KnownSet::ShaderDebug;
      if (is_shader || set == KnownSet::OpenClDebug) sets.emplace_back(import->result(), is_shader);
    });
  }

  const Module& module;
  std::uint64_t bytes_left;
  std::vector<std::pair<Word, bool>> sets;  // ids of imports; whether it is the set for shaders
  std::vector<Pending> pending;
};

SourceTexts SourceTexts::read(const Module& module) {
  Reader reader(module);
  walk_section(module, Section::Sources,
               [&](InstructionIndex, InstructionView instruction) { reader.read_plain(instruction); });
  reader.read_imports();
  if (!reader.sets.empty()) {
    walk_section(module, Section::Globals,
                 [&](InstructionIndex, InstructionView instruction) { reader.read_debug(instruction); });
  }
  SourceTexts texts(new Files);
  Files& files = *texts.files_;
  for (Reader::Pending& source : reader.pending) {
    const auto name = as<Op::OpString>(module.find(source.file));
    if (!name || !source.is_complete || source.text.empty()) continue;
    // Modules often contain a text twice, in OpSource and in DebugSource: the first one counts.
    const auto [by_id, is_new] = files.by_id.try_emplace(source.file, nullptr);
    if (!is_new) continue;
    const std::size_t begin = preamble_size(source.text);
    const std::size_t directive =
        source.text.compare(begin, 5, "#line") == 0 ? begin : source.text.find("\n#line", begin);
    Files::File& file = files.all.emplace_back();
    file.text = source.text.substr(begin, directive == std::string::npos ? directive : directive - begin);
    file.lines.emplace(file.text);
    by_id->second = &file;
    files.by_name.try_emplace(std::string(name->string()), &file);
  }
  return texts;
}

bool SourceTexts::has_any() const { return !files_->all.empty(); }

std::optional<std::string_view> SourceTexts::line(const SourceLine& place) const {
  const Files::File* file = nullptr;
  if (const auto found = files_->by_id.find(place.file); found != files_->by_id.end()) {
    file = found->second;
  } else if (const auto named = files_->by_name.find(std::string(place.name)); named != files_->by_name.end()) {
    file = named->second;
  }
  if (file == nullptr || place.line == 0 || place.line > file->lines->line_count()) return std::nullopt;
  return file->lines->line(place.line);
}

}  // namespace vireo::spirv

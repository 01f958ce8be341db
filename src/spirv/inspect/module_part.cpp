// SPDX-License-Identifier: Apache-2.0
//
// Selects, copies and disassembles parts of modules (vireo/spirv/inspect/module_part.h).
#include "vireo/spirv/inspect/module_part.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include "spirv/module/truncated_module.h"
#include "spirv/rules.h"
#include "support/nearest.h"
#include "support/printable.h"
#include "vireo/spirv/binary/views/annotation.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/module_declarations.h"
#include "vireo/spirv/text/listing.h"

namespace vireo::spirv {
namespace {

// --- roots ----------------------------------------------------------------------------------------------------------

// Finds functions and entry points by name. Exact names take precedence over the names of the disassembly, which are
// computed only if nothing else matches, because that is linear in the words.
class RootFinder {
 public:
  RootFinder(const Module& module, std::string_view name, const Function<std::string(Word)>& name_of_id)
      : module_(module),
        name_of_id_(name_of_id),
        name_(name.starts_with('%') ? name.substr(1) : name),
        names_(Names::read(module)),
        declared_(ModuleDeclarations::read(module)) {}

  std::vector<InstructionIndex> functions() const {
    std::vector<InstructionIndex> found = named_functions();
    if (!found.empty()) return found;
    // The functions of entry points with this name, each once.
    std::vector<Word> ids;
    for (const EntryPointRow& entry : declared_.entry_points()) {
      if (entry.name == name_) ids.push_back(entry.function);
    }
    found = functions_with(ids);
    return found.empty() ? listed_functions() : found;
  }

  // By their own name, otherwise all entry points of the functions with the name.
  std::vector<InstructionIndex> entry_points() const {
    std::vector<InstructionIndex> found;
    for (const EntryPointRow& entry : declared_.entry_points()) {
      if (entry.name == name_) found.push_back(entry.instruction);
    }
    if (!found.empty()) return found;
    std::vector<InstructionIndex> functions = named_functions();
    if (functions.empty()) functions = listed_functions();
    for (const EntryPointRow& entry : declared_.entry_points()) {
      const InstructionIndex definition = module_.definition(entry.function);
      if (!definition.is_none() && std::ranges::binary_search(functions, definition))
        found.push_back(entry.instruction);
    }
    return found;
  }

  /// The names that would be found.
  [[nodiscard]] std::vector<std::string_view> known(RootKind kind) const {
    std::vector<std::string_view> known;
    for (const EntryPointRow& entry : declared_.entry_points()) known.push_back(entry.name);
    if (kind == RootKind::Function) {
      for (const FunctionRow& function : module_.functions()) known.push_back(unmangled(names_.of(function.id)));
    }
    std::ranges::sort(known);
    known.erase(std::unique(known.begin(), known.end()), known.end());
    std::erase(known, "");
    return known;
  }
  [[nodiscard]] std::string_view name() const { return name_; }

 private:
  // "blur" of "blur(vf2;", which glslang writes for blur(vec2).
  static std::string_view unmangled(std::string_view name) { return name.substr(0, name.find('(')); }

  // By id, by OpName or, if no name is equal, by the part of OpName before the parameters. Ascending.
  [[nodiscard]] std::vector<InstructionIndex> named_functions() const {
    Word id = 0;
    const auto [end, fault] = std::from_chars(name_.data(), name_.data() + name_.size(), id);
    const bool is_number = fault == std::errc() && end == name_.data() + name_.size();
    std::vector<InstructionIndex> found, overloads;
    if (name_.empty()) return found;
    for (const FunctionRow& function : module_.functions()) {
      const InstructionIndex index(function.all.first);
      const std::string_view name = names_.of(function.id);
      if (is_number && function.id == id) return {index};
      if (name == name_) found.push_back(index);
      else if (unmangled(name) == name_) overloads.push_back(index);
    }
    return found.empty() ? overloads : found;
  }

  [[nodiscard]] std::vector<InstructionIndex> functions_with(std::vector<Word>& ids) const {
    std::ranges::sort(ids);
    std::vector<InstructionIndex> found;
    for (const FunctionRow& function : module_.functions()) {
      if (std::ranges::binary_search(ids, function.id)) found.push_back(InstructionIndex(function.all.first));
    }
    return found;
  }

  // By the name in the text or the disassembly, which differs from OpName if that has other characters or is not unique.
  [[nodiscard]] std::vector<InstructionIndex> listed_functions() const {
    if (name_of_id_) {
      for (const FunctionRow& function : module_.functions()) {
        if (name_of_id_(function.id) == '%' + std::string(name_)) return {InstructionIndex(function.all.first)};
      }
      return {};
    }
    const Listing listing(module_.words(), &module_.grammar());
    for (const FunctionRow& function : module_.functions()) {
      if (listing.name_of(function.id) == '%' + std::string(name_)) return {InstructionIndex(function.all.first)};
    }
    return {};
  }

  const Module& module_;
  const Function<std::string(Word)>& name_of_id_;
  std::string_view name_;  // without '%'
  Names names_;
  ModuleDeclarations declared_;
};

// --- parts ----------------------------------------------------------------------------------------------------------

// Copies the group of OpGroupDecorate or OpGroupMemberDecorate, and the targets that are defined in the part. A target
// takes `stride` words.
void append_group_use(const Module& module, const std::vector<bool>& instructions, InstructionView view,
                      std::size_t stride, WordBuffer& words) {
  const std::size_t begin = words.size();
  const std::size_t head = std::min<std::size_t>(view.word_count, 2);
  words.insert(words.end(), view.first, view.first + head);
  for (std::size_t w = head; w + stride <= view.word_count; w += stride) {
    const InstructionIndex target = module.definition(view.first[w]);
    if (target.is_none() || !instructions[target.raw]) continue;
    words.insert(words.end(), view.first + w, view.first + w + stride);
  }
  words[begin] = first_word(words.size() - begin, view.opcode);
}

// Converts locations in a part to locations in the module.
class Relocation {
 public:
  explicit Relocation(std::span<const PartInstruction> instructions) : instructions_(instructions) {}

  // Diagnostics beyond the limit of `found` are counted.
  void add_all(const Diagnostics& found, Diagnostics& diagnostics) const {
    std::size_t kept_errors = 0, kept_warnings = 0;
    for (const Diagnostic& each : found.all()) {
      kept_errors += each.severity == Severity::Error ? 1 : 0;
      kept_warnings += each.severity == Severity::Warning ? 1 : 0;
      Diagnostic moved = each;
      moved.where = whole(moved.where);
      for (Note& note : moved.notes) note.where = whole(note.where);
      diagnostics.report(std::move(moved));
    }
    diagnostics.count(Severity::Error, found.error_count() - kept_errors);
    diagnostics.count(Severity::Warning, found.warning_count() - kept_warnings);
  }

 private:
  [[nodiscard]] Location whole(Location where) const {
    if (where.kind != Location::Kind::Words || where.instruction == 0) return where;
    const auto after = std::ranges::upper_bound(instructions_, where.begin, {}, &PartInstruction::offset);
    if (after == instructions_.begin()) return where;
    const PartInstruction& place = *(after - 1);
    where.begin += place.offset_in_whole - place.offset;
    where.end += place.offset_in_whole - place.offset;
    where.instruction = place.ordinal;
    return where;
  }

  std::span<const PartInstruction> instructions_;
};

}  // namespace

Result<std::vector<InstructionIndex>> find_roots(const Module& module, std::string_view name, RootKind kind,
                                                 Diagnostics& diagnostics,
                                                 const Function<std::string(Word id)>& name_of_id) {
  const RootFinder finder(module, name, name_of_id);
  std::vector<InstructionIndex> found = kind == RootKind::Function ? finder.functions() : finder.entry_points();
  if (!found.empty()) return found;
  const std::string_view noun = kind == RootKind::Function ? "function " : "entry point ";
  const std::vector<std::string_view> known = finder.known(kind);
  return diagnostics.error(rule::unknown_function, Location::none(),
                           "the module has no " + std::string(noun) + quoted(finder.name()),
                           known.empty() ? std::string() : expected_one_of(known, finder.name()));
}

ModulePart part_of(const Module& module, const std::vector<bool>& instructions) {
  ModulePart part;
  const Words words = module.words();
  part.words.assign(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(
                                                       std::min<std::size_t>(words.size(), header_word_count)));
  for (const auto [index, view] : module.instructions()) {
    if (index.raw >= instructions.size() || !instructions[index.raw]) continue;
    part.instructions.push_back(
        {static_cast<std::uint32_t>(part.words.size()), view.offset, index.raw + std::uint64_t{1}});
    if (view.opcode == Op::OpGroupDecorate) {
      append_group_use(module, instructions, view, 1, part.words);
    } else if (view.opcode == Op::OpGroupMemberDecorate) {
      append_group_use(module, instructions, view, 2, part.words);
    } else {
      part.words.insert(part.words.end(), view.first, view.first + view.word_count);
    }
  }
  return part;
}

// The part contains whole instructions only, so the early end of a module is reported separately.
bool disassemble_part(const Module& module, std::span<const InstructionIndex> roots, const DisassembleOptions& options,
                      TextSink& sink, Diagnostics& diagnostics, bool as_json) {
  const ModulePart part = part_of(module, reachable_instructions(module, roots));
  const WholeModule whole{module.words(), part.instructions};
  DisassembleOptions of_part = options;
  of_part.grammar = &module.grammar();
  of_part.whole = &whole;
  Diagnostics found;
  const bool is_printed =
      as_json ? disassemble_to_json(part.words, of_part, sink, found) : disassemble(part.words, of_part, sink, found);
  Relocation(part.instructions).add_all(found, diagnostics);
  return !report_break(module, diagnostics) && is_printed;
}

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// The texts of labels (drawn_module.h).
#include "spirv/inspect/graphs/drawn_module.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "spirv/grammar/special_sets.h"
#include "spirv/module/truncated_module.h"
#include "support/printable.h"
#include "vireo/spirv/binary/views/extension.h"
#include "vireo/spirv/binary/views/function.h"
#include "vireo/spirv/grammar/enum_names.h"
#include "vireo/spirv/inspect/module_part.h"
#include "vireo/spirv/module/call_graph.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/lines.h"
#include "vireo/spirv/module/module_declarations.h"
#include "vireo/spirv/module/type_text.h"
#include "vireo/spirv/text/disassemble.h"

namespace vireo::spirv {
namespace {

// The mnemonic that the disassembler writes after an instruction that it cannot decode.
constexpr std::string_view unknown_comment = "  ; note:";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

}  // namespace

DrawnModule::DrawnModule(Words words, const DotOptions& options)
    : words_(words),
      options_(options),
      module_(Module::read(words, options.grammar != nullptr ? *options.grammar : builtin_grammar())),
      facts_(module_),
      listing_(words, options.grammar) {
  for (const auto [index, view] : module_.instructions(Section::Imports)) {
    const auto import = as<Op::OpExtInstImport>(view);
    if (!import || import->result() >= module_.defined_bound()) continue;
    if (!is_debug_information(import->name())) continue;
    // Ids of imports are low in real modules. A high one would need much memory; its instructions are then shown.
    if (import->result() > module_.instruction_count()) continue;
    if (debug_sets_.size() <= import->result()) debug_sets_.resize(std::size_t{import->result()} + 1);
    debug_sets_[import->result()] = 1;
  }
}

// --- functions --------------------------------------------------------------------------------------------------------

std::optional<std::vector<FunctionIndex>> DrawnModule::chosen_functions(Diagnostics& diagnostics) const {
  std::vector<std::uint8_t> is_chosen(module_.functions().size(), options_.functions.empty() ? 1 : 0);
  bool has_all = true;
  for (const std::string& wanted : options_.functions) {
    const auto roots = find_roots(module_, wanted, RootKind::Function, diagnostics, options_.name_of_id);
    has_all = has_all && roots.ok();
    if (!roots) continue;
    for (const InstructionIndex root : *roots) is_chosen[module_.function_at(root).index()] = 1;
  }
  if (!has_all) return std::nullopt;
  std::vector<FunctionIndex> chosen;
  for (std::size_t i = 0; i < is_chosen.size(); ++i) {
    if (is_chosen[i] != 0) chosen.emplace_back(i);
  }
  return chosen;
}

std::string DrawnModule::name_of(Word id) const {
  std::string name;
  if (options_.name_of_id) name = options_.name_of_id(id);
  return name.empty() ? listing_.name_of(id) : name;
}

std::string DrawnModule::title_of(const FunctionRow& function) const {
  const std::string_view name = facts_.names().of(function.id);
  if (!name.empty()) return std::string(name);
  // LLVM gives kernels no OpName.
  const auto entries = facts_.call_graph().entries_of(module_.index_of(function));
  const EntryPointRow* const entry = entries.empty() ? nullptr : entry_point(entries.front().instruction);
  return entry == nullptr || entry->name.empty() ? name_of(function.id) : std::string(entry->name);
}

std::string DrawnModule::label_of(const FunctionRow& function) const {
  std::string name = title_of(function);
  const std::size_t parameters = name.find('(');
  const bool is_mangled =
      parameters != std::string::npos && parameters != 0 && (name.back() == ';' || name.back() == '(');
  if (is_mangled) name.resize(parameters);
  return name;
}

std::string DrawnModule::signature_of(const FunctionRow& function) const {
  const auto header = as<Op::OpFunction>(module_.instruction(InstructionIndex(function.all.first)));
  return header && header->function_type() != 0 ? type_text(facts_, header->function_type()) : std::string();
}

const EntryPointRow* DrawnModule::entry_point(InstructionIndex instruction) const {
  const auto rows = facts_.module_declarations().entry_points();
  const auto found = std::lower_bound(rows.begin(), rows.end(), instruction,
                                      [](const EntryPointRow& a, InstructionIndex i) { return a.instruction < i; });
  return found == rows.end() || found->instruction != instruction ? nullptr : &*found;
}

std::vector<std::string> DrawnModule::roles_of(FunctionIndex function) const {
  const FunctionRow& row = module_.functions()[function.index()];
  const std::string title = title_of(row);
  const auto named = [&](std::string role, std::string_view name, std::string_view preposition) {
    if (name != title) role.append(preposition).append(quoted(name));
    return role;
  };
  std::vector<std::string> roles;
  for (const EntryRow& entry : facts_.call_graph().entries_of(function)) {
    const EntryPointRow* const found = entry_point(entry.instruction);
    if (found == nullptr) continue;
    roles.push_back(named(to_string(found->model) + " entry point", found->name, " "));
  }
  const Decorations& decorations = facts_.decorations();
  if (const DecorationRow* linkage = decorations.find(row.id, Decoration::LinkageAttributes)) {
    roles.push_back(named(is_exported(row) ? "exported" : "imported", decorations.text(*linkage), " as "));
  }
  return roles;
}

bool DrawnModule::is_exported(const FunctionRow& function) const {
  const DecorationRow* linkage = facts_.decorations().find(function.id, Decoration::LinkageAttributes);
  if (linkage == nullptr) return false;
  const Words operands = facts_.decorations().operands(*linkage);
  return !operands.empty() && operands.back() != static_cast<Word>(LinkageType::Import);
}

// --- instructions -----------------------------------------------------------------------------------------------------

bool DrawnModule::is_debug(InstructionView instruction) const {
  switch (instruction.opcode) {
    case Op::OpLine:
    case Op::OpNoLine: return true;
    case Op::OpExtInst:
    case Op::OpExtInstWithForwardRefsKHR: {
      const Word set = View<Op::OpExtInst>(instruction).set();
      return set < debug_sets_.size() && debug_sets_[set] != 0;
    }
    default: return false;
  }
}

std::uint32_t DrawnModule::count_instructions(InstructionRange range) const {
  std::uint32_t count = 0;
  for (const InstructionView view : module_.views(range)) {
    switch (view.opcode) {
      case Op::OpFunction:
      case Op::OpFunctionParameter:
      case Op::OpFunctionEnd:
      case Op::OpLabel: break;
      default: count += is_debug(view) ? 0 : 1;
    }
  }
  return count;
}

std::string DrawnModule::text_of(InstructionIndex instruction) {
  if (options_.text_of_instruction) {
    if (std::string text = options_.text_of_instruction(instruction.raw); !text.empty()) return text;
  }
  if (!is_disassembled_) {
    is_disassembled_ = true;
    // Escaped strings contain no line feed, so each instruction has one line.
    StringSink sink;
    Diagnostics ignored(0);
    disassemble(words_, {.grammar = options_.grammar, .header = false, .indent = false, .escape_strings = true}, sink,
                ignored);
    text_ = std::move(sink).text();
    text_begins_.push_back(0);
    for (std::size_t at = text_.find('\n'); at != std::string::npos; at = text_.find('\n', at + 1)) {
      text_begins_.push_back(at + 1);
    }
  }
  if (instruction.index() + 1 >= text_begins_.size()) return {};
  const std::uint64_t begin = text_begins_[instruction.index()], end = text_begins_[instruction.index() + 1] - 1;
  const std::string_view line = std::string_view(text_).substr(begin, end - begin);
  return std::string(line.substr(0, line.find(unknown_comment)));
}

DrawnModule::SourceLabel DrawnModule::source_of(const BlockRow& block) {
  const Lines& lines = facts_.lines();
  if (!lines.has_any()) return {};
  SourceLabel label;
  std::optional<SourceLine> first, last;  // `last`: that of the last instruction
  std::uint32_t low = std::numeric_limits<std::uint32_t>::max(), high = 0;
  for (const auto [index, view] : module_.instructions(block.all)) {
    if (view.opcode == Op::OpLabel || is_debug(view)) continue;
    const std::optional<SourceLine> line = lines.of(index);
    if (!line || line->line == 0) continue;
    last = line;
    if (!first) first = line;
    // Lines of other files come from included code and inlined functions.
    if (line->file != first->file) continue;
    low = std::min(low, line->line);
    high = std::max(high, line->line);
  }
  if (!first) return label;
  const std::string_view path = first->name;
  label.lines.append(path.substr(path.find_last_of("/\\") + 1)).append(path.empty() ? "line " : ":");
  label.lines.append(std::to_string(low));
  if (high != low) label.lines.append("–").append(std::to_string(high));
  if (!sources_) sources_ = SourceTexts::read(module_);
  if (const auto text = sources_->line(*last)) label.text = trimmed(*text);
  return label;
}

bool report_incomplete(const Module& module, Diagnostics& diagnostics) {
  return !report_break(module, diagnostics).has_value();
}

}  // namespace vireo::spirv

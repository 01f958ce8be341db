// SPDX-License-Identifier: Apache-2.0
//
// Queries of the module and its facts for one finding.
#include "cli/val/finding_context.h"

namespace vireo::cli {

FindingContext::FindingContext(spirv::Words words, const spirv::Grammar& grammar)
    : module_(spirv::Module::read(words, grammar)), facts_(module_) {
  for (const spirv::EntryPointRow& entry : facts_.module_declarations().entry_points()) {
    entry_points_.try_emplace(entry.function, entry.name);
  }
}

spirv::InstructionIndex FindingContext::instruction_of(const Location& where) const {
  const bool is_one =
      where.kind == Location::Kind::Words && where.instruction != 0 && where.instruction <= module_.instruction_count();
  return is_one ? spirv::InstructionIndex(static_cast<std::size_t>(where.instruction - 1))
                : spirv::InstructionIndex::none();
}

std::string FindingContext::function_of(const Location& where) const {
  const spirv::InstructionIndex instruction = instruction_of(where);
  const spirv::FunctionIndex function =
      instruction.is_none() ? spirv::FunctionIndex::none() : module_.function_at(instruction);
  if (function.is_none()) return {};
  const spirv::Word id = module_.functions()[function.index()].id;
  if (const auto entry = entry_points_.find(id); entry != entry_points_.end()) return std::string(entry->second);
  const std::string_view name = facts_.names().of(id);
  return name.empty() ? "function " + std::to_string(function.index() + 1) : std::string(name);
}

spirv::Word FindingContext::id_of(const Location& where) const {
  const spirv::InstructionIndex instruction = instruction_of(where);
  return instruction.is_none() ? 0 : module_.result_of(module_.instruction(instruction));
}

std::optional<spirv::SourceLine> FindingContext::source_of(const Location& where) const {
  const spirv::InstructionIndex instruction = instruction_of(where);
  if (instruction.is_none()) return std::nullopt;
  return facts_.lines().of(instruction);
}

std::optional<SourcePosition> FindingContext::position_of(const Location& where) const {
  const std::optional<spirv::SourceLine> source = source_of(where);
  if (!source || source->name.empty() || source->line == 0) return std::nullopt;
  if (!texts_) texts_.emplace(spirv::SourceTexts::read(module_));
  SourcePosition position{std::string(source->name), source->line, source->column, source->end_line,
                          source->end_column};
  // A generated source may have one line of megabytes, and each finding owns its text.
  constexpr std::size_t longest_line = 4096;
  const std::string_view line = texts_->line(*source).value_or("");
  if (line.size() <= longest_line) position.text = line;
  return position;
}

}  // namespace vireo::cli

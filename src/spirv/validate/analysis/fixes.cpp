// SPDX-License-Identifier: Apache-2.0
//
// Builds the changes of remedies.
#include "spirv/validate/analysis/fixes.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>

#include "spirv/validate/tables/mode_rows.h"
#include "vireo/spirv/binary/views/mode_setting.h"
#include "vireo/spirv/binary/writer.h"

namespace vireo::spirv {
namespace {

// The offset of an instruction in words; the end of the module for one past the last.
std::uint64_t offset_of(const Module& module, std::uint32_t instruction) {
  return instruction < module.instruction_count() ? module.instruction(InstructionIndex(instruction)).offset
                                                  : module.words().size();
}

// Inserts an instruction at the end of its section.
void insert(const ModuleCheck& c, Section section, WordBuffer words) {
  const std::uint32_t end = c.module.section(section).end;
  const std::uint64_t offset = offset_of(c.module, end);
  c.fix({.where = Location::in_words(offset, offset, end), .words = std::move(words)});
}

WordBuffer instruction(Op opcode, std::initializer_list<Word> operands, std::string_view text = {}) {
  WordBuffer words;
  InstructionWriter writer(words);
  writer.begin(opcode);
  for (const Word operand : operands) writer.word(operand);
  if (!text.empty()) writer.string(text);
  static_cast<void>(writer.end());  // false only beyond 65,535 words, which no remedy has
  return words;
}

void add_extension(const ModuleCheck& c, std::string_view name) {
  insert(c, Section::Extensions, instruction(Op::OpExtension, {}, name));
}

void add_capability(const ModuleCheck& c, const EnumerantRow& row) {
  insert(c, Section::Capabilities, instruction(Op::OpCapability, {row.value}));
  if (!row.since.is_none() && c.version() >= row.since) return;
  const auto extensions = c.grammar().strings(row.extensions);
  for (const StringRef extension : extensions) {
    if (c.module_declarations.has_extension(c.grammar().text(extension))) return;
  }
  if (!extensions.empty()) add_extension(c, c.grammar().text(extensions[0]));
}

}  // namespace

void hint_capability(const ModuleCheck& c, Capability capability) {
  const EnumerantRow* row = c.grammar().find_value(c.grammar().capability_kind, static_cast<Word>(capability));
  if (row != nullptr) hint_capability(c, c.grammar().text(row->name));
}

void hint_capability(const ModuleCheck& c, std::string_view name) {
  c.hint("add OpCapability {text}", {name});
  const EnumerantRow* row = c.grammar().find_enumerant(c.grammar().capability_kind, name);
  if (row != nullptr) add_capability(c, *row);
}

void hint_extension(const ModuleCheck& c, std::string_view name) {
  c.hint("add OpExtension \"{text}\"", {name});
  add_extension(c, name);
}

void hint_limit(const ModuleCheck& c, Word Limits::*limit) {
  const auto row = std::ranges::find(limits(), limit, &LimitRow::limit);
  if (row != limits().end()) c.hint("--{text}=N sets another limit", {row->name});
}

void hint_vulkan_memory_model(const ModuleCheck& c) {
  c.hint("add OpCapability VulkanMemoryModel and use the memory model Vulkan in OpMemoryModel");
  const EnumerantRow* row =
      c.grammar().find_value(c.grammar().capability_kind, static_cast<Word>(Capability::VulkanMemoryModel));
  const InstructionRange range = c.module.section(Section::MemoryModel);
  const auto model =
      range.is_empty() ? std::nullopt : as<Op::OpMemoryModel>(c.module.instruction(InstructionIndex(range.first)));
  if (row == nullptr || !model) return;
  if (!c.has(Capability::VulkanMemoryModel)) add_capability(c, *row);
  const auto place = Place{InstructionIndex(range.first), static_cast<std::uint16_t>(model->memory_model().word)};
  fix_word(c, place, static_cast<Word>(MemoryModel::Vulkan));
}

void hint_decoration(const ModuleCheck& c, Decoration decoration, Word target, Word member) {
  const std::string id = id_text(c, target), name = enumerant_text(c, decoration);
  const auto value = static_cast<Word>(decoration);
  if (member == no_member) {
    c.hint("add OpDecorate {text} {text}", {id, name});
    insert(c, Section::Annotations, instruction(Op::OpDecorate, {target, value}));
  } else {
    c.hint("add OpMemberDecorate {text} {text} {text}", {id, member, name});
    insert(c, Section::Annotations, instruction(Op::OpMemberDecorate, {target, member, value}));
  }
}

void fix_decoration(const ModuleCheck& c, Decoration decoration, Word number, Word target, Word member) {
  const auto value = static_cast<Word>(decoration);
  insert(c, Section::Annotations,
         member == no_member ? instruction(Op::OpDecorate, {target, value, number})
                             : instruction(Op::OpMemberDecorate, {target, member, value, number}));
}

void hint_execution_mode(const ModuleCheck& c, ExecutionMode mode, Word function) {
  // The entry point may have at most one mode of some groups. The other mode may also be the right one, so there is no
  // fix.
  for (const ModeGroup& group : mode_groups()) {
    const bool is_exclusive = group.how_many == HowMany::ExactlyOne || group.how_many == HowMany::AtMostOne;
    if (!is_exclusive || !is_one_of(group.modes, mode)) continue;
    for (const ExecutionMode other : group.modes) {
      if (other == mode || c.module_declarations.mode(function, other) == nullptr) continue;
      c.hint("{enumerant} excludes {enumerant}, which {id} has; replace one by the other if that is meant",
             {mode, other, function});
      return;
    }
  }
  c.hint("add OpExecutionMode {id} {enumerant}", {function, mode});
  insert(c, Section::ExecutionModes, instruction(Op::OpExecutionMode, {function, static_cast<Word>(mode)}));
}

void hint_interface(const ModuleCheck& c, InstructionIndex entry_point, Word variable) {
  c.hint("append {id} to the operands of OpEntryPoint", {variable});
  const InstructionView view = c.module.instruction(entry_point);
  const std::uint64_t end = std::uint64_t{view.offset} + view.word_count;
  c.fix({.where = Location::in_words(end, end, entry_point.raw + std::uint64_t{1}),
         .is_in_instruction = true,
         .words = {variable}});
}

void fix_word(const ModuleCheck& c, Place place, Word value) {
  if (place.instruction.is_none()) {
    c.fix({.where = Location::in_words(place.word, place.word + std::uint64_t{1}, 0), .words = {value}});
    return;
  }
  const std::uint64_t offset = std::uint64_t{c.module.instruction(place.instruction).offset} + place.word;
  c.fix({.where = Location::in_words(offset, offset + 1, place.instruction.raw + std::uint64_t{1}),
         .is_in_instruction = true,
         .words = {value}});
}

void fix_duplicate(const ModuleCheck& c, InstructionIndex first, InstructionIndex second) {
  const InstructionView view = c.module.instruction(second);
  if (first == second || !std::ranges::equal(c.module.instruction(first).words(), view.words())) return;
  fix_by_removal(c, second);
}

void fix_by_removal(const ModuleCheck& c, InstructionIndex instruction) {
  const InstructionView view = c.module.instruction(instruction);
  c.fix({.where = Location::in_words(view.offset, std::uint64_t{view.offset} + view.word_count,
                                     instruction.raw + std::uint64_t{1})});
}

void fix_by_removal_of_word(const ModuleCheck& c, Place place) {
  const std::uint64_t offset = std::uint64_t{c.module.instruction(place.instruction).offset} + place.word;
  c.fix({.where = Location::in_words(offset, offset + 1, place.instruction.raw + std::uint64_t{1}),
         .is_in_instruction = true});
}

}  // namespace vireo::spirv

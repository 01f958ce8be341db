// SPDX-License-Identifier: Apache-2.0
//
// Describes what a transform removed (vireo/spirv/transform/report.h).
//
// The report compares the counts of the opcodes before and after, so it holds for every transform.
#include "vireo/spirv/transform/report.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "spirv/grammar/opcode_rows.h"
#include "vireo/spirv/binary/views/extension.h"
#include "vireo/spirv/binary/views/mode_setting.h"
#include "vireo/spirv/module/module.h"

namespace vireo::spirv {
namespace {

// The names of the capabilities, extensions and imports.
std::vector<std::string_view> names_of_declarations(const Module& module) {
  std::vector<std::string_view> names;
  const Grammar& grammar = module.grammar();
  const InstructionRange range = {0, module.section(Section::Imports).end};
  for (const InstructionView view : module.views(range)) {
    if (const auto capability = as<Op::OpCapability>(view)) {
      const auto value = static_cast<Word>(capability->capability().value);
      const EnumerantRow* row = grammar.find_value(grammar.capability_kind, value);
      names.push_back(row == nullptr ? "?" : grammar.text(row->name));
    } else if (const auto extension = as<Op::OpExtension>(view)) {
      names.push_back(extension->name());
    } else if (const auto import = as<Op::OpExtInstImport>(view)) {
      names.push_back(import->name());
    }
  }
  return names;
}

std::size_t interface_size(const Module& module) {
  std::size_t size = 0;
  for (const InstructionView view : module.views(module.section(Section::EntryPoints))) {
    if (const auto entry = as<Op::OpEntryPoint>(view)) size += entry->interfaces().size();
  }
  return size;
}

}  // namespace

TransformReport describe_transform(Words words_before, Words words_after, const Grammar& grammar) {
  const Module before = Module::read(words_before, grammar), after = Module::read(words_after, grammar);
  TransformReport report;
  // Rows of report.removed; 0 in a row of the table: none yet.
  OpcodeRows<std::size_t> rows(grammar);
  for (const InstructionView view : before.views(before.all())) {
    std::size_t& row = rows.of(view.opcode, [] { return std::size_t{0}; });
    if (row == 0) {
      report.removed.push_back({view.opcode, 0, 0});
      row = report.removed.size();
    }
    ++report.removed[row - 1].count;
    report.removed[row - 1].words += view.word_count;
  }
  for (const InstructionView view : after.views(after.all())) {
    const std::size_t row = rows.known()[view.opcode];
    if (row == 0) continue;
    RemovedInstructions& removed = report.removed[row - 1];
    removed.count -= std::min(removed.count, 1u);
    removed.words -= std::min<std::uint64_t>(removed.words, view.word_count);
  }
  std::erase_if(report.removed, [](const RemovedInstructions& row) { return row.count == 0; });
  std::unordered_map<std::string_view, std::size_t> remaining;
  for (const std::string_view name : names_of_declarations(after)) ++remaining[name];
  for (const std::string_view name : names_of_declarations(before)) {
    std::size_t& count = remaining[name];
    if (count == 0) report.declarations.emplace_back(name);
    else --count;
  }
  const std::size_t size_before = interface_size(before), size_after = interface_size(after);
  report.interface_entries = static_cast<std::uint32_t>(size_before - std::min(size_before, size_after));
  report.words_before = before.words().size();
  report.words_after = after.words().size();
  return report;
}

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// Properties and parts of the real modules: counts agree with a naive recount; the text of each part assembles to the
// same words, and the part of an entry point is valid wherever the module is.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "counting_sink.h"
#include "outside.h"
#include "system/real_modules.h"
#include "vireo/spirv/inspect/module_info.h"
#include "vireo/spirv/inspect/module_part.h"
#include "vireo/spirv/module/uses.h"
#include "vireo/spirv/text/assemble.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::system_test {
namespace {

using namespace spirv;

// --- properties -----------------------------------------------------------------------------------------------------

// Reads only first words and, by the grammar's flags, results.
std::string difference_from_recount(Words words, const ModuleInfo& info) {
  const Grammar& grammar = builtin_grammar();
  std::map<std::string, std::pair<std::uint32_t, std::uint64_t>> opcodes;
  std::set<Word> ids;
  std::uint32_t instructions = 0;
  std::size_t at = header_word_count;
  while (at < words.size()) {
    const std::size_t count = words[at] >> 16;
    const std::uint32_t opcode = words[at] & 0xFFFF;
    const InstructionRow* row = grammar.find_opcode(opcode);
    auto& sum = opcodes[row == nullptr ? std::to_string(opcode) : std::string(grammar.text(row->name))];
    ++sum.first;
    sum.second += count;
    ++instructions;
    if (row != nullptr && (row->flags & HasResult) != 0)
      ids.insert(words[at + ((row->flags & HasResultType) != 0 ? 2 : 1)]);
    at += count;
  }
  if (info.words != words.size() || info.instructions != instructions) return "wrong size";
  if (info.ids != ids.size()) return "wrong number of ids";
  if (info.opcodes.size() != opcodes.size()) return "wrong number of opcodes";
  for (const OpcodeInfo& each : info.opcodes) {
    if (opcodes[each.name] != std::pair(each.count, each.words)) return "wrong count of " + each.name;
  }
  const auto count = [&](std::string_view name) { return opcodes[std::string(name)].first; };
  if (info.functions != count("OpFunction") || info.blocks != count("OpLabel")) return "wrong number of functions";
  if (info.name_instructions != count("OpName") + count("OpMemberName")) return "wrong number of names";
  if (info.loops != count("OpLoopMerge") || info.switches != count("OpSwitch")) return "wrong number of loops";
  std::uint32_t in_sections = 0;
  std::uint64_t section_words = header_word_count;
  for (const SectionInfo& section : info.sections) {
    in_sections += section.instructions;
    section_words += section.words;
  }
  if (in_sections != instructions || section_words != words.size()) return "the sections do not cover the module";
  if (info.entry_points.size() != count("OpEntryPoint")) return "wrong number of entry points";
  return {};
}

TEST(Inspect, properties_of_real_modules_agree_with_a_recount) {
  std::atomic<std::size_t> faulty = 0;
  with_real_modules([&](const UnpackedArchive& unpacked) {
    check_words_of(unpacked, [&](const std::string&, Words words) -> std::string {
      Diagnostics diagnostics;
      const Result<ModuleInfo> info = read_module_info(words, diagnostics);
      if (!info) return "refused: " + diagnostics.all().front().message;
      if ((info->faults != 0) != diagnostics.has_errors()) return "faults differ from errors";
      faulty += info->faults != 0 ? 1 : 0;
      CountingSink sink;
      if (!write_info_page(*info, sink) || !write_info_json(*info, sink)) return "not written";
      return difference_from_recount(words, *info);
    });
  });
  EXPECT_LT(faulty, 20u);
}

// --- parts ----------------------------------------------------------------------------------------------------------

// Empty if the part of `roots` is a module with the same text and the same parts.
std::string fault_of_part(const Module& module, std::span<const InstructionIndex> roots, WordBuffer& words) {
  const std::vector<bool> reached = reachable_instructions(module, roots);
  words = part_of(module, reached).words;
  Diagnostics diagnostics;
  StringSink friendly, raw;
  disassemble_part(module, roots, {.handle_unknown = true}, friendly, diagnostics);
  disassemble(words, {.friendly_names = false, .handle_unknown = true}, raw, diagnostics);
  // The few modules with such instructions are not printed whole either.
  if (diagnostics.has_errors()) return {};
  const Result<WordBuffer> again =
      assemble({"part", raw.text()}, {.preserve_numeric_ids = true, .exact = true}, diagnostics);
  if (!again) return "does not assemble: " + diagnostics.all().front().message;
  if (*again != words) return "assembles to other words";
  const Result<WordBuffer> of_names = assemble({"part", friendly.text()}, {}, diagnostics);
  if (!of_names) return "does not assemble with names: " + diagnostics.all().front().message;
  if (of_names->size() != words.size()) return "assembles with names to another size";
  // Ids that the module defines are defined in the part.
  const Module part = Module::read(words);
  const Uses uses = Uses::read(part);
  for (const auto [index, view] : module.instructions()) {
    const Word id = module.result_of(view);
    if (id != 0 && !reached[index.raw] && !uses.of(id).empty()) return "id " + std::to_string(id) + " is not defined";
  }
  return {};
}

TEST(Inspect, parts_of_entry_points_stay_valid) {
  std::atomic<std::size_t> parts = 0, smaller = 0;
  with_real_modules([&](const UnpackedArchive& unpacked) {
    const std::vector<ManifestRow> rows = manifest_rows(*outside::shared_folder() / "modules" / "manifest.tsv");
    const std::vector<std::string> failures = failures_of(rows.size(), [&](std::size_t i) -> std::string {
      const ManifestRow& row = rows[i];
      if (!std::filesystem::exists(unpacked.path_of(row.path))) return {};  // in another archive
      const WordBuffer words = words_of_bytes(bytes_of_file(unpacked.path_of(row.path)));
      const Module module = Module::read(words);
      for (const auto [index, view] : module.instructions(Section::EntryPoints)) {
        ++parts;
        WordBuffer part;
        const InstructionIndex root = index;
        if (std::string fault = fault_of_part(module, {&root, 1}, part); !fault.empty()) return row.path + ": " + fault;
        smaller += part.size() < words.size() ? 1 : 0;
        for (const std::string& name : row.environments) {
          ValidateOptions options;
          options.environment = find_environment(name).value();
          Diagnostics findings, before;
          if (validate(part, options, findings) || !validate(words, options, before)) continue;
          return row.path + ": invalid in " + name + ": " + findings.all().front().message;
        }
      }
      return {};
    });
    for (const std::string& failure : failures) ADD_FAILURE() << failure;
    EXPECT_GT(parts, 2000u);
    EXPECT_GT(smaller, 500u);
  });
}

TEST(Inspect, parts_of_functions_assemble_again) {
  check_real_modules([](const Module& module) -> std::string {
    // The first and the last functions: a module of thousands of functions would take most of the time.
    const auto functions = module.functions();
    constexpr std::size_t most = 6;
    for (std::size_t f = 0; f < functions.size(); ++f) {
      if (f >= most && f + most < functions.size()) continue;
      WordBuffer part;
      const InstructionIndex root(functions[f].all.first);
      if (std::string fault = fault_of_part(module, {&root, 1}, part); !fault.empty()) {
        return "%" + std::to_string(functions[f].id) + ": " + fault;
      }
    }
    return {};
  });
}

}  // namespace
}  // namespace vireo::system_test

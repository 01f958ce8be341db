// SPDX-License-Identifier: Apache-2.0
//
// Removal of unused members from the real modules: the result is valid in each environment that accepts the module, a
// second application changes nothing, and each path selects the same place in memory as before.
#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "outside.h"
#include "spirv/transform/clean/members.h"
#include "spirv/transform/clean/members_path.h"
#include "system/real_modules.h"
#include "vireo/spirv/facts/decorations.h"
#include "vireo/spirv/facts/types.h"
#include "vireo/spirv/facts/uses.h"
#include "vireo/spirv/validate.h"

namespace vireo::system_test {
namespace {

using namespace spirv;

/// A member on the path of an instruction. The transform changes no id, except those of indexes.
struct SelectedMember {
  Op opcode = Op::OpNop;
  Word result = 0;
  Word structure = 0;
  Word type = 0;
  std::optional<Word> offset;
  std::string name;
  friend bool operator==(const SelectedMember&, const SelectedMember&) = default;
};

std::vector<SelectedMember> selected_members(Words words) {
  const Module module = Module::read(words);
  const Types types = Types::read(module);
  const Decorations decorations = Decorations::read(module);
  const Names names = Names::read(module);
  std::vector<SelectedMember> selected;
  for (const auto [index, view] : module.instructions()) {
    const InstructionView operation = operation_of(view);
    const std::optional<MemberPath> path = member_path(module, types, operation);
    if (!path) continue;
    const Op opcode = operation.opcode;
    const Word result = module.result_of(view);
    follow_members(*path, module, types, [&](const TypeRow& structure, Word member, std::uint16_t) {
      const DecorationRow* offset = decorations.find(structure.id, member, Decoration::Offset);
      selected.push_back({opcode, result, structure.id, types.member_type(structure, member),
                          offset == nullptr ? std::nullopt : std::optional(decorations.operand_or(*offset, 0)),
                          std::string(names.of(structure.id, member))});
    });
  }
  return selected;
}

/// What is wrong with the result for one module; empty if nothing.
std::string fault_without_members(Words words, const std::vector<std::string>& environments,
                                  std::atomic<std::size_t>& removed) {
  Diagnostics diagnostics;
  const Result<WordBuffer> result = remove_unused_members(words, diagnostics);
  if (!result) {
    const bool is_decodable = Uses::read(Module::read(words)).undecoded().empty();
    return is_decodable ? "refused: " + diagnostics.all().front().message : std::string();
  }
  // A module can grow: an index may need a new constant.
  removed += words.size() > result->size() ? words.size() - result->size() : 0;
  const Result<WordBuffer> again = remove_unused_members(*result, diagnostics);
  if (!again || *again != *result) return "a second application changes the module";
  if (selected_members(words) != selected_members(*result)) return "a path selects another member";
  for (const std::string& name : environments) {
    ValidateOptions options;
    options.environment = find_environment(name).value();
    Diagnostics findings;
    if (!validate(*result, options, findings)) return "invalid in " + name + ": " + findings.all().front().message;
  }
  return {};
}

TEST(UnusedMembers, leave_real_modules_valid_and_their_paths_unchanged) {
  with_real_modules([](const UnpackedArchive& unpacked) {
    const std::vector<ManifestRow> rows = manifest_rows(*outside::shared_folder() / "modules" / "manifest.tsv");
    ASSERT_GE(rows.size(), 2370u);
    std::atomic<std::size_t> removed = 0;
    const std::vector<std::string> failures = failures_of(rows.size(), [&](std::size_t i) -> std::string {
      const ManifestRow& row = rows[i];
      if (!std::filesystem::exists(unpacked.path_of(row.path))) return {};  // in another archive
      const std::string fault =
          fault_without_members(words_of_bytes(bytes_of_file(unpacked.path_of(row.path))), row.environments, removed);
      return fault.empty() ? std::string() : row.path + ": " + fault;
    });
    for (const std::string& failure : failures) ADD_FAILURE() << failure;
    EXPECT_GT(removed, 0u);
  });
}

}  // namespace
}  // namespace vireo::system_test

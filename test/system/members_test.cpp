// SPDX-License-Identifier: Apache-2.0
//
// Removal of unused members from the real modules: each path selects the same place in memory as before. The result is
// valid and does not change again: transforms_test.cpp.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "outside.h"
#include "spirv/transform/clean/members.h"
#include "spirv/transform/clean/members_path.h"
#include "system/real_modules.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/types.h"
#include "vireo/spirv/module/uses.h"

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
std::string fault_without_members(Words words) {
  Diagnostics diagnostics;
  const Result<WordBuffer> result = remove_unused_members(words, diagnostics);
  if (!result) {
    const bool is_decodable = Uses::read(Module::read(words)).undecoded().empty();
    return is_decodable ? "refused: " + diagnostics.all().front().message : std::string();
  }
  if (selected_members(words) != selected_members(*result)) return "a path selects another member";
  return {};
}

TEST(UnusedMembers, leave_the_paths_of_real_modules_unchanged) {
  with_real_modules([](const UnpackedArchive& unpacked) {
    check_words_of(unpacked, [](const std::string&, Words words) { return fault_without_members(words); });
  });
}

}  // namespace
}  // namespace vireo::system_test

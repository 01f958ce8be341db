// SPDX-License-Identifier: Apache-2.0
//
// Random valid modules for transforms: equal declarations in decoration groups, and orders that no operand states.
//
// A module is written in one legal order, with random parts, and LegalShuffle chooses another one.
#pragma once

#include <fmt/format.h>

#include <algorithm>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "spirv/module/assembled.h"
#include "spirv/transform/legal_shuffle.h"

namespace vireo::spirv::test {

class OrderModule {
 public:
  explicit OrderModule(std::uint64_t seed) : random_(seed), seed_(seed) {}

  WordBuffer run() { return LegalShuffle(assembled(text()), seed_).run(); }

  /// Valid in SPIR-V 1.6.
  std::string text() {
    add_head();
    add_sizes();
    add_aliases();
    add_constants();
    add_structures();
    add_matrices();
    add_long_composites();
    add_function();
    std::string groups;
    for (const Group& group : groups_) {
      annotations_ += group.decorations + fmt::format("%{} = OpDecorationGroup\n", group.name);
      for (const std::string& targets : group.targets) groups += targets;
    }
    return head_ + modes_ + strings_ + aliases_ + annotations_ + groups + types_ + globals_ + code_;
  }

 private:
  struct Group {
    std::string name, decorations;
    std::vector<std::string> targets;
  };

  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }
  bool flip() { return below(2) == 0; }
  std::string pick(const std::vector<std::string>& from) {
    return from[below(static_cast<std::uint32_t>(from.size()))];
  }

  // Lists targets in one or two instructions, in any order. `members` are member numbers after each target.
  void add_group(const std::string& decorations, std::vector<std::string> targets, bool of_members) {
    if (targets.empty()) return;
    Group& group = groups_.emplace_back();
    group.name = fmt::format("group{}", groups_.size());
    group.decorations = fmt::format(fmt::runtime(decorations), group.name);
    std::shuffle(targets.begin(), targets.end(), random_);
    const std::size_t split = flip() ? targets.size() : below(static_cast<std::uint32_t>(targets.size()));
    std::string first, second;
    for (std::size_t i = 0; i < targets.size(); ++i) (i < split ? first : second) += ' ' + targets[i];
    for (const std::string& list : {first, second}) {
      if (list.empty()) continue;
      group.targets.push_back(
          fmt::format("{} %{}{}\n", of_members ? "OpGroupMemberDecorate" : "OpGroupDecorate", group.name, list));
    }
  }

  void add_head() {
    head_ = R"(OpCapability Shader
OpCapability VulkanMemoryModel
OpCapability CooperativeMatrixKHR
OpCapability PhysicalStorageBufferAddresses
OpCapability LongCompositesINTEL
OpCapability MemoryAccessAliasingINTEL
OpExtension "SPV_KHR_cooperative_matrix"
OpExtension "SPV_INTEL_long_composites"
OpExtension "SPV_INTEL_memory_access_aliasing"
OpMemoryModel PhysicalStorageBuffer64 Vulkan
OpEntryPoint GLCompute %main "main)" +
            std::to_string(seed_) + "\" %buffer0 %buffer1 %shared %private0 %private1 %private2\n";
    types_ = R"(%void = OpTypeVoid
%fn = OpTypeFunction %void
%u32 = OpTypeInt 32 0
%f32 = OpTypeFloat 32
%v3 = OpTypeVector %u32 3
)";
  }

  // A size by ids, by literals, or by a constant that overrides either.
  void add_sizes() {
    const bool by_ids = flip();
    modes_ = by_ids ? "OpExecutionModeId %main LocalSizeId %x %y %z\n" : "OpExecutionMode %main LocalSize 4 1 1\n";
    for (const char* name : {"x", "y", "z"}) {
      const bool is_special = below(3) == 0;
      globals_ += fmt::format("%{} = {} %u32 {}\n", name, is_special ? "OpSpecConstant" : "OpConstant", 1 + below(2));
      if (is_special) annotations_ += fmt::format("OpDecorate %{} SpecId {}\n", name, next_spec_id_++);
    }
    globals_ += "%double = OpSpecConstantOp %u32 IAdd %x %x\n";
    if (!flip()) return;
    globals_ += "%size = OpSpecConstantComposite %v3 %double %y %z\n";
    if (flip()) annotations_ += "OpDecorate %size BuiltIn WorkgroupSize\n";
    else add_group("OpDecorate %{} BuiltIn WorkgroupSize\n", {"%size"}, false);
  }

  void add_aliases() {
    const std::uint32_t domains = 1 + below(2), scopes = 1 + below(3), lists = 1 + below(3);
    for (std::uint32_t i = 0; i < domains; ++i) {
      strings_ += fmt::format("%name{} = OpString \"domain {}\"\n", i, i % 2);
      aliases_ += fmt::format("%domain{} = OpAliasDomainDeclINTEL", i) + (flip() ? fmt::format(" %name{}\n", i) : "\n");
    }
    for (std::uint32_t i = 0; i < scopes; ++i)
      aliases_ += fmt::format("%scope{} = OpAliasScopeDeclINTEL %domain{}\n", i, below(domains));
    for (std::uint32_t i = 0; i < lists; ++i) {
      aliases_ += fmt::format("%list{} = OpAliasScopeListDeclINTEL %scope{}\n", i, below(scopes));
      lists_.push_back(fmt::format("%list{}", i));
    }
  }

  // Some of them are equal, with equal or different decorations.
  void add_constants() {
    std::vector<std::string> in_group, in_other;
    for (std::uint32_t i = 0; i < 8; ++i) {
      const std::string name = fmt::format("%f{}", i);
      globals_ += fmt::format("{} = OpConstant %f32 {}\n", name, below(2));
      floats_.push_back(name);
      switch (below(4)) {
        case 0: in_group.push_back(name); break;
        case 1: in_other.push_back(name); break;
        case 2: annotations_ += fmt::format("OpDecorate {} RelaxedPrecision\n", name); break;
        default: break;
      }
    }
    add_group("OpDecorate %{} RelaxedPrecision\n", in_group, false);
    add_group("OpDecorate %{} RelaxedPrecision\n", in_other, false);
    for (std::uint32_t i = 0; i < 3; ++i) globals_ += fmt::format("%i{} = OpConstant %u32 {}\n", i, below(2));
  }

  void add_structures() {
    std::vector<std::string> blocks, zeros, fours;
    for (std::uint32_t i = 0; i < 2; ++i) {
      globals_ += fmt::format("%block{0} = OpTypeStruct %u32 %f32\n%p{0} = OpTypePointer StorageBuffer %block{0}\n", i);
      globals_ += fmt::format("%buffer{0} = OpVariable %p{0} StorageBuffer\n", i);
      annotations_ += fmt::format("OpDecorate %buffer{0} DescriptorSet 0\nOpDecorate %buffer{0} Binding {0}\n", i);
      blocks.push_back(fmt::format("%block{}", i));
      zeros.push_back(fmt::format("%block{} 0", i));
      fours.push_back(fmt::format("%block{} 1", i));
    }
    add_group("OpDecorate %{} Block\n", blocks, false);
    add_group("OpDecorate %{} Offset 0\n", zeros, true);
    add_group("OpDecorate %{} Offset 4\n", fours, true);
    add_group("OpDecorate %{} RelaxedPrecision\n", add_private_structures(), true);
    // A list in memory.
    globals_ += R"(OpTypeForwardPointer %next PhysicalStorageBuffer
%node = OpTypeStruct %u32 %next
%next = OpTypePointer PhysicalStorageBuffer %node
%pf = OpTypePointer StorageBuffer %f32
%pu = OpTypePointer StorageBuffer %u32
%ps = OpTypePointer Workgroup %u32
%shared = OpVariable %ps Workgroup
)";
    annotations_ += "OpMemberDecorate %node 0 Offset 0\nOpMemberDecorate %node 1 Offset 8\nOpDecorate %node Block\n";
  }

  // Members that nothing uses. Without them more structures are equal. Returns members.
  std::vector<std::string> add_private_structures() {
    std::vector<std::string> members;
    for (std::uint32_t i = 0; i < 3; ++i) {
      globals_ += fmt::format("%private_struct{} = OpTypeStruct %f32{} %f32 %u32\n", i, flip() ? " %u32" : "");
      globals_ += fmt::format("%pp{0} = OpTypePointer Private %private_struct{0}\n", i);
      globals_ += fmt::format("%private{0} = OpVariable %pp{0} Private\n", i);
      for (std::uint32_t member = 0; member < 3; ++member) {
        if (flip()) members.push_back(fmt::format("%private_struct{} {}", i, member));
      }
      code_ += fmt::format("%in_private{0} = OpAccessChain %pf_private %private{0} %zero\n", i);
      code_ += fmt::format("OpStore %in_private{0} %f0\n%from_private{0} = OpLoad %f32 %in_private{0}\n", i);
    }
    globals_ += "%pf_private = OpTypePointer Private %f32\n";
    return members;
  }

  // Of scope Workgroup or Subgroup; some by a constant that is computed or can be specialized.
  void add_matrices() {
    globals_ +=
        "%zero = OpConstant %u32 0\n%sixteen = OpConstant %u32 16\n%workgroup = OpConstant %u32 2\n"
        "%subgroup = OpConstant %u32 3\n%scope = OpSpecConstant %u32 2\n"
        "%computed = OpSpecConstantOp %u32 IAdd %workgroup %zero\n";
    annotations_ += fmt::format("OpDecorate %scope SpecId {}\n", next_spec_id_++);
    const std::uint32_t count = below(5);
    const std::vector<std::string> scopes = {"%workgroup", "%workgroup", "%subgroup", "%scope", "%computed"};
    for (std::uint32_t i = 0; i < count; ++i) {
      // Types other than aggregates are declared once.
      globals_ += fmt::format("%dim{} = OpConstant %u32 {}\n", i, 17 + i);
      globals_ +=
          fmt::format("%matrix{0} = OpTypeCooperativeMatrixKHR %f32 {1} %dim{0} %sixteen %zero\n", i, pick(scopes));
      if (flip()) globals_ += fmt::format("%m{0} = OpConstantNull %matrix{0}\n", i);
    }
  }

  // Only in some modules, because the reference rejects all types in a continuation.
  void add_long_composites() {
    if (below(3) != 0) return;
    for (std::uint32_t i = 0; i < 2; ++i) {
      globals_ += fmt::format("%long{0} = OpTypeStruct %u32\nOpTypeStructContinuedINTEL %f32 {1}\n", i,
                              flip() ? "%u32" : "%f32");
    }
  }

  void add_function() {
    code_ =
        "%callee = OpFunction %void None %fn\n%in_callee = OpLabel\nOpReturn\nOpFunctionEnd\n"
        "%main = OpFunction %void None %fn\n%entry = OpLabel\n" +
        code_;
    std::vector<std::string> sums;
    for (std::uint32_t i = 0; i < 4; ++i) {
      code_ += fmt::format("%sum{} = OpFAdd %f32 {} {}\n", i, pick(floats_), pick(floats_));
      if (flip()) sums.push_back(fmt::format("%sum{}", i));
    }
    add_group("OpDecorate %{} NoContraction\n", sums, false);
    code_ +=
        fmt::format("%where0 = OpAccessChain %pf %buffer0 %one\nOpStore %where0 %sum{} Aligned|NoAliasINTELMask 4 {}\n",
                    below(4), pick(lists_));
    code_ +=
        fmt::format("%where1 = OpAccessChain %pu %buffer1 %zero\n%old = OpLoad %u32 %where1 AliasScopeINTELMask {}\n",
                    pick(lists_));
    code_ += "OpStore %shared %old\n";
    globals_ += "%one = OpConstant %u32 1\n";
    code_ += "%call = OpFunctionCall %void %callee\n";
    annotations_ += fmt::format("OpDecorateId %call AliasScopeINTEL {}\n", pick(lists_));
    if (flip()) annotations_ += fmt::format("OpDecorateId %call NoAliasINTEL {}\n", pick(lists_));
    if (flip()) annotations_ += "OpDecorateId %old UniformId %subgroup\n";
    code_ += fmt::format(
        "OpSelectionMerge %end None\nOpBranchConditional %yes %then %end\n%then = OpLabel\n"
        "OpBranch %end\n%end = OpLabel\n%phi = OpPhi %f32 {} %entry {} %then\n",
        pick(floats_), pick(floats_));
    globals_ += fmt::format("%bool = OpTypeBool\n%yes = {} %bool\n", flip() ? "OpConstantTrue" : "OpConstantFalse");
    add_group("OpDecorate %{} RelaxedPrecision\n",
              flip() ? std::vector<std::string>{"%phi", "%sum0"} : std::vector<std::string>{"%phi"}, false);
    code_ +=
        "OpStore %where0 %phi\nOpStore %where0 %from_private0\nOpStore %where0 "
        "%from_private1\nOpReturn\nOpFunctionEnd\n";
  }

  std::mt19937_64 random_;
  std::uint64_t seed_;
  std::uint32_t next_spec_id_ = 0;
  std::vector<Group> groups_;
  std::vector<std::string> lists_, floats_;
  std::string head_, modes_, strings_, aliases_, annotations_, types_, globals_, code_;
};

}  // namespace vireo::spirv::test

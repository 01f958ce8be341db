// SPDX-License-Identifier: Apache-2.0
//
// Table-driven tests of decorations: each decoration on each kind of target.
//
// A target is a few lines, and the list of its kinds. So the row of a decoration determines whether the
// two are compatible, and for Vulkan its storage classes do. The findings are compared with this prediction, rule by
// rule.
//
// Source: specification 3.20 (decorations), 3.42.3 (annotation instructions), as in the rows of decoration_rows.h.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "spirv/validate/tables/decoration_rows.h"
#include "spirv/validate/tables/test_shaders.h"
#include "vireo/spirv/binary/instruction.h"

namespace vireo::spirv {
namespace {

using test::RuleNames;
using test::TestShader;
using Storage = StorageClass;
using enum DecorationTarget;

// --- targets ------------------------------------------------------------------------------------------------------------

struct Target {
  std::string_view name;
  std::string_view declarations, body;  ///< one of them declares %target
  std::set<DecorationTarget> is;        ///< its kinds
  std::optional<Storage> storage;       ///< of a pointer
  bool is_constant = false, is_member = false, is_variable = false;
  bool is_resource = false;           ///< with a descriptor set and a binding
  std::string_view annotations = {};  ///< for its block
};

constexpr std::string_view block = "%block = OpTypeStruct %u32\n";
constexpr std::string_view of_block = "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n";
constexpr std::string_view set = "OpDecorate %target DescriptorSet 0\n", binding = "OpDecorate %target Binding 0\n";

std::vector<Target> targets() {
  std::vector<Target> all{
      {"scalar specialization constant",
       "%target = OpSpecConstant %u32 7\n",
       "",
       {SpecConstant, BuiltInHolder, Object, NoType},
       {},
       true},
      {"boolean specialization constant",
       "%target = OpSpecConstantTrue %bool\n",
       "",
       {SpecConstant, BuiltInHolder, Object, NoType},
       {},
       true},
      {"composite specialization constant",
       "%v2 = OpTypeVector %u32 2\n%target = OpSpecConstantComposite %v2 %u1 %u1\n",
       "",
       {BuiltInHolder, Object, NoType},
       {},
       true},
      {"specialization operation",
       "%target = OpSpecConstantOp %u32 IAdd %u1 %u1\n",
       "",
       {BuiltInHolder, Object, NoType, WrappingInt},
       {},
       true},
      {"constant", "%target = OpConstant %u32 7\n", "", {BuiltInHolder, Object, NoType}, {}, true},
      {"structure", "%target = OpTypeStruct %u32\n", "", {Struct, VariableOrType}, {}},
      {"member", "%target = OpTypeStruct %u32\n", "", {}, {}, false, true},
      {"array", "%target = OpTypeArray %u32 %u4\n", "", {ArrayOrPointer, VariableOrType}, {}},
      {"array without end", "%target = OpTypeRuntimeArray %u32\n", "", {ArrayOrPointer, VariableOrType}, {}},
      {"array of bytes",
       "%u8 = OpTypeInt 8 0\n%target = OpTypeArray %u8 %u4\n",
       "",
       {ByteArray, ArrayOrPointer, VariableOrType},
       {}},
      {"pointer", "%target = OpTypePointer Private %u32\n", "", {ArrayOrPointer, VariableOrType}, {}},
      {"scalar type", "%target = OpTypeFloat 16\n", "", {VariableOrType}, {}},
      {"vector type", "%target = OpTypeVector %u32 2\n", "", {VariableOrType}, {}},
      {"pointer parameter",
       "%p = OpTypePointer Function %u32\n%with = OpTypeFunction %void %p\n%f = OpFunction %void None %with\n"
       "%target = OpFunctionParameter %p\n%in_f = OpLabel\nOpReturn\nOpFunctionEnd\n",
       "",
       {MemoryObject, Object, NoType, Parameter, PointerParameter, Pointer},
       Storage::Function},
      {"other parameter",
       "%with = OpTypeFunction %void %u32\n%f = OpFunction %void None %with\n"
       "%target = OpFunctionParameter %u32\n%in_f = OpLabel\nOpReturn\nOpFunctionEnd\n",
       "",
       {Object, NoType, Parameter},
       {}},
      {"function",
       "%target = OpFunction %void None %fn\n%in_f = OpLabel\nOpReturn\nOpFunctionEnd\n",
       "",
       {NoType, DecorationTarget::Function},
       {}},
      {"label", "", "OpBranch %target\n%target = OpLabel\n", {NoType}, {}},
      {"division", "", "%target = OpUDiv %u32 %u1 %u1\n", {Object, NoType}, {}},
      {"addition of floats", "", "%target = OpFAdd %f32 %f1 %f1\n", {Object, NoType}, {}},
      {"conversion", "", "%target = OpConvertUToF %f32 %u1\n", {Object, NoType}, {}},
  };
  constexpr std::string_view wrapping[] = {"OpIAdd %u32 %u1 %u1", "OpISub %u32 %u1 %u1", "OpIMul %u32 %u1 %u1",
                                           "OpShiftLeftLogical %u32 %u1 %u1", "OpSNegate %u32 %u1"};
  static std::vector<std::string> texts;  // owns texts that targets refer to
  texts.clear();
  texts.reserve(64);
  for (const std::string_view operation : wrapping) {
    texts.push_back("%target = " + std::string(operation) + "\n");
    all.push_back({operation, "", texts.back(), {WrappingInt, Object, NoType}, {}});
  }
  struct OfStorage {
    Storage storage;
    std::string_view name, type, before, annotations = {};
    bool is_resource = false;
  };
  const OfStorage storages[] = {
      {Storage::Private, "Private", "%u32", "", ""},
      {Storage::Workgroup, "Workgroup", "%u32", "", ""},
      {Storage::Input, "Input", "%f32", "", ""},
      {Storage::Output, "Output", "%f32", "", ""},
      {Storage::Uniform, "Uniform", "%block", block, of_block, true},
      {Storage::StorageBuffer, "StorageBuffer", "%block", block, of_block, true},
      {Storage::PushConstant, "PushConstant", "%block", block, of_block},
      {Storage::UniformConstant, "UniformConstant", "%sampler", "%sampler = OpTypeSampler\n", "", true},
  };
  for (const OfStorage& it : storages) {
    texts.push_back(std::string(it.before) + "%p = OpTypePointer " + std::string(it.name) + " " + std::string(it.type) +
                    "\n%target = OpVariable %p " + std::string(it.name) + "\n");
    all.push_back({it.name,
                   texts.back(),
                   "",
                   {Variable, MemoryObject, BuiltInHolder, Object, NoType, ModuleVariable, Pointer, VariableOrType},
                   it.storage});
    all.back().is_variable = true;
    all.back().annotations = it.annotations;
    all.back().is_resource = it.is_resource;
  }
  return all;
}

// --- the independent interpreter -------------------------------------------------------------------------------------

// Rules for a decoration that are not in its row: from the chapters on decorated values, and others.
struct Further {
  Decoration decoration;
  std::string_view rule;
  bool (*holds)(const Target&, bool is_vulkan);
  std::string_view why;
};
bool is_on_any(const Target& target, bool) { return !target.is_member; }
bool is_anywhere(const Target&, bool) { return true; }
const Further further[] = {
    {Decoration::BindlessSamplerNV, "missing-addressing-mode", is_anywhere, "its capability needs an instruction"},
    {Decoration::BindlessImageNV, "missing-addressing-mode", is_anywhere, "the same"},
    {Decoration::BoundSamplerNV, "missing-addressing-mode", is_anywhere, "the same"},
    {Decoration::BoundImageNV, "missing-addressing-mode", is_anywhere, "the same"},
    {Decoration::ArrayStrideIdEXT, "stride-id-target", is_on_any, "only for arrays of descriptors"},
    {Decoration::OffsetIdEXT, "offset-id-target", is_on_any, "only for members"},
    {Decoration::Invariant, "invariant-storage",
     [](const Target& target, bool is_vulkan) {
       return is_vulkan && target.is_variable && *target.storage != Storage::Input &&
              *target.storage != Storage::Output;
     },
     "only outputs and inputs vary"},
    {Decoration::FPRoundingMode, "rounding-target", is_on_any, "none of these targets narrows a float"},
    {Decoration::NonWritable, "access-decoration",
     [](const Target& target, bool) {
       const std::set<Storage> fine{Storage::Uniform, Storage::StorageBuffer, Storage::Private};
       return target.storage && !fine.contains(*target.storage);
     },
     "there is nothing to write, or no other invocation writes it"},
    {Decoration::NonReadable, "access-decoration",
     [](const Target& target, bool) {
       return target.storage && *target.storage != Storage::Uniform && *target.storage != Storage::StorageBuffer;
     },
     "there is no other data to read"},
    {Decoration::Component, "component-storage",
     [](const Target& target, bool is_vulkan) {
       return !is_vulkan && target.is_variable && *target.storage != Storage::Input &&
              *target.storage != Storage::Output;
     },
     "only stage inputs and outputs have components; in Vulkan its row covers them"},
};

bool contains(std::span<const Decoration> list, Decoration decoration) {
  return std::find(list.begin(), list.end(), decoration) != list.end();
}

const DecorationTargetRow* row_of(Decoration decoration) {
  for (const DecorationTargetRow& row : decoration_target_rows()) {
    if (row.decoration == decoration) return &row;
  }
  return nullptr;
}

// The name of the rule that a storage class violates; empty if it violates none.
std::string_view storage_fault(Decoration decoration, const Target& target) {
  for (const DecorationStorageRow& row : decoration_storage_rows()) {
    if (row.decoration != decoration) continue;
    if (!target.storage) return decoration == Decoration::PerVertexKHR ? "per-vertex-storage" : "";
    if (std::find(row.classes.begin(), row.classes.end(), *target.storage) != row.classes.end()) return "";
    switch (decoration) {
      case Decoration::Location:
      case Decoration::Component: return "location-storage";
      case Decoration::Index: return "index-storage";
      case Decoration::Binding:
      case Decoration::DescriptorSet: return "binding-storage";
      case Decoration::InputAttachmentIndex: return "input-attachment-storage";
      case Decoration::PerVertexKHR: return "per-vertex-storage";
      default: return "interpolation-storage";
    }
  }
  return "";
}

// The rows for all environments. They do not depend on other rows.
bool breaks_universal_row(Decoration decoration, const Target& target) {
  const auto rows = universal_storage_rows();
  const auto row = std::ranges::find(rows, decoration, &DecorationStorageRow::decoration);
  return row != rows.end() && target.storage &&
         std::find(row->classes.begin(), row->classes.end(), *target.storage) == row->classes.end();
}

RuleNames rules_broken_by(Decoration decoration, const Target& target, bool is_vulkan, bool is_in_group = false) {
  RuleNames broken;
  for (const Further& rule : further) {
    if (rule.decoration == decoration && rule.holds(target, is_vulkan)) broken.emplace_back(rule.rule);
  }
  // The target of a forbidden decoration is not checked.
  if (is_vulkan && (decoration == Decoration::GLSLShared || decoration == Decoration::GLSLPacked))
    return {"vulkan-decoration"};
  const DecorationTargetRow* row = row_of(decoration);
  const auto add = [&](std::string_view rule) {
    if (!rule.empty()) broken.emplace_back(rule);
  };
  if (target.is_member) {
    const bool is_never =
        row != nullptr ? row->members == DecoratesMembers::Never : contains(decorations_never_of_members(), decoration);
    if (is_never) add("decoration-of-member");
  } else if (row != nullptr && (row->members == DecoratesMembers::Only || !target.is.contains(row->target))) {
    const bool is_checked = !is_in_group || row->is_checked_in_groups;
    const bool is_of_members = row->members == DecoratesMembers::Only;
    if (is_checked) add(is_of_members ? "decoration-of-members-only" : "decoration-target");
  } else {
    if (decoration == Decoration::BuiltIn && target.is_constant) add("built-in-constant");
    if (breaks_universal_row(decoration, target)) add("decoration-storage");
    if (is_vulkan) add(storage_fault(decoration, target));
  }
  std::sort(broken.begin(), broken.end());
  return broken;
}

// --- modules ------------------------------------------------------------------------------------------------------------

// A decoration with its required operands.
struct Subject {
  Decoration decoration;
  std::string text;
  bool takes_ids = false;
  Version version{1, 6};       ///< the newest version that has it
  bool is_of_kernels = false;  ///< only Kernel enables it
};

// Whether Vulkan has rules for a decoration. Built-ins have further rules: built_in_rows_test.cpp.
bool is_named_for_vulkan(Decoration decoration) {
  const auto rows = decoration_storage_rows();
  // Most decorations of vendors need capabilities that Vulkan does not allow.
  const DecorationTargetRow* row = row_of(decoration);
  const auto universal = universal_storage_rows();
  const bool is_of_vendor =
      (row != nullptr && row->target >= Float8Conversion) || decoration == Decoration::TrackFinishWritingAMDX ||
      decoration == Decoration::PayloadDispatchIndirectAMDX ||
      std::ranges::find(universal, decoration, &DecorationStorageRow::decoration) != universal.end();
  return !is_of_vendor && decoration != Decoration::BuiltIn &&
         (row_of(decoration) != nullptr ||
          std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row.decoration == decoration; }));
}

RuleNames rules_broken_together(const Subject& first, const Subject& second, const Target& target) {
  RuleNames broken = rules_broken_by(first.decoration, target, false);
  for (const std::string& rule : rules_broken_by(second.decoration, target, false)) {
    const bool is_of_module = rule == "missing-addressing-mode" && !broken.empty() && broken.front() == rule;
    if (!is_of_module) broken.push_back(rule);
  }
  for (const DecorationPair& pair : exclusive_decorations()) {
    if ((pair.first == first.decoration && pair.second == second.decoration) ||
        (pair.second == first.decoration && pair.first == second.decoration))
      broken.emplace_back("exclusive-decorations");
  }
  // Ids may have equal or different values, so repetition is permitted, except for some decorations.
  const bool may_differ = first.takes_ids && !contains(unique_id_decorations(), first.decoration);
  const bool is_same = &first == &second && !may_differ;
  if (is_same && !contains(repeatable_decorations(), first.decoration)) broken.emplace_back("decoration-twice");
  return broken;
}

class DecorationRowsTest : public testing::Test {
 protected:
  DecorationRowsTest() : g_(builtin_grammar()), targets_(targets()) {
    for (const EnumerantRow& row : g_.enumerants_of(g_.kind(g_.find_kind("Decoration"))))
      subjects_.push_back(read(row));
  }

  [[nodiscard]] Subject read(const EnumerantRow& row) const {
    Subject subject{static_cast<Decoration>(row.value), std::string(g_.text(row.name))};
    for (const OperandRow& operand : g_.operands(row.parameters)) {
      if (operand.quantifier != Quantifier::One) continue;
      switch (operand.shape) {
        case OperandShape::IdRef:
        case OperandShape::IdScope: subject.text += " %u3", subject.takes_ids = true; break;
        case OperandShape::LiteralString: subject.text += " \"x\""; break;
        case OperandShape::ValueEnum:
        case OperandShape::BitEnum:
          subject.text.append(" ").append(g_.text(g_.enumerants_of(g_.kind(operand.kind)).front().name));
          break;
        default: subject.text += " 0";
      }
    }
    if (!row.last.is_none()) subject.version = row.last;
    const auto capabilities = g_.capabilities(row.capabilities);
    subject.is_of_kernels = capabilities.size() == 1 && g_.text(g_.enumerants[capabilities[0]].name) == "Kernel";
    return subject;
  }

  [[nodiscard]] static std::string line(const Subject& subject, const Target& target) {
    std::string text = "Op";
    if (target.is_member) text += "Member";
    text += subject.takes_ids ? "DecorateId %target " : "Decorate %target ";
    if (target.is_member) text += "0 ";
    return text + subject.text + "\n";
  }

  // The module of some decorations on one target, with the target's other decorations.
  [[nodiscard]] static TestShader shader_of(const std::vector<const Subject*>& subjects, const Target& target) {
    TestShader shader;
    const auto has = [&](Decoration decoration) {
      return std::any_of(subjects.begin(), subjects.end(),
                         [&](const auto* it) { return it->decoration == decoration; });
    };
    for (const Subject* subject : subjects) {
      shader.annotations += line(*subject, target);
      shader.version = std::min(shader.version, subject->version);
    }
    if (target.is_resource && !has(Decoration::DescriptorSet)) shader.annotations += set;
    if (target.is_resource && !has(Decoration::Binding)) shader.annotations += binding;
    shader.annotations += target.annotations;
    shader.declarations = target.declarations;
    shader.body = target.body;
    return shader;
  }

  // The module of a decoration that a group applies to a target.
  [[nodiscard]] static TestShader group_shader_of(const Subject& subject, const Target& target) {
    TestShader shader = shader_of({&subject}, target);
    const std::string direct = line(subject, target);
    const std::string group =
        "OpDecorate %group " + subject.text + "\n%group = OpDecorationGroup\n" +
        (target.is_member ? "OpGroupMemberDecorate %group %target 0\n" : "OpGroupDecorate %group %target\n");
    shader.annotations.replace(shader.annotations.find(direct), direct.size(), group);
    return shader;
  }

  void check(const TestShader& shader, std::string_view environment, RuleNames expected) {
    check_words(test::words_of(shader), shader, environment, std::move(expected));
  }

  void check_words(Words words, const TestShader& shader, std::string_view environment, RuleNames expected) {
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(test::rules_reported_for(words, environment), expected)
        << shader.annotations << shader.declarations << shader.body << environment;
    ++made_;
    sound_ += expected.empty();
  }

  const Grammar& g_;
  const std::vector<Target> targets_;
  std::vector<Subject> subjects_;
  std::size_t made_ = 0, sound_ = 0;
};

TEST_F(DecorationRowsTest, decorations_are_accepted_on_the_targets_of_their_rows) {
  for (const Subject& subject : subjects_) {
    for (const Target& target : targets_) {
      if (target.is_member && subject.takes_ids) continue;  // there is no such instruction
      check(shader_of({&subject}, target), "spv1.6", rules_broken_by(subject.decoration, target, false));
      if (subject.is_of_kernels || !is_named_for_vulkan(subject.decoration)) continue;
      check(shader_of({&subject}, target), "vulkan1.4", rules_broken_by(subject.decoration, target, true));
    }
  }
  RecordProperty("modules", static_cast<int>(made_));
  EXPECT_GE(made_, 5'000u);
  EXPECT_GE(sound_, 1'000u);
}

TEST_F(DecorationRowsTest, groups_follow_the_same_rows) {
  for (const Subject& subject : subjects_) {
    if (subject.takes_ids) continue;  // OpDecorateId cannot decorate a group
    for (const Target& target : targets_) {
      const TestShader shader = group_shader_of(subject, target);
      check(shader, "spv1.6", rules_broken_by(subject.decoration, target, false, true));
      if (subject.is_of_kernels || !is_named_for_vulkan(subject.decoration)) continue;
      check(shader, "vulkan1.4", rules_broken_by(subject.decoration, target, true, true));
    }
  }
  RecordProperty("modules", static_cast<int>(made_));
  EXPECT_GE(made_, 4'000u);
  EXPECT_GE(sound_, 1'000u);
}

TEST(DecorationRows, do_not_repeat_separate_rules) {
  const std::vector<Target> all = targets();
  for (const Further& rule : further) {
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const Target& target) {
      return std::ranges::any_of(std::array{false, true}, [&](bool is_vulkan) {
        const RuleNames broken = rules_broken_by(rule.decoration, target, is_vulkan);
        return std::count(broken.begin(), broken.end(), rule.rule) == 1 && rule.holds(target, is_vulkan);
      });
    })) << rule.rule;
  }
}

// OpDecorateId rejects literal decorations, and OpDecorate those that take ids.
TEST_F(DecorationRowsTest, ids_need_OpDecorateId_and_literals_OpDecorate) {
  const auto target =
      std::find_if(targets_.begin(), targets_.end(), [](const Target& each) { return each.storage == Storage::Input; });
  for (const Subject& subject : subjects_) {
    // Both instructions accept its condition (SPV_INTEL_function_variants).
    const bool is_free = subject.decoration == Decoration::ConditionalINTEL;
    const TestShader shader = shader_of({&subject}, *target);
    WordBuffer words = test::words_of(shader);
    const Op found = subject.takes_ids ? Op::OpDecorateId : Op::OpDecorate;
    const Op other = subject.takes_ids ? Op::OpDecorate : Op::OpDecorateId;
    for (const InstructionView view : Instructions(words)) {
      if (view.opcode != found || static_cast<Decoration>(view.word(2)) != subject.decoration) continue;
      words[static_cast<std::size_t>(view.first - words.data())] ^= static_cast<Word>(found) ^ static_cast<Word>(other);
    }
    RuleNames expected = rules_broken_by(subject.decoration, *target, false);
    // Ids in the wrong instruction are not checked further.
    std::erase_if(expected, [](const std::string& rule) { return rule.ends_with("-id-target"); });
    if (!is_free) expected.emplace_back("decoration-form");
    check_words(words, shader, "spv1.6", expected);
  }
  EXPECT_GE(made_, 100u);
}

// Each decoration twice on one target, and each pair. The rules that the target violates are reported for both.
TEST_F(DecorationRowsTest, pairs_are_accepted_as_in_their_rows) {
  for (const Target& target : targets_) {
    if (!target.is_member && target.storage != Storage::Input)
      continue;  // sufficient, because most decorations accept one of these
    for (auto first = subjects_.begin(); first != subjects_.end(); ++first) {
      for (auto second = first; second != subjects_.end(); ++second) {
        if (target.is_member && (first->takes_ids || second->takes_ids)) continue;
        if (first->version != second->version)
          continue;  // the requirements of one are missing in the version of the other
        check(shader_of({&*first, &*second}, target), "spv1.6", rules_broken_together(*first, *second, target));
      }
    }
  }
  RecordProperty("modules", static_cast<int>(made_));
  EXPECT_GE(made_, 10'000u);
  EXPECT_GE(sound_, 1'000u);
}

}  // namespace
}  // namespace vireo::spirv

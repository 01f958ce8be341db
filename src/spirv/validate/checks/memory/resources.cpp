// SPDX-License-Identifier: Apache-2.0
//
// Resources: the decorations that bind variables to memory or descriptors of the API.
//
// A row per storage class states the requirements on its variables: a descriptor set and a binding, or a
// block. All variables are checked, including unused ones.
//
// Source: Vulkan, "Shader Resource Interface"; SPV_KHR_untyped_pointers; SPV_EXT_descriptor_heap; for OpenGL
// ARB_gl_spirv.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "spirv/validate/analysis/decoration_places.h"
#include "spirv/validate/analysis/fixes.h"
#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/analysis/variable_uses.h"
#include "spirv/validate/checks/checks.h"

namespace vireo::spirv {
namespace {

// AnyBlock: Block, or the older BufferBlock.
enum class BlockNeed : std::uint8_t { None, Block, AnyBlock };

struct ResourceRow {
  StorageClass storage;
  bool needs_descriptor;  ///< DescriptorSet and Binding
  BlockNeed block;
};
// A pipeline has one block of push constants, outside all descriptor sets. Variables in UniformConstant contain
// handles, not structures, so they need no block.
constexpr ResourceRow resource_rows[] = {
    {StorageClass::UniformConstant, true, BlockNeed::None},
    {StorageClass::Uniform, true, BlockNeed::AnyBlock},
    {StorageClass::StorageBuffer, true, BlockNeed::Block},
    {StorageClass::PushConstant, false, BlockNeed::Block},
};

class ResourceCheck {
 public:
  explicit ResourceCheck(const ModuleCheck& c) : c_(c) {}

  void run() {
    for (const Word id : module_variables(c_)) {
      const VariableInfo variable = variable_info(c_, id);
      if (variable.id != 0 && c_.soundness.is_sound(id)) check_variable(variable);
    }
    check_storage_kinds();
  }

 private:
  // The checks after the is_vulkan() test apply only to Vulkan. The checks before it apply to OpenGL or to all
  // environments.
  void check_variable(const VariableInfo& variable) {
    note_storage_kind(variable);
    if (variable.storage == StorageClass::Workgroup && variable.is_untyped) check_workgroup(variable);
    if (c_.environment.client == Client::OpenGL) check_opengl(variable);
    if (!c_.is_vulkan()) return;
    if (variable.storage == StorageClass::TileImageEXT && !has(variable, Decoration::Location)) {
      report_missing(c_, {missing_decoration(Decoration::Location, variable.id)}, Rule::TileImageLocation,
                     {variable.declaration, 0}, {variable.id, "no location"});
    }
    const auto* row = std::find_if(std::begin(resource_rows), std::end(resource_rows),
                                   [&](const ResourceRow& each) { return each.storage == variable.storage; });
    if (row == std::end(resource_rows)) return;
    if (row->needs_descriptor) check_descriptor(variable);
    if (row->block != BlockNeed::None) check_block(variable, row->block);
  }

  [[nodiscard]] bool has(const VariableInfo& variable, Decoration decoration) const {
    return c_.decorations.has(variable.id, decoration);
  }
  [[nodiscard]] std::string storage_text(const VariableInfo& variable) const {
    return enumerant_text(c_, variable.storage);
  }

  void check_descriptor(const VariableInfo& variable) {
    if (!c_.soundness.is_sound(variable.id)) return;
    if (is_heap(c_, variable.id)) return;  // a heap contains descriptors but is not one
    const bool has_set = has(variable, Decoration::DescriptorSet), has_binding = has(variable, Decoration::Binding);
    if (has_set && has_binding) return;
    const Decoration missing = has_set ? Decoration::Binding : Decoration::DescriptorSet;
    if (c_.findings.join_counterpart({Report::DecorationFault::Missing, missing, variable.id},
                                     Rule::DescriptorMissing)) {
      c_.note({variable.declaration, 0}, "{text} variable {id} has no {enumerant}",
              {storage_text(variable), variable.id, missing});
      return;
    }
    c_.report(Rule::DescriptorMissing, {variable.declaration, 0},
              {storage_text(variable), variable.id,
               has_set       ? "Binding"
               : has_binding ? "DescriptorSet"
                             : "DescriptorSet and no Binding"});
  }

  void check_block(const VariableInfo& variable, BlockNeed need) {
    if (variable.holds == nullptr) return;
    const TypeRow& type = variable.holds->innermost();
    // Another check reports a type that is not a structure (variables.cpp).
    if (!type.is(TypeKind::Struct) || c_.decorations.has(type.id, Decoration::Block)) return;
    // Another check reports a structure with a runtime array that is not a block (type_declarations.cpp).
    const Words members = c_.types.members(type);
    if (!members.empty() && c_.types.of(members.back()).is(TypeKind::RuntimeArray) && !is_block(c_, type.id)) return;
    const bool is_buffer_block = c_.decorations.has(type.id, Decoration::BufferBlock);
    const Rule rule = need == BlockNeed::AnyBlock ? Rule::UniformBlockMissing : Rule::BlockMissing;
    if (!is_buffer_block &&
        c_.findings.join_counterpart({Report::DecorationFault::Missing, Decoration::Block, type.id}, rule)) {
      c_.note({variable.declaration, 0}, "structure {id} of {text} variable {id} has no Block decoration",
              {type.id, storage_text(variable), variable.id});
      return;
    }
    if (need == BlockNeed::AnyBlock) {
      if (is_buffer_block) return;
      c_.report(Rule::UniformBlockMissing, {variable.declaration, 0}, {type.id, variable.id});
      note_target(c_, type.id);
      // BufferBlock is the older form of a storage buffer, which newer modules place in StorageBuffer.
      hint_decoration(c_, Decoration::Block, type.id);
      return;
    }
    const std::string id = id_text(c_, type.id);
    c_.report(Rule::BlockMissing, {variable.declaration, 0},
              {id, storage_text(variable), variable.id, is_buffer_block ? "BufferBlock" : "no Block decoration"});
    note_target(c_, type.id);
    if (!is_buffer_block) return hint_decoration(c_, Decoration::Block, type.id);
    c_.hint("replace BufferBlock on {text} by Block", {id});
    const DecorationRow* row = c_.decorations.find(type.id, Decoration::BufferBlock);
    if (row != nullptr && row->group_use.is_none()) {
      fix_word(c_, decoration_place(*row), static_cast<Word>(Decoration::Block));
    }
  }

  // OpenGL has bindings but no sets, and requires them only for blocks.
  void check_opengl(const VariableInfo& variable) {
    if (variable.storage != StorageClass::Uniform && variable.storage != StorageClass::StorageBuffer) return;
    if (variable.holds == nullptr || has(variable, Decoration::Binding)) return;
    const TypeRow& type = variable.holds->innermost();
    if (!is_block(c_, type.id)) return;
    report_missing(c_, {missing_decoration(Decoration::Binding, variable.id)}, Rule::BindingMissing,
                   {variable.declaration, 0}, {storage_text(variable), variable.id});
  }

  // The contents of an untyped Workgroup variable need the Block decoration. Before SPIR-V 1.4, entry points do not
  // list Workgroup variables in their interfaces, and only Vulkan has the rule.
  void check_workgroup(const VariableInfo& variable) {
    if (!c_.is_shader() || variable.holds == nullptr) return;
    if (!c_.is_vulkan() && c_.version() < Version{1, 4}) return;
    if (c_.decorations.has(variable.holds->id, Decoration::Block)) return;
    const Place place = place_of(c_, variable.declaration, OperandName::data_type);
    const std::string cause = layout_cause(variable.holds->id, variable.storage);
    if (c_.findings.join(Rule::LayoutProhibited, std::to_string(variable.id), cause, Rule::UntypedWorkgroup)) {
      c_.note(place, Rule::UntypedWorkgroup, {variable.id, variable.holds->id});
      return;
    }
    const bool is_reported = report_missing(c_, {missing_decoration(Decoration::Block, variable.holds->id)},
                                            Rule::UntypedWorkgroup, place, {variable.id, variable.holds->id});
    if (is_reported && variable.holds->is(TypeKind::Struct)) {
      hint_decoration(c_, Decoration::Block, variable.holds->id);
    }
  }

  // Before the storage class StorageBuffer, storage buffers were in Uniform with BufferBlock. Both represent the same
  // memory, and a module must use only one of them (specification 2.16.1).
  void note_storage_kind(const VariableInfo& variable) {
    if (variable.storage == StorageClass::StorageBuffer) {
      if (new_buffer_.id == 0) new_buffer_ = variable;
    } else if (variable.storage == StorageClass::Uniform && old_buffer_.id == 0 && variable.holds != nullptr) {
      const TypeRow& type = variable.holds->innermost();
      if (c_.decorations.has(type.id, Decoration::BufferBlock)) old_buffer_ = variable;
    }
  }
  // Reports the variable in Uniform, because newer modules use StorageBuffer.
  void check_storage_kinds() {
    if (new_buffer_.id == 0 || old_buffer_.id == 0) return;
    c_.report(Rule::MixedStorageBuffers, {old_buffer_.declaration, 0}, {old_buffer_.id, new_buffer_.id});
    c_.note({new_buffer_.declaration, 0}, "StorageBuffer variable declared here");
  }

  const ModuleCheck& c_;
  VariableInfo new_buffer_, old_buffer_;  // the first of each kind
};

}  // namespace

void check_resources(const ModuleCheck& c) { ResourceCheck(c).run(); }

}  // namespace vireo::spirv

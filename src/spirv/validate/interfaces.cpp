// SPDX-License-Identifier: Apache-2.0
//
// Interfaces: what an entry point lists, and what there may be of each kind in a list.
//
// The one idea: an entry point has variables: those that it lists, and those that the functions use which it reaches.
// Each is looked at once for each entry point; what there may be only one of is remembered under a key.
//
// Source: specification 3.42.5 (OpEntryPoint), 2.16.1; Vulkan, "Shader Interfaces"; SPV_KHR_workgroup_memory_explicit_layout.
#include <map>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "spirv/validate/checks.h"
#include "spirv/validate/pointers.h"
#include "spirv/validate/variable_uses.h"

namespace vireo::spirv {
namespace {

// What an entry point has one variable of.
struct OnceRow {
  StorageClass storage;
  Rule rule;
};
// A rule of its own for each, since each is another sentence of Vulkan's, or of SPV_EXT_mesh_shader.
constexpr OnceRow once[] = {
    {StorageClass::PushConstant, Rule::PushConstantTwice},
    {StorageClass::IncomingRayPayloadKHR, Rule::RayPayloadTwice},
    {StorageClass::HitAttributeKHR, Rule::HitAttributeTwice},
    {StorageClass::IncomingCallableDataKHR, Rule::CallableDataTwice},
    {StorageClass::TaskPayloadWorkgroupEXT, Rule::TaskPayloadTwice},
};

class InterfaceCheck {
 public:
  InterfaceCheck(const Context& context, Report& report)
      : context_(context), report_(report), uses_(context), reached_(context.module.functions().size()) {
    find_stand_ins();
  }

  // Entry points are numbered from 1, so that 0 in reached_ and seen_ means "not yet"; nothing is cleared between them.
  void run() {
    for (const EntryPointRow& entry : context_.preamble.entry_points()) {
      ++number_;
      entry_ = &entry;
      begin();
      list();
      for (const VariableInfo& variable : variables_) look_at(variable);
      check_workgroup();
    }
  }

 private:
  // Keys are of one entry point: what another one lists is no second of a kind.
  void begin() {
    variables_.clear();
    of_storage_.clear();
    built_ins_.clear();
    blocks_.clear();
    locations_.clear();
  }

  // --- what an entry point reaches ---

  // Most functions use no variable themselves, and many lead to one function that does, or to none: for each of these that
  // one stands in, so that entry points which share their functions do not walk through all of them each.
  void find_stand_ins() {
    const CallGraph& graph = context_.facts.call_graph();
    stand_ins_.resize(reached_.size());
    std::vector<bool> is_known(reached_.size());
    for (const FunctionIndex function : graph.bottom_up()) {
      // The one function with variables that all callees lead to, as far as they lead to any.
      FunctionIndex only;
      bool is_transparent = uses_.of(function).empty();
      for (const CallRow& call : graph.calls(function)) {
        if (!is_transparent) break;
        const FunctionIndex below = stand_ins_[call.callee.index()];
        is_transparent = is_known[call.callee.index()] && (below.is_none() || only.is_none() || below == only);
        if (!below.is_none()) only = below;
      }
      stand_ins_[function.index()] = is_transparent ? only : function;
      is_known[function.index()] =
          true;  // those that call each other come one after the other, and stand for themselves
    }
  }

  // Each function with variables is found once for each entry point, however many ways lead to it.
  void reach(FunctionIndex function) {
    function = stand_ins_[function.index()];
    if (function.is_none() || reached_[function.index()] == number_) return;
    reached_[function.index()] = number_;
    found_.push_back(function);
  }

  // The functions with variables that a function leads to, nearest first; with those where ways part.
  std::span<const FunctionIndex> users_below(FunctionIndex function) {
    found_.clear();
    reach(function);
    for (std::size_t next = 0; next < found_.size();) {
      for (const CallRow& call : context_.facts.call_graph().calls(found_[next++])) reach(call.callee);
    }
    return found_;
  }

  // --- the list ---

  // Whether this entry point had not had the variable yet.
  [[nodiscard]] bool is_new(Word id) {
    std::uint32_t& last = seen_[id];
    if (last == number_) return false;
    last = number_;
    return true;
  }

  // First what is listed, then what is used beside it: whatever is new by then, the list lacks.
  void list() {
    for (const Word id : entry_->interface_) {
      if (!is_new(id)) continue;
      const VariableInfo variable = variable_info(context_, id);
      if (variable.id != 0) variables_.push_back(variable);
    }
    const FunctionIndex function = context_.module.function_of(entry_->function);
    if (function.is_none()) return;
    for (const FunctionIndex below : users_below(function)) {
      for (const Word id : uses_.of(below)) {
        if (!is_new(id)) continue;
        const VariableInfo variable = variable_info(context_, id);
        if (variable.id == 0) continue;
        variables_.push_back(variable);
        // What is not listed is looked at like the rest: pipelines see all that an entry point uses.
        if (is_to_be_listed(variable.storage)) missing(variable);
      }
    }
  }

  // From 1.4 on all variables outside of functions are listed (3.42.5); before that, only what stages hand on.
  [[nodiscard]] bool is_to_be_listed(StorageClass storage) const {
    if (context_.version() >= Version{1, 4}) return storage != StorageClass::Function;
    return storage == StorageClass::Input || storage == StorageClass::Output;
  }

  void missing(const VariableInfo& variable) {
    report_.add(Rule::InterfaceMissing, {entry_->instruction, 0}, {id_text(context_, variable.id), entry_->name});
    report_.note({variable.declaration, 0}, "declared here");
  }

  // --- one variable ---

  // What is told of one variable, knowing those in front of it.
  void look_at(const VariableInfo& variable) {
    check_once(variable);
    if (variable.storage == StorageClass::TileImageEXT) check_tile_image(variable);
    if (variable.storage != StorageClass::Input && variable.storage != StorageClass::Output) return;
    check_built_ins(variable);
    if (context_.is_vulkan()) check_contents(variable);
  }

  void check_once(const VariableInfo& variable) {
    for (const OnceRow& row : once) {
      if (row.storage != variable.storage) continue;
      // What pipelines want of an entry point libraries need not have; and banks of push constants may be many.
      if (row.storage != StorageClass::TaskPayloadWorkgroupEXT && !context_.is_vulkan()) return;
      if (row.storage == StorageClass::PushConstant && context_.has(Capability::PushConstantBanksNV)) return;
      // A third one is compared with the first as well, so each beyond the first is one finding.
      const auto [first, is_new] = of_storage_.try_emplace(row.storage, variable.id);
      if (is_new) return;
      report_.add(row.rule, {variable.declaration, 0}, {id_text(context_, variable.id), entry_->name});
      note_first(first->second);
    }
  }

  void note_first(Word id) { report_.note({context_.module.definition(id), 0}, "the first one"); }

  // Tile images are the attachments of a location each.
  void check_tile_image(const VariableInfo& variable) {
    if (!context_.is_vulkan()) return;
    const DecorationRow* row = context_.decorations.find(variable.id, Decoration::Location);
    if (row == nullptr) return;  // told where the variable stands
    const Word location = context_.decorations.operand_or(*row, 0);
    const auto [first, is_new] = locations_.try_emplace(location, variable.id);
    if (is_new) return;
    report_.add(Rule::TileImageLocation, {row->instruction, 0},
                {id_text(context_, variable.id), "a location that another one has"});
    note_first(first->second);
  }

  // The variable itself may be a built-in, or the members of the structure that it holds, in arrays or not.
  void check_built_ins(const VariableInfo& variable) {
    for (const DecorationRow& row : context_.decorations.of(variable.id)) check_built_in(variable, row);
    if (variable.holds == nullptr) return;
    const TypeRow& block = without_arrays(context_, *variable.holds);
    if (!block.is(TypeKind::Struct)) return;
    bool is_block = false, is_per_primitive = false;
    for (const DecorationRow& row : context_.decorations.all_of(block.id)) {
      if (row.member == no_member) continue;
      is_block |= row.decoration == Decoration::BuiltIn;
      is_per_primitive |= row.decoration == Decoration::PerPrimitiveEXT;
      check_built_in(variable, row);
    }
    if (!is_block) return;
    // Mesh shaders have a block of built-ins for vertices, and one for primitives.
    const auto [first, is_new] = blocks_.try_emplace({variable.storage, is_per_primitive}, variable.id);
    if (is_new) return;
    report_.add(Rule::BuiltInBlockTwice, {variable.declaration, 0},
                {id_text(context_, variable.id), enumerant_text(context_, variable.storage), entry_->name});
    note_first(first->second);
  }

  void check_built_in(const VariableInfo& variable, const DecorationRow& row) {
    // By storage class and built-in: one may be read and written by the same stage.
    if (row.decoration != Decoration::BuiltIn || !context_.is_shader()) return;
    const Word built_in = context_.decorations.operand_or(row, 0);
    const auto [first, is_new] = built_ins_.try_emplace({variable.storage, built_in}, variable.id);
    if (is_new) return;
    const bool is_input = variable.storage == StorageClass::Input;
    report_.add(is_input ? Rule::BuiltInInputTwice : Rule::BuiltInOutputTwice, {variable.declaration, 0},
                {id_text(context_, variable.id), enumerant_text(context_, "BuiltIn", built_in), entry_->name});
    note_first(first->second);
  }

  // What goes from stage to stage is numbers of the usual formats.
  void check_contents(const VariableInfo& variable) {
    if (variable.holds == nullptr) return;
    const auto wrong = [&](Rule rule) {
      report_.add(rule, {variable.declaration, 0},
                  {id_text(context_, variable.id), enumerant_text(context_, variable.storage)});
    };
    if (variable.holds->contains.has_any(TypeTrait::PhysicalPointer)) wrong(Rule::InterfacePointer);
    if (variable.holds->contains.has_any(TypeTrait::BFloat16)) wrong(Rule::InterfaceBFloat16);
    if (variable.holds->contains.has_any(TypeTrait::Float8)) wrong(Rule::InterfaceFloat8);
  }

  // --- memory of workgroups ---

  [[nodiscard]] bool is_block(const VariableInfo& variable) const {
    return variable.holds != nullptr && context_.decorations.has(variable.holds->id, Decoration::Block);
  }

  // Blocks of a workgroup lie over each other, so there is nothing beside them.
  void check_workgroup() {
    // One of each sort is enough to tell that both are there; Aliased is asked of every block once there are two.
    const bool is_laid_out = context_.has(Capability::WorkgroupMemoryExplicitLayoutKHR);
    const VariableInfo *block = nullptr, *other = nullptr;
    std::size_t block_count = 0;
    for (const VariableInfo& variable : variables_) {
      if (variable.storage != StorageClass::Workgroup || variable.is_untyped) continue;
      if (!is_block(variable)) {
        other = &variable;
        continue;
      }
      block = &variable;
      ++block_count;
      if (!is_laid_out) {
        report_.add(Rule::WorkgroupBlockCapability, {variable.declaration, 0}, {id_text(context_, variable.id)});
      }
    }
    // With untyped pointers neither demand is made.
    if (!is_laid_out || context_.has(Capability::UntypedPointersKHR) || block == nullptr) return;
    if (other != nullptr) {
      report_.add(Rule::WorkgroupBlocks, {other->declaration, 0},
                  {id_text(context_, other->id), id_text(context_, block->id)});
    }
    if (block_count < 2) return;
    for (const VariableInfo& variable : variables_) {
      if (variable.storage != StorageClass::Workgroup || !is_block(variable) ||
          context_.decorations.has(variable.id, Decoration::Aliased)) {
        continue;
      }
      report_.add(Rule::WorkgroupAliased, {variable.declaration, 0}, {id_text(context_, variable.id)});
    }
  }

  const Context& context_;
  Report& report_;
  const VariableUses uses_;
  std::vector<FunctionIndex> stand_ins_;  // by function; none: it leads to no variable
  std::vector<std::uint32_t> reached_;    // by function: the last entry point that did
  std::vector<FunctionIndex> found_;
  std::unordered_map<Word, std::uint32_t> seen_;  // by variable: the last entry point that lists or uses it
  std::uint32_t number_ = 0;

  // Of one entry point.
  const EntryPointRow* entry_ = nullptr;
  std::vector<VariableInfo> variables_;
  std::map<StorageClass, Word> of_storage_;
  std::map<std::pair<StorageClass, Word>, Word> built_ins_;
  std::map<std::pair<StorageClass, bool>, Word> blocks_;
  std::map<Word, Word> locations_;  // of tile images
};

}  // namespace

void check_interfaces(const Context& context, Report& report) { InterfaceCheck(context, report).run(); }

}  // namespace vireo::spirv

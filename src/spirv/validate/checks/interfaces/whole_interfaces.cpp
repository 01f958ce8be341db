// SPDX-License-Identifier: Apache-2.0
//
// Checks of whole interfaces: an entry point must list all variables that it uses, and some variables must not be
// combined.
//
// An entry point has the variables that it lists and those that its reachable functions use. Each
// variable is checked once for each entry point, with properties that were read when it was first seen. Maps detect
// duplicates of variables and built-ins that an entry point may have only once. Errors that do not depend on the entry
// point are reported once. interface_variables.cpp checks whether a variable may be listed.
//
// Source: specification 3.42.5 (OpEntryPoint), 2.16.1; Vulkan, "Shader Interfaces";
// SPV_KHR_workgroup_memory_explicit_layout.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "spirv/validate/analysis/built_in_members.h"
#include "spirv/validate/analysis/decoration_places.h"
#include "spirv/validate/analysis/fixes.h"
#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/analysis/variable_uses.h"
#include "spirv/validate/checks/checks.h"
#include "vireo/support/id_map.h"

namespace vireo::spirv {
namespace {

// A storage class of which an entry point may have only one variable.
struct OnceRow {
  StorageClass storage;
  Rule rule;
};
// Each has its own rule, because each is a separate requirement in Vulkan or in SPV_EXT_mesh_shader.
constexpr OnceRow once[] = {
    {StorageClass::PushConstant, Rule::PushConstantTwice},
    {StorageClass::IncomingRayPayloadKHR, Rule::RayPayloadTwice},
    {StorageClass::HitAttributeKHR, Rule::HitAttributeTwice},
    {StorageClass::IncomingCallableDataKHR, Rule::CallableDataTwice},
    {StorageClass::TaskPayloadWorkgroupEXT, Rule::TaskPayloadTwice},
};

// All rules that this file reports for entry points.
constexpr Rule rules_of_interfaces[] = {
    Rule::InterfaceMissing,  Rule::PushConstantTwice,    Rule::RayPayloadTwice,          Rule::HitAttributeTwice,
    Rule::CallableDataTwice, Rule::TaskPayloadTwice,     Rule::TileImageLocation,        Rule::BuiltInBlockTwice,
    Rule::BuiltInInputTwice, Rule::BuiltInOutputTwice,   Rule::InterfacePointer,         Rule::InterfaceBFloat16,
    Rule::InterfaceFloat8,   Rule::MixedWorkgroupBlocks, Rule::WorkgroupBlockCapability, Rule::WorkgroupAliased,
};

// --- checked variables -----------------------------------------------------------------------------------------------

// From SPIR-V 1.4 on, entry points must list all module-scope variables that they use (3.42.5); before, only inputs and
// outputs.
bool must_be_listed(const ModuleCheck& c, StorageClass storage) {
  if (c.version() >= Version{1, 4}) return storage != StorageClass::Function;
  return storage == StorageClass::Input || storage == StorageClass::Output;
}

// Variables that need not be listed are checked if an entry point may have only one of them, or if they must not be
// combined with others.
bool is_relevant(const ModuleCheck& c, StorageClass storage) {
  return must_be_listed(c, storage) || storage == StorageClass::Workgroup || storage == StorageClass::TileImageEXT ||
         std::any_of(std::begin(once), std::end(once), [&](const OnceRow& row) { return row.storage == storage; });
}

/// The properties of a variable that do not depend on the entry point.
struct Variable {
  VariableInfo info;
  std::uint32_t entry = 0;                    ///< number of the last entry point that lists or uses it
  std::uint32_t user = 0;                     ///< number of the last entry point that uses it
  std::vector<BuiltIn> built_ins;             ///< built-ins of the variable itself
  std::span<const BuiltInMember> members;     ///< built-ins of its structure, also in arrays
  const DecorationRow* location = nullptr;    ///< for TileImageEXT
  bool is_block = false, is_aliased = false;  ///< for Workgroup
  // Flags so that each error is reported once, however many entry points have the variable.
  bool is_checked = false, is_location_reported = false, is_mix_reported = false, is_alias_reported = false;
};

// --- entry points ----------------------------------------------------------------------------------------------------

class InterfaceCheck {
 public:
  explicit InterfaceCheck(const ModuleCheck& c)
      : c_(c), members_(c), uses_(c), calls_(c.facts.call_graph()), walk_(calls_, c.module) {}

  // Entry points are numbered from 1. In Variable::entry, 0 means that no entry point has the variable yet.
  void run() {
    for (const EntryPointRow& entry : c_.module_declarations.entry_points()) {
      // Stops if all rules have reached their limits of findings. Otherwise the time would be quadratic, because every
      // entry point may lack every variable.
      if (number_ != 0 && std::none_of(std::begin(rules_of_interfaces), std::end(rules_of_interfaces),
                                       [&](Rule rule) { return c_.has_room_for(rule); })) {
        return;
      }
      ++number_;
      entry_ = &entry;
      begin();
      list();
      for (Variable* variable : variables_) check_variable(*variable);
      check_workgroup();
    }
  }

 private:
  // Clears the state of the previous entry point.
  void begin() {
    variables_.clear();
    of_storage_.clear();
    built_ins_.clear();
    blocks_.clear();
    locations_.clear();
  }

  // --- the list ---

  // The properties of a variable; nullptr if the id is not a variable.
  Variable* known(Word id) {
    const auto [at, is_new] = known_.try_emplace(id);
    if (is_new) read(at->second, id);
    return at->second.info.id == 0 ? nullptr : &at->second;
  }

  // Reads the decorations and the type once: many entry points may list a variable, and a structure may have many
  // members.
  void read(Variable& variable, Word id) {
    variable.info = variable_info(c_, id);
    const TypeRow* holds = variable.info.holds;
    switch (variable.info.storage) {
      case StorageClass::Input:
      case StorageClass::Output: {
        variable.built_ins = built_ins_of(id);
        if (holds == nullptr) return;
        const TypeRow& block = holds->innermost();
        if (block.is(TypeKind::Struct)) variable.members = members_.of(block.id);
        return;
      }
      case StorageClass::TileImageEXT: variable.location = c_.decorations.find(id, Decoration::Location); return;
      case StorageClass::Workgroup:
        variable.is_aliased = c_.decorations.has(id, Decoration::Aliased);
        variable.is_block = holds != nullptr && c_.decorations.has(holds->id, Decoration::Block);
        return;
      default: return;
    }
  }

  // The built-ins of the variable itself, without unknown built-ins and duplicates.
  [[nodiscard]] std::vector<BuiltIn> built_ins_of(Word id) const {
    std::vector<BuiltIn> found;
    for (const DecorationRow& row : c_.decorations.of(id)) {
      if (row.decoration != Decoration::BuiltIn) continue;
      const auto built_in = static_cast<BuiltIn>(c_.decorations.operand_or(row, 0));
      if (!is_one_of(found, built_in) && is_known_built_in(c_, built_in)) found.push_back(built_in);
    }
    return found;
  }

  // Adds a variable to the entry point. Returns nullptr if the entry point already has it, or if the id is not a
  // variable.
  Variable* take(Word id) {
    Variable* variable = known(id);
    if (variable == nullptr || variable->entry == number_) return nullptr;
    variable->entry = number_;
    variables_.push_back(variable);
    return variable;
  }

  // Adds the listed variables, then the used ones. A used variable that is not listed is reported as missing, and is
  // checked like the listed ones.
  void list() {
    for (const Word id : entry_->interface_) take(id);
    const FunctionIndex function = c_.module.function_of(entry_->function);
    if (function.is_none() || uses_.variables().empty() || c_.budget.is_exceeded()) return;
    for (const FunctionIndex reached : walk_.below(function)) {
      const std::span<const Word> used = uses_.of(reached);
      if (!c_.budget.spend(1 + calls_.calls(reached).size() + used.size())) return;
      for (const Word id : used) {
        Variable* variable = known(id);
        if (variable == nullptr) continue;
        variable->user = number_;
        if (!is_relevant(c_, variable->info.storage) || take(id) == nullptr) continue;
        if (must_be_listed(c_, variable->info.storage)) missing(variable->info);
      }
    }
  }

  void missing(const VariableInfo& variable) {
    // An operand that is no variable probably replaces this one.
    if (c_.findings.take(Rule::InterfaceVariable, std::to_string(entry_->instruction.raw), Rule::InterfaceMissing)) {
      c_.note({variable.declaration, 0}, "{enumerant} variable {id} is used, but not listed",
              {variable.storage, variable.id});
      return;
    }
    c_.report(Rule::InterfaceMissing, {entry_->instruction, 0}, {entry_->name, variable.storage, variable.id});
    c_.note({variable.declaration, 0}, "variable declared here");
    hint_interface(c_, entry_->instruction, variable.id);
  }

  // --- one variable ---

  // Compares a variable with the previous ones of the entry point.
  void check_variable(Variable& variable) {
    if (!std::exchange(variable.is_checked, true)) check(variable);
    check_once(variable);
    if (variable.info.storage == StorageClass::TileImageEXT) check_tile_image(variable);
    check_built_ins(variable);
  }

  // Checks the variable by itself.
  void check(const Variable& variable) {
    const StorageClass storage = variable.info.storage;
    if (c_.is_vulkan() && (storage == StorageClass::Input || storage == StorageClass::Output)) {
      check_contents(variable.info);
    }
    if (storage == StorageClass::Workgroup && variable.is_block &&
        !c_.has(Capability::WorkgroupMemoryExplicitLayoutKHR)) {
      check_block_capability(variable.info);
    }
  }

  void check_block_capability(const VariableInfo& variable) {
    constexpr Rule rule = Rule::WorkgroupBlockCapability;
    constexpr Capability needed = Capability::WorkgroupMemoryExplicitLayoutKHR;
    const Place place{variable.declaration, 0};
    const std::string own = std::to_string(variable.id), name = enumerant_text(c_, needed);
    if (c_.findings.join(Rule::LayoutProhibited, own, layout_cause(variable.holds->id, variable.storage), rule) ||
        c_.findings.join(Rule::UntypedStorageClass, own, name, rule)) {
      c_.note(place, rule, {variable.id});
    } else {
      c_.report(rule, place, {variable.id});
    }
    hint_capability(c_, needed);
  }

  void check_once(const Variable& checked) {
    const VariableInfo& variable = checked.info;
    for (const OnceRow& row : once) {
      if (row.storage != variable.storage) continue;
      // Only Vulkan has these rules, except the one for task payloads. PushConstantBanksNV allows several push-constant
      // variables.
      if (row.storage != StorageClass::TaskPayloadWorkgroupEXT && !c_.is_vulkan()) return;
      if (row.storage == StorageClass::PushConstant && c_.has(Capability::PushConstantBanksNV)) return;
      // Each further variable is compared only with the first one, so it has one finding.
      const auto [first, is_new] = of_storage_.try_emplace(row.storage, variable.id);
      if (is_new) return;
      c_.report(row.rule, {variable.declaration, 0},
                {id_text(c_, first->second), id_text(c_, variable.id), entry_->name});
      if (row.storage == StorageClass::PushConstant) {
        // An interface lists one such variable, and an entry point uses one: two requirements.
        const bool are_used = checked.user == number_ && known(first->second)->user == number_;
        c_.vuid(are_used ? 6674 : 6673);
      }
      note_first(first->second);
    }
  }

  void note_first(Word id) { c_.note({c_.module.definition(id), 0}, "first variable declared here"); }

  // Two tile images cannot have the same location.
  void check_tile_image(Variable& variable) {
    if (!c_.is_vulkan() || variable.location == nullptr) return;  // resources.cpp reports a missing location
    const Word location = c_.decorations.operand_or(*variable.location, 0);
    const auto [first, is_new] = locations_.try_emplace(location, variable.info.id);
    if (is_new || std::exchange(variable.is_location_reported, true)) return;
    c_.report(Rule::TileImageLocation, parameter_place(*variable.location),
              {variable.info.id, fmt::format("the same Location {} as {}", location, id_text(c_, first->second))});
    note_first(first->second);
  }

  // Checks the built-ins of the variable itself and of the members of its structure, directly or in arrays.
  void check_built_ins(const Variable& variable) {
    for (const BuiltIn built_in : variable.built_ins) check_built_in(variable.info, built_in);
    if (variable.members.empty()) return;
    bool is_per_primitive = false;
    for (const BuiltInMember& member : variable.members) {
      is_per_primitive |= member.is_per_primitive;
      check_built_in(variable.info, member.built_in);
    }
    // Mesh shaders have one block of built-ins for vertices and one for primitives.
    const VariableInfo& info = variable.info;
    const auto [first, is_new] = blocks_.try_emplace({info.storage, is_per_primitive}, info.id);
    if (is_new) return;
    c_.report(Rule::BuiltInBlockTwice, {info.declaration, 0}, {first->second, info.id, info.storage, entry_->name});
    note_first(first->second);
  }

  void check_built_in(const VariableInfo& variable, BuiltIn built_in) {
    if (!c_.is_vulkan()) return;
    // The key includes the storage class: a stage may both read and write a built-in.
    const auto [first, is_new] = built_ins_.try_emplace({variable.storage, built_in}, variable.id);
    if (is_new) return;
    const bool is_input = variable.storage == StorageClass::Input;
    const bool is_same = first->second == variable.id;  // two members of one structure
    const std::string id = id_text(c_, variable.id);
    c_.report(is_input ? Rule::BuiltInInputTwice : Rule::BuiltInOutputTwice, {variable.declaration, 0},
              {is_same ? "two members of " + id : fmt::format("{} and {}", id_text(c_, first->second), id),
               enumerant_text(c_, built_in), entry_->name});
    if (!is_input) c_.vuid(built_in == BuiltIn::CullPrimitiveEXT ? 10591 : 9659);
    if (!is_same) note_first(first->second);
  }

  // Inputs and outputs cannot contain physical pointers, bfloat16 values or 8-bit floats.
  void check_contents(const VariableInfo& variable) {
    if (variable.holds == nullptr) return;
    const auto wrong = [&](Rule rule) {
      c_.report(rule, {variable.declaration, 0},
                {enumerant_text(c_, variable.storage), id_text(c_, variable.id), type_text(c_, variable.holds->id)});
    };
    if (variable.holds->contains.has_any(TypeTrait::PhysicalPointer)) wrong(Rule::InterfacePointer);
    if (variable.holds->contains.has_any(TypeTrait::BFloat16)) wrong(Rule::InterfaceBFloat16);
    if (variable.holds->contains.has_any(TypeTrait::Float8)) wrong(Rule::InterfaceFloat8);
  }

  // --- Workgroup memory ---

  [[nodiscard]] static bool is_typed_of_workgroup(const Variable& variable) {
    return variable.info.storage == StorageClass::Workgroup && !variable.info.is_untyped;
  }

  void report_mix(const VariableInfo& other, const VariableInfo& block) {
    constexpr Rule rule = Rule::MixedWorkgroupBlocks;
    const Place place{other.declaration, 0};
    // A structure with a layout lacks Block.
    const std::string own = fmt::format("mix {}", other.id);
    if (c_.findings.join(Rule::LayoutProhibited, own, layout_cause(other.holds->id, other.storage), rule)) {
      c_.note(place, rule, {other.id, block.id});
      return;
    }
    if (report_missing(c_, {missing_decoration(Decoration::Block, other.holds->id)}, rule, place, {other.id, block.id}))
      c_.note({block.declaration, 0}, "Workgroup block declared here");
  }

  // Workgroup blocks alias each other, so they must not be combined with other Workgroup variables.
  void check_workgroup() {
    // Without the capability, each block has its own finding.
    if (!c_.has(Capability::WorkgroupMemoryExplicitLayoutKHR)) return;
    // The finding needs one block and one other variable. If the entry point has two or more blocks, each needs
    // Aliased.
    const Variable* block = nullptr;
    Variable* other = nullptr;
    std::size_t block_count = 0;
    for (Variable* variable : variables_) {
      if (!is_typed_of_workgroup(*variable) || variable->info.holds == nullptr) continue;
      if (!variable->is_block) {
        other = variable;
        continue;
      }
      block = variable;
      ++block_count;
    }
    if (block == nullptr) return;
    if (other != nullptr && !std::exchange(other->is_mix_reported, true)) { report_mix(other->info, block->info); }
    // With untyped pointers, blocks without Aliased do not alias each other.
    if (block_count < 2 || c_.has(Capability::UntypedPointersKHR)) return;
    for (Variable* variable : variables_) {
      if (!variable->is_block || variable->is_aliased || std::exchange(variable->is_alias_reported, true)) continue;
      const Word id = variable->info.id;
      if (report_missing(c_, {missing_decoration(Decoration::Aliased, id)}, Rule::WorkgroupAliased,
                         {variable->info.declaration, 0}, {id}))
        hint_decoration(c_, Decoration::Aliased, id);
    }
  }

  const ModuleCheck& c_;
  BuiltInMembers members_;
  const VariableUses uses_;
  const CallGraph& calls_;
  CallWalk walk_;
  IdMap<Variable> known_;
  std::uint32_t number_ = 0;

  // State of the current entry point.
  const EntryPointRow* entry_ = nullptr;
  std::vector<Variable*> variables_;
  std::map<StorageClass, Word> of_storage_;
  std::map<std::pair<StorageClass, BuiltIn>, Word> built_ins_;
  std::map<std::pair<StorageClass, bool>, Word> blocks_;
  std::map<Word, Word> locations_;  // tile images by location
};

}  // namespace

void check_interfaces(const ModuleCheck& c) { InterfaceCheck(c).run(); }

}  // namespace vireo::spirv

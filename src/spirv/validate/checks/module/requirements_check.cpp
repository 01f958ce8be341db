// SPDX-License-Identifier: Apache-2.0
//
// Checks the requirements of a grammar row: one of its capabilities, and its version or one of its extensions.
#include "spirv/validate/checks/module/requirements_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "spirv/validate/analysis/fixes.h"
#include "spirv/validate/tables/vuid_rows.h"
#include "vireo/spirv/grammar/grammar_tools.h"

namespace vireo::spirv {
namespace {

// Converts a list in the grammar to a key and back: 16 bits of offset, 16 bits of length.
constexpr std::uint32_t key_of(Slice slice) { return std::uint32_t{slice.first} << 16 | slice.count; }
constexpr Slice slice_of(std::uint32_t key) {
  return {static_cast<std::uint16_t>(key >> 16), static_cast<std::uint16_t>(key)};
}

// "SPIR-V 1.4", for messages.
std::string spirv_version_text(Version version) { return fmt::format("SPIR-V {}.{}", version.major, version.minor); }

// Built-ins that older shaders contain in a block without using them. Only reads and writes of the variable need the
// capability. The interface rules check those.
constexpr BuiltIn mentioned_built_ins[] = {BuiltIn::PointSize, BuiltIn::ClipDistance, BuiltIn::CullDistance};

// Whether SPV_AMD_shader_ballot enables the enumerant. The extension allows reductions and both scans (values 0 to 2)
// without the capabilities of the grammar. The grammar does not contain this exception.
bool is_freed(const ModuleDeclarations& module_declarations, std::string_view kind, Word value) {
  return kind == "GroupOperation" && value <= static_cast<Word>(GroupOperation::ExclusiveScan) &&
         module_declarations.has_extension("SPV_AMD_shader_ballot");
}

bool is_mentioned_only(std::string_view kind, Word value) {
  return kind == "BuiltIn" && std::find(std::begin(mentioned_built_ins), std::end(mentioned_built_ins),
                                        static_cast<BuiltIn>(value)) != std::end(mentioned_built_ins);
}

}  // namespace

RequirementCheck::RequirementCheck(const ModuleCheck& c)
    : c_(c),
      satisfied_opcodes_(c.grammar().instructions.size()),
      satisfied_enumerants_(c.grammar().enumerants.size()) {}

// One capability of the list is enough, declared or implied; an empty list needs none.
bool RequirementCheck::has_any_capability(Slice capabilities) const {
  const auto rows = c_.grammar().capabilities(capabilities);
  return rows.empty() || std::any_of(rows.begin(), rows.end(),
                                     [&](std::uint16_t row) { return c_.module_declarations.has_enumerant(row); });
}

bool RequirementCheck::has_any_extension(Slice extensions) const {
  const auto names = c_.grammar().strings(extensions);
  return std::any_of(names.begin(), names.end(),
                     [&](StringRef name) { return c_.module_declarations.has_extension(c_.grammar().text(name)); });
}

// Whether an instruction has no version, no extension and no capability of an extension. The grammar has a few such
// rows: opcodes that are reserved but have no definition.
bool RequirementCheck::is_reserved(const Needs& needs) const {
  if (needs.is_enumerant || !needs.since.is_none() || needs.extensions.count != 0) return false;
  const auto rows = c_.grammar().capabilities(needs.capabilities);
  return std::all_of(rows.begin(), rows.end(), [&](std::uint16_t row) {
    const EnumerantRow& capability = c_.grammar().enumerants[row];
    return !capability.since.is_none() && capability.extensions.count == 0;
  });
}

// Checks the capability, then the last version, then the first version or an extension. A use may lack both a
// capability and an extension; both are reported.
bool RequirementCheck::check(const Needs& needs, StringRef name, Place place) {
  const Grammar& grammar = c_.grammar();
  const Version version = c_.version();
  const auto miss = [&](MissingBySlice& missing, Slice slice) {
    // Uses that lack the same list of alternatives share one finding.
    const auto [found, is_new] =
        missing.try_emplace(key_of(slice), Missing{place, std::string(grammar.text(name)), needs.since});
    // A note shows the second use.
    if (!is_new && ++found->second.more == 1) found->second.next = place;
    return false;
  };
  if (is_reserved(needs)) {
    c_.report(Rule::Reserved, place, {grammar.text(name)});
    return true;  // so that further uses are not reported
  }
  bool is_met = true;
  if (!needs.is_capability && !has_any_capability(needs.capabilities)) is_met = miss(capabilities_, needs.capabilities);
  if (!needs.last.is_none() && version > needs.last) {
    c_.report(Rule::RemovedInVersion, place,
              {grammar.text(name), spirv_version_text(needs.last), fmt::format("{}.{}", version.major, version.minor)});
    return false;
  }
  // The capability that enables an instruction has a version requirement too, so the instruction needs no further
  // check. OpTerminateInvocation is an exception: it is newer than Shader, which enables it.
  const bool capability_is_enough =
      !needs.is_enumerant && needs.capabilities.count != 0 && grammar.text(name) != "OpTerminateInvocation";
  if (capability_is_enough || (!needs.since.is_none() && version >= needs.since)) return is_met;
  // The row is newer than the module, but an extension may provide it.
  if (needs.extensions.count != 0)
    return has_any_extension(needs.extensions) ? is_met : miss(extensions_, needs.extensions);
  if (needs.since.is_none()) return is_met;
  c_.report(Rule::MissingExtension, place,
            {grammar.text(name), fmt::format("{} or later", spirv_version_text(needs.since))});
  return false;
}

void RequirementCheck::check_opcode(const InstructionCheck& c) {
  const InstructionRow& row = *c.decoded->row;
  const std::size_t number = &row - c_.grammar().instructions.data();
  // A row with unmet requirements is checked again at each use, because the uses are counted and version findings are
  // reported at each use.
  if (satisfied_opcodes_[number] == 0) {
    satisfied_opcodes_[number] = check({row.capabilities, row.extensions, row.since, row.last}, row.name, c.at());
  }
  // Extended instructions have no SPIR-V version. All modules are at least 1.0, so only capabilities are checked.
  if (const ExtInstRow* inst = c.decoded->ext_inst; inst != nullptr && !has_any_capability(inst->capabilities)) {
    check({inst->capabilities, {}, {1, 0}, {}}, inst->name, c.at(c.operand(OperandName::instruction)));
  }
}

void RequirementCheck::run_enumerants(const InstructionCheck& c) {
  for (const Operand& operand : c.operands) {
    if (operand.shape == OperandShape::ValueEnum) {
      check_enumerant(c, operand, c.view.first[operand.word]);
    } else if (operand.shape == OperandShape::BitEnum) {
      // Iterates over the bits from the lowest: rest & (~rest + 1) is the lowest set bit.
      for (Word rest = c.view.first[operand.word]; rest != 0; rest &= rest - 1) {
        check_enumerant(c, operand, rest & (~rest + 1));
      }
    }
  }
}

// Reports or records the unmet requirements of an enumerant. Returns whether no further use needs to be checked.
bool RequirementCheck::is_satisfied(const InstructionCheck& c, const Operand& operand, const EnumerantRow& row) {
  const Grammar& grammar = c_.grammar();
  const bool is_capability = operand.kind == grammar.capability_kind;
  // The environment or the device rejects the capability in any version.
  if (is_capability && !c_.soundness.is_sound_capability(static_cast<Capability>(row.value))) return false;
  const std::string_view kind = grammar.text(grammar.kind(operand.kind).name);
  // Further uses are also examined: these exceptions depend on the operand kind, and they are rare.
  if (is_mentioned_only(kind, row.value) || is_freed(c_.module_declarations, kind, row.value)) return false;
  return check({row.capabilities, row.extensions, row.since, row.last, true, is_capability}, row.name, c.at(operand));
}

void RequirementCheck::finish() {
  finish_capabilities();
  finish_extensions();
}

// A module without Shader also lacks Matrix, which Shader implies, but that is one error. So all lists that one
// capability satisfies are reported together. Capabilities that satisfy the most lists come first.
void RequirementCheck::finish_capabilities() {
  const Grammar& grammar = c_.grammar();
  std::vector<CapabilityRequirement> requirements;
  for (const auto& [key, missing] : capabilities_) {
    requirements.push_back({grammar.capabilities(slice_of(key)), &missing});
  }
  std::ranges::sort(requirements, {}, [](const CapabilityRequirement& requirement) {
    return std::pair(requirement.missing->place.instruction, requirement.missing->place.word);
  });
  for (const Remedy& remedy : remedies(requirements)) report_undefined(remedy, requirements);
  capabilities_.clear();
}

// Returns each capability that a list names, with all lists that it satisfies, directly or through implied
// capabilities.
std::vector<RequirementCheck::Remedy> RequirementCheck::remedies(
    std::span<const CapabilityRequirement> requirements) const {
  std::map<std::uint16_t, std::vector<std::uint32_t>> requirements_of;  // by capability
  for (std::uint32_t i = 0; i < requirements.size(); ++i) {
    for (const std::uint16_t row : requirements[i].capabilities) requirements_of[row].push_back(i);
  }
  std::vector<Remedy> remedies;
  for (const auto& [capability, direct] : requirements_of) {
    Remedy remedy{capability, direct[0], direct};
    for (const std::uint16_t implied : implied_capabilities(c_.grammar(), capability)) {
      if (const auto found = requirements_of.find(implied); found != requirements_of.end())
        remedy.met.insert(remedy.met.end(), found->second.begin(), found->second.end());
    }
    std::ranges::sort(remedy.met);
    remedy.met.erase(std::unique(remedy.met.begin(), remedy.met.end()), remedy.met.end());
    remedies.push_back(std::move(remedy));
  }
  std::ranges::sort(remedies, {}, [](const Remedy& r) { return std::tuple(~r.met.size(), r.first, r.capability); });
  return remedies;
}

// Other checks may have reported that a flag, a type or an instruction needs one of these capabilities, or one that the
// suggested capability implies. These findings become notes of the last one.
void RequirementCheck::join_consequences(const Remedy& remedy, const CapabilityRequirement& reported) const {
  const Grammar& grammar = c_.grammar();
  std::vector<std::uint16_t> names(reported.capabilities.begin(), reported.capabilities.end());
  for (const std::uint16_t implied : implied_capabilities(grammar, remedy.capability)) names.push_back(implied);
  for (const std::uint16_t capability : names) {
    const std::string name(grammar.text(grammar.enumerants[capability].name));
    for (const Rule rule : {Rule::SemanticsCapability, Rule::AtomicCapability, Rule::CooperativeMemoryModel,
                            Rule::StorageImageCapability, Rule::RayFlagCapability, Rule::ElementStorage,
                            Rule::VariablePointerStorage, Rule::PointerComparison, Rule::FunctionPointee,
                            Rule::GatherMode, Rule::QueueFamilyScope, Rule::OpaqueMember, Rule::UntypedStorageClass}) {
      c_.findings.absorb(rule, name);
    }
    c_.findings.name_cause(Rule::MissingCapability, name);
  }
}

// Vulkan repeats a few requirements of the grammar. All its entry points need Shader.
std::string_view RequirementCheck::vuid_of(const CapabilityRequirement& requirement) const {
  for (const CapabilityVuidRow& row : capability_vuid_rows) {
    const bool is_named = std::ranges::any_of(requirement.capabilities, [&](std::uint16_t number) {
      return c_.grammar().enumerants[number].value == static_cast<Word>(row.capability);
    });
    if (is_named && (row.user.empty() || row.user == requirement.missing->what)) return row.vuid;
  }
  return {};
}

// Reports the lists of a suggested capability that are not yet reported. The first list that names it is the finding,
// and the others are notes.
void RequirementCheck::report_undefined(const Remedy& remedy, std::span<CapabilityRequirement> requirements) const {
  const auto names_it = [&](std::uint32_t i) {
    return !requirements[i].is_reported &&
           std::ranges::find(requirements[i].capabilities, remedy.capability) != requirements[i].capabilities.end();
  };
  const auto first = std::ranges::find_if(remedy.met, names_it);
  if (first == remedy.met.end()) return;  // no unreported list names it
  CapabilityRequirement& reported = requirements[*first];
  reported.is_reported = true;
  const Word result = c_.module.result_of(c_.module.instruction(reported.missing->place.instruction));
  const bool is_pointer = c_.types.of(result).is_pointer();
  const std::string of_type = fmt::format("type {}", result);
  // A storage class that Vulkan lacks is reported itself.
  if (is_pointer && reported.missing->more == 0 &&
      c_.findings.join(Rule::VulkanStorageClass, "capability of " + of_type, of_type, Rule::MissingCapability)) {
    c_.note(reported.missing->place, Rule::MissingCapability, {reported.missing->what, names_of(reported)});
    return;
  }
  c_.report(Rule::MissingCapability, reported.missing->place, {reported.missing->what, names_of(reported)});
  if (const std::string_view vuid = vuid_of(reported); !vuid.empty()) c_.vuid(std::string(vuid));
  note_further_uses(*reported.missing);
  // A pointer type of a wrong storage class differs from that of its variables.
  if (is_pointer) c_.findings.absorb(Rule::StorageMismatch, of_type);
  join_consequences(remedy, reported);
  bool is_alone = true;
  for (const std::uint32_t i : remedy.met) {
    if (std::exchange(requirements[i].is_reported, true)) continue;
    is_alone = false;
    c_.note(requirements[i].missing->place, "{text} requires {text}",
            {requirements[i].missing->what, names_of(requirements[i])});
  }
  // If only this list is reported and several capabilities satisfy it, none is suggested.
  if (reported.capabilities.size() != 1 && is_alone) return;
  const Grammar& grammar = c_.grammar();
  hint_capability(c_, grammar.text(grammar.enumerants[remedy.capability].name));
}

// Adds a note at the second use.
void RequirementCheck::note_further_uses(const Missing& missing) const {
  if (missing.more == 0) return;
  c_.note(missing.next, missing.more == 1
                            ? std::string("one more use has this requirement")
                            : fmt::format("the first of {} more uses with this requirement", missing.more));
}

// "capability Shader", "capability Matrix, Shader or Kernel"
std::string RequirementCheck::names_of(const CapabilityRequirement& requirement) const {
  const Grammar& grammar = c_.grammar();
  std::string names;
  for (const std::uint16_t& row : requirement.capabilities) {
    const bool is_last = &row == &requirement.capabilities.back();
    names.append(names.empty() ? "capability " : is_last ? " or " : ", ");
    names.append(grammar.text(grammar.enumerants[row].name));
  }
  return names;
}

// Returns the shortest lists first, because they have the fewest alternatives.
std::vector<RequirementCheck::ExtensionRequirement> RequirementCheck::extension_requirements() const {
  std::vector<ExtensionRequirement> all;
  for (const auto& [key, missing] : extensions_) { all.push_back({c_.grammar().strings(slice_of(key)), &missing, {}}); }
  std::ranges::sort(all, {}, [](const ExtensionRequirement& requirement) {
    const Place place = requirement.missing->place;
    return std::tuple(requirement.names.size(), place.instruction, place.word);
  });
  return all;
}

// "SPIR-V 1.4 or extension SPV_A", "extension SPV_A or SPV_B"
std::string RequirementCheck::names_of(const ExtensionRequirement& requirement) const {
  const Version since = requirement.missing->since;
  std::string text = since.is_none() ? "" : fmt::format("{} or ", spirv_version_text(since));
  for (const StringRef row : requirement.names)
    text.append(row == requirement.names[0] ? "extension " : " or ").append(c_.grammar().text(row));
  return text;
}

// Reports missing extensions. If a list contains an extension that is already suggested, it becomes a note.
void RequirementCheck::finish_extensions() {
  std::vector<ExtensionRequirement> all = extension_requirements();
  std::vector<ExtensionRequirement*> reported;
  for (ExtensionRequirement& requirement : all) {
    const auto brings = [&](const ExtensionRequirement* other) {
      return std::ranges::find(requirement.names, other->names[0]) != requirement.names.end();
    };
    const auto found = std::ranges::find_if(reported, brings);
    if (found == reported.end()) reported.push_back(&requirement);
    else (*found)->others.push_back(&requirement);
  }
  for (const ExtensionRequirement* requirement : reported) {
    const Missing& missing = *requirement->missing;
    c_.report(Rule::MissingExtension, missing.place, {missing.what, names_of(*requirement)});
    note_further_uses(missing);
    for (const ExtensionRequirement* other : requirement->others)
      c_.note(other->missing->place, "{text} requires {text}", {other->missing->what, names_of(*other)});
    hint_extension(c_, c_.grammar().text(requirement->names[0]));
  }
  extensions_.clear();
}

}  // namespace vireo::spirv

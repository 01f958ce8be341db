// SPDX-License-Identifier: Apache-2.0
//
// Judging a row of the grammar: a capability of its list, and its version or an extension of its list.
#include "spirv/validate/checks/module/requirements_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "vireo/spirv/grammar_tools.h"

namespace vireo::spirv {
namespace {

// A list of the grammar as a key, and back: 16 bits of place, 16 of length.
constexpr std::uint32_t key_of(Slice slice) { return std::uint32_t{slice.first} << 16 | slice.count; }
constexpr Slice slice_of(std::uint32_t key) {
  return {static_cast<std::uint16_t>(key >> 16), static_cast<std::uint16_t>(key)};
}

// "SPIR-V 1.4", as messages have it.
std::string spirv_version_text(Version version) { return fmt::format("SPIR-V {}.{}", version.major, version.minor); }

// Built-ins that a block may hold without using them, as shaders of old do: their capabilities are needed by those who
// read or write the variable, which the interface rules check.
constexpr BuiltIn mentioned_built_ins[] = {BuiltIn::PointSize, BuiltIn::ClipDistance, BuiltIn::CullDistance};

// SPV_AMD_shader_ballot allows reductions and both scans (numbers 0 to 2) without the capabilities of the grammar. That
// stands in its text only.
bool is_freed(const Preamble& preamble, std::string_view kind, Word value) {
  return kind == "GroupOperation" && value <= static_cast<Word>(GroupOperation::ExclusiveScan) &&
         preamble.has_extension("SPV_AMD_shader_ballot");
}

bool is_mentioned_only(std::string_view kind, Word value) {
  return kind == "BuiltIn" && std::find(std::begin(mentioned_built_ins), std::end(mentioned_built_ins),
                                        static_cast<BuiltIn>(value)) != std::end(mentioned_built_ins);
}

}  // namespace

RequirementCheck::RequirementCheck(const Context& context)
    : context_(context),
      fine_opcodes_(context.grammar().instructions.size()),
      fine_enumerants_(context.grammar().enumerants.size()) {}

// One of the list is enough, declared or implied by one that is; an empty list needs none.
bool RequirementCheck::has_any_capability(Slice capabilities) const {
  const auto rows = context_.grammar().capabilities(capabilities);
  return rows.empty() ||
         std::any_of(rows.begin(), rows.end(), [&](std::uint16_t row) { return context_.preamble.has_enumerant(row); });
}

bool RequirementCheck::has_any_extension(Slice extensions) const {
  const auto names = context_.grammar().strings(extensions);
  return std::any_of(names.begin(), names.end(),
                     [&](StringRef name) { return context_.preamble.has_extension(context_.grammar().text(name)); });
}

// Whether an instruction belongs to no version, to no extension, and to no capability of an extension. The grammar has
// a few such rows: numbers that were given away and never came to mean anything.
bool RequirementCheck::is_reserved(const Needs& needs) const {
  if (needs.is_enumerant || !needs.since.is_none() || needs.extensions.count != 0) return false;
  const auto rows = context_.grammar().capabilities(needs.capabilities);
  return std::all_of(rows.begin(), rows.end(), [&](std::uint16_t row) {
    const EnumerantRow& capability = context_.grammar().enumerants[row];
    return !capability.since.is_none() && capability.extensions.count == 0;
  });
}

// Asks for a capability, then for the last version, then for the first one or an extension. A use may lack both a
// capability and an extension; both are reported.
bool RequirementCheck::judge(const Needs& needs, StringRef name, Place place, Report& report) {
  const Grammar& grammar = context_.grammar();
  const Version version = context_.version();
  const auto miss = [&](MissingBySlice& missing, Slice slice) {
    // All uses that lack the same list of the grammar are one finding.
    const auto [found, is_new] =
        missing.try_emplace(key_of(slice), Missing{place, std::string(grammar.text(name)), needs.since, 0});
    if (!is_new) ++found->second.more;
    return false;
  };
  if (is_reserved(needs)) {
    report.add(Rule::Reserved, place, {grammar.text(name)});
    return true;  // once is enough
  }
  bool is_met = true;
  if (!needs.is_capability && !has_any_capability(needs.capabilities)) is_met = miss(capabilities_, needs.capabilities);
  if (!needs.last.is_none() && version > needs.last) {
    report.add(
        Rule::RemovedInVersion, place,
        {grammar.text(name), fmt::format("{}.{}", version.major, version.minor), spirv_version_text(needs.last)});
    return false;
  }
  // An instruction that a capability enables needs nothing beside it: the capability has a version itself. (But for
  // OpTerminateInvocation, which Shader enables and which is younger than Shader.)
  const bool capability_is_enough =
      !needs.is_enumerant && needs.capabilities.count != 0 && grammar.text(name) != "OpTerminateInvocation";
  if (capability_is_enough || (!needs.since.is_none() && version >= needs.since)) return is_met;
  // Younger than the module, but an extension had it earlier.
  if (needs.extensions.count != 0)
    return has_any_extension(needs.extensions) ? is_met : miss(extensions_, needs.extensions);
  if (needs.since.is_none()) return is_met;
  report.add(Rule::MissingExtension, place,
             {grammar.text(name), fmt::format("{} or newer", spirv_version_text(needs.since))});
  return false;
}

void RequirementCheck::check_opcode(const Visit& visit, Report& report) {
  const InstructionRow& row = *visit.decoded->row;
  const std::size_t number = &row - context_.grammar().instructions.data();
  // A row that was refused is asked again at its next use: the count of what is missing grows, and findings of versions
  // stand at each place.
  if (!fine_opcodes_[number]) {
    fine_opcodes_[number] =
        judge({row.capabilities, row.extensions, row.since, row.last}, row.name, visit.at(), report);
  }
  // Extended sets have no versions of SPIR-V here. All modules meet 1.0, so only capabilities are asked for.
  if (const ExtInstRow* inst = visit.decoded->ext_inst; inst != nullptr && !has_any_capability(inst->capabilities)) {
    judge({inst->capabilities, {}, {1, 0}, {}}, inst->name, visit.at(visit.operand(OperandName::instruction)), report);
  }
}

void RequirementCheck::run_enumerants(const Visit& visit, Report& report) {
  for (const Operand& operand : visit.operands) {
    const Word value = visit.view.word(operand.word);
    if (operand.shape == OperandShape::ValueEnum) {
      check_enumerant(visit, operand, value, report);
    } else if (operand.shape == OperandShape::BitEnum) {
      // Bit by bit from the lowest: rest & (~rest + 1) is the lowest bit that is set.
      for (Word rest = value; rest != 0; rest &= rest - 1) check_enumerant(visit, operand, rest & (~rest + 1), report);
    }
  }
}

void RequirementCheck::check_enumerant(const Visit& visit, const Operand& operand, Word value, Report& report) {
  const Grammar& grammar = context_.grammar();
  const EnumerantRow* row = grammar.find_value(operand.kind, value);
  if (row == nullptr) return;
  const std::size_t number = row - grammar.enumerants.data();
  if (fine_enumerants_[number]) return;
  const bool is_capability = operand.kind == grammar.capability_kind;
  const std::string_view kind = grammar.text(grammar.kind(operand.kind).name);
  // Not marked as fine: these are known by kind, and only few uses come here.
  if (is_mentioned_only(kind, value) || is_freed(context_.preamble, kind, value)) return;
  fine_enumerants_[number] = judge({row->capabilities, row->extensions, row->since, row->last, true, is_capability},
                                   row->name, visit.at(operand), report);
}

void RequirementCheck::finish(Report& report) {
  finish_capabilities(report);
  finish_extensions(report);
}

// A module without Shader lacks Matrix as well, which Shader implies: that is one fault. So lists that one capability
// would meet are reported together, and capabilities that meet the most lists come first.
void RequirementCheck::finish_capabilities(Report& report) {
  const Grammar& grammar = context_.grammar();
  std::vector<Gap> gaps;
  for (const auto& [key, missing] : capabilities_) { gaps.push_back({grammar.capabilities(slice_of(key)), &missing}); }
  std::ranges::sort(gaps, {},
                    [](const Gap& gap) { return std::pair(gap.missing->place.instruction, gap.missing->place.word); });
  for (const Remedy& remedy : remedies(gaps)) tell_missing(remedy, gaps, report);
  capabilities_.clear();
}

// Every capability that some list names, with the lists that it meets, by itself or by what it implies.
std::vector<RequirementCheck::Remedy> RequirementCheck::remedies(std::span<const Gap> gaps) const {
  std::map<std::uint16_t, std::vector<std::uint32_t>> gaps_of;  // by capability that they name
  for (std::uint32_t i = 0; i < gaps.size(); ++i) {
    for (const std::uint16_t row : gaps[i].capabilities) gaps_of[row].push_back(i);
  }
  std::vector<Remedy> remedies;
  for (const auto& [capability, direct] : gaps_of) {
    Remedy remedy{capability, direct[0], direct};
    for (const std::uint16_t implied : implied_capabilities(context_.grammar(), capability)) {
      if (const auto found = gaps_of.find(implied); found != gaps_of.end())
        remedy.met.insert(remedy.met.end(), found->second.begin(), found->second.end());
    }
    std::ranges::sort(remedy.met);
    remedy.met.erase(std::unique(remedy.met.begin(), remedy.met.end()), remedy.met.end());
    remedies.push_back(std::move(remedy));
  }
  std::ranges::sort(remedies, {}, [](const Remedy& r) { return std::tuple(~r.met.size(), r.first, r.capability); });
  return remedies;
}

// Reports those lists of a remedy that were not reported yet: the first one that names it is the finding, the others
// are its notes.
void RequirementCheck::tell_missing(const Remedy& remedy, std::span<Gap> gaps, Report& report) const {
  const auto names_it = [&](std::uint32_t i) {
    return !gaps[i].is_told && std::ranges::find(gaps[i].capabilities, remedy.capability) != gaps[i].capabilities.end();
  };
  const auto first = std::ranges::find_if(remedy.met, names_it);
  if (first == remedy.met.end()) return;  // those that are left are met by what they name
  Gap& told = gaps[*first];
  told.is_told = true;
  report.add(Rule::MissingCapability, told.missing->place, {told.missing->what, names_of(told)});
  if (told.missing->more != 0)
    report.note(told.missing->place, fmt::format("{} more uses need the same", told.missing->more));
  bool is_alone = true;
  for (const std::uint32_t i : remedy.met) {
    if (std::exchange(gaps[i].is_told, true)) continue;
    is_alone = false;
    report.note(gaps[i].missing->place, fmt::format("{} needs {}", gaps[i].missing->what, names_of(gaps[i])));
  }
  // Where several capabilities would do, nothing says which of them the author meant, so none is suggested.
  if (told.capabilities.size() != 1 && is_alone) return;
  const Grammar& grammar = context_.grammar();
  report.hint(fmt::format("OpCapability {}", grammar.text(grammar.enumerants[remedy.capability].name)));
}

// "the capability Shader or Kernel"
std::string RequirementCheck::names_of(const Gap& gap) const {
  const Grammar& grammar = context_.grammar();
  std::string names;
  for (const std::uint16_t row : gap.capabilities) {
    names.append(names.empty() ? "the capability " : " or ").append(grammar.text(grammar.enumerants[row].name));
  }
  return names;
}

// The shortest lists come first, as they leave the least choice.
std::vector<RequirementCheck::Wanted> RequirementCheck::wanted_extensions() const {
  std::vector<Wanted> all;
  for (const auto& [key, missing] : extensions_) {
    all.push_back({context_.grammar().strings(slice_of(key)), &missing, {}});
  }
  std::ranges::sort(all, {}, [](const Wanted& wanted) {
    const Place place = wanted.missing->place;
    return std::tuple(wanted.names.size(), place.instruction, place.word);
  });
  return all;
}

// "SPIR-V 1.4, or the extension SPV_A or SPV_B"
std::string RequirementCheck::names_of(const Wanted& wanted) const {
  const Version since = wanted.missing->since;
  std::string text = since.is_none() ? "" : fmt::format("{}, or ", spirv_version_text(since));
  for (const StringRef row : wanted.names)
    text.append(row == wanted.names[0] ? "the extension " : " or ").append(context_.grammar().text(row));
  return text;
}

// The same for extensions: a list that contains an extension which is suggested already becomes a note.
void RequirementCheck::finish_extensions(Report& report) {
  std::vector<Wanted> all = wanted_extensions();
  std::vector<Wanted*> told;
  for (Wanted& wanted : all) {
    const auto brings = [&](const Wanted* other) {
      return std::ranges::find(wanted.names, other->names[0]) != wanted.names.end();
    };
    const auto found = std::ranges::find_if(told, brings);
    if (found == told.end()) told.push_back(&wanted);
    else (*found)->others.push_back(&wanted);
  }
  for (const Wanted* wanted : told) {
    const Missing& missing = *wanted->missing;
    report.add(Rule::MissingExtension, missing.place, {missing.what, names_of(*wanted)});
    if (missing.more != 0) report.note(missing.place, fmt::format("{} more uses need the same", missing.more));
    for (const Wanted* other : wanted->others)
      report.note(other->missing->place, fmt::format("{} needs {}", other->missing->what, names_of(*other)));
    report.hint(fmt::format("OpExtension \"{}\"", context_.grammar().text(wanted->names[0])));
  }
  extensions_.clear();
}

}  // namespace vireo::spirv

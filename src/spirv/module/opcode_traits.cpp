// SPDX-License-Identifier: Apache-2.0
//
// Sections and function parts of opcodes (specification 2.4). Two tables, in order of priority: single opcodes; then
// printing classes and name prefixes, which also cover opcodes of other grammars.
#include "spirv/module/opcode_traits.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

namespace vireo::spirv {
namespace {

// --- single opcodes -----------------------------------------------------------------------------------------------------

// A row: the opcode, its section, how strictly it is bound to that section, and its part in a function body. An opcode
// without a row is classified by its printing class or its name.
struct OpcodePlace {
  Op opcode;
  Section home;
  SectionPlace place = SectionPlace::Home;
  BodyPart part = BodyPart::Ordinary;
};

using enum SectionPlace;

// clang-format off
constexpr OpcodePlace opcode_places[] = {
    // Permitted in many places.
    {Op::OpNop,                Section::Functions, Anywhere, BodyPart::Aside},
    {Op::OpLine,               Section::Functions, Anywhere, BodyPart::Aside},
    {Op::OpNoLine,             Section::Functions, Anywhere, BodyPart::Aside},
    {Op::OpExtInst,            Section::Globals,   GlobalsAndFunctions, BodyPart::Aside},
    {Op::OpExtInstWithForwardRefsKHR, Section::Globals, GlobalsAndFunctions, BodyPart::Aside},
    {Op::OpUndef,              Section::Globals,   GlobalsAndFunctions},
    {Op::OpVariable,           Section::Globals,   GlobalsAndFunctions},
    {Op::OpUntypedVariableKHR, Section::Globals,   GlobalsAndFunctions},
    {Op::OpPoisonKHR,          Section::Globals,   GlobalsAndFunctions},

    // Instructions before the types, in layout order. Conditional forms have the section of the plain ones.
    {Op::OpCapability,                 Section::Capabilities},
    {Op::OpConditionalCapabilityINTEL, Section::Capabilities},
    {Op::OpExtension,                  Section::Extensions},
    {Op::OpConditionalExtensionINTEL,  Section::Extensions},
    {Op::OpExtInstImport,              Section::Imports},
    {Op::OpMemoryModel,                Section::MemoryModel},
    {Op::OpSamplerImageAddressingModeNV, Section::MemoryModel},
    {Op::OpEntryPoint,                 Section::EntryPoints},
    {Op::OpConditionalEntryPointINTEL, Section::EntryPoints},
    {Op::OpExecutionMode,              Section::ExecutionModes},
    {Op::OpExecutionModeId,            Section::ExecutionModes},
    {Op::OpString,                     Section::Sources},
    {Op::OpSource,                     Section::Sources},
    {Op::OpSourceExtension,            Section::Sources},
    {Op::OpSourceContinued,            Section::Sources},
    {Op::OpName,                       Section::Names},
    {Op::OpMemberName,                 Section::Names},
    {Op::OpModuleProcessed,            Section::ModuleProcessed},
    // They precede the annotations (declaration_order.h).
    {Op::OpAliasDomainDeclINTEL,       Section::Annotations},
    {Op::OpAliasScopeDeclINTEL,        Section::Annotations},
    {Op::OpAliasScopeListDeclINTEL,    Section::Annotations},

    // Globals that no printing class below covers or that are also permitted elsewhere; then graphs (SPV_ARM_graph).
    {Op::OpConstantPipeStorage,        Section::Globals, GlobalsAndFunctions},
    {Op::OpAsmTargetINTEL,             Section::Globals},
    {Op::OpAsmINTEL,                   Section::Globals},
    {Op::OpGraphConstantARM,           Section::Globals},
    {Op::OpGraphEntryPointARM,         Section::Graphs},
    {Op::OpGraphARM,                   Section::Graphs},
    {Op::OpGraphInputARM,              Section::Graphs},
    {Op::OpGraphSetOutputARM,          Section::Graphs},
    {Op::OpGraphEndARM,                Section::Graphs},

    // Parts of functions.
    {Op::OpFunction,             Section::Functions, Home, BodyPart::Function},
    {Op::OpFunctionParameter,    Section::Functions, Home, BodyPart::Parameter},
    {Op::OpFunctionEnd,          Section::Functions, Home, BodyPart::FunctionEnd},
    {Op::OpLabel,                Section::Functions, Home, BodyPart::Label},
    {Op::OpSelectionMerge,       Section::Functions, Home, BodyPart::Merge},
    {Op::OpLoopMerge,            Section::Functions, Home, BodyPart::Merge},

    // Block terminators (specification 2.2.5, termination instruction), which the grammar does not mark.
    {Op::OpBranch,               Section::Functions, Home, BodyPart::Terminator},
    {Op::OpBranchConditional,    Section::Functions, Home, BodyPart::Terminator},
    {Op::OpSwitch,               Section::Functions, Home, BodyPart::Terminator},
    {Op::OpKill,                 Section::Functions, Home, BodyPart::Terminator},
    {Op::OpReturn,               Section::Functions, Home, BodyPart::Terminator},
    {Op::OpReturnValue,          Section::Functions, Home, BodyPart::Terminator},
    {Op::OpUnreachable,          Section::Functions, Home, BodyPart::Terminator},
    {Op::OpTerminateInvocation,  Section::Functions, Home, BodyPart::Terminator},
    {Op::OpIgnoreIntersectionKHR, Section::Functions, Home, BodyPart::Terminator},
    {Op::OpTerminateRayKHR,      Section::Functions, Home, BodyPart::Terminator},
    {Op::OpEmitMeshTasksEXT,     Section::Functions, Home, BodyPart::Terminator},
    {Op::OpAbortKHR,             Section::Functions, Home, BodyPart::Terminator},
};

// --- classes and names --------------------------------------------------------------------------------------------------

// Classes are those of the machine-readable grammar (instruction_printing_class).
struct ClassPlace {
  std::string_view printing_class;
  Section home;
};
constexpr ClassPlace class_places[] = {
    {"Annotation",        Section::Annotations},
    {"Debug",             Section::Names},
    {"Mode-Setting",      Section::ExecutionModes},
    {"Extension",         Section::Extensions},
    {"Type-Declaration",  Section::Globals},
    {"Constant-Creation", Section::Globals},
};

// Types and constants of vendors often have no class, or the class of the vendor.
constexpr std::string_view global_beginnings[] = {"OpType", "OpConstant", "OpSpecConstant"};
// clang-format on

// The table above is grouped for readers; this copy is sorted by opcode at compile time.
constexpr auto by_opcode = [] {
  auto rows = std::to_array(opcode_places);
  std::ranges::sort(rows, {}, &OpcodePlace::opcode);
  return rows;
}();

// An opcode that no row above matches belongs to functions, like most instructions of new extensions.
Section home_of(const Grammar& grammar, const InstructionRow& row) {
  const std::string_view printing_class = grammar.text(grammar.printing_classes[row.printing_class]);
  for (const ClassPlace& place : class_places) {
    if (place.printing_class == printing_class) return place.home;
  }
  const std::string_view name = grammar.text(row.name);
  const bool is_global = std::any_of(std::begin(global_beginnings), std::end(global_beginnings),
                                     [&](std::string_view beginning) { return name.starts_with(beginning); });
  return is_global ? Section::Globals : Section::Functions;
}

// Instructions that begin or end a function or block have no plain place, because the reader has to process each one.
// The others are plain only where they do not change the reader's section: the first instruction of a section is not
// plain.
std::uint32_t plain_places_of(const OpcodeTraits& traits) {
  constexpr std::uint32_t sections = (1u << section_count) - 1, function = 1u << ReadingPlace::in_function,
                          block = 1u << ReadingPlace::in_block;
  const bool is_aside = traits.part == BodyPart::Aside;
  if (traits.part != BodyPart::Ordinary && !is_aside) return 0;
  // Line information and similar instructions may also be between blocks; all other instructions of a body are only in
  // blocks.
  const std::uint32_t home = 1u << static_cast<unsigned>(traits.home), body = is_aside ? function | block : block;
  switch (traits.place) {
    case SectionPlace::Home: return traits.home == Section::Functions ? body : home;
    case SectionPlace::GlobalsAndFunctions: return home | body;
    case SectionPlace::Anywhere: return sections | body;
  }
  return 0;
}

void find_place(const Grammar& grammar, const InstructionRow& row, OpcodeTraits& traits) {
  const auto opcode = row.opcode;
  const auto place = std::ranges::lower_bound(by_opcode, opcode, {}, &OpcodePlace::opcode);
  if (place == by_opcode.end() || place->opcode != opcode) {
    traits.home = home_of(grammar, row);
    return;
  }
  traits.home = place->home;
  traits.place = place->place;
  traits.part = place->part;
}

}  // namespace

OpcodeTraits traits_of(const Grammar& grammar, const InstructionRow* row) {
  OpcodeTraits traits;
  if (row == nullptr) {
    // For an unknown opcode, neither the section nor the presence of a result is known.
    traits.place = SectionPlace::Anywhere;
  } else {
    traits.result_word = static_cast<std::uint8_t>(row->result_word());
    find_place(grammar, *row, traits);
  }
  traits.plain_places = plain_places_of(traits);
  return traits;
}

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// Where opcodes belong (specification 2.4). Two tables, asked in this order: opcodes by themselves, then printing
// classes and beginnings of names, which hold for the opcodes of any grammar.
#include "spirv/module/opcode_traits.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

namespace vireo::spirv {
namespace {

// --- opcodes by themselves ----------------------------------------------------------------------------------------------

// A row: the opcode, the section that it belongs into, how strictly it does, and its part in the body of a function.
// What has no row goes by its printing class, or by its name.
struct OpcodePlace {
  Op opcode;
  Section home;
  SectionPlace place = SectionPlace::Home;
  BodyPart part = BodyPart::Ordinary;
};

using enum SectionPlace;

// clang-format off
constexpr OpcodePlace opcode_places[] = {
    // May stand in many places: nothing can be said against them here.
    {Op::OpNop,                Section::Functions, Anywhere, BodyPart::Aside},
    {Op::OpLine,               Section::Functions, Anywhere, BodyPart::Aside},
    {Op::OpNoLine,             Section::Functions, Anywhere, BodyPart::Aside},
    {Op::OpExtInst,            Section::Globals,   GlobalsAndFunctions, BodyPart::Aside},
    {Op::OpExtInstWithForwardRefsKHR, Section::Globals, GlobalsAndFunctions, BodyPart::Aside},
    {Op::OpUndef,              Section::Globals,   GlobalsAndFunctions},
    {Op::OpVariable,           Section::Globals,   GlobalsAndFunctions},
    {Op::OpUntypedVariableKHR, Section::Globals,   GlobalsAndFunctions},
    {Op::OpPoisonKHR,          Section::Globals,   GlobalsAndFunctions},

    // What stands before the types, in the order of the layout. Conditional forms go where the plain ones do.
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

    // Globals that no printing class below has, or that may stand elsewhere as well; then graphs (SPV_ARM_graph).
    {Op::OpConstantPipeStorage,        Section::Globals, GlobalsAndFunctions},
    {Op::OpAliasDomainDeclINTEL,       Section::Globals},
    {Op::OpAliasScopeDeclINTEL,        Section::Globals},
    {Op::OpAliasScopeListDeclINTEL,    Section::Globals},
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

    // What ends a block (specification 2.2.5, termination instruction): no grammar says so.
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

// Vendors' types and constants are often in no class, or in a class of their vendor's.
constexpr std::string_view global_beginnings[] = {"OpType", "OpConstant", "OpSpecConstant"};
// clang-format on

// The table is written for those who read it, and searched by opcode: it is sorted when this is compiled.
constexpr auto by_opcode = [] {
  auto rows = std::to_array(opcode_places);
  std::ranges::sort(rows, {}, &OpcodePlace::opcode);
  return rows;
}();

// What is nothing of all this is code, as most instructions of new extensions are.
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

// What begins or ends something has no plain place: the reader has to see each one. Of the others, only places where
// the reader's section stays what it is: an instruction that has yet to enter its own is not plain before that.
std::uint32_t plain_places_of(const OpcodeTraits& traits) {
  constexpr std::uint32_t sections = (1u << section_count) - 1, function = 1u << ReadingPlace::in_function,
                          block = 1u << ReadingPlace::in_block;
  const bool is_aside = traits.part == BodyPart::Aside;
  if (traits.part != BodyPart::Ordinary && !is_aside) return 0;
  // Line information and the like may stand between blocks, too; everything else of a body only within them.
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
    // Nobody can say where an unknown instruction belongs, or whether it has a result.
    traits.place = SectionPlace::Anywhere;
  } else {
    if ((row->flags & HasResult) != 0) traits.result_word = (row->flags & HasResultType) != 0 ? 2 : 1;
    find_place(grammar, *row, traits);
  }
  traits.plain_places = plain_places_of(traits);
  return traits;
}

}  // namespace vireo::spirv

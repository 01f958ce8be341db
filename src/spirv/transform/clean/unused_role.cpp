// SPDX-License-Identifier: Apache-2.0
//
// The roles of opcodes (unused_role.h): by name where the specification describes the instruction, else by the
// grammar's class. So a new arithmetic instruction is pure without a change here, and any other new one is needed.
#include "spirv/transform/clean/unused_role.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "spirv/module/opcode_traits.h"
#include "vireo/spirv/grammar/enums.h"

namespace vireo::spirv {
namespace {

using enum Op;

struct RoleRow {
  Op opcode;
  UnusedRole role;
};
constexpr RoleRow role_rows[] = {
    {OpUndef, UnusedRole::Pure},
    {OpNop, UnusedRole::Pure},
    {OpSizeOf, UnusedRole::Pure},
    {OpExpectKHR, UnusedRole::Pure},
    {OpPhi, UnusedRole::Pure},
    {OpCooperativeMatrixLengthKHR, UnusedRole::Pure},
    {OpImageTexelPointer, UnusedRole::Pure},
    {OpRawAccessChainNV, UnusedRole::Pure},
    {OpArrayLength, UnusedRole::Pure},
    {OpUntypedArrayLengthKHR, UnusedRole::Pure},
    {OpGenericPtrMemSemantics, UnusedRole::Pure},
    {OpPtrEqual, UnusedRole::Pure},
    {OpPtrNotEqual, UnusedRole::Pure},
    {OpPtrDiff, UnusedRole::Pure},
    {OpLoad, UnusedRole::Load},
    {OpStore, UnusedRole::Store},
    {OpBranch, UnusedRole::Branch},
    {OpBranchConditional, UnusedRole::Branch},
    {OpSwitch, UnusedRole::Branch},
    {OpSelectionMerge, UnusedRole::Merge},
    {OpLoopMerge, UnusedRole::Merge},
    {OpLabel, UnusedRole::Part},
    {OpFunctionParameter, UnusedRole::Part},
    {OpFunctionEnd, UnusedRole::Part},
    {OpFunction, UnusedRole::Function},
    {OpExtInstImport, UnusedRole::Import},
    {OpLifetimeStart, UnusedRole::Lifetime},
    {OpLifetimeStop, UnusedRole::Lifetime},
    {OpTypeForwardPointer, UnusedRole::Forward},
};

struct FamilyRow {
  bool (*has)(Op opcode);
  UnusedRole role;
};
constexpr FamilyRow family_rows[] = {
    {is_access_chain, UnusedRole::Pure},  {is_memory_copy, UnusedRole::Store}, {is_continuation, UnusedRole::Continued},
    {is_line, UnusedRole::Line},          {is_variable, UnusedRole::Variable}, {is_extended, UnusedRole::Extended},
    {gives_name, UnusedRole::Annotation},
};

// Applies to the instructions of a class that have a result.
struct ClassRow {
  std::string_view printing_class;
  UnusedRole role;
};
constexpr ClassRow class_rows[] = {
    {"Annotation", UnusedRole::Annotation},
    {"Type-Declaration", UnusedRole::Type},
    {"Constant-Creation", UnusedRole::Constant},
    {"Composite", UnusedRole::Pure},
    {"Conversion", UnusedRole::Pure},
    {"Arithmetic", UnusedRole::Pure},
    {"Bit", UnusedRole::Pure},
    {"Relational_and_Logical", UnusedRole::Pure},
    {"Derivative", UnusedRole::Pure},
    {"Image", UnusedRole::Load},
};

}  // namespace

UnusedRole unused_role_of(const Grammar& grammar, const InstructionRow* row) {
  if (row == nullptr) return UnusedRole::Needed;
  for (const FamilyRow& family : family_rows) {
    if (family.has(row->opcode)) return family.role;
  }
  const auto by_opcode = std::ranges::find(role_rows, row->opcode, &RoleRow::opcode);
  if (by_opcode != std::end(role_rows)) return by_opcode->role;
  const std::string_view printing_class = grammar.text(grammar.printing_classes[row->printing_class]);
  const auto by_class = std::ranges::find(class_rows, printing_class, &ClassRow::printing_class);
  if (by_class == std::end(class_rows)) return UnusedRole::Needed;
  return (row->flags & HasResult) != 0 || by_class->role == UnusedRole::Annotation ? by_class->role
                                                                                   : UnusedRole::Needed;
}

bool is_pure_set(std::string_view set) {
  return set == "GLSL.std.450" || set == "OpenCL.std" || set.starts_with("SPV_AMD_");
}

}  // namespace vireo::spirv

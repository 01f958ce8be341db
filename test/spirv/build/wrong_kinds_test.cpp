// SPDX-License-Identifier: Apache-2.0
//
// Calls that must not compile: operands of a wrong kind, missing parameters, ids of another class.
//
// A concept tests whether a call compiles, so "does not compile" is an ordinary assertion. Each call that
// must not compile is paired with one that must; otherwise a misspelled test would pass.
#include <gtest/gtest.h>

#include <string_view>

#include "vireo/spirv/build/builder.h"

namespace vireo::spirv {
namespace {

// A call of the method with these arguments.
#define TAKES(method)                                                      \
  template <typename... Arguments>                                         \
  concept takes_##method = requires(Builder & b, Arguments... arguments) { \
    b.method(arguments...);                                                \
  }
TAKES(OpIAdd);
TAKES(OpTypePointer);
TAKES(OpTypeInt);
TAKES(OpBranch);
TAKES(OpBranchConditional);
TAKES(OpFunctionCall);
TAKES(OpEntryPoint);
TAKES(OpName);
TAKES(OpDecorate);
TAKES(OpExecutionMode);
TAKES(OpLoad);
TAKES(OpPhi);
TAKES(OpSelectionMerge);
TAKES(OpExtInst);
TAKES(OpLine);
TAKES(OpMemberDecorate);
TAKES(OpConstant);
#undef TAKES

TEST(WrongKinds, a_value_is_not_a_type) {
  static_assert(takes_OpIAdd<TypeId, ValueId, ValueId>);
  static_assert(!takes_OpIAdd<ValueId, ValueId, ValueId>);
  static_assert(!takes_OpIAdd<TypeId, TypeId, ValueId>);
  static_assert(!takes_OpIAdd<TypeId, ValueId>);
  static_assert(!takes_OpIAdd<TypeId, ValueId, AnyId>);
  static_assert(!takes_OpIAdd<Word, Word, Word>);
}

TEST(WrongKinds, an_enumerant_has_its_kind) {
  static_assert(takes_OpTypePointer<StorageClass, TypeId>);
  static_assert(!takes_OpTypePointer<Decoration, TypeId>);
  static_assert(!takes_OpTypePointer<Word, TypeId>);
  static_assert(takes_OpSelectionMerge<LabelId, SelectionControl>);
  static_assert(!takes_OpSelectionMerge<LabelId, LoopControl>);
}

TEST(WrongKinds, a_literal_is_not_an_id) {
  static_assert(takes_OpTypeInt<Word, Word>);
  static_assert(!takes_OpTypeInt<ValueId, Word>);
  static_assert(takes_OpConstant<TypeId, int> && takes_OpConstant<TypeId, double>);
  static_assert(!takes_OpConstant<TypeId, ValueId>);
  static_assert(!takes_OpConstant<TypeId, bool>);
}

TEST(WrongKinds, labels_functions_sets_and_strings_are_distinct) {
  static_assert(takes_OpBranch<LabelId> && !takes_OpBranch<ValueId> && !takes_OpBranch<FunctionId>);
  static_assert(takes_OpBranchConditional<ValueId, LabelId, LabelId>);
  static_assert(!takes_OpBranchConditional<LabelId, LabelId, LabelId>);
  static_assert(takes_OpFunctionCall<TypeId, FunctionId> && !takes_OpFunctionCall<TypeId, ValueId>);
  static_assert(takes_OpEntryPoint<ExecutionModel, FunctionId, std::string_view>);
  static_assert(!takes_OpEntryPoint<ExecutionModel, LabelId, std::string_view>);
  static_assert(takes_OpExtInst<TypeId, SetId, Word> && !takes_OpExtInst<TypeId, ValueId, Word>);
  static_assert(takes_OpLine<StringId, Word, Word> && !takes_OpLine<ValueId, Word, Word>);
}

TEST(WrongKinds, every_result_can_be_named) {
  static_assert(takes_OpName<TypeId, const char*> && takes_OpName<LabelId, const char*>);
  static_assert(takes_OpName<FunctionId, const char*> && takes_OpName<AnyId, const char*>);
  static_assert(!takes_OpName<Word, const char*>);
  static_assert(takes_OpMemberDecorate<TypeId, Word, Decoration> && !takes_OpMemberDecorate<ValueId, Word, Decoration>);
}

// Factories of enumerants take their parameters, each with its kind.
template <typename... Arguments>
concept makes_built_in = requires(Arguments... arguments) {
  DecorationWith::BuiltIn(arguments...);
};
template <typename... Arguments>
concept makes_local_size = requires(Arguments... arguments) {
  ExecutionModeWith::LocalSize(arguments...);
};

TEST(WrongKinds, parameters_of_enumerants_have_kinds) {
  static_assert(makes_built_in<BuiltIn> && !makes_built_in<Word> && !makes_built_in<>);
  static_assert(makes_local_size<Word, Word, Word> && !makes_local_size<Word, Word>);
  static_assert(takes_OpDecorate<AnyId, DecorationWith> && !takes_OpDecorate<AnyId, ExecutionModeWith>);
  static_assert(takes_OpExecutionMode<FunctionId, ExecutionModeWith>);
  static_assert(!takes_OpExecutionMode<FunctionId, DecorationWith>);
}

TEST(WrongKinds, masks_with_parameters_are_structs) {
  static_assert(takes_OpLoad<TypeId, ValueId> && takes_OpLoad<TypeId, ValueId, MemoryAccessWith>);
  static_assert(!takes_OpLoad<TypeId, ValueId, ImageOperandsWith>);
  static_assert(!takes_OpLoad<TypeId, ValueId, MemoryAccess>);  // {MemoryAccess::Volatile}: no more parameters
}

TEST(WrongKinds, pairs_take_the_kinds_of_their_parts) {
  static_assert(takes_OpPhi<TypeId, List<PhiSource>>);
  static_assert(!takes_OpPhi<TypeId, List<SwitchTarget>>);
  static_assert(!takes_OpPhi<TypeId, List<ValueId>>);
}

}  // namespace
}  // namespace vireo::spirv

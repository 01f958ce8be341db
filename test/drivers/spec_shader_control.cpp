// SPDX-License-Identifier: Apache-2.0
//
// Shaders in which specialization constants determine the control flow, the lengths of arrays and the size of a
// workgroup.
//
// Source: specification 2.11 (structured control flow), OpTypeArray; Vulkan specification, "Compute Shaders"
// (LocalSizeId, WorkgroupSize).
#include "drivers/spec_shader.h"

namespace vireo::drivers {
namespace {

// --- control flow -------------------------------------------------------------------------------------------------------

// Each construct that Specializer can prune: a selection, a switch with a case that falls through, a loop whose number
// of turns is a constant, a loop that may never begin, and a function that is called in one branch only. OpPhi has
// operands of constants and of pruned blocks.
//
// `$` is an integer type. %n, %a and %b are numbers, %c and %d are Booleans.
constexpr std::string_view control_declarations = R"(
%k0 = OpConstant %$ 0
%k1 = OpConstant %$ 1
%k3 = OpConstant %$ 3
%k7 = OpConstant %$ 7
%limit = OpSpecConstantOp %$ IAdd %n %k3
%odd = OpSpecConstantOp %$ BitwiseAnd %a %k1
%is_odd = OpSpecConstantOp %bool IEqual %odd %k1
%is_less = OpSpecConstantOp %bool ULessThan %a %b
%both = OpSpecConstantOp %bool LogicalAnd %is_less %c
%selector = OpSpecConstantOp %$ BitwiseAnd %b %k7
%unary = OpTypeFunction %$ %$
%pointer = OpTypePointer Private %$
%variable = OpVariable %pointer Private %limit
)";
constexpr std::string_view control_body = R"(
OpSelectionMerge %if_end None
OpBranchConditional %both %if_then %if_else
%if_then = OpLabel
%then_value = OpIAdd %$ %a %k3
OpBranch %if_end
%if_else = OpLabel
%else_value = OpFunctionCall %$ %called %b
OpStore %variable %else_value
OpBranch %if_end
%if_end = OpLabel
%if_value = OpPhi %$ %then_value %if_then %else_value %if_else
%if_constant = OpPhi %$ %a %if_then %limit %if_else
OpSelectionMerge %switch_end None
OpSwitch %selector %switch_default 0 %case_0 1 %case_1 5 %case_5
%case_0 = OpLabel
OpBranch %case_1
%case_1 = OpLabel
%case_constant = OpPhi %$ %k3 %if_end %a %case_0
OpBranch %switch_end
%case_5 = OpLabel
%case_sum = OpISub %$ %if_value %b
OpBranch %switch_end
%switch_default = OpLabel
OpBranch %switch_end
%switch_end = OpLabel
%switch_value = OpPhi %$ %case_constant %case_1 %case_sum %case_5 %selector %switch_default
OpBranch %loop
%loop = OpLabel
%i = OpPhi %$ %k0 %switch_end %i_next %loop_more
%sum = OpPhi %$ %switch_value %switch_end %added %loop_more
OpLoopMerge %loop_end %loop_more None
OpBranch %loop_test
%loop_test = OpLabel
%goes_on = OpULessThan %bool %i %limit
OpBranchConditional %goes_on %loop_body %loop_end
%loop_body = OpLabel
%tripled = OpIMul %$ %sum %k3
%added = OpIAdd %$ %tripled %i
%is_third = OpIEqual %bool %i %k3
%leaves = OpLogicalAnd %bool %is_third %is_odd
OpBranchConditional %leaves %loop_end %loop_more
%loop_more = OpLabel
%i_next = OpIAdd %$ %i %k1
OpBranch %loop
%loop_end = OpLabel
%loop_value = OpPhi %$ %sum %loop_test %added %loop_body
OpBranch %while
%while = OpLabel
%turns = OpPhi %$ %k0 %loop_end %turns_next %while_more
OpLoopMerge %while_end %while_more None
OpBranchConditional %d %while_body %while_end
%while_body = OpLabel
%turned = OpIEqual %bool %turns %k7
OpBranchConditional %turned %while_end %while_more
%while_more = OpLabel
%turns_next = OpIAdd %$ %turns %k1
OpBranch %while
%while_end = OpLabel
%variable_value = OpLoad %$ %variable
)";
constexpr std::string_view control_functions = R"(
%called = OpFunction %$ None %unary
%parameter = OpFunctionParameter %$
%called_entry = OpLabel
OpSelectionMerge %called_end None
OpBranchConditional %is_odd %called_then %called_end
%called_then = OpLabel
%called_sum = OpIAdd %$ %parameter %limit
OpReturnValue %called_sum
%called_end = OpLabel
%called_product = OpIMul %$ %parameter %k7
OpReturnValue %called_product
OpFunctionEnd
)";

// Gives a specialization constant a name, for the text: an operation whose result is its operand.
void name_input(SpecShader& shader, std::string_view name, const Value& input) {
  const std::string_view one = input.shape.type->is_bool() ? "LogicalOr" : "BitwiseOr";
  shader.declare(std::string(name) + " = OpSpecConstantOp " + shader.type_id(input.shape) + " " + std::string(one) +
                 " " + input.id + " " + input.id + "\n");
}

}  // namespace

void add_control(SpecShader& shader, const ScalarType& type) {
  name_input(shader, "%n", shader.input(type, Role::Size, 0, 6));
  name_input(shader, "%a", shader.input(type, Role::First, 0));
  name_input(shader, "%b", shader.input(type, Role::Second, 0));
  name_input(shader, "%c", shader.input(scalar_type("bool"), Role::First, 0));
  name_input(shader, "%d", shader.input(scalar_type("bool"), Role::First, 1));
  shader.use_variable("%variable");
  shader.declare(control_declarations, type.name);
  shader.execute(control_body, type.name);
  shader.define(control_functions, type.name);
  for (const std::string_view name : {"%if_value", "%if_constant"}) {
    shader.result("OpBranchConditional, OpPhi", {std::string(name), {&type}});
  }
  shader.result("OpSwitch, OpPhi", {"%switch_value", {&type}});
  shader.result("OpLoopMerge", {"%loop_value", {&type}});
  shader.result("OpLoopMerge with a constant condition", {"%turns", {&type}});
  shader.result("initializer", {"%variable_value", {&type}});
}

// --- sizes --------------------------------------------------------------------------------------------------------------

// Arrays whose length is an operation of this type; each element is written and read.
void add_array_lengths(SpecShader& shader, const ScalarType& type) {
  const Value x = shader.input(type, Role::Size, 0, 7), y = shader.input(type, Role::Size, 1, 5);
  const Value product = shader.operation({&type}, "IMul", {x, y});
  const Value length = shader.operation({&type}, "IAdd", {product, y});
  shader.declare("%length = OpSpecConstantOp %u32 " +
                 std::string(type.width == 32 ? "BitwiseOr " + length.id + " " : "UConvert ") + length.id + "\n");
  shader.declare(
      "%array = OpTypeArray %u32 " + length.id + "\n%rows = OpTypeArray %array " + y.id +
      "\n%holder = OpTypeStruct %u32 %array %rows\n"
      "%null_holder = OpConstantNull %holder\n"
      "%pointer_to_holder = OpTypePointer Private %holder\n%pointer_to_element = OpTypePointer Private %u32\n"
      "%variable = OpVariable %pointer_to_holder Private %null_holder\n%two = OpConstant %u32 2\n");
  shader.use_variable("%variable");
  shader.execute(R"(
OpBranch %loop
%loop = OpLabel
%i = OpPhi %u32 %zero_word %body %i_next %loop_more
%sum = OpPhi %u32 %zero_word %body %sum_next %loop_more
OpLoopMerge %loop_end %loop_more None
OpBranch %loop_test
%loop_test = OpLabel
%goes_on = OpULessThan %bool %i %length
OpBranchConditional %goes_on %loop_more %loop_end
%loop_more = OpLabel
%square = OpIMul %u32 %i %i
%element = OpAccessChain %pointer_to_element %variable %one_word %i
OpStore %element %square
%in_row = OpAccessChain %pointer_to_element %variable %two %zero_word %i
OpStore %in_row %i
%row_now = OpLoad %u32 %in_row
%element_now = OpLoad %u32 %element
%sum_now = OpIAdd %u32 %sum %element_now
%sum_next = OpIAdd %u32 %sum_now %row_now
%i_next = OpIAdd %u32 %i %one_word
OpBranch %loop
%loop_end = OpLabel
)");
  shader.result("array length", {"%sum", {&scalar_type("u32")}});
  shader.result("array length", length);
}

// All invocations store the same results. The last word of the buffer counts them, so that it shows the size that the
// driver uses.
void add_workgroup_size(SpecShader& shader, bool has_built_in) {
  const ScalarType& type = scalar_type("u32");
  const Value x = shader.input(type, Role::Size, 0, 4), y = shader.input(type, Role::Size, 1, 3);
  const Value product = shader.operation({&type}, "IMul", {x, y});
  const Value size = shader.vector(Values{product, y, x});
  if (has_built_in) {
    shader.decorate("OpDecorate " + size.id + " BuiltIn WorkgroupSize\n");
  } else {
    shader.modes("OpExecutionModeId %main LocalSizeId " + product.id + " " + y.id + " " + x.id + "\n");
  }
  shader.result(has_built_in ? "WorkgroupSize" : "LocalSizeId", size);
}

}  // namespace vireo::drivers

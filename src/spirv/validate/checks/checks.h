// SPDX-License-Identifier: Apache-2.0
//
// The groups of checks, and when each group runs.
//
// A stage runs after the stages that check its preconditions. The order within a stage does not matter.
// The list below has the order of validate.cpp; walk.cpp runs the three stages in the middle.
//
//   header, layout        header words and the layout violations that Module found
//   declarations          capabilities, types and variables, compared with each other
//   ids, requirements     each decoded instruction once; dominance of the ids that it uses
//   typing, Check tables  the same instruction, if its ids are sound
//   functions             control flow, after the last instruction of each function
//   whole module          entry points, decorations, interfaces
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "spirv/validate/core/by_instruction.h"
#include "spirv/validate/core/check.h"
#include "spirv/validate/tables/typing.h"

namespace vireo::spirv {

// Checks that run before any instruction is decoded.
void check_header(const ModuleCheck& c);
/// Whether the words can be divided into instructions to the end. If not, no other check runs.
bool check_form(const ModuleCheck& c);
void check_layout(const ModuleCheck& c);

// Checks of each instruction.
void check_scopes(const InstructionCheck& c);
void check_texts(const InstructionCheck& c);

// Typing rows: the types that the result and the operands of an instruction must have.

/// Checks an instruction against its typing row. The rows of extended instructions come from ExtTyping.
void check_typing(const InstructionCheck& c, const TypingPattern& pattern);
void check_ext_typing(const InstructionCheck& c, const TypingPattern& pattern);

/// The typing rows of the extended instruction sets that a module imports, indexed by instruction number.
class ExtTyping {
 public:
  explicit ExtTyping(const ModuleCheck& c);
  /// The row of an OpExtInst; nullptr if it has none.
  [[nodiscard]] const TypingPattern* pattern_of(const DecodedInstruction& extended) const;

 private:
  void read_set(ExtInstSetId set);

  const ModuleCheck& c_;
  std::vector<std::vector<const TypingPattern*>> by_set_;
};

// The check tables, by opcode. Each table covers one group of instructions (check_tables.cpp has the list).

/// The checks of all tables that apply to the module, in the order of the tables.
ByInstruction<CheckFunction*> checks_by_instruction(const ModuleCheck& c);
std::span<const Check> type_checks();
std::span<const Check> control_flow_checks();
std::span<const Check> annotation_checks();
std::span<const Check> mode_checks();
std::span<const Check> group_checks();
std::span<const Check> constant_checks();
std::span<const Check> composite_checks();
std::span<const Check> arithmetic_checks();
std::span<const Check> conversion_checks();
std::span<const Check> undefined_result_checks();
std::span<const Check> function_checks();
std::span<const Check> float_format_checks();
std::span<const Check> variable_checks();
std::span<const Check> memory_checks();
std::span<const Check> access_chain_checks();
std::span<const Check> cooperative_matrix_checks();
std::span<const Check> cooperative_vector_checks();
std::span<const Check> shader_checks();
std::span<const Check> cooperative_array_checks();
std::span<const Check> cooperative_tensor_checks();
std::span<const Check> logical_pointer_checks();
std::span<const Check> dot_product_checks();
std::span<const Check> pipe_checks();
std::span<const Check> miscellaneous_checks();
std::span<const Check> image_type_checks();
std::span<const Check> image_access_checks();
std::span<const Check> image_query_checks();
std::span<const Check> image_processing_checks();
std::span<const Check> tensor_checks();
std::span<const Check> long_index_checks();
std::span<const Check> graph_checks();
std::span<const Check> import_checks();
std::span<const Check> descriptor_heap_checks();
std::span<const Check> limit_checks();
std::span<const Check> operand_range_checks();
std::span<const Check> vendor_image_checks();
std::span<const Check> node_payload_checks();
std::span<const Check> descriptor_index_checks();
std::span<const Check> ray_checks();
std::span<const Check> aligned_operand_checks();

// Checks of each block: which instructions may be first and last in it.
void check_adjacency(const ModuleCheck& c);

// Checks that the environment allows the capabilities that the module declares.
void check_capabilities(const ModuleCheck& c);
// Checks that the device profile of the options supports the declarations of the module.
void check_device(const ModuleCheck& c);
// Duplicate type declarations, nesting depth of types, and universal limits (2.17).
void check_unique_types(const ModuleCheck& c);
void check_type_nesting(const ModuleCheck& c);
void check_variable_limits(const ModuleCheck& c);
void check_limits(const ModuleCheck& c);

// Checks of the whole module.
void check_module(const ModuleCheck& c);
void check_entry_points(const ModuleCheck& c);
void check_interface_variables(const ModuleCheck& c);
void check_execution_modes(const ModuleCheck& c);
void check_workgroup_sizes(const ModuleCheck& c);
void check_decorations(const ModuleCheck& c);
void check_decorated_values(const ModuleCheck& c);
void check_heap_decorations(const ModuleCheck& c);
void check_linkage(const ModuleCheck& c);
void check_built_ins(const ModuleCheck& c);
void check_built_in_values(const ModuleCheck& c);
void check_mesh_shading(const ModuleCheck& c);
void check_mesh_outputs(const ModuleCheck& c);
void check_interlocks(const ModuleCheck& c);
void check_variable_pointers(const ModuleCheck& c);
void check_reconvergence(const ModuleCheck& c);
void check_untyped_accesses(const ModuleCheck& c);
void check_split_barriers(const ModuleCheck& c);
void check_cooperative_callbacks(const ModuleCheck& c);
void check_image_processing(const ModuleCheck& c);
void check_entry_built_ins(const ModuleCheck& c);
void check_graphs(const ModuleCheck& c);
void check_explicit_layout(const ModuleCheck& c);
void check_interfaces(const ModuleCheck& c);
void check_locations(const ModuleCheck& c);
void check_resources(const ModuleCheck& c);
void check_transform_feedback(const ModuleCheck& c);
void check_vendor_built_ins(const ModuleCheck& c);
void check_output_paths(const ModuleCheck& c);
// Checks that values and control flow are uniform where an instruction needs it.
void check_uniformity(const ModuleCheck& c);
// Checks that entry points do not exceed the limits of the device profile.
void check_entry_limits(const ModuleCheck& c);
// Requirements of Vulkan on declarations that no device lifts.
void check_runtime_declarations(const ModuleCheck& c);
// Checks that the device profile has the features that the module uses.
void check_device_needs(const ModuleCheck& c);

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// The list of all check tables that are indexed by opcode.
#include <span>
#include <utility>
#include <vector>

#include "spirv/validate/checks/checks.h"

namespace vireo::spirv {
namespace {

// The check tables of the instructions that need checks in addition to their typing rows. The entries are functions
// because each table is defined in a separate translation unit.
constexpr std::span<const Check> (*check_tables[])() = {
    type_checks,
    constant_checks,
    composite_checks,
    arithmetic_checks,
    dot_product_checks,
    conversion_checks,
    undefined_result_checks,
    function_checks,
    variable_checks,
    memory_checks,
    access_chain_checks,
    logical_pointer_checks,
    descriptor_heap_checks,
    descriptor_index_checks,
    cooperative_matrix_checks,
    cooperative_vector_checks,
    cooperative_array_checks,
    cooperative_tensor_checks,
    float_format_checks,
    control_flow_checks,
    annotation_checks,
    mode_checks,
    group_checks,
    pipe_checks,
    node_payload_checks,
    shader_checks,
    operand_range_checks,
    image_type_checks,
    image_access_checks,
    image_query_checks,
    image_processing_checks,
    vendor_image_checks,
    tensor_checks,
    graph_checks,
    import_checks,
    miscellaneous_checks,
    limit_checks,
    ray_checks,
    aligned_operand_checks,
    long_index_checks,
};

}  // namespace

ByInstruction<CheckFunction*> checks_by_instruction(const ModuleCheck& c) {
  std::vector<std::pair<Op, CheckFunction*>> checks;
  for (const auto chapter : check_tables) {
    for (const Check& check : chapter()) {
      if (check.applies != nullptr && !check.applies(c)) continue;
      for (const Op op : check.opcodes) checks.emplace_back(op, check.run);
    }
  }
  return {c.grammar(), checks};
}

}  // namespace vireo::spirv

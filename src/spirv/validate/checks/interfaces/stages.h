// SPDX-License-Identifier: Apache-2.0
//
// Stages: features that only some execution models may use, or that need an execution mode of the entry point.
//
// Each rule is a row (stage_rows.cpp) with a subject and the models that may use it. A function has no
// execution model of its own, so its uses are recorded while its instructions are visited. Then the uses propagate from
// callees to callers, row by row, and each entry point is checked against the uses that its function reaches. A finding
// is at the use, with a note at the entry point. The time is linear in the calls times the rows that the module uses.
// Mutually recursive functions have the same uses.
//
// Source: the descriptions of instructions (specification 3.42), storage classes (3.7) and scopes (3.27); the Vulkan
// appendix on SPIR-V.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "spirv/validate/checks/groups/scopes.h"
#include "spirv/validate/core/by_instruction.h"
#include "spirv/validate/core/check.h"
#include "spirv/validate/tables/stage_rows.h"

namespace vireo::spirv {

/// Records the uses of row subjects in functions, and checks the entry points that reach these uses.
class StageCheck {
 public:
  explicit StageCheck(const ModuleCheck& c);

  /// Records the uses of an instruction of a function.
  void visit(const InstructionCheck& c);
  /// Whether a row names the instruction. If not, visit() records nothing, unless it is an extended instruction.
  [[nodiscard]] bool has_rows(const InstructionRow& row) const { return !by_instruction_.of(row).empty(); }
  /// Records the scopes among the operands of an instruction.
  void visit_scopes(const InstructionCheck& c);
  /// Propagates all uses to callers, and reports those that an entry point must not reach.
  void finish();

 private:
  using RowIndex = std::uint8_t;
  /// A use of a row's subject in a function.
  struct Use {
    RowIndex row;
    FunctionIndex function;
    Place place;
    std::uint64_t value;  ///< for scopes and bounds
  };
  /// A use of the current row that a function reaches. `via` is the callee through which it reaches the use; none if
  /// the function itself contains the use.
  struct ReachedUse {
    const Use* use = nullptr;
    FunctionIndex via;
  };
  /// An extended instruction of a row. The module imports its set.
  struct ExtendedRow {
    const ExtInstRow* inst;
    RowIndex row;
  };
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// Returns the rows of kind Instructions. Stores the others in storage_, scopes_ and extended_.
  [[nodiscard]] ByInstruction<RowIndex> find_rows();
  void find_extended(RowIndex row);
  void note(RowIndex row, FunctionIndex function, Place place, std::uint64_t value = 0);
  void note_storage();
  void check_row(std::span<const Use> uses);
  void propagate_to_callers();
  void add_use(FunctionIndex function, ReachedUse found);
  void check(const EntryPointRow& entry, FunctionIndex function) const;
  [[nodiscard]] std::string text_of(const Use& use) const;

  const ModuleCheck& c_;
  // Rows that apply to this module and that an entry point may violate. find_rows() fills these members.
  std::vector<RowIndex> storage_, scopes_;
  std::vector<ExtendedRow> extended_;
  ByInstruction<RowIndex> by_instruction_;
  std::vector<std::uint32_t> last_use_;  // by row: index of its latest use
  std::vector<Use> uses_;
  std::vector<ReachedUse> reached_;  // by function
};

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// Stages: what only some execution models may use, and what needs an execution mode of the entry point.
//
// The one idea: such a rule is a row (stage_rows.cpp): what is used, and which models may use it. A function has no
// stage by itself, so its uses are noted while its instructions are visited; then they are handed from callees to
// callers, row by row, and each entry point is judged by the uses that have reached its function. Linear in calls times
// the rows that the module uses. Recursion does no harm: functions that reach each other use the same.
//
// Source: the descriptions of instructions (specification 3.42), storage classes (3.7) and scopes (3.27); the Vulkan
// appendix on SPIR-V.
#pragma once

#include <array>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "spirv/validate/checks/groups/scopes.h"
#include "spirv/validate/engine/by_instruction.h"
#include "spirv/validate/engine/context.h"
#include "spirv/validate/tables/models.h"

namespace vireo::spirv {

/// What a row is about. The functions below make one.
struct StageSubject {
  enum class Kind : std::uint8_t { Instructions, Extended, Storage, Scope };
  static constexpr std::size_t most_opcodes = 24;
  Kind kind = Kind::Instructions;
  std::array<Op, most_opcodes> opcodes{};  ///< Instructions
  std::uint8_t opcode_count = 0;
  bool (*is_meant)(const Context&, const Visit&) = nullptr;  ///< Instructions: nullptr: all of them
  std::string_view set, names;                  ///< Extended: the set, and its instructions, separated by blanks
  StorageClass storage{};                       ///< Storage
  ScopeRole role{};                             ///< Scope
  bool (*is_scope_meant)(Op, Scope) = nullptr;  ///< Scope
};

/// Execution modes of which the entry points of some models need one.
struct ModeNeed {
  Models models = 0;  ///< of others no mode is demanded
  std::initializer_list<ExecutionMode> one_of;
};

/// A constant operand that is at most what an execution mode says.
struct ModeBound {
  std::optional<OperandName> operand;  ///< none: there is no bound
  ExecutionMode mode{};
};

struct StageRow {
  StageSubject subject;
  Models models = any_model;  ///< that may use it
  Rule rule = Rule::StageInstruction;
  bool (*holds)(const Context&) = nullptr;  ///< where the rule holds; nullptr: everywhere
  ModeNeed need{};                          ///< reported by Rule::StageMode
  ModeBound bound{};                        ///< reported by the row's rule
  std::string_view of{};                    ///< behind the instruction's name in messages: " of a subpass"
};

/// All rows.
std::span<const StageRow> stage_rows();

/// Gathers what functions use, and judges the entry points that lead there.
class StageCheck {
 public:
  explicit StageCheck(const Context& context);

  /// Notes what an instruction of a function uses.
  void visit(const Visit& visit);
  /// Notes the scopes among the operands of an instruction.
  void visit_scopes(const Visit& visit);
  /// Hands all uses to callers, and reports those that an entry point may not have.
  void finish(Report& report);

 private:
  using RowIndex = std::uint8_t;
  /// What a row is about, used in a function.
  struct Use {
    RowIndex row;
    FunctionIndex function;
    Place place;
    std::uint64_t value;  ///< of scopes and bounds
  };
  /// A use of the row at hand that a function leads to, and which of its callees leads there; none: it is its own use.
  struct Reach {
    const Use* use = nullptr;
    FunctionIndex via;
  };
  /// A row of extended instructions whose set the module imports.
  struct ExtendedRow {
    const ExtInstRow* inst;
    RowIndex row;
  };
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// The rows that name opcodes; notes the others by their kind.
  [[nodiscard]] ByInstruction<RowIndex> find_rows();
  void find_extended(RowIndex row);
  void note(RowIndex row, FunctionIndex function, Place place, std::uint64_t value = 0);
  void note_storage();
  void judge_row(std::span<const Use> uses, Report& report);
  void hand_up();
  void add_reach(FunctionIndex function, Reach found);
  void judge(const EntryPointRow& entry, FunctionIndex function, Report& report) const;
  [[nodiscard]] std::string text_of(const Use& use) const;

  const Context& context_;
  // Rows that hold here and that not every entry point satisfies. find_rows() fills all of these.
  std::vector<RowIndex> storage_, scopes_;
  std::vector<ExtendedRow> extended_;
  ByInstruction<RowIndex> by_instruction_;
  std::vector<std::uint32_t> last_use_;  // by row: its latest use
  std::vector<Use> uses_;
  std::vector<Reach> reach_;  // by function
};

}  // namespace vireo::spirv

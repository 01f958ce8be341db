// SPDX-License-Identifier: Apache-2.0
//
// The rows of stages: features that only some execution models may use, or that need an execution mode of the entry
// point. checks/interfaces/stages.h describes how they are checked.
//
// Source: the descriptions of instructions (specification 3.42), storage classes (3.7) and scopes (3.27); the Vulkan
// appendix on SPIR-V.
#pragma once

#include <array>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

#include "spirv/validate/core/check.h"
#include "spirv/validate/tables/models.h"

namespace vireo::spirv {

enum class ScopeRole : std::uint8_t {
  Execution,  ///< the invocations that take part
  Memory,     ///< the invocations that observe memory accesses
  Other,      ///< of OpReadClockKHR or a cooperative matrix type
};

/// The subject of a row: the instructions, storage class or scope that the rule restricts. Functions in stage_rows.cpp
/// construct subjects. The comment of a member names the kind that uses it.
struct StageSubject {
  enum class Kind : std::uint8_t { Instructions, Extended, Storage, Scope };
  static constexpr std::size_t most_opcodes = 24;
  Kind kind = Kind::Instructions;
  std::array<Op, most_opcodes> opcodes{};  ///< Instructions
  std::uint8_t opcode_count = 0;
  bool (*applies)(const InstructionCheck&) = nullptr;  ///< Instructions: filter; nullptr: all of them
  std::string_view set, names;  ///< Extended: name of the set; names of instructions, separated by spaces
  StorageClass storage{};       ///< Storage
  ScopeRole role{};             ///< Scope
  bool (*is_scope_meant)(Op, Scope) = nullptr;  ///< Scope: filter
};

/// Execution modes. An entry point whose model is in `models` needs at least one of them.
struct ModeNeed {
  Models models = 0;  ///< other models need no mode
  std::initializer_list<ExecutionMode> one_of;
};

/// A constant operand that must not exceed the operand of an execution mode.
struct ModeBound {
  std::optional<OperandName> operand;  ///< none: there is no bound
  ExecutionMode mode{};
};

struct StageRow {
  StageSubject subject;
  Models models = any_model;  ///< models that may use the subject
  Rule rule = Rule::StageInstruction;
  bool (*holds)(const ModuleCheck&) = nullptr;  ///< whether the rule applies to a module; nullptr: always
  ModeNeed need{};                              ///< reported by Rule::StageMode
  ModeBound bound{};                            ///< reported by the row's rule
  std::string_view of{};                        ///< suffix of the instruction's name in messages: " of a subpass"
  std::string_view hint{};                      ///< hint of a finding about the model
};

/// All rows.
std::span<const StageRow> stage_rows();

}  // namespace vireo::spirv

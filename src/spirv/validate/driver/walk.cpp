// SPDX-License-Identifier: Apache-2.0
//
// Visits each instruction once, in order, and runs all checks of instructions, blocks and functions.
#include "spirv/validate/driver/walk.h"

#include <algorithm>
#include <span>

#include "spirv/binary/decode_report.h"
#include "spirv/grammar/opcode_rows.h"
#include "spirv/validate/analysis/extended_sets.h"
#include "spirv/validate/analysis/small_types.h"
#include "spirv/validate/checks/checks.h"
#include "spirv/validate/checks/control_flow/structure.h"
#include "spirv/validate/checks/extended_sets/ext_inst_checks.h"
#include "spirv/validate/checks/groups/scopes.h"
#include "spirv/validate/checks/interfaces/stages.h"
#include "spirv/validate/checks/module/definition_state.h"
#include "spirv/validate/checks/module/dominance.h"
#include "spirv/validate/checks/module/ids.h"
#include "spirv/validate/checks/module/requirements_check.h"
#include "vireo/spirv/binary/views/constant_creation.h"

namespace vireo::spirv {
namespace {

// Walks over the instructions. The control flow of a function is computed when the function begins.
class Walk {
 public:
  // The decoder also takes the number of words, so an excessive bound (2^32 - 1) allocates no memory.
  Walk(const ModuleCheck& c, Soundness& soundness)
      : decoder_(c.grammar(), c.module.header().bound, c.module.words().size()),
        c_(c),
        soundness_(soundness),
        ext_typing_(c_),
        ext_insts_(c_),
        checks_(checks_by_instruction(c_)),
        plans_(c_.grammar()),
        has_storage_only_types_(has_storage_only_types(c_)),
        visited_(c_.module),
        ids_(c_, visited_),
        requirements_(c_),
        dominance_(c_, visited_),
        stages_(c_) {
    c_.seen = &decoder_.seen();
    c_.decoded = &decoder_.context();
  }

  void run() {
    const auto functions = c_.module.functions();
    const std::uint32_t end = c_.module.instruction_count();
    walk({0, functions.empty() ? end : functions.front().all.first});
    for (std::size_t i = 0; i < functions.size(); ++i) {
      const FunctionRow& function = functions[i];
      enter(function);
      walk_blocks(function);
      leave(function);
      // Instructions between functions are in no function, but are also checked.
      walk({function.all.end, i + 1 == functions.size() ? end : functions[i + 1].all.first});
    }
    // Stages first: their findings make opcodes unsound, so that no capability is suggested for them.
    stages_.finish();
    requirements_.finish();
  }

 private:
  void enter(const FunctionRow& function) {
    flow_.read(c_.module, function, PostDominators::OfLoops);
    visited_.enter(function);
    dominance_.begin(function, flow_);
    c_.function = c_.module.index_of(function);
    c_.flow = &flow_;
  }

  // The instructions before the first block have no block. All others count as part of the last block that has begun.
  void walk_blocks(const FunctionRow& function) {
    std::uint32_t first = function.all.first;
    for (std::size_t i = 0; i < flow_.block_count(); ++i) {
      const std::uint32_t next = flow_.block(LocalBlock(i)).all.first;
      walk({first, next});
      block_ = LocalBlock(i);
      first = next;
    }
    walk({first, function.all.end});
  }

  void leave(const FunctionRow& function) {
    // OpPhi may use values that are defined later, so its uses are checked at the end of the function.
    dominance_.end();
    c_.function = FunctionIndex::none();
    c_.flow = nullptr;
    block_ = LocalBlock::none();
    if (function.is_declaration()) return;
    check_blocks(c_, flow_);
    // The Shader capability requires structured control flow (2.11). The graph is incomplete if a branch target is not
    // a block, or if a block lacks its label or its terminator. Then the structure is not checked.
    const bool is_whole = flow_.bad_targets().empty() && c_.soundness.has_sound_blocks(c_.module.index_of(function));
    if (c_.is_shader() && is_whole) check_structure(c_, flow_);
  }

  void walk(InstructionRange range) {
    const auto views = c_.module.views(range);
    for (auto it = views.begin(); it != views.end(); ++it) visit(it.index(), *it);
  }

  void visit(InstructionIndex index, InstructionView view) {
    if (!decode(index, view)) return;
    const bool is_orphaned = c_.fragments.contains(index);
    // The result type and the result precede all other operands (specification 2.3). Only a loaded grammar could make
    // them optional.
    const InstructionRow& row = *decoder_.row();
    const auto id_at = [view](std::uint16_t word) { return word == 0 ? Word{0} : view.word(word); };
    c_.view = view;
    c_.index = index;
    c_.opcode = view.opcode;
    c_.operands = decoder_.operands();
    c_.type = id_at(row.type_word());
    c_.result = id_at(row.result_word());
    c_.block = is_orphaned ? LocalBlock::none() : block_;
    // A check for some operand shapes runs only if the instruction has such an operand.
    const auto has_any = [shapes = decoder_.shapes()](auto... wanted) {
      return (shapes & (OperandDecoder::bit_of(wanted) | ...)) != 0;
    };
    requirements_.run(c_);
    if (has_any(OperandShape::ValueEnum, OperandShape::BitEnum)) requirements_.run_enumerants(c_);
    const bool has_sound_ids = check_ids();
    // A wrong operand makes the result unsound only if the result is a type, or if the operand is the result type.
    const bool is_type = c_.types.find(c_.result) != nullptr;
    const auto has_early_type = [&] { return c_.type != 0 && c_.module.definition(c_.type) > index; };
    if (!has_sound_ids && (is_type || has_early_type() || c_.is_invalid_type(c_.type))) soundness_.mark_result(index);
    // The result is recorded as defined even if its instruction is wrong. Otherwise, each use would also be reported.
    visited_.pass(c_);
    // An instruction whose block lacks its label cannot be attributed to a block.
    if (!has_sound_ids || is_orphaned) return;
    if (is_type) soundness_.mark_by_parts(c_.types.of(c_.result));
    if (!soundness_.takes_sound(view, c_.type, c_.operands)) return;
    // An operation that OpSpecConstantOp cannot contain is not checked further.
    OpcodePlan plan = plan_of(row);
    if (c_.decoded->spec_row != nullptr) {
      run_checks(plan, c_);
      if (!soundness_.is_sound_word(c_.at(c_.as<Op::OpSpecConstantOp>().opcode()))) return;
      // The types and checks of an instruction also apply if it is the operation of an OpSpecConstantOp.
      const OpcodePlan& operation = plan_of(*c_.decoded->spec_row);
      plan.typing = operation.typing;
      plan.checks = operation.checks;
    }
    if (plan.typing != nullptr) check_typing(c_, *plan.typing);
    if (c_.op() == Op::OpExtInst) {
      if (const TypingPattern* pattern = ext_typing_.pattern_of(c_); pattern != nullptr) check_ext_typing(c_, *pattern);
    }
    if (has_any(OperandShape::IdScope, OperandShape::IdMemorySemantics) || plan.has_unmarked_scopes) {
      check_scopes(c_);
      stages_.visit_scopes(c_);
    }
    if (has_any(OperandShape::LiteralString)) check_texts(c_);
    if (plan.is_extended) ext_insts_.run(c_);
    if (c_.decoded->spec_row == nullptr) {
      run_checks(plan, c_);
    } else {
      run_checks(plan, c_.operation_of());
    }
    if (plan.has_stages) stages_.visit(c_);
    if (has_storage_only_types_) check_storage_only_use(c_);
  }

  // The checks that concern an opcode.
  struct OpcodePlan {
    const TypingPattern* typing = nullptr;  // nullptr: it has no typing row
    std::span<CheckFunction* const> checks;
    bool is_extended = false, has_unmarked_scopes = false, has_stages = false;
  };

  // Looks up all tables when the opcode first occurs.
  const OpcodePlan& plan_of(const InstructionRow& row) {
    return plans_.of(row.opcode, [&]() -> OpcodePlan {
      const bool is_extended = spirv::is_extended(row.opcode);
      return {find_typing(row.opcode), checks_.of(row), is_extended, has_unmarked_scopes(row.opcode),
              is_extended || stages_.has_rows(row)};
    });
  }

  static void run_checks(const OpcodePlan& plan, const InstructionCheck& c) {
    for (CheckFunction* const check : plan.checks) check(c);
  }

  // Decodes the instruction and reports errors in its words. Returns whether the instruction can be checked.
  bool decode(InstructionIndex index, InstructionView view) {
    const DecodeFault fault = decoder_.decode(view);
    if (fault == DecodeFault::None) [[likely]] { return true; }
    if (!is_decodable(fault)) soundness_.mark_result(index);
    if (follows_from_missing(fault, index, view)) return false;
    // The decoder reports through Diagnostics and counts instructions from 1.
    Diagnostics decode_errors;
    const Word id = view.word(decoder_.fault_word());
    report_decode_fault(fault, decoder_, c_.grammar(), view, index.raw + std::uint64_t{1}, decode_errors,
                        id_text(c_, id));
    for (const Diagnostic& diagnostic : decode_errors.all()) c_.findings.add(diagnostic);
    if (fault == DecodeFault::IdDefinedTwice) c_.note({c_.module.definition(id), 0}, "defined here first");
    return is_decodable(fault);
  }

  // Whether a decode error is only the consequence of an undefined id, which is reported once, however many
  // instructions use it.
  bool follows_from_missing(DecodeFault fault, InstructionIndex index, InstructionView view) {
    const std::uint16_t word = decoder_.fault_word();
    const Word id = view.word(word);
    const InstructionIndex definition = c_.module.definition(id);
    switch (fault) {
      case DecodeFault::SelectorNotInteger:
        // Another check reports the undefined type at the definition of the selector.
        if (const Word type = c_.module.type_of(id); type != 0 && c_.module.definition(type).is_none()) return true;
        [[fallthrough]];
      case DecodeFault::TypeNotScalar: return ids_.report_undefined(id, {index, word});
      // "Set not imported" is more specific than "undefined id", so it is reported instead, but only for the first use.
      case DecodeFault::SetNotImported: return definition.is_none() && !ids_.note_undefined(id);
      default: return false;
    }
  }

  // Checks the ids of an instruction. Returns whether all ids are sound, so that types can be checked.
  bool check_ids() {
    bool is_sound = true;
    for (const Operand& operand : c_.operands) {
      if (!operand.uses_id()) continue;
      if (visited_.is_plain(operand, c_.view.first[operand.word], c_.block)) continue;
      // After an error, the remaining operands are still checked, because each id has a separate finding.
      if (!ids_.check(c_, operand)) {
        is_sound = false;
      } else if (!c_.function.is_none()) {
        dominance_.check_use(c_, operand);
      }
    }
    if (c_.op() == Op::OpPhi && !c_.function.is_none()) dominance_.note_phi(c_);
    return is_sound;
  }

  OperandDecoder decoder_;
  InstructionCheck c_;  // of the current instruction, with the types that the decoder has seen
  Soundness& soundness_;
  const ExtTyping ext_typing_;
  const ExtInstChecks ext_insts_;
  const ByInstruction<CheckFunction*> checks_;
  OpcodeRows<OpcodePlan> plans_;
  const bool has_storage_only_types_;
  DefinitionState visited_;
  IdCheck ids_;
  RequirementCheck requirements_;
  DominanceCheck dominance_;
  StageCheck stages_;
  ControlFlow flow_;
  LocalBlock block_;  // the last one that has begun in the function
};

}  // namespace

void check_instructions(const ModuleCheck& c, Soundness& soundness) { Walk(c, soundness).run(); }

}  // namespace vireo::spirv

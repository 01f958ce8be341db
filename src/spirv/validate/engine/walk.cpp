// SPDX-License-Identifier: Apache-2.0
//
// Visits each instruction once, in order, and runs all checks of instructions, blocks and functions.
#include "spirv/validate/engine/walk.h"

#include <algorithm>
#include <utility>

#include "spirv/binary/decode_report.h"
#include "spirv/validate/analysis/small_types.h"
#include "spirv/validate/checks/control_flow/structure.h"
#include "spirv/validate/checks/extended_sets/ext_inst_checks.h"
#include "spirv/validate/checks/extended_sets/extended_sets.h"
#include "spirv/validate/checks/interfaces/stages.h"
#include "spirv/validate/checks/module/dominance.h"
#include "spirv/validate/checks/module/ids.h"
#include "spirv/validate/checks/module/requirements_check.h"
#include "spirv/validate/engine/checks.h"
#include "spirv/validate/engine/definition_state.h"
#include "vireo/spirv/views/constant_creation.h"

namespace vireo::spirv {
namespace {

// Walks over the instructions. The control flow of a function is computed when the function begins.
class Walk {
 public:
  // The decoder also takes the number of words, so an excessive bound (2^32 - 1) allocates no memory.
  Walk(const Context& context, Soundness& soundness, Report& report)
      : decoder_(context.grammar(), context.module.header().bound, context.module.words().size()),
        context_(with(context, decoder_.seen())),
        soundness_(soundness),
        report_(report),
        ext_typing_(context_),
        ext_insts_(context_),
        checks_(checks_by_instruction(context_.grammar())),
        has_storage_only_types_(has_storage_only_types(context_)),
        visited_(context_.module),
        ids_(context_, visited_),
        requirements_(context_),
        dominance_(context_, visited_),
        stages_(context_) {}

  void run() {
    const auto functions = context_.module.functions();
    const std::uint32_t end = context_.module.instruction_count();
    walk({0, functions.empty() ? end : functions.front().all.first}, FunctionIndex::none());
    for (std::size_t i = 0; i < functions.size(); ++i) {
      const FunctionRow& function = functions[i];
      enter(function);
      walk(function.all, FunctionIndex(i));
      leave(function);
      // Instructions between functions are in no function, but are also checked.
      walk({function.all.end, i + 1 == functions.size() ? end : functions[i + 1].all.first}, FunctionIndex::none());
    }
    // Stages first: their findings make opcodes unsound, so that no capability is suggested for them.
    stages_.finish(report_);
    requirements_.finish(report_);
  }

 private:
  static Context with(Context context, const IdTypeTable& seen) {
    context.seen = &seen;
    return context;
  }

  void enter(const FunctionRow& function) {
    flow_.read(context_.module, function, PostDominators::OfLoops);
    visited_.enter(function);
    dominance_.begin(function, flow_);
    block_ = LocalBlock::none();
  }

  void leave(const FunctionRow& function) {
    // OpPhi may use values that are defined later, so its uses are checked at the end of the function.
    dominance_.end(report_);
    if (function.is_declaration()) return;
    check_blocks(context_, flow_, report_);
    // The Shader capability requires structured control flow (2.11). The graph is incomplete if a branch target is not
    // a block, or if a block lacks its label or its terminator. Then the structure is not checked.
    const bool is_whole =
        flow_.bad_targets().empty() && context_.soundness.has_sound_blocks(context_.module.index_of(function));
    if (context_.is_shader() && is_whole) check_structure(context_, flow_, report_);
  }

  void walk(InstructionRange range, FunctionIndex function) {
    const auto views = context_.module.views(range);
    for (auto it = views.begin(); it != views.end(); ++it) visit(it.index(), *it, function);
  }

  void visit(InstructionIndex index, InstructionView view, FunctionIndex function) {
    if (!function.is_none()) {
      // Either the next block begins at this instruction, or no block begins here.
      const std::uint32_t next = block_.is_none() ? 0 : block_.raw + 1;
      if (next < flow_.block_count() && flow_.block(LocalBlock(next)).all.first == index.raw) block_ = LocalBlock(next);
    }
    const bool is_orphaned = context_.fragments.contains(index);
    if (!decode(index, view)) return;
    // The result type and the result precede all other operands (specification 2.3). Only a loaded grammar could make
    // them optional.
    const std::uint32_t flags = decoder_.row()->flags;
    // Word offsets of the result type and the result id. 0 is the offset of the opcode and means "none".
    const std::uint16_t type_word = (flags & HasResultType) != 0 ? 1 : 0;
    const std::uint16_t result_word = (flags & HasResult) != 0 ? type_word + 1 : 0;
    const auto id_at = [view](std::uint16_t word) { return word == 0 ? Word{0} : view.word(word); };
    const DecodedInstruction visit{view,
                                   index,
                                   decoder_.operands(),
                                   &decoder_.context(),
                                   function,
                                   id_at(type_word),
                                   id_at(result_word),
                                   function.is_none() ? nullptr : &flow_,
                                   function.is_none() || is_orphaned ? LocalBlock::none() : block_,
                                   view.opcode};
    // A check for some operand shapes runs only if the instruction has such an operand.
    const auto has_any = [shapes = decoder_.shapes()](auto... wanted) {
      return (shapes & (OperandDecoder::bit_of(wanted) | ...)) != 0;
    };
    requirements_.run(visit, report_);
    if (has_any(OperandShape::ValueEnum, OperandShape::BitEnum)) requirements_.run_enumerants(visit, report_);
    const bool has_sound_ids = check_ids(visit);
    // A wrong operand makes the result unsound only if the result is a type, or if the operand is the result type.
    const bool is_type = context_.types.find(visit.result) != nullptr;
    if (!has_sound_ids && (is_type || context_.is_invalid_type(visit.type))) soundness_.mark_result(index);
    // The result is recorded as defined even if its instruction is wrong. Otherwise, each use would also be reported.
    visited_.pass(context_, visit);
    // An instruction whose block lacks its label cannot be attributed to a block.
    if (!has_sound_ids || is_orphaned) return;
    if (is_type) soundness_.mark_by_parts(context_.types.of(visit.result));
    if (!soundness_.takes_sound(view, visit.type, visit.operands)) return;
    // An operation that OpSpecConstantOp cannot contain is not checked further.
    if (visit.decoded->spec_row != nullptr) {
      run_checks(*visit.decoded->row, visit);
      if (!soundness_.is_sound_word(visit.at(visit.as<Op::OpSpecConstantOp>().opcode()))) return;
    }
    if (const TypingPattern* pattern = pattern_of(visit); pattern != nullptr) {
      const auto check = visit.op() == Op::OpExtInst ? check_ext_typing : check_typing;
      check(context_, *pattern, visit, report_);
    }
    if (has_any(OperandShape::IdScope, OperandShape::IdMemorySemantics)) {
      check_scopes(context_, visit, report_);
      stages_.visit_scopes(visit);
    }
    if (has_any(OperandShape::LiteralString)) check_texts(context_, visit, report_);
    if (is_extended(visit.op())) ext_insts_.run(visit, report_);
    if (visit.decoded->spec_row == nullptr) {
      run_checks(*visit.decoded->row, visit);
    } else {
      // Checks of an instruction also apply if it is the operation of an OpSpecConstantOp.
      run_checks(*visit.decoded->spec_row, visit.operation_of());
    }
    stages_.visit(visit);
    if (has_storage_only_types_) check_storage_only_use(context_, visit, report_);
  }

  // Returns the typing row of an instruction; nullptr if it has none. OpExtInstWithForwardRefsKHR has non-semantic
  // instructions, which have no typing rows.
  [[nodiscard]] const TypingPattern* pattern_of(const DecodedInstruction& visit) const {
    return visit.op() == Op::OpExtInst ? ext_typing_.pattern_of(visit) : typing_of(visit);
  }

  void run_checks(const InstructionRow& row, const DecodedInstruction& visit) {
    for (CheckFunction* const check : checks_.of(row)) check(context_, visit, report_);
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
    report_decode_fault(fault, decoder_, context_.grammar(), view, index.raw + std::uint64_t{1}, decode_errors,
                        id_text(context_, id));
    for (const Diagnostic& diagnostic : decode_errors.all()) report_.add(diagnostic);
    if (fault == DecodeFault::IdDefinedTwice) report_.note({context_.module.definition(id), 0}, "defined here first");
    return is_decodable(fault);
  }

  // Whether a decode error is only the consequence of an undefined id, which is reported once, however many
  // instructions use it.
  bool follows_from_missing(DecodeFault fault, InstructionIndex index, InstructionView view) {
    const std::uint16_t word = decoder_.fault_word();
    const Word id = view.word(word);
    const InstructionIndex definition = context_.module.definition(id);
    switch (fault) {
      case DecodeFault::SelectorNotInteger:
        // Another check reports the undefined type at the definition of the selector.
        if (const Word type = context_.module.type_of(id); type != 0 && context_.module.definition(type).is_none())
          return true;
        [[fallthrough]];
      case DecodeFault::TypeNotScalar: return ids_.report_undefined(id, {index, word}, report_);
      // "Set not imported" is more specific than "undefined id", so it is reported instead, but only for the first use.
      case DecodeFault::SetNotImported: return definition.is_none() && !ids_.note_undefined(id);
      default: return false;
    }
  }

  // Checks the ids of an instruction. Returns whether all ids are sound, so that types can be checked.
  bool check_ids(const DecodedInstruction& visit) {
    bool is_sound = true;
    for (const Operand& operand : visit.operands) {
      if (!operand.uses_id()) continue;
      if (visited_.is_plain(operand, visit.view.first[operand.word], visit.block)) continue;
      // After an error, the remaining operands are still checked, because each id has a separate finding.
      if (!ids_.check(visit, operand, report_)) {
        is_sound = false;
      } else if (!visit.function.is_none()) {
        dominance_.check_use(visit, operand, report_);
      }
    }
    if (visit.op() == Op::OpPhi && !visit.function.is_none()) dominance_.note_phi(visit);
    return is_sound;
  }

  OperandDecoder decoder_;
  const Context context_;  // with the types that the decoder has seen
  Soundness& soundness_;
  Report& report_;
  const ExtTyping ext_typing_;
  const ExtInstCheck ext_insts_;
  const ByInstruction<CheckFunction*> checks_;
  const bool has_storage_only_types_;
  DefinitionState visited_;
  IdCheck ids_;
  RequirementCheck requirements_;
  DominanceCheck dominance_;
  StageCheck stages_;
  ControlFlow flow_;
  LocalBlock block_;  // of the instruction
};

}  // namespace

void check_instructions(const Context& context, Soundness& soundness, Report& report) {
  Walk(context, soundness, report).run();
}

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// Pipe instructions (specification 3.42.23).
//
// Pipe instructions have the same few operands: a pipe, a reservation, a packet size, a pointer to a
// packet. So each operand name has one requirement. A row per instruction states its use of the pipe and its result.

#include "spirv/validate/checks/checks.h"
#include "spirv/validate/core/by_opcode.h"
#include "vireo/spirv/binary/views/pipe.h"
#include "vireo/spirv/binary/views/type_declaration.h"

namespace vireo::spirv {
namespace {

using enum Op;

/// How an instruction uses its pipe.
enum class PipeUse : std::uint8_t { Reads, Writes, Queries };
/// The result of an instruction.
enum class PipeResult : std::uint8_t { Nothing, Status, Reservation };

struct PipeRow {
  Op opcode;
  PipeUse use;
  PipeResult result;
};
constexpr PipeRow pipe_rows[] = {
    {OpReadPipe, PipeUse::Reads, PipeResult::Status},
    {OpWritePipe, PipeUse::Writes, PipeResult::Status},
    {OpReservedReadPipe, PipeUse::Reads, PipeResult::Status},
    {OpReservedWritePipe, PipeUse::Writes, PipeResult::Status},
    {OpReserveReadPipePackets, PipeUse::Reads, PipeResult::Reservation},
    {OpReserveWritePipePackets, PipeUse::Writes, PipeResult::Reservation},
    {OpCommitReadPipe, PipeUse::Reads, PipeResult::Nothing},
    {OpCommitWritePipe, PipeUse::Writes, PipeResult::Nothing},
    {OpGetNumPipePackets, PipeUse::Queries, PipeResult::Status},
    {OpGetMaxPipePackets, PipeUse::Queries, PipeResult::Status},
    {OpGroupReserveReadPipePackets, PipeUse::Reads, PipeResult::Reservation},
    {OpGroupReserveWritePipePackets, PipeUse::Writes, PipeResult::Reservation},
    {OpGroupCommitReadPipe, PipeUse::Reads, PipeResult::Nothing},
    {OpGroupCommitWritePipe, PipeUse::Writes, PipeResult::Nothing},
    {OpReadPipeBlockingALTERA, PipeUse::Reads, PipeResult::Nothing},
    {OpWritePipeBlockingALTERA, PipeUse::Writes, PipeResult::Nothing},
};
constexpr auto pipes = by_opcode(pipe_rows);

// --- requirements on operands ----------------------------------------------------------------------------------------

std::string_view pipe_text(PipeUse use) {
  switch (use) {
    case PipeUse::Reads: return "a pipe with the access qualifier ReadOnly";
    case PipeUse::Writes: return "a pipe with the access qualifier WriteOnly";
    case PipeUse::Queries: break;
  }
  return "a pipe with the access qualifier ReadOnly or WriteOnly";
}

// The access qualifier of a pipe type states its direction. A kernel cannot both read and write the same pipe.
bool is_pipe_for(const ModuleCheck& c, const TypeRow& type, PipeUse use) {
  if (!type.is(TypeKind::Pipe)) return false;
  const AccessQualifier access = View<OpTypePipe>(c.module.instruction(type.declaration)).qualifier();
  if (access == AccessQualifier::ReadOnly) return use != PipeUse::Writes;
  return access == AccessQualifier::WriteOnly && use != PipeUse::Reads;
}

// Reports an operand whose type does not meet the requirement. An operand that the instruction lacks has the id 0,
// which has no type.
template <typename Requirement>
void check_operand(const InstructionCheck& c, AnyOperand operand, std::string_view name, std::string_view expected,
                   Requirement&& is_fine) {
  const TypeRow& type = c.type_of(operand);
  if (!is_fine(type)) c.wrong_operand(operand, name, expected);
}

// Requirements on operand types.
bool is_reservation(const TypeRow& type) { return type.is(TypeKind::ReserveId); }
bool is_int32(const TypeRow& type) { return type.is_int(32); }
bool is_generic_pointer(const TypeRow& type) {
  return type.is(TypeKind::Pointer) && type.storage == StorageClass::Generic;
}

void check_pipe(const InstructionCheck& c) {
  const PipeRow& row = *find_row(pipes, c.op());
  if (const TypeRow* result = c.types.find(c.type)) {
    // A status is 0 or a negative number; a count of packets is not negative. Both are 32 bits wide (3.42.23).
    if (row.result == PipeResult::Status && !is_int32(*result)) c.wrong_result("a 32-bit integer scalar");
    if (row.result == PipeResult::Reservation && !is_reservation(*result)) c.wrong_result("a reservation id");
  }
  const auto check = [&](OperandName operand, std::string_view name, std::string_view expected, auto is_fine) {
    const AnyOperand present = c.operand(operand);  // not every opcode has every operand
    if (present.word != 0) check_operand(c, present, name, expected, is_fine);
  };
  const std::string_view int32 = "a 32-bit integer scalar";
  check(OperandName::pipe, "the pipe", pipe_text(row.use),
        [&](const TypeRow& type) { return is_pipe_for(c, type, row.use); });
  check(OperandName::reserve_id, "the reservation", "a reservation id", is_reservation);
  check(OperandName::num_packets, "the number of packets", int32, is_int32);
  check(OperandName::index, "the index", int32, is_int32);
  check(OperandName::pointer, "the pointer", "a pointer of Generic", is_generic_pointer);
  check(OperandName::packet_size, "the packet size", int32, is_int32);
  check(OperandName::packet_alignment, "the packet alignment", int32, is_int32);
}

// A packet consists of aligned parts (3.42.23). Only the texts of the blocking instructions state it as a requirement.
void check_blocking_pipe(const InstructionCheck& c) {
  check_pipe(c);
  const AnyOperand alignment_operand = c.operand(OperandName::packet_alignment);
  const auto size = c.constants.as_u64(c.operand(OperandName::packet_size));
  const auto alignment = c.constants.as_u64(alignment_operand);
  if (!size || !alignment || (*alignment != 0 && *size % *alignment == 0)) return;
  c.report(Rule::OperandRange, c.at(alignment_operand),
           {c.named(alignment_operand, "the packet alignment"), *alignment,
            "a divisor of the packet size " + std::to_string(*size)});
}

// --- task sequences (SPV_ALTERA_task_sequence) -----------------------------------------------------------------------

void check_task_sequence(const InstructionCheck& c) {
  const auto is_sequence = [](const TypeRow& type) { return type.opcode == OpTypeTaskSequenceALTERA; };
  if (c.op() == OpTaskSequenceCreateALTERA) {
    if (!is_sequence(c.types.of(c.type))) c.wrong_result("OpTypeTaskSequenceALTERA");
    return;
  }
  check_operand(c, c.operand(OperandName::sequence), "the sequence", "a task sequence", is_sequence);
}

// --- other instructions ----------------------------------------------------------------------------------------------

// OpIsValidReserveId has no pipe operand.
void check_valid_reservation(const InstructionCheck& c) {
  const TypeRow& result = c.types.of(c.type);
  if (!result.is(TypeKind::Bool)) c.wrong_result("a boolean scalar");
  check_operand(c, c.as<OpIsValidReserveId>().reserve_id(), "the reservation", "a reservation id", is_reservation);
}

// The access qualifier of the result type states the direction. Both directions are valid.
void check_created_pipe(const InstructionCheck& c) {
  const TypeRow& result = c.types.of(c.type);
  if (!result.is(TypeKind::Pipe)) c.wrong_result("a pipe");
  check_operand(c, c.as<OpCreatePipeFromPipeStorage>().pipe_storage(), "the storage", "storage of a pipe",
                [](const TypeRow& type) { return type.is(TypeKind::PipeStorage); });
}

// Packet size, alignment and capacity are literals, so only the result type is checked.
void check_pipe_storage(const InstructionCheck& c) {
  const TypeRow& result = c.types.of(c.type);
  if (!result.is(TypeKind::PipeStorage)) { c.wrong_result("storage of a pipe"); }
}

}  // namespace

std::span<const Check> pipe_checks() {
  static constexpr Check checks[] = {
      {{OpReadPipe, OpWritePipe, OpReservedReadPipe, OpReservedWritePipe, OpReserveReadPipePackets,
        OpReserveWritePipePackets, OpCommitReadPipe, OpCommitWritePipe, OpGetNumPipePackets, OpGetMaxPipePackets,
        OpGroupReserveReadPipePackets, OpGroupReserveWritePipePackets, OpGroupCommitReadPipe, OpGroupCommitWritePipe},
       check_pipe},
      {{OpReadPipeBlockingALTERA, OpWritePipeBlockingALTERA}, check_blocking_pipe},
      {{OpTaskSequenceCreateALTERA, OpTaskSequenceAsyncALTERA, OpTaskSequenceGetALTERA, OpTaskSequenceReleaseALTERA},
       check_task_sequence},
      {{OpIsValidReserveId}, check_valid_reservation},
      {{OpCreatePipeFromPipeStorage}, check_created_pipe},
      {{OpConstantPipeStorage}, check_pipe_storage},
  };
  return checks;
}

}  // namespace vireo::spirv

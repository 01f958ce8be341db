// SPDX-License-Identifier: Apache-2.0
//
// Pipe instructions (specification 3.42.23).
//
// The one idea: all of them have the same few operands, a pipe, a reservation, the size of a packet, a pointer to it; they
// differ in which they have. So each operand has one demand, by its name, and an instruction is a row that says what it
// does.

#include "spirv/validate/engine/by_opcode.h"
#include "spirv/validate/engine/checks.h"
#include "spirv/validate/engine/complaint.h"
#include "vireo/spirv/views/pipe.h"
#include "vireo/spirv/views/type_declaration.h"

namespace vireo::spirv {
namespace {

using enum Op;

/// What an instruction does with its pipe.
enum class PipeUse : std::uint8_t { Reads, Writes, Asks };
/// What an instruction gives.
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
    {OpGetNumPipePackets, PipeUse::Asks, PipeResult::Status},
    {OpGetMaxPipePackets, PipeUse::Asks, PipeResult::Status},
    {OpGroupReserveReadPipePackets, PipeUse::Reads, PipeResult::Reservation},
    {OpGroupReserveWritePipePackets, PipeUse::Writes, PipeResult::Reservation},
    {OpGroupCommitReadPipe, PipeUse::Reads, PipeResult::Nothing},
    {OpGroupCommitWritePipe, PipeUse::Writes, PipeResult::Nothing},
};
constexpr auto pipes = by_opcode(pipe_rows);

// --- one demand an operand ----------------------------------------------------------------------------------------------

std::string_view pipe_text(PipeUse use) {
  switch (use) {
    case PipeUse::Reads: return "a pipe with the access qualifier ReadOnly";
    case PipeUse::Writes: return "a pipe with the access qualifier WriteOnly";
    case PipeUse::Asks: break;
  }
  return "a pipe with the access qualifier ReadOnly or WriteOnly";
}

// The type of a pipe says which end of it one holds. Kernels have no pipe to read from and write to.
bool is_pipe_for(const Context& context, const TypeRow& type, PipeUse use) {
  if (!type.is(TypeKind::Pipe)) return false;
  const AccessQualifier access = View<OpTypePipe>(context.module.instruction(type.declaration)).qualifier();
  if (access == AccessQualifier::ReadOnly) return use != PipeUse::Writes;
  return access == AccessQualifier::WriteOnly && use != PipeUse::Reads;
}

// Says what an operand should be, unless it is so. The id of an operand that the instruction lacks is 0, which has no
// type.
template <typename Demand>
void check_operand(const Complaint& complain, AnyOperand operand, std::string_view name, std::string_view expected,
                   Demand&& is_fine) {
  const TypeRow* type = complain.context.type_of(operand);
  if (type != nullptr && !is_fine(*type)) complain.operand(operand, name, expected);
}

// Demands on the type of one operand each.
bool is_reservation(const TypeRow& type) { return type.is(TypeKind::ReserveId); }
bool is_int32(const TypeRow& type) { return type.is_int(32); }
bool is_generic_pointer(const TypeRow& type) {
  return type.is(TypeKind::Pointer) && type.storage == StorageClass::Generic;
}

void check_pipe(const Context& context, const Visit& visit, Report& report) {
  const Complaint complain{context, visit, report};
  const PipeRow& row = *find_row(pipes, visit.op());
  if (const TypeRow* result = context.types.find(visit.type)) {
    // A status is 0 or a negative number; a count of packets is not negative. Both are 32 bits wide (3.42.23).
    if (row.result == PipeResult::Status && !is_int32(*result)) complain.result("a 32-bit integer scalar");
    if (row.result == PipeResult::Reservation && !is_reservation(*result)) complain.result("a reservation id");
  }
  const auto check = [&](OperandName operand, std::string_view name, std::string_view expected, auto is_fine) {
    check_operand(complain, visit.operand(operand), name, expected, is_fine);
  };
  const std::string_view int32 = "a 32-bit integer scalar";
  check(OperandName::pipe, "the pipe", pipe_text(row.use),
        [&](const TypeRow& type) { return is_pipe_for(context, type, row.use); });
  check(OperandName::reserve_id, "the reservation", "a reservation id", is_reservation);
  check(OperandName::num_packets, "the number of packets", int32, is_int32);
  check(OperandName::index, "the index", int32, is_int32);
  check(OperandName::pointer, "the pointer", "a pointer of Generic", is_generic_pointer);
  check(OperandName::packet_size, "the packet size", int32, is_int32);
  check(OperandName::packet_alignment, "the packet alignment", int32, is_int32);
}

// --- what has no pipe ---------------------------------------------------------------------------------------------------

// Asks a reservation alone: whether it was granted.
void check_valid_reservation(const Context& context, const Visit& visit, Report& report) {
  const Complaint complain{context, visit, report};
  const TypeRow* result = context.types.find(visit.type);
  if (result != nullptr && !result->is(TypeKind::Bool)) complain.result("a boolean scalar");
  check_operand(complain, visit.as<OpIsValidReserveId>().reserve_id(), "the reservation", "a reservation id",
                is_reservation);
}

// The pipe's type says which end it is; which one a module takes of the storage is its choice.
void check_created_pipe(const Context& context, const Visit& visit, Report& report) {
  const Complaint complain{context, visit, report};
  const TypeRow* result = context.types.find(visit.type);
  if (result != nullptr && !result->is(TypeKind::Pipe)) complain.result("a pipe");
  check_operand(complain, visit.as<OpCreatePipeFromPipeStorage>().pipe_storage(), "the storage", "storage of a pipe",
                [](const TypeRow& type) { return type.is(TypeKind::PipeStorage); });
}

// Sizes and capacity are literals, so only the result is of a type.
void check_pipe_storage(const Context& context, const Visit& visit, Report& report) {
  const TypeRow* result = context.types.find(visit.type);
  if (result != nullptr && !result->is(TypeKind::PipeStorage)) {
    Complaint{context, visit, report}.result("storage of a pipe");
  }
}

}  // namespace

std::span<const Check> pipe_checks() {
  static constexpr Check checks[] = {
      {{OpReadPipe, OpWritePipe, OpReservedReadPipe, OpReservedWritePipe, OpReserveReadPipePackets,
        OpReserveWritePipePackets, OpCommitReadPipe, OpCommitWritePipe, OpGetNumPipePackets, OpGetMaxPipePackets,
        OpGroupReserveReadPipePackets, OpGroupReserveWritePipePackets, OpGroupCommitReadPipe, OpGroupCommitWritePipe},
       check_pipe},
      {{OpIsValidReserveId}, check_valid_reservation},
      {{OpCreatePipeFromPipeStorage}, check_created_pipe},
      {{OpConstantPipeStorage}, check_pipe_storage},
  };
  return checks;
}

}  // namespace vireo::spirv

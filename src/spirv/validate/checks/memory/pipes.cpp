// SPDX-License-Identifier: Apache-2.0
//
// Pipe instructions (specification 3.42.23).
//
// The one idea: all of them have the same few operands, a pipe, a reservation, the size of a packet, a pointer to it; they
// differ in which they have, and where. So an instruction is a row of places, and each place has one demand.

#include "spirv/validate/engine/by_opcode.h"
#include "spirv/validate/engine/checks.h"
#include "spirv/validate/engine/complaint.h"

namespace vireo::spirv {
namespace {

using enum Op;

/// What an instruction does with its pipe.
enum class PipeUse : std::uint8_t { Reads, Writes, Asks };
/// What an instruction gives.
enum class PipeResult : std::uint8_t { Nothing, Status, Reservation };

/// Where operands stand, as words; 0: the instruction has no such operand.
struct PipeRow {
  Op opcode;
  PipeUse use;
  PipeResult result;
  std::uint8_t pipe, reservation, number, pointer, packet_size, packet_alignment;
};
constexpr PipeRow pipe_rows[] = {
    {OpReadPipe, PipeUse::Reads, PipeResult::Status, 3, 0, 0, 4, 5, 6},
    {OpWritePipe, PipeUse::Writes, PipeResult::Status, 3, 0, 0, 4, 5, 6},
    {OpReservedReadPipe, PipeUse::Reads, PipeResult::Status, 3, 4, 5, 6, 7, 8},
    {OpReservedWritePipe, PipeUse::Writes, PipeResult::Status, 3, 4, 5, 6, 7, 8},
    {OpReserveReadPipePackets, PipeUse::Reads, PipeResult::Reservation, 3, 0, 4, 0, 5, 6},
    {OpReserveWritePipePackets, PipeUse::Writes, PipeResult::Reservation, 3, 0, 4, 0, 5, 6},
    {OpCommitReadPipe, PipeUse::Reads, PipeResult::Nothing, 1, 2, 0, 0, 3, 4},
    {OpCommitWritePipe, PipeUse::Writes, PipeResult::Nothing, 1, 2, 0, 0, 3, 4},
    {OpGetNumPipePackets, PipeUse::Asks, PipeResult::Status, 3, 0, 0, 0, 4, 5},
    {OpGetMaxPipePackets, PipeUse::Asks, PipeResult::Status, 3, 0, 0, 0, 4, 5},
    {OpGroupReserveReadPipePackets, PipeUse::Reads, PipeResult::Reservation, 4, 0, 5, 0, 6, 7},
    {OpGroupReserveWritePipePackets, PipeUse::Writes, PipeResult::Reservation, 4, 0, 5, 0, 6, 7},
    {OpGroupCommitReadPipe, PipeUse::Reads, PipeResult::Nothing, 2, 3, 0, 0, 4, 5},
    {OpGroupCommitWritePipe, PipeUse::Writes, PipeResult::Nothing, 2, 3, 0, 0, 4, 5},
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
  const auto access = static_cast<AccessQualifier>(context.module.instruction(type.declaration).word(2));
  if (access == AccessQualifier::ReadOnly) return use != PipeUse::Writes;
  return access == AccessQualifier::WriteOnly && use != PipeUse::Reads;
}

// Says what an operand should be, unless it is so, or the instruction has none.
template <typename Demand>
void check_operand(const Complaint& complain, std::size_t word, std::string_view name, std::string_view expected,
                   Demand&& is_fine) {
  const TypeRow* type = word == 0 ? nullptr : complain.context.type_of(complain.visit.word(word));
  if (type != nullptr && !is_fine(*type)) complain.operand(word, name, expected);
}

// Demands on the type of one operand each.
bool is_reservation(const TypeRow& type) { return type.is(TypeKind::ReserveId); }
bool is_int32(const TypeRow& type) { return type.is_int(32); }
bool is_generic_pointer(const TypeRow& type) {
  return type.is(TypeKind::Pointer) && type.storage == StorageClass::Generic;
}

// Each place of the row against its demand. The index of a packet within a reservation stands where other instructions
// have the number of packets to reserve.
void check_pipe(const Context& context, const Visit& visit, Report& report) {
  const Complaint complain{context, visit, report};
  const PipeRow& row = *find_row(pipes, visit.op());
  if (const TypeRow* result = context.types.find(visit.type)) {
    // A status is 0 or a negative number; a count of packets is not negative. Both are 32 bits wide (3.42.23).
    if (row.result == PipeResult::Status && !is_int32(*result)) complain.result("a 32-bit integer scalar");
    if (row.result == PipeResult::Reservation && !is_reservation(*result)) complain.result("a reservation id");
  }
  check_operand(complain, row.pipe, "the pipe", pipe_text(row.use),
                [&](const TypeRow& type) { return is_pipe_for(context, type, row.use); });
  check_operand(complain, row.reservation, "the reservation", "a reservation id", is_reservation);
  check_operand(complain, row.number, row.pointer == 0 ? "the number of packets" : "the index",
                "a 32-bit integer scalar", is_int32);
  check_operand(complain, row.pointer, "the pointer", "a pointer of Generic", is_generic_pointer);
  check_operand(complain, row.packet_size, "the packet size", "a 32-bit integer scalar", is_int32);
  check_operand(complain, row.packet_alignment, "the packet alignment", "a 32-bit integer scalar", is_int32);
}

// --- what has no pipe ---------------------------------------------------------------------------------------------------

// Asks a reservation alone: whether it was granted.
void check_valid_reservation(const Context& context, const Visit& visit, Report& report) {
  const Complaint complain{context, visit, report};
  const TypeRow* result = context.types.find(visit.type);
  if (result != nullptr && !result->is(TypeKind::Bool)) complain.result("a boolean scalar");
  check_operand(complain, 3, "the reservation", "a reservation id", is_reservation);
}

// The pipe's type says which end it is; which one a module takes of the storage is its choice.
void check_created_pipe(const Context& context, const Visit& visit, Report& report) {
  const Complaint complain{context, visit, report};
  const TypeRow* result = context.types.find(visit.type);
  if (result != nullptr && !result->is(TypeKind::Pipe)) complain.result("a pipe");
  check_operand(complain, 3, "the storage", "storage of a pipe",
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

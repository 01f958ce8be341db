// SPDX-License-Identifier: Apache-2.0
//
// Modules generated from the grammar's rows: one instruction and the declarations that it needs.
//
// The code walks a pattern like the decoder, but writes words. If the grammar has alternatives
// (enumerants, number of optional or repeated operands), the caller chooses beforehand. So every opcode and enumerant
// is reachable without a list of instructions outside the grammar.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/word.h"

namespace vireo::system_test {

using spirv::Word;
using spirv::WordBuffer;

struct InstanceChoices {
  unsigned optionals = 0;                               ///< number of optional operands present, from the left
  unsigned stars = 0;                                   ///< number of repetitions of a repeated operand
  std::unordered_map<std::uint16_t, Word> values = {};  ///< of enumerated kinds (by KindId::raw); by default the lowest
  std::uint16_t spec_opcode = 128;                      ///< the opcode in OpSpecConstantOp: OpIAdd
};

/// A module that contains an instance of the instruction after the declarations that it needs.
WordBuffer instance_of(const spirv::Grammar& grammar, const spirv::InstructionRow& row, const InstanceChoices& choices);

/// A module that imports the set and contains an instance of its instruction.
WordBuffer instance_of(const spirv::Grammar& grammar, const spirv::ExtInstSetRow& set, const spirv::ExtInstRow& row,
                       const InstanceChoices& choices);

/// Where an operand of a kind can occur: in an instruction or an extended instruction. If it is the parameter of an
/// enumerant, also the enumerants to choose.
struct KindHost {
  const spirv::InstructionRow* instruction = nullptr;
  const spirv::ExtInstSetRow* set = nullptr;  ///< together with `extended`
  const spirv::ExtInstRow* extended = nullptr;
  std::unordered_map<std::uint16_t, Word> values = {};
};

/// Empty if no instruction has operands of the kind.
std::optional<KindHost> host_of(const spirv::Grammar& grammar, spirv::KindId kind);

/// The module of a host with every optional operand, and with `value` for the kind.
WordBuffer instance_of(const spirv::Grammar& grammar, const KindHost& host, spirv::KindId kind, Word value);

}  // namespace vireo::system_test

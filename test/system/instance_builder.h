// SPDX-License-Identifier: Apache-2.0
//
// Modules made from the grammar's rows: one instruction, with as much as it needs around it.
//
// The one idea: a pattern is walked as the decoder walks it, but to write. Where the grammar leaves a choice (an
// enumerant, how many optional operands, how often a star), the caller has made it beforehand; so every opcode and every
// enumerant can be reached, and no list of instructions exists outside the grammar.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "vireo/spirv/grammar.h"
#include "vireo/spirv/word.h"

namespace vireo::system_test {

using spirv::Word;
using spirv::WordBuffer;

struct InstanceChoices {
  unsigned optionals = 0;                               ///< how many of the optional operands are there, from the left
  unsigned stars = 0;                                   ///< how often a repeated operand is there
  std::unordered_map<std::uint16_t, Word> values = {};  ///< of enumerated kinds (by KindId::raw); else a kind's lowest
  std::uint16_t spec_opcode = 128;                      ///< what OpSpecConstantOp holds: OpIAdd
};

/// A module that holds an instance of the instruction behind the declarations that it needs.
WordBuffer instance_of(const spirv::Grammar& grammar, const spirv::InstructionRow& row, const InstanceChoices& choices);

/// A module that imports the set and holds an instance of its instruction.
WordBuffer instance_of(const spirv::Grammar& grammar, const spirv::ExtInstSetRow& set, const spirv::ExtInstRow& row,
                       const InstanceChoices& choices);

/// Where an operand of a kind can stand: as an operand of an instruction or of an extended one, and when it is the
/// parameter of an enumerant, which enumerants have to be chosen for it to be there.
struct KindHost {
  const spirv::InstructionRow* instruction = nullptr;
  const spirv::ExtInstSetRow* set = nullptr;  ///< together with `extended`
  const spirv::ExtInstRow* extended = nullptr;
  std::unordered_map<std::uint16_t, Word> values = {};
};

/// Nothing when no instruction has operands of the kind.
std::optional<KindHost> host_of(const spirv::Grammar& grammar, spirv::KindId kind);

/// The module of a host with every optional operand, and the kind's value as wanted.
WordBuffer instance_of(const spirv::Grammar& grammar, const KindHost& host, spirv::KindId kind, Word value);

}  // namespace vireo::system_test

// SPDX-License-Identifier: Apache-2.0
//
// EntryReach: the globals that an entry point uses, also through calls, types and other globals.
//
// Each function, and each global, has a list of what it uses, read once. An entry point then walks these
// lists.
//
// Source: specification 2.4 (static call tree).
#pragma once

#include <cstdint>
#include <vector>

#include "vireo/spirv/module/module.h"

namespace vireo::spirv {

class EntryReach {
 public:
  /// Decodes all instructions. The operands of an instruction that cannot be decoded are those before the fault.
  explicit EntryReach(const Module& module);

  /// Walks from a function. Linear in the lists of what it reaches.
  void enter(Word function);
  /// Whether the last function entered uses an id.
  [[nodiscard]] bool has(Word id) const {
    const InstructionIndex i = module_.definition(id);
    return !i.is_none() && stamps_[i.index()] == stamp_;
  }

 private:
  const Module& module_;
  // By instruction, for those of globals and for OpFunction: the globals and functions that it uses.
  std::vector<std::uint32_t> begins_;  // one entry more than instructions
  std::vector<InstructionIndex> uses_;
  std::vector<std::uint32_t> stamps_;  // by instruction: stamp_ if it is reached
  std::uint32_t stamp_ = 0;
  std::vector<InstructionIndex> waiting_;
};

}  // namespace vireo::spirv

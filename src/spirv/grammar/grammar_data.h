// SPDX-License-Identifier: Apache-2.0
//
// The vectors of a grammar that was loaded at run time.
//
// Each vector corresponds to a generated array; `view` returns them as a Grammar.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/grammar/grammar_loader.h"

namespace vireo::spirv {

/// The number of bytes that may be read from the start of any string (Grammar::chars).
inline constexpr std::size_t chars_padding = 32;

struct GrammarData::Rows {
  std::uint8_t major_version = 0;
  std::uint8_t minor_version = 0;
  std::uint16_t revision = 0;

  std::vector<InstructionRow> instructions;
  std::vector<std::uint16_t> opcode_index;
  std::vector<OperandRow> operand_pool;
  std::vector<KindRow> kinds;
  std::vector<EnumerantRow> enumerants;
  std::vector<ExtInstSetRow> sets;
  std::vector<ExtInstRow> ext_instructions;
  std::vector<std::uint16_t> capability_pool;
  std::vector<StringRef> string_pool;
  std::vector<StringRef> printing_classes;
  std::vector<NameEntry> name_entries;
  std::vector<std::uint32_t> name_slots;
  std::string chars;
  KindId capability_kind;

  [[nodiscard]] Grammar view() const;
};

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// RequirementCheck: capabilities, extensions and versions that instructions and enumerants need.
//
// The one idea: all that is asked here stands in the rows of the grammar, so each row that a module uses is judged
// once. A missing capability is one finding, together with the capabilities that it implies: it is reported where it is
// first missed, with the number of further uses.
//
// Source: specification 3.31 (capabilities), 3 (versions and extensions of instructions and enumerants).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "spirv/validate/context.h"

namespace vireo::spirv {

class RequirementCheck {
 public:
  explicit RequirementCheck(const Context& context);

  /// What the opcode of an instruction needs, and the number of an extended one.
  void run(const Visit& visit, Report& report) {
    const auto number = static_cast<std::size_t>(visit.decoded->row - context_.grammar().instructions.data());
    if (fine_opcodes_[number] != 0 && visit.decoded->ext_inst == nullptr) [[likely]] { return; }
    check_opcode(visit, report);
  }
  /// What the enumerants among its operands need.
  void run_enumerants(const Visit& visit, Report& report) {
    for (const Operand& operand : visit.operands) {
      if (operand.shape == OperandShape::ValueEnum) {
        const Word value = visit.word(operand.word);
        if (value < 64 && (fine_low_[operand.kind.index()] >> value & 1) != 0) [[likely]] { continue; }
        if (fine_high_[value % fine_high_.size()] == value_key(operand.kind, value)) continue;
        check_value(visit, operand, value, report);
      } else if (operand.shape == OperandShape::BitEnum) {
        const Word mask = visit.word(operand.word);
        if ((mask & ~fine_low_[operand.kind.index()]) != 0) check_bits(visit, operand, mask, report);
      }
    }
  }
  /// Reports what was gathered of missing capabilities and extensions.
  void finish(Report& report);

 private:
  /// What one use needs: the same fields of instructions, enumerants and extended instructions.
  struct Needs {
    Slice capabilities, extensions;
    Version since, last;
    bool is_enumerant = false;
    bool is_capability = false;  ///< declaring one needs no other
  };
  /// What is missed, where first, and how often besides.
  struct Missing {
    Place place;
    std::string what;
    Version since;
    std::size_t more = 0;
  };
  using MissingBySlice = std::map<std::uint32_t, Missing>;
  /// A list of capabilities of which the module has none.
  struct Gap {
    std::span<const std::uint16_t> capabilities;  ///< their rows
    const Missing* missing;
    bool is_told = false;
  };
  /// A capability, and the gaps that it would close, by itself or by what it implies.
  struct Remedy {
    std::uint16_t capability;
    std::uint32_t first;  ///< of those that name it
    std::vector<std::uint32_t> met;
  };

  /// A list of extensions of which the module has none, and the lists that its first extension would meet as well.
  struct Wanted {
    std::span<const StringRef> names;
    const Missing* missing;
    std::vector<const Wanted*> others;
  };

  /// Of a value of 64 or more, so never 0.
  static std::uint64_t value_key(KindId kind, Word value) { return std::uint64_t{kind.raw} << 32 | value; }
  /// Whether the needs are met; reports what is not.
  bool judge(const Needs& needs, StringRef name, Place place, Report& report);
  void check_opcode(const Visit& visit, Report& report);
  void check_value(const Visit& visit, const Operand& operand, Word value, Report& report);
  void check_bits(const Visit& visit, const Operand& operand, Word mask, Report& report);
  /// Whether the enumerant is fine, and so need not be looked at when it is used again.
  bool check_enumerant(const EnumerantRow& row, const Visit& visit, const Operand& operand, Report& report);
  [[nodiscard]] bool has_any_capability(Slice capabilities) const;
  [[nodiscard]] bool has_any_extension(Slice extensions) const;
  [[nodiscard]] bool is_reserved(const Needs& needs) const;
  void finish_capabilities(Report& report);
  [[nodiscard]] std::vector<Remedy> remedies(std::span<const Gap> gaps) const;
  [[nodiscard]] std::string names_of(const Gap& gap) const;
  void tell_missing(const Remedy& remedy, std::span<Gap> gaps, Report& report) const;
  [[nodiscard]] std::vector<Wanted> wanted_extensions() const;
  [[nodiscard]] std::string names_of(const Wanted& wanted) const;
  void finish_extensions(Report& report);

  const Context& context_;
  // By row of the grammar: judged, and met. A byte is found quicker than a bit.
  std::vector<std::uint8_t> fine_opcodes_;
  std::vector<bool> fine_enumerants_;
  std::vector<std::uint64_t> fine_low_;        // by kind: bits of a mask, or values below 64, that are fine
  std::array<std::uint64_t, 16> fine_high_{};  // other values that are fine, the last of each place; 0: none
  MissingBySlice capabilities_, extensions_;   // by the grammar's list of those that would do
};

}  // namespace vireo::spirv

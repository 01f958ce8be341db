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

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "spirv/validate/engine/context.h"

namespace vireo::spirv {

class RequirementCheck {
 public:
  explicit RequirementCheck(const Context& context);

  /// What the opcode of an instruction needs, and the number of an extended one.
  void run(const Visit& visit, Report& report) {
    const auto number = static_cast<std::size_t>(visit.decoded->row - context_.grammar().instructions.data());
    if (!fine_opcodes_[number] || visit.decoded->ext_inst != nullptr) check_opcode(visit, report);
  }
  /// What the enumerants among its operands need.
  void run_enumerants(const Visit& visit, Report& report);
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

  /// Whether the needs are met; reports what is not.
  bool judge(const Needs& needs, StringRef name, Place place, Report& report);
  void check_opcode(const Visit& visit, Report& report);
  void check_enumerant(const Visit& visit, const Operand& operand, Word value, Report& report);
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
  std::vector<bool> fine_opcodes_, fine_enumerants_;  // by row of the grammar: judged, and met
  MissingBySlice capabilities_, extensions_;          // by the grammar's list of those that would do
};

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// RequirementCheck: capabilities, extensions and versions that instructions and enumerants need.
//
// The one idea: the grammar says it all, row by row, and no row says it differently twice. So each row of the grammar
// that a module uses is judged once, and a missing capability is one finding: it is told where it is first missed, with
// the number of further uses.
//
// Source: specification 3.31 (capabilities), 3 (versions and extensions of instructions and enumerants).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "spirv/validate/context.h"

namespace vireo::spirv {

class RequirementCheck {
 public:
  explicit RequirementCheck(const Context& context);

  /// What the opcode of an instruction needs.
  void run(const Visit& visit, Report& report);
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

  /// Whether the needs are met; reports what is not.
  bool judge(const Needs& needs, StringRef name, Place place, Report& report);
  void check_enumerants(const Visit& visit, const Operand& operand, Report& report);
  void check_enumerant(const EnumerantRow& row, const Visit& visit, const Operand& operand, Report& report);
  [[nodiscard]] bool has_any_capability(Slice capabilities) const;
  [[nodiscard]] bool has_any_extension(Slice extensions) const;
  [[nodiscard]] bool is_reserved(const Needs& needs) const;
  void finish_capabilities(Report& report);
  void finish_extensions(Report& report);

  const Context& context_;
  std::vector<bool> fine_opcodes_, fine_enumerants_;  // by row of the grammar: judged, and met
  MissingBySlice capabilities_, extensions_;          // by the grammar's list of those that would do
};

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// RequirementCheck: capabilities, extensions and versions that instructions and enumerants need.
//
// The grammar rows contain all requirements, so each row that a module uses is checked once. A missing
// capability and the capabilities that it implies are one finding. The finding is at the first use and gives the number
// of further uses.
//
// Source: specification 3.31 (capabilities), 3 (versions and extensions of instructions and enumerants).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "spirv/validate/core/check.h"

namespace vireo::spirv {

class RequirementCheck {
 public:
  explicit RequirementCheck(const ModuleCheck& c);

  /// Checks the requirements of an opcode and of the extended instruction, if there is one.
  void run(const InstructionCheck& c) {
    const auto number = static_cast<std::size_t>(c.decoded->row - c_.grammar().instructions.data());
    if (satisfied_opcodes_[number] == 0 || c.decoded->ext_inst != nullptr) check_opcode(c);
  }
  /// Checks the requirements of the enumerants among the operands of an instruction.
  void run_enumerants(const InstructionCheck& c);
  /// Reports the collected missing capabilities and extensions.
  void finish();

 private:
  /// Requirements of one use: the common fields of instructions, enumerants and extended instructions.
  struct Needs {
    Slice capabilities, extensions;
    Version since, last;
    bool is_enumerant = false;
    bool is_capability = false;  ///< an operand of OpCapability, which needs no other capability
  };
  /// The first use that lacks a requirement, and the number of further uses.
  struct Missing {
    Place place;
    std::string what;
    Version since;
    std::size_t more = 0;
    Place next = {};  ///< of the second use
  };
  using MissingBySlice = std::map<std::uint32_t, Missing>;
  /// A list of alternative capabilities of which the module declares none.
  struct CapabilityRequirement {
    std::span<const std::uint16_t> capabilities;  ///< rows of the grammar
    const Missing* missing;
    bool is_reported = false;
  };
  /// A suggested capability, and the lists that it satisfies, directly or through implied capabilities.
  struct Remedy {
    std::uint16_t capability;
    std::uint32_t first;  ///< index of the first list that names it
    std::vector<std::uint32_t> met;
  };

  /// A list of alternative extensions of which the module declares none. `others` are lists that the first extension of
  /// this list also satisfies.
  struct ExtensionRequirement {
    std::span<const StringRef> names;
    const Missing* missing;
    std::vector<const ExtensionRequirement*> others;
  };

  /// Whether the requirements are met; reports or records the unmet ones.
  bool check(const Needs& needs, StringRef name, Place place);
  void check_opcode(const InstructionCheck& c);
  void check_enumerant(const InstructionCheck& c, const Operand& operand, Word value) {
    const EnumerantRow* row = c_.grammar().find_value(operand.kind, value);
    if (row == nullptr) return;
    const auto number = static_cast<std::size_t>(row - c_.grammar().enumerants.data());
    if (satisfied_enumerants_[number] == 0) satisfied_enumerants_[number] = is_satisfied(c, operand, *row);
  }
  [[nodiscard]] bool is_satisfied(const InstructionCheck& c, const Operand& operand, const EnumerantRow& row);
  [[nodiscard]] bool has_any_capability(Slice capabilities) const;
  [[nodiscard]] bool has_any_extension(Slice extensions) const;
  [[nodiscard]] bool is_reserved(const Needs& needs) const;
  void finish_capabilities();
  [[nodiscard]] std::vector<Remedy> remedies(std::span<const CapabilityRequirement> requirements) const;
  void note_further_uses(const Missing& missing) const;
  [[nodiscard]] std::string names_of(const CapabilityRequirement& requirement) const;
  [[nodiscard]] std::string_view vuid_of(const CapabilityRequirement& requirement) const;
  void report_undefined(const Remedy& remedy, std::span<CapabilityRequirement> requirements) const;
  void join_consequences(const Remedy& remedy, const CapabilityRequirement& reported) const;
  [[nodiscard]] std::vector<ExtensionRequirement> extension_requirements() const;
  [[nodiscard]] std::string names_of(const ExtensionRequirement& requirement) const;
  void finish_extensions();

  const ModuleCheck& c_;
  // By row of the grammar: 1 if its requirements are met. Read for each instruction, so bytes, not bits.
  std::vector<std::uint8_t> satisfied_opcodes_, satisfied_enumerants_;
  MissingBySlice capabilities_, extensions_;  // by list of alternatives in the grammar (key_of)
};

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// DeviceCheck: compares what a module does with the rows of features, numbers and stages (tables/device_rows.h).
//
// The checks of this folder find uses and numbers in a module; this class knows the device. A feature or limit that the
// profile does not state is unknown, and rows that need it report nothing.
#pragma once

#include <cstdint>
#include <string_view>

#include "spirv/validate/analysis/device_values.h"
#include "spirv/validate/analysis/reach.h"
#include "spirv/validate/core/check.h"
#include "spirv/validate/tables/device_rows.h"

namespace vireo::spirv {

/// Compares a number with the limits of the device for it. `entry`: for numbers of an entry point, nullptr for others.
/// Returns whether a finding was reported. The module has a device (`c.device`).
bool check_device_number(const ModuleCheck& c, DeviceNumber number, std::uint64_t value, Place place,
                         const EntryPointRow* entry = nullptr);

class DeviceCheck {
 public:
  /// The module has a device (`c.device`).
  explicit DeviceCheck(const ModuleCheck& c);

  const ModuleCheck& c;
  const DeviceValues& values;

  /// The execution models of the entry points that reach a function or use a global.
  [[nodiscard]] Models models_of(FunctionIndex function) const { return reach_.of(function); }
  [[nodiscard]] Models models_of_global(Word id) const { return reach_.of_global(id); }

  /// Reports a use for which the device lacks the features; `name` is the subject in the message. Returns whether a
  /// finding was reported.
  bool need(DeviceUse use, Place place, Models models, std::string_view name = {}) const;
  /// Compares a number with its limit.
  bool bound(DeviceNumber number, std::uint64_t value, Place place) const {
    return check_device_number(c, number, value, place);
  }
  /// Reports a use in stages that the device does not list.
  bool staged(StagedUse use, Place place, Models models, std::string_view name) const;

 private:
  const EntryPointReachability reach_;
};

/// The uses of instructions in functions.
void check_instruction_needs(const DeviceCheck& device);
/// Types, variables, decorations, capabilities and modes.
void check_declaration_needs(const DeviceCheck& device);
/// Offsets of descriptors in heaps.
void check_heap_offsets(const DeviceCheck& device);
/// Requirements of an entry point that several of its modes, or several stages of its code, break together.
void check_entry_needs(const DeviceCheck& device);

/// A memory scope of an instruction. The walk calls it, because memory operands have scopes too.
void check_device_memory_scope(const InstructionCheck& c, Place place, Scope scope);

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// DeviceCheck: compares what a module does with the rows of features, numbers and stages (tables/device_rows.h).
//
// The checks of this folder find uses and numbers in a module; this class knows the device. A feature or limit that the
// profile does not state is unknown, and rows that need it report nothing.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "spirv/validate/analysis/reach.h"
#include "spirv/validate/core/check.h"
#include "spirv/validate/tables/device_rows.h"

namespace vireo::spirv {

/// The features and limits that a profile states.
class DeviceValues {
 public:
  explicit DeviceValues(const DeviceSupport& device);

  /// nullopt: the profile does not state it.
  [[nodiscard]] std::optional<std::int64_t> find(std::string_view name) const;
  [[nodiscard]] bool is_on(std::string_view name) const { return find(name).value_or(0) != 0; }
  /// Whether the device has none of these features, which are separated by commas, and states at least one of them.
  [[nodiscard]] bool lacks_all(std::string_view names) const;

 private:
  std::map<std::string_view, std::int64_t> values_;
};

class DeviceCheck {
 public:
  /// `c` has a device, and its environment is one of Vulkan.
  explicit DeviceCheck(const ModuleCheck& c);

  const ModuleCheck& c;
  const DeviceValues values;

  /// The execution models of the entry points that reach a function or use a global.
  [[nodiscard]] Models models_of(FunctionIndex function) const { return reach_.of(function); }
  [[nodiscard]] Models models_of_global(Word id) const { return reach_.of_global(id); }

  /// Reports a use for which the device lacks the features; `name` is the subject in the message. Returns whether a
  /// finding was reported.
  bool need(DeviceUse use, Place place, Models models, std::string_view name = {}) const;
  /// Compares a number with its limit.
  bool bound(DeviceNumber number, std::uint64_t value, Place place) const;
  /// Reports a use in stages that the device does not list.
  bool staged(StagedUse use, Place place, Models models, std::string_view name) const;

 private:
  const EntryPointReachability reach_;
};

/// The uses of instructions in functions.
void check_instruction_needs(const DeviceCheck& device);
/// Types, variables, decorations, capabilities and modes.
void check_declaration_needs(const DeviceCheck& device);
/// Requirements of an entry point that several of its modes, or several stages of its code, break together.
void check_entry_needs(const DeviceCheck& device);

/// A memory scope of an instruction. The walk calls it, because memory operands have scopes too.
void check_device_memory_scope(const InstructionCheck& c, Place place, Scope scope);

}  // namespace vireo::spirv

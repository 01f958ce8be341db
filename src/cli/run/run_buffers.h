// SPDX-License-Identifier: Apache-2.0
//
// The buffers of an execution: how options name them, their contents before and after.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/run/value_layout.h"
#include "vireo/spirv/inspect/reflection.h"
#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/run.h"

namespace vireo::cli {

/// A buffer and its contents.
struct RunBuffer {
  std::string name;  ///< of the variable, or in the job; may be empty
  bool has_binding = true;
  spirv::Word set = 0, binding = 0;
  spirv::Word element = 0;
  bool is_array = false, is_open_array = false;  ///< of descriptors; of descriptors without a length
  std::shared_ptr<const ValueLayout> layout = {};
  std::vector<std::byte> bytes = {};
  std::vector<std::byte> before = {};  ///< the bytes before the execution
  bool is_given = false;

  /// "0.1 data", "0.1[2] data", "data".
  [[nodiscard]] std::string label() const;
  /// The scalars that the execution has changed.
  [[nodiscard]] std::uint64_t changed_scalars() const;
};

/// A buffer in an option: SET.BINDING, SET.BINDING[i], NAME or NAME[i].
struct BufferName {
  std::string_view text;
  bool is_binding = false;
  spirv::Word set = 0, binding = 0;
  std::string_view name = {};
  spirv::Word element = 0;

  static BufferName parse(std::string_view text);
  [[nodiscard]] bool matches(const RunBuffer& buffer) const;
};

/// The buffer with a name. Returns nullptr and sets the problem if there is none, or if several have it.
RunBuffer* find_buffer(std::deque<RunBuffer>& buffers, std::string_view name, std::string& problem);

/// An entry point of a module, and what must be bound to run it.
class EntryInputs {
 public:
  /// The words and the grammar must outlive it. `entry` may be empty if there is only one entry point.
  EntryInputs(spirv::Words words, const spirv::Grammar& grammar, std::span<const spirv::Specialization> values,
              std::string_view entry);
  EntryInputs(const EntryInputs&) = delete;
  EntryInputs& operator=(const EntryInputs&) = delete;

  /// False: the executor reports why.
  [[nodiscard]] bool has_entry() const { return entry_ != nullptr; }
  [[nodiscard]] const spirv::ReflectedEntryPoint& entry() const { return *entry_; }
  [[nodiscard]] const spirv::Facts& facts() const { return facts_; }
  [[nodiscard]] const spirv::Reflection& reflection() const { return reflection_; }

  /// The uniform and storage buffers, without contents; each element of an array of descriptors, at most
  /// max_descriptors of them. An array without a length has one element.
  [[nodiscard]] std::deque<RunBuffer> buffers() const;
  /// The block of push constants; nullptr: the entry point uses none.
  [[nodiscard]] const spirv::ReflectedPushConstants* push_constants() const;

  static constexpr std::uint64_t max_descriptors = 1024;

 private:
  const spirv::Module module_;
  const spirv::Facts facts_;
  const spirv::Reflection reflection_;
  const spirv::ReflectedEntryPoint* entry_ = nullptr;
};

}  // namespace vireo::cli

// SPDX-License-Identifier: Apache-2.0
//
// Builder except its instruction methods (builder.h): construction, reserved ids, and the finished module.
#include "vireo/spirv/build/builder.h"

#include <utility>

#include <fmt/format.h>

#include "spirv/build/state.h"
#include "spirv/rules.h"
#include "vireo/spirv/build/requirements.h"

namespace vireo::spirv {

Builder::Builder(Diagnostics& diagnostics, BuilderOptions options) : Builder(new BuilderState(diagnostics, options)) {}
Builder::Builder(BuilderState* state) : InstructionCalls(*state, {}), owned_(state) {}
Builder::~Builder() = default;
Builder::Builder(Builder&&) noexcept = default;  // the state keeps its address, so the base's pointer stays valid
Builder& Builder::operator=(Builder&&) noexcept = default;

Word Builder::reserve_id(IdKind kind) { return owned_->allocate(kind); }

bool Builder::is_in_block() const { return owned_->block_is_open; }

// --- the finished module ------------------------------------------------------------------------------------------------

// The requirements are computed from the words, not from a record of the calls, so that builder and edit share one
// implementation.
void Builder::add_requirements() {
  const Requirements missing = missing_requirements(owned_->joined(), owned_->grammar);
  for (const Capability capability : missing.capabilities) OpCapability(capability);
  for (const std::string_view extension : missing.extensions) OpExtension(extension);
}

Result<WordBuffer> Builder::build() {
  // Reports everything that is unfinished in one pass; an incomplete module is not returned.
  BuilderState& state = *owned_;
  const std::size_t calls = std::exchange(state.calls, 0);  // no call made the faults below
  if (state.block_is_open && !state.is_assumed) state.report(rule::block_not_ended, "the last block has no terminator");
  if (state.function_is_open) state.report(rule::function_not_ended, "the last function has no OpFunctionEnd");
  if (!state.has_model) state.report(rule::memory_model, "the module has no OpMemoryModel");
  for (Word id = 1; id < state.ids.size(); ++id) {
    if (!state.ids[id].is_defined && !state.ids[id].is_invalid) {
      state.report(rule::undefined_id, fmt::format("id {} was reserved, and no instruction has it as its result", id));
    }
  }
  state.report_forward_uses();
  state.calls = calls;
  if (state.reported) return *state.reported;
  return state.joined();
}

}  // namespace vireo::spirv

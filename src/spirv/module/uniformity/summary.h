// SPDX-License-Identifier: Apache-2.0
//
// The parts of a function's analysis that its callers and callees see.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "spirv/module/uniformity/graph.h"
#include "spirv/module/uniformity/sources.h"

namespace vireo::spirv {

/// A place through which divergence enters or leaves a function.
enum class PortKind : std::uint8_t {
  Control,       ///< inputs: the control flow at calls
  Parameter,     ///< inputs: the value of a parameter
  Resource,      ///< inputs: the descriptor that a pointer parameter refers to
  Pointee,       ///< the content of the variable that a parameter points to
  Global,        ///< the content of a Private variable
  Result,        ///< outputs: the returned value
  Terminations,  ///< outputs: the end of some invocations
  Returns,       ///< outputs: the choice of the return
};

struct Port {
  PortKind kind = PortKind::Control;
  Word key = 0;  ///< number of the parameter, or id of the variable
  std::uint32_t element = 0;
  friend bool operator==(const Port&, const Port&) = default;
};

/// An input, with the divergence that the calls of the function pass.
struct FunctionInput {
  Port port;
  std::uint16_t state = 0;
  std::array<InstructionIndex, plane_count> calls{};  ///< for each plane, a call that passes it
};

struct FunctionOutput {
  Port port;
  InputSets inputs;
};

/// The size of workgroups, by dimension.
using GroupSize = std::array<std::uint32_t, 3>;
inline constexpr std::uint32_t any_size = ~std::uint32_t{0};  ///< not known, or specialization may change it

struct FunctionSummary {
  std::vector<FunctionInput> inputs;
  std::vector<FunctionOutput> outputs;
  Stages stages = 0;
  GroupSize group_size{};               ///< the largest of the entry points that reach the function
  std::uint16_t derivative_scopes = 0;  ///< planes in which the control flow of derivatives must be uniform
  bool is_known = false;                ///< whether the outputs are those of the function
  bool terminates = false;              ///< whether some instruction ends invocations
  bool is_maximal = false;              ///< MaximallyReconvergesKHR in all entry points that reach the function
  bool has_unknown_write = false;       ///< some write of a variable could not be followed
  bool may_have_demands = true;         ///< in the function, or in one that it calls

  void add(const GroupSize& size) {
    for (unsigned d = 0; d < 3; ++d) {
      group_size[d] = std::max(group_size[d], size[d]);
      if (size[d] > 1) stages |= Stages{WideX} << d;
    }
  }
  /// Whether all entry points that reach the function have workgroups of one invocation.
  [[nodiscard]] bool is_single() const {
    const bool has_workgroups = (stages & ~Stages{WorkgroupStage | MeshStage | TaskStage | ManyInvocations}) == 0;
    return has_workgroups && stages != 0;
  }
  FunctionInput* find_input(const Port& port) {
    for (FunctionInput& input : inputs) {
      if (input.port == port) return &input;
    }
    return nullptr;
  }
};

}  // namespace vireo::spirv

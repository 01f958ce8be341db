// SPDX-License-Identifier: Apache-2.0
//
// Uniformity: which values and blocks are uniform in the invocations of a quad, a primitive, a subgroup, and an
// invocation group.
//
// The analysis is sound: a value that it calls uniform is equal in all invocations of the scope that execute the same
// dynamic instance of its definition; a block that it calls uniform is executed by all invocations of the scope together
// or by none. It follows data and control flow, Function and Private variables, and calls. The converse does not hold:
// a value that is not proven uniform may be uniform. Therefore divergence has two grades. It is certain if it follows
// from a source that differs between invocations, such as an invocation index; otherwise it is only possible.
//
//   const Uniformity uniformity = Uniformity::read(module, facts);
//   if (uniformity.of(id).is_uniform(UniformityScope::Subgroup)) …
//
// Accepts invalid modules. Time and memory are linear in the words, except for long climbs through nested constructs,
// which are bounded: beyond the bound nothing in the function is uniform.
//
// Source: specification 2.2 (dynamic instance, uniform control flow, derivative group), 2.11; the Vulkan chapter on
// shaders (scopes, invocation groups).
#pragma once

#include <cstdint>
#include <vector>

#include "vireo/spirv/module/module.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"

namespace vireo::spirv {

class Facts;

/// A set of invocations in which a value may be uniform.
enum class UniformityScope : std::uint8_t {
  Quad,
  Primitive,  ///< the fragments of a primitive; in tessellation control shaders: the invocations of a patch
  Subgroup,
  Group,  ///< the invocation group: a workgroup, or in the other graphics stages all invocations of a command
};

/// The scopes in which a value is not proven uniform.
struct VIREO_API Divergence {
  static constexpr std::uint16_t scopes = 4;
  static constexpr std::uint16_t possible = 0x00F;             ///< in all scopes, without a certain source
  static constexpr std::uint16_t certain = 0x0FF;              ///< in all scopes, from a certain source
  static constexpr std::uint16_t on_view_index = 0x100;        ///< the value depends on the built-in ViewIndex
  static constexpr std::uint16_t on_workgroup_memory = 0x200;  ///< the value depends on memory of the workgroup
  static constexpr std::uint16_t all = 0x3FF;

  /// One bit for each scope in which divergence is possible; above them, one for each in which it is certain.
  std::uint16_t bits = 0;

  [[nodiscard]] constexpr bool is_uniform(UniformityScope scope) const {
    return (bits >> static_cast<unsigned>(scope) & 1) == 0;
  }
  [[nodiscard]] constexpr bool is_certain(UniformityScope scope) const {
    return (bits >> (scopes + static_cast<unsigned>(scope)) & 1) != 0;
  }
  friend constexpr bool operator==(Divergence, Divergence) = default;
};

/// The uniformity of the values and blocks of a module.
class VIREO_API Uniformity {
 public:
  /// Analyzes all functions. `facts` are those of the module; both are borrowed during the call.
  static Uniformity read(const Module& module, const Facts& facts);

  /// The divergence of a value where it is defined. Constants, types and other ids outside functions are uniform.
  [[nodiscard]] Divergence of(InstructionIndex definition) const {
    return definition.index() < values_.size() ? Divergence{values_[definition.index()]} : Divergence{};
  }
  /// The divergence of the control flow in a block: where it is uniform, all invocations of the scope execute the block
  /// together.
  [[nodiscard]] Divergence of(BlockIndex block) const { return {blocks_[block.index()]}; }

 private:
  Uniformity() = default;
  std::vector<std::uint16_t> values_;  // by instruction
  std::vector<std::uint16_t> blocks_;  // by block
};

}  // namespace vireo::spirv

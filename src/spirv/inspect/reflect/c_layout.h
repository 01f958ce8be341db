// SPDX-License-Identifier: Apache-2.0
//
// Types of C and C++ with the memory layout of types of a module.
//
// A type is its size, its alignment and two texts, the parts of a declaration before and after the name.
// A stride that C would not choose becomes a structure with padding, or an array of bytes.
//
// Source: Vulkan specification, "Offset and Stride Assignment"; ISO C 6.7.2.1 (structures).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "spirv/module/layouts/type_layouts.h"
#include "vireo/spirv/inspect/reflection.h"

namespace vireo::spirv {

/// A type of C.
struct CType {
  std::string base;  ///< before the name: "float"
  std::string dims;  ///< after the name: "[4][4]"
  std::uint64_t size = 0;
  std::uint32_t align = 1;  ///< in bytes; as on hosts where a scalar is aligned to its size

  [[nodiscard]] std::string declare(std::string_view name) const;
};
CType c_bytes(std::uint64_t count);

class CLayout {
 public:
  /// No object is larger, so that the size of an object fits in 32 bits on all hosts.
  static constexpr std::uint64_t max_bytes = 0x7fffffff;

  explicit CLayout(const Reflection& reflection) : facts_(reflection.facts()), layouts_(facts_, LayoutKind::Padded) {}

  /// Defines a structure. Structures in others are defined before them.
  void define(Word structure, CType type) { structures_.insert_or_assign(structure, std::move(type)); }
  /// The type of a member. None: C has no such type, or the type has no size. Bounded time for each member.
  [[nodiscard]] std::optional<CType> type_of(const ReflectedMember& member) const;
  /// For a run-time array: its element type, with the size of the stride.
  [[nodiscard]] std::optional<CType> element_of(const ReflectedMember& member) const;
  [[nodiscard]] bool is_runtime_array(Word type) const { return facts_.types().of(type).is(TypeKind::RuntimeArray); }

 private:
  [[nodiscard]] std::optional<CType> type_of(Word type, const ReflectedMember& member) const;
  [[nodiscard]] std::optional<CType> innermost(const TypeRow& row, const ReflectedMember& member) const;
  [[nodiscard]] std::optional<CType> matrix(const TypeRow& row, const ReflectedMember& member) const;

  const Facts& facts_;
  TypeLayouts layouts_;
  std::unordered_map<Word, CType> structures_;
};

}  // namespace vireo::spirv

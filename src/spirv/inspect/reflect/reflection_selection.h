// SPDX-License-Identifier: Apache-2.0
//
// ReflectionSelection: selects rows of a Reflection to write, either all or those that some entry points use.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "vireo/spirv/inspect/reflection_text.h"

namespace vireo::spirv {

class ReflectionSelection {
 public:
  ReflectionSelection(const Reflection& reflection, const ReflectionTextOptions& options)
      : is_all_(options.entry_point.empty()), reflection_(reflection) {
    for (std::uint32_t i = 0; i < reflection.entry_points().size(); ++i) {
      if (is_all_ || reflection.entry_points()[i].name == options.entry_point) entry_points_.push_back(i);
    }
  }

  /// Indexes of Reflection::entry_points().
  [[nodiscard]] const std::vector<std::uint32_t>& entry_points() const { return entry_points_; }

  /// The mappings to heaps of the selected resources.
  [[nodiscard]] std::vector<ReflectedMapping> mappings() const {
    std::vector<std::pair<const Reflection*, std::uint32_t>> resources;
    for (const std::uint32_t i : rows(reflection_.resources().size(), &ReflectedEntryPoint::resources)) {
      resources.emplace_back(&reflection_, i);
    }
    return descriptor_mappings(resources);
  }

  /// The indexes of rows, of which each entry point has a list: `&ReflectedEntryPoint::resources`.
  [[nodiscard]] std::vector<std::uint32_t> rows(std::size_t count,
                                                std::vector<std::uint32_t> ReflectedEntryPoint::*list) const {
    std::vector<bool> is_used(count, is_all_);
    for (const std::uint32_t e : entry_points_) {
      for (const std::uint32_t i : reflection_.entry_points()[e].*list) is_used[i] = true;
    }
    std::vector<std::uint32_t> rows;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (is_used[i]) rows.push_back(i);
    }
    return rows;
  }

 private:
  bool is_all_;
  const Reflection& reflection_;
  std::vector<std::uint32_t> entry_points_;
};

}  // namespace vireo::spirv

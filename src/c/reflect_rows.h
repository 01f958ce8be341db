// SPDX-License-Identifier: Apache-2.0
//
// The handle of a reflection, and conversions that its rows share with those of a pipeline (vireo/vireo_inspect.h).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "c/handles.h"
#include "vireo/spirv/inspect/reflection.h"
#include "vireo/vireo_inspect.h"

// The reflection refers to the facts of the module, which refers to the words. None of them may move.
struct vireo_reflection {
  vireo_reflection(vireo::spirv::Words borrowed, const vireo::spirv::Grammar& grammar)
      : words(borrowed.begin(), borrowed.end()),
        module(vireo::spirv::Module::read(words, grammar)),
        reflection(module.facts) {}
  const vireo::spirv::WordBuffer words;
  const vireo_module module;
  const vireo::spirv::Reflection reflection;
  std::vector<std::vector<vireo_reflected_length>> resource_arrays, variable_arrays, other_arrays;  // by row
  std::vector<std::vector<std::uint32_t>> built_ins;                                                // by entry point
};

namespace vireo::c {

inline std::uint32_t or_none(const std::optional<spirv::Word>& value) { return value.value_or(VIREO_NONE); }

// An empty list is NULL.
template <typename Element>
void return_list(const std::vector<Element>& list, const Element** data, std::uint32_t* count) {
  *data = list.empty() ? nullptr : list.data();
  *count = static_cast<std::uint32_t>(list.size());
}

inline std::vector<vireo_reflected_length> lengths_to_c(const std::vector<spirv::ReflectedLength>& lengths) {
  std::vector<vireo_reflected_length> list;
  list.reserve(lengths.size());
  for (const spirv::ReflectedLength& length : lengths) list.push_back({length.count, or_none(length.spec_id)});
  return list;
}

}  // namespace vireo::c

// SPDX-License-Identifier: Apache-2.0
//
// The table of extended sets; see special_sets.h.
#include "spirv/grammar/special_sets.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

namespace vireo::spirv {
namespace {

// NonSemantic.Shader.DebugInfo has two documents. The one without a number is newer: it contains all of version 100 and
// additions, and SPIRV-Tools uses it for every version. Both therefore have the same prefix. If both are loaded in the
// order of their names, the newer one is last and replaces the other.
//
// The spirv-dis of SPIRV-Tools prints instructions of NonSemantic.DebugBreak as numbers, not names; so does Vireo
// (`prints_numbers`).
// clang-format off
using enum KnownSet;
constexpr std::array rows = {
    SpecialSet{"arm.experimental-ml-operations",           "Arm.ExperimentalMLOperations."},
    SpecialSet{"arm.motion-engine.100",                    "Arm.MotionEngine.100"},
    SpecialSet{"debuginfo",                                "DebugInfo", PlainDebug},
    SpecialSet{"glsl.std.450",                             "GLSL.std.450", Glsl},
    SpecialSet{"nonsemantic.clspvreflection",              "NonSemantic.ClspvReflection.", Reflection},
    SpecialSet{"nonsemantic.debugbreak",                   "NonSemantic.DebugBreak", Break, true},
    SpecialSet{"nonsemantic.debugprintf",                  "NonSemantic.DebugPrintf", Printf},
    SpecialSet{"nonsemantic.graph.debuginfo",              "NonSemantic.Graph.DebugInfo.", GraphDebug},
    SpecialSet{"nonsemantic.shader.debuginfo",             "NonSemantic.Shader.DebugInfo.", ShaderDebug},
    SpecialSet{"nonsemantic.shader.debuginfo.100",         "NonSemantic.Shader.DebugInfo.", ShaderDebug},
    SpecialSet{"nonsemantic.vkspreflection",               "NonSemantic.VkspReflection."},
    SpecialSet{"opencl.debuginfo.100",                     "OpenCL.DebugInfo.100", OpenClDebug},
    SpecialSet{"opencl.std.100",                           "OpenCL.std", OpenCl},
    SpecialSet{"spv-amd-gcn-shader",                       "SPV_AMD_gcn_shader"},
    SpecialSet{"spv-amd-shader-ballot",                    "SPV_AMD_shader_ballot"},
    SpecialSet{"spv-amd-shader-explicit-vertex-parameter", "SPV_AMD_shader_explicit_vertex_parameter"},
    SpecialSet{"spv-amd-shader-trinary-minmax",            "SPV_AMD_shader_trinary_minmax"},
    SpecialSet{"tosa.001000.1",                            "TOSA.001000.1"},
};
// clang-format on

constexpr bool by_document(const SpecialSet& a, const SpecialSet& b) { return a.document < b.document; }
static_assert(std::is_sorted(rows.begin(), rows.end(), by_document));

}  // namespace

// Khronos' documents are identified by their file names only.
const SpecialSet* find_special_set(std::string_view document) {
  const auto row = std::lower_bound(rows.begin(), rows.end(), SpecialSet{document, {}}, by_document);
  return row != rows.end() && row->document == document ? &*row : nullptr;
}

// The table is not sorted by import name. Two rows may have the same import name; their other fields are then equal.
const SpecialSet* find_special_set_by_import_name(std::string_view import_name) {
  const auto row =
      std::find_if(rows.begin(), rows.end(), [&](const SpecialSet& set) { return set.import_name == import_name; });
  return row != rows.end() ? &*row : nullptr;
}

NamedSet named_set(std::string_view import_name) {
  for (const SpecialSet& row : rows) {
    if (match_of_import_name(row.import_name) == SetMatch::Exact) {
      if (import_name == row.import_name) return {row.set, 0};
    } else if (import_name.starts_with(row.import_name)) {
      return {row.set, version_number(import_name.substr(row.import_name.size())).value_or(0)};
    }
  }
  return {};
}

std::optional<std::uint32_t> version_number(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || text.front() == '0') {
    return text == "0" ? std::optional<std::uint32_t>(0) : std::nullopt;
  }
  return number;
}

std::string_view document_of_file_name(std::string_view file_name) {
  constexpr std::string_view prefix = "extinst.";
  constexpr std::string_view suffix = ".grammar.json";
  // Both separators are accepted, as the name may come from another system.
  if (const std::size_t slash = file_name.find_last_of("/\\"); slash != std::string_view::npos) {
    file_name.remove_prefix(slash + 1);
  }
  if (file_name.size() <= prefix.size() + suffix.size()) return {};
  if (!file_name.starts_with(prefix) || !file_name.ends_with(suffix)) return {};
  file_name.remove_prefix(prefix.size());
  file_name.remove_suffix(suffix.size());
  return file_name;
}

}  // namespace vireo::spirv

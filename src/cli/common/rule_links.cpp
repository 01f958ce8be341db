// SPDX-License-Identifier: Apache-2.0
//
// Composes addresses of specifications (rule_links.h).
//
// A wrong anchor is worse than none. The table has only the sections whose anchors other documents use;
// all other sections link to the whole document.
#include "cli/common/rule_links.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace vireo::cli {
namespace {

constexpr std::string_view vulkan = "https://registry.khronos.org/vulkan/specs/latest/html/vkspec.html";
constexpr std::string_view spirv_document = "https://registry.khronos.org/SPIR-V/specs/unified1/SPIRV.html";
// Lists the specifications of extensions, extended instruction sets and environments.
constexpr std::string_view registry = "https://registry.khronos.org/SPIR-V/";
constexpr std::string_view extensions = "https://github.khronos.org/SPIRV-Registry/extensions/";

struct Anchor {
  std::string_view section, name;
};
constexpr Anchor anchors[] = {
    {"2.3", "_physical_layout_of_a_spir_v_module_and_instruction"},
    {"2.4", "_logical_layout_of_a_module"},
    {"2.16.1", "_universal_validation_rules"},
    {"2.17", "_universal_limits"},
    {"3.6", "_execution_mode"},
    {"3.7", "_storage_class"},
    {"3.14", "_image_operands"},
    {"3.20", "_decoration"},
    {"3.25", "_memory_semantics_id"},
    {"3.27", "_scope_id"},
    {"3.31", "_capability"},
    {"3.42.6", "_type_declaration_instructions"},
    {"3.42.8", "_memory_instructions"},
    {"3.42.10", "_image_instructions"},
    {"3.42.17", "_control_flow_instructions"},
    {"3.42.18", "_atomic_instructions"},
};

// "SPV_KHR_untyped_pointers" is in the folder KHR.
std::string link_of_extension(std::string_view name) {
  const std::string_view rest = name.substr(4);
  std::string link(extensions);
  return link.append(rest.substr(0, rest.find('_'))).append("/").append(name).append(".html");
}

}  // namespace

std::string link_of(const spirv::ValidationRule& rule) {
  if (!rule.vuids.empty()) return std::string(vulkan).append("#").append(rule.vuids.substr(0, rule.vuids.find(' ')));
  const std::string_view section = rule.section;
  if (section == "limits") return {};  // limits of this validator
  if (section.starts_with("Vulkan")) return std::string(vulkan);
  if (section.starts_with("SPV_")) return link_of_extension(section);
  if (section.empty() || section[0] < '0' || section[0] > '9') return std::string(registry);
  const auto* row = std::find_if(std::begin(anchors), std::end(anchors),
                                 [&](const Anchor& anchor) { return anchor.section == section; });
  std::string link(spirv_document);
  return row == std::end(anchors) ? link : link.append("#").append(row->name);
}

}  // namespace vireo::cli

// SPDX-License-Identifier: Apache-2.0
//
// The validator: words of a module → all errors in it.
//
// Rules are rows of a table, and every fault is reported once, at its location. Consequences of a fault
// are not reported: an undefined id is one error, even if many instructions use it.
//
//   Diagnostics diagnostics;
//   const bool is_valid = validate(words, {.environment = find_environment("vulkan1.3").value()}, diagnostics);
//
// Each location is a range of words (Location::Kind::Words); findings are reported in module order. docs/validator.md
// describes options and findings, docs/validator-internals.md how to add a rule.
//
// Source: specification 2.16 (validation rules), 2.17 (universal limits) and the descriptions of instructions; the
// rules of Vulkan and the other environments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/spirv/environment.h"
#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/function.h"

namespace vireo::spirv {

/// Universal limits (specification 2.17): the largest values that a module may have. A profile can replace them. (The
/// limit for the decorations of one target is not a member: it is the number of decorations in the grammar.)
struct VIREO_API Limits {
  Word struct_members = 16383;
  Word struct_depth = 255;  ///< structures within structures
  Word local_variables = 524287;
  Word global_variables = 65535;
  Word switch_branches = 16383;
  Word function_parameters = 255;
  Word nesting_depth = 1023;  ///< structured constructs within each other
  Word access_chain_indexes = 255;
  Word id_bound = 0x3FFFFF;
  Word literal_string = 65535;    ///< characters of a literal string
  Word execution_modes = 255;     ///< execution modes of an entry point
  Word ext_inst_arguments = 255;  ///< arguments of an extended instruction
};

/// A limit that can be set by name. The names are those of spirv-val's options, without the leading dashes; spirv-val
/// has no option for the last three.
struct VIREO_API LimitRow {
  Word Limits::*limit;
  std::string_view name;     ///< "max-struct-members"
  std::string_view meaning;  ///< "maximum number of members of a structure"
};
/// All limits, in the order of their members.
VIREO_API std::span<const LimitRow> limits();

/// Features of a device, or permissions of the user: each one disables or relaxes rules. The names are those of
/// spirv-val's options, without the leading dashes.
enum class Feature : std::uint8_t {
  RelaxLogicalPointer,
  BeforeHlslLegalization,
  RelaxStructStore,
  RelaxBlockLayout,
  UniformBufferStandardLayout,
  ScalarBlockLayout,
  WorkgroupScalarBlockLayout,
  SkipBlockLayout,
  AllowLocalSizeId,
  AllowOffsetTextureOperand,
  AllowVulkan32BitBitwise,
};

/// A set of features.
class VIREO_API FeatureSet {
 public:
  constexpr FeatureSet() = default;
  constexpr FeatureSet& add(Feature feature) {
    bits_ |= bit(feature);
    return *this;
  }
  [[nodiscard]] constexpr bool has(Feature feature) const { return (bits_ & bit(feature)) != 0; }
  friend constexpr bool operator==(FeatureSet, FeatureSet) = default;

 private:
  static constexpr std::uint32_t bit(Feature feature) { return 1u << static_cast<unsigned>(feature); }
  std::uint32_t bits_ = 0;
};

/// A feature that can be set by name. The strings have static lifetime.
struct VIREO_API FeatureRow {
  Feature feature;
  std::string_view name;     ///< "relax-logical-pointer"
  std::string_view meaning;  ///< description of the relaxation
  std::string_view details;  ///< what it implies, and which feature of Vulkan permits it
  /// The feature of Vulkan that a device needs, and the versions and extensions that have it, separated by commas:
  /// "scalarBlockLayout", "VK_VERSION_1_2,VK_EXT_scalar_block_layout". Both are empty for a permission of the user. If
  /// only the feature is empty, one of the versions or extensions suffices.
  std::string_view vulkan_feature, vulkan_sources;
};
/// All features, in the order of their enumerators.
VIREO_API std::span<const FeatureRow> features();

/// A descriptor's size and alignment in a descriptor heap, in bytes (SPV_EXT_descriptor_heap). With the default values
/// the layout is unknown.
struct VIREO_API DescriptorLayout {
  Word size = 0;
  Word alignment = 1;
};

/// A severity for the findings of a rule, or for those that violate a VUID, in place of the default severity. A choice for
/// a VUID applies after those for rules.
struct VIREO_API RuleChoice {
  /// One of validation_rules(), an old name, a group, a VUID, or a rule of decoding: "unknown-opcode".
  std::string_view rule;
  std::optional<Severity> severity;  ///< none: the findings are neither reported nor counted
};

/// A rule whose findings for one instruction are not reported and not counted (read_allow_comments() in
/// vireo/spirv/one_call/allow_comments.h). The findings then suppress no other findings.
struct VIREO_API AllowedRule {
  std::uint64_t instruction = 0;  ///< as in Location::instruction: counted from 1
  std::string_view rule;
  Location where;  ///< location for the warning unused-allow; without one: the instruction
};

/// The names of all limits, features and properties of Vulkan devices that validate() reads, sorted, as in the Vulkan
/// API: "maxComputeSharedMemorySize", "maxComputeWorkGroupSize[0]". If several structures of the API have members of one
/// name with different meanings, the name begins with the structure, as in
/// "VkPhysicalDeviceMeshShaderPropertiesNV::maxMeshOutputVertices". Names of extensions are features too.
VIREO_API std::span<const std::string_view> device_members();

/// The value of a limit, feature or property.
struct VIREO_API DeviceLimit {
  std::string_view name;   ///< a name of device_members()
  std::int64_t value = 0;  ///< a feature: 0 or 1; a set: its bits; a fraction: a multiple of 1 / fraction_unit

  /// minInterpolationOffset and maxInterpolationOffset are fractions. Their values are multiples of 1 / fraction_unit.
  static constexpr std::int64_t fraction_unit = 65536;
};

/// The declarations that a device accepts, and its limits and features. Without a member, only the environment restricts
/// these declarations. The limits apply in Vulkan environments.
struct VIREO_API DeviceSupport {
  std::optional<Version> version;                      ///< the newest SPIR-V version
  std::optional<std::vector<Word>> capabilities;       ///< their numbers, ascending; may omit implied capabilities
  std::optional<std::vector<std::string>> extensions;  ///< SPIR-V extensions: "SPV_KHR_ray_query"
  std::vector<DeviceLimit> limits;                     ///< those that are not listed are unknown, and not checked
};

/// Options of validate().
struct VIREO_API ValidateOptions {
  const Grammar* grammar = nullptr;  ///< nullptr: the built-in one; borrowed during the call
  Environment environment = {};      ///< see find_environment(); the default is universal SPIR-V, newest version
  Limits limits = {};
  FeatureSet features = {};
  DescriptorLayout buffer_descriptor = {}, image_descriptor = {}, sampler_descriptor = {}, tensor_descriptor = {};
  const DeviceSupport* device = nullptr;  ///< nullptr: any device of the environment; borrowed during the call
  /// If there are several choices for one rule, the last one applies. Errors of read_header() are not affected.
  /// Borrowed during the call.
  std::span<const RuleChoice> rules = {};
  /// Findings that are not reported. Ascending by instruction. If a row suppresses no finding, the warning
  /// unused-allow is reported. Borrowed during the call.
  std::span<const AllowedRule> allowed = {};
  std::size_t max_findings = Diagnostics::default_limit;  ///< reports at most so many errors and so many warnings
  /// Whether findings have fixes (Diagnostic::fix; vireo/spirv/one_call/fixes.h applies them). The fixes are verified:
  /// after all of them, the module has exactly the findings without a fix. For this the module is validated once for
  /// each attempt, at most 64 times.
  bool fixes = false;
  /// Returns the name of an id for messages, such as "%half" (vireo/spirv/text/listing.h). If it is absent or returns an
  /// empty string, messages use the id's OpName or its number. Called only for ids in messages.
  Function<std::string(Word)> name_of_id = {};
};

/// Checks a module in host byte order and reports all faults in the order of the words. Returns true if there is no
/// error. Accepts any words: an instruction that cannot be decoded is a fault. Time and memory are near-linear in the
/// words.
VIREO_API bool validate(Words words, const ValidateOptions& options, Diagnostics& diagnostics);

/// A rule of the validator, for lists and explanations of rules. The strings have static lifetime.
struct VIREO_API ValidationRule {
  std::string_view name;  ///< stable: scripts match it
  Severity severity;
  std::string_view section;  ///< section of the specification
  std::string_view vuids;    ///< VUIDs of Vulkan, separated by spaces; empty if it has none
  std::optional<Feature> lifted_by;
  std::string_view requirement;  ///< the requirement for a valid module
  bool is_off = false;           ///< whether findings are reported only if the options choose a severity
};
/// Returns the rule with this name; nullptr if there is none.
VIREO_API const ValidationRule* find_validation_rule(std::string_view name);
VIREO_API std::span<const ValidationRule> validation_rules();

/// An old name of a rule. Options, profiles and comments accept it; it selects every rule with this old name.
struct VIREO_API RenamedRule {
  std::string_view old_name;
  std::string_view name;  ///< of one of validation_rules()
};
/// All old names. The strings have static lifetime.
VIREO_API std::span<const RenamedRule> renamed_rules();

/// A rule of a group. Options, profiles and comments accept the name of the group; it selects all rules of the group.
struct VIREO_API GroupedRule {
  std::string_view group;  ///< "undefined-behavior"
  std::string_view name;   ///< of one of validation_rules()
};
/// The rules of all groups, by group. The strings have static lifetime.
VIREO_API std::span<const GroupedRule> grouped_rules();

/// A VUID of Vulkan, and a rule whose findings have it.
struct VIREO_API VuidRow {
  std::string vuid;  ///< "VUID-StandaloneSpirv-Location-04916"
  const ValidationRule* rule;
  /// The case of a rule with a table of cases, such as "built-in Position" or "limit maxClipDistances"; empty: none.
  std::string subject{};
};
/// All VUIDs that findings can have, sorted. A VUID that several rules check has several rows.
VIREO_API std::vector<VuidRow> validation_vuids();

}  // namespace vireo::spirv

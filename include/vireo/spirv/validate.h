// SPDX-License-Identifier: Apache-2.0
//
// The validator: words of a module → all that is wrong with it.
//
// The one idea: rules are rows, and every fault is reported, once, where it is. What depends on a fault is not reported
// again: an id that nothing defines is one error, however many instructions compute with it.
//
//   Diagnostics diagnostics;
//   const bool is_valid = validate(words, {.environment = find_environment("vulkan1.3").value()}, diagnostics);
//
// Places are words of the module (Location::Kind::Words), ordered as they stand there. docs/validator.md tells how rules
// are written and which families of the specification are covered.
//
// Source: specification 2.16 (validation rules), 2.17 (universal limits) and the descriptions of instructions; what
// environments add.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/spirv/environment.h"
#include "vireo/spirv/grammar.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"

namespace vireo::spirv {

/// Universal limits (specification 2.17): what a module may have at most. A device may take more, or less. (The limit
/// of decorations of one target is no member: it is the number of decorations in the grammar.)
struct VIREO_API Limits {
  Word struct_members = 16383;
  Word struct_depth = 255;  ///< structures within structures
  Word local_variables = 524287;
  Word global_variables = 65535;
  Word switch_branches = 16383;
  Word function_parameters = 255;
  Word nesting_depth = 1023;  ///< of structured control flow
  Word access_chain_indexes = 255;
  Word id_bound = 0x3FFFFF;
  Word literal_string = 65535;    ///< characters
  Word execution_modes = 255;     ///< of an entry point
  Word ext_inst_arguments = 255;  ///< of an extended instruction
};

/// A limit that can be set by its name. The names are those of spirv-val's options, without the dashes in front; for
/// the last three spirv-val has no option.
struct VIREO_API LimitRow {
  Word Limits::*limit;
  std::string_view name;     ///< "max-struct-members"
  std::string_view meaning;  ///< what it bounds the number of
};
/// All limits, in the order of their members.
VIREO_API std::span<const LimitRow> limits();

/// What a device or a caller is known to take: each lifts rules or makes them milder. The names are those of spirv-val's
/// options, without the dashes in front.
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

/// A permission that can be given by its name.
struct VIREO_API FeatureRow {
  Feature feature;
  std::string_view name;     ///< "relax-logical-pointer"
  std::string_view meaning;  ///< what it permits
};
/// All features, in the order of their enumerators.
VIREO_API std::span<const FeatureRow> features();

/// A descriptor's size and alignment in a descriptor heap, in bytes (SPV_EXT_descriptor_heap). 0 and 1: not known.
struct VIREO_API DescriptorLayout {
  Word size = 0;
  Word alignment = 1;
};

/// A severity for the findings of a rule, in place of the one that its row states.
struct VIREO_API RuleChoice {
  std::string_view rule;             ///< one of validation_rules(), or of what a reader reports: "unknown-opcode"
  std::optional<Severity> severity;  ///< none: they are not reported, and do not count
};

/// Which declarations of modules a device accepts. Where a member is absent, only the environment sets bounds.
struct VIREO_API DeviceSupport {
  std::optional<Version> version;                      ///< the newest that it takes
  std::optional<std::vector<Word>> capabilities;       ///< their numbers, ascending; those implied need not be named
  std::optional<std::vector<std::string>> extensions;  ///< of SPIR-V: "SPV_KHR_ray_query"
};

/// By which rules a module is judged.
struct VIREO_API ValidateOptions {
  const Grammar* grammar = nullptr;  ///< nullptr: the built-in one; borrowed during the call
  Environment environment = {};      ///< find_environment(); by default universal SPIR-V in the newest version
  Limits limits = {};
  FeatureSet features = {};
  DescriptorLayout buffer_descriptor = {}, image_descriptor = {}, sampler_descriptor = {}, tensor_descriptor = {};
  const DeviceSupport* device = nullptr;  ///< nullptr: any device of the environment; borrowed during the call
  /// Of two choices for one rule the later counts. A header that cannot be read stays an error. Borrowed during the call.
  std::span<const RuleChoice> rules = {};
  std::size_t max_findings = Diagnostics::default_limit;  ///< errors that are reported, and as many warnings
  /// What messages call an id: "%half" (vireo/spirv/listing.h). Without it, or where it gives nothing, messages use the
  /// id's OpName or its number. Called only for ids that messages name.
  std::function<std::string(Word)> name_of_id = {};
};

/// Checks a module in host byte order, and reports all faults in the order of the words. True when there is no error.
/// Takes any words: what cannot be read is a fault, too. Time and memory are near-linear in the words.
VIREO_API bool validate(Words words, const ValidateOptions& options, Diagnostics& diagnostics);

/// A rule of the validator, for those who list or explain rules.
struct VIREO_API ValidationRule {
  std::string_view name;  ///< stable: scripts match it
  Severity severity;
  std::string_view section;  ///< of the specification
  std::string_view vuid;     ///< Vulkan's name for it; empty when it has none
  std::optional<Feature> lifted_by;
  std::string_view demand;  ///< what a valid module does
};
/// The rule with a name; nullptr when there is none.
VIREO_API const ValidationRule* find_validation_rule(std::string_view name);
VIREO_API std::span<const ValidationRule> validation_rules();

}  // namespace vireo::spirv

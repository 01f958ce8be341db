// SPDX-License-Identifier: Apache-2.0
//
// Explicit layout: decorations must lay out shared memory completely and without overlap, and must not lay out other
// memory.
//
// Each type is checked once, however many variables use it. LayoutRequirements (layout_requirements.h)
// computes the rules that apply to each type, its possible alignments, and the instruction that requires the layout.
// TypeLayouts (type_layouts.h) computes sizes. MemoryLayoutChecker (memory_layout_checker.h) checks each type with
// requirements. This file reports the violations. It tries each feature that relaxes the rules, to name one that makes
// the layout legal.
//
// Source: specification 2.16.2; Vulkan, "Offset and Stride Assignment" and VUID-StandaloneSpirv-None-10684.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/module/layouts/type_layouts.h"
#include "spirv/validate/analysis/decoration_places.h"
#include "spirv/validate/analysis/fixes.h"
#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/checks/checks.h"
#include "spirv/validate/layouts/layout_requirements.h"
#include "spirv/validate/layouts/memory_layout_checker.h"
#include "vireo/spirv/binary/views/memory.h"

namespace vireo::spirv {
namespace {

using enum Op;

constexpr std::string_view name_of(LayoutRules rules) {
  constexpr std::string_view names[] = {"extended", "base", "scalar"};
  return names[static_cast<std::size_t>(rules)];
}

// The word of the decoration in OpDecorate and similar instructions. Its operands follow it.
std::uint16_t decoration_word(const DecorationRow& row) { return static_cast<std::uint16_t>(row.first_operand - 1); }

// --- features --------------------------------------------------------------------------------------------------------

/// A feature that relaxes the rules, with the Vulkan name and the option of `vireo val`.
struct RelaxingFeature {
  Feature feature;
  std::string_view text;
};
// The first feature that makes a layout legal is suggested, so weaker features come first.
constexpr RelaxingFeature relaxing_features[] = {
    {Feature::RelaxBlockLayout, "VK_KHR_relaxed_block_layout (--relax-block-layout)"},
    {Feature::UniformBufferStandardLayout, "uniformBufferStandardLayout (--uniform-buffer-standard-layout)"},
    {Feature::WorkgroupScalarBlockLayout,
     "workgroupMemoryExplicitLayoutScalarBlockLayout (--workgroup-scalar-block-layout)"},
    {Feature::ScalarBlockLayout, "scalarBlockLayout (--scalar-block-layout)"},
};

ModuleCheck with_feature(ModuleCheck c, Feature feature) {
  c.features.add(feature);
  return c;
}

/// The violations of the module if one more feature is enabled.
class FeatureTrial {
 public:
  FeatureTrial(const ModuleCheck& c, const TypeLayouts& layouts, Feature feature, WorkBudget& budget)
      : c_(with_feature(c, feature)), requirements_(c_, layouts), checker_(c_, layouts, requirements_, budget) {}

  /// Whether the number or type at a place in the layout of a type has no violation. The type is checked once for all
  /// of its places.
  [[nodiscard]] bool is_legal(TypeIndex type, Place place) {
    const auto key_of = [](const MemoryLayoutViolation& violation) { return violation.place.key(); };
    if (type != type_) {
      type_ = type;
      violations_.clear();
      for (std::size_t rules = 0; rules < layout_rules_count; ++rules) {
        checker_.check(type, static_cast<LayoutRules>(rules), violations_);
      }
      std::ranges::sort(violations_, {}, key_of);
    }
    return !std::ranges::binary_search(violations_, place.key(), {}, key_of);
  }

 private:
  const ModuleCheck c_;
  const LayoutRequirements requirements_;
  MemoryLayoutChecker checker_;
  TypeIndex type_;
  std::vector<MemoryLayoutViolation> violations_;
};

// --- reports ---------------------------------------------------------------------------------------------------------

class LayoutReporter {
 public:
  explicit LayoutReporter(const ModuleCheck& c)
      : c_(c),
        layouts_(explicit_layouts(c)),
        requirements_(c, layouts_),
        checker_(c, layouts_, requirements_, c.budget) {}

  void run() {
    for (const ForbiddenLayout& layout : requirements_.forbidden()) forbid(layout);
    for (std::size_t i = 0; i < c_.types.rows().size(); ++i) {
      if (!c_.soundness.is_sound_type(c_.types.rows()[i].id)) continue;
      // The loop stops at the first violated set of rules, because most violations of one set also violate the next.
      for (std::size_t rules = 0; rules < layout_rules_count && violations_.empty(); ++rules) {
        check(TypeIndex(i), static_cast<LayoutRules>(rules));
      }
      violations_.clear();
    }
  }

 private:
  void forbid(const ForbiddenLayout& layout) {
    constexpr Rule rule = Rule::LayoutProhibited;
    const DecorationRow& row = *layout.decoration;
    const std::string target =
        row.member == no_member ? type_text(c_, row.target) : member_text(c_, row.target, row.member);
    const Place place{layout.instruction, type_word(layout.instruction)};
    const std::string cause = layout_cause(row.target, layout.storage);
    const auto note = [&] { c_.note(place, rule, {target, row.decoration, layout.storage}); };
    if (c_.findings.join(rule, fmt::format("{} at {}", cause, layout.instruction.raw), cause, rule)) return note();
    const bool lacks_capability = layout.storage == StorageClass::Workgroup && row.decoration == Decoration::Block &&
                                  !c_.has(Capability::WorkgroupMemoryExplicitLayoutKHR);
    if (layout.storage == StorageClass::Workgroup) {
      constexpr Capability needed = Capability::WorkgroupMemoryExplicitLayoutKHR;
      // A structure of Workgroup memory may have a layout if it is a block.
      const bool is_misplaced = c_.has(needed) && row.decoration != Decoration::Block &&
                                c_.findings.join_counterpart(missing_decoration(Decoration::Block, row.target), rule);
      if (is_misplaced || c_.findings.join(Rule::UntypedStorageClass, cause, enumerant_text(c_, needed), rule) ||
          (lacks_capability && c_.findings.join(rule, cause + " as well", enumerant_text(c_, needed), rule))) {
        c_.findings.name_cause(rule, cause);
        return note();
      }
    }
    c_.report_once(rule, place, cause, {target, row.decoration, layout.storage});
    if (lacks_capability) c_.name_missing(rule, Capability::WorkgroupMemoryExplicitLayoutKHR);
    c_.note({row.instruction, decoration_word(row)}, "decorated here");
    if (layout.storage == StorageClass::Function || layout.storage == StorageClass::Private) {
      c_.hint("declare a second type without layout decorations; OpCopyLogical converts between the two");
    }
  }

  // Called once for each type and set of rules, not for each variable.
  void check(TypeIndex index, LayoutRules rules) {
    checker_.check(index, rules, violations_);
    for (const MemoryLayoutViolation& violation : violations_) report(index, rules, violation);
  }

  void report(TypeIndex index, LayoutRules rules, const MemoryLayoutViolation& violation) {
    if (!c_.has_room_for(violation.rule)) {
      c_.report(violation.rule, violation.place);  // is only counted
      return;
    }
    if (violation.rule == Rule::ArrayStrideMissing && join_block_fault(index, rules, violation)) return;
    const auto missing = missing_decorations(violation.rule);
    const bool is_misplaced = std::ranges::any_of(missing, [&](Decoration each) {
      return c_.findings.join_counterpart(missing_at(each, violation), violation.rule);
    });
    if (is_misplaced) {
      const std::string target = violation.rule == Rule::ArrayStrideMissing
                                     ? type_text(c_, violation.type)
                                     : member_text(c_, violation.type, violation.member);
      c_.note(violation.place, "{text} lacks {enumerant}", {target, missing[0]});
      return;
    }
    add(violation);
    for (const Decoration each : missing) c_.findings.await_counterpart(missing_at(each, violation));
    add_notes(index, violation);
    // The type would be valid without the instruction that requires the layout.
    const InstructionIndex cause = requirements_.of(index, rules).cause;
    c_.note({cause, 0}, "{text} requires a layout with {text} alignment", {cause_text(cause), name_of(rules)});
    std::string hint = next_text(violation);
    const std::string_view number = number_name(violation.rule);
    if (!number.empty()) {
      if (const std::string_view feature = feature_for(index, violation.place); !feature.empty()) {
        if (!hint.empty()) hint += "; ";
        hint += fmt::format("{} {} is legal with {}", number, violation.number, feature);
      }
    }
    if (!hint.empty()) c_.hint(std::move(hint));
    const auto next = static_cast<Word>(violation.next);
    if (next == 0 || next != violation.next) return;  // a decoration has 32 bits
    if (violation.rule == Rule::ArrayStrideMissing) {
      fix_decoration(c_, Decoration::ArrayStride, next, violation.type);
    } else if (violation.rule == Rule::MatrixStrideMissing) {
      fix_decoration(c_, Decoration::MatrixStride, next, violation.type, violation.member);
    }
  }

  // An array of blocks has no stride. If the array is in another block, or an access chain has a wrong base type, that
  // is the fault, and it has a finding.
  bool join_block_fault(TypeIndex index, LayoutRules rules, const MemoryLayoutViolation& violation) {
    const Word element = c_.types.of(violation.type).innermost().id;
    if (!is_block(c_, element)) return false;
    const std::string cause = fmt::format("array {}", violation.type);
    if (!c_.findings.join(Rule::NestedBlock, cause, std::to_string(element), violation.rule) &&
        !c_.findings.join(Rule::BlockArrayBase, cause, std::to_string(requirements_.of(index, rules).cause.raw),
                          violation.rule)) {
      return false;
    }
    c_.note(violation.place, "{type_id} lacks ArrayStride", {violation.type});
    return true;
  }

  void add(const MemoryLayoutViolation& v) {
    const auto emit = [&](Arguments texts) { c_.report(v.rule, v.place, texts); };
    const std::string number = std::to_string(v.number), bound = std::to_string(v.bound);
    const TypeRow& type = c_.types.of(v.type);
    if (type.is_array()) {
      const std::string array = id_text(c_, v.type);
      // Extended alignment is a property of the array, the other alignments are those of its element.
      const Word aligned = v.rules == LayoutRules::Extended ? v.type : type.element;
      switch (v.rule) {
        case Rule::ArrayStrideAlignment: return emit({number, array, bound, name_of(v.rules), type_name(c_, aligned)});
        case Rule::ArrayStrideSize: return emit({number, array, bound, type_name(c_, type.element)});
        default: return emit({type_text(c_, v.type)});
      }
    }
    const std::string member = member_text(c_, v.type, v.member);
    const Word part_id = c_.types.member_type(type, v.member);
    const std::string part = type_name(c_, part_id);
    switch (v.rule) {
      case Rule::MemberOffset: return emit({member});
      case Rule::MatrixMajorness:
      case Rule::MatrixStrideMissing: return emit({member, part});
      case Rule::OffsetAlignment: return emit({member, number, bound, name_of(v.rules), part});
      case Rule::MemberOverlap:
        // If the size of a member is unknown, only their offsets are compared.
        return emit({member, number, member_text(c_, v.type, v.other),
                     v.bound == 0 ? "has the same offset" : "extends to offset " + bound});
      case Rule::RuntimeArrayOffset: return emit({member, number, member_text(c_, v.type, v.other), bound});
      case Rule::VectorStraddle: return emit({member, part, number});
      case Rule::MatrixStrideAlignment: return emit({number, member, bound, name_of(v.rules), part});
      default: {  // MatrixStrideSize
        const MemberLayout& layout = layouts_.members(c_.types.index_of(v.type))[v.member];
        return emit({number, member, bound, layout.is_row_major ? "row" : "column"});
      }
    }
  }

  void add_notes(TypeIndex index, const MemoryLayoutViolation& v) {
    if (v.rule == Rule::MemberOverlap || v.rule == Rule::RuntimeArrayOffset) {
      const MemberLayout& other = layouts_.members(index)[v.other];
      const Extent extent = layouts_.extent(other);
      std::string text = fmt::format("member {} is at offset {}", v.other, other.offset.value);
      if (v.rule == Rule::MemberOverlap && extent.is_known && v.bound != 0) {
        const std::uint64_t padded = v.bound - other.offset.value;
        text += fmt::format(" and takes {} byte{}", extent.size, extent.size == 1 ? "" : "s");
        if (padded != extent.size) text += fmt::format(", padded to {}", padded);
      }
      c_.note(decoration_place(other.offset), std::move(text));
    } else if (v.residue != 0) {
      c_.note({c_.types.row(index).declaration, 0},
              "{id} begins {number} byte{s} after a 16-byte boundary where it is used", {v.type, v.residue});
    }
  }

  // The decorations of which one is missing if a layout breaks this rule.
  static Report::DecorationFault missing_at(Decoration decoration, const MemoryLayoutViolation& violation) {
    return {Report::DecorationFault::Missing, decoration, violation.type,
            violation.rule == Rule::ArrayStrideMissing ? no_member : violation.member};
  }
  static std::span<const Decoration> missing_decorations(Rule rule) {
    static constexpr Decoration offset[] = {Decoration::Offset}, array[] = {Decoration::ArrayStride},
                                matrix[] = {Decoration::MatrixStride},
                                majorness[] = {Decoration::ColMajor, Decoration::RowMajor};
    switch (rule) {
      case Rule::MemberOffset: return offset;
      case Rule::ArrayStrideMissing: return array;
      case Rule::MatrixStrideMissing: return matrix;
      case Rule::MatrixMajorness: return majorness;
      default: return {};
    }
  }

  // --- hints ---

  // The name of the number that violates a rule; empty if a decoration is missing.
  static std::string_view number_name(Rule rule) {
    switch (rule) {
      case Rule::ArrayStrideAlignment:
      case Rule::ArrayStrideSize: return "ArrayStride";
      case Rule::MatrixStrideAlignment:
      case Rule::MatrixStrideSize: return "MatrixStride";
      case Rule::OffsetAlignment:
      case Rule::MemberOverlap:
      case Rule::VectorStraddle: return "offset";
      default: return {};
    }
  }

  [[nodiscard]] std::string next_text(const MemoryLayoutViolation& v) const {
    if (v.rule == Rule::ArrayStrideMissing && is_block(c_, c_.types.of(v.type).element)) {
      return fmt::format(
          "an array of blocks has no ArrayStride, because each block has a descriptor of its own; "
          "remove Block or BufferBlock from {}",
          id_text(c_, c_.types.of(v.type).element));
    }
    if (v.next == 0) {
      const TypeRow& inner = c_.types.of(v.type).innermost();
      // Only the device knows the size of a descriptor.
      if (v.rule != Rule::ArrayStrideMissing || !inner.contains.has_any(TypeTrait::Opaque)) return {};
      return inner.is(TypeKind::Struct)
                 ? fmt::format(
                       "add OpDecorateId {} ArrayStrideIdEXT with the size of {}, computed from the results of "
                       "OpConstantSizeOfEXT for its descriptors",
                       id_text(c_, v.type), id_text(c_, inner.id))
                 : fmt::format("add OpDecorateId {} ArrayStrideIdEXT with the result of OpConstantSizeOfEXT for {}",
                               id_text(c_, v.type), id_text(c_, inner.id));
    }
    switch (v.rule) {
      case Rule::ArrayStrideMissing:
        return fmt::format("add OpDecorate {} ArrayStride {}", id_text(c_, v.type), v.next);
      case Rule::MatrixStrideMissing:
        return fmt::format("add OpMemberDecorate {} {} MatrixStride {}", id_text(c_, v.type), v.member, v.next);
      case Rule::ArrayStrideZero: return fmt::format("the smallest legal ArrayStride is {}", v.next);
      default: return fmt::format("the next legal {} is {}", number_name(v.rule), v.next);
    }
  }

  // The first feature that removes the violation at a place in the layout of a type; empty if there is none.
  std::string_view feature_for(TypeIndex index, Place place) {
    for (std::size_t i = 0; i < std::size(relaxing_features); ++i) {
      const RelaxingFeature& relaxing = relaxing_features[i];
      if (c_.has(relaxing.feature)) continue;
      std::unique_ptr<FeatureTrial>& trial = trials_[i];
      if (trial == nullptr) { trial = std::make_unique<FeatureTrial>(c_, layouts_, relaxing.feature, trial_budget_); }
      const bool is_legal = trial->is_legal(index, place);
      if (trial_budget_.is_exceeded()) return {};  // the check of the type is incomplete
      if (is_legal) return relaxing.text;
    }
    return {};
  }

  // --- texts and places ---

  // "%camera in Uniform": the instruction that requires a layout.
  [[nodiscard]] std::string cause_text(InstructionIndex cause) const {
    const InstructionView view = c_.module.instruction(cause);
    if (!is_variable(view.opcode)) return op_text(c_, view.opcode);
    const Word variable = c_.module.result_of(view);
    return fmt::format("{} in {}", id_text(c_, variable), enumerant_text(c_, c_.type_of(variable).storage));
  }

  // The operand that states the type of the memory; 0, the whole instruction, if it has none.
  [[nodiscard]] std::uint16_t type_word(InstructionIndex index) const {
    const InstructionView view = c_.module.instruction(index);
    if (view.opcode == OpVariable || view.opcode == OpLoad) return 1;
    if (const auto variable = as<OpUntypedVariableKHR>(view)) {
      const auto data_type = variable->data_type();
      return data_type ? data_type->word : std::uint16_t{0};
    }
    return word_of(view.opcode, OperandName::base_type);
  }

  const ModuleCheck& c_;
  const TypeLayouts layouts_;
  const LayoutRequirements requirements_;
  MemoryLayoutChecker checker_;
  std::vector<MemoryLayoutViolation> violations_;  // of the current type

  std::array<std::unique_ptr<FeatureTrial>, std::size(relaxing_features)> trials_;
  // Hints do not use the budget of the checks. A budget without words has the constant part only.
  WorkBudget trial_budget_{0};
};

// The blocks of an array have separate descriptors and are not adjacent in memory (specification 2.16.2).
void check_block_arrays(const ModuleCheck& c) {
  for (const TypeRow& type : c.types.rows()) {
    if (!type.is_array()) continue;
    const TypeRow& element = type.element_type();
    if (!is_block(c, element.id)) continue;
    for (const Decoration stride : {Decoration::ArrayStride, Decoration::ArrayStrideIdEXT}) {
      const DecorationRow* row = c.decorations.find(type.id, stride);
      if (row == nullptr) continue;
      c.report(Rule::BlockArrayStride, {row->instruction, decoration_word(*row)}, {type.id, stride});
      c.note({type.declaration, 0}, "array declared here");
    }
  }
}

}  // namespace

void check_explicit_layout(const ModuleCheck& c) {
  if (c.is_shader()) check_block_arrays(c);
  if (c.is_vulkan()) LayoutReporter(c).run();
}

}  // namespace vireo::spirv

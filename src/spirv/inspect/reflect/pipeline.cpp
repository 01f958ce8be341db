// SPDX-License-Identifier: Apache-2.0
//
// Merges the stages of a pipeline (vireo/spirv/inspect/pipeline.h). Interfaces between stages: stage_interface.cpp.
#include "vireo/spirv/inspect/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "spirv/inspect/reflect/layout_difference.h"
#include "spirv/inspect/reflect/pipeline_stages.h"
#include "spirv/inspect/reflect/reflection_cells.h"
#include "spirv/inspect/reflect/reflection_selection.h"
#include "spirv/inspect/reflect/stage_interface.h"
#include "spirv/inspect/reflect/type_matcher.h"
#include "spirv/validate/rules/rules.h"
#include "vireo/spirv/grammar/enum_names.h"
#include "vireo/spirv/module/type_text.h"

namespace vireo::spirv {
namespace {

// A row of a stage, by what the API calls it.
struct StageUse {
  std::uint64_t key;    // set and binding, or SpecId
  std::uint32_t stage;  // index in PipelineReflection::stages
  std::uint32_t row;    // index in the table of the Reflection
};

class PipelineReader {
 public:
  PipelineReader(std::span<const Reflection* const> modules, PipelineReflection& result)
      : modules_(modules), matcher_(modules), result_(result) {}

  void run(const ReflectionTextOptions& options, const PipelineOptions& pipeline_options) {
    read_stages(options, pipeline_options.entry_points);
    check_models();
    check_kinds();
    check_missing();
    read_bindings();
    read_push_constants();
    read_spec_constants();
    read_heap_accesses();
    StageInterfaces(modules_, pipeline_options, matcher_, result_).run();
  }

  // An entry point of the only module, without the other stages of its pipeline.
  void run_stage(std::uint32_t entry_point) {
    add_stage(0, entry_point);
    read_bindings();
    read_push_constants();
    read_spec_constants();
    read_heap_accesses();
  }

  // SpecIds belong to the module, so its constants are compared also if no entry point uses both.
  void check_defaults(std::span<const std::uint32_t> constants) {
    std::vector<StageUse> uses;
    for (const std::uint32_t row : constants) uses.push_back({modules_[0]->spec_constants()[row].spec_id, 0, row});
    sort_by_key(uses);
    for_each_key(uses, [&](std::span<const StageUse> group) {
      const auto constant = [&](const StageUse& use) { return &modules_[0]->spec_constants()[use.row]; };
      for (const StageUse& use : group.subspan(1)) check_default({0, constant(group.front())}, {0, constant(use)});
    });
  }

 private:
  [[nodiscard]] const ReflectedEntryPoint& entry_of(const PipelineStage& stage) const {
    return modules_[stage.module]->entry_points()[stage.entry_point];
  }

  [[nodiscard]] PipelinePlace place_of_stage(const PipelineStage& stage) const {
    return {stage.module, entry_of(stage).function, entry_of(stage).name};
  }

  void conflict(Rule rule, std::string message, PipelinePlace first, PipelinePlace second, std::string_view vuid = {}) {
    const RuleStanza& stanza = stanza_of(rule);
    result_.conflicts.push_back({stanza.name.text, std::move(message), first, second, vuid, stanza.severity});
  }

  void read_stages(const ReflectionTextOptions& options, std::span<const std::string_view> names) {
    for (std::uint32_t module = 0; module < modules_.size(); ++module) {
      const ReflectionSelection selection(*modules_[module], options);
      for (const std::uint32_t entry : selection.entry_points()) {
        const ReflectedEntryPoint& row = modules_[module]->entry_points()[entry];
        if (names.empty() || std::ranges::find(names, row.name) != names.end()) add_stage(module, entry);
      }
    }
    std::ranges::stable_sort(result_.stages, {},
                             [](const PipelineStage& stage) { return pipeline_stage_row(stage.model).order; });
  }

  void add_stage(std::uint32_t module, std::uint32_t entry_point) {
    const ExecutionModel model = modules_[module]->entry_points()[entry_point].model;
    result_.stages.push_back({module, entry_point, model, pipeline_stage_row(model).flag});
  }

  void check_models() {
    for (std::size_t i = 1; i < result_.stages.size(); ++i) {
      const PipelineStage &before = result_.stages[i - 1], &stage = result_.stages[i];
      const PipelineStageRow& row = pipeline_stage_row(stage.model);
      if (before.model != stage.model || !row.is_single) continue;
      conflict(Rule::PipelineStage, fmt::format("two entry points have the execution model {}", to_string(stage.model)),
               place_of_stage(before), place_of_stage(stage),
               (row.kinds & pipeline_kind::graphics) != 0 ? "VUID-VkGraphicsPipelineCreateInfo-stage-06897" : "");
    }
  }

  // Each stage must be possible in one kind of pipeline with all stages before it. A stage that is not is reported once
  // for its model.
  void check_kinds() {
    std::uint32_t kinds = ~0u;
    for (std::size_t i = 0; i < result_.stages.size(); ++i) {
      const PipelineStage& stage = result_.stages[i];
      const std::uint32_t own = pipeline_stage_row(stage.model).kinds;
      if ((kinds & own) != 0) {
        kinds &= own;
        continue;
      }
      if (result_.stages[i - 1].model == stage.model) continue;
      const auto other = std::ranges::find_if(
          result_.stages, [&](const PipelineStage& each) { return (pipeline_stage_row(each.model).kinds & own) == 0; });
      const std::uint32_t both = pipeline_stage_row(other->model).kinds | own;
      using namespace pipeline_kind;
      const std::string_view vuid = both == (mesh | mesh_nv) ? "VUID-VkGraphicsPipelineCreateInfo-TaskNV-07063"
                                    : (both & primitive) != 0 && (both & ~graphics) == 0
                                        ? "VUID-VkGraphicsPipelineCreateInfo-pStages-02095"
                                        : "";
      conflict(Rule::PipelineStage,
               fmt::format("no pipeline has stages of the models {} and {}", to_string(other->model),
                           to_string(stage.model)),
               place_of_stage(*other), place_of_stage(stage), vuid);
    }
  }

  // The first stage that needs another one, which is missing. A part of a pipeline may be a library, so a fragment stage
  // needs no other stage, and no stage needs a fragment stage.
  void check_missing() {
    using enum ExecutionModel;
    struct Need {
      ExecutionModel model, needed;
      std::string_view vuid;
    };
    constexpr std::string_view no_vertices = "VUID-VkGraphicsPipelineCreateInfo-stage-02096";
    constexpr Need needs[] = {
        {TessellationControl, TessellationEvaluation, "VUID-VkGraphicsPipelineCreateInfo-pStages-00729"},
        {TessellationEvaluation, TessellationControl, "VUID-VkGraphicsPipelineCreateInfo-pStages-00730"},
        {TessellationControl, Vertex, no_vertices},
        {Geometry, Vertex, no_vertices},
        {TaskEXT, MeshEXT, no_vertices},
        {TaskNV, MeshNV, no_vertices},
    };
    const auto find = [&](ExecutionModel model) {
      return std::ranges::find(result_.stages, model, &PipelineStage::model);
    };
    // Stages of another kind of pipeline are a conflict of their own.
    std::uint32_t kinds = ~0u;
    for (const PipelineStage& stage : result_.stages) kinds &= pipeline_stage_row(stage.model).kinds;
    for (const Need& need : needs) {
      const auto stage = find(need.model);
      if (kinds == 0 || stage == result_.stages.end() || find(need.needed) != result_.stages.end()) continue;
      return conflict(
          Rule::PipelineStage,
          fmt::format("the pipeline has a {} stage but no {} stage", to_string(need.model), to_string(need.needed)),
          place_of_stage(*stage), place_of_stage(*stage), need.vuid);
    }
  }

  // The rows of all stages, sorted by their keys and in the order of the stages. `key` returns none for rows without.
  template <typename Key>
  [[nodiscard]] std::vector<StageUse> sorted_uses(std::vector<std::uint32_t> ReflectedEntryPoint::*list,
                                                  const Key& key) const {
    std::vector<StageUse> uses;
    for (std::uint32_t s = 0; s < result_.stages.size(); ++s) {
      for (const std::uint32_t row : entry_of(result_.stages[s]).*list) {
        const std::optional<std::uint64_t> found = key(*modules_[result_.stages[s].module], row);
        if (found) uses.push_back({*found, s, row});
      }
    }
    sort_by_key(uses);
    return uses;
  }

  static void sort_by_key(std::vector<StageUse>& uses) { std::ranges::stable_sort(uses, {}, &StageUse::key); }

  // Calls `group` for each range of uses with one key.
  template <typename Group>
  static void for_each_key(std::span<const StageUse> uses, const Group& group) {
    for (std::size_t first = 0; first < uses.size();) {
      std::size_t end = first;
      while (end < uses.size() && uses[end].key == uses[first].key) ++end;
      group(uses.subspan(first, end - first));
      first = end;
    }
  }

  // --- descriptors ---

  void read_bindings() {
    const auto uses = sorted_uses(&ReflectedEntryPoint::resources, [](const Reflection& module, std::uint32_t row) {
      const ReflectedResource& resource = module.resources()[row];
      const bool is_bound = resource.has_set && resource.has_binding;
      return is_bound ? std::optional(std::uint64_t{resource.set} << 32 | resource.binding) : std::nullopt;
    });
    std::vector<std::pair<const Reflection*, std::uint32_t>> bound;
    bound.reserve(uses.size());
    for (const StageUse& use : uses) bound.emplace_back(modules_[result_.stages[use.stage].module], use.row);
    result_.mappings = descriptor_mappings(bound);
    for_each_key(uses, [&](std::span<const StageUse> group) {
      // A row for each descriptor type, so that none is hidden.
      std::vector<StageUse> others(group.begin(), group.end());
      while (!others.empty()) {
        const DescriptorType type = resource_of(others.front()).descriptor;
        const auto rest = std::stable_partition(others.begin(), others.end(), [&](const StageUse& use) {
          return can_share(type, resource_of(use).descriptor);
        });
        merge_binding({others.begin(), rest});
        others.erase(others.begin(), rest);
      }
      check_aliases(group);
      check_binding(group);
    });
  }

  [[nodiscard]] const ReflectedResource& resource_of(const StageUse& use) const {
    return modules_[result_.stages[use.stage].module]->resources()[use.row];
  }
  [[nodiscard]] PipelinePlace place_of_resource(const StageUse& use) const {
    return {result_.stages[use.stage].module, resource_of(use).id, resource_of(use).name};
  }

  void merge_binding(std::span<const StageUse> group) {
    const ReflectedResource& first = resource_of(group.front());
    PipelineBinding row;
    row.set = first.set;
    row.binding = first.binding;
    row.descriptor = first.descriptor;
    row.array = first.array;
    bool has_image = false, has_sampler = false;
    for (const StageUse& use : group) {
      const DescriptorType type = resource_of(use).descriptor;
      const bool is_combined = type == DescriptorType::CombinedImageSampler;
      has_image |= is_combined || type == DescriptorType::SampledImage;
      has_sampler |= is_combined || type == DescriptorType::Sampler;
      if (descriptor_count(resource_of(use).array) > descriptor_count(row.array)) row.array = resource_of(use).array;
      row.stages |= result_.stages[use.stage].flag;
      row.block_size = std::max(row.block_size, resource_of(use).block_size.value_or(0));
      row.variables.push_back(place_of_resource(use));
    }
    // Image and sampler of one binding can be variables of their own.
    if (has_image && has_sampler) row.descriptor = DescriptorType::CombinedImageSampler;
    // Several entry points of a module can use one variable.
    const auto parts = [](const PipelinePlace& place) { return std::tuple(place.module, place.id); };
    std::ranges::sort(row.variables, {}, parts);
    const auto is_same = [&](const PipelinePlace& a, const PipelinePlace& b) { return parts(a) == parts(b); };
    row.variables.erase(std::unique(row.variables.begin(), row.variables.end(), is_same), row.variables.end());
    result_.bindings.push_back(std::move(row));
  }

  // Whether one binding can serve variables of two descriptor types: an image and a sampler can be one descriptor.
  static bool can_share(DescriptorType a, DescriptorType b) {
    const auto is_part_of_combined = [](DescriptorType type) {
      using enum DescriptorType;
      return type == CombinedImageSampler || type == SampledImage || type == Sampler;
    };
    return a == b || (is_part_of_combined(a) && is_part_of_combined(b));
  }

  // The number of elements. A length that is known at run time only is larger than others.
  static std::uint64_t descriptor_count(const std::vector<ReflectedLength>& array) {
    constexpr std::uint64_t most = ~std::uint64_t{0};
    std::uint64_t count = 1;
    for (const ReflectedLength& length : array) {
      if (length.count == 0 || count > most / length.count) return most;
      count *= length.count;
    }
    return count;
  }

  // Variables of one stage with one binding can differ in the layout of the block and in the length of the array, but
  // a binding has one descriptor type. An image and a sampler can be parts of one descriptor.
  void check_aliases(std::span<const StageUse> group) {
    std::uint32_t reported = ~0u;  // at most one conflict of each stage
    for (std::size_t i = 0, first = 0; i < group.size(); ++i) {
      if (group[i].stage != group[first].stage) first = i;
      const DescriptorType type = resource_of(group[i]).descriptor, before = resource_of(group[first]).descriptor;
      if (can_share(type, before) || group[i].stage == reported) continue;
      reported = group[i].stage;
      conflict(Rule::PipelineBinding,
               fmt::format("the {} stage has variables of the descriptor types {} and {} at set {}, binding {}, which "
                           "needs mutable descriptors or mappings to heaps",
                           to_string(result_.stages[reported].model), name_of(before), name_of(type),
                           resource_of(group[i]).set, resource_of(group[i]).binding),
               place_of_resource(group[first]), place_of_resource(group[i]));
    }
  }

  // A stage may have several variables with one binding. Each variable of the later stages must fit one of the first
  // stage.
  void check_binding(std::span<const StageUse> group) {
    constexpr std::size_t max_aliases = 16;  // so that time is linear
    std::size_t aliases = 1;
    while (aliases < group.size() && group[aliases].stage == group.front().stage) ++aliases;
    const std::span<const StageUse> candidates = group.first(std::min(aliases, max_aliases));
    std::uint32_t reported = group.front().stage;  // at most one conflict of each stage
    for (const StageUse& use : group.subspan(aliases)) {
      if (use.stage == reported) continue;
      const auto fits = [&](const StageUse& each) { return find_difference(each, use).text.empty(); };
      if (std::ranges::any_of(candidates, fits)) continue;
      reported = use.stage;
      const ReflectedResource& resource = resource_of(use);
      const Difference difference = find_difference(candidates.front(), use);
      conflict(difference.rule,
               fmt::format("stages differ in set {}, binding {}: {}", resource.set, resource.binding, difference.text),
               place_of_resource(candidates.front()), place_of_resource(use));
    }
  }

  struct Difference {
    Rule rule = Rule::PipelineBinding;
    std::string text = {};  // empty: one binding serves both
  };
  // A stage may declare a part of a block, and fewer descriptors than another one.
  [[nodiscard]] Difference find_difference(const StageUse& a, const StageUse& b) const {
    const ReflectedResource &x = resource_of(a), &y = resource_of(b);
    if (!can_share(x.descriptor, y.descriptor)) {
      return {Rule::PipelineBinding,
              fmt::format("the descriptor types are {} and {}", name_of(x.descriptor), name_of(y.descriptor))};
    }
    const std::uint32_t module_x = place_of_resource(a).module, module_y = place_of_resource(b).module;
    if ((!x.block_size && !y.block_size) || (module_x == module_y && x.type == y.type)) return {};
    std::string member = layout_difference(modules_, module_x, x.type, module_y, y.type);
    if (!member.empty()) member.insert(0, "the blocks differ in their layout, ");
    return {Rule::PipelineBlock, std::move(member)};
  }

  // --- descriptor heaps ---

  void read_heap_accesses() {
    struct Use {
      std::pair<BuiltIn, std::uint64_t> place;
      std::uint32_t module, access;
      auto operator<=>(const Use&) const = default;
    };
    std::map<Use, std::uint32_t> stages;
    for (const PipelineStage& stage : result_.stages) {
      for (const std::uint32_t access : entry_of(stage).heap_accesses) {
        const ReflectedHeapAccess& row = modules_[stage.module]->heap_accesses()[access];
        stages[{heap_access_key(row), stage.module, access}] |= stage.flag;
      }
    }
    for (const auto& [use, flags] : stages) result_.heap_accesses.push_back({use.module, use.access, flags});
  }

  // --- push constants ---

  void read_push_constants() {
    for (const PipelineStage& stage : result_.stages) {
      PipelinePushConstants range = {~std::uint64_t{0}, 0, stage.flag};
      for (const std::uint32_t i : entry_of(stage).push_constants) {
        const ReflectedPushConstants& block = modules_[stage.module]->push_constants()[i];
        if (block.begin >= block.end) continue;
        range.begin = std::min(range.begin, block.begin);
        range.end = std::max(range.end, block.end);
      }
      if (range.begin >= range.end) continue;
      result_.push_constants.push_back(range);
    }
    const auto bytes = [](const PipelinePushConstants& range) { return std::tuple(range.begin, range.end); };
    std::ranges::stable_sort(result_.push_constants, {}, bytes);
    std::vector<PipelinePushConstants> merged;
    for (const PipelinePushConstants& range : result_.push_constants) {
      if (!merged.empty() && bytes(merged.back()) == bytes(range)) merged.back().stages |= range.stages;
      else merged.push_back(range);
    }
    result_.push_constants = std::move(merged);
  }

  // --- specialization constants ---

  void read_spec_constants() {
    const auto uses =
        sorted_uses(&ReflectedEntryPoint::spec_constants, [](const Reflection& module, std::uint32_t row) {
          return std::optional<std::uint64_t>(module.spec_constants()[row].spec_id);
        });
    for_each_key(uses, [&](std::span<const StageUse> group) {
      const PipelinePlace first = place_of_constant(group.front());
      PipelineSpecConstant row = {static_cast<Word>(group.front().key), constant_of(group.front()).type, 0, first};
      std::set<std::pair<std::uint32_t, Word>> compared;  // several entry points can use one constant
      for (const StageUse& use : group) {
        row.stages |= result_.stages[use.stage].flag;
        const PipelinePlace place = place_of_constant(use);
        const Word type = constant_of(use).type;
        if (!compared.emplace(place.module, place.id).second) continue;
        if (matcher_.are_equal(first.module, row.type, place.module, type)) {
          check_default({first.module, &constant_of(group.front())}, {place.module, &constant_of(use)});
          continue;
        }
        conflict(Rule::PipelineSpecId,
                 fmt::format("the constants with SpecId {} have the types {} and {}", row.spec_id,
                             type_text(modules_[first.module]->facts(), row.type),
                             type_text(modules_[place.module]->facts(), type)),
                 first, place);
      }
      result_.spec_constants.push_back(row);
    });
  }

  struct SpecConstant {
    std::uint32_t module;
    const ReflectedSpecConstant* constant;
  };
  // Without specialization, each constant has its own default.
  void check_default(const SpecConstant& a, const SpecConstant& b) {
    if (a.constant->default_bits == b.constant->default_bits) return;
    if (!matcher_.are_equal(a.module, a.constant->type, b.module, b.constant->type)) return;
    conflict(Rule::PipelineSpecDefault,
             fmt::format("the constants with SpecId {} have the defaults {} and {}", a.constant->spec_id,
                         default_text(modules_[a.module]->facts(), *a.constant),
                         default_text(modules_[b.module]->facts(), *b.constant)),
             {a.module, a.constant->id, a.constant->name}, {b.module, b.constant->id, b.constant->name});
  }

  [[nodiscard]] const ReflectedSpecConstant& constant_of(const StageUse& use) const {
    return modules_[result_.stages[use.stage].module]->spec_constants()[use.row];
  }
  [[nodiscard]] PipelinePlace place_of_constant(const StageUse& use) const {
    return {result_.stages[use.stage].module, constant_of(use).id, constant_of(use).name};
  }

  std::span<const Reflection* const> modules_;
  TypeMatcher matcher_;
  PipelineReflection& result_;
};

}  // namespace

PipelineReflection reflect_pipeline(std::span<const Reflection* const> modules, const ReflectionTextOptions& options,
                                    const PipelineOptions& pipeline_options) {
  PipelineReflection result;
  PipelineReader(modules, result).run(options, pipeline_options);
  return result;
}

PipelineReflection reflect_stage(const Reflection& module, std::uint32_t entry_point) {
  PipelineReflection result;
  const Reflection* const modules[] = {&module};
  PipelineReader(modules, result).run_stage(entry_point);
  return result;
}

std::vector<PipelineConflict> module_conflicts(const Reflection& module, const ReflectionTextOptions& options) {
  const ReflectionSelection selection(module, options);
  PipelineReflection whole;
  const Reflection* const modules[] = {&module};
  PipelineReader(modules, whole)
      .check_defaults(selection.rows(module.spec_constants().size(), &ReflectedEntryPoint::spec_constants));
  // Functions of several entry points repeat a conflict.
  std::set<std::tuple<std::string_view, Word, Word>> seen;
  std::vector<PipelineConflict> conflicts;
  const auto add = [&](std::vector<PipelineConflict>& found) {
    for (PipelineConflict& each : found) {
      if (seen.emplace(each.rule, each.first.id, each.second.id).second) conflicts.push_back(std::move(each));
    }
  };
  for (const std::uint32_t entry : selection.entry_points()) {
    PipelineReflection stage = reflect_stage(module, entry);
    std::erase_if(stage.conflicts, [](const PipelineConflict& each) {
      return each.rule == stanza_of(Rule::PipelineSpecDefault).name.text;  // one of those of the module
    });
    add(stage.conflicts);
  }
  add(whole.conflicts);
  return conflicts;
}

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// Writes tables of structures of Vulkan (vulkan_tables.h).
//
// Values are positional, because C++17 has no designated initializers.
#include "spirv/inspect/reflect/vulkan_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "spirv/inspect/reflect/descriptor_types.h"
#include "spirv/inspect/reflect/pipeline_stages.h"
#include "spirv/inspect/reflect/stage_interface.h"
#include "spirv/inspect/reflect/type_matcher.h"
#include "spirv/module/fold.h"
#include "spirv/validate/rules/rules.h"
#include "vireo/spirv/grammar/enum_names.h"
#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/module/type_text.h"
#include "vireo/spirv/module/types.h"

namespace vireo::spirv {
namespace {

// More attributes than a device has; a long array would make a long table.
constexpr std::size_t max_attributes = 256;
constexpr std::size_t max_named = 16;  // variables of one attribute; valid modules have at most four

class VulkanTables {
 public:
  VulkanTables(const PipelineReflection& pipeline, std::span<const Reflection* const> modules, HeaderNames& names,
               std::string prefix)
      : pipeline_(pipeline), modules_(modules), names_(names), prefix_(std::move(prefix)) {}

  std::string run() {
    add_bindings();
    add_push_constants();
    add_attributes();
    add_specialization();
    add_mappings();
    return std::move(text_);
  }

 private:
  std::string take(const std::string& name) { return names_.in_scope(names_.names.take(prefix_ + name)); }

  // "static const VkPushConstantRange shaders_push_constant_ranges[] = {" …
  void add_table(std::string_view type, const std::string& name, const std::vector<std::string>& rows) {
    if (rows.empty()) return;
    const std::string identifier = take(name);
    text_ += fmt::format("\n{} {} {}[] = {{\n", names_.is_cpp ? "inline constexpr" : "static const", type, identifier);
    for (const std::string& row : rows) text_ += fmt::format("  {}\n", row);
    text_ += "};\n";
  }
  [[nodiscard]] const ReflectedEntryPoint& entry_of(const PipelineStage& stage) const {
    return modules_[stage.module]->entry_points()[stage.entry_point];
  }
  [[nodiscard]] std::string_view null() const { return names_.is_cpp ? "nullptr" : "NULL"; }

  [[nodiscard]] static std::string stage_flags(std::uint32_t stages) {
    std::string text;
    for (const PipelineStageRow& row : pipeline_stage_rows) {
      if (row.flag == 0 || (stages & row.flag) == 0) continue;
      stages &= ~row.flag;
      text += fmt::format("{}VK_SHADER_STAGE_{}", text.empty() ? "" : " | ", row.flag_name);
    }
    return text.empty() ? "0" : text;
  }

  // --- descriptors ---

  void add_bindings() {
    const std::vector<PipelineBinding>& bindings = pipeline_.bindings;
    for (std::size_t i = 0; i < bindings.size();) {
      const Word set = bindings[i].set;
      std::vector<std::string> rows;
      std::optional<Word> listed;  // binding
      for (; i < bindings.size() && bindings[i].set == set; ++i) {
        if (bindings[i].descriptor >= DescriptorType::AtomicCounter) continue;
        // Each binding is once in a layout. The other row is a conflict.
        rows.push_back((listed == bindings[i].binding ? "// conflict: " : "") + binding_text(bindings[i]));
        listed = bindings[i].binding;
      }
      add_table("VkDescriptorSetLayoutBinding", fmt::format("set_{}_bindings", set), rows);
    }
  }

  [[nodiscard]] std::string binding_text(const PipelineBinding& binding) const {
    std::uint64_t count = 1;
    bool is_open = false, is_specialized = false;
    for (const ReflectedLength& length : binding.array) {
      is_open |= length.count == 0;
      is_specialized |= !dependence_text(length).empty();
      if (length.count != 0 && count <= 0xffffffffu / length.count) count *= length.count;
    }
    const PipelinePlace& place = binding.variables.front();
    return fmt::format("{{{}, {}, {}, {}, {}}},  // {}{}", binding.binding, name_of(binding.descriptor), count,
                       stage_flags(binding.stages), null(), comment_text(place.name, name_text({}, place.id)),
                       is_open          ? ": choose the count, which is known at run time only"
                       : is_specialized ? ": the default of " + array_text(binding.array)
                                        : "");
  }

  void add_mappings() {
    std::vector<std::string> rows;
    for (const ReflectedMapping& mapping : pipeline_.mappings) {
      rows.push_back(fmt::format("{{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_AND_BINDING_MAPPING_EXT, {}, {}, {}, {}, {},",
                                 null(), mapping.set, mapping.first_binding, mapping.count,
                                 fmt::join(resource_type_names(mapping.resource_mask), " | ")));
      rows.push_back(fmt::format(" VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT, {}}},",
                                 names_.is_cpp ? "{}" : "{{0, 0, NULL, 0, 0}}"));
    }
    if (rows.empty()) return;
    text_ += "\n// Copy these, and set source and sourceData.\n#ifdef VK_EXT_descriptor_heap";
    add_table("VkDescriptorSetAndBindingMappingEXT", "heap_mappings", rows);
    text_ += "#endif\n";
  }

  // --- push constants ---

  // Offset and size are multiples of 4.
  void add_push_constants() {
    std::vector<std::string> rows;
    for (const PipelinePushConstants& range : pipeline_.push_constants) {
      const std::uint64_t begin = range.begin / 4 * 4, end = (range.end + 3) / 4 * 4;
      rows.push_back(fmt::format("{{{}, {}, {}}},", stage_flags(range.stages), begin, end - begin));
    }
    add_table("VkPushConstantRange", "push_constant_ranges", rows);
  }

  // --- vertex attributes ---

  // What the API provides for a location, or for both locations of a vector with three or four 64-bit components.
  struct Attribute {
    std::uint64_t location = 0, end = 0;  // the locations
    const TypeRow* scalar = nullptr;
    std::uint64_t components = 0;             // of its format
    std::vector<std::uint32_t> slots = {};    // the variables that read it, each once
    std::vector<std::uint32_t> refused = {};  // those with another scalar type, which Vulkan forbids
  };

  // A module can have several vertex stages, each for a pipeline of its own.
  void add_attributes() {
    const auto count = std::ranges::count(pipeline_.stages, ExecutionModel::Vertex, &PipelineStage::model);
    for (const PipelineStage& stage : pipeline_.stages) {
      if (stage.model != ExecutionModel::Vertex) continue;
      const std::string name = c_identifier(entry_of(stage).name, "main") + "_";
      add_attributes_of(stage, count > 1 && prefix_.empty() ? name : std::string());
    }
  }

  // The attributes are packed in the order of their locations.
  void add_attributes_of(const PipelineStage& stage, const std::string& prefix) {
    TypeMatcher matcher(modules_);
    const StageSlots::Interface inputs = StageSlots(modules_, matcher).read(stage, false, nullptr);
    std::vector<std::string> rows;
    std::uint64_t offset = 0, align = 1;
    for (const Attribute& attribute : attributes_of(inputs)) {
      const std::string_view format = format_of(*attribute.scalar, attribute.components);
      const std::uint64_t bytes = attribute.scalar->width / 8;
      if (format.empty()) continue;
      if (rows.size() == max_attributes) break;
      offset = (offset + bytes - 1) / bytes * bytes;
      std::string row = fmt::format("{{{}, 0, {}, {}}},  // ", attribute.location, format, offset);
      append_slots(row, inputs, attribute.slots);
      if (!attribute.refused.empty()) append_slots(row += "; of another type: ", inputs, attribute.refused);
      rows.push_back(std::move(row));
      offset += bytes * attribute.components;
      align = std::max(align, bytes);
    }
    if (rows.empty()) return;
    text_ += "\n// One buffer with all attributes of a vertex; change format, binding and offset for other buffers.";
    add_table("VkVertexInputAttributeDescription", prefix + "vertex_attributes", rows);
    add_table("VkVertexInputBindingDescription", prefix + "vertex_bindings",
              {fmt::format("{{0, {}, VK_VERTEX_INPUT_RATE_VERTEX}},", (offset + align - 1) / align * align)});
  }

  // Each element of an array and each column of a matrix has a location of its own. Variables that share a location
  // have one attribute, whose format has the components up to the last one that any of them reads (Vulkan, "Vertex
  // Attributes").
  static std::vector<Attribute> attributes_of(const StageSlots::Interface& inputs) {
    std::vector<StageSlots::Component> components = inputs.components;
    StageSlots::sort(components);
    std::vector<Attribute> attributes;
    for (const StageSlots::Component& each : components) {
      const bool is_next = attributes.empty() || each.location > attributes.back().end;
      const bool continues = is_next && !attributes.empty() && each.is_continued &&
                             attributes.back().end == attributes.back().location &&
                             each.location == attributes.back().end + 1;
      if (continues) attributes.back().end = each.location;
      else if (is_next) attributes.push_back({each.location, each.location, each.scalar});
      Attribute& attribute = attributes.back();
      const auto is_alike = [](const TypeRow& a, const TypeRow& b) {
        return a.kind == b.kind && a.width == b.width && a.is_signed == b.is_signed && a.encoding == b.encoding;
      };
      const bool fits = is_alike(*each.scalar, *attribute.scalar);
      std::vector<std::uint32_t>& slots = fits ? attribute.slots : attribute.refused;
      const bool is_new = slots.size() < max_named && std::ranges::find(slots, each.slot) == slots.end();
      if (is_new) slots.push_back(each.slot);
      if (!fits) continue;
      const std::uint64_t place = (each.location - attribute.location) * components_of_location + each.component;
      attribute.components = std::max(attribute.components, place / (each.scalar->width == 64 ? 2 : 1) + 1);
    }
    return attributes;
  }

  // "'uv', 'detail' (component 2)"
  static void append_slots(std::string& text, const StageSlots::Interface& inputs,
                           const std::vector<std::uint32_t>& slots) {
    for (const std::uint32_t& i : slots) {
      const StageSlots::Slot& slot = inputs.slots[i];
      if (&i != slots.data()) text += ", ";
      text += comment_text(slot.place.name, name_text({}, slot.place.id));
      if (slot.component != 0) text += fmt::format(" (component {})", slot.component);
    }
  }

  // --- specialization ---

  struct SpecializationType {
    std::string_view name;
    std::string value;
  };

  // The type of the value in memory (Vulkan: a Boolean is a VkBool32), and its default.
  [[nodiscard]] std::optional<SpecializationType> type_of(const Facts& facts,
                                                          const ReflectedSpecConstant& constant) const {
    const TypeRow& type = facts.types().of(constant.type);
    const std::uint64_t bits = constant.default_bits;
    if (type.is(TypeKind::Bool)) return SpecializationType{"VkBool32", bits != 0 ? "VK_TRUE" : "VK_FALSE"};
    constexpr std::string_view names[2][4] = {{"uint8_t", "uint16_t", "uint32_t", "uint64_t"},
                                              {"int8_t", "int16_t", "int32_t", "int64_t"}};
    const auto* width = std::ranges::find(widths, type.width);
    if (width == std::end(widths)) return std::nullopt;
    const auto size = static_cast<std::size_t>(width - std::begin(widths));
    const bool is_float = type.is(TypeKind::Float);
    if (is_float && (type.width == 32 || type.width == 64)) {
      const std::string_view name = type.width == 32 ? "float" : "double", suffix = type.width == 32 ? "f" : "";
      const std::string_view special = special_default(facts, constant);
      if (!special.empty()) return SpecializationType{name, special_text(special, name)};
      const std::optional<double> value = double_of(bits, *Types::float_format(type));
      return SpecializationType{name, value ? fmt::format("{:a}{}", *value, suffix) : "0"};
    }
    if (!is_float && type.is_signed) {
      const std::int64_t value = sign_extended(bits, type.width);
      // The lowest number has no literal.
      return SpecializationType{names[1][size], value == INT64_MIN ? "INT64_MIN" : std::to_string(value)};
    }
    return SpecializationType{names[0][size], fmt::format("{}u{}", bits, type.width == 64 ? "ll" : "")};
  }
  static constexpr std::uint32_t widths[] = {8, 16, 32, 64};

  // An infinity or a NaN, which have no literals. The macros of C are not constant expressions in every C++.
  [[nodiscard]] std::string special_text(std::string_view special, std::string_view type) const {
    const bool is_nan = special == "nan";
    const std::string_view sign = special.starts_with('-') ? "-" : "";
    if (!names_.is_cpp) return fmt::format("{}{}", sign, is_nan ? "NAN" : "INFINITY");
    return fmt::format("{}std::numeric_limits<{}>::{}()", sign, type, is_nan ? "quiet_NaN" : "infinity");
  }

  // A structure with all constants, their defaults, and a map.
  void add_specialization() {
    std::string fields, defaults;
    std::vector<std::string> rows;
    CNames field_names;
    const std::string structure = take("SpecializationData");
    const std::map<SpecPlace, std::string> others = other_defaults();
    for (const PipelineSpecConstant& constant : pipeline_.spec_constants) {
      const ReflectedSpecConstant* row = row_of(constant.first);
      if (row == nullptr) continue;
      const auto type = type_of(modules_[constant.first.module]->facts(), *row);
      if (!type) continue;
      const std::string field =
          field_names.take(names_.of_spec_constant(constant.first.name, constant.spec_id), &names_.names);
      const auto other = others.find({constant.first.module, constant.first.id});
      fields += fmt::format("  {} {};  // SpecId {}{}\n", type->name, field, constant.spec_id,
                            other == others.end() ? "" : "; other defaults: " + other->second);
      defaults += fmt::format("{}{}", defaults.empty() ? "" : ", ", type->value);
      rows.push_back(
          fmt::format("{{{}, offsetof({}, {}), sizeof({})}},", constant.spec_id, structure, field, type->name));
    }
    if (rows.empty()) return;
    text_ += names_.is_cpp ? fmt::format("\nstruct {} {{\n{}}};\n", structure, fields)
                           : fmt::format("\ntypedef struct {0} {{\n{1}}} {0};\n", structure, fields);
    text_ += fmt::format("{} {} {} = {{{}}};\n", names_.is_cpp ? "inline constexpr" : "static const", structure,
                         take("specialization_defaults"), defaults);
    add_table("VkSpecializationMapEntry", "specialization_entries", rows);
  }

  [[nodiscard]] const ReflectedSpecConstant* row_of(const PipelinePlace& place) const {
    const auto rows = modules_[place.module]->spec_constants();
    const auto found = std::ranges::find(rows, place.id, &ReflectedSpecConstant::id);
    return found == rows.end() ? nullptr : &*found;
  }

  // The defaults of constants whose SpecId has an earlier constant, by the place of that one: the structure has one.
  using SpecPlace = std::pair<std::uint32_t, Word>;  // module, id
  [[nodiscard]] std::map<SpecPlace, std::string> other_defaults() const {
    std::map<SpecPlace, std::string> texts;
    for (const PipelineConflict& conflict : pipeline_.conflicts) {
      if (conflict.rule != stanza_of(Rule::PipelineSpecDefault).name.text) continue;
      const ReflectedSpecConstant* row = row_of(conflict.second);
      if (row == nullptr) continue;
      std::string& text = texts[{conflict.first.module, conflict.first.id}];
      text +=
          fmt::format("{}{}", text.empty() ? "" : ", ", default_text(modules_[conflict.second.module]->facts(), *row));
    }
    return texts;
  }

  const PipelineReflection& pipeline_;
  std::span<const Reflection* const> modules_;
  HeaderNames& names_;
  std::string prefix_;  // of the names of tables
  std::string text_;
};

std::string titled(std::string_view title, const std::string& tables) {
  return tables.empty() ? tables : fmt::format("\n// --- {} ---\n{}", title, tables);
}

// Whether the entry points need different layouts or maps.
bool differs_by_stage(const PipelineReflection& module) {
  return std::ranges::any_of(module.conflicts, [](const PipelineConflict& each) {
    using enum Rule;
    return std::ranges::any_of(std::array{PipelineBinding, PipelineSpecId, PipelineSpecDefault},
                               [&](Rule rule) { return stanza_of(rule).name.text == each.rule; });
  });
}

}  // namespace

std::string vulkan_tables(const PipelineReflection& pipeline, std::span<const Reflection* const> modules,
                          HeaderNames& names) {
  return titled("structures of Vulkan", VulkanTables(pipeline, modules, names, {}).run());
}

std::string vulkan_tables(const Reflection& module, const ReflectionTextOptions& options, HeaderNames& names) {
  const Reflection* const modules[] = {&module};
  const PipelineReflection whole = reflect_pipeline(modules, options);
  if (whole.stages.size() < 2 || !differs_by_stage(whole)) return vulkan_tables(whole, modules, names);
  std::string text;
  for (const PipelineStage& stage : whole.stages) {
    const ReflectedEntryPoint& entry = module.entry_points()[stage.entry_point];
    const std::string prefix = c_identifier(entry.name, "main") + "_";
    const PipelineReflection own = reflect_stage(module, stage.entry_point);
    text += titled(fmt::format("structures of Vulkan for {} ({})", comment_text(entry.name), to_string(stage.model)),
                   VulkanTables(own, modules, names, prefix).run());
  }
  return text;
}

}  // namespace vireo::spirv

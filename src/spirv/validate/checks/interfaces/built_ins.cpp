// SPDX-License-Identifier: Apache-2.0
//
// Built-in variables in Vulkan: their types, their storage classes, and the stages that support them.
//
// Each built-in has a row (built_in_rows.h). The row is compared with the type of the variable, and with
// the storage class and execution model of each distinct use. Stages are checked only if an entry point reaches a use:
// listing an unused variable is allowed.
//
// Source: the chapter "Built-In Variables" of the Vulkan specification. A row contains the numbers of its rules in that
// chapter; findings print them.
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "spirv/validate/analysis/built_in_members.h"
#include "spirv/validate/analysis/decoration_places.h"
#include "spirv/validate/analysis/fixes.h"
#include "spirv/validate/analysis/places.h"
#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/analysis/reach.h"
#include "spirv/validate/checks/checks.h"
#include "spirv/validate/tables/built_in_rows.h"
#include "vireo/spirv/grammar/enum_names.h"

namespace vireo::spirv {
namespace {

using enum ExecutionModel;
using Storage = StorageClass;

class BuiltInCheck {
 public:
  explicit BuiltInCheck(const ModuleCheck& c) : c_(c), reach_(c) {}

  void run() {
    collect_uses();
    // A decoration group is skipped: its decorations are also listed for its targets. Vendor built-ins without a row
    // are not checked. 0xFFFFFFFF is not an enumerant; it replaces a missing operand.
    for (const DecorationRow& row : c_.decorations.rows()) {
      if (row.decoration != Decoration::BuiltIn || c_.op_of(row.target) == Op::OpDecorationGroup) continue;
      const auto built_in = static_cast<BuiltIn>(c_.decorations.operand_or(row, 0xFFFFFFFF));
      const auto rows = built_in_rows();
      const auto found =
          std::find_if(rows.begin(), rows.end(), [&](const BuiltInRow& r) { return r.built_in == built_in; });
      if (found != rows.end()) check(*found, row);
    }
  }

 private:
  // A use of a variable, or of a structure in variables. The number of distinct uses is small, however many entry
  // points the module has.
  struct Use {
    Word target;  // the variable, or the structure that it contains
    ExecutionModel model;
    Storage storage;
    friend auto operator<=>(const Use&, const Use&) = default;
  };

  // A structure, and the storage class of pointers to it or to arrays of it.
  using StructurePointer = std::pair<Word, Storage>;

  void collect_uses() {
    for (const EntryPointRow& entry : c_.module_declarations.entry_points()) {
      for (const Word id : entry.interface_) {
        const TypeRow& type = c_.type_of(id);
        if (!type.is_pointer() || !c_.soundness.is_sound(id)) continue;
        uses_.push_back({id, entry.model, type.storage});
        const TypeRow* pointee = pointee_of(c_, id);
        if (pointee == nullptr) continue;
        const TypeRow& inner = pointee->innermost();
        // Entry points do not list members; members have the uses of the variables that hold their structure.
        if (inner.is(TypeKind::Struct)) uses_.push_back({inner.id, entry.model, type.storage});
      }
    }
    // Sorts by target, so that the uses of a target are adjacent, and removes duplicates.
    std::sort(uses_.begin(), uses_.end());
    uses_.erase(std::unique(uses_.begin(), uses_.end()), uses_.end());
    // Also variables that no entry point lists: those of functions, and private ones.
    for (const TypeRow& type : c_.types.rows()) {
      if (!type.is(TypeKind::Pointer)) continue;
      const TypeRow& inner = type.element_type().innermost();
      if (inner.is(TypeKind::Struct)) pointers_.emplace_back(inner.id, type.storage);
    }
    std::sort(pointers_.begin(), pointers_.end());
    pointers_.erase(std::unique(pointers_.begin(), pointers_.end()), pointers_.end());
  }

  void check(const BuiltInRow& row, const DecorationRow& decoration) {
    const auto report_finding = [&](Rule rule, std::uint16_t number, std::string_view found,
                                    std::string_view expected) {
      c_.report(rule, parameter_place(decoration), {enumerant_text(c_, row.built_in), found, expected});
      note_target(c_, decoration.target, decoration.member);
      name_vuid(row, number, parameter_place(decoration));
      // For mesh_shading.cpp, which checks the storage class too.
      if (is_one_of({Rule::BuiltInStorage, Rule::BuiltInModel}, rule)) {
        c_.findings.name_cause(rule, std::to_string(decoration.target));
      }
    };
    // The checked type is the pointee type of a decorated variable, or the type of a decorated member.
    const bool is_variable = decoration.member == no_member;
    const TypeRow& structure = c_.types.of(decoration.target);
    const TypeRow* type = is_variable ? pointee_of(c_, decoration.target)
                                      : c_.types.find(c_.types.member_type(structure, decoration.member));
    if (type == nullptr || !c_.soundness.is_sound_type(type->id)) return;
    if (!is_variable && !c_.soundness.is_sound_type(decoration.target)) return;
    const std::span<const Use> uses = uses_of(decoration.target);
    if (is_variable && lacks_vertices(row, *type, uses)) {
      report_finding(Rule::BuiltInVertexArray, row.type_rule, type_text(c_, type->id), {});
    } else if (row.shape.scalar != TypeKind::None && !is_of_shape(c_, row.shape, *type) &&
               !(is_variable && is_arrayed(row, *type, uses))) {
      report_finding(Rule::BuiltInType, type_rule(row, uses), type_text(c_, type->id),
                     (is_variable && expects_array(row, *type, uses) ? "an array of " : "") + shape_text(row.shape));
      note_missing_mode(row.built_in, decoration);
    } else {
      check_length(row, *type, decoration);
    }
    check_decorations(row, decoration, report_finding);
    // A variable that no entry point lists has no stage, but its storage class is checked. Only the first wrong use is
    // reported, because the others usually have the same cause.
    if (uses.empty() && is_variable) check_direction(row, c_.type_of(decoration.target).storage, report_finding);
    for (const Use& use : uses) {
      if (!check_use(row, use, report_finding)) return;
    }
    auto pointer = std::lower_bound(pointers_.begin(), pointers_.end(), StructurePointer(decoration.target, {}));
    for (; pointer != pointers_.end() && pointer->first == decoration.target; ++pointer) {
      if (!check_direction(row, pointer->second, report_finding)) return;
    }
  }

  // Adds the VUID to the last finding. The same number in the module may have a second name, which has VUIDs too: the
  // extension that the module declares decides which one the finding has, and a note names the other.
  void name_vuid(const BuiltInRow& row, std::uint16_t number, Place place) {
    if (number == 0 || !c_.findings.keeps_last()) return;
    std::string vuid = vuid_of(name_of(row.built_in), number);
    for (const BuiltInAliasRow& alias : built_in_alias_rows()) {
      if (alias.built_in != row.built_in) continue;
      const std::uint16_t other = number == row.model_rule     ? alias.model_rule
                                  : number == row.storage_rule ? alias.storage_rule
                                                               : alias.type_rule;
      std::string second = vuid_of(alias.name, other);
      if (c_.module_declarations.has_extension(alias.extension)) std::swap(vuid, second);
      c_.note(place, "under the other name of the built-in, {text} requires the same", {second});
    }
    c_.vuid(std::move(vuid));
  }

  // The rule about the type. Mesh shaders have one of their own for built-ins of primitives.
  static std::uint16_t type_rule(const BuiltInRow& row, std::span<const Use> uses) {
    const auto primitives = built_in_primitive_rows();
    const auto primitive = std::ranges::find(primitives, row.built_in, &BuiltInPrimitiveRow::built_in);
    const bool is_of_mesh =
        std::ranges::any_of(uses, [](const Use& use) { return use.model == ExecutionModel::MeshEXT; });
    return primitive != primitives.end() && is_of_mesh ? primitive->array_rule : row.type_rule;
  }

  // A wrong type usually means that the decoration is wrong. So the mode that the built-in requires is only a note;
  // entry_built_ins.cpp does not report it.
  void note_missing_mode(BuiltIn built_in, const DecorationRow& decoration) {
    const auto modes = built_in_mode_rows();
    const auto mode = std::ranges::find(modes, built_in, &BuiltInModeRow::built_in);
    if (mode == modes.end()) return;
    for (const EntryPointRow& entry : c_.module_declarations.entry_points()) {
      if (entry.model != mode->model || !std::ranges::count(entry.interface_, decoration.target)) continue;
      if (c_.module_declarations.mode(entry.function, mode->mode) != nullptr) continue;
      c_.note(model_place(c_, entry), "entry point \"{text}\" has no execution mode {enumerant} either",
              {entry.name, mode->mode});
      return;
    }
  }

  [[nodiscard]] std::span<const Use> uses_of(Word target) const {
    const auto first =
        std::lower_bound(uses_.begin(), uses_.end(), target, [](const Use& use, Word id) { return use.target < id; });
    // A linear search suffices, because each target has few uses.
    auto last = first;
    while (last != uses_.end() && last->target == target) ++last;
    return {first, last};
  }

  // Checks other decorations of the target.
  template <typename ReportFinding>
  void check_decorations(const BuiltInRow& row, const DecorationRow& decoration, const ReportFinding& report_finding) {
    if (decoration.member != no_member && is_one_of(built_ins_of_variables(), row.built_in)) {
      report_finding(Rule::BuiltInMember, 0, target_text(c_, decoration), {});
    }
    const auto companions = built_in_companion_rows();
    const auto companion = std::ranges::find(companions, row.built_in, &BuiltInCompanionRow::built_in);
    if (companion == companions.end()) return;
    const Decoration needed = companion->decoration;
    if (c_.decorations.has(decoration.target, decoration.member, needed)) return;
    if (!report_missing(c_, {missing_decoration(needed, decoration.target, decoration.member)}, Rule::BuiltInDecoration,
                        parameter_place(decoration), {row.built_in, target_text(c_, decoration), needed}))
      return;
    if (companion->rule != 0) c_.vuid(vuid_of(name_of(row.built_in), companion->rule));
    note_target(c_, decoration.target, decoration.member);
    hint_decoration(c_, needed, decoration.target, decoration.member);
  }

  // Checks the length of an array that has a largest one.
  void check_length(const BuiltInRow& row, const TypeRow& type, const DecorationRow& decoration) {
    const auto rows = built_in_element_rows();
    const auto found = std::ranges::find(rows, row.built_in, &BuiltInElementRow::built_in);
    if (found == rows.end() || found->most == 0) return;
    // The array of the built-in is the innermost one; outer ones have an element for each vertex.
    const TypeRow* array = &type;
    while (array->is_array() && array->element_type().is_array()) array = &array->element_type();
    if (array->count <= found->most) return;
    c_.report(Rule::BuiltInArraySize, parameter_place(decoration),
              {row.built_in, "", array->count, fmt::format("at most {}", found->most)});
    c_.vuid(vuid_of(name_of(row.built_in), found->length_rule));
    note_target(c_, decoration.target, decoration.member);
  }

  template <typename ReportFinding>
  bool check_direction(const BuiltInRow& row, Storage storage, const ReportFinding& report_finding) {
    return check_direction(row, storage, row.storage_rule, report_finding);
  }
  template <typename ReportFinding>
  bool check_direction(const BuiltInRow& row, Storage storage, std::uint16_t rule,
                       const ReportFinding& report_finding) {
    const unsigned direction = storage == Storage::Input    ? unsigned{In}
                               : storage == Storage::Output ? unsigned{Out}
                                                            : 0u;
    if ((row.directions & direction) != 0) return true;
    constexpr std::string_view expected[] = {"", "Input", "Output", "Input or Output"};
    report_finding(Rule::BuiltInStorage, rule, enumerant_text(c_, storage), expected[row.directions]);
    return false;
  }

  // Checks one use. False if a finding was reported.
  template <typename ReportFinding>
  bool check_use(const BuiltInRow& row, const Use& use, const ReportFinding& report_finding) {
    std::uint16_t storage_rule = row.storage_rule;
    for (const BuiltInStageRow& stage : built_in_stage_rows()) {
      if (stage.built_in == row.built_in && stage.direction == 0 && contains(stage.without, use.model))
        storage_rule = stage.rule;
    }
    if (!check_direction(row, use.storage, storage_rule, report_finding)) return false;
    const std::uint8_t direction = use.storage == Storage::Input ? In : Out;
    // Nothing is reported if no entry point of this execution model reaches a use of the variable.
    const auto is_reached = [&] { return contains(reach_.of_global(use.target), use.model); };
    // A built-in that no stage supports is an error, used or not.
    if (row.models == 0) {
      report_finding(Rule::BuiltInModel, 0, "Vulkan", {});
      c_.vuid(std::string(unlisted_built_in_vuid));
      return false;
    }
    if (!contains(row.models, use.model)) {
      if (!is_reached()) return true;
      report_finding(Rule::BuiltInModel, row.model_rule, enumerant_text(c_, use.model),
                     expected_models_text(c_, row.models));
      return false;
    }
    // Some stages support the built-in only as input or only as output. A separate table lists them.
    for (const BuiltInStageRow& stage : built_in_stage_rows()) {
      if (stage.built_in != row.built_in || stage.direction != direction || !contains(stage.without, use.model))
        continue;
      if (!is_reached()) return true;
      report_finding(Rule::BuiltInModel, stage.rule, enumerant_text(c_, use.model),
                     direction == In ? " as an input" : " as an output");
      return false;
    }
    // In addition to the capabilities in the grammar, some stages need one of several capabilities.
    for (const BuiltInCapabilityRow& wanted : built_in_capability_rows()) {
      if (wanted.built_in != row.built_in || !contains(wanted.models, use.model)) continue;
      if (std::any_of(wanted.capabilities.begin(), wanted.capabilities.end(),
                      [&](Capability capability) { return c_.has(capability); })) {
        continue;
      }
      if (!is_reached()) return true;
      const auto is_missing = [&](Capability each) {
        return c_.join_missing(each, enumerant_text(c_, row.built_in), Rule::BuiltInCapability);
      };
      if (std::ranges::any_of(wanted.capabilities, is_missing)) return false;
      report_finding(Rule::BuiltInCapability, wanted.rule, enumerant_text(c_, use.model), wanted.expected);
      return false;
    }
    return true;
  }

  // Whether a variable is an array of the built-in's type and all entry points that list it expect such an array.
  [[nodiscard]] bool is_arrayed(const BuiltInRow& row, const TypeRow& type, std::span<const Use> uses) const {
    // Tessellation and geometry stages have a value for each vertex, and mesh shaders for each vertex or primitive. An
    // array is valid only if all stages that list the variable expect one.
    return row.arrayed != 0 && type.is_array() && is_of_shape(c_, row.shape, type.element_type()) &&
           std::ranges::all_of(uses, [&](const Use& use) { return contains(row.arrayed, use.model); });
  }

  // Whether an array lacks the outer array that all stages of the variable expect. Its element has the wrong type then,
  // but the type agrees with the words of the requirement.
  [[nodiscard]] bool lacks_vertices(const BuiltInRow& row, const TypeRow& type, std::span<const Use> uses) const {
    return row.shape.arrays != 0 && is_of_shape(c_, row.shape, type) && !type.element_type().is_array() &&
           expects_array(row, type, uses);
  }

  // Whether a stage has an element for each vertex of a primitive.
  static bool is_of_vertices(const Use& use) {
    return use.model == TessellationControl || use.model == MeshEXT || use.model == MeshNV ||
           (use.storage == Storage::Input && (use.model == TessellationEvaluation || use.model == Geometry));
  }

  // Whether all stages expect an array, for the message. A tessellation evaluation shader has arrays only as inputs, so
  // outside mesh shaders the found type decides.
  static bool expects_array(const BuiltInRow& row, const TypeRow& type, std::span<const Use> uses) {
    if (uses.empty()) return false;
    if (row.shape.arrays != 0)
      return std::ranges::all_of(
          uses, [&](const Use& use) { return contains(row.arrayed, use.model) && is_of_vertices(use); });
    return std::ranges::all_of(uses, [&](const Use& use) {
      return contains(row.arrayed, use.model) && (type.is_array() || use.model == ExecutionModel::MeshEXT);
    });
  }

  // The shape in the notation of types in messages: "vec4", "uvec3 or ivec3", "an array of f32". All rows with several
  // components are 32-bit.
  static std::string shape_text(const BuiltInShape& shape) {
    const bool is_integer = shape.scalar == TypeKind::Int;
    std::string text;
    if (shape.columns != 1) {
      text = fmt::format("mat{}x{}", shape.columns, shape.components);
    } else if (shape.components != 1) {
      text = fmt::format("{}vec{}", is_integer ? "u" : "", shape.components);
      if (shape.most_components != shape.components)
        text += fmt::format(" or {}vec{}", is_integer ? "u" : "", shape.most_components);
      if (is_integer && !shape.is_unsigned) text += fmt::format(" or ivec{}", shape.components);
    } else if (is_integer && shape.width == 0) {
      text = shape.arrays != 0 ? "integers" : "an integer scalar";
    } else if (is_integer) {
      text = fmt::format("u{}", shape.width);
      if (!shape.is_unsigned) text += fmt::format(" or i{}", shape.width);
    } else {
      text = shape.scalar == TypeKind::Float ? fmt::format("f{}", shape.width) : "bool";
    }
    for (std::uint32_t i = 0; i < shape.arrays; ++i) {
      text = shape.elements == 0 ? "an array of " + text : fmt::format("an array of {} {}", shape.elements, text);
    }
    return text;
  }

  const ModuleCheck& c_;
  ModelReachability reach_;
  std::vector<Use> uses_;                   // ascending
  std::vector<StructurePointer> pointers_;  // ascending
};

}  // namespace

void check_built_ins(const ModuleCheck& c) {
  if (c.is_vulkan()) BuiltInCheck(c).run();
}

}  // namespace vireo::spirv

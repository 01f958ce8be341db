// SPDX-License-Identifier: Apache-2.0
//
// Built-in variables in Vulkan: their types, their storage classes, and the stages that have them.
//
// The one idea: a built-in is a row (built_in_rows.h), and what is judged by it is a type and the few ways in which entry
// points list a variable. Stages count where something leads to a use: who lists too much has done nothing wrong by it.
//
// Source: the chapter "Built-In Variables" of the Vulkan specification; each rule there has a number, which stands in the
// row and is printed with the finding.
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <vector>

#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/analysis/reach.h"
#include "spirv/validate/engine/checks.h"
#include "spirv/validate/tables/built_in_rows.h"

namespace vireo::spirv {
namespace {

using enum ExecutionModel;
using Storage = StorageClass;

class BuiltInCheck {
 public:
  BuiltInCheck(const Context& context, Report& report) : context_(context), report_(report), reach_(context) {}

  void run() {
    collect_uses();
    // A group's decorations stand at its targets as well, and are judged there. Built-ins without a row, those of
    // vendors, are not judged; the number that no enumerant has stands for an operand that is missing.
    for (const DecorationRow& row : context_.decorations.rows()) {
      if (row.decoration != Decoration::BuiltIn || context_.op_of(row.target) == Op::OpDecorationGroup) continue;
      const auto built_in = static_cast<BuiltIn>(context_.decorations.operand_or(row, 0xFFFFFFFF));
      const auto rows = built_in_rows();
      const auto found =
          std::find_if(rows.begin(), rows.end(), [&](const BuiltInRow& r) { return r.built_in == built_in; });
      if (found != rows.end()) check(*found, row);
    }
  }

 private:
  // How a variable, or a structure in variables, is used. However many entry points there are, few uses differ.
  struct Use {
    Word target;  // the variable, or the structure that it is of
    ExecutionModel model;
    Storage storage;
    friend auto operator<=>(const Use&, const Use&) = default;
  };

  void collect_uses() {
    for (const EntryPointRow& entry : context_.preamble.entry_points()) {
      for (const Word id : entry.interface_) {
        const TypeRow* type = context_.type_of(id);
        if (type == nullptr || !type->is_pointer()) continue;
        uses_.push_back({id, entry.model, type->storage});
        const TypeRow* pointee = pointee_of(context_, id);
        if (pointee == nullptr) continue;
        const TypeRow& inner = without_arrays(context_, *pointee);
        // Entry points do not list members: these are used as the variables are that hold their structure.
        if (inner.is(TypeKind::Struct)) uses_.push_back({inner.id, entry.model, type->storage});
      }
    }
    // By target, so that the uses of one stand side by side; each that occurs many times is kept once.
    std::sort(uses_.begin(), uses_.end());
    uses_.erase(std::unique(uses_.begin(), uses_.end()), uses_.end());
  }

  void check(const BuiltInRow& row, const DecorationRow& decoration) {
    const Place place{decoration.instruction, 0};
    const auto say = [&](Rule rule, std::uint16_t number, std::string_view found, std::string_view expected) {
      const std::string name = enumerant_text(context_, row.built_in);
      report_.add(rule, place, {name, found, expected});
      if (number != 0) report_.note(place, fmt::format("VUID-{}-{}-{:05}", name, name, number));
    };
    // The decoration is on a variable, which points to the value, or on a member, which is the value.
    const bool is_variable = decoration.member == no_member;
    const TypeRow& structure = context_.types.of(decoration.target);
    const TypeRow* type = is_variable ? pointee_of(context_, decoration.target)
                                      : context_.types.find(context_.types.member_type(structure, decoration.member));
    if (type == nullptr || !context_.soundness.is_sound_type(type->id)) return;
    const std::span<const Use> uses = uses_of(decoration.target);
    if (row.shape.scalar != TypeKind::None && !is_of_shape(row.shape, *type) &&
        !(is_variable && is_arrayed(row, *type, uses))) {
      say(Rule::BuiltInType, row.type_rule, type_text(context_, type->id), shape_text(row.shape));
    }
    check_decorations(row, decoration, say);
    // A variable that no entry point lists has no stage, but its storage class can be wrong. Of several uses the first
    // wrong one is reported: the others are nearly always wrong for the same reason.
    if (uses.empty() && is_variable) check_direction(row, context_.type_of(decoration.target)->storage, say);
    for (const Use& use : uses) {
      if (!check_use(row, use, say)) return;
    }
  }

  [[nodiscard]] std::span<const Use> uses_of(Word target) const {
    const auto first =
        std::lower_bound(uses_.begin(), uses_.end(), target, [](const Use& use, Word id) { return use.target < id; });
    // Uses are few for each target: in sum over all built-ins this is linear.
    auto last = first;
    while (last != uses_.end() && last->target == target) ++last;
    return {first, last};
  }

  // What else stands beside the built-in.
  template <typename Say>
  void check_decorations(const BuiltInRow& row, const DecorationRow& decoration, const Say& say) {
    const std::string target = id_text(context_, decoration.target);
    if (decoration.member != no_member && is_one_of(built_ins_of_variables(), row.built_in)) {
      say(Rule::BuiltInMember, 0, target, "a variable");
    }
    // Tessellation levels are of the whole patch, be they variables or members.
    if (row.built_in != BuiltIn::TessLevelOuter && row.built_in != BuiltIn::TessLevelInner) return;
    if (context_.decorations.has(decoration.target, decoration.member, Decoration::Patch)) return;
    report_.add(Rule::BuiltInPatch, {decoration.instruction, 0}, {enumerant_text(context_, row.built_in), target});
  }

  template <typename Say>
  bool check_direction(const BuiltInRow& row, Storage storage, const Say& say) {
    const unsigned direction = storage == Storage::Input    ? unsigned{In}
                               : storage == Storage::Output ? unsigned{Out}
                                                            : 0u;
    if ((row.directions & direction) != 0) return true;
    constexpr std::string_view expected[] = {"", "Input", "Output", "Input or Output"};
    say(Rule::BuiltInStorage, row.storage_rule, enumerant_text(context_, storage), expected[row.directions]);
    return false;
  }

  // Whether nothing was wrong.
  template <typename Say>
  bool check_use(const BuiltInRow& row, const Use& use, const Say& say) {
    if (!check_direction(row, use.storage, say)) return false;
    const std::uint8_t direction = use.storage == Storage::Input ? In : Out;
    // What an entry point lists and does not use it need not have.
    const auto refuse = [&](Rule rule, std::uint16_t number, std::string_view expected) {
      if (!contains(reach_.of_global(use.target), use.model)) return true;
      say(rule, number, enumerant_text(context_, use.model), expected);
      return false;
    };
    // What no stage has is wrong by itself, used or not.
    if (row.models == 0) {
      say(Rule::BuiltInModel, row.model_rule, enumerant_text(context_, use.model), "none in Vulkan");
      return false;
    }
    if (!contains(row.models, use.model)) {
      return refuse(Rule::BuiltInModel, row.model_rule, "another execution model");
    }
    // Some stages have it in one direction only: the row of the built-in alone cannot say that.
    for (const BuiltInStageRow& stage : built_in_stage_rows()) {
      if (stage.built_in != row.built_in || stage.direction != direction || !contains(stage.without, use.model))
        continue;
      return refuse(Rule::BuiltInModel, stage.rule, direction == In ? "it as no input there" : "it as no output there");
    }
    // Beyond what the grammar demands of the enumerant: here the stage decides, and any one of the capabilities will
    // do.
    for (const BuiltInCapabilityRow& wanted : built_in_capability_rows()) {
      if (wanted.built_in != row.built_in || !contains(wanted.models, use.model)) continue;
      if (std::any_of(wanted.capabilities.begin(), wanted.capabilities.end(),
                      [&](Capability capability) { return context_.has(capability); })) {
        continue;
      }
      return refuse(Rule::BuiltInCapability, wanted.rule, wanted.expected);
    }
    return true;
  }

  // Whether a variable is an array of what the built-in is of, and all that list it have arrays of that.
  [[nodiscard]] bool is_arrayed(const BuiltInRow& row, const TypeRow& type, std::span<const Use> uses) const {
    // Tessellation and geometry stages see a value for each vertex, mesh shaders for each vertex or primitive. A
    // variable may be shared by stages of both kinds only if its type is right for all.
    const TypeRow* element = row.arrayed != 0 && type.is_array() ? context_.types.find(type.element) : nullptr;
    return element != nullptr && is_of_shape(row.shape, *element) &&
           std::all_of(uses.begin(), uses.end(), [&](const Use& use) { return contains(row.arrayed, use.model); });
  }

  [[nodiscard]] bool is_of_shape(const BuiltInShape& shape, const TypeRow& type) const {
    const TypeRow* row = &type;
    if (shape.is_array) {
      if (!type.is_array() || (shape.elements != 0 && type.count != shape.elements)) return false;
      row = context_.types.find(type.element);
      if (row == nullptr) return false;
    }
    if (shape.is_unsigned && context_.types.row(row->component).is_signed) return false;
    // Vectors and scalars have one column; 0 in the row leaves width or length open.
    const spirv::Shape found = context_.types.shape(*row);
    return found.scalar == shape.scalar && (shape.width == 0 || found.width == shape.width) &&
           found.rows == shape.components && found.columns == shape.columns;
  }

  static std::string shape_text(const BuiltInShape& shape) {
    std::string text = shape.width == 0 ? std::string() : fmt::format("{}-bit ", shape.width);
    text += shape.scalar == TypeKind::Float ? "float" : shape.scalar == TypeKind::Int ? "integer" : "boolean";
    if (shape.columns != 1)
      text = fmt::format("a matrix of {} columns of {} {}s", shape.columns, shape.components, text);
    else if (shape.components != 1) text = fmt::format("a vector of {} {}s", shape.components, text);
    else text += " scalar";
    if (shape.is_array)
      text = fmt::format("an array of {}{}",
                         shape.elements == 0 ? std::string() : fmt::format("{} of ", shape.elements), text);
    return text;
  }

  const Context& context_;
  Report& report_;
  ModelReach reach_;
  std::vector<Use> uses_;  // ascending
};

}  // namespace

void check_built_ins(const Context& context, Report& report) {
  if (context.is_vulkan()) BuiltInCheck(context, report).run();
}

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// The elements that a shader selects in built-in arrays, and the values that it stores in built-ins, in Vulkan.
//
// Few built-ins have such rules. From each of their variables, the access chains are followed to the stores. An index or
// a value that is not a constant is not checked, except where a constant is required.
//
// Source: the chapter "Built-In Variables" of the Vulkan specification, as in the rows of built_in_rows.h;
// SPV_EXT_mesh_shader (OpSetMeshOutputsEXT); SPV_KHR_fragment_shading_rate.
#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

#include "spirv/binary/access_chain.h"
#include "spirv/validate/analysis/variable_uses.h"
#include "spirv/validate/checks/checks.h"
#include "spirv/validate/tables/built_in_rows.h"
#include "vireo/spirv/binary/views/composite.h"
#include "vireo/spirv/binary/views/memory.h"
#include "vireo/spirv/binary/views/reserved.h"
#include "vireo/spirv/grammar/enum_names.h"

namespace vireo::spirv {
namespace {

using enum Op;

/// A built-in with rules about its elements or values.
struct Subject {
  BuiltIn built_in = BuiltIn::PrimitiveShadingRateKHR;
  const BuiltInElementRow* elements = nullptr;  ///< nullptr: a shading rate
  std::uint32_t arrays = 0;                     ///< dimensions of its own type, without those of the stage
};

/// A member of a structure that is a subject.
struct SubjectMember {
  Word structure, member;
  Subject subject;
};

std::uint32_t arrays_of(const TypeRow& type) {
  std::uint32_t count = 0;
  for (const TypeRow* row = &type; row->is_array(); row = &row->element_type()) ++count;
  return count;
}

class BuiltInValueCheck {
 public:
  explicit BuiltInValueCheck(const ModuleCheck& c) : c_(c) {}

  void run() {
    std::vector<Selected> variables;
    for (const DecorationRow& row : c_.decorations.rows()) {
      if (row.decoration != Decoration::BuiltIn) continue;
      const auto subject = subject_of(static_cast<BuiltIn>(c_.decorations.operand_or(row, 0xFFFFFFFF)));
      if (!subject) continue;
      if (row.member != no_member) members_.push_back({row.target, row.member, *subject});
      else if (is_variable(c_.op_of(row.target))) variables.push_back({row.target, nullptr, *subject});
    }
    const bool is_mesh = c_.has(Capability::MeshShadingEXT);
    if (variables.empty() && members_.empty() && !is_mesh) return;
    read_counts();
    if (is_mesh) check_per_primitive();
    for (const Selected& variable : variables) follow(variable);
    if (members_.empty()) return;
    for (const auto [index, view] : c_.module.instructions(c_.module.section(Section::Globals))) {
      if (is_variable(view.opcode)) follow({c_.module.result_of(view), nullptr, std::nullopt});
    }
  }

 private:
  /// A pointer, and what it points to.
  struct Selected {
    Word pointer = 0;
    const TypeRow* type = nullptr;
    std::optional<Subject> subject;  ///< nullopt: a structure of built-ins, or an array of such structures
    bool is_element = false;         ///< an index has selected an element of the built-in's own array
  };

  static std::optional<Subject> subject_of(BuiltIn built_in) {
    if (built_in == BuiltIn::PrimitiveShadingRateKHR) return Subject{};
    const auto rows = built_in_element_rows();
    const auto row = std::ranges::find(rows, built_in, &BuiltInElementRow::built_in);
    if (row == rows.end()) return std::nullopt;
    const auto types = built_in_rows();
    return Subject{built_in, &*row, std::ranges::find(types, built_in, &BuiltInRow::built_in)->shape.arrays};
  }

  // The largest counts that the module sets; nullopt if one is not known.
  void read_counts() {
    if (c_.has(Capability::MeshShadingEXT)) {
      std::uint64_t vertices = 0, primitives = 0;
      bool are_known = false;
      for (const FunctionRow& function : c_.module.functions()) {
        for (const InstructionView view : c_.module.views(function.all)) {
          const auto set = as<OpSetMeshOutputsEXT>(view);
          if (!set) continue;
          const auto v = c_.constants.as_u64(set->vertex_count()), p = c_.constants.as_u64(set->primitive_count());
          if (!v || !p) return;
          vertices = std::max(vertices, *v);
          primitives = std::max(primitives, *p);
          are_known = true;
        }
      }
      if (are_known) vertices_ = vertices, primitives_ = primitives;
      return;
    }
    for (const ExecutionModeRow& row : c_.module_declarations.execution_modes()) {
      if (row.mode == ExecutionMode::OutputVertices && !row.operands.empty())
        vertices_ = std::max<std::uint64_t>(vertices_.value_or(0), row.operands[0]);
    }
  }

  // Follows the pointers into a variable. Each is the result of one instruction, so none is reached twice.
  void follow(Selected variable) {
    if (!c_.soundness.is_sound(variable.pointer)) return;
    const TypeRow& pointer = c_.type_of(variable.pointer);
    if (!pointer.is(TypeKind::Pointer)) return;
    variable.type = &pointer.pointee();
    if (variable.subject && arrays_of(*variable.type) < variable.subject->arrays) return;
    if (!variable.subject && !variable.type->innermost().is(TypeKind::Struct)) return;
    const InstructionIndex declaration = c_.module.definition(variable.pointer);
    const auto initializer = View<OpVariable>(c_.module.instruction(declaration)).initializer();
    if (variable.subject && initializer) check_value(*variable.subject, {declaration, initializer->word}, *initializer);
    std::vector<Selected> open{variable};
    while (!open.empty()) {
      const Selected selected = open.back();
      open.pop_back();
      for (const Use& use : c_.facts.uses().of(selected.pointer)) {
        if (use.kind != UseKind::Operand || !c_.budget.spend()) continue;
        const InstructionView view = c_.module.instruction(use.instruction);
        if (const auto chain = access_chain(view); chain && chain->base.word == use.word && !chain->is_untyped) {
          Selected part = selected;
          part.pointer = c_.module.result_of(view);
          if (select(part, *chain, use.instruction)) open.push_back(part);
        } else if (const auto store = as<OpStore>(view); store && store->pointer().word == use.word) {
          if (selected.subject)
            check_value(*selected.subject, {use.instruction, store->object().word}, store->object());
        }
      }
    }
  }

  // Applies the indexes of a chain. False if they select something that has no rules.
  bool select(Selected& selected, const AccessChain& chain, InstructionIndex instruction) {
    for (const auto index : chain.indexes) {
      const TypeRow& type = *selected.type;
      if (!selected.subject && type.is(TypeKind::Struct)) {
        const auto member = c_.constants.as_u64(index);
        const auto found = std::ranges::find_if(
            members_, [&](const SubjectMember& each) { return each.structure == type.id && each.member == member; });
        if (found == members_.end()) return false;
        selected.subject = found->subject;
        selected.type = &c_.types.of(c_.types.member_type(type, found->member));
        continue;
      }
      // The outer arrays belong to the stage: they have an element for each vertex or primitive.
      if (selected.subject && type.is_array() && arrays_of(type) <= selected.subject->arrays && !selected.is_element) {
        selected.is_element = true;
        check_index(*selected.subject, {instruction, index.word}, index);
      }
      selected.type = &(type.is_array() ? type.element_type() : type.component());
    }
    return true;
  }

  void check_index(const Subject& subject, Place place, Word index) {
    if (subject.elements == nullptr) return;
    // The rule comes from SPV_NVX_multiview_per_view_attributes; SPV_NV_mesh_shader lacks it.
    const bool needs_constant = subject.elements->constant_rule != 0 && !c_.has(Capability::MeshShadingNV);
    if (needs_constant && !c_.is_constant(index)) {
      c_.report(Rule::BuiltInIndex, place, {index, subject.built_in});
      c_.vuid(vuid_of(name_of(subject.built_in), subject.elements->constant_rule));
    }
    const auto value = c_.constants.as_u64(index);
    if (subject.elements->primitive_rule == 0 || !primitives_ || !value || *value < *primitives_) return;
    c_.report(Rule::PrimitiveIndexRange, place,
              {*value, "built-in " + enumerant_text(c_, subject.built_in), *primitives_});
    c_.vuid(vuid_of(name_of(subject.built_in), subject.elements->primitive_rule));
  }

  // The first index into any other output of primitives selects the primitive.
  void check_per_primitive() {
    for (const Word id : module_variables(c_)) {
      if (!primitives_ || !is_per_primitive(c_, id) || is_subject(id) || !c_.soundness.is_sound(id)) continue;
      for (const Use& use : c_.facts.uses().of(id)) {
        const auto chain = access_chain(c_.module.instruction(use.instruction));
        if (!chain || chain->base.word != use.word || chain->indexes.empty() || !c_.budget.spend()) continue;
        const auto index = chain->indexes[0];
        const auto value = c_.constants.as_u64(index);
        if (!value || *value < *primitives_) continue;
        c_.report(Rule::PrimitiveIndexRange, {use.instruction, index.word},
                  {*value, "output " + id_text(c_, id), *primitives_});
        c_.vuid(12333);
      }
    }
  }

  [[nodiscard]] bool is_subject(Word variable) const {
    const DecorationRow* row = c_.decorations.find(variable, Decoration::BuiltIn);
    const auto subject =
        row == nullptr ? std::nullopt : subject_of(static_cast<BuiltIn>(c_.decorations.operand_or(*row, 0xFFFFFFFF)));
    return subject && subject->elements != nullptr && subject->elements->primitive_rule != 0;
  }

  // Checks the integers in a value that are constants, and reports the first wrong one.
  void check_value(const Subject& subject, Place place, Word value) {
    std::vector<Word> open{value};
    std::vector<ConstantIndex> parts;
    while (!open.empty()) {
      const Word id = open.back();
      open.pop_back();
      if (!c_.budget.spend()) return;
      if (const ConstantIndex constant = c_.constants.index_of(id); !constant.is_none()) {
        parts.push_back(constant);
      } else if (const auto made = as<OpCompositeConstruct>(c_.module.find(id))) {
        for (const auto part : made->constituents()) open.push_back(part);
      }
      while (!parts.empty()) {
        const ConstantRow& constant = c_.constants.row(parts.back());
        parts.pop_back();
        if (!c_.budget.spend()) return;
        const auto nested = c_.constants.parts(constant);
        parts.insert(parts.end(), nested.begin(), nested.end());
        if (constant.kind != ConstantKind::Int || constant.status != ConstantStatus::Known) continue;
        if (!check_number(subject, place, constant.bits)) return;
      }
    }
  }

  bool check_number(const Subject& subject, Place place, std::uint64_t number) {
    if (subject.elements == nullptr) return check_rate(place, number);
    if (subject.elements->vertex_rule == 0 || !vertices_ || number < *vertices_) return true;
    c_.report(Rule::VertexIndexRange, place, {number, subject.built_in, *vertices_});
    c_.vuid(vuid_of(name_of(subject.built_in), subject.elements->vertex_rule));
    return false;
  }

  // A shading rate has at most one flag for each direction.
  bool check_rate(Place place, std::uint64_t rate) {
    using enum FragmentShadingRate;
    constexpr auto mask = [](auto... flags) { return (static_cast<std::uint64_t>(flags) | ...); };
    constexpr struct {
      std::uint64_t flags;
      std::string_view text;
      std::uint16_t rule;
    } pairs[] = {{mask(Vertical2Pixels, Vertical4Pixels), "both Vertical2Pixels and Vertical4Pixels", 4487},
                 {mask(Horizontal2Pixels, Horizontal4Pixels), "both Horizontal2Pixels and Horizontal4Pixels", 4488}};
    const auto report = [&](std::string_view text, std::uint16_t rule) {
      c_.report(Rule::ShadingRateValue, place, {rate, text});
      c_.vuid(rule);
      return false;
    };
    for (const auto& pair : pairs) {
      if ((rate & pair.flags) == pair.flags) return report(pair.text, pair.rule);
    }
    return (rate & ~(pairs[0].flags | pairs[1].flags)) == 0 || report("bits that are no flag", 4489);
  }

  const ModuleCheck& c_;
  std::vector<SubjectMember> members_;
  std::optional<std::uint64_t> vertices_, primitives_;
};

}  // namespace

void check_built_in_values(const ModuleCheck& c) {
  if (c.is_vulkan()) BuiltInValueCheck(c).run();
}

}  // namespace vireo::spirv

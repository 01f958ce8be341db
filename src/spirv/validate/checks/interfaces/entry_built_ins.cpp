// SPDX-License-Identifier: Apache-2.0
//
// Requirements of built-ins on the entry points that list them, in Vulkan: execution modes and array lengths.
//
// The rows are in built_in_rows.cpp. built_ins.cpp checks the types and stages of built-ins.
//
// Source: the chapter "Built-In Variables" of the Vulkan specification.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

#include "spirv/validate/analysis/built_in_members.h"
#include "spirv/validate/analysis/decoration_places.h"
#include "spirv/validate/analysis/fixes.h"
#include "spirv/validate/analysis/places.h"
#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/analysis/reach.h"
#include "spirv/validate/analysis/variable_uses.h"
#include "spirv/validate/checks/checks.h"
#include "spirv/validate/tables/built_in_rows.h"
#include "vireo/support/id_map.h"

namespace vireo::spirv {
namespace {

using enum ExecutionModel;
using Storage = StorageClass;

/// A built-in that an entry point lists, as a variable or in a block.
struct ListedBuiltIn {
  const EntryPointRow& entry;
  Word variable;
  Place place;
  const TypeRow& holds;  ///< pointee type of the variable, including arrays
  BuiltIn built_in = BuiltIn::Position;
  bool is_member = false;
  bool is_per_primitive = false;
};

class EntryBuiltInCheck {
 public:
  explicit EntryBuiltInCheck(const ModuleCheck& c) : c_(c), members_(c), reach_(c) {}

  void check(const EntryPointRow& entry) {
    // The rules apply only to outputs of fragment and mesh shaders.
    if (entry.model != Fragment && entry.model != MeshEXT && entry.model != MeshNV) return;
    for (std::size_t i = 0; i < entry.interface_.size(); ++i) {
      check_variable(entry, entry.interface_[i], place_in_list(c_, entry, i));
    }
  }

 private:
  // The built-ins of an output variable. They are read once, however many entry points list the variable.
  struct Output {
    const TypeRow* holds = nullptr;  ///< pointee type; nullptr: not an output, or unsound
    std::optional<BuiltInMember> itself;
    std::span<const BuiltInMember> members;
  };

  [[nodiscard]] Output read(Word id) {
    const TypeRow& type = c_.type_of(id);
    if (!type.is_pointer() || type.storage != Storage::Output) return {};
    Output output;
    output.holds = pointee_of(c_, id);
    if (output.holds == nullptr) return {};
    if (const DecorationRow* row = c_.decorations.find(id, Decoration::BuiltIn)) {
      output.itself = {static_cast<BuiltIn>(c_.decorations.operand_or(*row, 0)),
                       c_.decorations.has(id, Decoration::PerPrimitiveEXT)};
    }
    // The variable may be an array of blocks, with an element for each vertex or primitive.
    const TypeRow& inner = output.holds->innermost();
    if (inner.is(TypeKind::Struct)) output.members = members_.of(inner.id);
    return output;
  }

  void check_variable(const EntryPointRow& entry, Word id, Place place) {
    const auto [at, is_new] = outputs_.try_emplace(id);
    if (is_new) at->second = read(id);
    const Output& output = at->second;
    if (output.holds == nullptr) return;
    if (output.itself) {
      check({entry, id, place, *output.holds, output.itself->built_in, false, output.itself->is_per_primitive});
    }
    for (const BuiltInMember& member : output.members) {
      check({entry, id, place, *output.holds, member.built_in, true, member.is_per_primitive});
    }
  }

  void report_finding(const ListedBuiltIn& it, Rule rule, std::uint16_t number, Arguments texts) {
    c_.report(rule, it.place, texts);
    c_.vuid(vuid_of(name(it), number));
    note_target(c_, it.variable);
  }
  [[nodiscard]] std::string name(const ListedBuiltIn& it) const { return enumerant_text(c_, it.built_in); }

  void check(const ListedBuiltIn& it) {
    for (const BuiltInModeRow& row : built_in_mode_rows()) {
      if (row.built_in == it.built_in && row.model == it.entry.model) check_mode(it, row);
    }
    if (it.entry.model != MeshEXT) return;
    const auto primitives = built_in_primitive_rows();
    const auto primitive = std::ranges::find(primitives, it.built_in, &BuiltInPrimitiveRow::built_in);
    if (primitive != primitives.end()) check_primitive(it, *primitive);
  }

  // The mode is required only if the entry point uses the variable, not if it only lists it.
  void check_mode(const ListedBuiltIn& it, const BuiltInModeRow& row) {
    if (c_.module_declarations.mode(it.entry.function, row.mode) == nullptr) {
      if (row.mode_rule == 0 || !contains(reach_.of_global(it.variable), it.entry.model)) return;
      if (!it.is_member && has_wrong_type(c_, it.built_in, it.holds)) return;  // a note of that finding
      const std::string mode = enumerant_text(c_, row.mode), missing = missing_mode(it.entry, row.mode);
      if (c_.findings.join(Rule::ModeCombination, missing + " " + name(it), missing, Rule::BuiltInMode) ||
          join_misplaced_mode(c_, std::span(&row.mode, 1), it.entry, Rule::BuiltInMode)) {
        c_.note(it.place, "built-in {text} needs execution mode {text}", {name(it), mode});
        hint_execution_mode(c_, row.mode, it.entry.function);
        return;
      }
      report_finding(it, Rule::BuiltInMode, row.mode_rule, {it.entry.name, name(it), mode});
      hint_execution_mode(c_, row.mode, it.entry.function);
    } else if (row.size_rule != 0) {
      check_size(it, row.size_rule, row.per_primitive);
    }
  }

  void check_primitive(const ListedBuiltIn& it, const BuiltInPrimitiveRow& row) {
    if (!it.is_per_primitive) {
      constexpr Decoration needed = Decoration::PerPrimitiveEXT;
      const Word target = it.is_member ? it.holds.innermost().id : it.variable;
      if (report_missing(c_, {missing_decoration(needed, target)}, Rule::BuiltInPerPrimitive, it.place,
                         {name(it), it.entry.name})) {
        c_.vuid(vuid_of(name(it), row.decoration_rule));
        note_target(c_, it.variable);
        if (!it.is_member) hint_decoration(c_, needed, it.variable);
      }
    }
    if (!it.holds.is_array()) {
      // The finding of built_ins.cpp states the array as well.
      if (!it.is_member && has_wrong_type(c_, it.built_in, it.holds)) return;
      report_finding(it, Rule::BuiltInType, row.array_rule,
                     {name(it), type_text(c_, it.holds.id), "an array with one element for each primitive"});
      return;
    }
    if (it.is_member && !is_block(c_, it.holds.innermost().id)) {
      report_finding(it, Rule::BuiltInType, row.array_rule,
                     {name(it), type_text(c_, it.holds.id), "an array of structures decorated Block"});
      return;
    }
    check_size(it, it.is_member ? row.block_size_rule : row.size_rule);
  }

  // The outermost array has as many elements for each primitive. A length that is a specialization constant is unknown
  // and not checked.
  void check_size(const ListedBuiltIn& it, std::uint16_t rule, std::uint64_t per_primitive = 1) {
    const ExecutionModeRow* limit = c_.module_declarations.mode(it.entry.function, ExecutionMode::OutputPrimitivesEXT);
    if (limit == nullptr || limit->operands.empty() || !it.holds.is(TypeKind::Array)) return;
    const std::uint64_t count = it.holds.count, expected = limit->operands[0] * per_primitive;
    if (count == 0 || count == expected) return;
    report_finding(
        it, Rule::BuiltInArraySize, rule,
        {name(it), fmt::format(" in {} entry point \"{}\"", enumerant_text(c_, it.entry.model), it.entry.name), count,
         fmt::format("{} as set by OutputPrimitivesEXT", expected)});
    c_.note(parameter_place(*limit, 0), "OutputPrimitivesEXT set here");
  }

  const ModuleCheck& c_;
  BuiltInMembers members_;
  IdMap<Output> outputs_;  // by variable
  ModelReachability reach_;
};

}  // namespace

void check_entry_built_ins(const ModuleCheck& c) {
  if (!c.is_vulkan()) return;
  EntryBuiltInCheck check(c);
  for (const EntryPointRow& entry : c.module_declarations.entry_points()) check.check(entry);
}

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// Explicit layout: decorations must lay out shared memory completely and without overlap, and must not lay out other
// memory.
//
// The one idea: each type is checked once, however many variables use it. LayoutRequirements (layout_requirements.h)
// computes the rules that apply to each type, its possible alignments, and the instruction that requires the layout.
// TypeLayouts (type_layouts.h) computes sizes. Then each type with requirements is checked separately.
//
// Source: specification 2.16.2; Vulkan, "Offset and Stride Assignment" and VUID-StandaloneSpirv-None-10684.
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "spirv/validate/analysis/layout_requirements.h"
#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/analysis/type_layouts.h"
#include "spirv/validate/engine/checks.h"
#include "vireo/spirv/views/type_declaration.h"

namespace vireo::spirv {
namespace {

constexpr std::string_view name_of(LayoutRules rules) {
  constexpr std::string_view names[] = {"extended", "base", "scalar"};
  return names[static_cast<std::size_t>(rules)];
}

class LayoutCheck {
 public:
  LayoutCheck(const Context& context, Report& report)
      : context_(context), report_(report), layouts_(context), requirements_(context, layouts_) {}

  void run() {
    for (const ForbiddenLayout& layout : requirements_.forbidden()) forbid(layout);
    for (std::size_t i = 0; i < context_.types.rows().size(); ++i) {
      // The loop stops at the first violated set of rules, because most violations of one set also violate the next.
      for (std::size_t rules = 0; rules < layout_rules_count; ++rules) {
        if (!check(TypeIndex(i), static_cast<LayoutRules>(rules))) break;
      }
    }
  }

 private:
  void forbid(const ForbiddenLayout& layout) {
    const DecorationRow& row = *layout.decoration;
    report_.add(Rule::LayoutProhibited, {layout.instruction, 0},
                {type_text(context_, row.target), enumerant_text(context_, layout.storage),
                 enumerant_text(context_, row.decoration)});
    report_.note({row.instruction, 0}, "decorated here");
  }

  // --- one type ---

  // Returns false if a finding was reported. Called once for each type and set of rules, not for each variable.
  bool check(TypeIndex index, LayoutRules rules) {
    requirement_ = requirements_.of(index, rules);
    if (requirement_.residues == 0) return true;
    const TypeRow& type = context_.types.row(index);
    rules_ = rules;
    is_fine_ = true;
    if (type.is(TypeKind::Struct)) {
      check_struct(index, type);
    } else if (type.is(TypeKind::Array) || type.is(TypeKind::RuntimeArray)) {
      check_array(index, type);
    }
    return is_fine_;
  }

  // Adds a note at the instruction that requires the layout, because the type would be valid without it.
  void wrong(Rule rule, Place place, std::initializer_list<std::string_view> texts) {
    report_.add(rule, place, texts);
    report_.note({requirement_.cause, 0}, "needed here");
    is_fine_ = false;
  }

  // Members may have offsets in any order, so they are sorted by offset; equal offsets keep the declaration order.
  void check_struct(TypeIndex index, const TypeRow& type) {
    const auto members = layouts_.members(index);
    order_.clear();
    for (std::size_t i = 0; i < members.size(); ++i) {
      const MemberLayout& member = members[i];
      if (member.offset.is_missing()) {
        wrong(Rule::MemberOffset, place_of(type, i), {std::to_string(i), id_text(context_, type.id)});
      } else if (member.offset.is_known()) {
        order_.push_back(i);
      }
      if (layouts_.matrix(member) != nullptr) check_matrix(type, i, member);
    }
    std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
      return std::pair(members[a].offset.value, a) < std::pair(members[b].offset.value, b);
    });
    check_order(type, members);
  }

  // Checks the members of a structure in memory order.
  void check_order(const TypeRow& type, std::span<const MemberLayout> members) {
    std::uint64_t end = 0;
    std::size_t before = 0;
    for (std::size_t k = 0; k < order_.size(); ++k) {
      const std::size_t i = order_[k];
      const MemberLayout& member = members[i];
      const TypeRow& part = context_.types.of(member.type);
      const Extent extent = layouts_.extent(member);
      const std::uint64_t offset = member.offset.value;
      // Findings point at the offset decoration.
      const Place place{member.offset.decoration, 0};
      if (part.is(TypeKind::RuntimeArray)) check_last(type, members, k);
      if (!extent.is_known) continue;
      const std::uint64_t unit = unit_of(part, extent);
      if (offset % unit != 0) {
        wrong(Rule::OffsetAlignment, place,
              {std::to_string(i), id_text(context_, type.id), std::to_string(offset), std::to_string(unit),
               name_of(unit == extent.aligned(rules_) ? rules_ : LayoutRules::Scalar), type_text(context_, part.id)});
      } else if (offset < end && (extent.size != 0 || part.is(TypeKind::RuntimeArray))) {
        // A runtime array has size 0 here, but it still occupies its offset.
        wrong(Rule::MemberOverlap, place,
              {std::to_string(i), id_text(context_, type.id), std::to_string(offset), std::to_string(end),
               std::to_string(before)});
      } else if (part.is_vector() && rules_ != LayoutRules::Scalar) {
        check_straddle(type, i, offset, extent.size, place);
      }
      std::uint64_t next = offset + extent.size;
      // The next member begins after the padding at the end of an aggregate or a matrix.
      if (rules_ != LayoutRules::Scalar && !part.is_vector()) next = round_up(next, extent.aligned(rules_));
      // A member that ends before the end of an earlier one does not extend the occupied memory.
      if (next > end) {
        end = next;
        before = i;
      }
    }
  }

  // RelaxBlockLayout aligns vectors to their components. check_straddle() still applies.
  [[nodiscard]] std::uint64_t unit_of(const TypeRow& part, const Extent& extent) const {
    const bool is_relaxed = part.is_vector() && context_.has(Feature::RelaxBlockLayout);
    return std::max<std::uint64_t>(extent.aligned(is_relaxed ? LayoutRules::Scalar : rules_), 1);
  }

  // A runtime array occupies all memory after its offset, so no member may have a larger offset.
  void check_last(const TypeRow& type, std::span<const MemberLayout> members, std::size_t k) {
    const std::size_t i = order_[k], last = order_.back();
    const std::uint64_t offset = members[i].offset.value;
    if (members[last].offset.value == offset) return;
    wrong(Rule::RuntimeArrayOffset, {members[i].offset.decoration, 0},
          {std::to_string(i), id_text(context_, type.id), std::to_string(offset), std::to_string(last),
           std::to_string(members[last].offset.value)});
  }

  // A vector of at most 16 bytes must not cross a 16-byte boundary; a longer one must begin at such a boundary.
  void check_straddle(const TypeRow& type, std::size_t i, std::uint64_t offset, std::uint64_t size, Place place) {
    // The offset of the structure modulo 16 may be any of the `residues`. Only the first violation is reported.
    for (std::uint64_t residue = 0; residue < vector_boundary; ++residue) {
      if ((requirement_.residues >> residue & 1) == 0) continue;
      const std::uint64_t at = (offset + residue) % vector_boundary;
      if (size <= vector_boundary ? at + size <= vector_boundary : at == 0) continue;
      wrong(Rule::VectorStraddle, place,
            {std::to_string(i), id_text(context_, type.id), std::to_string(size), std::to_string(offset)});
      if (residue != 0) {
        report_.note({type.declaration, 0}, fmt::format("the structure lies {} bytes behind such a boundary", residue));
      }
      return;
    }
  }

  // Checks a member that is a matrix or an array of matrices. The member has the matrix decorations.
  void check_matrix(const TypeRow& type, std::size_t i, const MemberLayout& member) {
    if (!member.has_majorness) {
      wrong(Rule::MatrixMajorness, place_of(type, i), {std::to_string(i), id_text(context_, type.id)});
    }
    if (member.matrix_stride.is_missing()) {
      wrong(Rule::MatrixStrideMissing, place_of(type, i), {std::to_string(i), id_text(context_, type.id)});
    }
    const Extent extent = layouts_.extent(member);
    // The checks above report missing decorations. If specialization determines the stride, it is unknown.
    if (!member.has_majorness || !extent.is_known) return;
    const TypeRow& matrix = *layouts_.matrix(member);
    const std::uint64_t unit = std::max<std::uint64_t>(extent.aligned(rules_), 1);
    const std::uint64_t stride = member.matrix_stride.value;
    const Place place{member.matrix_stride.decoration, 0};
    const std::uint64_t component = context_.types.row(matrix.component).width / 8;
    const std::uint64_t length = member.is_row_major ? matrix.count : context_.types.of(matrix.element).count;
    if (stride % unit != 0) {
      wrong(Rule::MatrixStrideAlignment, place,
            {std::to_string(i), id_text(context_, type.id), std::to_string(stride), std::to_string(unit),
             name_of(rules_), type_text(context_, matrix.id)});
    } else if (stride < component * length) {
      wrong(Rule::MatrixStrideSize, place,
            {std::to_string(i), id_text(context_, type.id), std::to_string(stride), std::to_string(component * length),
             member.is_row_major ? "row" : "column"});
    }
    check_matrices(member, extent, unit);
  }

  // Checks the strides of arrays of matrices, from the outermost array inwards, up to the first error. The last matrix
  // of an element must end before the next element begins.
  void check_matrices(const MemberLayout& member, const Extent& extent, std::uint64_t unit) {
    TypeIndex index = context_.types.index_of(member.type);
    const std::uint64_t size = extent.size - std::min(extent.size, layouts_.array(index).last);
    while (!layouts_.array(index).inner.is_none() && context_.budget.spend()) {
      const TypeIndex element = context_.types.row(index).element_row;
      const std::uint64_t inner = layouts_.array(element).last;
      if (!check_stride(context_.types.row(index), layouts_.array(index).stride, unit, inner + size)) return;
      index = element;
    }
  }

  // A stride of zero has a separate rule, because zero is a multiple of every alignment.
  void check_array(TypeIndex index, const TypeRow& type) {
    const ArrayLayout& array = layouts_.array(index);
    if (array.stride.is_missing()) {
      wrong(Rule::ArrayStrideMissing, {type.declaration, 0}, {id_text(context_, type.id)});
      return;
    }
    if (array.stride.is_known() && array.stride.value == 0) {
      wrong(Rule::ArrayStrideZero, {array.stride.decoration, 0}, {id_text(context_, type.id)});
      return;
    }
    const Extent& whole = layouts_.extent(index);
    if (!whole.is_known) return;
    check_stride(type, array.stride, std::max<std::uint64_t>(whole.aligned(rules_), 1),
                 layouts_.element_extent(type).size);
  }

  // Returns false if a finding was reported. `unit` and `size` are in bytes. Each stride has at most one finding: a
  // misaligned stride is not also reported as too small.
  bool check_stride(const TypeRow& type, const LayoutNumber& stride, std::uint64_t unit, std::uint64_t size) {
    if (!stride.is_known() || stride.value == 0) return true;
    const Place place{stride.decoration, 0};
    if (stride.value % unit != 0) {
      wrong(Rule::ArrayStrideAlignment, place,
            {id_text(context_, type.id), std::to_string(stride.value), std::to_string(unit), name_of(rules_),
             type_text(context_, type.id)});
      return false;
    }
    if (stride.value < size) {
      wrong(Rule::ArrayStrideSize, place,
            {id_text(context_, type.id), std::to_string(stride.value), std::to_string(size)});
      return false;
    }
    return true;
  }

  // --- texts and places ---

  // The place of the member's type in the declaration of the structure.
  [[nodiscard]] Place place_of(const TypeRow& type, std::size_t member) const {
    const auto members = View<Op::OpTypeStruct>(context_.module.instruction(type.declaration)).member_types();
    return {type.declaration, member < members.size() ? members[member].word : std::uint16_t{0}};
  }

  const Context& context_;
  Report& report_;
  const TypeLayouts layouts_;
  const LayoutRequirements requirements_;
  std::vector<std::size_t> order_;  // members of the current structure

  // State of the current type.
  LayoutRequirement requirement_;
  LayoutRules rules_ = LayoutRules::Base;
  bool is_fine_ = true;
};

// The blocks of an array have separate descriptors and are not adjacent in memory (specification 2.16.2).
void check_block_arrays(const Context& context, Report& report) {
  for (const TypeRow& type : context.types.rows()) {
    if (!type.is_array()) continue;
    const TypeRow& element = context.types.of(type.element);
    if (!is_block(context, element.id)) continue;
    for (const Decoration stride : {Decoration::ArrayStride, Decoration::ArrayStrideIdEXT}) {
      const DecorationRow* row = context.decorations.find(type.id, stride);
      if (row == nullptr) continue;
      report.add(Rule::BlockArrayStride, {row->instruction, 0},
                 {id_text(context, type.id), enumerant_text(context, stride)});
    }
  }
}

}  // namespace

void check_explicit_layout(const Context& context, Report& report) {
  if (context.is_shader()) check_block_arrays(context, report);
  if (context.is_vulkan()) LayoutCheck(context, report).run();
}

}  // namespace vireo::spirv

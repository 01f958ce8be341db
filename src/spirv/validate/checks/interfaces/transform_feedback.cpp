// SPDX-License-Identifier: Apache-2.0
//
// Transform feedback: the outputs that it captures, their bytes in a buffer, and decorations that must agree
// (specification 2.16.1).
//
// XfbBuffer gives the buffer of an object (a variable or a member) and Offset its first byte. A buffer has no
// declaration, so the decorations of each object are compared with those of the first object of the same buffer. The
// time is near-linear in the decorations.
//
// Source: Vulkan, "Validation Rules Within a Module" and "Transform Feedback".
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "spirv/validate/analysis/decoration_places.h"
#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/analysis/variable_uses.h"
#include "spirv/validate/checks/checks.h"
#include "vireo/support/id_map.h"

namespace vireo::spirv {
namespace {

// The stride of a buffer, and the stream that is captured into it.
constexpr Decoration agreed[] = {Decoration::XfbStride, Decoration::Stream};

void check_agreement(const ModuleCheck& c) {
  const Decorations& decorations = c.decorations;
  // The first row for each buffer and decoration.
  std::map<std::pair<Word, Decoration>, const DecorationRow*> first;
  for (const DecorationRow& buffer : decorations.rows()) {
    if (buffer.decoration != Decoration::XfbBuffer) continue;
    const Word number = decorations.operand_or(buffer, 0);
    for (const Decoration decoration : agreed) {
      const DecorationRow* row = decorations.find(buffer.target, buffer.member, decoration);
      if (row == nullptr) continue;
      const auto [place, is_new] = first.try_emplace({number, decoration}, row);
      const DecorationRow& before = *place->second;
      if (is_new || decorations.operand_or(*row, 0) == decorations.operand_or(before, 0)) continue;
      c.report(Rule::TransformFeedbackAgreement, parameter_place(*row),
               {target_text(c, *row), decoration, decorations.operand_or(*row, 0), target_text(c, before), number,
                decorations.operand_or(before, 0)});
      c.vuid(decoration == Decoration::XfbStride ? 4693 : 4694);
      c.note(parameter_place(before), "applied here");
    }
  }
}

/// A variable or a member with an Offset.
struct Captured {
  const DecorationRow* offset;
  const TypeRow* type;
  std::optional<Word> buffer;
  std::uint64_t begin = 0;
  std::optional<std::uint64_t> end;  ///< none: the size is not known

  [[nodiscard]] bool has_64_bits() const { return type->contains.has_any(TypeTrait::Int64 | TypeTrait::Float64); }
};

class CaptureCheck {
 public:
  explicit CaptureCheck(const ModuleCheck& c) : c_(c) {}

  void run() {
    for (const EntryPointRow& entry : c_.module_declarations.entry_points()) {
      std::vector<const Captured*> all;
      for (const Word id : entry.interface_) {
        const auto [known, is_new] = captured_.try_emplace(id);
        if (is_new) {
          known->second = read(id);
          check(id, known->second);
        }
        if (is_array_of_blocks(id)) continue;                // each element has a buffer of its own
        if (!c_.budget.spend(known->second.size())) return;  // entry points may share large blocks
        for (const Captured& each : known->second) {
          if (each.buffer && each.end) all.push_back(&each);
        }
      }
      compare(all);
    }
  }

 private:
  [[nodiscard]] bool is_array_of_blocks(Word id) const {
    const TypeRow* holds = pointee_of(c_, id);
    return holds != nullptr && holds->is_array() && holds->innermost().is(TypeKind::Struct);
  }

  // XfbBuffer of a member, or what it inherits from its variable or structure.
  [[nodiscard]] std::optional<Word> buffer_of(Word variable, Word structure, Word member) const {
    const DecorationRow* row = structure == 0 ? nullptr : c_.decorations.find(structure, member, Decoration::XfbBuffer);
    if (row == nullptr) row = c_.decorations.find(variable, Decoration::XfbBuffer);
    if (row == nullptr && structure != 0) row = c_.decorations.find(structure, Decoration::XfbBuffer);
    if (row == nullptr) return std::nullopt;
    return c_.decorations.operand_or(*row, 0);
  }

  void add(std::vector<Captured>& all, const DecorationRow& row, const TypeRow& type,
           std::optional<Word> buffer) const {
    Captured captured{&row, &type, buffer, c_.decorations.operand_or(row, 0), std::nullopt};
    if (type.bits != TypeRow::unknown_bits) captured.end = captured.begin + type.bits / 8;
    all.push_back(captured);
  }

  [[nodiscard]] std::vector<Captured> read(Word id) const {
    std::vector<Captured> all;
    const VariableInfo variable = variable_info(c_, id);
    if (variable.holds == nullptr || variable.storage != StorageClass::Output) return all;
    if (const DecorationRow* row = c_.decorations.find(id, Decoration::Offset)) {
      add(all, *row, *variable.holds, buffer_of(id, 0, no_member));
      return all;
    }
    const TypeRow& structure = variable.holds->innermost();
    if (!structure.is(TypeKind::Struct)) return all;
    const auto rows = c_.decorations.all_of(structure.id);
    const Words members = c_.types.members(structure);
    if (!c_.budget.spend(rows.size())) return all;
    for (const DecorationRow& row : rows) {
      if (row.decoration != Decoration::Offset || row.member >= members.size()) continue;
      add(all, row, c_.types.of(members[row.member]), buffer_of(id, structure.id, row.member));
    }
    return all;
  }

  // --- one variable ---

  void check(Word id, std::span<const Captured> all) {
    for (const Captured& each : all) check_object(each);
    if (!all.empty() && all.front().offset->member != no_member) {
      check_block(id, all);
      check_buffers(id, all);
    }
  }

  void report_offset(const Captured& each, std::string_view what, std::uint64_t number, Word expected,
                     std::uint16_t vuid) {
    // Variables may share their structure.
    if (!reported_.emplace(each.offset, vuid).second) return;
    c_.report(Rule::TransformFeedbackOffset, parameter_place(*each.offset),
              {target_text(c_, *each.offset), what, number, expected});
    c_.vuid(vuid);
  }

  void check_object(const Captured& each) {
    const TypeTraits has = each.type->contains;
    if (has.has_any(TypeTrait::Int8 | TypeTrait::Int16 | TypeTrait::Float16 | TypeTrait::BFloat16 |
                    TypeTrait::Float8)) {
      if (!reported_.emplace(each.offset, std::uint16_t{4692}).second) return;
      c_.report(Rule::TransformFeedbackType, parameter_place(*each.offset),
                {target_text(c_, *each.offset), each.type->id});
    } else if (each.has_64_bits() && each.begin % 8 != 0) {
      report_offset(each, "with 64-bit components has Offset", each.begin, 8, 4687);
    } else if (has.has_any(TypeTrait::Int32 | TypeTrait::Float32) && each.begin % 4 != 0) {
      report_offset(each, "with 32-bit components has Offset", each.begin, 4, 4691);
    }
  }

  // A block with a 64-bit member begins and ends at multiples of 8.
  void check_block(Word id, std::span<const Captured> all) {
    const auto wide = std::ranges::find_if(all, &Captured::has_64_bits);
    if (wide == all.end()) return;
    const Captured& first = *std::ranges::min_element(all, {}, &Captured::begin);
    if (first.begin % 8 != 0) {
      // check_object() has reported a first member of 64 bits.
      if (!first.has_64_bits()) {
        report_offset(first, "begins a captured block with 64-bit members at", first.begin, 8, 4690);
      }
      return;
    }
    const auto end_of = [](const Captured& each) { return each.end.value_or(0); };
    const Captured& last = *std::ranges::max_element(all, {}, end_of);
    if (std::ranges::all_of(all, [](const Captured& each) { return each.end.has_value(); }) && *last.end % 8 != 0) {
      report_offset(last, "ends a captured block with 64-bit members at", *last.end, 8, 4689);
      note_target(c_, id);
    }
  }

  void check_buffers(Word id, std::span<const Captured> all) {
    const Word structure = all.front().offset->target;
    const Words members = c_.types.members(c_.types.of(structure));
    if (!c_.budget.spend(members.size()) || !c_.decorations.has_on_member(structure, Decoration::XfbBuffer)) return;
    std::optional<std::pair<Word, Word>> first;  // member and its buffer
    for (Word member = 0; member < members.size(); ++member) {
      const std::optional<Word> buffer = buffer_of(id, structure, member);
      if (!buffer) continue;
      if (!first) first = {member, *buffer};
      if (first->second == *buffer) continue;
      const DecorationRow* own = c_.decorations.find(structure, member, Decoration::XfbBuffer);
      const Place place = own == nullptr ? Place{c_.module.definition(id), 0} : parameter_place(*own);
      if (!reported_.emplace(own, std::uint16_t{4697}).second) return;
      c_.report(Rule::TransformFeedbackBlock, place,
                {member_text(c_, structure, member), *buffer, member_text(c_, structure, first->first), first->second});
      note_target(c_, id);
      return;
    }
  }

  // --- one entry point ---

  // Ranges that are sorted by their begin overlap if one begins before the largest end so far.
  void compare(std::vector<const Captured*>& all) {
    std::ranges::stable_sort(all, {}, [](const Captured* each) { return std::tuple(*each->buffer, each->begin); });
    const Captured* last = nullptr;
    for (const Captured* each : all) {
      const bool is_same_buffer = last != nullptr && last->buffer == each->buffer;
      if (is_same_buffer && each->begin < *last->end && reported_.emplace(each->offset, std::uint16_t{4696}).second) {
        c_.report(Rule::TransformFeedbackOverlap, parameter_place(*each->offset),
                  {target_text(c_, *last->offset), target_text(c_, *each->offset), each->begin, *each->buffer});
        c_.note(parameter_place(*last->offset), "the other Offset");
      }
      if (!is_same_buffer || *each->end > *last->end) last = each;
    }
  }

  const ModuleCheck& c_;
  IdMap<std::vector<Captured>> captured_;                              // by variable
  std::set<std::pair<const DecorationRow*, std::uint16_t>> reported_;  // with the number of the VUID
};

}  // namespace

void check_transform_feedback(const ModuleCheck& c) {
  check_agreement(c);
  if (c.is_vulkan() && c.has(Capability::TransformFeedback)) CaptureCheck(c).run();
}

}  // namespace vireo::spirv

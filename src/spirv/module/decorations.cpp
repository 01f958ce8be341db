// SPDX-License-Identifier: Apache-2.0
//
// Reads annotations into Decorations, and debug names into Names (decorations.h).
//
// One pass creates rows in word order and collects group uses; then the group uses are expanded. A stable
// sort and a counting pass group the rows by target; only targets with many rows are sorted by decoration as well.
#include "vireo/spirv/module/decorations.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "spirv/binary/literal_string.h"
#include "spirv/module/section_walk.h"
#include "spirv/module/sorted_rows.h"
#include "vireo/spirv/binary/views/annotation.h"
#include "vireo/spirv/binary/views/debug.h"

namespace vireo::spirv {
namespace {

// The id itself precedes its members: no_member + 1 is 0.
constexpr Word member_rank(Word member) { return member + 1; }
constexpr auto rank_of = [](const DecorationRow& row) { return member_rank(row.member); };

// A target with at least this number of rows has them sorted by decoration, too (sort_many).
constexpr std::size_t many = 128;
constexpr auto order_of = [](const DecorationRow& row) { return std::pair(row.decoration, member_rank(row.member)); };

// The sort key of both lists: an id and a member as one number.
constexpr std::uint64_t place_of(Word id, Word member) { return std::uint64_t{id} << 32 | member_rank(member); }
constexpr auto target_of = [](const auto& row) { return place_of(row.target, row.member); };
constexpr auto named_by = [](const auto& row) { return place_of(row.id, row.member); };

}  // namespace

// --- reading ------------------------------------------------------------------------------------------------------------

class DecorationReader {
 public:
  explicit DecorationReader(const Module& module) : module_(module), decorations_(module) {}

  Decorations read() && {
    decorations_.rows_.reserve(module_.section(Section::Annotations).size());
    walk_section(module_, Section::Annotations, [&](InstructionIndex i, InstructionView view) { take(i, view); });
    arrange();
    if (!uses_.empty()) {
      expand_groups();
      arrange();
    }
    sort_many();
    return std::move(decorations_);
  }

 private:
  using Row = DecorationRow;

  void take(InstructionIndex i, InstructionView instruction) {
    using enum DecorationForm;
    switch (instruction.opcode) {
      case Op::OpGroupDecorate:
      case Op::OpGroupMemberDecorate: return uses_.push_back(i);
      case Op::OpDecorate: {
        const View<Op::OpDecorate> annotation(instruction);
        return add(i, Literal, annotation.target(), no_member, annotation.decoration());
      }
      case Op::OpDecorateId: {
        const View<Op::OpDecorateId> annotation(instruction);
        return add(i, Id, annotation.target(), no_member, annotation.decoration());
      }
      case Op::OpDecorateString: {
        const View<Op::OpDecorateString> annotation(instruction);
        return add(i, String, annotation.target(), no_member, annotation.decoration());
      }
      case Op::OpMemberDecorate: {
        const View<Op::OpMemberDecorate> annotation(instruction);
        return add(i, Literal, annotation.structure_type(), annotation.member(), annotation.decoration());
      }
      case Op::OpMemberDecorateIdEXT: {
        const View<Op::OpMemberDecorateIdEXT> annotation(instruction);
        return add(i, Id, annotation.structure_type(), annotation.member(), annotation.decoration());
      }
      case Op::OpMemberDecorateString: {
        const View<Op::OpMemberDecorateString> annotation(instruction);
        return add(i, String, annotation.struct_type(), annotation.member(), annotation.decoration());
      }
      default: return;
    }
  }

  void add(InstructionIndex i, DecorationForm form, Word target, Word member, DecorationView decoration) {
    if (!decoration.is_present()) return;  // the instruction is too short
    Row row;
    row.target = target;
    row.member = member;
    row.decoration = decoration.value();
    row.instruction = i;
    row.first_operand = static_cast<std::uint16_t>(decoration.word() + 1);
    row.form = form;
    decorations_.rows_.push_back(row);
  }

  // Sorts the rows and builds the index of their targets. Ids above the number of words have no index entry; their rows
  // are last and are found by binary search.
  void arrange() {
    auto& rows = decorations_.rows_;
    if (rows.empty()) return;
    if (!std::ranges::is_sorted(rows, {}, target_of)) std::ranges::stable_sort(rows, {}, target_of);  // usually sorted
    const std::size_t targets = std::min(std::size_t{rows.back().target} + 1, module_.words().size());
    auto& begins = decorations_.begins_;
    begins.assign(targets + 1, 0);
    for (const Row& row : rows) {
      if (row.target < targets) ++begins[row.target + 1];
    }
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
  }

  // Linear searches in a target with many rows would be quadratic overall, so such rows are sorted by decoration as
  // well. The loop probes every `many` / 2 rows: a target with `many` rows covers two neighbouring probes.
  void sort_many() {
    const std::vector<Row>& rows = decorations_.rows_;
    auto& numbers = decorations_.by_decoration_;
    for (std::size_t i = 0; i + many / 2 < rows.size();) {
      if (rows[i].target != rows[i + many / 2].target) {
        i += many / 2;
        continue;
      }
      if (numbers.empty()) {
        numbers.resize(rows.size());
        std::iota(numbers.begin(), numbers.end(), 0u);
      }
      const std::span<const Row> own = decorations_.all_of(rows[i].target);
      const auto first = numbers.begin() + (own.data() - rows.data());
      const auto end = first + static_cast<std::ptrdiff_t>(own.size());
      std::sort(first, end, [&](std::uint32_t a, std::uint32_t b) {
        return std::tuple(order_of(rows[a]), a) < std::tuple(order_of(rows[b]), b);
      });
      i = static_cast<std::size_t>(end - numbers.begin());
    }
  }

  // The rows of the groups themselves are already sorted. The expanded rows are appended, which may reallocate, so rows
  // are indexed.
  void expand_groups() {
    const std::size_t direct = decorations_.rows_.size();
    const std::size_t limit = direct + module_.words().size() + 4096;
    for (const InstructionIndex use : uses_) {
      RowRange own;
      // Returns false if there would be too many rows; the use is then not expanded further.
      const auto apply = [&](Word target, Word member) {
        if (decorations_.rows_.size() + (own.end - own.first) > limit) {
          decorations_.unexpanded_.push_back(use);
          return false;
        }
        for (std::size_t r = own.first; r < own.end; ++r) {
          Row row = decorations_.rows_[r];
          row.target = target;
          row.member = member;
          row.group_use = use;
          decorations_.rows_.push_back(row);
        }
        return true;
      };
      const InstructionView instruction = module_.instruction(use);
      if (const auto on_members = as<Op::OpGroupMemberDecorate>(instruction)) {
        own = own_rows(on_members->decoration_group(), direct);
        for (const MemberOperand target : on_members->targets()) {
          if (!apply(target.type, target.member)) break;
        }
      } else {
        const View<Op::OpGroupDecorate> on_ids(instruction);
        own = own_rows(on_ids.decoration_group(), direct);
        for (const Word target : on_ids.targets()) {
          if (!apply(target, no_member)) break;
        }
      }
    }
  }

  struct RowRange {
    std::size_t first = 0, end = 0;
  };

  // The rows of the group itself among the first `count`; a group has no members.
  [[nodiscard]] RowRange own_rows(Word group, std::size_t count) const {
    const std::span<const Row> rows(decorations_.rows_.data(), count);
    const std::span<const Row> own = rows_with(rows, place_of(group, no_member), target_of);
    const auto first = static_cast<std::size_t>(own.data() - rows.data());
    return {first, first + own.size()};
  }

  const Module& module_;
  Decorations decorations_;
  std::vector<InstructionIndex> uses_;  // of decoration groups
};

Decorations Decorations::read(const Module& module) { return DecorationReader(module).read(); }

// --- queries ------------------------------------------------------------------------------------------------------------

std::span<const DecorationRow> Decorations::all_of(Word target) const {
  if (target + std::size_t{1} < begins_.size()) [[likely]] {
    return std::span(rows_).subspan(begins_[target], begins_[target + 1] - begins_[target]);
  }
  return rows_with(rows(), target, &DecorationRow::target);
}

std::span<const DecorationRow> Decorations::of(Word target, Word member) const {
  return rows_with(all_of(target), member_rank(member), rank_of);
}

const DecorationRow* Decorations::find(Word target, Word member, Decoration decoration) const {
  const std::span<const DecorationRow> all = all_of(target);
  if (all.size() >= many) [[unlikely]] {
    const DecorationRow* row = first_from(all, decoration, member_rank(member));
    return row != nullptr && row->member == member ? row : nullptr;
  }
  const std::span<const DecorationRow> rows = rows_with(all, member_rank(member), rank_of);
  const auto found = std::ranges::find(rows, decoration, &DecorationRow::decoration);
  return found == rows.end() ? nullptr : &*found;
}

bool Decorations::has_on_member(Word target, Decoration decoration) const {
  const std::span<const DecorationRow> rows = all_of(target);
  if (rows.size() >= many) [[unlikely]] { return first_from(rows, decoration, member_rank(0)) != nullptr; }
  return std::ranges::any_of(
      rows, [&](const DecorationRow& row) { return row.member != no_member && row.decoration == decoration; });
}

// For a target with many rows: the first row with the decoration whose member rank is at least `member_rank`.
const DecorationRow* Decorations::first_from(std::span<const DecorationRow> rows, Decoration decoration,
                                             Word member_rank) const {
  const auto numbers =
      std::span(by_decoration_).subspan(static_cast<std::size_t>(rows.data() - rows_.data()), rows.size());
  const auto found = std::ranges::lower_bound(numbers, std::pair(decoration, member_rank), {},
                                              [&](std::uint32_t number) { return order_of(rows_[number]); });
  if (found == numbers.end() || rows_[*found].decoration != decoration) return nullptr;
  return &rows_[*found];
}

Words Decorations::operands(const DecorationRow& row) const {
  return words_from(module_->instruction(row.instruction), row.first_operand);
}

std::string_view Decorations::text(const DecorationRow& row) const {
  return literal_string(module_->instruction(row.instruction), row.first_operand);
}

std::size_t Decorations::memory() const {
  return rows_.capacity() * sizeof(DecorationRow) +
         (begins_.capacity() + by_decoration_.capacity()) * sizeof(std::uint32_t) +
         unexpanded_.capacity() * sizeof(InstructionIndex);
}

// --- names --------------------------------------------------------------------------------------------------------------

Names Names::read(const Module& module) {
  Names names;
  names.rows_.reserve(module.section(Section::Names).size());
  walk_section(module, Section::Names, [&](InstructionIndex i, InstructionView instruction) {
    const auto add = [&](Word id, Word member, StringOperand name) {
      if (name.word < instruction.word_count) names.rows_.push_back({id, member, i, name});
    };
    if (const auto of_id = as<Op::OpName>(instruction)) {
      add(of_id->target(), no_member, of_id->name());
    } else if (const auto of_member = as<Op::OpMemberName>(instruction)) {
      add(of_member->type(), of_member->member(), of_member->name());
    }
  });
  std::ranges::stable_sort(names.rows_, {}, named_by);
  return names;
}

std::string_view Names::of(Word id, Word member) const {
  const auto found = std::ranges::lower_bound(rows_, place_of(id, member), {}, named_by);
  return found != rows_.end() && found->id == id && found->member == member ? found->name : std::string_view{};
}

// --- rows ---------------------------------------------------------------------------------------------------------------
//
// Not in the header: each conversion to a std::span costs its users 10 to 20 ms of compile time.

std::span<const DecorationRow> Decorations::rows() const { return rows_; }
std::span<const InstructionIndex> Decorations::unexpanded() const { return unexpanded_; }

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// A worklist of pairs of types replaces recursion; each pair is compared once (type_matching.h).
#include "spirv/validate/analysis/type_matching.h"

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

#include "vireo/support/id_map.h"

namespace vireo::spirv {
namespace {

using Rows = std::vector<const DecorationRow*>;

// Whether a decoration determines the memory layout of a part. Other decorations state how the part is used.
bool is_placing(Decoration decoration) {
  return decoration == Decoration::Offset || decoration == Decoration::ArrayStride ||
         decoration == Decoration::MatrixStride || decoration == Decoration::RowMajor ||
         decoration == Decoration::ColMajor;
}

class TypeMatch {
 public:
  TypeMatch(const ModuleCheck& c, MatchLevel level) : c_(c), level_(level) {}

  bool run(Word first, Word second) {
    waiting_.emplace_back(first, second);
    while (!waiting_.empty()) {
      const auto [left, right] = waiting_.back();
      waiting_.pop_back();
      // Each pair is compared once. A repeated pair needs no comparison, because a mismatch would have ended this loop.
      if (left == right || !seen_.insert(std::uint64_t{left} << 32 | right).second) continue;
      if (!match_outermost(c_.types.of(left), c_.types.of(right))) return false;
      if (c_.budget.is_exceeded()) return true;
    }
    return true;
  }

  [[nodiscard]] bool match_decorations(Word left, Word right) const {
    const Rows mine = rows_of(left), theirs = rows_of(right);
    const auto before = [&](const DecorationRow* a, const DecorationRow* b) { return comes_before(a, b); };
    return std::ranges::includes(mine, theirs, before) &&
           (level_ == MatchLevel::Decorated || std::ranges::includes(theirs, mine, before));
  }

 private:
  // Compares two types without their parts, and adds the parts to the worklist.
  bool match_outermost(const TypeRow& left, const TypeRow& right) {
    // Non-aggregate types are declared once, so different ids are different types.
    if (!left.is_aggregate() || left.kind != right.kind) return false;
    const Words parts = parts_of(left), others = parts_of(right);
    if (parts.size() != others.size()) return false;
    if (!left.is(TypeKind::Struct) && !are_equal_lengths(left.length, right.length)) return false;
    for (std::size_t i = 0; i < parts.size(); ++i) waiting_.emplace_back(parts[i], others[i]);
    c_.budget.spend(1 + parts.size());
    return level_ == MatchLevel::Logical || match_decorations(left.id, right.id);
  }

  [[nodiscard]] Words parts_of(const TypeRow& type) const {
    return type.is(TypeKind::Struct) ? c_.types.members(type) : Words(&type.element, 1);
  }

  // Two constants of equal value give equal lengths. A specialization constant equals only itself.
  [[nodiscard]] bool are_equal_lengths(Word left, Word right) const {
    const auto value = c_.constants.as_u64(left);
    return left == right || (value && value == c_.constants.as_u64(right));
  }

  // The relevant decorations of a type, sorted and without duplicates.
  [[nodiscard]] Rows rows_of(Word type) const {
    Rows rows;
    for (const DecorationRow& row : c_.decorations.all_of(type)) {
      // Two structures of the same layout may differ in other decorations: precision, access, resource names.
      if (level_ != MatchLevel::SameLayout || is_placing(row.decoration)) rows.push_back(&row);
    }
    c_.budget.spend(rows.size());
    const auto before = [&](const DecorationRow* a, const DecorationRow* b) { return comes_before(a, b); };
    std::ranges::sort(rows, before);
    const auto same = [&](const DecorationRow* a, const DecorationRow* b) { return !before(a, b) && !before(b, a); };
    rows.erase(std::unique(rows.begin(), rows.end(), same), rows.end());
    return rows;
  }

  [[nodiscard]] bool comes_before(const DecorationRow* a, const DecorationRow* b) const {
    if (a->member != b->member) return a->member < b->member;
    if (a->decoration != b->decoration) return a->decoration < b->decoration;
    return std::ranges::lexicographical_compare(c_.decorations.operands(*a), c_.decorations.operands(*b));
  }

  const ModuleCheck& c_;
  const MatchLevel level_;
  std::vector<std::pair<Word, Word>> waiting_;
  std::unordered_set<std::uint64_t, NumberHash> seen_;
};

}  // namespace

bool types_match(const ModuleCheck& c, Word first, Word second, MatchLevel level) {
  return first == second || c.budget.is_exceeded() || TypeMatch(c, level).run(first, second);
}

bool has_decorations_of(const ModuleCheck& c, Word type, Word other) {
  return TypeMatch(c, MatchLevel::Decorated).match_decorations(type, other);
}

}  // namespace vireo::spirv

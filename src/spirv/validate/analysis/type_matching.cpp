// SPDX-License-Identifier: Apache-2.0
//
// Classes of types that match. Nothing recurses: classes are made in the order of declaration, and pairs of types wait in
// a list.
#include "spirv/validate/analysis/type_matching.h"

#include <algorithm>

#include "spirv/module/word_interner.h"

namespace vireo::spirv {
namespace {

// What says where a part lies, as opposed to what it is used for.
bool is_placing(Decoration decoration) {
  return decoration == Decoration::Offset || decoration == Decoration::ArrayStride ||
         decoration == Decoration::MatrixStride || decoration == Decoration::RowMajor ||
         decoration == Decoration::ColMajor;
}

}  // namespace

// Pairs may be as many as the square of the types, so no more are looked at than the module has room for.
TypeMatching::TypeMatching(const Context& context)
    : context_(context), most_work_(4 * context.module.words().size() + 65'536) {}

bool TypeMatching::match(Word first, Word second, MatchLevel level) {
  if (first == second) return true;
  if (level != MatchLevel::Decorated) return class_of(first, level) == class_of(second, level);
  return class_of(first, MatchLevel::Logical) == class_of(second, MatchLevel::Logical) && is_decorated(first, second);
}

// --- classes ------------------------------------------------------------------------------------------------------------

// Only aggregates open up: scalars and vectors are declared once, so there different ids are different types.
Word TypeMatching::class_of(Word type, MatchLevel level) {
  const auto& classes = classes_[static_cast<std::size_t>(level)];
  if (classes.empty()) read(level);
  const TypeIndex index = context_.types.index_of(type);
  return index.is_none() ? type : classes[index.index()];
}

// All that has to agree is put into words, with counts in front of lists: equal words are equal classes.
void TypeMatching::read(MatchLevel level) {
  const Types& types = context_.types;
  auto& classes = classes_[static_cast<std::size_t>(level)];
  classes.resize(types.rows().size());
  if (level == MatchLevel::Decorated) {
    is_bare_.resize(classes.size(), true);
    ranges_.resize(classes.size());
  }
  WordInterner interner;
  std::vector<Word> first_ids, words;
  Rows rows;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const TypeRow& type = types.rows()[i];
    classes[i] = type.id;
    if (!type.is_aggregate()) continue;
    const bool is_struct = type.is(TypeKind::Struct);
    const Words parts = is_struct ? types.members(type) : Words(&type.element, 1);
    words.assign({static_cast<Word>(type.kind), static_cast<Word>(parts.size())});
    bool is_bare = true;
    for (const Word part : parts) {
      // What is declared behind is a pointer that was announced, or is told elsewhere: it matches itself.
      const TypeIndex index = types.index_of(part);
      const bool is_known = !index.is_none() && index.index() < i;
      words.push_back(is_known ? classes[index.index()] : part);
      if (level == MatchLevel::Decorated && is_known) is_bare = is_bare && is_bare_[index.index()];
    }
    if (!is_struct) add_length(words, type.length);
    if (level != MatchLevel::Logical) {
      sort(i, level, rows);
      for (const DecorationRow* row : rows) {
        const Words operands = context_.decorations.operands(*row);
        words.insert(words.end(),
                     {row->member, static_cast<Word>(row->decoration), static_cast<Word>(operands.size())});
        words.insert(words.end(), operands.begin(), operands.end());
      }
    }
    if (level == MatchLevel::Decorated) {
      is_bare_[i] = is_bare && rows.empty();
      ranges_[i] = {static_cast<std::uint32_t>(rows_.size()), static_cast<std::uint32_t>(rows.size())};
      rows_.insert(rows_.end(), rows.begin(), rows.end());
    }
    const std::uint32_t number = interner.intern(words);
    if (number == first_ids.size()) first_ids.push_back(type.id);
    classes[i] = first_ids[number];
  }
}

// Lengths are ids: two constants of one value make arrays of one length, be they of two types.
// A length that specialization decides equals itself alone.
void TypeMatching::add_length(std::vector<Word>& words, Word length) const {
  const auto value = context_.constants.as_u64(length);
  words.push_back(value ? 1 : 0);
  words.push_back(value ? static_cast<Word>(*value) : length);
  words.push_back(value ? static_cast<Word>(*value >> 32) : 0);
}

// The decorations of a type that count, in an order that does not depend on that of the module, and none twice.
void TypeMatching::sort(std::size_t type, MatchLevel level, Rows& rows) const {
  rows.clear();
  for (const DecorationRow& row : context_.decorations.all_of(context_.types.rows()[type].id)) {
    // Two structures of one layout may differ in what else is said of them: precision, access, names of resources.
    if (level != MatchLevel::SameLayout || is_placing(row.decoration)) rows.push_back(&row);
  }
  const auto before = [&](const DecorationRow* a, const DecorationRow* b) { return comes_before(a, b); };
  std::ranges::sort(rows, before);
  const auto same = [&](const DecorationRow* a, const DecorationRow* b) { return !before(a, b) && !before(b, a); };
  rows.erase(std::unique(rows.begin(), rows.end(), same), rows.end());
}

bool TypeMatching::comes_before(const DecorationRow* a, const DecorationRow* b) const {
  if (a->member != b->member) return a->member < b->member;
  if (a->decoration != b->decoration) return a->decoration < b->decoration;
  const Words left = context_.decorations.operands(*a), right = context_.decorations.operands(*b);
  return std::ranges::lexicographical_compare(left, right);
}

// --- pairs --------------------------------------------------------------------------------------------------------------

std::span<const DecorationRow* const> TypeMatching::decorations_of(TypeIndex type) const {
  return std::span(rows_).subspan(ranges_[type.index()].first, ranges_[type.index()].count);
}

// The answer for a pair, if it is known at once. Otherwise nothing: the decorations of the pair itself fit, its parts
// have to be looked at, and it is the last open pair.
TypeMatching::Answer TypeMatching::begin(Word given, Word wanted) {
  if (class_of(given, MatchLevel::Decorated) == class_of(wanted, MatchLevel::Decorated)) return Answer::Yes;
  const TypeIndex left = context_.types.index_of(given), right = context_.types.index_of(wanted);
  if (is_bare_[right.index()]) return Answer::Yes;
  const auto [found, is_new] = answers_.try_emplace(std::uint64_t{given} << 32 | wanted, false);
  if (!is_new) return found->second ? Answer::Yes : Answer::No;
  const auto mine = decorations_of(left), theirs = decorations_of(right);
  const TypeRow& type = context_.types.row(left);
  work_ += 1 + mine.size() + theirs.size() + (type.is(TypeKind::Struct) ? context_.types.members(type).size() : 1);
  // Order does not count, and more decorations on this side do no harm.
  const auto before = [&](const DecorationRow* a, const DecorationRow* b) { return comes_before(a, b); };
  if (!std::ranges::includes(mine, theirs, before)) return Answer::No;
  open_.push_back({given, wanted, 0});
  return Answer::Open;
}

// Of two types that match logically: whether the first has all decorations of the second, part by part. A shared part
// would be looked at as often as there are ways to it, so each pair gets an answer. Until it is known the answer is no:
// where a part does not match, none of the types around it do.
bool TypeMatching::is_decorated(Word given, Word wanted) {
  // Beyond all that honest modules ask, nothing is found wrong any more: what was left open has no answer.
  if (work_ > most_work_) return true;
  open_.clear();
  Answer answer = begin(given, wanted);
  while (answer != Answer::No && !open_.empty()) {
    if (work_ > most_work_) return true;
    Pair& pair = open_.back();
    const TypeRow &left = context_.types.of(pair.given), &right = context_.types.of(pair.wanted);
    const bool is_struct = left.is(TypeKind::Struct);
    const Words parts = is_struct ? context_.types.members(left) : Words(&left.element, 1);
    const Words others = is_struct ? context_.types.members(right) : Words(&right.element, 1);
    if (pair.next == parts.size()) {
      answers_[std::uint64_t{pair.given} << 32 | pair.wanted] = true;
      open_.pop_back();
    } else {
      const std::size_t next = pair.next++;
      answer = begin(parts[next], others[next]);
    }
  }
  return answer != Answer::No;
}

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// Checks a resolved model: bits, names, displays, and cycles.
//
// One function per check. The decoder relies on the properties that errors check: all bits are within the
// size, every leaf is complete, and no bitset contains itself. Mistakes that Mesa's tools accept are faults or
// warnings. `isa check`, not the loader, checks whether two leaves match one word. The number of rows in all chains is
// limited first. Overlaps are found with masks instead of comparing pairs, so the time is linear in rows and bits.
#include <algorithm>
#include <map>
#include <unordered_set>

#include "isa/model/coverage.h"
#include "isa/model/model_builder.h"
#include "support/counted.h"
#include "support/nearest.h"
#include "support/printable.h"

namespace vireo::isa {
namespace {

class Validator {
 public:
  Validator(ModelBuilder& draft, const Model& model) : draft_(draft), model_(model) {}

  void run() {
    if (draft_.files.empty()) return;
    // Inheritance multiplies rows: in ten megabytes, 100,000 leaves may share a parent with 10,000 fields.
    std::size_t rows = 0;
    for (const Bitset& b : model_.bitsets()) {
      for (const BitsetId id : model_.chain(b)) rows += 1 + model_[id].cases.count + model_[id].patterns.count;
      if (rows > max_model_rows) {
        draft_.error(rule::limit_exceeded, b.where,
                     "the bitsets together inherit more than " + std::to_string(max_model_rows) + " rows");
        return;
      }
    }
    // Ranges are checked first, because later checks skip bits beyond the bitset.
    for (const Bitset& b : model_.bitsets()) check_ranges(b);
    for (const Bitset& b : model_.bitsets()) check_own_bits(b);
    check_coverage();
    check_enums();
    check_nesting();
    check_names();
    check_displays();
  }

 private:
  std::string name_of(const Bitset& b) const { return quoted(model_.text(b.name)); }
  static std::string range_text(std::uint32_t low, std::uint32_t high) {
    return low == high ? "bit " + std::to_string(low) : "bits " + std::to_string(low) + " to " + std::to_string(high);
  }

  // --- bits --------------------------------------------------------------------------------------------------------------

  void check_range(const Bitset& b, std::uint32_t high, Place where) {
    if (b.size == 0 || high < b.size) return;
    draft_.error(rule::bad_range, where,
                 "bit " + std::to_string(high) + " exceeds the " + counted(b.size, "bit") + " of " + name_of(b));
  }

  void check_ranges(const Bitset& b) {
    for (const Pattern& pattern : model_.patterns(b)) check_range(b, pattern.high(), pattern.where);
    for (const Case& row : model_.cases(b)) {
      for (const Assert& bits : model_.asserts(row)) check_range(b, bits.high(), bits.where);
      for (const Field& field : model_.fields(row)) {
        if (!field.is_derived()) check_range(b, field.high(), field.where);
      }
    }
  }

  // A range of bits used by a field, a pattern or an assert.
  struct Claim {
    std::uint32_t low;
    std::uint32_t high;
    Place where;
    std::string_view name;
  };

  void own_claims(const Bitset& b, std::vector<Claim>& claims) const {
    for (const Pattern& pattern : model_.patterns(b))
      claims.push_back({pattern.low, pattern.high(), pattern.where, "a pattern"});
    for (const Case& row : model_.cases(b)) {
      // Overrides reuse bits of the default case (check_override_bits).
      if (!row.is_default()) continue;
      for (const Assert& bits : model_.asserts(row)) claims.push_back({bits.low, bits.high(), bits.where, "an assert"});
      for (const Field& field : model_.fields(row)) {
        if (!field.is_derived()) claims.push_back({field.low, field.high(), field.where, model_.text(field.name)});
      }
    }
  }

  // Fields, patterns and asserts of the default case must not share bits with each other or with those of an ancestor.
  void check_own_bits(const Bitset& b) {
    if (model_.chain(b).empty()) return;
    std::vector<Claim> claims;
    for (const BitsetId id : model_.chain(b)) {
      if (&model_[id] != &b) own_claims(model_[id], claims);
    }
    // Claims of ancestors are not compared with each other here, so that each fault is reported only once.
    const std::size_t inherited = claims.size();
    own_claims(b, claims);
    // A mask finds collisions; only reporting one needs a search.
    Bits taken(b.size);
    for (std::size_t i = 0; i < claims.size(); ++i) {
      const Claim& claim = claims[i];
      if (claim.high >= b.size) continue;  // was reported
      if (i >= inherited && overlaps(taken, claim)) report_overlap(b, claims, i, inherited);
      taken.set_range(claim.low, claim.high);
    }
    check_override_bits(b);
  }

  static bool overlaps(const Bits& taken, const Claim& claim) {
    for (std::uint32_t at = claim.low; at <= claim.high; at += bits_per_word) {
      if (slice_of(taken.data(), at, std::min(claim.high - at + 1, bits_per_word)) != 0) return true;
    }
    return false;
  }

  // Reports the first claim that collides with `later`. Each report needs a search, so their number is limited.
  void report_overlap(const Bitset& b, const std::vector<Claim>& claims, std::size_t later, std::size_t inherited) {
    const Claim& claim = claims[later];
    if (overlap_reports_++ >= max_overlap_reports) return;
    for (std::size_t i = 0; i < later; ++i) {
      const Claim& first = claims[i];
      if (first.low > claim.high || first.high < claim.low) continue;
      const std::uint32_t low = std::max(claim.low, first.low), high = std::min(claim.high, first.high);
      draft_.error(rule::redefined_bits, claim.where,
                   range_text(low, high) + " of " + name_of(b) + " already " + (low == high ? "belongs" : "belong") +
                       " to " + what(first));
      draft_.note(claim.where, first.where, i < inherited ? "inherited from here" : "claimed here");
      return;
    }
  }

  static std::string what(const Claim& claim) {
    return claim.name.starts_with("a ") || claim.name.starts_with("an ") ? std::string(claim.name)
                                                                         : "field " + quoted(claim.name);
  }

  void check_override_bits(const Bitset& b) {
    if (b.cases.count == 1) return;
    std::vector<Claim> fixed;
    Bits taken(b.size);
    for (const BitsetId id : model_.chain(b)) {
      for (const Pattern& pattern : model_.patterns(model_[id])) {
        if (pattern.high() >= b.size) continue;
        fixed.push_back({pattern.low, pattern.high(), pattern.where, "a pattern"});
        taken.set_range(pattern.low, pattern.high());
      }
    }
    for (const Case& row : model_.cases(b)) {
      if (row.is_default()) continue;
      for (const Field& field : model_.fields(row)) {
        const Claim own{field.low, field.high(), field.where, model_.text(field.name)};
        // Fields of overrides may overlap other fields, but a field over a pattern would show fixed bits.
        if (field.is_derived() || own.high >= b.size || !overlaps(taken, own)) continue;
        if (overlap_reports_++ >= max_overlap_reports) return;
        // The search succeeds, because the masks overlap.
        const auto claim = std::find_if(fixed.begin(), fixed.end(),
                                        [&](const Claim& c) { return c.low <= own.high && c.high >= own.low; });
        draft_.warning(rule::override_overlap, field.where,
                       "field " + quoted(own.name) + " of an override overlaps a pattern in " +
                           range_text(std::max(claim->low, own.low), std::min(claim->high, own.high)));
        draft_.note(field.where, claim->where, "the pattern");
      }
    }
  }

  // If an ancestor leaves bits undefined, all its leaves lack them, so equal bits are reported once, at the first leaf.
  void check_coverage() {
    struct Gap {
      const Bitset* first;
      Bits bits;
      std::vector<const Bitset*> others;
    };
    std::vector<Gap> gaps;
    std::map<std::pair<std::uint32_t, std::string>, std::size_t> known;  // by root and bits
    for (const Bitset& leaf : model_.bitsets()) {
      if (!leaf.is_leaf || model_.chain(leaf).empty() || is_incomplete(leaf)) continue;
      Bits open = uncovered_bits(model_, leaf);
      if (open.is_zero()) continue;
      const auto [entry, is_new] = known.try_emplace({leaf.root.raw, to_hex(open)}, gaps.size());
      if (is_new) gaps.push_back({&leaf, std::move(open), {}});
      else gaps[entry->second].others.push_back(&leaf);
    }
    for (const Gap& gap : gaps) {
      const std::string runs = runs_of(gap.bits);
      const bool is_one_bit = runs.starts_with("bit ") && runs.find(',') == std::string::npos;
      draft_.error(rule::undefined_bits, gap.first->where,
                   runs + " of " + name_of(*gap.first) + (is_one_bit ? " is" : " are") +
                       " not covered by any field, pattern or assert");
      if (gap.others.empty()) continue;
      const std::size_t more = gap.others.size() - 1;
      draft_.note(
          gap.first->where, gap.others.front()->where,
          "the same in " + name_of(*gap.others.front()) + (more == 0 ? "" : " and " + std::to_string(more) + " more"));
    }
  }

  bool is_incomplete(const Bitset& leaf) const {
    const std::span<const BitsetId> chain = model_.chain(leaf);
    return std::any_of(chain.begin(), chain.end(), [&](BitsetId id) { return draft_.incomplete.contains(id.raw); });
  }

  static std::string runs_of(const Bits& bits) {
    std::string text;
    for (std::uint32_t bit = 0; bit < bits.width();) {
      if (!bits.test(bit)) {
        ++bit;
        continue;
      }
      const std::uint32_t low = bit;
      while (bit < bits.width() && bits.test(bit)) ++bit;
      // Limit the length: every second bit of 4096 may be undefined.
      if (text.size() < 200) text += (text.empty() ? "" : ", ") + range_text(low, bit - 1);
    }
    return text;
  }

  // --- enums -------------------------------------------------------------------------------------------------------------

  // A value must fit into the widest field of its enum, because narrower fields may use a part of the enum. Derived
  // fields have no limit.
  void check_enums() {
    // One pass over all fields instead of a search per enum.
    std::vector<const Field*> widest(model_.enums().size(), nullptr);
    std::vector<bool> has_room(model_.enums().size());
    for (const Field& field : model_.rows().fields) {
      if (field.type != FieldType::Enum) continue;
      const std::size_t e = field.enumeration.index();
      // Derived fields have 64 bits.
      if (field.is_derived() || field.width >= bits_per_word) has_room[e] = true;
      else if (widest[e] == nullptr || widest[e]->width < field.width) widest[e] = &field;
    }
    for (std::size_t i = 0; i < widest.size(); ++i) {
      if (has_room[i] || widest[i] == nullptr) continue;
      const Enum& e = model_.enums()[i];
      for (const EnumValue& value : model_.values(e)) {
        // A value that fits into no field is never printed.
        if (value.number <= low_mask(widest[i]->width)) continue;
        draft_.warning(rule::value_too_wide, value.where,
                       "value " + std::to_string(value.number) + " of enum " + quoted(model_.text(e.name)) +
                           " does not fit in any field; the widest has " + counted(widest[i]->width, "bit"));
        draft_.note(value.where, widest[i]->where, "the field");
      }
    }
  }

  // --- cycles --------------------------------------------------------------------------------------------------------

  // A root must not contain itself. Depth-first search over roots with an explicit stack, which also computes the
  // longest path.
  void check_nesting() {
    const std::size_t count = model_.bitsets().size();
    // The fields of nested bitsets in each root, for the diagnostics.
    std::vector<std::vector<const Field*>> uses(count);
    for (const Field& field : model_.rows().fields) {
      if (field.type != FieldType::Bitset) continue;
      // Fields are grouped by root, because a field may contain any leaf of its type.
      const BitsetId root = model_[model_[field.owner].owner].root;
      if (root) uses[root.index()].push_back(&field);
    }
    enum : std::uint8_t { Unseen, Open, Done };
    std::vector<std::uint8_t> states(count, Unseen);
    std::vector<std::size_t> depth(count, 0);
    struct Step {
      std::size_t root;
      std::size_t next;
    };
    for (std::size_t start = 0; start < count; ++start) {
      if (states[start] != Unseen) continue;
      std::vector<Step> stack{{start, 0}};
      states[start] = Open;
      while (!stack.empty()) {
        Step& step = stack.back();
        if (step.next == uses[step.root].size()) {
          states[step.root] = Done;
          const std::size_t inner = depth[step.root];
          stack.pop_back();
          if (!stack.empty()) depth[stack.back().root] = std::max(depth[stack.back().root], inner + 1);
          continue;
        }
        const Field& field = *uses[step.root][step.next++];
        const std::size_t inner = field.bitset.index();
        if (states[inner] == Open) {
          draft_.error(rule::nesting_cycle, field.where,
                       "bitset " + name_of(model_[field.bitset]) + " contains itself");
        } else if (states[inner] == Done) {
          // The depth limit bounds the decoder's recursion, and its memory, which contains one scope per level.
          depth[step.root] = std::max(depth[step.root], depth[inner] + 1);
        } else {
          states[inner] = Open;
          stack.push_back({inner, 0});
        }
      }
      // Only the start of the search is reported, not each of its inner roots.
      if (depth[start] >= max_nesting_depth) {
        draft_.error(rule::limit_exceeded, model_.bitsets()[start].where,
                     "bitsets nest more than " + std::to_string(max_nesting_depth) + " levels");
      }
    }
  }

  // --- names -------------------------------------------------------------------------------------------------------------

  // Reports names that no case of a leaf defines and no field passes. Each position is reported once.
  void check_names() {
    const std::size_t count = model_.bitsets().size();
    // A name is accepted if some field passes it; `isa check` checks all fields.
    std::vector<std::unordered_set<std::uint32_t>> passed(count);  // inner names, by root
    for (const Field& field : model_.rows().fields) {
      declared_.insert(field.name.raw);
      if (field.type != FieldType::Bitset) continue;
      for (const Param& param : model_.params(field)) {
        passed[field.bitset.index()].insert(param.inner.raw);
        declared_.insert(param.inner.raw);
      }
    }
    for (const Bitset& leaf : model_.bitsets()) {
      // Names are checked per leaf, because children may define names that a parent's display uses. Mesa's ir3 and afuc
      // use a few undefined names, which print nothing and add an annotation to every line.
      if (!leaf.is_leaf || model_.chain(leaf).empty() || leaf.gens.is_empty()) continue;
      std::unordered_set<std::uint32_t> known = passed[leaf.root.index()];
      for (const BitsetId id : model_.chain(leaf)) {
        for (const Case& row : model_.cases(model_[id])) {
          for (const Field& field : model_.fields(row)) known.insert(field.name.raw);
        }
      }
      // Only displays up to the first unconditional one are reachable.
      bool is_decided = false;
      for (const BitsetId id : model_.chain(leaf)) {
        for (const Case& row : model_.cases(model_[id])) {
          if (!row.is_default()) check_expression(leaf, known, row.condition);
          for (const Field& field : model_.fields(row)) {
            if (field.is_derived()) check_expression(leaf, known, field.expression);
            for (const Param& param : model_.params(field)) {
              if (known.contains(param.outer.raw) || !is_new(param.where)) continue;
              draft_.warning(rule::unknown_param, param.where,
                             "param " + quoted(model_.text(param.outer)) + " names no field of " + name_of(leaf));
            }
          }
          if (!row.has_display || is_decided) continue;
          is_decided = row.is_default();
          check_segments(leaf, known, model_.segments(row));
          // Aliases use the same names as displays.
          for (const Alias& alias : model_.aliases(row)) check_segments(leaf, known, model_.segments(alias));
        }
      }
    }
  }

  void report_unresolved(const Bitset& leaf, const std::unordered_set<std::uint32_t>& known, NameId name, Place where) {
    NearestNames nearest(model_.text(name));
    for (const std::uint32_t each : known) nearest.offer(model_.text(NameId(each)));
    std::string message = "no field " + quoted(model_.text(name)) + " in " + name_of(leaf);
    std::string hint = did_you_mean(nearest.best());
    // A misspelt name is an error. A name without a similar one, or of a field of another bitset, is a warning: Mesa's
    // descriptions share displays between bitsets that lack some of their fields.
    if (hint.empty() || declared_.contains(name.raw)) {
      draft_.warning(rule::unresolved_field, where, std::move(message), std::move(hint));
    } else {
      draft_.fault(rule::misspelt_field, where, std::move(message), std::move(hint));
    }
  }

  void check_segments(const Bitset& leaf, const std::unordered_set<std::uint32_t>& known,
                      std::span<const Segment> segments) {
    for (const Segment& segment : segments) {
      if (segment.kind != Segment::Kind::Field || known.contains(segment.name.raw) || !is_new(segment.where)) continue;
      report_unresolved(leaf, known, segment.name, segment.where);
    }
  }

  void check_expression(const Bitset& leaf, const std::unordered_set<std::uint32_t>& known, ExpressionId id) {
    const Expression& expression = model_[id];
    for (std::uint32_t i = 0; i < expression.slots.count; ++i) {
      const NameId name = model_.slots(expression)[i];
      const Place where = draft_.slot_places[expression.slots.first + i];
      if (known.contains(name.raw) || !is_new(where)) continue;
      report_unresolved(leaf, known, name, where);
    }
  }

  // Inherited rows are visited once per leaf but reported once.
  bool is_new(Place where) { return places_.insert(std::uint64_t{where.file.raw} << 32 | where.begin).second; }

  // Warns about leaves without a display, which print nothing.
  void check_displays() {
    for (const Bitset& leaf : model_.bitsets()) {
      if (!leaf.is_leaf || model_.chain(leaf).empty()) continue;
      // The search for a display goes from the leaf to the root, so inner bitsets need none.
      bool has_display = false;
      for (const BitsetId id : model_.chain(leaf)) {
        for (const Case& row : model_.cases(model_[id])) has_display |= row.has_display;
      }
      if (!has_display) draft_.warning(rule::missing_display, leaf.where, name_of(leaf) + " has no display");
    }
  }

  static constexpr std::size_t max_overlap_reports = 1000;

  ModelBuilder& draft_;
  const Model& model_;
  std::unordered_set<std::uint64_t> places_;
  std::unordered_set<std::uint32_t> declared_;  // the names of all fields and params of the description
  std::size_t overlap_reports_ = 0;
};

}  // namespace

void validate(ModelBuilder& draft, const Model& model) { Validator(draft, model).run(); }

}  // namespace vireo::isa

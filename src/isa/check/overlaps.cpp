// SPDX-License-Identifier: Apache-2.0
//
// Checks each leaf against the others: words that two leaves match, leaves that are never chosen, unused roots.
//
// The decoder rejects a word that two leaves match. So a leaf is unreachable if other leaves match all of
// its words. The witness of an overlap is the word with the fixed bits of both leaves.
#include "isa/check/overlaps.h"

#include <algorithm>
#include <map>

#include "isa/check/subject.h"

namespace vireo::isa {
namespace {

// Deciding whether other leaves cover a leaf can take exponential time. Real descriptions need only a few parts. A leaf
// that needs more than these limits is not reported.
constexpr std::size_t parts_for_all = std::size_t{1} << 18;
constexpr std::size_t parts_for_one = 4096;
constexpr std::size_t max_overlapping = 64;
constexpr std::size_t max_rows = 64;  // limit on rows of an <encoding>

class LeafCheck {
 public:
  explicit LeafCheck(Subject& subject)
      : subject_(subject), model_(subject.model), is_type_(model_.bitsets().size()), is_row_(model_.bitsets().size()) {
    for (const Field& field : model_.rows().fields) {
      if (field.bitset) is_type_[field.bitset.index()] = true;
    }
    for (const InstructionRoot& row : model_.instruction_roots()) is_row_[row.root.index()] = true;
  }

  void run() {
    for (const Bitset& root : model_.bitsets()) {
      if (!root.is_root() || root.leaves.count == 0) continue;
      find_cubes(root);
      // All roots share the list of overlaps; those of this root begin here.
      const std::size_t before = subject_.report.overlaps.size();
      find_overlaps(root);
      find_covered(std::span(subject_.report.overlaps).subspan(before));
      check_rows(root);
    }
    check_uses();
  }

 private:
  // Skips leaves with broken patterns: a pattern that could not be read would match everything.
  void find_cubes(const Bitset& root) {
    leaves_.clear();
    cubes_.clear();
    for (const BitsetId id : model_.leaves(root)) {
      const Bitset& leaf = model_[id];
      if (!subject_.is_checked(leaf)) continue;
      leaves_.push_back(id);
      // Don't-care bits (`x`) do not select a leaf, so a cube does not contain them.
      cubes_.push_back({&leaf.care, &leaf.match, subject_.gens_of(leaf)});
    }
  }

  // Reports each overlap at the later leaf, as if the author had added it to a correct description.
  void find_overlaps(const Bitset& root) {
    std::vector<Overlap>& overlaps = subject_.report.overlaps;
    const CubePairs found = find_intersecting_cubes(cubes_, max_reported_overlaps - overlaps.size());
    for (const CubePair pair : found.pairs) {
      const Bitset& first = model_[leaves_[pair.first]];
      const Bitset& second = model_[leaves_[pair.second]];
      const GenRange gens = intersect(cubes_[pair.first].gens, cubes_[pair.second].gens);
      // The witness has the fixed bits of both leaves and zeros elsewhere. The leaves agree where both fix a bit.
      overlaps.push_back({leaves_[pair.first], leaves_[pair.second], gens, first.match | second.match});
      // The loader already reports two leaves of one name that exist in the same generation.
      if (first.name == second.name) continue;
      subject_.emit(rule::overlapping_leaves, second.where,
                    subject_.name_of(first) + " and " + subject_.name_of(second) + " both match " +
                        to_hex(overlaps.back().witness) + " in " + to_text(gens));
      subject_.note(first.where, "the other leaf");
    }
    if (!found.is_complete) {
      subject_.warn(rule::limit_exceeded, root.where,
                    "the leaves of " + subject_.name_of(root) + " have too many overlaps: not all are reported");
    }
  }

  void find_covered(std::span<const Overlap> overlaps) {
    // Only leaves that overlap a leaf can cover it. The map is ordered, so each run reports in the same order.
    std::map<BitsetId, std::vector<BitsetId>> overlapping;
    for (const Overlap& overlap : overlaps) {
      overlapping[overlap.first].push_back(overlap.second);
      overlapping[overlap.second].push_back(overlap.first);
    }
    for (auto& [id, others] : overlapping) {
      if (others.size() > max_overlapping) others.resize(max_overlapping);  // a subset can still prove coverage
      const Bitset& leaf = model_[id];
      if (!is_unreachable(leaf, others)) continue;
      subject_.emit(rule::unreachable_leaf, leaf.where,
                    subject_.name_of(leaf) + " is unreachable: other leaves match all of its words");
      subject_.note(model_[others.front()].where, others.size() == 1 ? "the other leaf" : "one of them");
    }
  }

  // A leaf is unreachable if it is covered in each of its generations. The function tries one generation of each
  // interval in which the set of other leaves is constant.
  bool is_unreachable(const Bitset& leaf, std::span<const BitsetId> others) {
    const GenRange gens = subject_.gens_of(leaf);
    std::vector<std::uint32_t> begins{gens.min};
    for (const BitsetId other : others) {
      const GenRange range = subject_.gens_of(model_[other]);
      if (gens.contains(range.min)) begins.push_back(range.min);
      if (range.max < gens.max && gens.contains(range.max + 1)) begins.push_back(range.max + 1);
    }
    return std::all_of(begins.begin(), begins.end(), [&](std::uint32_t gen) {
      std::vector<Cube> cubes;
      for (const BitsetId other : others) {
        const Bitset& other_leaf = model_[other];
        if (other_leaf.gens.contains(gen)) cubes.push_back({&other_leaf.care, &other_leaf.match, other_leaf.gens});
      }
      return is_covered({&leaf.care, &leaf.match, gens}, cubes);
    });
  }

  bool is_covered(const Cube& cube, std::span<const Cube> others) {
    const std::size_t granted = std::min(parts_, parts_for_one);
    // One leaf must not use up the budget of all.
    std::size_t budget = granted;
    const Covered result = isa::is_covered(cube, others, budget);
    parts_ -= granted - budget;
    return result == Covered::Yes;
  }

  // --- rows of <encoding> ------------------------------------------------------------------------------------------------

  // A leaf is reachable if a row's pattern agrees with it, unless earlier rows of at most its size match all of its
  // words.
  void check_rows(const Bitset& root) {
    const std::span<const InstructionRoot> rows = model_.instruction_roots();
    const BitsetId root_id = model_.id_of(root);
    const bool is_of_encoding = rows.size() > 1 || (rows.size() == 1 && rows.front().has_pattern);
    if (!is_of_encoding || rows.size() > max_rows || !is_row_[root_id.index()]) return;
    // The leaves of this root may also be decoded as fields. This depends on conditions, which this check does not
    // evaluate.
    if (is_type_[root_id.index()]) return;
    for (const BitsetId id : leaves_) {
      const Bitset& leaf = model_[id];
      if (!is_reachable(leaf, root_id)) {
        subject_.emit(rule::unreachable_leaf, leaf.where,
                      subject_.name_of(leaf) + " is unreachable: no row of the encoding matches its words");
      }
    }
  }

  bool is_reachable(const Bitset& leaf, BitsetId root) {
    std::vector<std::pair<Bits, Bits>> taken;  // care and match, of the leaf's width
    for (const InstructionRoot& row : model_.instruction_roots()) {
      const std::uint32_t size = std::min(leaf.size, row.care.width());
      if (size == 0) continue;  // the loader reports a root without a size
      Bits care(leaf.size);
      Bits match(leaf.size);
      // Row patterns begin at bit 0. Drop the bits beyond the leaf's size.
      care.insert(0, row.care.extract(0, size - 1));
      match.insert(0, row.match.extract(0, size - 1));
      if (row.root == root && ((match ^ leaf.match) & care & leaf.care).is_zero()) {
        const Bits all_care = care | leaf.care;
        const Bits all_match = match | leaf.match;
        std::vector<Cube> others;
        others.reserve(taken.size());
        for (const auto& [other_care, other_match] : taken) others.push_back({&other_care, &other_match, {}});
        if (others.empty() || !is_covered({&all_care, &all_match, {}}, others)) return true;
      }
      // At the end of a program, the decoder skips rows larger than the rest, so a larger row does not exclude a leaf.
      if (row.has_pattern && row.care.width() <= leaf.size) taken.emplace_back(std::move(care), std::move(match));
    }
    return false;
  }

  // --- uses --------------------------------------------------------------------------------------------------------------

  // Returns, for each root, the generations in which it is decoded. An instruction root is decoded in all generations;
  // a nested root in those in which a leaf has a field of that type. Nesting has no cycles and a bounded depth, so a
  // few rounds are enough. The result has one range per root that contains all its ranges. If it contains too many
  // generations, an unreachable leaf is not reported; no report is wrong.
  std::vector<GenRange> gens_in_use() const {
    constexpr GenRange never{1, 0};
    std::vector<GenRange> gens(model_.bitsets().size(), never);
    for (const InstructionRoot& row : model_.instruction_roots()) gens[row.root.index()] = {};
    bool has_changed = true;
    for (std::size_t round = 0; has_changed && round < max_nesting_depth; ++round) {
      has_changed = false;
      for (const Bitset& leaf : model_.bitsets()) {
        if (!leaf.is_leaf || model_.chain(leaf).empty()) continue;
        // A field is in use if its leaf exists and the leaf's root is decoded.
        const GenRange common = intersect(leaf.gens, gens[leaf.root.index()]);
        if (common.is_empty()) continue;
        for (const BitsetId id : model_.chain(leaf)) {
          for (const Case& row : model_.cases(model_[id])) {
            for (const Field& field : model_.fields(row)) {
              if (field.bitset) has_changed |= extend(gens[field.bitset.index()], common);
            }
          }
        }
      }
    }
    return gens;
  }

  static bool extend(GenRange& range, GenRange by) {
    const GenRange before = range;
    range = range.is_empty() ? by : GenRange{std::min(range.min, by.min), std::max(range.max, by.max)};
    return !(range == before);
  }

  void check_uses() {
    if (model_.instruction_roots().empty()) return;  // reported by the loader
    const std::vector<GenRange> gens = gens_in_use();
    for (const Bitset& root : model_.bitsets()) {
      if (!root.is_root() || root.size == 0) continue;
      const GenRange used = gens[model_.id_of(root).index()];
      if (used.is_empty()) {
        subject_.emit(
            rule::unused_root, root.where,
            "root " + subject_.name_of(root) + " is unused: it has no instructions and no field has its type");
        continue;
      }
      for (const BitsetId id : model_.leaves(root)) {
        const Bitset& leaf = model_[id];
        if (!subject_.is_checked(leaf) || !intersect(leaf.gens, used).is_empty()) continue;
        subject_.emit(rule::unreachable_leaf, leaf.where,
                      subject_.name_of(leaf) + " is unreachable: it exists in " + to_text(leaf.gens) +
                          ", but fields have its root as their type only in " + to_text(used));
      }
    }
  }

  Subject& subject_;
  const Model& model_;
  std::vector<BitsetId> leaves_;  // of the current root
  std::vector<Cube> cubes_;
  std::vector<bool> is_type_;  // for each bitset: whether it is the type of a field
  std::vector<bool> is_row_;   // for each bitset: whether it is an instruction root
  std::size_t parts_ = parts_for_all;
};

}  // namespace

void check_overlaps(Subject& subject) { LeafCheck(subject).run(); }

}  // namespace vireo::isa

// SPDX-License-Identifier: Apache-2.0
//
// Resolves references to ids, and derives chains, roots, leaves, generations and masks.
//
// Each step makes one pass over one table and needs only the earlier steps. A bitset whose chain does not
// end at a root (an unknown parent, a cycle) has an empty chain. Later steps skip it, so a fault is reported once.
//
// After this stage, decoder, checker and printer use only indexes. Mesa's decoder looks up names for every word, which
// takes a third of its time.
#include <algorithm>
#include <functional>

#include "isa/model/model_builder.h"
#include "support/nearest.h"
#include "support/printable.h"

namespace vireo::isa {
namespace {

// Variants of one name are compared in pairs. Real descriptions have a handful.
constexpr std::size_t max_variants = 1024;
// Limits the number of leaves times their size, which may be large even for a short file. Each leaf has three masks.
constexpr std::size_t max_mask_words = std::size_t{1} << 21;  // of all leaves

class Resolver {
 public:
  explicit Resolver(ModelBuilder& draft) : draft_(draft), rows_(draft.rows) {}

  void run() {
    // Each step depends on earlier ones, so the order is fixed.
    find_parents();
    make_chains();
    find_duplicates();
    find_generations();
    find_leaves();
    find_expressions();
    find_types();
    make_masks();
    find_instruction_roots();
  }

 private:
  static std::uint32_t count_of(const auto& table) { return static_cast<std::uint32_t>(table.size()); }
  Bitset& bitset(BitsetId id) { return rows_.bitsets[id.index()]; }
  // The name that `extends` and `type` refer to, not the display name.
  std::string_view name_of(const Bitset& b) const { return draft_.text(b.name); }

  static std::string hint_for(const NearestNames& nearest) { return did_you_mean(nearest.best()); }

  // Finding a hint compares all names, so only the first faults get one.
  bool wants_hint() { return hints_++ < 32; }

  // --- bitsets -----------------------------------------------------------------------------------------------------------

  void find_parents() {
    parents_.resize(rows_.bitsets.size());
    for (std::size_t i = 0; i < rows_.bitsets.size(); ++i) {
      const Reference& wanted = draft_.parent_of[i];
      if (wanted.text.empty()) continue;
      const auto found = draft_.bitsets_by_name.find(draft_.find(wanted.text).raw);
      if (found == draft_.bitsets_by_name.end()) {
        NearestNames nearest(wanted.text);
        if (wants_hint()) {
          for (const Bitset& other : rows_.bitsets) nearest.offer(name_of(other));
        }
        draft_.error(rule::unknown_parent, wanted.where, "unknown bitset " + quoted(wanted.text), hint_for(nearest));
        continue;
      }
      // A parent with variants would depend on the generation, which is not supported. Mesa uses the last variant.
      if (found->second.size() > 1) {
        draft_.fault(
            rule::ambiguous_variant, wanted.where,
            quoted(wanted.text) + " has " + std::to_string(found->second.size()) + " variants and cannot be extended");
        draft_.note(wanted.where, bitset(found->second.front()).where, "one of them");
      }
      if (rows_.bitsets[i].size != 0) continue;  // `size` and `extends` together were reported
      parents_[i] = found->second.back();
    }
  }

  // Each chain has at most max_inheritance_depth steps.
  void make_chains() {
    for (std::size_t i = 0; i < rows_.bitsets.size(); ++i) {
      Bitset& b = rows_.bitsets[i];
      b.parent = parents_[i];
      // From the leaf to the root, which is the order of all searches.
      std::vector<BitsetId> chain;
      BitsetId at(i);
      while (at && chain.size() <= max_inheritance_depth) {
        chain.push_back(at);
        at = parents_[at.index()];
      }
      if (chain.size() > max_inheritance_depth) {
        // Report every bitset of the cycle, but not bitsets outside that extend one of them.
        const bool is_cycle = std::count(chain.begin(), chain.end(), BitsetId(i)) > 1;
        if (is_cycle) draft_.error(rule::extends_cycle, b.where, quoted(name_of(b)) + " extends itself");
        else if (std::count(chain.begin(), chain.end(), chain.back()) == 1) {
          draft_.error(rule::limit_exceeded, b.where,
                       "inheritance is more than " + std::to_string(max_inheritance_depth) + " levels deep");
        }
        continue;
      }
      const Bitset& root = bitset(chain.back());
      // Each chain contains all ancestors, so the total size is checked before the insertion.
      if (root.size == 0 || count_of(rows_.chains) + chain.size() > max_model_rows) continue;
      b.root = chain.back();
      b.chain = {count_of(rows_.chains), count_of(chain)};
      rows_.chains.insert(rows_.chains.end(), chain.begin(), chain.end());
    }
    for (Bitset& b : rows_.bitsets) {
      // A parent is not a leaf, even if its child has faults.
      if (b.parent) bitset(b.parent).is_leaf = false;
      if (b.root) b.size = bitset(b.root).size;
    }
  }

  // A name may be shared only by leaves of different generations.
  void find_duplicates() {
    for (const Bitset& b : rows_.bitsets) {
      const std::vector<BitsetId>& same = draft_.bitsets_by_name[b.name.raw];
      if (same.size() == 1 || &bitset(same.front()) != &b) continue;
      if (same.size() > max_variants)
        draft_.error(rule::limit_exceeded, b.where,
                     quoted(name_of(b)) + " is declared more than " + std::to_string(max_variants) + " times");
      for (std::size_t i = 1; i < same.size(); ++i) {
        const Bitset& other = bitset(same[i]);
        // Leaves with one name and one root are variants: their encoding changed between generations.
        if (other.is_leaf && b.is_leaf && b.root == other.root && !b.is_root()) continue;
        draft_.fault(rule::duplicate_name, other.where, "bitset " + quoted(name_of(b)) + " is declared twice");
        draft_.note(other.where, b.where,
                    "the first declaration; only leaves of different generations may share a name");
      }
      // Children extend the last declaration. As in Mesa, the others are unused, and are not leaves.
      if (bitset(same.back()).is_leaf) continue;
      for (const BitsetId lost : same) bitset(lost).is_leaf = false;
    }
  }

  void find_generations() {
    for (Bitset& b : rows_.bitsets) {
      GenRange range;
      // The intersection applies even if the declared range is wider than the parent's.
      for (const BitsetId id : chain(b)) range = intersect(range, bitset(id).own_gens);
      b.gens = range;
    }
    for (const Bitset& b : rows_.bitsets) {
      if (chain(b).empty()) continue;
      const GenRange own = b.own_gens;
      if (b.parent) {
        const GenRange parent = bitset(b.parent).gens;
        const bool widens =
            (own.min != 0 && own.min < parent.min) || (own.max != GenRange{}.max && own.max > parent.max);
        if (widens) {
          const std::string message = "the generations of " + quoted(name_of(b)) + " (" + to_text(own) +
                                      ") exceed those of its parent (" + to_text(parent) + ")";
          // Mesa does not check the range of a leaf with variants.
          const bool has_variants = b.is_leaf && draft_.bitsets_by_name[b.name.raw].size() > 1;
          if (has_variants) draft_.fault(rule::bad_generations, b.where, message);
          else draft_.error(rule::bad_generations, b.where, message);
          continue;
        }
      }
      // Mesa does not report this; the leaf is never chosen.
      if (b.gens.is_empty())
        draft_.fault(rule::bad_generations, b.where, quoted(name_of(b)) + " exists in no generation");
    }
    for (const Bitset& b : rows_.bitsets) {
      const std::vector<BitsetId>& same = draft_.bitsets_by_name[b.name.raw];
      if (same.size() > max_variants) continue;
      for (const BitsetId id : same) {
        const Bitset& other = bitset(id);
        // Each pair is compared once and reported at the later leaf. Both are in one table, so addresses can be
        // compared.
        if (&other <= &b || !b.is_leaf || !other.is_leaf || b.is_root()) continue;
        const GenRange common = intersect(b.gens, other.gens);
        if (common.is_empty() || b.gens.is_empty() || other.gens.is_empty()) continue;
        draft_.fault(rule::overlapping_generations, other.where,
                     "two variants of " + quoted(name_of(b)) + " exist in generation " + std::to_string(common.min));
        draft_.note(other.where, b.where, "the other variant");
        break;
      }
    }
  }

  static std::string to_text(GenRange range) {
    const std::string max = range.max == GenRange{}.max ? "any" : std::to_string(range.max);
    return std::to_string(range.min) + " to " + max;
  }

  // The leaves of a root are in the order in which their names first appear, and within a name in document order.
  void find_leaves() {
    // If two leaves match, the message names them in this order.
    std::unordered_map<std::uint32_t, std::size_t> first_of_name;
    std::vector<std::vector<std::pair<std::size_t, BitsetId>>> leaves(rows_.bitsets.size());
    for (std::size_t i = 0; i < rows_.bitsets.size(); ++i) {
      const Bitset& b = rows_.bitsets[i];
      if (!b.is_leaf || !b.root) continue;
      leaves[b.root.index()].emplace_back(first_of_name.try_emplace(b.name.raw, i).first->second, BitsetId(i));
    }
    for (std::size_t i = 0; i < rows_.bitsets.size(); ++i) {
      std::sort(leaves[i].begin(), leaves[i].end());
      rows_.bitsets[i].leaves = {count_of(rows_.leaves), count_of(leaves[i])};
      for (const auto& [order, id] : leaves[i]) rows_.leaves.push_back(id);
    }
  }

  // --- expressions and types ---------------------------------------------------------------------------------------------

  // Each unknown name is reported with a hint.
  ExpressionId find_expression(const Reference& wanted) {
    const auto found = draft_.expression_by_name.find(draft_.find(wanted.text).raw);
    if (found != draft_.expression_by_name.end()) return found->second;
    NearestNames nearest(wanted.text);
    if (wants_hint()) {
      for (const auto& [name, id] : draft_.expression_by_name) nearest.offer(draft_.text(NameId(name)));
    }
    draft_.error(rule::unknown_expression, wanted.where, "unknown expression " + quoted(wanted.text),
                 hint_for(nearest));
    return ExpressionId::none();
  }

  // Returns an expression without code, whose value is 0, for unresolved references.
  ExpressionId nothing() {
    if (nothing_.is_none()) {
      rows_.expressions.emplace_back();
      nothing_ = ExpressionId(rows_.expressions.size() - 1);
    }
    return nothing_;
  }

  // Resolves references by name; inline expressions were linked when read.
  void find_expressions() {
    for (std::size_t i = 0; i < rows_.cases.size(); ++i) {
      if (draft_.condition_of[i].text.empty()) continue;
      const ExpressionId found = find_expression(draft_.condition_of[i]);
      rows_.cases[i].condition = found ? found : nothing();
    }
    for (std::size_t i = 0; i < rows_.fields.size(); ++i) {
      if (draft_.value_of[i].text.empty()) continue;
      const ExpressionId found = find_expression(draft_.value_of[i]);
      rows_.fields[i].expression = found ? found : nothing();
    }
  }

  // An enum's name takes precedence over a bitset's, and both over a built-in type's.
  void find_types() {
    for (std::size_t i = 0; i < rows_.fields.size(); ++i) {
      Field& field = rows_.fields[i];
      const bool is_unsized = field.width == 0;  // a derived field without the attribute
      if (is_unsized) field.width = 1;
      const Reference& wanted = draft_.type_of[i];
      const std::uint32_t name = draft_.find(wanted.text).raw;
      if (const auto found = draft_.enum_by_name.find(name); found != draft_.enum_by_name.end()) {
        field.type = FieldType::Enum;
        field.enumeration = found->second;
        check_unused(field);
        continue;
      }
      if (const auto found = draft_.bitsets_by_name.find(name); found != draft_.bitsets_by_name.end()) {
        find_nested(field, wanted, found->second);
        continue;
      }
      // `enum` is not a type. Mesa's check accepts it, but its generator crashes. field_type_names is in the order of
      // FieldType.
      const auto* builtin = std::find(std::begin(field_type_names), std::end(field_type_names), wanted.text);
      if (builtin == std::end(field_type_names)) {
        NearestNames nearest(wanted.text);
        for (const std::string_view other : field_type_names) nearest.offer(other);
        if (wants_hint()) {
          for (const Enum& other : rows_.enums) nearest.offer(draft_.text(other.name));
          for (const Bitset& other : rows_.bitsets) {
            if (other.is_root()) nearest.offer(name_of(other));
          }
        }
        draft_.error(rule::unknown_type, wanted.where, "unknown type, enum or bitset " + quoted(wanted.text),
                     hint_for(nearest));
        continue;
      }
      field.type = static_cast<FieldType>(builtin - std::begin(field_type_names));
      if (is_unsized) check_sign(field);
      check_width(field);
      check_unused(field);
    }
  }

  // Mesa's tools sign-extend a derived value from bit 0 if it has no width, so that all its texts are 0 and -1.
  void check_sign(const Field& field) {
    if (!is_signed(field.type) && field.type != FieldType::Absbranch) return;
    draft_.fault(rule::missing_width, field.where,
                 "derived field " + quoted(draft_.text(field.name)) + " of type " +
                     quoted(field_type_names[static_cast<std::size_t>(field.type)]) +
                     " needs a width: its sign is the highest bit");
  }

  // If a check fails, the type stays a number: the field keeps its bits and its name, so later stages report no further
  // faults.
  void find_nested(Field& field, const Reference& wanted, const std::vector<BitsetId>& candidates) {
    const Bitset& type = bitset(candidates.back());
    if (candidates.size() > 1) {
      draft_.fault(
          rule::ambiguous_variant, wanted.where,
          quoted(wanted.text) + " has " + std::to_string(candidates.size()) + " variants and cannot be a type");
    }
    if (!type.is_root()) {
      draft_.error(rule::unknown_type, wanted.where,
                   "bitset " + quoted(wanted.text) + " cannot be a type: it is not a root");
      draft_.note(wanted.where, type.where, "it extends another bitset");
      return;
    }
    // A nested bitset is decoded from bits of the word, which a derived field does not have. Mesa's generator crashes.
    if (field.is_derived()) {
      draft_.error(rule::unknown_type, wanted.where,
                   "a derived field has no bits and cannot be of type " + quoted(wanted.text));
      return;
    }
    // A wider field would have undefined bits, a narrower one would read bits of other fields.
    if (type.size != field.width) {
      draft_.error(rule::size_mismatch, field.where,
                   "field " + quoted(draft_.text(field.name)) + " has " + std::to_string(field.width) +
                       " bits, but its type " + quoted(wanted.text) + " has " + std::to_string(type.size));
      draft_.note(field.where, type.where, "the type");
      return;
    }
    field.type = FieldType::Bitset;
    field.bitset = candidates.back();
    check_unused(field);
  }

  // Reports attributes that have no effect for the field's type.
  void check_unused(const Field& field) {
    if (field.params.count != 0 && field.type != FieldType::Bitset) {
      draft_.warning(rule::unknown_param, rows_.params[field.params.first].where,
                     "params of field " + quoted(draft_.text(field.name)) + " are ignored: its type is not a bitset");
    }
    if (field.has_display && field.type != FieldType::Bool && field.type != FieldType::BoolInv) {
      draft_.warning(
          rule::ignored_display, field.where,
          "'display' of field " + quoted(draft_.text(field.name)) + " is ignored: only bool and bool_inv have one");
    }
  }

  void check_width(const Field& field) {
    // For derived fields, the declared width selects the float format.
    if (field.type == FieldType::Float && field.width != 16 && field.width != 32) {
      draft_.error(rule::size_mismatch, field.where,
                   "a float field of " + std::to_string(field.width) + " bits; expected 16 or 32");
    }
  }

  // --- masks -------------------------------------------------------------------------------------------------------------

  void make_masks() {
    std::size_t words = 0;
    for (Bitset& b : rows_.bitsets) {
      if (!b.is_leaf) continue;  // only leaves are matched
      words += words_for(b.size);
      // Checked before the masks are allocated.
      if (words > max_mask_words) {
        draft_.error(rule::limit_exceeded, b.where,
                     "the leaves together have more than " + std::to_string(max_mask_words * bits_per_word) + " bits");
        return;
      }
      b.care = b.match = b.dont_care = Bits(b.size);
      for (const BitsetId id : chain(b)) {
        const Bitset& part = bitset(id);
        for (std::uint32_t i = part.patterns.first; i < part.patterns.first + part.patterns.count; ++i) {
          add_pattern(rows_.patterns[i].text, rows_.patterns[i].low, b.size, b.care, b.match, &b.dont_care);
        }
      }
      // If one pattern makes a bit don't-care and another fixes it, it is don't-care, as in Mesa.
      b.care &= ~b.dont_care;
      b.match &= b.care;
    }
  }

  static void add_pattern(std::string_view text, std::uint32_t low, std::uint32_t size, Bits& care, Bits& match,
                          Bits* dont_care) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      // The leftmost character is the highest bit.
      const std::uint32_t bit = low + static_cast<std::uint32_t>(text.size() - 1 - i);
      if (bit >= size) continue;  // reported by validate()
      if (text[i] != 'x') care.set(bit);
      else if (dont_care != nullptr) dont_care->set(bit);
      if (text[i] == '1') match.set(bit);
    }
  }

  // --- instruction roots ---------------------------------------------------------------------------------------------

  void find_instruction_roots() {
    if (draft_.encoding.empty()) {
      const auto found = draft_.bitsets_by_name.find(draft_.find("#instruction").raw);
      // Without `encoding`, the only instruction root has the name that Mesa's tools expect. Its size is the unit of
      // program addresses.
      if (found == draft_.bitsets_by_name.end() || !bitset(found->second.back()).is_root()) {
        draft_.error(rule::missing_root, {FileId(std::size_t{0}), 0, 0},
                     "expected a root bitset '#instruction', or an 'encoding'");
        return;
      }
      const Bitset& root = bitset(found->second.back());
      rows_.unit_bits = root.size;
      if (root.size % 8 != 0)
        draft_.error(rule::bad_size, root.where,
                     "an instruction size of " + std::to_string(root.size) + " bits; expected a multiple of 8");
      // Vireo accepts any number of bytes, but Mesa's tools require multiples of 32 bits.
      else if (root.size % 32 != 0)
        draft_.warning(rule::bad_size, root.where,
                       "Mesa's tools require an instruction size that is a multiple of 32 bits, found " +
                           std::to_string(root.size));
      rows_.instruction_roots.push_back({found->second.back(), false, Bits(), Bits()});
      return;
    }
    rows_.unit_bits = draft_.encoding_unit;
    // The roots are tried in the order of the rows (docs/isaspec.md, "Instructions of several sizes").
    for (const EncodingRow& row : draft_.encoding) {
      const auto found = draft_.bitsets_by_name.find(draft_.find(row.root.text).raw);
      if (found == draft_.bitsets_by_name.end() || !bitset(found->second.back()).is_root()) {
        draft_.error(rule::missing_root, row.root.where, "unknown root bitset " + quoted(row.root.text));
        continue;
      }
      const Bitset& root = bitset(found->second.back());
      // Otherwise the next instruction would begin inside a unit.
      if (root.size % draft_.encoding_unit != 0) {
        draft_.error(rule::bad_size, row.root.where,
                     quoted(row.root.text) + " has " + std::to_string(root.size) +
                         " bits; expected a multiple of the unit (" + std::to_string(draft_.encoding_unit) + ")");
      }
      InstructionRoot result{found->second.back(), row.width != 0, Bits(root.size), Bits(root.size)};
      if (row.width != 0 && row.low + row.width > root.size) {
        draft_.error(rule::bad_range, row.root.where, "the pattern exceeds the bits of " + quoted(row.root.text));
      }
      add_pattern(row.pattern.substr(0, row.width), row.low, root.size, result.care, result.match, nullptr);
      rows_.instruction_roots.push_back(std::move(result));
    }
  }

  std::span<const BitsetId> chain(const Bitset& b) const {
    return {rows_.chains.data() + b.chain.first, b.chain.count};
  }

  ModelBuilder& draft_;
  ModelRows& rows_;
  std::vector<BitsetId> parents_;
  ExpressionId nothing_;
  std::size_t hints_ = 0;
};

}  // namespace

void resolve(ModelBuilder& draft) { Resolver(draft).run(); }

}  // namespace vireo::isa

// SPDX-License-Identifier: Apache-2.0
//
// Builds variants from readings.
//
// The picks are enumerated by counting. Each field with several readings is a digit, and the last digit
// changes fastest. A variant is built for each number. If a digit contradicts those before it, all numbers with this
// prefix are skipped. Most contradictions are found early, because all fields of one override must agree on whether its
// condition holds.
#include "isa/encode/variant.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "vireo/isa/load.h"

namespace vireo::isa {
namespace {

constexpr std::size_t max_builds = 1u << 8;  // limit on builds, including those of contradictory variants

class VariantBuilder {
 public:
  VariantBuilder(const Model& model, const DecodeTables& tables, const ReadSettings& settings)
      : model_(model), tables_(tables), settings_(settings) {}

  /// Builds the variant that the digits select. Returns false if the last digit that was read contradicts those before
  /// it.
  bool build(Variant& variant);
  /// Advances to the next number. Returns false if there is none.
  bool next();

 private:
  // The picked reading of a field, and the number of its readings.
  struct Digit {
    std::uint32_t value = 0;
    std::uint32_t count = 0;
  };
  // A condition of a scope that must hold, or must not.
  struct Requirement {
    std::uint32_t scope;
    std::uint32_t condition;
    bool holds;
  };
  bool open(Variant& variant, std::uint32_t read_scope, std::uint32_t parent, const std::uint32_t* arguments,
            std::uint32_t low);
  bool add_field(Variant& variant, std::uint32_t index, std::uint32_t scope);
  bool require(std::uint32_t scope, std::uint32_t condition, bool holds);
  void add_pattern(Variant& variant, const Bits& care, const Bits& match, std::uint32_t low) const;
  void add_asserts(Variant& variant, std::uint32_t scope) const;
  void add_defaults(Variant& variant, std::uint32_t scope);
  void add_open_default(Variant& variant, std::uint32_t scope, std::uint32_t resolver) const;
  void open_for_proof(Variant& variant) const;
  [[nodiscard]] bool has_asserts(const Plan& plan) const;

  const Model& model_;
  const DecodeTables& tables_;
  const ReadSettings& settings_;
  std::vector<Digit> digits_;
  std::size_t used_ = 0;  // digits that the last build read
  std::vector<Requirement> demands_;
  std::unordered_map<std::uint64_t, std::size_t> demand_index_;  // key: scope and condition
  std::unordered_map<std::uint32_t, ScopeDefaults> defaults_;    // key: plan; shared by all variants
  // Scopes still to be opened: the read scope, and the part that contains it.
  struct Pending {
    std::uint32_t read_scope;
    std::uint32_t part;
  };
  std::vector<Pending> pending_;
};

bool VariantBuilder::build(Variant& variant) {
  // Clear the state of the previous build. The digits remain: they are the number to build.
  used_ = 0;
  demands_.clear();
  demand_index_.clear();
  pending_.clear();
  variant.base.assign(2 * (words_for(tables_.max_bits) + 1), 0);
  const ReadScope& instruction = settings_.scopes.front();
  for (const DecodeTables::Root& root : tables_.roots) {
    // The pattern of an instruction root also fixes bits. If several rows have the same root, any of them may apply, so
    // no pattern is added, and verification rejects a wrong word.
    const auto is_same = [&](const DecodeTables::Root& other) { return other.group == root.group; };
    if (root.group != instruction.group || !root.row->has_pattern) continue;
    if (std::count_if(tables_.roots.begin(), tables_.roots.end(), is_same) == 1)
      add_pattern(variant, root.row->care, root.row->match, 0);
  }
  // Open scopes from the outermost inwards, so that a parent's index is always known.
  if (!open(variant, 0, nowhere, nullptr, 0)) return false;
  for (std::size_t next = 0; next < pending_.size();) {  // opening a scope may add others
    const Pending pending = pending_[next++];
    // A copy, because opening adds parts and may move them.
    const Part part = variant.parts[pending.part];
    variant.parts[pending.part].nested = static_cast<std::uint32_t>(variant.scopes.size());
    const Definition& definition = tables_.definitions[part.definition];
    if (!open(variant, pending.read_scope, part.scope, tables_.arguments.data() + definition.arguments, part.low))
      return false;
  }
  for (const Requirement& wanted : demands_) {
    const auto kind = wanted.holds ? Constraint::Kind::IsTrue : Constraint::Kind::IsFalse;
    variant.constraints.push_back({kind, wanted.scope, wanted.condition});
  }
  // Do this after all scopes are open, because defaults depend on which nested bitsets are set.
  for (const std::uint32_t scope : variant.asserts) add_asserts(variant, scope);
  for (std::uint32_t scope = 0; scope < variant.scopes.size(); ++scope) add_defaults(variant, scope);
  open_for_proof(variant);
  return true;
}

// Increments the last digit that the build read. All values of later digits are skipped, because they cannot change the
// result.
bool VariantBuilder::next() {
  digits_.resize(used_);  // later digits belong to fields that were not reached
  while (!digits_.empty() && digits_.back().value + 1 == digits_.back().count) digits_.pop_back();
  if (digits_.empty()) return false;
  ++digits_.back().value;
  return true;
}

// Opens a scope with the pattern and the refusals of its leaf, and adds the fields that are set in it.
bool VariantBuilder::open(Variant& variant, std::uint32_t read_scope, std::uint32_t parent,
                          const std::uint32_t* arguments, std::uint32_t low) {
  const ReadScope& read = settings_.scopes[read_scope];
  const Plan& plan = tables_.plans[read.plan];
  const auto scope = static_cast<std::uint32_t>(variant.scopes.size());
  // A scope is an index into this list. `leaves`, and the scopes for verification, are parallel to it.
  variant.scopes.push_back({&plan, parent, arguments, low});
  variant.leaves.push_back({read.group, read.plan, low});
  if (has_asserts(plan)) variant.asserts.push_back(scope);
  if (plan.refusals.count != 0) variant.refusing.push_back(scope);
  for (std::uint32_t i = plan.refusals.first; i < plan.refusals.first + plan.refusals.count; ++i) {
    if (!require(scope, tables_.refusals[i], false)) return false;
  }
  const Bitset& leaf = model_[plan.leaf];
  add_pattern(variant, leaf.care, leaf.match, low);
  return std::all_of(read.fields.begin(), read.fields.end(),
                     [&](std::uint32_t field) { return add_field(variant, field, scope); });
}

bool VariantBuilder::add_field(Variant& variant, std::uint32_t index, std::uint32_t scope) {
  const ReadField& field = settings_.fields[index];
  std::uint32_t picked = 0;
  if (field.readings.size() > 1) {
    // Add a digit when a field with several readings is reached. The digits before it determine which fields are
    // reached.
    if (used_ == digits_.size()) digits_.push_back({0, static_cast<std::uint32_t>(field.readings.size())});
    picked = digits_[used_++].value;
  }
  const Reading& reading = field.readings[picked];
  const Definition& definition = tables_.definitions[reading.definition];
  // The first definition whose condition holds applies.
  const Run choices = tables_.resolvers[field.resolver].choices;
  for (std::uint32_t i = 0; i <= reading.choice; ++i) {
    const Choice& choice = tables_.choices[choices.first + i];
    if (choice.definition == nowhere || choice.condition == nowhere) continue;
    if (!require(scope, choice.condition, i == reading.choice)) return false;
  }
  Part part;
  part.field = index;
  part.scope = scope;
  part.resolver = field.resolver;
  part.definition = reading.definition;
  part.value = reading.value;
  part.low = variant.scopes[scope].low + definition.low;
  part.width = definition.width;
  if (definition.expression != nowhere) {
    part.constraint = static_cast<std::uint32_t>(variant.constraints.size());
    Constraint constraint{Constraint::Kind::Equals, scope, definition.expression};
    if (part.value.kind == ReadValue::Kind::IsTrue) constraint.kind = Constraint::Kind::IsTrue;
    if (part.value.kind == ReadValue::Kind::IsFalse) constraint.kind = Constraint::Kind::IsFalse;
    // For a blank, form.cpp sets the value.
    constraint.value = part.value.value;
    // If the type has a width, bits above it are ignored: the expression may compute -1 as 255.
    const bool has_width = is_signed(definition.type) || definition.type == FieldType::Float;
    constraint.mask = has_width ? low_mask(definition.width) : ~BitWord{0};
    variant.constraints.push_back(constraint);
  }
  if (reading.scope != nowhere) pending_.push_back({reading.scope, static_cast<std::uint32_t>(variant.parts.size())});
  variant.parts.push_back(std::move(part));
  return true;
}

bool VariantBuilder::require(std::uint32_t scope, std::uint32_t condition, bool holds) {
  const auto [same, is_new] = demand_index_.try_emplace(std::uint64_t{scope} << 32 | condition, demands_.size());
  // A condition that must both hold and not hold is a contradiction for every word. The solver finds all other
  // contradictions.
  if (!is_new) return demands_[same->second].holds == holds;
  demands_.push_back({scope, condition, holds});
  return true;
}

// If patterns contradict each other, the first one is kept, and verification rejects the word.
void VariantBuilder::add_pattern(Variant& variant, const Bits& care, const Bits& match, std::uint32_t low) const {
  BitWord* value = variant.base.data();
  const PartialWord word{value, value + variant.base.size() / 2};
  for (std::uint32_t bit = 0; bit < care.width(); ++bit) {
    if (care.test(bit)) word.put(low + bit, 1, match.test(bit) ? 1 : 0);
  }
}

// Adds the asserts up to the first case with a display; the decoder checks each one whose condition holds. If set bits
// contradict an assert, its condition must not hold.
void VariantBuilder::add_asserts(Variant& variant, std::uint32_t scope) const {
  const Plan& plan = *variant.scopes[scope].plan;
  for (std::uint32_t i = plan.displays.first; i < plan.displays.first + plan.displays.count; ++i) {
    const DisplayStep& step = tables_.displays[i];
    for (std::uint32_t k = step.asserts.first; k < step.asserts.first + step.asserts.count; ++k) {
      const AssertCheck& check = tables_.asserts[k];
      // An unconditional assert applies to every word, and form.cpp fills it in. Verification checks wide asserts.
      if (step.condition == nowhere || check.width > bits_per_word) continue;
      const std::uint32_t low = variant.scopes[scope].low + check.low;
      variant.constraints.push_back(
          {Constraint::Kind::Implies, scope, step.condition, low, check.width, check.expected});
    }
    if (step.has_display) return;
  }
}

void VariantBuilder::add_defaults(Variant& variant, std::uint32_t scope) {
  const std::uint32_t plan = variant.leaves[scope].plan;
  const std::uint32_t low = variant.scopes[scope].low;
  // Computed once for each leaf, because variants differ in readings, but rarely in leaves.
  const auto [known, is_new] = defaults_.try_emplace(plan);
  if (is_new) known->second = defaults_of_plan(model_, tables_, plan);
  // A nested bitset that is set has its defaults in its own scope.
  std::vector<const Part*> nested;
  std::unordered_set<std::uint32_t> given;
  for (const Part& part : variant.parts) {
    if (part.scope != scope) continue;
    given.insert(part.resolver);
    if (part.nested != nowhere) nested.push_back(&part);
  }
  for (const DefaultBits& bits : known->second.bits) {
    const bool is_given = std::any_of(nested.begin(), nested.end(), [&](const Part* part) {
      return part->low <= low + bits.low && low + bits.low < part->low + part->width;
    });
    if (!is_given) variant.defaults.push_back({low + bits.low, bits.width, bits.value});
  }
  for (const std::uint32_t resolver : known->second.open) {
    if (!given.contains(resolver)) add_open_default(variant, scope, resolver);
  }
}

// Adds default bits for each definition of a name, because only the finished word determines which one applies.
void VariantBuilder::add_open_default(Variant& variant, std::uint32_t scope, std::uint32_t resolver) const {
  const auto first = static_cast<std::uint32_t>(variant.open_bits.size());
  const Run choices = tables_.resolvers[resolver].choices;
  bool is_zero = true;
  for (std::uint32_t i = choices.first; i < choices.first + choices.count; ++i) {
    std::vector<DefaultBits>& row = variant.open_bits.emplace_back();
    const std::uint32_t index = tables_.choices[i].definition;
    if (index == nowhere) continue;
    const Definition& definition = tables_.definitions[index];
    if (definition.type != FieldType::Bitset || definition.is_passed) continue;
    for (const DefaultBits& bits : defaults_of_group(model_, tables_, definition.group))
      row.push_back({variant.scopes[scope].low + definition.low + bits.low, bits.width, bits.value});
    is_zero &= row.empty();
  }
  // Zero defaults need no entry, because unset bits are zero.
  if (is_zero) variant.open_bits.resize(first);
  else variant.open_defaults.push_back({scope, resolver, first});
}

// Few leaves have asserts. Verification need not search for a display in the others.
bool VariantBuilder::has_asserts(const Plan& plan) const {
  for (std::uint32_t i = plan.displays.first; i < plan.displays.first + plan.displays.count; ++i) {
    if (tables_.displays[i].asserts.count != 0) return true;
  }
  return false;
}

// Creates the scopes for verification after the last scope is added, because they have pointers to each other.
void VariantBuilder::open_for_proof(Variant& variant) const {
  // Allocates all memory first and takes addresses afterwards, because growth would move it.
  std::size_t memos = 0;
  for (const OpenScope& scope : variant.scopes) memos += scope.plan->memos;
  variant.values.resize(memos);
  variant.states.resize(memos);
  variant.opened.resize(variant.scopes.size());
  memos = 0;
  for (std::uint32_t i = 0; i < variant.scopes.size(); ++i) {
    const OpenScope& from = variant.scopes[i];
    Scope& scope = variant.opened[i];
    scope.plan = from.plan;
    scope.parent = from.parent == nowhere ? nullptr : &variant.opened[from.parent];
    scope.arguments = from.arguments;
    scope.low = from.low;
    scope.values = variant.values.data() + memos;
    scope.states = variant.states.data() + memos;
    scope.number = i;
    memos += from.plan->memos;
  }
}

}  // namespace

std::vector<std::unique_ptr<Variant>> variants_of(const Model& model, const DecodeTables& tables,
                                                  const ReadSettings& settings) {
  std::vector<std::unique_ptr<Variant>> variants;
  VariantBuilder builder(model, tables, settings);
  std::size_t builds = 0;
  do {
    auto variant = std::make_unique<Variant>(tables);
    if (builder.build(*variant)) variants.push_back(std::move(variant));
  } while (++builds < max_builds && variants.size() < max_variants && builder.next());
  return variants;
}

}  // namespace vireo::isa

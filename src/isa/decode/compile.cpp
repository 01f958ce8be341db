// SPDX-License-Identifier: Apache-2.0
//
// Compiles groups, plans and name resolution. docs/isaspec.md, "Resolving a name".
//
// Resolve every name of every leaf at load time (isaspec 2.4), so that decoding a word only walks lists
// of (condition, definition). Most lists have one unconditional entry: the field is then a position and a width. Mesa
// resolves names for every word, which takes half of its time (isaspec 7). Each set of params has its own group, so
// fields passed as params become bits of the instruction. A limit on rows also bounds the number of groups; a
// description that exceeds it is rejected.
#include <algorithm>
#include <unordered_set>

#include "isa/decode/compiler.h"

namespace vireo::isa {
namespace {

constexpr std::size_t max_cases_with_facts = 256;  // beyond this, no facts: each display would compile its names again
// Beyond this depth, values are computed where they are used: slower, with the same result.
constexpr int max_value_depth = 16;  // derived fields of derived fields

}  // namespace

// Compiles nothing if the model has errors: a faulty model may violate the invariants of the tables.
DecodeTables Compiler::run() {
  if (!model_.is_sound()) {
    tables_.is_unusable = true;
    return std::move(tables_);
  }
  for (const InstructionRoot& row : model_.instruction_roots()) {
    const std::uint32_t size = model_[row.root].size;
    tables_.roots.push_back({group_of(row.root, {}), size, &row});
    // The work list adds the roots of fields; only instruction roots determine the longest word.
    tables_.max_bits = std::max(tables_.max_bits, size);
  }
  // Mesa stores values in a type as wide as an instruction. Instruction sets of up to 32 bits therefore truncate
  // derived values to 32 bits (1.4.4).
  tables_.cuts_derived = options_.mesa_compat && tables_.max_bits <= 32;
  // A work list instead of recursion: nested roots may request further groups.
  while (next_group_ < pending_.size() && !tables_.is_unusable) compile_group(next_group_++);
  return std::move(tables_);
}

// Numbers the group now and compiles it later, because its own plans may need it. The signature is part of the key,
// because plans depend on it.
std::uint32_t Compiler::group_of(BitsetId root, const Signature& signature) {
  const auto [entry, is_new] = group_index_.try_emplace({root, signature}, size_of(tables_.groups));
  if (!is_new) return entry->second;
  // The signature does not affect which leaf matches, so all groups of a root share its tree.
  const auto [tree, is_new_tree] = tree_index_.try_emplace(root.raw, size_of(tables_.trees));
  if (is_new_tree) tables_.trees.emplace_back(model_, root, options_.gen);
  Group group{tree->second, size_of(tables_.plans), model_[root].size, false};
  const std::span<const BitsetId> leaves = tables_.trees[tree->second].leaves();
  // Registers and addresses usually have one leaf without a pattern, which always matches.
  if (leaves.size() == 1) group.is_certain = !(model_[leaves[0]].care | model_[leaves[0]].dont_care).any();
  tables_.groups.push_back(group);
  // Reserve all plans now: a plan is at the group's first plan plus the index of its leaf.
  tables_.plans.resize(tables_.plans.size() + tables_.trees[tree->second].leaves().size());
  pending_.push_back({tree->second, signature});
  tables_.is_unusable |= tables_.plans.size() > max_model_rows / 4;
  return entry->second;
}

// Prepares the tables that depend on the signature once for all leaves of the root.
void Compiler::compile_group(std::size_t group) {
  const PendingGroup pending = pending_[group];  // a copy, because compiling may add groups
  const std::uint32_t first = tables_.groups[group].first_plan;
  const std::size_t count = tables_.trees[pending.tree].leaves().size();
  signature_ = &pending.signature;
  argument_index_.clear();
  passed_bitsets_.clear();
  for (std::uint32_t i = 0; i < size_of(pending.signature); ++i) {
    const Argument& argument = pending.signature[i];
    argument_index_.emplace(argument.inner.raw, i);
    passed_bitsets_.insert(passed_bitsets_.end(), argument.bitsets.begin(), argument.bitsets.end());
  }
  std::sort(passed_bitsets_.begin(), passed_bitsets_.end());
  passed_bitsets_.erase(std::unique(passed_bitsets_.begin(), passed_bitsets_.end()), passed_bitsets_.end());
  for (std::uint32_t i = 0; i < count && !tables_.is_unusable; ++i) {
    compile_plan(first + i, tables_.trees[pending.tree].leaves()[i]);
  }
}

// Compiles a plan in four steps: the cases of this generation, the facts about their conditions, displays and names,
// and expressions. Displays and names add further definitions and expressions, so expressions are last.
void Compiler::compile_plan(std::uint32_t index, BitsetId leaf_id) {
  const Bitset& leaf = model_[leaf_id];
  begin_plan();
  gather_cases(leaf);
  // If a condition can fail or depend on itself, its value depends on when it is evaluated, so facts do not hold. This
  // test needs all cases, because a condition may read a field of a later case.
  uses_facts_ = !has_unclean_condition() && cases_.size() <= max_cases_with_facts;
  if (options_.mesa_compat) is_careful_ = has_unclean_condition() || order_matters();

  Plan plan;
  plan.leaf = leaf_id;
  plan.name = leaf.display_name;
  plan.size = leaf.size;
  plan.is_careful = is_careful_;
  plan.is_refused = model_.assembly_mark(leaf) == AssemblyMark::Never;
  compile_displays(plan);
  compile_refusals(plan);
  compile_fields(plan);
  if (tables_.is_unusable) return;
  // Do this before the expressions, because the params of adopted bitsets resolve names of this plan.
  plan.adopted = adopt_bitsets();
  compile_expressions(plan);
  tables_.plans[index] = plan;
  // Bound the work by counting result rows, so that a product of leaves, params and displays is rejected before it
  // exhausts memory.
  rows_ += cases_.size() + defined_.size() + plan.expressions.count;
  tables_.is_unusable |= rows_ > max_model_rows;
}

// Resets the state of a plan. The containers keep their memory.
void Compiler::begin_plan() {
  cases_.clear();
  seen_.clear();
  local_.clear();
  resolver_index_.clear();
  definition_index_.clear();
  argument_definition_.clear();
  flat_.clear();
  states_.clear();
  defined_.clear();
  all_facts_.assign(1, {});
  facts_ = 0;
  first_display_.clear();
  is_careful_ = false;
}

// The leaf comes first, then its ancestors; in each bitset, the overrides precede the default case. This is the search
// order of isaspec 2.4, and case numbers in this file are positions in it.
void Compiler::gather_cases(const Bitset& leaf) {
  for (const BitsetId id : model_.chain(leaf)) {
    for (const Case& row : model_.cases(model_[id])) {
      std::uint32_t condition = nowhere;
      if (!row.is_default()) {
        const std::optional<std::int64_t> constant = constant_value(row.condition);
        // A condition that depends only on the generation is constant here, so `ISA_GPU_ID() >= 600` costs nothing when
        // decoding.
        if (constant && *constant == 0) continue;
        if (!constant) condition = local_expression(row.condition);
      }
      const auto position = size_of(cases_);
      cases_.push_back({&row, condition, &model_[id]});
      for (const Field& field : model_.fields(row)) {
        std::vector<std::pair<std::uint32_t, const Field*>>& list = defined_[field.name.raw];
        // The loader reports two fields of one name in a case. As in Mesa, the later one is used.
        if (!list.empty() && list.back().first == position) list.back().second = &field;
        else list.emplace_back(position, &field);
      }
    }
  }
}

void Compiler::compile_displays(Plan& plan) {
  plan.displays.first = size_of(tables_.displays);
  for (std::uint32_t position = 0; position < cases_.size(); ++position) {
    const SeenCase& seen = cases_[position];
    if (uses_facts_ && !is_careful_) {
      facts_ = size_of(all_facts_);
      all_facts_.push_back({seen.condition, position});
    }
    compile_display(seen);
    facts_ = 0;
    if (!seen.row->has_display) continue;
    // The search stops at a display that always holds, so asserts after it are never checked (isaspec 2.5).
    if (seen.condition == nowhere) break;
    first_display_.try_emplace(seen.condition, position);
  }
  plan.displays.count = size_of(tables_.displays) - plan.displays.first;
}

void Compiler::compile_refusals(Plan& plan) {
  plan.refusals.first = size_of(tables_.refusals);
  for (const SeenCase& seen : cases_) {
    if (seen.row->mark != AssemblyMark::Never) continue;
    // If the condition always holds in this generation, the leaf cannot be assembled at all.
    if (seen.condition == nowhere) plan.is_refused = true;
    else tables_.refusals.push_back(seen.condition);
  }
  plan.refusals.count = size_of(tables_.refusals) - plan.refusals.first;
}

// Adds the fields that Decoded lists: all fields of the leaf, shown or not.
void Compiler::compile_fields(Plan& plan) {
  plan.fields.first = size_of(tables_.plan_fields);
  for (const SeenCase& seen : cases_) {
    if (tables_.is_unusable) return;
    for (const Field& field : model_.fields(*seen.row)) {
      if (defined_[field.name.raw].front().second != &field) continue;  // each name once
      const std::uint32_t resolver = resolver_of(field.name, nowhere);
      tables_.plan_fields.push_back(resolver);
      tables_.plan_field_names.push_back(field.name);
    }
  }
  plan.fields.count = size_of(tables_.plan_fields) - plan.fields.first;
}

// Compiling an expression may add others to the list. The list is finite: at most one entry for each expression of the
// model under each set of facts.
void Compiler::compile_expressions(Plan& plan) {
  plan.expressions.first = size_of(tables_.expressions);
  std::vector<CompiledExpression> compiled;
  while (!tables_.is_unusable) {
    if (!pending_params_.empty()) compile_params();
    else if (compiled.size() < seen_.size()) compiled.push_back(compile_expression(size_of(compiled)));
    else break;
  }
  for (CompiledExpression& expression : compiled) {
    // The other forms are cheaper to compute than to look up.
    if (expression.form == CompiledExpression::Form::General) expression.memo = plan.memos++;
  }
  tables_.expressions.insert(tables_.expressions.end(), compiled.begin(), compiled.end());
  plan.expressions.count = size_of(compiled);
  tables_.max_memos = std::max(tables_.max_memos, plan.memos);
}

// Expressions are numbered within the plan, because each scope stores its own values.
std::uint32_t Compiler::local_expression(ExpressionId id) {
  const auto [entry, is_new] = local_.try_emplace(id.raw, size_of(seen_));
  if (is_new) seen_.push_back({id, nullptr});
  return entry->second;
}

// A display is chosen because its condition holds and those of earlier displays do not. Conditions are pure, so this
// remains true while the display is printed.
bool Compiler::is_known_to_hold(std::uint32_t condition) const {
  return condition == nowhere || condition == all_facts_[facts_].holds;
}

// first_display_ has only the first display of a condition: if the condition held, the search would stop there.
bool Compiler::is_known_to_fail(std::uint32_t condition) const {
  const auto found = first_display_.find(condition);
  return found != first_display_.end() && found->second < all_facts_[facts_].position;
}

// Returns the resolver of a name: its definitions in search order, with their conditions. `innermost` is the expression
// that reads the name; the override with that condition counts as holding.
std::uint32_t Compiler::resolver_of(NameId name, std::uint32_t innermost) {
  // A resolver depends only on the facts, the name, and the condition being computed.
  const auto key = std::pair(under_facts(name.raw), innermost);
  if (const auto found = resolver_index_.find(key); found != resolver_index_.end()) return found->second;
  std::vector<Choice> choices;
  bool always_found = false;
  const auto found = defined_.find(name.raw);
  const std::size_t definitions = found == defined_.end() ? 0 : found->second.size();
  std::uint32_t position = 0;
  for (std::size_t i = 0; i <= definitions && !always_found; ++i) {
    // A careful plan also evaluates the conditions of all cases before the next definition. After the last definition,
    // it evaluates those of the remaining cases, as Mesa's search does.
    const std::uint32_t next = i < definitions ? found->second[i].first : size_of(cases_);
    for (; is_careful_ && position < next; ++position) {
      const std::uint32_t condition = cases_[position].condition;
      if (condition != nowhere && condition != innermost) choices.push_back({condition, nowhere});
    }
    position = next + 1;
    if (i == definitions) break;
    // A condition is evaluated as if its own override held.
    std::uint32_t condition = cases_[next].condition == innermost ? nowhere : cases_[next].condition;
    if (is_known_to_hold(condition)) condition = nowhere;
    if (is_known_to_fail(condition)) continue;
    choices.push_back({condition, definition_of(*found->second[i].second)});
    always_found = condition == nowhere;
  }
  NameResolver resolver;
  if (!always_found) {
    const std::uint32_t argument = argument_of(name);
    // If the argument is plain bits, add it as an ordinary definition. Any other argument is looked up in the enclosing
    // scope for each word.
    if (argument != nowhere && (*signature_)[argument].field)
      choices.push_back({nowhere, definition_of_argument(argument)});
    else resolver.argument = argument;
  }
  resolver.choices = {size_of(tables_.choices), size_of(choices)};
  tables_.choices.insert(tables_.choices.end(), choices.begin(), choices.end());
  tables_.resolvers.push_back(resolver);
  const std::uint32_t id = size_of(tables_.resolvers) - 1;
  resolver_index_.emplace(key, id);
  rows_ += 1 + choices.size();
  tables_.is_unusable |= rows_ > max_model_rows;
  return id;
}

// Returns the only definition that can apply; nowhere if several can.
std::uint32_t Compiler::direct_definition(std::uint32_t resolver) const {
  const Run choices = tables_.resolvers[resolver].choices;
  // The name is a param or undefined.
  if (choices.count == 0) return nowhere;
  const Choice& first = tables_.choices[choices.first];
  return first.condition == nowhere ? first.definition : nowhere;
}

// A field has one definition per set of facts: its value and its arguments may depend on them.
std::uint32_t Compiler::definition_of(const Field& field) {
  const FieldId id = model_.id_of(field);
  const std::uint64_t key = under_facts(id.raw);
  if (const auto found = definition_index_.find(key); found != definition_index_.end()) return found->second;
  const std::uint32_t index = size_of(tables_.definitions);
  definition_index_.emplace(key, index);
  tables_.definitions.emplace_back();  // reserve the row, because recursion may add others first
  Definition definition;
  definition.type = field.type;
  definition.has_display = field.has_display;
  definition.is_call = field.is_call;
  definition.low = field.low;
  definition.width = field.width;
  definition.display = field.display;
  definition.field = id;
  if (field.is_derived()) definition.expression = value_expression(field);
  if (field.type == FieldType::Enum) definition.enumeration = enum_table(field.enumeration);
  tables_.definitions[index] = definition;
  ++rows_;
  // Compile the group later: its params resolve names of this plan, possibly to this definition.
  if (field.type == FieldType::Bitset) pending_params_.push_back({index, &field, facts_, false});
  return index;
}

// Under facts, a value that flattens to bits gets its own expression. Otherwise all uses share one expression, which is
// computed once per scope and reports its faults once.
std::uint32_t Compiler::value_expression(const Field& field) {
  const std::uint32_t local = local_expression(field.expression);
  // Without facts, the shared expression is as exact as one of its own.
  if (facts_ == 0 || value_depth_ >= max_value_depth) return local;
  ++value_depth_;
  const FlatExpression* flat = flatten(local, 0);
  --value_depth_;
  if (flat == nullptr) return local;
  seen_.push_back({field.expression, flat});
  return size_of(seen_) - 1;
}

// Returns the argument with this inner name, or nowhere.
std::uint32_t Compiler::argument_of(NameId inner) const {
  const auto found = argument_index_.find(inner.raw);
  return found == argument_index_.end() ? nowhere : found->second;
}

// Returns the definition of a passed field as if it belonged to the plan.
std::uint32_t Compiler::definition_of_argument(std::uint32_t i) {
  if (const auto found = argument_definition_.find(i); found != argument_definition_.end()) return found->second;
  const Argument& argument = (*signature_)[i];
  const Field& field = model_[argument.field];
  Definition definition;
  definition.type = field.type;
  definition.has_display = field.has_display;
  definition.is_call = field.is_call;
  // The decoder reports such a field in the outer scope that declares it.
  definition.is_passed = true;
  definition.low = argument.low;
  definition.width = field.width;
  definition.display = field.display;
  definition.field = argument.field;
  if (field.type == FieldType::Enum) definition.enumeration = enum_table(field.enumeration);
  if (field.is_derived()) {
    definition.expression = size_of(seen_);
    seen_.push_back({field.expression, &argument.value});
  }
  tables_.definitions.push_back(definition);
  argument_definition_.emplace(i, size_of(tables_.definitions) - 1);
  return size_of(tables_.definitions) - 1;
}

// Compiles the arguments and the group of a nested bitset. Deferred, because an argument may itself be a nested bitset.
void Compiler::compile_params() {
  const auto [index, field, facts, is_adopted] = pending_params_.back();
  pending_params_.pop_back();
  facts_ = facts;
  Signature signature;
  std::vector<std::uint32_t> arguments;
  std::unordered_set<std::uint32_t> inner_names;  // the first param of a name is used
  for (const Param& param : model_.params(*field)) {
    if (!inner_names.insert(param.inner.raw).second) continue;
    const std::uint32_t resolver = resolver_of(param.outer, nowhere);
    arguments.push_back(resolver);
    signature.push_back(argument_for(param, resolver, is_adopted ? nowhere : field->low));
  }
  tables_.definitions[index].arguments = size_of(tables_.arguments);
  tables_.arguments.insert(tables_.arguments.end(), arguments.begin(), arguments.end());
  tables_.definitions[index].group = group_of(field->bitset, signature);
  facts_ = 0;
}

// Adds definitions for the passed bitsets that this plan may show.
Run Compiler::adopt_bitsets() {
  Run run{size_of(tables_.adopted), 0};
  for (const FieldId id : passed_bitsets_) {
    const Field& field = model_[id];
    Definition definition;
    definition.type = FieldType::Bitset;
    definition.low = field.low;
    definition.width = field.width;
    definition.field = id;
    tables_.adopted.push_back({id, size_of(tables_.definitions)});
    pending_params_.push_back({size_of(tables_.definitions), &field, 0, true});
    tables_.definitions.push_back(definition);
    ++rows_;
  }
  run.count = size_of(tables_.adopted) - run.first;
  return run;
}

// `origin` is the position of the nested scope within this one; nowhere if unknown.
Argument Compiler::argument_for(const Param& param, std::uint32_t resolver, std::uint32_t origin) {
  Argument argument;
  argument.inner = param.inner;
  // True if the lookup can neither fail nor recurse. The nested plan uses this to analyze its own expressions.
  argument.is_clean = !is_careful_ && is_clean_name(param.outer, nowhere, 0);
  const std::uint32_t direct = direct_definition(resolver);
  if (options_.mesa_compat) {
    const NameResolver& names = tables_.resolvers[resolver];
    for (std::uint32_t i = names.choices.first; i < names.choices.first + names.choices.count; ++i) {
      const std::uint32_t definition = tables_.choices[i].definition;
      if (definition == nowhere || tables_.definitions[definition].type != FieldType::Bitset) continue;
      argument.bitsets.push_back(tables_.definitions[definition].field);
    }
    if (names.argument != nowhere) {
      const std::vector<FieldId>& outer = (*signature_)[names.argument].bitsets;
      argument.bitsets.insert(argument.bitsets.end(), outer.begin(), outer.end());
    }
    std::sort(argument.bitsets.begin(), argument.bitsets.end());
    argument.bitsets.erase(std::unique(argument.bitsets.begin(), argument.bitsets.end()), argument.bitsets.end());
  }
  // If the definition depends on the word, is a bitset, or has no fixed distance, the nested scope resolves the name at
  // run time.
  if (direct == nowhere || tables_.definitions[direct].type == FieldType::Bitset || origin == nowhere) return argument;
  const Definition definition = tables_.definitions[direct];
  if (definition.expression == nowhere) {
    // The position is relative to the lowest bit of the nested scope, modulo 2^32, because the field may be below it.
    // Fields with equal params then share a signature and a group, wherever they are.
    argument.low = definition.low - origin;
  } else {
    const FlatExpression* value = flatten(definition.expression, 0);
    if (value == nullptr) return argument;
    argument.value = *value;
    // Likewise for all bits from which the value is computed.
    for (BitRange& slot : argument.value.slots) slot.low -= origin;
  }
  argument.is_clean = true;
  argument.field = definition.field;
  return argument;
}

DecodeTables compile(const Model& model, const DecodeOptions& options) { return Compiler(model, options).run(); }

}  // namespace vireo::isa

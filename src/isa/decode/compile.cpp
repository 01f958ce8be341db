// SPDX-License-Identifier: Apache-2.0
//
// Groups, plans, and what names stand for. docs/isaspec.md, "Resolving a name".
//
// The one idea: the search of isaspec 2.4 is done for every name of every leaf when the set is loaded. What is left for
// a word are lists of (condition, definition), mostly of one entry whose condition is known: a field is then two
// numbers, where it lies and how wide it is. Mesa does the search for every word, and spends half of its time on it
// (isaspec 7). Groups are made for the params they are opened with, so fields that are passed in become bits of the
// instruction. The number of groups is bounded by rows; a description that asks for more is refused, not decoded
// slowly.
#include <algorithm>
#include <unordered_set>

#include "isa/decode/compiler.h"

namespace vireo::isa {
namespace {

constexpr std::size_t max_cases_with_facts = 256;  // each display compiles its names anew; far beyond what people write
// Beyond, a value is computed where it is needed: slower, never different.
constexpr int max_value_depth = 16;  // derived fields of derived fields

}  // namespace

// Nothing is compiled of a model with errors: what is left after a fault need not keep the promises that the tables are
// built on.
DecodeTables Compiler::run() {
  if (!model_.is_sound()) {
    tables_.is_unusable = true;
    return std::move(tables_);
  }
  for (const InstructionRoot& row : model_.instruction_roots()) {
    const std::uint32_t size = model_[row.root].size;
    tables_.roots.push_back({group_of(row.root, {}), size, &row});
    // Roots of fields are met by the work list; only those of instructions say how long a word can be.
    tables_.max_bits = std::max(tables_.max_bits, size);
  }
  // Mesa passes values through a type as wide as an instruction: 32 bits of a derived value are lost in small sets
  // (1.4.4).
  tables_.cuts_derived = options_.mesa_compat && tables_.max_bits <= 32;
  // Not recursive: roots nest, and each way of nesting may ask for groups of its own.
  while (next_group_ < pending_.size() && !tables_.is_unusable) compile_group(next_group_++);
  return std::move(tables_);
}

// The group is numbered now and compiled later: it may be asked for while its own plans are compiled. What is passed in
// is part of the key, since plans have it built in.
std::uint32_t Compiler::group_of(BitsetId root, const Signature& signature) {
  const auto [entry, is_new] = group_index_.try_emplace({root, signature}, size_of(tables_.groups));
  if (!is_new) return entry->second;
  // Groups of one root differ in what is passed in, which has no say in which leaf matches: they share its tree.
  const auto [tree, is_new_tree] = tree_index_.try_emplace(root.raw, size_of(tables_.trees));
  if (is_new_tree) tables_.trees.emplace_back(model_, root, options_.gen);
  Group group{tree->second, size_of(tables_.plans), model_[root].size, false};
  const std::span<const BitsetId> leaves = tables_.trees[tree->second].leaves();
  // Registers and addresses are mostly such roots: one leaf without a pattern, so there is nothing to choose.
  if (leaves.size() == 1) group.is_certain = !(model_[leaves[0]].care | model_[leaves[0]].dont_care).any();
  tables_.groups.push_back(group);
  // Room for all plans at once: a plan is found by the group's first and the number of its leaf.
  tables_.plans.resize(tables_.plans.size() + tables_.trees[tree->second].leaves().size());
  pending_.push_back({tree->second, signature});
  tables_.is_unusable |= tables_.plans.size() > max_model_rows / 4;
  return entry->second;
}

// What belongs to the signature is prepared once for all leaves of the root.
void Compiler::compile_group(std::size_t group) {
  const PendingGroup pending = pending_[group];  // a copy: compiling may add groups
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

// A plan in four steps: the cases that exist in this generation; what is known of their conditions; displays and names,
// which ask for definitions and expressions; the expressions, once nothing asks for more.
void Compiler::compile_plan(std::uint32_t index, BitsetId leaf_id) {
  const Bitset& leaf = model_[leaf_id];
  begin_plan();
  gather_cases(leaf);
  // While a condition can fail or run in a circle, what it gave is not what it would give now.
  // Asked after all cases are known, as a condition may read what a later case defines.
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
  // Before the expressions, since bitsets that are shown here look up names of this plan.
  plan.adopted = adopt_bitsets();
  compile_expressions(plan);
  tables_.plans[index] = plan;
  // Work is counted in rows of the result, whichever way it is spent: who asks for a product of rows (leaves by params
  // by displays) gets a refusal before it fills the memory.
  rows_ += cases_.size() + defined_.size() + plan.expressions.count;
  tables_.is_unusable |= rows_ > max_model_rows;
}

// Everything from here on belongs to one plan. The containers are kept for their memory.
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

// The leaf first, then its ancestors; in each the overrides before what stands directly in it. This order is the search of
// isaspec 2.4, and every number of a case in this file is a place in it.
void Compiler::gather_cases(const Bitset& leaf) {
  for (const BitsetId id : model_.chain(leaf)) {
    for (const Case& row : model_.cases(model_[id])) {
      std::uint32_t condition = nowhere;
      if (!row.is_default()) {
        const std::optional<std::int64_t> constant = constant_value(row.condition);
        // Conditions on the generation alone are settled here: `ISA_GPU_ID() >= 600` costs nothing in a decoder for
        // one of them.
        if (constant && *constant == 0) continue;
        if (!constant) condition = local_expression(row.condition);
      }
      const auto position = size_of(cases_);
      cases_.push_back({&row, condition, &model_[id]});
      for (const Field& field : model_.fields(row)) {
        std::vector<std::pair<std::uint32_t, const Field*>>& list = defined_[field.name.raw];
        // Two of a name in one case: reported, and decoded as Mesa does.
        if (!list.empty() && list.back().first == position) list.back().second = &field;  // the later wins
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
    // Nobody looks behind a display that always holds, so asserts behind it are never checked, as isaspec 2.5 has it.
    if (seen.condition == nowhere) break;
    first_display_.try_emplace(seen.condition, position);
  }
  plan.displays.count = size_of(tables_.displays) - plan.displays.first;
}

void Compiler::compile_refusals(Plan& plan) {
  plan.refusals.first = size_of(tables_.refusals);
  for (const SeenCase& seen : cases_) {
    if (seen.row->mark != AssemblyMark::Never) continue;
    // The generation has decided the condition: in this one nothing is made of the leaf.
    if (seen.condition == nowhere) plan.is_refused = true;
    else tables_.refusals.push_back(seen.condition);
  }
  plan.refusals.count = size_of(tables_.refusals) - plan.refusals.first;
}

// For who walks a Decoded: all that the leaf could show, whether its display does or not.
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

// Compiling an expression may meet further ones, which join the list. It is finite: at most one for each expression of the
// model under each set of facts that a display of the plan brings.
void Compiler::compile_expressions(Plan& plan) {
  plan.expressions.first = size_of(tables_.expressions);
  std::vector<CompiledExpression> compiled;
  while (!tables_.is_unusable) {
    if (!pending_params_.empty()) compile_params();
    else if (compiled.size() < seen_.size()) compiled.push_back(compile_expression(size_of(compiled)));
    else break;
  }
  for (CompiledExpression& expression : compiled) {
    // Other forms are cheaper to compute than to look up.
    if (expression.form == CompiledExpression::Form::General) expression.memo = plan.memos++;
  }
  tables_.expressions.insert(tables_.expressions.end(), compiled.begin(), compiled.end());
  plan.expressions.count = size_of(compiled);
  tables_.max_memos = std::max(tables_.max_memos, plan.memos);
}

// Expressions are numbered within the plan, as a scope keeps the values of its own.
std::uint32_t Compiler::local_expression(ExpressionId id) {
  const auto [entry, is_new] = local_.try_emplace(id.raw, size_of(seen_));
  if (is_new) seen_.push_back({id, nullptr});
  return entry->second;
}

// A display was reached because its condition holds and those of displays before it do not. Conditions are pure, so
// that stays true while the display is walked.
bool Compiler::is_known_to_hold(std::uint32_t condition) const {
  return condition == nowhere || condition == all_facts_[facts_].holds;
}

// Only the first display of a condition is kept: had it held there, the search would have ended there.
bool Compiler::is_known_to_fail(std::uint32_t condition) const {
  const auto found = first_display_.find(condition);
  return found != first_display_.end() && found->second < all_facts_[facts_].position;
}

// The definitions of a name in the order of search, each with what decides on it. `innermost` is the expression that
// asks, whose own override counts as true.
std::uint32_t Compiler::resolver_of(NameId name, std::uint32_t innermost) {
  // A name means different things to different askers, but only by these three: what is known, the name, and whose
  // condition is being computed.
  const auto key = std::pair(under_facts(name.raw), innermost);
  if (const auto found = resolver_index_.find(key); found != resolver_index_.end()) return found->second;
  std::vector<Choice> choices;
  bool always_found = false;
  const auto found = defined_.find(name.raw);
  const std::size_t definitions = found == defined_.end() ? 0 : found->second.size();
  std::uint32_t position = 0;
  for (std::size_t i = 0; i <= definitions && !always_found; ++i) {
    // A careful plan asks the conditions on the way to the next case that defines the name.
    // Behind the last definition come the conditions up to the end of the search: it has to be sure that nobody else
    // defines the name.
    const std::uint32_t next = i < definitions ? found->second[i].first : size_of(cases_);
    for (; is_careful_ && position < next; ++position) {
      const std::uint32_t condition = cases_[position].condition;
      if (condition != nowhere && condition != innermost) choices.push_back({condition, nowhere});
    }
    position = next + 1;
    if (i == definitions) break;
    // A condition sees its own override as if it held.
    std::uint32_t condition = cases_[next].condition == innermost ? nowhere : cases_[next].condition;
    if (is_known_to_hold(condition)) condition = nowhere;
    if (is_known_to_fail(condition)) continue;
    choices.push_back({condition, definition_of(*found->second[i].second)});
    always_found = condition == nowhere;
  }
  NameResolver resolver;
  if (!always_found) {
    const std::uint32_t argument = argument_of(name);
    // A param that came down to bits is a definition like any other; one that did not is looked up in the scope around,
    // word by word.
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

// The only definition that can apply; nowhere when there is a choice.
std::uint32_t Compiler::direct_definition(std::uint32_t resolver) const {
  const Run choices = tables_.resolvers[resolver].choices;
  // Only a param, or nothing at all.
  if (choices.count == 0) return nowhere;
  const Choice& first = tables_.choices[choices.first];
  return first.condition == nowhere ? first.definition : nowhere;
}

// A field has one definition under each set of facts: what it is computed from, and what it passes on, may differ.
std::uint32_t Compiler::definition_of(const Field& field) {
  const FieldId id = model_.id_of(field);
  const std::uint64_t key = under_facts(id.raw);
  if (const auto found = definition_index_.find(key); found != definition_index_.end()) return found->second;
  const std::uint32_t index = size_of(tables_.definitions);
  definition_index_.emplace(key, index);
  tables_.definitions.emplace_back();  // its place: further definitions may come before this one is known
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
  // Its group is asked for later: to compile params is to resolve names of this plan, which may need this very
  // definition.
  if (field.type == FieldType::Bitset) pending_params_.push_back({index, &field, facts_, false});
  return index;
}

// Under facts, what comes down to bits is an expression of its own. What does not must stay the one that all share: it
// is computed once in a scope, and reports its faults once.
std::uint32_t Compiler::value_expression(const Field& field) {
  const std::uint32_t local = local_expression(field.expression);
  // Under no facts nothing can be said that is not true everywhere.
  if (facts_ == 0 || value_depth_ >= max_value_depth) return local;
  ++value_depth_;
  const FlatExpression* flat = flatten(local, 0);
  --value_depth_;
  if (flat == nullptr) return local;
  seen_.push_back({field.expression, flat});
  return size_of(seen_) - 1;
}

// Of what is passed in, the argument that is called so inside.
std::uint32_t Compiler::argument_of(NameId inner) const {
  const auto found = argument_index_.find(inner.raw);
  return found == argument_index_.end() ? nowhere : found->second;
}

// A field that is passed in, as if it were the plan's own.
std::uint32_t Compiler::definition_of_argument(std::uint32_t i) {
  if (const auto found = argument_definition_.find(i); found != argument_definition_.end()) return found->second;
  const Argument& argument = (*signature_)[i];
  const Field& field = model_[argument.field];
  Definition definition;
  definition.type = field.type;
  definition.has_display = field.has_display;
  definition.is_call = field.is_call;
  // The decoder tells its callers where such a field is declared, which is further out.
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

// The arguments of a nested bitset, and its group. Not done at once: what is passed may itself be a nested bitset.
void Compiler::compile_params() {
  const auto [index, field, facts, is_adopted] = pending_params_.back();
  pending_params_.pop_back();
  facts_ = facts;
  Signature signature;
  std::vector<std::uint32_t> arguments;
  std::unordered_set<std::uint32_t> inner_names;  // the first param of a name counts
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

// The definitions by which this plan shows bitsets that are passed in.
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

// `origin` is where the nested scope begins within this one; nowhere: that is not known.
Argument Compiler::argument_for(const Param& param, std::uint32_t resolver, std::uint32_t origin) {
  Argument argument;
  argument.inner = param.inner;
  // Whether looking it up from inside may fail or run in a circle, which decides how the nested plan may treat its own
  // expressions.
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
  // A choice, a bitset, or an unknown distance: the nested scope has to ask at run time.
  if (direct == nowhere || tables_.definitions[direct].type == FieldType::Bitset || origin == nowhere) return argument;
  const Definition definition = tables_.definitions[direct];
  if (definition.expression == nowhere) {
    // Counted from the nested scope's lowest bit, modulo 2^32: the field may lie below it. The same param of the same
    // field then has the same signature wherever in an instruction the field stands, and the group is shared.
    argument.low = definition.low - origin;
  } else {
    const FlatExpression* value = flatten(definition.expression, 0);
    if (value == nullptr) return argument;
    argument.value = *value;
    // Likewise all bits that the value is computed from.
    for (BitRange& slot : argument.value.slots) slot.low -= origin;
  }
  argument.is_clean = true;
  argument.field = definition.field;
  return argument;
}

DecodeTables compile(const Model& model, const DecodeOptions& options) { return Compiler(model, options).run(); }

}  // namespace vireo::isa

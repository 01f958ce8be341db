// SPDX-License-Identifier: Apache-2.0
//
// Model → tables: plans for all leaves that the instruction roots can reach.
//
// The one idea: a work list of groups. Compiling the plan of a leaf meets fields of bitset type; each asks for the group of
// (root, the inner names of its params), which is compiled later unless it exists. docs/isaspec.md, "Resolving a name".
#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "isa/decode/tables.h"
#include "vireo/isa/load.h"

namespace vireo::isa {
namespace {

// Bits relative to a scope, modulo 2^32.
struct BitRange {
  std::uint32_t low = 0;
  std::uint32_t width = 0;
  friend auto operator<=>(const BitRange&, const BitRange&) = default;
};

// An expression over bits alone.
struct FlatExpression {
  std::vector<ExpressionStep> steps;
  std::vector<BitRange> slots;
  friend auto operator<=>(const FlatExpression&, const FlatExpression&) = default;
};

// What a nested plan knows of an argument: the name it has inside, and whether looking it up always succeeds in silence.
// If it always is one field, that field, and its bits or its value seen from the nested scope.
struct Argument {
  NameId inner;
  bool is_clean = false;
  FieldId field;
  std::uint32_t low = 0;
  FlatExpression value;
  friend auto operator<=>(const Argument&, const Argument&) = default;
};
using Signature = std::vector<Argument>;

constexpr int max_analysis_depth = 200;
constexpr std::uint32_t max_table_bits = 10;
constexpr std::uint32_t max_text_class_bits = 8;
constexpr std::uint32_t max_closed_bits = 11;
constexpr std::uint32_t always_empty = ~std::uint32_t{0};
constexpr std::size_t max_flat_steps = 128;
constexpr std::size_t max_flat_slots = 16;
constexpr int max_flat_depth = 8;

std::uint32_t size_of(const auto& table) { return static_cast<std::uint32_t>(table.size()); }

class Compiler {
 public:
  Compiler(const Model& model, const DecodeOptions& options) : model_(model), options_(options) {
    tables_.gen = options.gen;
    tables_.unit_bits = model.unit_bits();
    tables_.enums.resize(model.enums().size());
    enum_is_made_.resize(model.enums().size());
  }

  DecodeTables run() {
    if (!model_.is_sound()) {
      tables_.is_unusable = true;
      return std::move(tables_);
    }
    for (const InstructionRoot& row : model_.instruction_roots()) {
      const std::uint32_t size = model_[row.root].size;
      tables_.roots.push_back({group_of(row.root, {}), size, &row});
      tables_.max_bits = std::max(tables_.max_bits, size);
    }
    tables_.cuts_derived = options_.mesa_compat && tables_.max_bits <= 32;
    while (next_group_ < pending_.size() && !tables_.is_unusable) compile_group(next_group_++);
    return std::move(tables_);
  }

 private:
  struct PendingGroup {
    std::uint32_t tree;
    Signature signature;
  };

  std::uint32_t group_of(BitsetId root, const Signature& signature) {
    const auto [entry, is_new] = group_index_.try_emplace({root, signature}, size_of(tables_.groups));
    if (!is_new) return entry->second;
    const auto [tree, is_new_tree] = tree_index_.try_emplace(root.raw, size_of(tables_.trees));
    if (is_new_tree) tables_.trees.emplace_back(model_, root, options_.gen);
    Group group{tree->second, size_of(tables_.plans), model_[root].size, false, nowhere};
    if (signature.empty() && group.size <= max_closed_bits) {
      group.closed = size_of(tables_.closed_groups);
      tables_.closed_groups.push_back(size_of(tables_.groups));
    }
    const std::span<const BitsetId> leaves = tables_.trees[tree->second].leaves();
    if (leaves.size() == 1) group.is_certain = !(model_[leaves[0]].care | model_[leaves[0]].dont_care).any();
    tables_.groups.push_back(group);
    tables_.plans.resize(tables_.plans.size() + tables_.trees[tree->second].leaves().size());
    pending_.push_back({tree->second, signature});
    tables_.is_unusable |= tables_.plans.size() > max_model_rows / 4;
    return entry->second;
  }

  void compile_group(std::size_t group) {
    const PendingGroup pending = pending_[group];  // a copy: compiling may add groups
    const std::uint32_t first = tables_.groups[group].first_plan;
    const std::size_t count = tables_.trees[pending.tree].leaves().size();
    for (std::uint32_t i = 0; i < count && !tables_.is_unusable; ++i) {
      compile_plan(first + i, tables_.trees[pending.tree].leaves()[i], pending.signature);
    }
  }

  // --- one plan ----------------------------------------------------------------------------------------------------------

  struct SeenCase {
    const Case* row;
    std::uint32_t condition;  // expression of the plan; nowhere: holds in this generation
    const Bitset* owner;
  };
  struct SeenExpression {
    ExpressionId id;
    enum class State : std::uint8_t { New, Open, Clean, Unclean } state = State::New;
    const FlatExpression* passed = nullptr;  // an argument's value, not an expression of the chain
  };

  void compile_plan(std::uint32_t index, BitsetId leaf_id, const Signature& signature) {
    const Bitset& leaf = model_[leaf_id];
    signature_ = &signature;
    cases_.clear();
    seen_.clear();
    local_.clear();
    resolver_index_.clear();
    definition_index_.clear();
    argument_definition_.assign(signature.size(), nowhere);
    flat_.clear();
    defined_.clear();
    is_careful_ = false;

    for (const BitsetId id : model_.chain(leaf)) {
      for (const Case& row : model_.cases(model_[id])) {
        std::uint32_t condition = nowhere;
        if (!row.is_default()) {
          const std::optional<std::int64_t> constant = constant_value(row.condition);
          if (constant && *constant == 0) continue;
          if (!constant) condition = local_expression(row.condition);
        }
        const auto position = size_of(cases_);
        cases_.push_back({&row, condition, &model_[id]});
        for (const Field& field : model_.fields(row)) {
          std::vector<std::pair<std::uint32_t, const Field*>>& list = defined_[field.name.raw];
          if (!list.empty() && list.back().first == position) list.back().second = &field;  // the later wins
          else list.emplace_back(position, &field);
        }
      }
    }
    for (const SeenCase& seen : cases_) {
      if (seen.condition != nowhere && !is_clean(seen.condition, 0)) is_careful_ = true;
    }

    Plan plan;
    plan.leaf = leaf_id;
    plan.name = leaf.display_name;
    plan.size = leaf.size;
    plan.is_careful = is_careful_;
    plan.displays.first = size_of(tables_.displays);
    for (const SeenCase& seen : cases_) {
      compile_display(seen);
      if (seen.condition == nowhere && seen.row->has_display) break;
    }
    plan.displays.count = size_of(tables_.displays) - plan.displays.first;
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
    plan.expressions.first = size_of(tables_.expressions);
    // Compiling an expression may meet further ones, which join the list.
    std::vector<CompiledExpression> compiled;
    while (!tables_.is_unusable) {
      if (!pending_params_.empty()) compile_params();
      else if (compiled.size() < seen_.size()) compiled.push_back(compile_expression(size_of(compiled)));
      else break;
    }
    for (CompiledExpression& expression : compiled) {
      if (expression.form == CompiledExpression::Form::General) expression.memo = plan.memos++;
    }
    tables_.expressions.insert(tables_.expressions.end(), compiled.begin(), compiled.end());
    plan.expressions.count = size_of(compiled);
    tables_.max_memos = std::max(tables_.max_memos, plan.memos);
    tables_.plans[index] = plan;
    rows_ += cases_.size() + defined_.size() + compiled.size();
    tables_.is_unusable |= rows_ > max_model_rows;
  }

  std::uint32_t local_expression(ExpressionId id) {
    const auto [entry, is_new] = local_.try_emplace(id.raw, size_of(seen_));
    if (is_new) seen_.push_back({id, {}, nullptr});
    return entry->second;
  }

  // The steps of an expression with the generation put in and folded.
  void folded_steps(ExpressionId id, std::vector<ExpressionStep>& result) const {
    result.clear();
    for (ExpressionStep step : model_.steps(model_[id])) {
      if (step.operation == Operation::Generation) step = {Operation::Constant, 0, options_.gen};
      const std::uint32_t count = operand_count(step.operation);
      const bool is_constant = count != 0 && result.size() >= count &&
                               std::all_of(result.end() - count, result.end(),
                                           [](const ExpressionStep& s) { return s.operation == Operation::Constant; });
      if (!is_constant) {
        result.push_back(step);
        continue;
      }
      result.push_back(step);
      const std::int64_t value = evaluate({&*(result.end() - count - 1), count + 1}, nullptr, options_.gen);
      result.resize(result.size() - count - 1);
      result.push_back({Operation::Constant, 0, value});
    }
  }

  std::optional<std::int64_t> constant_value(ExpressionId id) {
    if (!model_.slots(model_[id]).empty()) return std::nullopt;
    folded_steps(id, scratch_);
    return scratch_.empty() ? 0 : scratch_.front().constant;
  }

  // --- analysis: can evaluating report a fault, or run in a circle? -------------------------------------------------------

  bool is_clean(std::uint32_t expression, int depth) {
    using State = SeenExpression::State;
    switch (seen_[expression].state) {
      case State::Clean: return true;
      case State::Unclean:
      case State::Open: return false;
      case State::New: break;
    }
    if (depth > max_analysis_depth) return false;
    seen_[expression].state = State::Open;
    bool result = true;
    for (const NameId name : model_.slots(model_[seen_[expression].id])) {
      result = is_clean_name(name, expression, depth + 1) && result;
    }
    seen_[expression].state = result ? State::Clean : State::Unclean;
    return result;
  }

  // Looking the name up, and taking its value, while `innermost` is evaluated.
  bool is_clean_name(NameId name, std::uint32_t innermost, int depth) {
    if (const auto found = defined_.find(name.raw); found != defined_.end()) {
      for (const auto& [position, field] : found->second) {
        const std::uint32_t condition = cases_[position].condition;
        if (condition != nowhere && condition != innermost && !is_clean(condition, depth)) return false;
        if (field->is_derived() && !is_clean(local_expression(field->expression), depth)) return false;
        if (condition == nowhere || condition == innermost) return true;
      }
    }
    const auto argument = std::find_if(signature_->begin(), signature_->end(), [&](const Argument& a) { return a.inner == name; });
    return argument != signature_->end() && argument->is_clean;
  }

  // --- names -------------------------------------------------------------------------------------------------------------

  std::uint32_t resolver_of(NameId name, std::uint32_t innermost) {
    const auto key = std::pair(name.raw, innermost);
    if (const auto found = resolver_index_.find(key); found != resolver_index_.end()) return found->second;
    std::vector<Choice> choices;
    bool always_found = false;
    const auto found = defined_.find(name.raw);
    const std::size_t definitions = found == defined_.end() ? 0 : found->second.size();
    std::uint32_t position = 0;
    for (std::size_t i = 0; i <= definitions && !always_found; ++i) {
      // A careful plan asks the conditions on the way to the next case that defines the name.
      const std::uint32_t next = i < definitions ? found->second[i].first : size_of(cases_);
      for (; is_careful_ && position < next; ++position) {
        const std::uint32_t condition = cases_[position].condition;
        if (condition != nowhere && condition != innermost) choices.push_back({condition, nowhere});
      }
      position = next + 1;
      if (i == definitions) break;
      // A condition sees its own override as if it held.
      const std::uint32_t condition = cases_[next].condition == innermost ? nowhere : cases_[next].condition;
      choices.push_back({condition, definition_of(*found->second[i].second)});
      always_found = condition == nowhere;
    }
    NameResolver resolver;
    if (!always_found) {
      for (std::uint32_t i = 0; i < signature_->size(); ++i) {
        if ((*signature_)[i].inner != name) continue;
        if ((*signature_)[i].field) choices.push_back({nowhere, definition_of_argument(i)});
        else resolver.argument = i;
        break;
      }
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
  [[nodiscard]] std::uint32_t direct_definition(std::uint32_t resolver) const {
    const Run choices = tables_.resolvers[resolver].choices;
    if (choices.count == 0) return nowhere;
    const Choice& first = tables_.choices[choices.first];
    return first.condition == nowhere ? first.definition : nowhere;
  }

  std::uint32_t definition_of(const Field& field) {
    const FieldId id = model_.id_of(field);
    if (const auto found = definition_index_.find(id.raw); found != definition_index_.end()) return found->second;
    const std::uint32_t index = size_of(tables_.definitions);
    definition_index_.emplace(id.raw, index);
    Definition definition;
    definition.type = field.type;
    definition.has_display = field.has_display;
    definition.is_call = field.is_call;
    definition.low = field.low;
    definition.width = field.width;
    definition.display = field.display;
    definition.field = id;
    if (field.is_derived()) definition.expression = local_expression(field.expression);
    if (field.type == FieldType::Enum) definition.enumeration = enum_table(field.enumeration);
    definition.text_class = text_class_of(definition, field);
    tables_.definitions.push_back(definition);
    if (field.type == FieldType::Bitset) pending_params_.emplace_back(index, &field);
    return index;
  }

  // A field that is passed in, as if it were the plan's own.
  std::uint32_t definition_of_argument(std::uint32_t i) {
    if (argument_definition_[i] != nowhere) return argument_definition_[i];
    const Argument& argument = (*signature_)[i];
    const Field& field = model_[argument.field];
    Definition definition;
    definition.type = field.type;
    definition.has_display = field.has_display;
    definition.is_call = field.is_call;
    definition.low = argument.low;
    definition.width = field.width;
    definition.display = field.display;
    definition.field = argument.field;
    if (field.type == FieldType::Enum) definition.enumeration = enum_table(field.enumeration);
    if (field.is_derived()) {
      definition.expression = size_of(seen_);
      seen_.push_back({field.expression, SeenExpression::State::Clean, &argument.value});
    }
    definition.text_class = text_class_of(definition, field);
    tables_.definitions.push_back(definition);
    argument_definition_[i] = size_of(tables_.definitions) - 1;
    return argument_definition_[i];
  }

  // Fields of few bits whose text depends on nothing else.
  std::uint32_t text_class_of(const Definition& definition, const Field& field) {
    if (definition.expression != nowhere || definition.width > max_text_class_bits) return nowhere;
    switch (field.type) {
      case FieldType::Float:
      case FieldType::Branch:
      case FieldType::Absbranch:
      case FieldType::Custom:
      case FieldType::Bitset: return nowhere;
      default: break;
    }
    const std::string_view display = field.has_display ? field.display : std::string_view();
    const auto key = std::tuple(field.type, definition.width, field.enumeration.raw, field.has_display, display);
    const auto [entry, is_new] = text_class_index_.try_emplace(key, size_of(tables_.text_classes));
    if (is_new) tables_.text_classes.push_back({size_of(tables_.definitions), {}});
    return entry->second;
  }

  // The arguments of a nested bitset, and its group. Not done at once: what is passed may itself be a nested bitset.
  void compile_params() {
    const auto [index, field] = pending_params_.back();
    pending_params_.pop_back();
    Signature signature;
    std::vector<std::uint32_t> arguments;
    for (const Param& param : model_.params(*field)) {
      const bool is_known =
          std::any_of(signature.begin(), signature.end(), [&](const Argument& a) { return a.inner == param.inner; });
      if (is_known) continue;
      const std::uint32_t resolver = resolver_of(param.outer, nowhere);
      arguments.push_back(resolver);
      signature.push_back(argument_for(param, resolver, field->low));
    }
    tables_.definitions[index].arguments = size_of(tables_.arguments);
    tables_.arguments.insert(tables_.arguments.end(), arguments.begin(), arguments.end());
    tables_.definitions[index].group = group_of(field->bitset, signature);
  }

  // `origin` is where the nested scope begins within this one.
  Argument argument_for(const Param& param, std::uint32_t resolver, std::uint32_t origin) {
    Argument argument;
    argument.inner = param.inner;
    argument.is_clean = !is_careful_ && is_clean_name(param.outer, nowhere, 0);
    const std::uint32_t direct = direct_definition(resolver);
    if (direct == nowhere || tables_.definitions[direct].type == FieldType::Bitset) return argument;
    const Definition definition = tables_.definitions[direct];
    if (definition.expression == nowhere) {
      argument.low = definition.low - origin;
    } else {
      const FlatExpression* value = flatten(definition.expression, 0);
      if (value == nullptr) return argument;
      argument.value = *value;
      for (BitRange& slot : argument.value.slots) slot.low -= origin;
    }
    argument.is_clean = true;
    argument.field = definition.field;
    return argument;
  }

  const EnumTable* enum_table(EnumId id) {
    EnumTable& table = tables_.enums[id.index()];
    if (!enum_is_made_[id.index()]) {
      enum_is_made_[id.index()] = true;
      for (const EnumValue& value : model_.values(model_[id])) {
        // An empty view is not "no row": it points at something.
        const std::string_view display = value.display.data() != nullptr ? value.display : std::string_view("");
        if (value.number >= EnumTable::dense_limit) {
          table.sparse.push_back({value.number, display});
          continue;
        }
        if (value.number >= table.dense.size()) table.dense.resize(value.number + 1);
        if (table.dense[value.number].data() == nullptr) table.dense[value.number] = display;
      }
      std::stable_sort(table.sparse.begin(), table.sparse.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
    }
    return &table;
  }

  // --- displays ----------------------------------------------------------------------------------------------------------

  void compile_display(const SeenCase& seen) {
    DisplayStep step;
    step.condition = seen.condition;
    step.has_display = seen.row->has_display;
    step.row = model_.id_of(*seen.row);
    step.asserts.first = size_of(tables_.asserts);
    for (const Assert& row : model_.asserts(*seen.row)) {
      AssertCheck check{row.low, row.width, 0, &row, seen.owner->display_name};
      for (const char c : row.text) check.expected = check.expected << 1 | BitWord{c == '1'};
      tables_.asserts.push_back(check);
    }
    step.asserts.count = size_of(tables_.asserts) - step.asserts.first;
    step.segments.first = size_of(tables_.segments);
    for (const Segment& row : model_.segments(*seen.row)) {
      CompiledSegment segment;
      segment.has_align = row.has_align;
      segment.align = row.align;
      segment.text = row.text;
      segment.name = row.name;
      switch (row.kind) {
        case Segment::Kind::Literal: segment.text_class = text_class_of_literal(row.text); break;
        case Segment::Kind::Align: segment.kind = CompiledSegment::Kind::Align; break;
        case Segment::Kind::Name: segment.kind = CompiledSegment::Kind::Name; break;
        case Segment::Kind::Field: {
          const std::uint32_t resolver = resolver_of(row.name, nowhere);
          const std::uint32_t direct = direct_definition(resolver);
          segment.kind = direct != nowhere ? CompiledSegment::Kind::Direct : CompiledSegment::Kind::Resolved;
          segment.index = direct != nowhere ? direct : resolver;
          if (direct != nowhere && !row.has_align && tables_.definitions[direct].text_class != nowhere) {
            const Definition& definition = tables_.definitions[direct];
            segment.kind = CompiledSegment::Kind::Flag;
            segment.low = definition.low;
            segment.mask = static_cast<std::uint8_t>(low_mask(definition.width));
            segment.text_class = definition.text_class;
          }
          break;
        }
      }
      tables_.segments.push_back(segment);
    }
    add_skips(step.segments.first);
    step.segments.count = size_of(tables_.segments) - step.segments.first;
    rows_ += step.segments.count + step.asserts.count;
    if (step.condition == nowhere && step.asserts.count == 0 && !step.has_display) return;  // nothing happens here
    tables_.displays.push_back(step);
  }

  std::uint32_t text_class_of_literal(std::string_view text) {
    if (text.size() > TextClass::short_literal) return nowhere;
    const auto [entry, is_new] = literal_index_.try_emplace(text, size_of(tables_.text_classes));
    if (is_new) tables_.text_classes.push_back({nowhere, text});
    return entry->second;
  }

  // Most flags of most words are off and print nothing. Runs of them get a guard that passes over them all at once.
  void add_skips(std::size_t first) {
    const std::vector<CompiledSegment> plain(tables_.segments.begin() + static_cast<std::ptrdiff_t>(first), tables_.segments.end());
    tables_.segments.resize(first);
    for (std::size_t i = 0; i < plain.size();) {
      std::size_t end = i;
      std::uint32_t low = ~std::uint32_t{0};
      std::uint32_t high = 0;
      for (; end < plain.size() && plain[end].kind == CompiledSegment::Kind::Flag && empty_value(plain[end]); ++end) {
        if (plain[end].low >= max_bitset_size) break;  // passed in from before the scope
        const std::uint32_t next_low = std::min(low, plain[end].low);
        const std::uint32_t next_high = std::max(high, plain[end].low + 7);
        if (next_high - next_low >= bits_per_word) break;
        low = next_low;
        high = next_high;
      }
      if (end - i >= 2) {
        CompiledSegment skip;
        skip.kind = CompiledSegment::Kind::SkipEmpty;
        skip.low = low;
        skip.index = static_cast<std::uint32_t>(end - i);
        bool is_consistent = true;
        for (std::size_t k = i; k < end; ++k) {
          const std::optional<std::uint32_t> value = empty_value(plain[k]);
          if (*value == always_empty) continue;
          const BitWord mask = BitWord{plain[k].mask} << (plain[k].low - low);
          const BitWord wanted = BitWord{*value} << (plain[k].low - low);
          is_consistent &= ((skip.value ^ wanted) & skip.bits & mask) == 0;
          skip.bits |= mask;
          skip.value |= wanted;
        }
        if (is_consistent) tables_.segments.push_back(skip);
      }
      end = std::max(end, i + 1);
      for (; i < end; ++i) tables_.segments.push_back(plain[i]);
    }
  }

  // The bits for which a flag prints nothing; none when it always prints something.
  std::optional<std::uint32_t> empty_value(const CompiledSegment& flag) const {
    const Definition& definition = tables_.definitions[flag.index];
    switch (definition.type) {
      case FieldType::Bool:
        if (!definition.has_display) return std::nullopt;
        return definition.display.empty() ? always_empty : 0;
      case FieldType::BoolInv:
        if (!definition.has_display) return std::nullopt;
        return definition.display.empty() ? always_empty : definition.width == 1 ? std::optional<std::uint32_t>(1) : std::nullopt;
      case FieldType::Offset:
      case FieldType::Uoffset: return 0;
      case FieldType::Enum:
        for (std::uint32_t raw = 0; raw <= flag.mask; ++raw) {
          const std::string_view display = definition.enumeration->find(raw);
          if (display.data() != nullptr && display.empty()) return raw;
        }
        return std::nullopt;
      default: return std::nullopt;
    }
  }

  // --- expressions -------------------------------------------------------------------------------------------------------

  // The expression over bits alone: what it reads is put in its place, a choice of definitions as `condition ? value :
  // …`. Null when that cannot be done, or is not worth it. Only for what is clean, so nothing is lost by reading it all.
  const FlatExpression* flatten(std::uint32_t local, int depth) {
    if (seen_[local].passed != nullptr) return seen_[local].passed;
    if (const auto known = flat_.find(local); known != flat_.end()) return known->second ? &*known->second : nullptr;
    std::optional<FlatExpression> result;
    if (depth < max_flat_depth && !tables_.cuts_derived && is_clean(local, 0)) result = flatten_now(local, depth);
    const auto entry = flat_.insert_or_assign(local, std::move(result)).first;
    return entry->second ? &*entry->second : nullptr;
  }

  std::optional<FlatExpression> flatten_now(std::uint32_t local, int depth) {
    FlatExpression result;
    const ExpressionId id = seen_[local].id;
    std::vector<std::vector<ExpressionStep>> values;  // of each slot
    for (const NameId name : model_.slots(model_[id])) {
      const Run run = tables_.resolvers[resolver_of(name, local)].choices;
      if (run.count == 0 || tables_.choices[run.first + run.count - 1].condition != nowhere) return std::nullopt;
      std::vector<ExpressionStep> value;
      for (std::uint32_t i = 0; i < run.count; ++i) {
        const Choice choice = tables_.choices[run.first + i];
        if (choice.definition == nowhere) return std::nullopt;
        if (choice.condition != nowhere && !append_flat(result, value, choice.condition, depth)) return std::nullopt;
        const Definition definition = tables_.definitions[choice.definition];
        if (definition.expression != nowhere) {
          if (!append_flat(result, value, definition.expression, depth)) return std::nullopt;
        } else {
          value.push_back({Operation::Slot, slot_of(result, {definition.low, std::min(definition.width, bits_per_word)}), 0});
        }
      }
      for (std::uint32_t i = 1; i < run.count; ++i) value.push_back({Operation::Select, 0, 0});
      values.push_back(std::move(value));
    }
    std::vector<ExpressionStep> steps;
    folded_steps(id, steps);
    std::size_t stack = 0;
    for (const ExpressionStep& step : steps) {
      if (step.operation == Operation::Slot) {
        result.steps.insert(result.steps.end(), values[step.slot].begin(), values[step.slot].end());
      } else {
        result.steps.push_back(step);
      }
      if (result.steps.size() > max_flat_steps || result.slots.size() > max_flat_slots) return std::nullopt;
    }
    for (const ExpressionStep& step : result.steps) {
      stack = stack + 1 - operand_count(step.operation);
      if (stack > max_expression_depth) return std::nullopt;
    }
    return result;
  }

  bool append_flat(FlatExpression& whole, std::vector<ExpressionStep>& steps, std::uint32_t local, int depth) {
    const FlatExpression* part = flatten(local, depth + 1);
    if (part == nullptr || steps.size() + part->steps.size() > max_flat_steps) return false;
    for (ExpressionStep step : part->steps) {
      if (step.operation == Operation::Slot) step.slot = slot_of(whole, part->slots[step.slot]);
      steps.push_back(step);
    }
    return true;
  }

  static std::uint32_t slot_of(FlatExpression& whole, BitRange bits) {
    const auto found = std::find(whole.slots.begin(), whole.slots.end(), bits);
    if (found == whole.slots.end()) whole.slots.push_back(bits);
    return static_cast<std::uint32_t>(std::find(whole.slots.begin(), whole.slots.end(), bits) - whole.slots.begin());
  }

  CompiledExpression compile_expression(std::uint32_t local) {
    using Form = CompiledExpression::Form;
    CompiledExpression result;
    std::vector<Operand> operands;
    bool only_bits = true;
    std::uint32_t total_width = 0;
    if (const FlatExpression* flat = flatten(local, 0)) {
      for (const BitRange& bits : flat->slots) {
        operands.push_back({bits.low, bits.width, nowhere, NameId::none()});
        total_width += bits.width;
      }
      scratch_ = flat->steps;
    } else {
      const ExpressionId id = seen_[local].id;
      for (const NameId name : model_.slots(model_[id])) {
        Operand operand;
        operand.name = name;
        const std::uint32_t resolver = resolver_of(name, local);
        const std::uint32_t direct = direct_definition(resolver);
        if (direct != nowhere && tables_.definitions[direct].expression == nowhere) {
          operand.low = tables_.definitions[direct].low;
          operand.width = std::min(tables_.definitions[direct].width, bits_per_word);
          total_width += operand.width;
        } else {
          operand.resolver = resolver;
          only_bits = false;
        }
        operands.push_back(operand);
      }
      folded_steps(id, scratch_);
    }
    result.operands = {size_of(tables_.operands), size_of(operands)};
    tables_.operands.insert(tables_.operands.end(), operands.begin(), operands.end());
    result.steps = {size_of(tables_.steps), size_of(scratch_)};
    tables_.steps.insert(tables_.steps.end(), scratch_.begin(), scratch_.end());
    rows_ += operands.size() + scratch_.size();
    if (!only_bits) return result;
    if (operands.empty()) {
      result.form = Form::Constant;
      result.constant = evaluate(scratch_, nullptr, options_.gen);
      return result;
    }
    if (operands.size() == 1) {
      result.low = operands.front().low;
      result.width = operands.front().width;
      if (scratch_.size() == 1) {
        result.form = Form::Field;
        return result;
      }
      const bool compares = scratch_.size() == 3 && scratch_[0].operation == Operation::Slot &&
                            scratch_[1].operation == Operation::Constant;
      result.constant = compares ? scratch_[1].constant : 0;
      if (compares && scratch_[2].operation == Operation::Equal) result.form = Form::FieldIsEqual;
      if (compares && scratch_[2].operation == Operation::NotEqual) result.form = Form::FieldIsNotEqual;
      if (compares && scratch_[2].operation == Operation::GreaterEqual) result.form = Form::FieldIsGreaterEqual;
      if (result.form != Form::General) return result;
    }
    // A function of a handful of bits is a table.
    if (total_width > max_table_bits || tables_.truth.size() > max_model_rows) return result;
    result.form = Form::Table;
    std::vector<std::uint32_t> widths;
    for (const Operand& operand : operands) widths.push_back(operand.width);
    const auto [known, is_new] = truth_index_.try_emplace({scratch_, widths}, size_of(tables_.truth));
    result.table = known->second;
    if (!is_new) return result;
    std::int64_t slots[max_expression_slots];
    for (BitWord index = 0; index < BitWord{1} << total_width; ++index) {
      std::uint32_t shift = 0;
      for (std::size_t i = 0; i < operands.size(); ++i) {
        slots[i] = static_cast<std::int64_t>(index >> shift & low_mask(operands[i].width));
        shift += operands[i].width;
      }
      tables_.truth.push_back(evaluate(scratch_, slots, options_.gen));
    }
    return result;
  }

  const Model& model_;
  const DecodeOptions& options_;
  DecodeTables tables_;
  std::map<std::pair<BitsetId, Signature>, std::uint32_t> group_index_;
  std::unordered_map<std::uint32_t, std::uint32_t> tree_index_;
  std::vector<PendingGroup> pending_;
  std::size_t next_group_ = 0;
  std::vector<bool> enum_is_made_;
  std::map<std::tuple<FieldType, std::uint32_t, std::uint32_t, bool, std::string_view>, std::uint32_t> text_class_index_;
  std::unordered_map<std::string_view, std::uint32_t> literal_index_;
  std::map<std::pair<std::vector<ExpressionStep>, std::vector<std::uint32_t>>, std::uint32_t> truth_index_;
  std::size_t rows_ = 0;

  // Of the plan being compiled.
  const Signature* signature_ = nullptr;
  std::vector<SeenCase> cases_;
  std::vector<SeenExpression> seen_;
  std::unordered_map<std::uint32_t, std::uint32_t> local_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> resolver_index_;
  std::unordered_map<std::uint32_t, std::uint32_t> definition_index_;
  std::unordered_map<std::uint32_t, std::vector<std::pair<std::uint32_t, const Field*>>> defined_;
  std::vector<std::pair<std::uint32_t, const Field*>> pending_params_;  // definitions of bitset type without their group
  std::vector<std::uint32_t> argument_definition_;
  std::unordered_map<std::uint32_t, std::optional<FlatExpression>> flat_;
  std::vector<ExpressionStep> scratch_;
  bool is_careful_ = false;
};

}  // namespace

std::string_view EnumTable::find(std::uint64_t number) const {
  if (number < dense.size()) return dense[number];
  const auto found = std::lower_bound(sparse.begin(), sparse.end(), number, [](const Entry& entry, std::uint64_t wanted) { return entry.number < wanted; });
  return found != sparse.end() && found->number == number ? found->display : std::string_view();
}

DecodeTables compile(const Model& model, const DecodeOptions& options) { return Compiler(model, options).run(); }

}  // namespace vireo::isa

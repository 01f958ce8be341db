// SPDX-License-Identifier: Apache-2.0
//
// Resolves the names of the leaf, of fields, and of leaves of nested bitsets. isaspec 2.4 defines the scope in which a
// name is searched.
//
// Settings are first flattened to a list of paths. A scope takes the first name off each path, groups
// paths with the same name, and passes the rest to the nested scope. So the description's nesting of bitsets bounds the
// recursion, and the input does not. The errors of all settings are reported together. The errors of a reading count
// only if no other definition of the name accepts the value.
#include <algorithm>
#include <unordered_map>

#include "isa/encode/reading.h"
#include "isa/model/rules.h"
#include "support/nearest.h"
#include "support/printable.h"
#include "vireo/isa/load.h"

namespace vireo::isa {
namespace {

// Callers may pass untrusted input, so check all three limits before any look-up.
constexpr std::size_t max_settings = 1u << 16;
constexpr std::size_t max_scopes = 1u << 12;  // limit for all readings together
constexpr std::size_t max_path = 1u << 12;    // limit in bytes

// A setting with its path relative to the current scope.
struct Given {
  std::string_view path;  // the part of the path that is not resolved yet
  const FieldSetting* setting = nullptr;
  std::uint32_t blank = nowhere;
};

// The settings of one name in a scope: for the field itself, or for fields within it.
struct Named {
  std::uint32_t resolver = 0;
  std::string_view name;
  const Given* itself = nullptr;
  std::vector<Given> inside;
};

class SettingsReader {
 public:
  SettingsReader(const Model& model, const DecodeTables& tables, ReadSettings& result)
      : model_(model), tables_(tables), result_(result) {}

  std::optional<Reported> run(std::string_view leaf, std::span<const FieldSetting> fields, Diagnostics& diagnostics);

 private:
  using Faults = std::vector<Diagnostic>;
  std::optional<Reported> flatten(std::span<const FieldSetting> fields, Diagnostics& diagnostics);
  std::uint32_t find_instruction(std::string_view leaf, std::uint32_t& group) const;
  Reported report_unknown(std::string_view leaf, Diagnostics& diagnostics) const;
  std::uint32_t read_scope(std::uint32_t plan, std::uint32_t group, const std::string& path,
                           std::span<const Given> given, Faults& faults);
  using NameIndex = std::unordered_map<std::uint32_t, std::uint32_t>;  // NameId to resolver, for one plan
  void name_given(std::uint32_t plan, const NameIndex& names, const Given& given, std::vector<Named>& named,
                  Faults& faults);
  void read_field(const Named& named, const std::string& path, Faults& faults, std::uint32_t scope);
  bool read_with(const Definition& definition, const Named& named, const std::string& path, Reading& reading,
                 Faults& faults);
  std::uint32_t find_nested(const Definition& definition, const Named& named, const std::string& path,
                            std::string_view leaf, Faults& faults);
  [[nodiscard]] bool has_field(std::uint32_t plan, std::string_view path) const;
  [[nodiscard]] std::span<const NameId> names_of(std::uint32_t plan) const {
    const Run run = tables_.plans[plan].fields;
    return {tables_.plan_field_names.data() + run.first, run.count};
  }

  const Model& model_;
  const DecodeTables& tables_;
  ReadSettings& result_;
  std::vector<Given> given_;
  std::vector<std::string> paths_;                              // of all settings, including those in nested values
  std::unordered_map<std::uint32_t, std::size_t> named_index_;  // key: resolver; value: index of the name
};

// Errors are collected, not reported: they count only if all definitions of a name reject the value.
void add_fault(std::vector<Diagnostic>& faults, std::string_view rule, Location where, std::string message,
               std::string hint = {}) {
  Diagnostic fault;
  fault.rule = rule;
  fault.where = where;
  fault.message = std::move(message);
  fault.hint = std::move(hint);
  faults.push_back(std::move(fault));
}

// The settings of a nested value follow the setting of its bitset. Blanks are numbered in order of appearance.
std::optional<Reported> SettingsReader::flatten(std::span<const FieldSetting> fields, Diagnostics& diagnostics) {
  // An explicit stack instead of recursion: the caller's nesting depth is not yet checked.
  struct Level {
    std::span<const FieldSetting> left;
    std::string path;
  };
  std::vector<Level> levels;
  levels.push_back({fields, {}});
  std::vector<std::pair<const FieldSetting*, std::string>> flat;
  while (!levels.empty()) {
    if (levels.back().left.empty()) {
      levels.pop_back();
      continue;
    }
    const FieldSetting& setting = levels.back().left.front();
    levels.back().left = levels.back().left.subspan(1);
    std::string path = levels.back().path.empty() ? setting.path : levels.back().path + "." + setting.path;
    // A nested value is itself a setting, because it may name its leaf.
    flat.emplace_back(&setting, path);
    const auto* nested = std::get_if<NestedValue>(&setting.value.kinds());
    std::string excess;
    if (flat.size() > max_settings) excess = "more than " + std::to_string(max_settings) + " fields are set";
    if (levels.size() > max_nesting_depth)
      excess = "values nest more than " + std::to_string(max_nesting_depth) + " levels deep";
    if (path.size() > max_path) excess = "a field path has more than " + std::to_string(max_path) + " bytes";
    if (!excess.empty()) return diagnostics.error(rule::limit_exceeded, setting.where, std::move(excess));
    if (nested != nullptr) levels.push_back({nested->fields, std::move(path)});
  }
  // Store all paths before taking a view of one: from here on, settings and blanks refer to them.
  for (auto& [setting, path] : flat) paths_.push_back(std::move(path));
  for (std::size_t i = 0; i < flat.size(); ++i) {
    Given given{paths_[i], flat[i].first, nowhere};
    if (std::holds_alternative<Blank>(given.setting->value.kinds())) {
      given.blank = static_cast<std::uint32_t>(result_.blanks.size());
      result_.blanks.push_back({paths_[i], given.setting->where});
    }
    given_.push_back(given);
  }
  return std::nullopt;
}

// Returns the plan of an instruction; nowhere if no instruction has this name. The tables contain one generation, so
// leaves that share a name across generations are one leaf here.
std::uint32_t SettingsReader::find_instruction(std::string_view leaf, std::uint32_t& group) const {
  for (const DecodeTables::Root& root : tables_.roots) {
    const Group& alternatives = tables_.groups[root.group];
    const std::span<const BitsetId> leaves = tables_.trees[alternatives.tree].leaves();
    for (std::uint32_t i = 0; i < leaves.size(); ++i) {
      if (model_.text(model_[leaves[i]].name) != leaf) continue;
      group = root.group;
      return alternatives.first_plan + i;
    }
  }
  return nowhere;
}

// Suggests similar names. If a bitset has this name, explains why it is not an instruction here.
Reported SettingsReader::report_unknown(std::string_view leaf, Diagnostics& diagnostics) const {
  NearestNames nearest(leaf);
  for (const DecodeTables::Root& root : tables_.roots) {
    for (const BitsetId id : tables_.trees[tables_.groups[root.group].tree].leaves())
      nearest.offer(model_.text(model_[id].name));
  }
  const Reported reported =
      diagnostics.error(rule::unknown_leaf, result_.where,
                        "generation " + std::to_string(tables_.gen) + " has no instruction " + quoted(leaf),
                        did_you_mean(nearest.names()));
  for (const Bitset& bitset : model_.bitsets()) {
    if (model_.text(bitset.name) != leaf) continue;
    if (!bitset.is_leaf) {
      diagnostics.note(result_.where, quoted(leaf) + " is not a leaf: other bitsets extend it");
    } else if (!bitset.gens.contains(static_cast<std::uint32_t>(tables_.gen))) {
      const bool is_open = bitset.gens.max == GenRange{}.max;
      diagnostics.note(result_.where, is_open
                                          ? "it exists in generation " + std::to_string(bitset.gens.min) + " and later"
                                          : "it exists in generations " + std::to_string(bitset.gens.min) + " to " +
                                                std::to_string(bitset.gens.max));
    }
  }
  return reported;
}

// Returns whether a path begins with a name of the plan. The nested scope checks the rest after the dot.
bool SettingsReader::has_field(std::uint32_t plan, std::string_view path) const {
  for (const NameId id : names_of(plan)) {
    const std::string_view name = model_.text(id);
    if (path == name || (path.starts_with(name) && path[name.size()] == '.')) return true;
  }
  return false;
}

// Takes the longest matching name off a path; names themselves may contain dots.
void SettingsReader::name_given(std::uint32_t plan, const NameIndex& names, const Given& given,
                                std::vector<Named>& named, Faults& faults) {
  // Tries the whole path, then ever shorter prefixes: one look-up for each dot.
  auto found = names.end();
  std::string_view name = given.path;
  while (true) {
    const NameId id = model_.find_name(name);
    if (id) found = names.find(id.raw);
    const std::size_t dot = name.rfind('.');
    if (found != names.end() || dot == std::string_view::npos) break;
    name = name.substr(0, dot);
  }
  if (found == names.end()) {
    NearestNames nearest(name);
    for (const NameId id : names_of(plan)) nearest.offer(model_.text(id));
    const std::string_view leaf = model_.text(model_[tables_.plans[plan].leaf].name);
    add_fault(faults, rule::unknown_field, given.setting->where, quoted(leaf) + " has no field " + quoted(name),
              did_you_mean(nearest.names()));
    return;
  }
  // Indexed by resolver, not by text, and in the order of the settings, so that errors follow the caller's order.
  const auto [row, is_new] = named_index_.try_emplace(found->second, named.size());
  if (is_new) named.push_back({found->second, name, nullptr, {}});
  Named& at = named[row->second];
  if (given.path.size() != name.size()) {
    at.inside.push_back(given);
    at.inside.back().path.remove_prefix(name.size() + 1);
  } else if (at.itself == nullptr) {
    at.itself = &given;
  } else {
    add_fault(faults, rule::field_given_twice, given.setting->where, "field " + quoted(name) + " is set twice");
  }
}

// Reads the settings within one leaf. The index of the scope is assigned first; nested scopes get larger indexes.
std::uint32_t SettingsReader::read_scope(std::uint32_t plan, std::uint32_t group, const std::string& path,
                                         std::span<const Given> given, Faults& faults) {
  const auto index = static_cast<std::uint32_t>(result_.scopes.size());
  if (index == max_scopes) {
    add_fault(faults, rule::limit_exceeded, result_.where,
              "the fields contain more than " + std::to_string(max_scopes) + " nested bitsets");
    return index;
  }
  result_.scopes.push_back({plan, group, {}, path});
  if (tables_.plans[plan].is_refused) {
    add_fault(faults, rule::refused_word, result_.where,
              quoted(model_.text(model_[tables_.plans[plan].leaf].name)) + " is marked as never encoded");
  }
  NameIndex names;
  for (std::uint32_t i = 0; i < names_of(plan).size(); ++i)
    names.emplace(names_of(plan)[i].raw, tables_.plan_fields[tables_.plans[plan].fields.first + i]);
  std::vector<Named> named;
  named_index_.clear();
  // Group all names of this scope before reading any nested scope, so that all scopes can share one index.
  for (const Given& one : given) name_given(plan, names, one, named, faults);
  for (const Named& field : named) {
    read_field(field, path.empty() ? std::string(field.name) : path + "." + std::string(field.name), faults, index);
  }
  return index;
}

// Tries the value with every definition of the name, because it is not yet known which case holds.
void SettingsReader::read_field(const Named& named, const std::string& path, Faults& faults, std::uint32_t scope) {
  ReadField field;
  field.path = path;
  field.where = (named.itself != nullptr ? *named.itself : named.inside.front()).setting->where;
  field.resolver = named.resolver;
  Faults fewest;
  bool has_failed = false;
  const Run choices = tables_.resolvers[named.resolver].choices;
  for (std::uint32_t i = 0; i < choices.count; ++i) {
    const Choice& choice = tables_.choices[choices.first + i];
    // A definition that a param passes in is a field of an outer scope, and is set there.
    if (choice.definition == nowhere || tables_.definitions[choice.definition].is_passed) continue;
    Reading reading;
    reading.choice = i;
    reading.definition = choice.definition;
    Faults own;
    if (read_with(tables_.definitions[choice.definition], named, path, reading, own)) {
      field.readings.push_back(std::move(reading));
    } else if (!has_failed || own.size() < fewest.size()) {
      fewest = std::move(own);
      has_failed = true;
    }
  }
  // If all definitions reject the value, report the errors of the definition with the fewest.
  if (field.readings.empty()) faults.insert(faults.end(), fewest.begin(), fewest.end());
  result_.scopes[scope].fields.push_back(static_cast<std::uint32_t>(result_.fields.size()));
  result_.fields.push_back(std::move(field));
}

// A bitset may be set by one of its leaves, by fields within it, or by its bits. Leaf and fields combine; bits exclude
// both.
bool SettingsReader::read_with(const Definition& definition, const Named& named, const std::string& path,
                               Reading& reading, Faults& faults) {
  const Given* itself = named.itself;
  std::string_view leaf;
  bool is_nested = !named.inside.empty();
  if (itself != nullptr && definition.type == FieldType::Bitset) {
    const FieldValue::Kinds& kinds = itself->setting->value.kinds();
    if (const auto* nested = std::get_if<NestedValue>(&kinds)) leaf = nested->leaf;
    const auto* text = std::get_if<std::string>(&kinds);
    // A text that begins with a digit gives the bits; any other text names a leaf.
    if (text != nullptr && !is_numeral(*text)) leaf = *text;
    is_nested |= !leaf.empty() || std::holds_alternative<NestedValue>(kinds);
    if (is_nested && leaf.empty() && !std::holds_alternative<NestedValue>(kinds)) {
      add_fault(faults, rule::field_given_twice, itself->setting->where,
                quoted(path) + " is set both as a whole and by its fields");
      return false;
    }
  }
  if (!is_nested) {
    ValueFault fault;
    reading.value.blank = itself->blank;
    if (read_value(model_, definition, itself->setting->value, path, reading.value, fault)) return true;
    add_fault(faults, fault.rule, itself->setting->where, fault.message, fault.hint);
    return false;
  }
  if (definition.type != FieldType::Bitset) {
    const Given& first = named.inside.empty() ? *itself : named.inside.front();
    add_fault(faults, rule::unfit_value, first.setting->where, quoted(path) + " is not a bitset and has no fields");
    return false;
  }
  const std::uint32_t plan = find_nested(definition, named, path, leaf, faults);
  if (plan == nowhere) return false;
  // The reading is valid only if no setting inside the bitset has an error.
  const std::size_t before = faults.size();
  reading.scope = read_scope(plan, definition.group, path, named.inside, faults);
  return faults.size() == before;
}

// Returns the plan of a nested leaf. This is the leaf with that name or, without a name, the only leaf that has all
// fields that are set.
std::uint32_t SettingsReader::find_nested(const Definition& definition, const Named& named, const std::string& path,
                                          std::string_view leaf, Faults& faults) {
  const Group& group = tables_.groups[definition.group];
  const std::span<const BitsetId> leaves = tables_.trees[group.tree].leaves();
  const Location where = (named.itself != nullptr ? *named.itself : named.inside.front()).setting->where;
  const auto name_of = [&](std::uint32_t i) { return model_.text(model_[leaves[i]].name); };
  const auto count = static_cast<std::uint32_t>(leaves.size());
  if (!leaf.empty()) {
    NearestNames nearest(leaf);
    for (std::uint32_t i = 0; i < count; ++i) {
      if (name_of(i) == leaf) return group.first_plan + i;
      nearest.offer(name_of(i));
    }
    const std::string_view root = model_.text(model_[model_[definition.field].bitset].name);
    add_fault(faults, rule::unknown_leaf, where,
              quoted(path) + " has type " + std::string(root) + ", which has no leaf " + quoted(leaf),
              did_you_mean(nearest.names()));
    return nowhere;
  }
  // A bitset with one leaf needs no name.
  if (count == 1) return group.first_plan;
  // If there are several leaves, the fields select one. Only the first names of paths count, so that a wrong value does
  // not change the choice.
  std::vector<std::uint32_t> fitting;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (std::all_of(named.inside.begin(), named.inside.end(),
                    [&](const Given& given) { return has_field(group.first_plan + i, given.path); }))
      fitting.push_back(i);
  }
  if (fitting.size() == 1) return group.first_plan + fitting.front();
  std::string list;
  constexpr std::size_t shown = 6;
  for (std::size_t i = 0; i < std::min(fitting.size(), shown); ++i)
    list += (i == 0 ? "" : ", ") + std::string(name_of(fitting[i]));
  if (fitting.size() > shown) list += ", …";
  add_fault(faults, rule::unclear_leaf, where,
            fitting.empty() ? "no leaf of " + quoted(path) + " has all these fields"
                            : "several leaves of " + quoted(path) + " have these fields: " + list,
            fitting.empty() ? "" : "select one: " + path + "=" + std::string(name_of(fitting.front())));
  return nowhere;
}

std::optional<Reported> SettingsReader::run(std::string_view leaf, std::span<const FieldSetting> fields,
                                            Diagnostics& diagnostics) {
  // Two errors end the function at once: an exceeded limit, and an unknown leaf, because its fields are unknown.
  if (const std::optional<Reported> fault = flatten(fields, diagnostics)) return fault;
  std::uint32_t group = 0;
  const std::uint32_t plan = find_instruction(leaf, group);
  if (plan == nowhere) return report_unknown(leaf, diagnostics);
  Faults faults;
  read_scope(plan, group, {}, given_, faults);
  std::optional<Reported> reported;
  for (Diagnostic& fault : faults) reported = diagnostics.report(std::move(fault));
  return reported;
}

}  // namespace

std::optional<Reported> read_settings(const Model& model, const DecodeTables& tables, std::string_view leaf,
                                      Location where, std::span<const FieldSetting> fields, ReadSettings& result,
                                      Diagnostics& diagnostics) {
  result = {};
  result.where = where;
  return SettingsReader(model, tables, result).run(leaf, fields, diagnostics);
}

}  // namespace vireo::isa

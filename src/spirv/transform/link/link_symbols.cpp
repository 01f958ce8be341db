// SPDX-License-Identifier: Apache-2.0
//
// Resolves the symbols of modules to link (link_symbols.h).
//
// First all exports are entered in a table by name, then each import looks its name up. Replaced functions
// and variables are marked, and their users follow the mark when the module is written.
//
// Source: specification 2.13: function control and parameter attributes come from the definition.
#include "spirv/transform/link/link_symbols.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "spirv/rules.h"
#include "support/printable.h"
#include "vireo/spirv/binary/views/function.h"
#include "vireo/spirv/binary/views/memory.h"
#include "vireo/spirv/binary/views/type_declaration.h"
#include "vireo/spirv/grammar/enum_names.h"
#include "vireo/spirv/module/type_text.h"

namespace vireo::spirv {
namespace {

using enum Op;

// Decorations that the definition alone determines, or that describe only the linkage.
bool is_of_definition(Decoration decoration) {
  return decoration == Decoration::LinkageAttributes || decoration == Decoration::FuncParamAttr ||
         decoration == Decoration::Alignment;
}

// Decorations of ids with more of them are not compared: many imports may have one export.
constexpr std::size_t most_compared_decorations = 256;
// The innermost difference of types is searched for this many conflicts only.
constexpr std::size_t most_explained_conflicts = 20;

// The type that a symbol is compared by: of a function its function type, of a variable its pointer type.
Word type_id(const LinkModule& link, const LinkSymbol& symbol) {
  return link.module.instruction(symbol.definition).word(symbol.is_function ? 4 : 1);
}

// The decorations of an id, in an order that does not depend on that of the instructions.
std::vector<WordBuffer> decorations_of(const LinkModule& link, Word id) {
  std::vector<WordBuffer> sorted;
  const Decorations& decorations = link.facts.decorations();
  for (const DecorationRow& row : decorations.all_of(id)) {
    if (is_of_definition(row.decoration)) continue;
    const Words operands = decorations.operands(row);
    WordBuffer& words = sorted.emplace_back();
    words = {static_cast<Word>(row.decoration)};
    if (row.form != DecorationForm::Id) words.insert(words.end(), operands.begin(), operands.end());
  }
  std::ranges::sort(sorted);
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return sorted;
}

bool has_few_decorations(const LinkModule& link, Word id) {
  return link.facts.decorations().all_of(id).size() <= most_compared_decorations;
}

std::string_view verb_of(const LinkSymbol& symbol) {
  switch (symbol.linkage) {
    case LinkageType::Import: return "imports";
    case LinkageType::LinkOnceODR: return "defines";
    default: return "exports";
  }
}

std::string_view noun_of(const LinkSymbol& symbol) { return symbol.is_function ? "function" : "variable"; }

}  // namespace

void LinkSymbols::resolve(const std::vector<bool>& is_library) {
  const auto for_each = [&](bool of_libraries, bool imports, auto&& take) {
    for (LinkModule& module : modules_) {
      if (!imports && is_library[module.number] != of_libraries) continue;
      for (std::uint32_t i = 0; i < module.symbols.size(); ++i) {
        const LinkSymbol& each = module.symbols[i];
        if (each.is_import() == imports) take(Place{module.number, i}, names_[each.name]);
      }
    }
  };
  for (const bool of_libraries : {false, true}) {
    for_each(of_libraries, false, [&](const Place& place, Name& name) { add_export(place, name, is_library); });
  }
  for_each(false, true, [&](const Place& place, Name& name) { add_import(place, name); });
  if (!joined_.empty()) classes_.read(joined_);
}

void LinkSymbols::add_export(const Place& place, Name& name, const std::vector<bool>& is_library) {
  if (!name.exported) {
    name.exported = place;
    return;
  }
  const Place first = *name.exported;
  const LinkSymbol& one = symbol(first);
  const LinkSymbol& other = symbol(place);
  if (one.definition == other.definition && first.module == place.module) return;
  const bool gives_way = is_library[place.module];
  const std::string& where = module_of(first).name;
  if (one.linkage != other.linkage && !gives_way) {
    return report_pair(rule::link_duplicate, Severity::Error, place,
                       fmt::format("{} has linkage type {} here, but {} in {}", quoted(other.name),
                                   to_string(other.linkage), to_string(one.linkage), where),
                       first);
  }
  if (other.linkage != LinkageType::LinkOnceODR && !gives_way) {
    return report_pair(rule::link_duplicate, Severity::Error, place,
                       fmt::format("{} is already exported by {}", quoted(other.name), where), first);
  }
  if (check_types(place, first)) replace(place, first);
}

void LinkSymbols::add_import(const Place& place, Name& name) {
  const LinkSymbol& import = symbol(place);
  LinkModule& module = module_of(place);
  if (module.is_removed[import.definition.index()]) return;  // imported by another name as well
  if (name.exported) {
    if (options_.allow_pointer_mismatch && differs_in_pointees(place, *name.exported)) {
      module.casts[import.id] = import.definition;
    } else if (!check_types(place, *name.exported)) {
      return;
    }
    compare_decorations(place, *name.exported);
    return replace(place, *name.exported);
  }
  if (!name.imported) {
    name.imported = place;
    if (!import.is_built_in) unresolved_.push_back(place);
    return;
  }
  // Equal imports become one, so that a name has one declaration in the result.
  const Place first = *name.imported;
  if (first.module == place.module && symbol(first).definition == import.definition) return;
  const LinkModule& other = module_of(first);
  const bool is_equal = has_few_decorations(module, import.id) && has_few_decorations(other, symbol(first).id) &&
                        decorations_of(module, import.id) == decorations_of(other, symbol(first).id);
  if (check_types(place, first) && is_equal) replace(place, first);
}

bool LinkSymbols::same_type(const Place& place, Word type, const Place& other, Word other_type) {
  const LinkModule& a = module_of(place);
  const LinkModule& b = module_of(other);
  const InstructionIndex i = a.module.definition(type), j = b.module.definition(other_type);
  if (i.index() >= a.classes.size() || j.index() >= b.classes.size()) return false;
  if (a.classes[i.index()] == no_class) return false;
  if (a.classes[i.index()] == b.classes[j.index()]) return true;
  classes_.read_loose();
  if (a.loose_classes[i.index()] != b.loose_classes[j.index()]) return false;
  join(a, i);
  return true;
}

// The loose classes of the operands are equal as well, so one walk is enough.
void LinkSymbols::join(const LinkModule& module, InstructionIndex type) {
  joined_.resize(classes_.loose_count());
  std::vector<InstructionIndex> rest = {type};
  while (!rest.empty()) {
    const InstructionIndex next = rest.back();
    rest.pop_back();
    if (next.index() >= module.loose_classes.size()) continue;
    const ClassNumber number = module.loose_classes[next.index()];
    if (number == no_class || joined_[number]) continue;
    joined_[number] = true;
    const InstructionView view = module.module.instruction(next);
    module.for_each_id(view, [&](std::uint16_t word) { rest.push_back(module.module.definition(view.word(word))); });
  }
}

bool LinkSymbols::check_types(const Place& place, const Place& other) {
  const LinkModule& a = module_of(place);
  const LinkModule& b = module_of(other);
  const LinkSymbol& one = symbol(place);
  const LinkSymbol& two = symbol(other);
  if (one.is_function != two.is_function) {
    report_pair(rule::link_type, Severity::Error, place,
                fmt::format("{} is a {} here, but {} {} a {} with this name", quoted(one.name), noun_of(one), b.name,
                            verb_of(two), noun_of(two)),
                other);
    return false;
  }
  const auto storage_of = [](const LinkModule& module, const LinkSymbol& each) {
    return each.is_function ? StorageClass::Function
                            : View<OpVariable>(module.module.instruction(each.definition)).storage_class();
  };
  const StorageClass storage = storage_of(a, one), other_storage = storage_of(b, two);
  if (storage != other_storage) {
    report_pair(rule::link_type, Severity::Error, place,
                fmt::format("{} has storage class {} here, but {} in {}", quoted(one.name), to_string(storage),
                            to_string(other_storage), b.name),
                other);
    return false;
  }
  if (same_type(place, type_id(a, one), other, type_id(b, two))) return true;
  const std::string here = type_text_of(place), there = type_text_of(other);
  report_pair(rule::link_type, Severity::Error, place,
              here == there ? fmt::format("{} has another type here than in {}: {}", quoted(one.name), b.name,
                                          difference(place, other))
                            : fmt::format("{} has type {} here, but {} in {}", quoted(one.name), here, there, b.name),
              other);
  return false;
}

bool LinkSymbols::differs_in_pointees(const Place& place, const Place& other) {
  const LinkModule& a = module_of(place);
  const LinkModule& b = module_of(other);
  if (!symbol(place).is_function || !symbol(other).is_function) return false;
  const auto one = as<OpTypeFunction>(a.module.find(type_id(a, symbol(place))));
  const auto two = as<OpTypeFunction>(b.module.find(type_id(b, symbol(other))));
  if (!one || !two || !same_type(place, one->return_type(), other, two->return_type())) return false;
  const auto here = one->parameter_types(), there = two->parameter_types();
  if (here.size() != there.size()) return false;
  bool differs = false;
  for (std::size_t i = 0; i < here.size(); ++i) {
    if (same_type(place, here[i], other, there[i])) continue;
    const auto pointer = as<OpTypePointer>(a.module.find(here[i]));
    const auto other_pointer = as<OpTypePointer>(b.module.find(there[i]));
    if (!pointer || !other_pointer || pointer->storage_class() != other_pointer->storage_class()) return false;
    differs = true;
  }
  return differs;
}

void LinkSymbols::compare_decorations(const Place& place, const Place& other) {
  const LinkSymbol& one = symbol(place);
  const LinkSymbol& two = symbol(other);
  compare_decorations(place, one.id, other, two.id, quoted(one.name));
  if (!one.is_function) return;
  // A parameter is a part of the function before the first block, so both lists have one length if the types agree.
  const auto parameters_of = [](const LinkModule& module, Word function) {
    std::vector<Word> ids;
    const FunctionIndex row = module.module.function_of(function);
    if (row.is_none()) return ids;
    for (const InstructionView view : module.module.views(module.module.functions()[row.index()].prologue)) {
      if (const auto parameter = as<OpFunctionParameter>(view)) ids.push_back(parameter->result());
    }
    return ids;
  };
  const std::vector<Word> here = parameters_of(module_of(place), one.id);
  const std::vector<Word> there = parameters_of(module_of(other), two.id);
  for (std::size_t i = 0; i < std::min(here.size(), there.size()); ++i) {
    compare_decorations(place, here[i], other, there[i], fmt::format("parameter {} of {}", i + 1, quoted(one.name)));
  }
}

void LinkSymbols::compare_decorations(const Place& place, Word id, const Place& other, Word other_id,
                                      std::string_view what) {
  if (!has_few_decorations(module_of(place), id) || !has_few_decorations(module_of(other), other_id)) return;
  const std::vector<WordBuffer> here = decorations_of(module_of(place), id);
  const std::vector<WordBuffer> there = decorations_of(module_of(other), other_id);
  if (here == there) return;
  const auto text_of = [](const std::vector<WordBuffer>& all, const std::vector<WordBuffer>& without) {
    std::string text;
    for (const WordBuffer& each : all) {
      if (std::ranges::binary_search(without, each)) continue;
      text += (text.empty() ? "" : ", ") + to_string(static_cast<Decoration>(each[0]));
      for (std::size_t i = 1; i < each.size(); ++i) text += fmt::format(" {}", each[i]);
    }
    return text.empty() ? std::string("nothing") : text;
  };
  report_pair(rule::link_decoration, Severity::Warning, place,
              fmt::format("{} is decorated with {} here, but with {} in {}, whose decorations apply", what,
                          text_of(here, there), text_of(there, here), module_of(other).name),
              other);
}

void LinkSymbols::replace(const Place& place, const Place& other) {
  LinkModule& module = module_of(place);
  const LinkSymbol& one = symbol(place);
  module.is_removed[one.definition.index()] = true;
  module.is_removed[one.decoration.index()] = true;
  if (one.is_function) module.remove_function(one.id);
  module.replaced[one.definition.raw] = {other.module, symbol(other).definition};
}

void LinkSymbols::report_pair(std::string_view rule, Severity severity, const Place& place, std::string message,
                              const Place& other) {
  const LinkModule& a = module_of(place);
  const LinkModule& b = module_of(other);
  diagnostics_.report(
      {.rule = rule,
       .severity = severity,
       .where = a.location_of(symbol(place).definition),
       .message = std::move(message),
       .notes = {{b.location_of(symbol(other).definition),
                  fmt::format("{} {} it as {}", b.name, verb_of(symbol(other)), type_text_of(other))}}});
}

std::string LinkSymbols::type_text_of(const Place& place) const {
  const LinkModule& module = module_of(place);
  return type_text(module.facts, type_id(module, symbol(place)));
}

// Describes the innermost types that differ, for types with one text.
std::string LinkSymbols::difference(const Place& place, const Place& other) const {
  const LinkModule& a = module_of(place);
  const LinkModule& b = module_of(other);
  Word one = type_id(a, symbol(place)), two = type_id(b, symbol(other));
  if (diagnostics_.error_count() >= most_explained_conflicts) return "the decorations or operands of a part differ";
  constexpr int most_levels = 100;  // a type in a cycle has no innermost type
  for (int level = 0; level < most_levels; ++level) {
    const InstructionView view = a.module.find(one), other_view = b.module.find(two);
    if (view.opcode != other_view.opcode || view.word_count != other_view.word_count) break;
    Word next = 0, other_next = 0;
    a.for_each_id(view, [&](std::uint16_t word) {
      const std::size_t i = a.module.definition(view.word(word)).index();
      const std::size_t j = b.module.definition(other_view.word(word)).index();
      const bool has_classes = i < a.loose_classes.size() && j < b.loose_classes.size();
      if (next != 0 || view.word(word) == one || (has_classes && a.loose_classes[i] == b.loose_classes[j])) return;
      next = view.word(word);
      other_next = other_view.word(word);
    });
    if (next == 0) return fmt::format("the decorations of {} differ", type_text(a.facts, one));
    one = next;
    two = other_next;
  }
  return fmt::format("{} here, {} there", type_text(a.facts, one), type_text(b.facts, two));
}

}  // namespace vireo::spirv

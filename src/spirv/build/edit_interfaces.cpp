// SPDX-License-Identifier: Apache-2.0
//
// Updates the interfaces of entry points in a changed module (edit_interfaces.h).
//
// The words that an edit inserts show which variables may have new users. The facts of the changed module
// show which entry points reach them. If a word only looks like a variable's id, it costs a lookup and changes nothing.
//
// Source: specification 3.42.7, OpEntryPoint: before version 1.4 an interface lists Input and Output variables, from
// 1.4 on all global variables that the entry point's functions use.
#include "spirv/build/edit_interfaces.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "vireo/spirv/binary/view.h"
#include "vireo/spirv/binary/writer.h"
#include "vireo/spirv/module/call_graph.h"
#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/module/module_declarations.h"
#include "vireo/spirv/module/uses.h"

namespace vireo::spirv {
namespace {

/// Whether an instruction is a variable outside of functions.
bool is_global_variable(InstructionView view) {
  const std::optional<StorageClass> storage = variable_storage(view);
  return storage && *storage != StorageClass::Function;
}

/// Variables that the edit may have added, used or removed.
class TouchedVariables {
 public:
  explicit TouchedVariables(const EditState& edit) : edit_(edit) {
    for (const EditState::Change& change : edit.changes) {
      using enum EditState::Kind;
      if (change.kind == Insert || change.kind == Replace) {
        take_words(Words(edit.payload).subspan(change.first, change.end - change.first));
      }
      if (change.kind == SetWord) take_word(change.end);
      if (change.kind == Remove || change.kind == Replace) take_removed(change.place);
    }
    // A new call can make any function, and so any variable, reachable from an entry point.
    if (has_call_) used.insert(variables_.begin(), variables_.end());
  }

  IdHashSet used;
  IdHashSet removed;  // removed or replaced; some may still exist

 private:
  void take_words(Words words) {
    for (const InstructionView view : Instructions(words, 0)) {
      if (is_global_variable(view)) used.insert(ValueOperands(view).result());
      has_call_ = has_call_ || view.opcode == Op::OpFunctionCall;
      for (const Word word : view.operands()) take_word(word);
    }
    if (has_call_) index_variables();
  }
  void take_word(Word word) {
    index_variables();
    if (variables_.contains(word)) used.insert(word);
  }
  void take_removed(std::uint32_t place) {
    if (place >= edit_.module.instruction_count()) return;
    const InstructionView view = edit_.module.instruction(InstructionIndex(place));
    if (is_global_variable(view)) removed.insert(ValueOperands(view).result());
  }
  void index_variables() {
    if (std::exchange(has_indexed_variables_, true)) return;
    for (const InstructionView view : edit_.module.views(edit_.module.section(Section::Globals))) {
      if (is_global_variable(view)) variables_.insert(ValueOperands(view).result());
    }
  }

  const EditState& edit_;
  IdHashSet variables_;  // of the module
  bool has_indexed_variables_ = false;
  bool has_call_ = false;
};

/// The functions that use a variable, directly or through a declaration that refers to it (OpSpecConstantOp,
/// initializers).
std::vector<FunctionIndex> users_of(Word variable, const Facts& facts) {
  const Module& module = facts.module();
  std::vector<FunctionIndex> users;
  std::vector<Word> waiting = {variable};
  IdHashSet seen = {variable};
  while (!waiting.empty()) {
    const Word id = waiting.back();
    waiting.pop_back();
    for (const Use& use : facts.uses().of(id)) {
      if (use.kind != UseKind::Operand) continue;
      if (const FunctionIndex f = module.function_at(use.instruction); !f.is_none()) users.push_back(f);
      else if (const Word result = module.result_of(module.instruction(use.instruction)); result != 0) {
        if (seen.insert(result).second) waiting.push_back(result);
      }
    }
  }
  std::ranges::sort(users, {}, &FunctionIndex::raw);
  users.erase(std::unique(users.begin(), users.end()), users.end());
  return users;
}

/// Whether an interface in this version must list the variable.
bool is_listed(InstructionView variable, Version version) {
  const std::optional<StorageClass> storage = variable_storage(variable);
  return is_global_variable(variable) &&
         (version >= Version{1, 4} || storage == StorageClass::Input || storage == StorageClass::Output);
}

}  // namespace

bool update_interfaces(const EditState& edit, WordBuffer& words) {
  TouchedVariables touched(edit);
  if (touched.used.empty() && touched.removed.empty()) return true;
  const Module module = Module::read(words, edit.module.grammar());
  const Facts facts(module);
  const auto entries = facts.module_declarations().entry_points();
  if (entries.empty()) return true;

  std::map<std::uint32_t, std::vector<Word>> more;  // ids to add, by instruction of the entry point
  // Ascending, so that the output is deterministic.
  std::vector<Word> used(touched.used.begin(), touched.used.end());
  std::ranges::sort(used);
  std::optional<CallWalk> walk;
  const Version version = Version::from_word(module.header().version_word);
  for (const Word variable : used) {
    if (!is_listed(module.find(variable), version)) continue;
    if (!walk) walk.emplace(facts.call_graph(), module);
    for (const FunctionIndex user : users_of(variable, facts)) {
      for (const EntryRow& entry : walk->entries_above(user)) {
        std::vector<Word>& ids = more[entry.instruction.raw];
        if (ids.empty() || ids.back() != variable) ids.push_back(variable);
      }
    }
  }

  WordBuffer changed;
  changed.reserve(words.size() + 64);
  std::size_t copied = 0;
  for (const EntryPointRow& entry : entries) {
    const InstructionView view = module.instruction(entry.instruction);
    WordBuffer interface(entry.interface_.begin(), entry.interface_.end());
    const std::size_t head = view.word_count - interface.size();
    std::erase_if(interface, [&](Word id) { return touched.removed.contains(id) && module.definition(id).is_none(); });
    if (const auto added = more.find(entry.instruction.raw); added != more.end()) {
      for (const Word id : added->second) {
        if (std::ranges::find(interface, id) == interface.end()) interface.push_back(id);
      }
    }
    if (std::ranges::equal(interface, entry.interface_)) continue;
    if (head + interface.size() > max_instruction_words) return false;
    const auto first = words.begin() + static_cast<std::ptrdiff_t>(copied);
    changed.insert(changed.end(), first, words.begin() + static_cast<std::ptrdiff_t>(view.offset + head));
    changed[changed.size() - head] = first_word(head + interface.size(), view.opcode);
    changed.insert(changed.end(), interface.begin(), interface.end());
    copied = view.offset + view.word_count;
  }
  if (copied == 0) return true;
  changed.insert(changed.end(), words.begin() + static_cast<std::ptrdiff_t>(copied), words.end());
  words = std::move(changed);
  return true;
}

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// Numbers the classes of equal declarations (declaration_classes.h).
//
// Source: specification 2.8 (types and variables), 3.42.6 (OpTypeForwardPointer), 3.42.12 (OpCopyLogical).
#include "spirv/transform/link/declaration_classes.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "spirv/grammar/opcode_families.h"
#include "spirv/grammar/opcode_rows.h"
#include "spirv/module/opcode_traits.h"
#include "spirv/module/word_interner.h"
#include "spirv/transform/canonical_order.h"
#include "spirv/transform/clean/unused_role.h"
#include "spirv/transform/link/stage_variables.h"
#include "vireo/spirv/binary/views/memory.h"
#include "vireo/spirv/binary/views/type_declaration.h"

namespace vireo::spirv {
namespace {

using enum Op;

// Cycles of types are compared from each forward pointer. Beyond this number of words they stay separate.
constexpr std::size_t most_words_in_cycles = std::size_t{1} << 20;

// First words of keys that are not instructions: their word count would be 0.
enum KeyKind : Word { SeparateKey = 1, CycleKey = 2, InCycleKey = 3, StageKey = 4 };

// Numbers the declarations of one module.
class ClassReader {
 public:
  ClassReader(LinkModule& module, WordInterner& numbers, WordInterner& sets, SparseTable<ClassNumber>& aliases,
              StageVariables& stages, const std::vector<bool>* joined, std::vector<ClassNumber>& classes)
      : link_(module),
        module_(module.module),
        decorations_(module.facts.decorations()),
        names_(module.facts.names()),
        numbers_(numbers),
        sets_(sets),
        aliases_(aliases),
        stages_(stages),
        joined_(joined),
        classes_(classes),
        roles_(module_.grammar()),
        has_copy_logical_(module_.has(OpCopyLogical)) {}

  void run() {
    classes_.assign(module_.section(Section::Globals).end, no_class);
    for (const auto [index, view] : module_.instructions(Section::Imports)) read(index, view);
    const InstructionRange globals = module_.section(Section::Globals);
    if (module_.has(OpTypeForwardPointer)) read_components(globals);
    else
      for (const auto [index, view] : module_.instructions(globals)) read(index, view);
  }

 private:
  enum class Kind : std::uint8_t { None, Shared, Separate };

  [[nodiscard]] UnusedRole role_of(Op opcode) {
    return roles_.of(opcode, [&] { return unused_role_of(module_.grammar(), module_.grammar().find_opcode(opcode)); });
  }

  // A variable that the API or another stage sees: variables of several modules for one binding would be several views
  // of one resource, and the locations of an interface must not overlap.
  [[nodiscard]] bool is_interface_variable(InstructionView view) const {
    // A variable with an initializer stays.
    const View<OpVariable> variable(view);
    const auto untyped = as<OpUntypedVariableKHR>(view);
    if (!is_variable(view.opcode) || (untyped ? untyped->initializer() : variable.initializer())) return false;
    const Word id = variable.result();
    if (decorations_.has(id, Decoration::LinkageAttributes)) return false;
    return variable.storage_class() == StorageClass::PushConstant || decorations_.has(id, Decoration::BuiltIn) ||
           decorations_.has(id, Decoration::Location) ||
           (decorations_.has(id, Decoration::Binding) && decorations_.has(id, Decoration::DescriptorSet));
  }

  // An input or output of a stage that another one, or the API, finds by its location; or a payload.
  [[nodiscard]] bool belongs_to_stage(InstructionView view) const {
    const Word id = module_.result_of(view);
    return is_variable(view.opcode) && decorations_.has(id, Decoration::Location) &&
           !decorations_.has(id, Decoration::BuiltIn) && !decorations_.has(id, Decoration::Binding);
  }

  [[nodiscard]] Kind kind_of(InstructionIndex index, InstructionView view) {
    switch (role_of(view.opcode)) {
      case UnusedRole::Import: return Kind::Shared;
      case UnusedRole::Variable: return is_interface_variable(view) ? Kind::Shared : Kind::None;
      case UnusedRole::Type:
      case UnusedRole::Constant: break;
      default:
        if (view.opcode != OpUndef) return Kind::None;
    }
    // Each of these creates an object of its own.
    if (view.opcode == OpConstantPipeStorage) return Kind::Separate;
    // A list that another instruction continues.
    if (index.raw + 1 >= module_.instruction_count()) return Kind::Shared;
    const Op next = module_.instruction(InstructionIndex(index.raw + 1)).opcode;
    return role_of(next) == UnusedRole::Continued ? Kind::Separate : Kind::Shared;
  }

  // Equal declarations of one module that must not become one: interface variables, which are not duplicates for its
  // author, and operands of OpCopyLogical, which needs two different types.
  [[nodiscard]] bool stays_apart(Op opcode) const {
    return is_variable(opcode) || (has_copy_logical_ && is_aggregate_type(opcode));
  }

  void read(InstructionIndex index, InstructionView view) {
    const Kind kind = kind_of(index, view);
    if (kind == Kind::None) return;
    key_.clear();
    if (kind == Kind::Separate || !append_key(view)) return set_separate(index);
    ClassNumber number = numbers_.intern(key_);
    if (const auto alias = aliases_.find(number); alias != aliases_.end()) number = alias->second;
    if (belongs_to_stage(view)) {
      stages_.add(link_.number, index, number);
    } else if (stays_apart(view.opcode)) {
      // The n-th of them is equal to the n-th of another module.
      const std::uint32_t nth = occurrences_[number]++;
      if (nth != 0) {
        key_.push_back(nth);
        number = numbers_.intern(key_);
      }
    }
    classes_[index.index()] = number;
  }

  void set_separate(InstructionIndex index) {
    const Word key[] = {SeparateKey, link_.number, index.raw};
    classes_[index.index()] = numbers_.intern(key);
  }

  // Appends the key of a declaration to key_. Operands in the same cycle are replaced by their place in it. Returns
  // false if an operand has no class.
  bool append_key(InstructionView view) {
    const std::size_t begin = key_.size();
    key_.insert(key_.end(), view.words().begin(), view.words().end());
    const Word result = module_.result_of(view);
    bool is_complete = true;
    link_.for_each_id(view, [&](std::uint16_t word) {
      const Word id = view.word(word);
      if (id == result) {
        key_[begin + word] = 0;
        return;
      }
      const InstructionIndex definition = module_.definition(id);
      if (definition.index() >= classes_.size()) is_complete = false;
      else if (is_in_cycle(definition)) key_[begin + word] = place_in_cycle(definition);
      else if (classes_[definition.index()] == no_class) is_complete = false;
      else key_[begin + word] = classes_[definition.index()];
    });
    return append_annotations(view.opcode, result) && is_complete;
  }

  // Appends the number of the set of decorations and names. Returns false if an operand of a decoration has no class.
  bool append_annotations(Op opcode, Word id) {
    const std::span<const DecorationRow> rows = decorations_.all_of(id);
    const bool has_names = opcode == OpTypeStruct && !ignores_names(id);
    if (rows.empty() && !has_names) {
      key_.push_back(0);
      return true;
    }
    const WordBuffer set = annotation_set(rows, has_names ? id : 0);
    key_.push_back(set.empty() ? 0 : sets_.intern(set) + 1);
    return std::ranges::none_of(rows, [](const DecorationRow& row) { return row.form == DecorationForm::Id; });
  }

  [[nodiscard]] bool ignores_names(Word id) const {
    if (joined_ == nullptr) return true;
    const std::size_t at = module_.definition(id).index();
    if (at >= link_.loose_classes.size()) return false;
    const ClassNumber loose = link_.loose_classes[at];
    return loose < joined_->size() && (*joined_)[loose];
  }

  // The words of the decorations in an order that does not depend on that of the instructions, then the names of the
  // structure `named` if it is not 0.
  [[nodiscard]] WordBuffer annotation_set(std::span<const DecorationRow> rows, Word named) const {
    std::vector<WordBuffer> sorted;
    sorted.reserve(rows.size());
    for (const DecorationRow& row : rows) {
      const Words operands = decorations_.operands(row);
      WordBuffer& words = sorted.emplace_back();
      words = {row.member, static_cast<Word>(row.decoration), static_cast<Word>(operands.size())};
      words.insert(words.end(), operands.begin(), operands.end());
    }
    std::ranges::sort(sorted);
    WordBuffer set;
    for (const WordBuffer& words : sorted) set.insert(set.end(), words.begin(), words.end());
    if (named == 0) return set;
    const std::span<const Names::Row> all = names_.rows();
    for (auto row = std::ranges::lower_bound(all, named, {}, &Names::Row::id); row != all.end() && row->id == named;
         ++row) {
      set.push_back(row->member);
      const InstructionView view = module_.instruction(row->instruction);
      const std::size_t first = view.opcode == OpMemberName ? 3 : 2;
      set.insert(set.end(), view.first + std::min<std::size_t>(first, view.word_count), view.first + view.word_count);
    }
    return set;
  }

  // --- types that refer to each other in a cycle ---

  [[nodiscard]] bool is_in_cycle(InstructionIndex i) const {
    return !cycle_.empty() && i.raw >= base_ && component_[i.raw - base_] == cycle_number_;
  }

  [[nodiscard]] Word place_in_cycle(InstructionIndex i) {
    Word& place = places_[i.raw - base_];
    if (place == no_class) {
      place = static_cast<Word>(order_.size());
      order_.push_back(i);
    }
    return place;
  }

  void read_components(InstructionRange globals) {
    base_ = globals.first;
    UnitEdges edges;
    edges.reserve(globals.size());
    std::vector<bool> refers_to_itself(globals.size());
    for (const auto [index, view] : module_.instructions(globals)) {
      edges.next_unit();
      const InstructionView declaration = view;
      const std::uint32_t node = index.raw - base_;
      if (declaration.opcode == OpTypeForwardPointer) continue;
      const std::size_t result_word = module_.type_of(declaration) == 0 ? 1 : 2;
      link_.for_each_id(declaration, [&](std::uint16_t word) {
        const InstructionIndex to = module_.definition(declaration.word(word));
        if (to.is_none() || !globals.contains(to)) return;
        if (to.raw - base_ != node) edges.add(to.raw - base_);
        else if (word != result_word) refers_to_itself[node] = true;
      });
    }
    component_ = strong_components(edges);
    is_forward_.assign(globals.size(), false);
    for (const auto [index, view] : module_.instructions(globals)) {
      const auto forward = as<OpTypeForwardPointer>(view);
      const InstructionIndex pointer = forward ? module_.definition(forward->pointer_type()) : InstructionIndex();
      if (!pointer.is_none() && globals.contains(pointer)) is_forward_[pointer.raw - base_] = true;
    }
    places_.assign(globals.size(), no_class);
    // A component has a higher number than those that it refers to; its members are in the order of the module.
    std::vector<std::uint32_t> nodes(globals.size());
    std::iota(nodes.begin(), nodes.end(), 0u);
    std::ranges::stable_sort(nodes, {}, [&](std::uint32_t node) { return component_[node]; });
    for (std::size_t begin = 0, end = 0; begin < nodes.size(); begin = end) {
      while (end < nodes.size() && component_[nodes[end]] == component_[nodes[begin]]) ++end;
      const InstructionIndex first(base_ + nodes[begin]);
      if (end - begin == 1 && !refers_to_itself[nodes[begin]]) read(first, module_.instruction(first));
      else read_cycle(std::span(nodes).subspan(begin, end - begin));
    }
  }

  // The keys of a cycle from one of its pointers, in the order in which a walk from there finds its members. The least
  // of these lists does not depend on the order of declarations.
  void read_cycle(std::span<const std::uint32_t> nodes) {
    std::size_t words = 0, pointers = 0;
    for (const std::uint32_t node : nodes) {
      words += module_.instruction(InstructionIndex(base_ + node)).word_count;
      pointers += is_forward_[node] ? 1 : 0;
    }
    const bool is_affordable = pointers != 0 && words * pointers <= most_words_in_cycles - words_in_cycles_;
    WordBuffer least;
    std::vector<InstructionIndex> least_order;
    bool is_complete = is_affordable;
    if (is_affordable) {
      words_in_cycles_ += words * pointers;
      cycle_ = nodes;
      cycle_number_ = component_[nodes[0]];
      for (const std::uint32_t node : nodes) {
        if (!is_forward_[node] || !is_complete) continue;
        key_ = {CycleKey};
        order_.clear();
        static_cast<void>(place_in_cycle(InstructionIndex(base_ + node)));  // the first one
        // The keys append further members.
        for (std::size_t next = 0; next < order_.size();) {
          const InstructionIndex member = order_[next++];
          const InstructionView view = module_.instruction(member);
          if (role_of(view.opcode) != UnusedRole::Type || !append_key(view)) is_complete = false;
        }
        for (const InstructionIndex member : order_) places_[member.raw - base_] = no_class;
        if (order_.size() != nodes.size()) is_complete = false;
        if (least.empty() || key_ < least) {
          least = key_;
          least_order = order_;
        }
      }
      cycle_ = {};
    }
    const ClassNumber whole = is_complete ? numbers_.intern(least) : no_class;
    // A second cycle that is equal must stay apart like any operand of OpCopyLogical.
    const bool is_second = is_complete && has_copy_logical_ && occurrences_[whole]++ != 0;
    if (!is_complete || is_second) {
      for (const std::uint32_t node : nodes) {
        const InstructionIndex member(base_ + node);
        if (kind_of(member, module_.instruction(member)) != Kind::None) set_separate(member);
      }
      return;
    }
    for (Word place = 0; place < least_order.size(); ++place) {
      const Word key[] = {InCycleKey, whole, place};
      classes_[least_order[place].index()] = numbers_.intern(key);
      ++occurrences_[classes_[least_order[place].index()]];
    }
    // A declaration outside the cycle is equal to a member of it if its operands are.
    for (const InstructionIndex member : least_order) {
      key_.clear();
      append_key(module_.instruction(member));
      aliases_.try_emplace(numbers_.intern(key_), classes_[member.index()]);
    }
  }

  LinkModule& link_;
  const Module& module_;
  const Decorations& decorations_;
  const Names& names_;
  WordInterner& numbers_;              // of keys
  WordInterner& sets_;                 // of annotations
  SparseTable<ClassNumber>& aliases_;  // by the class of the key of a member of a cycle: its class in the cycle
  StageVariables& stages_;
  const std::vector<bool>* joined_;
  std::vector<ClassNumber>& classes_;
  OpcodeRows<UnusedRole> roles_;
  const bool has_copy_logical_;
  SparseTable<std::uint32_t> occurrences_;  // by class
  WordBuffer key_;
  std::uint32_t base_ = 0;  // the first global
  std::vector<std::uint32_t> component_;
  std::vector<bool> is_forward_;          // by global
  std::span<const std::uint32_t> cycle_;  // the cycle that is being read
  std::uint32_t cycle_number_ = 0;        // its component
  std::vector<InstructionIndex> order_;   // its members in the order of a walk
  std::vector<Word> places_;              // by global: index in order_
  std::size_t words_in_cycles_ = 0;
};

std::uint32_t number_all(std::deque<LinkModule>& modules, const std::vector<bool>* joined,
                         std::vector<ClassNumber> LinkModule::*classes) {
  WordInterner numbers, sets;
  SparseTable<ClassNumber> aliases;
  StageVariables stages;
  for (LinkModule& module : modules) ClassReader(module, numbers, sets, aliases, stages, joined, module.*classes).run();
  stages.set_classes(modules, classes, StageKey, numbers);
  const Word none[] = {SeparateKey};
  return numbers.intern(none);
}

}  // namespace

void DeclarationClasses::read(const std::vector<bool>& joined) {
  count_ = number_all(modules_, &joined, &LinkModule::classes);
}

void DeclarationClasses::read_loose() {
  if (loose_count_ == 0) loose_count_ = number_all(modules_, nullptr, &LinkModule::loose_classes);
}

}  // namespace vireo::spirv

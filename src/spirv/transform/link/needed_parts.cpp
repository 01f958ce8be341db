// SPDX-License-Identifier: Apache-2.0
//
// Follows the ids from the imports of modules into libraries (needed_parts.h).
//
// A function is needed as a whole, any other declaration on its own. Each is entered once, and its ids
// lead to further ones.
//
// Source: specification 2.13 (linkage).
#include "spirv/transform/link/needed_parts.h"

#include <algorithm>

namespace vireo::spirv {
namespace {

using enum Op;

class NeededParts {
 public:
  NeededParts(std::deque<LinkModule>& modules, const std::vector<bool>& is_library)
      : modules_(modules), is_library_(is_library) {
    for (const LinkModule& module : modules) {
      is_needed_.emplace_back(is_library[module.number] ? module.module.instruction_count() : 0u);
    }
  }

  void run() {
    for (const LinkModule& module : modules_) {
      if (is_library_[module.number]) need_decoration_operands(module);
      else
        for (const auto& [definition, place] : module.replaced) need(place);
    }
    while (!rest_.empty()) {
      const auto [number, range] = rest_.back();
      rest_.pop_back();
      for (const InstructionView view : modules_[number].module.views(range)) need_operands(modules_[number], view);
    }
    for (LinkModule& module : modules_) {
      if (is_library_[module.number]) remove_rest(module);
    }
  }

 private:
  struct Part {
    std::uint32_t module;
    InstructionRange range;
  };

  void need_operands(const LinkModule& module, InstructionView view) {
    module.for_each_id(view, [&](std::uint16_t word) {
      need({module.number, module.module.definition(view.word(word))});
    });
  }

  // The target of a decoration need not be needed, so these are a few too many.
  void need_decoration_operands(const LinkModule& module) {
    for (const InstructionView view : module.module.views(module.module.section(Section::Annotations))) {
      if (view.opcode != OpDecorateId) continue;
      const Word target = view.word(1);
      module.for_each_id(view, [&](std::uint16_t word) {
        if (view.word(word) != target) need({module.number, module.module.definition(view.word(word))});
      });
    }
  }

  void need(LinkPlace place) {
    if (place.instruction.is_none()) return;
    if (const auto found = modules_[place.module].replaced.find(place.instruction.raw);
        found != modules_[place.module].replaced.end()) {
      place = found->second;
    }
    if (!is_library_[place.module]) return;
    std::vector<bool>& is_needed = is_needed_[place.module];
    if (is_needed[place.instruction.index()]) return;
    const Module& module = modules_[place.module].module;
    InstructionRange range = {place.instruction.raw, place.instruction.raw + 1};
    if (const FunctionIndex function = module.function_at(place.instruction); !function.is_none()) {
      range = module.functions()[function.index()].all;
    }
    std::fill(is_needed.begin() + range.first, is_needed.begin() + range.end, true);
    rest_.push_back({place.module, range});
  }

  void remove_rest(LinkModule& module) {
    const std::vector<bool>& is_needed = is_needed_[module.number];
    const auto remove = [&](InstructionRange range) {
      for (std::uint32_t i = range.first; i < range.end; ++i) {
        const Op opcode = module.module.instruction(InstructionIndex(i)).opcode;
        const bool has_no_result = opcode == OpLine || opcode == OpNoLine || opcode == OpTypeForwardPointer;
        if (!is_needed[i] && !has_no_result) module.is_removed[i] = true;
      }
    };
    remove(module.module.section(Section::Imports));
    remove(module.module.section(Section::Globals));
    for (const FunctionRow& function : module.module.functions()) remove(function.all);
  }

  std::deque<LinkModule>& modules_;
  const std::vector<bool>& is_library_;
  std::vector<std::vector<bool>> is_needed_;  // by module and instruction
  std::vector<Part> rest_;
};

}  // namespace

void remove_unneeded(std::deque<LinkModule>& modules, const std::vector<bool>& is_library) {
  NeededParts(modules, is_library).run();
}

}  // namespace vireo::spirv

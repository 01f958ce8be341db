// SPDX-License-Identifier: Apache-2.0
//
// Follows the ids from the imports of modules into libraries (needed_parts.h).
//
// A function is needed as a whole, any other declaration on its own. Each is entered once, and its ids
// lead to further ones. A non-semantic instruction between functions describes what it refers to, so it is needed if it
// refers to a needed function or variable. There is no UseGraph: the ids of most instructions of a library are never
// needed, and a definition can lead to another module.
//
// Source: specification 2.13 (linkage).
#include "spirv/transform/link/needed_parts.h"

#include <algorithm>

#include "spirv/grammar/opcode_families.h"
#include "spirv/module/opcode_traits.h"
#include "vireo/spirv/binary/view.h"

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
      if (is_library_[module.number]) need_always_written(module);
      else
        for (const auto& [definition, place] : module.replaced) need(place);
    }
    follow();
    for (const LinkModule& module : modules_) {
      if (is_library_[module.number]) need_descriptions(module);
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

  void follow() {
    while (!rest_.empty()) {
      const auto [number, range] = rest_.back();
      rest_.pop_back();
      for (const InstructionView view : modules_[number].module.views(range)) need_operands(modules_[number], view);
    }
  }

  void need_operands(const LinkModule& module, InstructionView view) {
    module.for_each_id(view, [&](std::uint16_t word) {
      need({module.number, module.module.definition(view.word(word))});
    });
  }

  // Instructions that are written whether or not another part of the library is needed.
  void need_always_written(const LinkModule& module) {
    for (const Section section : {Section::Capabilities, Section::Extensions, Section::ExecutionModes}) {
      for (const InstructionView view : module.module.views(module.section(section))) need_operands(module, view);
    }
    // A decoration is only written with its target, which need not be needed, so its operands are a few too many.
    for (const InstructionView view : module.module.views(module.section(Section::Annotations))) {
      if (applies_group(view.opcode)) continue;
      const Word target = AnnotationOperands(view).target();
      module.for_each_id(view, [&](std::uint16_t word) {
        if (view.word(word) != target) need({module.number, module.module.definition(view.word(word))});
      });
    }
  }

  // The non-semantic instructions between functions. Each refers to earlier ones.
  void need_descriptions(const LinkModule& module) {
    for_each_between_functions(module.module, [&](InstructionRange range) {
      for (const auto each : module.module.instructions(range)) {
        bool is_about_needed = false;
        module.for_each_id(each.instruction, [&](std::uint16_t word) {
          is_about_needed |=
              word > 2 && is_needed_object(module, module.module.definition(each.instruction.word(word)));
        });
        if (!is_about_needed) continue;
        need({module.number, each.index});
        follow();
      }
    });
  }

  [[nodiscard]] bool is_needed_object(const LinkModule& module, InstructionIndex definition) const {
    if (definition.is_none()) return false;
    const Op opcode = module.module.instruction(definition).opcode;
    const bool is_object = opcode == OpFunction || is_variable(opcode) ||
                           definition.raw >= module.module.section(Section::Functions).first;
    if (!is_object) return false;
    const LinkPlace place = written_place({module.number, definition});
    return !is_library_[place.module] || is_needed_[place.module][place.instruction.index()];
  }

  template <typename Take>
  static void for_each_between_functions(const Module& module, Take&& take) {
    const InstructionRange section = module.section(Section::Functions);
    std::uint32_t next = section.first;
    for (const FunctionRow& function : module.functions()) {
      take(InstructionRange{next, function.all.first});
      next = function.all.end;
    }
    take(InstructionRange{next, section.end});
  }

  // The definition that is written in place of another one.
  [[nodiscard]] LinkPlace written_place(LinkPlace place) const {
    const auto& replaced = modules_[place.module].replaced;
    const auto found = replaced.find(place.instruction.raw);
    return found == replaced.end() ? place : found->second;
  }

  void need(LinkPlace place) {
    if (place.instruction.is_none()) return;
    place = written_place(place);
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
        const bool has_no_result = is_line(opcode) || opcode == OpTypeForwardPointer;
        if (!is_needed[i] && !has_no_result) module.is_removed[i] = true;
      }
    };
    remove(module.module.section(Section::Imports));
    remove(module.module.section(Section::Globals));
    remove(module.module.section(Section::Functions));
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

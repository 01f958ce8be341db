// SPDX-License-Identifier: Apache-2.0
//
// Shuffles a module: other ids, and another legal order of declarations.
//
// Items with line information are drawn at random from those whose predecessors are placed. This code
// shares nothing with canonical_ids(), which it tests.
//
// Source: specification 2.4 (logical layout).
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "vireo/spirv/binary/operand.h"
#include "vireo/spirv/build/edit.h"
#include "vireo/spirv/module/module.h"

namespace vireo::spirv::test {

class LegalShuffle {
 public:
  LegalShuffle(Words words, std::uint64_t seed) : words_(words), module_(Module::read(words)), random_(seed) {
    OperandDecoder decoder(builtin_grammar(), words[3], words.size());
    for (const auto [index, view] : module_.instructions()) {
      decoder.decode(view);
      for (const Operand& operand : decoder.operands()) {
        if (operand.is_id()) ids_[index.raw].push_back(view.word(operand.word));
      }
    }
    globals_begin_ = module_.section(Section::Globals).first;
    while (globals_begin_ > 0 && is_line(globals_begin_ - 1)) --globals_begin_;
  }

  WordBuffer run() {
    result_.assign(words_.begin(), words_.begin() + header_word_count);
    for (const Section section : {Section::Capabilities, Section::Extensions, Section::Imports}) shuffle(section);
    for (const Section section : {Section::MemoryModel, Section::EntryPoints}) copy(section);
    shuffle(Section::ExecutionModes);
    copy(Section::Sources);
    shuffle(Section::Names);
    copy(Section::ModuleProcessed);
    shuffle_annotations();
    shuffle_globals();
    shuffle_functions();
    copy(Section::Graphs);
    return with_other_ids();
  }

 private:
  struct Item {
    InstructionRange range;
    InstructionIndex line;  // in effect before the item
    InstructionIndex line_after;
    std::vector<std::uint32_t> users{};  // items that must follow
    std::uint32_t missing = 0;           // items that must precede and are not placed
  };
  using Items = std::vector<Item>;

  static void precede(Items& items, std::uint32_t first, std::uint32_t second) {
    if (first == second) return;
    items[first].users.push_back(second);
    ++items[second].missing;
  }

  [[nodiscard]] InstructionView at(std::uint32_t i) const { return module_.instruction(InstructionIndex(i)); }
  [[nodiscard]] bool is_line(std::uint32_t i) const {
    return at(i).opcode == Op::OpLine || at(i).opcode == Op::OpNoLine;
  }
  // Line information before the first global belongs to the globals.
  [[nodiscard]] InstructionRange section(Section section) const {
    InstructionRange range = module_.section(section);
    if (section < Section::Globals) range.end = std::min(range.end, std::max(range.first, globals_begin_));
    if (section == Section::Globals) range.first = globals_begin_;
    return range;
  }
  void write(std::uint32_t i) {
    const InstructionView view = at(i);
    result_.insert(result_.end(), view.first, view.first + view.word_count);
  }
  void copy(Section section) {
    for (const auto [index, view] : module_.instructions(this->section(section))) write(index.raw);
  }

  Items items_of(Section section) const {
    Items items;
    for (const auto [index, view] : module_.instructions(section))
      items.push_back({{index.raw, index.raw + 1}, {}, {}});
    return items;
  }
  void shuffle(Section section) { place(items_of(section)); }

  void place(Items items) {
    std::vector<std::uint32_t> ready;
    for (std::uint32_t i = 0; i < items.size(); ++i) {
      if (items[i].missing == 0) ready.push_back(i);
    }
    while (!ready.empty()) {
      std::swap(ready[random_() % ready.size()], ready.back());
      const Item& item = items[ready.back()];
      ready.pop_back();
      write_line(item.line);
      for (std::uint32_t i = item.range.first; i < item.range.end; ++i) write(i);
      line_ = item.line_after;
      for (const std::uint32_t user : item.users) {
        if (--items[user].missing == 0) ready.push_back(user);
      }
    }
  }

  void write_line(InstructionIndex line) {
    if (!line.is_none()) write(line.raw);
    else if (!line_.is_none()) result_.push_back(Word{1} << 16 | static_cast<Word>(Op::OpNoLine));
  }

  // The decorations of a group precede it, and its uses follow it. Alias declarations precede all others, each after
  // those to which it refers.
  void shuffle_annotations() {
    Items items = items_of(Section::Annotations);
    std::map<Word, std::uint32_t> groups;
    std::map<Word, std::uint32_t> aliases;
    for (std::uint32_t i = 0; i < items.size(); ++i) {
      const InstructionView view = at(items[i].range.first);
      const bool is_alias = view.opcode == Op::OpAliasDomainDeclINTEL || view.opcode == Op::OpAliasScopeDeclINTEL ||
                            view.opcode == Op::OpAliasScopeListDeclINTEL;
      if (!is_alias) {
        for (const auto& [id, alias] : aliases) precede(items, alias, i);
        continue;
      }
      for (const Word id : ids_[items[i].range.first]) {
        if (const auto other = aliases.find(id); other != aliases.end()) precede(items, other->second, i);
      }
      aliases[view.word(1)] = i;
    }
    for (std::uint32_t i = 0; i < items.size(); ++i) {
      const InstructionView view = at(items[i].range.first);
      if (view.opcode == Op::OpDecorationGroup) groups[view.word(1)] = i;
    }
    for (std::uint32_t i = 0; i < items.size(); ++i) {
      const InstructionView view = at(items[i].range.first);
      const auto group = groups.find(view.word(1));
      if (group == groups.end()) continue;
      const bool is_user = view.opcode == Op::OpGroupDecorate || view.opcode == Op::OpGroupMemberDecorate;
      if (is_user) precede(items, group->second, i);
      else precede(items, i, group->second);
    }
    place(std::move(items));
  }

  void follow_line(std::uint32_t i, InstructionIndex& line) const {
    if (at(i).opcode == Op::OpLine) line = InstructionIndex(i);
    if (at(i).opcode == Op::OpNoLine) line = {};
  }

  void shuffle_globals() {
    Items items;
    std::map<Word, std::uint32_t> definitions, forward;
    for (const auto [index, view] : module_.instructions(section(Section::Globals))) {
      follow_line(index.raw, state_);
      if (is_line(index.raw)) continue;
      // The rest of the operands of the item before it.
      if (view.opcode == Op::OpTypeStructContinuedINTEL || view.opcode == Op::OpConstantCompositeContinuedINTEL ||
          view.opcode == Op::OpSpecConstantCompositeContinuedINTEL) {
        items.back().range.end = index.raw + 1;
        auto& ids = ids_[items.back().range.first];
        ids.insert(ids.end(), ids_[index.raw].begin(), ids_[index.raw].end());
        continue;
      }
      if (const Word id = module_.result_of(view); id != 0) definitions[id] = static_cast<std::uint32_t>(items.size());
      if (view.opcode == Op::OpTypeForwardPointer) forward[view.word(1)] = static_cast<std::uint32_t>(items.size());
      items.push_back({{index.raw, index.raw + 1}, state_, state_});
    }
    std::uint32_t last_extended = 0;
    bool has_extended = false;
    for (std::uint32_t i = 0; i < items.size(); ++i) {
      const InstructionView view = at(items[i].range.first);
      if (view.opcode == Op::OpTypeForwardPointer) continue;
      for (const Word id : ids_[items[i].range.first]) {
        const auto declared = forward.find(id);
        if (declared != forward.end()) precede(items, declared->second, i);
        const auto defined = definitions.find(id);
        // A later definition is a permitted forward reference.
        if (defined != definitions.end() && defined->second < i) precede(items, defined->second, i);
      }
      if (view.opcode != Op::OpExtInst && view.opcode != Op::OpExtInstWithForwardRefsKHR) continue;
      if (has_extended) precede(items, last_extended, i);
      last_extended = i;
      has_extended = true;
    }
    // The operand of a decoration precedes the target, as in the module.
    for (const auto [index, view] : module_.instructions(Section::Annotations)) {
      if (view.opcode != Op::OpDecorateId && view.opcode != Op::OpMemberDecorateIdEXT) continue;
      const auto target = definitions.find(view.word(1));
      for (const Word id : ids_[index.raw]) {
        const auto operand = definitions.find(id);
        if (target != definitions.end() && operand != definitions.end() && operand->second < target->second)
          precede(items, operand->second, target->second);
      }
    }
    // What LocalSizeId and the decoration WorkgroupSize name precedes matrices of scope Workgroup, if it does so in the
    // module.
    std::vector<Word> sizes;
    for (const auto [index, view] : module_.instructions(Section::ExecutionModes)) {
      if (view.opcode == Op::OpExecutionModeId && view.word(2) == static_cast<Word>(ExecutionMode::LocalSizeId))
        sizes.insert(sizes.end(), view.first + 3, view.first + view.word_count);
    }
    for (const auto [index, view] : module_.instructions(Section::Annotations)) {
      const bool is_size = view.opcode == Op::OpDecorate && view.word(2) == static_cast<Word>(Decoration::BuiltIn) &&
                           view.word(3) == static_cast<Word>(BuiltIn::WorkgroupSize);
      if (!is_size) continue;
      sizes.push_back(view.word(1));
      for (const auto [other, use] : module_.instructions(Section::Annotations)) {
        if (use.opcode == Op::OpGroupDecorate && use.word(1) == view.word(1))
          sizes.insert(sizes.end(), use.first + 2, use.first + use.word_count);
      }
    }
    for (std::uint32_t i = 0; i < items.size(); ++i) {
      if (at(items[i].range.first).opcode != Op::OpTypeCooperativeMatrixKHR) continue;
      for (const Word size : sizes) {
        if (const auto defined = definitions.find(size); defined != definitions.end() && defined->second < i)
          precede(items, defined->second, i);
      }
    }
    place(std::move(items));
  }

  void shuffle_functions() {
    Items declarations, definitions;
    const InstructionRange section = module_.section(Section::Functions);
    std::uint32_t i = section.first;
    for (const FunctionRow& row : module_.functions()) {
      for (; i < row.all.first && is_line(i); ++i) follow_line(i, state_);
      if (i < row.all.first) {  // other instructions between functions, which keep their order
        copy(Section::Functions);
        return;
      }
      const InstructionIndex before = state_;
      if (!row.is_declaration()) {
        state_ = {};
        i = module_.blocks(row).back().all.end;
      }
      for (; i < row.all.end; ++i) follow_line(i, state_);
      (row.is_declaration() ? declarations : definitions).push_back({row.all, before, state_});
    }
    place(std::move(declarations));
    place(std::move(definitions));
    for (; i < section.end && is_line(i); ++i) follow_line(i, state_);
    if (i == section.end) return;
    write_line(state_);
    for (; i < section.end; ++i) write(i);
  }

  WordBuffer with_other_ids() {
    std::map<Word, Word> names;
    std::vector<Word> numbers;
    const Word count = std::min(words_[3], static_cast<Word>(words_.size()));
    for (Word i = 1; i <= count; ++i) numbers.push_back(2 * i);  // with gaps
    std::shuffle(numbers.begin(), numbers.end(), random_);
    std::size_t next = 0;
    Diagnostics diagnostics;
    Result<WordBuffer> renumbered = renumber_ids(
        result_,
        [&](Word id) {
          const auto [name, is_new] = names.try_emplace(id, 0);
          if (is_new) name->second = numbers[next++];  // each id takes at least one word
          return name->second;
        },
        diagnostics);
    return renumbered ? std::move(renumbered).value() : WordBuffer{};
  }

  Words words_;
  Module module_;
  std::mt19937_64 random_;
  std::map<std::uint32_t, std::vector<Word>> ids_;  // by instruction
  std::uint32_t globals_begin_ = 0;
  WordBuffer result_;
  InstructionIndex line_;   // in effect after the last written item
  InstructionIndex state_;  // in effect after the last item read
};

}  // namespace vireo::spirv::test

// SPDX-License-Identifier: Apache-2.0
//
// Applies changes to a module (edit.h).
//
// Changes are sorted by place once, and one pass merges them with the module. This file does not check
// the layout itself: Module::read() checks both modules, and the changed one must not have more layout violations.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "spirv/build/edit_interfaces.h"
#include "spirv/build/edit_state.h"
#include "spirv/build/layout_violation_text.h"
#include "spirv/module/opcode_traits.h"
#include "spirv/module/section_walk.h"
#include "spirv/module/truncated_module.h"
#include "spirv/rules.h"
#include "support/counted.h"
#include "vireo/spirv/binary/views/annotation.h"
#include "vireo/spirv/binary/writer.h"
#include "vireo/spirv/grammar/operand_names.h"

namespace vireo::spirv {

// --- writing ------------------------------------------------------------------------------------------------------------

// Sorts a copy of the changes, because apply() can be called again after more changes.
class EditWriter {
 public:
  using Change = EditState::Change;
  using Kind = EditState::Kind;
  using Phase = EditState::Phase;

  EditWriter(const EditState& edit, Diagnostics& diagnostics)
      : edit_(edit), module_(edit.module), changes_(edit.changes), diagnostics_(diagnostics) {
    drop_annotations();
    // Stable: changes of one place keep the order of the calls.
    std::ranges::stable_sort(changes_, {}, [](const Change& c) {
      return std::uint64_t{c.place} << 16 | static_cast<std::uint64_t>(c.phase) << 8 | c.section;
    });
  }

  Result<WordBuffer> run() {
    // If the module cannot be read to its end, the places of the changes have no meaning.
    check_module();
    if (reported_) return *reported_;
    // All faults of the changes are reported before a word is written, so the writing code need not check.
    check();
    if (reported_) return *reported_;
    out_.reserve(module_.words().size() + edit_.payload.size());
    const Header& old = module_.header();
    write_header({old.version_word, old.generator, edit_.next_id, old.schema}, out_);
    write({0, module_.instruction_count()}, changes_, {});
    if (!reported_ && !update_interfaces(edit_, out_)) {
      report(rule::instruction_too_long, Location::none(), "the interface of an OpEntryPoint exceeds 65535 words");
    }
    check_layout();
    if (reported_) return *reported_;
    return std::move(out_);
  }

 private:
  // Several changes may have the same fault; it is reported once.
  void report(std::string_view rule, Location where, std::string message) {
    if (diagnostics_.is_full() || reported_faults_.emplace(where.begin, message).second || !reported_) {
      reported_ = diagnostics_.error(rule, where, std::move(message));
    }
  }
  [[nodiscard]] Location place_of(std::uint32_t instruction) const {
    return module_.location_of(InstructionIndex(instruction));
  }

  // --- names and decorations of removed ids ---

  // One pass over the sections, whatever the number of dropped ids. A decoration group keeps its other targets.
  void drop_annotations() {
    if (edit_.dropped.empty()) return;
    for (const Section section : {Section::ExecutionModes, Section::Names, Section::Annotations}) {
      for (const auto [index, view] : module_.instructions(section)) {
        if (const auto on_ids = as<Op::OpGroupDecorate>(view)) {
          drop_targets(view, index.raw, on_ids->targets().words(), 1);
        } else if (const auto on_members = as<Op::OpGroupMemberDecorate>(view)) {
          drop_targets(view, index.raw, on_members->targets().words(), 2);
        } else if (view.opcode != Op::OpDecorationGroup && edit_.dropped.contains(AnnotationOperands(view).target())) {
          // All other instructions of these sections have their target in word 1.
          changes_.push_back({index.raw, Phase::Here, 0, Kind::Remove});
        }
      }
    }
  }
  // `stride`: words of one target. Incomplete words at the end are kept.
  void drop_targets(InstructionView view, std::uint32_t place, Words targets, std::size_t stride) {
    const std::size_t begin = group_words_.size(), own = edit_.payload.size();
    group_words_.insert(group_words_.end(), {0, view.word(word_of(view.opcode, OperandName::decoration_group))});
    for (std::size_t i = 0; i < targets.size(); i += stride) {
      if (edit_.dropped.contains(targets[i])) continue;
      const Words target = targets.subspan(i, std::min(stride, targets.size() - i));
      group_words_.insert(group_words_.end(), target.begin(), target.end());
    }
    const std::size_t count = group_words_.size() - begin;
    if (count == view.word_count || view.word_count < 2) return group_words_.resize(begin);
    group_words_[begin] = first_word(count, view.opcode);
    changes_.push_back({place, Phase::Here, 0, Kind::Replace, static_cast<std::uint32_t>(own + begin),
                        static_cast<std::uint32_t>(own + begin + count)});
  }

  // --- the original module ---

  // The changed module is assembled from the instructions. Words after the last instruction would be lost, and an
  // invalid header would be replaced by a valid one.
  void check_module() {
    const Words words = module_.words();
    if (words.empty()) return report(rule::empty_module, Location::none(), "the module has no words");
    if (words[0] != magic_number) {
      return report(rule::bad_magic, Location::in_words(0, 1, 0),
                    fmt::format("the magic number is 0x{:08x}; expected 0x{:08x}", words[0], magic_number));
    }
    if (words.size() < header_word_count) {
      return report(rule::truncated_header, Location::in_words(0, words.size(), 0),
                    "the module ends within its header");
    }
    if (const auto broken = report_break(module_, diagnostics_)) reported_ = broken;
  }

  // --- the recorded changes ---

  // The place of a TakeAway is the start of its range, so ranges are visited in ascending order. All faults of the edit
  // are reported; the edit fails with the last one.
  void check() {
    const std::uint32_t count = module_.instruction_count();
    for (const Diagnostic& fault : edit_.faults.all()) reported_ = diagnostics_.report(fault);
    if (edit_.has_run_out) report(rule::edit_bound, Location::none(), "no fresh id is left below the bound 4294967295");
    std::uint32_t moved_end = 0;  // of the ranges taken away so far
    for (const Change& c : changes_) {
      if (c.kind == Kind::RemoveRun) {
        report(
            rule::edit_place, place_of(c.first),
            c.end < c.first ? "the end of a removed range precedes its start" : "a removed range exceeds the module");
        continue;
      }
      check_place(c, count);
      if (c.kind == Kind::Insert || c.kind == Kind::Replace) check_payload(c);
      if (c.kind == Kind::TakeAway) {
        if (c.end < c.first) report(rule::edit_place, place_of(c.first), "the end of a moved range precedes its start");
        if (c.end > count) report(rule::edit_place, place_of(c.first), "a moved range exceeds the module");
        if (c.first < moved_end) report(rule::edit_place, place_of(c.first), "two moved ranges overlap");
        moved_end = std::max(moved_end, c.end);
        runs_.push_back({c.first, c.end});
      }
    }
    for (const Change& c : changes_) {
      // Ranges are sorted and disjoint: only the last one that begins before the place can contain it.
      if (c.kind != Kind::Move) continue;
      const auto run = std::ranges::lower_bound(runs_, c.place, {}, &InstructionRange::first);
      if (run != runs_.begin() && c.place < std::prev(run)->end) {
        report(rule::edit_place, place_of(c.place), "a range is moved into a moved range");
      }
    }
  }

  void check_place(const Change& c, std::uint32_t count) {
    if (c.phase == Phase::Here ? c.place < count : c.place <= count) return;
    if (InstructionIndex(c.place).is_none()) {
      report(rule::edit_place, Location::none(), "the instruction index of a change is none");
      return;
    }
    // The place of an insertion after an instruction is the gap before the next one.
    const std::uint32_t named = c.phase == Phase::After ? c.place - 1 : c.place;
    report(rule::edit_place, Location::none(),
           fmt::format("a change refers to instruction {}, but the module has only {}", named, count));
  }

  // Checks that the word counts add up. Operands are not checked: the caller is responsible for them. A replacement may
  // be empty; it then removes the instruction.
  void check_payload(const Change& c) {
    const Words words = payload(c);
    std::size_t at = 0;
    while (at < words.size() && word_count_of(words[at]) != 0) at += word_count_of(words[at]);
    if (at == words.size() && (at != 0 || c.kind == Kind::Replace)) return;
    report(rule::edit_instruction, place_of(c.place), "the inserted words are not complete instructions");
  }

  // Returns the payload of a change. Its indexes count the words of the edit first, then the words that
  // drop_annotations() has added.
  [[nodiscard]] Words payload(const Change& c) const {
    const std::size_t own = edit_.payload.size();
    if (c.first < own) return Words(edit_.payload).subspan(c.first, c.end - c.first);
    return Words(group_words_).subspan(c.first - own, c.end - c.first);
  }

  // --- one pass ---

  // Copies instructions without changes: one copy for the whole range.
  void copy(InstructionRange range) {
    if (range.is_empty()) return;
    const auto offset_of = [&](std::uint32_t i) {
      if (i < module_.instruction_count()) return module_.instruction(InstructionIndex(i)).offset;
      // Use the end of the last instruction, not of the words: a truncated rest is not copied.
      const InstructionView last = module_.instruction(InstructionIndex(i - 1));
      return last.offset + last.word_count;
    };
    const Words run = module_.words().subspan(offset_of(range.first), offset_of(range.end) - offset_of(range.first));
    out_.insert(out_.end(), run.begin(), run.end());
  }

  // Writes a range of the module with its changes. For a Move it calls itself to write the moved range at its new
  // place. Moved ranges do not contain other moves, so the recursion has at most two levels. `moving`: the range whose
  // own TakeAway is ignored.
  void write(InstructionRange range, std::span<const Change> changes, InstructionRange moving) {
    std::uint32_t at = range.first;
    for (std::size_t i = 0; i < changes.size(); ++i) {
      const Change& c = changes[i];
      if (c.place < at) continue;  // inside a range that was taken away
      copy({at, c.place});
      at = c.place;
      switch (c.kind) {
        case Kind::Insert: {
          const Words words = payload(c);
          out_.insert(out_.end(), words.begin(), words.end());
          break;
        }
        case Kind::Move: write({c.first, c.end}, changes_within({c.first, c.end}), {c.first, c.end}); break;
        default: {
          // All changes of this instruction, together.
          std::size_t end = i;
          while (end < changes.size() && changes[end].place == c.place) ++end;
          at = write_instruction(changes.subspan(i, end - i), moving);
          i = end - 1;
          break;
        }
      }
    }
    copy({at, range.end});
  }

  // Changes of instructions in the range and insertions inside it; insertions at its edges do not move with it.
  [[nodiscard]] std::span<const Change> changes_within(InstructionRange range) const {
    const auto first = std::ranges::lower_bound(changes_, std::tuple(range.first, Phase::Here), {},
                                                [](const Change& c) { return std::tuple(c.place, c.phase); });
    const auto end = std::ranges::lower_bound(changes_, range.end, {}, &Change::place);
    return std::span(changes_).subspan(first - changes_.begin(), end - first);
  }

  // Returns the index of the next instruction to write.
  std::uint32_t write_instruction(std::span<const Change> changes, InstructionRange moving) {
    const std::uint32_t place = changes.front().place;
    const std::size_t begin = out_.size();
    for (const Change& c : changes) {
      // The range moves with its changes, including those of its first instruction: they are written at the new place.
      if (c.kind == Kind::TakeAway && (moving.is_empty() || c.first != moving.first)) return c.end;
    }
    // In the order of the calls: set_word() after a replacement changes the new words; after a removal it is a fault.
    copy({place, place + 1});
    for (const Change& c : changes) {
      if (c.kind == Kind::Remove || c.kind == Kind::Replace) out_.resize(begin);
      if (c.kind == Kind::Replace) {
        const Words words = payload(c);
        out_.insert(out_.end(), words.begin(), words.end());
      }
      if (c.kind != Kind::SetWord) continue;
      if (c.first == 0) {
        report(rule::edit_place, place_of(place), "word 0 of an instruction (word count and opcode) cannot be set");
      } else if (c.first >= out_.size() - begin) {
        report(
            rule::edit_place, place_of(place),
            fmt::format("the instruction has {}, so it has no word {}", counted(out_.size() - begin, "word"), c.first));
      } else {
        out_[begin + c.first] = c.end;
      }
    }
    return place + 1;
  }

  // --- layout ---

  void check_layout() {
    if (reported_) return;
    // One more linear pass. Instruction indexes have changed, so single violations cannot be compared. Instead, the
    // number of violations of each kind must not grow.
    const Module changed = Module::read(out_, module_.grammar());
    std::array<std::size_t, layout_violation_kinds> allowed{};
    for (const LayoutViolation& violation : module_.layout_violations())
      ++allowed[static_cast<std::size_t>(violation.kind)];
    // The written bound is above all original ids, so any id beyond it is new.
    allowed[static_cast<std::size_t>(LayoutViolation::Kind::BeyondBound)] = 0;
    for (const LayoutViolation& violation : changed.layout_violations()) {
      std::size_t& left = allowed[static_cast<std::size_t>(violation.kind)];
      if (left != 0) {
        --left;
      } else if (violation.kind == LayoutViolation::Kind::BeyondBound && violation.id == EditState::last_bound) {
        report(rule::edit_bound, Location::none(), no_bound_left);
      } else {
        // The caller does not have the changed module, so the message includes the word offset.
        report(rule_of(violation), Location::none(),
               message_of(violation, changed) + fmt::format(", at word {} of the changed module", violation.offset));
      }
    }
  }

  const EditState& edit_;
  const Module& module_;
  std::vector<Change> changes_;
  WordBuffer group_words_;  // OpGroupDecorate without the dropped targets
  std::vector<InstructionRange> runs_;
  Diagnostics& diagnostics_;
  std::optional<Reported> reported_;
  std::set<std::pair<std::uint64_t, std::string>> reported_faults_;  // offset and message
  WordBuffer out_;
};

Result<WordBuffer> write_edited(const EditState& edit, Diagnostics& diagnostics) {
  return EditWriter(edit, diagnostics).run();
}

}  // namespace vireo::spirv

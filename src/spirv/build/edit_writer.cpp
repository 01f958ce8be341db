// SPDX-License-Identifier: Apache-2.0
//
// Changes → words (edit.h).
//
// The one idea: changes are sorted by place once, and one pass merges them with the module. Whether the result is laid out
// is not reasoned about here: Module::read() judges both, and the new one must not fit worse.
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
#include "spirv/module/broken_off.h"
#include "spirv/module/opcode_traits.h"
#include "spirv/module/section_walk.h"
#include "spirv/rules.h"
#include "support/counted.h"
#include "vireo/spirv/views/annotation.h"
#include "vireo/spirv/views/operand_names.h"
#include "vireo/spirv/writer.h"

namespace vireo::spirv {
namespace {

// --- what does not fit --------------------------------------------------------------------------------------------------

// The sentences have holes: {0} the instruction, {1} the id that it is about, {2} the bound, {3} the section that it
// belongs to, {4} the one that it stands in.
struct MisfitRow {
  Misfit::Kind kind;
  std::string_view rule;
  std::string_view sentence;
};
// clang-format off
constexpr auto misfit_rows = [] {  // by kind
  using enum Misfit::Kind;
  return std::to_array<MisfitRow>({
      {ZeroWordCount,    rule::zero_word_count,       "an instruction states a length of 0 words, expected at least 1"},
      {Truncated,        rule::truncated_instruction, "the last instruction states more words than there are"},
      {NoResult,         rule::missing_operand,       "{0} has no word for its result id"},
      {ZeroId,           rule::zero_id,               "{0} defines id 0, expected an id as fresh_id() gives them"},
      {BeyondBound,      rule::edit_bound,            "{0} defines id {1}, expected one below the bound {2}, as "
                                                      "fresh_id() gives them"},
      {DefinedTwice,     rule::duplicate_id,          "{0} defines id {1}, which an instruction before it defines"},
      {OutOfSection,     rule::edit_place,            "{0} belongs to the {3}, found among the {4}"},
      {NestedFunction,   rule::edit_place,            "{0} stands within a function, expected OpFunctionEnd before it"},
      {NoFunctionEnd,    rule::edit_place,            "the function {1} has no OpFunctionEnd"},
      {EndOutside,       rule::edit_place,            "{0} stands outside of functions"},
      {ParameterOutside, rule::edit_place,            "{0} stands elsewhere than behind its OpFunction"},
      {LabelOutside,     rule::edit_place,            "{0} stands outside of functions"},
      {NoTerminator,     rule::edit_place,            "the block {1} has no terminator"},
      {OutsideOfBlocks,  rule::edit_place,            "{0} stands outside of blocks"},
  });
}();
// clang-format on
constexpr std::size_t misfit_kinds = misfit_rows.size();
static_assert([] {
  for (std::size_t i = 0; i < misfit_kinds; ++i) {
    if (static_cast<std::size_t>(misfit_rows[i].kind) != i) return false;
  }
  return static_cast<std::size_t>(Misfit::Kind::OutsideOfBlocks) + 1 == misfit_kinds;
}());

const MisfitRow& row_of_misfit(const Misfit& misfit) { return misfit_rows[static_cast<std::size_t>(misfit.kind)]; }

// `module` is the changed one, which nobody has but us: so the place is in the sentence.
std::string sentence_of(const Misfit& misfit, const Module& module) {
  std::string name = "an instruction";
  Section home = Section::Functions, found = home;
  if (!misfit.instruction.is_none()) {
    const Op opcode = module.instruction(misfit.instruction).opcode;
    const InstructionRow* row = module.grammar().find_opcode(opcode);
    name = row == nullptr ? fmt::format("opcode {}", static_cast<unsigned>(opcode))
                          : std::string(module.grammar().text(row->name));
    home = traits_of(module.grammar(), row).home;
    found = section_at(module, misfit.instruction);
  }
  return fmt::format(fmt::runtime(row_of_misfit(misfit).sentence), name, misfit.id, module.header().bound,
                     name_of(home), name_of(found)) +
         fmt::format(", at word {} of the changed module", misfit.offset);
}

}  // namespace

// --- writing ------------------------------------------------------------------------------------------------------------

// Sorts a copy of the changes, as apply() may be called again, with more of them.
class EditWriter {
 public:
  using Change = EditState::Change;
  using Kind = EditState::Kind;
  using Phase = EditState::Phase;

  EditWriter(const EditState& edit, Diagnostics& diagnostics)
      : edit_(edit), module_(edit.module), changes_(edit.changes), diagnostics_(diagnostics) {
    drop_annotations();
    // Stable: of one place in the order of the calls.
    std::ranges::stable_sort(changes_, {}, [](const Change& c) {
      return std::uint64_t{c.place} << 16 | static_cast<std::uint64_t>(c.phase) << 8 | c.section;
    });
  }

  Result<WordBuffer> run() {
    // Of a module that is none, places mean nothing.
    check_module();
    if (reported_) return *reported_;
    // All that can be said of the list is said before a word is written, so writing need not look again.
    check();
    if (reported_) return *reported_;
    out_.reserve(module_.words().size() + edit_.payload.size());
    const Header& old = module_.header();
    write_header({old.version_word, old.generator, edit_.next_id, old.schema}, out_);
    write({0, module_.instruction_count()}, changes_, {});
    if (!reported_ && !update_interfaces(edit_, out_)) {
      report(rule::instruction_too_long, Location::none(), "an OpEntryPoint has no words left for its interface");
    }
    check_layout();
    if (reported_) return *reported_;
    return std::move(out_);
  }

 private:
  // Several changes may have the same fault: it is said once.
  void report(std::string_view rule, Location where, std::string message) {
    if (diagnostics_.is_full() || said_.emplace(where.begin, message).second || !reported_) {
      reported_ = diagnostics_.error(rule, where, std::move(message));
    }
  }
  [[nodiscard]] Location place_of(std::uint32_t instruction) const {
    if (instruction >= module_.instruction_count()) return Location::none();
    const InstructionView view = module_.instruction(InstructionIndex(instruction));
    return Location::in_words(view.offset, view.offset + view.word_count, instruction + 1u);
  }

  // --- names and decorations that go with their target ---

  // One pass over the two sections, however many ids are dropped. A decoration group keeps its other targets.
  void drop_annotations() {
    if (edit_.dropped.empty()) return;
    for (const Section section : {Section::ExecutionModes, Section::Names, Section::Annotations}) {
      for (const auto [index, view] : module_.instructions(section)) {
        const auto opcode = view.opcode;
        const std::uint32_t place = index.raw;
        if (const auto on_ids = as<Op::OpGroupDecorate>(view)) {
          drop_targets(view, place, on_ids->targets().words(), 1);
        } else if (const auto on_members = as<Op::OpGroupMemberDecorate>(view)) {
          drop_targets(view, place, on_members->targets().words(), 2);
        } else if (opcode != Op::OpDecorationGroup && edit_.dropped.contains(view.word(1))) {
          // All other instructions of these sections have their target in word 1.
          changes_.push_back({place, Phase::Here, 0, Kind::Remove});
        }
      }
    }
  }
  // `stride`: words of one target. Words that are left over at the end stay.
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
    group_words_[begin] = static_cast<Word>(count) << 16 | static_cast<Word>(view.opcode);
    changes_.push_back({place, Phase::Here, 0, Kind::Replace, static_cast<std::uint32_t>(own + begin),
                        static_cast<std::uint32_t>(own + begin + count)});
  }

  // --- what is there ---

  // The changed module is written from the instructions, so words behind the last one would be lost, and a header that is
  // none would become one.
  void check_module() {
    const Words words = module_.words();
    if (words.empty()) return report(rule::empty_module, Location::none(), "the module has no words");
    if (words[0] != magic_number) {
      return report(
          rule::bad_magic, Location::in_words(0, 1, 0),
          fmt::format("found 0x{:08x} in place of the magic number, expected 0x{:08x}", words[0], magic_number));
    }
    if (words.size() < header_word_count) {
      return report(rule::truncated_header, Location::in_words(0, words.size(), 0),
                    "the module ends within its header");
    }
    if (!report_break(module_, diagnostics_)) return;
    report(rule::edit_instruction, Location::none(), "the module cannot be read to its end");
  }

  // --- what was asked for ---

  // The place of a TakeAway is the beginning of its run, so runs come in ascending order here. An edit names all that
  // is wrong with it, and fails with the last of these.
  void check() {
    const std::uint32_t count = module_.instruction_count();
    for (const Diagnostic& fault : edit_.faults.all()) reported_ = diagnostics_.report(fault);
    if (edit_.has_run_out) report(rule::edit_bound, Location::none(), "no fresh id is left below the bound 4294967295");
    std::uint32_t moved_end = 0;  // of the runs taken away so far
    for (const Change& c : changes_) {
      if (c.kind == Kind::RemoveRun) {
        report(rule::edit_place, place_of(c.first),
               c.end < c.first ? "a run that is removed ends before it begins"
                               : "a run that is removed goes beyond the module");
        continue;
      }
      check_place(c, count);
      if (c.kind == Kind::Insert || c.kind == Kind::Replace) check_payload(c);
      if (c.kind == Kind::TakeAway) {
        if (c.end < c.first) report(rule::edit_place, place_of(c.first), "a run that is moved ends before it begins");
        if (c.end > count) report(rule::edit_place, place_of(c.first), "a run that is moved goes beyond the module");
        if (c.first < moved_end) report(rule::edit_place, place_of(c.first), "two runs that are moved overlap");
        moved_end = std::max(moved_end, c.end);
        runs_.push_back({c.first, c.end});
      }
    }
    for (const Change& c : changes_) {
      // Runs are sorted and apart: the last that begins before the place is the only one that could hold it.
      if (c.kind != Kind::Move) continue;
      const auto run = std::ranges::lower_bound(runs_, c.place, {}, &InstructionRange::first);
      if (run != runs_.begin() && c.place < std::prev(run)->end) {
        report(rule::edit_place, place_of(c.place), "a run is moved into one that is moved");
      }
    }
  }

  void check_place(const Change& c, std::uint32_t count) {
    if (c.phase == Phase::Here ? c.place < count : c.place <= count) return;
    if (InstructionIndex(c.place).is_none()) {
      report(rule::edit_place, Location::none(), "a change names no instruction");
      return;
    }
    // Behind an instruction is the gap in front of the next one.
    const std::uint32_t named = c.phase == Phase::After ? c.place - 1 : c.place;
    report(rule::edit_place, Location::none(),
           fmt::format("a change names instruction {}, and the module has {}", named, count));
  }

  // Word counts that add up; what the operands are is the writer's affair, as it is for any module.
  // A replacement may be of no words at all, which is a removal.
  void check_payload(const Change& c) {
    const Words words = payload(c);
    std::size_t at = 0;
    while (at < words.size() && words[at] >> 16 != 0) at += words[at] >> 16;
    if (at == words.size() && (at != 0 || c.kind == Kind::Replace)) return;
    report(rule::edit_instruction, place_of(c.place), "words to be put in are no whole instructions");
  }

  // Words of the edit, then those that drop_annotations() has made.
  [[nodiscard]] Words payload(const Change& c) const {
    const std::size_t own = edit_.payload.size();
    if (c.first < own) return Words(edit_.payload).subspan(c.first, c.end - c.first);
    return Words(group_words_).subspan(c.first - own, c.end - c.first);
  }

  // --- one pass ---

  // What no change touches: one copy for the whole run, however many instructions it has.
  void copy(InstructionRange range) {
    if (range.is_empty()) return;
    const auto offset_of = [&](std::uint32_t i) {
      if (i < module_.instruction_count()) return module_.instruction(InstructionIndex(i)).offset;
      // The end of the last one, and not of the words: what was cut off behind it is not copied.
      const InstructionView last = module_.instruction(InstructionIndex(i - 1));
      return last.offset + last.word_count;
    };
    const Words run = module_.words().subspan(offset_of(range.first), offset_of(range.end) - offset_of(range.first));
    out_.insert(out_.end(), run.begin(), run.end());
  }

  // A run of the module with its changes. A moved run is written where it goes, by the same function: moved runs hold
  // no other, so this is two deep at most. `moving`: the run whose own TakeAway does not count.
  void write(InstructionRange range, std::span<const Change> changes, InstructionRange moving) {
    std::uint32_t at = range.first;
    for (std::size_t i = 0; i < changes.size(); ++i) {
      const Change& c = changes[i];
      if (c.place < at) continue;  // inside a run that was taken away
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

  // What changes a run or stands inside of it; what stands at its edges does not go with it.
  [[nodiscard]] std::span<const Change> changes_within(InstructionRange range) const {
    const auto first = std::ranges::lower_bound(changes_, std::tuple(range.first, Phase::Here), {},
                                                [](const Change& c) { return std::tuple(c.place, c.phase); });
    const auto end = std::ranges::lower_bound(changes_, range.end, {}, &Change::place);
    return std::span(changes_).subspan(first - changes_.begin(), end - first);
  }

  // Returns the instruction to go on with.
  std::uint32_t write_instruction(std::span<const Change> changes, InstructionRange moving) {
    const std::uint32_t place = changes.front().place;
    const std::size_t begin = out_.size();
    for (const Change& c : changes) {
      // The run goes with its changes, those of its first instruction as well: the place that it moves to writes them.
      if (c.kind == Kind::TakeAway && (moving.is_empty() || c.first != moving.first)) return c.end;
    }
    // In the order of the calls: a word may be set in what a replacement has put there, and not where nothing is left.
    copy({place, place + 1});
    for (const Change& c : changes) {
      if (c.kind == Kind::Remove || c.kind == Kind::Replace) out_.resize(begin);
      if (c.kind == Kind::Replace) {
        const Words words = payload(c);
        out_.insert(out_.end(), words.begin(), words.end());
      }
      if (c.kind != Kind::SetWord) continue;
      if (c.first == 0) {
        report(rule::edit_place, place_of(place),
               "word 0 of an instruction is its length and opcode, and cannot be set");
      } else if (c.first >= out_.size() - begin) {
        report(rule::edit_place, place_of(place),
               fmt::format("the instruction has {}, and no word {}", counted(out_.size() - begin, "word"), c.first));
      } else {
        out_[begin + c.first] = c.end;
      }
    }
    return place + 1;
  }

  // --- the judge ---

  void check_layout() {
    if (reported_) return;
    // One more linear pass. Places are other ones now, so single misfits cannot be compared: there may be no more of a
    // kind than before.
    const Module changed = Module::read(out_, module_.grammar());
    // By kind, so that a misfit that was there before is not taken for a new one.
    std::array<std::size_t, misfit_kinds> allowed{};
    for (const Misfit& misfit : module_.misfits()) ++allowed[static_cast<std::size_t>(misfit.kind)];
    // The bound that is written is above all ids that were there: what is beyond it now is new.
    allowed[static_cast<std::size_t>(Misfit::Kind::BeyondBound)] = 0;
    for (const Misfit& misfit : changed.misfits()) {
      std::size_t& left = allowed[static_cast<std::size_t>(misfit.kind)];
      if (left != 0) {
        --left;
      } else if (misfit.kind == Misfit::Kind::BeyondBound && misfit.id == EditState::last_bound) {
        report(rule::edit_bound, Location::none(), no_bound_left);
      } else {
        report(row_of_misfit(misfit).rule, Location::none(), sentence_of(misfit, changed));
      }
    }
  }

  const EditState& edit_;
  const Module& module_;
  std::vector<Change> changes_;
  WordBuffer group_words_;  // OpGroupDecorate without the targets that are dropped
  std::vector<InstructionRange> runs_;
  Diagnostics& diagnostics_;
  std::optional<Reported> reported_;
  std::set<std::pair<std::uint64_t, std::string>> said_;  // where, what
  WordBuffer out_;
};

Result<WordBuffer> write_edited(const EditState& edit, Diagnostics& diagnostics) {
  return EditWriter(edit, diagnostics).run();
}

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// A program: lines → bytes. Labels, raw words, directives. docs/isa-assembler.md, "Programs".
//
// The one idea: a first pass finds out where everything stands, a second one assembles. Where lines may have several
// units, where things stand depends on what the lines become, and that may depend on the labels: passes are repeated until
// no place moves. A line that asked for no label is assembled once.
#include <algorithm>
#include <charconv>

#include "isa/assemble/assembler.h"
#include "isa/assemble/lines.h"
#include "isa/decode/walk.h"
#include "isa/model/rules.h"

namespace vireo::isa {
namespace {

// Each round reads all lines again that asked for a label, so the bound is one on time.
constexpr int max_rounds = 16;
// Bytes. Without a bound a line of twenty characters could ask for any number of them.
constexpr std::uint64_t max_alignment = 1u << 20;
constexpr std::size_t max_others = 8;  // that are named of an ambiguous text

// The end of a line may be CR LF: who edits a program need not know what with.
std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

// What takes room in the program. Labels take none, and stand in a list of their own.
struct Statement {
  enum class Kind : std::uint8_t { Instruction, Word, Target, Table, Align } kind = Kind::Instruction;
  std::string_view text;  // of the source
  std::uint32_t section = 0;
  std::uint64_t index = 0;  // in units of its section
  std::uint64_t units = 0;  // that it takes
  Bits word;                // once assembled
  std::vector<Bits> others;
  const TargetTable* table = nullptr;
  std::uint64_t alignment = 0;  // in units
  bool is_final = false;        // no later round can change it
};

// A name for a place. It stands for what comes next in its section, even if that is the end.
struct Label {
  std::string_view name;
  std::uint32_t section = 0;
  std::size_t statement = 0;  // the one that follows
  std::uint64_t index = 0;
};

// What the lines of a section ask for labels. It counts the questions: a line that asked for none means the same in
// every round.
class SectionLabels final : public Labels {
 public:
  std::optional<std::uint64_t> find(std::string_view name) const override {
    ++asked;
    const auto found = labels.find(name);
    if (found == labels.end()) return std::nullopt;
    return is_settled ? found->second->index : here;
  }
  std::unordered_map<std::string_view, const Label*> labels;
  bool is_settled = true;  // false: places are not known yet, and all labels are here
  std::uint64_t here = 0;
  mutable std::size_t asked = 0;
};

class Program {
 public:
  Program(LineAssembler& assembler, std::string_view source, Diagnostics& diagnostics)
      : assembler_(assembler),
        tables_(assembler.decoder().tables()),
        source_(source),
        diagnostics_(diagnostics),
        unit_(tables_.unit_bits) {
    is_one_unit_ = tables_.max_bits == unit_;
  }

  AssembledProgram run() {
    AssembledProgram result;
    // No unit, no instruction set: what is wrong with the description was said when it was loaded.
    if (unit_ < 8) return result;
    read_lines();
    // Only now: sections refer to labels by address, and the list of labels does not grow any more.
    sections_.resize(section_ + 1);
    for (const Label& label : labels_) define(label);
    if (is_one_unit_) {
      place();
      assemble_all(true);
    } else {
      settle();
    }
    // All lines were tried, so all faults are known; bytes of a program with a gap in it would be worse than none.
    if (diagnostics_.has_errors()) return result;
    write(result);
    check_boundaries(result);
    if (diagnostics_.has_errors()) result = {};
    return result;
  }

 private:
  // Every text here is a view of the source, so its place need not be carried along.
  [[nodiscard]] Location where(std::string_view text) const {
    const auto begin = static_cast<std::uint64_t>(text.data() - source_.data());
    return Location::in_text(begin, begin + text.size());
  }

  // --- reading ------------------------------------------------------------------------------------------------------------

  void read_lines() {
    std::string_view rest = source_;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      read_line(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }

  void read_line(std::string_view line) {
    std::string_view text = without_blanks(line.substr(0, assembler_.comment_of(line)));
    // A line may have several labels in front of its statement, or nothing but labels.
    while (!text.empty()) {
      std::size_t end = 0;
      while (end < text.size() && is_name_character(text[end])) ++end;
      if (end == 0 || end == text.size() || text[end] != ':') break;
      // Words with a colon inside are operands of some language, not labels.
      if (end + 1 != text.size() && text[end + 1] != ' ' && text[end + 1] != '\t') break;
      labels_.push_back({text.substr(0, end), section_, statements_.size(), 0});
      text = without_blanks(text.substr(end + 1));
    }
    if (text.empty()) return;
    Statement statement;
    statement.text = text;
    statement.section = section_;
    // Directives look like nothing that is in a description; what is none of them is left to the grammar.
    if (text.front() == '[' && text.back() == ']' && read_word(text, statement)) {
    } else if (text.front() == '.' && text.find_first_of(" \t") == std::string_view::npos && find_table(text)) {
      statement.kind = Statement::Kind::Table;
      statement.table = find_table(text);
      statement.units = statement.table->entries.size();
    } else if (text.starts_with(".align") || text.starts_with(".section")) {
      if (!read_directive(text, statement)) return;
    }
    statements_.push_back(std::move(statement));
  }

  [[nodiscard]] const TargetTable* find_table(std::string_view name) const {
    for (const TargetTable& table : assembler_.options().tables) {
      if (table.name == name) return &table;
    }
    return nullptr;
  }

  // [0123abcd] or [#label]: a unit. Other texts in brackets are left to the instructions.
  // The name of a target is looked up when bytes are written: by then every label has its place.
  bool read_word(std::string_view text, Statement& statement) {
    const std::string_view inner = without_blanks(text.substr(1, text.size() - 2));
    if (inner.starts_with('#')) {
      statement.kind = Statement::Kind::Target;
      statement.units = 1;
      return true;
    }
    const std::optional<Bits> word = parse_hex(inner, unit_);
    if (!word) return false;
    statement.kind = Statement::Kind::Word;
    statement.word = *word;
    statement.units = 1;
    return true;
  }

  // True: it lays something down. A section only changes how the lines behind it are counted.
  bool read_directive(std::string_view text, Statement& statement) {
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    const std::string_view operand = without_blanks(text.substr(end));
    if (text.substr(0, end) == ".section") {
      if (operand.empty()) {
        diagnostics_.error(rule::malformed_directive, where(text), "expected the name of a section");
        return false;
      }
      // The name is for people: what a section does is to begin counting anew, with labels of its own.
      ++section_;
      return false;
    }
    std::uint64_t bytes = 0;
    const auto [stop, error] = std::from_chars(operand.data(), operand.data() + operand.size(), bytes);
    if (text.substr(0, end) != ".align" || operand.empty() || error != std::errc() ||
        stop != operand.data() + operand.size() || bytes == 0 || bytes > max_alignment || bytes * 8 % unit_ != 0) {
      diagnostics_.error(rule::malformed_directive, where(text),
                         "expected '.align' and a number of bytes: a multiple of " + std::to_string(unit_ / 8) +
                             ", at most " + std::to_string(max_alignment));
      return false;
    }
    statement.kind = Statement::Kind::Align;
    statement.alignment = bytes * 8 / unit_;
    return true;
  }

  // The first definition counts, so that lines which use the name get no faults of their own.
  void define(const Label& label) {
    const auto [entry, is_new] = sections_[label.section].labels.try_emplace(label.name, &label);
    if (is_new) return;
    diagnostics_.error(rule::duplicate_label, where(label.name),
                       "label '" + std::string(label.name) + "' is defined twice");
    diagnostics_.note(where(entry->second->name), "first defined here");
  }

  // --- places ---------------------------------------------------------------------------------------------------------------

  // Where everything stands, as far as sizes are known. True: something moved.
  bool place() {
    bool moved = false;
    // Both lists are in the order of the source, so they are gone through together, once. The index is in units.
    std::uint64_t index = 0;
    std::uint32_t section = 0;
    std::size_t next_label = 0;
    for (std::size_t i = 0; i <= statements_.size(); ++i) {
      // Labels stand in front of the statement that follows them, be it of the next section: a section's last labels
      // are its end. So the labels are walked along with the statements, and whatever is left belongs to the end.
      const bool is_end = i == statements_.size();
      if (!is_end && statements_[i].section != section) {
        for (; next_label < labels_.size() && labels_[next_label].section == section; ++next_label) {
          moved |= labels_[next_label].index != index;
          labels_[next_label].index = index;
        }
        section = statements_[i].section;
        index = 0;
      }
      for (; next_label < labels_.size() && labels_[next_label].statement <= i &&
             (is_end || labels_[next_label].section == section);
           ++next_label) {
        if (labels_[next_label].section != section) {
          section = labels_[next_label].section;
          index = 0;
        }
        moved |= labels_[next_label].index != index;
        labels_[next_label].index = index;
      }
      if (is_end) break;
      Statement& statement = statements_[i];
      moved |= statement.index != index;
      statement.index = index;
      if (statement.kind == Statement::Kind::Instruction && is_one_unit_) statement.units = 1;
      // Depends on the place, so it may change from round to round as instructions do.
      if (statement.kind == Statement::Kind::Align)
        statement.units = (statement.alignment - index % statement.alignment) % statement.alignment;
      index += statement.units;
    }
    return moved;
  }

  void settle() {
    // In the first round nothing has a place, and every label is taken to be where it is asked for: most targets are
    // near. From then on sizes say places and places say sizes; that may go back and forth for ever, so rounds are
    // counted.
    for (SectionLabels& labels : sections_) labels.is_settled = false;
    for (int round = 0; round < max_rounds; ++round) {
      assemble_all(false);
      const bool moved = place();
      for (SectionLabels& labels : sections_) labels.is_settled = true;
      // In the first round every label was a guess, so that nothing moved says nothing then. Faults are reported at
      // last only, where the places are right: a label that seems too far away may come nearer.
      if (!moved && round != 0) return assemble_all(true);
    }
    diagnostics_.error(rule::unsettled_sizes, Location::none(),
                       "the sizes of instructions and the distances of labels do not settle");
  }

  void assemble_all(bool reports) {
    for (Statement& statement : statements_) assemble(statement, reports);
  }

  void assemble(Statement& statement, bool reports) {
    if (statement.kind != Statement::Kind::Instruction || statement.is_final) return;
    SectionLabels& labels = sections_[statement.section];
    // In the first round all labels are taken to be here.
    labels.here = statement.index;
    labels.asked = 0;
    const bool is_known = assembler_.assemble_line(statement.text, {statement.index, &labels}, line_, reports);
    if (is_known) {
      statement.word = line_.word;
      statement.others = std::move(line_.others);
      statement.units = line_.word.width() / unit_;
      // Nothing else but places changes from round to round.
      statement.is_final = labels.asked == 0;
    } else {
      // One that cannot be read yet still stands somewhere, and what follows does not stand there, too.
      statement.units = std::max<std::uint64_t>(statement.units, 1);
    }
    if (!is_known && reports) report(statement, line_.fault);
  }

  void report(const Statement& statement, const LineFault& fault) {
    const auto begin = static_cast<std::uint64_t>(statement.text.data() - source_.data());
    const Location place = Location::in_text(begin + fault.begin, begin + fault.end);
    diagnostics_.error(fault.rule, place, fault.message, fault.hint);
    for (const std::string& note : fault.notes) diagnostics_.note(place, note);
  }

  // --- writing --------------------------------------------------------------------------------------------------------------

  void write(AssembledProgram& result) {
    for (Statement& statement : statements_) {
      const auto begin = static_cast<std::size_t>(statement.text.data() - source_.data());
      const auto add = [&](const Bits& word) {
        result.instructions.push_back(
            {result.bytes.size(), word.width(), begin, begin + statement.text.size(), std::move(statement.others)});
        // Units are little-endian, and so is an instruction of several: its lowest byte comes first.
        for (std::uint32_t bit = 0; bit < word.width(); bit += 8)
          result.bytes.push_back(static_cast<char>(word.slice(bit, bit + 7)));
      };
      switch (statement.kind) {
        case Statement::Kind::Instruction:
          if (!statement.others.empty()) report_others(statement);
          add(statement.word);
          break;
        case Statement::Kind::Word: add(statement.word); break;
        case Statement::Kind::Target: {
          const std::string_view name = without_blanks(statement.text.substr(1, statement.text.size() - 2)).substr(1);
          add(target(statement, {std::string(name)}) | filler());
          break;
        }
        case Statement::Kind::Table:
          for (std::size_t i = 0; i < statement.table->entries.size(); ++i) add(entry(statement, i));
          break;
        case Statement::Kind::Align:
          for (std::uint64_t i = 0; i < statement.units; ++i) add(filler());
          break;
      }
    }
  }

  // A unit that does nothing where it is executed: the instruction `nop`, if there is one of that size; else zeros.
  const Bits& filler() {
    if (filler_.width() == 0) {
      const bool has_nop = assembler_.assemble_line("nop", {}, line_, false) && line_.word.width() == unit_;
      filler_ = has_nop ? line_.word : Bits(unit_);
    }
    return filler_;
  }

  Bits entry(const Statement& statement, std::size_t number) {
    const TargetTable& table = *statement.table;
    const std::vector<std::string>& names = table.entries[number];
    const SectionLabels& labels = sections_[statement.section];
    const bool has_label =
        std::any_of(names.begin(), names.end(), [&](const std::string& name) { return labels.find(name).has_value(); });
    // An entry may go by several names: whichever of them the source defines will do.
    if (has_label || table.fallback.empty() || !labels.find(table.fallback)) return target(statement, names);
    diagnostics_.warning(
        rule::missing_entry, where(statement.text),
        "entry " + std::to_string(number) + " has no label of its own; it leads to '" + table.fallback + "'");
    return target(statement, {table.fallback});
  }

  Bits target(const Statement& statement, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      // The first of the names that is a label. Places fill the bits of a unit, and are cut to it.
      const std::optional<std::uint64_t> index = sections_[statement.section].find(name);
      if (index) return Bits(unit_, *index & low_mask(unit_));
    }
    diagnostics_.error(rule::unknown_label, where(statement.text),
                       "there is no label '" + (names.empty() ? std::string() : names.back()) + "'");
    return Bits(unit_);
  }

  void report_others(const Statement& statement) {
    std::string list;
    for (std::size_t i = 0; i < std::min(statement.others.size(), max_others); ++i)
      list += " " + to_hex(statement.others[i]);
    if (statement.others.size() > max_others) list += " …";
    diagnostics_.warning(rule::ambiguous_text, where(statement.text),
                         to_hex(statement.word) + " was chosen; the same text have" + list);
  }

  // Where the decoder chooses among roots, what stands behind an instruction may make it see another.
  void check_boundaries(const AssembledProgram& result) {
    if (is_one_unit_ || (tables_.roots.size() == 1 && !tables_.roots.front().row->has_pattern)) return;
    for (const AssembledInstruction& instruction : result.instructions) {
      // The decoder chooses among roots by what is ahead, so it is asked with the bytes that do follow: at most the
      // longest instruction, hence linear in the program.
      const std::size_t left = (result.bytes.size() - instruction.offset) * 8;
      BitWord words[words_for(max_bitset_size) + 1] = {};
      const std::size_t count = std::min<std::size_t>(left, tables_.max_bits) / 8;
      for (std::size_t i = 0; i < count; ++i) {
        const auto byte = static_cast<unsigned char>(result.bytes[instruction.offset + i]);
        words[i / 8] |= BitWord{byte} << i % 8 * 8;
      }
      const ChosenLeaf chosen = choose_leaf(tables_, words, left);
      const std::uint32_t size = chosen.root != nullptr ? chosen.root->size : unit_;
      if (size == instruction.bits) continue;
      diagnostics_.error(rule::runs_together, Location::in_text(instruction.begin, instruction.end),
                         "with what follows, this is decoded as an instruction of " + std::to_string(size) +
                             " bits instead of " + std::to_string(instruction.bits));
    }
  }

  LineAssembler& assembler_;
  const DecodeTables& tables_;
  std::string_view source_;
  Diagnostics& diagnostics_;
  std::uint32_t unit_;
  bool is_one_unit_ = true;  // every instruction, and so every line of one: places are known before lines are read
  std::uint32_t section_ = 0;
  std::vector<Statement> statements_;
  std::vector<Label> labels_;
  std::vector<SectionLabels> sections_;
  AssembledLine line_;
  Bits filler_;
};

}  // namespace

AssembledProgram assemble_program(LineAssembler& lines, std::string_view source, Diagnostics& diagnostics) {
  return Program(lines, source, diagnostics).run();
}

}  // namespace vireo::isa

// SPDX-License-Identifier: Apache-2.0
//
// A program: lines → bytes. Labels, raw words, directives. docs/isa-assembler.md, "Programs".
//
// The one idea: a first pass finds out where everything stands, a second one assembles. Where instructions have several
// sizes, where things stand depends on what the lines become, and that may depend on the labels: passes are repeated until
// no place moves. A line that asked for no label is assembled once.
#include <algorithm>
#include <charconv>

#include "isa/assemble/assembler.h"
#include "isa/assemble/lines.h"
#include "isa/decode/walk.h"
#include "isa/model/rules.h"

namespace vireo::isa {
namespace {

constexpr int max_rounds = 16;
constexpr std::uint64_t max_alignment = 1u << 20;
constexpr std::size_t max_others = 8;  // that are named of an ambiguous text

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

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

struct Label {
  std::string_view name;
  std::uint32_t section = 0;
  std::size_t statement = 0;  // the one that follows
  std::uint64_t index = 0;
};

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
    has_one_size_ = tables_.roots.size() == 1 && !tables_.roots.front().row->has_pattern;
  }

  AssembledProgram run() {
    AssembledProgram result;
    if (unit_ < 8) return result;
    read_lines();
    sections_.resize(section_ + 1);
    for (const Label& label : labels_) define(label);
    if (has_one_size_) {
      place();
      assemble_all(true);
    } else {
      settle();
    }
    if (diagnostics_.has_errors()) return result;
    write(result);
    check_boundaries(result);
    if (diagnostics_.has_errors()) result = {};
    return result;
  }

 private:
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
    while (!text.empty()) {
      std::size_t end = 0;
      while (end < text.size() && is_name_character(text[end])) ++end;
      if (end == 0 || end == text.size() || text[end] != ':') break;
      if (end + 1 != text.size() && text[end + 1] != ' ' && text[end + 1] != '\t') break;
      labels_.push_back({text.substr(0, end), section_, statements_.size(), 0});
      text = without_blanks(text.substr(end + 1));
    }
    if (text.empty()) return;
    Statement statement;
    statement.text = text;
    statement.section = section_;
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

  bool read_directive(std::string_view text, Statement& statement) {
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    const std::string_view operand = without_blanks(text.substr(end));
    if (text.substr(0, end) == ".section") {
      if (operand.empty()) {
        diagnostics_.error(rule::malformed_directive, where(text), "expected the name of a section");
        return false;
      }
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
    std::uint64_t index = 0;
    std::uint32_t section = 0;
    std::size_t next_label = 0;
    for (std::size_t i = 0; i <= statements_.size(); ++i) {
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
      if (statement.kind == Statement::Kind::Instruction && has_one_size_) statement.units = tables_.max_bits / unit_;
      if (statement.kind == Statement::Kind::Align)
        statement.units = (statement.alignment - index % statement.alignment) % statement.alignment;
      index += statement.units;
    }
    return moved;
  }

  void settle() {
    for (SectionLabels& labels : sections_) labels.is_settled = false;
    for (int round = 0; round < max_rounds; ++round) {
      assemble_all(false);
      const bool moved = place();
      for (SectionLabels& labels : sections_) labels.is_settled = true;
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
    labels.here = statement.index;
    labels.asked = 0;
    const bool is_known = assembler_.assemble_line(statement.text, {statement.index, &labels}, line_, reports);
    if (is_known) {
      statement.word = line_.word;
      statement.others = std::move(line_.others);
      statement.units = line_.word.width() / unit_;
      statement.is_final = labels.asked == 0;
    } else {
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
    if (has_label || table.fallback.empty() || !labels.find(table.fallback)) return target(statement, names);
    diagnostics_.warning(
        rule::missing_entry, where(statement.text),
        "entry " + std::to_string(number) + " has no label of its own; it leads to '" + table.fallback + "'");
    return target(statement, {table.fallback});
  }

  Bits target(const Statement& statement, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
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

  // Where instructions have several sizes, what stands behind one may make the decoder see another.
  void check_boundaries(const AssembledProgram& result) {
    if (has_one_size_) return;
    for (const AssembledInstruction& instruction : result.instructions) {
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
  bool has_one_size_ = true;
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

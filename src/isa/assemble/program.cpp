// SPDX-License-Identifier: Apache-2.0
//
// Assembles a program: lines with labels, raw words and directives become bytes. docs/isa-assembler.md, "Programs".
//
// The first pass assigns positions, and the second assembles. If instructions may have several units,
// positions depend on sizes, and sizes may depend on labels. Passes are then repeated until no position changes. A line
// that looks up no label is assembled once.
#include <algorithm>
#include <charconv>

#include "isa/assemble/assembler.h"
#include "isa/assemble/lines.h"
#include "isa/decode/walk.h"
#include "isa/model/rules.h"

namespace vireo::isa {
namespace {

// Each round assembles all lines that look up labels, so this limit bounds the time.
constexpr int max_rounds = 16;
// In bytes. Without a limit, a short line could produce any amount of output.
constexpr std::uint64_t max_alignment = 1u << 20;
constexpr std::size_t max_others = 8;  // limit on other encodings listed in a warning

// Also removes the CR of lines that end in CR LF.
std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

// A line that occupies space. Labels occupy no space and have their own list.
struct Statement {
  enum class Kind : std::uint8_t { Instruction, Word, Target, Table, Align } kind = Kind::Instruction;
  std::string_view text;  // view of the source
  std::uint32_t section = 0;
  std::uint64_t index = 0;  // position in its section, in units
  std::uint64_t units = 0;  // size in units
  Bits word;                // valid once assembled
  std::vector<Bits> others;
  const TargetTable* table = nullptr;
  std::uint64_t alignment = 0;  // in units
  bool is_final = false;        // later rounds cannot change it
};

// A label names the position of the next statement in its section, or the end of the section.
struct Label {
  std::string_view name;
  std::uint32_t section = 0;
  std::size_t statement = 0;  // index of the next statement
  std::uint64_t index = 0;
};

// The labels of a section. It counts lookups: a line that looks up no label gives the same word in every round.
class SectionLabels final : public Labels {
 public:
  std::optional<std::uint64_t> find(std::string_view name) const override {
    ++lookups;
    const auto found = labels.find(name);
    if (found == labels.end()) return std::nullopt;
    return has_positions ? found->second->index : here;
  }
  std::unordered_map<std::string_view, const Label*> labels;
  bool has_positions = true;  // false: positions are unknown, and every label is at `here`
  std::uint64_t here = 0;
  mutable std::size_t lookups = 0;
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
    // Without a unit, there is no instruction set. The loader reported the error.
    if (unit_ < 8) return result;
    read_lines();
    // Define labels only after their list is complete: sections keep pointers to its elements.
    sections_.resize(section_ + 1);
    for (const Label& label : labels_) define(label);
    if (is_one_unit_) {
      assign_positions();
      assemble_all(true);
    } else {
      assemble_until_stable();
    }
    // The loops above assemble all lines, so that all errors are reported. A program with errors has no output.
    if (diagnostics_.has_errors()) return result;
    write(result);
    check_boundaries(result);
    if (diagnostics_.has_errors()) result = {};
    return result;
  }

 private:
  // Every text is a view of the source, so its position is computed from the pointer.
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
    // A line may have several labels before its statement, or only labels.
    while (!text.empty()) {
      std::size_t end = 0;
      while (end < text.size() && is_name_character(text[end])) ++end;
      if (end == 0 || end == text.size() || text[end] != ':') break;
      // A colon inside a word belongs to an operand.
      if (end + 1 != text.size() && text[end + 1] != ' ' && text[end + 1] != '\t') break;
      labels_.push_back({text.substr(0, end), section_, statements_.size(), 0});
      text = without_blanks(text.substr(end + 1));
    }
    if (text.empty()) return;
    Statement statement;
    statement.text = text;
    statement.section = section_;
    // Treat every line that is not a directive as an instruction.
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

  // Reads [0123abcd] or [#label]: one unit. Other texts in brackets are instructions. write() looks up the label,
  // because all positions are known only then.
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

  // Returns true if the directive occupies space. A section only restarts the positions of the following lines.
  bool read_directive(std::string_view text, Statement& statement) {
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    const std::string_view operand = without_blanks(text.substr(end));
    if (text.substr(0, end) == ".section") {
      if (operand.empty()) {
        diagnostics_.error(rule::malformed_directive, where(text), "expected a section name");
        return false;
      }
      // The name has no effect: each section has its own positions and labels.
      ++section_;
      return false;
    }
    std::uint64_t bytes = 0;
    const auto [stop, error] = std::from_chars(operand.data(), operand.data() + operand.size(), bytes);
    if (text.substr(0, end) != ".align" || operand.empty() || error != std::errc() ||
        stop != operand.data() + operand.size() || bytes == 0 || bytes > max_alignment || bytes * 8 % unit_ != 0) {
      diagnostics_.error(rule::malformed_directive, where(text),
                         "expected '.align' and a number of bytes that is a multiple of " + std::to_string(unit_ / 8) +
                             " and at most " + std::to_string(max_alignment));
      return false;
    }
    statement.kind = Statement::Kind::Align;
    statement.alignment = bytes * 8 / unit_;
    return true;
  }

  // Use the first definition, so that lines with the label report no further errors.
  void define(const Label& label) {
    const auto [entry, is_new] = sections_[label.section].labels.try_emplace(label.name, &label);
    if (is_new) return;
    diagnostics_.error(rule::duplicate_label, where(label.name),
                       "label '" + std::string(label.name) + "' is defined twice");
    diagnostics_.note(where(entry->second->name), "first defined here");
  }

  // --- positions -----------------------------------------------------------------------------------------------------

  // Assigns positions from the sizes known so far. Returns true if any position changed.
  bool assign_positions() {
    bool is_changed = false;
    // Both lists are in source order, so one pass visits them together. The index is in units.
    std::uint64_t index = 0;
    std::uint32_t section = 0;
    std::size_t next_label = 0;
    for (std::size_t i = 0; i <= statements_.size(); ++i) {
      // Labels precede their statement, which may be in the next section: the last labels of a section mark its end. So
      // advance through labels and statements together, and handle the remaining labels at the end.
      const bool is_end = i == statements_.size();
      if (!is_end && statements_[i].section != section) {
        for (; next_label < labels_.size() && labels_[next_label].section == section; ++next_label) {
          is_changed |= labels_[next_label].index != index;
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
        is_changed |= labels_[next_label].index != index;
        labels_[next_label].index = index;
      }
      if (is_end) break;
      Statement& statement = statements_[i];
      is_changed |= statement.index != index;
      statement.index = index;
      if (statement.kind == Statement::Kind::Instruction && is_one_unit_) statement.units = 1;
      // The size depends on the position, so it may change from round to round.
      if (statement.kind == Statement::Kind::Align)
        statement.units = (statement.alignment - index % statement.alignment) % statement.alignment;
      index += statement.units;
    }
    return is_changed;
  }

  void assemble_until_stable() {
    // The first round assumes that each label is at the line that looks it up, because most targets are near. Later
    // rounds alternate between sizes and positions. They may never converge, so their number is limited.
    for (SectionLabels& labels : sections_) labels.has_positions = false;
    for (int round = 0; round < max_rounds; ++round) {
      assemble_all(false);
      const bool is_changed = assign_positions();
      for (SectionLabels& labels : sections_) labels.has_positions = true;
      // The first round used assumed positions, so it cannot be the last. Only a final pass with stable positions
      // reports errors: a label that is too far away in one round may be nearer in the next.
      if (!is_changed && round != 0) return assemble_all(true);
    }
    diagnostics_.error(rule::unsettled_sizes, Location::none(),
                       "instruction sizes and label distances do not converge");
  }

  void assemble_all(bool reports) {
    for (Statement& statement : statements_) assemble(statement, reports);
  }

  void assemble(Statement& statement, bool reports) {
    if (statement.kind != Statement::Kind::Instruction || statement.is_final) return;
    SectionLabels& labels = sections_[statement.section];
    // Used in the first round only.
    labels.here = statement.index;
    labels.lookups = 0;
    const bool is_assembled = assembler_.assemble_line(statement.text, {statement.index, &labels}, line_, reports);
    if (is_assembled) {
      statement.word = line_.word;
      statement.others = std::move(line_.others);
      statement.units = line_.word.width() / unit_;
      // Only positions change from round to round, so a line without lookups is final.
      statement.is_final = labels.lookups == 0;
    } else {
      // A line that does not assemble yet still occupies at least one unit.
      statement.units = std::max<std::uint64_t>(statement.units, 1);
    }
    if (!is_assembled && reports) report(statement, line_.fault);
  }

  void report(const Statement& statement, const LineFault& fault) {
    const auto begin = static_cast<std::uint64_t>(statement.text.data() - source_.data());
    const Location location = Location::in_text(begin + fault.begin, begin + fault.end);
    diagnostics_.error(fault.rule, location, fault.message, fault.hint);
    for (const std::string& note : fault.notes) diagnostics_.note(location, note);
  }

  // --- writing --------------------------------------------------------------------------------------------------------------

  void write(AssembledProgram& result) {
    for (Statement& statement : statements_) {
      const auto begin = static_cast<std::size_t>(statement.text.data() - source_.data());
      const auto add = [&](const Bits& word) {
        result.instructions.push_back(
            {result.bytes.size(), word.width(), begin, begin + statement.text.size(), std::move(statement.others)});
        // Units are little-endian, and so are instructions of several units: the lowest byte comes first.
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

  // Returns the unit for padding: the instruction `nop` if it has one unit, otherwise zeros.
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
    // An entry may have several names; any label among them is used.
    if (has_label || table.fallback.empty() || !labels.find(table.fallback)) return target(statement, names);
    diagnostics_.warning(rule::missing_entry, where(statement.text),
                         "entry " + std::to_string(number) + " has no label; it targets '" + table.fallback + "'");
    return target(statement, {table.fallback});
  }

  Bits target(const Statement& statement, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      // Use the first name that is a label, and truncate its position to the unit.
      const std::optional<std::uint64_t> index = sections_[statement.section].find(name);
      if (index) return Bits(unit_, *index & low_mask(unit_));
    }
    diagnostics_.error(rule::unknown_label, where(statement.text),
                       "label '" + (names.empty() ? std::string() : names.back()) + "' is not defined");
    return Bits(unit_);
  }

  void report_others(const Statement& statement) {
    std::string list;
    for (std::size_t i = 0; i < std::min(statement.others.size(), max_others); ++i)
      list += " " + to_hex(statement.others[i]);
    if (statement.others.size() > max_others) list += " …";
    diagnostics_.warning(
        rule::ambiguous_text, where(statement.text),
        "this text is ambiguous: " + to_hex(statement.word) + " was chosen; other words with this text:" + list);
  }

  // Checks that the decoder finds the same instruction sizes. If it chooses among roots, the bytes after an instruction
  // may change its choice.
  void check_boundaries(const AssembledProgram& result) {
    if (is_one_unit_ || (tables_.roots.size() == 1 && !tables_.roots.front().row->has_pattern)) return;
    for (const AssembledInstruction& instruction : result.instructions) {
      // Pass the decoder the following bytes too, up to the size of the longest instruction. The total time is linear
      // in the program.
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
                         "the decoder reads this and the following bytes as an instruction of " + std::to_string(size) +
                             " bits instead of " + std::to_string(instruction.bits));
    }
  }

  LineAssembler& assembler_;
  const DecodeTables& tables_;
  std::string_view source_;
  Diagnostics& diagnostics_;
  std::uint32_t unit_;
  bool is_one_unit_ = true;  // all instructions have one unit, so positions are known before lines are assembled
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

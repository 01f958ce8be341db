// SPDX-License-Identifier: Apache-2.0
//
// The generated file, from its first line to its last.
//
// Code is made for one class of generations after another; what does not change between them comes out as the same text
// and so exists once (writer.h). What is left of a generation is a row: its trees, and which leaves they choose among.
#include "vireo/isa/generate.h"

#include <algorithm>
#include <map>

#include "isa/generate/classes.h"
#include "isa/generate/header.h"
#include "isa/generate/instruction_writer.h"
#include "isa/generate/runtime/runtime.h"

namespace vireo::isa {
namespace generate {
namespace {

// Bytes that a caller has to give for the text of one instruction. A description whose displays multiply to more is
// refused: its users would have to keep such a buffer on a stack.
constexpr std::size_t max_text_room = std::size_t{1} << 20;

// One disassembler. write() makes the functions and tables, text() the file around them: only when all is made is it
// known how large memories and buffers have to be.
class File {
 public:
  File(const Model& model, const GenerateOptions& options) : model_(model), options_(options) {}

  /// The instruction set as code. With narrow indexes it may fail; then facts().needs_wide_index says so.
  void write(bool wide_index);
  [[nodiscard]] const Facts& facts() const { return facts_; }
  [[nodiscard]] std::size_t text_room() const;
  [[nodiscard]] std::string text() const;

 private:
  // A row of the table of generations, which is searched when a program is printed.
  struct Generation {
    GenRange gens;
    std::string row;  // without the numbers
  };

  void measure();
  std::string class_row(GenRange gens);
  std::uint32_t leaf_number(const Bitset& leaf, const InstructionWriter::Shown& shown);
  [[nodiscard]] std::string constant(std::string_view name, std::uint64_t value) const {
    return constant_text(options_, name, value);
  }
  [[nodiscard]] std::string roots_text() const;
  [[nodiscard]] std::string rows_text() const;
  [[nodiscard]] std::string interface_part() const;
  [[nodiscard]] std::string implementation_part() const;
  [[nodiscard]] bool is_cpp() const { return options_.language == GeneratedLanguage::Cpp; }
  // Bytes. Names are copied with one constant size, so a row has room for the longest with a zero byte behind, in whole
  // words. A report keeps four messages, each with a separator in front of it and nothing checked while it is written.
  [[nodiscard]] std::size_t name_room() const { return (facts_.longest_instruction_name + 8) / 8 * 8; }
  [[nodiscard]] std::size_t fault_room() const { return 4 * (facts_.longest_fault + 2) + 8; }

  const Model& model_;
  const GenerateOptions& options_;
  Facts facts_;
  Writer writer_;
  std::size_t longest_ = 0;  // text of an instruction
  // Leaves of all generations, in the order in which they were first needed: their numbers are what find_leaf gives.
  std::vector<std::string> leaf_rows_;
  std::map<std::string, std::uint32_t> leaf_numbers_;  // by row
  std::vector<Generation> generations_;
};

// Measured anew for each attempt, but for the width of indexes, on which the numbers of children depend. Derived values
// are cut where Mesa's decoder cuts them: in its manner, and where instructions have 32 bits at the most.
void File::measure() {
  const bool is_wide = facts_.has_wide_index;
  facts_ = isa::generate::measure(model_);
  facts_.has_wide_index = is_wide;
  facts_.cuts_derived = options_.mesa_compat && facts_.max_bits <= 32;
}

void File::write(bool wide_index) {
  facts_.has_wide_index = wide_index;
  measure();
  for (const GenRange gens : wanted_classes(model_, options_)) {
    std::string row = class_row(gens);
    // An attempt that cannot succeed ends at once: what it has written is thrown away.
    if (facts_.is_too_large || facts_.needs_wide_index) return;
    // Classes end wherever anything in the description mentions a generation; most of these ends change nothing that is
    // printed.
    const bool continues = !generations_.empty() && generations_.back().row == row &&
                           generations_.back().gens.max + std::uint64_t{1} == gens.min;
    if (continues) generations_.back().gens.max = gens.max;
    else generations_.push_back({gens, std::move(row)});
  }
}

// The trees of all instruction roots, and the lists of their leaves.
std::string File::class_row(GenRange gens) {
  std::string trees;
  std::string lists;
  Scopes scopes(model_, gens, options_.mesa_compat ? Scopes::Manner::Mesa : Scopes::Manner::Ours);
  // The writer is one for all generations, and that is what makes them share code; scopes are of one generation.
  InstructionWriter instructions(writer_, scopes, facts_);
  for (const InstructionRoot& row : model_.instruction_roots()) {
    const std::vector<const Bitset*> leaves = scopes.leaves_of(model_[row.root]);
    std::string list = "[] = {\n ";
    for (const Bitset* leaf : leaves) {
      list += " " + std::to_string(leaf_number(*leaf, instructions.show(*leaf))) + ",";
      if (facts_.is_too_large) return {};
    }
    // C has no empty arrays. The tree of such a root never gives an index to look up here.
    if (leaves.empty()) list += " 0";
    trees += (trees.empty() ? "&" : ", &") + define_tree(writer_, leaves, facts_);
    lists += (lists.empty() ? "" : ", ") + writer_.define('k', "const @Index", list + "};");
  }
  return "{" + trees + "}, {" + lists + "}";
}

// A row is a leaf with all that differs between generations: what it prints, and how. So a leaf whose display changes
// has two rows, and one whose conditions come out alike has one.
std::uint32_t File::leaf_number(const Bitset& leaf, const InstructionWriter::Shown& shown) {
  longest_ = std::max(longest_, shown.longest);
  std::string row = "  {" + quoted_literal(leaf.display_name) + ", " + std::to_string(leaf.display_name.size());
  row += shown.has_branch ? ", true" : ", false";
  row += shown.has_memos ? ", true, {" : ", false, {";
  for (std::uint32_t i = 0; i < facts_.word_count; ++i) {
    row += (i == 0 ? "" : ", ") + hex_constant(i < leaf.dont_care.words().size() ? leaf.dont_care.words()[i] : 0);
  }
  row += "}, " + shown.function + "},\n";
  const auto [entry, is_new] = leaf_numbers_.try_emplace(row, static_cast<std::uint32_t>(leaf_rows_.size()));
  if (is_new) leaf_rows_.push_back(std::move(row));
  // Leaves are numbered across generations: a row that is the same is one, whichever generation it is asked in.
  facts_.needs_wide_index |= !facts_.has_wide_index && leaf_rows_.size() > narrow_index_limit;
  return entry->second;
}

// --- the text -----------------------------------------------------------------------------------------------------------

// What an instruction can print, or all digits of one that nothing matches; its remarks; and room behind it, since
// texts are copied in pieces. A hexadecimal digit stands for four bits; 16 is for "no match: " and what goes with it.
std::size_t File::text_room() const {
  return longest_ + fault_room() + std::max(facts_.max_bits, model_.unit_bits()) / 4 + 16 + text_slack;
}

// Masks have as many words as the largest instruction, whatever the root: so comparing has a constant number of steps.
std::string File::roots_text() const {
  const auto words = [&](const Bits& bits) {
    std::string text = "{";
    for (std::uint32_t i = 0; i < facts_.word_count; ++i)
      text += (i == 0 ? "" : ", ") + hex_constant(i < bits.words().size() ? bits.words()[i] : 0);
    return text + "}";
  };
  std::string text = "static const @Root @roots[] = {\n";
  for (const InstructionRoot& row : model_.instruction_roots()) {
    const Bits none;
    text += "  {" + std::to_string(model_[row.root].size) + (row.has_pattern ? ", true, " : ", false, ");
    text += words(row.has_pattern ? row.care : none) + ", " + words(row.has_pattern ? row.match : none) + "},\n";
  }
  return text + "};\n";
}

std::string File::rows_text() const {
  std::string text = "static const @Leaf @leaves[] = {\n";
  for (const std::string& row : leaf_rows_) text += row;
  // Again a row that is never looked at.
  if (leaf_rows_.empty()) text += "  {\"\", 0, false, false, {0}, NULL},\n";
  text += "};\n" + roots_text() + "static const @Generation @generations[] = {\n";
  for (const Generation& generation : generations_) {
    text += "  {" + std::to_string(generation.gens.min) + "u, " + std::to_string(generation.gens.max) + "u, " +
            generation.row + "},\n";
  }
  return text + "};\n";
}

std::string File::interface_part() const {
  std::string text;
  text += constant("unit_bits", model_.unit_bits());
  text += constant("max_bits", facts_.max_bits);
  text += constant("text_room", text_room());
  text += constant("callback_room", callback_room);
  text += constant("leaf_count", leaf_rows_.size());
  text += "\n";
  std::string interface(interface_text());
  // The runtime's texts are shared by both languages; `$` is where they differ (runtime.h).
  replace_all(interface, "$", is_cpp() ? " = {}" : "");
  text += interface;
  if (is_cpp()) text += cpp_interface_text();
  return text;
}

// Constants first: the texts of the runtime are written in terms of them, so that compilers drop what a description
// does not need. The order of the rest is that in which C wants to see definitions.
std::string File::implementation_part() const {
  std::string text =
      "#if defined(__GNUC__)\n#define @COLD __attribute__((cold, noinline, unused))\n#else\n#define @COLD\n#endif\n\n";
  text += "typedef uint" + std::string(facts_.has_wide_index ? "32" : "16") + "_t @Index;\n";
  text += constant("word_count", facts_.word_count);
  text += constant("root_count", model_.instruction_roots().size());
  text += constant("memo_count", facts_.memos);
  // As arrays have at least one element; memo_count says whether anything is remembered.
  text += constant("memo_room", std::max<std::uint32_t>(facts_.memos, 1));
  text += constant("fault_room", fault_room());
  text += constant("name_room", name_room());
  // A name is copied in one piece of constant size where the slack behind a text has room for it; else by its length.
  text += constant("name_copy", name_room() <= text_slack ? name_room() : 0);
  text += constant("leaf_child", first_leaf_child(facts_));
  text += constant("list_child", first_list_child(facts_));
  text += constant("keeps_faults", options_.mesa_compat ? 1 : 0);
  text += constant("unit_bytes", model_.unit_bits() / 8);
  text += constant("load_bytes", std::max(facts_.max_bits, model_.unit_bits()) / 8);
  // Bytes of text that are gathered before the sink is called.
  text += constant("flush_at", 32768);
  // Bits of a label: a place may be both.
  text += constant("branch_target", 1);
  text += constant("call_target", 2);
  text += constant("within_instruction", 4);
  text += word_text(facts_.word_count);
  const std::string numbers = small_numbers_text();
  for (const std::string_view part : {tree_type_text(), type_text(), bits_text(), std::string_view(numbers),
                                      arithmetic_text(), number_text(), float_text()})
    text += part;
  if (facts_.word_count > 1) text += wide_text();
  text += fault_text();
  text += tree_text();
  text += shown_text();
  text +=
      "/* --- the instructions --------------------------------------------------------------------------------- "
      "*/\n\n";
  text += writer_.text();
  std::string program(program_text());
  replace_all(program, "%ROWS%\n", rows_text());
  return text + program;
}

std::string File::text() const {
  HeaderParts parts;
  parts.title = "A disassembler";
  parts.cpp_includes = "#include <cstddef>\n#include <cstdint>\n";
  parts.interface = interface_part();
  parts.implementation = implementation_part();
  // Macros know no namespaces and no `@`, so theirs is the name in capitals.
  replace_all(parts.implementation, "@COLD", macro_name(options_) + "_COLD");
  return header_text(options_, parts);
}

}  // namespace
}  // namespace generate

Result<std::string> generate_disassembler(const Model& model, const GenerateOptions& options,
                                          Diagnostics& diagnostics) {
  using namespace generate;
  if (const std::optional<Reported> refused = refusal(model, options, diagnostics)) return *refused;
  // Tables of 16-bit indexes are half as large and nearly always do. That they do not is found out on the way, so what
  // was written by then is thrown away.
  // A text room that is too large would be so again, hence the break.
  for (const bool wide_index : {false, true}) {
    File file(model, options);
    file.write(wide_index);
    if (file.facts().needs_wide_index) continue;
    if (file.facts().is_too_large || file.text_room() > max_text_room) break;
    return file.text();
  }
  return too_large(diagnostics);
}

}  // namespace vireo::isa

// SPDX-License-Identifier: Apache-2.0
//
// Generates the complete file of a disassembler.
//
// Code is generated for one class of generations after another. Code that does not change between classes has the same
// text, so it is written once (writer.h). A table has one row per generation, with its trees and the leaves that they
// select.
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

// The maximum size, in bytes, of the buffer that a caller provides for the text of one instruction. A description that
// needs more is rejected, because callers keep this buffer on the stack.
constexpr std::size_t max_text_room = std::size_t{1} << 20;

// One disassembler. write() generates the functions and tables, text() the file around them. Buffer sizes are known
// only after write().
class File {
 public:
  File(const Model& model, const GenerateOptions& options) : model_(model), options_(options) {}

  /// Generates the code of the instruction set. With narrow indexes this may fail; then facts().needs_wide_index is
  /// set.
  void write(bool wide_index);
  [[nodiscard]] const Facts& facts() const { return facts_; }
  [[nodiscard]] std::size_t text_room() const;
  [[nodiscard]] std::string text() const;

 private:
  // A row of the table of generations, which the generated program searches before it prints.
  struct Generation {
    GenRange gens;
    std::string row;  // without the generation numbers
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
  // Buffer sizes in bytes. Names are copied with one constant size, so a row has space for the longest name and a zero
  // byte, rounded up to whole words. At most four messages are kept, each after a separator; they are written without
  // bounds checks.
  [[nodiscard]] std::size_t name_room() const { return (facts_.longest_instruction_name + 8) / 8 * 8; }
  [[nodiscard]] std::size_t fault_room() const { return 4 * (facts_.longest_fault + 2) + 8; }

  const Model& model_;
  const GenerateOptions& options_;
  Facts facts_;
  Writer writer_;
  std::size_t longest_ = 0;  // text of an instruction
  // Leaves of all generations, in the order of first use. The generated find_leaf returns positions in this list.
  std::vector<std::string> leaf_rows_;
  std::map<std::string, std::uint32_t> leaf_numbers_;  // by row
  std::vector<Generation> generations_;
};

// Resets the facts for an attempt, except for the index width. As in Mesa's decoder, compatibility mode truncates
// derived values to 32 bits if no instruction is longer than 32 bits.
void File::measure() {
  const bool is_wide = facts_.has_wide_index;
  facts_ = isa::generate::measure(model_);
  facts_.has_wide_index = is_wide;
  facts_.cuts_derived = options_.mesa_compat && facts_.max_bits <= 32;
}

void File::write(bool wide_index) {
  facts_.has_wide_index = wide_index;
  measure();
  for (const GenRange gens : requested_classes(model_, options_)) {
    std::string row = class_row(gens);
    // An attempt that cannot succeed ends at once; its output is discarded.
    if (facts_.is_too_large || facts_.needs_wide_index) return;
    // Merges classes with equal rows. A class ends at each generation that the description mentions, but most of these
    // boundaries do not change the code.
    const bool continues = !generations_.empty() && generations_.back().row == row &&
                           generations_.back().gens.max + std::uint64_t{1} == gens.min;
    if (continues) generations_.back().gens.max = gens.max;
    else generations_.push_back({gens, std::move(row)});
  }
}

// Returns the trees of all instruction roots, and the lists of their leaves, as a C initialiser.
std::string File::class_row(GenRange gens) {
  std::string trees;
  std::string lists;
  Scopes scopes(model_, gens, options_.mesa_compat ? Scopes::Mode::Mesa : Scopes::Mode::Standard);
  // All generations use one writer, so they share code. Scopes belong to one generation.
  InstructionWriter instructions(writer_, scopes, facts_);
  for (const InstructionRoot& row : model_.instruction_roots()) {
    const std::vector<const Bitset*> leaves = scopes.leaves_of(model_[row.root]);
    std::string list = "[] = {\n ";
    for (const Bitset* leaf : leaves) {
      list += " " + std::to_string(leaf_number(*leaf, instructions.show(*leaf))) + ",";
      if (facts_.is_too_large) return {};
    }
    // C has no empty arrays. The element is never read, because the tree of a root without leaves finds nothing.
    if (leaves.empty()) list += " 0";
    trees += (trees.empty() ? "&" : ", &") + define_tree(writer_, leaves, facts_);
    lists += (lists.empty() ? "" : ", ") + writer_.define('k', "const @Index", list + "};");
  }
  return "{" + trees + "}, {" + lists + "}";
}

// Returns the number of the row for a leaf and its printing function. If the function differs between generations, the
// leaf has several rows.
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
  // The limit applies to the rows of all generations together.
  facts_.needs_wide_index |= !facts_.has_wide_index && leaf_rows_.size() > narrow_index_limit;
  return entry->second;
}

// --- the text -----------------------------------------------------------------------------------------------------------

// The sum of the longest text, the fault messages, the digits of an instruction that matches no leaf, and the slack for
// block copies. A hexadecimal digit represents four bits. 16 bytes are for "no match: " and its separators.
std::size_t File::text_room() const {
  return longest_ + fault_room() + std::max(facts_.max_bits, model_.unit_bits()) / 4 + 16 + text_slack;
}

// All masks have as many words as the largest instruction, so a comparison takes a constant number of steps.
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
  // C has no empty arrays; this row is never read.
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
  // Both languages share the runtime's texts; `$` marks where they differ (runtime.h).
  replace_all(interface, "$", is_cpp() ? " = {}" : "");
  text += interface;
  if (is_cpp()) text += cpp_interface_text();
  return text;
}

// Constants come first. Tests of constants let compilers remove code that a description does not need. In the rest,
// each definition precedes its uses, as C requires.
std::string File::implementation_part() const {
  std::string text =
      "#if defined(__GNUC__)\n#define @COLD __attribute__((cold, noinline, unused))\n#else\n#define @COLD\n#endif\n\n";
  text += "typedef uint" + std::string(facts_.has_wide_index ? "32" : "16") + "_t @Index;\n";
  text += constant("word_count", facts_.word_count);
  text += constant("root_count", model_.instruction_roots().size());
  text += constant("memo_count", facts_.memos);
  // Arrays have at least one element; memo_count is 0 if the program caches no value.
  text += constant("memo_room", std::max<std::uint32_t>(facts_.memos, 1));
  text += constant("fault_room", fault_room());
  text += constant("name_room", name_room());
  // A name is copied in one block of constant size if it fits into the slack after a text; otherwise by its length.
  text += constant("name_copy", name_room() <= text_slack ? name_room() : 0);
  text += constant("leaf_child", first_leaf_child(facts_));
  text += constant("list_child", first_list_child(facts_));
  text += constant("keeps_faults", options_.mesa_compat ? 1 : 0);
  text += constant("unit_bytes", model_.unit_bits() / 8);
  text += constant("load_bytes", std::max(facts_.max_bits, model_.unit_bits()) / 8);
  // The number of bytes that are buffered before the sink is called.
  text += constant("flush_at", 32768);
  // Flags of an address in the label pass.
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
  // Macros have no namespaces, so the prefix of their names is in capitals.
  replace_all(parts.implementation, "@COLD", macro_name(options_) + "_COLD");
  return header_text(options_, parts);
}

}  // namespace
}  // namespace generate

Result<std::string> generate_disassembler(const Model& model, const GenerateOptions& options,
                                          Diagnostics& diagnostics) {
  using namespace generate;
  if (const std::optional<Reported> refused = refusal(model, options, diagnostics)) return *refused;
  // 16-bit indexes are tried first, because they make tables half as large and nearly always suffice. Otherwise the
  // attempt is discarded and repeated with 32 bits. Wider indexes do not shrink a text buffer that is too large, hence
  // the break.
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

// SPDX-License-Identifier: Apache-2.0
//
// The generated file, from its first line to its last.
//
// Code is made for one class of generations after another; what does not change between them comes out as the same text
// and so exists once (writer.h). What is left of a generation is a row: its trees, and which leaves they choose among.
#include "vireo/isa/generate.h"

#include <algorithm>
#include <map>

#include "isa/generate/instruction_writer.h"
#include "isa/generate/runtime.h"
#include "isa/model/rules.h"

namespace vireo::isa {
namespace generate {
namespace {

constexpr std::size_t max_text_room = std::size_t{1} << 20;

bool is_identifier(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  if (text.empty() || !is_letter(text.front())) return false;
  return std::all_of(text.begin(), text.end(), [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

// All parts of `a::b` are identifiers.
bool is_namespace(std::string_view text) {
  for (std::size_t colons = 0; (colons = text.find("::")) != std::string_view::npos; text.remove_prefix(colons + 2)) {
    if (!is_identifier(text.substr(0, colons))) return false;
  }
  return is_identifier(text);
}

std::string upper_case(std::string_view text) {
  std::string result = identifier_from(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  return result;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  std::string result;
  result.reserve(text.size());
  std::size_t at = 0;
  for (std::size_t next = 0; (next = text.find(from, at)) != std::string::npos; at = next + from.size()) {
    result.append(text, at, next - at).append(to);
  }
  text = result.append(text, at);
}

class File {
 public:
  File(const Model& model, const GenerateOptions& options) : model_(model), options_(options) {}

  /// The instruction set as code. With narrow indexes it may fail; then facts().needs_wide_index says so.
  void write(bool wide_index);
  [[nodiscard]] const Facts& facts() const { return facts_; }
  [[nodiscard]] std::size_t text_room() const;
  [[nodiscard]] std::string text() const;

 private:
  struct Generation {
    GenRange gens;
    std::string row;  // without the numbers
  };

  void measure();
  std::string class_row(GenRange gens);
  std::uint32_t leaf_number(const Bitset& leaf, const InstructionWriter::Shown& shown);
  [[nodiscard]] std::string constant(std::string_view name, std::uint64_t value) const;
  [[nodiscard]] std::string with_names(std::string_view text) const;
  [[nodiscard]] std::string roots_text() const;
  [[nodiscard]] std::string rows_text() const;
  [[nodiscard]] std::string interface_part() const;
  [[nodiscard]] std::string implementation_part() const;
  [[nodiscard]] bool is_cpp() const { return options_.language == GeneratedLanguage::Cpp; }
  [[nodiscard]] std::size_t name_room() const { return (facts_.longest_instruction_name + 8) / 8 * 8; }
  [[nodiscard]] std::size_t fault_room() const { return 4 * (facts_.longest_fault + 2) + 8; }

  const Model& model_;
  const GenerateOptions& options_;
  Facts facts_;
  Writer writer_;
  std::size_t longest_ = 0;  // text of an instruction
  std::vector<std::string> leaf_rows_;
  std::map<std::string, std::uint32_t> leaf_numbers_;  // by row
  std::vector<Generation> generations_;
};

void File::measure() {
  for (const InstructionRoot& row : model_.instruction_roots()) {
    const Bitset& root = model_[row.root];
    facts_.max_bits = std::max(facts_.max_bits, root.size);
    for (const BitsetId id : model_.leaves(root)) {
      facts_.longest_instruction_name = std::max(facts_.longest_instruction_name, model_[id].display_name.size());
    }
  }
  for (const Bitset& bitset : model_.bitsets()) {
    facts_.longest_name = std::max(facts_.longest_name, bitset.display_name.size());
  }
  facts_.word_count = static_cast<std::uint32_t>(words_for(std::max(facts_.max_bits, model_.unit_bits())));
  facts_.cuts_derived = options_.mesa_compat && facts_.max_bits <= 32;
  facts_.longest_fault = 2 * facts_.longest_name + 2 * std::size_t{facts_.max_bits} / 4 + 96;
}

void File::write(bool wide_index) {
  facts_.has_wide_index = wide_index;
  measure();
  std::vector<GenRange> classes;
  for (const std::uint32_t gen : options_.gens) classes.push_back({gen, gen});
  std::sort(classes.begin(), classes.end(), [](GenRange a, GenRange b) { return a.min < b.min; });
  classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
  if (classes.empty()) classes = generation_classes(model_);
  for (const GenRange gens : classes) {
    std::string row = class_row(gens);
    if (facts_.is_too_large || facts_.needs_wide_index) return;
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
  InstructionWriter instructions(writer_, scopes, facts_);
  for (const InstructionRoot& row : model_.instruction_roots()) {
    const std::vector<const Bitset*> leaves = scopes.leaves_of(model_[row.root]);
    std::string list = "[] = {\n ";
    for (const Bitset* leaf : leaves) {
      list += " " + std::to_string(leaf_number(*leaf, instructions.show(*leaf))) + ",";
      if (facts_.is_too_large) return {};
    }
    if (leaves.empty()) list += " 0";
    trees += (trees.empty() ? "&" : ", &") + define_tree(writer_, leaves, facts_);
    lists += (lists.empty() ? "" : ", ") + writer_.define('k', "const @Index", list + "};");
  }
  return "{" + trees + "}, {" + lists + "}";
}

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
  facts_.needs_wide_index |= !facts_.has_wide_index && leaf_rows_.size() > narrow_index_limit;
  return entry->second;
}

// --- the text -----------------------------------------------------------------------------------------------------------

std::size_t File::text_room() const {
  return longest_ + fault_room() + std::max(facts_.max_bits, model_.unit_bits()) / 4 + 16 + text_slack;
}

// C++ has constants with a type; in C only enumerators are constant.
std::string File::constant(std::string_view name, std::uint64_t value) const {
  const std::string assigned = std::string(name) + " = " + std::to_string(value);
  return is_cpp() ? "inline constexpr uint32_t @" + assigned + ";\n" : "enum { @" + assigned + " };\n";
}

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
  if (leaf_rows_.empty()) text += "  {\"\", 0, false, false, {0}, NULL},\n";
  text += "};\n" + roots_text() + "static const @Generation @generations[] = {\n";
  for (const Generation& generation : generations_) {
    text += "  {" + std::to_string(generation.gens.min) + "u, " + std::to_string(generation.gens.max) + "u, " +
            generation.row + "},\n";
  }
  return text + "};\n";
}

// The prefix for `@`. Types are written `@LikeThis`; in C they are spelled like everything else.
std::string File::with_names(std::string_view text) const {
  std::string result;
  result.reserve(text.size());
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  const std::string prefix = is_cpp() ? std::string() : options_.name + "_";
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '@') {
      result.push_back(text[at]);
      continue;
    }
    result += prefix;
    if (is_cpp() || at + 1 == text.size() || !is_capital(text[at + 1])) continue;
    for (const std::size_t begin = ++at; at < text.size(); ++at) {
      const char c = text[at];
      if (is_capital(c)) result.append(at == begin ? "" : "_").push_back(static_cast<char>(c - 'A' + 'a'));
      else if (c >= 'a' && c <= 'z') result.push_back(c);
      else break;
    }
    --at;
  }
  return result;
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
  replace_all(interface, "$", is_cpp() ? " = {}" : "");
  text += interface;
  if (is_cpp()) text += cpp_interface_text();
  return text;
}

std::string File::implementation_part() const {
  std::string text =
      "#if defined(__GNUC__)\n#define @COLD __attribute__((cold, noinline, unused))\n#else\n#define @COLD\n#endif\n\n";
  text += "typedef uint" + std::string(facts_.has_wide_index ? "32" : "16") + "_t @Index;\n";
  text += constant("word_count", facts_.word_count);
  text += constant("root_count", model_.instruction_roots().size());
  text += constant("memo_count", facts_.memos);
  text += constant("memo_room", std::max<std::uint32_t>(facts_.memos, 1));
  text += constant("fault_room", fault_room());
  text += constant("name_room", name_room());
  text += constant("name_copy", name_room() <= text_slack ? name_room() : 0);
  text += constant("leaf_child", first_leaf_child(facts_));
  text += constant("list_child", first_list_child(facts_));
  text += constant("keeps_faults", options_.mesa_compat ? 1 : 0);
  text += constant("unit_bytes", model_.unit_bits() / 8);
  text += constant("load_bytes", std::max(facts_.max_bits, model_.unit_bits()) / 8);
  text += constant("flush_at", 32768);
  text += constant("branch_target", 1);
  text += constant("call_target", 2);
  text += "\n/* A word, as functions hand it on. */\n";
  if (facts_.word_count == 1) {
    text +=
        "typedef uint64_t @Word;\n"
        "static inline uint64_t @word_at(@Word w, unsigned i) { (void)i; return w; }\n"
        "static inline @Word @make_word(const uint64_t* words) { return words[0]; }\n\n";
  } else if (facts_.word_count == 2) {
    text +=
        "typedef struct @Word { uint64_t word[2]; } @Word;\n"
        "static inline uint64_t @word_at(@Word w, unsigned i) { return w.word[i]; }\n"
        "static inline @Word @make_word(const uint64_t* words) {\n"
        "  const @Word w = {{words[0], words[1]}};\n  return w;\n}\n\n";
  } else {
    text +=
        "typedef const uint64_t* @Word;\n"
        "static inline uint64_t @word_at(@Word w, unsigned i) { return w[i]; }\n"
        "static inline @Word @make_word(const uint64_t* words) { return words; }\n\n";
  }
  const std::string numbers = small_numbers_text();
  for (const std::string_view part : {type_text(), std::string_view(numbers), number_text(), float_text()})
    text += part;
  if (facts_.word_count > 1) text += wide_text();
  text += fault_text();
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
  const std::string macro = upper_case(options_.name);
  std::string text = "/* A disassembler, generated by `vireo isa generate`. Do not edit it.\n\n";
  text += "   One source file says `#define " + macro + "_IMPLEMENTATION` before it includes this one. */\n";
  text += "#ifndef " + macro + "_H\n#define " + macro + "_H\n\n";
  if (is_cpp()) text += "#include <cstddef>\n#include <cstdint>\n\nnamespace " + options_.name + " {\n\n";
  else
    text +=
        "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n\n"
        "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  std::string body = interface_part();
  if (is_cpp()) body += "\n}  /* namespace */\n\n";
  else body += "\n#ifdef __cplusplus\n}\n#endif\n\n";
  body += "#endif\n\n#ifdef " + macro + "_IMPLEMENTATION\n\n#include <stdlib.h>\n#include <string.h>\n\n";
  if (is_cpp()) body += "namespace " + options_.name + " {\n\n";
  body += implementation_part();
  if (is_cpp()) body += "\n}  /* namespace */\n";
  body += "\n#endif\n";
  replace_all(body, "@COLD", macro + "_COLD");
  return text + with_names(body);
}

}  // namespace
}  // namespace generate

std::string identifier_from(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (is_plain || result.empty() || result.back() != '_') result.push_back(is_plain ? c : '_');
  }
  if (result.empty() || (result.front() >= '0' && result.front() <= '9')) result.insert(0, "isa_");
  return result;
}

Result<std::string> generate_disassembler(const Model& model, const GenerateOptions& options,
                                          Diagnostics& diagnostics) {
  using namespace generate;
  if (!model.is_sound()) {
    return diagnostics.error(rule::model_has_errors, Location::none(),
                             "the description has errors; no code is made from it");
  }
  const bool is_cpp = options.language == GeneratedLanguage::Cpp;
  if (is_cpp ? !is_namespace(options.name) : !is_identifier(options.name)) {
    return diagnostics.error(rule::bad_name, Location::none(),
                             "'" + options.name + "' is no " + (is_cpp ? "namespace" : "prefix of names"));
  }
  for (const bool wide_index : {false, true}) {
    File file(model, options);
    file.write(wide_index);
    if (file.facts().needs_wide_index) continue;
    if (file.facts().is_too_large || file.text_room() > max_text_room) break;
    return file.text();
  }
  return diagnostics.error(rule::model_too_large, Location::none(),
                           "the instruction set is too large to generate code from");
}

}  // namespace vireo::isa

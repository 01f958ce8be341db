// SPDX-License-Identifier: Apache-2.0
//
// The annotator (annotate.h): which room of remarks an instruction belongs to, and the text of a remark.
//
// The one idea: each family of instructions has a function that says whether it has something to say. All of them read
// what they need from the words of the module (annotate_facts.h), so nothing depends on the order of the calls but
// which merge instruction stands before a branch.
#include "spirv/text/annotate/annotate.h"

#include <charconv>

#include "spirv/grammar/load/special_cases.h"
#include "spirv/text/annotate/annotate_remark.h"
#include "support/printable.h"
#include "vireo/spirv/enums.h"

namespace vireo::spirv {
namespace {

constexpr std::string_view ellipsis = "...";

// The longest start of `text` that has at most `limit` bytes and does not end within a character.
// A byte 10xxxxxx continues a character of UTF-8: the cut moves before the character that it would go through.
std::string_view start_of(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return text;
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xC0u) == 0x80) --limit;
  return text.substr(0, limit);
}

// Names of a module reach terminals and logs: control bytes and escapes are shown, not sent.
std::string input_text(std::string_view words) {
  const std::string_view start = start_of(words, Remark::max_name_bytes);
  std::string text;
  append_printable(text, start);
  if (start.size() < words.size()) text.append(ellipsis);
  return text;
}

}  // namespace

// ---- Remark ---------------------------------------------------------------------------------------------------------

// A full remark takes nothing more, so whoever makes one need not ask before each word; only loops do.
Remark& Remark::add(std::string_view words) {
  if (!is_full()) text_.append(words);
  return *this;
}

Remark& Remark::add(std::uint64_t number) {
  char digits[20];
  return add({digits, static_cast<std::size_t>(std::to_chars(digits, digits + sizeof digits, number).ptr - digits)});
}

Remark& Remark::add_input(std::string_view words) {
  if (!is_full()) text_.append(input_text(words));
  return *this;
}

Remark& Remark::add_id(Word id) {
  if (is_full()) return *this;
  if (!name_of(id).empty()) {
    has_meaning = true;
    // OpName's text is news beside a number; beside a friendly name it is a repetition.
    if (!line_shows(id)) has_news = true;
  }
  return add(id_text(id));
}

std::string Remark::id_text(Word id) const {
  const std::string_view name = name_of(id);
  return name.empty() ? names_.text_of(id) : input_text(name);
}

void Remark::finish() {
  if (!has_news) return drop();
  if (text_.size() <= max_bytes) return;
  text_.resize(start_of(text_, max_bytes - ellipsis.size()).size());
  text_.append(ellipsis);
}

std::string_view Remark::name_of(Word id) const {
  const std::string_view name = facts.name_of(id);
  if (!name.empty()) return name;
  const std::optional<Word> built_in = facts.decoration_parameter(id, Decoration::BuiltIn);
  return built_in ? friendly_built_in_name(*built_in) : std::string_view{};
}

// ---- Annotator ------------------------------------------------------------------------------------------------------

struct Annotator::State {
  State(Words module, const Grammar& module_grammar, const IdNames& module_names)
      : facts(module, module_grammar), grammar(module_grammar), names(module_names) {}

  ModuleFacts facts;
  const Grammar& grammar;
  const IdNames& names;
  InstructionView merge;  // directly before this instruction, line information apart
};

Annotator::Annotator(Words module, const Grammar& grammar, const IdNames& names)
    : state_(std::make_unique<State>(module, grammar, names)) {}

Annotator::~Annotator() = default;

void Annotator::annotate(InstructionView instruction, const OperandDecoder& decoder, std::string& text) {
  const Op op = op_of(instruction);
  Remark remark(text, state_->facts, state_->grammar, state_->names);
  // The families do not overlap, so their order is free.
  const bool is_reported = remark_on_type(remark, instruction) || remark_on_constant(remark, instruction) ||
                           remark_on_access(remark, instruction) ||
                           remark_on_control_flow(remark, instruction, state_->merge) ||
                           remark_on_declaration(remark, instruction) ||
                           remark_on_extended(remark, instruction, decoder) || add_expression(remark, instruction);
  if (is_reported) {
    remark.finish();
  } else {
    remark.drop();
  }
  const bool is_merge = op == Op::OpSelectionMerge || op == Op::OpLoopMerge;
  // A merge instruction says something of the very next instruction only (specification 2.11); line information
  // between the two is no instruction in this sense.
  if (op != Op::OpLine && op != Op::OpNoLine) state_->merge = is_merge ? instruction : InstructionView{};
}

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// The annotator (annotate.h): selects the annotation function for an instruction and builds the annotation text.
//
// Each family of instructions has one function, which returns whether the instruction has an annotation. These
// functions read the words of the module through ModuleFacts (annotate_facts.h). Their only other state is the merge
// instruction directly before a branch, so only that depends on the order of the calls.
#include "spirv/text/annotate/annotate.h"

#include <charconv>

#include "spirv/grammar/opcode_families.h"
#include "spirv/grammar/special_cases.h"
#include "spirv/text/annotate/annotate_remark.h"
#include "support/printable.h"
#include "vireo/spirv/grammar/enums.h"

namespace vireo::spirv {
namespace {

constexpr std::string_view ellipsis = "...";

// The longest prefix of `text` that has at most `limit` bytes and ends at a UTF-8 character boundary. A byte 10xxxxxx
// continues a character, so the cut moves to the first byte of that character.
std::string_view start_of(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return text;
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xC0u) == 0x80) --limit;
  return text.substr(0, limit);
}

// Names from a module reach terminals and logs, so control bytes and escape sequences are printed as escapes.
std::string input_text(std::string_view words) {
  const std::string_view start = start_of(words, Remark::max_name_bytes);
  std::string text;
  append_printable(text, start);
  if (start.size() < words.size()) text.append(ellipsis);
  return text;
}

}  // namespace

// ---- Remark ---------------------------------------------------------------------------------------------------------

// A full annotation ignores further text. Callers check is_full() only in loops, not before each add().
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
    // OpName's text is new information if the line shows a number. It is a repetition if the line shows a friendly
    // name.
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
  InstructionView merge;  // the merge instruction directly before this one; line information between them is skipped
};

Annotator::Annotator(Words module, const Grammar& grammar, const IdNames& names)
    : state_(std::make_unique<State>(module, grammar, names)) {}

Annotator::~Annotator() = default;

void Annotator::annotate(InstructionView instruction, const OperandDecoder& decoder, std::string& text) {
  const Op op = op_of(instruction);
  Remark remark(text, state_->facts, state_->grammar, state_->names);
  // The families do not overlap, so any order of the calls gives the same result.
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
  // A merge instruction applies only to the next instruction (specification 2.11). OpLine and OpNoLine between the two
  // are ignored.
  if (!is_line(op)) state_->merge = is_merge ? instruction : InstructionView{};
}

}  // namespace vireo::spirv

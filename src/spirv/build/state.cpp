// SPDX-License-Identifier: Apache-2.0
//
// Where an instruction goes (state.h). Specification 2.4, logical layout; 2.2.5, functions and blocks.
#include "spirv/build/state.h"

#include <fmt/format.h>

#include <algorithm>

#include "spirv/grammar/load/special_cases.h"
#include "spirv/grammar/load/special_sets.h"
#include "spirv/rules.h"
#include "vireo/spirv/views/annotation.h"
#include "vireo/spirv/views/extension.h"
#include "vireo/spirv/writer.h"

namespace vireo::spirv {
namespace {

bool is_op(const InstructionRow& row, Op opcode) { return row.opcode == opcode; }

void append(WordBuffer& buffer, Words words) { buffer.insert(buffer.end(), words.begin(), words.end()); }

bool is_line(const InstructionRow& row) { return is_op(row, Op::OpLine) || is_op(row, Op::OpNoLine); }

constexpr Word no_line[] = {1u << 16 | static_cast<Word>(Op::OpNoLine)};

// The line that holds behind an OpLine or OpNoLine; empty: none.
WordBuffer line_behind(Words line) {
  return static_cast<Op>(line[0] & 0xFFFF) == Op::OpLine ? WordBuffer(line.begin(), line.end()) : WordBuffer();
}

// Where the line `held` holds, from here on `line` does.
void change_line(WordBuffer& buffer, const WordBuffer& held, const WordBuffer& line) {
  if (held != line) append(buffer, line.empty() ? Words(no_line) : Words(line));
}

bool is_extended(const InstructionRow& row) {
  return is_op(row, Op::OpExtInst) || is_op(row, Op::OpExtInstWithForwardRefsKHR);
}

// Whether a set's instructions do nothing (2.10): those, and older debug information, may stand outside of blocks.
bool only_describes(std::string_view set) { return is_non_semantic_set(set) || is_older_debug_information(set); }

constexpr std::string_view behind_a_merge = "behind a merge instruction stands the branch that ends the block";

}  // namespace

BuilderState::BuilderState(Diagnostics& the_diagnostics, const BuilderOptions& the_options)
    : CallTarget(builtin_grammar(), "builder"), diagnostics(the_diagnostics), options(the_options), ids(1) {}

void BuilderState::report(std::string_view rule, std::string message) {
  reported = diagnostics.error(rule, Location::none(), std::move(message));
}

// Ids are places in the table: one after the other, and none is given back.
Word BuilderState::allocate(IdKind kind) {
  ids.push_back({.kind = kind});
  return static_cast<Word>(ids.size() - 1);
}

// Of a type, `type` is no id but a place in `scalars`, counted from 1, so that 0 says there is none.
ScalarType BuilderState::scalar_type(Word type) const {
  if (!is_known(type) || ids[type].kind != IdKind::Type || ids[type].type == 0) return {};
  return scalars[ids[type].type - 1];
}

// Likewise of a set, a place in `imports`.
std::optional<std::string_view> BuilderState::import_name(Word set) const {
  if (!is_known(set) || ids[set].kind != IdKind::Set || ids[set].type == 0) return std::nullopt;
  return imports[ids[set].type - 1].first;
}

SetId BuilderState::find_import(std::string_view prefix) const {
  SetId found;
  for (const auto& [imported, id] : imports) {
    if (imported.starts_with(prefix)) found = id;
  }
  return found;
}

// --- placing ------------------------------------------------------------------------------------------------------------

// First where it goes, then whether it is there already, then its id; only then is anything written. What fits nowhere
// gets an id all the same, so that those who use it are not at fault as well.
Word BuilderState::place(const InstructionRow& row, Words words, std::size_t result_at, IdKind kind, CallSite) {
  const OpcodeTraits traits = opcodes.of(row.opcode);
  const bool has_result = result_at != 0;
  const Word wanted = has_result ? words[result_at] : 0;

  WordBuffer* buffer = destination(row, traits, words);
  // A line waits for what it is about, which is a global or a function, and goes along with it wherever that goes.
  const bool takes_line = buffer == &sections[static_cast<std::size_t>(Section::Globals)] || buffer == &head;
  WordBuffer key;  // the words with 0 as the result id; empty: an equal instruction is another one
  // Only in its own section can it be the same for all: what stands in a block holds where that block dominates, and
  // its buffer is emptied with the function.
  if (buffer == &sections[static_cast<std::size_t>(traits.home)] &&
      is_declared_once(row, grammar, options.merge_aggregates)) {
    key = words_without_result(words, has_result ? result_at : 0);
    if (const auto known = unique.find(key); known != unique.end()) {
      const Word earlier = known->second;
      // The same again is the same id, unless the caller has reserved one for it, or what decorates the earlier one
      // would be said of both.
      if (wanted == 0 && !ids[earlier].is_decorated) {
        if (takes_line) line.clear();  // it was about what is not written again
        return earlier;
      }
    }
  }

  // An id is taken only now that the instruction is really new, so a module has no gaps in its ids.
  const Word result = !has_result ? 0 : wanted != 0 ? wanted : allocate(kind);
  if (has_result) {
    ids[result].is_defined = true;
    ids[result].is_spoilt = buffer == nullptr;
  }
  if (buffer == nullptr) return result;  // reported
  const bool is_in_functions =
      buffer == &body || buffer == &head || buffer == &sections[static_cast<std::size_t>(Section::Functions)];
  if (has_result) ids[result].is_local = is_in_functions || buffer == &variables;
  // It stands above what it was made of; whether it may, build() finds out.
  if (draft_uses_local && !is_in_functions && traits.home > Section::Annotations) has_uses_ahead = true;
  if (takes_line && !line.empty()) {
    append(*buffer, line);
    if (buffer == &head) learn_line(line, 0);
    else line_of_globals = line_behind(line);
    line.clear();
  }
  if (buffer == &variables) place_line_of_variable();
  if (!key.empty()) unique.insert_or_assign(std::move(key), result);
  const std::size_t begin = buffer->size();
  append(*buffer, words);
  if (has_result) (*buffer)[begin + result_at] = result;
  learn(row, words, result);
  if (is_line(row)) {
    if (buffer == &line) line_outside = line_behind(words);
    else learn_line(words, begin);
  }
  if (traits.part == BodyPart::FunctionEnd && traits.home == Section::Functions) close_function();
  return result;
}

// As if the instruction stood there: ids that nothing defines would be reported again. One that is defined already stays
// what it is.
Word BuilderState::leave_out(const InstructionRow& row, bool has_result, IdKind kind, CallSite site) {
  step_over(row);
  const Word given = site.given;
  const bool can_be_given = given != 0 && has_result && ids[given].kind == kind;
  if (given != 0 && !ids[given].is_defined) {
    ids[given].is_spoilt = true;
    ids[given].is_defined = can_be_given;
  }
  if (!has_result || can_be_given) return has_result ? given : 0;
  const Word id = allocate(kind);
  ids[id].is_defined = ids[id].is_spoilt = true;
  return id;
}

// The buffer that an instruction belongs into; null when it fits nowhere now, which is then reported.
// What is home in a section of its own may come at any time, also while a function is open.
WordBuffer* BuilderState::destination(const InstructionRow& row, const OpcodeTraits& traits, Words words) {
  WordBuffer& globals = sections[static_cast<std::size_t>(Section::Globals)];
  if (is_line(row)) {
    if (has_merge) {
      refuse(row, traits.part, rule::merge_without_branch, behind_a_merge);
      return nullptr;
    }
    // Between functions it belongs to what follows, wherever that goes; in a function's head it is in its place.
    if (!function_is_open) {
      line.clear();
      return &line;
    }
    if (!block_is_open && !has_block) return &head;
    // One that went along with a variable is about nothing here, if another one follows at once.
    if (lines.is_of_variable && lines.end == body.size()) body.resize(lines.begin);
    return &body;
  }
  const InstructionView instruction = InstructionView::at(words.data(), 0);
  if (const std::optional<StorageClass> storage = variable_storage(instruction)) {
    // Local variables are the first of their function (2.4). A global one may be made in the middle of a function.
    if (storage != StorageClass::Function) return &globals;
    if (function_is_open && (has_block || block_is_open)) return &variables;
    refuse(row, traits.part, rule::outside_of_block, "a variable of a function, and no block of one has begun");
    return nullptr;
  }
  if (traits.place != SectionPlace::Home) {
    if (block_is_open && !has_merge) return &body;
    if (!function_is_open) {
      // Both opcodes have the same operands.
      const std::optional<std::string_view> set =
          is_extended(row) ? import_name(View<Op::OpExtInst>(instruction).set()) : std::nullopt;
      // What is said of a function stands behind it, unless it may look ahead.
      if (draft_uses_local && is_op(row, Op::OpExtInst) && set && is_non_semantic_set(*set)) {
        return &sections[static_cast<std::size_t>(Section::Functions)];
      }
      if (!set || only_describes(*set)) return &globals;
      // What computes does so in a block, or in a graph (SPV_ARM_graph).
      if (graph_is_open) return &sections[static_cast<std::size_t>(Section::Graphs)];
    }
    if (has_merge) refuse(row, traits.part, rule::merge_without_branch, behind_a_merge);
    else refuse(row, traits.part, rule::outside_of_block, "no block is open");
    return nullptr;
  }
  if (traits.home != Section::Functions) {
    if (is_op(row, Op::OpMemoryModel)) {
      if (has_model) {
        report(rule::memory_model, "OpMemoryModel: the module has one");
        return nullptr;
      }
      has_model = true;
    }
    return &sections[static_cast<std::size_t>(traits.home)];
  }
  if (!take_part(row, traits)) return nullptr;
  // The first label belongs to the head: local variables come behind it.
  return has_block ? &body : &head;
}

// The instruction is left out, and what follows is judged as if it stood there.
void BuilderState::refuse(const InstructionRow& row, BodyPart part, std::string_view rule, std::string_view why) {
  report(rule, fmt::format("{}: {}", grammar.text(row.name), why));
  pass(part);
}

// The automaton of functions and blocks. False when the instruction cannot stand here; it was reported.
// It knows the same parts as the reader of modules (module.cpp), but refuses where that one lists and goes on.
bool BuilderState::take_part(const InstructionRow& row, const OpcodeTraits& traits) {
  const auto refuse = [&](std::string_view rule, std::string_view why) {
    this->refuse(row, traits.part, rule, why);
    return false;
  };
  const bool has_to_end = block_is_open && !is_assumed;
  if (has_merge && traits.part != BodyPart::Terminator) { return refuse(rule::merge_without_branch, behind_a_merge); }
  switch (traits.part) {
    case BodyPart::Function:
      if (function_is_open) return refuse(rule::function_not_ended, "the function before it has no OpFunctionEnd");
      // Parts of a function become true before its instruction stands, has_block only behind the label (learn()): so
      // the first label still goes to the head.
      function_is_open = true;
      has_block = false;
      return true;
    case BodyPart::Parameter:
      if (!function_is_open || has_block) return refuse(rule::outside_of_function, "it stands behind OpFunction only");
      return true;
    case BodyPart::Label:
      if (!function_is_open) return refuse(rule::outside_of_function, "no function is open");
      if (has_to_end) return refuse(rule::block_not_ended, "the block before it has no terminator");
      is_assumed = false;
      return block_is_open = true;
    case BodyPart::FunctionEnd:
      if (!function_is_open) return refuse(rule::outside_of_function, "no function is open");
      if (has_to_end) return refuse(rule::block_not_ended, "the last block has no terminator");
      return true;
    case BodyPart::Merge:
    case BodyPart::Ordinary:
    case BodyPart::Aside:
      if (!block_is_open) return refuse(rule::outside_of_block, "no block is open");
      if (traits.part == BodyPart::Merge) has_merge = true;
      return true;
    case BodyPart::Terminator:
      if (!block_is_open) return refuse(rule::outside_of_block, "no block is open that it could end");
      pass(traits.part);
      return true;
  }
  return true;
}

// What is open behind a part, wherever it stood. Where a function has no open block, what needs one was reported; from there
// on a block is assumed, up to what would end it or begin the next one, so that this is one fault.
void BuilderState::pass(BodyPart part) {
  switch (part) {
    case BodyPart::Function:
      if (function_is_open) close_function();
      function_is_open = true;
      return;
    case BodyPart::Parameter: return;
    case BodyPart::Label:
      if (!function_is_open) return;
      block_is_open = has_block = true;
      has_merge = is_assumed = false;
      return;
    case BodyPart::FunctionEnd:
      if (function_is_open) close_function();
      return;
    case BodyPart::Merge:
    case BodyPart::Ordinary:
    case BodyPart::Aside:
      if (!function_is_open) return;
      if (!block_is_open) block_is_open = is_assumed = true;
      if (part == BodyPart::Merge) has_merge = true;
      return;
    case BodyPart::Terminator:
      block_is_open = has_merge = is_assumed = false;
      lines.current.clear();  // a line ends with its block
      return;
  }
}

// Instructions that begin and end nothing leave everything as it is.
void BuilderState::step_over(const InstructionRow& row) {
  const OpcodeTraits traits = opcodes.of(row.opcode);
  if (is_op(row, Op::OpMemoryModel)) has_model = true;
  if (traits.part != BodyPart::Ordinary && traits.part != BodyPart::Aside) pass(traits.part);
}

BuilderState::Assumed BuilderState::assume_block(std::string_view construct) {
  if (block_is_open) return {};
  report(rule::outside_of_block, fmt::format("{}: no block is open that it could end", construct));
  const Assumed assumed{true, !function_is_open};
  function_is_open = block_is_open = is_assumed = true;
  return assumed;
}

void BuilderState::release_block(Assumed assumed) {
  if (!assumed.is_block) return;
  is_assumed = block_is_open;
  if (!assumed.is_function) return;
  for (WordBuffer* part : {&head, &variables, &body}) part->clear();
  close_function();
}

// --- lines --------------------------------------------------------------------------------------------------------------

// A line holds for what follows, up to the next one or the end of the block (specification, OpLine).
void BuilderState::learn_line(Words words, std::size_t begin) {
  lines.current = line_behind(words);
  if (has_block || block_is_open) {
    lines.begin = begin;
    lines.end = body.size();
    lines.is_of_variable = false;
  } else {
    lines.of_body = lines.of_variables = lines.current;
  }
}

// A local variable moves to the front of its function, where other lines may hold than where it was made.
void BuilderState::place_line_of_variable() {
  if (lines.end != 0 && lines.end == body.size()) {
    // The line is the last of the body. Another instruction may yet stand below it, unless it holds there anyway.
    lines.is_of_variable = lines.begin != 0;
    if (lines.begin == 0) {
      body.clear();
      lines.end = 0;
      lines.of_body = lines.current;
    }
  }
  change_line(variables, lines.of_variables, lines.current);
  lines.of_variables = lines.current;
}

// What later instructions need to know of this one.
// Words are those of an instruction without fault, so ids among them are known and operands complete.
void BuilderState::learn(const InstructionRow& row, Words words, Word result) {
  if ((row.flags & HasResultType) != 0) ids[result].type = words[1];
  if (is_op(row, Op::OpLabel)) has_block = true;
  if (is_op(row, Op::OpFunction)) lines.current = lines.of_body = lines.of_variables = line_outside;
  if (is_op(row, Op::OpGraphARM) || is_op(row, Op::OpGraphEndARM)) graph_is_open = is_op(row, Op::OpGraphARM);
  const InstructionView instruction = InstructionView::at(words.data(), 0);
  if (const auto import = as<Op::OpExtInstImport>(instruction)) {
    imports.emplace_back(import->name(), SetId(result));
    ids[result].type = static_cast<Word>(imports.size());
  }
  if (is_op(row, Op::OpTypeInt) || is_op(row, Op::OpTypeFloat)) {
    scalars.push_back(declared_scalar(instruction));
    ids[result].type = static_cast<Word>(scalars.size());
  } else if (is_annotation_instruction(row.opcode) && words.size() > 1) {
    ids[words[1]].is_decorated = true;  // all annotations have their target, or their group, there
    if (const auto on_ids = as<Op::OpGroupDecorate>(instruction)) {
      for (const Word target : on_ids->targets()) ids[target].is_decorated = true;
    }
    if (const auto on_members = as<Op::OpGroupMemberDecorate>(instruction)) {
      for (const MemberOperand target : on_members->targets()) ids[target.type].is_decorated = true;
    }
  }
}

// A function without blocks is a declaration, and those come before all definitions (2.4, 10 and 11).
void BuilderState::close_function() {
  WordBuffer& functions = has_block ? sections[static_cast<std::size_t>(Section::Functions)] : declarations;
  // What begins the body has the line that held there before variables moved in front of it.
  if (!begins_with_line(body)) change_line(variables, lines.of_variables, lines.of_body);
  // So does the function, whatever it comes to stand behind; of the first one joined() knows that.
  OuterLines& outer = has_block ? lines_of_definitions : lines_of_declarations;
  if (functions.empty()) outer.begin = line_outside;
  else if (!begins_with_line(head)) change_line(functions, outer.end, line_outside);
  line_outside = outer.end = lines.current;
  lines = {};
  for (WordBuffer* part : {&head, &variables, &body}) {
    append(functions, *part);
    part->clear();
  }
  function_is_open = has_block = block_is_open = has_merge = is_assumed = false;
}

// --- the whole ----------------------------------------------------------------------------------------------------------

bool BuilderState::begins_with_line(const WordBuffer& words) const {
  return !words.empty() && is_line(*grammar.find_opcode(words[0] & 0xFFFF));
}

// Can be asked for at any time: add_requirements() reads the module while it is not finished. Sections stand in the
// order of their enumerators, which is that of the layout (2.4).
WordBuffer BuilderState::joined() const {
  std::size_t size = header_word_count + declarations.size() + line.size();
  for (const WordBuffer& section : sections) size += section.size();
  size += head.size() + variables.size() + body.size();
  WordBuffer words;
  words.reserve(size);
  write_header({options.version.to_word(), options.generator, static_cast<Word>(ids.size()), 0}, words);
  WordBuffer held = line.empty() ? line_of_globals : line_behind(line);
  const auto append_functions = [&](const WordBuffer& functions, const OuterLines& outer) {
    if (functions.empty()) return;
    if (!begins_with_line(functions)) change_line(words, held, outer.begin);
    append(words, functions);
    held = outer.end;
  };
  for (std::size_t i = 0; i < sections.size(); ++i) {
    if (i == static_cast<std::size_t>(Section::Functions)) {
      append_functions(declarations, lines_of_declarations);
      append_functions(sections[i], lines_of_definitions);
    } else {
      append(words, sections[i]);
    }
    // A line that waits for an instruction that never came is about nothing, and is kept all the same.
    if (i == static_cast<std::size_t>(Section::Globals)) append(words, line);
    if (i == static_cast<std::size_t>(Section::Functions)) {
      for (const WordBuffer* part : {&head, &variables, &body}) append(words, *part);
    }
  }
  return words;
}

}  // namespace vireo::spirv

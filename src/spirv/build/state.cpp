// SPDX-License-Identifier: Apache-2.0
//
// Decides where each instruction goes (state.h). Specification 2.4, logical layout; 2.2.5, functions and blocks.
#include "spirv/build/state.h"

#include <fmt/format.h>

#include <algorithm>

#include "spirv/binary/id_type_table.h"
#include "spirv/grammar/special_cases.h"
#include "spirv/grammar/special_sets.h"
#include "spirv/module/declaration_order.h"
#include "spirv/rules.h"
#include "vireo/spirv/binary/views/annotation.h"
#include "vireo/spirv/binary/views/extension.h"
#include "vireo/spirv/binary/writer.h"

namespace vireo::spirv {
namespace {

bool is_op(const InstructionRow& row, Op opcode) { return row.opcode == opcode; }

void append(WordBuffer& buffer, Words words) { buffer.insert(buffer.end(), words.begin(), words.end()); }

constexpr Word no_line[] = {first_word(1, Op::OpNoLine)};

// The line in effect after an OpLine or OpNoLine; empty: none.
WordBuffer line_after(Words line) {
  return opcode_of(line.front()) == Op::OpLine ? WordBuffer(line.begin(), line.end()) : WordBuffer();
}

// Appends a line instruction if `line` differs from `held`, the line in effect.
void change_line(WordBuffer& buffer, const WordBuffer& held, const WordBuffer& line) {
  if (held != line) append(buffer, line.empty() ? Words(no_line) : Words(line));
}

constexpr std::string_view branch_after_merge = "only the branch that ends the block may follow a merge instruction";

}  // namespace

BuilderState::BuilderState(Diagnostics& the_diagnostics, const BuilderOptions& the_options)
    : CallTarget(builtin_grammar(), "builder"), diagnostics(the_diagnostics), options(the_options), ids(1) {}

void BuilderState::report(std::string_view rule, std::string message) {
  reported = diagnostics.report(fault(rule, std::move(message)));
}

// Ids are consecutive indexes of the table and are never reused.
Word BuilderState::allocate(IdKind kind) {
  ids.push_back({.kind = kind});
  return static_cast<Word>(ids.size() - 1);
}

// For a type, IdFacts::type is an index into `scalars`, counted from 1; 0 means that it is not a scalar type.
ScalarType BuilderState::scalar_type(Word type) const {
  if (!is_known(type) || ids[type].kind != IdKind::Type || ids[type].type == 0) return {};
  return scalars[ids[type].type - 1];
}

// For a set, IdFacts::type is likewise an index into `imports`.
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

// Determines the destination, an equal earlier instruction, and the id, in this order, before it writes anything. An
// instruction without a valid destination still gets an id, so that its users are not reported as well.
Word BuilderState::place(const InstructionRow& row, Words words, std::size_t result_at, IdKind kind, CallSite) {
  const OpcodeTraits traits = opcodes.of(row.opcode);
  const bool has_result = result_at != 0;
  const Word wanted = has_result ? words[result_at] : 0;

  WordBuffer* buffer = destination(row, traits, words);
  // An OpLine outside functions is kept, and is written before the next global or function.
  const bool takes_line = buffer == &sections[static_cast<std::size_t>(Section::Globals)] || buffer == &head;
  WordBuffer key;  // the words with 0 as the result id; empty: the instruction is not shared
  // Share an instruction only in its own section. A result in a block is valid only in blocks that the block dominates,
  // and the buffers are cleared at the end of the function.
  if (buffer == &sections[static_cast<std::size_t>(traits.home)] &&
      is_declared_once(row, grammar, options.merge_aggregates)) {
    key = words_without_result(words, has_result ? result_at : 0);
    if (const auto known = unique.find(key); known != unique.end()) {
      const Word earlier = known->second;
      // Reuse the id, unless the caller has reserved another one or the earlier instruction is decorated: its
      // decorations would then apply to both.
      if (wanted == 0 && !ids[earlier].is_decorated) {
        if (takes_line) line.clear();  // the instruction it belongs to is not written again
        return earlier;
      }
    }
  }

  // Allocate the id only for a new instruction, so that the ids have no gaps.
  const Word result = !has_result ? 0 : wanted != 0 ? wanted : allocate(kind);
  if (has_result) {
    ids[result].is_defined = true;
    ids[result].is_invalid = buffer == nullptr;
  }
  if (buffer == nullptr) return result;  // destination() has reported it
  const bool is_in_functions =
      buffer == &body || buffer == &head || buffer == &sections[static_cast<std::size_t>(Section::Functions)];
  if (has_result) ids[result].is_local = is_in_functions || buffer == &variables;
  // The instruction precedes the function that defines one of its ids; build() checks whether that is permitted.
  if (draft_uses_local && !is_in_functions && traits.home > Section::Annotations) has_forward_uses = true;
  if (takes_line && !line.empty()) {
    append(*buffer, line);
    if (buffer == &head) record_line(line, 0);
    else line_of_globals = line_after(line);
    line.clear();
  }
  if (buffer == &variables) place_line_of_variable();
  if (!key.empty()) unique.insert_or_assign(std::move(key), result);
  const std::size_t begin = buffer->size();
  append(*buffer, words);
  if (has_result) (*buffer)[begin + result_at] = result;
  record(row, words, result);
  if (is_line(row.opcode)) {
    if (buffer == &line) line_outside = line_after(words);
    else record_line(words, begin);
  }
  if (traits.part == BodyPart::FunctionEnd && traits.home == Section::Functions) close_function();
  return result;
}

// Updates the state as if the instruction were present, so that missing definitions are not reported again. An id that
// is already defined keeps its definition.
Word BuilderState::leave_out(const InstructionRow& row, bool has_result, IdKind kind, CallSite site) {
  skip(row);
  const Word given = site.given;
  const bool can_be_given = given != 0 && has_result && ids[given].kind == kind;
  if (given != 0 && !ids[given].is_defined) {
    ids[given].is_invalid = true;
    ids[given].is_defined = can_be_given;
  }
  if (!has_result || can_be_given) return has_result ? given : 0;
  const Word id = allocate(kind);
  ids[id].is_defined = ids[id].is_invalid = true;
  return id;
}

// The buffer for an instruction; null if it is not permitted now, which is then reported. An instruction that belongs
// outside functions may be added at any time, even while a function is open.
WordBuffer* BuilderState::destination(const InstructionRow& row, const OpcodeTraits& traits, Words words) {
  WordBuffer& globals = sections[static_cast<std::size_t>(Section::Globals)];
  if (is_line(row.opcode)) {
    if (has_merge) {
      reject(row, traits.part, rule::merge_without_branch, branch_after_merge);
      return nullptr;
    }
    // Between functions, keep the line for the next instruction. Before the first block, it goes to the head.
    if (!function_is_open) {
      line.clear();
      return &line;
    }
    if (!block_is_open && !has_block) return &head;
    // If the last line instruction was copied for a local variable and another one follows it immediately, remove it.
    if (lines.is_of_variable && lines.end == body.size()) body.resize(lines.begin);
    return &body;
  }
  const InstructionView instruction = InstructionView::at(words.data(), 0);
  if (const std::optional<StorageClass> storage = variable_storage(instruction)) {
    // Local variables are first in their function (2.4). A global variable may be added while a function is open.
    if (storage != StorageClass::Function) return &globals;
    if (function_is_open && (has_block || block_is_open)) return &variables;
    reject(row, traits.part, rule::outside_of_block, "a function-local variable needs an open function with a block");
    return nullptr;
  }
  if (traits.place != SectionPlace::Home) {
    if (block_is_open && !has_merge) return &body;
    if (!function_is_open) {
      // Both opcodes have the same operands.
      const std::optional<std::string_view> set =
          is_extended(row.opcode) ? import_name(View<Op::OpExtInst>(instruction).set()) : std::nullopt;
      // A non-semantic instruction that uses an id of a function must follow the function, unless its opcode permits
      // forward references.
      if (draft_uses_local && is_op(row, Op::OpExtInst) && set && is_non_semantic_set(*set)) {
        return &sections[static_cast<std::size_t>(Section::Functions)];
      }
      if (!set || has_no_semantics(*set)) return &globals;
      // Instructions with semantics are in a block, or in a graph (SPV_ARM_graph).
      if (graph_is_open) return &sections[static_cast<std::size_t>(Section::Graphs)];
    }
    if (has_merge) reject(row, traits.part, rule::merge_without_branch, branch_after_merge);
    else reject(row, traits.part, rule::outside_of_block, "no block is open");
    return nullptr;
  }
  if (traits.home != Section::Functions) {
    if (is_op(row, Op::OpMemoryModel)) {
      if (has_model) {
        report(rule::memory_model, "OpMemoryModel: the module already has one");
        return nullptr;
      }
      has_model = true;
    }
    if (is_alias_declaration(row.opcode)) return &alias_declarations;
    return &sections[static_cast<std::size_t>(traits.home)];
  }
  if (!take_part(row, traits)) return nullptr;
  // The first label belongs to the head, because local variables follow it.
  return has_block ? &body : &head;
}

// Reports the instruction and leaves it out. Later instructions are checked as if it were present.
void BuilderState::reject(const InstructionRow& row, BodyPart part, std::string_view rule, std::string_view why) {
  report(rule, fmt::format("{}: {}", grammar.text(row.name), why));
  advance(part);
}

// The state machine of functions and blocks. Returns false if the instruction is not permitted here, which was
// reported. It handles the same parts as the module reader (module.cpp), but rejects an instruction for which the
// reader records a violation.
bool BuilderState::take_part(const InstructionRow& row, const OpcodeTraits& traits) {
  const auto reject = [&](std::string_view rule, std::string_view why) {
    this->reject(row, traits.part, rule, why);
    return false;
  };
  const bool has_to_end = block_is_open && !is_assumed;
  if (has_merge && traits.part != BodyPart::Terminator) {
    return reject(rule::merge_without_branch, branch_after_merge);
  }
  switch (traits.part) {
    case BodyPart::Function:
      if (function_is_open) return reject(rule::function_not_ended, "the function before it has no OpFunctionEnd");
      // function_is_open is set before the instruction is written; has_block only after the label (record()), so that
      // the first label still goes to the head.
      function_is_open = true;
      has_block = false;
      return true;
    case BodyPart::Parameter:
      if (!function_is_open || has_block) return reject(rule::outside_of_function, "expected after OpFunction");
      return true;
    case BodyPart::Label:
      if (!function_is_open) return reject(rule::outside_of_function, "no function is open");
      if (has_to_end) return reject(rule::block_not_ended, "the block before it has no terminator");
      is_assumed = false;
      return block_is_open = true;
    case BodyPart::FunctionEnd:
      if (!function_is_open) return reject(rule::outside_of_function, "no function is open");
      if (has_to_end) return reject(rule::block_not_ended, "the last block has no terminator");
      return true;
    case BodyPart::Merge:
    case BodyPart::Ordinary:
    case BodyPart::Aside:
      if (!block_is_open) return reject(rule::outside_of_block, "no block is open");
      if (traits.part == BodyPart::Merge) has_merge = true;
      return true;
    case BodyPart::Terminator:
      if (!block_is_open) return reject(rule::outside_of_block, "no block is open");
      advance(traits.part);
      return true;
  }
  return true;
}

// Updates which function and block are open after a part, even one that is not permitted. If an instruction needs a
// block and none is open, this was reported once. Then a block is assumed to be open until the next terminator or
// label.
void BuilderState::advance(BodyPart part) {
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
      lines.current.clear();  // no line is in effect after the end of a block
      return;
  }
}

// Ordinary instructions do not change the state.
void BuilderState::skip(const InstructionRow& row) {
  const OpcodeTraits traits = opcodes.of(row.opcode);
  if (is_op(row, Op::OpMemoryModel)) has_model = true;
  if (traits.part != BodyPart::Ordinary && traits.part != BodyPart::Aside) advance(traits.part);
}

BuilderState::Assumed BuilderState::assume_block(std::string_view construct) {
  if (block_is_open) return {};
  report(rule::outside_of_block, fmt::format("{}: no block is open", construct));
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

// A line is in effect until the next line instruction or the end of the block (specification, OpLine).
void BuilderState::record_line(Words words, std::size_t begin) {
  lines.current = line_after(words);
  if (has_block || block_is_open) {
    lines.begin = begin;
    lines.end = body.size();
    lines.is_of_variable = false;
  } else {
    lines.of_body = lines.of_variables = lines.current;
  }
}

// A local variable moves to the start of its function, where another line may be in effect.
void BuilderState::place_line_of_variable() {
  if (lines.end != 0 && lines.end == body.size()) {
    // The line is the last instruction of the body. Keep it, because another instruction may still follow. If it is
    // also the first, remove it: it becomes the line in effect at the start of the body.
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

// Records the facts about an instruction that later instructions need. The instruction is valid, so its ids are known
// and its operands complete.
void BuilderState::record(const InstructionRow& row, Words words, Word result) {
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
    ids[words[1]].is_decorated = true;  // in all annotations word 1 is the target or the group
    if (const auto on_ids = as<Op::OpGroupDecorate>(instruction)) {
      for (const Word target : on_ids->targets()) ids[target].is_decorated = true;
    }
    if (const auto on_members = as<Op::OpGroupMemberDecorate>(instruction)) {
      for (const MemberOperand target : on_members->targets()) ids[target.type].is_decorated = true;
    }
  }
}

// A function without blocks is a declaration; declarations precede all definitions (2.4, 10 and 11).
void BuilderState::close_function() {
  WordBuffer& functions = has_block ? sections[static_cast<std::size_t>(Section::Functions)] : declarations;
  // Restore the line that was in effect at the start of the body before variables moved in front of it.
  if (!begins_with_line(body)) change_line(variables, lines.of_variables, lines.of_body);
  // Likewise restore the line that was in effect before the function. For the first function, joined() does this.
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

// --- the finished module ------------------------------------------------------------------------------------------------

bool BuilderState::begins_with_line(const WordBuffer& words) const {
  return !words.empty() && is_line(opcode_of(words.front()));
}

// Can be called at any time: add_requirements() reads the unfinished module. Sections are in the order of their
// enumerators, which is the order of the layout (2.4).
WordBuffer BuilderState::joined() const {
  std::size_t size = header_word_count + alias_declarations.size() + declarations.size() + line.size();
  for (const WordBuffer& section : sections) size += section.size();
  size += head.size() + variables.size() + body.size();
  WordBuffer words;
  words.reserve(size);
  write_header({options.version.to_word(), options.generator, static_cast<Word>(ids.size()), 0}, words);
  WordBuffer held = line.empty() ? line_of_globals : line_after(line);
  const auto append_functions = [&](const WordBuffer& functions, const OuterLines& outer) {
    if (functions.empty()) return;
    if (!begins_with_line(functions)) change_line(words, held, outer.begin);
    append(words, functions);
    held = outer.end;
  };
  for (std::size_t i = 0; i < sections.size(); ++i) {
    if (i == static_cast<std::size_t>(Section::Annotations)) append(words, alias_declarations);
    if (i == static_cast<std::size_t>(Section::Functions)) {
      append_functions(declarations, lines_of_declarations);
      append_functions(sections[i], lines_of_definitions);
    } else {
      append(words, sections[i]);
    }
    // A pending line without a following instruction has no effect, but is kept.
    if (i == static_cast<std::size_t>(Section::Globals)) append(words, line);
    if (i == static_cast<std::size_t>(Section::Functions)) {
      for (const WordBuffer* part : {&head, &variables, &body}) append(words, *part);
    }
  }
  return words;
}

}  // namespace vireo::spirv

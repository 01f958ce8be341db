// SPDX-License-Identifier: Apache-2.0
//
// What is declared and called: variables, functions and calls, entry points, decorations, source lines.
//
// The one idea: declarations refer to each other by id; a remark puts beside one what the others say about it.
#include <array>

#include "spirv/text/annotate/annotate_remark.h"

namespace vireo::spirv {
namespace {

// Strings that must be measured to find what stands behind them, and paths, whose end is what counts, are read
// further than string_of() does by default.
constexpr std::size_t max_instruction_bytes = 0xFFFF * sizeof(Word);
constexpr std::size_t max_path_bytes = 1024;

void add_news(Remark& remark, std::string_view words) {
  remark.add(words);
  remark.has_news = true;
}

// ---- Variables ------------------------------------------------------------------------------------------------------

// What a structure is to the outside, by its decorations and where it lives; empty when it is nothing special. Vulkan
// specification, "Shader Interfaces": which blocks are uniform and which are storage buffers. BufferBlock is how
// modules before 1.3 say StorageBuffer.
std::string_view block_words(const ModuleFacts& facts, Word structure, StorageClass storage) {
  const bool is_block = facts.decoration(structure, Decoration::Block).word_count != 0;
  const bool is_buffer = facts.decoration(structure, Decoration::BufferBlock).word_count != 0;
  switch (storage) {
    case StorageClass::Uniform: return is_buffer ? "storage buffer" : is_block ? "uniform block" : "";
    case StorageClass::StorageBuffer: return is_block ? "storage buffer" : "";
    case StorageClass::PushConstant: return is_block ? "push constants" : "";
    case StorageClass::Input: return is_block ? "input block" : "";
    case StorageClass::Output: return is_block ? "output block" : "";
    default: return {};
  }
}

// `, set 0 binding 3`, `, location 1`, `, built-in FragCoord`.
void add_interface(Remark& remark, Word variable) {
  const ModuleFacts& facts = remark.facts;
  const auto literal = [&](Decoration decoration, std::string_view words) {
    const InstructionView decorate = facts.decoration(variable, decoration);
    if (decorate.word_count > 3) add_news(remark, words), remark.add(std::uint64_t{decorate.word(3)});
  };
  // Read together, "set 0 binding 3"; a binding alone is separated like the others.
  const bool has_set = facts.decoration(variable, Decoration::DescriptorSet).word_count > 3;
  literal(Decoration::DescriptorSet, ", set ");
  literal(Decoration::Binding, has_set ? " binding " : ", binding ");
  literal(Decoration::Location, ", location ");
  const InstructionView built_in = facts.decoration(variable, Decoration::BuiltIn);
  if (built_in.word_count <= 3) return;
  const EnumerantRow* row = remark.grammar.find_value(remark.grammar.find_kind("BuiltIn"), built_in.word(3));
  if (row != nullptr) add_news(remark, ", built-in "), remark.add(remark.grammar.text(row->name));
}

// `normal: input vec3, location 1`: name where the line lacks it, kind, type, place in the interface, initial value.
void remark_on_variable(Remark& remark, InstructionView variable) {
  const ModuleFacts& facts = remark.facts;
  const Word id = variable.word(2);
  const Word pointer = variable.word(1);
  const Word storage = variable.word(3);
  // SPV_KHR_untyped_pointers: the type is an operand behind the storage class, and may be absent.
  const bool is_untyped = op_of(variable) == Op::OpUntypedVariableKHR;
  const Word type = is_untyped ? variable.word(4) : facts.definition(pointer).word(3);
  // The name leads where the line lacks it.
  if (!remark.name_of(id).empty() && !remark.line_shows(id)) remark.add_id(id).add(": ");
  const InstructionView definition = facts.definition(type);
  // An array of blocks is many resources of the block's kind: the decoration is on the element.
  const bool is_array = op_of(definition) == Op::OpTypeArray || op_of(definition) == Op::OpTypeRuntimeArray;
  const std::string_view block =
      block_words(facts, is_array ? definition.word(2) : type, static_cast<StorageClass>(storage));
  const std::string_view words = block.empty() ? storage_class_words(storage) : block;
  if (!words.empty()) remark.add(words).add(" ");
  if (type == 0) {
    remark.add("variable");
  } else {
    add_type(remark, type);
  }
  if (!remark.line_shows(pointer)) remark.has_news = true;
  add_interface(remark, id);
  const std::size_t initializer = is_untyped ? 5 : 4;
  if (initializer < variable.word_count) {
    remark.add(" = ");
    add_value(remark, variable.word(initializer));
  }
}

// ---- Functions ------------------------------------------------------------------------------------------------------

// More do not fit in a remark.
constexpr std::size_t max_parameters = 8;

/// The parameters of a function, the first few of them.
struct Parameters {
  std::array<InstructionView, max_parameters> views;
  std::size_t count = 0;
  bool are_more = false;
};

// Specification 2.4: parameters stand right behind their OpFunction, so there is nothing to collect beforehand.
Parameters parameters_of(const ModuleFacts& facts, InstructionView function) {
  Parameters found;
  for (InstructionView at = facts.next(function); op_of(at) == Op::OpFunctionParameter; at = facts.next(at)) {
    if (found.count == max_parameters) {
      found.are_more = true;
      break;
    }
    found.views[found.count++] = at;
  }
  return found;
}

// Reads like a declaration of C: the line has only ids of types.
void remark_on_function(Remark& remark, InstructionView function) {
  add_type(remark, function.word(1));
  remark.add(" ").add_id(function.word(2)).add("(");
  const Parameters parameters = parameters_of(remark.facts, function);
  for (std::size_t i = 0; i < parameters.count; ++i) {
    if (i > 0) remark.add(", ");
    add_type(remark, parameters.views[i].word(1));
    const std::string_view name = remark.name_of(parameters.views[i].word(2));
    if (!name.empty()) remark.add(" ").add_input(name);
  }
  add_news(remark, parameters.are_more ? ", ...)" : ")");
}

void remark_on_parameter(Remark& remark, InstructionView parameter) {
  add_type_as_news(remark, parameter.word(1));
  const Word id = parameter.word(2);
  if (!remark.name_of(id).empty()) remark.add(" ").add_id(id);
}

// `shade(normal: n, exponent: 8.0)`.
// Arguments behind the names of the parameters, which stand far away; values by themselves say little.
void remark_on_call(Remark& remark, InstructionView call) {
  constexpr std::size_t first_argument = 4;
  const Word callee = call.word(3);
  const InstructionView function = remark.facts.definition(callee);
  const Parameters parameters =
      op_of(function) == Op::OpFunction ? parameters_of(remark.facts, function) : Parameters{};
  remark.add_id(callee).add("(");
  for (std::size_t i = first_argument; i < call.word_count && !remark.is_full(); ++i) {
    const std::size_t ordinal = i - first_argument;
    if (ordinal > 0) remark.add(", ");
    const std::string_view name = ordinal < parameters.count ? remark.name_of(parameters.views[ordinal].word(2)) : "";
    if (!name.empty()) {
      remark.add_input(name);
      add_news(remark, ": ");
    }
    add_value(remark, call.word(i));
  }
  remark.add(")");
}

// ---- Entry points ---------------------------------------------------------------------------------------------------

// The interface by name, where the line shows numbers.
// Ids of the interface are the one part of an entry point that is numbers (specification, OpEntryPoint, Interface).
void remark_on_entry_point(Remark& remark, InstructionView entry_point) {
  // Specification, OpEntryPoint: the interface begins behind the name. The whole name is measured here, however long.
  const std::size_t name_words = string_of(entry_point, 3, max_instruction_bytes).size() / sizeof(Word) + 1;
  remark.add("uses ");
  for (std::size_t i = 3 + name_words; i < entry_point.word_count && !remark.is_full(); ++i) {
    if (i > 3 + name_words) remark.add(", ");
    remark.add_id(entry_point.word(i));
  }
}

// Specification, execution modes LocalSize and LocalSizeId: x, y and z. The product is what schedulers count.
void add_size(Remark& remark, InstructionView mode, bool are_ids) {
  std::uint64_t product = 1;
  bool is_known = true;
  remark.add("workgroup of ");
  for (std::size_t i = 3; i < mode.word_count && i < 6; ++i) {
    if (i > 3) remark.add(" x ");
    std::uint64_t value = mode.word(i);
    if (are_ids && !remark.facts.constant_index(mode.word(i), value)) {
      is_known = false;
      add_value(remark, mode.word(i));
    } else {
      remark.add(value);
    }
    // A product that is not told is better than one that has wrapped.
    is_known = is_known && value < 0x10000;  // three of these do not overflow
    product *= is_known ? value : 1;
  }
  if (is_known) remark.add(" = ").add(product).add(" invocations");
  remark.has_news = true;
}

void remark_on_execution_mode(Remark& remark, InstructionView mode) {
  const Word entry_point = mode.word(1);
  const auto value = static_cast<ExecutionMode>(mode.word(2));
  if (value != ExecutionMode::LocalSize && value != ExecutionMode::LocalSizeId) {
    remark.add("of ").add_id(entry_point);
    return;
  }
  if (!remark.name_of(entry_point).empty() && !remark.line_shows(entry_point)) remark.add_id(entry_point).add(": ");
  add_size(remark, mode, value == ExecutionMode::LocalSizeId);
}

// ---- Decorations ----------------------------------------------------------------------------------------------------

// The line says what; the remark says of whom. Not told when the line shows the name.
void remark_on_decoration(Remark& remark, InstructionView decorate, bool is_of_member) {
  const Word target = decorate.word(1);
  const std::string_view member =
      is_of_member ? remark.facts.member_name(target, decorate.word(2)) : std::string_view{};
  remark.add("of ").add_id(target);
  if (!is_of_member) return;
  if (member.empty()) {
    remark.add(".").add(std::uint64_t{decorate.word(2)});
  } else {
    remark.add(".").add_input(member);
    remark.has_news = true;
  }
}

// Specification, OpLine: file (an OpString), line, column. A column of 0 says nothing.
void remark_on_line(Remark& remark, InstructionView line) {
  add_file_name(remark, remark.facts.definition(line.word(1)));
  remark.add(":").add(std::uint64_t{line.word(2)});
  if (line.word(3) != 0) remark.add(":").add(std::uint64_t{line.word(3)});
  remark.has_news = true;
}

}  // namespace

// Paths of build machines are long, and their last part is what an editor shows.
void add_file_name(Remark& remark, InstructionView string) {
  if (op_of(string) != Op::OpString) {
    remark.add("line ");
    return;
  }
  const std::string_view path = string_of(string, 2, max_path_bytes);
  const std::size_t separator = path.find_last_of("/\\");
  remark.add_input(separator == std::string_view::npos ? path : path.substr(separator + 1));
}

bool remark_on_declaration(Remark& remark, InstructionView instruction) {
  switch (op_of(instruction)) {
    case Op::OpVariable:
    case Op::OpUntypedVariableKHR: remark_on_variable(remark, instruction); return true;
    case Op::OpFunction: remark_on_function(remark, instruction); return true;
    case Op::OpFunctionParameter: remark_on_parameter(remark, instruction); return true;
    case Op::OpFunctionCall: remark_on_call(remark, instruction); return true;
    case Op::OpEntryPoint: remark_on_entry_point(remark, instruction); return true;
    case Op::OpExecutionMode:
    case Op::OpExecutionModeId: remark_on_execution_mode(remark, instruction); return true;
    case Op::OpDecorate:
    case Op::OpDecorateId:
    case Op::OpDecorateString: remark_on_decoration(remark, instruction, false); return true;
    case Op::OpMemberDecorate:
    case Op::OpMemberDecorateString: remark_on_decoration(remark, instruction, true); return true;
    case Op::OpLine: remark_on_line(remark, instruction); return true;
    default: return false;
  }
}

}  // namespace vireo::spirv

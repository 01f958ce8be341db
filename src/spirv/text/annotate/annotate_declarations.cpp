// SPDX-License-Identifier: Apache-2.0
//
// Declarations and their uses: variables, functions and calls, entry points, decorations, source lines.
//
// Declarations refer to each other by id. The annotation of a declaration shows facts about it from the others.
#include <algorithm>
#include <array>
#include <optional>

#include "spirv/text/annotate/annotate_remark.h"
#include "vireo/spirv/binary/views/annotation.h"
#include "vireo/spirv/binary/views/debug.h"
#include "vireo/spirv/binary/views/function.h"
#include "vireo/spirv/binary/views/memory.h"
#include "vireo/spirv/binary/views/mode_setting.h"
#include "vireo/spirv/binary/views/type_declaration.h"

namespace vireo::spirv {
namespace {

// The last part of a path is shown, so paths are read further than the default limit of string_of().
constexpr std::size_t max_path_bytes = 1024;

void add_news(Remark& remark, std::string_view words) {
  remark.add(words);
  remark.has_news = true;
}

// ---- Variables ------------------------------------------------------------------------------------------------------

// The kind of interface block that a structure is, by its decorations and storage class; empty if it is not one. The
// Vulkan specification, "Shader Interfaces", defines uniform and storage buffer blocks. Before version 1.3, BufferBlock
// marks a storage buffer.
std::string_view block_words(const ModuleFacts& facts, Word structure, StorageClass storage) {
  const bool is_block = facts.is_decorated(structure, Decoration::Block);
  const bool is_buffer = facts.is_decorated(structure, Decoration::BufferBlock);
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
    const std::optional<Word> number = facts.decoration_parameter(variable, decoration);
    if (number) add_news(remark, words), remark.add(std::uint64_t{*number});
  };
  // Set and binding are printed together, "set 0 binding 3"; a comma precedes a binding without a set.
  const bool has_set = facts.decoration_parameter(variable, Decoration::DescriptorSet).has_value();
  literal(Decoration::DescriptorSet, ", set ");
  literal(Decoration::Binding, has_set ? " binding " : ", binding ");
  literal(Decoration::Location, ", location ");
  const std::optional<Word> built_in = facts.decoration_parameter(variable, Decoration::BuiltIn);
  if (!built_in) return;
  const EnumerantRow* row = remark.grammar.find_value(remark.grammar.find_kind("BuiltIn"), *built_in);
  if (row != nullptr) add_news(remark, ", built-in "), remark.add(remark.grammar.text(row->name));
}

// `normal: input vec3, location 1`: name if the line lacks it, kind, type, interface location, initial value.
void remark_on_variable(Remark& remark, InstructionView variable) {
  const ModuleFacts& facts = remark.facts;
  const auto typed = as<Op::OpVariable>(variable);
  // SPV_KHR_untyped_pointers: same operands up to the storage class. The data type follows and is optional.
  const View<Op::OpUntypedVariableKHR> untyped(variable);
  const Word id = untyped.result();
  const Word pointer = untyped.result_type();
  const StorageClass storage = untyped.storage_class();
  const Word type = typed ? View<Op::OpTypePointer>(facts.definition(pointer)).type()
                          : untyped.data_type().value_or(IdOperand<IdKind::Type>{});
  // The name comes first if the line lacks it.
  if (!remark.name_of(id).empty() && !remark.line_shows(id)) remark.add_id(id).add(": ");
  const InstructionView definition = facts.definition(type);
  // An array of blocks is an array of resources; the Block decoration is on the element type.
  const bool is_array = op_of(definition) == Op::OpTypeArray || op_of(definition) == Op::OpTypeRuntimeArray;
  // OpTypeRuntimeArray and OpTypeArray have the element type in the same word.
  const Word element = View<Op::OpTypeArray>(definition).element_type();
  const std::string_view block = block_words(facts, is_array ? element : type, storage);
  const std::string_view words = block.empty() ? storage_class_words(storage) : block;
  if (!words.empty()) remark.add(words).add(" ");
  if (type == 0) {
    remark.add("variable");
  } else {
    add_type(remark, type);
  }
  if (!remark.line_shows(pointer)) remark.has_news = true;
  add_interface(remark, id);
  if (const auto initializer = typed ? typed->initializer() : untyped.initializer()) {
    remark.add(" = ");
    add_value(remark, *initializer);
  }
}

// ---- Functions ------------------------------------------------------------------------------------------------------

// An annotation has no space for more parameters.
constexpr std::size_t max_parameters = 8;

/// The first `max_parameters` parameters of a function.
struct Parameters {
  struct Parameter {
    Word type = 0;
    Word id = 0;
  };
  std::array<Parameter, max_parameters> rows;
  std::size_t count = 0;
  bool are_more = false;
};

// Specification 2.4: parameters directly follow their OpFunction, so they are read from there.
Parameters parameters_of(const ModuleFacts& facts, InstructionView function) {
  Parameters found;
  for (InstructionView at = facts.next(function); op_of(at) == Op::OpFunctionParameter; at = facts.next(at)) {
    const View<Op::OpFunctionParameter> parameter(at);
    if (found.count == max_parameters) {
      found.are_more = true;
      break;
    }
    found.rows[found.count++] = {parameter.result_type(), parameter.result()};
  }
  return found;
}

// The text is like a C declaration; the line shows only the ids of the types.
void remark_on_function(Remark& remark, View<Op::OpFunction> function) {
  add_type(remark, function.result_type());
  remark.add(" ").add_id(function.result()).add("(");
  const Parameters parameters = parameters_of(remark.facts, function.view());
  for (std::size_t i = 0; i < parameters.count; ++i) {
    if (i > 0) remark.add(", ");
    add_type(remark, parameters.rows[i].type);
    const std::string_view name = remark.name_of(parameters.rows[i].id);
    if (!name.empty()) remark.add(" ").add_input(name);
  }
  add_news(remark, parameters.are_more ? ", ...)" : ")");
}

void remark_on_parameter(Remark& remark, View<Op::OpFunctionParameter> parameter) {
  add_type_as_news(remark, parameter.result_type());
  const Word id = parameter.result();
  if (!remark.name_of(id).empty()) remark.add(" ").add_id(id);
}

// `shade(normal: n, exponent: 8.0)`. Each argument is preceded by the name of its parameter, which is declared
// elsewhere; a value without its name is hard to interpret.
void remark_on_call(Remark& remark, View<Op::OpFunctionCall> call) {
  const Word callee = call.function();
  const InstructionView function = remark.facts.definition(callee);
  const Parameters parameters =
      op_of(function) == Op::OpFunction ? parameters_of(remark.facts, function) : Parameters{};
  remark.add_id(callee).add("(");
  const auto arguments = call.arguments();
  for (std::size_t i = 0; i < arguments.size() && !remark.is_full(); ++i) {
    if (i > 0) remark.add(", ");
    const std::string_view name = i < parameters.count ? remark.name_of(parameters.rows[i].id) : "";
    if (!name.empty()) {
      remark.add_input(name);
      add_news(remark, ": ");
    }
    add_value(remark, arguments[i]);
  }
  remark.add(")");
}

// ---- Entry points ---------------------------------------------------------------------------------------------------

// The interface variables by name, if the line shows numbers (specification, OpEntryPoint, Interface). The line shows
// the other operands of an entry point by name already.
void remark_on_entry_point(Remark& remark, View<Op::OpEntryPoint> entry_point) {
  remark.add("uses ");
  const auto interfaces = entry_point.interfaces();
  for (std::size_t i = 0; i < interfaces.size() && !remark.is_full(); ++i) {
    if (i > 0) remark.add(", ");
    remark.add_id(interfaces[i]);
  }
}

// Specification, execution modes LocalSize and LocalSizeId: x, y and z. The product is the number of invocations.
void add_size(Remark& remark, ExecutionModeView mode) {
  const bool are_ids = mode == ExecutionMode::LocalSizeId;
  std::uint64_t product = 1;
  bool is_known = true;
  remark.add("workgroup of ");
  const Words sizes = mode.parameters();
  for (std::size_t i = 0; i < std::min<std::size_t>(sizes.size(), 3); ++i) {
    if (i > 0) remark.add(" x ");
    std::uint64_t value = sizes[i];
    if (are_ids && !remark.facts.constant_index(sizes[i], value)) {
      is_known = false;
      add_value(remark, sizes[i]);
    } else {
      remark.add(value);
    }
    // If the product could wrap, it is not shown.
    is_known = is_known && value < 0x10000;  // three factors of this size fit in 64 bits
    product *= is_known ? value : 1;
  }
  if (is_known) remark.add(" = ").add(product).add(" invocations");
  remark.has_news = true;
}

// OpExecutionModeId has the same operands.
void remark_on_execution_mode(Remark& remark, View<Op::OpExecutionMode> instruction) {
  const Word entry_point = instruction.entry_point();
  const ExecutionModeView mode = instruction.mode();
  if (mode != ExecutionMode::LocalSize && mode != ExecutionMode::LocalSizeId) {
    remark.add("of ").add_id(entry_point);
    return;
  }
  if (!remark.name_of(entry_point).empty() && !remark.line_shows(entry_point)) remark.add_id(entry_point).add(": ");
  add_size(remark, mode);
}

// ---- Decorations ----------------------------------------------------------------------------------------------------

// The line shows the decoration. The annotation shows the target's name, unless the line does.
void remark_on_decoration(Remark& remark, Word target) { remark.add("of ").add_id(target); }

// OpMemberDecorateString and OpMemberDecorate have the type and the member in the same words.
void remark_on_decoration(Remark& remark, View<Op::OpMemberDecorate> decorate) {
  const Word type = decorate.structure_type();
  const Word member = decorate.member();
  remark_on_decoration(remark, type);
  if (const std::string_view name = remark.facts.member_name(type, member); !name.empty()) {
    remark.add(".").add_input(name);
    remark.has_news = true;
  } else {
    remark.add(".").add(std::uint64_t{member});
  }
}

// Specification, OpLine: file (an OpString), line, column. A column of 0 is left out.
void remark_on_line(Remark& remark, View<Op::OpLine> line) {
  add_file_name(remark, remark.facts.definition(line.file()));
  remark.add(":").add(std::uint64_t{line.line()});
  if (line.column() != 0) remark.add(":").add(std::uint64_t{line.column()});
  remark.has_news = true;
}

}  // namespace

// Paths on build machines are long; only the last part is shown, as in an editor.
void add_file_name(Remark& remark, InstructionView string) {
  if (op_of(string) != Op::OpString) {
    remark.add("line ");
    return;
  }
  const std::string_view path = string_of(string, OperandName::string, max_path_bytes);
  const std::size_t separator = path.find_last_of("/\\");
  remark.add_input(separator == std::string_view::npos ? path : path.substr(separator + 1));
}

bool remark_on_declaration(Remark& remark, InstructionView instruction) {
  switch (op_of(instruction)) {
    case Op::OpVariable:
    case Op::OpUntypedVariableKHR: remark_on_variable(remark, instruction); return true;
    case Op::OpFunction: remark_on_function(remark, View<Op::OpFunction>(instruction)); return true;
    case Op::OpFunctionParameter: remark_on_parameter(remark, View<Op::OpFunctionParameter>(instruction)); return true;
    case Op::OpFunctionCall: remark_on_call(remark, View<Op::OpFunctionCall>(instruction)); return true;
    case Op::OpEntryPoint: remark_on_entry_point(remark, View<Op::OpEntryPoint>(instruction)); return true;
    case Op::OpExecutionMode:
    case Op::OpExecutionModeId: remark_on_execution_mode(remark, View<Op::OpExecutionMode>(instruction)); return true;
    case Op::OpDecorate:
    case Op::OpDecorateId:
    case Op::OpDecorateString: remark_on_decoration(remark, View<Op::OpDecorate>(instruction).target()); return true;
    case Op::OpMemberDecorate:
    case Op::OpMemberDecorateString: remark_on_decoration(remark, View<Op::OpMemberDecorate>(instruction)); return true;
    case Op::OpLine: remark_on_line(remark, View<Op::OpLine>(instruction)); return true;
    default: return false;
  }
}

}  // namespace vireo::spirv

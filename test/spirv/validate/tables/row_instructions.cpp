// SPDX-License-Identifier: Apache-2.0
//
// Slots from the grammar, values from the universe, findings by their positions.
#include "spirv/validate/tables/row_instructions.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "vireo/spirv/binary/writer.h"
#include "vireo/spirv/build/requirements.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::spirv::test {
namespace {

// Optional operands are omitted, except for those up to the last one in the row.
void add_slots(std::span<const OperandRow> operands, Instruction& instruction) {
  const TypingPattern* pattern = instruction.pattern;
  std::size_t required = 0;
  for (const OperandRow& operand : operands) {
    if (operand.shape == OperandShape::IdResultType || operand.shape == OperandShape::IdResult) continue;
    Slot slot{operand.shape, operand.kind};
    const std::size_t at = instruction.slots.size();
    if (pattern != nullptr && pattern->operand_count != 0) {
      const std::size_t last = pattern->operand_count - 1u;
      const TypeRequirement* requirement = at <= last              ? &pattern->operands[at]
                                           : pattern->last_repeats ? &pattern->operands[last]
                                                                   : nullptr;
      if (requirement != nullptr && requirement->is_checked) slot.requirement = requirement;
    }
    instruction.slots.push_back(slot);
    if (operand.quantifier == Quantifier::One || slot.requirement != nullptr) required = instruction.slots.size();
  }
  instruction.slots.resize(required);
}

// A scope; no memory semantics; the first enumerant; a valid count for vector loads.
Word filler(const Universe& universe, const Slot& slot, const Assignment& assignment, Scope scope) {
  const Grammar& grammar = builtin_grammar();
  switch (slot.shape) {
    case OperandShape::IdScope: return universe.number(static_cast<Word>(scope));
    case OperandShape::IdMemorySemantics: return universe.number(0);
    case OperandShape::ValueEnum: return grammar.enumerants_of(grammar.kind(slot.kind)).front().value;
    case OperandShape::LiteralInteger:
      return assignment.type == PlainType::none ? 0 : universe.types()[assignment.type].count;
    default: return 0;
  }
}

// For instructions with a string: the library's writer adds the padding.
void append_string(WordBuffer& words, Op op, std::vector<Word> operands, std::string_view text,
                   const std::vector<Word>& more = {}) {
  InstructionWriter writer(words);
  writer.begin(op);
  writer.words(operands);
  writer.string(text);
  writer.words(more);
  EXPECT_TRUE(writer.end());
}

// Capabilities that the grammar does not determine: for types by their widths, and of the execution environment.
constexpr Capability shader_capabilities[] = {
    Capability::Shader,
    Capability::Int8,
    Capability::Int16,
    Capability::Int64,
    Capability::Float16,
    Capability::Float64,
    Capability::BFloat16TypeKHR,
    Capability::Float8EXT,
    Capability::LongVectorEXT,
    Capability::BFloat16CooperativeMatrixKHR,
    // The capabilities for shaders, if several enable an instruction or an enumerant.
    Capability::ImageQuery,
    Capability::GroupNonUniformArithmetic,
};
constexpr Capability kernel_capabilities[] = {
    Capability::Kernel,  Capability::Addresses,       Capability::Int8,
    Capability::Int16,   Capability::Int64,           Capability::Float16,
    Capability::Float64, Capability::BFloat16TypeKHR, Capability::Float8EXT,
};

}  // namespace

// Kernel if only kernels can enable the instruction; OpenCL's own instructions also.
World Instruction::world() const {
  const Grammar& grammar = builtin_grammar();
  if (!set.empty()) return set == "OpenCL.std" ? World::Kernel : World::Shader;
  const InstructionRow* row = grammar.find_opcode(static_cast<std::uint32_t>(op));
  const auto capabilities = grammar.capabilities(row->capabilities);
  const bool is_of_kernels = !capabilities.empty() && std::ranges::all_of(capabilities, [&](std::uint16_t capability) {
    const auto value = static_cast<Capability>(grammar.enumerants[capability].value);
    return value == Capability::Kernel || value == Capability::Addresses || value == Capability::NamedBarrier ||
           value == Capability::PredicatedIOINTEL || value == Capability::SubgroupImageBlockIOINTEL ||
           value == Capability::SubgroupImageMediaBlockIOINTEL || value == Capability::Subgroup2DBlockIOINTEL ||
           value == Capability::Subgroup2DBlockTransformINTEL || value == Capability::Subgroup2DBlockTransposeINTEL ||
           value == Capability::SubgroupMatrixMultiplyAccumulateINTEL || value == Capability::VariableLengthArrayINTEL;
  });
  if (op == Op::OpUntypedPrefetchKHR) return World::Kernel;
  return is_of_kernels ? World::Kernel : World::Shader;
}

// Removed instructions are still checked by their rows.
Version Instruction::version() const {
  const InstructionRow* row = builtin_grammar().find_opcode(static_cast<std::uint32_t>(op));
  return row->last.is_none() ? Version{1, 6} : row->last;
}

bool Instruction::ends_block() const {
  // Terminators that rows describe. An unreachable block may follow.
  return op == Op::OpEmitMeshTasksEXT || op == Op::OpKill || op == Op::OpTerminateInvocation ||
         op == Op::OpIgnoreIntersectionKHR || op == Op::OpTerminateRayKHR;
}

Instruction instruction_of(Op op, const TypingPattern* pattern) {
  const Grammar& grammar = builtin_grammar();
  const InstructionRow* row = grammar.find_opcode(static_cast<std::uint32_t>(op));
  Instruction instruction;
  instruction.name = grammar.text(row->name);
  instruction.op = op;
  instruction.pattern = pattern;
  instruction.has_type = (row->flags & HasResultType) != 0;
  instruction.has_result = (row->flags & HasResult) != 0;
  add_slots(grammar.operands(row->operands), instruction);
  return instruction;
}

Instruction extended_instruction(std::string_view set, std::string_view name, const TypingPattern* pattern) {
  const Grammar& grammar = builtin_grammar();
  const ExtInstRow* row = grammar.find_ext_inst(grammar.find_set(set), name);
  EXPECT_NE(row, nullptr) << set << ' ' << name;
  Instruction instruction;
  instruction.name = std::string(set) + ':' + std::string(name);
  instruction.op = Op::OpExtInst;
  instruction.set = set;
  instruction.pattern = pattern;
  instruction.has_type = instruction.has_result = true;
  if (row == nullptr) return instruction;
  instruction.number = row->number;
  add_slots(grammar.operands(row->operands), instruction);
  return instruction;
}

std::vector<Instruction> instructions_of_rows() {
  std::vector<Instruction> all;
  for (const TypingRow& row : typing_rows()) {
    for (std::size_t i = 0; i < row.opcode_count; ++i) all.push_back(instruction_of(row.opcodes[i], &row.pattern));
  }
  for (const ExtTypingRow& row : ext_typing_rows()) {
    for (std::string_view rest = row.names; !rest.empty();) {
      const std::size_t blank = std::min(rest.find(' '), rest.size());
      all.push_back(extended_instruction(row.set, rest.substr(0, blank), &row.pattern));
      rest.remove_prefix(std::min(blank + 1, rest.size()));
    }
  }
  return all;
}

std::vector<Finding> expected_of(const Universe& universe, const Instruction& instruction,
                                 const Assignment& assignment) {
  const bool has_type = assignment.type != PlainType::none;
  TypingChecker checker{universe, has_type ? &universe.types()[assignment.type] : nullptr, assignment.operands};
  if (instruction.pattern != nullptr && !checker.accepts_result(instruction.pattern->result))
    return {{1, "*-result-type"}};
  std::vector<Finding> expected;
  for (std::size_t i = 0; i < instruction.slots.size(); ++i) {
    if (instruction.slots[i].requirement == nullptr) continue;
    const std::string_view rule = checker.fault_of(*instruction.slots[i].requirement, i + 1);
    if (rule.empty()) continue;
    expected.push_back({instruction.first_word() + static_cast<std::uint32_t>(i), rule});
    checker.operands[i] = nullptr;  // other operands are not compared with an invalid one
  }
  return expected;
}

// Relations refer to earlier operands, so the first value that fits can be chosen from front to back.
bool fill(const Universe& universe, const Instruction& instruction, Assignment& assignment) {
  const bool has_type = assignment.type != PlainType::none;
  TypingChecker checker{universe, has_type ? &universe.types()[assignment.type] : nullptr, assignment.operands};
  if (instruction.pattern != nullptr && !checker.accepts_result(instruction.pattern->result)) return false;
  checker.operands.resize(instruction.slots.size());
  for (std::size_t i = 0; i < instruction.slots.size(); ++i) {
    const Slot& slot = instruction.slots[i];
    if (!slot.is_value()) continue;
    const auto fits = [&](const PlainValue& value) {
      checker.operands[i] = &value;
      return slot.requirement == nullptr || checker.fault_of(*slot.requirement, i + 1).empty();
    };
    const bool is_given = checker.operands[i] != nullptr;
    if (is_given ? !fits(*checker.operands[i]) : std::ranges::none_of(universe.values(), fits)) return false;
  }
  assignment.operands = checker.operands;
  return true;
}

TestModule::TestModule(const Universe& universe, const Instruction& instruction, Options options)
    : universe_(universe), instruction_(instruction), options_(std::move(options)), next_id_(universe.free_id() + 10) {}

void TestModule::add(const Assignment& assignment) {
  begins_.push_back(body_.size());
  std::vector<Word> operands;
  if (instruction_.has_type) operands.push_back(universe_.types()[assignment.type].id);
  if (instruction_.has_result) operands.push_back(next_id_++);
  if (!instruction_.set.empty()) operands.insert(operands.end(), {universe_.free_id(), instruction_.number});
  for (std::size_t i = 0; i < instruction_.slots.size(); ++i) {
    const bool is_given = i < assignment.operands.size() && assignment.operands[i] != nullptr;
    operands.push_back(is_given ? assignment.operands[i]->id
                                : filler(universe_, instruction_.slots[i], assignment, options_.scope));
  }
  append(body_, instruction_.op, operands);
  if (instruction_.ends_block()) append(body_, Op::OpLabel, {next_id_++});
}

// Ids after those of the universe: the set, then functions, labels and a type.
WordBuffer TestModule::words(Words declared) const {
  const Word set = universe_.free_id(), function = set + 1, label = set + 2;
  const bool is_linked = options_.entry_points.empty();
  WordBuffer words;
  write_header({.version_word = options_.version.to_word(), .bound = next_id_}, words);
  words.insert(words.end(), declared.begin(), declared.end());
  if (!instruction_.set.empty()) append_string(words, Op::OpExtInstImport, {set}, instruction_.set);
  append(words, Op::OpMemoryModel, {static_cast<Word>(options_.addressing), static_cast<Word>(options_.memory_model)});
  const Word entry = options_.is_called ? set + 3 : function;
  for (const ExecutionModel model : options_.entry_points) {
    append_string(words, Op::OpEntryPoint, {static_cast<Word>(model), entry}, "main", {});
  }
  for (const ExecutionMode mode : options_.modes) append(words, Op::OpExecutionMode, {entry, static_cast<Word>(mode)});
  words.insert(words.end(), universe_.globals().begin(), universe_.globals().end());
  const Word plain_type = set + 9;
  if (!is_linked) append(words, Op::OpTypeFunction, {plain_type, universe_.void_type()});
  const auto begin_function = [&](Word id, Word type) {
    append(words, Op::OpFunction, {universe_.void_type(), id, 0, type});
  };
  const auto end_function = [&] {
    append(words, Op::OpReturn, {});
    append(words, Op::OpFunctionEnd, {});
  };
  if (options_.is_called) {
    for (const Word caller : {set + 3, set + 6}) {
      begin_function(caller, plain_type);
      append(words, Op::OpLabel, {caller + 1});
      append(words, Op::OpFunctionCall, {universe_.void_type(), caller + 2, caller == set + 3 ? set + 6 : function});
      end_function();
    }
  }
  begin_function(function, is_linked ? universe_.function_type() : plain_type);
  if (is_linked) words.insert(words.end(), universe_.parameters().begin(), universe_.parameters().end());
  append(words, Op::OpLabel, {label});
  words.insert(words.end(), universe_.locals().begin(), universe_.locals().end());
  words.insert(words.end(), body_.begin(), body_.end());
  end_function();
  return words;
}

// Computed once, because all instances are alike. Capabilities for the widths of types come from a table.
WordBuffer TestModule::requirements() const {
  WordBuffer declared;
  const bool is_kernel = universe_.world() == World::Kernel;
  for (const Capability capability :
       is_kernel ? std::span<const Capability>(kernel_capabilities) : shader_capabilities) {
    append(declared, Op::OpCapability, {static_cast<Word>(capability)});
  }
  if (options_.entry_points.empty()) append(declared, Op::OpCapability, {static_cast<Word>(Capability::Linkage)});
  const Requirements missing = missing_requirements(words(declared));
  for (const Capability capability : missing.capabilities) {
    append(declared, Op::OpCapability, {static_cast<Word>(capability)});
  }
  const Requirements extensions = missing_requirements(words(declared));
  EXPECT_TRUE(extensions.capabilities.empty()) << instruction_.name;
  for (const std::string_view extension : extensions.extensions) {
    append_string(declared, Op::OpExtension, {}, extension);
  }
  return declared;
}

TestModule::Findings TestModule::findings() const {
  const WordBuffer all = words(requirements());
  // The body precedes the final OpReturn and OpFunctionEnd.
  const std::size_t body = all.size() - body_.size() - 2;
  ValidateOptions options;
  options.environment = find_environment(options_.environment).value();
  options.max_findings = ~std::size_t{0};
  Diagnostics diagnostics(options.max_findings);
  validate(all, options, diagnostics);
  Findings findings;
  findings.by_instance.resize(begins_.size());
  findings.by_entry_point.resize(options_.entry_points.size());
  // The positions of the entry points, in order.
  std::vector<std::size_t> entries;
  for (std::size_t at = 5; at < all.size(); at += all[at] >> 16) {
    if ((all[at] & 0xFFFF) == static_cast<Word>(Op::OpEntryPoint)) entries.push_back(at);
  }
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    // Findings about execution models are in functions, with a note at the entry point.
    for (const Note& note : diagnostic.notes) {
      const auto entry = std::ranges::upper_bound(entries, note.where.begin);
      if (entry == entries.begin() || note.where.begin >= *(entry - 1) + (all[*(entry - 1)] >> 16)) continue;
      findings.by_entry_point[static_cast<std::size_t>(entry - entries.begin()) - 1].push_back(
          {static_cast<std::uint32_t>(note.where.begin - *(entry - 1)), kind_of(diagnostic.rule)});
    }
    const std::size_t at = diagnostic.where.begin;
    const auto finding_at = [&](std::size_t begin) {
      return Finding{static_cast<std::uint32_t>(at - begin), kind_of(diagnostic.rule)};
    };
    // The last instance that begins before the position, if the position is in the body.
    const auto next = std::upper_bound(begins_.begin(), begins_.end(), at - body);
    const auto entry = std::upper_bound(entries.begin(), entries.end(), at);
    if (at >= body && at < body + body_.size() && next != begins_.begin()) {
      findings.by_instance[static_cast<std::size_t>(next - begins_.begin()) - 1].push_back(
          finding_at(body + *(next - 1)));
    } else if (entry != entries.begin() && at < *(entry - 1) + (all[*(entry - 1)] >> 16)) {
      findings.by_entry_point[static_cast<std::size_t>(entry - entries.begin()) - 1].push_back(
          finding_at(*(entry - 1)));
    } else {
      findings.elsewhere.push_back(std::string(diagnostic.rule) + " at word " + std::to_string(at) + ": " +
                                   diagnostic.message);
    }
  }
  return findings;
}

}  // namespace vireo::spirv::test

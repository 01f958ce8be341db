// SPDX-License-Identifier: Apache-2.0
//
// The pass that records word offsets (annotate_facts.h), and the roles of labels.
#include "spirv/text/annotate/annotate_facts.h"

#include <algorithm>
#include <cstring>
#include <tuple>

#include "spirv/binary/id_type_table.h"
#include "spirv/grammar/opcode_families.h"
#include "vireo/spirv/binary/views/annotation.h"
#include "vireo/spirv/binary/views/constant_creation.h"
#include "vireo/spirv/binary/views/control_flow.h"
#include "vireo/spirv/binary/views/debug.h"
#include "vireo/spirv/binary/views/type_declaration.h"

namespace vireo::spirv {
namespace {

// Ids below this limit are looked up by index. The system allocates a page of the table at its first use.
constexpr std::size_t dense_limit = std::size_t{1} << 24;
// The number of instructions that next() reads to find one that is not line information.
constexpr int max_lines_in_a_row = 4;

bool has_operand(InstructionView instruction, OperandName name) {
  return instruction.word_count > word_of(instruction.opcode, name);
}

// Whether annotations mention a decoration. They do not mention the most frequent ones (Offset, RelaxedPrecision),
// which would fill the table.
bool is_mentioned(Decoration decoration) {
  switch (decoration) {
    case Decoration::SpecId:
    case Decoration::Block:
    case Decoration::BufferBlock:
    case Decoration::BuiltIn:
    case Decoration::Location:
    case Decoration::Binding:
    case Decoration::DescriptorSet: return true;
    default: return false;
  }
}

}  // namespace

std::string_view string_of(InstructionView instruction, OperandName name, std::size_t limit) {
  if (instruction.word_count == 0) return {};  // most ids have no OpName
  const std::size_t word = word_of(instruction.opcode, name);
  if (word == 0 || word >= instruction.word_count) return {};
  const auto* begin = reinterpret_cast<const char*>(instruction.first + word);
  limit = std::min((instruction.word_count - word) * sizeof(Word), limit);
  const auto* end = static_cast<const char*>(std::memchr(begin, '\0', limit));
  return {begin, end == nullptr ? limit : static_cast<std::size_t>(end - begin)};
}

// ---- Roles of labels ------------------------------------------------------------------------------------------------

// Visits the blocks of a module in file order. A construct's header precedes its blocks (specification 2.16), so one
// pass over merge instructions and terminators finds all roles.
class ModuleFacts::ControlFlow {
 public:
  explicit ControlFlow(ModuleFacts& facts) : facts_(facts) {}

  void see(InstructionView instruction) {
    switch (op_of(instruction)) {
      // A new block begins, so an earlier merge instruction belongs to another block.
      case Op::OpLabel: block_ = View<Op::OpLabel>(instruction).result(); break;
      case Op::OpSelectionMerge: merge_ = instruction; return;
      case Op::OpLoopMerge: {
        const View<Op::OpLoopMerge> loop(instruction);
        merge_ = instruction;
        play(block_, LabelPart::LoopHeader);
        play(loop.merge_block(), LabelPart::LoopMerge);
        play(loop.continue_target(), LabelPart::ContinueTarget);
        return;
      }
      case Op::OpLine:
      case Op::OpNoLine: return;
      case Op::OpBranch: branch(View<Op::OpBranch>(instruction).target_label()); break;
      case Op::OpBranchConditional: {
        const View<Op::OpBranchConditional> conditional(instruction);
        branch(conditional.true_label(), conditional.false_label());
        break;
      }
      case Op::OpSwitch: switch_over(View<Op::OpSwitch>(instruction)); break;
      default: break;
    }
    merge_ = {};
  }

 private:
  // Adds a role; a label can have several.
  void play(Word label, LabelPart part) {
    Fact& fact = facts_.fact_to_change(label);
    fact.parts = fact.parts | part;
  }
  [[nodiscard]] bool is(Word label, LabelPart part) const { return has(facts_.fact(label).parts, part); }

  void branch(Word target) {
    // The header of a `while` or `for`, as compilers write it: it contains only a loop merge and a branch.
    if (op_of(merge_) == Op::OpLoopMerge) return play(target, LabelPart::Body);
    see_back_edge(target);
  }

  void branch(Word yes, Word no) {
    if (const auto selection = as<Op::OpSelectionMerge>(merge_)) {
      const Word end = selection->merge_block();
      play(end, LabelPart::EndIf);
      if (yes != end && !leaves(yes)) play(yes, LabelPart::Then);
      if (no != end && !leaves(no)) play(no, LabelPart::Else);
      return;
    }
    // If a conditional branch exits a loop, the other target continues the loop. If the header branches to this block,
    // this block tests the loop condition. If neither or both targets leave the loop, the branch is a selection within
    // the loop without a merge instruction.
    if (is(yes, LabelPart::LoopMerge) != is(no, LabelPart::LoopMerge)) {
      const Word on = is(yes, LabelPart::LoopMerge) ? no : yes;
      if (!leaves(on)) {
        if (is(block_, LabelPart::Body)) {
          Fact& fact = facts_.fact_to_change(block_);
          fact.parts = static_cast<LabelPart>(static_cast<std::uint16_t>(fact.parts) &
                                              ~static_cast<std::uint16_t>(LabelPart::Body));
          play(block_, LabelPart::LoopTest);
        }
        play(on, LabelPart::Body);
      }
    }
    see_back_edge(yes);
    see_back_edge(no);
  }

  // A branch to a preceding label is a loop, with an OpLoopMerge or without one, as in kernels.
  void see_back_edge(Word target) {
    if (op_of(facts_.definition(target)) == Op::OpLabel) play(target, LabelPart::LoopHeader);
  }

  // Whether a branch to the label leaves a construct. Such a label is not an arm of the current selection.
  [[nodiscard]] bool leaves(Word label) const {
    return is(label, LabelPart::LoopMerge | LabelPart::ContinueTarget | LabelPart::LoopHeader | LabelPart::SwitchMerge);
  }

  void switch_over(View<Op::OpSwitch> instruction) {
    const auto selection = as<Op::OpSelectionMerge>(merge_);
    const Word end = selection ? selection->merge_block() : Word{0};
    if (end != 0) play(end, LabelPart::SwitchMerge);
    if (instruction.default_() != end) play(instruction.default_(), LabelPart::Default);
    // Specification, OpSwitch: literals have the width of the selector's type. If the type is unknown, each literal is
    // taken as one word.
    const std::uint16_t width = facts_.scalar_type(facts_.type_of(instruction.selector())).width;
    for (const CaseOperand& target : instruction.targets(width > 32 && width <= 64 ? 2 : 1)) {
      const Word label = target.label;
      if (label == end) continue;
      Fact& fact = facts_.fact_to_change(label);
      fact.parts = fact.parts | LabelPart::Case;
      // Several cases can share a label. Only the first is recorded; the cases directly after it are found from there.
      if (fact.case_switch != 0) continue;
      fact.case_switch = instruction.view().offset;
      fact.case_word = target.word;
    }
  }

  ModuleFacts& facts_;
  Word block_ = 0;
  InstructionView merge_;  // the merge instruction of this block, if it directly precedes this instruction
};

// ---- The pass over the module ---------------------------------------------------------------------------------------

ModuleFacts::ModuleFacts(Words module, const Grammar& grammar) : module_(module), grammar_(grammar) {
  const std::size_t bound = module.size() > 3 ? module[3] : 0;
  // The bound comes from the header and cannot be trusted. The table is limited by the module's size, and the system
  // allocates only the pages that are used.
  dense_count_ = std::min({bound, std::max<std::size_t>(module.size(), 1u << 16), dense_limit});
  dense_.reset(static_cast<Fact*>(std::calloc(dense_count_ + 1, sizeof(Fact))));
  if (!dense_) dense_count_ = 0;
  ControlFlow control_flow(*this);
  for (const InstructionView instruction : Instructions(module)) {
    control_flow.see(instruction);
    note(instruction);
  }
  // If two instructions name the same member, the first one applies.
  std::ranges::sort(members_, {}, [](const Member& m) { return std::tuple(m.structure, m.member, m.offset); });
  sort_by_target(decorations_);
}

// If several instructions name an id, the first one applies, as for the disassembler's friendly names.
void ModuleFacts::note(InstructionView instruction) {
  switch (op_of(instruction)) {
    case Op::OpName: {
      Fact& fact = fact_to_change(View<Op::OpName>(instruction).target());
      if (fact.name == 0 && has_operand(instruction, OperandName::name)) fact.name = instruction.offset;
      return;
    }
    case Op::OpMemberName: {
      const View<Op::OpMemberName> name(instruction);
      if (has_operand(instruction, OperandName::name))
        members_.push_back({name.type(), name.member(), instruction.offset});
      return;
    }
    case Op::OpDecorate: {
      const View<Op::OpDecorate> decorate(instruction);
      const DecorationView decoration = decorate.decoration();
      if (is_mentioned(decoration) && decoration.is_present()) {
        decorations_.push_back({decorate.target(), instruction.offset});
      }
      return;
    }
    default: break;
  }
  const InstructionRow* row = grammar_.find_opcode(instruction.opcode);
  // An opcode that the grammar does not contain can define an id too, but its result operand is unknown.
  const std::uint16_t result = row == nullptr ? 0 : row->result_word();
  if (result == 0 || result >= instruction.word_count) return;
  Fact& fact = fact_to_change(instruction.word(result));
  if (fact.definition == 0) fact.definition = instruction.offset;
}

InstructionView ModuleFacts::at(std::uint32_t offset) const {
  if (offset == 0) return {};
  // The pass has checked the word count of every recorded offset; begin() checks it for other offsets.
  const auto found = Instructions(module_, offset).begin();
  return found == Instructions::End() ? InstructionView() : *found;
}

// Reads only a few instructions, so the cost does not depend on the length of the module.
InstructionView ModuleFacts::next(InstructionView instruction) const {
  for (int i = 0; i < max_lines_in_a_row; ++i) {
    if (instruction.word_count == 0) return {};
    instruction = at(instruction.offset + instruction.word_count);
    if (!is_line(op_of(instruction))) break;
  }
  return instruction;
}

// ---- Queries --------------------------------------------------------------------------------------------------------

Word ModuleFacts::type_of(InstructionView definition) const {
  if (definition.word_count < 3) return 0;
  const InstructionRow* row = grammar_.find_opcode(definition.opcode);
  return row != nullptr && row->type_word() != 0 ? definition.word(row->type_word()) : 0;
}

std::string_view ModuleFacts::name_of(Word id) const {
  const std::string_view name = string_of(at(fact(id).name), OperandName::name);
  // GLSL front ends mangle function names as name(types. The annotation of OpFunction shows the types anyway.
  const std::size_t parameters = name.find('(');
  return parameters == 0 ? name : name.substr(0, parameters);
}

bool ModuleFacts::is_nameless(Word id) const { return fact(id).name != 0 && name_of(id).empty(); }

std::string_view ModuleFacts::member_name(Word structure, Word member) const {
  const auto key = std::tuple(structure, member);
  const auto found =
      std::ranges::lower_bound(members_, key, {}, [](const Member& m) { return std::tuple(m.structure, m.member); });
  if (found == members_.end() || found->structure != structure || found->member != member) return {};
  return string_of(at(found->offset), OperandName::name);
}

InstructionView ModuleFacts::decoration(Word target, Decoration decoration) const {
  constexpr int max_looked_at = 16;  // no real module decorates a target more often
  auto found = std::ranges::lower_bound(decorations_, target, {}, &Decorating::target);
  for (int i = 0; i < max_looked_at && found != decorations_.end() && found->target == target; ++i, ++found) {
    const InstructionView decorate = at(found->offset);
    if (View<Op::OpDecorate>(decorate).decoration() == decoration) return decorate;
  }
  return {};
}

std::optional<Word> ModuleFacts::decoration_parameter(Word target, Decoration decoration) const {
  const InstructionView decorate = this->decoration(target, decoration);
  if (decorate.word_count == 0) return {};
  const Words parameters = View<Op::OpDecorate>(decorate).decoration().parameters();
  return parameters.empty() ? std::nullopt : std::optional(parameters[0]);
}

// The words are read at each call, so types need no memory. One annotation needs only a few types.
ScalarType ModuleFacts::scalar_type(Word type) const { return declared_scalar(definition(type)); }

// Specialization constants have no value here: the application sets the value later.
bool ModuleFacts::constant_index(Word id, std::uint64_t& value) const {
  const InstructionView definition = this->definition(id);
  // The null value of an integer type is 0 (specification, OpConstantNull), and indexes are integers.
  if (op_of(definition) == Op::OpConstantNull) {
    value = 0;
    return true;
  }
  const auto constant = as<Op::OpConstant>(definition);
  if (!constant || constant->value().empty()) return false;
  if (scalar_type(constant->result_type()).class_ != ScalarType::Class::Integer) return false;
  const Words literal = constant->value().words();
  value = literal[0] | (literal.size() > 1 ? std::uint64_t{literal[1]} << 32 : 0);
  return true;
}

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// ModuleFacts: the word offsets of the instructions that define, name, decorate or branch to each id.
//
// Only offsets are stored. One pass over the module records, for each id, its definition, its name and
// its roles in control flow. Everything else is read from the words when an annotation needs it. The memory is a few
// words for each id, whatever the module contains, and forward references need no special handling.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "spirv/text/annotate/decorations_by_target.h"
#include "spirv/text/op_of.h"
#include "vireo/spirv/binary/instruction.h"
#include "vireo/spirv/binary/operand.h"
#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/grammar/operand_names.h"
#include "vireo/support/id_map.h"

namespace vireo::spirv {

/// The roles of a label (specification 2.11, structured control flow). A label can have several.
enum class LabelPart : std::uint16_t {
  None = 0,
  Then = 1 << 0,
  Else = 1 << 1,
  EndIf = 1 << 2,
  LoopHeader = 1 << 3,
  LoopTest = 1 << 4,  ///< the first block after the header, if it tests the loop condition
  Body = 1 << 5,
  ContinueTarget = 1 << 6,
  LoopMerge = 1 << 7,
  Case = 1 << 8,
  Default = 1 << 9,
  SwitchMerge = 1 << 10,
};
constexpr LabelPart operator|(LabelPart a, LabelPart b) {
  return static_cast<LabelPart>(static_cast<std::uint16_t>(a) | static_cast<std::uint16_t>(b));
}
constexpr bool has(LabelPart parts, LabelPart part) {
  return (static_cast<std::uint16_t>(parts) & static_cast<std::uint16_t>(part)) != 0;
}

/// A literal string operand. Returns at most `limit` bytes; the default is more than any annotation shows. A typed view
/// (view.h) would measure the whole string, whatever its length.
inline constexpr std::size_t max_shown_bytes = 128;
std::string_view string_of(InstructionView instruction, OperandName name, std::size_t limit = max_shown_bytes);

class ModuleFacts {
 public:
  ModuleFacts(Words module, const Grammar& grammar);

  /// The instruction that defines an id; a view with no words and opcode OpNop if there is none.
  [[nodiscard]] InstructionView definition(Word id) const { return at(fact(id).definition); }
  /// The type of a value, 0 if it has none.
  [[nodiscard]] Word type_of(Word value) const { return type_of(definition(value)); }
  [[nodiscard]] Word type_of(InstructionView definition) const;
  /// The text of OpName up to its parameter list (`f(vf4;` is f); empty if the id has no OpName.
  [[nodiscard]] std::string_view name_of(Word id) const;
  /// Whether OpName gives the id an empty name, as for the instance of an unnamed GLSL block.
  [[nodiscard]] bool is_nameless(Word id) const;
  [[nodiscard]] std::string_view member_name(Word structure, Word member) const;
  /// Whether an OpDecorate applies the decoration to the target. Only for decorations that annotations mention.
  [[nodiscard]] bool is_decorated(Word target, Decoration decoration) const {
    return this->decoration(target, decoration).word_count != 0;
  }
  /// The first parameter of that decoration; empty if the target lacks the decoration or the decoration has none.
  [[nodiscard]] std::optional<Word> decoration_parameter(Word target, Decoration decoration) const;

  /// The type as a literal type; Class::None for types without literals.
  [[nodiscard]] ScalarType scalar_type(Word type) const;
  /// The low 64 bits of an integer constant, as used to index structures and vectors; false if the id is not one.
  [[nodiscard]] bool constant_index(Word id, std::uint64_t& value) const;

  [[nodiscard]] LabelPart parts_of(Word label) const { return fact(label).parts; }
  /// The first case that branches to a label: its OpSwitch and the word of the literal; word 0 if there is none.
  struct Case {
    InstructionView instruction;
    std::size_t word = 0;
  };
  [[nodiscard]] Case first_case_of(Word label) const {
    const Fact found = fact(label);
    return {at(found.case_switch), found.case_word};
  }

  /// The next instruction, without line information; a view with no words at the end of the module.
  [[nodiscard]] InstructionView next(InstructionView instruction) const;
  /// The instruction at a word offset, which must be the start of one; a view with no words for 0.
  [[nodiscard]] InstructionView at(std::uint32_t offset) const;

 private:
  struct Fact {
    std::uint32_t definition = 0;  // word offsets in the module; 0 = none
    std::uint32_t name = 0;
    std::uint32_t case_switch = 0;  // OpSwitch of the first case that branches to this label
    std::uint16_t case_word = 0;    // word of its literal
    LabelPart parts = LabelPart::None;
  };
  struct Member {
    Word structure;
    Word member;
    std::uint32_t offset;
  };
  class ControlFlow;
  struct Free {
    void operator()(Fact* p) const { std::free(p); }
  };

  [[nodiscard]] Fact fact(Word id) const {
    if (id < dense_count_) return dense_.get()[id];
    const auto found = sparse_.find(id);
    return found == sparse_.end() ? Fact{} : found->second;
  }
  Fact& fact_to_change(Word id) { return id < dense_count_ ? dense_.get()[id] : sparse_[id]; }
  void note(InstructionView instruction);
  // The OpDecorate; a view with no words if there is none.
  [[nodiscard]] InstructionView decoration(Word target, Decoration decoration) const;

  Words module_;
  const Grammar& grammar_;
  std::unique_ptr<Fact, Free> dense_;  // the system zeroes each page at its first use
  std::size_t dense_count_ = 0;
  IdMap<Fact> sparse_;                   // ids that are far too high for the size of the module
  std::vector<Member> members_;          // ascending by structure and member
  std::vector<Decorating> decorations_;  // ascending by target
};

}  // namespace vireo::spirv

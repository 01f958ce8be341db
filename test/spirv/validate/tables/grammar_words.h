// SPDX-License-Identifier: Apache-2.0
//
// Instructions generated from rows of the grammar, for table-driven tests.
//
// An instruction has the minimum of operands, with the chosen enumerant for each chosen kind. It has no
// meaning, because its ids are arbitrary. But it can be decoded, and every grammar row that it uses is recorded with
// its word, so an independent interpreter of these rows can predict the findings.
#pragma once

#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/word.h"

namespace vireo::spirv::test {

/// A row of the grammar that a module uses, with its requirements.
struct Mention {
  enum class Of { Instruction, Enumerant, Capability, ExtendedInstruction };
  Of of = Of::Instruction;
  std::string_view kind;  ///< of enumerants: "StorageClass"
  std::string_view name;
  Slice capabilities, extensions;
  Version since, last;
  std::size_t word = 0;  ///< of the module
};

/// An instruction with an operand of a kind, and the enumerants chosen for operands of other kinds.
struct Carrier {
  const InstructionRow* instruction = nullptr;
  const ExtInstRow* extended = nullptr;  ///< when the instruction is OpExtInst
  ExtInstSetId set;
  std::map<KindId, Word> choices;
};
/// Empty if no instruction has operands of the kind. Instructions without requirements are preferred.
std::optional<Carrier> carrier_of(const Grammar& grammar, KindId kind);

class GrammarWords {
 public:
  GrammarWords(const Grammar& grammar, Version version);

  void add_capability(const EnumerantRow& capability);
  void add_extension(std::string_view name);
  /// `name` is the string of OpExtInstImport. Extended instructions added later belong to this set.
  void add_import(std::string_view name);
  void add(const Carrier& carrier);

  [[nodiscard]] const WordBuffer& words() const { return words_; }
  [[nodiscard]] const std::vector<Mention>& mentions() const { return mentions_; }

 private:
  void add_operands(std::span<const OperandRow> operands, const Carrier& carrier);
  void add_operand(const OperandRow& operand, const Carrier& carrier);
  void add_enumerants(KindId kind, Word value, const Carrier& carrier);
  void add_string(std::string_view text);
  void mention_enumerant(KindId kind, const EnumerantRow& row, std::size_t word);
  void begin(const InstructionRow& row);
  void end();

  const Grammar& grammar_;
  WordBuffer words_;
  std::vector<Mention> mentions_;
  std::size_t begin_ = 0;  // of the current instruction
  Word next_id_ = 1, import_ = 0;
};

}  // namespace vireo::spirv::test

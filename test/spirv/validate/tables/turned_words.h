// SPDX-License-Identifier: Apache-2.0
//
// Instructions made of rows of the grammar, for tests that turn the grammar round into modules.
//
// The one idea: an instruction has the least that its row asks for, and what is of a chosen kind is the chosen enumerant.
// It means nothing: its ids are whatever stands there. But it can be decoded, and every row of the grammar that it uses is
// noted with its word, so a second reading of these rows says all that is required.
#pragma once

#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "vireo/spirv/grammar.h"
#include "vireo/spirv/word.h"

namespace vireo::spirv::test {

/// A row of the grammar that a module uses, with the fields that say what it requires.
struct Mention {
  enum class Of { Instruction, Enumerant, Capability, ExtendedInstruction };
  Of of = Of::Instruction;
  std::string_view kind;  ///< of enumerants: "StorageClass"
  std::string_view name;
  Slice capabilities, extensions;
  Version since, last;
  std::size_t word = 0;  ///< of the module
};

/// The instruction that shows a kind, and what stands at operands of other kinds on the way to it.
struct Carrier {
  const InstructionRow* instruction = nullptr;
  const ExtInstRow* extended = nullptr;  ///< when the instruction is OpExtInst
  ExtInstSetId set;
  std::map<KindId, Word> choices;
};
/// Nothing when no instruction has operands of the kind. Instructions that require nothing go before others.
std::optional<Carrier> carrier_of(const Grammar& grammar, KindId kind);

class TurnedWords {
 public:
  TurnedWords(const Grammar& grammar, Version version);

  void add_capability(const EnumerantRow& capability);
  void add_extension(std::string_view name);
  /// The string as it stands behind OpExtInstImport; what is added extended is of it.
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
  std::size_t begin_ = 0;  // of the instruction that is being made
  Word next_id_ = 1, import_ = 0;
};

}  // namespace vireo::spirv::test

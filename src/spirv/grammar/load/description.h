// SPDX-License-Identifier: Apache-2.0
//
// A grammar in its mutable form: strings and vectors, for loading, merging and comparing.
//
// Rows (grammar.h) are for lookups and cannot be edited; descriptions are for editing and have no
// lookups. `describe` converts rows to a description, and `compact` (compact.h) converts a description to rows. Only
// the merge of documents and the checks work on descriptions. Schema: the machine-readable grammar's JSON, section 3.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/spirv/grammar/grammar.h"

namespace vireo::spirv {

/// The origin of a part of a description: a loaded document and a value in it. Diagnostics use it to compute JSON
/// paths.
struct Origin {
  static constexpr std::uint16_t no_document = 0xFFFF;  // the part comes from rows
  std::uint16_t document = no_document;
  std::uint32_t value = 0;  ///< JsonValue::index

  friend bool operator==(Origin, Origin) { return true; }  // descriptions are compared without their origins
};

struct OperandDescription {
  std::string kind;
  Quantifier quantifier = Quantifier::One;
  std::string name;
  Origin origin;
  friend bool operator==(const OperandDescription&, const OperandDescription&) = default;
};

/// The requirements for using an item: the keys that instructions and enumerants share.
struct Availability {
  std::vector<std::string> capabilities;
  std::vector<std::string> extensions;
  Version since{1, 0};
  Version last;
  bool is_provisional = false;
  friend bool operator==(const Availability&, const Availability&) = default;
};

struct InstructionDescription {
  std::string name;
  std::uint32_t opcode = 0;
  std::string printing_class;
  std::vector<OperandDescription> operands;
  std::vector<std::string> aliases;
  Availability availability;
  Origin origin;
  friend bool operator==(const InstructionDescription&, const InstructionDescription&) = default;
};

struct EnumerantDescription {
  std::string name;
  std::uint32_t value = 0;
  std::vector<OperandDescription> parameters;
  std::vector<std::string> aliases;
  Availability availability;
  Origin origin;
  friend bool operator==(const EnumerantDescription&, const EnumerantDescription&) = default;
};

/// An instruction or enumerant whose number or name was reported, so it makes no row. The rest of it is checked.
struct IncompleteDescription {
  std::string name;  // may be empty
  std::vector<OperandDescription> operands;
  Availability availability;
  bool is_enumerant = false;
  Origin origin;
  friend bool operator==(const IncompleteDescription&, const IncompleteDescription&) = default;
};

struct KindDescription {
  std::string name;
  std::string doc;
  Category category = Category::Id;
  std::vector<EnumerantDescription> enumerants;
  std::vector<OperandDescription> bases;
  Origin origin;
  friend bool operator==(const KindDescription&, const KindDescription&) = default;
};

struct SetDescription {
  std::string name;
  SetMatch match = SetMatch::Exact;
  bool is_non_semantic = false;
  bool prints_numbers = false;
  std::vector<InstructionDescription> instructions;
  std::vector<KindDescription> kinds;
  std::vector<IncompleteDescription> incomplete;
  Origin origin;
  friend bool operator==(const SetDescription&, const SetDescription&) = default;
};

struct GrammarDescription {
  std::uint8_t major_version = 0;
  std::uint8_t minor_version = 0;
  std::uint16_t revision = 0;
  std::vector<std::string> printing_classes;
  std::vector<InstructionDescription> instructions;
  std::vector<KindDescription> kinds;
  std::vector<IncompleteDescription> incomplete;
  std::vector<SetDescription> sets;
};

/// Converts rows to a description.
GrammarDescription describe(const Grammar& grammar);

/// Merges a document that extends the core. An instruction replaces one with the same opcode or name. In an existing
/// kind, an enumerant replaces one with the same value or name. Everything else is added. A renamed capability keeps
/// its old name as an alias, since other rows refer to it.
void overlay_core(GrammarDescription& base, GrammarDescription&& extension);

/// Adapts the sets that come from rows to a new core. Removes instructions with operand kinds that the new core lacks,
/// and references to capabilities that it lacks.
void fit_sets_to_core(GrammarDescription& grammar);

/// Adds a set, or replaces the set of the same name.
void overlay_set(GrammarDescription& base, SetDescription&& set);

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// A grammar in its mutable form: strings and vectors, for loading, merging and comparing.
//
// The one idea: rows (grammar.h) are for looking up and cannot be edited; descriptions are for editing and are never
// looked up. `describe` leads from rows to a description, `compact` (compact.h) back; between the two stand only the
// merge of documents and the checks. Schema: the machine-readable grammar's JSON, section 3.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/spirv/grammar.h"

namespace vireo::spirv {

/// Where a piece of a description was read: a document of the load, and a value in it. For JSON paths in diagnostics.
struct Origin {
  static constexpr std::uint16_t no_document = 0xFFFF;  // it came from rows
  std::uint16_t document = no_document;
  std::uint32_t value = 0;  ///< JsonValue::index

  friend bool operator==(Origin, Origin) { return true; }  // where something stands is no part of what it is
};

struct OperandDescription {
  std::string kind;
  Quantifier quantifier = Quantifier::One;
  std::string name;
  Origin origin;
  friend bool operator==(const OperandDescription&, const OperandDescription&) = default;
};

/// When something may be used: the keys that instructions and enumerants share.
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
  std::vector<SetDescription> sets;
};

/// What rows say, as a description.
GrammarDescription describe(const Grammar& grammar);

/// Puts a document that extends the core on top of it: an instruction with the same opcode or name is replaced, so is
/// an enumerant with the same value or name in a kind that exists; everything else is added. A capability that gets
/// another name keeps the old one as an alias, since others refer to it by that.
void overlay_core(GrammarDescription& base, GrammarDescription&& extension);

/// Makes the sets that came from rows fit a core that replaced theirs: drops the instructions whose operand kinds it does
/// not have, and the capabilities that it does not know.
void fit_sets_to_core(GrammarDescription& grammar);

/// Adds a set, or replaces the set of the same name.
void overlay_set(GrammarDescription& base, SetDescription&& set);

}  // namespace vireo::spirv

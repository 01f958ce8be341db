// SPDX-License-Identifier: Apache-2.0
//
// Ownership of a grammar loaded at run time; see grammar_data.h.
#include "spirv/grammar/grammar_data.h"

#include <utility>

namespace vireo::spirv {

// Precondition: the vectors do not change afterwards, as spans would dangle.
Grammar GrammarData::Rows::view() const {
  Grammar grammar;
  grammar.major_version = major_version;
  grammar.minor_version = minor_version;
  grammar.revision = revision;
  grammar.instructions = instructions;
  grammar.opcode_index = opcode_index;
  grammar.operand_pool = operand_pool;
  grammar.kinds = kinds;
  grammar.enumerants = enumerants;
  grammar.sets = sets;
  grammar.ext_instructions = ext_instructions;
  grammar.capability_pool = capability_pool;
  grammar.string_pool = string_pool;
  grammar.printing_classes = printing_classes;
  grammar.name_entries = name_entries;
  grammar.name_slots = name_slots;
  grammar.chars = chars;
  grammar.capability_kind = capability_kind;
  return grammar;
}

// rows_ is initialized before grammar_: members are initialized in the order of their declaration.
GrammarData::GrammarData(Owned<Rows> rows) : rows_(std::move(rows)), grammar_(rows_->view()) {}
GrammarData::GrammarData(GrammarData&&) noexcept = default;  // the rows do not move, so views stay valid
GrammarData& GrammarData::operator=(GrammarData&&) noexcept = default;
GrammarData::~GrammarData() = default;

}  // namespace vireo::spirv

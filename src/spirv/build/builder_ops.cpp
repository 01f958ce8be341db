// SPDX-License-Identifier: Apache-2.0
//
// The bodies of the builder's methods for instructions: the only includer of generated/*.inc.
//
// The one idea: bodies stand here and not in the header, so that nine hundred of them are compiled once, and not by each
// of the builder's users.
#include <bit>
#include <concepts>
#include <vector>

#include "spirv/build/draft.h"
#include "vireo/spirv/builder.h"
#include "vireo/spirv/writer.h"

namespace vireo::spirv {

namespace {

using Parameters = std::vector<OpenOperand>;

// Parameters of an enumerant as they are added by its factory.
template <typename SomeId>
requires std::derived_from<SomeId, AnyId>
void add(Parameters& parameters, SomeId id) { parameters.push_back(id); }
void add(Parameters& parameters, Word literal) { parameters.push_back(OpenOperand::literal(literal)); }
void add(Parameters& parameters, float literal) { add(parameters, std::bit_cast<Word>(literal)); }
template <typename Enum>
requires std::is_enum_v<Enum>
void add(Parameters& parameters, Enum value) { add(parameters, static_cast<Word>(value)); }
void add(Parameters& parameters, std::string_view text) {
  WordBuffer words;
  InstructionWriter(words).string(text.substr(0, text.find('\0')));
  for (const Word word : words) add(parameters, word);
}

}  // namespace

// Names are the grammar's, not ours.
// NOLINTBEGIN(readability-identifier-naming)
#include "spirv/build/generated/enumerants_with.inc"

#include "spirv/build/generated/builder_ops.inc"
// NOLINTEND(readability-identifier-naming)

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// Variants: for each field that is given, one reading is picked; what follows from that is laid out once.
//
// The one idea: with the readings picked, everything has its place: which scopes there are and where they lie, which bits
// each value goes to, which conditions must hold and which must not. Encoding then only puts values into bits
// (form.cpp). Picks that contradict each other are no variant; of most instructions there is one. Section 3.3 of isaspec
// walks the cases the same way, but never looks whether the word agrees afterwards.
#pragma once

#include <memory>
#include <vector>

#include "isa/decode/walk.h"
#include "isa/encode/reading.h"
#include "isa/solve/defaults.h"
#include "isa/solve/solver.h"

namespace vireo::isa {

/// A value with its place.
struct Part {
  std::uint32_t field = 0;  ///< of ReadSettings::fields
  std::uint32_t scope = 0;
  std::uint32_t resolver = 0;
  std::uint32_t definition = 0;
  ReadValue value;
  std::uint32_t low = 0;  ///< of its bits, within the instruction
  std::uint32_t width = 0;
  std::uint32_t constraint = nowhere;  ///< of a derived field: of Variant::constraints
  std::uint32_t nested = nowhere;      ///< the scope that it is
};

/// A leaf that was picked for a nested bitset.
struct PickedLeaf {
  std::uint32_t group = 0;
  std::uint32_t plan = 0;
  std::uint32_t low = 0;
};

/// A name that was not given, may be one of several definitions, and is not all zeros then.
struct OpenDefault {
  std::uint32_t scope = 0;
  std::uint32_t resolver = 0;
  std::uint32_t first = 0;  ///< of Variant::open_bits: a run for each choice
};

struct Variant {
  explicit Variant(const DecodeTables& tables) : solver(tables, scopes) {}
  Variant(const Variant&) = delete;  // the solver looks at the scopes
  Variant& operator=(const Variant&) = delete;

  std::vector<OpenScope> scopes;
  std::vector<PickedLeaf> leaves;       ///< of each scope
  std::vector<std::uint32_t> asserts;   ///< scopes whose displays have asserts
  std::vector<std::uint32_t> refusing;  ///< scopes with overrides of which no word is to be made
  std::vector<Part> parts;
  std::vector<Constraint> constraints;
  std::vector<BitWord> base;          ///< the value of the patterns, then the mask of what they say
  std::vector<DefaultBits> defaults;  ///< within the instruction
  std::vector<OpenDefault> open_defaults;
  std::vector<std::vector<DefaultBits>> open_bits;
  Solver solver;

  // For the proof: the same scopes, as the decoder's walk has them, with the memory of each.
  std::vector<Scope> opened;
  std::vector<std::int64_t> values;
  std::vector<std::uint8_t> states;
};

/// What a scope's bits are when nobody says; the lowest bit of the scope is bit 0.
struct ScopeDefaults {
  std::vector<DefaultBits> bits;
  std::vector<std::uint32_t> open;  ///< resolvers of names whose default depends on which definition applies
};
ScopeDefaults defaults_of_plan(const Model& model, const DecodeTables& tables, std::uint32_t plan);

/// Of a nested bitset: all zeros, if that is one of its leaves; else its first leaf.
std::vector<DefaultBits> defaults_of_group(const Model& model, const DecodeTables& tables, std::uint32_t group);

/// All variants, those first whose readings stand first. At most `max_variants`.
inline constexpr std::size_t max_variants = 64;
std::vector<std::unique_ptr<Variant>> variants_of(const Model& model, const DecodeTables& tables,
                                                  const ReadSettings& settings);

}  // namespace vireo::isa

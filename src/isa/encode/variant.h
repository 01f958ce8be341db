// SPDX-License-Identifier: Apache-2.0
//
// A variant picks one reading for each field that is set. Its consequences are computed once.
//
// The picked readings fix the layout: scopes with their offsets, the bits of each value, and the
// conditions that must hold or fail. Encoding then only places values into bits (form.cpp). Contradictory picks yield
// no variant; most instructions have exactly one. Section 3.3 of isaspec walks the cases in the same way, but does not
// check the resulting word.
#pragma once

#include <memory>
#include <vector>

#include "isa/decode/walk.h"
#include "isa/encode/reading.h"
#include "isa/solve/defaults.h"
#include "isa/solve/solver.h"

namespace vireo::isa {

/// A value with its position.
struct Part {
  std::uint32_t field = 0;  ///< index into ReadSettings::fields
  std::uint32_t scope = 0;
  std::uint32_t resolver = 0;
  std::uint32_t definition = 0;
  ReadValue value;
  std::uint32_t low = 0;  ///< lowest bit, within the instruction
  std::uint32_t width = 0;
  std::uint32_t constraint = nowhere;  ///< derived field: index into Variant::constraints
  std::uint32_t nested = nowhere;      ///< nested bitset: index of its scope
};

/// A leaf that was picked for a nested bitset.
struct PickedLeaf {
  std::uint32_t group = 0;
  std::uint32_t plan = 0;
  std::uint32_t low = 0;
};

/// An unset name with several possible definitions, at least one of which has nonzero default bits.
struct OpenDefault {
  std::uint32_t scope = 0;
  std::uint32_t resolver = 0;
  std::uint32_t first = 0;  ///< index into Variant::open_bits: the bits of the first choice
};

struct Variant {
  explicit Variant(const DecodeTables& tables) : solver(tables, scopes) {}
  Variant(const Variant&) = delete;  // the solver refers to the scopes
  Variant& operator=(const Variant&) = delete;

  std::vector<OpenScope> scopes;
  std::vector<PickedLeaf> leaves;       ///< one for each scope
  std::vector<std::uint32_t> asserts;   ///< scopes whose displays have asserts
  std::vector<std::uint32_t> refusing;  ///< scopes with overrides that must not be encoded
  std::vector<Part> parts;
  std::vector<Constraint> constraints;
  std::vector<BitWord> base;          ///< the value of the patterns, then the mask of their bits
  std::vector<DefaultBits> defaults;  ///< positions within the instruction
  std::vector<OpenDefault> open_defaults;
  std::vector<std::vector<DefaultBits>> open_bits;
  Solver solver;

  // For verification: the same scopes in the form that the decoder's walk uses, with memory for each.
  std::vector<Scope> opened;
  std::vector<std::int64_t> values;
  std::vector<std::uint8_t> states;
};

/// The default bits of a scope, relative to its lowest bit.
struct ScopeDefaults {
  std::vector<DefaultBits> bits;
  std::vector<std::uint32_t> open;  ///< resolvers of names whose default depends on which definition applies
};
ScopeDefaults defaults_of_plan(const Model& model, const DecodeTables& tables, std::uint32_t plan);

/// Returns the default bits of a nested bitset: zeros if they match one of its leaves; otherwise its first leaf.
std::vector<DefaultBits> defaults_of_group(const Model& model, const DecodeTables& tables, std::uint32_t group);

/// Returns all variants, in the order of their readings; at most `max_variants`.
inline constexpr std::size_t max_variants = 64;
std::vector<std::unique_ptr<Variant>> variants_of(const Model& model, const DecodeTables& tables,
                                                  const ReadSettings& settings);

}  // namespace vireo::isa

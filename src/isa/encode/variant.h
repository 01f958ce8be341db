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
  Solver solver;

  // For the proof: the same scopes, as the decoder's walk has them, with the memory of each.
  std::vector<Scope> opened;
  std::vector<std::int64_t> values;
  std::vector<std::uint8_t> states;
};

/// What bitsets are of which nobody says anything: computed when the encoder is made.
class Defaults {
 public:
  Defaults(const Model& model, const DecodeTables& tables);

  /// Of a plan, whatever the word is; the lowest bit of its scope is bit 0.
  [[nodiscard]] std::span<const DefaultBits> of_plan(std::uint32_t plan) const { return plans_[plan]; }
  /// Names of a plan whose default depends on which definition applies.
  [[nodiscard]] std::span<const std::uint32_t> open_of_plan(std::uint32_t plan) const { return open_[plan]; }
  /// Of a nested bitset: all zeros, if that is one of its leaves; else its first leaf.
  [[nodiscard]] std::span<const DefaultBits> of_group(std::uint32_t group) const { return groups_[group]; }

 private:
  void find_group(std::uint32_t group);
  void find_plan(std::uint32_t plan);
  void add_leaf(std::uint32_t plan, std::vector<DefaultBits>& result) const;

  const Model& model_;
  const DecodeTables& tables_;
  std::vector<std::vector<DefaultBits>> plans_;
  std::vector<std::vector<std::uint32_t>> open_;
  std::vector<std::vector<DefaultBits>> groups_;
  std::vector<std::uint8_t> plan_is_known_;
  std::vector<std::uint8_t> group_is_known_;
};

/// All variants, those first whose readings stand first. At most `max_variants`.
inline constexpr std::size_t max_variants = 64;
std::vector<std::unique_ptr<Variant>> variants_of(const Model& model, const DecodeTables& tables,
                                                  const Defaults& defaults, const ReadSettings& settings);

}  // namespace vireo::isa

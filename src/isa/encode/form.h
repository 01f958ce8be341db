// SPDX-License-Identifier: Apache-2.0
//
// What is behind an EncodeForm.
//
// The one idea: two attempts, and one proof. The first puts the values into their bits and defaults into all others, which
// is right for nearly every word; it allocates nothing. The second leaves open what nobody gave and asks the solver for
// bits with which conditions hold and derived fields have their values. Whatever comes of it is decoded (proof.cpp): only a
// word with the leaf, the nested leaves and the values that were asked for is given.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "isa/encode/variant.h"

namespace vireo::isa {

/// How a word differs from what was asked for.
struct Difference {
  enum class Kind : std::uint8_t {
    Leaf,     ///< it is another instruction, or none, or two
    Nested,   ///< the part is another leaf, or none
    Missing,  ///< the part is not there: its override does not hold, or another definition goes before it
    Value,    ///< the part has the value `found`
    Refused,  ///< the description wants no such word to be made: `owner` is the leaf
    Assert,   ///< bits do not have the value that they are expected to have
    Overlap,  ///< the part's bits belong to others as well, who want another value: `other`, or a pattern
    Range,    ///< the part has too few bits for the value
  } kind = Kind::Leaf;
  std::uint32_t part = nowhere;
  std::uint32_t other = nowhere;
  BitWord found = 0;
  std::uint32_t low = 0;  ///< Assert: the bits
  std::uint32_t width = 0;
  std::string_view owner;  ///< Assert, Refused: of which leaf
};

/// Decodes a word with a variant's scopes. True when nothing differs. `differences` may be null.
bool proves(const Model& model, const DecodeTables& tables, Variant& variant, std::span<const std::uint64_t> values,
            const BitWord* words, std::vector<Difference>* differences);

class EncodeForm::Implementation {
 public:
  Implementation(const Decoder& decoder, ReadSettings settings);

  bool encode(std::span<const std::uint64_t> values, std::span<BitWord> words);
  /// Says why encode() failed with these values.
  Reported explain(std::span<const std::uint64_t> values, Diagnostics& diagnostics);

  [[nodiscard]] const ReadSettings& settings() const { return settings_; }
  [[nodiscard]] const Plan& plan() const { return tables_.plans[settings_.scopes.front().plan]; }

 private:
  bool start(Variant& variant, std::span<const std::uint64_t> values, std::vector<Difference>* differences);
  void fill(Variant& variant, const PartialWord& word);
  void fill_open(Variant& variant, const OpenDefault& open);
  void fill_asserts(Variant& variant, std::uint32_t scope);
  bool solve(Variant& variant, std::span<const std::uint64_t> values, std::vector<Difference>* differences);
  Reported report(const Variant& variant, const Difference& difference, std::span<const std::uint64_t> values,
                  Diagnostics& diagnostics) const;
  Reported report_part(const Variant& variant, const Difference& difference, std::span<const std::uint64_t> values,
                       Diagnostics& diagnostics) const;

  const Model& model_;
  const DecodeTables& tables_;
  ReadSettings settings_;
  std::vector<std::unique_ptr<Variant>> variants_;
  std::vector<std::uint8_t> is_out_;  // variants that the values contradict
  bool is_exhausted_ = false;         // the search for the last word was given up
  std::size_t size_;                  // words of an instruction, and one more
  std::vector<BitWord> memory_;
  PartialWord word_;    // what is given
  PartialWord filled_;  // with all else
  std::vector<Constraint> pending_;
};

}  // namespace vireo::isa

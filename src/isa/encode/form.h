// SPDX-License-Identifier: Apache-2.0
//
// The implementation of EncodeForm.
//
// Two attempts and one verification. The first attempt places the values into their bits and defaults
// into all others. This is right for nearly every word, and it allocates nothing. The second attempt leaves unset bits
// open. The solver finds values for them such that the conditions hold and the derived fields have their values. Each
// result is decoded (proof.cpp). Only a word with the requested leaf, nested leaves and values is returned.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "isa/encode/variant.h"

namespace vireo::isa {

/// A difference between a word and the requested one.
struct Difference {
  enum class Kind : std::uint8_t {
    Leaf,     ///< the word matches another instruction, or none, or two
    Nested,   ///< the part matches another leaf, or none
    Missing,  ///< the part does not exist: its override does not hold, or another definition takes precedence
    Value,    ///< the part has the value `found`
    Refused,  ///< the description forbids encoding such a word: `owner` is the leaf
    Assert,   ///< bits do not have the value that an assert expects
    Overlap,  ///< `other`, or a pattern, requires another value of the part's bits
    Range,    ///< the part has too few bits for the value
  } kind = Kind::Leaf;
  std::uint32_t part = nowhere;
  std::uint32_t other = nowhere;
  BitWord found = 0;
  std::uint32_t low = 0;  ///< Assert: the lowest bit
  std::uint32_t width = 0;
  std::string_view owner;  ///< Assert, Refused: the leaf
};

/// Decodes a word with a variant's scopes. Returns true if nothing differs. `differences` may be null.
bool proves(const Model& model, const DecodeTables& tables, Variant& variant, std::span<const std::uint64_t> values,
            const BitWord* words, std::vector<Difference>* differences);

class EncodeForm::Implementation {
 public:
  Implementation(const Decoder& decoder, ReadSettings settings);

  bool encode(std::span<const std::uint64_t> values, std::span<BitWord> words);
  /// Reports the reasons why encode() failed with these values.
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
  std::vector<std::uint8_t> is_excluded_;  // variants that the values contradict
  bool is_exhausted_ = false;              // the search for the last word reached its limits
  std::size_t size_;                       // words of an instruction, plus one
  std::vector<BitWord> memory_;
  PartialWord word_;    // the bits of patterns and settings
  PartialWord filled_;  // word_, completed with defaults
  std::vector<Constraint> pending_;
};

}  // namespace vireo::isa

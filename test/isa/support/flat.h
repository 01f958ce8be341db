// SPDX-License-Identifier: Apache-2.0
//
// Random words without annotations, in flat form, to encode again; and the bits that must be reproduced.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "isa/generate/encoding_face.h"
#include "vireo/isa/isa.h"

namespace vireo::isa {

/// A decoded word in the form that generated programs take. Owns everything that `flat` refers to.
class FlatWord {
 public:
  FlatWord(const Decoder& decoder, const Bits& word, const Decoded& decoded);
  FlatWord(const FlatWord&) = delete;
  FlatWord& operator=(const FlatWord&) = delete;

  flat_word flat{};

 private:
  /// A decoder does not decode a bitset that is not shown, but its bits must be reproduced. This adds its plain fields.
  std::int32_t add_hidden(const Decoder& decoder, const Field& field, const Bits& bits);
  void add_field(const Model& model, std::size_t scope, const Field& field, std::vector<std::uint64_t> value,
                 std::int32_t nested, bool is_shown);
  std::size_t add_scope(const Model& model, const Bitset& leaf);
  void put_in_order();

  std::deque<std::string> names_;
  std::deque<std::vector<std::uint64_t>> values_;
  std::vector<flat_scope> scopes_;
  std::vector<flat_field> fields_;
  std::vector<std::vector<flat_field>> rows_;  // by scope
  std::vector<const Bitset*> leaves_;          // by scope
};

/// Descriptions with a decoder and a printer for one generation.
class WordSource {
 public:
  WordSource(const Model& model, std::uint32_t gen);

  /// A random word of a leaf with no don't-care bit set, if the decoder does not annotate it. Unresolved names are
  /// faults of the description and do not count.
  std::optional<Bits> random_word(const Bitset& leaf, std::mt19937_64& random);
  const Decoded& decoded() const { return decoded_; }  ///< of the last word
  const Decoder& decoder() const { return decoder_; }

  /// The bits of the last word that its leaves fix or its fields contain. No value determines the other bits.
  Bits known_bits(bool only_shown) const;
  /// As `isa dis` prints it, with annotations.
  std::string text(const Bits& word);

 private:
  bool decode(const Bits& word);

  const Model& model_;
  Decoder decoder_;
  Printer printer_;
  Decoded decoded_;
};

/// The results for words that were decoded and encoded again.
struct Tally {
  std::size_t words = 0;
  std::size_t leaves = 0;  ///< with a word without annotations, counted in each generation
  std::size_t failures = 0;
  std::size_t unrepresentable = 0;     ///< words that the mock IR cannot represent
  std::set<std::string> missing = {};  ///< leaves without such a word
  std::string shown = {};              ///< the first failures
};

/// Encodes random words of all leaves in all generations again with `encode`, and compares the text and the bits that a
/// value determines. VIREO_RANDOM_WORDS sets the number of words for each leaf.
enum class Compared : std::uint8_t {
  All,    ///< every field that the word has
  Shown,  ///< the shown fields, and the text
};
Tally remake_random_words(const Model& model, encoding_function encode, Compared compared = Compared::All);

/// The generations at which a range of generations begins or ends.
std::set<std::uint32_t> generations_of(const Model& model);

}  // namespace vireo::isa

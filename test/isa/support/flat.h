// SPDX-License-Identifier: Apache-2.0
//
// Words to encode again: random ones that a decoder has nothing to remark on, flat, and how much of them has to come back.
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

/// A decoded word as a generated program is told of it. Holds all that its `flat` refers to.
class FlatWord {
 public:
  FlatWord(const Decoder& decoder, const Bits& word, const Decoded& decoded);
  FlatWord(const FlatWord&) = delete;
  FlatWord& operator=(const FlatWord&) = delete;

  flat_word flat{};

 private:
  /// A decoder looks into no bitset that is not shown; its bits are wanted all the same. Their plain fields will do.
  std::int32_t add_hidden(const Decoder& decoder, const Field& field, const Bits& bits);
  void add_field(const Model& model, std::size_t scope, const Field& field, std::vector<std::uint64_t> value,
                 std::int32_t nested, bool is_shown);
  std::size_t add_scope(const Model& model, const Bitset& leaf);
  void put_in_order();

  std::deque<std::string> names_;
  std::deque<std::vector<std::uint64_t>> values_;
  std::vector<flat_scope> scopes_;
  std::vector<flat_field> fields_;
  std::vector<std::vector<flat_field>> rows_;  // of each scope
  std::vector<const Bitset*> leaves_;          // of each scope
};

/// Descriptions with a decoder and a printer for one generation.
class WordSource {
 public:
  WordSource(const Model& model, std::uint32_t gen);

  /// A random word of a leaf with no don't-care bit set, if the decoder has nothing to say against it. Names that
  /// resolve to nothing are the description's fault, not the word's.
  std::optional<Bits> random_word(const Bitset& leaf, std::mt19937_64& random);
  const Decoded& decoded() const { return decoded_; }  ///< of the last word
  const Decoder& decoder() const { return decoder_; }

  /// The bits of the last word that its leaves fix and its fields have. What else there is no value decides.
  Bits known_bits(bool only_shown) const;
  /// As `isa dis` prints it, remarks and all.
  std::string text(const Bits& word);

 private:
  bool decode(const Bits& word);

  const Model& model_;
  Decoder decoder_;
  Printer printer_;
  Decoded decoded_;
};

/// What became of words that were taken apart and made again.
struct Tally {
  std::size_t words = 0;
  std::size_t leaves = 0;  ///< that a clean word was found for, in each generation
  std::size_t failures = 0;
  std::size_t unsaid = 0;              ///< words that the structures of a stand-in cannot hold
  std::set<std::string> missing = {};  ///< leaves without one
  std::string shown = {};              ///< the first failures
};

/// Has random words of all leaves in all generations made again by `encode`, and compares: the bits that a value decides,
/// and the text. VIREO_RANDOM_WORDS says how many of each leaf.
enum class Compared : std::uint8_t {
  All,    ///< every field that the word has
  Shown,  ///< what the display shows, and the text
};
Tally remake_random_words(const Model& model, encoding_function encode, Compared compared = Compared::All);

/// The generations at which something begins or ends.
std::set<std::uint32_t> generations_of(const Model& model);

}  // namespace vireo::isa

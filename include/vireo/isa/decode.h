// SPDX-License-Identifier: Apache-2.0
//
// Decoder: a model compiled for one generation; Decoded: a decoded word as a tree of scopes and fields.
//
// The constructor of Decoder resolves names, conditions and inheritance. It builds a decision tree for
// each root, and for each leaf a list of the possible definitions of each name. So decoding a word needs no lookup by
// name and no allocation. A Decoder is immutable: any number of threads may share it.
//
//   Decoder decoder(model, {.gen = 600});
//   Decoded decoded;
//   if (decoder.decode(word, decoded)) decoded.find("SRC1")->value;
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/isa/bits.h"
#include "vireo/isa/model.h"
#include "vireo/support/api.h"

namespace vireo::isa {

struct DecodeTables;

/// Options of a Decoder.
struct VIREO_API DecodeOptions {
  /// The generation: the value of ISA_GPU_ID(). It selects bitsets: a `gen` element restricts one to some generations.
  std::uint32_t gen = 0;
  /// Behave as Mesa's tools where Vireo's rules differ (docs/isaspec.md, "Ours and Mesa's"). For example, derived
  /// values have 32 bits if no instruction is wider.
  bool mesa_compat = false;
};

/// An irregularity of a word.
struct VIREO_API DecodeFault {
  enum class Kind : std::uint8_t {
    NoMatch,         ///< no leaf matches the value of a bitset field, or the instruction
    Conflict,        ///< two leaves match
    DontCareBits,    ///< a don't-care bit of the pattern is set
    UnexpectedBits,  ///< bits differ from the value that an assert expects
    NoField,         ///< a display or expression uses a name that is undefined for this word
    NoDisplay,       ///< no case that applies has a display
    TooLong,         ///< the text of nested displays exceeds the limit
  };
  Kind kind;
  std::uint32_t low = 0;    ///< lowest bit within the instruction
  std::uint32_t width = 0;  ///< number of bits; 0: the fault is not about particular bits
  std::string message;      ///< the text of the annotation
};

/// The value of a field in one word.
struct VIREO_API DecodedField {
  FieldId field;
  NameId name;            ///< the declared name; a param can give the field another name in a nested scope
  std::uint32_t low = 0;  ///< its lowest bit within the instruction; unspecified for a derived field
  std::uint32_t width = 0;
  std::uint64_t value = 0;  ///< the bits, zero-extended (the lowest 64 of a wider field); or the derived value
  std::uint32_t nested = ~std::uint32_t{0};  ///< for bitset fields: index of their scope; see has_nested()
  bool is_shown = false;                     ///< whether the selected display contains the field

  /// False for other fields, and for bitset fields whose value matches no leaf.
  [[nodiscard]] bool has_nested() const { return nested != ~std::uint32_t{0}; }
};

/// A scope: a leaf that matched the instruction, or the value of a bitset field.
struct VIREO_API DecodedScope {
  BitsetId leaf;
  CaseId display;                            ///< the case whose display is selected; none: no display
  std::uint32_t parent = ~std::uint32_t{0};  ///< index of the enclosing scope; ~0 for the instruction
  std::uint32_t low = 0;                     ///< its lowest bit within the instruction
  std::uint32_t width = 0;                   ///< in bits
  Run fields;  ///< in Decoded::fields(): one field for each name that applying cases of the leaf define
};

/// A decoded word. Reuse one object for many words: after the largest one, decoding allocates nothing. Owns its
/// contents except for names, which belong to the model.
class VIREO_API Decoded {
 public:
  // Spans and pointers are valid until the object is used for the next word.

  /// All scopes; each follows its parent. Empty if no leaf matched.
  [[nodiscard]] std::span<const DecodedScope> scopes() const { return scopes_; }
  /// The scope of the instruction. Precondition: matched().
  [[nodiscard]] const DecodedScope& instruction() const { return scopes_.front(); }
  [[nodiscard]] std::span<const DecodedField> fields() const { return fields_; }
  [[nodiscard]] std::span<const DecodedField> fields(const DecodedScope& scope) const {
    return std::span(fields_).subspan(scope.fields.first, scope.fields.count);
  }
  [[nodiscard]] std::span<const DecodeFault> faults() const { return {faults_.data(), fault_count_}; }
  [[nodiscard]] bool matched() const { return !scopes_.empty(); }
  [[nodiscard]] std::uint32_t size() const { return size_; }  ///< size of the instruction in bits, matched or not

  /// Finds a field of the instruction by name; `DST.REG` is the field REG of the nested bitset DST. nullptr if there is
  /// none.
  [[nodiscard]] const DecodedField* find(std::string_view path) const;

 private:
  friend class DecodedBuilder;
  friend class Decoder;
  const Model* model_ = nullptr;
  std::vector<DecodedScope> scopes_;
  std::vector<DecodedField> fields_;
  std::vector<DecodeFault> faults_;  // never shrinks, so messages reuse their memory
  std::size_t fault_count_ = 0;
  std::uint32_t size_ = 0;

  // Memory of the decoder, reused for all words.
  struct Workspace {
    std::vector<std::int64_t> values;     // values of expressions
    std::vector<std::uint8_t> states;     // whether these values are known
    std::vector<DecodedField> unsorted;   // fields in the order of the walk
    std::vector<std::uint32_t> owners;    // by index in `unsorted`: the scope
    std::vector<std::uint32_t> previous;  // by index in `unsorted`: the previous field of the same scope
    std::vector<std::uint32_t> newest;    // by scope: its last field
  };
  Workspace workspace_;
};

/// Decodes words of one model for one generation.
class VIREO_API Decoder {
 public:
  /// The model is borrowed: it must outlive the decoder and must not move.
  Decoder(const Model& model, DecodeOptions options);
  ~Decoder();
  Decoder(Decoder&&) noexcept;
  Decoder& operator=(Decoder&&) noexcept;

  /// False if the model has errors or exceeds the limits in load.h. Such a decoder matches no word.
  [[nodiscard]] bool is_usable() const;
  [[nodiscard]] const Model& model() const { return *model_; }
  [[nodiscard]] std::uint32_t gen() const { return options_.gen; }
  [[nodiscard]] const DecodeOptions& options() const { return options_; }

  /// Decodes the instruction at the start of `words`, which contain `bits` bits; bit 0 is the lowest bit of words[0].
  /// Returns false if no leaf matches (fault NoMatch), or two leaves match (fault Conflict).
  bool decode(std::span<const BitWord> words, std::uint32_t bits, Decoded& decoded) const;
  bool decode(const Bits& word, Decoded& decoded) const { return decode(word.words(), word.width(), decoded); }

  /// The leaf of a root that matches a value; none if no leaf matches, or two leaves match.
  [[nodiscard]] BitsetId match(BitsetId root, std::span<const BitWord> value) const;

  /// For use inside the library: the compiled tables.
  [[nodiscard]] const DecodeTables& tables() const { return *tables_; }

 private:
  const Model* model_;
  DecodeOptions options_;
  std::unique_ptr<const DecodeTables> tables_;
};

}  // namespace vireo::isa

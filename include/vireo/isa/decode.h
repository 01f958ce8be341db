// SPDX-License-Identifier: Apache-2.0
//
// Decoder: a model compiled for one generation; Decoded: a decoded word as a tree of scopes and fields.
//
// The one idea: names, conditions and inheritance are resolved when the Decoder is made. It has a decision tree for
// each root and a plan for each leaf, in which each name is a short list of definitions. So decoding a word looks
// nothing up and allocates nothing. A Decoder is constant: any number of threads may share it.
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

/// Options for decoding.
struct VIREO_API DecodeOptions {
  /// The generation: the value of ISA_GPU_ID(). The `gen` elements decide which bitsets exist in it.
  std::uint32_t gen = 0;
  /// Mesa's quirks: derived values have 32 bits if no instruction has more; a bitset passed in as a param looks its own
  /// params up where it is shown; the search for a name evaluates the conditions of all cases it passes.
  bool mesa_compat = false;
};

/// An irregularity of a word.
struct VIREO_API DecodeFault {
  enum class Kind : std::uint8_t {
    NoMatch,         ///< no leaf of a field's type matches
    Conflict,        ///< two leaves match
    DontCareBits,    ///< a don't-care bit is set
    UnexpectedBits,  ///< an assert does not hold
    NoField,         ///< a name is undefined
    NoDisplay,       ///< no display was found
    TooLong,         ///< the text is too long: displays nested in displays
  };
  Kind kind;
  std::uint32_t low = 0;  ///< its bits within the instruction; width 0: none
  std::uint32_t width = 0;
  std::string message;  ///< as annotated in the text
};

/// The value of a field in one word.
struct VIREO_API DecodedField {
  FieldId field;
  NameId name;            ///< the declared name; a param may show the field under another name
  std::uint32_t low = 0;  ///< its lowest bit within the instruction; unspecified for a derived field
  std::uint32_t width = 0;
  std::uint64_t value = 0;  ///< the raw bits, zero-extended (the lowest 64 of wider fields), or the derived value
  std::uint32_t nested = ~std::uint32_t{0};  ///< for bitset fields: index of the scope; none if no leaf matched
  bool is_shown = false;                     ///< whether the chosen display shows it

  [[nodiscard]] bool has_nested() const { return nested != ~std::uint32_t{0}; }
};

/// One bitset instance: the instruction, or a nested one.
struct VIREO_API DecodedScope {
  BitsetId leaf;
  CaseId display;                            ///< the case whose display is used; none: no display
  std::uint32_t parent = ~std::uint32_t{0};  ///< index of the enclosing scope
  std::uint32_t low = 0;                     ///< its lowest bit within the instruction
  std::uint32_t width = 0;
  Run fields;  ///< one field for each name that the leaf's cases define for this word
};

/// A decoded word. Scopes are ordered from the outermost. Reuse one object for many words: decoding then stops
/// allocating. Owns its contents except for names, which belong to the model.
class VIREO_API Decoded {
 public:
  [[nodiscard]] std::span<const DecodedScope> scopes() const { return scopes_; }
  /// The outermost scope. Only valid if matched().
  [[nodiscard]] const DecodedScope& instruction() const { return scopes_.front(); }
  [[nodiscard]] std::span<const DecodedField> fields() const { return fields_; }
  [[nodiscard]] std::span<const DecodedField> fields(const DecodedScope& scope) const {
    return std::span(fields_).subspan(scope.fields.first, scope.fields.count);
  }
  [[nodiscard]] std::span<const DecodeFault> faults() const { return {faults_.data(), fault_count_}; }
  [[nodiscard]] bool matched() const { return !scopes_.empty(); }
  [[nodiscard]] std::uint32_t size() const { return size_; }  ///< size of the instruction in bits, matched or not

  /// Finds a field of the instruction by name; `DST.REG` is a field of a nested bitset. Null if there is none.
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

  // Memory of the decoder, reused from word to word.
  struct Workspace {
    std::vector<std::int64_t> values;     // of expressions, and …
    std::vector<std::uint8_t> states;     // … whether they are known
    std::vector<DecodedField> unsorted;   // fields in the order of the walk
    std::vector<std::uint32_t> owners;    // the scope of each of them
    std::vector<std::uint32_t> previous;  // field of the same scope for each of them
    std::vector<std::uint32_t> newest;    // field of each scope
  };
  Workspace workspace_;
};

/// Decodes words of one model for one generation.
class VIREO_API Decoder {
 public:
  /// The model must outlive the decoder.
  Decoder(const Model& model, DecodeOptions options);
  ~Decoder();
  Decoder(Decoder&&) noexcept;
  Decoder& operator=(Decoder&&) noexcept;

  /// False if the model has errors or exceeds the limits in load.h; then nothing matches.
  [[nodiscard]] bool is_usable() const;
  [[nodiscard]] const Model& model() const { return *model_; }
  [[nodiscard]] std::uint32_t gen() const { return options_.gen; }
  [[nodiscard]] const DecodeOptions& options() const { return options_; }

  /// Decodes the instruction at the start of `words` (bit 0 first), which holds `bits` bits. False if no leaf matches
  /// or two do; the faults tell which.
  bool decode(std::span<const BitWord> words, std::uint32_t bits, Decoded& decoded) const;
  bool decode(const Bits& word, Decoded& decoded) const { return decode(word.words(), word.width(), decoded); }

  /// The leaf that matches a value of a root; none if no leaf does, or two do.
  [[nodiscard]] BitsetId match(BitsetId root, std::span<const BitWord> value) const;

  /// The compiled form, for the printer and the checks.
  [[nodiscard]] const DecodeTables& tables() const { return *tables_; }

 private:
  const Model* model_;
  DecodeOptions options_;
  std::unique_ptr<const DecodeTables> tables_;
};

}  // namespace vireo::isa

// SPDX-License-Identifier: Apache-2.0
//
// Decoder: a model made ready for one generation; Decoded: what a word means, as a value to walk.
//
// The one idea: everything that names, conditions and inheritance decide is compiled when the Decoder is made: a decision
// tree for each root, and for each leaf a plan in which every name is a short list of definitions. Decoding a word then
// looks nothing up and allocates nothing. A Decoder is constant: any number of threads may share it.
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

/// For whom words are decoded.
struct VIREO_API DecodeOptions {
  /// The generation: what ISA_GPU_ID() gives, and by which `gen` elements say whether a bitset exists.
  std::uint32_t gen = 0;
  /// Mesa's quirks: values of derived fields have 32 bits where instructions have no more; a bitset that a param passes in
  /// looks its own params up where it is shown; to find a name, the conditions of all cases on the way are asked.
  bool mesa_compat = false;
};

/// What is odd about a word.
struct VIREO_API DecodeFault {
  enum class Kind : std::uint8_t {
    NoMatch,         ///< no leaf of a field's type matches
    Conflict,        ///< two leaves match
    DontCareBits,    ///< bits are set that do not count
    UnexpectedBits,  ///< an assert does not hold
    NoField,         ///< a name resolves to nothing
    NoDisplay,       ///< no display was found
    TooLong,         ///< the text is beyond all bounds: displays nested in displays
  };
  Kind kind;
  std::uint32_t low = 0;  ///< the bits it is about, within the instruction; width 0: none
  std::uint32_t width = 0;
  std::string message;  ///< as the text shows it
};

/// A field, as one word has it.
struct VIREO_API DecodedField {
  FieldId field;
  NameId name;            ///< the field's own; a param shows it under another
  std::uint32_t low = 0;  ///< of its bits, within the instruction; meaningless for a derived field
  std::uint32_t width = 0;
  std::uint64_t value = 0;  ///< raw bits, zero-extended (of wider fields the lowest 64), or the derived value
  std::uint32_t nested = ~std::uint32_t{0};  ///< of bitset fields: index of the scope; none when no leaf matched
  bool is_shown = false;                     ///< the chosen display shows it

  [[nodiscard]] bool has_nested() const { return nested != ~std::uint32_t{0}; }
};

/// One bitset instance: the instruction, or a nested one.
struct VIREO_API DecodedScope {
  BitsetId leaf;
  CaseId display;                            ///< the case whose display is used; none: there is no display
  std::uint32_t parent = ~std::uint32_t{0};  ///< index of the scope around it
  std::uint32_t low = 0;                     ///< of its bits, within the instruction
  std::uint32_t width = 0;
  Run fields;  ///< each name that the leaf's cases define for this word, once
};

/// A decoded word. Scopes stand outermost first. Use one object for many words: once it has seen the largest, decoding
/// allocates nothing. What it holds is its own but for names, which are the model's.
class VIREO_API Decoded {
 public:
  [[nodiscard]] std::span<const DecodedScope> scopes() const { return scopes_; }
  /// The outermost scope. Only where something matched.
  [[nodiscard]] const DecodedScope& instruction() const { return scopes_.front(); }
  [[nodiscard]] std::span<const DecodedField> fields() const { return fields_; }
  [[nodiscard]] std::span<const DecodedField> fields(const DecodedScope& scope) const {
    return std::span(fields_).subspan(scope.fields.first, scope.fields.count);
  }
  [[nodiscard]] std::span<const DecodeFault> faults() const { return {faults_.data(), fault_count_}; }
  [[nodiscard]] bool matched() const { return !scopes_.empty(); }
  [[nodiscard]] std::uint32_t size() const { return size_; }  ///< bits of the instruction, matched or not

  /// A field of the instruction by name; `DST.REG` goes into nested bitsets. Null when there is none.
  [[nodiscard]] const DecodedField* find(std::string_view path) const;

 private:
  friend class DecodedBuilder;
  friend class Decoder;
  const Model* model_ = nullptr;
  std::vector<DecodedScope> scopes_;
  std::vector<DecodedField> fields_;
  std::vector<DecodeFault> faults_;  // never shrinks: the messages keep their memory
  std::size_t fault_count_ = 0;
  std::uint32_t size_ = 0;

  // What decoding needs besides the answer, kept from word to word.
  struct Workspace {
    std::vector<std::int64_t> values;     // of expressions, and …
    std::vector<std::uint8_t> states;     // … whether they are known
    std::vector<DecodedField> unsorted;   // fields as the walk met them
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

  /// False when the model has errors, or is so large (limits in load.h) that it was not compiled: nothing matches then.
  [[nodiscard]] bool is_usable() const;
  [[nodiscard]] const Model& model() const { return *model_; }
  [[nodiscard]] std::uint32_t gen() const { return options_.gen; }
  [[nodiscard]] const DecodeOptions& options() const { return options_; }

  /// Decodes one instruction at the start of `words` (bit 0 first); `words` holds `bits` bits. False: nothing matches;
  /// the faults then say whether two leaves did.
  bool decode(std::span<const BitWord> words, std::uint32_t bits, Decoded& decoded) const;
  bool decode(const Bits& word, Decoded& decoded) const { return decode(word.words(), word.width(), decoded); }

  /// The leaf that matches a value of a root; none: no leaf does, or two do.
  [[nodiscard]] BitsetId match(BitsetId root, std::span<const BitWord> value) const;

  /// The compiled form, for the printer and the checks.
  [[nodiscard]] const DecodeTables& tables() const { return *tables_; }

 private:
  const Model* model_;
  DecodeOptions options_;
  std::unique_ptr<const DecodeTables> tables_;
};

}  // namespace vireo::isa

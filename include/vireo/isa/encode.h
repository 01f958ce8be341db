// SPDX-License-Identifier: Apache-2.0
//
// Values → words: a leaf by name, its fields by name, and no text in between.
//
// The one idea: who encodes says what the word shall mean, not which bits say so. The fields that are given decide which
// override is meant; a derived field is solved for the bits it is computed from; all else has its default. Then the word
// is decoded, and given only if it has the leaf and all the values that were asked for. What no word can have is reported,
// all of it at once, with the field that differs. docs/isa-encode.md has the rules.
//
//   Encoder encoder(decoder);
//   Diagnostics faults;
//   Result<Bits> word = encoder.encode("add", {{"DST", 3}, {"SRC", "#immediate"}, {"SRC.VALUE", -8}}, faults);
//
// A compiler prepares what it encodes often, with blanks for what changes. Filling a form in allocates nothing, unless a
// value has to be solved for:
//
//   Result<EncodeForm> add = encoder.prepare("add", {{"DST", Blank{}}, {"SRC.NUMBER", Blank{}}}, faults);
//   std::uint64_t values[] = {3, 4};
//   BitWord word[1];
//   if (add->encode(values, word)) …
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "vireo/isa/decode.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/result.h"

namespace vireo::isa {

struct FieldSetting;

/// A number, as it is meant: signed fields take negative ones.
struct VIREO_API Number {
  std::uint64_t bits = 0;  ///< two's complement
  bool is_negative = false;
};

/// A nested bitset: one of its leaves, with fields of its own.
struct VIREO_API NestedValue {
  NestedValue(std::string leaf_name, std::vector<FieldSetting> settings);
  NestedValue(const NestedValue&);
  NestedValue(NestedValue&&) noexcept;
  NestedValue& operator=(const NestedValue&);
  NestedValue& operator=(NestedValue&&) noexcept;
  ~NestedValue();

  std::string leaf;  ///< empty: the only one that has these fields
  std::vector<FieldSetting> fields;
};

/// A value that comes later: EncodeForm::encode.
struct Blank {};

/// What a field shall be.
///  - A number: the value; of a float, its bits. Also the bits of a nested bitset.
///  - A floating-point number, for float fields: the nearest value that the field has.
///  - A text: the name of an enum's row, or what the row displays; the display of a bool, "true", "false"; the leaf of
///    a nested bitset; or a number in decimal or, with 0x, in hexadecimal. A float is read as a number, with 0x as its bits.
///  - Bits, for fields of more than 64.
class VIREO_API FieldValue {
 public:
  using Kinds = std::variant<Blank, Number, double, std::string, Bits, NestedValue>;

  // NOLINTBEGIN(google-explicit-constructor): lists of settings are to be written as {{"DST", 3}, {"COND", "gt"}}.
  FieldValue(Blank) {}
  template <std::integral T>
  FieldValue(T number) : kinds_(Number{static_cast<std::uint64_t>(number), std::signed_integral<T> && number < T{}}) {}
  FieldValue(Number number) : kinds_(number) {}
  FieldValue(double number) : kinds_(number) {}
  FieldValue(const char* text) : kinds_(std::string(text)) {}
  FieldValue(std::string_view text) : kinds_(std::string(text)) {}
  FieldValue(std::string text) : kinds_(std::move(text)) {}
  FieldValue(Bits bits) : kinds_(std::move(bits)) {}
  FieldValue(NestedValue nested) : kinds_(std::move(nested)) {}
  // NOLINTEND(google-explicit-constructor)

  [[nodiscard]] const Kinds& kinds() const { return kinds_; }

 private:
  Kinds kinds_;
};

/// A field and its value.
struct VIREO_API FieldSetting {
  std::string path;                   ///< `DST`, or with the names of bitset fields around it: `DST.REG`
  FieldValue value = Blank{};         ///< a blank is for prepare()
  Location where = Location::none();  ///< for diagnostics: where the caller has it from
};

/// A leaf with all that was settled before the values are known. Belongs to one thread at a time. Its encoder's decoder,
/// and the decoder's model, must outlive it.
class VIREO_API EncodeForm {
 public:
  ~EncodeForm();
  EncodeForm(EncodeForm&&) noexcept;
  EncodeForm& operator=(EncodeForm&&) noexcept;

  [[nodiscard]] BitsetId leaf() const;
  /// Bits of the instruction.
  [[nodiscard]] std::uint32_t size() const;
  [[nodiscard]] std::size_t blank_count() const;
  /// Which value fills the blank of this path; none when there is no such blank.
  [[nodiscard]] std::optional<std::size_t> find_blank(std::string_view path) const;

  /// Encodes: `values` has one value for each blank, in the order of the settings (those of a nested value where it stands);
  /// signed fields read theirs as two's complement of 64 bits. Values beyond the last blank are ignored. Writes
  /// words_for(size()) words. False: no word has these values, or there are too few of them, or too little room; nothing was
  /// written.
  bool encode(std::span<const std::uint64_t> values, std::span<BitWord> words);
  /// The same, with the reasons when there is no word.
  Result<Bits> encode(std::span<const std::uint64_t> values, Diagnostics& diagnostics);

 private:
  friend class Encoder;
  class Implementation;
  explicit EncodeForm(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

/// Encodes words of one model for one generation. Constant once made: any number of threads may share it.
class VIREO_API Encoder {
 public:
  /// The decoder and its model must outlive the encoder.
  explicit Encoder(const Decoder& decoder);
  ~Encoder();
  Encoder(Encoder&&) noexcept;
  Encoder& operator=(Encoder&&) noexcept;

  /// The instruction that is a leaf and has these values. `where` is the place of the leaf's name in diagnostics.
  [[nodiscard]] Result<Bits> encode(std::string_view leaf, std::span<const FieldSetting> fields,
                                    Diagnostics& diagnostics, Location where = Location::none()) const;
  [[nodiscard]] Result<Bits> encode(std::string_view leaf, std::initializer_list<FieldSetting> fields,
                                    Diagnostics& diagnostics) const {
    return encode(leaf, std::span(fields.begin(), fields.size()), diagnostics);
  }

  /// Settles names, leaves and the values that are there. Those of the blanks are checked when they come.
  [[nodiscard]] Result<EncodeForm> prepare(std::string_view leaf, std::span<const FieldSetting> fields,
                                           Diagnostics& diagnostics, Location where = Location::none()) const;
  [[nodiscard]] Result<EncodeForm> prepare(std::string_view leaf, std::initializer_list<FieldSetting> fields,
                                           Diagnostics& diagnostics) const {
    return prepare(leaf, std::span(fields.begin(), fields.size()), diagnostics);
  }

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace vireo::isa

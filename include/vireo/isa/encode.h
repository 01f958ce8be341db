// SPDX-License-Identifier: Apache-2.0
//
// Values → words: encodes a leaf with field values, both given by name, without assembler text.
//
// The one idea: the caller gives values of fields and not bits. The given fields select the override. If a derived
// field is given, a solver finds values for the bits it depends on; other fields get their defaults. Then the word is
// decoded, and returned only if it has the requested leaf and values. If there is no such word, all reasons are
// reported at once, with the fields that differ. The rules are in docs/isa-encode.md.
//
//   Encoder encoder(decoder);
//   Diagnostics faults;
//   Result<Bits> word = encoder.encode("add", {{"DST", 3}, {"SRC", "#immediate"}, {"SRC.VALUE", -8}}, faults);
//
// A compiler prepares frequent instructions, with blanks for the values that vary. Filling in a form allocates nothing
// unless a value has to be solved for:
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

/// A number with its sign: signed fields accept negative numbers.
struct VIREO_API Number {
  std::uint64_t bits = 0;  ///< two's complement
  bool is_negative = false;
};

/// A value for a nested bitset: one of its leaves and that leaf's fields.
struct VIREO_API NestedValue {
  NestedValue(std::string leaf_name, std::vector<FieldSetting> settings);
  NestedValue(const NestedValue&);
  NestedValue(NestedValue&&) noexcept;
  NestedValue& operator=(const NestedValue&);
  NestedValue& operator=(NestedValue&&) noexcept;
  ~NestedValue();

  std::string leaf;  ///< empty: the only leaf that has these fields
  std::vector<FieldSetting> fields;
};

/// A placeholder for a value that EncodeForm::encode() supplies.
struct Blank {};

/// The value of a field:
///  - A number: the value; for a float or a nested bitset, its bits.
///  - A floating-point number, for float fields: rounded to the nearest value of the field.
///  - A text: the name or the display of an enum's row; the display of a bool, "true", "false"; the leaf of a nested
///    bitset; or a number, decimal or with 0x hexadecimal. For a float, a decimal is its value and a hexadecimal its bits.
///  - Bits, for fields of more than 64 bits.
class VIREO_API FieldValue {
 public:
  using Kinds = std::variant<Blank, Number, double, std::string, Bits, NestedValue>;

  // NOLINTBEGIN(google-explicit-constructor): callers write lists of settings as {{"DST", 3}, {"COND", "gt"}}.
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
  std::string path;                   ///< `DST`, or with the names of enclosing bitset fields: `DST.REG`
  FieldValue value = Blank{};         ///< a blank is only for prepare()
  Location where = Location::none();  ///< of the setting in the caller's input, for diagnostics
};

/// A prepared instruction: a leaf and values, with blanks for the values that vary. Not thread-safe. The encoder's
/// decoder and the decoder's model must outlive it.
class VIREO_API EncodeForm {
 public:
  ~EncodeForm();
  EncodeForm(EncodeForm&&) noexcept;
  EncodeForm& operator=(EncodeForm&&) noexcept;

  [[nodiscard]] BitsetId leaf() const;
  /// Size of the instruction in bits.
  [[nodiscard]] std::uint32_t size() const;
  [[nodiscard]] std::size_t blank_count() const;
  /// The index of the value for the blank with this path; none if there is no such blank.
  [[nodiscard]] std::optional<std::size_t> find_blank(std::string_view path) const;

  /// Encodes one word. `values` has one value per blank, in the order of the settings. (A nested value's settings take
  /// its position.) Signed fields take 64-bit two's complement. Ignores values after the last blank. Writes
  /// words_for(size()) words. Returns false and writes nothing if no word has these values, or `values` or `words` is
  /// too short.
  bool encode(std::span<const std::uint64_t> values, std::span<BitWord> words);
  /// The same, but reports the reasons if there is no word.
  Result<Bits> encode(std::span<const std::uint64_t> values, Diagnostics& diagnostics);

 private:
  friend class Encoder;
  class Implementation;
  explicit EncodeForm(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

/// Encodes words of one model for one generation. Immutable, so any number of threads may share it.
class VIREO_API Encoder {
 public:
  /// The decoder and its model must outlive the encoder.
  explicit Encoder(const Decoder& decoder);
  ~Encoder();
  Encoder(Encoder&&) noexcept;
  Encoder& operator=(Encoder&&) noexcept;

  /// Encodes the instruction with this leaf and these values. `where` is the place of the leaf's name in diagnostics.
  [[nodiscard]] Result<Bits> encode(std::string_view leaf, std::span<const FieldSetting> fields,
                                    Diagnostics& diagnostics, Location where = Location::none()) const;
  [[nodiscard]] Result<Bits> encode(std::string_view leaf, std::initializer_list<FieldSetting> fields,
                                    Diagnostics& diagnostics) const {
    return encode(leaf, std::span(fields.begin(), fields.size()), diagnostics);
  }

  /// Resolves names, leaves and given values. The values of blanks are checked by EncodeForm::encode().
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

// SPDX-License-Identifier: Apache-2.0
//
// The encoder: field values → instruction words. The caller names a leaf and its fields.
//
// The caller sets values of fields, not bits. The names of these fields select the override. For a
// derived field, a solver finds values of the bits on which it depends; fields without a value get their defaults. The
// encoder then decodes the word and returns it only if it has the requested leaf and values. If no word has them, it
// reports all reasons, with the fields that differ. The rules are in docs/isa-encode.md.
//
//   Encoder encoder(decoder);
//   Diagnostics faults;
//   Result<Bits> word = encoder.encode("add", {{"DST", 3}, {"SRC", "#immediate"}, {"SRC.VALUE", -8}}, faults);
//
// A compiler can prepare frequent instructions, with blanks for the values that vary. EncodeForm::encode() then
// allocates nothing unless the solver is needed:
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

/// An integer of up to 64 bits and its sign. Only signed fields accept negative numbers.
struct VIREO_API Number {
  std::uint64_t bits = 0;  ///< two's complement
  bool is_negative = false;
};

/// A value for a bitset field: a leaf of its root, and values for the fields of that leaf.
struct VIREO_API NestedValue {
  NestedValue(std::string leaf_name, std::vector<FieldSetting> settings);
  NestedValue(const NestedValue&);
  NestedValue(NestedValue&&) noexcept;
  NestedValue& operator=(const NestedValue&);
  NestedValue& operator=(NestedValue&&) noexcept;
  ~NestedValue();

  std::string leaf;  ///< name of the leaf; empty: the only leaf that has all these fields
  std::vector<FieldSetting> fields;
};

/// A placeholder for a value that EncodeForm::encode() supplies.
struct Blank {};

/// The value of a field. Each of these types converts to it:
///  - An integer: the value of the field. For a float or bitset field: its bits.
///  - A floating-point number, only for float fields: rounded to the nearest value of the field.
///  - A text. For an enum: the name or the display of a row. For a bool: its display, "true" or "false". For a bitset
///    field: the name of a leaf. For all fields: a decimal or hexadecimal (0x) number. For a float, a decimal is the
///    value, and a hexadecimal number is its bits.
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
  FieldValue value = Blank{};         ///< Blank: only for prepare()
  Location where = Location::none();  ///< location of the setting in the caller's input, for diagnostics
};

/// A prepared instruction: a leaf and field values, with blanks for the values that vary. Not thread-safe. The
/// encoder's decoder and its model are borrowed and must outlive the form.
class VIREO_API EncodeForm {
 public:
  ~EncodeForm();
  EncodeForm(EncodeForm&&) noexcept;
  EncodeForm& operator=(EncodeForm&&) noexcept;

  [[nodiscard]] BitsetId leaf() const;
  /// Size of the instruction in bits.
  [[nodiscard]] std::uint32_t size() const;
  [[nodiscard]] std::size_t blank_count() const;
  /// The index in `values` for the blank with this path; none if no blank has this path.
  [[nodiscard]] std::optional<std::size_t> find_blank(std::string_view path) const;

  /// Encodes one word and writes its words_for(size()) words to `words`. `values` has a value for each blank, in the
  /// order of the settings; the settings inside a NestedValue are at its position. Values of signed fields are 64-bit
  /// two's complement. Ignores values after the last blank. Returns false and writes nothing if no word has these
  /// values, or if `values` or `words` is too short.
  bool encode(std::span<const std::uint64_t> values, std::span<BitWord> words);
  /// Encodes one word as above and returns it. Errors: reports the reasons if no word has these values.
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

  /// Encodes the instruction with this leaf and these values. `where` is the location of the leaf's name in the
  /// caller's input, for diagnostics. Errors: an unknown name, a value that a field cannot have, no word with these
  /// values.
  [[nodiscard]] Result<Bits> encode(std::string_view leaf, std::span<const FieldSetting> fields,
                                    Diagnostics& diagnostics, Location where = Location::none()) const;
  [[nodiscard]] Result<Bits> encode(std::string_view leaf, std::initializer_list<FieldSetting> fields,
                                    Diagnostics& diagnostics) const {
    return encode(leaf, std::span(fields.begin(), fields.size()), diagnostics);
  }

  /// Prepares a form: resolves the names and all values except blanks. EncodeForm::encode() checks the values of
  /// blanks.
  /// Errors: an unknown name, a value that a field cannot have.
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

// SPDX-License-Identifier: Apache-2.0
//
// The public classes Encoder and EncodeForm. Encoding prepares a form without blanks and fills it in.
#include "isa/encode/form.h"

namespace vireo::isa {

// Defined here, where FieldSetting is complete: settings contain nested values, which contain settings.
NestedValue::NestedValue(std::string leaf_name, std::vector<FieldSetting> settings)
    : leaf(std::move(leaf_name)), fields(std::move(settings)) {}
NestedValue::NestedValue(const NestedValue&) = default;
NestedValue::NestedValue(NestedValue&&) noexcept = default;
NestedValue& NestedValue::operator=(const NestedValue&) = default;
NestedValue& NestedValue::operator=(NestedValue&&) noexcept = default;
NestedValue::~NestedValue() = default;

// An encoder is constant: the state that changes during encoding is in its form.
class Encoder::Implementation {
 public:
  explicit Implementation(const Decoder& d) : decoder(d) {}
  const Decoder& decoder;
};

Encoder::Encoder(const Decoder& decoder) : implementation_(std::make_unique<Implementation>(decoder)) {}
Encoder::~Encoder() = default;
Encoder::Encoder(Encoder&&) noexcept = default;
Encoder& Encoder::operator=(Encoder&&) noexcept = default;

Result<EncodeForm> Encoder::prepare(std::string_view leaf, std::span<const FieldSetting> fields,
                                    Diagnostics& diagnostics, Location where) const {
  const Decoder& decoder = implementation_->decoder;
  ReadSettings settings;
  const std::optional<Reported> fault =
      read_settings(decoder.model(), decoder.tables(), leaf, where, fields, settings, diagnostics);
  if (fault) return *fault;
  return EncodeForm(std::make_unique<EncodeForm::Implementation>(decoder, std::move(settings)));
}

Result<Bits> Encoder::encode(std::string_view leaf, std::span<const FieldSetting> fields, Diagnostics& diagnostics,
                             Location where) const {
  // This function takes no values for blanks, so it reports a blank as a field without a value.
  const Decoder& decoder = implementation_->decoder;
  ReadSettings settings;
  const std::optional<Reported> fault =
      read_settings(decoder.model(), decoder.tables(), leaf, where, fields, settings, diagnostics);
  if (fault) return *fault;
  return EncodeForm(std::make_unique<EncodeForm::Implementation>(decoder, std::move(settings))).encode({}, diagnostics);
}

EncodeForm::EncodeForm(std::unique_ptr<Implementation> implementation) : implementation_(std::move(implementation)) {}
EncodeForm::~EncodeForm() = default;
EncodeForm::EncodeForm(EncodeForm&&) noexcept = default;
EncodeForm& EncodeForm::operator=(EncodeForm&&) noexcept = default;

BitsetId EncodeForm::leaf() const { return implementation_->plan().leaf; }
std::uint32_t EncodeForm::size() const { return implementation_->plan().size; }
std::size_t EncodeForm::blank_count() const { return implementation_->settings().blanks.size(); }

std::optional<std::size_t> EncodeForm::find_blank(std::string_view path) const {
  const std::vector<ReadSettings::Blank>& blanks = implementation_->settings().blanks;
  // Called when a form is made, not for each word, so a linear search is fast enough.
  for (std::size_t i = 0; i < blanks.size(); ++i) {
    if (blanks[i].path == path) return i;
  }
  return std::nullopt;
}

bool EncodeForm::encode(std::span<const std::uint64_t> values, std::span<BitWord> words) {
  return implementation_->encode(values, words);
}

Result<Bits> EncodeForm::encode(std::span<const std::uint64_t> values, Diagnostics& diagnostics) {
  // Tries the fast path first, which reports no reasons. Looks for reasons only if encoding fails.
  Bits word(size());
  if (implementation_->encode(values, {word.data(), word.words().size()})) return word;
  return implementation_->explain(values, diagnostics);
}

}  // namespace vireo::isa

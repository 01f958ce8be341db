// SPDX-License-Identifier: Apache-2.0
//
// vireo_isa.h: instruction words from text and from values.
//
// `kind` selects the active value of a C setting; this file converts it to the encoder's variant. All
// other guarantees are those of the C++ functions.
#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "c/isa/handles.h"
#include "vireo/isa/assemble.h"
#include "vireo/isa/custom_names.h"
#include "vireo/isa/encode.h"

// Both are used in this file only. An encoder refers to its decoder. A form also refers to it and holds scratch memory,
// so it cannot be shared among threads.
struct vireo_encoder {
  vireo::isa::Encoder encoder;
};

struct vireo_form {
  vireo::isa::EncodeForm form;
};

namespace vireo::c {
namespace {

/// The union member that `kind` selects; none if the kind is unknown or a pointer is missing. The other members are not
/// read: they may hold anything.
std::optional<isa::FieldValue> value_of(const vireo_setting& setting) {
  switch (setting.kind) {
    case VIREO_VALUE_NUMBER: return setting.value.number;
    case VIREO_VALUE_SIGNED: return setting.value.signed_number;
    case VIREO_VALUE_REAL: return setting.value.real;
    case VIREO_VALUE_TEXT:
      if (!is_span(setting.value.text.data, setting.value.text.size)) return std::nullopt;
      return from_c(setting.value.text);
    case VIREO_VALUE_BITS: {
      // No field is wider than the widest bitset, so an invalid size cannot request much memory.
      if (setting.bits > isa::max_bitset_size || !is_span(setting.value.words, setting.bits)) return std::nullopt;
      // Word by word, to drop the bits above the last.
      isa::Bits bits(setting.bits);
      for (std::uint32_t low = 0; low < setting.bits; low += isa::bits_per_word) {
        const std::uint32_t width = std::min(setting.bits - low, isa::bits_per_word);
        bits.insert(low, isa::Bits(width, setting.value.words[low / isa::bits_per_word]));
      }
      return bits;
    }
    case VIREO_VALUE_BLANK: return isa::Blank{};
    default: return std::nullopt;
  }
}

/// The settings of a call; none if one of them is invalid. A setting has no location in a text, so diagnostics name the
/// fields instead.
std::optional<std::vector<isa::FieldSetting>> settings_of(const vireo_setting* settings, std::size_t count) {
  std::vector<isa::FieldSetting> result;
  result.reserve(count);
  for (const vireo_setting* setting = settings; setting != settings + count; ++setting) {
    std::optional<isa::FieldValue> value = value_of(*setting);
    if (!value || !is_span(setting->path.data, setting->path.size)) return std::nullopt;
    result.push_back({std::string(from_c(setting->path)), *std::move(value), Location::none()});
  }
  return result;
}

}  // namespace
}  // namespace vireo::c

using namespace vireo;
using namespace vireo::c;

vireo_status vireo_isa_assemble(const vireo_decoder* decoder, const char* text, std::size_t size,
                                vireo_diagnostics* diagnostics, vireo_write write, void* user) {
  if (decoder == nullptr || !is_span(text, size) || write == nullptr) return VIREO_BAD_ARGUMENT;
  return guarded([&] {
    // The same table for parsing and printing: words are verified by their text, which contains the names.
    isa::CustomNames names(decoder->decoder.model());
    isa::Assembler assembler(decoder->decoder, {.custom = &names, .listener = &names});
    Diagnostics found;
    const isa::AssembledProgram program = assembler.assemble(from_c({text, size}), found);
    // Several passes find faults in different orders; readers expect the order of lines.
    found.sort_by_place();
    add(diagnostics, found);
    // A partial program is useless: the addresses after a missing line would all be wrong.
    if (found.has_errors()) return VIREO_REPORTED;
    return write(user, program.bytes.data(), program.bytes.size()) == 0 ? VIREO_STOPPED : VIREO_OK;
  });
}

vireo_status vireo_encoder_create(const vireo_decoder* decoder, vireo_encoder** out) {
  return create(out, decoder != nullptr, [&] {
    *out = new vireo_encoder{isa::Encoder(decoder->decoder)};
    return VIREO_OK;
  });
}

void vireo_encoder_destroy(vireo_encoder* encoder) { delete encoder; }

// `words` is written only if the whole word fits. Faults of the values are reported as diagnostics; an invalid setting
// is VIREO_BAD_ARGUMENT.
vireo_status vireo_encode(const vireo_encoder* encoder, vireo_string leaf, const vireo_setting* settings,
                          std::size_t count, vireo_diagnostics* diagnostics, std::uint64_t* words, std::size_t capacity,
                          std::uint32_t* bits) {
  if (encoder == nullptr || !is_span(leaf.data, leaf.size) || !is_span(settings, count) || !is_span(words, capacity) ||
      bits == nullptr) {
    return VIREO_BAD_ARGUMENT;
  }
  return guarded([&] {
    const auto fields = settings_of(settings, count);
    if (!fields) return VIREO_BAD_ARGUMENT;
    Diagnostics found;
    const Result<isa::Bits> word = encoder->encoder.encode(from_c(leaf), *fields, found);
    add(diagnostics, found);
    if (!word) return VIREO_REPORTED;
    *bits = word->width();
    // The size is set in any case, so that a second call can provide enough space.
    if (word->words().size() > capacity) return VIREO_BAD_ARGUMENT;
    std::copy(word->words().begin(), word->words().end(), words);
    return VIREO_OK;
  });
}

// The slow part of encoding: names are looked up and all known fields are encoded once, so that vireo_form_encode is
// cheap.
vireo_status vireo_form_create(const vireo_encoder* encoder, vireo_string leaf, const vireo_setting* settings,
                               std::size_t count, vireo_diagnostics* diagnostics, vireo_form** out) {
  return create(out, encoder != nullptr && is_span(leaf.data, leaf.size) && is_span(settings, count), [&] {
    const auto fields = settings_of(settings, count);
    if (!fields) return VIREO_BAD_ARGUMENT;
    Diagnostics found;
    Result<isa::EncodeForm> form = encoder->encoder.prepare(from_c(leaf), *fields, found);
    add(diagnostics, found);
    if (!form) return VIREO_REPORTED;
    *out = new vireo_form{std::move(form).value()};
    return VIREO_OK;
  });
}

void vireo_form_destroy(vireo_form* form) { delete form; }
std::uint32_t vireo_form_bits(const vireo_form* form) { return form == nullptr ? 0 : form->form.size(); }
std::uint32_t vireo_form_blank_count(const vireo_form* form) {
  return form == nullptr ? 0 : static_cast<std::uint32_t>(form->form.blank_count());
}

// The fast part. It reports nothing, so it need not allocate. If the caller wants the reasons, a second run finds them.
vireo_status vireo_form_encode(vireo_form* form, const std::uint64_t* values, std::size_t count,
                               vireo_diagnostics* diagnostics, std::uint64_t* words, std::size_t capacity) {
  if (form == nullptr || !is_span(values, count) || !is_span(words, capacity)) return VIREO_BAD_ARGUMENT;
  if (count < form->form.blank_count() || capacity < isa::words_for(form->form.size())) return VIREO_BAD_ARGUMENT;
  return guarded([&] {
    if (form->form.encode({values, count}, {words, capacity})) return VIREO_OK;
    if (diagnostics != nullptr) {
      Diagnostics found;
      static_cast<void>(form->form.encode({values, count}, found).ok());
      add(diagnostics, found);
    }
    return VIREO_REPORTED;
  });
}

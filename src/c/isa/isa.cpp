// SPDX-License-Identifier: Apache-2.0
//
// vireo_isa.h: instruction sets from descriptions. These functions are in libvireo-isa.
//
// A description, a decoder and a decoded word are three handles, as they are three objects in C++. So one
// description serves decoders of several generations, and one decoder serves any number of threads.
#include <optional>
#include <string>

#include "c/isa/handles.h"
#include "vireo/isa/print.h"

namespace vireo::c {
namespace {

// Unknown flags are rejected: a caller with a newer header would expect their effect.
constexpr std::uint32_t known_print_flags = VIREO_LABELS | VIREO_NO_REMARKS | VIREO_ROUND_TRIP_FLOATS;

bool are_isa_flags(std::uint32_t flags) { return (flags & ~std::uint32_t{VIREO_MESA_COMPAT}) == 0; }

/// Returns the result of loading: a handle if there was no error, and the diagnostics of each file. The locations of a
/// diagnostic refer to its own file, so the file name is passed with it.
vireo_status hand_over(isa::LoadedModel loaded, vireo_diagnostics* diagnostics, vireo_isa** out) {
  for (const isa::SourceFile& file : loaded.files) add(diagnostics, file.diagnostics, file.name);
  if (!loaded.ok()) return VIREO_REPORTED;
  *out = new vireo_isa{std::move(loaded.model)};
  return VIREO_OK;
}

/// Adapts the caller's callback; without one the library opens files itself. The callback writes into a text that is
/// local to the call and then moved, so a file is in memory once.
isa::ReadFile reader_of(vireo_read read, void* user) {
  if (read == nullptr) return {};
  return [read, user](const std::string& path) -> std::optional<std::string> {
    vireo_text text;
    if (read(user, path.data(), path.size(), &text) == 0) return std::nullopt;
    return std::move(text.text);
  };
}

/// Remarks are shown by default, so that 0 is the default of all flags.
isa::PrintOptions print_options(std::uint32_t flags) {
  isa::PrintOptions options;
  options.branch_labels = (flags & VIREO_LABELS) != 0;
  options.show_errors = (flags & VIREO_NO_REMARKS) == 0;
  if ((flags & VIREO_ROUND_TRIP_FLOATS) != 0) options.float_style = isa::FloatStyle::RoundTrip;
  return options;
}

/// Converts a field; its name is borrowed from the model.
vireo_field field_to_c(const isa::Model& model, const isa::DecodedField& field) {
  return {.name = to_c(model.text(field.name)),
          .value = field.value,
          .low = field.low,
          .width = field.width,
          .nested = field.nested,
          .is_shown = field.is_shown ? 1u : 0u};
}

/// Whether the arguments of a decoding are valid. The caller guarantees that `words` has as many words as `bits` needs.
bool is_instruction(const vireo_decoder* decoder, const std::uint64_t* words, std::uint32_t bits) {
  return decoder != nullptr && words != nullptr && bits != 0;
}

}  // namespace
}  // namespace vireo::c

using namespace vireo;
using namespace vireo::c;

vireo_status vireo_isa_load_file(vireo_string path, std::uint32_t flags, vireo_diagnostics* diagnostics,
                                 vireo_isa** out) {
  // An empty path that is not NULL is a valid argument: the file cannot be read, which is reported.
  return create(out, path.data != nullptr && are_isa_flags(flags), [&] {
    const isa::LoadOptions options{.mesa_compat = (flags & VIREO_MESA_COMPAT) != 0, .read = {}};
    return hand_over(isa::load_model(std::string(from_c(path)), options), diagnostics, out);
  });
}

vireo_status vireo_isa_load_text(vireo_string name, const char* text, std::size_t size, vireo_read read, void* user,
                                 std::uint32_t flags, vireo_diagnostics* diagnostics, vireo_isa** out) {
  return create(out, is_span(name.data, name.size) && is_span(text, size) && are_isa_flags(flags), [&] {
    const isa::LoadOptions options{.mesa_compat = (flags & VIREO_MESA_COMPAT) != 0, .read = reader_of(read, user)};
    // Copied: the loader owns the sources of a description.
    auto loaded = isa::load_model_text(std::string(from_c(name)), std::string(from_c({text, size})), options);
    return hand_over(std::move(loaded), diagnostics, out);
  });
}

void vireo_isa_destroy(vireo_isa* isa) { delete isa; }
std::uint32_t vireo_isa_unit_bits(const vireo_isa* isa) { return isa == nullptr ? 0 : isa->model.unit_bits(); }

// Any number is a valid generation: it includes everything that the description does not restrict to others.
vireo_status vireo_decoder_create(const vireo_isa* isa, std::uint32_t generation, std::uint32_t flags,
                                  vireo_decoder** out) {
  return create(out, isa != nullptr && are_isa_flags(flags), [&] {
    const isa::DecodeOptions options{.gen = generation, .mesa_compat = (flags & VIREO_MESA_COMPAT) != 0};
    // If the description is too large, the C++ decoder exists but cannot decode; C gets no handle for it.
    std::unique_ptr<vireo_decoder> made(new vireo_decoder{isa::Decoder(isa->model, options)});
    if (!made->decoder.is_usable()) return VIREO_FAILED;
    *out = made.release();
    return VIREO_OK;
  });
}

void vireo_decoder_destroy(vireo_decoder* decoder) { delete decoder; }

// --- decoded words ------------------------------------------------------------------------------------------------------

vireo_decoded* vireo_decoded_create(void) { return make_handle<vireo_decoded>(); }
void vireo_decoded_destroy(vireo_decoded* decoded) { delete decoded; }

// If nothing matches, `decoded` has no scopes and fields; the previous word's are removed.
vireo_status vireo_decode(const vireo_decoder* decoder, const std::uint64_t* words, std::uint32_t bits,
                          vireo_decoded* decoded) {
  if (!is_instruction(decoder, words, bits) || decoded == nullptr) return VIREO_BAD_ARGUMENT;
  return guarded([&] {
    decoded->model = &decoder->decoder.model();
    // The names are in the model, so the handle keeps a pointer to it. vireo.h requires that the model lives as long.
    const bool matched = decoder->decoder.decode({words, isa::words_for(bits)}, bits, decoded->decoded);
    return matched ? VIREO_OK : VIREO_NO_MATCH;
  });
}

std::uint32_t vireo_decoded_scope_count(const vireo_decoded* decoded) {
  return decoded == nullptr ? 0 : static_cast<std::uint32_t>(decoded->decoded.scopes().size());
}
std::uint32_t vireo_decoded_field_count(const vireo_decoded* decoded) {
  return decoded == nullptr ? 0 : static_cast<std::uint32_t>(decoded->decoded.fields().size());
}
std::uint32_t vireo_decoded_fault_count(const vireo_decoded* decoded) {
  return decoded == nullptr ? 0 : static_cast<std::uint32_t>(decoded->decoded.faults().size());
}

// The count is 0 before the first decoding, so the model is not null when it is used.
vireo_status vireo_decoded_scope(const vireo_decoded* decoded, std::uint32_t index, vireo_scope* out) {
  if (out == nullptr || index >= vireo_decoded_scope_count(decoded)) return VIREO_BAD_ARGUMENT;
  const isa::DecodedScope& scope = decoded->decoded.scopes()[index];
  const isa::Bitset& leaf = (*decoded->model)[scope.leaf];
  *out = {.name = to_c(decoded->model->text(leaf.name)),
          .display = to_c(leaf.display_name),
          .parent = scope.parent,
          .low = scope.low,
          .width = scope.width,
          .first_field = scope.fields.first,
          .field_count = scope.fields.count};
  return VIREO_OK;
}

vireo_status vireo_decoded_field(const vireo_decoded* decoded, std::uint32_t index, vireo_field* out) {
  if (out == nullptr || index >= vireo_decoded_field_count(decoded)) return VIREO_BAD_ARGUMENT;
  *out = field_to_c(*decoded->model, decoded->decoded.fields()[index]);
  return VIREO_OK;
}

vireo_status vireo_decoded_fault(const vireo_decoded* decoded, std::uint32_t index, vireo_string* out) {
  if (out == nullptr || index >= vireo_decoded_fault_count(decoded)) return VIREO_BAD_ARGUMENT;
  *out = to_c(decoded->decoded.faults()[index].message);
  return VIREO_OK;
}

// The library parses the path. If nothing matched, there is no scope to search.
vireo_status vireo_decoded_find(const vireo_decoded* decoded, const char* path, std::size_t size, vireo_field* out) {
  if (decoded == nullptr || out == nullptr || !is_span(path, size)) return VIREO_BAD_ARGUMENT;
  return guarded([&] {
    const bool matched = decoded->model != nullptr && decoded->decoded.matched();
    const isa::DecodedField* field = matched ? decoded->decoded.find(from_c({path, size})) : nullptr;
    if (field == nullptr) return VIREO_NO_MATCH;
    *out = field_to_c(*decoded->model, *field);
    return VIREO_OK;
  });
}

// --- text ---------------------------------------------------------------------------------------------------------------

vireo_status vireo_isa_disassemble(const vireo_decoder* decoder, const void* bytes, std::size_t size,
                                   std::uint32_t flags, vireo_write write, void* user) {
  if (decoder == nullptr || !is_span(bytes, size) || write == nullptr || (flags & ~known_print_flags) != 0)
    return VIREO_BAD_ARGUMENT;
  return write_to(write, user, nullptr, [&](TextSink& sink, Diagnostics&) {
    // A printer per call leaves the decoder constant, so it can be shared. Faults of words are part of the text, not
    // diagnostics.
    isa::Printer(decoder->decoder, print_options(flags)).print(from_c({static_cast<const char*>(bytes), size}), sink);
  });
}

vireo_status vireo_isa_print_word(const vireo_decoder* decoder, const std::uint64_t* words, std::uint32_t bits,
                                  std::uint32_t flags, vireo_write write, void* user) {
  if (!is_instruction(decoder, words, bits) || write == nullptr || (flags & ~known_print_flags) != 0)
    return VIREO_BAD_ARGUMENT;
  return guarded([&] {
    std::string text;
    isa::Printer printer(decoder->decoder, print_options(flags));
    // If nothing matches, there is a text as well, which is written before the status is returned.
    const bool matched = printer.print_word({words, isa::words_for(bits)}, bits, text);
    if (write(user, text.data(), text.size()) == 0) return VIREO_STOPPED;
    return matched ? VIREO_OK : VIREO_NO_MATCH;
  });
}

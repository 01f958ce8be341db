// SPDX-License-Identifier: Apache-2.0
//
// vireo.h: building modules.
//
// Instead of nine hundred typed methods, C has one function that takes an opcode and operand words. The
// builder checks the operands against the grammar (Builder::instruction), because C has no types for them.
#include "c/handles.h"
#include "vireo/spirv/binary/writer.h"

namespace vireo::c {
namespace {

/// Runs a call of a builder and appends its diagnostics to the caller's list. builder->found is cleared in place first,
/// because the builder refers to it. If `body` returns VIREO_OK but an error was reported, the status is
/// VIREO_REPORTED.
template <typename Body>
vireo_status with_builder(vireo_builder* builder, vireo_diagnostics* diagnostics, Body body) {
  if (builder == nullptr) return VIREO_BAD_ARGUMENT;
  return guarded([&] {
    builder->found = Diagnostics();
    const vireo_status status = body(builder->builder);
    add(diagnostics, builder->found);
    return status == VIREO_OK ? status_of(builder->found) : status;
  });
}

// An opcode is the lower half of an instruction's first word (specification 2.3), so a larger number is invalid.
bool is_opcode(std::uint32_t opcode) { return opcode <= 0xFFFF; }

}  // namespace
}  // namespace vireo::c

using namespace vireo;
using namespace vireo::c;

vireo_status vireo_builder_create(std::uint32_t major_version, std::uint32_t minor_version, vireo_builder** out) {
  // a byte each in the header
  return create(out, major_version <= 0xFF && minor_version <= 0xFF, [&] {
    const spirv::Version version{static_cast<std::uint8_t>(major_version), static_cast<std::uint8_t>(minor_version)};
    *out = new vireo_builder({.version = version});
    return VIREO_OK;
  });
}

void vireo_builder_destroy(vireo_builder* builder) { delete builder; }

vireo_status vireo_builder_add(vireo_builder* builder, std::uint32_t opcode, const std::uint32_t* operands,
                               std::size_t count, std::uint32_t* result, vireo_diagnostics* diagnostics) {
  if (!is_opcode(opcode) || !is_span(operands, count)) return VIREO_BAD_ARGUMENT;
  return with_builder(builder, diagnostics, [&](spirv::Builder& b) {
    const auto op = static_cast<spirv::Op>(opcode);
    const spirv::Words words(operands, count);
    // `result` is an input and an output. 0 is not a valid id, so it requests a new one.
    const bool is_reserved = result != nullptr && *result != 0;
    const spirv::AnyId made =
        is_reserved ? b.giving(spirv::AnyId(*result)).instruction(op, words) : b.instruction(op, words);
    if (result != nullptr) *result = made.word;
    return VIREO_OK;
  });
}

vireo_status vireo_builder_reserve(vireo_builder* builder, std::uint32_t opcode, std::uint32_t* out,
                                   vireo_diagnostics* diagnostics) {
  if (!is_opcode(opcode) || out == nullptr) return VIREO_BAD_ARGUMENT;
  return with_builder(builder, diagnostics, [&](spirv::Builder& b) {
    *out = b.reserve_for(static_cast<spirv::Op>(opcode)).word;
    return VIREO_OK;
  });
}

// With the terminating zero byte, n bytes take n / 4 + 1 words. If n is a multiple of four, the last word is 0. The
// function allocates no memory, so it needs no guard.
std::size_t vireo_string_words(vireo_string text, std::uint32_t* out, std::size_t capacity) {
  if (!is_span(text.data, text.size) || !is_span(out, capacity)) return 0;
  for (std::size_t word = 0; word < capacity && word <= text.size / 4; ++word) {
    std::uint32_t packed = 0;  // the low byte first (specification 2.2.1)
    for (std::size_t i = 4 * word; i < 4 * word + 4 && i < text.size; ++i)
      packed |= static_cast<std::uint32_t>(static_cast<unsigned char>(text.data[i])) << 8 * (i % 4);
    out[word] = packed;
  }
  return text.size / 4 + 1;
}

vireo_status vireo_builder_add_requirements(vireo_builder* builder, vireo_diagnostics* diagnostics) {
  return with_builder(builder, diagnostics, [](spirv::Builder& b) {
    b.add_requirements();
    return VIREO_OK;
  });
}

vireo_status vireo_builder_build(vireo_builder* builder, vireo_diagnostics* diagnostics, vireo_words** out) {
  if (out == nullptr) return VIREO_BAD_ARGUMENT;
  *out = nullptr;
  return with_builder(builder, diagnostics, [&](spirv::Builder& b) {
    // A builder that has reported an error always fails, but the error may be from an earlier call. So the status
    // depends on the result, not on the diagnostics of this call.
    Result<spirv::WordBuffer> words = b.build();
    if (words) *out = new vireo_words{std::move(*words)};
    return words ? VIREO_OK : VIREO_REPORTED;
  });
}

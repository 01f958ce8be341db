// SPDX-License-Identifier: Apache-2.0
//
// The C interface of specialization (vireo/vireo_transform.h).
#include "vireo/spirv/transform/specialize.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

#include "c/handles.h"
#include "vireo/vireo_transform.h"

struct vireo_specializer {
  vireo::spirv::Specializer specializer;
};

// Also keeps the memory of values and of the result, so that calls need no other memory.
struct vireo_specializer_memory {
  vireo::spirv::SpecializerMemory memory;
  std::vector<vireo::spirv::Specialization> values;
  std::vector<vireo::spirv::SpecMapEntry> entries;
  vireo::spirv::WordBuffer result;
};

using namespace vireo;
using namespace vireo::c;

namespace {

using spirv::SpecConstant;
static_assert(VIREO_SPEC_BOOL == static_cast<int>(SpecConstant::Kind::Bool) &&
              VIREO_SPEC_INT == static_cast<int>(SpecConstant::Kind::Int) &&
              VIREO_SPEC_FLOAT == static_cast<int>(SpecConstant::Kind::Float));

vireo_spec_value c_value_of(const spirv::Specialization& value) { return {value.spec_id, 0, value.bits}; }

// Specializes with the values in `memory`, and copies the result to the caller's buffer.
vireo_status specialize_into(const vireo_specializer& of, std::uint32_t flags, vireo_specializer_memory& memory,
                             std::uint32_t* out, std::size_t capacity, std::size_t& out_count, Diagnostics& found) {
  const spirv::SpecializeOptions options = {.freeze_rest = (flags & VIREO_SPECIALIZE_FREEZE_REST) != 0,
                                            .prune = (flags & VIREO_SPECIALIZE_PRUNE) != 0};
  if (of.specializer.specialize(memory.values, options, memory.memory, memory.result, found)) return VIREO_REPORTED;
  return copy_out(memory.result, out, capacity, out_count);
}

bool are_flags(std::uint32_t flags) {
  return (flags & ~std::uint32_t{VIREO_SPECIALIZE_FREEZE_REST | VIREO_SPECIALIZE_PRUNE}) == 0;
}

}  // namespace

vireo_status vireo_specializer_create(const std::uint32_t* words, std::size_t count, const vireo_profile* profile,
                                      vireo_diagnostics* diagnostics, vireo_specializer** out) {
  return create(out, is_span(words, count), diagnostics, [&](Diagnostics& found) {
    const spirv::ValidateOptions validation = options_of(profile);
    const spirv::SpecializerOptions options = {
        .grammar = validation.grammar, .environment = validation.environment, .features = validation.features};
    return spirv::Specializer::read({words, count}, options, found);
  });
}

void vireo_specializer_destroy(vireo_specializer* specializer) { delete specializer; }

vireo_specializer_memory* vireo_specializer_memory_create() { return make_handle<vireo_specializer_memory>(); }

void vireo_specializer_memory_destroy(vireo_specializer_memory* memory) { delete memory; }

const std::uint32_t* vireo_specializer_memory_words(const vireo_specializer_memory* memory, std::size_t* count) {
  const bool has_words = memory != nullptr && !memory->result.empty();
  if (count != nullptr) *count = has_words ? memory->result.size() : 0;
  return has_words ? memory->result.data() : nullptr;
}

std::size_t vireo_specializer_constant_count(const vireo_specializer* specializer) {
  return specializer == nullptr ? 0 : specializer->specializer.constants().size();
}

vireo_status vireo_specializer_constant(const vireo_specializer* specializer, std::size_t index,
                                        vireo_spec_constant* out) {
  if (specializer == nullptr || out == nullptr) return VIREO_BAD_ARGUMENT;
  const std::span<const SpecConstant> constants = specializer->specializer.constants();
  if (index >= constants.size()) return VIREO_NO_MATCH;
  const SpecConstant& constant = constants[index];
  *out = {.spec_id = constant.spec_id,
          .id = constant.id,
          .kind = static_cast<std::uint32_t>(constant.kind),
          .is_signed = constant.is_signed ? 1u : 0u,
          .width = constant.width,
          .reserved = 0,
          .default_bits = constant.default_bits,
          .name = to_c(constant.name)};
  return VIREO_OK;
}

vireo_status vireo_specializer_parse(const vireo_specializer* specializer, vireo_string constant, vireo_string value,
                                     vireo_diagnostics* diagnostics, vireo_spec_value* out) {
  if (specializer == nullptr || out == nullptr) return VIREO_BAD_ARGUMENT;
  if (!is_span(constant.data, constant.size) || !is_span(value.data, value.size)) return VIREO_BAD_ARGUMENT;
  return guarded([&] {
    Diagnostics found;
    const auto parsed = specializer->specializer.parse_value(from_c(constant), from_c(value), found);
    add(diagnostics, found);
    if (parsed) *out = c_value_of(*parsed);
    return parsed ? VIREO_OK : VIREO_REPORTED;
  });
}

vireo_status vireo_specializer_parse_json(const vireo_specializer* specializer, vireo_string json,
                                          vireo_spec_value* out, std::size_t capacity, std::size_t* out_count,
                                          vireo_diagnostics* diagnostics) {
  if (specializer == nullptr || out_count == nullptr) return VIREO_BAD_ARGUMENT;
  if (!is_span(json.data, json.size) || !is_span(out, capacity)) return VIREO_BAD_ARGUMENT;
  return guarded([&] {
    Diagnostics found;
    const auto values = specializer->specializer.parse_values(from_c(json), found);
    add(diagnostics, found);
    if (!values) return VIREO_REPORTED;
    std::vector<vireo_spec_value> rows;
    std::ranges::transform(*values, std::back_inserter(rows), c_value_of);
    return copy_out(rows, out, capacity, *out_count);
  });
}

vireo_status vireo_specialize(const vireo_specializer* specializer, const vireo_spec_value* values,
                              std::size_t value_count, std::uint32_t flags, vireo_specializer_memory* memory,
                              std::uint32_t* out, std::size_t capacity, std::size_t* out_count,
                              vireo_diagnostics* diagnostics) {
  if (specializer == nullptr || memory == nullptr || out_count == nullptr) return VIREO_BAD_ARGUMENT;
  if (!is_span(values, value_count) || !is_span(out, capacity) || !are_flags(flags)) return VIREO_BAD_ARGUMENT;
  return guarded([&] {
    memory->values.clear();
    for (const vireo_spec_value& value : std::span(values, value_count)) {
      memory->values.push_back({value.spec_id, value.bits});
    }
    Diagnostics found;
    const vireo_status status = specialize_into(*specializer, flags, *memory, out, capacity, *out_count, found);
    add(diagnostics, found);
    return status;
  });
}

vireo_status vireo_specialize_info(const vireo_specializer* specializer, const vireo_specialization_info* info,
                                   std::uint32_t flags, vireo_specializer_memory* memory, std::uint32_t* out,
                                   std::size_t capacity, std::size_t* out_count, vireo_diagnostics* diagnostics) {
  if (specializer == nullptr || info == nullptr || memory == nullptr || out_count == nullptr) return VIREO_BAD_ARGUMENT;
  if (!is_span(info->entries, info->entry_count) || !is_span(info->data, info->data_size)) return VIREO_BAD_ARGUMENT;
  if (!is_span(out, capacity) || !are_flags(flags)) return VIREO_BAD_ARGUMENT;
  return guarded([&] {
    memory->entries.clear();
    for (const vireo_specialization_entry& entry : std::span(info->entries, info->entry_count)) {
      memory->entries.push_back({entry.constant_id, entry.offset, entry.size});
    }
    memory->values.clear();
    Diagnostics found;
    const std::span<const std::byte> data(static_cast<const std::byte*>(info->data), info->data_size);
    vireo_status status = VIREO_REPORTED;
    if (!specializer->specializer.read_map(memory->entries, data, memory->values, found)) {
      status = specialize_into(*specializer, flags, *memory, out, capacity, *out_count, found);
    }
    add(diagnostics, found);
    return status;
  });
}

// SPDX-License-Identifier: Apache-2.0
//
// The C interface of executions (vireo/vireo_run.h).
//
// A C++ executor borrows words, options and push constants; the handle owns copies of them. It must not move, because the
// options refer to it.
#include "vireo/spirv/run.h"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "c/handles.h"
#include "vireo/vireo_run.h"

using namespace vireo;
using namespace vireo::c;

struct vireo_executor {
  spirv::WordBuffer words;
  std::string entry_point;
  std::vector<spirv::Specialization> specializations;
  std::vector<spirv::RuleChoice> rules;  // their names have static lifetime
  std::vector<std::byte> push_constants;
  vireo_on_printed_line on_printed_line = nullptr;
  vireo_keep_running keep_running = nullptr;
  void* user = nullptr;
  bool is_stopped = false;                  // a callback of this dispatch returned 0
  std::optional<spirv::Executor> executor;  // never empty after the creation
};

namespace {

static_assert(VIREO_ROBUSTNESS_OFF == static_cast<int>(spirv::Robustness::Off) &&
              VIREO_ROBUSTNESS_ROBUST == static_cast<int>(spirv::Robustness::Robust) &&
              VIREO_ROBUSTNESS_ROBUST2 == static_cast<int>(spirv::Robustness::Robust2));
static_assert(VIREO_UNDEFINED_RANDOM == static_cast<int>(spirv::UndefinedBytes::Random) &&
              VIREO_UNDEFINED_ZERO == static_cast<int>(spirv::UndefinedBytes::Zero) &&
              VIREO_UNDEFINED_ONES == static_cast<int>(spirv::UndefinedBytes::Ones));
static_assert(VIREO_DISPATCH_FINISHED == static_cast<int>(spirv::DispatchEnd::Finished) &&
              VIREO_DISPATCH_STEP_LIMIT == static_cast<int>(spirv::DispatchEnd::StepLimit) &&
              VIREO_DISPATCH_STUCK == static_cast<int>(spirv::DispatchEnd::Stuck) &&
              VIREO_DISPATCH_INTERRUPTED == static_cast<int>(spirv::DispatchEnd::Interrupted));

bool are_options(const vireo_run_options& options) {
  constexpr std::uint32_t flags = VIREO_RUN_NO_CHECKS | VIREO_RUN_NO_RACES;
  return is_span(options.entry_point.data, options.entry_point.size) &&
         is_span(options.specializations, options.specialization_count) && (options.flags & ~flags) == 0 &&
         options.robustness <= VIREO_ROBUSTNESS_ROBUST2 && options.undefined <= VIREO_UNDEFINED_ONES;
}

using Address = spirv::SamplerAddress;
using Compare = spirv::SamplerCompare;
static_assert(VIREO_BORDER_TRANSPARENT_BLACK == static_cast<int>(spirv::SamplerBorder::TransparentBlack) &&
              VIREO_BORDER_OPAQUE_BLACK == static_cast<int>(spirv::SamplerBorder::OpaqueBlack) &&
              VIREO_BORDER_OPAQUE_WHITE == static_cast<int>(spirv::SamplerBorder::OpaqueWhite));
constexpr std::uint32_t sampler_flags =
    VIREO_SAMPLER_MAG_LINEAR | VIREO_SAMPLER_MIN_LINEAR | VIREO_SAMPLER_MIP_LINEAR | VIREO_SAMPLER_UNNORMALIZED;

bool is_sampler(const vireo_sampler& given) {
  constexpr auto last_address = static_cast<std::uint32_t>(Address::MirrorClampToEdge);
  return (given.flags & ~sampler_flags) == 0 && given.address_u <= last_address && given.address_v <= last_address &&
         given.address_w <= last_address && given.border <= VIREO_BORDER_OPAQUE_WHITE &&
         given.compare <= static_cast<std::uint32_t>(Compare::Always);
}

// The enumerators of address modes and comparisons are in the order of Vulkan.
spirv::RunSampler sampler_of(const vireo_sampler& given) {
  return {.mag_linear = (given.flags & VIREO_SAMPLER_MAG_LINEAR) != 0,
          .min_linear = (given.flags & VIREO_SAMPLER_MIN_LINEAR) != 0,
          .mip_linear = (given.flags & VIREO_SAMPLER_MIP_LINEAR) != 0,
          .address_u = static_cast<Address>(given.address_u),
          .address_v = static_cast<Address>(given.address_v),
          .address_w = static_cast<Address>(given.address_w),
          .border = static_cast<spirv::SamplerBorder>(given.border),
          .compare = static_cast<Compare>(given.compare),
          .is_normalized = (given.flags & VIREO_SAMPLER_UNNORMALIZED) == 0,
          .lod_bias = given.lod_bias,
          .min_lod = given.min_lod,
          .max_lod = given.max_lod};
}

// A member that is 0 leaves the default of the library.
template <typename Number>
void choose(Number& option, Number given) {
  if (given != 0) option = given;
}

// The options of a handle, which already has its words. They refer to the handle.
spirv::RunOptions run_options(vireo_executor& handle, const vireo_run_options& given) {
  const spirv::ValidateOptions validation = options_of(given.profile);
  handle.entry_point = from_c(given.entry_point);
  handle.rules.assign(validation.rules.begin(), validation.rules.end());
  for (const vireo_spec_value& value : std::span(given.specializations, given.specialization_count)) {
    handle.specializations.push_back({value.spec_id, value.bits});
  }
  handle.on_printed_line = given.on_printed_line;
  handle.keep_running = given.keep_running;
  handle.user = given.user;

  spirv::RunOptions options;
  options.grammar = validation.grammar;
  options.environment = validation.environment;
  options.entry_point = handle.entry_point;
  options.specializations = handle.specializations;
  options.rules = handle.rules;
  options.checks = (given.flags & VIREO_RUN_NO_CHECKS) == 0;
  options.races = (given.flags & VIREO_RUN_NO_RACES) == 0;
  options.robustness = static_cast<spirv::Robustness>(given.robustness);
  options.undefined = static_cast<spirv::UndefinedBytes>(given.undefined);
  choose(options.subgroup_size, given.subgroup_size);
  choose(options.seed, given.seed);
  choose(options.max_steps, given.max_steps);
  choose(options.max_steps_of_subgroup, given.max_steps_of_subgroup);
  choose(options.max_memory, given.max_memory);
  // After the answer 0, no callback is called again in this dispatch.
  if (given.on_printed_line != nullptr) {
    options.print = [&handle](const spirv::PrintedLine& line) {
      if (handle.is_stopped) return;
      const auto& at = line.invocation;
      const vireo_printed_line printed = {.text = to_c(line.text), .invocation = {at[0], at[1], at[2]}, .reserved = 0};
      handle.is_stopped = handle.on_printed_line(handle.user, &printed) == 0;
    };
  }
  options.is_interrupted = [&handle] {
    if (!handle.is_stopped && handle.keep_running != nullptr) {
      handle.is_stopped = handle.keep_running(handle.user) == 0;
    }
    return handle.is_stopped;
  };
  return options;
}

}  // namespace

vireo_status vireo_executor_create(const std::uint32_t* words, std::size_t count, const vireo_run_options* options,
                                   vireo_diagnostics* diagnostics, vireo_executor** out) {
  const vireo_run_options given = options == nullptr ? vireo_run_options{} : *options;
  return create(out, is_span(words, count) && are_options(given), [&] {
    auto handle = std::make_unique<vireo_executor>();
    handle->words.assign(words, words + count);
    Diagnostics found;
    auto executor = spirv::Executor::create(handle->words, run_options(*handle, given), found);
    add(diagnostics, found);
    if (!executor) return VIREO_REPORTED;
    handle->executor.emplace(std::move(*executor));
    *out = handle.release();
    return VIREO_OK;
  });
}

void vireo_executor_destroy(vireo_executor* executor) { delete executor; }

vireo_status vireo_executor_workgroup_size(const vireo_executor* executor, std::uint32_t* out) {
  if (executor == nullptr || out == nullptr) return VIREO_BAD_ARGUMENT;
  std::ranges::copy(executor->executor->workgroup_size(), out);
  return VIREO_OK;
}

vireo_string vireo_executor_entry_point(const vireo_executor* executor) {
  return to_c(executor == nullptr ? std::string_view() : executor->executor->entry_point());
}

vireo_status vireo_executor_bind_buffer(vireo_executor* executor, std::uint32_t set, std::uint32_t binding,
                                        std::uint32_t element, void* bytes, std::size_t size) {
  if (executor == nullptr || !is_span(bytes, size)) return VIREO_BAD_ARGUMENT;
  return guarded([&] {
    executor->executor->bind(
        {.set = set, .binding = binding, .element = element, .bytes = {static_cast<std::byte*>(bytes), size}});
    return VIREO_OK;
  });
}

vireo_status vireo_executor_bind_image(vireo_executor* executor, std::uint32_t set, std::uint32_t binding,
                                       std::uint32_t element, const vireo_image* image) {
  if (executor == nullptr || image == nullptr || !is_span(image->format.data, image->format.size) ||
      !is_span(image->bytes, image->size)) {
    return VIREO_BAD_ARGUMENT;
  }
  return guarded([&] {
    spirv::ImageBinding bound;
    bound.set = set;
    bound.binding = binding;
    bound.element = element;
    bound.format = from_c(image->format);
    choose(bound.width, image->width);
    choose(bound.height, image->height);
    choose(bound.depth, image->depth);
    choose(bound.layers, image->layers);
    choose(bound.levels, image->levels);
    bound.bytes = {static_cast<std::byte*>(image->bytes), image->size};
    return executor->executor->bind_image(bound) ? VIREO_OK : VIREO_BAD_ARGUMENT;
  });
}

vireo_status vireo_executor_bind_sampler(vireo_executor* executor, std::uint32_t set, std::uint32_t binding,
                                         std::uint32_t element, const vireo_sampler* sampler) {
  if (executor == nullptr || (sampler != nullptr && !is_sampler(*sampler))) return VIREO_BAD_ARGUMENT;
  return guarded([&] {
    const spirv::RunSampler chosen = sampler == nullptr ? spirv::RunSampler{} : sampler_of(*sampler);
    executor->executor->bind_sampler(
        spirv::SamplerBinding{.set = set, .binding = binding, .element = element, .sampler = chosen});
    return VIREO_OK;
  });
}

vireo_status vireo_executor_push(vireo_executor* executor, const void* bytes, std::size_t size) {
  if (executor == nullptr || !is_span(bytes, size)) return VIREO_BAD_ARGUMENT;
  return guarded([&] {
    const std::span given(static_cast<const std::byte*>(bytes), size);
    executor->push_constants.assign(given.begin(), given.end());
    executor->executor->push(executor->push_constants);
    return VIREO_OK;
  });
}

vireo_status vireo_executor_dispatch(vireo_executor* executor, std::uint32_t x, std::uint32_t y, std::uint32_t z,
                                     vireo_diagnostics* diagnostics, vireo_run_report* out) {
  if (executor == nullptr || out == nullptr) return VIREO_BAD_ARGUMENT;
  *out = {};
  executor->is_stopped = false;
  return guarded([&] {
    Diagnostics found;
    const auto report = executor->executor->dispatch({x, y, z}, found);
    add(diagnostics, found);
    if (!report) return VIREO_REPORTED;
    *out = {.end = static_cast<std::uint32_t>(report->end),
            .reserved = 0,
            .invocations = report->invocations,
            .subgroup_instructions = report->subgroup_instructions,
            .invocation_instructions = report->invocation_instructions,
            .findings = report->findings};
    return executor->is_stopped ? VIREO_STOPPED : VIREO_OK;
  });
}

vireo_status vireo_run_severity(vireo_string rule, std::uint32_t* out) {
  if (out == nullptr || !is_span(rule.data, rule.size)) return VIREO_BAD_ARGUMENT;
  return guarded([&] {
    const std::optional<Severity> severity = spirv::run_severity(from_c(rule));
    *out = severity ? static_cast<std::uint32_t>(*severity) : 0;
    return severity ? VIREO_OK : VIREO_NO_MATCH;
  });
}

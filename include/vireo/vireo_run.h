// SPDX-License-Identifier: Apache-2.0
//
// The C interface of executions: compute shaders run without a GPU (vireo/spirv/run.h).
//
// An executor runs one entry point of a module. It executes what the specification defines, and reports each instruction
// whose behavior or result is undefined: as a diagnostic of a rule, with a note that states an invocation and its values.
//
//   vireo_executor *executor = NULL;
//   vireo_run_report report;
//   if (vireo_executor_create(words, count, NULL, found, &executor) == VIREO_OK) {
//     vireo_executor_bind_buffer(executor, 0, 1, 0, numbers, sizeof numbers);  // set 0, binding 1
//     vireo_executor_dispatch(executor, 4, 1, 1, found, &report);
//   }
//   vireo_executor_destroy(executor);
//
// An executor must be used by one thread at a time, and not by its own callbacks. Several executors can run at once.
#pragma once

#include "vireo/vireo.h"
#include "vireo/vireo_transform.h"

// NOLINTBEGIN: clang-tidy checks this header as C++, but it is C.

#ifdef __cplusplus
extern "C" {
#endif

/// An entry point that is ready for execution, with its buffers.
typedef struct vireo_executor vireo_executor;

/// A line that DebugPrintf prints, without a line end. The text is valid during the call.
typedef struct vireo_printed_line {
  vireo_string text;
  uint32_t invocation[3];  ///< GlobalInvocationId
  uint32_t reserved;       ///< 0
} vireo_printed_line;

/// Called for each line of DebugPrintf. Returns 1 to continue. 0 stops the dispatch at the next occasion; further lines
/// are discarded.
typedef int (*vireo_on_printed_line)(void* user, const vireo_printed_line* line);
/// Called before each workgroup, and from time to time in long ones. Returns 1 to continue, 0 to stop the dispatch.
typedef int (*vireo_keep_running)(void* user);

typedef enum vireo_run_flags {
  /// Undefined values are not tracked, and there are no findings and no races. The execution is faster.
  VIREO_RUN_NO_CHECKS = 1u << 0,
  VIREO_RUN_NO_RACES = 1u << 1,  ///< accesses of different invocations to the same memory are not compared
} vireo_run_flags;

/// What an access outside a buffer does (Vulkan, "Shader Memory Access Bounds").
typedef enum vireo_robustness {
  VIREO_ROBUSTNESS_OFF = 0,      ///< an error: a load gives an undefined value, a store has no effect
  VIREO_ROBUSTNESS_ROBUST = 1,   ///< a warning: a load gives 0, a store has no effect
  VIREO_ROBUSTNESS_ROBUST2 = 2,  ///< the same, as VK_EXT_robustness2 guarantees it
} vireo_robustness;

/// The bytes of memory that no instruction has written, and of OpUndef.
typedef enum vireo_undefined_bytes {
  VIREO_UNDEFINED_RANDOM = 0,
  VIREO_UNDEFINED_ZERO = 1,
  VIREO_UNDEFINED_ONES = 2,
} vireo_undefined_bytes;

/// Options of vireo_executor_create. If all members are 0, they have their defaults. Everything is copied, except the
/// grammar of the profile and `user`, which must outlive the executor.
typedef struct vireo_run_options {
  /// Its environment decides which results are undefined, its rules choose the severities of findings, its grammar reads
  /// the module: `{"environment": "vulkan1.3", "rules": {"zero-divisor": "warn"}}`. The rest of it has no influence.
  /// NULL: the newest universal SPIR-V, with the severities of vireo_run_severity.
  const vireo_profile* profile;
  vireo_string entry_point;                 ///< its name; empty: the only one
  const vireo_spec_value* specializations;  ///< if several have the same SpecId, the last one applies
  size_t specialization_count;              ///< values at `specializations`
  uint32_t subgroup_size;                   ///< a power of two up to 128; 0: 32
  uint32_t flags;                           ///< a set of vireo_run_flags
  uint32_t robustness;                      ///< vireo_robustness
  uint32_t undefined;                       ///< vireo_undefined_bytes
  uint64_t seed;                            ///< of random bytes; 0: 1
  uint64_t max_steps;                       ///< instructions of all invocations of a dispatch; 0: 10,000,000,000
  uint64_t max_steps_of_subgroup;           ///< instructions that a subgroup executes; 0: 100,000,000
  uint64_t max_memory;                      ///< bytes of variables and values; 0: 1 GiB
  vireo_on_printed_line on_printed_line;    ///< NULL: lines are discarded
  vireo_keep_running keep_running;          ///< NULL: the dispatch is not interrupted
  void* user;                               ///< passed to the callbacks
} vireo_run_options;

/// Prepares an entry point of a module in host byte order. The words are copied. `options` may be NULL.
/// VIREO_BAD_ARGUMENT also: an unknown flag or enumerator. VIREO_REPORTED: the module is invalid in universal SPIR-V with
/// all features; it has no such entry point, or several and `entry_point` is empty; an instruction that the entry point
/// may reach, or the size of a subgroup, is not supported (rule run-unsupported).
VIREO_API vireo_status vireo_executor_create(const uint32_t* words, size_t count, const vireo_run_options* options,
                                             vireo_diagnostics* diagnostics, vireo_executor** out);
VIREO_API void vireo_executor_destroy(vireo_executor* executor);

/// The number of invocations of a workgroup in x, y and z, after specialization. `out` has space for three numbers.
VIREO_API vireo_status vireo_executor_workgroup_size(const vireo_executor* executor, uint32_t* out);
/// The name of the entry point; valid as long as the executor.
VIREO_API vireo_string vireo_executor_entry_point(const vireo_executor* executor);

// --- resources ----------------------------------------------------------------------------------------------------------

/// Binds a buffer of `size` bytes to all variables with this DescriptorSet and Binding. `element` is the index in an array
/// of descriptors, otherwise 0. Dispatches read and write the bytes. They are borrowed until the executor is destroyed or
/// the same descriptor is bound again.
VIREO_API vireo_status vireo_executor_bind_buffer(vireo_executor* executor, uint32_t set, uint32_t binding,
                                                  uint32_t element, void* bytes, size_t size);

/// An image. Texels of the levels follow each other; a level has its layers, a layer its slices, a slice its rows, without
/// padding. A texel buffer is an image with one row.
typedef struct vireo_image {
  vireo_string format;            ///< of Vulkan: "R8G8B8A8_UNORM"; borrowed during the call
  uint32_t width, height, depth;  ///< of the first level, in texels; 0: 1
  uint32_t layers;                ///< six for each cube; 0: 1
  uint32_t levels;                ///< 0: 1
  uint32_t reserved;              ///< 0
  void* bytes;                    ///< borrowed as for vireo_executor_bind_buffer
  size_t size;                    ///< bytes
} vireo_image;

/// Binds an image. VIREO_BAD_ARGUMENT also: the executor does not have the format, or `size` is less than the bytes of all
/// texels.
VIREO_API vireo_status vireo_executor_bind_image(vireo_executor* executor, uint32_t set, uint32_t binding,
                                                 uint32_t element, const vireo_image* image);

typedef enum vireo_sampler_flags {
  VIREO_SAMPLER_MAG_LINEAR = 1u << 0,
  VIREO_SAMPLER_MIN_LINEAR = 1u << 1,
  VIREO_SAMPLER_MIP_LINEAR = 1u << 2,
  VIREO_SAMPLER_UNNORMALIZED = 1u << 3,  ///< coordinates are texels
} vireo_sampler_flags;

typedef enum vireo_sampler_border {
  VIREO_BORDER_TRANSPARENT_BLACK = 0,
  VIREO_BORDER_OPAQUE_BLACK = 1,
  VIREO_BORDER_OPAQUE_WHITE = 2,
} vireo_sampler_border;

/// A sampler, without anisotropy.
typedef struct vireo_sampler {
  uint32_t flags;                            ///< a set of vireo_sampler_flags; others are nearest
  uint32_t address_u, address_v, address_w;  ///< the values of VkSamplerAddressMode: 0 repeats
  uint32_t border;                           ///< vireo_sampler_border
  uint32_t compare;                          ///< the values of VkCompareOp: 0 is never
  double lod_bias, min_lod, max_lod;         ///< as in VkSamplerCreateInfo
} vireo_sampler;

/// Binds a sampler, which is copied. NULL: nearest filters, repeating, all levels. For a combined image and sampler, bind
/// an image and a sampler.
VIREO_API vireo_status vireo_executor_bind_sampler(vireo_executor* executor, uint32_t set, uint32_t binding,
                                                   uint32_t element, const vireo_sampler* sampler);

/// Sets the push constants from offset 0 on, for all following dispatches. The bytes are copied. Push constants beyond
/// them are undefined.
VIREO_API vireo_status vireo_executor_push(vireo_executor* executor, const void* bytes, size_t size);

// --- dispatches ---------------------------------------------------------------------------------------------------------

/// Why a dispatch ended.
typedef enum vireo_dispatch_end {
  VIREO_DISPATCH_FINISHED = 0,     ///< all invocations ended
  VIREO_DISPATCH_STEP_LIMIT = 1,   ///< a diagnostic of the rule step-limit, or a note, states where
  VIREO_DISPATCH_STUCK = 2,        ///< no invocation can continue; a diagnostic states why
  VIREO_DISPATCH_INTERRUPTED = 3,  ///< a callback returned 0
} vireo_dispatch_end;

/// What a dispatch did.
typedef struct vireo_run_report {
  uint32_t end;                      ///< vireo_dispatch_end
  uint32_t reserved;                 ///< 0
  uint64_t invocations;              ///< that were started
  uint64_t subgroup_instructions;    ///< executed: one for all active invocations of a subgroup
  uint64_t invocation_instructions;  ///< executed: one for each active invocation
  uint64_t findings;                 ///< occurrences of all kinds, including those that were only counted
} vireo_run_report;

/// Executes a grid of workgroups; the bound buffers then contain what the shader wrote. Findings are appended to
/// `diagnostics`, in the order of the words: one for each rule and instruction, with a note that counts the others. They,
/// and a step limit, are no failure of the call: VIREO_OK. VIREO_STOPPED: a callback returned 0; the report and the
/// findings are those until then. VIREO_REPORTED: nothing was executed, because a variable of the entry point has no
/// buffer, or variables and values exceed `max_memory`. Unless the status is VIREO_OK or VIREO_STOPPED, all members of
/// `*out` are 0.
VIREO_API vireo_status vireo_executor_dispatch(vireo_executor* executor, uint32_t x, uint32_t y, uint32_t z,
                                               vireo_diagnostics* diagnostics, vireo_run_report* out);

/// The vireo_severity that findings of a rule have in executions, unless a profile chooses another one. It may be higher
/// than in validations: what validation suspects has happened. VIREO_NO_MATCH: dispatches report no findings of the rule.
VIREO_API vireo_status vireo_run_severity(vireo_string rule, uint32_t* out);

#ifdef __cplusplus
}
#endif

// NOLINTEND

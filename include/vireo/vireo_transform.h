// SPDX-License-Identifier: Apache-2.0
//
// The C interface of transforms: functions that change whole modules (docs/transforms.md).
//
// All functions on whole modules have the same form. `words` is a module with its header in host byte
// order, borrowed during the call; `grammar` may be NULL for the built-in one. The result goes to `out`, which has
// space for `capacity` words. `*out_count` is set to the number of words of the result. To query only this number, pass
// NULL and 0. Too little space: VIREO_BAD_ARGUMENT; only `*out_count` is set. Unless a function says otherwise, a
// result is never longer than its module, so `count` words are enough. VIREO_REPORTED: the module cannot be divided
// into instructions. These functions are thread-safe: they take no lock and keep no state.
#pragma once

#include "vireo/vireo.h"

// NOLINTBEGIN: clang-tidy checks this header as C++, but it is C.

#ifdef __cplusplus
extern "C" {
#endif

/// The parts that vireo_strip removes (vireo/spirv/transform/strip.h).
typedef enum vireo_strip_parts {
  VIREO_STRIP_DEBUG = 1u << 0,        ///< sources, lines, strings, debug information sets
  VIREO_STRIP_NAMES = 1u << 1,        ///< OpName, OpMemberName
  VIREO_STRIP_NONSEMANTIC = 1u << 2,  ///< instructions of NonSemantic sets
  VIREO_STRIP_REFLECTION = 1u << 3,   ///< decorations and instructions for reflection
  VIREO_STRIP_ALL = 15u,
} vireo_strip_parts;

/// Removes what does not affect the semantics of the module (specification 2.15). `parts` is a set of
/// vireo_strip_parts.
VIREO_API vireo_status vireo_strip(const uint32_t* words, size_t count, uint32_t parts, const vireo_grammar* grammar,
                                   uint32_t* out, size_t capacity, size_t* out_count, vireo_diagnostics* diagnostics);

/// What vireo_trim removes (vireo/spirv/transform/trim.h).
typedef enum vireo_trim_parts {
  VIREO_TRIM_CAPABILITIES = 1u << 0,
  VIREO_TRIM_EXTENSIONS = 1u << 1,
  VIREO_TRIM_INTERFACES = 1u << 2,  ///< unused variables of entry points; changes the interface between stages
} vireo_trim_parts;

/// Removes declarations that neither the grammar nor the validator requires. `parts` is a set of vireo_trim_parts.
VIREO_API vireo_status vireo_trim(const uint32_t* words, size_t count, uint32_t parts, const vireo_grammar* grammar,
                                  uint32_t* out, size_t capacity, size_t* out_count, vireo_diagnostics* diagnostics);

/// What vireo_clean removes (vireo/spirv/transform/clean.h).
typedef enum vireo_clean_parts {
  VIREO_CLEAN_FUNCTIONS = 1u << 0,      ///< unused functions
  VIREO_CLEAN_BLOCKS = 1u << 1,         ///< constant branches, unreachable blocks; joins blocks
  VIREO_CLEAN_CODE = 1u << 2,           ///< instructions, selections and loops without an effect
  VIREO_CLEAN_VARIABLES = 1u << 3,      ///< unused variables
  VIREO_CLEAN_TYPES = 1u << 4,          ///< unused types, and duplicates
  VIREO_CLEAN_CONSTANTS = 1u << 5,      ///< unused constants, and duplicates
  VIREO_CLEAN_COMPACT_IDS = 1u << 6,    ///< renumbers the ids
  VIREO_CLEAN_DEFAULT = 127u,           ///< all of these
  VIREO_CLEAN_MEMBERS = 1u << 7,        ///< unused members of structures
  VIREO_CLEAN_CANONICAL_IDS = 1u << 8,  ///< orders declarations and numbers ids by their contents
  VIREO_CLEAN_DROP_BINDINGS = 1u << 9,  ///< also unused variables that others can see
  VIREO_CLEAN_DROP_SPECS = 1u << 10,    ///< also unused constants with a SpecId
} vireo_clean_parts;

/// Removes what the module does not need, and leaves what it computes. `parts` is a set of vireo_clean_parts. Also
/// reports an instruction that cannot be decoded. The result can be longer than the module: new constants, OpUndef and
/// OpLine instructions are possible. Query the number of words first.
VIREO_API vireo_status vireo_clean(const uint32_t* words, size_t count, uint32_t parts, const vireo_grammar* grammar,
                                   uint32_t* out, size_t capacity, size_t* out_count, vireo_diagnostics* diagnostics);

// --- linking ------------------------------------------------------------------------------------------------------------

/// A module to link. Both are borrowed during the call.
typedef struct vireo_link_input {
  const uint32_t* words;
  size_t count;
  vireo_string name;  ///< its name in messages; empty: "module 1"
} vireo_link_input;

/// Options of vireo_link (vireo/spirv/transform/link.h).
typedef enum vireo_link_flags {
  VIREO_LINK_LIBRARY = 1u << 0,                 ///< what the modules export stays exported
  VIREO_LINK_PARTIAL = 1u << 1,                 ///< imports without an export stay imports
  VIREO_LINK_ONLY_NEEDED = 1u << 2,             ///< takes from libraries only what is used
  VIREO_LINK_USE_HIGHEST_VERSION = 1u << 3,     ///< the modules may have different versions
  VIREO_LINK_ALLOW_POINTER_MISMATCH = 1u << 4,  ///< parameters may have different pointees
} vireo_link_flags;

/// Links modules into one. `flags` is a set of vireo_link_flags. The result goes to `out` as above; it can be longer than
/// all modules together. VIREO_REPORTED: a module cannot be read, or modules are in conflict.
VIREO_API vireo_status vireo_link(const vireo_link_input* inputs, size_t input_count, uint32_t flags,
                                  const vireo_grammar* grammar, uint32_t* out, size_t capacity, size_t* out_count,
                                  vireo_diagnostics* diagnostics);
/// The index of the module that a place of a diagnostic of vireo_link is in. `note` 0: the place of the diagnostic with
/// this index itself; 1, 2, …: those of its notes.
VIREO_API vireo_status vireo_link_place_input(const vireo_diagnostics* diagnostics, size_t index, size_t note,
                                              uint32_t* out);

// --- specialization -----------------------------------------------------------------------------------------------------

/// A module and its analysis, which gives specialization constants values again and again
/// (vireo/spirv/transform/specialize.h). Several threads can use a handle at once.
typedef struct vireo_specializer vireo_specializer;
/// Memory of one thread for vireo_specialize. It can be used with one specializer after another.
typedef struct vireo_specializer_memory vireo_specializer_memory;

/// Analyses a module. Its words are copied. Values that break a rule of the profile's environment are refused; NULL is
/// universal SPIR-V. The grammar of the profile is borrowed. VIREO_REPORTED: an instruction cannot be decoded.
VIREO_API vireo_status vireo_specializer_create(const uint32_t* words, size_t count, const vireo_profile* profile,
                                                vireo_diagnostics* diagnostics, vireo_specializer** out);
VIREO_API void vireo_specializer_destroy(vireo_specializer* specializer);
VIREO_API vireo_specializer_memory* vireo_specializer_memory_create(void);  ///< NULL: out of memory
VIREO_API void vireo_specializer_memory_destroy(vireo_specializer_memory* memory);

typedef enum vireo_spec_kind { VIREO_SPEC_BOOL = 0, VIREO_SPEC_INT = 1, VIREO_SPEC_FLOAT = 2 } vireo_spec_kind;

/// A specialization constant that can get a value.
typedef struct vireo_spec_constant {
  uint32_t spec_id;
  uint32_t id;            ///< result id
  uint32_t kind;          ///< vireo_spec_kind
  uint32_t is_signed;     ///< 1: a signed integer
  uint32_t width;         ///< in bits, 1 to 64; 1 for a Boolean
  uint32_t reserved;      ///< 0
  uint64_t default_bits;  ///< zero above the width
  vireo_string name;      ///< often empty; valid as long as the specializer
} vireo_spec_constant;

VIREO_API size_t vireo_specializer_constant_count(const vireo_specializer* specializer);
/// In the order of declaration, from 0. VIREO_NO_MATCH: there are not as many.
VIREO_API vireo_status vireo_specializer_constant(const vireo_specializer* specializer, size_t index,
                                                  vireo_spec_constant* out);

/// A value for the constants with a SpecId.
typedef struct vireo_spec_value {
  uint32_t spec_id;
  uint32_t reserved;  ///< 0
  uint64_t bits;      ///< zeros above the width; for a signed integer also copies of the sign
} vireo_spec_value;

/// A value from texts. `constant` is a SpecId ("3"), an id ("%12") or a name; `value` is a number as in assembly text,
/// "true" or "false". VIREO_REPORTED: no such constant, or the value does not fit its type.
VIREO_API vireo_status vireo_specializer_parse(const vireo_specializer* specializer, vireo_string constant,
                                               vireo_string value, vireo_diagnostics* diagnostics,
                                               vireo_spec_value* out);
/// Values from a JSON object with such keys: `{"3": 64, "scale": 1.5}`. They go to `out`, which has space for `capacity`
/// values, and `*out_count` is set to their number, as for words above.
VIREO_API vireo_status vireo_specializer_parse_json(const vireo_specializer* specializer, vireo_string json,
                                                    vireo_spec_value* out, size_t capacity, size_t* out_count,
                                                    vireo_diagnostics* diagnostics);

typedef enum vireo_specialize_flags {
  VIREO_SPECIALIZE_FREEZE_REST = 1u << 0,  ///< constants without a value get their default values
  VIREO_SPECIALIZE_PRUNE = 1u << 1,        ///< folds branches, and removes what is unused then
} vireo_specialize_flags;

/// Specializes the module. If several values have the same SpecId, the last one applies. `flags` is a set of
/// vireo_specialize_flags. The result goes to `out` as above; it can be longer than the module, because new constants
/// are possible. `memory` also keeps it: see vireo_specializer_memory_words. From the second call on, memory is
/// allocated only if a call needs more than all calls before it. VIREO_REPORTED: a SpecId that the module lacks, a value
/// that does not fit, or one that makes the module invalid; nothing is written.
VIREO_API vireo_status vireo_specialize(const vireo_specializer* specializer, const vireo_spec_value* values,
                                        size_t value_count, uint32_t flags, vireo_specializer_memory* memory,
                                        uint32_t* out, size_t capacity, size_t* out_count,
                                        vireo_diagnostics* diagnostics);

/// The layout of VkSpecializationMapEntry.
typedef struct vireo_specialization_entry {
  uint32_t constant_id;  ///< SpecId
  uint32_t offset;       ///< of the value in the data, in bytes
  size_t size;           ///< of the value, in bytes: 4 for a Boolean, otherwise that of its type
} vireo_specialization_entry;

/// The layout of VkSpecializationInfo.
typedef struct vireo_specialization_info {
  uint32_t entry_count;
  const vireo_specialization_entry* entries;
  size_t data_size;  ///< bytes
  const void* data;
} vireo_specialization_info;

/// The same with values as Vulkan has them; a pointer to a VkSpecializationInfo can be cast. As in Vulkan, an entry whose
/// SpecId the module lacks has no effect. VIREO_REPORTED also: an entry is outside of the data or has a wrong size.
VIREO_API vireo_status vireo_specialize_info(const vireo_specializer* specializer,
                                             const vireo_specialization_info* info, uint32_t flags,
                                             vireo_specializer_memory* memory, uint32_t* out, size_t capacity,
                                             size_t* out_count, vireo_diagnostics* diagnostics);

/// The words of the last successful specialization with this memory, and their number; valid until the next call with
/// it. NULL: there is none.
VIREO_API const uint32_t* vireo_specializer_memory_words(const vireo_specializer_memory* memory, size_t* count);

// --- shrinking (docs/shrink.md) -----------------------------------------------------------------------------------------

/// Tests a module, in host byte order and valid during the call. Returns a positive number if the module is interesting,
/// 0 if it is not, a negative number to end the search. `user` is the pointer that was passed to vireo_shrink.
typedef int (*vireo_shrink_test)(void* user, const uint32_t* words, size_t count);

typedef enum vireo_shrink_flags {
  VIREO_SHRINK_ALLOW_INVALID = 1u << 0,  ///< also tests invalid modules
  VIREO_SHRINK_NO_UNDEF = 1u << 1,       ///< never inserts OpUndef
} vireo_shrink_flags;

/// Finds a small module that is interesting (vireo/spirv/transform/shrink.h). `flags` is a set of vireo_shrink_flags. If
/// the module is valid in the environment of `profile`, only valid modules are tested, unless VIREO_SHRINK_ALLOW_INVALID
/// is set; NULL is universal SPIR-V. On success `*out` is a new handle with the words of the result. VIREO_STOPPED: the
/// test returned a negative number; `*out` is the best module so far. VIREO_REPORTED: an instruction cannot be decoded, or
/// the module itself is not interesting.
VIREO_API vireo_status vireo_shrink(const uint32_t* words, size_t count, uint32_t flags, const vireo_profile* profile,
                                    vireo_shrink_test test, void* user, vireo_diagnostics* diagnostics,
                                    vireo_words** out);

#ifdef __cplusplus
}
#endif

// NOLINTEND

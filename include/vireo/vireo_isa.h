// SPDX-License-Identifier: Apache-2.0
//
// The part of vireo.h for instruction sets. vireo.h includes it, so one header suffices.
//
// These functions are in a library of their own, libvireo-isa. The rules for all functions are in vireo.h.
#pragma once

#include "vireo/support/api.h"
#include "vireo/vireo.h"

// NOLINTBEGIN: clang-tidy checks this header as C++, but it is C.
#ifdef __cplusplus
extern "C" {
#endif

// --- instruction sets from descriptions ---------------------------------------------------------------------------------

/// A loaded description (docs/isaspec.md). Immutable: any number of threads may use it.
typedef struct vireo_isa vireo_isa;

typedef enum vireo_isa_flags {
  VIREO_MESA_COMPAT = 1u << 0,  ///< accept the language of Mesa's tools, with the same meaning
} vireo_isa_flags;

/// Provides an imported file: writes its bytes into `into` and returns 1, or returns 0 if there is no such file.
typedef int (*vireo_read)(void* user, const char* path, size_t path_size, vireo_text* into);

/// Loads a description from a file, and its imports from the file system.
VIREO_API vireo_status vireo_isa_load_file(vireo_string path, uint32_t flags, vireo_diagnostics* diagnostics,
                                           vireo_isa** out);
/// Loads a description from memory; the text is copied. `name` is used in diagnostics, and import paths are relative to
/// it. `read` provides the imports; NULL: the file system.
VIREO_API vireo_status vireo_isa_load_text(vireo_string name, const char* text, size_t size, vireo_read read,
                                           void* user, uint32_t flags, vireo_diagnostics* diagnostics, vireo_isa** out);
VIREO_API void vireo_isa_destroy(vireo_isa* isa);
/// Size of a program unit in bits: addresses count units. If all instructions have the same size, a unit is one
/// instruction.
VIREO_API uint32_t vireo_isa_unit_bits(const vireo_isa* isa);

/// A description compiled for one generation. Immutable: any number of threads may share it.
typedef struct vireo_decoder vireo_decoder;

/// `isa` is borrowed and must outlive the decoder. VIREO_FAILED: the description is too large for a decoder.
VIREO_API vireo_status vireo_decoder_create(const vireo_isa* isa, uint32_t generation, uint32_t flags,
                                            vireo_decoder** out);
VIREO_API void vireo_decoder_destroy(vireo_decoder* decoder);

/// The result of decoding an instruction. Reuse one object for many instructions: once it has seen the largest,
/// decoding allocates nothing.
typedef struct vireo_decoded vireo_decoded;

VIREO_API vireo_decoded* vireo_decoded_create(void);  ///< NULL: out of memory
VIREO_API void vireo_decoded_destroy(vireo_decoded* decoded);

/// Decodes one instruction: `bits` bits in 64-bit words; bit 0 is the lowest bit of the first word. VIREO_NO_MATCH: no
/// instruction of the description matches. The decoder must outlive later queries of `decoded`.
VIREO_API vireo_status vireo_decode(const vireo_decoder* decoder, const uint64_t* words, uint32_t bits,
                                    vireo_decoded* decoded);

/// One bitset instance: the instruction (scope 0), or one nested within it.
typedef struct vireo_scope {
  vireo_string name;     ///< of the leaf bitset that matched
  vireo_string display;  ///< its display name, as {NAME} shows it
  uint32_t parent;       ///< index of the enclosing scope, or VIREO_NONE
  uint32_t low;          ///< its bits in the instruction: low … low + width - 1
  uint32_t width;
  uint32_t first_field;  ///< its fields are consecutive
  uint32_t field_count;
} vireo_scope;

/// A field of a scope.
typedef struct vireo_field {
  vireo_string name;
  uint64_t value;  ///< raw bits, zero-extended (the lowest 64 of wider fields); for a derived field its value
  uint32_t low;    ///< its bits in the instruction; undefined for a derived field
  uint32_t width;
  uint32_t nested;    ///< index of the nested scope, or VIREO_NONE
  uint32_t is_shown;  ///< 1: the text shows it
} vireo_field;

VIREO_API uint32_t vireo_decoded_scope_count(const vireo_decoded* decoded);
VIREO_API uint32_t vireo_decoded_field_count(const vireo_decoded* decoded);
VIREO_API uint32_t vireo_decoded_fault_count(const vireo_decoded* decoded);
VIREO_API vireo_status vireo_decoded_scope(const vireo_decoded* decoded, uint32_t index, vireo_scope* out);
VIREO_API vireo_status vireo_decoded_field(const vireo_decoded* decoded, uint32_t index, vireo_field* out);
/// A fault of the word, worded as in the disassembly. Valid until `decoded` is used again.
VIREO_API vireo_status vireo_decoded_fault(const vireo_decoded* decoded, uint32_t index, vireo_string* out);
/// Finds a field of the instruction by its name; "DST.REG" names a field of a nested bitset. VIREO_NO_MATCH: there is
/// none.
VIREO_API vireo_status vireo_decoded_find(const vireo_decoded* decoded, const char* path, size_t size,
                                          vireo_field* out);

typedef enum vireo_print_flags {
  VIREO_LABELS = 1u << 0,            ///< print branch targets as labels
  VIREO_NO_REMARKS = 1u << 1,        ///< do not print faults of words
  VIREO_ROUND_TRIP_FLOATS = 1u << 2  ///< enough digits to parse the same value again
} vireo_print_flags;

/// Disassembles a program: units of little-endian bytes. Bytes after the last whole unit are ignored.
VIREO_API vireo_status vireo_isa_disassemble(const vireo_decoder* decoder, const void* bytes, size_t size,
                                             uint32_t flags, vireo_write write, void* user);
/// The text of one instruction, without the end of the line. VIREO_NO_MATCH: no instruction matches; the text says so.
VIREO_API vireo_status vireo_isa_print_word(const vireo_decoder* decoder, const uint64_t* words, uint32_t bits,
                                            uint32_t flags, vireo_write write, void* user);

/// Assembles a program: lines as vireo_isa_disassemble prints them, labels, comments and directives
/// (docs/isa-assembler.md). Custom fields use the names in the description. Each word is verified by decoding it to its
/// line. `write` receives units of little-endian bytes. After an error it receives nothing: VIREO_REPORTED, with
/// locations in the text.
VIREO_API vireo_status vireo_isa_assemble(const vireo_decoder* decoder, const char* text, size_t size,
                                          vireo_diagnostics* diagnostics, vireo_write write, void* user);

/// Encodes field values as words (docs/isa-encode.md). Immutable: any number of threads may share it.
typedef struct vireo_encoder vireo_encoder;

/// `decoder` and its description are borrowed and must outlive the encoder.
VIREO_API vireo_status vireo_encoder_create(const vireo_decoder* decoder, vireo_encoder** out);
VIREO_API void vireo_encoder_destroy(vireo_encoder* encoder);

typedef enum vireo_value_kind {
  VIREO_VALUE_NUMBER = 0,  ///< `number`
  VIREO_VALUE_SIGNED = 1,  ///< `signed_number`
  VIREO_VALUE_REAL = 2,    ///< `real`, for float fields: rounded to the nearest value of the field
  VIREO_VALUE_TEXT = 3,    ///< `text`: an enum row, a flag's display, the leaf of a nested bitset, or a number
  VIREO_VALUE_BITS = 4,    ///< `words`, with `bits` bits: for fields of more than 64 bits
  VIREO_VALUE_BLANK = 5,   ///< set later by vireo_form_encode
} vireo_value_kind;

/// A field and its value. All pointers are borrowed for the call.
typedef struct vireo_setting {
  vireo_string path;  ///< "DST", or "DST.REG" for a field of a nested bitset
  uint32_t kind;      ///< vireo_value_kind
  uint32_t bits;      ///< for VIREO_VALUE_BITS
  union {
    uint64_t number;
    int64_t signed_number;
    double real;
    vireo_string text;
    const uint64_t* words;  ///< 64 bits each; bit 0 is the lowest of the first word
  } value;
} vireo_setting;

/// Encodes the word that decodes to this leaf with these values. `words` has space for `capacity` words of 64 bits.
/// `bits` is set to the size of the instruction. VIREO_REPORTED: there is no such word; the diagnostics name the fields
/// and have no location. VIREO_BAD_ARGUMENT: `capacity` is too small for `bits`.
VIREO_API vireo_status vireo_encode(const vireo_encoder* encoder, vireo_string leaf, const vireo_setting* settings,
                                    size_t count, vireo_diagnostics* diagnostics, uint64_t* words, size_t capacity,
                                    uint32_t* bits);

/// A prepared instruction with blank fields. Must be used by one thread at a time.
typedef struct vireo_form vireo_form;

/// Encodes all settings that are not blank. The encoder's decoder must outlive the form.
VIREO_API vireo_status vireo_form_create(const vireo_encoder* encoder, vireo_string leaf, const vireo_setting* settings,
                                         size_t count, vireo_diagnostics* diagnostics, vireo_form** out);
VIREO_API void vireo_form_destroy(vireo_form* form);
VIREO_API uint32_t vireo_form_bits(const vireo_form* form);  ///< of the instruction
VIREO_API uint32_t vireo_form_blank_count(const vireo_form* form);
/// Encodes a value for each blank, in the order of the settings; values of signed fields are in two's complement.
/// Allocates nothing unless a derived field has to be solved for. VIREO_REPORTED: no word has these values;
/// `diagnostics`, if not NULL, receive the reasons. VIREO_BAD_ARGUMENT: there are fewer values than blanks, or
/// `capacity` is too small. Excess values are ignored.
VIREO_API vireo_status vireo_form_encode(vireo_form* form, const uint64_t* values, size_t count,
                                         vireo_diagnostics* diagnostics, uint64_t* words, size_t capacity);

#ifdef __cplusplus
}  // extern "C"
#endif
// NOLINTEND

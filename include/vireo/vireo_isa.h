// SPDX-License-Identifier: Apache-2.0
//
// The C interface for instruction sets. vireo.h includes this header and states the rules for all functions.
//
// These functions are in a separate library, libvireo-isa.
#pragma once

#include "vireo/support/api.h"
#include "vireo/vireo.h"

// NOLINTBEGIN: clang-tidy checks this header as C++, but it is C.
#ifdef __cplusplus
extern "C" {
#endif

// --- instruction sets from descriptions ---------------------------------------------------------------------------------

/// A loaded description of an instruction set (docs/isaspec.md). Immutable: any number of threads may share it.
typedef struct vireo_isa vireo_isa;

typedef enum vireo_isa_flags {
  VIREO_MESA_COMPAT = 1u << 0,  ///< behave as Mesa's tools where Vireo's rules differ (docs/isaspec.md)
} vireo_isa_flags;

/// Reads an imported file: appends its bytes to `into` and returns 1, or returns 0 if the file does not exist.
typedef int (*vireo_read)(void* user, const char* path, size_t path_size, vireo_text* into);

/// Loads a description and its imports from the file system. `flags`: vireo_isa_flags. VIREO_REPORTED: the description
/// has errors.
VIREO_API vireo_status vireo_isa_load_file(vireo_string path, uint32_t flags, vireo_diagnostics* diagnostics,
                                           vireo_isa** out);
/// Loads a description from memory; the text is copied. `name` is used in diagnostics, and import paths are relative to
/// it. `read` reads imported files; NULL: they are read from the file system. Flags and status as above.
VIREO_API vireo_status vireo_isa_load_text(vireo_string name, const char* text, size_t size, vireo_read read,
                                           void* user, uint32_t flags, vireo_diagnostics* diagnostics, vireo_isa** out);
VIREO_API void vireo_isa_destroy(vireo_isa* isa);
/// The size of a unit in bits. Addresses count units. If the description has no `<encoding>`, a unit is one
/// instruction.
VIREO_API uint32_t vireo_isa_unit_bits(const vireo_isa* isa);

/// A description compiled for one generation. Immutable: any number of threads may share it.
typedef struct vireo_decoder vireo_decoder;

/// Creates a decoder. `isa` is borrowed and must outlive it. `generation` is the value of ISA_GPU_ID(); `flags`:
/// vireo_isa_flags. VIREO_FAILED: the description exceeds the limits of a decoder.
VIREO_API vireo_status vireo_decoder_create(const vireo_isa* isa, uint32_t generation, uint32_t flags,
                                            vireo_decoder** out);
VIREO_API void vireo_decoder_destroy(vireo_decoder* decoder);

/// The result of decoding an instruction. Reuse one object for many instructions: after the largest one, decoding
/// allocates nothing.
typedef struct vireo_decoded vireo_decoded;

VIREO_API vireo_decoded* vireo_decoded_create(void);  ///< NULL: out of memory
VIREO_API void vireo_decoded_destroy(vireo_decoded* decoded);

/// Decodes one instruction of `bits` bits in 64-bit words; bit 0 is the lowest bit of the first word. VIREO_NO_MATCH:
/// no instruction of the description matches. The description must outlive later queries of `decoded`.
VIREO_API vireo_status vireo_decode(const vireo_decoder* decoder, const uint64_t* words, uint32_t bits,
                                    vireo_decoded* decoded);

/// A scope: the instruction (scope 0), or the value of a bitset field. The strings are valid as long as the
/// description.
typedef struct vireo_scope {
  vireo_string name;     ///< name of the leaf that matched
  vireo_string display;  ///< its display name, which {NAME} prints
  uint32_t parent;       ///< index of the enclosing scope, or VIREO_NONE
  uint32_t low;          ///< its bits in the instruction are low … low + width - 1
  uint32_t width;
  uint32_t first_field;  ///< its fields have the indexes first_field … first_field + field_count - 1
  uint32_t field_count;
} vireo_scope;

/// A field of a scope. The name is valid as long as the description.
typedef struct vireo_field {
  vireo_string name;
  uint64_t value;  ///< the bits, zero-extended (the lowest 64 of a wider field); or the value of a derived field
  uint32_t low;    ///< its bits in the instruction are low … low + width - 1; undefined for a derived field
  uint32_t width;
  uint32_t nested;    ///< for a bitset field: index of its scope; otherwise, or without a match, VIREO_NONE
  uint32_t is_shown;  ///< 1: the selected display contains the field
} vireo_field;

VIREO_API uint32_t vireo_decoded_scope_count(const vireo_decoded* decoded);
VIREO_API uint32_t vireo_decoded_field_count(const vireo_decoded* decoded);
VIREO_API uint32_t vireo_decoded_fault_count(const vireo_decoded* decoded);
VIREO_API vireo_status vireo_decoded_scope(const vireo_decoded* decoded, uint32_t index, vireo_scope* out);
VIREO_API vireo_status vireo_decoded_field(const vireo_decoded* decoded, uint32_t index, vireo_field* out);
/// A fault of the word, with the text of its annotation in the disassembly. Valid until the next vireo_decode with
/// `decoded`.
VIREO_API vireo_status vireo_decoded_fault(const vireo_decoded* decoded, uint32_t index, vireo_string* out);
/// Finds a field of the instruction by its name; "DST.REG" is the field REG of the nested bitset DST. VIREO_NO_MATCH:
/// the instruction has no such field.
VIREO_API vireo_status vireo_decoded_find(const vireo_decoded* decoded, const char* path, size_t size,
                                          vireo_field* out);

typedef enum vireo_print_flags {
  VIREO_LABELS = 1u << 0,            ///< print branch targets as labels
  VIREO_NO_REMARKS = 1u << 1,        ///< do not print annotations about faults
  VIREO_ROUND_TRIP_FLOATS = 1u << 2  ///< print floats with the fewest digits that parse to the same value
} vireo_print_flags;

/// Disassembles a program: a sequence of units in little-endian byte order. Ignores bytes after the last whole unit.
/// `flags`: vireo_print_flags.
VIREO_API vireo_status vireo_isa_disassemble(const vireo_decoder* decoder, const void* bytes, size_t size,
                                             uint32_t flags, vireo_write write, void* user);
/// Prints one instruction of `bits` bits, without a line feed. `words` and `bits` are as for vireo_decode; `flags`:
/// vireo_print_flags. VIREO_NO_MATCH: no instruction matches, and the text is `no match: HEX`.
VIREO_API vireo_status vireo_isa_print_word(const vireo_decoder* decoder, const uint64_t* words, uint32_t bits,
                                            uint32_t flags, vireo_write write, void* user);

/// Assembles a program: lines as vireo_isa_disassemble prints them, labels, comments and directives
/// (docs/isa-assembler.md). Custom fields use the names in the description. Each word is verified: it decodes and
/// prints as its line. `write` receives the units in little-endian byte order. VIREO_REPORTED: the text has faults,
/// which are reported with byte ranges, and `write` was not called.
VIREO_API vireo_status vireo_isa_assemble(const vireo_decoder* decoder, const char* text, size_t size,
                                          vireo_diagnostics* diagnostics, vireo_write write, void* user);

/// Encodes field values as words (docs/isa-encode.md). Immutable: any number of threads may share it.
typedef struct vireo_encoder vireo_encoder;

/// Creates an encoder. `decoder` and its description are borrowed and must outlive it.
VIREO_API vireo_status vireo_encoder_create(const vireo_decoder* decoder, vireo_encoder** out);
VIREO_API void vireo_encoder_destroy(vireo_encoder* encoder);

/// The member of vireo_setting::value that has the value.
typedef enum vireo_value_kind {
  VIREO_VALUE_NUMBER = 0,  ///< `number`
  VIREO_VALUE_SIGNED = 1,  ///< `signed_number`
  VIREO_VALUE_REAL = 2,    ///< `real`, only for float fields: rounded to the nearest value of the field
  VIREO_VALUE_TEXT = 3,    ///< `text`: a row of an enum, the display of a bool, a leaf for a bitset field, or a number
  VIREO_VALUE_BITS = 4,    ///< `words` with `bits` bits, for fields of more than 64 bits
  VIREO_VALUE_BLANK = 5,   ///< no value: vireo_form_encode receives it
} vireo_value_kind;

/// A field and its value. All pointers are borrowed during the call.
typedef struct vireo_setting {
  vireo_string path;  ///< "DST", or "DST.REG" for a field of a nested bitset
  uint32_t kind;      ///< vireo_value_kind
  uint32_t bits;      ///< for VIREO_VALUE_BITS: the number of bits
  union {
    uint64_t number;
    int64_t signed_number;
    double real;
    vireo_string text;
    const uint64_t* words;  ///< bit 0 is the lowest bit of the first word
  } value;
} vireo_setting;

/// Encodes the instruction with this leaf and these field values. Writes it to `words`, which has space for `capacity`
/// words of 64 bits; bit 0 is the lowest bit of the first word. `*bits` is set to the size of the instruction.
/// VIREO_REPORTED: no word has these values; the diagnostics contain the names of fields and have no location.
/// VIREO_BAD_ARGUMENT: `capacity` is too small; `*bits` is set nevertheless.
VIREO_API vireo_status vireo_encode(const vireo_encoder* encoder, vireo_string leaf, const vireo_setting* settings,
                                    size_t count, vireo_diagnostics* diagnostics, uint64_t* words, size_t capacity,
                                    uint32_t* bits);

/// A prepared instruction, with blanks for the values that vary. Must be used by one thread at a time.
typedef struct vireo_form vireo_form;

/// Creates a form: resolves the names and all values except blanks. The encoder's decoder and its description must
/// outlive the form. VIREO_REPORTED: a name or value is invalid.
VIREO_API vireo_status vireo_form_create(const vireo_encoder* encoder, vireo_string leaf, const vireo_setting* settings,
                                         size_t count, vireo_diagnostics* diagnostics, vireo_form** out);
VIREO_API void vireo_form_destroy(vireo_form* form);
VIREO_API uint32_t vireo_form_bits(const vireo_form* form);  ///< size of the instruction
VIREO_API uint32_t vireo_form_blank_count(const vireo_form* form);
/// Encodes the instruction with a value for each blank, in the order of the settings. Values of signed fields are in
/// two's complement. Ignores values after the last blank. Allocates nothing unless a derived field needs the solver.
/// VIREO_REPORTED: no word has these values; the reasons are in `diagnostics` if it is not NULL. VIREO_BAD_ARGUMENT:
/// there are fewer values than blanks, or `capacity` is too small.
VIREO_API vireo_status vireo_form_encode(vireo_form* form, const uint64_t* values, size_t count,
                                         vireo_diagnostics* diagnostics, uint64_t* words, size_t capacity);

#ifdef __cplusplus
}  // extern "C"
#endif
// NOLINTEND

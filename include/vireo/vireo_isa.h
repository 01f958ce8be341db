// SPDX-License-Identifier: Apache-2.0
//
// The part of vireo.h that is about instruction sets, which includes it: one header is enough for everybody.
//
// The one idea: these functions stand in a library of their own, libvireo-isa; what holds for all functions is said in
// vireo.h.
#pragma once

#include "vireo/support/api.h"
#include "vireo/vireo.h"

// NOLINTBEGIN: this is C, and the checks are those of C++.
#ifdef __cplusplus
extern "C" {
#endif

// --- instruction sets from descriptions ---------------------------------------------------------------------------------

/// A description (docs/isaspec.md) that was loaded. Constant: any number of threads may use it.
typedef struct vireo_isa vireo_isa;

typedef enum vireo_isa_flags {
  VIREO_MESA_COMPAT = 1u << 0,  ///< accept what Mesa's tools accept, and mean by it what they mean
} vireo_isa_flags;

/// Gives a file that is imported: writes its bytes into `into` and gives 1, or 0 when there is none.
typedef int (*vireo_read)(void* user, const char* path, size_t path_size, vireo_text* into);

/// Loads a description from a file, and what it imports from the file system.
VIREO_API vireo_status vireo_isa_load_file(vireo_string path, uint32_t flags, vireo_diagnostics* diagnostics,
                                           vireo_isa** out);
/// Loads a description from memory; the text is copied. `name` is what diagnostics call it, and what paths of imports are
/// relative to. `read` gives the imports; NULL: the file system.
VIREO_API vireo_status vireo_isa_load_text(vireo_string name, const char* text, size_t size, vireo_read read,
                                           void* user, uint32_t flags, vireo_diagnostics* diagnostics, vireo_isa** out);
VIREO_API void vireo_isa_destroy(vireo_isa* isa);
/// Bits of a unit of a program: what programs are counted in, and the size of all instructions where they have one size.
VIREO_API uint32_t vireo_isa_unit_bits(const vireo_isa* isa);

/// A description made ready for one generation. Constant: any number of threads may share it.
typedef struct vireo_decoder vireo_decoder;

/// `isa` is borrowed and must outlive the decoder. VIREO_FAILED: the description is too large to be decoded with.
VIREO_API vireo_status vireo_decoder_create(const vireo_isa* isa, uint32_t generation, uint32_t flags,
                                            vireo_decoder** out);
VIREO_API void vireo_decoder_destroy(vireo_decoder* decoder);

/// What a word means. Use one object for many words: once it has seen the largest, decoding allocates nothing.
typedef struct vireo_decoded vireo_decoded;

VIREO_API vireo_decoded* vireo_decoded_create(void);  ///< NULL: no memory
VIREO_API void vireo_decoded_destroy(vireo_decoded* decoded);

/// Decodes one instruction: `bits` bits in 64-bit words, bit 0 being the lowest of the first word. VIREO_NO_MATCH: no
/// instruction of the description matches. The decoder must outlive what is asked of `decoded` afterwards.
VIREO_API vireo_status vireo_decode(const vireo_decoder* decoder, const uint64_t* words, uint32_t bits,
                                    vireo_decoded* decoded);

/// One bitset instance: the instruction (scope 0), or one nested within it.
typedef struct vireo_scope {
  vireo_string name;     ///< of the leaf that matched
  vireo_string display;  ///< its display name, as {NAME} shows it
  uint32_t parent;       ///< index of the scope around it, or VIREO_NONE
  uint32_t low;          ///< its bits within the instruction: low … low + width - 1
  uint32_t width;
  uint32_t first_field;  ///< its fields are neighbours
  uint32_t field_count;
} vireo_scope;

/// A field of a scope.
typedef struct vireo_field {
  vireo_string name;
  uint64_t value;  ///< raw bits, zero-extended (of wider fields the lowest 64); of a derived field its value
  uint32_t low;    ///< its bits within the instruction; without meaning for a derived field
  uint32_t width;
  uint32_t nested;    ///< index of the scope that it holds, or VIREO_NONE
  uint32_t is_shown;  ///< 1: the text shows it
} vireo_field;

VIREO_API uint32_t vireo_decoded_scope_count(const vireo_decoded* decoded);
VIREO_API uint32_t vireo_decoded_field_count(const vireo_decoded* decoded);
VIREO_API uint32_t vireo_decoded_fault_count(const vireo_decoded* decoded);
VIREO_API vireo_status vireo_decoded_scope(const vireo_decoded* decoded, uint32_t index, vireo_scope* out);
VIREO_API vireo_status vireo_decoded_field(const vireo_decoded* decoded, uint32_t index, vireo_field* out);
/// What is odd about the word, as the text says it. Valid until `decoded` is used again.
VIREO_API vireo_status vireo_decoded_fault(const vireo_decoded* decoded, uint32_t index, vireo_string* out);
/// A field of the instruction by its name; "DST.REG" goes into nested ones. VIREO_NO_MATCH when there is none.
VIREO_API vireo_status vireo_decoded_find(const vireo_decoded* decoded, const char* path, size_t size,
                                          vireo_field* out);

typedef enum vireo_print_flags {
  VIREO_LABELS = 1u << 0,            ///< labels instead of numbers for the targets of branches
  VIREO_NO_REMARKS = 1u << 1,        ///< without what is odd about a word
  VIREO_ROUND_TRIP_FLOATS = 1u << 2  ///< as many digits as it takes to read the value back
} vireo_print_flags;

/// Disassembles a program: units of little-endian bytes. What is left behind the last whole unit is ignored.
VIREO_API vireo_status vireo_isa_disassemble(const vireo_decoder* decoder, const void* bytes, size_t size,
                                             uint32_t flags, vireo_write write, void* user);
/// The text of one instruction, without the end of the line. VIREO_NO_MATCH: nothing matches, and the text says so.
VIREO_API vireo_status vireo_isa_print_word(const vireo_decoder* decoder, const uint64_t* words, uint32_t bits,
                                            uint32_t flags, vireo_write write, void* user);

/// Assembles a program: lines as vireo_isa_disassemble writes them, labels, comments and directives (docs/isa-assembler.md);
/// custom fields by the names that the description gives. Each word was decoded to its line before it is given. `write` gets
/// units of little-endian bytes, and nothing after an error: VIREO_REPORTED, with places in the text.
VIREO_API vireo_status vireo_isa_assemble(const vireo_decoder* decoder, const char* text, size_t size,
                                          vireo_diagnostics* diagnostics, vireo_write write, void* user);

/// Makes words of values (docs/isa-encode.md). Constant: any number of threads may share it.
typedef struct vireo_encoder vireo_encoder;

/// `decoder` is borrowed, with its description, and must outlive the encoder.
VIREO_API vireo_status vireo_encoder_create(const vireo_decoder* decoder, vireo_encoder** out);
VIREO_API void vireo_encoder_destroy(vireo_encoder* encoder);

typedef enum vireo_value_kind {
  VIREO_VALUE_NUMBER = 0,  ///< `number`
  VIREO_VALUE_SIGNED = 1,  ///< `signed_number`
  VIREO_VALUE_REAL = 2,    ///< `real`, for float fields: the nearest value that the field has
  VIREO_VALUE_TEXT = 3,    ///< `text`: a row of an enum, a flag's display, the leaf of a nested bitset, a number
  VIREO_VALUE_BITS = 4,    ///< `words`, of `bits` bits: for fields of more than 64
  VIREO_VALUE_BLANK = 5,   ///< comes later: vireo_form_encode
} vireo_value_kind;

/// A field and its value. All of it is borrowed for the call.
typedef struct vireo_setting {
  vireo_string path;  ///< "DST", or "DST.REG" for a field of a nested bitset
  uint32_t kind;      ///< vireo_value_kind
  uint32_t bits;      ///< of VIREO_VALUE_BITS
  union {
    uint64_t number;
    int64_t signed_number;
    double real;
    vireo_string text;
    const uint64_t* words;  ///< 64 bits each, bit 0 being the lowest of the first
  } value;
} vireo_setting;

/// The word that decodes to this leaf with these values. `words` has room for `capacity` words of 64 bits, and gets as many
/// as `bits`, which is set, asks for. VIREO_REPORTED: there is no such word; diagnostics name the fields, and have no place.
/// VIREO_BAD_ARGUMENT: there is too little room, and `bits` says for what.
VIREO_API vireo_status vireo_encode(const vireo_encoder* encoder, vireo_string leaf, const vireo_setting* settings,
                                    size_t count, vireo_diagnostics* diagnostics, uint64_t* words, size_t capacity,
                                    uint32_t* bits);

/// An instruction with blanks. Belongs to one thread at a time.
typedef struct vireo_form vireo_form;

/// Settles all that is known before the blanks are. The encoder's decoder must outlive the form.
VIREO_API vireo_status vireo_form_create(const vireo_encoder* encoder, vireo_string leaf, const vireo_setting* settings,
                                         size_t count, vireo_diagnostics* diagnostics, vireo_form** out);
VIREO_API void vireo_form_destroy(vireo_form* form);
VIREO_API uint32_t vireo_form_bits(const vireo_form* form);  ///< of the instruction
VIREO_API uint32_t vireo_form_blank_count(const vireo_form* form);
/// Fills it in: a value for each blank, in the order of the settings; signed fields read theirs as two's complement.
/// Allocates nothing where nothing has to be solved for. VIREO_REPORTED: no word has these values; `diagnostics`, if there
/// are any, say why. VIREO_BAD_ARGUMENT: there are fewer values than blanks, or too little room. Further values are ignored.
VIREO_API vireo_status vireo_form_encode(vireo_form* form, const uint64_t* values, size_t count,
                                         vireo_diagnostics* diagnostics, uint64_t* words, size_t capacity);

#ifdef __cplusplus
}  // extern "C"
#endif
// NOLINTEND

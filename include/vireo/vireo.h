// SPDX-License-Identifier: Apache-2.0
//
// Vireo for C, and for every language that can call C: one header, C99.
//
// The one idea: handles, spans and a list of diagnostics. What a function makes is a handle, which is destroyed by the
// function of its name; what it is given is a pointer with a length, borrowed for as long as its comment says; what is
// wrong is added to a vireo_diagnostics that the caller made, or left unsaid where that is NULL.
//
//   vireo_diagnostics *found = vireo_diagnostics_create();
//   vireo_words *module = NULL;
//   if (vireo_assemble(text, strlen(text), NULL, found, &module) == VIREO_OK)
//     use(vireo_words_data(module), vireo_words_count(module));
//   vireo_words_destroy(module);
//   vireo_diagnostics_destroy(found);
//
// What holds for every function:
//  - No state is shared. Any number of threads may call anything at once; only a handle that a call may change (it is
//    passed without `const`) belongs to one thread at a time.
//  - Texts are bytes with a length, in UTF-8 where they are shown to people. They need no zero byte at the end, and those
//    that come out have none that could be relied on. A length of 0 lets the pointer be NULL.
//  - A NULL where an object is wanted, an index beyond the end, or a bit that is no flag is VIREO_BAD_ARGUMENT, and nothing
//    has happened. Functions without a status then give 0, an empty text, NULL or VIREO_NONE.
//  - A handle that could not be made is NULL in its place. Destroying NULL does nothing.
//  - Nothing is thrown out of a function, and callbacks must not throw, or jump, through one.
//  - Callbacks give 1 to go on, 0 to stop; what called them then gives VIREO_STOPPED.
//  - Structs do not grow: a function that had to say more would have another name. Names of enumerators keep their
//    numbers. docs/library.md says what is promised of versions.
#pragma once

// NOLINTBEGIN: this is C, and the checks are those of C++.
#include <stddef.h>
#include <stdint.h>

#include "vireo/support/api.h"

#ifdef __cplusplus
extern "C" {
#endif

#define VIREO_VERSION_MAJOR 0
#define VIREO_VERSION_MINOR 1
#define VIREO_VERSION_PATCH 0

/// "None" wherever an index or an instruction is meant.
#define VIREO_NONE UINT32_MAX

/// The version of the library that runs, as 0xMMmmpp.
VIREO_API uint32_t vireo_version(void);

typedef enum vireo_status {
  VIREO_OK = 0,
  VIREO_REPORTED = 1,      ///< the input is at fault; the diagnostics say how
  VIREO_STOPPED = 2,       ///< a callback asked to stop
  VIREO_NO_MATCH = 3,      ///< what was looked for is not there
  VIREO_BAD_ARGUMENT = 4,  ///< the call is at fault
  VIREO_NO_MEMORY = 5,
  VIREO_FAILED = 6,  ///< anything else: our mistake, or an exception of a callback
} vireo_status;

/// Bytes that belong to somebody else.
typedef struct vireo_string {
  const char* data;  ///< never NULL in what comes out
  size_t size;       ///< bytes
} vireo_string;

// --- diagnostics --------------------------------------------------------------------------------------------------------

typedef enum vireo_severity { VIREO_NOTE = 0, VIREO_WARNING = 1, VIREO_ERROR = 2 } vireo_severity;

typedef enum vireo_place_kind {
  VIREO_PLACE_NONE = 0,
  VIREO_PLACE_TEXT = 1,   ///< `begin` … `end` are bytes of the text
  VIREO_PLACE_WORDS = 2,  ///< `begin` … `end` are words of the module, its header included
} vireo_place_kind;

/// Where a diagnostic points.
typedef struct vireo_place {
  uint32_t kind;         ///< vireo_place_kind
  uint32_t instruction;  ///< of words: counted from 1; 0: the header, or no instruction
  uint64_t begin;
  uint64_t end;  ///< one past the last
} vireo_place;

/// The strings live as long as the list, and until it is cleared or added to.
typedef struct vireo_diagnostic {
  uint32_t severity;     ///< vireo_severity
  uint32_t note_count;   ///< see vireo_diagnostics_note
  vireo_string rule;     ///< stable name in kebab-case: "unknown-opcode"
  vireo_string message;  ///< one sentence, lower case, no full stop
  vireo_string hint;     ///< what to write instead; often empty
  vireo_string source;   ///< the file it is about, or the path within a JSON document; empty: the input of the call
  vireo_place where;
} vireo_diagnostic;

/// What is to be said beside a diagnostic.
typedef struct vireo_note {
  vireo_string message;
  vireo_place where;
} vireo_note;

/// A list of what was found; calls add to its end. It keeps the first 1000 errors and as many
/// others, and counts them all.
typedef struct vireo_diagnostics vireo_diagnostics;

VIREO_API vireo_diagnostics* vireo_diagnostics_create(void);  ///< NULL: no memory
VIREO_API void vireo_diagnostics_destroy(vireo_diagnostics* diagnostics);
VIREO_API void vireo_diagnostics_clear(vireo_diagnostics* diagnostics);
VIREO_API size_t vireo_diagnostics_count(const vireo_diagnostics* diagnostics);          ///< of those that were kept
VIREO_API size_t vireo_diagnostics_error_count(const vireo_diagnostics* diagnostics);    ///< of all
VIREO_API size_t vireo_diagnostics_warning_count(const vireo_diagnostics* diagnostics);  ///< of all
VIREO_API vireo_status vireo_diagnostics_get(const vireo_diagnostics* diagnostics, size_t index, vireo_diagnostic* out);
VIREO_API vireo_status vireo_diagnostics_note(const vireo_diagnostics* diagnostics, size_t index, size_t note,
                                              vireo_note* out);

/// The line and column of a byte of a text, both counted from 1; a column counts bytes. An offset beyond the end gives the
/// place behind the last byte. Linear in the text.
VIREO_API vireo_status vireo_locate(const char* text, size_t size, uint64_t offset, uint64_t* line, uint64_t* column);

// --- text that comes out ------------------------------------------------------------------------------------------------

/// Takes text, chunk by chunk; a chunk is only valid during the call.
typedef int (*vireo_write)(void* user, const char* chunk, size_t size);

/// A text that grows. With vireo_text_write as the callback, and the text as its `user`, it collects what is written.
typedef struct vireo_text vireo_text;

VIREO_API vireo_text* vireo_text_create(void);  ///< NULL: no memory
VIREO_API void vireo_text_destroy(vireo_text* text);
VIREO_API void vireo_text_clear(vireo_text* text);
/// Valid until the text is written to, cleared or destroyed. A zero byte follows.
VIREO_API const char* vireo_text_data(const vireo_text* text);
VIREO_API size_t vireo_text_size(const vireo_text* text);  ///< bytes
VIREO_API int vireo_text_write(void* text, const char* chunk, size_t size);

// --- grammars -----------------------------------------------------------------------------------------------------------

/// A grammar that was loaded at run time. Wherever a grammar is wanted, NULL is the built-in one.
typedef struct vireo_grammar vireo_grammar;

/// Loads a document of Khronos' grammar JSON on top of `base`, whose rows are copied. `name` is the file's name: it shows
/// in diagnostics, and tells the name of an extended set.
VIREO_API vireo_status vireo_grammar_load(vireo_string name, const char* json, size_t size, const vireo_grammar* base,
                                          vireo_diagnostics* diagnostics, vireo_grammar** out);
VIREO_API void vireo_grammar_destroy(vireo_grammar* grammar);

// Names of the grammar; they live as long as it does. VIREO_NO_MATCH when it has none. Kinds are numbers that
// vireo_operand::kind gave; one beyond the last is VIREO_BAD_ARGUMENT.
VIREO_API vireo_status vireo_opcode_name(const vireo_grammar* grammar, uint32_t opcode,
                                         vireo_string* out);  ///< "OpLoad"
VIREO_API vireo_status vireo_kind_name(const vireo_grammar* grammar, uint32_t kind,
                                       vireo_string* out);  ///< "StorageClass"
/// The enumerant of exactly this value: "Uniform". Of a mask, one bit at a time.
VIREO_API vireo_status vireo_enumerant_name(const vireo_grammar* grammar, uint32_t kind, uint32_t value,
                                            vireo_string* out);
// And back: by any spelling that the grammar has.
VIREO_API vireo_status vireo_find_opcode(const vireo_grammar* grammar, vireo_string name, uint32_t* out);
VIREO_API vireo_status vireo_find_enumerant(const vireo_grammar* grammar, vireo_string kind, vireo_string name,
                                            uint32_t* out);

// --- modules as words ---------------------------------------------------------------------------------------------------

/// Words of a module, in host byte order.
typedef struct vireo_words vireo_words;

VIREO_API void vireo_words_destroy(vireo_words* words);
VIREO_API const uint32_t* vireo_words_data(const vireo_words* words);  ///< valid until they are destroyed
VIREO_API size_t vireo_words_count(const vireo_words* words);          ///< words, not bytes

/// Reads the bytes of a file: binary in either byte order, or hexadecimal text. They are copied. The magic
/// number is not asked for here, but by vireo_parse, vireo_disassemble and vireo_validate.
VIREO_API vireo_status vireo_words_read(const void* bytes, size_t size, vireo_diagnostics* diagnostics,
                                        vireo_words** out);

typedef enum vireo_assemble_flags {
  VIREO_PRESERVE_NUMERIC_IDS = 1u << 0,  ///< %42 is id 42; names take the lowest free numbers
  VIREO_EXACT = 1u << 1,                 ///< honour all header comments of a disassembly
} vireo_assemble_flags;

/// How a text is assembled. All zero is the usual.
typedef struct vireo_assemble_options {
  const vireo_grammar* grammar;
  uint32_t flags;          ///< vireo_assemble_flags
  uint32_t major_version;  ///< for the header, up to 255.255; 0.0: as the text's header comment says, else 1.6
  uint32_t minor_version;
} vireo_assemble_options;

/// Assembles a text. `options` may be NULL. Every fault of the text is reported, with its bytes.
VIREO_API vireo_status vireo_assemble(const char* text, size_t size, const vireo_assemble_options* options,
                                      vireo_diagnostics* diagnostics, vireo_words** out);

typedef enum vireo_disassemble_flags {
  VIREO_NO_HEADER = 1u << 0,        ///< without the five comment lines
  VIREO_NO_INDENT = 1u << 1,        ///< opcodes in the first column
  VIREO_RAW_IDS = 1u << 2,          ///< every id is its number
  VIREO_SHOW_RAW_IDS = 1u << 3,     ///< the number of a named result in a comment
  VIREO_OFFSETS = 1u << 4,          ///< the byte offset of each instruction in a comment
  VIREO_COMMENTS = 1u << 5,         ///< headings of sections, decorations in comments
  VIREO_NESTED_INDENT = 1u << 6,    ///< structured control flow indents
  VIREO_REORDER_BLOCKS = 1u << 7,   ///< blocks in structured order
  VIREO_ANNOTATE = 1u << 8,         ///< types, constants, accesses, control flow explained in comments
  VIREO_COLOR = 1u << 9,            ///< ANSI escapes
  VIREO_ESCAPE_STRINGS = 1u << 10,  ///< control bytes of strings as `\xNN`
  VIREO_HANDLE_UNKNOWN = 1u << 11,  ///< what the grammar lacks becomes OpUnknown, without an error
  VIREO_STOP_AT_FIRST_ERROR = 1u << 12,
  VIREO_JSON = 1u << 13,  ///< one JSON document (docs/json.md) instead of assembly
} vireo_disassemble_flags;

/// Disassembles a module, header included, as far as it goes. `flags`: vireo_disassemble_flags; 0 is spirv-dis' style.
/// VIREO_REPORTED: there were errors, and what could be printed was.
VIREO_API vireo_status vireo_disassemble(const uint32_t* words, size_t count, const vireo_grammar* grammar,
                                         uint32_t flags, vireo_write write, void* user, vireo_diagnostics* diagnostics);

// --- validation ---------------------------------------------------------------------------------------------------------

/// By which rules modules are judged: what a device or a project takes, as a JSON document (docs/validator.md).
typedef struct vireo_profile vireo_profile;

/// Reads a profile: `{"environment": "vulkan1.3", "features": ["scalar-block-layout"], "rules": {"nesting-depth": "warn"}}`.
/// The grammar is borrowed; it is that of the modules that are judged.
VIREO_API vireo_status vireo_profile_read(const char* json, size_t size, const vireo_grammar* grammar,
                                          vireo_diagnostics* diagnostics, vireo_profile** out);
/// Makes the profile that chooses an environment by its name, "vulkan1.3", and says nothing else. Errors:
/// VIREO_REPORTED: no environment has exactly this name.
VIREO_API vireo_status vireo_profile_create(const char* environment, vireo_diagnostics* diagnostics,
                                            vireo_profile** out);
VIREO_API void vireo_profile_destroy(vireo_profile* profile);

/// Judges a module, header included, and reports all faults in the order of the words. VIREO_REPORTED: it is not valid.
/// Without a profile it is judged as universal SPIR-V of the newest version, by the built-in grammar.
VIREO_API vireo_status vireo_validate(const uint32_t* words, size_t count, const vireo_profile* profile,
                                      vireo_diagnostics* diagnostics);

/// A rule of the validator. The strings live for ever.
typedef struct vireo_rule {
  vireo_string name;     ///< as diagnostics name it: "component-count"
  vireo_string section;  ///< of the specification
  vireo_string vuid;     ///< Vulkan's name for it; often empty
  vireo_string demand;   ///< what a valid module does
  uint32_t severity;     ///< vireo_severity
} vireo_rule;

VIREO_API vireo_status vireo_rule_get(size_t index,
                                      vireo_rule* out);  ///< the rules one by one; beyond the last VIREO_NO_MATCH
VIREO_API vireo_status vireo_find_rule(vireo_string name, vireo_rule* out);

// --- instructions, one by one -------------------------------------------------------------------------------------------

typedef enum vireo_shape {
  VIREO_SHAPE_RESULT_TYPE = 0,
  VIREO_SHAPE_RESULT = 1,
  VIREO_SHAPE_ID = 2,
  VIREO_SHAPE_SCOPE_ID = 3,
  VIREO_SHAPE_SEMANTICS_ID = 4,
  VIREO_SHAPE_INTEGER = 5,          ///< one word
  VIREO_SHAPE_FLOAT = 6,            ///< one word
  VIREO_SHAPE_STRING = 7,           ///< bytes, low byte of a word first, up to a zero byte
  VIREO_SHAPE_TYPED_NUMBER = 8,     ///< as vireo_instruction::literal_* says
  VIREO_SHAPE_EXTENDED_NUMBER = 9,  ///< of the instruction within its extended set
  VIREO_SHAPE_SPEC_OPCODE = 10,     ///< the opcode within OpSpecConstantOp
  VIREO_SHAPE_ENUMERANT = 11,       ///< one word; its parameters follow
  VIREO_SHAPE_MASK = 12,            ///< one word; the parameters of each bit follow, lowest bit first
} vireo_shape;

/// One operand, as words of its instruction.
typedef struct vireo_operand {
  uint16_t word;         ///< its first word, counted from the instruction's first
  uint16_t word_count;   ///< at least 1
  uint16_t kind;         ///< for vireo_kind_name and vireo_enumerant_name
  uint8_t shape;         ///< vireo_shape
  uint8_t is_parameter;  ///< 1: it belongs to the enumerant before it
} vireo_operand;

typedef enum vireo_literal { VIREO_LITERAL_NONE = 0, VIREO_LITERAL_INTEGER = 1, VIREO_LITERAL_FLOAT = 2 } vireo_literal;

/// One instruction.
typedef struct vireo_instruction {
  const uint32_t* words;          ///< all of them, within the module's
  uint32_t word_count;            ///< at least 1
  uint32_t opcode;                ///< may be one that the grammar does not know
  uint32_t index;                 ///< place in the module, counted from 0
  uint32_t offset;                ///< of its first word in the module, in words
  uint32_t type_id;               ///< of its result; 0: it has none
  uint32_t result_id;             ///< 0: it has none
  vireo_string name;              ///< "OpLoad"; empty when the grammar does not know it
  vireo_string inner_name;        ///< of OpExtInst and OpSpecConstantOp: "Sqrt", "IAdd"; else empty
  const vireo_operand* operands;  ///< in the order of the words; NULL where nothing was decoded
  size_t operand_count;
  uint32_t is_complete;        ///< 1: `operands` are all there are; 0: decoding ended early, or was not asked for
  uint32_t literal_class;      ///< vireo_literal, of operands of VIREO_SHAPE_TYPED_NUMBER
  uint32_t literal_width;      ///< bits
  uint32_t literal_is_signed;  ///< 1: two's complement
} vireo_instruction;

/// What the five words before the instructions say.
typedef struct vireo_header {
  uint32_t major_version;
  uint32_t minor_version;
  uint32_t generator;
  uint32_t bound;
  uint32_t schema;
} vireo_header;

/// Told once, first. May be NULL.
typedef int (*vireo_on_header)(void* user, const vireo_header* header);
/// Told for each instruction; what `instruction` points to is valid during the call, its words as long as the module's.
typedef int (*vireo_on_instruction)(void* user, const vireo_instruction* instruction);

/// Goes through a module and decodes every operand. A fault is reported where it stands, and the walk goes on behind it;
/// it ends early only where an instruction cannot be stepped over. Allocates nothing for an instruction.
VIREO_API vireo_status vireo_parse(const uint32_t* words, size_t count, const vireo_grammar* grammar,
                                   vireo_on_header on_header, vireo_on_instruction on_instruction, void* user,
                                   vireo_diagnostics* diagnostics);

// --- modules, indexed ---------------------------------------------------------------------------------------------------

/// Where everything of a module stands (vireo/spirv/module.h). Constant: any number of threads may ask.
typedef struct vireo_module vireo_module;

/// Reads a module. The words and the grammar are borrowed and must outlive it. Broken modules are read as well: what does
/// not fit is a misfit.
VIREO_API vireo_status vireo_module_read(const uint32_t* words, size_t count, const vireo_grammar* grammar,
                                         vireo_module** out);
VIREO_API void vireo_module_destroy(vireo_module* module);

/// The sections of the logical layout, in its order (specification 2.4).
typedef enum vireo_section {
  VIREO_SECTION_CAPABILITIES = 0,
  VIREO_SECTION_EXTENSIONS = 1,
  VIREO_SECTION_IMPORTS = 2,
  VIREO_SECTION_MEMORY_MODEL = 3,
  VIREO_SECTION_ENTRY_POINTS = 4,
  VIREO_SECTION_EXECUTION_MODES = 5,
  VIREO_SECTION_SOURCES = 6,
  VIREO_SECTION_NAMES = 7,
  VIREO_SECTION_MODULE_PROCESSED = 8,
  VIREO_SECTION_ANNOTATIONS = 9,
  VIREO_SECTION_GLOBALS = 10,
  VIREO_SECTION_FUNCTIONS = 11,
  VIREO_SECTION_GRAPHS = 12,
} vireo_section;

/// A function, as a run of instructions and of blocks.
typedef struct vireo_function {
  uint32_t id;     ///< 0: OpFunction is cut short
  uint32_t first;  ///< instructions first … end - 1
  uint32_t end;
  uint32_t first_block;
  uint32_t block_count;  ///< 0: a declaration
} vireo_function;

/// A block, from its label to its terminator.
typedef struct vireo_block {
  uint32_t label;  ///< id
  uint32_t first;  ///< instructions first … end - 1
  uint32_t end;
  uint32_t merge;       ///< instruction, or VIREO_NONE
  uint32_t terminator;  ///< instruction; VIREO_NONE: the block is not ended
  uint32_t function;    ///< index
} vireo_block;

/// Pointers are as long valid as the module and its words.
typedef struct vireo_entry_point {
  uint32_t execution_model;
  uint32_t function_id;
  uint32_t instruction;
  uint32_t interface_count;
  const uint32_t* interface_ids;  ///< of variables
  vireo_string name;
} vireo_entry_point;

typedef enum vireo_misfit_kind {
  VIREO_MISFIT_ZERO_WORD_COUNT = 0,
  VIREO_MISFIT_TRUNCATED = 1,
  VIREO_MISFIT_NO_RESULT = 2,
  VIREO_MISFIT_ZERO_ID = 3,
  VIREO_MISFIT_BEYOND_BOUND = 4,
  VIREO_MISFIT_DEFINED_TWICE = 5,
  VIREO_MISFIT_OUT_OF_SECTION = 6,
  VIREO_MISFIT_NESTED_FUNCTION = 7,
  VIREO_MISFIT_NO_FUNCTION_END = 8,
  VIREO_MISFIT_END_OUTSIDE = 9,
  VIREO_MISFIT_PARAMETER_OUTSIDE = 10,
  VIREO_MISFIT_LABEL_OUTSIDE = 11,
  VIREO_MISFIT_NO_TERMINATOR = 12,
  VIREO_MISFIT_OUTSIDE_OF_BLOCKS = 13,
} vireo_misfit_kind;

/// What does not fit in a broken module.
typedef struct vireo_misfit {
  uint32_t kind;         ///< vireo_misfit_kind
  uint32_t instruction;  ///< or VIREO_NONE
  uint32_t offset;       ///< in words
  uint32_t id;           ///< the result it is about; 0: none
} vireo_misfit;

// Counts; 0 for NULL.
VIREO_API uint32_t vireo_module_instruction_count(const vireo_module* module);
VIREO_API uint32_t vireo_module_function_count(const vireo_module* module);
VIREO_API uint32_t vireo_module_block_count(const vireo_module* module);  ///< of all functions
VIREO_API uint32_t vireo_module_entry_point_count(const vireo_module* module);
VIREO_API uint32_t vireo_module_misfit_count(const vireo_module* module);
/// One more than the highest id that is defined.
VIREO_API uint32_t vireo_module_bound(const vireo_module* module);

VIREO_API vireo_status vireo_module_header(const vireo_module* module, vireo_header* out);
/// An instruction by its index, without its operands.
VIREO_API vireo_status vireo_module_instruction(const vireo_module* module, uint32_t index, vireo_instruction* out);
/// The index of the instruction that defines an id; VIREO_NONE when nothing does.
VIREO_API uint32_t vireo_module_definition(const vireo_module* module, uint32_t id);
/// The run of a section: instructions first … end - 1. Together the sections cover the module.
VIREO_API vireo_status vireo_module_section(const vireo_module* module, vireo_section section, uint32_t* first,
                                            uint32_t* end);
VIREO_API vireo_status vireo_module_function(const vireo_module* module, uint32_t index, vireo_function* out);
VIREO_API vireo_status vireo_module_block(const vireo_module* module, uint32_t index, vireo_block* out);
VIREO_API vireo_status vireo_module_entry_point(const vireo_module* module, uint32_t index, vireo_entry_point* out);
VIREO_API vireo_status vireo_module_misfit(const vireo_module* module, uint32_t index, vireo_misfit* out);

// --- facts of a module --------------------------------------------------------------------------------------------------
//
// Worked out when they are first asked for, by any number of threads at once. What an id is not, is VIREO_NO_MATCH.

/// What a type does not have is 0, or NULL.
typedef struct vireo_type {
  uint32_t opcode;       ///< of its declaration
  uint32_t instruction;  ///< its declaration
  uint32_t width;        ///< of integers and floats: bits
  uint32_t is_signed;    ///< of integers
  uint32_t storage_class;
  uint32_t element;          ///< id of a component, column, element, pointee, result, sampled type
  uint32_t length;           ///< id of the constant that says how many elements an array has
  uint32_t member_count;     ///< of structures and functions
  const uint32_t* members;   ///< ids of members, of parameters; valid as long as the module and its words
  uint64_t component_count;  ///< of vectors, matrices (columns), arrays whose length is a plain constant
  uint64_t bits;             ///< of all components together, without padding; UINT64_MAX: not known
} vireo_type;

typedef enum vireo_certainty {
  VIREO_CONSTANT_KNOWN = 0,
  VIREO_CONSTANT_DEFAULT = 1,  ///< specialization may change it
  VIREO_CONSTANT_UNKNOWN = 2,
} vireo_certainty;

/// A constant and its value.
typedef struct vireo_constant {
  uint32_t type_id;  ///< 0: its type is none
  uint32_t instruction;
  uint32_t certainty;          ///< vireo_certainty
  uint32_t is_specialization;  ///< 1: an OpSpecConstant... defines it
  uint32_t is_scalar;          ///< 1: `bits` is its value, nulls included
  uint64_t bits;               ///< zero above the type's width; of wider types the lowest 64; 0 of what is no scalar
} vireo_constant;

typedef enum vireo_use_kind {
  VIREO_USE_OPERAND = 0,
  VIREO_USE_RESULT_TYPE = 1,
  VIREO_USE_MODE = 2,        ///< by entry points, execution modes, the memory model
  VIREO_USE_DEBUG = 3,       ///< by names, lines, sources
  VIREO_USE_ANNOTATION = 4,  ///< by decorations and their groups
} vireo_use_kind;

/// One operand that is the id.
typedef struct vireo_use {
  uint32_t instruction;
  uint32_t word;  ///< counted from the instruction's first
  uint32_t kind;  ///< vireo_use_kind
} vireo_use;

typedef int (*vireo_on_use)(void* user, const vireo_use* use);

VIREO_API vireo_status vireo_module_type(const vireo_module* module, uint32_t id, vireo_type* out);
/// A constant with its value; of those that are computed (OpSpecConstantOp), the one that they come to.
VIREO_API vireo_status vireo_module_constant(const vireo_module* module, uint32_t id, vireo_constant* out);
/// The name of an id, or of a member of it; `member` VIREO_NONE: of the id itself.
VIREO_API vireo_status vireo_module_name(const vireo_module* module, uint32_t id, uint32_t member, vireo_string* out);
/// The operands of a decoration that an id has, or with `member` not VIREO_NONE a member of it; decorations of groups count.
/// Of several such decorations the first is told. The operands live as long as the module's words.
VIREO_API vireo_status vireo_module_decoration(const vireo_module* module, uint32_t id, uint32_t member,
                                               uint32_t decoration, const uint32_t** operands, size_t* count);
/// Tells every operand that is the id, in the order of the words.
VIREO_API vireo_status vireo_module_uses(const vireo_module* module, uint32_t id, vireo_on_use on_use, void* user);

/// The control flow of one function. Its blocks are counted from 0: block i is block first_block + i of the module.
typedef struct vireo_flow vireo_flow;

/// The module is borrowed and must outlive it.
VIREO_API vireo_status vireo_flow_read(const vireo_module* module, uint32_t function, vireo_flow** out);
VIREO_API void vireo_flow_destroy(vireo_flow* flow);
VIREO_API uint32_t vireo_flow_block_count(const vireo_flow* flow);
/// Blocks, as often as they are branched to, in the order of the operands. Valid until the flow is destroyed.
VIREO_API vireo_status vireo_flow_successors(const vireo_flow* flow, uint32_t block, const uint32_t** blocks,
                                             size_t* count);
VIREO_API vireo_status vireo_flow_predecessors(const vireo_flow* flow, uint32_t block, const uint32_t** blocks,
                                               size_t* count);
/// The immediate dominator; VIREO_NONE: the entry block, or one that it does not reach.
VIREO_API uint32_t vireo_flow_dominator(const vireo_flow* flow, uint32_t block);
/// The immediate post-dominator; VIREO_NONE: only the end of the function.
VIREO_API uint32_t vireo_flow_post_dominator(const vireo_flow* flow, uint32_t block);
/// 1: every way from the entry block to `b` passes `a`.
VIREO_API int vireo_flow_dominates(const vireo_flow* flow, uint32_t a, uint32_t b);

// --- making modules -----------------------------------------------------------------------------------------------------

/// Makes a module of instructions in any order; each goes to its section (vireo/spirv/builder.h).
typedef struct vireo_builder vireo_builder;

/// `major_version` and `minor_version` go into the header as they are; VIREO_BAD_ARGUMENT for more than 255.
VIREO_API vireo_status vireo_builder_create(uint32_t major_version, uint32_t minor_version, vireo_builder** out);
VIREO_API void vireo_builder_destroy(vireo_builder* builder);
/// Adds an instruction: `operands` are its words behind the first, in the order of the grammar, without the result. Ids are
/// those that this builder gave. The result is written to `result`, which may be NULL; a type or constant of the same words
/// as an earlier one is that one. On the way in `result` holds 0, or an id that was reserved: the instruction gets that id.
/// VIREO_REPORTED: the instruction is left out, and vireo_builder_build will fail; an id that came out may be used all the
/// same, and nothing more is reported of it.
VIREO_API vireo_status vireo_builder_add(vireo_builder* builder, uint32_t opcode, const uint32_t* operands,
                                         size_t count, uint32_t* result, vireo_diagnostics* diagnostics);
/// An id for an instruction of this opcode that comes later: the label of a block further down, a function.
VIREO_API vireo_status vireo_builder_reserve(vireo_builder* builder, uint32_t opcode, uint32_t* out,
                                             vireo_diagnostics* diagnostics);
/// The words of a literal string: bytes, a zero byte, zeros up to a whole word. Writes as many as `capacity` has room for
/// and gives how many there are; NULL and 0 ask for that only.
VIREO_API size_t vireo_string_words(vireo_string text, uint32_t* out, size_t capacity);
/// Adds the capabilities and extensions that the instructions so far need.
VIREO_API vireo_status vireo_builder_add_requirements(vireo_builder* builder, vireo_diagnostics* diagnostics);
/// The module so far, laid out. VIREO_REPORTED: it is unfinished, or something was reported before.
VIREO_API vireo_status vireo_builder_build(vireo_builder* builder, vireo_diagnostics* diagnostics, vireo_words** out);

/// Changes to a module that was read; what none touches keeps its words (vireo/spirv/edit.h).
typedef struct vireo_edit vireo_edit;

/// The module is borrowed and must outlive the edit.
VIREO_API vireo_status vireo_edit_create(const vireo_module* module, vireo_edit** out);
/// The same for a module that is words; these and the grammar are borrowed.
VIREO_API vireo_status vireo_edit_create_from_words(const uint32_t* words, size_t count, const vireo_grammar* grammar,
                                                    vireo_edit** out);
VIREO_API void vireo_edit_destroy(vireo_edit* edit);

// `instruction` is an index into the module as it was read, whatever was changed before. What does not fit is reported by
// vireo_edit_apply.

typedef enum vireo_edit_place {
  VIREO_EDIT_ADD = 0,  ///< at the end of the section of the instruction; no index is asked for
  VIREO_EDIT_BEFORE = 1,
  VIREO_EDIT_AFTER = 2,
  VIREO_EDIT_REPLACE = 3,   ///< the new instruction keeps the result id of the old one
  VIREO_EDIT_AT_BEGIN = 4,  ///< of a function, after its local variables: `instruction` is the index of the function
} vireo_edit_place;

/// Makes an instruction at a vireo_edit_place, as vireo_builder_add does. `operands` are its words after the first, without
/// the result. The result is written to `result` (may be NULL; on the way in it holds 0, or an id of vireo_edit_fresh_id that
/// the instruction gets). Operands are checked by the grammar. Ids are those of the module and of this edit. A type, constant,
/// import, extension or capability that the module has is found and not made again. An instruction of another section than
/// the place goes to its own.
VIREO_API vireo_status vireo_edit_make(vireo_edit* edit, uint32_t place, uint32_t instruction, uint32_t opcode,
                                       const uint32_t* operands, size_t count, uint32_t* result);
// `words` are whole instructions, which are copied as they are.
VIREO_API vireo_status vireo_edit_insert_before(vireo_edit* edit, uint32_t instruction, const uint32_t* words,
                                                size_t count);
VIREO_API vireo_status vireo_edit_insert_after(vireo_edit* edit, uint32_t instruction, const uint32_t* words,
                                               size_t count);
/// Puts them behind the section of the first of them; lines go with what follows them.
VIREO_API vireo_status vireo_edit_add(vireo_edit* edit, const uint32_t* words, size_t count);
VIREO_API vireo_status vireo_edit_replace(vireo_edit* edit, uint32_t instruction, const uint32_t* words, size_t count);
VIREO_API vireo_status vireo_edit_remove(vireo_edit* edit, uint32_t instruction);
/// Removes an instruction, and the names, decorations and execution modes of its result.
VIREO_API vireo_status vireo_edit_remove_with_annotations(vireo_edit* edit, uint32_t instruction);
/// Moves the instructions first ... end - 1, with the changes to them.
VIREO_API vireo_status vireo_edit_move_before(vireo_edit* edit, uint32_t first, uint32_t end, uint32_t instruction);
/// Another word in an instruction; `word` counts from its first, which cannot be set.
VIREO_API vireo_status vireo_edit_set_word(vireo_edit* edit, uint32_t instruction, uint32_t word, uint32_t value);
/// An id that the module does not define. 0 for NULL, and when none is left.
VIREO_API uint32_t vireo_edit_fresh_id(vireo_edit* edit);
/// Has vireo_edit_apply add the capabilities and extensions that the changed module needs and lacks.
VIREO_API vireo_status vireo_edit_add_requirements(vireo_edit* edit);
/// The words of the changed module; interfaces of entry points follow the changes (vireo/spirv/edit.h). VIREO_REPORTED: a
/// change does not fit; or the module has no header, or breaks off, as what cannot be read would be lost.
VIREO_API vireo_status vireo_edit_apply(const vireo_edit* edit, vireo_diagnostics* diagnostics, vireo_words** out);
/// The same into a buffer of the caller's. `count` becomes how many words there are: NULL and 0 ask for that only. A buffer
/// that is too small is VIREO_BAD_ARGUMENT, and nothing is written.
VIREO_API vireo_status vireo_edit_apply_into(const vireo_edit* edit, uint32_t* out, size_t capacity, size_t* count,
                                             vireo_diagnostics* diagnostics);

#ifdef __cplusplus
}  // extern "C"
#endif
// NOLINTEND

#include "vireo/vireo_isa.h"

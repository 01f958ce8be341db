// SPDX-License-Identifier: Apache-2.0
//
// The C interface of Vireo, for C99 and for every language that can call C.
//
// Objects are handles. The function that creates an object returns a handle, which the matching _destroy
// function frees. Input is a pointer with a length; it is borrowed during the call unless the comment states otherwise.
// Faults of the input are appended to the vireo_diagnostics argument; if that is NULL, they are discarded.
//
//   vireo_diagnostics *found = vireo_diagnostics_create();
//   vireo_words *module = NULL;
//   if (vireo_assemble(text, strlen(text), NULL, found, &module) == VIREO_OK)
//     use(vireo_words_data(module), vireo_words_count(module));
//   vireo_words_destroy(module);
//   vireo_diagnostics_destroy(found);
//
// Rules for all functions:
//  - The library has no global state. Any number of threads may call functions at once. A handle that a call may change
//    (a parameter without `const`) must be used by one thread at a time.
//  - Texts are bytes with a length; messages are in UTF-8. Input texts need no terminating zero byte, and output texts
//    are not guaranteed to have one. If the length is 0, the pointer may be NULL.
//  - If a required pointer is NULL, an index is out of range, or a flag is unknown, the status is VIREO_BAD_ARGUMENT,
//    and the call has no effect. Functions without a status then return 0, an empty text, NULL or VIREO_NONE.
//  - If a handle cannot be created, the output pointer is set to NULL. Destroying NULL has no effect.
//  - If memory is insufficient, the status is VIREO_NO_MEMORY.
//  - No function throws. Callbacks must not throw, or longjmp, through a function of this library.
//  - Callbacks return 1 to continue and 0 to stop; the function that called them then returns VIREO_STOPPED.
//  - Structs never change: a function that needs another struct has another name. Enumerators keep their values.
//    docs/library.md describes the compatibility between versions.
#pragma once

// NOLINTBEGIN: clang-tidy checks this header as C++, but it is C.
#include <stddef.h>
#include <stdint.h>

#include "vireo/support/api.h"

#ifdef __cplusplus
extern "C" {
#endif

#define VIREO_VERSION_MAJOR 0
#define VIREO_VERSION_MINOR 1
#define VIREO_VERSION_PATCH 0

/// The index that represents "none".
#define VIREO_NONE UINT32_MAX

/// The version of the library at run time, as 0xMMmmpp: major, minor, patch.
VIREO_API uint32_t vireo_version(void);

/// The result of a call.
typedef enum vireo_status {
  VIREO_OK = 0,
  VIREO_REPORTED = 1,      ///< the input has errors, which the diagnostics describe
  VIREO_STOPPED = 2,       ///< a callback returned 0
  VIREO_NO_MATCH = 3,      ///< the item was not found
  VIREO_BAD_ARGUMENT = 4,  ///< an argument is invalid
  VIREO_NO_MEMORY = 5,     ///< memory is insufficient
  VIREO_FAILED = 6,        ///< an internal error, or a callback threw an exception
} vireo_status;

/// A borrowed text. The function that returns it states its lifetime.
typedef struct vireo_string {
  const char* data;  ///< never NULL in results
  size_t size;       ///< bytes
} vireo_string;

// --- diagnostics --------------------------------------------------------------------------------------------------------

typedef enum vireo_severity { VIREO_NOTE = 0, VIREO_WARNING = 1, VIREO_ERROR = 2 } vireo_severity;

typedef enum vireo_place_kind {
  VIREO_PLACE_NONE = 0,
  VIREO_PLACE_TEXT = 1,   ///< `begin` … `end` are bytes of the text
  VIREO_PLACE_WORDS = 2,  ///< `begin` … `end` are words of the module, its header included
} vireo_place_kind;

/// The location of a diagnostic: a range of bytes or words.
typedef struct vireo_place {
  uint32_t kind;         ///< vireo_place_kind
  uint32_t instruction;  ///< for words: number of the instruction, counted from 1; 0: the header, or no instruction
  uint64_t begin;
  uint64_t end;  ///< one past the last byte or word
} vireo_place;

/// One fault. The strings are valid until the list is destroyed, cleared or appended to.
typedef struct vireo_diagnostic {
  uint32_t severity;         ///< vireo_severity
  uint32_t note_count;       ///< see vireo_diagnostics_note
  vireo_string rule;         ///< stable name in kebab-case: "unknown-opcode"
  vireo_string message;      ///< one sentence, lower case, no full stop
  vireo_string hint;         ///< suggested replacement; often empty
  vireo_string requirement;  ///< the VUID of Vulkan that the finding violates; often empty
  vireo_string source;       ///< the file, or the path in a JSON document; empty: the input of the call
  vireo_place where;
} vireo_diagnostic;

/// A secondary message of a diagnostic, with its own location. The message is valid as long as that of the diagnostic.
typedef struct vireo_note {
  vireo_string message;
  vireo_place where;
} vireo_note;

/// A list to which calls append. It keeps the first 1000 errors and 1000 other diagnostics, and counts all of them.
typedef struct vireo_diagnostics vireo_diagnostics;

VIREO_API vireo_diagnostics* vireo_diagnostics_create(void);  ///< NULL: out of memory
VIREO_API void vireo_diagnostics_destroy(vireo_diagnostics* diagnostics);
VIREO_API void vireo_diagnostics_clear(vireo_diagnostics* diagnostics);
VIREO_API size_t vireo_diagnostics_count(const vireo_diagnostics* diagnostics);          ///< diagnostics in the list
VIREO_API size_t vireo_diagnostics_error_count(const vireo_diagnostics* diagnostics);    ///< all errors, kept or not
VIREO_API size_t vireo_diagnostics_warning_count(const vireo_diagnostics* diagnostics);  ///< all warnings, kept or not
/// The diagnostic with this index, from 0, and a note of it.
VIREO_API vireo_status vireo_diagnostics_get(const vireo_diagnostics* diagnostics, size_t index, vireo_diagnostic* out);
VIREO_API vireo_status vireo_diagnostics_note(const vireo_diagnostics* diagnostics, size_t index, size_t note,
                                              vireo_note* out);

/// The line and column (in bytes) of the byte at `offset`, from 1; beyond the end: after the last byte. Linear time.
VIREO_API vireo_status vireo_locate(const char* text, size_t size, uint64_t offset, uint64_t* line, uint64_t* column);

// --- output text ------------------------------------------------------------------------------------------------------

/// Receives text in chunks of `size` bytes. A chunk is valid only during the call. Returns 1 to continue, 0 to stop.
typedef int (*vireo_write)(void* user, const char* chunk, size_t size);

/// A growing text. To collect output in it, pass vireo_text_write as the callback and the vireo_text as `user`.
typedef struct vireo_text vireo_text;

VIREO_API vireo_text* vireo_text_create(void);  ///< NULL: out of memory
VIREO_API void vireo_text_destroy(vireo_text* text);
VIREO_API void vireo_text_clear(vireo_text* text);
/// The bytes of the text, with a terminating zero byte. Valid until the text is appended to, cleared or destroyed.
VIREO_API const char* vireo_text_data(const vireo_text* text);
VIREO_API size_t vireo_text_size(const vireo_text* text);  ///< bytes
/// A vireo_write callback: appends the chunk to the vireo_text `text`.
VIREO_API int vireo_text_write(void* text, const char* chunk, size_t size);

// --- grammars -----------------------------------------------------------------------------------------------------------

/// A grammar that was loaded at run time. If the argument of a function is NULL, it uses the built-in grammar.
typedef struct vireo_grammar vireo_grammar;

/// Loads a document in Khronos' grammar JSON format and adds it to a copy of `base`. `name` is the name of the file: it
/// is used in diagnostics and determines the name of an extended instruction set (vireo/spirv/grammar/grammar_loader.h).
VIREO_API vireo_status vireo_grammar_load(vireo_string name, const char* json, size_t size, const vireo_grammar* base,
                                          vireo_diagnostics* diagnostics, vireo_grammar** out);
VIREO_API void vireo_grammar_destroy(vireo_grammar* grammar);

// The names of opcodes, operand kinds and enumerants; valid as long as the grammar. VIREO_NO_MATCH: the grammar does
// not define the number. `kind` is a vireo_operand::kind; VIREO_BAD_ARGUMENT: it is out of range.
VIREO_API vireo_status vireo_opcode_name(const vireo_grammar* grammar, uint32_t opcode,
                                         vireo_string* out);  ///< "OpLoad"
VIREO_API vireo_status vireo_kind_name(const vireo_grammar* grammar, uint32_t kind,
                                       vireo_string* out);  ///< "StorageClass"
/// The enumerant with exactly this value: "Uniform". For a mask, pass one bit at a time.
VIREO_API vireo_status vireo_enumerant_name(const vireo_grammar* grammar, uint32_t kind, uint32_t value,
                                            vireo_string* out);
// The number of an opcode or enumerant by its name or an alias. `kind` is the name of an operand kind: "StorageClass".
VIREO_API vireo_status vireo_find_opcode(const vireo_grammar* grammar, vireo_string name, uint32_t* out);
VIREO_API vireo_status vireo_find_enumerant(const vireo_grammar* grammar, vireo_string kind, vireo_string name,
                                            uint32_t* out);

// --- modules as words ---------------------------------------------------------------------------------------------------

/// Owns the words of a module, in host byte order.
typedef struct vireo_words vireo_words;

VIREO_API void vireo_words_destroy(vireo_words* words);
VIREO_API const uint32_t* vireo_words_data(const vireo_words* words);  ///< valid until `words` is destroyed
VIREO_API size_t vireo_words_count(const vireo_words* words);          ///< words, not bytes

/// Reads the bytes of a file: binary in either byte order, or hexadecimal text (vireo/spirv/binary/reader.h). The bytes are
/// copied. VIREO_REPORTED: the size is not a multiple of four, or the text is malformed. The magic number is not
/// checked here; vireo_parse, vireo_disassemble and vireo_validate check it.
VIREO_API vireo_status vireo_words_read(const void* bytes, size_t size, vireo_diagnostics* diagnostics,
                                        vireo_words** out);

typedef enum vireo_assemble_flags {
  VIREO_PRESERVE_NUMERIC_IDS = 1u << 0,  ///< %42 becomes id 42; other names get the lowest free ids
  VIREO_EXACT = 1u << 1,                 ///< take version, generator, bound and schema from the header comments
} vireo_assemble_flags;

/// Options of the assembler. If all members are 0, they have their defaults.
typedef struct vireo_assemble_options {
  const vireo_grammar* grammar;
  uint32_t flags;          ///< vireo_assemble_flags
  uint32_t major_version;  ///< for the header, up to 255.255; 0.0: that of the text's header comment, else 1.6
  uint32_t minor_version;
} vireo_assemble_options;

/// Assembles a text. `options` may be NULL. VIREO_REPORTED: the text has faults, which are reported with byte ranges.
VIREO_API vireo_status vireo_assemble(const char* text, size_t size, const vireo_assemble_options* options,
                                      vireo_diagnostics* diagnostics, vireo_words** out);

typedef enum vireo_disassemble_flags {
  VIREO_NO_HEADER = 1u << 0,             ///< without the five comment lines
  VIREO_NO_INDENT = 1u << 1,             ///< opcodes in the first column
  VIREO_RAW_IDS = 1u << 2,               ///< every id is printed as a number
  VIREO_SHOW_RAW_IDS = 1u << 3,          ///< the number of a named result id in a comment
  VIREO_OFFSETS = 1u << 4,               ///< the byte offset of each instruction in a comment
  VIREO_COMMENTS = 1u << 5,              ///< section headings and decorations in comments
  VIREO_NESTED_INDENT = 1u << 6,         ///< indent by the nesting of structured control flow
  VIREO_REORDER_BLOCKS = 1u << 7,        ///< blocks in structured order
  VIREO_ANNOTATE = 1u << 8,              ///< explain types, constants, accesses and control flow in comments
  VIREO_COLOR = 1u << 9,                 ///< ANSI escapes
  VIREO_ESCAPE_STRINGS = 1u << 10,       ///< control bytes of strings as `\xNN`
  VIREO_HANDLE_UNKNOWN = 1u << 11,       ///< unknown opcodes become OpUnknown, without an error
  VIREO_STOP_AT_FIRST_ERROR = 1u << 12,  ///< otherwise skip instructions that cannot be decoded
  VIREO_JSON = 1u << 13,                 ///< one JSON document (docs/json.md) instead of assembly
} vireo_disassemble_flags;

/// Disassembles a module with its header in host byte order. `flags`: vireo_disassemble_flags; 0: the style of
/// spirv-dis. VIREO_REPORTED: there were errors; the text contains all instructions that could be decoded.
VIREO_API vireo_status vireo_disassemble(const uint32_t* words, size_t count, const vireo_grammar* grammar,
                                         uint32_t flags, vireo_write write, void* user, vireo_diagnostics* diagnostics);

// --- validation ---------------------------------------------------------------------------------------------------------

/// A profile: the environment, limits and rules for validation, for example those of a device (docs/validator.md).
typedef struct vireo_profile vireo_profile;

/// Reads a profile from a JSON document:
/// `{"environment": "vulkan1.3", "features": ["scalar-block-layout"], "rules": {"nesting-depth": "warn"}}`.
/// The grammar is borrowed and must outlive the profile, which uses it. VIREO_REPORTED: the document has errors.
VIREO_API vireo_status vireo_profile_read(const char* json, size_t size, const vireo_grammar* grammar,
                                          vireo_diagnostics* diagnostics, vireo_profile** out);
/// Creates a profile with only an environment: "vulkan1.3". VIREO_REPORTED: no environment has exactly this name.
VIREO_API vireo_status vireo_profile_create(const char* environment, vireo_diagnostics* diagnostics,
                                            vireo_profile** out);
VIREO_API void vireo_profile_destroy(vireo_profile* profile);

/// Validates a module with its header in host byte order, and reports all faults in the order of the words.
/// VIREO_REPORTED: the module is invalid. `profile` NULL: the newest universal SPIR-V, with the built-in grammar.
VIREO_API vireo_status vireo_validate(const uint32_t* words, size_t count, const vireo_profile* profile,
                                      vireo_diagnostics* diagnostics);

/// A rule of the validator. The strings have static lifetime.
typedef struct vireo_rule {
  vireo_string name;         ///< as in diagnostics: "component-count"
  vireo_string section;      ///< section of the specification
  vireo_string vuids;        ///< VUIDs of Vulkan, separated by spaces; often empty
  vireo_string requirement;  ///< what the rule requires of a module
  uint32_t severity;         ///< vireo_severity
} vireo_rule;

VIREO_API vireo_status vireo_rule_get(size_t index,
                                      vireo_rule* out);  ///< by index, from 0; VIREO_NO_MATCH after the last rule
VIREO_API vireo_status vireo_find_rule(vireo_string name, vireo_rule* out);  ///< VIREO_NO_MATCH also for old names

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
  VIREO_SHAPE_TYPED_NUMBER = 8,     ///< a literal; vireo_instruction::literal_… describe its type
  VIREO_SHAPE_EXTENDED_NUMBER = 9,  ///< number of the instruction in its extended set
  VIREO_SHAPE_SPEC_OPCODE = 10,     ///< the opcode within OpSpecConstantOp
  VIREO_SHAPE_ENUMERANT = 11,       ///< one word; its parameters follow
  VIREO_SHAPE_MASK = 12,            ///< one word; the parameters of each bit follow, lowest bit first
} vireo_shape;

/// One operand: a range of words of its instruction.
typedef struct vireo_operand {
  uint16_t word;         ///< index of its first word within the instruction
  uint16_t word_count;   ///< at least 1
  uint16_t kind;         ///< for vireo_kind_name and vireo_enumerant_name
  uint8_t shape;         ///< vireo_shape
  uint8_t is_parameter;  ///< 1: it is a parameter of the enumerant or mask before it
} vireo_operand;

typedef enum vireo_literal { VIREO_LITERAL_NONE = 0, VIREO_LITERAL_INTEGER = 1, VIREO_LITERAL_FLOAT = 2 } vireo_literal;

/// One instruction.
typedef struct vireo_instruction {
  const uint32_t* words;          ///< all its words; a pointer into the words of the module
  uint32_t word_count;            ///< at least 1
  uint32_t opcode;                ///< may be unknown to the grammar
  uint32_t index;                 ///< index in the module, counted from 0
  uint32_t offset;                ///< offset of its first word in the module, in words
  uint32_t type_id;               ///< id of the result type; 0: none
  uint32_t result_id;             ///< 0: none
  vireo_string name;              ///< "OpLoad"; empty: unknown to the grammar
  vireo_string inner_name;        ///< for OpExtInst and OpSpecConstantOp: "Sqrt", "IAdd"; otherwise empty
  const vireo_operand* operands;  ///< in the order of the words; NULL if no operand was decoded
  size_t operand_count;
  uint32_t is_complete;        ///< 1: all operands are in `operands`; 0: decoding failed or was not requested
  uint32_t literal_class;      ///< vireo_literal: the type of operands of VIREO_SHAPE_TYPED_NUMBER
  uint32_t literal_width;      ///< bits
  uint32_t literal_is_signed;  ///< 1: two's complement
} vireo_instruction;

/// The header of a module (specification 2.3), without the magic number.
typedef struct vireo_header {
  uint32_t major_version;
  uint32_t minor_version;
  uint32_t generator;
  uint32_t bound;
  uint32_t schema;
} vireo_header;

/// Called once, before the first instruction. The pointer may be NULL.
typedef int (*vireo_on_header)(void* user, const vireo_header* header);
/// Called for each instruction. It and its operands are valid during the call, its names as long as the grammar.
typedef int (*vireo_on_instruction)(void* user, const vireo_instruction* instruction);

/// Decodes every instruction of a module with its operands and calls `on_instruction` for it. Reports each fault and
/// continues with the next instruction; decoding ends early only if the word count of an instruction is invalid. Does
/// not allocate for each instruction. VIREO_REPORTED: the header is invalid, or an instruction has a fault.
VIREO_API vireo_status vireo_parse(const uint32_t* words, size_t count, const vireo_grammar* grammar,
                                   vireo_on_header on_header, vireo_on_instruction on_instruction, void* user,
                                   vireo_diagnostics* diagnostics);

// --- modules, indexed ---------------------------------------------------------------------------------------------------

/// An indexed module (vireo/spirv/module/module.h). Immutable: any number of threads may query it.
typedef struct vireo_module vireo_module;

/// Indexes a module in host byte order. The words and the grammar are borrowed and must outlive it. Accepts any words:
/// vireo_module_layout_violation returns the violations of the layout.
VIREO_API vireo_status vireo_module_read(const uint32_t* words, size_t count, const vireo_grammar* grammar,
                                         vireo_module** out);
VIREO_API void vireo_module_destroy(vireo_module* module);

/// The sections of the logical layout, in order (specification 2.4).
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

/// A function: a range of instructions and a range of blocks.
typedef struct vireo_function {
  uint32_t id;     ///< its result id; 0: OpFunction is too short to have one
  uint32_t first;  ///< its instructions have the indexes first … end - 1
  uint32_t end;
  uint32_t first_block;  ///< its blocks have the indexes first_block … first_block + block_count - 1
  uint32_t block_count;  ///< 0: a declaration
} vireo_function;

/// A block, from its label to its terminator.
typedef struct vireo_block {
  uint32_t label;  ///< id
  uint32_t first;  ///< its instructions have the indexes first … end - 1
  uint32_t end;
  uint32_t merge;       ///< index of its merge instruction, or VIREO_NONE
  uint32_t terminator;  ///< index of its terminator; VIREO_NONE: missing
  uint32_t function;    ///< index of its function
} vireo_block;

/// An entry point. The pointers are valid as long as the module and its words.
typedef struct vireo_entry_point {
  uint32_t execution_model;
  uint32_t function_id;
  uint32_t instruction;  ///< index of OpEntryPoint
  uint32_t interface_count;
  const uint32_t* interface_ids;  ///< ids of variables
  vireo_string name;
} vireo_entry_point;

/// vireo/spirv/module/module.h describes the kinds (LayoutViolation::Kind).
typedef enum vireo_layout_violation_kind {
  VIREO_LAYOUT_VIOLATION_ZERO_WORD_COUNT = 0,
  VIREO_LAYOUT_VIOLATION_TRUNCATED = 1,
  VIREO_LAYOUT_VIOLATION_NO_RESULT = 2,
  VIREO_LAYOUT_VIOLATION_ZERO_ID = 3,
  VIREO_LAYOUT_VIOLATION_BEYOND_BOUND = 4,
  VIREO_LAYOUT_VIOLATION_DEFINED_TWICE = 5,
  VIREO_LAYOUT_VIOLATION_OUT_OF_SECTION = 6,
  VIREO_LAYOUT_VIOLATION_NESTED_FUNCTION = 7,
  VIREO_LAYOUT_VIOLATION_NO_FUNCTION_END = 8,
  VIREO_LAYOUT_VIOLATION_END_OUTSIDE = 9,
  VIREO_LAYOUT_VIOLATION_PARAMETER_OUTSIDE = 10,
  VIREO_LAYOUT_VIOLATION_LABEL_OUTSIDE = 11,
  VIREO_LAYOUT_VIOLATION_NO_TERMINATOR = 12,
  VIREO_LAYOUT_VIOLATION_OUTSIDE_OF_BLOCKS = 13,
} vireo_layout_violation_kind;

/// A violation of the physical or logical layout (specification 2.3, 2.4).
typedef struct vireo_layout_violation {
  uint32_t kind;         ///< vireo_layout_violation_kind
  uint32_t instruction;  ///< index of the instruction; VIREO_NONE: its word count is invalid
  uint32_t offset;       ///< offset of the instruction, in words from the start of the module
  uint32_t id;           ///< the result id with the violation; 0: no id is involved
} vireo_layout_violation;

// Counts of the module's parts; 0 if `module` is NULL.
VIREO_API uint32_t vireo_module_instruction_count(const vireo_module* module);
VIREO_API uint32_t vireo_module_function_count(const vireo_module* module);
VIREO_API uint32_t vireo_module_block_count(const vireo_module* module);  ///< the blocks of all functions
VIREO_API uint32_t vireo_module_entry_point_count(const vireo_module* module);
VIREO_API uint32_t vireo_module_layout_violation_count(const vireo_module* module);
/// One more than the highest defined id; 0 if no id is defined.
VIREO_API uint32_t vireo_module_bound(const vireo_module* module);

VIREO_API vireo_status vireo_module_header(const vireo_module* module, vireo_header* out);
/// The instruction with this index, from 0, without decoded operands.
VIREO_API vireo_status vireo_module_instruction(const vireo_module* module, uint32_t index, vireo_instruction* out);
/// The index of the instruction that defines an id; VIREO_NONE if the id is not defined.
VIREO_API uint32_t vireo_module_definition(const vireo_module* module, uint32_t id);
/// The instructions of a section have the indexes first … end - 1. The sections partition the module.
VIREO_API vireo_status vireo_module_section(const vireo_module* module, vireo_section section, uint32_t* first,
                                            uint32_t* end);
/// The function, block, entry point or layout violation with this index, from 0.
VIREO_API vireo_status vireo_module_function(const vireo_module* module, uint32_t index, vireo_function* out);
VIREO_API vireo_status vireo_module_block(const vireo_module* module, uint32_t index, vireo_block* out);
VIREO_API vireo_status vireo_module_entry_point(const vireo_module* module, uint32_t index, vireo_entry_point* out);
VIREO_API vireo_status vireo_module_layout_violation(const vireo_module* module, uint32_t index,
                                                     vireo_layout_violation* out);

// --- facts of a module --------------------------------------------------------------------------------------------------
//
// Each fact is computed on first use; any number of threads may call these functions at once. VIREO_NO_MATCH: the
// module has no type, constant, name or decoration for the arguments.

/// A type. Members that do not apply are 0 or NULL.
typedef struct vireo_type {
  uint32_t opcode;           ///< opcode of its declaration
  uint32_t instruction;      ///< index of its declaration
  uint32_t width;            ///< integers and floats: bits
  uint32_t is_signed;        ///< integers: 0 or 1
  uint32_t storage_class;    ///< pointers and buffers
  uint32_t element;          ///< id of the component, column, element, pointee, return or sampled type
  uint32_t length;           ///< arrays and long vectors: id of the constant with the length
  uint32_t member_count;     ///< structures: members; functions: parameters
  const uint32_t* members;   ///< ids of their types; valid as long as the module and its words
  uint64_t component_count;  ///< components, columns or elements; 0: `length` is not the id of an OpConstant
  uint64_t bits;             ///< size of all components, without padding; UINT64_MAX: unknown
} vireo_type;

/// The status of a constant's value.
typedef enum vireo_certainty {
  VIREO_CONSTANT_KNOWN = 0,    ///< specialization cannot change the value
  VIREO_CONSTANT_DEFAULT = 1,  ///< the value is the default, or computed from defaults; specialization can change it
  VIREO_CONSTANT_UNKNOWN = 2,  ///< the value cannot be computed
} vireo_certainty;

/// A constant and its value.
typedef struct vireo_constant {
  uint32_t type_id;            ///< 0: the result type is not a declared type
  uint32_t instruction;        ///< index of its declaration
  uint32_t certainty;          ///< vireo_certainty
  uint32_t is_specialization;  ///< 1: its opcode is OpSpecConstant…
  uint32_t is_scalar;          ///< 1: `bits` is its value; also for OpConstantNull of a scalar type
  uint64_t bits;               ///< zero above the type's width; the lowest 64 bits of wider types; 0 if not scalar
} vireo_constant;

typedef enum vireo_use_kind {
  VIREO_USE_OPERAND = 0,      ///< in all other instructions
  VIREO_USE_RESULT_TYPE = 1,  ///< as the result type of an instruction
  VIREO_USE_MODE = 2,         ///< in entry points, execution modes, the memory model
  VIREO_USE_DEBUG = 3,        ///< in names, lines, sources
  VIREO_USE_ANNOTATION = 4,   ///< in decorations and their groups
} vireo_use_kind;

/// One use of an id as an operand.
typedef struct vireo_use {
  uint32_t instruction;  ///< index of the instruction
  uint32_t word;         ///< index of the operand's word within the instruction
  uint32_t kind;         ///< vireo_use_kind
} vireo_use;

/// Called for each use. Returns 1 to continue, 0 to stop.
typedef int (*vireo_on_use)(void* user, const vireo_use* use);

/// The type that an id declares.
VIREO_API vireo_status vireo_module_type(const vireo_module* module, uint32_t id, vireo_type* out);
/// The constant that an id declares, with its value. The value of OpSpecConstantOp is computed.
VIREO_API vireo_status vireo_module_constant(const vireo_module* module, uint32_t id, vireo_constant* out);
/// The name of an id or, if `member` is not VIREO_NONE, of a member. Valid as long as the module's words.
VIREO_API vireo_status vireo_module_name(const vireo_module* module, uint32_t id, uint32_t member, vireo_string* out);
/// The operand words of a decoration of an id or, if `member` is not VIREO_NONE, of a member. Includes decorations that
/// groups apply. Returns the first one. `*operands` is valid as long as the module's words; NULL: no operands.
VIREO_API vireo_status vireo_module_decoration(const vireo_module* module, uint32_t id, uint32_t member,
                                               uint32_t decoration, const uint32_t** operands, size_t* count);
/// Calls `on_use` for every use of the id, in the order of the words.
VIREO_API vireo_status vireo_module_uses(const vireo_module* module, uint32_t id, vireo_on_use on_use, void* user);

/// The control-flow graph of one function. Its block i is the block first_block + i of the module (vireo_function).
typedef struct vireo_flow vireo_flow;

/// Reads the function with this index. The module is borrowed and must outlive the flow.
VIREO_API vireo_status vireo_flow_read(const vireo_module* module, uint32_t function, vireo_flow** out);
VIREO_API void vireo_flow_destroy(vireo_flow* flow);
VIREO_API uint32_t vireo_flow_block_count(const vireo_flow* flow);
/// The successors of a block in the order of the branch operands, or its predecessors, ascending; one for each branch.
VIREO_API vireo_status vireo_flow_successors(const vireo_flow* flow, uint32_t block, const uint32_t** blocks,
                                             size_t* count);
VIREO_API vireo_status vireo_flow_predecessors(const vireo_flow* flow, uint32_t block, const uint32_t** blocks,
                                               size_t* count);
/// The immediate dominator of a block; VIREO_NONE for the entry block and for unreachable blocks.
VIREO_API uint32_t vireo_flow_dominator(const vireo_flow* flow, uint32_t block);
/// The immediate post-dominator of a block; VIREO_NONE: only the exit of the function post-dominates it.
VIREO_API uint32_t vireo_flow_post_dominator(const vireo_flow* flow, uint32_t block);
/// Returns 1 if `a` dominates `b`: every path from the entry block to `b` contains `a`. 0 for unreachable blocks.
VIREO_API int vireo_flow_dominates(const vireo_flow* flow, uint32_t a, uint32_t b);

// --- building modules -------------------------------------------------------------------------------------------------

/// Builds a module from instructions in any order: puts each instruction into its section (vireo/spirv/build/builder.h).
typedef struct vireo_builder vireo_builder;

/// The SPIR-V version is for the header, whose generator is 0: no tool. VIREO_BAD_ARGUMENT: a version part exceeds 255.
VIREO_API vireo_status vireo_builder_create(uint32_t major_version, uint32_t minor_version, vireo_builder** out);
VIREO_API void vireo_builder_destroy(vireo_builder* builder);
/// Adds an instruction. `operands` are its words after the first one, in the order of the grammar, without the result
/// id. Operand ids must be from this builder. `result` may be NULL. On input, `*result` is 0 or a reserved id for the
/// result; on output, it is the result id. If an equal type or constant exists, its id is returned and no instruction
/// is added. VIREO_REPORTED: the instruction is omitted and vireo_builder_build will fail; `*result` may still be used.
VIREO_API vireo_status vireo_builder_add(vireo_builder* builder, uint32_t opcode, const uint32_t* operands,
                                         size_t count, uint32_t* result, vireo_diagnostics* diagnostics);
/// Reserves an id for a later instruction, such as a label. VIREO_REPORTED: the opcode has no result.
VIREO_API vireo_status vireo_builder_reserve(vireo_builder* builder, uint32_t opcode, uint32_t* out,
                                             vireo_diagnostics* diagnostics);
/// Converts a text to the words of a literal string: its bytes, a zero byte, and zero padding. Writes at most
/// `capacity` words and returns the number of words needed. To query only this number, pass NULL and 0.
VIREO_API size_t vireo_string_words(vireo_string text, uint32_t* out, size_t capacity);
/// Adds the capabilities and extensions that the instructions added so far require.
VIREO_API vireo_status vireo_builder_add_requirements(vireo_builder* builder, vireo_diagnostics* diagnostics);
/// Returns the module so far, with its header, in host byte order. More instructions can be added afterwards.
/// VIREO_REPORTED: the module is incomplete, or an earlier call reported an error.
VIREO_API vireo_status vireo_builder_build(vireo_builder* builder, vireo_diagnostics* diagnostics, vireo_words** out);

/// A list of changes to a module (vireo/spirv/build/edit.h). vireo_edit_apply applies them.
typedef struct vireo_edit vireo_edit;

/// Creates an edit of a module, which is borrowed and must outlive the edit.
VIREO_API vireo_status vireo_edit_create(const vireo_module* module, vireo_edit** out);
/// Creates an edit of a module in host byte order. The words and the grammar are borrowed and must outlive the edit.
VIREO_API vireo_status vireo_edit_create_from_words(const uint32_t* words, size_t count, const vireo_grammar* grammar,
                                                    vireo_edit** out);
VIREO_API void vireo_edit_destroy(vireo_edit* edit);

// The functions below record changes. `instruction` is always an index in the original module. vireo_edit_apply reports
// invalid changes.

/// The position of a new instruction.
typedef enum vireo_edit_place {
  VIREO_EDIT_ADD = 0,       ///< at the end of its section; the index is ignored
  VIREO_EDIT_BEFORE = 1,    ///< before the instruction with the index
  VIREO_EDIT_AFTER = 2,     ///< after the instruction with the index
  VIREO_EDIT_REPLACE = 3,   ///< in place of the instruction with the index, with the same result id
  VIREO_EDIT_AT_BEGIN = 4,  ///< after the variables of a function's first block; the index is that of the function
} vireo_edit_place;

/// Inserts an instruction. `place` is a vireo_edit_place; `instruction` is its index. `operands` are the words after
/// the first one, without the result id; they are checked by the grammar. Operand ids must be from the module or this
/// edit. `result` may be NULL. On input, `*result` is 0 or an id of vireo_edit_fresh_id for the result; on output, it
/// is the result id. If the module or this edit has an equal type, constant, import, extension or capability, its id is
/// returned and no instruction is added. An instruction of another section is added at the end of that section.
VIREO_API vireo_status vireo_edit_make(vireo_edit* edit, uint32_t place, uint32_t instruction, uint32_t opcode,
                                       const uint32_t* operands, size_t count, uint32_t* result);
// In these functions, `words` are one or more whole instructions. They are copied.
VIREO_API vireo_status vireo_edit_insert_before(vireo_edit* edit, uint32_t instruction, const uint32_t* words,
                                                size_t count);
VIREO_API vireo_status vireo_edit_insert_after(vireo_edit* edit, uint32_t instruction, const uint32_t* words,
                                               size_t count);
/// Adds the instructions at the end of the section of the first one that is not OpLine or OpNoLine.
VIREO_API vireo_status vireo_edit_add(vireo_edit* edit, const uint32_t* words, size_t count);
VIREO_API vireo_status vireo_edit_replace(vireo_edit* edit, uint32_t instruction, const uint32_t* words, size_t count);
VIREO_API vireo_status vireo_edit_remove(vireo_edit* edit, uint32_t instruction);
/// Removes an instruction together with the names, decorations and execution modes of its result id.
VIREO_API vireo_status vireo_edit_remove_with_annotations(vireo_edit* edit, uint32_t instruction);
/// Moves the instructions first … end - 1 before `instruction`. Changes to the moved instructions still apply.
VIREO_API vireo_status vireo_edit_move_before(vireo_edit* edit, uint32_t first, uint32_t end, uint32_t instruction);
/// Sets one word of an instruction. `word` is an index within the instruction, at least 1.
VIREO_API vireo_status vireo_edit_set_word(vireo_edit* edit, uint32_t instruction, uint32_t word, uint32_t value);
/// Returns an unused id; 0 if `edit` is NULL or no id is left.
VIREO_API uint32_t vireo_edit_fresh_id(vireo_edit* edit);
/// Makes vireo_edit_apply add the capabilities and extensions that the changed module needs but does not declare.
VIREO_API vireo_status vireo_edit_add_requirements(vireo_edit* edit);
/// Returns the words of the changed module. The interfaces of entry points are updated (vireo/spirv/build/edit.h). The edit
/// is unchanged and can be applied again. VIREO_REPORTED: a change is invalid, or the module is truncated.
VIREO_API vireo_status vireo_edit_apply(const vireo_edit* edit, vireo_diagnostics* diagnostics, vireo_words** out);
/// Writes the words of the changed module to `out`, which has space for `capacity` words. `*count` is set to the number
/// of words. To query only this number, pass NULL and 0. Too little space: VIREO_BAD_ARGUMENT; only `*count` is set.
VIREO_API vireo_status vireo_edit_apply_into(const vireo_edit* edit, uint32_t* out, size_t capacity, size_t* count,
                                             vireo_diagnostics* diagnostics);

#ifdef __cplusplus
}  // extern "C"
#endif
// NOLINTEND

#include "vireo/vireo_isa.h"

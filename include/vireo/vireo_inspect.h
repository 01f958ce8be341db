// SPDX-License-Identifier: Apache-2.0
//
// The C interface of inspection: functions that describe modules and do not change them.
//
// `words` is a module with its header in host byte order, borrowed during the call; `grammar` may be NULL for the
// built-in one. The functions are thread-safe: they take no lock and keep no state.
#pragma once

#include "vireo/vireo.h"

// NOLINTBEGIN: clang-tidy checks this header as C++, but it is C.

#ifdef __cplusplus
extern "C" {
#endif

// --- properties (docs/info.md) ------------------------------------------------------------------------------------------

/// Writes the properties of a module as a JSON object on one line. VIREO_REPORTED: there were faults; if the words are a
/// module at all, the object was written nevertheless.
VIREO_API vireo_status vireo_info_json(const uint32_t* words, size_t count, const vireo_grammar* grammar,
                                       vireo_write write, void* user, vireo_diagnostics* diagnostics);

/// Sets `*out` to 1 if a module satisfies a condition, such as `bytes > 10000 and capability = Kernel`; else to 0.
/// VIREO_REPORTED: the condition has errors, with locations in it, or the words are no module; `*out` is 0. Faults of
/// a module are not reported.
VIREO_API vireo_status vireo_info_matches(const uint32_t* words, size_t count, const vireo_grammar* grammar,
                                          vireo_string condition, int* out, vireo_diagnostics* diagnostics);

// --- graphs (docs/inspect.md) -------------------------------------------------------------------------------------------

typedef enum vireo_dot_flags {
  VIREO_DOT_INSTRUCTIONS = 1u << 0,  ///< control flow: labels show the instructions
} vireo_dot_flags;

/// Options of the functions below. A limit of 0 is none; beyond a limit, inner parts are drawn as one node, and a note
/// reports it (vireo/spirv/inspect/dot.h).
typedef struct vireo_dot_options {
  const vireo_string* functions;  ///< the functions to draw: names, ids ("%12") or names of entry points
  size_t function_count;          ///< 0: all functions
  uint32_t flags;                 ///< a set of vireo_dot_flags
  uint32_t max_depth;             ///< nesting levels of constructs
  uint32_t max_nodes;             ///< blocks of all functions, or functions of a call graph
  uint32_t max_instructions;      ///< instructions in the label of one block
} vireo_dot_options;

/// Writes the control-flow graphs of functions, one after the other. `options` may be NULL. VIREO_REPORTED: the header is
/// invalid, a function does not exist, or the module is truncated. Targets that are not blocks are warnings.
VIREO_API vireo_status vireo_write_control_flow_graph(const uint32_t* words, size_t count,
                                                      const vireo_dot_options* options, const vireo_grammar* grammar,
                                                      vireo_write write, void* user, vireo_diagnostics* diagnostics);

/// Writes the static call graph of the functions and of those that they call. Arguments and statuses are the same.
VIREO_API vireo_status vireo_write_call_graph(const uint32_t* words, size_t count, const vireo_dot_options* options,
                                              const vireo_grammar* grammar, vireo_write write, void* user,
                                              vireo_diagnostics* diagnostics);

// --- reflection ---------------------------------------------------------------------------------------------------------

/// The resources, blocks, interfaces and specialization constants of a module (vireo/spirv/inspect/reflection.h).
/// Immutable: any number of threads may query it. All strings and lists in its rows are valid until it is destroyed.
typedef struct vireo_reflection vireo_reflection;

/// Reads a module in host byte order. Its words are copied; the grammar is borrowed and must outlive the result; NULL is
/// the built-in one. Accepts any words: missing parts of an invalid module have no rows.
VIREO_API vireo_status vireo_reflection_create(const uint32_t* words, size_t count, const vireo_grammar* grammar,
                                               vireo_reflection** out);
VIREO_API void vireo_reflection_destroy(vireo_reflection* reflection);
/// The module, valid until the reflection is destroyed: vireo_module_type describes the types of rows.
VIREO_API const vireo_module* vireo_reflection_module(const vireo_reflection* reflection);

/// The length of one dimension of an array.
typedef struct vireo_reflected_length {
  uint64_t count;    ///< 0: known at run time only. If specialization can change it: the default
  uint32_t spec_id;  ///< of the length, or VIREO_NONE
} vireo_reflected_length;

/// The size of a workgroup in one dimension.
typedef struct vireo_reflected_dimension {
  uint32_t size;     ///< if specialization can change it: the default
  uint32_t spec_id;  ///< or VIREO_NONE
} vireo_reflected_dimension;

/// An entry point. The lists are indexes of rows that it uses, ascending; those of `built_ins` are values of BuiltIn.
typedef struct vireo_reflected_entry_point {
  vireo_string name;
  uint32_t execution_model;
  uint32_t function_id;
  uint32_t has_workgroup;  ///< 1: the module states the size of its workgroups
  vireo_reflected_dimension workgroup[3];
  uint32_t resource_count, push_constant_count, variable_count, spec_constant_count, built_in_count;
  const uint32_t *resources, *push_constants, *variables, *spec_constants, *built_ins;
  uint32_t heap_access_count, other_variable_count;
  const uint32_t *heap_accesses, *other_variables;
} vireo_reflected_entry_point;

/// The type of a descriptor (DescriptorType in vireo/spirv/inspect/reflection.h).
typedef enum vireo_descriptor_type {
  VIREO_DESCRIPTOR_SAMPLER = 0,
  VIREO_DESCRIPTOR_COMBINED_IMAGE_SAMPLER = 1,
  VIREO_DESCRIPTOR_SAMPLED_IMAGE = 2,
  VIREO_DESCRIPTOR_STORAGE_IMAGE = 3,
  VIREO_DESCRIPTOR_UNIFORM_TEXEL_BUFFER = 4,
  VIREO_DESCRIPTOR_STORAGE_TEXEL_BUFFER = 5,
  VIREO_DESCRIPTOR_UNIFORM_BUFFER = 6,
  VIREO_DESCRIPTOR_STORAGE_BUFFER = 7,
  VIREO_DESCRIPTOR_INPUT_ATTACHMENT = 8,
  VIREO_DESCRIPTOR_ACCELERATION_STRUCTURE = 9,
  VIREO_DESCRIPTOR_TENSOR = 10,
  VIREO_DESCRIPTOR_ATOMIC_COUNTER = 11,  ///< of OpenGL
  VIREO_DESCRIPTOR_UNIFORM = 12,         ///< of OpenGL: a plain uniform variable
  VIREO_DESCRIPTOR_UNKNOWN = 13,
} vireo_descriptor_type;
/// "VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER"; of static lifetime. An unknown value gives an empty text.
VIREO_API vireo_string vireo_descriptor_type_name(uint32_t type);

/// Properties of resources, variables and members.
typedef enum vireo_reflected_flags {
  VIREO_REFLECTED_READONLY = 1u << 0,
  VIREO_REFLECTED_WRITEONLY = 1u << 1,
  VIREO_REFLECTED_COHERENT = 1u << 2,
  VIREO_REFLECTED_VOLATILE = 1u << 3,
  VIREO_REFLECTED_RESTRICT = 1u << 4,
  VIREO_REFLECTED_FLAT = 1u << 5,
  VIREO_REFLECTED_NOPERSPECTIVE = 1u << 6,
  VIREO_REFLECTED_CENTROID = 1u << 7,
  VIREO_REFLECTED_SAMPLE = 1u << 8,
  VIREO_REFLECTED_PATCH = 1u << 9,
  VIREO_REFLECTED_OUTPUT = 1u << 10,     ///< of variables; without it an input
  VIREO_REFLECTED_ROW_MAJOR = 1u << 11,  ///< of members
} vireo_reflected_flags;

/// A variable that a descriptor, or the API in another way, is bound to. VIREO_NONE: not decorated.
typedef struct vireo_reflected_resource {
  vireo_string name;  ///< for a block without a name, that of its type; may be empty
  uint32_t id;
  uint32_t descriptor_type;  ///< vireo_descriptor_type
  uint32_t type;             ///< id of its type without arrays
  uint32_t set, binding;
  uint32_t input_attachment;
  uint32_t location;  ///< of a plain uniform variable
  uint32_t offset;    ///< of an atomic counter
  uint32_t flags;     ///< vireo_reflected_flags
  uint32_t array_count;
  const vireo_reflected_length* array;  ///< of an array of descriptors, the outermost dimension first
  uint64_t block_size;                  ///< bytes, without a run-time array at the end; 0: no block, or no size
} vireo_reflected_resource;

/// A block of push constants.
typedef struct vireo_reflected_push_constants {
  vireo_string name;
  uint32_t id;
  uint32_t type;        ///< id of its structure
  uint64_t begin, end;  ///< bytes: from its first member to the end of its last one
} vireo_reflected_push_constants;

/// An input or output. VIREO_NONE: not decorated.
typedef struct vireo_reflected_variable {
  vireo_string name;
  uint32_t id;
  uint32_t type;  ///< id of its type without arrays
  uint32_t location, component, index;
  uint32_t built_in;  ///< those of a block are in its members
  uint32_t flags;     ///< vireo_reflected_flags
  uint32_t array_count;
  const vireo_reflected_length* array;  ///< the outermost dimension first
  vireo_string vulkan_format;           ///< "VK_FORMAT_R32G32B32_SFLOAT"; empty: the type has none
} vireo_reflected_variable;

/// A specialization constant with a SpecId.
typedef struct vireo_reflected_spec_constant {
  vireo_string name;
  uint32_t spec_id;
  uint32_t id;
  uint32_t type;
  uint64_t default_bits;  ///< zero above the width of the type; 0 or 1 for a Boolean
} vireo_reflected_spec_constant;

/// A structure that a block, an interface or a buffer reference contains.
typedef struct vireo_reflected_structure {
  vireo_string name;
  uint32_t id;
  uint32_t member_count;
} vireo_reflected_structure;

/// A member of a structure. VIREO_NONE: not decorated.
typedef struct vireo_reflected_member {
  vireo_string name;
  uint32_t type;
  uint32_t offset;  ///< bytes
  uint32_t location;
  uint32_t built_in;
  uint32_t array_stride;   ///< bytes between elements of the outermost array; 0: none
  uint32_t matrix_stride;  ///< bytes between columns or rows; 0: none
  uint32_t flags;          ///< vireo_reflected_flags
  uint32_t has_size;       ///< 1: `size` is known
  uint64_t size;           ///< bytes; 0 for a run-time array
  uint64_t padding;        ///< bytes after it, up to the next member
  uint32_t component;      ///< of its location
} vireo_reflected_member;

/// A variable of another storage class with which stages, or a stage and the API, exchange data: tile images, shader
/// records, payloads and attributes. VIREO_NONE: not decorated.
typedef struct vireo_reflected_other_variable {
  vireo_string name;  ///< for a block without a name, that of its type; may be empty
  uint32_t id;
  uint32_t storage_class;
  uint32_t type;  ///< id of its type without arrays
  uint32_t location;
  uint32_t array_count;
  const vireo_reflected_length* array;  ///< the outermost dimension first
  uint64_t block_size;  ///< bytes, of a shader record without a run-time array at its end; 0: none, or no size
} vireo_reflected_other_variable;

/// A number that a constant determines, or that is known at run time only: then it has no value and no expression.
typedef struct vireo_reflected_number {
  uint32_t has_value;
  uint32_t spec_id_count;
  uint64_t value;            ///< if specialization can change it: the default
  vireo_string expression;   ///< "SpecId 3 * SpecId 1", "sizeof(sampler)"; empty: the value cannot change
  const uint32_t* spec_ids;  ///< those of the expression, ascending
} vireo_reflected_number;

/// An access to a descriptor in a heap (SPV_EXT_descriptor_heap); equal accesses are one row.
typedef struct vireo_reflected_heap_access {
  uint32_t id;               ///< of the first instruction that uses the descriptor
  uint32_t heap;             ///< id of the variable
  uint32_t built_in;         ///< ResourceHeapEXT or SamplerHeapEXT
  uint32_t descriptor_type;  ///< vireo_descriptor_type
  uint32_t type;             ///< id of the type of the descriptor
  uint32_t flags;            ///< VIREO_REFLECTED_READONLY, VIREO_REFLECTED_WRITEONLY
  uint32_t step_count;       ///< from the heap on; 0: the first descriptor
  uint32_t block_count;
  const uint32_t* blocks;         ///< ids of the types through which the data of a buffer is accessed
  uint64_t block_size;            ///< bytes, of the largest block; 0: no block, or no size
  vireo_reflected_number offset;  ///< bytes from the begin of the heap
} vireo_reflected_heap_access;

/// A part of the way from a heap to a descriptor: an element of an array, or a member of a structure.
typedef struct vireo_reflected_heap_step {
  uint32_t type;                 ///< id of the array or structure
  uint32_t member;               ///< its number, or VIREO_NONE: an element
  vireo_reflected_number index;  ///< of an element
  vireo_reflected_number bytes;  ///< the stride of the array, or the offset of the member
} vireo_reflected_heap_step;

// The number of rows, which are in the order of declaration, and the row with an index from 0.
VIREO_API uint32_t vireo_reflection_entry_point_count(const vireo_reflection* reflection);
VIREO_API uint32_t vireo_reflection_resource_count(const vireo_reflection* reflection);
VIREO_API uint32_t vireo_reflection_push_constant_count(const vireo_reflection* reflection);
VIREO_API uint32_t vireo_reflection_variable_count(const vireo_reflection* reflection);
VIREO_API uint32_t vireo_reflection_spec_constant_count(const vireo_reflection* reflection);
VIREO_API uint32_t vireo_reflection_structure_count(const vireo_reflection* reflection);
VIREO_API uint32_t vireo_reflection_other_variable_count(const vireo_reflection* reflection);
VIREO_API uint32_t vireo_reflection_heap_access_count(const vireo_reflection* reflection);
VIREO_API vireo_status vireo_reflection_entry_point(const vireo_reflection* reflection, uint32_t index,
                                                    vireo_reflected_entry_point* out);
VIREO_API vireo_status vireo_reflection_resource(const vireo_reflection* reflection, uint32_t index,
                                                 vireo_reflected_resource* out);
VIREO_API vireo_status vireo_reflection_push_constants(const vireo_reflection* reflection, uint32_t index,
                                                       vireo_reflected_push_constants* out);
VIREO_API vireo_status vireo_reflection_variable(const vireo_reflection* reflection, uint32_t index,
                                                 vireo_reflected_variable* out);
VIREO_API vireo_status vireo_reflection_spec_constant(const vireo_reflection* reflection, uint32_t index,
                                                      vireo_reflected_spec_constant* out);
VIREO_API vireo_status vireo_reflection_structure(const vireo_reflection* reflection, uint32_t index,
                                                  vireo_reflected_structure* out);
VIREO_API vireo_status vireo_reflection_other_variable(const vireo_reflection* reflection, uint32_t index,
                                                       vireo_reflected_other_variable* out);
VIREO_API vireo_status vireo_reflection_heap_access(const vireo_reflection* reflection, uint32_t index,
                                                    vireo_reflected_heap_access* out);
VIREO_API vireo_status vireo_reflection_heap_step(const vireo_reflection* reflection, uint32_t access, uint32_t step,
                                                  vireo_reflected_heap_step* out);
/// The structure with this id: its index, or VIREO_NONE. Logarithmic.
VIREO_API uint32_t vireo_reflection_find_structure(const vireo_reflection* reflection, uint32_t id);
VIREO_API vireo_status vireo_reflection_member(const vireo_reflection* reflection, uint32_t structure, uint32_t member,
                                               vireo_reflected_member* out);

/// Writes the document of `vireo reflect --format=json` (docs/reflect.md). `file` is its name for readers. If
/// `entry_point` is not empty, only entry points with this name, and what they use, are written.
VIREO_API vireo_status vireo_reflection_json(const vireo_reflection* reflection, vireo_string file,
                                             vireo_string entry_point, vireo_write write, void* user);

typedef enum vireo_header_language { VIREO_HEADER_C = 0, VIREO_HEADER_CPP = 1 } vireo_header_language;

/// Writes a header of C99 or C++17 with the layout of the blocks (docs/reflect.md). `language`: vireo_header_language.
/// `scope` is the prefix of names in C, the namespace in C++; empty: none.
VIREO_API vireo_status vireo_reflection_header(const vireo_reflection* reflection, vireo_string file,
                                               vireo_string scope, uint32_t language, vireo_write write, void* user);

// --- comparison (docs/diff.md) ------------------------------------------------------------------------------------------

typedef enum vireo_diff_flags {
  VIREO_DIFF_IGNORE_DEBUG = 1u << 0,        ///< names, debug information, the generator
  VIREO_DIFF_IGNORE_SET_BINDING = 1u << 1,  ///< the decorations DescriptorSet and Binding
  VIREO_DIFF_IGNORE_LOCATION = 1u << 2,     ///< the decoration Location
  VIREO_DIFF_JSON = 1u << 3,                ///< writes a JSON document instead of a unified diff
  VIREO_DIFF_COLOR = 1u << 4,               ///< ANSI escapes in a unified diff
} vireo_diff_flags;

/// Options of vireo_diff.
typedef struct vireo_diff_options {
  uint32_t flags;            ///< a set of vireo_diff_flags
  uint32_t context;          ///< unchanged instructions around each change; without options: 3
  vireo_string before_name;  ///< names of the modules for readers; empty: "before" and "after"
  vireo_string after_name;
} vireo_diff_options;

/// Compares two modules by meaning (vireo/spirv/inspect/diff.h) and sets `*is_equal` to 1 or 0. If `write` is not NULL,
/// it receives the differences; as a unified diff, nothing if the modules are equal. `options` may be NULL.
/// VIREO_REPORTED: a module has no header or an instruction that cannot be decoded; `*is_equal` is then 0. VIREO_STOPPED:
/// `write` stopped the output; `*is_equal` is set.
VIREO_API vireo_status vireo_diff(const uint32_t* before, size_t before_count, const uint32_t* after,
                                  size_t after_count, const vireo_diff_options* options, const vireo_grammar* grammar,
                                  int* is_equal, vireo_write write, void* user, vireo_diagnostics* diagnostics);

// --- pipelines (docs/reflect.md) ----------------------------------------------------------------------------------------

/// What several shaders need together, and their conflicts (vireo/spirv/inspect/pipeline.h). Immutable: any number of
/// threads may query it. All strings and lists in its rows are valid until it, or a reflection of it, is destroyed.
typedef struct vireo_pipeline vireo_pipeline;

/// Merges the stages of `count` modules: each entry point, or with a name each entry point of this name. The reflections
/// are borrowed and must outlive the result. Conflicts are rows, not errors.
VIREO_API vireo_status vireo_pipeline_create(const vireo_reflection* const* modules, size_t count,
                                             vireo_string entry_point, vireo_pipeline** out);
VIREO_API void vireo_pipeline_destroy(vireo_pipeline* pipeline);

/// A declaration in one of the modules.
typedef struct vireo_pipeline_place {
  uint32_t module;  ///< its index in the list of vireo_pipeline_create
  uint32_t id;
  vireo_string name;  ///< for a block without a name, that of its type; may be empty
} vireo_pipeline_place;

/// An entry point.
typedef struct vireo_pipeline_stage {
  uint32_t module;
  uint32_t entry_point;  ///< its index for vireo_reflection_entry_point
  uint32_t execution_model;
  uint32_t flag;  ///< VkShaderStageFlagBits; 0 if Vulkan has none
} vireo_pipeline_stage;

/// A binding of a descriptor set.
typedef struct vireo_pipeline_binding {
  uint32_t set, binding;
  uint32_t descriptor_type;  ///< vireo_descriptor_type
  uint32_t stages;           ///< VkShaderStageFlags
  uint32_t array_count;
  uint32_t variable_count;
  const vireo_reflected_length* array;    ///< of an array of descriptors, the outermost dimension first
  const vireo_pipeline_place* variables;  ///< those with this binding, each once; at least one
  uint64_t block_size;                    ///< bytes, of the largest block; 0: no block, or no size
} vireo_pipeline_binding;

/// A range of push constants. Each stage has at most one; stages with equal ranges have one row.
typedef struct vireo_pipeline_push_range {
  uint64_t begin, end;  ///< bytes
  uint32_t stages;      ///< VkShaderStageFlags
} vireo_pipeline_push_range;

/// A SpecId.
typedef struct vireo_pipeline_spec_constant {
  uint32_t spec_id;
  uint32_t type;               ///< in the module of `first`
  uint32_t stages;             ///< VkShaderStageFlags
  vireo_pipeline_place first;  ///< the first constant with it
} vireo_pipeline_spec_constant;

/// An access to a descriptor in a heap.
typedef struct vireo_pipeline_heap_access {
  uint32_t module;
  uint32_t access;  ///< its index for vireo_reflection_heap_access
  uint32_t stages;  ///< VkShaderStageFlags
} vireo_pipeline_heap_access;

/// Two declarations that contradict each other.
typedef struct vireo_pipeline_conflict {
  vireo_string rule;                   ///< "pipeline-binding"
  vireo_string message;                ///< one sentence, lower case, no full stop
  vireo_pipeline_place first, second;  ///< equal if one declaration contradicts the pipeline
  vireo_string vuid;                   ///< of Vulkan; empty if none states the requirement
  uint32_t severity;                   ///< vireo_severity: the usual one of the rule
} vireo_pipeline_conflict;

// The number of rows, and the row with an index from 0. Stages are in the order of the pipeline; bindings ascend by set
// and binding, specialization constants by SpecId.
VIREO_API uint32_t vireo_pipeline_stage_count(const vireo_pipeline* pipeline);
VIREO_API uint32_t vireo_pipeline_binding_count(const vireo_pipeline* pipeline);
VIREO_API uint32_t vireo_pipeline_push_range_count(const vireo_pipeline* pipeline);
VIREO_API uint32_t vireo_pipeline_spec_constant_count(const vireo_pipeline* pipeline);
VIREO_API uint32_t vireo_pipeline_conflict_count(const vireo_pipeline* pipeline);
VIREO_API uint32_t vireo_pipeline_heap_access_count(const vireo_pipeline* pipeline);
VIREO_API vireo_status vireo_pipeline_get_stage(const vireo_pipeline* pipeline, uint32_t index,
                                                vireo_pipeline_stage* out);
VIREO_API vireo_status vireo_pipeline_get_binding(const vireo_pipeline* pipeline, uint32_t index,
                                                  vireo_pipeline_binding* out);
VIREO_API vireo_status vireo_pipeline_get_push_range(const vireo_pipeline* pipeline, uint32_t index,
                                                     vireo_pipeline_push_range* out);
VIREO_API vireo_status vireo_pipeline_get_spec_constant(const vireo_pipeline* pipeline, uint32_t index,
                                                        vireo_pipeline_spec_constant* out);
VIREO_API vireo_status vireo_pipeline_get_conflict(const vireo_pipeline* pipeline, uint32_t index,
                                                   vireo_pipeline_conflict* out);

VIREO_API vireo_status vireo_pipeline_get_heap_access(const vireo_pipeline* pipeline, uint32_t index,
                                                      vireo_pipeline_heap_access* out);

/// Writes the document of `vireo reflect --pipeline --format=json`. `files` are the names of the modules for readers, one
/// for each; another number is VIREO_BAD_ARGUMENT.
VIREO_API vireo_status vireo_pipeline_json(const vireo_pipeline* pipeline, const vireo_string* files, size_t file_count,
                                           vireo_write write, void* user);

// --- parts of modules (docs/annotate.md) --------------------------------------------------------------------------------

typedef enum vireo_root_kind { VIREO_ROOT_FUNCTION = 0, VIREO_ROOT_ENTRY_POINT = 1 } vireo_root_kind;

/// Finds functions or entry points (`kind`: vireo_root_kind) by a name or an id such as "%12"; the rules are those of
/// find_roots() in vireo/spirv/inspect/module_part.h. Stores the indexes of their instructions (OpFunction or
/// OpEntryPoint) in `roots`, at most `capacity`, and their number, which may exceed it, in `*count`. `roots` may be NULL
/// if `capacity` is 0. VIREO_REPORTED: the name is unknown; the diagnostic suggests the most similar one.
VIREO_API vireo_status vireo_module_find_roots(const vireo_module* module, vireo_string name, uint32_t kind,
                                               uint32_t* roots, size_t capacity, size_t* count,
                                               vireo_diagnostics* diagnostics);

/// The words of the part of a module that the roots reach: a module of its own, with the same ids. Roots are indexes of
/// instructions. If the module is valid, and a root is an entry point, the part is valid.
VIREO_API vireo_status vireo_module_part(const vireo_module* module, const uint32_t* roots, size_t root_count,
                                         vireo_words** out);

/// Disassembles the part with the names and offsets of the whole module. `flags`: vireo_disassemble_flags.
/// VIREO_REPORTED: there were errors, with locations in the whole module; the rest was written.
VIREO_API vireo_status vireo_module_disassemble_part(const vireo_module* module, const uint32_t* roots,
                                                     size_t root_count, uint32_t flags, vireo_write write, void* user,
                                                     vireo_diagnostics* diagnostics);

#ifdef __cplusplus
}
#endif

// NOLINTEND

// SPDX-License-Identifier: Apache-2.0
//
// ModuleInfo: the properties of a module that describe it at a glance: sizes, declarations, functions, opcodes.
//
//   Diagnostics diagnostics;
//   const Result<ModuleInfo> info = read_module_info(words, diagnostics);
//   if (info) write_info_page(*info, sink);
//
// One struct owns all properties, so it outlives the module, and a list of thousands of modules needs
// little memory. info_fields.h lists the properties as rows with names; conditions and tables use these rows.
//
// Source: specification 2.3 (header), 2.4 (logical layout), 2.17 (nesting depth).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/result.h"
#include "vireo/support/text_writer.h"

namespace vireo::spirv {

/// The size of one section of a module.
struct VIREO_API SectionInfo {
  std::uint32_t instructions = 0;
  std::uint64_t words = 0;
};

/// The number of instructions with one opcode.
struct VIREO_API OpcodeInfo {
  std::string name;  ///< the number, if the grammar does not have the opcode
  std::uint32_t count = 0;
  std::uint64_t words = 0;
};

/// One entry point.
struct VIREO_API EntryPointInfo {
  std::string name;
  std::string model;  ///< "Fragment"
  Word function = 0;
  std::uint32_t interface_variables = 0;
  /// The default size of the workgroup, from LocalSize, LocalSizeId or the built-in WorkgroupSize; zeros: unknown.
  std::array<std::uint32_t, 3> local_size = {};
  std::vector<std::string> execution_modes;  ///< names, in the order of the words
};

/// The function with the most instructions.
struct VIREO_API FunctionInfo {
  Word id = 0;       ///< 0: the module has no function
  std::string name;  ///< from OpName; may be empty
  std::uint32_t instructions = 0;
  std::uint32_t blocks = 0;
};

/// The properties of a module.
struct VIREO_API ModuleInfo {
  std::string file;  ///< name of the input; the caller sets it
  Header header;
  std::string generator;    ///< tool and its version, as in the disassembly
  std::uint64_t words = 0;  ///< including the header
  std::uint32_t instructions = 0;
  std::uint32_t faults = 0;  ///< instructions that cannot be decoded, and faults of the header and of the end
  std::uint32_t ids = 0;     ///< defined ids

  std::array<SectionInfo, section_count> sections;  ///< by Section
  std::vector<OpcodeInfo> opcodes;                  ///< most frequent first, then by name

  // Declarations, in the order of the words. Names without duplicates.
  std::vector<std::string> capabilities, extensions, sets, sources;
  std::string addressing_model, memory_model;  ///< empty without OpMemoryModel
  std::vector<EntryPointInfo> entry_points;
  std::vector<std::string> exports, imports;              ///< names of linkage
  std::vector<std::string> decorations, storage_classes;  ///< used ones

  std::uint32_t types = 0, constants = 0, spec_constants = 0;
  std::uint32_t variables = 0;  ///< outside functions
  std::uint32_t decoration_instructions = 0;
  std::uint32_t name_instructions = 0;
  std::uint64_t name_words = 0;
  std::uint64_t debug_words = 0;  ///< sources, strings, lines, instructions of debug information sets

  std::uint32_t functions = 0, function_declarations = 0, blocks = 0;
  FunctionInfo largest_function;
  std::uint32_t nesting_depth = 0;        ///< of structured control flow
  std::uint32_t call_depth = 0;           ///< functions on the longest chain of calls; recursion counts once
  std::uint32_t recursive_functions = 0;  ///< functions that call themselves, directly or through others
  std::uint32_t loops = 0, selections = 0, switches = 0;
};

/// "8x8x1"; empty if the size is unknown.
VIREO_API std::string local_size_text(const EntryPointInfo& entry);

/// Reads the properties of a module in host byte order. Accepts invalid modules: all instructions up to the end, or up to
/// a word count that is invalid, are counted. Faults of the header, of instructions that cannot be decoded, and of the
/// end are reported as errors; the result is present nevertheless. Fails only if the words are no module: fewer than
/// five words, or a wrong magic number. Near-linear in the words.
VIREO_API Result<ModuleInfo> read_module_info(Words words, Diagnostics& diagnostics,
                                              const Grammar& grammar = builtin_grammar());

/// Writes the properties for readers: a page of about a hundred lines. Returns false if the sink rejects the text.
VIREO_API bool write_info_page(const ModuleInfo& info, TextSink& sink);
/// Writes the properties as a JSON object on one line (docs/info.md). Returns false if the sink rejects the text.
VIREO_API bool write_info_json(const ModuleInfo& info, TextSink& sink);

}  // namespace vireo::spirv

// SPDX-License-Identifier: Apache-2.0
//
// The table of fields (vireo/spirv/inspect/info_fields.h).
#include "vireo/spirv/inspect/info_fields.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>
#include <utility>

#include "support/nearest.h"

namespace vireo::spirv {
namespace {

using Info = ModuleInfo;
using FieldNames = std::vector<std::string>;

constexpr std::uint64_t bytes_of(std::uint64_t words) { return words * sizeof(Word); }

// The names of entry points' properties, without duplicates and empty names, in the order of their first occurrences.
template <typename NameOf>
FieldNames distinct(const Info& info, NameOf name_of_entry) {
  FieldNames names;
  std::unordered_set<std::string> seen;
  for (const EntryPointInfo& entry : info.entry_points) {
    std::string name = name_of_entry(entry);
    if (!name.empty() && seen.insert(name).second) names.push_back(std::move(name));
  }
  return names;
}

std::uint64_t most_invocations(const Info& info) {
  std::uint64_t most = 0;
  for (const EntryPointInfo& entry : info.entry_points) {
    const auto& [x, y, z] = entry.local_size;
    // A product of three words does not fit in 64 bits; such a size is as good as the largest number.
    const std::uint64_t plane = std::uint64_t{x} * y;
    const bool overflows = z != 0 && plane > ~std::uint64_t{0} / z;
    most = std::max(most, overflows ? ~std::uint64_t{0} : plane * z);
  }
  return most;
}

// With repetitions, because entry points of different models may share a name.
FieldNames entry_names(const Info& info) {
  FieldNames names;
  for (const EntryPointInfo& entry : info.entry_points) names.push_back(entry.name);
  return names;
}

// Sorted, because entry points of one function repeat its modes.
FieldNames modes_of(const Info& info) {
  FieldNames names;
  for (const EntryPointInfo& entry : info.entry_points) {
    names.insert(names.end(), entry.execution_modes.begin(), entry.execution_modes.end());
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::uint64_t section_bytes(const Info& info, Section section) {
  return bytes_of(info.sections[static_cast<std::size_t>(section)].words);
}

// A row with the value EXPRESSION, in which `m` is the ModuleInfo.
#define VIREO_FIELD(name, type, meaning, expression)                            \
  {                                                                             \
    name, type, meaning, [](const Info& m) -> FieldValue { return expression; } \
  }
// The texts are names of `kind`.
#define VIREO_NAMES(name, kind, type, meaning, expression)                            \
  {                                                                                   \
    name, type, meaning, [](const Info& m) -> FieldValue { return expression; }, kind \
  }
#define VIREO_NUMBER(name, meaning, expression) VIREO_FIELD(name, FieldType::Number, meaning, std::uint64_t{expression})

// clang-format off
constexpr InfoField fields[] = {
    VIREO_FIELD("file", FieldType::Text, "name of the input", m.file),
    VIREO_FIELD("version", FieldType::Version, "version of SPIR-V in the header", m.header.version()),
    VIREO_FIELD("generator", FieldType::Text, "tool that wrote the module, and its version", m.generator),
    VIREO_NUMBER("schema", "schema in the header", m.header.schema),
    VIREO_NUMBER("faults", "instructions that cannot be decoded, and faults of the header and of the end", m.faults),
    // sizes
    VIREO_NUMBER("bytes", "size in bytes", bytes_of(m.words)),
    VIREO_NUMBER("words", "size in words, with the header", m.words),
    VIREO_NUMBER("instructions", "number of instructions", m.instructions),
    VIREO_NUMBER("code_bytes", "bytes of functions", section_bytes(m, Section::Functions)),
    VIREO_NUMBER("global_bytes", "bytes of types, constants and global variables", section_bytes(m, Section::Globals)),
    VIREO_NUMBER("name_bytes", "bytes of OpName and OpMemberName", bytes_of(m.name_words)),
    VIREO_NUMBER("debug_bytes", "bytes of sources, strings, lines and debug information", bytes_of(m.debug_words)),
    VIREO_NUMBER("bound", "bound of the ids in the header", m.header.bound),
    VIREO_NUMBER("ids", "number of defined ids", m.ids),
    // declarations
    VIREO_NUMBER("capabilities", "number of declared capabilities", m.capabilities.size()),
    VIREO_NAMES("capability", "Capability", FieldType::List, "declared capabilities", m.capabilities),
    VIREO_NUMBER("extensions", "number of declared extensions", m.extensions.size()),
    VIREO_FIELD("extension", FieldType::List, "declared extensions", m.extensions),
    VIREO_NUMBER("sets", "number of imported extended instruction sets", m.sets.size()),
    VIREO_FIELD("set", FieldType::List, "imported extended instruction sets", m.sets),
    VIREO_NAMES("addressing", "AddressingModel", FieldType::Text, "addressing model", m.addressing_model),
    VIREO_NAMES("memory", "MemoryModel", FieldType::Text, "memory model", m.memory_model),
    VIREO_FIELD("source", FieldType::List, "source languages with their versions", m.sources),
    VIREO_NUMBER("entry_points", "number of entry points", m.entry_points.size()),
    VIREO_FIELD("entry_point", FieldType::List, "names of entry points", entry_names(m)),
    VIREO_NAMES("model", "ExecutionModel", FieldType::List, "execution models of entry points",
                distinct(m, [](const EntryPointInfo& entry) { return entry.model; })),
    VIREO_NAMES("mode", "ExecutionMode", FieldType::List, "execution modes of entry points", modes_of(m)),
    VIREO_FIELD("local_size", FieldType::List, "sizes of workgroups: 8x8x1", distinct(m, local_size_text)),
    VIREO_NUMBER("invocations", "most invocations in a workgroup; 0: unknown", most_invocations(m)),
    VIREO_NUMBER("exports", "number of symbols with the linkage type Export or LinkOnceODR", m.exports.size()),
    VIREO_FIELD("export", FieldType::List, "symbols with the linkage type Export or LinkOnceODR", m.exports),
    VIREO_NUMBER("imports", "number of symbols with the linkage type Import", m.imports.size()),
    VIREO_FIELD("import", FieldType::List, "symbols with the linkage type Import", m.imports),
    VIREO_NUMBER("types", "number of types", m.types),
    VIREO_NUMBER("constants", "number of constants, with specialization constants", m.constants),
    VIREO_NUMBER("spec_constants", "number of specialization constants", m.spec_constants),
    VIREO_NUMBER("variables", "number of variables outside functions", m.variables),
    VIREO_NAMES("storage_class", "StorageClass", FieldType::List, "storage classes of variables", m.storage_classes),
    VIREO_NUMBER("decorations", "number of annotation instructions", m.decoration_instructions),
    VIREO_NAMES("decoration", "Decoration", FieldType::List, "used decorations", m.decorations),
    VIREO_NUMBER("names", "number of OpName and OpMemberName", m.name_instructions),
    // functions
    VIREO_NUMBER("functions", "number of functions, with declarations", m.functions),
    VIREO_NUMBER("declarations", "number of functions without a body", m.function_declarations),
    VIREO_NUMBER("blocks", "number of blocks", m.blocks),
    VIREO_NUMBER("largest_function", "instructions of the largest function", m.largest_function.instructions),
    VIREO_NUMBER("nesting", "nesting depth of structured control flow", m.nesting_depth),
    VIREO_NUMBER("call_depth", "functions on the longest chain of calls", m.call_depth),
    VIREO_NUMBER("recursive", "number of functions that call themselves, directly or through others",
                 m.recursive_functions),
    VIREO_NUMBER("loops", "number of OpLoopMerge", m.loops),
    VIREO_NUMBER("selections", "number of OpSelectionMerge", m.selections),
    VIREO_NUMBER("switches", "number of OpSwitch", m.switches),
    VIREO_NAMES("opcode", "Op", FieldType::List, "used opcodes, most frequent first",
                [](const Info& info) {
                  FieldNames names;
                  for (const OpcodeInfo& row : info.opcodes) names.push_back(row.name);
                  return names;
                }(m)),
};
// clang-format on
#undef VIREO_NUMBER
#undef VIREO_NAMES
#undef VIREO_FIELD

}  // namespace

std::string_view name_of(FieldType type) {
  constexpr std::string_view names[] = {"number", "version", "text", "list"};
  return names[static_cast<std::size_t>(type)];
}

std::span<const InfoField> info_fields() { return fields; }

const InfoField* find_info_field(std::string_view name) {
  const auto found = std::ranges::find(fields, name, &InfoField::name);
  return found == std::end(fields) ? nullptr : found;
}

std::string_view nearest_info_field(std::string_view name) {
  NearestNames nearest(name);
  for (const InfoField& field : fields) nearest.offer(field.name);
  return nearest.best();
}

std::string local_size_text(const EntryPointInfo& entry) {
  const auto& [x, y, z] = entry.local_size;
  if (x == 0) return {};
  return std::to_string(x) + 'x' + std::to_string(y) + 'x' + std::to_string(z);
}

std::string text_of(const FieldValue& value, std::string_view separator) {
  switch (static_cast<FieldType>(value.index())) {
    case FieldType::Number: return std::to_string(std::get<std::uint64_t>(value));
    case FieldType::Version: {
      const auto version = std::get<spirv::Version>(value);
      return std::to_string(version.major) + '.' + std::to_string(version.minor);
    }
    case FieldType::Text: return std::get<std::string>(value);
    case FieldType::List: break;
  }
  std::string joined;
  for (const std::string& element : std::get<FieldNames>(value)) {
    if (!joined.empty()) joined += separator;
    joined += element;
  }
  return joined;
}

}  // namespace vireo::spirv

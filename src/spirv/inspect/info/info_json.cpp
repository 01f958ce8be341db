// SPDX-License-Identifier: Apache-2.0
//
// Writes the properties of a module as JSON: one member for each field, then the tables.
//
// The members for fields are those of info_fields(), so a new field needs no change here.
#include "support/json_writer.h"
#include "vireo/spirv/inspect/info_fields.h"
#include "vireo/spirv/inspect/module_info.h"

namespace vireo::spirv {
namespace {

void write_names(JsonWriter& json, const std::vector<std::string>& names) {
  json.begin_array();
  for (const std::string& name : names) json.string(name);
  json.end_array();
}

// A version is a text, because the number 1.10 would be 1.1.
void write_field(JsonWriter& json, const InfoField& field, const ModuleInfo& info) {
  json.key(field.name);
  const FieldValue value = field.value(info);
  if (const auto* number = std::get_if<std::uint64_t>(&value)) {
    json.number(*number);
  } else if (const auto* names = std::get_if<std::vector<std::string>>(&value)) {
    write_names(json, *names);
  } else {
    json.string(text_of(value));
  }
}

void write_entry(JsonWriter& json, const EntryPointInfo& entry) {
  json.begin_object().key("name").string(entry.name).key("model").string(entry.model);
  json.key("function").number(entry.function).key("interface_variables").number(entry.interface_variables);
  json.key("local_size");
  if (entry.local_size[0] == 0) {
    json.null();
  } else {
    json.begin_array();
    for (const std::uint32_t size : entry.local_size) json.number(size);
    json.end_array();
  }
  json.key("modes");
  write_names(json, entry.execution_modes);
  json.end_object();
}

// The tables of the page. Their member names differ from those of all fields.
void write_tables(JsonWriter& json, const ModuleInfo& info) {
  json.key("entries").begin_array();
  for (const EntryPointInfo& entry : info.entry_points) write_entry(json, entry);
  json.end_array();

  const FunctionInfo& largest = info.largest_function;
  json.key("largest");
  if (largest.id == 0) {
    json.null();
  } else {
    json.begin_object().key("id").number(largest.id).key("name").string(largest.name);
    json.key("instructions").number(largest.instructions).key("blocks").number(largest.blocks).end_object();
  }

  json.key("sections").begin_array();
  for (std::size_t s = 0; s < section_count; ++s) {
    const SectionInfo& section = info.sections[s];
    json.begin_object().key("section").string(name_of(static_cast<Section>(s)));
    json.key("instructions").number(section.instructions);
    json.key("bytes").number(section.words * sizeof(Word)).end_object();
  }
  json.end_array();

  json.key("opcodes").begin_array();
  for (const OpcodeInfo& row : info.opcodes) {
    json.begin_object().key("op").string(row.name).key("count").number(row.count);
    json.key("bytes").number(row.words * sizeof(Word)).end_object();
  }
  json.end_array();
}

}  // namespace

bool write_info_json(const ModuleInfo& info, TextSink& sink) {
  JsonWriter json(sink);
  json.begin_object();
  for (const InfoField& field : info_fields()) write_field(json, field, info);
  write_tables(json, info);
  json.end_object().end_document();
  return json.flush();
}

bool write_info_json(const ModuleInfo& info, std::span<const InfoField* const> fields, TextSink& sink) {
  JsonWriter json(sink);
  json.begin_object();
  for (const InfoField* field : fields) write_field(json, *field, info);
  json.end_object().end_document();
  return json.flush();
}

}  // namespace vireo::spirv

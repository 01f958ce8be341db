// SPDX-License-Identifier: Apache-2.0
//
// Accesses to descriptor heaps as rows of tables and as JSON (reflection_cells.h).
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spirv/inspect/reflect/constant_expression.h"
#include "spirv/inspect/reflect/descriptor_types.h"
#include "spirv/inspect/reflect/reflection_cells.h"
#include "support/json_writer.h"
#include "vireo/spirv/grammar/enum_names.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/type_text.h"

namespace vireo::spirv {
namespace {

// "[2]", "[SpecId 4].lights[dynamic]"
std::string way_text(const Facts& facts, const ReflectedHeapAccess& access) {
  std::string text;
  for (const ReflectedHeapStep& step : access.steps) {
    if (step.member) {
      text += fmt::format(".{}", member_text(facts.names().of(step.type, *step.member), *step.member));
    } else {
      text += fmt::format("[{}]", step.index ? number_text(*step.index) : "dynamic");
    }
  }
  return text;
}

void write_number(JsonWriter& json, std::string_view key, const ReflectedNumber& number) {
  if (!number.value && number.expression.empty()) return;
  json.key(key).begin_object();
  write_optional(json, "value", number.value);
  write_expression(json, number);
  json.end_object();
}

void write_step(JsonWriter& json, const Facts& facts, const ReflectedHeapStep& step) {
  json.begin_object();
  if (step.member) {
    json.key("member")
        .number(std::uint64_t{*step.member})
        .key("name")
        .string(facts.names().of(step.type, *step.member));
    write_number(json, "offset", step.bytes);
  } else {
    if (step.index) write_number(json, "index", *step.index);
    write_number(json, "stride", step.bytes);
  }
  json.end_object();
}

}  // namespace

std::pair<BuiltIn, std::uint64_t> heap_access_key(const ReflectedHeapAccess& access) {
  if (access.steps.empty()) return {access.built_in, 0};
  const std::optional<ReflectedNumber>& index = access.steps.front().index;
  return {access.built_in, index && index->value ? *index->value : ~std::uint64_t{0}};
}

TableRow heap_access_cells(const Reflection& reflection, const ReflectedHeapAccess& access) {
  const Facts& facts = reflection.facts();
  std::string strides, types;
  for (const ReflectedHeapStep& step : access.steps) {
    if (step.member) continue;
    const std::string stride = number_text(step.bytes);
    strides += fmt::format("{}{}", strides.empty() ? "" : ", ", stride.empty() ? "-" : stride);
  }
  for (const Word block : access.blocks) {
    types += fmt::format("{}{}", types.empty() ? "" : ", ", type_text(facts, block));
  }
  if (types.empty() && access.type != 0) types = descriptor_type_text(facts, access.type);
  return {to_string(access.built_in),
          std::string(short_name_of(access.descriptor)),
          types,
          way_text(facts, access),
          strides,
          number_text(access.offset),
          optional_text(access.block_size),
          flags_text({{access.is_readonly, "readonly"}, {access.is_writeonly, "writeonly"}})};
}

void append_heap_accesses(std::string& out, std::string_view last_title, const std::vector<TableRow>& rows) {
  append_table(out, "descriptor heap accesses",
               {"heap", "descriptor", "type", "index", "stride", "offset", "bytes", "access", std::string(last_title)},
               rows);
}

void write_heap_access(JsonWriter& json, const Reflection& reflection, const ReflectedHeapAccess& access) {
  const Facts& facts = reflection.facts();
  json.key("id").number(std::uint64_t{access.id}).key("heap").string(to_string(access.built_in));
  json.key("variable").number(std::uint64_t{access.heap}).key("descriptor").string(name_of(access.descriptor));
  if (access.type != 0) json.key("type").string(descriptor_type_text(facts, access.type));
  write_image(json, facts, access.type);
  write_number(json, "offset", access.offset);
  json.key("steps").begin_array();
  for (const ReflectedHeapStep& step : access.steps) write_step(json, facts, step);
  json.end_array();
  if (!access.blocks.empty()) {
    json.key("blocks").begin_array();
    for (const Word block : access.blocks) {
      json.begin_object();
      write_type(json, reflection, block);
      json.end_object();
    }
    json.end_array();
  }
  write_optional(json, "block_size", access.block_size);
  write_flag(json, "readonly", access.is_readonly);
  write_flag(json, "writeonly", access.is_writeonly);
}

}  // namespace vireo::spirv

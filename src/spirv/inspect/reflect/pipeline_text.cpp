// SPDX-License-Identifier: Apache-2.0
//
// Writes a PipelineReflection as tables or JSON (vireo/spirv/inspect/pipeline.h).
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "spirv/inspect/reflect/descriptor_types.h"
#include "spirv/inspect/reflect/reflection_cells.h"
#include "support/json_writer.h"
#include "support/printable.h"
#include "vireo/spirv/grammar/enum_names.h"
#include "vireo/spirv/inspect/pipeline.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/type_text.h"
#include "vireo/spirv/module/types.h"

namespace vireo::spirv {
namespace {

// Appends the models of the stages of a set, in the order of the pipeline; ray tracing can have several of one model.
template <typename Append>
void for_each_model(const PipelineReflection& pipeline, std::uint32_t stages, const Append& append) {
  std::uint32_t seen = 0;
  for (const PipelineStage& stage : pipeline.stages) {
    if ((stage.flag & stages & ~seen) == 0) continue;
    seen |= stage.flag;
    append(to_string(stage.model));
  }
}

std::string stages_text(const PipelineReflection& pipeline, std::uint32_t stages) {
  std::string text;
  for_each_model(pipeline, stages,
                 [&](std::string_view model) { text += fmt::format("{}{}", text.empty() ? "" : ", ", model); });
  return text;
}

std::string_view entry_point_name(const PipelineStage& stage, std::span<const Reflection* const> modules) {
  return modules[stage.module]->entry_points()[stage.entry_point].name;
}

std::string printable(std::string_view text) {
  std::string out;
  append_printable(out, text);
  return out;
}

// "'camera' (%12) in a.spv"
std::string place_text(const PipelinePlace& place, std::span<const std::string_view> files) {
  if (place.name.empty()) return fmt::format("%{} in {}", place.id, files[place.module]);
  return fmt::format("{} (%{}) in {}", quoted(shortened(place.name)), place.id, files[place.module]);
}

bool any_has_mappings(std::span<const Reflection* const> modules, const ReflectionTextOptions& options) {
  return std::ranges::any_of(modules, [&](const Reflection* module) { return has_mappings(*module, options); });
}

bool has_one_place(const PipelineConflict& conflict) {
  const PipelinePlace &first = conflict.first, &second = conflict.second;
  return first.module == second.module && first.id == second.id && first.name == second.name;
}

// Accesses of several modules that readers cannot distinguish are one row.
std::vector<TableRow> heap_rows(const PipelineReflection& pipeline, std::span<const Reflection* const> modules) {
  std::vector<TableRow> rows;
  std::vector<std::uint32_t> stages;  // of each row
  std::map<TableRow, std::size_t> numbers;
  for (const PipelineHeapAccess& each : pipeline.heap_accesses) {
    const Reflection& module = *modules[each.module];
    TableRow cells = heap_access_cells(module, module.heap_accesses()[each.access]);
    const auto [row, is_new] = numbers.try_emplace(cells, rows.size());
    if (is_new) {
      rows.push_back(std::move(cells));
      stages.push_back(0);
    }
    stages[row->second] |= each.stages;
  }
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].push_back(stages_text(pipeline, stages[i]));
  return rows;
}

}  // namespace

std::string pipeline_conflict_text(const PipelineConflict& conflict, std::span<const std::string_view> files) {
  std::string text = fmt::format("{}: {}", conflict.message, place_text(conflict.first, files));
  if (!has_one_place(conflict)) text += fmt::format(" and {}", place_text(conflict.second, files));
  return text;
}

bool write_pipeline_table(const PipelineReflection& pipeline, std::span<const Reflection* const> modules,
                          std::span<const std::string_view> files, TextSink& sink,
                          const ReflectionTextOptions& options) {
  std::string text = "pipeline\n";
  std::vector<TableRow> rows;
  for (const PipelineStage& stage : pipeline.stages) {
    rows.push_back(
        {to_string(stage.model), printable(entry_point_name(stage, modules)), printable(files[stage.module])});
  }
  append_table(text, "stages", {"stage", "entry point", "file"}, rows);

  rows.clear();
  for (const PipelineBinding& row : pipeline.bindings) {
    const PipelinePlace& place = row.variables.front();
    rows.push_back({std::to_string(row.set), std::to_string(row.binding), std::string(short_name_of(row.descriptor)),
                    name_text(place.name, place.id), array_text(row.array),
                    row.block_size == 0 ? "" : std::to_string(row.block_size), stages_text(pipeline, row.stages)});
  }
  append_table(text, "bindings", {"set", "binding", "descriptor", "name", "array", "bytes", "stages"}, rows);

  rows.clear();
  for (const PipelinePushConstants& row : pipeline.push_constants) {
    rows.push_back({std::to_string(row.begin), std::to_string(row.end), stages_text(pipeline, row.stages)});
  }
  append_table(text, "push constants", {"begin", "end", "stages"}, rows);

  rows.clear();
  for (const PipelineSpecConstant& row : pipeline.spec_constants) {
    const Facts& facts = modules[row.first.module]->facts();
    rows.push_back({std::to_string(row.spec_id), name_text(row.first.name, row.first.id), type_text(facts, row.type),
                    stages_text(pipeline, row.stages)});
  }
  append_table(text, "specialization constants", {"SpecId", "name", "type", "stages"}, rows);
  append_heap_accesses(text, "stages", heap_rows(pipeline, modules));
  if (any_has_mappings(modules, options)) append_mappings(text, pipeline.mappings);
  return sink.write(text);
}

namespace {

class PipelineJson {
 public:
  PipelineJson(const PipelineReflection& pipeline, std::span<const Reflection* const> modules,
               std::span<const std::string_view> files, TextSink& sink, const ReflectionTextOptions& options)
      : pipeline_(pipeline),
        modules_(modules),
        files_(files),
        has_mappings_(any_has_mappings(modules, options)),
        json_(sink) {}

  bool run() {
    json_.begin_object();
    write_list("stages", pipeline_.stages, [&](const PipelineStage& stage) {
      json_.key("model").string(to_string(stage.model)).key("flag").number(std::uint64_t{stage.flag});
      json_.key("entry_point").string(entry_point_name(stage, modules_)).key("file").string(files_[stage.module]);
    });
    write_list("bindings", pipeline_.bindings, [&](const PipelineBinding& row) {
      json_.key("set").number(std::uint64_t{row.set}).key("binding").number(std::uint64_t{row.binding});
      json_.key("descriptor").string(name_of(row.descriptor));
      write_array(row.array);
      if (row.block_size != 0) json_.key("block_size").number(row.block_size);
      write_stages(row.stages);
      json_.key("variables").begin_array();
      for (const PipelinePlace& place : row.variables) write_place(place);
      json_.end_array();
    });
    write_list("push_constants", pipeline_.push_constants, [&](const PipelinePushConstants& row) {
      json_.key("begin").number(row.begin).key("end").number(row.end);
      write_stages(row.stages);
    });
    write_list("spec_constants", pipeline_.spec_constants, [&](const PipelineSpecConstant& row) {
      json_.key("spec_id").number(std::uint64_t{row.spec_id}).key("name").string(row.first.name);
      json_.key("type").string(type_text(modules_[row.first.module]->facts(), row.type));
      write_stages(row.stages);
    });
    write_list("conflicts", pipeline_.conflicts, [&](const PipelineConflict& row) {
      json_.key("rule").string(row.rule).key("message").string(row.message).key("places").begin_array();
      write_place(row.first);
      if (!has_one_place(row)) write_place(row.second);
      json_.end_array();
      if (!row.vuid.empty()) json_.key("vuid").string(row.vuid);
      if (row.severity != Severity::Error) json_.key("severity").string("warning");
    });
    if (!pipeline_.heap_accesses.empty()) {
      write_list("heap_accesses", pipeline_.heap_accesses, [&](const PipelineHeapAccess& row) {
        json_.key("file").string(files_[row.module]);
        write_heap_access(json_, *modules_[row.module], modules_[row.module]->heap_accesses()[row.access]);
        write_stages(row.stages);
      });
    }
    if (has_mappings_) write_mappings(json_, pipeline_.mappings);
    json_.end_object();
    json_.end_document();
    return json_.flush();
  }

 private:
  // A list of objects, one on each line.
  template <typename Rows, typename Write>
  void write_list(std::string_view key, const Rows& rows, const Write& write) {
    json_.key(key).begin_array();
    for (const auto& row : rows) {
      json_.line_break().begin_object();
      write(row);
      json_.end_object();
    }
    json_.end_array();
  }

  void write_array(const std::vector<ReflectedLength>& lengths) {
    if (lengths.empty()) return;
    json_.key("array").begin_array();
    for (const ReflectedLength& length : lengths) {
      json_.begin_object().key("length").number(length.count);
      if (length.spec_id) json_.key("spec_id").number(std::uint64_t{*length.spec_id});
      if (!length.expression.empty()) {
        json_.key("expression").string(length.expression).key("spec_ids").begin_array();
        for (const Word spec_id : length.spec_ids) json_.number(std::uint64_t{spec_id});
        json_.end_array();
      }
      json_.end_object();
    }
    json_.end_array();
  }

  void write_stages(std::uint32_t stages) {
    json_.key("stage_flags").number(std::uint64_t{stages}).key("stages").begin_array();
    for_each_model(pipeline_, stages, [&](std::string_view model) { json_.string(model); });
    json_.end_array();
  }

  void write_place(const PipelinePlace& place) {
    json_.begin_object().key("file").string(files_[place.module]).key("id").number(std::uint64_t{place.id});
    json_.key("name").string(place.name).end_object();
  }

  const PipelineReflection& pipeline_;
  std::span<const Reflection* const> modules_;
  std::span<const std::string_view> files_;
  bool has_mappings_;
  JsonWriter json_;
};

}  // namespace

bool write_pipeline_json(const PipelineReflection& pipeline, std::span<const Reflection* const> modules,
                         std::span<const std::string_view> files, TextSink& sink,
                         const ReflectionTextOptions& options) {
  return PipelineJson(pipeline, modules, files, sink, options).run();
}

}  // namespace vireo::spirv

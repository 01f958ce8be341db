// SPDX-License-Identifier: Apache-2.0
//
// --template: a job for a module (job_run.h).
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/common/inputs.h"
#include "cli/run/job_run.h"
#include "cli/run/run_buffers.h"
#include "cli/run/runnable_module.h"
#include "cli/run/value_text.h"
#include "spirv/rules.h"
#include "support/json_writer.h"

namespace vireo::cli {
namespace {

constexpr std::uint64_t template_elements = 64;
// The elements of an array that the template shows; the others are zeros too.
constexpr std::uint64_t shown_elements = 4;

class TemplateWriter {
 public:
  TemplateWriter(JsonWriter& json, const EntryInputs& inputs) : json_(json), inputs_(inputs) {}

  // Each key of the document, and each of its members that users edit, begins a line.
  void write(std::string_view path) {
    json_.begin_object().line_break().key("format").string("vireo-run-test 1");
    json_.line_break().key("name").string(stem_of(path)).line_break().key("kind").string("compute");
    json_.line_break().key("modules").begin_object().key("shader").begin_object();
    json_.key("file").string(path).end_object().end_object();
    std::deque<RunBuffer> buffers = inputs_.buffers();
    name_buffers(buffers);
    json_.line_break().key("buffers").begin_object();
    for (const RunBuffer& buffer : buffers)
      write_buffer(buffer.name, *buffer.layout, buffer.layout->size_with(template_elements));
    const spirv::ReflectedPushConstants* const push = inputs_.push_constants();
    const std::string push_name = unique_name("push_constants");
    if (push != nullptr) write_buffer(push_name, ValueLayout::of_type(inputs_.facts(), push->type), push->end);
    json_.line_break().end_object().line_break().key("pipelines").begin_object().key("pipeline").begin_object();
    write_stage();
    write_descriptors(buffers);
    json_.line_break().key("push_constants");
    push != nullptr ? json_.string(push_name) : json_.null();
    json_.end_object().end_object().line_break().key("commands").begin_array();
    json_.line_break().begin_object().key("op").string("dispatch").key("pipeline").string("pipeline");
    json_.key("groups").begin_array().number(1).number(1).number(1).end_array().end_object();
    json_.line_break().end_array().line_break().key("findings").begin_array().end_array();
    json_.line_break().end_object().end_document();
  }

 private:
  std::string unique_name(std::string name) {
    while (!names_.insert(name).second) name += '_';
    return name;
  }

  void name_buffers(std::deque<RunBuffer>& buffers) {
    for (RunBuffer& buffer : buffers) {
      std::string name = buffer.name.empty() ? fmt::format("buffer_{}_{}", buffer.set, buffer.binding) : buffer.name;
      if (buffer.is_array) name += fmt::format("[{}]", buffer.element);
      buffer.name = unique_name(std::move(name));
    }
  }

  void write_buffer(std::string_view name, const ValueLayout& layout, std::uint64_t size) {
    json_.line_break().key(name).begin_object().key("size").number(size);
    json_.key("layout").string(layout.type_text(layout.root()));
    const std::uint64_t shown = std::min(size, layout.size_with(shown_elements));
    const std::vector<std::byte> zeros(static_cast<std::size_t>(std::min(shown, most_shown_bytes)));
    json_.key("value");
    write_value(json_, layout, zeros, shown_elements);
    json_.end_object();
  }

  void write_stage() {
    json_.line_break().key("kind").string("compute");
    json_.line_break().key("stages").begin_array().begin_object().key("stage").string("compute");
    json_.key("module").string("shader").key("entry").string(inputs_.entry().name);
    json_.key("specialize").begin_array();
    for (const std::uint32_t index : inputs_.entry().spec_constants) write_constant(index);
    json_.end_array().end_object().end_array();
  }

  void write_constant(std::uint32_t index) {
    const spirv::ReflectedSpecConstant& constant = inputs_.reflection().spec_constants()[index];
    const ValueLayout layout = ValueLayout::of_type(inputs_.facts(), constant.type);
    const bool is_bool = layout.root().kind != LayoutPart::Kind::Scalar;
    json_.line_break().begin_object().key("id").number(constant.spec_id);
    if (!constant.name.empty()) json_.key("name").string(constant.name);
    json_.key("type").string(is_bool ? "bool" : name_of(layout.root().scalar)).key("value");
    std::vector<std::byte> bytes(8);
    if (is_bool) json_.boolean(constant.default_bits != 0);
    else {
      write_scalar(bytes, 0, layout.root().scalar, constant.default_bits);
      write_value(json_, layout, bytes);
    }
    json_.end_object();
  }

  // The elements of an array of descriptors are one row.
  void write_descriptors(const std::deque<RunBuffer>& buffers) {
    json_.line_break().key("descriptors").begin_array();
    for (std::size_t i = 0; i < buffers.size();) {
      const RunBuffer& first = buffers[i];
      const bool is_uniform = std::ranges::any_of(inputs_.entry().resources, [&](std::uint32_t index) {
        const spirv::ReflectedResource& resource = inputs_.reflection().resources()[index];
        return resource.set == first.set && resource.binding == first.binding &&
               resource.descriptor == spirv::DescriptorType::UniformBuffer;
      });
      json_.line_break().begin_object().key("set").number(first.set).key("binding").number(first.binding);
      json_.key("kind").string(is_uniform ? "uniform_buffer" : "storage_buffer").key("buffers").begin_array();
      for (; i < buffers.size() && buffers[i].set == first.set && buffers[i].binding == first.binding; ++i)
        json_.string(buffers[i].name);
      json_.end_array().end_object();
    }
    json_.end_array();
  }

  static constexpr std::uint64_t most_shown_bytes = 1u << 20;
  JsonWriter& json_;
  const EntryInputs& inputs_;
  std::set<std::string> names_;
};

}  // namespace

int print_template(const Invocation& invocation, const ChosenRun& chosen, Reporter& reporter, RunOutput& output) {
  if (invocation.operands().size() > 1) return usage_error(invocation, "expected one module");
  const std::string path = invocation.operands().empty() ? std::string(standard_input) : invocation.operands().front();
  const std::optional<FileBytes> bytes = read_input(invocation, path, reporter);
  if (!bytes) return exit_status::no_file;
  RunnableModule module({name_of_input(path), bytes->text()}, chosen, reporter.limit());
  if (!module.read()) {
    output.add_findings(module.input(), chosen);
    return exit_status::wrong_input;
  }
  const EntryInputs inputs(module.words(), module.grammar(), {}, chosen.options().entry_point);
  if (!inputs.has_entry()) {
    // The executor has the message.
    static_cast<void>(spirv::Executor::create(module.words(), module.options(), module.found()));
    output.add_findings(module.input(), chosen);
    return exit_status::wrong_input;
  }
  StringSink text;
  {
    JsonWriter json(text);
    TemplateWriter(json, inputs).write(path == standard_input ? "shader.spv" : std::string_view(path));
  }
  return print(invocation.streams, text.text());
}

}  // namespace vireo::cli

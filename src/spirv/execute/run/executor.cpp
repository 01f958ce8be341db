// SPDX-License-Identifier: Apache-2.0
//
// Executor: an entry point with its program and its buffers (vireo/spirv/run.h).
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>
#include <vector>

#include "spirv/execute/machine/lanes.h"
#include "spirv/execute/program/lowering.h"
#include "spirv/execute/run/dispatch.h"
#include "spirv/rules.h"
#include "vireo/spirv/binary/reader.h"
#include "vireo/spirv/grammar/enum_names.h"
#include "vireo/spirv/module/constants.h"
#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/module/module_declarations.h"
#include "vireo/spirv/run.h"

namespace vireo::spirv {
namespace {

// The entry point with a name, or the only one.
const EntryPointRow* find_entry(const ModuleDeclarations& declarations, std::string_view name) {
  const auto rows = declarations.entry_points();
  if (name.empty()) return rows.size() == 1 ? &rows[0] : nullptr;
  const auto found = std::ranges::find(rows, name, &EntryPointRow::name);
  return found == rows.end() ? nullptr : &*found;
}

std::string entry_fault(const ModuleDeclarations& declarations, std::string_view name) {
  const auto rows = declarations.entry_points();
  if (rows.empty()) return "the module has no entry point";
  std::string names;
  for (const EntryPointRow& row : rows) names += fmt::format("{}'{}'", names.empty() ? "" : ", ", row.name);
  if (name.empty()) return "the module has several entry points; choose one of " + names;
  return fmt::format("the module has no entry point '{}'; it has {}", name, names);
}

// Rules whose violation cannot harm an execution: each access to memory is compared with the bounds of its object, whatever
// the offsets and strides are.
constexpr std::string_view harmless_rules[] = {
    "array-stride-alignment", "array-stride-size",  "block-array-stride",      "element-stride",
    "layout-prohibited",      "matrix-stride-size", "matrix-stride-alignment", "member-offset",
    "member-overlap",         "offset-alignment",   "vector-straddle",
};

// The steps of a program rely on the types of operands and on the form of control flow.
bool is_valid(Words words, const RunOptions& options, Diagnostics& diagnostics) {
  ValidateOptions checked;
  checked.grammar = options.grammar;
  checked.max_findings = options.max_findings;
  for (const FeatureRow& row : features()) checked.features.add(row.feature);
  std::vector<RuleChoice> choices;
  for (const ValidationRule& rule : validation_rules())
    if (rule.severity != Severity::Error) choices.push_back({rule.name, std::nullopt});
  for (const std::string_view rule : harmless_rules) choices.push_back({rule, std::nullopt});
  checked.rules = choices;
  checked.name_of_id = options.name_of_id;
  return validate(words, checked, diagnostics);
}

}  // namespace

struct Executor::State {
  State(Words words, const RunOptions& given)
      : options(given),
        module(Module::read(words, given.grammar == nullptr ? builtin_grammar() : *given.grammar)),
        facts(module, {.specializations = given.specializations, .defaults = ConstantOptions::Defaults::Freeze}) {}

  RunOptions options;
  Module module;
  Facts facts;
  const EntryPointRow* entry = nullptr;
  Program program;
  Bindings bindings;
};

namespace {

// Removes what was bound to the descriptor before.
template <typename Bound, typename Binding>
void remove(std::vector<Bound>& all, const Binding& binding) {
  std::erase_if(all, [&](const Bound& each) {
    return each.set == binding.set && each.binding == binding.binding && each.element == binding.element;
  });
}

}  // namespace

Executor::Executor(std::unique_ptr<State> state) : state_(std::move(state)) {}
Executor::Executor(Executor&&) noexcept = default;
Executor& Executor::operator=(Executor&&) noexcept = default;
Executor::~Executor() = default;

Result<Executor> Executor::create(Words words, const RunOptions& options, Diagnostics& diagnostics) {
  if (const auto header = read_header(words, diagnostics); !header) return header.failure();
  if (!is_valid(words, options, diagnostics))
    return diagnostics.error(rule::run_invalid, Location::none(), "only a valid module can be executed");
  auto state = std::make_unique<State>(words, options);
  const ModuleDeclarations& declarations = state->facts.module_declarations();
  state->entry = find_entry(declarations, options.entry_point);
  if (state->entry == nullptr)
    return diagnostics.error(rule::unknown_function, Location::none(), entry_fault(declarations, options.entry_point));
  if (state->entry->model != ExecutionModel::GLCompute)
    return diagnostics.error(
        rule::run_unsupported, state->module.location_of(state->entry->instruction),
        fmt::format("cannot execute an entry point of the model {}", name_of(state->entry->model)));
  if (!std::has_single_bit(options.subgroup_size) || options.subgroup_size > max_lanes)
    return diagnostics.error(rule::run_unsupported, Location::none(),
                             fmt::format("the size of a subgroup is a power of two up to {}", max_lanes));
  auto program = lower(state->facts, *state->entry, diagnostics);
  if (!program) return program.failure();
  state->program = std::move(*program);
  return Executor(std::move(state));
}

std::array<Word, 3> Executor::workgroup_size() const {
  const auto& size = state_->program.group_size;
  return {size[0], size[1], size[2]};
}

std::string_view Executor::entry_point() const { return state_->entry->name; }

void Executor::bind(const BufferBinding& buffer) {
  std::erase_if(state_->bindings.buffers, [&](const BoundBuffer& each) {
    return !each.is_push_constant && each.set == buffer.set && each.binding == buffer.binding &&
           each.element == buffer.element;
  });
  state_->bindings.buffers.push_back({buffer.set, buffer.binding, buffer.element, false, buffer.bytes});
}

bool Executor::bind_image(const ImageBinding& image) {
  ImageResource resource{
      find_texel_format(image.format), image.width, image.height, image.depth, image.layers, image.levels, image.bytes};
  if (resource.format == nullptr || resource.byte_count() > image.bytes.size()) return false;
  remove(state_->bindings.images, image);
  state_->bindings.images.push_back({image.set, image.binding, image.element, resource});
  return true;
}

void Executor::bind_sampler(const SamplerBinding& sampler) {
  remove(state_->bindings.samplers, sampler);
  state_->bindings.samplers.push_back(sampler);
}

void Executor::push(std::span<std::byte> bytes) {
  std::erase_if(state_->bindings.buffers, [](const BoundBuffer& each) { return each.is_push_constant; });
  state_->bindings.buffers.push_back({0, 0, 0, true, bytes});
}

Result<DispatchReport> Executor::dispatch(std::array<Word, 3> groups, Diagnostics& diagnostics) {
  return vireo::spirv::dispatch(state_->program, state_->facts, state_->options, state_->bindings, groups, diagnostics);
}

}  // namespace vireo::spirv

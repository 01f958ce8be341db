// SPDX-License-Identifier: Apache-2.0
//
// Workgroups, subgroups, and the values of their variables (dispatch.h).
//
// Source: Vulkan, "Compute Shaders", "Built-In Variables"; specification 3.42.20 (OpControlBarrier).
#include "spirv/execute/run/dispatch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "spirv/execute/machine/machine.h"
#include "spirv/execute/machine/operations.h"
#include "spirv/execute/report/run_report.h"
#include "spirv/module/layouts/type_layouts.h"
#include "spirv/rules.h"
#include "support/counted.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/types.h"

namespace vireo::spirv {
namespace {

// Eight bytes that look arbitrary, without a pattern that a program could rely on.
std::uint64_t bits_of_seed(const RunOptions& options) {
  if (options.undefined == UndefinedBytes::Zero) return 0;
  if (options.undefined == UndefinedBytes::Ones) return ~std::uint64_t{0};
  std::uint64_t bits = options.seed * 0x9E3779B97F4A7C15 + 0x632BE59BD9B4E019;
  bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9;
  bits = (bits ^ bits >> 27) * 0x94D049BB133111EB;
  return bits ^ bits >> 31;
}

// Numbers for schedules: equal on all hosts.
class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15 + 1) {}
  /// A number below `end`, which is not 0.
  std::uint64_t below(std::uint64_t end) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_ % end;
  }

 private:
  std::uint64_t state_;
};

// The order of the workgroups of a grid.
class GridOrder {
 public:
  GridOrder(const RunOptions& options, std::uint64_t count) : schedule_(options.schedule), count_(count) {
    if (schedule_ != Schedule::Random || count_ < 2) return;
    // Steps of a length without a common divisor visit each workgroup once.
    RandomNumbers random(options.seed);
    first_ = random.below(count_);
    for (stride_ = 1 + random.below(count_ - 1); std::gcd(stride_, count_) != 1; ++stride_) {}
  }
  [[nodiscard]] std::uint64_t at(std::uint64_t i) const {
    if (schedule_ == Schedule::Forward || count_ < 2) return i;
    if (schedule_ == Schedule::Reverse) return count_ - 1 - i;
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((first_ + Wide{i} * stride_) % count_);
  }

 private:
  Schedule schedule_;
  std::uint64_t count_, first_ = 0, stride_ = 1;
};

class Dispatcher {
 public:
  Dispatcher(const Program& program, const Facts& facts, const RunOptions& options, const Bindings& bindings,
             std::array<Word, 3> groups)
      : program_(program),
        facts_(facts),
        options_(options),
        bindings_(bindings),
        buffers_(bindings.buffers),
        groups_(groups),
        objects_(options.checks, bits_of_seed(options)),
        state_{objects_} {
    state_.group_count = groups;
    state_.resources = &resources_;
    state_.is_interrupted = &options.is_interrupted;
    state_.print = &options.print;
    state_.robustness = options.robustness;
    state_.seed_bits = bits_of_seed(options);
    state_.max_invocation_steps = options.max_steps;
    state_.max_steps_of_subgroup = options.max_steps_of_subgroup;
    operations_ = operations_of(program, options.checks);
    state_.operations = operations_;
    if (options.checks) {
      state_.report = &report_.emplace(facts.module(), facts, options, run_choices(options));
      if (options.races) state_.races = &races_.emplace(options.max_memory / 2);
    }
    std::copy_n(program.group_size, 3, places_.group_size.begin());
  }

  Result<DispatchReport> run(Diagnostics& diagnostics) {
    const std::uint64_t invocations =
        std::uint64_t{program_.group_size[0]} * program_.group_size[1] * program_.group_size[2];
    if (invocations == 0 || invocations > max_invocations)
      return diagnostics.error(rule::run_memory, Location::none(),
                               fmt::format("a workgroup has {}; an execution has 1 to {}",
                                           counted(invocations, "invocation"), max_invocations));
    invocations_ = static_cast<std::uint32_t>(invocations);
    subgroups_ = (invocations_ + options_.subgroup_size - 1) / options_.subgroup_size;
    if (const std::uint64_t needed = memory_needed(); needed > options_.max_memory)
      return diagnostics.error(
          rule::run_memory, Location::none(),
          fmt::format("the execution needs {} bytes; the limit is {}", needed, options_.max_memory));
    if (const auto bound = bind(diagnostics); !bound) return bound.failure();
    for (std::uint32_t s = 0; s < subgroups_; ++s) machines_.emplace_back(program_, state_, options_.subgroup_size);
    for (Machine& machine : machines_) set_constants(machine);
    run_grid();
    result_.invocation_instructions = state_.invocation_steps;
    if (report_) {
      result_.findings = report_->count();
      report_->deliver(diagnostics);
    }
    return result_;
  }

 private:
  static constexpr std::uint64_t max_invocations = 1u << 16;
  static constexpr std::uint32_t max_elements = 1u << 16;  // of an array of descriptors; further ones are not bound

  // --- memory ---

  // Bytes of values and variables, at most; no more than 2^62.
  [[nodiscard]] std::uint64_t memory_needed() const {
    constexpr std::uint64_t most = std::uint64_t{1} << 62;
    const auto sum = [&](std::uint64_t a, std::uint64_t b) {
      return std::min(most, std::min(a, most) + std::min(b, most));
    };
    const std::uint64_t lanes = std::uint64_t{subgroups_} * options_.subgroup_size;
    const std::uint64_t shadow = options_.checks ? 2 : 1;
    std::uint64_t bytes = bounded_product(program_.module_cells + program_.stack_cells,
                                          lanes * sizeof(Cell) + std::uint64_t{32} * subgroups_);
    for (const ProgramVariable& variable : program_.variables) {
      if (variable.has_binding) continue;
      const bool is_shared =
          variable.storage == StorageClass::Workgroup || variable.storage == StorageClass::PushConstant;
      bytes = sum(bytes, bounded_product(variable.size, (is_shared ? 1 : lanes) * shadow));
    }
    return bytes;
  }

  // Makes the objects of buffers, which all workgroups share.
  Result<bool> bind(Diagnostics& diagnostics) {
    shared_.assign(program_.variables.size(), 0);
    descriptor_counts_.assign(program_.variables.size(), 0);
    state_.descriptor_counts = &descriptor_counts_;
    std::optional<Reported> failure;
    for (std::size_t v = 0; v < program_.variables.size(); ++v) {
      const ProgramVariable& variable = program_.variables[v];
      if (!variable.pointer.is_of_module()) continue;
      if (variable.storage == StorageClass::PushConstant) {
        bind_push_constants(static_cast<std::uint32_t>(v));
      } else if (variable.has_binding) {
        const bool is_opaque = variable.storage == StorageClass::UniformConstant;
        if (is_opaque ? !bind_images(static_cast<std::uint32_t>(v)) : !bind_descriptors(static_cast<std::uint32_t>(v)))
          failure = diagnostics.error(rule::missing_buffer,
                                      facts_.module().location_of(facts_.module().definition(variable.id)),
                                      fmt::format("descriptor set {}, binding {} has no {}", variable.set,
                                                  variable.binding, is_opaque ? "image or sampler" : "buffer"));
      }
    }
    if (failure) return *failure;
    return true;
  }

  bool bind_descriptors(std::uint32_t index) {
    const ProgramVariable& variable = program_.variables[index];
    std::uint32_t count = variable.descriptors;
    bool is_bound = false;
    for (const BoundBuffer& buffer : buffers_) {
      if (buffer.is_push_constant || buffer.set != variable.set || buffer.binding != variable.binding) continue;
      is_bound = true;
      if (variable.descriptors == 0) count = std::max(count, std::min(buffer.element, max_elements - 1) + 1);
    }
    if (!is_bound) return false;
    descriptor_counts_[index] = count;
    for (std::uint32_t element = 0; element < count; ++element) {
      const auto bound = std::ranges::find_if(buffers_, [&](const BoundBuffer& buffer) {
        return !buffer.is_push_constant && buffer.set == variable.set && buffer.binding == variable.binding &&
               buffer.element == element;
      });
      // Descriptors of an array that are not bound have no bytes.
      const std::span<std::byte> bytes = bound == buffers_.end() ? std::span<std::byte>() : bound->bytes;
      const std::uint32_t object = objects_.add_buffer(
          {.variable = index, .element = element, .storage = variable.storage, .size = bytes.size()}, bytes.data());
      if (element == 0) shared_[index] = object;
    }
    return true;
  }

  // Makes an object for each descriptor of an image, a sampler, or both.
  bool bind_images(std::uint32_t index) {
    const ProgramVariable& variable = program_.variables[index];
    const TypeRow& type = facts_.types().of(variable.type);
    const auto is_own = [&](const auto& bound) {
      return bound.set == variable.set && bound.binding == variable.binding;
    };
    std::uint32_t count = variable.descriptors;
    bool has_image = type.is(TypeKind::Sampler),
         has_sampler = !type.is(TypeKind::Sampler) && !type.is(TypeKind::SampledImage);
    for (const BoundImage& bound : bindings_.images) {
      if (!is_own(bound)) continue;
      has_image = true;
      if (variable.descriptors == 0) count = std::max(count, std::min(bound.element, max_elements - 1) + 1);
    }
    for (const SamplerBinding& bound : bindings_.samplers) {
      if (!is_own(bound)) continue;
      has_sampler = true;
      if (variable.descriptors == 0) count = std::max(count, std::min(bound.element, max_elements - 1) + 1);
    }
    if (!has_image || !has_sampler) return false;
    descriptor_counts_[index] = count;
    for (std::uint32_t element = 0; element < count; ++element) {
      Object object{.variable = index, .element = element, .storage = variable.storage};
      std::byte* bytes = nullptr;
      for (const BoundImage& bound : bindings_.images) {
        if (!is_own(bound) || bound.element != element) continue;
        object.image = static_cast<std::uint32_t>(resources_.images.size());
        object.size = bound.resource.bytes.size();
        bytes = bound.resource.bytes.data();
        resources_.images.push_back({index, static_cast<std::uint32_t>(objects_.count()), bound.resource});
      }
      for (const SamplerBinding& bound : bindings_.samplers) {
        if (!is_own(bound) || bound.element != element) continue;
        object.sampler = static_cast<std::uint32_t>(resources_.samplers.size());
        resources_.samplers.push_back(bound.sampler);
      }
      const std::uint32_t made = objects_.add_buffer(object, bytes);
      if (element == 0) shared_[index] = made;
    }
    return true;
  }

  // Bytes that the caller does not set are undefined.
  void bind_push_constants(std::uint32_t index) {
    const ProgramVariable& variable = program_.variables[index];
    const auto bound = std::ranges::find(buffers_, true, &BoundBuffer::is_push_constant);
    const std::span<std::byte> bytes = bound == buffers_.end() ? std::span<std::byte>() : bound->bytes;
    shared_[index] = objects_.add({.variable = index, .storage = variable.storage, .size = variable.size}, 1);
    const Object& object = objects_[shared_[index]];
    const std::size_t count = std::min<std::size_t>(bytes.size(), static_cast<std::size_t>(variable.size));
    if (count == 0) return;
    std::memcpy(object.bytes, bytes.data(), count);
    if (object.shadow != nullptr) std::fill_n(object.shadow, count, ByteState::Defined);
  }

  void set_constants(Machine& machine) {
    const std::size_t width = options_.subgroup_size;
    for (const auto& [cell, bits] : program_.constants)
      std::fill_n(machine.cells({CellRef::module_bit | cell}), width, bits);
    for (const auto& [cell, instruction] : program_.undefined_cells) {
      const CellRef ref{CellRef::module_bit | cell};
      std::fill_n(machine.cells(ref), width, state_.seed_bits & 1);
      if (!options_.checks) continue;
      *machine.undefined(ref) = LaneMask::first(options_.subgroup_size);
      *machine.origins(ref) = instruction + 1;
    }
  }

  // Variables of the workgroup, and of the invocations of each subgroup.
  void make_variables() {
    // Blocks that are Aliased begin at the same byte.
    std::uint64_t aliased_size = 0;
    std::uint32_t aliased = 0;
    for (const ProgramVariable& variable : program_.variables)
      if (variable.is_aliased) aliased_size = std::max(aliased_size, variable.size);
    for (std::size_t v = 0; v < program_.variables.size(); ++v) {
      const ProgramVariable& variable = program_.variables[v];
      if (!variable.pointer.is_of_module() || variable.storage != StorageClass::Workgroup) continue;
      if (!variable.is_aliased || aliased == 0)
        shared_[v] = objects_.add({.variable = static_cast<std::uint32_t>(v),
                                   .storage = variable.storage,
                                   .size = variable.is_aliased ? aliased_size : variable.size},
                                  1);
      if (variable.is_aliased) aliased = shared_[v] = aliased == 0 ? shared_[v] : aliased;
      if (!variable.initializer.is_none()) initialize(machines_.front(), objects_[shared_[v]], variable, 1);
    }
    for (std::uint32_t s = 0; s < subgroups_; ++s) {
      for (std::size_t v = 0; v < program_.variables.size(); ++v) make_variable(machines_[s], s, v);
    }
  }

  void make_variable(Machine& machine, std::uint32_t subgroup, std::size_t index) {
    const ProgramVariable& variable = program_.variables[index];
    if (!variable.pointer.is_of_module()) return;
    const std::uint32_t width = options_.subgroup_size;
    std::uint64_t pointer = shared_[index] == 0 ? 0 : Pointer::to(shared_[index], 0).raw;
    const StorageClass storage = variable.storage;
    if (storage == StorageClass::Private || storage == StorageClass::Output || storage == StorageClass::Input) {
      const std::uint32_t made = machine.own_objects().add({.variable = static_cast<std::uint32_t>(index),
                                                            .storage = storage,
                                                            .is_of_lane = true,
                                                            .size = variable.size},
                                                           width);
      Object& object = machine.own_objects()[made];
      if (storage == StorageClass::Input) write_built_in(object, variable, subgroup);
      if (!variable.initializer.is_none()) initialize(machine, object, variable, width);
      pointer = Pointer::to(Machine::first_own + made, 0).raw;
    }
    std::fill_n(machine.cells(variable.pointer), width, pointer);
  }

  void initialize(Machine& machine, const Object& object, const ProgramVariable& variable, std::uint32_t lanes) {
    const MemoryShape& shape = program_.shapes[variable.initializer_shape];
    for (std::size_t i = 0; i < shape.scalars.size(); ++i) {
      const MemoryScalar& scalar = shape.scalars[i];
      const CellRef cell = variable.initializer.plus(static_cast<std::uint32_t>(i));
      if (options_.checks && machine.undefined(cell)->any()) continue;
      const std::size_t bytes = scalar.type.kind == CellType::Kind::Bool ? 4 : scalar.type.width / 8u;
      for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        const std::size_t at = static_cast<std::size_t>(lane * object.size) + scalar.offset;
        std::memcpy(object.bytes + at, machine.cells(cell) + lane, bytes);
        if (object.shadow != nullptr) std::fill_n(object.shadow + at, bytes, ByteState::Defined);
      }
    }
  }

  void write_built_in(Object& object, const ProgramVariable& variable, std::uint32_t subgroup) {
    const DecorationRow* row = facts_.decorations().find(variable.id, Decoration::BuiltIn);
    if (row == nullptr) return;
    const auto built_in = static_cast<BuiltIn>(facts_.decorations().operand_or(*row, 0));
    LanePlaces places = places_;
    places.first = subgroup * options_.subgroup_size;
    for (std::uint32_t lane = 0; lane < options_.subgroup_size; ++lane) {
      std::array<std::uint32_t, 4> value = {0, 0, 0, 0};
      const auto copy = [&](const auto& from) { std::copy_n(std::begin(from), 3, value.begin()); };
      // The lanes whose numbers compare with this one's, as bits.
      const auto mask = [&](auto is_in) {
        for (std::uint32_t other = 0; other < options_.subgroup_size; ++other)
          if (is_in(other)) value[other / 32] |= 1u << (other % 32);
      };
      switch (built_in) {
        case BuiltIn::NumWorkgroups: copy(groups_); break;
        case BuiltIn::WorkgroupId: copy(places.group); break;
        case BuiltIn::WorkgroupSize: copy(places.group_size); break;
        case BuiltIn::LocalInvocationId: copy(places.local(lane)); break;
        case BuiltIn::GlobalInvocationId: copy(places.global(lane)); break;
        case BuiltIn::LocalInvocationIndex: value[0] = places.first + lane; break;
        case BuiltIn::SubgroupSize: value[0] = options_.subgroup_size; break;
        case BuiltIn::NumSubgroups: value[0] = subgroups_; break;
        case BuiltIn::SubgroupId: value[0] = subgroup; break;
        case BuiltIn::SubgroupLocalInvocationId: value[0] = lane; break;
        case BuiltIn::SubgroupEqMask: mask([&](std::uint32_t other) { return other == lane; }); break;
        case BuiltIn::SubgroupGeMask: mask([&](std::uint32_t other) { return other >= lane; }); break;
        case BuiltIn::SubgroupGtMask: mask([&](std::uint32_t other) { return other > lane; }); break;
        case BuiltIn::SubgroupLeMask: mask([&](std::uint32_t other) { return other <= lane; }); break;
        case BuiltIn::SubgroupLtMask: mask([&](std::uint32_t other) { return other < lane; }); break;
        case BuiltIn::DeviceIndex:
        case BuiltIn::ViewIndex: break;
        default: return;
      }
      const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(sizeof value, object.size));
      const auto at = static_cast<std::size_t>(lane * object.size);
      std::memcpy(object.bytes + at, value.data(), bytes);
      if (object.shadow != nullptr) std::fill_n(object.shadow + at, bytes, ByteState::Defined);
    }
  }

  // --- execution ---

  void run_grid() {
    // More than 2^64 workgroups never end.
    const std::uint64_t count = bounded_product(std::uint64_t{groups_[0]} * groups_[1], groups_[2]);
    const GridOrder order(options_, count);
    for (std::uint64_t i = 0; i < count; ++i) {
      if (options_.is_interrupted && options_.is_interrupted()) {
        result_.end = DispatchEnd::Interrupted;
        return;
      }
      const std::uint64_t group = order.at(i), row = group / groups_[0];
      places_.group = {static_cast<std::uint32_t>(group % groups_[0]), static_cast<std::uint32_t>(row % groups_[1]),
                       static_cast<std::uint32_t>(row / groups_[1])};
      if (!run_group()) return;
    }
  }

  [[nodiscard]] std::uint32_t group_number() const {
    return (places_.group[2] * groups_[1] + places_.group[1]) * groups_[0] + places_.group[0];
  }

  bool run_group() {
    const Objects::Mark before = objects_.mark();
    std::vector<Objects::Mark> own;
    for (Machine& machine : machines_) own.push_back(machine.own_objects().mark());
    make_variables();
    for (std::uint32_t s = 0; s < subgroups_; ++s) {
      LanePlaces places = places_;
      places.first = s * options_.subgroup_size;
      machines_[s].start(places, LaneMask::first(std::min(options_.subgroup_size, invocations_ - places.first)));
    }
    if (races_) races_->begin_group(group_number(), invocations_, options_.subgroup_size);
    result_.invocations += invocations_;
    stops_.assign(subgroups_, Stop::Repeating);
    const bool goes_on = run_machines();
    for (std::uint32_t s = 0; s < subgroups_; ++s) {
      result_.subgroup_instructions += machines_[s].steps();
      machines_[s].own_objects().release(own[s]);
    }
    objects_.release(before);
    return goes_on;
  }

  // The order of the subgroups until each has stopped.
  void order_subgroups() {
    order_.resize(subgroups_);
    std::iota(order_.begin(), order_.end(), 0u);
    if (options_.schedule == Schedule::Reverse) std::ranges::reverse(order_);
    if (options_.schedule != Schedule::Random) return;
    for (std::uint32_t i = subgroups_; i > 1; --i) std::swap(order_[i - 1], order_[random_.below(i)]);
  }

  // Returns false if the dispatch ends here.
  bool run_machines() {
    for (;;) {
      const std::uint64_t changes = state_.changes, steps = state_.invocation_steps;
      bool is_repeating = false;
      order_subgroups();
      for (const std::uint32_t s : order_) {
        if (stops_[s] == Stop::Ended || stops_[s] == Stop::Barrier) continue;
        stops_[s] = machines_[s].run();
        if (stops_[s] == Stop::Steps) return stop_at_limit(machines_[s]);
        if (stops_[s] == Stop::Interrupted) {
          result_.end = DispatchEnd::Interrupted;
          return false;
        }
        is_repeating |= stops_[s] == Stop::Repeating;
      }
      if (is_repeating) {
        if (state_.changes == changes && state_.invocation_steps != steps && idle_++ > 0) return stop_repeating();
        continue;
      }
      idle_ = 0;
      if (std::ranges::all_of(stops_, [](Stop stop) { return stop == Stop::Ended; })) return true;
      release_barrier();
    }
  }

  bool stop_at_limit(Machine& machine) {
    result_.end = DispatchEnd::StepLimit;
    const Step step = machine.stopped_step();
    if (machine.begins(Rule::StepLimit, step))
      machine.report(Rule::StepLimit, step, 0, machine.active().any() ? machine.active().lowest() : 0,
                     {counted(machine.steps() >= options_.max_steps_of_subgroup ? options_.max_steps_of_subgroup
                                                                                : options_.max_steps,
                              "instruction")});
    return false;
  }

  // No machine can go on: each is in a loop that changes nothing, or at a barrier.
  bool stop_repeating() {
    result_.end = DispatchEnd::Stuck;
    for (std::uint32_t s = 0; s < subgroups_; ++s) {
      if (stops_[s] != Stop::Repeating) continue;
      Machine& machine = machines_[s];
      const Step step = machine.stopped_step();
      const Rule rule = machine.has_read_shared() ? Rule::NoProgress : Rule::InfiniteLoop;
      if (machine.begins(rule, step))
        machine.report(rule, step, 0, machine.active().any() ? machine.active().lowest() : 0, {});
    }
    return false;
  }

  // All machines have ended or wait at a barrier.
  void release_barrier() {
    Semantics semantics;
    Machine* first = nullptr;
    Machine* ended = nullptr;
    for (std::uint32_t s = 0; s < subgroups_; ++s) {
      if (stops_[s] == Stop::Ended) ended = &machines_[s];
      else if (first == nullptr) first = &machines_[s];
    }
    for (std::uint32_t s = 0; s < subgroups_; ++s) {
      if (stops_[s] != Stop::Barrier) continue;
      Machine& machine = machines_[s];
      stops_[s] = Stop::Repeating;
      semantics.bits |= machine.barrier()->count;
      if (!options_.checks) continue;
      if (ended != nullptr || machine.has_ended_lanes()) {
        Machine& other = machine.has_ended_lanes() ? machine : *ended;
        report_divergence(machine, other, other.absent_lane(), "has ended", nullptr);
      } else if (!machine.is_converged()) {
        report_divergence(machine, machine, machine.absent_lane(), "is elsewhere", nullptr);
      } else if (machine.barrier() != first->barrier()) {
        report_divergence(*first, machine, machine.active().lowest(), "waits at another barrier", machine.barrier());
      }
    }
    if (races_) races_->group_barrier(semantics);
  }

  void report_divergence(Machine& machine, const Machine& other, std::uint32_t lane, std::string_view where,
                         const Step* place) {
    const Step& step = *machine.barrier();
    if (!machine.begins(Rule::BarrierDivergence, step)) return;
    const auto id = other.places().global(lane);
    machine.report(Rule::BarrierDivergence, step, 0, machine.active().lowest(),
                   {fmt::format("invocation {},{},{} {}", id[0], id[1], id[2], where)});
    if (place != nullptr) report_->note({place->source, 0}, "the other barrier", {});
  }

  const Program& program_;
  const Facts& facts_;
  const RunOptions& options_;
  const Bindings& bindings_;
  std::span<const BoundBuffer> buffers_;
  RunResources resources_;
  std::array<Word, 3> groups_;
  std::vector<StepOperations> operations_;
  Objects objects_;
  RunState state_;
  std::optional<RunReport> report_;
  std::optional<RaceDetector> races_;
  LanePlaces places_;
  std::uint32_t invocations_ = 1, subgroups_ = 1;
  std::vector<Machine> machines_;
  std::vector<std::uint32_t> order_;  // of subgroups
  RandomNumbers random_{options_.seed};
  std::vector<Stop> stops_;                       // by machine
  std::vector<std::uint32_t> descriptor_counts_;  // by variable
  std::vector<std::uint32_t> shared_;             // objects by variable; 0: none
  std::uint32_t idle_ = 0;                        // rounds in which nothing changed
  DispatchReport result_;
};

}  // namespace

Result<DispatchReport> dispatch(const Program& program, const Facts& facts, const RunOptions& options,
                                const Bindings& bindings, std::array<Word, 3> groups, Diagnostics& diagnostics) {
  return Dispatcher(program, facts, options, bindings, groups).run(diagnostics);
}

}  // namespace vireo::spirv

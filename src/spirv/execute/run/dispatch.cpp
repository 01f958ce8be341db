// SPDX-License-Identifier: Apache-2.0
//
// Workgroups, subgroups, and the values of their variables (dispatch.h).
//
// Source: Vulkan, "Compute Shaders", "Built-In Variables".
#include "spirv/execute/run/dispatch.h"

#include <algorithm>
#include <cstring>

#include "vireo/spirv/module/decorations.h"

namespace vireo::spirv {
namespace {

class Dispatcher {
 public:
  Dispatcher(const Program& program, const Facts& facts, std::span<const BoundBuffer> buffers,
             const DispatchOptions& options)
      : program_(program), facts_(facts), buffers_(buffers), options_(options) {}

  DispatchResult run() {
    const std::uint32_t* const size = program_.group_size;
    invocations_ = size[0] * size[1] * size[2];
    subgroups_ = (invocations_ + options_.subgroup_size - 1) / options_.subgroup_size;
    for (std::uint32_t z = 0; z < options_.groups[2]; ++z) {
      for (std::uint32_t y = 0; y < options_.groups[1]; ++y) {
        for (std::uint32_t x = 0; x < options_.groups[0]; ++x) {
          const std::uint32_t group[3] = {x, y, z};
          if (!run_group(group)) return {false, steps_};
        }
      }
    }
    return {true, steps_};
  }

 private:
  bool run_group(const std::uint32_t (&group)[3]) {
    Objects objects;
    // Objects that all invocations of the workgroup share.
    std::vector<std::uint32_t> shared(program_.variables.size());
    for (std::size_t v = 0; v < program_.variables.size(); ++v) {
      const ProgramVariable& variable = program_.variables[v];
      if (!variable.pointer.is_of_module()) continue;
      if (variable.storage == StorageClass::Workgroup)
        shared[v] = objects.add(variable.id, variable.storage, variable.size, 1, false);
      for (const BoundBuffer& buffer : buffers_) {
        const bool is_bound = buffer.is_push_constant ? variable.storage == StorageClass::PushConstant
                                                      : variable.has_binding && variable.set == buffer.set &&
                                                            variable.binding == buffer.binding;
        if (is_bound) shared[v] = objects.add_buffer(variable.id, variable.storage, buffer.bytes.data(), buffer.bytes.size());
      }
    }
    std::vector<Machine> machines;
    std::vector<bool> ended(subgroups_);
    for (std::uint32_t s = 0; s < subgroups_; ++s) {
      machines.emplace_back(program_, objects, options_.subgroup_size);
      const std::uint32_t first = s * options_.subgroup_size;
      const LaneMask lanes = LaneMask::first(std::min(options_.subgroup_size, invocations_ - first));
      machines.back().start(module_cells(objects, shared, group, s), lanes);
    }
    for (std::uint32_t left = subgroups_; left != 0;) {
      for (std::uint32_t s = 0; s < subgroups_; ++s) {
        if (ended[s]) continue;
        const Stop stop = machines[s].run(options_.max_steps);
        if (stop == Stop::Steps) return false;
        if (stop != Stop::Ended) continue;
        ended[s] = true;
        --left;
        steps_ += machines[s].steps();
      }
    }
    return true;
  }

  std::vector<Cell> module_cells(Objects& objects, const std::vector<std::uint32_t>& shared,
                                 const std::uint32_t (&group)[3], std::uint32_t subgroup) {
    const std::size_t width = options_.subgroup_size;
    std::vector<Cell> cells(program_.module_cells * width);
    for (const auto& [cell, bits] : program_.constants) std::fill_n(cells.begin() + static_cast<std::ptrdiff_t>(cell * width), width, bits);
    for (std::size_t v = 0; v < program_.variables.size(); ++v) {
      const ProgramVariable& variable = program_.variables[v];
      if (!variable.pointer.is_of_module()) continue;
      std::uint32_t object = shared[v];
      if (object == 0 && (variable.storage == StorageClass::Private || variable.storage == StorageClass::Output ||
                          variable.storage == StorageClass::Input)) {
        object = objects.add(variable.id, variable.storage, variable.size, static_cast<std::uint32_t>(width), true);
        if (variable.storage == StorageClass::Input) write_built_in(objects[object], variable, group, subgroup);
        if (!variable.initializer.is_none()) initialize(objects[object], variable, cells);
      }
      std::fill_n(cells.begin() + static_cast<std::ptrdiff_t>(variable.pointer.index() * width), width,
                  object == 0 ? 0 : Pointer::to(object, 0).raw);
    }
    return cells;
  }

  void initialize(Object& object, const ProgramVariable& variable, const std::vector<Cell>& cells) {
    const MemoryShape& shape = program_.shapes[variable.initializer_shape];
    const std::size_t width = options_.subgroup_size;
    for (std::size_t lane = 0; lane < width; ++lane) {
      for (std::size_t i = 0; i < shape.scalars.size(); ++i) {
        const Cell value = cells[(variable.initializer.index() + i) * width + lane];
        const MemoryScalar& scalar = shape.scalars[i];
        const std::size_t bytes = scalar.type.kind == ScalarType::Kind::Bool ? 4 : scalar.type.width / 8u;
        std::memcpy(object.bytes + lane * object.size + scalar.offset, &value, bytes);
        std::memset(object.shadow + lane * object.size + scalar.offset, 1, bytes);
      }
    }
  }

  void write_built_in(Object& object, const ProgramVariable& variable, const std::uint32_t (&group)[3],
                      std::uint32_t subgroup) {
    const DecorationRow* row = facts_.decorations().find(variable.id, Decoration::BuiltIn);
    if (row == nullptr) return;
    const auto built_in = static_cast<BuiltIn>(facts_.decorations().operand_or(*row, 0));
    const std::uint32_t* const size = program_.group_size;
    for (std::uint32_t lane = 0; lane < options_.subgroup_size; ++lane) {
      const std::uint32_t index = subgroup * options_.subgroup_size + lane;
      const std::uint32_t local[3] = {index % size[0], index / size[0] % size[1], index / size[0] / size[1]};
      std::uint32_t value[3] = {0, 0, 0};
      switch (built_in) {
        case BuiltIn::NumWorkgroups: std::copy_n(options_.groups, 3, value); break;
        case BuiltIn::WorkgroupId: std::copy_n(group, 3, value); break;
        case BuiltIn::WorkgroupSize: std::copy_n(size, 3, value); break;
        case BuiltIn::LocalInvocationId: std::copy_n(local, 3, value); break;
        case BuiltIn::GlobalInvocationId:
          for (int i = 0; i < 3; ++i) value[i] = group[i] * size[i] + local[i];
          break;
        case BuiltIn::LocalInvocationIndex: value[0] = index; break;
        case BuiltIn::SubgroupSize: value[0] = options_.subgroup_size; break;
        case BuiltIn::NumSubgroups: value[0] = subgroups_; break;
        case BuiltIn::SubgroupId: value[0] = subgroup; break;
        case BuiltIn::SubgroupLocalInvocationId: value[0] = lane; break;
        default: return;
      }
      const std::size_t bytes = std::min<std::size_t>(sizeof value, static_cast<std::size_t>(object.size));
      std::memcpy(object.bytes + lane * object.size, value, bytes);
      std::memset(object.shadow + lane * object.size, 1, bytes);
    }
  }

  const Program& program_;
  const Facts& facts_;
  std::span<const BoundBuffer> buffers_;
  const DispatchOptions& options_;
  std::uint32_t invocations_ = 1, subgroups_ = 1;
  std::uint64_t steps_ = 0;
};

}  // namespace

DispatchResult dispatch(const Program& program, const Facts& facts, std::span<const BoundBuffer> buffers,
                        const DispatchOptions& options) {
  return Dispatcher(program, facts, buffers, options).run();
}

}  // namespace vireo::spirv

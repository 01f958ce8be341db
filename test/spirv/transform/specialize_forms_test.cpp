// SPDX-License-Identifier: Apache-2.0
//
// Every operation of OpSpecConstantOp that computes numbers or Booleans, evaluated by a Specializer and by the naive
// interpreter: with extreme values, with random ones, and for the narrowest types with all values.
//
// Source: specification 3.42.7 (OpSpecConstantOp).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

#include "spirv/transform/operation_forms.h"
#include "spirv/transform/operation_module.h"
#include "spirv/transform/specialize_runs.h"
#include "spirv/transform/value_tables.h"

namespace vireo::spirv::naive {
namespace {

using enum Op;

struct Client {
  Needs client;
  std::string_view head;
  std::vector<ScalarType> scalars;
  std::vector<std::size_t> vectors;
};

const Client& kernel() {
  static const Client client = {Needs::Kernel, kernel_head, scalar_types(false), {2, 3, 4, 8, 16}};
  return client;
}
const Client& shader() {
  static const Client client = {Needs::Shader, shader_head, scalar_types(true), {2, 3, 4}};
  return client;
}

// All operations on scalars; each type has two constants.
void write_scalars(OperationModule& module, const Client& client) {
  std::vector<OperandPair> pairs;
  for (const ScalarType scalar : client.scalars) {
    const TypeNumber type = module.scalar(scalar);
    const NodeNumber first = module.specializable(type);
    pairs.push_back({scalar, type, first, module.specializable(type)});
  }
  add_operations(module, pairs, client.client);
}

// All operations on vectors; each type of components has 16 constants.
void write_vectors(OperationModule& module, const Client& client) {
  std::vector<std::vector<NodeNumber>> lanes;
  for (const ScalarType scalar : client.scalars) {
    lanes.emplace_back();
    for (int i = 0; i < 16; ++i) lanes.back().push_back(module.specializable(module.scalar(scalar)));
  }
  for (const std::size_t count : client.vectors) {
    std::vector<OperandPair> pairs;
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      OperandPair pair = {client.scalars[i], module.vector(module.scalar(client.scalars[i]), count)};
      std::vector<NodeNumber> first(lanes[i].begin(), lanes[i].begin() + static_cast<std::ptrdiff_t>(count));
      pair.first = module.composite(pair.type, first);
      // Another order, so that no component is an operand twice.
      std::rotate(first.begin(), first.begin() + 1, first.end());
      pair.second = module.composite(pair.type, first);
      pairs.push_back(pair);
    }
    add_operations(module, pairs, client.client);
    for (const OperandPair& pair : pairs) {  // a scalar condition selects whole vectors (version 1.4)
      module.operation(OpSelect, pair.type, {lanes[0][0], pair.first, pair.second});
    }
  }
}

// Every pair of extreme values of each type, then random values.
void run_scalars(const Client& client) {
  OperationModule module(client.head);
  write_scalars(module, client);
  SpecializeRuns runs(module);
  std::size_t most = 0;
  for (const ScalarType type : module.spec_types()) most = std::max(most, extremes_of(type).size());
  for (std::size_t i = 0; i < most * most; ++i) {
    runs.run_with([&](std::size_t spec_id, ScalarType type) {
      const std::vector<std::uint64_t>& table = extremes_of(type);
      return table[(spec_id % 2 == 0 ? i / most : i) % table.size()];
    });
  }
  std::mt19937_64 random(1);
  for (int i = 0; i < 200; ++i) runs.run_with([&](std::size_t, ScalarType type) { return random_value(type, random); });
  runs.expect(100'000);
}

TEST(SpecializeForms, scalars_of_kernels) { run_scalars(kernel()); }
TEST(SpecializeForms, scalars_of_shaders) { run_scalars(shader()); }

void run_vectors(const Client& client) {
  OperationModule module(client.head);
  write_vectors(module, client);
  SpecializeRuns runs(module);
  std::mt19937_64 random(2);
  for (int i = 0; i < 60; ++i) {
    // One undefined component makes a vector undefined. So in every third run all values are moderate.
    runs.run_with([&](std::size_t, ScalarType type) {
      return i % 3 == 0 ? moderate_value(type, random) : random_value(type, random);
    });
  }
  runs.run_as_defaults([&] {
    SpecValues values;
    for (const ScalarType type : module.spec_types()) values.emplace_back(random_value(type, random));
    return values;
  }());
  runs.expect(20'000);
}

TEST(SpecializeForms, vectors_of_kernels) { run_vectors(kernel()); }
TEST(SpecializeForms, vectors_of_shaders) { run_vectors(shader()); }

// Every 8-bit value with every other. All wider integers share the code of the library, so this is the exhaustive test
// of signs, carries and shifts.
TEST(SpecializeForms, all_pairs_of_bytes) {
  OperationModule module(kernel_head);
  const TypeNumber byte = module.scalar({.kind = ScalarType::Kind::Int, .width = 8});
  const TypeNumber boolean = module.scalar({});
  const NodeNumber value = module.specializable(byte);
  for (std::uint64_t i = 0; i < 256; ++i) {
    const NodeNumber other = module.constant(byte, i);
    for (const OperationRow& row : operations()) {
      const bool is_binary = row.form == Form::IntBinary || row.form == Form::UintBinary || row.form == Form::IntShift;
      if (is_binary) module.operation(row.op, byte, {value, other});
      if (row.form == Form::IntCompare) module.operation(row.op, boolean, {value, other});
    }
  }
  SpecializeRuns runs(module);
  for (std::uint64_t i = 0; i < 256; i += is_slow_build ? 17 : 1) {
    runs.run_with([&](std::size_t, ScalarType) { return i; });
  }
  runs.expect(50'000);
}

// Every half in every conversion from it, and the neighbours of every half as a float and a double.
TEST(SpecializeForms, all_halves_in_conversions) {
  constexpr std::size_t lanes = 512;
  const auto scalar = [](ScalarType::Kind kind, unsigned width) { return ScalarType{.kind = kind, .width = width}; };
  using enum ScalarType::Kind;
  OperationModule module(both_heads);
  const TypeNumber half = module.scalar(scalar(Float, 16)), single = module.scalar(scalar(Float, 32)),
                   wide = module.scalar(scalar(Float, 64));
  for (std::size_t i = 0; i < lanes; ++i) {
    const NodeNumber h = module.specializable(half), s = module.specializable(single), d = module.specializable(wide);
    for (const unsigned width : {8u, 16u, 32u, 64u}) {
      module.operation(OpConvertFToS, module.scalar(scalar(Int, width)), {h});
      module.operation(OpConvertFToU, module.scalar(scalar(Int, width)), {h});
    }
    module.operation(OpFConvert, single, {h});
    module.operation(OpFConvert, wide, {h});
    module.operation(OpFNegate, half, {h});
    module.operation(OpFConvert, half, {s});
    module.operation(OpQuantizeToF16, single, {s});
    module.operation(OpFConvert, half, {d});
  }
  SpecializeRuns runs(module);
  std::mt19937_64 random(3);
  for (std::size_t begin = 0; begin < 0x10000; begin += lanes * (is_slow_build ? 31 : 1)) {
    runs.run_with([&](std::size_t spec_id, ScalarType type) {
      const std::uint64_t value = (begin + spec_id / 3) & 0xFFFF;
      return type.width == 16 ? value : near_half(type, value, random);
    });
  }
  runs.expect(20'000);
}

}  // namespace
}  // namespace vireo::spirv::naive

// SPDX-License-Identifier: Apache-2.0
//
// Random chains of operations of OpSpecConstantOp, also on composites, evaluated by a Specializer and by the naive
// interpreter. Some constants get no value, so parts of a chain stay.
//
// Source: specification 2.9 (specialization), 3.42.7 (OpSpecConstantOp), 3.42.12 (composites).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

#include "spirv/transform/operation_forms.h"
#include "spirv/transform/operation_module.h"
#include "spirv/transform/specialize_runs.h"
#include "spirv/transform/value_tables.h"

namespace vireo::spirv::naive {
namespace {

using enum Op;

// Builds a module from operations on random earlier results.
class ChainWriter {
 public:
  ChainWriter(OperationModule& module, Needs client, std::uint64_t seed)
      : module_(module), client_(client), random_(seed) {
    const bool is_kernel = client == Needs::Kernel;
    scalars_ = scalar_types(!is_kernel);
    counts_ = is_kernel ? std::vector<std::size_t>{2, 3, 4, 8, 16} : std::vector<std::size_t>{2, 3, 4};
    for (const ScalarType scalar : scalars_) {
      const TypeNumber type = module.scalar(scalar);
      for (int i = 0; i < 4; ++i) add(module.specializable(type));
      types_[1].push_back(type);
      for (const std::size_t count : counts_) {
        types_[count].push_back(module.vector(type, count));
        for (int i = 0; i < 3; ++i) compose(types_[count].back());
      }
    }
    for (int i = 0; i < 6; ++i) {  // each may contain those before
      const TypeNumber member = any_composite_type();
      composites_.push_back(i % 2 == 0 ? module.array(member, 1 + below(3))
                                       : module.structure({member, any_scalar_type(), any_composite_type()}));
      for (int k = 0; k < 2; ++k) compose(composites_.back());
    }
  }

  void write(int rounds) {
    for (int round = 0; round < rounds; ++round) {
      compute(1);
      for (const std::size_t count : counts_) compute(count);
      for (int i = 0; i < 12; ++i) rearrange();
    }
    // The users of an undefined constant stay, except for those that use none of its components.
    const TypeNumber type = types_[2][1];
    const NodeNumber undef = module_.undef(type);
    module_.operation(OpIAdd, type, {undef, any_of(type)});
    module_.operation(OpVectorShuffle, type, {any_of(type), undef}, {1, 0});
    module_.operation(OpVectorShuffle, type, {undef, any_of(type)}, {0xFFFFFFFF, 2});
  }

 private:
  std::size_t below(std::size_t end) { return random_() % end; }
  TypeNumber any_scalar_type() { return types_[1][below(types_[1].size())]; }
  TypeNumber any_vector_type() {
    const std::vector<TypeNumber>& types = types_[counts_[below(counts_.size())]];
    return types[below(types.size())];
  }
  TypeNumber any_composite_type() {
    return composites_.empty() || below(2) == 0 ? any_vector_type() : composites_[below(composites_.size())];
  }
  NodeNumber any_of(TypeNumber type) { return nodes_[type][below(nodes_[type].size())]; }
  void add(NodeNumber node) { nodes_[module_.type_of(node)].push_back(node); }

  void compose(TypeNumber type) {
    std::vector<NodeNumber> parts;
    for (const TypeNumber part : module_.parts_of(type)) parts.push_back(any_of(part));
    add(module_.composite(type, parts));
  }

  // One in forty of the operations on scalars or vectors of one size.
  void compute(std::size_t count) {
    std::vector<OperandPair> pairs;
    for (std::size_t i = 0; i < scalars_.size(); ++i) {
      const TypeNumber type = types_[count][i];
      pairs.push_back({scalars_[i], type, any_of(type), any_of(type)});
    }
    for (const NodeNumber node : add_operations(module_, pairs, client_, [this] { return below(40) == 0; })) add(node);
  }

  // A random path into a type; returns the type of the part.
  TypeNumber walk(TypeNumber type, std::vector<Word>& path) {
    do {
      path.push_back(static_cast<Word>(below(module_.parts_of(type).size())));
      type = module_.parts_of(type)[path.back()];
    } while (!module_.parts_of(type).empty() && below(3) != 0);
    return type;
  }

  // Adds one operation that moves components, or a composite.
  void rearrange() {
    const TypeNumber type = any_composite_type();
    std::vector<Word> path;
    switch (below(6)) {
      case 0: return compose(type);
      case 1: {
        const TypeNumber part = walk(type, path);
        return add(module_.operation(OpCompositeExtract, part, {any_of(type)}, path));
      }
      case 2: {
        const NodeNumber object = any_of(walk(type, path));
        return add(module_.operation(OpCompositeInsert, type, {object, any_of(type)}, path));
      }
      case 3: return add(module_.operation(OpSelect, type, {any_of(types_[1][0]), any_of(type), any_of(type)}));
      case 4: return shuffle();
      default:
        if (client_ == Needs::Kernel) recast();
        return;
    }
  }

  void shuffle() {
    const std::size_t component = below(scalars_.size());
    const auto vector = [&] { return types_[counts_[below(counts_.size())]][component]; };
    const TypeNumber first = vector(), second = vector(), result = vector();
    const std::size_t all = module_.count_of(first) + module_.count_of(second);
    std::vector<Word> indexes;
    for (std::size_t i = 0; i < module_.count_of(result); ++i) {
      indexes.push_back(below(200) == 0 ? 0xFFFFFFFF : static_cast<Word>(below(all)));
    }
    add(module_.operation(OpVectorShuffle, result, {any_of(first), any_of(second)}, indexes));
  }

  // Between any two numerical types of one size.
  void recast() {
    const auto any_type = [&] { return below(3) == 0 ? any_scalar_type() : any_vector_type(); };
    const auto size = [&](TypeNumber type) { return module_.count_of(type) * module_.scalar_of(type).width; };
    const auto is_numerical = [&](TypeNumber type) { return module_.scalar_of(type).kind != ScalarType::Kind::Bool; };
    for (int attempt = 0; attempt < 100; ++attempt) {
      const TypeNumber from = any_type(), to = any_type();
      const std::size_t most = std::max(module_.count_of(from), module_.count_of(to));
      const std::size_t least = std::min(module_.count_of(from), module_.count_of(to));
      if (from == to || !is_numerical(from) || !is_numerical(to) || size(from) != size(to) || most % least != 0)
        continue;
      return add(module_.operation(OpBitcast, to, {any_of(from)}));
    }
  }

  OperationModule& module_;
  const Needs client_;
  std::mt19937_64 random_;
  std::vector<ScalarType> scalars_;
  std::vector<std::size_t> counts_;                       // of components of vectors
  std::map<std::size_t, std::vector<TypeNumber>> types_;  // by component count, in the order of scalars_
  std::vector<TypeNumber> composites_;
  std::map<TypeNumber, std::vector<NodeNumber>> nodes_;
};

// How many of a hundred constants get no value, and whether the values are moderate.
struct ChainValues {
  std::uint64_t missing_percent;
  bool are_moderate;
};
constexpr ChainValues chain_values[] = {{0, true}, {0, false}, {5, true}, {40, true}, {20, false}, {100, true}};

void run_chains(std::string_view head, Needs client, std::size_t least) {
  Comparison total;
  for (std::uint64_t seed = 1; seed <= (is_slow_build ? 3u : 30u); ++seed) {
    OperationModule module(head);
    ChainWriter(module, client, seed).write(6);
    SpecializeRuns runs(module);
    std::mt19937_64 random(seed);
    for (int i = 0; i < 12; ++i) {
      const ChainValues& values = chain_values[static_cast<std::size_t>(i) % std::size(chain_values)];
      SpecValues given;
      for (const ScalarType type : module.spec_types()) {
        given.emplace_back(values.are_moderate ? moderate_value(type, random) : random_value(type, random));
        if (random() % 100 < values.missing_percent) given.back().reset();
      }
      runs.run(given);
    }
    total.add(runs.total());
    ASSERT_EQ(total.fault_count, 0u) << "seed " << seed << "\n" << total.faults;
  }
  expect_without_faults(total, least);
}

TEST(SpecializeChains, of_kernels) { run_chains(kernel_head, Needs::Kernel, 5'000); }
TEST(SpecializeChains, of_shaders) { run_chains(shader_head, Needs::Shader, 5'000); }

}  // namespace
}  // namespace vireo::spirv::naive

// SPDX-License-Identifier: Apache-2.0
//
// Facts: each part is computed once, whichever is used first, also for invalid modules.
#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/module/call_graph.h"
#include "vireo/spirv/module/constants.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/lines.h"
#include "vireo/spirv/module/module_declarations.h"
#include "vireo/spirv/module/types.h"
#include "vireo/spirv/module/uses.h"

#include <gtest/gtest.h>

#include <array>
#include <thread>
#include <vector>

#include "spirv/module/assembled.h"

namespace vireo::spirv {
namespace {

using Parts = std::array<const void*, 8>;

Parts parts_of(const Facts& facts) {
  return {&facts.call_graph(), &facts.constants(),           &facts.types(), &facts.decorations(),
          &facts.names(),      &facts.module_declarations(), &facts.lines(), &facts.uses()};
}

TEST(FactsTest, are_computed_once_by_many_threads) {
  const WordBuffer words = test::assembled(R"(
OpCapability Kernel
OpName %2 "count"
OpDecorate %3 SpecId 1
%1 = OpTypeInt 32 0
%2 = OpTypeVector %1 4
%3 = OpSpecConstant %1 5
%4 = OpSpecConstantOp %1 IAdd %3 %3
)");
  const Module module = Module::read(words);
  const Specialization values[] = {{1, 20}};
  const Facts facts(module, {.specializations = values});
  std::array<Parts, 4> seen;
  std::vector<std::thread> threads;
  for (Parts& parts : seen) threads.emplace_back([&] { parts = parts_of(facts); });
  for (std::thread& thread : threads) thread.join();
  for (const Parts& parts : seen) EXPECT_EQ(parts, parts_of(facts));
  EXPECT_EQ(facts.constants().as_u64(4), 40u);
  EXPECT_EQ(facts.names().of(2), "count");
  EXPECT_TRUE(facts.module_declarations().has(Capability::Kernel));
  EXPECT_EQ(facts.uses().of(1).size(), 3u);
}

TEST(FactsTest, some_uses_reuse_all_uses) {
  const WordBuffer words = test::assembled("%1 = OpTypeVoid\n%2 = OpTypeFunction %1\n");
  const Module module = Module::read(words);
  const Facts frugal(module), rich(module);
  EXPECT_TRUE(frugal.some_uses().of(1).empty());
  EXPECT_EQ(rich.uses().of(1).size(), 1u);
  EXPECT_EQ(&rich.some_uses(), &rich.uses());
}

TEST(FactsTest, are_empty_without_words) {
  const Module module = Module::read(Words{});
  const Facts facts(module);
  for (const void* part : parts_of(facts)) EXPECT_NE(part, nullptr);
  EXPECT_TRUE(facts.types().rows().empty());
  EXPECT_TRUE(facts.constants().rows().empty());
}

}  // namespace
}  // namespace vireo::spirv

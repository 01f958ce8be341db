// SPDX-License-Identifier: Apache-2.0
//
// Specializes a generated module with many values, and compares each result with the naive interpreter.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "spirv/transform/operation_module.h"
#include "vireo/spirv/transform/specialize.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::spirv::naive {

/// Reports the first faults. `least` values must have been compared, and some results must have been undefined, so that
/// a test whose generator fails is noticed. The counts become properties of the test.
inline void expect_without_faults(const Comparison& total, std::size_t least) {
  EXPECT_EQ(total.fault_count, 0u) << total.faults;
  EXPECT_GE(total.values, least);
  EXPECT_GT(total.undefined, 0u);
  ::testing::Test::RecordProperty("constants", static_cast<int>(total.values));
  ::testing::Test::RecordProperty("scalars", static_cast<int>(total.scalars));
  ::testing::Test::RecordProperty("undefined", static_cast<int>(total.undefined));
  ::testing::Test::RecordProperty("others", static_cast<int>(total.kept));
}

/// A generated module with its Specializer, and the sums of all comparisons.
class SpecializeRuns {
 public:
  explicit SpecializeRuns(const OperationModule& module) : module_(module), words_(module.words()) {
    Diagnostics diagnostics;
    Result<Specializer> read = Specializer::read(words_, {}, diagnostics);
    EXPECT_TRUE(read.ok());
    if (read) specializer_.emplace(std::move(read).value());
    EXPECT_EQ(specializer_->constants().size(), module.spec_types().size());
  }

  // After a fault nothing is run: one fault often repeats for many values.
  void run(const SpecValues& values) {
    if (total_.fault_count != 0) return;
    std::vector<Specialization> given;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i]) given.push_back({static_cast<Word>(i), *values[i]});
    }
    Diagnostics diagnostics(1'000'000);
    WordBuffer result;
    const bool is_refused = specializer_->specialize(given, {}, memory_, result, diagnostics).has_value();
    EXPECT_FALSE(is_refused);
    if (is_refused) return;
    total_.add(module_.compare(words_, result, values, diagnostics));
    // The comparison is exact; the validator also checks the order of declarations and the rest of the module.
    if (++count_ % 64 != 1) return;
    Diagnostics findings;
    EXPECT_TRUE(validate(result, {}, findings)) << findings.all()[0].message;
  }

  // Values by a function of the SpecId and its type.
  template <typename ValueOf>
  void run_with(ValueOf&& value_of) {
    SpecValues values;
    for (const ScalarType type : module_.spec_types()) values.push_back(value_of(values.size(), type));
    run(values);
  }

  // If values become the defaults of the module, a specialization without values that freezes the rest is the same.
  void run_as_defaults(const SpecValues& values) {
    std::vector<Specialization> given;
    for (std::size_t i = 0; i < values.size(); ++i) given.push_back({static_cast<Word>(i), *values[i]});
    Diagnostics diagnostics(1'000'000), others(1'000'000);
    WordBuffer result, frozen;
    EXPECT_FALSE(specializer_->specialize(given, {}, memory_, result, diagnostics));
    SpecializerMemory memory;
    const Result<Specializer> read = Specializer::read(module_.words(values), {}, others);
    ASSERT_TRUE(read.ok());
    EXPECT_FALSE(read->specialize({}, {.freeze_rest = true}, memory, frozen, others));
    EXPECT_TRUE(result == frozen);
    EXPECT_EQ(diagnostics.warning_count(), others.warning_count());
  }

  void expect(std::size_t least) const { expect_without_faults(total_, least); }
  [[nodiscard]] const Comparison& total() const { return total_; }

 private:
  const OperationModule& module_;
  const WordBuffer words_;
  std::optional<Specializer> specializer_;
  SpecializerMemory memory_;
  Comparison total_;
  std::size_t count_ = 0;
};

}  // namespace vireo::spirv::naive

// SPDX-License-Identifier: Apache-2.0
#include "isa/model/coverage.h"

#include <algorithm>

namespace vireo::isa {

Bits uncovered_bits(const Model& model, const Bitset& leaf) {
  Bits covered(leaf.size);
  // Bits beyond the bitset were reported.
  const auto cover = [&](std::uint32_t low, std::uint32_t high) {
    if (low < leaf.size) covered.set_range(low, std::min(high, leaf.size - 1));
  };
  for (const BitsetId id : model.chain(leaf)) {
    for (const Pattern& pattern : model.patterns(model[id])) cover(pattern.low, pattern.high());
    const Case& common = model.cases(model[id]).back();
    for (const Assert& bits : model.asserts(common)) cover(bits.low, bits.high());
    for (const Field& field : model.fields(common)) {
      if (!field.is_derived()) cover(field.low, field.high());
    }
  }
  return ~covered;
}

}  // namespace vireo::isa

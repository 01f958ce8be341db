// SPDX-License-Identifier: Apache-2.0
//
// The capabilities that a capability implies (vireo/spirv/grammar/grammar_tools.h). Specification 3, Capability: declaring a
// capability also declares the capabilities that it depends on, directly or indirectly.
#include <algorithm>
#include <vector>

#include "vireo/spirv/grammar/grammar_tools.h"

namespace vireo::spirv {

std::vector<std::uint16_t> implied_capabilities(const Grammar& grammar, std::uint16_t capability) {
  // The result is also the work list. A capability that (wrongly) implies itself is included. The cost is linear in the
  // grammar, as each row is added once. There is no recursion, since a document may chain any number of capabilities.
  std::vector<std::uint16_t> found;
  std::vector<bool> seen(grammar.enumerants.size(), false);
  const auto visit = [&](std::uint16_t row) {
    for (const std::uint16_t implied : grammar.capabilities(grammar.enumerants[row].capabilities)) {
      if (seen[implied]) continue;
      seen[implied] = true;
      found.push_back(implied);
    }
  };
  visit(capability);
  // NOLINTNEXTLINE(modernize-loop-convert): the list grows during the loop
  for (std::size_t i = 0; i < found.size(); ++i) visit(found[i]);
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace vireo::spirv

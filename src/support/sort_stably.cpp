// SPDX-License-Identifier: Apache-2.0
#include "support/sort_stably.h"

#include <tuple>

namespace vireo {

void sort_places(std::vector<KeyedPlace>& places) {
  std::sort(places.begin(), places.end(), [](const KeyedPlace& a, const KeyedPlace& b) {
    return std::tie(a.key, a.place) < std::tie(b.key, b.place);
  });
}

}  // namespace vireo

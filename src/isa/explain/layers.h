// SPDX-License-Identifier: Apache-2.0
//
// Layers, while they are being filled.
//
// The one idea: who comes first takes bits of the ground; a field that finds one of its bits taken goes, whole, to the
// first layer above where it fits. So a picture never shows two meanings in one place, and hides none.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vireo/isa/bits.h"
#include "vireo/isa/picture.h"

namespace vireo::isa {

class LayerStack {
 public:
  explicit LayerStack(std::uint32_t size);

  /// Bits that have a meaning but no name: those that are still free on the ground take the role.
  void fix(std::uint32_t low, std::uint32_t width, BitRole role);
  /// The bits of a pattern: `x` does not count, the others choose the leaf.
  void fix(const Pattern& pattern, std::uint32_t at = 0);
  /// A field: on the ground (lowest = 0) or in the first layer from `lowest` on where all of its bits are free. Gives the
  /// layer, or max_layers where there is none left.
  std::size_t add(std::uint32_t low, std::uint32_t width, std::string_view label, std::size_t lowest);
  /// A layer of its own above all others, which add() finds as `lowest`.
  std::size_t open(std::string caption);
  void caption(std::size_t layer, std::string text) { layers_[layer].caption = std::move(text); }

  /// What nobody took is uncovered.
  BitPicture finish();

 private:
  struct Layer {
    std::string caption;
    Bits taken;
    std::vector<BitCell> cells;
  };
  std::uint32_t size_;
  std::vector<Layer> layers_;
  std::size_t left_out_ = 0;
};

}  // namespace vireo::isa

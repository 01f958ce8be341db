// SPDX-License-Identifier: Apache-2.0
//
// Collects the cells of a picture in layers.
//
// Each bit of the base layer belongs to the first cell that takes it. If any bit of a field is taken, the
// whole field is added to the first layer above in which it fits. So a picture shows all meanings of a bit, each in its
// own layer.
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

  /// Adds cells with this role for the bits that are still free in the base layer: bits with a meaning but no name.
  void fix(std::uint32_t low, std::uint32_t width, BitRole role);
  /// Adds the bits of a pattern, whose bit 0 is at `at`: `x` is DontCare, 0 and 1 are Pattern.
  void fix(const Pattern& pattern, std::uint32_t at = 0);
  /// Adds a field to the first layer from `lowest` on in which all of its bits are free (0 is the base layer). Returns
  /// the layer, or max_layers if there is none.
  std::size_t add(std::uint32_t low, std::uint32_t width, std::string_view label, std::size_t lowest);
  /// Adds a layer above all others and returns it for use as `lowest` in add().
  std::size_t open(std::string caption);
  void caption(std::size_t layer, std::string text) { layers_[layer].caption = std::move(text); }

  /// Adds cells with the role Uncovered for all remaining bits of the base layer, and returns the picture.
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

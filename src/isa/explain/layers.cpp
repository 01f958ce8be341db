// SPDX-License-Identifier: Apache-2.0
//
// Fills layers with cells. Fills the picture of a leaf from its rows in the model.
//
// Each bit has one meaning in the base layer, and may have others above it: fields of nested bitsets and
// of overrides. The base layer has a cell for every bit. An upper layer takes a field if all of the field's bits are
// free. In the picture of a leaf, the default cases fill the base layer, and overrides follow in the decoder's search
// order. At most max_layers are drawn.
#include "isa/explain/layers.h"

#include <algorithm>

#include "isa/explain/origin.h"

namespace vireo::isa {

LayerStack::LayerStack(std::uint32_t size) : size_(size) { layers_.push_back({{}, Bits(size), {}}); }

void LayerStack::fix(std::uint32_t low, std::uint32_t width, BitRole role) {
  Layer& base = layers_.front();
  // Adds one cell per run of free bits. Bits that a field has taken stay in the field's cell; the table shows both.
  for (std::uint32_t bit = low, end = low + width; bit < end;) {
    if (base.taken.test(bit)) {
      ++bit;
      continue;
    }
    const std::uint32_t first = bit;
    while (bit < end && !base.taken.test(bit)) base.taken.set(bit++);
    base.cells.push_back({first, bit - first, role, {}});
  }
}

void LayerStack::fix(const Pattern& pattern, std::uint32_t at) {
  for (std::uint32_t bit = 0; bit < pattern.width;) {
    // The text of a pattern begins with the highest bit.
    const auto is_dont_care = [&](std::uint32_t i) { return pattern.text[pattern.width - 1 - i] == 'x'; };
    const std::uint32_t first = bit;
    while (bit < pattern.width && is_dont_care(bit) == is_dont_care(first)) ++bit;
    fix(at + pattern.low + first, bit - first, is_dont_care(first) ? BitRole::DontCare : BitRole::Pattern);
  }
}

std::size_t LayerStack::add(std::uint32_t low, std::uint32_t width, std::string_view label, std::size_t lowest) {
  if (lowest >= max_layers || width == 0) return max_layers;
  Bits wanted(size_);
  wanted.set_range(low, low + width - 1);
  for (std::size_t i = lowest; i < max_layers; ++i) {
    if (i == layers_.size()) layers_.push_back({{}, Bits(size_), {}});
    Layer& layer = layers_[i];
    // A field is never split over two layers, since it would look like two fields.
    if ((layer.taken & wanted).any()) continue;
    layer.taken |= wanted;
    layer.cells.push_back({low, width, BitRole::Field, std::string(label)});
    return i;
  }
  // No layer is left: the field has a row in the table but no cell.
  return max_layers;
}

std::size_t LayerStack::open(std::string caption) {
  if (layers_.size() == max_layers) {
    ++left_out_;
    return max_layers;
  }
  layers_.push_back({std::move(caption), Bits(size_), {}});
  return layers_.size() - 1;
}

BitPicture LayerStack::finish() {
  // Uncovered bits exist in faulty descriptions and in words that no leaf matches.
  fix(0, size_, BitRole::Uncovered);
  BitPicture picture;
  picture.size = size_;
  picture.bits.assign(size_, ' ');
  picture.left_out = left_out_;
  for (Layer& layer : layers_) {
    std::sort(layer.cells.begin(), layer.cells.end(), [](const BitCell& a, const BitCell& b) { return a.low > b.low; });
    picture.layers.push_back({std::move(layer.caption), std::move(layer.cells)});
  }
  return picture;
}

BitPicture picture_of(const Model& model, const Bitset& leaf) {
  LayerStack stack(leaf.size);
  std::string bits(leaf.size, ' ');
  const auto write = [&](std::uint32_t low, std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) bits[low + text.size() - 1 - i] = text[i];
  };
  for (const BitsetId id : model.chain(leaf)) {
    for (const Pattern& pattern : model.patterns(model[id])) {
      stack.fix(pattern);
      write(pattern.low, pattern.text);
    }
    // In a correct description the patterns, fields and asserts of default cases never overlap: they are the base
    // layer.
    const Case& last = model.cases(model[id]).back();
    for (const Field& field : model.fields(last)) {
      if (!field.is_derived()) stack.add(field.low, field.width, model.text(field.name), 0);
    }
    for (const Assert& expected : model.asserts(last)) {
      stack.fix(expected.low, expected.width, BitRole::Assert);
      write(expected.low, expected.text);
    }
  }
  // Overrides are above, in search order. Each override gets one layer if its fields fit, with its condition as
  // caption.
  for (const BitsetId id : model.chain(leaf)) {
    for (const Case& c : model.cases(model[id])) {
      if (c.is_default()) continue;
      std::size_t layer = 0;
      for (const Field& field : model.fields(c)) {
        if (field.is_derived()) continue;
        if (layer == 0) layer = stack.open("if " + condition_of(model, c));
        stack.add(field.low, field.width, model.text(field.name), layer);
      }
    }
  }
  BitPicture picture = stack.finish();
  picture.bits = std::move(bits);
  return picture;
}

}  // namespace vireo::isa

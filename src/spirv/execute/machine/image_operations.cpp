// SPDX-License-Identifier: Apache-2.0
//
// Steps that read, write and sample images (machine.h).
//
// Source: Vulkan, "Image Operations"; specification 3.42.10.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "spirv/execute/images/image.h"
#include "spirv/execute/machine/operations.h"
#include "spirv/module/fold.h"

namespace vireo::spirv {
namespace {

using enum Op;

// The lower half of the value of an image is the object of the image, the upper half that of the sampler.
constexpr Cell handle_of(Cell image, Cell sampler) { return (image & 0xFFFFFFFF) | sampler << 32; }

// One lane of an image step.
class ImageLane {
 public:
  ImageLane(Machine& m, const Step& s, std::uint32_t lane)
      : m_(m), s_(s), step_(m.program().images[s.extra]), lane_(lane) {
    // A texel pointer is made from a pointer to the image.
    const Cell value = m.cells(s.a)[lane];
    const Cell handle = s.opcode == OpImageTexelPointer ? Pointer{value}.object() : value;
    image_ = m.state().resources->find_image(m.state().objects, static_cast<std::uint32_t>(handle));
    sampler_ = m.state().resources->find_sampler(m.state().objects, static_cast<std::uint32_t>(handle >> 32));
  }

  void run() {
    if (image_ == nullptr) {
      if (m_.begins(Rule::NullAccess, s_)) {
        const ModuleCheck& c = m_.state().report->check();
        const InstructionView view = c.module.instruction(s_.source);
        m_.report(Rule::NullAccess, s_, 0, lane_,
                  {op_text(c, view.opcode), id_text(c, view.word(s_.result.is_none() ? 1 : 3))});
      }
      return set_all(0);
    }
    switch (s_.opcode) {
      case OpImageQuerySize: return query_size(0);
      case OpImageQuerySizeLod: return query_size(static_cast<std::uint32_t>(m_.cells(s_.c)[lane_]));
      case OpImageQueryLevels: return set(0, image_->resource.levels);
      case OpImageQuerySamples: return set(0, 1);
      case OpImageTexelPointer: return texel_pointer();
      case OpImageRead:
      case OpImageSparseRead:
      case OpImageFetch:
      case OpImageSparseFetch: return read();
      case OpImageWrite: return write();
      default: return sample_image();
    }
  }

 private:
  void set(std::uint32_t cell, Cell bits) { m_.cells(s_.result.plus(cell))[lane_] = bits; }
  void set_all(Cell bits) {
    if (s_.result.is_none()) return;
    for (std::uint32_t cell = 0; cell < s_.count; ++cell) set(cell, bits);
  }
  [[nodiscard]] double number(CellRef cells, std::uint32_t cell, CellType type) const {
    const Cell bits = m_.cells(cells.plus(cell))[lane_];
    return type.kind == CellType::Kind::Float ? double_of(bits, type.format).value_or(0)
                                              : static_cast<double>(sign_extended(bits, type.width));
  }
  [[nodiscard]] std::int64_t whole(CellRef cells, std::uint32_t cell, std::uint32_t width) const {
    return sign_extended(m_.cells(cells.plus(cell))[lane_], width);
  }
  [[nodiscard]] std::uint32_t dimensions() const {
    switch (step_.shape.dim) {
      case Dim::Dim1D:
      case Dim::Buffer: return 1;
      case Dim::Dim3D: return 3;
      default: return 2;
    }
  }

  void query_size(std::uint32_t level) {
    const auto size = image_->resource.size_of(level);
    const std::uint32_t count = dimensions();
    for (std::uint32_t i = 0; i < count; ++i) set(i, size[i]);
    const std::uint32_t per_layer = step_.shape.dim == Dim::Cube ? 6 : 1;
    if (step_.shape.arrayed != 0) set(count, image_->resource.layers / per_layer);
  }

  // The texel that whole coordinates select, also outside the image.
  [[nodiscard]] TexelPlace place() const {
    TexelPlace place;
    const std::uint32_t width = step_.coordinate_type.width, count = dimensions();
    const auto at = [&](std::uint32_t cell) {
      std::int64_t coordinate = whole(s_.b, cell, width);
      if (cell < step_.offsets && !step_.offset.is_none()) coordinate += whole(step_.offset, cell, 32);
      return coordinate;
    };
    place.x = at(0);
    if (count > 1) place.y = at(1);
    if (count > 2) place.z = at(2);
    // The faces of cubes are layers.
    if (step_.shape.arrayed != 0 || step_.shape.dim == Dim::Cube) place.layer = at(count);
    if (!step_.lod.is_none()) place.level = static_cast<std::uint32_t>(m_.cells(step_.lod)[lane_]);
    return place;
  }

  void report_bounds(const TexelPlace& place) {
    if (m_.state().robustness != Robustness::Off || !m_.begins(Rule::ImageBounds, s_)) return;
    const ModuleCheck& c = m_.state().report->check();
    const auto size = image_->resource.size_of(place.level);
    const std::string name = m_.state().report->name_of(m_.program().variables[image_->variable]);
    m_.report(
        Rule::ImageBounds, s_, s_.opcode == OpImageWrite ? 2 : 4, lane_,
        {op_text(c, s_.opcode),
         fmt::format("texel ({}, {}, {}) of layer {}, level {}", place.x, place.y, place.z, place.layer, place.level),
         fmt::format("{}, which has {} x {} x {} texels, {} layers and {} levels", name, size[0], size[1], size[2],
                     image_->resource.layers, image_->resource.levels)});
  }

  void note(std::uint64_t offset, bool is_write) {
    MemoryPlace memory;
    memory.object = &m_.state().objects[image_->object];
    memory.bytes = image_->resource.bytes.data() + offset;
    memory.at = offset;
    // The memory barriers of images have a class of their own.
    m_.note_texel(s_, memory, image_->resource.format->bytes, lane_, is_write);
  }

  void read() {
    const TexelPlace at = place();
    const auto offset = image_->resource.offset_of(at);
    if (!offset) {
      report_bounds(at);
      return set_texel({0, 0, 0, 0}, {0, 0, 0, 0});
    }
    note(*offset, false);
    const std::byte* const texel = image_->resource.bytes.data() + *offset;
    set_texel(decode_float(*image_->resource.format, texel), decode_integer(*image_->resource.format, texel));
  }

  void write() {
    const TexelPlace at = place();
    const auto offset = image_->resource.offset_of(at);
    if (!offset) return report_bounds(at);
    if (m_.has_checks()) m_.require_defined(Rule::UndefinedOutput, s_, 3, s_.c, step_.others);
    note(*offset, true);
    std::byte* const texel = image_->resource.bytes.data() + *offset;
    const TexelFormat& format = *image_->resource.format;
    std::array<double, 4> numbers = {0, 0, 0, 1};
    std::array<std::uint64_t, 4> integers = {0, 0, 0, 1};
    for (std::uint32_t i = 0; i < std::min(step_.others, 4u); ++i) {
      numbers[i] = number(s_.c, i, s_.type);
      integers[i] = m_.cells(s_.c.plus(i))[lane_];
    }
    if (format.is_integer()) encode_integer(format, integers, texel);
    else encode_float(format, numbers, texel);
    ++m_.state().changes;
  }

  void texel_pointer() {
    const TexelPlace at = place();
    const auto offset = image_->resource.offset_of(at);
    if (!offset) report_bounds(at);
    set(0, offset ? Pointer::to(image_->object, *offset).raw : Pointer{}.reported().raw);
  }

  // The texel as the type of the result has it. The residency code of a sparse operation is the first cell.
  void set_texel(const std::array<double, 4>& numbers, const std::array<std::uint64_t, 4>& integers) {
    const std::uint32_t first = step_.is_sparse ? 1 : 0;
    if (step_.is_sparse) set(0, 1);
    for (std::uint32_t i = first; i < s_.count; ++i) {
      const std::size_t component = std::min<std::size_t>(i - first, 3);
      const bool is_float = s_.result_type.kind == CellType::Kind::Float;
      set(i, is_float ? bits_of(numbers[component], s_.result_type.format).value_or(0)
                      : integers[component] & mask_of(s_.result_type.width));
    }
  }

  void sample_image() {
    const RunSampler standard;
    const RunSampler& sampler = sampler_ == nullptr ? standard : *sampler_;
    SampleRequest request;
    request.dim = step_.shape.dim;
    request.is_arrayed = step_.shape.arrayed != 0;
    const bool is_projected =
        s_.opcode == OpImageSampleProjExplicitLod || s_.opcode == OpImageSampleProjDrefExplicitLod;
    const bool is_gather = s_.opcode == OpImageGather || s_.opcode == OpImageSparseGather;
    const bool is_reference = !s_.c.is_none() && !is_gather;
    for (std::uint32_t i = 0; i < std::min(step_.coordinates, 4u); ++i)
      request.coordinate[i] = number(s_.b, i, step_.coordinate_type);
    double divisor = 1;
    if (is_projected) {
      divisor = request.coordinate[std::min(step_.coordinates, 4u) - 1];
      for (std::uint32_t i = 0; i < dimensions(); ++i) request.coordinate[i] /= divisor;
    }
    if (is_reference) request.reference = number(s_.c, 0, s_.type) / divisor;
    for (std::uint32_t i = 0; i < std::min(step_.offsets, 3u); ++i)
      request.offset[i] = static_cast<std::int32_t>(whole(step_.offset, i, 32));
    request.lod = lod();
    if (!step_.min_lod.is_none()) request.min_lod = number(step_.min_lod, 0, step_.min_lod_type);
    std::array<double, 4> value{};
    const bool gathers = is_gather || s_.opcode == OpImageDrefGather || s_.opcode == OpImageSparseDrefGather;
    if (gathers) {
      const auto component = is_gather ? static_cast<std::uint32_t>(m_.cells(s_.c)[lane_]) : 0;
      value = gather_four(sampler, request, component);
    } else {
      value = sample(image_->resource, sampler, request);
    }
    std::array<std::uint64_t, 4> integers{};
    for (std::size_t i = 0; i < 4; ++i)
      integers[i] = static_cast<std::uint64_t>(static_cast<std::int64_t>(std::clamp(value[i], -9e18, 9e18)));
    set_texel(value, integers);
  }

  // With four offsets, each texel is the one that gathering with its own offset has last.
  std::array<double, 4> gather_four(const RunSampler& sampler, SampleRequest& request, std::uint32_t component) {
    if (step_.offsets < 8) return gather(image_->resource, sampler, request, component);
    std::array<double, 4> value{};
    for (std::uint32_t i = 0; i < 4; ++i) {
      for (std::uint32_t axis = 0; axis < 2; ++axis)
        request.offset[axis] = static_cast<std::int32_t>(whole(step_.offset, 2 * i + axis, 32));
      value[i] = gather(image_->resource, sampler, request, component)[3];
    }
    return value;
  }

  // The level of detail, before the limits of the sampler.
  [[nodiscard]] double lod() const {
    if (!step_.lod.is_none()) return number(step_.lod, 0, step_.lod_type);
    if (step_.gradient_x.is_none()) return 0;
    const auto size = image_->resource.size_of(0);
    const auto length = [&](CellRef gradient) {
      double sum = 0;
      for (std::uint32_t i = 0; i < dimensions(); ++i) {
        const double texels = number(gradient, i, step_.lod_type) * size[i];
        sum += texels * texels;
      }
      return std::sqrt(sum);
    };
    const double largest = std::max(length(step_.gradient_x), length(step_.gradient_y));
    return largest > 0 ? std::log2(largest) : -1000;
  }

  Machine& m_;
  const Step& s_;
  const ImageStep& step_;
  std::uint32_t lane_;
  const ImageObject* image_ = nullptr;
  const RunSampler* sampler_ = nullptr;
};

void mark_defined(Machine& m, const Step& s) {
  if (!m.has_checks() || s.result.is_none()) return;
  for (std::uint32_t cell = 0; cell < s.count; ++cell) set_undefined(m, s.result.plus(cell), {}, 0);
}

}  // namespace

void combine_image(Machine& m, const Step& s) {
  const Cell* const image = m.cells(s.a);
  Cell* const to = m.cells(s.result);
  for_each_lane(m.active(), [&](std::uint32_t lane) {
    to[lane] = s.opcode == OpImage ? handle_of(image[lane], 0) : handle_of(image[lane], m.cells(s.b)[lane] >> 32);
  });
  mark_defined(m, s);
}

void load_handle(Machine& m, const Step& s) {
  if (m.has_checks()) check_pointers(m, s);
  const Cell* const pointers = m.cells(s.a);
  Cell* const to = m.cells(s.result);
  for_each_lane(m.active(), [&](std::uint32_t lane) {
    const std::uint32_t object = Pointer{pointers[lane]}.object();
    to[lane] = handle_of(object, object);
  });
  mark_defined(m, s);
}

void image_operation(Machine& m, const Step& s) {
  if (m.has_checks()) {
    const ImageStep& step = m.program().images[s.extra];
    if (!s.b.is_none())
      m.require_defined(Rule::UndefinedAddress, s, s.opcode == OpImageWrite ? 2 : 4, s.b, step.coordinates);
  }
  for_each_lane(m.active(), [&](std::uint32_t lane) { ImageLane(m, s, lane).run(); });
  mark_defined(m, s);
}

}  // namespace vireo::spirv

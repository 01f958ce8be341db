// SPDX-License-Identifier: Apache-2.0
//
// Places of texels, filters and addressing (image.h).
#include "spirv/execute/images/image.h"

#include <algorithm>
#include <cmath>

#include "spirv/module/layouts/type_layouts.h"

namespace vireo::spirv {
namespace {

std::uint32_t at_level(std::uint32_t size, std::uint32_t level) {
  return std::max(1u, level >= 32 ? 0 : size >> level);
}

std::int64_t modulo(std::int64_t a, std::int64_t b) { return (a % b + b) % b; }
std::int64_t mirror(std::int64_t n) { return n >= 0 ? n : -(1 + n); }

// The texel that a coordinate outside the image selects; nullopt for the border.
std::optional<std::int64_t> wrapped(std::int64_t i, std::int64_t size, SamplerAddress address) {
  switch (address) {
    case SamplerAddress::Repeat: return modulo(i, size);
    case SamplerAddress::MirroredRepeat: return (size - 1) - mirror(modulo(i, 2 * size) - size);
    case SamplerAddress::ClampToEdge: return std::clamp<std::int64_t>(i, 0, size - 1);
    case SamplerAddress::MirrorClampToEdge: return std::clamp<std::int64_t>(mirror(i), 0, size - 1);
    default: return i >= 0 && i < size ? std::optional(i) : std::nullopt;
  }
}

std::array<double, 4> border_of(const RunSampler& sampler) {
  switch (sampler.border) {
    case SamplerBorder::OpaqueBlack: return {0, 0, 0, 1};
    case SamplerBorder::OpaqueWhite: return {1, 1, 1, 1};
    default: return {0, 0, 0, 0};
  }
}

std::array<double, 4> decoded(const TexelFormat& format, const std::byte* texel) {
  if (!format.is_integer()) return decode_float(format, texel);
  const auto integers = decode_integer(format, texel);
  std::array<double, 4> value{};
  for (std::size_t i = 0; i < 4; ++i)
    value[i] = format.class_ == TexelClass::Sint ? static_cast<double>(static_cast<std::int64_t>(integers[i]))
                                                 : static_cast<double>(integers[i]);
  return value;
}

bool compares(SamplerCompare compare, double reference, double texel) {
  switch (compare) {
    case SamplerCompare::Less: return reference < texel;
    case SamplerCompare::Equal: return reference == texel;
    case SamplerCompare::LessOrEqual: return reference <= texel;
    case SamplerCompare::Greater: return reference > texel;
    case SamplerCompare::NotEqual: return reference != texel;
    case SamplerCompare::GreaterOrEqual: return reference >= texel;
    case SamplerCompare::Always: return true;
    default: return false;
  }
}

// The face of a cube and the coordinates in it. Ties go to z, then to y.
struct CubeFace {
  std::uint32_t face = 0;
  double s = 0, t = 0;
};
CubeFace face_of(double x, double y, double z) {
  const double ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  double sc = 0, tc = 0, major = 1;
  CubeFace result;
  if (az >= ax && az >= ay) {
    result.face = z < 0 ? 5 : 4;
    sc = z < 0 ? -x : x, tc = -y, major = az;
  } else if (ay >= ax) {
    result.face = y < 0 ? 3 : 2;
    sc = x, tc = y < 0 ? -z : z, major = ay;
  } else {
    result.face = x < 0 ? 1 : 0;
    sc = x < 0 ? z : -z, tc = -y, major = ax;
  }
  result.s = 0.5 * (sc / major + 1);
  result.t = 0.5 * (tc / major + 1);
  return result;
}

class Sampling {
 public:
  Sampling(const ImageResource& image, const RunSampler& sampler, const SampleRequest& request)
      : image_(image), sampler_(sampler), request_(request), dimensions_(dimensions_of(request.dim)) {
    coordinate_ = {request.coordinate[0], request.coordinate[1], request.coordinate[2]};
    std::size_t layer_at = dimensions_;
    double layer = 0;
    if (request.dim == Dim::Cube) {
      const CubeFace face = face_of(coordinate_[0], coordinate_[1], coordinate_[2]);
      coordinate_ = {face.s, face.t, 0};
      layer_ = face.face;
      layer_at = 3;
    }
    if (request.is_arrayed) layer = std::nearbyint(request.coordinate[layer_at]);
    const std::int64_t per_layer = request.dim == Dim::Cube ? 6 : 1;
    const std::int64_t last = std::max<std::int64_t>(image.layers / per_layer, 1) - 1;
    layer_ += std::clamp<std::int64_t>(std::isnan(layer) ? 0 : static_cast<std::int64_t>(std::clamp(layer, 0.0, 1e9)),
                                       0, last) *
              per_layer;
    if (request.reference) {
      const bool is_fixed = image.format->class_ == TexelClass::Unorm;
      reference_ = is_fixed ? std::clamp(*request.reference, 0.0, 1.0) : *request.reference;
    }
  }

  std::array<double, 4> sampled() {
    const double lowest = std::max(sampler_.min_lod, request_.min_lod);
    const double lod = std::clamp(request_.lod + sampler_.lod_bias, lowest, std::max(lowest, sampler_.max_lod));
    const bool is_linear = lod <= 0 ? sampler_.mag_linear : sampler_.min_linear;
    const double last = image_.levels - 1;
    const double level = std::clamp(lod, 0.0, last);
    if (!sampler_.mip_linear)
      return filtered(static_cast<std::uint32_t>(std::clamp(std::ceil(level + 0.5) - 1, 0.0, last)), is_linear);
    const double low = std::floor(level), weight = level - low;
    std::array<double, 4> value = filtered(static_cast<std::uint32_t>(low), is_linear);
    if (weight == 0) return value;
    const auto next = filtered(static_cast<std::uint32_t>(std::min(low + 1, last)), is_linear);
    for (std::size_t i = 0; i < 4; ++i) value[i] = value[i] * (1 - weight) + next[i] * weight;
    return value;
  }

  std::array<double, 4> gathered(std::uint32_t component) {
    const std::int64_t low_x = base(0, 0, true).first, low_y = base(1, 0, true).first;
    const auto texel_at = [&](std::int64_t dx, std::int64_t dy) {
      return texel({low_x + dx, low_y + dy, 0, layer_, 0})[component];
    };
    return {texel_at(0, 1), texel_at(1, 1), texel_at(1, 0), texel_at(0, 0)};
  }

 private:
  static std::size_t dimensions_of(Dim dim) {
    return dim == Dim::Dim1D || dim == Dim::Buffer ? 1 : dim == Dim::Dim3D ? 3 : 2;
  }

  // The first texel of a filter along an axis, and the weight of the next one.
  [[nodiscard]] std::pair<std::int64_t, double> base(std::size_t axis, std::uint32_t level, bool is_linear) const {
    const double size = image_.size_of(level)[axis];
    double u = coordinate_[axis];
    if (std::isnan(u)) u = 0;
    if (sampler_.is_normalized) u *= size;
    u = std::clamp(u + request_.offset[axis], -1e9, 1e9);
    if (!is_linear) return {static_cast<std::int64_t>(std::floor(u)), 0};
    const double from = std::floor(u - 0.5);
    return {static_cast<std::int64_t>(from), u - 0.5 - from};
  }

  [[nodiscard]] std::array<double, 4> filtered(std::uint32_t level, bool is_linear) const {
    std::array<std::pair<std::int64_t, double>, 3> axes{};
    for (std::size_t axis = 0; axis < dimensions_; ++axis) axes[axis] = base(axis, level, is_linear);
    std::array<double, 4> sum{};
    const std::size_t corners = is_linear ? std::size_t{1} << dimensions_ : 1;
    for (std::size_t corner = 0; corner < corners; ++corner) {
      double weight = 1;
      std::array<std::int64_t, 3> at{};
      for (std::size_t axis = 0; axis < dimensions_; ++axis) {
        const bool is_next = (corner >> axis & 1) != 0;
        at[axis] = axes[axis].first + (is_next ? 1 : 0);
        if (is_linear) weight *= is_next ? axes[axis].second : 1 - axes[axis].second;
      }
      if (weight == 0) continue;
      const auto value = texel({at[0], at[1], at[2], layer_, level});
      for (std::size_t i = 0; i < 4; ++i) sum[i] += weight * value[i];
    }
    return sum;
  }

  // A texel after addressing; with a reference, whether the comparison holds.
  [[nodiscard]] std::array<double, 4> texel(TexelPlace place) const {
    const auto size = image_.size_of(place.level);
    std::array<std::int64_t*, 3> axes = {&place.x, &place.y, &place.z};
    const std::array<SamplerAddress, 3> modes = {sampler_.address_u, sampler_.address_v, sampler_.address_w};
    std::array<double, 4> value = border_of(sampler_);
    bool is_inside = true;
    for (std::size_t axis = 0; axis < dimensions_; ++axis) {
      // Cubes ignore the modes; their edges are those of the face.
      const SamplerAddress mode = request_.dim == Dim::Cube ? SamplerAddress::ClampToEdge : modes[axis];
      const auto inside = wrapped(*axes[axis], size[axis], mode);
      is_inside &= inside.has_value();
      if (inside) *axes[axis] = *inside;
    }
    if (is_inside) {
      const auto offset = image_.offset_of(place);
      value = offset ? decoded(*image_.format, image_.bytes.data() + *offset) : std::array<double, 4>{0, 0, 0, 0};
    }
    if (reference_) {
      const double result = compares(sampler_.compare, *reference_, value[0]) ? 1 : 0;
      return {result, result, result, result};
    }
    return value;
  }

  const ImageResource& image_;
  const RunSampler& sampler_;
  const SampleRequest& request_;
  std::size_t dimensions_;
  std::array<double, 3> coordinate_{};
  std::int64_t layer_ = 0;
  std::optional<double> reference_;
};

}  // namespace

std::array<std::uint32_t, 3> ImageResource::size_of(std::uint32_t level) const {
  return {at_level(width, level), at_level(height, level), at_level(depth, level)};
}

std::optional<std::uint64_t> ImageResource::offset_of(const TexelPlace& place) const {
  if (place.level >= levels) return std::nullopt;
  const auto size = size_of(place.level);
  const auto is_in = [](std::int64_t i, std::uint32_t end) { return i >= 0 && i < static_cast<std::int64_t>(end); };
  if (!is_in(place.x, size[0]) || !is_in(place.y, size[1]) || !is_in(place.z, size[2]) || !is_in(place.layer, layers))
    return std::nullopt;
  std::uint64_t texels = 0;
  for (std::uint32_t level = 0; level < place.level; ++level) {
    const auto above = size_of(level);
    texels += std::uint64_t{above[0]} * above[1] * above[2] * layers;
  }
  const auto index = [](std::int64_t i) { return static_cast<std::uint64_t>(i); };
  texels += ((index(place.layer) * size[2] + index(place.z)) * size[1] + index(place.y)) * size[0] + index(place.x);
  const std::uint64_t offset = texels * format->bytes;
  if (offset + format->bytes > bytes.size()) return std::nullopt;
  return offset;
}

std::uint64_t ImageResource::byte_count() const {
  std::uint64_t total = 0;
  for (std::uint32_t level = 0; level < std::min(levels, 32u); ++level) {
    const auto size = size_of(level);
    const std::uint64_t texels = bounded_product(bounded_product(std::uint64_t{size[0]} * size[1], size[2]), layers);
    total = std::max(total, total + bounded_product(texels, format->bytes));
  }
  return levels > 32 ? ~std::uint64_t{0} : total;
}

std::array<double, 4> sample(const ImageResource& image, const RunSampler& sampler, const SampleRequest& request) {
  return Sampling(image, sampler, request).sampled();
}

std::array<double, 4> gather(const ImageResource& image, const RunSampler& sampler, const SampleRequest& request,
                             std::uint32_t component) {
  return Sampling(image, sampler, request).gathered(std::min(component, 3u));
}

}  // namespace vireo::spirv

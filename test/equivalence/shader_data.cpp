// SPDX-License-Identifier: Apache-2.0
//
// Pseudo-random contents of buffers and images (shader_interface.h).
//
// Numbers have the type that the shader reads, and are small. Integers are at most 15, so that a loop that
// reads its limit from a buffer ends, and an index stays in its array. Floats are multiples of 1/8 in [-2, 6) or of 1/64
// in [0, 1), without denormal numbers, infinities and NaN. Arbitrary bits would make most loops endless and most results
// NaN.
//
// Source: Vulkan 1.3 specification, 15.5.4 (Offset, ArrayStride and MatrixStride), chapter 47 (formats).
#include <bit>
#include <cstring>
#include <iterator>

#include "equivalence/shader_interface.h"

namespace vireo::equivalence {
namespace {

using namespace spirv;

// A generator with one word of state; the same numbers with every standard library.
class Random {
 public:
  // Colors, directions and the like saturate beyond 1, so each second seed gives only smaller floats.
  explicit Random(std::uint32_t seed) : state_(seed * 2654435761u + 1), is_below_1_(seed % 2 == 0) {}
  std::uint32_t next() {
    state_ = state_ * 1664525u + 1013904223u;
    return state_ >> 12;  // the low bits of such a generator have short periods
  }
  std::uint32_t small() { return next() % 16; }
  float real() {
    const auto value = static_cast<float>(next() % 64);
    return is_below_1_ ? value / 64 : (value - 16) / 8;
  }

 private:
  std::uint32_t state_;
  bool is_below_1_;
};

// Exact for the values of Random::real().
std::uint32_t half_bits(float value) {
  if (value == 0) return 0;
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return (bits >> 16 & 0x8000u) | ((bits >> 23 & 0xFFu) - 127 + 15) << 10 | (bits >> 13 & 0x3FFu);
}

class BufferFiller {
 public:
  BufferFiller(const Shader& shader, std::uint32_t seed, std::vector<std::uint32_t>& words)
      : shader_(shader), random_(seed), words_(words), end_(words.size() * sizeof(std::uint32_t)) {}

  // Types are nested, so a stack lists the parts that are not filled yet.
  void fill(Word pointee) {
    for (std::uint32_t& word : words_) word = random_.small();  // padding
    parts_.push_back({&shader_.types.of(pointee), 0, 0, false});
    while (!parts_.empty()) {
      const Part part = parts_.back();
      parts_.pop_back();
      fill_part(part);
    }
  }

 private:
  struct Part {
    const TypeRow* type;
    std::uint64_t offset;         // bytes
    std::uint32_t matrix_stride;  // decorations of the member that contains the part
    bool is_row_major;
  };

  std::uint32_t literal(Word id, Word member, Decoration decoration, std::uint32_t otherwise) const {
    const DecorationRow* row = shader_.decorations.find(id, member, decoration);
    return row == nullptr ? otherwise : shader_.decorations.operand_or(*row, otherwise);
  }

  void fill_part(const Part& part) {
    const TypeRow& type = *part.type;
    if (part.offset >= end_) return;
    if (type.is(TypeKind::Struct)) return add_members(part);
    if (type.is_array()) return add_elements(part);
    const Shape shape = shader_.types.shape(type);
    const std::uint32_t bytes = shape.width / 8;
    const TypeRow& scalar = type.component();
    if (bytes == 0) return;
    if (!type.is(TypeKind::Matrix)) return write_scalars(scalar, part.offset, bytes, shape.rows);
    for (std::uint64_t i = 0; i < (part.is_row_major ? shape.rows : shape.columns); ++i) {
      write_scalars(scalar, part.offset + i * part.matrix_stride, bytes,
                    part.is_row_major ? shape.columns : shape.rows);
    }
  }

  void add_members(const Part& part) {
    const Words members = shader_.types.members(*part.type);
    for (Word member = 0; member < members.size(); ++member) {
      const std::uint32_t offset = literal(part.type->id, member, Decoration::Offset, 0);
      parts_.push_back({&shader_.types.of(members[member]), part.offset + offset,
                        literal(part.type->id, member, Decoration::MatrixStride, 16),
                        shader_.decorations.has(part.type->id, member, Decoration::RowMajor)});
    }
  }

  void add_elements(const Part& part) {
    const std::uint64_t stride = literal(part.type->id, no_member, Decoration::ArrayStride, 16);
    std::uint64_t count = stride == 0 ? 1 : (end_ - part.offset) / stride;
    if (part.type->is(TypeKind::Array)) {
      const std::uint64_t length = shader_.constants.as_u64(part.type->length, ValueUse::OrDefault).value_or(1);
      count = length < count ? length : count;
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      parts_.push_back({&part.type->element_type(), part.offset + i * stride, part.matrix_stride, part.is_row_major});
    }
  }

  void write_scalars(const TypeRow& scalar, std::uint64_t offset, std::uint32_t bytes, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count && offset + (i + 1) * bytes <= end_; ++i) {
      const std::uint64_t bits = scalar.is(TypeKind::Float) ? float_bits(bytes) : random_.small();
      std::memcpy(reinterpret_cast<char*>(words_.data()) + offset + i * bytes, &bits, bytes);
    }
  }

  std::uint64_t float_bits(std::uint32_t bytes) {
    const float value = random_.real();
    if (bytes == 8) return std::bit_cast<std::uint64_t>(static_cast<double>(value));
    return bytes == 2 ? half_bits(value) : std::bit_cast<std::uint32_t>(value);
  }

  const Shader& shader_;
  Random random_;
  std::vector<std::uint32_t>& words_;
  const std::uint64_t end_;
  std::vector<Part> parts_;
};

// --- images ---

// The contents of texels, by the representation of their components.
enum class Contents : std::uint8_t { Float32, Float16, SmallFloat, Normalized, Integers };

struct FormatRow {
  ImageFormat spirv;
  VkFormat vulkan;
  std::uint32_t bytes;
  Contents contents;
};
// clang-format off
constexpr FormatRow format_rows[] = {
    {ImageFormat::Rgba32f,      VK_FORMAT_R32G32B32A32_SFLOAT,      16, Contents::Float32},
    {ImageFormat::Rgba16f,      VK_FORMAT_R16G16B16A16_SFLOAT,       8, Contents::Float16},
    {ImageFormat::R32f,         VK_FORMAT_R32_SFLOAT,                4, Contents::Float32},
    {ImageFormat::Rgba8,        VK_FORMAT_R8G8B8A8_UNORM,            4, Contents::Normalized},
    {ImageFormat::Rgba8Snorm,   VK_FORMAT_R8G8B8A8_SNORM,            4, Contents::Normalized},
    {ImageFormat::Rg32f,        VK_FORMAT_R32G32_SFLOAT,             8, Contents::Float32},
    {ImageFormat::Rg16f,        VK_FORMAT_R16G16_SFLOAT,             4, Contents::Float16},
    {ImageFormat::R11fG11fB10f, VK_FORMAT_B10G11R11_UFLOAT_PACK32,   4, Contents::SmallFloat},
    {ImageFormat::R16f,         VK_FORMAT_R16_SFLOAT,                2, Contents::Float16},
    {ImageFormat::Rgba16,       VK_FORMAT_R16G16B16A16_UNORM,        8, Contents::Normalized},
    {ImageFormat::Rgb10A2,      VK_FORMAT_A2B10G10R10_UNORM_PACK32,  4, Contents::Normalized},
    {ImageFormat::Rg16,         VK_FORMAT_R16G16_UNORM,              4, Contents::Normalized},
    {ImageFormat::Rg8,          VK_FORMAT_R8G8_UNORM,                2, Contents::Normalized},
    {ImageFormat::R16,          VK_FORMAT_R16_UNORM,                 2, Contents::Normalized},
    {ImageFormat::R8,           VK_FORMAT_R8_UNORM,                  1, Contents::Normalized},
    {ImageFormat::Rgba16Snorm,  VK_FORMAT_R16G16B16A16_SNORM,        8, Contents::Normalized},
    {ImageFormat::Rg16Snorm,    VK_FORMAT_R16G16_SNORM,              4, Contents::Normalized},
    {ImageFormat::Rg8Snorm,     VK_FORMAT_R8G8_SNORM,                2, Contents::Normalized},
    {ImageFormat::R16Snorm,     VK_FORMAT_R16_SNORM,                 2, Contents::Normalized},
    {ImageFormat::R8Snorm,      VK_FORMAT_R8_SNORM,                  1, Contents::Normalized},
    {ImageFormat::Rgba32i,      VK_FORMAT_R32G32B32A32_SINT,        16, Contents::Integers},
    {ImageFormat::Rgba16i,      VK_FORMAT_R16G16B16A16_SINT,         8, Contents::Integers},
    {ImageFormat::Rgba8i,       VK_FORMAT_R8G8B8A8_SINT,             4, Contents::Integers},
    {ImageFormat::R32i,         VK_FORMAT_R32_SINT,                  4, Contents::Integers},
    {ImageFormat::Rg32i,        VK_FORMAT_R32G32_SINT,               8, Contents::Integers},
    {ImageFormat::Rg16i,        VK_FORMAT_R16G16_SINT,               4, Contents::Integers},
    {ImageFormat::Rg8i,         VK_FORMAT_R8G8_SINT,                 2, Contents::Integers},
    {ImageFormat::R16i,         VK_FORMAT_R16_SINT,                  2, Contents::Integers},
    {ImageFormat::R8i,          VK_FORMAT_R8_SINT,                   1, Contents::Integers},
    {ImageFormat::Rgba32ui,     VK_FORMAT_R32G32B32A32_UINT,        16, Contents::Integers},
    {ImageFormat::Rgba16ui,     VK_FORMAT_R16G16B16A16_UINT,         8, Contents::Integers},
    {ImageFormat::Rgba8ui,      VK_FORMAT_R8G8B8A8_UINT,             4, Contents::Integers},
    {ImageFormat::R32ui,        VK_FORMAT_R32_UINT,                  4, Contents::Integers},
    {ImageFormat::Rgb10a2ui,    VK_FORMAT_A2B10G10R10_UINT_PACK32,   4, Contents::Integers},
    {ImageFormat::Rg32ui,       VK_FORMAT_R32G32_UINT,               8, Contents::Integers},
    {ImageFormat::Rg16ui,       VK_FORMAT_R16G16_UINT,               4, Contents::Integers},
    {ImageFormat::Rg8ui,        VK_FORMAT_R8G8_UINT,                 2, Contents::Integers},
    {ImageFormat::R16ui,        VK_FORMAT_R16_UINT,                  2, Contents::Integers},
    {ImageFormat::R8ui,         VK_FORMAT_R8_UINT,                   1, Contents::Integers},
};
// clang-format on

}  // namespace

void fill_buffer(const Shader& shader, Word pointee, std::uint32_t seed, std::vector<std::uint32_t>& words) {
  BufferFiller(shader, seed, words).fill(pointee);
}

TexelFormat texel_format(const Types& types, const ImageShape& image) {
  for (const FormatRow& row : format_rows) {
    if (row.spirv == image.format) return {row.vulkan, row.bytes};
  }
  const TypeRow& type = types.of(image.sampled_type);
  if (image.format != ImageFormat::Unknown || type.width > 32) return {};
  if (image.depth == 1) return {VK_FORMAT_D32_SFLOAT, 4};
  switch (number_kind(type)) {  // the widest format converts to each type
    case NumberKind::Float: return {VK_FORMAT_R32G32B32A32_SFLOAT, 16};
    case NumberKind::Int: return {VK_FORMAT_R32G32B32A32_SINT, 16};
    case NumberKind::Uint: return {VK_FORMAT_R32G32B32A32_UINT, 16};
  }
  return {};
}

void fill_texels(VkFormat format, std::uint32_t seed, std::vector<std::uint32_t>& words) {
  Contents contents = Contents::Float32;  // also for depth
  for (const FormatRow& row : format_rows) {
    if (row.vulkan == format) contents = row.contents;
  }
  Random random(seed);
  for (std::uint32_t& word : words) {
    switch (contents) {
      case Contents::Float32: word = std::bit_cast<std::uint32_t>(random.real()); break;
      case Contents::Float16: word = half_bits(random.real()) | half_bits(random.real()) << 16; break;
      case Contents::SmallFloat: word = (random.next() << 12 ^ random.next()) & ~0x80200400u; break;  // exponents < 16
      case Contents::Normalized: word = random.next() << 12 ^ random.next(); break;
      case Contents::Integers: word = random.small(); break;
    }
  }
}

}  // namespace vireo::equivalence

// SPDX-License-Identifier: Apache-2.0
//
// Our compute shaders on a real driver: the results are correct.
#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <vector>

#include "drivers/driver_test.h"

namespace vireo::drivers {
namespace {

using Numbers = std::vector<std::uint32_t>;

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

class Compute : public OnDevice {
 protected:
  /// c = a + b over three buffers. 1,000 is not a multiple of a workgroup's 64 invocations: the last workgroup is
  /// incomplete.
  static void check_sums(spirv::Words shader) {
    constexpr std::uint32_t count = 1000, per_group = 64;
    std::vector<Numbers> buffers(3, Numbers(count));
    Numbers expected(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      const float a = 0.25f * static_cast<float>(i), b = 1000.0f / static_cast<float>(i + 1);
      buffers[0][i] = bits(a);
      buffers[1][i] = bits(b);
      buffers[2][i] = bits(-1);
      expected[i] = bits(a + b);  // Vulkan requires a correctly rounded sum
    }
    const std::vector<Numbers> before = buffers;
    device()->run({.shader = shader, .buffers = buffers, .groups = {(count + per_group - 1) / per_group, 1, 1}});
    EXPECT_EQ(buffers[2], expected);
    EXPECT_EQ(buffers[0], before[0]);
    EXPECT_EQ(buffers[1], before[1]);
  }
};

TEST_F(Compute, adds_vectors_with_a_built_shader) {
  RecordProperty("device", device()->name());
  RecordProperty("validation layer", device()->has_validation() ? "yes" : "no");
  check_sums(built("shader"));
}

TEST_F(Compute, adds_vectors_with_an_assembled_shader) { check_sums(assembled("test/drivers/vector_add.comp.spvasm")); }

/// The number of steps of z = z² + c until |z| > 2, as the shader counts them.
std::uint32_t steps(std::complex<float> c, std::uint32_t limit) {
  std::complex<float> z = 0;
  std::uint32_t n = 0;
  for (; std::abs(z) <= 2 && n < limit; ++n) {
    z = {z.real() * z.real() - z.imag() * z.imag() + c.real(), 2 * (z.real() * z.imag()) + c.imag()};
  }
  return n;
}

// Covers loops, a call, push constants, a specialization constant and an instruction of GLSL.std.450.
TEST_F(Compute, draws_the_mandelbrot_set) {
  constexpr std::uint32_t width = 64, limit = 50, local_size = 8;
  constexpr float centre[2] = {-0.5f, 0.0f}, scale = 2.5f;
  std::vector<Numbers> image(1, Numbers(width * width));
  device()->run({.shader = assembled("data/spirv/mandelbrot.comp.spvasm"),
                 .buffers = image,
                 .push_constants = {bits(centre[0]), bits(centre[1]), bits(scale), width},
                 .specialization = {limit},
                 .groups = {width / local_size, width / local_size, 1}});
  std::uint32_t others = 0, inside = 0;
  for (std::uint32_t y = 0; y < width; ++y) {
    for (std::uint32_t x = 0; x < width; ++x) {
      const auto at = [&](std::uint32_t pixel, float middle) {
        return (static_cast<float>(pixel) / static_cast<float>(width) - 0.5f) * scale + middle;
      };
      const std::uint32_t n = image[0][y * width + x];
      inside += n == limit ? 1 : 0;
      others += n == steps({at(x, centre[0]), at(y, centre[1])}, limit) ? 0 : 1;
    }
  }
  // A driver may fuse a product and a sum, which moves the border of the set by some pixels.
  EXPECT_LE(others, width * width / 100);
  EXPECT_GT(inside, width * width / 10);
  EXPECT_LT(inside, width * width / 2);
}

}  // namespace
}  // namespace vireo::drivers

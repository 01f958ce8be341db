// SPDX-License-Identifier: Apache-2.0
//
// A vertex and a fragment shader of the builder form a pipeline on a real driver and draw the expected image.
#include <cmath>
#include <cstdint>
#include <vector>

#include "drivers/driver_test.h"

namespace vireo::drivers {
namespace {

struct Point {
  float x = 0, y = 0;
};

/// Twice the area of a triangle; positive if its corners are in the direction of the axes.
float turn(Point a, Point b, Point c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

class Graphics : public OnDevice {};

TEST_F(Graphics, draws_a_triangle) {
  constexpr std::uint32_t size = 64;
  const std::vector<std::uint32_t> pixels = device()->draw(built("vertex"), built("fragment"), size);
  // Vertex i is at (i - 1, sin i); its colour is red i, full blue, no green.
  const Point corners[3] = {{-1, std::sin(0.0f)}, {0, std::sin(1.0f)}, {1, std::sin(2.0f)}};
  constexpr float margin = 0.02f;  // of the area: drivers may differ for pixels closer to an edge
  std::uint32_t inside = 0, outside_of = 0;
  for (std::uint32_t row = 0; row < size; ++row) {
    for (std::uint32_t column = 0; column < size; ++column) {
      const auto at = [&](std::uint32_t pixel) { return (static_cast<float>(pixel) + 0.5f) / (size / 2.0f) - 1; };
      const Point here = {at(column), at(row)};
      const float a = turn(corners[0], here, corners[1]), b = turn(corners[1], here, corners[2]),
                  c = turn(corners[2], here, corners[0]);
      const std::uint32_t pixel = pixels[row * size + column];
      if (a > margin && b > margin && c > margin) {
        ++inside;
        const float red = std::min(1.0f, here.x + 1) * 255;
        EXPECT_NEAR(static_cast<float>(pixel & 0xFF), red, 2) << column << ", " << row;
        EXPECT_EQ(pixel >> 8, 0xFFFF00u) << column << ", " << row;
      } else if (a < -margin || b < -margin || c < -margin) {
        ++outside_of;
        EXPECT_EQ(pixel, 0xFF000000u) << column << ", " << row;
      }
    }
  }
  EXPECT_GT(inside, 100u);
  EXPECT_GT(outside_of, 1000u);
}

}  // namespace
}  // namespace vireo::drivers

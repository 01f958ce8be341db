// SPDX-License-Identifier: Apache-2.0
//
// CountingSink accepts text in chunks, as a file does, and stores only its size. Measurements of printing use it, so
// that they do not include the cost of a growing string.
#pragma once

#include <cstddef>
#include <string_view>

#include "vireo/support/text_writer.h"

namespace vireo {

class CountingSink final : public TextSink {
 public:
  bool write(std::string_view chunk) override {
    bytes += chunk.size();
    return true;
  }
  std::size_t bytes = 0;
};

}  // namespace vireo

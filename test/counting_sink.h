// SPDX-License-Identifier: Apache-2.0
//
// CountingSink: takes text as a file does, chunk by chunk, and keeps nothing of it but its size. For those who measure what
// printing costs: the costs of a string that grows are not among them.
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

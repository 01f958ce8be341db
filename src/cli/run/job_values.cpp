// SPDX-License-Identifier: Apache-2.0
//
// Decodes bytes in jobs (job_values.h). Base64: RFC 4648, section 4.
#include "cli/run/job_values.h"

#include <algorithm>

namespace vireo::cli {
namespace {

int digit64(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

int digit16(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

}  // namespace

bool decode_base64(std::string_view text, std::string& bytes) {
  const bool can_be_padded = text.size() % 4 == 0;
  for (int i = 0; i < 2 && can_be_padded && text.ends_with('='); ++i) text.remove_suffix(1);
  bytes.reserve(text.size() / 4 * 3 + 3);
  std::uint32_t bits = 0, count = 0;
  for (const char c : text) {
    const int digit = digit64(c);
    if (digit < 0) return false;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<char>(bits >> count & 0xFF));
  }
  return count < 6;
}

bool decode_hex(std::string_view text, std::string& bytes) {
  if (text.size() % 2 != 0) return false;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const int high = digit16(text[i]), low = digit16(text[i + 1]);
    if (high < 0 || low < 0) return false;
    bytes.push_back(static_cast<char>(high * 16 + low));
  }
  return true;
}

std::vector<std::int64_t> integers_of(JsonValue array) {
  std::vector<std::int64_t> numbers;
  for (const JsonValue each : array.elements()) {
    numbers.push_back(std::max<std::int64_t>(each.integer().value_or(0), 0));
  }
  return numbers;
}

}  // namespace vireo::cli

// SPDX-License-Identifier: Apache-2.0
//
// Character classes of ASCII, independent of the locale.
#pragma once

namespace vireo {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

}  // namespace vireo

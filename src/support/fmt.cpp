// SPDX-License-Identifier: Apache-2.0
//
// The part of fmt that does not depend on what is formatted, compiled here once. As a library of headers alone, fmt compiles
// it again in each file that formats a message, which was more than half of the time such a file took.
//
// In a namespace of its own (vireo_fmt in cmake/targets.cmake): who links our archive beside a libfmt finds no name twice.
#include <fmt/format-inl.h>

template auto fmt::detail::dragonbox::to_decimal(float) noexcept -> decimal_fp<float>;
template auto fmt::detail::dragonbox::to_decimal(double) noexcept -> decimal_fp<double>;
template auto fmt::detail::thousands_sep_impl<char>(locale_ref) -> thousands_sep_result<char>;
template auto fmt::detail::decimal_point_impl<char>(locale_ref) -> char;
template void fmt::detail::buffer<char>::append(const char*, const char*);
template void fmt::detail::vformat_to(buffer<char>&, string_view, format_args, locale_ref);

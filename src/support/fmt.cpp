// SPDX-License-Identifier: Apache-2.0
//
// Compiles once the part of fmt that does not depend on the formatted types. If fmt is header-only, each file that
// formats a message compiles this part, which takes more than half of the compile time.
//
// fmt is in an inline namespace (vireo_fmt in cmake/targets.cmake), so a program that also links libfmt has no
// duplicate symbols.
#include <fmt/format-inl.h>

template auto fmt::detail::dragonbox::to_decimal(float) noexcept -> decimal_fp<float>;
template auto fmt::detail::dragonbox::to_decimal(double) noexcept -> decimal_fp<double>;
template auto fmt::detail::thousands_sep_impl<char>(locale_ref) -> thousands_sep_result<char>;
template auto fmt::detail::decimal_point_impl<char>(locale_ref) -> char;
template void fmt::detail::buffer<char>::append(const char*, const char*);
template void fmt::detail::vformat_to(buffer<char>&, string_view, format_args, locale_ref);

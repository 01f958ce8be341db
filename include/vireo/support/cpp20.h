// SPDX-License-Identifier: Apache-2.0
//
// Stops a compilation in an older language than C++20 with one clear sentence. Each header for C++ includes this file,
// directly or through another header; the headers for C (vireo/vireo.h and its like) do not.
#pragma once

// MSVC states the language in _MSVC_LANG.
#if __cplusplus < 202002L && !(defined(_MSVC_LANG) && _MSVC_LANG >= 202002L)
#error "This header of Vireo needs C++20: compile with -std=c++20. Programs in C or older C++ include vireo/vireo.h."
#endif

// SPDX-License-Identifier: Apache-2.0
//
// VIREO_API marks the functions and classes that the shared libraries export. Everything else is hidden. C and C++.
#pragma once

#if defined(__GNUC__)
#define VIREO_API __attribute__((visibility("default")))
#else
#define VIREO_API
#endif

// SPDX-License-Identifier: Apache-2.0
//
// VIREO_API marks the functions and classes that the shared libraries export; all other symbols are hidden. For C and
// C++.
#pragma once

#if defined(__GNUC__)
#define VIREO_API __attribute__((visibility("default")))
#else
#define VIREO_API
#endif

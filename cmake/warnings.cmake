# SPDX-License-Identifier: Apache-2.0
#
# One list of warnings for gcc 12 and clang 14. Both must be silent.
#
# -Wconversion means less to gcc than to clang, which adds changes of sign; -Wno-sign-conversion makes both mean the
# same: a conversion that may lose bits is written down, a change of sign of an index is not noise.
set(vireo_warnings
  -Wall -Wextra -Wpedantic
  -Wshadow
  -Wconversion -Wno-sign-conversion
  -Wnon-virtual-dtor
  -Wold-style-cast
  -Wcast-align
  -Wimplicit-fallthrough
  -Wextra-semi
)

# gcc 12 sees overlapping copies in the library's own std::string operator+ (its bug 105329), wherever that is inlined.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  list(APPEND vireo_warnings -Wno-restrict)
endif()

function(vireo_set_warnings target)
  target_compile_options(${target} PRIVATE ${vireo_warnings} $<$<BOOL:${VIREO_WERROR}>:-Werror>)
endfunction()

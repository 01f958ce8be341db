# SPDX-License-Identifier: Apache-2.0
#
# One list of warnings for gcc 12 and clang 14. Both must compile without a warning.
#
# In gcc -Wconversion excludes changes of sign, in clang it includes them. -Wno-sign-conversion makes both equal: a
# conversion that may lose bits needs a cast, a change of sign does not.
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

# gcc 12 reports a false overlap in std::string operator+ wherever it is inlined (its bug 105329).
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  list(APPEND vireo_warnings -Wno-restrict)
endif()

function(vireo_set_warnings target)
  target_compile_options(${target} PRIVATE ${vireo_warnings} $<$<BOOL:${VIREO_WERROR}>:-Werror>)
endfunction()

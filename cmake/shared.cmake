# SPDX-License-Identifier: Apache-2.0
#
# What the shared libraries show: the functions of vireo.h, and the C++ of include/. Nothing else: no src/, no third party.
#
# Two locks, since each leaves a gap that the other closes. Visibility is by header: code is compiled hidden, and for the
# shared library every public header is met through a stand-in that shows what it declares, so that no declaration needs a
# mark. The version script then keeps out what templates of others make of our types, and says what is promised: names of
# C stand under VIREO_0.1 and stay; names of C++ stand under the exact version, so that a program that was built with
# another one is refused by the loader instead of meeting other layouts.

# vireo_show_public_headers(TARGET): TARGET becomes position independent, and what include/ declares becomes visible.
function(vireo_show_public_headers target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE -fno-semantic-interposition)  # nobody replaces our functions: inline them
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/include/*.h")
  foreach(header IN LISTS headers)
    set(stand_in "${PROJECT_BINARY_DIR}/visible/${header}")
    cmake_path(GET stand_in PARENT_PATH folder)
    file(RELATIVE_PATH real "${folder}" "${PROJECT_SOURCE_DIR}/include/${header}")
    file(CONFIGURE OUTPUT "${stand_in}" @ONLY CONTENT
"#pragma once
#pragma GCC visibility push(default)
#include \"@real@\"
#pragma GCC visibility pop
")
  endforeach()
  target_include_directories(${target} BEFORE PRIVATE "${PROJECT_BINARY_DIR}/visible")
endfunction()

# Tables of rows are full of pointers, and each of them is a relocation of 24 bytes; packed, a bit. The loader has to know
# that, as glibc does since 2.36: for older ones, build without.
if(BUILD_SHARED_LIBS)
  include(CheckLinkerFlag)
  check_linker_flag(CXX LINKER:--fatal-warnings,-z,pack-relative-relocs VIREO_LINKER_PACKS_RELOCATIONS)
  option(VIREO_PACKED_RELOCATIONS "pack relocations of shared libraries (wants glibc 2.36)" ${VIREO_LINKER_PACKS_RELOCATIONS})
endif()

# vireo_bound_exports(TARGET): the shared library exports what the version script names.
function(vireo_bound_exports target)
  set(script "${PROJECT_BINARY_DIR}/${target}.map")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/${target}.map.in" "${script}" @ONLY)
  # Code and constants in one segment: less to map, and nothing between them in the file.
  target_link_options(${target} PRIVATE "LINKER:--version-script=${script}" LINKER:--gc-sections LINKER:-z,noseparate-code)
  if(VIREO_PACKED_RELOCATIONS)
    target_link_options(${target} PRIVATE LINKER:-z,pack-relative-relocs)
  endif()
  if(NOT VIREO_SANITIZE)  # the sanitizers' functions come with the program
    target_link_options(${target} PRIVATE LINKER:--no-undefined)
  endif()
  set_target_properties(${target} PROPERTIES LINK_DEPENDS "${script}")
endfunction()

# SPDX-License-Identifier: Apache-2.0
#
# Data outside the repository for tests and benchmarks. Empty means absent: tests that need the data are
# skipped with a message.
# Environment variables of the same names take precedence, both here, for files that are built from those folders, and
# when the tests run.
#
#   VIREO_SHARED  recorded data: modules and texts with expected results. Default: the folder `shared` beside the repository.
#   VIREO_PEERS   the newest reference programs (bin/spirv-as …) and grammars (headers/unified1/*.json).

function(vireo_outside variable default help)
  if(EXISTS "$ENV{${variable}}")
    set(${variable} "$ENV{${variable}}" CACHE PATH "${help}" FORCE)
    return()
  endif()
  if(NOT EXISTS "${default}")
    set(default "")
  endif()
  set(${variable} "${default}" CACHE PATH "${help}")
endfunction()

if(DEFINED ENV{XDG_CACHE_HOME})
  set(vireo_cache "$ENV{XDG_CACHE_HOME}")
else()
  set(vireo_cache "$ENV{HOME}/.cache")
endif()

cmake_path(SET vireo_sibling NORMALIZE "${PROJECT_SOURCE_DIR}/../shared")
vireo_outside(VIREO_SHARED "${vireo_sibling}" "folder with recorded data for the tests; empty: those tests skip")
vireo_outside(VIREO_PEERS "${vireo_cache}/vireo-peers" "folder with the reference programs; empty: those tests skip")

# SPDX-License-Identifier: Apache-2.0
#
# `gen` rewrites the committed tables from the newest grammar; `gen_check` only checks that they are up to date. Neither
# is part of `all`: the build needs no generator, no JSON and no network.
file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tools/gen_tables.cpp")
if(NOT sources)
  return()
endif()

add_executable(gen_tables EXCLUDE_FROM_ALL ${sources})
vireo_defaults(gen_tables)
target_include_directories(gen_tables PRIVATE "${PROJECT_SOURCE_DIR}/src")
target_link_libraries(gen_tables PRIVATE vireo_inside vireo_fmt)

add_custom_target(gen WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" VERBATIM
  COMMAND gen_tables --headers "${VIREO_PEERS}/headers/unified1" --out .)
add_custom_target(gen_check WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" VERBATIM
  COMMAND gen_tables --headers "${VIREO_PEERS}/headers/unified1" --check .)

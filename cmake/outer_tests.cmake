# SPDX-License-Identifier: Apache-2.0
#
# Tests from outside: they know what is installed, and nothing of src/.

# vireo_c_test(ROOM LIBRARY): vireo_test, with test/ROOM/*.c as C99 under the warnings that users of C have on.
function(vireo_c_test room library)
  vireo_test(${room} ${library})
  file(GLOB cases CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/test/${room}/*.c")
  add_library(${room}_cases OBJECT ${cases})
  target_include_directories(${room}_cases PRIVATE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/test")
  target_compile_options(${room}_cases PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Werror)
  set_target_properties(${room}_cases PROPERTIES C_STANDARD 99 C_EXTENSIONS OFF)
  if(VIREO_SANITIZE)
    target_compile_options(${room}_cases PRIVATE -fsanitize=${VIREO_SANITIZE} -fno-sanitize-recover=all)
  endif()
  target_sources(${room}_test PRIVATE $<TARGET_OBJECTS:${room}_cases>)
  target_compile_definitions(${room}_test_settings INTERFACE VIREO_PROJECT_VERSION="${PROJECT_VERSION}")
endfunction()

# vireo_packages_test(ROOM): tests of what this build installs. With sanitizers it would ask them of its users.
function(vireo_packages_test room)
  if(VIREO_SANITIZE OR NOT VIREO_INSTALL)
    return()
  endif()
  vireo_test(${room})
  set(kind "")
  if(VIREO_BOTH_KINDS)
    set(kind _shared)  # the archives are installed beside them
  endif()
  add_dependencies(${room}_test vireo vireo_isa vireo${kind} vireo_isa${kind})
  if(TARGET vireo_program)
    add_dependencies(${room}_test vireo_program)
  endif()
  target_compile_definitions(${room}_test_settings INTERFACE
    VIREO_LIBRARY="$<TARGET_FILE:vireo${kind}>" VIREO_ISA_LIBRARY="$<TARGET_FILE:vireo_isa${kind}>" VIREO_PROJECT_VERSION="${PROJECT_VERSION}"
    VIREO_ARCHITECTURE="${CMAKE_LIBRARY_ARCHITECTURE}"
    VIREO_C_COMPILER="${CMAKE_C_COMPILER}" VIREO_CXX_COMPILER="${CMAKE_CXX_COMPILER}")
endfunction()

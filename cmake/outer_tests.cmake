# SPDX-License-Identifier: Apache-2.0
#
# Tests of the installed interface: they do not use src/.

# vireo_c_test(COMPONENT LIBRARY): vireo_test, and test/COMPONENT/*.c as C99 with the warnings that users of C enable.
function(vireo_c_test component library)
  vireo_test(${component} ${library})
  file(GLOB cases CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/test/${component}/*.c")
  add_library(${component}_cases OBJECT ${cases})
  target_include_directories(${component}_cases PRIVATE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/test")
  target_compile_options(${component}_cases PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Werror)
  set_target_properties(${component}_cases PROPERTIES C_STANDARD 99 C_EXTENSIONS OFF)
  if(VIREO_SANITIZE)
    target_compile_options(${component}_cases PRIVATE -fsanitize=${VIREO_SANITIZE} -fno-sanitize-recover=all)
  endif()
  target_sources(${component}_test PRIVATE $<TARGET_OBJECTS:${component}_cases>)
  target_compile_definitions(${component}_test_settings INTERFACE VIREO_PROJECT_VERSION="${PROJECT_VERSION}")
endfunction()

# vireo_packages_test(COMPONENT): tests of the files that this build installs. Not with sanitizers, which the consumers
# would need as well.
function(vireo_packages_test component)
  if(VIREO_SANITIZE OR NOT VIREO_INSTALL)
    return()
  endif()
  vireo_test(${component})
  set(kind "")
  if(VIREO_BOTH_KINDS)
    set(kind _shared)  # the archives are installed beside them
  endif()
  add_dependencies(${component}_test vireo vireo_isa vireo${kind} vireo_isa${kind})
  if(TARGET vireo_program)
    add_dependencies(${component}_test vireo_program)
  endif()
  target_compile_definitions(${component}_test_settings INTERFACE
    VIREO_LIBRARY="$<TARGET_FILE:vireo${kind}>" VIREO_ISA_LIBRARY="$<TARGET_FILE:vireo_isa${kind}>" VIREO_PROJECT_VERSION="${PROJECT_VERSION}"
    VIREO_ARCHITECTURE="${CMAKE_LIBRARY_ARCHITECTURE}"
    VIREO_C_COMPILER="${CMAKE_C_COMPILER}" VIREO_CXX_COMPILER="${CMAKE_CXX_COMPILER}")
endfunction()

# SPDX-License-Identifier: Apache-2.0
#
# `cmake --install`: the library with its headers and a package for find_package(vireo), and the program with its names.
include(GNUInstallDirs)

install(TARGETS vireo EXPORT vireo_targets)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/vireo" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/vireo")
install(EXPORT vireo_targets NAMESPACE vireo:: FILE vireo-targets.cmake DESTINATION "${package_folder}")
# A static library leaves its parts to be linked by its user, so the package asks for them by name, wherever they lie there.
set(package_dependencies "find_dependency(Threads)")
if(NOT BUILD_SHARED_LIBS)
  string(APPEND package_dependencies "\nfind_dependency(pugixml)")
endif()
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/vireo-config.cmake" @ONLY CONTENT [[
include(CMakeFindDependencyMacro)
@package_dependencies@
include("${CMAKE_CURRENT_LIST_DIR}/vireo-targets.cmake")
]])
include(CMakePackageConfigHelpers)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/vireo-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/vireo-config.cmake" "${PROJECT_BINARY_DIR}/vireo-config-version.cmake"
  DESTINATION "${package_folder}")

if(TARGET vireo_program)
  install(TARGETS vireo_program RUNTIME)
  foreach(name IN ITEMS spirv-as spirv-dis)
    install(FILES "${PROJECT_BINARY_DIR}/bin/${name}" TYPE BIN)  # a link to vireo, which stands beside it
  endforeach()
endif()

# SPDX-License-Identifier: Apache-2.0
#
# `cmake --install`: the library with its headers, a package for find_package(vireo) and one for pkg-config, and the program
# with its names. Components: runtime (the shared library), development, program.
#
# A shared and a static build may be installed into one prefix, one after the other: each brings a file of targets of its
# own, vireo::shared or vireo::static, and the package that both share makes vireo::vireo of what it finds.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

if(BUILD_SHARED_LIBS)
  set(kind shared)
else()
  set(kind static)
endif()
set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/vireo")

set_target_properties(vireo PROPERTIES EXPORT_NAME ${kind})
install(TARGETS vireo EXPORT vireo_targets
  LIBRARY COMPONENT runtime NAMELINK_COMPONENT development
  ARCHIVE COMPONENT development)
install(EXPORT vireo_targets NAMESPACE vireo:: FILE vireo-${kind}-targets.cmake DESTINATION "${package_folder}"
  COMPONENT development)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/vireo" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT development)
configure_file("${PROJECT_SOURCE_DIR}/cmake/vireo-config.cmake" "${PROJECT_BINARY_DIR}/vireo-config.cmake" COPYONLY)
# Before 1.0 a minor version may change the API.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/vireo-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/vireo-config.cmake" "${PROJECT_BINARY_DIR}/vireo-config-version.cmake"
  DESTINATION "${package_folder}" COMPONENT development)

# pkg-config knows parts of a library that only --static asks for. Where there is no shared library, everybody needs them.
# The prefix is where the file is found, so that the tree may be moved.
file(RELATIVE_PATH prefix_from_pc "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" prefix_from_pc "${prefix_from_pc}")
set(private_libraries "-lpugixml -lstdc++ -lm -pthread")
if(BUILD_SHARED_LIBS)
  set(pc_libraries "Libs: -L\${libdir} -lvireo\nLibs.private: ${private_libraries}")
else()
  set(pc_libraries "Libs: -L\${libdir} -lvireo ${private_libraries}")
endif()
configure_file("${PROJECT_SOURCE_DIR}/cmake/vireo.pc.in" "${PROJECT_BINARY_DIR}/vireo.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/vireo.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT development)

if(TARGET vireo_program)
  install(TARGETS vireo_program RUNTIME COMPONENT program)
  foreach(name IN ITEMS spirv-as spirv-dis)
    # A link to vireo, which stands beside it.
    install(FILES "${PROJECT_BINARY_DIR}/bin/${name}" TYPE BIN COMPONENT program)
  endforeach()
endif()

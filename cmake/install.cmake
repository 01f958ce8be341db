# SPDX-License-Identifier: Apache-2.0
#
# `cmake --install`: the library with its headers, a package for find_package(vireo) and one for pkg-config, and the program
# with its names. Components: runtime and runtime_isa (the shared libraries), development, program.
#
# A shared and a static build may be installed into one prefix, one after the other: each brings a file of targets of its
# own (vireo::shared, vireo::isa_shared, or …_static), and the package that both share makes vireo::vireo and vireo::isa of
# what it finds.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

if(BUILD_SHARED_LIBS)
  set(kind shared)
else()
  set(kind static)
endif()
set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/vireo")

foreach(library IN ITEMS vireo vireo_isa)
  string(REPLACE "_" "-" file "${library}")
  set(name ${kind})
  set(runtime runtime)
  if(library STREQUAL "vireo_isa")
    set(name isa_${kind})
    set(runtime runtime_isa)
  endif()
  set_target_properties(${library} PROPERTIES EXPORT_NAME ${name})
  install(TARGETS ${library} EXPORT ${library}_targets
    LIBRARY COMPONENT ${runtime} NAMELINK_COMPONENT development
    ARCHIVE COMPONENT development)
  install(EXPORT ${library}_targets NAMESPACE vireo:: FILE ${file}-${kind}-targets.cmake DESTINATION "${package_folder}"
    COMPONENT development)
endforeach()
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
foreach(library IN ITEMS vireo vireo-isa)
  set(pc_name ${library})
  set(pc_private "-lstdc++ -lm -pthread")
  set(pc_requires "")
  if(library STREQUAL "vireo-isa")
    set(pc_private "-lpugixml ${pc_private}")
    set(pc_requires "Requires: vireo = ${PROJECT_VERSION}\n")
  endif()
  if(BUILD_SHARED_LIBS)
    set(pc_libraries "Libs: -L\${libdir} -l${library}\nLibs.private: ${pc_private}")
  else()
    set(pc_libraries "Libs: -L\${libdir} -l${library} ${pc_private}")
  endif()
  configure_file("${PROJECT_SOURCE_DIR}/cmake/vireo.pc.in" "${PROJECT_BINARY_DIR}/${library}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${library}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig"
    COMPONENT development)
endforeach()

if(TARGET vireo_program)
  install(TARGETS vireo_program RUNTIME COMPONENT program)
  foreach(name IN ITEMS spirv-as spirv-dis spirv-val)
    # A link to vireo, which stands beside it.
    install(FILES "${PROJECT_BINARY_DIR}/bin/${name}" TYPE BIN COMPONENT program)
  endforeach()
endif()

# SPDX-License-Identifier: Apache-2.0
#
# `cmake --install`: libraries, headers, packages for find_package(vireo) and pkg-config, the program with its manual
# pages and completions, licence and examples. The components are runtime and runtime_isa (the shared libraries),
# development, program, names (spirv-as and its like, with VIREO_DROP_IN_NAMES only).
#
# Each kind of library has its own file of targets (vireo::shared, vireo::isa_shared, or …_static). vireo-config.cmake
# defines vireo::vireo and vireo::isa as the requested kind.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/vireo")
set(kinds static)
if(BUILD_SHARED_LIBS)
  set(kinds shared)
elseif(VIREO_BOTH_KINDS)
  set(kinds static shared)
endif()
set(libraries vireo)
if(VIREO_ISA)
  list(APPEND libraries vireo_isa)
endif()

foreach(kind IN LISTS kinds)
  foreach(library IN LISTS libraries)
    set(target ${library})
    if(kind STREQUAL "shared" AND NOT BUILD_SHARED_LIBS)
      set(target ${library}_shared)
    endif()
    string(REPLACE "_" "-" file "${library}")
    set(name ${kind})
    set(runtime runtime)
    if(library STREQUAL "vireo_isa")
      set(name isa_${kind})
      set(runtime runtime_isa)
    endif()
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
    install(TARGETS ${target} EXPORT ${target}_targets
      LIBRARY COMPONENT ${runtime} NAMELINK_COMPONENT development
      ARCHIVE COMPONENT development)
    install(EXPORT ${target}_targets NAMESPACE vireo:: FILE ${file}-${kind}-targets.cmake
      DESTINATION "${package_folder}" COMPONENT development)
  endforeach()
endforeach()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/vireo" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT development)
configure_file("${PROJECT_SOURCE_DIR}/cmake/vireo-config.cmake" "${PROJECT_BINARY_DIR}/vireo-config.cmake" COPYONLY)
# Before 1.0 a minor version may change the API.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/vireo-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/vireo-config.cmake" "${PROJECT_BINARY_DIR}/vireo-config-version.cmake"
  DESTINATION "${package_folder}" COMPONENT development)

# Without a shared library, users also link the private dependencies. The prefix is relative to the .pc file, so that
# the installed tree can be moved.
#
# If both kinds are installed, `pkg-config --static` must select the archive, but it only adds Libs.private behind Libs.
# So vireo.pc has no library of its own: its Libs.private begins a range of the command line in which the linker takes
# archives, vireo-libs.pc, which it requires and which therefore follows, has the library, and ends the range.
file(RELATIVE_PATH prefix_from_pc "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" prefix_from_pc "${prefix_from_pc}")
macro(vireo_pkg_config pc_file)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/vireo.pc.in" "${PROJECT_BINARY_DIR}/${pc_file}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${pc_file}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig"
    COMPONENT development)
endmacro()
foreach(library IN LISTS libraries)
  string(REPLACE "_" "-" pc_name "${library}")
  set(pc_private "-lstdc++ -lm -pthread")
  set(pc_requires "")
  if(library STREQUAL "vireo_isa")
    set(pc_private "-lpugixml ${pc_private}")
    set(pc_requires "Requires: vireo = ${PROJECT_VERSION}\n")
  endif()
  if(kinds STREQUAL "static")
    set(pc_libraries "Libs: -L\${libdir} -l${pc_name} ${pc_private}")
  elseif(kinds STREQUAL "shared")
    set(pc_libraries "Libs: -L\${libdir} -l${pc_name}\nLibs.private: ${pc_private}")
  else()
    set(pc_libraries "Libs: -L\${libdir} -l${pc_name}\nLibs.private: -Wl,--pop-state ${pc_private}")
    vireo_pkg_config(${pc_name}-libs)
    set(pc_requires "Requires: ${pc_name}-libs = ${PROJECT_VERSION}\n")
    set(pc_libraries "Libs.private: -Wl,--push-state,-Bstatic")
  endif()
  vireo_pkg_config(${pc_name})
endforeach()

install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/CHANGELOG.md" "${PROJECT_SOURCE_DIR}/README.md"
  TYPE DOC COMPONENT development)
# The documents link each other, the changelog and the examples by relative paths.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" TYPE DOC COMPONENT development
  FILES_MATCHING PATTERN "*.md" PATTERN "*.schema.json")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/examples" TYPE DOC COMPONENT development)
# Other files that they link. test/meta/installed_links_test.cpp compares the list with the links.
set(linked_files
  ARCHITECTURE.md CONTRIBUTING.md SECURITY.md
  bench/README.md bench/shrinking/bugs.tsv
  data/isa/maps.xml data/spirv/pocket_gpu.profile.json
  src/spirv/validate/profile/vulkan_registry.def src/spirv/validate/tables/device_rows.def
  test/consumers/c/consumer.c)
foreach(linked IN LISTS linked_files)
  cmake_path(GET linked PARENT_PATH folder)
  install(FILES "${PROJECT_SOURCE_DIR}/${linked}" DESTINATION "${CMAKE_INSTALL_DOCDIR}/${folder}" COMPONENT development)
endforeach()
install(FILES "${PROJECT_SOURCE_DIR}/data/isa/finch.xml" "${PROJECT_SOURCE_DIR}/data/isa/finch-operands.xml"
  DESTINATION "${CMAKE_INSTALL_DOCDIR}/examples/data" COMPONENT development)

if(TARGET vireo_program)
  install(TARGETS vireo_program RUNTIME COMPONENT program)
  install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" TYPE DOC COMPONENT program)
  # The program prints its own manual pages and completions: one page for each command that `vireo man --list` prints.
  install(CODE "
    set(program \"\$<TARGET_FILE:vireo_program>\")
    set(prefix \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
    execute_process(COMMAND \"\${program}\" man --list OUTPUT_VARIABLE commands COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX REPLACE \"\\n\$\" \"\" commands \"\${commands}\")
    string(REPLACE \"\\n\" \";\" commands \"\${commands}\")
    file(MAKE_DIRECTORY \"\${prefix}/${CMAKE_INSTALL_MANDIR}/man1\")
    execute_process(COMMAND \"\${program}\" man OUTPUT_FILE \"\${prefix}/${CMAKE_INSTALL_MANDIR}/man1/vireo.1\" COMMAND_ERROR_IS_FATAL ANY)
    foreach(command IN LISTS commands)
      string(REPLACE \" \" \"-\" page \"vireo-\${command}.1\")
      separate_arguments(words UNIX_COMMAND \"\${command}\")
      execute_process(COMMAND \"\${program}\" man \${words} OUTPUT_FILE \"\${prefix}/${CMAKE_INSTALL_MANDIR}/man1/\${page}\" COMMAND_ERROR_IS_FATAL ANY)
    endforeach()
    foreach(row IN ITEMS bash:bash-completion/completions/vireo zsh:zsh/vendor-completions/_vireo fish:fish/vendor_completions.d/vireo.fish)
      string(REGEX REPLACE \":.*\" \"\" shell \"\${row}\")
      string(REGEX REPLACE \"^[a-z]+:\" \"\" file \"\${row}\")
      set(file \"\${prefix}/${CMAKE_INSTALL_DATADIR}/\${file}\")
      cmake_path(GET file PARENT_PATH folder)
      file(MAKE_DIRECTORY \"\${folder}\")
      execute_process(COMMAND \"\${program}\" completion \${shell} OUTPUT_FILE \"\${file}\" COMMAND_ERROR_IS_FATAL ANY)
    endforeach()" COMPONENT program)
  foreach(name IN LISTS vireo_drop_in_names)
    install(FILES "${PROJECT_BINARY_DIR}/bin/${name}" TYPE BIN COMPONENT names)  # a link to vireo beside it
  endforeach()
endif()

# SPDX-License-Identifier: Apache-2.0
#
# find_package(vireo CONFIG): the target vireo::vireo.
#
# Where both libraries are installed, `COMPONENTS static` or `COMPONENTS shared` chooses; else BUILD_SHARED_LIBS does, where
# it is said at all; else it is the shared one. Projects in C alone may use either.
include(CMakeFindDependencyMacro)
find_dependency(Threads)

set(vireo_kinds "")
foreach(kind IN ITEMS shared static)
  if(EXISTS "${CMAKE_CURRENT_LIST_DIR}/vireo-${kind}-targets.cmake")
    list(APPEND vireo_kinds ${kind})
  endif()
endforeach()
if(DEFINED BUILD_SHARED_LIBS AND NOT BUILD_SHARED_LIBS)
  list(REVERSE vireo_kinds)  # static first
endif()
list(GET vireo_kinds 0 vireo_kind)
foreach(component IN LISTS vireo_FIND_COMPONENTS)
  if(component IN_LIST vireo_kinds)
    set(vireo_kind ${component})
    set(vireo_${component}_FOUND TRUE)
  elseif(vireo_FIND_REQUIRED_${component})
    set(vireo_FOUND FALSE)
    set(vireo_NOT_FOUND_MESSAGE "the ${component} library of vireo is not installed")
    return()
  endif()
endforeach()

if(vireo_kind STREQUAL "static")
  find_dependency(pugixml)  # a static library leaves its parts to be linked by its user
endif()
include("${CMAKE_CURRENT_LIST_DIR}/vireo-${vireo_kind}-targets.cmake")
if(NOT TARGET vireo::vireo)
  add_library(vireo::vireo INTERFACE IMPORTED)
  set_target_properties(vireo::vireo PROPERTIES INTERFACE_LINK_LIBRARIES vireo::${vireo_kind})
endif()

# What is said of C++ would stop a project that has only C: its linker is told what the C++ compiler would have known.
get_property(vireo_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
if(NOT CXX IN_LIST vireo_languages)
  get_target_property(vireo_links vireo::${vireo_kind} INTERFACE_LINK_LIBRARIES)
  set_target_properties(vireo::${vireo_kind} PROPERTIES INTERFACE_COMPILE_FEATURES "")
  if(vireo_kind STREQUAL "static")
    set_target_properties(vireo::static PROPERTIES INTERFACE_LINK_LIBRARIES "${vireo_links};stdc++")
    get_target_property(vireo_configurations vireo::static IMPORTED_CONFIGURATIONS)
    foreach(configuration IN LISTS vireo_configurations)
      set_target_properties(vireo::static PROPERTIES IMPORTED_LINK_INTERFACE_LANGUAGES_${configuration} C)
    endforeach()
  endif()
endif()

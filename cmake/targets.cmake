# SPDX-License-Identifier: Apache-2.0
#
# Functions that create targets: a component (object code of one folder), a library of components, the program, a test
# binary. A new source file needs no edit here: each target takes all sources of its folder.
#
# One set of object files serves the archive, the shared library, the program and the tests. So code is position
# independent everywhere, and hidden unless a declaration says VIREO_API (include/vireo/support/api.h).
include(CheckCXXSourceCompiles)

# vireo_defaults(TARGET): settings of every target: the language, hidden symbols, warnings, sanitizers.
function(vireo_defaults target)
  target_compile_features(${target} PRIVATE cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF INTERPROCEDURAL_OPTIMIZATION ${VIREO_LTO}
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON POSITION_INDEPENDENT_CODE ON)
  # One section per function: the linker drops functions that the program never calls. No program replaces functions of
  # the shared library, so the compiler may inline them.
  target_compile_options(${target} PRIVATE -ffunction-sections -fdata-sections -fno-semantic-interposition)
  vireo_set_warnings(${target})
  if(VIREO_SANITIZE)
    target_compile_options(${target} PRIVATE
      -fsanitize=${VIREO_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE -fsanitize=${VIREO_SANITIZE})
  endif()
endfunction()

# fmt as headers only, in an inline namespace of Vireo: src/support/fmt.cpp compiles its implementation once. Users of
# the library need no fmt, and a program that links another fmt has no conflict.
add_library(vireo_fmt INTERFACE)
target_include_directories(vireo_fmt SYSTEM INTERFACE
  $<TARGET_PROPERTY:fmt::fmt-header-only,INTERFACE_INCLUDE_DIRECTORIES>)
target_compile_definitions(vireo_fmt INTERFACE
  "FMT_BEGIN_NAMESPACE=namespace fmt { inline namespace vireo {" "FMT_END_NAMESPACE=} }")

# vireo_component(NAME FOLDER [RECURSIVE]): the sources of one component as object code.
function(vireo_component name folder)
  set(glob GLOB)
  if("RECURSIVE" IN_LIST ARGN)
    set(glob GLOB_RECURSE)
  endif()
  file(${glob} sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/*.cpp")
  add_library(${name} OBJECT ${sources})
  vireo_defaults(${name})
  if(VIREO_FUZZ)  # the fuzzer looks for inputs that reach new code of the library
    target_compile_options(${name} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(${name} PRIVATE vireo_fmt nlohmann_json::nlohmann_json)
  if(VIREO_UNITY)
    vireo_compile_together(${name} ${sources})
    # Files of tables use the same names for their columns, so each is compiled separately.
    set(tables ${sources})
    list(FILTER tables INCLUDE REGEX "/tables/[^/]*$")
    set_source_files_properties(${tables} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()

# vireo_compile_together(TARGET SOURCE…): compiles up to 16 source files of one folder as one unit. Files of different
# folders are never combined, so a new file affects its own folder only. -Wno-shadow: a local name may equal a name of
# another file in the unit.
# By default gcc searches for garbage while it has used less than 128 MB; each search costs more than it frees. The
# parameter (in KB) makes the build a tenth faster; a unit takes up to 1 GB with and without it.
function(vireo_compile_together target)
  foreach(source IN LISTS ARGN)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    if(NOT DEFINED files_of_${folder})
      set(files_of_${folder} 0)
    endif()
    math(EXPR batch "${files_of_${folder}} / 16")
    math(EXPR files_of_${folder} "${files_of_${folder}} + 1")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${folder}_${batch}")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  target_compile_options(${target} PRIVATE -Wno-shadow
    $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage> $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=786432>)
endfunction()

# vireo_library(NAME OF COMPONENT… [LINK LIBRARY…] [ON BASE]): a library of components, and the alias vireo::NAME for
# other projects. Its users see include/ only. BASE is another library of this project that it needs. BUILD_SHARED_LIBS
# selects the kind; with VIREO_BOTH_KINDS the other kind is NAME_shared.
function(vireo_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "ON" "OF;LINK")
  vireo_one_library(${name} "" "${arg_ON}" ${ARGN})
  string(REPLACE "vireo_" "" alias "${name}")
  add_library(vireo::${alias} ALIAS ${name})
  if(VIREO_BOTH_KINDS AND NOT BUILD_SHARED_LIBS)
    set(base "")
    if(arg_ON)
      set(base ${arg_ON}_shared)
    endif()
    vireo_one_library(${name}_shared SHARED "${base}" ${ARGN})
  endif()
endfunction()

function(vireo_one_library name kind base)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "ON" "OF;LINK")
  list(TRANSFORM arg_OF REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE objects)
  add_library(${name} ${kind} ${objects})
  vireo_defaults(${name})
  string(REGEX REPLACE "_shared$" "" file "${name}")
  set(script "${file}.map")
  string(REPLACE "_" "-" file "${file}")
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX OUTPUT_NAME ${file} VERSION ${PROJECT_VERSION} SOVERSION 0)
  target_compile_features(${name} PUBLIC cxx_std_20)
  target_include_directories(${name} PUBLIC
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>" "$<INSTALL_INTERFACE:include>")
  target_link_libraries(${name} PUBLIC Threads::Threads ${base} PRIVATE ${arg_LINK})
  get_target_property(type ${name} TYPE)
  if(type STREQUAL "SHARED_LIBRARY")
    # VIREO_API selects the visible symbols. The version script assigns their versions: C names stay compatible under
    # VIREO_0.1; C++ names carry the exact version, so that the loader rejects a program built with another one.
    configure_file("${PROJECT_SOURCE_DIR}/cmake/${script}.in" "${PROJECT_BINARY_DIR}/${script}" @ONLY)
    target_link_options(${name} PRIVATE "LINKER:--version-script=${PROJECT_BINARY_DIR}/${script}" LINKER:--gc-sections)
    set_target_properties(${name} PROPERTIES LINK_DEPENDS "${PROJECT_BINARY_DIR}/${script}")
    if(NOT VIREO_SANITIZE)  # the program provides the sanitizers' functions
      target_link_options(${name} PRIVATE LINKER:--no-undefined)
    endif()
    if(base)
      target_link_libraries(${name} PRIVATE vireo_inside_c vireo_inside)  # internal functions that the base does not export
    endif()
  endif()
endfunction()

# vireo_inside(NAME OF COMPONENT… [LINK LIBRARY…]): an archive of components, for the program and the tests, which also
# use src/.
function(vireo_inside name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "OF;LINK")
  list(TRANSFORM arg_OF REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE objects)
  add_library(${name} STATIC EXCLUDE_FROM_ALL ${objects})
  vireo_defaults(${name})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_compile_features(${name} PUBLIC cxx_std_20)
  target_include_directories(${name} PUBLIC "${PROJECT_SOURCE_DIR}/include")
  target_link_libraries(${name} PUBLIC Threads::Threads PRIVATE ${arg_LINK})
endfunction()

# vireo_command_line(NAME FOLDER): the program without main(), so that tests can call it in process.
function(vireo_command_line name folder)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/*.cpp")
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  add_library(${name} STATIC ${sources})
  vireo_defaults(${name})
  target_compile_definitions(${name} PRIVATE VIREO_VERSION="${PROJECT_VERSION}")
  target_include_directories(${name} PUBLIC "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(${name} PUBLIC vireo_inside PRIVATE vireo_fmt CLI11::CLI11)
  if(VIREO_UNITY)
    vireo_compile_together(${name} ${sources})
  endif()
endfunction()

# vireo_program(NAME MAIN): bin/vireo. A release build links it statically where the system can: the dynamic loader
# takes half of the time of a run on a small module (ADR 6). VIREO_DROP_IN_NAMES adds links with the names of the
# reference programs.
function(vireo_program name main)
  add_executable(${name} "${PROJECT_SOURCE_DIR}/${main}")
  vireo_defaults(${name})
  set_target_properties(${name} PROPERTIES OUTPUT_NAME vireo RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  target_link_libraries(${name} PRIVATE vireo_cli)
  target_link_options(${name} PRIVATE -Wl,--gc-sections)
  if(VIREO_STATIC_PROGRAM)
    target_link_options(${name} PRIVATE -static -no-pie)
  endif()
  foreach(link IN LISTS vireo_drop_in_names)
    add_custom_command(TARGET ${name} POST_BUILD VERBATIM
      COMMAND ${CMAKE_COMMAND} -E create_symlink vireo "${PROJECT_BINARY_DIR}/bin/${link}")
  endforeach()
endfunction()

# Tests and examples are compiled more often than they run. The code under test is optimised as for users. -Og: compiling
# and running all tests takes a tenth less time than with -O1. With -O0 the tests run twice as long as they need.
function(vireo_quick_to_build target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Og>)
endfunction()

# vireo_test(NAME [LIBRARY…]): test/NAME/**/*.cpp as one program NAME_test, which ctest runs as one test.
function(vireo_test name)
  set(root "${PROJECT_SOURCE_DIR}/test/${name}")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${root}/*.cpp")
  add_library(${name}_test_settings INTERFACE)
  target_include_directories(${name}_test_settings INTERFACE
    "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/test")
  target_compile_definitions(${name}_test_settings INTERFACE
    VIREO_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
    VIREO_BINARY_DIR="${PROJECT_BINARY_DIR}"
    VIREO_SHARED="${VIREO_SHARED}"
    VIREO_PEERS="${VIREO_PEERS}"
  )
  target_link_libraries(${name}_test_settings INTERFACE ${ARGN} vireo_fmt GTest::gmock GTest::gtest_main)
  add_executable(${name}_test ${sources})
  vireo_defaults(${name}_test)
  if(VIREO_UNITY_TESTS)
    vireo_compile_together(${name}_test ${sources})
  endif()
  vireo_quick_to_build(${name}_test)
  target_link_libraries(${name}_test PRIVATE ${name}_test_settings)
  set_target_properties(${name}_test PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/test")
  vireo_run(${name} ${name})
endfunction()

# vireo_run(TEST NAME): ctest runs NAME_test as TEST.
function(vireo_run test name)
  add_test(NAME ${test} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
    COMMAND ${name}_test "--gtest_output=xml:${PROJECT_BINARY_DIR}/test/${test}.xml")
  # A sanitized test takes up to ten times as long.
  if(VIREO_SANITIZE)
    set_tests_properties(${test} PROPERTIES TIMEOUT 2400)
  else()
    set_tests_properties(${test} PROPERTIES TIMEOUT 600)
  endif()
endfunction()

# vireo_halve(NAME): runs the cases of NAME_test as two parallel tests, before the others, because they take longest.
function(vireo_halve name)
  vireo_run(${name}_other_half ${name})
  set_tests_properties(${name} PROPERTIES COST 100 ENVIRONMENT "GTEST_TOTAL_SHARDS=2;GTEST_SHARD_INDEX=0")
  set_tests_properties(${name}_other_half PROPERTIES COST 99 ENVIRONMENT "GTEST_TOTAL_SHARDS=2;GTEST_SHARD_INDEX=1")
endfunction()

# VIREO_STATIC_PROGRAM is on by default where it works: a release build of the program on Linux, without sanitizers.
set(vireo_static_default OFF)
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT VIREO_SANITIZE
   AND NOT BUILD_SHARED_LIBS)
  set(CMAKE_REQUIRED_LINK_OPTIONS -static -no-pie)
  check_cxx_source_compiles("#include <string>\nint main() { return static_cast<int>(std::string().size()); }"
    VIREO_CAN_LINK_STATIC)
  unset(CMAKE_REQUIRED_LINK_OPTIONS)
  set(vireo_static_default ${VIREO_CAN_LINK_STATIC})
endif()
option(VIREO_STATIC_PROGRAM "link the program fully static" ${vireo_static_default})

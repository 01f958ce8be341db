# SPDX-License-Identifier: Apache-2.0
#
# A folder is a target. These functions are the whole build: a room of a library, a library gathered from its rooms,
# the command line, the program, a test binary. A folder that has no sources makes no target. What a shared library shows
# of itself is said in cmake/shared.cmake.
include(CheckLinkerFlag)
include("${CMAKE_CURRENT_LIST_DIR}/shared.cmake")

# What every target of ours shares: the language, hidden symbols, warnings, sanitizers.
function(vireo_defaults target)
  target_compile_features(${target} PRIVATE cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF INTERPROCEDURAL_OPTIMIZATION ${VIREO_LTO}
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  # Each function in its own section, so that the linker can leave out what the program never calls.
  target_compile_options(${target} PRIVATE -ffunction-sections -fdata-sections)
  vireo_set_warnings(${target})
  if(VIREO_SANITIZE)
    target_compile_options(${target} PRIVATE
      -fsanitize=${VIREO_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE -fsanitize=${VIREO_SANITIZE})
  endif()
  if(VIREO_FUZZ)
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
endfunction()

# fmt for those who format: its headers, in a namespace of ours, for src/support/fmt.cpp compiles what is behind them. Its
# headers alone would double the time of each file, and its shared library would be one more for our users to have.
add_library(vireo_fmt INTERFACE)
target_include_directories(vireo_fmt SYSTEM INTERFACE
  $<TARGET_PROPERTY:fmt::fmt-header-only,INTERFACE_INCLUDE_DIRECTORIES>)
target_compile_definitions(vireo_fmt INTERFACE
  "FMT_BEGIN_NAMESPACE=namespace fmt { inline namespace vireo {" "FMT_END_NAMESPACE=} }")

# vireo_batches(TARGET): its sources are compiled some at a time, each batch of one folder, so that what they all include is
# read once for a batch. Names in anonymous namespaces are therefore one file's in a folder, in the rooms and in the tests.
# Only with VIREO_BATCHES: what is compiled again and again is better compiled a file at a time.
function(vireo_batches target)
  if(NOT VIREO_BATCHES)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # What a file has for itself its neighbours in the batch may call something else.
  target_compile_options(${target} PRIVATE -Wno-shadow $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  get_target_property(sources ${target} SOURCES)
  set(folder "")
  foreach(source IN LISTS sources)
    get_filename_component(next "${source}" DIRECTORY)
    if(NOT next STREQUAL folder)
      set(folder "${next}")
      set(count 0)
    endif()
    math(EXPR batch "${count} / ${VIREO_BATCHES}")
    math(EXPR count "${count} + 1")
    string(MAKE_C_IDENTIFIER "${folder}" group)
    set_property(SOURCE "${source}" PROPERTY UNITY_GROUP "${group}_${batch}")
  endforeach()
endfunction()

# vireo_alone(FILE…): sources that are never part of a batch, for they take short names for the whole file: a table does.
function(vireo_alone)
  list(TRANSFORM ARGN PREPEND "${PROJECT_SOURCE_DIR}/")
  set_property(SOURCE ${ARGN} PROPERTY SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# vireo_room(NAME FOLDER [RECURSIVE]): the sources of one room of the library, compiled once as object code. What is made
# small is a target of its own, NAME_small.
function(vireo_room name folder)
  set(glob GLOB)
  if("RECURSIVE" IN_LIST ARGN)
    set(glob GLOB_RECURSE)
  endif()
  file(${glob} fast CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/*.cpp")
  get_property(small GLOBAL PROPERTY vireo_small)
  set(sources_small ${fast})
  list(REMOVE_ITEM fast ${small} "")
  list(REMOVE_ITEM sources_small ${fast} "")
  # gcc inlines less in a large unit, which a batch is; here it is to inline as it does in each file by itself.
  set(inlining $<$<AND:$<CXX_COMPILER_ID:GNU>,$<BOOL:${VIREO_BATCHES}>>:--param=large-unit-insns=1000000>)
  vireo_room_part(${name} ${inlining} ${fast})
  vireo_room_part(${name}_small $<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-Os> ${sources_small})
endfunction()

function(vireo_room_part name options)
  if(NOT ARGN)
    return()
  endif()
  add_library(${name} OBJECT ${ARGN})
  vireo_defaults(${name})
  target_compile_options(${name} PRIVATE ${options})
  if(BUILD_SHARED_LIBS)
    vireo_show_public_headers(${name})
  endif()
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(${name} PRIVATE vireo_fmt nlohmann_json::nlohmann_json)
  vireo_batches(${name})
endfunction()

# vireo_small(FOLDER|FILE… [BUT FILE…]): sources of rooms that are made small instead of fast, in builds that are optimised.
# For what runs once for a command, or once for a fault; ADR 10 has the measure. To be said before the rooms.
function(vireo_small)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "BUT")
  list(TRANSFORM arg_BUT PREPEND "${PROJECT_SOURCE_DIR}/")
  foreach(place IN LISTS arg_UNPARSED_ARGUMENTS)
    set(sources "${PROJECT_SOURCE_DIR}/${place}")
    if(IS_DIRECTORY "${sources}")
      file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${place}/*.cpp")
    endif()
    list(REMOVE_ITEM sources ${arg_BUT} "")
    set_property(GLOBAL APPEND PROPERTY vireo_small ${sources})
  endforeach()
endfunction()

# vireo_gather(NAME OF ROOM… [LINK LIBRARY…] [ON BASE]): a library of rooms, with an alias for other projects that link it:
# vireo::vireo, vireo::isa. Its users see include/ only. BASE is the library of ours that it stands on.
function(vireo_gather name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "ON" "OF;LINK")
  vireo_objects(objects ${arg_OF})
  add_library(${name} ${objects})
  string(REPLACE "vireo_" "" alias "${name}")
  add_library(vireo::${alias} ALIAS ${name})
  vireo_defaults(${name})
  string(REPLACE "_" "-" file "${name}")
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX OUTPUT_NAME ${file} VERSION ${PROJECT_VERSION} SOVERSION 0)
  target_compile_features(${name} PUBLIC cxx_std_20)
  target_include_directories(${name} PUBLIC
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>" "$<INSTALL_INTERFACE:include>")
  target_link_libraries(${name} PUBLIC Threads::Threads ${arg_ON} PRIVATE ${arg_LINK})
  if(BUILD_SHARED_LIBS)
    vireo_bound_exports(${name})
    if(arg_ON)
      # What the base hides of itself comes from the archive: the linker takes from it what nobody else has.
      target_link_libraries(${name} PRIVATE vireo_inside)
    endif()
  endif()
endfunction()

# vireo_inside(ROOM… [LINK LIBRARY…]): for those of ours who look behind include/, into src/. The libraries themselves, or
# an archive of the same objects where the libraries are shared and hide them.
function(vireo_inside)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "LINK")
  if(NOT BUILD_SHARED_LIBS)
    add_library(vireo_inside INTERFACE)
    target_link_libraries(vireo_inside INTERFACE vireo_isa vireo)
    return()
  endif()
  vireo_objects(objects ${arg_UNPARSED_ARGUMENTS})
  add_library(vireo_inside STATIC EXCLUDE_FROM_ALL ${objects})
  vireo_defaults(vireo_inside)
  set_target_properties(vireo_inside PROPERTIES LINKER_LANGUAGE CXX)
  target_compile_features(vireo_inside PUBLIC cxx_std_20)
  target_include_directories(vireo_inside PUBLIC "${PROJECT_SOURCE_DIR}/include")
  target_link_libraries(vireo_inside PUBLIC Threads::Threads PRIVATE ${arg_LINK})
endfunction()

# vireo_objects(VARIABLE ROOM…): the object files of rooms; one without sources has none.
function(vireo_objects variable)
  set(objects "")
  foreach(room IN LISTS ARGN)
    foreach(part ${room} ${room}_small)
      if(TARGET ${part})
        list(APPEND objects $<TARGET_OBJECTS:${part}>)
      endif()
    endforeach()
  endforeach()
  set(${variable} "${objects}" PARENT_SCOPE)
endfunction()

# vireo_command_line(NAME FOLDER): the program without its main(), so that tests can call it in process.
function(vireo_command_line name folder)
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/*.cpp")
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  if(NOT sources)
    return()
  endif()
  add_library(${name} STATIC ${sources})
  vireo_defaults(${name})
  target_compile_definitions(${name} PRIVATE VIREO_VERSION="${PROJECT_VERSION}")
  target_include_directories(${name} PUBLIC "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(${name} PUBLIC vireo_inside PRIVATE vireo_fmt CLI11::CLI11)
  vireo_batches(${name})
endfunction()

# vireo_copied(TARGET): the program is a copy of what was linked. What a linker writes here and there lies in the page cache
# in small pieces until the machine starts anew, and each start of the program maps them one by one. A copy is written front
# to back, and starts a tenth faster (docs/speed.md).
function(vireo_copied target)
  add_custom_command(TARGET ${target} POST_BUILD VERBATIM
    COMMAND cp "$<TARGET_FILE:${target}>" "$<TARGET_FILE:${target}>.copy"
    COMMAND mv "$<TARGET_FILE:${target}>.copy" "$<TARGET_FILE:${target}>")
endfunction()

# vireo_program(NAME MAIN NAMES LINK…): bin/vireo, and beside it the names under which scripts know the reference.
#
# In a release build it is linked fully static: half of the time of a small module is the dynamic loader's, and a
# non-PIE image has no relocations to apply. Code and constants are one segment, which takes less to map than three, and
# what a short run executes stands together (section_order.ld; docs/speed.md). The map beside it says what stands where.
function(vireo_program name main)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "NAMES")
  if(NOT EXISTS "${PROJECT_SOURCE_DIR}/${main}" OR NOT TARGET vireo_cli)
    return()
  endif()
  add_executable(${name} "${PROJECT_SOURCE_DIR}/${main}")
  vireo_defaults(${name})
  set_target_properties(${name} PROPERTIES OUTPUT_NAME vireo RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  target_link_libraries(${name} PRIVATE vireo_cli)
  target_link_options(${name} PRIVATE -Wl,--gc-sections)
  if(VIREO_STATIC_PROGRAM)
    target_link_options(${name} PRIVATE -static -no-pie LINKER:-z,noseparate-code LINKER:-Map,${PROJECT_BINARY_DIR}/vireo.map)
    set(order "${PROJECT_SOURCE_DIR}/cmake/section_order.ld")
    check_linker_flag(CXX "LINKER:-T,${order}" VIREO_LINKER_TAKES_AN_ORDER)  # GNU ld and lld do, others may not
    if(VIREO_LINKER_TAKES_AN_ORDER)
      target_link_options(${name} PRIVATE LINKER:-T,${order})
      set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS "${order}")
    endif()
    vireo_copied(${name})
  endif()
  foreach(link IN LISTS arg_NAMES)
    add_custom_command(TARGET ${name} POST_BUILD VERBATIM
      COMMAND ${CMAKE_COMMAND} -E create_symlink vireo "${PROJECT_BINARY_DIR}/bin/${link}")
  endforeach()
endfunction()

# What is tested is as fast as users have it; tests, and examples of small things, are compiled more often than they run.
function(vireo_quick_to_build target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# vireo_test(ROOM [LIBRARY…]): test/ROOM/**/*_test.cpp as one program ROOM_test, run by ctest as one test.
# Other .cpp files of the folder are taken along: a folder may keep what its tests share in a file of its own.
function(vireo_test room)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/test/${room}/*.cpp")
  if(NOT sources)
    return()
  endif()
  add_executable(${room}_test ${sources})
  vireo_defaults(${room}_test)
  vireo_quick_to_build(${room}_test)
  set_target_properties(${room}_test PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/test")
  target_include_directories(${room}_test PRIVATE
    "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/test")
  target_compile_definitions(${room}_test PRIVATE
    VIREO_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
    VIREO_BINARY_DIR="${PROJECT_BINARY_DIR}"
    VIREO_SHARED="${VIREO_SHARED}"
    VIREO_PEERS="${VIREO_PEERS}"
  )
  target_link_libraries(${room}_test PRIVATE ${ARGN} vireo_fmt GTest::gmock GTest::gtest_main)
  vireo_batches(${room}_test)
  vireo_run(${room} ${room})
endfunction()

# vireo_run(TEST ROOM): ctest runs ROOM_test as TEST.
function(vireo_run test room)
  add_test(NAME ${test} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
    COMMAND ${room}_test "--gtest_output=xml:${PROJECT_BINARY_DIR}/test/${test}.xml")
  set_tests_properties(${test} PROPERTIES TIMEOUT 600)
endfunction()

# vireo_halve(ROOM): the cases of ROOM_test run as two tests, at once where there are two cores, and before all others: the
# longest room would be what everybody waits for.
function(vireo_halve room)
  vireo_run(${room}_other_half ${room})
  set_tests_properties(${room} PROPERTIES COST 100 ENVIRONMENT "GTEST_TOTAL_SHARDS=2;GTEST_SHARD_INDEX=0")
  set_tests_properties(${room}_other_half PROPERTIES COST 99 ENVIRONMENT "GTEST_TOTAL_SHARDS=2;GTEST_SHARD_INDEX=1")
endfunction()

# On by default where it can work: a release build of the program itself, on Linux, without sanitizers.
set(vireo_static_default OFF)
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT VIREO_SANITIZE
   AND NOT BUILD_SHARED_LIBS)
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_LINK_OPTIONS -static -no-pie)
  check_cxx_source_compiles("#include <string>\nint main() { return static_cast<int>(std::string().size()); }"
    VIREO_CAN_LINK_STATIC)
  unset(CMAKE_REQUIRED_LINK_OPTIONS)
  set(vireo_static_default ${VIREO_CAN_LINK_STATIC})
endif()
option(VIREO_STATIC_PROGRAM "link the program fully static" ${vireo_static_default})

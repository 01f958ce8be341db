# SPDX-License-Identifier: Apache-2.0
#
# Generates programs in C++ and C for the example instruction sets, for the tests that compare them with the
# interpreter. The program of this build generates them.
function(vireo_generated_isas target)
  set(folder "${PROJECT_BINARY_DIR}/test/generated")
  file(GLOB_RECURSE answers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/data/isa/*.jsonl")  # the vectors of a description have the same name
  file(GLOB_RECURSE descriptions CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/data/isa/*.xml")
  set(sources "")
  set(declarations "")
  set(rows "")
  foreach(answer IN LISTS answers)
    string(REGEX REPLACE "\\.jsonl$" ".xml" description "${answer}")
    get_filename_component(stem "${description}" NAME_WE)
    string(MAKE_C_IDENTIFIER "${stem}" name)
    string(TOUPPER "${name}" macro)
    set(manner "")
    if(stem STREQUAL "toy")  # its vectors were recorded with Mesa's decoder
      set(manner --mesa-compat)
    endif()
    foreach(extension IN ITEMS cpp c)
      set(language c)
      set(member "${name}_c_##part")
      set(prefix "${name}_c")
      if(extension STREQUAL "cpp")
        set(language c++)
        set(prefix "${name}")
        set(member "${name}::part")
      endif()
      set(header "${folder}/${stem}_${extension}.h")
      add_custom_command(OUTPUT "${header}" VERBATIM
        COMMAND ${CMAKE_COMMAND} -E make_directory "${folder}"
        COMMAND vireo_program isa generate "${description}" --lang ${language} --namespace ${prefix} ${manner} -o "${header}"
        DEPENDS vireo_program ${descriptions}
        COMMENT "generating ${stem} in ${language}")
      string(TOUPPER "${prefix}" macro)
      set(adapter "${folder}/${stem}_adapter.${extension}")
      file(CONFIGURE OUTPUT "${adapter}" @ONLY CONTENT
"#define @macro@_IMPLEMENTATION
#include \"@header@\"
#define GENERATED(part) @member@
#define GENERATED_ROW @name@_@extension@
#define DESCRIPTION \"@stem@.xml\"
#define LANGUAGE \"@language@\"
#include \"isa/generate/generated_adapter.inc\"
")
      list(APPEND sources "${adapter}" "${header}")
      string(APPEND declarations "extern const generated_program ${name}_${extension};\n")
      string(APPEND rows "    &${name}_${extension},\n")
    endforeach()
  endforeach()
  set(table "${folder}/table.cpp")
  file(CONFIGURE OUTPUT "${table}" @ONLY CONTENT
"#include \"isa/generate/generated.h\"

extern \"C\" {
@declarations@}

namespace vireo::isa {

std::vector<const generated_program*> built_programs() {
  return {
@rows@  };
}

}  // namespace vireo::isa
")
  # Generated code must compile without a warning under the usual warning options.
  add_library(isa_generated OBJECT ${sources} "${table}")
  target_include_directories(isa_generated PRIVATE "${PROJECT_SOURCE_DIR}/test" "${PROJECT_SOURCE_DIR}/include")
  target_compile_options(isa_generated PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Werror)
  set_target_properties(isa_generated PROPERTIES CXX_STANDARD 20 C_STANDARD 11 C_EXTENSIONS OFF CXX_EXTENSIONS OFF)
  if(VIREO_SANITIZE)
    target_compile_options(isa_generated PRIVATE -fsanitize=${VIREO_SANITIZE} -fno-sanitize-recover=all)
  endif()
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:isa_generated>)
  target_compile_definitions(${target}_settings INTERFACE
    VIREO_CXX_COMPILER="${CMAKE_CXX_COMPILER}" VIREO_C_COMPILER="${CMAKE_C_COMPILER}")
endfunction()

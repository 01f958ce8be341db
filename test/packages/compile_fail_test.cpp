// SPDX-License-Identifier: Apache-2.0
//
// Code that must not compile: enumerants without their parameters, views without their headers.
#include "packages/compile_fail.h"

#include "outside.h"

namespace vireo::packages {
namespace {

constexpr std::string_view with_builder =
    "#include \"vireo/spirv/build/builder.h\"\n"
    "#include \"vireo/spirv/build/edit.h\"\n"
    "using namespace vireo::spirv;\n"
    "extern Builder& b;\nextern Edit& edit;\nextern const TypeId type;\nextern const FunctionId function;\n"
    "extern const Decoration chosen;\n";

// Sources that must compile are compiled together: the error text shows the faulty one.
TEST(CompileFail, enumerants_with_their_parameters_compile) {
  EXPECT_EQ(compile_fault(with_builder,
                          "b.OpDecorate(type, Decoration::Block);\n"
                          "b.OpDecorate(type, DecorationWith::ArrayStride(4));\n"
                          "b.OpDecorate(type, DecorationWith(chosen, {}));\n"
                          "b.OpMemberDecorate(type, 0, Decoration::RowMajor);\n"
                          "edit.add().OpDecorate(type, Decoration::Block);\n"
                          "b.OpExecutionMode(function, ExecutionMode::OriginUpperLeft);\n"
                          "b.OpExecutionMode(function, ExecutionModeWith::LocalSize(1, 1, 1));"),
            "");
}

TEST(CompileFail, enumerants_without_their_parameters_do_not_compile) {
  for (const std::string_view body : {
           "b.OpDecorate(type, Decoration::ArrayStride);",
           "b.OpMemberDecorate(type, 0, Decoration::Offset);",
           "edit.add().OpDecorate(type, Decoration::Location);",
           "b.OpExecutionMode(function, ExecutionMode::LocalSize);",
       }) {
    const std::string fault = compile_fault(with_builder, body);
    // gcc names the function that is not constexpr, clang prints the message.
    const bool says_why =
        fault.find("takes_parameters") != std::string::npos || fault.find("takes parameters") != std::string::npos;
    EXPECT_TRUE(says_why) << body << "\n" << fault;
  }
}

TEST(CompileFail, a_view_without_its_header_fails_with_the_cause) {
  constexpr std::string_view body = "vireo::spirv::as<vireo::spirv::Op::OpLoad>(vireo::spirv::InstructionView{});";
  EXPECT_EQ(compile_fault("#include \"vireo/spirv/binary/views/memory.h\"\n", body), "");
  const std::string fault = compile_fault("#include \"vireo/spirv/binary/view.h\"\n", body);
  EXPECT_NE(fault.find("view_header_is_included"), std::string::npos) << fault;
}

// The first error states the language that is needed. The headers for C compile in old C++.
TEST(CompileFail, each_header_names_the_language_that_it_needs) {
  const std::filesystem::path include = outside::source_folder() / "include";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(include / "vireo")) {
    const std::filesystem::path header = entry.path().lexically_relative(include);
    if (header.extension() != ".h") continue;
    const bool is_for_c = header.parent_path() == "vireo" || header == "vireo/support/api.h";
    const std::string compile = VIREO_CXX_COMPILER " -fsyntax-only -Wno-pragma-once-outside-header -x c++ " +
                                entry.path().string() + " -I" + include.string();
    const Said said = run(compile + (is_for_c ? " -std=c++98" : " -std=c++17"));
    const std::string first_error = said.text.substr(0, said.text.find('\n', said.text.find("error:")));
    EXPECT_EQ(said.status == 0, is_for_c) << header << "\n" << said.text;
    EXPECT_EQ(first_error.find("needs C++20: compile with -std=c++20") != std::string::npos, !is_for_c)
        << header << "\n"
        << said.text;
  }
}

}  // namespace
}  // namespace vireo::packages

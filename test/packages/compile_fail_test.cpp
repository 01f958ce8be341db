// SPDX-License-Identifier: Apache-2.0
//
// Code that must not compile: enumerants without their parameters, views without their headers.
#include "packages/compile_fail.h"

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

}  // namespace
}  // namespace vireo::packages

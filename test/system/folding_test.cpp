// SPDX-License-Identifier: Apache-2.0
//
// Results of OpSpecConstantOp, compared with the reference optimizer.
//
// spirv-opt freezes and folds the module of each row; its result must equal ours.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "outside.h"
#include "system/corpus.h"
#include "vireo/spirv/module/call_graph.h"
#include "vireo/spirv/module/constants.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/module/lines.h"
#include "vireo/spirv/module/module_declarations.h"
#include "vireo/spirv/module/types.h"
#include "vireo/spirv/module/uses.h"
#include "vireo/spirv/text/assemble.h"

namespace vireo::system_test {
namespace {

using namespace spirv;

constexpr const char* int_binary[] = {"IAdd",
                                      "ISub",
                                      "IMul",
                                      "SDiv",
                                      "SRem",
                                      "SMod",
                                      "ShiftRightLogical",
                                      "ShiftRightArithmetic",
                                      "ShiftLeftLogical",
                                      "BitwiseOr",
                                      "BitwiseXor",
                                      "BitwiseAnd"};
constexpr const char* int_comparison[] = {
    "IEqual",    "INotEqual", "UGreaterThan",   "SGreaterThan",  "UGreaterThanEqual", "SGreaterThanEqual",
    "ULessThan", "SLessThan", "ULessThanEqual", "SLessThanEqual"};
constexpr const char* logical[] = {"LogicalEqual", "LogicalNotEqual", "LogicalOr", "LogicalAnd"};
constexpr const char* int_values[] = {"0", "1", "-1", "7", "-7", "31", "3", "2147483647", "-2147483648", "65536"};

/// All operations on all pairs of values; result n has the id %1000 + n. A decoration keeps each result alive.
std::string module_of_operations(std::uint32_t& count) {
  std::string body =
      "%1 = OpTypeBool\n%2 = OpTypeInt 32 1\n%3 = OpTypeVector %2 2\n%6 = OpTypeInt 32 0\n%4 = OpSpecConstantTrue %1\n"
      "%5 = OpSpecConstantFalse %1\n";
  std::uint32_t id = 10;
  for (const char* value : int_values) body += "%" + std::to_string(id++) + " = OpSpecConstant %2 " + value + "\n";
  const std::uint32_t values_end = id;
  for (std::uint32_t i = 10; i < values_end; ++i) {
    body += "%" + std::to_string(id++) + " = OpSpecConstantComposite %3 %" + std::to_string(i) + " %13\n";
  }
  std::uint32_t next = 1000;
  for (std::uint32_t i = 10; i < values_end; ++i) {
    body += "%" + std::to_string(id++) + " = OpSpecConstant %6 " + std::to_string(i * i * 77773) + "\n";
  }
  const auto operation = [&](const char* type, const std::string& text) {
    body += "%" + std::to_string(next++) + " = OpSpecConstantOp " + type + " " + text + "\n";
  };
  const auto pair = [](const char* opcode, std::uint32_t a, std::uint32_t b) {
    return std::string(opcode) + " %" + std::to_string(a) + " %" + std::to_string(b);
  };
  for (std::uint32_t a = 10; a < values_end; ++a) {
    for (std::uint32_t b = 10; b < values_end; ++b) {
      for (const char* opcode : int_binary) operation("%2", pair(opcode, a, b));
      for (const char* opcode : int_comparison) operation("%1", pair(opcode, a, b));
      for (const char* opcode : {"UDiv", "UMod"}) operation("%6", pair(opcode, a + 20, b + 20));
      operation("%3", pair("IAdd", a + 10, b + 10));
      operation("%2", pair("Select %4", a, b));
      operation("%3", pair("VectorShuffle", a + 10, b + 10) + " 0 3");
    }
    operation("%2", "Not %" + std::to_string(a));
    operation("%2", "SNegate %" + std::to_string(a));
    operation("%2", "CompositeExtract %" + std::to_string(a + 10) + " 0");
  }
  for (std::uint32_t a = 4; a < 6; ++a) {
    for (std::uint32_t b = 4; b < 6; ++b) {
      for (const char* opcode : logical) operation("%1", pair(opcode, a, b));
    }
  }
  count = next - 1000;
  std::string head = "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n";
  for (std::uint32_t i = 1000; i < next; ++i)
    head += "OpName %" + std::to_string(i) + " \"r" + std::to_string(i) + "\"\n";
  return head + body;
}

// The bits of a scalar or of all components; empty if a value is unknown.
std::optional<std::vector<std::uint64_t>> bits_of(const Facts& facts, Word id) {
  const ConstantRow& row = facts.constants().of(id);
  if (row.status != ConstantStatus::Known) return std::nullopt;
  const TypeRow& type = facts.types().row(row.type);
  if (row.kind == ConstantKind::Null) return std::vector<std::uint64_t>(type.is_vector() ? type.count : 1, 0);
  std::vector<std::uint64_t> bits;
  if (row.is_scalar()) bits.push_back(row.bits);
  for (const ConstantIndex part : facts.constants().parts(row)) bits.push_back(facts.constants().row(part).bits);
  return bits;
}

TEST(Folding, agrees_with_the_reference_optimizer) {
  const auto peers = outside::peers_folder();
  if (!peers || !std::filesystem::exists(*peers / "bin" / "spirv-opt")) GTEST_SKIP() << outside::no_peers;
  std::uint32_t count = 0;
  const std::string text = module_of_operations(count);
  Diagnostics diagnostics;
  AssembleOptions options;
  options.preserve_numeric_ids = true;
  const Result<WordBuffer> words = assemble({"operations", text}, options, diagnostics);
  ASSERT_TRUE(words);
  const std::filesystem::path before = std::filesystem::path(testing::TempDir()) / "vireo_operations.spv";
  const std::filesystem::path after = std::filesystem::path(testing::TempDir()) / "vireo_folded.spv";
  std::ofstream(before, std::ios::binary)
      .write(reinterpret_cast<const char*>(words->data()), static_cast<std::streamsize>(words->size() * 4));
  int status = 0;
  const std::string said =
      output_of((*peers / "bin" / "spirv-opt").string() + " --freeze-spec-const --fold-spec-const-op-composite " +
                    before.string() + " -o " + after.string() + " 2>&1",
                status);
  ASSERT_EQ(status, 0) << said;
  const WordBuffer folded = words_of_bytes(bytes_of_file(after));
  std::filesystem::remove(before);
  std::filesystem::remove(after);

  const Module ours = Module::read(*words);
  const Facts facts(ours, {.specializations = {}, .defaults = ConstantOptions::Defaults::Freeze});
  const Module theirs = Module::read(folded);
  const Facts their_facts(theirs);
  // Results are found by name, because folding changes their ids.
  std::uint32_t compared = 0, undefined = 0, unfolded = 0;
  for (const Names::Row& row : their_facts.names().rows()) {
    const Word id = static_cast<Word>(std::stoul(std::string(row.name.substr(1))));
    if (theirs.find(row.id).opcode == Op::OpSpecConstantOp) {
      ++unfolded;
      continue;
    }
    const auto mine = bits_of(facts, id);
    if (!mine) {
      ++undefined;  // spirv-opt folds operations whose result the specification leaves undefined
      continue;
    }
    const std::size_t line = text.find("%" + std::to_string(id) + " = ");
    const std::string operation = text.substr(line, text.find('\n', line) - line);
    // For a remainder of zero with a negative divisor spirv-opt gives the divisor: -7 for 0 modulo -7. It is 0
    // (OpSMod).
    if (operation.find("SMod") != std::string::npos && mine->front() == 0) continue;
    EXPECT_EQ(mine, bits_of(their_facts, row.id)) << operation;
    ++compared;
  }
  std::cout << "             " << count << " operations: " << compared << " compared, " << undefined << " undefined, "
            << unfolded << " left as they were\n";
  EXPECT_GT(compared, count / 2);
}

}  // namespace
}  // namespace vireo::system_test

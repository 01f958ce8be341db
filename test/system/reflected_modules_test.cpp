// SPDX-License-Identifier: Apache-2.0
//
// The output of 'vireo reflect' for the real modules: headers compile, and the compiler confirms their layouts; the JSON
// conforms to docs/reflection.schema.json and docs/pipeline.schema.json.
//
// Each header has a scope of its own, so one call of the compiler reads many.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "command.h"
#include "system/real_modules.h"
#include "vireo/spirv/inspect/pipeline.h"
#include "vireo/spirv/inspect/reflection_text.h"
#include "vireo/spirv/module/facts.h"

namespace vireo::system_test {
namespace {

using namespace spirv;

std::string header_of(Words words, std::string_view file, HeaderLanguage language, bool vulkan,
                      std::string_view scope) {
  const Module module = Module::read(words);
  const Facts facts(module);
  const Reflection reflection(facts);
  StringSink sink;
  write_reflection_header(reflection, file, {.language = language, .scope = scope, .vulkan = vulkan}, sink);
  return std::string(sink.text());
}

struct Compiler {
  HeaderLanguage language;
  const char* program;
  const char* flags;
  const char* extension;
  bool vulkan = false;
};
constexpr Compiler compilers[] = {
    {HeaderLanguage::C, "cc", "-std=c11", ".c"},
    {HeaderLanguage::Cpp, "c++", "-std=c++17", ".cpp"},
    // Tables are not used here, and an older header of Vulkan lacks tensors.
    {HeaderLanguage::C, "cc",
     "-std=c11 -Wno-unused-const-variable -DVK_DESCRIPTOR_TYPE_TENSOR_ARM=VK_DESCRIPTOR_TYPE_SAMPLER", ".c", true},
    {HeaderLanguage::Cpp, "c++", "-std=c++17 -DVK_DESCRIPTOR_TYPE_TENSOR_ARM=VK_DESCRIPTOR_TYPE_SAMPLER", ".cpp", true},
};

/// The output of a compiler that reads a text; empty if it accepts the text without a warning.
std::string fault_of(const Compiler& compiler, const std::string& text) {
  std::string folder = (std::filesystem::temp_directory_path() / "vireo-headers-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return "no temporary folder";
  const std::string file = folder + "/headers" + compiler.extension;
  std::ofstream(file) << text;
  const Said said = vireo::run(std::string(compiler.program) + ' ' + compiler.flags +
                               " -fsyntax-only -Wall -Wextra -Wpedantic -Werror -fmax-errors=5 " + file);
  std::error_code error;
  std::filesystem::remove_all(folder, error);
  return said.status == 0 ? std::string() : said.text.empty() ? "the compiler failed" : said.text;
}

class ReflectionHeaders : public testing::TestWithParam<Compiler> {};

TEST_P(ReflectionHeaders, of_real_modules_compile) {
  const Compiler& compiler = GetParam();
  if (!is_installed(compiler.program)) GTEST_SKIP() << "no " << compiler.program;
  if (compiler.vulkan && !fault_of(compiler, "#include <vulkan/vulkan_core.h>\n").empty()) {
    GTEST_SKIP() << "no header of Vulkan";
  }
  with_real_modules([&](const UnpackedArchive& unpacked) {
    const std::vector<std::string> modules = unpacked.modules();
    ASSERT_GE(modules.size(), 2370u);
    constexpr std::size_t batch = 300;
    std::atomic<std::size_t> checks = 0;
    const std::vector<std::string> failures = failures_of((modules.size() + batch - 1) / batch, [&](std::size_t b) {
      std::string text = "int not_empty;\n";  // C forbids empty files, such as headers of kernels
      for (std::size_t i = b * batch; i < std::min(modules.size(), (b + 1) * batch); ++i) {
        const WordBuffer words = words_of_bytes(bytes_of_file(unpacked.path_of(modules[i])));
        text += header_of(words, modules[i], compiler.language, compiler.vulkan, "m" + std::to_string(i));
      }
      for (std::size_t at = 0; (at = text.find("tatic_assert(", at)) != std::string::npos; ++at) ++checks;
      return fault_of(compiler, text);
    });
    for (const std::string& failure : failures) ADD_FAILURE() << failure;
    EXPECT_GE(checks, 7000u);  // so that the compiler has layouts to confirm
  });
}

std::string name_of_compiler(const testing::TestParamInfo<Compiler>& row) {
  return std::string(row.param.language == HeaderLanguage::C ? "C" : "Cpp") + (row.param.vulkan ? "Vulkan" : "");
}
INSTANTIATE_TEST_SUITE_P(System, ReflectionHeaders, testing::ValuesIn(compilers), name_of_compiler);

// --- JSON ---------------------------------------------------------------------------------------------------------------

using Json = nlohmann::json;

bool has_type(const Json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "null") return value.is_null();
  if (type == "integer") return value.is_number_integer();
  return type == "number" && value.is_number();
}

/// Why a value does not conform to a schema; empty if it does. For the keywords of our schema; others are descriptions.
std::string fault_against(const Json& root, const Json& schema, const Json& value, const std::string& path) {
  if (schema.contains("$ref")) {
    const std::string name = schema["$ref"].get<std::string>().substr(std::string_view("#/$defs/").size());
    return fault_against(root, root.at("$defs").at(name), value, path);
  }
  const Json types = schema.at("type").is_array() ? schema["type"] : Json::array({schema["type"]});
  if (std::ranges::none_of(types, [&](const Json& type) { return has_type(value, type); })) return path + ": type";
  for (const Json& name : schema.value("required", Json::array())) {
    if (!value.contains(name.get<std::string>())) return path + ": lacks " + name.get<std::string>();
  }
  if (value.is_array()) {
    for (const Json& item : value) {
      if (std::string fault = fault_against(root, schema.at("items"), item, path + "[]"); !fault.empty()) return fault;
    }
  }
  if (!value.is_object()) return {};
  for (const auto& [name, property] : value.items()) {
    if (!schema.at("properties").contains(name)) return path + ": unknown " + name;
    std::string fault = fault_against(root, schema["properties"][name], property, path + "." + name);
    if (!fault.empty()) return fault;
  }
  return {};
}

Json schema_of(const char* name) {
  std::ifstream file(outside::source_folder() / "docs" / name);
  return Json::parse(file);
}
Json reflection_schema() { return schema_of("reflection.schema.json"); }

TEST(ReflectionSchema, rejects_other_documents) {
  const Json schema = reflection_schema();
  EXPECT_EQ(fault_against(schema, schema, Json::array(), "$"), "$: type");
  EXPECT_EQ(fault_against(schema, schema, Json::object(), "$"), "$: lacks file");
  const Json push = {{"id", 1}, {"name", ""}, {"begin", 0}, {"end", "4"}, {"type", "f32"}};
  EXPECT_EQ(fault_against(schema, schema["$defs"]["push_constants"], push, "$"), "$.end: type");
  EXPECT_EQ(fault_against(schema, schema["$defs"]["ids"], Json::array({1, "2"}), "$"), "$[]: type");
  const Json extension = {{"name", ""}, {"needed", true}, {"more", 1}};
  EXPECT_EQ(fault_against(schema, schema["$defs"]["declaration"], extension, "$"), "$: unknown more");
}

TEST(ReflectionSchema, describes_real_modules) {
  const Json schema = reflection_schema();
  check_real_modules([&](const Module& module) {
    const Facts facts(module);
    StringSink sink;
    write_reflection_json(Reflection(facts), "a.spv", {}, sink);
    const Json document = Json::parse(sink.text(), nullptr, false);
    return document.is_discarded() ? "not JSON" : fault_against(schema, schema, document, "$");
  });
}

TEST(PipelineSchema, rejects_other_documents) {
  const Json schema = schema_of("pipeline.schema.json");
  EXPECT_EQ(fault_against(schema, schema, Json::object(), "$"), "$: lacks stages");
  const Json place = {{"file", "a.spv"}, {"id", 1}};
  const Json conflict = {{"rule", ""}, {"message", ""}, {"places", Json::array({place})}};
  EXPECT_EQ(fault_against(schema, schema["$defs"]["conflict"], conflict, "$"), "$.places[]: lacks name");
}

// The two modules as the stages of one pipeline. Names that follow each other often are of one pipeline: a.frag, a.vert.
TEST(PipelineSchema, describes_real_pipelines) {
  const Json schema = schema_of("pipeline.schema.json");
  with_real_modules([&](const UnpackedArchive& unpacked) {
    const std::vector<std::string> modules = unpacked.modules();
    ASSERT_GE(modules.size(), 2370u);
    // So that each list of the schema has rows to check.
    std::map<std::string, std::size_t> rows;
    std::mutex rows_mutex;
    const std::vector<std::string> failures = failures_of(modules.size() - 1, [&](std::size_t i) -> std::string {
      const WordBuffer words[] = {words_of_bytes(bytes_of_file(unpacked.path_of(modules[i]))),
                                  words_of_bytes(bytes_of_file(unpacked.path_of(modules[i + 1])))};
      const Module read[] = {Module::read(words[0]), Module::read(words[1])};
      const Facts facts[] = {Facts(read[0]), Facts(read[1])};
      const Reflection reflections[] = {Reflection(facts[0]), Reflection(facts[1])};
      const Reflection* const borrowed[] = {&reflections[0], &reflections[1]};
      const std::string_view files[] = {modules[i], modules[i + 1]};
      StringSink sink;
      write_pipeline_json(reflect_pipeline(borrowed, {}), borrowed, files, sink);
      const Json document = Json::parse(sink.text(), nullptr, false);
      std::string fault = document.is_discarded() ? "not JSON" : fault_against(schema, schema, document, "$");
      if (!fault.empty()) return modules[i] + ": " + fault;
      const std::lock_guard lock(rows_mutex);
      for (const auto& [name, list] : document.items()) rows[name] += list.size();
      return {};
    });
    for (const std::string& failure : failures) ADD_FAILURE() << failure;
    for (const Json& name : schema["required"]) EXPECT_GE(rows[name.get<std::string>()], 100u) << name;
  });
}

}  // namespace
}  // namespace vireo::system_test

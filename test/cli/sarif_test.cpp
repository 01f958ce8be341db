// SPDX-License-Identifier: Apache-2.0
//
// SARIF documents have the structure that SARIF 2.1.0 requires.
//
// A row is a property of an object in the standard. A document is walked from its root: each property
// must have a row, its value must have the row's type and one of the row's values, and required properties must be
// present. Relations between properties are checked after the walk. The standard has more properties; a new one that
// Vireo writes needs a row.
//
// Source: OASIS "Static Analysis Results Interchange Format (SARIF) Version 2.1.0", sections 3.13 to 3.50.
#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/common/option.h"
#include "cli/program.h"

namespace vireo::cli {
namespace {

using Json = nlohmann::json;

enum class Kind : std::uint8_t { Text, Uri, Number, Object, Array, TextMap };
enum class Needed : std::uint8_t { No, Yes };

struct Property {
  std::string_view object, name;
  Kind kind;
  Needed needed = Needed::No;
  std::string_view type = {};    ///< Object, Array: the type of the value or of each item
  std::string_view values = {};  ///< Text: the allowed values, separated by '|'; empty = any
  std::int64_t least = 0;        ///< Number: the least value
};

constexpr Property properties[] = {
    {"sarifLog", "$schema", Kind::Uri},                             // 3.13.3
    {"sarifLog", "version", Kind::Text, Needed::Yes, {}, "2.1.0"},  // 3.13.2
    {"sarifLog", "runs", Kind::Array, Needed::Yes, "run"},          // 3.13.4
    {"run", "tool", Kind::Object, Needed::Yes, "tool"},             // 3.14.6
    {"run", "results", Kind::Array, Needed::Yes, "result"},         // 3.14.23; for code scanning
    {"run", "columnKind", Kind::Text, Needed::No, {}, "utf16CodeUnits|unicodeCodePoints"},              // 3.14.17
    {"tool", "driver", Kind::Object, Needed::Yes, "toolComponent"},                                     // 3.18.2
    {"toolComponent", "name", Kind::Text, Needed::Yes},                                                 // 3.19.8
    {"toolComponent", "version", Kind::Text},                                                           // 3.19.13
    {"toolComponent", "rules", Kind::Array, Needed::No, "reportingDescriptor"},                         // 3.19.23
    {"reportingDescriptor", "id", Kind::Text, Needed::Yes},                                             // 3.49.3
    {"reportingDescriptor", "shortDescription", Kind::Object, Needed::No, "multiformatMessageString"},  // 3.49.9
    {"reportingDescriptor", "helpUri", Kind::Uri},                                                      // 3.49.12
    {"reportingDescriptor", "properties", Kind::TextMap},                                               // 3.8
    {"multiformatMessageString", "text", Kind::Text, Needed::Yes},                                      // 3.12.3
    {"result", "ruleId", Kind::Text},                                                                   // 3.27.5
    {"result", "ruleIndex", Kind::Number},                                                              // 3.27.6
    {"result", "level", Kind::Text, Needed::No, {}, "none|note|warning|error"},                         // 3.27.10
    {"result", "message", Kind::Object, Needed::Yes, "message"},                                        // 3.27.11
    {"result", "locations", Kind::Array, Needed::No, "location"},                                       // 3.27.12
    {"result", "relatedLocations", Kind::Array, Needed::No, "location"},                                // 3.27.22
    {"result", "partialFingerprints", Kind::TextMap},                                                   // 3.27.17
    {"result", "properties", Kind::TextMap},                                                            // 3.8
    {"message", "text", Kind::Text, Needed::Yes},                                                       // 3.11.8
    {"location", "physicalLocation", Kind::Object, Needed::Yes, "physicalLocation"},                    // 3.28.3
    {"location", "logicalLocations", Kind::Array, Needed::No, "logicalLocation"},                       // 3.28.4
    {"location", "message", Kind::Object, Needed::No, "message"},                                       // 3.28.5
    {"logicalLocation", "fullyQualifiedName", Kind::Text, Needed::Yes},                                 // 3.33.5
    {"physicalLocation", "artifactLocation", Kind::Object, Needed::Yes, "artifactLocation"},            // 3.29.3
    {"physicalLocation", "region", Kind::Object, Needed::No, "region"},                                 // 3.29.4
    {"artifactLocation", "uri", Kind::Uri, Needed::Yes},                                                // 3.4.3
    {"region", "startLine", Kind::Number, Needed::No, {}, {}, 1},                                       // 3.30.5
    {"region", "startColumn", Kind::Number, Needed::No, {}, {}, 1},                                     // 3.30.6
    {"region", "endLine", Kind::Number, Needed::No, {}, {}, 1},                                         // 3.30.7
    {"region", "endColumn", Kind::Number, Needed::No, {}, {}, 1},                                       // 3.30.8
    {"region", "byteOffset", Kind::Number},                                                             // 3.30.11
    {"region", "byteLength", Kind::Number},                                                             // 3.30.12
    {"region", "snippet", Kind::Object, Needed::No, "artifactContent"},                                 // 3.30.13
    {"artifactContent", "text", Kind::Text, Needed::Yes},                                               // 3.3.2
};

const Property* find_property(std::string_view object, std::string_view name) {
  const auto* row = std::find_if(std::begin(properties), std::end(properties),
                                 [&](const Property& each) { return each.object == object && each.name == name; });
  return row == std::end(properties) ? nullptr : row;
}

// RFC 3986: unreserved and reserved characters, and escapes of two digits.
bool is_uri(std::string_view text) {
  constexpr std::string_view marks = "-._~:/?#[]@!$&'()*+,;=";
  constexpr std::string_view digits = "0123456789ABCDEFabcdef";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool is_letter = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (is_letter || marks.find(c) != std::string_view::npos) continue;
    if (c != '%' || i + 2 >= text.size()) return false;
    for (int k = 0; k < 2; ++k) {
      if (digits.find(text[++i]) == std::string_view::npos) return false;
    }
  }
  return true;
}

class Checker {
 public:
  /// All faults of a document; empty if it has the required structure.
  std::vector<std::string> run(const Json& document) {
    object("sarifLog", document, "$");
    if (!faults_.empty()) return faults_;  // relations need the structure
    for (const Json& run : document["runs"]) relations_of(run);
    return faults_;
  }

 private:
  void fault(const std::string& path, const std::string& text) { faults_.push_back(path + ": " + text); }

  // The depth of types is finite, so the recursion is.
  void object(std::string_view type, const Json& value, const std::string& path) {
    if (!value.is_object()) return fault(path, "expected an object of type " + std::string(type));
    for (const Property& row : properties) {
      if (row.object == type && row.needed == Needed::Yes && !value.contains(row.name)) {
        fault(path, "no " + std::string(row.name));
      }
    }
    for (const auto& [name, member] : value.items()) {
      const Property* row = find_property(type, name);
      if (row == nullptr) fault(path, "unknown property " + name);
      else property(*row, member, path + '.' + name);
    }
    if (type == "region") region(value, path);
  }

  void property(const Property& row, const Json& value, const std::string& path) {
    switch (row.kind) {
      case Kind::Text:
      case Kind::Uri: {
        if (!value.is_string()) return fault(path, "expected a string");
        const std::string text = value;
        if (row.kind == Kind::Uri && !is_uri(text)) fault(path, "not a URI reference: " + text);
        const std::vector<std::string_view> values = split_choices(row.values);
        if (!values.empty() && std::find(values.begin(), values.end(), text) == values.end()) {
          fault(path, "unexpected value " + text);
        }
        return;
      }
      case Kind::Number:
        if (!value.is_number_integer() || value.get<std::int64_t>() < row.least) fault(path, "number " + value.dump());
        return;
      case Kind::Object: return object(row.type, value, path);
      case Kind::Array:
        if (!value.is_array()) return fault(path, "expected an array");
        for (std::size_t i = 0; i < value.size(); ++i) object(row.type, value[i], path + '[' + std::to_string(i) + ']');
        return;
      case Kind::TextMap:
        if (!value.is_object()) return fault(path, "expected an object");
        for (const auto& [name, member] : value.items()) {
          if (!member.is_string()) fault(path + '.' + name, "expected a string");
        }
        return;
    }
  }

  // 3.30.1: a region is in a text or in bytes; its end does not precede its start.
  void region(const Json& value, const std::string& path) {
    const bool is_text = value.contains("startLine");
    if (is_text == value.contains("byteOffset")) fault(path, "expected either startLine or byteOffset");
    if (!is_text) return;
    const auto number = [&](const char* name, std::int64_t otherwise) { return value.value(name, otherwise); };
    const std::int64_t first = number("startLine", 1), last = number("endLine", first);
    if (last < first) fault(path, "ends before its first line");
    if (last == first && number("endColumn", INT64_MAX) < number("startColumn", 1))
      fault(path, "ends before its start");
  }

  // Rules are unique; a result's rule is in the list, at its index; a binary region is in the file.
  void relations_of(const Json& run) {
    const Json rules = run["tool"]["driver"].value("rules", Json::array());
    std::set<std::string> ids;
    for (const Json& rule : rules) {
      if (!ids.insert(rule["id"]).second) fault("rules", "two rules " + rule["id"].dump());
    }
    for (const Json& result : run["results"]) {
      const std::string id = result.value("ruleId", "");
      if (!id.empty() && !ids.contains(id)) fault("results", "rule without a description: " + id);
      if (result.contains("ruleIndex")) {
        const std::size_t index = result["ruleIndex"];
        if (index >= rules.size() || rules[index]["id"] != id) fault("results", "wrong index of " + id);
      }
      if (!result.contains("locations")) fault("results", "no location");  // required by code scanning
      for (const Json& location : result.value("locations", Json::array())) bytes_of(location["physicalLocation"]);
    }
  }

  void bytes_of(const Json& location) {
    const Json region = location.value("region", Json::object());
    if (!region.contains("byteOffset")) return;
    const std::string name = location["artifactLocation"]["uri"];
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(name, error);
    if (error) return fault("locations", "no file " + name);
    const std::uint64_t end = region["byteOffset"].get<std::uint64_t>() + region.value("byteLength", std::uint64_t{0});
    if (end > size) fault("locations", "beyond the end of " + name);
  }

  std::vector<std::string> faults_;
};

class sarif : public InFolder {
 protected:
  static constexpr std::string_view shader = R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%file = OpString "dir/sh ade.hlsl"
OpSource HLSL 600 %file "void main() {
  /* ä */ int s = 1 + float;
}"
%void = OpTypeVoid
%fn = OpTypeFunction %void
%u32 = OpTypeInt 32 0
%v5 = OpTypeVector %u32 5
%one = OpConstant %u32 1
%main = OpFunction %void None %fn
%entry = OpLabel
OpLine %file 2 21
%a = OpIAdd %u32 %one %u32
OpLine %file 700 0
%b = OpIAdd %u32 %one %u32
OpReturn
OpFunctionEnd
)";

  void SetUp() override {
    InFolder::SetUp();
    put("shader.spvasm", shader);
    put("ä b,c:d.spvasm", shader);
    put("valid.spvasm", "OpCapability Linkage\nOpCapability Kernel\nOpMemoryModel Logical OpenCL\n");
    put("typo.spvasm", "OpCapability Shadr\n%a = OpTypeInt 32\n%a = OpNopp\n");
    const std::string binary = call({"vireo", "as"}, shader).out;
    put("shader.spv", binary);
    put("cut.spv", binary.substr(0, binary.size() - 6));
    put("empty.spv", "");
    put("toy.xml", R"(<isa><bitset name="#instruction" size="8"><display>{X}</display></bitset></isa>)");
    put("grammar.json", R"({"instructions":[{"opname":"OpNop","opcode":"x"}]})");
  }
};

TEST_F(sarif, documents_have_the_required_structure) {
  struct Row {
    std::vector<std::string> arguments;
    bool is_empty = false;  // no result
  };
  const Row rows[] = {
      {{"val", "shader.spvasm"}},
      {{"val", "shader.spv"}},
      {{"val", "--target-env", "vulkan1.3", "shader.spv", "shader.spvasm", "cut.spv", "empty.spv", "absent.spv"}},
      {{"val", "--locate=source", "shader.spvasm", "shader.spv"}},
      {{"val", "--locate=words", "shader.spvasm", "shader.spv"}},
      {{"val", "--locate=text", "shader.spvasm", "shader.spv"}},
      {{"val", "--rule", "component-count=warn", "--max-errors=1", "shader.spv"}},
      {{"val", "ä b,c:d.spvasm"}},
      {{"val", "valid.spvasm"}, true},
      {{"as", "typo.spvasm", "-o", "out.spv"}},
      {{"dis", "cut.spv", "-o", "out.spvasm"}},
      {{"isa", "check", "toy.xml"}},
      {{"grammar", "check", "grammar.json"}},
  };
  for (const Row& row : rows) {
    std::vector<std::string> arguments = row.arguments;
    arguments.insert(arguments.begin(), "vireo");
    arguments.push_back("--diagnostics-format=sarif");
    const Ran ran = call(arguments);
    const std::string& text = ran.out.empty() ? ran.err : ran.out;
    const Json document = Json::parse(text, nullptr, false);
    ASSERT_FALSE(document.is_discarded()) << text;
    EXPECT_EQ(Checker().run(document), std::vector<std::string>()) << text;
    EXPECT_EQ(document["runs"][0]["results"].empty(), row.is_empty) << text;
  }
}

// The checker rejects documents: one fault each.
TEST_F(sarif, checker_finds_faults) {
  const Json valid = Json::parse(call({"vireo", "val", "--format=sarif", "shader.spv"}).out);
  struct Row {
    std::string_view pointer;
    Json value;
  };
  const Row rows[] = {
      {"/version", "2.0.0"},
      {"/runs/0/columnKind", "bytes"},
      {"/runs/0/tool/driver/name", 1},
      {"/runs/0/tool/driver/extra", 1},
      {"/runs/0/tool/driver/rules/0/id", "other"},
      {"/runs/0/tool/driver/rules/0/helpUri", "a b"},
      {"/runs/0/results/0/level", "fatal"},
      {"/runs/0/results/0/ruleIndex", 99},
      {"/runs/0/results/0/message", Json::object()},
      {"/runs/0/results/0/locations/0/physicalLocation/region/startLine", 0},
      {"/runs/0/results/0/locations/0/physicalLocation/region/endLine", 1},
      {"/runs/0/results/0/locations/0/physicalLocation/region", Json{{"byteOffset", 1}, {"byteLength", 1 << 20}}},
  };
  ASSERT_EQ(Checker().run(valid), std::vector<std::string>());
  for (const Row& row : rows) {
    Json changed = valid;
    changed[Json::json_pointer(std::string(row.pointer))] = row.value;
    EXPECT_FALSE(Checker().run(changed).empty()) << row.pointer;
  }
}

// A rule with a VUID or a section links to it.
TEST_F(sarif, rules_link_to_specifications) {
  struct Row {
    std::string_view rule, link;
  };
  const Row rows[] = {
      {"type-operand", "https://registry.khronos.org/SPIR-V/specs/unified1/SPIRV.html"},
      {"component-count",
       "https://registry.khronos.org/vulkan/specs/latest/html/vkspec.html#VUID-StandaloneSpirv-None-12295"},
  };
  const Json document = Json::parse(call({"vireo", "val", "--format=sarif", "shader.spv"}).out);
  std::map<std::string, std::string> links;
  for (const Json& rule : document["runs"][0]["tool"]["driver"]["rules"]) links[rule["id"]] = rule["helpUri"];
  for (const Row& row : rows) EXPECT_EQ(links[std::string(row.rule)], row.link);
}

}  // namespace
}  // namespace vireo::cli

// SPDX-License-Identifier: Apache-2.0
//
// Reflection says what spirv-cross says, for each real shader that spirv-cross can read.
//
// Spirv-cross prints JSON with a list for each kind of descriptor. Each row of it must be a row of ours,
// with the same numbers. Differences have these reasons:
//  - spirv-cross prints the interface of one entry point, and only resources that it uses. So interfaces are compared in
//    modules with one entry point, and further resources of ours are permitted.
//  - It does not read LocalSizeId, and prints a workgroup of 0 x 0 x 0.
#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <vector>

#include "drivers/driver_test.h"
#include "support/json.h"
#include "system/corpus.h"
#include "vireo/spirv/inspect/reflection.h"
#include "vireo/spirv/module/decorations.h"

namespace vireo::drivers {
namespace {

using namespace spirv;
using D = DescriptorType;

struct ListRow {
  std::string_view key;
  std::array<D, 2> descriptors;
};
constexpr ListRow lists[] = {
    {"ubos", {D::UniformBuffer, D::UniformBuffer}},
    {"ssbos", {D::StorageBuffer, D::StorageBuffer}},
    {"textures", {D::CombinedImageSampler, D::UniformTexelBuffer}},
    {"separate_images", {D::SampledImage, D::UniformTexelBuffer}},
    {"separate_samplers", {D::Sampler, D::Sampler}},
    {"images", {D::StorageImage, D::StorageTexelBuffer}},
    {"subpass_inputs", {D::InputAttachment, D::InputAttachment}},
    {"acceleration_structures", {D::AccelerationStructure, D::AccelerationStructure}},
    {"counters", {D::AtomicCounter, D::AtomicCounter}},
};

std::uint64_t number(JsonValue object, std::string_view key) {
  return static_cast<std::uint64_t>(object.find(key).integer().value_or(0));
}

// The lengths of an array are printed from the innermost dimension on. Those that are no literals are ids.
bool is_array(JsonValue row, const std::vector<ReflectedLength>& lengths) {
  std::vector<std::uint64_t> peers, ours;
  for (const JsonValue literal : row.find("array_size_is_literal").elements()) {
    if (!literal.boolean()) return true;
  }
  for (const JsonValue length : row.find("array").elements())
    peers.push_back(static_cast<std::uint64_t>(*length.integer()));
  for (const ReflectedLength& length : lengths) ours.push_back(length.count);
  std::ranges::reverse(ours);
  return peers == ours;
}

class Comparison {
 public:
  Comparison(const Reflection& reflection, JsonValue peer) : reflection_(reflection), peer_(peer) {}

  /// What differs; empty if nothing.
  std::string run() {
    compare_resources();
    compare_structures();
    compare_spec_constants();
    if (reflection_.entry_points().size() == 1) compare_interface();
    return fault_;
  }

  std::size_t facts = 0;  ///< compared

 private:
  void expect(bool is_same, std::string_view what, JsonValue row) {
    ++facts;
    if (!is_same) fault_ += std::string(what) + " of " + row.path() + "; ";
  }

  void compare_resources() {
    for (const ListRow& list : lists) {
      for (const JsonValue row : peer_.find(list.key).elements()) {
        // Several resources can have one binding.
        const auto is_same = [&](const ReflectedResource& ours) {
          return ours.set == number(row, "set") && ours.binding == number(row, "binding") &&
                 std::ranges::find(list.descriptors, ours.descriptor) != list.descriptors.end() &&
                 is_array(row, ours.array) && ours.is_readonly == row.find("readonly").boolean() &&
                 ours.is_writeonly == row.find("writeonly").boolean() &&
                 (row.find("block_size").is_absent() || ours.block_size == number(row, "block_size")) &&
                 ours.input_attachment.value_or(0) == number(row, "input_attachment_index") && has_name(row, ours);
        };
        expect(std::ranges::any_of(reflection_.resources(), is_same), "descriptor", row);
      }
    }
    for (const JsonValue row : peer_.find("push_constants").elements()) {
      expect(!reflection_.push_constants().empty(), "push constants", row);
    }
  }

  // The name of the variable or of its type; spirv-cross makes names for those without one.
  [[nodiscard]] bool has_name(JsonValue row, const ReflectedResource& ours) const {
    const std::string_view name = row.find("name").text();
    return name.empty() || name.starts_with('_') || name == ours.name ||
           name == reflection_.facts().names().of(ours.type);
  }

  // The keys are "_" and the id of the type. Structures that no variable and no buffer reference contains are not ours.
  void compare_structures() {
    for (const JsonValue type : peer_.find("types").elements()) {
      const auto members =
          reflection_.members(static_cast<Word>(std::strtoul(std::string(type.key().substr(1)).c_str(), nullptr, 10)));
      std::size_t number_of_member = 0;
      for (const JsonValue row : type.find("members").elements()) {
        if (number_of_member == members.size()) break;
        const ReflectedMember& ours = members[number_of_member++];
        Word innermost = 0;
        expect(is_array(row, reflection_.lengths(ours.type, innermost)), "length", row);
        if (!row.find("offset").is_absent()) expect(ours.offset == number(row, "offset"), "offset", row);
        if (!row.find("array_stride").is_absent()) {
          expect(ours.array_stride == number(row, "array_stride"), "array stride", row);
        }
        if (!row.find("matrix_stride").is_absent()) {
          expect(ours.matrix_stride == number(row, "matrix_stride"), "matrix stride", row);
          expect(ours.is_row_major == row.find("row_major").boolean(), "order", row);
        }
      }
    }
  }

  void compare_spec_constants() {
    for (const JsonValue row : peer_.find("specialization_constants").elements()) {
      const auto is_same = [&](const ReflectedSpecConstant& ours) {
        const JsonValue value = row.find("default_value");
        const bool is_bool = value.is(JsonType::Boolean);
        return ours.spec_id == number(row, "id") && (!is_bool || (ours.default_bits != 0) == value.boolean()) &&
               (!value.is(JsonType::Integer) ||
                static_cast<std::uint32_t>(ours.default_bits) == static_cast<std::uint32_t>(*value.integer()));
      };
      expect(std::ranges::any_of(reflection_.spec_constants(), is_same), "specialization constant", row);
    }
  }

  void compare_interface() {
    for (const std::string_view key : {"inputs", "outputs"}) {
      for (const JsonValue row : peer_.find(key).elements()) {
        const auto is_same = [&](const ReflectedVariable& ours) {
          return ours.is_output == (key == "outputs") && ours.location.value_or(0) == number(row, "location");
        };
        expect(std::ranges::any_of(reflection_.variables(), is_same), "variable", row);
      }
    }
    const ReflectedEntryPoint& ours = reflection_.entry_points()[0];
    for (const JsonValue entry : peer_.find("entryPoints").elements()) {
      expect(entry.find("name").text() == ours.name, "name", entry);
      std::uint64_t product = 1;
      std::vector<std::uint64_t> sizes;
      for (const JsonValue size : entry.find("workgroup_size").elements())
        sizes.push_back(static_cast<std::uint64_t>(*size.integer()));
      for (const std::uint64_t size : sizes) product *= size;
      bool has_ids = false;
      for (const JsonValue is_id : entry.find("workgroup_size_is_spec_constant_id").elements())
        has_ids |= is_id.boolean();
      if (product == 0 || has_ids || !ours.workgroup || sizes.size() != 3) continue;
      for (std::size_t i = 0; i < 3; ++i) expect((*ours.workgroup)[i].size == sizes[i], "workgroup", entry);
    }
  }

  const Reflection& reflection_;
  JsonValue peer_;
  std::string fault_;
};

class Reflections : public Drivers {};

TEST_F(Reflections, agree_with_spirv_cross) {
  if (!is_installed("spirv-cross")) VIREO_ABSENT("no spirv-cross");
  const auto shared = outside::shared_folder();
  if (!shared) GTEST_SKIP() << outside::no_shared;
  const system_test::UnpackedArchive unpacked(*shared / "modules" / "real.tar.xz");
  ASSERT_TRUE(unpacked.is_good());
  const std::vector<std::string> modules = unpacked.modules();
  std::atomic<std::size_t> compared = 0, facts = 0;
  const std::vector<std::string> failures = system_test::failures_of(modules.size(), [&](std::size_t i) -> std::string {
    const std::string path = unpacked.path_of(modules[i]).string();
    int status = 0;
    const std::string text = system_test::output_of("spirv-cross '" + path + "' --reflect 2>/dev/null", status);
    JsonFault fault;
    const std::optional<JsonDocument> document = JsonDocument::parse(text, fault);
    if (status != 0 || !document) return {};  // kernels, and modules that spirv-cross cannot read
    const WordBuffer words = system_test::words_of_bytes(system_test::bytes_of_file(path));
    const Module module = Module::read(words);
    const Facts of(module);
    const Reflection reflection(of);
    Comparison comparison(reflection, document->root());
    const std::string difference = comparison.run();
    ++compared;
    facts += comparison.facts;
    return difference.empty() ? std::string() : modules[i] + ": " + difference;
  });
  for (const std::string& failure : failures) ADD_FAILURE() << failure;
  EXPECT_GE(compared, 1900u);
  EXPECT_GE(facts, 20'000u);
  std::cout << "             " << compared << " modules, " << facts << " facts\n";
}

}  // namespace
}  // namespace vireo::drivers

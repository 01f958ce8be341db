// SPDX-License-Identifier: Apache-2.0
//
// Reflection through the C interface, and through that of SPIRV-Cross: from the words to the facts of shader_facts.h,
// and the release of all memory.
//
// Both sides fill the same rows, which are compared before anything is timed. Ours may have more members:
// the peer does not follow pointers to buffers.
#include <algorithm>
#include <string>
#include <vector>

#include "measure.h"
#include "scenarios.h"
#include "shader_facts.h"
#include "tables.h"

#include "vireo/spirv/inspect/reflection.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/module/module_declarations.h"
#include "vireo/vireo_inspect.h"

namespace vireo::bench {
namespace {

constexpr std::size_t smallest = 20'000;  // bytes of the smallest measured shader
constexpr std::size_t large = 50'000;     // bytes from which on the ratio has a target

constexpr std::uint32_t none = ShaderFacts::none;
static_assert(none == VIREO_NONE);

std::string_view view_of(vireo_string text) { return {text.data, text.size}; }

ResourceKind kind_of(std::uint32_t descriptor) {
  switch (descriptor) {
    case VIREO_DESCRIPTOR_SAMPLER: return ResourceKind::Sampler;
    case VIREO_DESCRIPTOR_COMBINED_IMAGE_SAMPLER: return ResourceKind::CombinedImage;
    case VIREO_DESCRIPTOR_STORAGE_IMAGE:
    case VIREO_DESCRIPTOR_STORAGE_TEXEL_BUFFER: return ResourceKind::StorageImage;
    case VIREO_DESCRIPTOR_UNIFORM_BUFFER: return ResourceKind::UniformBuffer;
    case VIREO_DESCRIPTOR_STORAGE_BUFFER: return ResourceKind::StorageBuffer;
    case VIREO_DESCRIPTOR_INPUT_ATTACHMENT: return ResourceKind::InputAttachment;
    case VIREO_DESCRIPTOR_ACCELERATION_STRUCTURE: return ResourceKind::AccelerationStructure;
    default: return ResourceKind::SampledImage;
  }
}

/// Our side of a shader.
class ReflectedShader {
 public:
  explicit ReflectedShader(spirv::Words words) {
    if (vireo_reflection_create(words.data(), words.size(), nullptr, &reflection_) == VIREO_OK) read();
  }
  ~ReflectedShader() { vireo_reflection_destroy(reflection_); }
  ReflectedShader(const ReflectedShader&) = delete;
  ReflectedShader& operator=(const ReflectedShader&) = delete;
  [[nodiscard]] ShaderFacts& facts() { return facts_; }

 private:
  void read() {
    for (std::uint32_t i = 0; i < vireo_reflection_resource_count(reflection_); ++i) {
      vireo_reflected_resource row;
      vireo_reflection_resource(reflection_, i, &row);
      facts_.resources.push_back({row.id, row.set, row.binding, kind_of(row.descriptor_type), view_of(row.name),
                                  row.block_size, row.array_count});
    }
    for (std::uint32_t i = 0; i < vireo_reflection_push_constant_count(reflection_); ++i) {
      vireo_reflected_push_constants row;
      vireo_reflection_push_constants(reflection_, i, &row);
      facts_.resources.push_back({row.id, none, none, ResourceKind::PushConstants, view_of(row.name), row.end, 0});
    }
    for (std::uint32_t i = 0; i < vireo_reflection_variable_count(reflection_); ++i) {
      vireo_reflected_variable row;
      vireo_reflection_variable(reflection_, i, &row);
      if (row.built_in != none || is_built_in_block(row.type)) continue;
      const bool is_output = (row.flags & VIREO_REFLECTED_OUTPUT) != 0;
      facts_.variables.push_back({row.id, row.location, is_output, view_of(row.name)});
    }
    for (std::uint32_t i = 0; i < vireo_reflection_structure_count(reflection_); ++i) read_members(i);
    for (std::uint32_t i = 0; i < vireo_reflection_spec_constant_count(reflection_); ++i) {
      vireo_reflected_spec_constant row;
      vireo_reflection_spec_constant(reflection_, i, &row);
      facts_.spec_constants.push_back(
          {row.id, row.spec_id, static_cast<std::uint32_t>(row.default_bits), view_of(row.name)});
    }
  }

  void read_members(std::uint32_t structure) {
    vireo_reflected_structure row;
    vireo_reflection_structure(reflection_, structure, &row);
    for (std::uint32_t i = 0; i < row.member_count; ++i) {
      vireo_reflected_member member;
      vireo_reflection_member(reflection_, structure, i, &member);
      if (member.offset == none) continue;  // of an interface block
      facts_.members.push_back({row.id, i, member.offset, view_of(member.name), member.size});
    }
  }

  // gl_PerVertex and the like: the peer lists their members apart.
  [[nodiscard]] bool is_built_in_block(std::uint32_t type) const {
    const std::uint32_t structure = vireo_reflection_find_structure(reflection_, type);
    vireo_reflected_member first;
    return structure != VIREO_NONE && vireo_reflection_member(reflection_, structure, 0, &first) == VIREO_OK &&
           first.built_in != none;
  }

  vireo_reflection* reflection_ = nullptr;
  ShaderFacts facts_;
};

template <typename Row>
bool are_equal(std::vector<Row>& a, std::vector<Row>& b) {
  std::ranges::sort(a);
  std::ranges::sort(b);
  return a == b;
}
template <typename Row>
bool includes(std::vector<Row>& all, std::vector<Row>& some) {
  std::ranges::sort(all);
  std::ranges::sort(some);
  return std::ranges::includes(all, some);
}

/// The first list that differs; empty if the facts are equal.
std::string_view difference(ShaderFacts& ours, ShaderFacts& theirs) {
  if (!are_equal(ours.resources, theirs.resources)) return "resources";
  if (!includes(ours.members, theirs.members)) return "members";
  if (!are_equal(ours.variables, theirs.variables)) return "variables";
  return are_equal(ours.spec_constants, theirs.spec_constants) ? "" : "specialization constants";
}

// Whether both libraries report the same facts for a module: a Vulkan shader with one entry point, because the peer
// selects one; no id has two names, of which it takes the last one.
bool is_comparable(spirv::Words words) {
  const spirv::Module module = spirv::Module::read(words);
  const spirv::Facts facts(module);
  const auto entry_points = facts.module_declarations().entry_points();
  if (entry_points.size() != 1 || entry_points[0].model == spirv::ExecutionModel::Kernel) return false;
  const auto names = facts.names().rows();
  const auto is_same = [](const spirv::Names::Row& a, const spirv::Names::Row& b) {
    return a.id == b.id && a.member == b.member;
  };
  if (std::ranges::adjacent_find(names, is_same) != names.end()) return false;
  const spirv::Reflection reflection(facts);
  return std::ranges::none_of(reflection.resources(), [](const spirv::ReflectedResource& row) {
    return row.descriptor == spirv::DescriptorType::Uniform || row.descriptor == spirv::DescriptorType::AtomicCounter;
  });
}

// Times both sides in turns; prints a line. Returns 1 if the answers differ.
int measure(const std::string& name, spirv::Words words) {
  std::string_view differs = "-";
  std::size_t rows = 0;
  {
    ReflectedShader ours(words);
    cross::Shader theirs(words);
    if (!theirs.ok()) return print("{:<46} the peer rejects it\n", name), 0;
    differs = difference(ours.facts(), theirs.facts());
    rows = ours.facts().resources.size() + ours.facts().members.size() + ours.facts().variables.size() +
           ours.facts().spec_constants.size();
  }
  if (!differs.empty()) return print("{:<46} WRONG ANSWER: different {}\n", name, differs), 1;
  Samples ours, theirs;
  for (int round = 0; round < 41; ++round) {
    ours.add(seconds_of([&] { const ReflectedShader shader(words); }));
    theirs.add(seconds_of([&] { const cross::Shader shader(words); }));
  }
  const std::size_t bytes = words.size() * sizeof(spirv::Word);
  print("{:<46} {:>8} {:>6} {:>10} {:>10} {:>8}\n", name, size_text(bytes), rows, time_text(ours.median()),
        time_text(theirs.median()), ratio_text(ours.median(), theirs.median(), bytes < large ? 0 : 1.5));
  return 0;
}

}  // namespace

int run_reflecting() {
  if (!cross::is_linked()) {
    print("\nReflection: skipped, because the package libspirv-cross-c-shared-dev was not installed\n");
    return 0;
  }
  const std::filesystem::path folder = unpacked("real");
  if (folder.empty()) return 0;
  print("\nReflection of real shaders: the C interface, and that of SPIRV-Cross\n\n");
  print("{:<46} {:>8} {:>6} {:>10} {:>10} {:>8}\n", "shader", "size", "facts", "ours", "peer", "ratio");
  int status = 0;
  for (const std::filesystem::path& path : modules_below(folder)) {
    const spirv::WordBuffer words = words_of_file(path);
    if (words.size() * sizeof(spirv::Word) < smallest || !is_comparable(words)) continue;
    status |= measure(path.filename().string().substr(0, 46), words);
  }
  return status;
}

}  // namespace vireo::bench
